/* Events in a results file, in the order of time: see event_log.c. */
#ifndef TS_EVENT_LOG_H
#define TS_EVENT_LOG_H

#include "results/file.h"

typedef struct ts_happening {
    double t;
    int64_t times;           /* since the stored state before; t is the last of them */
    const char *name, *mark; /* mark: "" where the event has none */
} ts_happening;

typedef void ts_event_listener(void *context, const ts_happening *happening);
int ts_results_events(ts_results *results, ts_event_listener *tell, void *context);

#endif
