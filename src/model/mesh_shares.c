/* SPDX-License-Identifier: Apache-2.0 */
/* The share of a set (length, area, volume) that each point represents. See mesh_shares.h.
 *
 * The rule is exact for N_a over flat cells, whatever their shape; for N_a X where they are
 * parallelograms too.
 */
#include "model/mesh_shares.h"

#include "base/error.h"

static void add_cell(const ts_mesh *mesh, int index, ts_share_of_point *share) {
    const ts_cell *cell = &mesh->cell[index];
    ts_quadrature rule;
    ts_cell_quadrature(cell->type, 2 * ts_cell_about(cell->type)->order + 1, &rule);
    for (int g = 0; g < rule.count; g++) {
        double N[TS_CELL_NODES];
        v3 dN[TS_CELL_NODES], x;
        ts_cell_shape(cell->type, rule.xi[g], N, dN);
        double size = rule.weight[g] * m3_det(ts_mesh_jacobian(mesh, index, rule.xi[g], &x));
        for (int a = 0; a < cell->count; a++) {
            ts_share_of_point *s = &share[ts_mesh_nodes(mesh, index)[a]];
            s->measure += N[a] * size;
            s->moment = v3_axpy(N[a] * size, x, s->moment);
        }
    }
}

ts_share_of_point *ts_mesh_shares(const ts_mesh *mesh, int cells, const int *cell) {
    ts_share_of_point *share = ts_calloc((size_t)mesh->points + 1, sizeof *share);
    for (int i = 0; i < cells; i++) add_cell(mesh, cell[i], share);
    return share;
}
