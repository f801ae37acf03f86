/* SPDX-License-Identifier: Apache-2.0 */
/* The audit of resolution in a results file, and as JSON. See results.h, system/resolution.h.
 *
 * A complete file contains its verdict as text. For a run that is still running, or was killed, the
 * verdict is made from the last stored state. */
#include "results/audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "results/contents.h"

static int name_places(ts_results *r, ts_audit *out) {
    ts_records parts;
    int status = ts_results_table(r, TS_PARTS_TABLE, &parts);
    for (int m = 0; m < TS_GAUGES && !status; m++) {
        double part = out->peak[m].part;
        bool known = part >= 0 && part < (double)parts.rows;
        const char *name = known ? ts_record(&parts, (int64_t)part)[TS_PART_NAME].text : "";
        if (!known) out->peak[m].part = -1;
        ts_peak_where(NULL, name, (ts_gauge)m, &out->peak[m], out->where[m], sizeof out->where[m]);
    }
    ts_records_clear(&parts);
    return status;
}

static int read_peaks(ts_results *r, ts_audit *out) {
    int64_t frames = r->rows[TS_FRAMES];
    int status = ts_results_rows(r, TS_FRAME_RESOLUTION, frames - 1, 1, out->peak);
    if (!status) status = name_places(r, out);
    if (!status) ts_audit_judge(out);
    return status;
}

int ts_results_audit(ts_results *r, ts_audit *out) {
    char text[TS_RESOLUTION_WORDS + 1];
    int64_t level;
    *out = (ts_audit){.level = -1};
    if (r->track[TS_FRAME_RESOLUTION].set < 0 || r->entries[TS_EACH_MEASURE] != TS_GAUGES ||
        r->rows[TS_FRAMES] == 0)
        return 0;
    int status = read_peaks(r, out);
    if (status) return status;
    if (!r->end_whole || ts_h5_get_integer(r->file, "/summary", "resolution_level", &level) ||
        ts_h5_get_text(r->file, "/summary", "resolution", text, sizeof text) || level < 0 ||
        level > TS_UNRESOLVED)
        return 0;
    out->level = (int)level;
    snprintf(out->text, sizeof out->text, "%.*s", TS_RESOLUTION_WORDS - 1, text);
    return 0;
}

/* ---- JSON ---- */

static void json_measure(ts_json *j, const ts_audit *audit, ts_gauge m) {
    const ts_gauge_about *about = &TS_GAUGE[m];
    const ts_peak *peak = &audit->peak[m];
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "name", about->name);
    ts_json_text(j, "what", about->what);
    ts_json_text(j, "level", TS_RESOLUTION_NAME[ts_peak_level(m, peak)]);
    ts_json_number(j, "value", peak->value);
    ts_json_text(j, "unit", about->unit);
    ts_json_number(j, "t", peak->t);
    ts_json_text(j, "where", audit->where[m]);
    ts_json_number(j, "told", about->told);
    ts_json_number(j, "coarse", about->coarse);
    ts_json_number(j, "rejected", about->rejected);
    ts_json_text(j, "advice", about->advice);
    ts_json_close(j, '}');
}

void ts_audit_json(const ts_audit *audit, ts_json *j) {
    ts_json_open(j, "resolution", '{');
    ts_json_text(j, "level", audit->level < 0 ? "unknown" : TS_RESOLUTION_NAME[audit->level]);
    ts_json_text(j, "text", audit->text);
    ts_json_open(j, "measures", '[');
    for (int m = 0; m < TS_GAUGES && audit->level >= 0; m++) json_measure(j, audit, (ts_gauge)m);
    ts_json_close(j, ']');
    ts_json_close(j, '}');
}
