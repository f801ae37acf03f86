/* SPDX-License-Identifier: Apache-2.0 */
/* The BLAS library in use: its name, and the memory that it allocates. */
#ifndef TS_BLAS_H
#define TS_BLAS_H

#include <stdbool.h>
#include <stddef.h>

/* Call this before a library that uses BLAS. Fails like ts_no_memory if BLAS cannot allocate its
 * memory. After the first success, calls cost nothing. */
void ts_blas_ready(void);

/* Lock and unlock BLAS for this thread; calls may be nested. Every call of BLAS, and of libraries
 * that call it, must be between them: see blas.c. ts_blas_enter includes ts_blas_ready. */
void ts_blas_enter(void);
void ts_blas_leave(void);

/* Name of the library: "OpenBLAS 0.3.21, /usr/lib/.../libblas.so.3", "reference BLAS, ..."; cut to
 * size. */
const char *ts_blas_name(char *text, size_t size);
/* Is it the reference BLAS? It works entry by entry, so dense blocks do not speed it up. */
bool ts_blas_is_reference(void);

#endif
