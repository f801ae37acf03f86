/* SPDX-License-Identifier: Apache-2.0 */
/* Cells: elements of flexible parts as results have them, with their nodes and their stations. See
 * cells.c. */
#ifndef TS_CELLS_H
#define TS_CELLS_H

#include "math/element_shapes.h"
#include "output/family.h"

/* Columns of the table of cells, /geometry/cells. */
enum {
    TS_CELL_PART,
    TS_CELL_TYPE,        /* line, triangle, quad, tetra, wedge, hexahedron */
    TS_CELL_FIRST,       /* in connectivity */
    TS_CELL_POINTS,      /* how many */
    TS_CELL_STATION,     /* its first station: model/stations, shell_points or solid_points */
    TS_CELL_STATIONS,    /* how many */
    TS_CELL_OUTLINE,     /* outline of the section at the start of its part; -1: none */
    TS_CELL_OUTLINE_END, /* outline at the end */
    TS_CELL_FROM,        /* position in its part: 0 to 1 */
    TS_CELL_TO,
    TS_CELL_THICKNESS, /* thickness of shells; 0 is unknown */
    TS_CELL_FIELDS
};

/* The table of the stations of a cell. */
typedef enum ts_cell_family {
    TS_CELL_LINES,
    TS_CELL_SURFACES,
    TS_CELL_SOLIDS,
    TS_CELL_FAMILIES
} ts_cell_family;

/* Everything that depends on the type of a cell and its number of points. */
typedef struct ts_cell_look {
    const char *type;
    int points;
    ts_cell_family family;
    int vtk;            /* VTK's number of it */
    int plain;          /* the number of the type in reports: 0 line, 1 triangle ... 5 hexahedron */
    ts_cell_type shape; /* TS_CELL_TYPES: none with stations of its own */
} ts_cell_look;

/* The look of the cell in a row of the table; NULL: a type that this version does not support. */
const ts_cell_look *ts_cell_look_of(const ts_table_cell *cell);
ts_cell_family ts_cell_family_of(const ts_table_cell *cell);
/* The family of stations that its cells have. */
ts_each ts_cell_family_each(ts_cell_family family);

typedef struct ts_cells {
    ts_table_cell *cell; /* rows of the fields above */
    int64_t cells, connected;
    int64_t *connectivity; /* nodes */
} ts_cells;

/* Cells of a model, without outlines and thicknesses. `part`: index of the owner of each cell; may
 * be NULL. */
void ts_cells_make(ts_cells *cells, const ts_model *model, int **part);
void ts_cells_clear(ts_cells *cells);

#endif
