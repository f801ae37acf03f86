/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all kinds of shapes: their first fields, places on their body, mass from a density. */
#ifndef TS_PARTS_SHAPE_H
#define TS_PARTS_SHAPE_H

#include "contact/hull.h"
#include "parts/parts.h"

enum { TS_SHAPE_ON, TS_SHAPE_DENSITY, TS_SHAPE_FIRST };

#define TS_SHAPE_ON_FIELD                                      \
    {                                                          \
        .name = "on", .type = TS_BODY, .required = true,       \
        .help = "The body, or ground, that carries the shape." \
    }
#define TS_SHAPE_SOLID_FIELDS                                                                 \
    TS_SHAPE_ON_FIELD, {                                                                      \
        .name = "density", .type = TS_NUMBER, .dim = TS_DIM_DENSITY,                          \
        .help = "Adds the mass of the shape, without its rounding, to the mass of its body.", \
        .fallback = "none"                                                                    \
    }

#define TS_SHAPE_AT_FIELD                                                                 \
    {                                                                                     \
        .name = "at", .type = TS_PLACE, .dim = TS_DIM_LENGTH,                             \
        .help = "Its centre as drawn (global).", .fallback = "the body's reference point" \
    }

/* Begins the shape of a new part; its points follow. */
void ts_begin_shape(ts_builder *b, const ts_kind *kind, const ts_value *value, ts_shape shape);
/* Converts a vector, and below a place, as drawn to the axes of the body. */
v3 ts_shape_body_axes(const ts_builder *b, const ts_value *value, v3 drawn);
v3 ts_shape_body_place(const ts_builder *b, const ts_value *value, v3 drawn);
void ts_shape_add(ts_builder *b, const ts_value *value, v3 drawn);
/* Adds a corner, or the centre of a circle, for contact with planes, without rounding; call after
 * everything else. */
void ts_shape_add_sharp(ts_builder *b, const ts_value *value, v3 drawn);
/* An edge between two of its corners, after all corners. */
void ts_shape_add_edge(ts_builder *b, int from, int to);
v3 ts_shape_place(const ts_builder *b, const ts_value *value, int field);

/* Checks of values. */
int ts_shape_check_length(ts_builder *b, const ts_value *value, int field, const char *what);
int ts_shape_check_turns(ts_builder *b, const ts_value *value);
int ts_shape_check_density(ts_builder *b, const ts_value *value);

/* Adds the mass of a volume as drawn to its body, if a density is given. */
void ts_shape_add_mass(ts_builder *b, const ts_value *value, const ts_hull_moments *volume);
/* Second moments s_k along axes; of a body of revolution, along and across its axis. */
m3 ts_shape_second(m3 axes, v3 s);

#endif
