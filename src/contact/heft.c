/* SPDX-License-Identifier: Apache-2.0 */
/* How stiff a contact should be, and the duration and depth of an impact with its stiffness.
 *
 * The law (laws/penetration.c) determines the duration and depth of an impact of two shapes with
 * the reduced mass m at the speed v; with a linear law the depth is v sqrt(m/k).
 *
 * The speed is that of a fall over the extent of all shapes that move, or their speed as drawn or
 * in a state, where drives move them, too. The automatic stiffness allows a depth of 1 % of half
 * the thinnest shape, and at most a tenth of its radius, because cores must not meet. Rotation is
 * neglected: m is the mass of bodies; for flexible shapes, the mass of one of their points.
 *
 * The effective mass m of a pair within a step is, with G the gradient of the gap:
 *
 *     1/m = G M^-1 G^T ,     of a body |f|^2/m + t . J^-1 t ,
 *
 * f = force and t = moment about the centre of mass that G^T exerts on the body. Joints are
 * neglected.
 */
#include "contact/heft.h"

#include <math.h>

#include "contact/touching.h"

static const double SHARE = 0.01, SHARE_OF_RADIUS = 0.1;

/* ---- a shape ---- */

static bool has_size(const ts_shape *s) { return !s->plane && !(s->hollow > 0); }

/* Mass of a shape's points, or of the body that carries them; INFINITY: fixed. */
static double mass_of(const ts_model *model, const ts_shape *s) {
    if (!s->flexible) {
        const ts_node *node = &model->nodes[s->node];
        return node->fixed ? INFINITY : node->mass[0][0];
    }
    double sum = 0;
    for (int i = 0; i < s->points; i++) {
        const ts_woven *w = &model->woven[s->woven + i];
        for (int k = 0; k < w->nodes; k++)
            sum += w->weight[k] * model->nodes[w->node[k]].mass[0][0];
    }
    return s->points > 0 ? sum / s->points : 0;
}

static v3 point_of(const ts_model *model, const ts_shape *s, int i) {
    v3 p = model->shape_points[s->point + i];
    if (s->flexible) return p;
    const ts_node *node = &model->nodes[s->node];
    return v3_add(node->x, node->kind == TS_NODE_FRAME ? m3_apply(node->D, p) : p);
}

/* Extents along the axes of its body, with its radius. */
static void extents_of(const ts_model *model, const ts_shape *s, double out[3]) {
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < s->points; i++) {
            double x = v3_get(model->shape_points[s->point + i], k);
            low = fmin(low, x), high = fmax(high, x);
        }
        out[k] = high - low + 2 * (s->radius + s->ring);
    }
}

static double half_of(const ts_model *model, const ts_shape *s) {
    double extent[3];
    if (s->flexible && s->radius > 0) return s->radius;
    extents_of(model, s, extent);
    double least = fmin(extent[0], fmin(extent[1], extent[2]));
    double most = fmax(extent[0], fmax(extent[1], extent[2]));
    return least > 0 ? 0.5 * least : SHARE * most;
}

static const ts_node *carrier(const ts_model *model, const ts_shape *s) {
    return &model->nodes[s->flexible ? model->woven[s->woven].node[0] : s->node];
}

/* Motion of a node as drawn, or with the rates v at its slots: velocity of its centre, and spin.
 * The rates of the directors are w x d_k, so w is half of the sum of d_k x (w x d_k). */
static void motion_of(const ts_node *node, const double *q, const double *v, v3 *speed, v3 *spin) {
    *speed = node->velocity, *spin = node->omega;
    if (!v) return;
    *speed = v3_load(v + 3 * node->slot), *spin = v3_make(0, 0, 0);
    for (int k = 1; node->kind == TS_NODE_FRAME && k < 4; k++) {
        size_t at = 3 * ((size_t)node->slot + (size_t)k);
        *spin = v3_axpy(0.5, v3_cross(v3_load(q + at), v3_load(v + at)), *spin);
    }
}

/* The largest speed of its points, as drawn or in a state. */
static double speed_of(const ts_model *model, const ts_shape *s, const double *q, const double *v) {
    const ts_node *node = carrier(model, s);
    v3 speed, spin;
    double most = 0;
    motion_of(node, q, v, &speed, &spin);
    for (int i = 0; i < s->points; i++) {
        v3 arm = s->flexible ? v3_make(0, 0, 0) : v3_sub(point_of(model, s, i), node->x);
        most = fmax(most, v3_norm(v3_add(speed, v3_cross(spin, arm))));
    }
    return most + v3_norm(spin) * (s->radius + s->ring);
}

/* ---- all of a contact ---- */

typedef struct side {
    double heaviest, second; /* of what moves */
    bool fixed;
} side;

static void weigh(side *s, double mass) {
    if (!isfinite(mass)) {
        s->fixed = true;
        return;
    }
    s->second = fmax(s->second, fmin(mass, s->heaviest));
    s->heaviest = fmax(s->heaviest, mass);
}

static double reduced(double a, double b) { return a + b > 0 ? a * b / (a + b) : 0; }

static double mass_felt(const side s[2], bool among) {
    if (among) return s[0].fixed ? s[0].heaviest : reduced(s[0].heaviest, s[0].second);
    double m = reduced(s[0].heaviest, s[1].heaviest);
    if (s[1].fixed) m = fmax(m, s[0].heaviest);
    return s[0].fixed ? fmax(m, s[1].heaviest) : m;
}

static void widen(const ts_model *model, const ts_shape *s, double low[3], double high[3]) {
    for (int i = 0; i < s->points; i++) {
        v3 p = point_of(model, s, i);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], v3_get(p, k) - s->radius);
            high[k] = fmax(high[k], v3_get(p, k) + s->radius);
        }
    }
}

ts_heft ts_heft_of(const ts_model *model, int contact, const double *q, const double *v) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    side of[2] = {{.fixed = false}};
    bool among = model->contacts[contact].among;
    ts_heft x = {.size = INFINITY, .radius = INFINITY};
    double extent = 0;
    for (int i = 0; i < model->memberships_count; i++) {
        const ts_membership *m = &model->memberships[i];
        const ts_shape *s = &model->shapes[m->shape];
        if (m->contact != contact) continue;
        double mass = mass_of(model, s);
        weigh(&of[among ? 0 : m->side], mass);
        if (has_size(s)) x.size = fmin(x.size, half_of(model, s));
        if (has_size(s) && s->radius > 0) x.radius = fmin(x.radius, s->radius);
        if (!isfinite(mass) || !has_size(s)) continue;
        x.speed = fmax(x.speed, speed_of(model, s, NULL, NULL));
        if (v) x.speed = fmax(x.speed, speed_of(model, s, q, v));
        widen(model, s, low, high);
    }
    for (int k = 0; k < 3 && high[k] > low[k]; k++) extent = hypot(extent, high[k] - low[k]);
    x.mass = mass_felt(of, among);
    x.speed = fmax(x.speed, sqrt(2 * v3_norm(model->gravity) * extent));
    return x;
}

double ts_heft_stiffness(const ts_heft *x) {
    double deep = fmin(SHARE * x->size, SHARE_OF_RADIUS * x->radius);
    if (!isfinite(deep) || !(x->mass > 0 && x->speed > 0 && deep > 0)) return 0;
    return x->mass * x->speed * x->speed / (deep * deep);
}

/* The first shapes of both sides represent all: exact if radii are equal. */
static ts_contact_law law_of(const ts_model *model, int contact) {
    int shape[2] = {-1, -1};
    bool among = model->contacts[contact].among;
    for (int i = 0; i < model->memberships_count; i++) {
        const ts_membership *m = &model->memberships[i];
        if (m->contact != contact) continue;
        int at = among ? shape[0] >= 0 : m->side;
        if (shape[at] < 0) shape[at] = m->shape;
    }
    if (shape[1] < 0) shape[1] = shape[0]; /* a line that touches itself */
    return ts_contact_law_of(model, contact, shape);
}

ts_impact ts_heft_impact(const ts_model *model, int contact, const ts_heft *x) {
    const double *number = model->numbers + model->contacts[contact].data;
    if (number[TS_CONTACT_SPREAD] > 0 || !(x->mass > 0)) return (ts_impact){0};
    ts_contact_law law = law_of(model, contact);
    double mass = x->mass / law.stiffness, v = x->speed / law.unit, slope;
    double sinks = law.unit * law.elastic->sinks(mass * v3_norm(model->gravity) / law.unit);
    if (!(v > 0)) return (ts_impact){.sinks = sinks};
    double deep = law.unit * law.elastic->deepest(mass, v);
    double force = -ts_contact_force(&law, -deep, -deep, &slope);
    return (ts_impact){force / deep, law.elastic->lasts(mass, v), deep, sinks};
}

/* ---- a pair within a step ---- */

/* Inverse mass of a node under forces at its slots, as if it were free. */
static double mobility(const ts_node *node, const double *q, const v3 F[4]) {
    double m = node->mass[0][0];
    if (node->fixed || !(m > 0)) return 0;
    double sum = v3_dot(F[0], F[0]) / m;
    if (node->kind != TS_NODE_FRAME) return sum;
    v3 centre = {0, 0, 0}, moment = {0, 0, 0}, d[4];
    m3 E = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int k = 1; k < 4; k++) {
        d[k] = v3_load(q + 3 * k);
        centre = v3_axpy(node->mass[0][k] / m, d[k], centre);
        moment = v3_add(moment, v3_cross(d[k], F[k]));
    }
    for (int k = 1; k < 4; k++)
        for (int j = 1; j < 4; j++) {
            double e = node->mass[k][j] - node->mass[0][k] * node->mass[0][j] / m;
            v3 by = v3_scale(e, d[j]);
            E = m3_add(E,
                       m3_cols(v3_scale(by.x, d[k]), v3_scale(by.y, d[k]), v3_scale(by.z, d[k])));
        }
    double trace = v3_get(E.c[0], 0) + v3_get(E.c[1], 1) + v3_get(E.c[2], 2);
    m3 J = m3_sub(m3_scale(trace, m3_identity()), E);
    v3 about = v3_sub(moment, v3_cross(centre, F[0]));
    double turn = v3_dot(about, m3_tapply(m3_invt(J), about));
    return isfinite(turn) && turn > 0 ? sum + turn : sum;
}

double ts_pair_inverse_mass(const ts_model *model, const ts_near *near, const double *q,
                            ts_contact_step *x) {
    double sum = 0;
    x->normal = 1, x->friction = x->arm[0] = x->arm[1] = v3_make(0, 0, 0);
    for (int n = 0; n < near->nodes; n++) {
        const ts_node *node = &model->nodes[near->node[n]];
        v3 F[4] = {{0, 0, 0}};
        ts_pair_forces(model, near, x, near->node[n], F);
        sum += mobility(node, q + 3 * node->slot, F);
    }
    return sum;
}

/* ---- bodies at rest ---- */

double ts_pair_radii(const ts_model *model, const ts_near *near) {
    const int *shape = near->key.shape;
    return model->shapes[shape[0]].radius + model->shapes[shape[1]].radius;
}

/* The speed sqrt(2 V/m) at which it would have had to come for what it stores. */
static double speed_stored(const ts_model *model, const ts_near *near, const double *q,
                           const double *none, double gap) {
    ts_contact_law law = ts_pair_law(model, near);
    ts_contact_step x = {0};
    v3 origin;
    if (!(law.loss > 0) || !(-gap > TS_GAP_ROUNDING * ts_pair_radii(model, near))) return 0;
    if (!ts_pair_over(model, near, q, none, &x, &origin)) return 0;
    double inverse = ts_pair_inverse_mass(model, near, q, &x);
    return sqrt(2 * inverse * ts_contact_elastic(&law, gap));
}

double ts_pair_speed_at_rest(const ts_model *model, const ts_near *near, const double *q,
                             const double *none, double gap, double h) {
    return 0.5 * fmax(v3_norm(model->gravity) * h, speed_stored(model, near, q, none, gap));
}
