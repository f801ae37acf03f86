/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a part that slides along a curve of a rigid body: a cubic spline through points.
 *
 * With u the coordinates of the body's point P in the frame of the curve's body A, forms, and X(s)
 * the spline, a row along an axis N(s) of the curve is
 *
 *     y = N(s).(u - X(s)) :       weights N_k(s) of u_k, and -N.X of 1,
 *
 * piecewise polynomials (TS_PATH_ROW). N is X' along the curve; across it axes are carried from
 * point to point by the smallest rotation, and are cubic in between, from their rates of rotation
 * at both points:
 *
 *     N' = (t x t' + w t) x N ,       t = X'/|X'| ,
 *
 * w the rotation about a closed curve that makes the axes agree at its ends. So their length is 1
 * and they are normal to the curve, up to an error of the fourth order in the distance of points.
 * This matters because multipliers are then forces, which determine friction. An open spline has no
 * curvature at its ends. s is the arc length at the points; between them |X'| is 1 but for an error
 * of the third order in their distance.
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "laws/path_row.h"
#include "math/rotation.h"
#include "parts/sliding/sliding.h"

enum { SIDE_S, SIDE_BODY, SIDE_CURVE, CUBIC = 4, SWEEPS = 80, ROUNDS = 4, SAMPLES = 8 };

/* ---- the spline ---- */

/* Coefficients of 1, x, x^2, x^3 of a piece, x = 0 ... 1. */
static void cubic_of(const ts_curve *c, int piece, v3 *a) {
    double h = c->s[piece + 1] - c->s[piece], w = h * h / 6;
    v3 m0 = v3_scale(w, c->m[piece]), m1 = v3_scale(w, c->m[piece + 1]);
    a[0] = c->x[piece];
    a[1] = v3_sub(v3_sub(c->x[piece + 1], c->x[piece]), v3_axpy(2, m0, m1));
    a[2] = v3_scale(3, m0);
    a[3] = v3_sub(m1, m0);
}

static v3 value_of(const v3 *a, double x, v3 *slope) {
    v3 y = a[3], d = v3_scale(3, a[3]);
    for (int m = 2; m >= 0; m--) y = v3_axpy(x, y, a[m]);
    for (int m = 2; m >= 1; m--) d = v3_axpy(x, d, v3_scale(m, a[m]));
    *slope = d;
    return y;
}

/* Second derivatives: the equations are diagonally dominant, and each sweep divides the error by
 * four. */
static void bend(ts_curve *c) {
    int last = c->points - 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int k = c->closed ? 0 : 1; k < last; k++) {
            int before = k ? k - 1 : last - 1;
            double h = k ? c->s[k] - c->s[k - 1] : c->s[last] - c->s[last - 1];
            double g = c->s[k + 1] - c->s[k];
            v3 to = v3_scale(1 / g, v3_sub(c->x[k + 1], c->x[k]));
            v3 from = v3_scale(1 / h, v3_sub(c->x[k], c->x[before]));
            v3 r = v3_scale(6, v3_sub(to, from));
            r = v3_sub(r, v3_axpy(h, c->m[before], v3_scale(g, c->m[k + 1])));
            c->m[k] = v3_scale(0.5 / (h + g), r);
            if (k == 0) c->m[last] = c->m[0];
        }
}

/* By Simpson's rule on parts of a piece. */
static double length_of(const ts_curve *c, int piece) {
    v3 a[CUBIC], slope;
    double sum = 0;
    cubic_of(c, piece, a);
    for (int i = 0; i <= 2 * SAMPLES; i++) {
        value_of(a, 0.5 * i / SAMPLES, &slope);
        sum += (i == 0 || i == 2 * SAMPLES ? 1 : i % 2 ? 4 : 2) * v3_norm(slope);
    }
    return sum / (6 * SAMPLES);
}

/* s from chords at first, then from arcs. */
static void measure(ts_curve *c) {
    for (int round = 0; round <= ROUNDS; round++) {
        double *next = ts_calloc((size_t)c->points, sizeof *next);
        for (int k = 0; k + 1 < c->points; k++)
            next[k + 1] =
                next[k] + (round ? length_of(c, k) : v3_norm(v3_sub(c->x[k + 1], c->x[k])));
        free(c->s);
        c->s = next;
        bend(c);
    }
}

/* ---- axes ---- */

/* X' by s, at a point. */
static v3 slope_at(const ts_curve *c, int point) {
    v3 a[CUBIC], slope;
    int piece = point < c->points - 1 ? point : point - 1;
    cubic_of(c, piece, a);
    value_of(a, point - piece, &slope);
    return v3_scale(1 / (c->s[piece + 1] - c->s[piece]), slope);
}

static v3 tangent_at(const ts_curve *c, int point) { return v3_normalize(slope_at(c, point)); }

static m3 carried(m3 axes, v3 z) {
    quat turn = ts_quat_between(axes.c[2], z);
    v3 x = m3_apply(quat_matrix(turn), axes.c[0]);
    x = v3_normalize(v3_axpy(-v3_dot(x, z), z, x));
    return m3_cols(x, v3_cross(z, x), z);
}

/* Rate of rotation of an axis across the curve, by s. */
static v3 turning_of(const ts_curve *c, int point, int axis) {
    v3 z = c->axes[point].c[2], bend = c->m[point];
    double slope = v3_dot(slope_at(c, point), z);
    v3 by = v3_axpy(-v3_dot(bend, z), z, bend);
    v3 omega = v3_axpy(c->twist, z, v3_scale(1 / slope, v3_cross(z, by)));
    return v3_cross(omega, c->axes[point].c[axis]);
}

/* Coefficients of an axis along a piece. */
static void axis_of(const ts_curve *c, int piece, int axis, v3 *N) {
    double h = c->s[piece + 1] - c->s[piece];
    if (axis == 2) {
        v3 a[CUBIC];
        cubic_of(c, piece, a);
        for (int m = 0; m < 3; m++) N[m] = v3_scale((m + 1) / h, a[m + 1]);
        N[3] = v3_make(0, 0, 0);
        return;
    }
    v3 first = c->axes[piece].c[axis];
    v3 change = v3_sub(c->axes[piece + 1].c[axis], first);
    v3 start = v3_scale(h, turning_of(c, piece, axis));
    v3 end = v3_scale(h, turning_of(c, piece + 1, axis));
    N[0] = first, N[1] = start;
    N[2] = v3_sub(v3_scale(3, change), v3_axpy(2, start, end));
    N[3] = v3_axpy(-2, change, v3_add(start, end));
}

/* After one turn of a closed curve the carried axes are rotated about it: that rotation is
 * distributed over the curve. */
static void carry_axes(ts_curve *c) {
    int last = c->points - 1;
    v3 z = tangent_at(c, 0), up = fabs(z.z) < 0.9 ? v3_axis(2) : v3_axis(0);
    v3 y = v3_normalize(v3_axpy(-v3_dot(up, z), z, up));
    c->axes[0] = m3_cols(v3_cross(y, z), y, z);
    for (int k = 1; k <= last; k++) c->axes[k] = carried(c->axes[k - 1], tangent_at(c, k));
    if (!c->closed) return;
    double off = atan2(v3_dot(c->axes[last].c[0], c->axes[0].c[1]),
                       v3_dot(c->axes[last].c[0], c->axes[0].c[0]));
    c->twist = -off / c->s[last];
    for (int k = 1; k <= last; k++) {
        v3 by = v3_scale(c->twist * c->s[k], c->axes[k].c[2]);
        c->axes[k] = m3_mul(so3_exp(by), c->axes[k]);
    }
    c->axes[last] = c->axes[0];
}

/* ---- made from points ---- */

static int check_points(ts_builder *b, const ts_curve *c, int field) {
    if (c->points < (c->closed ? 4 : 2))
        return ts_build_fail(b, field, NULL, "a path needs at least %d points, a closed one 3", 2);
    for (int k = 0; k + 1 < c->points; k++)
        if (!(v3_norm(v3_sub(c->x[k + 1], c->x[k])) > 0))
            return ts_build_fail(b, field, "a closed path must not repeat its first point",
                                 "points %d and %d of the path are the same", k + 1, k + 2);
    for (int k = 0; k + 2 < c->points; k++) {
        v3 before = v3_sub(c->x[k + 1], c->x[k]), after = v3_sub(c->x[k + 2], c->x[k + 1]);
        if (v3_dot(before, after) < -(1 - 1e-9) * v3_norm(before) * v3_norm(after))
            return ts_build_fail(b, field, "lead it around by more points",
                                 "the path turns back on itself at point %d", k + 2);
    }
    return 0;
}

int ts_curve_new(ts_builder *b, ts_curve *c, int field, const ts_value *points) {
    int given = points->count / 3;
    c->points = given + (c->closed ? 1 : 0);
    c->x = ts_calloc((size_t)c->points + 1, sizeof *c->x);
    c->m = ts_calloc((size_t)c->points + 1, sizeof *c->m);
    c->axes = ts_calloc((size_t)c->points + 1, sizeof *c->axes);
    for (int k = 0; k < c->points && given; k++)
        c->x[k] = ts_body_point(b->model, c->body, v3_load(points->list + 3 * (k % given)));
    if (check_points(b, c, field)) return TORSOR_EINVAL;
    measure(c);
    carry_axes(c);
    return 0;
}

void ts_curve_clear(ts_curve *c) { free(c->s), free(c->x), free(c->m), free(c->axes); }

/* ---- as drawn ---- */

/* The place on a piece that is nearest to `at`, from x on. */
static double nearest(const ts_curve *c, int piece, double x, v3 at, double *distance) {
    v3 a[CUBIC], slope, off;
    cubic_of(c, piece, a);
    off = v3_sub(at, value_of(a, x, &slope));
    for (int k = 0; k < 40; k++) {
        double step = v3_dot(off, slope) / v3_dot(slope, slope);
        x = fmin(fmax(x + step, 0), 1);
        off = v3_sub(at, value_of(a, x, &slope));
        if (fabs(step) < 1e-15) break;
    }
    *distance = v3_norm(off);
    return x;
}

void ts_curve_foot(const ts_model *model, const ts_curve *c, v3 at, ts_foot *foot) {
    const ts_node *body = &model->nodes[c->body];
    v3 own = ts_body_point(model, c->body, at), a[CUBIC];
    double best = HUGE_VAL, x = 0, distance;
    int piece = 0;
    for (int p = 0; p + 1 < c->points; p++)
        for (int i = 0; i <= SAMPLES; i++) {
            double there = nearest(c, p, (double)i / SAMPLES, own, &distance);
            if (distance < best) best = distance, x = there, piece = p;
        }
    double h = c->s[piece + 1] - c->s[piece];
    cubic_of(c, piece, a);
    v3 place = value_of(a, x, &foot->slope);
    v3 z = v3_normalize(foot->slope);
    v3 N[CUBIC], none;
    axis_of(c, piece, 0, N);
    v3 across = value_of(N, x, &none);
    across = v3_normalize(v3_axpy(-v3_dot(across, z), z, across));
    m3 axes = m3_cols(across, v3_cross(z, across), z);
    foot->s = c->s[piece] + x * h;
    foot->slope = m3_apply(body->D, v3_scale(1 / h, foot->slope));
    foot->axes = m3_mul(body->D, axes);
    v3 arm = m3_apply(body->D, place);
    foot->place = v3_add(body->x, arm);
    foot->velocity = v3_add(body->velocity, v3_cross(body->omega, arm));
}

/* ---- rows ---- */

enum { DEGREE = 6 };

/* Weights of 1 and of the three forms. */
static void add_piece(ts_model *model, const ts_curve *c, int piece, int axis, bool place) {
    v3 a[CUBIC], N[CUBIC];
    double weight[4][DEGREE + 1] = {{0}};
    cubic_of(c, piece, a);
    axis_of(c, piece, axis, N);
    for (int m = 0; m < CUBIC; m++) {
        for (int k = 0; k < 3; k++) weight[1 + k][m] = v3_get(N[m], k);
        for (int n = 0; n < CUBIC && place; n++) weight[0][m + n] -= v3_dot(N[m], a[n]);
    }
    for (int k = 0; k < 4; k++)
        for (int m = 0; m <= DEGREE; m++) ts_model_number(model, weight[k][m]);
}

static void add_numbers(ts_model *model, const ts_curve *c, int axis, bool place) {
    int pieces = c->points - 1;
    double head[] = {4, pieces, DEGREE, c->closed ? c->s[pieces] : 0};
    for (int i = 0; i < 4; i++) ts_model_number(model, head[i]);
    for (int k = 0; k < c->points; k++) ts_model_number(model, c->s[k]);
    for (int p = 0; p < pieces; p++) add_piece(model, c, p, axis, place);
}

static void open_site(ts_model *model, const ts_curve *c, const ts_slider *slider) {
    int node[] = {slider->node, slider->body, c->body};
    ts_model_site(model, TS_ROLE_ROWS, 3, node);
    ts_form_component(model, v3_axis(0), ts_combo_point(SIDE_S, v3_make(0, 0, 0)), 0);
}

static void place_row(ts_model *model, const ts_curve *c, const ts_slider *slider, int axis) {
    ts_combo off = ts_combo_minus(ts_combo_point(SIDE_BODY, slider->point),
                                  ts_combo_point(SIDE_CURVE, v3_make(0, 0, 0)));
    open_site(model, c, slider);
    for (int k = 0; k < 3; k++)
        ts_form_dot(model, 1, ts_combo_direction(SIDE_CURVE, v3_axis(k)), off, 0);
    add_numbers(model, c, axis, true);
    ts_model_rowlaw(model, &TS_PATH_ROW);
    ts_path_row(model, TS_PULL_FORCE, axis);
}

static void turn_row(ts_model *model, const ts_curve *c, const ts_slider *slider, ts_square x) {
    ts_combo own = ts_combo_direction(SIDE_BODY, slider->frame.c[x.with]);
    open_site(model, c, slider);
    for (int k = 0; k < 3; k++)
        ts_form_dot(model, 1, own, ts_combo_direction(SIDE_CURVE, v3_axis(k)), 0);
    add_numbers(model, c, x.of, false);
    ts_model_rowlaw(model, &TS_PATH_ROW);
    ts_path_row(model, TS_PULL_MOMENT, 3 - x.of - x.with);
}

void ts_curve_rows(ts_model *model, const ts_curve *c, const ts_slider *slider) {
    for (int k = 0; k < 3; k++) place_row(model, c, slider, k);
    for (int k = 0; k < 3 && slider->follows; k++) turn_row(model, c, slider, TS_FOLLOWS[k]);
    ts_model_slide(model, (ts_slide){.node = slider->node,
                                     .on = slider->on,
                                     .closed = c->closed,
                                     .high = c->s[c->points - 1]});
}

/* Two straight lines for each piece. */
void ts_curve_strands(ts_model *model, const ts_curve *c) {
    for (int piece = 0; piece + 1 < c->points; piece++) {
        v3 a[CUBIC], slope;
        cubic_of(c, piece, a);
        v3 middle = value_of(a, 0.5, &slope);
        ts_model_strand(model, c->body, c->x[piece], c->body, middle);
        ts_model_strand(model, c->body, middle, c->body, c->x[piece + 1]);
    }
}
