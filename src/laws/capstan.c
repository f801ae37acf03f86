/* SPDX-License-Identifier: Apache-2.0 */
/* Friction of a rope on a pulley: a bristle (bristle.c) whose coordinate is the length of rope
 * before the pulley.
 *
 * A rope that slips around an angle phi has tensions of the ratio e^{mu phi} (Euler, Eytelwein):
 *
 *     |T_2 - T_1| <= (T_1 + T_2) tanh(mu phi/2) .
 *
 * A wheel without mass on a bearing of radius r turns when the tensions overcome its friction,
 * |T_2 - T_1| R = mu_b r F, under the load F of both, F^2 = T_1^2 + T_2^2 - 2 T_1 T_2 cos(phi):
 *
 *     |T_2 - T_1| <= (T_1 + T_2) b s/root(1 - b^2 c^2) ,      b = mu_b r/R ,
 *
 * s and c the sine and cosine of phi/2. The rope slips or the wheel turns, whichever needs the
 * smaller difference: this limit is the same for both directions, and is the strength of the
 * bristle. T_1 and T_2 are multipliers of the same step. phi is taken at the start of the step:
 * then strength depends on multipliers alone. A dashpot, even a weak one, determines the position
 * of a slack rope that is not held otherwise.
 */
#include "laws/capstan.h"

#include <math.h>
#include <string.h>

#include "laws/angle.h"
#include "laws/bristle.h"
#include "laws/strand_row.h"

#define TAU 6.283185307179586476925287

/* Memory: deflection, coordinate, whether it stuck, angle. */
enum { Z, Y, STUCK, WRAP, MEMORY };

double ts_capstan_wrap(const double *data, double before, const double *e) {
    double sense = data[TS_CAPSTAN_SENSE];
    if (sense == 0) {
        double across = sqrt(fmax(e[1] * e[2] - e[3] * e[3], 0));
        return atan2(across, e[3]);
    }
    double turn = atan2(e[3] * e[6] - e[4] * e[5], e[3] * e[5] + e[4] * e[6]);
    double phi = sense * (turn + ts_strand_lean(e[2], data[TS_CAPSTAN_TO]) -
                          ts_strand_lean(e[1], data[TS_CAPSTAN_FROM]));
    return phi + TAU * round((before - phi) / TAU);
}

/* The limit of |T_2 - T_1| over T_1 + T_2. */
static double grip_of(const double *data, double phi) {
    double mu = data[TS_CAPSTAN_MU], b = data[TS_CAPSTAN_BEARING];
    double rope = mu > 0 ? tanh(0.5 * mu * phi) : 1, s = fabs(sin(0.5 * phi)), c = cos(0.5 * phi);
    if (!(b > 0 && b * fabs(c) < 1)) return rope;
    return fmin(rope, b * s / sqrt(1 - b * b * c * c));
}

typedef struct rub {
    double grip, sign; /* of T_1 + T_2 */
    ts_bristle_step b;
} rub;

static rub rub_over(const ts_law_step *step) {
    const double *d = step->data, *memory = step->memory;
    bool rest = !(step->t_f > step->t_i);
    double sum = step->lambda ? step->lambda[0] + step->lambda[1] : 0;
    rub r = {.grip = grip_of(d, fmax(memory[WRAP], 0)), .sign = sum < 0 ? -1 : 1};
    ts_bristle b = {.n = 1, .stiffness = d[TS_CAPSTAN_K], .damping = rest ? 0 : 1, .at_end = rest};
    b.z[0] = memory[Z], b.slip[0] = step->e_f[0] - step->e_i[0];
    if (rest && step->instant == 0) b.slip[0] = step->e_f[0] - memory[Y];
    b.strength = b.sliding = r.grip * fabs(sum);
    b.changes[0] = b.changes[1] = 1;
    r.b = ts_bristle_over(&b);
    double damper = d[TS_CAPSTAN_VISCOUS] * ts_step_rate(step);
    r.b.force[0] += damper * b.slip[0], r.b.by_slip[0] += damper;
    r.b.dissipated += damper * b.slip[0] * b.slip[0];
    if (rest) r.b.by_slip[0] *= 0.5; /* law.h: at rest slopes are those of means */
    return r;
}

static double stored(const double *data, double z) { return 0.5 * data[TS_CAPSTAN_K] * z * z; }

static void begin(const double *data, const double *e, double *memory) {
    memory[Y] = e[0], memory[STUCK] = 1;
    memory[WRAP] = ts_capstan_wrap(data, data[TS_CAPSTAN_WRAP], e);
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    (void)m, (void)e;
    return stored(data, memory[Z]);
}

static void respond(const ts_law_step *step, ts_response *out) {
    rub r = rub_over(step);
    *out = (ts_response){.stored = stored(step->data, r.b.z[0]), .dissipated = r.b.dissipated};
    out->s[0] = r.b.force[0], out->ds[0] = r.b.by_slip[0];
}

static void by_multipliers(const ts_law_step *step, double *out) {
    rub r = rub_over(step);
    memset(out, 0, (size_t)(2 * step->m) * sizeof *out);
    out[0] = out[1] = r.b.by_strength[0] * r.grip * r.sign;
}

/* As in joints: only a bristle that stuck in the last step is stiff in ED's stage. */
static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    (void)e;
    memset(K, 0, (size_t)(m * m) * sizeof *K);
    if (memory[STUCK] == 2) K[0] = data[TS_CAPSTAN_K];
}

static void commit(const ts_law_step *step, double *memory) {
    rub r = rub_over(step);
    memory[Z] = r.b.z[0], memory[Y] = step->e_f[0], memory[STUCK] = r.b.stuck ? 2 : 0;
    memory[WRAP] = ts_capstan_wrap(step->data, step->memory[WRAP], step->e_f);
}

const ts_law TS_CAPSTAN_LAW = {.name = "capstan",
                               .rubs = true,
                               .memory = MEMORY,
                               .begin = begin,
                               .energy = energy,
                               .respond = respond,
                               .by_multipliers = by_multipliers,
                               .stiffness = stiffness,
                               .commit = commit};
