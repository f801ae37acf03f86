/* SPDX-License-Identifier: Apache-2.0 */
/* Every gap of two shapes, by corners, edges and circles, of all kinds of shapes and of planes of
 * moving bodies: work and energies over a step, momenta, derivatives; and hulls of points: corners,
 * edges, volumes. */
#include "contact/features.h"

#include "contact/hull.h"
#include "contact/touching.h"
#include "math/rotation.h"
#include "scene.h"

static const char MODEL[] = SCENE_HEAD
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1], position: [50, 0, 0]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1]}\n"
    "shapes:\n"
    "  A0: {type: box, on: a, size: [0.4, 0.5, 0.6]}\n"
    "  A1: {type: disc, on: a, axis: [1, 2, 3], radius: 0.4}\n"
    "  A2: {type: cylinder, on: a, axis: [1, 2, 3], radius: 0.3, length: 0.7}\n"
    "  A3: {type: capsule, on: a, from: [50, 0.1, 0], to: [50.1, 0.5, 0.2], radius: 0.1}\n"
    "  A4: {type: sphere, on: a, at: [50.1, 0, 0], radius: 0.2}\n"
    "  B0: {type: plane, on: b, at: [0.1, 0.2, 0.3], normal: [2, 1, 1]}\n"
    "  B1: {type: box, on: b, size: [0.4, 0.5, 0.3]}\n"
    "  B2: {type: hull, on: b, points: [[0, 0, 0], [0.5, 0, 0], [0, 0.4, 0], [0, 0, 0.6], "
    "[0.4, 0.4, 0.4]]}\n"
    "  B3: {type: socket, on: b, at: [0.1, 0.2, 0.3], radius: 0.9}\n"
    "  B4: {type: hole, on: b, at: [0.1, 0.2, 0.3], axis: [2, 1, 1], radius: 0.5}\n"
    "contacts: {c: {among: [A*, B*], initial: accept, stiffness: 3, friction: 0.4, "
    "restitution: 0.5}}\n"
    "analysis: {end: 1, step: 0.01}\n";

enum { SIDES_A = 5, SIDES_B = 5 };

/* A gap at a place where it is pressed in by a little, and a step. */
typedef struct drawn {
    ts_pair_key key;
    int node[2];
    double q[24], dq[24];
    ts_contact_law law;
    ts_contact_step x;
} drawn;

static double *slots(const scene *s, drawn *d, bool end, int side) {
    const ts_node *node = &s->model->nodes[s->model->shapes[d->key.shape[side]].node];
    return (end ? d->dq : d->q) + 3 * (node->slot - s->model->nodes[1].slot);
}

static ts_near near_of(const drawn *d) {
    return (ts_near){.key = d->key, .nodes = 2, .node = d->node};
}

/* The model's arrays begin with the ground. */
static bool evaluate(const scene *s, drawn *d) {
    v3 origin;
    int before = 3 * s->model->nodes[1].slot;
    double q[64] = {0}, dq[64] = {0};
    memcpy(q + before, d->q, sizeof d->q), memcpy(dq + before, d->dq, sizeof d->dq);
    d->x.law = &d->law;
    ts_near near = near_of(d);
    if (!ts_pair_over(s->model, &near, q, dq, &d->x, &origin)) return false;
    ts_contact_over(&d->x);
    return true;
}

static bool draw(const scene *s, drawn *d, int trial) {
    int a = trial % SIDES_A, b = trial / SIDES_A % SIDES_B;
    d->key = (ts_pair_key){0, {a, SIDES_A + b}, -1};
    const ts_shape *A = &s->model->shapes[a], *B = &s->model->shapes[SIDES_A + b];
    int gaps = ts_features_count(A, B);
    if (ts_features_lie(A, B) || B->plane) d->key.corner = (int)(fabs(chance()) * gaps) % gaps;
    for (int side = 0; side < 2; side++) d->node[side] = s->model->shapes[d->key.shape[side]].node;
    double size = trial % 3 ? 0.02 : 0.2;
    memset(d->dq, 0, sizeof d->dq);
    d->x = (ts_contact_step){.h = 0.1, .before = {.approach = 0.4}};
    d->law = ts_contact_law_of(s->model, 0, d->key.shape);
    for (int side = 0; side < 2; side++) {
        double *q = slots(s, d, false, side);
        v3_store(q, v3_scale(side ? 2 : 0, v3_normalize(chance_vector())));
        m3_store(q + 3, so3_exp(v3_scale(2, chance_vector())));
    }
    if (!evaluate(s, d)) return false;
    double *q = slots(s, d, false, 1), in = d->x.gap.start + 0.02;
    v3_store(q, v3_axpy(in, d->x.gap.normal, v3_load(q)));
    for (int side = 0; side < 2; side++) {
        double *u = slots(s, d, true, side), *at = slots(s, d, false, side);
        v3_store(u, v3_scale(0.3 * size, chance_vector()));
        m3 D = m3_load(at + 3), turned = m3_mul(so3_exp(v3_scale(size, chance_vector())), D);
        m3_store(u + 3, m3_sub(turned, D));
    }
    d->x.before.z = v3_scale(0.01, chance_vector());
    return evaluate(s, d) && d->x.normal < 0;
}

static double stored_at_start(const drawn *d) {
    double V = d->law.stiffness * d->law.elastic->energy(-d->x.gap.start);
    double all = ts_contact_energy(&d->law, d->x.gap.start, &d->x.before);
    return d->x.gap.crossing.present ? all - (1 - d->x.gap.crossing.weight[0]) * V : all;
}

static void balance(void **state) {
    (void)state;
    scene s;
    int tried[SIDES_A][SIDES_B] = {{0}}, crossing = 0;
    scene_read(&s, MODEL);
    for (int trial = 0; trial < 25000; trial++) {
        drawn d;
        if (!draw(&s, &d, trial)) continue;
        double work = 0, size = 0;
        v3 force = {0, 0, 0}, moment = {0, 0, 0};
        for (int side = 0; side < 2; side++) {
            v3 F[4] = {{0, 0, 0}};
            const double *q = slots(&s, &d, false, side), *dq = slots(&s, &d, true, side);
            ts_near near = near_of(&d);
            ts_pair_forces(s.model, &near, &d.x, d.node[side], F);
            /* F resists, and is along the normal from B to A, with friction across it */
            assert_true((side ? -1 : 1) * v3_dot(F[0], d.x.gap.normal) < 0);
            force = v3_add(force, F[0]);
            for (int j = 0; j < 4; j++) {
                v3 u = v3_load(dq + 3 * j), mean = v3_axpy(0.5, u, v3_load(q + 3 * j));
                work += v3_dot(F[j], u), size += v3_norm(F[j]);
                moment = v3_add(moment, v3_cross(mean, F[j]));
            }
        }
        double change = d.x.stored - stored_at_start(&d) + d.x.lost + d.x.rubbed;
        assert_near(work, change, 1e-14 * (1 + size));
        assert_true(d.x.lost >= 0 && d.x.rubbed >= -1e-16 && d.x.stored >= 0);
        assert_true(v3_norm(force) < 1e-14 * size && v3_norm(moment) < 1e-13 * size);
        tried[d.key.shape[0]][d.key.shape[1] - SIDES_A]++;
        crossing += d.x.gap.crossing.present;
    }
    for (int a = 0; a < SIDES_A; a++)
        for (int b = 0; b < SIDES_B; b++) assert_true(tried[a][b] > 100);
    assert_true(crossing > 500);
    scene_close(&s);
}

static bool same_branch(const drawn *x, const drawn *y) {
    bool same = x->x.gap.points == y->x.gap.points && x->x.bristle.stuck == y->x.bristle.stuck &&
                (x->x.gap.end < 0) == (y->x.gap.end < 0);
    for (int k = 0; same && k < x->x.gap.points; k++) same = x->x.gap.point[k] == y->x.gap.point[k];
    return same;
}

static void turn(const scene *s, drawn *d, int side, int unknown, double by) {
    double *q = slots(s, d, false, side), *dq = slots(s, d, true, side);
    if (unknown < 3) {
        dq[unknown] += by;
        return;
    }
    m3 start = m3_load(q + 3), end = m3_add(start, m3_load(dq + 3));
    m3_store(dq + 3, m3_sub(m3_mul(so3_exp(v3_scale(by, v3_axis(unknown - 3))), end), start));
}

/* Of both sides, or of one, where a force has a kink just here. */
static bool is_slope(v3 told, v3 before, v3 here, v3 after, double step) {
    v3 slope[3] = {v3_scale(0.5 / step, v3_sub(after, before)),
                   v3_scale(1 / step, v3_sub(after, here)),
                   v3_scale(1 / step, v3_sub(here, before))};
    bool is = false;
    for (int k = 0; k < 3; k++)
        is |= v3_norm(v3_sub(told, slope[k])) < 1e-4 * (3 + v3_norm(slope[k]));
    return is;
}

static void assert_slopes(const scene *s, drawn *d, int side, int unknown, int *tried) {
    const double step = 1e-6;
    drawn y[2] = {*d, *d};
    for (int k = 0; k < 2; k++) {
        turn(s, &y[k], side, unknown, k ? step : -step);
        if (!evaluate(s, &y[k]) || !same_branch(d, &y[k])) return;
    }
    v3 dx = unknown < 3 ? v3_axis(unknown) : v3_make(0, 0, 0);
    m3 dD = unknown < 3 ? (m3){0} : m3_cross(v3_axis(unknown - 3), d->x.side[side].D[1]);
    ts_contact_motion by;
    ts_contact_change change;
    ts_near near = near_of(d);
    ts_pair_motion(s->model, &near, &d->x, d->node[side], dx, dD, &by);
    ts_contact_moved(&d->x, &by, &change);
    for (int to = 0; to < 2; to++) {
        v3 told[4] = {{0, 0, 0}}, F[2][4] = {{{0, 0, 0}}};
        ts_pair_force_changes(s->model, &near, &d->x, &change, d->node[to], told);
        v3 here[4] = {{0, 0, 0}};
        ts_pair_forces(s->model, &near, &d->x, d->node[to], here);
        for (int k = 0; k < 2; k++) ts_pair_forces(s->model, &near, &y[k].x, d->node[to], F[k]);
        for (int j = 0; j < 4; j++) {
            assert_true(is_slope(told[j], F[0][j], here[j], F[1][j], step));
        }
    }
    ++*tried;
}

static void slopes(void **state) {
    (void)state;
    scene s;
    int tried = 0;
    scene_read(&s, MODEL);
    for (int trial = 0; trial < 5000; trial++) {
        drawn d;
        if (!draw(&s, &d, trial)) continue;
        for (int i = 0; i < 12; i++) assert_slopes(&s, &d, i / 6, i % 6, &tried);
    }
    assert_true(tried > 10000);
    scene_close(&s);
}

/* ---- hulls ---- */

/* A cube with points inside, on faces and on edges, and one of its corners twice. */
static void hull_of_a_cube(void **state) {
    (void)state;
    v3 point[30];
    ts_hull_side side[180];
    int count = 0, edges = 0;
    for (int k = 0; k < 27; k++)
        point[count++] = v3_make(0.5 * (k % 3), 0.5 * (k / 3 % 3), 0.5 * (k / 9));
    point[count++] = v3_make(1, 1, 1);
    int sides = ts_hull_sides(count, point, side);
    for (int i = 0; i < sides; i++) edges += side[i].from < side[i].to;
    assert_int_equal(edges, 12);
    assert_int_equal(sides, 24);
    ts_hull_moments m = ts_hull_volume(sides, side, point);
    assert_near(m.volume, 1, 1e-15);
    assert_true(v3_norm(v3_sub(m.centre, v3_make(0.5, 0.5, 0.5))) < 1e-15);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(v3_get(m.second.c[j], i), i == j ? 1 / 12.0 : 0, 1e-15);
    assert_int_equal(ts_hull_sides(9, point, side), 0); /* in a plane */
}

/* Points on a sphere: Euler's formula, E = 3 n - 6; a tetrahedron's volume and moments. */
static void hull_of_points(void **state) {
    (void)state;
    v3 point[40];
    ts_hull_side side[240];
    for (int trial = 0; trial < 20; trial++) {
        for (int k = 0; k < 40; k++)
            point[k] = k < 30 ? v3_normalize(chance_vector()) : v3_scale(0.2, chance_vector());
        assert_int_equal(ts_hull_sides(40, point, side), 2 * (3 * 30 - 6));
    }
    v3 corner[4] = {{1, 1, 1}, {2, 1, 1}, {1, 3, 1}, {1, 1, 4}};
    int sides = ts_hull_sides(4, corner, side);
    ts_hull_moments m = ts_hull_volume(sides, side, corner);
    assert_near(m.volume, 1, 1e-15);
    assert_true(v3_norm(v3_sub(m.centre, v3_make(1.25, 1.5, 1.75))) < 1e-15);
    assert_near(m.second.c[0].x, 3 / 80.0 * 1, 1e-15); /* 3 a^2/80 V */
    assert_near(m.second.c[1].y, 3 / 80.0 * 4, 1e-15);
    assert_near(m.second.c[0].y, -1 / 80.0 * 2, 1e-15);
}

/* Of points in a cube and its corners, the corners; of many on a sphere, so many that the others
 * are as far outside as it says. */
static void hull_of_many(void **state) {
    (void)state;
    enum { MANY = 2000, MOST = 100 };
    static v3 point[MANY];
    int chosen[MOST];
    double left, furthest = 0;
    for (int k = 0; k < MANY; k++) point[k] = chance_vector();
    double most = 0;
    for (int k = 0; k < MANY; k++)
        for (int i = 0; i < 3; i++) most = fmax(most, fabs(v3_get(point[k], i)));
    for (int k = 0; k < 8; k++)
        point[100 + 7 * k] =
            v3_make(k & 1 ? most : -most, k & 2 ? most : -most, k & 4 ? most : -most);
    assert_int_equal(ts_hull_choose(MANY, point, MOST, chosen, &left), 8);
    assert_true(left == 0);
    for (int k = 0; k < MANY; k++) point[k] = v3_normalize(chance_vector());
    assert_int_equal(ts_hull_choose(MANY, point, MOST, chosen, &left), MOST);
    v3 corner[MOST];
    for (int k = 0; k < MOST; k++) corner[k] = point[chosen[k]];
    for (int k = 0; k < MANY; k++) {
        ts_core one = {.points = 1, .point = &point[k]}, hull = {.points = MOST, .point = corner};
        furthest = fmax(furthest, v3_norm(ts_nearest_points(&one, &hull).r));
    }
    assert_near(furthest, left, 1e-12);
    assert_true(left > 0.01 && left < 0.15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balance), cmocka_unit_test(slopes), cmocka_unit_test(hull_of_a_cube),
        cmocka_unit_test(hull_of_points), cmocka_unit_test(hull_of_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
