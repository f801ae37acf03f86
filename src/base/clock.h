/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks, in seconds. */
#ifndef TS_CLOCK_H
#define TS_CLOCK_H

enum { TS_CLOCK_TEXT = 32 };

double ts_wall_time(void);      /* since some moment in the past; never decreases */
double ts_processor_time(void); /* of this process, all threads together */
double ts_thread_time(void);    /* of the thread that asks */
/* The date and the time of day, UTC: "2024-03-01T12:00:00Z". */
void ts_date(char text[TS_CLOCK_TEXT]);

#endif
