/* SPDX-License-Identifier: Apache-2.0 */
/* Resistance against rolling and spinning: a couple between two bodies that touch.
 *
 * Over a step a body turns by c, the Cayley vector that makes its directors move by c x d, d their
 * means. In terms of any directors,
 *
 *     T c = sum of d x (change of d) ,     T = sum of (|d|^2 I - d d^T) ,
 *
 * and forces u x d on the directors, T u = M, have the moment M, no resultant, and do the work M .
 * c exactly. The pair slips by the angle c_A - c_B; the component across the normal is rolling, the
 * one along it spinning. Each has a bristle (laws/bristle.c), as strong as a length times the
 * normal force of the same step. Both have one stiffness, so that the energy of the deflection,
 * kept in the frame of B, does not depend on how the normal divides it.
 */
#include "contact/roll.h"

#include <math.h>

static v3 across(v3 n, v3 a) { return v3_axpy(-v3_dot(n, a), n, a); }
static m3 mean_frame(const ts_carrier *s) { return m3_scale(0.5, m3_add(s->D[0], s->D[1])); }

static double along(v3 n, v3 a) { return v3_dot(n, a); }

/* n n^T a as n changes by dn. */
static v3 along_moved(v3 n, v3 dn, v3 a) {
    return v3_axpy(v3_dot(n, a), dn, v3_scale(v3_dot(dn, a), n));
}

static v3 turn_of(const ts_carrier *s) {
    m3 d = mean_frame(s);
    return ts_spread_solve(false, d, ts_crossed(d, m3_sub(s->D[1], s->D[0])));
}

/* Derivative of c as directors at the end move by D, of which `share` enters their means. */
static v3 turn_moved(const ts_carrier *s, m3 D, double share, v3 c) {
    m3 d = mean_frame(s), moved = m3_scale(share, D);
    v3 sum = v3_add(ts_crossed(moved, m3_sub(s->D[1], s->D[0])), ts_crossed(d, D));
    return ts_spread_solve(false, d, v3_axpy(-2, ts_spread_times(false, moved, d, c), sum));
}

static bool resists(const ts_contact_step *x) {
    v3 z = x->before.turn;
    return x->law->twist > 0 && x->side[0].turns && x->side[1].turns &&
           (x->normal < 0 || v3_dot(z, z) > 0);
}

/* Turns z into space, with its length preserved. */
static v3 turn_bristle(const ts_contact_step *x, v3 *whole) {
    *whole = m3_apply(mean_frame(&x->side[1]), x->before.turn);
    double left = v3_norm(*whole);
    return left > 0 ? v3_scale(v3_norm(x->before.turn) / left, *whole) : *whole;
}

static v3 keep_bristle(const ts_contact_step *x, v3 z) {
    v3 kept = m3_tapply(m3_invt(mean_frame(&x->side[1])), z);
    double size = v3_norm(kept);
    return size > 0 ? v3_scale(v3_norm(z) / size, kept) : kept;
}

static ts_bristle bristle_of(const ts_contact_step *x, double length, int n) {
    ts_bristle b = {.n = n, .stiffness = x->law->twist, .damping = 1, .at_end = x->still};
    b.strength = b.sliding = -length * x->normal;
    b.changes[0] = b.changes[1] = length;
    return b;
}

void ts_roll_over(ts_contact_step *x) {
    v3 n = x->gap.normal, whole, none = {0, 0, 0};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++) x->twist[s].c[k] = none;
    if (!resists(x)) return;
    v3 c = v3_sub(turn_of(&x->side[0]), turn_of(&x->side[1])), z = turn_bristle(x, &whole);
    ts_bristle roll = bristle_of(x, x->law->rolling, 3), spin = bristle_of(x, x->law->spinning, 1);
    v3_store(roll.z, across(n, z)), v3_store(roll.slip, across(n, c));
    spin.z[0] = along(n, z), spin.slip[0] = along(n, c);
    x->roll = ts_bristle_over(&roll), x->spin = ts_bristle_over(&spin);
    v3 couple = v3_axpy(x->spin.force[0], n, v3_load(x->roll.force));
    for (int s = 0; s < 2; s++) {
        m3 d = mean_frame(&x->side[s]);
        v3 u = ts_spread_solve(false, d, v3_scale(s ? -1 : 1, couple));
        for (int k = 0; k < 3; k++) x->twist[s].c[k] = v3_cross(u, d.c[k]);
    }
    x->rubbed += x->roll.dissipated + x->spin.dissipated;
    x->after.turn = keep_bristle(x, v3_axpy(x->spin.z[0], n, v3_load(x->roll.z)));
}

static v3 times(const double *A, v3 a) {
    return v3_make(A[0] * a.x + A[1] * a.y + A[2] * a.z, A[3] * a.x + A[4] * a.y + A[5] * a.z,
                   A[6] * a.x + A[7] * a.y + A[8] * a.z);
}

/* The change of z in space as its side moves. */
static v3 bristle_moved(const ts_contact_step *x, v3 whole, const ts_contact_motion *by,
                        double share) {
    double left = v3_norm(whole);
    if (!(left > 0)) return v3_make(0, 0, 0);
    v3 moved = v3_scale(share, m3_apply(by->D[1], x->before.turn));
    return v3_scale(v3_norm(x->before.turn) / left, across(v3_scale(1 / left, whole), moved));
}

/* Change of the rolling couple with the motion of the sides. */
static v3 couple_moved(const ts_contact_step *x, const ts_contact_motion *by, v3 dn, double df,
                       double share) {
    v3 n = x->gap.normal, whole, z = turn_bristle(x, &whole), c[2], dc[2];
    for (int s = 0; s < 2; s++) {
        c[s] = turn_of(&x->side[s]);
        dc[s] = turn_moved(&x->side[s], by->D[s], share, c[s]);
    }
    v3 slip = v3_sub(c[0], c[1]), dslip = v3_sub(dc[0], dc[1]);
    v3 dz = bristle_moved(x, whole, by, share);
    v3 rolls = v3_sub(across(n, dslip), along_moved(n, dn, slip));
    v3 bends = v3_sub(across(n, dz), along_moved(n, dn, z));
    v3 out = v3_add(times(x->roll.by_slip, rolls), times(x->roll.by_z, bends));
    out = v3_axpy(-df, v3_load(x->roll.by_strength), out);
    double spins = along(n, dslip) + along(dn, slip), twists = along(n, dz) + along(dn, z);
    double force =
        x->spin.by_slip[0] * spins + x->spin.by_z[0] * twists - df * x->spin.by_strength[0];
    return v3_axpy(force, n, v3_axpy(x->spin.force[0], dn, out));
}

void ts_roll_moved(const ts_contact_step *x, const ts_contact_motion *by, v3 dn, double df,
                   ts_contact_change *out) {
    double share = x->still ? 1 : 0.5;
    v3 none = {0, 0, 0};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++) out->twist[s].c[k] = none;
    if (!resists(x)) return;
    v3 couple = v3_axpy(x->spin.force[0], x->gap.normal, v3_load(x->roll.force));
    v3 change = couple_moved(x, by, dn, df, share);
    for (int s = 0; s < 2; s++) {
        m3 d = mean_frame(&x->side[s]), moved = m3_scale(share, by->D[s]);
        double sign = s ? -1 : 1;
        v3 u = ts_spread_solve(false, d, v3_scale(sign, couple));
        v3 rest = v3_axpy(-2, ts_spread_times(false, moved, d, u), v3_scale(sign, change));
        v3 du = ts_spread_solve(false, d, rest);
        for (int k = 0; k < 3; k++)
            out->twist[s].c[k] = v3_add(v3_cross(du, d.c[k]), v3_cross(u, moved.c[k]));
    }
}
