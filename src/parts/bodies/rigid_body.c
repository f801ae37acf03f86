/* SPDX-License-Identifier: Apache-2.0 */
/* Rigid body: one frame node with constant ambient mass (docs/theory.md).
 *
 * The node is at the body's reference point. The inertia is given about the mass centre c (or about
 * the reference) in body axes; about the reference it is J = J_c + m (c.c I - c c^T). The ambient
 * mass is positive only if the principal moments about the mass centre satisfy J1 <= J2 + J3: the
 * body is made of positive masses.
 */
#include "base/error.h"
#include "math/dense.h"
#include "parts/parts.h"

enum {
    MASS,
    CENTRE,
    INERTIA,
    INERTIA_ABOUT,
    POSITION,
    ORIENTATION,
    VELOCITY,
    ANGULAR_VELOCITY,
    RATES_IN,
    SHAPE,
    SIZE,
    SHAPE_AT,
    SHAPE_AXIS
};

static const char *const ABOUT[] = {"centre", "reference", NULL};
static const char *const SHAPES[] = {"box", "cylinder", "sphere", "ellipsoid", NULL};
static const char *const RATES[] = {"global", "body", NULL};

/* components are then in axes of the body */
static const char *const LOCAL_IF[] = {"rates_in", NULL};

static const ts_field FIELDS[] = {
    {.name = "mass", .type = TS_NUMBER, .dim = TS_DIM_MASS, .required = true, .help = "Mass."},
    {.name = "centre",
     .type = TS_VECTOR,
     .choices = TS_LOCAL,
     .dim = TS_DIM_LENGTH,
     .help = "Mass centre from the reference point, body axes.",
     .fallback = "[0, 0, 0]"},
    {.name = "inertia",
     .type = TS_INERTIA,
     .dim = TS_DIM_INERTIA,
     .help = "Inertia tensor, body axes.",
     .fallback = "that of its shape, of uniform density; without a shape 0: a point mass"},
    {.name = "inertia_about",
     .type = TS_CHOICE,
     .choices = ABOUT,
     .help = "The point to which the inertia refers: mass centre or reference point.",
     .fallback = "centre"},
    {.name = "position",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "Initial position of the reference point (global).",
     .fallback = "[0, 0, 0]"},
    {.name = "orientation",
     .type = TS_ROTATION,
     .help = "Initial body axes (global).",
     .fallback = "the global axes"},
    {.name = "velocity",
     .type = TS_VECTOR,
     .dim = TS_DIM_VELOCITY,
     .help = "Initial velocity of the reference point (global).",
     .fallback = "[0, 0, 0]"},
    {.name = "angular_velocity",
     .type = TS_VECTOR,
     .choices = LOCAL_IF,
     .dim = TS_DIM_ANGULAR_VELOCITY,
     .help = "Initial angular velocity, global axes unless rates_in says otherwise.",
     .fallback = "[0, 0, 0]"},
    {.name = "rates_in",
     .type = TS_CHOICE,
     .choices = RATES,
     .help = "Axes of the angular velocity: global or body.",
     .fallback = "global"},
    {.name = "shape",
     .type = TS_CHOICE,
     .choices = SHAPES,
     .help = "Shape of the body in pictures; its inertia is that of the shape if none is given.",
     .fallback = "the box of uniform density that has the inertia"},
    {.name = "size",
     .type = TS_NUMBERS,
     .dim = TS_DIM_LENGTH,
     .help = "Size of the shape: [x, y, z] of a box or ellipsoid along the body axes, [diameter, "
             "length] of a cylinder, [diameter] of a sphere."},
    {.name = "shape_at",
     .type = TS_VECTOR,
     .choices = TS_LOCAL,
     .dim = TS_DIM_LENGTH,
     .help = "Middle of the shape relative to the reference point, body axes.",
     .fallback = "the mass centre"},
    {.name = "shape_axis",
     .type = TS_AXIS,
     .choices = TS_LOCAL,
     .help = "Axis of a cylinder, body axes.",
     .fallback = "z"},
    {0}};

m3 ts_inertia_tensor(const ts_value *inertia) {
    const double *J = inertia->number; /* xx yy zz xy yz xz */
    if (!inertia->given) return (m3){0};
    return m3_cols(v3_make(J[0], J[3], J[5]), v3_make(J[3], J[1], J[4]), v3_make(J[5], J[4], J[2]));
}

m3 ts_offset_inertia(double mass, v3 c) {
    m3 S = m3_skew(c);
    return m3_scale(mass, m3_tmul(S, S));
}

int ts_check_inertia(ts_builder *b, int field, m3 J_centre, bool about_centre) {
    double A[9], p[3];
    m3_store(A, J_centre);
    ts_dense_eigenvalues(3, A, p);
    double slack = 1e-9 * (fabs(p[0]) + fabs(p[2]));
    const char *about = about_centre ? "" : " about the mass centre";
    if (p[0] < -slack)
        return ts_build_fail(
            b, field,
            about_centre ? "give tensor components, not products of inertia: Jxy "
                           "is minus the integral of x y"
                         : "is it about the mass centre? Then write `inertia_about: centre`",
            "a principal moment of inertia%s is negative: %.6g, %.6g, %.6g", about, p[0], p[1],
            p[2]);
    if (p[2] > p[0] + p[1] + slack)
        return ts_build_fail(
            b, field,
            "no body of positive mass has such an inertia; check signs, units and rounding. Where "
            "only "
            "one moment is known and matters (plane motion), give it three times",
            "principal moments of inertia%s violate the triangle inequality: %.9g > %.9g + %.9g",
            about, p[2], p[0], p[1]);
    return 0;
}

static int check(ts_builder *b, const ts_value *value, m3 J_centre, bool about_centre) {
    double mass = value[MASS].number[0];
    if (mass < 0) return ts_build_fail(b, MASS, NULL, "the mass is negative: %g", mass);
    if (mass == 0 && v3_norm(v3_load(value[CENTRE].number)) > 0)
        return ts_build_fail(b, CENTRE, "give a mass, or remove the centre",
                             "a mass centre without mass");
    return ts_check_inertia(b, INERTIA, J_centre, about_centre);
}

/* How many numbers does a size need? */
static int check_shape(ts_builder *b, const ts_value *value) {
    static const int count[] = {3, 2, 1, 3};
    static const char *const form[] = {
        "write `size: [length, width, height]`", "write `size: [diameter, length]`",
        "write `size: [diameter]`", "write `size: [axis_x, axis_y, axis_z]`, whole lengths"};
    if (value[SHAPE].given != value[SIZE].given)
        return ts_build_fail(b, value[SHAPE].given ? SHAPE : SIZE, NULL,
                             "give both shape and size, or neither");
    for (int k = SHAPE_AT; k <= SHAPE_AXIS && !value[SHAPE].given; k++)
        if (value[k].given)
            return ts_build_fail(b, k, NULL, "%s needs a shape and a size", FIELDS[k].name);
    if (!value[SHAPE].given) return 0;
    int wanted = count[(int)value[SHAPE].number[0]];
    if (value[SIZE].count != wanted)
        return ts_build_fail(
            b, SIZE, form[(int)value[SHAPE].number[0]], "the size of a %s is %d number%s, not %d",
            SHAPES[(int)value[SHAPE].number[0]], wanted, wanted > 1 ? "s" : "", value[SIZE].count);
    for (int i = 0; i < wanted; i++)
        if (!(value[SIZE].list[i] > 0))
            return ts_build_fail(b, SIZE, NULL, "a size must be above zero");
    return 0;
}

/* Inertia of a solid of uniform density about its middle. Lengths are full lengths: diameters, not
 * radii. */
static m3 inertia_of_shape(double mass, const ts_value *value) {
    const double *L = value[SIZE].list;
    int shape = (int)value[SHAPE].number[0];
    if (shape == 1) { /* cylinder: along its axis a, m d^2/8 */
        v3 a = value[SHAPE_AXIS].given ? v3_normalize(v3_load(value[SHAPE_AXIS].number))
                                       : v3_make(0, 0, 1);
        double along = mass * L[0] * L[0] / 8, across = along / 2 + mass * L[1] * L[1] / 12;
        m3 S = m3_skew(a); /* S'S = I - a a' */
        return m3_add(m3_scale(along, m3_identity()), m3_scale(across - along, m3_tmul(S, S)));
    }
    double x = L[0], y = shape == 2 ? x : L[1], z = shape == 2 ? x : L[2];
    double share = mass / (shape == 0 ? 12 : 20);
    return m3_cols(v3_make(share * (y * y + z * z), 0, 0), v3_make(0, share * (z * z + x * x), 0),
                   v3_make(0, 0, share * (x * x + y * y)));
}

/* The inertia as given, or that of the shape, whose middle must then be the mass centre. */
static int find_inertia(ts_builder *b, const ts_value *value, m3 *J) {
    *J = ts_inertia_tensor(&value[INERTIA]);
    double mass = value[MASS].number[0];
    if (value[INERTIA].given || !value[SHAPE].given || mass == 0) return 0;
    v3 c = v3_load(value[CENTRE].number), middle = v3_load(value[SHAPE_AT].number);
    if (value[SHAPE_AT].given && v3_norm(v3_sub(c, middle)) > 1e-9 * (v3_norm(c) + v3_norm(middle)))
        return ts_build_fail(b, SHAPE_AT, "give the inertia; [0, 0, 0] is that of a point mass",
                             "the middle of the shape is not the mass centre, so the inertia does "
                             "not follow from the shape");
    *J = inertia_of_shape(mass, value);
    return 0;
}

static void set_rates(ts_node *node, const ts_value *value) {
    v3 omega = v3_load(value[ANGULAR_VELOCITY].number);
    bool in_body = value[RATES_IN].given && value[RATES_IN].number[0] == 1;
    node->velocity = v3_load(value[VELOCITY].number);
    node->omega = in_body ? m3_apply(node->D, omega) : omega;
}

static int build(ts_builder *b, ts_value *value) {
    double mass = value[MASS].number[0];
    v3 centre = v3_load(value[CENTRE].number);
    m3 J, offset = ts_offset_inertia(mass, centre);
    if (check_shape(b, value) || find_inertia(b, value, &J)) return TORSOR_EINVAL;
    bool about_reference = value[INERTIA_ABOUT].given && value[INERTIA_ABOUT].number[0] == 1;
    bool about_centre = !about_reference || !value[INERTIA].given;
    m3 J_centre = about_centre ? J : m3_sub(J, offset);
    if (check(b, value, J_centre, about_centre)) return TORSOR_EINVAL;

    const ts_value *orientation = &value[ORIENTATION];
    m3 D = orientation->given ? m3_load(orientation->number) : m3_identity();
    ts_part *part = ts_new_part(b, &TS_KIND_RIGID_BODY);
    part->node = ts_model_node(b->model, TS_NODE_FRAME, v3_load(value[POSITION].number), D);
    part->nodes = 1;
    ts_model_mass(b->model, part->node, mass, centre, m3_add(J_centre, offset));
    set_rates(&b->model->nodes[part->node], value);
    return 0;
}

const ts_kind TS_KIND_RIGID_BODY = {
    .name = "rigid",
    .section = "bodies",
    .look = TS_LOOK_BODY,
    .help = "A rigid body: mass, mass centre, inertia, and its initial position and velocity.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: rigid, mass: 2 kg, centre: [0.1, 0, 0], inertia: [0.02, 0.03, 0.04], "
              "position: [1, 0, 0], angular_velocity: [0, 0, 3]}",
    .default_in_section = true};
