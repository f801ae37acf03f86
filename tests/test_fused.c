/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of a beam's sites against the generic path: the same strains, gradients, products with
 * Hessians, projected rows, stiffness; the same residual, tangent, ledger and pattern of EP, ED and
 * statics; and the same motion. Both paths are there for the same site, so a test clears the
 * pointer to the kernel and asks again. Equal means: but for round-off, of the largest of what is
 * compared.
 */
#include "scene.h"

enum { TEXT = 2000, ORDERS = 3, AMBIENT = 3 * TS_MAX_SLOTS, M = TS_KERNEL_FORMS };
static const double ROUND_OFF = 2e-14;

/* ---- beams of every shape ---- */

static const char *const LINES[] = {
    "from: [0.3, 0, -0.2], to: [1, 0.5, 0.4]",
    "from: [0.3, 0, -0.2], to: [1, 0.5, 0.4], twist: 2",
    "from: [1, 0, 0], through: [0.7, 0.7, 0.2], to: [0, 1, 0.3], axis2: [0.1, 0.2, 1]",
    ("from: [1, 0, 0], through: [0.7, 0.7, 0.2], to: [0, 1, 0.3], section_end: T, "
     "axis2: [0.1, 0.2, 1], twist: 80 deg"),
};
enum { LINE_COUNT = sizeof LINES / sizeof *LINES };

static const char SECTIONS[] =
    "sections:\n"
    "  S: {EA: 300, GA2: 100, GA3: 120, GJ: 20, EI2: 30, EI3: 25, mass: 2, mass_centre: [0.02, "
    "0.01], inertia: [0.03, 0.02, 0.015], tension_centre: [0.01, -0.02], shear_centre: [-0.01, "
    "0.03], principal_angle: 0.4}\n"
    "  T: {EA: 200, GA2: 80, GA3: 90, GJ: 10, EI2: 12, EI3: 15, mass: 1, inertia: [0.02, 0.01, "
    "0.012]}\n";

static void read_beam(scene *s, int line, int order) {
    char text[TEXT];
    snprintf(text, sizeof text,
             SCENE_HEAD
             "%sbeams:\n"
             "  arm: {%s, section: S, elements: 2, order: %d, damping: 0.1}\n"
             "joints:\n"
             "  hinge: {type: revolute, bodies: [ground, arm.start], at: [0, 0, 0], axis: [1, 2, "
             "3]}\n",
             SECTIONS, LINES[line], order);
    scene_read(s, text);
    assert_int_equal(ts_system_new(&s->system, s->model), 0);
}

/* A state by chance: every node moved and turned, and every slot with a rate of its own. */
static void scatter_state(scene *s) {
    for (int n = 1; n < s->model->nodes_count; n++) {
        const ts_node *node = &s->model->nodes[n];
        double *q = s->system->state.q + 3 * node->slot;
        m3 turn = so3_exp(v3_scale(0.5, chance_vector()));
        v3_store(q, v3_axpy(0.2, chance_vector(), v3_load(q)));
        m3_store(q + 3, m3_mul(turn, m3_load(q + 3)));
    }
    for (int i = 12; i < 3 * s->model->slots; i++) s->system->state.v[i] = chance();
}

typedef void check(scene *s, const ts_site *site);

static void on_every_beam(check *what) {
    for (int line = 0; line < LINE_COUNT; line++)
        for (int order = 1; order <= ORDERS; order++) {
            scene s;
            int found = 0;
            read_beam(&s, line, order);
            scatter_state(&s);
            scene_set_up(&s, "ED", 0.5, 0.3);
            tangent_shake(s.st, 0.2);
            for (int i = 0; i < s.model->sites_count; i++) {
                if (!s.model->sites[i].kernel) continue;
                assert_int_equal(s.model->sites[i].nodes, order + 1);
                what(&s, &s.model->sites[i]), found++;
            }
            assert_int_equal(found, 2);
            scene_close(&s);
        }
}

static void assert_within(double limit, const char *what, size_t n, const double *a,
                          const double *b) {
    double size = 0, error = 0;
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(b[i]));
        double e = fabs(a[i] - b[i]);
        error = e <= error ? error : e == e ? e : HUGE_VAL;
    }
    assert_true(size > 0);
    measured(what, "", 0, error / size);
    assert_below(what, error / size, limit);
}

static void assert_equal(const char *what, size_t n, const double *a, const double *b) {
    assert_within(ROUND_OFF, what, n, a, b);
}

/* ---- primitives ---- */

static void compare_values(scene *s, const ts_site *site) {
    double q[AMBIENT], e[M], expected[M];
    ts_site_gather(s->model, site, s->st->step.q_f, q);
    for (int k = 0; k < site->forms; k++) expected[k] = ts_form_value(s->model, site->form + k, q);
    ts_site_values(s->model, site, s->st->step.q_f, e);
    assert_equal("values", (size_t)site->forms, e, expected);
}

/* Of one form alone, so that none hides behind another. */
static void compare_gradients(scene *s, const ts_site *site) {
    const ts_model *model = s->model;
    size_t n = (size_t)(3 * model->slots);
    double *F = calloc(2 * n, sizeof *F), z[TS_KERNEL_SIZE], u[TS_KERNEL_SIZE], f[TS_KERNEL_SIZE];
    double q[AMBIENT], v[AMBIENT], B[AMBIENT], rate[M], expected[M];
    site->kernel->gather(model, site, s->st->step.q_f, z);
    site->kernel->gather(model, site, s->st->step.v_f, u);
    site->kernel->rates(ts_links(site), z, u, rate);
    ts_site_gather(model, site, s->st->step.q_f, q),
        ts_site_gather(model, site, s->st->step.v_f, v);
    for (int k = 0; k < site->forms; k++) {
        double weight[M] = {0};
        weight[k] = 1;
        for (int hessian = 0; hessian < 2; hessian++) {
            memset(F, 0, 2 * n * sizeof *F);
            site->kernel->force(ts_links(site), hessian ? u : z, weight, f);
            site->kernel->scatter(model, site, f, F);
            if (hessian)
                ts_form_hessian_times(model, site->form + k, false, site->slots, v, B);
            else
                ts_form_gradient(model, site->form + k, site->slots, q, B);
            if (!hessian) expected[k] = ts_dot(3 * site->slots, B, v);
            ts_scatter(model, site, B, F + n);
            assert_equal(hessian ? "Hessian times v" : "gradient", n, F, F + n);
        }
    }
    assert_equal("rates", (size_t)site->forms, rate, expected);
    free(F);
}

static void chance_projector(ts_projector *P, bool still) {
    P->still = still;
    for (int i = 0; i < TS_MAX_SLOTS; i++)
        P->X[i] = m3_cols(chance_vector(), chance_vector(), chance_vector());
}

/* A row over the moves of a link, as one over the unknowns of its two nodes. */
static void spread_row(const double *moves, double *row) {
    for (int i = 0; i < 3; i++) {
        row[i] = -moves[i], row[6 + i] = moves[i];
        row[3 + i] = moves[TS_LINK_TURNS + i], row[9 + i] = moves[TS_LINK_TURNS + 3 + i];
    }
}

static void compare_projections(scene *s, const ts_site *site) {
    double z[TS_KERNEL_SIZE], q[AMBIENT], B[AMBIENT], expected[6 * TS_MAX_NODES];
    ts_local l;
    ts_local_site(s->model, site, s->st->scheme->stages, &l);
    site->kernel->gather(s->model, site, s->st->step.q_f, z);
    ts_site_gather(s->model, site, s->st->step.q_f, q);
    for (int still = 0; still < 2; still++) {
        ts_projector P;
        ts_link_rows b[TS_KERNEL_LINKS];
        chance_projector(&P, still);
        site->kernel->project(ts_links(site), z, (ts_motion){NULL, P.X, P.still}, b);
        for (int k = 0; k < site->forms; k++) {
            int link = k / TS_LINK_FORMS;
            double row[6 * TS_MAX_NODES] = {0};
            spread_row(b[link].of[k % TS_LINK_FORMS], row + 6 * link);
            ts_form_gradient(s->model, site->form + k, site->slots, q, B);
            ts_project(&l, &P, B, expected);
            assert_equal("projected rows", (size_t)l.nd, row, expected);
        }
    }
}

/* The rows likewise: those of the turns stand for themselves. */
static void add_block(const ts_link_block *block, int width, double *dense) {
    for (int i = 0; i < TS_LINK_MOVES; i++) {
        double row[12];
        spread_row(block->of[i], row);
        for (int j = 0; j < 12; j++) {
            int turn = i - TS_LINK_TURNS, at = turn < 3 ? 3 + turn : 6 + turn;
            if (turn >= 0) dense[at * width + j] += row[j];
            if (i < 3) dense[i * width + j] -= row[j], dense[(6 + i) * width + j] += row[j];
        }
    }
}

static void compare_stiffness(scene *s, const ts_site *site) {
    enum { SIDE = 12 * (TS_KERNEL_LINKS + 1) };
    static double dense[SIDE * SIDE], expected[SIDE * SIDE];
    ts_local l;
    ts_local_site(s->model, site, s->st->scheme->stages, &l);
    assert_int_equal(l.width, 12 * site->nodes);
    for (int k = 0; k < site->forms; k++)
        for (int still = 0; still < 4; still++) {
            ts_projector test, trial;
            double weight[M] = {0};
            weight[k] = 1.5;
            chance_projector(&test, still & 1), chance_projector(&trial, still & 2);
            memset(dense, 0, sizeof dense), memset(expected, 0, sizeof expected);
            ts_tangent_block block = ts_tangent_block_at(&l, &test, &trial, l.nd, 0, expected);
            ts_add_hessians(s->model, site, TS_SIDES_BOTH, 1, weight, &block);
            for (int link = 0; link < ts_links(site); link++) {
                ts_link_block block_of_link = {0};
                site->kernel->stiffness(
                    weight + TS_LINK_FORMS * link, (ts_motion){NULL, test.X + 4 * link, test.still},
                    (ts_motion){NULL, trial.X + 4 * link, trial.still}, &block_of_link);
                add_block(&block_of_link, l.width, dense + (l.nd + 6 * link) * l.width + 6 * link);
            }
            /* places and directors alone are coupled */
            bool none = k % TS_LINK_FORMS < 3 && still == 3;
            for (int i = 0; none && i < SIDE * SIDE; i++) assert_true(dense[i] == 0);
            if (!none) assert_equal("stiffness", SIDE * SIDE, dense, expected);
        }
}

static void values_are_equal(void **state) { (void)state, on_every_beam(compare_values); }
static void gradients_are_equal(void **state) { (void)state, on_every_beam(compare_gradients); }
static void projections_are_equal(void **state) { (void)state, on_every_beam(compare_projections); }
static void stiffness_is_equal(void **state) { (void)state, on_every_beam(compare_stiffness); }

/* ---- schemes ---- */

static const struct method {
    const ts_scheme *scheme;
    double rho;
} METHODS[] = {
    {&TS_SCHEME_EP, 1}, {&TS_SCHEME_ED, 0}, {&TS_SCHEME_ED, 0.6}, {&TS_SCHEME_STATIC, 1}};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

/* From now on the generic path is taken. */
static void clear_kernels(scene *s) {
    for (int i = 0; i < s->model->sites_count; i++) s->model->sites[i].kernel = NULL;
}

/* A step set up at a state by chance, and unknowns by chance: the same for both paths. */
static void set_up(scene *s, int line, int order, int method, bool generic) {
    ts_step_options options = {.tolerance = 1e-12};
    ts_step_result r;
    scene_rho(&options, METHODS[method].scheme, METHODS[method].rho);
    scene_seed = 88172645463325252u + (uint64_t)(100 * line + 10 * order);
    read_beam(s, line, order);
    if (generic) clear_kernels(s);
    scatter_state(s);
    assert_int_equal(ts_stepper_new(&s->st, s->system, METHODS[method].scheme, &options), 0);
    assert_int_equal(ts_stepper_step(s->st, 0.3, &r), TORSOR_EDIVERGED);
    tangent_shake(s->st, 0.2);
    double *stress = s->st->step.statics.stress;
    for (int i = 0; i < s->model->forms_count && stress; i++) stress[i] = chance();
}

static void compare_equations(ts_stepper *a, ts_stepper *b) {
    size_t n = (size_t)(3 * a->model->slots);
    assert_int_equal(a->eq.n, b->eq.n);
    ts_residual(&a->eq), ts_residual(&b->eq);
    assert_equal("residual", (size_t)a->eq.n, a->eq.R, b->eq.R);
    assert_equal("forces", n, a->step.F, b->step.F);
    if (a->scheme->stages == 2) assert_equal("forces of the stage", n, a->step.Fs, b->step.Fs);
    tangent_build(a), tangent_build(b);
    assert_int_equal(a->eq.A->nnz, b->eq.A->nnz);
    assert_memory_equal(a->eq.A->row, b->eq.A->row, (size_t)a->eq.A->nnz * sizeof *a->eq.A->row);
    ts_sparse_zero(a->eq.A), ts_sparse_zero(b->eq.A);
    ts_assemble_tangent(&a->eq), ts_assemble_tangent(&b->eq);
    bool differences = a->scheme->stages == 2; /* in the law, of steps of 1e-3 */
    assert_within(differences ? 1e-11 : ROUND_OFF, "tangent", (size_t)a->eq.A->nnz, a->eq.A->value,
                  b->eq.A->value);
}

static void compare_ledger(ts_stepper *a, ts_stepper *b) {
    ts_exchange x = {0}, y = {0};
    a->scheme->exchange(&a->step, &x), b->scheme->exchange(&b->step, &y);
    double one[] = {1, x.dissipated, x.algorithmic}, other[] = {1, y.dissipated, y.algorithmic};
    assert_equal("ledger", 3, one, other);
    if (!a->scheme->path) assert_true(x.dissipated > 0);
    double from[3], to[3];
    ts_energies(a->system, from, from + 1, from + 2);
    ts_energies(b->system, to, to + 1, to + 2);
    assert_equal("energies", 3, from, to);
}

static void schemes_are_equal(void **state) {
    (void)state;
    for (int method = 0; method < METHOD_COUNT; method++)
        for (int line = 0; line < LINE_COUNT; line++)
            for (int order = 1; order <= ORDERS; order++) {
                scene fused, generic;
                set_up(&fused, line, order, method, false);
                set_up(&generic, line, order, method, true);
                size_t forms = (size_t)fused.model->forms_count;
                assert_equal("strains at the start", forms, fused.st->step.e_i,
                             generic.st->step.e_i);
                if (METHODS[method].scheme->stages == 2)
                    assert_equal("their rates", forms, fused.st->step.edot_i,
                                 generic.st->step.edot_i);
                compare_equations(fused.st, generic.st);
                compare_ledger(fused.st, generic.st);
                scene_close(&fused), scene_close(&generic);
            }
}

/* Forty steps of a swinging beam: Newton's method takes the same way, and the motion is the
 * same. */
static void motions_are_equal(void **state) {
    (void)state;
    for (int method = 0; method < 3; method++)
        for (int order = 1; order <= ORDERS; order++) {
            scene s[2];
            for (int generic = 0; generic < 2; generic++) {
                read_beam(&s[generic], 3, order);
                ts_system_free(s[generic].system);
                if (generic) clear_kernels(&s[generic]);
                s[generic].model->gravity = v3_make(0, 3, -9.81);
                scene_begin(&s[generic], METHODS[method].scheme->name,
                            scene_options(METHODS[method].scheme->name, METHODS[method].rho));
                for (int n = 0; n < 40; n++) scene_step(&s[generic], 0.01);
                assert_below("balance", fabs(s[generic].system->ledger.balance) / s[generic].energy,
                             1e-12);
            }
            const ts_state *a = &s[0].system->state, *b = &s[1].system->state;
            for (int i = 0; i < 3 * s[0].model->slots; i++) {
                assert_near(a->q[i], b->q[i], 1e-10);
                assert_near(a->v[i], b->v[i], 1e-8);
            }
            scene_close(&s[0]), scene_close(&s[1]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_equal),      cmocka_unit_test(gradients_are_equal),
        cmocka_unit_test(projections_are_equal), cmocka_unit_test(stiffness_is_equal),
        cmocka_unit_test(schemes_are_equal),     cmocka_unit_test(motions_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
