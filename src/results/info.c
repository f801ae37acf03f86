/* SPDX-License-Identifier: Apache-2.0 */
/* Summary of a results file: a page of text, or one JSON object.
 *
 * The energy audit is computed from the rows of every step, not from the summary that the run
 * wrote. So it also works for runs that were killed, and checks the summary of the others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/error.h"
#include "base/json.h"
#include "results/audit.h"
#include "results/contents.h"

enum { BLOCK = 4096, MOST_EVENTS = 40 }; /* steps read at a time; lines of events */

typedef struct audit {
    double energy_scale;  /* largest energy, see ts_energy_scale */
    double energy_noise;  /* as the run left it; 0 if it did not, or is of before there was any */
    double worst_balance; /* largest |balance| */
    double worst_violation, worst_rate_violation;
    int64_t iterations, most_iterations, cuts;
    int64_t unstable;                     /* of statics: unstable states */
    double made, made_time;               /* largest balance - algorithmic; when */
    double unsolved, residual, size, far; /* as the run left them; 0 if it did not */
    double tolerance;                     /* of a step, as it was asked for */
    double t_first, t_last;
    int64_t step_first, step_last;
} audit;

typedef struct facts {
    char title[512], version[32], hash[65], scheme[32], created[32], finished[32];
    /* of the scheme, as in the file and for people; "": none */
    char parameters[TS_PARAMETERS_TEXT], spoken[TS_PARAMETERS_TEXT];
    char analysis[32]; /* "transient", or "static..." which has no scheme */
    char status[TS_STATUS_SIZE + 1];
    double rho_inf, h, t_end, seconds; /* rho_inf: NaN where the scheme has none */
    int64_t frames, steps, nodes, parts, coordinates, conditions, reactions;
    audit audit;
    ts_verdict_told told;
    bool checksums; /* all of them right */
    ts_audit resolution;
    ts_records channels; /* rows of /model/channels */
    struct happening {
        double t;
        int64_t times;
        char name[80], mark[200];
    } * happened; /* events, in the order of time */
    int happenings, room;
} facts;

static double larger(double a, double b) { return a > b || isnan(a) ? a : b; }

/* ---- gathering ---- */

typedef struct block {
    double kinetic[BLOCK], elastic[BLOCK], gravity[BLOCK], balance[BLOCK];
    double violation[BLOCK], rate_violation[BLOCK], algorithmic[BLOCK], t[BLOCK];
    int64_t iterations[BLOCK], cuts[BLOCK];
} block;

static int read_block(ts_results *r, int64_t first, int64_t rows, block *b) {
    const struct {
        ts_series_id id;
        void *to;
    } wanted[] = {
        {TS_STEP_KINETIC, b->kinetic},         {TS_STEP_ELASTIC, b->elastic},
        {TS_STEP_GRAVITY, b->gravity},         {TS_STEP_BALANCE, b->balance},
        {TS_STEP_VIOLATION, b->violation},     {TS_STEP_RATE_VIOLATION, b->rate_violation},
        {TS_STEP_ALGORITHMIC, b->algorithmic}, {TS_STEP_T, b->t},
        {TS_STEP_ITERATIONS, b->iterations},   {TS_STEP_CUTS, b->cuts},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (ts_results_rows(r, wanted[i].id, first, rows, wanted[i].to)) return TORSOR_EIO;
    return 0;
}

static void audit_block(audit *a, const block *b, int64_t rows) {
    for (int64_t i = 0; i < rows; i++) {
        double energy = ts_energy_scale(b->kinetic[i], b->elastic[i], b->gravity[i]);
        a->energy_scale = larger(a->energy_scale, energy);
        a->worst_balance = larger(a->worst_balance, fabs(b->balance[i]));
        double made = b->balance[i] - b->algorithmic[i];
        if (!(made <= a->made)) a->made = made, a->made_time = b->t[i];
        a->worst_violation = larger(a->worst_violation, b->violation[i]);
        a->worst_rate_violation = larger(a->worst_rate_violation, b->rate_violation[i]);
        a->iterations += b->iterations[i];
        if (b->iterations[i] > a->most_iterations) a->most_iterations = b->iterations[i];
        a->cuts += b->cuts[i];
    }
}

/* The first state is no step, but its energy counts. */
static int audit_start(ts_results *r, audit *a) {
    double ledger[TS_LEDGER_COLUMNS];
    if (ts_results_frames(r) == 0) return 0;
    if (ts_results_rows(r, TS_FRAME_LEDGER, 0, 1, ledger) ||
        ts_results_frame_step(r, 0, &a->step_first, &a->t_first) ||
        ts_results_frame_step(r, ts_results_frames(r) - 1, &a->step_last, &a->t_last))
        return TORSOR_EIO;
    a->energy_scale = ts_energy_scale(ledger[0], ledger[1], ledger[2]);
    a->made = fmax(0, ledger[7] - ledger[6]), a->made_time = a->t_first;
    const struct {
        const char *name;
        double *to;
    } left[] = {{"energy_noise", &a->energy_noise},
                {"unsolved", &a->unsolved},
                {"residual", &a->residual},
                {"size", &a->size},
                {"far", &a->far}};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (!r->end_whole || ts_h5_get_number(r->file, "/summary", left[i].name, left[i].to) ||
            isnan(*left[i].to))
            *left[i].to = 0;
    if (ts_h5_get_number(r->file, "/", "tolerance", &a->tolerance)) a->tolerance = -1;
    if (!r->end_whole || ts_h5_get_integer(r->file, "/summary", "unstable", &a->unstable) ||
        a->unstable < 0)
        a->unstable = 0;
    return 0;
}

static int audit_steps(ts_results *r, audit *a) {
    int64_t steps = r->rows[TS_STEPS];
    block *b = ts_calloc(1, sizeof *b);
    int status = audit_start(r, a);
    for (int64_t first = 0; first < steps && !status; first += BLOCK) {
        int64_t rows = steps - first < BLOCK ? steps - first : BLOCK;
        status = read_block(r, first, rows, b);
        if (!status) audit_block(a, b, rows);
    }
    free(b);
    if (!status && steps > 0) status = ts_results_rows(r, TS_STEP_T, steps - 1, 1, &a->t_last);
    if (!status && steps > 0)
        status = ts_results_rows(r, TS_STEP_STEP, steps - 1, 1, &a->step_last);
    return status;
}

static int count_parts(ts_results *r, int64_t *count) {
    ts_records parts;
    int status = ts_results_table(r, TS_PARTS_TABLE, &parts);
    *count = parts.rows;
    ts_records_clear(&parts);
    return status;
}

/* By the tables, so that files from before there was a table of channels have them, too. */
static int find_channels(ts_results *r, ts_records *channels) {
    ts_contents contents;
    int status = ts_results_contents(r, &contents);
    if (!status) ts_channels_make(channels, &contents);
    ts_contents_clear(&contents);
    return status;
}

static void note_event(void *context, const ts_happening *h) {
    facts *f = context;
    ts_grow(f->happened, f->room, f->happenings + 1);
    struct happening *to = &f->happened[f->happenings++];
    to->t = h->t, to->times = h->times;
    snprintf(to->name, sizeof to->name, "%s", h->name);
    snprintf(to->mark, sizeof to->mark, "%s", h->mark);
}

static bool is_static(const facts *f) { return strncmp(f->analysis, "static", 6) == 0; }

static ts_summary summary_of(const ts_results *r, const audit *a) {
    return (ts_summary){.steps = r->rows[TS_STEPS],
                        .iterations = a->iterations,
                        .cuts = a->cuts,
                        .worst_balance = a->worst_balance,
                        .worst_violation = a->worst_violation,
                        .energy_scale = a->energy_scale,
                        .energy_noise = a->energy_noise,
                        .made = a->made,
                        .made_time = a->made_time,
                        .tolerance = a->tolerance,
                        .unsolved = a->unsolved,
                        .residual = a->residual,
                        .size = a->size,
                        .far = a->far,
                        .unstable = (int)a->unstable,
                        .seconds = NAN};
}

/* The energy audit once more, as at the end of the run. */
static int judge(ts_results *r, const facts *f, ts_verdict_told *out) {
    ts_summary summary = summary_of(r, &f->audit);
    double row[TS_LEDGER_COLUMNS] = {0};
    ts_ledger end;
    if (f->frames > 0 && ts_results_rows(r, TS_FRAME_LEDGER, f->frames - 1, 1, row))
        return TORSOR_EIO;
    memcpy(&end, row, sizeof end);
    summary.load_factor = f->audit.t_last / f->t_end;
    summary.linear = strstr(f->analysis, "linear") != NULL;
    ts_audit_facts known =
        ts_audit_facts_of(&summary, &end, row[TS_LEDGER_COLUMNS - 1], f->scheme, is_static(f));
    out->judged = ts_audit_judge_energy(&known, out->text, sizeof out->text);
    if (summary.steps == 0) snprintf(out->text, sizeof out->text, "no step was made");
    return 0;
}

/* What the end of the run wrote is not as it was written. */
static void forget_end(facts *f) {
    snprintf(f->status, sizeof f->status,
             "unknown: the end of the run was not written completely, or is damaged");
    f->finished[0] = 0;
    f->seconds = NAN;
}

/* A scheme that this program does not know has none. */
static int read_parameters(ts_results *r, facts *f) {
    const ts_scheme *scheme = ts_scheme_find(f->scheme);
    ts_scheme_values values;
    int status = ts_results_parameters(r, scheme, &values);
    if (status) return status;
    ts_parameters_print(&values, scheme, f->parameters);
    ts_parameters_words(&values, scheme, f->spoken);
    f->rho_inf = ts_parameter_acts(scheme, "rho_inf")
                     ? ts_parameter_value(&values, scheme, "rho_inf", 0)
                     : NAN;
    return 0;
}

static int gather(ts_results *r, facts *f) {
    const struct {
        const char *name;
        char *to;
        size_t size;
    } text[] = {
        {"title", f->title, sizeof f->title},       {"version", f->version, sizeof f->version},
        {"model_hash", f->hash, sizeof f->hash},    {"scheme", f->scheme, sizeof f->scheme},
        {"created", f->created, sizeof f->created}, {"finished", f->finished, sizeof f->finished},
        {"status", f->status, sizeof f->status}};
    int status = 0;
    for (size_t i = 0; i < sizeof text / sizeof *text && !status; i++)
        status = ts_h5_get_text(r->file, "/", text[i].name, text[i].to, text[i].size);
    if (status || ts_h5_get_number(r->file, "/", "h", &f->h) ||
        ts_h5_get_number(r->file, "/", "t_end", &f->t_end) ||
        ts_h5_get_number(r->file, "/summary", "seconds", &f->seconds) || count_parts(r, &f->parts))
        return ts_fail(TORSOR_EIO, "cannot read %s: %s", r->path, ts_error_message());

    status = read_parameters(r, f);
    if (status) return status;
    /* a file from before there was another */
    if (ts_h5_get_text(r->file, "/", "analysis", f->analysis, sizeof f->analysis))
        snprintf(f->analysis, sizeof f->analysis, "transient");
    if (!r->end_whole) forget_end(f);
    f->checksums = r->sealed;
    f->frames = r->rows[TS_FRAMES], f->steps = r->rows[TS_STEPS];
    f->nodes = r->entries[TS_EACH_NODE];
    f->coordinates = r->entries[TS_EACH_COORDINATE];
    f->conditions = r->entries[TS_EACH_CONDITION];
    f->reactions = r->entries[TS_EACH_REACTION];
    status = ts_results_verify(r);
    if (!status) status = ts_results_audit(r, &f->resolution);
    if (!status) status = find_channels(r, &f->channels);
    if (!status) status = ts_results_events(r, note_event, f);
    if (!status) status = audit_steps(r, &f->audit);
    return status ? status : judge(r, f, &f->told);
}

static double mean_iterations(const facts *f) {
    return f->steps ? (double)f->audit.iterations / (double)f->steps : 0;
}

/* ---- text ---- */

static void print_status(FILE *out, const facts *f) {
    bool open = strcmp(f->status, "running") == 0;
    fprintf(out, "status       %s%s\n", f->status, open ? " (or killed: it was not closed)" : "");
    fprintf(out, "created      %s by torsor %s", f->created, f->version);
    if (f->finished[0]) fprintf(out, ", finished %s", f->finished);
    if (!isnan(f->seconds)) fprintf(out, ", %.3g s of computing", f->seconds);
    fputc('\n', out);
}

static void print_audit(FILE *out, const facts *f) {
    const audit *a = &f->audit;
    if (!is_static(f)) {
        fprintf(out, "energy       balance off by at most %.2e J", a->worst_balance);
        if (a->energy_scale > 0)
            fprintf(out, ", %.2e of the largest energy, %.4g J", a->worst_balance / a->energy_scale,
                    a->energy_scale);
        fputc('\n', out);
    }
    fprintf(out, "audit        %s\n", f->told.text);
    fprintf(out, "iterations   %.3g a step, at most %lld; %lld halvings\n", mean_iterations(f),
            (long long)a->most_iterations, (long long)a->cuts);
    fprintf(out, "violation    at most %.2e (positions), %.2e (rates)\n", a->worst_violation,
            a->worst_rate_violation);
}

/* What tables call a channel; one without a name by its components. */
static const char *called(const ts_table_cell *row) {
    const char *name = row[TS_CHANNEL_NAME].text, *components = row[TS_CHANNEL_COMPONENTS].text;
    return *name ? name : *components ? components : "value";
}

/* A line for each family that has some, each name once. */
static void print_channels(FILE *out, const ts_records *channels) {
    const char *title = "channels";
    for (int e = 0; e < TS_EACH_COUNT; e++) {
        const char *last = "";
        for (int64_t i = 0; i < channels->rows; i++) {
            const ts_table_cell *row = ts_record(channels, i);
            if (strcmp(row[TS_CHANNEL_OF].text, TS_FAMILY[e].word) != 0) continue;
            if (!*last) fprintf(out, "%-12s %s: %s", title, TS_FAMILY[e].word, called(row));
            if (*last && strcmp(called(row), last) != 0) fprintf(out, ", %s", called(row));
            last = called(row), title = "";
        }
        if (*last) fputc('\n', out);
    }
}

static void print_events(FILE *out, const facts *f) {
    const char *title = "events";
    for (int i = 0; i < f->happenings && i < MOST_EVENTS; i++, title = "") {
        const struct happening *h = &f->happened[i];
        fprintf(out, "%-12s t = %.12g s  %s%s%s", title, h->t, h->name, *h->mark ? ": " : "",
                h->mark);
        if (h->times > 1) fprintf(out, " (%lld times, the last)", (long long)h->times);
        fputc('\n', out);
    }
    if (f->happenings > MOST_EVENTS)
        fprintf(out, "%-12s and %d more (--json lists all)\n", "", f->happenings - MOST_EVENTS);
}

static void print_text(FILE *out, const char *path, const facts *f) {
    const audit *a = &f->audit;
    fprintf(out, "results      %s\n", path);
    fprintf(out, "model        %s\n", f->title[0] ? f->title : "(no title)");
    fprintf(out, "hash         %s\n", f->hash);
    print_status(out, f);
    if (is_static(f))
        fprintf(out, "analysis     %s\nload         factor %g to %g\n", f->analysis,
                a->t_first / f->t_end, a->t_last / f->t_end);
    else
        fprintf(out, "scheme       %s%s, h = %g s\ntime         %g s to %g s of %g s\n", f->scheme,
                f->spoken, f->h, a->t_first, a->t_last, f->t_end);
    fprintf(out, "steps        %lld (number %lld to %lld), %lld stored states\n",
            (long long)f->steps, (long long)a->step_first, (long long)a->step_last,
            (long long)f->frames);
    fprintf(out, "size         %lld nodes, %lld parts, %lld constraints, %lld coordinates\n",
            (long long)f->nodes, (long long)f->parts, (long long)f->conditions,
            (long long)f->coordinates);
    fprintf(out, "checksums    %s\n",
            f->checksums ? "right: all rows are as they were written"
                         : "none: files of this older format have none, damage is not detected");
    print_channels(out, &f->channels);
    print_events(out, f);
    if (f->steps > 0) print_audit(out, f);
    if (f->resolution.level >= 0)
        fprintf(out, "resolution   %s\n", f->resolution.text + strlen("resolution: "));
    if (a->unstable > 0)
        fprintf(out, "stability    UNSTABLE at the end, in %lld %s\n", (long long)a->unstable,
                a->unstable == 1 ? "way" : "ways");
}

/* ---- JSON ---- */

static void json_number(FILE *out, double value) {
    char text[TS_DIGITS];
    fputs(isfinite(value) ? ts_digits(text, value) : "null", out);
}

static void json_texts(FILE *out, const char *path, const facts *f) {
    const struct {
        const char *name, *value;
    } list[] = {{"path", path},
                {"title", f->title},
                {"version", f->version},
                {"model_hash", f->hash},
                {"scheme", f->scheme},
                {"scheme_parameters", f->parameters},
                {"analysis", f->analysis},
                {"created", f->created},
                {"finished", f->finished},
                {"status", f->status},
                {"audit", f->told.text}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        fprintf(out, "  \"%s\": ", list[i].name);
        ts_json_quote(out, list[i].value);
        fputs(",\n", out);
    }
    fprintf(out, "  \"sound\": %s,\n  \"energy_created\": %s,\n",
            f->told.judged.sound ? "true" : "false", f->told.judged.created ? "true" : "false");
}

static void json_counts(FILE *out, const facts *f) {
    const audit *a = &f->audit;
    const struct {
        const char *name;
        int64_t value;
    } list[] = {{"frames", f->frames},
                {"steps", f->steps},
                {"first_step", a->step_first},
                {"last_step", a->step_last},
                {"nodes", f->nodes},
                {"parts", f->parts},
                {"conditions", f->conditions},
                {"coordinates", f->coordinates},
                {"reactions", f->reactions},
                {"iterations", a->iterations},
                {"most_iterations", a->most_iterations},
                {"cuts", a->cuts},
                {"unstable", a->unstable}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        fprintf(out, "  \"%s\": %lld,\n", list[i].name, (long long)list[i].value);
}

static void json_numbers(FILE *out, const facts *f) {
    const audit *a = &f->audit;
    const struct {
        const char *name;
        double value;
    } list[] = {{"rho_inf", f->rho_inf},
                {"h", f->h},
                {"t_end", f->t_end},
                {"t_first", a->t_first},
                {"t_last", a->t_last},
                {"seconds", f->seconds},
                {"mean_iterations", mean_iterations(f)},
                {"worst_balance", a->worst_balance},
                {"energy_scale", a->energy_scale},
                {"relative_balance", f->told.judged.relative},
                {"made", a->made},
                {"made_time", a->made_time},
                {"unsolved", a->unsolved},
                {"residual", a->residual},
                {"worst_violation", a->worst_violation},
                {"worst_rate_violation", a->worst_rate_violation}};
    size_t count = sizeof list / sizeof *list;
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "  \"%s\": ", list[i].name);
        json_number(out, list[i].value);
        fputs(i + 1 < count ? ",\n" : "\n", out);
    }
}

static void json_resolution(FILE *out, const facts *f) {
    ts_json j = {.out = out, .depth = 1};
    ts_audit_json(&f->resolution, &j);
    fputs(",\n", out);
}

static void json_channels(FILE *out, const ts_records *channels) {
    static const struct {
        const char *key;
        int field;
    } text[] = {{"name", TS_CHANNEL_NAME},   {"components", TS_CHANNEL_COMPONENTS},
                {"unit", TS_CHANNEL_UNIT},   {"of", TS_CHANNEL_OF},
                {"array", TS_CHANNEL_ARRAY}, {"help", TS_CHANNEL_HELP}};
    ts_json j = {.out = out, .depth = 1};
    ts_json_open(&j, "channels", '[');
    for (int64_t i = 0; i < channels->rows; i++) {
        const ts_table_cell *row = ts_record(channels, i);
        ts_json_open(&j, NULL, '{');
        for (size_t k = 0; k < sizeof text / sizeof *text; k++)
            ts_json_text(&j, text[k].key, row[text[k].field].text);
        ts_json_flag(&j, "stored", row[TS_CHANNEL_STORED].integer != 0);
        ts_json_close(&j, '}');
    }
    ts_json_close(&j, ']');
    fputs(",\n", out);
}

static void json_events(FILE *out, const facts *f) {
    ts_json j = {.out = out, .depth = 1};
    ts_json_open(&j, "events", '[');
    for (int i = 0; i < f->happenings; i++) {
        ts_json_open(&j, NULL, '{');
        ts_json_number(&j, "t", f->happened[i].t);
        ts_json_count(&j, "times", (long)f->happened[i].times);
        ts_json_text(&j, "name", f->happened[i].name);
        ts_json_text(&j, "mark", f->happened[i].mark);
        ts_json_close(&j, '}');
    }
    ts_json_close(&j, ']');
    fputs(",\n", out);
}

static void print_json(FILE *out, const char *path, const facts *f) {
    fputs("{\n", out);
    json_texts(out, path, f);
    json_counts(out, f);
    fprintf(out, "  \"checksums\": %s,\n", f->checksums ? "true" : "false");
    json_resolution(out, f);
    json_channels(out, &f->channels);
    json_events(out, f);
    json_numbers(out, f);
    fputs("}\n", out);
}

int ts_results_judge(ts_results *r, ts_verdict_told *out) {
    facts *f = ts_calloc(1, sizeof *f);
    int status = gather(r, f);
    *out = f->told;
    ts_records_clear(&f->channels);
    free(f->happened);
    free(f);
    return status;
}

int ts_results_info(ts_results *r, FILE *out, bool json) {
    facts *f = ts_calloc(1, sizeof *f);
    int status = gather(r, f);
    if (!status) (json ? print_json : print_text)(out, r->path, f);
    ts_records_clear(&f->channels);
    free(f->happened);
    free(f);
    return status;
}
