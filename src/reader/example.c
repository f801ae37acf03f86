/* SPDX-License-Identifier: Apache-2.0 */
/* Example values for hints, such as `to: [1, 0, 0]`.
 *
 * An example is chosen by type and dimension, with its unit, so that it is valid whatever the units
 * of the model are. Fields that name bodies, joints or parts show a name of this model, if there is
 * one. tests/test_reader.c reads the examples of all required fields.
 */
#include <stdio.h>
#include <string.h>

#include "reader/reader.h"

static const struct {
    ts_dim dim;
    const char *text;
} AMOUNTS[] = {
    {{0, 0, 0, 0}, "0.5"},       {{1, 0, 0, 0}, "0.1 m"},        {{0, 1, 0, 0}, "2 kg"},
    {{0, 0, 1, 0}, "0.5 s"},     {{0, 0, 0, 1}, "30 deg"},       {{2, 0, 0, 0}, "1e-4 m^2"},
    {{-1, 1, 0, 0}, "0.5 kg/m"}, {{-3, 1, 0, 0}, "7850 kg/m^3"}, {{1, 0, -1, 0}, "2 m/s"},
    {{0, 0, -1, 1}, "60 rpm"},   {{1, 1, -2, 0}, "10 N"},        {{2, 1, -2, 0}, "5 N*m"},
    {{0, 1, -2, 0}, "1e4 N/m"},  {{-1, 1, -2, 0}, "1 MPa"},      {{3, 1, -2, 0}, "100 N*m^2"},
    {{0, 1, -1, 0}, "20 N*s/m"},
};

/* Other dimensions have no example of their own: a number without unit fits all. */
static const char *amount(ts_dim dim) {
    for (size_t i = 0; i < sizeof AMOUNTS / sizeof *AMOUNTS; i++)
        if (ts_dim_equal(AMOUNTS[i].dim, dim)) return AMOUNTS[i].text;
    return "1";
}

/* The first entry of a section, but not `except`. */
static const char *name_in(const ts_reader *r, const char *section, const char *except,
                           const char *otherwise) {
    for (int i = 1; i < r->parts; i++) /* 0 is ground */
        if (r->part[i].section && strcmp(r->part[i].section, section) == 0 &&
            (!except || strcmp(r->part[i].name, except) != 0))
            return r->part[i].name;
    return otherwise;
}

/* By type, the same in all models. */
static const char *const FIXED[TS_SETTINGS + 1] = {[TS_INTEGER] = "4",
                                                   [TS_BOOLEAN] = "true",
                                                   [TS_AXIS] = "z",
                                                   [TS_ROTATION] = "{axis: z, angle: 30 deg}",
                                                   [TS_INERTIA] =
                                                       "[1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 kg*m^2]",
                                                   [TS_MATRIX6] = "[1, 1, 1, 1, 1, 1]",
                                                   [TS_PLACES] = "[[0, 0, 0], [1, 0, 0]]",
                                                   [TS_MESH_FILE] = "part.msh",
                                                   [TS_SURFACE_FILE] = "part.stl",
                                                   [TS_HEIGHTS_FILE] = "heights.csv",
                                                   [TS_CONDITION] = "time > 1 s"};

const char *ts_example_of(const ts_reader *r, const ts_field *f, char *buffer, size_t size) {
    const char *body = name_in(r, "bodies", NULL, "arm"), *one = amount(f->dim), *name = body;
    *buffer = 0;
    switch (f->type) {
    case TS_NUMBER:
    case TS_SIGNAL:
    case TS_STATE_SIGNAL:
    case TS_STATE_NUMBER:
        return snprintf(buffer, size, "%s", one), buffer;
    case TS_VECTOR:
    case TS_SIGNAL3:
    case TS_STATE_SIGNAL3:
        return snprintf(buffer, size, "[0, 0, %s]", one), buffer;
    case TS_PLACE:
        return snprintf(buffer, size, "[%d, 0, 0]", strcmp(f->name, "to") == 0), buffer;
    case TS_BODY_PAIR:
        return snprintf(buffer, size, "[ground, %s]", body), buffer;
    case TS_BODIES:
        name = name_in(r, "bodies", body, "wheel");
        return snprintf(buffer, size, "[%s, %s]", body, name), buffer;
    case TS_BODY:
        break;
    case TS_CHOICE:
        name = f->choices[0];
        break;
    case TS_JOINT:
        name = name_in(r, "joints", NULL, "hinge");
        break;
    case TS_PART:
        name = name_in(r, f->choices[0], NULL, "");
        break;
    default:
        name = f->type <= TS_SETTINGS && FIXED[f->type] ? FIXED[f->type] : "";
    }
    return snprintf(buffer, size, "%s", name), buffer;
}
