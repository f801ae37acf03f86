/* SPDX-License-Identifier: Apache-2.0 */
/* What the pieces of a report share: the run that is read and the page that is written. See
 * report.c. */
#ifndef TS_REPORT_DATA_H
#define TS_REPORT_DATA_H

#include "picture/report.h"
#include "picture/report_blob.h"
#include "results/cell_values.h"
#include "results/file.h"
#include "results/geometry.h"

typedef struct ts_report_data {
    ts_page page;
    ts_results *r;
    const ts_report_run *run; /* the request */
    int64_t nodes, stations, frames;
    ts_table_cell *node, *part;
    int64_t *shown; /* of a node: itself, or where it is no place another */
    int64_t parts;
    ts_geometry geometry;
} ts_report_data;

void ts_report_number(ts_json *j, const char *key, double value); /* null where it is not finite */

/* The row of a part, or -1; looked for from *guess on, which is set to it. */
int64_t ts_report_part(const ts_report_data *p, const char *name, int64_t *guess);

/* Each adds its part to the page: report_play.c, report_history.c, report_touch.c. */
int ts_report_shapes(ts_report_data *p);
int ts_report_touch(ts_report_data *p, int64_t frames, const int64_t *frame);
int ts_report_play(ts_report_data *p, int64_t frames);
int ts_report_history(ts_report_data *p);
int ts_report_effort(ts_report_data *p);

/* The object "modes": report_modes.c. */
int ts_report_modes(ts_report_data *p, const ts_drawn_modes *drawn);
/* The object "scene": gravity, loads, supports, points, masses of parts. */
void ts_drawn_scene_put(ts_json *j, const ts_drawn_scene *scene);

#endif
