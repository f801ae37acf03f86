/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks share: a model of a given size, stepped by a scheme, timed.
 *
 *     bench_NAME [-s EP,ED] [-n 10,100,...] [-t STEPS] [-e TOLERANCE] [-c UNITS] [-o NAME.csv]
 *
 * Prints per case: ms/step, Newton iterations and factorisations per step, microseconds per unit
 * (body, element) and step (CPU time of this process, the steps only), peak memory, and the energy
 * balance, because a fast wrong answer is no answer. Each case runs in a process of its own, so
 * that peak memory is its own; so nothing needs to be freed either.
 */
#ifndef TS_BENCH_H
#define TS_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "study/schemes.h"

static int bench_steps = 200;      /* option -t; the published numbers are for 200 */
static double bench_tolerance = 0; /* option -e; 0: as runs have it by default */
static int bench_cut = 0;          /* option -c: units of each structure; 0: all are one */

typedef struct bench {
    const char *title;       /* first line of the table */
    const char *unit, *many; /* what is counted: "body", "links" */
    const char *table;       /* default name of the table */
    ts_model *(*build)(int size);
    double h;
} bench;

typedef struct bench_result {
    double set_up, seconds, iterations, factorisations, balance, megabytes;
    int failed;
} bench_result;

static inline double bench_cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline bench_result bench_measure(const bench *b, const char *scheme, int size) {
    bench_result r = {0};
    double start = bench_cpu();
    ts_model *model = b->build(size);
    ts_system *system;
    ts_stepper *stepper;
    ts_step_options options = {.tolerance = bench_tolerance, .max_iterations = 25, .max_cuts = 8};
    ts_system_new(&system, model);
    ts_system_begin(system);
    ts_stepper_new(&stepper, system, ts_scheme_find(scheme), &options);
    r.set_up = bench_cpu() - start;
    start = bench_cpu();
    for (int i = 0; i < bench_steps && !r.failed; i++) {
        ts_step_result s;
        r.failed = ts_stepper_step(stepper, b->h, &s);
        r.iterations += s.iterations, r.factorisations += s.factorisations;
    }
    r.seconds = bench_cpu() - start;
    r.balance = fabs(system->ledger.balance) /
                (fabs(system->ledger.kinetic) + fabs(system->ledger.gravity));
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    r.megabytes = (double)usage.ru_maxrss / 1024;
    return r;
}

static inline bench_result bench_measure_apart(const bench *b, const char *scheme, int size) {
    int ends[2];
    bench_result r = {.failed = 1};
    if (pipe(ends)) return r;
    pid_t child = fork();
    if (child == 0) {
        bench_result mine = bench_measure(b, scheme, size);
        _exit(write(ends[1], &mine, sizeof mine) != sizeof mine);
    }
    close(ends[1]);
    if (read(ends[0], &r, sizeof r) != sizeof r) r.failed = 1;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return r;
}

static inline void bench_case(const bench *b, const char *scheme, int size, FILE *csv) {
    bench_result r = bench_measure_apart(b, scheme, size);
    double ms = 1e3 * r.seconds / bench_steps, us = 1e3 * ms / size;
    double iterations = r.iterations / bench_steps, factors = r.factorisations / bench_steps;
    printf("%-3s %8d  %10.3f  %6.2f %6.2f  %10.3f  %9.1f  %8.2f  %8.1e%s\n", scheme, size, ms,
           iterations, factors, us, r.megabytes, r.set_up, r.balance, r.failed ? "  FAILED" : "");
    fflush(stdout);
    if (csv)
        fprintf(csv, "%s,%d,%.6g,%.4g,%.4g,%.5g,%.5g,%.4g,%.3g,%d\n", scheme, size, ms, iterations,
                factors, us, r.megabytes, r.set_up, r.balance, r.failed);
}

static inline int bench_main(const bench *b, int argc, char **argv) {
    char schemes[100] = "EP,ED", sizes[200] = "10,100,1000,10000,100000";
    const char *path = b->table;
    int option;
    while ((option = getopt(argc, argv, "s:n:o:t:e:c:")) != -1) {
        if (option == 's') snprintf(schemes, sizeof schemes, "%s", optarg);
        if (option == 'n') snprintf(sizes, sizeof sizes, "%s", optarg);
        if (option == 'o') path = optarg;
        if (option == 't') bench_steps = atoi(optarg);
        if (option == 'e') bench_tolerance = atof(optarg);
        if (option == 'c') bench_cut = atoi(optarg);
        if (option == '?') return 1;
    }
    FILE *csv = fopen(path, "w");
    if (csv)
        fprintf(csv,
                "scheme,%s,ms_per_step,iterations,factorisations,us_per_%s,megabytes,set_up_s,"
                "balance,failed\n",
                b->many, b->unit);
    printf("%s, h = %g ms, %d steps\n", b->title, 1e3 * b->h, bench_steps);
    printf("    %8s     ms/step    iter  factor  us/%-7s  peak MiB  set-up s   balance\n", b->many,
           b->unit);
    char *save_scheme, *save_size;
    for (char *s = strtok_r(schemes, ",", &save_scheme); s; s = strtok_r(NULL, ",", &save_scheme)) {
        char list[200];
        snprintf(list, sizeof list, "%s", sizes);
        for (char *n = strtok_r(list, ",", &save_size); n; n = strtok_r(NULL, ",", &save_size))
            bench_case(b, s, atoi(n), csv);
    }
    if (csv) fclose(csv);
    return 0;
}

#endif
