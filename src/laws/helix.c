/* See helix.h. r and w are analytic in u = 1 - cos t for u < 2:
 *
 *     r = sum R_k u^k ,  R_k = R_(k-1) k/(2k + 1)            w = sum w_k u^k ,
 *     w_k = (w_(k-1) - R_(k+1))/2 .
 *
 * Horner's scheme carries divided differences along (p = c + x q has p[x, y] = q(y) + x q[x, y]),
 * so that small turns have them to the last digit. For larger turns r and w are what they are
 * defined as; they satisfy
 *
 *     u (2 - u) r' = 1 - (1 - u) r ,     u (2 - u) w' = -r' - 2 (1 - u) w ,
 *
 * and where both ends are close the divided difference is the integral of the derivative between
 * them, by Gauss' rule.
 */
#include "laws/helix.h"

enum { TERMS = 22, GAUSS = 5 };

static const double R[TERMS] = {1,
                                0.33333333333333331,
                                0.13333333333333333,
                                0.057142857142857141,
                                0.025396825396825397,
                                0.011544011544011544,
                                0.005328005328005328,
                                0.0024864024864024864,
                                0.0011700717583070525,
                                0.00055424451709281427,
                                0.00026392596052038776,
                                0.00012622545937931588,
                                6.0588220502071629e-05,
                                2.9172106167664115e-05,
                                1.4083085736113711e-05,
                                6.8143963239259889e-06,
                                3.3039497328126009e-06,
                                1.6047755845089777e-06,
                                7.8070163570707017e-07,
                                3.8034182252395724e-07,
                                1.8553259635314989e-07,
                                9.0608942405026686e-08};
static const double W[TERMS] = {
    -0.16666666666666666,    -0.14999999999999999,    -0.10357142857142858,
    -0.064484126984126991,   -0.038014069264069264,   -0.021671037296037296,
    -0.012078719891219891,   -0.0066243958247634719,  -0.0035893201709281432,
    -0.0019266230657242654,  -0.0010264242625517906,  -0.00054350624152693118,
    -0.00028633917384729765, -0.00015021112979170568, -7.8512763057815823e-05,
    -4.0908356395314216e-05, -2.1256565989911596e-05, -1.1018633812809333e-05,
    -5.699487817666645e-06,  -2.9425102070098976e-06, -1.5165595747074622e-06,
    -7.8042863994162651e-07};

/* How many terms leave nothing out: (u/2)^n below 1e-17. None: too many. */
static int terms_for(double u_i, double u_f) {
    double u = fmax(fabs(u_i), fabs(u_f));
    return u < 0x1p-18 ? 3 : u < 0x1p-9 ? 6 : u < 0x1p-5 ? 10 : u < 0.25 ? TERMS : 0;
}

/* ---- small turns ---- */

static void series_values(int n, double u_i, double u_f, ts_helix_turn *x) {
    double r = R[n - 1], w = W[n - 1], dr = 0, dw = 0;
    for (int k = n - 2; k > 0; k--) {
        dr = r + u_i * dr, r = R[k] + u_f * r;
        dw = w + u_i * dw, w = W[k] + u_f * w;
    }
    dr = r + u_i * dr, r = u_f * r; /* without R_0 = 1 */
    dw = w + u_i * dw, w = W[0] + u_f * w;
    x->r_f = r, x->w_f = w, x->dr = dr, x->dw = dw;
    x->r_i = r - dr * (u_f - u_i), x->w_i = w - dw * (u_f - u_i);
}

/* A series c_0 + c_1 u + ...: values less c_0, and divided differences, letters saying where. */
typedef struct series {
    double i, f, ii, ff, in, iif, iff; /* in: p[i, f] */
} series;

static series series_at(int n, const double *c, double u_i, double u_f) {
    series p = {.i = c[n - 1], .f = c[n - 1]};
    for (int k = n - 2; k >= 0; k--) {
        double add = k > 0 ? c[k] : 0;
        p.iff = p.ff + u_i * p.iff, p.iif = p.ii + u_f * p.iif;
        p.in = p.f + u_i * p.in, p.ff = p.f + u_f * p.ff, p.ii = p.i + u_i * p.ii;
        p.f = add + u_f * p.f, p.i = add + u_i * p.i;
    }
    return p;
}

static void series_slopes(int n, double u_i, double u_f, ts_helix_turn *x) {
    series r = series_at(n, R, u_i, u_f), w = series_at(n, W, u_i, u_f);
    *x = (ts_helix_turn){r.i,  W[0] + w.i, r.f,   W[0] + w.f, r.in, w.in,  r.ff,
                         w.ff, r.iff,      w.iff, r.ii,       w.ii, r.iif, w.iif};
}

/* ---- large turns ---- */

typedef struct closed {
    double r, w, r1, w1, r2, w2; /* values, first and second derivatives */
} closed;

static closed closed_at(double u) {
    closed x;
    double ss = u * (2 - u), c = 1 - u;
    x.r = acos(c) / sqrt(ss), x.w = (1 - x.r) / ss;
    x.r1 = (1 - c * x.r) / ss, x.w1 = -(x.r1 + 2 * c * x.w) / ss;
    x.r2 = (x.r - 3 * c * x.r1) / ss, x.w2 = (2 * x.w - x.r2 - 4 * c * x.w1) / ss;
    return x;
}

/* r - 1 and w at u. */
static void values_at(double u, double *r, double *w) {
    int n = terms_for(u, u);
    *r = *w = 0;
    for (int k = n - 1; k > 0; k--) *r = R[k] + u * *r, *w = W[k] + u * *w;
    *r *= u, *w = W[0] + u * *w; /* without R_0 = 1 */
    if (n) return;
    closed x = closed_at(u);
    *r = x.r - 1, *w = x.w;
}

static bool are_close(double u_i, double u_f) {
    return fabs(u_f - u_i) < 0.1 * (2 - fmax(u_i, u_f));
}

/* Means of the first derivatives between both ends, and of the second ones weighted by how near the
 * end they are. */
static void integrate(double u_i, double u_f, closed *mean) {
    static const double POINT[GAUSS] = {-0.90617984593866399, -0.53846931010568309, 0,
                                        0.53846931010568309, 0.90617984593866399};
    static const double WEIGHT[GAUSS] = {0.23692688505618909, 0.47862867049936647,
                                         0.56888888888888889, 0.47862867049936647,
                                         0.23692688505618909};
    *mean = (closed){0};
    for (int k = 0; k < GAUSS; k++) {
        double at = 0.5 * (1 + POINT[k]), weight = 0.5 * WEIGHT[k];
        closed x = closed_at(u_i + at * (u_f - u_i));
        mean->r1 += weight * x.r1, mean->w1 += weight * x.w1;
        mean->r2 += weight * at * x.r2, mean->w2 += weight * at * x.w2;
    }
}

void ts_helix_turn_values(double u_i, double u_f, ts_helix_turn *x) {
    int n = terms_for(u_i, u_f);
    if (n) {
        series_values(n, u_i, u_f, x);
        return;
    }
    values_at(u_i, &x->r_i, &x->w_i), values_at(u_f, &x->r_f, &x->w_f);
    if (are_close(u_i, u_f)) {
        closed mean;
        integrate(u_i, u_f, &mean);
        x->dr = mean.r1, x->dw = mean.w1;
    } else {
        x->dr = (x->r_f - x->r_i) / (u_f - u_i), x->dw = (x->w_f - x->w_i) / (u_f - u_i);
    }
}

/* r' and w' at u */
static void slopes_at(double u, double *r, double *w) {
    int n = terms_for(u, u);
    if (n) {
        ts_helix_turn x;
        series_slopes(n, u, u, &x);
        *r = x.r_slope, *w = x.w_slope;
    } else {
        closed x = closed_at(u);
        *r = x.r1, *w = x.w1;
    }
}

void ts_helix_turn_slopes(double u_i, double u_f, ts_helix_turn *x) {
    int n = terms_for(u_i, u_f);
    if (n) {
        series_slopes(n, u_i, u_f, x);
        return;
    }
    ts_helix_turn_values(u_i, u_f, x);
    slopes_at(u_f, &x->r_slope, &x->w_slope), slopes_at(u_i, &x->r_slope_i, &x->w_slope_i);
    if (are_close(u_i, u_f)) {
        closed mean, back;
        integrate(u_i, u_f, &mean), integrate(u_f, u_i, &back);
        x->dr_slope = mean.r2, x->dw_slope = mean.w2;
        x->dr_slope_i = back.r2, x->dw_slope_i = back.w2;
    } else {
        double d = u_f - u_i;
        x->dr_slope = (x->r_slope - x->dr) / d, x->dw_slope = (x->w_slope - x->dw) / d;
        x->dr_slope_i = (x->dr - x->r_slope_i) / d, x->dw_slope_i = (x->dw - x->w_slope_i) / d;
    }
}

/* ---- strains ---- */

/* ((r - 1) g + w p a, r a), r less 1 being given */
static v6 small_part(double r, double w, double p, v3 g, v3 a) {
    return v6_make(v3_axpy(w * p, a, v3_scale(r, g)), v3_axpy(r, a, a));
}

static v6 from_drawn(const double *drawn, const double *e, v6 small) {
    return v6_make(v3_add(v3_load(e), v3_sub(small.v, v3_load(drawn + 3))),
                   v3_sub(small.w, v3_load(drawn + 6)));
}

static v6 small_at(const double *e, v3 g) {
    double r, w;
    v3 a = v3_load(e + 3);
    values_at(e[6], &r, &w);
    return small_part(r, w, v3_dot(a, g), g, a);
}

void ts_helix_draw(const double *e, double *drawn) {
    v3_store(drawn, v3_load(e));
    v6_store(drawn + 3, small_at(e, v3_load(e)));
}

v6 ts_helix_drawn(const double *drawn) {
    return v6_make(v3_add(v3_load(drawn), v3_load(drawn + 3)), v3_load(drawn + 6));
}

v6 ts_helix_at(const double *drawn, const double *e) {
    return from_drawn(drawn, e, small_at(e, v3_add(v3_load(drawn), v3_load(e))));
}

void ts_helix_over(const double *drawn, const double *e_i, const double *e_f, bool slopes,
                   ts_helix_step *x) {
    v3 g_0 = v3_load(drawn), g_i = v3_add(g_0, v3_load(e_i)), g_f = v3_add(g_0, v3_load(e_f));
    v3 a_i = v3_load(e_i + 3), a_f = v3_load(e_f + 3);
    double p_i = v3_dot(a_i, g_i), p_f = v3_dot(a_f, g_f);
    ts_helix_turn *t = &x->turn;
    if (slopes)
        ts_helix_turn_slopes(e_i[6], e_f[6], t);
    else
        ts_helix_turn_values(e_i[6], e_f[6], t);
    x->W_i = from_drawn(drawn, e_i, small_part(t->r_i, t->w_i, p_i, g_i, a_i));
    x->W_f = from_drawn(drawn, e_f, small_part(t->r_f, t->w_f, p_f, g_f, a_f));
    x->g = v3_scale(0.5, v3_add(g_i, g_f)), x->a = v3_scale(0.5, v3_add(a_i, a_f));
    x->pa = v3_axpy(0.5 * p_i, a_i, v3_scale(0.5 * p_f, a_f));
    x->r = 1 + 0.5 * (t->r_i + t->r_f);
    x->w = 0.5 * (t->w_i + t->w_f), x->p = 0.5 * (p_i + p_f);
    x->g_f = g_f, x->a_f = a_f, x->p_f = p_f;
}

void ts_helix_pull(const ts_helix_step *x, v6 F, double *s) {
    v3 n = F.v, m = F.w;
    double wn = x->w * v3_dot(n, x->a);
    v3_store(s, v3_axpy(wn, x->a, v3_scale(x->r, n)));
    v3_store(s + 3, v3_axpy(x->w * x->p, n, v3_axpy(wn, x->g, v3_scale(x->r, m))));
    s[6] = x->turn.dr * (v3_dot(n, x->g) + v3_dot(m, x->a)) + x->turn.dw * v3_dot(n, x->pa);
}

/* What the columns of a Jacobian are made of: the means of a step with divided differences, or the
 * values at its end with derivatives. */
typedef struct helix_state {
    double r, w, p;
    v3 a, g, pa;
    double dr, dw;
} helix_state;

/* Columns of (r I + w a a^T, w (p I + a g^T), r' g + w' p a) above (0, r I, r' a). */
static void jacobian(const helix_state *x, v6 *J) {
    v3 a = x->a, g = x->g;
    for (int i = 0; i < 3; i++) {
        v3 e = v3_axis(i), re = v3_scale(x->r, e);
        J[i] = v6_make(v3_axpy(x->w * v3_get(a, i), a, re), v3_make(0, 0, 0));
        J[3 + i] = v6_make(v3_axpy(x->w * v3_get(g, i), a, v3_scale(x->w * x->p, e)), re);
    }
    J[6] = v6_make(v3_axpy(x->dr, g, v3_scale(x->dw, x->pa)), v3_scale(x->dr, a));
}

void ts_helix_jacobian(const ts_helix_step *x, v6 *J) {
    helix_state mean = {x->r, x->w, x->p, x->a, x->g, x->pa, x->turn.dr, x->turn.dw};
    jacobian(&mean, J);
}

void ts_helix_jacobian_end(const ts_helix_step *x, v6 *J) {
    const ts_helix_turn *t = &x->turn;
    v3 pa = v3_scale(x->p_f, x->a_f);
    helix_state end = {1 + t->r_f, t->w_f, x->p_f, x->a_f, x->g_f, pa, t->r_slope, t->w_slope};
    jacobian(&end, J);
}

/* A matrix between the seven forms, rows `width` apart. */
typedef struct matrix {
    double *of;
    int width;
} matrix;

/* Rows first to first + 3, columns of a 3-vector from `at`: s I + t x y^T */
static inline void add_block(matrix H, int first, int at, double s, double t, v3 x, v3 y) {
    double *row = H.of + H.width * first + at;
    v3 tx = v3_scale(t, x);
    row[0] += tx.x * y.x + s, row[1] += tx.x * y.y, row[2] += tx.x * y.z;
    row += H.width;
    row[0] += tx.y * y.x, row[1] += tx.y * y.y + s, row[2] += tx.y * y.z;
    row += H.width;
    row[0] += tx.z * y.x, row[1] += tx.z * y.y, row[2] += tx.z * y.z + s;
}

/* The column by u, and the row of u. */
static inline void add_column(matrix H, int first, v3 x) {
    double *at = H.of + H.width * first + 6;
    at[0] += x.x, at[H.width] += x.y, at[2 * H.width] += x.z;
}

static inline void add_row(matrix H, int at, v3 x) {
    double *row = H.of + 6 * H.width + at;
    row[0] += x.x, row[1] += x.y, row[2] += x.z;
}

/* Every mean changes by half of what its end does. */
void ts_helix_add_second(const ts_helix_step *x, v6 F, int width, double *ds) {
    v3 n = F.v, m = F.w;
    const ts_helix_turn *t = &x->turn;
    matrix H = {ds, width};
    double na = v3_dot(n, x->a), na_f = v3_dot(n, x->a_f), h = 0.5 * x->w;
    double r1 = 0.5 * t->r_slope, w1 = 0.5 * t->w_slope, dr = 0.5 * t->dr, dw = 0.5 * t->dw;
    /* g: r n + w (n.a) a */
    add_block(H, 0, 3, h * na, h, x->a, n);
    add_column(H, 0, v3_axpy(r1, n, v3_scale(w1 * na, x->a)));
    /* a: w p n + w (n.a) g + r m */
    add_block(H, 3, 0, h * na, h, n, x->a_f);
    add_block(H, 3, 3, 0, h, n, x->g_f), add_block(H, 3, 3, 0, h, x->g, n);
    add_column(H, 3, v3_axpy(w1 * x->p, n, v3_axpy(w1 * na, x->g, v3_scale(r1, m))));
    /* u: dr (n.g + m.a) + dw n.mean(p a) */
    add_row(H, 0, v3_axpy(dr, n, v3_scale(dw * na_f, x->a_f)));
    add_row(H, 3, v3_axpy(dr, m, v3_axpy(dw * na_f, x->g_f, v3_scale(dw * x->p_f, n))));
    ds[6 * width + 6] +=
        t->dr_slope * (v3_dot(n, x->g) + v3_dot(m, x->a)) + t->dw_slope * v3_dot(n, x->pa);
}

/* r + w a.a = 1 makes (r I + w a a^T) easy to invert. */
v6 ts_helix_push(const ts_helix_step *x, const double *s) {
    v3 g = v3_load(s), a = v3_load(s + 3);
    v3 n = v3_scale(1 / x->r, v3_axpy(-x->w * v3_dot(x->a, g), x->a, g));
    double wn = x->w * v3_dot(n, x->a);
    v3 m = v3_axpy(-x->w * x->p, n, v3_axpy(-wn, x->g, a));
    return v6_make(n, v3_scale(1 / x->r, m));
}

/* ---- rates ---- */

typedef struct end_rates {
    double r, w, p;
    v3 pa;
} end_rates;

/* At one end, where r (in full), w and their slopes are given; W by way of these. */
static end_rates rates_at(double r, double w, double r_slope, double w_slope, v3 g, v3 a,
                          const double *edot, v6 *rate) {
    v3 dg = v3_load(edot), da = v3_load(edot + 3);
    double p = v3_dot(a, g);
    end_rates y = {.r = r_slope * edot[6], .w = w_slope * edot[6]};
    y.p = v3_dot(da, g) + v3_dot(a, dg);
    y.pa = v3_axpy(y.p, a, v3_scale(p, da));
    rate->v = v3_axpy(y.r, g, v3_axpy(r, dg, v3_axpy(y.w * p, a, v3_scale(w, y.pa))));
    rate->w = v3_axpy(y.r, a, v3_scale(r, da));
    return y;
}

void ts_helix_rates_over(const ts_helix_step *x, const double *e_i, const double *edot_i,
                         const double *edot_f, ts_helix_rates *y) {
    const ts_helix_turn *t = &x->turn;
    v3 g_i = v3_sub(v3_scale(2, x->g), x->g_f), a_i = v3_load(e_i + 3);
    end_rates i =
        rates_at(1 + t->r_i, t->w_i, t->r_slope_i, t->w_slope_i, g_i, a_i, edot_i, &y->W_i);
    end_rates f =
        rates_at(1 + t->r_f, t->w_f, t->r_slope, t->w_slope, x->g_f, x->a_f, edot_f, &y->W_f);
    y->g = v3_scale(0.5, v3_add(v3_load(edot_i), v3_load(edot_f)));
    y->a = v3_scale(0.5, v3_add(v3_load(edot_i + 3), v3_load(edot_f + 3)));
    y->pa = v3_scale(0.5, v3_add(i.pa, f.pa));
    y->r = 0.5 * (i.r + f.r), y->w = 0.5 * (i.w + f.w), y->p = 0.5 * (i.p + f.p);
    y->z_r = t->dr_slope * edot_f[6] + t->dr_slope_i * edot_i[6];
    y->z_w = t->dw_slope * edot_f[6] + t->dw_slope_i * edot_i[6];
}

void ts_helix_pull_rates(const ts_helix_step *x, const ts_helix_rates *y, v6 F, double *s) {
    v3 n = F.v, m = F.w;
    double na = v3_dot(n, x->a), nda = v3_dot(n, y->a), by_a = y->w * na + x->w * nda;
    v3_store(s, v3_axpy(y->r, n, v3_axpy(by_a, x->a, v3_scale(x->w * na, y->a))));
    v3 on_a = v3_axpy(y->w * x->p + x->w * y->p, n, v3_scale(y->r, m));
    v3_store(s + 3, v3_axpy(by_a, x->g, v3_axpy(x->w * na, y->g, on_a)));
    s[6] = y->z_r * (v3_dot(n, x->g) + v3_dot(m, x->a)) +
           x->turn.dr * (v3_dot(n, y->g) + v3_dot(m, y->a)) + y->z_w * v3_dot(n, x->pa) +
           x->turn.dw * v3_dot(n, y->pa);
}

v6 ts_helix_change(const ts_helix_step *x, const double *e) {
    v3 g = v3_load(e), a = v3_load(e + 3);
    double r = x->turn.dr * e[6], w = x->turn.dw * e[6];
    double p = v3_dot(x->a, g) + v3_dot(x->g, a);
    v3 pa = v3_axpy(x->p, a, v3_scale(p, x->a));
    return v6_make(v3_axpy(x->r, g, v3_axpy(r, x->g, v3_axpy(x->w, pa, v3_scale(w, x->pa)))),
                   v3_axpy(x->r, a, v3_scale(r, x->a)));
}
