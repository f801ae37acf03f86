/* SPDX-License-Identifier: Apache-2.0 */
/* Values of expressions of channels at a state. Coordinates agree with the results: angles count
 * full turns. A length is the distance between the points of a spring. */
#include "events/probe.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "laws/state/state_law.h"
#include "parts/state/plan.h"

/* Definitions are followed to this depth. */
enum { DEEPEST = 6 };

/* Results contain means over a step of quantities that an expression defines: the output of a
 * controller or the rate of a state. At an instant such a quantity is the value of its expression.
 * Around an algebraic loop the mean is used instead. Returns the signal; -1: none. */
static int definition(const ts_model *model, const ts_channel_use *use, const int *within,
                      int depth) {
    if (use->measure.of != TS_OF_COORDINATE || depth == DEEPEST) return -1;
    const ts_coordinate *c = &model->coordinates[use->measure.source];
    for (int k = 0; k < depth; k++)
        if (within[k] == c->equation) return -1;
    return c->held == (use->taken == TS_TAKEN_RATE) ? -1 : c->equation - 1;
}

static int open_probe(ts_probe *probe, const ts_model *model, int signal, double h, int *within,
                      int depth) {
    *probe = (ts_probe){.h = h};
    if (signal < 0) return 0;
    if (model->signals[signal].channels > TS_STATE_MAX_VARIABLES)
        return ts_fail(TORSOR_EINVAL, "an event reads more than %d channels at once",
                       TS_STATE_MAX_VARIABLES);
    probe->signal = &model->signals[signal], probe->uses = probe->signal->channels;
    probe->use = ts_calloc((size_t)probe->uses + 1, sizeof *probe->use);
    probe->inner = ts_calloc((size_t)probe->uses + 1, sizeof *probe->inner);
    for (int i = 0; i < probe->uses; i++) {
        const char *name = probe->signal->channel[i];
        if (!ts_channel_named(model, name, &probe->use[i]))
            return ts_fail(TORSOR_EINVAL, "there is no channel '%s'", name);
        const ts_measure *m = &probe->use[i].measure;
        if (m->of == TS_OF_CONTACT && !probe->apart) probe->apart = ts_apart_new(model);
        probe->reacts |=
            m->of == TS_OF_ROW || m->of == TS_OF_VDOT || (m->of == TS_OF_FORCE && m->axis >= 0);
        probe->rubs |= m->of == TS_OF_CONTACT && m->axis == 2;
        int defined = definition(model, &probe->use[i], within, depth);
        within[depth] = defined + 1;
        int code = open_probe(&probe->inner[i], model, defined, h, within, depth + 1);
        if (code) return code;
        probe->reacts |= probe->inner[i].reacts, probe->rubs |= probe->inner[i].rubs;
    }
    return 0;
}

int ts_probe_new(ts_probe *probe, const ts_model *model, int signal, double h) {
    int within[DEEPEST + 1];
    return open_probe(probe, model, signal, h, within, 0);
}

void ts_probe_clear(ts_probe *probe) {
    for (int i = 0; probe->inner && i < probe->uses; i++) ts_probe_clear(&probe->inner[i]);
    free(probe->use), free(probe->inner);
    ts_apart_free(probe->apart);
    *probe = (ts_probe){0};
}

/* A point of a node in an ambient array: its place, or its velocity. */
static v3 point_of(const ts_model *model, int n, v3 point, const double *ambient) {
    const ts_node *node = &model->nodes[n];
    const double *own = ambient + 3 * node->slot;
    v3 x = v3_load(own);
    for (int k = 0; k < 3 && node->kind == TS_NODE_FRAME; k++)
        x = v3_axpy(v3_get(point, k), v3_load(own + 3 * (k + 1)), x);
    return x;
}

static double coordinate(const ts_system *system, const ts_measure *m, bool rate) {
    return rate ? ts_coordinate_rate(system, m->source) : ts_coordinate_value(system, m->source);
}

static double place(const ts_system *system, const ts_measure *m, bool rate) {
    const double *from = rate ? system->state.v : system->state.q;
    return v3_get(point_of(system->model, m->source, m->point, from), m->axis);
}

static v3 between(const ts_model *model, int part, const double *ambient) {
    const ts_part *p = &model->parts[part];
    return v3_sub(point_of(model, p->nodeB, p->pointB, ambient),
                  point_of(model, p->nodeA, p->pointA, ambient));
}

static double distance(const ts_system *system, const ts_measure *m, bool rate) {
    v3 d = between(system->model, m->source, system->state.q);
    double length = v3_norm(d);
    if (!rate) return length;
    return length > 0 ? v3_dot(d, between(system->model, m->source, system->state.v)) / length : 0;
}

static double director(const ts_system *system, const ts_measure *m, bool rate) {
    const double *from = rate ? system->state.v : system->state.q;
    int slot = system->model->nodes[m->source].slot + 1 + m->director;
    return v3_get(v3_load(from + 3 * slot), m->axis);
}

/* Rotations are read as rates only. */
static double omega(const ts_system *system, const ts_measure *m, bool rate) {
    return rate ? v3_get(ts_node_omega(system, m->source), m->axis) : 0;
}

static double happening(const ts_system *system, const ts_measure *m) {
    const double *memory = system->state.memory + system->model->events[m->source].memory;
    return memory[m->axis == 0 ? TS_EVENT_COUNT : TS_EVENT_TIME];
}

/* The sum of the magnitudes of friction, a mean over the step that led to a state. */
static double mean_friction(const ts_state *state, int contact) {
    double sum = 0;
    for (int i = 0; i < state->touching.count; i++)
        if (state->touching.pair[i].key.contact == contact)
            sum += v3_norm(state->touching.pair[i].rubbed);
    return sum;
}

/* Friction that sticks has the size that equilibrium requires, like a multiplier, apart from its
 * bristle. So it is extrapolated by the line through the means of the last two steps, and limited
 * to the largest possible friction. */
static double friction(const ts_probe_time *at, int contact, double t, double most) {
    double last = mean_friction(at->last, contact), before = mean_friction(at->before, contact);
    double middle = ts_trail_middle(at->last), apart = middle - ts_trail_middle(at->before);
    if (!ts_trail_known(at->before) || !(apart > 0)) return fmin(last, most);
    return fmax(0, fmin(last + (last - before) * (t - middle) / apart, most));
}

/* The normal force follows from the gap and its rate. */
static double contact_force(const ts_probe *probe, const ts_system *system, const ts_measure *m,
                            const ts_probe_time *at) {
    const ts_state *state = &system->state;
    double sums[2];
    if (system->model->contacts[m->source].off) return 0;
    ts_apart_forces(probe->apart, m->source, state->q, state->v, &state->touching, probe->h, sums);
    return m->axis == 1 ? sums[0] : friction(at, m->source, state->t, sums[1]);
}

static double input(const ts_system *system, const ts_measure *m, bool rate) {
    double value, slope;
    ts_signal_eval(&system->model->signals[m->source], ts_when_of(&system->state, system->state.t),
                   &value, &slope);
    return rate ? slope : value;
}

/* The force of a site along a coordinate y at this instant, times its sign: the weights of its
 * forms are F times the gradient of y. */
static double along(const ts_system *system, const ts_site *site, const double *way) {
    double e[TS_MAX_FORMS] = {0}, rate[TS_MAX_FORMS], weight[TS_MAX_FORMS];
    ts_past past = ts_past_of(&system->state);
    ts_way y;
    ts_site_values(system->model, site, system->state.q, e);
    ts_site_rates(system->model, site, system->state.q, system->state.v, rate);
    ts_law_step rest = ts_site_rest(system->model, site, past, e, system->state.t);
    ts_site_weights_at_rest(site, &rest, system->state.lambda, weight);
    if (!system->still)
        ts_site_damping(system->model, site, past, system->state.t, e, rate, weight);
    ts_way_over(way, 0, e, e, &y);
    return ts_dot(y.forms, weight, y.slope) / ts_dot(y.forms, y.slope, y.slope);
}

double ts_part_effort(const ts_system *system, int p, const double *lambda) {
    const ts_model *model = system->model;
    const ts_part *part = &model->parts[p];
    ts_way_kind kind;
    double sum = 0;
    int row = ts_holding_row(model, p, &kind);
    if (row >= 0) return 0 - lambda[row];
    if (!ts_acts_along(model, p, &kind)) return 0;
    double way[TS_WAY_NUMBERS] = {[TS_WAY_KIND] = kind};
    if (kind == TS_WAY_LENGTH) way[TS_WAY_TINY] = ts_tiny_length(model, p);
    for (int s = part->site; s < part->site + part->sites; s++)
        if (ts_is_force_site(model, s)) sum -= along(system, &model->sites[s], way);
    return sum;
}

static double reaction(const ts_system *system, const ts_measure *m, const ts_instant *now) {
    v3 total, moment;
    if (m->of == TS_OF_ROW) return now->lambda[m->source];
    ts_part_reaction_at(system, now, m->source, &total, &moment);
    return m->axis < 3 ? v3_get(total, m->axis) : v3_get(moment, m->axis - 3);
}

/* Interpolated between steps, like reactions. */
static double acceleration(const ts_system *system, const ts_measure *m, const ts_instant *now) {
    const double *vdot = now->acceleration;
    if (m->axis == TS_ALONG_COORDINATE) return ts_coordinate_acceleration(system, m->source, vdot);
    if (m->axis >= 3) return v3_get(ts_node_alpha(system, m->source, vdot), m->axis - 3);
    return vdot[3 * system->model->nodes[m->source].slot + m->axis];
}

/* Force or moment of a spring or motor along its coordinate. */
static double force(const ts_system *system, const ts_measure *m, bool rate) {
    double effort = rate ? 0 : ts_part_effort(system, m->source, system->state.lambda);
    return ts_pulls(system->model->parts[m->source].kind) ? -effort : effort;
}

static double (*const VALUE[])(const ts_system *, const ts_measure *, bool) = {
    [TS_OF_INPUT] = input,   [TS_OF_COORDINATE] = coordinate, [TS_OF_POINT] = place,
    [TS_OF_ENDS] = distance, [TS_OF_DIRECTOR] = director,     [TS_OF_TURN] = omega,
    [TS_OF_FORCE] = force};

static double value_of(const ts_probe *probe, const ts_system *system, const ts_probe_time *at,
                       const ts_channel_use *use) {
    const ts_measure *m = &use->measure;
    const ts_instant *now = at->now;
    if (m->of == TS_OF_ROW) return use->offset * reaction(system, m, now);
    if (m->of == TS_OF_FORCE && m->axis >= 0) return reaction(system, m, now);
    if (m->of == TS_OF_VDOT) return acceleration(system, m, now);
    if (m->of == TS_OF_EVENT) return happening(system, m);
    if (m->of == TS_OF_CONTACT)
        return m->axis ? contact_force(probe, system, m, at)
                       : ts_apart_gaps(probe->apart, system->state.q)[m->source];
    bool rate = use->taken == TS_TAKEN_RATE;
    double value = VALUE[use->measure.of](system, &use->measure, rate);
    return rate ? value : value + use->offset;
}

double ts_probe_value(const ts_probe *probe, const ts_system *system, const ts_probe_time *at) {
    const ts_signal *signal = probe->signal;
    double x[TS_STATE_MAX_VARIABLES] = {0}, still[TS_STATE_MAX_VARIABLES] = {0}, value = 0, slope;
    if (!signal) return 0;
    if (probe->uses == 0) {
        ts_signal_eval(signal, ts_when_of(&system->state, system->state.t), &value, &slope);
        return value;
    }
    for (int i = 0; i < probe->uses; i++)
        x[i] = probe->inner[i].signal ? ts_probe_value(&probe->inner[i], system, at)
                                      : value_of(probe, system, at, &probe->use[i]);
    return signal->scale * ts_expr_at(signal->expr, system->state.t, x, still, &slope);
}
