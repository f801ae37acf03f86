/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a request to the server of `torsor view`: without the token no request is admitted;
 * an admitted request is one of six verbs, and its texts fit into their buffers and are printable.
 * Lines of the input are method, path, Host, Origin, then key=value; `@` in the path stands for the
 * token and in Host and Origin for the right name. */
#define _DEFAULT_SOURCE /* strsep */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char TOKEN[] = "0123456789abcdef0123456789abcdef";

static void insist(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "fuzz_request: %s\n", what);
    abort();
}

/* The text with `@` replaced; to be freed. */
static char *expanded(const char *text, const char *by) {
    size_t count = 1;
    for (const char *c = text; *c; c++) count += *c == '@' ? strlen(by) : 1;
    char *out = calloc(count, 1), *to = out;
    for (const char *c = text; *c; c++) {
        const char *piece = *c == '@' ? by : c;
        size_t length = *c == '@' ? strlen(by) : 1;
        memcpy(to, piece, length), to += length;
    }
    return out;
}

static void check_text(const char *text, size_t room) {
    size_t length = strnlen(text, room);
    insist(length < room, "a text without an end");
    for (size_t i = 0; i < length; i++)
        insist((unsigned char)text[i] >= ' ' && text[i] != 127, "a control character");
}

static void check_order(const server_order *o) {
    insist((int)o->verb >= SERVER_PAGE && o->verb <= SERVER_PAINT, "no verb");
    insist(o->channels >= 0 && o->channels <= SERVER_CHANNELS, "too many channels");
    check_text(o->name, sizeof o->name), check_text(o->value, sizeof o->value);
    for (int i = 0; i < o->channels; i++) check_text(o->channel[i], sizeof o->channel[i]);
    insist(o->verb == SERVER_SET || (!*o->name && !*o->value), "a parameter of another verb");
    insist(o->verb == SERVER_DO || !o->deed, "a deed of another verb");
}

/* The same request with one bit of the token changed. */
static void refuse_others(const server_gate *gate, server_call call) {
    server_order order;
    server_gate other = *gate;
    for (int i = 0; i < SERVER_TOKEN; i++) {
        other.token[i] ^= 1;
        insist(server_admit(&other, &call, &order) != 200, "another token is admitted");
        other.token[i] ^= 1;
    }
    other.port++;
    insist(server_admit(&other, &call, &order) != 200, "another port is admitted");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    server_gate gate = {.port = 8123};
    memcpy(gate.token, TOKEN, sizeof TOKEN);
    char *text = calloc(size + 1, 1), *line[4] = {0}, *rest = text;
    if (size) memcpy(text, data, size);
    for (int i = 0; i < 4; i++) line[i] = strsep(&rest, "\n");
    char *path = line[1] ? expanded(line[1], TOKEN) : NULL;
    char *host = line[2] ? expanded(line[2], "127.0.0.1:8123") : NULL;
    char *origin = line[3] && *line[3] ? expanded(line[3], "http://localhost:8123") : NULL;
    server_call call = {line[0], path, host, origin};
    server_order order;
    if (server_admit(&gate, &call, &order) == 200) {
        insist(path && strstr(path, TOKEN) == path + 1, "admitted without the token");
        refuse_others(&gate, call);
        for (char *pair; (pair = strsep(&rest, "\n"));) {
            char *key = strsep(&pair, "=");
            int code = server_parameter(&order, key, pair);
            insist(code == 200 || code == 400, "another code");
            if (code != 200) break;
        }
        check_order(&order);
        server_complete(&order);
    }
    free(path), free(host), free(origin), free(text);
    return 0;
}
