/* SPDX-License-Identifier: Apache-2.0 */
/* Many cases by the public interface: study files, their cases and mistakes; a model whose
 * parameters are given by name; one number of a history; journals as tables and pages. Numbers are
 * those of a thrown ball, in closed form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "torsor/torsor.h"

#include "fine.h"

static char folder[] = "/tmp/torsor-plan-XXXXXX";

static const char BALL[] =
    "torsor: 1\nunits: SI\nparameters: {v: 3 m/s, g: 10 m/s^2}\ngravity: [0, 0, -g]\n"
    "bodies: {ball: {type: point, mass: 1 kg, position: [0, 0, 0], velocity: [v, 0, v]}}\n"
    "analysis: {scheme: EP, step: 10 ms, end: 1 s}\n";

static const char STUDY[] =
    "study: 1\nmodel: ball.yaml\ntitle: Throws\nparameters: {v: [1 m/s, 2 m/s], g: {from: 5 "
    "m/s^2, to: 10 m/s^2, count: 2}}\nmeasures: {far: last ball.position.x}\n"
    "options: {step: 5 ms}\nhistories: [ball.position.z]\n";

static const char *path_of(const char *name) {
    static char path[32][200];
    static int next;
    char *to = path[next++ % 32];
    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    return to;
}

static const char *put(const char *name, const char *text) {
    const char *path = path_of(name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    return path;
}

static void test_cases(void **state) {
    (void)state;
    torsor_plan *plan;
    put("ball.yaml", BALL);
    FINE(torsor_plan_read(&plan, put("study.yaml", STUDY)));
    assert_int_equal(torsor_plan_cases(plan), 4);
    assert_int_equal(torsor_plan_count(plan, "parameters"), 2);
    assert_string_equal(torsor_plan_name(plan, "parameters", 1), "g");
    assert_string_equal(torsor_plan_value(plan, 1, 0), "1 m/s");
    assert_string_equal(torsor_plan_value(plan, 1, 1), "10 m/s^2");
    assert_string_equal(torsor_plan_value(plan, 2, 1), "5 m/s^2");
    assert_null(torsor_plan_value(plan, 4, 0));
    assert_null(torsor_plan_value(plan, -1, 0));
    assert_null(torsor_plan_value(plan, 0, 2));
    assert_string_equal(torsor_plan_name(plan, "measures", 0), "far");
    assert_string_equal(torsor_plan_text(plan, "measures", 0), "last ball.position.x");
    assert_string_equal(torsor_plan_text(plan, "options", 0), "5 ms");
    assert_string_equal(torsor_plan_name(plan, "histories", 0), "ball.position.z");
    assert_int_equal(torsor_plan_count(plan, "nothing"), 0);
    assert_null(torsor_plan_name(plan, "measures", 1));
    assert_string_equal(torsor_plan_setting(plan, "title"), "Throws");
    assert_null(torsor_plan_setting(plan, "output"));
    assert_true(torsor_model_has(torsor_plan_model(plan), "parameters.v"));
    torsor_plan_free(plan);
}

static void test_mistakes(void **state) {
    (void)state;
    torsor_plan *plan;
    static const char text[] = "study: 1\nparameters: {v: {uniform: [2, 1]}}\nsamples: 3\n";
    assert_int_equal(torsor_plan_parse(&plan, text, sizeof text - 1, NULL), TORSOR_EINVAL);
    assert_null(plan);
    assert_int_equal(torsor_mistakes(), 1);
    assert_int_equal(torsor_mistake_at(0)->line, 2);
    assert_int_equal(torsor_mistake_at(0)->column, 27);
    assert_int_equal(torsor_plan_read(&plan, path_of("none.yaml")), TORSOR_EIO);
    static const char fine[] = "study: 1\nparameters: {v: [1]}\n";
    FINE(torsor_plan_parse(&plan, fine, sizeof fine - 1, NULL));
    assert_null(torsor_plan_model(plan));
    torsor_plan_free(plan);
    torsor_plan_free(NULL);
}

static void test_override(void **state) {
    (void)state;
    torsor_model *m;
    char *text;
    FINE(torsor_model_parse(&m, BALL, sizeof BALL - 1, "ball"));
    FINE(torsor_model_override(m, "v", "4 m/s"));
    FINE(torsor_model_override(m, "parameters.g", "5 m/s^2"));
    FINE(torsor_model_override(m, "bodies.ball.mass", "2 kg"));
    FINE(torsor_model_get(m, "parameters.v", &text));
    assert_string_equal(text, "4 m/s");
    torsor_text_free(text);
    assert_int_equal(torsor_model_override(m, "w", "1"), TORSOR_EOPTION);
    assert_string_equal(torsor_error(), "the model has no parameter 'w': it has v, g");
    assert_int_equal(torsor_model_override(m, "parameters.gravity", "1"), TORSOR_EOPTION);
    torsor_model_free(m);
}

/* A table that stands in a file is within the whole text. */
static void test_whole(void **state) {
    (void)state;
    torsor_model *m, *again;
    char *text, model[1000];
    put("push.csv", "0, 0\n1, 7.25\n");
    snprintf(model, sizeof model,
             "%ssignals: {f: {file: push.csv}}\n"
             "loads: {push: {type: force, body: ball, force: [f, 0, 0]}}\n",
             BALL);
    FINE(torsor_model_read(&m, put("pushed.yaml", model)));
    FINE(torsor_model_whole(m, &text));
    assert_non_null(strstr(text, "7.25"));
    FINE(torsor_model_parse(&again, text, strlen(text), "elsewhere"));
    torsor_text_free(text);
    torsor_model_free(again);
    FINE(torsor_model_override(m, "v", "4 m/s"));
    FINE(torsor_model_whole(m, &text));
    assert_non_null(strstr(text, "4 m/s"));
    torsor_text_free(text);
    torsor_model_free(m);
}

static double measured(torsor_results *results, const char *measure) {
    double value = NAN;
    char *unit;
    FINE(torsor_results_measure(results, measure, &value, &unit));
    assert_string_equal(unit, "m");
    torsor_text_free(unit);
    return value;
}

/* x = v t, z = v t - g t^2/2 with v = 3, g = 10; the mean of the polygon through z at 10 ms is
 * lower by g h^2/12. */
static void test_measures(void **state) {
    (void)state;
    torsor_model *m;
    torsor_run *run;
    torsor_results *results;
    double value;
    FINE(torsor_model_parse(&m, BALL, sizeof BALL - 1, "ball"));
    FINE(torsor_run_new(&run, m));
    FINE(torsor_run_record(run, path_of("ball.h5")));
    FINE(torsor_run_to(run, 1));
    FINE(torsor_run_finish(run));
    torsor_run_free(run);
    torsor_model_free(m);
    FINE(torsor_results_open(&results, path_of("ball.h5")));
    assert_true(fabs(measured(results, "last ball.position.x") - 3) < 1e-12);
    assert_true(fabs(measured(results, "first ball.position.x")) < 1e-12);
    assert_true(fabs(measured(results, "max ball.position.z") - 0.45) < 1e-12);
    assert_true(fabs(measured(results, "min ball.position.z") + 2) < 1e-12);
    assert_true(fabs(measured(results, "absmax ball.position.z") - 2) < 1e-12);
    assert_true(fabs(measured(results, "range ball.position.z") - 2.45) < 1e-12);
    assert_true(fabs(measured(results, "mean ball.position.z") - (1.5 - 10. / 6 - 1e-3 / 12)) <
                1e-12);
    assert_true(fabs(measured(results, "rms ball.position.x") - sqrt(3)) < 1e-12);
    FINE(torsor_results_measure(results, "last ball.position.x", &value, NULL));
    assert_int_equal(torsor_results_measure(results, "last ball.position", &value, NULL),
                     TORSOR_EINVAL);
    assert_int_equal(torsor_results_measure(results, "most ball.position.x", &value, NULL),
                     TORSOR_EINVAL);
    assert_int_equal(torsor_results_measure(results, "max", &value, NULL), TORSOR_EINVAL);
    torsor_results_free(results);
}

#define KEY(digit) digit digit digit digit digit digit digit digit
#define LONG(digit) KEY(digit) KEY(digit) KEY(digit) KEY(digit)

static void compare_text(const char *path, const char *expected) {
    char text[2000] = "";
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    size_t length = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[length] = 0;
    assert_string_equal(text, expected);
}

/* Two journals: cases out of order, one twice, one with a text for a value, damaged lines. */
static void test_journals(void **state) {
    (void)state;
    int64_t cases;
    const char *const journals[] = {
        put("a.jsonl",
            "{\"key\": \"" LONG(
                "ab") "\", \"case\": 1, \"parameters\": {\"L\": \"20 mm\"}, "
                      "\"values\": {\"x\": 1.5}, \"units\": {\"x\": \"m\"}, \"good\": true}\n"
                      "{\"key\": \"" LONG(
                          "cd") "\", \"case\": 0, \"parameters\": {\"L\": \"1 m\"}, \"values\": "
                                "{\"x\": null, \"y\": [1]}, \"good\": false, \"seconds\": 2}\n"
                                "{\"key\": \"" LONG("ef") "\", \"case\": 7, \"param"),
        put("b.jsonl", "nonsense\n[]\n{\"key\": 3}\n\n"
                       "{\"key\": \"" LONG(
                           "ab") "\", \"case\": 1, \"parameters\": {\"L\": \"20 "
                                 "mm\"}, \"values\": {\"x\": 2.5}, \"units\": {\"x\": \"m\"}}\n")};
    FINE(torsor_journals_write(2, journals, "csv", path_of("t.csv"), &cases));
    assert_int_equal(cases, 2);
    compare_text(path_of("t.csv"), "case,L [m],x [m],good,seconds\n0,1,,0,2\n1,0.02,2.5,1,\n");
    assert_int_equal(torsor_journals_write(2, journals, "csv", path_of("t.csv"), NULL), TORSOR_EIO);
    FINE(torsor_journals_write(2, journals, "h5", path_of("t.h5"), NULL));
    FINE(torsor_journals_write(2, journals, "h5", path_of("t.h5"), NULL));
    assert_int_equal(torsor_journals_write(2, journals, "xls", path_of("t.xls"), NULL),
                     TORSOR_EINVAL);
    const char *const none[] = {path_of("none.jsonl")};
    assert_int_equal(torsor_journals_write(1, none, "csv", path_of("u.csv"), NULL), TORSOR_EIO);
    assert_int_not_equal(access(path_of("u.csv"), F_OK), 0);
    FINE(torsor_journals_write(0, journals, "csv", path_of("u.csv"), &cases));
    assert_int_equal(cases, 0);
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    char command[80];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),    cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_override), cmocka_unit_test(test_whole),
        cmocka_unit_test(test_measures), cmocka_unit_test(test_journals)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
