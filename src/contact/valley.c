/* SPDX-License-Identifier: Apache-2.0 */
/* A point over the valley between two triangles with a common edge, or over a pit of more around a
 * corner, in statics.
 *
 * At the distances a and b from the planes of both faces, the lesser of them has a kink where they
 * are equal, and its force jumps from one normal to the other. Points of one mesh that rest on
 * another one lie in such valleys, since loaded faces bend inwards: there is no equilibrium on
 * either side of the kink, and Newton's method alternates between the sides. So the valley is
 * rounded. With s1, s2 the distances of both feet from the common edge, both feet being in their
 * faces,
 *
 *     w1 = s1/(s1 + s2) ,  w2 = s2/(s1 + s2) ,   d = w1 a + w2 b - s1 s2/(a + b) ,
 *
 * which is d = a with the normal of the first face where the foot in the second leaves it (s2 = 0),
 * and d = b at the other end. Since a^2 + s1^2 = b^2 + s2^2, this is the rounding of the kink by a
 * parabola, min over w of w1 a + w2 b - k w1 w2 with k = (s1 + s2)^2/(a + b): the result is less
 * than both distances, by at most k/4, or a phi^2/8 for a fold by the angle phi. Flat faces are not
 * changed.
 *
 * A pit of three faces or more, which a ball presses into a shell at a node, is rounded in the same
 * way,
 *
 *     d = min over w of  sum w_i d_i + k/2 (sum w_i^2 - 1) ,   sum w = 1 ,  w_i >= 0 ,
 *
 * with k for the two normals that are furthest apart, k = d (1 - n_i . n_j). Where a foot leaves
 * its face the weights have a small jump, away from the bottom of the pit.
 *
 * The force acts along sum w_i n_i, on the corners of the faces by w_i times the weights of the
 * feet: it has no resultant and no moment. Across the valley its stiffness is that of a convex
 * edge, force over distance, whatever the fold. The change of k, which is of the order phi, is
 * neglected in its direction; so the force follows the faces, and is not a gradient. Dynamics needs
 * no rounding: there both normals share the force in a step in which the nearer face changes.
 */
#include "contact/gap.h"

#include <stddef.h>

enum { A = 0 }; /* index of the point among the points of the gap */

/* One of the faces, and its motion. */
typedef struct fold {
    int corner[3]; /* points of the gap; of two faces, the first is not on the common edge */
    double weight[3], d;
    v3 n, N, dual[2]; /* normal to the point; of the edges from the first corner: their product, and
                         the dual ones */
    double height, s;
    /* changes */
    v3 dn;
    double dd, ds, dweight[3];
} fold;

/* False: the foot is outside. */
static bool take_fold(const ts_gap *g, int number, fold *f) {
    const v3 *x = g->touch.mean;
    for (int k = 0; k < 3; k++) f->corner[k] = g->valley.corner[number][k];
    v3 first = x[f->corner[0]], apart = v3_sub(x[A], first);
    v3 e1 = v3_sub(x[f->corner[1]], first), e2 = v3_sub(x[f->corner[2]], first);
    f->N = v3_cross(e1, e2);
    double square = v3_dot(f->N, f->N), side = v3_dot(f->N, apart) < 0 ? -1 : 1;
    if (!(square > 0)) return false;
    f->dual[0] = v3_scale(1 / square, v3_cross(e2, f->N));
    f->dual[1] = v3_scale(1 / square, v3_cross(f->N, e1));
    f->n = v3_scale(side / sqrt(square), f->N);
    f->d = v3_dot(f->n, apart);
    for (int k = 0; k < 2; k++) f->weight[k + 1] = v3_dot(f->dual[k], apart);
    f->weight[0] = 1 - f->weight[1] - f->weight[2];
    f->height = sqrt(square) / v3_norm(v3_sub(e2, e1));
    f->s = f->weight[0] * f->height;
    return f->weight[0] > 0 && f->weight[1] > 0 && f->weight[2] > 0 && f->d > 0;
}

/* Of the common edge over the first corner: |e1 x e2|/|e2 - e1|. */
static double height_moved(const ts_gap *g, const v3 *by, const fold *f) {
    const v3 *x = g->touch.mean;
    const int *c = f->corner;
    v3 edge = v3_sub(x[c[2]], x[c[1]]), d1 = v3_sub(by[c[1]], by[c[0]]);
    v3 d2 = v3_sub(by[c[2]], by[c[0]]), e1 = v3_sub(x[c[1]], x[c[0]]);
    v3 dN = v3_add(v3_cross(d1, v3_sub(x[c[2]], x[c[0]])), v3_cross(e1, d2));
    return f->height * (v3_dot(f->N, dN) / v3_dot(f->N, f->N) -
                        v3_dot(edge, v3_sub(d2, d1)) / v3_dot(edge, edge));
}

/* As points move: d n = p - sum of weights times corners, n across the edges. */
static void move_fold(const ts_gap *g, const v3 *by, fold *f) {
    v3 apart = by[A], first = by[f->corner[0]];
    for (int k = 0; k < 3; k++) apart = v3_axpy(-f->weight[k], by[f->corner[k]], apart);
    f->dn = v3_make(0, 0, 0);
    for (int k = 0; k < 2; k++)
        f->dn = v3_axpy(-v3_dot(f->n, v3_sub(by[f->corner[k + 1]], first)), f->dual[k], f->dn);
    f->dd = v3_dot(f->n, apart);
    v3 along = v3_axpy(-f->d, f->dn, apart);
    for (int k = 0; k < 2; k++) f->dweight[k + 1] = v3_dot(f->dual[k], along);
    f->dweight[0] = -f->dweight[1] - f->dweight[2];
    f->ds = f->dweight[0] * f->height + f->weight[0] * height_moved(g, by, f);
}

/* ---- weights of faces ---- */

/* Rounding k of a pit, and its change; 0 if all normals are equal. */
static double rounding_of(int count, const fold *f, double *change) {
    double least = f[0].d, most = 0;
    int at[2] = {0, 0}, low = 0;
    for (int i = 0; i < count; i++) {
        if (f[i].d < least) least = f[i].d, low = i;
        for (int j = 0; j < i; j++) {
            v3 apart = v3_sub(f[i].n, f[j].n);
            double k = 0.5 * v3_dot(apart, apart);
            if (k > most) most = k, at[0] = i, at[1] = j;
        }
    }
    const fold *one = &f[at[0]], *other = &f[at[1]];
    if (change)
        *change =
            f[low].dd * most + least * v3_dot(v3_sub(one->n, other->n), v3_sub(one->dn, other->dn));
    return least * most;
}

/* Computes the distance; a face that is too far has no weight. Uses differences from the first
 * face, because k is tiny in a shallow pit. */
static double weigh_pit(int count, const fold *f, double *w) {
    double k = rounding_of(count, f, NULL), d = -0.5 * k, first = f[0].d;
    bool in[TS_MOST_FOLDS], changed = true;
    for (int i = 0; i < count; i++) in[i] = true;
    while (changed) {
        double sum = k;
        int left = 0;
        for (int i = 0; i < count; i++)
            if (in[i]) sum += f[i].d - first, left++;
        changed = false;
        for (int i = 0; i < count; i++) {
            w[i] = !in[i] ? 0 : k > 0 ? (sum / left - (f[i].d - first)) / k : 1.0 / left;
            if (in[i] && !(w[i] > 0)) in[i] = false, w[i] = 0, changed = true;
        }
    }
    for (int i = 0; i < count; i++) d += w[i] * (f[i].d - first) + 0.5 * k * w[i] * w[i];
    return first + d;
}

static double pit_moved(int count, const fold *f, const double *w, double *dw) {
    double dk, k = rounding_of(count, f, &dk), mean = 0, d = -0.5 * dk;
    int left = 0;
    for (int i = 0; i < count; i++)
        if (w[i] > 0) mean += f[i].dd, left++;
    for (int i = 0; i < count; i++) {
        bool in = w[i] > 0 && k > 0;
        dw[i] = in ? (mean / left - f[i].dd - (w[i] - 1.0 / left) * dk) / k : 0;
        d += w[i] * f[i].dd + 0.5 * dk * w[i] * w[i];
    }
    return d;
}

static double weigh_valley(const fold *f, double *w) {
    double s = f[0].s + f[1].s;
    w[0] = f[0].s / s, w[1] = f[1].s / s;
    return w[0] * f[0].d + w[1] * f[1].d - f[0].s * f[1].s / (f[0].d + f[1].d);
}

static double two_moved(const fold *f, const double *w, double *dw) {
    double s = f[0].s + f[1].s, sum = f[0].d + f[1].d;
    dw[1] = (f[0].s * f[1].ds - f[1].s * f[0].ds) / (s * s), dw[0] = -dw[1];
    double d = f[0].s * f[1].s * (f[0].dd + f[1].dd) / (sum * sum) -
               (f[0].ds * f[1].s + f[0].s * f[1].ds) / sum;
    for (int i = 0; i < 2; i++) d += w[i] * f[i].dd + dw[i] * f[i].d;
    return d;
}

/* ---- the gap ---- */

/* Halves: of a gap of both ends that move alike, see ts_contact_moved. */
static void valley_moved(const ts_gap *g, const v3 *by, ts_gap_change *out) {
    int count = g->valley.count;
    fold f[TS_MOST_FOLDS] = {0};
    double dw[TS_MOST_FOLDS];
    const double *w = g->valley.share;
    v3 dn = {0, 0, 0}, foot = {0, 0, 0};
    for (int i = 0; i < count; i++) take_fold(g, i, &f[i]), move_fold(g, by, &f[i]);
    out->end = count == 2 ? two_moved(f, w, dw) : pit_moved(count, f, w, dw);
    for (int k = 0; k < g->points; k++) out->weight[k] = 0, out->gradient[k] = v3_make(0, 0, 0);
    for (int i = 0; i < count; i++) {
        dn = v3_axpy(w[i], f[i].dn, v3_axpy(dw[i], f[i].n, dn));
        for (int k = 0; k < 3; k++) {
            int at = f[i].corner[k];
            double change = dw[i] * f[i].weight[k] + w[i] * f[i].dweight[k];
            v3 turned = v3_axpy(-0.5 * w[i] * f[i].weight[k], f[i].dn, out->gradient[at]);
            out->weight[at] += 0.5 * change;
            out->gradient[at] = v3_axpy(-0.5 * change, f[i].n, turned);
        }
    }
    out->gradient[A] = v3_scale(0.5, dn);
    for (int k = 1; k < g->points; k++)
        foot = v3_axpy(out->weight[k], g->touch.mean[k], v3_axpy(0.5 * g->weight[k], by[k], foot));
    double share = g->radius[0] / (g->radius[0] + g->radius[1]);
    out->at = v3_axpy(share, foot, v3_scale(0.5 * (1 - share), by[A]));
    v3 across = v3_axpy(-v3_dot(dn, g->normal), g->normal, dn);
    out->normal = v3_scale(0.5 / v3_norm(g->pull), across);
}

static bool is_in(int corner, const int triangle[3]) {
    return triangle[0] == corner || triangle[1] == corner || triangle[2] == corner;
}

/* Points of the gap: A, and the corners. */
static void take_points(v3 point, const ts_core *patch, ts_gap *g) {
    ts_touch *t = &g->touch;
    g->points = t->points = 1 + patch->points, g->valley.count = patch->triangles;
    for (int k = 0; k < g->points; k++) {
        g->of_b[k] = t->of_b[k] = k > 0, g->point[k] = t->point[k] = k > 0 ? k - 1 : 0;
        t->start[k] = t->end[k] = t->mean[k] = k > 0 ? patch->point[k - 1] : point;
    }
    for (int i = 0; i < patch->triangles; i++) {
        const int *own = patch->triangle[i];
        int first = 0; /* of two faces, the corner that is not on their edge */
        while (patch->triangles == 2 && first < 2 && is_in(own[first], patch->triangle[1 - i]))
            first++;
        for (int k = 0; k < 3; k++) g->valley.corner[i][k] = 1 + own[(first + k) % 3];
    }
}

bool ts_gap_of_valley(v3 point, const ts_core *patch, const double radius[2], ts_gap *g) {
    fold f[TS_MOST_FOLDS] = {0};
    v3 foot = {0, 0, 0}, none = {0, 0, 0};
    take_points(point, patch, g);
    int count = g->valley.count;
    double *w = g->valley.share, R = radius[0] + radius[1], share = radius[0] / R;
    for (int i = 0; i < count; i++)
        if (!take_fold(g, i, &f[i])) return false;
    g->start = g->end = (count == 2 ? weigh_valley(f, w) : weigh_pit(count, f, w)) - R;
    for (int k = 0; k < g->points; k++) g->weight[k] = k == A, g->gradient[k] = none;
    for (int i = 0; i < count; i++) {
        g->gradient[A] = v3_axpy(w[i], f[i].n, g->gradient[A]);
        for (int k = 0; k < 3; k++) {
            int at = f[i].corner[k];
            g->weight[at] += w[i] * f[i].weight[k];
            g->gradient[at] = v3_axpy(-w[i] * f[i].weight[k], f[i].n, g->gradient[at]);
        }
    }
    for (int k = 1; k < g->points; k++) foot = v3_axpy(g->weight[k], g->touch.mean[k], foot);
    g->pull = g->gradient[A], g->normal = v3_normalize(g->pull), g->rings = 0;
    g->radius[0] = radius[0], g->radius[1] = radius[1], g->crossing.present = false;
    g->at = v3_axpy(share, v3_sub(foot, point), point);
    g->touch.d_start = f[0].d, g->touch.d_end = f[1].d, g->touch.share = w[1];
    g->change = valley_moved;
    return true;
}
