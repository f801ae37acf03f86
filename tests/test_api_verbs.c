/* SPDX-License-Identifier: Apache-2.0 */
/* The verbs of the program in the public interface: options, restarts, verdicts, modes, tables,
 * reports, exports, studies, error bars. Numbers against closed forms. */
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

static const double PI = 3.14159265358979323846;
static char folder[] = "/tmp/torsor-verbs-XXXXXX";

static torsor_options *options_of(const char *use, int count, const char *const pair[][2]) {
    torsor_options *o;
    FINE(torsor_options_new(&o, use));
    for (int i = 0; i < count; i++) FINE(torsor_options_set(o, pair[i][0], pair[i][1]));
    return o;
}
#define OPTIONS(use, ...)                                                                \
    options_of(use, (int)(sizeof((const char *[][2]){__VA_ARGS__}) / sizeof(char *[2])), \
               (const char *const[][2]){__VA_ARGS__})

/* A mass of 1 kg on a spring of (2 pi)^2 N/m along x: a period of 1 s. Drawn 0.1 m away from
 * rest. */
static torsor_model *oscillator(const char *scheme) {
    torsor_model *m;
    FINE(torsor_model_new(&m));
    FINE(torsor_model_add(m, "bodies", "cart",
                          "{mass: 1, inertia: [1, 1, 1], position: [0.1, 0, 0]}"));
    FINE(torsor_model_add(m, "joints", "rail",
                          "{type: prismatic, bodies: [ground, cart], at: [0.1, 0, 0], axis: x}"));
    FINE(torsor_model_add(
        m, "springs", "spring",
        "{type: joint_spring, joint: rail, stiffness: (2*pi)^2, free_displacement: -0.1}"));
    FINE(torsor_model_set(m, "analysis.step", "10 ms"));
    FINE(torsor_model_set(m, "analysis.end", "1 s"));
    FINE(torsor_model_set(m, "analysis.scheme", scheme));
    FINE(torsor_model_set(m, "outputs", "{every: 5, csv: [cart.position.x]}"));
    return m;
}

static const char *path_of(const char *name) {
    static char path[4][200];
    static int next;
    char *to = path[next++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    return to;
}

/* ---- options ---- */

static void options_are_refused_at_once(void **state) {
    (void)state;
    torsor_options *o = OPTIONS("run", {"step", "2 ms"}, {"scheme", "newmark:gamma=0.6"});
    const struct {
        const char *name, *value, *word;
    } wrong[] = {{"stepp", "1 ms", "did you mean 'step'"},
                 {"levels", "3", "there are scheme, solver, step"},
                 {"step", "3 mm", "step 3 mm: expected a time"},
                 {"step", "0", "must be positive"},
                 {"end", "-1 s", "0 or later"},
                 {"rho", "2", "expected 0 to 1"},
                 {"every", "0", "expected 1 to 1e9"},
                 {"threads", "1.5", "whole number"},
                 {"scheme", "XY", "there are ED, EP"},
                 {"solver", "none", "there are auto"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(torsor_options_set(o, wrong[i].name, wrong[i].value), TORSOR_EOPTION);
        if (!strstr(torsor_error(), wrong[i].word)) fail_msg("%s", torsor_error());
    }
    assert_int_equal(torsor_error_details()->status, TORSOR_EOPTION);
    assert_string_equal(torsor_error_details()->file, "solver");
    torsor_options_free(o);
    assert_int_equal(torsor_options_new(&o, "walk"), TORSOR_EINVAL);
    assert_null(o);
    char *list;
    FINE(torsor_options_list("modes", &list));
    assert_non_null(strstr(list, "spin\tvector\t"));
    torsor_text_free(list);
}

static void numbers_have_units(void **state) {
    (void)state;
    double value;
    FINE(torsor_number("2*10 mm", "m", &value));
    assert_true(fabs(value - 0.02) < 1e-16);
    FINE(torsor_number("300 rpm", "rad/s", &value));
    assert_true(fabs(value - 10 * PI) < 1e-12);
    FINE(torsor_number("7", "1", &value));
    assert_true(value == 7);
    assert_int_equal(torsor_number("3 kg", "m", &value), TORSOR_EINVAL);
    assert_non_null(strstr(torsor_error(), "expected a length"));
    assert_int_equal(torsor_number("3", "furlong", &value), TORSOR_EINVAL);
}

static void all_mistakes_are_listed(void **state) {
    (void)state;
    static const char WRONG[] = "torsor: 1\nunits: SI\nbodies:\n  a: {maas: 1}\n  b: {mass: 1 m}\n";
    torsor_model *m;
    char *page;
    assert_int_equal(torsor_model_parse(&m, WRONG, sizeof WRONG - 1, "wrong"), TORSOR_EINVAL);
    int count = torsor_mistakes();
    assert_true(count >= 2);
    assert_int_equal(torsor_mistake_at(0)->line, 4);
    assert_string_equal(torsor_mistake_at(0)->hint, "did you mean 'mass'?");
    assert_int_equal(torsor_mistake_at(count - 1)->line, 5);
    assert_null(torsor_mistake_at(count));
    FINE(torsor_mistakes_page(true, &page));
    assert_non_null(strstr(page, "\033[1;31m"));
    torsor_text_free(page);
    assert_int_equal(torsor_model_read(&m, "/no/such.yaml"), TORSOR_EIO);
    assert_int_equal(torsor_mistakes(), 0);
}

/* ---- runs ---- */

/* EP turns a vibration by 2 atan(omega h/2) a step: x = 0.1 cos of that. */
static double of_ep(double h, int step) { return 0.1 * cos(step * 2 * atan(PI * h)); }

static double place(const torsor_run *run) {
    torsor_node node;
    FINE(torsor_run_node(run, torsor_run_node_find(run, "cart"), &node));
    return torsor_run_q(run)[3 * node.slot];
}

static void options_stand_above_the_model(void **state) {
    (void)state;
    torsor_model *m = oscillator("ED");
    torsor_options *o =
        OPTIONS("run", {"scheme", "EP"}, {"step", "20 ms"}, {"end", "0.5 s"}, {"solver", "klu"});
    torsor_run *run;
    FINE(torsor_run_begin(&run, m, o));
    const torsor_setup *setup = torsor_run_setup(run);
    assert_string_equal(setup->scheme, "EP");
    assert_true(setup->steps == 25 && setup->every == 2 && !setup->statics);
    FINE(torsor_run_to(run, INFINITY));
    assert_true(fabs(place(run) - of_ep(0.02, 25)) < 1e-9);
    const torsor_verdict *v = torsor_run_verdict(run);
    assert_true(v->good && v->sound && !v->created && v->relative_balance < 1e-12);
    assert_string_equal(v->status, "completed");
    assert_non_null(strstr(v->audit, "energy audit: closed"));
    assert_true(fabs(torsor_run_balance(run)) < 1e-12);
    torsor_run_free(run);
    torsor_options_free(o);
    o = OPTIONS("run", {"end", "1 ms"});
    assert_int_equal(torsor_run_begin(&run, m, o), TORSOR_EOPTION);
    assert_null(run);
    torsor_options_free(o);
    torsor_model_free(m);
}

static void record(const char *name, const char *scheme) {
    torsor_model *m = oscillator(scheme);
    torsor_run *run;
    FINE(torsor_run_begin(&run, m, NULL));
    FINE(torsor_run_record(run, path_of(name)));
    FINE(torsor_run_to(run, INFINITY));
    FINE(torsor_run_finish(run));
    torsor_run_free(run);
    torsor_model_free(m);
}

static void runs_resume_from_any_state(void **state) {
    (void)state;
    torsor_run *run;
    record("whole.h5", "EP");
    const struct {
        const char *name, *value;
        int step;
    } states[] = {{"from", "50", 50}, {"time", "0.32 s", 30}, {"frame", "2", 10}};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        torsor_options *o = OPTIONS("restart", {states[i].name, states[i].value}, {"end", "0.8 s"});
        FINE(torsor_run_resume(&run, path_of("whole.h5"), o));
        assert_int_equal(torsor_run_steps_done(run), states[i].step);
        FINE(torsor_run_to(run, INFINITY));
        assert_true(fabs(place(run) - of_ep(0.01, 80)) < 1e-9);
        torsor_run_free(run);
        torsor_options_free(o);
    }
    torsor_options *o = OPTIONS("restart", {"from", "51"});
    assert_int_equal(torsor_run_resume(&run, path_of("whole.h5"), o), TORSOR_EOPTION);
    assert_string_equal(torsor_error(), "from 51: not stored; the nearest are 50 and 55");
    torsor_options_free(o);
    assert_int_equal(torsor_run_resume(&run, path_of("whole.h5"), NULL), TORSOR_EOPTION);
    assert_non_null(strstr(torsor_error(), "nothing is left to do"));
}

/* Columns that do not exist are found when the model is read. */
/* A run that stopped between two regular states goes on from the one before, and says so. */
static void resuming_tells_of_a_later_state(void **state) {
    (void)state;
    torsor_model *m = oscillator("EP");
    torsor_run *run;
    FINE(torsor_run_begin(&run, m, NULL));
    FINE(torsor_run_record(run, path_of("cut.h5")));
    FINE(torsor_run_to(run, 0.53));
    assert_string_equal(torsor_run_resumed(run), "");
    torsor_run_free(run), torsor_model_free(m);
    FINE(torsor_run_resume(&run, path_of("cut.h5"), NULL));
    assert_int_equal(torsor_run_steps_done(run), 50);
    assert_non_null(strstr(torsor_run_resumed(run), "the last stored state is that of step 53"));
    torsor_run_free(run);
}

/* The step in which the number is found is not made; the run goes on as if nothing had been. */
static void numbers_stop_runs(void **state) {
    (void)state;
    volatile int flag = 0;
    torsor_model *m = oscillator("EP");
    torsor_run *run;
    FINE(torsor_run_begin(&run, m, NULL));
    torsor_run_stop_when(run, &flag);
    FINE(torsor_run_to(run, 0.3));
    flag = 1;
    assert_int_equal(torsor_run_to(run, INFINITY), TORSOR_EINTERRUPTED);
    assert_int_equal(torsor_run_steps_done(run), 30);
    assert_string_equal(torsor_run_verdict(run)->status, "interrupted");
    assert_true(fabs(place(run) - of_ep(0.01, 30)) < 1e-9);
    flag = 0;
    FINE(torsor_run_to(run, INFINITY));
    FINE(torsor_run_complete(run));
    assert_true(fabs(place(run) - of_ep(0.01, 100)) < 1e-9);
    torsor_run_free(run), torsor_model_free(m);
}

/* Two points of ten to the load are not all of it: the run is at its end, and not complete. */
static void paths_that_end_early_are_not_complete(void **state) {
    (void)state;
    static const char *const points[] = {"2", "40"};
    for (int i = 0; i < 2; i++) {
        torsor_model *m = oscillator("ED");
        torsor_run *run;
        torsor_results *results;
        char *info, analysis[120];
        snprintf(analysis, sizeof analysis,
                 "{type: static, method: arc_length, increments: 10, max_points: %s}", points[i]);
        FINE(torsor_model_set(m, "springs.spring.free_displacement", "0"));
        FINE(torsor_model_set(m, "analysis", analysis));
        FINE(torsor_model_add(m, "loads", "push", "{type: force, body: cart, force: [1, 0, 0]}"));
        FINE(torsor_run_begin(&run, m, NULL));
        FINE(torsor_run_record(run, path_of("path.h5")));
        FINE(torsor_run_complete(run)); /* not at its end: nothing to say */
        FINE(torsor_run_to(run, INFINITY));
        int status = torsor_run_complete(run);
        assert_int_equal(status != 0, i == 0);
        if (status) assert_non_null(strstr(torsor_error(), "max_points"));
        FINE(torsor_run_finish(run));
        torsor_run_free(run), torsor_model_free(m);
        FINE(torsor_results_open(&results, path_of("path.h5")));
        FINE(torsor_results_info(results, false, &info));
        assert_int_equal(strstr(info, "failed") != NULL, i == 0);
        torsor_text_free(info), torsor_results_free(results);
    }
}

static void doubts_are_told_before_a_run(void **state) {
    (void)state;
    torsor_model *m = oscillator("EP");
    torsor_run *run;
    char *text;
    FINE(torsor_model_warnings(m, &text));
    assert_string_equal(text, "");
    torsor_text_free(text);
    FINE(torsor_model_set(m, "gravity", "[0, 0, -9810]"));
    FINE(torsor_model_warnings(m, &text));
    assert_non_null(strstr(text, "times 1000"));
    FINE(torsor_run_new(&run, m));
    assert_string_equal(torsor_run_setup(run)->warnings, text);
    torsor_text_free(text);
    for (int i = 0; i < torsor_run_measures(run); i++) {
        torsor_measure measure;
        FINE(torsor_run_measure(run, i, &measure));
        FINE(torsor_run_measure_text(run, i, &text));
        assert_true(strlen(text) > 0);
        torsor_text_free(text);
    }
    assert_int_equal(torsor_run_measure_text(run, 1000, &text), TORSOR_EINVAL);
    torsor_run_free(run), torsor_model_free(m);
}

static void unknown_columns_are_found_at_the_start(void **state) {
    (void)state;
    torsor_model *m = oscillator("EP");
    torsor_run *run;
    FINE(torsor_model_set(m, "outputs.csv", "[cart.colour]"));
    assert_int_equal(torsor_run_new(&run, m), TORSOR_EINVAL);
    assert_non_null(strstr(torsor_error(), "no 'cart.colour'"));
    assert_null(run);
    torsor_model_free(m);
}

/* ---- modes ---- */

static void modes_have_masses(void **state) {
    (void)state;
    torsor_model *m = oscillator("EP");
    torsor_options *o = OPTIONS("modes", {"modes", "3"}, {"as_drawn", "true"});
    torsor_modes *modes;
    torsor_mode mode;
    double mass[3], spin[3], about[3], omega;
    int way;
    FINE(torsor_modes_find(&modes, m, o));
    assert_int_equal(torsor_modes_count(modes), 1);
    FINE(torsor_modes_get(modes, 0, &mode));
    assert_true(fabs(mode.frequency - 2 * PI) < 1e-9);
    FINE(torsor_modes_effective_mass(modes, 0, mass));
    assert_true(fabs(mass[0] - 1) < 1e-9 && fabs(mass[1]) < 1e-9);
    assert_true(fabs(torsor_modes_mass(modes) - 1) < 1e-12);
    FINE(torsor_modes_whirl(modes, 0, &way, &omega));
    torsor_modes_rotation(modes, spin, about);
    assert_true(way == 0 && spin[0] == 0 && about[2] == 0);
    assert_int_equal(torsor_modes_effective_mass(modes, 1, mass), TORSOR_EINVAL);
    torsor_modes_free(modes);
    torsor_options_free(o);
    o = OPTIONS("modes", {"about", "[0, 0, 1]"});
    assert_int_equal(torsor_modes_find(&modes, m, o), TORSOR_EOPTION);
    torsor_options_free(o);
    torsor_model_free(m);
}

/* ---- results ---- */

/* A cart on a rail with nothing that holds it. */
static void free_motions_have_words(void **state) {
    (void)state;
    torsor_model *m = oscillator("EP");
    torsor_modes *modes;
    torsor_mode mode;
    char *words;
    FINE(torsor_model_set(m, "springs.spring.stiffness", "0"));
    FINE(torsor_modes_find(&modes, m, NULL));
    assert_int_equal(torsor_modes_free_motions(modes), 1);
    FINE(torsor_modes_get(modes, 0, &mode));
    assert_true(mode.rigid);
    FINE(torsor_modes_free_words(modes, 0, &words));
    assert_non_null(strstr(words, "'cart'"));
    torsor_text_free(words);
    torsor_modes_free(modes), torsor_model_free(m);
}

/* The axis through a point of the model is the one through its coordinates. */
static void axes_have_names(void **state) {
    (void)state;
    static const char MODEL[] =
        "torsor: 1\nunits: SI\npoints: {hub: [1, 2, 3], foot: [0, 0, 0]}\n"
        "bodies:\n  disc: {mass: 2, inertia: [1, 1, 1], position: hub}\n"
        "  ring: {mass: 3, inertia: [1, 1, 1], position: hub}\n"
        "joints: {rail: {type: prismatic, bodies: [disc, ring], at: hub, axis: x}}\n"
        "springs: {coil: {type: joint_spring, joint: rail, stiffness: 600}}\n";
    static const char *const axes[] = {"hub", "[1, 2, 3]"};
    double found[2];
    torsor_model *m;
    torsor_modes *modes;
    FINE(torsor_model_parse(&m, MODEL, sizeof MODEL - 1, "disc"));
    torsor_options *o = OPTIONS("modes", {"spin", "[0, 0, 2]"}, {"modes", "20"});
    for (int i = 0; i < 2; i++) {
        torsor_mode mode;
        double spin[3], about[3];
        FINE(torsor_options_set(o, "about", axes[i]));
        FINE(torsor_modes_find(&modes, m, o));
        torsor_modes_rotation(modes, spin, about);
        assert_true(about[0] == 1 && about[1] == 2 && about[2] == 3 && spin[2] == 2);
        FINE(torsor_modes_get(modes, torsor_modes_count(modes) - 1, &mode));
        found[i] = mode.frequency;
        torsor_modes_free(modes);
    }
    assert_true(found[0] == found[1] && found[0] > 0);
    FINE(torsor_options_set(o, "about", "hup"));
    assert_int_equal(torsor_modes_find(&modes, m, o), TORSOR_EOPTION);
    assert_non_null(strstr(torsor_error(), "hub, foot"));
    torsor_options_free(o), torsor_model_free(m);
}

static void results_are_written_in_other_forms(void **state) {
    (void)state;
    torsor_results *r;
    char *text, *file;
    int64_t states;
    record("forms.h5", "EP");
    FINE(torsor_results_check(path_of("forms.h5")));
    FINE(torsor_results_open(&r, path_of("forms.h5")));
    FINE(torsor_results_outputs(r, &text));
    assert_string_equal(text, "cart.position.x\n");
    torsor_text_free(text);
    FINE(torsor_results_attachments(r, &text));
    assert_non_null(strstr(text, "\"part\": \"cart\""));
    torsor_text_free(text);
    FINE(torsor_results_export(r, "vtu", path_of("vtu"), 10, &states, &file));
    assert_true(states == 3 && access(file, R_OK) == 0);
    torsor_text_free(file);
    FINE(torsor_results_export(r, "xdmf", NULL, 1, &states, NULL));
    assert_int_equal(states, 21);
    assert_true(access(path_of("forms.xdmf"), R_OK) == 0);
    assert_int_equal(torsor_results_export(r, "dwg", NULL, 1, NULL, NULL), TORSOR_EOPTION);
    torsor_results_free(r);
    FILE *thesis = fopen(path_of("thesis.txt"), "w");
    fputs("a thesis", thesis);
    fclose(thesis);
    const char *results = path_of("forms.h5");
    assert_int_equal(torsor_report(1, &results, path_of("thesis.txt"), 0), TORSOR_EIO);
    assert_int_equal(torsor_report_check(path_of("thesis.txt")), TORSOR_EIO);
    FINE(torsor_report_check(path_of("new.html")));
    assert_int_equal(torsor_results_check(path_of("thesis.txt")), TORSOR_EIO);
}

/* A model and its results have the same channels; a pattern that takes none is an error. */
static void channels_are_listed(void **state) {
    (void)state;
    torsor_model *m = oscillator("EP");
    torsor_results *r;
    char *of_model, *of_results;
    const char *place = "cart.pos*", *nothing = "cart.colour*";
    record("listed.h5", "EP");
    FINE(torsor_results_open(&r, path_of("listed.h5")));
    FINE(torsor_model_channels(m, 1, &place, false, &of_model));
    FINE(torsor_results_channels(r, 1, &place, false, &of_results));
    assert_string_equal(of_model, of_results);
    assert_non_null(strstr(of_model, "cart.position"));
    assert_null(strstr(of_model, "cart.velocity"));
    torsor_text_free(of_model), torsor_text_free(of_results);
    assert_true(torsor_model_channels(m, 1, &nothing, false, &of_model) < 0);
    assert_true(torsor_results_channels(r, 1, &nothing, true, &of_results) < 0);
    torsor_model_free(m);
    torsor_results_free(r);
}

/* Plots of a table: a picture and a text, over the time and over a column; mistakes are refused. */
static void tables_are_plotted(void **state) {
    (void)state;
    torsor_results *r;
    torsor_table *table;
    char *text;
    const char *place = "cart.position";
    record("plotted.h5", "EP");
    FINE(torsor_results_open(&r, path_of("plotted.h5")));
    FINE(torsor_results_table(&table, r, 1, &place));
    FINE(torsor_table_plot(table, "a < b", NULL, "svg", 0, 0, &text));
    assert_non_null(strstr(text, "a &#60; b"));
    assert_non_null(strstr(text, "cart.position.x"));
    torsor_text_free(text);
    FINE(torsor_table_plot(table, NULL, "cart.position.x", "text", 40, 5, &text));
    assert_non_null(strstr(text, "cart.position.y [m]"));
    assert_null(strstr(text, "t [s]"));
    torsor_text_free(text);
    assert_true(torsor_table_plot(table, "", "cart.colour", "svg", 0, 0, &text) < 0);
    assert_true(torsor_table_plot(table, "", NULL, "pdf", 0, 0, &text) < 0);
    assert_true(torsor_table_plot(table, "", NULL, "svg", 1, 1, &text) < 0);
    torsor_table_free(table);
    torsor_results_free(r);
}

static void files_are_replaced_when_asked(void **state) {
    (void)state;
    FILE *thesis = fopen(path_of("old.txt"), "w");
    fputs("a thesis", thesis);
    fclose(thesis);
    assert_int_equal(torsor_output_check("text", path_of("old.txt"), NULL), TORSOR_EIO);
    assert_int_equal(torsor_output_write("text", path_of("old.txt"), "new"), TORSOR_EIO);
    assert_int_equal(torsor_output_check("song", path_of("none.txt"), NULL), TORSOR_EINVAL);
    assert_int_equal(torsor_output_write("results", path_of("none.txt"), ""), TORSOR_EINVAL);
    assert_int_equal(torsor_output_write("text", NULL, "new"), TORSOR_EINVAL);
    assert_false(torsor_replace_files(true));
    FINE(torsor_output_check("text", path_of("old.txt"), NULL));
    FINE(torsor_output_write("text", path_of("old.txt"), "new"));
    assert_true(torsor_replace_files(false));
    char text[10] = "";
    FILE *file = fopen(path_of("old.txt"), "r");
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "new");
}

/* ---- studies ---- */

static int count_calls(void *context, const char *words, double share) {
    (void)words;
    assert_true(share >= 0 && share <= 1);
    return ++*(int *)context < 0;
}

static int stop(void *context, const char *words, double share) {
    (void)context, (void)words, (void)share;
    return 1;
}

/* The last row's number in a column of comma-separated values. */
static double last_of(const char *csv, const char *column) {
    const char *end = strchr(csv, '\n'), *at = strstr(csv, column), *row = csv;
    int index = 0;
    assert_true(at && at < end);
    for (const char *c = csv; c < at; c++) index += *c == ',';
    for (const char *c = csv; c[1]; c++)
        if (*c == '\n') row = c + 1;
    while (index-- > 0) row = strchr(row, ',') + 1;
    return strtod(row, NULL);
}

static void orders_are_two(void **state) {
    (void)state;
    torsor_model *m = oscillator("EP");
    torsor_options *o = OPTIONS("converge", {"levels", "3"}, {"end", "0.3 s"}, {"jobs", "1"});
    torsor_study *study;
    char *text;
    int calls = 0;
    torsor_watch watch = {.context = &calls, .tell = count_calls};
    torsor_options_watch(o, &watch);
    FINE(torsor_converge(&study, m, o));
    assert_true(calls > 0);
    FINE(torsor_study_write(study, "csv", &text));
    assert_true(fabs(last_of(text, "position_order") - 2) < 0.05);
    torsor_text_free(text);
    assert_int_equal(torsor_study_write(study, "pdf", &text), TORSOR_EINVAL);
    assert_non_null(strstr(torsor_error(), "text, json, csv, svg"));
    torsor_study_free(study);
    torsor_options_watch(o, &(torsor_watch){.tell = stop});
    assert_int_equal(torsor_converge(&study, m, o), TORSOR_EINTERRUPTED);
    assert_null(study);
    torsor_options_free(o);
    torsor_model_free(m);
}

/* EP: radius 1, period 2 pi/(2 atan(omega h/2)) steps. ED with rho 0 damps to nothing at
 * infinite frequency. */
/* Points of shells have eight internal forces, not the six of beams: they are no stations. */
static void studies_of_shells_run(void **state) {
    (void)state;
    static const char PLATE[] =
        "torsor: 1\nunits: SI\n"
        "materials: {steel: {E: 210 GPa, nu: 0.3, density: 7850}}\n"
        "shell_sections: {sheet: {thickness: 2 mm, material: steel}}\n"
        "sections: {bar: {type: tube, outer_diameter: 9 mm, thickness: 1 mm, material: steel}}\n"
        "meshes: {square: {type: plate, corners: [[0,0,0], [1,0,0], [1,1,0], [0,1,0]], "
        "divisions: [1, 1]}}\n"
        "shells: {plate: {mesh: square, section: sheet, velocity: [0, 0, 1]}}\n"
        "beams: {boom: {from: [0, 2, 0], to: [1, 2, 0], section: bar, elements: 2, order: 1}}\n"
        "analysis: {scheme: EP, step: 1 ms, end: 4 ms}\n";
    torsor_model *m;
    torsor_run *run;
    torsor_station station;
    torsor_part part;
    torsor_study *study;
    char *text;
    FINE(torsor_model_parse(&m, PLATE, sizeof PLATE - 1, "plate"));
    FINE(torsor_run_new(&run, m));
    assert_true(torsor_run_stations(run) > 0);
    for (int i = 0; i < torsor_run_stations(run); i++) {
        double strain[6], force[6];
        FINE(torsor_run_station(run, i, &station));
        FINE(torsor_run_part(run, station.part, &part));
        assert_string_equal(part.name, "boom");
        FINE(torsor_run_section(run, i, strain, force));
    }
    torsor_run_free(run);
    torsor_options *o = OPTIONS("converge", {"levels", "1"});
    FINE(torsor_converge(&study, m, o));
    FINE(torsor_study_write(study, "json", &text));
    assert_null(strstr(text, "failed"));
    torsor_text_free(text), torsor_study_free(study);
    torsor_options_free(o), torsor_model_free(m);
}

static void spectra_are_those_of_the_schemes(void **state) {
    (void)state;
    torsor_options *o =
        OPTIONS("spectrum", {"schemes", "EP"}, {"range", "0.01,0.1"}, {"points", "2"});
    torsor_study *study;
    char *text;
    FINE(torsor_spectrum(&study, o));
    FINE(torsor_study_write(study, "csv", &text));
    assert_true(fabs(last_of(text, "radius") - 1) < 1e-9);
    assert_true(fabs(last_of(text, "period_error") - (PI * 0.1 / atan(PI * 0.1) - 1)) < 1e-9);
    torsor_text_free(text);
    FINE(torsor_study_write(study, "svg", &text));
    assert_true(strncmp(text, "<svg", 4) == 0);
    torsor_text_free(text);
    torsor_study_free(study);
    torsor_options_free(o);
}

static void schemes_are_compared(void **state) {
    (void)state;
    torsor_model *m = oscillator("ED");
    torsor_options *o = OPTIONS("compare", {"schemes", "ED,EP"}, {"levels", "1"}, {"end", "0.2 s"});
    torsor_study *study;
    char *text;
    FINE(torsor_compare(&study, m, o));
    FINE(torsor_study_write(study, "csv", &text));
    assert_true(fabs(last_of(text, "energy")) < 1e-12); /* the last is EP, which preserves it */
    torsor_text_free(text);
    torsor_study_free(study);
    torsor_options_free(o);
    torsor_model_free(m);
}

/* The error of the run is known in closed form; the bar of the step is about as long. */
static void error_bars_are_about_the_error(void **state) {
    (void)state;
    torsor_model *m = oscillator("EP");
    torsor_options *o = OPTIONS("resolve", {"channels", "cart.position.x"}, {"jobs", "2"});
    torsor_run *run;
    torsor_resolve *resolve;
    torsor_study *study;
    char *text;
    FINE(torsor_run_new(&run, m));
    FINE(torsor_resolve_begin(&resolve, run, o));
    FINE(torsor_run_record(run, path_of("bars.h5")));
    FINE(torsor_resolve_check(resolve, path_of("bars.h5")));
    FINE(torsor_run_to(run, INFINITY));
    FINE(torsor_run_finish(run));
    FINE(torsor_resolve_finish(&study, resolve, path_of("bars.h5")));
    assert_string_equal(torsor_resolve_warnings(resolve), "");
    FINE(torsor_study_write(study, "json", &text));
    const char *channels = strstr(text, "\"channels\""), *bar = strstr(channels, "\"step\": ");
    double largest = 0, found = strtod(bar + strlen("\"step\": "), NULL);
    for (int k = 0; k <= 100; k += 5)
        largest = fmax(largest, fabs(of_ep(0.01, k) - 0.1 * cos(2 * PI * k * 0.01)));
    assert_true(fabs(found - largest) < 0.05 * largest);
    torsor_text_free(text);
    torsor_study_free(study);
    torsor_resolve_free(resolve);
    assert_int_equal(torsor_resolve_begin(&resolve, run, o), TORSOR_EINVAL); /* too late */
    torsor_run_free(run);
    FINE(torsor_run_new(&run, m));
    FINE(torsor_resolve_begin(&resolve, run, NULL));
    torsor_resolve_free(resolve); /* ends the others */
    FINE(torsor_resolve_begin(&resolve, run, NULL));
    torsor_resolve_abandon(resolve); /* as a signal handler does */
    assert_int_equal(torsor_resolve_finish(&study, resolve, path_of("bars.h5")), 0);
    assert_non_null(strstr(torsor_resolve_warnings(resolve), "half the step failed"));
    torsor_study_free(study);
    torsor_resolve_free(resolve);
    torsor_run_free(run);
    torsor_options_free(o);
    torsor_model_free(m);
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_refused_at_once),
        cmocka_unit_test(numbers_have_units),
        cmocka_unit_test(all_mistakes_are_listed),
        cmocka_unit_test(options_stand_above_the_model),
        cmocka_unit_test(runs_resume_from_any_state),
        cmocka_unit_test(resuming_tells_of_a_later_state),
        cmocka_unit_test(numbers_stop_runs),
        cmocka_unit_test(paths_that_end_early_are_not_complete),
        cmocka_unit_test(doubts_are_told_before_a_run),
        cmocka_unit_test(free_motions_have_words),
        cmocka_unit_test(axes_have_names),
        cmocka_unit_test(unknown_columns_are_found_at_the_start),
        cmocka_unit_test(modes_have_masses),
        cmocka_unit_test(results_are_written_in_other_forms),
        cmocka_unit_test(channels_are_listed),
        cmocka_unit_test(tables_are_plotted),
        cmocka_unit_test(files_are_replaced_when_asked),
        cmocka_unit_test(orders_are_two),
        cmocka_unit_test(studies_of_shells_run),
        cmocka_unit_test(spectra_are_those_of_the_schemes),
        cmocka_unit_test(schemes_are_compared),
        cmocka_unit_test(error_bars_are_about_the_error),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
