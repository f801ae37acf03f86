/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes from files, for fields of the type TS_MESH_FILE.
 *
 * The model names a file beside it; the echo of the model carries the file's bytes in base 64
 * instead, so that it can be read again anywhere. Files beyond MAX_ECHO stay where they are: such
 * an echo needs the file beside it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "meshfile/gmsh.h"
#include "meshfile/heights.h"
#include "meshfile/triangles.h"
#include "reader/reader.h"

#define MAX_MESH_FILE ((size_t)2047 << 20)
#define MAX_ECHO ((size_t)32 << 20)

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* ---- base 64 ---- */

static char *encode(const char *prefix, const char *from, size_t length, const char *suffix) {
    size_t head = strlen(prefix), size = head + (length + 2) / 3 * 4 + strlen(suffix) + 1;
    char *text = ts_calloc(size, 1), *to = text + head;
    memcpy(text, prefix, head);
    for (size_t i = 0; i < length; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < length ? (unsigned char)from[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            *to++ = i + k <= length ? DIGITS[bits >> (18 - 6 * k) & 63] : '=';
    }
    strcpy(to, suffix);
    return text;
}

/* Blanks are skipped, padding may be missing. Returns the number of bytes, or -1. */
static long decode(const char *text, char *to) {
    long count = 0;
    uint32_t bits = 0;
    int have = 0;
    for (; *text && *text != '='; text++) {
        if (strchr(" \t\r\n", *text)) continue;
        const char *digit = strchr(DIGITS, *text);
        if (!digit) return -1;
        bits = bits << 6 | (uint32_t)(digit - DIGITS);
        have += 6;
        if (have < 8) continue;
        have -= 8;
        to[count++] = (char)(bits >> have & 255);
    }
    return count;
}

/* ---- reading ---- */

/* Errors in text have a line; in a binary file only the byte is known, and the error is reported at
 * the model file. */
static bool report(ts_reader *r, const ts_yaml *node, const char *name, const char *text,
                   size_t length, const ts_gmsh_problem *p) {
    if (p->binary || !r->path || node->type != TS_YAML_SCALAR)
        return ts_report(r->source, node->start, p->hint, "%.100s, byte %zu: %s", name, p->offset,
                         p->message);
    ts_source file;
    ts_source_open(&file, name, text, length, r->source->diagnostics);
    ts_report(&file, p->offset, p->hint, "%s", p->message);
    ts_source_close(&file);
    return false;
}

/* What a file is read by. */
typedef int parser(ts_mesh **out, const char *text, size_t length, ts_gmsh_problem *problem);

/* A field that is read: where it stands, and how. */
typedef struct reading {
    const ts_yaml *node;
    parser *by;
    ts_value *out;
} reading;

static bool parse(ts_reader *r, const reading *x, const char *name, const char *text,
                  size_t length) {
    ts_gmsh_problem problem;
    const ts_yaml *node = x->node;
    x->out->number[0] = ts_model_units(r, 1, TS_OF_LENGTH);
    if (x->by(&x->out->mesh, text, length, &problem) == 0) return true;
    return report(r, node, name, text, length, &problem);
}

static void echo(ts_reader *r, const ts_yaml *node, const char *text, size_t length) {
    if (length > MAX_ECHO) return;
    for (int i = 0; i < r->splice_count; i++)
        if (r->splices[i].start == node->start) return;
    r->splices = ts_realloc(r->splices, (size_t)r->splice_count + 1, sizeof *r->splices);
    r->splices[r->splice_count++] =
        (ts_splice){node->start, node->end, encode("{base64: \"", text, length, "\"}")};
}

static bool read_path(ts_reader *r, const reading *x) {
    const ts_yaml *node = x->node;
    char why[120];
    size_t length;
    if (!r->path)
        return ts_report(r->source, node->start, "write its bytes here: {base64: ...}",
                         "a model that is not in a file cannot refer to files");
    if (node->anchored)
        return ts_report(r->source, node->start, NULL,
                         "anchors (&name) are not allowed at the name of a file");
    char *path = ts_path_beside(r->path, node->text);
    char *text = ts_read_limited(path, MAX_MESH_FILE, &length, why, sizeof why);
    bool fine = text ? parse(r, x, path, text, length)
                     : ts_report(r->source, node->start, "the path is relative to the model file",
                                 "cannot read '%.200s': %s", path, why);
    if (fine) echo(r, node, text, length);
    free(text), free(path);
    return fine;
}

static bool read_written(ts_reader *r, const reading *x) {
    const ts_yaml *node = x->node;
    const ts_yaml *content = ts_yaml_get(node, "base64");
    if (!content || node->count != 1 || content->type != TS_YAML_SCALAR)
        return ts_report(r->source, node->start, NULL,
                         "expected the path of a file, or its bytes: {base64: ...}");
    char *bytes = ts_calloc(content->length + 1, 1);
    long length = decode(content->text, bytes);
    bool fine = length >= 0 ? parse(r, x, "the mesh written here", bytes, (size_t)length)
                            : ts_report(r->source, content->start, NULL, "this is not base 64");
    free(bytes);
    return fine;
}

static bool read_file(ts_reader *r, const reading *x) {
    if (x->node->type == TS_YAML_MAP) return read_written(r, x);
    return ts_expect(r, x->node, TS_YAML_SCALAR, "the path of a file") && read_path(r, x);
}

bool ts_read_mesh_file(ts_reader *r, const ts_yaml *node, ts_value *out) {
    return read_file(r, &(reading){node, ts_gmsh_parse, out});
}

bool ts_read_surface_file(ts_reader *r, const ts_yaml *node, ts_value *out) {
    return read_file(r, &(reading){node, ts_triangles_parse, out});
}

bool ts_read_heights_file(ts_reader *r, const ts_yaml *node, ts_value *out) {
    return read_file(r, &(reading){node, ts_heights_parse, out});
}
