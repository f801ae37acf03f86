/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces in files of triangles.
 *
 *     binary STL   80 bytes, a count (4 bytes), then for each triangle 50 bytes: normal and three
 *                  corners as floats, low byte first, and two bytes of no meaning
 *     text STL     solid name; facet normal x y z; outer loop; vertex x y z, three times; endloop;
 *                  endfacet; ... endsolid name
 *     OBJ          v x y z; f a b c ...: numbers of corners from 1, or from the last one, -1; what
 *                  follows a number after a slash, and lines of other kinds, mean nothing here
 *
 * A file is binary STL if its length agrees with its count; text STL if it begins with `solid`;
 * else OBJ. Normals of STL are not read: the order of corners says which side is outside. Polygons
 * become triangles around their first corner. Triangles without area are left out.
 *
 * Counts in the file are checked against the number of bytes in the file. */
#include "meshfile/triangles.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "meshfile/gmsh_scan.h"

enum { HEADER = 80, FIRST = 84, RECORD = 50, NORMAL = 12 };

/* Corners as they come, and triangles of them. */
typedef struct soup {
    ts_scan in;
    int points, point_room;
    v3 *point;
    int triangles, triangle_room;
    int (*triangle)[3];
} soup;

static void add_point(soup *s, v3 x) {
    ts_grow(s->point, s->point_room, s->points + 1);
    s->point[s->points++] = x;
}

static void add_triangle(soup *s, int a, int b, int c) {
    ts_grow(s->triangle, s->triangle_room, s->triangles + 1);
    int *corner = s->triangle[s->triangles++];
    corner[0] = a, corner[1] = b, corner[2] = c;
}

/* ---- binary STL ---- */

static uint32_t word_at(const char *text) {
    const unsigned char *b = (const unsigned char *)text;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool is_binary(const ts_scan *in) {
    if (in->length < FIRST) return false;
    return FIRST + (uint64_t)word_at(in->text + HEADER) * RECORD == in->length;
}

static bool float_at(soup *s, size_t at, double *out) {
    uint32_t bits = word_at(s->in.text + at);
    float x;
    memcpy(&x, &bits, sizeof x);
    *out = (double)x;
    if (isfinite(x)) return true;
    return ts_scan_fail(&s->in, at, "the file is damaged", "a coordinate is not a finite number");
}

static bool read_binary(soup *s) {
    s->in.binary = true;
    for (size_t at = FIRST; at < s->in.length; at += RECORD) {
        for (size_t k = 0; k < 3; k++) {
            double x[3];
            for (size_t i = 0; i < 3; i++)
                if (!float_at(s, at + NORMAL + 12 * k + 4 * i, &x[i])) return false;
            add_point(s, v3_load(x));
        }
        add_triangle(s, s->points - 3, s->points - 2, s->points - 1);
    }
    return true;
}

/* ---- text ---- */

static bool is_word(const ts_scan *in, const char *word) {
    size_t length = strlen(word);
    if (ts_scan_left(in) < length || strncmp(in->text + in->at, word, length) != 0) return false;
    return ts_scan_left(in) == length || ts_scan_blank(in->text[in->at + length]);
}

/* The next word, if it is this one. */
static bool take_word(ts_scan *in, const char *word) {
    ts_scan_blanks(in);
    if (!is_word(in, word)) return false;
    in->at += strlen(word);
    return true;
}

static bool expect(ts_scan *in, const char *word) {
    if (take_word(in, word)) return true;
    return ts_scan_fail(in, in->at, "the file is cut short, or damaged", "expected `%s`", word);
}

static bool read_place(ts_scan *in, v3 *out) {
    double x[3];
    for (int k = 0; k < 3; k++) {
        size_t at = ts_scan_here(in);
        if (!ts_scan_decimal(in, &x[k])) return false;
        if (!isfinite(x[k])) return ts_scan_fail(in, at, NULL, "a coordinate is not finite");
    }
    *out = v3_load(x);
    return true;
}

static void skip_line(ts_scan *in) {
    while (in->at < in->length && in->text[in->at] != '\n') in->at++;
}

static bool read_facet(soup *s) {
    ts_scan *in = &s->in;
    v3 x;
    skip_line(in); /* its normal */
    if (!expect(in, "outer") || !expect(in, "loop")) return false;
    for (int k = 0; k < 3; k++) {
        if (!expect(in, "vertex") || !read_place(in, &x)) return false;
        add_point(s, x);
    }
    add_triangle(s, s->points - 3, s->points - 2, s->points - 1);
    return expect(in, "endloop") && expect(in, "endfacet");
}

/* One solid after the other, with names of any words. */
static bool read_solids(soup *s) {
    ts_scan *in = &s->in;
    bool open = false;
    for (ts_scan_blanks(in); in->at < in->length; ts_scan_blanks(in)) {
        size_t at = in->at;
        if (!open && take_word(in, "solid")) {
            open = true, skip_line(in);
        } else if (open && take_word(in, "endsolid")) {
            open = false, skip_line(in);
        } else if (open && take_word(in, "facet")) {
            if (!read_facet(s)) return false;
        } else {
            return ts_scan_fail(in, at, "is this a file of triangles, STL or OBJ?",
                                open ? "expected `facet` or `endsolid`" : "expected `solid`");
        }
    }
    return !open || ts_scan_fail(in, in->at, "the file is cut short", "expected `endsolid`");
}

/* ---- OBJ ---- */

static bool ends_line(const ts_scan *in) {
    return in->at >= in->length || in->text[in->at] == '\n' || in->text[in->at] == '\r';
}

static void skip_spaces(ts_scan *in) {
    while (in->at < in->length && (in->text[in->at] == ' ' || in->text[in->at] == '\t')) in->at++;
}

/* "7", "7/2", "7//3", "-1/2/3": the first number, as an index of a point. */
static bool read_corner(soup *s, int *out) {
    ts_scan *in = &s->in;
    size_t at = in->at;
    bool last = in->at < in->length && in->text[in->at] == '-';
    int64_t value = 0;
    in->at += last;
    size_t digits = in->at;
    while (in->at < in->length && in->text[in->at] >= '0' && in->text[in->at] <= '9' &&
           in->at - digits < 10)
        value = 10 * value + (in->text[in->at++] - '0');
    bool number = in->at > digits;
    while (!ends_line(in) && !ts_scan_blank(in->text[in->at])) in->at++;
    value = last ? s->points - value : value - 1;
    if (number && value >= 0 && value < s->points) {
        *out = (int)value;
        return true;
    }
    return ts_scan_fail(in, at, "corners are numbered from 1, and come before their faces",
                        "a face refers to a corner that the file does not contain");
}

static bool read_face(soup *s) {
    ts_scan *in = &s->in;
    size_t at = in->at;
    int corner[3], count = 0;
    for (skip_spaces(in); !ends_line(in); skip_spaces(in), count++) {
        int next = 0;
        if (!read_corner(s, &next)) return false;
        if (count >= 3) corner[1] = corner[2];
        corner[count < 2 ? count : 2] = next;
        if (count >= 2) add_triangle(s, corner[0], corner[1], corner[2]);
    }
    return count >= 3 || ts_scan_fail(in, at, NULL, "a face has %d corners, not three", count);
}

static bool read_obj(soup *s) {
    ts_scan *in = &s->in;
    v3 x;
    for (ts_scan_blanks(in); in->at < in->length; ts_scan_blanks(in)) {
        if (take_word(in, "v")) {
            if (!read_place(in, &x)) return false;
            add_point(s, x);
        } else if (take_word(in, "f")) {
            if (!read_face(s)) return false;
        }
        skip_line(in);
    }
    return true;
}

/* ---- the mesh ---- */

typedef struct placed {
    v3 x;
    int number;
} placed;

static int compare(double a, double b) { return (a > b) - (a < b); }

static int by_place(const void *a, const void *b) {
    const placed *p = a, *q = b;
    int by = compare(p->x.x, q->x.x);
    if (!by) by = compare(p->x.y, q->x.y);
    if (!by) by = compare(p->x.z, q->x.z);
    return by ? by : compare(p->number, q->number);
}

static bool same_place(v3 a, v3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Of each corner the first one at its place. */
static int *weld(const soup *s) {
    placed *all = ts_calloc((size_t)s->points + 1, sizeof *all);
    int *first = ts_calloc((size_t)s->points + 1, sizeof *first);
    for (int i = 0; i < s->points; i++) all[i] = (placed){s->point[i], i};
    qsort(all, (size_t)s->points, sizeof *all, by_place);
    for (int i = 0, head = 0; i < s->points; i++) {
        if (!same_place(all[i].x, all[head].x)) head = i;
        first[all[i].number] = all[head].number;
    }
    free(all);
    return first;
}

static bool has_area(const soup *s, const int *t) {
    v3 u = v3_sub(s->point[t[1]], s->point[t[0]]), v = v3_sub(s->point[t[2]], s->point[t[0]]);
    v3 n = v3_cross(u, v);
    double sides = v3_dot(u, u) * v3_dot(v, v);
    return isfinite(sides) && v3_dot(n, n) > 1e-24 * sides;
}

static bool make_mesh(soup *s, ts_mesh *mesh) {
    int *first = weld(s), all = ts_mesh_set_named(mesh, "all", 2), kept = 0;
    int *number = ts_calloc((size_t)s->points + 1, sizeof *number);
    for (int i = 0; i < s->triangles; i++) {
        int t[3], node[3];
        for (int k = 0; k < 3; k++) t[k] = first[s->triangle[i][k]];
        if (!has_area(s, t)) continue;
        for (int k = 0; k < 3; k++) {
            if (!number[t[k]]) number[t[k]] = 1 + ts_mesh_point(mesh, s->point[t[k]]);
            node[k] = number[t[k]] - 1;
        }
        ts_mesh_into_set(mesh, all, ts_mesh_cell(mesh, TS_CELL_TRI3, node));
        kept++;
    }
    free(first), free(number);
    if (kept) return true;
    return ts_scan_fail(&s->in, s->in.length, "is this a file of triangles, STL or OBJ?",
                        s->triangles ? "no triangle of the file has an area"
                                     : "the file has no triangles");
}

static bool read_soup(soup *s) {
    ts_scan *in = &s->in;
    if (in->length > INT_MAX) return ts_scan_fail(in, 0, NULL, "the file is larger than 2 GiB");
    if (is_binary(in)) return read_binary(s);
    ts_scan_blanks(in);
    if (is_word(in, "solid")) return read_solids(s);
    if (in->length >= FIRST && memchr(in->text, 0, in->length))
        return ts_scan_fail(in, HEADER, "the file is cut short, or damaged, or not STL",
                            "a binary STL file of %" PRIu32 " triangles would have another length",
                            word_at(in->text + HEADER));
    return read_obj(s);
}

int ts_triangles_parse(ts_mesh **out, const char *text, size_t length, ts_gmsh_problem *problem) {
    ts_gmsh_problem unread;
    soup s = {.in = {.text = text, .length = length}};
    ts_mesh *mesh = ts_mesh_new();
    s.in.problem = problem ? problem : &unread;
    *s.in.problem = (ts_gmsh_problem){0};
    bool fine = read_soup(&s) && make_mesh(&s, mesh);
    if (fine) ts_mesh_finish(mesh);
    free(s.point), free(s.triangle);
    if (!fine) ts_mesh_free(mesh), mesh = NULL;
    *out = mesh;
    return fine ? 0 : ts_fail(TORSOR_EINVAL, "%s", s.in.problem->message);
}
