/* SPDX-License-Identifier: Apache-2.0 */
/* New factors L U of a matrix whose pivots are known, column by column (J. R. Gilbert and
 * T. Peierls, SIAM J. Sci. Stat. Comput. 9 (1988) 862):
 *
 *     x = column k of A, rows scaled and in the order of pivots
 *     for each entry j of column k of U, in turn:  u_jk = x_j ,  x -= u_jk L_j
 *     u_kk = x_k ,   L_k = x/u_kk below it
 *
 * As klu_refactor does it, term by term. But unknowns of a node are eliminated one behind the
 * other, and columns j, j + 1 of L mostly have the same rows below j + 1: twins, which are taken
 * off x together; and a complex number is a pair of numbers. That takes half of the instructions.
 */
#include "sparse/renewal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sparse/pair.h"

/* `row` counts numbers of x, which are two for a complex one. Values go to `to`; those of L are
 * also kept, for the columns that come later. */
typedef struct columns {
    int *start, *row;
    double *value;
    ts_places to;
} columns;

struct ts_renewal {
    const ts_sparse *A;
    const int *column; /* of each pivot */
    int *place;        /* of each entry of A: its row, in the order of pivots */
    int parts;         /* of a number: 1 or 2 */
    columns lower, upper;
    bool *twin; /* column j of L has the rows of column j + 1, and j + 1 itself */
    double *x;  /* a column, zero between two of them */
};

ts_renewal *ts_renewal_new(const ts_sparse *A, const int *row, const int *column, bool complex) {
    ts_renewal *r = ts_calloc(1, sizeof *r);
    *r = (ts_renewal){.A = A, .column = column, .parts = complex ? 2 : 1};
    int *turn = ts_calloc((size_t)A->n + 1, sizeof *turn);
    for (int k = 0; k < A->n; k++) turn[row[k]] = k;
    r->place = ts_calloc((size_t)A->nnz + 1, sizeof *r->place);
    for (int p = 0; p < A->nnz; p++) r->place[p] = turn[A->row[p]];
    r->twin = ts_calloc((size_t)A->n + 1, sizeof *r->twin);
    r->x = ts_calloc((size_t)(r->parts * A->n) + 1, sizeof *r->x);
    free(turn);
    return r;
}

static void clear(columns *c) { free(c->start), free(c->row), free(c->value); }

void ts_renewal_free(ts_renewal *r) {
    if (!r) return;
    clear(&r->lower), clear(&r->upper);
    free(r->place), free(r->twin), free(r->x);
    free(r);
}

static bool are_twins(const columns *c, int j, int next) {
    const int *row = c->row + c->start[j] + 1, *other = c->row + c->start[j + 1] + 1;
    int count = c->start[j + 2] - c->start[j + 1] - 1;
    if (c->start[j + 1] - c->start[j] - 1 != count + 1 || row[0] != next) return false;
    return memcmp(row + 1, other, (size_t)count * sizeof *row) == 0;
}

void ts_renewal_pattern(ts_renewal *r, bool upper, const int *start, const int *row, ts_places to) {
    columns *c = upper ? &r->upper : &r->lower;
    int n = r->A->n, count = start[n];
    c->start = ts_calloc((size_t)n + 1, sizeof *c->start);
    c->row = ts_calloc((size_t)count + 1, sizeof *c->row);
    c->to = to;
    for (int k = 0; k <= n; k++) c->start[k] = start[k];
    for (int p = 0; p < count; p++) c->row[p] = r->parts * row[p];
    if (upper) return;
    c->value = ts_calloc((size_t)r->parts * (size_t)count + 1, sizeof *c->value);
    for (int k = 0; k + 1 < n; k++) r->twin[k] = are_twins(c, k, r->parts * (k + 1));
}

/* ---- numbers ---- */

static void scale_rows(const ts_renewal *r, const double *value, double *scale) {
    memset(scale, 0, (size_t)r->A->n * sizeof *scale);
    for (int p = 0; p < r->A->nnz; p++) {
        double *most = &scale[r->place[p]], size = fabs(value[p]);
        if (size > *most) *most = size;
    }
}

/* x -= u L_j, or those of twins. */
static inline void less(int count, const int *row, const double *L, double u, double *restrict x) {
    for (int i = 0; i < count; i++) x[row[i]] -= L[i] * u;
}

static inline void less_twins(int count, const int *row, const double *L, double u, const double *M,
                              double v, double *restrict x) {
    for (int i = 0; i < count; i++) x[row[i]] = x[row[i]] - L[i] * u - M[i] * v;
}

/* Column k of U from x, and what it takes off x. */
static void eliminate(ts_renewal *r, int first, int last, double *restrict x) {
    const int *start = r->lower.start, *row = r->lower.row;
    const double *L = r->lower.value;
    const uint32_t *place = r->upper.to.place;
    double *U = r->upper.to.value;
    for (int e = first; e < last; e++) {
        int j = r->upper.row[e], at = start[j] + 1, count = start[j + 1] - at;
        double u = U[place[e]] = x[j];
        x[j] = 0;
        if (!r->twin[j] || e + 1 == last) {
            less(count, row + at, L + at, u, x);
            continue;
        }
        double v = U[place[++e]] = x[j + 1] - L[at] * u;
        x[j + 1] = 0;
        less_twins(count - 1, row + at + 1, L + at + 1, u, L + start[j + 1] + 1, v, x);
    }
}

static bool renew_real(ts_renewal *r, const double *value, double *restrict scale, double *pivot) {
    const ts_sparse *A = r->A;
    const columns *lower = &r->lower;
    double *restrict x = r->x;
    bool good = true;
    scale_rows(r, value, scale);
    for (int k = 0; k < A->n; k++) {
        int column = r->column[k], last = r->upper.start[k + 1] - 1;
        for (int p = A->start[column]; p < A->start[column + 1]; p++)
            x[r->place[p]] = value[p] / scale[r->place[p]];
        eliminate(r, r->upper.start[k], last, x);
        double u = pivot[k] = x[k];
        x[k] = 0;
        good = good && isfinite(u) && u != 0;
        for (int p = lower->start[k] + 1; p < lower->start[k + 1]; p++) {
            lower->to.value[lower->to.place[p]] = lower->value[p] = x[lower->row[p]] / u;
            x[lower->row[p]] = 0;
        }
    }
    return good;
}

/* Squares of sizes first. */
static void scale_complex_rows(const ts_renewal *r, const double *value, double *scale) {
    memset(scale, 0, (size_t)r->A->n * sizeof *scale);
    for (int p = 0; p < r->A->nnz; p++) {
        double re = value[2 * p], im = value[2 * p + 1], size = re * re + im * im;
        double *most = &scale[r->place[p]];
        if (size > *most) *most = size;
    }
    for (int k = 0; k < r->A->n; k++) scale[k] = sqrt(scale[k]);
}

static inline void less_complex(int count, const int *row, const double *L, factor u,
                                double *restrict x) {
    for (int i = 0; i < count; i++) {
        double *y = x + row[i];
        store(y, load(y) - product(load(L + 2 * i), u));
    }
}

static inline void less_complex_twins(int count, const int *row, const double *L, factor u,
                                      const double *M, factor v, double *restrict x) {
    for (int i = 0; i < count; i++) {
        double *y = x + row[i];
        store(y, load(y) - product(load(L + 2 * i), u) - product(load(M + 2 * i), v));
    }
}

static const two NONE = {0, 0};

static void eliminate_complex(ts_renewal *r, int first, int last, double *restrict x) {
    const int *start = r->lower.start, *row = r->lower.row;
    const double *L = r->lower.value;
    const uint32_t *place = r->upper.to.place;
    double *U = r->upper.to.value;
    for (int e = first; e < last; e++) {
        int i = r->upper.row[e], j = i / 2, at = start[j] + 1, count = start[j + 1] - at;
        const double *below = L + 2 * (size_t)at, *next = L + 2 * (size_t)start[j + 1] + 2;
        two u = load(x + i);
        factor by = factor_of(u);
        store(U + 2 * (size_t)place[e], u), store(x + i, NONE);
        if (!r->twin[j] || e + 1 == last) {
            less_complex(count, row + at, below, by, x);
            continue;
        }
        two v = load(x + i + 2) - product(load(below), by);
        store(U + 2 * (size_t)place[++e], v), store(x + i + 2, NONE);
        less_complex_twins(count - 1, row + at + 1, below + 2, by, next, factor_of(v), x);
    }
}

static bool renew_complex(ts_renewal *r, const double *value, double *restrict scale,
                          double *pivot) {
    const ts_sparse *A = r->A;
    const columns *lower = &r->lower;
    double *restrict x = r->x, by[3];
    bool good = true;
    scale_complex_rows(r, value, scale);
    for (int k = 0; k < A->n; k++) {
        int column = r->column[k], last = r->upper.start[k + 1] - 1;
        for (int p = A->start[column]; p < A->start[column + 1]; p++)
            store(x + 2 * r->place[p], load(value + 2 * p) / twice(scale[r->place[p]]));
        eliminate_complex(r, r->upper.start[k], last, x);
        two u = load(x + 2 * k);
        double size = fabs(u[0]) + fabs(u[1]);
        good = good && isfinite(size) && size > 0;
        store(pivot + 2 * k, u), store(x + 2 * k, NONE);
        prepare_division(u[0], u[1], by);
        for (int p = lower->start[k] + 1; p < lower->start[k + 1]; p++) {
            double *y = x + lower->row[p];
            two below = quotient(load(y), by);
            store(lower->value + 2 * (size_t)p, below), store(y, NONE);
            store(lower->to.value + 2 * (size_t)lower->to.place[p], below);
        }
    }
    return good;
}

bool ts_renew(ts_renewal *r, const double *value, double *scale, double *pivot) {
    return r->parts == 2 ? renew_complex(r, value, scale, pivot)
                         : renew_real(r, value, scale, pivot);
}
