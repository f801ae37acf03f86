/* SPDX-License-Identifier: Apache-2.0 */
/* Writes HDF5 files. Reading is in h5_read.c, tables and texts in h5_table.c; no other file calls
 * HDF5.
 *
 * The results file must be valid whenever the writer dies. This requires:
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
 * cannot be opened. A run that ends early leaves a copy instead (write.c).
 *   locks     none: the file may be read while it is written (and file systems without locks will
 *             do).
 *
 * Text has a fixed length, padded with zeros, so that it can be overwritten in place.
 */
#include "results/h5.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "results/h5_inner.h"

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

int ts_h5_fail(void) {
    char reason[REASON_SIZE] = "unknown reason";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, reason);
    return ts_fail(TORSOR_EIO, "%s", system_words(reason));
}

int ts_h5_check(herr_t status) { return status < 0 ? ts_h5_fail() : 0; }
int ts_h5_check_id(ts_h5 *out, hid_t id) { return (*out = id) < 0 ? ts_h5_fail() : 0; }

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

/* A file without owner, after running out of memory. */
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
    int status = ts_h5_check_id(out, H5Fcreate(path, H5F_ACC_TRUNC, creation, access));
    H5Pclose(access), H5Pclose(creation);
    return watch(status, *out);
}

int ts_h5_open(ts_h5 *out, const char *path, bool write) {
    be_quiet();
    hid_t access = access_list(write);
    int status = ts_h5_check_id(out, H5Fopen(path, write ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access));
    H5Pclose(access);
    return watch(status, *out);
}

int ts_h5_flush(ts_h5 file) { return ts_h5_check(H5Fflush(file, H5F_SCOPE_GLOBAL)); }

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
    return status ? status : ts_h5_check(H5Fclose(file));
}

bool ts_h5_is_hdf5(const char *path) {
    be_quiet();
    return H5Fis_hdf5(path) > 0;
}

/* ---- attributes ---- */

/* A text type of fixed size; at least one byte, for HDF5 knows no shorter one. */
hid_t ts_h5_text_type(size_t size) {
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

static int put_to(hid_t object, const char *name, hid_t stored, hid_t given, const void *value) {
    hid_t attribute = open_or_make(object, name, stored);
    int status = attribute < 0 ? ts_h5_fail() : ts_h5_check(H5Awrite(attribute, given, value));
    if (attribute >= 0) H5Aclose(attribute);
    return status;
}

static int put(ts_h5 file, const char *where, const char *name, hid_t stored, hid_t given,
               const void *value) {
    hid_t object = H5Oopen(file, where, H5P_DEFAULT);
    if (object < 0) return ts_h5_fail();
    int status = put_to(object, name, stored, given, value);
    H5Oclose(object);
    return status;
}

/* A text too long is cut, at the beginning of a UTF-8 character. */
static int put_text_to(hid_t object, const char *name, const char *text, size_t size) {
    size_t length = strlen(text), room = size ? size : 1;
    if (length > room)
        for (length = room; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;) length--;
    char *padded = ts_calloc(room, 1);
    memcpy(padded, text, length);
    hid_t type = ts_h5_text_type(room);
    int status = put_to(object, name, type, type, padded);
    H5Tclose(type);
    free(padded);
    return status;
}

int ts_h5_put_text(ts_h5 file, const char *object, const char *name, const char *text,
                   size_t size) {
    hid_t id = H5Oopen(file, object, H5P_DEFAULT);
    if (id < 0) return ts_h5_fail();
    int status = put_text_to(id, name, text, size);
    H5Oclose(id);
    return status;
}

int ts_h5_put_number(ts_h5 file, const char *object, const char *name, double value) {
    return put(file, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

int ts_h5_put_integer(ts_h5 file, const char *object, const char *name, int64_t value) {
    return put(file, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

int ts_h5_put_words(ts_h5 object, const char *name, const char *text) {
    return text ? put_text_to(object, name, text, strlen(text)) : 0;
}

int ts_h5_put_sum(ts_h5 object, int64_t sum) {
    return put_to(object, "checksum", H5T_STD_I64LE, H5T_NATIVE_INT64, &sum);
}

int ts_h5_group(ts_h5 file, const char *name, const char *help) {
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return ts_h5_fail();
    int status = ts_h5_put_words(group, "help", help);
    H5Gclose(group);
    return status;
}

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

/* The number of rows may change; so may a dimension of size 0, since a chunk cannot be empty. */
static hid_t array_space(const ts_h5_array *array) {
    hsize_t shape[3], most[3];
    for (int i = 0; i < array->rank; i++) {
        shape[i] = array->shape[i];
        most[i] = i == 0 || shape[i] == 0 ? H5S_UNLIMITED : shape[i];
    }
    return H5Screate_simple(array->rank, shape, most);
}

/* Attributes by the handle that is open: to open an object costs five times as much as they do. */
static int describe(hid_t set, const ts_h5_array *array) {
    int status = ts_h5_put_words(set, "unit", array->unit);
    if (!status) status = ts_h5_put_words(set, "columns", array->columns);
    return status ? status : ts_h5_put_words(set, "help", array->help);
}

int ts_h5_array_make(ts_h5 *out, ts_h5 file, const ts_h5_array *array) {
    hid_t creation = array_creation(array), space = array_space(array);
    hid_t type = array->integer ? H5T_STD_I64LE : array->single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    int status = ts_h5_check_id(
        out, H5Dcreate2(file, array->name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Sclose(space), H5Pclose(creation);
    return status ? status : describe(*out, array);
}

int ts_h5_array_new(ts_h5 file, const ts_h5_array *array) {
    ts_h5 set;
    int status = ts_h5_array_make(&set, file, array);
    ts_h5_dataset_close(set);
    return status;
}

int ts_h5_own_dataset(ts_h5 *out, ts_h5 file, const char *name) {
    return ts_h5_check_id(out, H5Dopen2(file, name, H5P_DEFAULT));
}

int ts_h5_resize(ts_h5 set, int64_t rows) {
    hsize_t shape[3];
    hid_t space = H5Dget_space(set);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, shape, NULL);
    if (space >= 0) H5Sclose(space);
    if (rank < 1) return ts_h5_fail();
    shape[0] = (hsize_t)rows;
    return ts_h5_check(H5Dset_extent(set, shape));
}

void ts_h5_dataset_close(ts_h5 set) {
    if (set >= 0) H5Dclose(set);
}

/* ---- from file to file ---- */

int ts_h5_copy(ts_h5 from, ts_h5 to, const char *name) {
    return ts_h5_check(H5Ocopy(from, name, to, name, H5P_DEFAULT, H5P_DEFAULT));
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
    return ts_h5_check(H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, &start, copy_attribute, &to));
}
