/* SPDX-License-Identifier: Apache-2.0 */
/* Error bars of channels, as text and JSON. See resolve.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/error_bar.h"
#include "api/studies/resolve.h"
#include "base/error.h"

enum { MOST_SELECTORS = 256 };

/* ---- channels ---- */

typedef struct selectors {
    char *text; /* commas are ends of words */
    char *word[MOST_SELECTORS];
    int count;
} selectors;

static void split(selectors *s, const char *channels) {
    *s = (selectors){.text = ts_strdup(channels)};
    for (char *at = s->text; at && s->count < MOST_SELECTORS;) {
        char *comma = strchr(at, ',');
        if (comma) *comma = 0;
        at += strspn(at, " ");
        for (size_t n = strlen(at); n > 0 && at[n - 1] == ' '; n--) at[n - 1] = 0;
        if (*at) s->word[s->count++] = at;
        at = comma ? comma + 1 : NULL;
    }
}

int ts_channels_try(const char *results, const char *channels) {
    ts_results *r;
    ts_columns columns = {0};
    selectors s;
    split(&s, channels);
    int status =
        s.count ? ts_results_open(&r, results)
                : ts_option_fail(
                      "channels", NULL,
                      "expected names separated by commas, such as hinge.angle,arm.end.position");
    if (!status) {
        status = ts_results_columns(r, s.count, s.word, true, &columns);
        ts_columns_clear(&columns);
        ts_results_free(r);
    }
    free(s.text);
    return status;
}

int ts_channels_read(const ts_document *document, const char *channels, const char *path,
                     ts_columns *out) {
    ts_results *r;
    selectors s = {0};
    *out = (ts_columns){0};
    int status = ts_results_open(&r, path);
    if (status) return status;
    if (channels) split(&s, channels);
    if (channels)
        status = ts_results_columns(r, s.count, s.word, true, out);
    else if (document->csv_count)
        status = ts_results_columns(r, document->csv_count, document->csv, true, out);
    else
        status = ts_results_channels(r, out);
    free(s.text);
    ts_results_free(r);
    return status;
}

int ts_channels_same(const char *path, const ts_columns *as, ts_columns *out) {
    ts_results *r;
    int status = ts_results_open(&r, path);
    if (status) return status;
    status = ts_results_columns(r, as->count - 1, as->name + 1, true, out);
    ts_results_free(r);
    return status;
}

/* ---- comparing ---- */

typedef struct comparison {
    ts_columns run, other[TS_COMPANIONS];
    ts_columns energy; /* of the run: a constant sum of energies is as exact as they are large */
    ts_companion companion[TS_COMPANIONS];
    ts_error_bar *bar; /* by column; the first is the time */
    int still;         /* channels that do not move */
} comparison;

int64_t ts_common_rows(const ts_columns *a, const ts_columns *b) {
    int64_t rows = a->rows < b->rows ? a->rows : b->rows, k = 0;
    double interval = rows > 1 ? a->data[1] - a->data[0] : 0;
    while (k < rows && fabs(a->data[k] - b->data[k]) <= 1e-6 * interval) k++;
    return k;
}

static double part_of_bar(const comparison *c, int which, int column) {
    const ts_columns *a = &c->run, *b = &c->other[which];
    if (!b->data || (which == TS_FINE && a->inside[column])) return NAN;
    double largest = ts_largest_difference(ts_common_rows(a, b), a->data + column * a->rows,
                                           b->data + column * b->rows);
    return ts_richardson(c->companion[which].order) * largest;
}

static double largest_of(const ts_columns *t, int column) {
    return ts_error_bar_of(t->rows, t->data + column * t->rows).largest;
}

static double scale_of(const comparison *c, int column) {
    double scale = 0;
    for (int i = 1; i < c->run.count; i++)
        if (strcmp(c->run.unit[i], c->run.unit[column]) == 0)
            scale = fmax(scale, c->bar[i].largest);
    for (int i = 1; i < c->energy.count; i++)
        if (strcmp(c->energy.unit[i], c->run.unit[column]) == 0)
            scale = fmax(scale, largest_of(&c->energy, i));
    return scale;
}

static void find_bars(comparison *c) {
    c->bar = ts_calloc((size_t)c->run.count, sizeof *c->bar);
    for (int i = 1; i < c->run.count; i++) {
        c->bar[i] = ts_error_bar_of(c->run.rows, c->run.data + i * c->run.rows);
        c->bar[i].step = part_of_bar(c, TS_HALF, i);
        c->bar[i].mesh = part_of_bar(c, TS_FINE, i);
    }
    for (int i = 1; i < c->run.count; i++) {
        ts_error_bar_judge(&c->bar[i], scale_of(c, i));
        c->still += c->bar[i].verdict == TS_BAR_STILL;
    }
}

static int compare(comparison *c, const ts_document *document, const char *channels,
                   const char *results) {
    static const char *const energy[] = {"t", "energy"};
    const ts_columns energies = {.count = 2, .name = (char **)(uintptr_t)energy};
    int status = ts_channels_read(document, channels, results, &c->run);
    if (!status) status = ts_channels_same(results, &energies, &c->energy);
    for (int k = 0; k < TS_COMPANIONS && !status; k++)
        if (c->companion[k].path)
            status = ts_channels_same(c->companion[k].path, &c->run, &c->other[k]);
    if (!status) find_bars(c);
    return status;
}

static void free_comparison(void *what) {
    comparison *c = what;
    ts_columns_clear(&c->run), ts_columns_clear(&c->energy);
    for (int k = 0; k < TS_COMPANIONS; k++) ts_columns_clear(&c->other[k]);
    free(c->bar);
    free(c);
}

/* ---- in words ---- */

static void print_companion(FILE *out, const ts_companion *c, const char *name) {
    char text[600];
    fprintf(out, "  %-6s ", name);
    if (c->path)
        snprintf(text, sizeof text, "against %s, as for order %d: %.4g of the difference", c->about,
                 c->order, ts_richardson(c->order));
    else
        snprintf(text, sizeof text, "no error bar: %s", c->message);
    ts_words_wrap(out, text, 9, 110);
}

static void print_share(FILE *out, double bar, double against) {
    char text[TS_WORD] = "-";
    double percent = 100 * bar / against;
    if (percent < 99.5)
        snprintf(text, sizeof text, "%.2g %%", percent);
    else if (percent < 1000)
        snprintf(text, sizeof text, "%.0f %%", percent);
    else if (!isnan(percent))
        snprintf(text, sizeof text, "> 999 %%");
    fprintf(out, "%10s", text);
}

/* "1.25 ± 0.05": the bar is rounded up to one digit, the value to the same place. */
static void print_bar(FILE *out, double value, double bar) {
    double unit = bar > 0 ? pow(10, floor(log10(bar))) : 0,
           up = unit > 0 ? ceil(bar / unit - 1e-9) * unit : 0;
    int decimals = unit > 0 ? (int)fmin(15, fmax(0, -floor(log10(up) + 1e-9))) : 15;
    bool plain = fabs(value) < 1e7 && fabs(value) > 1e-4;
    if (plain)
        fprintf(out, "%.*f ± %.1g", decimals, value, up);
    else
        fprintf(out, "%.3g ± %.1g", value, up);
}

static void print_verdict(FILE *out, const ts_error_bar *b) {
    char digits[TS_WORD];
    if (b->verdict == TS_BAR_NOT_RESOLVED)
        fprintf(out, "%s: differs by as much as it moves\n", TS_BAR_WORD[b->verdict]);
    else if (b->verdict == TS_BAR_UNKNOWN)
        fprintf(out, "%s\n", TS_BAR_WORD[b->verdict]);
    else {
        print_bar(out, b->end, b->both);
        fprintf(out, ", %s, %s\n",
                b->digits ? ts_words_count(digits, b->digits, "digit", "digits") : "no digit",
                TS_BAR_WORD[b->verdict]);
    }
}

static void print_channel(FILE *out, const comparison *c, int i, int width) {
    const ts_error_bar *b = &c->bar[i];
    char name[300];
    snprintf(name, sizeof name, "%.200s [%.20s]", c->run.name[i], c->run.unit[i]);
    if (b->verdict == TS_BAR_STILL) return;
    fprintf(out, "  %-*s %13.8g", width, name, b->end);
    print_share(out, b->step, b->against), print_share(out, b->mesh, b->against);
    fprintf(out, "   ");
    print_verdict(out, b);
}

static int widest(const comparison *c) {
    size_t width = strlen("channel");
    for (int i = 1; i < c->run.count; i++) {
        size_t length = strlen(c->run.name[i]) + strlen(c->run.unit[i]) + 3;
        if (c->bar[i].verdict != TS_BAR_STILL && length > width) width = length;
    }
    return (int)width;
}

static void print_notes(FILE *out, const comparison *c) {
    bool inside = false;
    for (int i = 1; i < c->run.count; i++) inside |= c->run.inside[i] && c->other[TS_FINE].data;
    if (inside)
        fprintf(out, "  A Gauss point is at another place in the refined mesh: give the place in "
                     "outputs.stations instead.\n");
    if (c->still == 1) fprintf(out, "  1 channel does not move and is left out.\n");
    if (c->still > 1) fprintf(out, "  %d channels do not move and are left out.\n", c->still);
}

static int write_text(void *what, FILE *out) {
    const comparison *c = what;
    fprintf(out, "\nerror bars, the largest of the run, relative to the channel's range\n");
    print_companion(out, &c->companion[TS_HALF], "step");
    print_companion(out, &c->companion[TS_FINE], "mesh");
    int width = widest(c);
    fprintf(out, "\n  %-*s %13s%10s%10s   %s\n", width, "channel", "at the end", "step", "mesh",
            "what to trust at the end");
    for (int i = 1; i < c->run.count; i++) print_channel(out, c, i, width);
    print_notes(out, c);
    return 0;
}

/* ---- in JSON ---- */

static void json_companion(ts_json *j, const ts_companion *c, const char *name) {
    ts_json_open(j, name, '{');
    ts_json_text(j, "status", c->status);
    ts_json_text(j, "message", c->message);
    ts_json_count(j, "order", c->order);
    ts_json_number(j, "factor", c->order ? ts_richardson(c->order) : NAN);
    ts_json_close(j, '}');
}

static void json_channel(ts_json *j, const comparison *c, int i) {
    const ts_error_bar *b = &c->bar[i];
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "name", c->run.name[i]);
    ts_json_text(j, "unit", c->run.unit[i]);
    ts_json_number(j, "end", b->end);
    ts_json_number(j, "range", b->range);
    ts_json_number(j, "step", b->step);
    ts_json_number(j, "mesh", b->mesh);
    ts_json_number(j, "error", b->both);
    ts_json_count(j, "digits", b->digits);
    ts_json_text(j, "verdict", TS_BAR_WORD[b->verdict]);
    ts_json_close(j, '}');
}

static int write_json(void *what, FILE *out) {
    const comparison *c = what;
    ts_json json = {.out = out}, *j = &json;
    ts_json_open(j, NULL, '{');
    json_companion(j, &c->companion[TS_HALF], "step");
    json_companion(j, &c->companion[TS_FINE], "mesh");
    ts_json_open(j, "channels", '[');
    for (int i = 1; i < c->run.count; i++) json_channel(j, c, i);
    ts_json_close(j, ']');
    ts_json_close(j, '}');
    return 0;
}

static const ts_study_form FORMS[] = {{"text", write_text}, {"json", write_json}, {0}};
static const ts_study_kind KIND = {.forms = FORMS, .take_apart = free_comparison};

int ts_resolve_compare(torsor_study **out, const ts_document *document, const char *channels,
                       const char *results, const ts_companion companion[TS_COMPANIONS]) {
    comparison *c = ts_calloc(1, sizeof *c);
    memcpy(c->companion, companion, sizeof c->companion);
    ts_lock_libraries();
    int status = compare(c, document, channels, results);
    ts_unlock_libraries();
    return ts_study_give(out, &KIND, c, status);
}
