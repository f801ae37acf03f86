/* SPDX-License-Identifier: Apache-2.0 */
/* The transient analysis. See run.h.
 *
 * Time is counted in steps, t = n h, so that it does not depend on how a run was divided; and at
 * some of the stored steps the stepper forgets everything that is not in the state, so that a run
 * restarted there agrees bit for bit. Forgetting costs about as much as two steps, and happens
 * about every 50 steps.
 */
#include "analysis/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/control.h"
#include "analysis/equilibrium.h"
#include "analysis/path.h"
#include "base/clock.h"
#include "base/error.h"
#include "events/events.h"
#include "study/schemes.h"
#include "system/variables.h"

enum { LARGER = 300 };       /* number of unknowns from which the effort is measured */
enum { SELDOM_ENOUGH = 50 }; /* steps between those at which the stepper forgets */
static const double NEARLY_ENDED =
    1e-6; /* of a step: a shorter remainder after an event is skipped */
static const double USUAL_STEPS = 200, USUAL_TOLERANCE = 1e-4; /* of `step: auto` */

void ts_options_default(ts_options *o) {
    *o = (ts_options){.scheme = "ED",
                      .solver = "auto",
                      .threads = 1,
                      .store_every = 1,
                      .tolerance = 0,
                      .max_iterations = 25,
                      .max_cuts = 10,
                      .increments = 10,
                      .lowest_load = -INFINITY,
                      .highest_load = 1};
}

/* Rounds to a whole number of steps, and of steps in an interval. */
void ts_options_auto(ts_options *o) {
    double steps =
        o->max_step > 0 ? fmax(1, ceil(o->t_end / o->max_step * (1 - 1e-12))) : USUAL_STEPS;
    double intervals = o->interval > 0 ? fmax(1, rint(o->t_end / o->interval)) : 0;
    double each = intervals > 0 ? ceil(steps / intervals) : 1;
    if (intervals > 0) steps = each * intervals, o->store_every = (int)fmin(1e9, each);
    o->auto_step = true, o->h = o->t_end / steps;
    if (!(o->step_tolerance > 0)) o->step_tolerance = USUAL_TOLERANCE;
}

ts_step_options ts_step_options_of(const ts_options *o) {
    ts_step_options options = {.tolerance = o->tolerance,
                               .max_iterations = o->max_iterations,
                               .max_cuts = o->max_cuts,
                               .threads = o->threads,
                               .stop = o->stop,
                               .parameters = o->parameters};
    memcpy(options.solver, o->solver, sizeof options.solver);
    return options;
}

/* Value of a row's signal and its rates on both sides: they differ at a corner, where the rate of
 * the row may be either. */
static void row_signal(const ts_system *system, int row, double *u, double rate[2]) {
    int signal = system->model->rows[row].signal;
    double t = system->state.t, near = 1e-12 * (1 + fabs(t));
    *u = rate[0] = rate[1] = 0;
    if (signal < 0) return;
    ts_when now = ts_when_of(&system->state, t);
    ts_signal_eval_sides(&system->model->signals[signal], now, near, u, rate);
}

/* Largest violation of the rows of one site, positions and rates. */
static void site_violation(const ts_system *system, const ts_site *site, double *position,
                           double *rate) {
    const ts_model *model = system->model;
    double q[3 * TS_MAX_SLOTS], v[3 * TS_MAX_SLOTS], B[3 * TS_MAX_SLOTS], e[TS_MAX_FORMS],
        edot[TS_MAX_FORMS];
    ts_site_gather(model, site, system->state.q, q);
    ts_site_gather(model, site, system->state.v, v);
    for (int k = 0; k < site->forms; k++) {
        bool rates = site->role == TS_ROLE_RATES;
        e[k] = rates ? 0 : ts_form_value(model, site->form + k, q);
        if (rates)
            ts_rate_gradient(model, site->form + k, site->slots, q, B);
        else
            ts_form_gradient(model, site->form + k, site->slots, q, B);
        edot[k] = 0;
        for (int i = 0; i < 3 * site->slots; i++) edot[k] += B[i] * v[i];
    }
    double y[TS_MAX_FORMS], ydot[TS_MAX_FORMS];
    memcpy(y, e, sizeof y), memcpy(ydot, edot, sizeof ydot);
    if (site->rowlaw) {
        ts_law_step step =
            ts_site_rest(model, site, ts_past_of(&system->state), e, system->state.t);
        ts_row_response r;
        site->rowlaw->respond(&step, &r);
        y[0] = r.y, ydot[0] = 0;
        for (int k = 0; k < site->forms; k++) ydot[0] += r.y_f[k] * edot[k];
    }
    *position = *rate = 0;
    for (int k = 0; k < site->rows; k++) {
        double u, side[2];
        if (model->rows[site->row + k].off) continue;
        row_signal(system, site->row + k, &u, side);
        *position = fmax(*position, fabs(y[k] - u));
        *rate = fmax(*rate, fmin(fabs(ydot[k] - side[0]), fabs(ydot[k] - side[1])));
    }
}

void ts_violation(const ts_system *system, int part, double *position, double *rate) {
    *position = *rate = 0;
    const ts_part *p = &system->model->parts[part];
    for (int s = p->site; s < p->site + p->sites; s++) {
        if (system->model->sites[s].rows == 0) continue;
        double c, r;
        site_violation(system, &system->model->sites[s], &c, &r);
        *position = fmax(*position, c), *rate = fmax(*rate, r);
    }
}

static void report_violation(const ts_system *system, ts_step_report *report) {
    report->worst = "";
    for (int p = 0; p < system->model->parts_count; p++) {
        double c, r;
        ts_violation(system, p, &c, &r);
        if (c > report->violation) report->worst = system->model->parts[p].name;
        report->violation = fmax(report->violation, c);
        report->rate_violation = fmax(report->rate_violation, r);
    }
}

/* ---- the loop, taken apart ---- */

struct ts_runner {
    ts_system *system;
    ts_options options;
    ts_stepper *st;
    ts_walk *walk;       /* statics along an arc: makes the steps with the stepper; NULL: none */
    ts_control *control; /* step control; NULL: none */
    ts_events *events;   /* NULL: none */
    ts_state before;     /* with events: the start of the step, to go back to */
    int stopped;         /* the event that ended the run; -1: none */
    int64_t steps;       /* planned */
    int64_t exact_every; /* steps from one exact state to the next */
    bool ended, stores;
    double start; /* wall time */
    ts_summary summary;
};

static void watch(ts_stepper *st, const ts_options *o, ts_summary *summary) {
    summary->unknowns = ts_stepper_unknowns(st), summary->threads = o->threads;
    snprintf(summary->solver, sizeof summary->solver, "%s", ts_stepper_solver(st));
    if (summary->unknowns >= LARGER) ts_stepper_watch(st, &summary->effort);
}

/* Statics has a new tangent in every iteration, so forgetting costs nothing; inputs from outside
 * between two states cannot be repeated, so with inputs every stored state is exact. */
static int64_t steps_between_exact(const ts_system *system, const ts_options *o) {
    int64_t every = o->store_every, states = o->exact_every;
    if (o->statics || system->model->inputs > 0) return every;
    return every * (states > 0 ? states : (SELDOM_ENOUGH + every - 1) / every);
}

static void begin_summary(ts_runner *r) {
    const ts_ledger *l = &r->system->ledger;
    r->summary.energy_scale = ts_energy_scale(l->kinetic, l->elastic, l->gravity);
    r->summary.made = fmax(0, l->balance - l->algorithmic);
    r->summary.made_time = r->system->state.t;
}

static const ts_scheme *scheme_of(const ts_options *o) {
    return o->statics ? &TS_SCHEME_STATIC : ts_scheme_find(o->scheme);
}

/* Statics uses the model as it is at the start. */
static int begin_events(ts_runner *r, const ts_scheme *scheme) {
    r->stopped = -1;
    if (r->options.statics || r->system->model->events_count == 0) return 0;
    if (scheme->engine)
        return ts_fail(TORSOR_EINVAL,
                       "the model has events, which scheme %s does not support: use ED or EP",
                       scheme->name);
    ts_state_alloc(r->system->model, &r->before);
    return ts_events_new(&r->events, r->system, r->options.h);
}

int ts_runner_new(ts_runner **out, ts_system *system, const ts_options *o) {
    *out = NULL;
    const ts_scheme *scheme = scheme_of(o);
    if (!scheme) return ts_fail(TORSOR_EINVAL, "there is no scheme named '%s'", o->scheme);
    if (!(o->h > 0) || !(o->t_end >= o->h))
        return ts_fail(TORSOR_EINVAL, "the step must be positive and not beyond the end");
    ts_runner *r = ts_calloc(1, sizeof *r);
    r->system = system, r->options = *o;
    system->still = o->statics;
    if (o->linear) r->options.h = o->t_end;
    r->steps = (int64_t)llround(o->t_end / r->options.h);
    r->ended = system->state.step >= r->steps, r->stores = true;
    r->exact_every = steps_between_exact(system, &r->options);
    system->state.exact = 1;
    begin_summary(r);
    r->summary.unstable = o->statics ? -1 : 0;
    r->summary.size = system->length, r->summary.far = system->far;
    r->summary.tolerance = o->tolerance;
    if (system->view) ts_view_follow(system);
    ts_step_options options = ts_step_options_of(&r->options);
    int code = begin_events(r, scheme);
    if (!code) code = ts_stepper_new(&r->st, system, scheme, &options);
    if (!code) watch(r->st, o, &r->summary);
    if (!code) code = ts_control_new(&r->control, r->st, system, &r->options);
    if (!code) ts_control_use(r->control, r->st, r->events);
    if (!code && !r->control && !o->statics) code = ts_check_samples(system->model, r->options.h);
    if (!code && o->statics)
        code = ts_begin_statics(r->st, system, (double)system->state.step / (double)r->steps,
                                !o->arc_length && !o->linear);
    if (!code && o->arc_length) code = ts_walk_new(&r->walk, r->st, system, &r->options);
    r->start = ts_wall_time();
    if (code) ts_runner_free(r), r = NULL;
    *out = r;
    return code;
}

void ts_runner_free(ts_runner *r) {
    if (!r) return;
    ts_walk_free(r->walk);
    ts_control_free(r->control);
    ts_stepper_free(r->st);
    ts_events_free(r->events);
    ts_state_free(&r->before);
    free(r);
}

bool ts_runner_stores(const ts_runner *r) { return r->stores; }
bool ts_runner_ended(const ts_runner *r) { return r->ended; }
int ts_runner_stopped(const ts_runner *r) { return r->stopped; }

const ts_summary *ts_runner_summary(ts_runner *r) {
    r->summary.seconds = ts_wall_time() - r->start;
    ts_audit_system(r->system, &r->summary.audit);
    return &r->summary;
}

/* ---- events within a step ---- */

/* Constraints have changed, so the equations are different. */
static int new_stepper(ts_runner *r) {
    ts_step_options options = ts_step_options_of(&r->options);
    ts_stepper_free(r->st);
    r->st = NULL;
    int code = ts_stepper_new(&r->st, r->system, scheme_of(&r->options), &options);
    if (!code) ts_control_use(r->control, r->st, r->events);
    if (!code && r->summary.unknowns >= LARGER) ts_stepper_watch(r->st, &r->summary.effort);
    return code;
}

/* Carries out all events at this instant; an action may trigger further events. */
static int act(ts_runner *r) {
    ts_outcome out;
    int code = 0;
    while (!code && ts_events_due(r->events)) {
        code = ts_events_act(r->events, &out);
        if (!code && out.turned) code = ts_turn_switches(r->system);
        if (!code && out.turned) code = new_stepper(r);
        if (code) return code;
        if (!out.turned) ts_stepper_forget(r->st);
        if (out.stopped >= 0) r->stopped = out.stopped;
        ts_events_look(r->events);
    }
    return code;
}

static void add_result(ts_step_result *sum, const ts_step_result *one) {
    sum->iterations += one->iterations, sum->factorisations += one->factorisations;
    sum->cuts += one->cuts, sum->unsolved += one->unsolved;
}

/* Steps to t_f or to the first event before. From one time of the grid to the next a step has the
 * size of all steps. */
static int go_on(ts_runner *r, double t_f, ts_step_result *result) {
    ts_state *state = &r->system->state;
    double h = r->options.h;
    bool whole = state->t == t_f - h || fabs(state->t - (t_f - h)) < 1e-12 * h;
    ts_step_result one = {0};
    int code = r->control ? ts_control_step(r->control, t_f, &one)
                          : ts_events_step(r->events, r->st, whole ? h : t_f - state->t, &one);
    add_result(result, &one);
    if (!code && !ts_events_due(r->events)) state->t = t_f;
    return code ? code : act(r);
}

/* A step with events in it ends where its last event does, if that is close to its end: a step for
 * the rest would be too short for good velocities. */
static int advance_by_events(ts_runner *r, double t_f, ts_step_result *result) {
    ts_system *system = r->system;
    ts_ledger ledger = system->ledger;
    double close = NEARLY_ENDED * r->options.h;
    *result = (ts_step_result){0};
    ts_state_copy(system->model, &r->before, &system->state);
    ts_events_look(r->events);
    int code = act(r), parts = 0;
    for (; !code && r->stopped < 0 && system->state.t < t_f - close; parts++)
        code = go_on(r, t_f, result);
    result->cuts += parts > 1 ? parts - 1 : 0;
    if (!code && fabs(system->state.t - t_f) < 1e-12 * r->options.h) system->state.t = t_f;
    if (!code) return 0;
    ts_state_copy(system->model, &system->state, &r->before);
    system->ledger = ledger;
    if (system->view) ts_view_follow(system);
    if (code == TORSOR_EINTERRUPTED && new_stepper(r)) return TORSOR_EDIVERGED;
    return code;
}

static int advance(ts_runner *r, ts_step_result *result) {
    ts_state *state = &r->system->state;
    int64_t next = state->step + 1;
    double steps = (double)r->steps;
    if (r->walk) return ts_walk_step(r->walk, result);
    if (r->options.linear) {
        memset(result, 0, sizeof *result);
        result->iterations = result->factorisations = 1;
        return ts_linear_step(r->st, r->options.t_end);
    }
    if (r->options.statics)
        ts_stepper_load_factor(r->st, (double)(next - 1) / steps, (double)next / steps);
    double t_f = (double)next * r->options.h;
    if (r->events) {
        int failed = advance_by_events(r, t_f, result);
        if (!failed) state->step = next;
        return failed;
    }
    int code = r->control ? ts_control_step(r->control, t_f, result)
                          : ts_stepper_step(r->st, r->options.h, result);
    if (code) return code;
    state->t = t_f, state->step = next; /* substeps are not counted */
    return 0;
}

int ts_runner_catch_up(ts_runner *r, int64_t step) {
    ts_step_result result;
    int code = 0;
    while (!code && r->system->state.step < step) code = advance(r, &result);
    r->system->state.exact = 0;
    r->ended = r->system->state.step >= r->steps;
    r->stopped = -1;
    begin_summary(r);
    return code;
}

static void account(ts_runner *r, const ts_step_result *result, const ts_step_report *report) {
    const ts_ledger *l = &r->system->ledger;
    ts_summary *s = &r->summary;
    s->steps++, s->iterations += result->iterations, s->cuts += result->cuts;
    s->factorisations += result->factorisations, s->jumps += result->rescued;
    const char *solver = ts_stepper_solver(r->st); /* another solver may have taken over */
    if (strcmp(s->solver, solver) != 0) snprintf(s->solver, sizeof s->solver, "%s", solver);
    s->worst_balance = ts_larger(s->worst_balance, fabs(l->balance));
    if (!(l->balance - l->algorithmic <= s->made))
        s->made = l->balance - l->algorithmic, s->made_time = r->system->state.t;
    s->unsolved += result->unsolved, s->residual = ts_larger(s->residual, result->residual);
    s->worst_violation = fmax(s->worst_violation, report->violation);
    s->energy_scale = fmax(s->energy_scale, ts_energy_scale(l->kinetic, l->elastic, l->gravity));
}

/* Measures round-off, but not in every step, because it takes as long as a residual. For parts at
 * rest round-off is the same at the end as at the start. */
static void listen_to_noise(ts_runner *r) {
    if (r->summary.steps > 1 && !r->ended) return;
    r->summary.energy_noise =
        fmax(r->summary.energy_noise, ts_energy_noise(r->system, r->options.h));
}

/* Judges the end of statics: is it stable, and is everything held? */
static void judge_end(ts_runner *r) {
    ts_summary *s = &r->summary;
    ts_freedom f;
    s->load_factor = r->system->state.t / r->options.t_end;
    s->short_of_load = r->walk && r->ended && !ts_walk_ended(r->walk);
    s->linear = r->options.linear;
    if (!r->ended || s->linear) return;
    ts_freedom_of_equilibrium(&f, r->system);
    s->unstable = f.unstable;
    ts_freedom_words(r->system, &f, s->free_motions, sizeof s->free_motions);
    ts_freedom_free(&f);
}

/* The energy dissipated by the scheme, relative to the largest energy; zero for a model at rest,
 * where both are round-off. */
static void note_loss(ts_runner *r) {
    ts_state *state = &r->system->state;
    ts_peak *peak = &state->peak[TS_SCHEME_LOSS];
    double lost = r->system->ledger.algorithmic, most = state->largest_energy;
    bool any = !r->options.statics && most > r->summary.energy_noise && lost > 0;
    *peak = (ts_peak){.value = any ? lost / most : 0, .t = state->t, .part = -1};
}

int ts_runner_step(ts_runner *r, bool watched, ts_step_report *report) {
    const ts_state *state = &r->system->state;
    ts_step_result result;
    int code = advance(r, &result);
    if (code && r->options.statics)
        return ts_explain_statics(r->system, state->t / r->options.t_end, r->walk != NULL, code);
    if (code == TORSOR_EDIVERGED && r->st && ts_stepper_lost(r->st))
        return ts_explain_step(r->system, r->options.h);
    if (code) return code;
    *report = (ts_step_report){.step = state->step,
                               .steps = r->steps,
                               .t = state->t,
                               .h = r->options.h,
                               .iterations = result.iterations,
                               .cuts = result.cuts,
                               .worst = ""};
    if (watched) report_violation(r->system, report);
    account(r, &result, report);
    r->ended = state->step >= r->steps || (r->walk && ts_walk_ended(r->walk)) || r->stopped >= 0;
    r->stores = state->step % r->options.store_every == 0 || r->ended;
    listen_to_noise(r);
    note_loss(r);
    if (r->options.statics) judge_end(r);
    r->system->state.exact = state->step % r->exact_every == 0 || (r->ended && r->options.statics);
    if (state->exact) ts_stepper_forget(r->st);
    return 0;
}

int ts_run_complete(const ts_summary *s, const ts_options *o) {
    if (!s->short_of_load) return 0;
    return ts_fail(TORSOR_EDIVERGED,
                   "the path ends after %lld points (`max_points`) at load factor %.6g, short of "
                   "%g: raise `max_points`",
                   (long long)s->steps, s->load_factor, o->highest_load);
}

/* ---- all of it ---- */

static int tell_step(const ts_observer *w, const ts_system *system, const ts_step_report *report) {
    return w && w->stepped ? w->stepped(w->context, system, report) : 0;
}

static int tell_stored(const ts_observer *w, const ts_system *system) {
    return w && w->stored ? w->stored(w->context, system) : 0;
}

static int loop(ts_runner *r, const ts_observer *w) {
    ts_step_report report;
    int code = tell_stored(w, r->system);
    while (!code && !r->ended) {
        code = ts_runner_step(r, w && w->stepped, &report);
        if (code) break;
        code = tell_step(w, r->system, &report);
        int stored = r->stores ? tell_stored(w, r->system) : 0;
        code = code ? code : stored;
    }
    return code;
}

int ts_run(ts_system *system, const ts_options *o, const ts_observer *w, ts_summary *summary) {
    if (summary) memset(summary, 0, sizeof *summary);
    ts_runner *r;
    int code = ts_runner_new(&r, system, o);
    if (code) return code;
    if (w && w->begun) code = w->begun(w->context, system, o);
    if (!code) code = loop(r, w);
    if (summary) *summary = *ts_runner_summary(r);
    ts_runner_free(r);
    return code;
}
