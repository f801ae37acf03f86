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
    if (A->elements == A->elements_room) {
        A->elements_room = A->elements_room ? 2 * A->elements_room : 64;
        A->element = ts_realloc(A->element, (size_t)A->elements_room, sizeof *A->element);
        A->where_first =
            ts_realloc(A->where_first, (size_t)A->elements_room, sizeof *A->where_first);
    }
    if (A->entries + entries > A->entries_room) {
        A->entries_room = 2 * (A->entries + entries);
        A->entry = ts_realloc(A->entry, (size_t)A->entries_room, sizeof *A->entry);
    }
    if (A->where_count + width + 1 > A->where_room) {
        A->where_room = 2 * (A->where_count + width + 1);
        A->where = ts_realloc(A->where, (size_t)A->where_room, sizeof *A->where);
    }
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

static void locate(const ts_sparse *A, int e, int64_t k, int *row, int *column) {
    const int *where = A->where + A->where_first[e];
    int width = where[0];
    *row = where[1 + A->entry[k] / width];
    *column = where[1 + A->entry[k] % width];
}

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Sorts the rows of each column and removes doubles. */
static void compress(ts_sparse *A, const int64_t *first, int *all) {
    A->start = ts_calloc((size_t)A->n + 1, sizeof *A->start);
    int64_t to = 0;
    for (int j = 0; j < A->n; j++) {
        int64_t from = first[j], count = first[j + 1] - from;
        qsort(all + from, (size_t)count, sizeof *all, compare);
        int64_t begin = to;
        for (int64_t k = from; k < from + count; k++)
            if (to == begin || all[to - 1] != all[k]) all[to++] = all[k];
        A->start[j + 1] = (int)to;
    }
    A->nnz = (int)to;
    A->row = ts_realloc(all, (size_t)(to ? to : 1), sizeof *A->row);
    A->value = ts_calloc((size_t)(to ? to : 1), sizeof *A->value);
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

void ts_sparse_build(ts_sparse *A) {
    int64_t *first = ts_calloc((size_t)A->n + 2, sizeof *first);
    int row, column;
    for (int e = 0; e < A->elements; e++)
        for (int64_t k = A->element[e].first; k < A->element[e].first + A->element[e].count; k++) {
            locate(A, e, k, &row, &column);
            first[column + 2]++;
        }
    for (int j = 0; j < A->n; j++) first[j + 2] += first[j + 1];
    int *all = ts_calloc((size_t)(A->entries ? A->entries : 1), sizeof *all);
    for (int e = 0; e < A->elements; e++)
        for (int64_t k = A->element[e].first; k < A->element[e].first + A->element[e].count; k++) {
            locate(A, e, k, &row, &column);
            all[first[column + 1]++] = row;
        }
    compress(A, first, all);
    free(first);
    A->slot = ts_calloc((size_t)(A->entries ? A->entries : 1), sizeof *A->slot);
    for (int e = 0; e < A->elements; e++)
        for (int64_t k = A->element[e].first; k < A->element[e].first + A->element[e].count; k++) {
            locate(A, e, k, &row, &column);
            A->slot[k] = find_slot(A, row, column);
        }
    free(A->where), free(A->where_first);
    A->where = NULL, A->where_first = NULL;
}

void ts_sparse_zero(ts_sparse *A) { memset(A->value, 0, (size_t)A->nnz * sizeof *A->value); }

void ts_sparse_add(ts_sparse *A, int e, const double *dense) {
    const uint16_t *entry = A->entry + A->element[e].first;
    const int *slot = A->slot + A->element[e].first;
    for (int k = 0; k < A->element[e].count; k++) A->value[slot[k]] += dense[entry[k]];
}
