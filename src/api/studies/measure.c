/* SPDX-License-Identifier: Apache-2.0 */
/* One number of a history: "max hinge.angle".
 *
 * Mean and root mean square are over time, by the trapezoidal rule: stored states need not be
 * equally far apart.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/studies/study.h"
#include "base/error.h"

static double first(int64_t n, const double *t, const double *x) {
    (void)n, (void)t;
    return x[0];
}

static double last(int64_t n, const double *t, const double *x) {
    (void)t;
    return x[n - 1];
}

static double least(int64_t n, const double *t, const double *x) {
    (void)t;
    double found = x[0];
    for (int64_t i = 1; i < n; i++) found = x[i] < found || isnan(x[i]) ? x[i] : found;
    return found;
}

static double most(int64_t n, const double *t, const double *x) {
    (void)t;
    double found = x[0];
    for (int64_t i = 1; i < n; i++) found = x[i] > found || isnan(x[i]) ? x[i] : found;
    return found;
}

static double largest(int64_t n, const double *t, const double *x) {
    return fmax(fabs(least(n, t, x)), fabs(most(n, t, x)));
}

static double range(int64_t n, const double *t, const double *x) {
    return most(n, t, x) - least(n, t, x);
}

static double mean(int64_t n, const double *t, const double *x) {
    double sum = 0, length = t[n - 1] - t[0];
    for (int64_t i = 1; i < n; i++) sum += 0.5 * (x[i] + x[i - 1]) * (t[i] - t[i - 1]);
    return length > 0 ? sum / length : x[0];
}

/* Root mean square of the polygon through the states, integrated exactly. */
static double rms(int64_t n, const double *t, const double *x) {
    double sum = 0, length = t[n - 1] - t[0];
    for (int64_t i = 1; i < n; i++)
        sum += (x[i] * x[i] + x[i] * x[i - 1] + x[i - 1] * x[i - 1]) / 3 * (t[i] - t[i - 1]);
    return length > 0 ? sqrt(sum / length) : fabs(x[0]);
}

static const struct take {
    const char *name;
    double (*of)(int64_t n, const double *t, const double *x);
} TAKES[] = {{"first", first},    {"last", last}, {"min", least}, {"max", most},
             {"absmax", largest}, {"mean", mean}, {"rms", rms},   {"range", range}};
enum { TAKE_COUNT = sizeof TAKES / sizeof *TAKES };

static const struct take *read_measure(const char *text, const char **column) {
    size_t length = strcspn(text, " ");
    *column = text + length + strspn(text + length, " ");
    for (int i = 0; i < TAKE_COUNT && **column; i++)
        if (strlen(TAKES[i].name) == length && memcmp(TAKES[i].name, text, length) == 0)
            return &TAKES[i];
    ts_fail(TORSOR_EINVAL,
            "'%.80s' is not a measure: expected first, last, min, max, absmax, mean, rms or range, "
            "and a column",
            text);
    return NULL;
}

int ts_measure_read(const char *text, const char **column) {
    const char *unused;
    return read_measure(text, column ? column : &unused) ? 0 : TORSOR_EINVAL;
}

/* The first column is the time. */
static int take(const torsor_table *table, const struct take *take, const char *column,
                double *out) {
    int64_t rows = torsor_table_rows(table);
    if (torsor_table_columns(table) != 2)
        return ts_fail(TORSOR_EINVAL, "'%.80s' selects %d columns: name one of them, such as %s",
                       column, torsor_table_columns(table) - 1, torsor_table_name(table, 1));
    if (rows < 1) return ts_fail(TORSOR_EINVAL, "the results contain no states");
    *out = take->of(rows, torsor_table_column(table, 0), torsor_table_column(table, 1));
    return 0;
}

int ts_api_results_measure(torsor_results *results, const char *measure, double *out, char **unit) {
    if (!results || !measure || !out) return ts_null_argument("torsor_results_measure");
    const char *column;
    torsor_table *table = NULL;
    const struct take *how = read_measure(measure, &column);
    if (unit) *unit = NULL;
    int status = how ? torsor_results_table(&table, results, 1, &column) : TORSOR_EINVAL;
    if (!status) status = take(table, how, column, out);
    if (!status && unit) *unit = ts_give(ts_strdup(torsor_table_unit(table, 1)));
    torsor_table_free(table);
    return status;
}
