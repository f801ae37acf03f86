/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a stepper: all memory that a step needs, the pattern of its matrix, and what it
 * forgets. See stepper.h. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "step/stepper.h"

/* Arrays of a step by their size, and those that only some schemes have. */
static void allocate_fields(ts_step *st, const ts_scheme *scheme) {
    const ts_model *model = st->model;
    size_t nodes = (size_t)model->nodes_count, rows = (size_t)model->rows_count + 1;
    size_t ambient = (size_t)(3 * model->slots), forms = (size_t)model->forms_count + 1;
    double **all[] = {&st->dq, &st->q_f, &st->q_m, &st->v_f, &st->v_m, &st->F, &st->Fs};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = ts_calloc(ambient, sizeof(double));
    double **per_row[] = {&st->lambda, &st->kappa, &st->u_i, &st->u_f, &st->du};
    for (size_t i = 0; i < sizeof per_row / sizeof *per_row; i++)
        *per_row[i] = ts_calloc(rows, sizeof(double));
    double **per_form[] = {&st->e_i, &st->edot_i};
    for (size_t i = 0; i < sizeof per_form / sizeof *per_form; i++)
        *per_form[i] = ts_calloc(forms, sizeof(double));
    if (scheme->stages == 2 || scheme->engine) st->a = ts_calloc(ambient, sizeof(double));
    if (scheme->accelerations) st->acceleration = ts_calloc(ambient, sizeof(double));
    if (scheme->path) st->statics.stress = ts_calloc(forms, sizeof(double));
    if (scheme->path) st->statics.force = ts_calloc(ambient, sizeof(double));
    if (scheme->stages == 2) st->Ta = ts_calloc(27 * nodes, sizeof(double));
    if (scheme->stages == 2) st->PE = ts_calloc(27 * nodes, sizeof(double));
    st->dx = ts_calloc(nodes, sizeof *st->dx);
    st->turn = ts_calloc(nodes, sizeof *st->turn);
    st->stage = ts_calloc(6 * nodes, sizeof(double));
    st->load = ts_calloc((size_t)model->loads_count + 1, sizeof *st->load);
    st->pressure = ts_calloc((size_t)model->pressures_count + 1, sizeof *st->pressure);
}

static void allocate_stiffness(ts_step *st, const ts_scheme *scheme) {
    const ts_model *model = st->model;
    st->K_first = ts_calloc((size_t)model->sites_count + 1, sizeof(int));
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        bool wanted = site->role == TS_ROLE_LAW &&
                      (scheme->engine || (scheme->stages == 2 && !site->law->stage));
        int m = wanted ? site->forms : 0;
        st->K_first[i + 1] = st->K_first[i] + m * m;
    }
    st->K = ts_calloc((size_t)st->K_first[model->sites_count] + 1, sizeof(double));
}

void ts_step_new(ts_step *st, ts_system *system, const ts_scheme *scheme, double rho_inf) {
    *st = (ts_step){.system = system,
                    .model = system->model,
                    .alpha = (1 - rho_inf) / (1 + rho_inf),
                    .mean = scheme->mean,
                    .q_i = system->state.q,
                    .v_i = system->state.v};
    allocate_fields(st, scheme);
    allocate_stiffness(st, scheme);
}

void ts_step_clear(ts_step *st) {
    void *arrays[] = {st->dx,
                      st->turn,
                      st->stage,
                      st->lambda,
                      st->kappa,
                      st->dq,
                      st->q_f,
                      st->q_m,
                      st->v_f,
                      st->v_m,
                      st->a,
                      st->F,
                      st->Fs,
                      st->acceleration,
                      st->Ta,
                      st->PE,
                      st->e_i,
                      st->edot_i,
                      st->K,
                      st->K_first,
                      st->u_i,
                      st->u_f,
                      st->du,
                      st->load,
                      st->pressure,
                      st->statics.stress,
                      st->statics.force,
                      st->statics.relief,
                      st->statics.pull};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    *st = (ts_step){0};
}

/* Increments are measured as displacement over the size of the model, and as rotation; multipliers
 * do not count. */
static void set_measure(ts_equations *eq) {
    const ts_system *system = eq->step->system;
    for (int n = 0; n < eq->step->model->nodes_count; n++) {
        const ts_node *node = &eq->step->model->nodes[n];
        int dof = system->node_dof[n];
        for (int k = 0; k < ts_node_dofs(node) && dof >= 0; k++)
            for (int s = 0; s < eq->scheme->stages; s++)
                eq->measure[s * system->dofs + dof + k] =
                    k >= 3           ? 1
                    : node->variable ? 0
                                     : 1 / (system->length * system->length);
    }
}

void ts_equations_new(ts_equations *eq, const ts_scheme *scheme, ts_step *step,
                      const ts_team *team) {
    size_t rows = (size_t)step->model->rows_count + 1, nodes = (size_t)step->model->nodes_count;
    *eq = (ts_equations){.scheme = scheme,
                         .step = step,
                         .team = team,
                         .n = scheme->stages * (step->system->dofs + step->system->rows)};
    double **vectors[] = {&eq->R, &eq->delta, &eq->saved, &eq->other, &eq->measure};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = ts_calloc((size_t)eq->n + 1, sizeof(double));
    double **per_row[] = {&eq->regular, &eq->row_weight, &eq->row_size};
    for (size_t i = 0; i < sizeof per_row / sizeof *per_row; i++)
        *per_row[i] = ts_calloc(rows, sizeof(double));
    eq->node_regular = ts_calloc(2 * nodes, sizeof(double));
    set_measure(eq);
    eq->secant = ts_secant_new(eq->n, eq->measure);
    ts_set_regular(eq);
}

void ts_equations_clear(ts_equations *eq) {
    double *arrays[] = {eq->R,          eq->delta,    eq->saved,        eq->other,  eq->regular,
                        eq->row_weight, eq->row_size, eq->node_regular, eq->measure};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    ts_secant_clear(&eq->secant);
    ts_drop_matrix(eq);
    *eq = (ts_equations){0};
}

void ts_drop_matrix(ts_equations *eq) {
    ts_sparse_free(eq->A);
    ts_lu_free(eq->lu);
    ts_condensation_free(eq->inner);
    eq->A = NULL, eq->lu = NULL, eq->inner = NULL;
}

/* Without inertia, pivots may not stay on the diagonal: a part that only its joints hold is
 * singular before their rows are eliminated. With inertia they nearly always may; an exception is a
 * thin rod that can spin about its axis, whose moment of inertia there is almost zero. */
static const double PIVOTING_WITHOUT = 0.1, PIVOTING = 1e-4;

void ts_set_pivoting(ts_equations *eq) {
    ts_lu_pivoting(eq->lu, eq->scheme->inertia ? PIVOTING : PIVOTING_WITHOUT);
}

/* Residual of an inexact linear solution, as a share of Newton's residual. At this accuracy the
 * error of an increment is as small as that of a usual tangent, and the next increment corrects
 * both. Its cube is below the tolerances of steps, so three iterations of Newton's method are
 * enough with a good tangent. With 1e-4 a fourth one is sometimes needed because the third just
 * fails. */
static const double INEXACT = 3e-5;
static const double FEW = 0.02; /* of the nodes: those that need not be points of a solid */

/* Are all nodes points with mass, apart from a few frames, bodies and directors? */
static bool is_solid(const ts_model *model) {
    int points = 0, others = 0;
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        if (node->fixed || node->inner) continue;
        if (node->kind == TS_NODE_POINT && node->mass[0][0] > 0)
            points++;
        else
            others++;
    }
    return others <= FEW * points;
}

/* Is the model a heap, bodies that touch with few joints between them? Then nearly all diagonals
 * have inertia. */
static bool is_heap(const ts_model *model) {
    return model->contacts_count > 0 && model->rows_count <= FEW * model->nodes_count;
}

/* The pattern is found on a separate set of fields filled with arbitrary numbers. */
static ts_sparse *pattern_of(const ts_equations *eq) {
    ts_step fields;
    ts_equations probe;
    ts_step_new(&fields, eq->step->system, eq->scheme, 0);
    fields.alpha = eq->step->alpha, fields.contacts = eq->step->contacts;
    ts_equations_new(&probe, eq->scheme, &fields, eq->team);
    probe.inner = eq->inner;
    ts_sparse *A = probe.A = ts_sparse_new(eq->inner ? eq->inner->n : probe.n);
    ts_find_pattern(&probe);
    probe.A = NULL, probe.inner = NULL;
    ts_equations_clear(&probe);
    ts_step_clear(&fields);
    return A;
}

void ts_build_matrix(ts_equations *eq, const char *solver, double **z) {
    eq->inner = eq->whole ? NULL : ts_condensation_new(eq);
    eq->A = pattern_of(eq);
    int groups, *group = ts_row_groups(eq, &groups);
    if (eq->inner) ts_condense_groups(eq->inner, eq->n, group);
    eq->lu = z ? ts_lu_new_complex(eq->A, groups, group, z) : ts_lu_new(eq->A, groups, group);
    ts_lu_suits suits = is_heap(eq->step->model)    ? TS_LU_LOOSE
                        : is_solid(eq->step->model) ? TS_LU_SOLID
                                                    : TS_LU_OTHER;
    if (eq->scheme->inertia) ts_lu_approximate(eq->lu, INEXACT, suits);
    ts_lu_threads(eq->lu, eq->team->threads);
    ts_lu_choose(eq->lu, solver);
    if (eq->effort) ts_lu_watch(eq->lu, &eq->effort->linear);
    ts_set_pivoting(eq);
    free(group);
}

static int refuse_contacts(ts_stepper **out, const ts_scheme *scheme) {
    *out = NULL;
    return ts_fail(
        TORSOR_EINVAL,
        "contacts act with EP, ED and in statics, not with %s: take `contacts` out of the "
        "model, or choose EP or ED",
        scheme->name);
}

/* Engines keep the pattern of their equations. */
static int refuse_slides(ts_stepper **out, const ts_scheme *scheme) {
    *out = NULL;
    return ts_fail(TORSOR_EINVAL,
                   "what slides along beams and cables needs EP, ED or statics, not %s: choose EP "
                   "or ED",
                   scheme->name);
}

static void note_nodes(ts_stepper *st) {
    st->frames = true;
    for (int n = 0; n < st->model->nodes_count; n++) {
        const ts_node *node = &st->model->nodes[n];
        st->variables |= node->variable;
        st->frames &= node->kind == TS_NODE_FRAME || node->fixed;
    }
}

int ts_stepper_new(ts_stepper **out, ts_system *system, const ts_scheme *scheme,
                   const ts_step_options *options) {
    if (system->model->windows_count && scheme->engine) return refuse_slides(out, scheme);
    if (system->model->contacts_count && !scheme->in_time && !scheme->path)
        return refuse_contacts(out, scheme);
    ts_stepper *st = ts_calloc(1, sizeof *st);
    st->system = system, st->model = system->model, st->scheme = scheme, st->options = *options;
    ts_step_new(&st->step, system, scheme,
                ts_parameter_value(&options->parameters, scheme, "rho_inf", 0));
    st->step.contacts = ts_contacts_new(system->model);
    ts_exactness_begin(&st->exactness, system->model);
    note_nodes(st);
    ts_team_new(&st->team, system, options->threads);
    ts_equations_new(&st->eq, scheme, &st->step, &st->team);
    st->eq.whole = options->whole;
    st->asked.factor_i = st->asked.factor_f = scheme->path ? 0 : 1;
    st->report.refused = -1;
    st->report.volume = ts_calloc((size_t)st->team.schedule->elements + 1, sizeof(ts_volume));
    if (st->team.threads > 1)
        st->report.stored = ts_calloc((size_t)st->model->sites_count + 1, sizeof(double));
    st->backup = ts_calloc((size_t)options->max_cuts + 1, sizeof *st->backup);
    for (int n = 0; n < st->model->nodes_count; n++)
        st->largest_mass = fmax(st->largest_mass, st->model->nodes[n].mass[0][0]);
    ts_held_new(st);
    if (scheme->in_time && !scheme->engine) {
        ts_history_new(&st->history, system->model);
        ts_turning_new(&st->turning, system->model);
    }
    int code = 0;
    if (scheme->engine)
        code = scheme->engine->open(st);
    else if (scheme->stand_in && !st->step.contacts) /* its tangent only knows stages */
        ts_short_new(&st->quick, st);
    else
        ts_build_matrix(&st->eq, options->solver, NULL);
    if (code)
        ts_stepper_free(st), st = NULL;
    else
        ts_stepper_forget(st);
    *out = st;
    return code;
}

void ts_stepper_free(ts_stepper *st) {
    if (!st) return;
    if (st->scheme->engine) st->scheme->engine->close(st);
    for (int i = 0; i <= st->options.max_cuts; i++) {
        ts_state_free(&st->backup[i].start);
        ts_state_free(&st->backup[i].end);
    }
    ts_state_free(&st->whole);
    free(st->backup), free(st->report.volume), free(st->report.stored), free(st->held.site);
    ts_short_free(st->quick);
    ts_history_clear(&st->history);
    ts_turning_clear(&st->turning);
    ts_equations_clear(&st->eq);
    ts_team_clear(&st->team);
    ts_contacts_free(st->step.contacts);
    ts_step_clear(&st->step);
    free(st);
}

void ts_stepper_watch(ts_stepper *st, ts_effort *effort) {
    st->eq.effort = effort;
    ts_lu_watch(st->eq.lu, effort ? &effort->linear : NULL);
    if (st->quick) ts_short_watch(st->quick, effort);
}

static const ts_lu *main_lu(const ts_stepper *st) {
    return st->quick ? ts_short_lu(st->quick) : st->eq.lu;
}

/* Engines have a matrix of their own, always KLU's. */
const char *ts_stepper_solver(const ts_stepper *st) {
    return main_lu(st) ? ts_lu_solver(main_lu(st)) : "klu";
}

bool ts_stepper_lost(const ts_stepper *st) { return st->report.lost; }

int ts_stepper_unknowns(const ts_stepper *st) {
    const ts_equations *eq = st->quick ? ts_short_equations(st->quick) : &st->eq;
    return eq->inner ? eq->inner->n : eq->n / eq->scheme->stages;
}

void ts_stepper_load_factor(ts_stepper *st, double start, double end) {
    st->asked.factor_i = start, st->asked.factor_f = end;
}

void ts_stepper_forget(ts_stepper *st) {
    st->tangent.has_short = st->quick != NULL;
    ts_forget_tangent(&st->tangent);
    ts_history_forget(&st->history);
    st->exactness.rate = 0;
    ts_lu_forget(st->eq.lu);
    if (st->quick) ts_lu_forget(ts_short_lu(st->quick));
    if (st->own) st->scheme->engine->forget(st);
    ts_contacts_forget(st->step.contacts);
    st->softens = false;
    ts_forget_remedies(st);
    ts_set_regular(&st->eq); /* depends on the positions: a restart must reproduce it */
}
