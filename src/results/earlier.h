/* SPDX-License-Identifier: Apache-2.0 */
/* Which HDF5 files are earlier outputs of ours, and may be replaced. See earlier.c. */
#ifndef TS_RESULTS_EARLIER_H
#define TS_RESULTS_EARLIER_H

#include "base/place.h"
#include "reader/document.h"

/* Results of a document; modes of it. NULL: of any. */
ts_output ts_output_results(const ts_document *document);
ts_output ts_output_modes(const ts_document *document);
/* The companion of an XDMF file. */
ts_output ts_output_companion(void);

#endif
