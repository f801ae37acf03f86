/* SPDX-License-Identifier: Apache-2.0 */
/* Errors: one code and one thread-local message in words.
 *
 * A function that can fail returns an int: 0 is success, > 0 is recoverable (a step that may be
 * retried with a smaller size), < 0 is final. `ts_fail` records the message and returns the code,
 * so that a failing line reads `return ts_fail(TORSOR_EINVAL, "...")`. The message stays until the
 * next failure on the same thread.
 */
#ifndef TS_ERROR_H
#define TS_ERROR_H

#include "base/memory.h"
#include "torsor/torsor.h"

int ts_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *ts_error_message(void);

/* Further facts of the last failure; `code` is passed through, so that calls can be nested around
 * ts_fail. */
int ts_blame(int code, const char *part, double t); /* the failing part, and the time (NaN: none) */
int ts_locate(int code, const char *file, int line, int column, const char *hint);
char *ts_error_report(size_t *size); /* length for the whole list of mistakes */

#endif
