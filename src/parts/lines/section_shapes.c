/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of beams from shapes and a material: circle, tube, rectangle, box, I.
 *
 * All have two axes of symmetry, so tension, shear and mass centre are the centroid. Areas and
 * second moments are exact. I2 is the integral of y3^2 (bending about axis 2), I3 that of y2^2.
 *
 * Torsion constants (Timoshenko & Goodier, Theory of Elasticity, ch. 10):
 *     circle, tube   polar moment, exact
 *     rectangle      Saint-Venant's series, to round-off
 *     box            Bredt: 4 A_m^2 / sum(s/t) along the middle line, plus sum(s t^3)/3
 *     I              El Darwish & Johnston, Torsion of structural shapes, J. Struct. Div. ASCE 91
 *                    (1965) 203-227: sum(s t^3)/3 with ends and joints, fillets included
 * Compared with finite elements for Saint-Venant's problem: the box with sharp corners is too soft
 * by 1 % for t/h = 0.02, 2.5 % for 0.05, 4.5 % for 0.1, 6 % for 0.2; the I without fillets is right
 * to 1 %, for flanges up to 0.15 of the height and webs from half to all of their thickness.
 *
 * Shear factors: G. R. Cowper, The shear coefficient in Timoshenko's beam theory, J. Appl. Mech.
 * 33 (1966) 335-340; box and I as thin walls along their middle lines, without fillets. For an I
 * loaded along its flanges, where Cowper gives none, the flanges act as rectangles and the web not
 * at all.
 */
#include <stdio.h>

#include "base/error.h"
#include "parts/continuum.h"

#define PI 3.14159265358979323846

enum { MATERIAL, SHEAR_FACTOR, TORSION_CONSTANT, CENTROID, ANGLE, OWN };

static const char *const MATERIALS[] = {"materials", NULL};

/* The fields all shapes begin with; their own follow. */
#define SHAPE_FIELDS                                                                           \
    {.name = "material",                                                                       \
     .type = TS_PART,                                                                          \
     .required = true,                                                                         \
     .choices = MATERIALS,                                                                     \
     .help = "The material, one of `materials`."},                                             \
        {.name = "shear_factor",                                                               \
         .type = TS_NUMBERS,                                                                   \
         .help = "[k2, k3], or [k] for both: the part of the area that works in shear, along " \
                 "axes 2 and 3.",                                                              \
         .fallback = "after Cowper"},                                                          \
        {.name = "torsion_constant",                                                           \
         .type = TS_NUMBER,                                                                    \
         .dim = {4, 0, 0, 0},                                                                  \
         .help = "Torsion constant, from a table.",                                            \
         .fallback = "from the shape"},                                                        \
        {.name = "centroid",                                                                   \
         .type = TS_NUMBERS,                                                                   \
         .dim = TS_DIM_LENGTH,                                                                 \
         .help = "[y2, y3], the centroid from the reference line.",                            \
         .fallback = "[0, 0]"},                                                                \
    {                                                                                          \
        .name = "angle", .type = TS_NUMBER, .dim = TS_DIM_ANGLE,                               \
        .help = "Rotation of the shape about axis 1, about its centroid.", .fallback = "0"     \
    }

#define LENGTH_FIELD(field, is_required, text)                                           \
    {                                                                                    \
        .name = field, .type = TS_NUMBER, .dim = TS_DIM_LENGTH, .required = is_required, \
        .help = text                                                                     \
    }

typedef struct shape {
    double area, I2, I3, torsion, k2, k3;
} shape;

/* Result of a kind of shape for Poisson's ratio and its sizes. */
enum { MOST_SIZES = 5 };
typedef shape shape_of(double nu, const double *size);

/* Numbers that a shape stores after those of its section, so that a beam may vary it: torsion
 * constant and shear factors relative to those computed from the shape. */
enum {
    E_OF,
    G_OF,
    DENSITY_OF,
    CENTROID_OF,
    ANGLE_OF = CENTROID_OF + 2,
    TORSION_OF,
    K2_OF,
    K3_OF,
    SIZES_OF,
    SHAPE_NUMBERS = SIZES_OF + MOST_SIZES
};

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }

/* ---- Cowper's factors ---- */

/* m: inner over outer diameter */
static double cowper_tube(double nu, double m) {
    double a = square(1 + m * m);
    return 6 * (1 + nu) * a / ((7 + 6 * nu) * a + (20 + 12 * nu) * m * m);
}

static double cowper_rectangle(double nu) { return 10 * (1 + nu) / (12 + 11 * nu); }

/* Shared by box and I; m: area of the flanges over that of the webs. `flanges` is the remaining
 * term. */
static double cowper_thin(double nu, double m, double flanges) {
    double shear = 12 + m * (72 + m * (150 + m * 90)), poisson = 11 + m * (66 + m * (135 + m * 90));
    return 10 * (1 + nu) * square(1 + 3 * m) / (shear + nu * poisson + flanges);
}

/* Force along the webs; b wide, h high between middle lines. */
static double cowper_box(double nu, double b, double h, double flange, double web) {
    double m = b * flange / (h * web), n = b / h;
    return cowper_thin(nu, m, 10 * n * n * m * (3 + nu + 3 * m));
}

static double cowper_i(double nu, double b, double h, double flange, double web) {
    double m = 2 * b * flange / (h * web), n = b / h;
    return cowper_thin(nu, m, n * n * m * (30 * (1 + m) + 5 * nu * (8 + 9 * m)));
}

/* ---- torsion of a rectangle ---- */

/* a b^3 (1/3 - 64 b / (pi^5 a) sum tanh(n pi a / 2b) / n^5), n odd, a >= b: the sum without tanh is
 * known, and 1 - tanh falls like exp(-n pi). */
static double rectangle_torsion(double width, double height) {
    double a = fmax(width, height), b = fmin(width, height);
    double sum = 31.0 / 32 * 1.03692775514336992633; /* 31/32 zeta(5) */
    for (int n = 1; n < 16; n += 2) sum -= 2 / (1 + exp(n * PI * a / b)) / pow(n, 5);
    return a * cube(b) * (1.0 / 3 - 64 / pow(PI, 5) * b / a * sum);
}

/* ---- reading ---- */

static int check_lengths(ts_builder *b, const ts_kind *kind, const ts_value *value) {
    for (int k = OWN; kind->fields[k].name; k++)
        if (value[k].given && !(value[k].number[0] > 0))
            return ts_build_fail(b, k, NULL, "%s must be above zero", kind->fields[k].name);
    return 0;
}

static int one_of(ts_builder *b, const ts_kind *kind, const ts_value *value, int first,
                  int second) {
    if (value[first].given != value[second].given) return 0;
    bool both = value[second].given;
    char hint[60];
    snprintf(hint, sizeof hint, "for example `%s: 20 mm`", kind->fields[first].name);
    return ts_build_fail(b, both ? second : -1, both ? NULL : hint, "give %s or %s%s",
                         kind->fields[first].name, kind->fields[second].name,
                         both ? ", not both" : "");
}

static int read_shear_factors(ts_builder *b, const ts_value *given, shape *s) {
    if (!given->given) return 0;
    if (given->count != 1 && given->count != 2)
        return ts_build_fail(b, SHEAR_FACTOR, NULL, "expected [k2, k3] or [k], got %d numbers",
                             given->count);
    for (int i = 0; i < given->count; i++)
        if (!(given->list[i] > 0 && given->list[i] <= 1))
            return ts_build_fail(b, SHEAR_FACTOR, "5/6 for a rectangle, not its reciprocal",
                                 "a shear factor lies between 0 and 1: it is the part of the area "
                                 "that works in shear");
    s->k2 = given->list[0], s->k3 = given->list[given->count - 1];
    return 0;
}

static int read_overrides(ts_builder *b, const ts_value *value, shape *s) {
    if (value[TORSION_CONSTANT].given) s->torsion = value[TORSION_CONSTANT].number[0];
    if (!(s->torsion > 0))
        return ts_build_fail(b, TORSION_CONSTANT, NULL, "torsion_constant must be above zero");
    return read_shear_factors(b, &value[SHEAR_FACTOR], s);
}

static const double *material_of(const ts_builder *b, const ts_value *value) {
    return b->model->numbers + b->model->parts[value[MATERIAL].part[0]].data;
}

static double poisson(const double *x) { return x[E_OF] / (2 * x[G_OF]) - 1; }

static ts_section section_of(shape s, const double *x) {
    const ts_section_axes axes = {.EA = x[E_OF] * s.area,
                                  .GA2 = x[G_OF] * s.k2 * s.area,
                                  .GA3 = x[G_OF] * s.k3 * s.area,
                                  .GJ = x[G_OF] * s.torsion,
                                  .EI2 = x[E_OF] * s.I2,
                                  .EI3 = x[E_OF] * s.I3,
                                  .tension = {x[CENTROID_OF], x[CENTROID_OF + 1]},
                                  .shear = {x[CENTROID_OF], x[CENTROID_OF + 1]},
                                  .angle = x[ANGLE_OF]};
    double density = x[DENSITY_OF];
    v3 J = v3_make(density * (s.I2 + s.I3), density * s.I2, density * s.I3);
    ts_section section;
    ts_section_stiffness(&axes, section.K);
    ts_section_mass(&section, density * s.area, v3_make(0, x[CENTROID_OF], x[CENTROID_OF + 1]), J,
                    x[ANGLE_OF]);
    return section;
}

static int store(ts_builder *b, const ts_kind *kind, const ts_value *value, shape_of *of,
                 const double size[MOST_SIZES]) {
    if (ts_require_isotropic(b, value, MATERIAL)) return TORSOR_EINVAL;
    const double *material = material_of(b, value);
    double x[SHAPE_NUMBERS] = {[E_OF] = material[TS_MATERIAL_E],
                               [G_OF] = material[TS_MATERIAL_G],
                               [DENSITY_OF] = material[TS_MATERIAL_DENSITY],
                               [ANGLE_OF] = value[ANGLE].number[0]};
    shape own = of(poisson(x), size), s = own;
    if (ts_read_section_point(b, value, CENTROID, x + CENTROID_OF) || read_overrides(b, value, &s))
        return TORSOR_EINVAL;
    x[TORSION_OF] = s.torsion / own.torsion, x[K2_OF] = s.k2 / own.k2, x[K3_OF] = s.k3 / own.k3;
    for (int k = 0; k < MOST_SIZES; k++) x[SIZES_OF + k] = size[k];
    ts_section section = section_of(s, x);
    ts_section_store(b, kind, &section);
    for (int k = 0; k < SHAPE_NUMBERS; k++) ts_model_number(b->model, x[k]);
    return 0;
}

/* ---- circle and tube ---- */

/* size: outer and inner diameter */
static shape tube_shape(double nu, const double *size) {
    double outer = size[0], inner = size[1];
    double I = PI / 64 * (square(square(outer)) - square(square(inner)));
    double k = cowper_tube(nu, inner / outer);
    return (shape){.area = PI / 4 * (square(outer) - square(inner)),
                   .I2 = I,
                   .I3 = I,
                   .torsion = 2 * I,
                   .k2 = k,
                   .k3 = k};
}

enum { DIAMETER = OWN, RADIUS };

static const ts_field CIRCLE_FIELDS[] = {SHAPE_FIELDS,
                                         LENGTH_FIELD("diameter", false, "Diameter; or radius."),
                                         LENGTH_FIELD("radius", false, "Radius; or diameter."),
                                         {0}};

static int build_circle(ts_builder *b, ts_value *value) {
    const ts_kind *kind = &TS_KIND_SECTION_CIRCLE;
    if (one_of(b, kind, value, DIAMETER, RADIUS) || check_lengths(b, kind, value))
        return TORSOR_EINVAL;
    double diameter =
        value[DIAMETER].given ? value[DIAMETER].number[0] : 2 * value[RADIUS].number[0];
    return store(b, kind, value, tube_shape, (double[MOST_SIZES]){diameter});
}

const ts_kind TS_KIND_SECTION_CIRCLE = {
    .name = "circle",
    .section = "sections",
    .look = TS_LOOK_SECTION,
    .help = "A solid circular section.",
    .fields = CIRCLE_FIELDS,
    .build = build_circle,
    .sample = "{type: circle, material: M, diameter: 20 mm}",
};

enum { OUTER = OWN, INNER, TUBE_THICKNESS };

static const ts_field TUBE_FIELDS[] = {
    SHAPE_FIELDS,
    LENGTH_FIELD("outer_diameter", true, "Outer diameter."),
    LENGTH_FIELD("inner_diameter", false, "Inner diameter; or thickness."),
    LENGTH_FIELD("thickness", false, "Thickness of the wall; or inner_diameter."),
    {0}};

static int build_tube(ts_builder *b, ts_value *value) {
    const ts_kind *kind = &TS_KIND_SECTION_TUBE;
    if (one_of(b, kind, value, INNER, TUBE_THICKNESS) || check_lengths(b, kind, value))
        return TORSOR_EINVAL;
    bool by_wall = value[TUBE_THICKNESS].given;
    double outer = value[OUTER].number[0];
    double inner = by_wall ? outer - 2 * value[TUBE_THICKNESS].number[0] : value[INNER].number[0];
    if (inner < 0)
        return ts_build_fail(b, TUBE_THICKNESS, "a solid bar is a `circle`",
                             "the wall is thicker than the radius");
    if (inner >= outer)
        return ts_build_fail(b, INNER, NULL,
                             "the inner diameter must be smaller than the outer one");
    return store(b, kind, value, tube_shape, (double[MOST_SIZES]){outer, inner});
}

const ts_kind TS_KIND_SECTION_TUBE = {
    .name = "tube",
    .section = "sections",
    .look = TS_LOOK_SECTION,
    .help = "A circular tube.",
    .fields = TUBE_FIELDS,
    .build = build_tube,
    .sample = "{type: tube, material: M, outer_diameter: 40 mm, thickness: 2 mm}",
};

/* ---- rectangle, box, I: width along axis 2, height along axis 3 ---- */

enum { WIDTH = OWN, HEIGHT, FLANGE, WEB, THICKNESS };

#define WIDTH_FIELD LENGTH_FIELD("width", true, "Along axis 2.")
#define HEIGHT_FIELD LENGTH_FIELD("height", true, "Along axis 3.")

static const ts_field RECTANGLE_FIELDS[] = {SHAPE_FIELDS, WIDTH_FIELD, HEIGHT_FIELD, {0}};

static shape rectangle_shape(double nu, const double *size) {
    double width = size[0], height = size[1], k = cowper_rectangle(nu);
    return (shape){.area = width * height,
                   .I2 = width * cube(height) / 12,
                   .I3 = height * cube(width) / 12,
                   .torsion = rectangle_torsion(width, height),
                   .k2 = k,
                   .k3 = k};
}

static int build_rectangle(ts_builder *b, ts_value *value) {
    const ts_kind *kind = &TS_KIND_SECTION_RECTANGLE;
    if (check_lengths(b, kind, value)) return TORSOR_EINVAL;
    return store(b, kind, value, rectangle_shape,
                 (double[MOST_SIZES]){value[WIDTH].number[0], value[HEIGHT].number[0]});
}

const ts_kind TS_KIND_SECTION_RECTANGLE = {
    .name = "rectangle",
    .section = "sections",
    .look = TS_LOOK_SECTION,
    .help = "A solid rectangular section: width along axis 2, height along axis 3.",
    .fields = RECTANGLE_FIELDS,
    .build = build_rectangle,
    .sample = "{type: rectangle, material: M, width: 10 mm, height: 20 mm}",
};

static const ts_field BOX_FIELDS[] = {
    SHAPE_FIELDS,
    WIDTH_FIELD,
    HEIGHT_FIELD,
    LENGTH_FIELD("flange_thickness", false, "Thickness of the two walls along axis 2."),
    LENGTH_FIELD("web_thickness", false, "Thickness of the two walls along axis 3."),
    LENGTH_FIELD("thickness", false, "Thickness of all walls, instead of these."),
    {0}};

/* Outer width and height, and both thicknesses, which leave a hole. */
static int read_box(ts_builder *b, const ts_value *value, double *flange, double *web) {
    const ts_kind *kind = &TS_KIND_SECTION_BOX;
    bool same = value[THICKNESS].given, both = value[FLANGE].given && value[WEB].given;
    if (same ? value[FLANGE].given || value[WEB].given : !both)
        return ts_build_fail(b, same ? THICKNESS : -1, NULL,
                             "give thickness, or flange_thickness and web_thickness");
    if (check_lengths(b, kind, value)) return TORSOR_EINVAL;
    *flange = value[same ? THICKNESS : FLANGE].number[0];
    *web = value[same ? THICKNESS : WEB].number[0];
    if (2 * *flange < value[HEIGHT].number[0] && 2 * *web < value[WIDTH].number[0]) return 0;
    return ts_build_fail(b, same ? THICKNESS : FLANGE, "a solid bar is a `rectangle`",
                         "the walls are too thick: they leave no hole");
}

static double box_torsion(double b, double h, double flange, double web) {
    return 2 * square(b * h) / (b / flange + h / web) +
           2.0 / 3 * (b * cube(flange) + h * cube(web));
}

/* size: outer width and height, thickness of flanges and webs */
static shape box_shape(double nu, const double *size) {
    double width = size[0], height = size[1], flange = size[2], web = size[3];
    double inner_width = width - 2 * web, inner_height = height - 2 * flange;
    double b = width - web, h = height - flange; /* between middle lines */
    return (shape){.area = width * height - inner_width * inner_height,
                   .I2 = (width * cube(height) - inner_width * cube(inner_height)) / 12,
                   .I3 = (height * cube(width) - inner_height * cube(inner_width)) / 12,
                   .torsion = box_torsion(b, h, flange, web),
                   .k2 = cowper_box(nu, h, b, web, flange),
                   .k3 = cowper_box(nu, b, h, flange, web)};
}

static int build_box(ts_builder *builder, ts_value *value) {
    double flange = 0, web = 0;
    if (read_box(builder, value, &flange, &web)) return TORSOR_EINVAL;
    return store(
        builder, &TS_KIND_SECTION_BOX, value, box_shape,
        (double[MOST_SIZES]){value[WIDTH].number[0], value[HEIGHT].number[0], flange, web});
}

const ts_kind TS_KIND_SECTION_BOX = {
    .name = "box",
    .section = "sections",
    .look = TS_LOOK_SECTION,
    .help =
        "A rectangular hollow section with sharp corners, outer width along axis 2, outer "
        "height along axis 3. Shear and torsion are those of thin walls: the torsion constant is "
        "too small by 2.5 % where a wall is a twentieth of the height, by 4.5 % at a tenth.",
    .fields = BOX_FIELDS,
    .build = build_box,
    .sample = "{type: box, material: M, width: 40 mm, height: 60 mm, flange_thickness: 3 mm, "
              "web_thickness: 2 mm}",
};

enum { FILLET = THICKNESS };

static const ts_field I_FIELDS[] = {
    SHAPE_FIELDS,
    WIDTH_FIELD,
    HEIGHT_FIELD,
    LENGTH_FIELD("flange_thickness", true, "Thickness of the two flanges, which lie along axis 2."),
    LENGTH_FIELD("web_thickness", true, "Thickness of the web, which stands along axis 3."),
    LENGTH_FIELD("fillet_radius", false, "Radius of the four fillets of a rolled section."),
    {0}};

typedef struct i_shape {
    double width, height, flange, web, fillet;
} i_shape;

static double i_torsion(i_shape x) {
    double t = x.flange, w = x.web, r = x.fillet, q = w / t;
    double alpha = -0.042 + 0.2204 * q - 0.0725 * q * q + (0.1355 - 0.0865 * q) * r / t;
    double D = (square(t + r) + w * (r + w / 4)) / (2 * r + t); /* circle inscribed at the joint */
    return (2 * x.width * cube(t) + (x.height - 2 * t) * cube(w)) / 3 +
           2 * alpha * square(square(D)) - 0.42 * square(square(t));
}

/* Four fillets, each a square less a quarter of a circle, with its centroid e from both sides. */
static void add_fillets(i_shape x, shape *s) {
    double r = x.fillet, area = (1 - PI / 4) * r * r, e = r * (10 - 3 * PI) / (12 - 3 * PI);
    double own = square(square(r)) * (1.0 / 3 - PI / 16 - 1 / (9 * (4 - PI)));
    s->area += 4 * area;
    s->I2 += 4 * (own + area * square(x.height / 2 - x.flange - e));
    s->I3 += 4 * (own + area * square(x.web / 2 + e));
}

static i_shape i_of(const double *size) {
    return (i_shape){size[0], size[1], size[2], size[3], size[4]};
}

static shape i_numbers(double nu, const double *size) {
    i_shape x = i_of(size);
    double inner = x.height - 2 * x.flange, b = x.width, web = x.web, flange = x.flange;
    shape s = {.area = 2 * b * flange + inner * web,
               .I2 = (b * cube(x.height) - (b - web) * cube(inner)) / 12,
               .I3 = (2 * flange * cube(b) + inner * cube(web)) / 12,
               .torsion = i_torsion(x)};
    add_fillets(x, &s);
    s.k2 = cowper_rectangle(nu) * 2 * b * flange / s.area;
    s.k3 = cowper_i(nu, b, x.height - flange, flange, web);
    return s;
}

static int check_i(ts_builder *b, i_shape x) {
    if (2 * x.flange >= x.height) return ts_build_fail(b, FLANGE, NULL, "the flanges leave no web");
    if (x.web >= x.width)
        return ts_build_fail(b, WEB, NULL, "the web is as thick as the flanges are wide");
    if (2 * x.fillet > x.height - 2 * x.flange || 2 * x.fillet > x.width - x.web)
        return ts_build_fail(b, FILLET, NULL, "the fillets do not fit");
    return 0;
}

static int build_i(ts_builder *b, ts_value *value) {
    const ts_kind *kind = &TS_KIND_SECTION_I;
    const double size[MOST_SIZES] = {value[WIDTH].number[0], value[HEIGHT].number[0],
                                     value[FLANGE].number[0], value[WEB].number[0],
                                     value[FILLET].number[0]};
    if (check_lengths(b, kind, value) || check_i(b, i_of(size))) return TORSOR_EINVAL;
    return store(b, kind, value, i_numbers, size);
}

const ts_kind TS_KIND_SECTION_I = {
    .name = "i_beam",
    .section = "sections",
    .look = TS_LOOK_I_SECTION,
    .help = "An I with equal flanges: web along axis 3, flanges along axis 2.",
    .fields = I_FIELDS,
    .build = build_i,
    .sample = "{type: i_beam, material: M, width: 50 mm, height: 100 mm, flange_thickness: 6 mm, "
              "web_thickness: 4 mm}",
};

/* ---- between two sections ---- */

static const struct {
    const ts_kind *kind;
    shape_of *of;
} SHAPES[] = {{&TS_KIND_SECTION_CIRCLE, tube_shape},
              {&TS_KIND_SECTION_TUBE, tube_shape},
              {&TS_KIND_SECTION_RECTANGLE, rectangle_shape},
              {&TS_KIND_SECTION_BOX, box_shape},
              {&TS_KIND_SECTION_I, i_numbers}};

static shape_of *shape_of_kind(const ts_kind *kind) {
    for (size_t i = 0; i < sizeof SHAPES / sizeof SHAPES[0]; i++)
        if (SHAPES[i].kind == kind) return SHAPES[i].of;
    return NULL;
}

static void mix_shapes(shape_of *of, const double *a, const double *b, double s, double *numbers) {
    double x[SHAPE_NUMBERS];
    for (int k = 0; k < SHAPE_NUMBERS; k++) x[k] = (1 - s) * a[k] + s * b[k];
    shape own = of(poisson(x), x + SIZES_OF);
    own.torsion *= x[TORSION_OF], own.k2 *= x[K2_OF], own.k3 *= x[K3_OF];
    ts_section section = section_of(own, x);
    ts_section_numbers(&section, numbers);
}

/* Mass times centre varies linearly, as mass and inertia do: then the mass between two real
 * sections is real. */
static void mix_numbers(const double *a, const double *b, double s, double *numbers) {
    for (int k = 0; k < TS_SECTION_NUMBERS; k++) numbers[k] = (1 - s) * a[k] + s * b[k];
    double mass = numbers[TS_SECTION_MASS];
    for (int k = TS_SECTION_CENTRE; k < TS_SECTION_CENTRE + 3; k++) {
        double moment = (1 - s) * a[TS_SECTION_MASS] * a[k] + s * b[TS_SECTION_MASS] * b[k];
        numbers[k] = mass > 0 ? moment / mass : 0;
    }
}

void ts_section_between(const ts_model *model, int first, int last, double s,
                        double numbers[TS_SECTION_NUMBERS]) {
    const ts_part *a = &model->parts[first], *b = &model->parts[last];
    const double *from = model->numbers + a->data, *to = model->numbers + b->data;
    shape_of *of = a->kind == b->kind && a != b ? shape_of_kind(a->kind) : NULL;
    if (of)
        mix_shapes(of, from + TS_SECTION_NUMBERS, to + TS_SECTION_NUMBERS, s, numbers);
    else
        mix_numbers(from, to, s, numbers);
}
