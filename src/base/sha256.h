/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4) of a block of bytes, as 64 hexadecimal digits: the fingerprint of a model
 * file. */
#ifndef TS_SHA256_H
#define TS_SHA256_H

#include <stddef.h>

void ts_sha256_hex(const void *bytes, size_t length, char hex[65]);

#endif
