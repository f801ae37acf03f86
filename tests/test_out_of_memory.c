/* SPDX-License-Identifier: Apache-2.0 */
/* Running out of memory in every function: the k-th allocation fails, for every k that a public
 * function reaches; for every fourth k also all that follow. Each call must then succeed or return
 * an error (TORSOR_ENOMEM, unless a library or a file said otherwise); no crash, no end of the
 * process. Handles are freed after that. Under the address sanitizer nothing may be left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "torsor/torsor.h"

/* A bit of everything: a flexible beam, a joint, a spring, a motor, a table, an expression, a shell
 * and a solid. */
static const char MODEL[] =
    "torsor: 1\n"
    "units: SI\n"
    "title: out of memory\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {L: 1 m, k: 2*L}\n"
    "signals:\n"
    "  push: {table: [[0, 0], [0.1, 1], [0.5, 0]]}\n"
    "  wave: 3*sin(2*t)\n"
    "bodies:\n"
    "  rod: {mass: 2, inertia: [0.001, 0.2, 0.2], position: [L/2, 0, 0]}\n"
    "  bob: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [L, 0, 0]}\n"
    "joints:\n"
    "  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}\n"
    "  clamp: {type: rigid, bodies: [ground, boom.start], at: [0, 2, 0]}\n"
    "  edge: {type: support, nodes: plate.x-}\n"
    "  ball: {type: spherical, bodies: [rod, bob], at: [L, 0, 0]}\n"
    "materials: {steel: {E: 210 GPa, nu: 0.3, density: 7850}}\n"
    "sections: {bar: {type: tube, outer_diameter: 10 mm, thickness: 1 mm, material: steel}}\n"
    "shell_sections: {sheet: {thickness: 2 mm, material: steel}}\n"
    "meshes: {square: {type: plate, corners: [[2,0,0], [3,0,0], [3,1,0], [2,1,0]], divisions: [1, "
    "1]}}\n"
    "shells: {plate: {mesh: square, section: sheet}}\n"
    "beams: {boom: {from: [0, 2, 0], to: [1, 2, 0], section: bar, elements: 2, order: 1}}\n"
    "springs:\n"
    "  coil: {type: torsion_spring, joint: hinge, stiffness: 10, damping: 0.1}\n"
    "loads:\n"
    "  tug: {type: force, body: bob, force: [0, push, wave]}\n"
    "analysis: {scheme: {name: ED, rho_inf: 0.8}, step: 2 ms, end: 20 ms}\n";

enum { STEPS = 4, RESULTS_NAME = 64 };
static char results[RESULTS_NAME], copy[RESULTS_NAME], table[RESULTS_NAME];
static char page[RESULTS_NAME], exported[RESULTS_NAME], folder[RESULTS_NAME];

/* Each scenario returns the first failure, and frees what it made. */

static int read_and_change(void) {
    torsor_model *m = NULL, *twin = NULL;
    char *text = NULL;
    int status = torsor_model_parse(&m, MODEL, sizeof MODEL - 1, "oom");
    if (!status) status = torsor_model_set(m, "bodies.bob.mass", "3 kg");
    if (!status) status = torsor_model_add(m, "bodies", "more", "{mass: 1, inertia: [1, 1, 1]}");
    if (!status) status = torsor_model_copy(&twin, m);
    if (!status) status = torsor_model_get(twin, "bodies.bob.mass", &text);
    torsor_text_free(text), text = NULL;
    if (!status) status = torsor_model_keys(twin, "bodies", &text);
    torsor_text_free(text), text = NULL;
    if (!status) status = torsor_model_text(twin, &text);
    torsor_text_free(text);
    torsor_model_free(m), torsor_model_free(twin);
    return status;
}

static int run_and_record(void) {
    torsor_model *m = NULL;
    torsor_run *run = NULL;
    char *text = NULL;
    int level, status = torsor_model_parse(&m, MODEL, sizeof MODEL - 1, "oom");
    if (!status) status = torsor_run_new(&run, m);
    torsor_model_free(m);
    if (!status) status = torsor_run_record(run, copy);
    for (int i = 0; i < STEPS && !status; i++) status = torsor_run_step(run);
    if (!status) status = torsor_run_resolution(run, &level, &text);
    torsor_text_free(text), text = NULL;
    if (!status) status = torsor_run_to(run, 1);
    if (!status) status = torsor_run_finish(run);
    if (status && run) torsor_run_step(run); /* may be refused, no worse */
    torsor_run_free(run);
    return status;
}

static int restart(void) {
    torsor_run *run = NULL;
    int status = torsor_run_restart(&run, results, 2, 0);
    if (!status) status = torsor_run_step(run);
    torsor_run_free(run);
    return status;
}

static int find_modes(void) {
    torsor_model *m = NULL;
    torsor_modes *modes = NULL;
    torsor_mode mode;
    torsor_modal_options options = {.modes = 3, .as_drawn = true};
    int status = torsor_model_parse(&m, MODEL, sizeof MODEL - 1, "oom");
    if (!status) status = torsor_modes_new(&modes, m, &options);
    if (!status) status = torsor_modes_get(modes, 0, &mode);
    if (!status) status = torsor_modes_write(modes, copy);
    torsor_modes_free(modes), torsor_model_free(m);
    return status;
}

static int find_modes_by_options(void) {
    torsor_model *m = NULL;
    torsor_modes *modes = NULL;
    torsor_options *o = NULL;
    char *words = NULL;
    int status = torsor_model_parse(&m, MODEL, sizeof MODEL - 1, "oom");
    if (!status) status = torsor_options_new(&o, "modes");
    if (!status) status = torsor_options_set(o, "modes", "2");
    if (!status) status = torsor_options_set(o, "as_drawn", "true");
    if (!status) status = torsor_modes_find(&modes, m, o);
    if (!status) status = torsor_modes_free_words(modes, 0, &words);
    torsor_text_free(words), torsor_options_free(o);
    torsor_modes_free(modes), torsor_model_free(m);
    return status;
}

static int resume(void) {
    torsor_options *o = NULL;
    torsor_run *run = NULL;
    int status = torsor_options_new(&o, "restart");
    if (!status) status = torsor_options_set(o, "from", "2");
    if (!status) status = torsor_options_set(o, "end", "8 ms");
    if (!status) status = torsor_run_resume(&run, results, o);
    torsor_options_free(o);
    if (!status) status = torsor_run_record(run, copy);
    if (!status) status = torsor_run_to(run, 1);
    if (!status) status = torsor_run_finish(run);
    torsor_run_free(run);
    return status;
}

/* A study of three steps. Memory ends in this thread: what a thread of a run does without memory is
 * tried by the scenarios of runs. */
static int study_of(const char *use,
                    int (*make)(torsor_study **, const torsor_model *, const torsor_options *)) {
    torsor_model *m = NULL;
    torsor_options *o = NULL;
    torsor_study *study = NULL;
    char *text = NULL;
    int status = torsor_model_parse(&m, MODEL, sizeof MODEL - 1, "oom");
    if (!status) status = torsor_options_new(&o, use);
    if (!status) status = torsor_options_set(o, "levels", "1");
    if (!status) status = torsor_options_set(o, "end", "4 ms");
    if (!status) status = torsor_options_set(o, "reference", "EP:2ms");
    if (!status) status = make(&study, m, o);
    if (!status) status = torsor_study_write(study, "json", &text);
    torsor_text_free(text);
    torsor_study_free(study), torsor_options_free(o), torsor_model_free(m);
    return status;
}

static int converge(void) { return study_of("converge", torsor_converge); }
static int compare(void) { return study_of("compare", torsor_compare); }

static int resolve(void) {
    torsor_model *m = NULL;
    torsor_options *o = NULL;
    torsor_run *run = NULL;
    torsor_resolve *r = NULL;
    torsor_study *study = NULL;
    int status = torsor_model_parse(&m, MODEL, sizeof MODEL - 1, "oom");
    if (!status) status = torsor_options_new(&o, "run");
    if (!status) status = torsor_options_set(o, "end", "4 ms");
    if (!status) status = torsor_run_begin(&run, m, o);
    if (!status) status = torsor_resolve_begin(&r, run, NULL);
    if (!status) status = torsor_run_record(run, copy);
    if (!status) status = torsor_run_to(run, 1);
    if (!status) status = torsor_run_finish(run);
    if (!status) status = torsor_resolve_finish(&study, r, copy);
    torsor_study_free(study), torsor_resolve_free(r), torsor_run_free(run);
    torsor_options_free(o), torsor_model_free(m);
    return status;
}

static int report_page(void) {
    const char *of = results;
    return torsor_report(1, &of, page, 0);
}

static int export_as(const char *format, const char *place) {
    torsor_results *r = NULL;
    char *file = NULL;
    int status = torsor_results_open(&r, results);
    if (!status) status = torsor_results_export(r, format, place, 1, NULL, &file);
    torsor_text_free(file), torsor_results_free(r);
    return status;
}

static int export_xdmf(void) { return export_as("xdmf", page); }
static int export_vtu(void) { return export_as("vtu", exported); }

static int look_at_results(void) {
    torsor_results *r = NULL;
    torsor_table *t = NULL;
    char *text = NULL;
    double numbers[64];
    static const char *const selector[] = {"bob.position.z", "energy"};
    int status = torsor_results_open(&r, results);
    if (!status) status = torsor_results_info(r, true, &text);
    torsor_text_free(text), text = NULL;
    if (!status) status = torsor_results_text(r, &text);
    torsor_text_free(text);
    if (!status) status = torsor_results_read(r, 0, 0, 2, numbers);
    if (!status) status = torsor_results_table(&t, r, 2, selector);
    torsor_table_free(t);
    if (!status) status = torsor_results_csv(r, 2, selector, table);
    torsor_results_free(r);
    return status;
}

static int schema(void) {
    char *text = NULL;
    int status = torsor_schema(&text);
    torsor_text_free(text);
    return status;
}

/* A file on the disk under the name is whole: it opens, and what it counts can be read. */
static void check_file(const char *path) {
    torsor_results *r;
    double number[64];
    if (access(path, F_OK)) return;
    if (torsor_results_open(&r, path)) {
        print_error("%s\n", torsor_error());
        fail();
    }
    int64_t frames = torsor_results_frames(r);
    if (frames > 0) assert_int_equal(torsor_results_read(r, 0, frames - 1, 1, number), 0);
    torsor_results_free(r);
}

/* Every how manieth allocation fails: studies run threads and write files, which takes time. */
enum { EACH = 1, SOME = 11, FEW = 7 };
static int stride_of(int stride) {
    if (getenv("TORSOR_EACH")) return EACH; /* the torture suite takes its time */
    return getenv("TORSOR_QUICK") ? FEW * stride : stride;
}

/* No file is left under a name of its draft, whatever scenario made it. */
static void check_drafts(void) {
    DIR *here = opendir(".");
    char mine[40];
    snprintf(mine, sizeof mine, "oom_%ld", (long)getpid());
    for (struct dirent *e; (e = readdir(here));)
        if (strncmp(e->d_name, mine, strlen(mine)) == 0 && strstr(e->d_name, ".tmp"))
            fail_msg("%s was left behind", e->d_name);
    closedir(here);
}

/* Pages are there as a whole or not at all. */
static void check_page(const char *path, int status) {
    check_drafts();
    if (status == 0) assert_int_equal(access(path, F_OK), 0);
    if (status != 0) assert_int_not_equal(access(path, F_OK), 0);
}

static void check_nothing(const char *path) {
    DIR *where = opendir(path);
    for (struct dirent *e; (e = readdir(where));)
        if (*e->d_name != '.') fail_msg("%s was left in %s", e->d_name, path);
    closedir(where);
}

static void fails_well_by(int (*scenario)(void), const char *name, const char *file, int stride) {
    ts_fail_allocation(0, false);
    int fine = scenario();
    if (fine) print_error("%s: %s\n", name, torsor_error());
    assert_int_equal(fine, 0);
    long count = ts_fail_allocation(0, false), errors = 0, told = 0, harmless = 0;
    stride = stride_of(stride);
    for (long k = 1; k <= count; k += stride)
        for (int all = 0; all < 1 + (k % 4 == 0); all++) {
            if (file) unlink(file);
            ts_fail_allocation(k, all);
            int status = scenario();
            ts_fail_allocation(0, false);
            errors += status == TORSOR_ENOMEM, told += status != 0, harmless += status == 0;
            if (status) assert_true(status < 0);
            if (status) assert_true(strlen(torsor_error()) > 0);
            if (file && file != page) check_file(file);
            if (file == page) check_page(page, status);
            check_drafts(), check_nothing(folder);
        }
    print_message("%s: %ld allocations: %ld told, %ld harmless\n", name, count, told, harmless);
    assert_true(errors >= count / stride - harmless); /* nearly every one is told as what it is */
}

static void fails_well(int (*scenario)(void), const char *name, const char *file) {
    fails_well_by(scenario, name, file, EACH);
}

/* A study without processes, by options. */
static int study_spectrum(void) {
    torsor_options *o = NULL;
    torsor_study *study = NULL;
    char *text = NULL;
    int status = torsor_options_new(&o, "spectrum");
    if (!status) status = torsor_options_set(o, "schemes", "EP,newmark:gamma=0.6");
    if (!status) status = torsor_options_set(o, "points", "2");
    if (!status) status = torsor_spectrum(&study, o);
    if (!status) status = torsor_study_write(study, "json", &text);
    torsor_text_free(text);
    torsor_study_free(study);
    torsor_options_free(o);
    return status;
}

/* A study file with a grid and samples; the model that each case changes. */
static int plan_cases(void) {
    static const char text[] =
        "study: 1\nparameters: {L: [1 m, 2 m], k: {lognormal: [1 m, 0.2]}}\nsamples: 3\n"
        "measures: {x: max bob.position.z}\noptions: {step: 1 ms}\n";
    torsor_plan *plan = NULL;
    torsor_model *m = NULL;
    char *whole = NULL;
    int status = torsor_plan_parse(&plan, text, sizeof text - 1, NULL);
    if (!status) status = torsor_model_parse(&m, MODEL, sizeof MODEL - 1, "oom");
    if (!status) status = torsor_model_override(m, "L", torsor_plan_value(plan, 3, 0));
    if (!status) status = torsor_model_whole(m, &whole);
    torsor_text_free(whole);
    torsor_model_free(m), torsor_plan_free(plan);
    return status;
}

/* One number, a line of a journal, and its page. */
static int write_journal(void) {
    torsor_results *r = NULL;
    double value = 0;
    char *unit = NULL, name[RESULTS_NAME];
    const char *const names[] = {name};
    snprintf(name, sizeof name, "oom_%ld.jsonl", (long)getpid());
    int status = torsor_results_open(&r, results);
    if (!status) status = torsor_results_measure(r, "max bob.position.z", &value, &unit);
    torsor_text_free(unit), torsor_results_free(r);
    FILE *out = fopen(name, "w");
    fprintf(out, "{\"key\": \"%064d\", \"case\": 0, \"parameters\": {\"L\": \"1 m\"}, ", 7);
    fprintf(out, "\"values\": {\"x\": %g}}\n", value);
    fclose(out);
    if (!status) status = torsor_journals_write(1, names, "report", page, NULL);
    unlink(name);
    return status;
}

static void plans(void **state) { (void)state, fails_well(plan_cases, "plan", NULL); }
static void journals(void **state) { (void)state, fails_well(write_journal, "journal", page); }
static void studies(void **state) { (void)state, fails_well(study_spectrum, "studies", NULL); }
static void converges(void **state) {
    (void)state, fails_well_by(converge, "converge", NULL, SOME);
}
static void compares(void **state) { (void)state, fails_well_by(compare, "compare", NULL, SOME); }
static void resolves(void **state) { (void)state, fails_well_by(resolve, "resolve", copy, SOME); }
static void resumes(void **state) { (void)state, fails_well_by(resume, "resume", copy, SOME); }
static void finds_modes(void **state) {
    (void)state, fails_well_by(find_modes_by_options, "modes_find", NULL, SOME);
}
static void reports(void **state) { (void)state, fails_well_by(report_page, "report", page, SOME); }
static void exports(void **state) {
    (void)state;
    unlink(page);
    fails_well_by(export_xdmf, "export, xdmf", page, SOME);
    fails_well_by(export_vtu, "export, vtu", NULL, SOME);
}
static void models(void **state) { (void)state, fails_well(read_and_change, "models", NULL); }
static void runs(void **state) { (void)state, fails_well(run_and_record, "runs", copy); }
static void restarts(void **state) { (void)state, fails_well(restart, "restarts", NULL); }
static void modes(void **state) { (void)state, fails_well(find_modes, "modes", NULL); }
static void files(void **state) { (void)state, fails_well(look_at_results, "results", NULL); }
static void schemas(void **state) { (void)state, fails_well(schema, "schema", NULL); }

/* A run that ran out of memory keeps in its file what it had stored. */
static void stored_states_stay(void **state) {
    (void)state;
    torsor_model *m;
    torsor_run *run;
    torsor_results *r;
    assert_int_equal(torsor_model_parse(&m, MODEL, sizeof MODEL - 1, "oom"), 0);
    assert_int_equal(torsor_run_new(&run, m), 0);
    assert_int_equal(torsor_run_record(run, copy), 0);
    for (int i = 0; i < STEPS; i++) assert_int_equal(torsor_run_step(run), 0);
    ts_fail_allocation(1, true);
    int status = torsor_run_finish(run);
    torsor_run_free(run);
    ts_fail_allocation(0, false);
    assert_int_equal(status, TORSOR_ENOMEM);
    assert_int_equal(torsor_results_open(&r, copy), 0);
    assert_int_equal(torsor_results_frames(r), STEPS + 1);
    torsor_results_free(r), torsor_model_free(m);
}

static int make_results(void **state) {
    (void)state;
    snprintf(results, sizeof results, "oom_%ld.h5", (long)getpid());
    snprintf(copy, sizeof copy, "oom_%ld_copy.h5", (long)getpid());
    snprintf(table, sizeof table, "oom_%ld.csv", (long)getpid());
    snprintf(page, sizeof page, "oom_%ld.html", (long)getpid());
    snprintf(exported, sizeof exported, "oom_%ld-vtu", (long)getpid());
    snprintf(folder, sizeof folder, "oom_%ld-folder", (long)getpid());
    mkdir(folder, 0700), setenv("TMPDIR", folder, 1);
    int status = run_and_record();
    if (status) print_error("%s\n", torsor_error());
    return status || rename(copy, results);
}

static int remove_results(void **state) {
    (void)state;
    char command[200];
    unlink(results), unlink(copy), unlink(table), unlink(page), rmdir(folder);
    snprintf(command, sizeof command, "rm -rf %s oom_%ld-xdmf.h5", exported, (long)getpid());
    return system(command);
}

int main(void) {
    torsor_replace_files(true); /* scenarios of many kinds take turns at one path */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models),      cmocka_unit_test(runs),
        cmocka_unit_test(restarts),    cmocka_unit_test(modes),
        cmocka_unit_test(plans),       cmocka_unit_test(journals),
        cmocka_unit_test(studies),     cmocka_unit_test(files),
        cmocka_unit_test(schemas),     cmocka_unit_test(stored_states_stay),
        cmocka_unit_test(converges),   cmocka_unit_test(compares),
        cmocka_unit_test(resolves),    cmocka_unit_test(resumes),
        cmocka_unit_test(finds_modes), cmocka_unit_test(reports),
        cmocka_unit_test(exports),
    };
    if (getenv("TORSOR_ONLY")) cmocka_set_test_filter(getenv("TORSOR_ONLY"));
    return cmocka_run_group_tests(tests, make_results, remove_results);
}
