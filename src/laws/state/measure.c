/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of the state over a step, for forces by formula.
 *
 * A *measure* y is a function of forms: a form itself, an angle of two (angle.c), a length (way.c).
 * Over a step it has a discrete gradient g, g . (e_f - e_i) = y_f - y_i.
 *
 * Rotations about an axis and displacements along a direction of a body are not functions of forms,
 * but their changes are: with the means of both ends,
 *
 *     dy = (mean u . (w_f - w_i) - mean w . (u_f - u_i))/2 ,     dy = mean d . (p_f - p_i) ,
 *
 * where (u, w) are components of directors: (d_k.y, d_k.z) about the x-axis of the ground, (d_3,
 * d_2) about d_1. Moments act along the former, forces that turn with their body along the latter;
 * dy/h of the former is an angular velocity.
 */
#include "laws/state/over.h"

/* Measures that have a value are coordinates: way.c. */
static double way_value(const double *measure, double memory, const double *e) {
    const double way[TS_WAY_NUMBERS] = {measure[TS_MEASURE_KIND], measure[TS_MEASURE_TINY]};
    return ts_way_value(way, memory, e);
}

static void over_value(const double *measure, double memory, const double *i, const double *f,
                       ts_over *out) {
    const double way[TS_WAY_NUMBERS] = {measure[TS_MEASURE_KIND], measure[TS_MEASURE_TINY]};
    ts_way y;
    ts_way_over(way, memory, i, f, &y);
    *out = (ts_over){y.y_i, y.y_f, y.delta, .g = {y.g[0], y.g[1]}};
    for (int k = 0; k < y.forms; k++) {
        out->slope[k] = y.slope[k];
        for (int l = 0; l < y.forms; l++) out->dg[TS_MEASURE_MOST * k + l] = y.dg[y.forms * k + l];
    }
}

static double no_value(const double *measure, double memory, const double *e) {
    return (void)measure, (void)memory, (void)e, 0;
}

static void over_turn(const double *measure, double memory, const double *i, const double *f,
                      ts_over *out) {
    (void)measure, (void)memory;
    *out = (ts_over){0};
    for (int k = 0, l = 3; k < 3; k++, l++) {
        out->g[k] = -0.25 * (i[l] + f[l]), out->g[l] = 0.25 * (i[k] + f[k]);
        out->dg[TS_MEASURE_MOST * k + l] = -0.25, out->dg[TS_MEASURE_MOST * l + k] = 0.25;
        out->slope[k] = -0.5 * i[l], out->slope[l] = 0.5 * i[k];
        out->delta += out->g[k] * (f[k] - i[k]) + out->g[l] * (f[l] - i[l]);
    }
}

static void over_way(const double *measure, double memory, const double *i, const double *f,
                     ts_over *out) {
    (void)measure, (void)memory;
    *out = (ts_over){0};
    for (int k = 0, l = 3; k < 3; k++, l++) {
        out->g[k] = out->slope[k] = 0.5 * (i[l] + f[l]);
        out->dg[TS_MEASURE_MOST * k + l] = 0.5;
        out->slope[l] = 0.5 * (f[k] - i[k]);
        out->delta += out->g[k] * (f[k] - i[k]);
    }
}

static const struct {
    int forms;
    double (*value)(const double *measure, double memory, const double *e);
    void (*over)(const double *measure, double memory, const double *i, const double *f,
                 ts_over *out);
} MEASURES[] = {[TS_MEASURE_LINEAR] = {1, way_value, over_value},
                [TS_MEASURE_ANGLE] = {2, way_value, over_value},
                [TS_MEASURE_LENGTH] = {1, way_value, over_value},
                [TS_MEASURE_TURN] = {6, no_value, over_turn},
                [TS_MEASURE_WAY] = {6, no_value, over_way}};

const double *ts_measure_of(const double *data, int m) {
    return data + TS_STATE_HEAD + m * TS_MEASURE_NUMBERS;
}

int ts_measure_forms(ts_measure_kind kind) { return MEASURES[kind].forms; }

double ts_measure_at(const double *data, const double *memory, int m, const double *e) {
    const double *measure = ts_measure_of(data, m);
    return MEASURES[ts_kind_of(measure)].value(measure, memory[TS_STATE_MEMORY + m],
                                               e + ts_form_of(measure));
}

void ts_measure_over(const ts_law_step *step, int m, ts_over *out) {
    const double *measure = ts_measure_of(step->data, m);
    int form = ts_form_of(measure);
    MEASURES[ts_kind_of(measure)].over(measure, step->memory[TS_STATE_MEMORY + m], step->e_i + form,
                                       step->e_f + form, out);
}

/* Stores angles at the end of the step, from which the next step continues. */
void ts_measures_keep(const double *data, const double *e, double *memory) {
    for (int m = 0; m < (int)data[TS_STATE_MEASURES]; m++)
        memory[TS_STATE_MEMORY + m] = ts_measure_at(data, memory, m, e);
}

void ts_measures_over(const ts_law_step *step, ts_over *y) {
    for (int m = 0; m < (int)step->data[TS_STATE_MEASURES]; m++) ts_measure_over(step, m, &y[m]);
}
