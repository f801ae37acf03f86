/* SPDX-License-Identifier: Apache-2.0 */
/* A pair that touches, over a step of length h.
 *
 * Normal. The energy V(<-g>) of the gap acts by its divided difference f along the gradient of the
 * gap, and by mu_n = max(0, 1 - c dg/h) times that (Hunt and Crossley): its work is the change of
 * V and what is lost,
 *
 *     f mu_n dg = dV + f dg (mu_n - 1) ,     the last term >= 0 .
 *
 * In a contact that began at the speed v0, with c = epsilon/v0 and any law V,
 *     epsilon - ln(1 + epsilon) = -e epsilon - ln(1 - e epsilon)
 * gives the coefficient of restitution e.
 *
 * Edges that cross have the energy w V, w the weight of their gap (gap.c), and
 *
 *     d(w V) = w_m f dg + V_m dw ,
 *
 * so that there are forces on their directions besides.
 *
 * Friction. Both sides touch at P in the mean configuration, at the material points X_A, X_B with
 * x_m + D_m X = P. They slip by
 *
 *     d = (I - n n^T) [(dx_A + dD_A X_A) - (dx_B + dD_B X_B)] ,
 *
 * and a force at these points does the work that it does on d, and has no moment left over. The
 * force is that of a bristle (laws/bristle.c) in the tangent plane, as strong as mu f mu_n of the
 * same step. Its deflection z is kept in the frame of B, and turned into the tangent plane with its
 * length kept, so that its energy is.
 *
 * Statics. An equilibrium has the force V'(<-g>) along the gradient at the end, the limit of the
 * above for both ends there; and the force k z of the bristle at the end, z by the slip of the
 * increment of load. Sides are then given with the end as their mean, x_f -+ dx/2: arms, slip and
 * normal are those of the end. What the end moves by moves the mean too, all of it and not a half;
 * the gap, both of whose ends move, changes by twice its slope, a discrete gradient being symmetric
 * in both.
 *
 * K. H. Hunt and F. R. E. Crossley, J. Appl. Mech. 42 (1975) 440.
 */
#include "contact/pair.h"

#include <math.h>

#include "contact/roll.h"

static const double HELD = 1; /* beta of the bristle: a contact that sticks is damped */

/* A plane has curvature zero, a hollow shape a negative one. */
static double curvature_of(const ts_shape *s) {
    return s->hollow > 0 ? -1 / s->hollow : s->radius > 0 ? 1 / s->radius : 0;
}

/* (4/3) E* sqrt(R), 1/R the sum of both curvatures. */
static double hertz_stiffness(const ts_model *model, double modulus, const int shape[2]) {
    double curvature = 0;
    for (int k = 0; k < 2; k++) curvature += curvature_of(&model->shapes[shape[k]]);
    return 4 * modulus / (3 * sqrt(curvature));
}

bool ts_contact_cuts(const ts_model *model, int contact) {
    return model->numbers[model->contacts[contact].data + TS_CONTACT_CUT] > 0;
}

/* ---- coatings ---- */

static double mean_friction(double a, double b) { return sqrt(a * b); }
static double in_series(double a, double b) { return a * b / (a + b); }
static double largest(double a, double b) { return fmax(a, b); }

/* Rules to combine two coatings. The larger loss corresponds to the smaller restitution. */
static double (*const COMBINED[])(double, double) = {[TS_COATING_FRICTION] = mean_friction,
                                                     [TS_COATING_LOSS] = largest,
                                                     [TS_COATING_MODULUS] = in_series};

/* Value from the coatings of the shapes, if the contact leaves it to them and one of them gives it;
 * otherwise the contact's own. */
static double brought(const ts_model *model, const double *contact, const int shape[2], int which,
                      double own) {
    double x[2];
    if (!((int)contact[TS_CONTACT_COATED] & 1 << which)) return own;
    for (int k = 0; k < 2; k++) x[k] = ts_coating_of(model, &model->shapes[shape[k]], which);
    if (x[0] < 0 || x[1] < 0) return fmax(x[0], x[1]) < 0 ? own : fmax(x[0], x[1]);
    return COMBINED[which](x[0], x[1]);
}

/* Coefficients of friction: a single one if coatings give it. */
static ts_rubbing rubbing_of(const ts_model *model, const double *d, const int shape[2]) {
    ts_rubbing own = {d[TS_CONTACT_ADHERING], d[TS_CONTACT_SLIDING], d[TS_CONTACT_STRIBECK]};
    double mu = brought(model, d, shape, TS_COATING_FRICTION, -1);
    return mu < 0 ? own : (ts_rubbing){mu, mu, d[TS_CONTACT_STRIBECK]};
}

ts_contact_law ts_contact_law_of(const ts_model *model, int contact, const int shape[2]) {
    const ts_contact *c = &model->contacts[contact];
    const double *d = model->numbers + c->data;
    double modulus = brought(model, d, shape, TS_COATING_MODULUS, d[TS_CONTACT_MODULUS]);
    return (ts_contact_law){.elastic = c->elastic,
                            .stiffness = d[TS_CONTACT_MODULUS] > 0
                                             ? hertz_stiffness(model, modulus, shape)
                                             : d[TS_CONTACT_STIFFNESS],
                            .unit = d[TS_CONTACT_DISTANCE] > 0 ? d[TS_CONTACT_DISTANCE] : 1,
                            .loss = brought(model, d, shape, TS_COATING_LOSS, d[TS_CONTACT_LOSS]),
                            .rubbing = rubbing_of(model, d, shape),
                            .grip = d[TS_CONTACT_GRIP],
                            .viscous = d[TS_CONTACT_VISCOUS],
                            .rolling = d[TS_CONTACT_ROLLING],
                            .spinning = d[TS_CONTACT_SPINNING],
                            .twist = d[TS_CONTACT_TWIST],
                            .cut = ts_contact_cuts(model, contact)};
}

/* ---- normal ---- */

double ts_contact_elastic(const ts_contact_law *law, double gap) {
    return law->stiffness * law->unit * law->unit * law->elastic->energy(-gap / law->unit);
}

/* Force from the penetration -g; the force along g is the opposite. */
double ts_contact_force(const ts_contact_law *law, double start, double end, double *slope) {
    double f = law->elastic->force(-start / law->unit, -end / law->unit, slope);
    *slope *= law->stiffness;
    return -law->stiffness * law->unit * f;
}

/* `f`: force for the weight 1. */
static void weigh(ts_contact_step *x, double f) {
    const ts_contact_law *law = x->law;
    const double *weight = x->gap.crossing.weight;
    double w = 0.5 * (weight[0] + weight[1]), unused;
    x->normal *= w, x->by_gap *= w, x->lost *= w;
    x->by_weight = 0.5 * f;
    x->turning =
        0.5 * (ts_contact_elastic(law, x->gap.start) + ts_contact_elastic(law, x->gap.end));
    x->turning_by_gap = 0.5 * ts_contact_force(law, x->gap.end, x->gap.end, &unused);
}

static void press(ts_contact_step *x) {
    const ts_contact_law *law = x->law;
    double slope, change = x->gap.end - x->gap.start;
    double f = ts_contact_force(law, x->gap.start, x->gap.end, &slope);
    double v0 = fmax(x->before.approach, x->rests);
    double c = v0 > 0 && !x->still ? law->loss / (v0 * x->h) : 0;
    double more = fmax(1 - c * change, 0);
    x->normal = f * more;
    x->by_gap = slope * more - (more > 0 ? f * c : 0);
    x->lost = f * change * (more - 1);
    if (x->gap.crossing.present) weigh(x, f * more);
}

/* ---- friction ---- */

static v3 mean(v3 a, v3 b) { return v3_scale(0.5, v3_add(a, b)); }
static m3 mean_frame(const ts_carrier *s) { return m3_scale(0.5, m3_add(s->D[0], s->D[1])); }
static v3 across(v3 n, v3 a) { return v3_axpy(-v3_dot(n, a), n, a); }

/* Place where a side is touched: for a point its own place. */
static v3 touched_at(const ts_contact_step *x) {
    for (int s = 0; s < 2; s++)
        if (!x->side[s].turns) return mean(x->side[s].x[0], x->side[s].x[1]);
    return x->gap.at;
}

/* Is the side flexible, and does friction act off its points? */
static bool leans(const ts_contact_step *x, int s) { return s == 1 && x->levers > 0; }

/* Material coordinates of the point of a side at this place, and its motion in the step. */
static v3 find_arm(const ts_carrier *s, v3 at, v3 *arm) {
    *arm = v3_make(0, 0, 0);
    v3 moved = v3_sub(s->x[1], s->x[0]);
    if (!s->turns) return moved;
    *arm = m3_tapply(m3_invt(mean_frame(s)), v3_sub(at, mean(s->x[0], s->x[1])));
    return v3_add(moved, m3_apply(m3_sub(s->D[1], s->D[0]), *arm));
}

/* Turns z into the tangent plane, with its length preserved. */
static v3 turn_bristle(const ts_contact_step *x, v3 *turned) {
    v3 z = x->before.z;
    double size = v3_norm(z);
    *turned = across(x->gap.normal, x->side[1].turns ? m3_apply(mean_frame(&x->side[1]), z) : z);
    double left = v3_norm(*turned);
    return left > 0 ? v3_scale(size / left, *turned) : v3_make(0, 0, 0);
}

/* Turns z back into the frame of B. */
static v3 keep_bristle(const ts_contact_step *x, v3 z) {
    if (!x->side[1].turns) return z;
    v3 kept = m3_tapply(m3_invt(mean_frame(&x->side[1])), z);
    double size = v3_norm(kept);
    return size > 0 ? v3_scale(v3_norm(z) / size, kept) : kept;
}

static double drag_of(const ts_contact_step *x) {
    return x->normal < 0 && !x->still ? x->law->viscous / x->h : 0;
}

static void rub(ts_contact_step *x) {
    const ts_contact_law *law = x->law;
    v3 at = touched_at(x);
    v3 moved = find_arm(&x->side[0], at, &x->arm[0]), other = find_arm(&x->side[1], at, &x->arm[1]);
    if (leans(x, 1)) other = v3_add(other, ts_lean_over(x, at));
    x->slip = v3_sub(moved, other);
    v3 d = across(x->gap.normal, x->slip);
    x->z = turn_bristle(x, &x->turned);
    x->by_square = ts_rubbing_over(&law->rubbing, x->before.stuck, x->still ? 0 : 1 / x->h,
                                   v3_dot(d, d), x->mu);
    if (x->late && law->rubbing.stribeck == 0) x->mu[1] = x->mu[0];
    ts_bristle b = {.n = 3, .stiffness = law->grip, .damping = HELD, .at_end = x->still};
    b.strength = -x->mu[0] * x->normal, b.sliding = -x->mu[1] * x->normal;
    b.changes[0] = x->mu[0], b.changes[1] = x->mu[1];
    if (x->held) b.strength = b.sliding = INFINITY, b.changes[0] = b.changes[1] = 0;
    v3_store(b.z, x->z), v3_store(b.slip, d);
    x->bristle = ts_bristle_over(&b);
    double drag = drag_of(x);
    x->friction = v3_axpy(drag, d, v3_load(x->bristle.force));
    x->rubbed = x->bristle.dissipated + drag * v3_dot(d, d);
    x->after.z = keep_bristle(x, v3_load(x->bristle.z));
    x->after.stuck = x->normal < 0 && x->bristle.stuck;
    if (leans(x, 1)) ts_lean_press(x);
}

double ts_contact_energy(const ts_contact_law *law, double gap, const ts_contact_memory *memory) {
    return ts_contact_elastic(law, gap) + 0.5 * law->grip * v3_dot(memory->z, memory->z) +
           0.5 * law->twist * v3_dot(memory->turn, memory->turn);
}

static bool rubs(const ts_contact_step *x) {
    return x->law->grip > 0 && (x->normal < 0 || v3_dot(x->before.z, x->before.z) > 0);
}

void ts_contact_over(ts_contact_step *x) {
    v3 none = {0, 0, 0};
    x->after = (ts_contact_memory){.approach = x->before.approach,
                                   .age = x->gap.start < 0 ? x->before.age + x->h : 0};
    x->friction = x->arm[0] = x->arm[1] = none, x->rubbed = x->turning = 0, x->leans = false;
    press(x);
    if (rubs(x)) rub(x);
    ts_roll_over(x);
    x->stored = ts_contact_energy(x->law, x->gap.end, &x->after);
    if (x->gap.crossing.present)
        x->stored -= (1 - x->gap.crossing.weight[1]) * ts_contact_elastic(x->law, x->gap.end);
}

/* ---- slopes ---- */

static v3 times(const double *A, v3 a) {
    return v3_make(A[0] * a.x + A[1] * a.y + A[2] * a.z, A[3] * a.x + A[4] * a.y + A[5] * a.z,
                   A[6] * a.x + A[7] * a.y + A[8] * a.z);
}

/* n n^T a as n changes by dn. */
static v3 along_moved(v3 n, v3 dn, v3 a) {
    return v3_axpy(v3_dot(n, a), dn, v3_scale(v3_dot(dn, a), n));
}

/* Sum over the points of a flexible side as their weights change: of their motion in the step, and
 * of their places in the mean. */
static v3 weights_moved(const ts_contact_step *x, const double *change, int s, v3 *mean_moved) {
    v3 moved = {0, 0, 0};
    *mean_moved = v3_make(0, 0, 0);
    for (int k = 0; k < x->gap.points && x->side[s].woven; k++) {
        if (x->gap.of_b[k] != (s == 1) || change[k] == 0) continue;
        const ts_touch *t = &x->gap.touch;
        moved = v3_axpy(change[k], v3_sub(t->end[k], t->start[k]), moved);
        *mean_moved = v3_axpy(change[k], t->mean[k], *mean_moved);
    }
    return moved;
}

/* Share of a motion of the end that enters the mean. */
static double in_mean(const ts_contact_step *x) { return x->still ? 1 : 0.5; }

static v3 arm_moved(const ts_contact_step *x, const ts_contact_motion *by, int s, v3 at, v3 *arm) {
    const ts_carrier *side = &x->side[s];
    *arm = v3_make(0, 0, 0);
    if (!side->turns) return by->x[s];
    v3 turned = m3_apply(by->D[s], x->arm[s]);
    v3 apart = v3_axpy(-in_mean(x), v3_add(by->x[s], turned), at);
    *arm = m3_tapply(m3_invt(mean_frame(side)), apart);
    return v3_add(v3_add(by->x[s], turned), m3_apply(m3_sub(side->D[1], side->D[0]), *arm));
}

static v3 bristle_turned(const ts_contact_step *x, const ts_contact_motion *by, v3 dn) {
    const ts_carrier *B = &x->side[1];
    v3 z = x->before.z, whole = B->turns ? m3_apply(mean_frame(B), z) : z;
    double left = v3_norm(x->turned), size = v3_norm(z);
    if (!(left > 0)) return v3_make(0, 0, 0);
    v3 turned = B->turns ? v3_scale(in_mean(x), m3_apply(by->D[1], z)) : v3_make(0, 0, 0);
    v3 change = v3_sub(across(x->gap.normal, turned), along_moved(x->gap.normal, dn, whole));
    return v3_scale(size / left, across(v3_scale(1 / left, x->turned), change));
}

/* Change of friction with the normal force, the tangent plane, and the place of contact. */
static void rubbing_moved(const ts_contact_step *x, const ts_contact_motion *by,
                          const ts_gap_change *gap, double dnormal, ts_contact_change *out) {
    v3 n = x->gap.normal, at = gap->at, d = across(n, x->slip), shift[2], woven[2];
    for (int s = 1; s >= 0; s--) {
        shift[s] = weights_moved(x, gap->weight, s, &woven[s]);
        if (!x->side[s].turns) at = v3_axpy(in_mean(x), by->x[s], woven[s]);
    }
    v3 moved = arm_moved(x, by, 0, at, &out->arm[0]), other = arm_moved(x, by, 1, at, &out->arm[1]);
    v3 lean = v3_sub(at, v3_axpy(in_mean(x), by->x[1], woven[1]));
    if (leans(x, 1)) other = v3_add(other, ts_lean_moved(x, by, gap->weight, lean));
    v3 dslip = v3_add(v3_sub(moved, other), v3_sub(shift[0], shift[1]));
    v3 dd = v3_sub(across(n, dslip), along_moved(n, gap->normal, x->slip));
    v3 dz = bristle_turned(x, by, gap->normal);
    double stronger = -dnormal; /* in the measure of `changes` */
    out->friction = v3_add(times(x->bristle.by_slip, dd), times(x->bristle.by_z, dz));
    out->friction = v3_axpy(stronger, v3_load(x->bristle.by_strength), out->friction);
    out->friction = v3_axpy(drag_of(x), dd, out->friction);
    if (x->by_square != 0) {
        double dmu = x->by_square * 2 * v3_dot(d, dd); /* of both coefficients */
        double as_strength = x->mu[0] > 0 ? -x->normal * dmu / x->mu[0] : 0;
        out->friction = v3_axpy(as_strength, v3_load(x->bristle.by_strength), out->friction);
    }
    if (leans(x, 1)) ts_lean_pressed(x, by, gap->weight, lean, out);
}

/* Both ends move, but the gap itself keeps the value of one of them. */
static void both_ends_move(const ts_gap *gap, ts_gap_change *change) {
    change->at = v3_scale(2, change->at), change->normal = v3_scale(2, change->normal);
    for (int k = 0; k < gap->points; k++)
        change->gradient[k] = v3_scale(2, change->gradient[k]), change->weight[k] *= 2;
}

void ts_contact_moved(const ts_contact_step *x, const ts_contact_motion *by,
                      ts_contact_change *out) {
    ts_gap_change gap;
    v3 none = {0, 0, 0};
    ts_gap_moved(&x->gap, by->point, &gap);
    double ends = x->still ? 2 : 1;
    if (x->still) both_ends_move(&x->gap, &gap);
    double dnormal = ends * x->by_gap * gap.end;
    out->turning[0] = out->turning[1] = none;
    if (x->gap.crossing.present) {
        double dweight = ends * ts_crossing_moved(&x->gap.crossing, by->along, out->turning);
        for (int side = 0; side < 2; side++)
            out->turning[side] =
                v3_axpy(ends * x->turning_by_gap * gap.end, x->gap.crossing.by[side],
                        v3_scale(ends * x->turning, out->turning[side]));
        dnormal += x->by_weight * dweight;
    }
    for (int k = 0; k < x->gap.points; k++) {
        out->force[k] = v3_axpy(dnormal, x->gap.gradient[k], v3_scale(x->normal, gap.gradient[k]));
        out->weight[k] = gap.weight[k];
    }
    out->friction = out->arm[0] = out->arm[1] = none;
    if (rubs(x)) rubbing_moved(x, by, &gap, dnormal, out);
    ts_roll_moved(x, by, gap.normal, dnormal, out);
}

/* ---- restitution ---- */

static const double LEAST_RESTITUTION = 2e-3; /* replaces 0, which would need an infinite loss */

/* The root of the equation above lies between 0 and 1/e; near 1/e to round-off for small e. */
double ts_restitution_loss(double e) {
    e = fmax(e, LEAST_RESTITUTION);
    double low = 0, high = 1 / e;
    if (e >= 1) return 0;
    for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        double x = 0.5 * (low + high);
        double more = x - log1p(x) + e * x + log1p(-e * x);
        *(more > 0 ? &low : &high) = x;
    }
    return 0.5 * (low + high);
}
