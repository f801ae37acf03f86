/* torsor compare: what schemes make of one model: what they keep, how exact they are, what they cost. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/plot.h"
#include "cli/trials.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"schemes", 's', CLI_TEXT, AT(schemes), "LIST",
     "names with commas, with parameters after colons: \"ED,EP,newmark:gamma=0.6\", or all; "
     "default ED,EP,generalized_alpha"},
    {"step", 0, CLI_SECONDS, AT(step), "TIME", "the longest step; default: the model's"},
    {"levels", 'n', CLI_COUNT, AT(levels), "N",
     "how many steps, each half as long as the one before, for work and precision; default 3"},
    {"steps", 0, CLI_TEXT, AT(steps), "LIST",
     "instead: the steps themselves, \"4ms,2ms,1ms\"; each has to divide the longest"},
    {"reference", 0, CLI_TEXT, AT(reference), "[SCHEME:]TIME",
     "what errors are measured against; default: ED, a quarter of the shortest step"},
    {"rho", 0, CLI_FRACTION, AT(rho), "NUMBER",
     "of the schemes that have it: spectral radius at infinite frequency"},
    {"end", 0, CLI_SECONDS, AT(end), "TIME", "end of the runs, such as 1s"},
    {"rms", 0, CLI_FLAG, AT(rms), NULL,
     "root mean square over nodes and times, in place of the largest"},
    {"jobs", 'j', CLI_COUNT, AT(jobs), "N",
     "runs side by side; default: as many as cores, where processor times may suffer"},
    {"svg", 0, CLI_TEXT, AT(svg), "FILE", "draw it"},
    {"csv", 0, CLI_TEXT, AT(csv), "FILE", "write the numbers as a table; - is the standard output"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print one JSON object"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "no line of progress"},
    {0}};
enum { LEVELS = 3, MOST_SCHEMES = 40, COMPONENTS = 6 };
static const double KEPT = 1e-9;     /* a momentum that the reference changes by less is kept */
static const double NOTHING = 1e-18; /* the least that a logarithmic picture shows */

/* What a run changed that it should have kept, at worst; relative, violations in m, rad and per second. */
typedef struct drift {
    double energy, linear, angular, violation, rate;
} drift;

typedef struct contest {
    cli_trials trials;
    const char *path;
    bool rms, kept[COMPONENTS]; /* which components of the momenta the motion keeps */
    int schemes;
    cli_scheme scheme[MOST_SCHEMES];
    ts_trial *trial[MOST_SCHEMES][CLI_MOST_RUNGS];
    drift drift[MOST_SCHEMES][CLI_MOST_RUNGS];
    double error[MOST_SCHEMES][CLI_MOST_RUNGS][TS_MEASURES];
} contest;

/* ---- the command line ---- */

static int add_scheme(contest *c, const char *text, size_t length) {
    if (c->schemes == MOST_SCHEMES)
        return cli_fail(CLI_USAGE, "--schemes: at most %d", MOST_SCHEMES);
    return cli_scheme_read(&c->scheme[c->schemes++], "schemes", text, length);
}

static int read_schemes(contest *c, const char *text) {
    int code = CLI_DONE;
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

/* Largest change of a component, relative to a mass that moves as fast as all do, at the size of the model. */
static double change(const contest *c, const ts_trial *trial, int i, int sample) {
    const ts_trial_plan *plan = &c->trials.plan;
    double length = i < 3 ? 1 : c->trials.session.system->length;
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
    for (int i = angular ? 3 : 0; i < (angular ? 6 : 3); i++)
        if (c->kept[i]) worst = fmax(worst, change(c, trial, i, sample)); /* fmax skips NAN */
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
    cli_trials *t = &c->trials;
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

static int run_contest(contest *c, const cli_settings *settings) {
    cli_trials *t = &c->trials;
    int code = read_schemes(c, settings->schemes);
    if (!code) code = cli_trials_open(t, settings, LEVELS);
    if (code) return code;
    if (!settings->reference) cli_scheme_read(&t->reference_scheme, "reference", "ED", 2);
    cli_trials_plan(t);
    for (int s = 0; s < c->schemes; s++)
        for (int i = 0; i < t->rungs && !code; i++)
            code = cli_trials_add(t, &c->scheme[s], t->step[i], &c->trial[s][i]);
    if (!code) code = cli_trials_add_reference(t);
    if (!code) code = cli_trials_run(t, settings);
    if (!code) measure(c);
    return code;
}

/* ---- tables ---- */

static void print_number(double value) {
    if (isnan(value))
        printf(" %9s", "-");
    else
        printf(" %9.1e", value);
}

static double order_of(const contest *c, int s, int i, ts_measure m) {
    const cli_trials *t = &c->trials;
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

static void print_kept(const contest *c) {
    char step[CLI_WORD];
    int wide = widest(c);
    printf("what is kept, with steps of %s: at worst, energy and momenta relative to the largest\n",
           cli_quantity(step, c->trials.step[0], "s"));
    printf("  %-*s %9s %9s %9s %9s %9s %8s %9s\n", wide, "", "energy", "linear", "angular",
           "position", "rate", "iter. a", "CPU");
    printf("  %-*s %9s %9s %9s %9s %9s %8s %9s\n", wide, "scheme", "made", "momentum", "momentum",
           "violation", "violation", "step", "time, s");
    for (int s = 0; s < c->schemes; s++) {
        const ts_trial *trial = c->trial[s][0];
        const drift *d = &c->drift[s][0];
        printf("  %-*s", wide, trial->label);
        if (cli_trial_trouble(trial)) {
            printf(" failed: %s\n", cli_trial_trouble(trial));
            continue;
        }
        print_number(d->energy), print_number(d->linear), print_number(d->angular);
        print_number(d->violation), print_number(d->rate);
        printf(" %8.2f %9.2g\n", (double)trial->iterations / (double)trial->steps, trial->seconds);
    }
}

static void print_precision_row(const contest *c, int s, int i, int wide) {
    const ts_trial *trial = c->trial[s][i];
    char step[CLI_WORD];
    printf("  %-*s %9s", wide, i ? "" : trial->label, cli_quantity(step, c->trials.step[i], "s"));
    if (cli_trial_trouble(trial)) {
        printf(" failed: %s\n", cli_trial_trouble(trial));
        return;
    }
    printf(" %9.2g", trial->seconds);
    for (int m = 0; m < TS_MEASURES; m++) {
        double order = order_of(c, s, i, (ts_measure)m);
        print_number(c->error[s][i][m]);
        if (isnan(order))
            printf(" %4s", "");
        else
            printf(" %4.1f", order);
    }
    putchar('\n');
}

static void print_table(const contest *c) {
    const cli_trials *t = &c->trials;
    char step[CLI_WORD];
    int wide = widest(c);
    printf("%s, to t = %g s\n\n", c->path, t->end);
    print_kept(c);
    printf("\nwork and precision: errors against %s with steps of %s, %s, and their orders\n",
           t->reference->label, cli_quantity(step, t->reference_step, "s"),
           c->rms ? "root mean square" : "the largest");
    printf("  %-*s %9s %9s", wide, "scheme", "step", "CPU, s");
    for (int m = 0; m < TS_MEASURES; m++)
        printf(" %8s, %-4s", TS_MEASURE_NAME[m], TS_MEASURE_UNIT[m]);
    putchar('\n');
    for (int s = 0; s < c->schemes; s++)
        for (int i = 0; i < t->rungs; i++) print_precision_row(c, s, i, wide);
}

/* ---- JSON and comma-separated values ---- */

static void json_rung(ts_json *j, const contest *c, int s, int i) {
    const ts_trial *trial = c->trial[s][i];
    const drift *d = &c->drift[s][i];
    ts_json_open(j, NULL, '{');
    cli_json_number(j, "step", c->trials.step[i]);
    ts_json_text(j, "status", trial->status ? "failed" : "completed");
    if (trial->status) ts_json_text(j, "message", cli_trial_trouble(trial));
    cli_json_number(j, "energy", d->energy);
    cli_json_number(j, "linear_momentum", d->linear);
    cli_json_number(j, "angular_momentum", d->angular);
    cli_json_number(j, "position_violation", d->violation);
    cli_json_number(j, "rate_violation", d->rate);
    cli_json_number(j, "steps", (double)trial->steps);
    cli_json_number(j, "iterations", (double)trial->iterations);
    cli_json_number(j, "factorisations", (double)trial->factorisations);
    cli_json_number(j, "cpu_seconds", trial->seconds);
    ts_json_open(j, "error", '{');
    for (int m = 0; m < TS_MEASURES; m++) cli_json_number(j, TS_MEASURE_NAME[m], c->error[s][i][m]);
    ts_json_close(j, '}');
    ts_json_open(j, "order", '{');
    for (int m = 0; m < TS_MEASURES; m++)
        cli_json_number(j, TS_MEASURE_NAME[m], order_of(c, s, i, (ts_measure)m));
    ts_json_close(j, '}');
    ts_json_close(j, '}');
}

static void print_json(const contest *c) {
    const cli_trials *t = &c->trials;
    ts_json json = {.out = stdout};
    ts_json_open(&json, NULL, '{');
    ts_json_text(&json, "file", c->path);
    cli_json_number(&json, "end", t->end);
    ts_json_text(&json, "reference", t->reference->label);
    cli_json_number(&json, "reference_step", t->reference_step);
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
    putchar('\n');
}

static void write_csv(FILE *out, const void *what) {
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
                cli_csv_number(out, numbers[k]);
            for (int m = 0; m < TS_MEASURES; m++) cli_csv_number(out, c->error[s][i][m]);
            fputc('\n', out);
        }
}

/* ---- the picture ---- */

typedef double drift_part(const drift *d);
static double of_energy(const drift *d) { return fabs(d->energy); }
static double of_momentum(const drift *d) { return fmax(d->linear, d->angular); }
static double of_violation(const drift *d) { return d->violation; }
static double of_rate(const drift *d) { return d->rate; }

static void draw(FILE *out, int place, const char *title, const char *across, bool log_x,
                 int curves, const cli_line_of *curve) {
    cli_panel panel = {.title = title, .marks = log_x};
    panel.x = cli_axis_over(across, log_x, curves, curve, true);
    panel.y = cli_axis_over("", true, curves, curve, false);
    cli_plot_panel(out, place, &panel, curves, curve);
}

/* A drift over time, of the longest step. */
static void draw_history(FILE *out, const contest *c, int place, const char *title,
                         drift_part *part) {
    int samples = c->trials.plan.samples;
    double *x = ts_calloc((size_t)samples, sizeof *x);
    double *y = ts_calloc((size_t)(samples * c->schemes), sizeof *y);
    cli_line_of *curve = ts_calloc((size_t)c->schemes, sizeof *curve);
    for (int k = 0; k < samples; k++) x[k] = k * c->trials.plan.interval;
    for (int s = 0; s < c->schemes; s++) {
        const ts_trial *trial = c->trial[s][0];
        for (int k = 1; k < trial->filled; k++) {
            drift d = drift_at(c, trial, k);
            double value = part(&d);
            y[s * samples + k] = isnan(value) ? NAN : fmax(NOTHING, value);
        }
        int from = trial->filled > 1 ? 1 : 0; /* at t = 0 nothing has changed yet */
        curve[s] = (cli_line_of){trial->filled - from, x + from, y + s * samples + from};
    }
    draw(out, place, title, "t, s", false, c->schemes, curve);
    free(x), free(y), free(curve);
}

static void draw_precision(FILE *out, const contest *c, int place, const char *title, bool work) {
    int rungs = c->trials.rungs;
    double *x = ts_calloc((size_t)(rungs * c->schemes), sizeof *x);
    double *y = ts_calloc((size_t)(rungs * c->schemes), sizeof *y);
    cli_line_of *curve = ts_calloc((size_t)c->schemes, sizeof *curve);
    for (int s = 0; s < c->schemes; s++) {
        for (int i = 0; i < rungs; i++) {
            x[s * rungs + i] = work ? c->trial[s][i]->seconds : c->trials.step[i];
            y[s * rungs + i] = c->error[s][i][TS_MEASURE_POSITION];
        }
        curve[s] = (cli_line_of){rungs, x + s * rungs, y + s * rungs};
    }
    draw(out, place, title, work ? "processor time, s" : "step, s", true, c->schemes, curve);
    free(x), free(y), free(curve);
}

static void write_svg(FILE *out, const void *what) {
    const contest *c = what;
    bool momenta = false;
    for (int i = 0; i < COMPONENTS; i++) momenta |= c->kept[i];
    int panels = momenta ? 6 : 5, place = 0;
    cli_plot_begin(out, "What schemes keep, and what they cost", panels, c->schemes);
    draw_history(out, c, place++, "energy made or lost, of the largest", of_energy);
    if (momenta) draw_history(out, c, place++, "change of momenta that are kept", of_momentum);
    draw_history(out, c, place++, "violation of conditions", of_violation);
    draw_history(out, c, place++, "violation of their rates", of_rate);
    draw_precision(out, c, place++, "position error, m, over work", true);
    draw_precision(out, c, place++, "position error, m, over the step", false);
    for (int s = 0; s < c->schemes; s++) cli_plot_label(out, panels, s, c->trial[s][0]->label);
    cli_plot_end(out);
}

static int run(const cli_settings *settings) {
    contest *c = ts_calloc(1, sizeof *c);
    c->path = settings->argument[0], c->rms = settings->rms;
    int code = run_contest(c, settings);
    bool table_on_stdout = settings->csv && strcmp(settings->csv, "-") == 0;
    if (!code && settings->json) print_json(c);
    if (!code && !settings->json && !table_on_stdout) print_table(c);
    if (!code && settings->csv) code = cli_write_file(settings->csv, write_csv, c);
    if (!code && settings->svg) code = cli_write_file(settings->svg, write_svg, c);
    cli_trials_clear(&c->trials);
    free(c);
    return code;
}

const cli_verb CLI_COMPARE = {
    .name = "compare",
    .help = "what schemes keep of a model, how exact they are, what they cost",
    .arguments = "MODEL.yaml",
    .least = 1,
    .most = 1,
    .about =
        "Runs the model by several schemes with several steps, side by side on all cores. Tells "
        "what each made of energy, momenta and conditions, its iterations and processor time, "
        "and its errors against a run with a much shorter step.",
    .options = OPTIONS,
    .run = run};
