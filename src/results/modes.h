/* SPDX-License-Identifier: Apache-2.0 */
/* Modes in a results file: see docs/modes.md. */
#ifndef TS_RESULTS_MODES_H
#define TS_RESULTS_MODES_H

#include "modes/modal.h"
#include "reader/document.h"

/* Writes a separate file under another name, which is then moved to `path`. */
int ts_results_modes(const char *path, const ts_document *document, const ts_system *system,
                     const ts_modes *modes, bool buckling);

#endif
