/* SPDX-License-Identifier: Apache-2.0 */
/* The board: see board.h.
 *
 * An answer to a poll is
 *
 *   u32 length of the JSON, u32 0;  JSON, padded with blanks to a multiple of 8 bytes
 *   f64 samples x width             those that the browser lacks; all, if they were thinned since
 *   f32 nodes x 3, f32 nodes x 4    the pose, if it is newer
 *   f32 painted                     values of the field that parts are coloured by
 *
 * in the byte order of this machine, which is also that of its browsers. Samples have a series
 * number, which changes when samples are thinned or restarted.
 *
 * The board allocates with malloc and free: several threads use it, and a pool (base/memory.h)
 * belongs to one thread. When an allocation fails, a picture is not shown and the run goes on.
 */
#include "server/board.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

enum { PATIENCE = 4, MOST_PARAMETERS = 64, HEAD = 1024 };

typedef struct parameter {
    char name[SERVER_TEXT], value[SERVER_TEXT];
} parameter;

struct server_board {
    pthread_mutex_t lock;
    pthread_cond_t news, asked;
    bool closed;
    uint64_t answers;

    char *state, *scene;
    uint64_t state_version, scene_version;

    int nodes;
    float *pose; /* nodes x 3, nodes x 4 */
    float *paint;
    int painted; /* Of each `stride` samples one is kept. */
    char painting[SERVER_TEXT],
        field[SERVER_TEXT]; /* the field of these values; the field that is asked for */
    uint64_t field_version;
    uint64_t frame_version;
    double t;
    int64_t step;

    double *samples; /* rows x width */
    int width;
    uint64_t rows, skipped, stride, series; /* of `stride` samples one is kept */

    unsigned deeds;
    parameter parameter[MOST_PARAMETERS];
    int parameters;
    char channel[SERVER_CHANNELS][SERVER_TEXT];
    int channels; /* of the present samples; -1: as before */
};

server_board *server_board_new(void) {
    server_board *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    pthread_condattr_t attributes;
    pthread_mutex_init(&b->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&b->news, &attributes);
    pthread_cond_init(&b->asked, &attributes);
    pthread_condattr_destroy(&attributes);
    b->samples = calloc((size_t)SERVER_MOST * SERVER_WIDTH, sizeof *b->samples);
    b->state = strdup("{}"), b->scene = strdup(""), b->pose = calloc(1, sizeof(float));
    b->paint = calloc(1, sizeof(float));
    b->state_version = b->series = b->frame_version = 1;
    b->width = SERVER_ENERGIES, b->stride = 1, b->channels = -1;
    if (b->samples && b->state && b->scene && b->pose && b->paint) return b;
    server_board_free(b);
    return NULL;
}

void server_board_free(server_board *b) {
    if (!b) return;
    pthread_mutex_destroy(&b->lock);
    pthread_cond_destroy(&b->news), pthread_cond_destroy(&b->asked);
    free(b->state), free(b->scene), free(b->pose), free(b->samples), free(b->paint);
    free(b);
}

static void lock(server_board *b) { pthread_mutex_lock(&b->lock); }
static void unlock(server_board *b) { pthread_mutex_unlock(&b->lock); }

static void unlock_with_news(server_board *b) {
    pthread_cond_broadcast(&b->news);
    unlock(b);
}

void server_board_close(server_board *b) {
    lock(b);
    b->closed = true;
    pthread_cond_broadcast(&b->asked);
    unlock_with_news(b);
}

static struct timespec in_seconds(double seconds) {
    double then = ts_wall_time() + seconds, whole = floor(then);
    return (struct timespec){(time_t)whole, (long)(1e9 * (then - whole))};
}

/* ---- the program writes ---- */

void server_board_state(server_board *b, const char *json, const char *scene) {
    char *own = strdup(json), *drawing = scene ? strdup(scene) : NULL;
    if (!own) {
        free(drawing);
        return;
    }
    lock(b);
    char *old = b->state, *old_scene = drawing ? b->scene : NULL;
    b->state = own, b->state_version++;
    if (drawing) b->scene = drawing, b->scene_version++;
    unlock_with_news(b);
    free(old), free(old_scene);
}

static int width_of(int channels) {
    int width = SERVER_ENERGIES + channels;
    return width < SERVER_WIDTH ? width : SERVER_WIDTH;
}

void server_board_begin(server_board *b, int nodes) {
    float *pose = calloc(7 * (size_t)nodes + 1, sizeof *pose);
    if (!pose) return;
    lock(b);
    float *old = b->pose;
    b->pose = pose, b->nodes = nodes, b->frame_version++, b->t = 0, b->step = 0;
    b->width = SERVER_ENERGIES, b->painted = 0;
    b->rows = b->skipped = 0, b->stride = 1, b->series++;
    unlock_with_news(b);
    free(old);
}

/* Row i with its channels in their new places. Rows overlap: first to last if they get shorter. */
static void widen_row(server_board *b, size_t i, int width, const int *from) {
    double row[SERVER_WIDTH], *to = b->samples + i * (size_t)width;
    memcpy(row, b->samples + i * (size_t)b->width, (size_t)b->width * sizeof *row);
    memcpy(to, row, SERVER_ENERGIES * sizeof *row);
    for (int k = 0; k < width - SERVER_ENERGIES; k++) {
        bool known = from && from[k] >= 0 && from[k] < b->width - SERVER_ENERGIES;
        to[SERVER_ENERGIES + k] = known ? row[SERVER_ENERGIES + from[k]] : NAN;
    }
}

void server_board_widen(server_board *b, int channels, const int *from) {
    lock(b);
    int width = width_of(channels);
    for (size_t i = 0; width <= b->width && i < b->rows; i++) widen_row(b, i, width, from);
    for (size_t i = b->rows; width > b->width && i-- > 0;) widen_row(b, i, width, from);
    b->width = width, b->series++;
    unlock_with_news(b);
}

/* Drops every second sample. */
static void thin(server_board *b) {
    size_t row = (size_t)b->width;
    for (size_t i = 1; 2 * i < b->rows; i++)
        memcpy(b->samples + i * row, b->samples + 2 * i * row, row * sizeof *b->samples);
    b->rows = (b->rows + 1) / 2, b->stride *= 2, b->series++;
}

void server_board_sample(server_board *b, const double *row) {
    lock(b);
    if (b->skipped++ % b->stride == 0) {
        if (b->rows == SERVER_MOST) thin(b);
        memcpy(b->samples + b->rows++ * (size_t)b->width, row,
               (size_t)b->width * sizeof *b->samples);
    }
    unlock(b);
}

bool server_board_frame(server_board *b, const torsor_run *run, torsor_paint *paint) {
    if (pthread_mutex_trylock(&b->lock)) return false;
    if (torsor_run_nodes(run) == b->nodes)
        torsor_run_pose(run, b->pose, b->pose + 3 * (size_t)b->nodes);
    if (paint && torsor_paint_count(paint) == b->painted) torsor_paint_read(paint, b->paint);
    b->t = torsor_run_time(run), b->step = torsor_run_steps_done(run), b->frame_version++;
    unlock_with_news(b);
    return true;
}

bool server_board_field(server_board *b, uint64_t *version, char field[SERVER_TEXT]) {
    lock(b);
    bool other = *version != b->field_version;
    *version = b->field_version;
    memcpy(field, b->field, SERVER_TEXT);
    unlock(b);
    return other;
}

void server_board_paint(server_board *b, int values, const char *field) {
    float *paint = calloc((size_t)values + 1, sizeof *paint);
    if (!paint) return;
    lock(b);
    float *old = b->paint;
    b->paint = paint, b->painted = values;
    snprintf(b->painting, sizeof b->painting, "%s", field);
    unlock(b);
    free(old);
}

/* ---- the program reads ---- */

unsigned server_board_deeds(server_board *b) {
    lock(b);
    unsigned deeds = b->deeds;
    b->deeds = 0;
    unlock(b);
    return deeds;
}

bool server_board_parameter(server_board *b, char name[SERVER_TEXT], char value[SERVER_TEXT]) {
    lock(b);
    bool any = b->parameters > 0;
    if (any) {
        memcpy(name, b->parameter[0].name, SERVER_TEXT);
        memcpy(value, b->parameter[0].value, SERVER_TEXT);
        b->parameters--;
        memmove(b->parameter, b->parameter + 1, (size_t)b->parameters * sizeof *b->parameter);
    }
    unlock(b);
    return any;
}

int server_board_channels(server_board *b, char channel[SERVER_CHANNELS][SERVER_TEXT]) {
    lock(b);
    int count = b->channels;
    if (count >= 0) memcpy(channel, b->channel, sizeof b->channel);
    b->channels = -1;
    unlock(b);
    return count;
}

void server_board_wait(server_board *b, double seconds) {
    struct timespec until = in_seconds(seconds);
    lock(b);
    if (!b->deeds && !b->parameters && b->channels < 0 && !b->closed)
        pthread_cond_timedwait(&b->asked, &b->lock, &until);
    unlock(b);
}

uint64_t server_board_answers(server_board *b) {
    lock(b);
    uint64_t answers = b->answers;
    unlock(b);
    return answers;
}

/* ---- the server ---- */

static bool has_news(const server_board *b, const server_seen *seen) {
    return b->closed || seen->state != b->state_version || seen->frame != b->frame_version ||
           seen->series != b->series;
}

/* The content of an answer; called while the lock is held. */
static server_bytes answer(const server_board *b, const server_seen *seen) {
    bool state = seen->state != b->state_version, frame = seen->frame != b->frame_version;
    bool known = seen->series == b->series && seen->samples <= b->rows;
    uint64_t first = known ? seen->samples : 0, rows = b->rows - first;
    size_t numbers = (size_t)rows * (size_t)b->width * sizeof *b->samples;
    size_t pose = frame ? 7 * (size_t)b->nodes * sizeof *b->pose : 0;
    size_t paint = frame ? (size_t)b->painted * sizeof *b->paint : 0;
    const char *text = state ? b->state : "null";
    size_t room = HEAD + strlen(text);
    server_bytes out = {calloc(room + 16 + numbers + pose + paint, 1), 0};
    if (!out.data) return out;
    char *to = out.data;
    int length =
        snprintf(to + 8, room,
                 "{\"state_version\":%llu,\"scene\":%llu,\"frame\":%llu,\"series\":%llu,"
                 "\"first\":%llu,\"rows\":%llu,\"width\":%d,\"nodes\":%d,\"t\":%.17g,"
                 "\"step\":%lld,\"painted\":%d,\"field\":\"%s\",\"closed\":%s,\"state\":%s}",
                 (unsigned long long)b->state_version, (unsigned long long)b->scene_version,
                 (unsigned long long)b->frame_version, (unsigned long long)b->series,
                 (unsigned long long)first, (unsigned long long)rows, b->width,
                 frame ? b->nodes : 0, b->t, (long long)b->step, frame ? b->painted : 0,
                 b->painting, b->closed ? "true" : "false", text);
    uint32_t padded = ((uint32_t)length + 7) / 8 * 8;
    memset(to + 8 + length, ' ', padded - (uint32_t)length);
    memcpy(to, &padded, sizeof padded);
    out.size = 8 + (size_t)padded;
    memcpy(to + out.size, b->samples + first * (size_t)b->width, numbers);
    memcpy(to + out.size + numbers, b->pose, pose);
    memcpy(to + out.size + numbers + pose, b->paint, paint);
    out.size += numbers + pose + paint;
    return out;
}

server_bytes server_board_poll(server_board *b, const server_seen *seen) {
    struct timespec until = in_seconds(PATIENCE);
    lock(b);
    while (!has_news(b, seen) && pthread_cond_timedwait(&b->news, &b->lock, &until) == 0) {
    }
    server_bytes out = answer(b, seen);
    b->answers++;
    unlock(b);
    return out;
}

server_bytes server_board_scene(server_board *b) {
    lock(b);
    server_bytes out = {calloc(strlen(b->scene) + 1, 1), strlen(b->scene)};
    if (out.data) memcpy(out.data, b->scene, out.size);
    unlock(b);
    return out;
}

/* A parameter that already waits gets the new value: sliders send values faster than models are
 * built.
 */
static bool keep_parameter(server_board *b, const server_order *order) {
    int i = 0;
    while (i < b->parameters && strcmp(b->parameter[i].name, order->name) != 0) i++;
    if (i == MOST_PARAMETERS) return false;
    memcpy(b->parameter[i].name, order->name, SERVER_TEXT);
    memcpy(b->parameter[i].value, order->value, SERVER_TEXT);
    if (i == b->parameters) b->parameters++;
    return true;
}

bool server_board_order(server_board *b, const server_order *order) {
    lock(b);
    bool kept = true;
    b->deeds |= (unsigned)order->deed;
    if (order->deed & SERVER_RESET) b->parameters = 0; /* asked for before it */
    if (order->verb == SERVER_SET) kept = keep_parameter(b, order);
    if (order->verb == SERVER_WATCH)
        memcpy(b->channel, order->channel, sizeof b->channel), b->channels = order->channels;
    if (order->verb == SERVER_PAINT)
        memcpy(b->field, order->name, sizeof b->field), b->field_version++;
    pthread_cond_broadcast(&b->asked);
    unlock(b);
    return kept;
}
