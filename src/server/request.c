/* SPDX-License-Identifier: Apache-2.0 */
/* Requests: who may ask, and for what.
 *
 * A page of a foreign site that runs in the user's browser can send requests to 127.0.0.1. It is
 * kept
 * out by four checks, each enough for most attacks:
 *
 *   token    128 random bits at the beginning of every path, compared in constant time
 *   Host     127.0.0.1 or localhost with our port: a foreign name that was made to point here (DNS
 *            rebinding) is refused
 *   Origin   if the browser sends one, ours
 *   method   what changes something is POST, which needs an Origin of its own in every browser
 *
 * There are no paths to files: a request names one of six verbs, so that no file can be asked for.
 */
#include "server/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 200, BAD = 400, FORBIDDEN = 403, NOT_FOUND = 404, WRONG_METHOD = 405 };

/* ---- who ---- */

/* Takes the same time wherever the first difference is. */
static bool equal_tokens(const char *a, const char *b) {
    unsigned char different = 0;
    for (int i = 0; i < SERVER_TOKEN; i++) different |= (unsigned char)(a[i] ^ b[i]);
    return different == 0;
}

static bool is_ours(const server_gate *gate, const char *text, const char *scheme) {
    static const char *const NAME[] = {"127.0.0.1", "localhost"};
    char ours[64];
    for (int i = 0; i < 2; i++) {
        snprintf(ours, sizeof ours, "%s%s:%u", scheme, NAME[i], gate->port);
        if (strcmp(text, ours) == 0) return true;
    }
    return false;
}

/* The path behind "/TOKEN/"; NULL: the token is not there, or another. */
static const char *behind_token(const server_gate *gate, const char *url) {
    if (!url || *url != '/' || strnlen(url, SERVER_TOKEN + 2) < SERVER_TOKEN + 2) return NULL;
    bool right = equal_tokens(url + 1, gate->token);
    return right && url[SERVER_TOKEN + 1] == '/' ? url + SERVER_TOKEN + 2 : NULL;
}

/* ---- what ---- */

static const struct {
    const char *path, *method;
    server_verb verb;
} VERBS[] = {{"", "GET", SERVER_PAGE},       {"scene", "GET", SERVER_SCENE},
             {"poll", "GET", SERVER_POLL},   {"do", "POST", SERVER_DO},
             {"set", "POST", SERVER_SET},    {"watch", "POST", SERVER_WATCH},
             {"paint", "POST", SERVER_PAINT}};
enum { VERB_COUNT = sizeof VERBS / sizeof *VERBS };

int server_admit(const server_gate *gate, const server_call *call, server_order *order) {
    memset(order, 0, sizeof *order);
    if (!call->host || !is_ours(gate, call->host, "")) return FORBIDDEN;
    if (call->origin && !is_ours(gate, call->origin, "http://")) return FORBIDDEN;
    const char *path = behind_token(gate, call->url);
    if (!path) return NOT_FOUND;
    for (int i = 0; i < VERB_COUNT; i++) {
        if (strcmp(path, VERBS[i].path) != 0) continue;
        if (!call->method || strcmp(call->method, VERBS[i].method) != 0) return WRONG_METHOD;
        order->verb = VERBS[i].verb;
        return OK;
    }
    return NOT_FOUND;
}

/* ---- parameters ---- */

/* A name or a value of a model: printable, in one line. */
static int take_text(char to[SERVER_TEXT], const char *value) {
    size_t length = strnlen(value, SERVER_TEXT);
    if (length == 0 || length == SERVER_TEXT) return BAD;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)value[i] < ' ' || value[i] == 127) return BAD;
    memcpy(to, value, length + 1);
    return OK;
}

static int take_count(uint64_t *to, const char *value) {
    size_t length = strspn(value, "0123456789");
    if (length == 0 || length > 18 || value[length]) return BAD;
    *to = strtoull(value, NULL, 10);
    return OK;
}

static int take_deed(server_deed *to, const char *value) {
    static const struct {
        const char *name;
        server_deed deed;
    } DEEDS[] = {{"run", SERVER_RUN},     {"pause", SERVER_PAUSE}, {"continue", SERVER_GO_ON},
                 {"stop", SERVER_STOP},   {"reset", SERVER_RESET}, {"quit", SERVER_QUIT},
                 {"paced", SERVER_PACED}, {"free", SERVER_FREE}};
    for (size_t i = 0; i < sizeof DEEDS / sizeof *DEEDS; i++)
        if (strcmp(value, DEEDS[i].name) == 0) return *to = DEEDS[i].deed, OK;
    return BAD;
}

int server_parameter(server_order *order, const char *key, const char *value) {
    struct {
        const char *name;
        uint64_t *to;
    } counts[] = {{"state", &order->seen.state},
                  {"frame", &order->seen.frame},
                  {"series", &order->seen.series},
                  {"samples", &order->seen.samples}};
    if (!key || !value) return BAD;
    if (order->verb == SERVER_POLL)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            if (strcmp(key, counts[i].name) == 0) return take_count(counts[i].to, value);
    if (order->verb == SERVER_DO && strcmp(key, "what") == 0) return take_deed(&order->deed, value);
    if (order->verb == SERVER_PAINT && strcmp(key, "field") == 0)
        return take_text(order->name, value);
    if (order->verb == SERVER_SET && strcmp(key, "name") == 0) return take_text(order->name, value);
    if (order->verb == SERVER_SET && strcmp(key, "value") == 0)
        return take_text(order->value, value);
    if (order->verb == SERVER_WATCH && strcmp(key, "channel") == 0 &&
        order->channels < SERVER_CHANNELS)
        return take_text(order->channel[order->channels++], value);
    return BAD;
}

int server_complete(const server_order *order) {
    if (order->verb == SERVER_DO) return order->deed ? OK : BAD;
    if (order->verb == SERVER_PAINT) return *order->name ? OK : BAD;
    if (order->verb == SERVER_SET) return *order->name && *order->value ? OK : BAD;
    return OK;
}
