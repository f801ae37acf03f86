/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP at 127.0.0.1, by libmicrohttpd, with a thread for each connection.
 *
 * The page asks again and again for what is new (long polling): a connection waits on the board
 * until there is something, and gets it in one answer. See docs/view.md for why no websocket.
 */
#define _DEFAULT_SOURCE /* mkstemps */
#include "server/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "server/http.h"

extern char **environ;
extern const char ts_view_page[], ts_view_page_end[];

/* TIMEOUT, s: longer than a poll waits (board.c), short enough that clients which send nothing free
 * their place soon. */
enum { MOST_CONNECTIONS = 64, TIMEOUT = 8, MEMORY = 16384, PATH_ROOM = 4096 };
static const double FAREWELL = 2; /* s that the last answers are waited for */

struct server {
    server_board *board;
    server_gate gate;
    const server_http *http;
    struct MHD_Daemon *daemon;
    atomic_int unanswered; /* requests that have begun and whose answer is not sent */
    char address[96];
    char note[PATH_ROOM]; /* the file that leads the browser to the address; "": none */
};

/* ---- answers ---- */

static const struct {
    const char *name, *value;
} HEADERS[] = {
    {"Cache-Control", "no-store"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Content-Security-Policy",
     "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: "
     "blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"}};

/* A request and what answers it. */
typedef struct line {
    const server_http *http;
    struct MHD_Connection *connection;
} line;

static enum MHD_Result send_response(line l, unsigned code, const char *type,
                                     struct MHD_Response *response) {
    if (!response) return MHD_NO;
    for (size_t i = 0; i < sizeof HEADERS / sizeof *HEADERS; i++)
        l.http->add_response_header(response, HEADERS[i].name, HEADERS[i].value);
    l.http->add_response_header(response, "Content-Type", type);
    enum MHD_Result sent = l.http->queue_response(l.connection, code, response);
    l.http->destroy_response(response);
    return sent;
}

static enum MHD_Result send_words(line l, unsigned code) {
    const char *words = code == 200   ? "ok\n"
                        : code == 400 ? "the request is malformed\n"
                        : code == 403 ? "not from here\n"
                        : code == 405 ? "wrong method\n"
                        : code == 413 ? "no body is expected\n"
                        : code == 503 ? "too many requests are waiting\n"
                                      : "there is nothing here\n";
    return send_response(
        l, code, "text/plain; charset=utf-8",
        l.http->create_response_from_buffer(strlen(words), (char *)words, MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result send_bytes(line l, const char *type, server_bytes bytes) {
    if (!bytes.data) return MHD_NO;
    return send_response(
        l, 200, type,
        l.http->create_response_from_buffer_with_free_callback(bytes.size, bytes.data, free));
}

static enum MHD_Result send_page(line l) {
    size_t length = (size_t)(ts_view_page_end - ts_view_page);
    return send_response(
        l, 200, "text/html; charset=utf-8",
        l.http->create_response_from_buffer(length, (char *)ts_view_page, MHD_RESPMEM_PERSISTENT));
}

/* The values of *seen say what is known of a request so far. A request to quit is carried out only
 * after its answer is sent (on_answered): otherwise the program would end before the answer is
 * sent. */
static int header, body, farewell;

static enum MHD_Result carry_out(const server *s, line l, const server_order *order, void **seen) {
    if (order->deed & SERVER_QUIT) return *seen = &farewell, send_words(l, 200);
    switch (order->verb) {
    case SERVER_PAGE:
        return send_page(l);
    case SERVER_SCENE:
        return send_bytes(l, "text/html; charset=utf-8", server_board_scene(s->board));
    case SERVER_POLL:
        return send_bytes(l, "application/octet-stream", server_board_poll(s->board, &order->seen));
    default:
        return send_words(l, server_board_order(s->board, order) ? 200 : 503);
    }
}

/* ---- requests ---- */

typedef struct reading {
    server_order *order;
    int code;
} reading;

static enum MHD_Result take_parameter(void *context, enum MHD_ValueKind kind, const char *key,
                                      const char *value) {
    reading *r = context;
    (void)kind;
    if (r->code == 200) r->code = server_parameter(r->order, key, value);
    return r->code == 200 ? MHD_YES : MHD_NO;
}

/* Called when the header is there, for pieces of a body, and at the end: *seen says which. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **seen) {
    server *s = context;
    line l = {s->http, c};
    (void)version, (void)data;
    if (!*seen) return *seen = &header, atomic_fetch_add(&s->unanswered, 1), MHD_YES;
    if (*size) return *size = 0, *seen = &body, MHD_YES; /* read and forgotten */
    if (*seen == &body) return send_words(l, 413);
    server_order order;
    server_call call = {.method = method, .url = url};
    call.host = s->http->lookup_connection_value(c, MHD_HEADER_KIND, "Host");
    call.origin = s->http->lookup_connection_value(c, MHD_HEADER_KIND, "Origin");
    reading r = {&order, server_admit(&s->gate, &call, &order)};
    if (r.code == 200) s->http->get_connection_values(c, MHD_GET_ARGUMENT_KIND, take_parameter, &r);
    if (r.code == 200) r.code = server_complete(&order);
    return r.code == 200 ? carry_out(s, l, &order, seen) : send_words(l, (unsigned)r.code);
}

/* Called when the answer was sent, or the browser left. */
static void on_answered(void *context, struct MHD_Connection *c, void **seen,
                        enum MHD_RequestTerminationCode how) {
    server *s = context;
    (void)c, (void)how;
    if (*seen == &farewell)
        server_board_order(s->board, &(server_order){.verb = SERVER_DO, .deed = SERVER_QUIT});
    if (*seen) atomic_fetch_sub(&s->unanswered, 1);
}

/* ---- beginning and end ---- */

static bool make_token(char token[SERVER_TOKEN + 1]) {
    unsigned char bytes[SERVER_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* Messages of the library about refused headers are of no use here, and are dropped. */
static void say_nothing(void *context, const char *format, va_list list) {
    (void)context, (void)format, (void)list;
}

static struct MHD_Daemon *daemon_at(server *s, unsigned port) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return s->http->start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ERROR_LOG, 0,
        NULL, NULL, on_request, s, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, on_answered, s, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&here,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)TIMEOUT, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY, MHD_OPTION_END);
}

server *server_start(server_board *board, unsigned port, char *why, size_t size) {
    if (!*ts_view_page) { /* an empty file */
        snprintf(why, size,
                 "this torsor was built without the page of `torsor view`: node and npm were "
                 "missing (install them, run `make setup` and build again)");
        return NULL;
    }
    const server_http *http = server_http_get(why, size);
    if (!http) return NULL;
    server *s = calloc(1, sizeof *s);
    if (!s || !make_token(s->gate.token)) {
        snprintf(why, size, "there is no memory or no randomness");
        return free(s), NULL;
    }
    s->board = board, s->http = http;
    errno = 0;
    s->daemon = daemon_at(s, port);
    if (!s->daemon) {
        snprintf(why, size, "cannot listen at 127.0.0.1:%u: %s", port,
                 errno ? strerror(errno) : "the port may be in use");
        return free(s), NULL;
    }
    s->gate.port = s->http->get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    snprintf(s->address, sizeof s->address, "http://127.0.0.1:%u/%s/", s->gate.port, s->gate.token);
    return s;
}

const char *server_address(const server *s) { return s->address; }

/* Stopping the daemon interrupts answers that are under way, such as polls of open pages; so they
 * are sent first. */
static void send_last_answers(const server *s) {
    const struct timespec moment = {.tv_nsec = 1000000};
    for (double end = ts_wall_time() + FAREWELL;
         atomic_load(&s->unanswered) > 0 && ts_wall_time() < end;)
        nanosleep(&moment, NULL);
}

void server_end(server *s) {
    if (!s) return;
    server_board_close(s->board);
    send_last_answers(s);
    s->http->stop_daemon(s->daemon);
    if (*s->note) unlink(s->note);
    free(s);
}

/* ---- the browser ---- */

/* Every user of the machine can read the arguments of a command, so the token must not be among
 * them. The browser gets a file that only this user can read, and that leads to the address. */
static bool write_note(server *s) {
    const char *runtime = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
    const char *folder = runtime && *runtime       ? runtime
                         : temporary && *temporary ? temporary
                                                   : "/tmp";
    int length = snprintf(s->note, sizeof s->note, "%s/torsor-view-XXXXXX.html", folder);
    int file = length < (int)sizeof s->note ? mkstemps(s->note, 5) : -1;
    if (file < 0) return *s->note = 0, false;
    dprintf(
        file,
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
        "<meta http-equiv=\"refresh\" content=\"0; url=%s\"><title>torsor view</title>"
        "<a href=\"%s\">torsor view</a>\n",
        s->address, s->address);
    return close(file) == 0;
}

bool server_open_browser(server *s) {
    const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if (!(x11 && *x11) && !(wayland && *wayland)) return false;
    if (!write_note(s)) return false;
    /* the shell ends at once, so torsor has no child process to wait for */
    char *words[] = {"sh", "-c", "xdg-open \"$0\" >/dev/null 2>&1 </dev/null &", s->note, NULL};
    pid_t child;
    int status = -1;
    if (posix_spawnp(&child, "sh", NULL, NULL, words, environ)) return false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status == 0;
}
