/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of POSIX. See clock.h. */
#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double ts_wall_time(void) { return read_clock(CLOCK_MONOTONIC); }

double ts_processor_time(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

double ts_thread_time(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

void ts_date(char text[TS_CLOCK_TEXT]) {
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, TS_CLOCK_TEXT, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
