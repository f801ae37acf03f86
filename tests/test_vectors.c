/* SPDX-License-Identifier: Apache-2.0 */
/* Points and vectors within expressions: values computed by hand, messages with their positions,
 * and their use in models. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "expr/expr.h"
#include "reader/document.h"

#define LENGTH \
    { 1, 0, 0, 0 }
#define AREA \
    { 2, 0, 0, 0 }
#define NONE \
    { 0, 0, 0, 0 }

/* C = [1, 2, 3] m, D = [4, 6, 3] m: D - C = [3, 4, 0] m */
static int point(void *context, const char *name, size_t len, ts_vector *out) {
    (void)context;
    if (len != 1 || (*name != 'C' && *name != 'D')) return 0;
    *out = *name == 'C' ? (ts_vector){{1, 2, 3}, LENGTH} : (ts_vector){{4, 6, 3}, LENGTH};
    return 1;
}

static const ts_scope SCOPE = {.point = point, .time_unit = 1};

static void vectors_are_summed_and_scaled(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double x[3];
        ts_dim dim;
    } cases[] = {
        {"D - C", {3, 4, 0}, LENGTH},
        {"C", {1, 2, 3}, LENGTH},
        {"-C + 2*D", {7, 10, 3}, LENGTH},
        {"(C + D)/2", {2.5, 4, 3}, LENGTH},
        {"(D - C)/|D - C|", {0.6, 0.8, 0}, NONE},
        {"C + [0, 0, 10 mm]", {1, 2, 3.01}, LENGTH},
        {"[1, 2, 3]", {1, 2, 3}, NONE},
        {"cross(D - C, [0, 0, 1 m])", {4, -3, 0}, AREA},
        {"[C.y, D.x, 0]", {2, 4, 0}, LENGTH},
        {"2 * (D - C) * 0.5", {3, 4, 0}, LENGTH},
        {"5 N * (D - C)/norm(D - C)", {3, 4, 0}, {1, 1, -2, 0}},
        {"cross([0, 0, 2 rad/s], C)", {-4, 2, 0}, {1, 0, -1, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ts_vector v;
        ts_expr_error error;
        if (ts_expr_vector(&v, cases[i].text, strlen(cases[i].text), &SCOPE, &error))
            fail_msg("'%s' at %zu: %s", cases[i].text, error.offset, error.message);
        for (int k = 0; k < 3; k++)
            if (!(fabs(v.x[k] - cases[i].x[k]) < 1e-14))
                fail_msg("'%s': component %d is %.17g", cases[i].text, k, v.x[k]);
        assert_true(ts_dim_equal(v.dim, cases[i].dim));
    }
}

static void numbers_come_from_vectors(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
        ts_dim dim;
    } cases[] = {
        {"|D - C|", 5, LENGTH},
        {"D.x", 4, LENGTH},
        {"(D - C).y", 4, LENGTH},
        {"dot(C, D)", 25, AREA},
        {"norm(cross(C, D))", 0, AREA}, /* below */
        {"|-3 m|", 3, LENGTH},
        {"||D - C| - 7 m|", 2, LENGTH},
        {"sqrt(dot(D - C, D - C)) + 1 m", 6, LENGTH},
        {"2*|C - D|/(1 m) + D.z/(3 m)", 11, NONE},
        {"[1 m, 2 m, 3 m].z", 3, LENGTH},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ts_expr *e;
        ts_expr_error error;
        /* C x D = [2*3 - 3*6, 3*4 - 1*3, 1*6 - 2*4] */
        double wanted = i == 4 ? sqrt(144. + 81 + 4) : cases[i].value;
        if (ts_expr_compile(&e, cases[i].text, strlen(cases[i].text), &SCOPE, true, &error))
            fail_msg("'%s' at %zu: %s", cases[i].text, error.offset, error.message);
        assert_true(ts_expr_constant(e));
        assert_true(ts_dim_equal(ts_expr_dim(e), cases[i].dim));
        if (!(fabs(ts_expr_value(e, 0) - wanted) < 1e-13))
            fail_msg("'%s' is %.17g", cases[i].text, ts_expr_value(e, 0));
        ts_expr_free(e);
    }
}

static void mistakes_have_places(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
        const char *message;
    } cases[] = {
        {"D - 1", 4, "a vector is needed here"},
        {"3 m", 0, "expected three numbers"},
        {"D * C", 2, "two vectors cannot be multiplied"},
        {"1/D", 1, "divided by a vector"},
        {"D^2", 0, "a number is needed here"},
        {"sin(D)", 4, "a number is needed here"},
        {"|D - C", 6, "expected an operator or '|'"},
        {"[1, 2]", 5, "three numbers"},
        {"[1 m, 2 kg, 0]", 6, "cannot put together different dimensions"},
        {"D + [0, 0, 1]", 2, "cannot add different dimensions"},
        {"t*D", 0, "a constant is needed here"},
        {"(D - C).w", 8, "a component: x, y or z"},
        {"cross(D)", 7, "cross takes 2 vectors"},
        {"dot(D, 1)", 7, "a vector is needed here"},
        {"D/0", 1, "division by zero"},
        {"E - C", 0, "unknown name 'E'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ts_vector v;
        ts_expr_error error;
        int code = ts_expr_vector(&v, cases[i].text, strlen(cases[i].text), &SCOPE, &error);
        if (!code) fail_msg("'%s' is accepted", cases[i].text);
        if (error.offset != cases[i].offset || !strstr(error.message, cases[i].message))
            fail_msg("'%s' at %zu: %s", cases[i].text, error.offset, error.message);
    }
    ts_expr *e;
    assert_int_not_equal(ts_expr_compile(&e, "sin(t)*D", 8, &SCOPE, true, NULL), 0);
    assert_int_not_equal(ts_expr_compile(&e, "D - C", 5, &SCOPE, true, NULL), 0);
}

static ts_document *read(const char *text) {
    ts_diagnostics list = {0};
    ts_document *document;
    if (ts_document_parse(&document, text, strlen(text), "model.yaml", &list)) {
        ts_diagnostics_print(&list, stderr, false);
        fail();
    }
    return document;
}

static void models_use_them(void **state) {
    (void)state;
    ts_document *d = read("torsor: 1\nunits: {length: mm}\n"
                          "parameters: {L: norm(D - C), half: L/2, up: 10}\n"
                          "points:\n  C: [0, 0, 0]\n  D: [30, 40, 0]\n  M: (C + D)/2\n"
                          "  N: [M.x, '|D - C|', half]\n"
                          "bodies:\n"
                          "  a: {mass: 1 kg, inertia: [1, 1, 1], position: 'M + [0, 0, 5 mm]'}\n"
                          "  b: {mass: 1 kg, inertia: [1, 1, 1], position: N,\n"
                          "      orientation: {x: D - C, z: z}, velocity: (D - C)/(2 s)}\n");
    const ts_model *m = d->model;
    const ts_node *a = &m->nodes[m->parts[1].node], *b = &m->nodes[m->parts[2].node];
    assert_true(fabs(a->x.x - 0.015) + fabs(a->x.y - 0.020) + fabs(a->x.z - 0.005) < 1e-15);
    assert_true(fabs(b->x.x - 0.015) + fabs(b->x.y - 0.050) + fabs(b->x.z - 0.025) < 1e-15);
    assert_true(fabs(b->D.c[0].x - 0.6) + fabs(b->D.c[0].y - 0.8) < 1e-15);
    assert_true(fabs(b->velocity.x - 0.015) + fabs(b->velocity.y - 0.020) < 1e-15);
    ts_document_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_summed_and_scaled),
        cmocka_unit_test(numbers_come_from_vectors),
        cmocka_unit_test(mistakes_have_places),
        cmocka_unit_test(models_use_them),
    };
    return cmocka_run_group_tests_name("vectors", tests, NULL, NULL);
}
