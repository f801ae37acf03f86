/* SPDX-License-Identifier: Apache-2.0 */
/* Description of gravity, and a warning if its unit seems to be wrong.
 *
 * Bare numbers are in the model's units: with `length: mm`, gravity: [0, 0, -9.81] is a thousandth
 * of Earth's. A size outside 1 to 30 m/s^2 that is Earth's times a power of ten, within 2 %, gives
 * a warning. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reader/document.h"

static const double EARTH = 9.80665, LEAST = 1, MOST = 30, NEAR = 0.02; /* m/s^2; a ratio */

static const char *direction_of(v3 g, char *text, size_t size) {
    static const char *const axes[] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++)
        if (fabs(v3_get(g, k)) == v3_norm(g)) {
            snprintf(text, size, "%s%s", v3_get(g, k) < 0 ? "-" : "", axes[k]);
            return text;
        }
    v3 e = v3_normalize(g);
    snprintf(text, size, "[%.4g, %.4g, %.4g]", e.x, e.y, e.z);
    return text;
}

const char *ts_gravity_words(const ts_document *d, char *text, size_t size) {
    double g = v3_norm(d->model->gravity);
    char along[80], own[100] = "";
    if (g == 0) {
        snprintf(text, size, "none");
        return text;
    }
    if (d->bare.acceleration > 0 && d->bare.acceleration != 1)
        snprintf(own, sizeof own, " (%.6g %s/%s^2)", g / d->bare.acceleration, d->bare.name[0],
                 d->bare.name[2]);
    snprintf(text, size, "%.6g m/s^2%s along %s", g, own,
             direction_of(d->model->gravity, along, sizeof along));
    return text;
}

bool ts_gravity_doubt(const ts_document *d, char *text, size_t size) {
    double g = v3_norm(d->model->gravity), power = g > 0 ? rint(log10(g / EARTH)) : 0;
    if (!(g > 0) || (g >= LEAST && g <= MOST) || power == 0) return false;
    double factor = pow(10, fabs(power)), ratio = g / (EARTH * pow(10, power));
    if (!(fabs(ratio - 1) <= NEAR) || fabs(power) > 9) return false;
    snprintf(text, size,
             "gravity is %.6g m/s^2, Earth's %s %.0f: numbers without unit are in %s/%s^2 here; "
             "write the unit, `gravity: [0, 0, -9.81 m/s^2]`",
             g, power < 0 ? "divided by" : "times", factor, d->bare.name[0], d->bare.name[2]);
    return true;
}
