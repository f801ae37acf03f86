/* SPDX-License-Identifier: Apache-2.0 */
/* Numbering, state and everything that is read off a state. See system.h. */
#include "system/system.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "laws/angle.h"
#include "math/rotation.h"

/* ---- state ---- */

static ts_input *inputs_drawn(const ts_model *model) {
    ts_input *inputs = ts_calloc((size_t)model->inputs + 1, sizeof *inputs);
    for (int i = 0; i < model->signals_count; i++) {
        const ts_signal *signal = &model->signals[i];
        if (signal->kind == TS_SIGNAL_INPUT) inputs[signal->input] = ts_input_drawn(signal);
    }
    return inputs;
}

void ts_state_alloc(const ts_model *model, ts_state *state) {
    size_t ambient = (size_t)(3 * model->slots), rows = (size_t)model->rows_count + 1;
    state->q = ts_calloc(ambient, sizeof(double));
    state->v = ts_calloc(ambient, sizeof(double));
    state->vdot = ts_calloc(ambient, sizeof(double));
    state->jump = ts_calloc(ambient, sizeof(double));
    state->lambda = ts_calloc(rows, sizeof(double));
    state->kappa = ts_calloc(rows, sizeof(double));
    state->memory = ts_calloc((size_t)model->memory + 1, sizeof(double));
    state->trail = ts_calloc((size_t)ts_trail_length(model), sizeof(double));
    state->past = ts_calloc((size_t)ts_past_length(model) + 1, sizeof(double));
    state->inputs = inputs_drawn(model);
    state->touching = (ts_touching){0};
    state->contact_loss = ts_calloc(2 * (size_t)model->contacts_count + 1, sizeof(double));
    state->contact_impulse = ts_calloc(2 * (size_t)model->contacts_count + 1, sizeof(double));
    state->contact_peak = ts_calloc((size_t)model->contacts_count + 1, sizeof(double));
    state->contact_now = ts_calloc((size_t)model->contacts_count + 1, sizeof(double));
    state->exact = 1;
}

void ts_state_copy(const ts_model *model, ts_state *to, const ts_state *from) {
    size_t ambient = (size_t)(3 * model->slots) * sizeof(double);
    size_t rows = (size_t)model->rows_count * sizeof(double);
    to->t = from->t, to->step = from->step, to->exact = from->exact;
    memcpy(to->control, from->control, sizeof to->control);
    to->event_loss = from->event_loss, to->rubbed = from->rubbed;
    memcpy(to->peak, from->peak, sizeof to->peak);
    to->largest_energy = from->largest_energy;
    memcpy(to->q, from->q, ambient);
    memcpy(to->v, from->v, ambient);
    memcpy(to->vdot, from->vdot, ambient);
    memcpy(to->jump, from->jump, ambient);
    memcpy(to->lambda, from->lambda, rows);
    memcpy(to->kappa, from->kappa, rows);
    memcpy(to->memory, from->memory, (size_t)model->memory * sizeof(double));
    memcpy(to->trail, from->trail, (size_t)ts_trail_length(model) * sizeof(double));
    memcpy(to->past, from->past, (size_t)ts_past_length(model) * sizeof(double));
    to->past_steps = from->past_steps;
    ts_touching_copy(&to->touching, &from->touching);
    size_t contacts = (size_t)model->contacts_count * sizeof(double);
    memcpy(to->contact_loss, from->contact_loss, 2 * contacts);
    memcpy(to->contact_impulse, from->contact_impulse, 2 * contacts);
    memcpy(to->contact_peak, from->contact_peak, contacts);
    memcpy(to->inputs, from->inputs, (size_t)model->inputs * sizeof *to->inputs);
}

void ts_state_stored(const ts_model *model, ts_state *state) {
    memset(state->contact_peak, 0, (size_t)model->contacts_count * sizeof(double));
}

void ts_state_free(ts_state *state) {
    double *arrays[] = {state->q,     state->v,      state->vdot,  state->jump, state->lambda,
                        state->kappa, state->memory, state->trail, state->past};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    free(state->inputs), free(state->contact_loss), free(state->contact_impulse);
    free(state->contact_peak), free(state->contact_now);
    ts_touching_clear(&state->touching);
    memset(state, 0, sizeof *state);
}

/* ---- building ---- */

static v3 drawn_director(const ts_node *node, int k) {
    return node->D.c[node->kind == TS_NODE_DIRECTOR ? 2 : k - 1];
}

static void initial_state(ts_system *system) {
    const ts_model *model = system->model;
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        double *q = system->state.q + 3 * node->slot, *v = system->state.v + 3 * node->slot;
        v3_store(q, node->x), v3_store(v, node->velocity);
        for (int k = 1; k < node->slots; k++) {
            v3 d = drawn_director(node, k);
            v3_store(q + 3 * k, d), v3_store(v + 3 * k, v3_cross(node->omega, d));
        }
    }
}

static void initial_memory(ts_system *system) {
    const ts_model *model = system->model;
    double q[3 * TS_MAX_SLOTS], e[TS_MAX_FORMS];
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        ts_site_values(model, site, system->state.q, e);
        double *memory = system->state.memory + site->memory;
        if (site->law) ts_site_begin(model, site, e, system->state.memory);
        if (!site->rowlaw || !site->rowlaw->begin) continue;
        double rate, u = ts_row_signal(model, site->row, ts_when_of(&system->state, 0), &rate);
        /* the turn that the drive asks for */
        if (model->rows[site->row].signal >= 0) memory[0] = u;
        site->rowlaw->begin(model->numbers + site->data, e, memory);
    }
    for (int i = 0; i < model->coordinates_count; i++) {
        const ts_coordinate *c = &model->coordinates[i];
        if (!c->angle) continue;
        ts_gather(model, c->site_node, c->nodes, system->state.q, q);
        /* zero at first; after assembly the nearest turn */
        double *angle = &system->state.memory[c->memory];
        *angle = ts_angle_unwrap(*angle, ts_form_value(model, c->form, q),
                                 ts_form_value(model, c->form + 1, q));
    }
}

/* ---- size ---- */

typedef struct extent {
    v3 low, high;
    double arm, far; /* the longest lever within a body; the largest distance from the origin */
} extent;

static void take_place(extent *e, v3 x) {
    e->low = v3_make(fmin(e->low.x, x.x), fmin(e->low.y, x.y), fmin(e->low.z, x.z));
    e->high = v3_make(fmax(e->high.x, x.x), fmax(e->high.y, x.y), fmax(e->high.z, x.z));
    e->far = fmax(e->far, v3_norm(x));
}

/* A point of a body is a lever, a point of the ground a place. */
static void take_point(extent *e, const ts_model *model, int node, v3 point) {
    if (node < 0) return;
    if (model->nodes[node].fixed)
        take_place(e, v3_add(model->nodes[node].x, m3_apply(model->nodes[node].D, point)));
    else
        e->arm = fmax(e->arm, v3_norm(point));
}

static double gyration(const ts_node *node) {
    double m = node->mass[0][0], E = 0;
    for (int k = 1; k < node->slots; k++) E += node->mass[k][k];
    return m > 0 && E > 0 ? sqrt(E / m) : 0;
}

/* The ground has no position, so the origin counts only where something is attached. The size of a
 * single body is its radius of gyration. */
void ts_model_size(const ts_model *model, double *size, double *far) {
    extent e = {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}, 0, 0};
    double radius = 0;
    for (int n = 1; n < model->nodes_count; n++) {
        if (model->nodes[n].inner) continue;
        take_place(&e, model->nodes[n].x);
        radius = fmax(radius, gyration(&model->nodes[n]));
    }
    for (int p = 1; p < model->parts_count; p++) {
        const ts_part *part = &model->parts[p];
        bool ties = part->nodeA != part->nodeB && !part->support; /* other parts have no points */
        if (part->sites == 0 || !ties) continue;
        take_point(&e, model, part->nodeA, part->pointA);
        take_point(&e, model, part->nodeB, part->pointB);
    }
    for (int i = 0; i < model->slides_count; i++) /* a closed path is narrower than it is long */
        if (isfinite(model->slides[i].high))      /* a rope has no end to its length */
            e.arm = fmax(e.arm, 0.25 * (model->slides[i].high - model->slides[i].low));
    double length = fmax(v3_norm(v3_sub(e.high, e.low)), e.arm);
    if (e.low.x > e.high.x || !(length > 0)) length = radius;
    *size = length > 0 ? length : 1.0;
    *far = fmax(1, e.far / *size);
}

void ts_system_renumber(ts_system *system) {
    const ts_model *model = system->model;
    system->dofs = system->rows = 0;
    for (int n = 0; n < model->nodes_count; n++) {
        bool fixed = model->nodes[n].fixed;
        system->node_dof[n] = fixed ? -1 : system->dofs;
        if (!fixed) system->dofs += ts_node_dofs(&model->nodes[n]);
    }
    for (int r = 0; r < model->rows_count; r++)
        system->row_eq[r] = model->rows[r].redundant || model->rows[r].off ? -1 : system->rows++;
}

int ts_system_new(ts_system **out, const ts_model *model) {
    ts_system *system = ts_calloc(1, sizeof *system);
    system->model = model;
    if (model->switches_count > 0 || model->windows_count > 0) ts_view_new(system);
    model = system->model;
    system->node_dof = ts_calloc((size_t)model->nodes_count + 1, sizeof(int));
    system->row_eq = ts_calloc((size_t)model->rows_count + 1, sizeof(int));
    ts_model_size(model, &system->length, &system->far);
    ts_state_alloc(model, &system->state);
    if (system->view) ts_view_follow(system);
    ts_system_renumber(system);
    initial_state(system);
    initial_memory(system);
    system->watch = ts_watch_new(system), system->refused = -1;
    *out = system;
    return 0;
}

int ts_system_copy(ts_system **out, const ts_system *from) {
    int status = ts_system_new(out, from->model);
    if (status) return status;
    ts_state_copy(from->model, &(*out)->state, &from->state);
    if ((*out)->view) ts_view_follow(*out);
    (*out)->ledger = from->ledger, (*out)->energy_start = from->energy_start;
    return 0;
}

static void begin_peaks(ts_system *system) {
    ts_seen seen;
    ts_seen_clear(&seen);
    for (int m = 0; m < TS_GAUGES; m++) system->state.peak[m] = (ts_peak){.part = -1};
    system->state.largest_energy = 0, system->refused = -1;
    ts_take_energies(system, NULL, &seen);
    ts_see_angles(system, system->state.q, &seen);
    ts_note_peaks(system, &seen, system->state.t);
}

void ts_system_begin(ts_system *system) {
    ts_ledger *ledger = &system->ledger;
    memset(ledger, 0, sizeof *ledger);
    memset(system->state.trail, 0, (size_t)ts_trail_length(system->model) * sizeof(double));
    initial_memory(system);
    ts_touching_follow(system->model, system->state.q, system->state.v, &system->state.touching);
    begin_peaks(system);
    system->energy_start = ledger->kinetic + ledger->elastic + ledger->gravity;
}

void ts_system_free(ts_system *system) {
    if (!system) return;
    ts_state_free(&system->state);
    free(system->node_dof), free(system->row_eq), free(system->linear);
    ts_view_free(system->view);
    ts_watch_free(system->watch);
    free(system);
}

/* ---- what a state says ---- */

void ts_turn_axes(const ts_system *system, int n, v3 t[2]) {
    ts_complete_basis(v3_load(system->state.q + 3 * system->model->nodes[n].slot + 3), t);
}

v3 ts_node_turn(const ts_system *system, int n, const double *unknowns) {
    const ts_node *node = &system->model->nodes[n];
    if (node->kind == TS_NODE_POINT) return v3_make(0, 0, 0);
    if (node->kind == TS_NODE_FRAME) return v3_load(unknowns + 3);
    v3 t[2];
    ts_turn_axes(system, n, t);
    return v3_axpy(unknowns[4], t[1], v3_scale(unknowns[3], t[0]));
}

double ts_coordinate_value(const ts_system *system, int i) {
    const ts_coordinate *c = &system->model->coordinates[i];
    if (c->angle) return system->state.memory[c->memory];
    double q[3 * TS_MAX_SLOTS];
    ts_gather(system->model, c->site_node, c->nodes, system->state.q, q);
    return ts_form_value(system->model, c->form, q);
}

static double form_rate(const ts_model *model, int form, int slots, const double *q,
                        const double *v) {
    double B[3 * TS_MAX_SLOTS], rate = 0;
    ts_form_gradient(model, form, slots, q, B);
    for (int i = 0; i < 3 * slots; i++) rate += B[i] * v[i];
    return rate;
}

double ts_coordinate_rate(const ts_system *system, int i) {
    const ts_model *model = system->model;
    const ts_coordinate *c = &model->coordinates[i];
    double q[3 * TS_MAX_SLOTS], v[3 * TS_MAX_SLOTS];
    ts_gather(model, c->site_node, c->nodes, system->state.q, q);
    ts_gather(model, c->site_node, c->nodes, system->state.v, v);
    double rate = form_rate(model, c->form, c->slots, q, v);
    if (!c->angle) return rate;
    double cosine = ts_form_value(model, c->form, q), sine = ts_form_value(model, c->form + 1, q);
    double sine_rate = form_rate(model, c->form + 1, c->slots, q, v);
    return (cosine * sine_rate - sine * rate) / (cosine * cosine + sine * sine);
}

/* Value, rate and second derivative of a form. Forms are quadratic, so the gradient is affine:
 * F'' = B(q) a + (B(v) - B(0)) v. */
typedef struct form_motion {
    double value, rate, second;
} form_motion;

static form_motion follow(const ts_model *model, int form, int slots, const double *q,
                          const double *v, const double *a) {
    static const double zero[3 * TS_MAX_SLOTS];
    return (form_motion){ts_form_value(model, form, q), form_rate(model, form, slots, q, v),
                         form_rate(model, form, slots, q, a) + form_rate(model, form, slots, v, v) -
                             form_rate(model, form, slots, zero, v)};
}

/* The second derivative of the angle of (cosine, sine): with p = c s' - s c', r = c^2 + s^2 it is
 * (p/r)' = (c s'' - s c'')/r - 2 p (c c' + s s')/r^2. */
double ts_coordinate_acceleration(const ts_system *system, int i, const double *vdot) {
    const ts_model *model = system->model;
    const ts_coordinate *k = &model->coordinates[i];
    double q[3 * TS_MAX_SLOTS], v[3 * TS_MAX_SLOTS], a[3 * TS_MAX_SLOTS];
    ts_gather(model, k->site_node, k->nodes, system->state.q, q);
    ts_gather(model, k->site_node, k->nodes, system->state.v, v);
    ts_gather(model, k->site_node, k->nodes, vdot, a);
    form_motion c = follow(model, k->form, k->slots, q, v, a);
    if (!k->angle) return c.second;
    form_motion s = follow(model, k->form + 1, k->slots, q, v, a);
    double p = c.value * s.rate - s.value * c.rate, r = c.value * c.value + s.value * s.value;
    return (c.value * s.second - s.value * c.second) / r -
           2 * p * (c.value * c.rate + s.value * s.rate) / (r * r);
}

/* omega of a node from its directors d and `rate`: d x rate, of a frame half the sum of all. With
 * second derivatives in place of rates the angular acceleration, because rate x rate is zero. */
static v3 turning(const ts_system *system, int n, const double *rates) {
    const ts_node *node = &system->model->nodes[n];
    if (node->kind == TS_NODE_POINT) return v3_make(0, 0, 0);
    const double *d = system->state.q + 3 * node->slot + 3, *rate = rates + 3 * node->slot + 3;
    if (node->kind == TS_NODE_DIRECTOR) return v3_cross(v3_load(d), v3_load(rate));
    return v3_scale(0.5, m3_moment(m3_load(d), m3_load(rate)));
}

v3 ts_node_omega(const ts_system *system, int n) { return turning(system, n, system->state.v); }

v3 ts_node_alpha(const ts_system *system, int n, const double *vdot) {
    return turning(system, n, vdot);
}

/* The directors of a node as a matrix; of a point, as drawn. */
static m3 axes_of(const ts_system *system, int n) {
    const ts_node *node = &system->model->nodes[n];
    return node->kind == TS_NODE_FRAME ? m3_load(system->state.q + 3 * node->slot + 3) : node->D;
}

void ts_site_weights(const ts_system *system, const ts_site *site, const double *e,
                     double *weight) {
    ts_law_step rest =
        ts_site_rest(system->model, site, ts_past_of(&system->state), e, system->state.t);
    ts_site_weights_at_rest(site, &rest, system->state.lambda, weight);
}

bool ts_part_reacts(const ts_part *part) {
    return part->support || (part->sites > 0 && part->node < 0 && !part->mesh && !part->spread);
}

void ts_part_reaction(const ts_system *system, int p, v3 *force, v3 *moment) {
    const double *held = system->state.memory + system->model->parts[p].memory;
    ts_part_reaction_of(system, p, system->state.lambda, held, force, moment);
}

/* Linear statics: what is read off the state grows with the displacements u from the drawing, see
 * linear_statics.c. */

/* Where forces act: at the state, or as drawn. */
static const double *places_now(const ts_system *system) {
    return system->linear ? system->linear : system->state.q;
}

/* Weights of the forms of a site at given places, and at the present rates, with these
 * multipliers. */
static void weights_at(const ts_system *system, const ts_site *site, const double *e,
                       const double *rate, const double *lambda, double *weight) {
    ts_past past = ts_past_of(&system->state);
    double t = system->state.t;
    ts_law_step rest = ts_site_rest(system->model, site, past, e, t);
    ts_site_weights_at_rest(site, &rest, lambda, weight);
    if (site->role == TS_ROLE_LAW && !system->still)
        ts_site_damping(system->model, site, past, t, e, rate, weight);
}

/* Reaction of a site on the second node of its part, with places q, times `factor`: force, and
 * moment about the node or, for a support, about part->about. */
static void add_reaction(const ts_system *system, const ts_part *part, const ts_site *site,
                         const double *lambda, const double *q, double factor, v3 out[2]) {
    const ts_model *model = system->model;
    int at = model->site_nodes[site->node + 1];
    int first = 3 * model->nodes[model->site_nodes[site->node]].slots;
    const ts_node *end = &model->nodes[at];
    const double *own = q + 3 * end->slot;
    v3 arm = part->support ? v3_sub(v3_load(own), part->about) : v3_make(0, 0, 0);
    double weight[TS_MAX_FORMS] = {0}, room[3 * TS_MAX_SLOTS];
    ts_site_view now;
    ts_site_look(model, site, q, system->state.v, &now);
    weights_at(system, site, now.e, now.rate, lambda, weight);
    for (int k = 0; k < site->forms; k++) {
        if (weight[k] == 0) continue;
        const double *B = ts_site_spread(model, site, now.B[k], room) + first;
        double w = -factor * weight[k];
        out[0] = v3_axpy(w, v3_load(B), out[0]);
        out[1] = v3_axpy(w, v3_cross(arm, v3_load(B)), out[1]);
        for (int d = 3; d < 3 * end->slots; d += 3)
            out[1] = v3_axpy(w, v3_cross(v3_load(own + d), v3_load(B + d)), out[1]);
    }
}

void ts_part_reaction_of(const ts_system *system, int p, const double *lambda, const double *held,
                         v3 *force, v3 *moment) {
    const ts_model *model = system->model;
    const ts_part *part = &model->parts[p];
    const double *q = places_now(system);
    size_t size = 3 * (size_t)model->slots;
    v3 out[2] = {{0, 0, 0}, {0, 0, 0}};
    if (part->support) out[0] = v3_load(held), out[1] = v3_load(held + 3);
    for (int s = part->site; s < part->site + part->sites; s++) {
        const ts_site *site = &model->sites[s];
        if (site->nodes < 2) continue;
        if (model->site_nodes[site->node + 1] != part->nodeB && !part->support) continue;
        add_reaction(system, part, site, lambda, q, 1, out);
        if (!system->linear || site->role != TS_ROLE_LAW) continue;
        add_reaction(system, part, site, lambda, q + size, 0.5 / system->linear_step, out);
        add_reaction(system, part, site, lambda, q + 2 * size, -0.5 / system->linear_step, out);
    }
    *force = out[0];
    const ts_node *end = &model->nodes[part->nodeB];
    m3 axes =
        end->kind == TS_NODE_FRAME ? m3_load(q + 3 * end->slot + 3) : axes_of(system, part->nodeB);
    *moment = v3_sub(out[1], v3_cross(m3_apply(axes, part->pointB), *force));
}

void ts_part_relative(const ts_system *system, int p, v3 *displacement, v3 *rotation) {
    const ts_part *part = &system->model->parts[p];
    const double *a = system->state.q + 3 * system->model->nodes[part->nodeA].slot;
    const double *b = system->state.q + 3 * system->model->nodes[part->nodeB].slot;
    m3 A = axes_of(system, part->nodeA), B = axes_of(system, part->nodeB),
       frame = m3_mul(A, part->frameA);
    v3 point_a = v3_add(v3_load(a), m3_apply(A, part->pointA));
    v3 point_b = v3_add(v3_load(b), m3_apply(B, part->pointB));
    *displacement = m3_tapply(frame, v3_sub(point_b, point_a));
    *rotation = ts_so3_log(m3_tmul(frame, m3_mul(B, part->frameB)));
}

/* A point of a body, and its velocity. */
static v3 point_now(const ts_system *system, const double *field, int n, v3 point) {
    const ts_node *node = &system->model->nodes[n];
    v3 x = v3_load(field + 3 * node->slot);
    for (int k = 1; k < node->slots; k++)
        x = v3_axpy(v3_get(point, k - 1), v3_load(field + 3 * (node->slot + k)), x);
    return x;
}

void ts_part_stretch(const ts_system *system, int p, double *length, double *rate, v3 *along) {
    const ts_part *part = &system->model->parts[p];
    const double *q = system->state.q, *v = system->state.v;
    v3 way = v3_sub(point_now(system, q, part->nodeB, part->pointB),
                    point_now(system, q, part->nodeA, part->pointA));
    v3 change = v3_sub(point_now(system, v, part->nodeB, part->pointB),
                       point_now(system, v, part->nodeA, part->pointA));
    *length = v3_norm(way);
    *along = *length > 0 ? v3_scale(1 / *length, way) : v3_make(0, 0, 0);
    *rate = v3_dot(*along, change);
}

/* Forces of laws act along the rates of forms. */
static double law_power(const ts_system *system, const ts_site *site) {
    double weight[TS_MAX_FORMS], e[TS_MAX_FORMS] = {0}, rate[TS_MAX_FORMS];
    ts_site_values(system->model, site, system->state.q, e);
    ts_site_rates(system->model, site, system->state.q, system->state.v, rate);
    weights_at(system, site, e, rate, NULL, weight);
    return -ts_dot(site->forms, weight, rate);
}

/* Power of a prescribed motion: its effort, minus the multiplier, times the rate of its row. */
static double drive_power(const ts_system *system, const ts_site *site, const double *lambda) {
    double e[TS_MAX_FORMS] = {0}, rate[TS_MAX_FORMS], power = 0;
    ts_row_response r;
    if (!system->model->rows[site->row].drive) return 0;
    ts_site_values(system->model, site, system->state.q, e);
    ts_site_rates(system->model, site, system->state.q, system->state.v, rate);
    ts_law_step rest =
        ts_site_rest(system->model, site, ts_past_of(&system->state), e, system->state.t);
    if (site->rowlaw) site->rowlaw->respond(&rest, &r);
    for (int k = 0; k < site->forms; k++)
        power -=
            lambda[site->row + (site->rowlaw ? 0 : k)] * (site->rowlaw ? r.y_f[k] : 1) * rate[k];
    return power;
}

double ts_part_power(const ts_system *system, int p, const double *lambda) {
    const ts_part *part = &system->model->parts[p];
    double power = 0;
    for (int s = part->site; s < part->site + part->sites; s++) {
        const ts_site *site = &system->model->sites[s];
        bool variable = site->role == TS_ROLE_LAW && site->law->variable; /* moves no body */
        if (site->role == TS_ROLE_LAW && !variable) power += law_power(system, site);
        if (site->role == TS_ROLE_ROWS) power += drive_power(system, site, lambda);
    }
    return power;
}

static v3 slot_momentum(const ts_node *node, const double *v, int a) {
    v3 p = {0, 0, 0};
    for (int b = 0; b < node->slots; b++) p = v3_axpy(node->mass[a][b], v3_load(v + 3 * b), p);
    return p;
}

static v3 place_of(const ts_system *system, int node) {
    return v3_load(system->state.q + 3 * system->model->nodes[node].slot);
}

/* Where the mass of a node is; how much, over its mass; its momentum is that times `speed`, over
 * the velocity of the node: a quasi-coordinate goes with the root of what it stands for. */
typedef struct carried {
    v3 place;
    double mass, speed;
} carried;

static carried carried_by(const ts_system *system, const ts_node *node) {
    double root = place_of(system, node->root).x;
    return (carried){place_of(system, node->moves), root * root, root};
}

void ts_momenta(const ts_system *system, v3 *linear, v3 *angular) {
    *linear = *angular = v3_make(0, 0, 0);
    for (int n = 0; n < system->model->nodes_count; n++) {
        const ts_node *node = &system->model->nodes[n];
        if (node->fixed || (node->inner && !node->root)) continue;
        const double *q = system->state.q + 3 * node->slot, *v = system->state.v + 3 * node->slot;
        if (node->root) {
            carried c = carried_by(system, node);
            v3 p = v3_scale(c.speed, slot_momentum(node, v, 0));
            *linear = v3_add(*linear, p);
            *angular = v3_add(*angular, v3_cross(c.place, p));
            continue;
        }
        for (int a = 0; a < node->slots; a++) {
            v3 p = slot_momentum(node, v, a);
            if (a == 0) *linear = v3_add(*linear, p);
            *angular = v3_add(*angular, v3_cross(v3_load(q + 3 * a), p));
        }
    }
}

void ts_mass_centre(const ts_system *system, double *mass, v3 *centre) {
    *mass = 0, *centre = v3_make(0, 0, 0);
    for (int n = 0; n < system->model->nodes_count; n++) {
        const ts_node *node = &system->model->nodes[n];
        if (node->fixed || (node->inner && !node->root)) continue;
        if (node->root) {
            carried c = carried_by(system, node);
            *mass += c.mass * node->mass[0][0];
            *centre = v3_axpy(c.mass * node->mass[0][0], c.place, *centre);
            continue;
        }
        *mass += node->mass[0][0];
        *centre = v3_add(*centre, slot_momentum(node, system->state.q + 3 * node->slot, 0));
    }
    if (*mass > 0) *centre = v3_scale(1.0 / *mass, *centre);
}

static double energy_at(const ts_system *system, const ts_site *site, const double *q) {
    double e[TS_MAX_FORMS];
    ts_site_values(system->model, site, q, e);
    return ts_site_energy(system->model, site, (ts_past){.memory = system->state.memory}, e);
}

/* Energy stored in linear statics by forces that grow with the displacements: (s0 + s)/2 . B u. */
static double quadratic_energy(const ts_system *system, const ts_site *site, double drawn) {
    size_t size = 3 * (size_t)system->model->slots;
    double e[3][TS_MAX_FORMS], s[3][TS_MAX_FORMS], by = 1 / (2 * system->linear_step);
    for (int i = 0; i < 3; i++) {
        ts_site_values(system->model, site, system->linear + (size_t)i * size, e[i]);
        ts_site_weights(system, site, e[i], s[i]);
    }
    for (int k = 0; k < site->forms; k++) {
        double grown = by * (s[1][k] - s[2][k]);
        drawn += (s[0][k] + 0.5 * grown) * by * (e[1][k] - e[2][k]);
    }
    return drawn;
}

double ts_site_stored(const ts_system *system, int i) {
    const ts_site *site = &system->model->sites[i];
    if (site->role != TS_ROLE_LAW || !ts_law_stores(site->law)) return 0;
    double stored = energy_at(system, site, places_now(system));
    return system->linear ? quadratic_energy(system, site, stored) : stored;
}

/* That of laws that weigh goes to `gravity`. */
static double elastic_energy(const ts_system *system, const double *known, ts_seen *seen,
                             double *gravity) {
    const ts_model *model = system->model;
    const double *scale = ts_strain_scales(system->watch);
    double V = 0, square = 0;
    int at = -1;
    for (int i = 0; i < model->sites_count; i++) {
        double stored = known ? known[i] : ts_site_stored(system, i);
        if (stored == 0) continue;
        *(model->sites[i].law->weighs ? gravity : &V) += stored;
        if (stored * scale[i] > square) square = stored * scale[i], at = i;
    }
    if (seen) ts_see(seen, TS_STRAIN, sqrt(square), at);
    return V;
}

/* Mass times the displacement of its centre from the drawing. */
static v3 moved_mass(const ts_node *node, const double *q) {
    v3 way = v3_scale(node->mass[0][0], v3_sub(v3_load(q), node->x));
    for (int b = 1; b < node->slots; b++)
        way = v3_axpy(node->mass[0][b], v3_sub(v3_load(q + 3 * b), drawn_director(node, b)), way);
    return way;
}

TS_FOR_SLOTS double kinetic_energy(int slots, const ts_node *node, const double *v) {
    double p[3 * TS_FRAME_SLOTS], sum = 0;
    ts_mass_times_all(slots, node, v, p);
    for (int i = 0; i < 3 * slots; i++) sum += v[i] * p[i];
    return 0.5 * sum;
}

static void energies(const ts_system *system, const double *stored, ts_seen *seen, double *kinetic,
                     double *elastic, double *gravity) {
    *kinetic = *gravity = 0;
    for (int n = 0; n < system->model->nodes_count; n++) {
        const ts_node *node = &system->model->nodes[n];
        if (node->fixed) continue;
        const double *q = system->state.q + 3 * node->slot, *v = system->state.v + 3 * node->slot;
        *kinetic += node->slots == TS_FRAME_SLOTS ? kinetic_energy(TS_FRAME_SLOTS, node, v)
                                                  : kinetic_energy(node->slots, node, v);
        *gravity -= v3_dot(ts_node_gravity(node, system->model->gravity), moved_mass(node, q));
    }
    *elastic =
        elastic_energy(system, stored, seen, gravity) + ts_touching_stored(&system->state.touching);
}

void ts_energies(const ts_system *system, double *kinetic, double *elastic, double *gravity) {
    energies(system, NULL, NULL, kinetic, elastic, gravity);
}

void ts_take_energies(ts_system *system, const double *stored, ts_seen *seen) {
    ts_ledger *l = &system->ledger;
    energies(system, stored, seen, &l->kinetic, &l->elastic, &l->gravity);
    system->state.largest_energy =
        fmax(system->state.largest_energy, ts_energy_scale(l->kinetic, l->elastic, l->gravity));
}

double ts_energy_balance(const ts_system *system) {
    const ts_ledger *l = &system->ledger;
    return l->kinetic + l->elastic + l->gravity - system->energy_start - l->work_loads -
           l->work_drives + l->dissipated + l->algorithmic + system->state.event_loss;
}

/* The loss of dampers is a difference of large numbers; its round-off is removed. */
ts_losses ts_losses_of(const ts_system *system) {
    double all = system->ledger.dissipated;
    ts_losses out = {.friction = system->state.rubbed};
    for (int i = 0; i < system->model->contacts_count; i++) {
        out.impacts += system->state.contact_loss[2 * i];
        out.friction += system->state.contact_loss[2 * i + 1];
    }
    out.dampers = all - out.friction - out.impacts;
    if (fabs(out.dampers) < 1e-12 * fabs(all)) out.dampers = 0;
    return out;
}
