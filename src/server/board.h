/* SPDX-License-Identifier: Apache-2.0 */
/* The board: what the browsers see, and what they ask for. The program writes and reads it, the
 * threads of the server read and write it, under one lock that is held only to copy.
 *
 *   state     JSON: the model or its mistakes, the run; a new text is a new version
 *   scene     the drawing (torsor_run_scene); its version is part of the state
 *   frame     the pose of a running model: only the last one is kept
 *   samples   time, energies and channels of steps: SERVER_MOST at most, evenly thinned
 *   orders    deeds, parameters and channels that browsers asked for
 *
 * Nothing is queued for a browser. Each asks for what it lacks when it is ready for it, so a slow
 * or hidden page delays nobody, and memory is bounded.
 */
#ifndef TS_SERVER_BOARD_H
#define TS_SERVER_BOARD_H

#include "server/request.h"
#include "torsor/torsor.h"

enum { SERVER_MOST = 4096, SERVER_ENERGIES = 10, SERVER_WIDTH = SERVER_ENERGIES + 64 };

typedef struct server_board server_board;

server_board *server_board_new(void);
void server_board_free(server_board *board);
/* Ends all waiting, now and from now on. */
void server_board_close(server_board *board);

/* ---- for the program ---- */

/* The state in JSON, with a new scene; NULL: the old one stays. Both are copied. */
void server_board_state(server_board *board, const char *json, const char *scene);
/* Room for the poses of a model of so many nodes; forgets the samples that were there. */
void server_board_begin(server_board *board, int nodes);
/* From now on samples have so many channels. from[i]: which channel of earlier samples i was, or -1
 * if it is new; then its earlier values are NaN, as all are without a list. */
void server_board_widen(server_board *board, int channels, const int *from);
/* A sample: SERVER_ENERGIES numbers, then the channels. */
void server_board_sample(server_board *board, const double *row);
/* The pose now, at time t. False: a browser is reading, and the frame was dropped. */
bool server_board_frame(server_board *board, const torsor_run *run, torsor_paint *paint);
/* Gives the field that parts are coloured by, if it changed since `version`, which is updated. */
bool server_board_field(server_board *board, uint64_t *version, char field[SERVER_TEXT]);
/* Room for so many values of the field that frames bring from now on. */
void server_board_paint(server_board *board, int values, const char *field);

/* Takes the deeds that were asked for since the last call: a set of server_deed. */
unsigned server_board_deeds(server_board *board);
/* The next parameter that was set; false: there is none. */
bool server_board_parameter(server_board *board, char name[SERVER_TEXT], char value[SERVER_TEXT]);
/* Gives the channels that were asked for, if they changed; otherwise -1. */
int server_board_channels(server_board *board, char channel[SERVER_CHANNELS][SERVER_TEXT]);
/* Waits until somebody asks for something, for at most so many seconds. */
void server_board_wait(server_board *board, double seconds);
/* Number of answers so far. It grows while somebody is watching. */
uint64_t server_board_answers(server_board *board);

/* ---- for the server ---- */

/* Bytes for an answer; the caller frees them. */
typedef struct server_bytes {
    void *data;
    size_t size;
} server_bytes;

/* Returns everything that is newer than `seen`; waits some seconds for it. NULL: out of memory. */
server_bytes server_board_poll(server_board *board, const server_seen *seen);
server_bytes server_board_scene(server_board *board);
/* Keeps an order; false: too many are waiting. */
bool server_board_order(server_board *board, const server_order *order);

#endif
