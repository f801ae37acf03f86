/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of schemes, over all tables: read, refused, printed with all digits and read again. */
#include "scene.h"

static const ts_scheme *scheme_at(int i) { return ts_scheme_find(ts_scheme_name(i)); }

#define EACH_PARAMETER(s, p)                                  \
    for (int i_ = 0; ts_scheme_name(i_); i_++)                \
        for (const ts_scheme *s = scheme_at(i_); s; s = NULL) \
            for (const ts_scheme_parameter *p = s->parameters; p && p->name; p++)

static int read_one(ts_scheme_values *v, const ts_scheme *s, const char *name, const char *value) {
    char text[200];
    snprintf(text, sizeof text, "%s=%s", name, value);
    return ts_parameters_read(v, s, text);
}

static void tables_are_small_enough(void **state) {
    (void)state;
    int count = 0;
    EACH_PARAMETER(s, p) {
        count++;
        assert_true(p - s->parameters < TS_MOST_PARAMETERS);
        assert_int_equal(ts_parameter_place(s, p->name, strlen(p->name)), p - s->parameters);
    }
    assert_true(count > 5);
}

/* A third of the way between the limits has no short decimal form. */
static void numbers_come_back_bit_for_bit(void **state) {
    (void)state;
    EACH_PARAMETER(s, p) {
        if (p->choices || p->reach != TS_OWN)
            continue; /* what is common has no place in the text */
        double wanted = p->low + (p->high - p->low) / 3;
        ts_scheme_values v = {0}, again = {0};
        char text[TS_PARAMETERS_TEXT];
        assert_int_equal(ts_parameter_set(&v, s, p->name, strlen(p->name), wanted), 0);
        assert_int_equal(ts_parameters_read(&again, s, ts_parameters_print(&v, s, text)), 0);
        assert_true(ts_parameter_given(&again, s, p->name));
        assert_true(ts_parameter_value(&again, s, p->name, NAN) == wanted);
    }
}

static void words_come_back(void **state) {
    (void)state;
    EACH_PARAMETER(s, p) {
        for (int k = 0; p->choices && p->choices[k]; k++) {
            ts_scheme_values v = {0};
            char text[TS_PARAMETERS_TEXT], wanted[TS_PARAMETERS_TEXT];
            assert_int_equal(read_one(&v, s, p->name, p->choices[k]), 0);
            assert_int_equal((int)ts_parameter_value(&v, s, p->name, -1), k);
            snprintf(wanted, sizeof wanted, "%s=%s", p->name, p->choices[k]);
            assert_string_equal(ts_parameters_print(&v, s, text), wanted);
        }
    }
}

static void refused(const ts_scheme *s, const char *name, const char *value) {
    ts_scheme_values v = {0};
    assert_int_equal(read_one(&v, s, name, value), TORSOR_EINVAL);
    assert_true(strlen(torsor_error()) > 0);
}

static void mistakes_are_refused(void **state) {
    (void)state;
    EACH_PARAMETER(s, p) {
        char shorter[80], outside[40];
        snprintf(shorter, sizeof shorter, "%.*s", (int)strlen(p->name) - 1, p->name);
        refused(s, shorter, p->choices ? p->choices[0] : p->fallback);
        refused(s, "nothing", "1");
        refused(s, p->name, "");
        refused(s, p->name, "what");
        refused(s, p->name, "nan");
        if (p->choices) continue;
        snprintf(outside, sizeof outside, "%.17g", p->high + 1);
        refused(s, p->name, outside);
        snprintf(outside, sizeof outside, "%.17gx", p->low);
        refused(s, p->name, outside);
    }
}

static void nothing_is_nothing(void **state) {
    (void)state;
    for (int i = 0; ts_scheme_name(i); i++) {
        ts_scheme_values v = {0};
        char text[TS_PARAMETERS_TEXT];
        assert_int_equal(ts_parameters_read(&v, scheme_at(i), NULL), 0);
        assert_int_equal(ts_parameters_read(&v, scheme_at(i), ""), 0);
        assert_false(ts_parameters_any(&v));
        assert_string_equal(ts_parameters_print(&v, scheme_at(i), text), "");
    }
}

/* From any scheme to any other: what both have goes over, unless it was given anew. */
static void what_is_common_goes_over(void **state) {
    (void)state;
    EACH_PARAMETER(s, p) {
        for (int i = 0; ts_scheme_name(i); i++) {
            const ts_scheme *other = scheme_at(i);
            ts_scheme_values from = {0}, to = {0};
            if (p->choices) continue;
            assert_int_equal(ts_parameter_set(&from, s, p->name, strlen(p->name), p->high), 0);
            ts_parameters_carry(&to, other, &from, s);
            bool both = ts_parameter_place(other, p->name, strlen(p->name)) >= 0;
            assert_int_equal(ts_parameter_given(&to, other, p->name), p->reach != TS_OWN && both);
            if (p->reach == TS_OWN || !both) continue;
            assert_true(ts_parameter_value(&to, other, p->name, NAN) == p->high);
            ts_parameter_set(&to, other, p->name, strlen(p->name), p->low);
            ts_parameters_carry(&to, other, &from, s);
            assert_true(ts_parameter_value(&to, other, p->name, NAN) == p->low);
        }
    }
}

static void words_show_what_acts(void **state) {
    (void)state;
    char text[TS_PARAMETERS_TEXT];
    ts_scheme_values v = {0};
    assert_string_equal(ts_parameters_words(&v, ts_scheme_find("ED"), text), ", rho_inf 0");
    assert_string_equal(ts_parameters_words(&v, ts_scheme_find("EP"), text), "");
    assert_string_equal(ts_parameters_words(&v, ts_scheme_find("newmark"), text), "");
    assert_false(ts_parameter_acts(ts_scheme_find("EP"), "rho_inf"));
    assert_false(ts_parameter_acts(NULL, "rho_inf"));
    const ts_scheme *pole = ts_scheme_find("FP-ED");
    assert_int_equal(ts_parameters_read(&v, pole, "map=cayley"), 0);
    assert_int_equal(ts_parameter_set(&v, pole, "rho_inf", 7, 0.25), 0);
    assert_string_equal(ts_parameters_words(&v, pole, text), ", rho_inf 0.25, cayley");
    assert_string_equal(ts_parameters_print(&v, pole, text), "map=cayley");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_small_enough), cmocka_unit_test(numbers_come_back_bit_for_bit),
        cmocka_unit_test(words_come_back),         cmocka_unit_test(mistakes_are_refused),
        cmocka_unit_test(nothing_is_nothing),      cmocka_unit_test(what_is_common_goes_over),
        cmocka_unit_test(words_show_what_acts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
