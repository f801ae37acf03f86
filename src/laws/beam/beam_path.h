/* SPDX-License-Identifier: Apache-2.0 */
/* A beam element over a step, for its law (beam_law.c) and ED's stage (beam_stage.c). Private to
 * them. */
#ifndef TS_BEAM_PATH_H
#define TS_BEAM_PATH_H

#include "laws/beam/beam_law.h"
#include "laws/beam/chain.h"

static inline int ts_beam_points(const double *data) { return (int)data[TS_BEAM_COUNT]; }
static inline const double *ts_beam_helices(const double *data) { return data + TS_BEAM_FIRST; }
static inline const double *ts_beam_point(const double *data, int g) {
    return data + ts_beam_stiffness_at(ts_beam_points(data), g);
}
static inline v6 ts_beam_drawn(const double *point) { return v6_load(point + TS_BEAM_DRAWN); }
static inline double ts_beam_damping_rate(const ts_law_step *step) {
    return step->data[TS_BEAM_DAMPING] * ts_step_rate(step);
}

/* Sum of x_j times row j of K, rows being `width` apart: K x of a symmetric K, two numbers at once.
 * Residuals spend their time here. */
static inline v6 ts_beam_rows_times(const double *K, int width, v6 x) {
    const double *L = K + 3 * width;
    double y[TS_BEAM_STRAINS];
    for (int i = 0; i < TS_BEAM_STRAINS; i++)
        y[i] = K[i] * x.v.x + K[width + i] * x.v.y + K[2 * width + i] * x.v.z + L[i] * x.w.x +
               L[width + i] * x.w.y + L[2 * width + i] * x.w.z;
    return v6_load(y);
}
static inline v6 ts_beam_times(const double *K, v6 x) {
    return ts_beam_rows_times(K, TS_BEAM_STRAINS, x);
}

/* An element over a step. */
typedef struct ts_beam_path {
    int p, count; /* of points, of x */
    double length;
    ts_helix_step pair[TS_BEAM_POINTS];
    v6 base[TS_CHAIN_MOST], x_i[TS_CHAIN_MOST],
        x_f[TS_CHAIN_MOST];                     /* the latter counted from the first */
    v6 end[TS_CHAIN_MOST], mean[TS_CHAIN_MOST]; /* in full */
} ts_beam_path;

/* slopes: also of the helices, for their rates */
void ts_beam_follow(const ts_law_step *step, bool slopes, ts_beam_path *a);
/* Forces on all x and on W_j for the mean strains, dampers included. */
void ts_beam_forces(const ts_law_step *step, const ts_beam_path *a, v6 *f, v6 *on_W);

/* For TS_BEAM_LAW. */
void ts_beam_stage(const ts_law_step *step, const ts_stage_step *s, ts_stage *out);
double ts_beam_stage_loss(const ts_law_step *step, const ts_stage_step *s);
void ts_beam_strain_over(const ts_law_step *step, const ts_stage_step *rates, double *end,
                         double *half);
void ts_beam_stage_slopes(const ts_law_step *step, const ts_stage_step *rates,
                          ts_stage_slopes *out);

#endif
