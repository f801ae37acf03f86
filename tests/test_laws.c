/* SPDX-License-Identifier: Apache-2.0 */
/* Laws over a step: (L), exact derivatives, no loss of digits in small steps; the angle row with
 * (Z); signals and their rates. */
#include "laws/angle.h"
#include "rig.h"

/* ---- a law, as it hangs on a site of a model ---- */

typedef struct bench {
    rig r;
    const ts_site *site;
    double memory[4];
} bench;

static void bench_take_newest(bench *b) {
    b->site = &b->r.model->sites[b->r.model->sites_count - 1];
    assert_non_null(b->site->law);
}

static ts_law_step make_step(const bench *b, const double *e_i, const double *e_f, double h) {
    return (ts_law_step){.m = b->site->forms,
                         .data = b->r.model->numbers + b->site->data,
                         .memory = b->memory,
                         .e_i = e_i,
                         .e_f = e_f,
                         .t_i = 0.7,
                         .t_f = 0.7 + h,
                         .signals = b->r.model->signals,
                         .signal = b->r.model->site_signals + b->site->signal};
}

static double stored_at(const bench *b, const ts_law_step *step, const double *e, double *size) {
    double memory[4];
    memcpy(memory, b->memory, sizeof memory);
    if (e == step->e_f && b->site->law->commit) b->site->law->commit(step, memory);
    double V = b->site->law->energy(step->data, memory, step->m, e);
    *size += fabs(V);
    return V;
}

/* (L), dissipation, and the stored energy. */
static void check_account(const bench *b, const double *e_i, const double *e_f) {
    ts_law_step step = make_step(b, e_i, e_f, 1e-2);
    ts_response out;
    b->site->law->respond(&step, &out);
    double size = 1, V_i = stored_at(b, &step, e_i, &size), V_f = stored_at(b, &step, e_f, &size);
    double left = 0;
    for (int k = 0; k < step.m; k++) {
        left += out.s[k] * (e_f[k] - e_i[k]);
        size += fabs(out.s[k]) * (fabs(e_f[k]) + fabs(e_i[k]));
    }
    assert_near(left, V_f - V_i + out.dissipated - out.work, 2e-14 * size);
    assert_near(out.stored, V_f, 1e-14 * size);
    assert_true(out.dissipated >= 0);
}

/* s at e_f moved by d along form k */
static void stress_moved(const bench *b, const double *e_i, const double *e_f, int k, double d,
                         double *s) {
    double e[TS_MAX_FORMS];
    memcpy(e, e_f, sizeof *e * (size_t)b->site->forms);
    e[k] += d;
    ts_law_step step = make_step(b, e_i, e, 0.3);
    ts_response out;
    b->site->law->respond(&step, &out);
    memcpy(s, out.s, sizeof out.s);
}

/* Against differences of fourth order. */
static void check_derivative(const bench *b, const double *e_i, const double *e_f) {
    static const double weight[4] = {1, -8, 8, -1}, place[4] = {-2, -1, 1, 2};
    ts_law_step step = make_step(b, e_i, e_f, 0.3);
    ts_response out;
    b->site->law->respond(&step, &out);
    double d = 3e-5, size = 1;
    for (int k = 0; k < step.m * step.m; k++) size = fmax(size, fabs(out.ds[k]));
    for (int k = 0; k < step.m; k++) {
        double slope[TS_MAX_FORMS] = {0}, s[TS_MAX_FORMS];
        for (int n = 0; n < 4; n++) {
            stress_moved(b, e_i, e_f, k, place[n] * d, s);
            for (int j = 0; j < step.m; j++) slope[j] += weight[n] * s[j] / (12 * d);
        }
        for (int j = 0; j < step.m; j++) assert_near(out.ds[j * step.m + k], slope[j], 1e-9 * size);
    }
}

/* The stress of a tiny step is the one of no step: nothing is lost by dividing small differences.
 * */
static void check_small_step(const bench *b, const double *e_i, const double *e_f, double d) {
    double near[TS_MAX_FORMS];
    ts_law_step step = make_step(b, e_i, e_i, 1e3);
    ts_response still, moved;
    b->site->law->respond(&step, &still);
    for (int k = 0; k < step.m; k++) near[k] = e_i[k] + d * (e_f[k] - e_i[k]);
    step.e_f = near;
    b->site->law->respond(&step, &moved);
    double size = 1;
    for (int k = 0; k < step.m * step.m; k++) size = fmax(size, fabs(still.ds[k]));
    for (int k = 0; k < step.m; k++) size = fmax(size, fabs(still.s[k]));
    for (int k = 0; k < step.m; k++)
        assert_near(moved.s[k], still.s[k], size * (20 * step.m * d + 1e-14));
}

static void check_stiffness(const bench *b, const double *e) {
    double K[TS_MAX_FORMS * TS_MAX_FORMS], x[TS_MAX_FORMS], sum = 0;
    int m = b->site->forms;
    if (!b->site->law->stiffness) return;
    b->site->law->stiffness(b->r.model->numbers + b->site->data, b->memory, m, e, K);
    for (int k = 0; k < m; k++) x[k] = rig_random();
    for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++) {
            sum += x[j] * K[j * m + k] * x[k];
            assert_near(K[j * m + k], K[k * m + j], 1e-10 * (1 + fabs(K[j * m + k])));
        }
    assert_true(sum > -1e-9);
}

static void start_memory(bench *b, const double *e) {
    const ts_law *law = b->site->law;
    if (law->begin) law->begin(b->r.model->numbers + b->site->data, e, b->memory);
}

static void check_law(bench *b, void (*sample)(double step, double *e_i, double *e_f)) {
    double e_i[TS_MAX_FORMS], e_f[TS_MAX_FORMS];
    for (int n = 0; n < 400; n++) {
        sample(pow(10, -(n % 16)), e_i, e_f);
        start_memory(b, e_i);
        check_account(b, e_i, e_f);
        check_stiffness(b, e_i);
        sample(1, e_i, e_f);
        start_memory(b, e_i);
        check_derivative(b, e_i, e_f);
        check_small_step(b, e_i, e_f, pow(10, -3 - n % 12));
    }
}

/* ---- samples of forms ---- */

static void sample_half_squared_length(double step, double *e_i, double *e_f) {
    double l_i = 1 + 0.8 * rig_random(), l_f = l_i + 0.8 * step * rig_random();
    l_i = fmax(l_i, 0.3), l_f = fmax(l_f, 0.3);
    e_i[0] = 0.5 * l_i * l_i, e_f[0] = 0.5 * l_f * l_f;
}

static void sample_displacement(double step, double *e_i, double *e_f) {
    e_i[0] = rig_random(), e_f[0] = e_i[0] + step * rig_random();
}

static void sample_angle(double step, double *e_i, double *e_f) {
    double a = 3.1 * rig_random(), b = a + 2 * step * rig_random();
    e_i[0] = cos(a), e_i[1] = sin(a), e_f[0] = cos(b), e_f[1] = sin(b);
}

static void bushing_forms(v3 u, m3 R, double *e) {
    v3_store(e, u);
    e[3] = 0.5 * (R.c[1].z - R.c[2].y), e[4] = 0.5 * (R.c[2].x - R.c[0].z);
    e[5] = 0.5 * (R.c[0].y - R.c[1].x), e[6] = 0.5 * (R.c[0].x + R.c[1].y + R.c[2].z - 1);
}

static void sample_bushing(double step, double *e_i, double *e_f) {
    v3 u = rig_vector(), psi = v3_scale(1.2, rig_vector());
    m3 R = so3_exp(psi), turn = so3_exp(v3_scale(0.5 * step, rig_vector()));
    bushing_forms(u, R, e_i);
    bushing_forms(v3_axpy(step, rig_vector(), u), m3_mul(turn, R), e_f);
}

/* ---- springs and motors ---- */

enum { NO_STOPS, LINEAR_STOPS, HERTZ_STOPS };

static void give_elastic(rig *r, int stops) {
    rig_number(r, "stiffness", 30);
    rig_number(r, "damping", 0.5);
    rig_number(r, "preload", 2);
    rig_number(r, "cubic", 12);
    if (!stops) return;
    rig_number(r, "stop_min", 0.6);
    rig_number(r, "stop_max", 1.1);
    if (stops == LINEAR_STOPS) {
        rig_number(r, "stop_stiffness", 50);
        rig_number(r, "stop_damping", 0.7);
    } else {
        rig_number(r, "stop_modulus", 80);
        rig_number(r, "stop_radius", 0.25);
        rig_number(r, "stop_dissipation", 0.3);
    }
}

static void springs_between_points(void **state) {
    (void)state;
    for (int stops = NO_STOPS; stops <= HERTZ_STOPS; stops++) {
        bench b = {0};
        rig_start(&b.r);
        rig_kind(&b.r, "springs", NULL);
        rig_nodes(&b.r, "bodies", b.r.A, b.r.B);
        rig_v3(&b.r, "from", v3_make(0, 0, 0));
        rig_v3(&b.r, "to", v3_make(0, 0, 1));
        give_elastic(&b.r, stops);
        rig_number(&b.r, "free_length", 0.9);
        rig_build(&b.r);
        bench_take_newest(&b);
        check_law(&b, sample_half_squared_length);
        rig_end(&b.r);
    }
}

static void spring_of_no_length_stays_finite(void **state) {
    (void)state;
    bench b = {0};
    rig_start(&b.r);
    rig_kind(&b.r, "springs", "spring");
    rig_nodes(&b.r, "bodies", b.r.A, 0);
    rig_v3(&b.r, "from", v3_make(0, 0, 0));
    rig_v3(&b.r, "to", v3_make(0, 0, 1));
    rig_number(&b.r, "stiffness", 30);
    rig_build(&b.r);
    bench_take_newest(&b);
    double zero = 0, e = 0.5, below = -1e-18;
    check_account(&b, &zero, &e);
    check_account(&b, &e, &zero);
    check_account(&b, &zero, &zero);
    check_account(&b, &below, &zero);
    rig_end(&b.r);
}

static void springs_in_joints(void **state) {
    (void)state;
    for (int n = 0; n < 5; n++) {
        bench b = {0};
        rig_start(&b.r);
        int joint = rig_add_joint(&b.r, "cylindrical");
        bool turn = n < 2; /* without Hertz' law */
        rig_kind(&b.r, "springs", turn ? "torsion_spring" : "joint_spring");
        rig_joint(&b.r, joint);
        give_elastic(&b.r, turn ? n : n - 2);
        rig_number(&b.r, turn ? "free_angle" : "free_displacement", 0.3);
        rig_build(&b.r);
        bench_take_newest(&b);
        check_law(&b, turn ? sample_angle : sample_displacement);
        rig_end(&b.r);
    }
}

/* A stop at zero by Hertz' law, E* = 3/4, R = 4: force 2 p^1.5, energy 0.8 p^2.5. */
static void hertz_bench(bench *b, double dissipation) {
    rig_start(&b->r);
    int joint = rig_add_joint(&b->r, "prismatic");
    rig_kind(&b->r, "springs", "joint_spring");
    rig_joint(&b->r, joint);
    rig_number(&b->r, "stop_max", 0);
    rig_number(&b->r, "stop_modulus", 0.75);
    rig_number(&b->r, "stop_radius", 4);
    if (dissipation > 0) rig_number(&b->r, "stop_dissipation", dissipation);
    rig_build(&b->r);
    bench_take_newest(b);
}

static double hertz_response(const bench *b, double y_i, double y_f, ts_response *out) {
    ts_law_step step = make_step(b, &y_i, &y_f, 1e-2);
    b->site->law->respond(&step, out);
    return out->s[0];
}

/* (L) in relative terms, over 16 decades of penetrations and of steps: in, out, within, to and from
 * the very surface. */
static void hertz_keeps_the_account(void **state) {
    (void)state;
    for (int lossy = 0; lossy < 2; lossy++) {
        bench b = {0};
        hertz_bench(&b, 0.4 * lossy);
        for (int n = 0; n < 4000; n++) {
            double scale = pow(10, -(n % 16)), y_i = scale * rig_random(), y_f = -y_i;
            if (n % 5 == 1) y_f = scale * rig_random();
            if (n % 5 == 2) y_f = y_i * (1 + 1e-3 * rig_random());
            if (n % 5 == 3) y_f = 0;
            if (n % 5 == 4) y_f = y_i, y_i = 0;
            ts_response out;
            double s = hertz_response(&b, y_i, y_f, &out);
            double V_i = y_i > 0 ? 0.8 * pow(y_i, 2.5) : 0, V_f = y_f > 0 ? 0.8 * pow(y_f, 2.5) : 0;
            assert_near(s * (y_f - y_i), V_f - V_i + out.dissipated,
                        4e-15 * (V_i + V_f + out.dissipated));
            assert_near(out.stored, V_f, 2e-15 * V_f);
            assert_true(out.dissipated >= 0 && isfinite(out.ds[0]));
            assert_true(lossy || out.dissipated == 0);
            if (y_i <= 0 && y_f <= 0) assert_true(s == 0 && out.ds[0] == 0);
        }
        rig_end(&b.r);
    }
}

/* No step, and the law is what the books say; Hunt and Crossley's factor is 1 + (3/2) a v. */
static void hertz_at_a_point(void **state) {
    (void)state;
    bench b = {0}, lossy = {0};
    hertz_bench(&b, 0);
    hertz_bench(&lossy, 0.4);
    for (double p = 1e-12; p < 2; p *= 7) {
        ts_response out;
        double K, v = 1e-3, d = v * 1e-2 * p, force = 2 * pow(p, 1.5);
        assert_near(hertz_response(&b, p, p, &out), force, 1e-15 * force);
        b.site->law->stiffness(b.r.model->numbers + b.site->data, b.memory, 1, &p, &K);
        assert_near(K, 3 * sqrt(p), 1e-15 * K);
        assert_near(out.ds[0], 0.5 * K, 1e-15 * K);
        double s = hertz_response(&lossy, p - d, p + d, &out);
        assert_near(s, force * (1 + 0.6 * 2 * d / 1e-2), 1e-9 * force);
    }
    rig_end(&b.r), rig_end(&lossy.r);
}

static void torsion_spring_counts_turns(void **state) {
    (void)state;
    bench b = {0};
    rig_start(&b.r);
    int joint = rig_add_joint(&b.r, "revolute");
    rig_kind(&b.r, "springs", "torsion_spring");
    rig_joint(&b.r, joint);
    rig_number(&b.r, "stiffness", 2);
    rig_build(&b.r);
    bench_take_newest(&b);
    double e_i[2] = {1, 0}, e_f[2], stored = 0, work = 0;
    start_memory(&b, e_i);
    for (int n = 1; n <= 40; n++) {
        ts_response out;
        e_f[0] = cos(0.5 * n), e_f[1] = sin(0.5 * n);
        ts_law_step step = make_step(&b, e_i, e_f, 0.1);
        b.site->law->respond(&step, &out);
        work += out.s[0] * (e_f[0] - e_i[0]) + out.s[1] * (e_f[1] - e_i[1]);
        stored = out.stored;
        b.site->law->commit(&step, b.memory);
        memcpy(e_i, e_f, sizeof e_i);
    }
    assert_near(b.memory[0], 20, 1e-12);
    assert_near(stored, 400, 1e-10);
    assert_near(work, 400, 1e-10);
    rig_end(&b.r);
}

static void motors(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        bench b = {0};
        rig_start(&b.r);
        int joint = rig_add_joint(&b.r, "screw");
        rig_kind(&b.r, "loads", "motor");
        rig_joint(&b.r, joint);
        rig_value(&b.r, n ? "torque" : "force")->signal[0] = ts_signal_constant(3);
        rig_build(&b.r);
        bench_take_newest(&b);
        check_law(&b, n ? sample_angle : sample_displacement);
        rig_end(&b.r);
    }
}

/* K = G G^T + small; C has this form, too, but is not symmetric. */
static void give_bushing(rig *r) {
    double G[36];
    double *K = rig_value(r, "stiffness")->number, *C = rig_value(r, "damping")->number;
    for (int k = 0; k < 36; k++) G[k] = rig_random();
    for (int j = 0; j < 6; j++)
        for (int k = 0; k < 6; k++) {
            for (int l = 0; l < 6; l++) K[6 * j + k] += 10 * G[6 * j + l] * G[6 * k + l];
            C[6 * j + k] = 0.01 * K[6 * j + k] + 0.001 * (j - k);
        }
}

static void bushing(void **state) {
    (void)state;
    bench b = {0};
    rig_start(&b.r);
    rig_kind(&b.r, "springs", "bushing");
    rig_nodes(&b.r, "bodies", b.r.A, b.r.B);
    rig_v3(&b.r, "at", rig_vector());
    rig_v3(&b.r, "axis", v3_normalize(rig_vector()));
    give_bushing(&b.r);
    rig_build(&b.r);
    bench_take_newest(&b);
    assert_int_equal(b.site->forms, 7);
    check_law(&b, sample_bushing);
    rig_end(&b.r);
}

/* The energy is that of the rotation vector, whatever the angle. */
static void bushing_energy_is_quadratic_in_the_rotation_vector(void **state) {
    (void)state;
    bench b = {0};
    rig_start(&b.r);
    rig_kind(&b.r, "springs", "bushing");
    rig_nodes(&b.r, "bodies", b.r.A, b.r.B);
    rig_v3(&b.r, "at", rig_vector());
    give_bushing(&b.r);
    rig_build(&b.r);
    bench_take_newest(&b);
    const double *K = b.r.model->numbers + b.site->data;
    double angles[] = {0, 1e-12, 1e-6, 1e-3, 0.1, 0.6, 0.65, 1, 2, 3, 3.1};
    for (size_t n = 0; n < sizeof angles / sizeof *angles; n++) {
        double y[6], e[7], twice = 0;
        v3 u = rig_vector(), psi = v3_scale(angles[n], v3_normalize(rig_vector()));
        v3_store(y, u), v3_store(y + 3, psi);
        bushing_forms(u, so3_exp(psi), e);
        for (int k = 0; k < 36; k++) twice += y[k / 6] * K[k] * y[k % 6];
        assert_near(b.site->law->energy(K, NULL, 7, e), 0.5 * twice, 1e-11 * twice);
    }
    rig_end(&b.r);
}

/* ---- the angle row ---- */

typedef struct angle_case {
    double data[2], memory[1], e_i[3], e_f[3], edot_i[3], edot_f[3];
} angle_case;

static angle_case random_angle_case(double delta, double *turned) {
    double a = 20 * rig_random(), b = a + delta, ra = rig_random(), rb = ra + 0.3 * rig_random();
    angle_case c = {.data = {-0.4, 1.7}};
    c.memory[0] = a;
    c.e_i[0] = cos(a), c.e_i[1] = sin(a), c.e_i[2] = rig_random();
    c.e_f[0] = cos(b), c.e_f[1] = sin(b), c.e_f[2] = rig_random();
    c.edot_i[0] = -ra * sin(a), c.edot_i[1] = ra * cos(a), c.edot_i[2] = rig_random();
    c.edot_f[0] = -rb * sin(b), c.edot_f[1] = rb * cos(b), c.edot_f[2] = rig_random();
    *turned = delta;
    return c;
}

static ts_law_step angle_step(const angle_case *c, int m) {
    return (ts_law_step){.m = m,
                         .data = c->data,
                         .memory = c->memory,
                         .e_i = c->e_i,
                         .e_f = c->e_f,
                         .t_i = 0,
                         .t_f = 0.1};
}

static double dot(int m, const double *a, const double *b) {
    double sum = 0;
    for (int k = 0; k < m; k++) sum += a[k] * b[k];
    return sum;
}

static void check_angle_identities(const angle_case *c, int m, double turned) {
    ts_law_step step = angle_step(c, m);
    ts_row_response row;
    ts_row_zeta z;
    TS_ANGLE_ROW.respond(&step, &row);
    TS_ANGLE_ROW.rate(&step, c->edot_i, c->edot_f, &z);
    double y_i = c->data[0] * c->memory[0] + (m == 3 ? c->data[1] * c->e_i[2] : 0);
    double delta[3], jump[3];
    for (int k = 0; k < m; k++)
        delta[k] = c->e_f[k] - c->e_i[k], jump[k] = c->edot_f[k] - c->edot_i[k];
    double change = c->data[0] * turned + (m == 3 ? c->data[1] * delta[2] : 0);
    assert_near(row.y - y_i, change, 2e-14 * (1 + fabs(y_i)));
    assert_near(dot(m, row.g, delta), change, 2e-15);
    double left = dot(m, row.y_f, c->edot_f) - dot(m, row.y_i, c->edot_i);
    assert_near(left, dot(m, row.g, jump) + dot(m, z.zeta, delta), 4e-15);
}

static void check_angle_derivatives(const angle_case *c, int m) {
    double d = 1e-5;
    ts_law_step step = angle_step(c, m);
    ts_row_response row, up, down;
    ts_row_zeta z, zup, zdown;
    TS_ANGLE_ROW.respond(&step, &row);
    TS_ANGLE_ROW.rate(&step, c->edot_i, c->edot_f, &z);
    for (int k = 0; k < m; k++) {
        angle_case more = *c, less = *c;
        more.e_f[k] += d, less.e_f[k] -= d;
        ts_law_step sup = angle_step(&more, m), sdown = angle_step(&less, m);
        TS_ANGLE_ROW.respond(&sup, &up), TS_ANGLE_ROW.respond(&sdown, &down);
        TS_ANGLE_ROW.rate(&sup, c->edot_i, c->edot_f, &zup);
        TS_ANGLE_ROW.rate(&sdown, c->edot_i, c->edot_f, &zdown);
        assert_near(row.y_f[k], (up.y - down.y) / (2 * d), 1e-8);
        for (int j = 0; j < m; j++) {
            assert_near(row.dg[j * m + k], (up.g[j] - down.g[j]) / (2 * d), 1e-8);
            assert_near(row.dy_f[j * m + k], (up.y_f[j] - down.y_f[j]) / (2 * d), 1e-8);
            assert_near(z.d_e[j * m + k], (zup.zeta[j] - zdown.zeta[j]) / (2 * d), 1e-8);
        }
        more.edot_f[k] += 1, less.edot_f[k] -= 1;
        TS_ANGLE_ROW.rate(&step, c->edot_i, more.edot_f, &zup);
        TS_ANGLE_ROW.rate(&step, c->edot_i, less.edot_f, &zdown);
        for (int j = 0; j < m; j++)
            assert_near(z.d_edot[j * m + k], 0.5 * (zup.zeta[j] - zdown.zeta[j]), 1e-14);
    }
}

static void angle_row(void **state) {
    (void)state;
    for (int n = 0; n < 400; n++)
        for (int m = 2; m <= 3; m++) {
            double turned;
            angle_case c = random_angle_case(2.1 * rig_random() * pow(10, -(n % 17)), &turned);
            check_angle_identities(&c, m, turned);
            c = random_angle_case(2.1 * rig_random(), &turned);
            check_angle_derivatives(&c, m);
        }
}

/* Two angles: the sum of two rows of one angle, each over its own forms. */
static void two_angles_row(void **state) {
    (void)state;
    for (int n = 0; n < 100; n++) {
        double turned, data[4] = {-0.4, 1.3, 0.7, -0.2}, e[4][4], memory[2];
        ts_row_response both, one;
        ts_row_zeta z, zeta;
        angle_case c[2];
        for (int k = 0; k < 2; k++) {
            c[k] = random_angle_case(2.1 * rig_random(), &turned);
            c[k].data[0] = data[k], memory[k] = c[k].memory[0];
            const double *from[4] = {c[k].e_i, c[k].e_f, c[k].edot_i, c[k].edot_f};
            for (int a = 0; a < 4; a++) memcpy(e[a] + 2 * k, from[a], 2 * sizeof(double));
        }
        ts_law_step step = {.m = 4, .data = data, .memory = memory, .e_i = e[0], .e_f = e[1]};
        TS_TWO_ANGLES_ROW.respond(&step, &both);
        TS_TWO_ANGLES_ROW.rate(&step, e[2], e[3], &z);
        double y = -data[0] * data[2] - data[1] * data[3];
        for (int k = 0; k < 2; k++) {
            ts_law_step own = angle_step(&c[k], 2);
            TS_ANGLE_ROW.respond(&own, &one);
            TS_ANGLE_ROW.rate(&own, c[k].edot_i, c[k].edot_f, &zeta);
            y += one.y;
            for (int i = 0; i < 2; i++) {
                assert_near(both.g[2 * k + i], one.g[i], 0);
                assert_near(both.y_f[2 * k + i], one.y_f[i], 0);
                assert_near(both.y_i[2 * k + i], one.y_i[i], 0);
                assert_near(both.slope[2 * k + i], one.slope[i], 0);
                assert_near(z.zeta[2 * k + i], zeta.zeta[i], 0);
                for (int j = 0; j < 2; j++) {
                    int at = (2 * k + i) * 4 + 2 * k + j, other = (2 * k + i) * 4 + 2 * (1 - k) + j;
                    assert_near(both.dg[at], one.dg[2 * i + j], 0);
                    assert_near(both.dy_f[at], one.dy_f[2 * i + j], 0);
                    assert_near(z.d_e[at], zeta.d_e[2 * i + j], 0);
                    assert_near(z.d_edot[at], zeta.d_edot[2 * i + j], 0);
                    assert_near(both.dg[other], 0, 0);
                    assert_near(z.d_edot[other], 0, 0);
                }
            }
        }
        assert_near(both.y, y, 1e-14 * (1 + fabs(y)));
    }
}

/* Series and closed form meet at 0.3 rad. */
static void angle_row_is_smooth_where_the_series_ends(void **state) {
    (void)state;
    double e_i[2] = {1, 0}, jump = 1e-9, edot[2] = {0, 0}, edot_f[2] = {0.3, 0.7};
    double data[2] = {1, 0}, memory[1] = {0};
    ts_row_zeta z[2];
    ts_row_response row[2];
    for (int n = 0; n < 2; n++) {
        double a = 0.3 + (n ? jump : -jump), e_f[2] = {cos(a), sin(a)};
        ts_law_step step = {.m = 2, .data = data, .memory = memory, .e_i = e_i, .e_f = e_f};
        TS_ANGLE_ROW.respond(&step, &row[n]);
        TS_ANGLE_ROW.rate(&step, edot, edot_f, &z[n]);
    }
    for (int k = 0; k < 4; k++) {
        assert_near(row[0].dg[k], row[1].dg[k], 3e-9);
        assert_near(z[0].d_e[k], z[1].d_e[k], 3e-9);
        assert_near(z[0].d_edot[k], z[1].d_edot[k], 3e-9);
    }
}

static void angle_is_continued_over_turns(void **state) {
    (void)state;
    double angle = 0;
    for (int n = 0; n < 1000; n++) angle = ts_angle_unwrap(angle, cos(0.9 * n), sin(0.9 * n));
    assert_near(angle, 0.9 * 999, 1e-11);
    for (int n = 999; n >= -1000; n--) angle = ts_angle_unwrap(angle, cos(0.9 * n), sin(0.9 * n));
    assert_near(angle, -900, 1e-11);
    assert_near(ts_angle_unwrap(0, 2 * cos(1), 2 * sin(1)), 1, 1e-15);
}

/* A pair of cosine and sine slightly off the unit circle, as round-off leaves it, changes nothing
 * that matters. */
static void angle_does_not_need_unit_length(void **state) {
    (void)state;
    double e_i[2] = {1.1 * cos(2), 1.1 * sin(2)}, e_f[2] = {0.9 * cos(3), 0.9 * sin(3)};
    ts_angle_step a = ts_angle_over_step(2 - 8 * atan(1), e_i, e_f);
    assert_near(a.delta, 1, 1e-14);
    assert_near(a.angle, 3 - 8 * atan(1), 1e-14);
    assert_near(a.g[0] * (e_f[0] - e_i[0]) + a.g[1] * (e_f[1] - e_i[1]), 1, 1e-14);
}

/* ---- signals ---- */

static ts_signal make_table(int points, const double *time, const double *value, bool smooth) {
    ts_signal s = {.kind = TS_SIGNAL_TABLE, .scale = 2, .points = points, .smooth = smooth};
    s.time = ts_calloc((size_t)points, sizeof *time);
    s.value = ts_calloc((size_t)points, sizeof *value);
    memcpy(s.time, time, sizeof *time * (size_t)points);
    memcpy(s.value, value, sizeof *value * (size_t)points);
    return s;
}

static void check_signal(const ts_signal *s, double t, double value, double rate) {
    double x, r;
    ts_signal_eval(s, (ts_when){.t = t}, &x, &r);
    assert_near(x, value, 1e-14);
    assert_near(r, rate, 1e-13);
}

static void tables_hold_their_ends(void **state) {
    (void)state;
    double time[] = {1, 2, 4}, value[] = {3, 5, -1};
    ts_signal s = make_table(3, time, value, false);
    check_signal(&s, 0, 6, 0);
    check_signal(&s, 1, 6, 4);
    check_signal(&s, 1.5, 8, 4);
    check_signal(&s, 2, 10, -6);
    check_signal(&s, 4, -2, 0);
    check_signal(&s, 9, -2, 0);
    ts_signal_clear(&s);
    s = ts_signal_constant(7);
    check_signal(&s, 3, 7, 0);
    ts_signal_clear(&s);
}

static void smooth_tables_do_not_overshoot(void **state) {
    (void)state;
    double time[] = {0, 1, 2, 3, 5}, value[] = {0, 0, 1, 1, 4};
    ts_signal s = make_table(5, time, value, true);
    for (int k = 0; k < 5; k++) {
        double x, r;
        ts_signal_eval(&s, (ts_when){.t = time[k]}, &x, &r);
        assert_near(x, 2 * value[k], 1e-14);
    }
    double last = 0;
    for (double t = 0; t < 4.995; t += 0.01) {
        double x, r, up, down, unused;
        ts_signal_eval(&s, (ts_when){.t = t}, &x, &r);
        ts_signal_eval(&s, (ts_when){.t = t + 1e-6}, &up, &unused);
        ts_signal_eval(&s, (ts_when){.t = t - 1e-6}, &down, &unused);
        assert_true(x >= last - 1e-14);
        if (t > 0.001) assert_near(r, (up - down) / 2e-6, 1e-4);
        last = x;
    }
    ts_signal_clear(&s);

    // three points of a straight line stay one; two points are a line
    double straight[] = {1, 3, 5};
    s = make_table(3, time, straight, true);
    check_signal(&s, 0.5, 4, 4);
    ts_signal_clear(&s);
    s = make_table(2, time, straight, true);
    check_signal(&s, 0.5, 4, 4);
    ts_signal_clear(&s);
}

/* Time 1 and time 4 are the same point of the period of 3. */
static void tables_repeat(void **state) {
    (void)state;
    double time[] = {1, 2, 4}, value[] = {3, 5, 3};
    ts_signal s = make_table(3, time, value, false);
    s.period = 3;
    for (int turn = -4; turn < 5; turn++) {
        check_signal(&s, 1 + 3 * turn, 6, 4);
        check_signal(&s, 1.5 + 3 * turn, 8, 4);
        check_signal(&s, 2 + 3 * turn, 10, -2);
        check_signal(&s, 3.5 + 3 * turn, 7, -2);
    }
    double x, r;
    ts_signal_eval(&s, (ts_when){.t = 1e9}, &x, &r);
    assert_near(x, 6, 1e-6); /* 1e9 = 1 + 3*333333333 */
    ts_signal_clear(&s);
}

/* Where the data pass through the seam without an extremum the slope is that of both sides; moved
 * along, the table gives the same function. */
static void smooth_tables_repeat_smoothly(void **state) {
    (void)state;
    double time[] = {0, 1, 2.5, 4, 5}, value[] = {1, 3, 2, -1, 1};
    double later[] = {1, 2.5, 4, 5, 6}, moved[] = {3, 2, -1, 1, 3};
    ts_signal s = make_table(5, time, value, true), other = make_table(5, later, moved, true);
    s.period = other.period = 5;
    double x, r, left, right, before, after;
    ts_signal_eval(&s, (ts_when){.t = 5 - 1e-9}, &before, &left);
    ts_signal_eval(&s, (ts_when){.t = 5 + 1e-9}, &after, &right);
    assert_near(before, after, 1e-7);
    assert_near(left, right, 1e-7);
    assert_true(left > 1);
    for (double t = -7; t < 13; t += 0.037) {
        ts_signal_eval(&s, (ts_when){.t = t}, &x, &r);
        check_signal(&other, t, x, r);
    }
    ts_signal_clear(&s), ts_signal_clear(&other);
}

static void expressions_have_their_rate(void **state) {
    (void)state;
    ts_signal s = {.kind = TS_SIGNAL_EXPRESSION, .scale = 3};
    assert_int_equal(ts_expr_compile(&s.expr, "sin(2*t)", 8, NULL, true, NULL), 0);
    check_signal(&s, 0.4, 3 * sin(0.8), 6 * cos(0.8));
    ts_signal_clear(&s);
}

/* A hat of the slopes 2 and -3: at its corner both, elsewhere twice the same. */
static void rates_on_both_sides(void **state) {
    (void)state;
    double time[] = {0, 1, 2}, value[] = {0, 2, -1}, u, rate[2];
    ts_signal hat = {.kind = TS_SIGNAL_TABLE, .scale = 1, .time = time, .value = value};
    hat.points = 3;
    static const double t[] = {0.5, 1 - 1e-15, 1, 1 + 1e-15, 1.5}, before[] = {2, 2, 2, 2, -3},
                        after[] = {2, -3, -3, -3, -3};
    for (int k = 0; k < 5; k++) {
        ts_signal_eval_sides(&hat, (ts_when){.t = t[k]}, 1e-12, &u, rate);
        assert_true(fabs(rate[0] - before[k]) < 1e-12 && fabs(rate[1] - after[k]) < 1e-12);
        assert_true(fabs(u - (t[k] < 1 ? 2 * t[k] : 2 - 3 * (t[k] - 1))) < 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_on_both_sides),
        cmocka_unit_test(springs_between_points),
        cmocka_unit_test(spring_of_no_length_stays_finite),
        cmocka_unit_test(springs_in_joints),
        cmocka_unit_test(hertz_keeps_the_account),
        cmocka_unit_test(hertz_at_a_point),
        cmocka_unit_test(torsion_spring_counts_turns),
        cmocka_unit_test(motors),
        cmocka_unit_test(bushing),
        cmocka_unit_test(bushing_energy_is_quadratic_in_the_rotation_vector),
        cmocka_unit_test(angle_row),
        cmocka_unit_test(two_angles_row),
        cmocka_unit_test(angle_row_is_smooth_where_the_series_ends),
        cmocka_unit_test(angle_is_continued_over_turns),
        cmocka_unit_test(angle_does_not_need_unit_length),
        cmocka_unit_test(tables_hold_their_ends),
        cmocka_unit_test(smooth_tables_do_not_overshoot),
        cmocka_unit_test(tables_repeat),
        cmocka_unit_test(smooth_tables_repeat_smoothly),
        cmocka_unit_test(expressions_have_their_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
