/* SPDX-License-Identifier: Apache-2.0 */
/* The columns that results of a model file will have: read_columns.c. */
#ifndef TS_COLUMNS_H
#define TS_COLUMNS_H

#include "output/catalogue.h"
#include "reader/document.h"

/* All columns, or those of the owners that selectors reach; to be cleared. */
ts_catalogue ts_document_columns(const ts_document *document, int selectors, char *const *selector);

#endif
