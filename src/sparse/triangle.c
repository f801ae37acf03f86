/* SPDX-License-Identifier: Apache-2.0 */
/* Triangular equations  T x = b , columns of entries, solved by runs of columns.
 *
 * Entry by entry, x_i -= T_ik x_k  for each column k in turn, a solver fetches and stores x_i and
 * the number i for every entry. Unknowns of a node are eliminated one behind the other, so columns
 * come in runs whose entries are in the same rows. Here the entries of a run are stored row by row,
 * and x_i is fetched and stored once for the run.
 *
 * Every x_i takes its terms in the same order as entry by entry, and without a fused product: the
 * solution is the same to the last bit (but for the sign of a zero). A column joins a run where
 * that saves instructions, also if zeros have to fill rows up; these change no sum.
 *
 * An unknown waits for the one before it, and so for its pivot. Divisions take as long as four
 * products, so the reciprocals of pivots are kept: half a unit in the last place for each unknown.
 */
#include "sparse/triangle.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "sparse/pair.h"

enum { WIDEST = 32 }; /* columns of a run */

/* Columns first, first + 1, ...; entries among them come first, by pairs of columns; then those
 * of other rows. Of a real triangle rows come in pairs, too. */
typedef struct run {
    int first, width, rows; /* rows: filled up to pairs */
    int row;                /* where those begin */
    size_t value;           /* where the values begin */
} run;

struct ts_triangle {
    int n;
    bool upper, complex;
    run *run;
    int runs, *row, entries;
    double *value, *pivot; /* 1/pivot of an upper triangle */
    /* per entry: its value; of one on the diagonal, the one behind all */
    uint32_t *place;
    size_t values;
};

static int turn_of(const ts_triangle *t, int k) { return t->upper ? t->n - 1 - k : k; }

/* ---- rows of each column by their turn ---- */

/* Columns and rows by their turn, which is k itself, or n-1-k in an upper triangle; without the
 * diagonal. Entry `i` of column k is the given one  first[k] + step i . */
typedef struct columns {
    int n, step, *start, *row, *first;
} columns;

static columns turned_columns(int n, const int *start, const int *row, bool upper) {
    columns c = {.n = n,
                 .step = upper ? -1 : 1,
                 .start = ts_calloc((size_t)n + 1, sizeof(int)),
                 .row = ts_calloc((size_t)start[n] + 1, sizeof(int)),
                 .first = ts_calloc((size_t)n + 1, sizeof(int))};
    for (int k = 0, count = 0; k < n; k++) {
        int column = upper ? n - 1 - k : k, own = start[column + 1] - start[column] - 1;
        c.first[k] = upper ? start[column + 1] - 2 : start[column] + 1;
        for (int i = 0; i < own; i++) {
            int r = row[c.first[k] + c.step * i];
            c.row[count++] = upper ? n - 1 - r : r;
        }
        c.start[k + 1] = count;
    }
    return c;
}

static void free_columns(columns *c) { free(c->start), free(c->row), free(c->first); }

/* ---- which columns make a run ---- */

/* Instructions of a run, about: of each row, of each entry, of each entry among its own columns, of
 * each column, of the run. */
static double cost(bool complex, int width, int rows) {
    double own = 0.5 * width * (width - 1);
    return complex ? rows * (5 + 9.5 * width) + 10 * own + 30 * width + 30
                   : rows * (4 + 2.5 * width) + 3.5 * own + 14 * width + 30;
}

/* The rows of a and b behind `after`, in order. */
static int unite(const int *a, int as, const int *b, int bs, int after, int *out) {
    int i = 0, j = 0, count = 0;
    while (i < as || j < bs) {
        int next = j == bs || (i < as && a[i] < b[j]) ? a[i] : b[j];
        i += i < as && a[i] == next, j += j < bs && b[j] == next;
        if (next > after) out[count++] = next;
    }
    return count;
}

/* Columns of a block mostly have the rows of the one before, but for its own number. */
static bool is_next(const int *rows, int count, const int *own, int owns, int column) {
    return count == owns + 1 && rows[0] == column &&
           memcmp(rows + 1, own, (size_t)owns * sizeof *own) == 0;
}

/* The run that begins with column k; its rows, as turns, in `rows`. A column that is the next of
 * its block always saves instructions. */
static run gather_run(const ts_triangle *t, const columns *c, int k, int *rows, int *spare) {
    run r = {.first = k, .width = 1, .rows = c->start[k + 1] - c->start[k]};
    memcpy(rows, c->row + c->start[k], (size_t)r.rows * sizeof *rows);
    for (int j = k + 1; j < c->n && r.width < WIDEST; j++) {
        int own = c->start[j + 1] - c->start[j];
        if (is_next(rows, r.rows, c->row + c->start[j], own, j)) {
            memmove(rows, rows + 1, (size_t)own * sizeof *rows);
            r.width++, r.rows = own;
            continue;
        }
        int all = unite(rows, r.rows, c->row + c->start[j], own, j, spare);
        if (cost(t->complex, r.width + 1, all) >
            cost(t->complex, r.width, r.rows) + cost(t->complex, 1, own))
            break;
        memcpy(rows, spare, (size_t)all * sizeof *rows);
        r.width++, r.rows = all;
    }
    return r;
}

/* ---- where entries are kept ---- */

static int filled_up(const ts_triangle *t, int rows) { return t->complex ? rows : rows + rows % 2; }

/* Columns j and j+1 of a run, j even: one entry between them, then one of each in turn for every
 * column behind them, of a real triangle in pairs as rows are. */
static size_t pair_values(const ts_triangle *t, int width, int j) {
    return j + 1 < width ? 1 + 2 * (size_t)filled_up(t, width - j - 2) : 0;
}

static size_t own_values(const ts_triangle *t, int width) {
    size_t sum = 0;
    for (int j = 0; j < width; j += 2) sum += pair_values(t, width, j);
    return sum;
}

/* Within a block of `width` columns: the entry in its row i and column j. */
static size_t in_block(const ts_triangle *t, int width, int i, int j) {
    size_t w = (size_t)width, row = (size_t)i, column = (size_t)j;
    return t->complex ? row * w + column : (row / 2 * w + column) * 2 + row % 2;
}

/* Place of the entry in row i and column j < i of the run. */
static size_t own_place(const ts_triangle *t, const run *r, int i, int j) {
    size_t at = r->value;
    int pair = j - j % 2;
    for (int k = 0; k < pair; k += 2) at += pair_values(t, r->width, k);
    return i == pair + 1 ? at : at + 1 + in_block(t, 2, i - pair - 2, j - pair);
}

static void place_entries(ts_triangle *t, const run *r, const columns *c, const int *rows) {
    const size_t others = r->value + own_values(t, r->width); /* where rows of others begin */
    for (int j = 0; j < r->width; j++) {
        int k = r->first + j, i = 0;
        for (int p = c->start[k]; p < c->start[k + 1]; p++) {
            int inside = c->row[p] - r->first;
            while (inside >= r->width && rows[i] != c->row[p]) i++;
            size_t at = inside < r->width ? own_place(t, r, inside, j)
                                          : others + in_block(t, r->width, i, j);
            t->place[c->first[k] + c->step * (p - c->start[k])] = (uint32_t)at;
        }
    }
}

/* Rows of all runs so far. */
static int last_row(const ts_triangle *t) {
    const run *last = &t->run[t->runs - 1];
    return t->runs ? last->row + last->rows : 0;
}

static void add_run(ts_triangle *t, run r, const columns *c, const int *rows, int *room) {
    int last = last_row(t);
    int stored = filled_up(t, r.rows);
    r.row = last, r.value = t->values;
    ts_grow(t->row, *room, last + stored + 1);
    t->values += own_values(t, r.width) + (size_t)stored * (size_t)r.width;
    place_entries(t, &r, c, rows);
    for (int i = 0; i < stored; i++) t->row[last + i] = i < r.rows ? rows[i] : t->n;
    r.rows = stored;
    t->run[t->runs++] = r;
}

static void place_diagonal(ts_triangle *t, const int *start) {
    for (int k = 0; k < t->n; k++)
        t->place[t->upper ? start[k + 1] - 1 : start[k]] = (uint32_t)t->values;
}

/* Room for all values, zero where no entry comes. */
static void make_room(ts_triangle *t) {
    if (t->values > UINT32_MAX)
        ts_no_memory("the factors of the linear equations, more than 2^32 numbers");
    t->row = ts_realloc(t->row, (size_t)last_row(t) + 1, sizeof *t->row);
    t->run = ts_realloc(t->run, (size_t)t->runs + 1, sizeof *t->run);
    t->value = ts_calloc((t->complex ? 2 : 1) * t->values + 2, sizeof(double));
    if (t->upper) t->pivot = ts_calloc((t->complex ? 2 : 1) * (size_t)t->n + 1, sizeof(double));
}

ts_triangle *ts_triangle_new(int n, const int *start, const int *row, bool upper, bool complex) {
    ts_triangle *t = ts_calloc(1, sizeof *t);
    *t = (ts_triangle){.n = n, .upper = upper, .complex = complex, .entries = start[n]};
    t->run = ts_calloc((size_t)n + 1, sizeof *t->run);
    t->place = ts_calloc((size_t)start[n] + 1, sizeof *t->place);
    columns c = turned_columns(n, start, row, upper);
    int *rows = ts_calloc((size_t)n + 1, sizeof(int)),
        *spare = ts_calloc((size_t)n + 1, sizeof(int));
    int room = 0;
    for (int k = 0; k < n; k += t->run[t->runs - 1].width)
        add_run(t, gather_run(t, &c, k, rows, spare), &c, rows, &room);
    place_diagonal(t, start);
    free(rows), free(spare), free_columns(&c);
    make_room(t);
    return t;
}

void ts_triangle_free(ts_triangle *t) {
    if (!t) return;
    free(t->run), free(t->row), free(t->place), free(t->value), free(t->pivot);
    free(t);
}

ts_places ts_triangle_places(ts_triangle *t) { return (ts_places){t->place, t->value}; }

void ts_triangle_fill(ts_triangle *t, const double *re, const double *im) {
    for (int p = 0; p < t->entries; p++) {
        size_t at = t->place[p];
        if (im)
            t->value[2 * at] = re[p], t->value[2 * at + 1] = im[p];
        else
            t->value[at] = re[p];
    }
}

void ts_triangle_pivots(ts_triangle *t, const double *pivot) {
    for (int k = 0; k < t->n; k++) {
        int turn = turn_of(t, k);
        if (t->complex)
            store(t->pivot + 2 * turn, reciprocal(pivot[2 * k], pivot[2 * k + 1]));
        else
            t->pivot[turn] = 1 / pivot[k];
    }
}

/* ---- solutions ---- */

/* The columns of a run among themselves. Where they end in half a pair, zeros of the next number
 * are added to it. Returns where the values of other rows begin. */
static const double *solve_own(const double *value, int width, const double *pivot, double *x) {
    for (int j = 0; j < width; j += 2) {
        if (pivot) x[j] *= pivot[j];
        if (j + 1 == width) break;
        x[j + 1] -= *value++ * x[j];
        if (pivot) x[j + 1] *= pivot[j + 1];
        two a = twice(x[j]), b = twice(x[j + 1]);
        for (int i = j + 2; i < width; i += 2, value += 4)
            store(x + i, load(x + i) - load(value) * a - load(value + 2) * b);
    }
    return value;
}

/* A pair of rows of a run, and three of them: x_i -= sum of T_ik x_k . */
static inline void less_pair(const double *value, const double *known, int width, const int *row,
                             double *x) {
    two a = {x[row[0]], x[row[1]]};
    for (int j = 0; j < width; j++, value += 2) a -= load(value) * twice(known[j]);
    x[row[0]] = a[0], x[row[1]] = a[1];
}

static inline void less_three_pairs(const double *value, const double *known, int width,
                                    const int *row, double *x) {
    const double *second = value + 2 * width, *third = second + 2 * width;
    two a = {x[row[0]], x[row[1]]}, b = {x[row[2]], x[row[3]]}, c = {x[row[4]], x[row[5]]};
    for (int j = 0; j < width; j++) {
        two by = twice(known[j]);
        a -= load(value + 2 * j) * by, b -= load(second + 2 * j) * by,
            c -= load(third + 2 * j) * by;
    }
    x[row[0]] = a[0], x[row[1]] = a[1], x[row[2]] = b[0], x[row[3]] = b[1];
    x[row[4]] = c[0], x[row[5]] = c[1];
}

static void solve_run(const ts_triangle *t, const run *r, double *x) {
    const int *row = t->row + r->row, width = r->width;
    double *own = x + r->first;
    const double *value =
        solve_own(t->value + r->value, width, t->pivot ? t->pivot + r->first : NULL, own);
    int i = 0;
    for (; i + 6 <= r->rows; i += 6, value += 6 * width)
        less_three_pairs(value, own, width, row + i, x);
    for (; i < r->rows; i += 2, value += 2 * width) less_pair(value, own, width, row + i, x);
}

/* As solve_own; the factors are kept. */
static const double *solve_own_complex(const double *value, int width, const double *pivot,
                                       double *x, factor *known) {
    for (int j = 0; j < width; j += 2) {
        if (pivot) store(x + 2 * j, product(load(x + 2 * j), factor_of(load(pivot + 2 * j))));
        factor a = known[j] = factor_of(load(x + 2 * j));
        if (j + 1 == width) break;
        two next = load(x + 2 * j + 2) - product(load(value), a);
        if (pivot) next = product(next, factor_of(load(pivot + 2 * j + 2)));
        store(x + 2 * j + 2, next), value += 2;
        factor b = known[j + 1] = factor_of(next);
        for (int i = j + 2; i < width; i++, value += 4)
            store(x + 2 * i,
                  load(x + 2 * i) - product(load(value), a) - product(load(value + 2), b));
    }
    return value;
}

/* A row of a run, and two of them. */
static inline void less_row(const double *value, const factor *known, int width, double *x) {
    two a = load(x);
    for (int j = 0; j < width; j++, value += 2) a -= product(load(value), known[j]);
    store(x, a);
}

static inline void less_two_rows(const double *value, const factor *known, int width, double *x,
                                 double *y) {
    const double *second = value + 2 * width;
    two a = load(x), b = load(y);
    for (int j = 0; j < width; j++) {
        factor by = known[j];
        a -= product(load(value + 2 * j), by), b -= product(load(second + 2 * j), by);
    }
    store(x, a), store(y, b);
}

static void solve_complex_run(const ts_triangle *t, const run *r, double *x) {
    const int *row = t->row + r->row, width = r->width;
    factor known[WIDEST];
    const double *value =
        solve_own_complex(t->value + 2 * r->value, width, t->pivot ? t->pivot + 2 * r->first : NULL,
                          x + 2 * r->first, known);
    int i = 0;
    for (; i + 2 <= r->rows; i += 2, value += 4 * width)
        less_two_rows(value, known, width, x + 2 * row[i], x + 2 * row[i + 1]);
    if (i < r->rows) less_row(value, known, width, x + 2 * row[i]);
}

void ts_triangle_solve(const ts_triangle *t, double *x) {
    for (int i = 0; i < t->runs; i++)
        if (t->complex)
            solve_complex_run(t, &t->run[i], x);
        else
            solve_run(t, &t->run[i], x);
}
