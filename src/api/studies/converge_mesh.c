/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of a ladder of meshes: torsor_converge with the option mesh.
 *
 * The model is run as drawn and with its mesh refined once, twice, ... (model/refine.h), with the
 * same step. Names of nodes keep their positions, so channels are compared by name. Of a channel,
 * with u_k on the mesh k,
 *
 *   d_k = max over time |u_k - u_(k-1)|,   q = d_n / d_(n-1),   order = ln(1/q) / ln(ratio),
 *   error of the mesh as drawn = d_1 + ... + d_n + d_n q / (1 - q),
 *
 * the last term being what further refinements would add (a geometric series). ratio is the length
 * of an element over its length after a refinement. No order and no error are given if the changes
 * do not fall (q >= 1), or are round-off. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/error_bar.h"
#include "api/studies/resolve.h"
#include "base/digits.h"
#include "base/error.h"

enum { MESHES = 3, MOST_MESHES = 6, PATH_SIZE = 512 };
static const double ROUND_OFF = 1e-10; /* of the largest value in that unit */

typedef struct ladder {
    char name[200], scheme[80];
    int meshes, nodes[MOST_MESHES];
    double ratio, end;
    ts_columns column[MOST_MESHES];
    char folder[PATH_SIZE - 32];
} ladder;

typedef struct row {
    double largest, change[MOST_MESHES], order, error;
    bool moves;
} row;

/* ---- running ---- */

static void path_of(const ladder *l, int mesh, char path[PATH_SIZE]) {
    snprintf(path, PATH_SIZE, "%s/%d.h5", l->folder, mesh);
}

static int open_refined(torsor_run **out, const ts_document *drawn, int times) {
    ts_document *document;
    int status = ts_document_refine(&document, drawn, times, "the refined model");
    if (status) return status;
    ts_document_forget_columns(document);
    return ts_run_from_document(out, document);
}

static int start_refined(torsor_run **out, const ts_document *drawn, int times) {
    TS_TRAP_NEW(out);
    return TS_TRAP_END(open_refined(out, drawn, times));
}

typedef struct watched {
    const torsor_watch *watch;
    int mesh, meshes;
} watched;

static int on_step(void *context, torsor_run *run) {
    const watched *w = context;
    const torsor_step *last = torsor_run_last_step(run);
    char words[80];
    double share = last->steps > 0 ? (double)last->step / (double)last->steps : 0;
    snprintf(words, sizeof words, "mesh %d of %d", w->mesh + 1, w->meshes);
    return w->watch->tell ? w->watch->tell(w->watch->context, words, (w->mesh + share) / w->meshes)
                          : 0;
}

/* Without ground, and without inner unknowns of elements. */
static int count_nodes(const ts_model *model) {
    int count = 0;
    for (int i = 1; i < model->nodes_count; i++) count += !model->nodes[i].inner;
    return count;
}

static int follow(ladder *l, torsor_run *run, int mesh, const torsor_watch *watch) {
    char path[PATH_SIZE];
    watched w = {watch, mesh, l->meshes};
    torsor_observer observer = {.context = &w, .after = on_step};
    path_of(l, mesh, path);
    l->nodes[mesh] = count_nodes(run->document->model);
    torsor_run_observe(run, &observer);
    int status = torsor_run_record(run, path);
    if (!status) status = torsor_run_to(run, INFINITY);
    int closed = torsor_run_finish(run);
    return status ? status : closed;
}

static int refuse(const ts_document *document) {
    const ts_refinement *mesh = &document->model->refinement;
    const ts_options *o = &document->options;
    if (!(o->h > 0)) return ts_fail(TORSOR_EINVAL, "the model has no 'analysis'");
    if (o->arc_length)
        return ts_fail(TORSOR_EOPTION, "meshes are compared at the same times: not along an arc "
                                       "length, where each run has its own loads");
    if (mesh->stuck)
        return ts_fail(TORSOR_EOPTION,
                       "the mesh '%.100s' comes from a file: torsor cannot refine it. Make finer "
                       "meshes with the program that made it, and compare the runs",
                       document->model->parts[mesh->stuck].name);
    if (mesh->order == 0)
        return ts_fail(TORSOR_EOPTION,
                       "nothing in the model is meshed: there is no mesh to refine");
    return 0;
}

static int run_meshes(ladder *l, torsor_run *first, const torsor_options *options) {
    static const torsor_watch none = {0};
    const torsor_watch *watch = options ? &options->watch : &none;
    const ts_document *drawn = first->document;
    char path[PATH_SIZE];
    int status = follow(l, first, 0, watch);
    path_of(l, 0, path);
    if (!status) status = ts_channels_read(drawn, NULL, path, &l->column[0]);
    for (int mesh = 1; mesh < l->meshes && !status; mesh++) {
        torsor_run *run = NULL;
        status = start_refined(&run, drawn, mesh);
        if (!status) status = follow(l, run, mesh, watch);
        torsor_run_free(run);
        path_of(l, mesh, path);
        if (!status) status = ts_channels_same(path, &l->column[0], &l->column[mesh]);
    }
    return status;
}

static void remove_files(const ladder *l) {
    char path[PATH_SIZE];
    for (int mesh = 0; mesh < l->meshes; mesh++) path_of(l, mesh, path), unlink(path);
    rmdir(l->folder);
}

static int run_ladder(ladder *l, const torsor_model *model, const torsor_options *options) {
    const ts_choices *c = ts_choices_of(options);
    torsor_run *run = NULL;
    if (c->steps || c->reference || c->rms)
        return ts_fail(
            TORSOR_EOPTION,
            "mesh refines the mesh: it cannot be combined with steps, reference and rms");
    l->meshes = c->levels >= 0 ? (int)fmin(1e6, (double)c->levels) : MESHES;
    if (l->meshes < MESHES || l->meshes > MOST_MESHES)
        return ts_option_fail("levels", NULL, "expected 3 to 6 meshes: an order needs three");
    int status = torsor_run_begin(&run, model, options);
    if (!status) status = refuse(run->document);
    if (!status) {
        const ts_options *o = &run->document->options;
        const char *where = getenv("TMPDIR");
        snprintf(l->name, sizeof l->name, "%s", model->name);
        snprintf(l->scheme, sizeof l->scheme, "%s", o->statics ? "statics" : o->scheme);
        l->ratio = run->document->model->refinement.ratio, l->end = o->t_end;
        snprintf(l->folder, sizeof l->folder, "%s/torsor-meshes-XXXXXX",
                 where && *where && strlen(where) < 300 ? where : "/tmp");
        if (!mkdtemp(l->folder))
            status =
                ts_fail(TORSOR_EIO, "cannot make the folder %s: %s", l->folder, strerror(errno));
        if (!status) {
            status = run_meshes(l, run, options);
            remove_files(l);
        }
    }
    torsor_run_free(run);
    return status;
}

/* ---- comparing ---- */

static double scale_of(const ladder *l, int column) {
    const ts_columns *u = &l->column[0];
    double scale = 0;
    for (int i = 1; i < u->count; i++)
        if (strcmp(u->unit[i], u->unit[column]) == 0)
            scale = fmax(scale, ts_error_bar_of(u->rows, u->data + i * u->rows).largest);
    return scale;
}

static double change_of(const ladder *l, int mesh, int column) {
    const ts_columns *a = &l->column[mesh - 1], *b = &l->column[mesh];
    return ts_largest_difference(ts_common_rows(a, b), a->data + column * a->rows,
                                 b->data + column * b->rows);
}

static row row_of(const ladder *l, int column) {
    const ts_columns *u = &l->column[0];
    int last = l->meshes - 1;
    row r = {.largest = ts_error_bar_of(u->rows, u->data + column * u->rows).largest,
             .order = NAN,
             .error = NAN};
    double sum = 0;
    for (int mesh = 1; mesh <= last; mesh++) sum += r.change[mesh] = change_of(l, mesh, column);
    double q = r.change[last] / r.change[last - 1];
    r.moves = !u->inside[column] && sum > ROUND_OFF * scale_of(l, column);
    if (!r.moves || !(q < 1)) return r;
    r.order = q > 0 ? log(1 / q) / log(l->ratio) : NAN;
    r.error = sum + r.change[last] * q / (1 - q);
    return r;
}

/* ---- what there is to say ---- */

static int write_text(void *what, FILE *out) {
    const ladder *l = what;
    const ts_columns *u = &l->column[0];
    int still = 0;
    fprintf(out, "%s: %s, to t = %g s; meshes of ", l->name, l->scheme, l->end);
    for (int k = 0; k < l->meshes; k++)
        fprintf(out, "%s%d", k == 0 ? "" : k == l->meshes - 1 ? " and " : ", ", l->nodes[k]);
    fprintf(out, " nodes; each refinement makes elements %.3g times shorter\n\n", l->ratio);
    fprintf(out, "  %-28s %10s", "channel", "largest");
    for (int k = 1; k < l->meshes; k++) fprintf(out, "  change %d ", k);
    fprintf(out, "  order  error of the mesh as drawn\n");
    for (int i = 1; i < u->count; i++) {
        row r = row_of(l, i);
        char name[64];
        if (!r.moves) {
            still++;
            continue;
        }
        snprintf(name, sizeof name, "%.40s, %.20s", u->name[i], *u->unit[i] ? u->unit[i] : "1");
        fprintf(out, "  %-28s %10.4g", name, r.largest);
        for (int k = 1; k < l->meshes; k++) fprintf(out, "  %9.2e", r.change[k]);
        if (isnan(r.order))
            fprintf(out, "  %5s  unknown: the changes do not fall\n", "-");
        else
            fprintf(out, "  %5.2f  %.2g, %.2g %% of the largest\n", r.order, r.error,
                    100 * r.error / r.largest);
    }
    if (still == u->count - 1)
        fprintf(out, "  no channel changes with the mesh\n");
    else if (still)
        fprintf(out, "\n  %d more do not change with the mesh\n", still);
    return 0;
}

static int write_json(void *what, FILE *out) {
    const ladder *l = what;
    const ts_columns *u = &l->column[0];
    ts_json json = {.out = out}, *j = &json;
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "file", l->name);
    ts_json_text(j, "scheme", l->scheme);
    ts_json_number(j, "end", l->end);
    ts_json_number(j, "ratio", l->ratio);
    ts_json_open(j, "nodes", '[');
    for (int k = 0; k < l->meshes; k++) ts_json_count(j, NULL, l->nodes[k]);
    ts_json_close(j, ']');
    ts_json_open(j, "channels", '[');
    for (int i = 1; i < u->count; i++) {
        row r = row_of(l, i);
        ts_json_open(j, NULL, '{');
        ts_json_text(j, "name", u->name[i]);
        ts_json_text(j, "unit", u->unit[i]);
        ts_json_number(j, "largest", r.largest);
        ts_json_open(j, "changes", '[');
        for (int k = 1; k < l->meshes; k++) ts_json_number(j, NULL, r.change[k]);
        ts_json_close(j, ']');
        ts_json_number(j, "order", r.order);
        ts_json_number(j, "error", r.error);
        ts_json_close(j, '}');
    }
    ts_json_close(j, ']');
    ts_json_close(j, '}');
    fputc('\n', out);
    return 0;
}

static int write_csv(void *what, FILE *out) {
    const ladder *l = what;
    const ts_columns *u = &l->column[0];
    fprintf(out, "channel,unit,largest");
    for (int k = 1; k < l->meshes; k++) fprintf(out, ",change_%d", k);
    fprintf(out, ",order,error\n");
    for (int i = 1; i < u->count; i++) {
        row r = row_of(l, i);
        fprintf(out, "%s,%s", u->name[i], u->unit[i]);
        ts_csv_number(out, r.largest);
        for (int k = 1; k < l->meshes; k++) ts_csv_number(out, r.change[k]);
        ts_csv_number(out, r.order), ts_csv_number(out, r.error);
        fputc('\n', out);
    }
    return 0;
}

/* ---- the study ---- */

static void free_ladder(void *what) {
    ladder *l = what;
    for (int k = 0; k < MOST_MESHES; k++) ts_columns_clear(&l->column[k]);
    free(l);
}

int ts_converge_mesh(torsor_study **out, const torsor_model *model, const torsor_options *options) {
    static const ts_study_form forms[] = {
        {"text", write_text}, {"json", write_json}, {"csv", write_csv}, {0}};
    static const ts_study_kind kind = {.forms = forms, .take_apart = free_ladder};
    ladder *l = ts_calloc(1, sizeof *l);
    return ts_study_give(out, &kind, l, run_ladder(l, model, options));
}
