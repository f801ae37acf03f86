/* SPDX-License-Identifier: Apache-2.0 */
/* Results for ParaView as an XDMF file beside them. See export_xdmf.c. */
#ifndef TS_EXPORT_XDMF_H
#define TS_EXPORT_XDMF_H

#include "results/results.h"

/* Writes `path`, FOLDER/STEM.xdmf, with every `every`-th stored state and the last one, and its
 * companion FOLDER/STEM-xdmf.h5. `states` counts them. */
int ts_export_xdmf(ts_results *results, const char *path, int64_t every, int64_t *states);

#endif
