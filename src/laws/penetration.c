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

const ts_penetration ts_linear_penetration = {"linear", linear_energy, linear_stiffness,
                                              linear_force, linear_lasts};

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
static double hertz_lasts(double mass, double speed) {
    return 2.9432 * pow(1.25 * mass * speed * speed, 0.4) / speed;
}

const ts_penetration ts_hertz_penetration = {"hertz", hertz_energy, hertz_stiffness, hertz_force,
                                             hertz_lasts};
