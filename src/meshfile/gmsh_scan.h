/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of a file of Gmsh, in text or in bytes, one after the other; nothing is read beyond the
 * end.
 *
 * Functions that can fail return false; the problem is then in *problem.
 */
#ifndef TS_GMSH_SCAN_H
#define TS_GMSH_SCAN_H

#include <stdint.h>

#include "meshfile/gmsh.h"

typedef struct ts_scan {
    const char *text;
    size_t length, at;
    bool binary, swapped;
    size_t word; /* bytes of a size_t in the file */
    ts_gmsh_problem *problem;
} ts_scan;

/* Always false. */
bool ts_scan_fail(ts_scan *s, size_t at, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

size_t ts_scan_left(const ts_scan *s); /* bytes */
bool ts_scan_blank(char c);
void ts_scan_blanks(ts_scan *s); /* skips them */
size_t ts_scan_here(ts_scan *s); /* where the next thing begins */

/* `what` is for the message: "expected a whole number: tag of a node". */
bool ts_scan_int(ts_scan *s, int *out, const char *what);
bool ts_scan_size(ts_scan *s, uint64_t *out, const char *what);
bool ts_scan_double(ts_scan *s, double *out);  /* finite */
bool ts_scan_decimal(ts_scan *s, double *out); /* in text, whatever the rest of the file is */

/* The fewest bytes that so many numbers take; is the rest of the file enough for so many things of
 * that size? */
size_t ts_scan_least(const ts_scan *s, size_t ints, size_t sizes, size_t doubles);
bool ts_scan_covered(ts_scan *s, uint64_t count, size_t bytes, const char *what);

#endif
