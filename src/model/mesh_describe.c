/* SPDX-License-Identifier: Apache-2.0 */
/* Description of a mesh for `torsor check`: size, cells, sets. */
#include <stdio.h>
#include <string.h>

#include "model/kind.h"
#include "model/mesh.h"
#include "model/model.h"

enum { WIDTH = 100 };

static void describe_cells(const ts_mesh *m, FILE *out) {
    int count[TS_CELL_TYPES] = {0};
    for (int c = 0; c < m->cells; c++) count[m->cell[c].type]++;
    fprintf(out, "%d points", m->points);
    for (int t = TS_CELL_TYPES - 1; t > TS_CELL_POINT1; t--)
        if (count[t]) fprintf(out, ", %d %s", count[t], ts_cell_about((ts_cell_type)t)->name);
}

static void describe_sets(const ts_mesh *m, int dimension, FILE *out) {
    static const char *const what[] = {"points", "lines", "surfaces", "solids"};
    int column = 0;
    for (int s = 0; s < m->sets; s++) {
        if (m->set[s].dimension != dimension) continue;
        char entry[200];
        int length = snprintf(entry, sizeof entry, "%.150s (%d)", m->set[s].name, m->set[s].cells);
        if (column == 0)
            column = fprintf(out, "              %-9s ", what[dimension]);
        else if (column + 2 + length > WIDTH)
            column = fprintf(out, ",\n%24s", "") - 2;
        else
            column += fprintf(out, ", ");
        column += fprintf(out, "%s", entry);
    }
    if (column) fputc('\n', out);
}

void ts_mesh_describe(const ts_model *model, int part, FILE *out) {
    static const char *const unit[] = {"", " m", " m^2", " m^3"};
    const ts_mesh *m = ts_mesh_of(model, part);
    v3 low, high;
    ts_mesh_box(m, &low, &high);
    fprintf(out, "  mesh        %s (%s): ", model->parts[part].name, model->parts[part].kind->name);
    describe_cells(m, out);
    fprintf(out, "; %.6g%s\n", ts_mesh_measure(m, -1), unit[ts_mesh_dimension(m)]);
    fprintf(out, "              from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m\n", low.x, low.y,
            low.z, high.x, high.y, high.z);
    for (int d = 3; d >= 0; d--) describe_sets(m, d, out);
}
