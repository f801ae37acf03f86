/* The strains of a beam in closed form: the kernel of its sites, see model/kernel.h.
 *
 * With N and N' at the Gauss point, z = (r, d1, d2, d3, r', d1', d2', d3'); r has no part in the strains, but with it sums over
 * nodes are of whole nodes. Of two states z and u the bilinear forms are
 *
 *     Gamma_k:  d_k(z) . r'(u) + d_k(u) . r'(z)
 *     kappa_k:  [ d_j(z) . d_i'(u) + d_j(u) . d_i'(z) - d_i(z) . d_j'(u) - d_i(u) . d_j'(z) ]/2 ,  (i, j, k) cyclic: i = k + 1.
 *
 * Forces n and moments m weight them to the force by z
 *
 *     r': sum n_k d_k ,   d_k: n_k r' + (m_i d_j' - m_j d_i')/2 ,   d_k': (m_j d_i - m_i d_j)/2 ,
 *
 * and their Hessians, constant, couple nodes a and b by N'_a N_b n_k (place and director k) and by
 * (N'_a N_b - N_a N'_b)/2 eps_klp m_p (directors k and l). Weights of a site: N of its nodes, then N'.
 */
#include "parts/parts.h"

enum { WIDTH = 12 }; /* numbers of a node */

static v3 slope(const double *z) { return v3_load(z + WIDTH); }
static v3 director(const double *z, int k) { return v3_load(z + 3 + 3 * k); }
static v3 curve(const double *z, int k) { return v3_load(z + WIDTH + 3 + 3 * k); } /* d_k' */

static int next(int k) { return k < 2 ? k + 1 : 0; }

static const ts_node *node_of(const ts_model *model, const ts_site *site, int a) {
    return &model->nodes[model->site_nodes[site->node + a]];
}

static void gather(const ts_model *model, const ts_site *site, const double *ambient,
                   double *restrict z) {
    const double *N = model->interpolation + site->kernel_weights, *dN = N + site->nodes;
    const double *q = ambient + 3 * node_of(model, site, 0)->slot;
    for (int i = 0; i < WIDTH; i++) z[i] = N[0] * q[i], z[WIDTH + i] = dN[0] * q[i];
    for (int a = 1; a < site->nodes; a++) {
        q = ambient + 3 * node_of(model, site, a)->slot;
        for (int i = 0; i < WIDTH; i++) z[i] += N[a] * q[i], z[WIDTH + i] += dN[a] * q[i];
    }
}

static void scatter(const ts_model *model, const ts_site *site, const double *f,
                    double *restrict ambient) {
    const double *N = model->interpolation + site->kernel_weights, *dN = N + site->nodes;
    for (int a = 0; a < site->nodes; a++) {
        const ts_node *node = node_of(model, site, a);
        double *F = ambient + 3 * node->slot, w = N[a], dw = dN[a];
        if (node->fixed) continue;
        for (int i = 0; i < WIDTH; i++) F[i] += w * f[i] + dw * f[WIDTH + i];
    }
}

static inline void value(const double *z, int k, int i, int j, double *restrict e) {
    e[k] = v3_dot(director(z, k), slope(z));
    e[3 + k] = 0.5 * (v3_dot(director(z, j), curve(z, i)) - v3_dot(director(z, i), curve(z, j)));
}

static void values(const double *z, double *e) {
    value(z, 0, 1, 2, e), value(z, 1, 2, 0, e), value(z, 2, 0, 1, e);
}

static inline void rate(const double *z, const double *u, int k, int i, int j,
                        double *restrict out) {
    double up = v3_dot(director(z, j), curve(u, i)) + v3_dot(director(u, j), curve(z, i));
    double down = v3_dot(director(z, i), curve(u, j)) + v3_dot(director(u, i), curve(z, j));
    out[k] = v3_dot(director(z, k), slope(u)) + v3_dot(director(u, k), slope(z));
    out[3 + k] = 0.5 * (up - down);
}

static void rates(const double *z, const double *u, double *out) {
    rate(z, u, 0, 1, 2, out), rate(z, u, 1, 2, 0, out), rate(z, u, 2, 0, 1, out);
}

/* s a - t b */
static v3 difference(double s, v3 a, double t, v3 b) { return v3_axpy(-t, b, v3_scale(s, a)); }

static inline void director_force(const double *z, const double *n, int k, int i, int j,
                                  double *restrict f) {
    double mi = 0.5 * n[3 + i], mj = 0.5 * n[3 + j];
    v3 d = v3_axpy(n[k], slope(z), difference(mi, curve(z, j), mj, curve(z, i)));
    v3_store(f + 3 + 3 * k, d);
    v3_store(f + WIDTH + 3 + 3 * k, difference(mj, director(z, i), mi, director(z, j)));
}

static void force(const double *z, const double *n, double *restrict f) {
    v3 r = v3_axpy(n[1], director(z, 1), v3_scale(n[2], director(z, 2)));
    v3_store(f, v3_make(0, 0, 0));
    v3_store(f + WIDTH, v3_axpy(n[0], director(z, 0), r));
    director_force(z, n, 0, 1, 2, f), director_force(z, n, 1, 2, 0, f);
    director_force(z, n, 2, 0, 1, f);
}

/* At a node with the weights w and dw; y_k = (w d_k' - dw d_k)/2. */
static void project_node(const double *z, double w, double dw, const m3 *X, bool still, int at,
                         ts_kernel_rows *b) {
    v3 y[3];
    for (int k = 0; k < 3; k++) y[k] = difference(0.5 * w, curve(z, k), 0.5 * dw, director(z, k));
    for (int k = 0; k < 3; k++) {
        int i = next(k), j = next(i);
        double *gamma = b->of[k] + at, *kappa = b->of[3 + k] + at;
        v3_store(gamma, v3_scale(still ? 0 : dw, director(z, k)));
        v3_store(gamma + 3, v3_scale(w, m3_tapply(X[k], slope(z))));
        v3_store(kappa, v3_make(0, 0, 0));
        v3_store(kappa + 3, v3_sub(m3_tapply(X[j], y[i]), m3_tapply(X[i], y[j])));
    }
}

static void project(const ts_model *model, const ts_site *site, const double *z, ts_motion motion,
                    ts_kernel_rows *b) {
    const double *N = model->interpolation + site->kernel_weights, *dN = N + site->nodes;
    for (int a = 0; a < site->nodes; a++)
        project_node(z, N[a], dN[a], motion.X + 4 * a + 1, motion.still, 6 * a, b);
}

static m3 weighted(const double *n, const m3 *X) {
    return m3_axpy(n[0], X[0], m3_axpy(n[1], X[1], m3_scale(n[2], X[2])));
}

/* sum of eps_kij m_j X_i, what director k is coupled to */
static void twisted(const double *m, const m3 *X, m3 *Y) {
    for (int k = 0; k < 3; k++) {
        int i = next(k), j = next(i);
        Y[k] = m3_sub(m3_scale(m[j], X[i]), m3_scale(m[i], X[j]));
    }
}

static void add(int width, double *dense, double s, m3 A) {
    for (int j = 0; j < 3; j++) {
        dense[j] += s * A.c[j].x;
        dense[width + j] += s * A.c[j].y;
        dense[2 * width + j] += s * A.c[j].z;
    }
}

static void stiffness(const ts_model *model, const ts_site *site, const double *n, ts_motion test,
                      ts_motion trial, int width, double *dense) {
    const double *N = model->interpolation + site->kernel_weights, *dN = N + site->nodes;
    m3 Y[TS_KERNEL_NODES][3], moved[TS_KERNEL_NODES];
    for (int b = 0; b < site->nodes; b++) {
        twisted(n + 3, trial.X + 4 * b + 1, Y[b]);
        moved[b] = weighted(n, trial.X + 4 * b + 1);
    }
    for (int a = 0; a < site->nodes; a++) {
        const m3 *X = test.X + 4 * a + 1;
        m3 tested = m3_transpose(weighted(n, X));
        for (int b = 0; b < site->nodes; b++) {
            double *d = dense + 6 * (a * width + b), c = 0.5 * (dN[a] * N[b] - N[a] * dN[b]);
            if (!test.still) add(width, d + 3, dN[a] * N[b], moved[b]);
            if (!trial.still) add(width, d + 3 * width, N[a] * dN[b], tested);
            if (a == b) continue;
            for (int k = 0; k < 3; k++) add(width, d + 3 * width + 3, c, m3_tmul(X[k], Y[b][k]));
        }
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
