/* SPDX-License-Identifier: Apache-2.0 */
/* A rope over wheels with a radius, or with friction on its pulleys: its tension is not uniform, or
 * its path is not straight between places.
 *
 * Each strand, from one place to the next, has its path length w_k as an unknown, determined by a
 * row (laws/strand_row.c) whose multiplier is the tension T_k. Each of the two strands at a pulley
 * includes half of the arc on it. A place with a radius is a wheel: the rope lies on it, and its
 * arcs are measured relative to its body, which may be the ground, or turn. So a wheel at the end
 * of a rope is a drum.
 *
 *     it does not stretch    sum w_k = length
 *     it stretches           V(sum of w_k, p) for each piece between pulleys that rub, p its own
 *                            length, sum p = length
 *     it rubs                a bristle on the rope before the pulley: sum of w_k, or of p
 *                            (laws/capstan.c)
 */
#include <math.h>
#include <string.h>

#include "laws/capstan.h"
#include "laws/rope_law.h"
#include "laws/strand_row.h"
#include "parts/sliding/sliding.h"

#define TAU 6.283185307179586476925287

/* A strand as drawn. */
typedef struct strand {
    double square, c; /* of its centres; signed radius of the first wheel less that of the second */
    v3 u, along, end[2];
    double way; /* with half of the arcs on pulleys */
} strand;

static double radius_at(const ts_reeving *r, int k) { return r->sense[k] * r->radius[k]; }

static strand find_strand(const ts_reeving *r, int k) {
    double a = radius_at(r, k), b = radius_at(r, k + 1);
    strand s = {.u = v3_sub(r->at[k + 1], r->at[k]), .c = a - b};
    s.square = v3_dot(s.u, s.u);
    s.way = ts_strand_straight(s.square, s.c);
    v3 side = v3_cross(r->axis, s.u);
    s.along = v3_scale(1 / s.square, v3_add(v3_scale(s.way, s.u), v3_scale(s.c, side)));
    side = v3_cross(r->axis, s.along);
    s.end[0] = v3_axpy(-a, side, r->at[k]), s.end[1] = v3_axpy(-b, side, r->at[k + 1]);
    if (k > 0) s.way += 0.5 * r->radius[k] * r->wrap[k];
    if (k + 2 < r->points) s.way += 0.5 * r->radius[k + 1] * r->wrap[k + 1];
    return s;
}

/* ---- sense around the wheels ---- */

int ts_reeving_close(const ts_reeving *r) {
    for (int k = 0; k + 1 < r->points; k++) {
        v3 u = v3_sub(r->at[k + 1], r->at[k]), across = v3_axpy(-v3_dot(u, r->axis), r->axis, u);
        double c = radius_at(r, k) - radius_at(r, k + 1);
        bool wheel = r->radius[k] > 0 || r->radius[k + 1] > 0;
        if (wheel && !(v3_norm(across) > fabs(c) * (1 + 1e-6))) return k;
    }
    return -1;
}

void ts_reeving_sense(ts_reeving *r) {
    for (int k = 0; k < r->points; k++) {
        if (r->sense[k] != 0) continue;
        r->sense[k] = 1;
        if (k == 0 || k + 1 == r->points) continue;
        v3 turn = v3_cross(v3_sub(r->at[k], r->at[k - 1]), v3_sub(r->at[k + 1], r->at[k]));
        if (v3_dot(turn, r->axis) < 0) r->sense[k] = -1;
    }
}

static double angle_about(v3 axis, v3 a, v3 b) {
    a = v3_axpy(-v3_dot(a, axis), axis, a), b = v3_axpy(-v3_dot(b, axis), axis, b);
    return atan2(v3_dot(axis, v3_cross(a, b)), v3_dot(a, b));
}

int ts_reeving_wrap(ts_reeving *r) {
    for (int k = 1; k + 1 < r->points; k++) {
        strand in = find_strand(r, k - 1), out = find_strand(r, k);
        if (r->radius[k] == 0) {
            r->wrap[k] = atan2(v3_norm(v3_cross(in.u, out.u)), v3_dot(in.u, out.u));
            continue;
        }
        double turn = r->sense[k] * angle_about(r->axis, in.u, out.u);
        if (turn < 0) turn += TAU;
        r->wrap[k] = turn + r->sense[k] * (ts_strand_lean(out.square, out.c) -
                                           ts_strand_lean(in.square, in.c));
        r->wrap[k] += TAU * r->turns[k];
        if (!(r->wrap[k] > 0)) return k;
    }
    return -1;
}

double ts_reeving_way(const ts_reeving *r) {
    double way = 0;
    for (int k = 0; k + 1 < r->points; k++) way += find_strand(r, k).way;
    return way;
}

/* ---- strands ---- */

/* Two axes of a body across the axle, the first along u, as combinations of its directors. */
static void add_axes(ts_model *model, int side, int body, v3 axis, v3 u, double *N, int ambient) {
    v3 first = v3_normalize(v3_axpy(-v3_dot(u, axis), axis, u));
    m3 frame = ts_body_frame(model, body, m3_cols(first, v3_cross(axis, first), axis));
    for (int k = 0; k < 2; k++)
        ts_combo_weights(model, ts_combo_direction(side, frame.c[k]), N + k * ambient);
}

/* The nodes of a site: numbers, then bodies, each once. */
typedef struct place_nodes {
    int node[TS_MAX_NODES], nodes;
} place_nodes;

static int node_side(place_nodes *p, int node) {
    for (int k = 0; k < p->nodes; k++)
        if (p->node[k] == node) return k;
    p->node[p->nodes] = node;
    return p->nodes++;
}

static v3 velocity_at(const ts_model *model, int body, v3 at) {
    const ts_node *node = &model->nodes[body];
    return v3_add(node->velocity, v3_cross(node->omega, v3_sub(at, node->x)));
}

static ts_combo between(const ts_reeving *r, int k, const int side[2]) {
    return ts_combo_minus(ts_combo_point(side[1], r->place[k + 1]),
                          ts_combo_point(side[0], r->place[k]));
}

/* The last body of the rope is the second node: reactions refer to it. */
static void add_strand(ts_model *model, const ts_reeving *r, int k, int way) {
    strand s = find_strand(r, k);
    place_nodes p = {.node = {way}, .nodes = 1};
    int side[2], ends[2] = {k + 1, k}, vectors = 2;
    if (r->body[k] == r->body[r->points - 1]) ends[0] = k, ends[1] = k + 1;
    for (int n = 0; n < 2; n++) side[ends[n] - k] = node_side(&p, r->body[ends[n]]);
    v3 approach = v3_sub(velocity_at(model, r->body[k + 1], s.end[1]),
                         velocity_at(model, r->body[k], s.end[0]));
    model->nodes[way].velocity.x = v3_dot(s.along, approach);

    ts_model_site(model, TS_ROLE_ROWS, p.nodes, p.node);
    int ambient = model->sites[model->sites_count - 1].ambient;
    double N[6 * TS_MAX_SLOTS] = {0};
    ts_combo_weights(model, ts_combo_point(0, v3_make(0, 0, 0)), N);
    ts_combo_weights(model, between(r, k, side), N + ambient);
    for (int n = 0; n < 2; n++) {
        if (r->radius[k + n] == 0) continue;
        add_axes(model, side[n], r->body[k + n], r->axis, s.u, N + vectors * ambient, ambient);
        vectors += 2;
    }
    ts_model_vectors(model, vectors, N);
    ts_form_new(model, 0);
    ts_form_linear(model, 0, v3_axis(0));
    for (int n = 1; n < vectors; n++) {
        ts_form_new(model, 0);
        ts_form_pair(model, 1, n, 1);
    }
    double straight = ts_strand_straight(s.square, s.c);
    ts_model_number(model, radius_at(r, k)), ts_model_number(model, radius_at(r, k + 1));
    ts_model_number(model, s.way - straight - s.c * ts_strand_lean(s.square, s.c));
    ts_model_rowlaw(model, &TS_STRAND_ROW);
    ts_model_row(model, -1, false, "way of a strand");
}

/* ---- pictures ---- */

/* Lines are drawn from body to body. A wheel may turn under its rope, but the body that carries it,
 * by a joint at its centre, does not. */
static int carrier(const ts_model *model, int body, v3 place) {
    for (int p = 0; p + 1 < model->parts_count; p++) {
        const ts_part *part = &model->parts[p];
        if (!part->kind || strcmp(part->kind->section, "joints") != 0) continue;
        if (part->nodeB == body && v3_norm(v3_sub(part->pointB, place)) < 1e-9) return part->nodeA;
        if (part->nodeA == body && v3_norm(v3_sub(part->pointA, place)) < 1e-9) return part->nodeB;
    }
    return body;
}

static void draw_line(ts_model *model, int a, v3 from, int b, v3 to) {
    ts_model_strand(model, a, ts_body_point(model, a, from), b, ts_body_point(model, b, to));
}

static void draw_arc(ts_model *model, const ts_reeving *r, int k, int on, v3 from) {
    const double most = 0.2;
    double angle = fmin(r->wrap[k], TAU);
    int pieces = (int)ceil(angle / most);
    v3 x = v3_sub(from, r->at[k]), y = v3_scale(r->sense[k], v3_cross(r->axis, x)), last = from;
    for (int n = 1; n <= pieces; n++) {
        double a = angle * n / pieces;
        v3 next = v3_add(r->at[k], v3_add(v3_scale(cos(a), x), v3_scale(sin(a), y)));
        draw_line(model, on, last, on, next);
        last = next;
    }
}

/* Draws the rope: the points where it leaves wheels move with the bodies that carry these
 * wheels. */
static void draw(ts_model *model, const ts_reeving *r) {
    for (int k = 0; k + 1 < r->points; k++) {
        strand s = find_strand(r, k);
        int on[2];
        for (int n = 0; n < 2; n++) {
            on[n] = r->body[k + n];
            if (r->radius[k + n] > 0) on[n] = carrier(model, on[n], r->place[k + n]);
        }
        draw_line(model, on[0], s.end[0], on[1], s.end[1]);
        if (k + 2 < r->points && r->radius[k + 1] > 0) draw_arc(model, r, k + 1, on[1], s.end[1]);
    }
}

/* ---- rows and laws of sums of numbers ---- */

static void add_sum(ts_model *model, int first, int count, double constant) {
    ts_form_new(model, constant);
    for (int k = 0; k < count; k++) ts_form_linear(model, first + k, v3_axis(0));
}

/* The sum of numbers is that of the last node. */
static void keep_sum(ts_model *model, int count, const int *node, int whole) {
    int all[TS_MAX_NODES];
    for (int k = 0; k < count; k++) all[k] = node[k];
    all[count] = whole;
    ts_model_site(model, TS_ROLE_ROWS, count + 1, all);
    add_sum(model, 0, count, 0);
    ts_form_linear(model, count, v3_make(-1, 0, 0));
    ts_model_row(model, -1, false, "length of the way");
}

static void add_stretch(ts_model *model, double EA, int own, int count, const int *way) {
    int all[TS_MAX_NODES] = {own};
    for (int k = 0; k < count; k++) all[1 + k] = way[k];
    ts_model_site(model, TS_ROLE_LAW, count + 1, all);
    add_sum(model, 0, 1, 0);
    add_sum(model, 1, count, 0);
    ts_model_number(model, EA);
    ts_model_law(model, &TS_ROPE_WAY_LAW);
}

static bool rubs(const ts_reeving *r, int k) {
    return k > 0 && k + 1 < r->points && (r->friction[k] > 0 || r->bearing[k] > 0);
}

/* The pieces of a rope that stretches, from one pulley that rubs to the next: nodes of their own
 * lengths; returns how many. */
static int add_pieces(ts_model *model, const ts_reeving *r, int whole, const int *way, int *piece) {
    int pieces = 0, strands = r->points - 1;
    double all = ts_reeving_way(r), part = 0;
    for (int k = 1; k < strands; k++) pieces += rubs(r, k);
    if (!pieces) {
        add_stretch(model, r->EA, whole, strands, way);
        return 0;
    }
    pieces = 0;
    for (int k = 0, first = 0; k < strands; k++) {
        part += find_strand(r, k).way;
        if (k + 1 < strands && !rubs(r, k + 1)) continue;
        piece[pieces] = ts_path_node(model, r->length * part / all);
        add_stretch(model, r->EA, piece[pieces++], k + 1 - first, way + first);
        first = k + 1, part = 0;
    }
    keep_sum(model, pieces, piece, whole);
    return pieces;
}

/* Forms of the angle at place k, and the numbers of the law; `strand_row` is the row of the strand
 * before. */
static void add_friction(ts_model *model, const ts_reeving *r, int k, int before, const int *node,
                         int strand_row) {
    place_nodes p = {0};
    for (int n = 0; n < before; n++) node_side(&p, node[n]);
    int side[3];
    for (int n = 0; n < 3; n++) side[n] = node_side(&p, r->body[k - 1 + n]);
    strand in = find_strand(r, k - 1), out = find_strand(r, k);
    bool wheel = r->radius[k] > 0;

    ts_model_site(model, TS_ROLE_LAW, p.nodes, p.node);
    int ambient = model->sites[model->sites_count - 1].ambient, u = before;
    double N[TS_MAX_SLOTS * TS_MAX_SLOTS] = {0};
    for (int n = 0; n < before; n++)
        ts_combo_weights(model, ts_combo_point(n, v3_make(0, 0, 0)), N + n * ambient);
    ts_combo_weights(model, between(r, k - 1, side), N + u * ambient);
    ts_combo_weights(model, between(r, k, side + 1), N + (u + 1) * ambient);
    if (wheel) add_axes(model, side[1], r->body[k], r->axis, in.u, N + (u + 2) * ambient, ambient);
    ts_model_vectors(model, before + (wheel ? 4 : 2), N);
    add_sum(model, 0, before, 0);
    static const int OF_WHEEL[6][2] = {{0, 0}, {1, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}};
    static const int OF_POINT[3][2] = {{0, 0}, {1, 1}, {0, 1}};
    for (int n = 0; n < (wheel ? 6 : 3); n++) {
        const int *of = wheel ? OF_WHEEL[n] : OF_POINT[n];
        ts_form_new(model, 0);
        ts_form_pair(model, u + of[0], u + of[1], 1);
    }
    double data[TS_CAPSTAN_NUMBERS] = {[TS_CAPSTAN_MU] = r->friction[k],
                                       [TS_CAPSTAN_BEARING] =
                                           wheel ? r->bearing[k] / r->radius[k] : 0,
                                       [TS_CAPSTAN_K] = r->stick,
                                       [TS_CAPSTAN_VISCOUS] = r->viscous,
                                       [TS_CAPSTAN_SENSE] = wheel ? r->sense[k] : 0,
                                       [TS_CAPSTAN_FROM] = in.c,
                                       [TS_CAPSTAN_TO] = out.c,
                                       [TS_CAPSTAN_WRAP] = r->wrap[k]};
    for (int n = 0; n < TS_CAPSTAN_NUMBERS; n++) ts_model_number(model, data[n]);
    ts_model_law(model, &TS_CAPSTAN_LAW);
    ts_model_reads(model, strand_row, 2);
}

void ts_reeve(ts_model *model, const ts_reeving *r, int whole) {
    int way[TS_MAX_NODES] = {0}, piece[TS_MAX_NODES], pieces = 0, strands = r->points - 1;
    int first_row = model->rows_count;
    for (int k = 0; k < strands; k++) way[k] = ts_path_node(model, find_strand(r, k).way);
    for (int k = 0; k < strands; k++) add_strand(model, r, k, way[k]);
    if (r->EA > 0)
        pieces = add_pieces(model, r, whole, way, piece);
    else
        keep_sum(model, strands, way, whole);
    for (int k = 1, n = 0; k < strands; k++) {
        if (!rubs(r, k)) continue;
        n++;
        if (pieces)
            add_friction(model, r, k, n, piece, first_row + k - 1);
        else
            add_friction(model, r, k, k, way, first_row + k - 1);
    }
    draw(model, r);
    for (int k = 0; k < strands; k++) ts_path_hold(model, way[k]);
    for (int k = 0; k < pieces; k++) ts_path_hold(model, piece[k]);
}
