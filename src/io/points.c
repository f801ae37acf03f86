/* Which node is "plate.17", "plate.centre", "boom.end": the same names that joints and loads use, for tables of results.
 *
 * Of a part on a mesh: every point of the mesh by its number from 1, every set of one point, and those of the model's `points`
 * that are points of the mesh. Of a beam or cable: its nodes by their numbers, `start` and `end`. Other parts have one node,
 * and their own name for it. Unknowns of elements, which are nodes for the equations only, have no names.
 */
#include "io/points.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/mesh_nodes.h"

/* clang-format off */
const ts_h5_field TS_POINT_FIELD[] = {
    {"part", TS_H5_TEXT}, {"name", TS_H5_TEXT}, {"node", TS_H5_INTEGER},
    {"x", TS_H5_NUMBER}, {"y", TS_H5_NUMBER}, {"z", TS_H5_NUMBER}};
/* clang-format on */

static const double SAME_PLACE = 1e-6; /* of the size of the mesh */
enum { DIGITS = 12 };

typedef struct point_list {
    const ts_model *model;
    ts_h5_cell *cells;
    int64_t rows, room;
    char (*number)[DIGITS]; /* "1", "2", ... as texts */
    int numbers;
} point_list;

static void add(point_list *list, int part, const char *name, int node) {
    if (node < 0) return;
    if (list->rows == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->cells =
            ts_realloc(list->cells, (size_t)(list->room * TS_POINT_FIELDS), sizeof *list->cells);
    }
    ts_h5_cell *row = list->cells + list->rows++ * TS_POINT_FIELDS;
    v3 x = list->model->nodes[node].x;
    row[TS_POINT_PART].text = list->model->parts[part].name;
    row[TS_POINT_NAME].text = name;
    row[TS_POINT_NODE].integer = node;
    row[TS_POINT_X].number = x.x, row[TS_POINT_Y].number = x.y, row[TS_POINT_Z].number = x.z;
}

static int largest_number(const ts_model *model) {
    int most = 0;
    for (int p = 0; p < model->parts_count; p++) {
        const ts_part *part = &model->parts[p];
        int count = part->mesh ? ts_mesh_of(model, part->mesh)->points : part->nodes;
        if (count > most) most = count;
    }
    return most;
}

static void make_numbers(point_list *list) {
    list->numbers = largest_number(list->model);
    list->number = ts_calloc((size_t)list->numbers + 1, sizeof *list->number);
    for (int i = 0; i < list->numbers; i++) snprintf(list->number[i], DIGITS, "%d", i + 1);
}

int ts_point_at(const ts_mesh *mesh, v3 x, int *nearest) {
    v3 low, high;
    ts_mesh_box(mesh, &low, &high);
    *nearest = ts_mesh_nearest(mesh, x);
    if (*nearest < 0) return -1;
    double distance = v3_norm(v3_sub(mesh->point[*nearest], x));
    return distance <= SAME_PLACE * v3_norm(v3_sub(high, low)) ? *nearest : -1;
}

static void add_on_mesh(point_list *list, const ts_document *document, int part) {
    const ts_model *model = list->model;
    const ts_mesh *mesh = ts_mesh_of(model, model->parts[part].mesh);
    int nearest;
    for (int p = 0; p < mesh->points; p++)
        add(list, part, list->number[p], ts_part_point_node(model, part, p));
    for (int s = 0; s < mesh->sets; s++)
        if (mesh->set[s].points == 1)
            add(list, part, mesh->set[s].name,
                ts_part_point_node(model, part, mesh->set[s].point[0]));
    for (int k = 0; k < document->place_count; k++) {
        int at = ts_point_at(mesh, document->places[k].x, &nearest);
        if (at >= 0 && ts_mesh_find(mesh, document->places[k].name, -1) < 0)
            add(list, part, document->places[k].name, ts_part_point_node(model, part, at));
    }
}

static void add_along_line(point_list *list, int part) {
    const ts_part *p = &list->model->parts[part];
    for (int k = 0; k < p->nodes; k++) add(list, part, list->number[k], p->node + k);
    add(list, part, "start", p->node);
    add(list, part, "end", p->node + p->nodes - 1);
}

int ts_points_write(ts_h5 file, const ts_document *document) {
    point_list list = {.model = document->model};
    make_numbers(&list);
    for (int p = 0; p < list.model->parts_count; p++) {
        const ts_part *part = &list.model->parts[p];
        if (part->mesh)
            add_on_mesh(&list, document, p);
        else if (part->node >= 0 && part->nodes > 1)
            add_along_line(&list, p);
    }
    int status = ts_h5_table_new(file, "/model/points",
                                 "names of nodes, as joints and loads use them; node: row of "
                                 "model/nodes; x, y, z: as drawn",
                                 TS_POINT_FIELDS, TS_POINT_FIELD, list.rows, list.cells);
    free(list.cells), free(list.number);
    return status;
}

int ts_points_read(ts_h5 file, int64_t nodes, int64_t *rows, ts_h5_cell **cells) {
    *rows = 0, *cells = NULL;
    if (!ts_h5_exists(file, "/model/points")) return 0;
    if (ts_h5_table_read(file, "/model/points", TS_POINT_FIELDS, TS_POINT_FIELD, rows, cells))
        return TORSOR_EIO;
    for (int64_t i = 0; i < *rows; i++) {
        int64_t node = (*cells)[i * TS_POINT_FIELDS + TS_POINT_NODE].integer;
        if (node < 0 || node >= nodes) return ts_fail(TORSOR_EIO, "/model/points points nowhere");
    }
    return 0;
}
