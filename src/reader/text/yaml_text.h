/* SPDX-License-Identifier: Apache-2.0 */
/* The text of plain and quoted YAML scalars. */
#ifndef TS_YAML_TEXT_H
#define TS_YAML_TEXT_H

#include <stddef.h>

/* `raw` is what stands between the quotes (quote is ' or "), or the plain scalar itself (quote is
 * 0). The result is written to `out`, which has room for 2 * length + 1 bytes and gets a 0 at its
 * end; returns its length, or (size_t)-1 for an escape that YAML does not know. */
size_t ts_yaml_unquote(const char *raw, size_t length, char quote, char *out);

#endif
