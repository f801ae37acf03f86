/* SPDX-License-Identifier: Apache-2.0 */
/* Events: finding when they happen, and doing what they say.
 *
 * A condition g = left - right is evaluated at the end of each step. An event remembers the sign of
 * g; values below 1e-12 of the largest so far have no sign, so a coordinate that is locked at g = 0
 * does not cross zero by round-off. Where g has changed its sign in the right sense, the step is
 * repeated, shorter, from the same start: the length at which g is zero is a root, found by Brent's
 * method (R. P. Brent, Algorithms for Minimization without Derivatives, 1973, section 4.4) to 1e-11
 * s. The accepted step ends just after the root, so that the event does not happen twice. Of
 * several events within a step the first one counts; events at the same time happen together. If
 * the root is at the very start of a step, no step is made: the event happens there, and from then
 * on values as small as the one there have no sign.
 *
 * A mark does not change the motion: its time is located and recorded, and the run goes on from the
 * end of the whole step. A step is divided only by events that act, end the run or are read by
 * other events.
 *
 * Reactions of joints and accelerations are means over steps. At a time within a step they are
 * extrapolated from the means of the whole step and of the steps before it (system/instant.c).
 * Means over short steps are not used: they depend more on the rates of constraints, which are zero
 * to second order only, than on forces. After a switch, reactions are unknown until the next long
 * step, and a condition that reads them has no sign.
 *
 * The action of an event may trigger others at once, for example when a velocity jumps across a
 * value. An event that happens again and again within a step chatters, and the run ends with an
 * error.
 */
#include "events/events.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "events/probe.h"

static const double LOCATED = 1e-11; /* s */
static const double TINY = 1e-12;    /* of the largest value of a condition: less has no sign */
static const double NEAR = 1e-9;     /* relative to the step: such a time counts as its end */
enum { SHOWER = 40, MOST_TRIALS = 100 };

struct ts_events {
    ts_system *system;
    const ts_model *model; /* as drawn */
    double h;
    ts_probe *probe;     /* left and right of each event */
    ts_probe *value;     /* of each action */
    double *result;      /* of each action that sets something */
    double *g;           /* at the end of the step, of each event */
    double *g_start;     /* at its start */
    bool *due, *seen;    /* happens now; is already located */
    bool *read;          /* other events read its count */
    bool *across;        /* changes sign at the start of the step */
    ts_state start, end; /* of the whole step */
    double *g_end;
    bool reacts;    /* some condition reads reactions, accelerations or friction */
    ts_state whole; /* at the end of the whole step, for these */
    ts_instant now; /* these at the present state */
};

/* ---- making ---- */

static void open_reactions(ts_events *e) {
    const ts_model *model = e->system->model;
    for (int i = 0; i < 2 * e->model->events_count; i++)
        e->reacts |= e->probe[i].reacts || e->probe[i].rubs;
    for (int i = 0; i < e->model->actions_count; i++)
        e->reacts |= e->value[i].reacts || e->value[i].rubs;
    if (!e->reacts) return;
    ts_state_alloc(model, &e->whole);
    ts_instant_new(&e->now, model);
}

static void note_read(ts_events *e, const ts_probe *probe) {
    for (int k = 0; k < probe->uses; k++)
        if (probe->use[k].measure.of == TS_OF_EVENT) e->read[probe->use[k].measure.source] = true;
}

static int open_probes(ts_events *e) {
    const ts_model *model = e->model;
    int code = 0;
    for (int i = 0; i < model->events_count && !code; i++) {
        code = ts_probe_new(&e->probe[2 * i], model, model->events[i].left, e->h);
        if (!code) code = ts_probe_new(&e->probe[2 * i + 1], model, model->events[i].right, e->h);
    }
    for (int i = 0; i < model->actions_count && !code; i++)
        code = ts_probe_new(&e->value[i], model,
                            model->actions[i].act == TS_ACT_SWITCH ? -1 : model->actions[i].signal,
                            e->h);
    for (int i = 0; i < 2 * model->events_count && !code; i++) note_read(e, &e->probe[i]);
    for (int i = 0; i < model->actions_count && !code; i++) note_read(e, &e->value[i]);
    return code;
}

int ts_events_new(ts_events **out, ts_system *system, double h) {
    const ts_model *model = system->model->drawn ? system->model->drawn : system->model;
    size_t events = (size_t)model->events_count, actions = (size_t)model->actions_count + 1;
    *out = NULL;
    if (events == 0) return 0;
    ts_events *e = ts_calloc(1, sizeof *e);
    e->system = system, e->model = model, e->h = h;
    e->probe = ts_calloc(2 * events, sizeof *e->probe);
    e->value = ts_calloc(actions, sizeof *e->value);
    e->result = ts_calloc(actions, sizeof *e->result);
    e->g = ts_calloc(events, sizeof *e->g), e->g_start = ts_calloc(events, sizeof *e->g_start);
    e->g_end = ts_calloc(events, sizeof *e->g_end);
    e->due = ts_calloc(events, sizeof *e->due), e->seen = ts_calloc(events, sizeof *e->seen);
    e->across = ts_calloc(events, sizeof *e->across), e->read = ts_calloc(events, sizeof *e->read);
    ts_state_alloc(system->model, &e->start), ts_state_alloc(system->model, &e->end);
    int code = open_probes(e);
    open_reactions(e);
    if (code) ts_events_free(e), e = NULL;
    *out = e;
    return code;
}

void ts_events_free(ts_events *e) {
    if (!e) return;
    for (int i = 0; i < 2 * e->model->events_count; i++) ts_probe_clear(&e->probe[i]);
    for (int i = 0; i < e->model->actions_count; i++) ts_probe_clear(&e->value[i]);
    ts_state_free(&e->start), ts_state_free(&e->end);
    if (e->reacts) ts_state_free(&e->whole), ts_instant_clear(&e->now);
    free(e->probe), free(e->value), free(e->result);
    free(e->g), free(e->g_start), free(e->g_end), free(e->due), free(e->seen), free(e->across);
    free(e->read), free(e);
}

/* ---- conditions ---- */

static double *memory_of(const ts_events *e, int i) {
    return e->system->state.memory + e->model->events[i].memory;
}

static bool is_over(const ts_events *e, int i) {
    const ts_event *event = &e->model->events[i];
    return memory_of(e, i)[TS_EVENT_COUNT] >= (event->timed ? 1 : event->times);
}

static ts_probe_time time_of(const ts_events *e) {
    return (ts_probe_time){.now = &e->now, .last = &e->whole, .before = &e->start};
}

/* The value of a condition; NAN: not known yet. */
static double condition(const ts_events *e, int i) {
    const ts_probe *left = &e->probe[2 * i], *right = left + 1;
    if ((left->reacts || right->reacts) && !ts_trail_known(e->now.state)) return NAN;
    /* friction follows from two steps: it is unknown at the start of a step that is not made yet */
    bool rubs = left->rubs || right->rubs;
    if (rubs && ts_trail_middle(&e->whole) == ts_trail_middle(&e->start)) return NAN;
    ts_probe_time at = time_of(e);
    return ts_probe_value(left, e->system, &at) - ts_probe_value(right, e->system, &at);
}

/* The sign of a value; 0: too small to tell. */
static int side_of(const ts_events *e, int i, double g) {
    const double *memory = memory_of(e, i);
    double least = fmax(TINY * fmax(memory[TS_EVENT_SIZE], fabs(g)), memory[TS_EVENT_BAND]);
    return g > least ? 1 : g < -least ? -1 : 0;
}

/* Has the condition changed its sign in the sense of the event? */
static bool has_crossed(const ts_events *e, int i) {
    int edge = e->model->events[i].edge, before = (int)memory_of(e, i)[TS_EVENT_SIDE];
    int now = side_of(e, i, e->g[i]);
    return before != 0 && now == -before && (edge == 0 || edge == now) && !is_over(e, i);
}

/* Reactions at the present time, extrapolated from the steps that led to some state. */
static void react(ts_events *e, const ts_state *by) {
    if (!e->reacts) return;
    if (by != &e->whole) {
        ts_state_copy(e->model, &e->whole, by);
        ts_trail_trust(&e->whole);
    }
    ts_instant_at(&e->now, &e->whole, e->system->state.t);
}

static void evaluate(const ts_events *e, double *g) {
    for (int i = 0; i < e->model->events_count; i++)
        g[i] = e->model->events[i].timed ? 0 : condition(e, i);
}

/* Stores the sign of each condition for the next step. */
static void keep_sides(ts_events *e) {
    for (int i = 0; i < e->model->events_count; i++) {
        double *memory = memory_of(e, i);
        int side = side_of(e, i, e->g[i]);
        if (side != 0) memory[TS_EVENT_SIDE] = side, memory[TS_EVENT_BAND] = 0;
        memory[TS_EVENT_SIZE] = fmax(memory[TS_EVENT_SIZE], fabs(e->g[i]));
    }
}

/* ---- times ---- */

static bool is_time(const ts_events *e, int i, double t) {
    const ts_event *event = &e->model->events[i];
    return event->timed && !is_over(e, i) && event->at <= t;
}

/* The length of a step that ends at the first time of an event, if that time is within the step. */
static double cut_at_times(const ts_events *e, double h, double *at) {
    double t = e->system->state.t, near = NEAR * e->h;
    *at = NAN;
    for (int i = 0; i < e->model->events_count; i++) {
        double when = e->model->events[i].at;
        if (!e->model->events[i].timed || is_over(e, i) || when > t + h - near) continue;
        if (when > t && when - t < h) h = when - t, *at = when;
    }
    return h;
}

/* ---- steps again ---- */

typedef struct again {
    ts_events *e;
    ts_stepper *st;
    ts_ledger ledger; /* of the start */
    ts_step_result *sum;
    int event;
    double made; /* the length of the step that ended in the state */
    bool back;   /* the state is that of the start of the step again */
    int code;
} again;

static void add_result(ts_step_result *sum, const ts_step_result *one) {
    sum->iterations += one->iterations, sum->factorisations += one->factorisations;
    sum->unsolved = one->unsolved;
}

static void go_back(again *a) {
    ts_state_copy(a->e->model, &a->e->system->state, &a->e->start);
    a->e->system->ledger = a->ledger;
}

static void make(again *a, double h) {
    ts_step_result one = {0};
    go_back(a);
    a->code = ts_stepper_step(a->st, h, &one);
    add_result(a->sum, &one);
    a->made = h, a->back = false;
    if (!a->code) react(a->e, &a->e->whole), evaluate(a->e, a->e->g);
}

static double trial(again *a, double h) {
    if (!a->code) make(a, h);
    return a->e->g[a->event];
}

/* ---- Brent's root ---- */

/* b is the best so far, a the one before, c on the other side of the root. */
typedef struct bracket {
    double a, b, c, fa, fb, fc, d, e;
} bracket;

static void swap_ends(bracket *r) {
    r->a = r->b, r->b = r->c, r->c = r->a;
    r->fa = r->fb, r->fb = r->fc, r->fc = r->fa;
}

/* Secant or inverse quadratic interpolation where it converges, bisection elsewhere. */
static void next_step(bracket *r, double m, double tolerance) {
    double s = r->fb / r->fa, p, q;
    bool useful = fabs(r->e) >= tolerance && fabs(r->fa) > fabs(r->fb);
    if (r->a == r->c) {
        p = 2 * m * s, q = 1 - s;
    } else {
        double u = r->fa / r->fc, w = r->fb / r->fc;
        p = s * (2 * m * u * (u - w) - (r->b - r->a) * (w - 1));
        q = (u - 1) * (w - 1) * (s - 1);
    }
    if (p > 0) q = -q;
    p = fabs(p);
    if (useful && 2 * p < fmin(3 * m * q - fabs(tolerance * q), fabs(r->e * q)))
        r->e = r->d, r->d = p / q;
    else
        r->d = r->e = m;
}

/* The length, just after the root, at which the condition has the sign that it has at `h`. */
static double find_root(again *x, double h, double tolerance) {
    bracket r = {.a = 0, .b = h, .fa = x->e->g_start[x->event], .fb = x->e->g[x->event]};
    bool positive = r.fb > 0;
    r.c = r.a, r.fc = r.fa, r.d = r.e = r.b - r.a;
    for (int i = 0; i < MOST_TRIALS && !x->code; i++) {
        if (fabs(r.fc) < fabs(r.fb)) swap_ends(&r);
        double m = 0.5 * (r.c - r.b);
        if (fabs(m) <= tolerance || r.fb == 0) break;
        next_step(&r, m, tolerance);
        r.a = r.b, r.fa = r.fb;
        r.b += fabs(r.d) > tolerance ? r.d : m > 0 ? tolerance : -tolerance;
        r.fb = trial(x, r.b);
        if ((r.fb > 0) == (r.fc > 0)) r.c = r.a, r.fc = r.fa, r.d = r.e = r.b - r.a;
    }
    if (r.fb == 0 || (r.fb > 0) == positive) return r.b;
    return r.c;
}

/* ---- the first event within a step ---- */

static int next_crossed(const ts_events *e) {
    for (int i = 0; i < e->model->events_count; i++)
        if (!e->seen[i] && !e->model->events[i].timed && has_crossed(e, i)) return i;
    return -1;
}

/* The condition had its new sign at the start already, where its value was too small to tell: the
 * event happens there. */
static bool began_across(const ts_events *e, int i) {
    return e->g_start[i] == 0 || (e->g_start[i] > 0) == (e->g[i] > 0);
}

/* Which located events does the accepted step reach? Others may have turned out to be earlier. */
static void mark_due(ts_events *e, int last) {
    for (int i = 0; i < e->model->events_count; i++)
        e->due[i] = e->due[i] || i == last || (e->seen[i] && has_crossed(e, i));
}

/* The root is at the start of the step, so no step is made. Other conditions may change sign there,
 * too: their events happen at the same time if the sense is right. */
static void stay(again *a, double tolerance) {
    ts_events *e = a->e;
    for (int i = 0; i < e->model->events_count; i++) {
        double before = memory_of(e, i)[TS_EVENT_SIDE], slope = (e->g[i] - e->g_start[i]) / a->made;
        e->across[i] = !e->model->events[i].timed && before * e->g[i] < 0 &&
                       fabs(e->g_start[i]) <= 4 * tolerance * fabs(slope);
        e->due[i] = e->due[i] || (e->across[i] && has_crossed(e, i));
    }
    go_back(a);
    memcpy(e->g, e->g_start, (size_t)e->model->events_count * sizeof *e->g);
}

/* Values at the start, with reactions extrapolated from the whole step as in the trial steps. */
static void start_again(again *a) {
    ts_events *e = a->e;
    if (!e->reacts) return;
    go_back(a), a->back = true;
    react(e, &e->whole), evaluate(e, e->g_start);
}

/* A condition that is zero where the step was shortened, and that would have changed its sign,
 * counts as changed. If the action drives it back, it crosses again. Events triggered by this are
 * found at the start of the next step. */
static void others_cross(ts_events *e, double h, double tolerance) {
    for (int i = 0; i < e->model->events_count; i++) {
        int before = (int)memory_of(e, i)[TS_EVENT_SIDE];
        double slope = (e->g_end[i] - e->g_start[i]) / h;
        bool turned = before * e->g_end[i] < 0 && side_of(e, i, e->g[i]) == 0;
        e->across[i] |= e->model->events[i].edge == before && turned &&
                        fabs(e->g[i]) <= 4 * tolerance * fabs(slope);
    }
}

static void locate(again *a, double h) {
    ts_events *e = a->e;
    double whole = h;
    double t = e->start.t, tolerance = fmin(LOCATED, 1e-6 * e->h) + 2 * DBL_EPSILON * fabs(t);
    int last = -1;
    start_again(a);
    for (int i = next_crossed(e); i >= 0 && !a->code; i = next_crossed(e)) {
        e->seen[i] = true, last = a->event = i;
        double to = began_across(e, i) ? 0 : find_root(a, h, tolerance);
        if (a->code) return;
        if (to < 2 * tolerance) {
            stay(a, tolerance);
            mark_due(e, last);
            return;
        }
        if (to != a->made || a->back) make(a, to);
        h = to;
    }
    if (a->code) return;
    others_cross(e, whole, tolerance);
    mark_due(e, last);
}

/* ---- marks ---- */

/* Are all events that are due marks, which do not change the motion? */
static bool marks_only(const ts_events *e) {
    for (int i = 0; i < e->model->events_count; i++)
        if (e->due[i] &&
            (e->model->events[i].actions > 0 || e->model->events[i].stops || e->read[i]))
            return false;
    return true;
}

/* Copies the memory of events into a state. */
static void carry_memory(const ts_events *e, ts_state *to) {
    for (int i = 0; i < e->model->events_count; i++) {
        int at = e->model->events[i].memory;
        memcpy(to->memory + at, e->system->state.memory + at, TS_EVENT_MEMORY * sizeof(double));
    }
}

static int count(ts_events *e, int i);
static void change_sides(ts_events *e);

/* Records the marks that are due and restores the end of the whole step. */
static int note_marks(again *a, const ts_ledger *ledger) {
    ts_events *e = a->e;
    size_t events = (size_t)e->model->events_count;
    change_sides(e);
    for (size_t i = 0; i < events && !a->code; i++)
        if (e->due[i]) a->code = count(e, (int)i);
    carry_memory(e, &e->start), carry_memory(e, &e->end);
    ts_state_copy(e->model, &e->system->state, &e->end);
    e->system->ledger = *ledger;
    memcpy(e->g, e->g_end, events * sizeof *e->g);
    memset(e->due, 0, events * sizeof *e->due), memset(e->seen, 0, events * sizeof *e->seen);
    if (e->reacts) ts_instant_at(&e->now, &e->whole, e->end.t);
    return a->code;
}

/* Finds events within the whole step: marks are recorded; the first one that acts ends the step. */
static void find_events(again *a, double h) {
    ts_events *e = a->e;
    ts_ledger ledger = e->system->ledger;
    bool marked = false;
    if (next_crossed(e) < 0) return;
    ts_state_copy(e->model, &e->end, &e->system->state);
    memcpy(e->g_end, e->g, (size_t)e->model->events_count * sizeof *e->g);
    while (next_crossed(e) >= 0 && !a->code) {
        locate(a, h);
        if (a->code || !marks_only(e)) return;
        marked = !note_marks(a, &ledger);
    }
    if (marked) ts_stepper_forget(a->st); /* the stepper has made other steps since */
}

int ts_events_step(ts_events *e, ts_stepper *st, double h, ts_step_result *result) {
    size_t events = (size_t)e->model->events_count;
    double at;
    memset(e->due, 0, events * sizeof *e->due), memset(e->seen, 0, events * sizeof *e->seen);
    memset(e->across, 0, events * sizeof *e->across);
    ts_state_copy(e->model, &e->start, &e->system->state);
    again a = {.e = e, .st = st, .ledger = e->system->ledger, .sum = result};
    react(e, &e->system->state), evaluate(e, e->g_start);
    h = cut_at_times(e, h, &at);
    a.code = ts_stepper_step(st, a.made = h, result);
    if (a.code) return a.code;
    if (!isnan(at)) e->system->state.t = at;
    react(e, &e->system->state), evaluate(e, e->g);
    find_events(&a, h);
    if (a.code) {
        go_back(&a);
        return a.code;
    }
    double t = e->system->state.t + NEAR * e->h;
    for (size_t i = 0; i < events; i++) e->due[i] = e->due[i] || is_time(e, (int)i, t);
    if (!ts_events_due(e)) keep_sides(e);
    return 0;
}

bool ts_events_due(const ts_events *e) {
    for (int i = 0; i < e->model->events_count; i++)
        if (e->due[i]) return true;
    return false;
}

void ts_events_drop(ts_events *e) {
    memset(e->due, 0, (size_t)e->model->events_count * sizeof *e->due);
}

void ts_events_look(ts_events *e) {
    double t = e->system->state.t + NEAR * e->h;
    if (e->reacts) ts_state_copy(e->model, &e->start, &e->system->state);
    react(e, &e->system->state), evaluate(e, e->g);
    for (int i = 0; i < e->model->events_count; i++)
        e->due[i] = e->model->events[i].timed ? is_time(e, i, t) : has_crossed(e, i);
    if (!ts_events_due(e)) keep_sides(e);
}

/* ---- actions ---- */

/* The value that a row has in place of its signal. */
static double row_value(const ts_system *system, const ts_site *site) {
    double e[TS_MAX_FORMS];
    ts_row_response r;
    ts_site_values(system->model, site, system->state.q, e);
    if (!site->rowlaw) return e[0];
    ts_law_step rest =
        ts_site_rest(system->model, site, ts_past_of(&system->state), e, system->state.t);
    site->rowlaw->respond(&rest, &r);
    return r.y;
}

/* The value that a lock holds, or by which a motion is shifted, from now on. */
static double value_from_here(const ts_events *e, const ts_part *part) {
    const ts_system *system = e->system;
    const ts_site *site = &system->model->sites[part->site];
    double u = 0, rate;
    if (part->sites == 0 || site->role != TS_ROLE_ROWS) return 0;
    int signal = e->model->rows[site->row].signal; /* as drawn: without a shift */
    if (signal < 0) return 0;
    ts_signal_eval(&e->model->signals[signal], ts_when_of(&system->state, system->state.t), &u,
                   &rate);
    return row_value(system, site) - u;
}

static bool turn_switch(ts_events *e, const ts_action *action, double value) {
    const ts_switch *w = &e->model->switches[action->what];
    double *memory = e->system->state.memory + w->memory;
    bool on = w->drawn != (memory[TS_SWITCH_TURNED] != 0);
    (void)value;
    if (on == action->on) return false;
    memory[TS_SWITCH_TURNED] = action->on != w->drawn;
    if (action->on) memory[TS_SWITCH_VALUE] = value_from_here(e, &e->model->parts[w->part]);
    return true;
}

/* A state variable is the x coordinate of its node times a scale. */
static bool set_variable(ts_events *e, const ts_action *action, double value) {
    const ts_coordinate *c = &e->model->coordinates[action->what];
    const ts_node *node = &e->model->nodes[e->model->site_nodes[c->site_node]];
    double scale = e->model->linears[e->model->forms[c->form].linear].g.x;
    e->system->state.q[3 * node->slot] = value / scale;
    return false;
}

static bool set_input(ts_events *e, const ts_action *action, double value) {
    ts_input *input = &e->system->state.inputs[action->what];
    input->value = input->before = input->reached = value;
    return false;
}

static bool (*const ACT[TS_ACTS])(ts_events *, const ts_action *, double) = {
    [TS_ACT_SWITCH] = turn_switch, [TS_ACT_VARIABLE] = set_variable, [TS_ACT_INPUT] = set_input};

static int count(ts_events *e, int i) {
    double *memory = memory_of(e, i), t = e->system->state.t;
    const char *name = e->model->parts[e->model->events[i].part].name;
    memory[TS_EVENT_COUNT]++, memory[TS_EVENT_TIME] = t;
    if (memory[TS_EVENT_SHOWER] == 0 || t - memory[TS_EVENT_SINCE] > e->h)
        memory[TS_EVENT_SINCE] = t, memory[TS_EVENT_SHOWER] = 0;
    if (++memory[TS_EVENT_SHOWER] < SHOWER) return 0;
    ts_fail(TORSOR_EDIVERGED,
            "event '%s' chatters: it happened %d times within a step, from t = %.9g s on. Let the "
            "value at which it is undone differ from the one at which it happens, or limit it by "
            "`times:`",
            name, SHOWER, memory[TS_EVENT_SINCE]);
    return ts_blame(TORSOR_EDIVERGED, name, t);
}

/* The values that an event sets are computed before its actions and after those of the events
 * listed above it: if two events increment a counter at one time, both increments are in it. */
static void act(ts_events *e, int i, ts_outcome *out) {
    const ts_event *event = &e->model->events[i];
    ts_probe_time at = time_of(e);
    for (int k = event->action; k < event->action + event->actions; k++)
        e->result[k] = ts_probe_value(&e->value[k], e->system, &at);
    for (int k = event->action; k < event->action + event->actions; k++)
        out->turned |= ACT[e->model->actions[k].act](e, &e->model->actions[k], e->result[k]);
    if (event->stops && out->stopped < 0) out->stopped = i;
}

/* The condition of an event that happens has changed its sign, even if its value is too small to
 * tell. */
static void change_sides(ts_events *e) {
    for (int i = 0; i < e->model->events_count; i++)
        e->across[i] = e->across[i] || (e->due[i] && !e->model->events[i].timed);
    for (int i = 0; i < e->model->events_count; i++) {
        double *memory = memory_of(e, i), before = memory[TS_EVENT_SIDE];
        if (!e->across[i]) continue;
        memory[TS_EVENT_SIDE] = -before;
        if (before * e->g[i] > 0) memory[TS_EVENT_BAND] = 2 * fabs(e->g[i]);
    }
    keep_sides(e);
    for (int i = 0; i < e->model->events_count; i++) e->across[i] = false;
}

int ts_events_act(ts_events *e, ts_outcome *out) {
    int code = 0, events = e->model->events_count;
    *out = (ts_outcome){.stopped = -1};
    change_sides(e);
    for (int i = 0; i < events && !code; i++) {
        if (!e->due[i]) continue;
        code = count(e, i);
        if (!code) act(e, i, out);
        e->due[i] = false;
    }
    return code;
}
