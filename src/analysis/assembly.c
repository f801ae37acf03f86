/* SPDX-License-Identifier: Apache-2.0 */
/* Initial conditions. See assembly.h; assembler.h contains the linear problem that every step
 * solves.
 *
 * Positions: least steps to the nearest pose that satisfies the rows (Gauss-Newton, damped), then
 * along the rows to the one of least change,  min (q - q0)^T M (q - q0)  with c(q, t0) = 0,  then
 * to round-off. Velocities: min (v - v0)^T M (v - v0)  with  C v + dc/dt = 0  and  A v = 0: one
 * linear problem. Conditions that are satisfied within round-off are not changed.
 */
#include "analysis/assembly.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembler.h"
#include "base/error.h"
#include "math/rotation.h"

/* ---- positions ---- */

typedef struct pose {
    double *q, *memory, *e;
} pose;

static size_t ambient_bytes(const ts_model *model) {
    return (size_t)(3 * model->slots) * sizeof(double);
}

static void copy_pose(const ts_assembler *as, pose to, pose from) {
    memcpy(to.q, from.q, ambient_bytes(as->model));
    memcpy(to.memory, from.memory, (size_t)as->model->memory * sizeof(double));
    memcpy(to.e, from.e, (size_t)as->model->forms_count * sizeof(double));
}

static pose present(ts_assembler *as) { return (pose){as->q, as->memory, as->e}; }

static pose save_pose(ts_assembler *as) {
    pose p = {ts_calloc((size_t)(3 * as->model->slots), sizeof(double)),
              ts_calloc((size_t)as->model->memory + 1, sizeof(double)),
              ts_calloc((size_t)as->model->forms_count + 1, sizeof(double))};
    copy_pose(as, p, present(as));
    return p;
}

static void free_pose(pose p) { free(p.q), free(p.memory), free(p.e); }

static void load_pose(ts_assembler *as, pose p) {
    copy_pose(as, present(as), p);
    ts_assembler_rows(as);
}

/* -P^T M (q - q0): no force on massless directions */
static void pull_back(const ts_assembler *as, int n, double *force) {
    const ts_node *node = &as->model->nodes[n];
    const double *q = as->q + 3 * node->slot, *q0 = as->q0 + 3 * node->slot;
    v3 moment = {0, 0, 0};
    for (int a = 0; a < node->slots; a++) {
        v3 f = {0, 0, 0};
        for (int b = 0; b < node->slots; b++)
            f = v3_axpy(-node->mass[a][b], v3_sub(v3_load(q + 3 * b), v3_load(q0 + 3 * b)), f);
        if (a == 0)
            v3_store(force, f);
        else
            moment = v3_add(moment, v3_cross(v3_load(q + 3 * a), f));
    }
    if (node->slots > 1) v3_store(force + 3, moment);
}

/* sqrt((q - q0)^T M (q - q0)) */
static double change(const ts_assembler *as) {
    double sum = 0;
    for (int n = 0; n < as->model->nodes_count; n++) {
        const ts_node *node = &as->model->nodes[n];
        const double *q = as->q + 3 * node->slot, *q0 = as->q0 + 3 * node->slot;
        v3 d[4];
        for (int a = 0; a < node->slots; a++)
            d[a] = v3_sub(v3_load(q + 3 * a), v3_load(q0 + 3 * a));
        for (int a = 0; a < node->slots; a++)
            for (int b = 0; b < node->slots; b++) sum += node->mass[a][b] * v3_dot(d[a], d[b]);
    }
    return sqrt(fmax(sum, 0));
}

/* sqrt(x^T W x) */
static double mass_norm(const ts_assembler *as, const double *x) {
    double sum = 0;
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        int nd = as->model->nodes[n].slots > 1 ? 6 : 3;
        const double *W = as->W + 36 * n, *d = x + as->dof[n];
        for (int i = 0; i < nd; i++)
            for (int j = 0; j < nd; j++) sum += d[i] * W[i * nd + j] * d[j];
    }
    return sqrt(sum);
}

/* Moves along the rows towards the least change, as long as this converges. */
static bool slide(ts_assembler *as, int *iterations) {
    double *x = ts_calloc((size_t)(as->n + as->m) + 1, sizeof *x);
    double last = DBL_MAX, enough = as->m > 20000 ? 1e-2 : 1e-6;
    bool good = true;
    for (int k = 0; k < 40 && good; k++) {
        good = ts_assembler_factor(as, 1e-9) == 0;
        if (!good) break;
        for (int n = 0; n < as->model->nodes_count; n++)
            if (as->dof[n] >= 0) pull_back(as, n, x + as->dof[n]);
        for (int r = 0; r < as->m; r++) x[as->n + r] = as->use[r] ? -as->c[r] : 0;
        ts_assembler_solve(as, x);
        double size = mass_norm(as, x);
        good = size < 2 * last;
        if (!good || (k > 2 && size > 0.7 * last && size < enough * change(as))) break;
        last = fmin(last, size);
        ts_assembler_move(as, x, 1);
        ts_assembler_rows(as);
        ts_assembler_accept(as);
        ++*iterations;
        if (size <= 1e-9 * change(as)) break;
    }
    free(x);
    return good;
}

static void least_change(ts_assembler *as, int *iterations) {
    pose before = save_pose(as);
    if (!slide(as, iterations) || ts_assembler_restore(as, iterations)) load_pose(as, before);
    free_pose(before);
}

/* Moves away from points where gradients vanish: turns all nodes a little, always in the same
 * way. */
static void shake(ts_assembler *as, int attempt) {
    double *x = ts_calloc((size_t)as->n + 1, sizeof *x);
    uint64_t seed = 2026u + (uint64_t)attempt;
    for (int i = 0; i < as->n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(int64_t)seed / 9.3e18;
    }
    for (int n = 0; n < as->model->nodes_count; n++)
        if (as->dof[n] >= 0)
            for (int k = 0; k < 3; k++) x[as->dof[n] + k] *= as->arm[n];
    ts_assembler_move(as, x, 0.05 * attempt);
    ts_assembler_rows(as);
    ts_assembler_accept(as);
    free(x);
}

/* ---- the words of a failure ---- */

/* The largest violations, one per part, at most three. */
static void list_gaps(const ts_assembler *as, char *text, size_t size) {
    const ts_model *model = as->model;
    int named[3];
    size_t used = 0;
    double first = 0;
    for (int count = 0; count < 3; count++) {
        int worst = -1;
        for (int r = 0; r < as->m; r++) {
            bool done = !as->use[r] || ts_assembler_row_consistent(as, r);
            for (int i = 0; i < count; i++)
                done = done || model->sites[model->rows[named[i]].site].part ==
                                   model->sites[model->rows[r].site].part;
            double gap = fabs(as->c[r]) / as->scale[r];
            if (!done && (worst < 0 || gap > fabs(as->c[worst]) / as->scale[worst])) worst = r;
        }
        if (worst < 0) return;
        double gap = fabs(as->c[worst]) / as->scale[worst];
        if (count == 0) first = gap;
        if (gap < 0.05 * first || used >= size) return;
        char words[40];
        named[count] = worst;
        ts_row_gap_words(as, worst, as->c[worst], words, sizeof words);
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s '%s' is %s %s (%s)", count ? ", " : "",
                             ts_row_noun(model, worst), ts_row_part(model, worst), words,
                             strstr(words, "deg") || model->rows[worst].drive ? "off" : "apart",
                             model->rows[worst].label);
    }
}

static int cannot_assemble(ts_assembler *as, pose drawn) {
    char gaps[600] = "";
    if (ts_fail_unbounded(as->system, as->system->state.t)) return TORSOR_EINVAL;
    list_gaps(as, gaps, sizeof gaps);
    load_pose(as, drawn);
    int code = ts_find_conflict(as);
    if (code) return code;
    return ts_fail(TORSOR_EINVAL, "the joints cannot be closed together: at best %s", gaps);
}

static int assemble_positions(ts_assembler *as, int *iterations, bool *touched) {
    *touched = !ts_assembler_consistent(as);
    if (!*touched) return 0;
    pose drawn = save_pose(as), best = save_pose(as);
    int code = ts_assembler_restore(as, iterations);
    if (code) copy_pose(as, best, present(as));
    for (int attempt = 1; code && attempt <= 3 && as->m < 20000; attempt++) {
        load_pose(as, drawn);
        shake(as, attempt);
        code = ts_assembler_restore(as, iterations);
    }
    if (code) {
        load_pose(as, best);
        code = cannot_assemble(as, drawn);
    } else {
        least_change(as, iterations);
    }
    free_pose(drawn), free_pose(best);
    return code;
}

/* ---- velocities ---- */

/* (xdot, omega) of each node, from its ambient rates at q */
void ts_spatial_rates(const ts_assembler *as, const double *q, const double *v, double *s) {
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        const ts_node *node = &as->model->nodes[n];
        const double *qn = q + 3 * node->slot, *vn = v + 3 * node->slot;
        v3_store(s + as->dof[n], v3_load(vn));
        v3 omega = {0, 0, 0};
        for (int k = 1; k < node->slots; k++)
            omega = v3_add(omega, v3_cross(v3_load(qn + 3 * k), v3_load(vn + 3 * k)));
        if (node->slots == 4) omega = v3_scale(0.5, omega);
        if (node->slots > 1) v3_store(s + as->dof[n] + 3, omega);
    }
}

static double row_rate(const ts_assembler *as, int r, const double *s) {
    return ts_assembler_row_times(as, r, s) + as->drift[r];
}

/* Largest rotation rate; velocities are divided by the nodes' arms. */
static double fastest(const ts_assembler *as, const double *s) {
    double most = 0;
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        most = fmax(most, v3_norm(v3_load(s + as->dof[n])) / as->arm[n]);
        if (as->model->nodes[n].slots > 1) most = fmax(most, v3_norm(v3_load(s + as->dof[n] + 3)));
    }
    return most;
}

/* Size of the terms that cancel in the rate of a row. */
static double rate_terms(const ts_assembler *as, int r, const double *s) {
    double sum = fabs(as->drift[r]);
    for (int k = as->start[r]; k < as->start[r + 1]; k++)
        sum += fabs(as->value[k] * s[as->column[k]]);
    return sum;
}

/* Rates that joints stop completely leave round-off of the given rates, which therefore set the
 * scale. */
int ts_worst_rate(const ts_assembler *as, const double *s, const double *s0, double tolerance) {
    int worst = -1;
    double most = 1, speed = fmax(fastest(as, s), fastest(as, s0));
    for (int r = 0; r < as->m; r++) {
        if (as->model->rows[r].off) continue;
        double allowed = tolerance * (rate_terms(as, r, s) + 1e-2 * speed * as->scale[r]);
        double rate = fabs(row_rate(as, r, s));
        if (rate > most * allowed) worst = r, most = rate / allowed;
    }
    return worst;
}

/* Residual of  M (s - s0) + C^T lambda = 0  and  C s + drift = 0. */
static void rate_equations(const ts_assembler *as, const double *s, const double *s0,
                           const double *lambda, double *x) {
    double M[36];
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        int nd = as->model->nodes[n].slots > 1 ? 6 : 3, at = as->dof[n];
        ts_assembler_node_inertia(as, n, 0, M);
        for (int i = 0; i < nd; i++) {
            x[at + i] = 0;
            for (int j = 0; j < nd; j++) x[at + i] -= M[i * nd + j] * (s[at + j] - s0[at + j]);
        }
    }
    for (int r = 0; r < as->m; r++) {
        x[as->n + r] = as->use[r] ? -row_rate(as, r, s) : 0;
        if (!as->use[r]) continue;
        for (int k = as->start[r]; k < as->start[r + 1]; k++)
            x[as->column[k]] -= lambda[r] * as->value[k];
    }
}

static double left_over(const ts_assembler *as, const double *x) {
    double sum = 0;
    for (int r = 0; r < as->m; r++)
        if (as->compliance[r] > 0) sum += x[as->n + r] * x[as->n + r] / as->compliance[r];
    return sum;
}

/* The matrix contains a little additional mass and compliance: a few iterations with the exact
 * equations remove their effect. */
int ts_solve_rates(ts_assembler *as, const double *s0, double *s, double *lambda, bool *touched) {
    *touched = ts_worst_rate(as, s, s0, 1e-12) >= 0;
    if (!*touched) return 0;
    double mu = 1e-9, last = DBL_MAX, *x = ts_calloc((size_t)(as->n + as->m) + 1, sizeof *x);
    int code = ts_assembler_factor(as, mu);
    for (int pass = 0; pass < 30 && !code; pass++) {
        rate_equations(as, s, s0, lambda, x);
        double left = left_over(as, x);
        if (pass > 1 && left > 0.25 * last && ts_worst_rate(as, s, s0, 1e-12) < 0) break;
        if (left > 0.01 * last && mu > 1e-14) code = ts_assembler_factor(as, mu *= 0.1);
        if (code) break;
        last = left;
        ts_assembler_solve(as, x);
        for (int i = 0; i < as->n; i++) s[i] += x[i];
        for (int r = 0; r < as->m; r++) lambda[r] += x[as->n + r];
        if (pass > 1 && ts_worst_rate(as, s, s0, 4 * DBL_EPSILON) < 0) break;
    }
    free(x);
    if (code) return code;
    int worst = ts_worst_rate(as, s, s0, 1e-9);
    if (worst < 0) return 0;
    if (ts_fail_unbounded(as->system, as->system->state.t)) return TORSOR_EINVAL;
    ts_fail(TORSOR_EINVAL,
            "no velocities satisfy all joints and motions at t = %.9g s: %s '%s' (%s) requires a "
            "rate that differs from what the others allow by %.3g per second",
            as->t, ts_row_noun(as->model, worst), ts_row_part(as->model, worst),
            as->model->rows[worst].label, fabs(row_rate(as, worst, s)));
    return ts_blame(TORSOR_EINVAL, ts_row_part(as->model, worst), as->t);
}

/* ---- the report ---- */

void ts_assembly_note(ts_assembly_report *report, const char *format, ...) {
    char text[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    report->notes =
        ts_realloc(report->notes, (size_t)report->note_count + 1, sizeof *report->notes);
    report->notes[report->note_count++] = ts_strdup(text);
}

void ts_assembly_report_clear(ts_assembly_report *report) {
    for (int i = 0; i < report->note_count; i++) free(report->notes[i]);
    free(report->notes), free(report->joints), free(report->repeats);
    memset(report, 0, sizeof *report);
}

static void list_joints(const ts_model *model, ts_assembly_report *report) {
    report->joints = ts_calloc((size_t)model->parts_count + 1, sizeof *report->joints);
    int last = -1;
    for (int r = 0; r < model->rows_count; r++) {
        int part = model->sites[model->rows[r].site].part;
        if (part != last) report->joints[report->joint_count++].part = part;
        last = part;
    }
}

static void report_rows(const ts_assembler *as, const double *s, bool after,
                        ts_assembly_report *report) {
    ts_assembly_joint *joint = report->joints;
    for (int r = 0; r < as->m; r++) {
        if (as->model->rows[r].off) continue;
        while (joint->part != as->model->sites[as->model->rows[r].site].part) joint++;
        double *position = after ? &joint->position_after : &joint->position_before;
        double *rate = after ? &joint->rate_after : &joint->rate_before;
        *position = fmax(*position, fabs(as->c[r]));
        *rate = fmax(*rate, fabs(row_rate(as, r, s)));
    }
}

static double angle_between(const double *q, const double *q0, int slots) {
    if (slots == 2)
        return atan2(v3_norm(v3_cross(v3_load(q), v3_load(q0))), v3_dot(v3_load(q), v3_load(q0)));
    return v3_norm(ts_so3_log(m3_mul(m3_load(q), m3_transpose(m3_load(q0)))));
}

static void report_change(const ts_assembler *as, const double *s, const double *s0,
                          ts_assembly_report *report) {
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        const ts_node *node = &as->model->nodes[n];
        const double *q = as->q + 3 * node->slot, *q0 = as->q0 + 3 * node->slot;
        const double *a = s + as->dof[n], *b = s0 + as->dof[n];
        report->moved = fmax(report->moved, v3_norm(v3_sub(v3_load(q), v3_load(q0))));
        report->rate_moved = fmax(report->rate_moved, v3_norm(v3_sub(v3_load(a), v3_load(b))));
        if (node->slots < 2) continue;
        if (memcmp(q + 3, q0 + 3, (size_t)(3 * node->slots - 3) * sizeof *q))
            report->turned = fmax(report->turned, angle_between(q + 3, q0 + 3, node->slots));
        report->rate_turned =
            fmax(report->rate_turned, v3_norm(v3_sub(v3_load(a + 3), v3_load(b + 3))));
    }
}

/* ---- all together ---- */

void ts_store_rates(const ts_assembler *as, const double *s, double *v) {
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        const ts_node *node = &as->model->nodes[n];
        const double *q = as->q + 3 * node->slot, *rate = s + as->dof[n];
        double *to = v + 3 * node->slot;
        v3_store(to, v3_load(rate));
        for (int k = 1; k < node->slots; k++)
            v3_store(to + 3 * k, v3_cross(v3_load(rate + 3), v3_load(q + 3 * k)));
    }
}

static int assemble(ts_assembler *as, const double *s0, double *s, bool *moved, bool *changed,
                    ts_assembly_report *report) {
    report_rows(as, s0, false, report);
    int code = assemble_positions(as, &report->iterations, moved);
    if (!code) code = ts_find_redundant(as, report);
    double *impulse = ts_calloc((size_t)as->m + 1, sizeof *impulse);
    if (!code) code = ts_solve_rates(as, s0, s, impulse, changed);
    free(impulse);
    if (!code) code = ts_find_massless(as);
    if (code) return code;
    report_rows(as, s, true, report);
    report_change(as, s, s0, report);
    if (*changed) ts_note_blows(as, s0, s, report);
    return 0;
}

/* Number of rows of a part from this row on; `out` counts those that are left out. */
static int rows_of_part(const ts_model *model, int row, int end, int *out) {
    int part = model->sites[model->rows[row].site].part, r = row;
    *out = 0;
    for (; r < end && model->sites[model->rows[r].site].part == part; r++)
        *out += model->rows[r].redundant;
    return r - row;
}

/* Notes laws that read the reaction of a joint of which some rows are redundant: they read only a
 * part of it. */
static void note_reads(const ts_model *model, ts_assembly_report *report) {
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        int out, end = site->read + site->reads;
        for (int r = site->read; r < end; r += rows_of_part(model, r, end, &out)) {
            rows_of_part(model, r, end, &out);
            if (out == 0) continue;
            ts_assembly_note(report,
                             "'%.60s' depends on the reaction of '%.60s', of which %d constraint%s "
                             "redundant: only the others are counted. Give the joint more freedom, "
                             "so that its reaction is determined",
                             model->parts[site->part].name,
                             model->parts[model->sites[model->rows[r].site].part].name, out,
                             out == 1 ? " is" : "s are");
        }
    }
}

/* Stores the result in the state and the numbering. */
static void adopt(const ts_assembler *as, ts_system *system, ts_model *model, const double *s,
                  bool moved, bool changed, ts_assembly_report *report) {
    memcpy(system->state.q, as->q, ambient_bytes(model));
    memcpy(system->state.memory, as->memory, (size_t)model->memory * sizeof(double));
    if (moved || changed) ts_store_rates(as, s, system->state.v);
    report->redundant = 0;
    for (int r = 0; r < model->rows_count; r++) {
        bool off = as->model->rows[r].off, redundant = !as->use[r] && !off;
        model->rows[r].redundant = redundant;
        ts_view_redundant(system, r, redundant);
        report->redundant += redundant;
    }
    note_reads(model, report);
    ts_system_renumber(system);
    report->freedom = system->dofs - system->rows;
    for (int n = 0; n < model->nodes_count; n++) /* variables are not motions */
        report->freedom -= model->nodes[n].variable ? ts_node_dofs(&model->nodes[n]) : 0;
}

int ts_assemble_initial(ts_system *system, ts_model *model, ts_assembly_report *report) {
    memset(report, 0, sizeof *report);
    list_joints(model, report);
    ts_assembler *as = ts_assembler_new(system);
    double *s0 = ts_calloc((size_t)as->n + 1, sizeof *s0);
    double *s = ts_calloc((size_t)as->n + 1, sizeof *s);
    bool moved, changed;
    ts_spatial_rates(as, system->state.q, system->state.v, s0);
    memcpy(s, s0, (size_t)as->n * sizeof *s);
    int code = assemble(as, s0, s, &moved, &changed, report);
    if (!code) adopt(as, system, model, s, moved, changed, report);
    if (!code) ts_note_thickness(model, system->state.q, report);
    free(s0), free(s);
    ts_assembler_free(as);
    return code;
}

int ts_assemble_rates(ts_system *system, ts_assembly_report *report) {
    ts_assembler *as = ts_assembler_new(system);
    double *s0 = ts_calloc((size_t)as->n + 1, sizeof *s0);
    double *s = ts_calloc((size_t)as->n + 1, sizeof *s);
    bool changed;
    for (int r = 0; r < as->m; r++) as->use[r] = !system->model->rows[r].redundant;
    ts_assembler_rows(as);
    ts_spatial_rates(as, system->state.q, system->state.v, s0);
    memcpy(s, s0, (size_t)as->n * sizeof *s);
    double *impulse = ts_calloc((size_t)as->m + 1, sizeof *impulse);
    int code = ts_solve_rates(as, s0, s, impulse, &changed);
    if (!code && changed) ts_store_rates(as, s, system->state.v);
    if (!code && changed && report) ts_note_blows(as, s0, s, report);
    free(s0), free(s), free(impulse);
    ts_assembler_free(as);
    return code;
}
