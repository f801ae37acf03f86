/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest points of two cores, one of which is round: a cylinder, a disc.
 *
 * A round core is the set of points (1 - t) c0 + t c1 + E y, 0 <= t <= 1, |y| <= 1, E the three
 * semi-axes of an ellipsoid: those of a circle, and a small one along its axis. So a point of it is
 * a sum of weights times points and vectors of its body, as that of a hull of corners is, and the
 * envelope formula (envelope.c) needs nothing else. With the small semi-axis it is strictly convex
 * but for the line along its side: a disc that lies flat has one nearest point, which moves towards
 * its rim as the disc tilts. Over a patch of triangles a cylinder is also made a barrel, (1 - t) c0
 * + t c1 + b(t) E y, b = 1 - beta (2 t - 1)^2: its circles carry the load at its ends.
 *
 * Half of r^2, r = a - b, is a convex function of the weights. From a point nearby (nearest.c),
 * Newton's method is applied to the variables that are not at a bound: t, two directions tau of the
 * unit sphere at y, and the weights of up to three corners of the other core,
 *
 *     H d = -u.r ,     H_kl = u_k.u_l + mu_k delta_kl ,     u_k = derivative of r ,
 *
 * where mu = b |E^T r| for tau, the curvature of the sphere, and 8 beta |E^T r| for t. Steps end
 * where a weight reaches its bound. Then the corners of a core with faces are searched again, with
 * the other point held, which never increases r; this is repeated until nothing changes.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "contact/nearest.h"

typedef struct problem {
    const ts_core *core[2];
    ts_nearest *x;
} problem;

/* ---- linear equations ---- */

/* A pivot below this share of its diagonal is treated as zero (parallel edges). */
static const double FLAT = 1e-12;

void ts_solve_ways(int n, double H[TS_MOST_WAYS][TS_MOST_WAYS], double f[TS_MOST_WAYS]) {
    bool used[TS_MOST_WAYS];
    for (int k = 0; k < n; k++) {
        double whole = H[k][k];
        for (int j = 0; j < k; j++) {
            if (!used[j]) continue;
            for (int i = 0; i < j; i++)
                if (used[i]) H[k][j] -= H[k][i] * H[j][i] * H[i][i];
            H[k][j] /= H[j][j];
        }
        for (int j = 0; j < k; j++)
            if (used[j]) H[k][k] -= H[k][j] * H[k][j] * H[j][j];
        used[k] = H[k][k] > FLAT * whole;
        for (int j = 0; j < k; j++)
            if (used[j]) f[k] -= H[k][j] * f[j];
    }
    for (int k = n - 1; k >= 0; k--) {
        f[k] = used[k] ? f[k] / H[k][k] : 0;
        for (int j = k + 1; j < n; j++)
            if (used[k] && used[j]) f[k] -= H[j][k] * f[j];
    }
}

/* ---- points and ways ---- */

static v3 mixed(const ts_core *core, const ts_mixture *m, const double *weight) {
    v3 sum = {0, 0, 0};
    for (int k = 0; k < m->count; k++) sum = v3_axpy(weight[k], core->point[m->point[k]], sum);
    return sum;
}

static v3 place_of(const problem *p, int side) {
    return mixed(p->core[side], &p->x->side[side], p->x->side[side].weight);
}

static v3 apart(const problem *p) { return v3_sub(place_of(p, 0), place_of(p, 1)); }

static double *new_way(ts_nearest *x, int side, double bend) {
    int k = x->ways++;
    memset(x->way[k], 0, sizeof x->way[k]);
    x->bend[k] = bend;
    return x->way[k][side];
}

/* -E^T r for A, E^T r for B: y is along it where r is shortest. */
static v3 pull_on(const problem *p, int side) {
    const v3 *e = p->core[side]->point + p->core[side]->rings;
    v3 along = v3_make(v3_dot(e[0], p->x->r), v3_dot(e[1], p->x->r), v3_dot(e[2], p->x->r));
    return v3_scale(side ? 1 : -1, along);
}

static double barrel_slope(const ts_core *core, double t) {
    return -4 * core->barrel * (2 * t - 1);
}

static void add_ways(problem *p, int side) {
    const ts_core *core = p->core[side];
    ts_mixture *m = &p->x->side[side];
    if (!core->rings) {
        for (int k = 1; k < m->count; k++) {
            double *way = new_way(p->x, side, 0);
            way[0] = -1, way[k] = 1;
        }
        return;
    }
    int n = core->rings;
    v3 y = v3_normalize(v3_load(m->weight + n));
    double pull = fmax(v3_dot(pull_on(p, side), y), 0), t = n == 2 ? m->weight[1] : 0;
    double barrel = ts_barrel(core, t);
    if (n == 2 && m->weight[0] > 0 && m->weight[1] > 0) {
        double *way = new_way(p->x, side, 8 * core->barrel * pull);
        way[0] = -1, way[1] = 1;
        v3_store(way + n, v3_scale(barrel_slope(core, t), y));
    }
    double most = fmax(fabs(y.x), fmax(fabs(y.y), fabs(y.z)));
    int axis = most == fabs(y.x) ? 1 : most == fabs(y.y) ? 2 : 0;
    v3 first = v3_normalize(v3_cross(y, v3_axis(axis)));
    v3_store(new_way(p->x, side, barrel * pull) + n, v3_scale(barrel, first));
    v3_store(new_way(p->x, side, barrel * pull) + n, v3_scale(barrel, v3_cross(y, first)));
}

static void set_ways(problem *p) {
    p->x->r = apart(p), p->x->ways = 0;
    add_ways(p, 0), add_ways(p, 1);
}

/* ---- a step ---- */

/* Returns by how much r^2 falls. */
static double find_step(const problem *p, double d[TS_MOST_WAYS]) {
    const ts_nearest *x = p->x;
    double H[TS_MOST_WAYS][TS_MOST_WAYS], f[TS_MOST_WAYS], falls = 0;
    v3 u[TS_MOST_WAYS];
    for (int k = 0; k < x->ways; k++) {
        u[k] = v3_sub(mixed(p->core[0], &x->side[0], x->way[k][0]),
                      mixed(p->core[1], &x->side[1], x->way[k][1]));
        f[k] = d[k] = -v3_dot(u[k], x->r);
        for (int j = 0; j <= k; j++) H[k][j] = v3_dot(u[k], u[j]);
        H[k][k] += x->bend[k];
    }
    ts_solve_ways(x->ways, H, d);
    for (int k = 0; k < x->ways; k++) falls += f[k] * d[k];
    return falls;
}

/* Weights that have bounds: all weights of a core with corners, and those of centres. */
static int bounded(const ts_core *core, const ts_mixture *m) {
    return core->rings ? core->rings : m->count;
}

static double change_of(const ts_nearest *x, const double *d, int side, int k) {
    double sum = 0;
    for (int i = 0; i < x->ways; i++) sum += d[i] * x->way[i][side][k];
    return sum;
}

/* The largest share of the step that keeps weights above zero; -1 in `at`: all of it. */
static double longest(const problem *p, const double *d, int at[2]) {
    double share = 1;
    at[0] = at[1] = -1;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < bounded(p->core[side], &p->x->side[side]); k++) {
            double w = p->x->side[side].weight[k], by = change_of(p->x, d, side, k);
            if (w > 0 && w + share * by < 0) share = -w / by, at[0] = side, at[1] = k;
        }
    return share;
}

static void leave_out(ts_mixture *m, int k) {
    m->count--;
    for (int i = k; i < m->count; i++)
        m->point[i] = m->point[i + 1], m->weight[i] = m->weight[i + 1];
}

/* The step of y goes along a tangent; the length that y has then follows from t. */
static void round_off(const ts_core *core, ts_mixture *m) {
    int n = core->rings;
    v3 y = v3_normalize(v3_load(m->weight + n));
    v3_store(m->weight + n, v3_scale(ts_barrel(core, n == 2 ? m->weight[1] : 0), y));
}

static void go(const problem *p, const double *d, double share, const int at[2], ts_nearest *out) {
    *out = *p->x;
    for (int side = 0; side < 2; side++) {
        ts_mixture *m = &out->side[side];
        bool round = p->core[side]->rings > 0, bound = at[0] == side;
        for (int k = 0; k < m->count; k++) m->weight[k] += share * change_of(p->x, d, side, k);
        if (bound) m->weight[at[1]] = 0;
        if (bound && round) m->weight[1 - at[1]] = 1;
        if (round) round_off(p->core[side], m);
        if (bound && !round) leave_out(m, at[1]);
    }
}

/* Where r^2 falls by less than this share, Newton's method continues without checking r^2, because
 * its differences are round-off. Below the second value one more step is enough. */
static const double SURE = 1e-10, LAST = 1e-14, SAME = 1e-15;

/* False: the distance cannot be reduced further. */
static bool newton(problem *p) {
    enum { HALVINGS = 8 };
    double d[TS_MOST_WAYS], before = v3_dot(p->x->r, p->x->r), falls = find_step(p, d);
    int at[2], all[2] = {-1, -1};
    double share = longest(p, d, at);
    for (int i = 0; i < HALVINGS; i++, share *= 0.5) {
        ts_nearest there, *here = p->x;
        go(p, d, share, i ? all : at, &there);
        p->x = &there, set_ways(p), p->x = here;
        bool bound = i == 0 && at[0] >= 0; /* also if it was at its bound up to rounding */
        double most = bound ? (1 + LAST) * before : before;
        if (!(falls < SURE * before || v3_dot(there.r, there.r) < most)) continue;
        *here = there;
        return falls > LAST * before || share < 1;
    }
    return false;
}

/* ---- other corners ---- */

/* Searches the corners next to the point of the other side again. */
static void look_again(problem *p, int side) {
    v3 other = place_of(p, 1 - side);
    ts_core point = {.points = 1, .point = &other};
    ts_nearest n = ts_nearest_points(&point, p->core[side]);
    p->x->side[side] = n.side[1];
}

/* Frees t at the end of a cylinder where moving along its side reduces the distance. */
static void set_free(problem *p, int side) {
    const ts_core *core = p->core[side];
    ts_mixture *m = &p->x->side[side];
    double *w = m->weight;
    if (core->rings < 2 || (w[0] > 0 && w[1] > 0)) return;
    v3 u = v3_sub(core->point[1], core->point[0]), y = v3_normalize(v3_load(w + 2));
    double along = (side ? -1 : 1) * v3_dot(p->x->r, u), pull = v3_dot(pull_on(p, side), y);
    along -= barrel_slope(core, w[1]) * pull; /* derivative of half of r^2 by t */
    if (w[1] > 0 ? along <= 0 : along >= 0) return;
    double share = fmin(fabs(along) / (v3_dot(u, u) + 8 * core->barrel * pull), 0.5);
    w[0] += w[1] > 0 ? share : -share, w[1] = 1 - w[0];
    round_off(core, m);
}

static void widen(problem *p) {
    for (int side = 0; side < 2; side++) {
        if (p->core[side]->rings)
            set_free(p, side);
        else if (p->core[side]->points > 1)
            look_again(p, side);
        p->x->r = apart(p);
    }
    set_ways(p);
}

void ts_nearest_round(const ts_core *A, const ts_core *B, ts_nearest *x) {
    enum { TURNS = 20, STEPS = 20 };
    problem p = {{A, B}, x};
    set_ways(&p);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < STEPS && newton(&p); i++) continue;
        ts_nearest before = *x;
        widen(&p);
        if (v3_dot(x->r, x->r) < (1 - SAME) * v3_dot(before.r, before.r)) continue;
        *x = before;
        return;
    }
}
