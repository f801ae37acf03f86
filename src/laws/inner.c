/* SPDX-License-Identifier: Apache-2.0 */
/* Springs with inner states: Maxwell branches, Jenkins elements and Bouc and Wen's hysteresis, in
 * parallel along one coordinate y (a length, a displacement, an angle; way.c).
 *
 * A branch has a deflection z, the force k z and the energy k z^2/2. Over a step y grows by d, at a
 * constant rate. Every branch is integrated exactly over this displacement: F is the mean of its
 * force, and
 *
 *     F d = change of k z^2/2 + dissipated ,     dissipated >= 0 .
 *
 * Maxwell, z' = y' - z/T. With x = h/T, phi_1 = (1 - exp(-x))/x, phi_2 = (1 - phi_1)/x:
 *
 *     z_f = exp(-x) z + phi_1 d ,     F = k (phi_1 z + phi_2 d) .
 *
 * Jenkins, a spring in series with dry friction: z follows y and stays between low/k and high/k. A
 * dashpot c (z_f - z)/h may act in parallel; slip does not stretch it. With low = 0 the element is
 * a one-way clutch. A chain of such elements is Iwan's model (W. D. Iwan, J. Appl. Mech. 33 (1966)
 * 893).
 *
 * Bouc-Wen: z = zeta high/k, zeta by bouc_wen.c.
 *
 * At rest a Maxwell branch keeps its force and has no stiffness, because it would relax. The other
 * branches, which do not depend on time, are integrated from the last state to this one.
 */
#include "laws/inner.h"

#include <math.h>
#include <string.h>

#include "laws/bouc_wen.h"

/* A branch over a step. */
typedef struct branch {
    double force, slope; /* mean force, its derivative by d; at rest: those of the end */
    double z, dissipated;
} branch;

double ts_inner_relax(double x, double phi[2]) {
    if (x < 0.1) {
        double term = 1;
        phi[0] = 0, phi[1] = 0;
        for (int k = 1; k < 12; k++) { /* 1/1! - x/2! + ..., 1/2! - x/3! + ... */
            phi[0] += term / k, term /= k;
            phi[1] += term / (k + 1);
            term *= -x;
        }
        return exp(-x);
    }
    phi[0] = -expm1(-x) / x;
    phi[1] = (1 - phi[0]) / x;
    return exp(-x);
}

static void maxwell(const double *data, double z, double d, double rate, branch *out) {
    double k = data[TS_INNER_K], x = 1 / (rate * data[TS_INNER_TIME]), phi[2];
    double fall = ts_inner_relax(x, phi), mean = phi[0] * z + phi[1] * d;
    out->z = fall * z + phi[0] * d;
    out->force = k * mean, out->slope = k * phi[1];
    /* F d less the change of energy, with d = z_f - z + x mean: no large terms cancel */
    out->dissipated = k * ((mean - 0.5 * (z + out->z)) * (out->z - z) + x * mean * mean);
}

static void keep(const double *data, double z, double d, branch *out) {
    (void)d;
    *out = (branch){.force = data[TS_INNER_K] * z, .z = z};
}

static double between(double x, double low, double high) { return fmin(fmax(x, low), high); }

static void jenkins(const double *data, double z, double d, double rate, branch *out) {
    double k = data[TS_INNER_K], c = data[TS_INNER_DRAG] * rate;
    double end = between(z + d, data[TS_INNER_LOW] / k, data[TS_INNER_HIGH] / k);
    double stick = end - z, slip = d - stick;
    if (end == z + d) stick = d, slip = 0;
    out->z = end;
    if (slip == 0) {
        out->force = k * (z + 0.5 * d) + c * d, out->slope = 0.5 * k + c;
    } else {
        out->force = (k * stick * (z + 0.5 * stick) + k * end * slip) / d + c * stick;
        out->slope = (k * end + c * stick - out->force) / d;
    }
    out->dissipated = k * end * slip + c * stick * d;
}

static void jenkins_at_rest(const double *data, double z, double d, branch *out) {
    double k = data[TS_INNER_K];
    double end = between(z + d, data[TS_INNER_LOW] / k, data[TS_INNER_HIGH] / k);
    *out = (branch){.force = k * end, .slope = end == z + d ? k : 0, .z = end};
}

static void bouc_wen(const double *data, double z, double d, double rate, branch *out) {
    double k = data[TS_INNER_K], strength = data[TS_INNER_HIGH], yield = strength / k,
           u = d / yield;
    const ts_bouc_wen law = {data[TS_INNER_POWER], data[TS_INNER_SHAPE]};
    ts_bouc_wen_step s = ts_bouc_wen_over(&law, z / yield, u);
    (void)rate;
    out->z = s.end * yield;
    out->force = strength * s.mean;
    out->slope = fabs(u) > 1e-6 ? k * (s.end - s.mean) / u : 0.5 * k * s.slope;
    out->dissipated = fmax(out->force * d - 0.5 * k * (out->z - z) * (out->z + z), 0);
}

static void bouc_wen_at_rest(const double *data, double z, double d, branch *out) {
    double k = data[TS_INNER_K], yield = data[TS_INNER_HIGH] / k;
    const ts_bouc_wen law = {data[TS_INNER_POWER], data[TS_INNER_SHAPE]};
    ts_bouc_wen_step s = ts_bouc_wen_over(&law, z / yield, d / yield);
    *out = (branch){.force = k * s.end * yield, .slope = k * s.slope, .z = s.end * yield};
}

static const struct {
    void (*over)(const double *data, double z, double d, double rate, branch *out);
    void (*at_rest)(const double *data, double z, double d, branch *out);
} KINDS[] = {[TS_INNER_MAXWELL] = {maxwell, keep},
             [TS_INNER_JENKINS] = {jenkins, jenkins_at_rest},
             [TS_INNER_BOUC_WEN] = {bouc_wen, bouc_wen_at_rest}};

/* ---- the law ---- */

static const double *branch_of(const double *data, int k) {
    return data + TS_INNER_HEAD + k * TS_INNER_NUMBERS;
}

/* At an instant the dashpot of a branch that does not slip adds to the force at rest. Slopes at
 * rest are halved by the displacement, but not that of a dashpot. */
static void add_drag(const double *data, double moved, double rate, branch *out) {
    double c = data[TS_INNER_DRAG] * rate;
    if (c == 0 || out->slope == 0) return;
    out->force += c * moved, out->slope += 2 * c, out->dissipated += c * moved * moved;
}

static void over_branch(const ts_law_step *step, int k, const ts_way *y, branch *out) {
    const double *data = branch_of(step->data, k);
    double z = step->memory[TS_INNER_MEMORY + k];
    int kind = (int)data[TS_INNER_KIND];
    bool rest = !(step->t_f > step->t_i);
    if (!rest)
        KINDS[kind].over(data, z, y->delta, ts_step_rate(step), out);
    else
        KINDS[kind].at_rest(data, z, y->delta, out);
    if (rest && step->instant > 0) add_drag(data, y->y_f - y->y_i, ts_step_rate(step), out);
}

/* The displacement over the step; at rest, since the last state, with slopes halved: law.h. */
static void way_over(const ts_law_step *step, ts_way *y) {
    bool rest = !(step->t_f > step->t_i);
    ts_way_over(step->data, step->memory[TS_INNER_AT], step->e_i, step->e_f, y);
    if (!rest) return;
    y->delta = y->y_f - step->memory[TS_INNER_AT];
    for (int j = 0; j < 2; j++) y->slope[j] *= 0.5;
}

static void respond(const ts_law_step *step, ts_response *out) {
    ts_way y;
    branch sum = {0}, b;
    *out = (ts_response){0};
    way_over(step, &y);
    for (int k = 0; k < (int)step->data[TS_INNER_COUNT]; k++) {
        over_branch(step, k, &y, &b);
        sum.force += b.force, sum.slope += b.slope, out->dissipated += b.dissipated;
        out->stored += 0.5 * branch_of(step->data, k)[TS_INNER_K] * b.z * b.z;
    }
    for (int j = 0; j < step->m; j++) {
        out->s[j] = sum.force * y.g[j];
        for (int l = 0; l < step->m; l++)
            out->ds[j * step->m + l] =
                sum.slope * y.g[j] * y.slope[l] + sum.force * y.dg[j * step->m + l];
    }
}

static void begin(const double *data, const double *e, double *memory) {
    memory[TS_INNER_AT] = ts_way_value(data, memory[TS_INNER_AT], e);
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    double sum = 0;
    (void)m, (void)e;
    for (int k = 0; k < (int)data[TS_INNER_COUNT]; k++) {
        double z = memory[TS_INNER_MEMORY + k];
        sum += 0.5 * branch_of(data, k)[TS_INNER_K] * z * z;
    }
    return sum;
}

static void commit(const ts_law_step *step, double *memory) {
    ts_way y;
    branch b;
    way_over(step, &y);
    for (int k = 0; k < (int)step->data[TS_INNER_COUNT]; k++) {
        over_branch(step, k, &y, &b);
        memory[TS_INNER_MEMORY + k] = b.z;
    }
    memory[TS_INNER_AT] = y.y_f;
}

const ts_law TS_INNER = {.name = "inner states",
                         .memory = TS_INNER_MEMORY,
                         .begin = begin,
                         .energy = energy,
                         .respond = respond,
                         .commit = commit};

/* ---- building ---- */

void ts_inner_branch(ts_model *model, const double *numbers) {
    for (int k = 0; k < TS_INNER_NUMBERS; k++) ts_model_number(model, numbers[k]);
}

void ts_inner_open(ts_model *model, ts_way_kind kind, double tiny, int branches) {
    ts_way_numbers(model, kind, tiny);
    ts_model_number(model, branches);
    ts_model_law(model, &TS_INNER);
    ts_model_memory(model, branches); /* memory follows that of the law */
}
