/* SPDX-License-Identifier: Apache-2.0 */
/* The processes that work on one model together: see ranks.h. */
#include "base/ranks.h"

#include <stddef.h>

static void tell_nobody(const int *words) { (void)words; }

static const ts_ranks ALONE = {.count = 1, .transport = NULL, .tell = tell_nobody};

static const ts_ranks *here = &ALONE;

const ts_ranks *ts_ranks_here(void) { return here; }

void ts_ranks_join(const ts_ranks *ranks) { here = ranks; }
