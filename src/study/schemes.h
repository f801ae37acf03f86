/* All schemes by name, those of production first, and their parameters. */
#ifndef TS_STUDY_SCHEMES_H
#define TS_STUDY_SCHEMES_H

#include "scheme/schemes.h"

/* Terminated by NULL. */
extern const ts_scheme *const TS_STUDY_SCHEMES[];

const ts_scheme *ts_scheme_find(const char *name); /* of the time steps */
const char *ts_scheme_name(int index);             /* NULL past the end */
bool ts_scheme_takes_rho(const ts_scheme *scheme); /* false of NULL */
/* The parameter of a scheme by its name, or NULL. The place of a word among the choices of a parameter, or -1. */
const ts_scheme_parameter *ts_scheme_parameter_find(const ts_scheme *scheme, const char *name,
                                                    size_t length);
int ts_scheme_choice(const ts_scheme_parameter *parameter, const char *word, size_t length);
/* "name=value" with as many digits as it takes */
void ts_scheme_number_word(char *word, size_t size, const char *name, double value);

#endif
