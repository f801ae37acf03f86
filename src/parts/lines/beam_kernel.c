/* The forms of a beam in closed form: the kernel of its sites, see model/kernel.h and laws/helix.h.
 *
 * Of a link from node A to node B, z = (d_1, d_2, d_3, x', d_1', d_2', d_3') are the means of both
 * directors and the differences x_B - x_A and d_k^B - d_k^A. Of two states z and u the bilinear
 * forms are, with (k, i, j) cyclic,
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
#include <string.h>

#include "parts/parts.h"

enum { WIDTH = 12, SIZE = TS_LINK_SIZE, FORMS = TS_LINK_FORMS }; /* the first: numbers of a node */

static v3 director(const double *z, int k) { return v3_load(z + 3 * k); }
static v3 slope(const double *z) { return v3_load(z + 9); }
static v3 curve(const double *z, int k) { return v3_load(z + 12 + 3 * k); } /* d_k' */

static int next(int k) { return k < 2 ? k + 1 : 0; }

static const ts_node *node_of(const ts_model *model, const ts_site *site, int a) {
    return &model->nodes[model->site_nodes[site->node + a]];
}

/* Mean and difference of a director. Written out rather than as loops: residuals spend their time
 * here. */
static inline void join(const double *a, const double *b, double *restrict z) {
    v3 from = v3_load(a), to = v3_load(b);
    v3_store(z, v3_scale(0.5, v3_add(from, to))), v3_store(z + 12, v3_sub(to, from));
}

/* The forces on mean and difference of a director as those on it at both ends. */
static inline void part(const double *f, double *restrict a, double *restrict b) {
    v3 half = v3_scale(0.5, v3_load(f)), jump = v3_load(f + 12);
    v3_store(a, v3_add(v3_load(a), v3_sub(half, jump)));
    v3_store(b, v3_add(v3_load(b), v3_add(half, jump)));
}

static void gather(const ts_model *model, const ts_site *site, const double *ambient,
                   double *restrict z) {
    const double *a = ambient + 3 * node_of(model, site, 0)->slot;
    for (int l = 0; l < ts_links(site); l++, z += SIZE) {
        const double *b = ambient + 3 * node_of(model, site, l + 1)->slot;
        v3_store(z + 9, v3_sub(v3_load(b), v3_load(a)));
        join(a + 3, b + 3, z), join(a + 6, b + 6, z + 3), join(a + 9, b + 9, z + 6);
        a = b;
    }
}

static void scatter(const ts_model *model, const ts_site *site, const double *f, double *ambient) {
    for (int l = 0; l < ts_links(site); l++, f += SIZE) {
        const ts_node *a = node_of(model, site, l), *b = node_of(model, site, l + 1);
        double nowhere[WIDTH]; /* written, never read */
        double *A = ts_node_sums(a) ? ambient + 3 * a->slot : nowhere;
        double *B = ts_node_sums(b) ? ambient + 3 * b->slot : nowhere;
        if (A == nowhere || B == nowhere) memset(nowhere, 0, sizeof nowhere);
        v3_store(A, v3_sub(v3_load(A), v3_load(f + 9)));
        v3_store(B, v3_add(v3_load(B), v3_load(f + 9)));
        part(f, A + 3, B + 3), part(f + 3, A + 6, B + 6), part(f + 6, A + 9, B + 9);
    }
}

static inline void value(const double *z, int k, int i, int j, double *restrict e) {
    e[k] = v3_dot(director(z, k), slope(z));
    e[3 + k] = 0.5 * (v3_dot(director(z, j), curve(z, i)) - v3_dot(director(z, i), curve(z, j)));
}

static double turn(const double *z, const double *u) {
    return v3_dot(curve(z, 0), curve(u, 0)) + v3_dot(curve(z, 1), curve(u, 1)) +
           v3_dot(curve(z, 2), curve(u, 2));
}

static void values(int links, const double *z, double *e) {
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

static void rates(int links, const double *z, const double *u, double *out) {
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
    v3_store(f + 3 * k, d);
    v3_store(f + 12 + 3 * k, v3_axpy(0.5 * n[6], curve(z, k), bent));
}

static void force(int links, const double *z, const double *n, double *restrict f) {
    for (int l = 0; l < links; l++, z += SIZE, n += FORMS, f += SIZE) {
        v3 x = v3_axpy(n[1], director(z, 1), v3_scale(n[2], director(z, 2)));
        v3_store(f + 9, v3_axpy(n[0], director(z, 0), x));
        director_force(z, n, 0, 1, 2, f), director_force(z, n, 1, 2, 0, f);
        director_force(z, n, 2, 0, 1, f);
    }
}

/* At the node with N' = sign; y_k = (N d_k' - N' d_k)/2. */
static void project_node(const double *z, double sign, const m3 *X, bool still, int at,
                         ts_link_rows *b) {
    v3 y[3], u = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        y[k] = difference(0.25, curve(z, k), 0.5 * sign, director(z, k));
        u = v3_axpy(0.5 * sign, m3_tapply(X[k], curve(z, k)), u);
    }
    for (int k = 0; k < 3; k++) {
        int i = next(k), j = next(i);
        double *g = b->of[k] + at, *a = b->of[3 + k] + at;
        v3_store(g, v3_scale(still ? 0 : sign, director(z, k)));
        v3_store(g + 3, v3_scale(0.5, m3_tapply(X[k], slope(z))));
        v3_store(a, v3_make(0, 0, 0));
        v3_store(a + 3, v3_sub(m3_tapply(X[j], y[i]), m3_tapply(X[i], y[j])));
    }
    v3_store(b->of[6] + at, v3_make(0, 0, 0)), v3_store(b->of[6] + at + 3, u);
}

static void project(int links, const double *z, ts_motion motion, ts_link_rows *b) {
    for (int l = 0; l < links; l++, z += SIZE, b++)
        for (int side = 0; side < 2; side++)
            project_node(z, side ? 1 : -1, motion.X + 4 * (l + side) + 1, motion.still, 6 * side,
                         b);
}

static m3 weighted(const double *n, const m3 *X) {
    return m3_axpy(n[0], X[0], m3_axpy(n[1], X[1], m3_scale(n[2], X[2])));
}

static void add(int width, double *dense, double s, m3 A) {
    for (int j = 0; j < 3; j++) {
        dense[j] += s * A.c[j].x;
        dense[width + j] += s * A.c[j].y;
        dense[2 * width + j] += s * A.c[j].z;
    }
}

/* What the directors of node a meet in those of node b: sum of X_k^T (c eps_kij m_j X_i + s
 * X_k). */
static void add_directors(const double *m, double c, double s, const m3 *X, const m3 *Y, int width,
                          double *dense) {
    for (int k = 0; k < 3; k++) {
        int i = next(k), j = next(i);
        m3 with = m3_scale(s, Y[k]);
        if (c != 0) with = m3_axpy(c * m[j], Y[i], m3_axpy(-c * m[i], Y[j], with));
        add(width, dense, 1, m3_tmul(X[k], with));
    }
}

static void link_stiffness(const double *n, ts_motion test, ts_motion trial, int width,
                           double *dense) {
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            const m3 *X = test.X + 4 * a + 1, *Y = trial.X + 4 * b + 1;
            double *d = dense + 6 * (a * width + b), da = a ? 1 : -1, db = b ? 1 : -1;
            if (!test.still) add(width, d + 3, 0.5 * da, weighted(n, Y));
            if (!trial.still) add(width, d + 3 * width, 0.5 * db, m3_transpose(weighted(n, X)));
            add_directors(n + 3, 0.25 * (da - db), 0.5 * da * db * n[6], X, Y, width,
                          d + 3 * width + 3);
        }
}

static void stiffness(int links, const double *n, ts_motion test, ts_motion trial, int width,
                      double *dense) {
    for (int l = 0; l < links; l++, n += FORMS) {
        ts_motion left = {test.X + 4 * l, test.still}, right = {trial.X + 4 * l, trial.still};
        link_stiffness(n, left, right, width, dense + 6 * l * (width + 1));
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
