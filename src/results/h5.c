/* All calls of HDF5.
 *
 * The results file must be whole whenever the writer dies. What that takes:
 *
 *   format    the oldest one (superblock 0). The newest has a flag "open for writing" which a
 *             killed run leaves set, and readers refuse it then. The oldest has none.
 *   metadata  every object is made, allocated and flushed before the first row
 *             (H5D_ALLOC_TIME_EARLY, no filter, so a chunk never moves). Times of objects are not
 *             tracked. Writing rows then changes no metadata at all.
 *   raw data  no chunk cache and no sieve buffer: a row goes straight to its final place by
 *             pwrite. Once in the kernel's cache it survives the death of the process.
 *   size      the file has its full length from the beginning and never gets shorter: HDF5 cuts a
 *             file before it writes the new length, and a kill in between would leave a file that
 *             nobody opens. A run that ends early leaves a copy instead (write.c).
 *   locks     none: the file may be read while it is written (and file systems without locks will
 *             do).
 *
 * Text has a fixed length, padded with zeros, so that it can be overwritten in place.
 */
#include "results/h5.h"

#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"

_Static_assert(sizeof(hid_t) == sizeof(ts_h5), "HDF5 1.10 or newer");

/* ---- errors: the innermost reason of HDF5's stack, in a few words ---- */

enum { REASON_SIZE = 400 };

static herr_t take_innermost(unsigned n, const H5E_error2_t *error, void *reason) {
    if (n == 0 && error->desc) snprintf(reason, REASON_SIZE, "%s", error->desc);
    return 0;
}

/* "file write failed: time = ..., error message = 'No space left on device', buf = ..." -> the
 * words between quotes */
static const char *system_words(char *reason) {
    static const char mark[] = "error message = '";
    char *start = strstr(reason, mark);
    if (!start) return reason;
    start += sizeof mark - 1;
    start[strcspn(start, "'")] = 0;
    return start;
}

static int fail(void) {
    char reason[REASON_SIZE] = "unknown reason";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, reason);
    return ts_fail(TORSOR_EIO, "%s", system_words(reason));
}

static int check(herr_t status) { return status < 0 ? fail() : 0; }
static int check_id(ts_h5 *out, hid_t id) { return (*out = id) < 0 ? fail() : 0; }

/* Before the first use: no printing of errors, no closing of broken files at exit (ours are closed
 * by ourselves). */
static void be_quiet(void) {
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* ---- files ---- */

static hid_t access_list(bool write) {
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
    H5Pset_file_locking(list, false, true);
    if (write) H5Pset_sieve_buf_size(list, 0);
    if (write) H5Pset_cache(list, 0, 521, 0, 1);
    return list;
}

/* A file that nobody will close: memory ran out, and its owner is gone. */
static void close_lost(void *file) {
    ts_lock_libraries();
    H5Fclose((hid_t)(intptr_t)file);
    ts_unlock_libraries();
}

static int watch(int status, ts_h5 file) {
    if (!status) ts_hold(close_lost, (void *)(intptr_t)file);
    return status;
}

static void unwatch(ts_h5 file) { ts_unhold(close_lost, (void *)(intptr_t)file); }

int ts_h5_create(ts_h5 *out, const char *path) {
    be_quiet();
    hid_t access = access_list(true), creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(creation, false);
    int status = check_id(out, H5Fcreate(path, H5F_ACC_TRUNC, creation, access));
    H5Pclose(access), H5Pclose(creation);
    return watch(status, *out);
}

int ts_h5_open(ts_h5 *out, const char *path, bool write) {
    be_quiet();
    hid_t access = access_list(write);
    int status = check_id(out, H5Fopen(path, write ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access));
    H5Pclose(access);
    return watch(status, *out);
}

int ts_h5_flush(ts_h5 file) { return check(H5Fflush(file, H5F_SCOPE_GLOBAL)); }

/* Somewhere in memory, without a name. */
static int open_sink(void) {
    char name[64];
    snprintf(name, sizeof name, "/torsor-%ld", (long)getpid());
    int sink = shm_open(name, O_CREAT | O_RDWR, 0600);
    if (sink >= 0) shm_unlink(name);
    return sink;
}

/* What a new file has to write goes to memory, and is forgotten: so it can be closed though its
 * disk is full. */
void ts_h5_abandon(ts_h5 file) {
    void *handle = NULL;
    int sink = open_sink();
    unwatch(file);
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle && sink >= 0) {
        dup2(sink, *(int *)handle);
        H5Fclose(file);
    }
    if (sink >= 0) close(sink);
}

/* After a flush that failed, HDF5 1.10 can do no more with a file: closing it, now or when the
 * program ends, would crash. So it stays open; see be_quiet for the end of the program. */
int ts_h5_close(ts_h5 file) {
    if (file < 0) return 0;
    unwatch(file);
    int status = ts_h5_flush(file);
    return status ? status : check(H5Fclose(file));
}

bool ts_h5_is_hdf5(const char *path) {
    be_quiet();
    return H5Fis_hdf5(path) > 0;
}

/* ---- attributes ---- */

/* A text type of fixed size; at least one byte, for HDF5 knows no shorter one. */
static hid_t text_type(size_t size) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size ? size : 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    return type;
}

/* Opened through its object: HDF5 1.10 looks for an attribute opened by name in the wrong one when
 * writing. */
static hid_t open_or_make(hid_t object, const char *name, hid_t stored) {
    if (H5Aexists(object, name) > 0) return H5Aopen(object, name, H5P_DEFAULT);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
    return attribute;
}

static int put(ts_h5 file, const char *where, const char *name, hid_t stored, hid_t given,
               const void *value) {
    hid_t object = H5Oopen(file, where, H5P_DEFAULT);
    if (object < 0) return fail();
    hid_t attribute = open_or_make(object, name, stored);
    int status = attribute < 0 ? fail() : check(H5Awrite(attribute, given, value));
    if (attribute >= 0) H5Aclose(attribute);
    H5Oclose(object);
    return status;
}

/* A text too long is cut, at the beginning of a UTF-8 character. */
int ts_h5_put_text(ts_h5 file, const char *object, const char *name, const char *text,
                   size_t size) {
    size_t length = strlen(text), room = size ? size : 1;
    if (length > room)
        for (length = room; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;) length--;
    char *padded = ts_calloc(room, 1);
    memcpy(padded, text, length);
    hid_t type = text_type(room);
    int status = put(file, object, name, type, type, padded);
    H5Tclose(type);
    free(padded);
    return status;
}

int ts_h5_put_number(ts_h5 file, const char *object, const char *name, double value) {
    return put(file, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

int ts_h5_put_integer(ts_h5 file, const char *object, const char *name, int64_t value) {
    return put(file, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

/* Only a single value of the class asked for is read: a foreign file may hold anything under our
 * names. */
static int get(ts_h5 file, const char *object, const char *name, H5T_class_t class, hid_t type,
               void *value) {
    hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) return ts_fail(TORSOR_EIO, "there is no attribute '%s'", name);
    hid_t stored = H5Aget_type(attribute), space = H5Aget_space(attribute);
    bool fits = H5Tget_class(stored) == class && H5Sget_simple_extent_npoints(space) == 1 &&
                !(class == H5T_STRING && H5Tis_variable_str(stored));
    int status = fits ? check(H5Aread(attribute, type, value))
                      : ts_fail(TORSOR_EIO, "attribute '%s' is of another type", name);
    H5Tclose(stored), H5Sclose(space), H5Aclose(attribute);
    return status;
}

int ts_h5_get_text(ts_h5 file, const char *object, const char *name, char *text, size_t size) {
    hid_t type = text_type(size - 1);
    int status = get(file, object, name, H5T_STRING, type, text);
    text[status ? 0 : size - 1] = 0;
    H5Tclose(type);
    return status;
}

int ts_h5_get_number(ts_h5 file, const char *object, const char *name, double *value) {
    return get(file, object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, value);
}

int ts_h5_get_integer(ts_h5 file, const char *object, const char *name, int64_t *value) {
    return get(file, object, name, H5T_INTEGER, H5T_NATIVE_INT64, value);
}

static int put_words(ts_h5 file, const char *object, const char *name, const char *text) {
    return text ? ts_h5_put_text(file, object, name, text, strlen(text)) : 0;
}

int ts_h5_group(ts_h5 file, const char *name, const char *help) {
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return fail();
    H5Gclose(group);
    return put_words(file, name, "help", help);
}

bool ts_h5_exists(ts_h5 file, const char *name) { return H5Lexists(file, name, H5P_DEFAULT) > 0; }

/* ---- arrays ---- */

/* Chunked, allocated at once, never moved. Rows are left as the file system gives them (zeros)
 * unless `blank`. */
static hid_t array_creation(const ts_h5_array *array) {
    hsize_t chunk[3];
    for (int i = 0; i < array->rank; i++) chunk[i] = array->shape[i] ? array->shape[i] : 1;
    chunk[0] = array->chunk ? array->chunk : 1;

    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(list, false);
    H5Pset_chunk(list, array->rank, chunk);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(list, array->blank ? H5D_FILL_TIME_ALLOC : H5D_FILL_TIME_NEVER);
    double nan_value = NAN;
    if (array->blank && !array->integer) H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &nan_value);
    return list;
}

/* Of the dimensions, rows may change; an empty one must be allowed to, for a chunk cannot be empty.
 * */
static hid_t array_space(const ts_h5_array *array) {
    hsize_t shape[3], most[3];
    for (int i = 0; i < array->rank; i++) {
        shape[i] = array->shape[i];
        most[i] = i == 0 || shape[i] == 0 ? H5S_UNLIMITED : shape[i];
    }
    return H5Screate_simple(array->rank, shape, most);
}

int ts_h5_array_new(ts_h5 file, const ts_h5_array *array) {
    hid_t creation = array_creation(array), space = array_space(array);
    hid_t type = array->integer ? H5T_STD_I64LE : array->single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    hid_t set = H5Dcreate2(file, array->name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    int status = set < 0 ? fail() : 0;
    if (set >= 0) H5Dclose(set);
    H5Sclose(space), H5Pclose(creation);
    if (!status) status = put_words(file, array->name, "unit", array->unit);
    if (!status) status = put_words(file, array->name, "columns", array->columns);
    return status ? status : put_words(file, array->name, "help", array->help);
}

int ts_h5_dataset(ts_h5 *out, ts_h5 file, const char *name, int *rank, uint64_t shape[3]) {
    if (check_id(out, H5Dopen2(file, name, H5P_DEFAULT))) {
        return ts_fail(TORSOR_EIO, "there is no dataset '%s'", name);
    }
    hsize_t sizes[3] = {0};
    hid_t space = H5Dget_space(*out);
    *rank = H5Sget_simple_extent_ndims(space);
    bool fits = *rank >= 1 && *rank <= 3 && H5Sget_simple_extent_dims(space, sizes, NULL) >= 0;
    H5Sclose(space);
    for (int i = 0; i < 3; i++) shape[i] = sizes[i];
    if (fits) return 0;
    ts_h5_dataset_close(*out);
    *out = -1;
    return ts_fail(TORSOR_EIO, "dataset '%s' has an unexpected shape", name);
}

/* The rows [first, first + rows) of a dataset as a selection in the file, and the space of a dense
 * copy. */
static int select_rows(ts_h5 set, int64_t first, int64_t rows, hid_t *place, hid_t *dense) {
    hsize_t start[3] = {(hsize_t)first}, count[3] = {0};
    *dense = -1;
    if ((*place = H5Dget_space(set)) < 0) return fail();
    if (H5Sget_simple_extent_ndims(*place) > 3) return ts_fail(TORSOR_EIO, "unexpected shape");
    int rank = H5Sget_simple_extent_dims(*place, count, NULL);
    if (rank < 1) return fail();
    if (first < 0 || rows < 0 || (hsize_t)first + (hsize_t)rows > count[0])
        return ts_fail(TORSOR_EIO, "rows %lld to %lld are not there", (long long)first,
                       (long long)(first + rows));
    count[0] = (hsize_t)rows;
    if (H5Sselect_hyperslab(*place, H5S_SELECT_SET, start, NULL, count, NULL) < 0) return fail();
    return (*dense = H5Screate_simple(rank, count, NULL)) < 0 ? fail() : 0;
}

static void release(hid_t place, hid_t dense) {
    if (place >= 0) H5Sclose(place);
    if (dense >= 0) H5Sclose(dense);
}

static hid_t memory_type(bool integer) { return integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE; }

int ts_h5_write(ts_h5 set, bool integer, int64_t first, int64_t rows, const void *data) {
    hid_t place, dense;
    int status = select_rows(set, first, rows, &place, &dense);
    if (!status && H5Sget_select_npoints(place) > 0)
        status = check(H5Dwrite(set, memory_type(integer), dense, place, H5P_DEFAULT, data));
    release(place, dense);
    return status;
}

int ts_h5_read(ts_h5 set, bool integer, int64_t first, int64_t rows, void *data) {
    hid_t place, dense;
    int status = select_rows(set, first, rows, &place, &dense);
    if (!status && H5Sget_select_npoints(place) > 0)
        status = check(H5Dread(set, memory_type(integer), dense, place, H5P_DEFAULT, data));
    release(place, dense);
    return status;
}

int ts_h5_resize(ts_h5 set, int64_t rows) {
    hsize_t shape[3];
    hid_t space = H5Dget_space(set);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, shape, NULL);
    if (space >= 0) H5Sclose(space);
    if (rank < 1) return fail();
    shape[0] = (hsize_t)rows;
    return check(H5Dset_extent(set, shape));
}

void ts_h5_dataset_close(ts_h5 set) {
    if (set >= 0) H5Dclose(set);
}

/* ---- tables: one compound per row, texts as wide as the longest ---- */

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
        hid_t text = text_type(place[f].size);
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
    int status = set < 0 ? fail() : 0;
    if (!status && rows > 0)
        status = check(H5Dwrite(set, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes));
    ts_h5_dataset_close(set);
    H5Tclose(stored), H5Tclose(given), H5Sclose(space), H5Pclose(creation);
    free(bytes), free(place);
    return status ? status : put_words(file, name, "help", help);
}

/* The sizes of the fields as stored; fails unless all are there with the type asked for. */
static int find_fields(hid_t stored, int fields, const ts_table_field *field, field_place *place) {
    static const H5T_class_t class[] = {H5T_STRING, H5T_INTEGER, H5T_FLOAT};
    if (H5Tget_class(stored) != H5T_COMPOUND) return ts_fail(TORSOR_EIO, "it is not a table");
    for (int f = 0; f < fields; f++) {
        int member = H5Tget_member_index(stored, field[f].name);
        if (member < 0 || H5Tget_member_class(stored, (unsigned)member) != class[field[f].type])
            return ts_fail(TORSOR_EIO, "it has no proper column '%s'", field[f].name);
        hid_t type = H5Tget_member_type(stored, (unsigned)member);
        bool text = field[f].type == TS_TABLE_TEXT;
        place[f].size = text ? H5Tget_size(type) : sizeof(ts_table_cell);
        bool variable = text && H5Tis_variable_str(type);
        H5Tclose(type);
        if (variable) return ts_fail(TORSOR_EIO, "column '%s' is of another type", field[f].name);
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

static int read_rows(hid_t set, hid_t stored, int fields, const ts_table_field *field, int64_t rows,
                     ts_table_cell **cells) {
    field_place *place = ts_calloc((size_t)fields, sizeof *place);
    int status = find_fields(stored, fields, field, place);
    if (!status) {
        size_t size = lay_out(fields, place);
        char *bytes = ts_calloc((size_t)rows, size);
        hid_t wanted = row_type(fields, field, place, size, true);
        if (rows > 0) status = check(H5Dread(set, wanted, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes));
        if (!status) *cells = unpack(fields, field, place, size, rows, bytes);
        H5Tclose(wanted);
        free(bytes);
    }
    free(place);
    return status;
}

int ts_h5_table_read(ts_h5 file, const char *name, int fields, const ts_table_field *field,
                     int64_t *rows, ts_table_cell **cells) {
    *cells = NULL;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return ts_fail(TORSOR_EIO, "there is no table '%s'", name);
    hid_t stored = H5Dget_type(set), space = H5Dget_space(set);
    *rows = H5Sget_simple_extent_npoints(space);
    int status = read_rows(set, stored, fields, field, *rows, cells);
    H5Tclose(stored), H5Sclose(space), H5Dclose(set);
    return status ? ts_fail(TORSOR_EIO, "table '%s': %s", name, ts_error_message()) : 0;
}

/* ---- one long text: a scalar of exactly its size ---- */

int ts_h5_text_new(ts_h5 file, const char *name, const char *help, const char *text,
                   size_t length) {
    hid_t type = text_type(length), space = H5Screate(H5S_SCALAR);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    int status = set < 0 ? fail() : 0;
    if (!status)
        status = check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, length ? text : ""));
    ts_h5_dataset_close(set);
    H5Tclose(type), H5Sclose(space), H5Pclose(creation);
    return status ? status : put_words(file, name, "help", help);
}

int ts_h5_text_read(ts_h5 file, const char *name, char **text, size_t *length) {
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return ts_fail(TORSOR_EIO, "there is no text '%s'", name);
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    bool fits = H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) &&
                H5Sget_simple_extent_npoints(space) == 1;
    *length = H5Tget_size(type);
    *text = ts_calloc(*length + 1, 1);
    int status = fits ? check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text))
                      : ts_fail(TORSOR_EIO, "'%s' is not a text", name);
    if (*length == 1 && **text == 0) *length = 0;
    H5Tclose(type), H5Sclose(space), H5Dclose(set);
    return status;
}

/* ---- from file to file ---- */

int ts_h5_copy(ts_h5 from, ts_h5 to, const char *name) {
    return check(H5Ocopy(from, name, to, name, H5P_DEFAULT, H5P_DEFAULT));
}

/* One attribute, its bytes as they are. */
static herr_t copy_attribute(hid_t from, const char *name, const H5A_info_t *info, void *to) {
    hid_t attribute = H5Aopen(from, name, H5P_DEFAULT);
    if (attribute < 0) return -1;
    hid_t type = H5Aget_type(attribute);
    void *value = ts_try_calloc((size_t)info->data_size + 1, 1); /* no jump through HDF5 */
    herr_t status = value ? H5Aread(attribute, type, value) : -1;
    if (status >= 0 && put(*(const ts_h5 *)to, "/", name, type, type, value)) status = -1;
    free(value);
    H5Tclose(type), H5Aclose(attribute);
    return status < 0 ? -1 : 0;
}

int ts_h5_copy_attributes(ts_h5 from, ts_h5 to) {
    hsize_t start = 0;
    return check(H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, &start, copy_attribute, &to));
}
