/* SPDX-License-Identifier: Apache-2.0 */
/* Stored states as one XDMF 3 file beside the results file, for ParaView.
 *
 * Light data only: a collection over time of collections of blocks, one for each flexible part, one
 * for the bodies, one for joints and springs, one for shapes that touch, one for pairs that do.
 * Where the nodes of a block follow each other evenly in the state (they do, but for solids whose
 * elements put unknowns of their own between them, and folded shells), places and velocities are
 * hyperslabs of the results file itself:
 *
 *     run.h5:/frames/q|FRAME SLOT 0:1 STRIDE 1:1 NODES 3:FRAMES SLOTS 3
 *     start : stride : count : shape
 *
 * the notation of XDMF 3 (XDMF 2 has another one). Data that are not in the results file
 * (displacements and rotations from the first state, means of cells, surfaces of bodies) are
 * written to a small companion, with 32 bits per number: STEM-xdmf.h5, a group for each block.
 * export_scene.c explains the fields. */
#include "picture/export_xdmf.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/error.h"
#include "base/stream.h"
#include "picture/export_scene.h"
#include "results/earlier.h"

enum { CHUNK_BYTES = 1 << 16, PATH_ROOM = 64 };

/* XDMF's numbers of cells in a mixed topology; those of VTK are in the grid. */
static const struct {
    uint8_t vtk;
    int xdmf;
    bool counted; /* the number of points follows */
} TOPOLOGY[] = {{1, 1, true},    {3, 2, true},    {4, 2, true},    {5, 4, false},
                {9, 5, false},   {10, 6, false},  {13, 8, false},  {12, 9, false},
                {28, 35, false}, {24, 38, false}, {25, 48, false}, {29, 50, false}};

typedef enum family { FLEXIBLE, BODIES, JOINTS, SHAPES, CONTACTS } family;
static const char *const FAMILY_NAME[] = {"", "bodies", "joints", "shapes", "contacts"};

typedef struct block {
    family family;
    const char *name;
    int64_t cell, cells, point, points; /* ranges in the grid */
    int64_t slot, stride, node;         /* in the state; stride 0: its places are copied */
    int64_t words;                      /* of its topology */
    bool has[TS_SCENE_CELL_FIELDS];     /* of its cells */
    ts_h5 place, point_data[TS_SCENE_POINT_FIELDS], cell_data[TS_SCENE_CELL_FIELDS]; /* -1: none */
} block;

typedef struct task {
    ts_scene grid;
    block *block;
    int blocks;
    int64_t every, states;
    ts_h5 file; /* the companion */
    double *row;
    const char *results, *companion; /* as the XDMF file names them */
    const char *heavy;               /* path of the companion, for messages */
    uint64_t q_shape[3], node_shape[3];
    bool has[TS_SCENE_CELL_FIELDS]; /* of some block */
    int64_t none;                   /* room of the array of nothing */
    FILE *out;
} task;

/* ---- blocks ---- */

static family family_of(const ts_scene *g, int64_t cell) {
    if (g->source[cell] >= 0) return FLEXIBLE;
    if (g->source[cell] == TS_SCENE_SHAPE) return SHAPES;
    if (g->source[cell] == TS_SCENE_PAIR) return CONTACTS;
    return g->source[cell] == TS_SCENE_BODY ? BODIES : JOINTS;
}

static bool same_block(const ts_scene *g, int64_t a, int64_t b) {
    family f = family_of(g, a);
    return f == family_of(g, b) && (f != FLEXIBLE || g->owner[a] == g->owner[b]);
}

static int64_t cell_start(const ts_scene *g, int64_t cell) {
    return cell ? g->offset[cell - 1] : 0;
}

static void find_points(const ts_scene *g, block *b) {
    int64_t low = INT64_MAX, high = -1;
    for (int64_t k = cell_start(g, b->cell); k < g->offset[b->cell + b->cells - 1]; k++) {
        if (g->connectivity[k] < low) low = g->connectivity[k];
        if (g->connectivity[k] > high) high = g->connectivity[k];
    }
    b->point = low, b->points = high - low + 1;
}

static int64_t slot_of(const ts_scene *g, int64_t point) {
    return g->node[g->point[point].node * TS_NODE_FIELDS + TS_NODE_SLOT].integer;
}

/* Do the nodes follow each other, and their slots evenly? */
static void find_stride(const ts_scene *g, block *b) {
    b->node = g->point[b->point].node, b->slot = slot_of(g, b->point);
    if (b->family != FLEXIBLE) return;
    int64_t stride = b->points > 1 ? slot_of(g, b->point + 1) - b->slot : 1;
    for (int64_t i = 0; i < b->points; i++)
        if (g->point[b->point + i].node != b->node + i ||
            slot_of(g, b->point + i) != b->slot + i * stride)
            return;
    b->stride = stride;
}

static const char *name_of(const ts_scene *g, const block *b) {
    if (b->family != FLEXIBLE) return FAMILY_NAME[b->family];
    if (g->owner[b->cell] < 0) return FAMILY_NAME[BODIES];
    return g->part[g->owner[b->cell] * TS_PART_FIELDS + TS_PART_NAME].text;
}

static void find_fields(const ts_scene *g, block *b) {
    for (int f = 0; f < g->cell_fields; f++)
        for (int64_t i = 0; i < b->cells && !b->has[f]; i++)
            b->has[f] = !isnan(g->cell_data[f].value(g, &g->cell_data[f], b->cell + i).x);
}

static void no_arrays(block *b) {
    b->place = -1;
    for (int f = 0; f < TS_SCENE_POINT_FIELDS; f++) b->point_data[f] = -1;
    for (int f = 0; f < TS_SCENE_CELL_FIELDS; f++) b->cell_data[f] = -1;
}

static void find_blocks(task *t) {
    const ts_scene *g = &t->grid;
    t->block = ts_calloc((size_t)g->cells + 1, sizeof *t->block);
    for (int64_t i = 0; i < g->cells; i++) {
        if (i == 0 || !same_block(g, i - 1, i))
            t->block[t->blocks++] = (block){.family = family_of(g, i), .cell = i};
        t->block[t->blocks - 1].cells++;
    }
    for (int k = 0; k < t->blocks; k++) {
        block *b = &t->block[k];
        find_points(g, b), find_stride(g, b), find_fields(g, b), no_arrays(b);
        b->name = name_of(g, b);
    }
}

static int cannot_write(const char *path, const char *why) {
    return ts_fail(TORSOR_EIO, "cannot write %s: %s", path, why);
}

/* Messages of HDF5 do not contain the file name. */
static int named(const task *t, int status) {
    return status ? cannot_write(t->heavy, ts_error_message()) : 0;
}

/* ---- the companion ---- */

static int make_array(task *t, int index, const char *name, int width, int64_t entries, bool single,
                      ts_h5 *set) {
    char path[PATH_ROOM];
    int rank;
    uint64_t shape[3], bytes = (uint64_t)(width * entries) * (single ? 4 : 8);
    snprintf(path, sizeof path, "/%d/%s", index, name);
    uint64_t rows = bytes < CHUNK_BYTES ? CHUNK_BYTES / bytes : 1;
    ts_h5_array array = {.name = path,
                         .help = "one row per exported state",
                         .single = single,
                         .rank = width > 1 ? 3 : 2,
                         .shape = {(uint64_t)t->states, (uint64_t)entries, (uint64_t)width},
                         .chunk = rows < (uint64_t)t->states ? rows : (uint64_t)t->states};
    int status = ts_h5_array_new(t->file, &array);
    return status ? status : ts_h5_dataset(set, t->file, path, &rank, shape);
}

static int put_integers(task *t, int index, const char *name, int64_t count, const int64_t *data) {
    char path[PATH_ROOM];
    int rank;
    uint64_t shape[3];
    ts_h5 set;
    snprintf(path, sizeof path, "/%d/%s", index, name);
    ts_h5_array array = {.name = path,
                         .help = "cells of the block",
                         .integer = true,
                         .rank = 1,
                         .shape = {(uint64_t)count},
                         .chunk = (uint64_t)count};
    int status = ts_h5_array_new(t->file, &array);
    if (!status) status = ts_h5_dataset(&set, t->file, path, &rank, shape);
    if (status) return status;
    status = ts_h5_write(set, true, 0, count, data);
    ts_h5_dataset_close(set);
    return status;
}

/* Number of the type, of the points where it is not plain, then the points. */
static int put_topology(task *t, int index) {
    const ts_scene *g = &t->grid;
    block *b = &t->block[index];
    int64_t first = cell_start(g, b->cell), last = g->offset[b->cell + b->cells - 1];
    int64_t *word = ts_calloc((size_t)(last - first + 2 * b->cells), sizeof *word), n = 0;
    for (int64_t i = b->cell; i < b->cell + b->cells; i++) {
        size_t k = 0;
        while (TOPOLOGY[k].vtk != g->type[i]) k++;
        word[n++] = TOPOLOGY[k].xdmf;
        if (TOPOLOGY[k].counted) word[n++] = g->offset[i] - cell_start(g, i);
        for (int64_t c = cell_start(g, i); c < g->offset[i]; c++)
            word[n++] = g->connectivity[c] - b->point;
    }
    b->words = n;
    int status = put_integers(t, index, "topology", n, word);
    free(word);
    return status ? status : put_integers(t, index, "part", b->cells, g->owner + b->cell);
}

/* Velocities and vectors of nodes are in the results file, for blocks whose places are. */
static bool copied(const block *b, const ts_scene_field *d) {
    return b->stride == 0 || d->series == TS_SERIES_COUNT;
}

static int lay_out_block(task *t, int index) {
    block *b = &t->block[index];
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "/%d", index);
    int status = ts_h5_group(t->file, path, b->name);
    if (!status) status = put_topology(t, index);
    if (!status && b->stride == 0)
        status = make_array(t, index, "place", 3, b->points, false, &b->place);
    for (int f = 0; f < t->grid.point_fields && !status; f++) {
        const ts_scene_field *d = &t->grid.point_data[f];
        if (copied(b, d))
            status = make_array(t, index, d->name, d->width, b->points, true, &b->point_data[f]);
    }
    for (int f = 0; f < t->grid.cell_fields && !status; f++) {
        const ts_scene_field *d = &t->grid.cell_data[f];
        if (b->has[f])
            status = make_array(t, index, d->name, d->width, b->cells, true, &b->cell_data[f]);
    }
    return status;
}

/* ParaView colours by an array only what has it in all blocks: where there is none, it is NaN, from
 * one array for all. */
static int lay_out_none(task *t) {
    int rank;
    uint64_t shape[3];
    ts_h5 set;
    for (int k = 0; k < t->blocks; k++) {
        const block *b = &t->block[k];
        if (b->cells > t->none) t->none = b->cells;
        for (int f = 0; f < t->grid.cell_fields; f++) t->has[f] |= b->has[f];
    }
    ts_h5_array array = {.name = "/none",
                         .help = "NaN, for blocks without a field",
                         .single = true,
                         .rank = 3,
                         .shape = {1, (uint64_t)t->none, 3},
                         .chunk = 1};
    for (int64_t i = 0; i < 3 * t->none; i++) t->row[i] = NAN;
    int status = ts_h5_array_new(t->file, &array);
    if (!status) status = ts_h5_dataset(&set, t->file, "/none", &rank, shape);
    if (status) return status;
    status = ts_h5_write(set, false, 0, 1, t->row);
    ts_h5_dataset_close(set);
    return status;
}

static int put_row(task *t, ts_h5 set, const ts_scene_field *d, int64_t first, int64_t count,
                   int64_t state) {
    if (set < 0) return 0;
    double *next = t->row;
    for (int64_t i = first; i < first + count; i++, next += d->width) {
        double value[3];
        v3_store(value, d->value(&t->grid, d, i));
        memcpy(next, value, (size_t)d->width * sizeof *value);
    }
    return named(t, ts_h5_write(set, false, state, 1, t->row));
}

static int put_block(task *t, const block *b, int64_t state) {
    int status = put_row(t, b->place, &TS_SCENE_POINTS, b->point, b->points, state);
    for (int f = 0; f < t->grid.point_fields && !status; f++)
        status = put_row(t, b->point_data[f], &t->grid.point_data[f], b->point, b->points, state);
    for (int f = 0; f < t->grid.cell_fields && !status; f++)
        status = put_row(t, b->cell_data[f], &t->grid.cell_data[f], b->cell, b->cells, state);
    return status;
}

/* ---- the XDMF file ---- */

static void dimensions(FILE *out, int64_t entries, int width) {
    fprintf(out, "<DataItem Dimensions=\"%lld", (long long)entries);
    if (width > 1) fprintf(out, " %d", width);
    fputs("\" Format=\"HDF\" NumberType=", out);
}

/* A row of the companion. */
static void own_item(task *t, int index, const char *name, int64_t entries, int width, bool single,
                     int64_t state) {
    FILE *out = t->out;
    long long k = (long long)state, n = (long long)entries, states = (long long)t->states;
    dimensions(out, entries, width);
    fprintf(out, "\"Float\" Precision=\"%d\">", single ? 4 : 8);
    ts_xml_text(out, t->companion);
    if (width > 1)
        fprintf(out, ":/%d/%s|%lld 0 0:1 1 1:1 %lld %d:%lld %lld %d", index, name, k, n, width,
                states, n, width);
    else
        fprintf(out, ":/%d/%s|%lld 0:1 1:1 %lld:%lld %lld", index, name, k, n, states, n);
    fputs("</DataItem>", out);
}

static void no_item(task *t, int64_t entries, int width) {
    dimensions(t->out, entries, width);
    fputs("\"Float\" Precision=\"4\">", t->out);
    ts_xml_text(t->out, t->companion);
    fprintf(t->out, ":/none|0 0 0:1 1 1:1 %lld %d:1 %lld 3</DataItem>", (long long)entries, width,
            (long long)t->none);
}

/* Slots, or nodes, of the results file. */
static void shared_item(task *t, ts_series_id id, int64_t points, int64_t first, int64_t stride,
                        int64_t frame) {
    char path[64];
    const uint64_t *shape = TS_SERIES[id].each == TS_EACH_NODE ? t->node_shape : t->q_shape;
    dimensions(t->out, points, 3);
    fputs("\"Float\" Precision=\"8\">", t->out);
    ts_xml_text(t->out, t->results);
    fprintf(t->out, ":%s|%lld %lld 0:1 %lld 1:1 %lld 3:%llu %llu 3</DataItem>",
            ts_series_path(id, path), (long long)frame, (long long)first, (long long)stride,
            (long long)points, (unsigned long long)shape[0], (unsigned long long)shape[1]);
}

static void attribute(FILE *out, const ts_scene_field *d, const char *centre) {
    fprintf(out, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">", d->name,
            d->width == 1 ? "Scalar" : "Vector", centre);
}

static void integers(task *t, int index, const char *name, int64_t count) {
    dimensions(t->out, count, 1);
    fputs("\"Int\" Precision=\"8\">", t->out);
    ts_xml_text(t->out, t->companion);
    fprintf(t->out, ":/%d/%s</DataItem>", index, name);
}

static void tell_fields(task *t, int index, int64_t state, int64_t frame) {
    const block *b = &t->block[index];
    for (int f = 0; f < t->grid.point_fields; f++) {
        const ts_scene_field *d = &t->grid.point_data[f];
        bool node = d->channel != NULL;
        attribute(t->out, d, "Node");
        if (copied(b, d))
            own_item(t, index, d->name, b->points, d->width, true, state);
        else
            shared_item(t, d->series, b->points, node ? b->node : b->slot, node ? 1 : b->stride,
                        frame);
        fputs("</Attribute>\n", t->out);
    }
    for (int f = 0; f < t->grid.cell_fields; f++) {
        const ts_scene_field *d = &t->grid.cell_data[f];
        if (!t->has[f]) continue;
        attribute(t->out, d, "Cell");
        if (b->has[f])
            own_item(t, index, d->name, b->cells, d->width, true, state);
        else
            no_item(t, b->cells, d->width);
        fputs("</Attribute>\n", t->out);
    }
}

static void tell_block(task *t, int index, int64_t state, int64_t frame) {
    const block *b = &t->block[index];
    fputs("<Grid Name=\"", t->out);
    ts_xml_text(t->out, b->name);
    fprintf(t->out, "\">\n<Topology TopologyType=\"Mixed\" NumberOfElements=\"%lld\">",
            (long long)b->cells);
    integers(t, index, "topology", b->words);
    fputs("</Topology>\n<Geometry GeometryType=\"XYZ\">", t->out);
    if (b->stride)
        shared_item(t, TS_FRAME_Q, b->points, b->slot, b->stride, frame);
    else
        own_item(t, index, "place", b->points, 3, false, state);
    fputs("</Geometry>\n<Attribute Name=\"part\" AttributeType=\"Scalar\" Center=\"Cell\">",
          t->out);
    integers(t, index, "part", b->cells);
    fputs("</Attribute>\n", t->out);
    tell_fields(t, index, state, frame);
    fputs("</Grid>\n", t->out);
}

static void tell_state(task *t, int64_t state, int64_t frame) {
    char time[TS_DIGITS];
    fprintf(t->out,
            "<Grid Name=\"model\" GridType=\"Collection\" CollectionType=\"Spatial\">\n"
            "<Time Value=\"%s\"/>\n",
            ts_digits(time, t->grid.now.t));
    for (int k = 0; k < t->blocks; k++) tell_block(t, k, state, frame);
    fputs("</Grid>\n", t->out);
}

static int64_t frame_of(const task *t, int64_t state) {
    int64_t last = ts_results_frames(t->grid.r) - 1, frame = state * t->every;
    return frame < last ? frame : last;
}

static int write_states(task *t) {
    fputs("<?xml version=\"1.0\"?>\n" TS_EXPORT_MARK "\n<Xdmf Version=\"3.0\">\n<Domain>\n"
          "<Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
          t->out);
    int status = 0;
    for (int64_t k = 0; k < t->states && !status; k++) {
        status = ts_scene_read(&t->grid, frame_of(t, k));
        for (int b = 0; b < t->blocks && !status; b++) status = put_block(t, &t->block[b], k);
        if (!status) tell_state(t, k, frame_of(t, k));
    }
    fputs("</Grid>\n</Domain>\n</Xdmf>\n", t->out);
    return status;
}

/* ---- files ---- */

static int shape_of(const ts_scene *g, ts_series_id id, uint64_t shape[3]) {
    ts_h5 set;
    int rank;
    char path[64];
    int status = ts_h5_dataset(&set, g->r->file, ts_series_path(id, path), &rank, shape);
    if (!status) ts_h5_dataset_close(set);
    return status;
}

static int fill_companion(task *t) {
    const ts_scene *g = &t->grid;
    int status = 0;
    size_t most = (size_t)(g->points > g->cells ? g->points : g->cells);
    t->row = ts_calloc(3 * most + 1, sizeof *t->row);
    if (t->blocks) status = named(t, lay_out_none(t));
    for (int k = 0; k < t->blocks && !status; k++) status = named(t, lay_out_block(t, k));
    if (!status) status = write_states(t);
    for (int k = 0; k < t->blocks; k++) {
        block *b = &t->block[k];
        ts_h5_dataset_close(b->place);
        for (int f = 0; f < TS_SCENE_POINT_FIELDS; f++) ts_h5_dataset_close(b->point_data[f]);
        for (int f = 0; f < TS_SCENE_CELL_FIELDS; f++) ts_h5_dataset_close(b->cell_data[f]);
    }
    free(t->row);
    return status;
}

/* Writes both files under draft names, then renames them: the one that points to the other last. */
static int write_both(task *t, const ts_place *light, const ts_place *heavy) {
    t->out = ts_open(light->draft, "w");
    if (!t->out) return cannot_write(light->path, strerror(errno));
    t->heavy = heavy->path;
    int status = named(t, ts_h5_create(&t->file, heavy->draft));
    if (!status) {
        status = named(t, ts_h5_put_text(t->file, "/", "format", "torsor-xdmf", 32));
        if (!status) status = fill_companion(t);
        if (status) ts_h5_abandon(t->file);
        if (!status) status = named(t, ts_h5_close(t->file));
    }
    errno = 0;
    bool wrong = fflush(t->out) || ferror(t->out);
    const char *why = strerror(errno ? errno : ENOSPC);
    if ((ts_close(t->out) || wrong) && !status) status = cannot_write(light->path, why);
    if (!status) status = ts_place_commit(heavy);
    return status ? status : ts_place_commit(light);
}

/* ---- names ---- */

static char *joined(const char *a, int length, const char *b) {
    size_t room = (size_t)length + strlen(b) + 1;
    char *text = ts_calloc(room, 1);
    snprintf(text, room, "%.*s%s", length, a, b);
    return text;
}

static int folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash + 1 - path) : 0;
}

/* FOLDER/run.xdmf: FOLDER/run-xdmf.h5 */
static char *companion_of(const char *path) {
    const char *dot = strrchr(path + folder_length(path), '.');
    return joined(path, dot ? (int)(dot - path) : (int)strlen(path), "-xdmf.h5");
}

/* How the file `to` is called from the folder of `from`; both are there, or their folders. */
static char *path_between(const char *from, const char *to) {
    char *folder = joined(from, folder_length(from), "."), here[PATH_MAX], there[PATH_MAX];
    bool known = realpath(folder, here) && realpath(to, there);
    free(folder);
    if (!known) return NULL;
    size_t k = 0, common = 0;
    if (strcmp(here, "/") != 0) strncat(here, "/", sizeof here - strlen(here) - 1);
    for (; here[k] && here[k] == there[k]; k++)
        if (here[k] == '/') common = k + 1;
    size_t ups = 0;
    for (const char *c = here + common; *c; c++) ups += *c == '/';
    char *text = ts_calloc(3 * ups + strlen(there + common) + 1, 1);
    for (size_t i = 0; i < ups; i++) strcat(text, "../");
    return strcat(text, there + common);
}

static int check_name(const char *name, const char *path) {
    if (!name) return ts_fail(TORSOR_EIO, "cannot write %s: %s", path, strerror(errno));
    if (!strpbrk(name, ":|\n\r")) return 0;
    return ts_fail(TORSOR_EINVAL,
                   "XDMF cannot name the file '%s': rename it, or its folder, without ':' and '|'",
                   name);
}

/* Neither file may take the place of the results. */
static int check_apart(const char *results, const char *path) {
    uint64_t device[2], inode[2];
    if (ts_place_stat(results, &device[0], &inode[0]) || ts_place_stat(path, &device[1], &inode[1]))
        return 0;
    if (device[0] != device[1] || inode[0] != inode[1]) return 0;
    return ts_fail(TORSOR_EINVAL, "%s is the results file itself: choose another name", path);
}

static int export_to(task *t, const char *path, const char *heavy_path) {
    ts_place light = {0}, heavy = {0};
    const char *input = t->grid.r->path;
    ts_output one = {.what = "an XDMF file of torsor", .mark = TS_EXPORT_MARK},
              other = ts_output_companion();
    one.input = other.input = &input, one.inputs = other.inputs = 1;
    int status = ts_place_begin(&light, path, 0, &one);
    if (!status) status = ts_place_begin(&heavy, heavy_path, 0, &other);
    char *results = status ? NULL : path_between(light.path, t->grid.r->path);
    if (!status) status = check_name(results, path);
    t->results = results, t->companion = heavy_path + folder_length(heavy_path);
    if (!status) status = check_name(t->companion, path);
    if (!status) status = write_both(t, &light, &heavy);
    ts_place_clear(&light), ts_place_clear(&heavy);
    free(results);
    return status;
}

int ts_export_xdmf(ts_results *r, const char *path, int64_t every, int64_t *states) {
    task t = {.every = every < 1 ? 1 : every};
    char *heavy = companion_of(path);
    int status = ts_scene_make(&t.grid, r);
    if (!status) status = check_apart(r->path, path);
    if (!status) status = check_apart(r->path, heavy);
    if (!status) status = shape_of(&t.grid, TS_FRAME_Q, t.q_shape);
    if (!status) status = shape_of(&t.grid, TS_FRAME_OMEGA, t.node_shape);
    if (!status) status = ts_scene_read(&t.grid, 0);
    if (!status) {
        find_blocks(&t);
        t.states = (ts_results_frames(r) - 2 + t.every) / t.every + 1;
        status = t.blocks ? export_to(&t, path, heavy)
                          : ts_fail(TORSOR_EIO,
                                    "%s has nothing to draw: it was written by an older torsor, or "
                                    "its model has neither bodies nor flexible parts",
                                    r->path);
    }
    *states = t.states;
    free(t.block), free(heavy);
    ts_scene_clear(&t.grid);
    return status;
}
