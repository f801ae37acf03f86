/* The list of schemes, by name, and their parameters. See schemes.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/schemes.h"

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

bool ts_scheme_takes_rho(const ts_scheme *scheme) { return scheme && scheme->takes_rho; }

const ts_scheme_parameter *ts_scheme_parameter_find(const ts_scheme *scheme, const char *name,
                                                    size_t length) {
    const ts_scheme_parameter *p = scheme->parameters;
    for (; p && p->name; p++)
        if (strlen(p->name) == length && memcmp(p->name, name, length) == 0) return p;
    return NULL;
}

int ts_scheme_choice(const ts_scheme_parameter *p, const char *word, size_t length) {
    for (int i = 0; p->choices && p->choices[i]; i++)
        if (strlen(p->choices[i]) == length && memcmp(p->choices[i], word, length) == 0) return i;
    return -1;
}

void ts_scheme_number_word(char *word, size_t size, const char *name, double value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.15g", value);
    if (strtod(digits, NULL) != value) snprintf(digits, sizeof digits, "%.17g", value);
    snprintf(word, size, "%s=%s", name, digits);
}
