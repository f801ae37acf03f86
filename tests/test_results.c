/* SPDX-License-Identifier: Apache-2.0 */
/* The results file: states are read back bit for bit, a run killed at any moment leaves a valid
 * file, a failing create leaves the old file, and tables and summaries are right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/digits.h"
#include "base/error.h"
#include "base/place.h"
#include "base/sha256.h"
#include "math/rotation.h"
#include "results/file.h"

static char folder[64];
static char path[80];

/* ---- a model, and states that are a known function of the step ---- */

static const double H = 0.001;

static void add_joint(ts_model *model, int body) {
    int nodes[] = {0, body};
    ts_part *pivot = ts_model_part(model, "pivot");
    pivot->nodeA = 0, pivot->nodeB = body;
    ts_model_site(model, TS_ROLE_ROWS, 2, nodes);
    ts_combo gap =
        ts_combo_minus(ts_combo_point(1, v3_make(0, 0, 0)), ts_combo_point(0, v3_make(0, 0, 0)));
    for (int k = 0; k < 3; k++) {
        ts_form_component(model, v3_axis(k), gap, 0);
        ts_model_row(model, -1, false, k == 0 ? "position along x" : "position");
    }
    ts_model_coordinate(model, "angle", true, 2, nodes);
    ts_combo X = ts_combo_direction(0, v3_axis(0)), Y = ts_combo_direction(0, v3_axis(1));
    ts_combo x = ts_combo_direction(1, v3_axis(0));
    ts_form_dot(model, 1, X, x, 0);
    ts_form_dot(model, 1, Y, x, 0);
    ts_model_coordinate(model, "slide", false, 2, nodes);
    ts_form_component(model, v3_axis(2), gap, 0);
}

static ts_model *make_model(void) {
    ts_model *model = ts_model_new();
    model->title = ts_strdup("a \"top\"");
    ts_part *top = ts_model_part(model, "top");
    top->node = ts_model_node(model, TS_NODE_FRAME, v3_make(0, 0, 0), m3_identity());
    ts_model_mass(model, 1, 2.5, v3_make(0, 0, 0.1), m3_identity());
    ts_part *bob = ts_model_part(model, "bob, heavy");
    bob->node = ts_model_node(model, TS_NODE_POINT, v3_make(1, 2, 3), m3_identity());
    ts_model_mass(model, 2, 1, v3_make(0, 0, 0), m3_scale(0, m3_identity()));
    add_joint(model, 1);
    return model;
}

typedef struct bench {
    ts_document document;
    ts_system *system;
    char text[64];
} bench;

static bench *bench_new(int64_t steps, int every) {
    bench *b = ts_calloc(1, sizeof *b);
    snprintf(b->text, sizeof b->text, "title: \xc3\xa9t\xc3\xa9 # of %lld steps\n",
             (long long)steps);
    b->document.model = make_model();
    b->document.text = b->text;
    b->document.length = strlen(b->text);
    strcpy(b->document.options.scheme, "ED");
    ts_parameter_set(&b->document.options.parameters, &TS_SCHEME_ED, "rho_inf", 7, 0.5);
    b->document.options.h = H;
    b->document.options.t_end = H * (double)steps;
    b->document.options.store_every = every;
    assert_int_equal(ts_system_new(&b->system, b->document.model), 0);
    return b;
}

static void bench_free(bench *b) {
    ts_system_free(b->system);
    ts_model_free(b->document.model);
    free(b);
}

/* A number with all bits in use. */
static double noise(int64_t step, int64_t place) {
    uint64_t x = (uint64_t)step * 0x9e3779b97f4a7c15u + (uint64_t)place * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 31) * 0x94d049bb133111ebu;
    return (double)(int64_t)(x ^ x >> 29) * 1.1e-19;
}

static void fill(double *to, int count, int64_t step, int place) {
    for (int i = 0; i < count; i++) to[i] = noise(step, 1000 * place + i);
}

static void set_state(ts_system *system, int64_t step) {
    const ts_model *model = system->model;
    ts_state *s = &system->state;
    s->step = step, s->t = H * (double)step;
    fill(s->q, 3 * model->slots, step, 1), fill(s->v, 3 * model->slots, step, 2);
    fill(s->vdot, 3 * model->slots, step, 3), fill(s->lambda, model->rows_count, step, 4);
    fill(s->kappa, model->rows_count, step, 5), fill(s->memory, model->memory, step, 6);
    fill(s->trail, ts_trail_length(model), step, 8), ts_trail_exact(s);
    m3_store(s->q + 3 * model->nodes[1].slot + 3, so3_exp(v3_make(0, 0, 0.01 * (double)step)));
    double account[9];
    fill(account, 9, step, 7);
    memcpy(&system->ledger, account, sizeof system->ledger);
    system->energy_start = account[8];
}

static ts_step_report report_of(int64_t step) {
    return (ts_step_report){.step = step,
                            .t = H * (double)step,
                            .h = H,
                            .iterations = 2 + (int)(step % 3),
                            .cuts = step == 7,
                            .violation = 1e-12 * (double)step,
                            .rate_violation = 1e-11,
                            .worst = ""};
}

/* What the analysis does: the first state, then steps, stored now and then and at the end. */
static int write_steps(ts_results *r, bench *b, int64_t first, int64_t last, int flush_every) {
    int64_t steps = llround(b->document.options.t_end / H);
    set_state(b->system, first);
    int status = ts_results_store(r, b->system);
    for (int64_t step = first + 1; step <= last && !status; step++) {
        set_state(b->system, step);
        ts_step_report report = report_of(step);
        status = ts_results_step(r, b->system, &report);
        if (!status && (step % b->document.options.store_every == 0 || step == steps))
            status = ts_results_store(r, b->system);
        if (!status && flush_every && step % flush_every == 0) status = ts_results_flush(r);
    }
    return status;
}

static const ts_summary SUMMARY = {.steps = 10, .iterations = 29, .seconds = 0.25};

static void write_file(bench *b, int64_t first, int64_t last) {
    ts_results *r;
    assert_int_equal(ts_results_create(&r, path, &b->document, b->system, first), 0);
    assert_int_equal(write_steps(r, b, first, last, 0), 0);
    int64_t steps = llround(b->document.options.t_end / H);
    int status = ts_results_close(r, last == steps ? "completed" : "interrupted", &SUMMARY);
    if (status) fail_msg("%s", ts_error_message());
}

#define assert_bits_equal(a, b, count)                                                \
    do {                                                                              \
        if ((count) > 0) assert_memory_equal(a, b, (size_t)(count) * sizeof(double)); \
    } while (0)

static void assert_same_state(const ts_system *a, const ts_system *b) {
    const ts_model *model = a->model;
    assert_int_equal(a->state.step, b->state.step);
    assert_bits_equal(&a->state.t, &b->state.t, 1);
    assert_bits_equal(a->state.q, b->state.q, 3 * model->slots);
    assert_bits_equal(a->state.v, b->state.v, 3 * model->slots);
    assert_bits_equal(a->state.vdot, b->state.vdot, 3 * model->slots);
    assert_bits_equal(a->state.jump, b->state.jump, 3 * model->slots);
    assert_bits_equal(a->state.lambda, b->state.lambda, model->rows_count);
    assert_bits_equal(a->state.trail, b->state.trail, ts_trail_length(model));
    assert_bits_equal(a->state.kappa, b->state.kappa, model->rows_count);
    assert_bits_equal(a->state.memory, b->state.memory, model->memory);
    assert_memory_equal(&a->ledger, &b->ledger, sizeof a->ledger);
    assert_bits_equal(&a->energy_start, &b->energy_start, 1);
}

/* Every row that the file counts is the one that was written. Returns the frames. */
static int64_t check_file(bench *b, int64_t first) {
    ts_results *r;
    ts_system *read;
    int status = ts_results_open(&r, path);
    if (status) fail_msg("%s", ts_error_message());
    assert_int_equal(ts_system_new(&read, b->document.model), 0);
    int64_t frames = ts_results_frames(r);
    for (int64_t f = 0; f < frames; f++) {
        int64_t step = -1;
        double t = -1;
        assert_int_equal(ts_results_frame_step(r, f, &step, &t), 0);
        assert_int_equal(ts_results_state(r, f, read), 0);
        assert_int_equal(read->state.step, step);
        set_state(b->system, step);
        assert_same_state(read, b->system);
    }
    for (int64_t s = 0; s < r->rows[TS_STEPS]; s++) {
        double kinetic;
        int64_t step, iterations;
        assert_int_equal(ts_results_rows(r, TS_STEP_STEP, s, 1, &step), 0);
        assert_int_equal(ts_results_rows(r, TS_STEP_ITERATIONS, s, 1, &iterations), 0);
        assert_int_equal(ts_results_rows(r, TS_STEP_KINETIC, s, 1, &kinetic), 0);
        assert_int_equal(step, first + 1 + s);
        assert_int_equal(iterations, report_of(step).iterations);
        assert_true(kinetic == noise(step, 7000));
    }
    ts_system_free(read);
    ts_results_free(r);
    return frames;
}

/* ---- writing and reading ---- */

static void states_come_back_bit_for_bit(void **state) {
    (void)state;
    bench *b = bench_new(10, 3);
    write_file(b, 0, 10);
    assert_int_equal(check_file(b, 0), 5); // 0 3 6 9 10
    ts_results *r;
    size_t length;
    assert_int_equal(ts_results_open(&r, path), 0);
    assert_memory_equal(ts_results_text(r, &length), b->text, strlen(b->text) + 1);
    assert_int_equal(length, strlen(b->text));
    ts_results_free(r);
    bench_free(b);
}

static void special_numbers_come_back_too(void **state) {
    (void)state;
    bench *b = bench_new(1, 1);
    ts_results *r;
    ts_system *read;
    set_state(b->system, 0);
    uint64_t odd[] = {0x7ff8000000001234, 0xfff0000000000000, 1, 0x8000000000000000};
    memcpy(b->system->state.v, odd, sizeof odd);
    assert_int_equal(ts_results_create(&r, path, &b->document, b->system, 0), 0);
    assert_int_equal(ts_results_store(r, b->system), 0);
    assert_int_equal(ts_results_close(r, NULL, NULL), 0);
    assert_int_equal(ts_system_new(&read, b->document.model), 0);
    assert_int_equal(ts_results_open(&r, path), 0);
    assert_int_equal(ts_results_state(r, 0, read), 0);
    assert_same_state(read, b->system);
    ts_results_free(r);
    ts_system_free(read);
    bench_free(b);
}

static void interrupted_run_is_cut_to_its_rows(void **state) {
    (void)state;
    bench *b = bench_new(70000, 10);
    write_file(b, 0, 70000);
    struct stat whole, part;
    assert_int_equal(stat(path, &whole), 0);
    write_file(b, 0, 57);
    assert_int_equal(stat(path, &part), 0);
    assert_true(part.st_size < whole.st_size / 4);
    assert_int_equal(check_file(b, 0), 6);
    ts_results *r;
    int rank;
    uint64_t shape[3];
    ts_h5 set;
    assert_int_equal(ts_results_open(&r, path), 0);
    assert_int_equal(ts_h5_dataset(&set, r->file, "/frames/q", &rank, shape), 0);
    assert_true(rank == 3 && shape[0] == 6 && shape[1] == 9 && shape[2] == 3);
    ts_h5_dataset_close(set);
    ts_results_free(r);
    bench_free(b);
}

static void restarted_run_goes_on_counting(void **state) {
    (void)state;
    bench *b = bench_new(20, 3);
    write_file(b, 7, 20);
    assert_int_equal(check_file(b, 7), 6); // 7 9 12 15 18 20
    write_file(b, 20, 20);
    assert_int_equal(check_file(b, 20), 1);
    bench_free(b);
}

static void more_rows_than_planned_are_kept(void **state) {
    (void)state;
    bench *b = bench_new(10, 5);
    ts_results *r;
    assert_int_equal(ts_results_create(&r, path, &b->document, b->system, 0), 0);
    b->document.options.store_every = 1;
    assert_int_equal(write_steps(r, b, 0, 30, 4), 0);
    assert_int_equal(ts_results_close(r, "completed", NULL), 0);
    assert_int_equal(check_file(b, 0), 31);
    bench_free(b);
}

static void model_without_joints_or_memory(void **state) {
    (void)state;
    bench *b = bench_new(4, 2);
    ts_system_free(b->system);
    ts_model_free(b->document.model);
    b->document.model = ts_model_new();
    ts_model_part(b->document.model, "top")->node = 1;
    ts_model_node(b->document.model, TS_NODE_FRAME, v3_make(0, 0, 0), m3_identity());
    b->document.length = 0;
    assert_int_equal(ts_system_new(&b->system, b->document.model), 0);
    write_file(b, 0, 3);
    assert_int_equal(check_file(b, 0), 2);
    ts_results *r;
    size_t length = 1;
    assert_int_equal(ts_results_open(&r, path), 0);
    ts_results_text(r, &length);
    assert_int_equal(length, 0);
    FILE *null = fopen("/dev/null", "w");
    assert_int_equal(ts_results_csv(r, 0, NULL, null), 0);
    assert_int_equal(ts_results_info(r, null, true), 0);
    fclose(null);
    ts_results_free(r);
    bench_free(b);
}

/* Large rows and many of them: several chunks, buffers that fill. */
static void long_runs_fill_many_chunks(void **state) {
    (void)state;
    bench *b = bench_new(70000, 35);
    write_file(b, 0, 70000);
    assert_int_equal(check_file(b, 0), 2001);
    write_file(b, 0, 40001);
    assert_int_equal(check_file(b, 0), 1143);
    bench_free(b);
}

static void file_is_readable_while_it_is_written(void **state) {
    (void)state;
    bench *b = bench_new(10, 1), *other = bench_new(10, 1);
    ts_results *r;
    assert_int_equal(ts_results_create(&r, path, &b->document, b->system, 0), 0);
    assert_int_equal(check_file(other, 0), 0);
    assert_int_equal(write_steps(r, b, 0, 4, 0), 0);
    assert_int_equal(check_file(other, 0), 0); // nothing flushed yet
    assert_int_equal(ts_results_flush(r), 0);
    assert_int_equal(check_file(other, 0), 5);
    assert_int_equal(ts_results_close(r, "interrupted", NULL), 0);
    bench_free(b), bench_free(other);
}

/* ---- killing ---- */

/* Says when its first file is there. */
static void write_forever(int pipe) {
    bench *b = bench_new(400, 3);
    for (int round = 0;; round++) {
        ts_results *r;
        if (ts_results_create(&r, path, &b->document, b->system, 0)) _exit(1);
        if (round == 0 && write(pipe, "", 1) != 1) _exit(1);
        if (write_steps(r, b, 0, round % 2 ? 400 : 150, 1 + round % 5)) _exit(1);
        if (ts_results_close(r, round % 2 ? "completed" : "interrupted", &SUMMARY)) _exit(1);
    }
}

static void kill_after(long microseconds, bool once_there) {
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) write_forever(ends[1]);
    close(ends[1]);
    if (once_there) assert_int_equal(read(ends[0], &byte, 1), 1);
    struct timespec pause = {0, 1000 * microseconds};
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    close(ends[0]);
    char draft[128];
    snprintf(draft, sizeof draft, "%s.tmp-torsor", path);
    unlink(draft); // when it was laying out or copying
}

static void killed_run_leaves_a_good_file(void **state) {
    (void)state;
    bench *b = bench_new(400, 3);
    const char *rounds = getenv("TORSOR_KILLS");
    int some = 0, kills = rounds ? atoi(rounds) : 100;
    srand(20240607);
    for (int i = 0; i < kills; i++) {
        kill_after(rand() % 30000, i % 2 == 0);
        int64_t frames = check_file(b, 0);
        some += frames > 0 && frames < 51;
    }
    assert_true(some > 0); // the killing did come in the middle
    bench_free(b);
}

/* ---- failures ---- */

static void write_bytes(const char *name, const void *bytes, size_t count) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static char *read_all(const char *name, size_t *count) {
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *count = (size_t)ftell(file);
    rewind(file);
    char *bytes = ts_calloc(*count + 1, 1);
    assert_int_equal(fread(bytes, 1, *count, file), *count);
    fclose(file);
    return bytes;
}

static void assert_says(const char *word) {
    if (!strstr(ts_error_message(), word))
        fail_msg("'%s' does not say '%s'", ts_error_message(), word);
}

static void assert_open_fails(const char *word) {
    ts_results *r = (ts_results *)path;
    assert_int_equal(ts_results_open(&r, path), TORSOR_EIO);
    assert_null(r);
    assert_says(word);
    assert_says(path);
}

static void files_that_are_not_ours_are_refused(void **state) {
    (void)state;
    unlink(path);
    assert_open_fails("No such file");
    write_bytes(path, "title: top\n", 11);
    assert_open_fails("not HDF5");
    write_bytes(path, "", 0);
    assert_open_fails("not HDF5");

    ts_h5 file;
    unlink(path);
    assert_int_equal(ts_h5_create(&file, path), 0);
    assert_int_equal(ts_h5_close(file), 0);
    assert_open_fails("not a results file of torsor");

    assert_int_equal(ts_h5_open(&file, path, true), 0);
    assert_int_equal(ts_h5_put_text(file, "/", "format", "torsor-results", 32), 0);
    assert_int_equal(ts_h5_put_integer(file, "/", "format_version", 99), 0);
    assert_int_equal(ts_h5_close(file), 0);
    assert_open_fails("newer");

    assert_int_equal(ts_h5_open(&file, path, true), 0);
    assert_int_equal(ts_h5_put_integer(file, "/", "format_version", 1), 0);
    assert_int_equal(ts_h5_close(file), 0);
    assert_open_fails("progress");
}

static void truncated_files_are_refused(void **state) {
    (void)state;
    bench *b = bench_new(100, 1);
    write_file(b, 0, 100);
    size_t count;
    char *bytes = read_all(path, &count);
    write_bytes(path, bytes, count / 2);
    assert_open_fails("cut short");
    for (size_t cut = 0; cut < count; cut += 1 + count / 97) {
        ts_results *r;
        write_bytes(path, bytes, cut);
        assert_int_equal(ts_results_open(&r, path), TORSOR_EIO);
    }
    free(bytes);
    bench_free(b);
}

static void states_of_another_model_are_refused(void **state) {
    (void)state;
    bench *b = bench_new(3, 1);
    write_file(b, 0, 3);
    ts_results *r;
    assert_int_equal(ts_results_open(&r, path), 0);
    assert_int_equal(ts_results_state(r, 4, b->system), TORSOR_EINVAL);
    assert_says("0 to 3");
    assert_int_equal(ts_results_state(r, -1, b->system), TORSOR_EINVAL);
    ts_model *other = ts_model_new();
    ts_system *system;
    assert_int_equal(ts_system_new(&system, other), 0);
    assert_int_equal(ts_results_state(r, 0, system), TORSOR_EINVAL);
    assert_says("another model");
    ts_system_free(system);
    ts_model_free(other);
    ts_results_free(r);
    bench_free(b);
}

static int create_at(bench *b, const char *where) {
    ts_results *r = (ts_results *)b;
    int status = ts_results_create(&r, where, &b->document, b->system, 0);
    assert_true((status == 0) == (r != NULL));
    if (r) ts_results_close(r, "completed", NULL);
    return status;
}

static void places_that_cannot_be_written_are_named(void **state) {
    (void)state;
    bench *b = bench_new(10, 1);
    char name[128];
    snprintf(name, sizeof name, "%s/no/such/file.h5", folder);
    assert_int_equal(create_at(b, name), TORSOR_EIO);
    assert_says(name), assert_says("there is no folder");
    assert_int_equal(create_at(b, folder), TORSOR_EIO);
    assert_says("Is a directory");
    assert_int_equal(create_at(b, "/dev/null"), TORSOR_EIO);
    assert_says("not a plain file");
    b->document.options.t_end = 1e12 * H;
    assert_int_equal(create_at(b, path), TORSOR_EIO);
    assert_says("the disk has");
    b->document.options.h = 0;
    assert_int_equal(create_at(b, path), TORSOR_EINVAL);
    bench_free(b);
}

static int count_files(void) {
    char command[128];
    snprintf(command, sizeof command, "ls %s | wc -l", folder);
    FILE *pipe = popen(command, "r");
    int count = -1;
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static void limit_file_size(rlim_t bytes) {
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, bytes == RLIM_INFINITY ? SIG_DFL : SIG_IGN);
}

static void full_disk_leaves_the_old_file(void **state) {
    (void)state;
    write_bytes(path, "precious", 8);
    int files = count_files();
    bench *b = bench_new(100000, 1);
    for (rlim_t limit = 0; limit < 1 << 20; limit = 3 * limit + 1000) {
        limit_file_size(limit);
        int status = create_at(b, path);
        limit_file_size(RLIM_INFINITY);
        assert_int_equal(status, TORSOR_EIO);
        assert_says("File too large");
        assert_int_equal(count_files(), files);
    }
    size_t count;
    char *bytes = read_all(path, &count);
    assert_string_equal(bytes, "precious");
    free(bytes);
    bench_free(b);
}

/* A disk that breaks under the run: the file stays good up to where it was. */
static void failing_write_is_told_and_leaves_a_good_file(void **state) {
    (void)state;
    bench *b = bench_new(20000, 1);
    ts_results *r;
    assert_int_equal(ts_results_create(&r, path, &b->document, b->system, 0), 0);
    assert_int_equal(write_steps(r, b, 0, 100, 10), 0);
    limit_file_size(20000);
    int status = write_steps(r, b, 101, 20000, 10);
    assert_int_equal(status, TORSOR_EIO);
    assert_says("cannot write"), assert_says("File too large");
    assert_int_equal(ts_results_step(r, b->system, &(ts_step_report){0}), TORSOR_EIO);
    limit_file_size(RLIM_INFINITY);
    assert_int_equal(ts_results_close(r, "failed: disk full", NULL), TORSOR_EIO);
    assert_says("incomplete");
    assert_int_equal(check_file(b, 0), 101);
    bench_free(b);
}

static void link_is_followed(void **state) {
    (void)state;
    bench *b = bench_new(3, 1);
    char real[128];
    snprintf(real, sizeof real, "%s/real.h5", folder);
    write_bytes(real, "old", 3);
    unlink(path);
    assert_int_equal(symlink(real, path), 0);
    write_file(b, 0, 3);
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(check_file(b, 0), 4);
    unlink(path), unlink(real);
    bench_free(b);
}

/* ---- for people ---- */

static char *csv(int selectors, char **selector, int wanted) {
    ts_results *r;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(ts_results_open(&r, path), 0);
    assert_int_equal(ts_results_csv(r, selectors, selector, out), wanted);
    fclose(out);
    ts_results_free(r);
    return text;
}

static void assert_line(const char *text, int number, const char *wanted) {
    for (; number > 0; number--) text = strchr(text, '\n') + 1;
    size_t length = strcspn(text, "\n");
    if (length != strlen(wanted) || strncmp(text, wanted, length) != 0)
        fail_msg("'%.*s' is not '%s'", (int)length, text, wanted);
}

static void csv_gives_what_was_asked(void **state) {
    (void)state;
    bench *b = bench_new(4, 2);
    write_file(b, 0, 4);
    char *asked[] = {"top.velocity.y", "pivot.angle", "pivot.angle.rate", "bob, heavy.position",
                     "energy.kinetic"};
    char *text = csv(5, asked, 0);
    assert_line(text, 0,
                "t [s],top.velocity.y [m/s],pivot.angle [rad],pivot.angle.rate [rad/s],"
                "\"bob, heavy.position.x [m]\",\"bob, heavy.position.y [m]\","
                "\"bob, heavy.position.z [m]\",energy.kinetic [J]");
    char line[400];
    set_state(b->system, 2);
    const double *x = b->system->state.q + 3 * b->document.model->nodes[2].slot;
    const double values[] = {2 * H,
                             b->system->state.v[3 * 4 + 1],
                             ts_coordinate_value(b->system, 0),
                             ts_coordinate_rate(b->system, 0),
                             x[0],
                             x[1],
                             x[2],
                             noise(2, 7000)};
    size_t used = 0;
    for (int i = 0; i < 8; i++) {
        char digits[TS_DIGITS];
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", i ? "," : "",
                                 ts_digits(digits, values[i]));
    }
    assert_line(text, 2, line);
    free(text);
    bench_free(b);
}

static void csv_knows_rotations_and_reactions(void **state) {
    (void)state;
    bench *b = bench_new(4, 1);
    write_file(b, 0, 4);
    char *asked[] = {"top.rotation_vector.z", "top.quaternion.s", "top.orientation.d1",
                     "pivot.force",           "pivot.moment.z",   "momentum.linear.x",
                     "top.omega.z",           "energy.total"};
    char *text = csv(8, asked, 0);
    char *line = strchr(strchr(strchr(strchr(text, '\n') + 1, '\n') + 1, '\n') + 1, '\n') + 1;
    double number[13];
    int count = 0;
    for (char *p = line; count < 13 && *p && *p != '\n'; p += *p == ',')
        number[count++] = strtod(p, &p);
    assert_int_equal(count, 13);
    double angle = 0.03;
    v3 force, moment, linear, angular;
    set_state(b->system, 3);
    ts_part_reaction(b->system, 3, &force, &moment);
    ts_momenta(b->system, &linear, &angular);
    assert_true(fabs(number[1] - angle) < 1e-14);
    assert_true(fabs(number[2] - cos(0.5 * angle)) < 1e-14);
    assert_true(fabs(number[3] - cos(angle)) < 1e-14);
    assert_true(fabs(number[4] - sin(angle)) < 1e-14);
    assert_true(number[6] == force.x && number[7] == force.y && number[8] == force.z);
    assert_true(number[9] == moment.z && number[10] == linear.x);
    assert_true(number[11] == ts_node_omega(b->system, 1).z);
    assert_true(number[12] == noise(3, 7000) + noise(3, 7001) + noise(3, 7002));
    free(text);
    bench_free(b);
}

static void csv_of_everything_usual(void **state) {
    (void)state;
    bench *b = bench_new(2, 1);
    write_file(b, 0, 2);
    char *text = csv(0, NULL, 0);
    assert_non_null(strstr(text, "top.position.x [m]"));
    assert_non_null(strstr(text, "pivot.slide [m]"));
    assert_non_null(strstr(text, "energy.balance [J]"));
    assert_null(strstr(text, "ground"));
    free(text);
    bench_free(b);
}

static void csv_explains_unknown_names(void **state) {
    (void)state;
    bench *b = bench_new(2, 1);
    write_file(b, 0, 2);
    free(csv(1, (char *[]){"top.positon.x"}, TORSOR_EINVAL));
    assert_says("Did you mean 'top.position.x'?"), assert_says("velocity, orientation");
    free(csv(1, (char *[]){"wheel"}, TORSOR_EINVAL));
    assert_says("There are: ground, top, bob, heavy, pivot, energy, momentum");
    free(csv(1, (char *[]){""}, TORSOR_EINVAL));
    free(csv(1, (char *[]){"top.position.x.y"}, TORSOR_EINVAL));
    free(csv(1, (char *[]){"pivot.angel"}, TORSOR_EINVAL));
    assert_says("'pivot.angle'"), assert_says("relative_rotation, angle, slide");
    bench_free(b);
}

static char *info(bool json) {
    ts_results *r;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(ts_results_open(&r, path), 0);
    assert_int_equal(ts_results_info(r, out, json), 0);
    fclose(out);
    ts_results_free(r);
    return text;
}

static void assert_has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("'%s' is not in:\n%s", part, text);
}

static void info_sums_up(void **state) {
    (void)state;
    bench *b = bench_new(10, 3);
    write_file(b, 0, 8);
    double balance = 0;
    for (int64_t s = 1; s <= 8; s++) balance = fmax(balance, fabs(noise(s, 7007)));
    char wanted[64];
    char digits[TS_DIGITS];
    snprintf(wanted, sizeof wanted, "\"worst_balance\": %s", ts_digits(digits, balance));

    char *text = info(true);
    assert_has(text, "\"title\": \"a \\\"top\\\"\"");
    assert_has(text, "\"status\": \"interrupted\"");
    assert_has(text, "\"frames\": 3"), assert_has(text, "\"steps\": 8");
    assert_has(text, "\"cuts\": 1"), assert_has(text, "\"most_iterations\": 4");
    assert_has(text, wanted);
    free(text);

    text = info(false);
    assert_has(text, "interrupted"), assert_has(text, "ED, rho_inf 0.5");
    assert_has(text, "8 (number 0 to 8), 3 stored states");
    assert_has(text, "3 nodes, 4 parts, 3 constraints, 2 coordinates");
    free(text);
    bench_free(b);
}

static void hashes_are_those_of_the_standard(void **state) {
    (void)state;
    char hex[65];
    ts_sha256_hex("", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    ts_sha256_hex("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    ts_sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *million = ts_calloc(1000000, 1);
    memset(million, 'a', 1000000);
    ts_sha256_hex(million, 1000000, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/dev/shm/torsor-results-XXXXXX"); // in memory, where writing takes no time
    if (!mkdtemp(folder)) strcpy(folder, "/tmp/torsor-results-XXXXXX");
    if (strstr(folder, "XXXXXX") && !mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/r.h5", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void) {
    ts_place_force(true); // models of many titles take turns at one path
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_come_back_bit_for_bit),
        cmocka_unit_test(special_numbers_come_back_too),
        cmocka_unit_test(interrupted_run_is_cut_to_its_rows),
        cmocka_unit_test(restarted_run_goes_on_counting),
        cmocka_unit_test(more_rows_than_planned_are_kept),
        cmocka_unit_test(model_without_joints_or_memory),
        cmocka_unit_test(long_runs_fill_many_chunks),
        cmocka_unit_test(file_is_readable_while_it_is_written),
        cmocka_unit_test(killed_run_leaves_a_good_file),
        cmocka_unit_test(files_that_are_not_ours_are_refused),
        cmocka_unit_test(truncated_files_are_refused),
        cmocka_unit_test(states_of_another_model_are_refused),
        cmocka_unit_test(places_that_cannot_be_written_are_named),
        cmocka_unit_test(full_disk_leaves_the_old_file),
        cmocka_unit_test(failing_write_is_told_and_leaves_a_good_file),
        cmocka_unit_test(link_is_followed),
        cmocka_unit_test(csv_gives_what_was_asked),
        cmocka_unit_test(csv_knows_rotations_and_reactions),
        cmocka_unit_test(csv_of_everything_usual),
        cmocka_unit_test(csv_explains_unknown_names),
        cmocka_unit_test(info_sums_up),
        cmocka_unit_test(hashes_are_those_of_the_standard),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
