/* SPDX-License-Identifier: Apache-2.0 */
/* The stage of ED for beams, in strains.
 *
 * With J the discrete Jacobian of the strains and Z of their rates (helix.h; brackets are bilinear,
 * so that Z of the chain is how J changes with the mean rates),
 *
 *     b = (h/6) [alpha J of_a - (epsdot_f - epsdot_i)] ,
 *     sigma = w C (alpha b - (eps_f - eps_i))
 *     w = J^T w C b/2 - (h/12) Z^T sigma ,                   k = J^T sigma ,
 *     loss = b . w C b
 *
 * satisfy (S): k.b of the forms is sigma . J b = sigma . [b + (h/6) Z (e_f - e_i)]. If b were
 * computed in forms, with J at one state, the change of J over the step would be missing, times EA:
 * spurious axial forces and losses. */
#include <string.h>

#include "laws/beam/beam_path.h"

enum { POINTS = TS_BEAM_POINTS, S = TS_BEAM_STRAINS, M = TS_HELIX_FORMS, MOST = TS_CHAIN_MOST };

typedef struct chain_rates {
    ts_helix_rates helix[POINTS];
    v6 end[MOST];              /* rates of x at the end */
    v6 jump[MOST], mean[MOST]; /* of these rates: change over the step, mean */
    v6 of_a[MOST];             /* J of_a */
} chain_rates;

static void follow_rates(const ts_law_step *step, const ts_stage_step *s, const ts_beam_path *a,
                         chain_rates *y) {
    v6 W_i[POINTS] = {0}, W_f[POINTS] = {0}, W_a[POINTS] = {0}, x_i[MOST], start[MOST],
       *end = y->end;
    for (int j = 0; j < a->p; j++) {
        int at = M * j;
        ts_helix_rates_over(&a->pair[j], step->e_i + at, s->edot_i + at, s->edot_f + at,
                            &y->helix[j]);
        W_i[j] = y->helix[j].W_i, W_f[j] = y->helix[j].W_f;
        W_a[j] = ts_helix_change(&a->pair[j], s->of_a + at);
    }
    for (int i = 0; i < a->count; i++) x_i[i] = v6_add(a->base[i], a->x_i[i]);
    ts_chain_forward_change(a->p, x_i, W_i, start);
    ts_chain_forward_change(a->p, a->end, W_f, end);
    ts_chain_forward_change(a->p, a->mean, W_a, y->of_a);
    for (int i = 0; i < a->count; i++) {
        y->jump[i] = v6_sub(end[i], start[i]);
        y->mean[i] = v6_scale(0.5, v6_add(end[i], start[i]));
    }
}

/* b of x_i */
static v6 jump_of(const ts_stage_step *s, const chain_rates *y, int i) {
    return v6_scale(s->h / 6, v6_axpy(s->alpha, y->of_a[i], v6_scale(-1, y->jump[i])));
}

/* Forces on the moments k_i: of w C b/2, and of sigma. */
static double stage_forces(const ts_law_step *step, const ts_stage_step *s, const ts_beam_path *a,
                           const chain_rates *y, v6 *half, v6 *sigma) {
    double loss = 0;
    v6 b[MOST], jump[MOST];
    for (int i = 0; i < a->count; i++) {
        half[i] = sigma[i] = v6_zero();
        b[i] = jump_of(s, y, i);
        jump[i] = v6_sub(v6_scale(s->alpha, b[i]), v6_sub(a->x_f[i], a->x_i[i]));
    }
    for (int g = 0; g < a->p; g++) {
        const double *K = ts_beam_point(step->data, g);
        v6 own = ts_chain_strain(a->p, g, a->length, b), force = ts_beam_times(K, own);
        loss += v6_dot(own, force);
        ts_chain_force(a->p, g, a->length, v6_scale(0.5, force), half);
        ts_chain_force(a->p, g, a->length,
                       ts_beam_times(K, ts_chain_strain(a->p, g, a->length, jump)), sigma);
    }
    return loss;
}

/* b of an element of two nodes, times L. */
static v6 jump_of_pair(const ts_law_step *step, const ts_stage_step *t, ts_helix_step *x,
                       ts_helix_rates *y) {
    ts_helix_over(ts_beam_helices(step->data), step->e_i, step->e_f, true, x);
    ts_helix_rates_over(x, step->e_i, t->edot_i, t->edot_f, y);
    v6 b = v6_axpy(t->alpha, ts_helix_change(x, t->of_a), v6_sub(y->W_i, y->W_f));
    return v6_scale(t->h / 6, b);
}

/* An element of two nodes, written out for speed: eps = W/L, and there are no brackets. */
static void stage_of_pair(const ts_law_step *step, const ts_stage_step *t, ts_stage *out) {
    const double *K = ts_beam_point(step->data, 0);
    double by_length = 1 / step->data[TS_BEAM_LENGTH], square = by_length * by_length,
           rate = ts_beam_damping_rate(step), by_rates[M];
    ts_helix_step x;
    ts_helix_rates y;
    v6 b = jump_of_pair(step, t, &x, &y);
    v6 mean = v6_axpy(0.5 - rate, x.W_i, v6_scale(0.5 + rate, x.W_f));
    v6 Kb = v6_scale(square, ts_beam_times(K, b));
    v6 sigma = ts_beam_times(K, v6_axpy(t->alpha, b, v6_sub(x.W_i, x.W_f)));
    sigma = v6_scale(square, sigma);
    ts_helix_pull(&x, v6_scale(square, ts_beam_times(K, mean)), out->s);
    ts_helix_pull(&x, v6_scale(0.5, Kb), out->w);
    ts_helix_pull(&x, sigma, out->k);
    ts_helix_pull_rates(&x, &y, sigma, by_rates);
    for (int k = 0; k < M; k++) out->w[k] -= t->h / 12 * by_rates[k];
    out->loss = v6_dot(b, Kb);
}

void ts_beam_stage(const ts_law_step *step, const ts_stage_step *s, ts_stage *out) {
    if (ts_beam_points(step->data) == 1) {
        stage_of_pair(step, s, out);
        return;
    }
    ts_beam_path a;
    chain_rates y;
    v6 half[MOST], sigma[MOST], turned[MOST];
    v6 on_mean[POINTS], on_half[POINTS], on_sigma[POINTS], on_turned[POINTS];
    ts_beam_follow(step, true, &a);
    ts_beam_forces(step, &a, turned, on_mean);
    follow_rates(step, s, &a, &y);
    out->loss = stage_forces(step, s, &a, &y, half, sigma);
    ts_chain_backward(a.p, a.mean, half, on_half);
    ts_chain_backward(a.p, a.mean, sigma, on_sigma);
    for (int i = 0; i < a.count; i++) turned[i] = v6_zero();
    ts_chain_backward_change(a.p, a.mean, sigma, y.mean, turned, on_turned);
    for (int j = 0; j < a.p; j++) {
        double *w = out->w + M * j, by_rates[M];
        v6 on_W = v6_axpy(-s->h / 12, on_turned[j], on_half[j]);
        ts_helix_pull(&a.pair[j], on_mean[j], out->s + M * j);
        ts_helix_pull(&a.pair[j], on_W, w);
        ts_helix_pull(&a.pair[j], on_sigma[j], out->k + M * j);
        ts_helix_pull_rates(&a.pair[j], &y.helix[j], on_sigma[j], by_rates);
        for (int k = 0; k < M; k++) w[k] -= s->h / 12 * by_rates[k];
    }
}

double ts_beam_stage_loss(const ts_law_step *step, const ts_stage_step *s) {
    const double *data = step->data;
    if (ts_beam_points(data) == 1) {
        ts_helix_step x;
        ts_helix_rates y;
        v6 b = v6_scale(1 / data[TS_BEAM_LENGTH], jump_of_pair(step, s, &x, &y));
        return v6_dot(b, ts_beam_times(ts_beam_point(data, 0), b));
    }
    ts_beam_path a;
    chain_rates y;
    v6 b[MOST] = {0};
    double loss = 0;
    ts_beam_follow(step, true, &a);
    follow_rates(step, s, &a, &y);
    for (int i = 0; i < a.count; i++) b[i] = jump_of(s, &y, i);
    for (int g = 0; g < a.p; g++) {
        v6 own = ts_chain_strain(a.p, g, a.length, b);
        loss += v6_dot(own, ts_beam_times(ts_beam_point(data, g), own));
    }
    return loss;
}

_Static_assert((int)POINTS <= (int)TS_LAW_POINTS, "there is room for all points");

/* Strains of all points at the end of a step, and half of their jump. */
void ts_beam_strain_over(const ts_law_step *step, const ts_stage_step *rates, double *end,
                         double *half) {
    ts_beam_path a;
    chain_rates y;
    v6 b[MOST] = {0};
    ts_beam_follow(step, true, &a);
    follow_rates(step, rates, &a, &y);
    for (int i = 0; i < a.count; i++) b[i] = jump_of(rates, &y, i);
    for (int g = 0; g < a.p; g++) {
        v6 strain = ts_chain_strain(a.p, g, a.length, a.x_f);
        v6_store(end + S * g, v6_sub(strain, ts_beam_drawn(ts_beam_point(step->data, g))));
        v6_store(half + S * g, v6_scale(0.5, ts_chain_strain(a.p, g, a.length, b)));
    }
}

/* ---- slopes ----
 *
 * All functions are differentiated exactly: the helices and their rates (ts_helix_moves), the
 * brackets of the chain, which are bilinear, and the forces, which are linear. */

/* The stage, and the intermediate results of its slopes. */
typedef struct course {
    const ts_law_step *step;
    const ts_stage_step *s;
    ts_beam_path a;
    chain_rates y;
    ts_helix_curves curves[POINTS];
    v6 half[MOST], sigma[MOST], turned[MOST];                /* on all x */
    v6 on_half[POINTS], on_sigma[POINTS], on_turned[POINTS]; /* on W_j */
} course;

static void follow_course(const ts_law_step *step, const ts_stage_step *s, course *c) {
    c->step = step, c->s = s;
    ts_beam_follow(step, true, &c->a);
    follow_rates(step, s, &c->a, &c->y);
    stage_forces(step, s, &c->a, &c->y, c->half, c->sigma);
    ts_chain_backward(c->a.p, c->a.mean, c->half, c->on_half);
    ts_chain_backward(c->a.p, c->a.mean, c->sigma, c->on_sigma);
    for (int i = 0; i < c->a.count; i++) c->turned[i] = v6_zero();
    ts_chain_backward_change(c->a.p, c->a.mean, c->sigma, c->y.mean, c->turned, c->on_turned);
    for (int j = 0; j < c->a.p; j++)
        ts_helix_turn_curves(step->e_i[M * j + 6], step->e_f[M * j + 6], &c->a.pair[j].turn,
                             &c->curves[j]);
}

/* Motion of one helix, and the change of the forces on all W_j. */
typedef struct column {
    int pair;
    ts_helix_step x;
    ts_helix_rates y;
    v6 of_a; /* of J of_a */
    v6 on_W[POINTS], on_sigma[POINTS];
} column;

static void chain_moves(const course *c, column *d) {
    const ts_beam_path *a = &c->a;
    double h = c->s->h, alpha = c->s->alpha;
    v6 W[POINTS] = {0}, rate[POINTS] = {0}, of_a[POINTS] = {0};
    v6 dx[MOST], mean[MOST], end[MOST], jump[MOST], b[MOST], half[MOST], sigma[MOST], turned[MOST];
    v6 on_turned[POINTS];
    W[d->pair] = d->x.W_f, rate[d->pair] = d->y.W_f, of_a[d->pair] = d->of_a;
    ts_chain_forward_change(a->p, a->end, W, dx);
    for (int i = 0; i < a->count; i++) mean[i] = v6_scale(0.5, dx[i]);
    ts_chain_forward_second(a->p, a->end, c->y.end, dx, rate, end);
    ts_chain_forward_second(a->p, a->mean, c->y.of_a, mean, of_a, b);
    for (int i = 0; i < a->count; i++) {
        b[i] = v6_scale(h / 6, v6_axpy(alpha, b[i], v6_scale(-1, end[i])));
        jump[i] = v6_sub(v6_scale(alpha, b[i]), dx[i]);
        end[i] = v6_scale(0.5, end[i]);
        half[i] = sigma[i] = turned[i] = v6_zero();
    }
    for (int g = 0; g < a->p; g++) {
        const double *K = ts_beam_point(c->step->data, g);
        v6 force = ts_beam_times(K, ts_chain_strain(a->p, g, a->length, b));
        ts_chain_force(a->p, g, a->length, v6_scale(0.5, force), half);
        force = ts_beam_times(K, ts_chain_strain(a->p, g, a->length, jump));
        ts_chain_force(a->p, g, a->length, force, sigma);
    }
    ts_chain_backward_change(a->p, a->mean, c->half, mean, half, d->on_W);
    ts_chain_backward_change(a->p, a->mean, c->sigma, mean, sigma, d->on_sigma);
    ts_chain_pull of = {a->mean, c->sigma, c->turned, c->y.mean};
    ts_chain_backward_second(a->p, &of, mean, end, sigma, turned, on_turned);
    for (int j = 0; j < a->p; j++) d->on_W[j] = v6_axpy(-h / 12, on_turned[j], d->on_W[j]);
}

/* Columns of w and k, m apart. */
static void store_column(const course *c, const column *d, double *w, double *k) {
    const ts_beam_path *a = &c->a;
    int m = M * a->p;
    double more[M], share = c->s->h / 12, rates[M];
    for (int j = 0; j < a->p; j++, w += m * M, k += m * M) {
        double on_w[M], on_k[M];
        ts_helix_pull(&a->pair[j], d->on_W[j], on_w),
            ts_helix_pull(&a->pair[j], d->on_sigma[j], on_k);
        ts_helix_pull_rates(&a->pair[j], &c->y.helix[j], d->on_sigma[j], rates);
        for (int i = 0; i < M; i++) w[m * i] = on_w[i] - share * rates[i], k[m * i] = on_k[i];
        if (j != d->pair) continue;
        v6 on_W = v6_axpy(-share, c->on_turned[j], c->on_half[j]);
        ts_helix_pull_moves(&a->pair[j], &d->x, on_W, more);
        ts_helix_pull_rates_moves(&a->pair[j], &c->y.helix[j], &d->x, &d->y, c->on_sigma[j], rates);
        for (int i = 0; i < M; i++) w[m * i] += more[i] - share * rates[i];
        ts_helix_pull_moves(&a->pair[j], &d->x, c->on_sigma[j], more);
        for (int i = 0; i < M; i++) k[m * i] += more[i];
    }
}

/* Slopes by form i of helix j, at the end: by the form itself, its rate, and of_a. */
static void slopes_by(const course *c, int j, int i, ts_stage_slopes *out) {
    static const double NONE[M];
    const ts_helix_step *x = &c->a.pair[j];
    const double *edot_i = c->s->edot_i + M * j, *edot_f = c->s->edot_f + M * j;
    double unit[M] = {0};
    int at = M * j + i;
    column d = {.pair = j};
    unit[i] = 1;
    ts_helix_moves(x, &c->curves[j], edot_i, edot_f, unit, NONE, &d.x, &d.y);
    d.of_a = ts_helix_change_moves(x, &d.x, c->s->of_a + M * j);
    chain_moves(c, &d), store_column(c, &d, out->w_e + at, out->k_e + at);
    ts_helix_moves(x, &c->curves[j], edot_i, edot_f, NONE, unit, &d.x, &d.y);
    d.of_a = v6_zero();
    chain_moves(c, &d), store_column(c, &d, out->w_v + at, out->k_v + at);
    d = (column){.pair = j, .of_a = ts_helix_change(x, unit)};
    chain_moves(c, &d), store_column(c, &d, out->w_a + at, out->k_a + at);
}

void ts_beam_stage_slopes(const ts_law_step *step, const ts_stage_step *rates,
                          ts_stage_slopes *out) {
    course c;
    follow_course(step, rates, &c);
    for (int j = 0; j < c.a.p; j++)
        for (int i = 0; i < M; i++) slopes_by(&c, j, i, out);
}
