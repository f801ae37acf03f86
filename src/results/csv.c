/* Results as a table of comma-separated values, one line per stored state.
 *
 * First every column that the file could give is named, "top.position.x", "pivot.angle.rate",
 * "energy.kinetic". A selector takes the column of exactly its name or, if there is none, all
 * columns below it: "top.position" is three columns, "top" all of that body's. So there is one
 * list, and it also serves the messages for unknown names.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "results/columns.h"

/* ---- choosing ---- */

typedef struct choice {
    const ts_column **items;
    size_t count, room;
} choice;

static void choose(choice *chosen, const ts_column *item) {
    ts_grow(chosen->items, chosen->room, chosen->count + 1);
    chosen->items[chosen->count++] = item;
}

static bool below(const char *name, const char *selector, size_t length) {
    return strncmp(name, selector, length) == 0 && name[length] == '.';
}

static void choose_below(const ts_catalogue *list, const char *selector, choice *chosen) {
    size_t length = strlen(selector);
    for (size_t i = 0; i < list->count; i++)
        if (below(list->items[i].name, selector, length)) choose(chosen, &list->items[i]);
}

/* The next name after `length` characters of it: "position" of "top.position.x". */
static size_t name_to(const char *name, size_t length) {
    return length + strcspn(name + length, ".");
}

/* What stands below the first `length` characters of `selector`, each name once: "position,
 * velocity". */
static void list_below(const ts_catalogue *list, const char *selector, size_t length, char *text,
                       size_t size) {
    const char *last = "";
    size_t last_length = 0, used = 0;
    text[0] = 0;
    for (size_t i = 0; i < list->count && used < size; i++) {
        const char *name = list->items[i].name;
        if (length && !below(name, selector, length)) continue;
        const char *word = name + (length ? length + 1 : 0);
        size_t word_length = name_to(word, 0);
        if (word_length == last_length && strncmp(word, last, word_length) == 0) continue;
        last = word, last_length = word_length;
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? ", " : "",
                                 (int)word_length, word);
    }
    if (used >= size) memcpy(text + size - 4, "...", 4);
}

/* The nearest among all names and all beginnings of names. */
static const char *nearest(const ts_catalogue *list, const char *selector, char *text,
                           size_t size) {
    int best = INT_MAX;
    char candidate[512];
    text[0] = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->items[i].name;
        for (size_t end = name_to(name, 0);; end = name_to(name, end + 1)) {
            snprintf(candidate, sizeof candidate, "%.*s", (int)end, name);
            if (ts_word_closer(selector, strlen(selector), candidate, &best))
                snprintf(text, size, "%s", candidate);
            if (!name[end]) break;
        }
    }
    return text;
}

static bool known(const ts_catalogue *list, const char *selector, size_t length) {
    for (size_t i = 0; i < list->count; i++)
        if (below(list->items[i].name, selector, length)) return true;
    return false;
}

/* The longest beginning that exists decides what is listed: of a body, or of the whole file. */
static int unknown(const ts_results *r, const ts_catalogue *list, const char *selector) {
    char near[512], there[400], hint[560] = "";
    size_t length = strlen(selector);
    while (length > 0 && !known(list, selector, length))
        for (length--; length > 0 && selector[length] != '.';) length--;
    list_below(list, selector, length, there, sizeof there);
    if (nearest(list, selector, near, sizeof near)[0])
        snprintf(hint, sizeof hint, " Did you mean '%s'?", near);
    if (length == 0)
        return ts_fail(TORSOR_EINVAL, "%s has no '%s'.%s There are: %s", r->path, selector, hint,
                       there);
    return ts_fail(TORSOR_EINVAL, "%s has no '%s'.%s '%.*s' has: %s", r->path, selector, hint,
                   (int)length, selector, there);
}

static int choose_one(const ts_results *r, const ts_catalogue *list, const char *selector,
                      choice *chosen) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, selector) == 0) {
            choose(chosen, &list->items[i]);
            return 0;
        }
    size_t before = chosen->count;
    choose_below(list, selector, chosen);
    return chosen->count > before ? 0 : unknown(r, list, selector);
}

static int choose_all(const ts_results *r, const ts_catalogue *list, int selectors,
                      char *const *selector, choice *chosen) {
    int status = 0;
    for (int i = 0; i < selectors && !status; i++)
        status = choose_one(r, list, selector[i], chosen);
    for (size_t i = 0; i < list->count && selectors <= 0; i++)
        if (list->items[i].usual) choose(chosen, &list->items[i]);
    return status;
}

/* ---- printing ---- */

/* A name with a comma, quote or line end is quoted (RFC 4180). */
static void print_name(FILE *out, const char *name, const char *unit) {
    bool quote = strpbrk(name, ",\"\r\n") != NULL;
    if (quote) fputc('"', out);
    for (const char *p = name; *p; p++) {
        if (*p == '"') fputc('"', out);
        fputc(*p, out);
    }
    fprintf(out, " [%s]", unit);
    if (quote) fputc('"', out);
}

static int print_frames(ts_results *r, const choice *chosen, double *row[TS_SERIES_COUNT],
                        FILE *out) {
    for (int64_t frame = 0; frame < ts_results_frames(r); frame++) {
        for (int s = 0; s < TS_SERIES_COUNT; s++)
            if (row[s] && ts_results_rows(r, (ts_series_id)s, frame, 1, row[s])) return TORSOR_EIO;
        fprintf(out, "%.17g", row[TS_FRAME_T][0]);
        for (size_t i = 0; i < chosen->count; i++)
            fprintf(out, ",%.17g",
                    ts_column_value(chosen->items[i], row[chosen->items[i]->series]));
        fputc('\n', out);
    }
    return fflush(out) || ferror(out) ? ts_fail(TORSOR_EIO, "cannot write the table") : 0;
}

static int print_table(ts_results *r, const choice *chosen, FILE *out) {
    fputs("t [s]", out);
    for (size_t i = 0; i < chosen->count; i++) {
        fputc(',', out);
        print_name(out, chosen->items[i]->name, chosen->items[i]->unit);
    }
    fputc('\n', out);

    double *row[TS_SERIES_COUNT] = {[TS_FRAME_T] = ts_calloc(1, sizeof(double))};
    for (size_t i = 0; i < chosen->count; i++) {
        ts_series_id s = chosen->items[i]->series;
        if (!row[s]) row[s] = ts_calloc((size_t)r->track[s].values, sizeof(double));
    }
    int status = print_frames(r, chosen, row, out);
    for (int s = 0; s < TS_SERIES_COUNT; s++) free(row[s]);
    return status;
}

int ts_results_csv(ts_results *r, int selectors, char *const *selector, FILE *out) {
    ts_catalogue list = {0};
    choice chosen = {0};
    int status = ts_catalogue_make(r, &list);
    if (!status) status = choose_all(r, &list, selectors, selector, &chosen);
    if (!status) status = print_table(r, &chosen, out);
    free(chosen.items);
    ts_catalogue_clear(&list);
    return status;
}

/* ---- the same as numbers ---- */

static void table_new(ts_columns *t, const choice *chosen, int64_t rows) {
    *t = (ts_columns){.rows = rows, .count = (int)chosen->count + 1};
    t->name = ts_calloc((size_t)t->count, sizeof *t->name);
    t->unit = ts_calloc((size_t)t->count, sizeof *t->unit);
    t->inside = ts_calloc((size_t)t->count, sizeof *t->inside);
    t->data = ts_calloc((size_t)t->count * (size_t)rows, sizeof(double));
    t->name[0] = ts_strdup("t"), t->unit[0] = ts_strdup("s");
    for (int i = 1; i < t->count; i++) {
        t->name[i] = ts_strdup(chosen->items[i - 1]->name);
        t->unit[i] = ts_strdup(chosen->items[i - 1]->unit);
        ts_series_id series = chosen->items[i - 1]->series;
        t->inside[i] = series == TS_FRAME_SECTION_FORCE || series == TS_FRAME_SECTION_STRAIN;
    }
}

/* Series by series, in blocks of about a megabyte. */
static int fill_series(ts_results *r, ts_series_id s, const choice *chosen, ts_columns *t) {
    int64_t values = r->track[s].values, most = values < 131072 ? 131072 / values : 1;
    double *block = ts_calloc((size_t)(most * values), sizeof(double));
    int status = 0;
    for (int64_t first = 0; first < t->rows && !status; first += most) {
        int64_t rows = t->rows - first < most ? t->rows - first : most;
        status = ts_results_rows(r, s, first, rows, block);
        for (size_t i = 0; i < chosen->count && !status; i++) {
            if (chosen->items[i]->series != s) continue;
            double *to = t->data + (int64_t)(i + 1) * t->rows + first;
            for (int64_t k = 0; k < rows; k++)
                to[k] = ts_column_value(chosen->items[i], block + k * values);
        }
    }
    free(block);
    return status;
}

static int fill_table(ts_results *r, const choice *chosen, ts_columns *t) {
    bool wanted[TS_SERIES_COUNT] = {false};
    int status = t->rows ? ts_results_rows(r, TS_FRAME_T, 0, t->rows, t->data) : 0;
    for (size_t i = 0; i < chosen->count; i++) wanted[chosen->items[i]->series] = true;
    for (int s = 0; s < TS_SERIES_COUNT && !status; s++)
        if (wanted[s]) status = fill_series(r, (ts_series_id)s, chosen, t);
    return status;
}

int ts_results_columns(ts_results *r, int selectors, char *const *selector, bool rows,
                       ts_columns *out) {
    ts_catalogue list = {0};
    choice chosen = {0};
    *out = (ts_columns){0};
    int status = ts_catalogue_make(r, &list);
    if (!status && !rows)
        for (size_t i = 0; i < list.count; i++) choose(&chosen, &list.items[i]);
    if (!status && rows) status = choose_all(r, &list, selectors, selector, &chosen);
    if (!status) {
        table_new(out, &chosen, rows ? ts_results_frames(r) : 0);
        status = fill_table(r, &chosen, out);
    }
    if (status) ts_columns_clear(out);
    free(chosen.items);
    ts_catalogue_clear(&list);
    return status;
}

/* Without a part of many nodes' inner ones; aliases are the names of ends and corners, numbers aside. */
static bool tells_most(const ts_column *c) {
    const char *word = strchr(c->name, '.');
    bool place = strstr(c->name, ".position.") != NULL;
    if (c->series == TS_FRAME_LEDGER) return false;
    return c->alias ? place && word && (word[1] < '0' || word[1] > '9') : c->usual && !c->ordinal;
}

int ts_results_channels(ts_results *r, ts_columns *out) {
    ts_catalogue list = {0};
    choice chosen = {0};
    *out = (ts_columns){0};
    int status = ts_catalogue_make(r, &list);
    for (size_t i = 0; i < list.count && !status; i++)
        if (tells_most(&list.items[i])) choose(&chosen, &list.items[i]);
    if (!status && chosen.count == 0) status = choose_all(r, &list, 0, NULL, &chosen);
    if (!status) {
        table_new(out, &chosen, ts_results_frames(r));
        status = fill_table(r, &chosen, out);
    }
    if (status) ts_columns_clear(out);
    free(chosen.items);
    ts_catalogue_clear(&list);
    return status;
}

void ts_columns_clear(ts_columns *t) {
    for (int i = 0; i < t->count; i++) free(t->name[i]), free(t->unit[i]);
    free(t->name), free(t->unit), free(t->inside), free(t->data);
    *t = (ts_columns){0};
}
