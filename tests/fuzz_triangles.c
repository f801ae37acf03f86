/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of triangles: refused with a message and a position, or a mesh whose numbers
 * are within bounds and which can be checked, measured and freed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "meshfile/triangles.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "fuzz_triangles: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ts_gmsh_problem problem;
    ts_mesh *mesh;
    if (ts_triangles_parse(&mesh, (const char *)data, size, &problem)) {
        insist(!mesh && *problem.message && problem.offset <= size, "a refusal without words");
        return 0;
    }
    insist(mesh->cells > 0 && mesh->sets == 1 && mesh->points >= 3, "a mesh without triangles");
    for (int i = 0; i < mesh->nodes; i++)
        insist(mesh->node[i] >= 0 && mesh->node[i] < mesh->points, "a node out of bounds");
    for (int i = 0; i < mesh->points; i++)
        insist(isfinite(mesh->point[i].x + mesh->point[i].y + mesh->point[i].z) ||
                   isfinite(mesh->point[i].x),
               "a point that is not finite");
    (void)ts_mesh_measure(mesh, -1);
    (void)ts_mesh_check(mesh, -1);
    (void)ts_mesh_check_sides(mesh, 0);
    ts_mesh_free(mesh);
    return 0;
}
