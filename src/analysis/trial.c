/* SPDX-License-Identifier: Apache-2.0 */
/* Trials: sampling a run, and the distance of two of them. See trial.h.
 *
 * Constraint forces. Most schemes compute the mean of a multiplier over a step: at the time between
 * two steps the force follows from the mean of both, to second order, at the configuration of that
 * time. Such schemes have no force at the first and at the last sample. Schemes with an
 * acceleration at an instant also have the multiplier at that instant.
 */
#include "analysis/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "step/newton/exactness.h"
#include "system/section.h"

const char *const TS_MEASURE_NAME[TS_MEASURES] = {"position", "rotation", "velocity", "force",
                                                  "moment"};
const char *const TS_MEASURE_UNIT[TS_MEASURES] = {"m", "rad", "m/s", "N", "N m"};
enum { KEPT = sizeof(ts_trial_kept) / sizeof(double), NO_STORING = 1000000000 };

/* ---- what is sampled ---- */

void ts_trial_plan_new(ts_trial_plan *plan, const ts_model *model, double interval, int samples) {
    *plan = (ts_trial_plan){.model = model, .interval = interval, .samples = samples};
    plan->reaction = ts_calloc((size_t)model->parts_count + 1, sizeof(int));
    plan->station = ts_calloc((size_t)model->stations_count + 1, sizeof(int));
    for (int p = 0; p < model->parts_count; p++)
        if (ts_part_reacts(&model->parts[p])) plan->reaction[plan->reactions++] = p;
    for (int s = 0; s < model->stations_count; s++)
        if (model->stations[s].kind == TS_STATION_LINE) plan->station[plan->stations++] = s;
    plan->width = 6 * model->slots + 6 * plan->reactions + 6 * plan->stations + KEPT;
}

void ts_trial_plan_clear(ts_trial_plan *plan) { free(plan->reaction), free(plan->station); }

size_t ts_trial_bytes(const ts_trial_plan *plan) {
    return sizeof(ts_trial) + (size_t)plan->samples * (size_t)plan->width * sizeof(double);
}

/* The places within a sample. */
typedef struct places {
    double *q, *v, *reaction, *section;
    ts_trial_kept *kept;
} places;

static places places_of(const ts_trial_plan *plan, const ts_trial *trial, int sample) {
    double *at = (double *)(uintptr_t)trial->sample + (size_t)sample * (size_t)plan->width;
    places p = {.q = at, .v = at + 3 * plan->model->slots};
    p.reaction = p.v + 3 * plan->model->slots;
    p.section = p.reaction + 6 * plan->reactions;
    p.kept = (ts_trial_kept *)(p.section + 6 * plan->stations);
    return p;
}

const ts_trial_kept *ts_trial_kept_at(const ts_trial_plan *plan, const ts_trial *trial,
                                      int sample) {
    return places_of(plan, trial, sample).kept;
}

/* ---- sampling ---- */

/* A run in progress. */
typedef struct watch {
    ts_trial *trial;
    const ts_trial_plan *plan;
    ts_system *system;
    bool instant;         /* multipliers are those of the end of a step */
    ts_awaiting awaiting; /* the last sample waits for the multipliers of the next step */
} watch;

static void sample_kept(const ts_system *system, ts_trial_kept *kept) {
    v3 linear, angular;
    ts_momenta(system, &linear, &angular);
    v3_store(kept->linear, linear), v3_store(kept->angular, angular);
    kept->energy = system->ledger.balance - system->ledger.algorithmic;
    for (int p = 0; p < system->model->parts_count; p++) {
        double c, r;
        ts_violation(system, p, &c, &r);
        kept->violation = fmax(kept->violation, c), kept->rate = fmax(kept->rate, r);
    }
}

static void sample_reactions(const watch *w, const ts_system *system, double *out) {
    for (int i = 0; i < w->plan->reactions; i++) {
        v3 force, moment;
        ts_part_reaction_at(system, &w->awaiting.instant, w->plan->reaction[i], &force, &moment);
        v3_store(out + 6 * i, force), v3_store(out + 6 * i + 3, moment);
    }
}

static void sample_sections(const watch *w, double *out) {
    for (int i = 0; i < w->plan->stations; i++) {
        double strain[6];
        ts_station_section(w->system, &w->awaiting.instant, w->plan->station[i], strain,
                           out + 6 * i);
    }
}

static void sample_state(watch *w) {
    const ts_state *state = &w->system->state;
    places p = places_of(w->plan, w->trial, w->trial->filled++);
    size_t ambient = (size_t)(3 * w->plan->model->slots) * sizeof(double);
    memcpy(p.q, state->q, ambient), memcpy(p.v, state->v, ambient);
    for (int i = 0; i < 6 * w->plan->reactions; i++) p.reaction[i] = NAN;
    ts_awaiting_begin(&w->awaiting, state);
    if (w->instant && state->step > 0) sample_reactions(w, w->system, p.reaction);
    sample_sections(w, p.section);
    sample_kept(w->system, p.kept);
    w->awaiting.waits = !w->instant && state->step > 0;
}

/* One step after a sample: its forces are the mean of those before and those now. */
static void sample_waiting(watch *w) {
    if (!ts_awaiting_step(&w->awaiting, &w->system->state)) return;
    ts_system then = *w->system;
    then.state = w->awaiting.state;
    places p = places_of(w->plan, w->trial, w->trial->filled - 1);
    sample_reactions(w, &then, p.reaction);
    sample_sections(w, p.section);
}

static int step_and_sample(watch *w, ts_runner *runner, int64_t every) {
    ts_step_report report;
    double begun = ts_thread_time();
    int code = ts_runner_step(runner, false, &report);
    ts_trial *t = w->trial;
    t->seconds += ts_thread_time() - begun;
    if (code) return code;
    sample_waiting(w);
    t->done = report.step;
    t->momentum_scale = fmax(t->momentum_scale, w->system->ledger.kinetic);
    if (report.step % every == 0 && t->filled < w->plan->samples) sample_state(w);
    return 0;
}

static void sum_up(ts_trial *t, const ts_system *system, ts_runner *runner) {
    const ts_summary *s = ts_runner_summary(runner);
    double mass;
    v3 centre;
    ts_mass_centre(system, &mass, &centre);
    t->steps = s->steps, t->iterations = s->iterations, t->cuts = s->cuts;
    t->factorisations = s->factorisations, t->energy_scale = s->energy_scale;
    t->momentum_scale = sqrt(2 * mass * t->momentum_scale);
}

static int run(watch *w) {
    ts_trial *t = w->trial;
    ts_runner *runner;
    double begun = ts_thread_time();
    int code = ts_runner_new(&runner, w->system, &t->options);
    t->seconds = ts_thread_time() - begun;
    if (code) return code;
    int64_t every = llround(w->plan->interval / t->options.h);
    sample_state(w);
    while (!code && !ts_runner_ended(runner)) code = step_and_sample(w, runner, every);
    sum_up(t, w->system, runner);
    ts_runner_free(runner);
    return code;
}

void ts_trial_run(ts_trial *t, const ts_trial_plan *plan, ts_system *system) {
    const ts_scheme *scheme = ts_scheme_find(t->options.scheme);
    watch w = {.trial = t, .plan = plan, .system = system};
    w.instant = scheme->at_end;
    t->options.store_every = NO_STORING, t->options.threads = 1;
    t->options.step_tolerance = 0; /* trials use fixed steps, */
    /* and measure the error of the scheme, not that of Newton's method */
    if (t->options.tolerance == 0) t->options.tolerance = TS_TIGHTEST;
    t->filled = 0, t->momentum_scale = system->ledger.kinetic;
    ts_awaiting_new(&w.awaiting, plan->model);
    t->status = run(&w);
    if (t->status) snprintf(t->message, sizeof t->message, "%s", ts_error_message());
    ts_awaiting_clear(&w.awaiting);
}

/* ---- the distance of two trials ---- */

typedef struct gauge {
    double largest, squares;
    int64_t count;
} gauge;

static void measure(gauge *g, double distance) {
    if (isnan(distance)) return;
    g->largest = fmax(g->largest, distance), g->squares += distance * distance, g->count++;
}

static v3 difference(const double *a, const double *b) { return v3_sub(v3_load(a), v3_load(b)); }

/* |R - R_ref| in the norm of Frobenius is 2 sqrt(2) sin(angle/2): good for small angles, where the
 * trace is not. */
static double angle_between(const ts_node *node, const double *a, const double *b) {
    double sum = 0;
    for (int k = 3; k < 3 * node->slots; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    bool frame = node->kind == TS_NODE_FRAME;
    return 2 * asin(fmin(1, sqrt(sum / (frame ? 8 : 4))));
}

static void compare_nodes(const ts_model *model, places a, places b, gauge g[TS_MEASURES]) {
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        int s = 3 * node->slot;
        if (node->fixed) continue;
        measure(&g[TS_MEASURE_POSITION], v3_norm(difference(a.q + s, b.q + s)));
        measure(&g[TS_MEASURE_VELOCITY], v3_norm(difference(a.v + s, b.v + s)));
        if (node->kind != TS_NODE_POINT)
            measure(&g[TS_MEASURE_ROTATION], angle_between(node, a.q + s, b.q + s));
    }
}

static void compare_forces(int count, const double *a, const double *b, gauge g[TS_MEASURES]) {
    for (int i = 0; i < 6 * count; i += 6) {
        measure(&g[TS_MEASURE_FORCE], v3_norm(difference(a + i, b + i)));
        measure(&g[TS_MEASURE_MOMENT], v3_norm(difference(a + i + 3, b + i + 3)));
    }
}

void ts_trial_errors(const ts_trial_plan *plan, const ts_trial *trial, const ts_trial *reference,
                     bool rms, double error[TS_MEASURES]) {
    gauge g[TS_MEASURES] = {0};
    int common = trial->filled < reference->filled ? trial->filled : reference->filled;
    for (int k = 1; k < common; k++) {
        places a = places_of(plan, trial, k), b = places_of(plan, reference, k);
        compare_nodes(plan->model, a, b, g);
        compare_forces(plan->reactions, a.reaction, b.reaction, g);
        compare_forces(plan->stations, a.section, b.section, g);
    }
    for (int m = 0; m < TS_MEASURES; m++) {
        double mean = sqrt(g[m].squares / (double)g[m].count);
        error[m] = g[m].count == 0 ? NAN : rms ? mean : g[m].largest;
    }
}

/* ---- orders ---- */

static double log_ratio(double coarse, double fine, double r, double p) {
    return log((pow(coarse, p) - pow(r, p)) / (pow(fine, p) - pow(r, p)));
}

/* Uses the coarse step as unit, so that the ratio grows with p. */
double ts_observed_order(double coarse, double error_coarse, double fine, double error_fine,
                         double r) {
    if (!(error_coarse > 0) || !(error_fine > 0) || !(coarse > fine)) return NAN;
    double wanted = log(error_coarse / error_fine), low = 0.01, high = 12;
    fine /= coarse, r /= coarse;
    if (r == 0) return wanted / log(1 / fine);
    if (wanted <= log_ratio(1, fine, r, low)) return wanted / log(1 / fine);
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(log_ratio(1, fine, r, middle) < wanted ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}
