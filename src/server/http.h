/* SPDX-License-Identifier: Apache-2.0 */
/* libmicrohttpd, loaded when the first page is served. It needs a library for encryption, which
 * needs five more: loading them at every start would make all other verbs wait. So the program is
 * not linked with libmicrohttpd, and calls its functions through a table. */
#ifndef TS_SERVER_HTTP_H
#define TS_SERVER_HTTP_H

#include <microhttpd.h>
#include <stddef.h>

/* The functions that torsor calls, declared as in the header of libmicrohttpd. */
#define SERVER_HTTP(ENTRY)                                \
    ENTRY(start_daemon)                                   \
    ENTRY(stop_daemon)                                    \
    ENTRY(get_daemon_info)                                \
    ENTRY(get_version)                                    \
    ENTRY(lookup_connection_value)                        \
    ENTRY(get_connection_values)                          \
    ENTRY(create_response_from_buffer)                    \
    ENTRY(create_response_from_buffer_with_free_callback) \
    ENTRY(add_response_header)                            \
    ENTRY(queue_response)                                 \
    ENTRY(destroy_response)

#define SERVER_HTTP_ENTRY(name) __typeof__(MHD_##name) *name;
typedef struct server_http {
    SERVER_HTTP(SERVER_HTTP_ENTRY)
} server_http;
#undef SERVER_HTTP_ENTRY

/* Returns the table, the same one for every caller. NULL: the library is missing; `why` says so and
 * names the package to install. */
const server_http *server_http_get(char *why, size_t size);

#endif
