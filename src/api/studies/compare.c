/* SPDX-License-Identifier: Apache-2.0 */
/* Compares schemes on one model: what they preserve, their accuracy and their cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/studies/trials.h"
#include "base/error.h"
#include "picture/plot.h"

enum { LEVELS = 3, MOST_SCHEMES = 40, COMPONENTS = 6 };
static const double KEPT = 1e-9;     /* a momentum that the reference changes by less is kept */
static const double NOTHING = 1e-18; /* the least that a logarithmic picture shows */

/* What a run changed that it should have kept, at worst; relative, violations in m, rad and per
 * second. */
typedef struct drift {
    double energy, linear, angular, violation, rate;
} drift;

typedef struct contest {
    ts_trials trials;
    bool rms, kept[COMPONENTS]; /* which components of the momenta the motion keeps */
    int schemes;
    ts_scheme_spec scheme[MOST_SCHEMES];
    ts_trial *trial[MOST_SCHEMES][TS_MOST_RUNGS];
    drift drift[MOST_SCHEMES][TS_MOST_RUNGS];
    double error[MOST_SCHEMES][TS_MOST_RUNGS][TS_MEASURES];
} contest;

/* ---- the schemes ---- */

static int add_scheme(contest *c, const char *text, size_t length) {
    if (c->schemes == MOST_SCHEMES)
        return ts_option_fail("schemes", NULL, "at most %d schemes", MOST_SCHEMES);
    return ts_scheme_read(&c->scheme[c->schemes++], "schemes", text, length);
}

static int read_schemes(contest *c, const char *text) {
    int code = 0;
    if (!text) text = "ED,EP,generalized_alpha";
    if (strcmp(text, "all") == 0) {
        for (int i = 0; ts_scheme_name(i) && !code; i++)
            code = add_scheme(c, ts_scheme_name(i), strlen(ts_scheme_name(i)));
        return code;
    }
    for (bool more = true; more && !code;) {
        size_t length = strcspn(text, ",");
        code = add_scheme(c, text, length);
        more = text[length] != 0, text += length + 1;
    }
    return code;
}

/* ---- what was kept ---- */

static double component(const ts_trial_kept *k, int i) {
    return i < 3 ? k->linear[i] : k->angular[i - 3];
}

/* Largest change of a component, relative to a mass that moves as fast as all do, at the size of
 * the model. */
static double change(const contest *c, const ts_trial *trial, int i, int sample) {
    const ts_trial_plan *plan = &c->trials.plan;
    double length = i < 3 ? 1 : c->trials.run->system->length;
    double scale = c->trials.reference->momentum_scale * length;
    double now = component(ts_trial_kept_at(plan, trial, sample), i);
    return fabs(now - component(ts_trial_kept_at(plan, trial, 0), i)) / scale;
}

static void find_kept(contest *c) {
    const ts_trial *reference = c->trials.reference;
    for (int i = 0; i < COMPONENTS; i++) {
        c->kept[i] = reference->momentum_scale > 0;
        for (int k = 1; k < reference->filled; k++) c->kept[i] &= change(c, reference, i, k) < KEPT;
    }
}

static double momentum(const contest *c, const ts_trial *trial, bool angular, int sample) {
    double worst = NAN;
    /* fmax skips NAN */
    for (int i = angular ? 3 : 0; i < (angular ? 6 : 3); i++)
        if (c->kept[i]) worst = fmax(worst, change(c, trial, i, sample));
    return worst;
}

static drift drift_at(const contest *c, const ts_trial *trial, int sample) {
    const ts_trial_kept *k = ts_trial_kept_at(&c->trials.plan, trial, sample);
    return (drift){.energy = k->energy / c->trials.reference->energy_scale,
                   .linear = momentum(c, trial, false, sample),
                   .angular = momentum(c, trial, true, sample),
                   .violation = k->violation,
                   .rate = k->rate};
}

static void worse(double *worst, double now) {
    if (fabs(now) > fabs(*worst) || isnan(*worst)) *worst = now;
}

static drift worst_drift(const contest *c, const ts_trial *trial) {
    drift worst = {0, NAN, NAN, 0, 0};
    for (int k = 1; k < trial->filled; k++) {
        drift d = drift_at(c, trial, k);
        worse(&worst.energy, d.energy), worse(&worst.violation, d.violation);
        worse(&worst.linear, d.linear), worse(&worst.angular, d.angular);
        worse(&worst.rate, d.rate);
    }
    return worst;
}

/* ---- running ---- */

static void measure(contest *c) {
    ts_trials *t = &c->trials;
    find_kept(c);
    for (int s = 0; s < c->schemes; s++)
        for (int i = 0; i < t->rungs; i++) {
            const ts_trial *trial = c->trial[s][i];
            for (int m = 0; m < TS_MEASURES; m++) c->error[s][i][m] = NAN;
            c->drift[s][i] = worst_drift(c, trial);
            if (!trial->status)
                ts_trial_errors(&t->plan, trial, t->reference, c->rms, c->error[s][i]);
        }
}

static int run_contest(contest *c, const torsor_model *model, const torsor_options *options) {
    ts_trials *t = &c->trials;
    const ts_choices *choices = ts_choices_of(options);
    int code = read_schemes(c, choices->schemes);
    if (!code) code = ts_trials_open(t, model, options, LEVELS);
    if (code) return code;
    if (!choices->reference) ts_scheme_read(&t->reference_scheme, "reference", "ED", 2);
    ts_trials_plan(t);
    for (int s = 0; s < c->schemes; s++)
        for (int i = 0; i < t->rungs && !code; i++)
            code = ts_trials_add(t, &c->scheme[s], t->step[i], &c->trial[s][i]);
    if (!code) code = ts_trials_add_reference(t);
    if (!code) code = ts_trials_run(t, options);
    if (!code) measure(c);
    return code;
}

/* ---- tables ---- */

static void print_number(FILE *out, double value) {
    if (isnan(value))
        fprintf(out, " %9s", "-");
    else
        fprintf(out, " %9.1e", value);
}

static double order_of(const contest *c, int s, int i, ts_measure m) {
    const ts_trials *t = &c->trials;
    if (i == 0) return NAN;
    bool same = strcmp(t->reference->label, c->trial[s][i]->label) == 0;
    return ts_observed_order(t->step[i - 1], c->error[s][i - 1][m], t->step[i], c->error[s][i][m],
                             same ? t->reference_step : 0);
}

static int widest(const contest *c) {
    size_t wide = 12;
    for (int s = 0; s < c->schemes; s++)
        if (strlen(c->trial[s][0]->label) > wide) wide = strlen(c->trial[s][0]->label);
    return (int)wide;
}

static void print_kept(FILE *out, const contest *c) {
    char step[TS_WORD];
    int wide = widest(c);
    fprintf(out,
            "what is preserved, with steps of %s: largest errors, of energy and momenta relative "
            "to the largest values\n",
            ts_words_quantity(step, c->trials.step[0], "s"));
    fprintf(out, "  %-*s %9s %9s %9s %9s %9s %8s %9s\n", wide, "", "energy", "linear", "angular",
            "position", "rate", "iter. a", "CPU");
    fprintf(out, "  %-*s %9s %9s %9s %9s %9s %8s %9s\n", wide, "scheme", "made", "momentum",
            "momentum", "violation", "violation", "step", "time, s");
    for (int s = 0; s < c->schemes; s++) {
        const ts_trial *trial = c->trial[s][0];
        const drift *d = &c->drift[s][0];
        fprintf(out, "  %-*s", wide, trial->label);
        if (ts_trial_trouble(trial)) {
            fprintf(out, " failed: %s\n", ts_trial_trouble(trial));
            continue;
        }
        print_number(out, d->energy), print_number(out, d->linear), print_number(out, d->angular);
        print_number(out, d->violation), print_number(out, d->rate);
        fprintf(out, " %8.2f %9.2g\n", (double)trial->iterations / (double)trial->steps,
                trial->seconds);
    }
}

static void print_precision_row(FILE *out, const contest *c, int s, int i, int wide) {
    const ts_trial *trial = c->trial[s][i];
    char step[TS_WORD];
    fprintf(out, "  %-*s %9s", wide, i ? "" : trial->label,
            ts_words_quantity(step, c->trials.step[i], "s"));
    if (ts_trial_trouble(trial)) {
        fprintf(out, " failed: %s\n", ts_trial_trouble(trial));
        return;
    }
    fprintf(out, " %9.2g", trial->seconds);
    for (int m = 0; m < TS_MEASURES; m++) {
        double order = order_of(c, s, i, (ts_measure)m);
        print_number(out, c->error[s][i][m]);
        if (isnan(order))
            fprintf(out, " %4s", "");
        else
            fprintf(out, " %4.1f", order);
    }
    fputc('\n', out);
}

static int write_table(void *what, FILE *out) {
    const contest *c = what;
    const ts_trials *t = &c->trials;
    char step[TS_WORD];
    int wide = widest(c);
    fprintf(out, "%s, to t = %g s\n\n", c->trials.name, t->end);
    print_kept(out, c);
    fprintf(out, "\nwork and precision: errors against %s with steps of %s, %s, and their orders\n",
            t->reference->label, ts_words_quantity(step, t->reference_step, "s"),
            c->rms ? "root mean square" : "the largest");
    fprintf(out, "  %-*s %9s %9s", wide, "scheme", "step", "CPU, s");
    for (int m = 0; m < TS_MEASURES; m++)
        fprintf(out, " %8s, %-4s", TS_MEASURE_NAME[m], TS_MEASURE_UNIT[m]);
    fputc('\n', out);
    for (int s = 0; s < c->schemes; s++)
        for (int i = 0; i < t->rungs; i++) print_precision_row(out, c, s, i, wide);
    return 0;
}

/* ---- JSON and comma-separated values ---- */

static void json_rung(ts_json *j, const contest *c, int s, int i) {
    const ts_trial *trial = c->trial[s][i];
    const drift *d = &c->drift[s][i];
    ts_json_open(j, NULL, '{');
    ts_json_number(j, "step", c->trials.step[i]);
    ts_json_text(j, "status", trial->status ? "failed" : "completed");
    if (trial->status) ts_json_text(j, "message", ts_trial_trouble(trial));
    ts_json_number(j, "energy", d->energy);
    ts_json_number(j, "linear_momentum", d->linear);
    ts_json_number(j, "angular_momentum", d->angular);
    ts_json_number(j, "position_violation", d->violation);
    ts_json_number(j, "rate_violation", d->rate);
    ts_json_number(j, "steps", (double)trial->steps);
    ts_json_number(j, "iterations", (double)trial->iterations);
    ts_json_number(j, "factorisations", (double)trial->factorisations);
    ts_json_number(j, "cpu_seconds", trial->seconds);
    ts_json_open(j, "error", '{');
    for (int m = 0; m < TS_MEASURES; m++) ts_json_number(j, TS_MEASURE_NAME[m], c->error[s][i][m]);
    ts_json_close(j, '}');
    ts_json_open(j, "order", '{');
    for (int m = 0; m < TS_MEASURES; m++)
        ts_json_number(j, TS_MEASURE_NAME[m], order_of(c, s, i, (ts_measure)m));
    ts_json_close(j, '}');
    ts_json_close(j, '}');
}

static int write_json(void *what, FILE *out) {
    const contest *c = what;
    const ts_trials *t = &c->trials;
    ts_json json = {.out = out};
    ts_json_open(&json, NULL, '{');
    ts_json_text(&json, "file", c->trials.name);
    ts_json_number(&json, "end", t->end);
    ts_json_text(&json, "reference", t->reference->label);
    ts_json_number(&json, "reference_step", t->reference_step);
    ts_json_text(&json, "norm", c->rms ? "rms" : "max");
    ts_json_open(&json, "schemes", '[');
    for (int s = 0; s < c->schemes; s++) {
        ts_json_open(&json, NULL, '{');
        ts_json_text(&json, "scheme", c->scheme[s].scheme->name);
        ts_json_text(&json, "label", c->trial[s][0]->label);
        ts_json_open(&json, "rungs", '[');
        for (int i = 0; i < t->rungs; i++) json_rung(&json, c, s, i);
        ts_json_close(&json, ']');
        ts_json_close(&json, '}');
    }
    ts_json_close(&json, ']');
    ts_json_close(&json, '}');
    fputc('\n', out);
    return 0;
}

static int write_csv(void *what, FILE *out) {
    const contest *c = what;
    fprintf(out, "scheme,parameters,step,energy,linear_momentum,angular_momentum,"
                 "position_violation,rate_violation,steps,iterations,cpu_seconds");
    for (int m = 0; m < TS_MEASURES; m++) fprintf(out, ",%s", TS_MEASURE_NAME[m]);
    fputc('\n', out);
    for (int s = 0; s < c->schemes; s++)
        for (int i = 0; i < c->trials.rungs; i++) {
            const ts_trial *trial = c->trial[s][i];
            const drift *d = &c->drift[s][i];
            const double numbers[] = {c->trials.step[i],
                                      d->energy,
                                      d->linear,
                                      d->angular,
                                      d->violation,
                                      d->rate,
                                      (double)trial->steps,
                                      (double)trial->iterations,
                                      trial->seconds};
            char text[TS_PARAMETERS_TEXT];
            ts_parameters_print(&trial->options.parameters, ts_scheme_find(trial->options.scheme),
                                text);
            fprintf(out, "%s,%s", trial->options.scheme, text);
            for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
                ts_csv_number(out, numbers[k]);
            for (int m = 0; m < TS_MEASURES; m++) ts_csv_number(out, c->error[s][i][m]);
            fputc('\n', out);
        }
    return 0;
}

/* ---- the picture ---- */

typedef double drift_part(const drift *d);
static double of_energy(const drift *d) { return fabs(d->energy); }
static double of_momentum(const drift *d) { return fmax(d->linear, d->angular); }
static double of_violation(const drift *d) { return d->violation; }
static double of_rate(const drift *d) { return d->rate; }

static void draw(const ts_sheet *out, int place, const char *title, const char *across, bool log_x,
                 int curves, const ts_curve *curve) {
    ts_panel panel = {.title = title, .marks = log_x};
    panel.x = ts_axis_over(across, log_x, curves, curve, true);
    panel.y = ts_axis_over("", true, curves, curve, false);
    ts_plot_panel(out, place, &panel, curves, curve);
}

/* A drift over time, of the longest step. */
static void draw_history(const ts_sheet *out, const contest *c, int place, const char *title,
                         drift_part *part) {
    int samples = c->trials.plan.samples;
    double *x = ts_calloc((size_t)samples, sizeof *x);
    double *y = ts_calloc((size_t)(samples * c->schemes), sizeof *y);
    ts_curve *curve = ts_calloc((size_t)c->schemes, sizeof *curve);
    for (int k = 0; k < samples; k++) x[k] = k * c->trials.plan.interval;
    for (int s = 0; s < c->schemes; s++) {
        const ts_trial *trial = c->trial[s][0];
        for (int k = 1; k < trial->filled; k++) {
            drift d = drift_at(c, trial, k);
            double value = part(&d);
            y[s * samples + k] = isnan(value) ? NAN : fmax(NOTHING, value);
        }
        int from = trial->filled > 1 ? 1 : 0; /* at t = 0 nothing has changed yet */
        curve[s] = (ts_curve){trial->filled - from, x + from, y + s * samples + from};
    }
    draw(out, place, title, "t, s", false, c->schemes, curve);
    free(x), free(y), free(curve);
}

static void draw_precision(const ts_sheet *out, const contest *c, int place, const char *title,
                           bool work) {
    int rungs = c->trials.rungs;
    double *x = ts_calloc((size_t)(rungs * c->schemes), sizeof *x);
    double *y = ts_calloc((size_t)(rungs * c->schemes), sizeof *y);
    ts_curve *curve = ts_calloc((size_t)c->schemes, sizeof *curve);
    for (int s = 0; s < c->schemes; s++) {
        for (int i = 0; i < rungs; i++) {
            x[s * rungs + i] = work ? c->trial[s][i]->seconds : c->trials.step[i];
            y[s * rungs + i] = c->error[s][i][TS_MEASURE_POSITION];
        }
        curve[s] = (ts_curve){rungs, x + s * rungs, y + s * rungs};
    }
    draw(out, place, title, work ? "processor time, s" : "step, s", true, c->schemes, curve);
    free(x), free(y), free(curve);
}

static int write_svg(void *what, FILE *out) {
    const contest *c = what;
    bool momenta = false;
    for (int i = 0; i < COMPONENTS; i++) momenta |= c->kept[i];
    int panels = momenta ? 6 : 5, place = 0;
    ts_sheet sheet = ts_sheet_of_three(out, panels, c->schemes);
    ts_plot_begin(&sheet, "compare", "What schemes preserve, and what they cost");
    draw_history(&sheet, c, place++, "energy created or lost, relative to the largest", of_energy);
    if (momenta)
        draw_history(&sheet, c, place++, "change of momenta that should be preserved", of_momentum);
    draw_history(&sheet, c, place++, "violation of constraints", of_violation);
    draw_history(&sheet, c, place++, "violation of their rates", of_rate);
    draw_precision(&sheet, c, place++, "position error, m, over work", true);
    draw_precision(&sheet, c, place++, "position error, m, over the step", false);
    for (int s = 0; s < c->schemes; s++) ts_plot_label(&sheet, s, c->trial[s][0]->label);
    ts_plot_end(&sheet);
    return 0;
}

/* ---- the study ---- */

static void free_contest(void *what) {
    contest *c = what;
    ts_trials_clear(&c->trials);
    free(c);
}

static const ts_study_form FORMS[] = {
    {"text", write_table}, {"json", write_json}, {"csv", write_csv}, {"svg", write_svg}, {0}};
static const ts_study_kind KIND = {.forms = FORMS, .take_apart = free_contest};

int ts_api_compare(torsor_study **out, const torsor_model *model, const torsor_options *options) {
    if (!out || !model) return ts_null_argument("torsor_compare");
    contest *c = ts_calloc(1, sizeof *c);
    c->rms = ts_choices_of(options)->rms;
    return ts_study_give(out, &KIND, c, run_contest(c, model, options));
}
