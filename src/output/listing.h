/* SPDX-License-Identifier: Apache-2.0 */
/* A list of channels: a line for each, with unit and meaning; or JSON. */
#ifndef TS_LISTING_H
#define TS_LISTING_H

#include <stdio.h>

#include "output/selector.h"

/* Lists the channels that the selectors select; without selectors, all. Returns the first selector
 * that selects nothing, or NULL. */
const char *ts_listing_choose(ts_choice *chosen, const ts_catalogue *list, int selectors,
                              char *const *selector);
/* `all`: without selectors; then the ground and aliases of nodes are abbreviated. */
void ts_listing_print(const ts_choice *chosen, bool all, bool json, FILE *out);

#endif
