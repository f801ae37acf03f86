/* OpenBLAS takes a buffer when it is first used, and keeps it. When it cannot have it, it asks
 * again for ever (blas_memory_alloc), so we ask once before it does. Other libraries of BLAS take
 * none: they lack the function by which OpenBLAS is known. The size is that of OpenBLAS 0.3,
 * BUFFER_SIZE of 128 MiB on machines of 64 bits, and a bit.
 */
#include "base/blas.h"

#include <stdatomic.h>

#include "base/memory.h"

char *openblas_get_config(void) __attribute__((weak));

static const size_t BUFFER = (size_t)129 << 20;

void ts_blas_ready(void) {
    static atomic_bool ready;
    if (atomic_load_explicit(&ready, memory_order_relaxed)) return;
    if (openblas_get_config) free(ts_calloc(1, BUFFER));
    atomic_store_explicit(&ready, true, memory_order_relaxed);
}
