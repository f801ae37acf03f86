/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest points of two cores, by the method of Gilbert, Johnson and Keerthi.
 *
 * The differences w = a - b of points of two convex bodies are a convex body themselves, and its
 * point nearest to the origin is the shortest difference r. Its corners are differences of corners.
 * From a simplex of up to three of them with r as its nearest point, look for the corner that lies
 * furthest towards the origin, the least r.w; if none is nearer than r, r is the answer; else take
 * it in, find the nearest point of the simplex of up to four, and leave out corners that have no
 * part in it. Every |r| is smaller than the one before and there are finitely many simplices, so
 * that it ends; with the corners themselves, the answer is as exact as rounding lets it be.
 *
 * E. G. Gilbert, D. W. Johnson and S. S. Keerthi, IEEE J. Robotics Autom. 4 (1988) 193; the nearest
 * point of a triangle: C. Ericson, Real-Time Collision Detection (2005), section 5.1.5.
 */
#include "contact/nearest.h"

#include <stdbool.h>

/* Corners of the simplex, w = A[a] - B[b], and the weights of its nearest point. */
typedef struct simplex {
    int count;
    int a[4], b[4];
    v3 w[4];
    double weight[4];
} simplex;

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

/* Edge by edge, where a triangle has hardly any area. */
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

/* A triangle is flat if its area is that of rounding. */
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

/* Inside a tetrahedron the weights are shares of its volume; else the origin is nearest to a
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

/* Weights of the nearest point; corners without one are left out. */
static v3 reduce(simplex *s) {
    if (s->count == 1) s->weight[0] = 1;
    if (s->count == 2) nearest_of_edge(s->w[0], s->w[1], s->weight);
    if (s->count == 3) nearest_of_triangle(s->w, s->weight);
    if (s->count == 4) nearest_of_tetrahedron(s->w, s->weight);
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        if (!(s->weight[i] > 0)) continue;
        s->a[kept] = s->a[i], s->b[kept] = s->b[i];
        s->w[kept] = s->w[i], s->weight[kept] = s->weight[i];
        kept++;
    }
    s->count = kept;
    return combined(kept, s->w, s->weight);
}

/* ---- two convex cores ---- */

/* The corner that lies furthest along a direction. */
static int furthest(int points, const v3 *point, v3 along) {
    int best = 0;
    double most = v3_dot(point[0], along);
    for (int i = 1; i < points; i++) {
        double x = v3_dot(point[i], along);
        if (x > most) most = x, best = i;
    }
    return best;
}

static void add_corner(simplex *s, const v3 *A, const v3 *B, int a, int b) {
    int i = s->count++;
    s->a[i] = a, s->b[i] = b, s->w[i] = v3_sub(A[a], B[b]);
}

static bool has_corner(const simplex *s, int a, int b) {
    for (int i = 0; i < s->count; i++)
        if (s->a[i] == a && s->b[i] == b) return true;
    return false;
}

static ts_nearest nearest_of_hulls(int points_a, const v3 *A, int points_b, const v3 *B) {
    simplex s = {0}, last;
    add_corner(&s, A, B, 0, 0);
    v3 r = reduce(&s);
    while (s.count < 4 && v3_dot(r, r) > 0) {
        int a = furthest(points_a, A, v3_scale(-1, r)), b = furthest(points_b, B, r);
        if (has_corner(&s, a, b)) break;
        last = s;
        add_corner(&s, A, B, a, b);
        v3 closer = reduce(&s);
        if (!(v3_dot(closer, closer) < v3_dot(r, r))) { /* rounding: it was as near as it gets */
            s = last;
            break;
        }
        r = closer;
    }
    ts_nearest out = {.count = s.count, .r = s.count < 4 ? r : v3_make(0, 0, 0)};
    for (int i = 0; i < s.count; i++)
        out.a[i] = s.a[i], out.b[i] = s.b[i], out.weight[i] = s.weight[i];
    return out;
}

/* ---- patches ---- */

ts_nearest ts_nearest_points(const ts_core *A, const ts_core *B) {
    if (!B->triangles) return nearest_of_hulls(A->points, A->point, B->points, B->point);
    ts_nearest best = {.r = {INFINITY, 0, 0}};
    for (int t = 0; t < B->triangles; t++) {
        const int *corner = B->triangle[t];
        v3 face[3] = {B->point[corner[0]], B->point[corner[1]], B->point[corner[2]]};
        ts_nearest x = nearest_of_hulls(A->points, A->point, 3, face);
        if (!(v3_dot(x.r, x.r) < v3_dot(best.r, best.r))) continue;
        best = x;
        for (int i = 0; i < x.count; i++) best.b[i] = corner[x.b[i]];
    }
    return best;
}
