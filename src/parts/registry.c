/* SPDX-License-Identifier: Apache-2.0 */
/* The registry of kinds: the list itself is TS_ALL_KINDS in parts.h. */
#include "parts/parts.h"

#define ADDRESS(kind) &kind,
const ts_kind *const TS_KINDS[] = {TS_ALL_KINDS(ADDRESS) NULL};
