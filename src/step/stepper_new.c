/* The life of a stepper: all memory that a step needs, the pattern of its matrix, and what it forgets. See stepper.h. */
#include <stdlib.h>

#include "base/error.h"
#include "step/stepper.h"

static double *ambient_array(const ts_model *model) {
    return ts_calloc((size_t)(3 * model->slots), sizeof(double));
}

static void allocate_fields(ts_stepper *st) {
    const ts_model *model = st->model;
    size_t nodes = (size_t)model->nodes_count, rows = (size_t)model->rows_count + 1;
    double **ambient[] = {&st->dq, &st->q_f, &st->q_m, &st->v_f, &st->v_m, &st->a, &st->F, &st->Fs};
    for (size_t i = 0; i < sizeof ambient / sizeof *ambient; i++)
        *ambient[i] = ambient_array(model);
    double **per_row[] = {&st->lambda, &st->kappa,   &st->u_i,        &st->u_f,
                          &st->du,     &st->regular, &st->row_weight, &st->row_size};
    for (size_t i = 0; i < sizeof per_row / sizeof *per_row; i++)
        *per_row[i] = ts_calloc(rows, sizeof(double));
    st->dx = ts_calloc(nodes, sizeof *st->dx);
    st->turn = ts_calloc(nodes, sizeof *st->turn);
    st->node_regular = ts_calloc(2 * nodes, sizeof(double));
    st->stage = ts_calloc(6 * nodes, sizeof(double));
    st->Ta = ts_calloc(27 * nodes, sizeof(double));
    st->PE = ts_calloc(27 * nodes, sizeof(double));
    st->e_i = ts_calloc((size_t)model->forms_count + 1, sizeof(double));
    st->edot_i = ts_calloc((size_t)model->forms_count + 1, sizeof(double));
    st->stress = ts_calloc((size_t)model->forms_count + 1, sizeof(double));
    st->load = ts_calloc((size_t)model->loads_count + 1, sizeof *st->load);
    st->pressure = ts_calloc((size_t)model->pressures_count + 1, sizeof *st->pressure);
    st->K_first = ts_calloc((size_t)model->sites_count + 1, sizeof(int));
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        bool wanted = site->role == TS_ROLE_LAW &&
                      (st->scheme->engine || (st->scheme->stages == 2 && !site->law->stage));
        int m = wanted ? site->forms : 0;
        st->K_first[i + 1] = st->K_first[i] + m * m;
    }
    st->K = ts_calloc((size_t)st->K_first[model->sites_count] + 1, sizeof(double));
}

static ts_stepper *bare_stepper(ts_system *system, const ts_scheme *scheme,
                                const ts_step_options *options) {
    ts_stepper *st = ts_calloc(1, sizeof *st);
    st->system = system, st->model = system->model, st->scheme = scheme, st->options = *options;
    st->alpha = (1 - options->rho_inf) / (1 + options->rho_inf);
    st->refused = -1;
    st->q_i = system->state.q, st->v_i = system->state.v;
    st->n = scheme->stages * (system->dofs + system->rows);
    st->R = ts_calloc((size_t)st->n + 1, sizeof(double));
    st->delta = ts_calloc((size_t)st->n + 1, sizeof(double));
    st->saved = ts_calloc((size_t)st->n + 1, sizeof(double));
    st->other = ts_calloc((size_t)st->n + 1, sizeof(double));
    st->threads = options->threads > 1 ? options->threads : 1;
    st->dense = ts_calloc((size_t)st->threads * TS_MAX_WIDTH * TS_MAX_WIDTH, sizeof(double));
    allocate_fields(st);
    ts_set_regular(st);
    st->backup = ts_calloc((size_t)options->max_cuts + 1, sizeof *st->backup);
    return st;
}

/* Without inertia the diagonal is no good: a part that only its joints hold is singular before their rows come in. With inertia it
 * nearly always is; not of a thin rod that may spin about its line, whose moment of inertia there is next to nothing. */
static const double STATIC_PIVOTING = 0.1, PIVOTING = 1e-4;

void ts_set_pivoting(ts_stepper *st) {
    ts_lu_pivoting(st->lu, st->scheme->statics ? STATIC_PIVOTING : PIVOTING);
}

/* The pattern is found on a stepper of its own, because it fills all fields with arbitrary numbers. */
void ts_build_matrix(ts_stepper *st) {
    ts_stepper *probe = bare_stepper(st->system, st->scheme, &st->options);
    int groups, *group = ts_row_groups(probe, &groups);
    st->A = probe->A = ts_sparse_new(probe->n);
    ts_find_pattern(probe);
    st->lu = ts_lu_new(st->A, groups, group);
    ts_lu_choose(st->lu, st->options.solver);
    if (st->effort) ts_lu_watch(st->lu, &st->effort->linear);
    ts_set_pivoting(st);
    free(group);
    probe->A = NULL;
    ts_stepper_free(probe);
}

/* Elements of the matrix: those of the model, nodes that move, loads that follow. */
static int *number_node_elements(const ts_system *system, int first) {
    const ts_model *model = system->model;
    int *element = ts_calloc((size_t)model->nodes_count, sizeof *element);
    for (int n = 0, next = first; n < model->nodes_count; n++)
        element[n] = system->node_dof[n] >= 0 ? next++ : -1;
    return element;
}

int ts_stepper_new(ts_stepper **out, ts_system *system, const ts_scheme *scheme,
                   const ts_step_options *options) {
    ts_stepper *st = bare_stepper(system, scheme, options);
    st->schedule = ts_schedule_new(st->model);
    st->node_element = number_node_elements(system, st->schedule->elements);
    st->volume = ts_calloc((size_t)st->schedule->elements + 1, sizeof *st->volume);
    ts_held_new(st);
    int code = 0;
    if (scheme->engine)
        code = scheme->engine->open(st);
    else if (scheme->stand_in)
        ts_short_new(&st->quick, st);
    else
        ts_build_matrix(st);
    if (code)
        ts_stepper_free(st), st = NULL;
    else
        ts_stepper_forget(st);
    *out = st;
    return code;
}

void ts_stepper_free(ts_stepper *st) {
    if (!st) return;
    void *arrays[] = {st->dq,
                      st->q_f,
                      st->q_m,
                      st->v_f,
                      st->v_m,
                      st->a,
                      st->F,
                      st->Fs,
                      st->lambda,
                      st->kappa,
                      st->u_i,
                      st->u_f,
                      st->du,
                      st->dx,
                      st->turn,
                      st->stage,
                      st->Ta,
                      st->PE,
                      st->e_i,
                      st->edot_i,
                      st->load,
                      st->K_first,
                      st->K,
                      st->R,
                      st->delta,
                      st->saved,
                      st->dense,
                      st->regular,
                      st->node_regular,
                      st->row_weight,
                      st->row_size,
                      st->stress,
                      st->other,
                      st->pressure,
                      st->node_element,
                      st->held_site,
                      st->volume,
                      st->relief,
                      st->pull};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    for (int i = 0; i <= st->options.max_cuts; i++) {
        ts_state_free(&st->backup[i].start);
        ts_state_free(&st->backup[i].end);
    }
    free(st->backup);
    ts_sparse_free(st->A);
    ts_lu_free(st->lu);
    ts_short_free(st->quick);
    ts_schedule_free(st->schedule);
    if (st->scheme->engine) st->scheme->engine->close(st);
    free(st);
}

void ts_stepper_watch(ts_stepper *st, ts_effort *effort) {
    ts_lu_times *times = effort ? &effort->linear : NULL;
    st->effort = effort;
    ts_lu_watch(st->lu, times);
    if (st->quick) ts_lu_watch(ts_short_lu(st->quick), times);
}

static const ts_lu *main_lu(const ts_stepper *st) {
    return st->quick ? ts_short_lu(st->quick) : st->lu;
}

/* Engines have a matrix of their own, always KLU's. */
const char *ts_stepper_solver(const ts_stepper *st) {
    return main_lu(st) ? ts_lu_solver(main_lu(st)) : "klu";
}

int ts_stepper_unknowns(const ts_stepper *st) { return st->n / st->scheme->stages; }

void ts_stepper_load_factor(ts_stepper *st, double start, double end) {
    st->factor_i = start, st->factor_f = end;
}

void ts_stepper_forget(ts_stepper *st) {
    st->factored_h = 0;
    st->stale = true;
    st->noise = 0;
    st->use_quick = st->quick != NULL, st->patience = 0;
    ts_lu_forget(st->lu);
    if (st->quick) ts_short_forget(st->quick);
    if (st->own) st->scheme->engine->forget(st);
    ts_set_regular(st); /* it depends on the positions: a restart must find the same */
}
