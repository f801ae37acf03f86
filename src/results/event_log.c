/* What happened, from stored states: those in which an event is found to have happened more often
 * than in the state before. */
#include "results/event_log.h"

#include <stdlib.h>

#include "base/error.h"
#include "results/contents.h"

enum { BLOCK = 1024 }; /* states read at a time */

/* Numbers of a block of states, one for each event. */
typedef struct block {
    double *last, *count, *time;
    int64_t *order; /* events of one state, by time */
} block;

static void sort_by_time(int64_t n, const double *time, int64_t *order) {
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; at > 0 && time[order[at - 1]] > time[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

static void tell_state(const ts_records *events, block *b, int64_t state, ts_event_listener *tell,
                       void *context) {
    const double *count = b->count + state * events->rows, *time = b->time + state * events->rows;
    sort_by_time(events->rows, time, b->order);
    for (int64_t i = 0; i < events->rows; i++) {
        int64_t k = b->order[i];
        const ts_table_cell *row = ts_record(events, k);
        ts_happening h = {time[k], (int64_t)(count[k] - b->last[k]), row[TS_EVENT_PART].text,
                          row[TS_EVENT_MARK].text};
        if (count[k] > b->last[k]) tell(context, &h);
        b->last[k] = count[k];
    }
}

/* The first state of a restarted run says what had happened before. */
static int walk(ts_results *r, const ts_records *events, ts_event_listener *tell, void *context) {
    size_t n = (size_t)events->rows, all = (size_t)BLOCK * n;
    block b = {.last = ts_calloc(n, sizeof *b.last), .order = ts_calloc(n, sizeof *b.order)};
    b.count = ts_calloc(all, sizeof *b.count), b.time = ts_calloc(all, sizeof *b.time);
    int64_t states = r->rows[TS_FRAMES];
    int status = states ? ts_results_rows(r, TS_FRAME_EVENT_COUNT, 0, 1, b.last) : 0;
    for (int64_t first = 0; first < states && !status; first += BLOCK) {
        int64_t rows = states - first < BLOCK ? states - first : BLOCK;
        status = ts_results_rows(r, TS_FRAME_EVENT_COUNT, first, rows, b.count);
        if (!status) status = ts_results_rows(r, TS_FRAME_EVENT_TIME, first, rows, b.time);
        for (int64_t i = 0; i < rows && !status; i++) tell_state(events, &b, i, tell, context);
    }
    free(b.last), free(b.order), free(b.count), free(b.time);
    return status;
}

int ts_results_events(ts_results *r, ts_event_listener *tell, void *context) {
    ts_records events;
    if (r->track[TS_FRAME_EVENT_COUNT].set < 0 || r->track[TS_FRAME_EVENT_TIME].set < 0) return 0;
    int status = ts_results_table(r, TS_EVENTS_TABLE, &events);
    bool counted = !status && events.rows == r->entries[TS_EACH_EVENT];
    if (counted && events.rows > 0) status = walk(r, &events, tell, context);
    ts_records_clear(&events);
    return status;
}
