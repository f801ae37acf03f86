/* SPDX-License-Identifier: Apache-2.0 */
/* Redundant rows, which repeat other rows.
 *
 * Rows are made comparable (lengths by the arms of the nodes, each row to unit length) and ranked
 * by QR in the order of the model: a dependent row repeats rows before it. Dependence at one pose
 * does not yet mean redundancy: a mechanism may be in a singular pose. Rank can only be lost at
 * special poses, never gained, so that
 *
 *     rows independent at the starting pose stay independent nearby, and
 *     of the dependent ones, those still dependent at other poses of the mechanism are redundant.
 *
 * The other poses are found by a small step along a random motion that the joints allow (drives are
 * released).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembler.h"
#include "base/error.h"
#include "model/node_names.h"
#include "sparse/qr.h"

enum {
    ROWS_IN_ORDER = 20000,
    ROWS_AT_ONE_POSE = 200000,
    MOST_EXPLAINED = 200,
    MOST_SINGULAR = 10,
    MOST_NAMES = 6,
    MOST_LABELS = 6 /* of rows of one part, in its note */
};
static const double TOLERANCE = 1e-9;

/* ---- rank ---- */

typedef struct ranking {
    ts_qr *qr;
    int columns;      /* rows that are switched on */
    const int *order; /* column -> row */
    double *norm;     /* of each row */
    double tolerance; /* threshold for the remainder of a dependent row of length one */
} ranking;

/* Length of row r with rotations taken at the arms, and the row itself at `to`. */
static double comparable_row(const ts_assembler *as, const int *node_of, int r, double *to) {
    double sum = 0;
    for (int k = as->start[r]; k < as->start[r + 1]; k++) {
        int node = node_of[as->column[k]];
        double lever = as->column[k] - as->dof[node] < 3 ? as->arm[node] : 1;
        double v = as->value[k] * lever;
        to[k - as->start[r]] = v;
        sum += v * v;
    }
    double norm = sqrt(sum);
    for (int k = 0; k < as->start[r + 1] - as->start[r]; k++) to[k] = norm > 0 ? to[k] / norm : 0;
    return norm;
}

static int *nodes_of_unknowns(const ts_assembler *as) {
    int *node = ts_calloc((size_t)as->n + 1, sizeof *node);
    for (int n = 0; n < as->model->nodes_count; n++)
        if (as->dof[n] >= 0)
            for (int k = 0; k < (as->model->nodes[n].slots > 1 ? 6 : 3); k++)
                node[as->dof[n] + k] = n;
    return node;
}

static bool is_off(const ts_assembler *as, int r) { return as->model->rows[r].off; }

static int count_on(const ts_assembler *as) {
    int count = 0;
    for (int r = 0; r < as->m; r++) count += !is_off(as, r);
    return count;
}

/* Ranks `count` rows in the order given. */
static bool rank_within(const ts_assembler *as, const int *order, int count, double tolerance,
                        ranking *out) {
    int entries = as->start[as->m], *node = nodes_of_unknowns(as);
    int *start = ts_calloc((size_t)as->m + 1, sizeof *start);
    int *row = ts_calloc((size_t)entries + 1, sizeof *row);
    double *value = ts_calloc((size_t)entries + 1, sizeof *value);
    *out = (ranking){.order = order,
                     .norm = ts_calloc((size_t)as->m + 1, sizeof(double)),
                     .tolerance = tolerance};
    out->columns = count;
    for (int j = 0; j < out->columns; j++) {
        int r = order[j], width = as->start[r + 1] - as->start[r];
        start[j + 1] = start[j] + width;
        memcpy(row + start[j], as->column + as->start[r], (size_t)width * sizeof *row);
        out->norm[r] = comparable_row(as, node, r, value + start[j]);
    }
    out->qr = ts_qr_new(as->n, out->columns, start, row, value, as->m <= ROWS_IN_ORDER, tolerance);
    free(node), free(start), free(row), free(value);
    return out->qr != NULL;
}

static bool rank_rows(const ts_assembler *as, const int *order, ranking *out) {
    return rank_within(as, order, count_on(as), TOLERANCE, out);
}

static void free_ranking(ranking *k) {
    ts_qr_free(k->qr);
    free(k->norm);
}

/* ---- another pose ---- */

/* A random motion that the rows in use allow, of size one at the arms; false when there is none. */
static bool random_motion(ts_assembler *as, uint64_t seed, double *x) {
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        int nd = as->model->nodes[n].slots > 1 ? 6 : 3;
        double s[6] = {0};
        for (int k = 0; k < nd; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            s[k] = (double)(int64_t)seed / 9.3e18 * (k < 3 ? as->arm[n] : 1);
        }
        for (int i = 0; i < nd; i++) {
            double f = 0;
            for (int j = 0; j < nd; j++) f += as->W[36 * n + i * nd + j] * s[j];
            x[as->dof[n] + i] = f;
        }
    }
    memset(x + as->n, 0, (size_t)as->m * sizeof *x);
    if (ts_assembler_factor(as, 1e-9)) return false;
    ts_assembler_solve(as, x);
    double most = 0;
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        most = fmax(most, v3_norm(v3_load(x + as->dof[n])) / as->arm[n]);
        if (as->model->nodes[n].slots > 1) most = fmax(most, v3_norm(v3_load(x + as->dof[n] + 3)));
    }
    if (!(most > 1e-5)) return false;
    for (int i = 0; i < as->n; i++) x[i] /= most;
    return true;
}

/* Largest change of a coordinate since q, positions at the arms. */
static double distance(const ts_assembler *as, const double *q) {
    double most = 0;
    for (int n = 0; n < as->model->nodes_count; n++) {
        const ts_node *node = &as->model->nodes[n];
        for (int k = 0; k < node->slots; k++) {
            int s = 3 * (node->slot + k);
            double d = v3_norm(v3_sub(v3_load(as->q + s), v3_load(q + s)));
            most = fmax(most, k ? d : d / as->arm[n]);
        }
    }
    return most;
}

typedef enum outing { MOVED, RIGID, STUCK } outing;

/* Moves to another pose of the mechanism; drives and rate rows are released. */
static outing go_out(ts_assembler *as, uint64_t seed) {
    const double size = 0.1;
    double *x = ts_calloc((size_t)(as->n + as->m) + 1, sizeof *x);
    double *q = ts_calloc((size_t)(3 * as->model->slots), sizeof *q);
    bool *use = ts_calloc((size_t)as->m + 1, sizeof *use);
    memcpy(q, as->q, (size_t)(3 * as->model->slots) * sizeof *q);
    memcpy(use, as->use, (size_t)as->m * sizeof *use);
    for (int r = 0; r < as->m; r++) {
        const ts_row *row = &as->model->rows[r];
        as->use[r] = !row->drive && !row->off && as->model->sites[row->site].role == TS_ROLE_ROWS;
    }
    outing result = RIGID;
    if (random_motion(as, seed, x)) {
        ts_assembler_move(as, x, size);
        ts_assembler_rows(as);
        ts_assembler_accept(as);
        result =
            ts_assembler_restore(as, NULL) == 0 && distance(as, q) > 0.1 * size ? MOVED : STUCK;
    }
    memcpy(as->use, use, (size_t)as->m * sizeof *use);
    free(x), free(q), free(use);
    return result;
}

/* ---- words ---- */

typedef struct names {
    char text[600];
    int count;
    int part[MOST_NAMES];
} names;

static int part_of(const ts_assembler *as, int r) {
    return as->model->sites[as->model->rows[r].site].part;
}

static void add_name(names *list, int part) {
    for (int i = 0; i < list->count && i < MOST_NAMES; i++)
        if (list->part[i] == part) return;
    if (list->count < MOST_NAMES) list->part[list->count] = part;
    list->count++;
}

static void append(char *text, size_t size, const char *word) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", word);
}

/* 'A', 'B' and 'C' */
static void spell(const ts_assembler *as, names *list) {
    int shown = list->count < MOST_NAMES ? list->count : MOST_NAMES;
    list->text[0] = 0;
    for (int i = 0; i < shown; i++) {
        char word[80];
        bool last = i == list->count - 1;
        snprintf(word, sizeof word, "%s'%.60s'",
                 i == 0 ? ""
                 : last ? " and "
                        : ", ",
                 as->model->parts[list->part[i]].name);
        append(list->text, sizeof list->text, word);
    }
    if (list->count > MOST_NAMES) append(list->text, sizeof list->text, " and others");
    if (list->count == 0) append(list->text, sizeof list->text, "the ground");
}

/* The parts whose rows a dependent row repeats; its own part only if there is no other. */
static void involved(const ts_assembler *as, const ranking *k, int column, double *x, names *list) {
    int own = part_of(as, k->order[column]);
    bool own_too = false;
    double most = 0;
    ts_qr_combination(k->qr, column, x);
    for (int j = 0; j < k->columns; j++) most = fmax(most, fabs(x[j]));
    double least = fmax(1e-6, 10 * k->tolerance) * most;
    for (int j = 0; j < k->columns; j++) {
        if (!(fabs(x[j]) > least)) continue;
        int part = part_of(as, k->order[j]);
        if (part == own)
            own_too = true;
        else
            add_name(list, part);
    }
    if (own_too && list->count == 0) add_name(list, own);
}

/* ---- drives that repeat rows must agree with them at all times ---- */

static double signal_change(const ts_assembler *as, int r, double t) {
    double rate;
    return ts_row_signal(as->model, r, ts_assembler_when(as, as->t + t), &rate) -
           ts_row_signal(as->model, r, ts_assembler_when(as, as->t), &rate);
}

/* Rows on the same bodies keep their factors as these move; others do not, and can only be judged
 * if nothing moves. */
static bool factors_stay(const ts_assembler *as, const ranking *k, int r, const double *x) {
    const ts_model *model = as->model;
    const ts_site *own = &model->sites[model->rows[r].site];
    for (int j = 0; j < k->columns; j++) {
        const ts_row *row = &model->rows[k->order[j]];
        const ts_site *site = &model->sites[row->site];
        if (fabs(x[j]) < 1e-6 || row->signal < 0) continue;
        if (site->nodes != own->nodes ||
            memcmp(model->site_nodes + site->node, model->site_nodes + own->node,
                   (size_t)own->nodes * sizeof(int)))
            return false;
    }
    return true;
}

static int check_drive(const ts_assembler *as, const ranking *k, int column, double *x) {
    int r = k->order[column];
    names list = {0};
    if (as->model->rows[r].signal < 0) return 0;
    involved(as, k, column, x, &list);
    if (!factors_stay(as, k, r, x)) return 0;
    double worst = 0, size = as->scale[r];
    for (double t = 1e-4; t < 200; t *= 1.7) {
        double gap = signal_change(as, r, t);
        size = fmax(size, fabs(gap));
        for (int j = 0; j < k->columns; j++)
            if (x[j] != 0)
                gap -= x[j] * signal_change(as, k->order[j], t) * k->norm[r] / k->norm[k->order[j]];
        worst = fmax(worst, fabs(gap));
    }
    if (worst <= 1e-9 * size) return 0;
    spell(as, &list);
    if (as->model->rows[r].drive)
        ts_fail(TORSOR_EINVAL, "motion '%s' (%s) moves what %s already %s; remove one of them",
                ts_row_part(as->model, r), as->model->rows[r].label, list.text,
                list.count == 1 ? "fixes or drives otherwise" : "fix or drive otherwise");
    else
        ts_fail(
            TORSOR_EINVAL,
            "'%s' (%s) holds what %s moves at t = %.9g s: let the event switch the motion off, too",
            ts_row_part(as->model, r), as->model->rows[r].label, list.text, as->t);
    return ts_blame(TORSOR_EINVAL, ts_row_part(as->model, r), 0);
}

/* ---- notes about redundant rows, one per part ---- */

/* Label of a row; rows of a support, a part with many nodes, name the node. */
static void label_of(const ts_assembler *as, int r, char *text, size_t size) {
    const ts_model *model = as->model;
    const ts_part *part = &model->parts[part_of(as, r)];
    const ts_site *first = &model->sites[part->site],
                  *last = &model->sites[part->site + part->sites - 1],
                  *own = &model->sites[model->rows[r].site];
    const int *nodes = model->site_nodes;
    char name[100];
    snprintf(text, size, "%s", model->rows[r].label);
    if (!part->support &&
        nodes[first->node + first->nodes - 1] == nodes[last->node + last->nodes - 1])
        return;
    if (ts_node_name(model, nodes[own->node + own->nodes - 1], name, sizeof name))
        snprintf(text, size, "%s of %s", model->rows[r].label, name);
}

static void list_labels(const ts_assembler *as, const ranking *k, const int *column, int count,
                        char *text, size_t size) {
    int shown = count <= MOST_LABELS ? count : MOST_LABELS - 1;
    *text = 0;
    for (int i = 0; i < shown; i++) {
        char label[160];
        label_of(as, k->order[column[i]], label, sizeof label);
        append(text, size, i == 0 ? "" : i == count - 1 ? " and " : ", ");
        append(text, size, label);
    }
    char more[40];
    snprintf(more, sizeof more, " and %d more", count - shown);
    if (shown < count) append(text, size, more);
}

static void note_redundant(const ts_assembler *as, const ranking *k, const int *column, int count,
                           double *x, ts_assembly_report *report) {
    char labels[1000];
    names list = {0};
    for (int i = 0; i < count; i++) involved(as, k, column[i], x, &list);
    list_labels(as, k, column, count, labels, sizeof labels);
    spell(as, &list);
    int r = k->order[column[0]];
    ts_assembly_note(report,
                     "%s '%s': %s repeat%s what %s already fix%s; %s left out and %s reported as "
                     "zero",
                     ts_row_noun(as->model, r), ts_row_part(as->model, r), labels,
                     count == 1 ? "s" : "", list.text, list.count < 2 ? "es" : "",
                     count == 1 ? "it is" : "they are",
                     count == 1 ? "its reaction is" : "their reactions are");
}

/* "12 of support 'edge', 3 of joint 'hinge' and 5 of 2 other parts repeat what others fix ..." */
static char *sum_up(const ts_assembler *as) {
    char text[900] = "";
    int parts = 0, rows = 0, others = 0;
    for (int r = 0; r < as->m;) {
        int part = part_of(as, r), first = r, out = 0;
        for (; r < as->m && part_of(as, r) == part; r++) out += !as->use[r] && !is_off(as, r);
        if (out == 0) continue;
        char word[160];
        snprintf(word, sizeof word, "%s%d of %s '%.60s'", parts ? ", " : "", out,
                 ts_row_noun(as->model, first), ts_row_part(as->model, first));
        if (parts++ < MOST_NAMES)
            append(text, sizeof text, word);
        else
            rows += out, others++;
    }
    char more[200] = "";
    if (others)
        snprintf(more, sizeof more, " and %d of %d other part%s", rows, others,
                 others == 1 ? "" : "s");
    append(text, sizeof text, more);
    append(text, sizeof text,
           " repeat what others fix already; their reactions are reported as zero; `torsor check "
           "--verbose` lists them");
    return ts_strdup(text);
}

static void note_singular(const ts_assembler *as, int r, ts_assembly_report *report) {
    ts_assembly_note(report,
                     "singular configuration: at the start %s '%s' (%s) is not independent of the "
                     "others; it stays in the equations, but the motion may branch here",
                     ts_row_noun(as->model, r), ts_row_part(as->model, r),
                     as->model->rows[r].label);
}

/* Takes the dependent rows of the ranking out of use. */
static int leave_out(ts_assembler *as, const ranking *k, ts_assembly_report *report) {
    double *x = ts_calloc((size_t)as->m + 1, sizeof *x);
    int *column = ts_calloc((size_t)as->m + 1, sizeof *column);
    int code = 0, group = 0, explained = 0, last = -1, silent = 0;
    report->first_repeat = report->note_count;
    int *place = ts_calloc((size_t)as->m + 1, sizeof *place);
    for (int r = 0; r < as->m; r++) place[r] = -1;
    for (int j = 0; j < k->columns; j++) place[k->order[j]] = j;
    for (int r = 0; r <= as->m && !code; r++) {
        bool out = r < as->m && place[r] >= 0 && ts_qr_dependent(k->qr, place[r]);
        if (group && (r == as->m || (out && part_of(as, r) != last))) {
            note_redundant(as, k, column, group, x, report);
            group = 0;
        }
        if (!out) continue;
        as->use[r] = false;
        code = check_drive(as, k, place[r], x);
        if (explained++ >= MOST_EXPLAINED) {
            silent++;
            continue;
        }
        column[group++] = place[r], last = part_of(as, r);
    }
    if (silent) ts_assembly_note(report, "%d more rows repeat others and are left out", silent);
    report->repeat_notes = report->note_count - report->first_repeat;
    if (!code && report->repeat_notes > 0) report->repeats = sum_up(as);
    free(x), free(column), free(place);
    return code;
}

/* ---- all together ---- */

/* Rows that are switched on, in the order of the model. */
static int *rows_on(const ts_assembler *as) {
    int *order = ts_calloc((size_t)as->m + 1, sizeof *order), count = 0;
    for (int r = 0; r < as->m; r++)
        if (!is_off(as, r)) order[count++] = r;
    return order;
}

/* Rows independent at the start first, then the others, both in the order of the model. */
static int *independent_first(const ts_assembler *as, const ranking *k) {
    int *order = ts_calloc((size_t)as->m + 1, sizeof *order), count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < k->columns; j++)
            if (ts_qr_dependent(k->qr, j) == pass) order[count++] = k->order[j];
    return order;
}

/* The ranking of highest rank among a few other poses. Not found: out->qr == NULL. */
static outing rank_elsewhere(ts_assembler *as, const int *order, ranking *out) {
    size_t ambient = (size_t)(3 * as->model->slots) * sizeof(double);
    size_t memory = (size_t)as->model->memory * sizeof(double);
    size_t forms = (size_t)as->model->forms_count * sizeof(double);
    double *q = ts_calloc(1, ambient), *kept = ts_calloc(1, memory + 8),
           *e = ts_calloc(1, forms + 8);
    memcpy(q, as->q, ambient), memcpy(kept, as->memory, memory), memcpy(e, as->e, forms);
    outing result = STUCK;
    *out = (ranking){0};
    uint64_t poses = as->m > ROWS_IN_ORDER ? 1 : 3;
    for (uint64_t seed = 1; seed <= poses && result != RIGID; seed++) {
        outing o = go_out(as, seed);
        ranking here = {0};
        if (o == MOVED && rank_rows(as, order, &here)) {
            bool better = !out->qr || ts_qr_rank(here.qr) > ts_qr_rank(out->qr);
            ranking worse = better ? *out : here;
            if (better) *out = here;
            free_ranking(&worse);
        }
        if (result != MOVED) result = o;
        memcpy(as->q, q, ambient), memcpy(as->memory, kept, memory), memcpy(as->e, e, forms);
        ts_assembler_rows(as);
    }
    free(q), free(kept), free(e);
    return result;
}

static int judge(ts_assembler *as, ranking *start, ts_assembly_report *report) {
    int *order = independent_first(as, start);
    ranking there = {0};
    outing o = as->m > ROWS_AT_ONE_POSE ? RIGID : rank_elsewhere(as, order, &there);
    int code = 0;
    if (o == RIGID || (there.qr && ts_qr_rank(there.qr) <= ts_qr_rank(start->qr))) {
        code = leave_out(as, start, report);
    } else {
        if (there.qr) code = leave_out(as, &there, report);
        for (int j = 0, notes = 0; j < start->columns && notes < MOST_SINGULAR; j++)
            if (ts_qr_dependent(start->qr, j) && as->use[start->order[j]])
                note_singular(as, start->order[j], report), notes++;
    }
    free_ranking(&there);
    free(order);
    return code;
}

int ts_find_redundant(ts_assembler *as, ts_assembly_report *report) {
    if (count_on(as) == 0) return 0;
    int *order = rows_on(as), code = 0;
    ranking start;
    if (!rank_rows(as, order, &start))
        ts_assembly_note(report,
                         "the constraints could not be checked for redundancy: not enough memory");
    else if (ts_qr_rank(start.qr) < start.columns)
        code = judge(as, &start, report);
    free_ranking(&start);
    free(order);
    return code;
}

/* ---- contradictions ---- */

/* The value that row r requires beyond the rows that it repeats. */
static double contradiction(const ts_assembler *as, const ranking *k, int column, double *x) {
    int r = k->order[column];
    double gap = as->c[r];
    if (k->norm[r] == 0) return gap;
    ts_qr_combination(k->qr, column, x);
    for (int j = 0; j < k->columns; j++)
        if (x[j] != 0) gap -= x[j] * as->c[k->order[j]] * k->norm[r] / k->norm[k->order[j]];
    return gap;
}

int ts_find_conflict(ts_assembler *as) {
    int *order = rows_on(as), worst = -1, code = 0, looked = 0;
    double *x = ts_calloc((size_t)as->m + 1, sizeof *x), most = 0, gap_found = 0;
    ranking k;
    bool ranked = rank_rows(as, order, &k);
    for (int j = 0; ranked && j < k.columns && looked < MOST_EXPLAINED; j++) {
        if (!ts_qr_dependent(k.qr, j)) continue;
        double gap = contradiction(as, &k, j, x), relative = fabs(gap) / as->scale[order[j]];
        if (relative > most && relative > 1e-9) worst = j, most = relative, gap_found = gap;
        looked++;
    }
    if (worst >= 0) {
        names list = {0};
        char words[40];
        involved(as, &k, worst, x, &list);
        spell(as, &list);
        worst = order[worst];
        ts_row_gap_words(as, worst, gap_found, words, sizeof words);
        code = ts_fail(TORSOR_EINVAL,
                       "%s '%s' (%s) contradicts %s: it repeats a constraint that is there "
                       "already, but differs by %s",
                       ts_row_noun(as->model, worst), ts_row_part(as->model, worst),
                       as->model->rows[worst].label, list.text, words);
        ts_blame(code, ts_row_part(as->model, worst), 0);
    }
    free_ranking(&k);
    free(order), free(x);
    return code;
}

/* ---- singular positions ---- */

int ts_find_singular(const ts_assembler *as, double tolerance, char *text, size_t size) {
    int *order = ts_calloc((size_t)as->m + 1, sizeof *order), count = 0, found = -1;
    double *x = ts_calloc((size_t)as->m + 1, sizeof *x);
    ranking k;
    for (int r = 0; r < as->m; r++)
        if (as->use[r]) order[count++] = r;
    bool ranked = rank_within(as, order, count, tolerance, &k);
    for (int j = 0; ranked && j < k.columns && found < 0; j++) {
        if (!ts_qr_dependent(k.qr, j)) continue;
        names list = {0};
        involved(as, &k, j, x, &list);
        spell(as, &list);
        found = order[j];
        snprintf(text, size, "%s '%.60s' (%s) is not independent of %s",
                 ts_row_noun(as->model, found), ts_row_part(as->model, found),
                 as->model->rows[found].label, list.text);
    }
    free_ranking(&k);
    free(order), free(x);
    return found;
}
