/* SPDX-License-Identifier: Apache-2.0 */
/* Modes in a page: the object "modes" beside the scene that they are about.
 *
 *   title, buckling, settled, mass, about, spin, free_motions    as torsor_modes tells them
 *   speeds       list: {omega, modes}; each mode with what it is: frequency (rad/s), growth,
 *                damping, factor, rigid, part, axis, share, words of free motions, effective
 *                masses, whirl
 *   curves       by curve: its mode at each speed, -1 where it has none; [] without a diagram
 *   shape        rows of nodes x 6, displacement and rotation vector, for all modes of all speeds,
 *                or for the last speed only where they would be more than MOST_NUMBERS
 *   early        the imaginary part of shape, in the same layout; none of real modes
 *   shapes_from  the first speed whose shapes are there
 */
#include <stdlib.h>

#include "base/memory.h"
#include "picture/report_data.h"

enum { MOST_NUMBERS = 6000000 };

static void put_words(ts_json *j, const ts_drawn_modes *d, const ts_modes *modes, int i) {
    char words[400] = "";
    if (modes->mode[i].rigid) ts_mode_free_words(d->system, modes, i, words, sizeof words);
    ts_json_text(j, "words", words);
}

static void put_mode(ts_json *j, const ts_drawn_modes *d, const ts_modes *modes, int i) {
    const ts_mode *m = &modes->mode[i];
    ts_mode_hint hint = ts_mode_explain(d->system, modes, i);
    ts_whirl whirl = ts_mode_whirl(d->system, modes, i);
    const double effective[3] = {m->effective.x, m->effective.y, m->effective.z};
    ts_json_open(j, NULL, '{');
    ts_report_number(j, "frequency", m->frequency), ts_report_number(j, "growth", m->growth);
    ts_report_number(j, "damping", m->damping), ts_report_number(j, "factor", m->factor);
    ts_json_flag(j, "rigid", m->rigid);
    ts_json_text(j, "part", d->system->model->parts[hint.part].name);
    ts_json_count(j, "axis", hint.axis);
    ts_report_number(j, "share", hint.share * hint.in_axis);
    if (!modes->quarter && !d->buckling) ts_json_vector(j, "effective", effective);
    ts_json_count(j, "whirl", (whirl.way == TS_FORWARD_WHIRL) - (whirl.way == TS_BACKWARD_WHIRL));
    ts_report_number(j, "outside", whirl.frequency);
    put_words(j, d, modes, i);
    ts_json_close(j, '}');
}

static void put_speeds(ts_json *j, const ts_drawn_modes *d) {
    ts_json_open(j, "speeds", '[');
    for (int s = 0; s < d->speeds; s++) {
        ts_json_open(j, NULL, '{');
        ts_report_number(j, "omega", v3_norm(d->at[s]->spin));
        ts_json_open(j, "modes", '[');
        for (int i = 0; i < d->at[s]->count; i++) put_mode(j, d, d->at[s], i);
        ts_json_close(j, ']');
        ts_json_close(j, '}');
    }
    ts_json_close(j, ']');
}

static void put_curves(ts_json *j, const ts_drawn_modes *d) {
    ts_json_open(j, "curves", '[');
    for (int c = 0; c < d->curves; c++) {
        ts_json_open(j, NULL, '[');
        for (int s = 0; s < d->speeds; s++)
            ts_json_count(j, NULL, d->mode[(size_t)s * (size_t)d->curves + (size_t)c]);
        ts_json_close(j, ']');
    }
    ts_json_close(j, ']');
}

/* ---- shapes ---- */

static int64_t rows_from(const ts_drawn_modes *d, int first) {
    int64_t rows = 0;
    for (int s = first; s < d->speeds; s++) rows += d->at[s]->count;
    return rows;
}

/* Nodes that are no places move as the one does that they are drawn at. */
static void fill(const ts_report_data *p, const ts_modes *modes, bool early, float *to) {
    const double *shape = early ? modes->quarter : modes->shape;
    for (int64_t i = 0; i < modes->count; i++)
        for (int64_t n = 0; n < p->nodes; n++)
            for (int k = 0; k < 6; k++)
                to[(i * p->nodes + n) * 6 + k] =
                    shape ? (float)shape[(i * p->nodes + p->shown[n]) * 6 + k] : 0;
}

static int put_shapes(ts_report_data *p, const ts_drawn_modes *d, const char *key, bool early,
                      int first) {
    bool any = !early;
    for (int s = first; s < d->speeds; s++) any |= d->at[s]->quarter != NULL;
    int64_t rows = any ? rows_from(d, first) : 0, done = 0;
    float *all = ts_calloc((size_t)(rows * p->nodes) * 6 + 1, sizeof *all);
    for (int s = first; s < d->speeds && any; s++) {
        fill(p, d->at[s], early, all + done * p->nodes * 6);
        done += d->at[s]->count;
    }
    ts_blob blob = {.key = key, .type = TS_BLOB_F32, .rows = rows, .width = 6 * p->nodes};
    int status = ts_page_blob(&p->page, blob, all);
    free(all);
    return status;
}

int ts_report_modes(ts_report_data *p, const ts_drawn_modes *d) {
    ts_json *j = p->page.json;
    const ts_modes *last = d->at[d->speeds - 1];
    int first = rows_from(d, 0) * p->nodes * 6 > MOST_NUMBERS ? d->speeds - 1 : 0;
    const char *title = d->system->model->title;
    ts_json_open(j, "modes", '{');
    ts_json_text(j, "title", title ? title : "");
    ts_json_flag(j, "buckling", d->buckling), ts_json_flag(j, "settled", last->settled);
    ts_report_number(j, "mass", last->mass);
    ts_json_count(j, "free_motions", last->free_motions);
    ts_json_vector(j, "spin", (const double[]){last->spin.x, last->spin.y, last->spin.z});
    ts_json_vector(j, "about", (const double[]){last->about.x, last->about.y, last->about.z});
    put_speeds(j, d), put_curves(j, d);
    ts_json_count(j, "shapes_from", first);
    int status = put_shapes(p, d, "shape", false, first);
    if (!status) status = put_shapes(p, d, "early", true, first);
    ts_json_close(j, '}');
    return status;
}
