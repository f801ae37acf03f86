/* The tangent of an element whose laws are of vectors z = N q: shells and solids.
 *
 * Over z the tangent of a site is small and dense,
 *
 *     K = sum_jk  B_j^T (ds_j/de_k) B_k  +  sum_k s_k H_k (x) I3 ,
 *
 * B and H gradients and Hessians of its forms over z: 9 x 9 at a point of a solid, however many
 * nodes its element has. Sites with the same N (all those of a shell's element) are summed there.
 * Then K goes to the slots, N^T K N, and from the slots to the unknowns, P_m^T .. P_f. Inner loops
 * run along rows, without sums across, so that they may take several entries at once and give the
 * same bits.
 */
#include <string.h>

#include "step/step.h"

enum { MOST = 3 * TS_MAX_SLOTS };

/* to += factor from */
static void add_scaled(int n, double factor, const double *restrict from, double *restrict to) {
#ifndef __clang__ /* which warns where it is told not to optimise; by itself it does this too */
#pragma omp simd
#endif
    for (int i = 0; i < n; i++) to[i] += factor * from[i];
}

/* ---- over z ---- */

static void add_form_hessian(const ts_model *model, int f, double weight, int n, double *K) {
    const ts_form *form = &model->forms[f];
    for (const ts_pair *p = model->pairs + form->pair, *end = p + form->pairs; p < end; p++) {
        double w = weight * p->w, *ab = K + 3 * (p->a * n + p->b), *ba = K + 3 * (p->b * n + p->a);
        for (int c = 0; c < 3; c++) ab[c * (n + 1)] += w, ba[c * (n + 1)] += w;
    }
}

void ts_vectors_law(const ts_model *model, const ts_site *site, const ts_stiffness *x, double *K) {
    double left[TS_MAX_FORMS][MOST], right[TS_MAX_FORMS][MOST], B[MOST];
    const double *ds = x->ds;
    int m = site->forms, n = 3 * site->slots;
    for (int j = 0; j < m; j++) memset(right[j], 0, (size_t)n * sizeof(double));
    for (int k = 0; k < m; k++) {
        ts_form_gradient(model, site->form + k, site->slots, x->test, left[k]);
        ts_form_gradient(model, site->form + k, site->slots, x->trial, B);
        for (int j = 0; j < m; j++)
            if (ds[j * m + k] != 0) add_scaled(n, x->material * ds[j * m + k], B, right[j]);
        add_form_hessian(model, site->form + k, x->geometric * x->stress[k], n, K);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (left[j][i] != 0) add_scaled(n, left[j][i], right[j], K + i * n);
}

/* ---- from z to the slots ---- */

/* K N, row by row of K: 3 vectors x 3 slots. */
static void times_weights(const ts_local *l, const double *K, double *KN) {
    int n = 3 * l->slots, z = 3 * l->vectors;
    memset(KN, 0, (size_t)(z * n) * sizeof *KN);
    for (int q = 0; q < l->vectors; q++)
        for (int s = 0; s < l->slots; s++) {
            double w = l->N[q * l->slots + s];
            if (w == 0) continue;
            for (int r = 0; r < z; r++) {
                const double *from = K + r * z + 3 * q;
                double *to = KN + r * n + 3 * s;
                to[0] += w * from[0], to[1] += w * from[1], to[2] += w * from[2];
            }
        }
}

/* S += N^T (K N); rows of S are `width` apart. */
static void add_spread(const ts_local *l, const double *K, double *S, int width) {
    double KN[MOST * MOST];
    int n = 3 * l->slots;
    times_weights(l, K, KN);
    for (int s = 0; s < l->slots; s++)
        for (int q = 0; q < l->vectors; q++) {
            double w = l->N[q * l->slots + s];
            for (int c = 0; c < 3 && w != 0; c++)
                add_scaled(n, w, KN + (3 * q + c) * n, S + (3 * s + c) * width);
        }
}

/* ---- from the slots to the unknowns ---- */

static bool only_points(const ts_local *l) {
    for (int s = 0; s < l->slots; s++)
        if (l->turns[s]) return false;
    return true;
}

/* out[unknowns of the slot] += X^T row, of one row of S over all slots */
static void project_row(const ts_local *l, const ts_projector *P, const double *row, double *out) {
    for (int s = 0; s < l->slots; s++, row += 3) {
        double *o = out + l->dof[s];
        for (int j = 0; j < l->turns[s]; j++) o[j] += v3_dot(P->X[s].c[j], v3_load(row));
        if (!l->turns[s]) o[0] += row[0], o[1] += row[1], o[2] += row[2];
    }
}

static void add_projected(const ts_step *st, const ts_local *l, const double *S, double *dense) {
    ts_projector test, trial;
    double half[6 * TS_MAX_NODES];
    ts_projector_cross(st, l, 0, &test);
    ts_projector_cross(st, l, 1, &trial);
    for (int s = 0; s < l->slots; s++)
        for (int c = 0; c < 3; c++) {
            memset(half, 0, (size_t)l->nd * sizeof *half);
            project_row(l, &trial, S + (3 * s + c) * 3 * l->slots, half);
            double *to = dense + l->dof[s] * l->width;
            if (!l->turns[s]) add_scaled(l->nd, 1, half, to + c * l->width);
            for (int j = 0; j < l->turns[s]; j++)
                add_scaled(l->nd, v3_get(test.X[s].c[j], c), half, to + j * l->width);
        }
}

/* ---- an element ---- */

static bool has_vectors(const ts_site *site) {
    return site->role == TS_ROLE_LAW && site->interpolation >= 0;
}

/* Its places move as its slots do: what is over the slots is over the unknowns. */
static void point_element(ts_step *st, const ts_scheme *scheme, const ts_site *site, int sites,
                          ts_local *l, double *dense, bool points) {
    double K[MOST * MOST];
    for (int i = 0; i < sites; i++, site++) {
        size_t size = (size_t)(9 * site->slots * site->slots) * sizeof *K;
        if (i == 0 || site->interpolation != site[-1].interpolation) memset(K, 0, size);
        scheme->vector_tangent(st, site, K);
        if (i + 1 < sites && site->interpolation == site[1].interpolation) continue;
        l->vectors = site->slots, l->N = st->model->interpolation + site->interpolation;
        add_spread(l, K, dense, points ? l->width : 3 * l->slots);
    }
}

static void general_element(ts_step *st, const ts_scheme *scheme, const ts_site *site, int sites,
                            ts_local *l, double *dense) {
    double S[MOST * MOST];
    memset(S, 0, (size_t)(9 * l->slots * l->slots) * sizeof *S);
    point_element(st, scheme, site, sites, l, S, false);
    add_projected(st, l, S, dense);
}

bool ts_vectors_element(ts_step *st, const ts_scheme *scheme, const ts_site *site, int sites,
                        ts_local *l, double *dense) {
    if (!scheme->vector_tangent) return false;
    for (int i = 0; i < sites; i++)
        if (!has_vectors(site + i)) return false;
    if (st->probing) { /* full: every strain depends on every node */
        for (int i = 0; i < l->width * l->width; i++) dense[i] = 1;
        return true;
    }
    if (only_points(l))
        point_element(st, scheme, site, sites, l, dense, true);
    else
        general_element(st, scheme, site, sites, l, dense);
    return true;
}
