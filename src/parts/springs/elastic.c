/* SPDX-License-Identifier: Apache-2.0 */
/* Energies of one variable over a step, and eigenvalues of small symmetric matrices. See parts.h.
 *
 * The force over a step is the divided difference (V_f - V_i)/(y_f - y_i), so that its work is the
 * change of energy. It is written without cancellation: k ((y_i + y_f)/2 - y0) + F0 for the spring;
 * k3 (x_i + x_f) (x_i^2 + x_f^2) / 4 for its hardening, x = y - y0; stops are in
 * laws/penetration.c.
 *
 * The dashpot of a linear stop, with penetrations p and q at the ends of the step, acts with
 * cs (q - p)/h, whose impulse cs (q - p) is exact, also where contact begins or ends within the
 * step. The dissipation of Hertz' law, (3/2) a dp/dt times the elastic force f, has the exact
 * impulse (3/2) a (V_f - V_i) = (3/2) a f (y_f - y_i): never against the motion.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "laws/penetration.h"
#include "parts/parts.h"

static double positive(double x) { return x > 0 ? x : 0; }
static double square(double x) { return x * x; }

double ts_elastic_energy(const double *d, double y) {
    double x = y - d[TS_ELASTIC_FREE];
    double over = positive(y - d[TS_ELASTIC_MAX]), under = positive(d[TS_ELASTIC_MIN] - y);
    return 0.5 * d[TS_ELASTIC_K] * x * x + 0.25 * d[TS_ELASTIC_CUBIC] * square(x * x) +
           d[TS_ELASTIC_PRELOAD] * x + 0.5 * d[TS_ELASTIC_STOP_K] * (over * over + under * under) +
           d[TS_ELASTIC_HERTZ_K] *
               (ts_hertz_penetration.energy(over) + ts_hertz_penetration.energy(under));
}

double ts_elastic_stiffness(const double *d, double y) {
    double depth = positive(fmax(y - d[TS_ELASTIC_MAX], d[TS_ELASTIC_MIN] - y));
    double spring = d[TS_ELASTIC_K] + 3 * d[TS_ELASTIC_CUBIC] * square(y - d[TS_ELASTIC_FREE]);
    return positive(spring) + (depth > 0 ? d[TS_ELASTIC_STOP_K] : 0) +
           d[TS_ELASTIC_HERTZ_K] * ts_hertz_penetration.stiffness(depth);
}

/* Force and slope of one stop, which pushes towards smaller y, and the energy it dissipates. */
static void add_stop(const double *d, double a, double b, double rate, double sign,
                     ts_elastic_step *r) {
    double elastic, cs = d[TS_ELASTIC_STOP_C] * rate, ks = d[TS_ELASTIC_STOP_K];
    double drag = cs * (positive(b) - positive(a));
    r->force += sign * (ks * ts_linear_penetration.force(a, b, &elastic) + drag);
    r->slope += ks * elastic + (b > 0 ? cs : 0);
    if (drag != 0) r->dissipated += drag * (b - a);
}

static void add_hertz(const double *d, double a, double b, double rate, double sign,
                      ts_elastic_step *r) {
    double slope, kh = d[TS_ELASTIC_HERTZ_K], c = d[TS_ELASTIC_HERTZ_C] * rate;
    double force = kh * ts_hertz_penetration.force(a, b, &slope);
    if (force == 0) return; /* out of contact; a stop that is not given is infinitely far away */
    r->force += sign * force * (1 + c * (b - a));
    r->slope += kh * slope * (1 + c * (b - a)) + c * force;
    r->dissipated += c * force * (b - a) * (b - a);
}

static void add_hardening(double k, double a, double b, ts_elastic_step *r) {
    r->force += k * (a + b) * (a * a + b * b);
    r->slope += k * (a * a + 2 * a * b + 3 * b * b);
}

ts_elastic_step ts_elastic_over_step(const double *d, double y_i, double y_f, double delta,
                                     double rate) {
    double k = d[TS_ELASTIC_K], c = d[TS_ELASTIC_C];
    ts_elastic_step r = {.force = k * (0.5 * (y_i + y_f) - d[TS_ELASTIC_FREE]) +
                                  d[TS_ELASTIC_PRELOAD] + c * delta * rate,
                         .slope = 0.5 * k + c * rate,
                         .stored = ts_elastic_energy(d, y_f),
                         .dissipated = c * delta * delta * rate};
    if (d[TS_ELASTIC_CUBIC] > 0)
        add_hardening(0.25 * d[TS_ELASTIC_CUBIC], y_i - d[TS_ELASTIC_FREE],
                      y_f - d[TS_ELASTIC_FREE], &r);
    double max = d[TS_ELASTIC_MAX], min = d[TS_ELASTIC_MIN];
    if (d[TS_ELASTIC_STOP_K] > 0) {
        add_stop(d, y_i - max, y_f - max, rate, 1, &r);
        add_stop(d, min - y_i, min - y_f, rate, -1, &r);
    }
    if (d[TS_ELASTIC_HERTZ_K] > 0) {
        add_hertz(d, y_i - max, y_f - max, rate, 1, &r);
        add_hertz(d, min - y_i, min - y_f, rate, -1, &r);
    }
    return r;
}

/* ---- reading ---- */

enum { MODULUS = TS_ELASTIC_FIELDS_COUNT, RADIUS, DISSIPATION };

static int check_signs(ts_builder *b, const ts_value *value, int field, bool hertz) {
    static const int checked[] = {TS_ELASTIC_C,     TS_ELASTIC_STOP_K, TS_ELASTIC_STOP_C,
                                  TS_ELASTIC_CUBIC, MODULUS,           RADIUS,
                                  DISSIPATION};
    static const char *const name[] = {"damping",      "stop_stiffness", "stop_damping",    "cubic",
                                       "stop_modulus", "stop_radius",    "stop_dissipation"};
    double k = value[field + TS_ELASTIC_K].number[0];
    if (k < 0 && !(value[field + TS_ELASTIC_CUBIC].number[0] > 0))
        return ts_build_fail(b, field + TS_ELASTIC_K,
                             "a negative stiffness needs `cubic`: a spring that snaps through",
                             "stiffness is negative: %g", k);
    for (int n = 0; n < (hertz ? 7 : 4); n++) {
        double x = value[field + checked[n]].number[0];
        if (x < 0)
            return ts_build_fail(b, field + checked[n], NULL, "%s is negative: %g", name[n], x);
    }
    return 0;
}

/* A stop is linear or by Hertz' law, and then has both its numbers. */
static int check_hertz(ts_builder *b, const ts_value *value, int field) {
    const ts_value *v = value + field;
    bool modulus = v[MODULUS].number[0] > 0, radius = v[RADIUS].number[0] > 0;
    static const char either[] =
        "give stop_stiffness (and stop_damping) for a linear stop, or stop_modulus and stop_radius "
        "(and stop_dissipation) for Hertz' law";
    if (!v[MODULUS].given && !v[RADIUS].given && !v[DISSIPATION].given) return 0;
    for (int k = TS_ELASTIC_STOP_K; k <= TS_ELASTIC_STOP_C; k++)
        if (v[k].given)
            return ts_build_fail(b, field + k, either,
                                 "a stop is linear or by Hertz' law, not both");
    if (modulus && radius) return 0;
    int there = v[MODULUS].given ? MODULUS : v[RADIUS].given ? RADIUS : DISSIPATION;
    return ts_build_fail(b, field + there, either,
                         "Hertz' law needs a stop_modulus and a stop_radius above zero");
}

static int check_stops(ts_builder *b, const ts_value *value, int field, bool hertz) {
    const ts_value *v = value + field;
    bool low = v[TS_ELASTIC_MIN].given, high = v[TS_ELASTIC_MAX].given;
    bool linear = v[TS_ELASTIC_STOP_K].number[0] > 0, sphere = hertz && v[MODULUS].given;
    if (hertz && check_hertz(b, value, field)) return TORSOR_EINVAL;
    if ((low || high) && !linear && !sphere)
        return ts_build_fail(b, field + (low ? TS_ELASTIC_MIN : TS_ELASTIC_MAX),
                             hertz ? "or a stop_modulus and a stop_radius, for Hertz' law" : NULL,
                             "a stop needs a stop_stiffness above zero");
    if ((linear || sphere) && !low && !high)
        return ts_build_fail(b, field + (linear ? (int)TS_ELASTIC_STOP_K : (int)MODULUS), NULL,
                             "%s is given, but neither stop_min nor stop_max",
                             linear ? "stop_stiffness" : "stop_modulus");
    if (v[TS_ELASTIC_STOP_C].number[0] > 0 && !linear)
        return ts_build_fail(b, field + TS_ELASTIC_STOP_C, NULL,
                             "stop_damping is given, but no stop");
    double min = v[TS_ELASTIC_MIN].number[0], max = v[TS_ELASTIC_MAX].number[0];
    if (low && high && min >= max)
        return ts_build_fail(b, field + TS_ELASTIC_MIN, NULL,
                             "stop_min (%g) must be below stop_max (%g)", min, max);
    return 0;
}

/* Fields that vary are handled in varied.c, and zero here; with them the elongation that varies. */
static int check_varied(ts_builder *b, const ts_value *value, int field, double *data) {
    const ts_value *free_value = &value[field + TS_ELASTIC_FREE];
    if (!free_value->given || free_value->signal[0].kind == TS_SIGNAL_CONSTANT) return 0;
    data[TS_ELASTIC_K] = 0;
    if (data[TS_ELASTIC_CUBIC] == 0) return 0;
    return ts_build_fail(b, field + TS_ELASTIC_CUBIC,
                         "write it as `force: k3*(x - x0)^3` with this elongation",
                         "`cubic` counts from a value without force that is constant");
}

int ts_elastic_read(ts_builder *b, const ts_value *value, int field, bool hertz, double drawn,
                    double *data) {
    const ts_value *v = value + field;
    if (check_signs(b, value, field, hertz) || check_stops(b, value, field, hertz))
        return TORSOR_EINVAL;
    for (int k = 0; k < TS_ELASTIC_FIELDS_COUNT; k++) data[k] = v[k].number[0];
    if (check_varied(b, value, field, data)) return TORSOR_EINVAL;
    if (!v[TS_ELASTIC_FREE].given) data[TS_ELASTIC_FREE] = drawn;
    if (!v[TS_ELASTIC_MIN].given) data[TS_ELASTIC_MIN] = -INFINITY;
    if (!v[TS_ELASTIC_MAX].given) data[TS_ELASTIC_MAX] = INFINITY;
    data[TS_ELASTIC_HERTZ_K] =
        hertz ? 4.0 / 3 * v[MODULUS].number[0] * sqrt(v[RADIUS].number[0]) : 0;
    data[TS_ELASTIC_HERTZ_C] = hertz ? 1.5 * v[DISSIPATION].number[0] : 0;
    return 0;
}
