/* SPDX-License-Identifier: Apache-2.0 */
/* What a request may ask for, and whether it may: see request.c. Nothing here allocates or knows
 * the HTTP library, so that tests and the fuzzer call it with any bytes. */
#ifndef TS_SERVER_REQUEST_H
#define TS_SERVER_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SERVER_TOKEN = 32,  /* hexadecimal digits: 128 random bits */
    SERVER_TEXT = 200,  /* the longest name or value, with its end */
    SERVER_CHANNELS = 8 /* that may be drawn at a time */
};

/* Token and port that a request must name. */
typedef struct server_gate {
    char token[SERVER_TOKEN + 1];
    unsigned port;
} server_gate;

/* A request as the HTTP library has it; texts may be NULL. */
typedef struct server_call {
    const char *method, *url, *host, *origin;
} server_call;

typedef enum server_verb {
    SERVER_PAGE,  /* GET /TOKEN/ */
    SERVER_SCENE, /* GET /TOKEN/scene */
    SERVER_POLL,  /* GET /TOKEN/poll?state=&frame=&series=&samples= */
    SERVER_DO,    /* POST /TOKEN/do?what=run */
    SERVER_SET,   /* POST /TOKEN/set?name=L&value=2 m */
    SERVER_WATCH, /* POST /TOKEN/watch?channel=hinge.angle&channel=... */
    SERVER_PAINT  /* POST /TOKEN/paint?field=von_mises_stress; part: no field */
} server_verb;

/* Commands of the page to the program. */
typedef enum server_deed {
    SERVER_NOTHING = 0,
    SERVER_RUN = 1,
    SERVER_PAUSE = 2,
    SERVER_GO_ON = 4,
    SERVER_STOP = 8,
    SERVER_RESET = 16, /* parameters as in the file */
    SERVER_QUIT = 32,
    SERVER_PACED = 64, /* no faster than real time */
    SERVER_FREE = 128  /* as fast as it can */
} server_deed;

/* Versions that the browser has already. */
typedef struct server_seen {
    uint64_t state, frame, series, samples;
} server_seen;

typedef struct server_order {
    server_verb verb;
    server_seen seen;
    server_deed deed;
    char name[SERVER_TEXT], value[SERVER_TEXT];
    char channel[SERVER_CHANNELS][SERVER_TEXT];
    int channels;
} server_order;

/* 200: the order's verb is set. Otherwise the code of HTTP to refuse the request with. */
int server_admit(const server_gate *gate, const server_call *call, server_order *order);
/* One parameter of the query, decoded, for an admitted order. 200, or 400. */
int server_parameter(server_order *order, const char *key, const char *value);
/* Is everything there that the verb needs? 200, or 400. */
int server_complete(const server_order *order);

#endif
