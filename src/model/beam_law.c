/* The elastic law of a beam element of p + 1 nodes, with p Gauss points.
 *
 *     V = sum over points of (eps - eps_drawn) . w C (eps - eps_drawn)/2 ,        eps = (Gamma, kappa)
 *
 * Between neighbouring nodes there is a helix (helix.h) whose six numbers W_j, length times strain, are functions of seven forms. An element
 * of two nodes has eps = W/L. Elements of three and four nodes have strains that are polynomials k_0 P_0 + k_1 P_1 + k_2 P_2
 * in Legendre's P_i, over xi in [-1, 1], eps = (2/L) k. Rotations that commute would have W_j = integral of k over the piece between
 * two nodes, which gives linear guesses s_i for the k_i. Those that do not commute add brackets of se(3) (Magnus' series, inverted; each s_i
 * or k_i is of the order h^(i+1), and every k_i is needed to the order 2p - 1 - i in h for an energy of order h^(2p+1)):
 *
 *     three nodes    k_1 = s_1 ,   k_0 = s_0 - [s_0, s_1]/12
 *     four nodes     k_2 = s_2 + A [s_0, s_1]
 *                    z   = s_1 + B [s_0, k_2] + C [s_0, [s_0, s_1]]                                           (1)
 *                    k_0 = s_0 + D [s_0, z] + E [z, k_2] + F [z, [s_0, z]]
 *                    k_1 = z + G [k_0, k_2] - C [k_0, [k_0, z]]
 *
 * The element then has the order 2p, as one whose rotations are interpolated, and keeps what its pieces have: a helix is exact,
 * and there is no state without stress but the drawn one. For each line of (1) can be solved for what it changes: the last for z, where
 * I - C ad^2 has the eigenvalues 1 + C |k_0|^2 (positive while the element turns by less than 1100 degrees), the one before for s_0, and so on; with three
 * nodes, I + ad/12 is always regular. So W_j are smooth functions of the strains, a gradient of V that vanishes makes the
 * strains the drawn ones, and no second equilibrium exists while neighbouring nodes differ by less than 180 degrees.
 *
 * Over a step brackets are bilinear, so that means and differences obey the product rule, and discrete Jacobians of (1) and of
 * the helices multiply to one with J (e_f - e_i) = eps_f - eps_i. The stress J^T w C (mean eps + damping d eps/h) satisfies (L).
 */
#include "model/beam_law.h"

#include <string.h>

#include "math/elimination.h"
#include "math/shape.h"
#include "model/helix.h"

enum { POINTS = TS_BEAM_POINTS, S = TS_BEAM_STRAINS, M = TS_HELIX_FORMS, MOST = 14, ZERO = -1 };

/* ---- from helices to strains, as data ---- */

/* x[into] = x[from] + factor [x[left], x[right]] */
typedef struct bracket {
    int into, from, left, right;
    double factor;
} bracket;

typedef struct rule {
    double guess[POINTS][POINTS]; /* s_i = sum of guess_ij W_j; x[i] = s_i */
    int brackets;
    const bracket *bracket;
    int moment[POINTS]; /* which x is k_i */
} rule;

#define ROOT5 2.23606797749978969641
#define A ((3 * ROOT5 - 5) / 30)
#define B ((7 - 3 * ROOT5) / (6 * ROOT5 - 20))
#define C ((7 * ROOT5 - 15) / (45 * ROOT5 - 150) - A * B)
#define D ((3 * ROOT5 - 10) / 75)
#define E ((6 * ROOT5 - 25) / 375)
#define F ((5 - 3 * ROOT5) / 750 - A * E)
#define G ((ROOT5 - 3) / 10 - B)

static const bracket THREE_NODES[] = {{2, 0, 0, 1, -1.0 / 12}};
static const bracket FOUR_NODES[] = {
    {3, ZERO, 0, 1, 1},                                             /* [s_0, s_1] */
    {4, 2, 0, 1, A},                                                /* k_2 */
    {5, 1, 0, 4, B},    {6, 5, 0, 3, C},                            /* z */
    {7, ZERO, 0, 6, 1},                                             /* [s_0, z] */
    {8, 0, 0, 6, D},    {9, 8, 6, 4, E},      {10, 9, 6, 7, F},     /* k_0 */
    {11, 6, 10, 4, G},  {12, ZERO, 10, 6, 1}, {13, 11, 10, 12, -C}, /* k_1 */
};

#undef A
#undef B
#undef C
#undef D
#undef E
#undef F
#undef G

static const rule RULES[POINTS] = {
    {{{0.5}}, 0, NULL, {0}},
    {{{0.5, 0.5}, {-1, 1}}, 1, THREE_NODES, {2, 1}},
    {{{0.5, 0.5, 0.5}, {-1.25, 0, 1.25}, {1.25, 1.25 - 1.25 * ROOT5, 1.25}},
     sizeof FOUR_NODES / sizeof *FOUR_NODES,
     FOUR_NODES,
     {10, 13, 4}},
};

static double legendre(int i, double x) { return i == 0 ? 1 : i == 1 ? x : 1.5 * x * x - 0.5; }

static void guess(int p, const v6 *W, v6 *x) {
    for (int i = 0; i < p; i++) {
        x[i] = v6_scale(RULES[p - 1].guess[i][0], W[0]);
        for (int j = 1; j < p; j++) x[i] = v6_axpy(RULES[p - 1].guess[i][j], W[j], x[i]);
    }
}

/* What x would be as drawn without brackets: from these all x are counted, so that strains keep their digits. */
static void draw_guesses(int p, const double *helix, v6 *base) {
    const rule *r = &RULES[p - 1];
    v6 W[POINTS] = {0};
    for (int j = 0; j < p; j++) W[j] = ts_helix_drawn(helix + TS_HELIX_DRAWN * j);
    guess(p, W, base);
    for (const bracket *b = r->bracket; b < r->bracket + r->brackets; b++)
        base[b->into] = b->from == ZERO ? v6_zero() : base[b->from];
}

/* All x, counted from `base`, from W_j less W_0. */
static void forward(int p, const v6 *W, const v6 *base, v6 *x) {
    const rule *r = &RULES[p - 1];
    guess(p, W, x);
    for (const bracket *b = r->bracket; b < r->bracket + r->brackets; b++) {
        v6 left = v6_add(base[b->left], x[b->left]), right = v6_add(base[b->right], x[b->right]);
        v6 from = b->from == ZERO ? v6_zero() : x[b->from];
        x[b->into] = v6_axpy(b->factor, ts_se3_ad(left, right), from);
    }
}

/* How all x change with W_j by dW_j. */
static void forward_change(int p, const v6 *x, const v6 *dW, v6 *dx) {
    const rule *r = &RULES[p - 1];
    guess(p, dW, dx);
    for (const bracket *b = r->bracket; b < r->bracket + r->brackets; b++) {
        v6 from = b->from == ZERO ? v6_zero() : dx[b->from];
        v6 change =
            v6_add(ts_se3_ad(dx[b->left], x[b->right]), ts_se3_ad(x[b->left], dx[b->right]));
        dx[b->into] = v6_axpy(b->factor, change, from);
    }
}

/* The force f on x[into] as forces on what it was made of: f.[a, b] = -a.ad(b)^T f = b.ad(a)^T f. */
static void pass_back(const bracket *b, const v6 *x, v6 f, v6 *on) {
    v6 *left = &on[b->left], *right = &on[b->right];
    *left = v6_axpy(-b->factor, ts_se3_ad_transposed(x[b->right], f), *left);
    *right = v6_axpy(b->factor, ts_se3_ad_transposed(x[b->left], f), *right);
}

static void pass_to_helices(int p, const v6 *f, v6 *on_W) {
    const rule *r = &RULES[p - 1];
    for (int j = 0; j < p; j++) {
        on_W[j] = v6_zero();
        for (int i = 0; i < p; i++) on_W[j] = v6_axpy(r->guess[i][j], f[i], on_W[j]);
    }
}

/* Forces f on all x, those on k_i being given, the others zero; then those on W_j. */
static void backward(int p, const v6 *x, v6 *f, v6 *on_W) {
    const rule *r = &RULES[p - 1];
    for (const bracket *b = r->bracket + r->brackets; b-- > r->bracket;) {
        if (b->from != ZERO) f[b->from] = v6_add(f[b->from], f[b->into]);
        pass_back(b, x, f[b->into], f);
    }
    pass_to_helices(p, f, on_W);
}

/* How these change: df on k_i being given, x changing by dx. */
static void backward_change(int p, const v6 *x, const v6 *f, const v6 *dx, v6 *df, v6 *on_W) {
    const rule *r = &RULES[p - 1];
    for (const bracket *b = r->bracket + r->brackets; b-- > r->bracket;) {
        if (b->from != ZERO) df[b->from] = v6_add(df[b->from], df[b->into]);
        pass_back(b, dx, f[b->into], df);
        pass_back(b, x, df[b->into], df);
    }
    pass_to_helices(p, df, on_W);
}

/* eps at Gauss point g from k; and a force on eps added to those on k */
static v6 strain_at(int p, int g, double length, const v6 *x) {
    v6 eps = v6_zero();
    for (int i = 0; i < p; i++)
        eps =
            v6_axpy(2 / length * legendre(i, ts_gauss_point(p)[g]), x[RULES[p - 1].moment[i]], eps);
    return eps;
}

static void force_at(int p, int g, double length, v6 force, v6 *f) {
    for (int i = 0; i < p; i++) {
        v6 *on = &f[RULES[p - 1].moment[i]];
        *on = v6_axpy(2 / length * legendre(i, ts_gauss_point(p)[g]), force, *on);
    }
}

/* ---- the law ---- */

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

/* K x, written out: residuals spend their time here. Rows of K are `width` apart. */
static double row_times(const double *K, v6 x) {
    return K[0] * x.v.x + K[1] * x.v.y + K[2] * x.v.z + K[3] * x.w.x + K[4] * x.w.y + K[5] * x.w.z;
}
static v6 block_times(const double *K, int width, v6 x) {
    const double *L = K + 3 * width;
    return v6_make(v3_make(row_times(K, x), row_times(K + width, x), row_times(K + 2 * width, x)),
                   v3_make(row_times(L, x), row_times(L + width, x), row_times(L + 2 * width, x)));
}
static v6 times(const double *K, v6 x) { return block_times(K, S, x); }

/* With what brackets make of the drawn strains. */
static void strains_from_drawn(const double *data, const double *e, v6 *strain) {
    int p = points_of(data);
    v6 W[POINTS] = {0}, base[MOST], x[MOST];
    for (int j = 0; j < p; j++)
        W[j] = ts_helix_at(helix_data(data) + TS_HELIX_DRAWN * j, e + M * j);
    draw_guesses(p, helix_data(data), base);
    forward(p, W, base, x);
    for (int g = 0; g < p; g++) strain[g] = strain_at(p, g, data[TS_BEAM_LENGTH], x);
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
    a->count = a->p + RULES[a->p - 1].brackets;
    for (int j = 0; j < a->p; j++) {
        ts_helix_over(helix_data(step->data) + TS_HELIX_DRAWN * j, step->e_i + M * j,
                      step->e_f + M * j, slopes, &a->pair[j]);
        start[j] = a->pair[j].W_i, end[j] = a->pair[j].W_f;
    }
    draw_guesses(a->p, helix_data(step->data), a->base);
    forward(a->p, start, a->base, a->x_i), forward(a->p, end, a->base, a->x_f);
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
        v6 strain = v6_sub(strain_at(a->p, g, a->length, at), drawn(K));
        force_at(a->p, g, a->length, times(K, strain), f);
    }
    backward(a->p, a->mean, f, on_W);
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
    forward_change(a->p, a->end, dW, dx);
    for (int i = 0; i < a->count; i++) df[i] = v6_zero();
    for (int g = 0; g < a->p; g++) {
        v6 force = times(point_data(step->data, g), strain_at(a->p, g, a->length, dx));
        force_at(a->p, g, a->length, v6_scale(0.5 + damping_rate(step), force), df);
    }
    for (int i = 0; i < a->count; i++) dx[i] = v6_scale(0.5, dx[i]); /* of the means */
    backward_change(a->p, a->mean, f, dx, df, on_W);
}

/* X = d(on_W)/dW_f, 6p x 6p, the forces on all x being f */
static void changes(const ts_law_step *step, const path *a, const v6 *f, double *X) {
    int n = S * a->p;
    if (a->p == 1) {
        double factor = (0.5 + damping_rate(step)) / (a->length * a->length);
        for (int i = 0; i < S * S; i++) X[i] = factor * point_data(step->data, 0)[i];
        return;
    }
    for (int c = 0; c < n; c++) {
        double unit[S * POINTS] = {0}, column[S * POINTS];
        v6 dW[POINTS], on_W[POINTS];
        unit[c] = 1;
        for (int j = 0; j < a->p; j++) dW[j] = v6_load(unit + S * j);
        change(step, a, f, dW, on_W);
        for (int j = 0; j < a->p; j++) v6_store(column + S * j, on_W[j]);
        for (int i = 0; i < n; i++) X[n * i + c] = column[i];
    }
}

/* out += left^T X right, a block of 7 x 7; rows of X are n apart, of out m */
static void add_sandwich(const v6 *left, const double *X, int n, const v6 *right, double *out,
                         int m) {
    for (int j = 0; j < M; j++) {
        v6 y = block_times(X, n, right[j]);
        for (int i = 0; i < 3; i++) out[m * i + j] += v3_dot(left[i].v, y.v);
        for (int i = 3; i < M; i++) out[m * i + j] += v6_dot(left[i], y);
    }
}

/* ds = J^T X J_f, and how J changes under its forces */
static void slopes(const path *a, const double *X, const v6 *on_W, double *ds) {
    int m = M * a->p, n = S * a->p;
    v6 J[POINTS][M], end[POINTS][M];
    double H[M * M];
    memset(ds, 0, (size_t)(m * m) * sizeof *ds);
    for (int j = 0; j < a->p; j++)
        ts_helix_jacobian(&a->pair[j], J[j]), ts_helix_jacobian_end(&a->pair[j], end[j]);
    for (int j = 0; j < a->p; j++) {
        for (int k = 0; k < a->p; k++)
            add_sandwich(J[j], X + n * S * j + S * k, n, end[k], ds + m * M * j + M * k, m);
        ts_helix_second(&a->pair[j], on_W[j], H);
        for (int i = 0; i < M * M; i++) ds[m * (M * j + i / M) + M * j + i % M] += H[i];
    }
}

static void stored_and_dissipated(const ts_law_step *step, const path *a, ts_response *out) {
    out->stored = out->dissipated = out->work = 0;
    for (int g = 0; g < a->p; g++) {
        const double *K = point_data(step->data, g);
        v6 end = strain_at(a->p, g, a->length, a->x_f);
        v6 jump = v6_sub(end, strain_at(a->p, g, a->length, a->x_i));
        end = v6_sub(end, drawn(K));
        out->stored += 0.5 * v6_dot(end, times(K, end));
        out->dissipated += damping_rate(step) * v6_dot(jump, times(K, jump));
    }
}

static void account(const ts_law_step *step, double *dissipated, double *work) {
    path a;
    ts_response r;
    *dissipated = *work = 0;
    if (damping_rate(step) == 0) return;
    follow(step, false, &a);
    stored_and_dissipated(step, &a, &r);
    *dissipated = r.dissipated;
}

static void respond(const ts_law_step *step, ts_response *out) {
    path a;
    v6 f[MOST], on_W[POINTS];
    double X[S * POINTS * S * POINTS];
    follow(step, true, &a);
    forces(step, &a, f, on_W);
    for (int j = 0; j < a.p; j++) ts_helix_pull(&a.pair[j], on_W[j], out->s + M * j);
    changes(step, &a, f, X);
    slopes(&a, X, on_W, out->ds);
    stored_and_dissipated(step, &a, out);
}

/* ---- statics: the tangent at a stress that was meant ---- */

static void forces_on_moments(const path *a, const double *on_k, v6 *f, v6 *on_W) {
    for (int i = 0; i < a->count; i++) f[i] = v6_zero();
    for (int i = 0; i < a->p; i++) f[RULES[a->p - 1].moment[i]] = v6_load(on_k + S * i);
    backward(a->p, a->mean, f, on_W);
}

/* Forces on k_i, and so on all x, that are the given ones on W_j: T on_k = on_W, by its normal equations. */
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
    ts_eliminate(n, normal, 1, right);
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
    slopes(&a, X, on_W, out->ds);
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
    forward_change(a->p, a->end, dW, dx);
    for (int g = 0; g < a->p; g++) strain[g] = strain_at(a->p, g, a->length, dx);
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

const ts_law TS_BEAM_LAW = {.name = "beam",
                            .energy = energy,
                            .respond = respond,
                            .stress = stress,
                            .account = account,
                            .meant = meant,
                            .stiffness = stiffness,
                            .section = section,
                            .section_stiffness = section_stiffness};
