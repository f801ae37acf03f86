/* SPDX-License-Identifier: Apache-2.0 */
/* What schemes do to a vibration, by running them on one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/studies/spectrum_plot.h"
#include "api/studies/trials.h"
#include "base/error.h"
#include "expr/expr.h"
#include "step/newton/exactness.h"

/* A period of one second, so that the step is the ratio. Mass and spring as any model has them. */
static const char OSCILLATOR[] =
    "torsor: 1\nunits: SI\n"
    "bodies: {mass: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, mass], at: [0, 0, 0], axis: z}}\n"
    "springs: {spring: {type: joint_spring, joint: rail, stiffness: (2*pi)^2}}\n";
enum { NODE = 1, USUAL_POINTS = 31, DRAWN_POINTS = 161, MOST_CURVES = 64 };
static const double NEAR = 0.4; /* of the pictures that show how well a period is resolved */

typedef struct job {
    double low, high, rho[16];
    int points, rhos, curves;
    ts_spectrum_curve curve[MOST_CURVES]; /* the points of a picture */
    ts_spectrum *table[MOST_CURVES];      /* those of a table */
    ts_scheme const *scheme[MOST_CURVES];
    ts_step_options options[MOST_CURVES];
    char parameters[MOST_CURVES][TS_PARAMETERS_TEXT];
    ts_document *document;
    ts_system *system;
} job;

/* ---- options ---- */

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

static int read_range(const ts_choices *choices, job *j) {
    double range[2] = {0.01, 10};
    if (choices->range && read_numbers(choices->range, range, 2) != 2)
        return ts_option_fail("range", choices->range, "expected two numbers, \"0.01,10\"");
    j->low = range[0], j->high = range[1];
    if (!(j->low >= 1e-6 && j->high <= 1e6 && j->high > j->low))
        return ts_option_fail("range", NULL, "expected 1e-6 to 1e6, the smaller one first");
    j->points = choices->points < 0 ? USUAL_POINTS : (int)choices->points;
    return 0;
}

static int read_rhos(const ts_choices *choices, job *j) {
    j->rhos = read_numbers(choices->rhos ? choices->rhos : "0,0.5,1", j->rho, 16);
    bool fine = j->rhos > 0;
    for (int i = 0; i < j->rhos; i++) fine &= j->rho[i] >= 0 && j->rho[i] <= 1;
    return fine ? 0 : ts_option_fail("rho", choices->rhos, "expected up to 16 numbers from 0 to 1");
}

/* Has it one that was not chosen with it? */
static bool wants_rho(const ts_scheme_spec *given) {
    return ts_parameter_acts(given->scheme, "rho_inf") &&
           !ts_parameter_given(&given->parameters, given->scheme, "rho_inf");
}

/* NaN of schemes that have none. */
static double rho_of(const job *j, int i) {
    return ts_parameter_value(&j->options[i].parameters, j->scheme[i], "rho_inf", NAN);
}

static int add_curve(job *j, const ts_scheme_spec *given, double rho) {
    if (j->curves == MOST_CURVES)
        return ts_option_fail("schemes", NULL, "at most %d curves", MOST_CURVES);
    int i = j->curves++;
    ts_options o;
    char words[TS_PARAMETERS_TEXT];
    ts_options_default(&o);
    o.tolerance = TS_TIGHTEST;
    ts_parameters_print(&given->parameters, given->scheme, j->parameters[i]);
    j->scheme[i] = given->scheme;
    o.max_cuts = 0, o.parameters = given->parameters;
    int status = wants_rho(given) ? ts_parameter_set(&o.parameters, given->scheme, "rho_inf",
                                                     strlen("rho_inf"), rho)
                                  : 0;
    j->options[i] = ts_step_options_of(&o);
    snprintf(j->curve[i].label, sizeof j->curve[i].label, "%s%s", given->scheme->name,
             ts_parameters_words(&o.parameters, given->scheme, words));
    return status;
}

static int read_schemes(const ts_choices *choices, job *j) {
    const char *text = choices->schemes ? choices->schemes : "EP,ED";
    for (bool more = true; more;) {
        size_t length = strcspn(text, ",");
        ts_scheme_spec given;
        int code = ts_scheme_read(&given, "schemes", text, length);
        int times = !code && wants_rho(&given) ? j->rhos : 1;
        for (int i = 0; i < times && !code; i++) code = add_curve(j, &given, j->rho[i]);
        if (code) return code;
        more = text[length] != 0, text += length + 1;
    }
    return 0;
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
            return ts_fail(TORSOR_EDIVERGED, "%s: %s", j->curve[i].label, torsor_error());
    }
    return 0;
}

static int run_curves(job *j) {
    int status = open_oscillator(j);
    for (int i = 0; i < j->curves && !status; i++) {
        j->table[i] = ts_calloc((size_t)j->points, sizeof **j->table);
        status = fill(j, i, j->points, j->low, j->high, false, j->table[i]);
    }
    return status;
}

/* More points than in a table, if a picture is requested. */
static int draw_curves(job *j) {
    int status = 0;
    for (int i = 0; i < j->curves && !status; i++) {
        ts_spectrum_curve *c = &j->curve[i];
        if (c->wide) continue;
        c->wide_count = DRAWN_POINTS, c->near_count = DRAWN_POINTS / 2;
        c->wide = ts_calloc((size_t)c->wide_count + 1, sizeof *c->wide);
        c->near = ts_calloc((size_t)c->near_count + 1, sizeof *c->near);
        status = fill(j, i, c->wide_count, j->low, j->high, false, c->wide);
        if (!status) status = fill(j, i, c->near_count, 5e-3, NEAR, true, c->near);
    }
    return status;
}

/* ---- what there is to say ---- */

static int write_table(void *what, FILE *out) {
    const job *j = what;
    for (int i = 0; i < j->curves; i++) {
        fprintf(out, "%s%s\n  %12s %12s %14s %14s\n", i ? "\n" : "", j->curve[i].label,
                "step/period", "radius", "damping ratio", "period error");
        for (int k = 0; k < j->points; k++) {
            const ts_spectrum *s = &j->table[i][k];
            fprintf(out, "  %12.6g %12.8f", s->ratio, s->radius);
            if (s->oscillates)
                fprintf(out, " %14.6g %14.6g\n", s->damping, s->period_error);
            else
                fprintf(out, " %14s %14s\n", "-", "-");
        }
    }
    return 0;
}

static int write_json(void *what, FILE *out) {
    const job *j = what;
    ts_json json = {.out = out};
    ts_json_open(&json, NULL, '{');
    ts_json_open(&json, "curves", '[');
    for (int i = 0; i < j->curves; i++) {
        ts_json_open(&json, NULL, '{');
        ts_json_text(&json, "scheme", j->scheme[i]->name);
        ts_json_text(&json, "parameters", j->parameters[i]);
        ts_json_number(&json, "rho_inf", rho_of(j, i));
        ts_json_open(&json, "points", '[');
        for (int k = 0; k < j->points; k++) {
            const ts_spectrum *s = &j->table[i][k];
            ts_json_open(&json, NULL, '{');
            ts_json_number(&json, "ratio", s->ratio);
            ts_json_number(&json, "radius", s->radius);
            ts_json_number(&json, "damping", s->damping);
            ts_json_number(&json, "period_error", s->period_error);
            ts_json_close(&json, '}');
        }
        ts_json_close(&json, ']');
        ts_json_close(&json, '}');
    }
    ts_json_close(&json, ']');
    ts_json_close(&json, '}');
    fputc('\n', out);
    return 0;
}

static int write_csv(void *what, FILE *out) {
    const job *j = what;
    fprintf(out, "scheme,rho_inf,parameters,ratio,radius,damping,period_error\n");
    for (int i = 0; i < j->curves; i++)
        for (int k = 0; k < j->points; k++) {
            const ts_spectrum *s = &j->table[i][k];
            fprintf(out, "%s", j->scheme[i]->name);
            ts_csv_number(out, rho_of(j, i));
            fprintf(out, ",%s", j->parameters[i]);
            ts_csv_number(out, s->ratio), ts_csv_number(out, s->radius);
            ts_csv_number(out, s->damping), ts_csv_number(out, s->period_error);
            fputc('\n', out);
        }
    return 0;
}

static int write_svg(void *what, FILE *out) {
    job *j = what;
    int status = draw_curves(j);
    if (!status) ts_spectrum_plot(out, j->curves, j->curve);
    return status;
}

/* ---- the study ---- */

static void free_job(void *what) {
    job *j = what;
    for (int i = 0; i < j->curves; i++)
        free(j->table[i]), free(j->curve[i].wide), free(j->curve[i].near);
    ts_system_free(j->system);
    ts_document_free(j->document);
    free(j);
}

static const ts_study_form FORMS[] = {
    {"text", write_table}, {"json", write_json}, {"csv", write_csv}, {"svg", write_svg}, {0}};
static const ts_study_kind KIND = {.forms = FORMS, .take_apart = free_job};

int ts_api_spectrum(torsor_study **out, const torsor_options *options) {
    if (!out) return ts_null_argument("torsor_spectrum");
    const ts_choices *choices = ts_choices_of(options);
    job *j = ts_calloc(1, sizeof *j);
    int status = read_range(choices, j);
    if (!status) status = read_rhos(choices, j);
    if (!status) status = read_schemes(choices, j);
    if (!status) status = run_curves(j);
    return ts_study_give(out, &KIND, j, status);
}
