/* torsor spectrum: what schemes do to a vibration, by running them on one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/spectrum_plot.h"
#include "cli/trials.h"
#include "expr/expr.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"schemes", 's', CLI_TEXT, AT(schemes), "LIST",
     "names with commas, with parameters after colons: \"ED,S4-B:alpha=1/36\"; default EP,ED"},
    {"rho", 0, CLI_TEXT, AT(rhos), "LIST",
     "values of rho_inf for those schemes that have it; default 0,0.5,1"},
    {"range", 0, CLI_TEXT, AT(range), "A,B", "step / period from A to B; default 0.01,10"},
    {"points", 'n', CLI_COUNT, AT(points), "N", "how many steps in the range; default 31"},
    {"svg", 0, CLI_TEXT, AT(svg), "FILE", "draw the curves"},
    {"csv", 0, CLI_TEXT, AT(csv), "FILE", "write the numbers as a table; - is the standard output"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print one JSON object"},
    {0}};

/* A period of one second, so that the step is the ratio. Mass and spring as any model has them. */
static const char OSCILLATOR[] =
    "torsor: 1\nunits: SI\n"
    "bodies: {mass: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, mass], at: [0, 0, 0], axis: z}}\n"
    "springs: {spring: {type: joint_spring, joint: rail, stiffness: (2*pi)^2}}\n";
enum { NODE = 1, USUAL_POINTS = 31, DRAWN_POINTS = 161, MOST_CURVES = 64, MOST_POINTS = 100000 };
static const double NEAR = 0.4; /* of the pictures that show how well a period is resolved */

typedef struct job {
    double low, high, rho[16];
    int points, rhos, curves;
    cli_curve curve[MOST_CURVES];    /* the points of a picture */
    ts_spectrum *table[MOST_CURVES]; /* those of a table */
    ts_scheme const *scheme[MOST_CURVES];
    ts_step_options options[MOST_CURVES];
    char parameters[MOST_CURVES][TS_PARAMETERS_TEXT];
    ts_document *document;
    ts_system *system;
} job;

/* ---- the command line ---- */

/* Numbers with commas. How many, or -1. */
static int read_numbers(const char *text, double *out, int most) {
    int count = 0;
    while (count < most) {
        size_t length = strcspn(text, ",");
        ts_expr *expr;
        ts_expr_error error = {0};
        if (ts_expr_compile(&expr, text, length, NULL, false, &error)) return -1;
        bool bare = ts_dim_bare(ts_expr_dim(expr));
        out[count++] = ts_expr_value(expr, 0);
        ts_expr_free(expr);
        if (!bare) return -1;
        if (!text[length]) return count;
        text += length + 1;
    }
    return -1;
}

static int read_range(const cli_settings *settings, job *j) {
    double range[2] = {0.01, 10};
    if (settings->range && read_numbers(settings->range, range, 2) != 2)
        return cli_fail(CLI_USAGE, "--range %.40s: expected two numbers, \"0.01,10\"",
                        settings->range);
    j->low = range[0], j->high = range[1];
    if (!(j->low >= 1e-6 && j->high <= 1e6 && j->high > j->low))
        return cli_fail(CLI_USAGE, "--range: expected 1e-6 to 1e6, the smaller one first");
    j->points = settings->points < 0 ? USUAL_POINTS : (int)fmin(1e9, (double)settings->points);
    if (j->points < 2 || j->points > MOST_POINTS)
        return cli_fail(CLI_USAGE, "--points: expected 2 to %d", MOST_POINTS);
    return CLI_DONE;
}

static int read_rhos(const cli_settings *settings, job *j) {
    j->rhos = read_numbers(settings->rhos ? settings->rhos : "0,0.5,1", j->rho, 16);
    bool fine = j->rhos > 0;
    for (int i = 0; i < j->rhos; i++) fine &= j->rho[i] >= 0 && j->rho[i] <= 1;
    return fine ? CLI_DONE
                : cli_fail(CLI_USAGE, "--rho %.40s: expected up to 16 numbers from 0 to 1",
                           settings->rhos);
}

/* "generalized_alpha, rho_inf 0.5" */
static void name_curve(cli_curve *c, const cli_scheme *scheme, double rho) {
    char shown[CLI_WORD] = "";
    if (ts_scheme_takes_rho(scheme->scheme)) snprintf(shown, sizeof shown, ", rho_inf %.4g", rho);
    snprintf(c->label, sizeof c->label, "%s%s%s", scheme->scheme->name, shown, scheme->words);
}

static int add_curve(job *j, const cli_scheme *given, double rho) {
    if (j->curves == MOST_CURVES)
        return cli_fail(CLI_USAGE, "--schemes: at most %d curves", MOST_CURVES);
    int i = j->curves++;
    ts_options o;
    ts_options_default(&o);
    ts_parameters_print(&given->parameters, given->scheme, j->parameters[i]);
    j->scheme[i] = given->scheme;
    o.rho_inf = rho, o.max_cuts = 0;
    j->options[i] = ts_step_options_of(&o);
    j->options[i].parameters = given->parameters;
    name_curve(&j->curve[i], given, rho);
    return CLI_DONE;
}

static int read_schemes(const cli_settings *settings, job *j) {
    const char *text = settings->schemes ? settings->schemes : "EP,ED";
    for (bool more = true; more;) {
        size_t length = strcspn(text, ",");
        cli_scheme given;
        int code = cli_scheme_read(&given, "schemes", text, length);
        int times = !code && ts_scheme_takes_rho(given.scheme) ? j->rhos : 1;
        for (int i = 0; i < times && !code; i++) code = add_curve(j, &given, j->rho[i]);
        if (code) return code;
        more = text[length] != 0, text += length + 1;
    }
    return CLI_DONE;
}

/* ---- running ---- */

static int open_oscillator(job *j) {
    ts_diagnostics list = {0};
    int status =
        ts_document_parse(&j->document, OSCILLATOR, sizeof OSCILLATOR - 1, "oscillator", &list);
    ts_diagnostics_clear(&list);
    if (!status) status = ts_system_new(&j->system, j->document->model);
    if (!status) ts_system_begin(j->system);
    return status;
}

static int fill(job *j, int i, int count, double low, double high, bool evenly, ts_spectrum *s) {
    for (int k = 0; k < count; k++) {
        double part = count > 1 ? (double)k / (count - 1) : 0;
        double h = evenly ? low + part * (high - low) : low * pow(high / low, part);
        if (ts_spectrum_at(j->system, NODE, 1, j->scheme[i], &j->options[i], h, &s[k]))
            return cli_fail(CLI_NUMERICS, "%s: %s", j->curve[i].label, torsor_error());
    }
    return CLI_DONE;
}

static int run_curves(job *j, bool drawn) {
    int code = open_oscillator(j) ? cli_fail_status(TORSOR_EINVAL) : CLI_DONE;
    for (int i = 0; i < j->curves && !code; i++) {
        cli_curve *c = &j->curve[i];
        c->wide_count = drawn ? DRAWN_POINTS : 0, c->near_count = drawn ? DRAWN_POINTS / 2 : 0;
        j->table[i] = ts_calloc((size_t)j->points, sizeof **j->table);
        c->wide = ts_calloc((size_t)c->wide_count + 1, sizeof *c->wide);
        c->near = ts_calloc((size_t)c->near_count + 1, sizeof *c->near);
        code = fill(j, i, j->points, j->low, j->high, false, j->table[i]);
        if (!code) code = fill(j, i, c->wide_count, j->low, j->high, false, c->wide);
        if (!code) code = fill(j, i, c->near_count, 5e-3, NEAR, true, c->near);
    }
    return code;
}

/* ---- what there is to say ---- */

static void print_table(const job *j) {
    for (int i = 0; i < j->curves; i++) {
        printf("%s%s\n  %12s %12s %14s %14s\n", i ? "\n" : "", j->curve[i].label, "step/period",
               "radius", "damping ratio", "period error");
        for (int k = 0; k < j->points; k++) {
            const ts_spectrum *s = &j->table[i][k];
            printf("  %12.6g %12.8f", s->ratio, s->radius);
            if (s->oscillates)
                printf(" %14.6g %14.6g\n", s->damping, s->period_error);
            else
                printf(" %14s %14s\n", "-", "-");
        }
    }
}

static void print_json(const job *j) {
    ts_json json = {.out = stdout};
    ts_json_open(&json, NULL, '{');
    ts_json_open(&json, "curves", '[');
    for (int i = 0; i < j->curves; i++) {
        ts_json_open(&json, NULL, '{');
        ts_json_text(&json, "scheme", j->scheme[i]->name);
        ts_json_text(&json, "parameters", j->parameters[i]);
        cli_json_number(&json, "rho_inf",
                        ts_scheme_takes_rho(j->scheme[i]) ? j->options[i].rho_inf : NAN);
        ts_json_open(&json, "points", '[');
        for (int k = 0; k < j->points; k++) {
            const ts_spectrum *s = &j->table[i][k];
            ts_json_open(&json, NULL, '{');
            cli_json_number(&json, "ratio", s->ratio);
            cli_json_number(&json, "radius", s->radius);
            cli_json_number(&json, "damping", s->damping);
            cli_json_number(&json, "period_error", s->period_error);
            ts_json_close(&json, '}');
        }
        ts_json_close(&json, ']');
        ts_json_close(&json, '}');
    }
    ts_json_close(&json, ']');
    ts_json_close(&json, '}');
    putchar('\n');
}

static void write_csv(FILE *out, const void *what) {
    const job *j = what;
    fprintf(out, "scheme,rho_inf,parameters,ratio,radius,damping,period_error\n");
    for (int i = 0; i < j->curves; i++)
        for (int k = 0; k < j->points; k++) {
            const ts_spectrum *s = &j->table[i][k];
            fprintf(out, "%s", j->scheme[i]->name);
            cli_csv_number(out, ts_scheme_takes_rho(j->scheme[i]) ? j->options[i].rho_inf : NAN);
            fprintf(out, ",%s", j->parameters[i]);
            cli_csv_number(out, s->ratio), cli_csv_number(out, s->radius);
            cli_csv_number(out, s->damping), cli_csv_number(out, s->period_error);
            fputc('\n', out);
        }
}

static void write_svg(FILE *out, const void *what) {
    const job *j = what;
    cli_spectrum_plot(out, j->curves, j->curve);
}

static int run(const cli_settings *settings) {
    job *j = ts_calloc(1, sizeof *j);
    int code = read_range(settings, j);
    if (!code) code = read_rhos(settings, j);
    if (!code) code = read_schemes(settings, j);
    if (!code) code = run_curves(j, settings->svg != NULL);
    bool table_on_stdout = settings->csv && strcmp(settings->csv, "-") == 0;
    if (!code && settings->json) print_json(j);
    if (!code && !settings->json && !table_on_stdout) print_table(j);
    if (!code && settings->csv) code = cli_write_file(settings->csv, write_csv, j);
    if (!code && settings->svg) code = cli_write_file(settings->svg, write_svg, j);
    for (int i = 0; i < j->curves; i++)
        free(j->table[i]), free(j->curve[i].wide), free(j->curve[i].near);
    ts_system_free(j->system);
    ts_document_free(j->document);
    free(j);
    return code;
}

const cli_verb CLI_SPECTRUM = {
    .name = "spectrum",
    .help = "what the schemes do to a vibration: radius, damping, period error",
    .arguments = "",
    .least = 0,
    .most = 0,
    .about = "Takes steps of many sizes with a mass on a spring, by the schemes as they are, and "
             "finds the eigenvalues of each step: the spectral radius, the damping ratio and the "
             "relative error of the period, against step / period.",
    .options = OPTIONS,
    .run = run};
