/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of a ladder of steps against a fine reference, and the orders they fall with (S3
 * Figs 3 to 5). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/studies/trials.h"
#include "base/digits.h"
#include "base/error.h"
#include "picture/plot.h"

enum { LEVELS = 5 };

typedef struct ladder {
    ts_trials trials;
    bool rms;
    ts_trial *rung[TS_MOST_RUNGS];
    double error[TS_MOST_RUNGS][TS_MEASURES], order[TS_MOST_RUNGS][TS_MEASURES];
} ladder;

/* ---- running ---- */

static void measure(ladder *l) {
    ts_trials *t = &l->trials;
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

static int run_ladder(ladder *l, const torsor_model *model, const torsor_options *options) {
    ts_trials *t = &l->trials;
    int code = ts_trials_open(t, model, options, LEVELS);
    if (code) return code;
    ts_scheme_spec scheme;
    ts_trials_plan(t);
    ts_trials_own_scheme(t, &scheme);
    for (int i = 0; i < t->rungs && !code; i++)
        code = ts_trials_add(t, &scheme, t->step[i], &l->rung[i]);
    if (!code) code = ts_trials_add_reference(t);
    if (!code) code = ts_trials_run(t, options);
    if (!code) measure(l);
    return code;
}

/* ---- what there is to say ---- */

static void print_pair(FILE *out, double error, double order) {
    if (isnan(error))
        fprintf(out, "  %9s %5s", "-", "");
    else if (isnan(order))
        fprintf(out, "  %9.2e %5s", error, "");
    else
        fprintf(out, "  %9.2e %5.2f", error, order);
}

static int write_table(void *what, FILE *out) {
    const ladder *l = what;
    const ts_trials *t = &l->trials;
    char step[TS_WORD];
    fprintf(out, "%s: %s, to t = %g s\n", l->trials.name, l->rung[0]->label, t->end);
    fprintf(out,
            "errors against %s with steps of %s, %s over nodes and %d times, and their orders\n\n",
            t->reference->label, ts_words_quantity(step, t->reference_step, "s"),
            l->rms ? "root mean square" : "the largest", t->plan.samples - 1);
    fprintf(out, "  %10s", "step");
    for (int m = 0; m < TS_MEASURES; m++)
        fprintf(out, "  %8s, %-5s", TS_MEASURE_NAME[m], TS_MEASURE_UNIT[m]);
    fprintf(out, "  %9s\n", "CPU, s");
    for (int i = 0; i < t->rungs; i++) {
        const char *trouble = ts_trial_trouble(l->rung[i]);
        fprintf(out, "  %10s", ts_words_quantity(step, t->step[i], "s"));
        for (int m = 0; m < TS_MEASURES && !trouble; m++)
            print_pair(out, l->error[i][m], l->order[i][m]);
        if (trouble)
            fprintf(out, "  failed: %s\n", trouble);
        else
            fprintf(out, "  %9.2g\n", l->rung[i]->seconds);
    }
    return 0;
}

static void json_rung(ts_json *j, const ladder *l, int i) {
    const ts_trial *trial = l->rung[i];
    ts_json_open(j, NULL, '{');
    ts_json_number(j, "step", l->trials.step[i]);
    ts_json_text(j, "status", trial->status ? "failed" : "completed");
    if (trial->status) ts_json_text(j, "message", ts_trial_trouble(trial));
    ts_json_open(j, "error", '{');
    for (int m = 0; m < TS_MEASURES; m++) ts_json_number(j, TS_MEASURE_NAME[m], l->error[i][m]);
    ts_json_close(j, '}');
    ts_json_open(j, "order", '{');
    for (int m = 0; m < TS_MEASURES; m++) ts_json_number(j, TS_MEASURE_NAME[m], l->order[i][m]);
    ts_json_close(j, '}');
    ts_json_number(j, "iterations", (double)trial->iterations);
    ts_json_number(j, "cpu_seconds", trial->seconds);
    ts_json_close(j, '}');
}

static int write_json(void *what, FILE *out) {
    const ladder *l = what;
    const ts_trials *t = &l->trials;
    ts_json json = {.out = out};
    ts_json_open(&json, NULL, '{');
    ts_json_text(&json, "file", l->trials.name);
    ts_json_text(&json, "scheme", l->rung[0]->label);
    ts_json_text(&json, "reference", t->reference->label);
    ts_json_number(&json, "reference_step", t->reference_step);
    ts_json_number(&json, "end", t->end);
    ts_json_text(&json, "norm", l->rms ? "rms" : "max");
    ts_json_open(&json, "rungs", '[');
    for (int i = 0; i < t->rungs; i++) json_rung(&json, l, i);
    ts_json_close(&json, ']');
    ts_json_close(&json, '}');
    fputc('\n', out);
    return 0;
}

static int write_csv(void *what, FILE *out) {
    const ladder *l = what;
    char text[TS_DIGITS];
    fprintf(out, "step");
    for (int m = 0; m < TS_MEASURES; m++) fprintf(out, ",%s", TS_MEASURE_NAME[m]);
    for (int m = 0; m < TS_MEASURES; m++) fprintf(out, ",%s_order", TS_MEASURE_NAME[m]);
    fprintf(out, ",iterations,cpu_seconds\n");
    for (int i = 0; i < l->trials.rungs; i++) {
        fputs(ts_digits(text, l->trials.step[i]), out);
        for (int m = 0; m < TS_MEASURES; m++) ts_csv_number(out, l->error[i][m]);
        for (int m = 0; m < TS_MEASURES; m++) ts_csv_number(out, l->order[i][m]);
        ts_csv_number(out, (double)l->rung[i]->iterations);
        ts_csv_number(out, l->rung[i]->seconds);
        fputc('\n', out);
    }
    return 0;
}

/* One panel a quantity; beside the errors a line that falls with the square of the step. */
static int write_svg(void *what, FILE *out) {
    const ladder *l = what;
    const ts_trials *t = &l->trials;
    int panels = 0, rungs = t->rungs;
    for (int m = 0; m < TS_MEASURES; m++) panels += !isnan(l->error[rungs - 1][m]);
    ts_sheet sheet = ts_sheet_of_three(out, panels > 0 ? panels : 1, 2);
    ts_plot_begin(&sheet, "converge", "Errors over the step");
    for (int m = 0, place = 0; m < TS_MEASURES; m++) {
        double error[TS_MOST_RUNGS], square[TS_MOST_RUNGS], last = l->error[rungs - 1][m];
        if (isnan(last)) continue;
        for (int i = 0; i < rungs; i++) {
            error[i] = l->error[i][m];
            square[i] = last * pow(t->step[i] / t->step[rungs - 1], 2);
        }
        ts_curve curve[] = {{rungs, t->step, error}, {rungs, t->step, square}};
        char title[40];
        snprintf(title, sizeof title, "%s, %s", TS_MEASURE_NAME[m], TS_MEASURE_UNIT[m]);
        ts_panel panel = {.title = title, .marks = true};
        panel.x = ts_axis_over("step, s", true, 2, curve, true);
        panel.y = ts_axis_over("", true, 2, curve, false);
        ts_plot_panel(&sheet, place++, &panel, 2, curve);
    }
    ts_plot_label(&sheet, 0, l->rung[0]->label);
    ts_plot_label(&sheet, 1, "order 2");
    ts_plot_end(&sheet);
    return 0;
}

/* ---- the study ---- */

static void free_ladder(void *what) {
    ladder *l = what;
    ts_trials_clear(&l->trials);
    free(l);
}

static const ts_study_form FORMS[] = {
    {"text", write_table}, {"json", write_json}, {"csv", write_csv}, {"svg", write_svg}, {0}};
static const ts_study_kind KIND = {.forms = FORMS, .take_apart = free_ladder};

int ts_api_converge(torsor_study **out, const torsor_model *model, const torsor_options *options) {
    if (!out || !model) return ts_null_argument("torsor_converge");
    if (ts_choices_of(options)->mesh) return ts_converge_mesh(out, model, options);
    ladder *l = ts_calloc(1, sizeof *l);
    l->rms = ts_choices_of(options)->rms;
    return ts_study_give(out, &KIND, l, run_ladder(l, model, options));
}
