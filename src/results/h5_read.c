/* SPDX-License-Identifier: Apache-2.0 */
/* Reading from HDF5. A results file may come from anywhere, so all of its data are checked.
 *
 *   datasets    opened by ts_h5_open_plain alone, read by `fetch` alone. Before a byte is read the
 *               type, the rank and every extent must be those that the caller expects, and the
 *               dataset must be within the file: reached by hard links, stored plainly (no external
 *               or virtual storage, no filters, which torsor never writes), and not larger than
 *               what is allocated for it and than the file.
 *   attributes  a single number, or one text of fixed size; read by `get` alone.
 *
 * So a false size in a file does not cause large allocations or long reading. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "results/h5_inner.h"

enum { PATH_ROOM = 256, ATTRIBUTE_MOST = 1 << 16 };

/* ---- attributes ---- */

/* Is every step of the path a hard link? Soft and external links may lead out of the file. */
static bool is_within(ts_h5 file, const char *path) {
    char part[PATH_ROOM];
    size_t length = strlen(path);
    if (length >= sizeof part) return false;
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != 0) continue;
        H5L_info_t about;
        memcpy(part, path, i), part[i] = 0;
        if (i > 1 &&
            (H5Lget_info(file, part, &about, H5P_DEFAULT) < 0 || about.type != H5L_TYPE_HARD))
            return false;
    }
    return true;
}

bool ts_h5_exists(ts_h5 file, const char *name) {
    char part[PATH_ROOM];
    for (const char *p = strchr(name + 1, '/'); p; p = strchr(p + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(p - name), name);
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0) return false;
    }
    return H5Lexists(file, name, H5P_DEFAULT) > 0;
}

/* As we write it: a damaged type would give other numbers from the same bytes, or from none. */
static bool is_ours(hid_t stored, H5T_class_t class) {
    if (class == H5T_STRING) return H5Tis_variable_str(stored) == 0;
    return H5Tequal(stored, class == H5T_FLOAT ? H5T_IEEE_F64LE : H5T_STD_I64LE) > 0;
}

/* A single value, of a class that we write. */
static bool is_single(hid_t attribute, hid_t stored, H5T_class_t class) {
    hid_t space = H5Aget_space(attribute);
    bool fits = H5Tget_class(stored) == class && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Tget_size(stored) <= ATTRIBUTE_MOST && is_ours(stored, class);
    H5Sclose(space);
    return fits;
}

/* A text is read in its own character set: HDF5 does not turn ASCII into UTF-8. */
static int read_attribute(hid_t attribute, hid_t stored, H5T_class_t class, hid_t type,
                          void *value) {
    if (class == H5T_STRING && H5Tset_cset(type, H5Tget_cset(stored)) < 0) return ts_h5_fail();
    return ts_h5_check(H5Aread(attribute, type, value));
}

static int get(ts_h5 file, const char *object, const char *name, H5T_class_t class, hid_t type,
               void *value) {
    hid_t attribute = -1;
    if (is_within(file, object))
        attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) return ts_fail(TORSOR_EIO, "there is no attribute '%s'", name);
    hid_t stored = H5Aget_type(attribute);
    int status = is_single(attribute, stored, class)
                     ? read_attribute(attribute, stored, class, type, value)
                     : ts_fail(TORSOR_EIO, "attribute '%s' is of another type", name);
    H5Tclose(stored), H5Aclose(attribute);
    return status;
}

int ts_h5_get_text(ts_h5 file, const char *object, const char *name, char *text, size_t size) {
    hid_t type = ts_h5_text_type(size - 1);
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

/* ---- checksums of attributes and of what is written once ---- */

typedef struct gathering {
    XXH3_state_t *state;
    bool (*counts)(const char *name);
} gathering;

static herr_t gather(hid_t object, const char *name, const H5A_info_t *info, void *context) {
    const gathering *g = context;
    if (!g->counts(name)) return 0;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0 || info->data_size > ATTRIBUTE_MOST) return -1;
    hid_t type = H5Aget_type(attribute);
    size_t size = (size_t)info->data_size;
    void *value = ts_try_calloc(size + 1, 1); /* no jump through HDF5 */
    bool fits = is_single(attribute, type, H5Tget_class(type)) && H5Tget_size(type) <= size &&
                H5Tget_class(type) <= H5T_STRING && value;
    herr_t status = fits ? H5Aread(attribute, type, value) : -1;
    if (status >= 0) {
        XXH3_64bits_update(g->state, name, strlen(name) + 1);
        XXH3_64bits_update(g->state, value, H5Tget_size(type));
    }
    free(value);
    H5Tclose(type), H5Aclose(attribute);
    return status < 0 ? -1 : 0;
}

/* In the order of their names. */
int ts_h5_sum_attributes(ts_h5 file, const char *object, bool (*counts)(const char *name),
                         uint64_t *sum) {
    hsize_t start = 0;
    if (!is_within(file, object)) return ts_fail(TORSOR_EIO, "there is no '%s'", object);
    gathering g = {XXH3_createState(), counts};
    if (!g.state) ts_no_memory("a checksum");
    XXH3_64bits_reset(g.state);
    herr_t status = H5Aiterate_by_name(file, object, H5_INDEX_NAME, H5_ITER_INC, &start, gather, &g,
                                       H5P_DEFAULT);
    *sum = XXH3_64bits_digest(g.state);
    XXH3_freeState(g.state);
    return ts_h5_check(status);
}

int ts_h5_lacks(ts_h5 file, const char *name, bool *lacks) {
    *lacks = !ts_h5_exists(file, name);
    if (!*lacks || !ts_h5_has_checksums(file)) return 0;
    return ts_fail(TORSOR_EIO, "'%s' is missing: the file is damaged or was changed", name);
}

bool ts_h5_has_checksums(ts_h5 file) { return ts_h5_exists(file, "/checksums"); }

int ts_h5_put_seal(ts_h5 set, const void *bytes, size_t size) {
    return ts_h5_put_sum(set, (int64_t)XXH3_64bits(bytes, size));
}

int ts_h5_check_seal(ts_h5 file, const char *name, const void *bytes, size_t size) {
    int64_t sum;
    if (!ts_h5_has_checksums(file)) return 0;
    if (!ts_h5_get_integer(file, name, "checksum", &sum) &&
        sum == (int64_t)XXH3_64bits(bytes, size))
        return 0;
    return ts_fail(TORSOR_EIO,
                   "'%s' differs from what was written: the file is damaged or was changed", name);
}

/* ---- datasets ---- */

/* No external files, no other datasets, no filters. */
static bool is_plain(ts_h5 set) {
    hid_t list = H5Dget_create_plist(set);
    if (list < 0) return false;
    H5D_layout_t layout = H5Pget_layout(list);
    bool plain = (layout == H5D_CHUNKED || layout == H5D_CONTIGUOUS || layout == H5D_COMPACT) &&
                 H5Pget_external_count(list) == 0 && H5Pget_nfilters(list) == 0;
    H5Pclose(list);
    return plain;
}

/* A product of extents is compared factor by factor, for it may not fit any integer. */
static bool is_there(ts_h5 file, ts_h5 set) {
    hsize_t extent[H5S_MAX_RANK], size;
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    hsize_t bytes = H5Tget_size(type);
    bool fits = rank >= 0 && bytes > 0 && H5Fget_filesize(file, &size) >= 0 && bytes <= size;
    for (int i = 0; i < rank && fits; i++)
        if (extent[i] == 0) bytes = 0;
    for (int i = 0; i < rank && fits && bytes > 0; i++) {
        fits = extent[i] <= size / bytes;
        bytes *= extent[i];
    }
    H5Sclose(space), H5Tclose(type);
    return fits && bytes <= H5Dget_storage_size(set);
}

/* All chunks are allocated when an array is made. Where the first is missing, HDF5 would give zeros
 * or nothing for it. */
static bool has_first_chunk(ts_h5 set) {
    static const hsize_t origin[H5S_MAX_RANK];
    haddr_t address = HADDR_UNDEF;
    hid_t list = H5Dget_create_plist(set), space = H5Dget_space(set);
    bool empty = H5Pget_layout(list) != H5D_CHUNKED || H5Sget_simple_extent_npoints(space) == 0;
    H5Pclose(list), H5Sclose(space);
    return empty || (H5Dget_chunk_info_by_coord(set, origin, NULL, &address, NULL) >= 0 &&
                     address != HADDR_UNDEF);
}

int ts_h5_open_plain(ts_h5 *out, ts_h5 file, const char *name) {
    *out = -1;
    if (!ts_h5_exists(file, name)) return ts_fail(TORSOR_EIO, "there is no dataset '%s'", name);
    if (!is_within(file, name))
        return ts_fail(TORSOR_EIO, "'%s' is a link to elsewhere, which is not followed", name);
    if (ts_h5_check_id(out, H5Dopen2(file, name, H5P_DEFAULT)))
        return ts_fail(TORSOR_EIO, "there is no dataset '%s'", name);
    int status = 0;
    if (!is_plain(*out))
        status = ts_fail(TORSOR_EIO,
                         "dataset '%s' is stored in a way that torsor does not write (filters, "
                         "other files)",
                         name);
    else if (!is_there(file, *out))
        status = ts_fail(TORSOR_EIO, "dataset '%s' is larger than the file", name);
    else if (!has_first_chunk(*out))
        status = ts_fail(TORSOR_EIO, "the beginning of dataset '%s' is missing", name);
    if (!status) return 0;
    ts_h5_dataset_close(*out);
    *out = -1;
    return status;
}

int ts_h5_dataset(ts_h5 *out, ts_h5 file, const char *name, int *rank, uint64_t shape[3]) {
    if (ts_h5_open_plain(out, file, name)) return TORSOR_EIO;
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

static bool is_of(ts_h5 set, bool integer) {
    hid_t stored = H5Dget_type(set);
    bool is = H5Tequal(stored, integer ? H5T_STD_I64LE : H5T_IEEE_F64LE) > 0;
    H5Tclose(stored);
    return is;
}

int ts_h5_expect(ts_h5 *out, ts_h5 file, const char *name, bool integer, int rank,
                 int64_t extent[]) {
    int found;
    uint64_t shape[3];
    if (ts_h5_dataset(out, file, name, &found, shape)) return TORSOR_EIO;
    bool type = is_of(*out, integer), fits = found == rank;
    for (int i = 0; i < rank && fits; i++) fits = extent[i] < 0 || (uint64_t)extent[i] == shape[i];
    for (int i = 0; i < rank; i++) extent[i] = (int64_t)shape[i];
    if (type && fits) return 0;
    ts_h5_dataset_close(*out);
    *out = -1;
    return ts_fail(TORSOR_EIO, "dataset '%s' has an unexpected %s", name, type ? "shape" : "type");
}

/* The rows [first, first + rows) of a dataset as a selection in the file, and the space of a dense
 * copy; numbers per row. */
static int select_rows(ts_h5 set, int64_t first, int64_t rows, hid_t space[2], int64_t *values) {
    hsize_t start[3] = {(hsize_t)first}, count[3] = {0};
    if ((space[0] = H5Dget_space(set)) < 0) return ts_h5_fail();
    if (H5Sget_simple_extent_ndims(space[0]) > 3) return ts_fail(TORSOR_EIO, "unexpected shape");
    int rank = H5Sget_simple_extent_dims(space[0], count, NULL);
    if (rank < 1) return ts_h5_fail();
    if (first < 0 || rows < 0 || (hsize_t)first + (hsize_t)rows > count[0])
        return ts_fail(TORSOR_EIO, "rows %lld to %lld are not there", (long long)first,
                       (long long)(first + rows));
    count[0] = (hsize_t)rows;
    *values = 1;
    for (int i = 1; i < rank; i++) *values *= (int64_t)count[i];
    if (H5Sselect_hyperslab(space[0], H5S_SELECT_SET, start, NULL, count, NULL) < 0)
        return ts_h5_fail();
    return (space[1] = H5Screate_simple(rank, count, NULL)) < 0 ? ts_h5_fail() : 0;
}

static void release(const hid_t space[2]) {
    for (int i = 0; i < 2; i++)
        if (space[i] >= 0) H5Sclose(space[i]);
}

static hid_t memory_type(bool integer) { return integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE; }

int ts_h5_write(ts_h5 set, bool integer, int64_t first, int64_t rows, const void *data) {
    hid_t space[2] = {-1, -1};
    int64_t values;
    int status = select_rows(set, first, rows, space, &values);
    if (!status && H5Sget_select_npoints(space[0]) > 0)
        status =
            ts_h5_check(H5Dwrite(set, memory_type(integer), space[1], space[0], H5P_DEFAULT, data));
    release(space);
    return status;
}

/* The only call of H5Dread. Where a chunk is missing, because the index of chunks is damaged, HDF5
 * does not change `data`: it must be set before, otherwise the comparison with the checksum depends
 * on old contents of the memory. */
static int fetch(ts_h5 set, hid_t type, hid_t memory, hid_t place, void *data) {
    return ts_h5_check(H5Dread(set, type, memory, place, H5P_DEFAULT, data));
}

int ts_h5_fetch_all(ts_h5 set, hid_t type, void *data) {
    return fetch(set, type, H5S_ALL, H5S_ALL, data);
}

int ts_h5_read(ts_h5 set, bool integer, int64_t first, int64_t rows, int64_t values, void *data) {
    hid_t space[2] = {-1, -1};
    int64_t found;
    int status = select_rows(set, first, rows, space, &found);
    if (!status && (found != values || !is_of(set, integer)))
        status = ts_fail(TORSOR_EIO, "a row has an unexpected shape or type");
    if (!status && rows > 0 && values > 0) {
        memset(data, 0xff, 8 * (size_t)rows * (size_t)values); /* -1 or NaN: zeros are common */
        status = fetch(set, memory_type(integer), space[1], space[0], data);
    }
    release(space);
    return status;
}

/* ---- whole arrays, written once ---- */

static size_t bytes_of(int rank, const int64_t extent[]) {
    size_t bytes = 8;
    for (int i = 0; i < rank; i++) bytes *= (size_t)extent[i];
    return bytes;
}

int ts_h5_array_put(ts_h5 file, const ts_h5_array *array, const void *data) {
    ts_h5 set;
    int64_t extent[3];
    for (int i = 0; i < array->rank; i++) extent[i] = (int64_t)array->shape[i];
    int status = ts_h5_array_make(&set, file, array);
    if (!status && extent[0] > 0) status = ts_h5_write(set, array->integer, 0, extent[0], data);
    if (!status) status = ts_h5_put_seal(set, data, bytes_of(array->rank, extent));
    ts_h5_dataset_close(set);
    return status;
}

int ts_h5_array_get(ts_h5 file, const char *name, bool integer, int rank, int64_t extent[],
                    void **out) {
    ts_h5 set;
    *out = NULL;
    if (ts_h5_expect(&set, file, name, integer, rank, extent)) return TORSOR_EIO;
    size_t bytes = bytes_of(rank, extent);
    *out = ts_calloc(bytes + 8, 1);
    int status = bytes ? ts_h5_fetch_all(set, memory_type(integer), *out) : 0;
    ts_h5_dataset_close(set);
    return status ? status : ts_h5_check_seal(file, name, *out, bytes);
}
