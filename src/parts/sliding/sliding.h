/* SPDX-License-Identifier: Apache-2.0 */
/* Components of sliding joints: a path, and rows along it. Private to src/parts/sliding. */
#ifndef TS_SLIDING_H
#define TS_SLIDING_H

#include "parts/parts.h"

/* A number determined by rows alone: the x of a point without mass. The second function keeps its y
 * and z at zero, once the rows of the newest part are made; the third also adds a coordinate of the
 * part. */
int ts_path_node(ts_model *model, double value);
void ts_path_hold(ts_model *model, int node);
void ts_path_coordinate(ts_model *model, int node, const char *name);

/* The sliding part, and its attachment. */
typedef struct ts_slider {
    int node, body; /* of s; of the body that slides */
    v3 point;       /* body coordinates: what stays on the path */
    m3 frame;       /* body coordinates: the axes of the path where it is, as drawn */
    bool turns, follows;
    int on; /* the part with the path */
} ts_slider;

/* The point of a path nearest to a place, as drawn. */
typedef struct ts_foot {
    double s;
    v3 place, slope, velocity; /* slope: by s */
    m3 axes;                   /* z along the path */
} ts_foot;

/* Beams and cables (line.c). Adds the rows of a slider and its windows; 0, or an error after
 * ts_build_fail. */
bool ts_is_line(const ts_model *model, int part);
void ts_line_foot(const ts_model *model, int part, v3 at, ts_foot *foot);
void ts_line_rows(ts_model *model, const ts_slider *slider, double s);

/* A curve of a rigid body through points (curve.c). */
typedef struct ts_curve {
    int body, points; /* of a closed curve the first point is also the last */
    bool closed;
    double *s;    /* at each point */
    v3 *x, *m;    /* body coordinates: points, second derivatives by s */
    m3 *axes;     /* z along the curve */
    double twist; /* by s, of a closed curve: how fast axes turn about it */
} ts_curve;

int ts_curve_new(ts_builder *b, ts_curve *c, int field, const ts_value *points);
void ts_curve_clear(ts_curve *c);
void ts_curve_foot(const ts_model *model, const ts_curve *c, v3 at, ts_foot *foot);
void ts_curve_rows(ts_model *model, const ts_curve *c, const ts_slider *slider);
void ts_curve_strands(ts_model *model, const ts_curve *c); /* for pictures, of the newest part */

/* Rows of the newest site: what holds along axis k of the path; and about the axis that is neither
 * of path and body. */
void ts_path_row(ts_model *model, ts_pull pull, int axis);
/* The three rows of a body that turns with its path: axis `of` of the path, `with` of the body. */
typedef struct ts_square {
    int of, with;
} ts_square;
extern const ts_square TS_FOLLOWS[3];

/* A rope over wheels, or one that rubs (reeving.c): of each place its body, where it is as drawn
 * (global, and in body coordinates), radius, sense of the rope about the axis (1, -1; 0: as it is
 * drawn), whole turns more than drawn, coefficient of friction, mu r of the bearing of its wheel;
 * and the angle that the rope lies on it. */
typedef struct ts_reeving {
    int points, body[TS_MAX_FORMS];
    v3 at[TS_MAX_FORMS], place[TS_MAX_FORMS], axis;
    double radius[TS_MAX_FORMS], sense[TS_MAX_FORMS], turns[TS_MAX_FORMS];
    double friction[TS_MAX_FORMS], bearing[TS_MAX_FORMS], wrap[TS_MAX_FORMS];
    double length, EA;     /* EA 0: the rope does not stretch */
    double stick, viscous; /* of its friction: stiffness of bristles, force per velocity */
} ts_reeving;

/* Returns a place whose wheel is too close to that of the next one; -1: none. Then: sets the senses
 * that were not given. Sets the angles; returns a place whose wheel the rope does not touch, or -1.
 * Returns the length as drawn. */
int ts_reeving_close(const ts_reeving *r);
void ts_reeving_sense(ts_reeving *r);
int ts_reeving_wrap(ts_reeving *r);
double ts_reeving_way(const ts_reeving *r);
/* Strands, laws and friction of the newest part; its length is the x of `whole`. */
void ts_reeve(ts_model *model, const ts_reeving *r, int whole);

#endif
