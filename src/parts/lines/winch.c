/* SPDX-License-Identifier: Apache-2.0 */
/* A cable with mass on a winch: material enters and leaves at its beginning, the mouth.
 *
 * Nodes are not material points: N elements, of 2, 3 or 4 nodes, have the same unstretched length L
 * at any time, and p = N L is outside. What is at a node has the place S = a L from the free end, a
 * a constant, and moves with (arbitrary Lagrangian-Eulerian description)
 *
 *     V_a = r_a' - (L'/L) D_a/2 ,      D_a = 2 a dr/da ,
 *
 * the mean of both sides where elements meet: a (r_{a+1} - r_{a-1}) for elements of two nodes. The
 * kinetic energy sum of (w_a rho L/2) |V_a|^2, w_a Gauss-Lobatto weights, has a variable mass. With
 * the square root l of L it becomes sum (w_a rho/2) |y_a'|^2, with a constant mass, for
 *
 *     y' = l r' - l' D ,                                                                       (y)
 *
 * which is not the rate of a function of places. But (y) is a row of the kind A(q) v = 0 with A
 * linear in q, like that of a rolling disc; so y_a is a node with the mass rho (a
 * quasi-coordinate), and l and the rows represent the rest. In addition to the forces of these
 * rows, Lagrange's equations of T(q, q'), with y' = B(q, q') bilinear, contain the forces
 *
 *     rho y' . [ B(q', w) - B(w, q') ]    along w:      on r + D:   rho l' y' ,
 *                                                       on l:      -rho y' . (r + D)'
 *
 * which do no work (TURN below). Over a step y', l', (r + D)' are differences over h, and their
 * work is zero exactly. So EP and ED preserve their energy equation without any change.
 *
 * The cable on the drum moves with p' and with the mouth: a mass rho M, M the stored length. M + p
 * is constant, and the square root m of M gives quasi-coordinates in the same way, z' = m r_N', x'
 * = m p'. This mass is the drum's share of the balance: the mass that leaves the drum carries its
 * momentum. Without it a thrust rho p'^2/2 would be missing at the mouth. Energy is preserved when
 * material passes the mouth, also when it changes its direction and its stretch there.
 *
 * An element of two nodes stores EA <w - L>^2/(2 L), w its length (laws/rope_law.c); others do so
 * at each of their Gauss points, with its share of L, and the same share of |dr/ds| for w. Weights
 * have the energy -rho L g.(r - mouth as drawn), a product of forms.
 *
 * EP preserves the momentum, the sum of w_a rho l y_a', to round-off, and its moment to second
 * order.
 *
 * Hong and Ren, Multibody System Dynamics 26 (2011) 91, and Escalona, Mechanism and Machine Theory
 * 112 (2017) 1, use this description for cables; the square root, the rows and the exact step are
 * new here.
 */
#include "parts/lines/winch.h"

#include <math.h>

#include "laws/rope_law.h"
#include "math/shape.h"

/* ---- laws ---- */

static double no_energy(const double *data, const double *memory, int m, const double *e) {
    return (void)data, (void)memory, (void)m, (void)e, 0;
}

static bool conserves(const double *data) { return (void)data, true; }

/* Forms: l, then (r + D), then y. */
enum { TURN_ROOT, TURN_PLACE, TURN_QUASI = TURN_PLACE + 3, TURN_FORMS = TURN_QUASI + 3 };

static void respond_turn(const ts_law_step *step, ts_response *out) {
    double by = ts_step_rate(step) * ts_step_rate(step) * step->data[0], d[TURN_FORMS];
    const int m = TURN_FORMS;
    *out = (ts_response){0};
    for (int k = 0; k < m; k++) d[k] = step->e_f[k] - step->e_i[k];
    for (int k = 0; k < 3; k++) {
        int place = TURN_PLACE + k, quasi = TURN_QUASI + k;
        out->s[place] = by * d[quasi] * d[TURN_ROOT];
        out->s[TURN_ROOT] -= by * d[quasi] * d[place];
        out->ds[place * m + quasi] = by * d[TURN_ROOT], out->ds[place * m] = by * d[quasi];
        out->ds[quasi] = -by * d[place], out->ds[place] = -by * d[quasi];
    }
}

static const ts_law TURN = {.name = "turn of material",
                            .energy = no_energy,
                            .respond = respond_turn,
                            .conserves = conserves};

/* Forms: a length, and its height times g; numbers: mass per length, energy as drawn. */
static double weight_energy(const double *data, const double *memory, int m, const double *e) {
    (void)memory, (void)m;
    return data[0] * e[0] * e[1] - data[1];
}

static void respond_weight(const ts_law_step *step, ts_response *out) {
    const double *e_i = step->e_i, *e_f = step->e_f, half = 0.5 * step->data[0];
    *out = (ts_response){.s = {half * (e_i[1] + e_f[1]), half * (e_i[0] + e_f[0])},
                         .ds = {0, half, half, 0},
                         .stored = weight_energy(step->data, NULL, 2, e_f)};
}

static const ts_law WEIGHT = {.name = "weight",
                              .weighs = true,
                              .energy = weight_energy,
                              .respond = respond_weight,
                              .conserves = conserves};

/* ---- unknowns ---- */

/* The square root of a length, along each of the axes: rows consist of products of vectors. */
typedef struct root {
    int node[3];
    double value, rate;
} root;

static int inner_node(ts_model *model, v3 x, v3 velocity) {
    int node = ts_model_node(model, TS_NODE_POINT, x, m3_identity());
    model->nodes[node].inner = true;
    model->nodes[node].velocity = velocity;
    return node;
}

/* A number along an axis of a node, determined by rows; the other components are held at zero. */
static int number_node(ts_model *model, int axis, double value, double rate) {
    int node = inner_node(model, v3_scale(value, v3_axis(axis)), v3_scale(rate, v3_axis(axis)));
    model->nodes[node].slides = true;
    return node;
}

/* Holds by rows: a stiffness would appear among the modes, because quasi-coordinates have a
 * mass. */
static void hold_across(ts_model *model, int node, int axis) {
    ts_model_site(model, TS_ROLE_ROWS, 1, &node);
    for (int k = 0; k < 3; k++) {
        if (k == axis) continue;
        ts_form_component(model, v3_axis(k), ts_combo_point(0, v3_make(0, 0, 0)), 0);
        ts_model_row(model, -1, false, "nothing across");
    }
}

static root root_of(ts_model *model, double length, double rate) {
    root r = {.value = sqrt(length)};
    r.rate = 0.5 * rate / r.value;
    for (int k = 0; k < 3; k++) r.node[k] = number_node(model, k, r.value, r.rate);
    return r;
}

/* Rows: the nodes of the root agree, and times * square + sign * p = sum. */
static void tie_root(ts_model *model, const root *r, int p, double times, double sign, double sum) {
    for (int k = 0; k < 3; k++) hold_across(model, r->node[k], k);
    for (int k = 1; k < 3; k++) {
        ts_model_site(model, TS_ROLE_ROWS, 2, (int[]){r->node[0], r->node[k]});
        ts_form_new(model, 0);
        ts_form_linear(model, 0, v3_axis(0));
        ts_form_linear(model, 1, v3_scale(-1, v3_axis(k)));
        ts_model_row(model, -1, false, "root of a length");
    }
    ts_model_site(model, TS_ROLE_ROWS, 2, (int[]){r->node[0], p});
    ts_form_new(model, -sum);
    ts_form_pair(model, 0, 0, times);
    ts_form_linear(model, 1, v3_scale(sign, v3_axis(0)));
    ts_model_row(model, -1, false, "length of the cable");
}

/* ---- quasi-coordinates ---- */

/* y' = l r' - l' D, D = sum of weights times nodes. */
typedef struct flow {
    int node[2 * TS_LINE_NODES], nodes; /* the node at r, and the others that D depends on */
    double D[2 * TS_LINE_NODES];
} flow;

static void add_to_flow(flow *f, int node, double weight) {
    int k = 0;
    while (k < f->nodes && f->node[k] != node) k++;
    if (k == f->nodes) f->node[f->nodes++] = node;
    f->D[k] += weight;
}

static v3 sum_of(const ts_model *model, const flow *f) {
    v3 D = {0, 0, 0};
    for (int k = 0; k < f->nodes; k++) D = v3_axpy(f->D[k], model->nodes[f->node[k]].x, D);
    return D;
}

static void add_rows(ts_model *model, const flow *f, const root *l, int y) {
    int node[2 * TS_LINE_NODES + 4], n = f->nodes, slot_y = n, slot_l = n + 1;
    for (int k = 0; k < n; k++) node[k] = f->node[k];
    node[slot_y] = y;
    for (int k = 0; k < 3; k++) node[slot_l + k] = l->node[k];
    ts_model_site(model, TS_ROLE_RATES, n + 4, node);
    for (int axis = 0; axis < 3; axis++) {
        ts_form_new(model, 0);
        ts_form_pair(model, slot_l + axis, 0, 1);
        for (int k = 0; k < n; k++)
            if (f->D[k] != 0) ts_form_pair(model, k, slot_l + axis, -f->D[k]);
        ts_form_linear(model, slot_y, v3_scale(-1, v3_axis(axis)));
        ts_model_row(model, -1, false, "motion of material");
    }
}

static void add_turn(ts_model *model, const flow *f, const root *l, int y, double mass) {
    int node[2 * TS_LINE_NODES + 2], n = f->nodes;
    for (int k = 0; k < n; k++) node[k] = f->node[k];
    node[n] = y, node[n + 1] = l->node[0];
    ts_model_site(model, TS_ROLE_LAW, n + 2, node);
    ts_form_new(model, 0);
    ts_form_linear(model, n + 1, v3_axis(0));
    for (int axis = 0; axis < 3; axis++) {
        ts_form_new(model, 0);
        for (int k = 0; k < n; k++)
            ts_form_linear(model, k, v3_scale((k == 0) + f->D[k], v3_axis(axis)));
    }
    for (int axis = 0; axis < 3; axis++) {
        ts_form_new(model, 0);
        ts_form_linear(model, n, v3_axis(axis));
    }
    ts_model_number(model, mass);
    ts_model_law(model, &TURN);
}

static int add_flow(ts_model *model, const flow *f, const root *l, double mass) {
    v3 v = v3_scale(l->value, model->nodes[f->node[0]].velocity);
    int y = inner_node(model, v3_make(0, 0, 0), v3_axpy(-l->rate, sum_of(model, f), v));
    ts_model_mass(model, y, mass, v3_make(0, 0, 0), (m3){0});
    add_rows(model, f, l, y);
    add_turn(model, f, l, y, mass);
    return y;
}

/* Adds the mass that flows at a place: its momentum counts. */
static void add_material(ts_model *model, const flow *f, const root *l, double mass) {
    int y = add_flow(model, f, l, mass);
    model->nodes[y].moves = f->node[0], model->nodes[y].root = l->node[0];
}

/* ---- the cable ---- */

static int nodes_of(const ts_winch *w) { return w->elements * (w->per_element - 1) + 1; }

/* Number of elements from the mouth to node j. */
static double elements_to(const ts_winch *w, int j) {
    int steps = w->per_element - 1, element = j / steps;
    if (element == w->elements) return element;
    return element + 0.5 * (1 + ts_lobatto_point(w->per_element)[j - element * steps]);
}

/* dr/ds at node j, s in elements from the mouth; the mean of both sides where elements meet. */
static flow slope_at(const ts_winch *w, int j) {
    int n = w->per_element, steps = n - 1, first = (j > 0 ? j - 1 : 0) / steps;
    int last = j < w->elements * steps ? j / steps : w->elements - 1;
    flow f = {.node = {w->first + j}, .nodes = 1};
    for (int element = first; element <= last; element++) {
        double N[TS_LINE_NODES], dN[TS_LINE_NODES];
        int begins = element * steps;
        ts_line_shape(n, ts_lobatto_point(n)[j - begins], N, dN);
        for (int k = 0; k < n; k++)
            add_to_flow(&f, w->first + begins + k, 2 * dN[k] / (last - first + 1));
    }
    return f;
}

/* Of the material at node j, with a = N - s: D = -2 a dr/ds. */
static flow flow_at(const ts_winch *w, int j) {
    double a = w->elements - elements_to(w, j);
    flow f = slope_at(w, j);
    if (a == 0) f.nodes = 1;
    for (int k = 0; k < f.nodes; k++) f.D[k] *= -2 * a;
    return f;
}

/* As drawn, material moves along the cable from the mouth: nodes move with the share of it that
 * corresponds to their distance from the mouth. */
static void set_velocities(const ts_winch *w) {
    for (int j = 1; j < nodes_of(w); j++) {
        flow slope = slope_at(w, j);
        v3 *v = &w->model->nodes[w->first + j].velocity, along = sum_of(w->model, &slope);
        *v = v3_axpy(w->rate * elements_to(w, j) / w->length, along, *v);
    }
}

static void add_point(const ts_winch *w, int element, int gauss, const root *l) {
    ts_model *model = w->model;
    int n = w->per_element, points = n - 1, node[TS_LINE_NODES + 1];
    double xi = ts_gauss_point(points)[gauss], share = 0.5 * ts_gauss_weight(points)[gauss];
    double N[TS_LINE_NODES], dN[TS_LINE_NODES], vectors[2 * (TS_LINE_NODES + 1)] = {0};
    double L = w->length / w->elements;
    ts_line_shape(n, xi, N, dN);
    for (int k = 0; k < n; k++) {
        node[k] = w->first + element * points + k;
        vectors[n + 1 + k] = 2 * share * dN[k];
    }
    node[n] = l->node[0], vectors[n] = 1;
    ts_model_site(model, TS_ROLE_LAW, n + 1, node);
    ts_model_vectors(model, 2, vectors);
    ts_form_new(model, 0);
    ts_form_pair(model, 0, 0, share);
    ts_form_new(model, 0);
    ts_form_pair(model, 1, 1, 1);
    ts_model_number(model, w->EA);
    ts_model_number(model, share * L);
    ts_model_law(model, &TS_ROPE_ELEMENT_LAW);
    double arc = (element + 0.5 * (1 + xi)) * L;
    ts_model_station(model, (ts_station){.kind = TS_STATION_LINE, .weight = share * L, .arc = arc});
}

/* The share of a node in the mass of an element. */
static double share_of(const ts_winch *w, int j) {
    int steps = w->per_element - 1, k = j % steps;
    bool end = j == 0 || j == w->elements * steps;
    return 0.5 * ts_lobatto_weight(w->per_element)[k] * (k == 0 && !end ? 2 : 1);
}

/* Adds the weight of a length, the square of a root, at a node. */
static void add_weight(const ts_winch *w, int node, const root *l, double mass) {
    ts_model *model = w->model;
    v3 g = model->gravity, mouth = model->nodes[w->first].x;
    if (!(v3_norm(g) > 0)) return;
    ts_model_site(model, TS_ROLE_LAW, 2, (int[]){node, l->node[0]});
    ts_form_new(model, 0);
    ts_form_pair(model, 1, 1, 1);
    ts_form_new(model, v3_dot(g, mouth));
    ts_form_linear(model, 0, v3_scale(-1, g));
    double high = -v3_dot(g, v3_sub(model->nodes[node].x, mouth));
    ts_model_number(model, mass);
    ts_model_number(model, mass * l->value * l->value * high);
    ts_model_law(model, &WEIGHT);
}

static void add_length(const ts_winch *w, int p, double whole) {
    ts_model *model = w->model;
    hold_across(model, p, 0);
    ts_model_coordinate(model, "length", false, 1, &p);
    ts_form_component(model, v3_axis(0), ts_combo_point(0, v3_make(0, 0, 0)), 0);
    ts_model_slide(model, (ts_slide){.node = p,
                                     .low = 1e-3 * whole,
                                     .high = 0.999 * whole,
                                     .on = model->parts_count - 1});
}

void ts_winch_cable(const ts_winch *w) {
    ts_model *model = w->model;
    int N = w->elements;
    double whole = w->length + w->stored;
    set_velocities(w);
    root l = root_of(model, w->length / N, w->rate / N);
    root m = root_of(model, w->stored, -w->rate);
    int p = number_node(model, 0, w->length, w->rate);
    for (int j = 0; j < N; j++)
        for (int g = 0; g < w->per_element - 1; g++) add_point(w, j, g, &l);
    tie_root(model, &l, p, N, -1, 0);
    tie_root(model, &m, p, 1, 1, whole);
    for (int j = 0; j < nodes_of(w); j++) {
        double mass = w->mass * share_of(w, j);
        flow f = flow_at(w, j);
        add_material(model, &f, &l, mass);
        add_weight(w, w->first + j, &l, mass);
    }
    add_material(model, &(flow){{w->first}, 1, {0}}, &m, w->mass);
    add_flow(model, &(flow){{p}, 1, {0}}, &m, w->mass);
    add_weight(w, w->first, &m, w->mass);
    add_length(w, p, whole);
}

bool ts_line_flows(const ts_model *model, int part) {
    const ts_part *p = &model->parts[part];
    return p->kind == &TS_KIND_CABLE && p->coordinates > 0;
}
