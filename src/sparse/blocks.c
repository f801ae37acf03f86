/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of groups for incomplete factors: which there are, and in which order.
 *
 * A mesh of solids has groups of three unknowns, its points. They come first, in an order in which
 * neighbours in the mesh are near each other. That is good for factors without fill, whereas the
 * orders that keep fill low spoil them. It is the order by breadth from a point at the border (E.
 * Cuthill, J. McKee, Proc. 24th Nat. Conf. ACM (1969) 157), or the one in which the points are
 * numbered, if neighbours are nearer in that: a box that was meshed layer by layer.
 *
 * Groups of another size are those of bodies, frames and constraints. They come last. A constraint
 * has no diagonal of its own: elimination of the points that it holds fills it, and that entry is
 * in its own block, so it is never dropped. Among these groups fill of the first level is kept too:
 * blocks of two that share a neighbour that was eliminated before both.
 *
 * Large meshes are cut into two parts that two threads can work on. What the first one has
 * neighbours in, beyond its end, separates it from the second, and comes after both. The second
 * part is eliminated backwards, so that both begin at the far ends and end at the separator (H. A.
 * van der Vorst, Parallel Comput. 5 (1987) 45): the factors are then as good as those of the whole
 * in one order. With both parts forwards they need a sixth more iterations. How many parts there
 * are depends on the mesh alone, and so do results.
 */
#include "sparse/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* A growing list of pairs, and the graph that they make. */
typedef struct graph {
    int n;
    int64_t *start;
    int *to;
} graph;

static void free_graph(graph *g) {
    free(g->start), free(g->to);
    *g = (graph){0};
}

/* The groups with members, in the order of their numbers: row[group], members, size. */
typedef struct members {
    int rows, *row, *size;
} members;

static members number_groups(const ts_sparse *A, int groups, const int *group) {
    members m = {.row = ts_calloc((size_t)groups + 1, sizeof(int)),
                 .size = ts_calloc((size_t)A->n + 1, sizeof(int))};
    int *count = ts_calloc((size_t)groups + 1, sizeof *count);
    for (int j = 0; j < A->n; j++) count[group[j]]++;
    for (int g = 0; g < groups; g++) {
        m.row[g] = count[g] ? m.rows : -1;
        if (count[g]) m.size[m.rows++] = count[g];
    }
    free(count);
    return m;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Sorts the neighbours of each, and leaves doubles out. */
static void tidy(graph *g) {
    int64_t end = 0;
    for (int i = 0; i < g->n; i++) {
        int64_t from = g->start[i], to = g->start[i + 1];
        qsort(g->to + from, (size_t)(to - from), sizeof *g->to, compare);
        g->start[i] = end;
        for (int64_t k = from; k < to; k++)
            if (k == from || g->to[k] != g->to[k - 1]) g->to[end++] = g->to[k];
    }
    g->start[g->n] = end;
    g->to = ts_realloc(g->to, (size_t)end + 1, sizeof *g->to);
}

/* Visits each pair of rows that A couples, some of them several times. */
static void each_pair(const ts_sparse *A, const int *row, int *last,
                      void (*visit)(graph *g, int64_t *next, int i, int j), graph *g,
                      int64_t *next) {
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            int a = row[A->row[k]], b = row[j];
            if (last[a] == b) continue; /* seen with the unknown before this one */
            last[a] = b;
            visit(g, next, a, b);
            if (a != b) visit(g, next, b, a);
        }
}

static void count_pair(graph *g, int64_t *next, int i, int j) {
    (void)next, (void)j;
    g->start[i + 1]++;
}

static void put_pair(graph *g, int64_t *next, int i, int j) { g->to[next[i]++] = j; }

/* The symmetric graph of the rows; each is a neighbour of itself. */
static graph graph_of(const ts_sparse *A, int rows, const int *row) {
    graph g = {.n = rows, .start = ts_calloc((size_t)rows + 1, sizeof *g.start)};
    int *last = ts_calloc((size_t)rows + 1, sizeof *last);
    int64_t *next = ts_calloc((size_t)rows + 1, sizeof *next);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < rows; i++) last[i] = -1;
        each_pair(A, row, last, pass ? put_pair : count_pair, &g, next);
        if (pass) continue;
        for (int i = 0; i < rows; i++) {
            next[i] = g.start[i] + 1;
            g.start[i + 1] += g.start[i] + 1;
        }
        g.to = ts_calloc((size_t)g.start[rows] + 1, sizeof *g.to);
        for (int i = 0; i < rows; i++) g.to[g.start[i]] = i;
    }
    free(last), free(next);
    tidy(&g);
    return g;
}

/* ---- order ---- */

/* The size that most groups have. */
static int usual_size(const members *m) {
    int most = 0, usual = 0, largest = 0;
    for (int i = 0; i < m->rows; i++) largest = m->size[i] > largest ? m->size[i] : largest;
    int *count = ts_calloc((size_t)largest + 1, sizeof *count);
    for (int i = 0; i < m->rows; i++)
        if (++count[m->size[i]] > most) most = count[m->size[i]], usual = m->size[i];
    free(count);
    return usual;
}

/* Plain rows by breadth from `from`, behind the `done` that have a place; how many have one. Their
 * distance counts from 2 more than that of those before; 0: not seen yet. */
static int spread(const graph *g, const bool *plain, int from, int done, int *order,
                  int *distance) {
    int end = done;
    distance[from] = done ? distance[order[done - 1]] + 2 : 1;
    order[end++] = from;
    for (int at = done; at < end; at++)
        for (int64_t k = g->start[order[at]]; k < g->start[order[at] + 1]; k++) {
            int i = g->to[k];
            if (!plain[i] || distance[i]) continue;
            order[end++] = i, distance[i] = distance[order[at]] + 1;
        }
    return end;
}

/* From the row that is reached last from any other: one at the border. */
static int order_plain(const graph *g, const bool *plain, int *order, int *distance) {
    int done = 0;
    for (int i = 0; i < g->n; i++) {
        if (distance[i] || !plain[i]) continue;
        int end = spread(g, plain, i, done, order, distance), border = order[end - 1];
        for (int k = done; k < end; k++) distance[order[k]] = 0;
        done = spread(g, plain, border, done, order, distance);
    }
    return done;
}

/* Rows that are worth a part of their own. */
enum { LARGE_PART = 8000 };

/* Where the rows of an order stand in it; -1: they are not in it. */
static int *places_in(const graph *g, int count, const int *order) {
    int *at = ts_calloc((size_t)g->n + 1, sizeof *at);
    for (int i = 0; i < g->n; i++) at[i] = -1;
    for (int k = 0; k < count; k++) at[order[k]] = k;
    return at;
}

/* The place of the last neighbour of a row, which is its own neighbour. */
static int last_neighbour(const graph *g, const int *at, int i) {
    int last = at[i];
    for (int64_t k = g->start[i]; k < g->start[i + 1]; k++)
        if (at[g->to[k]] > last) last = at[g->to[k]];
    return last;
}

/* Sum of the distances in an order between rows and their last neighbours. */
static double distances(const graph *g, int count, const int *order) {
    int *at = places_in(g, count, order);
    double sum = 0;
    for (int k = 0; k < count; k++) sum += last_neighbour(g, at, order[k]) - k;
    free(at);
    return sum;
}

/* The plain rows by breadth, or as they are numbered if neighbours are nearer then; how many. */
static int choose_order(const graph *g, const bool *plain, int *order) {
    int *distance = ts_calloc((size_t)g->n + 1, sizeof *distance),
        *given = ts_calloc((size_t)g->n + 1, sizeof *given);
    int count = order_plain(g, plain, order, distance);
    for (int i = 0, k = 0; i < g->n; i++)
        if (plain[i]) given[k++] = i;
    if (distances(g, count, given) < distances(g, count, order))
        memcpy(order, given, (size_t)count * sizeof *order);
    free(distance), free(given);
    return count;
}

static void reverse(int *order, int count) {
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        int room = order[i];
        order[i] = order[j], order[j] = room;
    }
}

/* Cuts the order of plain rows into parts, and moves the separator to the end: the rows that have
 * neighbours in another part. */
static void cut(ts_blocks *b, const graph *g, int plain, int *order) {
    int *separators = ts_calloc((size_t)plain + 1, sizeof *separators), kept = 0, moved = 0;
    int *at = places_in(g, plain, order), far = -1;
    int parts = plain / LARGE_PART < TS_MOST_PARTS ? plain / LARGE_PART : TS_MOST_PARTS;
    for (int k = 0, p = 1; k < plain || p == 1; p++) {
        int end = p < parts ? (int)((int64_t)plain * p / parts) : plain;
        for (; k < end; k++) {
            int last = last_neighbour(g, at, order[k]);
            far = last > far ? last : far;
            order[kept++] = order[k];
        }
        for (; k < plain && k <= far; k++) separators[moved++] = order[k];
        if (p == 2) reverse(order + b->part[1], kept - b->part[1]);
        b->part[++b->parts] = kept;
    }
    memcpy(order + kept, separators, (size_t)moved * sizeof *order);
    free(separators), free(at);
}

static int *order_rows(ts_blocks *b, const graph *g, const bool *plain) {
    int *order = ts_calloc((size_t)g->n + 1, sizeof *order);
    int done = choose_order(g, plain, order);
    cut(b, g, done, order);
    for (int i = 0; i < g->n; i++)
        if (!plain[i]) order[done++] = i;
    return order;
}

/* ---- fill ---- */

/* The graph in the order of elimination. */
static graph renumber(const graph *g, const int *order) {
    graph r = {.n = g->n, .start = ts_calloc((size_t)g->n + 1, sizeof *r.start)};
    int *at = ts_calloc((size_t)g->n + 1, sizeof *at);
    r.to = ts_calloc((size_t)g->start[g->n] + 1, sizeof *r.to);
    for (int p = 0; p < g->n; p++) at[order[p]] = p;
    for (int p = 0; p < g->n; p++) {
        int i = order[p];
        int64_t end = r.start[p];
        for (int64_t k = g->start[i]; k < g->start[i + 1]; k++) r.to[end++] = at[g->to[k]];
        r.start[p + 1] = end;
    }
    free(at);
    tidy(&r);
    return r;
}

/* Pairs of rows from `plain` on that share a neighbour before both; with `to`, they are put
 * there. */
static int64_t first_level(const graph *g, int plain, int64_t *start, int *to) {
    int64_t count = 0;
    for (int k = 0; k < g->n; k++)
        for (int64_t a = g->start[k]; a < g->start[k + 1]; a++)
            for (int64_t b = g->start[k]; b < g->start[k + 1] && g->to[a] >= plain; b++) {
                if (g->to[a] <= k || g->to[b] < plain || g->to[b] <= k) continue;
                count++;
                if (to)
                    to[start[g->to[a]]++] = g->to[b];
                else
                    start[g->to[a] + 1]++;
            }
    return count;
}

/* The graph with that fill. */
static void add_fill(graph *g, int plain) {
    graph r = {.n = g->n, .start = ts_calloc((size_t)g->n + 1, sizeof *r.start)};
    int64_t *next = ts_calloc((size_t)g->n + 1, sizeof *next);
    int64_t more = first_level(g, plain, r.start, NULL);
    if (more > 0) {
        for (int i = 0; i < g->n; i++) r.start[i + 1] += r.start[i] + g->start[i + 1] - g->start[i];
        r.to = ts_calloc((size_t)r.start[g->n] + 1, sizeof *r.to);
        for (int i = 0; i < g->n; i++) {
            size_t own = (size_t)(g->start[i + 1] - g->start[i]);
            memcpy(r.to + r.start[i], g->to + g->start[i], own * sizeof *r.to);
            next[i] = r.start[i] + (int64_t)own;
        }
        first_level(g, plain, next, r.to);
        tidy(&r);
        free_graph(g);
        *g = r;
    } else {
        free_graph(&r);
    }
    free(next);
}

/* ---- blocks ---- */

static void set_places(ts_blocks *b, const int *order, const members *m, const int *group) {
    int *at = ts_calloc((size_t)b->rows + 1, sizeof *at);
    b->first = ts_calloc((size_t)b->rows + 1, sizeof *b->first);
    for (int p = 0; p < b->rows; p++) {
        int size = m->size[order[p]];
        at[order[p]] = p;
        b->first[p + 1] = b->first[p] + size;
        if (size > b->widest) b->widest = size;
    }
    int *next = ts_calloc((size_t)b->rows + 1, sizeof *next);
    memcpy(next, b->first, (size_t)b->rows * sizeof *next);
    b->place = ts_calloc((size_t)b->n + 1, sizeof *b->place);
    b->row_of = ts_calloc((size_t)b->n + 1, sizeof *b->row_of);
    for (int j = 0; j < b->n; j++) {
        b->row_of[j] = at[m->row[group[j]]];
        b->place[j] = next[b->row_of[j]]++;
    }
    free(at), free(next);
}

/* Where blocks stand: those of the columns before the row itself, or the others. */
static int64_t store_blocks(ts_blocks *b, bool before, int64_t next) {
    for (int i = 0; i < b->rows; i++)
        for (int k = b->start[i]; k < b->start[i + 1]; k++) {
            int j = b->column[k];
            if ((j < i) != before) continue;
            b->at[k] = next;
            next += (b->tall[i + 1] - b->tall[i]) * (b->first[j + 1] - b->first[j]);
        }
    return next;
}

static void find_diagonals(ts_blocks *b) {
    for (int i = 0; i < b->rows; i++) {
        int size = b->first[i + 1] - b->first[i], entries = 0;
        for (int k = b->start[i]; k < b->start[i + 1]; k++) {
            int j = b->column[k];
            if (j == i) b->diagonal[i] = k;
            entries += size * (b->first[j + 1] - b->first[j]);
        }
        if (entries > b->fullest) b->fullest = entries;
    }
}

static void set_blocks(ts_blocks *b, graph *g) {
    b->column = g->to, g->to = NULL;
    b->start = ts_calloc((size_t)b->rows + 1, sizeof *b->start);
    b->diagonal = ts_calloc((size_t)b->rows + 1, sizeof *b->diagonal);
    b->tall = ts_calloc((size_t)b->rows + 1, sizeof *b->tall);
    b->at = ts_calloc((size_t)g->start[b->rows] + 1, sizeof *b->at);
    for (int i = 0; i < b->rows; i++) {
        int size = b->first[i + 1] - b->first[i];
        b->start[i + 1] = (int)g->start[i + 1];
        b->tall[i + 1] = b->tall[i] + (size + TS_FOUR - 1) / TS_FOUR * TS_FOUR;
    }
    find_diagonals(b);
    b->numbers = store_blocks(b, false, store_blocks(b, true, 0));
}

static void set_parts(ts_blocks *b) {
    int **arrays[] = {&b->low, &b->high, &b->border}, plain = b->part[b->parts];
    for (int k = 0; k < 3; k++) *arrays[k] = ts_calloc((size_t)b->rows + 1, sizeof(int));
    for (int i = 0, p = 0; i < b->rows; i++) {
        while (p < b->parts && i >= b->part[p + 1]) p++;
        int from = p < b->parts ? b->part[p] : 0, to = p < b->parts ? b->part[p + 1] : b->rows;
        int low = b->start[i], end = b->start[i + 1];
        while (b->column[low] < from) low++;
        int high = b->diagonal[i] + 1, border;
        while (high < end && b->column[high] < to) high++;
        for (border = high; border < end && b->column[border] < plain;) border++;
        b->low[i] = low, b->high[i] = high, b->border[i] = border;
    }
}

static int count_plain(const members *m, int usual, bool *plain) {
    int count = 0;
    for (int i = 0; i < m->rows; i++) count += plain[i] = m->size[i] == usual;
    return count;
}

ts_blocks *ts_blocks_new(const ts_sparse *A, int groups, const int *group) {
    ts_blocks *b = ts_calloc(1, sizeof *b);
    int *own = NULL;
    if (!group) { /* every unknown by itself */
        group = own = ts_calloc((size_t)A->n + 1, sizeof *own);
        for (int j = 0; j < A->n; j++) own[j] = j;
        groups = A->n;
    }
    members m = number_groups(A, groups, group);
    int *row = ts_calloc((size_t)A->n + 1, sizeof *row);
    bool *plain = ts_calloc((size_t)m.rows + 1, sizeof *plain);
    for (int j = 0; j < A->n; j++) row[j] = m.row[group[j]];
    b->n = A->n, b->rows = m.rows;
    int plain_rows = count_plain(&m, usual_size(&m), plain);
    graph g = graph_of(A, m.rows, row);
    int *order = order_rows(b, &g, plain);
    graph in_order = renumber(&g, order);
    free_graph(&g);
    add_fill(&in_order, plain_rows);
    set_places(b, order, &m, group);
    set_blocks(b, &in_order);
    set_parts(b);
    free_graph(&in_order);
    free(order), free(plain), free(row), free(m.row), free(m.size), free(own);
    return b;
}

void ts_blocks_free(ts_blocks *b) {
    if (!b) return;
    free(b->first), free(b->place), free(b->row_of), free(b->start), free(b->column);
    free(b->diagonal), free(b->at), free(b->tall);
    free(b->low), free(b->high), free(b->border);
    free(b);
}
