/* SPDX-License-Identifier: Apache-2.0 */
/* Stored states as a series of VTU files (VTK's unstructured grids) and a PVD file that gives them
 * their times. Their contents: export_scene.c.
 *
 * Numbers are in base64 within their elements, each array after its length in bytes. The format
 * also allows appended data, raw or encoded; but then its reader stops within the XML, which fails
 * with current versions of expat: ParaView 5.11 of Debian 12 sees an empty model (and VTK 9.1 only
 * where expat has not been updated). */
#include "picture/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/digits.h"
#include "base/error.h"
#include "base/place.h"
#include "base/stream.h"
#include "picture/export_scene.h"

/* ---- numbers ---- */

/* Bytes on their way into base64: four letters for three. */
typedef struct base64 {
    FILE *out;
    uint8_t kept[3];
    int count;
} base64;

static void put_letters(base64 *b) {
    static const char LETTER[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = (unsigned)b->kept[0] << 16 | (unsigned)b->kept[1] << 8 | b->kept[2];
    for (int k = 0; k < 4; k++)
        fputc(k > b->count ? '=' : LETTER[bits >> (18 - 6 * k) & 63], b->out);
    *b = (base64){.out = b->out};
}

static void put_bytes(base64 *b, const void *data, size_t bytes) {
    for (const uint8_t *next = data; bytes > 0; bytes--) {
        b->kept[b->count++] = *next++;
        if (b->count == 3) put_letters(b);
    }
}

/* ---- arrays ---- */

static base64 begin_array(FILE *out, const char *type, const char *name, int width,
                          const char (*component)[24], uint64_t bytes) {
    base64 b = {.out = out};
    fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"", type, name, width);
    for (int k = 0; component && width > 1 && k < width; k++)
        fprintf(out, " ComponentName%d=\"%s\"", k, component[k]);
    fputs(" format=\"binary\">\n", out);
    put_bytes(&b, &bytes, sizeof bytes);
    return b;
}

static void end_array(base64 *b) {
    if (b->count) put_letters(b);
    fputs("\n</DataArray>\n", b->out);
}

static void put(FILE *out, const char *type, const char *name, const void *data, size_t size,
                int64_t count) {
    size_t bytes = (size_t)count * size;
    base64 b = begin_array(out, type, name, 1, NULL, bytes);
    put_bytes(&b, data, bytes);
    end_array(&b);
}

static void put_field(FILE *out, const ts_scene *g, const ts_scene_field *f, int64_t count) {
    size_t bytes = (size_t)f->width * sizeof(double);
    base64 b =
        begin_array(out, "Float64", f->name, f->width, f->component, (uint64_t)count * bytes);
    for (int64_t i = 0; i < count; i++) {
        double value[3];
        v3_store(value, f->value(g, f, i));
        put_bytes(&b, value, bytes);
    }
    end_array(&b);
}

static void put_cells(FILE *out, const ts_scene *g) {
    fputs("<Cells>\n", out);
    put(out, "Int64", "connectivity", g->connectivity, sizeof *g->connectivity, g->connected);
    put(out, "Int64", "offsets", g->offset, sizeof *g->offset, g->cells);
    put(out, "UInt8", "types", g->type, sizeof *g->type, g->cells);
    fputs("</Cells>\n", out);
}

static int write_state(FILE *out, const void *what) {
    const ts_scene *g = what;
    char time[TS_DIGITS];
    fprintf(out,
            "<?xml version=\"1.0\"?>\n" TS_EXPORT_MARK
            "\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
            "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
            "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%s</DataArray></FieldData>\n"
            "<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n<Points>\n",
            ts_digits(time, g->now.t), (long long)g->points, (long long)g->cells);
    put_field(out, g, &TS_SCENE_POINTS, g->points);
    fputs("</Points>\n", out);
    put_cells(out, g);
    fputs("<PointData Vectors=\"displacement\">\n", out);
    for (int i = 0; i < g->point_fields; i++) put_field(out, g, &g->point_data[i], g->points);
    fputs("</PointData>\n<CellData>\n", out);
    put(out, "Int64", "part", g->owner, sizeof *g->owner, g->cells);
    for (int i = 0; i < g->cell_fields; i++) put_field(out, g, &g->cell_data[i], g->cells);
    fputs("</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out);
    return 0;
}

/* ---- files ---- */

static int write_file(const ts_results *r, const char *path, int (*write)(FILE *, const void *),
                      const void *what) {
    const char *input = r->path;
    ts_output output = {
        .what = "an export of torsor", .mark = TS_EXPORT_MARK, .input = &input, .inputs = 1};
    return ts_place_write(path, &output, write, what);
}

static int make_folder(const char *folder) {
    struct stat about;
    if (mkdir(folder, 0777) == 0) return 0;
    int wrong = errno;
    if (wrong == EEXIST && stat(folder, &about) == 0 && S_ISDIR(about.st_mode)) return 0;
    return ts_fail(TORSOR_EIO, "cannot make the folder %s: %s", folder, strerror(wrong));
}

static int export_states(ts_scene *g, const char *folder, const char *name, int64_t every,
                         FILE *list, int64_t *files) {
    int64_t frames = ts_results_frames(g->r);
    size_t room = strlen(folder) + strlen(name) + 40;
    char *path = ts_calloc(room, 1);
    int status = 0;
    char time[TS_DIGITS];
    for (int64_t f = 0, next; f < frames && !status; f = next) {
        next = f + every < frames || f == frames - 1 ? f + every : frames - 1;
        status = ts_scene_read(g, f);
        snprintf(path, room, "%s/%s_%06lld.vtu", folder, name, (long long)f);
        if (!status) status = write_file(g->r, path, write_state, g);
        fprintf(list, "<DataSet timestep=\"%s\" part=\"0\" file=\"", ts_digits(time, g->now.t));
        ts_xml_text(list, path + strlen(folder) + 1);
        fputs("\"/>\n", list);
        ++*files;
    }
    free(path);
    return status;
}

static int write_collection(FILE *out, const void *entries) {
    fputs("<?xml version=\"1.0\"?>\n" TS_EXPORT_MARK
          "\n<VTKFile type=\"Collection\" version=\"0.1\" "
          "byte_order=\"LittleEndian\">\n<Collection>\n",
          out);
    fputs(entries, out);
    fputs("</Collection>\n</VTKFile>\n", out);
    return 0;
}

/* The list of files comes last: it never names one that is not there. */
static int export_all(ts_scene *g, const char *folder, const char *name, int64_t every,
                      int64_t *files) {
    size_t room = strlen(folder) + strlen(name) + 10;
    ts_text *list = ts_text_begin();
    int status = export_states(g, folder, name, every, list->out, files);
    char *entries = ts_text_end(list), *path = ts_calloc(room, 1);
    snprintf(path, room, "%s/%s.pvd", folder, name);
    if (!status) status = write_file(g->r, path, write_collection, entries);
    free(path), free(entries);
    return status;
}

int ts_export_vtu(ts_results *r, const char *folder, const char *name, int64_t every,
                  int64_t *files) {
    ts_scene g;
    *files = 0;
    int status = ts_scene_make(&g, r);
    if (!status) status = make_folder(folder);
    if (!status) status = export_all(&g, folder, name, every < 1 ? 1 : every, files);
    ts_scene_clear(&g);
    return status;
}
