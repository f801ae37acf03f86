/* SPDX-License-Identifier: Apache-2.0 */
/* How a flexible side takes the couple of friction.
 *
 * Friction f acts on a point A that does not turn at its place P, and its opposite on the flexible
 * side B. B is touched at X, the sum of its points by the weights of the gap; X differs from P by
 * the radii and the gap. So B must take the couple M = (P - X) x (-f) as well; otherwise angular
 * momentum is not preserved. Three vectors l that turn with B take it: the directors of the nodes
 * of a beam, each node with its weight w; or the corners of the triangle that was nearest at the
 * start of the step, from their middle, w = 1. Over a step, l their means,
 *
 *     T c = sum of l x (change of l) ,   T = sum of (|l|^2 I - l l^T) ,
 *
 * and forces u x l with T u = w M have the moment w M, no resultant, and do the work w M . c. So B
 * moves at P by (change of X) + c x (P - X), c the sum of w c over the nodes; the work is that on
 * the slip. See also roll.c.
 *
 * A line without directors has only its segment, which cannot take a couple about its own axis:
 * there T = sum of |l|^2 I, which is equivalent for all other couples; the part of M along the
 * segment is neglected.
 */
#include "contact/roll.h"

/* ---- three vectors ---- */

v3 ts_crossed(m3 a, m3 b) {
    v3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++) sum = v3_add(sum, v3_cross(a.c[k], b.c[k]));
    return sum;
}

v3 ts_spread_times(bool line, m3 a, m3 b, v3 u) {
    v3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        sum = v3_axpy(v3_dot(a.c[k], b.c[k]), u, sum);
        if (line) continue;
        sum = v3_axpy(-0.5 * v3_dot(b.c[k], u), a.c[k], sum);
        sum = v3_axpy(-0.5 * v3_dot(a.c[k], u), b.c[k], sum);
    }
    return sum;
}

v3 ts_spread_solve(bool line, m3 d, v3 b) {
    m3 T = m3_cols(ts_spread_times(line, d, d, v3_axis(0)), ts_spread_times(line, d, d, v3_axis(1)),
                   ts_spread_times(line, d, d, v3_axis(2)));
    return m3_tapply(m3_invt(T), b);
}

bool ts_spread_flat(m3 d) {
    static const double THIN = 1e-6; /* least over largest moment of inertia */
    v3 normal = v3_cross(v3_sub(d.c[1], d.c[0]), v3_sub(d.c[2], d.c[0]));
    double size = 0;
    for (int k = 0; k < 3; k++) size += v3_dot(d.c[k], d.c[k]);
    return !(v3_dot(normal, normal) > THIN * size * size);
}

/* ---- over a step ---- */

static v3 turn_of(const ts_contact_step *x) {
    v3 sum = {0, 0, 0};
    for (int g = 0; g < x->levers; g++) sum = v3_axpy(x->lever[g].weight, x->lever[g].turn, sum);
    return sum;
}

static v3 place_of(const ts_carrier *side) { return v3_scale(0.5, v3_add(side->x[0], side->x[1])); }

v3 ts_lean_over(ts_contact_step *x, v3 at) {
    x->lean = v3_sub(at, place_of(&x->side[1]));
    for (int g = 0; g < x->levers; g++) {
        ts_lever *l = &x->lever[g];
        l->turn = ts_spread_solve(l->line, l->mean, ts_crossed(l->mean, l->change));
    }
    return v3_cross(turn_of(x), x->lean);
}

static v3 couple_of(const ts_contact_step *x) { return v3_cross(x->friction, x->lean); }

void ts_lean_press(ts_contact_step *x) {
    v3 M = couple_of(x);
    x->leans = x->levers > 0;
    for (int g = 0; g < x->levers; g++) {
        ts_lever *l = &x->lever[g];
        l->u = ts_spread_solve(l->line, l->mean, v3_scale(l->weight, M));
    }
}

/* ---- slopes ---- */

/* Change of a lever's weight with the weights of the gap's points. */
static double weight_moved(const ts_contact_step *x, const ts_lever *l, const double *weight) {
    double sum = 0;
    for (int k = 0; k < x->gap.points && l->node >= 0; k++) sum += l->of[k] * weight[k];
    return sum;
}

v3 ts_lean_moved(const ts_contact_step *x, const ts_contact_motion *by, const double *weight,
                 v3 lean) {
    double share = x->still ? 1 : 0.5;
    v3 turned = {0, 0, 0};
    for (int g = 0; g < x->levers; g++) {
        const ts_lever *l = &x->lever[g];
        m3 moved = m3_scale(share, by->lever[g]);
        v3 sum = v3_add(ts_crossed(moved, l->change), ts_crossed(l->mean, by->lever[g]));
        sum = v3_axpy(-2, ts_spread_times(l->line, moved, l->mean, l->turn), sum);
        turned = v3_axpy(l->weight, ts_spread_solve(l->line, l->mean, sum), turned);
        turned = v3_axpy(weight_moved(x, l, weight), l->turn, turned);
    }
    return v3_add(v3_cross(turned, x->lean), v3_cross(turn_of(x), lean));
}

void ts_lean_pressed(const ts_contact_step *x, const ts_contact_motion *by, const double *weight,
                     v3 lean, ts_contact_change *out) {
    double share = x->still ? 1 : 0.5;
    v3 M = couple_of(x), dM = v3_add(v3_cross(out->friction, x->lean), v3_cross(x->friction, lean));
    for (int g = 0; g < x->levers; g++) {
        const ts_lever *l = &x->lever[g];
        m3 moved = m3_scale(share, by->lever[g]);
        v3 rest = v3_axpy(weight_moved(x, l, weight), M, v3_scale(l->weight, dM));
        rest = v3_axpy(-2, ts_spread_times(l->line, moved, l->mean, l->u), rest);
        v3 du = ts_spread_solve(l->line, l->mean, rest);
        for (int k = 0; k < 3; k++)
            out->lever[g].c[k] = v3_add(v3_cross(du, l->mean.c[k]), v3_cross(l->u, moved.c[k]));
    }
}
