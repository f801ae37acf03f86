/* SPDX-License-Identifier: Apache-2.0 */
/* Cases: the product of grids, rows of a table and samples.
 *
 * The last parameter of the grid changes fastest, then the row of the table, then the sample: case
 * k has value (k / stride) mod count of each axis.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "studyfile/studyfile.h"

static void draw(const ts_studyfile *study, ts_axis *axis) {
    char text[TS_VALUE_TEXT];
    double *u = ts_calloc((size_t)study->samples, sizeof *u);
    ts_sample(u, study->samples, study->seed, axis->name, study->latin);
    axis->count = study->samples;
    axis->value = ts_calloc((size_t)axis->count, sizeof *axis->value);
    for (int64_t i = 0; i < axis->count; i++) {
        ts_value_print(text, (ts_quantity){axis->spread->at(u[i], axis->a), axis->dim});
        axis->value[i] = ts_strdup(text);
    }
    free(u);
}

/* Axes of one kind go on together: those that have a stride already are columns of the table. */
static bool too_many(const ts_studyfile *study, const ts_source *source) {
    if (study->cases <= TS_MOST_CASES) return false;
    return !ts_report(source, 0, "fewer values or samples", "these are more than %d cases",
                      TS_MOST_CASES);
}

bool ts_cases_lay_out(ts_studyfile *study, const ts_source *source) {
    int64_t rows = 1;
    bool sampled = false;
    study->cases = 1;
    for (int i = study->axes - 1; i >= 0; i--) {
        ts_axis *axis = &study->axis[i];
        sampled |= axis->spread != NULL;
        if (axis->stride) rows = axis->count;
        if (axis->stride || axis->spread) continue;
        axis->stride = study->cases, study->cases *= axis->count;
        if (too_many(study, source)) return false;
    }
    for (int i = 0; i < study->axes; i++)
        if (study->axis[i].stride < 0) study->axis[i].stride = study->cases;
    study->cases *= rows;
    if (too_many(study, source)) return false;
    for (int i = 0; i < study->axes; i++)
        if (study->axis[i].spread) study->axis[i].stride = study->cases;
    if (sampled) study->cases *= study->samples;
    if (too_many(study, source)) return false;
    for (int i = 0; i < study->axes; i++)
        if (study->axis[i].spread) draw(study, &study->axis[i]);
    return true;
}

const char *ts_case_value(const ts_studyfile *study, int64_t which, int axis) {
    if (which < 0 || which >= study->cases || axis < 0 || axis >= study->axes) return NULL;
    const ts_axis *a = &study->axis[axis];
    return a->value[which / a->stride % a->count];
}
