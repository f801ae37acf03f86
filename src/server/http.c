/* SPDX-License-Identifier: Apache-2.0 */
/* See http.h. SERVER_HTTP_FILE is the name under which the library was found when torsor was
 * built, "libmicrohttpd.so.12": its functions are those of the header. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "server/http.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "server/server.h"

static server_http table;
static bool complete;
static char reason[1000];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The address of a function, as C has no cast for it. */
static bool find(void *library, const char *name, void *entry) {
    void *address = dlsym(library, name);
    memcpy(entry, &address, sizeof address);
    return address != NULL;
}

static void load(void) {
    void *library = dlopen(SERVER_HTTP_FILE, RTLD_NOW | RTLD_LOCAL);
    complete = library != NULL;
#define FIND(name) complete = complete && find(library, "MHD_" #name, &table.name);
    SERVER_HTTP(FIND)
#undef FIND
    const char *told = complete ? NULL : dlerror();
    if (!complete)
        snprintf(
            reason, sizeof reason,
            "pages are served by libmicrohttpd, which is missing: install libmicrohttpd12 (%s)",
            told ? told : SERVER_HTTP_FILE);
}

const server_http *server_http_get(char *why, size_t size) {
    pthread_once(&once, load);
    if (!complete) snprintf(why, size, "%s", reason);
    return complete ? &table : NULL;
}

bool server_http_name(char *text, size_t size) {
    Dl_info info = {0};
    const server_http *http = server_http_get(text, size);
    if (!http) return false;
    void *address;
    memcpy(&address, &http->get_version, sizeof address);
    bool known = dladdr(address, &info) && info.dli_fname;
    snprintf(text, size, "libmicrohttpd %s%s%s", http->get_version(), known ? ", " : "",
             known ? info.dli_fname : "");
    return true;
}
