/* SPDX-License-Identifier: Apache-2.0 */
/* Results files with arbitrary changes: refused with a message, or read by all readers, restart
 * included, without crash, hang or leak.
 *
 * The input is not the file but a list of changes to a sound one, 16 bytes each: what, which object
 * or place, and a number. So a few bytes make files that HDF5 finds nothing wrong with. The first
 * byte of the input says whether the file keeps its checksums (nearly everything is then refused by
 * them) or is turned into one of the format before there were any.
 *
 * tests/corpus/results has one file for each kind of change: tools/results_corpus.py makes them.
 */
#include <fcntl.h>
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "torsor/torsor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* HDF5 1.10 does not free what it has decoded of a damaged type when H5Dopen fails. */
const char *__lsan_default_suppressions(void); /* NOLINT: the sanitizer's own name */
const char *__lsan_default_suppressions(void) { return "leak:libhdf5\n"; }

typedef struct change {
    uint8_t what, which, rank, type;
    uint32_t place;
    int64_t number;
} change;

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

static const char MODEL[] =
    "torsor: 1\n"
    "title: fuzz\n"
    "units: SI\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: {steel: {E: 210 GPa, nu: 0.3, density: 7850 kg/m^3}}\n"
    "sections: {bar: {type: circle, material: steel, diameter: 40 mm}}\n"
    "bodies: {rod: {mass: 2, inertia: [0.02, 0.02, 0.01], position: [0.5, 0, 0]}}\n"
    "beams: {arm: {from: [1, 0, 0], to: [2, 0, 0], section: bar, elements: 2, order: 1}}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}\n"
    "  weld: {type: rigid, bodies: [rod, arm.start], at: [1, 0, 0]}\n"
    "analysis: {scheme: ED, step: 1 ms, end: 3 ms}\n";

/* What changes may be made to. */
static const char *const DATASET[] = {
    "/progress",          "/frames/t",           "/frames/step",
    "/frames/q",          "/frames/v",           "/frames/vdot",
    "/frames/lambda",     "/frames/trail",       "/frames/memory",
    "/frames/ledger",     "/frames/resolution",  "/frames/section_force",
    "/steps/t",           "/steps/kinetic",      "/steps/iterations",
    "/model/text",        "/model/nodes",        "/model/parts",
    "/model/names",       "/model/stations",     "/model/node_numbers",
    "/model/drawn",       "/geometry/cells",     "/geometry/connectivity",
    "/geometry/bodies",   "/geometry/links",     "/geometry/corners",
    "/geometry/outlines", "/checksums/frames",   "/checksums/steps",
    "/frames/input",      "/frames/step_control"};
static const char *const ATTRIBUTE[] = {"format_version", "h",      "t_end",  "rho_inf",
                                        "store_every",    "scheme", "status", "max_cuts",
                                        "first_step",     "solver", "title",  "model_hash"};
enum {
    DATASETS = sizeof DATASET / sizeof *DATASET,
    ATTRIBUTES = sizeof ATTRIBUTE / sizeof *ATTRIBUTE
};

static char folder[64], good[80], bad[80], page[80];

static void insist(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "fuzz_results: %s: %s\n", what, torsor_error());
    abort();
}

static void tidy_up(void) {
    unlink(good), unlink(bad), unlink(page);
    rmdir(folder);
}

static void make_good(void) {
    torsor_model *model;
    torsor_run *run;
    snprintf(folder, sizeof folder, "/dev/shm/torsor-fuzz-XXXXXX");
    if (!mkdtemp(folder)) snprintf(folder, sizeof folder, "/tmp/torsor-fuzz-XXXXXX");
    insist(!strstr(folder, "XXXXXX") || mkdtemp(folder), "no folder");
    snprintf(good, sizeof good, "%s/good.h5", folder);
    snprintf(bad, sizeof bad, "%s/bad.h5", folder);
    snprintf(page, sizeof page, "%s/page.html", folder);
    atexit(tidy_up);
    insist(!torsor_model_parse(&model, MODEL, strlen(MODEL), "fuzz"), "the model");
    insist(!torsor_run_new(&run, model) && !torsor_run_record(run, good), "the run");
    while (!torsor_run_ended(run)) insist(!torsor_run_step(run), "a step");
    insist(!torsor_run_finish(run), "the end");
    torsor_run_free(run), torsor_model_free(model);
}

static void copy(void) {
    static bytes whole;
    if (!whole.data) {
        FILE *from = fopen(good, "rb");
        struct stat about;
        insist(from && !stat(good, &about), "reading");
        whole.size = (size_t)about.st_size, whole.data = malloc(whole.size);
        insist(whole.data && fread(whole.data, 1, whole.size, from) == whole.size, "reading");
        fclose(from);
    }
    FILE *to = fopen(bad, "wb");
    insist(to && fwrite(whole.data, 1, whole.size, to) == whole.size && !fclose(to), "copying");
}

/* ---- changes ---- */

static void make_older(hid_t file) {
    int64_t version = 2;
    hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT64, &version);
    H5Aclose(attribute);
    H5Ldelete(file, "/checksums", H5P_DEFAULT);
}

/* Another rank, type and extents; with nothing stored in it, or little. */
static void reshape(hid_t file, const char *name, const change *c) {
    static const hsize_t extents[] = {0, 1, 2, 3, 4, 5, 9, 100, 1u << 20, (hsize_t)1 << 40};
    hid_t types[] = {H5T_IEEE_F64LE, H5T_STD_I64LE, H5T_IEEE_F32LE, H5T_STD_U8LE, H5T_C_S1};
    hsize_t shape[4], chunk[4];
    int rank = 1 + c->rank % 4;
    for (int i = 0; i < rank; i++) {
        shape[i] = extents[(c->place >> 4 * i) % (sizeof extents / sizeof *extents)];
        chunk[i] = shape[i] > 0 && shape[i] < 8 ? shape[i] : 8;
    }
    H5Ldelete(file, name, H5P_DEFAULT);
    hid_t space = H5Screate_simple(rank, shape, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    if (c->type & 8) H5Pset_chunk(list, rank, chunk);
    hid_t set = H5Dcreate2(file, name, types[c->type % 5], space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (set >= 0) H5Dclose(set);
    H5Sclose(space), H5Pclose(list);
}

static void set_element(hid_t file, const char *name, const change *c) {
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    size_t size = H5Tget_size(type) * (size_t)(points > 0 ? points : 0);
    if (size >= 8 && size < 1 << 20) {
        char *data = calloc(1, size);
        if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0) {
            memcpy(data + c->place % (size - 7), &c->number, 8);
            H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
        }
        free(data);
    }
    H5Tclose(type), H5Sclose(space), H5Dclose(set);
}

static void set_attribute(hid_t file, const char *name, const change *c) {
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    if (attribute < 0) return;
    hid_t type = H5Aget_type(attribute);
    char *data = calloc(1, H5Tget_size(type) + 8);
    memcpy(data, &c->number, 8);
    H5Awrite(attribute, type, data);
    free(data);
    H5Tclose(type), H5Aclose(attribute);
}

static void relink(hid_t file, const char *name, const change *c) {
    H5Ldelete(file, name, H5P_DEFAULT);
    if (c->type % 3 == 1)
        H5Lcreate_soft(DATASET[c->place % DATASETS], file, name, H5P_DEFAULT, H5P_DEFAULT);
    if (c->type % 3 == 2)
        H5Lcreate_hard(file, DATASET[c->place % DATASETS], file, name, H5P_DEFAULT, H5P_DEFAULT);
}

enum { RESHAPE, SET_ELEMENT, SET_ATTRIBUTE, RELINK, RAW, WHATS };

static void change_objects(hid_t file, const change *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *name = DATASET[list[i].which % DATASETS];
        switch (list[i].what % WHATS) {
        case RESHAPE:
            reshape(file, name, &list[i]);
            break;
        case SET_ELEMENT:
            set_element(file, name, &list[i]);
            break;
        case SET_ATTRIBUTE:
            set_attribute(file, ATTRIBUTE[list[i].which % ATTRIBUTES], &list[i]);
            break;
        case RELINK:
            relink(file, name, &list[i]);
            break;
        default:
            break;
        }
    }
}

/* Bytes of the file as it stands: what HDF5 itself stumbles over is met by a child process. */
static void change_bytes(const change *list, size_t count) {
    struct stat about;
    int file = open(bad, O_WRONLY);
    insist(file >= 0 && !fstat(file, &about), "opening");
    for (size_t i = 0; i < count; i++)
        if (list[i].what % WHATS == RAW && about.st_size > 8)
            (void)!pwrite(file, &list[i].number, 1 + list[i].rank % 8,
                          (off_t)(list[i].place % (uint64_t)(about.st_size - 8)));
    close(file);
}

/* ---- everything that reads ---- */

static void told(int status) { insist(status == 0 || *torsor_error(), "a refusal without words"); }

static void read_all(torsor_results *r) {
    char *text = NULL;
    torsor_table *table = NULL;
    for (int json = 0; json < 2; json++) {
        told(torsor_results_info(r, json, &text));
        torsor_text_free(text);
    }
    told(torsor_results_csv(r, 0, NULL, "/dev/null"));
    told(torsor_results_catalogue(&table, r));
    torsor_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    change list[8];
    size_t count = size > 1 ? (size - 1) / sizeof *list : 0;
    torsor_results *r;
    torsor_run *run;
    if (!*good) make_good();
    if (count > 8) count = 8;
    if (count) memcpy(list, data + 1, count * sizeof *list);
    copy();
    hid_t file = H5Fopen(bad, H5F_ACC_RDWR, H5P_DEFAULT);
    insist(file >= 0, "opening to change");
    if (size == 0 || data[0] % 4) make_older(file);
    change_objects(file, list, count);
    H5Fclose(file);
    change_bytes(list, count);

    int status = torsor_results_open(&r, bad);
    told(status);
    if (!status) read_all(r), torsor_results_free(r);
    status = torsor_run_restart(&run, bad, -1, 0.004);
    told(status);
    if (!status) torsor_run_free(run);
    told(torsor_report(1, (const char *const[]){bad}, page, 0));
    return 0;
}
