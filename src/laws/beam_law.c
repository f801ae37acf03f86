/* The elastic law of a beam element of p + 1 nodes, with p Gauss points.
 *
 *     V = sum over points of (eps - eps_drawn) . w C (eps - eps_drawn)/2 ,
 *     eps = (Gamma, kappa)
 *
 * The forms of each pair of neighbouring nodes say the helix between them (helix.h), and the
 * helices say the strains (chain.h).
 *
 * Over a step brackets are bilinear, so that means and differences obey the product rule, and
 * discrete Jacobians of the chain and of the helices multiply to one with J
 * (e_f - e_i) = eps_f - eps_i. The stress J^T w C (mean eps + damping d eps/h) satisfies (L).
 */
#include "laws/beam_law.h"

#include <string.h>

#include "laws/chain.h"
#include "math/dense.h"

enum { POINTS = TS_BEAM_POINTS, S = TS_BEAM_STRAINS, M = TS_HELIX_FORMS, MOST = TS_CHAIN_MOST };

int ts_beam_stiffness_at(int points, int point) {
    return TS_BEAM_FIRST + TS_HELIX_DRAWN * points + TS_BEAM_STRIDE * point;
}

int ts_beam_numbers(int points) { return ts_beam_stiffness_at(points, points); }

static int points_of(const double *data) { return (int)data[TS_BEAM_COUNT]; }
static const double *helix_data(const double *data) { return data + TS_BEAM_FIRST; }
static const double *point_data(const double *data, int g) {
    return data + ts_beam_stiffness_at(points_of(data), g);
}
static v6 drawn(const double *point) { return v6_load(point + TS_BEAM_DRAWN); }
static double damping_rate(const ts_law_step *step) {
    return step->data[TS_BEAM_DAMPING] * ts_step_rate(step);
}

/* Sum of x_j times row j of K, rows being `width` apart: K x of a symmetric K, two numbers at once.
 * Residuals spend their time here. */
static inline v6 rows_times(const double *K, int width, v6 x) {
    const double *L = K + 3 * width;
    double y[S];
    for (int i = 0; i < S; i++)
        y[i] = K[i] * x.v.x + K[width + i] * x.v.y + K[2 * width + i] * x.v.z + L[i] * x.w.x +
               L[width + i] * x.w.y + L[2 * width + i] * x.w.z;
    return v6_load(y);
}
static v6 times(const double *K, v6 x) { return rows_times(K, S, x); }

/* With what brackets make of the drawn strains. */
static void strains_from_drawn(const double *data, const double *e, v6 *strain) {
    int p = points_of(data);
    v6 W[POINTS] = {0}, base[MOST], x[MOST];
    for (int j = 0; j < p; j++)
        W[j] = ts_helix_at(helix_data(data) + TS_HELIX_DRAWN * j, e + M * j);
    ts_chain_draw(p, helix_data(data), base);
    ts_chain_forward(p, W, base, x);
    for (int g = 0; g < p; g++) strain[g] = ts_chain_strain(p, g, data[TS_BEAM_LENGTH], x);
}

static void elastic_strains(const double *data, const double *e, v6 *strain) {
    strains_from_drawn(data, e, strain);
    for (int g = 0; g < points_of(data); g++)
        strain[g] = v6_sub(strain[g], drawn(point_data(data, g)));
}

void ts_beam_strains(const double *data, const double *e, double *strain) {
    v6 all[POINTS];
    elastic_strains(data, e, all);
    for (int g = 0; g < points_of(data); g++) v6_store(strain + S * g, all[g]);
}

void ts_beam_draw(int p, double length, double damping, double *e, double *data) {
    v6 strain[POINTS];
    data[TS_BEAM_DAMPING] = damping, data[TS_BEAM_COUNT] = p, data[TS_BEAM_LENGTH] = length;
    for (int j = 0; j < p; j++) {
        double e_drawn[M];
        memcpy(e_drawn, e + M * j, sizeof e_drawn);
        ts_helix_draw(e_drawn, data + TS_BEAM_FIRST + TS_HELIX_DRAWN * j);
        for (int k = 0; k < M; k++) e[M * j + k] = k < 3 ? 0 : e_drawn[k];
    }
    strains_from_drawn(data, e, strain);
    for (int g = 0; g < p; g++)
        v6_store(data + ts_beam_stiffness_at(p, g) + TS_BEAM_DRAWN, strain[g]);
    for (int j = 0; j < p; j++) {
        v3_store(e + M * j, v3_load(data + TS_BEAM_FIRST + TS_HELIX_DRAWN * j));
        for (int k = 3; k < M; k++) e[M * j + k] = 0;
    }
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    (void)memory, (void)m;
    v6 strain[POINTS];
    double V = 0;
    if (points_of(data) == 1) { /* for speed: eps = W/L */
        const double *K = point_data(data, 0);
        strain[0] = v6_scale(1 / data[TS_BEAM_LENGTH], ts_helix_at(helix_data(data), e));
        return 0.5 * v6_dot(strain[0], times(K, strain[0]));
    }
    elastic_strains(data, e, strain);
    for (int g = 0; g < points_of(data); g++)
        V += 0.5 * v6_dot(strain[g], times(point_data(data, g), strain[g]));
    return V;
}

static void section(const double *data, const double *e, int point, double *strain, double *force) {
    v6 all[POINTS];
    elastic_strains(data, e, all);
    v6_store(strain, all[point]), v6_store(force, times(point_data(data, point), all[point]));
}

static bool section_stiffness(const double *data, int point, double *K) {
    if (point >= points_of(data)) return false;
    memcpy(K, point_data(data, point), S * S * sizeof *K);
    return true;
}

/* An element over a step. */
typedef struct path {
    int p, count; /* of points, of x */
    double length;
    ts_helix_step pair[POINTS];
    v6 base[MOST], x_i[MOST], x_f[MOST]; /* the latter counted from the first */
    v6 end[MOST], mean[MOST];            /* in full */
} path;

static void follow(const ts_law_step *step, bool slopes, path *a) {
    v6 start[POINTS], end[POINTS];
    a->p = points_of(step->data), a->length = step->data[TS_BEAM_LENGTH];
    a->count = ts_chain_count(a->p);
    for (int j = 0; j < a->p; j++) {
        ts_helix_over(helix_data(step->data) + TS_HELIX_DRAWN * j, step->e_i + M * j,
                      step->e_f + M * j, slopes, &a->pair[j]);
        start[j] = a->pair[j].W_i, end[j] = a->pair[j].W_f;
    }
    ts_chain_draw(a->p, helix_data(step->data), a->base);
    ts_chain_forward(a->p, start, a->base, a->x_i), ts_chain_forward(a->p, end, a->base, a->x_f);
    for (int i = 0; i < a->count; i++) {
        a->end[i] = v6_add(a->base[i], a->x_f[i]);
        a->mean[i] = v6_axpy(0.5, v6_add(a->x_i[i], a->x_f[i]), a->base[i]);
    }
}

/* Forces on all x and on W_j for the mean strains, dampers included. */
static void forces(const ts_law_step *step, const path *a, v6 *f, v6 *on_W) {
    double rate = damping_rate(step);
    v6 at[MOST];
    for (int i = 0; i < a->count; i++) {
        f[i] = v6_zero();
        at[i] = v6_axpy(0.5 + rate, a->x_f[i], v6_scale(0.5 - rate, a->x_i[i]));
    }
    for (int g = 0; g < a->p; g++) {
        const double *K = point_data(step->data, g);
        v6 strain = v6_sub(ts_chain_strain(a->p, g, a->length, at), drawn(K));
        ts_chain_force(a->p, g, a->length, times(K, strain), f);
    }
    ts_chain_backward(a->p, a->mean, f, on_W);
}

/* Two nodes by themselves, for speed: eps = W/L. */
static void stress_of_pair(const ts_law_step *step, double *s) {
    const double *K = point_data(step->data, 0);
    double by_length = 1 / step->data[TS_BEAM_LENGTH], rate = damping_rate(step);
    ts_helix_step pair;
    ts_helix_over(helix_data(step->data), step->e_i, step->e_f, false, &pair);
    v6 strain =
        v6_axpy(by_length * (0.5 - rate), pair.W_i, v6_scale(by_length * (0.5 + rate), pair.W_f));
    ts_helix_pull(&pair, v6_scale(by_length, times(K, strain)), s);
}

static void stress(const ts_law_step *step, double *s) {
    if (points_of(step->data) == 1) {
        stress_of_pair(step, s);
        return;
    }
    path a;
    v6 f[MOST], on_W[POINTS];
    follow(step, false, &a);
    forces(step, &a, f, on_W);
    for (int j = 0; j < a.p; j++) ts_helix_pull(&a.pair[j], on_W[j], s + M * j);
}

/* How on_W changes with W_f by dW. */
static void change(const ts_law_step *step, const path *a, const v6 *f, const v6 *dW, v6 *on_W) {
    v6 dx[MOST], df[MOST];
    ts_chain_forward_change(a->p, a->end, dW, dx);
    for (int i = 0; i < a->count; i++) df[i] = v6_zero();
    for (int g = 0; g < a->p; g++) {
        v6 force = times(point_data(step->data, g), ts_chain_strain(a->p, g, a->length, dx));
        ts_chain_force(a->p, g, a->length, v6_scale(0.5 + damping_rate(step), force), df);
    }
    for (int i = 0; i < a->count; i++) dx[i] = v6_scale(0.5, dx[i]); /* of the means */
    ts_chain_backward_change(a->p, a->mean, f, dx, df, on_W);
}

/* X = d(on_W)/dW_f, 6p x 6p, the forces on all x being f; column by column, so that what stands
 * behind each other belongs to one change */
static void changes(const ts_law_step *step, const path *a, const v6 *f, double *X) {
    int n = S * a->p;
    if (a->p == 1) {
        double factor = (0.5 + damping_rate(step)) / (a->length * a->length);
        for (int i = 0; i < S * S; i++) X[i] = factor * point_data(step->data, 0)[i];
        return;
    }
    for (int c = 0; c < n; c++, X += n) {
        double unit[S * POINTS] = {0};
        v6 dW[POINTS], on_W[POINTS];
        unit[c] = 1;
        for (int j = 0; j < a->p; j++) dW[j] = v6_load(unit + S * j);
        change(step, a, f, dW, on_W);
        for (int j = 0; j < a->p; j++) v6_store(X + S * j, on_W[j]);
    }
}

/* ds = J^T X J_f, column by column, and how J changes under its forces; of p pairs */
static void slopes(int p, const ts_helix_step *pair, const double *X, const v6 *on_W, double *ds) {
    int m = M * p, n = S * p;
    for (int k = 0; k < p; k++) {
        v6 end[M];
        ts_helix_jacobian_end(&pair[k], end);
        for (int j = 0; j < p; j++)
            for (int c = 0; c < M; c++) {
                double column[M], *to = ds + m * M * j + M * k + c;
                ts_helix_pull(&pair[j], rows_times(X + n * S * k + S * j, n, end[c]), column);
                for (int i = 0; i < M; i++) to[m * i] = column[i];
            }
    }
    for (int j = 0; j < p; j++) ts_helix_add_second(&pair[j], on_W[j], m, ds + (m + 1) * M * j);
}

static void stored_and_dissipated(const ts_law_step *step, const path *a, ts_response *out) {
    out->stored = out->dissipated = out->work = 0;
    for (int g = 0; g < a->p; g++) {
        const double *K = point_data(step->data, g);
        v6 end = ts_chain_strain(a->p, g, a->length, a->x_f);
        v6 jump = v6_sub(end, ts_chain_strain(a->p, g, a->length, a->x_i));
        end = v6_sub(end, drawn(K));
        out->stored += 0.5 * v6_dot(end, times(K, end));
        out->dissipated += damping_rate(step) * v6_dot(jump, times(K, jump));
    }
}

static bool conserves(const double *data) { return data[TS_BEAM_DAMPING] == 0; }

static void account(const ts_law_step *step, double *dissipated, double *work) {
    path a;
    ts_response r;
    follow(step, false, &a);
    stored_and_dissipated(step, &a, &r);
    *dissipated = r.dissipated, *work = 0;
}

/* Two nodes by themselves, for speed. */
static void respond_of_pair(const ts_law_step *step, ts_response *out) {
    const double *K = point_data(step->data, 0);
    double by_length = 1 / step->data[TS_BEAM_LENGTH], rate = damping_rate(step), X[S * S];
    ts_helix_step pair;
    ts_helix_over(helix_data(step->data), step->e_i, step->e_f, true, &pair);
    for (int i = 0; i < S * S; i++) X[i] = by_length * by_length * K[i];
    v6 jump = v6_sub(pair.W_f, pair.W_i), on_W = times(X, pair.W_f), on_jump = times(X, jump);
    out->stored = 0.5 * v6_dot(pair.W_f, on_W), out->work = 0;
    out->dissipated = rate * v6_dot(jump, on_jump);
    on_W = v6_axpy(rate - 0.5, on_jump, on_W);
    ts_helix_pull(&pair, on_W, out->s);
    for (int i = 0; i < S * S; i++) X[i] *= 0.5 + rate;
    slopes(1, &pair, X, &on_W, out->ds);
}

static void respond(const ts_law_step *step, ts_response *out) {
    if (points_of(step->data) == 1) {
        respond_of_pair(step, out);
        return;
    }
    path a;
    v6 f[MOST], on_W[POINTS];
    double X[S * POINTS * S * POINTS];
    follow(step, true, &a);
    forces(step, &a, f, on_W);
    for (int j = 0; j < a.p; j++) ts_helix_pull(&a.pair[j], on_W[j], out->s + M * j);
    changes(step, &a, f, X);
    slopes(a.p, a.pair, X, on_W, out->ds);
    stored_and_dissipated(step, &a, out);
}

/* ---- statics: the tangent at a stress that was meant ---- */

static void forces_on_moments(const path *a, const double *on_k, v6 *f, v6 *on_W) {
    for (int i = 0; i < a->count; i++) f[i] = v6_zero();
    for (int i = 0; i < a->p; i++) f[ts_chain_moment(a->p, i)] = v6_load(on_k + S * i);
    ts_chain_backward(a->p, a->mean, f, on_W);
}

/* Forces on k_i, and so on all x, that are the given ones on W_j: T on_k = on_W, by its normal
 * equations. */
static void forces_from_helices(const path *a, const v6 *on_W, v6 *f) {
    int n = S * a->p;
    double T[S * POINTS][S * POINTS], normal[S * POINTS * S * POINTS], right[S * POINTS];
    v6 column[POINTS];
    for (int c = 0; c < n; c++) {
        double unit[S * POINTS] = {0};
        unit[c] = 1;
        forces_on_moments(a, unit, f, column);
        for (int j = 0; j < a->p; j++) v6_store(T[c] + S * j, column[j]); /* T, transposed */
    }
    for (int i = 0; i < n; i++) {
        right[i] = 0;
        for (int j = 0; j < a->p; j++) right[i] += v6_dot(v6_load(T[i] + S * j), on_W[j]);
        for (int k = 0; k < n; k++) {
            normal[n * i + k] = 0;
            for (int r = 0; r < n; r++) normal[n * i + k] += T[i][r] * T[k][r];
        }
    }
    ts_dense_solve_definite(n, normal, 1, right);
    forces_on_moments(a, right, f, column);
}

static void meant(const ts_law_step *step, const double *s, ts_response *out) {
    path a;
    v6 f[MOST], on_W[POINTS];
    double X[S * POINTS * S * POINTS];
    follow(step, true, &a);
    for (int j = 0; j < a.p; j++) on_W[j] = ts_helix_push(&a.pair[j], s + M * j);
    if (a.p > 1) forces_from_helices(&a, on_W, f);
    changes(step, &a, f, X);
    slopes(a.p, a.pair, X, on_W, out->ds);
}

/* ---- the stiffness of ED's stage: J^T w C J at one state ---- */

/* Two nodes by themselves, for speed. */
static void stiffness_of_pair(const double *data, const double *e, double *K) {
    double by_square = 1 / (data[TS_BEAM_LENGTH] * data[TS_BEAM_LENGTH]);
    ts_helix_step pair;
    v6 J[M];
    ts_helix_over(helix_data(data), e, e, false, &pair);
    ts_helix_jacobian(&pair, J);
    for (int j = 0; j < M; j++) {
        v6 y = v6_scale(by_square, times(point_data(data, 0), J[j]));
        for (int i = 0; i < 3 && i <= j; i++) K[M * i + j] = K[M * j + i] = v3_dot(J[i].v, y.v);
        for (int i = 3; i <= j; i++) K[M * i + j] = K[M * j + i] = v6_dot(J[i], y);
    }
}

/* How the strains of all points change with one of the forms. */
static void strains_by_form(const path *a, int form, v6 *strain) {
    v6 dW[POINTS] = {0}, dx[MOST], J[M];
    ts_helix_jacobian(&a->pair[form / M], J);
    dW[form / M] = J[form % M];
    ts_chain_forward_change(a->p, a->end, dW, dx);
    for (int g = 0; g < a->p; g++) strain[g] = ts_chain_strain(a->p, g, a->length, dx);
}

static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    (void)memory;
    if (points_of(data) == 1) {
        stiffness_of_pair(data, e, K);
        return;
    }
    ts_law_step step = {.m = m, .data = data, .e_i = e, .e_f = e};
    path a;
    v6 by[M * POINTS][POINTS], force[POINTS];
    follow(&step, false, &a);
    for (int j = 0; j < m; j++) {
        strains_by_form(&a, j, by[j]);
        for (int g = 0; g < a.p; g++) force[g] = times(point_data(data, g), by[j][g]);
        for (int i = 0; i <= j; i++) {
            double sum = 0;
            for (int g = 0; g < a.p; g++) sum += v6_dot(by[i][g], force[g]);
            K[m * i + j] = K[m * j + i] = sum;
        }
    }
}

/* ---- the stage of ED, in strains ----
 *
 * With J the discrete Jacobian of the strains and Z of their rates (helix.h; brackets are bilinear,
 * so that Z of the chain is how J changes with the mean rates),
 *
 *     b = (h/6) [alpha J of_a - (epsdot_f - epsdot_i)] ,
 *     sigma = w C (alpha b - (eps_f - eps_i))
 *     w = J^T w C b/2 - (h/12) Z^T sigma ,                   k = J^T sigma ,
 *     loss = b . w C b
 *
 * satisfy (S): k.b of the forms is sigma . J b = sigma . [b + (h/6) Z (e_f - e_i)]. Were b taken in
 * forms, with J at one state, it would miss the change of J over the step, times EA: axial forces
 * and losses that no beam has. */

typedef struct chain_rates {
    ts_helix_rates helix[POINTS];
    v6 jump[MOST], mean[MOST]; /* of the rates of x: change over the step, mean */
    v6 of_a[MOST];             /* J of_a */
} chain_rates;

static void follow_rates(const ts_law_step *step, const ts_stage_step *s, const path *a,
                         chain_rates *y) {
    v6 W_i[POINTS] = {0}, W_f[POINTS] = {0}, W_a[POINTS] = {0}, x_i[MOST], start[MOST], end[MOST];
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
static double stage_forces(const ts_law_step *step, const ts_stage_step *s, const path *a,
                           const chain_rates *y, v6 *half, v6 *sigma) {
    double loss = 0;
    v6 b[MOST], jump[MOST];
    for (int i = 0; i < a->count; i++) {
        half[i] = sigma[i] = v6_zero();
        b[i] = jump_of(s, y, i);
        jump[i] = v6_sub(v6_scale(s->alpha, b[i]), v6_sub(a->x_f[i], a->x_i[i]));
    }
    for (int g = 0; g < a->p; g++) {
        const double *K = point_data(step->data, g);
        v6 own = ts_chain_strain(a->p, g, a->length, b), force = times(K, own);
        loss += v6_dot(own, force);
        ts_chain_force(a->p, g, a->length, v6_scale(0.5, force), half);
        ts_chain_force(a->p, g, a->length, times(K, ts_chain_strain(a->p, g, a->length, jump)),
                       sigma);
    }
    return loss;
}

/* b of two nodes by themselves, times L. */
static v6 jump_of_pair(const ts_law_step *step, const ts_stage_step *t, ts_helix_step *x,
                       ts_helix_rates *y) {
    ts_helix_over(helix_data(step->data), step->e_i, step->e_f, true, x);
    ts_helix_rates_over(x, step->e_i, t->edot_i, t->edot_f, y);
    v6 b = v6_axpy(t->alpha, ts_helix_change(x, t->of_a), v6_sub(y->W_i, y->W_f));
    return v6_scale(t->h / 6, b);
}

/* Two nodes by themselves, for speed: eps = W/L, and nothing turns but the helix. */
static void stage_of_pair(const ts_law_step *step, const ts_stage_step *t, ts_stage *out) {
    const double *K = point_data(step->data, 0);
    double by_length = 1 / step->data[TS_BEAM_LENGTH], square = by_length * by_length,
           rate = damping_rate(step), by_rates[M];
    ts_helix_step x;
    ts_helix_rates y;
    v6 b = jump_of_pair(step, t, &x, &y);
    v6 mean = v6_axpy(0.5 - rate, x.W_i, v6_scale(0.5 + rate, x.W_f));
    v6 Kb = v6_scale(square, times(K, b));
    v6 sigma = times(K, v6_axpy(t->alpha, b, v6_sub(x.W_i, x.W_f)));
    sigma = v6_scale(square, sigma);
    ts_helix_pull(&x, v6_scale(square, times(K, mean)), out->s);
    ts_helix_pull(&x, v6_scale(0.5, Kb), out->w);
    ts_helix_pull(&x, sigma, out->k);
    ts_helix_pull_rates(&x, &y, sigma, by_rates);
    for (int k = 0; k < M; k++) out->w[k] -= t->h / 12 * by_rates[k];
    out->loss = v6_dot(b, Kb);
}

static void stage(const ts_law_step *step, const ts_stage_step *s, ts_stage *out) {
    if (points_of(step->data) == 1) {
        stage_of_pair(step, s, out);
        return;
    }
    path a;
    chain_rates y;
    v6 half[MOST], sigma[MOST], turned[MOST];
    v6 on_mean[POINTS], on_half[POINTS], on_sigma[POINTS], on_turned[POINTS];
    follow(step, true, &a);
    forces(step, &a, turned, on_mean);
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

static double stage_loss(const ts_law_step *step, const ts_stage_step *s) {
    const double *data = step->data;
    if (points_of(data) == 1) {
        ts_helix_step x;
        ts_helix_rates y;
        v6 b = v6_scale(1 / data[TS_BEAM_LENGTH], jump_of_pair(step, s, &x, &y));
        return v6_dot(b, times(point_data(data, 0), b));
    }
    path a;
    chain_rates y;
    v6 b[MOST] = {0};
    double loss = 0;
    follow(step, true, &a);
    follow_rates(step, s, &a, &y);
    for (int i = 0; i < a.count; i++) b[i] = jump_of(s, &y, i);
    for (int g = 0; g < a.p; g++) {
        v6 own = ts_chain_strain(a.p, g, a.length, b);
        loss += v6_dot(own, times(point_data(data, g), own));
    }
    return loss;
}

/* Strains of a point at the end of a step, and half of their jump. */
static void strain_over(const ts_law_step *step, const ts_stage_step *rates, int point, double *end,
                        double *half) {
    path a;
    chain_rates y;
    v6 b[MOST] = {0};
    follow(step, true, &a);
    follow_rates(step, rates, &a, &y);
    for (int i = 0; i < a.count; i++) b[i] = jump_of(rates, &y, i);
    v6 strain = ts_chain_strain(a.p, point, a.length, a.x_f);
    v6_store(end, v6_sub(strain, drawn(point_data(step->data, point))));
    v6_store(half, v6_scale(0.5, ts_chain_strain(a.p, point, a.length, b)));
}

/* Derivatives by differences: of fourth order in e_f; exact in edot_f, in which w and k are of
 * second degree, and in of_a, in which they are of the first. ED's exact tangent needs them, which
 * is seldom asked for. */
static void difference(int m, int column, double factor, const ts_stage *up, const ts_stage *down,
                       double *w, double *k) {
    for (int j = 0; j < m; j++) {
        w[m * j + column] += factor * (up->w[j] - down->w[j]);
        k[m * j + column] += factor * (up->k[j] - down->k[j]);
    }
}

static void slope_along(const ts_law_step *step, const ts_stage_step *s, double *x, double d,
                        int column, bool fourth, double *w, double *k) {
    ts_stage up, down;
    double at = *x;
    for (int i = 0; i < (fourth ? 2 : 1); i++) {
        double by = (i + 1) * d, weight = !fourth ? 1 : i ? -1.0 / 3 : 4.0 / 3;
        *x = at + by, stage(step, s, &up);
        *x = at - by, stage(step, s, &down);
        difference(step->m, column, weight / (2 * by), &up, &down, w, k);
    }
    *x = at;
}

static void clear_slopes(int m, ts_stage_slopes *out) {
    double *of[] = {out->w_e, out->w_v, out->w_a, out->k_e, out->k_v, out->k_a};
    for (int i = 0; i < 6; i++) memset(of[i], 0, (size_t)(m * m) * sizeof *of[i]);
}

/* Along one of of_a; `here` is the stage at the place itself. */
static void slope_along_jump(const ts_law_step *step, const ts_stage_step *s, double *x,
                             const ts_stage *here, int column, ts_stage_slopes *out) {
    ts_stage up;
    double at = *x, by = fmax(1, fabs(at));
    *x = at + by, stage(step, s, &up);
    difference(step->m, column, 1 / by, &up, here, out->w_a, out->k_a);
    *x = at;
}

static void stage_slopes(const ts_law_step *given, const ts_stage_step *rates,
                         ts_stage_slopes *out) {
    static const double SMALL = 1e-3;
    int m = given->m;
    double e[M * POINTS], v[M * POINTS], of_a[M * POINTS];
    ts_law_step step = *given;
    ts_stage_step s = *rates;
    ts_stage here;
    size_t size = (size_t)m * sizeof *e;
    memcpy(e, given->e_f, size), memcpy(v, rates->edot_f, size), memcpy(of_a, rates->of_a, size);
    step.e_f = e, s.edot_f = v, s.of_a = of_a;
    clear_slopes(m, out);
    stage(given, rates, &here);
    for (int c = 0; c < m; c++) {
        double scale =
            SMALL * (c % M < 3 ? given->data[TS_BEAM_LENGTH] / points_of(given->data) : 1);
        slope_along(&step, &s, e + c, scale, c, true, out->w_e, out->k_e);
        slope_along(&step, &s, v + c, fmax(1, fabs(v[c])), c, false, out->w_v, out->k_v);
        slope_along_jump(&step, &s, of_a + c, &here, c, out);
    }
}

const ts_law TS_BEAM_LAW = {.name = "beam",
                            .energy = energy,
                            .respond = respond,
                            .stress = stress,
                            .account = account,
                            .conserves = conserves,
                            .meant = meant,
                            .stiffness = stiffness,
                            .stage = stage,
                            .stage_loss = stage_loss,
                            .stage_slopes = stage_slopes,
                            .section = section,
                            .strain_over = strain_over,
                            .section_stiffness = section_stiffness};
