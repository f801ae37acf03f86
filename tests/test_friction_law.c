/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives of friction in joints by the forms and by the multipliers of the joint, against
 * differences. Wrong slopes would only cost iterations, so no motion tells them. */
#include "scene.h"

static const char MODEL[] = SCENE_HEAD
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 2, inertia: [1, 1, 1]}\n"
    "  b: {mass: 1, inertia: [1, 2, 3], position: [1, 0, 0]}\n"
    "  c: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [1, 2, 2]}\n"
    "  rail: {type: prismatic, bodies: [a, b], at: [1, 0, 0], axis: x}\n"
    "  bush: {type: cylindrical, bodies: [b, c], at: [2, 0, 0], axis: [1, 0, 2]}\n"
    "springs:\n"
    "  p: {type: pivot_friction, joint: pin, coefficient: 0.2, static: 0.3, stribeck: 2, radius: "
    "0.5, length: 0.7, end_radius: 0.4, preload: 0.1, stiffness: 3, damping: 0.1}\n"
    "  r: {type: slide_friction, joint: rail, coefficient: 0.2, static: 0.3, length: 0.7, arm: "
    "0.3, "
    "preload: 0.1, stiffness: 3, damping: 0.1}\n"
    "  s: {type: slide_friction, joint: bush, coefficient: 0.2, static: 0.3, length: 0.7, radius: "
    "0.4, preload: 0.1, stiffness: 3, damping: 0.1}\n";

static const double H = 1e-6;

/* A step of a site between random forms and multipliers; angles are on the unit circle. */
typedef struct trial {
    double e_i[TS_MAX_FORMS], e_f[TS_MAX_FORMS], lambda[8], memory[8];
    ts_law_step step;
} trial;

static void set(const scene *s, const ts_site *site, trial *t) {
    *t = (trial){0};
    for (int k = 0; k < site->forms; k++)
        t->e_i[k] = chance(), t->e_f[k] = t->e_i[k] + 0.3 * chance();
    for (int r = 0; r < site->reads; r++) t->lambda[r] = 3 * chance();
    t->step = (ts_law_step){.m = site->forms,
                            .data = s->model->numbers + site->data,
                            .memory = t->memory,
                            .e_i = t->e_i,
                            .e_f = t->e_f,
                            .t_f = 0.1,
                            .lambda = t->lambda};
    site->law->begin(t->step.data, t->e_i, t->memory);
}

static void stress(const ts_site *site, const trial *t, double *s) {
    ts_response r;
    site->law->respond(&t->step, &r);
    memcpy(s, r.s, sizeof r.s);
}

/* The largest error of a column of slopes, over 1 and their size; `x` is what it is by. */
static double column_error(const ts_site *site, const trial *t, double *x, const double *slope,
                           int stride) {
    double up[TS_MAX_FORMS], down[TS_MAX_FORMS], at = *x, worst = 0;
    *x = at + H, stress(site, t, up);
    *x = at - H, stress(site, t, down);
    *x = at;
    for (int j = 0; j < site->forms; j++) {
        double told = slope[j * stride];
        worst = fmax(worst, fabs((up[j] - down[j]) / (2 * H) - told) / (1 + fabs(told)));
    }
    return worst;
}

/* Corners lie within H of a state now and then: nearly all trials must agree. */
static void slopes_are_those_of_differences(void **state) {
    (void)state;
    enum { TRIALS = 300 };
    scene s;
    scene_read(&s, MODEL);
    int sites = 0;
    for (int i = 0; i < s.model->sites_count; i++) {
        const ts_site *site = &s.model->sites[i];
        int wrong = 0;
        for (int n = 0; n < TRIALS && site->reads; n++) {
            trial t;
            ts_response r;
            double by[TS_MAX_FORMS * 8], worst = 0;
            set(&s, site, &t);
            site->law->respond(&t.step, &r);
            site->law->by_multipliers(&t.step, by);
            for (int k = 0; k < site->forms; k++)
                worst = fmax(worst, column_error(site, &t, &t.e_f[k], r.ds + k, site->forms));
            for (int k = 0; k < site->reads; k++)
                worst = fmax(worst, column_error(site, &t, &t.lambda[k], by + k, site->reads));
            wrong += !(worst < 1e-4);
        }
        assert_true(wrong <= TRIALS / 50);
        sites += site->reads > 0;
    }
    assert_int_equal(sites, 3);
    ts_document_free(s.document);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slopes_are_those_of_differences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
