/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises earlier outputs in HDF5 by the format, the name of the model's file and its title. So
 * a model that is run again, changed or not, replaces its own results, but not those of another
 * model. Without a name the title decides: models made by programs, files of older versions.
 *
 * The file at the path of an output may be damaged or malicious, and some such files crash the HDF5
 * library. So these attributes are read here, from the bytes: "HDF5 File Format Specification
 * Version 3.0", The HDF Group, sections II.A (superblock 0), IV.A.1 (object header 1) and IV.A.2.m
 * (attribute). torsor writes this oldest form only (h5.c); a file in another form, for example
 * after h5repack, is not recognised and not replaced without permission. */
#include "results/earlier.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

enum { WORD = 64, TITLE = 256, MOST_BLOCKS = 64, MOST_BYTES = 1 << 20 };
enum { SUPERBLOCK = 96, HEADER = 16, MESSAGE = 8, ATTRIBUTE = 8 };
enum { IS_ATTRIBUTE = 0x0c, IS_CONTINUED = 0x10, IS_STRING = 3 };

/* ---- bytes ---- */

typedef struct span {
    uint64_t at, length;
} span;

static uint64_t number(const unsigned char *bytes, int count) {
    uint64_t value = 0;
    for (int i = count - 1; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

static bool read_at(int file, uint64_t at, void *to, size_t size) {
    return at <= INT64_MAX && pread(file, to, size, (off_t)at) == (ssize_t)size;
}

/* The place of the root's header; 0: not a file in our form. */
static uint64_t find_root(int file) {
    static const char signature[] = "\x89HDF\r\n\x1a\n"; /* and version 0 */
    unsigned char start[SUPERBLOCK];
    if (!read_at(file, 0, start, sizeof start)) return 0;
    bool ours = memcmp(start, signature, sizeof signature) == 0 && start[13] == 8 && start[14] == 8;
    return ours ? number(start + 64, 8) : 0;
}

/* ---- attributes ---- */

typedef struct attribute {
    const char *name;
    char *text;
    size_t size;
    bool found;
} attribute;

static size_t padded(uint64_t size) { return (size_t)(size + 7) / 8 * 8; }

/* Name, type, space and value, one behind the other; the value is a text of fixed length. */
static void look_at(attribute *a, const unsigned char *m, size_t size) {
    if (size < ATTRIBUTE || m[0] != 1) return;
    size_t name = number(m + 2, 2), type = ATTRIBUTE + padded(name);
    size_t value = type + padded(number(m + 4, 2)) + padded(number(m + 6, 2));
    if (type + 8 > size || value > size || (m[type] & 15) != IS_STRING) return;
    if (name != strlen(a->name) + 1 || memcmp(m + ATTRIBUTE, a->name, name) != 0) return;
    size_t length = number(m + type + 4, 4), most = a->size - 1;
    if (length > size - value) length = size - value;
    if (length > most) length = most;
    memcpy(a->text, m + value, length);
    a->text[length] = 0;
    a->found = true;
}

/* Messages of a block, which may name further blocks. */
static int look_through(attribute *a, const unsigned char *bytes, size_t length, span *block,
                        int blocks) {
    for (size_t p = 0; p + MESSAGE <= length && !a->found;) {
        uint64_t type = number(bytes + p, 2), size = number(bytes + p + 2, 2);
        const unsigned char *message = bytes + p + MESSAGE;
        if (size > length - p - MESSAGE) break;
        if (type == IS_ATTRIBUTE) look_at(a, message, (size_t)size);
        if (type == IS_CONTINUED && size >= 16 && blocks < MOST_BLOCKS)
            block[blocks++] = (span){number(message, 8), number(message + 8, 8)};
        p += MESSAGE + (size_t)size;
    }
    return blocks;
}

/* A text among the attributes of the root; false: there is none of that name. */
static bool get_text(int file, const char *name, char *text, size_t size) {
    attribute a = {.name = name, .text = text, .size = size};
    uint64_t root = find_root(file);
    unsigned char header[HEADER], *bytes = ts_calloc(MOST_BYTES, 1);
    span block[MOST_BLOCKS];
    int blocks = 0;
    if (root && read_at(file, root, header, sizeof header) && header[0] == 1)
        block[blocks++] = (span){root + HEADER, number(header + 8, 4)};
    for (int i = 0; i < blocks && !a.found; i++)
        if (block[i].length <= MOST_BYTES &&
            read_at(file, block[i].at, bytes, (size_t)block[i].length))
            blocks = look_through(&a, bytes, (size_t)block[i].length, block, blocks);
    free(bytes);
    return a.found;
}

/* ---- whose it is ---- */

static bool reads(int file, const char *name, const char *wanted, size_t size) {
    char text[TITLE + 1] = "";
    return get_text(file, name, text, size) && strncmp(text, wanted, size - 1) == 0;
}

static bool of_model(int file, const ts_document *d) {
    const char *title = d->model->title ? d->model->title : "";
    char name[TS_SOURCE_NAME] = "";
    if (!get_text(file, "model_file", name, sizeof name)) *name = 0;
    if (*name && strcmp(name, d->source) != 0) return false;
    bool of_file = *name && strchr(name, '.');
    return of_file || reads(file, "title", title, TITLE);
}

static bool is_ours(const char *path, const char *format, const ts_document *document) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    bool ours = reads(file, "format", format, WORD) && (!document || of_model(file, document));
    close(file);
    return ours;
}

static bool is_results(const char *path, const void *document) {
    return is_ours(path, "torsor-results", document);
}

static bool is_modes(const char *path, const void *document) {
    return is_ours(path, "torsor-modes", document);
}

static bool is_companion(const char *path, const void *context) {
    (void)context;
    return is_ours(path, "torsor-xdmf", NULL);
}

ts_output ts_output_results(const ts_document *document) {
    return (ts_output){.what = document ? "a results file of this model" : "a results file",
                       .ours = is_results,
                       .context = document};
}

ts_output ts_output_modes(const ts_document *document) {
    return (ts_output){.what = document ? "a file of modes of this model" : "a file of modes",
                       .ours = is_modes,
                       .context = document};
}

ts_output ts_output_companion(void) {
    return (ts_output){.what = "the companion of an XDMF file", .ours = is_companion};
}
