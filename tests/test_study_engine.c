/* SPDX-License-Identifier: Apache-2.0 */
/* The engine of schemes for study: the maps of SE(3), forces and rows at an instant, the solver.
 *
 * EP written a second time, as a scheme for study, must give what EP with its exact tangent gives,
 * to round-off.
 */
#include "scenes.h"

#include "study/study.h"

/* ---- SE(3) ---- */

static v6 chance_six(double size) {
    return v6_scale(size, v6_make(chance_vector(), chance_vector()));
}

static double apart(v6 a, v6 b) { return sqrt(v6_dot(v6_sub(a, b), v6_sub(a, b))); }

/* The space rate of exp(xi(t)) by differences: log(exp(xi + d) exp(xi)^-1). */
static v6 rate_by_differences(v6 xi, v6 rate) {
    double d = 1e-4;
    pose plus = ts_se3_exp(v6_axpy(d, rate, xi)), minus = ts_se3_exp(v6_axpy(-d, rate, xi));
    return v6_scale(0.5 / d, ts_se3_log(pose_mul(plus, pose_inverse(minus))));
}

static void tangent_maps_are_derivatives(void **state) {
    (void)state;
    for (int k = 0; k < 200; k++) {
        double size = k % 2 ? 1.5 : k % 4 ? 0.3 : 1e-5;
        v6 xi = chance_six(size), rate = chance_six(1), force = chance_six(1);
        v6 spatial = ts_se3_dexp(xi, rate);
        assert_below("dexp", apart(spatial, rate_by_differences(xi, rate)), 3e-7);
        assert_below("inverse", apart(ts_se3_dexp_inverse(xi, spatial), rate), 1e-12);
        assert_near(v6_dot(force, spatial), v6_dot(ts_se3_dexp_transposed(xi, force), rate), 1e-12);
        v6 back = ts_se3_dexp_inverse_transposed(xi, ts_se3_dexp_transposed(xi, force));
        assert_below("inverse transposed", apart(back, force), 1e-12);
        pose H = ts_se3_exp(xi);
        assert_below("log", apart(ts_se3_log(H), xi), 1e-13);
        // seen from the body: Ad(H)^-1 dexp(xi) = dexp(-xi)
        v6 body = ts_se3_dexp(v6_scale(-1, xi), rate);
        assert_below("body", apart(ts_se3_Ad(H, body), spatial), 1e-13);
        assert_near(v6_dot(ts_se3_Ad_dual(H, force), ts_se3_Ad(H, rate)), v6_dot(force, rate),
                    1e-12);
        v6 other = chance_six(1);
        assert_near(v6_dot(force, ts_se3_ad(rate, other)),
                    v6_dot(ts_se3_ad_transposed(rate, force), other), 1e-12);
    }
}

static void stumpff_functions_agree_where_they_meet(void **state) {
    (void)state;
    ts_stumpff below = ts_stumpff_at(1 - 1e-13), above = ts_stumpff_at(1 + 1e-13);
    for (int k = 0; k < 6; k++) assert_near(below.s[k], above.s[k], 1e-12);
    assert_near(below.s[0], cos(1), 1e-12), assert_near(below.s[1], sin(1), 1e-12);
    assert_near(ts_stumpff_at(0).s[5], 1.0 / 120, 0);
}

/* ---- EP once more ---- */

static void refresh(ts_study *s, const double *x) {
    ts_step *st = s->st;
    memset(st->dq, 0, (size_t)(3 * st->model->slots) * sizeof(double));
    for (int n = 0; n < st->model->nodes_count; n++) {
        const ts_node *node = &st->model->nodes[n];
        if (!ts_is_free(s, n)) continue;
        v6 step = ts_load_block(s, x, 0, n);
        double *dq = st->dq + 3 * node->slot;
        const double *q = st->q_i + 3 * node->slot;
        v3_store(dq, step.v);
        for (int k = 1; k < node->slots; k++)
            v3_store(dq + 3 * k, quat_increment(quat_exp(step.w), v3_load(q + 3 * k)));
    }
    for (int i = 0; i < 3 * st->model->slots; i++) {
        st->q_f[i] = st->q_i[i] + st->dq[i];
        st->q_m[i] = st->q_i[i] + 0.5 * st->dq[i];
        st->v_f[i] = 2 / st->h * st->dq[i] - st->v_i[i];
    }
    ts_put_fixed(s, st->q_f, st->v_f);
    ts_load_multipliers(s, x, 0, st->lambda);
}

/* Non-holonomic rows at the middle: A(q_m) v_m, as EP has them. */
static void rows(ts_study *s, double *R) {
    ts_step *st = s->st;
    for (int i = 0; i < 3 * st->model->slots; i++) st->v_m[i] = st->dq[i];
    ts_rows_at(s, st->t_f, st->q_f, st->v_m, s->c);
    double *at_middle = calloc((size_t)st->model->rows_count + 1, sizeof(double));
    ts_rows_at(s, st->t_f, st->q_m, st->v_m, at_middle);
    for (int r = 0; r < st->model->rows_count; r++)
        if (st->model->sites[st->model->rows[r].site].role == TS_ROLE_RATES) s->c[r] = at_middle[r];
    ts_store_rows(s, R, 0, s->c);
    free(at_middle);
}

static void residual(ts_study *s, const double *x, double *R) {
    ts_step *st = s->st;
    const ts_model *model = st->model;
    refresh(s, x);
    memset(s->F, 0, (size_t)(3 * model->slots) * sizeof(double));
    memset(s->W, 0, (size_t)(6 * model->nodes_count) * sizeof(double));
    ts_forces_over(s, st->q_f, st->q_m, st->lambda, s->F);
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        double w[12], *F = s->F + 3 * node->slot;
        for (int i = 0; i < 3 * node->slots; i++)
            w[i] = (st->v_f[3 * node->slot + i] - st->v_i[3 * node->slot + i]) / st->h;
        v3_store(w, v3_sub(v3_load(w), model->gravity));
        for (int a = 0; a < node->slots; a++)
            v3_store(F + 3 * a, v3_sub(v3_load(F + 3 * a), ts_mass_times(node, w, a)));
    }
    ts_project_forces(s, st->q_m, s->F, s->W);
    ts_add_mean_loads(s, st->q_m, s->W);
    for (int n = 0; n < model->nodes_count; n++)
        if (ts_is_free(s, n)) ts_store_block(s, R, 0, n, v6_load(s->W + 6 * n));
    rows(s, R);
}

static void finish(ts_study *s, const double *x, ts_exchange *out) {
    refresh(s, x);
    ts_study_works(s, out);
}

static const ts_study_scheme EP_STUDY = {.residual = residual, .finish = finish};
static const ts_scheme EP_AGAIN = {.name = "EP again", TS_STUDY(EP_STUDY)};

static void begin_with(scene *s, const ts_scheme *scheme) {
    ts_step_options options = scene_defaults();
    assert_int_equal(ts_system_new(&s->system, s->model), 0);
    ts_system_begin(s->system);
    assert_int_equal(ts_stepper_new(&s->st, s->system, scheme, &options), 0);
    s->energy = scene_energy(s);
}

/* Largest difference of positions and velocities, and of the books, after some steps. */
static void compare(const char *name, const char *text, double h, int steps, double limit) {
    scene a, b;
    scene_open(&a, text, "EP", 1);
    scene_read(&b, text);
    begin_with(&b, &EP_AGAIN);
    for (int k = 0; k < steps; k++) scene_step(&a, h), scene_step(&b, h);
    double worst = 0, scale = 1, balance = fabs(b.system->ledger.balance) / b.energy;
    for (int i = 0; i < 3 * a.model->slots; i++) {
        scale = fmax(scale, fabs(a.system->state.v[i]));
        worst = fmax(worst, fabs(a.system->state.q[i] - b.system->state.q[i]));
        worst = fmax(worst, fabs(a.system->state.v[i] - b.system->state.v[i]));
    }
    measured(name, "difference", 1, worst / scale);
    measured(name, "balance", 1, balance);
    assert_below(name, worst / scale, limit);
    assert_below("balance", balance, 1e-11);
    scene_close(&a), scene_close(&b);
}

static void a_residual_alone_gives_what_an_exact_tangent_gives(void **state) {
    (void)state;
    compare("top", TOP, 2e-3, 50, 1e-9);
    compare("links", LINKS, 1e-2, 50, 1e-9);
    compare("driven", DRIVEN, 5e-3, 50, 1e-9);
    compare("rolling", ROLLING, 5e-3, 50, 1e-9);
    compare("loop", LOOP, 5e-3, 50, 1e-9);
    compare("chain", CHAIN, 5e-3, 50, 1e-9);
    compare("beam", PULLED_BEAM, 5e-3, 50, 1e-9);
}

/* ---- what else may happen ---- */

static const ts_scheme *all_kinds(int k) {
    return k == 0   ? &EP_AGAIN
           : k == 1 ? ts_scheme_find("generalized_alpha")
           : k == 2 ? ts_scheme_find("S1-ED")
                    : NULL;
}

static void open_limited(scene *s, const char *text, const ts_scheme *scheme, int iterations) {
    ts_step_options options = scene_defaults();
    options.max_iterations = iterations;
    scene_read(s, text);
    assert_int_equal(ts_system_new(&s->system, s->model), 0);
    ts_system_begin(s->system);
    assert_int_equal(ts_stepper_new(&s->st, s->system, scheme, &options), 0);
    s->energy = scene_energy(s);
}

static void large_steps_are_cut(void **state) {
    (void)state;
    for (int k = 0; all_kinds(k); k++) {
        scene s;
        int cuts = 0;
        open_limited(&s, LINKS, all_kinds(k), 3); // three iterations
        for (int n = 0; n < 5; n++) cuts += scene_step(&s, 0.1).cuts;
        measured("cuts", all_kinds(k)->name, 0, cuts);
        assert_true(cuts > 0);
        assert_int_equal(s.system->state.step, 5);
        assert_near(s.system->state.t, 0.5, 1e-12);
        assert_below("balance", fabs(s.system->ledger.balance) / s.energy, 1e-11);
        assert_below("violation", scene_violation(&s), 1e-12);
        scene_close(&s);
    }
}

/* A force that is none from t = 0.2 on. */
static const char NO_FORCE[] =
    SCENE_HEAD "bodies: {slider: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
               "joints:\n"
               "  rail: {type: prismatic, bodies: [ground, slider], at: [1, 0, 0], axis: x}\n"
               "loads: {push: {type: force, body: slider, force: [\"if(t < 0.2, 0, sqrt(0.1 - "
               "t))\", 0, 0]}}\n";
static void assert_fails(const char *text, const ts_scheme *scheme, const char *const *names) {
    scene s;
    ts_step_result r;
    int code = 0, n = 0;
    bool named = false;
    open_limited(&s, text, scheme, 25);
    for (; n < 30 && !code; n++) code = ts_stepper_step(s.st, 0.05, &r);
    assert_int_equal(code, TORSOR_EDIVERGED);
    for (int i = 0; names[i]; i++) named |= strstr(ts_error_message(), names[i]) != NULL;
    if (getenv("TORSOR_TEST_VERBOSE")) fprintf(stderr, "    %s\n", ts_error_message());
    if (!named) fail_msg("%s", ts_error_message());
    for (int i = 0; i < 3 * s.model->slots; i++) assert_true(isfinite(s.system->state.q[i]));
    assert_near(s.system->state.t, 0.05 * (n - 1), 1e-12);
    assert_below("violation", scene_violation(&s), 1e-10);
    scene_close(&s);
}

static void impossible_steps_fail_cleanly(void **state) {
    (void)state;
    static const char *const force[] = {"'push': its force is not a number", NULL},
                             *const reach[] = {"'bar'", "'lead'", "'a'", "'b'", NULL};
    for (int k = 0; all_kinds(k); k++) {
        assert_fails(NO_FORCE, all_kinds(k), force);
        assert_fails(OUT_OF_REACH, all_kinds(k), reach);
    }
}

static void what_cannot_be_taken_is_refused(void **state) {
    (void)state;
    scene s;
    ts_step_options options = scene_defaults();
    scene_read(&s, ROLLING);
    assert_int_equal(ts_system_new(&s.system, s.model), 0);
    int code = ts_stepper_new(&s.st, s.system, ts_scheme_find("S1-ED"), &options);
    assert_int_equal(code, TORSOR_EINVAL);
    assert_null(s.st);
    if (!strstr(ts_error_message(),
                "S1-ED does not support non-holonomic constraints, which 'roll' has"))
        fail_msg("%s", ts_error_message());
    scene_close(&s);
}

/* Nothing moves: no unknowns, no trouble. */
static void nothing_to_do_is_done(void **state) {
    (void)state;
    for (int k = 0; all_kinds(k); k++) {
        scene s;
        open_limited(&s, SCENE_HEAD, all_kinds(k), 25);
        scene_step(&s, 0.1);
        assert_near(s.system->state.t, 0.1, 0);
        scene_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangent_maps_are_derivatives),
        cmocka_unit_test(stumpff_functions_agree_where_they_meet),
        cmocka_unit_test(a_residual_alone_gives_what_an_exact_tangent_gives),
        cmocka_unit_test(large_steps_are_cut),
        cmocka_unit_test(impossible_steps_fail_cleanly),
        cmocka_unit_test(what_cannot_be_taken_is_refused),
        cmocka_unit_test(nothing_to_do_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
