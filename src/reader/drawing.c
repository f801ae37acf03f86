/* SPDX-License-Identifier: Apache-2.0 */
/* Outlines of sections and shapes of bodies, noted while a model file is read.
 *
 * A kind has a `look` (ts_look in model/kind.h), and its fields are found by name, so a kind needs
 * no code to be drawn: a section with a `diameter`, or `width` and `height`, and walls, has an
 * outline; a section given by stiffnesses has the outline of the circle or rectangle of the same
 * radii of gyration, i^2 = EI/EA (d = 4 i, a = i sqrt(12)). */
#include "reader/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "parts/parts.h"

enum { ROUND = 24 }; /* corners of a circle */
static const double TURN = 6.283185307179586;

const char *const TS_SHAPE_NAME[TS_SHAPES] = {"box", "cylinder", "sphere", "ellipsoid"};

/* ---- fields by name ---- */

typedef struct entry {
    const ts_kind *kind;
    const ts_value *values;
} entry;

static const ts_value *given(entry e, const char *name) {
    for (int i = 0; e.kind->fields[i].name; i++)
        if (strcmp(e.kind->fields[i].name, name) == 0)
            return e.values[i].given ? &e.values[i] : NULL;
    return NULL;
}

static double number(entry e, const char *name, double otherwise) {
    const ts_value *value = given(e, name);
    return value ? value->number[0] : otherwise;
}

/* ---- outlines ---- */

static void corner(ts_drawn *d, double y2, double y3) {
    int count = d->outer + d->inner;
    ts_grow(d->outline, d->room, 2 * count + 2);
    d->outline[2 * count] = y2, d->outline[2 * count + 1] = y3;
}

static void add_corners(ts_drawn *d, int count, const double *corners, bool hole) {
    for (int i = 0; i < count; i++) {
        corner(d, corners[2 * i], corners[2 * i + 1]);
        if (hole)
            d->inner++;
        else
            d->outer++;
    }
}

static void add_ellipse(ts_drawn *d, double a, double b, bool hole) {
    double corners[2 * ROUND];
    for (int i = 0; i < ROUND; i++) {
        corners[2 * i] = 0.5 * a * cos(TURN * i / ROUND);
        corners[2 * i + 1] = 0.5 * b * sin(TURN * i / ROUND);
    }
    add_corners(d, ROUND, corners, hole);
}

static void add_rectangle(ts_drawn *d, double width, double height, bool hole) {
    double w = 0.5 * width, h = 0.5 * height;
    add_corners(d, 4, (const double[]){w, -h, w, h, -w, h, -w, -h}, hole);
}

static void add_i(ts_drawn *d, double width, double height, double flange, double web) {
    double w = 0.5 * width, h = 0.5 * height, t = h - flange, s = 0.5 * web;
    add_corners(d, 12, (const double[]){w,  -h, w,  -t, s,  -t, s,  t,  w,  t,  w,  h,
                                        -w, h,  -w, t,  -s, t,  -s, -t, -w, -t, -w, -h},
                false);
}

/* Turned by the angle about axis 1, then moved. */
static void place_outline(ts_drawn *d, double angle, double y2, double y3) {
    double c = cos(angle), s = sin(angle);
    for (int i = 0; i < d->outer + d->inner; i++) {
        double *p = d->outline + 2 * i, a = p[0], b = p[1];
        p[0] = y2 + c * a - s * b, p[1] = y3 + s * a + c * b;
    }
}

static void note_round(ts_drawn *d, entry e, double outer) {
    double inner = number(e, "inner_diameter", 0), wall = number(e, "thickness", 0);
    if (wall > 0) inner = outer - 2 * wall;
    add_ellipse(d, outer, outer, false);
    if (inner > 0) add_ellipse(d, inner, inner, true);
}

static void note_walls(ts_drawn *d, entry e) {
    double width = number(e, "width", 0), height = number(e, "height", 0);
    double wall = number(e, "thickness", 0);
    double flange = number(e, "flange_thickness", wall), web = number(e, "web_thickness", wall);
    if (e.kind->look == TS_LOOK_I_SECTION) {
        add_i(d, width, height, flange, web);
        return;
    }
    add_rectangle(d, width, height, false);
    if (flange > 0 && web > 0) add_rectangle(d, width - 2 * web, height - 2 * flange, true);
}

static void note_stiffness(ts_drawn *d, const double *numbers) {
    ts_section_summary s;
    ts_section_summarize(numbers, &s);
    double mean = 0.5 * (s.EI2 + s.EI3), half = 0.5 * (s.EI2 - s.EI3);
    double spread = hypot(half, s.EI23), strong = mean + spread, weak = mean - spread;
    if (!(s.EA > 0) || !(strong > 0)) return;
    double a = sqrt(fmax(weak, 0) / s.EA), b = sqrt(strong / s.EA);
    if (b < 1.05 * a) {
        add_ellipse(d, 4 * a, 4 * b, false);
        place_outline(d, 0, s.tension[0], s.tension[1]);
    } else {
        add_rectangle(d, sqrt(12) * fmax(a, 0.02 * b), sqrt(12) * b, false);
        place_outline(d, spread > 0 ? 0.5 * atan2(s.EI23, half) : 0, s.tension[0], s.tension[1]);
    }
}

static void note_section(ts_drawn *d, entry e, const double *numbers) {
    double round = number(e, "outer_diameter", number(e, "diameter", 2 * number(e, "radius", 0)));
    const ts_value *centroid = given(e, "centroid");
    bool moved = centroid && centroid->count == 2;
    if (round > 0)
        note_round(d, e, round);
    else if (number(e, "width", 0) > 0 && number(e, "height", 0) > 0)
        note_walls(d, e);
    else
        note_stiffness(d, numbers);
    if (round > 0 || given(e, "width"))
        place_outline(d, number(e, "angle", 0), moved ? centroid->list[0] : 0,
                      moved ? centroid->list[1] : 0);
}

/* ---- bodies, beams, shells ---- */

static void note_shape(ts_drawn *d, entry e) {
    const ts_value *shape = given(e, "shape"), *size = given(e, "size");
    const ts_value *at = given(e, "shape_at"), *axis = given(e, "shape_axis");
    if (!shape || !size || size->count < 1) return;
    d->shaped = true;
    d->shape = (ts_body_shape)shape->number[0];
    for (int i = 0; i < 3; i++) d->size[i] = size->list[i < size->count ? i : size->count - 1];
    if (d->shape == TS_SHAPE_CYLINDER && size->count == 2)
        d->size[1] = size->list[0], d->size[2] = size->list[1];
    d->placed = at != NULL;
    if (at) d->at = v3_load(at->number);
    d->axis = axis ? v3_load(axis->number) : v3_axis(2);
}

static void note_line(ts_drawn *d, entry e) {
    const ts_value *section = given(e, "section"), *end = given(e, "section_end");
    if (section) d->section = d->section_end = section->part[0];
    if (end) d->section_end = end->part[0];
}

/* ---- the list ---- */

static ts_drawn *grow(ts_drawing **drawing, int part) {
    if (!*drawing) *drawing = ts_calloc(1, sizeof **drawing);
    ts_drawing *list = *drawing;
    if (part >= list->count) {
        ts_grow(list->parts, list->room, part + 1);
        for (int i = list->count; i <= part; i++)
            list->parts[i] = (ts_drawn){.section = -1, .section_end = -1};
        list->count = part + 1;
    }
    return &list->parts[part];
}

void ts_drawing_note(ts_drawing **drawing, const ts_model *model, int part, const ts_kind *kind,
                     const ts_value *values) {
    ts_drawn *d = grow(drawing, part);
    entry e = {kind, values};
    bool is_section = kind->look == TS_LOOK_SECTION || kind->look == TS_LOOK_I_SECTION;
    if (is_section) note_section(d, e, model->numbers + model->parts[part].data);
    if (kind->look == TS_LOOK_BODY) note_shape(d, e);
    if (!is_section) note_line(d, e), d->thickness = number(e, "thickness", 0);
}

const ts_drawn *ts_drawing_of(const ts_drawing *drawing, int part) {
    return drawing && part >= 0 && part < drawing->count ? &drawing->parts[part] : NULL;
}

void ts_drawing_free(ts_drawing *drawing) {
    if (!drawing) return;
    for (int i = 0; i < drawing->count; i++) free(drawing->parts[i].outline);
    free(drawing->parts);
    free(drawing);
}
