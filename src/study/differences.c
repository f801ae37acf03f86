/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix of a step by coloured differences. See study.h.
 *
 * Pattern: all unknowns of all nodes and rows of a site depend on each other, and those of a node
 * among themselves. It is symmetric, so the rows of column j are also the columns that meet row j,
 * and greedy colouring needs nothing else.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/study.h"

struct ts_differences {
    ts_sparse *A;
    ts_lu *lu;
    int n, colours;
    int *colour; /* per column */
    char *kind;  /* per column: length, angle, multiplier */
    double *x, *plus, *minus;
};

static const double PIVOTING = 0.1; /* rows have no diagonal of their own */

static int equations_of_node(const ts_step *st, int n, int blocks, int *eq) {
    int dof = st->system->node_dof[n], nd = st->model->nodes[n].slots > 1 ? 6 : 3, count = 0;
    for (int b = 0; dof >= 0 && b < blocks; b++)
        for (int i = 0; i < nd; i++) eq[count++] = b * st->system->dofs + dof + i;
    return count;
}

static int equations_of_site(const ts_step *st, const ts_site *site, int node_blocks,
                             int row_blocks, int *eq) {
    int count = 0;
    for (int i = 0; i < site->nodes; i++)
        count +=
            equations_of_node(st, st->model->site_nodes[site->node + i], node_blocks, eq + count);
    for (int b = 0; b < row_blocks; b++)
        for (int r = site->row; r < site->row + site->rows; r++)
            if (st->system->row_eq[r] >= 0)
                eq[count++] =
                    node_blocks * st->system->dofs + b * st->system->rows + st->system->row_eq[r];
    return count;
}

static void find_pattern(const ts_step *st, int node_blocks, int row_blocks, ts_sparse *A) {
    int most = 6 * TS_MAX_NODES * node_blocks + TS_MAX_FORMS * row_blocks;
    int *eq = ts_calloc((size_t)most, sizeof *eq);
    bool *all = ts_calloc((size_t)most * (size_t)most, sizeof *all);
    memset(all, 1, (size_t)most * (size_t)most);
    for (int i = 0; i < st->model->sites_count; i++) {
        int width = equations_of_site(st, &st->model->sites[i], node_blocks, row_blocks, eq);
        if (width) ts_sparse_element(A, width, eq, all);
    }
    for (int n = 0; n < st->model->nodes_count; n++) {
        int width = equations_of_node(st, n, node_blocks, eq);
        if (width) ts_sparse_element(A, width, eq, all);
    }
    ts_sparse_build(A);
    free(eq), free(all);
}

/* Columns in turn, each the first colour that no column has which shares a row with it. */
static void colour_columns(ts_differences *d) {
    const ts_sparse *A = d->A;
    int *taken = ts_calloc((size_t)d->n + 1, sizeof *taken); /* by column j + 1 */
    for (int j = 0; j < d->n; j++) d->colour[j] = -1;
    for (int j = 0; j < d->n; j++) {
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            for (int l = A->start[A->row[k]]; l < A->start[A->row[k] + 1]; l++)
                if (d->colour[A->row[l]] >= 0) taken[d->colour[A->row[l]]] = j + 1;
        int c = 0;
        while (taken[c] == j + 1) c++;
        d->colour[j] = c;
        if (c >= d->colours) d->colours = c + 1;
    }
    free(taken);
}

static void mark_kinds(const ts_step *st, int node_blocks, ts_differences *d) {
    memset(d->kind, 2, (size_t)d->n);
    int *eq = ts_calloc((size_t)(6 * node_blocks) + 1, sizeof *eq);
    for (int n = 0; n < st->model->nodes_count; n++) {
        int width = equations_of_node(st, n, node_blocks, eq);
        for (int i = 0; i < width; i++)
            d->kind[eq[i]] = st->model->nodes[n].slots > 1 && i % 6 >= 3;
    }
    free(eq);
}

ts_differences *ts_differences_new(const ts_step *st, int node_blocks, int row_blocks) {
    ts_differences *d = ts_calloc(1, sizeof *d);
    d->n = node_blocks * st->system->dofs + row_blocks * st->system->rows;
    d->A = ts_sparse_new(d->n);
    find_pattern(st, node_blocks, row_blocks, d->A);
    d->lu = ts_lu_new(d->A, 0, NULL);
    ts_lu_pivoting(d->lu, PIVOTING);
    size_t n = (size_t)d->n + 1;
    d->colour = ts_calloc(n, sizeof *d->colour), d->kind = ts_calloc(n, 1);
    d->x = ts_calloc(n, sizeof(double));
    d->plus = ts_calloc(n, sizeof(double)), d->minus = ts_calloc(n, sizeof(double));
    mark_kinds(st, node_blocks, d);
    colour_columns(d);
    return d;
}

void ts_differences_free(ts_differences *d) {
    if (!d) return;
    ts_sparse_free(d->A), ts_lu_free(d->lu);
    free(d->colour), free(d->kind), free(d->x), free(d->plus), free(d->minus);
    free(d);
}

void ts_differences_forget(ts_differences *d) { ts_lu_forget(d->lu); }
int ts_differences_colours(const ts_differences *d) { return d->colours; }

static void evaluate(ts_differences *d, int colour, double sign, ts_function *f, void *context,
                     const double *x, const double step[3], double *R) {
    memcpy(d->x, x, (size_t)d->n * sizeof(double));
    for (int j = 0; j < d->n; j++)
        if (d->colour[j] == colour) d->x[j] += sign * step[(int)d->kind[j]];
    f(context, d->x, R);
}

int ts_differences_factor(ts_differences *d, ts_function *f, void *context, const double *x,
                          const double step[3]) {
    ts_sparse *A = d->A;
    for (int c = 0; c < d->colours; c++) {
        evaluate(d, c, 1, f, context, x, step, d->plus);
        evaluate(d, c, -1, f, context, x, step, d->minus);
        for (int j = 0; j < d->n; j++) {
            if (d->colour[j] != c) continue;
            double width = (x[j] + step[(int)d->kind[j]]) - (x[j] - step[(int)d->kind[j]]);
            for (int k = A->start[j]; k < A->start[j + 1]; k++)
                A->value[k] = (d->plus[A->row[k]] - d->minus[A->row[k]]) / width;
        }
    }
    int where;
    return ts_lu_factor(d->lu, &where);
}

void ts_differences_solve(ts_differences *d, double *x) {
    if (d->n) ts_lu_solve(d->lu, x);
}
