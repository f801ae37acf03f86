/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs in a row of a results file, without the model: see ts_touching_pack in contact/touching.c,
 * which writes them. */
#include "output/told_pairs.h"

#include <math.h>

static bool is_index(double x, int64_t count) {
    return x >= 0 && x < (double)count && x == floor(x);
}

int64_t ts_told_pairs(const double *row, int64_t numbers, int64_t contacts, int64_t shapes) {
    int64_t room = numbers / TS_PAIR_WIDTH, count = 0;
    for (; count < room && row[0] != -1; count++, row += TS_PAIR_WIDTH)
        if (!is_index(row[0], contacts) || !is_index(row[1], shapes) || !is_index(row[2], shapes))
            return -1;
    return count;
}

ts_touched ts_told_pair(const double *row, int64_t k) {
    return ts_touched_of(row + k * TS_PAIR_WIDTH);
}

v3 ts_touched_force(const ts_touched *p) {
    return v3_add(v3_scale(p->pressed, p->along), p->rubbed);
}

ts_grasp ts_touched_grasp(const ts_touched *p) {
    if (!(v3_norm(p->rubbed) > 0)) return TS_GRASP_SMOOTH;
    return p->memory.stuck ? TS_GRASP_STICKS : TS_GRASP_SLIPS;
}
