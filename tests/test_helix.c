/* SPDX-License-Identifier: Apache-2.0 */
/* The strains of beams between frames that turn far against each other (laws/beam/helix.h,
 * laws/beam/beam_law.h): r and w and their divided differences, helices at any angle below 180
 * degrees, (L), the stage of ED, and the derivatives of both, an energy that grows with the angle,
 * no equilibrium without loads but the drawn state. Expected numbers are closed forms, or computed
 * here from definitions.
 */
#include "laws/beam/beam_law.h"
#include "laws/beam/helix.h"
#include "scene.h"

#define PI 3.14159265358979323846

enum { ORDERS = 3, FORMS = TS_HELIX_FORMS };

/* ---- r and w ---- */

/* By definition, in quadruple precision as far as long double goes; near u = 0 by their series in
 * t. */
static void turn_by_definition(long double u, long double *r, long double *w) {
    long double t = 2 * asinl(sqrtl(u / 2)), s2 = u * (2 - u);
    if (u <
        1e-3L) { /* t/sin t - 1 = sum of u^k (2k k! .../...): 1, 1/3, 2/15, 2/35, 8/315, 8/693 */
        static const long double c[] = {1.0L,         1 / 3.0L,     2 / 15.0L,
                                        2 / 35.0L,    8 / 315.0L,   8 / 693.0L,
                                        16 / 3003.0L, 16 / 6435.0L, 128 / 109395.0L};
        *r = 0, *w = 0;
        for (int k = 8; k >= 0; k--) *r = c[k] + u * *r;
        for (int k = 7; k >= 0; k--) *w = -c[k + 1] + u * *w;
        *w /= 2 - u;
        return;
    }
    *r = t / sqrtl(s2), *w = (1 - *r) / s2;
}

static void check_turn(double u_i, double u_f) {
    ts_helix_turn x;
    long double r_i, w_i, r_f, w_f;
    ts_helix_turn_slopes(u_i, u_f, &x);
    turn_by_definition(u_i, &r_i, &w_i), turn_by_definition(u_f, &r_f, &w_f);
    assert_near(1 + x.r_i, (double)r_i, 2e-14 * (double)r_i);
    assert_near(1 + x.r_f, (double)r_f, 2e-14 * (double)r_f);
    if (u_f < 0.25 && u_f > 0) assert_near(x.r_f, (double)(r_f - 1), 2e-18 + 1e-14 * x.r_f);
    assert_near(x.w_i / (double)w_i, 1, 2e-13), assert_near(x.w_f / (double)w_f, 1, 2e-13);
    /* what (L) needs: dr (u_f - u_i) = r_f - r_i, to round-off of r */
    double jump = u_f - u_i;
    assert_near(x.dr * jump, (double)(r_f - r_i), 3e-15 * (double)fmaxl(r_i, r_f));
    assert_near(x.dw * jump, (double)(w_f - w_i), 2e-14 * (double)fmaxl(-w_i, -w_f));
}

/* A change that is too small to see in r or w still has the right slope. */
static void check_slope(double u) {
    ts_helix_turn x, up, down;
    double d = 1e-4 * (2 - u) * (u > 1e-2 ? 1 : 0.1);
    ts_helix_turn_slopes(u, u * (1 + 1e-15), &x);
    ts_helix_turn_slopes(u + d, u + d, &up), ts_helix_turn_slopes(u - d, u - d, &down);
    assert_near(x.dr / ((up.r_f - down.r_f) / (2 * d)), 1, 1e-6);
    assert_near(x.dw / ((up.w_f - down.w_f) / (2 * d)), 1, 1e-6);
    assert_near(x.r_slope / x.dr, 1, 1e-12), assert_near(x.w_slope / x.dw, 1, 1e-10);
    assert_near(x.dr_slope / (0.5 * (up.r_slope - down.r_slope) / (2 * d)), 1, 1e-5);
    assert_near(x.dw_slope / (0.5 * (up.w_slope - down.w_slope) / (2 * d)), 1, 1e-5);
}

static void turns_are_what_they_are_defined_as(void **state) {
    (void)state;
    double u[40];
    int n = 0;
    for (double t = 1e-4; t < 179.5; t *= 1.6) u[n++] = 1 - cos(t * PI / 180);
    u[n++] = 0, u[n++] = 0x1p-9, u[n++] = 0x1p-5, u[n++] = 0.25, u[n++] = 1.99;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            check_turn(u[i], u[j]);
            for (double step = 1e-14; step < 0.01; step *= 10) {
                check_turn(u[i], u[i] + step * (2 - u[i]));
                check_turn(u[i] * (1 - step), u[i]);
            }
        }
    for (int i = 0; i < n; i++)
        if (u[i] > 1e-3) check_slope(u[i]);
}

/* ---- elements ---- */

static const double LENGTH = 1.3;

typedef struct element {
    pose node[ORDERS + 1];
} element;

static double lobatto(int order, int a) {
    static const double AT[ORDERS][ORDERS + 1] = {
        {0, 1}, {0, 0.5, 1}, {0, 0.5 - 0.22360679774997896964, 0.5 + 0.22360679774997896964, 1}};
    return AT[order - 1][a];
}

static void full_forms(int order, const element *x, double *e) {
    for (int l = 0; l < order; l++, e += FORMS) {
        const pose *a = &x->node[l], *b = &x->node[l + 1];
        m3 L = m3_tmul(a->R, b->R), jump = m3_sub(b->R, a->R);
        v3_store(e, m3_tapply(m3_scale(0.5, m3_add(a->R, b->R)), v3_sub(b->x, a->x)));
        v3_store(e + 3, v3_scale(0.5, v3_make(L.c[1].z - L.c[2].y, L.c[2].x - L.c[0].z,
                                              L.c[0].y - L.c[1].x)));
        e[6] = 0.25 * m3_inner(jump, jump);
    }
}

/* The law of an element, and where its forms are counted from. */
typedef struct law {
    double data[TS_BEAM_NUMBERS], from[ORDERS * FORMS];
} law;

static void forms_of(int order, const law *w, const element *x, double *e) {
    full_forms(order, x, e);
    for (int k = 0; k < order * FORMS; k++) e[k] -= w->from[k];
}

static pose somewhere(void) {
    return (pose){v3_scale(3, chance_vector()), so3_exp(v3_scale(3, chance_vector()))};
}

/* H(s) = H_0 exp(s eps) */
static element helix(int order, v6 strain) {
    element x;
    pose first = somewhere();
    for (int a = 0; a <= order; a++)
        x.node[a] = pose_mul(first, ts_se3_exp(v6_scale(LENGTH * lobatto(order, a), strain)));
    return x;
}

/* The largest part of an element's length between neighbouring nodes. */
static double widest(int order) { return order == 1 ? 1 : order == 2 ? 0.5 : 0.4472135955; }

/* Drawn as a helix; a stiffness by chance, A^T A + 2 I. */
static void draw(int order, double damping, v6 strain, law *w) {
    element x = helix(order, strain);
    full_forms(order, &x, w->from);
    ts_beam_draw(order, LENGTH, damping, w->from, w->data);
    for (int g = 0; g < order; g++) {
        double *K = w->data + ts_beam_stiffness_at(order, g), A[6][6];
        for (int i = 0; i < 36; i++) A[i / 6][i % 6] = chance();
        for (int i = 0; i < 36; i++) {
            K[i] = i % 7 == 0 ? 2 : 0;
            for (int k = 0; k < 6; k++) K[i] += A[k][i / 6] * A[k][i % 6];
        }
    }
}

static const v6 STRAIGHT = {{1, 0, 0}, {0, 0, 0}};

static void helices_are_exact(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++)
        for (int degrees = 0; degrees < 180; degrees += 10)
            for (int curved = 0; curved < 2; curved++) {
                double e[ORDERS * FORMS], eps[6 * ORDERS], wanted[6],
                    angle = (degrees ? degrees : 1e-5) * PI / 180;
                v6 drawn = {v3_add(v3_axis(0), v3_scale(0.3, chance_vector())),
                            v3_scale(1.5 / LENGTH, v3_normalize(chance_vector()))};
                v6 strain = {
                    v3_add(v3_axis(0), v3_scale(0.3, chance_vector())),
                    v3_scale(angle / (widest(order) * LENGTH), v3_normalize(chance_vector()))};
                law w;
                draw(order, 0, curved ? drawn : STRAIGHT, &w);
                element x = helix(order, strain);
                forms_of(order, &w, &x, e);
                ts_beam_strains(w.data, e, eps);
                v6_store(wanted, v6_sub(strain, curved ? drawn : STRAIGHT));
                double digits = 1e-13 / (PI - angle) / (PI - angle);
                for (int i = 0; i < 6 * order; i++)
                    assert_near(eps[i], wanted[i % 6], digits * (1 + v3_norm(strain.w)));
            }
}

/* Strains of 1e-9 have digits of their own, not those of a length of 1: forms that change by a
 * small number change them by that number. */
static void small_strains_have_their_digits(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++) {
        law w;
        double e[ORDERS * FORMS] = {0}, eps[6 * ORDERS];
        draw(order, 0, STRAIGHT, &w);
        for (int l = 0; l < order; l++)
            e[FORMS * l] = 1e-9 * LENGTH * (lobatto(order, l + 1) - lobatto(order, l));
        ts_beam_strains(w.data, e, eps);
        for (int g = 0; g < order; g++) assert_near(eps[6 * g], 1e-9, 1e-23);
    }
}

/* ---- the law ---- */

/* Neighbours turned by up to `most` against each other. */
static element anything(int order, double most) {
    element x = {.node[0] = somewhere()};
    for (int a = 1; a <= order; a++) {
        v3 turn = v3_scale(most * (0.5 + 0.5 * fabs(chance())), v3_normalize(chance_vector()));
        x.node[a].R = m3_mul(x.node[a - 1].R, so3_exp(turn));
        x.node[a].x = v3_add(x.node[a - 1].x, chance_vector());
    }
    return x;
}

static element moved(int order, const element *from, double much) {
    element x = *from;
    for (int a = 0; a <= order; a++) {
        x.node[a].R = m3_mul(so3_exp(v3_scale(much, chance_vector())), x.node[a].R);
        x.node[a].x = v3_axpy(much, chance_vector(), x.node[a].x);
    }
    return x;
}

static void work_is_the_change_of_energy(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++)
        for (int trial = 0; trial < 400; trial++) {
            double e_i[ORDERS * FORMS], e_f[ORDERS * FORMS], s[ORDERS * FORMS];
            law w;
            double most = pow(10, -6 + 0.5 * (trial % 13)) * 2.97; /* up to 170 degrees */
            element a = anything(order, most),
                    b = trial % 2 ? anything(order, most)
                                  : moved(order, &a, pow(10, -(trial % 11)) * (PI - most) / 4);
            ts_response r;
            draw(order, trial % 3 ? 0 : 0.1, (v6){{1, 0, 0}, {0.1, 0.2, 0.3}}, &w);
            forms_of(order, &w, &a, e_i), forms_of(order, &w, &b, e_f);
            ts_law_step step = {
                .m = FORMS * order, .data = w.data, .e_i = e_i, .e_f = e_f, .t_f = 0.2};
            TS_BEAM_LAW.respond(&step, &r);
            TS_BEAM_LAW.stress(&step, s);
            double V_i = TS_BEAM_LAW.energy(w.data, NULL, step.m, e_i),
                   V_f = TS_BEAM_LAW.energy(w.data, NULL, step.m, e_f), work = 0, size = 0;
            for (int k = 0; k < step.m; k++) {
                work += r.s[k] * (e_f[k] - e_i[k]), size += fabs(r.s[k] * (e_f[k] - e_i[k]));
                assert_near(s[k], r.s[k], 1e-12 * (1 + fabs(r.s[k])));
            }
            double off = fabs(work - (V_f - V_i) - r.dissipated);
            measured("(L)", "", order, off / (V_i + V_f + size));
            assert_below("(L)", off, 3e-14 * (V_i + V_f + size));
            assert_near(r.stored, V_f, 1e-14 * V_f);
            assert_true(r.dissipated >= 0);
            double dissipated, supplied;
            TS_BEAM_LAW.account(&step, &dissipated, &supplied);
            assert_near(dissipated, r.dissipated, 1e-14 * (V_i + V_f + size));
            assert_true(supplied == 0);
            assert_true(TS_BEAM_LAW.conserves(w.data) == (r.dissipated == 0));
        }
}

/* ---- the stage of ED ---- */

/* (S): w.de + k.b/2 = alpha loss/2, for states, rates and jumps by chance. */
static void the_stage_only_dissipates(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++)
        for (int trial = 0; trial < 200; trial++) {
            double e_i[ORDERS * FORMS], e_f[ORDERS * FORMS], rate[3][ORDERS * FORMS], sum = 0,
                                                                                      size = 0;
            double most = pow(10, -4 + 0.5 * (trial % 9)) * 2.9;
            element a = anything(order, most),
                    b = trial % 2 ? anything(order, most)
                                  : moved(order, &a, pow(10, -(trial % 7)) * (PI - most) / 4);
            law w;
            ts_stage out;
            draw(order, trial % 3 ? 0 : 0.1, (v6){{1, 0, 0}, {0.1, 0.2, 0.3}}, &w);
            forms_of(order, &w, &a, e_i), forms_of(order, &w, &b, e_f);
            for (int i = 0; i < 3 * FORMS * order; i++)
                rate[i / (FORMS * order)][i % (FORMS * order)] = 5 * chance();
            ts_law_step step = {
                .m = FORMS * order, .data = w.data, .e_i = e_i, .e_f = e_f, .t_f = 0.2};
            ts_stage_step s = {0.2, fabs(chance()), rate[0], rate[1], rate[2]};
            double stress[ORDERS * FORMS];
            TS_BEAM_LAW.stage(&step, &s, &out);
            TS_BEAM_LAW.stress(&step, stress);
            for (int k = 0; k < step.m; k++) {
                double jump = s.h / 6 * (s.alpha * rate[2][k] - (rate[1][k] - rate[0][k]));
                double one = out.w[k] * (e_f[k] - e_i[k]), other = 0.5 * out.k[k] * jump;
                sum += one + other, size += fabs(one) + fabs(other);
                assert_near(out.s[k], stress[k], 1e-11 * (1 + fabs(stress[k])));
            }
            double loss = 0.5 * s.alpha * out.loss;
            assert_true(out.loss >= 0);
            assert_near(TS_BEAM_LAW.stage_loss(&step, &s), out.loss, 1e-12 * out.loss);
            measured("(S)", "", order, (sum - loss) / (size + loss));
            assert_below("(S)", fabs(sum - loss), 1e-13 * (size + loss));
        }
}

/* Strains that change evenly in time have no jump, however far the element bends: nothing is
 * dissipated. Rates of forms by differences. */
static void even_rates_have_no_jump(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++)
        for (int trial = 0; trial < 20; trial++) {
            const double d = 1e-5, none[ORDERS * FORMS] = {0};
            double e[2][ORDERS * FORMS], rate[2][ORDERS * FORMS], up[ORDERS * FORMS],
                down[ORDERS * FORMS];
            v6 strain = {v3_add(v3_axis(0), v3_scale(0.1, chance_vector())),
                         v3_scale(1 / LENGTH, v3_normalize(chance_vector()))};
            v6 change = {v3_scale(0.2, chance_vector()),
                         v3_scale(0.7 * order / LENGTH, v3_normalize(chance_vector()))};
            law w;
            ts_stage out, forms;
            draw(order, 0, STRAIGHT, &w);
            for (int end = 0; end < 2; end++) {
                element x = helix(order, v6_axpy(end, change, strain));
                element more = helix(order, v6_axpy(end + d, change, strain));
                element less = helix(order, v6_axpy(end - d, change, strain));
                forms_of(order, &w, &x, e[end]);
                forms_of(order, &w, &more, up), forms_of(order, &w, &less, down);
                for (int k = 0; k < FORMS * order; k++) rate[end][k] = (up[k] - down[k]) / (2 * d);
            }
            ts_law_step step = {
                .m = FORMS * order, .data = w.data, .e_i = e[0], .e_f = e[1], .t_f = 1};
            ts_stage_step even = {1, 1, rate[0], rate[1], none},
                          stops = {1, 1, rate[0], none, none};
            TS_BEAM_LAW.stage(&step, &even, &out), TS_BEAM_LAW.stage(&step, &stops, &forms);
            measured("even rates", "", order, out.loss / forms.loss);
            assert_below("loss of even rates", out.loss, 1e-14 * forms.loss);
        }
}

/* ---- slopes of the stage ---- */

/* d w/dx and d k/dx by differences of fourth order. */
static double slopes_off(const ts_law_step *step, const ts_stage_step *s, double *x, double d,
                         const double *w, const double *k) {
    ts_stage at[4];
    double was = *x, off = 0;
    for (int i = 0; i < 4; i++) {
        *x = was + (i < 2 ? i - 2 : i - 1) * d;
        TS_BEAM_LAW.stage(step, s, &at[i]);
    }
    *x = was;
    for (int j = 0; j < step->m; j++) {
        double dw = (8 * (at[2].w[j] - at[1].w[j]) - (at[3].w[j] - at[0].w[j])) / (12 * d);
        double dk = (8 * (at[2].k[j] - at[1].k[j]) - (at[3].k[j] - at[0].k[j])) / (12 * d);
        off = fmax(off, fmax(fabs(dw - w[step->m * j]), fabs(dk - k[step->m * j])));
    }
    return off;
}

static double largest(const ts_stage_slopes *a, int m) {
    double size = 0;
    for (int i = 0; i < m * m; i++)
        size = fmax(size, fmax(fmax(fabs(a->w_e[i]), fabs(a->k_e[i])), fabs(a->k_v[i])));
    return size;
}

/* Small turns, by series, and large ones; ends that are close, and far from each other. */
static void the_slopes_of_the_stage_are_its_derivatives(void **state) {
    (void)state;
    static const double MOST[] = {1e-5, 0.02, 0.2, 0.6, 1.2, 2};
    for (int order = 1; order <= ORDERS; order++)
        for (int trial = 0; trial < 60; trial++) {
            double e_i[ORDERS * FORMS], e_f[ORDERS * FORMS], rate[3][ORDERS * FORMS], off = 0;
            double most = MOST[trial % 6], by = trial % 4 == 0 ? 1e-6 : trial % 4 == 1 ? 1e-2 : 0.3;
            element a = anything(order, most), b = moved(order, &a, by);
            law w;
            ts_stage_slopes out;
            draw(order, trial % 3 ? 0 : 0.1, (v6){{1, 0, 0}, {0.1, 0.2, 0.3}}, &w);
            if (trial % 4 == 3) b = anything(order, 0.5 * most);
            forms_of(order, &w, &a, e_i), forms_of(order, &w, &b, e_f);
            for (int i = 0; i < 3 * FORMS * order; i++)
                rate[i / (FORMS * order)][i % (FORMS * order)] = 5 * chance();
            ts_law_step step = {
                .m = FORMS * order, .data = w.data, .e_i = e_i, .e_f = e_f, .t_f = 0.2};
            ts_stage_step s = {0.2, fabs(chance()), rate[0], rate[1], rate[2]};
            TS_BEAM_LAW.stage_slopes(&step, &s, &out);
            for (int c = 0; c < step.m; c++) {
                off = fmax(off, slopes_off(&step, &s, e_f + c, 5e-4, out.w_e + c, out.k_e + c));
                off = fmax(off, slopes_off(&step, &s, rate[1] + c, 1, out.w_v + c, out.k_v + c));
                off = fmax(off, slopes_off(&step, &s, rate[2] + c, 1, out.w_a + c, out.k_a + c));
            }
            double size = largest(&out, step.m);
            measured("slopes", "", order, off / size);
            assert_below("slopes of the stage", off / size, 1e-8);
        }
}

static void the_tangent_is_the_derivative(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++)
        for (int trial = 0; trial < 60; trial++) {
            double e_i[ORDERS * FORMS], e_f[ORDERS * FORMS], up[ORDERS * FORMS],
                down[ORDERS * FORMS], off = 0, size = 0;
            double most = 0.5 * (1 + trial % 5);
            law w;
            element a = anything(order, most), b = moved(order, &a, trial % 2 ? 0.2 : 1e-3);
            ts_response r;
            draw(order, 0.05, STRAIGHT, &w);
            forms_of(order, &w, &a, e_i), forms_of(order, &w, &b, e_f);
            ts_law_step step = {
                .m = FORMS * order, .data = w.data, .e_i = e_i, .e_f = e_f, .t_f = 0.2};
            TS_BEAM_LAW.respond(&step, &r);
            for (int k = 0; k < step.m; k++) {
                double x = e_f[k], d = 2e-6;
                e_f[k] = x + d, TS_BEAM_LAW.stress(&step, up);
                e_f[k] = x - d, TS_BEAM_LAW.stress(&step, down);
                e_f[k] = x;
                for (int j = 0; j < step.m; j++) {
                    off = fmax(off, fabs((up[j] - down[j]) / (2 * d) - r.ds[j * step.m + k]));
                    size = fmax(size, fabs(r.ds[j * step.m + k]));
                }
            }
            measured("ds", "", order, off / size);
            assert_below("ds", off / size, 2e-7);
        }
}

/* With the drawn element straight, energy grows all the way to 180 degrees about whatever axis
 * neighbours are turned, in a bow or in an S. */
static void energy_grows_with_the_angle(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++)
        for (int trial = 0; trial < 200; trial++) {
            double e[ORDERS * FORMS], last = 0;
            v3 axis = v3_normalize(chance_vector());
            law w;
            int sign[ORDERS];
            for (int a = 0; a < order; a++) sign[a] = trial % 2 && chance() < 0 ? -1 : 1;
            draw(order, 0, STRAIGHT, &w);
            for (int degrees = 5; degrees < 180; degrees += 5) {
                element x = {.node[0] = pose_identity()};
                for (int a = 1; a <= order; a++) {
                    double part = lobatto(order, a) - lobatto(order, a - 1);
                    v6 turn = {
                        v3_scale(part * LENGTH, v3_axis(0)),
                        v3_scale(sign[a - 1] * degrees * PI / 180 * part / widest(order), axis)};
                    x.node[a] = pose_mul(x.node[a - 1], ts_se3_exp(turn));
                }
                forms_of(order, &w, &x, e);
                double V = TS_BEAM_LAW.energy(w.data, NULL, FORMS * order, e);
                assert_true(V > last);
                last = V;
            }
        }
}

/* A free beam let go with neighbours turned by chance, up to 140 degrees, and damped, comes to rest
 * as it was drawn: there is nothing else to come to rest in. */
static void everything_unfolds(void **state) {
    (void)state;
    static const int ELEMENTS[ORDERS] = {3, 2, 1};
    for (int order = 1; order <= ORDERS; order++)
        for (int trial = 0; trial < 6; trial++) {
            scene s;
            scene_read(&s,
                       scene_write(SCENE_HEAD
                                   "sections:\n  S: {EA: 100, GA2: 100, GA3: 100, GJ: 30, EI2: "
                                   "30, EI3: 30, mass: 1, inertia: [0.4, 0.4, 0.4]}\n"
                                   "beams:\n  arm: {from: [0, 0, 0], through: [1.5, 0.5, 0], to: "
                                   "[3, 0, 0], section: S, elements: %d, order: %d, damping: "
                                   "0.3, twist: 1}\n",
                                   ELEMENTS[order - 1], order));
            assert_int_equal(ts_system_new(&s.system, s.model), 0);
            m3 turn = m3_identity();
            for (int n = 1; n < s.model->nodes_count; n++) {
                double *q = s.system->state.q + 3 * s.model->nodes[n].slot;
                v3 by = v3_scale(2.2 * fabs(chance()), v3_normalize(chance_vector()));
                turn = m3_mul(turn, so3_exp(by));
                m3_store(q + 3, m3_mul(turn, m3_load(q + 3)));
                v3_store(q, v3_axpy(0.3, chance_vector(), v3_load(q)));
            }
            ts_step_options options = scene_defaults();
            assert_int_equal(ts_stepper_new(&s.st, s.system, &TS_SCHEME_ED, &options), 0);
            for (int i = 0; i < 1500; i++) scene_step(&s, 0.02);
            double kinetic, elastic, gravity;
            ts_energies(s.system, &kinetic, &elastic, &gravity);
            measured("left", "", order, elastic);
            assert_below("elastic energy left", elastic, 1e-9);
            scene_close(&s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_what_they_are_defined_as),
        cmocka_unit_test(helices_are_exact),
        cmocka_unit_test(small_strains_have_their_digits),
        cmocka_unit_test(work_is_the_change_of_energy),
        cmocka_unit_test(the_stage_only_dissipates),
        cmocka_unit_test(even_rates_have_no_jump),
        cmocka_unit_test(the_tangent_is_the_derivative),
        cmocka_unit_test(the_slopes_of_the_stage_are_its_derivatives),
        cmocka_unit_test(energy_grows_with_the_angle),
        cmocka_unit_test(everything_unfolds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
