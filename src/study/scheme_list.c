/* SPDX-License-Identifier: Apache-2.0 */
/* The list of schemes, by name. See schemes.h. */
#include <string.h>

#include "study/schemes.h"
#include "study/study.h"

static const ts_scheme *const SCHEMES[] = {&TS_SCHEME_ED, &TS_SCHEME_EP};
enum { SCHEME_COUNT = sizeof SCHEMES / sizeof *SCHEMES };

/* Those of production first, then those for study. */
static const ts_scheme *scheme_at(int i) {
    if (i < SCHEME_COUNT) return SCHEMES[i];
    for (int k = 0; TS_STUDY_SCHEMES[k]; k++)
        if (k == i - SCHEME_COUNT) return TS_STUDY_SCHEMES[k];
    return NULL;
}

const char *ts_scheme_name(int i) {
    const ts_scheme *scheme = i >= 0 ? scheme_at(i) : NULL;
    return scheme ? scheme->name : NULL;
}

const ts_scheme *ts_scheme_find(const char *name) {
    for (int i = 0; scheme_at(i); i++)
        if (strcmp(scheme_at(i)->name, name) == 0) return scheme_at(i);
    return NULL;
}

bool ts_scheme_has_balance(const ts_scheme *scheme) {
    return !scheme || scheme->book != ts_book_rest;
}
