/* SPDX-License-Identifier: Apache-2.0 */
/* Internal forces and strains at any place along a beam, from those of its Gauss points.
 *
 * An element of p + 1 nodes has p Gauss points; there, its strains and forces are most accurate
 * (for a statically determinate straight beam, forces are exact). The polynomial through them gives
 * any other place of the element: forces and strains to O(h^p), exactly where they vary no faster
 * than x^(p-1), such as the bending moment of a transverse load at a node (p >= 2).
 *
 * One point per element, p = 1, would leave steps of O(h). Here the line through the points of the
 * two nearest elements raises the order to O(h^2), at the price of spreading a jump at a node (a
 * load, a joint) over one element. Elements of higher order keep jumps at nodes.
 *
 * Forces and strains are interpolated separately: where the section varies, forces are smoother
 * than strains (they are in equilibrium with the loads, whatever the section). At Gauss points, and
 * everywhere in a uniform beam, force is stiffness times strain.
 */
#include "system/beam_place.h"

#include <math.h>
#include <string.h>

#include "model/refine.h"

/* Its stations are the Gauss points, element by element, equally many in each and symmetric about
 * its middle. */
static int points_of(const ts_model *model, const ts_part *part) {
    return part->stations > 0 && model->stations[part->station].kind == TS_STATION_LINE
               ? model->sites[part->site].nodes - 1
               : 0;
}

/* Refined elements of order 3 are not of one length, but those in the place of one element are
 * symmetric about its middle: see refine.h. */
static int group_of(const ts_part *part) { return part->stride > 2 ? part->stride : 1; }

static double group_length(const ts_model *model, const ts_part *part, int points) {
    int last = points * group_of(part) - 1;
    return model->stations[part->station].arc + model->stations[part->station + last].arc;
}

double ts_beam_length(const ts_model *model, int p) {
    const ts_part *part = &model->parts[p];
    int points = points_of(model, part);
    return points ? part->stations / (points * group_of(part)) * group_length(model, part, points)
                  : 0;
}

/* Lagrange's weights at `arc` of `count` stations from `first` on. */
static void interpolate(const ts_model *model, int first, int count, ts_beam_place *out) {
    const ts_station *x = model->stations + first;
    out->stations = count;
    for (int a = 0; a < count; a++) {
        double weight = 1;
        for (int b = 0; b < count; b++)
            if (b != a) weight *= (out->arc - x[b].arc) / (x[a].arc - x[b].arc);
        out->station[a] = first + a, out->weight[a] = weight;
    }
}

static int within(double x, int most) { return x < 0 ? 0 : x > most ? most : (int)x; }

ts_beam_place ts_beam_place_at(const ts_model *model, int p, double arc) {
    const ts_part *part = &model->parts[p];
    int points = points_of(model, part), elements = part->stations / points;
    double x = ts_divided_elements(group_of(part), arc / group_length(model, part, points));
    ts_beam_place out = {.part = p, .arc = arc};
    if (points == 1 && elements > 1)
        interpolate(model, part->station + within(floor(x - 0.5), elements - 2), 2, &out);
    else /* at a node: of the element that begins there, round-off of the place aside */
        interpolate(model, part->station + points * within(floor(x + 1e-9), elements - 1), points,
                    &out);
    return out;
}

void ts_beam_place_section(const ts_system *system, const ts_instant *at,
                           const ts_beam_place *place, double strain[6], double force[6]) {
    memset(strain, 0, 6 * sizeof *strain);
    memset(force, 0, 6 * sizeof *force);
    for (int a = 0; a < place->stations; a++) {
        double e[6], f[6], w = place->weight[a];
        ts_station_section(system, at, place->station[a], e, f);
        for (int k = 0; k < 6; k++) strain[k] += w * e[k], force[k] += w * f[k];
    }
}
