/* SPDX-License-Identifier: Apache-2.0 */
/* Results for ParaView and other programs that read VTK's files. See export.c. */
#ifndef TS_EXPORT_H
#define TS_EXPORT_H

#include "results/results.h"

/* Writes FOLDER/NAME.pvd and a file FOLDER/NAME_0000.vtu for every `every`-th stored state and the
 * last one; the folder is made if it is not there. `files` counts them. */
int ts_export_vtu(ts_results *results, const char *folder, const char *name, int64_t every,
                  int64_t *files);

#endif
