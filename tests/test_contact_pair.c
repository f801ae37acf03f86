/* SPDX-License-Identifier: Apache-2.0 */
/* A pair in contact over a step: work and energies, momenta, derivatives, restitution; for cores
 * and planes, for rotating bodies and points. */
#include "contact/pair.h"

#include <math.h>

#include "math/rotation.h"
#include "scene.h"

enum { MOST = 4, SLOTS = 4 };

static v3 chance_v3(void) { return v3_make(chance(), chance(), chance()); }

/* Shapes in the axes of their sides, and a step of both. */
typedef struct drawn {
    bool plane;
    int points[2];
    v3 point[2][MOST]; /* of a plane: place, normal */
    double radius[2];
    ts_contact_law law;
    ts_contact_step step;
} drawn;

static v3 place(const drawn *x, int side, int k, int end) {
    const ts_carrier *s = &x->step.side[side];
    v3 turned = s->turns ? m3_apply(s->D[end], x->point[side][k]) : x->point[side][k];
    if (x->plane && side == 1 && k == 1) return turned;
    return v3_add(s->x[end], turned);
}

/* The gap and the contact of a step whose sides are known. */
static bool evaluate(drawn *x) {
    v3 p[2][2][MOST];
    for (int side = 0; side < 2; side++)
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < x->points[side]; k++) p[end][side][k] = place(x, side, k, end);
    if (x->plane) {
        ts_over_plane start = {p[0][0][0], p[0][1][0], p[0][1][1]};
        ts_over_plane end = {p[1][0][0], p[1][1][0], p[1][1][1]};
        ts_gap_of_plane(&start, &end, 0, x->radius[0], &x->step.gap);
    } else {
        ts_core core[2][2];
        for (int end = 0; end < 2; end++)
            for (int side = 0; side < 2; side++)
                core[end][side] = (ts_core){.points = x->points[side], .point = p[end][side]};
        if (!ts_gap_of_cores(core[0], core[1], x->radius, &x->step.gap)) return false;
    }
    x->step.law = &x->law;
    ts_contact_over(&x->step);
    return true;
}

static void draw_side(drawn *x, int side, bool turns, double size) {
    ts_carrier *s = &x->step.side[side];
    s->turns = turns;
    s->x[0] = chance_v3(), s->x[1] = v3_axpy(size, chance_v3(), s->x[0]);
    s->D[0] = so3_exp(v3_scale(2, chance_v3()));
    s->D[1] = m3_mul(so3_exp(v3_scale(size, chance_v3())), s->D[0]);
    x->points[side] = turns ? 1 + (int)(3.99 * fabs(chance())) : 1;
    for (int k = 0; k < MOST; k++) x->point[side][k] = turns ? chance_v3() : v3_make(0, 0, 0);
}

/* Deep enough to touch at one end or both: the radius follows from the distance. */
static bool draw(drawn *x, int trial) {
    double size = trial % 3 ? 0.02 : 0.2;
    *x = (drawn){.plane = trial % 4 == 0};
    draw_side(x, 0, trial % 5 > 0, size), draw_side(x, 1, trial % 5 != 1 || x->plane, size);
    x->step.side[1].x[0] = v3_add(x->step.side[1].x[0], v3_make(4, 0, 0));
    x->step.side[1].x[1] = v3_add(x->step.side[1].x[1], v3_make(4, 0, 0));
    if (x->plane) x->point[1][1] = v3_normalize(chance_v3()), x->points[0] = 1, x->points[1] = 2;
    x->law.elastic = trial % 2 ? &ts_linear_penetration : &ts_hertz_penetration, x->law.unit = 1;
    if (trial % 3 == 2) x->law.elastic = &ts_barrier_penetration, x->law.unit = 4;
    x->law.stiffness = exp(2 * chance()), x->law.loss = trial % 7 ? fabs(chance()) : 0;
    x->law.grip = exp(2 * chance()), x->law.viscous = trial % 6 ? 0 : 0.1;
    x->law.rubbing = (ts_rubbing){0.8, 0.6, trial % 8 ? 0 : 1};
    if (trial % 11 > 3) x->law.rolling = 0.1, x->law.spinning = 0.2, x->law.twist = exp(chance());
    x->step.h = 0.1, x->step.before.approach = 0.3 + 0.2 * chance();
    x->step.before.stuck = trial % 9 > 4;
    x->radius[0] = x->radius[1] = 1e-9;
    if (!evaluate(x)) return false;
    double deep = fmax(x->step.gap.start, x->step.gap.end) + size * chance();
    if (x->plane && deep < 0) x->point[1][1] = v3_scale(-1, x->point[1][1]);
    if (x->plane && deep < 0) return draw(x, trial + 4 * 5 * 7 * 9);
    x->radius[0] = 0.7 * deep, x->radius[1] = 0.3 * deep;
    if (x->plane) x->radius[0] = deep;
    x->step.before.z = v3_scale(0.05, chance_v3());
    if (x->law.twist > 0 && x->step.side[0].turns && x->step.side[1].turns)
        x->step.before.turn = v3_scale(0.03, chance_v3());
    return deep > 0.1 && evaluate(x) && x->step.normal < 0;
}

/* What a pair pulls at the slots of a side with: place, three directors. */
static void slot_forces(const drawn *x, int side, v3 *F) {
    const ts_contact_step *s = &x->step;
    v3 friction = v3_scale(side ? -1 : 1, s->friction);
    F[0] = friction;
    for (int j = 0; j < 3; j++)
        F[1 + j] = v3_axpy(v3_get(s->arm[side], j), friction, s->twist[side].c[j]);
    for (int k = 0; k < s->gap.points; k++) {
        if (s->gap.of_b[k] != (side == 1)) continue;
        int point = s->gap.point[k];
        bool free = x->plane && side == 1 && point == 1;
        v3 f = v3_scale(s->normal, s->gap.gradient[k]), X = x->point[side][point];
        if (!free) F[0] = v3_add(F[0], f);
        for (int j = 0; j < 3 && s->side[side].turns; j++)
            F[1 + j] = v3_axpy(v3_get(X, j), f, F[1 + j]);
    }
}

static void balance(void **state) {
    (void)state;
    int tried = 0, stuck = 0, slipped = 0;
    for (int trial = 0; trial < 8000; trial++) {
        drawn x;
        if (!draw(&x, trial)) continue;
        const ts_contact_step *s = &x.step;
        double work = 0, size = 0;
        v3 force = {0, 0, 0}, moment = {0, 0, 0};
        for (int side = 0; side < 2; side++) {
            v3 F[SLOTS];
            const ts_carrier *c = &s->side[side];
            slot_forces(&x, side, F);
            work += v3_dot(F[0], v3_sub(c->x[1], c->x[0]));
            force = v3_add(force, F[0]);
            moment = v3_add(moment, v3_cross(v3_scale(0.5, v3_add(c->x[0], c->x[1])), F[0]));
            size = fmax(size, v3_norm(F[0]));
            for (int j = 0; j < 3 && c->turns; j++) {
                work += v3_dot(F[1 + j], v3_sub(c->D[1].c[j], c->D[0].c[j]));
                v3 d = v3_scale(0.5, v3_add(c->D[0].c[j], c->D[1].c[j]));
                moment = v3_add(moment, v3_cross(d, F[1 + j]));
            }
        }
        double before = ts_contact_energy(&x.law, s->gap.start, &s->before);
        double sum = before + s->stored + s->lost + s->rubbed;
        assert_true(fabs(work - (s->stored - before + s->lost + s->rubbed)) < 1e-13 * (sum + size));
        assert_true(s->lost >= -1e-16 * sum && s->rubbed >= -1e-15 * sum);
        assert_true(v3_norm(force) < 1e-14 * size && v3_norm(moment) < 1e-13 * (1 + size));
        assert_true(fabs(v3_dot(s->friction, s->gap.normal)) < 1e-13 * (1 + size));
        tried++, stuck += s->after.stuck, slipped += !s->after.stuck;
    }
    assert_true(tried > 5000 && stuck > 300 && slipped > 300);
}

/* A direction of the unknowns: a side is displaced or turned at the end of the step. */
static void move(drawn *x, int side, int axis, double by) {
    ts_carrier *s = &x->step.side[side];
    if (axis < 3)
        s->x[1] = v3_axpy(by, v3_axis(axis), s->x[1]);
    else
        s->D[1] = m3_mul(so3_exp(v3_scale(by, v3_axis(axis - 3))), s->D[1]);
}

static ts_contact_motion motion(const drawn *x, int side, int axis) {
    ts_contact_motion by = {0};
    const ts_contact_step *s = &x->step;
    if (axis < 3) by.x[side] = v3_axis(axis);
    if (axis >= 3) by.D[side] = m3_cross(v3_axis(axis - 3), s->side[side].D[1]);
    for (int k = 0; k < s->gap.points; k++) {
        int point = s->gap.point[k];
        if (s->gap.of_b[k] != (side == 1)) continue;
        bool free = x->plane && side == 1 && point == 1;
        by.point[k] =
            s->side[side].turns ? m3_apply(by.D[side], x->point[side][point]) : v3_make(0, 0, 0);
        if (!free) by.point[k] = v3_add(by.point[k], by.x[side]);
    }
    return by;
}

static bool same_branch(const drawn *x, const drawn *y) {
    bool same = x->step.gap.points == y->step.gap.points &&
                x->step.bristle.stuck == y->step.bristle.stuck &&
                (x->step.gap.end < 0) == (y->step.gap.end < 0) &&
                x->step.roll.stuck == y->step.roll.stuck &&
                x->step.spin.stuck == y->step.spin.stuck;
    for (int k = 0; same && k < x->step.gap.points; k++) /* parallel edges: it jumps along them */
        same = x->step.gap.point[k] == y->step.gap.point[k] &&
               fabs(x->step.gap.weight[k] - y->step.gap.weight[k]) < 1e-3;
    return same;
}

static void assert_slope(v3 told, v3 less, v3 more, double d, double scale) {
    v3 slope = v3_scale(0.5 / d, v3_sub(more, less));
    assert_true(v3_norm(v3_sub(told, slope)) < 2e-5 * (scale + v3_norm(slope)));
}

/* A bristle that breaks loose, or that is cut back, within d of here has no slope. */
static void assert_twists(const ts_contact_step *x, const ts_contact_step *less,
                          const ts_contact_step *more, const ts_contact_change *c, double d) {
    double scale = x->law->stiffness + x->law->twist;
    for (int k = 0; k < 6; k++) {
        v3 here = x->twist[k / 3].c[k % 3], a = less->twist[k / 3].c[k % 3],
           b = more->twist[k / 3].c[k % 3];
        v3 bend = v3_sub(v3_sub(b, here), v3_sub(here, a));
        if (v3_norm(bend) > 1e-3 * d * scale) continue;
        assert_slope(c->twist[k / 3].c[k % 3], a, b, d, scale);
    }
}

static void slopes(void **state) {
    (void)state;
    const double d = 1e-6;
    int tried = 0;
    for (int trial = 0; trial < 3000; trial++) {
        drawn x, y[2];
        if (!draw(&x, trial)) continue;
        for (int i = 0; i < 12; i++) {
            int side = i / 6, axis = i % 6;
            if (axis >= 3 && !x.step.side[side].turns) continue;
            for (int k = 0; k < 2; k++)
                y[k] = x, move(&y[k], side, axis, k ? d : -d), evaluate(&y[k]);
            if (!same_branch(&x, &y[0]) || !same_branch(&x, &y[1])) continue;
            ts_contact_motion by = motion(&x, side, axis);
            ts_contact_change c;
            ts_contact_moved(&x.step, &by, &c);
            double scale = x.law.stiffness + x.law.grip;
            for (int k = 0; k < x.step.gap.points; k++)
                assert_slope(c.force[k], v3_scale(y[0].step.normal, y[0].step.gap.gradient[k]),
                             v3_scale(y[1].step.normal, y[1].step.gap.gradient[k]), d, scale);
            assert_slope(c.friction, y[0].step.friction, y[1].step.friction, d, scale);
            for (int k = 0; k < 2; k++)
                assert_slope(c.arm[k], y[0].step.arm[k], y[1].step.arm[k], d, 1);
            assert_twists(&x.step, &y[0].step, &y[1].step, &c, d);
            tried++;
        }
    }
    assert_true(tried > 10000);
}

/* ---- statics ---- */

/* The equilibrium at the end of the step of x: the gap of the end, at rest; sides with the end as
 * their mean. */
static bool rest(const drawn *x, drawn *out) {
    ts_carrier given[2] = {x->step.side[0], x->step.side[1]};
    *out = *x;
    out->step.still = true;
    for (int s = 0; s < 2; s++)
        out->step.side[s].x[0] = given[s].x[1], out->step.side[s].D[0] = given[s].D[1];
    if (!evaluate(out)) return false;
    for (int s = 0; s < 2; s++) {
        ts_carrier *c = &out->step.side[s];
        v3 dx = v3_sub(given[s].x[1], given[s].x[0]);
        m3 dD = m3_sub(given[s].D[1], given[s].D[0]);
        for (int end = 0; end < 2; end++) {
            c->x[end] = v3_axpy(end - 0.5, dx, given[s].x[1]);
            c->D[end] = m3_axpy(end - 0.5, dD, given[s].D[1]);
        }
    }
    ts_contact_over(&out->step);
    return true;
}

/* The force of an equilibrium is the slope of the energy by the gap, its sides pull at one place,
 * and friction is the force of the bristle as it is bent at the end. */
static void rests(void **state) {
    (void)state;
    int tried = 0;
    for (int trial = 0; trial < 3000; trial++) {
        drawn x, r;
        double d = 1e-6;
        if (!draw(&x, trial) || !rest(&x, &r) || r.step.gap.end > -1e-3) continue;
        const ts_contact_step *s = &r.step;
        ts_contact_memory none = {0};
        double slope = (ts_contact_energy(&r.law, s->gap.end + d, &none) -
                        ts_contact_energy(&r.law, s->gap.end - d, &none)) /
                       (2 * d);
        assert_true(fabs(slope - s->normal) < 1e-6 * (r.law.stiffness + fabs(slope)));
        v3 at[2];
        for (int k = 0; k < 2; k++)
            at[k] = v3_add(x.step.side[k].x[1], m3_apply(x.step.side[k].D[1], s->arm[k]));
        if (s->side[0].turns && s->side[1].turns)
            assert_true(v3_norm(v3_sub(at[0], at[1])) < 1e-13 * (1 + v3_norm(at[0])));
        double bent = r.law.grip * v3_norm(s->after.z);
        assert_true(fabs(v3_norm(s->friction) - bent) < 1e-12 * (1 + bent));
        tried++;
    }
    assert_true(tried > 1000);
}

static void slopes_at_rest(void **state) {
    (void)state;
    const double d = 1e-6;
    int tried = 0;
    for (int trial = 0; trial < 3000; trial++) {
        drawn x, r, moved, y[2];
        if (!draw(&x, trial) || !rest(&x, &r) || r.step.gap.end > -1e-3) continue;
        for (int i = 0; i < 12; i++) {
            int side = i / 6, axis = i % 6;
            if (axis >= 3 && !x.step.side[side].turns) continue;
            for (int k = 0; k < 2; k++)
                moved = x, move(&moved, side, axis, k ? d : -d), rest(&moved, &y[k]);
            if (!same_branch(&r, &y[0]) || !same_branch(&r, &y[1])) continue;
            drawn at_end = x;
            at_end.step.gap = r.step.gap;
            ts_contact_motion by = motion(&at_end, side, axis);
            ts_contact_change c;
            ts_contact_moved(&r.step, &by, &c);
            double scale = x.law.stiffness + x.law.grip;
            for (int k = 0; k < r.step.gap.points; k++)
                assert_slope(c.force[k], v3_scale(y[0].step.normal, y[0].step.gap.gradient[k]),
                             v3_scale(y[1].step.normal, y[1].step.gap.gradient[k]), d, scale);
            assert_slope(c.friction, y[0].step.friction, y[1].step.friction, d, scale);
            for (int k = 0; k < 2; k++)
                assert_slope(c.arm[k], y[0].step.arm[k], y[1].step.arm[k], d, 1);
            assert_twists(&r.step, &y[0].step, &y[1].step, &c, d);
            tried++;
        }
    }
    assert_true(tried > 5000);
}

/* Hunt and Crossley's damping gives the restitution that is asked for: a ball on a plane, in a
 * thousand steps by an explicit rule, and the closed equation's own numbers. */
static void restitution(void **state) {
    (void)state;
    assert_true(fabs(ts_restitution_loss(0.8) - 0.3731) < 5e-5);
    assert_true(fabs(ts_restitution_loss(0.3) - 3.0871) < 5e-5);
    assert_true(ts_restitution_loss(1) == 0);
    for (int i = 0; i < 6; i++) {
        double e = 0.1 + 0.15 * i, c = ts_restitution_loss(e), y = 0, v = 1, h = 1e-5;
        const ts_penetration *law = i % 2 ? &ts_linear_penetration : &ts_hertz_penetration;
        do { /* the midpoint rule */
            double slope, ym = y + 0.5 * h * v;
            double vm = v - 0.5 * h * law->force(ym, ym, &slope) * fmax(1 + c * v, 0);
            v -= h * law->force(ym, ym, &slope) * fmax(1 + c * vm, 0), y += h * vm;
        } while (y > 0);
        assert_true(fabs(-v - e) < 1e-3);
    }
}

/* f (b - a) = V(b) - V(a) in relative terms, over 14 decades of steps, below, within and beyond the
 * barrier; its slope is that of differences. */
static void barrier(void **state) {
    (void)state;
    const ts_penetration *law = &ts_barrier_penetration;
    for (int i = 0; i < 20000; i++) {
        double a = 0.5 + 0.7 * chance(), slope, unused;
        double b = i % 3 ? a + pow(10, -7 + 7 * chance()) * chance() : 0.5 + 0.7 * chance();
        double f = law->force(a, b, &slope), change = law->energy(b) - law->energy(a);
        double scale = law->energy(a) + law->energy(b);
        assert_true(fabs(f * (b - a) - change) <= 1e-13 * (scale + fabs(change)));
        assert_true(fabs(f - law->force(b, a, &unused)) <= 1e-12 * (fabs(f) + 1e-12));
        if (fabs(b - a) < 1e-3 || fabs(b - 0.999) < 1e-3 || fabs(b) < 1e-3) continue;
        double d = 1e-6, steep = law->force(a, b + d, &unused) - law->force(a, b - d, &unused);
        assert_true(fabs(steep / (2 * d) - slope) <= 1e-4 * (1 + fabs(slope)));
    }
    for (double a = 0.01; a < 0.999; a += 0.01) { /* both ends alike: V', and half of V'' */
        double slope, f = law->force(a, a, &slope), exact = -2 * a * log(1 - a) + a * a / (1 - a);
        assert_true(fabs(f - exact) <= 1e-13 * exact);
        assert_true(fabs(slope - 0.5 * law->stiffness(a)) <= 1e-12 * slope);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barrier), cmocka_unit_test(balance),        cmocka_unit_test(slopes),
        cmocka_unit_test(rests),   cmocka_unit_test(slopes_at_rest), cmocka_unit_test(restitution)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
