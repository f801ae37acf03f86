/* SPDX-License-Identifier: Apache-2.0 */
/* Name of the BLAS library, by the file from which the dynamic linker loaded dgemm. Debian keeps
 * each one in a folder of its own (openblas-serial, blis-openmp, atlas, blas), behind the link
 * libblas.so.3; others have their name in that of the file. A libblas with none of these names is
 * the reference BLAS.
 *
 * OpenBLAS allocates a buffer at its first use and keeps it. If there is no memory, OpenBLAS
 * repeats the request without end (blas_memory_alloc). So torsor first tests whether there is
 * enough memory, and then lets OpenBLAS allocate the buffer at once: later the memory may be in
 * use. Other BLAS libraries need no buffer; they lack the function that identifies OpenBLAS. The
 * tested size is a little more than BUFFER_SIZE of OpenBLAS 0.3, 128 MiB on machines of 64 bits.
 *
 * OpenBLAS without threads, as Debian builds libopenblas0-serial, does not lock its list of buffers
 * (USE_LOCKING): two simultaneous calls may get the same buffer and return wrong numbers. About one
 * in a hundred parallel runs had this fault. So torsor calls BLAS from one thread at a time. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "base/blas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

char *openblas_get_config(void) __attribute__((weak));
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc);

static const size_t BUFFER = (size_t)129 << 20;

/* A product of 1 x 1: c = a a. */
static void take_buffer(void) {
    const int one = 1;
    const double a = 1, zero = 0;
    double c = 0;
    dsyrk_("L", "N", &one, &one, &a, &a, &one, &zero, &c, &one);
}

static pthread_mutex_t one_at_a_time = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void ts_blas_ready(void) {
    static atomic_bool ready;
    if (atomic_load_explicit(&ready, memory_order_relaxed)) return;
    if (openblas_get_config) {
        free(ts_calloc(1, BUFFER));
        pthread_mutex_lock(&one_at_a_time);
        take_buffer();
        pthread_mutex_unlock(&one_at_a_time);
    }
    atomic_store_explicit(&ready, true, memory_order_relaxed);
}

void ts_blas_enter(void) {
    ts_blas_ready();
    pthread_mutex_lock(&one_at_a_time);
}

void ts_blas_leave(void) { pthread_mutex_unlock(&one_at_a_time); }

static const struct {
    const char *in_path, *name;
} LIBRARIES[] = {{"openblas", "OpenBLAS"}, {"blis", "BLIS"}, {"mkl", "MKL"}, {"atlas", "ATLAS"}};
enum { LIBRARY_COUNT = sizeof LIBRARIES / sizeof *LIBRARIES };

/* The file with dgemm in it, links followed; "" if unknown. */
static void find_file(char path[4096]) {
    Dl_info info;
    void *dgemm = dlsym(RTLD_DEFAULT, "dgemm_");
    *path = 0;
    if (!dgemm || !dladdr(dgemm, &info) || !info.dli_fname) return;
    char *real = realpath(info.dli_fname, NULL);
    snprintf(path, 4096, "%s", real ? real : info.dli_fname);
    free(real);
}

/* The name of the library in a file; NULL: it is not known. */
static const char *library_of(const char *path) {
    for (int i = 0; i < LIBRARY_COUNT; i++)
        if (strstr(path, LIBRARIES[i].in_path)) return LIBRARIES[i].name;
    return strstr(path, "/libblas.so") ? "reference BLAS" : NULL;
}

/* "OpenBLAS 0.3.21 NO_LAPACKE ...": its second word. */
static void openblas_version(char *text, size_t size) {
    const char *config = openblas_get_config ? openblas_get_config() : "";
    const char *word = strchr(config, ' ');
    *text = 0;
    if (word) snprintf(text, size, " %.*s", (int)strcspn(word + 1, " "), word + 1);
}

const char *ts_blas_name(char *text, size_t size) {
    char path[4096], version[40] = "";
    find_file(path);
    const char *name = library_of(path);
    if (name == LIBRARIES[0].name) openblas_version(version, sizeof version);
    snprintf(text, size, "%s%s%s%s", name ? name : "not known", version, *path ? ", " : "", path);
    return text;
}

bool ts_blas_is_reference(void) {
    char path[4096];
    find_file(path);
    const char *name = library_of(path);
    return name && strcmp(name, "reference BLAS") == 0;
}
