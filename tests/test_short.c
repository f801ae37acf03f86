/* SPDX-License-Identifier: Apache-2.0 */
/* The short tangent of ED (src/step/equations/short.c): the parts it is made of add up to the
 * tangent of EP; with large forces that turn with the nodes Newton's method contracts as the
 * formulas there say; where stiff bodies turn it contracts ten times as well with f2 as without,
 * and what is added for f2 has f2's force and moment where bodies fly.
 */
#include "scenes.h"

/* ---- parts of a tangent ---- */

static const char MESHES[] = SCENE_HEAD
    "gravity: [0, 2, -9.81]\n"
    "materials:\n  M: {E: 2e6, nu: 0.3, density: 900}\n"
    "shell_sections:\n  S: {type: shell, material: M, thickness: 0.1}\n"
    "meshes:\n"
    "  Q: {type: patch, x: 2*u + 0.1*v^2, y: v, z: 0.2*u*v, divisions: [2, 2]}\n"
    "  V: {type: patch, x: 4 + 2*u, y: v - 0.2*u*w, z: w, w: [0, 1], divisions: [2, 1, 1]}\n"
    "shells:\n  plate: {mesh: Q, section: S}\n"
    "solids:\n  block: {mesh: V, material: M, enhanced: true}\n"
    "couplings:\n  end: {nodes: block.u-, at: [4, 0.5, 0.5]}\n"
    "joints:\n  clamp: {type: support, nodes: plate.u-, fix: [x, y, z]}\n"
    "loads:\n"
    "  push: {type: pressure, faces: plate, pressure: 300 Pa}\n"
    "  squeeze: {type: pressure, faces: block.w+, pressure: 300 Pa}\n";

static void add(const ts_sparse *A, double *sum) {
    for (int k = 0; k < A->nnz; k++) sum[k] += A->value[k];
}

/* What is assembled of a part, added to the sum. */
static void take(ts_equations *eq, ts_tangent_part part, double *sum) {
    ts_sparse_zero(eq->A);
    eq->step->part = part;
    ts_assemble_tangent(eq);
    eq->step->part = TS_WHOLE;
    add(eq->A, sum);
}

static void compare_parts(const char *text) {
    scene s;
    scene_open(&s, text, "EP", 0);
    scene_set_up(&s, "EP", 0, 0.05);
    ts_equations *eq = &s.st->eq;
    tangent_build(s.st), tangent_shake(s.st, 0.05);
    ts_residual(eq);
    double *whole = calloc((size_t)eq->A->nnz, sizeof *whole),
           *sum = calloc((size_t)eq->A->nnz, sizeof *sum), size = 0, off = 0, geometric = 0;
    take(eq, TS_WHOLE, whole);
    take(eq, TS_GEOMETRIC, sum);
    for (int k = 0; k < eq->A->nnz; k++) geometric = fmax(geometric, fabs(sum[k]));
    take(eq, TS_MATERIAL, sum);
    ts_sparse_zero(eq->A), ts_each_node_inertia(eq), add(eq->A, sum);
    for (int k = 0; k < eq->A->nnz; k++) {
        size = fmax(size, fabs(whole[k]));
        off = fmax(off, fabs(whole[k] - sum[k]));
    }
    measured("parts against the whole", "EP", 0, off / size);
    assert_true(size > 0 && geometric > 0);
    assert_below("parts against the whole", off, 1e-14 * size);
    free(whole), free(sum);
    scene_close(&s);
}

static void parts(void **state) {
    (void)state;
    compare_parts(everything());
    compare_parts(turnable());
    compare_parts(PULLED_BEAM);
    compare_parts(MESHES);
}

/* ---- how it contracts ---- */

/* A body of 1 kg, 1 m below a ball joint, which pulls it with a force T, or pushes it: no stiffness
 * but of that force, g = T h^2/(m L). */
static const char HANGING[] =
    SCENE_HEAD BODIES "  bob: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, -1]}\n" JOINTS
                      "  ball: {type: spherical, bodies: [ground, bob], at: [0, 0, 0]}\n";

/* The change of the unknowns in an iteration by the short tangent, of a change delta of them:
 * delta <- (1 - S^-1 J) delta. With f2 or without. */
static void iterate(scene *s, bool f2, double *delta, double *other) {
    const double far = 1e-4;
    ts_equations *eq = &s->st->eq;
    ts_apply(s->st, delta, far), ts_residual(eq);
    memcpy(other, eq->R, (size_t)eq->n * sizeof *other);
    ts_apply(s->st, delta, -2 * far), ts_residual(eq);
    for (int i = 0; i < eq->n; i++) other[i] = (other[i] - eq->R[i]) / (2 * far);
    ts_apply(s->st, delta, far);
    if (f2) ts_short_turn_stage(s->st->quick, &s->st->step, other);
    ts_short_solve(s->st->quick, &s->st->step, other);
    for (int i = 0; i < eq->n; i++) delta[i] -= other[i];
}

/* A step of h = 1 from rest, in which the joint pulls with the force g. */
static void hang(scene *s, double rho, double g) {
    scene_open(s, HANGING, "ED", rho);
    ts_begin_at(s->st, 0, 1);
    ts_units_in_time(1, s->st->step.row_scale, s->st->step.column_scale);
    for (int n = 0; n < s->model->nodes_count; n++)
        if (!s->model->nodes[n].fixed) s->st->scheme->refresh(&s->st->step, n);
    for (int r = 0; r < s->model->rows_count; r++)
        if (s->model->rows[r].axis == 2) s->st->step.lambda[r] = -g;
    ts_residual(&s->st->eq); /* the tangent wants the forces of nodes */
    assert_int_equal(ts_short_factor(s->st->quick, &s->st->step), 0);
}

/* The mean rate of many iterations from anywhere. */
static double rate_of(scene *s, bool f2) {
    enum { FIRST = 10, MORE = 20 };
    double growth = 0;
    double *delta = calloc((size_t)s->st->eq.n, sizeof *delta),
           *other = calloc((size_t)s->st->eq.n, sizeof *other);
    for (int i = 0; i < s->st->eq.n; i++) delta[i] = chance();
    for (int k = 0; k < FIRST + MORE; k++) {
        double square = 0;
        iterate(s, f2, delta, other);
        for (int i = 0; i < s->st->eq.n; i++) square += delta[i] * delta[i];
        for (int i = 0; i < s->st->eq.n; i++) delta[i] /= sqrt(square);
        if (k >= FIRST) growth += 0.5 * log(square);
    }
    free(delta), free(other);
    return exp(growth / MORE);
}

static double rate_at(double rho, double g) {
    scene s;
    hang(&s, rho, g);
    double rate = rate_of(&s, true);
    scene_close(&s);
    return rate;
}

/* With W as in short.c one eigenvalue of (1 + g W)^-1 g (W - Q_g) is zero, the other
 * g^2 |w|^2/(1 + g/4 + g^2 |w|^2). */
static double expected_rate(double rho, double g) {
    double al = (1 - rho) / (1 + rho), q21 = -(1 + al / 3) / 12, z11 = 1.0 / 6 + q21;
    double re = (3 + al * al) / 72,
           im = sqrt(36 * (1 + al) * (1 + al) - (3 + al * al) * (3 + al * al)) / 72;
    double r = (re - z11) / im, q = (r - sqrt(1 + r * r)) / 8, square = 1.0 / 64 + q * q;
    assert_true(q21 < 0);
    return g * g * square / (1 + g / 4 + g * g * square);
}

/* A factor z for these forces, too, leaves 0.12 g. */
static void forces_that_turn(void **state) {
    (void)state;
    const double rhos[] = {0, 0.5, 0.9}, forces[] = {0.8, 0.3, -0.3};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double rate = rate_at(rhos[i], forces[k]), expected = expected_rate(rhos[i], forces[k]);
            measured("rate with forces that turn", "ED", rhos[i], rate);
            assert_near(rate, expected, 0.02 * expected);
        }
}

/* ---- bodies that turn ---- */

#define SPUN_BEAM                                                                             \
    SCENE_HEAD "sections:\n"                                                                  \
               "  S: {EA: 3e3, GA2: 1e3, GA3: 1.2e3, GJ: 20, EI2: 30, EI3: 25, mass: 2, "     \
               "inertia: [0.03, 0.02, 0.015]}\n"                                              \
               "beams:\n"                                                                     \
               "  arm: {from: [0, 0, 0], to: [1, 0.5, 0.4], section: S, elements: 3, order: " \
               "1}\n"
static const char HELD[] =
    SPUN_BEAM "joints: {ball: {type: spherical, bodies: [ground, arm.start], at: [0, 0, 0]}}\n";
static const char FLYING[] = SPUN_BEAM;

/* A step of h = 1 in which all turns about the origin by psi, as a rigid body would. */
static void spin(scene *s, const char *text, double rho, v3 psi) {
    scene_open(s, text, "ED", rho);
    m3 R = quat_matrix(quat_exp(psi));
    for (int n = 0; n < s->model->nodes_count; n++) {
        const ts_node *node = &s->model->nodes[n];
        for (int k = 3 * node->slot; k < 3 * (node->slot + node->slots) && !node->fixed; k += 3)
            v3_store(s->system->state.v + k, v3_cross(psi, v3_load(s->system->state.q + k)));
    }
    ts_begin_at(s->st, 0, 1);
    ts_units_in_time(1, s->st->step.row_scale, s->st->step.column_scale);
    for (int n = 0; n < s->model->nodes_count; n++) {
        if (s->model->nodes[n].fixed) continue;
        v3 x = v3_load(s->system->state.q + 3 * s->model->nodes[n].slot);
        s->st->step.dx[n] = v3_sub(m3_apply(R, x), x), s->st->step.turn[n] = quat_exp(psi);
        s->st->scheme->refresh(&s->st->step, n);
    }
    ts_residual(&s->st->eq);
    assert_int_equal(ts_short_factor(s->st->quick, &s->st->step), 0);
}

static void bodies_that_turn(void **state) {
    (void)state;
    const double rhos[] = {0, 0.5}, angles[] = {0.03, 0.1};
    const char *texts[] = {HELD, FLYING};
    for (int i = 0; i < 8; i++) {
        scene s;
        double rho = rhos[i % 2], angle = angles[i / 2 % 2];
        spin(&s, texts[i / 4], rho, v3_make(0.2 * angle, -0.3 * angle, angle));
        double with = rate_of(&s, true), without = rate_of(&s, false);
        measured("rate with f2", i / 4 ? "flying" : "held", rho, with);
        measured("rate without", i / 4 ? "flying" : "held", rho, without);
        assert_below("rate with f2", with, 0.1 * without);
        scene_close(&s);
    }
}

/* Sum of the balances of all nodes, and of their moments about the origin. */
static void resultant(const scene *s, const double *x, v3 *force, v3 *moment) {
    *force = *moment = v3_make(0, 0, 0);
    for (int n = 0; n < s->model->nodes_count; n++) {
        int dof = s->system->node_dof[n];
        if (dof < 0) continue;
        v3 at = v3_load(s->st->step.q_m + 3 * s->model->nodes[n].slot), f = v3_load(x + dof);
        *force = v3_add(*force, f);
        *moment = v3_add(*moment, v3_add(v3_cross(at, f), v3_load(x + dof + 3)));
    }
}

/* The moment of f2: stage forces on places that move, seen from the centre of masses, and their
 * moments on nodes that turn, a half of either. */
static v3 moment_of_f2(const scene *s, const double *x) {
    double mass = 0;
    v3 moved = {0, 0, 0}, sum = {0, 0, 0};
    for (int n = 0; n < s->model->nodes_count; n++) {
        double m = s->model->nodes[n].mass[0][0];
        if (s->system->node_dof[n] >= 0) mass += m, moved = v3_axpy(m, s->st->step.dx[n], moved);
    }
    for (int n = 0; n < s->model->nodes_count; n++) {
        const double *stage = x + s->system->node_dof[n] + s->system->dofs;
        if (s->system->node_dof[n] < 0) continue;
        v3 dx = v3_axpy(-1 / mass, moved, s->st->step.dx[n]);
        sum = v3_axpy(-0.5, v3_cross(dx, v3_load(stage)), sum);
        sum = v3_axpy(-0.5, v3_cross(s->st->step.turn[n].v, v3_load(stage + 3)), sum);
    }
    return sum;
}

static void momenta_of_what_flies(void **state) {
    (void)state;
    scene s;
    v3 force[2], moment[2];
    spin(&s, FLYING, 0, v3_make(0.1, -0.2, 0.3));
    double *x = calloc((size_t)s.st->eq.n, sizeof *x);
    for (int n = 0; n < s.model->nodes_count; n++) { /* that move and turn differently */
        s.st->step.dx[n] = v3_make(chance(), chance(), chance());
        s.st->step.turn[n] = quat_exp(v3_make(chance(), chance(), chance()));
    }
    for (int i = 0; i < s.st->eq.n; i++) x[i] = chance();
    double before = x[0];
    resultant(&s, x, &force[0], &moment[0]);
    v3 expected = moment_of_f2(&s, x);
    ts_short_turn_stage(s.st->quick, &s.st->step, x);
    resultant(&s, x, &force[1], &moment[1]);
    double off = v3_norm(v3_sub(v3_sub(moment[1], moment[0]), expected));
    assert_true(fabs(x[0] - before) > 1e-3 && v3_norm(expected) > 1e-3);
    assert_below("force of f2", v3_norm(v3_sub(force[1], force[0])), 1e-13);
    assert_below("moment of f2", off, 1e-13);
    free(x);
    scene_close(&s);
}

/* A frame without inertia, which springs alone keep from turning: no moment balances f2. */
static const char STAR[] = SCENE_HEAD
    "bodies:\n"
    "  A: {mass: 1, inertia: [0, 0, 0]}\n"
    "  p: {type: point, mass: 1, position: [1, 2, 0]}\n"
    "  q: {type: point, mass: 1, position: [0, 1, 2]}\n"
    "  r: {type: point, mass: 1, position: [2, 0, 1]}\n"
    "springs:\n"
    "  a: {bodies: [A, p], from: [1, 0, 0], to: [1, 2, 0], stiffness: 100, free_length: 2}\n"
    "  b: {bodies: [A, q], from: [0, 1, 0], to: [0, 1, 2], stiffness: 100, free_length: 2}\n"
    "  c: {bodies: [A, r], from: [0, 0, 1], to: [2, 0, 1], stiffness: 100, free_length: 2}\n";

static void frames_without_inertia(void **state) {
    (void)state;
    scene s;
    spin(&s, STAR, 0, v3_make(0.1, -0.2, 0.3));
    double *x = calloc((size_t)s.st->eq.n, sizeof *x);
    for (int i = 0; i < s.st->eq.n; i++) x[i] = chance();
    ts_short_turn_stage(s.st->quick, &s.st->step, x);
    for (int i = 0; i < s.st->eq.n; i++) assert_true(isfinite(x[i]));
    free(x);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts), cmocka_unit_test(forces_that_turn),
                                       cmocka_unit_test(bodies_that_turn),
                                       cmocka_unit_test(momenta_of_what_flies),
                                       cmocka_unit_test(frames_without_inertia)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
