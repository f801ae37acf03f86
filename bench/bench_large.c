/* SPDX-License-Identifier: Apache-2.0 */
/* LARGE: where time and memory go as a model grows, by solver, ordering and number of threads.
 *
 *     bench_large [-d DIM] [-g MESH] [-n SIZE,...] [-m MODEL.yaml,...]
 *                 [-s EP,ED,static] [-l klu,mumps,...] [-t 1,2,...]
 *                 [-k STEPS] [-h STEP] [-o large.csv]
 *
 * -g makes the mesh of a shell or solid, held on one side, under its weight, SIZE elements along
 * its edges: shell and shell9, a plate of 4-node and 9-node shells; hex8 (with enhanced strains),
 * hex8_plain, hex27, blocks; slab, slab27, solids four (two) elements thick.
 *
 * Its models are files (-m), or lattices of N^DIM bodies, 1 kg and 1 m apart, tied to their
 * neighbours by bushings, held on one side and sheared by gravity: a chain, a plate, a block, whose
 * factors fill as those of a beam, a shell, a solid do. -l takes orderings too: mumps/scotch,
 * mumps/amd, mumps/given; see src/sparse/mumps.c. static makes one increment per step.
 *
 * Each case runs in a process of its own, so that peak memory is its own. Columns: unknowns of the
 * equations that are factored, entries of their factors, set-up, wall time of a step; shares of it
 * of residual, tangent, factorisation and solution; wall time of one analysis, the first
 * factorisation and a later one (steps alternate between h and 0.9 h, so that there are some); the
 * exponent p of time ~ unknowns^p since the size before; peak memory. Set-up is reading, initial
 * conditions, and pattern with its order, also apart in the table. Last: iterations of a linear
 * solution, of the solver that iterates. Set-up and steps are processor
 * time on one thread, wall time on more; the shares are of wall time.
 */
#include "analysis/assembly.h"
#include "analysis/run.h"
#include "bench.h"
#include "reader/document.h"
#include "torsor/torsor.h"

typedef struct trial {
    const char *scheme, *solver, *file, *mesh;
    int size, dim, threads, steps;
    double h;
} trial;

typedef struct outcome {
    double set_up, read, assembled, seconds, wall, iterations, unknowns, megabytes;
    /* memory when read, and before the first step */
    double elements, model_megabytes, set_up_megabytes;
    int failed, done;
    ts_effort effort;
    char solver[16];
} outcome;

static double wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- models ---- */

static void write_bushing(FILE *out, const int *a, int axis, int n) {
    int b[3] = {a[0], a[1], a[2]};
    if (++b[axis] >= n) return;
    fprintf(out,
            "  k%d_%d_%d_%d: {type: bushing, bodies: [b%d_%d_%d, b%d_%d_%d], at: [%g, %g, %g],\n",
            axis, a[0], a[1], a[2], a[0], a[1], a[2], b[0], b[1], b[2], 0.5 * (a[0] + b[0]),
            0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2]));
    fprintf(out, "    stiffness: [1e6, 1e6, 1e6, 1e4, 1e4, 1e4]}\n");
}

static void each_place(FILE *out, int n, int dim, bool bodies) {
    int most[3] = {n, dim > 1 ? n : 1, dim > 2 ? n : 1}, a[3];
    for (a[0] = 0; a[0] < most[0]; a[0]++)
        for (a[1] = 0; a[1] < most[1]; a[1]++)
            for (a[2] = 0; a[2] < most[2]; a[2]++) {
                if (bodies)
                    fprintf(out,
                            "  b%d_%d_%d: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [%d, %d, "
                            "%d]}\n",
                            a[0], a[1], a[2], a[0], a[1], a[2]);
                for (int axis = 0; axis < dim && !bodies; axis++) write_bushing(out, a, axis, n);
                if (!bodies && a[0] == 0)
                    fprintf(out,
                            "  g%d_%d: {type: bushing, bodies: [ground, b0_%d_%d], at: [-0.5, %d, "
                            "%d], stiffness: [1e6, 1e6, 1e6, 1e4, 1e4, 1e4]}\n",
                            a[1], a[2], a[1], a[2], a[1], a[2]);
            }
}

static ts_document *lattice(int n, int dim) {
    char *text;
    size_t length;
    ts_document *document;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "torsor: 1\nunits: SI\ngravity: [0, 0.5, -9.81]\nbodies:\n");
    each_place(out, n, dim, true);
    fprintf(out, "springs:\n");
    each_place(out, n, dim, false);
    fclose(out);
    ts_diagnostics list = {0};
    if (ts_document_parse(&document, text, length, "lattice.yaml", &list))
        ts_diagnostics_print(&list, stderr, false), exit(1);
    free(text);
    return document;
}

static const struct {
    const char *name;
    bool shell;
    int order, thick; /* thick: elements through the thickness; 0: as many as along the edges */
    const char *option;
} MESHES[] = {{"shell", true, 1, 0, ""},
              {"shell9", true, 2, 0, ""},
              {"hex8", false, 1, 0, ""},
              {"hex8_plain", false, 1, 0, ", enhanced: false"},
              {"hex27", false, 2, 0, ""},
              {"slab", false, 1, 4, ""},
              {"slab_plain", false, 1, 4, ", enhanced: false"},
              {"slab27", false, 2, 2, ""}};
enum { MESH_COUNT = sizeof MESHES / sizeof *MESHES };

static const char SHELL_TEXT[] =
    "shell_sections:\n  T: {type: shell, material: M, thickness: 0.05}\n"
    "meshes:\n  V: {type: plate, size: [10, 10], divisions: [%d, %d], order: %d}\n"
    "shells:\n  body: {mesh: V, section: T}\n"
    "joints:\n  clamp: {type: support, nodes: body.x-, fix: [x, y, z, director]}\n";
static const char SOLID_TEXT[] =
    "meshes:\n  V: {type: box, size: [10, 10, %g], divisions: [%d, %d, %d], order: %d}\n"
    "solids:\n  body: {mesh: V, material: M%s}\n"
    "joints:\n  clamp: {type: support, nodes: body.x-, fix: [x, y, z]}\n";

static ts_document *mesh(const char *name, int n) {
    char text[1000];
    int i = 0, at;
    ts_document *document;
    ts_diagnostics list = {0};
    while (i < MESH_COUNT && strcmp(MESHES[i].name, name)) i++;
    if (i == MESH_COUNT) fprintf(stderr, "there is no mesh '%s'\n", name), exit(1);
    int thick = MESHES[i].thick ? MESHES[i].thick : n;
    at = snprintf(text, sizeof text,
                  "torsor: 1\nunits: SI\ngravity: [0, 0, -9.81]\n"
                  "materials:\n  M: {E: 7e10, nu: 0.3, density: 2700}\n");
    if (MESHES[i].shell)
        snprintf(text + at, sizeof text - (size_t)at, SHELL_TEXT, n, n, MESHES[i].order);
    else
        snprintf(text + at, sizeof text - (size_t)at, SOLID_TEXT, MESHES[i].thick ? 0.5 : 10, n, n,
                 thick, MESHES[i].order, MESHES[i].option);
    if (ts_document_parse(&document, text, strlen(text), "mesh.yaml", &list))
        ts_diagnostics_print(&list, stderr, false), exit(1);
    return document;
}

static ts_document *document_of(const trial *t) {
    ts_document *document;
    ts_diagnostics list = {0};
    if (t->mesh && !t->file) return mesh(t->mesh, t->size);
    if (!t->file) return lattice(t->size, t->dim);
    if (ts_document_read(&document, t->file, &list))
        ts_diagnostics_print(&list, stderr, false), exit(1);
    return document;
}

/* ---- one case ---- */

static double clock_of(const trial *t) { return t->threads > 1 ? wall() : bench_cpu(); }

static double peak_megabytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static int elements_of(const ts_model *model) {
    int count = 0;
    for (int i = 0; i < model->sites_count; i++)
        count += i == 0 || model->sites[i].node != model->sites[i - 1].node;
    return count;
}

static ts_stepper *stepper_of(const trial *t, ts_system **system, outcome *r) {
    ts_step_options options = {
        .tolerance = 0, .max_iterations = 25, .max_cuts = 4, .threads = t->threads};
    ts_stepper *st;
    ts_assembly_report report = {0};
    double start = clock_of(t);
    snprintf(options.solver, sizeof options.solver, "%s", t->solver);
    ts_document *document = document_of(t);
    r->read = clock_of(t) - start, r->elements = elements_of(document->model);
    r->model_megabytes = peak_megabytes();
    ts_system_new(system, document->model);
    if (ts_assemble_initial(*system, document->model, &report))
        fprintf(stderr, "%s\n", torsor_error());
    ts_system_begin(*system);
    r->assembled = clock_of(t) - start;
    const ts_scheme *scheme = ts_scheme_find(t->scheme);
    ts_stepper_new(&st, *system, scheme ? scheme : &TS_SCHEME_STATIC, &options);
    r->set_up = clock_of(t) - start;
    r->set_up_megabytes = peak_megabytes();
    return st;
}

static outcome measure(const trial *t) {
    outcome r = {0};
    ts_system *system;
    ts_stepper *st = stepper_of(t, &system, &r);
    ts_stepper_watch(st, &r.effort);
    double start = clock_of(t), start_wall = wall();
    for (int i = 0; i < t->steps && !r.failed; i++) {
        ts_step_result s;
        ts_stepper_load_factor(st, (double)i / t->steps, (i + 1.0) / t->steps);
        r.failed = ts_stepper_step(st, i % 2 ? 0.9 * t->h : t->h, &s);
        r.iterations += s.iterations, r.done++;
    }
    r.seconds = clock_of(t) - start, r.wall = wall() - start_wall;
    r.unknowns = ts_stepper_unknowns(st);
    snprintf(r.solver, sizeof r.solver, "%s", ts_stepper_solver(st));
    r.megabytes = peak_megabytes();
    if (r.failed) fprintf(stderr, "%s\n", torsor_error());
    return r;
}

static outcome measure_apart(const trial *t) {
    int ends[2];
    outcome r = {.failed = 1};
    if (pipe(ends)) return r;
    pid_t child = fork();
    if (child == 0) {
        outcome mine = measure(t);
        _exit(write(ends[1], &mine, sizeof mine) != sizeof mine);
    }
    close(ends[1]);
    if (read(ends[0], &r, sizeof r) != sizeof r) r.failed = 1;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return r;
}

/* ---- the table ---- */

static void print_head(FILE *csv) {
    printf("%-14s %-6s %-10s %2s %8s %8s %8s %7s %7s %7s %9s %4s %9s  %4s %4s %4s %4s %8s %8s %8s "
           "%5s %7s %7s %7s %6s\n",
           "model", "scheme", "solver", "th", "unknowns", "fill", "operat.", "read s", "init s",
           "order s", "s/step", "iter", "s/iter", "res%", "tan%", "fac%", "sol%", "analys s",
           "first s", "again s", "p", "MiB rd", "MiB set", "MiB", "it/sol");
    if (csv)
        fprintf(csv,
                "model,scheme,solver,threads,unknowns,elements,fill,operations,read_s,initial_s,"
                "pattern_s,s_per_step,iterations,residual,tangent,factor,solve,wall,analysis_s,"
                "first_s,again_s,exponent,megabytes_read,megabytes_set_up,megabytes,failed,"
                "iterations_per_solution,lost_s\n");
}

static void name_case(const trial *t, char *name, size_t size) {
    const char *file = t->file && strrchr(t->file, '/') ? strrchr(t->file, '/') + 1 : t->file;
    if (t->file)
        snprintf(name, size, "%.40s", file);
    else if (t->mesh)
        snprintf(name, size, "%s-%d", t->mesh, t->size);
    else
        snprintf(name, size, "%d^%d", t->size, t->dim);
}

static void print_case(const trial *t, const outcome *r, const outcome *before, FILE *csv) {
    char model[64], solver[40];
    const ts_effort *e = &r->effort;
    double done = r->done ? r->done : 1, step = r->seconds / done, percent = 100 / r->wall, p = NAN;
    double iterations = r->iterations / done, linear = e->linear.iterations / e->linear.solves;
    double first = e->linear.first / e->linear.firsts, more = e->linear.factors - e->linear.firsts;
    double again = more > 0 ? (e->linear.factor - e->linear.first) / more : NAN;
    bool chosen = strcmp(t->solver, "auto") == 0;
    name_case(t, model, sizeof model);
    snprintf(solver, sizeof solver, "%s", chosen ? r->solver : t->solver);
    if (before && before->done && r->unknowns != before->unknowns)
        p = log(step / (before->seconds / before->done)) / log(r->unknowns / before->unknowns);
    printf("%-14.14s %-6s %-10s %2d %8.0f %8.2e %8.2e %7.2f %7.2f %7.2f %9.3g %4.1f %9.3g  ", model,
           t->scheme, solver, t->threads, r->unknowns, e->linear.fill, e->linear.operations,
           r->read, r->assembled - r->read, r->set_up - r->assembled, step, iterations,
           step / iterations);
    printf("%4.0f %4.0f %4.0f %4.0f %8.3g %8.3g %8.3g %5.2f %7.0f %7.0f %7.0f %6.1f%s%s\n",
           percent * e->residual, percent * e->tangent, percent * e->linear.factor,
           percent * e->linear.solve, e->linear.analysis, first, again, p, r->model_megabytes,
           r->set_up_megabytes, r->megabytes, linear, e->linear.losses > 0 ? "  fell back" : "",
           r->failed ? "  FAILED" : "");
    fflush(stdout);
    if (!csv) return;
    fprintf(csv, "%s,%s,%s,%d,%.0f,%.0f,%.6g,%.4g,%.4g,%.4g,%.4g,%.5g,%.3g,", model, t->scheme,
            solver, t->threads, r->unknowns, r->elements, e->linear.fill, e->linear.operations,
            r->read, r->assembled - r->read, r->set_up - r->assembled, step, iterations);
    fprintf(csv, "%.5g,%.5g,%.5g,%.5g,%.5g,%.4g,%.4g,%.4g,%.3g,%.5g,%.5g,%.5g,%d,%.4g,%.4g\n",
            e->residual, e->tangent, e->linear.factor, e->linear.solve, r->wall, e->linear.analysis,
            first, again, p, r->model_megabytes, r->set_up_megabytes, r->megabytes, r->failed,
            linear, e->linear.lost);
}

/* ---- all cases: lists within lists ---- */

enum { MOST = 32 };
typedef struct list {
    int count;
    char text[400];
    char *word[MOST];
} list;

static void split(list *l, const char *text) {
    char *save;
    l->count = 0;
    snprintf(l->text, sizeof l->text, "%s", text);
    for (char *w = strtok_r(l->text, ",", &save); w && l->count < MOST;
         w = strtok_r(NULL, ",", &save))
        l->word[l->count++] = w;
}

static void each_size(trial *t, const list *sizes, const list *files, FILE *csv) {
    outcome before = {0}, r;
    for (int i = 0; i < (files->count ? files->count : sizes->count); i++) {
        t->file = files->count ? files->word[i] : NULL;
        t->size = files->count ? 0 : atoi(sizes->word[i]);
        r = measure_apart(t);
        print_case(t, &r, i ? &before : NULL, csv);
        before = r;
    }
}

int main(int argc, char **argv) {
    static list sizes, files, schemes, solvers, threads;
    trial t = {.dim = 3, .steps = 2, .h = 1e-3};
    const char *path = "large.csv";
    int option;
    split(&sizes, "4,8,12"), split(&schemes, "EP"), split(&solvers, "auto,klu,mumps");
    split(&threads, "1");
    while ((option = getopt(argc, argv, "d:g:n:m:s:l:t:k:h:o:")) != -1) {
        if (option == 'd') t.dim = atoi(optarg);
        if (option == 'g') t.mesh = optarg;
        if (option == 'n') split(&sizes, optarg);
        if (option == 'm') split(&files, optarg);
        if (option == 's') split(&schemes, optarg);
        if (option == 'l') split(&solvers, optarg);
        if (option == 't') split(&threads, optarg);
        if (option == 'k') t.steps = atoi(optarg);
        if (option == 'h') t.h = atof(optarg);
        if (option == 'o') path = optarg;
        if (option == '?') return 1;
    }
    FILE *csv = fopen(path, "w");
    print_head(csv);
    fflush(NULL); /* before the first fork */
    for (int i = 0; i < schemes.count; i++)
        for (int j = 0; j < solvers.count; j++)
            for (int k = 0; k < threads.count; k++) {
                t.scheme = schemes.word[i], t.solver = solvers.word[j];
                t.threads = atoi(threads.word[k]);
                each_size(&t, &sizes, &files, csv);
            }
    if (csv) fclose(csv);
    return 0;
}
