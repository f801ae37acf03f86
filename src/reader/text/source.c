/* SPDX-License-Identifier: Apache-2.0 */
/* Reading files of the user's, and making sure that they are text. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/place.h"
#include "reader/text/source.h"

enum { PIPE_PIECE = 65536 };

static void *refuse(int file, char *why, size_t size, const char *reason) {
    snprintf(why, size, "%s", reason);
    if (file >= 0) close(file);
    return NULL;
}

char *ts_read_whole(const char *path, size_t *length, char *why, size_t size) {
    return ts_read_limited(path, TS_MAX_FILE, length, why, size);
}

/* Opening without blocking avoids waiting for a pipe without writer. */
char *ts_read_limited(const char *path, size_t limit, size_t *length, char *why, size_t size) {
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return refuse(file, why, size, strerror(errno));
    struct stat about;
    if (fstat(file, &about) != 0) return refuse(file, why, size, strerror(errno));
    if (S_ISDIR(about.st_mode)) return refuse(file, why, size, "it is a directory");
    if (!S_ISREG(about.st_mode)) return refuse(file, why, size, "it is not a regular file");
    if ((uintmax_t)about.st_size > limit) {
        char reason[60];
        snprintf(reason, sizeof reason, "it is larger than %zu MiB", limit >> 20);
        return refuse(file, why, size, reason);
    }

    ts_place_read(&about);
    size_t room = (size_t)about.st_size;
    char *text = ts_calloc(room + 1, 1);
    *length = 0;
    for (ssize_t got = 1; got > 0 && *length < room; *length += (size_t)got) {
        got = read(file, text + *length, room - *length);
        if (got >= 0) continue;
        free(text);
        return refuse(file, why, size, strerror(errno));
    }
    close(file);
    return text;
}

/* Waits for the first bytes: a pipe that nobody has opened for writing yet looks empty. Then every
 * read waits for more, until all writers have closed it. */
static bool await_writer(int file) {
    struct pollfd wanted = {.fd = file, .events = POLLIN};
    while (poll(&wanted, 1, -1) < 0)
        if (errno != EINTR) return false;
    return fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK) == 0;
}

static char *read_pipe(int file, size_t *length, char *why, size_t size) {
    size_t room = 0;
    char *text = NULL;
    *length = 0;
    ssize_t got = await_writer(file) ? 1 : -1;
    while (got > 0 && *length <= TS_MAX_FILE) {
        ts_grow(text, room, *length + PIPE_PIECE + 1);
        got = read(file, text + *length, PIPE_PIECE);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            *length += (size_t)got;
    }
    if (got == 0) text[*length] = 0, close(file);
    if (got == 0) return text;
    free(text);
    return refuse(file, why, size, got < 0 ? strerror(errno) : "it is larger than 64 MiB");
}

char *ts_read_stream(const char *path, size_t *length, char *why, size_t size) {
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISFIFO(about.st_mode))
        return ts_read_whole(path, length, why, size);
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return refuse(file, why, size, strerror(errno));
    return read_pipe(file, length, why, size);
}

char *ts_path_beside(const char *model, const char *file) {
    const char *slash = strrchr(model, '/');
    size_t folder = *file == '/' || !slash ? 0 : (size_t)(slash - model) + 1;
    char *path = ts_calloc(folder + strlen(file) + 1, 1);
    memcpy(path, model, folder);
    strcpy(path + folder, file);
    return path;
}

/* The length of the well-formed character at `at` (Unicode 15, table 3-7), 0 if there is none. */
static size_t character(const unsigned char *at, size_t left) {
    static const struct {
        unsigned char first, last, low, high;
        size_t length;
    } forms[] = {
        {0x01, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (*at < forms[i].first || *at > forms[i].last) continue;
        if (forms[i].length > left) return 0;
        if (forms[i].length > 1 && (at[1] < forms[i].low || at[1] > forms[i].high)) return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((at[k] & 0xC0) != 0x80) return 0;
        return forms[i].length;
    }
    return 0;
}

static bool control(unsigned char c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
}

bool ts_check_utf8(const ts_source *s) {
    const unsigned char *text = (const unsigned char *)s->text;
    if (s->length >= 4 && memcmp(text, "\x89HDF", 4) == 0)
        return ts_report(s, 0,
                         "results are read by 'torsor info', 'report', 'export' and 'restart'",
                         "this is an HDF5 file, like results, not a model");
    for (size_t i = 0; i < s->length;) {
        size_t step = text[i] == 0 ? 0 : character(text + i, s->length - i);
        if (text[i] == 0)
            return ts_report(s, i, "is this a text file?", "the file contains a zero byte");
        if (step == 0)
            return ts_report(s, i, "save the file with the encoding UTF-8",
                             "this byte (0x%02x) is not UTF-8 text", text[i]);
        if (control(text[i]))
            return ts_report(s, i, NULL, "control character 0x%02x in the file", text[i]);
        i += step;
    }
    return true;
}
