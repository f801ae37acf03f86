/* SPDX-License-Identifier: Apache-2.0 */
/* Dry friction as a bristle: an elastic deflection z that breaks loose at its strength.
 *
 * The force of a bristle of stiffness k is k z, with |z| <= r = F/k, F the strength, before it
 * slips, and |z| <= r' = F'/k while it does. Over a step the root slips by d. With beta in [0, 1],
 * the factor of a dashpot while it sticks:
 *
 *     if |z| > r (the strength fell):  z <- z r/|z| ,  k (|z_old|^2 - |z|^2)/2 is dissipated
 *     stick, |z + d| <= r:  z_f = z + d ,  f = k (z + (1 + beta) d/2) ,   dissipated beta k |d|^2/2
 *     slip:  t the root of |z + t d| = r ,  z_f = r' (z + d)/|z + d| ,
 *            f = t k (z + (1 + beta) t d/2) + (1 - t) k z_f ,
 *            dissipated (1 - t) k z_f . d + beta k t^2 |d|^2/2 + k (r^2 - r'^2)/2  >= 0
 *
 * so that  f . d = change of k |z|^2/2 + dissipated  exactly, and |f| <= F. In one dimension f is
 * the mean of the elastoplastic force along the step. It is LuGre's model without its lag, an
 * elastoplastic element (Dupont, Hayward, Armstrong and Altpeter, IEEE Trans. Autom. Control 47
 * (2002) 787) that also has an energy when its strength changes.
 *
 * Slopes. With p = z + t d, n = (z + d)/|z + d|, and dz the change of z, equal to z dr/r where z
 * was reduced:
 *     dt   = -(t p.dd + p.dz - r dr)/(p.d)
 *     dz_f = n dr' + (r'/|z + d|) (I - n n^T) (dd + dz)
 *     df   = [k (z + (1 + beta) t d) - k z_f] dt + (1 + beta)/2 k t^2 dd + t k dz + (1 - t) k dz_f
 */
#include "laws/bristle.h"

#include <math.h>

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Limits the deflection to the strength of this step; returns the factor. */
static double cut_back(ts_bristle *b, double r, double *lost) {
    double size = sqrt(dot(b->n, b->z, b->z));
    *lost = 0;
    if (size <= r) return 1;
    for (int i = 0; i < b->n; i++) b->z[i] *= r / size;
    *lost = 0.5 * b->stiffness * (size - r) * (size + r);
    return r / size;
}

/* Derivative of the limited z by the given z: only across, if it was limited. */
static double by_given(const ts_bristle *b, double cut, int i, int j) {
    double square = dot(b->n, b->z, b->z), along = 0;
    if (cut < 1 && square > 0) along = b->z[i] * b->z[j] / square;
    return cut * ((i == j) - along);
}

static void stick(const ts_bristle *b, double cut, double r, ts_bristle_step *out) {
    double k = b->stiffness, half = b->at_end ? 1 : 0.5 * (1 + b->damping);
    out->stuck = cut == 1;
    for (int i = 0; i < b->n; i++) {
        out->z[i] = b->z[i] + b->slip[i];
        out->force[i] = k * (b->z[i] + half * b->slip[i]);
        out->by_slip[i * b->n + i] = half * k;
        out->by_strength[i] = cut < 1 && r > 0 ? b->z[i] / r * b->changes[0] : 0;
        for (int j = 0; j < b->n; j++) out->by_z[i * b->n + j] = k * by_given(b, cut, i, j);
    }
    out->dissipated += 0.5 * b->damping * k * dot(b->n, b->slip, b->slip);
}

/* The share of the slip until |z + t d| = r: from inside or from the edge, outwards. */
static double breaks_loose(const ts_bristle *b, double r) {
    double dd = dot(b->n, b->slip, b->slip), zd = dot(b->n, b->z, b->slip);
    double room = fmax(r * r - dot(b->n, b->z, b->z), 0);
    double root = sqrt(zd * zd + dd * room);
    double t = zd > 0 ? room / (zd + root) : (root - zd) / dd;
    return fmin(t, 1);
}

/* A step in which it slips. */
typedef struct slipping {
    const ts_bristle *b;
    double cut, r[2], t, size, p[TS_BRISTLE_MOST], n[TS_BRISTLE_MOST], back[TS_BRISTLE_MOST];
} slipping;

/* Changes of the slip, of the limited z, and of r and r'. */
typedef struct changes {
    double d[TS_BRISTLE_MOST], z[TS_BRISTLE_MOST], r[2];
} changes;

/* The resulting change of the force. */
static void change(const slipping *s, const changes *by, const double *z_f, double *df) {
    const ts_bristle *b = s->b;
    double k = b->stiffness, with = 1 + b->damping, pd = dot(b->n, s->p, b->slip);
    double moved[TS_BRISTLE_MOST], out = dot(b->n, s->p, by->z) - s->r[0] * by->r[0];
    double dt = pd != 0 ? -(s->t * dot(b->n, s->p, by->d) + out) / pd : 0;
    for (int i = 0; i < b->n; i++) moved[i] = by->d[i] + by->z[i];
    double along = dot(b->n, s->n, moved);
    for (int i = 0; i < b->n; i++) {
        double dz = s->n[i] * by->r[1] + s->r[1] / s->size * (moved[i] - along * s->n[i]);
        df[i] = k * (b->z[i] + with * s->t * b->slip[i] - z_f[i]) * dt +
                0.5 * with * k * s->t * s->t * by->d[i] + s->t * k * by->z[i] + (1 - s->t) * k * dz;
        if (b->at_end) df[i] = k * dz;
    }
}

static void slopes(const slipping *s, ts_bristle_step *out) {
    const ts_bristle *b = s->b;
    double df[TS_BRISTLE_MOST];
    for (int j = 0; j < b->n; j++) {
        changes slip = {0}, z = {0};
        slip.d[j] = 1;
        for (int i = 0; i < b->n; i++) z.z[i] = by_given(b, s->cut, i, j);
        change(s, &slip, out->z, df);
        for (int i = 0; i < b->n; i++) out->by_slip[i * b->n + j] = df[i];
        change(s, &z, out->z, df);
        for (int i = 0; i < b->n; i++) out->by_z[i * b->n + j] = df[i];
    }
    changes strength = {0};
    for (int i = 0; i < 2; i++) strength.r[i] = b->changes[i] / b->stiffness;
    for (int i = 0; i < b->n; i++) strength.z[i] = s->back[i] * strength.r[0];
    change(s, &strength, out->z, out->by_strength);
}

static void slide(const ts_bristle *b, double cut, const double r[2], ts_bristle_step *out) {
    double k = b->stiffness, end[TS_BRISTLE_MOST];
    slipping s = {.b = b, .cut = cut, .r = {r[0], r[1]}, .t = breaks_loose(b, r[0])};
    for (int i = 0; i < b->n; i++) end[i] = b->z[i] + b->slip[i];
    s.size = sqrt(dot(b->n, end, end));
    for (int i = 0; i < b->n; i++) {
        s.n[i] = end[i] / s.size, s.p[i] = b->z[i] + s.t * b->slip[i];
        s.back[i] = cut < 1 && r[0] > 0 ? b->z[i] / r[0] : 0;
        out->z[i] = r[1] * s.n[i];
        out->force[i] = s.t * k * (b->z[i] + 0.5 * (1 + b->damping) * s.t * b->slip[i]) +
                        (1 - s.t) * k * out->z[i];
        if (b->at_end) out->force[i] = k * out->z[i];
    }
    out->dissipated += (1 - s.t) * k * dot(b->n, out->z, b->slip) +
                       0.5 * b->damping * k * s.t * s.t * dot(b->n, b->slip, b->slip) +
                       0.5 * k * (r[0] - r[1]) * (r[0] + r[1]);
    slopes(&s, out);
}

ts_bristle_step ts_bristle_over(const ts_bristle *given) {
    ts_bristle b = *given;
    ts_bristle_step out = {0};
    double r[2] = {b.strength / b.stiffness, b.sliding / b.stiffness}, end = 0;
    double cut = cut_back(&b, r[0], &out.dissipated);
    for (int i = 0; i < b.n; i++) end += (b.z[i] + b.slip[i]) * (b.z[i] + b.slip[i]);
    if (end <= r[0] * r[0])
        stick(&b, cut, r[0], &out);
    else
        slide(&b, cut, r, &out);
    return out;
}

double ts_rubbing_over(const ts_rubbing *r, bool stuck, double rate, double square, double mu[2]) {
    mu[0] = stuck ? r->adhering : r->sliding, mu[1] = r->sliding;
    if (r->stribeck == 0) return 0;
    double u = rate / r->stribeck, fall = exp(-square * u * u);
    mu[0] = mu[1] = r->sliding + (r->adhering - r->sliding) * fall;
    return -(r->adhering - r->sliding) * fall * u * u;
}
