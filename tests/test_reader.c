/* SPDX-License-Identifier: Apache-2.0 */
/* The model-file reader: every class of error at its exact place, a full model number by number,
 * units, expressions, signals, tables in files, and the echo read again. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "reader/document.h"
#include "reader/reader.h"

#define HEAD "torsor: 1\nunits: SI\n"
#define BODIES "bodies:\n  A: {mass: 1}\n  B: {mass: 2}\n"
#define BOOM                                                                   \
    "sections: {S: {EA: 1, GA2: 1, GA3: 1, GJ: 1, EI2: 1, EI3: 1, mass: 1}}\n" \
    "beams: {boom: {from: [0, 0, 0], to: [2, 0, 0], section: S}}\n"
#define GEARED                                                                                \
    "bodies: {A: {mass: 1, inertia: [1, 1, 1]}, B: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n" \
    "  r: {type: revolute, bodies: [ground, A], at: [0, 0, 0], axis: z}\n"                    \
    "  c: {type: cylindrical, bodies: [ground, B], at: [0, 0, 0], axis: z}\n"
#define RUN "analysis: {end: 1, step: 0.1}\n"

static int parse(const char *text, ts_document **out, ts_diagnostics *list) {
    *list = (ts_diagnostics){0};
    return ts_document_parse(out, text, strlen(text), "model.yaml", list);
}

static ts_document *parse_well(const char *text) {
    ts_diagnostics list;
    ts_document *document;
    int status = parse(text, &document, &list);
    if (status) ts_diagnostics_print(&list, stderr, false);
    assert_int_equal(status, 0);
    assert_int_equal(list.count, 0);
    ts_diagnostics_clear(&list);
    return document;
}

/* ---- errors ---- */

/* Exactly one problem, unless `count` says otherwise; place and part of the message of the
 * first. */
typedef struct wrong {
    const char *text;
    int line, column;
    const char *message;
    const char *hint; /* part of it, or NULL */
    int count;        /* 0 stands for 1 */
} wrong;

static const wrong WRONG[] = {
#include "reader_errors.inc"
};

static bool matches(const wrong *w, const ts_diagnostics *list) {
    if (list->count != (w->count ? w->count : 1)) return false;
    const ts_diagnostic *d = &list->items[0];
    if (d->line != w->line || d->column != w->column || !strstr(d->message, w->message))
        return false;
    return !w->hint || (d->hint && strstr(d->hint, w->hint));
}

static void errors_are_where_they_should_be(void **state) {
    (void)state;
    int failures = 0;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        ts_diagnostics list;
        ts_document *document;
        int status = parse(WRONG[i].text, &document, &list);
        if (status != TORSOR_EINVAL || document || !matches(&WRONG[i], &list)) {
            failures++;
            fprintf(stderr, "case %zu: %s\nexpected %d:%d %s (%d)\n", i, WRONG[i].text,
                    WRONG[i].line, WRONG[i].column, WRONG[i].message, WRONG[i].count);
            ts_diagnostics_print(&list, stderr, false);
        }
        ts_document_free(document);
        ts_diagnostics_clear(&list);
    }
    assert_int_equal(failures, 0);
}

/* ---- a full model, number by number ---- */

static const char TOP[] =
    "torsor: 1\n"
    "title: Spinning top\n"
    "units: SI\n"
    "parameters: {m: 5 kg, tilt: 60 deg, L: 1.3, half: L/2}\n"
    "signals:\n"
    "  push: \"50 N * sin(3*t)\"\n"
    "  ramp: {table: [[0 s, 0 N], [1 s, 50 N], [2 s, 0 N]], interpolation: linear}\n"
    "  more: {step: {at: 1 s, from: 0, to: 5 N, over: 0.5 s}}\n"
    "points: {O: [0, 0, 0], G: [0, -L*sin(tilt), L*cos(tilt)]}\n"
    "gravity: [0, 0, -9.81]\n"
    "loads: # before the bodies: the order of sections does not matter\n"
    "  f: {type: force, body: top, force: [push, ramp, more]}\n"
    "bodies: {top: {type: rigid, mass: m, position: G, orientation: {axis: x, angle: tilt},\n"
    "               inertia: [0.8, 0.9, 1.6], angular_velocity: [0, 0, 50], rates_in: body}}\n"
    "joints: {pivot: {type: spherical, bodies: [ground, top], at: O}}\n"
    "analysis: {scheme: {name: ED, rho_inf: 0.25}, end: 0.4 s, step: 4 ms, tolerance: 1e-8,\n"
    "           max_iterations: 20, max_cuts: 5}\n"
    "outputs: {every: 5, csv: [top.position, pivot.force]}\n";

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-14 * fmax(1, fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

static void near3(v3 a, double x, double y, double z) { near(a.x, x), near(a.y, y), near(a.z, z); }

static double signal_at(const ts_document *d, int load, int component, double t) {
    int index = d->model->loads[load].signal[component];
    double value = 0, rate;
    if (index >= 0) ts_signal_eval(&d->model->signals[index], (ts_when){.t = t}, &value, &rate);
    return value;
}

static void check_top(const ts_document *d) {
    const ts_model *m = d->model;
    const double s = sqrt(3) / 2, c = 0.5;
    assert_string_equal(m->title, "Spinning top");
    near3(m->gravity, 0, 0, -9.81);

    // the body: node 1, its frame, its mass and rates
    assert_int_equal(m->nodes_count, 2);
    const ts_node *node = &m->nodes[1];
    near3(node->x, 0, -1.3 * s, 1.3 * c);
    near3(node->D.c[0], 1, 0, 0), near3(node->D.c[1], 0, c, s), near3(node->D.c[2], 0, -s, c);
    near3(node->omega, 0, -50 * s, 50 * c);
    near(node->mass[0][0], 5);
    near(node->mass[1][1], (0.9 + 1.6 - 0.8) / 2);
    near(node->mass[2][2], (0.8 + 1.6 - 0.9) / 2);
    near(node->mass[3][3], (0.8 + 0.9 - 1.6) / 2);

    // parts in the order bodies, joints, loads
    assert_int_equal(m->parts_count, 4);
    assert_string_equal(m->parts[0].name, "ground");
    assert_string_equal(m->parts[1].name, "top");
    assert_string_equal(m->parts[2].name, "pivot");
    assert_string_equal(m->parts[3].name, "f");
    near3(m->parts[2].pointB, 0, 0, -1.3);

    // signals
    assert_int_equal(m->loads_count, 1);
    near(signal_at(d, 0, 0, 0.3), 50 * sin(0.9));
    near(signal_at(d, 0, 1, 0.5), 25), near(signal_at(d, 0, 1, 1.5), 25),
        near(signal_at(d, 0, 1, 3), 0);
    near(signal_at(d, 0, 2, 0.9), 0), near(signal_at(d, 0, 2, 1.25), 2.5),
        near(signal_at(d, 0, 2, 2), 5);

    // what to do
    assert_string_equal(d->options.scheme, "ED");
    near(ts_parameter_value(&d->options.parameters, &TS_SCHEME_ED, "rho_inf", 0), 0.25),
        near(d->options.t_end, 0.4), near(d->options.h, 0.004);
    near(d->options.tolerance, 1e-8);
    assert_int_equal(d->options.max_iterations, 20), assert_int_equal(d->options.max_cuts, 5);
    assert_int_equal(d->options.store_every, 5);
    assert_int_equal(d->csv_count, 2);
    assert_string_equal(d->csv[0], "top.position"), assert_string_equal(d->csv[1], "pivot.force");
}

static void full_model(void **state) {
    (void)state;
    ts_document *d = parse_well(TOP);
    check_top(d);
    // the echo is the text itself, and gives the same model
    assert_int_equal(d->length, strlen(TOP)), assert_string_equal(d->text, TOP);
    ts_document *again = parse_well(d->text);
    check_top(again);
    ts_document_free(again);
    ts_document_free(d);
}

static char *with_line_ends(const char *text, const char *end) {
    char *copy = calloc(2 * strlen(text) + 1, 1), *at = copy;
    for (; *text; text++)
        if (*text == '\n')
            at = stpcpy(at, end);
        else
            *at++ = *text;
    return copy;
}

static void line_ends_and_marks(void **state) {
    (void)state;
    char *dos = with_line_ends(TOP, "\r\n");
    ts_document *d = parse_well(dos);
    check_top(d);
    ts_document_free(d);
    // and places in such files
    ts_diagnostics list;
    assert_int_equal(parse("\xEF\xBB\xBFtorsor: 1\r\nunits: SI\r\ngravty: 1\r\n", &d, &list),
                     TORSOR_EINVAL);
    assert_int_equal(list.items[0].line, 3), assert_int_equal(list.items[0].column, 1);
    assert_string_equal(list.items[0].source, "gravty: 1");
    ts_diagnostics_clear(&list);
    assert_int_equal(parse("\xEF\xBB\xBFtorsr: 1\n", &d, &list), TORSOR_EINVAL);
    assert_int_equal(list.items[0].line, 1), assert_int_equal(list.items[0].column, 1);
    ts_diagnostics_clear(&list);
    free(dos);
}

/* ---- texts: folding, quotes, escapes ---- */

static void check_title(const char *yaml, const char *wanted) {
    char text[400];
    snprintf(text, sizeof text, HEAD "title: %s\ngravity: [0, 0, 1]\n", yaml);
    ts_document *d = parse_well(text);
    assert_string_equal(d->model->title, wanted);
    near(d->model->gravity.z, 1);
    ts_document_free(d);
}

static void texts(void **state) {
    (void)state;
    check_title("plain words # comment", "plain words");
    check_title("plain\n  words \t\n\n\n  of\n  four lines", "plain words\n\nof four lines");
    check_title("'it''s'", "it's");
    check_title("'a''''b'", "a''b");
    check_title("''''''''''''''''''''''''", "'''''''''''");
    check_title("'  a  \n   b\n\n  c '", "  a b\nc ");
    check_title("\"tab\\t quote\\\" back\\\\ \\x41\\u00e9\\U0001F600\"",
                "tab\t quote\" back\\ A\xc3\xa9\xf0\x9f\x98\x80");
    check_title("\"a \\\n   b\\\n  \\ c  \n  d\\n\"", "a b c d\n");
    check_title("\"\\L\\P\\N\\_\"", "\xe2\x80\xa8\xe2\x80\xa9\xc2\x85\xc2\xa0");
    check_title("|\n  one\n    two\n\n  three\n", "one\n  two\n\nthree\n");
    check_title("|-\n  one\n  two\n", "one\ntwo");
    check_title(">-\n  one\n  two\n\n  three\n", "one two\nthree");
    check_title("|\n a\n b\n c\n d\n e\n f\n g\n h\n i\n j\n k\n l\n m\n n\n o\n p\n q\n r\n",
                "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\np\nq\nr\n");
}

/* ---- units ---- */

static void model_units(void **state) {
    (void)state;
    ts_document *d =
        parse_well("torsor: 1\nunits: {length: mm, mass: g, time: ms, angle: deg}\n"
                   "parameters: {a: 20}\n"
                   "gravity: [0, 0, -9.81 m/s^2]\n"
                   "bodies: {A: {mass: 3, position: [35, a, 1 m], velocity: [2, 0, 0], "
                   "angular_velocity: [0, 90, 1 rad/s],\n"
                   "             orientation: {axis: z, angle: 90}, inertia: [4, 4, 4]}}\n"
                   "loads: {f: {type: force, body: A, force: [7, 2*t, 3 N]}}\n"
                   "analysis: {end: 1000, step: 0.5}\n");
    const ts_node *node = &d->model->nodes[1];
    near3(d->model->gravity, 0, 0, -9.81);
    near(node->mass[0][0], 0.003);
    near3(node->x, 0.035, 0.020, 1), near3(node->velocity, 2, 0, 0);
    near3(node->omega, 0, 1000 * M_PI / 2, 1);
    near3(node->D.c[0], 0, 1, 0);
    near(node->mass[1][1], 2e-9);
    // g mm/ms^2 is a newton; t counts milliseconds
    near(signal_at(d, 0, 0, 0), 7), near(signal_at(d, 0, 1, 0.004), 8),
        near(signal_at(d, 0, 2, 0), 3);
    near(d->options.t_end, 1), near(d->options.h, 0.0005);
    assert_int_equal(d->options.store_every, 1);
    ts_document_free(d);
}

/* ---- rotations ---- */

static void check_rotation(const char *how, v3 d1, v3 d2) {
    char text[400];
    snprintf(text, sizeof text, HEAD "bodies: {A: {mass: 1, orientation: %s}}\n", how);
    ts_document *d = parse_well(text);
    const m3 D = d->model->nodes[1].D;
    v3 d3 = v3_cross(d1, d2);
    near3(D.c[0], d1.x, d1.y, d1.z), near3(D.c[1], d2.x, d2.y, d2.z),
        near3(D.c[2], d3.x, d3.y, d3.z);
    ts_document_free(d);
}

static void rotations(void **state) {
    (void)state;
    const v3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const double s = sqrt(0.5);
    check_rotation("{axis: z, angle: 90 deg}", y, v3_scale(-1, x));
    check_rotation("{axis: -z, angle: pi/2}", v3_scale(-1, y), x);
    check_rotation("{axis: [0, 0, 3 m], angle: 45 deg}", v3_make(s, s, 0), v3_make(-s, s, 0));
    check_rotation("{axis: [0, 0, 1e-300], angle: 45 deg}", v3_make(s, s, 0), v3_make(-s, s, 0));
    // first about z, then about the turned x, which is the old y
    check_rotation("[{axis: z, angle: 90 deg}, {axis: x, angle: 90 deg}]", y, z);
    check_rotation("[]", x, y);
    check_rotation("{x: y, y: -x}", y, v3_scale(-1, x));
    check_rotation("{z: [0, 0, 2], x: [1, 1, 5]}", v3_make(s, s, 0), v3_make(-s, s, 0));
    check_rotation("{y: x, z: y}", z, x);
    check_rotation("{matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}", y, v3_scale(-1, x));
    check_rotation("{matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1 + 1e-8]]}", y, v3_scale(-1, x));
    check_rotation("{quaternion: [2, 0, 0, 2]}", y, v3_scale(-1, x));
}

static void inertias(void **state) {
    (void)state;
    static const char *const forms[] = {"[3, 4, 5, 0.1, 0.2, 0.3]",
                                        "[[3, 0.1, 0.3], [0.1, 4, 0.2], [0.3, 0.2, 5]]"};
    for (int i = 0; i < 2; i++) {
        char text[300];
        snprintf(text, sizeof text, HEAD "bodies: {A: {mass: 1, inertia: %s}}\n", forms[i]);
        ts_document *d = parse_well(text);
        double(*A)[4] = d->model->nodes[1].mass;
        near(A[1][1], 3), near(A[2][2], 2), near(A[3][3], 1);
        near(A[1][2], -0.1), near(A[2][3], -0.2), near(A[1][3], -0.3);
        ts_document_free(d);
    }
}

/* ---- signals ---- */

static void check_signal(const char *signal, double t, double wanted) {
    char text[600];
    snprintf(text, sizeof text,
             HEAD "signals:\n  s: %s\n  again: s\nbodies: {A: {mass: 1}}\nloads:\n"
                  "  f: {type: force, body: A, force: [s, again, %s]}\n",
             signal, *signal == '"' || *signal == '{' ? signal : "0");
    ts_document *d = parse_well(text);
    near(signal_at(d, 0, 0, t), wanted), near(signal_at(d, 0, 1, t), wanted);
    if (*signal == '"' || *signal == '{') near(signal_at(d, 0, 2, t), wanted);
    ts_document_free(d);
}

static void signals(void **state) {
    (void)state;
    check_signal("5 kN", 1, 5000);
    check_signal("5", 1, 5);
    check_signal("\"2 N*t + 1 N\"", 3, 7);
    check_signal("{step: {at: 1 s, to: 4 N}}", 0.999, 0);
    check_signal("{step: {at: 1 s, to: 4 N}}", 1, 4);
    check_signal("{step: {at: 1, from: -4, to: 4, over: 2}}", 1.5,
                 -4 + 8 * (3 * 0.0625 - 2 * 0.015625));
    check_signal("{ramp: {from: 1 N, to: 3 N, over: 2 s}}", 0.5, 1.5);
    check_signal("{ramp: {from: 1 N, to: 3 N, over: 2 s, at: 1 s}}", 9, 3);
    check_signal("{ramp: {from: 1 N, to: 3 N, over: 2 s, at: 1 s}}", 0, 1);
    check_signal("{sine: {amplitude: 2 N, frequency: 0.5 Hz}}", 0.25, 2 * sin(M_PI / 4));
    check_signal("{sine: {amplitude: 2 N, frequency: 0.5}}", 0.25, 2 * sin(M_PI / 4));
    check_signal("{sine: {amplitude: 2 N, frequency: 3 rad/s}}", 0.25, 2 * sin(0.75));
    check_signal("{sine: {amplitude: 2 N, frequency: 60 rpm}}", 0.1, 2 * sin(0.2 * M_PI));
    check_signal("{sine: {amplitude: 2, frequency: 1, phase: 30 deg, offset: 1, start: 2 s}}", 1,
                 2);
    check_signal("{table: [[0, 1], [2, 5]]}", 0.5, 2);
    check_signal("{table: [[0, 0], [2, 5 N]], interpolation: smooth}", 1, 2.5);
    check_signal("{table: [[0 ms, 1], [2000 ms, 5]], interpolation: linear}", 0.5, 2);
    check_signal("{table: [[0, 1], [2, 5]], period: 4 s}", 9, 3);
    check_signal("{table: [[0, 1], [2, 5]], period: 4}", 7, 3);
    check_signal("{table: [[0, 1], [2, 5]], period: 4000 ms}", -3.5, 2);
    check_signal("{table: [[0, 1], [2, 5], [4, 1]], period: 4}", 41, 3);
    check_signal("{table: [[0, 0], [2, 5 N]], interpolation: smooth, period: 4 s}", 41, 2.5);
}

/* ---- tables in files ---- */

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The files of one test, in a folder of their own. */
typedef struct folder {
    char path[64], model[96], table[96];
} folder;

static void open_folder(folder *f, const char *model, const char *table) {
    snprintf(f->path, sizeof f->path, "/tmp/test_reader_XXXXXX");
    assert_non_null(mkdtemp(f->path));
    snprintf(f->model, sizeof f->model, "%s/model.yaml", f->path);
    snprintf(f->table, sizeof f->table, "%s/load.csv", f->path);
    write_file(f->model, model);
    if (table) write_file(f->table, table);
}

static void close_folder(const folder *f) { unlink(f->model), unlink(f->table), rmdir(f->path); }

static void check_table_model(const ts_document *d) {
    near(signal_at(d, 0, 0, 0.05), 1500), near(signal_at(d, 0, 1, 0.05), 1500);
    near(signal_at(d, 0, 2, 0.15), 0.1 * 0.5 + 0.5 * 0.7);
    near(signal_at(d, 0, 2, 2.15), 0.1 * 0.5 + 0.5 * 0.7);
}

static void tables_in_files(void **state) {
    (void)state;
    static const char model[] = HEAD "signals:\n"
                                     "  a: {file: load.csv, units: [ms, kN]} # a comment\n"
                                     "  b: a\n"
                                     "  c:\n"
                                     "    file: load.csv\n"
                                     "    columns: [1, 3]\n"
                                     "    units: [ms, 1]\n"
                                     "    interpolation: linear\n"
                                     "    period: max(1, 0.2) * 1 s\n"
                                     "bodies: {A: {mass: 1}}\n"
                                     "loads: {f: {type: force, body: A, force: [a, b, c]}}\n";
    folder f;
    open_folder(&f, model,
                "\xEF\xBB\xBF"
                "time [ms], force [kN], other\r\n# measured\r\n\r\n0, 1, "
                "0.1\r\n100,\"2\",0.1\r\n200,\t-3.5e0, 0.7\r\n300,4,0.2\n400,5,0\n500,6,0");
    ts_diagnostics list = {0};
    ts_document *d, *again;
    int status = ts_document_read(&d, f.model, &list);
    ts_diagnostics_print(&list, stderr, false);
    assert_int_equal(status, 0);
    check_table_model(d);
    // the echo needs no files
    assert_null(strstr(d->text, "load.csv"));
    assert_non_null(strstr(d->text, "# a comment"));
    again = parse_well(d->text);
    check_table_model(again);
    assert_string_equal(again->text, d->text);
    ts_document_free(d), ts_document_free(again);
    close_folder(&f);
}

/* What German spreadsheets write, 0;0,5: half a newton, not 0; and the echo has decimal points. */
static void decimal_commas_in_files(void **state) {
    (void)state;
    folder f;
    open_folder(&f,
                HEAD "bodies: {A: {mass: 1}}\n"
                     "loads: {f: {type: force, body: A, force: [{file: load.csv}, 0, 0]}}\n",
                "Zeit;Kraft\r\n0;0,0\r\n1;0,5\r\n2;1,5\r\n");
    ts_diagnostics list = {0};
    ts_document *d;
    assert_int_equal(ts_document_read(&d, f.model, &list), 0);
    near(signal_at(d, 0, 0, 1), 0.5), near(signal_at(d, 0, 0, 1.5), 1);
    assert_non_null(strstr(d->text, "{table: [[0, 0.0], [1, 0.5], [2, 1.5]]}"));
    ts_document_free(d);
    close_folder(&f);
}

/* Columns by heading, and marks that the model gives: 0,0,5 has three columns. */
static void marks_and_headings_of_tables(void **state) {
    (void)state;
    folder f;
    open_folder(&f,
                HEAD
                "signals: {b: {file: load.csv, columns: [t, b], delimiter: comma}}\n"
                "bodies: {A: {mass: 1}}\n"
                "loads: {f: {type: force, body: A, force: [b, {file: load.csv, decimal: point},"
                " 0]}}\n",
                "t,a,b\n0,0,5\n1,2,7\n");
    ts_diagnostics list = {0};
    ts_document *d;
    int status = ts_document_read(&d, f.model, &list);
    ts_diagnostics_print(&list, stderr, false);
    assert_int_equal(status, 0);
    near(signal_at(d, 0, 0, 0.5), 6), near(signal_at(d, 0, 1, 0.5), 1);
    assert_non_null(strstr(d->text, "{table: [[0, 5], [1, 7]]}"));
    ts_document_free(d);
    close_folder(&f);
}

static void check_bad_file(const char *map, const char *message) {
    char model[300];
    snprintf(model, sizeof model, HEAD "signals: {a: {file: load.csv, %s}}\n", map);
    folder f;
    open_folder(&f, model, "t,F\n0,1\n1,2\n");
    ts_diagnostics list = {0};
    ts_document *d;
    assert_int_equal(ts_document_read(&d, f.model, &list), TORSOR_EINVAL);
    close_folder(&f);
    if (!strstr(list.items[0].message, message)) fail_msg("%s", list.items[0].message);
    ts_diagnostics_clear(&list);
}

static void bad_words_about_tables(void **state) {
    (void)state;
    check_bad_file("columns: [0, 1]", "a whole number from 1, or its heading");
    check_bad_file("columns: [1.5, 1]", "a whole number from 1, or its heading");
    check_bad_file("columns: [99999999999999999999, 1]", "a whole number from 1, or its heading");
    check_bad_file("columns: [[], 1]", "a whole number from 1, or its heading");
    check_bad_file("columns: [1]", "two columns, by number or by heading");
    check_bad_file("columns: [t, force]", "'t' and 'force', each once");
    check_bad_file("delimiter: dot", "");
    check_bad_file("decimal: semicolon", "");
}

static void check_bad_table(const char *table, const char *file, int line, int column,
                            const char *message) {
    folder f;
    open_folder(&f, HEAD "signals:\n  a: {file: load.csv}\n", table);
    ts_diagnostics list = {0};
    ts_document *d;
    int status = ts_document_read(&d, f.model, &list);
    close_folder(&f);
    assert_int_equal(status, TORSOR_EINVAL);
    assert_int_equal(list.count, 1);
    assert_non_null(strstr(list.items[0].file, file));
    assert_int_equal(list.items[0].line, line), assert_int_equal(list.items[0].column, column);
    if (!strstr(list.items[0].message, message)) fail_msg("%s", list.items[0].message);
    ts_diagnostics_clear(&list);
}

static void bad_tables(void **state) {
    (void)state;
    check_bad_table(NULL, "model.yaml", 4, 13, "cannot read");
    check_bad_table("", "load.csv", 1, 1, "at least two rows");
    check_bad_table("a,b\nc,d\n", "load.csv", 1, 1, "at least two rows");
    check_bad_table("0,1\n1\n", "load.csv", 2, 1, "no column 2");
    check_bad_table("0,1\n1, x\n", "load.csv", 2, 4, "expected a number");
    check_bad_table("0,1\n1,nan\n", "load.csv", 2, 3, "expected a number");
    check_bad_table("0,1\n1,1e999\n", "load.csv", 2, 3, "");
    check_bad_table("0,1\n0,2\n", "load.csv", 2, 1, "must increase");
    check_bad_table("0,1\n1,\xff\n", "load.csv", 2, 3, "not UTF-8");
}

/* ---- limits and leftovers ---- */

static char *repeat(const char *piece, size_t times) {
    size_t length = strlen(piece);
    char *text = malloc(length * times + 1);
    for (size_t i = 0; i < times; i++) memcpy(text + i * length, piece, length);
    text[length * times] = 0;
    return text;
}

static void check_refused(const char *text, const char *message) {
    ts_diagnostics list;
    ts_document *d;
    assert_int_equal(parse(text, &d, &list), TORSOR_EINVAL);
    assert_true(list.count >= 1);
    if (!strstr(list.items[0].message, message)) fail_msg("%s", list.items[0].message);
    ts_diagnostics_clear(&list);
}

/* Every kind's own sample. */
static void write_sample(char *text, size_t size, const ts_kind *kind, const char *joint) {
    bool is_joint = strcmp(kind->section, "joints") == 0;
    bool solid = strstr(kind->sample, ": W"), volume = solid || strstr(kind->sample, "mesh: V");
    const char *material =
        solid || strstr(kind->sample, "material: M") || strstr(kind->sample, "materials: [M]")
            ? "materials: {M: {E: 1, nu: 0, density: 1}}\n"
            : "";
    bool beam = strstr(kind->sample, "beam: R"), shell = strstr(kind->sample, ": H"),
         surface = shell || strstr(kind->sample, "mesh: Q");
    bool shapes = strstr(kind->sample, "[S, P]"), among = strcmp(kind->section, "shapes") == 0;
    const char *section =
        shapes && !among
            ? "shapes: {S: {type: sphere, on: A, radius: 1}, P: {type: plane, on: ground, normal: "
              "z, at: [0, 0, -9]}}\n"
        : beam || strstr(kind->sample, "section: S")
            ? "sections: {S: {EA: 1, GA2: 1, GA3: 1, GJ: 1, EI2: 1, EI3: 1, mass: 1}}\n"
            : "";
    snprintf(text, size,
             HEAD "%s%s%s%s%sjoints:\n  J: {type: %s, bodies: [A, B], at: [0, 0, 0], axis: z}\n"
                  "  O: {type: spherical, bodies: [A, B], at: [0, 0, 0]}\n"
                  "%s%s%s  sample: %s\n" BODIES,
             material, section,
             surface ? "materials: {M: {E: 2 MPa, nu: 0.3, density: 1000}}\n"
                       "shell_sections: {T: {type: shell, material: M, thickness: 0.05}}\n"
                       "meshes: {Q: {type: patch, x: u, y: v, z: u*v, divisions: [1, 1]}}\n"
                     : "",
             volume  ? solid ? "meshes: {V: {type: patch, x: u, y: v, z: w, w: [0, 1], divisions: "
                               "[1, 1, 1]}}\n"
                               "solids: {W: {mesh: V, material: M}}\n"
                             : "meshes: {V: {type: patch, x: u, y: v, z: w, w: [0, 1], divisions: "
                               "[1, 1, 1]}}\n"
             : shell ? "shells: {H: {mesh: Q, section: T}}\n"
                     : "",
             beam ? "beams: {R: {from: [0, 0, 0], to: [1, 0, 0], section: S}}\n" : "", joint,
             is_joint ? "" : kind->section, is_joint ? "" : ":\n",
             strstr(kind->sample, "first: Q1")
                 ? "  Q1: {type: plate, size: [1, 1], divisions: [1, 1]}\n"
                   "  Q2: {type: plate, size: [1, 1], divisions: [1, 1], position: [1, 0, 0]}\n"
             : shapes && among ? "  S: {type: sphere, on: A, radius: 1}\n"
                                 "  P: {type: plane, on: ground, normal: z, at: [0, 0, -9]}\n"
                               : "",
             kind->sample);
    if (strcmp(kind->section, "bodies") == 0)
        snprintf(text, size, HEAD "bodies: {A: %s}\n", kind->sample);
}

static bool sample_is_read(const ts_kind *kind, const char *joint) {
    char text[2000];
    write_sample(text, sizeof text, kind, joint);
    ts_diagnostics list;
    ts_document *d;
    int status = parse(text, &d, &list);
    if (status && strcmp(joint, "prismatic") == 0) ts_diagnostics_print(&list, stderr, false);
    ts_diagnostics_clear(&list);
    ts_document_free(d);
    return status == 0;
}

static void samples_are_read(void **state) {
    (void)state;
    for (const ts_kind *const *k = TS_KINDS; *k; k++)
        if ((*k)->sample && !sample_is_read(*k, "revolute") && !sample_is_read(*k, "cylindrical") &&
            !sample_is_read(*k, "prismatic"))
            fail_msg("the sample of %s is refused", (*k)->name);
}

static void depth_is_limited(void **state) {
    (void)state;
    char *deep = repeat("[", 100000), *block = repeat("- ", 100000);
    check_refused(deep, "nested too deeply");
    check_refused(block, "nested too deeply");
    free(deep), free(block);
}

/* The "billion laughs": each line ten times the one before. */
static void aliases_are_limited(void **state) {
    (void)state;
    char text[2000] = HEAD "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (int i = 1; i < 10; i++) {
        char line[160];
        int p = i - 1;
        snprintf(line, sizeof line,
                 "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i,
                 p, p, p, p, p, p, p, p, p, p);
        strcat(text, line);
    }
    check_refused(text, "aliases");
    // a few are welcome
    ts_document *d = parse_well(HEAD "points: {O: &here [1, 2, 3], Q: *here}\n"
                                     "bodies: {A: &a {mass: 1, position: *here}, B: *a}\n");
    near3(d->model->nodes[2].x, 1, 2, 3);
    ts_document_free(d);
}

static void problems_are_capped(void **state) {
    (void)state;
    char text[20000] = HEAD "bodies:\n";
    for (int i = 0; i < 200; i++) sprintf(text + strlen(text), "  b%d: {mass: 1 m}\n", i);
    ts_diagnostics list;
    ts_document *d;
    assert_int_equal(parse(text, &d, &list), TORSOR_EINVAL);
    assert_int_equal(list.count, 51);
    assert_int_equal(list.items[0].line, 4), assert_int_equal(list.items[49].line, 53);
    assert_non_null(strstr(list.items[50].message, "more problems"));
    ts_diagnostics_clear(&list);
}

static void defaults(void **state) {
    (void)state;
    // empty sections, thinning of stored states, intervals
    ts_document *d =
        parse_well(HEAD "bodies:\njoints: ~\nloads: {}\nanalysis: {end: 10, step: 0.001}\n");
    assert_int_equal(d->options.store_every, 5);
    assert_string_equal(d->options.scheme, "ED");
    ts_document_free(d);
    d = parse_well(HEAD RUN "outputs: {interval: 0.3}\n");
    assert_int_equal(d->options.store_every, 3);
    ts_document_free(d);
    // no analysis: nothing to run
    d = parse_well(HEAD);
    near(d->options.h, 0), near(d->options.t_end, 0);
    assert_int_equal(d->model->parts_count, 1);
    ts_document_free(d);
}

static void files_that_are_not_there(void **state) {
    (void)state;
    ts_diagnostics list = {0};
    ts_document *d;
    assert_int_equal(ts_document_read(&d, "/nowhere/model.yaml", &list), TORSOR_EIO);
    assert_int_equal(list.count, 1);
    assert_null(d);
    ts_diagnostics_clear(&list);
    assert_int_equal(ts_document_read(&d, "/tmp", NULL), TORSOR_EIO);
    assert_non_null(strstr(torsor_error(), "directory"));
    // without a list of diagnostics, the message tells the first problem
    assert_int_equal(ts_document_parse(&d, "torsor: 3", 9, NULL, NULL), TORSOR_EINVAL);
    assert_non_null(strstr(torsor_error(), "model:1:9: expected format version 1"));
    // a zero byte, which a string literal cannot hold
    assert_int_equal(ts_document_parse(&d, "torsor: 1\0", 10, "x", &list), TORSOR_EINVAL);
    assert_non_null(strstr(list.items[0].message, "zero byte"));
    ts_diagnostics_clear(&list);
}

static void printing(void **state) {
    (void)state;
    ts_diagnostics list;
    ts_document *d;
    parse(HEAD "bodies:\n  \xc3\xa9: {}\n\n  A: {\"mass\":\t5 m, typ: 1}\n", &d, &list);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    ts_diagnostics_print(&list, out, false);
    fclose(out);
    assert_string_equal(
        text,
        "model.yaml:4:3: error: '\xc3\xa9' cannot be the name of a part: letters, digits and _ "
        "or -, beginning with a letter\n"
        "    \xc3\xa9: {}\n"
        "    ^\n"
        "model.yaml:6:15: error: expected a mass (kg), got a length (m)\n"
        "    A: {\"mass\":\t5 m, typ: 1}\n"
        "               \t^\n"
        "  hint: for example `mass: 2 kg`\n"
        "model.yaml:6:20: error: unknown key 'typ' in 'A' (rigid)\n"
        "    A: {\"mass\":\t5 m, typ: 1}\n"
        "               \t     ^\n"
        "  hint: did you mean 'type'?\n");
    free(text);
    ts_diagnostics_clear(&list);
}

/* ---- examples in hints ---- */

/* Missing fields and unknown names are no matter here. */
static int refusals(const ts_diagnostics *list) {
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const char *m = list->items[i].message;
        count += strncmp(m, "expected", 8) == 0 || strncmp(m, "unknown", 7) == 0 ||
                 strstr(m, "one of the choices") || strstr(m, "well-formed");
    }
    return count;
}

/* The reader takes the example of each field for a value of that field: type, dimension and
 * syntax. */
static void examples_are_values_of_their_fields(void **state) {
    (void)state;
    ts_reader reader = {.parts = 0};
    int tried = 0;
    for (const ts_kind *const *k = TS_KINDS; *k; k++)
        for (const ts_field *f = (*k)->fields; f->name; f++) {
            char example[100], text[600];
            ts_example_of(&reader, f, example, sizeof example);
            if (!*example) continue;
            snprintf(text, sizeof text, HEAD "%s: {x: {type: %s, %s: %s}}\n", (*k)->section,
                     (*k)->name, f->name, example);
            ts_diagnostics list;
            ts_document *document;
            parse(text, &document, &list);
            if (refusals(&list)) {
                ts_diagnostics_print(&list, stderr, false);
                fail_msg("%s", text);
            }
            ts_document_free(document);
            ts_diagnostics_clear(&list);
            tried++;
        }
    assert_true(tried > 300);
}

static void schema_is_printed(void **state) {
    (void)state;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    ts_schema_print(out);
    fclose(out);
    assert_non_null(strstr(text, "\"$schema\""));
    assert_non_null(strstr(text, "\"bodies.rigid\""));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_where_they_should_be),
        cmocka_unit_test(full_model),
        cmocka_unit_test(line_ends_and_marks),
        cmocka_unit_test(texts),
        cmocka_unit_test(model_units),
        cmocka_unit_test(rotations),
        cmocka_unit_test(inertias),
        cmocka_unit_test(signals),
        cmocka_unit_test(tables_in_files),
        cmocka_unit_test(decimal_commas_in_files),
        cmocka_unit_test(bad_tables),
        cmocka_unit_test(marks_and_headings_of_tables),
        cmocka_unit_test(bad_words_about_tables),
        cmocka_unit_test(samples_are_read),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(aliases_are_limited),
        cmocka_unit_test(problems_are_capped),
        cmocka_unit_test(defaults),
        cmocka_unit_test(files_that_are_not_there),
        cmocka_unit_test(printing),
        cmocka_unit_test(examples_are_values_of_their_fields),
        cmocka_unit_test(schema_is_printed),
    };
    return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
