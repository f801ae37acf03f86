/* SPDX-License-Identifier: Apache-2.0 */
/* Sites at a configuration, over a step, at rest and at an instant (src/system/site.h): forms and
 * rates by both ways, weights, rates of row laws against differences, dampers at an instant against
 * closed forms.
 */
#include "scene.h"

/* A bob on a spring with a damper; lengths in units of L, times in units of T. */
static void spring_scene(scene *s, double L, double speed, const char *more) {
    scene_read(
        s,
        scene_write(
            SCENE_HEAD
            "bodies: {bob: {mass: 1, inertia: [1, 1, 1], position: [%.17g, 0, 0], "
            "velocity: [%.17g, %.17g, 0]}}\n"
            "springs: {s: {bodies: [ground, bob], from: [0, 0, 0], to: [%.17g, 0, 0], stiffness: "
            "40, %s}}\n",
            L, speed, 0.3 * speed, L, more));
    assert_int_equal(ts_system_new(&s->system, s->model), 0);
    ts_system_begin(s->system);
}

static void take_view(const scene *s, const ts_site *site, ts_site_view *at) {
    ts_site_look(s->model, site, s->system->state.q, s->system->state.v, at);
}

/* Force along the line of a spring from the weight of its form: |B| is de/dl. */
static double along(const scene *s, const ts_site *site, const ts_site_view *at, double weight) {
    double room[3 * TS_MAX_SLOTS];
    const double *B = ts_site_spread(s->model, site, at->B[0], room);
    int bob = 3 * s->model->nodes[s->model->site_nodes[site->node]].slots;
    return weight * v3_norm(v3_load(B + bob));
}

static double damping_at(const scene *s, const ts_site *site, const ts_site_view *at, double t) {
    double force = 0;
    ts_site_damping(s->model, site, ts_past_of(&s->system->state), t, at->e, at->rate, &force);
    return along(s, site, at, force);
}

/* c dl/dt, whatever the unit of length or time, and late in a run. */
static void linear_damper(void **state) {
    (void)state;
    for (double L = 1e-6; L < 1e7; L *= 1e3)
        for (double speed = 1e-9; speed < 1e4; speed *= 1e3) {
            scene s;
            ts_site_view at;
            spring_scene(&s, L, speed, "damping: 3");
            const ts_site *site = &s.model->sites[s.model->sites_count - 1];
            take_view(&s, site, &at);
            assert_near(damping_at(&s, site, &at, 1e6), 3 * speed, 1e-12 * 3 * speed);
            double C;
            assert_true(
                ts_site_damping_slope(s.model, site, ts_past_of(&s.system->state), 0, at.e, &C));
            double unit = along(&s, site, &at, 1);
            assert_near(C * unit * unit, 3, 1e-9);
            scene_close(&s);
        }
}

/* Hunt and Crossley at a stop that is pressed in by a millionth of the length: (3/2) a f(p)
 * dp/dt. */
static void stop_just_touched(void **state) {
    (void)state;
    for (double p = 1e-2; p > 1e-8; p *= 0.1) {
        char more[160];
        scene s;
        ts_site_view at;
        snprintf(more, sizeof more,
                 "stop_max: %.17g, stop_modulus: 0.75, stop_radius: 4, stop_dissipation: 0.4",
                 2.0 - p);
        spring_scene(&s, 2, 0.5, more);
        const ts_site *site = &s.model->sites[s.model->sites_count - 1];
        take_view(&s, site, &at);
        double pressed = 2.0 - (2.0 - p), force = 2 * pow(pressed, 1.5);
        double lost = 1e-9 + 1e-15 / p; /* of the penetration, to round-off of the length */
        assert_near(damping_at(&s, site, &at, 0), 0.6 * force * 0.5, 0.3 * force * lost * 10);
        scene_close(&s);
    }
}

/* A damper whose force goes with the square of the rate, and with e: c e |e'| e'. */
static void square_respond(const ts_law_step *step, ts_response *out) {
    double rate = ts_step_rate(step), jump = step->e_f[0] - step->e_i[0], v = rate * jump;
    double e = 0.5 * (step->e_i[0] + step->e_f[0]);
    *out = (ts_response){0};
    out->s[0] = 100 * e + step->data[0] * e * fabs(v) * v;
    out->ds[0] = 50 + step->data[0] * (0.5 * fabs(v) * v + 2 * e * fabs(v) * rate);
    out->dissipated = step->data[0] * e * fabs(v) * v * jump;
}

static void nonlinear_damper(void **state) {
    (void)state;
    static const ts_law SQUARE = {.name = "square", .respond = square_respond};
    for (double v = 1e-6; v < 1e6; v *= 10) {
        double c = 7, e = 1.3, s = 0, memory = 0;
        ts_past past = {.memory = &memory};
        int signal = 0;
        ts_form form = {0};
        ts_model model = {.forms = &form, .numbers = &c, .site_signals = &signal};
        ts_site site = {.role = TS_ROLE_LAW, .forms = 1, .law = &SQUARE};
        assert_true(ts_site_damping(&model, &site, past, 3, &e, &v, &s));
        double elastic = 100 * e * 1e-14;
        assert_near(s, c * e * v * v, 1e-9 * c * e * v * v + elastic);
        v = -v, s = 0;
        assert_true(ts_site_damping(&model, &site, past, 3, &e, &v, &s));
        assert_near(s, -c * e * v * v, 1e-9 * c * e * v * v + elastic);
        v = -v;
    }
}

/* No damper, no damping: also beside a motor whose signal bends. */
static void springs_and_motors_do_not_damp(void **state) {
    (void)state;
    scene s;
    double none[TS_MAX_FORMS] = {0}, C[TS_MAX_FORMS * TS_MAX_FORMS];
    scene_read(&s, SCENE_HEAD
               "bodies: {b: {mass: 1, inertia: [1, 2, 3], angular_velocity: [0, 0, 2]}}\n"
               "joints: {j: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: z}}\n"
               "springs: {s: {type: torsion_spring, joint: j, stiffness: 30}}\n"
               "loads: {m: {type: motor, joint: j, torque: 'sin(1000*t)'}}\n");
    assert_int_equal(ts_system_new(&s.system, s.model), 0);
    ts_system_begin(s.system);
    for (int i = 0; i < s.model->sites_count; i++) {
        const ts_site *site = &s.model->sites[i];
        ts_site_view at;
        if (site->role != TS_ROLE_LAW) continue;
        take_view(&s, site, &at);
        ts_past past = ts_past_of(&s.system->state);
        assert_false(ts_site_damping(s.model, site, past, 0.3, at.e, at.rate, none));
        assert_false(ts_site_damping_slope(s.model, site, past, 0.3, at.e, C));
        assert_true(none[0] == 0 && none[1] == 0);
    }
    scene_close(&s);
}

/* dy/dt of an angle against the difference of y between two configurations a moment apart. */
static void rates_of_row_laws(void **state) {
    (void)state;
    scene s;
    scene_read(&s, SCENE_HEAD
               "bodies: {b: {mass: 1, inertia: [1, 2, 3], angular_velocity: [0, 0, 2]}}\n"
               "joints: {j: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: z}}\n"
               "motions: {m: {joint: j, angle: '0.1*t'}}\n");
    assert_int_equal(ts_system_new(&s.system, s.model), 0);
    ts_system_begin(s.system);
    int found = 0;
    for (int i = 0; i < s.model->sites_count; i++) {
        const ts_site *site = &s.model->sites[i];
        if (!site->rowlaw) continue;
        double d = 1e-5, e[2][TS_MAX_FORMS], *q = s.system->state.q, *v = s.system->state.v;
        ts_site_view at;
        ts_row_response now, side[2];
        take_view(&s, site, &at);
        for (int k = 0; k < 2; k++) {
            for (int n = 0; n < 3 * s.model->slots; n++) q[n] += (k ? 2 * d : -d) * v[n];
            ts_site_values(s.model, site, q, e[k]);
        }
        for (int k = 0; k < 2; k++) {
            ts_law_step step =
                ts_site_over(s.model, site, ts_past_of(&s.system->state), at.e, e[k], 0, 0);
            site->rowlaw->respond(&step, &side[k]);
        }
        ts_law_step rest = ts_site_rest(s.model, site, ts_past_of(&s.system->state), at.e, 0);
        site->rowlaw->respond(&rest, &now);
        assert_near(ts_row_rate(site->forms, &now, at.rate), (side[1].y - side[0].y) / (2 * d),
                    1e-8);
        assert_near(fabs(ts_row_rate(site->forms, &now, at.rate)), 2, 1e-14);
        found++;
    }
    assert_int_equal(found, 1);
    scene_close(&s);
}

/* Values and rates by kernels and by forms; stress at rest against differences of energy, its slope
 * twice ds. */
static void beams_both_ways(void **state) {
    (void)state;
    scene s;
    scene_read(
        &s, SCENE_HEAD
        "sections: {bar: {EA: 2e6, GA2: 8e5, GA3: 8e5, GJ: 100, EI2: 200, EI3: 300, mass: 1, "
        "inertia: [0.01, 0.01]}}\n"
        "beams: {b: {from: [0, 0, 0], to: [1, 0.2, 0], elements: 3, order: 2, section: bar, "
        "damping: 1 ms}}\n");
    assert_int_equal(ts_system_new(&s.system, s.model), 0);
    for (int i = 0; i < 3 * s.model->slots; i++)
        s.system->state.q[i] += 1e-3 * chance(), s.system->state.v[i] = chance();
    for (int i = 0; i < s.model->sites_count; i++) {
        const ts_site *site = &s.model->sites[i];
        double e[TS_MAX_FORMS], rate[TS_MAX_FORMS], stress[TS_MAX_FORMS];
        ts_site_view at;
        ts_response r;
        if (!site->forms) continue;
        take_view(&s, site, &at);
        ts_site_values(s.model, site, s.system->state.q, e);
        ts_site_rates(s.model, site, s.system->state.q, s.system->state.v, rate);
        for (int k = 0; k < site->forms; k++)
            assert_near(e[k], at.e[k], 1e-13), assert_near(rate[k], at.rate[k], 1e-12);
        ts_law_step rest = ts_site_rest(s.model, site, ts_past_of(&s.system->state), e, 0);
        ts_site_weights_at_rest(site, &rest, NULL, stress);
        site->law->respond(&rest, &r);
        for (int k = 0; k < site->forms; k++) {
            double V[2], size = 0, d = 1e-6, saved = e[k];
            for (int side = 0; side < 2; side++) {
                e[k] = saved + (side ? d : -d);
                V[side] = site->law->energy(rest.data, rest.memory, site->forms, e);
                size = fmax(size, fabs(V[side]));
            }
            e[k] = saved;
            double stiffness = fabs(r.ds[k * site->forms + k]);
            assert_near(stress[k], (V[1] - V[0]) / (2 * d), 1e-9 * size / d + 1e-6 * stiffness);
        }
    }
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_damper),     cmocka_unit_test(stop_just_touched),
        cmocka_unit_test(nonlinear_damper),  cmocka_unit_test(springs_and_motors_do_not_damp),
        cmocka_unit_test(rates_of_row_laws), cmocka_unit_test(beams_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
