/* SPDX-License-Identifier: Apache-2.0 */
/* Dimensions and units of the model file.
 *
 * A quantity is a value in SI (m, kg, s; angles in rad) with the exponents of its dimension. The
 * angle is counted as a fourth dimension so that `5 deg` is not mistaken for the number 5 and `rpm`
 * not for `Hz`; a product such as radius times angular velocity is still a velocity, which is why
 * `ts_dim_fits` is lenient about it.
 *
 *   ts_dim_equal  ts_dim_bare  ts_dim_fits  ts_dim_name      dimensions
 *   ts_unit_find  ts_unit_suggest  ts_unit_scale             units
 *   ts_word_closer                                           "did you mean ...?"
 */
#ifndef TS_UNITS_H
#define TS_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* Exponents. */
typedef struct ts_dim {
    signed char length, mass, time, angle;
} ts_dim;

/* The value is in SI. */
typedef struct ts_quantity {
    double value;
    ts_dim dim;
} ts_quantity;

bool ts_dim_equal(ts_dim a, ts_dim b);

/* A plain number: all exponents are zero, that of the angle included. */
bool ts_dim_bare(ts_dim d);

/* May a value of this dimension be used where `wanted` is expected? Length, mass and time must
 * agree. The angle is ignored, unless the other three are zero: an angle is not a count. The caller
 * handles numbers without unit before. */
bool ts_dim_fits(ts_dim value, ts_dim wanted);

/* Name of a dimension: "force (kg m/s^2)", "length (m)", "plain number", "kg^2 m"; written to
 * `buffer` (64 is enough), which is returned. */
const char *ts_dim_name(ts_dim d, char *buffer, size_t size);

/* Returns the unit of that name ("GPa", "mm", "deg"), or NULL. Case matters. */
const ts_quantity *ts_unit_find(const char *name, size_t len);

/* Returns the known unit (or product of units: "N*m" for "Nm") that was probably meant, or NULL. */
const char *ts_unit_suggest(const char *name, size_t len);

/* value * factor^power, but exact for decimal parts: 35 mm is the double 0.035. */
double ts_unit_scale(double value, double factor, int power);

/* Search of the nearest word: returns true, and lowers `*best`, if `candidate` is near enough to
 * `word` to be suggested and nearer than the best so far. Begin with *best = INT_MAX. */
bool ts_word_closer(const char *word, size_t len, const char *candidate, int *best);

#endif
