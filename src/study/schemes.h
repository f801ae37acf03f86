/* SPDX-License-Identifier: Apache-2.0 */
/* All schemes by name, those of production first. */
#ifndef TS_STUDY_SCHEMES_H
#define TS_STUDY_SCHEMES_H

#include "scheme/schemes.h"

/* Terminated by NULL. */
extern const ts_scheme *const TS_STUDY_SCHEMES[];

const ts_scheme *ts_scheme_find(const char *name); /* of the time steps */
const char *ts_scheme_name(int index);             /* NULL past the end */
/* Does it account for all energy by itself? Others book what is missing, see ts_book_rest. */
bool ts_scheme_has_balance(const ts_scheme *scheme); /* true of NULL */

#endif
