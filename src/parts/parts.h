/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the kinds of parts: the list of all kinds, dimensions for field tables, joint frames
 * and rows, coordinates of joints, energies of one variable.
 */
#ifndef TS_PARTS_H
#define TS_PARTS_H

#include <stdio.h>

#include "laws/way.h"
#include "model/kernel.h"
#include "model/kind.h"
#include "model/law.h"

/* The strains of a beam in closed form (beam_kernel.c). */
extern const ts_kernel TS_BEAM_KERNEL;

/* The registry: one line per kind. Order is that of the reference pages. */
#define TS_ALL_KINDS(X)          \
    X(TS_KIND_ISOTROPIC)         \
    X(TS_KIND_ORTHOTROPIC)       \
    X(TS_KIND_NEO_HOOKEAN)       \
    X(TS_KIND_MOONEY_RIVLIN)     \
    X(TS_KIND_SECTION)           \
    X(TS_KIND_SECTION_CIRCLE)    \
    X(TS_KIND_SECTION_TUBE)      \
    X(TS_KIND_SECTION_RECTANGLE) \
    X(TS_KIND_SECTION_BOX)       \
    X(TS_KIND_SECTION_I)         \
    X(TS_KIND_MESH_GMSH)         \
    X(TS_KIND_MESH_TRIANGLES)    \
    X(TS_KIND_MESH_HEIGHTS)      \
    X(TS_KIND_MESH_BOX)          \
    X(TS_KIND_MESH_PLATE)        \
    X(TS_KIND_MESH_CYLINDER)     \
    X(TS_KIND_MESH_SPHERE)       \
    X(TS_KIND_MESH_ANNULUS)      \
    X(TS_KIND_MESH_TUBE)         \
    X(TS_KIND_MESH_PATCH)        \
    X(TS_KIND_MESH_JOIN)         \
    X(TS_KIND_SHELL_SECTION)     \
    X(TS_KIND_SHELL_LAMINATE)    \
    X(TS_KIND_SHELL_ABD)         \
    X(TS_KIND_RIGID_BODY)        \
    X(TS_KIND_POINT_MASS)        \
    X(TS_KIND_BEAM)              \
    X(TS_KIND_CABLE)             \
    X(TS_KIND_SHELL)             \
    X(TS_KIND_SOLID)             \
    X(TS_KIND_COUPLING_RIGID)    \
    X(TS_KIND_COUPLING_WEIGHTED) \
    X(TS_KIND_MASS)              \
    X(TS_KIND_SPHERICAL)         \
    X(TS_KIND_REVOLUTE)          \
    X(TS_KIND_PRISMATIC)         \
    X(TS_KIND_CYLINDRICAL)       \
    X(TS_KIND_SCREW)             \
    X(TS_KIND_PLANAR)            \
    X(TS_KIND_UNIVERSAL)         \
    X(TS_KIND_RIGID_JOINT)       \
    X(TS_KIND_DISTANCE)          \
    X(TS_KIND_POINT_ON_LINE)     \
    X(TS_KIND_POINT_ON_PLANE)    \
    X(TS_KIND_PRIMITIVE_LINEAR)  \
    X(TS_KIND_PRIMITIVE_ANGULAR) \
    X(TS_KIND_ROLLING_DISK)      \
    X(TS_KIND_KNIFE_EDGE)        \
    X(TS_KIND_GEAR)              \
    X(TS_KIND_SLIDING)           \
    X(TS_KIND_ROPE)              \
    X(TS_KIND_SUPPORT)           \
    X(TS_KIND_SPRING)            \
    X(TS_KIND_JOINT_SPRING)      \
    X(TS_KIND_TORSION_SPRING)    \
    X(TS_KIND_PIVOT_FRICTION)    \
    X(TS_KIND_SLIDE_FRICTION)    \
    X(TS_KIND_BALL_FRICTION)     \
    X(TS_KIND_BUSHING)           \
    X(TS_KIND_CYLINDER)          \
    X(TS_KIND_CLUTCH)            \
    X(TS_KIND_BRAKE)             \
    X(TS_KIND_TYRE)              \
    X(TS_KIND_MOTION)            \
    X(TS_KIND_FORCE)             \
    X(TS_KIND_MOMENT)            \
    X(TS_KIND_STATE)             \
    X(TS_KIND_SAMPLED)           \
    X(TS_KIND_PID)               \
    X(TS_KIND_TRANSFER_FUNCTION) \
    X(TS_KIND_STATE_SPACE)       \
    X(TS_KIND_MOTOR)             \
    X(TS_KIND_DC_MOTOR)          \
    X(TS_KIND_LINE_LOAD)         \
    X(TS_KIND_PRESSURE)          \
    X(TS_KIND_SURFACE_LOAD)      \
    X(TS_KIND_EDGE_LOAD)         \
    X(TS_KIND_SPHERE)            \
    X(TS_KIND_CAPSULE)           \
    X(TS_KIND_BOX)               \
    X(TS_KIND_DISC)              \
    X(TS_KIND_ROUND_CYLINDER)    \
    X(TS_KIND_HULL)              \
    X(TS_KIND_PLANE)             \
    X(TS_KIND_SOCKET)            \
    X(TS_KIND_HOLE)              \
    X(TS_KIND_SURFACE)           \
    X(TS_KIND_SKIN)              \
    X(TS_KIND_LINE)              \
    X(TS_KIND_COATING)           \
    X(TS_KIND_CONTACT)           \
    X(TS_KIND_EVENT)

/* Numbers that a section of the model file `sections:` stores in model->numbers from part->data on,
 * SI, section axes (1 along the beam): stiffness over (Gamma1..3, kappa1..3), mass per length, its
 * centre from the reference line, inertia per length about that line. */
enum {
    TS_SECTION_STIFFNESS = 0,
    TS_SECTION_MASS = 36,
    TS_SECTION_CENTRE = 37,
    TS_SECTION_INERTIA = 40,
    TS_SECTION_NUMBERS = 49
};
/* The first numbers of a material: Young's modulus, shear modulus (both zero where it is not
 * isotropic), density. ts_material in continuum.h has all of them. */
enum { TS_MATERIAL_E, TS_MATERIAL_G, TS_MATERIAL_DENSITY };

/* A cable on a winch (lines/winch.c): its nodes are not points of its material. */
bool ts_line_flows(const ts_model *model, int part);

#define TS_DECLARE_KIND(kind) extern const ts_kind kind;
TS_ALL_KINDS(TS_DECLARE_KIND)
#undef TS_DECLARE_KIND

/* Dimensions as initializers: exponents of length, mass, time, angle. */
#define TS_DIM_LENGTH \
    { 1, 0, 0, 0 }
#define TS_DIM_MASS \
    { 0, 1, 0, 0 }
#define TS_DIM_ANGLE \
    { 0, 0, 0, 1 }
#define TS_DIM_VELOCITY \
    { 1, 0, -1, 0 }
#define TS_DIM_SLOWNESS \
    { -1, 0, 1, 0 }
#define TS_DIM_ANGULAR_VELOCITY \
    { 0, 0, -1, 1 }
#define TS_DIM_INERTIA \
    { 2, 1, 0, 0 }
#define TS_DIM_FORCE \
    { 1, 1, -2, 0 }
#define TS_DIM_MOMENT \
    { 2, 1, -2, 0 }
#define TS_DIM_STIFFNESS \
    { 0, 1, -2, 0 }
#define TS_DIM_DAMPING \
    { 0, 1, -1, 0 }
#define TS_DIM_TURNING_STIFFNESS \
    { 2, 1, -2, -1 }
#define TS_DIM_TURNING_DAMPING \
    { 2, 1, -1, -1 }
#define TS_DIM_CUBIC \
    { -2, 1, -2, 0 }
#define TS_DIM_TIME \
    { 0, 0, 1, 0 }
#define TS_DIM_TURNING_CUBIC \
    { 2, 1, -2, -3 }
#define TS_DIM_PITCH \
    { 1, 0, 0, -1 }
#define TS_DIM_STRESS \
    { -1, 1, -2, 0 }
#define TS_DIM_DENSITY \
    { -3, 1, 0, 0 }
#define TS_DIM_BENDING \
    { 3, 1, -2, 0 }
#define TS_DIM_MASS_PER_LENGTH \
    { -1, 1, 0, 0 }
#define TS_DIM_INERTIA_PER_LENGTH \
    { 1, 1, 0, 0 }

/* ---- sections of beams (section.c; shapes in section_shapes.c) ---- */

typedef struct ts_section {
    double K[36], mass;
    v3 centre;
    m3 inertia; /* about the reference line */
} ts_section;

/* Stiffnesses about axes of their own: EA, EI2, EI3 at the tension centre, GA2, GA3, GJ at the
 * shear centre, [y2, y3] each; EI and GA along axes turned by the angle. */
typedef struct ts_section_axes {
    double EA, GA2, GA3, GJ, EI2, EI3;
    double tension[2], shear[2], angle;
} ts_section_axes;

void ts_section_stiffness(const ts_section_axes *axes, double K[36]);
/* J: about the centre, along axes turned by the angle */
void ts_section_mass(ts_section *section, double mass, v3 centre, v3 J, double angle);
/* The numbers that a section stores in model->numbers, see above. */
void ts_section_numbers(const ts_section *section, double numbers[TS_SECTION_NUMBERS]);
/* The numbers at 0 < s < 1 between two sections (parts): of the shape whose sizes lie between
 * theirs where both are of one kind of shape, means of their numbers otherwise. */
void ts_section_between(const ts_model *model, int first, int last, double s,
                        double numbers[TS_SECTION_NUMBERS]);
void ts_section_store(ts_builder *b, const ts_kind *kind, const ts_section *section);
/* [y2, y3] in a field of type TS_NUMBERS; zero if it is not given */
int ts_read_section_point(ts_builder *b, const ts_value *value, int field, double out[2]);

/* Computes properties from the numbers of a section, section axes: stiffnesses, each for its own
 * load alone, at the tension and the shear centre; inertia about the mass centre. GA23 and EI23:
 * off-diagonal. */
typedef struct ts_section_summary {
    double EA, GA2, GA3, GA23, GJ, EI2, EI3, EI23;
    double tension[2], shear[2], mass;
    v3 centre;
    m3 inertia;
} ts_section_summary;

void ts_section_summarize(const double *numbers, ts_section_summary *out);
/* The stiffness of a section in words, for `torsor check`; part: index of the section. */
void ts_section_describe(const ts_model *model, int part, FILE *out);

/* ---- attachments and joint frames (joint.c) ---- */

v3 ts_body_point(const ts_model *model, int node, v3 global); /* at the initial configuration */
double ts_weight_of_all(const ts_model *model);               /* about: the size of joint forces */
v3 ts_body_vector(const ts_model *model, int node, v3 global);
m3 ts_body_frame(const ts_model *model, int node, m3 global);

/* The fields all joints with frames begin with; a joint's own fields follow. */
enum {
    TS_JOINT_BODIES,
    TS_JOINT_AT,
    TS_JOINT_AXIS,
    TS_JOINT_FRAME,
    TS_JOINT_AT_B,
    TS_POINT_JOINT_OWN, /* joints that keep a point of B in a frame of A end here */
    TS_JOINT_AXIS_B = TS_POINT_JOINT_OWN,
    TS_JOINT_FRAME_B,
    TS_JOINT_OWN
};

#define TS_POINT_JOINT_FIELDS(axis_help)                                                       \
    {.name = "bodies",                                                                         \
     .type = TS_BODY_PAIR,                                                                     \
     .required = true,                                                                         \
     .help = "The two bodies A and B; ground may be one of them."},                            \
        {.name = "at",                                                                         \
         .type = TS_PLACE,                                                                     \
         .dim = TS_DIM_LENGTH,                                                                 \
         .help = "Where the joint is, as drawn (global).",                                     \
         .fallback = "of a node of a beam or cable: that node; of a rigid joint: body B"},     \
        {.name = "axis", .type = TS_AXIS, .help = axis_help},                                  \
        {.name = "frame",                                                                      \
         .type = TS_ROTATION,                                                                  \
         .help = "The joint frame as drawn (global), in place of an axis; its z is the axis.", \
         .fallback = "made from the axis; the global frame when there is none"},               \
    {                                                                                          \
        .name = "at_b", .type = TS_PLACE, .dim = TS_DIM_LENGTH,                                \
        .help = "The joint's point on B, where the model as drawn is not assembled.",          \
        .fallback = "at"                                                                       \
    }

#define TS_JOINT_FIELDS(axis_help, axis_b_help)                                                   \
    TS_POINT_JOINT_FIELDS(axis_help), {.name = "axis_b", .type = TS_AXIS, .help = axis_b_help}, { \
        .name = "frame_b", .type = TS_ROTATION,                                                   \
        .help = "The joint frame on B, where it differs from the one on A as drawn.",             \
        .fallback = "the frame on A"                                                              \
    }

/* Fields of a part that reaches from a point of A to one of B; `end` is the word of this kind for
 * these points. */
#define TS_REACH_FIELDS(end)                                                    \
    {.name = "bodies",                                                          \
     .type = TS_BODY_PAIR,                                                      \
     .required = true,                                                          \
     .help = "The two bodies A and B; ground may be one of them."},             \
        {.name = "from",                                                        \
         .type = TS_PLACE,                                                      \
         .dim = TS_DIM_LENGTH,                                                  \
         .required = true,                                                      \
         .help = end " on A as drawn (global)."},                               \
    {                                                                           \
        .name = "to", .type = TS_PLACE, .dim = TS_DIM_LENGTH, .required = true, \
        .help = end " on B as drawn (global)."                                  \
    }

#define TS_AXIS_HELP "Axis of the joint (global, as drawn); z of the joint frame."
#define TS_AXIS_B_HELP "The axis on B, where the model as drawn is not assembled."

/* Checks the bodies and makes the part, attached at the given global points and frames. */
int ts_attach(ts_builder *b, const ts_kind *kind, const ts_value *bodies, const v3 point[2],
              const m3 frame[2]);
/* Attaches a joint by TS_JOINT_FIELDS (or TS_POINT_JOINT_FIELDS). ts_joint_begin also opens a site
 * of rows. */
enum { TS_NEEDS_AXIS = 1, TS_POINT_JOINT = 2 };
int ts_joint_attach(ts_builder *b, const ts_kind *kind, const ts_value *value, int flags);
int ts_joint_begin(ts_builder *b, const ts_kind *kind, const ts_value *value, int flags);

/* The functions below refer to the newest part, attached to bodies A (side 0) and B (side 1); axes
 * count from 0. */
int ts_joint_site(ts_model *model, ts_role role);
ts_combo ts_joint_axis(const ts_model *model, int side, int axis);
ts_combo ts_joint_offset(const ts_model *model); /* point on B minus point on A */

void ts_row_coincident(ts_model *model);                  /* three rows, global axes */
void ts_row_no_offset(ts_model *model, int axis);         /* e_axis^A . offset = 0 */
void ts_row_perpendicular(ts_model *model, int i, int j); /* e_i^A . e_j^B = 0 */
void ts_row_parallel_axes(ts_model *model);               /* z axes of both frames: two rows */
void ts_row_no_rotation(ts_model *model);                 /* three rows */

void ts_form_joint_displacement(ts_model *model, int axis);
void ts_form_joint_angle(ts_model *model); /* two forms, cos and sin of the rotation about z */
void ts_coordinate_displacement(ts_model *model, const char *name, int axis);
void ts_coordinate_angle(ts_model *model);

/* ---- coordinates of joints, chosen by the user (coordinate.c) ---- */

/* The coordinate named in `value[field + 1]` (text) of the joint in `value[field]`: optional where
 * the choice is clear. `quantity` narrows it. Returns its index, or a negative number after
 * ts_build_fail. */
typedef enum ts_quantity_of_joint {
    TS_ANY_COORDINATE,
    TS_DISPLACEMENT,
    TS_TURN
} ts_quantity_of_joint;
int ts_pick_coordinate(ts_builder *b, const ts_value *value, int field,
                       ts_quantity_of_joint quantity);
/* A new part attached like the joint; and with a site on the coordinate's nodes and forms. */
void ts_part_at_joint(ts_builder *b, const ts_kind *kind, int coordinate);
void ts_part_on_coordinate(ts_builder *b, const ts_kind *kind, int coordinate, ts_role role);
/* One more site of the newest part on these nodes and forms. */
void ts_site_on_coordinate(ts_model *model, int coordinate, ts_role role);

#define TS_COORDINATE_FIELDS                                                                  \
    {.name = "joint",                                                                         \
     .type = TS_JOINT,                                                                        \
     .required = true,                                                                        \
     .help = "The joint whose coordinate the part acts on."},                                 \
    {                                                                                         \
        .name = "coordinate", .type = TS_TEXT,                                                \
        .help = "Which coordinate of the joint (angle, displacement, x, y, angle1, angle2).", \
        .fallback = "the only one that fits"                                                  \
    }

/* ---- springs with stops: an energy of one variable (elastic.c) ----
 *
 *     V(y) = k (y - y0)^2 / 2 + k3 (y - y0)^4 / 4 + F0 (y - y0) + S(<y - max>) + S(<min - y>)
 *
 * and a dashpot c dy/dt. A stop is linear, S(p) = ks p^2 / 2 of the penetration p with a dashpot cs
 * dp/dt, or a sphere by Hertz, S(p) = (2/5) kh p^(5/2), kh = (4/3) E* sqrt(R), with dissipation by
 * Hunt and Crossley, force kh p^(3/2) (1 + (3/2) a dp/dt).
 */
enum {
    TS_ELASTIC_K,
    TS_ELASTIC_C,
    TS_ELASTIC_FREE,
    TS_ELASTIC_PRELOAD,
    TS_ELASTIC_MIN,
    TS_ELASTIC_MAX,
    TS_ELASTIC_STOP_K,
    TS_ELASTIC_STOP_C,
    TS_ELASTIC_CUBIC,
    TS_ELASTIC_FIELDS_COUNT, /* up to here fields and data are the same */
    TS_ELASTIC_HERTZ_K = TS_ELASTIC_FIELDS_COUNT,
    TS_ELASTIC_HERTZ_C, /* (3/2) a */
    TS_ELASTIC_COUNT
};

typedef struct ts_elastic_step {
    double force, slope; /* discrete gradient plus dashpot, and its derivative by y_f */
    double stored, dissipated;
} ts_elastic_step;

double ts_elastic_energy(const double *data, double y);
/* of the start of the step, never negative */
double ts_elastic_stiffness(const double *data, double y);
/* delta = y_f - y_i, passed separately because the caller may compute it without cancellation */
ts_elastic_step ts_elastic_over_step(const double *data, double y_i, double y_f, double delta,
                                     double rate);
/* Reads the fields in the order of the enum, beginning at value[field], into data; field[FREE]
 * defaults to `drawn`. Where y is a length TS_HERTZ_FIELDS follow (hertz); about an angle not. */
int ts_elastic_read(ts_builder *b, const ts_value *value, int field, bool hertz, double drawn,
                    double *data);
/* Fields of an elastic part that are functions of time and channels: see varied.c. */
struct ts_measure;
int ts_elastic_varied(ts_builder *b, ts_value *value, int field, const struct ts_measure *target,
                      const double *data);

#define TS_ELASTIC_FIELDS(stiffness, damping, coordinate, force, cubic_dim, free_name, free_help,  \
                          free_default)                                                            \
    {.name = "stiffness",                                                                          \
     .type = TS_STATE_NUMBER,                                                                      \
     .dim = stiffness,                                                                             \
     .help = "Stiffness: the pull is this times the elongation.",                                  \
     .fallback = "0"},                                                                             \
        {.name = "damping",                                                                        \
         .type = TS_STATE_NUMBER,                                                                  \
         .dim = damping,                                                                           \
         .help = "Viscous damping.",                                                               \
         .fallback = "0"},                                                                         \
        {.name = free_name,                                                                        \
         .type = TS_STATE_NUMBER,                                                                  \
         .dim = coordinate,                                                                        \
         .help = free_help,                                                                        \
         .fallback = free_default},                                                                \
        {.name = "preload",                                                                        \
         .type = TS_STATE_NUMBER,                                                                  \
         .dim = force,                                                                             \
         .help = "Pull added to the spring's, positive where it resists a growing value.",         \
         .fallback = "0"},                                                                         \
        {.name = "stop_min",                                                                       \
         .type = TS_NUMBER,                                                                        \
         .dim = coordinate,                                                                        \
         .help = "Below this value a one-sided spring acts.",                                      \
         .fallback = "no stop"},                                                                   \
        {.name = "stop_max",                                                                       \
         .type = TS_NUMBER,                                                                        \
         .dim = coordinate,                                                                        \
         .help = "Above this value a one-sided spring acts.",                                      \
         .fallback = "no stop"},                                                                   \
        {.name = "stop_stiffness",                                                                 \
         .type = TS_NUMBER,                                                                        \
         .dim = stiffness,                                                                         \
         .help = "Stiffness of the one-sided springs at the stops.",                               \
         .fallback = "none"},                                                                      \
        {.name = "stop_damping",                                                                   \
         .type = TS_NUMBER,                                                                        \
         .dim = damping,                                                                           \
         .help = "Viscous damping while a stop is touched: a mass m leaves with exp(-pi "          \
                 "z/sqrt(1 - z^2)) of its "                                                        \
                 "speed, z = stop_damping/(2 sqrt(stop_stiffness m)).",                            \
         .fallback = "0"},                                                                         \
    {                                                                                              \
        .name = "cubic", .type = TS_NUMBER, .dim = cubic_dim,                                      \
        .help = "Hardening: this times the cube of the elongation is added to the force "          \
                "(Duffing). With it, the stiffness may be negative: a spring that snaps through.", \
        .fallback = "0"                                                                            \
    }

enum { TS_HERTZ_FIELDS_COUNT = 3 };
#define TS_HERTZ_FIELDS                                                                           \
    {.name = "stop_modulus",                                                                      \
     .type = TS_NUMBER,                                                                           \
     .dim = TS_DIM_STRESS,                                                                        \
     .help = "Stops by Hertz' law instead of a stop_stiffness: E*, with 1/E* = (1 - nu1^2)/E1 + " \
             "(1 - nu2^2)/E2 of the two materials. The force is 4/3 E* sqrt(R) p^1.5 at the "     \
             "penetration p.",                                                                    \
     .fallback = "none"},                                                                         \
        {.name = "stop_radius",                                                                   \
         .type = TS_NUMBER,                                                                       \
         .dim = TS_DIM_LENGTH,                                                                    \
         .help = "R of Hertz' law: radius of the sphere on a flat stop, 1/R = 1/R1 + 1/R2 of "    \
                 "two spheres.",                                                                  \
         .fallback = "none"},                                                                     \
    {                                                                                             \
        .name = "stop_dissipation", .type = TS_NUMBER, .dim = TS_DIM_SLOWNESS,                    \
        .help = "Losses of a stop by Hertz' law (Hunt and Crossley): the force is multiplied by " \
                "1 + 1.5 a dp/dt with a = stop_dissipation. A slow impact with speed v leaves "   \
                "with (1 - a v) v.",                                                              \
        .fallback = "0"                                                                           \
    }

/* ---- springs with inner states: hysteresis and relaxation (inner.c, laws/inner.c) ---- */

enum {
    TS_MAXWELL_STIFFNESS,
    TS_MAXWELL_TIME,
    TS_JENKINS_STIFFNESS,
    TS_JENKINS_FORCE,
    TS_BOUC_WEN_STIFFNESS,
    TS_BOUC_WEN_FORCE,
    TS_BOUC_WEN_EXPONENT,
    TS_BOUC_WEN_SHAPE,
    TS_INNER_FIELDS_COUNT
};

/* Number of branches that the fields from value[field] on define; negative after ts_build_fail. */
int ts_inner_read(ts_builder *b, const ts_value *value, int field);
/* Adds these branches to the newest site, on the forms of a coordinate. */
void ts_inner_add(ts_model *model, const ts_value *value, int field, ts_way_kind way, double tiny);

#define TS_INNER_FIELDS(stiffness, force)                                                         \
    {.name = "maxwell_stiffness",                                                                 \
     .type = TS_NUMBERS,                                                                          \
     .dim = stiffness,                                                                            \
     .help = "Stiffnesses of Maxwell branches, springs with a dashpot in series, in parallel to " \
             "the spring: it is stiffer when it moves fast.",                                     \
     .fallback = "none"},                                                                         \
        {.name = "maxwell_time",                                                                  \
         .type = TS_NUMBERS,                                                                      \
         .dim = TS_DIM_TIME,                                                                      \
         .help = "Relaxation time of each Maxwell branch: its dashpot over its stiffness.",       \
         .fallback = "none"},                                                                     \
        {.name = "jenkins_stiffness",                                                             \
         .type = TS_NUMBERS,                                                                      \
         .dim = stiffness,                                                                        \
         .help = "Stiffnesses of Jenkins elements, springs that slip at a force, in parallel: "   \
                 "hysteresis of joints and wire ropes (Iwan's model).",                           \
         .fallback = "none"},                                                                     \
        {.name = "jenkins_force",                                                                 \
         .type = TS_NUMBERS,                                                                      \
         .dim = force,                                                                            \
         .help = "The force at which each Jenkins element slips.",                                \
         .fallback = "none"},                                                                     \
        {.name = "bouc_wen_stiffness",                                                            \
         .type = TS_NUMBER,                                                                       \
         .dim = stiffness,                                                                        \
         .help = "Initial stiffness of a hysteresis by Bouc and Wen, in parallel.",               \
         .fallback = "none"},                                                                     \
        {.name = "bouc_wen_force",                                                                \
         .type = TS_NUMBER,                                                                       \
         .dim = force,                                                                            \
         .help = "The largest force of this hysteresis.",                                         \
         .fallback = "none"},                                                                     \
        {.name = "bouc_wen_exponent",                                                             \
         .type = TS_NUMBER,                                                                       \
         .help = "Exponent n, 1 or more: the larger, the sharper the yielding.",                  \
         .fallback = "1"},                                                                        \
    {                                                                                             \
        .name = "bouc_wen_shape", .type = TS_NUMBER,                                              \
        .help = "beta/(beta + gamma), 0.5 to 1: at 0.5 it unloads with its initial stiffness, "   \
                "above it unloads more stiffly.",                                                 \
        .fallback = "0.5"                                                                         \
    }

/* ---- numbers ---- */

/* Inertia from a field; contribution of a mass at c about the reference point, m (c.c I - c c^T);
 * does the inertia belong to a real body? */
m3 ts_inertia_tensor(const ts_value *inertia);
m3 ts_offset_inertia(double mass, v3 c);
int ts_check_inertia(ts_builder *b, int field, m3 J_centre, bool about_centre);

#endif
