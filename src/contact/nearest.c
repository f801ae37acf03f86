/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest points of two cores, by the method of Gilbert, Johnson and Keerthi.
 *
 * The differences w = a - b of points of two convex bodies are a convex body themselves, and its
 * point nearest to the origin is the shortest difference r. Its corners are differences of corners.
 * From a simplex of up to three of them with r as its nearest point, look for the corner that lies
 * furthest towards the origin, the least r.w; if none is nearer than r, r is the answer; else add
 * it, find the nearest point of the simplex of up to four, and drop corners with zero weight. Every
 * |r| is smaller than the one before and there are finitely many simplices, so the method ends; the
 * result is accurate to round-off because it is computed from the corners themselves. A round core
 * has a corner for every direction; there the result is only approximate, and round.c makes it
 * exact.
 *
 * E. G. Gilbert, D. W. Johnson and S. S. Keerthi, IEEE J. Robotics Autom. 4 (1988) 193; the nearest
 * point of a triangle: C. Ericson, Real-Time Collision Detection (2005), section 5.1.5.
 */
#include "contact/nearest.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A corner of a core: the number of its point; of a round one t and y. */
typedef struct on_round {
    double t;
    v3 y;
} on_round;
typedef struct corner {
    int point;
    on_round at;
} corner;

/* Corners of the simplex, w = a - b, and the weights of its nearest point. */
typedef struct simplex {
    int count;
    bool round; /* `at` counts */
    int point[4][2];
    v3 w[4];
    double weight[4];
    on_round at[4][2];
} simplex;

/* Copies a simplex without corners of zero weight. */
static void copy(simplex *to, const simplex *from) {
    memcpy(to, from, from->round ? sizeof *to : offsetof(simplex, at));
}

/* ---- the point of a simplex that is nearest to the origin ---- */

static v3 combined(int count, const v3 *w, const double *weight) {
    v3 r = v3_scale(weight[0], w[0]);
    for (int i = 1; i < count; i++) r = v3_axpy(weight[i], w[i], r);
    return r;
}

static void nearest_of_edge(v3 a, v3 b, double *weight) {
    v3 along = v3_sub(b, a);
    double t = -v3_dot(a, along), length = v3_dot(along, along);
    t = t <= 0 ? 0 : t >= length ? 1 : t / length;
    weight[0] = 1 - t, weight[1] = t;
}

/* Uses the edges one by one if a triangle has almost no area. */
static void nearest_of_edges(const v3 *w, double *weight) {
    double best = INFINITY;
    for (int k = 0; k < 3; k++) {
        double of[2];
        nearest_of_edge(w[k], w[(k + 1) % 3], of);
        v3 r = v3_axpy(of[0], w[k], v3_scale(of[1], w[(k + 1) % 3]));
        if (!(v3_dot(r, r) < best)) continue;
        best = v3_dot(r, r);
        weight[k] = of[0], weight[(k + 1) % 3] = of[1], weight[(k + 2) % 3] = 0;
    }
}

/* A triangle is flat if its area is round-off. */
static const double FLAT = 1e-14;

static void nearest_of_triangle(const v3 *w, double *weight) {
    v3 u = v3_sub(w[1], w[0]), v = v3_sub(w[2], w[0]), n = v3_cross(u, v);
    double area = v3_dot(n, n);
    /* weights of the foot of the origin: areas of the triangles that it makes with the edges */
    double of[3] = {v3_dot(n, v3_cross(w[1], w[2])), v3_dot(n, v3_cross(w[2], w[0])),
                    v3_dot(n, v3_cross(w[0], w[1]))};
    bool inside = of[0] > 0 && of[1] > 0 && of[2] > 0;
    if (!inside || area <= FLAT * v3_dot(u, u) * v3_dot(v, v)) {
        nearest_of_edges(w, weight);
        return;
    }
    double sum = of[0] + of[1] + of[2];
    for (int k = 0; k < 3; k++) weight[k] = of[k] / sum;
}

/* Inside a tetrahedron the weights are shares of its volume; otherwise the origin is nearest to a
 * face. */
static void nearest_of_tetrahedron(const v3 *w, double *weight) {
    double of[4], sum = 0, best = INFINITY;
    bool inside = true;
    for (int k = 0; k < 4; k++) {
        of[k] = v3_dot(w[(k + 1) % 4], v3_cross(w[(k + 2) % 4], w[(k + 3) % 4]));
        if (k % 2 == 0) of[k] = -of[k];
        sum += of[k];
    }
    for (int k = 0; k < 4; k++) weight[k] = of[k] / sum, inside &= weight[k] > 0;
    if (inside) return;
    for (int k = 0; k < 4; k++) {
        v3 face[3] = {w[(k + 1) % 4], w[(k + 2) % 4], w[(k + 3) % 4]};
        double on[3];
        nearest_of_triangle(face, on);
        v3 r = combined(3, face, on);
        if (!(v3_dot(r, r) < best)) continue;
        best = v3_dot(r, r);
        weight[k] = 0;
        for (int i = 0; i < 3; i++) weight[(k + 1 + i) % 4] = on[i];
    }
}

/* Computes weights of the nearest point; drops corners without weight. */
static v3 reduce(simplex *s) {
    if (s->count == 1) s->weight[0] = 1;
    if (s->count == 2) nearest_of_edge(s->w[0], s->w[1], s->weight);
    if (s->count == 3) nearest_of_triangle(s->w, s->weight);
    if (s->count == 4) nearest_of_tetrahedron(s->w, s->weight);
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        if (!(s->weight[i] > 0)) continue;
        if (kept < i) {
            memcpy(s->point[kept], s->point[i], sizeof s->point[i]);
            if (s->round) memcpy(s->at[kept], s->at[i], sizeof s->at[i]);
        }
        s->w[kept] = s->w[i], s->weight[kept] = s->weight[i];
        kept++;
    }
    s->count = kept;
    return combined(kept, s->w, s->weight);
}

/* ---- two convex cores ---- */

/* The corner of a round core that lies furthest along a direction; the term linear in t decides
 * over a barrel near its ends. */
static v3 furthest_of_round(const ts_core *core, v3 along, corner *out) {
    const v3 *e = core->point + core->rings;
    v3 pull = v3_make(v3_dot(e[0], along), v3_dot(e[1], along), v3_dot(e[2], along));
    double size = v3_norm(pull), t = 0;
    if (core->rings == 2) {
        double by = v3_dot(v3_sub(core->point[1], core->point[0]), along);
        double bulge = 8 * core->barrel * size;
        t = fabs(by) < 0.5 * bulge ? 0.5 + by / bulge : by > 0 ? 1 : 0;
    }
    out->at = (on_round){t, v3_scale(1 / size, pull)};
    v3 round = m3_apply(m3_cols(e[0], e[1], e[2]), out->at.y), centre = core->point[0];
    if (core->rings == 2) centre = v3_axpy(t, v3_sub(core->point[1], centre), centre);
    return v3_axpy(ts_barrel(core, t), round, centre);
}

/* The corner that lies furthest along a direction, and its place. */
static v3 furthest(const ts_core *core, v3 along, corner *out) {
    if (core->rings) return furthest_of_round(core, along, out);
    double most = v3_dot(core->point[0], along);
    out->point = 0;
    for (int i = 1; i < core->points; i++) {
        double x = v3_dot(core->point[i], along);
        if (x > most) most = x, out->point = i;
    }
    return core->point[out->point];
}

static bool has_corner(const simplex *s, const corner x[2]) {
    for (int i = 0; i < s->count; i++)
        if (s->point[i][0] == x[0].point && s->point[i][1] == x[1].point) return true;
    return false;
}

static void add_corner(simplex *s, const corner x[2], v3 w) {
    int i = s->count++;
    s->w[i] = w;
    for (int side = 0; side < 2; side++) {
        s->point[i][side] = x[side].point;
        if (s->round) s->at[i][side] = x[side].at;
    }
}

/* For round cores the corners converge only gradually: accuracy and number of steps that are enough
 * for a start. */
static const double NEARLY = 1e-4;
enum { MOST = 40 };

static v3 search(const ts_core *A, const ts_core *B, simplex *s) {
    bool round = A->rings || B->rings;
    simplex last;
    corner x[2] = {{0}, {0}};
    s->count = 0, s->round = round;
    v3 w = v3_sub(A->point[0], B->point[0]); /* for hulls, any corner will do */
    if (round) {
        v3 along = v3_dot(w, w) > 0 ? w : v3_axis(0);
        w = v3_sub(furthest(A, v3_scale(-1, along), &x[0]), furthest(B, along, &x[1]));
    }
    add_corner(s, x, w);
    v3 r = reduce(s);
    for (int i = 0; s->count < 4 && v3_dot(r, r) > 0 && !(round && i >= MOST); i++) {
        w = v3_sub(furthest(A, v3_scale(-1, r), &x[0]), furthest(B, r, &x[1]));
        if (round ? v3_dot(r, v3_sub(r, w)) <= NEARLY * v3_dot(r, r) : has_corner(s, x)) break;
        copy(&last, s);
        add_corner(s, x, w);
        v3 closer = reduce(s);
        if (!(v3_dot(closer, closer) < v3_dot(r, r))) { /* round-off: no further reduction */
            copy(s, &last);
            break;
        }
        r = closer;
    }
    return r;
}

/* The number of a point in a mixture, where it may be new. */
static int place_in(ts_mixture *m, int point) {
    for (int k = 0; k < m->count; k++)
        if (m->point[k] == point) return k;
    m->point[m->count] = point, m->weight[m->count] = 0;
    return m->count++;
}

static const double ROUNDING = 1e-14;

/* All centres, and y with the length 1. */
static void mix_round(const simplex *s, int side, const ts_core *core, ts_mixture *out) {
    v3 y = {0, 0, 0};
    double t = 0;
    out->count = core->rings + 3;
    for (int k = 0; k < out->count; k++) out->point[k] = k;
    for (int i = 0; i < s->count; i++) {
        t += s->weight[i] * s->at[i][side].t;
        y = v3_axpy(s->weight[i], s->at[i][side].y, y);
    }
    t = t < ROUNDING ? 0 : t > 1 - ROUNDING ? 1 : t;
    y = v3_dot(y, y) > 0 ? v3_normalize(y) : v3_axis(0);
    out->weight[0] = 1;
    if (core->rings == 2) out->weight[0] = 1 - t, out->weight[1] = t;
    v3_store(out->weight + core->rings, v3_scale(ts_barrel(core, t), y));
}

/* Weights of points on both sides; ways: from the first corner of the simplex to each other. */
static void mix(const simplex *s, const ts_core *core[2], ts_nearest *out) {
    out->ways = s->count - 1, out->side[0].count = out->side[1].count = 0;
    for (int side = 0; side < 2; side++) {
        ts_mixture *m = &out->side[side];
        int at[4];
        if (core[side]->rings) {
            mix_round(s, side, core[side], m);
            continue;
        }
        for (int i = 0; i < s->count; i++) {
            at[i] = place_in(m, s->point[i][side]);
            m->weight[at[i]] += s->weight[i];
        }
        for (int k = 0; k < out->ways; k++) {
            memset(out->way[k][side], 0, sizeof out->way[k][side]);
            out->way[k][side][at[k + 1]] += 1, out->way[k][side][at[0]] -= 1;
            out->bend[k] = 0;
        }
    }
}

static ts_nearest nearest_of_cores(const ts_core *A, const ts_core *B) {
    ts_nearest out;
    simplex s;
    out.r = search(A, B, &s);
    mix(&s, (const ts_core *[]){A, B}, &out);
    if (s.count == 4)
        out.r = v3_make(0, 0, 0);
    else if (A->rings || B->rings)
        ts_nearest_round(A, B, &out);
    return out;
}

/* ---- patches ---- */

ts_nearest ts_nearest_points(const ts_core *A, const ts_core *B) {
    if (!B->triangles) return nearest_of_cores(A, B);
    ts_nearest best = {.r = {INFINITY, 0, 0}};
    for (int t = 0; t < B->triangles; t++) {
        const int *of = B->triangle[t];
        v3 face[3] = {B->point[of[0]], B->point[of[1]], B->point[of[2]]};
        ts_core triangle = {.points = 3, .point = face};
        ts_nearest x = nearest_of_cores(A, &triangle);
        if (!ts_is_nearer(v3_dot(x.r, x.r), v3_dot(best.r, best.r))) continue;
        best = x;
        for (int i = 0; i < x.side[1].count; i++) best.side[1].point[i] = of[x.side[1].point[i]];
    }
    return best;
}
