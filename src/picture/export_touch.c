/* SPDX-License-Identifier: Apache-2.0 */
/* What touches, in the grid of a model: surfaces of shapes, and a vertex for every pair.
 *
 * Grids have the same cells at all states. So there are as many vertices as pairs touch at most at
 * a stored state; those that are not in use stay where the ground is, with no force and the state
 * 0. Fields of these vertices are NaN in all other cells.
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "output/told_pairs.h"
#include "picture/export_scene.h"

enum { VTK_VERTEX = 1, VTK_TRIANGLE = 5 };

/* ---- shapes ---- */

static const ts_table_cell *surface_of(const ts_scene *g, int64_t shape) {
    const ts_skins *s = &g->geometry.skins;
    int64_t surface = ts_record(&s->shapes, shape)[TS_SKIN_SURFACE].integer;
    return surface < 0 ? NULL : ts_record(&s->surfaces, surface);
}

void ts_scene_shape_room(const ts_scene *g, int64_t *points, int64_t *cells) {
    *points = *cells = 0;
    for (int64_t i = 0; i < g->geometry.skins.shapes.rows; i++) {
        const ts_table_cell *surface = surface_of(g, i);
        if (!surface) continue;
        *points += surface[TS_SURFACE_COUNT].integer;
        *cells += surface[TS_SURFACE_TRIANGLES].integer;
    }
}

static void add_shape(ts_scene *g, int64_t shape, int64_t owner) {
    const ts_skins *s = &g->geometry.skins;
    const ts_table_cell *row = ts_record(&s->shapes, shape), *surface = surface_of(g, shape);
    if (!surface) return;
    v3 at = v3_make(row[TS_SKIN_AT].number, row[TS_SKIN_AT + 1].number, row[TS_SKIN_AT + 2].number);
    const double *point = s->point + 3 * surface[TS_SURFACE_FIRST].integer;
    const int64_t *corner = s->triangle + 3 * surface[TS_SURFACE_TRIANGLE].integer;
    int64_t base = g->points;
    for (int64_t i = 0; i < surface[TS_SURFACE_COUNT].integer; i++)
        g->point[g->points++] =
            (ts_carried){row[TS_SKIN_NODE].integer,
                         v3_add(at, v3_scale(row[TS_SKIN_SCALE].number, v3_load(point + 3 * i)))};
    for (int64_t i = 0; i < surface[TS_SURFACE_TRIANGLES].integer; i++) {
        for (int k = 0; k < 3; k++) g->connectivity[g->connected++] = base + corner[3 * i + k];
        ts_scene_cell(g, VTK_TRIANGLE, owner, TS_SCENE_SHAPE);
    }
}

void ts_scene_add_shapes(ts_scene *g) {
    for (int64_t i = 0; i < g->geometry.skins.shapes.rows; i++)
        add_shape(g, i,
                  ts_scene_part(g, ts_record(&g->geometry.skins.shapes, i)[TS_SKIN_PART].text));
}

bool *ts_scene_touching_nodes(const ts_scene *g) {
    bool *touches = ts_calloc((size_t)g->nodes + 1, sizeof *touches);
    const ts_records *shapes = &g->geometry.skins.shapes;
    for (int64_t i = 0; i < shapes->rows; i++) {
        const ts_table_cell *row = ts_record(shapes, i);
        if (surface_of(g, i) && !row[TS_SKIN_PLANE].integer)
            touches[row[TS_SKIN_NODE].integer] = true;
    }
    return touches;
}

/* ---- pairs ---- */

static int64_t count_pairs(const ts_scene *g, int64_t numbers) {
    int64_t count = ts_told_pairs(g->now.pairs, numbers, g->r->entries[TS_EACH_CONTACT],
                                  g->geometry.skins.shapes.rows);
    return count < 0 ? 0 : count; /* there was no room for them in the file */
}

int ts_scene_read_pairs(ts_scene *g, int64_t frame) {
    int64_t numbers;
    if (!ts_pairs_told(g->r)) return 0;
    free(g->now.pairs);
    int status = ts_results_pairs(g->r, frame, &numbers, &g->now.pairs);
    g->now.pair_count = status ? 0 : count_pairs(g, numbers);
    return status;
}

int ts_scene_pair_room(ts_scene *g, int64_t *pairs) {
    int status = 0;
    *pairs = 0;
    for (int64_t f = 0; f < ts_results_frames(g->r) && !status; f++) {
        status = ts_scene_read_pairs(g, f);
        if (g->now.pair_count > *pairs) *pairs = g->now.pair_count;
    }
    return status;
}

void ts_scene_add_pairs(ts_scene *g, int64_t pairs) {
    g->first_pair = g->points;
    for (int64_t i = 0; i < pairs; i++) {
        g->connectivity[g->connected++] = g->points;
        g->point[g->points++] = (ts_carried){0};
        ts_scene_cell(g, VTK_VERTEX, -1, TS_SCENE_PAIR);
    }
}

bool ts_scene_pair_place(const ts_scene *g, int64_t point, v3 *at) {
    int64_t k = point - g->first_pair;
    if (!g->now.pairs || k < 0 || k >= g->now.pair_count) return false;
    *at = ts_told_pair(g->now.pairs, k).at;
    return true;
}

/* The pair of a cell. False: it has none now. */
static bool pair_of(const ts_scene *g, int64_t cell, ts_touched *out) {
    int64_t k = g->connectivity[g->offset[cell] - 1] - g->first_pair;
    if (k >= g->now.pair_count) return false;
    *out = ts_told_pair(g->now.pairs, k);
    return true;
}

static v3 force(const ts_scene *g, const ts_scene_field *f, int64_t cell) {
    ts_touched p;
    (void)f;
    if (g->source[cell] != TS_SCENE_PAIR) return v3_make(NAN, NAN, NAN);
    return pair_of(g, cell, &p) ? ts_touched_force(&p) : v3_make(0, 0, 0);
}

static v3 friction(const ts_scene *g, const ts_scene_field *f, int64_t cell) {
    ts_touched p;
    (void)f;
    if (g->source[cell] != TS_SCENE_PAIR) return v3_make(NAN, NAN, NAN);
    return pair_of(g, cell, &p) ? p.rubbed : v3_make(0, 0, 0);
}

static v3 state(const ts_scene *g, const ts_scene_field *f, int64_t cell) {
    ts_touched p;
    (void)f;
    if (g->source[cell] != TS_SCENE_PAIR) return v3_make(NAN, NAN, NAN);
    return v3_make(pair_of(g, cell, &p) ? 1 + (int)ts_touched_grasp(&p) : 0, 0, 0);
}

void ts_scene_pair_fields(ts_scene *g) {
    static const ts_scene_field FIELDS[] = {
        {"contact_force", {"x", "y", "z"}, 3, force, .series = TS_SERIES_COUNT},
        {"contact_friction", {"x", "y", "z"}, 3, friction, .series = TS_SERIES_COUNT},
        {"contact_state", {""}, 1, state, .series = TS_SERIES_COUNT}};
    enum { COUNT = sizeof FIELDS / sizeof *FIELDS };
    if (!ts_pairs_told(g->r) || g->cell_fields + COUNT > TS_SCENE_CELL_FIELDS) return;
    for (int i = 0; i < COUNT; i++) g->cell_data[g->cell_fields++] = FIELDS[i];
}
