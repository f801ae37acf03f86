/* SPDX-License-Identifier: Apache-2.0 */
/* Selectors, and the words for those that select nothing. See selector.h. */
#include "output/selector.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "output/pattern.h"

void ts_choose(ts_choice *chosen, const ts_column *item) {
    ts_grow(chosen->items, chosen->room, chosen->count + 1);
    chosen->items[chosen->count++] = item;
}

static bool below(const char *name, const char *selector, size_t length) {
    return strncmp(name, selector, length) == 0 && name[length] == '.';
}

static bool choose_plain(ts_choice *chosen, const ts_catalogue *list, const char *selector) {
    size_t before = chosen->count, length = strlen(selector);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, selector) == 0) {
            ts_choose(chosen, &list->items[i]);
            return true;
        }
    for (size_t i = 0; i < list->count; i++)
        if (below(list->items[i].name, selector, length)) ts_choose(chosen, &list->items[i]);
    return chosen->count > before;
}

/* ---- patterns ---- */

/* The next name after `length` characters of it: "position" of "top.position.x". */
static size_t name_to(const char *name, size_t length) {
    return length + strcspn(name + length, ".");
}

/* Does the pattern match the name or one of its beginnings, apart from the first `stem`
 * characters? */
static bool pattern_takes(const char *pattern, const char *name, size_t stem) {
    for (size_t end = name_to(name, 0);; end = name_to(name, end + 1)) {
        if (end != stem && ts_pattern_matches(pattern, name, end)) return true;
        if (!name[end]) return false;
    }
}

/* The ground does not move: it must be named. */
static bool takes(const char *pattern, const ts_column *c) {
    if (c->node == 0 && ts_pattern_fixed(pattern) == 0) return false;
    return pattern_takes(pattern, c->name, c->stem);
}

/* Columns with the same numbers are equal. */
static int by_numbers(const void *a, const void *b) {
    const ts_column *x = *(const ts_column *const *)a, *y = *(const ts_column *const *)b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    if (x->channel != y->channel) return x->channel < y->channel ? -1 : 1;
    return (x->component > y->component) - (x->component < y->component);
}

/* Matching names of nodes that are no aliases, in the order of by_numbers. */
static size_t sort_nodes(const ts_catalogue *list, const bool *matched, const ts_column **nodes) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (matched[i] && !list->items[i].alias && list->items[i].node >= 0)
            nodes[count++] = &list->items[i];
    if (count) qsort(nodes, count, sizeof *nodes, by_numbers);
    return count;
}

static void choose_matched(ts_choice *chosen, const ts_catalogue *list, const bool *matched) {
    const ts_column **nodes = ts_calloc(list->count + 1, sizeof *nodes);
    size_t count = sort_nodes(list, matched, nodes), before = chosen->count;
    bool *taken = ts_calloc(list->count + 1, sizeof *taken);
    for (size_t i = 0; i < before; i++) taken[chosen->items[i] - list->items] = true;
    for (size_t i = 0; i < list->count; i++) {
        const ts_column *item = &list->items[i];
        bool again =
            item->alias && count && bsearch(&item, nodes, count, sizeof *nodes, by_numbers);
        if (matched[i] && !taken[i] && !again) ts_choose(chosen, item);
    }
    free(taken), free(nodes);
}

static bool choose_pattern(ts_choice *chosen, const ts_catalogue *list, const char *pattern) {
    bool any = false, *matched = ts_calloc(list->count + 1, sizeof *matched);
    for (size_t i = 0; i < list->count; i++) any |= matched[i] = takes(pattern, &list->items[i]);
    if (any) choose_matched(chosen, list, matched);
    free(matched);
    return any;
}

/* ---- short names ---- */

/* Is `name` the selector with one word more before its last one: hinge.angle.rate of hinge.rate? */
static bool is_longer_by_a_word(const char *name, const char *selector, size_t stem) {
    if (!below(name, selector, stem)) return false;
    const char *word = strchr(name + stem + 1, '.');
    return word && strcmp(word, selector + stem) == 0;
}

/* hinge.angle.rate for hinge.rate, a moment of bar.effort for bar.torque. */
static bool stands_for(const ts_column *c, const char *selector, size_t stem) {
    const char *last = selector + stem;
    if (strcmp(last, ".torque") == 0)
        return below(c->name, selector, stem) && strcmp(c->name + stem, ".effort") == 0 &&
               strcmp(c->unit, "N m") == 0;
    if (strcmp(last, ".rate") != 0 && strcmp(last, ".acceleration") != 0) return false;
    return is_longer_by_a_word(c->name, selector, stem);
}

/* Names that expressions of channels have, too: `hinge.rate` of joints with one coordinate and of
 * springs, `bar.torque`. */
static bool choose_short(ts_choice *chosen, const ts_catalogue *list, const char *selector) {
    const char *last = strrchr(selector, '.');
    const ts_column *found = NULL;
    for (size_t i = 0; i < list->count && last; i++) {
        if (!stands_for(&list->items[i], selector, (size_t)(last - selector))) continue;
        if (found) return false;
        found = &list->items[i];
    }
    if (found) ts_choose(chosen, found);
    return found != NULL;
}

bool ts_choose_named(ts_choice *chosen, const ts_catalogue *list, const char *selector) {
    if (ts_is_pattern(selector)) return choose_pattern(chosen, list, selector);
    return choose_plain(chosen, list, selector) || choose_short(chosen, list, selector);
}

void ts_choose_usual(ts_choice *chosen, const ts_catalogue *list) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].usual) ts_choose(chosen, &list->items[i]);
}

/* ---- unknown names ---- */

/* A list of words, each once: "position, velocity". */
typedef struct words {
    char *text;
    size_t size, used;
} words;

/* Words may hold commas themselves. */
static bool has_word(const words *list, const char *word, size_t length) {
    const char *text = list->text, *end = text + strlen(text);
    for (const char *at = text; (size_t)(end - at) >= length; at++) {
        bool begins = at == text || (at > text + 1 && at[-1] == ' ' && at[-2] == ',');
        if (begins && strncmp(at, word, length) == 0 && (!at[length] || at[length] == ','))
            return true;
    }
    return false;
}

static void add_word(words *list, const char *word, size_t length) {
    if (list->used >= list->size || has_word(list, word, length)) return;
    list->used += (size_t)snprintf(list->text + list->used, list->size - list->used, "%s%.*s",
                                   list->used ? ", " : "", (int)length, word);
    if (list->used >= list->size) memcpy(list->text + list->size - 4, "...", 4);
}

/* What stands below the first `length` characters of `selector`. */
static void list_below(const ts_catalogue *list, const char *selector, size_t length, char *text,
                       size_t size) {
    words there = {text, size, 0};
    text[0] = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->items[i].name;
        if (length && !below(name, selector, length)) continue;
        const char *word = name + (length ? length + 1 : 0);
        add_word(&there, word, name_to(word, 0));
    }
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

/* ---- patterns that match nothing ---- */

static bool is_word(const ts_catalogue *list, const char *word, size_t length) {
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->items[i].name;
        for (size_t at = 0, end = name_to(name, 0);; at = end + 1, end = name_to(name, at)) {
            if (end - at == length && strncmp(name + at, word, length) == 0) return true;
            if (!name[end]) break;
        }
    }
    return false;
}

/* The nearest word between dots of any name. */
static bool nearest_word(const ts_catalogue *list, const char *word, size_t length, char *text,
                         size_t size) {
    int best = INT_MAX;
    text[0] = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->items[i].name;
        for (size_t at = 0, end = name_to(name, 0);; at = end + 1, end = name_to(name, at)) {
            char candidate[200];
            snprintf(candidate, sizeof candidate, "%.*s", (int)(end - at), name + at);
            if (ts_word_closer(word, length, candidate, &best))
                snprintf(text, size, "%s", candidate);
            if (!name[end]) break;
        }
    }
    return *text != 0;
}

/* The pattern with each of its words that nothing has replaced by the nearest; "" if that does not
 * help. */
static const char *mended(const ts_catalogue *list, const char *pattern, char *text, size_t size) {
    size_t used = 0;
    for (size_t at = 0, end = name_to(pattern, 0);; at = end + 1, end = name_to(pattern, at)) {
        char word[200];
        size_t length = end - at;
        bool fixed = ts_pattern_fixed(pattern + at) >= length;
        if (!fixed || is_word(list, pattern + at, length) ||
            !nearest_word(list, pattern + at, length, word, sizeof word))
            snprintf(word, sizeof word, "%.*s", (int)length, pattern + at);
        used += (size_t)snprintf(text + used, size - used, "%s%s", at ? "." : "", word);
        if (!pattern[end] || used >= size) break;
    }
    for (size_t i = 0; i < list->count; i++)
        if (takes(text, &list->items[i])) return text;
    return "";
}

/* What a column is of its owner: "position", "angle", "rate". */
static const char *quantity_of(const ts_column *c) {
    const char *dot = strrchr(c->name, '.');
    if (*c->channel->column) return c->channel->column;
    return dot ? dot + 1 : c->name;
}

static void list_quantities(const ts_catalogue *list, char *text, size_t size) {
    words there = {text, size, 0};
    text[0] = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *word = quantity_of(&list->items[i]);
        add_word(&there, word, strlen(word));
    }
}

static const char *pattern_hint(const ts_catalogue *list, const char *pattern,
                                char text[TS_UNKNOWN_SIZE]) {
    char near[512], there[300], quantities[300];
    const char *better = mended(list, pattern, near, sizeof near);
    list_below(list, "", 0, there, sizeof there);
    list_quantities(list, quantities, sizeof quantities);
    int used = snprintf(text, TS_UNKNOWN_SIZE, *better ? " Did you mean '%s'?" : "%s", better);
    snprintf(text + used, (size_t)(TS_UNKNOWN_SIZE - used),
             " Columns begin with: %s. Quantities: %s", there, quantities);
    return text;
}

/* The longest beginning that exists decides what is listed: of a body, or of the whole file. */
const char *ts_unknown_hint(const ts_catalogue *list, const char *selector,
                            char text[TS_UNKNOWN_SIZE]) {
    char near[512], there[400];
    size_t length = strlen(selector);
    if (strchr(selector, ',')) {
        snprintf(text, TS_UNKNOWN_SIZE, " Names are separated by blanks, not by commas");
        return text;
    }
    if (strcmp(selector, "t") == 0 || strcmp(selector, "time") == 0) {
        snprintf(text, TS_UNKNOWN_SIZE,
                 " Leave it out: the time is the first column of every table");
        return text;
    }
    if (ts_is_pattern(selector)) return pattern_hint(list, selector, text);
    while (length > 0 && !known(list, selector, length))
        for (length--; length > 0 && selector[length] != '.';) length--;
    list_below(list, selector, length, there, sizeof there);
    nearest(list, selector, near, sizeof near);
    int used = snprintf(text, TS_UNKNOWN_SIZE, *near ? " Did you mean '%s'?" : "%s", near);
    if (length == 0)
        snprintf(text + used, (size_t)(TS_UNKNOWN_SIZE - used), " There are: %s", there);
    else
        snprintf(text + used, (size_t)(TS_UNKNOWN_SIZE - used), " '%.*s' has: %s",
                 (int)(length < 200 ? length : 200), selector, there);
    return text;
}
