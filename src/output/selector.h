/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing columns by name. A selector selects the column with exactly this name or, if there is
 * none, all columns below it: "top.position" is three columns, "top" all of that body's. A selector
 * with * or ? (output/pattern.h) stands for all names that it matches: "*.angle", "arm?.position".
 * A node with several names then comes once, no column twice, and the ground only by its name. */
#ifndef TS_SELECTOR_H
#define TS_SELECTOR_H

#include "output/catalogue.h"

typedef struct ts_choice {
    const ts_column **items; /* of the catalogue; free them */
    size_t count, room;
} ts_choice;

void ts_choose(ts_choice *chosen, const ts_column *item);
/* false: nothing has that name. */
bool ts_choose_named(ts_choice *chosen, const ts_catalogue *list, const char *selector);
/* Selects the usual columns. */
void ts_choose_usual(ts_choice *chosen, const ts_catalogue *list);

enum { TS_UNKNOWN_SIZE = 1200 };
/* Hint for a name that does not exist: " Did you mean 'top.position'? 'top' has: position,
 * velocity". The catalogue is the whole one. */
const char *ts_unknown_hint(const ts_catalogue *list, const char *selector,
                            char text[TS_UNKNOWN_SIZE]);

#endif
