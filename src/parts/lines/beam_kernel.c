/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of a beam in closed form: the kernel of its sites, see model/kernel.h and laws/helix.h.
 *
 * Of a link from node A to node B, z = (x, d_1, d_2, d_3, x', d_1', d_2', d_3') are the means of
 * all vectors of both nodes and the differences x_B - x_A and d_k^B - d_k^A. No form is of the mean
 * place x; it stands there so that means, differences and their forces are made by one loop over
 * the twelve numbers of a node. Of two states z and u the bilinear forms are, with (k, i, j)
 * cyclic,
 *
 *     g_k:  d_k(z) . x'(u) + d_k(u) . x'(z)
 *     a_k:  [ d_j(z) . d_i'(u) + d_j(u) . d_i'(z) - d_i(z) . d_j'(u) - d_i(u) . d_j'(z) ]/2
 *     u:    sum d_k'(z) . d_k'(u)/2 .
 *
 * Weights n, m, s of them make the force by z
 *
 *     x': sum n_k d_k ,   d_k: n_k x' + (m_i d_j' - m_j d_i')/2 ,   d_k': (m_j d_i - m_i d_j)/2 + s
 *                         d_k'/2 ,
 *
 * and Hessians, constant: with N = 1/2 and N' = -1, 1 of the nodes a and b, N'_a N_b n_k (place and
 * director k), (N'_a N_b - N_a N'_b)/2 eps_klp m_p (directors k and l), N'_a N'_b s/2 (director k
 * and itself).
 */
#include "parts/parts.h"

enum { WIDTH = 12, SIZE = TS_LINK_SIZE, FORMS = TS_LINK_FORMS }; /* the first: numbers of a node */
enum { DIRECTORS = 3, SLOPE = WIDTH, CURVES = WIDTH + 3, TURNS = TS_LINK_TURNS };

static v3 director(const double *z, int k) { return v3_load(z + DIRECTORS + 3 * k); }
static v3 slope(const double *z) { return v3_load(z + SLOPE); }
static v3 curve(const double *z, int k) { return v3_load(z + CURVES + 3 * k); } /* d_k' */

static int next(int k) { return k < 2 ? k + 1 : 0; }

static const ts_node *node_of(const ts_model *model, const ts_site *site, int a) {
    return &model->nodes[model->site_nodes[site->node + a]];
}

static void gather(const ts_model *model, const ts_site *site, const double *ambient,
                   double *restrict z) {
    const double *a = ambient + 3 * node_of(model, site, 0)->slot;
    for (int l = 0; l < ts_links(site); l++, z += SIZE) {
        const double *b = ambient + 3 * node_of(model, site, l + 1)->slot;
        for (int i = 0; i < WIDTH; i++) z[i] = 0.5 * (a[i] + b[i]), z[WIDTH + i] = b[i] - a[i];
        a = b;
    }
}

/* Forces on means and differences as those on the node at the end N' = sign. */
static inline void part(const ts_node *node, double sign, const double *restrict f,
                        double *restrict F) {
    if (ts_node_sums(node))
        for (int i = 0; i < WIDTH; i++) F[i] += 0.5 * f[i] + sign * f[WIDTH + i];
}

static void scatter(const ts_model *model, const ts_site *site, const double *f, double *ambient) {
    for (int l = 0; l < ts_links(site); l++, f += SIZE) {
        const ts_node *a = node_of(model, site, l), *b = node_of(model, site, l + 1);
        part(a, -1, f, ambient + 3 * a->slot), part(b, 1, f, ambient + 3 * b->slot);
    }
}

static inline void value(const double *z, int k, int i, int j, double *restrict e) {
    e[k] = v3_dot(director(z, k), slope(z));
    e[3 + k] = 0.5 * (v3_dot(director(z, j), curve(z, i)) - v3_dot(director(z, i), curve(z, j)));
}

static inline double turn(const double *z, const double *u) {
    return v3_dot(curve(z, 0), curve(u, 0)) + v3_dot(curve(z, 1), curve(u, 1)) +
           v3_dot(curve(z, 2), curve(u, 2));
}

static void values(int links, const double *z, double *restrict e) {
    for (int l = 0; l < links; l++, z += SIZE, e += FORMS) {
        value(z, 0, 1, 2, e), value(z, 1, 2, 0, e), value(z, 2, 0, 1, e);
        e[6] = 0.25 * turn(z, z);
    }
}

static inline void rate(const double *z, const double *u, int k, int i, int j,
                        double *restrict out) {
    double up = v3_dot(director(z, j), curve(u, i)) + v3_dot(director(u, j), curve(z, i));
    double down = v3_dot(director(z, i), curve(u, j)) + v3_dot(director(u, i), curve(z, j));
    out[k] = v3_dot(director(z, k), slope(u)) + v3_dot(director(u, k), slope(z));
    out[3 + k] = 0.5 * (up - down);
}

static void rates(int links, const double *z, const double *u, double *restrict out) {
    for (int l = 0; l < links; l++, z += SIZE, u += SIZE, out += FORMS) {
        rate(z, u, 0, 1, 2, out), rate(z, u, 1, 2, 0, out), rate(z, u, 2, 0, 1, out);
        out[6] = 0.5 * turn(z, u);
    }
}

/* s a - t b */
static v3 difference(double s, v3 a, double t, v3 b) { return v3_axpy(-t, b, v3_scale(s, a)); }

static inline void director_force(const double *z, const double *n, int k, int i, int j,
                                  double *restrict f) {
    double mi = 0.5 * n[3 + i], mj = 0.5 * n[3 + j];
    v3 d = v3_axpy(n[k], slope(z), difference(mi, curve(z, j), mj, curve(z, i)));
    v3 bent = difference(mj, director(z, i), mi, director(z, j));
    v3_store(f + DIRECTORS + 3 * k, d);
    v3_store(f + CURVES + 3 * k, v3_axpy(0.5 * n[6], curve(z, k), bent));
}

static void force(int links, const double *z, const double *n, double *restrict f) {
    for (int l = 0; l < links; l++, z += SIZE, n += FORMS, f += SIZE) {
        v3 x = v3_axpy(n[1], director(z, 1), v3_scale(n[2], director(z, 2)));
        v3_store(f, v3_make(0, 0, 0)), v3_store(f + SLOPE, v3_axpy(n[0], director(z, 0), x));
        director_force(z, n, 0, 1, 2, f), director_force(z, n, 1, 2, 0, f);
        director_force(z, n, 2, 0, 1, f);
    }
}

/* How a force f on director k of a node, the first or second of a link, acts on its turns. */
static inline v3 on_turns(const ts_motion *motion, int node, int k, v3 f) {
    if (motion->D) return v3_cross(motion->D[node].c[k], f);
    return m3_tapply(motion->X[4 * node + 1 + k], f);
}

/* Turns of the node with N' = sign; y_k = (N d_k' - N' d_k)/2. */
static void project_turns(const double *z, const ts_motion *motion, int node, ts_link_rows *b) {
    double sign = node ? 1 : -1;
    int at = TURNS + 3 * node;
    v3 y[3], u = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        y[k] = difference(0.25, curve(z, k), 0.5 * sign, director(z, k));
        u = v3_axpy(0.5 * sign, on_turns(motion, node, k, curve(z, k)), u);
    }
    for (int k = 0; k < 3; k++) {
        int i = next(k), j = next(i);
        v3 up = on_turns(motion, node, j, y[i]), down = on_turns(motion, node, i, y[j]);
        v3_store(b->of[k] + at, v3_scale(0.5, on_turns(motion, node, k, slope(z))));
        v3_store(b->of[3 + k] + at, v3_sub(up, down));
    }
    v3_store(b->of[6] + at, u);
}

static void project(int links, const double *z, ts_motion motion, ts_link_rows *b) {
    for (int l = 0; l < links; l++, z += SIZE, b++) {
        ts_motion own = ts_motion_from(motion, l);
        for (int k = 0; k < FORMS; k++)
            for (int i = 0; i < TURNS; i++) b->of[k][i] = 0;
        for (int k = 0; k < 3 && !motion.still; k++) v3_store(b->of[k], director(z, k));
        project_turns(z, &own, 0, b), project_turns(z, &own, 1, b);
    }
}

/* sum of n_k X_k/2 of a node */
static m3 weighted(const double *n, const ts_motion *motion, int node) {
    v3 half = v3_make(0.5 * n[0], 0.5 * n[1], 0.5 * n[2]);
    if (motion->D) return m3_skew(v3_scale(-1, m3_apply(motion->D[node], half)));
    const m3 *X = motion->X + 4 * node + 1;
    return m3_axpy(half.x, X[0], m3_axpy(half.y, X[1], m3_scale(half.z, X[2])));
}

static void add(ts_link_block *block, int row, int column, m3 A) {
    for (int j = 0; j < 3; j++) {
        block->of[row][column + j] += A.c[j].x;
        block->of[row + 1][column + j] += A.c[j].y;
        block->of[row + 2][column + j] += A.c[j].z;
    }
}

/* What the directors of node a meet in those of node b: sum of X_k^T Y_k', with Y_k' = s Y_k +
 * c eps_kij m_j Y_i. */
static m3 meet_projected(const double *m, double c, double s, const m3 *X, const m3 *Y) {
    m3 sum = {0};
    for (int k = 0; k < 3; k++) {
        int i = next(k), j = next(i);
        m3 with = m3_scale(s, Y[k]);
        if (c != 0) with = m3_axpy(c * m[j], Y[i], m3_axpy(-c * m[i], Y[j], with));
        sum = m3_add(sum, m3_tmul(X[k], with));
    }
    return sum;
}

/* Of frames, X_k^T Y_k' = (d_k . e_k') I - e_k' d_k^T. */
static m3 meet_frames(const double *m, double c, double s, m3 D, m3 E) {
    double trace = 0;
    m3 sum = {0};
    for (int k = 0; k < 3; k++) {
        int i = next(k), j = next(i);
        v3 d = D.c[k],
           e = v3_axpy(c * m[j], E.c[i], v3_axpy(-c * m[i], E.c[j], v3_scale(s, E.c[k])));
        trace += v3_dot(d, e);
        sum = m3_sub(sum, m3_cols(v3_scale(d.x, e), v3_scale(d.y, e), v3_scale(d.z, e)));
    }
    sum.c[0].x += trace, sum.c[1].y += trace, sum.c[2].z += trace;
    return sum;
}

static m3 meet(const double *m, double c, double s, const ts_motion *test, int a,
               const ts_motion *trial, int b) {
    if (test->D && trial->D) return meet_frames(m, c, s, test->D[a], trial->D[b]);
    return meet_projected(m, c, s, test->X + 4 * a + 1, trial->X + 4 * b + 1);
}

static void stiffness(const double *n, ts_motion test, ts_motion trial, ts_link_block *block) {
    for (int a = 0; a < 2; a++) {
        int at = TURNS + 3 * a, other = TURNS + 3 - 3 * a;
        double s = 0.5 * n[6], c = a ? 0.5 : -0.5;
        if (!test.still) add(block, 0, at, weighted(n, &trial, a));
        if (!trial.still) add(block, at, 0, m3_transpose(weighted(n, &test, a)));
        add(block, at, at, meet(n + 3, 0, s, &test, a, &trial, a));
        add(block, at, other, meet(n + 3, c, -s, &test, a, &trial, 1 - a));
    }
}

const ts_kernel TS_BEAM_KERNEL = {
    .name = "beam",
    .gather = gather,
    .scatter = scatter,
    .values = values,
    .rates = rates,
    .force = force,
    .project = project,
    .stiffness = stiffness,
};
