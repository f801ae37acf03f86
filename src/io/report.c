/* The data of a report.
 *
 *   info        what `torsor info --json` says: the numbers of the verdict
 *   ledger      at the first and at the last stored state
 *   parts, nodes, geometry                         the model
 *   play        motion for the picture: 16-bit displacements, quaternions, section forces
 *   histories   any column of the tables, in full precision when there are few, else in 32 bits
 *   effort      every step, or groups of them: iterations, cuts, violation, balance
 *   text        the model file
 *
 * What is large is thinned out, and the page says by how much: states to play until PLAY_BYTES
 * hold them (the browser interpolates), histories of the nodes of one part until HISTORY_NUMBERS do.
 */
#include "io/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/geometry.h"
#include "io/report_blob.h"
#include "io/results_columns.h"
#include "math/rotation.h"

enum {
    PLAY_BYTES = 56 << 20,
    MOST_FRAMES = 2500,
    HISTORY_NUMBERS = 3000000,
    EXACT_NUMBERS = 600000,
    GROUPS = 1500,
    WORD = 32,
    PLAYED_FORCES = TS_SECTION_WIDTH + 1 /* and the energy per length */
};

typedef struct report {
    ts_page page;
    ts_results *r;
    int64_t nodes, stations, frames;
    ts_h5_cell *node, *part;
    int64_t parts;
    ts_geometry geometry;
} report;

static int cannot_read(const report *p) {
    return ts_fail(TORSOR_EIO, "cannot read %s: %s", p->r->path, ts_error_message());
}

static void put_number(ts_json *j, const char *key, double value) {
    char text[WORD] = "null";
    if (isfinite(value)) snprintf(text, sizeof text, "%.17g", value);
    ts_json_raw(j, key, text);
}

/* ---- the model ---- */

static int64_t part_index(const report *p, const char *name, int64_t *guess) {
    for (int64_t k = 0; k < p->parts; k++) {
        int64_t i = (*guess + k) % p->parts;
        if (strcmp(p->part[i * TS_PART_FIELDS + TS_PART_NAME].text, name) == 0) return *guess = i;
    }
    return -1;
}

static void put_parts(report *p) {
    ts_json *j = p->page.json;
    ts_json_open(j, "parts", '[');
    for (int64_t i = 0; i < p->parts; i++) {
        const ts_h5_cell *row = p->part + i * TS_PART_FIELDS;
        ts_json_open(j, NULL, '[');
        ts_json_text(j, NULL, row[TS_PART_NAME].text);
        ts_json_text(j, NULL, row[TS_PART_KIND].text);
        ts_json_text(j, NULL, row[TS_PART_SECTION].text);
        ts_json_close(j, ']');
    }
    ts_json_close(j, ']');
}

static int put_nodes(report *p) {
    int32_t *part = ts_calloc((size_t)p->nodes + 1, sizeof *part);
    double mass = 0;
    int64_t guess = 0;
    for (int64_t n = 0; n < p->nodes; n++) {
        const ts_h5_cell *row = p->node + n * TS_NODE_FIELDS;
        part[n] = (int32_t)part_index(p, row[TS_NODE_PART].text, &guess);
        mass += row[TS_NODE_MASS].number;
    }
    put_number(p->page.json, "mass", mass);
    ts_json_count(p->page.json, "nodes", (long)p->nodes);
    ts_blob blob = {.key = "node_part", .type = TS_BLOB_I32, .rows = p->nodes, .width = 1};
    int status = ts_page_blob(&p->page, blob, part);
    free(part);
    return status;
}

static int put_redundant(report *p) {
    ts_h5_cell *row;
    int64_t count, redundant = 0;
    if (ts_h5_table_read(p->r->file, "/model/conditions", TS_CONDITION_FIELDS, TS_CONDITION_FIELD,
                         &count, &row))
        return cannot_read(p);
    for (int64_t i = 0; i < count; i++)
        redundant += row[i * TS_CONDITION_FIELDS + TS_CONDITION_REDUNDANT].integer != 0;
    free(row);
    ts_json_count(p->page.json, "redundant", (long)redundant);
    return 0;
}

static int put_cells(report *p) {
    enum { WIDTH = 8 };
    const ts_geometry *g = &p->geometry;
    static const char *const name[] = {"line", "triangle", "quad", "tetra", "wedge", "hexahedron"};
    int32_t *table = ts_calloc((size_t)g->cells * WIDTH + 1, sizeof *table);
    int64_t guess = 0;
    for (int64_t i = 0; i < g->cells; i++) {
        const ts_h5_cell *row = g->cell + i * TS_CELL_FIELDS;
        int32_t *to = table + i * WIDTH;
        to[0] = -1;
        for (int k = 0; k < (int)(sizeof name / sizeof *name); k++)
            if (strcmp(row[TS_CELL_TYPE].text, name[k]) == 0) to[0] = k;
        static const int field[] = {TS_CELL_FIRST,    TS_CELL_POINTS,  TS_CELL_STATION,
                                    TS_CELL_STATIONS, TS_CELL_OUTLINE, TS_CELL_OUTLINE_END};
        for (int k = 0; k < 6; k++) to[k + 1] = (int32_t)row[field[k]].integer;
        to[7] = (int32_t)part_index(p, row[TS_CELL_PART].text, &guess);
    }
    ts_blob blob = {.key = "cells", .type = TS_BLOB_I32, .rows = g->cells, .width = WIDTH};
    int status = ts_page_blob(&p->page, blob, table);
    free(table);
    return status;
}

static int put_cell_ends(report *p) {
    const ts_geometry *g = &p->geometry;
    float *ends = ts_calloc((size_t)g->cells * 2 + 1, sizeof *ends);
    int32_t *nodes = ts_calloc((size_t)g->connected + 1, sizeof *nodes);
    for (int64_t i = 0; i < 2 * g->cells; i++)
        ends[i] = (float)g->cell[i / 2 * TS_CELL_FIELDS + TS_CELL_FROM + i % 2].number;
    for (int64_t i = 0; i < g->connected; i++) nodes[i] = (int32_t)g->connectivity[i];
    ts_blob range = {.key = "cell_ends", .type = TS_BLOB_F32, .rows = g->cells, .width = 2};
    ts_blob list = {.key = "connectivity", .type = TS_BLOB_I32, .rows = g->connected, .width = 1};
    int status = ts_page_blob(&p->page, range, ends);
    if (!status) status = ts_page_blob(&p->page, list, nodes);
    free(ends), free(nodes);
    return status;
}

/* Rows of a table as lists of values, in the order of its fields. */
static void put_table(ts_json *j, const char *key, int64_t rows, int fields,
                      const ts_h5_field *field, const ts_h5_cell *cell) {
    ts_json_open(j, key, '[');
    for (int64_t i = 0; i < rows; i++) {
        ts_json_open(j, NULL, '[');
        for (int f = 0; f < fields; f++) {
            const ts_h5_cell *c = &cell[i * fields + f];
            if (field[f].type == TS_H5_TEXT)
                ts_json_text(j, NULL, c->text);
            else if (field[f].type == TS_H5_INTEGER)
                ts_json_count(j, NULL, (long)c->integer);
            else
                put_number(j, NULL, c->number);
        }
        ts_json_close(j, ']');
    }
    ts_json_close(j, ']');
}

static int put_geometry(report *p) {
    const ts_geometry *g = &p->geometry;
    ts_json *j = p->page.json;
    put_table(j, "outlines", g->outlines, TS_OUTLINE_FIELDS, TS_OUTLINE_FIELD, g->outline);
    put_table(j, "bodies", g->bodies, TS_BODY_FIELDS, TS_BODY_FIELD, g->body);
    put_table(j, "links", g->links, TS_LINK_FIELDS, TS_LINK_FIELD, g->link);
    ts_blob corners = {.key = "corners", .type = TS_BLOB_F64, .rows = g->corners, .width = 2};
    int status = ts_page_blob(&p->page, corners, g->corner);
    if (!status) status = put_cells(p);
    return status ? status : put_cell_ends(p);
}

/* ---- states to play ---- */

typedef struct play {
    int64_t count, *frame; /* which stored states */
    double *t;
    float *start, *reach;       /* by node: position in the first one, largest displacement */
    double most[PLAYED_FORCES]; /* of each force */
    int16_t *shift, *turn, *force;
    quat *last; /* of every node, so that signs do not jump */
} play;

static int64_t frames_that_fit(const report *p, int64_t wanted) {
    int64_t bytes = 14 * p->nodes + 2 * PLAYED_FORCES * p->stations + 1;
    int64_t most = wanted > 0 ? wanted : PLAY_BYTES / bytes;
    if (wanted <= 0 && most > MOST_FRAMES) most = MOST_FRAMES;
    if (most < 2) most = 2;
    return most < p->frames ? most : p->frames;
}

static void choose_frames(const report *p, play *s, int64_t wanted) {
    s->count = frames_that_fit(p, wanted);
    s->frame = ts_calloc((size_t)s->count + 1, sizeof *s->frame);
    for (int64_t k = 0; k < s->count; k++)
        s->frame[k] = s->count > 1 ? k * (p->frames - 1) / (s->count - 1) : 0;
}

static const double *position(const report *p, const double *q, int64_t node) {
    return q + 3 * p->node[node * TS_NODE_FIELDS + TS_NODE_SLOT].integer;
}

static void station_row(const double *force, const double *strain, double out[PLAYED_FORCES]) {
    double energy = 0;
    for (int k = 0; k < TS_SECTION_WIDTH; k++)
        out[k] = force[k], energy += 0.5 * force[k] * strain[k];
    out[TS_SECTION_WIDTH] = energy;
}

typedef struct rows {
    double *q, *force, *strain;
} rows;

static int read_rows(report *p, int64_t frame, const rows *w) {
    if (ts_results_rows(p->r, TS_FRAME_Q, frame, 1, w->q)) return TORSOR_EIO;
    if (p->stations == 0) return 0;
    if (ts_results_rows(p->r, TS_FRAME_SECTION_FORCE, frame, 1, w->force)) return TORSOR_EIO;
    return ts_results_rows(p->r, TS_FRAME_SECTION_STRAIN, frame, 1, w->strain);
}

static double larger(double most, double value) {
    return isfinite(value) && fabs(value) > most ? fabs(value) : most;
}

/* First time through: the ranges. */
static void measure(const report *p, play *s, int64_t k, const rows *w) {
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
}

static int16_t rounded(double value, double most) {
    double x = most > 0 && isfinite(value) ? 32767 * value / most : 0;
    return (int16_t)lround(fmax(-32767, fmin(32767, x)));
}

static quat turn_of(const report *p, const double *q, int64_t node) {
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
static void fill(const report *p, play *s, int64_t k, const rows *w) {
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
}

static int read_play(report *p, play *s) {
    size_t all = (size_t)(s->count * p->nodes), forces = (size_t)(s->count * p->stations);
    rows w = {ts_calloc((size_t)p->r->track[TS_FRAME_Q].values + 1, sizeof(double)),
              ts_calloc(6 * (size_t)p->stations + 1, sizeof(double)),
              ts_calloc(6 * (size_t)p->stations + 1, sizeof(double))};
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
    free(w.q), free(w.force), free(w.strain);
    return status;
}

static int put_play_blobs(report *p, const play *s) {
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
    };
    int status = 0;
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = ts_page_blob(&p->page, list[i].blob, list[i].data);
    return status;
}

static int put_play(report *p, int64_t wanted) {
    play s = {0};
    ts_json *j = p->page.json;
    choose_frames(p, &s, wanted);
    int status = read_play(p, &s);
    ts_json_open(j, "play", '{');
    ts_json_count(j, "frames", (long)s.count);
    ts_json_count(j, "stored", (long)p->frames);
    ts_json_count(j, "stations", (long)p->stations);
    ts_json_open(j, "most", '[');
    for (int c = 0; c < PLAYED_FORCES; c++) put_number(j, NULL, s.most[c]);
    ts_json_close(j, ']');
    if (!status) status = put_play_blobs(p, &s);
    ts_json_close(j, '}');
    free(s.frame), free(s.t), free(s.start), free(s.shift), free(s.turn), free(s.force);
    free(s.last), free(s.reach);
    return status;
}

/* ---- histories ---- */

/* Directors are left out (the rotation vector is there), and quaternions where nodes are many. */
static bool wanted_column(const ts_column *c, int64_t stride) {
    if (strstr(c->name, ".orientation.") || strncmp(c->name, "ground.", 7) == 0) return false;
    if (c->ordinal == 0) return true;
    if (c->how == TS_QUATERNION) return false;
    return stride == 1 || c->ordinal == c->siblings || (c->ordinal - 1) % stride == 0;
}

static size_t choose_columns(const ts_columns *all, int64_t stride, const ts_column **chosen) {
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        if (wanted_column(&all->items[i], stride)) chosen[count++] = &all->items[i];
    return count;
}

typedef struct history {
    ts_columns all;
    const ts_column **chosen;
    size_t count;
    int64_t stride;        /* of nodes and stations in their part */
    int64_t every, frames; /* stored states: each how many, how many in all */
    double *t, *value;     /* value: by column, then by state */
} history;

static void plan_history(const report *p, history *h) {
    h->chosen = ts_calloc(h->all.count + 1, sizeof *h->chosen);
    h->frames = p->frames, h->every = 1, h->stride = 1;
    do {
        h->count = choose_columns(&h->all, h->stride, h->chosen);
        if ((double)h->count * (double)p->frames <= HISTORY_NUMBERS) break;
        h->stride *= 2;
    } while (h->stride < p->nodes + p->stations);
    while ((double)h->count * (double)h->frames > 4.0 * HISTORY_NUMBERS)
        h->every *= 2, h->frames = (p->frames + h->every - 1) / h->every;
}

static int read_history(report *p, history *h) {
    double *row[TS_SERIES_COUNT] = {0};
    for (size_t i = 0; i < h->count; i++) {
        ts_series_id s = h->chosen[i]->series;
        if (!row[s]) row[s] = ts_calloc((size_t)p->r->track[s].values + 1, sizeof(double));
    }
    int status = 0;
    for (int64_t f = 0; f < h->frames && !status; f++) {
        status = ts_results_rows(p->r, TS_FRAME_T, f * h->every, 1, &h->t[f]);
        for (int s = 0; s < TS_SERIES_COUNT && !status; s++)
            if (row[s]) status = ts_results_rows(p->r, (ts_series_id)s, f * h->every, 1, row[s]);
        for (size_t i = 0; i < h->count && !status; i++)
            h->value[(int64_t)i * h->frames + f] =
                ts_column_value(h->chosen[i], row[h->chosen[i]->series]);
    }
    for (int s = 0; s < TS_SERIES_COUNT; s++) free(row[s]);
    return status;
}

static int put_values(report *p, const history *h) {
    size_t total = h->count * (size_t)h->frames;
    ts_blob t = {.key = "t", .type = TS_BLOB_F64, .rows = h->frames, .width = 1};
    ts_blob exact = {"value", TS_BLOB_F64, (int64_t)h->count, h->frames, false};
    ts_blob brief = {"value", TS_BLOB_F32, (int64_t)h->count, h->frames, false};
    int status = ts_page_blob(&p->page, t, h->t);
    if (status || total <= EXACT_NUMBERS)
        return status ? status : ts_page_blob(&p->page, exact, h->value);
    float *value = ts_calloc(total, sizeof *value);
    for (size_t i = 0; i < total; i++) value[i] = (float)h->value[i];
    status = ts_page_blob(&p->page, brief, value);
    free(value);
    return status;
}

static int put_history(report *p) {
    history h = {0};
    ts_json *j = p->page.json;
    if (ts_columns_make(p->r, &h.all)) {
        ts_columns_clear(&h.all);
        return TORSOR_EIO;
    }
    plan_history(p, &h);
    h.t = ts_calloc((size_t)h.frames + 1, sizeof *h.t);
    h.value = ts_calloc(h.count * (size_t)h.frames + 1, sizeof *h.value);
    int status = read_history(p, &h);
    ts_json_open(j, "history", '{');
    ts_json_count(j, "every", (long)h.every);
    ts_json_count(j, "stride", (long)h.stride);
    ts_json_open(j, "columns", '[');
    for (size_t i = 0; i < h.count; i++) {
        char named[600];
        snprintf(named, sizeof named, "%s [%s]", h.chosen[i]->name, h.chosen[i]->unit);
        ts_json_text(j, NULL, named);
    }
    ts_json_close(j, ']');
    if (!status) status = put_values(p, &h);
    ts_json_close(j, '}');
    free(h.t), free(h.value), free(h.chosen);
    ts_columns_clear(&h.all);
    return status;
}

/* ---- what every step took ---- */

enum {
    EFFORT_T,
    EFFORT_STEPS,
    EFFORT_ITERATIONS,
    EFFORT_MOST,
    EFFORT_CUTS,
    EFFORT_VIOLATION,
    EFFORT_BALANCE,
    EFFORT_H,
    EFFORT_WIDTH
};

enum { BLOCK = 4096 }; /* steps read at a time */

typedef struct block {
    double t[BLOCK], h[BLOCK], violation[BLOCK], balance[BLOCK];
    int64_t iterations[BLOCK], cuts[BLOCK];
} block;

static int read_block(report *p, int64_t first, int64_t count, block *b) {
    const struct {
        ts_series_id id;
        void *to;
    } wanted[] = {{TS_STEP_T, b->t},
                  {TS_STEP_H, b->h},
                  {TS_STEP_VIOLATION, b->violation},
                  {TS_STEP_BALANCE, b->balance},
                  {TS_STEP_ITERATIONS, b->iterations},
                  {TS_STEP_CUTS, b->cuts}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (ts_results_rows(p->r, wanted[i].id, first, count, wanted[i].to)) return TORSOR_EIO;
    return 0;
}

static void add_step(double *row, const block *b, int64_t i) {
    double iterations = (double)b->iterations[i];
    row[EFFORT_T] = b->t[i], row[EFFORT_H] = b->h[i];
    row[EFFORT_STEPS]++;
    row[EFFORT_ITERATIONS] += iterations;
    row[EFFORT_CUTS] += (double)b->cuts[i];
    row[EFFORT_MOST] = fmax(row[EFFORT_MOST], iterations);
    row[EFFORT_VIOLATION] = larger(row[EFFORT_VIOLATION], b->violation[i]);
    row[EFFORT_BALANCE] = larger(row[EFFORT_BALANCE], b->balance[i]);
}

static int put_effort(report *p) {
    int64_t steps = p->r->rows[TS_STEPS], groups = steps < GROUPS ? steps : GROUPS;
    double *table = ts_calloc((size_t)groups * EFFORT_WIDTH + 1, sizeof *table);
    block *b = ts_calloc(1, sizeof *b);
    int status = 0;
    for (int64_t first = 0; first < steps && !status; first += BLOCK) {
        int64_t count = steps - first < BLOCK ? steps - first : BLOCK;
        status = read_block(p, first, count, b);
        for (int64_t i = 0; i < count && !status; i++)
            add_step(table + (first + i) * groups / steps * EFFORT_WIDTH, b, i);
    }
    ts_blob blob = {"effort", TS_BLOB_F64, groups, EFFORT_WIDTH, false};
    if (!status) status = ts_page_blob(&p->page, blob, table);
    free(table), free(b);
    return status;
}

/* ---- a run ---- */

static int put_ledger(report *p, const char *key, int64_t frame) {
    double row[TS_LEDGER_COLUMNS];
    if (ts_results_rows(p->r, TS_FRAME_LEDGER, frame, 1, row)) return TORSOR_EIO;
    ts_json_open(p->page.json, key, '{');
    for (int c = 0; c < TS_LEDGER_COLUMNS; c++) put_number(p->page.json, TS_LEDGER_NAME[c], row[c]);
    ts_json_close(p->page.json, '}');
    return 0;
}

static int put_info(report *p) {
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (!memory) return ts_fail(TORSOR_EIO, "out of memory");
    int status = ts_results_info(p->r, memory, true);
    fclose(memory);
    if (!status) ts_json_raw(p->page.json, "info", text);
    free(text);
    return status;
}

static int read_model(report *p) {
    ts_h5 file = p->r->file;
    if (ts_h5_table_read(file, "/model/nodes", TS_NODE_FIELDS, TS_NODE_FIELD, &p->nodes,
                         &p->node) ||
        ts_h5_table_read(file, "/model/parts", TS_PART_FIELDS, TS_PART_FIELD, &p->parts, &p->part))
        return cannot_read(p);
    for (int64_t n = 0; n < p->nodes; n++) {
        const ts_h5_cell *row = p->node + n * TS_NODE_FIELDS;
        int64_t slot = row[TS_NODE_SLOT].integer, slots = row[TS_NODE_SLOTS].integer;
        if (slot < 0 || slots < 1 || slots > 4 || slot + slots > p->r->entries[TS_EACH_SLOT])
            return ts_fail(TORSOR_EIO, "cannot read %s: a node points nowhere", p->r->path);
    }
    p->stations = p->r->entries[TS_EACH_STATION];
    p->frames = ts_results_frames(p->r);
    if (p->frames == 0)
        return ts_fail(TORSOR_EIO, "%s holds no stored state: there is nothing to show",
                       p->r->path);
    return ts_geometry_read(&p->geometry, file, p->nodes, p->stations) ? cannot_read(p) : 0;
}

static int put_run(report *p, const ts_report_run *run, int64_t frames) {
    ts_json *j = p->page.json;
    int status = put_info(p);
    ts_json_text(j, "name", run->name);
    ts_json_text(j, "audit", run->audit);
    ts_json_flag(j, "sound", run->sound);
    ts_json_flag(j, "statics", run->statics);
    ts_json_open(j, "columns_asked", '[');
    for (int i = 0; i < run->column_count; i++) ts_json_text(j, NULL, run->columns[i]);
    ts_json_close(j, ']');
    if (!status) put_parts(p);
    if (!status) status = put_ledger(p, "start", 0);
    if (!status) status = put_ledger(p, "end", p->frames - 1);
    if (!status) status = put_nodes(p);
    if (!status) status = put_redundant(p);
    if (!status) status = put_geometry(p);
    if (!status) status = put_play(p, frames);
    if (!status) status = put_history(p);
    if (!status) status = put_effort(p);
    ts_json_text(j, "text", ts_results_text(p->r, NULL));
    return status;
}

static int add_run(ts_page *page, const ts_report_run *run, int64_t frames) {
    report p = {.page = *page, .r = run->results};
    ts_json_open(page->json, NULL, '{');
    int status = read_model(&p);
    if (!status) status = put_run(&p, run, frames);
    ts_json_close(page->json, '}');
    page->count = p.page.count;
    free(p.node), free(p.part);
    ts_geometry_clear(&p.geometry);
    return status;
}

/* JSON within a script: no `<` may stand in it. Line ends only cost room. */
static void print_json(FILE *out, const char *text) {
    fputs("<script type=\"application/json\" id=\"runs\">", out);
    for (const char *c = text; *c; c++)
        if (*c == '<')
            fputs("\\u003c", out);
        else if (*c == '\n')
            while (c[1] == ' ') c++;
        else
            fputc(*c, out);
    fputs("</script>\n", out);
}

int ts_report_write(FILE *out, int runs, const ts_report_run *run, int64_t frames) {
    char *text = NULL;
    size_t length;
    ts_json json = {.out = open_memstream(&text, &length)};
    if (!json.out) return ts_fail(TORSOR_EIO, "out of memory");
    ts_page page = {.out = out, .json = &json};
    int status = 0;
    ts_json_open(&json, NULL, '[');
    for (int i = 0; i < runs && !status; i++) status = add_run(&page, &run[i], frames);
    ts_json_close(&json, ']');
    fclose(json.out);
    if (!status) print_json(out, text);
    free(text);
    return status;
}
