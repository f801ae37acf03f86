/* SPDX-License-Identifier: Apache-2.0 */
/* The motion in a report: where nodes are and how they are turned, and what parts are coloured by,
 * in 16 bits.
 *
 * A displacement from the first state is relative to the largest that its node has in the run, a
 * colour to the largest of its kind; quaternions keep their sign from state to state. Colours are
 * the channels that have one (output/channels.inc): at stations of beams and cables, in cells of
 * shells and solids. As many states are taken as PLAY_BYTES hold; the browser interpolates between
 * them. Each colour has a blob of its own, which the browser unpacks when that colour is chosen.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "math/rotation.h"
#include "picture/loads.h"
#include "picture/report_data.h"

enum { PLAY_BYTES = 56 << 20, MOST_FRAMES = 2500, MOST_COLOURS = 32 };

/* A component of a channel that parts are coloured by. */
typedef struct colour {
    const ts_channel *channel;
    int component;
    bool line;      /* at stations of lines; otherwise in cells */
    double most;    /* over the run */
    int16_t *value; /* by state and by station or cell */
} colour;

typedef struct play {
    int64_t count, *frame; /* which stored states */
    double *t;
    float *start, *reach; /* by node: position in the first one, largest displacement */
    colour colour[MOST_COLOURS];
    int colours;
    int16_t *shift, *turn;
    quat *last; /* of every node, so that signs do not jump */
} play;

/* A row of /frames/q and of every series of stations. */
typedef struct rows {
    double *q;
    ts_cell_rows stations;
} rows;

static void find_colours(play *s) {
    char label[64];
    for (int i = 0; i < TS_CHANNEL_COUNT; i++) {
        const ts_channel *c = TS_CHANNELS[i];
        bool line = TS_SERIES[c->series].each == TS_EACH_STATION;
        for (int k = 0; ts_channel_colour(c, k, label, sizeof label); k++) {
            assert(s->colours < MOST_COLOURS);
            s->colour[s->colours++] = (colour){c, k, line, 0, NULL};
        }
    }
}

static int64_t entries_of(const ts_report_data *p, const colour *c) {
    return c->line ? p->stations : p->geometry.cells;
}

static int64_t frames_that_fit(const ts_report_data *p, const play *s, int64_t wanted) {
    int64_t bytes = 14 * p->nodes + 1;
    for (int f = 0; f < s->colours; f++) bytes += 2 * entries_of(p, &s->colour[f]);
    int64_t most = wanted > 0 ? wanted : PLAY_BYTES / bytes;
    if (wanted <= 0 && most > MOST_FRAMES) most = MOST_FRAMES;
    if (most < 2) most = 2;
    return most < p->frames ? most : p->frames;
}

static void choose_frames(const ts_report_data *p, play *s, int64_t wanted) {
    s->count = frames_that_fit(p, s, wanted);
    s->frame = ts_calloc((size_t)s->count + 1, sizeof *s->frame);
    for (int64_t k = 0; k < s->count; k++)
        s->frame[k] = s->count > 1 ? k * (p->frames - 1) / (s->count - 1) : 0;
}

static const double *position(const ts_report_data *p, const double *q, int64_t node) {
    return q + 3 * p->node[p->shown[node] * TS_NODE_FIELDS + TS_NODE_SLOT].integer;
}

static double colour_of(const ts_report_data *p, const rows *w, const colour *c, int64_t i) {
    const ts_table_cell *cell = c->line ? NULL : p->geometry.cell + i * TS_CELL_FIELDS;
    return c->line ? ts_station_value(&w->stations, c->channel, c->component, i)
                   : ts_cell_value(&w->stations, cell, c->channel, c->component);
}

static int read_rows(ts_report_data *p, int64_t frame, rows *w) {
    if (ts_results_rows(p->r, TS_FRAME_Q, frame, 1, w->q)) return TORSOR_EIO;
    return ts_cell_rows_read(&w->stations, p->r, frame);
}

static double larger(double most, double value) {
    return isfinite(value) && fabs(value) > most ? fabs(value) : most;
}

/* First time through: the ranges. */
static void measure(const ts_report_data *p, play *s, int64_t k, const rows *w) {
    for (int64_t n = 0; n < p->nodes; n++) {
        const double *x = position(p, w->q, n);
        for (int c = 0; c < 3; c++) {
            if (k == 0) s->start[3 * n + c] = (float)x[c];
            s->reach[n] = (float)larger(s->reach[n], x[c] - s->start[3 * n + c]);
        }
    }
    for (int f = 0; f < s->colours; f++) {
        colour *c = &s->colour[f];
        for (int64_t i = 0; i < entries_of(p, c); i++)
            c->most = larger(c->most, colour_of(p, w, c, i));
    }
}

static int16_t rounded(double value, double most) {
    double x = most > 0 && isfinite(value) ? 32767 * value / most : 0;
    return (int16_t)lround(fmax(-32767, fmin(32767, x)));
}

static quat turn_of(const ts_report_data *p, const double *q, int64_t node) {
    bool frame = p->node[node * TS_NODE_FIELDS + TS_NODE_SLOTS].integer == 4;
    return frame ? ts_quat_from_matrix(m3_load(position(p, q, node) + 3)) : quat_identity();
}

static void put_turn(quat now, quat *last, int16_t *to) {
    if (now.s * last->s + v3_dot(now.v, last->v) < 0) now.s = -now.s, now.v = v3_scale(-1, now.v);
    *last = now;
    to[0] = rounded(now.s, 1), to[1] = rounded(now.v.x, 1);
    to[2] = rounded(now.v.y, 1), to[3] = rounded(now.v.z, 1);
}

/* Second time: the numbers. */
static void fill(const ts_report_data *p, play *s, int64_t k, const rows *w) {
    for (int64_t n = 0; n < p->nodes; n++) {
        int64_t at = k * p->nodes + n;
        for (int c = 0; c < 3; c++)
            s->shift[3 * at + c] =
                rounded(position(p, w->q, n)[c] - s->start[3 * n + c], s->reach[n]);
        put_turn(turn_of(p, w->q, n), &s->last[n], s->turn + 4 * at);
    }
    for (int f = 0; f < s->colours; f++) {
        const colour *c = &s->colour[f];
        int64_t count = entries_of(p, c);
        for (int64_t i = 0; i < count; i++)
            c->value[k * count + i] = rounded(colour_of(p, w, c, i), c->most);
    }
}

static int read_play(ts_report_data *p, play *s) {
    size_t all = (size_t)(s->count * p->nodes);
    rows w = {ts_calloc((size_t)p->r->track[TS_FRAME_Q].values + 1, sizeof(double)), {{0}}};
    ts_cell_rows_new(&w.stations, p->r);
    for (int f = 0; f < s->colours; f++)
        s->colour[f].value =
            ts_calloc((size_t)(s->count * entries_of(p, &s->colour[f])) + 1, sizeof(int16_t));
    s->t = ts_calloc((size_t)s->count + 1, sizeof *s->t);
    s->start = ts_calloc(3 * (size_t)p->nodes + 1, sizeof *s->start);
    s->reach = ts_calloc((size_t)p->nodes + 1, sizeof *s->reach);
    s->last = ts_calloc((size_t)p->nodes + 1, sizeof *s->last);
    s->shift = ts_calloc(3 * all + 1, sizeof *s->shift);
    s->turn = ts_calloc(4 * all + 1, sizeof *s->turn);
    int status = 0;
    for (int64_t i = 0; i < 2 * s->count && !status; i++) {
        int64_t k = i % s->count;
        status = read_rows(p, s->frame[k], &w);
        if (!status) status = ts_results_rows(p->r, TS_FRAME_T, s->frame[k], 1, &s->t[k]);
        if (!status) (i < s->count ? measure : fill)(p, s, k, &w);
    }
    free(w.q), ts_cell_rows_free(&w.stations);
    return status;
}

/* ---- loads ---- */

/* Loads that are functions of time, by state: "loads" [part, node, place (3), moment, follower], and
 * their vectors. In statics they grow with the load. */
static int put_loads(ts_report_data *p, const play *s) {
    const ts_document *d = p->run->document;
    ts_json *j = p->page.json;
    int all = 0, count = 0, status = 0;
    bool known = d && !p->run->scene && d->model->nodes_count == p->nodes;
    ts_told_load *told = known ? ts_told_loads(d->model, &all) : NULL;
    ts_json_open(j, "loads", '[');
    for (int i = 0; i < all; i++) {
        if (!ts_told_timed(d->model, &told[i])) continue;
        ts_json_open(j, NULL, '[');
        ts_json_count(j, NULL, told[i].part), ts_json_count(j, NULL, told[i].node);
        for (int k = 0; k < 3; k++) ts_report_number(j, NULL, v3_get(told[i].at, k));
        ts_json_flag(j, NULL, told[i].moment), ts_json_flag(j, NULL, told[i].follower);
        ts_json_close(j, ']');
        told[count++] = told[i];
    }
    ts_json_close(j, ']');
    double *q = ts_calloc((size_t)p->r->track[TS_FRAME_Q].values + 1, sizeof *q);
    float *vector = ts_calloc((size_t)(s->count * count) * 3 + 1, sizeof *vector);
    for (int64_t f = 0; f < s->count && count > 0 && !status; f++) {
        status = ts_results_rows(p->r, TS_FRAME_Q, s->frame[f], 1, q);
        double share = p->run->statics ? s->t[f] / d->options.t_end : 1;
        for (int i = 0; i < count && !status; i++) {
            v3 force = ts_told_vector(d->model, &told[i], q, (ts_when){.t = s->t[f]});
            for (int k = 0; k < 3; k++)
                vector[(f * count + i) * 3 + k] = (float)(share * v3_get(force, k));
        }
    }
    ts_blob blob = {"load_vectors", TS_BLOB_F32, s->count, 3 * count, false};
    if (!status) status = ts_page_blob(&p->page, blob, vector);
    free(q), free(vector), free(told);
    return status;
}

static int put_play_blobs(ts_report_data *p, const play *s) {
    const struct {
        ts_blob blob;
        const void *data;
    } list[] = {
        {{"t", TS_BLOB_F64, s->count, 1, false}, s->t},
        {{"start", TS_BLOB_F32, p->nodes, 3, false}, s->start},
        {{"reach", TS_BLOB_F32, p->nodes, 1, false}, s->reach},
        {{"shift", TS_BLOB_I16, s->count, 3 * p->nodes, true}, s->shift},
        {{"turn", TS_BLOB_I16, s->count, 4 * p->nodes, true}, s->turn},
    };
    int status = 0;
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = ts_page_blob(&p->page, list[i].blob, list[i].data);
    return status;
}

/* Description of a colour for the browser; `place` is the family of its cells. */
static int tell_colour(ts_report_data *p, const play *s, const colour *c) {
    static const char *const PLACE[] = {
        [TS_STATION_LINE] = "line", [TS_STATION_SHELL] = "shell", [TS_STATION_SOLID] = "solid"};
    const ts_channel *channel = c->channel;
    ts_json *j = p->page.json;
    char key[64], label[64], unit[16];
    ts_channel_colour_key(channel, c->component, key, sizeof key);
    ts_channel_colour(channel, c->component, label, sizeof label);
    ts_channel_unit(channel, c->component, 0, unit, sizeof unit);
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "key", key);
    ts_json_text(j, "label", label);
    ts_json_text(j, "unit", unit);
    ts_json_text(j, "place", PLACE[TS_FAMILY[TS_SERIES[channel->series].each].station]);
    ts_json_text(j, "scale", channel->in_cell ? "sequential" : "diverging");
    ts_json_flag(j, "root", channel->root);
    ts_report_number(j, "most", c->most);
    ts_blob blob = {"values", TS_BLOB_I16, s->count, entries_of(p, c), true};
    int status = ts_page_blob(&p->page, blob, c->value);
    ts_json_close(j, '}');
    return status;
}

int ts_report_play(ts_report_data *p, int64_t wanted) {
    play s = {0};
    ts_json *j = p->page.json;
    find_colours(&s);
    choose_frames(p, &s, wanted);
    int status = read_play(p, &s);
    ts_json_open(j, "play", '{');
    ts_json_count(j, "frames", (long)s.count);
    ts_json_count(j, "stored", (long)p->frames);
    ts_json_count(j, "stations", (long)p->stations);
    ts_json_open(j, "colours", '[');
    for (int f = 0; f < s.colours && !status; f++) status = tell_colour(p, &s, &s.colour[f]);
    ts_json_close(j, ']');
    if (!status) status = put_play_blobs(p, &s);
    if (!status) status = put_loads(p, &s);
    if (!status) status = ts_report_touch(p, s.count, s.frame);
    ts_json_close(j, '}');
    for (int f = 0; f < s.colours; f++) free(s.colour[f].value);
    free(s.frame), free(s.t), free(s.start), free(s.shift), free(s.turn);
    free(s.last), free(s.reach);
    return status;
}
