/* SPDX-License-Identifier: Apache-2.0 */
/* Cable: a line that resists only stretching. S1 section 2.
 *
 * Nodes are points, 2, 3 or 4 per element (Gauss-Lobatto). With S the arc length of the unstretched
 * cable, the strain
 *
 *     e = (r'.r' - 1)/2 ,      stretch  l = sqrt(1 + 2 e)
 *
 * is a form, taken at (nodes - 1) Gauss points. Tension is EA (l - 1), Hooke's law: the energy EA
 * (l - 1)^2/2 per unstretched length has over a step the discrete gradient, since de = (l_f^2 -
 * l_i^2)/2,
 *
 *     s = EA (p_f^2 - p_i^2) / (l_f^2 - l_i^2) ,   p = l - 1 ,  or  p = max(l - 1, 0)
 *     when there is tension only,
 *
 * which is EA (l_i + l_f - 2)/(l_i + l_f) if the cable is taut at both ends of the step: no small
 * differences are divided. S1 takes EA e^2/2 instead (`law: green`).
 *
 * Damping acts on the rate of the elongation p, not on that of e: over a step the pull is
 *
 *     P = EA [ (p_i + p_f)/2 + eta (p_f - p_i)/h ] ,    s = P (p_f - p_i)/(e_f - e_i) ,
 *     dissipated  EA eta (p_f - p_i)^2/h ,
 *
 * which goes to zero with p. The force of a damper on e would jump when a slack cable becomes taut,
 * and an equation with a jump may have no solution. A cable with tension only never pushes:
 * negative P is replaced by zero, and the stored energy is dissipated.
 *
 * A cable longer than the distance between its ends is drawn hanging, as a catenary of its length.
 * A shorter one is drawn straight, under tension.
 */
#include <math.h>

#include "base/error.h"
#include "math/shape.h"
#include "model/refine.h"
#include "parts/lines/winch.h"
#include "parts/parts.h"

enum {
    FROM,
    TO,
    EA,
    MASS,
    LENGTH,
    TENSION,
    ELEMENTS,
    ORDER,
    LAW,
    TENSION_ONLY,
    DAMPING,
    HANG,
    VELOCITY,
    SPIN,
    STORED,
    UNWINDING
};

static const char *const LAWS[] = {"hooke", "green", NULL};
enum { HOOKE, GREEN };

static const ts_field FIELDS[] = {
    {.name = "from", .type = TS_PLACE, .required = true, .help = "Start of the cable."},
    {.name = "to", .type = TS_PLACE, .required = true, .help = "End of the line."},
    {.name = "EA",
     .type = TS_NUMBER,
     .dim = TS_DIM_FORCE,
     .required = true,
     .help = "Axial stiffness: tension per strain."},
    {.name = "mass",
     .type = TS_NUMBER,
     .dim = TS_DIM_MASS_PER_LENGTH,
     .required = true,
     .help = "Mass per unstretched length."},
    {.name = "length",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Unstretched length. A cable that is longer than the distance between its ends is "
             "drawn hanging.",
     .fallback = "the distance between its ends"},
    {.name = "tension",
     .type = TS_NUMBER,
     .dim = TS_DIM_FORCE,
     .help = "Tension as drawn, instead of a length.",
     .fallback = "0"},
    {.name = "elements", .type = TS_INTEGER, .help = "Number of elements.", .fallback = "16"},
    {.name = "order",
     .type = TS_INTEGER,
     .help = "Order of interpolation, 1, 2 or 3: elements of 2, 3 or 4 nodes.",
     .fallback = "1"},
    {.name = "law",
     .type = TS_CHOICE,
     .help = "Tension EA (l - 1) of the stretch l, or EA (l^2 - 1) l/2.",
     .choices = LAWS,
     .fallback = "hooke"},
    {.name = "tension_only",
     .type = TS_BOOLEAN,
     .help = "true: a slack cable resists nothing. false: it resists compression like tension.",
     .fallback = "true"},
    {.name = "damping",
     .type = TS_NUMBER,
     .dim = {0, 0, 1, 0},
     .help = "Proportional damping: this time multiplies EA, on the rate of the elongation.",
     .fallback = "0"},
    {.name = "hang",
     .type = TS_AXIS,
     .help = "Direction in which a slack cable hangs as drawn.",
     .fallback = "that of gravity, or -z"},
    {.name = "velocity",
     .type = TS_VECTOR,
     .dim = TS_DIM_VELOCITY,
     .help = "Initial velocity of the start of the line, global axes.",
     .fallback = "0"},
    {.name = "angular_velocity",
     .type = TS_VECTOR,
     .dim = TS_DIM_ANGULAR_VELOCITY,
     .help = "Initial angular velocity of the whole cable as a rigid body, global axes.",
     .fallback = "0"},
    {.name = "stored",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Additional length on a drum at its start. The length outside is then free, for a "
             "motion, a motor or a gear on the coordinate `length`.",
     .fallback = "none: its length is constant"},
    {.name = "unwinding",
     .type = TS_NUMBER,
     .dim = TS_DIM_VELOCITY,
     .help = "With `stored`: the initial rate of the length.",
     .fallback = "0"},
    {0}};

/* ---- the law ---- */

enum {
    STIFFNESS,
    ETA,
    GREENS,
    ONE_SIDED,
    NUMBERS
}; /* stiffness: EA times the length of the station */

static double stretch_of(double e) { return sqrt(fmax(1 + 2 * e, 0)); }

/* The deformation whose energy is K p^2/2: the elongation by Hooke's law, the strain by Green's. */
static double elongation(const double *data, double e, double *slope) {
    double l = stretch_of(e), p = data[GREENS] != 0 ? e : 2 * e / (l + 1);
    bool slack = p < 0 && data[ONE_SIDED] != 0;
    *slope = slack ? 0 : data[GREENS] != 0 ? 1 : l > 0 ? 1 / l : 0;
    return slack ? 0 : p;
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    double slope, p = elongation(data, e[0], &slope);
    (void)memory, (void)m;
    return 0.5 * data[STIFFNESS] * p * p;
}

/* (p_f - p_i)/(e_f - e_i), and its derivative by e_f. Between slack and taut states the quotient is
 * computed directly. */
static double mean_slope(const double *data, const double *e_i, const double *e_f, double p_i,
                         double p_f, double slope_f, double *derivative) {
    double sum = stretch_of(*e_i) + stretch_of(*e_f), de = *e_f - *e_i;
    bool slack_i = p_i == 0 && *e_i < 0, slack_f = p_f == 0 && *e_f < 0;
    *derivative = 0;
    if (slack_i && slack_f) return 0;
    if (slack_i != slack_f) {
        *derivative = (slope_f - (p_f - p_i) / de) / de;
        return (p_f - p_i) / de;
    }
    if (data[GREENS] != 0) return 1;
    *derivative = -2 * slope_f / (sum * sum);
    return 2 / sum;
}

static void respond(const ts_law_step *step, ts_response *out) {
    const double *data = step->data, *e_i = step->e_i, *e_f = step->e_f;
    double slope_i, slope_f, bend, K = data[STIFFNESS], c = data[ETA] * K * ts_step_rate(step);
    double p_i = elongation(data, *e_i, &slope_i), p_f = elongation(data, *e_f, &slope_f);
    double g = mean_slope(data, e_i, e_f, p_i, p_f, slope_f, &bend), de = *e_f - *e_i;
    double pull = 0.5 * K * (p_i + p_f) + c * (p_f - p_i);
    bool pushes = data[ONE_SIDED] != 0 && pull < 0;
    out->s[0] = pushes ? 0 : pull * g;
    out->ds[0] = pushes ? 0 : (0.5 * K + c) * slope_f * g + pull * bend;
    out->dissipated = pushes ? -0.5 * K * (p_i + p_f) * g * de : c * (p_f - p_i) * (p_f - p_i);
    out->work = 0;
    out->stored = 0.5 * K * p_f * p_f;
}

/* For the stage of ED: the stiffness of a taut cable; a slack one has none. */
static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    double slope, p = elongation(data, e[0], &slope);
    (void)memory, (void)m;
    K[0] = p == 0 && slope == 0 ? 0 : data[STIFFNESS] * slope * slope;
}

static const ts_law CABLE_LAW = {
    .name = "cable", .energy = energy, .respond = respond, .stiffness = stiffness};

/* ---- as it is drawn ---- */

typedef struct curve {
    v3 from, chord, along, up; /* along: horizontal, from end to end */
    double length;             /* unstretched */
    bool hanging;
    double a, lowest, start; /* catenary: z = a cosh((x - lowest)/a), start = sinh(lowest/a) */
} curve;

/* sinh(u)/u = ratio > 1, by Newton's method from a side where it converges monotonically. */
static double catenary_argument(double ratio) {
    double u = ratio < 3 ? sqrt(6 * (ratio - 1)) : log(2 * ratio) + log(log(2 * ratio));
    for (int k = 0; k < 60; k++) {
        double f = sinh(u) - ratio * u, step = f / (cosh(u) - ratio);
        u -= step;
        if (fabs(step) <= 1e-15 * u) break;
    }
    return u;
}

static bool hang(curve *c, v3 down) {
    c->up = v3_scale(-1, down);
    double rise = v3_dot(c->chord, c->up);
    v3 level = v3_axpy(-rise, c->up, c->chord);
    double H = v3_norm(level), L = c->length;
    if (H < 1e-6 * L) return false;
    c->along = v3_scale(1 / H, level);
    c->a = 0.5 * H / catenary_argument(sqrt(L * L - rise * rise) / H);
    c->lowest = 0.5 * H - c->a * atanh(rise / L);
    c->start = sinh(c->lowest / c->a);
    c->hanging = true;
    return true;
}

static v3 place_at(const curve *c, double s) {
    if (!c->hanging) return v3_axpy(s / c->length, c->chord, c->from);
    double x = c->lowest + c->a * asinh(s / c->a - c->start);
    double z = c->a * (cosh((x - c->lowest) / c->a) - cosh(c->lowest / c->a));
    return v3_add(c->from, v3_axpy(z, c->up, v3_scale(x, c->along)));
}

/* ---- elements ---- */

typedef struct cable {
    ts_model *model;
    curve curve;
    int elements, per_element, first;
    ts_divided divided; /* elements as drawn, or refined */
    double EA, mass, law[NUMBERS];
} cable;

static double station(const cable *c, int element, double xi) {
    return c->curve.length * ts_divided_station(&c->divided, element, xi);
}

/* Unstretched. */
static double half_length(const cable *c, int element) {
    return 0.5 * ts_divided_length(&c->divided, element, c->curve.length);
}

static void add_nodes(cable *c, v3 v, v3 omega) {
    int n = c->per_element, count = c->elements * (n - 1) + 1;
    for (int i = 0; i < count; i++) {
        int element = i / (n - 1) < c->elements ? i / (n - 1) : c->elements - 1;
        double s = station(c, element, ts_lobatto_point(n)[i - element * (n - 1)]);
        int node = ts_model_node(c->model, TS_NODE_POINT, place_at(&c->curve, s), m3_identity());
        if (i == 0) c->first = node;
        ts_node *made = &c->model->nodes[node];
        made->velocity = v3_add(v, v3_cross(omega, v3_sub(made->x, c->curve.from)));
    }
}

static void add_point(const cable *c, int element, int gauss) {
    int n = c->per_element, points = n - 1, nodes[TS_LINE_NODES];
    double N[TS_LINE_NODES], dN[TS_LINE_NODES], half = half_length(c, element);
    double xi = ts_gauss_point(points)[gauss], weight = ts_gauss_weight(points)[gauss] * half;
    ts_line_shape(n, xi, N, dN);
    for (int a = 0; a < n; a++) nodes[a] = c->first + element * points + a, dN[a] /= half;
    ts_model_site(c->model, TS_ROLE_LAW, n, nodes);
    ts_model_vectors(c->model, 1, dN);
    ts_form_new(c->model, -0.5);
    ts_form_pair(c->model, 0, 0, 0.5);
    for (int k = 0; k < NUMBERS; k++)
        ts_model_number(c->model, k == STIFFNESS ? weight * c->EA : c->law[k]);
    ts_model_law(c->model, &CABLE_LAW);
    ts_station x = {.kind = TS_STATION_LINE, .weight = weight, .arc = station(c, element, xi)};
    ts_model_station(c->model, x);
}

/* Lumps mass, and stores the length that each node represents, for distributed loads. */
static void lump_mass(const cable *c, int element, int lengths) {
    int n = c->per_element;
    double half = half_length(c, element);
    for (int a = 0; a < n; a++) {
        int node = element * (n - 1) + a;
        double length = half * ts_lobatto_weight(n)[a];
        c->model->numbers[lengths + node] += length;
        ts_model_mass(c->model, c->first + node, c->mass * length, (v3){0, 0, 0}, (m3){0});
    }
}

/* ---- building ---- */

static v3 downwards(const ts_model *model, const ts_value *value) {
    if (value[HANG].given) return v3_normalize(v3_load(value[HANG].number));
    if (v3_norm(model->gravity) > 0) return v3_normalize(model->gravity);
    return v3_make(0, 0, -1);
}

static int set_length(ts_builder *b, const ts_value *value, curve *c) {
    double chord = v3_norm(c->chord), tension = value[TENSION].number[0];
    if (value[LENGTH].given && value[TENSION].given)
        return ts_build_fail(b, TENSION, "the length as drawn follows from the tension",
                             "give the length or the tension, not both");
    if (value[TENSION].given && tension < 0)
        return ts_build_fail(
            b, TENSION, "give a `length` above the distance between its ends for a slack cable",
            "a cable takes no compression");
    c->length =
        value[LENGTH].given ? value[LENGTH].number[0] : chord / (1 + tension / value[EA].number[0]);
    if (!(c->length > 0)) return ts_build_fail(b, LENGTH, NULL, "the cable has no length");
    if (c->length > chord * (1 + 1e-12) && !hang(c, downwards(b->model, value)))
        return ts_build_fail(
            b, LENGTH, "give `hang`, a direction across the line of its ends",
            "its ends are above each other: the cable cannot be drawn hanging between them");
    return 0;
}

static int check_numbers(ts_builder *b, const ts_value *value) {
    if (!(value[EA].number[0] > 0)) return ts_build_fail(b, EA, NULL, "EA must be above zero");
    if (!(value[MASS].number[0] > 0))
        return ts_build_fail(b, MASS, NULL, "the mass per length must be above zero");
    if (value[DAMPING].given && value[DAMPING].number[0] < 0)
        return ts_build_fail(b, DAMPING, NULL, "damping must not be negative");
    if (value[ELEMENTS].given &&
        !(value[ELEMENTS].number[0] >= 1 && value[ELEMENTS].number[0] <= TS_MOST_LINE_ELEMENTS))
        return ts_build_fail(b, ELEMENTS, NULL, TS_ELEMENTS_RANGE);
    if (value[ORDER].given && !(value[ORDER].number[0] >= 1 && value[ORDER].number[0] <= 3))
        return ts_build_fail(b, ORDER, NULL, "the order must be 1, 2 or 3");
    return 0;
}

/* On a winch elements use the law of the rope. */
static int check_winch(ts_builder *b, const ts_value *value) {
    if (!value[STORED].given && value[UNWINDING].given)
        return ts_build_fail(b, UNWINDING, "give the length on the drum, `stored`",
                             "a cable without a drum has a constant length");
    if (!value[STORED].given) return 0;
    if (!(value[STORED].number[0] > 0))
        return ts_build_fail(b, STORED, NULL, "the length on the drum must be above zero");
    if (value[LAW].given && (int)value[LAW].number[0] == GREEN)
        return ts_build_fail(b, LAW, "leave it out", "a cable on a winch follows Hooke's law");
    if (value[TENSION_ONLY].given && value[TENSION_ONLY].number[0] == 0)
        return ts_build_fail(b, TENSION_ONLY, "leave it out",
                             "a cable on a winch takes no compression");
    if (value[DAMPING].given && value[DAMPING].number[0] > 0)
        return ts_build_fail(b, DAMPING, "remove it; ED damps its fast vibrations",
                             "a cable on a winch cannot have damping");
    return 0;
}

static void add_winch(const cable *c, const ts_value *value) {
    ts_winch_cable(&(ts_winch){.model = c->model,
                               .first = c->first,
                               .elements = c->elements,
                               .per_element = c->per_element,
                               .EA = c->EA,
                               .mass = c->mass,
                               .length = c->curve.length,
                               .stored = value[STORED].number[0],
                               .rate = value[UNWINDING].given ? value[UNWINDING].number[0] : 0});
}

static int build(ts_builder *b, ts_value *value) {
    cable c = {.model = b->model, .EA = value[EA].number[0], .mass = value[MASS].number[0]};
    if (check_numbers(b, value) || check_winch(b, value)) return TORSOR_EINVAL;
    c.curve.from = v3_load(value[FROM].number);
    c.curve.chord = v3_sub(v3_load(value[TO].number), c.curve.from);
    if (set_length(b, value, &c.curve)) return TORSOR_EINVAL;
    int elements = value[ELEMENTS].given ? (int)value[ELEMENTS].number[0] : 16;
    c.per_element = value[ORDER].given ? (int)value[ORDER].number[0] + 1 : 2;
    c.divided = ts_divide_line(b->model, elements, c.per_element - 1);
    c.elements = c.divided.elements;
    c.law[ETA] = value[DAMPING].given ? value[DAMPING].number[0] : 0;
    c.law[GREENS] = value[LAW].given && (int)value[LAW].number[0] == GREEN;
    c.law[ONE_SIDED] = !value[TENSION_ONLY].given || value[TENSION_ONLY].number[0] != 0;
    ts_new_part(b, &TS_KIND_CABLE);
    add_nodes(&c, v3_load(value[VELOCITY].number), v3_load(value[SPIN].number));
    ts_part *part = &b->model->parts[b->model->parts_count - 1];
    part->node = c.first, part->nodes = c.elements * (c.per_element - 1) + 1;
    part->stride = c.divided.stride;
    if (value[STORED].given) {
        add_winch(&c, value);
        return 0;
    }
    int lengths = part->data = b->model->numbers_count;
    for (int i = 0; i < part->nodes; i++) ts_model_number(b->model, 0);
    for (int e = 0; e < c.elements; e++) {
        lump_mass(&c, e, lengths);
        for (int g = 0; g < c.per_element - 1; g++) add_point(&c, e, g);
    }
    return 0;
}

const ts_kind TS_KIND_CABLE = {
    .name = "cable",
    .section = "cables",
    .look = TS_LOOK_LINES,
    .help = "A cable between two places, straight and taut or hanging slack, meshed by `elements` "
            "and `order`. Its nodes are points, `name.start`, `name.end`, `name.3`: spherical "
            "joints, springs and forces attach to them.",
    .fields = FIELDS,
    .build = build,
    .sample = "{from: [0, 0, 0], to: [1, 0.2, 0.1], EA: 2e3, mass: 0.5, length: 1, elements: 2, "
              "order: 2}",
    .default_in_section = true,
};
