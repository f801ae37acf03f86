/* CHAIN-N: N rigid links of 1 m and 1 kg on revolute joints about y, falling from horizontal, h = 1 ms, 200 steps.
 *
 *     bench_chain [-s EP,ED] [-n 10,100,...] [-o chain.csv]
 *
 * Prints per case: ms/step, Newton iterations and factorisations per step, microseconds per body and step (CPU time of this
 * process, the steps only), peak memory, and the energy balance, because a fast wrong answer is no answer. Each case runs in
 * a process of its own, so that peak memory is its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "math/rotation.h"
#include "scheme/scheme.h"

enum { STEPS = 200 };

typedef struct result {
    double set_up, seconds, iterations, factorisations, balance, megabytes;
    int failed;
} result;

static int add_link(ts_model *model, int i) {
    m3 J = {{{1e-3, 0, 0}, {0, 1.0 / 12, 0}, {0, 0, 1.0 / 12}}};
    ts_model_part(model, "link");
    int node = ts_model_node(model, TS_NODE_FRAME, v3_make(i + 0.5, 0, 0), m3_identity());
    ts_model_mass(model, node, 1, v3_make(0, 0, 0), J);
    return node;
}

/* the end of the previous link (or the ground) and the start of the next */
static void add_revolute(ts_model *model, int A, int B) {
    int nodes[2] = {A, B};
    m3 frame = ts_frame_from_axis(v3_axis(1));
    ts_model_part(model, "hinge");
    ts_model_site(model, TS_ROLE_ROWS, 2, nodes);
    ts_combo gap = ts_combo_minus(ts_combo_point(1, v3_make(-0.5, 0, 0)),
                                  ts_combo_point(0, v3_make(A ? 0.5 : 0, 0, 0)));
    for (int i = 0; i < 3; i++) {
        ts_form_component(model, v3_axis(i), gap, 0);
        ts_model_row(model, -1, false, "displacement");
    }
    for (int i = 0; i < 2; i++) {
        ts_form_dot(model, 1, ts_combo_direction(0, frame.c[i]), ts_combo_direction(1, frame.c[2]),
                    0);
        ts_model_row(model, -1, false, "rotation");
    }
}

static ts_model *chain(int links) {
    ts_model *model = ts_model_new();
    model->gravity = v3_make(0, 0, -9.81);
    for (int i = 0, previous = 0; i < links; i++) {
        int node = add_link(model, i);
        add_revolute(model, previous, node);
        previous = node;
    }
    return model;
}

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static result measure(const char *scheme, int links) {
    result r = {0};
    double start = cpu();
    ts_model *model = chain(links);
    ts_system *system;
    ts_stepper *stepper;
    ts_step_options options = {.tolerance = 1e-15, .max_iterations = 25, .max_cuts = 8};
    ts_system_new(&system, model);
    ts_system_begin(system);
    ts_stepper_new(&stepper, system, ts_scheme_find(scheme), &options);
    r.set_up = cpu() - start;
    start = cpu();
    for (int i = 0; i < STEPS && !r.failed; i++) {
        ts_step_result s;
        r.failed = ts_stepper_step(stepper, 1e-3, &s);
        r.iterations += s.iterations, r.factorisations += s.factorisations;
    }
    r.seconds = cpu() - start;
    r.balance = fabs(system->ledger.balance) /
                (fabs(system->ledger.kinetic) + fabs(system->ledger.gravity));
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    r.megabytes = (double)usage.ru_maxrss / 1024;
    ts_stepper_free(stepper);
    ts_system_free(system);
    ts_model_free(model);
    return r;
}

static result measure_apart(const char *scheme, int links) {
    int ends[2];
    result r = {.failed = 1};
    if (pipe(ends)) return r;
    pid_t child = fork();
    if (child == 0) {
        result mine = measure(scheme, links);
        _exit(write(ends[1], &mine, sizeof mine) != sizeof mine);
    }
    close(ends[1]);
    if (read(ends[0], &r, sizeof r) != sizeof r) r.failed = 1;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return r;
}

static void run_case(const char *scheme, int links, FILE *csv) {
    result r = measure_apart(scheme, links);
    double us = 1e6 * r.seconds / STEPS / links;
    printf("%-3s %7d  %10.3f  %6.2f %6.2f  %8.3f  %9.1f  %8.2f  %8.1e%s\n", scheme, links,
           1e3 * r.seconds / STEPS, r.iterations / STEPS, r.factorisations / STEPS, us, r.megabytes,
           r.set_up, r.balance, r.failed ? "  FAILED" : "");
    fflush(stdout);
    if (csv)
        fprintf(csv, "%s,%d,%.6g,%.4g,%.4g,%.5g,%.5g,%.4g,%.3g,%d\n", scheme, links,
                1e3 * r.seconds / STEPS, r.iterations / STEPS, r.factorisations / STEPS, us,
                r.megabytes, r.set_up, r.balance, r.failed);
}

int main(int argc, char **argv) {
    char schemes[100] = "EP,ED", sizes[200] = "10,100,1000,10000,100000";
    const char *path = "chain.csv";
    int option;
    while ((option = getopt(argc, argv, "s:n:o:")) != -1) {
        if (option == 's') snprintf(schemes, sizeof schemes, "%s", optarg);
        if (option == 'n') snprintf(sizes, sizeof sizes, "%s", optarg);
        if (option == 'o') path = optarg;
        if (option == '?') return 1;
    }
    FILE *csv = fopen(path, "w");
    if (csv)
        fprintf(csv, "scheme,links,ms_per_step,iterations,factorisations,us_per_body,megabytes,set_"
                     "up_s,balance,failed\n");
    printf("CHAIN-N, h = 1 ms, %d steps\n", STEPS);
    printf("     bodies     ms/step    iter  factor   us/body  peak MiB  set-up s   balance\n");
    char *save_scheme, *save_size;
    for (char *s = strtok_r(schemes, ",", &save_scheme); s; s = strtok_r(NULL, ",", &save_scheme)) {
        char list[200];
        snprintf(list, sizeof list, "%s", sizes);
        for (char *n = strtok_r(list, ",", &save_size); n; n = strtok_r(NULL, ",", &save_size))
            run_case(s, atoi(n), csv);
    }
    if (csv) fclose(csv);
    return 0;
}
