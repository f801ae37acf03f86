/* SPDX-License-Identifier: Apache-2.0 */
/* Step control by the energy that ED dissipates: S0 (87), (88), with a different exponent.
 *
 * ED computes in every step the energy D that it dissipated, which measures how well the step
 * resolves the motion. Of a linear vibration, with z = v + i w u and theta = w h, a step makes z
 * R(i theta) with
 *
 *     1 - |R|^2 = (alpha/36) theta^4 / |denominator|^2 ,     D/E = alpha theta^4/36 + O(theta^6)
 *
 * which is S0's fourth root, h = sqrt(6) eps^(1/4)/w, for alpha = 1. Of smooth motions of rigid
 * bodies it is h^6 (docs/theory.md, section 14, has the measurements). A substep may take
 * `step_tolerance` of an energy S. Equal amounts for all substeps are optimal: among all steps h(t)
 * with the same total loss, integral of c(t) h^3 dt, the least number, integral of dt/h, has c h^4
 * the same everywhere.
 *
 * S is the energy exchanged so far: the largest change since the start of kinetic, elastic or
 * gravity energy. Constants do not count, such as the origin of heights or a steady flight. In the
 * first hundred steps S is extrapolated in proportion to time to its value after a hundred steps:
 * otherwise a run that begins at rest would resolve its first small motion as if it were the
 * largest. The result is limited to the energy at the start plus the supplied energy, extrapolated
 * in the same way.
 *
 * A substep may also dissipate a thousandth of the energy dissipated before it: if a shock has
 * dissipated half of the energy, a strict limit for the rest is useless.
 *
 * D does not depend on a steady rotation, whose angle has the error (Omega h)^3/12 per step. So no
 * node may turn in a substep by more than a vibration may, theta = sqrt(6) eps^(1/4).
 *
 * Substeps are h/2^k, so that the grid of steps, its outputs and restarts are the same as with
 * fixed steps, and tangents are seldom factored again. With r = max(D/(allowed D), (Omega
 * h/theta)^4):
 *
 *     r > 16             rejected: from its start again, halved ceil(log2(r)/4) times
 *     4 < r <= 16        kept, and halved from now on
 *     r < 1/16           twice as long from now on; that takes 2^6 times as much at most, which is
 *                        kept
 *
 * Corners of tables and kinks of expressions end substeps too, exactly at their times. Where a
 * signal jumps, the substep ends at the last number before, and the next one begins at the first
 * after: each sees its own side.
 */
#include "analysis/control.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

static const double REJECTED = 16, TOO_MUCH = 4, LITTLE = 1.0 / 16;
static const double SLOPE = 4;   /* of log D over log h, of vibrations */
static const double EARLY = 100; /* steps */
static const double GONE = 1e-3; /* of the energy dissipated before: may be dissipated too */
static const double IDLE = 1e-4; /* of the kinetic energy about the centre of mass always counts, */
static const double ROUND = 1e-9;  /* and of all energy: less is round-off */
static const double TINY = 1e-14;  /* of a time: below is round-off */
static const double NEARLY = 1e-9; /* of a step: times closer than that are one */
enum { MOST_HALVINGS = 6 };        /* at once */
enum { SUBSTEP, EXCHANGED, KINETIC, ELASTIC, GRAVITY }; /* places in state.control */

struct ts_control {
    ts_stepper *st;
    ts_events *events; /* NULL: none */
    ts_system *system;
    double h, tolerance, energy, least;
    double turn;    /* the largest angle of a substep */
    ts_state start; /* of the substep, to go back to */
    ts_state first; /* of the step, to go back to */
};

/* ---- the scale of energies ---- */

static void remember_start(ts_system *system, double h) {
    const ts_ledger *l = &system->ledger;
    double *control = system->state.control;
    control[SUBSTEP] = h, control[EXCHANGED] = 0;
    control[KINETIC] = l->kinetic, control[ELASTIC] = l->elastic, control[GRAVITY] = l->gravity;
}

/* The largest exchange so far, that of the present state included. */
static double exchanged(const ts_system *system) {
    const ts_ledger *l = &system->ledger;
    const double *start = system->state.control;
    double now = ts_energy_scale(fabs(l->kinetic - start[KINETIC]), l->elastic - start[ELASTIC],
                                 l->gravity - start[GRAVITY]);
    return fmax(start[EXCHANGED], now);
}

/* Kinetic energy about the centre of mass. */
static double inner_kinetic(const ts_system *system) {
    double mass;
    v3 centre, linear, angular;
    ts_mass_centre(system, &mass, &centre);
    ts_momenta(system, &linear, &angular);
    double outer = mass > 0 ? v3_dot(linear, linear) / (2 * mass) : 0;
    return fmax(0, system->ledger.kinetic - outer);
}

/* What the exchange will be after the first hundred steps, if it goes on as it did. */
static double expected(const ts_control *c, double exchange) {
    const ts_ledger *l = &c->system->ledger;
    const double *start = c->system->state.control;
    double there = start[KINETIC] + fabs(start[ELASTIC]);
    double inflow = fabs(l->work_loads) + fabs(l->work_drives) + fabs(l->gravity - start[GRAVITY]);
    double longer = EARLY * c->h / c->system->state.t;
    if (!(longer > 1)) return exchange;
    return fmin(longer * exchange, there + longer * fmax(inflow, exchange - there));
}

static double scale_of(const ts_control *c) {
    const ts_ledger *l = &c->system->ledger;
    double exchange = exchanged(c->system),
           least = IDLE * inner_kinetic(c->system) +
                   ROUND * (l->kinetic + fabs(l->elastic) + fabs(l->gravity));
    double soon = c->energy > 0 ? c->energy : expected(c, exchange);
    return fmax(fmax(exchange, soon), least);
}

/* The largest angle by which a node turns in a time h. */
static double largest_turn(const ts_system *system, double h) {
    double most = 0;
    for (int n = 0; n < system->model->nodes_count; n++)
        most = fmax(most, v3_norm(ts_node_omega(system, n)));
    return most * h;
}

int ts_control_new(ts_control **out, ts_stepper *st, ts_system *system, const ts_options *o) {
    *out = NULL;
    if (!(o->step_tolerance > 0) || o->statics) return 0;
    if (ts_scheme_find(o->scheme) != &TS_SCHEME_ED ||
        !(ts_parameter_value(&o->parameters, &TS_SCHEME_ED, "rho_inf", 0) < 1))
        return ts_fail(TORSOR_EINVAL, "step control uses the energy that ED dissipates: with "
                                      "'step_tolerance' the scheme must be ED and rho_inf below 1");
    ts_control *c = ts_calloc(1, sizeof *c);
    *c = (ts_control){.st = st,
                      .system = system,
                      .h = o->h,
                      .tolerance = o->step_tolerance,
                      .energy = o->step_energy,
                      .turn = sqrt(6) * pow(o->step_tolerance, 1 / SLOPE)};
    c->least = o->min_step > 0 ? o->min_step : o->h / 1024;
    ts_state_alloc(system->model, &c->start);
    ts_state_alloc(system->model, &c->first);
    if (!(system->state.control[SUBSTEP] > 0)) remember_start(system, o->h);
    *out = c;
    return 0;
}

void ts_control_use(ts_control *c, ts_stepper *st, ts_events *events) {
    if (c) c->st = st, c->events = events;
}

void ts_control_free(ts_control *c) {
    if (!c) return;
    ts_state_free(&c->start), ts_state_free(&c->first);
    free(c);
}

/* ---- corners of signals ---- */

/* The first of increasing times beyond t, or INFINITY. */
static double first_beyond(int count, const double *time, double t) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (time[middle] > t)
            high = middle;
        else
            low = middle + 1;
    }
    return low < count ? time[low] : INFINITY;
}

static double corner_beyond(const ts_signal *s, double t) {
    if (s->kind != TS_SIGNAL_TABLE || s->smooth || s->points < 2) return INFINITY;
    if (!(s->period > 0)) return first_beyond(s->points, s->time, t);
    double turns = floor((t - s->time[0]) / s->period) * s->period;
    double next = first_beyond(s->points, s->time, t - turns);
    return turns + (isinf(next) ? s->time[0] + s->period : next);
}

/* End of a stretch, and start of the next one: neighbouring numbers at a jump, otherwise equal. */
typedef struct stop {
    double before, after;
} stop;

static stop first_kink(const ts_model *model, double from, double to) {
    stop first = {INFINITY, INFINITY}, s;
    for (int i = 0; i < model->signals_count; i++)
        if (model->signals[i].kind == TS_SIGNAL_EXPRESSION &&
            ts_expr_kink(model->signals[i].expr, from, to, &s.before, &s.after) &&
            s.after < first.after)
            first = s;
    if (isinf(first.after)) return (stop){to, to};
    first.before -= TINY * fabs(first.before); /* ends of substeps carry round-off */
    return first;
}

/* Kinks closer than the shortest substep are ignored. */
static stop next_stop(const ts_control *c, double t, double t_f) {
    const ts_model *model = c->system->model;
    double near = NEARLY * c->h, corner = t_f;
    for (int i = 0; i < model->signals_count; i++)
        corner = fmin(corner, corner_beyond(&model->signals[i], t + near));
    if (corner > t_f - near) corner = t_f;
    stop kink = first_kink(model, t + c->least, corner);
    if (kink.after > t_f - near) kink.after = t_f;
    return kink;
}

/* Moves the time past a kink that is very close, so that the next substep begins after it. */
static double behind_kink(const ts_control *c, double t) {
    double near = t + NEARLY * c->h;
    stop kink = first_kink(c->system->model, t, near);
    return kink.after < near ? kink.after : t;
}

/* ---- one substep ---- */

/* Energy that the substep dissipated, over what it may dissipate; or the angle that it turned, over
 * the largest. 1 is the limit. */
static double share_taken(const ts_control *c, double before, double h) {
    double taken = c->system->ledger.algorithmic - before;
    double share = taken > 0 ? taken / (c->tolerance * scale_of(c) + GONE * before) : 0;
    return fmax(share, pow(largest_turn(c->system, h) / c->turn, SLOPE));
}

/* A stretch without corners, in equal parts: `done` of `parts`. */
typedef struct stretch {
    double from, to;
    double after; /* the time after the stretch */
    int64_t done, parts;
} stretch;

static double part_of(const stretch *s) { return (s->to - s->from) / (double)s->parts; }

static void halve(const ts_control *c, stretch *s, int times) {
    for (; times > 0 && 0.5 * part_of(s) >= c->least; times--) s->parts *= 2, s->done *= 2;
    c->system->state.control[SUBSTEP] = part_of(s);
}

/* Doubles the parts, only if two parts make one of the longer ones. */
static void lengthen(const ts_control *c, stretch *s) {
    double *wanted = &c->system->state.control[SUBSTEP];
    if (s->parts == 1)
        *wanted = fmin(c->h, fmax(*wanted, 2 * part_of(s)));
    else if (s->done % 2 == 0)
        s->parts /= 2, s->done /= 2, *wanted = part_of(s);
}

static void add_result(ts_step_result *sum, const ts_step_result *one) {
    sum->iterations += one->iterations, sum->factorisations += one->factorisations;
    sum->cuts += one->cuts, sum->unsolved += one->unsolved;
}

/* Did the substep end at an event? */
static bool is_met(const ts_control *c) { return c->events && ts_events_due(c->events); }

/* Makes one part, or prepares the same in smaller parts. */
static int advance(ts_control *c, stretch *s, ts_step_result *result) {
    ts_system *system = c->system;
    ts_ledger ledger = system->ledger;
    ts_step_result one;
    double h = part_of(s);
    ts_state_copy(system->model, &c->start, &system->state);
    int code =
        c->events ? ts_events_step(c->events, c->st, h, &one) : ts_stepper_step(c->st, h, &one);
    add_result(result, &one);
    if (code) return code;
    double r = share_taken(c, ledger.algorithmic, h);
    if (r > REJECTED && 0.5 * h >= c->least) {
        double seen = exchanged(system); /* the largest exchange will be reached again soon */
        ts_state_copy(system->model, &system->state, &c->start);
        system->state.control[EXCHANGED] = seen;
        system->ledger = ledger;
        result->cuts -= one.cuts;
        if (c->events) ts_events_drop(c->events);
        halve(c, s, (int)fmin(MOST_HALVINGS, ceil(log2(r) / SLOPE)));
        return 0;
    }
    s->done++, result->cuts++;
    if (is_met(c)) {
        system->state.control[EXCHANGED] = exchanged(system);
        return 0;
    }
    system->state.t = s->done == s->parts ? s->after : s->from + (double)s->done * h;
    system->state.control[EXCHANGED] = exchanged(system);
    if (r > TOO_MUCH || one.cuts > 0)
        halve(c, s, 1);
    else if (r < LITTLE)
        lengthen(c, s);
    return 0;
}

/* ---- all of a step ---- */

int ts_control_step(ts_control *c, double t_f, ts_step_result *result) {
    ts_state *state = &c->system->state;
    ts_ledger ledger = c->system->ledger;
    int code = 0;
    *result = (ts_step_result){0};
    ts_state_copy(c->system->model, &c->first, state);
    for (bool met = false; !code && !met && state->t < t_f; met = is_met(c)) {
        state->t = behind_kink(c, state->t);
        stop end = next_stop(c, state->t, t_f);
        stretch s = {.from = state->t, .to = end.before, .after = end.after, .parts = 1};
        while (part_of(&s) > state->control[SUBSTEP] * (1 + NEARLY) && s.parts < (1LL << 40))
            s.parts *= 2;
        for (bool here = false; !code && !here && s.done < s.parts; here = is_met(c))
            code = advance(c, &s, result);
    }
    result->cuts--; /* counts substeps beyond one */
    if (code) ts_state_copy(c->system->model, state, &c->first), c->system->ledger = ledger;
    return code;
}
