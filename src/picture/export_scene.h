/* SPDX-License-Identifier: Apache-2.0 */
/* A grid of the whole model for programs that draw: see export_scene.c. */
#ifndef TS_EXPORT_SCENE_H
#define TS_EXPORT_SCENE_H

#include <stdio.h>

#include "math/vec3.h"
#include "results/cell_values.h"
#include "results/file.h"
#include "results/geometry.h"

/* A point that is fixed to a node. */
typedef struct ts_carried {
    int64_t node;
    v3 local;
} ts_carried;

typedef struct ts_scene_state {
    double t, *q, *v, *omega;
    double *row[TS_SERIES_COUNT]; /* of series by node, joint or part that pictures have */
    ts_cell_rows inside;
    double *pairs; /* those of the state, see output/told_pairs.h; NULL: none */
    int64_t pair_count;
} ts_scene_state;

struct ts_scene;

/* Three numbers a point or cell, or one. */
typedef struct ts_scene_field {
    char name[48], component[3][24];
    int width;
    v3 (*value)(const struct ts_scene *g, const struct ts_scene_field *field, int64_t i);
    /* of point data: where the results have it by slot or node; TS_SERIES_COUNT: nowhere */
    ts_series_id series;
    const ts_channel *channel; /* where it is one, and its first component */
    int first;
} ts_scene_field;

/* Cells that are neither flexible nor links. */
#define TS_SCENE_BODY INT64_MIN
#define TS_SCENE_SHAPE (INT64_MIN + 1)
#define TS_SCENE_PAIR (INT64_MIN + 2)

enum { TS_SCENE_POINT_FIELDS = 16, TS_SCENE_CELL_FIELDS = 32 };

typedef struct ts_scene {
    ts_results *r;
    ts_geometry geometry;
    ts_table_cell *node, *part;
    int64_t nodes, parts, points, cells, connected;
    ts_carried *point;
    int64_t *point_of;                      /* of a node; -1 where it is no place */
    int64_t *connectivity, *offset, *owner; /* owner: part */
    int64_t *source; /* of a cell: row of geometry's cells, or -1 - link, or one of those above */
    int64_t first_pair; /* point */
    uint8_t *type;
    double *first; /* q of the first state */
    ts_scene_state now;
    ts_scene_field point_data[TS_SCENE_POINT_FIELDS]; /* motions, channels that have a picture */
    ts_scene_field cell_data[TS_SCENE_CELL_FIELDS];   /* channels that have a picture */
    int point_fields, cell_fields;
    int64_t
        *entry[TS_EACH_COUNT]; /* by part: its entry in series of the family, or -1; NULL: none */
} ts_scene;

extern const ts_scene_field TS_SCENE_POINTS;

int ts_scene_make(ts_scene *grid, ts_results *results); /* clear it also on failure */
int ts_scene_read(ts_scene *grid, int64_t frame);       /* a state, for the fields */
void ts_scene_clear(ts_scene *grid);

/* ---- pieces of the grid ---- */

/* Its nodes are in connectivity already. */
void ts_scene_cell(ts_scene *grid, int type, int64_t owner, int64_t source);
int64_t ts_scene_part(const ts_scene *grid, const char *name); /* -1: there is none */

/* What touches: export_touch.c. Room: how many points and cells come, how many pairs at most. */
void ts_scene_shape_room(const ts_scene *grid, int64_t *points, int64_t *cells);
void ts_scene_add_shapes(ts_scene *grid);
bool *ts_scene_touching_nodes(const ts_scene *grid); /* drawn by shapes; the caller frees it */
int ts_scene_pair_room(ts_scene *grid, int64_t *pairs);
void ts_scene_add_pairs(ts_scene *grid, int64_t pairs);
int ts_scene_read_pairs(ts_scene *grid, int64_t frame);
void ts_scene_pair_fields(ts_scene *grid);
bool ts_scene_pair_place(const ts_scene *grid, int64_t point, v3 *at); /* false: it is none */

void ts_xml_text(FILE *out, const char *text); /* a name within XML */

#endif
