/* SPDX-License-Identifier: Apache-2.0 */
/* Forces and tangent of an element whose laws are of vectors z = N q: shells and solids.
 *
 * Slots are gathered once for all sites of an element, and forces scattered once. Over z the
 * tangent of a site is small and dense,
 *
 *     K = sum_jk  B_j^T (ds_j/de_k) B_k  +  sum_k s_k H_k (x) I3 ,
 *
 * B and H gradients and Hessians of its forms over z: 9 x 9 at a point of a solid, however many
 * nodes its element has. Sites with the same N (all those of a shell's element) are summed there.
 * Then K goes to the slots, N^T K N, and from the slots to the unknowns, P_m^T .. P_f. Inner loops
 * run along rows of an even length, two entries at a time, and sum up to three rows before they
 * store; without sums across, so that the bits are the same on any machine.
 */
#include <string.h>

#include "step/step.h"

enum { MOST = 3 * TS_MAX_SLOTS, PAIR = 2, WIDE = TS_MAX_SLOTS + PAIR };

typedef double pair __attribute__((vector_size(16)));

static inline pair load_pair(const double *from) {
    pair x;
    memcpy(&x, from, sizeof x);
    return x;
}
static inline void store_pair(double *to, pair x) { memcpy(to, &x, sizeof x); }

static int even(int n) { return (n + 1) / PAIR * PAIR; }

/* to += factor from */
static void add_scaled(int n, double factor, const double *restrict from, double *restrict to) {
#ifndef __clang__ /* which warns where it is told not to optimise; by itself it does this too */
#pragma omp simd
#endif
    for (int i = 0; i < n; i++) to[i] += factor * from[i];
}

/* Rows with their factors. */
typedef struct row_sum {
    int count;
    double factor[MOST];
    const double *row[MOST];
} row_sum;

static inline void add_to_sum(row_sum *sum, double factor, const double *row) {
    sum->factor[sum->count] = factor, sum->row[sum->count++] = row;
}

static inline pair twice(double x) { return (pair){x, x}; }

/* to += the sum, of rows of an even length; three of them at a time. */
static void add_sum(int n, const row_sum *sum, double *restrict to) {
    int k = 0;
    for (; k + 3 <= sum->count; k += 3) {
        const double *a = sum->row[k], *b = sum->row[k + 1], *c = sum->row[k + 2];
        pair x = twice(sum->factor[k]), y = twice(sum->factor[k + 1]),
             z = twice(sum->factor[k + 2]);
        for (int i = 0; i < n; i += PAIR)
            store_pair(to + i, load_pair(to + i) + x * load_pair(a + i) + y * load_pair(b + i) +
                                   z * load_pair(c + i));
    }
    for (; k < sum->count; k++) {
        const double *a = sum->row[k];
        pair x = twice(sum->factor[k]);
        for (int i = 0; i < n; i += PAIR)
            store_pair(to + i, load_pair(to + i) + x * load_pair(a + i));
    }
}

/* ---- over z ---- */

static void add_form_hessian(const ts_model *model, int f, double weight, int n, double *K) {
    const ts_form *form = &model->forms[f];
    for (const ts_pair *p = model->pairs + form->pair, *end = p + form->pairs; p < end; p++) {
        double w = weight * p->w, *ab = K + 3 * (p->a * n + p->b), *ba = K + 3 * (p->b * n + p->a);
        for (int c = 0; c < 3; c++) ab[c * (n + 1)] += w, ba[c * (n + 1)] += w;
    }
}

/* right_j = material sum_k ds_jk B_k */
static void times_slope(int m, int n, const ts_stiffness *x, double (*B)[MOST],
                        double (*right)[MOST]) {
    for (int j = 0; j < m; j++) {
        row_sum sum;
        sum.count = 0;
        for (int k = 0; k < m; k++)
            if (x->ds[j * m + k] != 0) add_to_sum(&sum, x->material * x->ds[j * m + k], B[k]);
        memset(right[j], 0, (size_t)n * sizeof(double));
        add_sum(n, &sum, right[j]);
    }
}

void ts_vectors_law(const ts_model *model, const ts_site *site, const ts_stiffness *x, double *K) {
    double left[TS_MAX_FORMS][MOST], right[TS_MAX_FORMS][MOST], B[TS_MAX_FORMS][MOST];
    int m = site->forms, n = 3 * site->slots, wide = even(n);
    for (int k = 0; k < m; k++) {
        ts_form_gradient(model, site->form + k, site->slots, x->test, left[k]);
        ts_form_gradient(model, site->form + k, site->slots, x->trial, B[k]);
        if (wide > n) B[k][n] = 0;
        if (x->geometric != 0)
            add_form_hessian(model, site->form + k, x->geometric * x->stress[k], wide, K);
    }
    if (x->material == 0) return;
    times_slope(m, wide, x, B, right);
    for (int i = 0; i < n; i++) {
        row_sum sum;
        sum.count = 0;
        for (int j = 0; j < m; j++)
            if (left[j][i] != 0) add_to_sum(&sum, left[j][i], right[j]);
        add_sum(wide, &sum, K + i * wide);
    }
}

/* ---- forces ---- */

/* The slots of an element at the end of the step and in its mean, side by side. */
typedef double both[2][3];

static void gather_both(const ts_step *st, const ts_site *site, both *q) {
    double q_f[MOST], q_m[MOST];
    ts_gather(st->model, site->node, site->nodes, st->q_f, q_f);
    ts_gather(st->model, site->node, site->nodes, st->q_m, q_m);
    for (int s = 0; s < site->ambient; s++)
        for (int c = 0; c < 3; c++) q[s][0][c] = q_f[3 * s + c], q[s][1][c] = q_m[3 * s + c];
}

/* z = N q of both. */
static void vectors_of(const ts_site *site, const double *N, both *q, double *z_f, double *z_m) {
    for (int k = 0; k < site->slots; k++, z_f += 3, z_m += 3) {
        pair a = {0, 0}, b = a, c = a;
        for (int s = 0; s < site->ambient; s++, N++) {
            if (*N == 0) continue; /* inner nodes have few of the vectors */
            const double *at = q[s][0];
            pair w = twice(*N);
            a += w * load_pair(at), b += w * load_pair(at + 2), c += w * load_pair(at + 4);
        }
        z_f[0] = a[0], z_f[1] = a[1], z_f[2] = b[0];
        z_m[0] = b[1], z_m[1] = c[0], z_m[2] = c[1];
    }
}

/* F += N^T f */
static void add_forces(const ts_site *site, const double *N, const double *f, double *F) {
    for (int k = 0; k < site->slots; k++, f += 3)
        for (int s = 0; s < site->ambient; s++, N++) {
            if (*N == 0) continue;
            double *to = F + 3 * s;
            to[0] += *N * f[0], to[1] += *N * f[1], to[2] += *N * f[2];
        }
}

static bool has_vectors(const ts_site *site) {
    return site->role == TS_ROLE_LAW && site->interpolation >= 0 && !site->kernel && !site->reads;
}

static bool all_have_vectors(const ts_site *site, int sites) {
    for (int i = 0; i < sites; i++)
        if (!has_vectors(site + i)) return false;
    return true;
}

bool ts_vectors_residual(ts_step *st, const ts_scheme *scheme, const ts_site *site, int sites) {
    if (!scheme->vector_forces || !all_have_vectors(site, sites)) return false;
    both q[TS_MAX_SLOTS];
    double z_f[MOST], z_m[MOST], f[MOST], F[MOST];
    const ts_site *first = site;
    gather_both(st, site, q);
    memset(F, 0, (size_t)(3 * site->ambient) * sizeof *F);
    for (int i = 0; i < sites; i++, site++) {
        const double *N = st->model->interpolation + site->interpolation;
        if (i == 0 || site->interpolation != site[-1].interpolation) {
            vectors_of(site, N, q, z_f, z_m);
            memset(f, 0, (size_t)(3 * site->slots) * sizeof *f);
        }
        scheme->vector_forces(st, site, z_f, z_m, f);
        if (i + 1 == sites || site->interpolation != site[1].interpolation)
            add_forces(site, N, f, F);
    }
    ts_scatter_slots(st->model, first, F, st->F);
    return true;
}

/* ---- from z to the slots ----
 *
 * Here rows have all first components of the slots, then all second, then all third ones: the
 * weights of a vector, which are the same for the three, are then a row too. */

/* Weights with an even number of slots, and between which they are not zero. */
typedef struct weights {
    int vectors, slots, wide;
    double N[TS_MAX_SLOTS][WIDE];
    int from[TS_MAX_SLOTS], to[TS_MAX_SLOTS]; /* even; of every third vector, for three */
} weights;

/* Where the weights of three vectors begin and end. */
static void find_range(weights *w, int q) {
    int from = 0, to = w->slots;
    while (from < to && w->N[q][from] == 0 && w->N[q + 1][from] == 0 && w->N[q + 2][from] == 0)
        from++;
    while (from < to && w->N[q][to - 1] == 0 && w->N[q + 1][to - 1] == 0 &&
           w->N[q + 2][to - 1] == 0)
        to--;
    w->from[q] = from / PAIR * PAIR, w->to[q] = even(to);
}

static void set_weights(const ts_local *l, weights *w) {
    w->vectors = l->vectors, w->slots = l->slots, w->wide = even(l->slots);
    for (int q = 0; q < w->vectors; q++) {
        memcpy(w->N[q], l->N + q * l->slots, (size_t)l->slots * sizeof(double));
        if (w->wide > w->slots) w->N[q][w->slots] = 0;
    }
    for (int q = 0; q + 3 <= w->vectors; q += 3) find_range(w, q);
}

/* to += k_0 N_0 + k_3 N_1 + k_6 N_2, one component of three vectors. */
static inline void add_three(const double *k, pair N0, pair N1, pair N2, double *restrict to) {
    store_pair(to, load_pair(to) + twice(k[0]) * N0 + twice(k[3]) * N1 + twice(k[6]) * N2);
}

/* One row of K N: k N, 3 components of `wide` slots. */
static void times_weights(const weights *w, const double *k, double *restrict kN) {
    double *y = kN + w->wide, *z = y + w->wide;
    int q = 0;
    memset(kN, 0, (size_t)(3 * w->wide) * sizeof *kN);
    for (; q + 3 <= w->vectors; q += 3, k += 9) {
        const double *N = w->N[q];
        for (int s = w->from[q]; s < w->to[q]; s += PAIR) {
            pair N0 = load_pair(N + s), N1 = load_pair(N + WIDE + s),
                 N2 = load_pair(N + 2 * WIDE + s);
            add_three(k, N0, N1, N2, kN + s);
            add_three(k + 1, N0, N1, N2, y + s);
            add_three(k + 2, N0, N1, N2, z + s);
        }
    }
    for (; q < w->vectors; q++, k += 3)
        for (int s = 0; s < w->slots; s++) {
            double N = w->N[q][s];
            kN[s] += k[0] * N, y[s] += k[1] * N, z[s] += k[2] * N;
        }
}

/* S += N^T (K N); rows of S are those of the slots, 3 `wide` long. */
static void add_spread(const ts_local *l, const double *K, double *S) {
    double KN[MOST * 3 * WIDE];
    weights w;
    set_weights(l, &w);
    int n = 3 * w.wide, z = 3 * w.vectors;
    for (int r = 0; r < z; r++) times_weights(&w, K + r * even(z), KN + r * n);
    for (int s = 0; s < w.slots; s++) {
        row_sum sum;
        sum.count = 0;
        for (int q = 0; q < w.vectors; q++)
            if (w.N[q][s] != 0) add_to_sum(&sum, w.N[q][s], KN + 3 * q * n);
        for (int c = 0; c < 3; c++) {
            add_sum(n, &sum, S + (3 * s + c) * n);
            for (int k = 0; k < sum.count; k++) sum.row[k] += n;
        }
    }
}

/* to += S, slot by slot; rows of `to` are `width` apart. */
static void add_by_slots(const ts_local *l, const double *S, double *to, int width) {
    int wide = even(l->slots);
    for (int r = 0; r < 3 * l->slots; r++, S += 3 * wide, to += width)
        for (int s = 0; s < l->slots; s++)
            for (int c = 0; c < 3; c++) to[3 * s + c] += S[c * wide + s];
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

/* The tangent over the slots, into a matrix whose rows are `width` apart. */
static void slot_tangent(ts_step *st, const ts_scheme *scheme, const ts_site *site, int sites,
                         ts_local *l, double *to, int width) {
    double K[MOST * (MOST + PAIR)], S[MOST * 3 * WIDE];
    memset(S, 0, (size_t)(9 * l->slots * even(l->slots)) * sizeof *S);
    for (int i = 0; i < sites; i++, site++) {
        size_t size = (size_t)(3 * site->slots * even(3 * site->slots)) * sizeof *K;
        if (i == 0 || site->interpolation != site[-1].interpolation) memset(K, 0, size);
        scheme->vector_tangent(st, site, K);
        if (i + 1 < sites && site->interpolation == site[1].interpolation) continue;
        l->vectors = site->slots, l->N = st->model->interpolation + site->interpolation;
        add_spread(l, K, S);
    }
    add_by_slots(l, S, to, width);
}

static void general_element(ts_step *st, const ts_scheme *scheme, const ts_site *site, int sites,
                            ts_local *l, double *dense) {
    double S[MOST * MOST];
    memset(S, 0, (size_t)(9 * l->slots * l->slots) * sizeof *S);
    slot_tangent(st, scheme, site, sites, l, S, 3 * l->slots);
    add_projected(st, l, S, dense);
}

bool ts_vectors_element(ts_step *st, const ts_scheme *scheme, const ts_site *site, int sites,
                        ts_local *l, double *dense) {
    if (!scheme->vector_tangent || !all_have_vectors(site, sites)) return false;
    if (st->probing) { /* full: every strain depends on every node */
        for (int i = 0; i < l->width * l->width; i++) dense[i] = 1;
        return true;
    }
    if (only_points(l)) /* what is over the slots is over the unknowns */
        slot_tangent(st, scheme, site, sites, l, dense, l->width);
    else
        general_element(st, scheme, site, sites, l, dense);
    return true;
}
