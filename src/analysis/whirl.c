/* Whirling of rotors: which way round a mode goes, and what an observer on the ground sees of it.
 *
 * Seen from the shaft, a point moves as Re (a + i b) e^(i w t). Of its circles about the axis n, those with the rotation and those
 * against it have the squared radii p and m with p - m = n.(b x a) and p + m = (|a|^2 + |b|^2)/2 of the parts across n. On an
 * isotropic rotor every mode is one kind of circles alone, and from the ground it has the frequency w + W, or W - w.
 */
#include <math.h>

#include "analysis/modal.h"

/* Adds the difference of both kinds and their sum, for the displacements or the rotations of a node. */
static void add_circles(v3 n, double weight, const double *a, const double *b, double *difference,
                        double *sum) {
    v3 re = v3_load(a), im = v3_load(b);
    *difference += weight * v3_dot(n, v3_cross(im, re));
    *sum += 0.5 * weight * (v3_dot(re, re) + v3_dot(im, im));
}

/* From 1, all with the rotation, to -1, all against it. */
static double direction(const ts_system *system, const ts_modes *modes, int mode) {
    double difference = 0, sum = 0;
    v3 n = v3_normalize(modes->spin);
    for (int k = 0; k < modes->nodes; k++) {
        const ts_node *node = &system->model->nodes[k];
        size_t at = ((size_t)mode * (size_t)modes->nodes + (size_t)k) * 6;
        const double *a = modes->shape + at, *b = modes->quarter + at;
        double turning = 0;
        for (int s = 1; s < node->slots; s++) turning += node->mass[s][s];
        add_circles(n, node->mass[0][0], a, b, &difference, &sum);
        add_circles(n, turning, a + 3, b + 3, &difference, &sum);
    }
    return sum > 0 ? difference / sum : 0;
}

ts_whirl ts_mode_whirl(const ts_system *system, const ts_modes *modes, int mode) {
    const double all = 0.999;
    ts_whirl out = {TS_NO_WHIRL, 0};
    double W = v3_norm(modes->spin), w = modes->mode[mode].frequency;
    if (W == 0 || !modes->quarter || modes->mode[mode].rigid) return out;
    double way = direction(system, modes, mode);
    if (fabs(way) < all) return out;
    double seen = way > 0 ? W + w : W - w;
    out.way = seen > 0 ? TS_FORWARD_WHIRL : TS_BACKWARD_WHIRL;
    out.frequency = fabs(seen);
    return out;
}
