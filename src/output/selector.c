/* Selectors, and the words for those that select nothing. See selector.h. */
#include "output/selector.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"

void ts_choose(ts_choice *chosen, const ts_column *item) {
    ts_grow(chosen->items, chosen->room, chosen->count + 1);
    chosen->items[chosen->count++] = item;
}

static bool below(const char *name, const char *selector, size_t length) {
    return strncmp(name, selector, length) == 0 && name[length] == '.';
}

bool ts_choose_named(ts_choice *chosen, const ts_catalogue *list, const char *selector) {
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

void ts_choose_usual(ts_choice *chosen, const ts_catalogue *list) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].usual) ts_choose(chosen, &list->items[i]);
}

/* ---- unknown names ---- */

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
const char *ts_unknown_hint(const ts_catalogue *list, const char *selector,
                            char text[TS_UNKNOWN_SIZE]) {
    char near[512], there[400];
    size_t length = strlen(selector);
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
