/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a sub-assembly in their place: x -> R x + s for places, R a for directions and vectors,
 * R D for rotations, and the linear combinations R f of three functions of time.
 *
 * Fields in the axes of a body or of a mesh do not change (TS_LOCAL). A field that is not given has
 * its default in the drawing of the sub-assembly, and is placed with it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/reader.h"

void ts_place_point(const ts_reader *r, double *x) {
    if (r->placed) v3_store(x, v3_add(m3_apply(r->turn, v3_load(x)), r->shift));
}

static void turn_vector(const ts_reader *r, double *a) {
    v3_store(a, m3_apply(r->turn, v3_load(a)));
}

/* ---- defaults ---- */

static bool one_of(const char *word, const char *a, const char *b) {
    return word && (strcmp(word, a) == 0 || strcmp(word, b) == 0);
}

/* The default of a field, where it says something about the drawing; false: it does not. */
static bool take_default(const ts_field *f, ts_value *value) {
    if (f->type == TS_PLACE) return one_of(f->fallback, "[0, 0, 0]", "the origin");
    if (f->type == TS_ROTATION && one_of(f->fallback, "the global axes", "none")) {
        m3_store(value->number, m3_identity());
        return true;
    }
    if (f->type != TS_AXIS || !one_of(f->fallback, "x", "z")) return false;
    v3_store(value->number, v3_axis(*f->fallback - 'x'));
    return true;
}

/* ---- functions of time ---- */

/* Component k of R f by the texts of f, as an expression. */
static bool combine(ts_reader *r, const ts_yaml *list, const ts_field *f, int k, ts_signal *out) {
    size_t room = 1;
    for (int j = 0; j < 3; j++) {
        if (list->item[j]->type != TS_YAML_SCALAR)
            return ts_report(
                r->source, list->item[j]->start,
                "give it a name in the section 'signals', and that name here",
                "this sub-assembly is rotated: a function within a vector needs a name");
        room += list->item[j]->length + 40;
    }
    char *text = ts_calloc(room, 1);
    size_t used = 0;
    for (int j = 0; j < 3; j++) {
        double factor = v3_get(r->turn.c[j], k);
        if (factor == 0) continue;
        used += (size_t)snprintf(text + used, room - used, "%s%.17g*(%s)", used ? " + " : "",
                                 factor, list->item[j]->text);
    }
    ts_yaml sum = *list->item[k];
    sum.text = text, sum.length = used, sum.verbatim = false, sum.start = list->start;
    bool fine = ts_read_signal(r, &sum, f, out);
    free(text);
    return fine;
}

/* The only column that has a part in row k; -1: there are several. */
static int only_column(const ts_reader *r, int k) {
    int found = -1;
    for (int j = 0; j < 3; j++)
        if (v3_get(r->turn.c[j], k) != 0) found = found == -1 ? j : -2;
    return found < 0 ? -1 : found;
}

static bool all_constant(const ts_signal *s, double *value) {
    double rate;
    for (int j = 0; j < 3; j++) {
        if (s[j].kind != TS_SIGNAL_CONSTANT) return false;
        ts_signal_eval(&s[j], (ts_when){0}, &value[j], &rate);
    }
    return true;
}

static bool turn_signals(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_value *value) {
    ts_signal turned[3] = {{0}};
    double x[3];
    bool constant = all_constant(value->signal, x), moved[3] = {0}, fine = true;
    if (constant) turn_vector(r, x);
    for (int k = 0; k < 3 && fine; k++) {
        int j = only_column(r, k);
        if (constant) {
            turned[k] = ts_signal_constant(x[k]);
        } else if (j >= 0) {
            turned[k] = value->signal[j], moved[j] = true;
            turned[k].scale *= v3_get(r->turn.c[j], k);
        } else {
            fine = combine(r, node, f, k, &turned[k]);
        }
    }
    for (int j = 0; j < 3; j++) {
        if (!moved[j]) ts_signal_clear(&value->signal[j]);
        value->signal[j] = turned[j];
    }
    return fine;
}

/* ---- all of them ---- */

static bool is_local(const ts_field *fields, const ts_field *f, const ts_value *values) {
    if (!f->choices || f->choices == TS_LOCAL) return f->choices != NULL;
    for (int i = 0; fields[i].name; i++)
        if (strcmp(fields[i].name, f->choices[0]) == 0)
            return values[i].given && values[i].number[0] != 0;
    return false;
}

static bool place_value(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_value *value) {
    switch (f->type) {
    case TS_PLACE:
        ts_place_point(r, value->number);
        break;
    case TS_PLACES:
        for (int i = 0; i + 2 < value->count; i += 3) ts_place_point(r, value->list + i);
        break;
    case TS_VECTOR:
    case TS_AXIS:
        turn_vector(r, value->number);
        break;
    case TS_ROTATION:
        m3_store(value->number, m3_mul(r->turn, m3_load(value->number)));
        break;
    case TS_SIGNAL3:
    case TS_STATE_SIGNAL3:
    case TS_LOAD_SIGNAL3:
        return turn_signals(r, node, f, value);
    default:
        break;
    }
    return true;
}

bool ts_place_values(ts_reader *r, const ts_yaml *map, const ts_field *fields, ts_value *values) {
    bool fine = true;
    for (int i = 0; r->placed && fields[i].name; i++) {
        if (is_local(fields, &fields[i], values)) continue;
        if (!values[i].given) values[i].given = take_default(&fields[i], &values[i]);
        if (values[i].given)
            fine &= place_value(r, ts_yaml_get(map, fields[i].name), &fields[i], &values[i]);
    }
    return fine;
}
