/* SPDX-License-Identifier: Apache-2.0 */
/* The convex hull of a few points, by examining all triples of them.
 *
 * Three points that have all others on one side of their plane, or in it, belong to a face. The
 * points in that plane are its corners, and two of them are an edge if all others lie to the left
 * of the line through them, or between them. Of the triples of a face, the first in order is taken.
 * This takes n^4 comparisons at worst, which a hundred points allow, and knows no special cases:
 * faces may have any number of corners, points may lie inside, on faces and on edges.
 *
 * From many points, the corners are chosen one by one: the next is the point furthest outside the
 * hull of those chosen before, by the distance of a point from a core (nearest.c); points inside
 * are dropped.
 *
 * Volumes are sums over the tetrahedra between a corner, a face and its edges. A tetrahedron with
 * corners p_0...p_3 of volume V has the second moments V/20 (sum p p^T + (sum p)(sum p)^T).
 */
#include "contact/hull.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "contact/nearest.h"

static const double FLAT = 1e-9; /* of the size: a point nearer to a plane lies in it */

typedef struct cloud {
    int points;
    const v3 *point;
    double size;
} cloud;

/* A face: a point of it and the unit normal, outwards. */
typedef struct face {
    v3 at, normal;
} face;

static double height(const cloud *c, const face *f, int k) {
    return v3_dot(f->normal, v3_sub(c->point[k], f->at));
}

static bool is_in(const cloud *c, const face *f, int k) {
    return fabs(height(c, f, k)) <= FLAT * c->size;
}

/* Do three points span a plane? */
static bool span(const cloud *c, int i, int j, int k, v3 *normal) {
    v3 a = v3_sub(c->point[j], c->point[i]), b = v3_sub(c->point[k], c->point[i]);
    v3 n = v3_cross(a, b);
    double longest = fmax(v3_norm(a), v3_norm(b));
    if (!(v3_norm(n) > FLAT * c->size * longest)) return false;
    *normal = v3_normalize(n);
    return true;
}

/* Is this the first triple of a face of the hull? */
static bool find_face(const cloud *c, int i, int j, int k, face *f) {
    v3 unused;
    int above = 0, below = 0;
    f->at = c->point[i];
    if (!span(c, i, j, k, &f->normal)) return false;
    for (int m = 0; m < c->points; m++) {
        double h = height(c, f, m);
        above += h > FLAT * c->size, below += h < -FLAT * c->size;
        if (above && below) return false;
        if (m >= k || m == i || m == j || !is_in(c, f, m)) continue;
        if (m < j || span(c, i, j, m, &unused)) return false;
    }
    if (above) f->normal = v3_scale(-1, f->normal);
    return above || below;
}

static bool is_side(const cloud *c, const face *f, int from, int to) {
    v3 along = v3_sub(c->point[to], c->point[from]);
    double length = v3_norm(along);
    if (!(length > FLAT * c->size)) return false;
    v3 inwards = v3_scale(1 / length, v3_cross(f->normal, along));
    for (int m = 0; m < c->points; m++) {
        if (m == from || m == to || !is_in(c, f, m)) continue;
        v3 x = v3_sub(c->point[m], c->point[from]);
        double in = v3_dot(inwards, x), on = v3_dot(along, x) / length;
        if (in < -FLAT * c->size) return false;
        if (in > FLAT * c->size) continue;
        if (on < -FLAT * c->size || on > length + FLAT * c->size) return false;
        /* the same place twice: the first of the two counts */
        bool same = fabs(on) <= FLAT * c->size || fabs(on - length) <= FLAT * c->size;
        if (same && m < (fabs(on) <= FLAT * c->size ? from : to)) return false;
    }
    return true;
}

static int add_sides(const cloud *c, const face *f, int of, ts_hull_side *side) {
    int count = 0;
    for (int from = 0; from < c->points; from++) {
        if (!is_in(c, f, from)) continue;
        for (int to = 0; to < c->points; to++)
            if (to != from && is_in(c, f, to) && is_side(c, f, from, to))
                side[count++] = (ts_hull_side){from, to, of};
    }
    return count;
}

int ts_hull_sides(int points, const v3 *point, ts_hull_side *side) {
    cloud c = {.points = points, .point = point};
    int count = 0;
    for (int i = 1; i < points; i++) c.size = fmax(c.size, v3_norm(v3_sub(point[i], point[0])));
    for (int i = 0; i < points; i++)
        for (int j = i + 1; j < points; j++)
            for (int k = j + 1; k < points && count < 6 * points; k++) {
                face f;
                if (find_face(&c, i, j, k, &f)) count += add_sides(&c, &f, i, side + count);
            }
    return count;
}

/* ---- of many points ---- */

typedef struct choice {
    int points, *chosen, outside, *candidate;
    const v3 *point;
    v3 *corner;
} choice;

/* The candidate that is furthest from the hull of the corners; those inside are dropped. */
static int furthest_out(choice *c, double inside, double *most) {
    ts_core hull = {.points = c->points, .point = c->corner};
    int best = -1, kept = 0;
    *most = 0;
    for (int i = 0; i < c->outside; i++) {
        ts_core point = {.points = 1, .point = &c->point[c->candidate[i]]};
        double out = v3_norm(ts_nearest_points(&point, &hull).r);
        if (!(out > inside)) continue;
        if (out > *most) *most = out, best = c->candidate[i];
        c->candidate[kept++] = c->candidate[i];
    }
    c->outside = kept;
    return best;
}

static int by_number(const void *a, const void *b) {
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int ts_hull_choose(int points, const v3 *point, int most, int *chosen, double *left) {
    choice c = {.outside = points, .point = point, .chosen = chosen};
    double size = 0;
    c.candidate = ts_calloc((size_t)points + 1, sizeof *c.candidate);
    c.corner = ts_calloc((size_t)most + 1, sizeof *c.corner);
    int next = 0;
    for (int i = 0; i < points; i++) {
        double far = v3_norm(v3_sub(point[i], point[0]));
        c.candidate[i] = i;
        if (far > size) size = far, next = i; /* the furthest of all is a corner */
    }
    while (next >= 0 && c.points < most) {
        chosen[c.points] = next, c.corner[c.points++] = point[next];
        next = furthest_out(&c, FLAT * size, left);
    }
    free(c.candidate), free(c.corner);
    qsort(chosen, (size_t)c.points, sizeof *chosen, by_number);
    return c.points;
}

static void add_outer(double by, v3 a, m3 *out) {
    m3 more = {{v3_scale(by * a.x, a), v3_scale(by * a.y, a), v3_scale(by * a.z, a)}};
    *out = m3_add(*out, more);
}

ts_hull_moments ts_hull_volume(int sides, const ts_hull_side *side, const v3 *point) {
    ts_hull_moments out = {.centre = {0, 0, 0}, .second = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}};
    v3 first = point[side[0].from], sum = {0, 0, 0};
    for (int i = 0; i < sides; i++) {
        v3 p[3] = {v3_sub(point[side[i].of], first), v3_sub(point[side[i].from], first),
                   v3_sub(point[side[i].to], first)};
        double volume = v3_dot(p[0], v3_cross(p[1], p[2])) / 6;
        v3 all = v3_add(p[0], v3_add(p[1], p[2]));
        out.volume += volume;
        sum = v3_axpy(volume / 4, all, sum);
        for (int k = 0; k < 3; k++) add_outer(volume / 20, p[k], &out.second);
        add_outer(volume / 20, all, &out.second);
    }
    v3 centre = v3_scale(1 / out.volume, sum);
    add_outer(-out.volume, centre, &out.second);
    out.centre = v3_add(first, centre);
    return out;
}
