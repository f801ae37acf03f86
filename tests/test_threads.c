/* SPDX-License-Identifier: Apache-2.0 */
/* Different handles on different threads at the same time, as torsor.h permits: four threads read
 * models, run, record, restart, find modes, make reports and studies. What each of them finds is
 * what one thread alone finds, bit for bit. Built with the thread sanitizer (make torture-threads)
 * this also shows that nothing is shared unguarded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "torsor/torsor.h"

enum { THREADS = 4, TURNS = 2, ROOM = 4000, NAME = 200 };

static const char MODEL[] =
    "torsor: 1\nunits: SI\ntitle: threads\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  arm: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0.5, 0, 0]}\n"
    "joints:\n"
    "  hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: y}\n"
    "  clamp: {type: rigid, bodies: [arm, tail.start], at: [1, 0, 0]}\n"
    "springs: {soft: {type: torsion_spring, joint: hinge, stiffness: 20, damping: 0.1}}\n"
    "materials: {m: {type: isotropic, E: 2e8, nu: 0.3, density: 1000}}\n"
    "sections: {s: {type: circle, material: m, diameter: 20 mm}}\n"
    "beams: {tail: {section: s, from: [1, 0, 0], to: [2, 0, 0], elements: 2, order: 1}}\n"
    "analysis: {scheme: ED, step: 5 ms, end: 0.1 s}\n"
    "outputs: {every: 2}\n";

/* ---- what a thread finds ---- */

typedef struct findings {
    double number[ROOM]; /* states, frequencies, tables */
    int numbers;
    char failure[NAME + 1100]; /* the first call that failed; "": none */
    char folder[NAME];
} findings;

static void keep(findings *f, const double *number, int64_t count) {
    for (int64_t i = 0; i < count && f->numbers < ROOM; i++) f->number[f->numbers++] = number[i];
}

static int note(findings *f, const char *what, int status) {
    if (status && !*f->failure)
        snprintf(f->failure, sizeof f->failure, "%s: %s", what, torsor_error());
    return status;
}
#define TRY(call) \
    if (note(f, #call, call)) return

static void keep_state(findings *f, const torsor_run *run) {
    keep(f, torsor_run_q(run), 3 * torsor_run_slots(run));
    keep(f, torsor_run_v(run), 3 * torsor_run_slots(run));
    keep(f, torsor_run_multipliers(run), torsor_run_conditions(run));
}

static void follow(findings *f, const char *results) {
    torsor_model *model;
    torsor_run *run;
    TRY(torsor_model_parse(&model, MODEL, strlen(MODEL), "model"));
    TRY(torsor_run_new(&run, model));
    torsor_model_free(model);
    TRY(torsor_run_record(run, results));
    TRY(torsor_run_to(run, INFINITY));
    TRY(torsor_run_finish(run));
    keep_state(f, run);
    double balance = torsor_run_balance(run);
    keep(f, &balance, 1);
    torsor_run_free(run);
}

static void go_on(findings *f, const char *results) {
    torsor_run *run;
    TRY(torsor_run_restart(&run, results, 4, 0));
    TRY(torsor_run_to(run, INFINITY));
    keep_state(f, run);
    torsor_run_free(run);
}

static void look(findings *f, const char *results, const char *page) {
    torsor_results *file;
    torsor_table *table;
    char *text;
    TRY(torsor_results_open(&file, results));
    TRY(torsor_results_info(file, true, &text));
    torsor_text_free(text);
    TRY(torsor_results_table(&table, file, 0, NULL));
    for (int c = 0; c < torsor_table_columns(table); c++)
        keep(f, torsor_table_column(table, c), torsor_table_rows(table));
    torsor_table_free(table);
    torsor_results_free(file);
    if (torsor_report_check(page) == 0) TRY(torsor_report(1, &results, page, 0));
}

static void vibrate(findings *f) {
    torsor_model *model;
    torsor_modes *modes;
    torsor_mode mode;
    TRY(torsor_model_parse(&model, MODEL, strlen(MODEL), "model"));
    TRY(torsor_modes_new(&modes, model, &(torsor_modal_options){.modes = 4}));
    for (int i = 0; i < torsor_modes_count(modes); i++) {
        TRY(torsor_modes_get(modes, i, &mode));
        keep(f, &mode.frequency, 1);
    }
    torsor_modes_free(modes);
    torsor_model_free(model);
}

/* Runs in threads of its own; the table has times in it, so only its errors are compared: they
 * stand in the columns of the CSV before the cost. */
static void study(findings *f) {
    torsor_model *model;
    torsor_options *options;
    torsor_study *made;
    char *text;
    TRY(torsor_model_parse(&model, MODEL, strlen(MODEL), "model"));
    TRY(torsor_options_new(&options, "converge"));
    TRY(torsor_options_set(options, "levels", "2"));
    TRY(torsor_options_set(options, "jobs", "2"));
    TRY(torsor_converge(&made, model, options));
    TRY(torsor_study_write(made, "csv", &text));
    for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        double step = strtod(line + 1, NULL);
        keep(f, &step, 1);
    }
    torsor_text_free(text);
    torsor_study_free(made), torsor_options_free(options), torsor_model_free(model);
}

static void resolve(findings *f, const char *results) {
    torsor_model *model;
    torsor_run *run;
    torsor_resolve *beside;
    torsor_study *bars;
    char *text;
    TRY(torsor_model_parse(&model, MODEL, strlen(MODEL), "model"));
    TRY(torsor_run_new(&run, model));
    TRY(torsor_resolve_begin(&beside, run, NULL));
    TRY(torsor_run_record(run, results));
    TRY(torsor_run_to(run, INFINITY));
    TRY(torsor_run_finish(run));
    TRY(torsor_resolve_finish(&bars, beside, results));
    TRY(torsor_study_write(bars, "text", &text));
    for (const char *c = text; *c; c++) keep(f, &(double){(double)(unsigned char)*c}, 1);
    torsor_text_free(text), torsor_study_free(bars);
    torsor_resolve_free(beside), torsor_run_free(run), torsor_model_free(model);
}

/* Mistakes are kept per thread. */
static void stumble(findings *f) {
    torsor_model *model;
    static const char wrong[] = "torsor: 1\nunits: SI\nbodies: {a: {mass: -1}}\nnonsense: 3\n";
    if (torsor_model_parse(&model, wrong, sizeof wrong - 1, "wrong") != TORSOR_EINVAL)
        note(f, "a wrong model was read", 1);
    keep(f, &(double){torsor_mistakes()}, 1);
}

static void *work(void *context) {
    findings *f = context;
    char results[NAME + 20], page[NAME + 20], bars[NAME + 20];
    snprintf(results, sizeof results, "%s/run.h5", f->folder);
    snprintf(bars, sizeof bars, "%s/bars.h5", f->folder);
    snprintf(page, sizeof page, "%s/run.html", f->folder);
    for (int turn = 0; turn < TURNS && !*f->failure; turn++) {
        f->numbers = 0;
        follow(f, results);
        if (!*f->failure) go_on(f, results);
        if (!*f->failure) look(f, results, page);
        if (!*f->failure) vibrate(f);
        if (!*f->failure) study(f);
        if (!*f->failure) resolve(f, bars);
        if (!*f->failure) stumble(f);
        unlink(results), unlink(bars), unlink(page);
    }
    return NULL;
}

/* ---- the test ---- */

static findings *prepared(int which) {
    findings *f = calloc(1, sizeof *f);
    const char *where = getenv("TMPDIR");
    assert_non_null(f);
    snprintf(f->folder, sizeof f->folder, "%s/torsor-threads-%d-XXXXXX", where ? where : "/tmp",
             which);
    assert_non_null(mkdtemp(f->folder));
    return f;
}

static void four_threads_find_what_one_finds(void **unused) {
    (void)unused;
    pthread_t thread[THREADS];
    findings *alone = prepared(THREADS), *f[THREADS];
    work(alone);
    assert_string_equal(alone->failure, "");
    assert_true(alone->numbers > 500 && alone->numbers < ROOM);
    for (int i = 0; i < THREADS; i++) f[i] = prepared(i);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, f[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        assert_string_equal(f[i]->failure, "");
        assert_int_equal(f[i]->numbers, alone->numbers);
        assert_memory_equal(f[i]->number, alone->number,
                            (size_t)alone->numbers * sizeof *alone->number);
        rmdir(f[i]->folder), free(f[i]);
    }
    rmdir(alone->folder), free(alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(four_threads_find_what_one_finds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
