/* SPDX-License-Identifier: Apache-2.0 */
/* See helix.h. */
#include "laws/beam/helix.h"

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
    ts_helix_turn_at(e[6], &r, &w);
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

/* Terms from which the columns of a Jacobian are formed: the means of a step with divided
 * differences, or the values at its end with derivatives. */
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

/* Every mean changes by half of the change of its end. */
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

/* Rates at one end, where r (in full), w and their slopes are given; rates of W follow from
 * these. */
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

/* ---- as the end moves ---- */

static void end_moves(const ts_helix_step *x, const double *de, ts_helix_step *dx) {
    const ts_helix_turn *t = &x->turn;
    v3 dg = v3_load(de), da = v3_load(de + 3), g = x->g_f, a = x->a_f;
    double du = de[6], p = x->p_f, dp = v3_dot(da, g) + v3_dot(a, dg);
    double r = 1 + t->r_f, dr = t->r_slope * du, dw = t->w_slope * du;
    v3 pa = v3_axpy(p, da, v3_scale(dp, a));
    *dx = (ts_helix_step){.turn = {.dr = t->dr_slope * du, .dw = t->dw_slope * du},
                          .g = v3_scale(0.5, dg),
                          .a = v3_scale(0.5, da),
                          .pa = v3_scale(0.5, pa),
                          .r = 0.5 * dr,
                          .w = 0.5 * dw,
                          .p = 0.5 * dp,
                          .g_f = dg,
                          .a_f = da,
                          .p_f = dp};
    dx->W_f = v6_make(v3_axpy(dr, g, v3_axpy(r, dg, v3_axpy(dw * p, a, v3_scale(t->w_f, pa)))),
                      v3_axpy(dr, a, v3_scale(r, da)));
}

void ts_helix_moves(const ts_helix_step *x, const ts_helix_curves *c, const double *edot_i,
                    const double *edot_f, const double *de, const double *dedot, ts_helix_step *dx,
                    ts_helix_rates *dy) {
    const ts_helix_turn *t = &x->turn;
    v3 g = x->g_f, a = x->a_f, vg = v3_load(edot_f), va = v3_load(edot_f + 3);
    v3 dvg = v3_load(dedot), dva = v3_load(dedot + 3);
    double p = x->p_f, v = edot_f[6], du = de[6], dv = dedot[6];
    end_moves(x, de, dx);
    v3 dg = dx->g_f, da = dx->a_f;
    double r = 1 + t->r_f, dr = t->r_slope * du, dw = t->w_slope * du, dp = dx->p_f;
    /* rates of r, w, p and p a at the end, and how these change */
    double r1 = t->r_slope * v, w1 = t->w_slope * v, p1 = v3_dot(va, g) + v3_dot(a, vg);
    double dr1 = 2 * c->r * v * du + t->r_slope * dv, dw1 = 2 * c->w * v * du + t->w_slope * dv;
    double dp1 = v3_dot(va, dg) + v3_dot(da, vg) + v3_dot(dva, g) + v3_dot(a, dvg);
    v3 pa1 = v3_axpy(p1, a, v3_scale(p, va));
    v3 dpa1 = v3_axpy(dp1, a, v3_axpy(p1, da, v3_axpy(dp, va, v3_scale(p, dva))));
    v3 pa = v3_axpy(dp, a, v3_scale(p, da));
    v3 n = v3_axpy(dr1, g, v3_axpy(r1, dg, v3_axpy(dr, vg, v3_scale(r, dvg))));
    n = v3_axpy(dw1 * p, a, v3_axpy(w1, pa, v3_axpy(dw, pa1, v3_axpy(t->w_f, dpa1, n))));
    v3 m = v3_axpy(dr1, a, v3_axpy(r1, da, v3_axpy(dr, va, v3_scale(r, dva))));
    *dy = (ts_helix_rates){.W_f = v6_make(n, m),
                           .g = v3_scale(0.5, dvg),
                           .a = v3_scale(0.5, dva),
                           .pa = v3_scale(0.5, dpa1),
                           .r = 0.5 * dr1,
                           .w = 0.5 * dw1,
                           .p = 0.5 * dp1};
    dy->z_r = t->dr_slope * dv + (2 * c->dr * v + c->r_cross * edot_i[6]) * du;
    dy->z_w = t->dw_slope * dv + (2 * c->dw * v + c->w_cross * edot_i[6]) * du;
}

void ts_helix_pull_moves(const ts_helix_step *x, const ts_helix_step *dx, v6 F, double *s) {
    v3 n = F.v, m = F.w;
    double na = v3_dot(n, x->a), nda = v3_dot(n, dx->a), wn = x->w * na;
    double dwn = dx->w * na + x->w * nda;
    v3_store(s, v3_axpy(dwn, x->a, v3_axpy(wn, dx->a, v3_scale(dx->r, n))));
    v3 on_a = v3_axpy(dx->w * x->p + x->w * dx->p, n, v3_scale(dx->r, m));
    v3_store(s + 3, v3_axpy(dwn, x->g, v3_axpy(wn, dx->g, on_a)));
    s[6] = dx->turn.dr * (v3_dot(n, x->g) + v3_dot(m, x->a)) +
           x->turn.dr * (v3_dot(n, dx->g) + v3_dot(m, dx->a)) + dx->turn.dw * v3_dot(n, x->pa) +
           x->turn.dw * v3_dot(n, dx->pa);
}

void ts_helix_pull_rates_moves(const ts_helix_step *x, const ts_helix_rates *y,
                               const ts_helix_step *dx, const ts_helix_rates *dy, v6 F, double *s) {
    v3 n = F.v, m = F.w;
    double na = v3_dot(n, x->a), nya = v3_dot(n, y->a), by_a = y->w * na + x->w * nya;
    double dna = v3_dot(n, dx->a), dnya = v3_dot(n, dy->a);
    double dby_a = dy->w * na + y->w * dna + dx->w * nya + x->w * dnya;
    double wn = x->w * na, dwn = dx->w * na + x->w * dna;
    double on_n = dy->w * x->p + y->w * dx->p + dx->w * y->p + x->w * dy->p;
    v3 on_g = v3_axpy(dy->r, n, v3_axpy(dby_a, x->a, v3_scale(by_a, dx->a)));
    v3_store(s, v3_axpy(dwn, y->a, v3_axpy(wn, dy->a, on_g)));
    v3 on_a = v3_axpy(on_n, n, v3_axpy(dy->r, m, v3_axpy(dby_a, x->g, v3_scale(by_a, dx->g))));
    v3_store(s + 3, v3_axpy(dwn, y->g, v3_axpy(wn, dy->g, on_a)));
    s[6] = dy->z_r * (v3_dot(n, x->g) + v3_dot(m, x->a)) +
           y->z_r * (v3_dot(n, dx->g) + v3_dot(m, dx->a)) +
           dx->turn.dr * (v3_dot(n, y->g) + v3_dot(m, y->a)) +
           x->turn.dr * (v3_dot(n, dy->g) + v3_dot(m, dy->a)) + dy->z_w * v3_dot(n, x->pa) +
           y->z_w * v3_dot(n, dx->pa) + dx->turn.dw * v3_dot(n, y->pa) +
           x->turn.dw * v3_dot(n, dy->pa);
}

v6 ts_helix_change_moves(const ts_helix_step *x, const ts_helix_step *dx, const double *e) {
    v3 g = v3_load(e), a = v3_load(e + 3);
    double u = e[6], p = v3_dot(x->a, g) + v3_dot(x->g, a);
    double dp = v3_dot(dx->a, g) + v3_dot(dx->g, a);
    v3 pa = v3_axpy(x->p, a, v3_scale(p, x->a));
    v3 dpa = v3_axpy(dx->p, a, v3_axpy(dp, x->a, v3_scale(p, dx->a)));
    v3 n = v3_axpy(dx->r, g, v3_axpy(dx->w, pa, v3_scale(x->w, dpa)));
    n = v3_axpy(u * dx->turn.dr, x->g, v3_axpy(u * x->turn.dr, dx->g, n));
    n = v3_axpy(u * dx->turn.dw, x->pa, v3_axpy(u * x->turn.dw, dx->pa, n));
    return v6_make(
        n, v3_axpy(dx->r, a, v3_axpy(u * dx->turn.dr, x->a, v3_scale(u * x->turn.dr, dx->a))));
}
