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
    const double *at = row + k * TS_PAIR_WIDTH;
    return (ts_touched){.key = {(int)at[0], {(int)at[1], (int)at[2]}, (int)at[3]},
                        .memory = {v3_load(at + 4), at[7] != 0, at[8]},
                        .gap = at[9],
                        .stored = at[10],
                        .pressed = at[11],
                        .along = v3_load(at + 12),
                        .rubbed = v3_load(at + 15),
                        .at = v3_load(at + 18)};
}

v3 ts_touched_force(const ts_touched *p) {
    return v3_add(v3_scale(p->pressed, p->along), p->rubbed);
}

ts_grasp ts_touched_grasp(const ts_touched *p) {
    if (!(v3_norm(p->rubbed) > 0)) return TS_GRASP_SMOOTH;
    return p->memory.stuck ? TS_GRASP_STICKS : TS_GRASP_SLIPS;
}
