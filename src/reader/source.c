/* Reading files of the user's, and making sure that they are text. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "reader/source.h"

static void *refuse(int file, char *why, size_t size, const char *reason) {
    snprintf(why, size, "%s", reason);
    if (file >= 0) close(file);
    return NULL;
}

char *ts_read_whole(const char *path, size_t *length, char *why, size_t size) {
    return ts_read_limited(path, TS_MAX_FILE, length, why, size);
}

/* Opening without blocking keeps us from waiting on a pipe that nobody writes to. */
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
                         "this is an HDF5 file, as results are, not a model");
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
