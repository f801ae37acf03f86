/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes for the tests of schemes: a model written in YAML, its system and a stepper; what a step
 * must keep; and the tangent of a step against differences.
 */
#ifndef TS_SCENE_H
#define TS_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/document.h"
#include "step/newton/exactness.h"
#include "study/study.h"

#define SCENE_HEAD "torsor: 1\nunits: SI\n"

typedef struct scene {
    ts_document *document;
    ts_model *model;
    ts_system *system;
    ts_stepper *st;
    double energy; /* largest energy or exchange seen: what the balance is measured against */
} scene;

/* ---- chance, the same in every run ---- */

static uint64_t scene_seed = 88172645463325252u;

static inline double chance(void) { /* in (-1, 1) */
    scene_seed ^= scene_seed << 13, scene_seed ^= scene_seed >> 7, scene_seed ^= scene_seed << 17;
    return (double)(int64_t)scene_seed / 9.3e18;
}

static inline v3 chance_vector(void) {
    double x = chance(), y = chance();
    return v3_make(x, y, chance());
}

/* ---- assertions ---- */

static inline void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g (%.2g off)", a, b, a - b);
}

static inline void assert_below(const char *what, double value, double limit) {
    if (!(value <= limit)) fail_msg("%s: %.3g, allowed %.3g", what, value, limit);
}

/* With TORSOR_TEST_VERBOSE in the environment, tests print what they measure. */
static inline void measured(const char *what, const char *scheme, double rho, double value) {
    if (getenv("TORSOR_TEST_VERBOSE"))
        fprintf(stderr, "    %-34s %s %.1f  %.2e\n", what, scheme, rho, value);
}

/* A model as text, until the next one is written. */
enum { SCENE_TEXT = 4000 };
static inline const char *scene_write(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
static inline const char *scene_write(const char *format, ...) {
    static char text[SCENE_TEXT];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length > 0 && length < SCENE_TEXT);
    return text;
}

/* ---- life ---- */

static inline void scene_read(scene *s, const char *text) {
    ts_diagnostics list = {0};
    *s = (scene){0};
    if (ts_document_parse(&s->document, text, strlen(text), "scene.yaml", &list)) {
        ts_diagnostics_print(&list, stderr, false);
        ts_diagnostics_clear(&list);
        fail_msg("the scene cannot be read:\n%s", text);
    }
    ts_diagnostics_clear(&list);
    s->model = s->document->model;
}

/* The reader finds something wrong, and its first message has these words. */
static inline void assert_unreadable(const char *text, const char *words) {
    ts_document *document = NULL;
    ts_diagnostics list = {0};
    assert_true(ts_document_parse(&document, text, strlen(text), "wrong.yaml", &list) != 0);
    assert_true(list.count > 0);
    if (!strstr(list.items[0].message, words))
        fail_msg("%s\nis refused with: %s", text, list.items[0].message);
    ts_diagnostics_clear(&list);
    ts_document_free(document);
}

static inline double scene_energy(const scene *s) {
    const ts_ledger *l = &s->system->ledger;
    double sum = l->kinetic + fabs(l->elastic) + fabs(l->gravity);
    return sum + fabs(l->work_loads) + fabs(l->work_drives) + l->dissipated + l->algorithmic;
}

/* From a model to something that steps. */
static inline void scene_begin(scene *s, const char *scheme, ts_step_options options) {
    assert_int_equal(ts_system_new(&s->system, s->model), 0);
    ts_system_begin(s->system);
    assert_int_equal(ts_stepper_new(&s->st, s->system, ts_scheme_find(scheme), &options), 0);
    s->energy = scene_energy(s);
}

static inline ts_step_options scene_defaults(void) {
    ts_options o;
    ts_options_default(&o);
    o.tolerance = TS_TIGHTEST; /* what is exact is to be so to round-off */
    return ts_step_options_of(&o);
}

/* Of the schemes that have it. */
static inline void scene_rho(ts_step_options *options, const ts_scheme *scheme, double rho) {
    if (ts_parameter_acts(scheme, "rho_inf"))
        assert_int_equal(ts_parameter_set(&options->parameters, scheme, "rho_inf", 7, rho), 0);
}

static inline ts_step_options scene_options(const char *scheme, double rho) {
    ts_step_options options = scene_defaults();
    scene_rho(&options, ts_scheme_find(scheme), rho);
    return options;
}

/* "beta=0.3 rotation=cayley"; NULL: none */
static inline void scene_parameters(ts_step_options *options, const char *scheme,
                                    const char *text) {
    if (ts_parameters_read(&options->parameters, ts_scheme_find(scheme), text))
        fail_msg("%s", torsor_error());
}

static inline void scene_open(scene *s, const char *text, const char *scheme, double rho) {
    scene_read(s, text);
    scene_begin(s, scheme, scene_options(scheme, rho));
}

static inline void scene_end(scene *s) { /* leaves the document */
    ts_stepper_free(s->st);
    ts_system_free(s->system);
    s->st = NULL, s->system = NULL;
}

static inline void scene_close(scene *s) {
    scene_end(s);
    ts_document_free(s->document);
}

static inline ts_step_result scene_step(scene *s, double h) {
    ts_step_result r;
    if (ts_stepper_step(s->st, h, &r)) fail_msg("%s", ts_error_message());
    s->energy = fmax(s->energy, scene_energy(s));
    return r;
}

/* ---- reading ---- */

static inline int scene_part(const scene *s, const char *name) {
    for (int p = 0; p < s->model->parts_count; p++)
        if (strcmp(s->model->parts[p].name, name) == 0) return p;
    fail_msg("there is no %s", name);
    return -1;
}

static inline int scene_slot(const scene *s, const char *body) { /* first number of its slots */
    return 3 * s->model->nodes[s->model->parts[scene_part(s, body)].node].slot;
}

static inline v3 scene_position(const scene *s, const char *body) {
    return v3_load(s->system->state.q + scene_slot(s, body));
}

static inline v3 scene_velocity(const scene *s, const char *body) {
    return v3_load(s->system->state.v + scene_slot(s, body));
}

/* Largest violation of the position rows of all parts. */
static inline double scene_violation(const scene *s) {
    double worst = 0;
    for (int p = 0; p < s->model->parts_count; p++) {
        double position, rate;
        ts_violation(s->system, p, &position, &rate);
        worst = fmax(worst, position);
    }
    return worst;
}

/* ---- the tangent against differences ---- */

/* Sets a step up without solving it: a stepper that is allowed no iteration gives up at once. */
static inline void scene_set_up(scene *s, const char *scheme, double rho, double h) {
    ts_step_options options = {.tolerance = 1e-12};
    ts_step_result r;
    scene_rho(&options, ts_scheme_find(scheme), rho);
    ts_stepper_free(s->st);
    assert_int_equal(ts_stepper_new(&s->st, s->system, ts_scheme_find(scheme), &options), 0);
    assert_int_equal(ts_stepper_step(s->st, h, &r), TORSOR_EDIVERGED);
}

/* The unknowns of a step, moved by `amount` along equation number i (in the units of its column).
 */
static inline void tangent_move(ts_stepper *st, int i, double amount) {
    const ts_system *system = st->system;
    int dofs = system->dofs, all = st->scheme->stages * dofs;
    if (i >= all) {
        int block = (i - all) / system->rows, eq = (i - all) % system->rows;
        for (int r = 0; r < st->model->rows_count; r++)
            if (system->row_eq[r] == eq)
                (block ? st->step.kappa : st->step.lambda)[r] +=
                    amount * st->step.column_scale[2 + block];
        return;
    }
    for (int n = 0; n < st->model->nodes_count; n++) {
        int k = i % dofs - system->node_dof[n];
        if (system->node_dof[n] < 0 || k < 0 || k >= ts_node_dofs(&st->model->nodes[n])) continue;
        double unit[6] = {0}, *stage = st->step.stage + 6 * n + (k < 3 ? 0 : 3);
        unit[k] = amount;
        v3 axis = k < 3 ? v3_load(unit) : ts_node_turn(system, n, unit);
        if (i >= dofs)
            v3_store(stage, v3_axpy(st->step.column_scale[1], axis, v3_load(stage)));
        else if (k < 3)
            st->step.dx[n] = v3_add(st->step.dx[n], axis);
        else
            st->step.turn[n] = quat_mul(quat_exp(axis), st->step.turn[n]);
        st->scheme->refresh(&st->step, n);
    }
}

/* Column i by central differences of fourth order, moving there and back. */
static inline void tangent_difference(ts_stepper *st, int i, double *column) {
    static const double at[] = {-2, -1, 1, 2}, weight[] = {1, -8, 8, -1};
    const double step = 3e-4;
    double position = 0;
    memset(column, 0, (size_t)st->eq.n * sizeof *column);
    for (int k = 0; k < 4; k++) {
        tangent_move(st, i, step * at[k] - position), position = step * at[k];
        ts_residual(&st->eq);
        for (int j = 0; j < st->eq.n; j++) column[j] += weight[k] * st->eq.R[j] / (12 * step);
    }
    tangent_move(st, i, -position);
}

static inline void tangent_column(const ts_stepper *st, int i, double *column) {
    memset(column, 0, (size_t)st->eq.n * sizeof *column);
    for (int k = st->eq.A->start[i]; k < st->eq.A->start[i + 1]; k++)
        column[st->eq.A->row[k]] += st->eq.A->value[k];
    int dofs = st->system->dofs, first = st->scheme->stages * dofs;
    // the regularisation is not part of the equations
    for (int r = 0; i >= first && r < st->model->rows_count; r++)
        if (st->system->row_eq[r] == (i - first) % st->system->rows) column[i] += st->eq.regular[r];
    for (int n = 0; i < first && n < st->model->nodes_count; n++) {
        int k = i % dofs - st->system->node_dof[n];
        if (st->system->node_dof[n] >= 0 && k >= 0 && k < ts_node_dofs(&st->model->nodes[n]))
            column[i] -= st->eq.node_regular[2 * n + (k >= 3)];
    }
}

static inline int tangent_block(const ts_stepper *st, int i) { /* y, stage, lambda, kappa */
    int all = st->scheme->stages * st->system->dofs;
    return i < all ? i / st->system->dofs : 2 + (i - all) / st->system->rows;
}

/* Anything but a solution: displacements, rotations, stage and multipliers by chance. `size`
 * measures them all. */
static inline void tangent_shake(ts_stepper *st, double size) {
    for (int i = 0; i < st->eq.n; i++) tangent_move(st, i, size * chance());
}

/* The matrix, which ED may do without, with the inner unknowns of elements in it. */
static inline void tangent_build(ts_stepper *st) {
    if (st->eq.inner) {
        ts_sparse_free(st->eq.A), ts_lu_free(st->eq.lu), ts_condensation_free(st->eq.inner);
        st->eq.A = NULL, st->eq.lu = NULL;
    }
    st->eq.whole = true;
    if (!st->eq.A) ts_build_matrix(&st->eq, "", NULL);
}

/* Largest difference between matrix and differences, relative to the largest entry of the column
 * within the same block of rows (force and moment balance, stage, rows, rates of rows), but not
 * below a thousandth of that of the whole of these rows. */
static inline double tangent_error(ts_stepper *st) {
    double *exact = calloc((size_t)st->eq.n, sizeof *exact),
           *found = calloc((size_t)st->eq.n, sizeof *found);
    double scale[4] = {0}, worst = 0;
    tangent_build(st);
    ts_residual(&st->eq);
    ts_sparse_zero(st->eq.A);
    ts_assemble_tangent(&st->eq);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < st->eq.n; i++) {
            double top[4] = {0};
            tangent_column(st, i, exact);
            tangent_difference(st, i, found);
            for (int j = 0; j < st->eq.n; j++) {
                double *t = &top[tangent_block(st, j)];
                *t = fmax(*t, fabs(found[j]));
            }
            for (int k = 0; k < 4; k++) scale[k] = fmax(scale[k], top[k]);
            for (int j = 0; pass && j < st->eq.n; j++) {
                int k = tangent_block(st, j);
                double error = fabs(exact[j] - found[j]) / fmax(top[k], 1e-3 * scale[k]);
                worst = error <= worst ? worst : error == error ? error : HUGE_VAL;
            }
        }
    free(exact), free(found);
    return worst;
}

#endif
