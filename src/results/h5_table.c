/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of named fields, one compound per row with texts as wide as the longest, and long texts.
 * See h5.h. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "results/h5_inner.h"

/* ---- tables ---- */

typedef struct field_place {
    size_t offset, size;
} field_place;

static size_t longest_text(int64_t rows, int fields, int f, const ts_table_cell *cells) {
    size_t longest = 1;
    for (int64_t r = 0; r < rows; r++) {
        size_t length = strlen(cells[r * fields + f].text);
        if (length > longest) longest = length;
    }
    return longest;
}

/* The type of a packed row. For 64-bit numbers the same on the disk and here, but for the order of
 * bytes. */
static hid_t row_type(int fields, const ts_table_field *field, const field_place *place,
                      size_t size, bool native) {
    hid_t row = H5Tcreate(H5T_COMPOUND, size);
    for (int f = 0; f < fields; f++) {
        hid_t text = ts_h5_text_type(place[f].size);
        hid_t type = field[f].type == TS_TABLE_TEXT      ? text
                     : field[f].type == TS_TABLE_INTEGER ? native ? H5T_NATIVE_INT64 : H5T_STD_I64LE
                     : native                            ? H5T_NATIVE_DOUBLE
                                                         : H5T_IEEE_F64LE;
        H5Tinsert(row, field[f].name, place[f].offset, type);
        H5Tclose(text);
    }
    return row;
}

static size_t lay_out(int fields, field_place *place) {
    size_t size = 0;
    for (int f = 0; f < fields; f++) place[f].offset = size, size += place[f].size;
    return size;
}

static char *pack(int fields, const ts_table_field *field, const field_place *place, size_t size,
                  int64_t rows, const ts_table_cell *cells) {
    char *bytes = ts_calloc((size_t)rows, size);
    for (int64_t r = 0; r < rows; r++)
        for (int f = 0; f < fields; f++) {
            const ts_table_cell *cell = &cells[r * fields + f];
            char *to = bytes + (size_t)r * size + place[f].offset;
            if (field[f].type == TS_TABLE_TEXT)
                memcpy(to, cell->text, strlen(cell->text));
            else
                memcpy(to, cell, sizeof *cell);
        }
    return bytes;
}

int ts_h5_table_new(ts_h5 file, const char *name, const char *help, int fields,
                    const ts_table_field *field, int64_t rows, const ts_table_cell *cells) {
    field_place *place = ts_calloc((size_t)fields, sizeof *place);
    for (int f = 0; f < fields; f++)
        place[f].size =
            field[f].type == TS_TABLE_TEXT ? longest_text(rows, fields, f, cells) : sizeof *cells;
    size_t size = lay_out(fields, place);
    char *bytes = pack(fields, field, place, size, rows, cells);

    hsize_t shape[1] = {(hsize_t)rows};
    hid_t stored = row_type(fields, field, place, size, false);
    hid_t given = row_type(fields, field, place, size, true);
    hid_t space = H5Screate_simple(1, shape, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    hid_t set = H5Dcreate2(file, name, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    int status = set < 0 ? ts_h5_fail() : 0;
    if (!status && rows > 0)
        status = ts_h5_check(H5Dwrite(set, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes));
    if (!status) status = ts_h5_put_seal(set, bytes, size * (size_t)rows);
    if (!status) status = ts_h5_put_words(set, "help", help);
    ts_h5_dataset_close(set);
    H5Tclose(stored), H5Tclose(given), H5Sclose(space), H5Pclose(creation);
    free(bytes), free(place);
    return status;
}

static bool is_field(hid_t type, ts_table_type wanted) {
    if (wanted == TS_TABLE_INTEGER) return H5Tequal(type, H5T_STD_I64LE) > 0;
    if (wanted == TS_TABLE_NUMBER) return H5Tequal(type, H5T_IEEE_F64LE) > 0;
    return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) <= 0;
}

/* The sizes of the fields as stored; fails unless all are there with the type asked for. */
static int find_fields(hid_t stored, int fields, const ts_table_field *field, field_place *place) {
    size_t room = H5Tget_size(stored);
    if (H5Tget_class(stored) != H5T_COMPOUND) return ts_fail(TORSOR_EIO, "it is not a table");
    for (int f = 0; f < fields; f++) {
        int member = H5Tget_member_index(stored, field[f].name);
        hid_t type = member < 0 ? -1 : H5Tget_member_type(stored, (unsigned)member);
        bool fits = type >= 0 && is_field(type, field[f].type) && H5Tget_size(type) <= room;
        place[f].size = fits ? H5Tget_size(type) : 0;
        if (type >= 0) H5Tclose(type);
        if (!fits) return ts_fail(TORSOR_EIO, "it has no valid column '%s'", field[f].name);
    }
    return 0;
}

/* Cells first, then the texts they point to, each with its closing zero. */
static ts_table_cell *unpack(int fields, const ts_table_field *field, const field_place *place,
                             size_t size, int64_t rows, const char *bytes) {
    size_t count = (size_t)(rows * fields);
    ts_table_cell *cells =
        ts_calloc(1, count * sizeof *cells + (size_t)rows * (size + (size_t)fields));
    char *text = (char *)(cells + count);
    for (int64_t r = 0; r < rows; r++)
        for (int f = 0; f < fields; f++) {
            ts_table_cell *cell = &cells[r * fields + f];
            const char *from = bytes + (size_t)r * size + place[f].offset;
            if (field[f].type != TS_TABLE_TEXT) {
                memcpy(cell, from, sizeof *cell);
                continue;
            }
            cell->text = memcpy(text, from, place[f].size);
            text += place[f].size + 1;
        }
    return cells;
}

static int read_rows(ts_h5 file, const char *name, hid_t set, int fields,
                     const ts_table_field *field, int64_t rows, ts_table_cell **cells) {
    hid_t stored = H5Dget_type(set);
    field_place *place = ts_calloc((size_t)fields, sizeof *place);
    int status = find_fields(stored, fields, field, place);
    if (!status) {
        size_t size = lay_out(fields, place);
        char *bytes = ts_calloc((size_t)rows, size);
        hid_t wanted = row_type(fields, field, place, size, true);
        if (rows > 0) status = ts_h5_fetch_all(set, wanted, bytes);
        if (!status) status = ts_h5_check_seal(file, name, bytes, size * (size_t)rows);
        if (!status) *cells = unpack(fields, field, place, size, rows, bytes);
        H5Tclose(wanted);
        free(bytes);
    }
    H5Tclose(stored);
    free(place);
    return status;
}

int ts_h5_table_read(ts_h5 file, const char *name, int fields, const ts_table_field *field,
                     int64_t *rows, ts_table_cell **cells) {
    ts_h5 set;
    *cells = NULL, *rows = 0;
    if (ts_h5_open_plain(&set, file, name)) return TORSOR_EIO;
    hid_t space = H5Dget_space(set);
    bool fits = H5Sget_simple_extent_ndims(space) == 1;
    *rows = fits ? H5Sget_simple_extent_npoints(space) : 0;
    int status = fits ? read_rows(file, name, set, fields, field, *rows, cells)
                      : ts_fail(TORSOR_EIO, "it has an unexpected shape");
    H5Sclose(space), ts_h5_dataset_close(set);
    if (!status) return 0;
    *rows = 0;
    return ts_fail(TORSOR_EIO, "table '%s': %s", name, ts_error_message());
}

/* ---- one long text: a scalar of exactly its size ---- */

int ts_h5_text_new(ts_h5 file, const char *name, const char *help, const char *text,
                   size_t length) {
    hid_t type = ts_h5_text_type(length), space = H5Screate(H5S_SCALAR);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    int status = set < 0 ? ts_h5_fail() : 0;
    if (!status)
        status =
            ts_h5_check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, length ? text : ""));
    if (!status) status = ts_h5_put_words(set, "help", help);
    ts_h5_dataset_close(set);
    H5Tclose(type), H5Sclose(space), H5Pclose(creation);
    return status;
}

int ts_h5_text_read(ts_h5 file, const char *name, char **text, size_t *length) {
    ts_h5 set;
    *text = NULL, *length = 0;
    if (ts_h5_open_plain(&set, file, name)) return TORSOR_EIO;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    bool fits = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) <= 0 &&
                H5Sget_simple_extent_npoints(space) == 1;
    size_t size = fits ? H5Tget_size(type) : 0;
    *text = ts_calloc(size + 1, 1);
    int status =
        fits ? ts_h5_fetch_all(set, type, *text) : ts_fail(TORSOR_EIO, "'%s' is not a text", name);
    *length = size == 1 && **text == 0 ? 0 : size;
    H5Tclose(type), H5Sclose(space), ts_h5_dataset_close(set);
    return status;
}
