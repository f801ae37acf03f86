/* SPDX-License-Identifier: Apache-2.0 */
/* A point over the valley between two triangles with a common edge, in statics.
 *
 * At the distances a and b from the planes of both faces, the lesser of them has a kink where they
 * are equal, and its force jumps from one normal to the other. Points of one mesh that rest on
 * another one lie in such valleys, since faces bend in where they carry: there is no equilibrium on
 * either side of the kink, and Newton's method goes to and fro over it. So the valley is rounded.
 * With s1, s2 how far both feet are from the common edge, where both are in their faces,
 *
 *     w1 = s1/(s1 + s2) ,  w2 = s2/(s1 + s2) ,   d = w1 a + w2 b - s1 s2/(a + b) ,
 *
 * which is d = a with the normal of the first face where the foot in the second leaves it (s2 = 0),
 * and d = b at the other end. Since a^2 + s1^2 = b^2 + s2^2, this is the rounding of the kink by a
 * parabola, min over w of w1 a + w2 b - k w1 w2 with k = (s1 + s2)^2/(a + b): less than both, by at
 * most k/4, or a phi^2/8 of a fold by the angle phi. Flat faces are as they were.
 *
 * The force acts along w1 n1 + w2 n2, on the corners of both faces by w_i times the weights of the
 * feet: it has no resultant and no moment. Across the valley
 * its stiffness is that of a convex edge, force over distance, whatever the fold. The change of k
 * is left out of its direction, as it is of the order phi; so it is a force that follows the faces,
 * and no gradient. Dynamics do without: there both normals share a step in which the nearer face
 * changes.
 */
#include "contact/gap.h"

/* One of the two faces, with how it moves. */
typedef struct fold {
    const double *c; /* weights of its corners, negative */
    v3 n;
    double d;
    int corner[3]; /* points of the gap; the first is not on the common edge */
    v3 N, dual[2]; /* of the edges from the first corner: their product, and the dual ones */
    double height, s;
    /* changes */
    v3 dn;
    double dd, ds, dweight[3];
} fold;

static int point_of_a(const ts_touch *t) {
    int k = 0;
    while (t->of_b[k]) k++;
    return k;
}

/* False: it is no triangle with a foot inside, or shares no edge with the other. */
static bool take_fold(const ts_touch *t, bool second, fold *f) {
    const double *c = second ? t->new : t->old, *other = second ? t->old : t->new;
    int shared = 0, own = 0;
    f->c = c;
    for (int k = 0; k < t->points; k++) {
        if (!t->of_b[k] || c[k] == 0) continue;
        if (other[k] == 0)
            own++, f->corner[0] = k;
        else if (shared++ < 2)
            f->corner[shared] = k;
    }
    if (own != 1 || shared != 2) return false;
    v3 first = t->mean[f->corner[0]];
    v3 e1 = v3_sub(t->mean[f->corner[1]], first), e2 = v3_sub(t->mean[f->corner[2]], first);
    v3 N = f->N = v3_cross(e1, e2);
    double square = v3_dot(N, N);
    f->dual[0] = v3_scale(1 / square, v3_cross(e2, N));
    f->dual[1] = v3_scale(1 / square, v3_cross(N, e1));
    f->height = sqrt(square) / v3_norm(v3_sub(e2, e1));
    f->s = -c[f->corner[0]] * f->height;
    f->d = second ? t->d_end : t->d_start;
    f->n = v3_scale(1 / f->d, second ? t->new_r : t->old_r);
    return true;
}

/* Of the common edge over the first corner: |e1 x e2|/|e2 - e1|. */
static double height_moved(const ts_touch *t, const v3 *by, const fold *f) {
    const v3 *x = t->mean;
    const int *c = f->corner;
    v3 edge = v3_sub(x[c[2]], x[c[1]]), d1 = v3_sub(by[c[1]], by[c[0]]);
    v3 d2 = v3_sub(by[c[2]], by[c[0]]), e1 = v3_sub(x[c[1]], x[c[0]]);
    v3 dN = v3_add(v3_cross(d1, v3_sub(x[c[2]], x[c[0]])), v3_cross(e1, d2));
    return f->height * (v3_dot(f->N, dN) / v3_dot(f->N, f->N) -
                        v3_dot(edge, v3_sub(d2, d1)) / v3_dot(edge, edge));
}

/* As points move: d n = p - sum of weights times corners, n across the edges. */
static void move_fold(const ts_touch *t, const v3 *by, fold *f) {
    v3 apart = by[point_of_a(t)], first = by[f->corner[0]];
    for (int k = 0; k < 3; k++) apart = v3_axpy(f->c[f->corner[k]], by[f->corner[k]], apart);
    f->dn = v3_make(0, 0, 0);
    for (int k = 0; k < 2; k++)
        f->dn = v3_axpy(-v3_dot(f->n, v3_sub(by[f->corner[k + 1]], first)), f->dual[k], f->dn);
    f->dd = v3_dot(f->n, apart);
    v3 along = v3_axpy(-f->d, f->dn, apart);
    for (int k = 0; k < 2; k++) f->dweight[k + 1] = v3_dot(f->dual[k], along);
    f->dweight[0] = -f->dweight[1] - f->dweight[2];
    f->ds = f->dweight[0] * f->height - f->c[f->corner[0]] * height_moved(t, by, f);
}

/* Halves: of a gap of both ends that move alike, see ts_contact_moved. */
static void valley_moved(const ts_gap *g, const v3 *by, ts_gap_change *out) {
    const ts_touch *t = &g->touch;
    fold f[2];
    for (int i = 0; i < 2; i++) take_fold(t, i == 1, &f[i]), move_fold(t, by, &f[i]);
    double s = f[0].s + f[1].s, sum = f[0].d + f[1].d, w[2] = {1 - t->share, t->share};
    double dshare = (f[0].s * f[1].ds - f[1].s * f[0].ds) / (s * s), dw[2] = {-dshare, dshare};
    v3 dn = {0, 0, 0}, foot = {0, 0, 0};
    out->end = f[0].s * f[1].s * (f[0].dd + f[1].dd) / (sum * sum) -
               (f[0].ds * f[1].s + f[0].s * f[1].ds) / sum;
    for (int k = 0; k < g->points; k++) out->weight[k] = 0, out->gradient[k] = v3_make(0, 0, 0);
    for (int i = 0; i < 2; i++) {
        out->end += w[i] * f[i].dd + dw[i] * f[i].d;
        dn = v3_axpy(w[i], f[i].dn, v3_axpy(dw[i], f[i].n, dn));
        for (int k = 0; k < 3; k++) {
            int at = f[i].corner[k];
            double c = -f[i].c[at], change = dw[i] * c + w[i] * f[i].dweight[k];
            out->weight[at] += 0.5 * change;
            v3 turned = v3_scale(-0.5 * w[i] * c, f[i].dn);
            out->gradient[at] = v3_add(out->gradient[at], v3_axpy(-0.5 * change, f[i].n, turned));
        }
    }
    int a = point_of_a(t);
    out->gradient[a] = v3_scale(0.5, dn);
    for (int k = 0; k < g->points; k++)
        foot = v3_axpy(out->weight[k], t->mean[k],
                       v3_axpy(t->of_b[k] ? 0.5 * g->weight[k] : 0, by[k], foot));
    double share = g->radius[0] / (g->radius[0] + g->radius[1]);
    out->at = v3_axpy(share, foot, v3_scale(0.5 * (1 - share), by[a]));
    v3 across = v3_axpy(-v3_dot(dn, g->normal), g->normal, dn);
    out->normal = v3_scale(0.5 / v3_norm(g->pull), across);
}

bool ts_gap_round_valley(ts_gap *g) {
    ts_touch *t = &g->touch;
    fold f[2];
    if (!take_fold(t, false, &f[0]) || !take_fold(t, true, &f[1])) return false;
    double s = f[0].s + f[1].s, sum = f[0].d + f[1].d, w[2] = {f[0].s / s, f[1].s / s};
    int a = point_of_a(t);
    v3 foot = {0, 0, 0};
    t->share = w[1];
    g->end = g->start =
        w[0] * f[0].d + w[1] * f[1].d - f[0].s * f[1].s / sum - g->radius[0] - g->radius[1];
    g->pull = v3_axpy(w[0], f[0].n, v3_scale(w[1], f[1].n));
    g->normal = v3_normalize(g->pull);
    for (int k = 0; k < g->points; k++) {
        double c[2] = {w[0] * f[0].c[k], w[1] * f[1].c[k]};
        g->weight[k] = fabs(c[0] + c[1]);
        g->gradient[k] = v3_axpy(c[0], f[0].n, v3_scale(c[1], f[1].n));
        if (k != a) foot = v3_axpy(g->weight[k], t->mean[k], foot);
    }
    double share = g->radius[0] / (g->radius[0] + g->radius[1]);
    g->at = v3_axpy(share, v3_sub(foot, t->mean[a]), t->mean[a]);
    g->change = valley_moved;
    return true;
}
