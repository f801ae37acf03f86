/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a part that slides along a beam or a cable.
 *
 * An element has n nodes; x = 0 ... 1 along it. The path is a polynomial of x,
 *
 *     r = sum_a N_a(x) x_a                               3 or 4 nodes, and cables: Lagrange's
 *     r = H_1 x_1 + H_2 x_2 + L (K_1 t_1 + K_2 t_2)      two-noded beams: Hermite's, t = d_1
 *
 * (so beams of two nodes have no kinks at nodes), and so are the axes along which the point P of
 * the body stays on it,
 *
 *     y = B(x).(P - r(x)) ,     B = (1 - x) d_first + x d_last .
 *
 * The coefficients of x^0, x^1 ... in y are forms; of a window of elements they are the forms of a
 * site, and TS_PATH_ROW takes those of the element where s is. A cable has no axes of its own: the
 * axes of the sliding body are used, or, for a point mass, those of the ground. The rows e.D(x), D
 * = sum N_a d_a, keep the axes of a body along those of a beam.
 */
#include <math.h>
#include <string.h>

#include "laws/path_row.h"
#include "math/shape.h"
#include "parts/sliding/sliding.h"

enum { SIDE_S, SIDE_BODY, SIDE_CHAIN, POWERS = TS_LINE_NODES, MOST_SAMPLES = 8 };

typedef struct chain {
    const ts_model *model;
    int part, first;     /* node */
    int elements, nodes; /* of an element */
    bool frames;
} chain;

/* ---- elements of a line ---- */

bool ts_is_line(const ts_model *model, int part) {
    const ts_part *p = &model->parts[part];
    return p->stations > 0 && p->kind->look == TS_LOOK_LINES;
}

static chain chain_of(const ts_model *model, int part) {
    const ts_part *p = &model->parts[part];
    chain c = {.model = model, .part = part, .first = p->node};
    c.nodes = model->sites[p->site].nodes;
    c.elements = (p->nodes - 1) / (c.nodes - 1);
    c.frames = model->nodes[p->node].slots > 1;
    return c;
}

/* Arc lengths as drawn, unstretched: those of the stations. */
static double length_of(const chain *c, int element) {
    const ts_part *p = &c->model->parts[c->part];
    int each = p->stations / c->elements;
    double length = 0;
    for (int i = 0; i < each; i++)
        length += c->model->stations[p->station + element * each + i].weight;
    return length;
}

static double start_of(const chain *c, int element) {
    double s = 0;
    for (int e = 0; e < element; e++) s += length_of(c, e);
    return s;
}

/* ---- polynomials ---- */

/* A vector along an element: for each power of x a weight of each slot of its nodes. */
typedef struct vector {
    int degree;
    double weight[POWERS][TS_LINE_NODES][4];
} vector;

/* Coefficients of Lagrange's functions of the nodes, in x. */
static void lagrange(int nodes, double N[TS_LINE_NODES][POWERS]) {
    const double *xi = ts_lobatto_point(nodes);
    for (int a = 0; a < nodes; a++) {
        double c[POWERS + 1] = {1};
        for (int b = 0, degree = 0; b < nodes; b++) {
            if (b == a) continue;
            double root = 0.5 * (1 + xi[b]), by = 2 / (xi[a] - xi[b]);
            for (int m = ++degree; m >= 0; m--)
                c[m] = by * ((m ? c[m - 1] : 0) - root * (m < degree ? c[m] : 0));
        }
        memcpy(N[a], c, sizeof N[a]);
    }
}

static vector interpolated(const chain *c, int slot) {
    vector v = {.degree = c->nodes - 1};
    double N[TS_LINE_NODES][POWERS];
    lagrange(c->nodes, N);
    for (int a = 0; a < c->nodes; a++)
        for (int m = 0; m <= v.degree; m++) v.weight[m][a][slot] = N[a][m];
    return v;
}

static vector path_of(const chain *c, int element) {
    static const double H[4] = {1, 0, -3, 2}, K[2][4] = {{0, 1, -2, 1}, {0, 0, -1, 1}};
    if (!c->frames || c->nodes > 2) return interpolated(c, 0);
    double L = length_of(c, element);
    vector v = {.degree = 3};
    for (int m = 0; m < 4; m++) {
        v.weight[m][0][0] = H[m], v.weight[m][1][0] = (m == 0) - H[m];
        for (int a = 0; a < 2; a++) v.weight[m][a][1] = L * K[a][m];
    }
    return v;
}

/* From the first to the last node. */
static vector linear(const chain *c, int slot) {
    vector v = {.degree = 1};
    v.weight[0][0][slot] = 1, v.weight[1][0][slot] = -1;
    v.weight[1][c->nodes - 1][slot] = 1;
    return v;
}

/* The coefficient of x^m, times a factor; `side`: of the first node of the element. */
static ts_combo term(const chain *c, const vector *v, int m, double factor, int side) {
    ts_combo out = {0};
    for (int a = 0; a < c->nodes && m >= 0 && m <= v->degree; a++)
        for (int k = 0; k < 4; k++) {
            if (v->weight[m][a][k] == 0) continue;
            out.slot[out.count] = (int16_t)(4 * (side + a) + k);
            out.weight[out.count++] = factor * v->weight[m][a][k];
        }
    return out;
}

/* ---- as drawn ---- */

/* The vector and its slope by x, of places and directors or of their rates. */
static v3 value_of(const chain *c, int element, const vector *v, double x, bool rate, v3 *slope) {
    v3 sum = {0, 0, 0};
    *slope = sum;
    for (int a = 0; a < c->nodes; a++) {
        const ts_node *n = &c->model->nodes[c->first + element * (c->nodes - 1) + a];
        for (int k = 0; k < n->slots; k++) {
            v3 q = k ? n->D.c[k - 1] : n->x;
            if (rate) q = k ? v3_cross(n->omega, n->D.c[k - 1]) : n->velocity;
            double value = 0, by = 0;
            for (int m = v->degree; m >= 0; m--)
                by = by * x + value, value = value * x + v->weight[m][a][k];
            sum = v3_axpy(value, q, sum), *slope = v3_axpy(by, q, *slope);
        }
    }
    return sum;
}

typedef struct spot {
    int element;
    double x, distance;
} spot;

static void look(const chain *c, int element, double x, v3 at, spot *best) {
    vector r = path_of(c, element);
    v3 slope, off = v3_sub(at, value_of(c, element, &r, x, false, &slope));
    for (int k = 0; k < 30; k++) {
        double step = v3_dot(off, slope) / v3_dot(slope, slope);
        x = fmin(fmax(x + step, 0), 1);
        off = v3_sub(at, value_of(c, element, &r, x, false, &slope));
        if (fabs(step) < 1e-15) break;
    }
    if (v3_norm(off) < best->distance) *best = (spot){element, x, v3_norm(off)};
}

static m3 axes_at(const chain *c, const spot *at, v3 along) {
    v3 z = v3_normalize(along), slope;
    vector across = interpolated(c, 2);
    v3 other = c->frames         ? value_of(c, at->element, &across, at->x, false, &slope)
               : fabs(z.x) < 0.9 ? v3_axis(0)
                                 : v3_axis(1);
    v3 x = v3_normalize(v3_axpy(-v3_dot(other, z), z, other));
    return m3_cols(x, v3_cross(z, x), z);
}

void ts_line_foot(const ts_model *model, int part, v3 at, ts_foot *foot) {
    chain c = chain_of(model, part);
    spot best = {.distance = HUGE_VAL};
    for (int e = 0; e < c.elements; e++)
        for (int i = 0; i <= MOST_SAMPLES; i++) look(&c, e, (double)i / MOST_SAMPLES, at, &best);
    vector r = path_of(&c, best.element);
    double L = length_of(&c, best.element);
    v3 unused;
    foot->place = value_of(&c, best.element, &r, best.x, false, &foot->slope);
    foot->velocity = value_of(&c, best.element, &r, best.x, true, &unused);
    foot->slope = v3_scale(1 / L, foot->slope);
    foot->s = start_of(&c, best.element) + best.x * L;
    foot->axes = axes_at(&c, &best, foot->slope);
}

/* ---- forms ---- */

typedef struct row {
    ts_pull pull;
    int axis;  /* of the path, 2 along it */
    bool turn; /* orientation: axis `with` of the body */
    int with;
} row;

/* Slot of the director that is axis k of a beam's path. */
static int slot_of(int axis) { return axis == 2 ? 1 : axis + 2; }

static ts_combo point_term(const chain *c, const ts_slider *slider, const vector *r, int m,
                           int side) {
    ts_combo off = term(c, r, m, -1, side);
    if (m != 0) return off;
    ts_combo point = ts_combo_point(SIDE_BODY, slider->point);
    for (int k = 0; k < point.count; k++, off.count++)
        off.slot[off.count] = point.slot[k], off.weight[off.count] = point.weight[k];
    return off;
}

/* Of an element, one form for each power of x; how many. */
static int place_forms(ts_model *model, const chain *c, const ts_slider *slider, int element,
                       int axis, int side) {
    vector r = path_of(c, element), B = linear(c, slot_of(axis));
    ts_combo own = ts_combo_direction(SIDE_BODY, slider->frame.c[axis]);
    int degree = r.degree + (c->frames ? 1 : 0);
    for (int m = 0; m <= degree; m++) {
        ts_combo u = point_term(c, slider, &r, m, side);
        if (!c->frames && !slider->turns) {
            ts_form_component(model, v3_axis(axis), u, 0);
            continue;
        }
        ts_form_new(model, 0);
        ts_form_plus_dot(model, 1, c->frames ? term(c, &B, 0, 1, side) : own, u);
        if (c->frames && m > 0)
            ts_form_plus_dot(model, 1, term(c, &B, 1, 1, side),
                             point_term(c, slider, &r, m - 1, side));
    }
    return degree + 1;
}

static int turn_forms(ts_model *model, const chain *c, const ts_slider *slider, const row *x,
                      int side) {
    vector D = interpolated(c, slot_of(x->axis));
    ts_combo own = ts_combo_direction(SIDE_BODY, slider->frame.c[x->with]);
    for (int m = 0; m <= D.degree; m++) ts_form_dot(model, 1, own, term(c, &D, m, 1, side), 0);
    return D.degree + 1;
}

/* The weight of form m of piece p is x^m there, and zero elsewhere. */
static void add_numbers(ts_model *model, const chain *c, int first, int pieces, int each) {
    int weights = 1 + pieces * each;
    double s = start_of(c, first);
    double head[] = {weights, pieces, each - 1, 0, s};
    for (int i = 0; i < 5; i++) ts_model_number(model, head[i]);
    for (int p = 0; p < pieces; p++) ts_model_number(model, s += length_of(c, first + p));
    for (int p = 0; p < pieces; p++)
        for (int k = 0; k < weights; k++)
            for (int m = 0; m < each; m++) ts_model_number(model, k == 1 + p * each + m);
}

static void add_window(ts_model *model, const chain *c, const ts_slider *slider, const row *x,
                       int first, int pieces) {
    int each = 0;
    ts_form_component(model, v3_axis(0), ts_combo_point(SIDE_S, v3_make(0, 0, 0)), 0);
    for (int p = 0; p < pieces; p++) {
        int side = SIDE_CHAIN + p * (c->nodes - 1);
        each = x->turn ? turn_forms(model, c, slider, x, side)
                       : place_forms(model, c, slider, first + p, x->axis, side);
    }
    add_numbers(model, c, first, pieces, each);
}

/* ---- windows ---- */

/* The number of elements for which a site has room. */
static int window_size(const chain *c, const ts_slider *slider) {
    int pieces = c->elements, slots = c->frames ? 4 : 1;
    int forms = path_of(c, 0).degree + (c->frames ? 2 : 1);
    int own = 1 + c->model->nodes[slider->body].slots;
    while (pieces > 1 && (1 + pieces * forms > TS_MAX_FORMS ||
                          SIDE_CHAIN + pieces * (c->nodes - 1) + 1 > TS_MAX_NODES ||
                          own + slots * (pieces * (c->nodes - 1) + 1) > TS_MAX_SLOTS))
        pieces--;
    return pieces;
}

static int nodes_of(const chain *c, const ts_slider *slider, int first, int pieces, int *node) {
    int count = pieces * (c->nodes - 1) + 1;
    node[SIDE_S] = slider->node, node[SIDE_BODY] = slider->body;
    for (int k = 0; k < count; k++) node[SIDE_CHAIN + k] = c->first + first * (c->nodes - 1) + k;
    return SIDE_CHAIN + count;
}

/* Site k in each of its windows, and then as drawn. */
static void add_site(ts_model *model, const chain *c, const ts_slider *slider, const row *x,
                     const ts_slide *slide) {
    int node[TS_MAX_NODES], nodes = nodes_of(c, slider, 0, slide->per, node);
    int site = ts_model_site(model, TS_ROLE_ROWS, nodes, node), made = 0;
    ts_model_rowlaw(model, &TS_PATH_ROW);
    ts_path_row(model, x->pull, x->turn ? 3 - x->axis - x->with : x->axis);
    for (int w = 0; w < slide->windows; w++) {
        nodes = nodes_of(c, slider, w, slide->per, node);
        if (w > 0) ts_model_site_again(model, site, nodes, node);
        add_window(model, c, slider, x, w, slide->per);
        int window = ts_model_window(model, site);
        if (w == slide->drawn) made = window;
    }
    ts_window d = model->windows[made];
    ts_site *s = &model->sites[site];
    s->node = d.node, s->nodes = d.nodes, s->ambient = d.ambient, s->slots = d.slots;
    s->form = d.form, s->forms = d.forms, s->data = d.data;
}

/* The window with s in its middle. */
static int drawn_window(const chain *c, const ts_slide *slide, double s) {
    int w = 0;
    while (w + 1 < slide->windows && 2 * s > start_of(c, w + 1) + start_of(c, w + slide->per)) w++;
    return w;
}

void ts_line_rows(ts_model *model, const ts_slider *slider, double s) {
    chain c = chain_of(model, slider->on);
    ts_slide slide = {.node = slider->node, .on = slider->on, .sites = slider->follows ? 6 : 3};
    slide.per = window_size(&c, slider);
    slide.windows = c.elements - slide.per + 1;
    slide.high = start_of(&c, c.elements);
    slide.bounds = model->numbers_count;
    for (int e = 0; e <= c.elements; e++) ts_model_number(model, start_of(&c, e));
    slide.drawn = drawn_window(&c, &slide, s);
    slide.memory = ts_model_memory(model, 1);
    slide.first = model->windows_count;
    ts_pull pull = c.frames || slider->turns ? TS_PULL_FORCE : TS_PULL_GLOBAL;
    for (int k = 0; k < 3; k++)
        add_site(model, &c, slider, &(row){.pull = pull, .axis = k}, &slide);
    for (int k = 0; k < 3 && slider->follows; k++)
        add_site(model, &c, slider,
                 &(row){TS_PULL_MOMENT, TS_FOLLOWS[k].of, true, TS_FOLLOWS[k].with}, &slide);
    ts_model_slide(model, slide);
}
