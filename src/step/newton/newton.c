/* SPDX-License-Identifier: Apache-2.0 */
/* Newton's method, affine invariant (P. Deuflhard, Newton Methods for Nonlinear Problems, 2004, ch.
 * 3).
 *
 * A step is first tried with increments limited in size only (bold); if that fails, with a new
 * tangent in every iteration, as always on paths of equilibria, and increments that are small
 * compared with the step; and at last with increments that must shrink (cautious). The last
 * factorisation is kept as long as it contracts well: theta = |delta_n| / |delta_n-1|. A poor theta
 * leads to a new tangent at the present iterate, unless the increments, corrected by secant
 * information (secant.c), contract better; theta >= 1 with an exact tangent takes half of the last
 * increment back.
 *
 * Contacts and friction give the equations kinks. Increments on different sides of a kink are not
 * comparable, and with the test above Newton's method may cycle for ever. There the residual
 * decides: an increment is halved until the residual has decreased; Newton's direction is a descent
 * direction for it. Between narrow kinks (sticking, between slip in either direction) even this
 * fails: there the caller may choose the piece of the equations to continue with (`hold`).
 */
#include "step/newton/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "step/newton/judgement.h"

static const double SHRINKING = 0.3; /* multipliers that shrink less have reached round-off */
/* per iteration; and as a fraction of the size of the model */
static const double LARGEST_TURN = 0.5;
/* per iteration of a second attempt, as a share of the step so far: the first increment of a step
 * that an impact stops leads far away, to other contacts */
static const double REACH = 0.5;
static const double FLOOR = 0.01 * DBL_EPSILON; /* an increment below this changes nothing */
static const double LARGEST = 1e3;              /* an increment beyond this is meaningless */
/* increments may grow so often: in all; in a second attempt, which other remedies follow */
static const int MOST_GROWTHS = 6, MOST_GROWTHS_AGAIN = 4;
static const double STUCK = 0.5; /* a rate at which increments do not shrink, and how often */
static const int OFTEN = 3;
static const double LUCK = 1e-2; /* a kept factorisation that contracts better does so by chance */
static const double WELL = 0.1;  /* a rate at which increments are taken without correction */
static const double CALM = 0.05; /* a rate at which a factorisation may be kept again */
/* steps with the exact tangent before the short one is tried again: after the first failure,
 * doubled each time that it fails at once, up to the most */
static const int PATIENCE = 2, MOST_PATIENCE = 50;
/* failures of a factorisation made in the last step that are then ignored */
static const int IN_VAIN = 8;
/* The estimate of round-off fades from step to step, so that one high value does not last. */
static const double FADING = 0.5, FADING_SLOWLY = 0.98;
/* Assumed rate of a new tangent before one has been measured. */
static const double FRESH_RATE = 1e-2;

/* ---- which tangent ---- */

/* The short tangent does not contract although it is new: use the exact one for some steps. */
static void be_exact(ts_tangent *tangent) {
    if (!tangent->use_short) return;
    tangent->use_short = false;
    tangent->patience = tangent->failed ? tangent->failed : PATIENCE;
    tangent->failed = 2 * tangent->patience < MOST_PATIENCE ? 2 * tangent->patience : MOST_PATIENCE;
}

void ts_exact_tangent(ts_tangent *tangent) {
    be_exact(tangent);
    tangent->stale = true;
}

void ts_forget_tangent(ts_tangent *tangent) {
    *tangent = (ts_tangent){
        .has_short = tangent->has_short, .use_short = tangent->has_short, .stale = true};
}

/* Second attempts keep the exact tangent, and are not counted. */
static void begin_tangent(ts_tangent *tangent, double h, bool first) {
    if (tangent->h != h) tangent->stale = true;
    if (first) tangent->noise *= FADING, tangent->floor *= FADING_SLOWLY;
    if (first && tangent->patience > 0 && --tangent->patience == 0)
        tangent->use_short = tangent->has_short, tangent->stale = true;
}

/* ---- increments ---- */

/* Line search along an increment: the residual must fall by at least this share of the increment
 * taken, so that a jump to and fro over a kink is not accepted; the shortest increment that is
 * tried. Each search crosses a few kinks, and where many bodies touch there are many: so the limit
 * of iterations is multiplied. */
static const double DESCENT = 0.1, SHORTEST = 1.0 / 512;
static const int MORE = 2;

/* Progress of Newton's method within a step. */
typedef struct progress {
    double d, previous, before, damping; /* increments: this, the last, the one before that */
    double size;                         /* of the step before this increment */
    double m, m_previous,
        m_size; /* increment of the multipliers and the one before; size of the multipliers */
    double motion, motion_previous; /* increments without those of variables */
    bool exact;   /* the factorisation is the exact one of the iterate before the last increment */
    int stuck;    /* how often in a row places could not follow */
    int growths;  /* how often Newton continued although the increment had grown */
    bool renewed; /* a new factorisation was made in this step */
    int since;    /* iterations by the present factorisation */
    /* a kept factorisation made increments grow: a new one every time, until they contract well */
    bool wary;
    double weight; /* the residual at the last accepted iterate; 0: there is none */
    bool whole;    /* the last increment was taken as a whole, before it was judged */
    bool settled;  /* displacements have converged; only multipliers may still change */
} progress;

static void forget_rates(progress *p) {
    p->previous = p->before = p->m_previous = p->motion_previous = 0;
}

static void solve(ts_newton *x) {
    for (int i = 0; i < x->n; i++) x->delta[i] = -x->R[i];
    x->solve(x->of, x->delta);
    if (x->secant) ts_secant_correct(x->secant, x->delta);
}

static void increment(ts_newton *x, progress *p) {
    solve(x);
    p->d = x->increment(x->of, x->delta);
    if (x->motion) p->motion = x->motion(x->of, x->delta);
    p->m = x->multipliers(x->of, x->delta, &p->m_size);
}

/* A factorisation that was made in the last step has failed in this one, and the iterations with it
 * are lost: the next few steps begin with a new one, twice as many each time. If such a step needs
 * a second factorisation, the new one at its start did not help. */
static void note_failure(ts_tangent *tangent, const progress *p) {
    if (p->renewed && tangent->anew > 0) tangent->anew = -IN_VAIN;
    if (p->renewed || p->since == 0 || tangent->served > 1) return;
    if (tangent->anew < 0 && tangent->anew++) return;
    tangent->anew = tangent->brief ? tangent->brief : PATIENCE;
    tangent->brief = 2 * tangent->anew < MOST_PATIENCE ? 2 * tangent->anew : MOST_PATIENCE;
}

static int fresh_increment(ts_newton *x, progress *p) {
    note_failure(x->tangent, p);
    int code = x->factor(x->of);
    if (x->secant) ts_secant_forget(x->secant);
    x->tangent->h = code ? 0 : x->h;
    x->tangent->stale = false;
    x->tangent->spent = x->renewal, x->tangent->served = 0;
    if (code) return TORSOR_RETRY;
    increment(x, p);
    p->since = 1;
    p->exact = !x->tangent->use_short;
    p->renewed = true;
    return 0;
}

/* ---- convergence ---- */

/* Multipliers need not be unique (a mechanism in a singular position): then they only have to stop
 * shrinking, once displacements have settled; before, they may stop for another reason. Where
 * shapes touch, multipliers may also stop shrinking because a factorisation was kept: a stiff
 * contact hardly changes displacements, but its force does work at a drive. So they have to stop
 * shrinking with a new factorisation, too. */
static bool multipliers_are_done(const ts_newton *x, const progress *p, double size, bool settled) {
    double allowed = x->multiplier_tolerance * (x->step_share * size + p->m_size);
    if (ts_error_left(p->m, p->m_previous) <= allowed) return true;
    bool stopped = p->m_previous > 0 && p->m > SHRINKING * p->m_previous;
    if (!stopped || !(settled || x->path)) return false;
    if (!x->weigh || p->m <= 2 * x->tangent->floor) return true;
    if (p->renewed && p->since > 1) x->tangent->floor = p->m;
    x->tangent->stale |= !p->renewed;
    return p->renewed;
}

/* Computes the increment at a slightly different point, and restores everything. */
static bool is_round_off(ts_newton *x, double d) {
    size_t all = (size_t)x->n * sizeof *x->other;
    memcpy(x->other, x->delta, all);
    x->apply(x->of, x->other, TS_ELSEWHERE);
    x->residual(x->of);
    solve(x);
    for (int i = 0; i < x->n; i++) x->delta[i] -= x->other[i];
    double change = x->increment(x->of, x->delta);
    x->apply(x->of, x->other, -TS_ELSEWHERE);
    memcpy(x->delta, x->other, all);
    return ts_is_noise(change, d);
}

/* Variables may require a motion that is less than the rounding of places, in every iteration
 * again, because the motion cannot be represented: very stiff oil, for example. At a slightly
 * different point they require the same, so that the increment does not look like round-off. */
static bool places_cannot_follow(const ts_newton *x, progress *p) {
    bool stuck = x->motion && p->motion <= DBL_EPSILON * x->far && p->d > STUCK * p->previous;
    p->stuck = stuck ? p->stuck + 1 : 0;
    return p->stuck >= OFTEN;
}

/* Converged, or limited by round-off: there even an exact tangent no longer makes a small increment
 * smaller. */
static bool converged(ts_newton *x, progress *p) {
    double size = p->size = x->step(x->of);
    bool settled = p->settled;
    if (x->closed && !x->closed(x->of, p->d)) return false;
    double error = ts_error_left(p->d, p->previous);
    /* variables converge at their own rate, mostly at once, which is no measure for the motion */
    if (x->motion) error = fmax(error, ts_error_left(p->motion, p->motion_previous));
    double by_luck = (p->exact ? 0.1 * LUCK : LUCK) * p->d;
    if (p->since > 1 && by_luck > (x->weigh ? FLOOR : DBL_EPSILON * x->far))
        error = fmax(error, by_luck); /* a stiff contact reacts to less than rounding of places */
    p->settled |= p->d <= FLOOR || error <= x->tolerance * size;
    x->left = p->settled && p->d > FLOOR && size > 0 ? error / size : 0;
    if (p->settled) return multipliers_are_done(x, p, size, settled);
    if (p->previous == 0 || p->d / p->previous < TS_GOOD_RATE) return false;
    bool new_tangent = p->exact || (p->renewed && x->tangent->use_short);
    double rounding = DBL_EPSILON * x->far; /* a point nearer than that is the same point */
    double sure = !p->exact ? rounding : x->path ? INFINITY : rounding / TS_ELSEWHERE;
    bool small = ts_may_be_noise(p->d, size, x->far, x->path);
    if (small && new_tangent && places_cannot_follow(x, p)) return true;
    if (small && (p->d <= sure || (new_tangent && is_round_off(x, p->d)))) {
        x->tangent->noise = fmax(x->tangent->noise, p->d);
        return true;
    }
    return p->d <= 2 * x->tangent->noise;
}

/* ---- whether to keep a factorisation ---- */

/* Records how a new tangent contracts. */
static void note_rate(ts_tangent *tangent, const progress *p) {
    tangent->rate = p->d / p->previous, tangent->rate_at = p->previous;
}

/* If the prediction of displacements was better than that of multipliers, the second increment is
 * caused by the error of the multipliers and may well be larger: this does not mean that the kept
 * factorisation is bad, as long as multipliers shrink. A new short tangent reduces them less than
 * an exact one. */
static bool multipliers_shrink(const ts_newton *x, const progress *p) {
    double rate = p->renewed ? TS_EVERY_OTHER : TS_KEEPING_RATE;
    if (p->renewed && x->tangent->use_short) rate = WELL;
    return p->before == 0 && p->m < rate * p->m_previous;
}

/* The short tangent is new and contracts slowly: is the exact one, which is expensive, worth its
 * cost? */
static bool exact_pays(const ts_newton *x, const progress *p) {
    double rate = ts_rate(p->d, p->previous, p->before), enough = x->tolerance * p->size;
    return ts_iterations_left(p->d, enough, rate) > TS_EXACT_RENEWAL;
}

/* Is a new tangent worth its cost? A second short one in the same step would be no better. */
static bool is_dear(const ts_newton *x, const progress *p) {
    const ts_tangent *t = x->tangent;
    if (t->use_short && p->renewed) return false;
    double rate = ts_rate(p->d, p->previous, p->before);
    if (multipliers_shrink(x, p)) rate = fmin(rate, p->m / p->m_previous);
    double fresh = t->rate > 0 ? t->rate : FRESH_RATE, enough = x->tolerance * p->size;
    if (t->rate > 0 && !t->use_short) fresh = ts_rate_nearer(fresh, p->d, t->rate_at);
    return ts_iterations_left(p->d, enough, rate) >
           x->renewal + ts_iterations_left(p->d, enough, fresh);
}

/* After an increment with a kept factorisation: makes a new one, if that is better. */
static int keep_or_renew(ts_newton *x, progress *p) {
    bool going = !p->settled && p->previous > 0;
    bool slow = going && ts_is_slow(p->d, p->previous, p->before) && !multipliers_shrink(x, p);
    if (slow && p->renewed && x->tangent->use_short) {
        slow = exact_pays(x, p);
        if (slow) be_exact(x->tangent);
    }
    if (slow || (going && is_dear(x, p))) return fresh_increment(x, p);
    p->exact = false;
    return 0;
}

/* ---- steps on and back ---- */

/* The last increment was larger than the one before: takes half of it back or, if its tangent was
 * an old one, all of it. */
static int step_back(ts_newton *x, progress *p) {
    if (x->secant) ts_secant_forget(x->secant);
    if (p->damping < 1.0 / 32) return TORSOR_RETRY;
    double back = p->exact ? 0.5 * p->damping : p->damping;
    p->wary |= !p->exact && !x->tangent->use_short;
    x->apply(x->of, x->saved, -back);
    p->damping -= back;
    if (p->damping > 0) return 0;
    if (p->renewed) be_exact(x->tangent);
    x->tangent->stale = true, forget_rates(p);
    return 0;
}

/* Halves the last increment until the residual has decreased; takes all of it back if its tangent
 * was not that of the iterate. Small increments are not judged: their residual is round-off. */
static void search(ts_newton *x, progress *p) {
    double weight = x->weigh(x->of),
           small = fmax(TS_LARGEST_NOISE * x->far, TS_ROUND_OFF * p->size);
    bool judged = p->weight > 0 && p->previous * p->damping > small;
    while (judged && !(weight < (1 - DESCENT * p->damping) * p->weight) && p->damping > SHORTEST) {
        double back = p->exact ? 0.5 * p->damping : p->damping;
        x->apply(x->of, x->saved, -back);
        p->damping -= back;
        x->residual(x->of);
        weight = x->weigh(x->of);
    }
    p->weight = weight;
    if (!judged || p->damping > 0) return;
    x->tangent->stale = true, forget_rates(p);
}

/* The equations have other pieces now: earlier increments and residuals are not comparable. */
static void begin_pieces(ts_newton *x, progress *p) {
    x->residual(x->of);
    p->weight = x->weigh(x->of), forget_rates(p);
    x->tangent->stale = true;
}

/* The largest increment; `again`: of a second attempt at a step in time. */
static double reach(const progress *p, bool again) {
    double size = again ? REACH * p->size : 0;
    return size > 0 ? fmin(size, LARGEST_TURN) : LARGEST_TURN;
}

/* A factorisation that contracts well is used without secant corrections; they begin once it does
 * not. */
static void learn(ts_newton *x, const progress *p) {
    ts_secant *s = x->secant;
    if (s->count == 0 && !(p->previous > 0 && p->d > WELL * p->previous)) return;
    if (p->damping == 1)
        ts_secant_note(s, x->delta);
    else
        ts_secant_forget(s);
}

static void step_on(ts_newton *x, progress *p, double largest) {
    p->damping = x->weigh ? x->share(x->of, x->delta) : p->d > largest ? largest / p->d : 1;
    p->whole = p->damping == 1;
    if (x->secant) learn(x, p);
    if (x->follow) x->follow(x->of, x->delta, p->damping);
    x->apply(x->of, x->delta, p->damping);
    double *taken = x->delta;
    x->delta = x->saved, x->saved = taken;
    p->before = p->previous, p->previous = p->d;
    p->m_previous = p->m, p->motion_previous = p->motion;
}

/* Handles an increment that is larger than the last one. Bold: continue, with a new tangent, since
 * slender structures first bend and correct their stretch in the next iteration. Cautious: step
 * back, and `on` is false. */
static int grown(ts_newton *x, progress *p, ts_temper temper, bool *on) {
    *on = temper != TS_CAUTIOUS && (p->exact || !x->tangent->use_short);
    if (!*on) return step_back(x, p);
    if (++p->growths > MOST_GROWTHS) return TORSOR_RETRY;
    forget_rates(p);
    return fresh_increment(x, p);
}

/* Takes the last increment, and prepares the next step. */
static int finish(ts_newton *x, const progress *p) {
    ts_tangent *t = x->tangent;
    x->apply(x->of, x->delta, 1);
    if (x->refuses && x->refuses(x->of)) return TORSOR_RETRY;
    t->spent += p->since, t->served++;
    if (!p->renewed) t->brief = 0;
    t->stale = ts_is_worn(p->since, t->served, t->spent) || (t->anew > 0 && t->anew--);
    if (t->use_short) t->failed = 0;
    return 0;
}

int ts_newton_solve(ts_newton *x, ts_temper temper, int *iterations) {
    progress p = {0};
    bool full = temper == TS_FULL || (temper == TS_BOLD && x->path); /* a new tangent every time */
    bool again = temper == TS_FULL && !x->path;
    int growths = again ? MOST_GROWTHS_AGAIN : MOST_GROWTHS;
    int most = x->most ? x->most : x->weigh ? MORE * x->max_iterations : x->max_iterations;
    if (x->n == 0) return 0;
    begin_tangent(x->tangent, x->h, temper == TS_BOLD);
    if (x->secant) ts_secant_forget(x->secant);
    for (int it = 1; it <= most; it++) {
        if (x->stopped && x->stopped(x->of)) return TORSOR_EINTERRUPTED;
        ++*iterations;
        x->residual(x->of);
        if (x->weigh) search(x, &p);
        if (x->hold && x->hold(x->of, p.whole)) begin_pieces(x, &p);
        bool fresh = x->tangent->stale || full || p.wary;
        if (fresh && fresh_increment(x, &p)) return TORSOR_RETRY;
        if (!fresh) increment(x, &p), p.since++;
        if (!fresh && it == 1 &&
            p.d > x->step(x->of)) { /* no prediction is that wrong, so the tangent is */
            fresh = true;
            if (fresh_increment(x, &p)) return TORSOR_RETRY;
        }
        if (!isfinite(p.d) || (fresh && p.d > LARGEST)) return TORSOR_RETRY;
        if (converged(x, &p)) return finish(x, &p);
        bool larger = !x->weigh && !p.settled && p.previous > 0 && p.d >= p.previous &&
                      !multipliers_shrink(x, &p);
        if (larger && full && ++p.growths > growths) return TORSOR_RETRY;
        if (larger && !full) {
            bool on;
            if (grown(x, &p, temper, &on)) return TORSOR_RETRY;
            if (!on) continue;
            fresh = true;
        }
        if (p.previous > 0 && p.d < CALM * p.previous) p.wary = false;
        if (p.since == 2 && p.previous > 0) note_rate(x->tangent, &p);
        if (!fresh && keep_or_renew(x, &p)) return TORSOR_RETRY;
        if (!(p.d < LARGEST)) return TORSOR_RETRY;
        step_on(x, &p, reach(&p, again));
        if (x->astray && x->astray(x->of)) return TORSOR_RETRY;
    }
    return TORSOR_RETRY;
}
