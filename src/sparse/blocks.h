/* SPDX-License-Identifier: Apache-2.0 */
/* The pattern of a matrix in blocks of groups, and the order in which incomplete factors eliminate
 * them. Private to src/sparse; see krylov.c.
 */
#ifndef TS_BLOCKS_H
#define TS_BLOCKS_H

#include "sparse/solver.h"

enum { TS_FOUR = 4, TS_MOST_PARTS = 2 };

/* Rows of blocks in the order of elimination. Unknowns are at their `place` in that order, those of
 * a group one behind the other. */
typedef struct ts_blocks {
    int n, rows, widest; /* unknowns; groups with unknowns; the most unknowns of one */
    int *first;          /* per row: place of its first unknown; and of none */
    int *place;          /* per unknown */
    int *row_of;         /* per unknown: the row of its group */
    int *start;          /* per row: its first block; and of none */
    int *column;         /* per block, ascending in a row; the pattern is symmetric */
    int *diagonal;       /* per row: its own block */
    /* Blocks are stored by columns, whose heights are multiples of TS_FOUR, so that four rows may
     * be taken at once; those below the diagonal of all rows first, then the others. */
    int64_t *at;     /* per block: its first number */
    int64_t numbers; /* in all */
    int *tall;       /* per row: first place when groups are filled up to such heights; of none */
    int fullest;     /* the most entries in the blocks of a row, not filled up */
    /* Plain rows are cut into parts, between which factors have no blocks: part p has the rows
     * part[p]..part[p+1]-1, and those from part[parts] on are not plain. Of the blocks of a row,
     * factors have low..high-1 and those from `border` on. */
    int parts, part[TS_MOST_PARTS + 1];
    int *low, *high, *border;
} ts_blocks;

ts_blocks *ts_blocks_new(const ts_sparse *A, int groups, const int *group);
void ts_blocks_free(ts_blocks *b);

#endif
