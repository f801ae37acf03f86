/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that act on a coordinate of a joint: finding it, and standing on its nodes and forms. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "parts/parts.h"

static bool fits(const ts_coordinate *c, ts_quantity_of_joint quantity) {
    return quantity == TS_ANY_COORDINATE || c->angle == (quantity == TS_TURN);
}

/* "angle1, angle2": the coordinates that fit. */
static int list_fitting(const ts_model *model, const ts_part *joint, ts_quantity_of_joint quantity,
                        char *text, size_t size, int *last) {
    int count = 0;
    size_t used = 0;
    text[0] = 0;
    for (int c = joint->coordinate; c < joint->coordinate + joint->coordinates; c++) {
        const ts_coordinate *coordinate = &model->coordinates[c];
        if (!fits(coordinate, quantity)) continue;
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", count ? ", " : "",
                                     coordinate->name);
        count++, *last = c;
    }
    return count;
}

static int find_named(const ts_model *model, const ts_part *joint, const char *name) {
    for (int c = joint->coordinate; c < joint->coordinate + joint->coordinates; c++)
        if (strcmp(model->coordinates[c].name, name) == 0) return c;
    return -1;
}

int ts_pick_coordinate(ts_builder *b, const ts_value *value, int field,
                       ts_quantity_of_joint quantity) {
    const char *wanted = quantity == TS_TURN           ? "angle"
                         : quantity == TS_DISPLACEMENT ? "displacement"
                                                       : "coordinate";
    const ts_part *joint = &b->model->parts[value[field].part[0]];
    char names[120];
    int only = -1;
    int count = list_fitting(b->model, joint, quantity, names, sizeof names, &only);
    if (count == 0) return ts_build_fail(b, field, NULL, "%s has no %s", joint->name, wanted);
    if (value[field + 1].given) {
        int c = find_named(b->model, joint, value[field + 1].text);
        if (c >= 0 && fits(&b->model->coordinates[c], quantity)) return c;
        return ts_build_fail(b, field + 1, NULL, "%s has no %s called %.60s; it has %s",
                             joint->name, wanted, value[field + 1].text, names);
    }
    if (count == 1) return only;
    return ts_build_fail(b, field, "add `coordinate:`", "%s has several coordinates: %s",
                         joint->name, names);
}

void ts_part_at_joint(ts_builder *b, const ts_kind *kind, int coordinate) {
    ts_model *model = b->model;
    ts_part joint = model->parts[model->coordinates[coordinate].part];
    ts_part *part = ts_new_part(b, kind);
    part->nodeA = joint.nodeA, part->nodeB = joint.nodeB;
    part->pointA = joint.pointA, part->pointB = joint.pointB;
    part->frameA = joint.frameA, part->frameB = joint.frameB;
    part->along = coordinate + 1;
}

void ts_part_on_coordinate(ts_builder *b, const ts_kind *kind, int coordinate, ts_role role) {
    ts_part_at_joint(b, kind, coordinate);
    ts_site_on_coordinate(b->model, coordinate, role);
}

void ts_site_on_coordinate(ts_model *model, int coordinate, ts_role role) {
    ts_coordinate c = model->coordinates[coordinate];
    int nodes[TS_MAX_NODES];
    for (int k = 0; k < c.nodes; k++) nodes[k] = model->site_nodes[c.site_node + k];
    ts_model_site(model, role, c.nodes, nodes);
    for (int k = 0; k < (c.angle ? 2 : 1); k++) ts_form_copy(model, c.form + k);
}
