/* SPDX-License-Identifier: Apache-2.0 */
/* The walk along a path of equilibria. See path.h.
 *
 * From point to point the load changes by no more than 1/increments of max_load, and the path turns
 * by a few degrees: arcs grow where it is straight, and shrink where it bends. An arc that does not
 * converge, or whose end deviates too far from its tangent, is halved.
 */
#include "analysis/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const double USUAL_ITERATIONS = 5;
static const double USUAL_BEND = 0.05;
static const double LONGER = 1.5, SHORTER = 0.3;

struct ts_walk {
    ts_system *system;
    const ts_options *options;
    ts_path *path;
    double arc;
    double *start; /* positions of the nodes */
};

/* Loads are taken at the end time, times a factor; nothing else may depend on time. */
static int refuse_motions(const ts_model *model, const ts_options *o) {
    for (int r = 0; r < model->rows_count; r++) {
        double rate;
        const ts_row *row = &model->rows[r];
        if (!row->drive || row->signal < 0) continue;
        if (ts_row_signal(model, r, (ts_when){.t = 0}, &rate) !=
            ts_row_signal(model, r, (ts_when){.t = o->t_end}, &rate))
            return ts_fail(
                TORSOR_EINVAL,
                "'%s' moves: with the arc length method only loads may change; use `method: load`",
                model->parts[model->sites[row->site].part].name);
    }
    return 0;
}

static v3 place(const ts_system *system, int n) {
    return v3_load(system->state.q + 3 * system->model->nodes[n].slot);
}

int ts_walk_new(ts_walk **out, ts_stepper *st, ts_system *system, const ts_options *o) {
    *out = NULL;
    int code = refuse_motions(system->model, o);
    if (!code && system->state.step > 0)
        code =
            ts_fail(TORSOR_EINVAL,
                    "a path along the arc length cannot be continued: run it from its beginning");
    if (code) return code;
    ts_walk *w = *out = ts_calloc(1, sizeof *w);
    w->system = system, w->options = o;
    w->arc = sqrt(2) * o->highest_load / o->increments;
    w->start = ts_calloc(3 * (size_t)system->model->nodes_count + 1, sizeof *w->start);
    for (int n = 0; n < system->model->nodes_count; n++)
        v3_store(w->start + 3 * n, place(system, n));
    ts_path_new(&w->path, st, o->t_end, 0);
    return 0;
}

void ts_walk_free(ts_walk *w) {
    if (!w) return;
    ts_path_free(w->path);
    free(w->start);
    free(w);
}

/* The length of the next arc, from the iterations and the deviation of the last one. */
static double next_arc(double arc, int iterations, double bend) {
    double longer =
        fmin(sqrt(USUAL_ITERATIONS / fmax(1, iterations)), USUAL_BEND / fmax(bend, 1e-9));
    return arc * fmax(SHORTER, fmin(LONGER, longer));
}

int ts_walk_step(ts_walk *w, ts_step_result *result) {
    const ts_options *o = w->options;
    ts_path_limits limits = {o->lowest_load, o->highest_load, o->highest_load / o->increments};
    ts_step_result one;
    memset(result, 0, sizeof *result);
    for (int cut = 0; cut <= o->max_cuts; cut++) {
        int code = ts_path_step(w->path, &w->arc, &limits, &one);
        result->iterations += one.iterations, result->factorisations += one.factorisations;
        if (code < 0) return code;
        if (code == 0) {
            result->residual = one.residual;
            w->arc = next_arc(w->arc, one.iterations, ts_path_bend(w->path));
            w->system->state.t = ts_path_factor(w->path) * o->t_end;
            return 0;
        }
        w->arc *= 0.5;
        result->cuts++;
    }
    return ts_path_fail(w->path, o->max_cuts);
}

static double farthest(const ts_walk *w) {
    double most = 0;
    for (int n = 0; n < w->system->model->nodes_count; n++)
        most = fmax(most, v3_norm(v3_sub(place(w->system, n), v3_load(w->start + 3 * n))));
    return most;
}

bool ts_walk_ended(const ts_walk *w) {
    const ts_options *o = w->options;
    double factor = ts_path_factor(w->path);
    if (factor >= o->highest_load || factor <= o->lowest_load) return true;
    return o->farthest > 0 && farthest(w) >= o->farthest;
}
