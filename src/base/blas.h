/* SPDX-License-Identifier: Apache-2.0 */
/* The library of BLAS below us: which it is, and the memory that it takes for itself. */
#ifndef TS_BLAS_H
#define TS_BLAS_H

#include <stdbool.h>
#include <stddef.h>

/* To be called before a library that uses BLAS: out of memory, as by ts_no_memory, when BLAS could
 * not have its own. Once that was there, calls cost nothing. */
void ts_blas_ready(void);

/* "OpenBLAS 0.3.21, /usr/lib/.../libblas.so.3", "reference BLAS, ..."; cut to size. */
const char *ts_blas_name(char *text, size_t size);
/* The reference BLAS: it works entry by entry, so that dense blocks bring nothing. */
bool ts_blas_is_reference(void);

#endif
