/* SPDX-License-Identifier: Apache-2.0 */
/* Motions and equilibria do not depend on how the equations are solved: both linear solvers give
 * the same to round-off, and any number of threads the same to the last bit.
 */
#include "scenes.h"

static const struct {
    const char *scheme;
    double rho;
} METHODS[] = {{"EP", 1}, {"ED", 0}, {"static", 0}};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

static void begin(scene *s, int method, const char *solver, int threads) {
    ts_step_options options = scene_options(METHODS[method].scheme, METHODS[method].rho);
    const ts_scheme *scheme = ts_scheme_find(METHODS[method].scheme);
    snprintf(options.solver, sizeof options.solver, "%s", solver);
    options.threads = threads;
    assert_int_equal(ts_system_new(&s->system, s->model), 0);
    ts_system_begin(s->system);
    assert_int_equal(
        ts_stepper_new(&s->st, s->system, scheme ? scheme : &TS_SCHEME_STATIC, &options), 0);
}

static int go(scene *s, int steps, double h) {
    int iterations = 0;
    for (int i = 0; i < steps; i++) {
        ts_stepper_load_factor(s->st, (double)i / steps, (i + 1.0) / steps);
        iterations += scene_step(s, h).iterations;
    }
    return iterations;
}

/* The state as one array, to be freed. */
static double *flat(const scene *s, size_t *count) {
    size_t ambient = 3 * (size_t)s->model->slots, rows = (size_t)s->model->rows_count;
    const ts_state *x = &s->system->state;
    double *all = malloc((2 * ambient + 2 * rows + 1) * sizeof *all);
    memcpy(all, x->q, ambient * sizeof *all);
    memcpy(all + ambient, x->v, ambient * sizeof *all);
    memcpy(all + 2 * ambient, x->lambda, rows * sizeof *all);
    memcpy(all + 2 * ambient + rows, x->kappa, rows * sizeof *all);
    *count = 2 * ambient + 2 * rows;
    return all;
}

/* ---- solvers ---- */

/* q and v of the end, with one solver and with the other. */
static void compare_solvers(const char *text, int method, int steps, double h, double limit) {
    double *end[2], worst = 0, size = 0;
    int iterations[2];
    size_t count = 0, ambient = 0;
    for (int k = 0; k < 2; k++) {
        scene s;
        scene_read(&s, text);
        begin(&s, method, k ? "mumps" : "klu", 1);
        iterations[k] = go(&s, steps, h);
        assert_string_equal(ts_stepper_solver(s.st), k ? "mumps" : "klu");
        end[k] = flat(&s, &count);
        ambient = 6 * (size_t)s.model->slots;
        if (method < 2) assert_below("balance", fabs(s.system->ledger.balance), 1e-11 * s.energy);
        assert_below("violation", scene_violation(&s), 1e-11);
        scene_close(&s);
    }
    for (size_t i = 0; i < ambient; i++) {
        worst = fmax(worst, fabs(end[0][i] - end[1][i]));
        size = fmax(size, fabs(end[0][i]));
    }
    measured("difference", METHODS[method].scheme, iterations[1] - iterations[0], worst / size);
    assert_below("difference of the solvers", worst / size, limit);
    assert_true(iterations[1] - iterations[0] <= steps); /* Newton gets as far */
    free(end[0]), free(end[1]);
}

#define BEAM                                                                                 \
    SCENE_HEAD                                                                               \
    "gravity: [0, 0, -9.81]\n"                                                               \
    "sections:\n"                                                                            \
    "  S: {EA: 1e5, GA2: 5e4, GA3: 5e4, GJ: 50, EI2: 60, EI3: 80, mass: 1, inertia: [2e-2, " \
    "1e-2, 1e-2]}\n"                                                                         \
    "beams:\n"                                                                               \
    "  arm: {from: [0, 0, 0], to: [3, 0, 0], section: S, elements: 20, order: 2}\n"          \
    "joints:\n"                                                                              \
    "  wall: {type: rigid, bodies: [ground, arm.start], at: [0, 0, 0]}\n"                    \
    "loads:\n"                                                                               \
    "  tip: {type: force, body: arm.end, force: [0, 5, -10], at: [3, 0, 0]}\n"               \
    "  twist: {type: moment, body: arm.end, moment: [3, 0, 0], follower: true}\n"

static void solvers_agree(void **state) {
    (void)state;
    for (int method = 0; method < 2; method++) {
        compare_solvers(everything(), method, 20, 5e-3, 1e-10);
        compare_solvers(BEAM, method, 20, 1e-2, 1e-10);
    }
    compare_solvers(BEAM, 2, 5, 1, 1e-9);
}

/* Steps that are halved, whole runs with their own choice: every way through the stepper meets
 * MUMPS. */
static void wild_steps_agree(void **state) {
    (void)state;
    compare_solvers(LOOP, 1, 10, 0.05, 1e-9);
    compare_solvers(TOP, 0, 10, 0.02, 1e-9);
}

/* ---- threads ---- */

/* A beam long enough for three threads, bodies that stand by themselves, and a hub on which more
 * sites meet than there are colours. */
static char *long_model(int elements) {
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out,
            SCENE_HEAD "gravity: [0, 1, -9.81]\n"
                       "sections:\n"
                       "  S: {EA: 1e6, GA2: 5e5, GA3: 5e5, GJ: 1e3, EI2: 1e3, EI3: 1e3, mass: 1,\n"
                       "      inertia: [2e-2, 1e-2, 1e-2]}\n"
                       "bodies:\n"
                       "  hub: {mass: 9, inertia: [1, 1, 1], position: [0, 5, 0]}\n");
    for (int i = 0; i < 90; i++)
        fprintf(out, "  b%d: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [%d, 7, 0]}\n", i, i);
    fprintf(out,
            "beams:\n"
            "  arm: {from: [0, 0, 0], to: [8, 0, 0], section: S, elements: %d, order: 1}\n"
            "joints:\n"
            "  wall: {type: rigid, bodies: [ground, arm.start], at: [0, 0, 0]}\n"
            "springs:\n"
            "  foot: {type: bushing, bodies: [ground, hub], at: [0, 5, 0], stiffness: [900, "
            "800, 700, 60, 50, 40]}\n",
            elements);
    for (int i = 0; i < 90; i++) {
        fprintf(out,
                "  s%d: {type: spring, bodies: [hub, b%d], from: [0.1, 5, 0.2], to: [%d, 7, 0], "
                "stiffness: 40}\n",
                i, i, i);
        fprintf(out,
                "  p%d: {type: bushing, bodies: [ground, b%d], at: [%d, 7, 0], stiffness: [400, "
                "500, 600, 8, 9, 10]}\n",
                i, i, i);
    }
    fprintf(out, "loads:\n"
                 "  jet: {type: force, body: arm.end, force: [0, 4, 1], follower: true, at: [8, 0, "
                 "0]}\n");
    fclose(out);
    return text;
}

static double *end_state(const char *text, int method, int threads, size_t *count) {
    scene s;
    scene_read(&s, text);
    begin(&s, method, "klu", threads);
    go(&s, 3, method == 2 ? 1 : 1e-3);
    double *end = flat(&s, count);
    scene_close(&s);
    return end;
}

static void compare_threads(const char *text, int method) {
    size_t count, again;
    double *one = end_state(text, method, 1, &count), moved = 0;
    for (size_t i = 0; i < count; i++) moved += fabs(one[i]);
    assert_true(isfinite(moved) && moved > 0);
    for (int threads = 2; threads <= 3; threads++) {
        double *many = end_state(text, method, threads, &again);
        assert_int_equal(again, count);
        assert_memory_equal(one, many, count * sizeof *one);
        free(many);
    }
    free(one);
}

enum { LONG = 1700, LONGER = 20000 }; /* elements: in blocks of 32, in larger ones */

static void threads_change_nothing(void **state) {
    (void)state;
    char *text = long_model(LONG), *longer = long_model(LONGER);
    for (int method = 0; method < METHOD_COUNT; method++) compare_threads(text, method);
    compare_threads(longer, 0);
    free(text), free(longer);
}

/* Every site once, no two blocks of a colour on one moving node, whatever is tied to what. */
typedef struct visits {
    int *site, *node, total;
} visits;
static visits seen;

static void count_site(void *st, int i, double *scratch) {
    (void)st, (void)scratch;
    seen.site[i]++;
}

static void count_node(void *context, int n, double *scratch) {
    const ts_stepper *st = context;
    assert_true(st->system->node_dof[n] >= 0);
    (void)scratch;
    seen.node[n]++;
}

static void every_site_once(void **state) {
    (void)state;
    char *text = long_model(LONG);
    const char *texts[] = {text, TOP, everything()};
    for (int k = 0; k < 3; k++)
        for (int threads = 1; threads <= 3; threads++) {
            scene s;
            scene_read(&s, texts[k]);
            begin(&s, 0, "auto", threads);
            seen.site = calloc((size_t)s.model->sites_count + 1, sizeof(int));
            seen.node = calloc((size_t)s.model->nodes_count + 1, sizeof(int));
            ts_each_site(&s.st->team, count_site, s.st);
            ts_each_node(&s.st->team, count_node, s.st);
            for (int i = 0; i < s.model->sites_count; i++) assert_int_equal(seen.site[i], 1);
            for (int n = 0; n < s.model->nodes_count; n++)
                assert_int_equal(seen.node[n], s.system->node_dof[n] >= 0);
            free(seen.site), free(seen.node);
            scene_close(&s);
        }
    free(text);
}

/* The blocks of a colour share no node that moves; the sites that come one by one need not care.
 * There are enough blocks for many threads, and in large models not more than that. */
static void check_blocks(int elements) {
    char *text = long_model(elements);
    scene s;
    scene_read(&s, text);
    begin(&s, 0, "auto", 1);
    const ts_schedule *plan = s.st->team.schedule;
    int *block_of = calloc((size_t)s.model->nodes_count, sizeof(int));
    assert_true(plan->blocks > 50 && plan->blocks < 530);
    assert_true(plan->colours >= 2 && plan->colours < 10);
    assert_int_equal(plan->colour[plan->colours], plan->blocks);
    assert_int_equal(plan->elements - plan->first[plan->blocks], 91); /* those of the hub */
    for (int c = 0; c < plan->colours; c++) {
        memset(block_of, 0, (size_t)s.model->nodes_count * sizeof(int));
        for (int b = plan->colour[c]; b < plan->colour[c + 1]; b++)
            for (int k = plan->first[b]; k < plan->first[b + 1]; k++) {
                const ts_site *site = &s.model->sites[plan->site[plan->order[k]]];
                for (int i = 0; i < site->nodes; i++) {
                    int node = s.model->site_nodes[site->node + i];
                    if (s.model->nodes[node].fixed) continue;
                    assert_true(block_of[node] == 0 || block_of[node] == b + 1);
                    block_of[node] = b + 1;
                }
            }
    }
    free(block_of), free(text);
    scene_close(&s);
}

static void colours_keep_apart(void **state) {
    (void)state;
    check_blocks(LONG);
    check_blocks(LONGER);
}

/* ---- what a run reports ---- */

static void a_run_tells(void **state) {
    (void)state;
    const char *solvers[] = {"auto", "klu", "mumps"};
    for (int k = 0; k < 3; k++) {
        scene s;
        ts_options o;
        ts_summary summary;
        scene_read(&s, BEAM);
        ts_options_default(&o);
        snprintf(o.solver, sizeof o.solver, "%s", solvers[k]);
        o.h = 1e-2, o.t_end = 5e-2;
        assert_int_equal(ts_system_new(&s.system, s.model), 0);
        ts_system_begin(s.system);
        assert_int_equal(ts_run(s.system, &o, NULL, &summary), 0);
        assert_string_equal(summary.solver, k == 2 ? "mumps" : "klu"); /* a beam is thin */
        assert_int_equal(summary.threads, 1);
        assert_true(summary.unknowns == s.system->dofs + s.system->rows);
        scene_close(&s);
    }
}

/* ---- model files ---- */

static void expect(const char *analysis, const char *message) {
    char text[400];
    ts_diagnostics list = {0};
    ts_document *document;
    snprintf(text, sizeof text, SCENE_HEAD "analysis: {end: 1, step: 0.1, %s}\n", analysis);
    int status = ts_document_parse(&document, text, strlen(text), "m.yaml", &list);
    if (message) {
        assert_true(status != 0 && list.count == 1);
        if (!strstr(list.items[0].message, message)) fail_msg("%s", list.items[0].message);
        assert_int_equal(list.items[0].line, 3);
    } else {
        assert_int_equal(status, 0);
        ts_document_free(document);
    }
    ts_diagnostics_clear(&list);
}

static void model_files(void **state) {
    (void)state;
    expect("solver: klu, threads: 4", NULL);
    expect("solver: mumps", NULL);
    expect("solver: auto", NULL);
    expect("solver: pardiso", "'pardiso'");
    expect("solver: 3", "'3'");
    expect("threads: 0", "1 to 256 threads");
    expect("threads: 257", "1 to 256 threads");
    expect("threads: 1.5", "whole number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_agree),
        cmocka_unit_test(wild_steps_agree),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(every_site_once),
        cmocka_unit_test(colours_keep_apart),
        cmocka_unit_test(a_run_tells),
        cmocka_unit_test(model_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
