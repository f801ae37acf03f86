/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts: which shapes touch, and by which law. See contact/pair.c.
 *
 * A linear contact has a stiffness; one by Hertz' law an effective modulus E*, with 1/E* = (1 -
 * nu_1^2)/E_1 + (1 - nu_2^2)/E_2, and the radii of its shapes. A bristle of friction is 0.8 times
 * as stiff as the contact is (Mindlin), by Hertz' law where it is pressed in by a thousandth of its
 * radius. Properties that the contact does not give may come from its shapes (coating.c).
 */
#include "base/error.h"
#include "contact/heft.h"
#include "parts/parts.h"
#include "parts/touch/members.h"

enum {
    BETWEEN,
    AMONG,
    LAW,
    STIFFNESS,
    MODULUS,
    RESTITUTION,
    FRICTION,
    STATIC,
    STRIBECK,
    VISCOUS,
    GRIP,
    PER_AREA,
    PER_LENGTH,
    UNRESOLVED,
    ROLLING,
    SPINNING,
    EXCEPT,
    INITIAL,
    DISTANCE
};
enum { LINEAR, HERTZ, BARRIER };

static const char *const LAWS[] = {"linear", "hertz", "barrier", NULL};
static const ts_penetration *const ELASTIC[] = {&ts_linear_penetration, &ts_hertz_penetration,
                                                &ts_barrier_penetration};
static const char *const WAYS[] = {"cut", "keep", NULL};
static const char *const CHOSEN[] = {"auto", NULL};
static const char *const SHAPES[] = {"shapes", NULL};
static const char *const INITIALLY[] = {"refuse", "accept", "shift", NULL};

static const ts_field FIELDS[] = {
    {.name = "between",
     .type = TS_PART_GROUPS,
     .choices = SHAPES,
     .help = "Two shapes; or two groups, as patterns of names or lists: each shape of one group "
             "can touch each shape of the other."},
    {.name = "among",
     .type = TS_PART_GROUPS,
     .choices = SHAPES,
     .help = "Shapes, or patterns of names, that can all touch each other, except shapes of one "
             "body and of bodies that a joint connects."},
    {.name = "law",
     .type = TS_CHOICE,
     .choices = LAWS,
     .help = "How the force grows with the penetration. A barrier acts from a given distance on "
             "and grows without bound, so that shapes never touch.",
     .fallback = "linear; hertz if a modulus is given; barrier if a distance is"},
    {.name = "stiffness",
     .type = TS_NUMBER,
     .dim = TS_DIM_STIFFNESS,
     .choices = CHOSEN,
     .help = "Of a linear contact: force over penetration; of a barrier, the factor of p^2 ln(d/(d "
             "- p)) in its energy, with its distance d and p = d - gap. auto: chosen so that "
             "shapes penetrate each other by 1 % of their size at their initial speed, or at the "
             "speed of a fall. `torsor check` prints how long and how deep such an impact is.",
     .fallback = "auto"},
    {.name = "modulus",
     .type = TS_NUMBER,
     .dim = TS_DIM_STRESS,
     .help = "Of Hertz' law: effective modulus, 1/((1 - nu1^2)/E1 + (1 - nu2^2)/E2).",
     .fallback = "by the coatings of both shapes"},
    {.name = "restitution",
     .type = TS_NUMBER,
     .help = "Speed after an impact over the speed before it, from 0 to 1 (0 counts as 0.002).",
     .fallback = "by coatings, or 1"},
    {.name = "friction",
     .type = TS_NUMBER,
     .help = "Coefficient of sliding friction.",
     .fallback = "by coatings, or 0"},
    {.name = "static_friction",
     .type = TS_NUMBER,
     .help = "Coefficient of friction at which sliding begins.",
     .fallback = "friction"},
    {.name = "stribeck",
     .type = TS_NUMBER,
     .dim = TS_DIM_VELOCITY,
     .help = "Velocity over which friction falls from static to sliding.",
     .fallback = "0: at once"},
    {.name = "viscous",
     .type = TS_NUMBER,
     .dim = TS_DIM_DAMPING,
     .help = "Viscous friction in addition: tangential force over velocity.",
     .fallback = "0"},
    {.name = "grip",
     .type = TS_NUMBER,
     .dim = TS_DIM_STIFFNESS,
     .help = "Tangential stiffness in sticking.",
     .fallback = "0.8 times the stiffness"},
    {.name = "area_stiffness",
     .type = TS_NUMBER,
     .dim = {-2, 1, -2, 0},
     .help = "Of points of skins, instead of a stiffness: pressure over penetration. A node has "
             "its share of the area."},
    {.name = "length_stiffness",
     .type = TS_NUMBER,
     .dim = {-1, 1, -2, 0},
     .help = "Of points of lines, instead of a stiffness: force per length over penetration."},
    {.name = "unresolved",
     .type = TS_CHOICE,
     .choices = WAYS,
     .help = "What to do with an impact that is shorter than about ten steps: `cut` divides the "
             "steps, so that the impact takes ten or more; `keep` leaves the steps as they are.",
     .fallback = "cut if restitution is below 1, or else keep"},
    {.name = "rolling",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Rolling resistance of two bodies: moment over normal force.",
     .fallback = "0"},
    {.name = "spinning",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Resistance to spinning about the normal: moment over normal force.",
     .fallback = "0"},
    {.name = "except",
     .type = TS_PART_GROUPS,
     .choices = SHAPES,
     .help = "Exceptions: lists of two or more shapes that do not touch each other."},
    {.name = "initial",
     .type = TS_CHOICE,
     .choices = INITIALLY,
     .help = "What to do with shapes that overlap as drawn by more than 10 % of their radius: "
             "`refuse` the model; `accept` the overlap with the energy it stores; or `shift` the "
             "gaps that are closed as drawn, so that they begin at zero.",
     .fallback = "refuse"},
    {.name = "distance",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Of a barrier: distance of the shapes at which it begins to act. Gaps are measured "
             "from this distance."},
    {0}};

static const double MINDLIN = 0.8;

static int check_sides(ts_builder *b, const ts_value *value) {
    if (value[BETWEEN].given == value[AMONG].given)
        return ts_build_fail(b, value[AMONG].given ? AMONG : BETWEEN,
                             "for example `between: [ball, floor]`, two names of `shapes`",
                             "give either `between` two shapes, or `among` several");
    int groups = ts_groups_count(&value[BETWEEN]);
    if (value[BETWEEN].given && groups != 2)
        return ts_build_fail(b, BETWEEN, "use `among` for several",
                             "`between` takes two shapes, or two groups, here are %d", groups);
    if (value[AMONG].given && value[AMONG].count - ts_groups_count(&value[AMONG]) < 2 &&
        !ts_touches_itself(b->model, &value[AMONG]))
        return ts_build_fail(b, AMONG, NULL,
                             "`among` takes two shapes or more, or a line with `self`");
    return 0;
}

/* The stiffness of a linear contact is that of a point, or of its area or length. */
static int stiffness_field(const ts_value *value) {
    return value[PER_AREA].given ? PER_AREA : value[PER_LENGTH].given ? PER_LENGTH : STIFFNESS;
}

/* Is the stiffness `auto`? */
static bool is_chosen(const ts_value *value, int law) {
    return law != HERTZ && !value[PER_AREA].given && !value[PER_LENGTH].given &&
           (!value[STIFFNESS].given || value[STIFFNESS].text);
}

/* ---- coatings of its shapes ---- */

static const ts_value *shapes_of(const ts_value *value) {
    return &value[value[AMONG].given ? AMONG : BETWEEN];
}

/* The least and the largest value that its shapes give; returns the number of shapes that give
 * none. */
static int coated(const ts_model *model, const ts_value *shapes, int which, double *least,
                  double *most) {
    int silent = 0;
    *least = INFINITY, *most = -1;
    for (int i = 0; i < shapes->count; i++) {
        if (shapes->list[i] < 0) continue;
        const ts_part *part = &model->parts[(int)shapes->list[i]];
        if (part->data >= model->shapes_count) continue; /* a coating that a pattern matches */
        double x = ts_coating_of(model, &model->shapes[part->data], which);
        if (x < 0)
            silent++;
        else
            *least = fmin(*least, x), *most = fmax(*most, x);
    }
    return silent;
}

static int check_coated(ts_builder *b, const ts_value *value) {
    double least, most;
    if (coated(b->model, shapes_of(value), TS_COATING_MODULUS, &least, &most) == 0) return 0;
    return ts_build_fail(b, -1, "or give all its shapes a coating with a modulus",
                         "a hertz contact needs a modulus above zero");
}

/* Modulus of two of the softest shapes: there the stiffness of a bristle is evaluated. */
static double modulus_of(const ts_model *model, const ts_value *value) {
    double least, most;
    if (value[MODULUS].given) return value[MODULUS].number[0];
    coated(model, shapes_of(value), TS_COATING_MODULUS, &least, &most);
    return 0.5 * least;
}

/* The properties that the contact does not give itself. */
static int left_to_shapes(const ts_value *value) {
    return (value[FRICTION].given || value[STATIC].given ? 0 : 1 << TS_COATING_FRICTION) |
           (value[RESTITUTION].given ? 0 : 1 << TS_COATING_LOSS) |
           (value[MODULUS].given ? 0 : 1 << TS_COATING_MODULUS);
}

/* Is the property above zero for any of its pairs? */
static bool is_brought(const ts_model *model, const ts_value *value, int which) {
    double least, most;
    coated(model, shapes_of(value), which, &least, &most);
    return left_to_shapes(value) & 1 << which && most > 0;
}

static int check_law(ts_builder *b, const ts_value *value, int law) {
    int field = law == HERTZ ? MODULUS : stiffness_field(value);
    int given = value[STIFFNESS].given + value[PER_AREA].given + value[PER_LENGTH].given;
    bool chosen = value[STIFFNESS].given && !value[STIFFNESS].text;
    if (given > 1 || (given && law == HERTZ && (chosen || !value[STIFFNESS].given)))
        return ts_build_fail(b, field, NULL, "give one stiffness, or one modulus");
    if (law == BARRIER && !(value[DISTANCE].number[0] > 0))
        return ts_build_fail(b, value[DISTANCE].given ? DISTANCE : -1, NULL,
                             "a barrier needs a distance above zero");
    if (law != BARRIER && value[DISTANCE].given)
        return ts_build_fail(b, DISTANCE, "write `law: barrier`", "a %s contact has no distance",
                             LAWS[law]);
    if (is_chosen(value, law) || (value[field].given && value[field].number[0] > 0)) return 0;
    if (law == HERTZ && !value[MODULUS].given) return check_coated(b, value);
    return ts_build_fail(b, value[field].given ? field : -1, NULL,
                         "a %s contact needs a %s above zero", LAWS[law], FIELDS[field].name);
}

static int check_numbers(ts_builder *b, const ts_value *value) {
    double e = value[RESTITUTION].number[0];
    for (int k = FRICTION; k <= GRIP; k++)
        if (value[k].given && value[k].number[0] < 0)
            return ts_build_fail(b, k, NULL, "%s must not be negative", FIELDS[k].name);
    for (int k = ROLLING; k <= SPINNING; k++)
        if (value[k].given && value[k].number[0] < 0)
            return ts_build_fail(b, k, NULL, "%s must not be negative", FIELDS[k].name);
    if (value[RESTITUTION].given && !(e >= 0 && e <= 1))
        return ts_build_fail(b, RESTITUTION, NULL, "a restitution is from 0 to 1");
    if (value[STATIC].given && value[STATIC].number[0] < value[FRICTION].number[0])
        return ts_build_fail(b, STATIC, NULL, "static_friction must not be below friction");
    return 0;
}

static double or_else(const ts_value *value, int field, double other) {
    return value[field].given ? value[field].number[0] : other;
}

/* The least radius of its shapes: there the stiffness of a bristle is evaluated. */
static double least_radius(const ts_model *model, const ts_value *shapes) {
    double least = INFINITY;
    for (int i = 0; i < shapes->count; i++) {
        if (shapes->list[i] < 0) continue;
        int first = model->parts[(int)shapes->list[i]].data;
        if (first >= model->shapes_count) continue;
        const ts_shape *s = &model->shapes[first];
        if (!s->plane) least = fmin(least, s->radius);
    }
    return least;
}

/* Chooses the stiffness of the newest contact from its members. */
static int choose_stiffness(ts_builder *b, const ts_value *value, int law, double *k) {
    *k = value[stiffness_field(value)].number[0];
    if (!is_chosen(value, law)) return 0;
    ts_heft heft = ts_heft_of(b->model, b->model->contacts_count - 1, NULL, NULL);
    *k = ts_heft_stiffness(&heft);
    if (*k > 0) return 0;
    return ts_build_fail(b, value[STIFFNESS].given ? STIFFNESS : -1,
                         "give its stiffness: a mass with the speed v penetrates by v "
                         "sqrt(mass/stiffness) before it comes to rest",
                         "a stiffness cannot be chosen: %s",
                         !(heft.mass > 0)    ? "its shapes have no mass"
                         : !(heft.speed > 0) ? "nothing moves as drawn, and there is no gravity"
                                             : "none of its shapes has a size");
}

static bool rubs(const ts_model *model, const ts_value *value) {
    return value[FRICTION].number[0] > 0 || value[STATIC].number[0] > 0 ||
           value[VISCOUS].number[0] > 0 || is_brought(model, value, TS_COATING_FRICTION);
}

/* Points of a cable on a winch are not always the same material, so slip cannot be computed. */
static int check_flowing(ts_builder *b, const ts_value *value) {
    const ts_model *model = b->model;
    const ts_value *shapes = shapes_of(value);
    for (int i = 0; i < shapes->count && rubs(model, value); i++) {
        if (shapes->list[i] < 0) continue;
        const ts_part *shape = &model->parts[(int)shapes->list[i]];
        if (shape->data >= model->shapes_count) continue;
        int of = model->nodes[model->shapes[shape->data].node].part;
        if (of < 0 || !ts_line_flows(model, of)) continue;
        return ts_build_fail(b, value[AMONG].given ? AMONG : BETWEEN,
                             "leave `friction` out, or take a cable without `stored`",
                             "%.60s is on a cable with `stored`, whose contacts have no friction",
                             shape->name);
    }
    return 0;
}

static void add_numbers(ts_builder *b, const ts_value *value, int law, double radius, double k) {
    double number[TS_CONTACT_NUMBERS] = {0};
    double mu = value[FRICTION].number[0], adhering = or_else(value, STATIC, mu);
    number[TS_CONTACT_DISTANCE] = value[DISTANCE].number[0];
    double modulus = law == HERTZ ? modulus_of(b->model, value) : 0;
    number[TS_CONTACT_MODULUS] = modulus, number[TS_CONTACT_COATED] = left_to_shapes(value);
    if (law == HERTZ) k = 2 * modulus * sqrt(radius * 1e-3 * radius);
    number[TS_CONTACT_STIFFNESS] = k;
    number[TS_CONTACT_SPREAD] = value[PER_AREA].given || value[PER_LENGTH].given;
    number[TS_CONTACT_LOSS] = ts_restitution_loss(or_else(value, RESTITUTION, 1));
    number[TS_CONTACT_SLIDING] = mu, number[TS_CONTACT_ADHERING] = adhering;
    number[TS_CONTACT_STRIBECK] = value[STRIBECK].number[0];
    number[TS_CONTACT_VISCOUS] = value[VISCOUS].number[0];
    number[TS_CONTACT_GRIP] = rubs(b->model, value) ? or_else(value, GRIP, MINDLIN * k) : 0;
    double rolling = value[ROLLING].number[0], spinning = value[SPINNING].number[0];
    number[TS_CONTACT_ROLLING] = rolling, number[TS_CONTACT_SPINNING] = spinning;
    if (fmax(rolling, spinning) > 0) /* its compliance equals that of the bristle of friction */
        number[TS_CONTACT_TWIST] = MINDLIN * k * fmax(rolling, spinning) * radius;
    bool lossy = or_else(value, RESTITUTION, 1) < 1 || is_brought(b->model, value, TS_COATING_LOSS);
    number[TS_CONTACT_CUT] = value[UNRESOLVED].given ? value[UNRESOLVED].number[0] == 0 : lossy;
    for (int i = 0; i < TS_CONTACT_NUMBERS; i++) ts_model_number(b->model, number[i]);
}

static int build(ts_builder *b, ts_value *value) {
    int law = value[LAW].given        ? (int)value[LAW].number[0]
              : value[MODULUS].given  ? HERTZ
              : value[DISTANCE].given ? BARRIER
                                      : LINEAR;
    if (check_sides(b, value) || check_law(b, value, law) || check_numbers(b, value))
        return TORSOR_EINVAL;
    const ts_value *shapes = shapes_of(value);
    ts_new_part(b, &TS_KIND_CONTACT);
    ts_model_contact(b->model, (ts_contact){.elastic = ELASTIC[law],
                                            .data = b->model->numbers_count,
                                            .among = value[AMONG].given});
    int field = value[AMONG].given ? AMONG : BETWEEN;
    double k;
    ts_contact_exceptions(b->model, &value[EXCEPT]);
    if (ts_contact_members(b, shapes, field, value[AMONG].given)) return TORSOR_EINVAL;
    bool spread = value[PER_AREA].given || value[PER_LENGTH].given;
    if (ts_contact_check_meeting(b, field, spread)) return TORSOR_EINVAL;
    if (check_flowing(b, value)) return TORSOR_EINVAL;
    ts_contact_acts_from(b->model, value[DISTANCE].number[0]);
    if (choose_stiffness(b, value, law, &k)) return TORSOR_EINVAL;
    add_numbers(b, value, law, least_radius(b->model, shapes), k);
    return ts_contact_initial(b, field, (ts_contact_begin)value[INITIAL].number[0]);
}

const ts_kind TS_KIND_CONTACT = {
    .name = "contact",
    .section = "contacts",
    .help = "Contact forces and friction between shapes that touch.",
    .fields = FIELDS,
    .build = build,
    .sample = "{between: [S, P], stiffness: 1e5, friction: 0.3, restitution: 0.8}",
    .default_in_section = true};
