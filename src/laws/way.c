/* SPDX-License-Identifier: Apache-2.0 */
/* One coordinate y over a step: a displacement, an angle that counts turns, or a length.
 *
 * Its discrete gradient g by the forms has g . (e_f - e_i) = y_f - y_i. So a force F along y is the
 * stress s = F g with the work F (y_f - y_i), and
 *
 *     ds = (dF/dy_f) g slope^T + F dg .
 *
 * Lengths are l = sqrt(2 e + tiny^2), never zero: e_f - e_i = (l_i + l_f)/2 (l_f - l_i). With l_m
 * their mean, rates have e'_f/l_f - e'_i/l_i = (e'_f - e'_i)/l_m + zeta (e_f - e_i),
 *
 *     zeta = -(e'_f/l_f + e'_i/l_i)/(2 l_m^2) .
 */
#include "laws/way.h"

#include <math.h>
#include <string.h>

#include "laws/angle.h"
#include "model/model.h"

static double length(const double *way, double e) {
    double tiny = way[TS_WAY_TINY] * way[TS_WAY_TINY];
    return sqrt(fmax(2 * e + tiny, 0.25 * tiny)); /* round-off may leave e below zero */
}

static double linear_value(const double *way, double memory, const double *e) {
    return (void)way, (void)memory, e[0];
}
static double angle_value(const double *way, double memory, const double *e) {
    return (void)way, ts_angle_unwrap(memory, e[0], e[1]);
}
static double length_value(const double *way, double memory, const double *e) {
    return (void)memory, length(way, e[0]);
}

static void over_linear(const double *way, double memory, const double *i, const double *f,
                        ts_way *out) {
    (void)way, (void)memory;
    *out = (ts_way){1, i[0], f[0], f[0] - i[0], .g = {1}, .slope = {1}};
}

static void over_angle(const double *way, double memory, const double *i, const double *f,
                       ts_way *out) {
    (void)way;
    double start = ts_angle_unwrap(memory, i[0], i[1]), rr = f[0] * f[0] + f[1] * f[1];
    ts_angle_step a = ts_angle_over_step(start, i, f);
    *out = (ts_way){2, start, a.angle, a.delta, .slope = {-f[1] / rr, f[0] / rr}};
    for (int k = 0; k < 2; k++) out->g[k] = a.g[k];
    for (int k = 0; k < 4; k++) out->dg[k] = a.dg[k];
}

static void over_length(const double *way, double memory, const double *i, const double *f,
                        ts_way *out) {
    (void)memory;
    double l_i = length(way, i[0]), l_f = length(way, f[0]), mean = 0.5 * (l_i + l_f);
    *out = (ts_way){1, l_i, l_f, (f[0] - i[0]) / mean, .g = {1 / mean}, .slope = {1 / l_f}};
    out->dg[0] = -0.5 / (mean * mean * l_f);
}

static void rate_linear(const double *way, const double *i, const double *f, const double *edot_i,
                        const double *edot_f, ts_way_rate *out) {
    (void)way, (void)i, (void)f, (void)edot_i, (void)edot_f;
    *out = (ts_way_rate){.y_i = {1}, .y_f = {1}};
}

static void rate_angle(const double *way, const double *i, const double *f, const double *edot_i,
                       const double *edot_f, ts_way_rate *out) {
    (void)way;
    ts_angle_rate rate = ts_angle_rate_over(i, f, edot_i, edot_f);
    *out = (ts_way_rate){.y_i = {-i[1], i[0]}, .y_f = {-f[1], f[0]}, .dy_f = {0, -1, 1, 0}};
    memcpy(out->zeta, rate.zeta, sizeof rate.zeta);
    memcpy(out->d_e, rate.d_e, sizeof rate.d_e);
    memcpy(out->d_edot, rate.d_edot, sizeof rate.d_edot);
}

static void rate_length(const double *way, const double *i, const double *f, const double *edot_i,
                        const double *edot_f, ts_way_rate *out) {
    double l_i = length(way, i[0]), l_f = length(way, f[0]), mean = 0.5 * (l_i + l_f);
    double rates = edot_f[0] / l_f + edot_i[0] / l_i, mm = mean * mean;
    *out = (ts_way_rate){.y_i = {1 / l_i}, .y_f = {1 / l_f}};
    out->dy_f[0] = -1 / (l_f * l_f * l_f), out->zeta[0] = -0.5 * rates / mm;
    out->d_e[0] = 0.5 * edot_f[0] / (l_f * l_f * l_f * mm) + 0.5 * rates / (mm * mean * l_f);
    out->d_edot[0] = -0.5 / (l_f * mm);
}

static const struct {
    double (*value)(const double *way, double memory, const double *e);
    void (*over)(const double *way, double memory, const double *i, const double *f, ts_way *out);
    void (*rate)(const double *way, const double *i, const double *f, const double *edot_i,
                 const double *edot_f, ts_way_rate *out);
} KINDS[] = {[TS_WAY_LINEAR] = {linear_value, over_linear, rate_linear},
             [TS_WAY_ANGLE] = {angle_value, over_angle, rate_angle},
             [TS_WAY_LENGTH] = {length_value, over_length, rate_length}};

double ts_way_value(const double *way, double memory, const double *e) {
    return KINDS[(int)way[TS_WAY_KIND]].value(way, memory, e);
}

void ts_way_over(const double *way, double memory, const double *e_i, const double *e_f,
                 ts_way *out) {
    KINDS[(int)way[TS_WAY_KIND]].over(way, memory, e_i, e_f, out);
}

void ts_way_rate_over(const double *way, const double *e_i, const double *e_f, const double *edot_i,
                      const double *edot_f, ts_way_rate *out) {
    KINDS[(int)way[TS_WAY_KIND]].rate(way, e_i, e_f, edot_i, edot_f, out);
}

void ts_way_numbers(ts_model *model, ts_way_kind kind, double tiny) {
    ts_model_number(model, kind), ts_model_number(model, tiny);
}
