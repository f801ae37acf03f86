/* torsor converge: the errors of a ladder of steps against a fine reference, and the orders they fall with (S3 Figs 3 to 5). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/plot.h"
#include "cli/trials.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"from", 0, CLI_SECONDS, AT(step), "TIME", "the longest step; default: the model's"},
    {"levels", 'n', CLI_COUNT, AT(levels), "N",
     "how many steps, each half as long as the one before; default 5"},
    {"steps", 0, CLI_TEXT, AT(steps), "LIST",
     "instead: the steps themselves, \"4ms,2ms,1ms\"; each has to divide the longest"},
    {"reference", 0, CLI_TEXT, AT(reference), "[SCHEME:]TIME",
     "what errors are measured against; default: the same scheme, a quarter of the shortest step"},
    {"scheme", 0, CLI_TEXT, AT(scheme), "NAME",
     "in place of the model's; with parameters: newmark:gamma=0.6"},
    {"rho", 0, CLI_FRACTION, AT(rho), "NUMBER",
     "ED: spectral radius at infinite frequency, 0 (strongest damping) to 1"},
    {"end", 0, CLI_SECONDS, AT(end), "TIME", "end of the runs, such as 1s"},
    {"rms", 0, CLI_FLAG, AT(rms), NULL,
     "root mean square over nodes and times, in place of the largest"},
    {"jobs", 'j', CLI_COUNT, AT(jobs), "N", "runs side by side; default: as many as cores"},
    {"svg", 0, CLI_TEXT, AT(svg), "FILE", "draw the errors"},
    {"csv", 0, CLI_TEXT, AT(csv), "FILE", "write the numbers as a table; - is the standard output"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print one JSON object"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "no line of progress"},
    {0}};
enum { LEVELS = 5 };

typedef struct ladder {
    cli_trials trials;
    const char *path;
    bool rms;
    ts_trial *rung[CLI_MOST_RUNGS];
    double error[CLI_MOST_RUNGS][TS_MEASURES], order[CLI_MOST_RUNGS][TS_MEASURES];
} ladder;

/* ---- running ---- */

static void measure(ladder *l) {
    cli_trials *t = &l->trials;
    const ts_options *o = &t->options, *r = &t->reference->options;
    bool same =
        strcmp(o->scheme, r->scheme) == 0 && ts_parameters_same(&o->parameters, &r->parameters);
    for (int i = 0; i < t->rungs; i++)
        for (int m = 0; m < TS_MEASURES; m++) l->error[i][m] = l->order[i][m] = NAN;
    for (int i = 0; i < t->rungs; i++)
        if (!l->rung[i]->status)
            ts_trial_errors(&t->plan, l->rung[i], t->reference, l->rms, l->error[i]);
    for (int i = 1; i < t->rungs; i++)
        for (int m = 0; m < TS_MEASURES; m++)
            l->order[i][m] = ts_observed_order(t->step[i - 1], l->error[i - 1][m], t->step[i],
                                               l->error[i][m], same ? t->reference_step : 0);
}

static int run_ladder(ladder *l, const cli_settings *settings) {
    cli_trials *t = &l->trials;
    int code = cli_trials_open(t, settings, LEVELS);
    if (code) return code;
    cli_scheme scheme;
    cli_trials_plan(t);
    cli_trials_own_scheme(t, &scheme);
    for (int i = 0; i < t->rungs && !code; i++)
        code = cli_trials_add(t, &scheme, t->step[i], &l->rung[i]);
    if (!code) code = cli_trials_add_reference(t);
    if (!code) code = cli_trials_run(t, settings);
    if (!code) measure(l);
    return code;
}

/* ---- what there is to say ---- */

static void print_pair(double error, double order) {
    if (isnan(error))
        printf("  %9s %5s", "-", "");
    else if (isnan(order))
        printf("  %9.2e %5s", error, "");
    else
        printf("  %9.2e %5.2f", error, order);
}

static void print_table(const ladder *l) {
    const cli_trials *t = &l->trials;
    char step[CLI_WORD];
    printf("%s: %s, to t = %g s\n", l->path, l->rung[0]->label, t->end);
    printf("errors against %s with steps of %s, %s over nodes and %d times, and their orders\n\n",
           t->reference->label, cli_quantity(step, t->reference_step, "s"),
           l->rms ? "root mean square" : "the largest", t->plan.samples - 1);
    printf("  %10s", "step");
    for (int m = 0; m < TS_MEASURES; m++)
        printf("  %8s, %-5s", TS_MEASURE_NAME[m], TS_MEASURE_UNIT[m]);
    printf("  %9s\n", "CPU, s");
    for (int i = 0; i < t->rungs; i++) {
        const char *trouble = cli_trial_trouble(l->rung[i]);
        printf("  %10s", cli_quantity(step, t->step[i], "s"));
        for (int m = 0; m < TS_MEASURES && !trouble; m++)
            print_pair(l->error[i][m], l->order[i][m]);
        if (trouble)
            printf("  failed: %s\n", trouble);
        else
            printf("  %9.2g\n", l->rung[i]->seconds);
    }
}

static void json_rung(ts_json *j, const ladder *l, int i) {
    const ts_trial *trial = l->rung[i];
    ts_json_open(j, NULL, '{');
    cli_json_number(j, "step", l->trials.step[i]);
    ts_json_text(j, "status", trial->status ? "failed" : "completed");
    if (trial->status) ts_json_text(j, "message", cli_trial_trouble(trial));
    ts_json_open(j, "error", '{');
    for (int m = 0; m < TS_MEASURES; m++) cli_json_number(j, TS_MEASURE_NAME[m], l->error[i][m]);
    ts_json_close(j, '}');
    ts_json_open(j, "order", '{');
    for (int m = 0; m < TS_MEASURES; m++) cli_json_number(j, TS_MEASURE_NAME[m], l->order[i][m]);
    ts_json_close(j, '}');
    cli_json_number(j, "iterations", (double)trial->iterations);
    cli_json_number(j, "cpu_seconds", trial->seconds);
    ts_json_close(j, '}');
}

static void print_json(const ladder *l) {
    const cli_trials *t = &l->trials;
    ts_json json = {.out = stdout};
    ts_json_open(&json, NULL, '{');
    ts_json_text(&json, "file", l->path);
    ts_json_text(&json, "scheme", l->rung[0]->label);
    ts_json_text(&json, "reference", t->reference->label);
    cli_json_number(&json, "reference_step", t->reference_step);
    cli_json_number(&json, "end", t->end);
    ts_json_text(&json, "norm", l->rms ? "rms" : "max");
    ts_json_open(&json, "rungs", '[');
    for (int i = 0; i < t->rungs; i++) json_rung(&json, l, i);
    ts_json_close(&json, ']');
    ts_json_close(&json, '}');
    putchar('\n');
}

static void write_csv(FILE *out, const void *what) {
    const ladder *l = what;
    fprintf(out, "step");
    for (int m = 0; m < TS_MEASURES; m++) fprintf(out, ",%s", TS_MEASURE_NAME[m]);
    for (int m = 0; m < TS_MEASURES; m++) fprintf(out, ",%s_order", TS_MEASURE_NAME[m]);
    fprintf(out, ",iterations,cpu_seconds\n");
    for (int i = 0; i < l->trials.rungs; i++) {
        fprintf(out, "%.17g", l->trials.step[i]);
        for (int m = 0; m < TS_MEASURES; m++) cli_csv_number(out, l->error[i][m]);
        for (int m = 0; m < TS_MEASURES; m++) cli_csv_number(out, l->order[i][m]);
        cli_csv_number(out, (double)l->rung[i]->iterations);
        cli_csv_number(out, l->rung[i]->seconds);
        fputc('\n', out);
    }
}

/* One panel a quantity; beside the errors a line that falls with the square of the step. */
static void write_svg(FILE *out, const void *what) {
    const ladder *l = what;
    const cli_trials *t = &l->trials;
    int panels = 0, rungs = t->rungs;
    for (int m = 0; m < TS_MEASURES; m++) panels += !isnan(l->error[rungs - 1][m]);
    cli_plot_begin(out, "Errors over the step", panels > 0 ? panels : 1, 2);
    for (int m = 0, place = 0; m < TS_MEASURES; m++) {
        double error[CLI_MOST_RUNGS], square[CLI_MOST_RUNGS], last = l->error[rungs - 1][m];
        if (isnan(last)) continue;
        for (int i = 0; i < rungs; i++) {
            error[i] = l->error[i][m];
            square[i] = last * pow(t->step[i] / t->step[rungs - 1], 2);
        }
        cli_line_of curve[] = {{rungs, t->step, error}, {rungs, t->step, square}};
        char title[40];
        snprintf(title, sizeof title, "%s, %s", TS_MEASURE_NAME[m], TS_MEASURE_UNIT[m]);
        cli_panel panel = {.title = title, .marks = true};
        panel.x = cli_axis_over("step, s", true, 2, curve, true);
        panel.y = cli_axis_over("", true, 2, curve, false);
        cli_plot_panel(out, place++, &panel, 2, curve);
    }
    cli_plot_label(out, panels > 0 ? panels : 1, 0, l->rung[0]->label);
    cli_plot_label(out, panels > 0 ? panels : 1, 1, "order 2");
    cli_plot_end(out);
}

static int run(const cli_settings *settings) {
    ladder *l = ts_calloc(1, sizeof *l);
    l->path = settings->argument[0], l->rms = settings->rms;
    int code = run_ladder(l, settings);
    bool table_on_stdout = settings->csv && strcmp(settings->csv, "-") == 0;
    if (!code && settings->json) print_json(l);
    if (!code && !settings->json && !table_on_stdout) print_table(l);
    if (!code && settings->csv) code = cli_write_file(settings->csv, write_csv, l);
    if (!code && settings->svg) code = cli_write_file(settings->svg, write_svg, l);
    cli_trials_clear(&l->trials);
    free(l);
    return code;
}

const cli_verb CLI_CONVERGE = {
    .name = "converge",
    .help = "errors and orders of a ladder of steps",
    .arguments = "MODEL.yaml",
    .least = 1,
    .most = 1,
    .about =
        "Runs the model with shorter and shorter steps, side by side on all cores, and measures "
        "positions, rotations, velocities, forces and moments against a run with a much "
        "shorter step, at the same times: errors, and the orders with which they fall.",
    .options = OPTIONS,
    .run = run};
