/* SPDX-License-Identifier: Apache-2.0 */
/* Losses of a gear by its efficiency eta: friction on the driven side, in proportion to the force
 * that the gear transmits in the same step.
 *
 * With lambda the multiplier of the gear's row, the force of the gear along the second coordinate
 * is -lambda. It drives that side where -lambda v > 0, v its rate, mean of the step. The loss
 *
 *     F = |lambda| w(lambda v) tanh(v/v_0) ,     w = 1 - eta  as it drives,  1/eta - 1  as it is
 *     driven
 *
 * resists v: the output power is eta times the input power, whichever side drives. The loss never
 * supplies energy. Below v_0 it decreases to zero, so that it does not jump when the motion
 * reverses.
 */
#include <math.h>
#include <string.h>

#include "laws/way.h"
#include "parts/machines/gear_loss.h"
#include "parts/parts.h"

/* Numbers: the way, eta, v_0. Memory: the coordinate. */
enum { ETA = TS_WAY_NUMBERS, SLOW };

typedef struct loss {
    ts_way y;
    double force, by_y, by_lambda;
} loss;

static loss find_loss(const ts_law_step *step) {
    const double *d = step->data;
    double rate = ts_step_rate(step), lambda = step->lambda ? step->lambda[0] : 0;
    loss x = {0};
    ts_way_over(d, step->memory[0], step->e_i, step->e_f, &x.y);
    double v = rate * x.y.delta, t = tanh(v / d[SLOW]), sign = lambda < 0 ? -1 : 1;
    double w = -lambda * v >= 0 ? 1 - d[ETA] : 1 / d[ETA] - 1;
    x.force = fabs(lambda) * w * t;
    x.by_y = fabs(lambda) * w * (1 - t * t) * rate / d[SLOW];
    x.by_lambda = sign * w * t;
    return x;
}

static void respond(const ts_law_step *step, ts_response *out) {
    loss x = find_loss(step);
    *out = (ts_response){.dissipated = x.force * x.y.delta};
    for (int j = 0; j < step->m; j++) {
        out->s[j] = x.force * x.y.g[j];
        for (int l = 0; l < step->m; l++)
            out->ds[j * step->m + l] =
                x.by_y * x.y.g[j] * x.y.slope[l] + x.force * x.y.dg[j * step->m + l];
    }
}

static void by_multipliers(const ts_law_step *step, double *out) {
    loss x = find_loss(step);
    for (int j = 0; j < step->m; j++) out[j] = x.by_lambda * x.y.g[j];
}

static void begin(const double *data, const double *e, double *memory) {
    memory[0] = ts_way_value(data, memory[0], e);
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    return (void)data, (void)memory, (void)m, (void)e, 0;
}

static void commit(const ts_law_step *step, double *memory) { memory[0] = find_loss(step).y.y_f; }

static const ts_law GEAR_LOSS = {.name = "losses of a gear",
                                 .rubs = true,
                                 .memory = 1,
                                 .begin = begin,
                                 .energy = energy,
                                 .respond = respond,
                                 .by_multipliers = by_multipliers,
                                 .commit = commit};

void ts_gear_loss(ts_model *model, int coordinate, int row, double efficiency, double slow) {
    bool angle = model->coordinates[coordinate].angle;
    ts_site_on_coordinate(model, coordinate, TS_ROLE_LAW);
    ts_way_numbers(model, angle ? TS_WAY_ANGLE : TS_WAY_LINEAR, 0);
    ts_model_number(model, efficiency), ts_model_number(model, slow);
    ts_model_law(model, &GEAR_LOSS);
    ts_model_reads(model, row, 1);
}
