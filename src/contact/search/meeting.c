/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts whose shapes can touch.
 *
 * Planes, surfaces, sockets and holes have no points with which they could touch each other; a
 * stiffness per area or length needs a shape that has area or length; exceptions may exclude every
 * pair; bodies connected by a joint do not touch within a group; bodies that a joint holds in every
 * direction do not move relative to each other. A contact without any pair is a mistake that a run
 * would not report: bodies would fall through each other.
 */
#include "contact/features.h"
#include "contact/search/overlap.h"

static bool two_meet(const ts_model *model, int contact, bool spread, int a, int b) {
    const ts_shape *A = &model->shapes[a], *B = &model->shapes[b];
    bool touch = ts_features_touch(A, B, spread) || ts_features_touch(B, A, spread);
    return touch && ts_shapes_apart(A, B) &&
           !(ts_shape_fixed(model, A) && ts_shape_fixed(model, B)) &&
           !ts_shapes_excepted(model, contact, a, b);
}

static bool held_together(const ts_neighbours *joints, int a, int b) {
    return joints &&
           ts_nodes_joined(joints, joints->model->shapes[a].node, joints->model->shapes[b].node);
}

/* Does a joint hold one node in every direction of the other? Events may detach joints. */
static bool held_fast(const ts_model *model, int a, int b) {
    int node[2] = {model->shapes[a].node, model->shapes[b].node};
    if (model->shapes[a].flexible || model->shapes[b].flexible || model->actions_count)
        return false;
    for (int p = 0, rows = 0; p < model->parts_count; p++, rows = 0) {
        const ts_part *part = &model->parts[p];
        if (!(part->nodeA == node[0] && part->nodeB == node[1]) &&
            !(part->nodeA == node[1] && part->nodeB == node[0]))
            continue;
        for (int i = part->site; i < part->site + part->sites; i++)
            if (model->sites[i].role == TS_ROLE_ROWS) rows += model->sites[i].rows;
        if (rows == 6) return true;
    }
    return false;
}

/* Can the shape touch an earlier shape of its own group, or any shape of the first side? */
static bool meets_another(const ts_model *model, int i, bool spread, const ts_neighbours *joints) {
    const ts_membership *x = &model->memberships[i];
    bool among = model->contacts[x->contact].among;
    for (int k = 0; k < (among ? i : model->memberships_count); k++) {
        const ts_membership *y = &model->memberships[k];
        if (y->contact == x->contact && (among || y->side == 0) &&
            two_meet(model, x->contact, spread, x->shape, y->shape) &&
            !(among && held_together(joints, x->shape, y->shape)) &&
            !(joints && held_fast(model, x->shape, y->shape)))
            return true;
    }
    return false;
}

bool ts_contact_meets(const ts_model *model, int contact, bool spread, bool joints) {
    ts_neighbours joined;
    bool among = model->contacts[contact].among, meets = false;
    if (joints) ts_neighbours_new(&joined, model);
    for (int i = 0; i < model->memberships_count && !meets; i++)
        meets = model->memberships[i].contact == contact &&
                (among || model->memberships[i].side == 1) &&
                meets_another(model, i, spread, joints ? &joined : NULL);
    if (joints) ts_neighbours_clear(&joined);
    return meets;
}
