/* SPDX-License-Identifier: Apache-2.0 */
/* The order of elimination, and what it will cost.
 *
 * Unknowns of a group are eliminated together, so the graph that is ordered is that of the groups,
 * by approximate minimum degree (P. R. Amestoy, T. A. Davis, I. S. Duff, SIAM J. Matrix Anal. Appl.
 * 17 (1996) 886). AMD counts the entries and the operations of the factors it foresees; with groups
 * of b unknowns on the average there are b^2 and b^3 times as many.
 *
 * Meshes fill less by nested dissection: CHOLMOD's, with separators by METIS (G. Karypis, V. Kumar,
 * SIAM J. Sci. Comput. 20
 * (1998) 359) and minimum degree between them.
 */
#include <amd.h>
#include <cholmod.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "sparse/solver.h"

/* The graph of the groups, as compressed columns with doubles removed. */
static int group_graph(const ts_sparse *A, int groups, const int *group, int **start, int **row) {
    int *first = ts_calloc((size_t)groups + 2, sizeof *first);
    int *member = ts_calloc((size_t)A->n + 1, sizeof *member),
        *seen = ts_calloc((size_t)groups + 1, sizeof *seen);
    for (int j = 0; j < A->n; j++) first[group[j] + 2]++;
    for (int g = 0; g < groups; g++) first[g + 2] += first[g + 1];
    for (int j = 0; j < A->n; j++) member[first[group[j] + 1]++] = j;
    *start = ts_calloc((size_t)groups + 1, sizeof **start);
    *row = ts_calloc((size_t)A->nnz + 1, sizeof **row);
    int count = 0;
    for (int g = 0; g < groups; g++) {
        for (int m = first[g]; m < first[g + 1]; m++)
            for (int k = A->start[member[m]]; k < A->start[member[m] + 1]; k++) {
                int other = group[A->row[k]];
                if (seen[other] == g + 1) continue;
                seen[other] = g + 1;
                (*row)[count++] = other;
            }
        (*start)[g + 1] = count;
    }
    free(first), free(member), free(seen);
    return count;
}

/* Unknowns in the sequence of their groups. Returns how many groups have any. */
static int spell_out(int n, int groups, const int *group, const int *sequence, int *permutation) {
    int *first = ts_calloc((size_t)groups + 1, sizeof *first),
        *size = ts_calloc((size_t)groups + 1, sizeof *size), used = 0;
    for (int j = 0; j < n; j++) used += size[group[j]]++ == 0;
    for (int k = 0, at = 0; k < groups; k++) first[sequence[k]] = at, at += size[sequence[k]];
    for (int j = 0; j < n; j++) permutation[first[group[j]]++] = j;
    free(first), free(size);
    return used;
}

static void foresee(const double *info, double n, double used, ts_cost *cost) {
    double b = used > 0 ? n / used : 1;
    cost->fill = b * b * (2 * info[AMD_LNZ] + used);
    cost->operations = b * b * b * (2 * info[AMD_NMULTSUBS_LU] + info[AMD_NDIV]);
}

void ts_order_groups(const ts_sparse *A, int groups, const int *group, int *permutation,
                     ts_cost *cost) {
    int *start, *row, *sequence = ts_calloc((size_t)groups + 1, sizeof *sequence), used = A->n;
    double info[AMD_INFO] = {0};
    if (!group) {
        if (amd_order(A->n, A->start, A->row, permutation, NULL, info) < 0)
            for (int j = 0; j < A->n; j++) permutation[j] = j;
    } else {
        group_graph(A, groups, group, &start, &row);
        if (amd_order(groups, start, row, sequence, NULL, info) < 0)
            for (int g = 0; g < groups; g++) sequence[g] = g;
        used = spell_out(A->n, groups, group, sequence, permutation);
        free(start), free(row);
    }
    foresee(info, A->n, used, cost);
    free(sequence);
}

/* ---- nested dissection ---- */

/* METIS draws from the C library's random numbers, which it seeds itself: not two at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* The graph of A + A^T, its upper half. */
static cholmod_sparse *symmetric_graph(int n, int *start, int *row, cholmod_common *common) {
    cholmod_sparse graph = {.nrow = (size_t)n,
                            .ncol = (size_t)n,
                            .nzmax = (size_t)start[n],
                            .p = start,
                            .i = row,
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_PATTERN,
                            .packed = 1};
    double one[2] = {1, 0};
    cholmod_sparse *turned = cholmod_transpose(&graph, 0, common), *sum = NULL;
    if (turned) sum = cholmod_add(&graph, turned, one, one, 0, 1, common);
    if (sum) sum->stype = 1;
    cholmod_free_sparse(&turned, common);
    return sum;
}

static bool dissect(int n, int *start, int *row, int *sequence) {
    cholmod_common common;
    int *parent = ts_calloc((size_t)n + 1, sizeof *parent),
        *member = ts_calloc((size_t)n + 1, sizeof *member);
    pthread_mutex_lock(&one_at_a_time);
    cholmod_start(&common);
    common.print = 0;
    cholmod_sparse *graph = symmetric_graph(n, start, row, &common);
    bool fine =
        graph && cholmod_nested_dissection(graph, NULL, 0, sequence, parent, member, &common) >= 0;
    cholmod_free_sparse(&graph, &common);
    cholmod_finish(&common);
    pthread_mutex_unlock(&one_at_a_time);
    free(parent), free(member);
    return fine;
}

bool ts_order_dissection(const ts_sparse *A, int groups, const int *group, int *permutation) {
    int *start, *row, *sequence = ts_calloc((size_t)groups + 1, sizeof *sequence);
    if (!group) {
        free(sequence);
        return dissect(A->n, A->start, A->row, permutation);
    }
    group_graph(A, groups, group, &start, &row);
    bool fine = dissect(groups, start, row, sequence);
    if (fine) spell_out(A->n, groups, group, sequence, permutation);
    free(start), free(row), free(sequence);
    return fine;
}
