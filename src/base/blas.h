/* The memory that BLAS takes for itself. */
#ifndef TS_BLAS_H
#define TS_BLAS_H

/* To be called before a library that uses BLAS: out of memory, as by ts_no_memory, when BLAS could
 * not have its own. Once that was there, calls cost nothing. */
void ts_blas_ready(void);

#endif
