/* SPDX-License-Identifier: Apache-2.0 */
/* The elastic law of a beam element of p + 1 nodes, with p Gauss points.
 *
 *     V = sum over points of (eps - eps_drawn) . w C (eps - eps_drawn)/2 ,
 *     eps = (Gamma, kappa)
 *
 * The forms of each pair of neighbouring nodes determine the helix between them (helix.h), and the
 * helices determine the strains (chain.h).
 *
 * Over a step brackets are bilinear, so that means and differences obey the product rule, and
 * discrete Jacobians of the chain and of the helices multiply to one with J
 * (e_f - e_i) = eps_f - eps_i. The stress J^T w C (mean eps + damping d eps/h) satisfies (L).
 */
#include "laws/beam/beam_path.h"

#include <string.h>

#include "math/dense.h"

enum { POINTS = TS_BEAM_POINTS, S = TS_BEAM_STRAINS, M = TS_HELIX_FORMS, MOST = TS_CHAIN_MOST };

int ts_beam_stiffness_at(int points, int point) {
    return TS_BEAM_FIRST + TS_HELIX_DRAWN * points + TS_BEAM_STRIDE * point;
}

int ts_beam_numbers(int points) { return ts_beam_stiffness_at(points, points); }

/* Adds the bracket terms to the drawn strains. */
static void strains_from_drawn(const double *data, const double *e, v6 *strain) {
    int p = ts_beam_points(data);
    v6 W[POINTS] = {0}, base[MOST], x[MOST];
    for (int j = 0; j < p; j++)
        W[j] = ts_helix_at(ts_beam_helices(data) + TS_HELIX_DRAWN * j, e + M * j);
    ts_chain_draw(p, ts_beam_helices(data), base);
    ts_chain_forward(p, W, base, x);
    for (int g = 0; g < p; g++) strain[g] = ts_chain_strain(p, g, data[TS_BEAM_LENGTH], x);
}

static void elastic_strains(const double *data, const double *e, v6 *strain) {
    strains_from_drawn(data, e, strain);
    for (int g = 0; g < ts_beam_points(data); g++)
        strain[g] = v6_sub(strain[g], ts_beam_drawn(ts_beam_point(data, g)));
}

void ts_beam_strains(const double *data, const double *e, double *strain) {
    v6 all[POINTS];
    elastic_strains(data, e, all);
    for (int g = 0; g < ts_beam_points(data); g++) v6_store(strain + S * g, all[g]);
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
    if (ts_beam_points(data) == 1) { /* for speed: eps = W/L */
        const double *K = ts_beam_point(data, 0);
        strain[0] = v6_scale(1 / data[TS_BEAM_LENGTH], ts_helix_at(ts_beam_helices(data), e));
        return 0.5 * v6_dot(strain[0], ts_beam_times(K, strain[0]));
    }
    elastic_strains(data, e, strain);
    for (int g = 0; g < ts_beam_points(data); g++)
        V += 0.5 * v6_dot(strain[g], ts_beam_times(ts_beam_point(data, g), strain[g]));
    return V;
}

static void section(const double *data, const double *e, int point, double *strain, double *force) {
    v6 all[POINTS];
    elastic_strains(data, e, all);
    v6_store(strain, all[point]),
        v6_store(force, ts_beam_times(ts_beam_point(data, point), all[point]));
}

static bool section_stiffness(const double *data, int point, double *K) {
    if (point >= ts_beam_points(data)) return false;
    memcpy(K, ts_beam_point(data, point), S * S * sizeof *K);
    return true;
}

void ts_beam_follow(const ts_law_step *step, bool slopes, ts_beam_path *a) {
    v6 start[POINTS], end[POINTS];
    a->p = ts_beam_points(step->data), a->length = step->data[TS_BEAM_LENGTH];
    a->count = ts_chain_count(a->p);
    for (int j = 0; j < a->p; j++) {
        ts_helix_over(ts_beam_helices(step->data) + TS_HELIX_DRAWN * j, step->e_i + M * j,
                      step->e_f + M * j, slopes, &a->pair[j]);
        start[j] = a->pair[j].W_i, end[j] = a->pair[j].W_f;
    }
    ts_chain_draw(a->p, ts_beam_helices(step->data), a->base);
    ts_chain_forward(a->p, start, a->base, a->x_i), ts_chain_forward(a->p, end, a->base, a->x_f);
    for (int i = 0; i < a->count; i++) {
        a->end[i] = v6_add(a->base[i], a->x_f[i]);
        a->mean[i] = v6_axpy(0.5, v6_add(a->x_i[i], a->x_f[i]), a->base[i]);
    }
}

void ts_beam_forces(const ts_law_step *step, const ts_beam_path *a, v6 *f, v6 *on_W) {
    double rate = ts_beam_damping_rate(step);
    v6 at[MOST];
    for (int i = 0; i < a->count; i++) {
        f[i] = v6_zero();
        at[i] = v6_axpy(0.5 + rate, a->x_f[i], v6_scale(0.5 - rate, a->x_i[i]));
    }
    for (int g = 0; g < a->p; g++) {
        const double *K = ts_beam_point(step->data, g);
        v6 strain = v6_sub(ts_chain_strain(a->p, g, a->length, at), ts_beam_drawn(K));
        ts_chain_force(a->p, g, a->length, ts_beam_times(K, strain), f);
    }
    ts_chain_backward(a->p, a->mean, f, on_W);
}

/* An element of two nodes, written out for speed: eps = W/L. */
static void stress_of_pair(const ts_law_step *step, double *s) {
    const double *K = ts_beam_point(step->data, 0);
    double by_length = 1 / step->data[TS_BEAM_LENGTH], rate = ts_beam_damping_rate(step);
    ts_helix_step pair;
    ts_helix_over(ts_beam_helices(step->data), step->e_i, step->e_f, false, &pair);
    v6 strain =
        v6_axpy(by_length * (0.5 - rate), pair.W_i, v6_scale(by_length * (0.5 + rate), pair.W_f));
    ts_helix_pull(&pair, v6_scale(by_length, ts_beam_times(K, strain)), s);
}

static void stress(const ts_law_step *step, double *s) {
    if (ts_beam_points(step->data) == 1) {
        stress_of_pair(step, s);
        return;
    }
    ts_beam_path a;
    v6 f[MOST], on_W[POINTS];
    ts_beam_follow(step, false, &a);
    ts_beam_forces(step, &a, f, on_W);
    for (int j = 0; j < a.p; j++) ts_helix_pull(&a.pair[j], on_W[j], s + M * j);
}

/* Change of on_W when W_f changes by dW. */
static void change(const ts_law_step *step, const ts_beam_path *a, const v6 *f, const v6 *dW,
                   v6 *on_W) {
    v6 dx[MOST], df[MOST];
    ts_chain_forward_change(a->p, a->end, dW, dx);
    for (int i = 0; i < a->count; i++) df[i] = v6_zero();
    for (int g = 0; g < a->p; g++) {
        v6 force =
            ts_beam_times(ts_beam_point(step->data, g), ts_chain_strain(a->p, g, a->length, dx));
        ts_chain_force(a->p, g, a->length, v6_scale(0.5 + ts_beam_damping_rate(step), force), df);
    }
    for (int i = 0; i < a->count; i++) dx[i] = v6_scale(0.5, dx[i]); /* of the means */
    ts_chain_backward_change(a->p, a->mean, f, dx, df, on_W);
}

/* X = d(on_W)/dW_f, 6p x 6p, with the forces f on all x; column by column, so that consecutive
 * numbers belong to one change */
static void changes(const ts_law_step *step, const ts_beam_path *a, const v6 *f, double *X) {
    int n = S * a->p;
    if (a->p == 1) {
        double factor = (0.5 + ts_beam_damping_rate(step)) / (a->length * a->length);
        for (int i = 0; i < S * S; i++) X[i] = factor * ts_beam_point(step->data, 0)[i];
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

/* ds = J^T X J_f, column by column, and the change of J times its forces; for p pairs */
static void slopes(int p, const ts_helix_step *pair, const double *X, const v6 *on_W, double *ds) {
    int m = M * p, n = S * p;
    for (int k = 0; k < p; k++) {
        v6 end[M];
        ts_helix_jacobian_end(&pair[k], end);
        for (int j = 0; j < p; j++)
            for (int c = 0; c < M; c++) {
                double column[M], *to = ds + m * M * j + M * k + c;
                ts_helix_pull(&pair[j], ts_beam_rows_times(X + n * S * k + S * j, n, end[c]),
                              column);
                for (int i = 0; i < M; i++) to[m * i] = column[i];
            }
    }
    for (int j = 0; j < p; j++) ts_helix_add_second(&pair[j], on_W[j], m, ds + (m + 1) * M * j);
}

static void stored_and_dissipated(const ts_law_step *step, const ts_beam_path *a,
                                  ts_response *out) {
    out->stored = out->dissipated = out->work = 0;
    for (int g = 0; g < a->p; g++) {
        const double *K = ts_beam_point(step->data, g);
        v6 end = ts_chain_strain(a->p, g, a->length, a->x_f);
        v6 jump = v6_sub(end, ts_chain_strain(a->p, g, a->length, a->x_i));
        end = v6_sub(end, ts_beam_drawn(K));
        out->stored += 0.5 * v6_dot(end, ts_beam_times(K, end));
        out->dissipated += ts_beam_damping_rate(step) * v6_dot(jump, ts_beam_times(K, jump));
    }
}

static bool conserves(const double *data) { return data[TS_BEAM_DAMPING] == 0; }

static void account(const ts_law_step *step, double *dissipated, double *work) {
    ts_beam_path a;
    ts_response r;
    ts_beam_follow(step, false, &a);
    stored_and_dissipated(step, &a, &r);
    *dissipated = r.dissipated, *work = 0;
}

/* An element of two nodes, written out for speed. */
static void respond_of_pair(const ts_law_step *step, ts_response *out) {
    const double *K = ts_beam_point(step->data, 0);
    double by_length = 1 / step->data[TS_BEAM_LENGTH], rate = ts_beam_damping_rate(step), X[S * S];
    ts_helix_step pair;
    ts_helix_over(ts_beam_helices(step->data), step->e_i, step->e_f, true, &pair);
    for (int i = 0; i < S * S; i++) X[i] = by_length * by_length * K[i];
    v6 jump = v6_sub(pair.W_f, pair.W_i), on_W = ts_beam_times(X, pair.W_f),
       on_jump = ts_beam_times(X, jump);
    out->stored = 0.5 * v6_dot(pair.W_f, on_W), out->work = 0;
    out->dissipated = rate * v6_dot(jump, on_jump);
    on_W = v6_axpy(rate - 0.5, on_jump, on_W);
    ts_helix_pull(&pair, on_W, out->s);
    for (int i = 0; i < S * S; i++) X[i] *= 0.5 + rate;
    slopes(1, &pair, X, &on_W, out->ds);
}

static void respond(const ts_law_step *step, ts_response *out) {
    if (ts_beam_points(step->data) == 1) {
        respond_of_pair(step, out);
        return;
    }
    ts_beam_path a;
    v6 f[MOST], on_W[POINTS];
    double X[S * POINTS * S * POINTS];
    ts_beam_follow(step, true, &a);
    ts_beam_forces(step, &a, f, on_W);
    for (int j = 0; j < a.p; j++) ts_helix_pull(&a.pair[j], on_W[j], out->s + M * j);
    changes(step, &a, f, X);
    slopes(a.p, a.pair, X, on_W, out->ds);
    stored_and_dissipated(step, &a, out);
}

/* ---- statics: the tangent at a predicted stress ---- */

static void forces_on_moments(const ts_beam_path *a, const double *on_k, v6 *f, v6 *on_W) {
    for (int i = 0; i < a->count; i++) f[i] = v6_zero();
    for (int i = 0; i < a->p; i++) f[ts_chain_moment(a->p, i)] = v6_load(on_k + S * i);
    ts_chain_backward(a->p, a->mean, f, on_W);
}

/* Forces on k_i, and so on all x, that correspond to given forces on W_j: T on_k = on_W, by the
 * normal equations. */
static void forces_from_helices(const ts_beam_path *a, const v6 *on_W, v6 *f) {
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
    ts_beam_path a;
    v6 f[MOST], on_W[POINTS];
    double X[S * POINTS * S * POINTS];
    ts_beam_follow(step, true, &a);
    for (int j = 0; j < a.p; j++) on_W[j] = ts_helix_push(&a.pair[j], s + M * j);
    if (a.p > 1) forces_from_helices(&a, on_W, f);
    changes(step, &a, f, X);
    slopes(a.p, a.pair, X, on_W, out->ds);
}

/* ---- the stiffness of ED's stage: J^T w C J at one state ---- */

/* An element of two nodes, written out for speed. */
static void stiffness_of_pair(const double *data, const double *e, double *K) {
    double by_square = 1 / (data[TS_BEAM_LENGTH] * data[TS_BEAM_LENGTH]);
    ts_helix_step pair;
    v6 J[M];
    ts_helix_over(ts_beam_helices(data), e, e, false, &pair);
    ts_helix_jacobian(&pair, J);
    for (int j = 0; j < M; j++) {
        v6 y = v6_scale(by_square, ts_beam_times(ts_beam_point(data, 0), J[j]));
        for (int i = 0; i < 3 && i <= j; i++) K[M * i + j] = K[M * j + i] = v3_dot(J[i].v, y.v);
        for (int i = 3; i <= j; i++) K[M * i + j] = K[M * j + i] = v6_dot(J[i], y);
    }
}

/* Derivatives of the strains of all points by one of the forms. */
static void strains_by_form(const ts_beam_path *a, int form, v6 *strain) {
    v6 dW[POINTS] = {0}, dx[MOST], J[M];
    ts_helix_jacobian(&a->pair[form / M], J);
    dW[form / M] = J[form % M];
    ts_chain_forward_change(a->p, a->end, dW, dx);
    for (int g = 0; g < a->p; g++) strain[g] = ts_chain_strain(a->p, g, a->length, dx);
}

static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    (void)memory;
    if (ts_beam_points(data) == 1) {
        stiffness_of_pair(data, e, K);
        return;
    }
    ts_law_step step = {.m = m, .data = data, .e_i = e, .e_f = e};
    ts_beam_path a;
    v6 by[M * POINTS][POINTS], force[POINTS];
    ts_beam_follow(&step, false, &a);
    for (int j = 0; j < m; j++) {
        strains_by_form(&a, j, by[j]);
        for (int g = 0; g < a.p; g++) force[g] = ts_beam_times(ts_beam_point(data, g), by[j][g]);
        for (int i = 0; i <= j; i++) {
            double sum = 0;
            for (int g = 0; g < a.p; g++) sum += v6_dot(by[i][g], force[g]);
            K[m * i + j] = K[m * j + i] = sum;
        }
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
                            .stage = ts_beam_stage,
                            .stage_loss = ts_beam_stage_loss,
                            .stage_slopes = ts_beam_stage_slopes,
                            .section = section,
                            .strain_over = ts_beam_strain_over,
                            .section_stiffness = section_stiffness};
