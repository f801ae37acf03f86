/* SPDX-License-Identifier: Apache-2.0 */
/* The stepper: prepares a step, solves it, halves it if necessary, and writes the ledger. See
 * scheme.h. */
#include "step/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "laws/angle.h"
#include "system/instant.h"

/* ---- one attempt ---- */

void ts_units_in_time(double h, double row[4], double column[4]) {
    row[0] = 0.5 * h * h, column[0] = 1;
    row[1] = 0.5 * h, column[1] = 2 / h;
    row[2] = 1, column[2] = 2 / (h * h);
    row[3] = 0.5 * h, column[3] = 12 / (h * h);
}

static void set_units(ts_stepper *st, double h) {
    void (*units)(double, double *, double *) =
        st->scheme->units ? st->scheme->units : ts_units_in_time;
    units(h, st->step.row_scale, st->step.column_scale);
}

static void begin_rows(ts_stepper *st) {
    const double near = ts_step_near(&st->step);
    if (!st->model->signals_count) return;
    for (int r = 0; r < st->model->rows_count; r++) {
        int signal = st->model->rows[r].signal;
        if (signal < 0) continue;
        double rate_i, rate_f;
        const ts_signal *u = &st->model->signals[signal];
        ts_signal_eval_side(u, ts_step_when(&st->step, st->step.t_i), near, &st->step.u_i[r],
                            &rate_i);
        ts_signal_eval_side(u, ts_step_when(&st->step, st->step.t_f), -near, &st->step.u_f[r],
                            &rate_f);
        st->step.du[r] = rate_f - rate_i;
    }
}

static v3 load_at(const ts_step *st, const ts_load *load, double t, double near) {
    double f[3];
    for (int k = 0; k < 3; k++) f[k] = ts_value_of_side(st, load->signal[k], t, near);
    return v3_scale(load->factor, v3_load(f));
}

/* If only the end counts, loads at the start are not evaluated. */
static void begin_loads(ts_step *st) {
    const double near = ts_step_near(st);
    for (int i = 0; i < st->model->loads_count; i++) {
        const ts_load *load = &st->model->loads[i];
        v3 f_f = load_at(st, load, st->t_f, -near);
        v3 f_i = st->mean < 1 ? load_at(st, load, st->t_i, near) : f_f;
        v3 mean = v3_add(v3_scale(1 - st->mean, f_i), v3_scale(st->mean, f_f));
        st->load[i] = (ts_load_step){v3_scale(st->load_factor, mean), v3_sub(f_f, f_i)};
    }
    ts_begin_pressures(st);
}

static void begin_forms(ts_stepper *st, const ts_site *site) {
    if (site->role != TS_ROLE_RATES)
        ts_site_values(st->model, site, st->step.q_i, st->step.e_i + site->form);
    if (st->scheme->stages == 2)
        ts_site_rates(st->model, site, st->step.q_i, st->step.v_i, st->step.edot_i + site->form);
}

static void begin_site(void *context, int i, double *scratch) {
    ts_stepper *st = context;
    (void)scratch;
    const ts_model *model = st->model;
    const ts_site *site = &model->sites[i];
    begin_forms(st, site);
    if (st->scheme->begin_site) st->scheme->begin_site(&st->step, site);
    if (st->step.K_first[i] == st->step.K_first[i + 1]) return;
    double *K = st->step.K + st->step.K_first[i];
    memset(K, 0, (size_t)(site->forms * site->forms) * sizeof(double));
    ts_site_stiffness(model, site, (ts_past){.memory = st->system->state.memory},
                      st->step.e_i + site->form, K);
}

static void refresh_all(ts_stepper *st) {
    for (int n = 0; n < st->model->nodes_count; n++)
        if (st->model->nodes[n].fixed)
            ts_refresh_fixed(&st->step, n);
        else
            st->scheme->refresh(&st->step, n);
}

static void begin_unknowns(ts_stepper *st) {
    const ts_model *model = st->model;
    const ts_state *state = &st->system->state;
    memcpy(st->step.lambda, state->lambda, (size_t)model->rows_count * sizeof(double));
    memcpy(st->step.kappa, state->kappa, (size_t)model->rows_count * sizeof(double));
    memset(st->step.stage, 0, (size_t)(6 * model->nodes_count) * sizeof(double));
}

/* Prepares the fields of a step; its times and load factor are set. */
static void begin_fields(ts_stepper *st) {
    const ts_model *model = st->model;
    if (model->windows_count) ts_slides_begin(st);
    begin_rows(st);
    begin_loads(&st->step);
    if (ts_contacts_begin(&st->step)) ts_drop_matrix(&st->eq), st->tangent.stale = true;
    ts_each_site(&st->team, begin_site, st);
    st->report.looked = false, st->report.told = st->step.t_f;
}

static void begin(ts_stepper *st, double h) {
    st->step.h = h, st->step.t_i = st->system->state.t, st->step.t_f = st->step.t_i + h;
    set_units(st, h);
    const ts_asked *whole = &st->asked; /* halves of a step get their share of the load */
    double share = (st->step.t_f - whole->t_first) / (whole->t_last - whole->t_first);
    st->step.load_factor = whole->factor_i + share * (whole->factor_f - whole->factor_i);
    begin_fields(st);
}

void ts_set_load_factor(ts_stepper *st, double factor) {
    st->step.load_factor = factor;
    begin_loads(&st->step);
}

void ts_begin_at(ts_stepper *st, double t, double factor) {
    st->step.h = 1, st->step.t_i = st->step.t_f = t, st->step.load_factor = factor;
    set_units(st, 1);
    begin_fields(st);
    begin_unknowns(st);
    for (int n = 0; n < st->model->nodes_count; n++)
        st->step.dx[n] = v3_make(0, 0, 0), st->step.turn[n] = quat_identity();
    refresh_all(st);
}

/* ---- the end of a step ---- */

static void commit_memory(ts_stepper *st) {
    const ts_model *model = st->model;
    double q[3 * TS_MAX_SLOTS], e[TS_MAX_FORMS];
    if (!model->memory) return;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        bool law = site->role == TS_ROLE_LAW && site->law->commit,
             row = site->rowlaw && site->rowlaw->commit;
        if (!law && !row) continue;
        ts_site_values(model, site, st->step.q_f, e);
        ts_law_step step = ts_law_over(&st->step, site, e);
        if (st->scheme->path) step.t_i = step.t_f; /* increments of load take no time */
        double *memory = st->system->state.memory + site->memory;
        if (law)
            site->law->commit(&step, memory);
        else
            site->rowlaw->commit(&step, memory);
    }
    for (int i = 0; i < model->coordinates_count; i++) {
        const ts_coordinate *c = &model->coordinates[i];
        if (!c->angle) continue;
        double *angle = &st->system->state.memory[c->memory];
        ts_gather(model, c->site_node, c->nodes, st->step.q_f, q);
        *angle = ts_angle_unwrap(*angle, ts_form_value(model, c->form, q),
                                 ts_form_value(model, c->form + 1, q));
    }
}

static void commit_motion(ts_stepper *st) {
    ts_state *state = &st->system->state;
    for (int n = 0; n < st->model->nodes_count; n++) {
        const ts_node *node = &st->model->nodes[n];
        if (node->fixed) continue;
        int s = 3 * node->slot;
        for (int i = s; i < s + 3 * node->slots; i++) {
            double v = node->variable ? st->step.dq[i] / st->step.h : st->step.v_f[i];
            state->vdot[i] = (v - state->v[i]) / st->step.h;
            state->q[i] = st->step.q_f[i], state->v[i] = v;
        }
        double *d = state->q + s + 3;
        if (node->kind == TS_NODE_FRAME) m3_store(d, ts_so3_nearest(m3_load(d)));
        if (node->kind == TS_NODE_DIRECTOR) v3_store(d, v3_normalize(v3_load(d)));
    }
}

/* See system/instant.c. */
static double ripple_of(const ts_stepper *st) {
    return st->scheme->stage_means
               ? ts_parameter_value(&st->options.parameters, st->scheme, "rho_inf", 0)
               : -1;
}

static void copy(double *to, const double *from, int n) {
    memcpy(to, from, (size_t)n * sizeof *to);
}

/* Stores the results of the step in the state: motion, memory, multipliers, the trail. */
static void commit_state(ts_stepper *st) {
    const ts_model *model = st->model;
    const ts_scheme *scheme = st->scheme;
    ts_state *state = &st->system->state;
    const ts_step *step = &st->step;
    ts_trail_shift(model, state);
    ts_store_held(st);
    commit_memory(st);
    if (model->windows_count) ts_windows_note(model, step->q_f, step->v_f, step->h, state->memory);
    if (step->contacts) ts_contacts_commit(step, state);
    commit_motion(st);
    if (scheme->accelerations) copy(state->vdot, step->acceleration, 3 * model->slots);
    if (scheme->stage_means)
        copy(state->jump, step->a, 3 * model->slots);
    else
        memset(state->jump, 0, (size_t)(3 * model->slots) * sizeof(double));
    copy(state->lambda, step->lambda, model->rows_count);
    copy(state->kappa, step->kappa, model->rows_count);
    if (scheme->at_end)
        ts_trail_exact(state);
    else
        ts_trail_mark(state, step->t_i + 0.5 * step->h, ripple_of(st), scheme->in_time);
    state->t = step->t_f;
}

static void note_stored(void *context, int site, double *scratch) {
    ts_stepper *st = context;
    (void)scratch;
    st->report.stored[site] = ts_site_stored(st->system, site);
}

static void book(ts_stepper *st, const ts_exchange *x) {
    ts_system *system = st->system;
    ts_ledger *ledger = &system->ledger;
    ledger->work_loads += x->work_loads, ledger->work_drives += x->work_drives;
    ledger->dissipated += x->dissipated, ledger->algorithmic += x->algorithmic;
    system->state.rubbed += x->rubbed;
    if (st->report.stored) ts_each_site(&st->team, note_stored, st);
    ts_take_energies(system, st->report.stored, &st->report.seen);
    ts_note_peaks(system, &st->report.seen, st->report.told);
    system->refused = -1;
    ledger->balance = ts_energy_balance(system);
    if (st->scheme->book) st->scheme->book(ledger);
}

void ts_commit(ts_stepper *st) {
    ts_exchange x = {0};
    st->report.unsolved += st->report.left;
    if (st->scheme->unbalanced)
        st->report.residual = ts_larger(st->report.residual, st->scheme->unbalanced(st));
    if (st->scheme->engine)
        st->scheme->engine->finish(st, &x);
    else
        st->scheme->exchange(&st->step, &x);
    ts_see_step(st);
    commit_state(st);
    ts_remember_step(st);
    double before = st->system->ledger.balance;
    book(st, &x);
    ts_note_exactness(&st->exactness, st->system->state.largest_energy, st->report.left,
                      st->system->ledger.balance - before);
}

/* ---- what to do when a step does not converge: grow it, halve it ---- */

enum { GROWING = 8, STATIC_BUDGET = 8 };
/* SOFT: stiffness of friction relative to mass/h^2 for which Newton's method converges at once;
 * STAGE: ratio of successive stiffnesses. */
static const double SOFT = 10, STAGE = 3;

static void save(ts_stepper *st, ts_state *to) {
    if (!to->q) ts_state_alloc(st->model, to);
    ts_state_copy(st->model, to, &st->system->state);
}

/* Solves from the predicted unknowns. */
static int solve_guess(ts_stepper *st, ts_temper temper, int *iterations) {
    if (st->scheme->engine) return st->scheme->engine->solve(st, temper, iterations);
    refresh_all(st);
    if (temper != TS_BOLD) ts_exact_tangent(&st->tangent);
    return ts_solve_step(st, temper, iterations);
}

/* Solves the whole step again from the start, with the end of two half steps as first guess. */
static int retry_whole(ts_stepper *st, double h, const ts_backup *b, int *iterations) {
    begin(st, h);
    begin_unknowns(st);
    for (int n = 0; n < st->model->nodes_count; n++) {
        const ts_node *node = &st->model->nodes[n];
        int s = 3 * node->slot;
        st->step.dx[n] = v3_sub(v3_load(b->end.q + s), v3_load(b->start.q + s));
        st->step.turn[n] = quat_identity();
        if (node->fixed || node->kind == TS_NODE_POINT) continue;
        const double *start = b->start.q + s + 3, *end = b->end.q + s + 3;
        st->step.turn[n] =
            node->kind == TS_NODE_DIRECTOR
                ? ts_quat_between(v3_load(start), v3_load(end))
                : ts_quat_from_matrix(m3_mul(m3_load(end), m3_transpose(m3_load(start))));
    }
    memcpy(st->step.lambda, b->end.lambda, (size_t)st->model->rows_count * sizeof(double));
    return solve_guess(st, TS_FULL, iterations);
}

/* Makes a guess, and returns the size of its residual; infinite: not computed. */
static double guess(ts_stepper *st, ts_guess from) {
    begin_unknowns(st);
    ts_predict(st, from);
    if (!ts_has_kinks(st)) return INFINITY;
    refresh_all(st);
    ts_residual(&st->eq);
    return ts_contacts_act(&st->step) ? ts_residual_weight(st) : INFINITY;
}

/* The force of an impact has ended when the next step begins: where shapes touch, a guess from
 * velocities alone is tried too, and the guess with the smaller residual is used. */
static int attempt_begun(ts_stepper *st, ts_temper temper, int *iterations) {
    ts_guess usual = temper == TS_BOLD ? TS_FROM_HISTORY : TS_FROM_STATE;
    double off = guess(st, usual);
    if (off < INFINITY && off < guess(st, TS_FROM_VELOCITY)) guess(st, usual);
    return solve_guess(st, temper, iterations);
}

static int attempt(ts_stepper *st, double h, ts_temper temper, int *iterations) {
    begin(st, h);
    return attempt_begun(st, temper, iterations);
}

/* Static friction that breaks loose drops within a tiny slip to sliding friction. If a pair is just
 * at this limit, Newton's method does not leave the edge: the residual has its minimum there, and
 * the solution lies beyond a rise of it. With friction that drops at the end of the step there is
 * no such edge. */
static int break_late(ts_stepper *st, double h, int *iterations) {
    begin(st, h);
    if (!ts_contacts_break_late(&st->step)) return TORSOR_RETRY;
    return attempt_begun(st, TS_BOLD, iterations);
}

static quat fraction_of_turn(quat p, double ratio) {
    double n = v3_norm(p.v);
    if (n == 0) return p;
    return quat_exp(v3_scale(ratio * 2 * atan2(n, p.s) / n, p.v));
}

/* Continuation in the size of the step: from the same start, steps of growing size, each guessed
 * from the one before; only the last one is solved accurately. */
static int grow(ts_stepper *st, double h, int *iterations) {
    st->rough = true;
    int code = attempt(st, h / GROWING, TS_FULL, iterations);
    for (int k = 2; k <= GROWING && !code; k++) {
        double ratio = (double)k / (k - 1);
        st->rough = k < GROWING;
        begin(st, h * k / GROWING);
        for (int n = 0; n < st->model->nodes_count; n++) {
            st->step.dx[n] = v3_scale(ratio, st->step.dx[n]);
            st->step.turn[n] = fraction_of_turn(st->step.turn[n], ratio);
        }
        refresh_all(st);
        code = ts_solve_step(st, TS_FULL, iterations);
    }
    st->rough = false;
    return code;
}

/* Continuation in the stiffness of contacts, each stage guessed from the one before: the equations
 * of a stiff heap with friction have kinks very close to each other, those of a soft one do not. */
static int soften(ts_stepper *st, double h, int *iterations) {
    begin(st, h);
    double stiff = ts_contacts_grip(&st->step) / SOFT;
    if (!(SOFT * stiff > TS_STIFF)) return TORSOR_RETRY;
    int stages = (int)fmax(1, ceil(log(stiff) / log(STAGE))), code = 0;
    guess(st, TS_FROM_VELOCITY);
    st->softens = true;
    for (int k = stages; k >= 0 && !code; k--) {
        ts_contacts_soften(&st->step, pow(stiff, -(double)k / stages));
        st->tangent.stale = true;
        code = ts_solve_step(st, TS_BOLD, iterations);
    }
    ts_contacts_soften(&st->step, 1);
    st->softens = code == 0;
    return code;
}

/* Halving does not help beyond a limit point of the load: statics has another remedy. */
static bool spent(const ts_stepper *st, const ts_step_result *result) {
    return st->scheme->path && result->iterations > STATIC_BUDGET * st->options.max_iterations;
}

/* Should a remedy for a step in time be tried? One that failed twice in a row is skipped the next
 * time, and twice as often each time that it fails again. */
static bool is_promising(ts_stepper *st, int which) {
    ts_remedy *x = &st->remedy[which];
    if (!st->scheme->in_time || x->skip == 0) return true;
    x->skip--;
    st->hasty = true;
    return false;
}

static int note_remedy(ts_stepper *st, int which, int code) {
    enum { SURE = 2, MOST = 7 };
    ts_remedy *x = &st->remedy[which];
    x->vain = code == 0 ? 0 : x->vain < MOST ? x->vain + 1 : MOST;
    x->skip = x->vain < SURE ? 0 : 1 << (x->vain - SURE);
    return code;
}

static int try_growth(ts_stepper *st, double h, int *iterations) {
    if (!st->scheme->in_time || !is_promising(st, TS_GROWTH)) return TORSOR_RETRY;
    return note_remedy(st, TS_GROWTH, grow(st, h, iterations));
}

static int try_again(ts_stepper *st, double h, ts_temper temper, int *iterations) {
    int which = temper == TS_FULL ? TS_NEW_TANGENTS : TS_CAUTION;
    if (!is_promising(st, which)) return TORSOR_RETRY;
    return note_remedy(st, which, attempt(st, h, temper, iterations));
}

/* Solves the step as a whole, trying one remedy after the other. A cautious attempt comes last: it
 * succeeds in one of twenty cases in which the others fail. */
static int solve_whole(ts_stepper *st, double h, int depth, int *iterations) {
    bool soft = st->softens && ts_has_kinks(st);
    int code = soft ? soften(st, h, iterations) : TORSOR_RETRY;
    if (code > 0) code = attempt(st, h, TS_BOLD, iterations);
    if (code > 0 && !soft && ts_has_kinks(st)) code = soften(st, h, iterations);
    if (code > 0 && ts_has_kinks(st)) code = break_late(st, h, iterations);
    if (code > 0) code = try_again(st, h, TS_FULL, iterations);
    if (code > 0 && depth == 0) code = try_growth(st, h, iterations);
    return code > 0 ? try_again(st, h, TS_CAUTIOUS, iterations) : code;
}

static int try_whole_again(ts_stepper *st, double h, const ts_backup *b, int *iterations) {
    if (!is_promising(st, TS_WHOLE_AGAIN)) return TORSOR_RETRY;
    return note_remedy(st, TS_WHOLE_AGAIN, retry_whole(st, h, b, iterations));
}

static int advance(ts_stepper *st, double h, int depth, ts_step_result *result) {
    st->report.refused = -1;
    bool far = depth < st->options.max_cuts && st->model->windows_count && ts_slides_far(st, h);
    int code = far ? TORSOR_RETRY : solve_whole(st, h, depth, &result->iterations);
    if (code == 0) {
        ts_commit(st);
        return 0;
    }
    if (code < 0 || depth >= st->options.max_cuts || spent(st, result)) return code;
    ts_backup *b = &st->backup[depth];
    ts_ledger ledger = st->system->ledger;
    save(st, &b->start);
    int cuts = result->cuts;
    code = advance(st, 0.5 * h, depth + 1, result);
    if (code == 0) code = advance(st, 0.5 * h, depth + 1, result);
    if (code) {
        ts_state_copy(st->model, &st->system->state, &b->start);
        st->system->ledger = ledger;
        return code;
    }
    save(st, &b->end);
    ts_ledger ledger_halves = st->system->ledger;
    ts_state_copy(st->model, &st->system->state, &b->start);
    st->system->ledger = ledger;
    if (!far && try_whole_again(st, h, b, &result->iterations) == 0) {
        result->cuts = cuts;
        ts_commit(st);
        return 0;
    }
    ts_state_copy(st->model, &st->system->state, &b->end);
    st->system->ledger = ledger_halves;
    result->cuts++;
    return 0;
}

void ts_forget_remedies(ts_stepper *st) {
    for (int i = 0; i < TS_REMEDIES; i++) st->remedy[i] = (ts_remedy){0};
}

/* Solves the step in parts, to resolve impacts. On failure the state is unchanged. */
static int advance_in_parts(ts_stepper *st, double h, ts_step_result *result) {
    const ts_state *state = &st->system->state;
    ts_ledger ledger = st->system->ledger;
    double end = state->t + h, left = h;
    int code = 0, parts = 0;
    if (!st->step.contacts || !ts_contacts_cut(&st->step)) return advance(st, h, 0, result);
    save(st, &st->whole);
    for (; !code && left > 0; parts++) {
        st->step.h = left;
        if (ts_contacts_begin(&st->step)) ts_drop_matrix(&st->eq), st->tangent.stale = true;
        double part = ts_resolved_step(&st->step, left);
        code = advance(st, part, 0, result);
        left = part < left ? end - state->t : 0;
    }
    result->cuts += parts - 1;
    if (!code) return 0;
    ts_state_copy(st->model, &st->system->state, &st->whole);
    st->system->ledger = ledger;
    return code;
}

/* Tries again with all remedies before a run ends because some were skipped. */
static int advance_by_all_means(ts_stepper *st, double h, ts_step_result *result) {
    st->hasty = false;
    int code = advance_in_parts(st, h, result);
    if (code <= 0 || !st->hasty) return code;
    ts_forget_remedies(st);
    return advance_in_parts(st, h, result);
}

/* ---- reports ---- */

/* The row with the largest violation beyond round-off; -1: all are satisfied. */
static int worst_row(const ts_stepper *st) {
    double largest = 1e-9 * st->system->far;
    int worst = -1, first = st->scheme->stages * st->system->dofs;
    for (int r = 0; r < st->model->rows_count; r++) {
        int eq = st->system->row_eq[r];
        double open = eq < 0 ? 0 : fabs(st->eq.R[first + eq]) / st->eq.row_size[r];
        if (open <= largest) continue; /* NaN counts */
        largest = open, worst = r;
    }
    return worst;
}

static int worst_node(const ts_stepper *st, bool *moment) {
    double largest = -1;
    int worst = 0;
    for (int n = 0; n < st->model->nodes_count; n++) {
        int dof = st->system->node_dof[n], nd = ts_node_dofs(&st->model->nodes[n]);
        for (int i = 0; dof >= 0 && i < nd; i++) {
            if (fabs(st->eq.R[dof + i]) <= largest) continue;
            largest = fabs(st->eq.R[dof + i]), worst = n, *moment = i >= 3;
        }
    }
    return worst;
}

/* Describes the equation that failed: an open row first, because forces diverge after it opens.
 * Returns the part. */
const char *ts_worst_residual(const ts_stepper *st, char *text, size_t size) {
    const ts_model *model = st->model;
    int row = worst_row(st);
    bool moment = false;
    if (row >= 0) {
        const ts_part *part = &model->parts[model->sites[model->rows[row].site].part];
        snprintf(text, size, "'%s', %s", part->name, model->rows[row].label);
        return part->name;
    }
    int worst = worst_node(st, &moment);
    const char *name = model->parts[model->nodes[worst].part].name;
    char pair[200] = "";
    if (model->nodes[worst].variable) {
        snprintf(text, size, "the equation of '%s'", name);
        return name;
    }
    bool touches = ts_contacts_blame(&st->step, worst, pair, sizeof pair);
    snprintf(text, size, "the balance of %s of '%s'%s%s", moment ? "moments" : "forces", name,
             touches ? ", where " : "", pair);
    return name;
}

/* Is the response of a law, or the value of a row, finite, both if nothing moves and if everything
 * continues at its present velocity until the end of the requested step? */
static bool finite_response(const ts_stepper *st, const ts_site *site, bool ahead) {
    double e[TS_MAX_FORMS], rate[TS_MAX_FORMS] = {0};
    double h = ahead ? st->asked.t_last - st->step.t_i : 0;
    ts_response r = {0};
    if (ahead) ts_site_rates(st->model, site, st->step.q_i, st->step.v_i, rate);
    for (int k = 0; k < site->forms; k++) e[k] = st->step.e_i[site->form + k] + h * rate[k];
    if (site->rowlaw) {
        ts_row_response row;
        ts_respond_row(&st->step, site, e, &row);
        return isfinite(row.y);
    }
    ts_respond(&st->step, site, e, &r);
    for (int k = 0; k < site->forms; k++)
        if (!isfinite(r.s[k])) return false;
    return true;
}

/* The part that returns a value that is not finite, at the end of the step last tried; -1: none. */
static int not_finite(const ts_stepper *st) {
    const ts_model *model = st->model;
    for (int i = 0; i < model->loads_count; i++) {
        v3 f = v3_add(st->step.load[i].mean, st->step.load[i].change);
        if (!isfinite(f.x + f.y + f.z)) return model->loads[i].part;
    }
    for (int i = 0; i < model->pressures_count; i++)
        if (!isfinite(st->step.pressure[i])) return model->pressures[i].part;
    for (int r = 0; r < model->rows_count; r++)
        if (!isfinite(st->step.u_f[r] + st->step.du[r]))
            return model->sites[model->rows[r].site].part;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        if (site->role != TS_ROLE_LAW && !site->rowlaw) continue;
        for (int ahead = 0; ahead < 2; ahead++)
            if (!finite_response(st, site, ahead)) return site->part;
    }
    return -1;
}

/* Tries the scheme's own rescue, when halving does not help. */
static int rescue(ts_stepper *st, ts_step_result *result) {
    ts_backup *b = &st->backup[0];
    ts_ledger ledger = st->system->ledger;
    save(st, &b->start);
    int code = st->scheme->rescue(st, &result->iterations);
    if (!code) return 0;
    ts_state_copy(st->model, &st->system->state, &b->start);
    st->system->ledger = ledger;
    return code;
}

/* Sets what an engine stores from step to step, before the first one. */
static int start_engine(ts_stepper *st, double h) {
    if (!st->scheme->engine || st->system->state.step > 0) return 0;
    begin(st, h);
    begin_unknowns(st);
    return st->scheme->engine->initial(st);
}

/* The time of statics is the load factor. */
static void tell_lost(const ts_stepper *st, double h, const char *who) {
    bool halved = st->options.max_cuts > 0;
    double t = st->system->state.t, least = ldexp(h, -st->options.max_cuts);
    if (st->system->still)
        ts_fail(TORSOR_EDIVERGED,
                "no convergence beyond load factor %.9g, %s %.3g; the largest residual is in %s", t,
                halved ? "even with increments halved to" : "with increments of", least, who);
    else
        ts_fail(TORSOR_EDIVERGED,
                "no convergence at t = %.9g s, %s %.3g s; the largest residual is in %s", t,
                halved ? "even with steps halved to" : "with steps of", least, who);
}

int ts_stepper_step(ts_stepper *st, double h, ts_step_result *result) {
    memset(result, 0, sizeof *result);
    st->report.lost = false;
    st->report.factorisations = 0, st->report.unsolved = st->report.residual = 0;
    int64_t step = st->system->state.step;
    st->asked.t_first = st->system->state.t, st->asked.t_last = st->asked.t_first + h;
    int code = ts_slides_check(st);
    if (!code) code = start_engine(st, h);
    if (code) return code;
    code = advance_by_all_means(st, h, result);
    if (code > 0 && st->scheme->rescue) code = rescue(st, result), result->rescued = !code;
    if (st->model->windows_count) ts_slides_begin(st); /* halves may have changed windows */
    result->factorisations = st->report.factorisations;
    result->unsolved = st->report.unsolved, result->residual = st->report.residual;
    if (code == 0) {
        st->system->state.step = step + 1;
        return 0;
    }
    if (code == TORSOR_EINTERRUPTED) return ts_fail(code, "interrupted within a step");
    if (ts_fail_unbounded(st->system, st->asked.t_last) ||
        ts_fail_unbounded(st->system, st->step.t_f) ||
        ts_fail_unbounded(st->system, st->asked.t_first))
        return TORSOR_EDIVERGED;
    int part = not_finite(st);
    if (part >= 0) return ts_fail_not_finite(st->model, part, st->step.t_f);
    if (st->report.refused >= 0) return ts_fail_inadmissible(st, st->step.t_f);
    st->report.lost = true;
    char who[400] = "the equations";
    const char *name = ts_worst_residual(st, who, sizeof who);
    tell_lost(st, h, who);
    return ts_blame(TORSOR_EDIVERGED, name, st->system->state.t);
}
