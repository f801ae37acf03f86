/* The motion in a report: where nodes are and how they are turned, and the forces in beams, in 16
 * bits.
 *
 * A displacement from the first state is relative to the largest that its node has in the run, a
 * force to the largest of its kind; quaternions keep their sign from state to state. As many states
 * are taken as PLAY_BYTES hold; the browser interpolates between them.
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "math/rotation.h"
#include "picture/report_data.h"

enum {
    PLAY_BYTES = 56 << 20,
    MOST_FRAMES = 2500,
    PLAYED_FORCES = TS_SECTION_WIDTH + 1, /* and the energy per length */
    CELL_VALUES = 2 /* von Mises' stress of solids, energy per area of shells */
};

typedef struct play {
    int64_t count, *frame; /* which stored states */
    double *t;
    float *start, *reach;       /* by node: position in the first one, largest displacement */
    double most[PLAYED_FORCES]; /* of each force */
    double most_inside[CELL_VALUES];
    int16_t *shift, *turn, *force, *inside;
    quat *last; /* of every node, so that signs do not jump */
} play;

static int64_t frames_that_fit(const ts_report_data *p, int64_t wanted) {
    int64_t bytes =
        14 * p->nodes + 2 * PLAYED_FORCES * p->stations + 2 * CELL_VALUES * p->geometry.cells + 1;
    int64_t most = wanted > 0 ? wanted : PLAY_BYTES / bytes;
    if (wanted <= 0 && most > MOST_FRAMES) most = MOST_FRAMES;
    if (most < 2) most = 2;
    return most < p->frames ? most : p->frames;
}

static void choose_frames(const ts_report_data *p, play *s, int64_t wanted) {
    s->count = frames_that_fit(p, wanted);
    s->frame = ts_calloc((size_t)s->count + 1, sizeof *s->frame);
    for (int64_t k = 0; k < s->count; k++)
        s->frame[k] = s->count > 1 ? k * (p->frames - 1) / (s->count - 1) : 0;
}

static const double *position(const ts_report_data *p, const double *q, int64_t node) {
    return q + 3 * p->node[p->shown[node] * TS_NODE_FIELDS + TS_NODE_SLOT].integer;
}

static void station_row(const double *force, const double *strain, double out[PLAYED_FORCES]) {
    double energy = 0;
    for (int k = 0; k < TS_SECTION_WIDTH; k++)
        out[k] = force[k], energy += 0.5 * force[k] * strain[k];
    out[TS_SECTION_WIDTH] = energy;
}

typedef struct rows {
    double *q, *force, *strain;
    ts_cell_rows inside;
    const ts_channel *of_cell[CELL_VALUES];
} rows;

static void cell_row(const ts_report_data *p, const rows *w, int64_t i, double out[CELL_VALUES]) {
    const ts_table_cell *cell = p->geometry.cell + i * TS_CELL_FIELDS;
    for (int c = 0; c < CELL_VALUES; c++)
        out[c] = ts_cell_value(&w->inside, cell, w->of_cell[c], 0);
}

static int read_rows(ts_report_data *p, int64_t frame, rows *w) {
    if (ts_results_rows(p->r, TS_FRAME_Q, frame, 1, w->q)) return TORSOR_EIO;
    if (ts_cell_rows_read(&w->inside, p->r, frame)) return TORSOR_EIO;
    if (p->stations == 0) return 0;
    if (ts_results_rows(p->r, TS_FRAME_SECTION_FORCE, frame, 1, w->force)) return TORSOR_EIO;
    return ts_results_rows(p->r, TS_FRAME_SECTION_STRAIN, frame, 1, w->strain);
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
    for (int64_t i = 0; i < p->stations; i++) {
        double row[PLAYED_FORCES];
        station_row(w->force + 6 * i, w->strain + 6 * i, row);
        for (int c = 0; c < PLAYED_FORCES; c++) s->most[c] = larger(s->most[c], row[c]);
    }
    for (int64_t i = 0; i < p->geometry.cells; i++) {
        double row[CELL_VALUES];
        cell_row(p, w, i, row);
        for (int c = 0; c < CELL_VALUES; c++) s->most_inside[c] = larger(s->most_inside[c], row[c]);
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
    for (int64_t i = 0; i < p->stations; i++) {
        double row[PLAYED_FORCES];
        int16_t *to = s->force + (k * p->stations + i) * PLAYED_FORCES;
        station_row(w->force + 6 * i, w->strain + 6 * i, row);
        for (int c = 0; c < PLAYED_FORCES; c++) to[c] = rounded(row[c], s->most[c]);
    }
    for (int64_t i = 0; i < p->geometry.cells; i++) {
        double row[CELL_VALUES];
        int16_t *to = s->inside + (k * p->geometry.cells + i) * CELL_VALUES;
        cell_row(p, w, i, row);
        for (int c = 0; c < CELL_VALUES; c++) to[c] = rounded(row[c], s->most_inside[c]);
    }
}

static int read_play(ts_report_data *p, play *s) {
    size_t all = (size_t)(s->count * p->nodes), forces = (size_t)(s->count * p->stations);
    rows w = {
        ts_calloc((size_t)p->r->track[TS_FRAME_Q].values + 1, sizeof(double)),
        ts_calloc(6 * (size_t)p->stations + 1, sizeof(double)),
        ts_calloc(6 * (size_t)p->stations + 1, sizeof(double)),
        {{0}},
        {ts_channel_pictured("von_mises_stress"), ts_channel_pictured("strain_energy_per_area")}};
    ts_cell_rows_new(&w.inside, p->r);
    s->inside =
        ts_calloc((size_t)(CELL_VALUES * s->count * p->geometry.cells) + 1, sizeof *s->inside);
    s->t = ts_calloc((size_t)s->count + 1, sizeof *s->t);
    s->start = ts_calloc(3 * (size_t)p->nodes + 1, sizeof *s->start);
    s->reach = ts_calloc((size_t)p->nodes + 1, sizeof *s->reach);
    s->last = ts_calloc((size_t)p->nodes + 1, sizeof *s->last);
    s->shift = ts_calloc(3 * all + 1, sizeof *s->shift);
    s->turn = ts_calloc(4 * all + 1, sizeof *s->turn);
    s->force = ts_calloc(PLAYED_FORCES * forces + 1, sizeof *s->force);
    int status = 0;
    for (int64_t i = 0; i < 2 * s->count && !status; i++) {
        int64_t k = i % s->count;
        status = read_rows(p, s->frame[k], &w);
        if (!status) status = ts_results_rows(p->r, TS_FRAME_T, s->frame[k], 1, &s->t[k]);
        if (!status) (i < s->count ? measure : fill)(p, s, k, &w);
    }
    free(w.q), free(w.force), free(w.strain), ts_cell_rows_free(&w.inside);
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
        {{"force", TS_BLOB_I16, s->count, PLAYED_FORCES * p->stations, true}, s->force},
        {{"inside", TS_BLOB_I16, s->count, CELL_VALUES * p->geometry.cells, true}, s->inside},
    };
    int status = 0;
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = ts_page_blob(&p->page, list[i].blob, list[i].data);
    return status;
}

int ts_report_play(ts_report_data *p, int64_t wanted) {
    play s = {0};
    ts_json *j = p->page.json;
    choose_frames(p, &s, wanted);
    int status = read_play(p, &s);
    ts_json_open(j, "play", '{');
    ts_json_count(j, "frames", (long)s.count);
    ts_json_count(j, "stored", (long)p->frames);
    ts_json_count(j, "stations", (long)p->stations);
    ts_json_open(j, "most", '[');
    for (int c = 0; c < PLAYED_FORCES; c++) ts_report_number(j, NULL, s.most[c]);
    ts_json_close(j, ']');
    ts_json_open(j, "most_inside", '[');
    for (int c = 0; c < CELL_VALUES; c++) ts_report_number(j, NULL, s.most_inside[c]);
    ts_json_close(j, ']');
    if (!status) status = put_play_blobs(p, &s);
    ts_json_close(j, '}');
    free(s.frame), free(s.t), free(s.start), free(s.shift), free(s.turn), free(s.force);
    free(s.last), free(s.reach), free(s.inside);
    return status;
}
