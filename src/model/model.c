/* SPDX-License-Identifier: Apache-2.0 */
/* Building a model: growing arrays and the algebra of forms. See model.h. */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/kind.h"
#include "model/law.h"
#include "model/mesh.h"

#define GROW(model, name) ts_grow((model)->name, (model)->name##_room, (model)->name##_count + 1)
#define PUSH(model, name, ...) \
    (GROW(model, name), (model)->name[(model)->name##_count] = __VA_ARGS__, (model)->name##_count++)

/* Ranges may be empty, but `array + first` must not start from NULL. */
static void reserve(ts_model *model) {
    GROW(model, site_nodes);
    GROW(model, forms);
    GROW(model, pairs);
    GROW(model, linears);
    GROW(model, stations);
    GROW(model, rows);
    GROW(model, signals);
    GROW(model, numbers);
    GROW(model, site_signals);
    GROW(model, interpolation);
    GROW(model, shape_points);
    GROW(model, shape_faces);
    GROW(model, woven);
}

ts_model *ts_model_new(void) {
    ts_model *model = ts_calloc(1, sizeof *model);
    reserve(model);
    model->row_memory = -1;
    ts_part ground = {
        .name = ts_strdup("ground"), .frameA = m3_identity(), .frameB = m3_identity()};
    PUSH(model, parts, ground);
    ts_model_node(model, TS_NODE_FRAME, v3_make(0, 0, 0), m3_identity());
    model->nodes[0].fixed = true;
    return model;
}

void ts_model_free(ts_model *model) {
    if (!model) return;
    for (int i = 0; i < model->parts_count; i++) free(model->parts[i].name);
    for (int i = 0; i < model->signals_count; i++) ts_signal_clear(&model->signals[i]);
    for (int i = 0; i < model->meshes_count; i++) ts_mesh_free(model->meshes[i]);
    for (int i = 0; i < model->events_count; i++) free(model->events[i].mark);
    void *arrays[] = {
        model->nodes,        model->parts,       model->sites,         model->site_nodes,
        model->forms,        model->pairs,       model->linears,       model->rows,
        model->coordinates,  model->loads,       model->signals,       model->numbers,
        model->site_signals, model->title,       model->interpolation, model->meshes,
        model->pressures,    model->point_nodes, model->stations,      model->events,
        model->actions,      model->switches,    model->shapes,        model->shape_points,
        model->contacts,     model->memberships, model->exceptions,    model->shifts,
        model->shape_shares, model->woven,       model->shape_faces,   model->slides,
        model->strands,      model->windows};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    free(model);
}

int ts_model_node(ts_model *model, ts_node_kind kind, v3 x, m3 D) {
    static const int slots[] = {1, 2, 4};
    ts_node node = {.kind = kind, .slot = model->slots, .slots = slots[kind], .x = x, .D = D};
    node.part = model->parts_count - 1;
    model->slots += node.slots;
    return PUSH(model, nodes, node);
}

/* Euler tensor E = tr(J)/2 I - J: the second moment of mass over the directors. */
void ts_model_mass(ts_model *model, int n, double mass, v3 centre, m3 J) {
    double(*A)[4] = model->nodes[n].mass;
    double half_trace = 0.5 * (J.c[0].x + J.c[1].y + J.c[2].z);
    A[0][0] += mass;
    for (int i = 0; i < 3; i++) {
        A[0][i + 1] += mass * v3_get(centre, i);
        A[i + 1][0] += mass * v3_get(centre, i);
        A[i + 1][i + 1] += half_trace;
        for (int j = 0; j < 3; j++) A[i + 1][j + 1] -= v3_get(J.c[j], i);
    }
}

int ts_model_number(ts_model *model, double value) { return PUSH(model, numbers, value); }
int ts_model_signal(ts_model *model, ts_signal signal) {
    if (signal.kind == TS_SIGNAL_INPUT) signal.input = model->inputs++;
    return PUSH(model, signals, signal);
}

int ts_model_mesh(ts_model *model, ts_mesh *mesh) { return PUSH(model, meshes, mesh); }
int ts_model_memory(ts_model *model, int count) {
    int first = model->memory;
    model->memory += count;
    return first;
}

/* ---- combinations of slots ---- */

static void combo_add(ts_combo *c, int slot, double weight) {
    if (weight == 0) return;
    for (int i = 0; i < c->count; i++)
        if (c->slot[i] == slot) {
            c->weight[i] += weight;
            return;
        }
    c->slot[c->count] = (int16_t)slot, c->weight[c->count++] = weight;
}

ts_combo ts_combo_direction(int side, v3 U) {
    ts_combo c = {0};
    for (int k = 0; k < 3; k++) combo_add(&c, 4 * side + 1 + k, v3_get(U, k));
    return c;
}

ts_combo ts_combo_point(int side, v3 X) {
    ts_combo c = ts_combo_direction(side, X);
    combo_add(&c, 4 * side, 1.0);
    return c;
}

ts_combo ts_combo_minus(ts_combo a, ts_combo b) {
    for (int i = 0; i < b.count; i++) combo_add(&a, b.slot[i], -b.weight[i]);
    return a;
}

/* ---- sites, forms, rows ---- */

static int push_nodes(ts_model *model, int nodes, const int *node, int *slots) {
    int first = model->site_nodes_count;
    *slots = 0;
    for (int i = 0; i < nodes; i++) {
        PUSH(model, site_nodes, node[i]);
        *slots += model->nodes[node[i]].slots;
    }
    return first;
}

/* The site that forms, numbers and laws are added to. */
static ts_site *open_site(ts_model *model) {
    return &model->sites[(model->reopened ? model->reopened : model->sites_count) - 1];
}

/* The list of the site before, if it is the same: sites of one element then are one to the
 * assembly. */
static int share_nodes(ts_model *model, ts_role role, int nodes, const int *node) {
    if (model->sites_count == 0 || role != TS_ROLE_LAW) return -1;
    const ts_site *last = &model->sites[model->sites_count - 1];
    if (last->role != role || last->nodes != nodes || last->part != model->parts_count - 1)
        return -1;
    bool same = memcmp(model->site_nodes + last->node, node, (size_t)nodes * sizeof *node) == 0;
    return same ? last->node : -1;
}

int ts_model_site(ts_model *model, ts_role role, int nodes, const int *node) {
    ts_site site = {.role = role, .part = model->parts_count - 1, .nodes = nodes};
    site.node = share_nodes(model, role, nodes, node);
    site.ambient = model->sites_count ? model->sites[model->sites_count - 1].ambient : 0;
    if (site.node < 0) site.node = push_nodes(model, nodes, node, &site.ambient);
    site.slots = site.ambient, site.interpolation = site.handed = -1;
    site.form = model->forms_count;
    site.row = model->rows_count;
    site.data = model->numbers_count;
    site.signal = model->site_signals_count;
    site.memory = model->memory;
    ts_part *part = &model->parts[site.part];
    if (part->sites == 0) part->site = model->sites_count;
    part->sites++;
    model->site_open = true;
    model->reopened = 0;
    return PUSH(model, sites, site);
}

void ts_model_site_again(ts_model *model, int index, int nodes, const int *node) {
    ts_site *site = &model->sites[index];
    site->nodes = nodes;
    site->node = push_nodes(model, nodes, node, &site->ambient);
    site->slots = site->ambient, site->interpolation = -1;
    site->form = model->forms_count, site->forms = 0;
    site->data = model->numbers_count;
    model->site_open = true;
    model->reopened = index + 1;
}

void ts_model_station(ts_model *model, ts_station station) {
    station.site = model->sites_count - 1;
    model->sites[station.site].station = station.kind;
    ts_part *part = &model->parts[model->sites[station.site].part];
    if (part->stations == 0) part->station = model->stations_count;
    part->stations++;
    PUSH(model, stations, station);
}

void ts_model_vectors(ts_model *model, int vectors, const double *N) {
    ts_site *site = open_site(model);
    site->slots = vectors, site->interpolation = model->interpolation_count;
    for (int i = 0; i < vectors * site->ambient; i++) PUSH(model, interpolation, N[i]);
}

void ts_model_kernel(ts_model *model, const ts_kernel *kernel) {
    model->sites[model->sites_count - 1].kernel = kernel;
}

static int open_form(ts_model *model, double constant) {
    ts_form form = {.pair = model->pairs_count, .linear = model->linears_count, .c = constant};
    if (model->site_open) open_site(model)->forms++;
    return PUSH(model, forms, form);
}

static void add_pair(ts_model *model, ts_form *form, int a, int b, double w) {
    for (int i = form->pair; i < form->pair + form->pairs; i++)
        if (model->pairs[i].a == a && model->pairs[i].b == b) {
            model->pairs[i].w += w;
            return;
        }
    PUSH(model, pairs, (ts_pair){(int16_t)a, (int16_t)b, w});
    form->pairs++;
}

void ts_model_handed(ts_model *model, int weights) {
    model->sites[model->sites_count - 1].handed = weights;
    model->handed = true;
}

int ts_form_new(ts_model *model, double constant) { return open_form(model, constant); }

void ts_form_pair(ts_model *model, int a, int b, double w) {
    add_pair(model, &model->forms[model->forms_count - 1], a, b, w);
}

void ts_form_linear(ts_model *model, int a, v3 g) {
    PUSH(model, linears, (ts_linear){(int16_t)a, g});
    model->forms[model->forms_count - 1].linears++;
}

/* The slot that has body axis k (0: the place); the director of a shell is axis 3 of its node. -1:
 * the node has no such axis. */
static int slot_of_axis(const ts_node *node, int k) {
    if (node->kind == TS_NODE_DIRECTOR && k > 0) return k == 3 ? 1 : -1;
    return k < node->slots ? k : -1;
}

/* Where the terms of a combination stand among the slots of the open site or coordinate. */
static ts_combo placed(ts_model *model, ts_combo c) {
    int list = model->site_open ? open_site(model)->node
                                : model->coordinates[model->coordinates_count - 1].site_node;
    const int *node = model->site_nodes + list;
    for (int i = 0; i < c.count; i++) {
        int side = c.slot[i] / 4, k = c.slot[i] % 4, first = 0;
        for (int n = 0; n < side; n++) first += model->nodes[node[n]].slots;
        k = slot_of_axis(&model->nodes[node[side]], k);
        if (k < 0) model->lost_slots++, k = 0;
        c.slot[i] = (int16_t)(first + k);
    }
    return c;
}

void ts_combo_weights(ts_model *model, ts_combo c, double *N) {
    c = placed(model, c);
    for (int i = 0; i < c.count; i++) N[c.slot[i]] += c.weight[i];
}

void ts_model_vector(ts_model *model, ts_combo u) {
    double N[TS_MAX_SLOTS] = {0};
    ts_combo_weights(model, u, N);
    ts_model_vectors(model, 1, N);
}

void ts_form_plus_dot(ts_model *model, double factor, ts_combo a, ts_combo b) {
    ts_form *form = &model->forms[model->forms_count - 1];
    a = placed(model, a), b = placed(model, b);
    for (int i = 0; i < a.count; i++)
        for (int j = 0; j < b.count; j++) {
            int s = a.slot[i] < b.slot[j] ? a.slot[i] : b.slot[j];
            int t = a.slot[i] < b.slot[j] ? b.slot[j] : a.slot[i];
            add_pair(model, form, s, t, factor * a.weight[i] * b.weight[j]);
        }
}

int ts_form_dot(ts_model *model, double factor, ts_combo a, ts_combo b, double constant) {
    int f = open_form(model, constant);
    ts_form_plus_dot(model, factor, a, b);
    return f;
}

int ts_form_copy(ts_model *model, int form) {
    ts_form original = model->forms[form];
    int f = open_form(model, original.c);
    model->forms[f] = original;
    return f;
}

void ts_form_plus(ts_model *model, double factor, int form, const int16_t *slot) {
    ts_form f = model->forms[form];
    model->forms[model->forms_count - 1].c += factor * f.c;
    for (int i = f.pair; i < f.pair + f.pairs; i++) {
        ts_pair p = model->pairs[i];
        int a = slot[p.a], b = slot[p.b];
        ts_form_pair(model, a < b ? a : b, a < b ? b : a, factor * p.w);
    }
    for (int i = f.linear; i < f.linear + f.linears; i++) {
        ts_linear l = model->linears[i];
        ts_form_linear(model, slot[l.a], v3_scale(factor, l.g));
    }
}

int ts_form_component(ts_model *model, v3 axis, ts_combo a, double constant) {
    int f = open_form(model, constant);
    a = placed(model, a);
    for (int i = 0; i < a.count; i++) ts_form_linear(model, a.slot[i], v3_scale(a.weight[i], axis));
    return f;
}

int ts_form_rate(ts_model *model, int terms, const double *factor, const ts_combo *a,
                 const ts_combo *b) {
    int f = open_form(model, 0);
    for (int n = 0; n < terms; n++) {
        ts_combo left = placed(model, a[n]), right = placed(model, b[n]);
        for (int i = 0; i < left.count; i++)
            for (int j = 0; j < right.count; j++)
                add_pair(model, &model->forms[f], left.slot[i], right.slot[j],
                         factor[n] * left.weight[i] * right.weight[j]);
    }
    return f;
}

int ts_model_row(ts_model *model, int signal, bool drive, const char *label) {
    ts_site *site = &model->sites[model->sites_count - 1];
    ts_row row = {
        .site = model->sites_count - 1, .local = site->rows, .signal = signal, .drive = drive};
    strncpy(row.label, label, sizeof row.label - 1);
    site->rows++;
    if (signal >= 0) model->signals[signal].ramp = true;
    return PUSH(model, rows, row);
}

void ts_model_pull(ts_model *model, ts_pull pull, int axis) {
    ts_row *row = &model->rows[model->rows_count - 1];
    row->pull = pull, row->axis = axis;
}

void ts_model_reads(ts_model *model, int row, int rows) {
    ts_site *site = open_site(model);
    site->read = row, site->reads = rows;
}

double ts_row_signal(const ts_model *model, int row, ts_when when, double *rate) {
    double u = 0;
    int signal = model->rows[row].signal;
    *rate = 0;
    if (signal >= 0) ts_signal_eval(&model->signals[signal], when, &u, rate);
    return u;
}

int ts_model_coordinate(ts_model *model, const char *name, bool angle, int nodes, const int *node) {
    ts_coordinate c = {.part = model->parts_count - 1, .angle = angle, .nodes = nodes};
    strncpy(c.name, name, sizeof c.name - 1);
    c.site_node = push_nodes(model, nodes, node, &c.slots);
    c.form = model->forms_count;
    c.memory = angle ? ts_model_memory(model, 1) : -1;
    ts_part *part = &model->parts[c.part];
    if (part->coordinates == 0) part->coordinate = model->coordinates_count;
    part->coordinates++;
    model->site_open = false;
    return PUSH(model, coordinates, c);
}

void ts_coordinate_unit(ts_coordinate *c, const char *unit) {
    snprintf(c->unit, sizeof c->unit, "%s", unit);
}

void ts_model_law(ts_model *model, const ts_law *law) {
    ts_site *site = open_site(model);
    site->law = law;
    site->memory = ts_model_memory(model, law->memory);
}

void ts_model_rowlaw(ts_model *model, const ts_rowlaw *rowlaw) {
    ts_site *site = open_site(model);
    site->rowlaw = rowlaw;
    site->memory = ts_model_memory(model, rowlaw->memory);
}

void ts_model_site_signal(ts_model *model, int signal) { PUSH(model, site_signals, signal); }

/* A load in axes that its node does not have is lost; the one axis of a shell's node is the
 * third. */
static void fit_load(ts_model *model, ts_load *load) {
    const ts_node *node = &model->nodes[load->node];
    v3 X = load->point;
    if (node->kind == TS_NODE_FRAME) return;
    bool director = node->kind == TS_NODE_DIRECTOR;
    double aside = director ? fabs(X.x) + fabs(X.y) : v3_norm(X);
    if (aside > 1e-9 * (v3_norm(node->x) + v3_norm(X))) model->lost_slots++;
    if (load->moment && (load->follower || !director)) model->lost_slots++;
    if (load->follower && (!director || load->signal[0] >= 0 || load->signal[1] >= 0))
        model->lost_slots++;
    load->point = v3_make(director ? X.z : 0, 0, 0);
    if (load->follower) load->signal[0] = load->signal[2], load->signal[2] = -1;
}

void ts_model_load(ts_model *model, ts_load load) {
    load.part = model->parts_count - 1;
    fit_load(model, &load);
    if (load.factor == 0) load.factor = 1;
    PUSH(model, loads, load);
}

v3 ts_load_signals(const ts_model *model, const ts_load *load, ts_when when) {
    double f[3] = {0}, rate;
    for (int k = 0; k < 3; k++)
        if (load->signal[k] >= 0)
            ts_signal_eval(&model->signals[load->signal[k]], when, &f[k], &rate);
    return v3_load(f);
}

void ts_model_pressure(ts_model *model, ts_pressure pressure, const int *node) {
    int slots;
    pressure.part = model->parts_count - 1;
    pressure.node = push_nodes(model, pressure.nodes, node, &slots);
    if (pressure.variable > 0) push_nodes(model, 1, &pressure.variable, &slots);
    PUSH(model, pressures, pressure);
}

int ts_model_shape(ts_model *model, ts_shape shape) {
    shape.part = model->parts_count - 1;
    shape.point = model->shape_points_count, shape.points = 0;
    shape.face = model->shape_faces_count, shape.faces = 0;
    shape.woven = model->woven_count;
    return PUSH(model, shapes, shape);
}

void ts_model_shape_point(ts_model *model, v3 point) {
    model->shapes[model->shapes_count - 1].points++;
    PUSH(model, shape_points, point);
    PUSH(model, shape_shares, 1);
}

void ts_model_woven_point(ts_model *model, ts_woven point, double share) {
    v3 at = {0, 0, 0};
    for (int i = 0; i < point.nodes; i++)
        at = v3_axpy(point.weight[i], model->nodes[point.node[i]].x, at);
    ts_model_shape_point(model, at);
    model->shape_shares[model->shape_shares_count - 1] = share;
    PUSH(model, woven, point);
}

void ts_model_shape_face(ts_model *model, const int corner[3]) {
    model->shapes[model->shapes_count - 1].faces++;
    PUSH(model, shape_faces, ((ts_face){{corner[0], corner[1], corner[2]}, {-1, -1, -1}, {0}}));
}

void ts_model_woven_more(ts_model *model, ts_woven point) { PUSH(model, woven, point); }

void ts_model_shape_more(ts_model *model, v3 point) {
    PUSH(model, shape_points, point);
    PUSH(model, shape_shares, 1);
}

int ts_model_contact(ts_model *model, ts_contact contact) {
    contact.part = model->parts_count - 1;
    return PUSH(model, contacts, contact);
}

void ts_model_touches(ts_model *model, int shape, int contact, int side) {
    PUSH(model, memberships, ((ts_membership){shape, contact, side}));
}

void ts_model_shift(ts_model *model, ts_shift shift) { PUSH(model, shifts, shift); }

void ts_model_except(ts_model *model, int contact, int a, int b) {
    PUSH(model, exceptions, ((ts_exception){contact, {a < b ? a : b, a < b ? b : a}}));
}

void ts_model_strand(ts_model *model, int a, v3 from, int b, v3 to) {
    PUSH(model, strands, ((ts_strand){model->parts_count - 1, {a, b}, {from, to}}));
}

int ts_model_slide(ts_model *model, ts_slide slide) {
    slide.part = model->parts_count - 1;
    return PUSH(model, slides, slide);
}

int ts_model_window(ts_model *model, int site) {
    const ts_site *s = &model->sites[site];
    return PUSH(model, windows,
                ((ts_window){s->node, s->nodes, s->ambient, s->slots, s->form, s->forms, s->data}));
}

int ts_model_weight(ts_model *model, double weight) { return PUSH(model, interpolation, weight); }
void ts_model_point_node(ts_model *model, int node) { PUSH(model, point_nodes, node); }

ts_part *ts_model_part(ts_model *model, const char *name) {
    ts_part part = {
        .name = ts_strdup(name), .node = -1, .frameA = m3_identity(), .frameB = m3_identity()};
    PUSH(model, parts, part);
    model->site_open = false;
    return &model->parts[model->parts_count - 1];
}

/* What defines (a material, a section, a mesh) comes before the parts, one of which may have the
 * same name. */
int ts_model_part_named(const ts_model *model, const char *name, size_t length) {
    int found = -1;
    for (int p = 0; p < model->parts_count; p++) {
        const ts_part *part = &model->parts[p];
        if (strlen(part->name) != length || memcmp(part->name, name, length) != 0) continue;
        found = p;
        if (!part->kind || !ts_section_defines(part->kind->section)) break;
    }
    return found;
}

/* ---- events ---- */

int ts_model_event(ts_model *model, ts_event event) {
    event.action = model->actions_count, event.actions = 0;
    event.memory = ts_model_memory(model, TS_EVENT_MEMORY);
    return PUSH(model, events, event);
}

void ts_model_action(ts_model *model, ts_action action) {
    model->events[model->events_count - 1].actions++;
    PUSH(model, actions, action);
}

int ts_model_switch(ts_model *model, int part) {
    for (int i = 0; i < model->switches_count; i++)
        if (model->switches[i].part == part) return i;
    ts_switch new = {.part = part, .coordinate = -1, .drawn = true};
    new.memory = ts_model_memory(model, TS_SWITCH_MEMORY);
    return PUSH(model, switches, new);
}

void ts_model_close_events(ts_model *model) {
    if (model->switches_count > 0) model->row_memory = ts_model_memory(model, model->rows_count);
}
