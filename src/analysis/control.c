/* Step control by what ED dissipates: S0 (87), (88), with an exponent of our own.
 *
 * ED knows at every step how much energy it has taken, D: a by-product that measures how well the step resolves what goes on. Of a
 * linear vibration, with z = v + i w u and theta = w h, a step makes z R(i theta) with
 *
 *     1 - |R|^2 = (alpha/36) theta^4 / |denominator|^2 ,     D/E = alpha theta^4/36 + O(theta^6)
 *
 * which is S0's fourth root, h = sqrt(6) eps^(1/4)/w, for alpha = 1. Of smooth motions of rigid bodies it is h^6 (docs/theory.md,
 * section 14, has the measurements). A substep may take `step_tolerance` of the energy: the largest one so far, or `step_energy`
 * where that is more. Equal amounts for all substeps are the best there is: among all steps h(t) with the same total
 * loss, integral of c(t) h^3 dt, the least number, integral of dt/h, has c h^4 the same everywhere.
 *
 * Substeps are h/2^k, so that the grid of steps, its outputs and restarts stay what they are with fixed steps, and tangents are
 * seldom factored anew. With r = D / (step_tolerance E):
 *
 *     r > 8              rejected: from its start again, halved ceil(log2(r)/4) times
 *     2 < r <= 8         kept, and halved from now on
 *     r < 1/32           twice as long from now on; that takes 2^6 times as much at most, which is kept
 *
 * The straight pieces of tables end substeps too: a corner of a load or of a prescribed motion is met exactly.
 */
#include "analysis/control.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

static const double REJECTED = 8, TOO_MUCH = 2, LITTLE = 1.0 / 32;
static const double SLOPE = 4;     /* of log D over log h, of vibrations */
static const double NEARLY = 1e-9; /* of a step: times closer than that are one */
enum { MOST_HALVINGS = 6 };        /* at once */
enum { SUBSTEP, PEAK };            /* places in state.control */

struct ts_control {
    ts_stepper *st;
    ts_system *system;
    double h, tolerance, energy, least;
    ts_state start; /* of the substep, to go back to */
    ts_state first; /* of the step, likewise */
};

int ts_control_new(ts_control **out, ts_stepper *st, ts_system *system, const ts_options *o) {
    *out = NULL;
    if (!(o->step_tolerance > 0) || o->statics) return 0;
    if (ts_scheme_find(o->scheme) != &TS_SCHEME_ED || !(o->rho_inf < 1))
        return ts_fail(TORSOR_EINVAL,
                       "step control measures what ED dissipates: with 'step_tolerance' the scheme "
                       "must be ED and rho_inf below 1");
    ts_control *c = ts_calloc(1, sizeof *c);
    *c = (ts_control){.st = st,
                      .system = system,
                      .h = o->h,
                      .tolerance = o->step_tolerance,
                      .energy = o->step_energy};
    c->least = o->min_step > 0 ? o->min_step : o->h / 1024;
    ts_state_alloc(system->model, &c->start);
    ts_state_alloc(system->model, &c->first);
    if (!(system->state.control[SUBSTEP] > 0)) system->state.control[SUBSTEP] = o->h;
    *out = c;
    return 0;
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

static double next_stop(const ts_control *c, double t, double t_f) {
    double near = NEARLY * c->h, stop = t_f;
    for (int i = 0; i < c->system->model->signals_count; i++)
        stop = fmin(stop, corner_beyond(&c->system->model->signals[i], t + near));
    return stop > t_f - near ? t_f : stop;
}

/* ---- one substep ---- */

static double energy_of(const ts_ledger *l) {
    return ts_energy_scale(l->kinetic, l->elastic, l->gravity);
}

/* What it took, over what it might have taken. */
static double share_taken(const ts_control *c, double before) {
    const ts_ledger *l = &c->system->ledger;
    double peak = fmax(c->system->state.control[PEAK], energy_of(l));
    double taken = l->algorithmic - before, allowed = c->tolerance * fmax(c->energy, peak);
    return taken > 0 ? taken / allowed : 0;
}

/* A stretch without corners, in equal parts: `done` of `parts`. */
typedef struct stretch {
    double from, to;
    int64_t done, parts;
} stretch;

static double part_of(const stretch *s) { return (s->to - s->from) / (double)s->parts; }

static void halve(const ts_control *c, stretch *s, int times) {
    for (; times > 0 && 0.5 * part_of(s) >= c->least; times--) s->parts *= 2, s->done *= 2;
    c->system->state.control[SUBSTEP] = part_of(s);
}

/* Only where two parts are one of the longer ones. */
static void lengthen(const ts_control *c, stretch *s) {
    double *wanted = &c->system->state.control[SUBSTEP];
    if (s->parts == 1)
        *wanted = fmin(c->h, fmax(*wanted, 2 * part_of(s)));
    else if (s->done % 2 == 0)
        s->parts /= 2, s->done /= 2, *wanted = part_of(s);
}

static void add_result(ts_step_result *sum, const ts_step_result *one) {
    sum->iterations += one->iterations, sum->factorisations += one->factorisations;
    sum->cuts += one->cuts;
}

/* One part, or the same in smaller ones next. */
static int advance(ts_control *c, stretch *s, ts_step_result *result) {
    ts_system *system = c->system;
    ts_ledger ledger = system->ledger;
    ts_step_result one;
    double h = part_of(s);
    ts_state_copy(system->model, &c->start, &system->state);
    int code = ts_stepper_step(c->st, h, &one);
    add_result(result, &one);
    if (code) return code;
    double r = share_taken(c, ledger.algorithmic);
    if (r > REJECTED && 0.5 * h >= c->least) {
        ts_state_copy(system->model, &system->state, &c->start);
        system->ledger = ledger;
        result->cuts -= one.cuts;
        halve(c, s, (int)fmin(MOST_HALVINGS, ceil(log2(r) / SLOPE)));
        return 0;
    }
    s->done++, result->cuts++;
    system->state.t = s->done == s->parts ? s->to : s->from + (double)s->done * h;
    double *peak = &system->state.control[PEAK];
    *peak = fmax(*peak, energy_of(&system->ledger));
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
    while (!code && state->t < t_f) {
        stretch s = {.from = state->t, .to = next_stop(c, state->t, t_f), .parts = 1};
        while (part_of(&s) > state->control[SUBSTEP] * (1 + NEARLY) && s.parts < (1LL << 40))
            s.parts *= 2;
        while (!code && s.done < s.parts) code = advance(c, &s, result);
    }
    result->cuts--; /* those beyond one */
    if (code) ts_state_copy(c->system->model, state, &c->first), c->system->ledger = ledger;
    return code;
}
