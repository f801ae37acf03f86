/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text, with the fewest digits that read back as the same number: 0.03, not
 * 0.029999999999999999. Tables (CSV), JSON and pages use this one function. */
#ifndef TS_DIGITS_H
#define TS_DIGITS_H

enum { TS_DIGITS = 32 };

/* Writes the value to `text` and returns it. Values that are not finite become "nan", "inf" or
 * "-inf". */
const char *ts_digits(char text[TS_DIGITS], double value);

#endif
