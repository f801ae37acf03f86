/* SPDX-License-Identifier: Apache-2.0 */
/* Energies at the start that are not finite.
 *
 * A stiffness, mass, place or velocity that is finite by itself may overflow in products: 1e300 kg
 * at 1e10 m/s. Nothing can be computed with it, so the part is named before a run begins.
 */
#include <math.h>

#include "base/error.h"
#include "system/part_energy.h"

static int refuse(const ts_system *system, int part, const char *energy, const char *what) {
    const char *name = system->model->parts[part].name;
    ts_fail(TORSOR_EINVAL,
            "the %s energy of '%s' at the start is not a finite number: check %s, and their units",
            energy, name, what);
    return ts_blame(TORSOR_EINVAL, name, 0);
}

static double node_kinetic(const ts_system *system, const ts_node *node) {
    const double *v = system->state.v + 3 * node->slot;
    double sum = 0;
    for (int a = 0; a < node->slots; a++)
        for (int b = 0; b < node->slots; b++)
            sum += 0.5 * node->mass[a][b] * v3_dot(v3_load(v + 3 * a), v3_load(v + 3 * b));
    return sum;
}

int ts_check_finite(const ts_system *system) {
    const ts_ledger *l = &system->ledger;
    const ts_model *model = system->model;
    if (isfinite(l->kinetic) && isfinite(l->elastic) && isfinite(l->gravity)) return 0;
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        if (!node->fixed && !isfinite(node_kinetic(system, node)))
            return refuse(system, node->part, "kinetic", "its mass, inertia and velocity");
    }
    for (int p = 0; p < model->parts_count; p++)
        if (!isfinite(ts_part_energy(system, p)))
            return refuse(system, p, "elastic", "its stiffness, section and material");
    return ts_fail(TORSOR_EINVAL, "the energy of the model at the start is not a finite number: "
                                  "check masses, stiffnesses and velocities, and their units");
}
