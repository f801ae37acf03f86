/* SPDX-License-Identifier: Apache-2.0 */
/* A page in the browser that shows a model and its run: `torsor view`, `torsor run --view`.
 *
 *   request.c   who may ask, and for what
 *   board.c     what is shown and what was asked for, shared by threads
 *   server.c    HTTP, by libmicrohttpd; the browser
 *   http.c      libmicrohttpd, loaded when a page is served
 *   live.c      the frames and samples of a run
 *
 * Like the command line, the server uses the public header torsor/torsor.h only.
 */
#ifndef TS_SERVER_H
#define TS_SERVER_H

#include "server/board.h"

typedef struct server server;

/* Serves the board at 127.0.0.1; port 0 takes any free port. NULL: failed, `why` says why. */
server *server_start(server_board *board, unsigned port, char *why, size_t size);
/* "http://127.0.0.1:40123/TOKEN/", until the end. */
const char *server_address(const server *s);
/* Opens the address with xdg-open, if there is a display. False: there is none. */
bool server_open_browser(server *s);
/* Closes the board, ends all connections and frees. */
void server_end(server *s);
/* "libmicrohttpd 0.9.75, /usr/lib/...": what serves pages. False: nothing; the text says why. */
bool server_http_name(char *text, size_t size);

/* ---- live.c ---- */

/* The frames of a run. They take at most 4 % of the time of the run: the time that a frame took is
 * measured, and the next one waits accordingly. */
typedef struct server_live {
    server_board *board;
    torsor_probe *probe;          /* NULL: no channels */
    torsor_paint *paint;          /* NULL: no colours */
    uint64_t field;               /* version of the field that it is */
    double sample_due, frame_due; /* wall-clock times at which the next sample and frame are due */
    double spent;                 /* time spent on samples and frames so far, s */
    int64_t samples, frames, dropped;
} server_live;

/* Starts again, without channels. The first step always shows a frame. */
void server_live_begin(server_live *live, server_board *board, const torsor_run *run);
/* The channels to read from now on. A status: TORSOR_EINVAL, and torsor_error() says why; or
 * TORSOR_EOPTION: they have more than SERVER_WIDTH - SERVER_ENERGIES numbers. */
int server_live_watch(server_live *live, const torsor_run *run, int channels,
                      const char *const *channel);
/* Call after each step; `last`: a step that must be shown in any case. */
void server_live_step(server_live *live, const torsor_run *run, bool last);
void server_live_end(server_live *live);

#endif
