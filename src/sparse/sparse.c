/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly of element matrices into compressed columns. See sparse.h. */
#include "sparse/sparse.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

ts_sparse *ts_sparse_new(int n) {
    ts_sparse *A = ts_calloc(1, sizeof *A);
    A->n = n;
    return A;
}

void ts_sparse_free(ts_sparse *A) {
    if (!A) return;
    void *arrays[] = {A->start, A->row,  A->value, A->element,
                      A->entry, A->slot, A->where, A->where_first};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    free(A);
}

static void reserve(ts_sparse *A, int width, int64_t entries) {
    int room = A->elements_room;
    ts_grow(A->where_first, room, A->elements + 1);
    ts_grow(A->element, A->elements_room, A->elements + 1);
    ts_grow(A->entry, A->entries_room, A->entries + entries);
    ts_grow(A->where, A->where_room, A->where_count + width + 1);
}

void ts_sparse_element(ts_sparse *A, int width, const int *eq, const bool *mask) {
    reserve(A, width, (int64_t)width * width);
    ts_element *element = &A->element[A->elements];
    element->first = A->entries;
    A->where_first[A->elements++] = A->where_count;
    A->where[A->where_count++] = width;
    for (int i = 0; i < width; i++) A->where[A->where_count++] = eq[i];
    for (int i = 0; i < width; i++)
        for (int j = 0; j < width; j++)
            if (mask[i * width + j] && eq[i] >= 0 && eq[j] >= 0)
                A->entry[A->entries++] = (uint16_t)(i * width + j);
    element->count = (int)(A->entries - element->first);
}

/* Entries of an element come row by row of it. Calls visit(A, row, column, k, context) for each of
 * all elements. */
typedef void visitor(ts_sparse *A, int row, int column, int64_t k, void *context);

static void each_entry(ts_sparse *A, visitor *visit, void *context) {
    for (int e = 0; e < A->elements; e++) {
        const int *where = A->where + A->where_first[e], width = where[0];
        int i = 0;
        for (int64_t k = A->element[e].first; k < A->element[e].first + A->element[e].count; k++) {
            while (A->entry[k] >= (i + 1) * width) i++;
            visit(A, where[1 + i], where[1 + A->entry[k] - i * width], k, context);
        }
    }
}

/* Entries sorted by rows: first[row + 1] counts them, then is the place of the next one. */
typedef struct by_rows {
    int64_t *first;
    int *column;
} by_rows;

static void count_in_row(ts_sparse *A, int row, int column, int64_t k, void *context) {
    (void)A, (void)column, (void)k;
    ((by_rows *)context)->first[row + 2]++;
}

static void put_in_row(ts_sparse *A, int row, int column, int64_t k, void *context) {
    by_rows *r = context;
    (void)A, (void)k;
    r->column[r->first[row + 1]++] = column;
}

/* Columns from rows: row by row, each entry goes to the end of its column, and doubles come right
 * behind each other. With no place to put them, they are counted. */
static void gather_columns(const ts_sparse *A, const by_rows *r, int *last, int *count, int *rows) {
    for (int j = 0; j < A->n; j++) last[j] = -1;
    for (int i = 0; i < A->n; i++)
        for (int64_t k = r->first[i]; k < r->first[i + 1]; k++) {
            int j = r->column[k];
            if (last[j] == i) continue;
            last[j] = i;
            if (rows)
                rows[count[j]++] = i;
            else
                count[j]++;
        }
}

static void compress(ts_sparse *A, const by_rows *r) {
    int *last = ts_calloc((size_t)A->n + 1, sizeof *last),
        *next = ts_calloc((size_t)A->n + 1, sizeof *next);
    A->start = ts_calloc((size_t)A->n + 1, sizeof *A->start);
    gather_columns(A, r, last, A->start + 1, NULL);
    for (int j = 0; j < A->n; j++) A->start[j + 1] += A->start[j];
    memcpy(next, A->start, (size_t)A->n * sizeof *next);
    A->nnz = A->start[A->n];
    A->row = ts_calloc((size_t)A->nnz + 1, sizeof *A->row);
    A->value = ts_calloc((size_t)A->nnz + 1, sizeof *A->value);
    gather_columns(A, r, last, next, A->row);
    free(last), free(next);
}

static int find_slot(const ts_sparse *A, int row, int column) {
    int low = A->start[column], high = A->start[column + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (A->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void set_slot(ts_sparse *A, int row, int column, int64_t k, void *context) {
    (void)context;
    A->slot[k] = find_slot(A, row, column);
}

/* Frees the room for further entries. */
static void trim(ts_sparse *A) {
    A->entry = ts_realloc(A->entry, (size_t)A->entries + 1, sizeof *A->entry);
    A->entries_room = A->entries + 1;
}

void ts_sparse_build(ts_sparse *A) {
    by_rows r = {.first = ts_calloc((size_t)A->n + 2, sizeof *r.first),
                 .column = ts_calloc((size_t)A->entries + 1, sizeof *r.column)};
    trim(A);
    each_entry(A, count_in_row, &r);
    for (int i = 0; i < A->n; i++) r.first[i + 2] += r.first[i + 1];
    each_entry(A, put_in_row, &r);
    compress(A, &r);
    free(r.first), free(r.column);
    A->slot = ts_calloc((size_t)A->entries + 1, sizeof *A->slot);
    each_entry(A, set_slot, NULL);
    free(A->where), free(A->where_first);
    A->where = NULL, A->where_first = NULL;
}

void ts_sparse_zero(ts_sparse *A) { memset(A->value, 0, (size_t)A->nnz * sizeof *A->value); }

void ts_sparse_add(ts_sparse *A, int e, const double *dense) {
    const uint16_t *entry = A->entry + A->element[e].first;
    const int *slot = A->slot + A->element[e].first;
    for (int k = 0; k < A->element[e].count; k++) A->value[slot[k]] += dense[entry[k]];
}
