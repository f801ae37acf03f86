/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers with units: from a text, and back to one that a model file reads as the same number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "expr/expr.h"
#include "studyfile/studyfile.h"

bool ts_value_read(const char *text, ts_quantity *out, char *why, size_t size) {
    ts_expr *expr;
    ts_expr_error error = {0};
    if (ts_expr_compile(&expr, text, strlen(text), NULL, false, &error)) {
        snprintf(why, size, "%s", error.message);
        return false;
    }
    *out = (ts_quantity){ts_expr_value(expr, 0), ts_expr_dim(expr)};
    ts_expr_free(expr);
    return true;
}

static void put_factor(char text[TS_VALUE_TEXT], const char *unit, int power, bool over) {
    size_t used = strlen(text);
    const char *glue = used == 0 ? "" : over ? "/" : "*";
    int shown = over ? -power : power;
    if (shown == 1)
        snprintf(text + used, TS_VALUE_TEXT - used, "%s%s", glue, unit);
    else
        snprintf(text + used, TS_VALUE_TEXT - used, "%s%s^%d", glue, unit, shown);
}

static void put_units(char text[TS_VALUE_TEXT], int newtons, ts_dim dim) {
    const char *const unit[] = {"N", "kg", "m", "rad", "s"};
    const int power[] = {newtons, dim.mass, dim.length, dim.angle, dim.time};
    enum { UNITS = sizeof power / sizeof *power };
    *text = 0;
    for (int i = 0; i < UNITS; i++)
        if (power[i] > 0) put_factor(text, unit[i], power[i], false);
    bool above = *text != 0;
    for (int i = 0; i < UNITS; i++)
        if (power[i] < 0) put_factor(text, unit[i], power[i], above);
    if (!*text) snprintf(text, TS_VALUE_TEXT, "1");
}

/* A damping is in N*s/m, not in kg/s. */
void ts_value_unit(char text[TS_VALUE_TEXT], ts_dim dim) {
    int newtons = abs(dim.mass) == 1 && dim.mass * dim.time < 0 ? dim.mass : 0;
    ts_dim rest = {.mass = (signed char)(dim.mass - newtons),
                   .length = (signed char)(dim.length - newtons),
                   .time = (signed char)(dim.time + 2 * newtons),
                   .angle = dim.angle};
    put_units(text, newtons, rest);
}

void ts_value_print(char text[TS_VALUE_TEXT], ts_quantity value) {
    char unit[TS_VALUE_TEXT];
    ts_digits(text, value.value);
    if (ts_dim_bare(value.dim)) return;
    put_units(unit, 0, value.dim);
    size_t used = strlen(text);
    snprintf(text + used, TS_VALUE_TEXT - used, " %.40s", unit);
}
