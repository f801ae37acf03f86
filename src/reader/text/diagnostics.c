/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics: collecting them with their places, and printing them in the style of compilers. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plain.h"
#include "reader/text/source.h"

enum { MESSAGE_SIZE = 600, SOURCE_WIDTH = 160, MAX_LINE = 20000, MAX_HINT = 200, FILE_SIZE = 4096 };

static const char ALSO[] = "also on line";
static const char MORE[] = "there are more problems; these are the first";

/* ---- the text and its lines ---- */

struct ts_place {
    size_t offset;
    int line, column;
};

static bool line_ends(const ts_source *s, size_t i) {
    if (s->text[i] == '\n') return true;
    return s->text[i] == '\r' && !(i + 1 < s->length && s->text[i + 1] == '\n');
}

void ts_source_open(ts_source *s, const char *name, const char *text, size_t length,
                    ts_diagnostics *diagnostics) {
    *s = (ts_source){.name = name, .text = text, .length = length, .diagnostics = diagnostics};
    int lines = 1;
    for (size_t i = 0; i < length; i++) lines += line_ends(s, i);
    s->line = ts_calloc((size_t)lines, sizeof *s->line);
    s->last = ts_calloc(1, sizeof *s->last);
    s->lines = 1;
    for (size_t i = 0; i < length; i++)
        if (line_ends(s, i)) s->line[s->lines++] = i + 1;
}

void ts_source_close(ts_source *s) {
    free(s->line), free(s->last);
    s->line = NULL, s->last = NULL;
}

/* The last line that begins at or before the offset. */
static int line_of(const ts_source *s, size_t offset) {
    int low = 0, high = s->lines;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (s->line[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool continues_character(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

void ts_source_place(const ts_source *s, size_t offset, int *line, int *column) {
    if (offset > s->length) offset = s->length;
    struct ts_place *at = s->last;
    int wanted = line_of(s, offset) + 1;
    if (at->line != wanted || at->offset > offset)
        *at = (struct ts_place){s->line[wanted - 1], wanted, 1};
    for (; at->offset < offset; at->offset++)
        at->column += !continues_character(s->text[at->offset]);
    *line = at->line, *column = at->column;
}

char *ts_source_line(const ts_source *s, int line) {
    size_t start = s->line[line - 1];
    size_t end = line < s->lines ? s->line[line] : s->length;
    while (end > start && (s->text[end - 1] == '\n' || s->text[end - 1] == '\r')) end--;
    if (end - start > MAX_LINE) return NULL;
    char *copy = ts_calloc(end - start + 1, 1);
    memcpy(copy, s->text + start, end - start);
    for (char *c = copy; c < copy + (end - start); c++)
        if (!*c) *c = '?';
    return ts_plain(copy);
}

/* ---- collecting ---- */

static void append(ts_diagnostics *list, ts_diagnostic item) {
    ts_grow(list->items, list->room, list->count + 1);
    list->items[list->count++] = item;
}

bool ts_report_full(const ts_source *s) { return s->diagnostics->count > TS_MAX_DIAGNOSTICS; }

/* A file that is included several times reports its mistakes once. */
static bool told_already(const ts_source *s, const ts_diagnostic *item, const char *message) {
    for (int i = 0; i < s->diagnostics->count; i++) {
        const ts_diagnostic *d = &s->diagnostics->items[i];
        if (d->line == item->line && d->column == item->column && strcmp(d->file, s->name) == 0 &&
            strcmp(d->message, message) == 0)
            return true;
    }
    return false;
}

/* The hint, and who includes the file. */
static char *whole_hint(const ts_source *s, const char *hint) {
    size_t length = hint ? strlen(hint) : 0, more = s->from ? strlen(s->from) : 0;
    if (length + more == 0) return NULL;
    char *whole = ts_calloc(length + more + 4, 1);
    snprintf(whole, length + more + 4, "%s%s%s", length ? hint : "", length && more ? "; " : "",
             more ? s->from : "");
    return ts_plain(whole);
}

bool ts_report(const ts_source *s, size_t offset, const char *hint, const char *format, ...) {
    if (ts_report_full(s)) return false;
    if (s->diagnostics->count == TS_MAX_DIAGNOSTICS) {
        ts_diagnostics_add(s->diagnostics, s->name, MORE);
        return false;
    }
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);

    ts_diagnostic item = {.line = 0};
    ts_source_place(s, offset, &item.line, &item.column);
    if (s->from && told_already(s, &item, ts_plain(message))) return false;
    item.file = ts_strdup(s->name), item.message = ts_strdup(ts_plain(message));
    item.hint = whole_hint(s, hint);
    item.source = ts_source_line(s, item.line);
    append(s->diagnostics, item);
    return false;
}

void ts_report_hint(const ts_source *s, int first, const char *words, const char *hint) {
    for (int i = first; *hint && i < s->diagnostics->count; i++) {
        ts_diagnostic *item = &s->diagnostics->items[i];
        if (!item->hint && strncmp(item->message, words, strlen(words)) == 0)
            item->hint = ts_plain(ts_strdup(hint));
    }
}

void ts_report_also(const ts_source *s, int which, size_t offset) {
    ts_diagnostic *item = &s->diagnostics->items[which];
    size_t length = item->hint ? strlen(item->hint) : 0;
    const char *also = item->hint ? strstr(item->hint, ALSO) : NULL;
    int line, column;
    ts_source_place(s, offset, &line, &column);
    if (length > MAX_HINT || (!also && line == item->line) || strcmp(item->file, s->name)) return;
    char *hint = ts_calloc(length + sizeof ALSO + 16, 1), number[16];
    snprintf(number, sizeof number, " %d", line);
    snprintf(hint, length + sizeof ALSO + 16, "%s%s%s%s", length ? item->hint : "",
             also     ? ","
             : length ? "; "
                      : "",
             also ? "" : ALSO, number);
    free(item->hint);
    item->hint = hint;
}

void ts_diagnostics_add(ts_diagnostics *list, const char *file, const char *message) {
    append(list, (ts_diagnostic){.file = ts_strdup(file), .message = ts_strdup(message)});
}

/* Diagnostics without a place come last. */
static int by_place(const ts_diagnostic *a, const ts_diagnostic *b) {
    if (!a->line != !b->line) return a->line ? -1 : 1;
    int files = strcmp(a->file, b->file);
    if (files) return files;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

/* Insertion: the list is short, mostly in order, and equals must not change places. */
void ts_diagnostics_finish(ts_diagnostics *list) {
    for (int i = 1; i < list->count; i++)
        for (int j = i; j > 0 && by_place(&list->items[j - 1], &list->items[j]) > 0; j--) {
            ts_diagnostic swap = list->items[j];
            list->items[j] = list->items[j - 1], list->items[j - 1] = swap;
        }
}

void ts_diagnostics_move(ts_diagnostics *to, ts_diagnostics *from) {
    for (int i = 0; i < from->count; i++) append(to, from->items[i]);
    from->count = 0;
}

void ts_diagnostics_clear(ts_diagnostics *list) {
    if (!list) return;
    for (int i = 0; i < list->count; i++) {
        ts_diagnostic *item = &list->items[i];
        free(item->file), free(item->message), free(item->hint), free(item->source);
    }
    free(list->items);
    *list = (ts_diagnostics){0};
}

/* ---- printing ---- */

typedef struct paint {
    const char *bold, *red, *green, *cyan, *off;
} paint;

static const paint PLAIN = {"", "", "", "", ""};
static const paint COLOURS = {"\033[1m", "\033[1;31m", "\033[1;32m", "\033[36m", "\033[0m"};

/* The bytes of `count` characters. */
static size_t bytes_of(const char *text, int count) {
    const char *at = text;
    for (; *at && count > 0; count--) do
            at++;
        while (continues_character(*at));
    return (size_t)(at - text);
}

/* The line and a caret below; of a long line the part around the caret. */
static void print_source(const ts_diagnostic *d, FILE *out, const paint *p) {
    int first = d->column > SOURCE_WIDTH - 20 ? d->column - SOURCE_WIDTH / 2 : 0;
    const char *from = d->source + bytes_of(d->source, first);
    size_t shown = bytes_of(from, SOURCE_WIDTH);
    const char *before = first ? "..." : "", *after = from[shown] ? "..." : "";
    fprintf(out, "  %s%.*s%s\n  %*s", before, (int)shown, from, after, (int)strlen(before), "");
    for (int i = first + 1; i < d->column && *from; i++, from += bytes_of(from, 1))
        fputc(*from == '\t' ? '\t' : ' ', out);
    fprintf(out, "%s^%s\n", p->green, p->off);
}

static void print_one(const ts_diagnostic *d, FILE *out, const paint *p) {
    char file[FILE_SIZE];
    fprintf(out, "%s%s:", p->bold, ts_plain_copy(file, sizeof file, d->file ? d->file : "model"));
    if (d->line > 0) fprintf(out, "%d:%d:", d->line, d->column);
    fprintf(out, "%s %serror:%s %s%s%s\n", p->off, p->red, p->off, p->bold, d->message, p->off);
    if (d->source && d->line > 0) print_source(d, out, p);
    if (d->hint) fprintf(out, "  %shint:%s %s\n", p->cyan, p->off, d->hint);
}

void ts_diagnostics_print(const ts_diagnostics *list, FILE *out, bool colour) {
    for (int i = 0; i < list->count; i++)
        print_one(&list->items[i], out, colour ? &COLOURS : &PLAIN);
}
