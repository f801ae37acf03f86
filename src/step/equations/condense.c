/* SPDX-License-Identifier: Apache-2.0 */
/* Static condensation of the inner unknowns of elements (E. L. Wilson, Int. J. Num. Meth. Eng. 8
 * (1974) 198), such as the enhanced strains of hexahedra.
 *
 * An inner unknown has no mass and belongs to one element, so in the equations of a Newton step it
 * appears in the matrix of that element only,
 *
 *     [ K_bb  K_bi ] [ d_b ]   [ r_b ]
 *     [ K_ib  K_ii ] [ d_i ] = [ r_i ] ,
 *
 * and can be eliminated before the element is added to the others:
 *
 *     (K_bb - K_bi K_ii^-1 K_ib) d_b = r_b - K_bi K_ii^-1 r_i ,    d_i = K_ii^-1 (r_i - K_ib d_b) .
 *
 * Gauss-Jordan elimination in place, with the pivots K_ii, turns the matrix of the element into
 *
 *     [ K_bb - K_bi K_ii^-1 K_ib   -K_bi K_ii^-1 ]
 *     [ K_ii^-1 K_ib                K_ii^-1      ] :
 *
 * the first block goes to the assembled matrix, the other three are kept until the next
 * factorisation. Pivots are sought among the inner rows; the exchanges are undone in the columns of
 * the inverse, in reverse order.
 *
 * ED's short tangent (short.c) has M + f K in place of K, with one complex number f and no M on
 * inner unknowns. f cancels in both products, and K_ii^-1 is to be divided by it.
 */
#include "step/equations/condense.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "step/stepper.h"

#include <complex.h> /* last, for its I */

enum { MOST_INNER = 64 };
static const double SINGULAR = 100 * DBL_EPSILON; /* a pivot, of the largest entry of K_ii */

/* ---- which unknowns ---- */

/* In how many elements each node is; in too many where something else needs it. */
static int *count_elements(const ts_equations *eq) {
    const ts_model *model = eq->step->model;
    const ts_schedule *plan = eq->team->schedule;
    int *count = ts_calloc((size_t)model->nodes_count + 1, sizeof *count);
    for (int e = 0; e < plan->elements; e++) {
        const ts_site *site = &model->sites[plan->site[e]];
        for (int k = 0; k < site->nodes; k++) count[model->site_nodes[site->node + k]]++;
    }
    for (int i = 0; i < model->loads_count; i++) count[model->loads[i].node] += 2;
    for (int i = 0; i < model->pressures_count; i++)
        for (int k = 0; k < model->pressures[i].nodes; k++)
            count[model->site_nodes[model->pressures[i].node + k]] += 2;
    return count;
}

static bool is_inner(const ts_equations *eq, const int *count, int n) {
    const ts_node *node = &eq->step->model->nodes[n];
    return node->inner && node->kind == TS_NODE_POINT && node->mass[0][0] == 0 && count[n] == 1 &&
           eq->step->system->node_dof[n] >= 0;
}

/* Rows are not multiplied as stiffness is in the short tangent, and the stiffness of what turns
 * comes in two parts: an element with any is left as it is. */
static bool comes_in_parts(const ts_equations *eq, int e) {
    const ts_model *model = eq->step->model;
    const ts_schedule *plan = eq->team->schedule;
    for (int i = plan->site[e]; i < plan->site[e + 1]; i++) {
        const ts_site *site = &model->sites[i];
        if (site->rows) return true;
        for (int k = 0; k < site->nodes; k++)
            if (model->nodes[model->site_nodes[site->node + k]].slots > 1) return true;
    }
    return false;
}

/* place = -1 for the inner unknowns of an element; how many there are. */
static int mark_inner(const ts_equations *eq, const int *count, int e, int *place) {
    const ts_system *system = eq->step->system;
    const ts_site *site = &eq->step->model->sites[eq->team->schedule->site[e]];
    int stages = eq->scheme->stages, inner = 0;
    const int *node = eq->step->model->site_nodes + site->node;
    for (int k = 0; k < site->nodes; k++) inner += 3 * stages * is_inner(eq, count, node[k]);
    if (inner == 0 || inner > MOST_INNER || comes_in_parts(eq, e)) return 0;
    for (int k = 0; k < site->nodes; k++)
        for (int i = 0; i < 3 * stages && is_inner(eq, count, node[k]); i++)
            place[i / 3 * system->dofs + system->node_dof[node[k]] + i % 3] = -1;
    return inner;
}

/* The equations of an element, -1 where there are none; its width. */
static int element_equations(const ts_equations *eq, int e, int *unknown) {
    const ts_site *site = &eq->step->model->sites[eq->team->schedule->site[e]];
    ts_local l;
    ts_local_site(eq->step->model, site, eq->scheme->stages, &l);
    ts_local_equations(eq->step, &l, unknown);
    return l.width;
}

/* Unknowns of the nodes first, inner ones behind them. */
static void list_unknowns(ts_condensation *c, const ts_equations *eq, int k) {
    ts_inner_element *x = &c->element[k];
    int all[TS_MAX_WIDTH], width = element_equations(eq, c->which[k], all);
    int *outer = c->unknowns + x->unknown, *inner = outer + x->outer;
    for (int i = 0; i < width; i++) {
        if (all[i] < 0) continue;
        if (c->place[all[i]] < 0)
            *inner++ = all[i];
        else
            *outer++ = all[i];
    }
}

static int count_outer(const ts_condensation *c, const ts_equations *eq, int e) {
    int all[TS_MAX_WIDTH], width = element_equations(eq, e, all), outer = 0;
    for (int i = 0; i < width; i++) outer += all[i] >= 0 && c->place[all[i]] >= 0;
    return outer;
}

static void find_inner(ts_condensation *c, const ts_equations *eq) {
    int *count = count_elements(eq), elements = eq->team->schedule->elements;
    c->of = ts_calloc((size_t)elements + 1, sizeof *c->of);
    c->which = ts_calloc((size_t)elements + 1, sizeof *c->which);
    c->element = ts_calloc((size_t)elements + 1, sizeof *c->element);
    for (int e = 0; e < elements; e++) {
        int inner = mark_inner(eq, count, e, c->place);
        c->of[e] = inner ? c->count : -1;
        if (inner) c->which[c->count] = e, c->element[c->count++].inner = inner;
    }
    free(count);
}

static void allocate(ts_condensation *c, const ts_equations *eq) {
    int64_t unknowns = 0, values = 0;
    for (int k = 0; k < c->count; k++) {
        ts_inner_element *x = &c->element[k];
        x->outer = count_outer(c, eq, c->which[k]);
        x->unknown = unknowns, x->value = values;
        unknowns += x->outer + x->inner, values += (2 * x->outer + x->inner) * x->inner;
    }
    c->element = ts_realloc(c->element, (size_t)c->count + 1, sizeof *c->element);
    c->unknowns = ts_calloc((size_t)unknowns + 1, sizeof *c->unknowns);
    c->values = ts_calloc((size_t)values + 1, sizeof *c->values);
    c->left = ts_calloc(2 * (size_t)c->n + 2, sizeof *c->left);
    for (int k = 0; k < c->count; k++) list_unknowns(c, eq, k);
}

ts_condensation *ts_condensation_new(const ts_equations *eq) {
    ts_condensation *c = ts_calloc(1, sizeof *c);
    c->place = ts_calloc((size_t)eq->n + 1, sizeof *c->place);
    find_inner(c, eq);
    for (int i = 0; i < eq->n; i++)
        if (c->place[i] == 0) c->place[i] = c->n++;
    if (c->count == 0) {
        ts_condensation_free(c);
        return NULL;
    }
    allocate(c, eq);
    return c;
}

void ts_condensation_free(ts_condensation *c) {
    if (!c) return;
    free(c->place), free(c->of), free(c->which), free(c->element);
    free(c->unknowns), free(c->values), free(c->left);
    free(c);
}

void ts_condense_groups(const ts_condensation *c, int n, int *group) {
    for (int i = 0; i < n; i++)
        if (c->place[i] >= 0) group[c->place[i]] = group[i];
}

/* ---- elimination ---- */

void ts_condense_pattern(const ts_condensation *c, int width, int *place, bool *mask) {
    bool to[TS_MAX_WIDTH] = {false}, from[TS_MAX_WIDTH] = {false};
    for (int k = 0; k < width; k++) {
        if (place[k] < 0 || c->place[place[k]] >= 0) continue;
        for (int i = 0; i < width; i++)
            to[i] |= mask[i * width + k], from[i] |= mask[k * width + i];
    }
    for (int i = 0; i < width; i++)
        for (int j = 0; j < width; j++) mask[i * width + j] |= to[i] && from[j];
    for (int i = 0; i < width; i++)
        if (place[i] >= 0) place[i] = c->place[place[i]];
}

/* to += factor from */
static void add_scaled(int n, double factor, const double *restrict from, double *restrict to) {
#ifndef __clang__ /* which warns where it is told not to optimise; by itself it does this too */
#pragma omp simd
#endif
    for (int i = 0; i < n; i++) to[i] += factor * from[i];
}

static void swap_rows(int width, double *a, double *b) {
    double room[TS_MAX_WIDTH];
    size_t size = (size_t)width * sizeof *a;
    memcpy(room, a, size), memcpy(a, b, size), memcpy(b, room, size);
}

/* The inner row, from the k-th on, with the largest entry in the k-th inner column. */
static int choose_pivot(int width, int count, const int *inner, int k, const double *dense) {
    int best = k;
    for (int i = k + 1; i < count; i++)
        if (fabs(dense[inner[i] * width + inner[k]]) > fabs(dense[inner[best] * width + inner[k]]))
            best = i;
    return best;
}

static double largest_inner(int width, int count, const int *inner, const double *dense) {
    double most = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) most = fmax(most, fabs(dense[inner[i] * width + inner[j]]));
    return most;
}

/* One step of Gauss-Jordan elimination with the pivot (p, p). */
static void eliminate(int width, int p, double *dense) {
    double *row = dense + p * width, pivot = 1 / row[p];
    for (int j = 0; j < width; j++) row[j] *= pivot;
    row[p] = pivot;
    for (int i = 0; i < width; i++) {
        double *other = dense + i * width, factor = other[p];
        if (i == p || factor == 0) continue;
        other[p] = 0;
        add_scaled(width, -factor, row, other);
    }
}

/* All of them; false: a pivot is too small. */
static bool eliminate_inner(int width, int count, const int *inner, double *dense) {
    int from[MOST_INNER];
    double least = SINGULAR * largest_inner(width, count, inner, dense);
    for (int k = 0; k < count; k++) {
        int best = from[k] = choose_pivot(width, count, inner, k, dense);
        if (best != k) swap_rows(width, dense + inner[k] * width, dense + inner[best] * width);
        if (!(fabs(dense[inner[k] * width + inner[k]]) > least)) return false;
        eliminate(width, inner[k], dense);
    }
    for (int k = count - 1; k >= 0; k--)
        for (int i = 0; i < width && from[k] != k; i++) {
            double *a = &dense[i * width + inner[k]], *b = &dense[i * width + inner[from[k]]];
            double room = *a;
            *a = *b, *b = room;
        }
    return true;
}

/* The three blocks that are kept, by columns: of -K_bi K_ii^-1, of K_ii^-1 K_ib, of K_ii^-1. */
static void keep(const ts_inner_element *x, int width, const int *outer, const int *inner,
                 const double *dense, double *value) {
    for (int i = 0; i < x->inner; i++)
        for (int b = 0; b < x->outer; b++) *value++ = dense[outer[b] * width + inner[i]];
    for (int b = 0; b < x->outer; b++)
        for (int i = 0; i < x->inner; i++) *value++ = dense[inner[i] * width + outer[b]];
    for (int j = 0; j < x->inner; j++)
        for (int i = 0; i < x->inner; i++) *value++ = dense[inner[i] * width + inner[j]];
}

/* Where the unknowns of the element stand in its dense matrix. */
static void find_places(const ts_condensation *c, const int *all, int width, int *outer,
                        int *inner) {
    for (int i = 0; i < width; i++) {
        if (all[i] < 0) continue;
        if (c->place[all[i]] < 0)
            *inner++ = i;
        else
            *outer++ = i;
    }
}

void ts_condense_element(const ts_equations *eq, int e, int width, double *dense) {
    ts_condensation *c = eq->inner;
    if (c->of[e] < 0) return;
    int all[TS_MAX_WIDTH], outer[TS_MAX_WIDTH], inner[TS_MAX_WIDTH];
    const ts_inner_element *x = &c->element[c->of[e]];
    element_equations(eq, e, all);
    find_places(c, all, width, outer, inner);
    if (eliminate_inner(width, x->inner, inner, dense))
        keep(x, width, outer, inner, dense, c->values + x->value);
    else
        __atomic_store_n(&c->singular, true, __ATOMIC_RELAXED);
}

/* ---- right-hand sides and solutions ---- */

/* What the loops over elements work on: `parts` numbers for each unknown, 2 of a complex one. */
typedef struct solution {
    const ts_condensation *c;
    double *x;
    int parts;
    double complex factor; /* what K_ii^-1 is to be divided by */
} solution;

enum { MOST_PARTS = 2 * TS_MAX_WIDTH };

static void gather(const solution *s, int count, const int *unknown, double *to) {
    for (int i = 0; i < count; i++)
        for (int p = 0; p < s->parts; p++) to[p * count + i] = s->x[s->parts * unknown[i] + p];
}

static void scatter(const solution *s, int count, const int *unknown, const double *from) {
    for (int i = 0; i < count; i++)
        for (int p = 0; p < s->parts; p++) s->x[s->parts * unknown[i] + p] = from[p * count + i];
}

/* to += sign columns . from, part by part */
static void add_product(const solution *s, int rows, int columns, const double *value, double sign,
                        const double *from, double *to) {
    for (int p = 0; p < s->parts; p++)
        for (int j = 0; j < columns; j++)
            add_scaled(rows, sign * from[p * columns + j], value + j * rows, to + p * rows);
}

/* What is known of an element: its unknowns, what x has there, and the blocks that were kept. */
typedef struct at_element {
    const ts_inner_element *x;
    const int *outer, *inner;
    const double *product, *back, *inverse; /* -K_bi K_ii^-1, K_ii^-1 K_ib, K_ii^-1 */
    double b[MOST_PARTS], i[MOST_PARTS];    /* of the nodes, and inner ones */
} at_element;

/* false: the element has no inner unknowns. */
static bool look_at(const solution *s, int e, at_element *at) {
    if (s->c->of[e] < 0) return false;
    const ts_inner_element *x = at->x = &s->c->element[s->c->of[e]];
    at->outer = s->c->unknowns + x->unknown, at->inner = at->outer + x->outer;
    at->product = s->c->values + x->value, at->back = at->product + x->outer * x->inner;
    at->inverse = at->back + x->outer * x->inner;
    gather(s, x->outer, at->outer, at->b), gather(s, x->inner, at->inner, at->i);
    return true;
}

/* r_b - K_bi K_ii^-1 r_i */
static void reduce(void *context, int e, double *scratch) {
    const solution *s = context;
    at_element at;
    (void)scratch;
    if (!look_at(s, e, &at)) return;
    add_product(s, at.x->outer, at.x->inner, at.product, 1, at.i, at.b);
    scatter(s, at.x->outer, at.outer, at.b);
}

/* d_i = K_ii^-1 r_i - K_ii^-1 K_ib d_b */
static void restore(void *context, int e, double *scratch) {
    const solution *s = context;
    at_element at;
    (void)scratch;
    if (!look_at(s, e, &at)) return;
    int inner = at.x->inner;
    double d_i[2 * MOST_INNER] = {0};
    for (int i = 0; i < inner && s->parts == 2; i++) {
        double complex r = (at.i[i] + I * at.i[inner + i]) / s->factor;
        at.i[i] = creal(r), at.i[inner + i] = cimag(r);
    }
    add_product(s, inner, inner, at.inverse, 1, at.i, d_i);
    add_product(s, inner, at.x->outer, at.back, -1, at.b, d_i);
    scatter(s, inner, at.inner, d_i);
}

static void solve(ts_equations *eq, double *x, int parts, double complex factor) {
    ts_condensation *c = eq->inner;
    if (!c) {
        ts_lu_solve(eq->lu, x);
        return;
    }
    solution s = {c, x, parts, factor};
    ts_each_element(eq->team, reduce, &s);
    for (int i = 0; i < eq->n; i++)
        for (int p = 0; p < parts && c->place[i] >= 0; p++)
            c->left[parts * c->place[i] + p] = x[parts * i + p];
    ts_lu_solve(eq->lu, c->left);
    for (int i = 0; i < eq->n; i++)
        for (int p = 0; p < parts && c->place[i] >= 0; p++)
            x[parts * i + p] = c->left[parts * c->place[i] + p];
    ts_each_element(eq->team, restore, &s);
}

void ts_solve(ts_equations *eq, double *x) { solve(eq, x, 1, 1); }

void ts_solve_complex(ts_equations *eq, double *x, const double factor[2]) {
    solve(eq, x, 2, factor[0] + I * factor[1]);
}
