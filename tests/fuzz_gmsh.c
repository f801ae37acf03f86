/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a mesh of Gmsh: refused with a message and a position, or a mesh whose numbers are
 * within bounds and which can be checked, measured, merged and freed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "meshfile/gmsh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "fuzz_gmsh: %s\n", what);
    abort();
}

static void check_bounds(const ts_mesh *m) {
    insist(m->cells > 0 && m->sets > 0, "a mesh without cells or sets");
    for (int i = 0; i < m->nodes; i++)
        insist(m->node[i] >= 0 && m->node[i] < m->points, "a node out of bounds");
    for (int i = 0; i < m->points; i++)
        insist(isfinite(m->point[i].x) && isfinite(m->point[i].y) && isfinite(m->point[i].z),
               "a point that is not finite");
    for (int s = 0; s < m->sets; s++) {
        const ts_mesh_set *set = &m->set[s];
        insist(set->cells > 0 && set->points > 0, "an empty set");
        for (int i = 0; i < set->cells; i++)
            insist(set->cell[i] >= 0 && set->cell[i] < m->cells &&
                       ts_cell_about(m->cell[set->cell[i]].type)->dimension == set->dimension,
                   "a wrong cell in a set");
        for (int i = 1; i < set->points; i++)
            insist(set->point[i] > set->point[i - 1], "points of a set out of order");
    }
}

static void use(ts_mesh *m) {
    v3 low, high;
    ts_mesh_face *faces;
    ts_mesh_box(m, &low, &high);
    (void)ts_mesh_measure(m, -1);
    (void)ts_mesh_check(m, -1);
    for (int s = 0; s < m->sets; s++) {
        (void)ts_mesh_check_sides(m, s);
        ts_mesh_boundary(m, s, &faces);
        free(faces);
    }
    if (ts_mesh_merge(m, 1e-6) == 0) ts_mesh_finish(m), check_bounds(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ts_gmsh_problem problem;
    ts_mesh *mesh;
    if (ts_gmsh_parse(&mesh, (const char *)data, size, &problem)) {
        insist(!mesh && *problem.message && problem.offset <= size, "a refusal without words");
        return 0;
    }
    check_bounds(mesh);
    use(mesh);
    ts_mesh_free(mesh);
    return 0;
}
