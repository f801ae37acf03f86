/* SPDX-License-Identifier: Apache-2.0 */
/* Friction in joints: a bristle (laws/bristle.c) on a coordinate of the joint, with a strength that
 * follows from the joint's own reaction in the same step.
 *
 * With F the reaction, M its moment, both split along and across the axis of the joint, and N the
 * load that rubs,
 *
 *     pivot, about an angle           N = r |F_across| + r_end |F_along| + 2 (r/l) |M_across|
 *     slide, along a displacement     N = |F_across| + 2 |M_across|/l + |M_along|/arm
 *     strength = mu N + preload
 *
 * r is the radius of the pin, r_end that of its shoulder, l the length of the bearing: a moment M
 * across is a pair of forces M/l at its ends. A slide that may also turn (a cylindrical joint) has
 * one bristle for both, with the slips (r d angle, d displacement): a joint that turns slides more
 * easily. A ball (a spherical joint) has one bristle for its three turns, about the axes of A;
 * there N = r |F|. A bristle that stuck in the last step breaks loose at mu = `static` and slides
 * at `coefficient`; with a Stribeck velocity, mu = mu_d + (mu_s - mu_d) exp(-(v/v_s)^2), v the mean
 * velocity of the step.
 *
 * The law reads the multipliers of the joint's rows (ts_model_reads): forces in global axes, whose
 * parts along the axis need the axis itself, three forms more; or in axes of the joint.
 *
 * In ED's stage its stiffness counts only while it sticks: a bristle that slips has none, and one
 * that is only about to stick would dissipate all energy of the motion that it stops.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "laws/angle.h"
#include "laws/bristle.h"
#include "parts/parts.h"

enum { MOST_READ = 6, SLIPS = 3, MOST_FORMS = 9 };

/* Numbers of the site. */
enum {
    COUNT,  /* of slips */
    TURNS,  /* the first slip is of an angle, that of forms 0 and 1 */
    ROLLS,  /* three slips about the axes of A, of the nine forms of a rotation */
    LEVER,  /* times this */
    AXIS,   /* first form of the axis; 0: none */
    K,      /* stiffness of the bristle */
    STATIC, /* coefficients */
    SLIDING,
    STRIBECK,
    DAMPING,
    PRELOAD,
    WEIGHT, /* of the loads that rub: forces across and along, moments across and along */
    READS = WEIGHT + 4,
    SENSE, /* of each multiplier, see ts_pull; times 4, plus its axis */
    DATA = SENSE + MOST_READ
};
/* Memory: deflections, coordinates, whether it stuck. */
enum { Z, Y = Z + SLIPS, STUCK = Y + SLIPS, MEMORY };

static const double HELD = 1; /* beta of the bristle: a joint that sticks is damped */

/* ---- slips ---- */

/* A slip over the forms: its discrete gradient, slope by e_f, and the slope of the former. */
typedef struct slip {
    double delta, end;
    int first, forms;
    double g[MOST_FORMS], slope[MOST_FORMS], dg[MOST_FORMS * MOST_FORMS];
} slip;

static slip turned(const ts_law_step *step, double before, double lever) {
    const double *f = step->e_f;
    double start = ts_angle_unwrap(before, step->e_i[0], step->e_i[1]);
    ts_angle_step a = ts_angle_over_step(start, step->e_i, f);
    double rr = f[0] * f[0] + f[1] * f[1];
    slip s = {.delta = lever * a.delta, .end = a.angle, .forms = 2};
    s.slope[0] = -lever * f[1] / rr, s.slope[1] = lever * f[0] / rr;
    for (int j = 0; j < 2; j++) s.g[j] = lever * a.g[j];
    for (int j = 0; j < 4; j++) s.dg[j] = lever * a.dg[j];
    return s;
}

/* The turn of B about an axis of A: of the rows u and w of the rotation, forms 3 b + k and 3 c + k
 * with the axes a, b, c in order, mean u . (w_f - w_i)/2 - mean w . (u_f - u_i)/2. */
static slip rolled(const ts_law_step *step, int axis) {
    const double *i = step->e_i, *f = step->e_f;
    slip s = {.forms = MOST_FORMS};
    for (int k = 0; k < 3; k++) {
        int u = 3 * ((axis + 1) % 3) + k, w = 3 * ((axis + 2) % 3) + k;
        s.g[u] = -0.25 * (i[w] + f[w]), s.g[w] = 0.25 * (i[u] + f[u]);
        s.dg[MOST_FORMS * u + w] = -0.25, s.dg[MOST_FORMS * w + u] = 0.25;
        s.slope[u] = -0.5 * i[w], s.slope[w] = 0.5 * i[u];
        s.delta += s.g[u] * (f[u] - i[u]) + s.g[w] * (f[w] - i[w]);
    }
    return s;
}

static slip moved(const ts_law_step *step, int form) {
    return (slip){.delta = step->e_f[form] - step->e_i[form],
                  .end = step->e_f[form],
                  .first = form,
                  .forms = 1,
                  .g = {1},
                  .slope = {1}};
}

static bool at_rest(const ts_law_step *step) { return !(step->t_f > step->t_i); }

/* Rotations about three axes have no coordinates that would give the slip since the last state: at
 * rest the slip is zero. */
static void find_rolls(const ts_law_step *step, slip s[SLIPS]) {
    for (int j = 0; j < 3; j++) {
        s[j] = rolled(step, j);
        if (at_rest(step) && step->instant == 0) memset(s[j].slope, 0, sizeof s[j].slope);
    }
}

/* At rest the slip is the one since the last state, and slopes are halved: law.h. */
static void find_slips(const ts_law_step *step, slip s[SLIPS]) {
    const double *d = step->data, *y = step->memory + Y;
    int count = (int)d[COUNT], turns = d[TURNS] != 0;
    if (d[ROLLS] != 0) {
        find_rolls(step, s);
        return;
    }
    if (turns) s[0] = turned(step, y[0], d[LEVER]);
    for (int j = turns; j < count; j++) s[j] = moved(step, turns ? 2 : 0);
    if (!at_rest(step)) return;
    for (int j = 0; j < count; j++) {
        if (step->instant == 0) s[j].delta = (s[j].end - y[j]) * (j < turns ? d[LEVER] : 1);
        for (int k = 0; k < s[j].forms; k++) s[j].slope[k] *= 0.5;
    }
}

/* ---- strength ---- */

typedef struct load {
    double value;
    double by_lambda[MOST_READ], by_axis[3];
} load;

/* Adds w |x|, of some components; their multipliers are x. */
static void add_size(load *N, double w, int count, const int *which, const double *lambda) {
    double square = 0;
    for (int i = 0; i < count; i++) square += lambda[which[i]] * lambda[which[i]];
    if (!(square > 0) || w == 0) return;
    double size = sqrt(square);
    N->value += w * size;
    for (int i = 0; i < count; i++) N->by_lambda[which[i]] += w * lambda[which[i]] / size;
}

/* Forces in global axes, F = (lambda_which), along and across the axis a: |F.a|, |F - a a.F|. */
static void add_global(load *N, const double *w, const int *which, const double *lambda, v3 a) {
    v3 F = v3_make(lambda[which[0]], lambda[which[1]], lambda[which[2]]);
    double along = v3_dot(F, a), sign = along < 0 ? -1 : 1;
    v3 across = v3_axpy(-along, a, F);
    double size = v3_norm(across);
    v3 n = size > 0 ? v3_scale(1 / size, across) : v3_make(0, 0, 0);
    N->value += w[0] * size + w[1] * fabs(along);
    v3 by_F = v3_axpy(w[1] * sign - w[0] * v3_dot(n, a), a, v3_scale(w[0], n));
    v3 by_a = v3_sub(v3_scale(w[1] * sign - w[0] * v3_dot(n, a), F), v3_scale(w[0] * along, n));
    for (int i = 0; i < 3; i++) {
        N->by_lambda[which[i]] += v3_get(by_F, i);
        N->by_axis[i] += 0.5 * v3_get(by_a, i); /* a is the mean of both ends */
    }
}

/* The multipliers of one sense, across the axis or along it; or of all three axes. */
enum { ACROSS, ALONG, ALL };
static int of_sense(const double *data, ts_pull pull, int where, int which[3]) {
    int count = 0;
    for (int r = 0; r < (int)data[READS]; r++) {
        int code = (int)data[SENSE + r], axis = code % 4;
        bool fits = where == ALL || (axis == 2) == (where == ALONG);
        if (code / 4 == (int)pull && fits && count < 3) which[count++] = r;
    }
    return count;
}

static load find_load(const ts_law_step *step) {
    static const double none[MOST_READ] = {0};
    const double *d = step->data, *w = d + WEIGHT, *lambda = step->lambda ? step->lambda : none;
    load N = {0};
    int which[3], axis = (int)d[AXIS];
    if (axis) {
        v3 i = v3_load(step->e_i + axis), f = v3_load(step->e_f + axis);
        if (of_sense(d, TS_PULL_GLOBAL, ALL, which) == 3)
            add_global(&N, w, which, lambda, v3_scale(0.5, v3_add(i, f)));
    } else {
        add_size(&N, w[0], of_sense(d, TS_PULL_GLOBAL, ALL, which), which, lambda);
    }
    for (int where = ACROSS; where <= ALONG; where++) {
        add_size(&N, w[where], of_sense(d, TS_PULL_FORCE, where, which), which, lambda);
        add_size(&N, w[2 + where], of_sense(d, TS_PULL_MOMENT, where, which), which, lambda);
    }
    return N;
}

/* ---- the law ---- */

typedef struct friction {
    int count;
    slip s[SLIPS];
    load N;
    double damper; /* force over slip */
    ts_bristle_step b;
    double by_slip[SLIPS * SLIPS]; /* with the change of mu, and the damper */
    double by_load[SLIPS];
} friction;

/* Evaluates again, for the derivative by mu alone. */
static void add_stribeck(const ts_bristle *b, double per_slip, friction *x) {
    ts_bristle same = *b;
    if (per_slip == 0) return;
    same.changes[0] = same.changes[1] = 1;
    ts_bristle_step by = ts_bristle_over(&same);
    for (int i = 0; i < x->count; i++)
        for (int j = 0; j < x->count; j++)
            x->by_slip[i * x->count + j] += by.by_strength[i] * per_slip * 2 * b->slip[j];
}

static void rub(const ts_law_step *step, friction *x) {
    const double *d = step->data;
    bool rest = at_rest(step);
    double square = 0, slope, mu[2];
    ts_bristle b = {.n = (int)d[COUNT], .stiffness = d[K], .damping = rest ? 0 : HELD};
    b.at_end = rest, x->count = b.n;
    find_slips(step, x->s);
    x->N = find_load(step);
    for (int j = 0; j < x->count; j++) {
        b.z[j] = step->memory[Z + j], b.slip[j] = x->s[j].delta;
        square += b.slip[j] * b.slip[j];
    }
    ts_rubbing rubbing = {d[STATIC], d[SLIDING], d[STRIBECK]};
    slope = ts_rubbing_over(&rubbing, step->memory[STUCK] != 0, ts_step_rate(step), square, mu);
    b.strength = mu[0] * x->N.value + d[PRELOAD], b.sliding = mu[1] * x->N.value + d[PRELOAD];
    b.changes[0] = mu[0], b.changes[1] = mu[1];
    x->b = ts_bristle_over(&b);
    x->damper = d[DAMPING] * ts_step_rate(step);
    x->b.dissipated += x->damper * square;
    for (int i = 0; i < x->count; i++) {
        x->b.force[i] += x->damper * b.slip[i], x->by_load[i] = x->b.by_strength[i];
        for (int j = 0; j < x->count; j++)
            x->by_slip[i * x->count + j] =
                x->b.by_slip[i * x->count + j] + (i == j ? x->damper : 0);
    }
    add_stribeck(&b, x->N.value * slope, x);
}

static double stored(const double *data, const double *z) {
    double square = 0;
    for (int j = 0; j < (int)data[COUNT]; j++) square += z[j] * z[j];
    return 0.5 * data[K] * square;
}

/* ds of the slips i and j, and of the axis. */
static void add_slopes(const ts_law_step *step, const friction *x, ts_response *out) {
    int m = step->m, axis = (int)step->data[AXIS];
    for (int i = 0; i < x->count; i++) {
        const slip *s = &x->s[i];
        for (int k = 0; k < s->forms; k++) {
            double *row = out->ds + (s->first + k) * m;
            for (int l = 0; l < s->forms; l++)
                row[s->first + l] += x->b.force[i] * s->dg[k * s->forms + l];
            for (int j = 0; j < x->count; j++)
                for (int l = 0; l < x->s[j].forms; l++)
                    row[x->s[j].first + l] +=
                        s->g[k] * x->by_slip[i * x->count + j] * x->s[j].slope[l];
            for (int l = 0; axis && l < 3; l++)
                row[axis + l] += s->g[k] * x->by_load[i] * x->N.by_axis[l];
        }
    }
}

static void respond(const ts_law_step *step, ts_response *out) {
    friction x;
    rub(step, &x);
    *out = (ts_response){.stored = stored(step->data, x.b.z), .dissipated = x.b.dissipated};
    for (int i = 0; i < x.count; i++)
        for (int k = 0; k < x.s[i].forms; k++)
            out->s[x.s[i].first + k] += x.b.force[i] * x.s[i].g[k];
    add_slopes(step, &x, out);
}

static void by_multipliers(const ts_law_step *step, double *out) {
    friction x;
    rub(step, &x);
    int reads = (int)step->data[READS];
    memset(out, 0, (size_t)(step->m * reads) * sizeof *out);
    for (int i = 0; i < x.count; i++)
        for (int k = 0; k < x.s[i].forms; k++)
            for (int r = 0; r < reads; r++)
                out[(x.s[i].first + k) * reads + r] +=
                    x.s[i].g[k] * x.by_load[i] * x.N.by_lambda[r];
}

static void begin(const double *data, const double *e, double *memory) {
    int turns = data[TURNS] != 0;
    memory[STUCK] = 1;
    if (data[ROLLS] != 0) return;
    if (turns) memory[Y] = ts_angle_unwrap(memory[Y], e[0], e[1]);
    for (int j = turns; j < (int)data[COUNT]; j++) memory[Y + j] = e[turns ? 2 : 0];
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    (void)m, (void)e;
    return stored(data, memory + Z);
}

/* k g g^T, summed over the turns about three axes. */
static void ball_stiffness(double k, int m, const double *e, double *out) {
    ts_law_step rest = {.m = m, .e_i = e, .e_f = e};
    for (int axis = 0; axis < 3; axis++) {
        slip s = rolled(&rest, axis);
        for (int i = 0; i < MOST_FORMS; i++)
            for (int j = 0; j < MOST_FORMS; j++) out[i * m + j] += k * s.g[i] * s.g[j];
    }
}

/* 2: it stuck in a computed step, not only as drawn. */
static void stiffness(const double *data, const double *memory, int m, const double *e,
                      double *out) {
    memset(out, 0, (size_t)(m * m) * sizeof *out);
    if (memory[STUCK] != 2) return;
    double k = data[K], turning = k * data[LEVER] * data[LEVER];
    int turns = data[TURNS] != 0;
    if (data[ROLLS] != 0) {
        ball_stiffness(k, m, e, out);
        return;
    }
    if (turns) {
        out[0] = turning * e[1] * e[1], out[m + 1] = turning * e[0] * e[0];
        out[1] = out[m] = -turning * e[0] * e[1];
    }
    for (int j = turns; j < (int)data[COUNT]; j++) out[turns ? 2 * m + 2 : 0] = k;
}

static void commit(const ts_law_step *step, double *memory) {
    friction x;
    rub(step, &x);
    for (int j = 0; j < x.count; j++) memory[Z + j] = x.b.z[j], memory[Y + j] = x.s[j].end;
    memory[STUCK] = x.b.stuck ? 2 : 0;
}

static const ts_law FRICTION = {.name = "friction",
                                .rubs = true,
                                .memory = MEMORY,
                                .begin = begin,
                                .energy = energy,
                                .respond = respond,
                                .by_multipliers = by_multipliers,
                                .stiffness = stiffness,
                                .commit = commit};

/* ---- building ---- */

enum {
    JOINT,
    COORDINATE,
    COEFFICIENT,
    COEFFICIENT_STATIC,
    VELOCITY,
    VISCOUS,
    FORCE,
    STIFF,
    PRESLIDING,
    RADIUS,
    LENGTH,
    OTHER /* radius of the shoulder, or arm of the slide */
};

#define FRICTION_FIELDS(rate, damping, force, stiff, slip_dim, presliding_fallback)             \
    {.name = "coefficient",                                                                     \
     .type = TS_NUMBER,                                                                         \
     .required = true,                                                                          \
     .help = "Coefficient of friction in sliding."},                                            \
        {.name = "static",                                                                      \
         .type = TS_NUMBER,                                                                     \
         .help = "Coefficient of friction in sticking.",                                        \
         .fallback = "coefficient"},                                                            \
        {.name = "stribeck",                                                                    \
         .type = TS_NUMBER,                                                                     \
         .dim = rate,                                                                           \
         .help = "Velocity over which the coefficient falls from static to sliding: to 1/e of " \
                 "the difference.",                                                             \
         .fallback = "0: at once"},                                                             \
        {.name = "damping",                                                                     \
         .type = TS_NUMBER,                                                                     \
         .dim = damping,                                                                        \
         .help = "Viscous friction, for example of a lubricant.",                               \
         .fallback = "0"},                                                                      \
        {.name = "preload",                                                                     \
         .type = TS_NUMBER,                                                                     \
         .dim = force,                                                                          \
         .help = "Friction without load, for example of a seal or a clamp.",                    \
         .fallback = "0"},                                                                      \
        {.name = "stiffness",                                                                   \
         .type = TS_NUMBER,                                                                     \
         .dim = stiff,                                                                          \
         .help = "Tangential stiffness in sticking.",                                           \
         .fallback = "static friction under the model's weight, over `presliding`"},            \
    {                                                                                           \
        .name = "presliding", .type = TS_NUMBER, .dim = slip_dim,                               \
        .help = "Elastic slip under the model's weight, in place of `stiffness`.",              \
        .fallback = presliding_fallback                                                         \
    }

static const ts_field PIVOT_FIELDS[] = {
    TS_COORDINATE_FIELDS,
    FRICTION_FIELDS(TS_DIM_ANGULAR_VELOCITY, TS_DIM_TURNING_DAMPING, TS_DIM_MOMENT,
                    TS_DIM_TURNING_STIFFNESS, TS_DIM_ANGLE, "1e-4 rad"),
    {.name = "radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Radius of the pin: arm of the friction by forces across it."},
    {.name = "length",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Length of the bearing: a moment across it is a pair of forces at its ends.",
     .fallback = "moments cause no friction"},
    {.name = "end_radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Radius of the shoulder: arm of the friction by the force along the axis.",
     .fallback = "radius"},
    {0}};

static const ts_field SLIDE_FIELDS[] = {
    TS_COORDINATE_FIELDS,
    FRICTION_FIELDS(TS_DIM_VELOCITY, TS_DIM_DAMPING, TS_DIM_FORCE, TS_DIM_STIFFNESS, TS_DIM_LENGTH,
                    "0.01 mm"),
    {.name = "radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Cylindrical joint: radius of the bar. With it, friction also acts on the rotation.",
     .fallback = "no friction on the rotation"},
    {.name = "length",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Length of the guide: a moment across it is a pair of forces at its ends.",
     .fallback = "moments cause no friction"},
    {.name = "arm",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Distance between the axis and the contact that carries a moment about the axis.",
     .fallback = "this moment causes no friction"},
    {0}};

/* For a ball, its radius takes the place of the coordinate. */
enum { BALL_RADIUS = COORDINATE };
static const char *const JOINTS[] = {"joints", NULL};

static const ts_field BALL_FIELDS[] = {
    {.name = "joint",
     .type = TS_PART,
     .choices = JOINTS,
     .required = true,
     .help = "The spherical joint."},
    {.name = "radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Radius of the ball: arm of the friction by the force of the joint."},
    FRICTION_FIELDS(TS_DIM_ANGULAR_VELOCITY, TS_DIM_TURNING_DAMPING, TS_DIM_MOMENT,
                    TS_DIM_TURNING_STIFFNESS, TS_DIM_ANGLE, "1e-4 rad"),
    {0}};

static int must_not_be_negative(ts_builder *b, const ts_value *value, const ts_field *fields) {
    for (int i = COEFFICIENT; fields[i].name; i++)
        if (value[i].given && !(value[i].number[0] >= 0))
            return ts_build_fail(b, i, NULL, "%s must not be negative", fields[i].name);
    return 0;
}

static double number(const ts_value *value, int field, double fallback) {
    return value[field].given ? value[field].number[0] : fallback;
}

static double inverse(const ts_value *value, int field, double factor) {
    double x = number(value, field, 0);
    return x > 0 ? factor / x : 0;
}

static int find_stiffness(ts_builder *b, const ts_value *value, double arm, double usual,
                          double *data) {
    double strength = data[STATIC] * arm * ts_weight_of_all(b->model) + data[PRELOAD];
    double before = number(value, PRESLIDING, usual);
    data[K] = value[STIFF].given ? value[STIFF].number[0] : before > 0 ? strength / before : 0;
    if (data[K] > 0) return 0;
    return ts_build_fail(
        b, value[STIFF].given ? STIFF : -1,
        "give `stiffness`, for example the friction expected over a slip of 1e-4",
        "the stiffness while sticking has no default here, because the model has no weight");
}

/* Finds the rows of the joint, which define the meaning of their multipliers. */
static int read_rows(ts_model *model, const ts_part *joint, double *data) {
    int first = -1, reads = 0;
    for (int s = joint->site; s < joint->site + joint->sites; s++)
        for (int r = model->sites[s].row; r < model->sites[s].row + model->sites[s].rows; r++) {
            if (first < 0) first = r;
            if (reads < MOST_READ)
                data[SENSE + reads++] = 4 * (double)model->rows[r].pull + model->rows[r].axis;
        }
    data[READS] = reads;
    return first;
}

static bool in_global_axes(const double *data) {
    int which[3];
    return of_sense(data, TS_PULL_GLOBAL, ALL, which) == 3;
}

static void add_axis(ts_model *model, double *data) {
    int first = model->sites[model->sites_count - 1].forms;
    for (int k = 0; k < 3; k++) ts_form_component(model, v3_axis(k), ts_joint_axis(model, 0, 2), 0);
    data[AXIS] = first;
}

static int finish(ts_builder *b, const ts_part *joint, double *data) {
    int first = read_rows(b->model, joint, data);
    if (in_global_axes(data) && data[ROLLS] == 0 && strcmp(joint->kind->name, "universal") != 0)
        add_axis(b->model, data);
    for (int k = 0; k < DATA; k++) ts_model_number(b->model, data[k]);
    ts_model_law(b->model, &FRICTION);
    if (first >= 0) ts_model_reads(b->model, first, (int)data[READS]);
    return 0;
}

static void common(const ts_value *value, double *data) {
    data[COUNT] = data[LEVER] = 1;
    data[SLIDING] = value[COEFFICIENT].number[0];
    data[STATIC] = number(value, COEFFICIENT_STATIC, data[SLIDING]);
    data[STRIBECK] = number(value, VELOCITY, 0);
    data[DAMPING] = number(value, VISCOUS, 0);
    data[PRELOAD] = number(value, FORCE, 0);
}

static int build_pivot(ts_builder *b, ts_value *value) {
    double data[DATA] = {0}, r = value[RADIUS].number[0];
    if (must_not_be_negative(b, value, PIVOT_FIELDS)) return TORSOR_EINVAL;
    int c = ts_pick_coordinate(b, value, JOINT, TS_TURN);
    if (c < 0) return TORSOR_EINVAL;
    common(value, data);
    data[TURNS] = 1;
    data[WEIGHT] = r, data[WEIGHT + 1] = number(value, OTHER, r);
    data[WEIGHT + 2] = inverse(value, LENGTH, 2 * r);
    if (find_stiffness(b, value, r, 1e-4, data)) return TORSOR_EINVAL;
    ts_part joint = b->model->parts[b->model->coordinates[c].part];
    ts_part_on_coordinate(b, &TS_KIND_PIVOT_FRICTION, c, TS_ROLE_LAW);
    return finish(b, &joint, data);
}

/* The nine components of the axes of B along those of A. */
static void add_rotation(ts_model *model) {
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            ts_form_dot(model, 1, ts_joint_axis(model, 0, a), ts_joint_axis(model, 1, b), 0);
}

static int build_ball(ts_builder *b, ts_value *value) {
    double data[DATA] = {0}, r = value[BALL_RADIUS].number[0];
    ts_part joint = b->model->parts[value[JOINT].part[0]];
    if (must_not_be_negative(b, value, BALL_FIELDS)) return TORSOR_EINVAL;
    if (joint.kind != &TS_KIND_SPHERICAL)
        return ts_build_fail(b, JOINT,
                             "for a joint with an axis use pivot_friction or slide_friction",
                             "%s is not a spherical joint", joint.name);
    for (int side = 0; side < 2; side++)
        if (b->model->nodes[side ? joint.nodeB : joint.nodeA].kind != TS_NODE_FRAME)
            return ts_build_fail(b, JOINT, NULL, "%s joins a point, which has no rotation",
                                 joint.name);
    if (!(r > 0)) return ts_build_fail(b, BALL_RADIUS, NULL, "radius must be positive");
    common(value, data);
    data[COUNT] = 3, data[ROLLS] = 1, data[WEIGHT] = r;
    if (find_stiffness(b, value, r, 1e-4, data)) return TORSOR_EINVAL;
    ts_part *part = ts_new_part(b, &TS_KIND_BALL_FRICTION);
    part->nodeA = joint.nodeA, part->nodeB = joint.nodeB;
    part->pointA = joint.pointA, part->pointB = joint.pointB;
    part->frameA = joint.frameA, part->frameB = joint.frameB;
    ts_joint_site(b->model, TS_ROLE_LAW);
    add_rotation(b->model);
    return finish(b, &joint, data);
}

static int other_coordinate(const ts_model *model, const ts_part *joint) {
    for (int c = joint->coordinate; c < joint->coordinate + joint->coordinates; c++)
        if (model->coordinates[c].angle) return c;
    return -1;
}

static int build_slide(ts_builder *b, ts_value *value) {
    double data[DATA] = {0};
    if (must_not_be_negative(b, value, SLIDE_FIELDS)) return TORSOR_EINVAL;
    int c = ts_pick_coordinate(b, value, JOINT, TS_DISPLACEMENT);
    if (c < 0) return TORSOR_EINVAL;
    ts_part joint = b->model->parts[b->model->coordinates[c].part];
    int turn = other_coordinate(b->model, &joint), form = b->model->coordinates[c].form;
    bool both = value[RADIUS].given && value[RADIUS].number[0] > 0;
    if (both && turn < 0)
        return ts_build_fail(b, RADIUS, "leave it out", "%s does not turn", joint.name);
    common(value, data);
    data[WEIGHT] = 1, data[WEIGHT + 2] = inverse(value, LENGTH, 2);
    data[WEIGHT + 3] = inverse(value, OTHER, 1);
    if (find_stiffness(b, value, 1, 1e-5, data)) return TORSOR_EINVAL;
    ts_part_on_coordinate(b, &TS_KIND_SLIDE_FRICTION, both ? turn : c, TS_ROLE_LAW);
    if (both) {
        b->model->parts[b->model->parts_count - 1].along = 0; /* along two */
        ts_form_copy(b->model, form);
        data[COUNT] = 2, data[TURNS] = 1, data[LEVER] = value[RADIUS].number[0];
    }
    return finish(b, &joint, data);
}

const ts_kind TS_KIND_PIVOT_FRICTION = {
    .name = "pivot_friction",
    .section = "springs",
    .look = TS_LOOK_LINK,
    .help = "Dry friction about an angle of a joint (revolute, universal, cylindrical, screw). Its "
            "strength follows from the reaction of the joint.",
    .fields = PIVOT_FIELDS,
    .build = build_pivot,
    .sample = "{type: pivot_friction, joint: J, coefficient: 0.2, static: 0.25, radius: 10 mm, "
              "length: 30 mm, preload: 0.3 N*m, stiffness: 5 N*m/rad, damping: 0.1 N*m*s/rad}"};

const ts_kind TS_KIND_SLIDE_FRICTION = {
    .name = "slide_friction",
    .section = "springs",
    .look = TS_LOOK_LINK,
    .help = "Dry friction along a displacement of a joint (prismatic, cylindrical, screw, planar, "
            "sliding). Its strength follows from the reaction of the joint.",
    .fields = SLIDE_FIELDS,
    .build = build_slide,
    .sample = "{type: slide_friction, joint: J, coefficient: 0.2, static: 0.25, length: 0.1 m, "
              "preload: 2 N, stiffness: 20 N/m, damping: 0.3 N*s/m}"};

const ts_kind TS_KIND_BALL_FRICTION = {
    .name = "ball_friction",
    .section = "springs",
    .look = TS_LOOK_LINK,
    .help = "Dry friction about all axes of a spherical joint. Its strength follows from the "
            "reaction of the joint.",
    .fields = BALL_FIELDS,
    .build = build_ball,
    .sample = "{type: ball_friction, joint: O, coefficient: 0.2, static: 0.25, radius: 10 mm, "
              "preload: 0.3 N*m, stiffness: 5 N*m/rad, damping: 0.1 N*m*s/rad}"};
