/* SPDX-License-Identifier: Apache-2.0 */
/* Study files: which cases of a model are run, and what is measured of each.
 *
 *   study: 1
 *   model: pendulum.yaml
 *   parameters:
 *     L: [0.5 m, 1 m, 2 m]                        a grid
 *     M: {from: 1 kg, to: 3 kg, count: 5}         a grid; scale: log
 *     c: {lognormal: [0.2 N*m*s/rad, 0.3]}        sampled
 *   samples: 20
 *   measures: {peak: max hinge.force.x, end: last hinge.angle}
 *
 * Every point of the grid, and every row of the table, is run with every sample.
 *
 *   read.c     the file, with its mistakes
 *   value.c    numbers with units, from a text and back
 *   spread.c   distributions, random and Latin hypercube samples
 *   rows.c     cases from a table of comma-separated values
 *   cases.c    the product of all of them
 */
#ifndef TS_STUDYFILE_H
#define TS_STUDYFILE_H

#include "base/units.h"
#include "reader/reader.h"

enum { TS_MOST_CASES = 1000000, TS_VALUE_TEXT = 80 };

/* ---- value.c ---- */

/* A constant expression of the text. */
bool ts_value_read(const char *text, ts_quantity *out, char *why, size_t size);
/* Shortest text that reads back as this number, with the unit of the dimension in SI. */
void ts_value_print(char text[TS_VALUE_TEXT], ts_quantity value);
/* "N*s/m", "kg*m^2"; "1" of a plain number. */
void ts_value_unit(char text[TS_VALUE_TEXT], ts_dim dim);

/* ---- spread.c ---- */

typedef struct ts_distribution {
    const char *name;
    double (*at)(double u, const double a[2]); /* the quantile u, 0 < u < 1 */
    bool positive;                             /* both numbers must be */
    bool ordered;                              /* the first lies below the second */
    bool plain_second;                         /* the second is a plain number */
    const char *expects;
} ts_distribution;

extern const ts_distribution TS_DISTRIBUTIONS[]; /* ends with name == NULL */
double ts_normal_quantile(double p);
/* n numbers between 0 and 1 for one parameter; they depend on nothing but the arguments. A Latin
 * hypercube has one in each of n equal intervals. */
void ts_sample(double *u, int64_t n, uint64_t seed, const char *parameter, bool latin);

/* ---- one parameter ---- */

typedef struct ts_axis {
    char *name;
    size_t place;          /* in the study file, for messages */
    char **value;          /* as a model file has them */
    int64_t count, stride; /* of values; every so many cases the next one is taken */
    const ts_distribution *spread;
    double a[2];
    ts_dim dim;
} ts_axis;

typedef struct ts_setting {
    char *name, *text;
    size_t place;
} ts_setting;

typedef struct ts_settings {
    ts_setting *item;
    int count, room;
} ts_settings;

typedef struct ts_studyfile {
    char *path;           /* of the study file, or of what it stands for; NULL: none */
    ts_settings settings; /* title, model, output, keep */
    ts_settings measures, options, histories;
    ts_axis *axis;
    int axes, room;
    int64_t samples;
    uint64_t seed;
    bool latin;
    int64_t cases;
} ts_studyfile;

/* All mistakes are reported. What is not there is empty. */
bool ts_studyfile_read(ts_studyfile *out, const ts_source *source, const char *path);
void ts_studyfile_clear(ts_studyfile *study);
ts_setting *ts_settings_add(ts_settings *list, const char *name, const char *text, size_t place);
const char *ts_settings_get(const ts_settings *list, const char *name); /* NULL: it is not there */

/* ---- rows.c ---- */

/* One axis for each column, which all go on together. */
bool ts_rows_read(ts_studyfile *study, const ts_source *from, const ts_yaml *node);
ts_axis *ts_axis_add(ts_studyfile *study, const ts_source *source, const char *name, size_t place);

/* ---- cases.c ---- */

/* Samples, strides and the number of cases. */
bool ts_cases_lay_out(ts_studyfile *study, const ts_source *source);
const char *ts_case_value(const ts_studyfile *study, int64_t which, int axis);

#endif
