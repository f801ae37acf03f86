/* SPDX-License-Identifier: Apache-2.0 */
/* The list of channels, see listing.h.
 *
 * As text, the components of a channel share a line, and so do the nodes and stations of a part.
 * All channels of a node under another of its names share one line:
 *
 *     boom.1.position   x y z   m   position of a node; likewise up to boom.21
 *     boom.end.*                    another name of a node, with all its channels
 *
 * JSON has an entry for each column.
 */
#include "output/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"

/* NEAR: components of an owner's channel stand within so many columns. */
enum { NAME_SIZE = 512, WORDS_SIZE = 200, NEAR = 64 };

const char *ts_listing_choose(ts_choice *chosen, const ts_catalogue *list, int selectors,
                              char *const *selector) {
    for (int i = 0; i < selectors; i++)
        if (!ts_choose_named(chosen, list, selector[i])) return selector[i];
    for (size_t i = 0; i < list->count && selectors <= 0; i++) ts_choose(chosen, &list->items[i]);
    return NULL;
}

/* ---- lines ---- */

typedef struct line {
    char name[NAME_SIZE], components[WORDS_SIZE], unit[WORDS_SIZE];
    const char *last; /* the name of the last node or station that shares the line; NULL: none */
    const char *help;
} line;

/* The name without its component. */
static size_t base_of(const ts_column *c) {
    char word[40];
    size_t length = strlen(c->name);
    if (!ts_channel_word(c->channel, c->component, word, sizeof word)) return length;
    return length - strlen(word) - 1;
}

static bool same_base(const ts_column *a, const ts_column *b) {
    size_t length = base_of(a);
    return a->channel == b->channel && length == base_of(b) &&
           strncmp(a->name, b->name, length) == 0;
}

/* Are both of the same channel, of two nodes or stations of one part? */
static bool siblings(const ts_column *a, const ts_column *b) {
    size_t part = strcspn(a->name, ".") + 1;
    return a->channel == b->channel && a->ordinal > 0 && b->ordinal > 0 && a->alias == b->alias &&
           strncmp(a->name, b->name, part) == 0;
}

static void append(char text[WORDS_SIZE], const char *separator, const char *word) {
    size_t used = strlen(text);
    snprintf(text + used, WORDS_SIZE - used, "%s%s", used ? separator : "", word);
}

/* Is the unit one of "N, N m"? */
static bool has_unit(const char *list, const char *unit) {
    for (const char *at = list; *at; at += strcspn(at, ","), at += strspn(at, ", "))
        if (strcspn(at, ",") == strlen(unit) && strncmp(at, unit, strlen(unit)) == 0) return true;
    return false;
}

static void add_component(line *l, const ts_column *c) {
    char word[40];
    if (ts_channel_word(c->channel, c->component, word, sizeof word))
        append(l->components, " ", word);
    if (!has_unit(l->unit, c->unit)) append(l->unit, ", ", c->unit);
}

/* The name of the node or other owner of the column. */
static size_t owner_of(const ts_column *c) {
    size_t column = strlen(c->channel->column);
    return base_of(c) - (column ? column + 1 : 0);
}

/* All columns of a node under another name, which stand together. */
static line alias_line(const ts_choice *chosen, size_t first, bool *done) {
    const ts_column *head = chosen->items[first];
    line l = {.help = "another name of a node, with all its channels"};
    size_t length = owner_of(head);
    snprintf(l.name, sizeof l.name, "%.*s.*", (int)length, head->name);
    for (size_t i = first; i < chosen->count; i++) {
        const ts_column *c = chosen->items[i];
        if (!c->alias || owner_of(c) != length || strncmp(c->name, head->name, length) != 0) break;
        done[i] = true;
    }
    return l;
}

/* The line of a column and of all that share it, which are then done. */
static line line_of(const ts_choice *chosen, size_t first, bool *done) {
    const ts_column *head = chosen->items[first];
    line l = {.help = head->channel->help};
    snprintf(l.name, sizeof l.name, "%.*s", (int)base_of(head), head->name);
    size_t end = head->ordinal ? chosen->count : first + NEAR;
    for (size_t i = first; i < chosen->count && i < end; i++) {
        const ts_column *c = chosen->items[i];
        if (done[i] || c->channel != head->channel) continue;
        if (same_base(c, head))
            add_component(&l, c), done[i] = true;
        else if (siblings(c, head))
            l.last = c->name, done[i] = true;
    }
    return l;
}

/* ---- for people ---- */

static int widest(int width, const char *text) {
    int length = (int)strlen(text), most = 44;
    return length > width ? (length < most ? length : most) : width;
}

static void print_line(FILE *out, const line *l, const int width[3]) {
    fprintf(out, "%-*s  %-*s  %-*s  %s", width[0], l->name, width[1], l->components, width[2],
            l->unit, l->help);
    if (l->last) { /* "boom.21" of "boom.21.position.x", "boom.section.4" of "boom.section.4.N" */
        size_t end = strcspn(l->last, ".") + 1;
        while (l->last[end] && (l->last[end] < '0' || l->last[end] > '9')) end++;
        end += strspn(l->last + end, "0123456789");
        fprintf(out, "; the same up to %.*s", (int)end, l->last);
    }
    fputc('\n', out);
}

static void print_lines(const ts_choice *chosen, bool all, FILE *out) {
    bool *done = ts_calloc(chosen->count + 1, sizeof *done);
    line *lines = NULL, title = {"channel", "components", "unit", NULL, "meaning"};
    size_t count = 0, room = 0;
    int width[3] = {7, 10, 4};
    for (size_t i = 0; i < chosen->count; i++) {
        const ts_column *c = chosen->items[i];
        if (done[i] || (all && c->node == 0)) continue; /* the ground does not move */
        ts_grow(lines, room, count + 1);
        lines[count++] = all && c->alias ? alias_line(chosen, i, done) : line_of(chosen, i, done);
    }
    for (size_t i = 0; i < count; i++) {
        width[0] = widest(width[0], lines[i].name);
        width[1] = widest(width[1], lines[i].components);
        width[2] = widest(width[2], lines[i].unit);
    }
    if (count) print_line(out, &title, width);
    for (size_t i = 0; i < count; i++) print_line(out, &lines[i], width);
    free(lines), free(done);
}

/* ---- for programs ---- */

static void print_json(const ts_choice *chosen, FILE *out) {
    ts_json j = {.out = out};
    ts_json_open(&j, NULL, '{');
    ts_json_open(&j, "channels", '[');
    for (size_t i = 0; i < chosen->count; i++) {
        const ts_column *c = chosen->items[i];
        ts_json_open(&j, NULL, '{');
        ts_json_text(&j, "name", c->name);
        ts_json_text(&j, "unit", c->unit);
        ts_json_text(&j, "of", TS_FAMILY[c->channel->each].word);
        ts_json_flag(&j, "alias", c->alias);
        ts_json_text(&j, "help", c->channel->help);
        ts_json_close(&j, '}');
    }
    ts_json_close(&j, ']');
    ts_json_close(&j, '}');
    fputc('\n', out);
}

void ts_listing_print(const ts_choice *chosen, bool all, bool json, FILE *out) {
    if (json)
        print_json(chosen, out);
    else
        print_lines(chosen, all, out);
}
