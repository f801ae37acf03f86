/* Hertz' law of a sphere pressed against a stop, over a step. See parts.h.
 *
 * Of the penetration p = <y>, with kh = (4/3) E* sqrt(R) taken out:
 *
 *     V = (2/5) p^(5/2) ,     V' = p^(3/2) ,     V'' = (3/2) sqrt(p) .
 *
 * The force over a step is the divided difference of V. In contact at both ends, with r = sqrt(p_i)
 * and s = sqrt(p_f), the common factor s - r divides out and nothing cancels:
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
#include <math.h>

#include "parts/parts.h"

double ts_hertz_energy(double y) { return y > 0 ? 0.4 * y * y * sqrt(y) : 0; }
double ts_hertz_stiffness(double y) { return y > 0 ? 1.5 * sqrt(y) : 0; }

/* Five halves of the divided difference within contact, p_i = r^2, p_f = s^2, one of them above
 * zero. */
static double within(double r, double s, double *slope) {
    double sum = r + s;
    *slope = (((3 * s + 6 * r) * s + 4 * r * r) * s + 2 * r * r * r) / (2 * sum * sum);
    return ((((s + r) * s + r * r) * s + r * r * r) * s + r * r * r * r) / sum;
}

double ts_hertz_force(double a, double b, double *slope) {
    double force;
    *slope = 0;
    if (a <= 0 && b <= 0) return 0;
    if (a >= 0 && b >= 0) {
        force = 0.4 * within(sqrt(a), sqrt(b), slope);
        *slope *= 0.4;
    } else if (b > 0) {
        force = ts_hertz_energy(b) / (b - a);
        *slope = (b * sqrt(b) - force) / (b - a);
    } else {
        force = ts_hertz_energy(a) / (a - b);
        *slope = force / (a - b);
    }
    return force;
}
