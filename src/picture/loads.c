/* SPDX-License-Identifier: Apache-2.0 */
/* Loads for pictures: forces and moments on nodes, pressures on faces, as arrows.
 *
 * A load on a mesh has thousands of nodes. Of each part, every second, fourth ... node is used,
 * MOST_OF_PART at most: arrows show the direction, not the sum. A pressure is drawn at the first
 * node of its face, along r,1 x r,2 at the first point of quadrature. */
#include "picture/loads.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/event.h"

enum { MOST_OF_PART = 200 };

/* ---- thinning ---- */

ts_thinning ts_thinning_new(const ts_model *model) {
    size_t parts = (size_t)model->parts_count + 1;
    return (ts_thinning){ts_calloc(parts, sizeof(int)), ts_calloc(parts, sizeof(int))};
}

bool ts_thinning_told(ts_thinning *t, int part) {
    int stride = (t->count[part] + MOST_OF_PART - 1) / MOST_OF_PART;
    return t->seen[part]++ % (stride > 1 ? stride : 1) == 0;
}

void ts_thinning_clear(ts_thinning *t) { free(t->count), free(t->seen); }

/* ---- the arrows ---- */

static ts_told_load told_load(const ts_model *model, const ts_load *load) {
    bool frame = model->nodes[load->node].kind == TS_NODE_FRAME;
    return (ts_told_load){.load = load,
                          .part = load->part,
                          .node = load->node,
                          .at = frame ? load->point : v3_make(0, 0, 0),
                          .moment = load->moment,
                          .follower = load->follower};
}

static ts_told_load told_pressure(const ts_model *model, const ts_pressure *p) {
    return (ts_told_load){
        .pressure = p, .part = p->part, .node = model->site_nodes[p->node], .moment = p->on > 0};
}

ts_told_load *ts_told_loads(const ts_model *model, int *count) {
    ts_thinning t = ts_thinning_new(model);
    size_t all = (size_t)(model->loads_count + model->pressures_count);
    ts_told_load *told = ts_calloc(all + 1, sizeof *told);
    *count = 0;
    for (int i = 0; i < model->loads_count; i++) t.count[model->loads[i].part]++;
    for (int i = 0; i < model->pressures_count; i++) t.count[model->pressures[i].part]++;
    for (int i = 0; i < model->loads_count; i++)
        if (ts_thinning_told(&t, model->loads[i].part))
            told[(*count)++] = told_load(model, &model->loads[i]);
    for (int i = 0; i < model->pressures_count; i++)
        if (ts_thinning_told(&t, model->pressures[i].part))
            told[(*count)++] = told_pressure(model, &model->pressures[i]);
    ts_thinning_clear(&t);
    return told;
}

/* ---- their size ---- */

static bool is_timed(const ts_model *model, int signal) {
    const ts_signal *s = signal < 0 ? NULL : &model->signals[signal];
    return !s || (s->channels == 0 && s->kind != TS_SIGNAL_INPUT);
}

bool ts_told_timed(const ts_model *model, const ts_told_load *told) {
    for (int i = 0; i < model->switches_count; i++)
        if (model->switches[i].part == told->part) return false;
    if (told->pressure) return is_timed(model, told->pressure->signal);
    for (int k = 0; k < 3; k++)
        if (!is_timed(model, told->load->signal[k])) return false;
    return true;
}

static double signal_at(const ts_model *model, int signal, ts_when when) {
    double value = 0, rate;
    if (signal < 0 || model->signals[signal].channels > 0) return 0; /* depends on the state */
    ts_signal_eval(&model->signals[signal], when, &value, &rate);
    return isfinite(value) ? value : 0;
}

static v3 pressed(const ts_model *model, const ts_pressure *p, const double *q, ts_when when) {
    const double *rule = model->interpolation + p->rule;
    const int *node = model->site_nodes + p->node;
    v3 side[2] = {v3_make(0, 0, 0), v3_make(0, 0, 0)};
    for (int i = 0; i < p->nodes; i++)
        for (int k = 0; k < 2; k++) {
            v3 x = v3_load(q + 3 * (model->nodes[node[i]].slot + p->of[k]));
            side[k] = v3_axpy(rule[3 * i + 1 + k], x, side[k]);
        }
    double value = p->variable > 0 ? p->unit * q[3 * model->nodes[p->variable].slot]
                                   : signal_at(model, p->signal, when);
    return v3_scale(value, v3_cross(side[0], side[1]));
}

v3 ts_told_vector(const ts_model *model, const ts_told_load *told, const double *q, ts_when when) {
    if (told->pressure) return pressed(model, told->pressure, q, when);
    double f[3];
    for (int k = 0; k < 3; k++) f[k] = signal_at(model, told->load->signal[k], when);
    return v3_scale(told->load->factor != 0 ? told->load->factor : 1, v3_load(f));
}
