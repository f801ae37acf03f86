/* SPDX-License-Identifier: Apache-2.0 */
/* A cable with mass on a winch: material enters and leaves at its beginning, the mouth.
 *
 * Nodes a = 0 ... N from the free end to the mouth are not material points: the unstretched length
 * outside, p = N L, is the same between all of them at any time. What is at node a has the place
 * S = a L from the end, and moves with (arbitrary Lagrangian-Eulerian description)
 *
 *     V_a = r_a' - (L'/L) D_a/2 ,      D_a = a (r_{a+1} - r_{a-1}) ,  D_N = 2 N (r_N - r_{N-1}) .
 *
 * The kinetic energy sum of (rho L/2) |V_a|^2, halves at both ends, has a mass that changes. With
 * the root l of L it is sum (rho/2) |y_a'|^2, a constant one, of
 *
 *     y' = l r' - l' D ,                                                                       (y)
 *
 * which is no rate of a function of places. But it is a row of the kind A(q) v = 0 with A linear in
 * q, as that of a rolling disk is; so y_a is a node with the mass rho (a quasi-coordinate), l and
 * the rows stand for the rest. Lagrange's equations of T(q, q'), y' = B(q, q') being bilinear, have
 * besides what these rows do the forces
 *
 *     rho y' . [ B(q', w) - B(w, q') ]    along w:      on r + D:   rho l' y' ,
 *                                                       on l:      -rho y' . (r + D)'
 *
 * which do no work (TURN below). Over a step y', l', (r + D)' are differences over h, and their
 * work is zero exactly. So EP and ED keep their energy equation, and nothing in them is new.
 *
 * What is on the drum moves along with p' and with the mouth: a mass rho M, M the length stored.
 * M + p is constant, and m = root of M makes quasi-coordinates of it in the same way, z' = m r_N',
 * x' = m p'. It is the drum's share of the balance: the mass that leaves it brings its momentum
 * along. Without it a thrust rho p'^2/2 would be missing at the mouth. Energy is kept where
 * material passes the mouth, also around its corner and into its stretch.
 *
 * An element stores EA <w - L>^2/(2 L), w its length (laws/rope_law.c). Weights have the energy
 * -rho L g.(r - mouth as drawn), a product of forms.
 *
 * Hong and Ren, Multibody System Dynamics 26 (2011) 91, and Escalona, Mechanism and Machine Theory
 * 112 (2017) 1, have cables of this description; the root, the rows and the exact step are ours.
 */
#include "parts/lines/winch.h"

#include <math.h>

#include "laws/rope_law.h"

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

/* Forms: a length, and how high it is, times g; numbers: mass per length, energy as drawn. */
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

/* Forms: L, w^2; numbers: EA, the weight of the station. */
static double stretch_energy(const double *data, const double *memory, int m, const double *e) {
    return TS_ROPE_LAW.energy(data, memory, m, e);
}
static void respond_stretch(const ts_law_step *step, ts_response *out) {
    TS_ROPE_LAW.respond(step, out);
}
static void stretch_stiffness(const double *data, const double *memory, int m, const double *e,
                              double *K) {
    TS_ROPE_LAW.stiffness(data, memory, m, e, K);
}
/* A slack cable is told without strain. */
static double strain_of(const double *e) { return fmax(sqrt(e[1]) / e[0] - 1, 0); }

static void stretch_section(const double *data, const double *e, int point, double *strain,
                            double *force) {
    (void)point;
    strain[0] = strain_of(e);
    force[0] = data[1] * data[0] * strain[0];
}

static bool stretch_section_stiffness(const double *data, int point, double *K) {
    for (int i = 0; i < 36; i++) K[i] = 0;
    return K[0] = data[0] * data[1], point == 0;
}

/* With ED's jump of the forms over the step. */
static void stretch_over(const ts_law_step *step, const ts_stage_step *rates, int point,
                         double *end, double *half) {
    double e[2];
    (void)point;
    for (int k = 0; k < 6; k++) end[k] = half[k] = 0;
    for (int k = 0; k < 2; k++)
        e[k] =
            step->e_f[k] +
            rates->h / 12 * (rates->alpha * rates->of_a[k] - (rates->edot_f[k] - rates->edot_i[k]));
    end[0] = strain_of(step->e_f), half[0] = strain_of(e) - end[0];
}

static const ts_law STRETCH = {.name = "cable of variable length",
                               .energy = stretch_energy,
                               .respond = respond_stretch,
                               .conserves = conserves,
                               .stiffness = stretch_stiffness,
                               .section = stretch_section,
                               .section_stiffness = stretch_section_stiffness,
                               .strain_over = stretch_over};

/* ---- unknowns ---- */

/* The root of a length, along each of the axes: rows are made of products of vectors. */
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

/* A number along an axis of a node, which rows keep; held at zero across. */
static int number_node(ts_model *model, int axis, double value, double rate) {
    int node = inner_node(model, v3_scale(value, v3_axis(axis)), v3_scale(rate, v3_axis(axis)));
    model->nodes[node].slides = true;
    return node;
}

/* By rows: a stiffness would be seen among the modes, for quasi-coordinates have a mass. */
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

/* Its nodes agree, and times * square + sign * p = sum. */
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
    int node[3], nodes; /* r, and the others that D is of */
    double D[3];
} flow;

static v3 sum_of(const ts_model *model, const flow *f, bool rates) {
    v3 D = {0, 0, 0};
    for (int k = 0; k < f->nodes; k++) {
        const ts_node *node = &model->nodes[f->node[k]];
        D = v3_axpy(f->D[k], rates ? node->velocity : node->x, D);
    }
    return D;
}

static void add_rows(ts_model *model, const flow *f, const root *l, int y) {
    int node[7], n = f->nodes, slot_y = n, slot_l = n + 1;
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
    int node[5], n = f->nodes;
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

static void add_flow(ts_model *model, const flow *f, const root *l, double mass) {
    v3 v = v3_scale(l->value, model->nodes[f->node[0]].velocity);
    int y = inner_node(model, v3_make(0, 0, 0), v3_axpy(-l->rate, sum_of(model, f, false), v));
    ts_model_mass(model, y, mass, v3_make(0, 0, 0), (m3){0});
    add_rows(model, f, l, y);
    add_turn(model, f, l, y, mass);
}

/* ---- the cable ---- */

/* Node j from the mouth on is a = N - j from the end. */
static flow flow_at(const ts_winch *w, int j) {
    int a = w->elements - j, here = w->first + j;
    if (a == 0) return (flow){{here}, 1, {0}};
    if (j == 0) return (flow){{here, here + 1}, 2, {2 * a, -2 * a}};
    return (flow){{here, here - 1, here + 1}, 3, {0, a, -a}};
}

/* As drawn, material goes along the cable from the mouth: nodes do by so much of it as they are
 * away from the mouth. */
static void set_velocities(const ts_winch *w) {
    int N = w->elements;
    ts_node *node = w->model->nodes + w->first;
    for (int j = 1; j <= N; j++) {
        int next = j < N ? j + 1 : j;
        v3 along = v3_scale(N / (w->length * (next - j + 1)), v3_sub(node[next].x, node[j - 1].x));
        node[j].velocity = v3_axpy(w->rate * j / N, along, node[j].velocity);
    }
}

static void add_element(const ts_winch *w, int j, const root *l) {
    ts_model *model = w->model;
    double L = w->length / w->elements, N[6] = {0, 0, 1, -1, 1, 0};
    ts_model_site(model, TS_ROLE_LAW, 3, (int[]){w->first + j, w->first + j + 1, l->node[0]});
    ts_model_vectors(model, 2, N);
    ts_form_new(model, 0);
    ts_form_pair(model, 0, 0, 1);
    ts_form_new(model, 0);
    ts_form_pair(model, 1, 1, 1);
    ts_model_number(model, w->EA);
    ts_model_number(model, L);
    ts_model_law(model, &STRETCH);
    ts_model_station(model,
                     (ts_station){.kind = TS_STATION_LINE, .weight = L, .arc = (j + 0.5) * L});
}

/* Of a length that is the square of a root, at a node. */
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
    for (int j = 0; j < N; j++) add_element(w, j, &l);
    tie_root(model, &l, p, N, -1, 0);
    tie_root(model, &m, p, 1, 1, whole);
    for (int j = 0; j <= N; j++) {
        double mass = w->mass * (j > 0 && j < N ? 1 : 0.5);
        flow f = flow_at(w, j);
        add_flow(model, &f, &l, mass);
        add_weight(w, w->first + j, &l, mass);
    }
    add_flow(model, &(flow){{w->first}, 1, {0}}, &m, w->mass);
    add_flow(model, &(flow){{p}, 1, {0}}, &m, w->mass);
    add_weight(w, w->first, &m, w->mass);
    add_length(w, p, whole);
}

bool ts_line_flows(const ts_model *model, int part) {
    const ts_part *p = &model->parts[part];
    return p->kind == &TS_KIND_CABLE && p->coordinates > 0;
}
