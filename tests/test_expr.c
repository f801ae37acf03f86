/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of expressions and units: precedence, units, dimensions, messages, derivatives, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "expr/expr.h"

#define PI 3.14159265358979323846

/* ---- a scope to test in: the model's time is in milliseconds ---- */

static const struct {
    const char *name;
    ts_quantity is;
} parameters[] = {
    {"L", {0.5, {1, 0, 0, 0}}},     {"tilt", {PI / 6, {0, 0, 0, 1}}}, {"g", {9.81, {1, 0, -2, 0}}},
    {"n", {3, {0, 0, 0, 0}}},       {"none", {0, {0, 0, 0, 0}}},      {"bad", {NAN, {0, 0, 0, 0}}},
    {"omega", {10, {0, 0, -1, 1}}},
};
enum { PARAMETERS = sizeof parameters / sizeof parameters[0] };

static int find(void *context, const char *name, size_t len, ts_quantity *out) {
    (void)context;
    for (int i = 0; i < PARAMETERS; i++) {
        if (strlen(parameters[i].name) != len || memcmp(parameters[i].name, name, len)) continue;
        *out = parameters[i].is;
        return 1;
    }
    return 0;
}

static const char *suggest(void *context, const char *name, size_t len) {
    (void)context;
    const char *nearest = NULL;
    int best = INT_MAX;
    for (int i = 0; i < PARAMETERS; i++)
        if (ts_word_closer(name, len, parameters[i].name, &best)) nearest = parameters[i].name;
    return nearest;
}

static const ts_scope scope = {.find = find, .suggest = suggest, .time_unit = 1},
                      in_ms = {.find = find, .suggest = suggest, .time_unit = 1e-3};

static ts_expr *compile(const char *text) {
    ts_expr *expr;
    ts_expr_error error;
    if (ts_expr_compile(&expr, text, strlen(text), &scope, true, &error))
        fail_msg("'%s' at %zu: %s (%s)", text, error.offset, error.message, error.hint);
    return expr;
}

static double at(const char *text, double t) {
    ts_expr *expr = compile(text);
    double value = ts_expr_value(expr, t);
    ts_expr_free(expr);
    return value;
}

static double rate_at(const char *text, double t) {
    ts_expr *expr = compile(text);
    double value, rate;
    ts_expr_eval(expr, t, &value, &rate, NULL);
    ts_expr_free(expr);
    return rate;
}

static void near(const char *text, double got, double wanted) {
    if (!(fabs(got - wanted) <= 1e-14 * (1 + fabs(wanted))))
        fail_msg("'%s' gives %.17g instead of %.17g", text, got, wanted);
}

static void gives(const char *text, double wanted) { near(text, at(text, 0), wanted); }

static void is(const char *text, double wanted, ts_dim dim) {
    ts_expr *expr = compile(text);
    char got[64], should[64];
    near(text, ts_expr_value(expr, 0), wanted);
    ts_dim_name(ts_expr_dim(expr), got, sizeof got);
    if (!ts_dim_equal(ts_expr_dim(expr), dim))
        fail_msg("'%s' is %s instead of %s", text, got, ts_dim_name(dim, should, sizeof should));
    ts_expr_free(expr);
}

/* The error comes at this offset; message and hint contain the given words (NULL: no hint). */
static void wrong_for(const char *text, size_t len, const ts_scope *s, bool allow_time,
                      size_t offset, const char *message, const char *hint) {
    ts_expr *expr;
    ts_expr_error error;
    int code = ts_expr_compile(&expr, text, len, s, allow_time, &error);
    if (code != TORSOR_EINVAL || expr) fail_msg("'%s' was accepted", text);
    bool hinted = hint ? strstr(error.hint, hint) != NULL : error.hint[0] == '\0';
    if (error.offset != offset || !strstr(error.message, message) || !hinted)
        fail_msg("'%s' at %zu: %s (%s)", text, error.offset, error.message, error.hint);
}

static void wrong(const char *text, size_t offset, const char *message, const char *hint) {
    wrong_for(text, strlen(text), &scope, true, offset, message, hint);
}

/* ---- arithmetic ---- */

static void test_precedence(void **state) {
    (void)state;
    gives("1+2*3", 7);
    gives("(1+2)*3", 9);
    gives("10-4-3", 3);
    gives("100/10/2", 5);
    gives("2*3^2", 18);
    gives("-2^2", -4);
    gives("(-2)^2", 4);
    gives("2^3^2", 512);
    gives("2^-1", 0.5);
    gives("--3", 3);
    gives("-+-3", 3);
    gives("2*-3", -6);
    gives("1 - -1", 2);
    gives(" \t1\r\n+ 1 ", 2);
}

static void test_numbers(void **state) {
    (void)state;
    gives("1.5e3", 1500);
    gives(".5", 0.5);
    gives("5.", 5);
    gives("1E-2", 0.01);
    gives("1e+2", 100);
    gives("007", 7);
    gives("1e-999", 0);
    wrong(".", 0, "a point without digits", NULL);
    wrong("1e999", 0, "too large", NULL);
    wrong("1.2.3", 3, "expected an operator", NULL);
    wrong("0x10", 1, "unknown unit 'x10'", NULL);
    wrong("2e", 1, "unknown unit 'e'", NULL);
}

static void test_functions(void **state) {
    (void)state;
    gives("sin(30 deg)", 0.5);
    gives("cos(pi)", -1);
    gives("-1.3*sin(tilt)", -0.65);
    gives("atan2(1, -1)*4/pi/1 rad", 3);
    gives("log(exp(2))+log10(1000)", 5);
    gives("sqrt(16)+abs(-2)", 6);
    gives("min(2,3)+max(2,3)*10", 32);
    gives("floor(-1.5)", -2);
    gives("sign(-3)+sign(0)*5+sign(2 m)*10", 9);
    gives("mod(-1, 3)", 2);
    gives("mod(7.5, 2)", 1.5);
    gives("mod(1, -3)", -2);
    gives("step(-1e-9)+step(0)*10+step(1)*100", 110);
    gives("ramp(-1)+ramp(2)", 2);
    gives("smooth(-1)+smooth(0.25)+smooth(2)", 1.15625);
    gives("if(1 < 2, 3, 4)", 3);
    gives("if(1 >= 2, 3, 4)", 4);
    gives("if(2 <= 2, 3, 4) + if(2 > 2, 10, 20)", 23);
    gives("if(1 < 2 and 2 > 3, 1, 2) + if(1 < 2 or 2 > 3, 10, 20) + if(not 1 < 2, 100, 200)", 212);
    gives("if(1 > 2 or 1 < 2 and not 3 < 2, 1, 2)", 1); /* and binds closer than or */
    gives("if((1 > 2 or 1 < 2) and 3 < 2, 1, 2)", 2);
    gives("if(not (1 < 2 and (1 + 1)*2 > 3), 1, 2)", 2);
    gives("if(((1 < 2)) and (2) > (max(1, (3))), 1, 2)", 2);
    gives("if(if(1 < 2, 3, 4) > 3.5 or (if(1 < 2, 3, 4) + 1) > 3.5, 1, 2)", 1);
    gives("tanh(1)*cosh(1)/sinh(1)", 1);
    gives("tan(asin(0.6))+cos(acos(0.5))+tan(atan(2))", 0.75 + 0.5 + 2);
}

/* ---- units ---- */

static void test_units(void **state) {
    (void)state;
    is("210 GPa", 210e9, (ts_dim){-1, 1, -2, 0});
    is("5 deg", 5 * PI / 180, (ts_dim){0, 0, 0, 1});
    is("2*L + 3 mm", 1.003, (ts_dim){1, 0, 0, 0});
    is("9.81 m/s^2", 9.81, (ts_dim){1, 0, -2, 0});
    is("1.2e6 N*m/rad", 1.2e6, (ts_dim){2, 1, -2, -1});
    is("50 rpm", 50 * 2 * PI / 60, (ts_dim){0, 0, -1, 1});
    is("10 N * L", 5, (ts_dim){2, 1, -2, 0});
    is("10 N * sin(2*pi*5*t)", 0, (ts_dim){1, 1, -2, 0});
    is("35mm", 0.035, (ts_dim){1, 0, 0, 0});
    is("3 \xC2\xB5m + 4 \xCE\xBCm", 7e-6, (ts_dim){1, 0, 0, 0});
}

static void test_every_unit(void **state) {
    (void)state;
    static const struct {
        const char *text, *same;
    } pairs[] = {
        {"100 cm", "1 m"},
        {"1 km", "1000 m"},
        {"1e6 um", "1 m"},
        {"12 in", "1 ft"},
        {"1 in", "25.4 mm"},
        {"1000 g", "1 kg"},
        {"1 t", "1000 kg"},
        {"1e6 mg", "1 kg"},
        {"1 lb", "453.59237 g"},
        {"1000 ms", "1 s"},
        {"1e6 us", "1 s"},
        {"60 s", "1 min"},
        {"60 min", "1 h"},
        {"360 deg", "1 rev"},
        {"1000 mrad", "1 rad"},
        {"1 Hz", "1/1 s"},
        {"1 kHz", "1000 Hz"},
        {"60 rpm", "1 rev/s"},
        {"1 N", "1 kg*m/s^2"},
        {"1 kN", "1000 N"},
        {"1 MN", "1000 kN"},
        {"1000 mN", "1 N"},
        {"1 lbf", "1 lb*9.80665 m/s^2"},
        {"1 Pa", "1 N/m^2"},
        {"1 kPa", "1000 Pa"},
        {"1 MPa", "1 N/mm^2"},
        {"1 GPa", "1e3 MPa"},
        {"1 psi", "1 lbf/in^2"},
        {"1 bar", "100 kPa"},
        {"1 J", "1 N*m"},
        {"1 kJ", "1000 J"},
        {"1000 mJ", "1 J"},
        {"1 W", "1 J/s"},
        {"1 kW", "1000 W"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ts_expr *same = compile(pairs[i].same);
        is(pairs[i].text, ts_expr_value(same, 0), ts_expr_dim(same));
        ts_expr_free(same);
    }
}

static void test_unit_binding(void **state) {
    (void)state;
    is("1/2 s", 0.5, (ts_dim){0, 0, -1, 0});        /* a unit belongs to its number */
    is("10 N / 2 mm", 5000, (ts_dim){0, 1, -2, 0}); /* a number ends the units */
    is("2 kg * g", 19.62, (ts_dim){1, 1, -2, 0});   /* with blanks the parameter, not the gram */
    is("2 kg*g", 0.002, (ts_dim){0, 2, 0, 0});      /* without, the unit */
    is("2 g", 2e-3, (ts_dim){0, 1, 0, 0});          /* but not directly behind a number */
    is("2 t", 2000, (ts_dim){0, 1, 0, 0});          /* tonnes */
    is("2 s*min(1, 2)", 2, (ts_dim){0, 0, 1, 0});   /* a function is not the minute */
    is("-5 m^2", -5, (ts_dim){2, 0, 0, 0});
    is("(5 m)^2", 25, (ts_dim){2, 0, 0, 0});
    is("4 s ^ -2", 4, (ts_dim){0, 0, -2, 0});
    is("2 N*m*n", 6, (ts_dim){2, 1, -2, 0});
    near("2 N*t", at("2 N*t", 3), 6); /* t behind * is the time */
    wrong("5 m^2.5", 4, "exponent of a unit", "parentheses");
    wrong("5 m^(2)", 4, "exponent of a unit", "parentheses");
    wrong("5 m^2^2", 4, "exponent of a unit", "parentheses");
    wrong("5 m^n", 4, "exponent of a unit", "parentheses");
    wrong("5 m^99999999999999999999", 4, "exponent of a unit", "parentheses");
    wrong("5 m^99*m^99", 7, "too large", NULL);
}

static void test_unit_names(void **state) {
    (void)state;
    assert_null(ts_unit_find("gpa", 3));
    assert_null(ts_unit_find("", 0));
    assert_non_null(ts_unit_find("GPaX", 3));
    assert_string_equal(ts_unit_suggest("gpa", 3), "GPa");
    assert_string_equal(ts_unit_suggest("Nm", 2), "N*m");
    assert_string_equal(ts_unit_suggest("degrees", 7), "deg");
    assert_string_equal(ts_unit_suggest("hz", 2), "Hz");
    assert_null(ts_unit_suggest("furlong", 7));
    assert_null(ts_unit_suggest("x", 1));
    assert_null(ts_unit_suggest("", 0));
}

static void test_dim_names(void **state) {
    (void)state;
    char name[64], tiny[6];
    assert_string_equal(ts_dim_name((ts_dim){1, 1, -2, 0}, name, 64), "force (kg m/s^2)");
    assert_string_equal(ts_dim_name((ts_dim){1, 0, 0, 0}, name, 64), "length (m)");
    assert_string_equal(ts_dim_name((ts_dim){0, 0, 0, 0}, name, 64), "plain number");
    assert_string_equal(ts_dim_name((ts_dim){-1, 1, -2, 0}, name, 64), "stress (kg/(m s^2))");
    assert_string_equal(ts_dim_name((ts_dim){0, 0, -1, 0}, name, 64), "frequency (1/s)");
    assert_string_equal(ts_dim_name((ts_dim){7, -2, 0, 1}, name, 64), "m^7 rad/kg^2");
    assert_string_equal(ts_dim_name((ts_dim){1, 1, -2, 0}, tiny, sizeof tiny), "force");
    ts_dim_name((ts_dim){-128, -128, -128, -128}, name, sizeof name);
}

static void test_dim_fits(void **state) {
    (void)state;
    const ts_dim none = {0, 0, 0, 0}, angle = {0, 0, 0, 1}, length = {1, 0, 0, 0};
    const ts_dim torque = {2, 1, -2, 0}, per_angle = {2, 1, -2, -1};
    assert_true(ts_dim_bare(none) && !ts_dim_bare(angle) && !ts_dim_bare(length));
    assert_true(ts_dim_fits(torque, per_angle) && ts_dim_fits(per_angle, torque));
    assert_true(ts_dim_fits(angle, angle) && ts_dim_fits(none, none));
    assert_false(ts_dim_fits(angle, none));
    assert_false(ts_dim_fits(none, angle));
    assert_false(ts_dim_fits(length, torque));
    assert_false(ts_dim_equal(torque, per_angle));
}

/* ---- dimensions ---- */

static void test_dimension_errors(void **state) {
    (void)state;
    wrong("1 m + 1 s", 4, "cannot add different dimensions: length (m) and time (s)", "");
    wrong("1 N - 2", 4, "force (kg m/s^2) and plain number", "");
    wrong("5 deg + 1", 6, "angle (rad) and plain number", "1 rad");
    wrong("1 rpm + 1 Hz", 6, "angular velocity (rad/s) and frequency (1/s)", "5 rev/s");
    wrong("min(1 m, 2 kg)", 0, "length (m) and mass (kg)", NULL);
    wrong("if(L > 1 s, 1, 2)", 5, "cannot compare", "");
    wrong("if(1 < 2 and L > 1 s, 1, 2)", 15, "cannot compare", "");
    wrong("if(1 < 2 and 3, 1, 2)", 14, "expected a comparison", "");
    wrong("if((1 < 2 or 3 < 4, 1, 2)", 18, "expected 'and', 'or' or ')'", "");
    wrong("1 m and 2", 4, "expected an operator", "joins comparisons");
    wrong("if(L > 0, 1 m, 2)", 15, "cannot choose between", NULL);
    wrong("exp(time)", 4, "exp needs a plain number, not time (s)", "'t' is a plain number");
    wrong("sin(5 rad/s*t)", 4, "angular velocity", "'time' carries its unit");
    wrong("exp(5 deg)", 4, "not angle (rad)", "1 rad");
    wrong("sin(2 t)", 4, "not mass (kg)", "two tonnes");
    wrong("sqrt(1 m)", 0, "the power 0.5 of 'length (m)'", NULL);
    wrong("sqrt(1 rad)", 0, "the power 0.5", NULL);
    wrong("2^(1 m)", 2, "an exponent must be a plain number, not length (m)", NULL);
    wrong("L^t", 2, "must be constant", NULL);
    wrong("L^0.5", 1, "the power 0.5", NULL);
    wrong("L^1000", 1, "the power 1000", NULL);
    wrong("L^(1/0)", 1, "the power inf", NULL);
}

static void test_dimensions(void **state) {
    (void)state;
    is("0 + 2 m", 2, (ts_dim){1, 0, 0, 0});
    is("2 m - 0", 2, (ts_dim){1, 0, 0, 0});
    is("2 m + none", 2, (ts_dim){1, 0, 0, 0});
    is("max(0, -2 m)", 0, (ts_dim){1, 0, 0, 0});
    is("if(time > 0, 1 N, 0)", 0, (ts_dim){1, 1, -2, 0});
    is("sqrt(4 m^2)", 2, (ts_dim){1, 0, 0, 0});
    is("(4 m^2)^0.5", 2, (ts_dim){1, 0, 0, 0});
    is("(8 m^3)^(1/3)", 2, (ts_dim){1, 0, 0, 0});
    is("atan2(1 m, 1 m)", PI / 4, (ts_dim){0, 0, 0, 1});
    is("asin(1)", PI / 2, (ts_dim){0, 0, 0, 1});
    is("L/(2 m)", 0.25, (ts_dim){0, 0, 0, 0});
    is("omega*L + 1 m/s", 6, (ts_dim){1, 0, -1, 1}); /* radians do not separate velocities */
    is("sqrt(400 N*m/rad / 4 kg*m^2)", 10, (ts_dim){0, 0, -1, 0});
    is("step(time - 1 s)*2 N", 0, (ts_dim){1, 1, -2, 0});
}

/* ---- time ---- */

static void test_time(void **state) {
    (void)state;
    ts_expr *expr;
    double value, rate;
    assert_int_equal(ts_expr_compile(&expr, "3*t", 3, &in_ms, true, NULL), 0);
    ts_expr_eval(expr, 0.25, &value, &rate, NULL);
    near("3*t", value, 750);
    near("rate of 3*t", rate, 3000);
    assert_false(ts_expr_constant(expr));
    ts_expr_free(expr);
    assert_int_equal(ts_expr_compile(&expr, "3*time", 6, &in_ms, true, NULL), 0);
    near("3*time", ts_expr_value(expr, 0.25), 0.75);
    assert_true(ts_dim_equal(ts_expr_dim(expr), (ts_dim){0, 0, 1, 0}));
    ts_expr_free(expr);
    near("sine", at("sin(5 rad/s*time)", 0.3), sin(1.5));
    wrong_for("2*t", 3, &scope, false, 2, "this value depends on time", "1000 kg");
    wrong_for("2*time", 6, &scope, false, 2, "this value depends on time", NULL);
}

/* Smooth functions of time, away from kinks, against central differences. */
static void test_rates(void **state) {
    (void)state;
    static const char *const texts[] = {"t",
                                        "time",
                                        "3 + 2*t - t",
                                        "t*t*t",
                                        "1/(1+t)",
                                        "-t^3",
                                        "t^2.5",
                                        "2^t",
                                        "t^t",
                                        "(1+t)^(2*t)",
                                        "(time + 1 s)^3",
                                        "(-t)^3",
                                        "sin(3*t)",
                                        "cos(t^2)",
                                        "tan(t/2)",
                                        "asin(t/3)",
                                        "acos(t/3)",
                                        "atan(2*t)",
                                        "atan2(t, 1+t^2)",
                                        "atan2(1, -t)",
                                        "sinh(t)",
                                        "cosh(t)",
                                        "tanh(t)",
                                        "exp(-t)",
                                        "log(1+t)",
                                        "log10(2+t)",
                                        "sqrt(1+t)",
                                        "abs(t-5)",
                                        "abs(5-t)",
                                        "min(t, 2*t)",
                                        "max(t, t^3)",
                                        "sign(t)*t",
                                        "floor(t+0.5)*t",
                                        "mod(t, 0.3)",
                                        "mod(3, t)",
                                        "mod(-t, 0.3)",
                                        "step(t-9)*t",
                                        "step(t)*t",
                                        "ramp(2*t)",
                                        "ramp(-t)",
                                        "smooth(t/2)",
                                        "smooth(t-3)",
                                        "smooth(t+3)",
                                        "if(t < 1, t^2, t^3)",
                                        "if(t >= 1, t^2, t^3)",
                                        "if(t <= 1, t^2, 0)",
                                        "if(t > 9, 0, sin(t))",
                                        "if(t > 0.5 and not t > 1, t^2, t^3)",
                                        "if((t < 0.5 or t > 1) and t < 9, t^2, t^3)",
                                        "10*sin(2*pi*t)*exp(-t)+L/1 m",
                                        "+t",
                                        "min(max(t, 0.1), 5)"};
    static const double times[] = {0.35, 0.8, 1.37};
    const double h = 1e-5;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (int k = 0; k < 3; k++) {
            double t = times[k], rate = rate_at(texts[i], t);
            double difference = (at(texts[i], t + h) - at(texts[i], t - h)) / (2 * h);
            if (!(fabs(rate - difference) <= 2e-8 * (1 + fabs(rate))))
                fail_msg("rate of '%s' at %g: %.12g, by differences %.12g", texts[i], t, rate,
                         difference);
        }
}

static void rate_is(const char *text, double t, double wanted) {
    char label[100];
    snprintf(label, sizeof label, "rate of %s at %g", text, t);
    near(label, rate_at(text, t), wanted);
}

static void test_right_rates_at_kinks(void **state) {
    (void)state;
    rate_is("abs(t-1)", 1, 1);
    rate_is("abs(1-t)", 1, 1);
    rate_is("ramp(t-1)", 1, 1);
    rate_is("ramp(1-t)", 1, 0);
    rate_is("max(t, 2*t-1)", 1, 2);
    rate_is("min(t, 2*t-1)", 1, 1);
    rate_is("min(t, 1)", 1, 0);
    rate_is("if(t <= 1, t, 1)", 1, 0); /* the condition just after 1 */
    rate_is("if(t >= 1, 1, t)", 1, 0);
    rate_is("if(t < 1, t, 1)", 1, 0);
    rate_is("if(1 < t, 5*t, t)", 1, 5);
    rate_is("smooth(t)", 0, 0);
    rate_is("mod(t, 1)", 1, 1);
    rate_is("step(t)", 0, 0);
    rate_is("sqrt(ramp(t-1))", 0.5, 0);
    rate_is("t^2", 0, 0);
    rate_is("t^1", 0, 1);
    rate_is("t^0", 0, 0);
}

static void test_run_time_values(void **state) {
    (void)state;
    assert_true(isinf(at("1/t", 0)));
    assert_true(isnan(at("log(t)", -1)));
    assert_true(isnan(at("max(log(t), 1)", -1)) && isnan(at("min(1, log(t))", -1)));
    assert_true(isnan(at("step(log(t))", -1)) && isnan(at("sign(log(t))", -1)));
    assert_true(isnan(at("if(log(t) < 1, 2, 3)", -1)));
    assert_true(isnan(at("ramp(log(t))", -1)) && isnan(at("smooth(log(t))", -1)));
}

/* ---- folding ---- */

static bool constant(const char *text) {
    ts_expr *expr = compile(text);
    bool yes = ts_expr_constant(expr);
    ts_expr_free(expr);
    return yes;
}

static void test_folding(void **state) {
    (void)state;
    assert_true(constant("2*L + 3 mm*sin(tilt)^2"));
    assert_true(constant("if(n > 2, 1, 2)"));
    assert_true(constant("if(n > 2, 1, t)"));
    assert_false(constant("if(n < 2, 1, t)"));
    assert_false(constant("0*t"));
    wrong("2 + 1/0", 5, "division by zero", NULL);
    wrong("t/none", 1, "division by zero", NULL);
    wrong("log(-1)", 0, "log does not give a finite number", "must be larger than 0");
    wrong("2*asin(2)", 2, "asin does not give a finite number", "between -1 and 1");
    wrong("10^400", 2, "^ does not give a finite number", NULL);
    wrong("atan(1/0)", 6, "division by zero", NULL);
    wrong("1e308 km", 0, "a finite number", NULL);
    wrong("bad", 0, "'bad' is not a finite number", NULL);
    wrong("mod(1, 0)", 0, "mod does not give a finite number", NULL);
}

static void test_branches_not_taken(void **state) {
    (void)state;
    gives("if(none > 0, 1/none, 7)", 7);
    gives("if(none <= 0, 7, log(none))", 7);
    gives("if(1 < 2, if(2 < 1, 1/0, 3), 1/0)", 3);
    near("branch", at("1 + if(1 < 2, t*2, 1/0)", 4), 9);
    near("branch", at("1 + if(1 > 2, 1/0, t*2 + 1)*2", 4), 19);
    wrong("if(none >= 0, 1/none, 7)", 15, "division by zero", NULL);
    wrong("if(t > 0, 1, log(-1))", 13, "log does not give", "must be larger than 0");
    wrong("if(1/0 > 0, 1, 2)", 4, "division by zero", NULL);
    wrong("log(-1) + if(1 < 2, 3, 1/0)", 0, "log does not give", "larger than 0");
}

/* ---- messages ---- */

static void test_hints(void **state) {
    (void)state;
    wrong("210 Gpa", 4, "unknown unit 'Gpa'", "did you mean 'GPa'?");
    wrong("3 Nm", 2, "unknown unit 'Nm'", "'N*m'");
    wrong("2 L", 2, "unknown unit 'L'", "write '2*L'");
    wrong("2 sin(t)", 2, "unknown unit 'sin'", "write '2*sin'");
    wrong("2 min(1, 2)", 2, "unknown unit 'min'", "write '2*min'");
    wrong("2*tillt", 2, "unknown name 'tillt'", "did you mean 'tilt'?");
    wrong("2*zzz", 2, "unknown name 'zzz'", NULL);
    wrong("mm", 0, "unknown name 'mm'", "write '1 mm'");
    wrong("2*e", 2, "unknown name 'e'", "exp(1)");
    wrong("sin", 0, "unknown name 'sin'", "sin(...)");
    wrong("sine(2)", 0, "unknown function 'sine'", "did you mean 'sin'?");
    wrong("L(2)", 0, "unknown function 'L'", "'L*(...)'");
    wrong("1,5", 1, "found ','", "point");
    wrong("2(3)", 1, "found '('", "'*'");
    wrong("5 N m", 4, "found 'm'", "N*m");
    wrong("2**3", 1, "found '*'", "write '^'");
    wrong("2 \xC3\x97 3", 2, "byte 0xC3", "write '*'");
    wrong("20\xC2\xB0", 2, "byte 0xC2", "write 'deg'");
    wrong("1 < 2", 2, "found '<'", "if(a < b, x, y)");
    wrong("if(t == 1, 2, 3)", 5, "expected a comparison", "equality");
}

static void test_syntax_errors(void **state) {
    (void)state;
    wrong("", 0, "the expression ends", NULL);
    wrong("  ", 2, "the expression ends", NULL);
    wrong("1 +", 3, "the expression ends", NULL);
    wrong("(1", 2, "the expression ends", NULL);
    wrong("1)", 1, "found ')'", NULL);
    wrong("*2", 0, "found '*'", NULL);
    wrong("sin()", 4, "found ')'", NULL);
    wrong("sin(1, 2)", 5, "sin takes 1 argument", NULL);
    wrong("min(1)", 5, "min takes 2 arguments", NULL);
    wrong("if(t, 1, 2)", 4, "expected a comparison", NULL);
    wrong("max(1", 5, "expected ',' in the arguments of max", "quotes");
    wrong("max(1 2)", 6, "expected ',' in the arguments of max", NULL);
    wrong("1 2", 2, "expected an operator", NULL);
}

static void test_reserved(void **state) {
    (void)state;
    assert_true(ts_expr_reserved("t", 1) && ts_expr_reserved("time", 4) &&
                ts_expr_reserved("pi", 2));
    assert_true(ts_expr_reserved("smooth", 6) && ts_expr_reserved("if", 2));
    assert_false(ts_expr_reserved("L", 1) || ts_expr_reserved("tim", 3) || ts_expr_reserved("", 0));
}

/* ---- hostile input ---- */

/* `count` times `piece`, a middle, `count` times `tail`. */
static char *repeated(const char *piece, size_t count, const char *middle, const char *tail) {
    size_t a = strlen(piece), b = strlen(middle), c = strlen(tail);
    char *text = ts_calloc(count * (a + c) + b + 1, 1), *to = text;
    for (size_t i = 0; i < count; i++, to += a) memcpy(to, piece, a);
    memcpy(to, middle, b);
    to += b;
    for (size_t i = 0; i < count; i++, to += c) memcpy(to, tail, c);
    return text;
}

static void wrong_repeated(const char *piece, size_t count, const char *tail, const char *message) {
    char *text = repeated(piece, count, "t", tail);
    ts_expr *expr;
    ts_expr_error error;
    int code = ts_expr_compile(&expr, text, strlen(text), &scope, true, &error);
    free(text);
    assert_int_equal(code, TORSOR_EINVAL);
    assert_null(expr);
    assert_non_null(strstr(error.message, message));
}

static void test_deep_nesting(void **state) {
    (void)state;
    wrong_repeated("(", 10000, ")", "nested too deeply");
    wrong_repeated("-", 10000, "", "nested too deeply");
    wrong_repeated("2^", 10000, "", "nested too deeply");
    wrong_repeated("sin(", 10000, ")", "nested too deeply");
    wrong_repeated("if(t<1,t,", 5000, ")", "nested too deeply");
    wrong_repeated("t+t*(", 150, ")", "nested too deeply"); /* of the evaluation stack */
    char *text = repeated("(1+", 150, "1", ")");
    gives(text, 151);
    free(text);
    text = repeated("(t+", 150, "t", ")");
    near("150 sums", at(text, 2), 302);
    free(text);
    text = repeated("if(1<2,1,2)*t+", 200, "t", ""); /* a choice leaves nothing on the stack */
    near("200 choices", at(text, 2), 402);
    free(text);
}

static void test_long_input(void **state) {
    (void)state;
    char *text = repeated("1+", 30000, "1", "");
    gives(text, 30001);
    free(text);
    text = repeated("t+", 30000, "t", "");
    near("30001 t", at(text, 2), 60002);
    near("rate of 30001 t", rate_at(text, 2), 30001);
    free(text);
    wrong_repeated("1+", 40000, "", "longer than");
    wrong_repeated("1", 300, "", "number is too long");
    wrong_repeated("x", 60000, "", "unknown name 'xxx");
    wrong_repeated("1 m*", 10000, "", "too large");
}

static void test_bytes(void **state) {
    (void)state;
    wrong_for("1\0+1", 4, &scope, true, 1, "byte 0x00", NULL);
    wrong_for("\0", 1, &scope, true, 0, "byte 0x00", NULL);
    wrong_for("sin\0(1)", 7, &scope, true, 0, "unknown name 'sin'", "");
    wrong_for("1 \xC2", 3, &scope, true, 2, "byte 0xC2", NULL);
    wrong_for("\xFF\xFE\x80", 3, &scope, true, 0, "byte 0xFF", NULL);
    wrong_for("2 \xC2\xB5", 4, &scope, true, 2, "unknown unit", "");
    wrong_for(NULL, 0, NULL, true, 0, "the expression ends", NULL);
    wrong_for("L", 1, NULL, true, 0, "unknown name 'L'", NULL);
    wrong_for("12345", 0, &scope, true, 0, "the expression ends", NULL); /* the length rules */
    ts_expr *expr;
    assert_int_equal(ts_expr_compile(&expr, "123456", 3, NULL, true, NULL), 0);
    assert_true(ts_expr_value(expr, 0) == 123);
    ts_expr_free(expr);
    assert_int_equal(ts_expr_compile(&expr, "1+", 2, NULL, true, NULL), TORSOR_EINVAL);
    ts_expr_free(NULL);
}

/* Variables: value and exact slope along a direction; they are plain numbers, and never
 * constant. */
static void variables_are_given_later(void **state) {
    (void)state;
    static const char *const names[] = {"u", "v", NULL};
    const ts_scope of_uv = {.find = find, .suggest = suggest, .time_unit = 1, .variables = names};
    const char text[] = "2*u*sin(v) + 0*u + 3";
    const double x[] = {0.7, 0.3}, along_u[] = {1, 0}, along_v[] = {0, 1};
    double slope;
    ts_expr *e;
    ts_expr_error error;
    assert_int_equal(ts_expr_compile(&e, text, strlen(text), &of_uv, false, &error), 0);
    assert_false(ts_expr_constant(e));
    assert_true(fabs(ts_expr_at(e, 0, x, along_u, &slope) - (1.4 * sin(0.3) + 3)) < 1e-15);
    assert_true(fabs(slope - 2 * sin(0.3)) < 1e-15);
    ts_expr_at(e, 0, x, along_v, &slope);
    assert_true(fabs(slope - 1.4 * cos(0.3)) < 1e-15);
    ts_expr_free(e);
    assert_int_equal(ts_expr_compile(&e, "u + 1 m", 7, &of_uv, false, &error), TORSOR_EINVAL);
    assert_int_equal(ts_expr_compile(&e, "w", 1, &of_uv, false, &error), TORSOR_EINVAL);
}

static void test_kinks(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double kink; /* between 0 and 1; -1: none */
    } cases[] = {{"sin(t) + t^2", -1},
                 {"abs(t - 0.3)", 0.3},
                 {"step(t - 0.7)", 0.7},
                 {"max(2*t, 1)", 0.5},
                 {"min(t, t + 1)", -1},
                 {"if(t^2 < 0.25, 1, 2)", 0.5},
                 {"if(1 > 0, t, abs(t))", -1},
                 {"floor(4*t + 0.5)", 0.125},
                 {"mod(t, 0.4)", 0.4},
                 {"smooth(2*t - 1)", 0.5},
                 {"ramp(t - 0.9) + sign(t - 0.6)", 0.6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ts_expr *e;
        double before = 0, after = 0;
        assert_int_equal(
            ts_expr_compile(&e, cases[i].text, strlen(cases[i].text), NULL, true, NULL), 0);
        bool found = ts_expr_kink(e, 1e-3, 1, &before, &after);
        assert_int_equal(found, cases[i].kink > 0);
        if (found) {
            assert_true(fabs(after - cases[i].kink) < 1e-15);
            assert_true(before < after && nextafter(before, 2) == after);
        }
        ts_expr_free(e);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinks),
        cmocka_unit_test(variables_are_given_later),
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_every_unit),
        cmocka_unit_test(test_unit_binding),
        cmocka_unit_test(test_unit_names),
        cmocka_unit_test(test_dim_names),
        cmocka_unit_test(test_dim_fits),
        cmocka_unit_test(test_dimension_errors),
        cmocka_unit_test(test_dimensions),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_right_rates_at_kinks),
        cmocka_unit_test(test_run_time_values),
        cmocka_unit_test(test_folding),
        cmocka_unit_test(test_branches_not_taken),
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_syntax_errors),
        cmocka_unit_test(test_reserved),
        cmocka_unit_test(test_deep_nesting),
        cmocka_unit_test(test_long_input),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
