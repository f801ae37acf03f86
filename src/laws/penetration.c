/* SPDX-License-Identifier: Apache-2.0 */
/* Energies of a penetration p = <y>, of a body pressed against a stop or another one, over a step.
 *
 * The force over a step is the divided difference of the energy V, with its stiffness taken out,
 * written so that nothing cancels.
 *
 * Linear: V = p^2/2. With p = <y_i>, q = <y_f>,
 *
 *     both in contact (p + q)/2 ,   entering q^2/2 (y_f - y_i) ,   leaving p^2/2 (y_i - y_f) .
 *
 * Hertz, kh = (4/3) E* sqrt(R):
 *
 *     V = (2/5) p^(5/2) ,     V' = p^(3/2) ,     V'' = (3/2) sqrt(p) .
 *
 * In contact at both ends, with r = sqrt(p_i) and s = sqrt(p_f), the common factor s - r divides
 * out:
 *
 *     (s^5 - r^5)/(s^2 - r^2) = (s^4 + s^3 r + s^2 r^2 + s r^3 + r^4)/(s + r)
 *     d/dp_f                  = (3 s^3 + 6 s^2 r + 4 s r^2 + 2 r^3)/(2 (s + r)^2) .
 *
 * Where contact begins or ends within the step one of the energies is zero: V_f/(y_f - y_i),
 * V_i/(y_i - y_f).
 *
 * Barrier, s = p/d the share of its reach d:
 *
 *     V = -s^2 ln(1 - s) ,     V' = 2 s L + s^2/(1 - s) ,     L = -ln(1 - s) ,
 *
 * which is infinite at s = 1 (M. Li et al., Incremental potential contact, ACM Trans. Graph. 39
 * (2020)). With the divided difference of L,
 *
 *     M = (L_f - L_i)/(s_f - s_i) = phi(x)/(1 - s_i) ,   phi(x) = -ln(1 - x)/x ,
 *     x = (s_f - s_i)/(1 - s_i) ,
 *     dV/ds = (s_i + s_f)(L_i + L_f)/2 + (s_i^2 + s_f^2) M/2 .
 *
 * Iterates may go beyond the wall. From s = 0.999 on the force is continued along its tangent, so
 * that the force is defined there and pushes iterates back; steps do not end there (step/touch.c).
 * Over a step through several of these pieces the force is the mean of their forces, weighted by
 * their lengths.
 *
 * H. Hertz, Ueber die Beruehrung fester elastischer Koerper, J. reine angew. Math. 92 (1882);
 * dissipation: K. Hunt and F. Crossley, J. Appl. Mech. 42 (1975) 440.
 */
#include "laws/penetration.h"

#include <math.h>

/* ---- linear ---- */

static double linear_energy(double y) { return y > 0 ? 0.5 * y * y : 0; }
static double linear_stiffness(double y) { return y > 0 ? 1 : 0; }

static double linear_force(double a, double b, double *slope) {
    *slope = 0;
    if (a > 0 && b > 0) {
        *slope = 0.5;
        return 0.5 * (a + b);
    }
    if (b > 0) {
        double r = b / (b - a);
        *slope = r - 0.5 * r * r;
        return 0.5 * b * r;
    }
    if (a > 0) {
        double r = a / (a - b);
        *slope = 0.5 * r * r;
        return 0.5 * a * r;
    }
    return 0;
}

static double linear_lasts(double mass, double speed) {
    (void)speed;
    return 3.14159265358979323846 * sqrt(mass);
}

static double linear_deepest(double mass, double speed) { return speed * sqrt(mass); }
static double linear_sinks(double force) { return force; }

const ts_penetration ts_linear_penetration = {"linear",     linear_energy, linear_stiffness,
                                              linear_force, linear_lasts,  linear_deepest,
                                              linear_sinks};

/* ---- Hertz ---- */

static double hertz_energy(double y) { return y > 0 ? 0.4 * y * y * sqrt(y) : 0; }
static double hertz_stiffness(double y) { return y > 0 ? 1.5 * sqrt(y) : 0; }

/* Five halves of the divided difference within contact, p_i = r^2, p_f = s^2, one of them above
 * zero. */
static double within(double r, double s, double *slope) {
    double sum = r + s;
    *slope = (((3 * s + 6 * r) * s + 4 * r * r) * s + 2 * r * r * r) / (2 * sum * sum);
    return ((((s + r) * s + r * r) * s + r * r * r) * s + r * r * r * r) / sum;
}

static double hertz_force(double a, double b, double *slope) {
    double force;
    *slope = 0;
    if (a <= 0 && b <= 0) return 0;
    if (a >= 0 && b >= 0) {
        force = 0.4 * within(sqrt(a), sqrt(b), slope);
        *slope *= 0.4;
    } else if (b > 0) {
        force = hertz_energy(b) / (b - a);
        *slope = (b * sqrt(b) - force) / (b - a);
    } else {
        force = hertz_energy(a) / (a - b);
        *slope = force / (a - b);
    }
    return force;
}

/* 2 p/v times the integral of dx/sqrt(1 - x^(5/2)) from 0 to 1, p the deepest,
 * (2/5) p^(5/2) = m v^2/2. */
static double hertz_deepest(double mass, double speed) {
    return pow(1.25 * mass * speed * speed, 0.4);
}
static double hertz_lasts(double mass, double speed) {
    return 2.943275 * hertz_deepest(mass, speed) / speed;
}
static double hertz_sinks(double force) { return pow(force, 2.0 / 3); }

const ts_penetration ts_hertz_penetration = {
    "hertz", hertz_energy, hertz_stiffness, hertz_force, hertz_lasts, hertz_deepest, hertz_sinks};

/* ---- barrier ---- */

static const double BEND = 0.999; /* from here on the tangent continues the force */

static double barrier_slope(double s) { return 2 * s * -log1p(-s) + s * s / (1 - s); }

static double barrier_curve(double s) {
    double r = s / (1 - s);
    return -2 * log1p(-s) + 4 * r + r * r;
}

static double barrier_energy(double y) {
    if (y <= 0) return 0;
    if (y <= BEND) return -y * y * log1p(-y);
    double more = y - BEND;
    return barrier_energy(BEND) + more * (barrier_slope(BEND) + 0.5 * more * barrier_curve(BEND));
}

static double barrier_stiffness(double y) { return y > 0 ? barrier_curve(fmin(y, BEND)) : 0; }

/* phi and its derivative; by their series where both ends of the step are close. */
static double phi_of(double x, double *slope) {
    static const double CLOSE = 0.02;
    enum { TERMS = 10 };
    double sum = 0;
    *slope = 0;
    if (fabs(x) > CLOSE) {
        double phi = -log1p(-x) / x;
        *slope = (1 / (1 - x) - phi) / x;
        return phi;
    }
    for (int k = TERMS; k >= 0; k--) {
        *slope = *slope * x + (k + 1.) / (k + 2);
        sum = sum * x + 1. / (k + 1);
    }
    return sum;
}

/* Both ends between 0 and BEND. */
static double barrier_within(double a, double b, double *slope) {
    double rest = 1 - a, bend, phi = phi_of((b - a) / rest, &bend), M = phi / rest;
    double L = -0.5 * (log1p(-a) + log1p(-b)), squares = 0.5 * (a * a + b * b);
    *slope = L + 0.5 * (a + b) / (1 - b) + b * M + squares * bend / (rest * rest);
    return (a + b) * L + squares * M;
}

static double barrier_beyond(double a, double b) {
    return barrier_slope(BEND) + barrier_curve(BEND) * (0.5 * (a + b) - BEND);
}

static double barrier_force(double a, double b, double *slope) {
    *slope = 0;
    if (a <= 0 && b <= 0) return 0;
    if (a >= 0 && b >= 0 && a <= BEND && b <= BEND) return barrier_within(a, b, slope);
    if (a >= BEND && b >= BEND) {
        *slope = 0.5 * barrier_curve(BEND);
        return barrier_beyond(a, b);
    }
    double low = fmin(a, b), high = fmax(a, b), unused;
    double first = fmax(low, 0), last = fmin(high, BEND), work = 0;
    if (last > first) work += (last - first) * barrier_within(first, last, &unused);
    if (high > BEND) {
        double from = fmax(low, BEND);
        work += (high - from) * barrier_beyond(from, high);
    }
    double force = work / (high - low);
    double there = b <= 0 ? 0 : b <= BEND ? barrier_slope(b) : barrier_beyond(b, b);
    *slope = (there - force) / (b - a);
    return force;
}

/* Where an increasing function has a value, between 0 and the wall. */
static double barrier_where(double (*of)(double), double value) {
    double low = 0, high = 1;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        *(of(middle) < value ? &low : &high) = middle;
    }
    return low;
}

static double barrier_deepest(double mass, double speed) {
    return barrier_where(barrier_energy, 0.5 * mass * speed * speed);
}
static double barrier_sinks(double force) { return barrier_where(barrier_slope, force); }

/* Twice the integral of ds/v, v^2 = v_0^2 - 2 V/m, with s = s_max (1 - t^2), which takes the
 * singular end away. */
static double barrier_lasts(double mass, double speed) {
    enum { POINTS = 64 };
    double deepest = barrier_deepest(mass, speed), most = barrier_energy(deepest), sum = 0;
    for (int k = 0; k < POINTS; k++) {
        double t = (k + 0.5) / POINTS, left = most - barrier_energy(deepest * (1 - t * t));
        if (left > 0) sum += 2 * deepest * t / sqrt(2 * left / mass);
    }
    return 2 * sum / POINTS;
}

const ts_penetration ts_barrier_penetration = {"barrier",     barrier_energy, barrier_stiffness,
                                               barrier_force, barrier_lasts,  barrier_deepest,
                                               barrier_sinks};
