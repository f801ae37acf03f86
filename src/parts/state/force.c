/* SPDX-License-Identifier: Apache-2.0 */
/* Sites of forces that depend on the state.
 *
 * Such a site stands on the nodes of its target and of every channel that the force reads. Its
 * forms are those of the target, then those of the channels; laws/state has the law. Channels
 * may be those of parts that are built later, so a site is only opened with its part, and gets its
 * nodes and forms when all parts are there.
 *
 * Lengths are of differences of places, z = P_B - P_A, which are taken before squares (as in
 * spring.c). A site that has some has vectors: all slots, if other measures need them, then these.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "laws/state/row.h"
#include "laws/state/state_law.h"
#include "parts/parts.h"
#include "parts/state/plan.h"

/* ---- opening ---- */

/* Data of a force that a site stores until it is bound. */
enum { OF, SOURCE, AXIS, DIRECTOR, POINT, SCALE = POINT + 3, ANCHOR, LAW, PERIOD, FIRST, CLOCK };

static const ts_law UNBOUND = {.name = "force of the state, not yet bound"};
static const ts_law BINDING = {.name = "force of the state, being bound"};

static void open_force(ts_model *model, ts_measure target, double scale, double anchor,
                       ts_variable how) {
    const double numbers[] = {target.of,      target.source,  target.axis,    target.director,
                              target.point.x, target.point.y, target.point.z, scale,
                              anchor,         how.law,        how.period,     how.first,
                              how.clock};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ts_model_number(model, numbers[i]);
    ts_model_law(model, &UNBOUND);
}

void ts_state_force(ts_builder *b, ts_measure target, double scale, double anchor, int signal) {
    open_force(b->model, target, scale, anchor, (ts_variable){.law = TS_IS_FORCE});
    ts_model_site_signal(b->model, signal);
}

void ts_state_variable(ts_builder *b, int coordinate, ts_variable how, int signal) {
    ts_measure target = {.of = TS_OF_COORDINATE, .source = coordinate};
    open_force(b->model, target, 1, 0, how);
    ts_model_site_signal(b->model, signal);
    if (how.law == TS_IS_VALUE || how.law == TS_IS_RATE)
        b->model->coordinates[coordinate].equation = signal + 1;
}

void ts_state_row(ts_builder *b, int coordinate, int clock, int signal) {
    ts_measure target = {.of = TS_OF_COORDINATE, .source = coordinate};
    open_force(b->model, target, 1, 0, (ts_variable){.law = TS_IS_ROW, .clock = clock});
    ts_model_site_signal(b->model, signal);
}

void ts_state_pull(ts_builder *b, ts_value *value, ts_measure target, double anchor) {
    int signal = value->given ? ts_take_signal(b, value, 0) : -1;
    if (signal < 0) return;
    ts_joint_site(b->model, TS_ROLE_LAW);
    ts_state_force(b, target, -1, anchor, signal);
}

/* ---- binding ---- */

static const char MANY_VALUES[] =
    "values (an angle is two, an angular velocity six, the force of a bushing ten)";

bool ts_is_force_site(const ts_model *model, int site) {
    const ts_site *s = &model->sites[site];
    if (s->role != TS_ROLE_LAW) return false;
    if (s->law == &UNBOUND || s->law == &BINDING)
        return (int)model->numbers[s->data + LAW] == TS_IS_FORCE;
    return !s->law->variable;
}

bool ts_plan_too_much(const ts_plan *p, const char *what, int most) {
    snprintf(p->message, p->size,
             "this force reads too many channels: at most %d %s in one force, all channels and "
             "the bodies it acts on counted",
             most, what);
    return false;
}

int ts_plan_side(const ts_plan *p, int node) {
    for (int i = 0; i < p->nodes; i++)
        if (p->node[i] == node) return i;
    return -1;
}

bool ts_plan_node(ts_plan *p, int node) {
    if (ts_plan_side(p, node) >= 0) return true;
    p->slots += p->model->nodes[node].slots;
    if (p->nodes == TS_MAX_NODES) return ts_plan_too_much(p, "nodes", TS_MAX_NODES);
    if (p->slots > TS_MAX_SLOTS)
        return ts_plan_too_much(p, "bodies, the ground included", TS_MAX_SLOTS / 4);
    p->node[p->nodes++] = node;
    return true;
}

static bool add_nodes(ts_plan *p, const ts_measure *m) {
    const ts_model *model = p->model;
    if (m->of == TS_OF_ENDS)
        return ts_plan_node(p, model->parts[m->source].nodeA) &&
               ts_plan_node(p, model->parts[m->source].nodeB);
    if (m->of != TS_OF_COORDINATE) return ts_plan_node(p, m->source);
    const ts_coordinate *c = &model->coordinates[m->source];
    for (int i = 0; i < c->nodes; i++)
        if (!ts_plan_node(p, model->site_nodes[c->site_node + i])) return false;
    return true;
}

static bool same(const ts_measure *a, const ts_measure *b) {
    return a->of == b->of && a->source == b->source && a->axis == b->axis &&
           a->director == b->director && v3_norm(v3_sub(a->point, b->point)) == 0;
}

static ts_measure_kind kind_of(const ts_plan *p, const ts_measure *m) {
    if (m->of == TS_OF_ENDS) return TS_MEASURE_LENGTH;
    if (m->of == TS_OF_TURN || m->of == TS_OF_OWN_TURN) return TS_MEASURE_TURN;
    if (m->of == TS_OF_WAY) return TS_MEASURE_WAY;
    return m->of == TS_OF_COORDINATE && p->model->coordinates[m->source].angle ? TS_MEASURE_ANGLE
                                                                               : TS_MEASURE_LINEAR;
}

/* Its number among the measures; -1: it does not fit. */
static int add_measure(ts_plan *p, const ts_measure *m) {
    for (int i = 0; i < p->measures; i++)
        if (same(&p->measure[i], m)) return i;
    p->forms += ts_measure_forms(kind_of(p, m));
    if (p->forms > TS_MAX_FORMS) return ts_plan_too_much(p, MANY_VALUES, TS_MAX_FORMS) - 1;
    if (!add_nodes(p, m)) return -1;
    p->lengths += m->of == TS_OF_ENDS, p->needs_slots |= m->of != TS_OF_ENDS;
    p->measure[p->measures] = *m;
    return p->measures++;
}

/* All rows of a joint are read, and all rows between two joints that are read, so that they form
 * one range. Returns the number in the model; -1: it does not fit. */
int ts_plan_row(ts_plan *p, int row) {
    const ts_model *model = p->model;
    int part = model->sites[model->rows[row].site].part, first = row, last = row;
    while (first > 0 && model->sites[model->rows[first - 1].site].part == part) first--;
    while (last + 1 < model->rows_count && model->sites[model->rows[last + 1].site].part == part)
        last++;
    if (p->reads > 0 && p->read < first) first = p->read;
    if (p->reads > 0 && p->read + p->reads - 1 > last) last = p->read + p->reads - 1;
    p->read = first, p->reads = last - first + 1;
    if (p->reads <= TS_MAX_FORMS) return row;
    snprintf(p->message, p->size,
             "the joints whose reactions this force reads are %d constraints apart, first to last, "
             "at most %d can be read: put these joints next to each other in the file, or pass a "
             "reaction on by a block, `states: {pull: {type: pid, error: JOINT.force.x, kp: 1}}`",
             p->reads, TS_MAX_FORMS);
    return -1;
}

/* Forces that are being bound: each reads the one before it in this list. */
typedef struct chain {
    int part;
    const struct chain *reader;
} chain;

static bool bind(ts_model *model, int index, const chain *up, char *message, size_t size);

/* Reports the cycle, starting at the part that is read again. */
static bool refuse_cycle(const ts_plan *p, const chain *up, int part) {
    const ts_part *parts = p->model->parts;
    char names[200] = "";
    size_t used = 0;
    const chain *path[20];
    int count = 0;
    for (const chain *c = up; c && count < 20; c = c->reader) {
        path[count++] = c;
        if (c->part == part) break;
    }
    while (count-- > 0 && used < sizeof names)
        used += (size_t)snprintf(names + used, sizeof names - used, "%.40s -> ",
                                 parts[path[count]->part].name);
    snprintf(p->message, p->size, "this force depends on itself: %s%.40s", names, parts[part].name);
    return false;
}

/* The sites of a force that is read come first. */
static bool bind_source(const ts_plan *p, int part, const chain *up) {
    const ts_part of = p->model->parts[part];
    for (int s = of.site; s < of.site + of.sites; s++) {
        const ts_law *law = p->model->sites[s].law;
        if (p->model->sites[s].role != TS_ROLE_LAW || !ts_is_force_site(p->model, s)) continue;
        if (law == &BINDING) return refuse_cycle(p, up, part);
        if (law == &UNBOUND && !bind(p->model, s, up, p->message, p->size)) return false;
    }
    return true;
}

/* The first of its entries. */
static int add_force(ts_plan *p, ts_channel_use *use, const chain *up) {
    int count = 0, first = -1;
    if (bind_source(p, use->measure.source, up)) first = ts_plan_force(p, &use->measure, &count);
    use->offset = count;
    return first;
}

/* Measure 0 is the target of the force. */
static bool find_channel(const ts_plan *p, const char *name, ts_channel_use *out) {
    bool found = ts_is_here(name) ? ts_channel_here(p->model, &p->measure[0], name, out)
                                  : ts_channel_named(p->model, name, out);
    if (!found) snprintf(p->message, p->size, "there is no channel '%.80s'", name);
    return found;
}

static bool add_channel(ts_plan *p, const char *name, const chain *up) {
    int k = p->variables;
    if (k == TS_STATE_MAX_VARIABLES) return ts_plan_too_much(p, "channels", TS_STATE_MAX_VARIABLES);
    if (!find_channel(p, name, &p->use[k])) return false;
    const ts_measure *m = &p->use[k].measure;
    if (m->of == TS_OF_FORCE && ts_part_slides_on_line(p->model, m->source)) {
        snprintf(
            p->message, p->size,
            "'%.80s', on a beam or cable, is for conditions of events, and not for forces: let "
            "a light body slide, fix yours to it by a `rigid` joint, and read the force of "
            "that joint",
            name);
        return false;
    }
    if (m->of == TS_OF_CONTACT || m->of == TS_OF_VDOT || m->of == TS_OF_EVENT) {
        snprintf(p->message, p->size,
                 "'%.80s' is known at the ends of steps only: use it in the condition of an event, "
                 "not in a force or state",
                 name);
        return false;
    }
    p->of[k] = m->of == TS_OF_ROW     ? ts_plan_row(p, m->source)
               : m->of == TS_OF_INPUT ? m->source
               : m->of == TS_OF_FORCE ? add_force(p, &p->use[k], up)
                                      : add_measure(p, m);
    p->variables++;
    return p->of[k] >= 0;
}

/* The time of a row is the place of a point. */
static bool add_clock(ts_plan *p, int node) {
    const ts_measure time = {.of = TS_OF_POINT, .source = node, .axis = 0};
    p->clock = node > 0 ? add_measure(p, &time) : -1;
    return node <= 0 || p->clock >= 0;
}

static bool read_plan(ts_plan *p, const ts_site *site, const double *numbers, const chain *up) {
    ts_measure target = {.of = (ts_measured)numbers[OF],
                         .source = (int)numbers[SOURCE],
                         .axis = (int)numbers[AXIS],
                         .director = (int)numbers[DIRECTOR],
                         .point = v3_load(numbers + POINT)};
    if (add_measure(p, &target) < 0) return false;
    const ts_signal *signal = &p->model->signals[p->model->site_signals[site->signal]];
    bool row = (int)numbers[LAW] == TS_IS_ROW;
    for (int i = 0; i < signal->channels; i++) {
        if (row && !ts_row_channel(p->model, signal->channel[i], p->message, p->size)) return false;
        if (!add_channel(p, signal->channel[i], up)) return false;
    }
    if (!add_clock(p, (int)numbers[CLOCK])) return false;
    if (row && p->measures > TS_ROW_MEASURES)
        return ts_plan_too_much(p, "coordinates of a motion", TS_ROW_MEASURES);
    if (p->forms + ts_plan_more_forms(p) > TS_MAX_FORMS)
        return ts_plan_too_much(p, MANY_VALUES, TS_MAX_FORMS);
    int vectors = p->lengths + ts_plan_more_vectors(p);
    if (vectors + (p->needs_slots ? p->slots : 0) > TS_MAX_SLOTS)
        return ts_plan_too_much(p, "vectors (four for a body, one for a length)", TS_MAX_SLOTS);
    return true;
}

/* ---- forms ---- */

static ts_combo point_of(const ts_plan *p, int node, v3 point) {
    return ts_combo_point(ts_plan_side(p, node), point);
}

static ts_combo ends_of(const ts_plan *p, const ts_measure *m) {
    const ts_part *part = &p->model->parts[m->source];
    return ts_combo_minus(point_of(p, part->nodeB, part->pointB),
                          point_of(p, part->nodeA, part->pointA));
}

static void add_vectors(const ts_plan *p) {
    double N[TS_MAX_SLOTS * TS_MAX_SLOTS] = {0};
    int count = 0;
    if (p->lengths + ts_plan_more_vectors(p) == 0) return;
    for (; p->needs_slots && count < p->slots; count++) N[count * p->slots + count] = 1;
    for (int i = 0; i < p->measures; i++)
        if (p->measure[i].of == TS_OF_ENDS)
            ts_combo_weights(p->model, ends_of(p, &p->measure[i]), N + p->slots * count++);
    ts_plan_told_vectors(p, N + p->slots * count);
    ts_model_vectors(p->model, count + ts_plan_more_vectors(p), N);
}

void ts_plan_slots(const ts_plan *p, int site_node, int nodes, int16_t *slot) {
    const ts_model *model = p->model;
    for (int i = 0; i < nodes; i++) {
        int node = model->site_nodes[site_node + i], first = 0;
        for (int k = 0; k < ts_plan_side(p, node); k++) first += model->nodes[p->node[k]].slots;
        for (int k = 0; k < model->nodes[node].slots; k++) *slot++ = (int16_t)(first + k);
    }
}

/* The forms of a coordinate, with its slots found among those of the site. */
static void copy_forms(const ts_plan *p, int coordinate) {
    const ts_coordinate *c = &p->model->coordinates[coordinate];
    int16_t slot[TS_MAX_SLOTS];
    ts_plan_slots(p, c->site_node, c->nodes, slot);
    int form = c->form;
    for (int k = 0, forms = c->angle ? 2 : 1; k < forms; k++) {
        ts_form_new(p->model, 0);
        ts_form_plus(p->model, 1, form + k, slot);
    }
}

static void add_director(const ts_plan *p, int node, int director, int axis) {
    ts_form_component(p->model, v3_axis(axis),
                      ts_combo_direction(ts_plan_side(p, node), v3_axis(director)), 0);
}

static void point_forms(const ts_plan *p, const ts_measure *m, int *vector) {
    (void)vector;
    ts_form_component(p->model, v3_axis(m->axis), point_of(p, m->source, m->point), 0);
}
static void coordinate_forms(const ts_plan *p, const ts_measure *m, int *vector) {
    (void)vector;
    copy_forms(p, m->source);
}
static void length_forms(const ts_plan *p, const ts_measure *m, int *vector) {
    (void)m;
    ts_form_new(p->model, 0);
    ts_form_pair(p->model, *vector, *vector, 0.5);
    ++*vector;
}
static void director_forms(const ts_plan *p, const ts_measure *m, int *vector) {
    (void)vector;
    add_director(p, m->source, m->director, m->axis);
}

/* u = (d_k . b), w = (d_k . c) with axes a, b, c in order. Of a node with one director d, whose
 * moment about a is that on the arm d, each is a third of (d . b), (d . c), with a factor so that
 * u . dw/2 - w . du/2 is d . (b dc - c db). */
static void turn_forms(const ts_plan *p, const ts_measure *m, int *vector) {
    (void)vector;
    bool one = p->model->nodes[m->source].kind == TS_NODE_DIRECTOR;
    for (int half = 1; half < 3; half++)
        for (int k = 0; k < 3; k++) {
            v3 along = v3_scale(one ? sqrt(2.0 / 3) : 1, v3_axis(one ? 2 : k));
            ts_form_component(p->model, v3_axis((m->axis + half) % 3),
                              ts_combo_direction(ts_plan_side(p, m->source), along), 0);
        }
}
/* u = d_c, w = d_b. */
static void own_turn_forms(const ts_plan *p, const ts_measure *m, int *vector) {
    (void)vector;
    for (int half = 2; half > 0; half--)
        for (int k = 0; k < 3; k++) add_director(p, m->source, (m->axis + half) % 3, k);
}
static void way_forms(const ts_plan *p, const ts_measure *m, int *vector) {
    (void)vector;
    for (int k = 0; k < 3; k++)
        ts_form_component(p->model, v3_axis(k), point_of(p, m->source, m->point), 0);
    for (int k = 0; k < 3; k++) add_director(p, m->source, m->axis, k);
}

static void add_forms(const ts_plan *p) {
    static void (*const forms_of[])(const ts_plan *, const ts_measure *,
                                    int *) = {[TS_OF_COORDINATE] = coordinate_forms,
                                              [TS_OF_POINT] = point_forms,
                                              [TS_OF_ENDS] = length_forms,
                                              [TS_OF_DIRECTOR] = director_forms,
                                              [TS_OF_TURN] = turn_forms,
                                              [TS_OF_OWN_TURN] = own_turn_forms,
                                              [TS_OF_WAY] = way_forms};
    int vector = p->needs_slots ? p->slots : 0;
    for (int i = 0; i < p->measures; i++) forms_of[p->measure[i].of](p, &p->measure[i], &vector);
    ts_plan_told_forms(p, vector);
}

/* ---- numbers ---- */

static void add_numbers(const ts_plan *p, double scale, double anchor) {
    ts_model *model = p->model;
    const double head[TS_STATE_HEAD] = {[TS_STATE_SCALE] = scale,
                                        [TS_STATE_ANCHOR] = anchor,
                                        [TS_STATE_MEASURES] = p->measures,
                                        [TS_STATE_VARIABLES] = p->variables,
                                        [TS_STATE_TOLD] = p->told};
    for (int i = 0; i < TS_STATE_HEAD; i++) ts_model_number(model, head[i]);
    for (int i = 0, form = 0; i < p->measures; i++) {
        ts_measure_kind kind = kind_of(p, &p->measure[i]);
        ts_model_number(model, kind), ts_model_number(model, form);
        bool length = p->measure[i].of == TS_OF_ENDS;
        ts_model_number(model, length ? ts_tiny_length(model, p->measure[i].source) : 0);
        form += ts_measure_forms(kind);
    }
    for (int k = 0; k < p->variables; k++) {
        bool row = p->use[k].measure.of == TS_OF_ROW;
        ts_model_number(model, row ? p->of[k] - p->read : p->of[k]);
        ts_model_number(model, p->use[k].taken);
        ts_model_number(model, p->use[k].offset);
    }
}

/* Does the force depend on its own target alone, and does it have a value there at rest? If only
 * changes of the target are known, or only its rate is read (a motor by its curve), there is no
 * energy: then the value must be zero. */
static bool is_own(const ts_plan *p, const ts_signal *signal, double anchor) {
    double x[TS_STATE_MAX_VARIABLES], still[TS_STATE_MAX_VARIABLES] = {0}, slope;
    bool stores = false;
    if (p->variables == 0 || ts_expr_timed(signal->expr)) return false;
    for (int k = 0; k < p->variables; k++) {
        ts_taken taken = p->use[k].taken;
        if (p->of[k] != 0 || taken > TS_TAKEN_RATE) return false;
        x[k] = taken == TS_TAKEN_RATE ? 0 : anchor + p->use[k].offset;
        stores |= taken != TS_TAKEN_RATE && ts_measure_has_value(kind_of(p, &p->measure[0]));
    }
    double resting = ts_expr_at(signal->expr, 0, x, still, &slope);
    return stores ? isfinite(resting) : resting == 0;
}

/* NULL: a row. */
static const ts_law *law_of(const ts_plan *p, const ts_signal *signal, const double *numbers) {
    static const ts_law *const laws[] = {[TS_IS_FORCE] = &TS_STATE_WORK,
                                         [TS_IS_RATE] = &TS_STATE_RATE,
                                         [TS_IS_VALUE] = &TS_STATE_VALUE,
                                         [TS_IS_SAMPLE] = &TS_STATE_SAMPLE,
                                         [TS_IS_ROW] = NULL};
    int law = (int)numbers[LAW];
    return law == TS_IS_FORCE && is_own(p, signal, numbers[ANCHOR]) ? &TS_STATE_OWN : laws[law];
}

static bool bind(ts_model *model, int index, const chain *up, char *message, size_t size) {
    ts_plan p = {.model = model, .self = index, .message = message, .size = size};
    const ts_site site = model->sites[index];
    const chain here = {site.part, up};
    double numbers[CLOCK + 1];
    memcpy(numbers, model->numbers + site.data, sizeof numbers);
    model->sites[index].law = &BINDING;
    if (!read_plan(&p, &site, numbers, &here)) return false;
    const ts_signal *signal = &model->signals[model->site_signals[site.signal]];
    const ts_law *law = law_of(&p, signal, numbers);
    if (signal->channels > 0) numbers[SCALE] *= signal->scale; /* else in its value */
    ts_model_site_again(model, index, p.nodes, p.node);
    if (!law) numbers[ANCHOR] = p.clock;
    add_vectors(&p), add_forms(&p), add_numbers(&p, numbers[SCALE], numbers[ANCHOR]);
    ts_model_number(model, numbers[PERIOD]), ts_model_number(model, numbers[FIRST]);
    ts_plan_told_numbers(&p);
    model->sites[index].law = NULL;
    if (law)
        ts_model_law(model, law);
    else
        ts_model_rowlaw(model, &TS_STATE_ROW);
    ts_model_memory(model, law ? ts_state_memory(law, p.measures) : p.measures); /* behind it */
    ts_model_reads(model, p.read, p.reads);
    return true;
}

bool ts_state_bind(ts_model *model, int part, char *message, size_t size) {
    for (int i = 0; i < model->parts[part].sites; i++) {
        int site = model->parts[part].site + i;
        if (model->sites[site].law == &UNBOUND && !bind(model, site, NULL, message, size))
            return false;
    }
    return true;
}
