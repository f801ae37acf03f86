/* SPDX-License-Identifier: Apache-2.0 */
/* Names of nodes. See node_names.h. */
#include "model/node_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/mesh_nodes.h"

/* A whole number from 1 to `most`, or -1. */
static int number_of(const char *word, int most) {
    char *end;
    if (*word < '1' || *word > '9') return -1;
    long number = strtol(word, &end, 10);
    return *end || number > most ? -1 : (int)number;
}

/* The node of a part in a set of its mesh that has one point; -1 otherwise. */
static int set_node(const ts_model *model, int part, const ts_mesh_set *set) {
    return set->points == 1 ? ts_part_point_node(model, part, set->point[0]) : -1;
}

static int mesh_node(const ts_model *model, int part, const char *word) {
    const ts_mesh *mesh = ts_mesh_of(model, model->parts[part].mesh);
    int number = number_of(word, ts_mesh_numbers(mesh));
    if (number > 0) return ts_part_point_node(model, part, ts_mesh_numbered(mesh, number));
    int set = ts_mesh_find(mesh, word, 0);
    if (set < 0) set = ts_mesh_find(mesh, word, -1);
    return set < 0 ? -1 : set_node(model, part, &mesh->set[set]);
}

static int stride_of(const ts_part *part) { return part->stride > 1 ? part->stride : 1; }

int ts_part_node(const ts_model *model, int part, const char *word) {
    const ts_part *p = &model->parts[part];
    if (p->mesh) return mesh_node(model, part, word);
    if (p->node < 0 || p->nodes < 1) return -1;
    if (!*word) return p->nodes == 1 ? p->node : -1;
    if (strcmp(word, "start") == 0) return p->node;
    if (strcmp(word, "end") == 0) return p->node + p->nodes - 1;
    int stride = stride_of(p), number = number_of(word, (p->nodes - 1) / stride + 1);
    return number < 0 ? -1 : p->node + (number - 1) * stride;
}

static void number_points(const ts_model *model, int part, int64_t *number) {
    const ts_mesh *mesh = ts_mesh_of(model, model->parts[part].mesh);
    for (int i = 1; i <= ts_mesh_numbers(mesh); i++) {
        int node = ts_part_point_node(model, part, ts_mesh_numbered(mesh, i));
        if (node >= 0 && model->nodes[node].part == part) number[node] = i;
    }
}

/* The number of a node along its line, from 1. Nodes that refinement added have none. */
static int64_t line_number(const ts_part *part, int node) {
    int stride = stride_of(part), place = node - part->node;
    return place % stride ? TS_NAMELESS_NODE : place / stride + 1;
}

void ts_node_numbers(const ts_model *model, int64_t *number) {
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_part *p = &model->parts[model->nodes[n].part];
        if (p->mesh)
            number[n] = TS_NAMELESS_NODE;
        else if (p->nodes > 1)
            number[n] = line_number(p, n);
        else
            number[n] = n == p->node ? TS_ONLY_NODE : TS_NAMELESS_NODE;
    }
    for (int p = 0; p < model->parts_count; p++)
        if (model->parts[p].mesh) number_points(model, p, number);
}

static int64_t point_number(const ts_model *model, int part, int node) {
    const ts_mesh *mesh = ts_mesh_of(model, model->parts[part].mesh);
    for (int i = 1; i <= ts_mesh_numbers(mesh); i++)
        if (ts_part_point_node(model, part, ts_mesh_numbered(mesh, i)) == node) return i;
    return TS_NAMELESS_NODE;
}

bool ts_node_name(const ts_model *model, int node, char *text, size_t size) {
    int part = model->nodes[node].part;
    const ts_part *p = &model->parts[part];
    int64_t number = p->mesh        ? point_number(model, part, node)
                     : p->nodes > 1 ? line_number(p, node)
                                    : TS_ONLY_NODE;
    if (number == TS_ONLY_NODE)
        snprintf(text, size, "%s", p->name);
    else
        snprintf(text, size, "%s.%lld", p->name, (long long)number);
    return number != TS_NAMELESS_NODE;
}

/* By point; 0: it has none. */
static int *numbers_of_points(const ts_mesh *mesh) {
    int *number = ts_calloc((size_t)mesh->points + 1, sizeof *number);
    for (int i = 1; i <= ts_mesh_numbers(mesh); i++) number[ts_mesh_numbered(mesh, i)] = i;
    return number;
}

static void mesh_aliases(const ts_model *model, int part, ts_node_visit *visit, void *context) {
    const ts_mesh *mesh = ts_mesh_of(model, model->parts[part].mesh);
    for (int s = 0; s < mesh->sets; s++) {
        int node = set_node(model, part, &mesh->set[s]);
        if (node >= 0) visit(context, part, mesh->set[s].name, node);
    }
    int *number = numbers_of_points(mesh);
    const ts_mesh_set *own = &mesh->set[model->parts[part].mesh_set];
    for (int i = 0; i < own->points; i++) {
        char word[24];
        int node = ts_part_point_node(model, part, own->point[i]), called = number[own->point[i]];
        snprintf(word, sizeof word, "%d", called);
        if (called > 0 && node >= 0 && model->nodes[node].part != part)
            visit(context, part, word, node);
    }
    free(number);
}

void ts_node_aliases(const ts_model *model, ts_node_visit *visit, void *context) {
    for (int p = 0; p < model->parts_count; p++) {
        const ts_part *part = &model->parts[p];
        if (part->mesh) {
            mesh_aliases(model, p, visit, context);
        } else if (part->node >= 0 && part->nodes > 1) {
            visit(context, p, "start", part->node);
            visit(context, p, "end", part->node + part->nodes - 1);
        }
    }
}
