/* Points of parts by name in a results file: the table /model/points. See points.c. */
#ifndef TS_POINTS_H
#define TS_POINTS_H

#include "io/document.h"
#include "io/results_h5.h"
#include "model/mesh.h"

enum {
    TS_POINT_PART,
    TS_POINT_NAME, /* its number, or what it is called */
    TS_POINT_NODE, /* row of model/nodes */
    TS_POINT_X,    /* as drawn; three */
    TS_POINT_Y,
    TS_POINT_Z,
    TS_POINT_FIELDS
};
extern const ts_h5_field TS_POINT_FIELD[TS_POINT_FIELDS];

int ts_points_write(ts_h5 file, const ts_document *document);
/* A file from before there was such a table reads as empty. Every node is below `nodes`. */
int ts_points_read(ts_h5 file, int64_t nodes, int64_t *rows, ts_h5_cell **cells);

/* Of a part on a mesh: the point of the mesh at a place, to 1e-6 of its size; -1 if there is none, and then what lies nearest. */
int ts_point_at(const ts_mesh *mesh, v3 x, int *nearest);

#endif
