/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of a model in a results file: the group /geometry. See geometry.c. */
#ifndef TS_GEOMETRY_H
#define TS_GEOMETRY_H

#include "output/cells.h"
#include "output/skin.h"
#include "reader/document.h"
#include "results/h5.h"

/* Everything that can be drawn, in the tables and arrays that the file has; columns of cells are in
 * output/cells.h, those of shapes that touch and of their surfaces in output/skin.h. Texts and
 * cells belong to the tables they were read with. */
enum {
    TS_OUTLINE_SECTION,
    TS_OUTLINE_FIRST,
    TS_OUTLINE_OUTER,
    TS_OUTLINE_INNER,
    TS_OUTLINE_FIELDS
};
enum {
    TS_BODY_PART,
    TS_BODY_NODE,
    TS_BODY_SHAPE,
    TS_BODY_GIVEN, /* 0: the box made from the inertia */
    TS_BODY_SIZE,  /* three */
    TS_BODY_AT = TS_BODY_SIZE + 3,
    TS_BODY_QUATERNION = TS_BODY_AT + 3, /* s x y z: body axes from axes of the shape */
    TS_BODY_FIELDS = TS_BODY_QUATERNION + 4
};
enum {
    TS_LINK_PART,
    TS_LINK_NODE_A,
    TS_LINK_NODE_B,
    TS_LINK_POINT_A,                       /* three, axes of A */
    TS_LINK_POINT_B = TS_LINK_POINT_A + 3, /* three, axes of B */
    TS_LINK_AXIS = TS_LINK_POINT_B + 3,    /* z of the joint frame, axes of A */
    TS_LINK_FIELDS = TS_LINK_AXIS + 3
};
extern const ts_table_field TS_CELL_FIELD[TS_CELL_FIELDS], TS_OUTLINE_FIELD[TS_OUTLINE_FIELDS],
    TS_BODY_FIELD[TS_BODY_FIELDS], TS_LINK_FIELD[TS_LINK_FIELDS];

typedef struct ts_cell_stations {
    int64_t count[TS_CELL_FAMILIES];
} ts_cell_stations;

typedef struct ts_geometry {
    int64_t cells, outlines, bodies, links;
    ts_table_cell *cell, *outline, *body, *link; /* rows of the fields above */
    int64_t connected, corners;
    int64_t *connectivity; /* nodes */
    double *corner;        /* of outlines: [y2, y3] */
    ts_skins skins;        /* shapes that touch */
} ts_geometry;

int ts_geometry_write(ts_h5 file, const ts_document *document);
/* A file without the group reads as empty. Every index is checked. */
int ts_geometry_read(ts_geometry *g, ts_h5 file, int64_t nodes, ts_cell_stations stations);
/* Nodes that are not positions: unknowns of elements, sums of couplings, quasi-coordinates. Points
 * in no cell, without mass or after the cells of their part; `node` are the rows of model/nodes.
 * The caller frees the list. */
bool *ts_geometry_hidden(const ts_geometry *g, int64_t nodes, const ts_table_cell *node);
void ts_geometry_clear(ts_geometry *g);

#endif
