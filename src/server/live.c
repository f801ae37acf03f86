/* SPDX-License-Identifier: Apache-2.0 */
/* Frames and samples of a run, for the board.
 *
 * A frame is a copy of the pose, a sample a row of energies and channels. The next frame or sample
 * is made when at least its pause has passed since the last one, and SHARE times the time that the
 * last one took. So both together take less than 2/SHARE of the time of the run, however large the
 * model is. Between frames a step costs one reading of the clock.
 */
#include <string.h>

#include "base/clock.h"
#include "server/server.h"

static const double FRAME = 0.04, SAMPLE = 0.002, SHARE = 50; /* s, s, times */

static void sample(const server_live *live, const torsor_run *run) {
    double row[SERVER_WIDTH] = {0};
    torsor_ledger l;
    torsor_run_ledger(run, &l);
    const double energies[SERVER_ENERGIES] = {
        torsor_run_time(run), l.kinetic,    l.elastic,     l.gravity, l.work_loads,
        l.work_drives,        l.dissipated, l.algorithmic, l.balance, torsor_run_event_loss(run)};
    memcpy(row, energies, sizeof energies);
    if (live->probe) torsor_probe_read(live->probe, row + SERVER_ENERGIES);
    server_board_sample(live->board, row);
}

static double later(double begun, double pause, double *spent) {
    double now = ts_wall_time(), took = now - begun;
    *spent += took;
    return now + (SHARE * took > pause ? SHARE * took : pause);
}

static void take_sample(server_live *live, const torsor_run *run, double now) {
    sample(live, run);
    live->samples++;
    live->sample_due = later(now, SAMPLE, &live->spent);
}

/* The field that the page asks for, if this model has it. */
static void choose_paint(server_live *live, const torsor_run *run) {
    char field[SERVER_TEXT];
    if (!server_board_field(live->board, &live->field, field)) return;
    torsor_paint_free(live->paint);
    live->paint = NULL;
    if (*field && torsor_paint_new(&live->paint, run, field)) live->paint = NULL;
    server_board_paint(live->board, torsor_paint_count(live->paint), live->paint ? field : "");
}

static void take_frame(server_live *live, const torsor_run *run, double now) {
    choose_paint(live, run);
    bool shown = server_board_frame(live->board, run, live->paint);
    live->frames++, live->dropped += !shown;
    live->frame_due = later(now, FRAME, &live->spent);
}

/* Which number of the old probe each one of the new probe is; -1: none. */
static void match(const torsor_probe *old, const torsor_probe *new, int from[SERVER_WIDTH]) {
    for (int i = 0; i < torsor_probe_count(new); i++) {
        from[i] = -1;
        for (int k = 0; k < torsor_probe_count(old) && from[i] < 0; k++)
            if (strcmp(torsor_probe_name(old, k), torsor_probe_name(new, i)) == 0) from[i] = k;
    }
}

int server_live_watch(server_live *live, const torsor_run *run, int channels,
                      const char *const *channel) {
    torsor_probe *probe = NULL;
    int status = channels > 0 ? torsor_probe_new(&probe, run, channels, channel) : 0;
    if (status) return status;
    if (torsor_probe_count(probe) > SERVER_WIDTH - SERVER_ENERGIES) {
        torsor_probe_free(probe);
        return TORSOR_EOPTION;
    }
    int from[SERVER_WIDTH];
    match(live->probe, probe, from);
    torsor_probe_free(live->probe);
    live->probe = probe;
    server_board_widen(live->board, torsor_probe_count(probe), from);
    return 0;
}

void server_live_begin(server_live *live, server_board *board, const torsor_run *run) {
    *live = (server_live){.board = board};
    server_board_begin(board, torsor_run_nodes(run));
}

void server_live_step(server_live *live, const torsor_run *run, bool last) {
    double now = ts_wall_time();
    if (last || now >= live->sample_due) take_sample(live, run, now);
    if (last || now >= live->frame_due) take_frame(live, run, ts_wall_time());
}

void server_live_end(server_live *live) {
    torsor_probe_free(live->probe);
    live->probe = NULL;
    torsor_paint_free(live->paint);
    live->paint = NULL;
}
