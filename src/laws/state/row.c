/* SPDX-License-Identifier: Apache-2.0 */
/* Motions that depend on the state: a coordinate follows an expression of others, as with a cam, a
 * linkage, or a gear with variable ratio:
 *
 *     Y = y - u(x_1, ..., x_n) = 0 .
 *
 * Target y and arguments x_k are measures, functions of forms: way.c. The time is an argument like
 * others: the place of a point that a drive moves (parts/joints/motion.c), so that the work of u's
 * dependence on time is the work of that drive, and Y itself does none.
 *
 * The discrete gradient over the arguments is the mean of the gradient along the straight way from
 * x_i to x_f, s = 0 ... 1 (Harten, Lax and van Leer, SIAM Review 25, 1983), with H the matrix of
 * second derivatives of u, d = x_f - x_i and v(s) = x'_i + s (x'_f - x'_i)
 *
 *     G = int grad u ds ,              G . d = u_f - u_i
 *     Z = int H v ds = M_0 x'_i + M_1 (x'_f - x'_i) ,      M_k = int s^k H ds
 *     grad u_f . x'_f - grad u_i . x'_i = G . (x'_f - x'_i) + Z . d ,      dG/dx_f = M_1 = dZ/dx'_f
 *
 * the last line since d(grad u . v)/ds = d . H v + grad u . (x'_f - x'_i). With g_k and zeta_k of
 * each measure, (G) and (Z) of model/law.h hold with sum G_k g_k and sum G_k zeta_k + Z_k g_k.
 *
 * Integrals use Gauss-Legendre quadrature with ten points, over pieces that are halved until they
 * satisfy these equations. The residual that a corner or a jump of u leaves is closed along c, c .
 * d = 1: with J = grad u_f - grad u_i - M_0 d, the sum of the jumps of the gradient, c = J/(J . d).
 * A single corner has [[grad u]] parallel to J, and all of this is then exact; so it is with one
 * argument. dZ/dx_f needs third derivatives: differences of H along v, over a hundredth of the
 * step.
 */
#include "laws/state/row.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/gauss.h"

enum { N = TS_ROW_MEASURES, DEPTH = 6 };

/* ---- the function u ---- */

typedef struct profile {
    const ts_expr *expr;
    const double *variable; /* three numbers for each variable */
    int measures, variables, clock;
    double scale;
    bool used[N];
} profile;

typedef struct bends {
    double u, by[N], second[N][N];
} bends;

static const double *variable_of(const profile *p, int k) {
    return p->variable + k * TS_VARIABLE_NUMBERS;
}
static int measure_of(const profile *p, int k) {
    return (int)variable_of(p, k)[TS_VARIABLE_MEASURE];
}

static profile profile_of(const ts_law_step *step) {
    const double *data = step->data;
    const ts_signal *signal = &step->signals[step->signal[0]];
    profile p = {.expr = signal->expr,
                 .measures = (int)data[TS_STATE_MEASURES],
                 .variables = (int)data[TS_STATE_VARIABLES],
                 .clock = (int)data[TS_STATE_ANCHOR],
                 .scale = data[TS_STATE_SCALE]};
    p.variable = data + TS_STATE_HEAD + p.measures * TS_MEASURE_NUMBERS;
    if (p.clock >= 0) p.used[p.clock] = true;
    for (int k = 0; k < p.variables; k++) p.used[measure_of(&p, k)] = true;
    return p;
}

static double time_of(const profile *p, const double *x) { return p->clock >= 0 ? x[p->clock] : 0; }

static void variables_at(const profile *p, const double *x, double *out) {
    for (int k = 0; k < p->variables; k++)
        out[k] = x[measure_of(p, k)] + variable_of(p, k)[TS_VARIABLE_OFFSET];
}

/* Change of the variables with a measure. */
static ts_argument direction(const profile *p, int measure, double *room) {
    for (int k = 0; k < p->variables; k++) room[k] = measure_of(p, k) == measure;
    return (ts_argument){.t = measure == p->clock, .x = room};
}

static void look(const profile *p, const double *x, bends *out) {
    double value[TS_STATE_MAX_VARIABLES], a[TS_STATE_MAX_VARIABLES], b[TS_STATE_MAX_VARIABLES];
    ts_argument at = {time_of(p, x), value};
    variables_at(p, x, value);
    *out = (bends){0};
    for (int k = 0; k < p->measures; k++)
        for (int l = k; p->used[k] && l < p->measures; l++) {
            double d[3];
            if (!p->used[l]) continue;
            const ts_argument along[2] = {direction(p, k, a), direction(p, l, b)};
            out->u = p->scale * ts_expr_second(p->expr, at, along, d);
            out->by[k] = p->scale * d[0];
            out->second[k][l] = out->second[l][k] = p->scale * d[2];
        }
}

static double mark(const profile *p, const double *x) {
    double value[TS_STATE_MAX_VARIABLES];
    variables_at(p, x, value);
    return ts_expr_mark_at(p->expr, time_of(p, x), value);
}

/* ---- integrals along the way ---- */

typedef struct path {
    profile p;
    double x_i[N], x_f[N], d[N];
    double v_i[N], v_f[N], h; /* rates, and the length of their step; 0: not requested */
    bends i, f;
} path;

typedef struct sums {
    double G[N], M0[N][N], M1[N][N], T[N][N]; /* T: int s dH/dx v ds */
    bool open;                                /* the equations are not satisfied on a piece */
} sums;

static void place_at(const path *w, double s, double *x) {
    for (int k = 0; k < w->p.measures; k++) x[k] = w->x_i[k] + s * w->d[k];
}

/* Derivative of H along the rates at s. */
static void third(const path *w, double s, const double *x, double out[N][N]) {
    double near[N], by = 0.01 * w->h;
    bends at[2];
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < w->p.measures; k++)
            near[k] = x[k] + (side ? by : -by) * (w->v_i[k] + s * (w->v_f[k] - w->v_i[k]));
        look(&w->p, near, &at[side]);
    }
    for (int k = 0; k < N; k++)
        for (int l = 0; l < N; l++)
            out[k][l] = (at[1].second[k][l] - at[0].second[k][l]) / (2 * by);
}

static void gauss(const path *w, double from, double to, sums *out) {
    double middle = 0.5 * (from + to), half = 0.5 * (to - from), x[N], along[N][N];
    bends at;
    *out = (sums){0};
    for (int i = 0; i < TS_GAUSS_POINTS; i++) {
        double s = middle + half * TS_GAUSS[i].x, c = half * TS_GAUSS[i].weight;
        place_at(w, s, x);
        look(&w->p, x, &at);
        if (w->h > 0) third(w, s, x, along);
        for (int k = 0; k < w->p.measures; k++) {
            out->G[k] += c * at.by[k];
            for (int l = 0; l < w->p.measures; l++) {
                out->M0[k][l] += c * at.second[k][l], out->M1[k][l] += c * s * at.second[k][l];
                if (w->h > 0) out->T[k][l] += c * s * along[k][l];
            }
        }
    }
}

static void add(int n, const sums *piece, sums *to) {
    for (int k = 0; k < n; k++) {
        to->G[k] += piece->G[k];
        for (int l = 0; l < n; l++) {
            to->M0[k][l] += piece->M0[k][l], to->M1[k][l] += piece->M1[k][l];
            to->T[k][l] += piece->T[k][l];
        }
    }
}

/* Do the means of the gradient and of its slope give the changes of u and its gradient? */
static bool closes(const path *w, const bends *from, const bends *to, const sums *piece) {
    double open = to->u - from->u, size = fabs(to->u) + fabs(from->u);
    for (int k = 0; k < w->p.measures; k++) {
        double bent = to->by[k] - from->by[k], all = fabs(to->by[k]) + fabs(from->by[k]);
        open -= piece->G[k] * w->d[k], size += fabs(piece->G[k] * w->d[k]);
        for (int l = 0; l < w->p.measures; l++) {
            bent -= piece->M0[k][l] * w->d[l], all += fabs(piece->M0[k][l] * w->d[l]);
        }
        if (!(fabs(bent) <= 1e-13 * all)) return false;
    }
    return fabs(open) <= 64 * DBL_EPSILON * size;
}

static void add_pieces(const path *w, double from, double to, const bends *at_from,
                       const bends *at_to, int depth, sums *out) {
    double middle = 0.5 * (from + to), x[3][N];
    sums piece;
    gauss(w, from, to, &piece);
    place_at(w, from, x[0]), place_at(w, middle, x[1]), place_at(w, to, x[2]);
    double branch = mark(&w->p, x[0]);
    bool kink = branch != mark(&w->p, x[1]) || branch != mark(&w->p, x[2]);
    bool fine = !kink && closes(w, at_from, at_to, &piece);
    if (fine || depth == 0 || !isfinite(at_to->u)) {
        add(w->p.measures, &piece, out);
        out->open |= !fine;
        return;
    }
    bends half;
    look(&w->p, x[1], &half);
    add_pieces(w, from, middle, at_from, &half, depth - 1, out);
    add_pieces(w, middle, to, &half, at_to, depth - 1, out);
}

static void at_one_place(const path *w, sums *out) {
    *out = (sums){0};
    memcpy(out->G, w->f.by, sizeof out->G);
    for (int k = 0; k < N; k++)
        for (int l = 0; l < N; l++)
            out->M0[k][l] = w->f.second[k][l], out->M1[k][l] = 0.5 * w->f.second[k][l];
}

/* ---- closing the residual of a corner ---- */

/* A direction c with c . d = 1. */
static void closing(const path *w, const sums *m, double *c) {
    double J[N], along = 0, size = 0;
    int n = w->p.measures, largest = 0;
    for (int k = 0; k < n; k++) {
        c[k] = 0, J[k] = w->f.by[k] - w->i.by[k];
        for (int l = 0; l < n; l++) J[k] -= m->M0[k][l] * w->d[l];
        along += J[k] * w->d[k], size += fabs(J[k] * w->d[k]);
        if (fabs(m->G[k] * w->d[k]) > fabs(m->G[largest] * w->d[largest])) largest = k;
    }
    if (fabs(along) > 1e-6 * size)
        for (int k = 0; k < n; k++) c[k] = J[k] / along;
    else if (w->d[largest] != 0)
        c[largest] = 1 / w->d[largest];
}

/* Means over the way, and dG/dx_f = dZ/dx'_f. */
typedef struct means {
    sums m;
    double c[N], slope[N][N];
} means;

static void means_over(const path *w, means *out) {
    int n = w->p.measures;
    bool still = true;
    for (int k = 0; k < n; k++) still &= w->d[k] == 0 || !w->p.used[k];
    out->m = (sums){0};
    if (still)
        at_one_place(w, &out->m);
    else
        add_pieces(w, 0, 1, &w->i, &w->f, DEPTH, &out->m);
    memcpy(out->slope, out->m.M1, sizeof out->slope);
    if (!out->m.open) return;
    closing(w, &out->m, out->c);
    double open = w->f.u - w->i.u;
    for (int k = 0; k < n; k++) open -= out->m.G[k] * w->d[k];
    for (int k = 0; k < n; k++) out->m.G[k] += open * out->c[k];
    for (int l = 0; l < n; l++) {
        double rest = w->f.by[l] - out->m.G[l];
        for (int k = 0; k < n; k++) rest -= out->m.M1[l][k] * w->d[k];
        for (int k = 0; k < n; k++) out->slope[k][l] += out->c[k] * rest;
    }
}

static void curvature(const path *w, const means *a, double *Z) {
    int n = w->p.measures;
    double open = 0;
    for (int k = 0; k < n; k++) {
        Z[k] = 0;
        for (int l = 0; l < n; l++)
            Z[k] += a->m.M0[k][l] * w->v_i[l] + a->m.M1[k][l] * (w->v_f[l] - w->v_i[l]);
        open += w->f.by[k] * w->v_f[k] - w->i.by[k] * w->v_i[k];
        open -= a->m.G[k] * (w->v_f[k] - w->v_i[k]) + Z[k] * w->d[k];
    }
    for (int k = 0; k < n && a->m.open; k++) Z[k] += open * a->c[k];
}

/* ---- the row: Y = y - u, over all measures ---- */

typedef struct measured {
    path w;
    ts_way way[N];
    ts_way_rate rate[N];
    int form[N];
} measured;

static void measure(const ts_law_step *step, const double *edot_i, const double *edot_f,
                    measured *o) {
    const double *numbers = step->data + TS_STATE_HEAD;
    double none[TS_MAX_FORMS] = {0};
    o->w = (path){.p = profile_of(step)};
    for (int k = 0; k < o->w.p.measures; k++, numbers += TS_MEASURE_NUMBERS) {
        const double way[TS_WAY_NUMBERS] = {numbers[TS_MEASURE_KIND], numbers[TS_MEASURE_TINY]};
        int form = o->form[k] = (int)numbers[TS_MEASURE_FORM];
        const double *rate_i = edot_i ? edot_i + form : none,
                     *rate_f = edot_f ? edot_f + form : none;
        ts_way_over(way, step->memory[k], step->e_i + form, step->e_f + form, &o->way[k]);
        ts_way_rate_over(way, step->e_i + form, step->e_f + form, rate_i, rate_f, &o->rate[k]);
        o->w.x_i[k] = o->way[k].y_i, o->w.x_f[k] = o->way[k].y_f, o->w.d[k] = o->way[k].delta;
        for (int j = 0; j < o->way[k].forms; j++) {
            o->w.v_i[k] += o->rate[k].y_i[j] * rate_i[j];
            o->w.v_f[k] += o->rate[k].y_f[j] * rate_f[j];
        }
    }
    look(&o->w.p, o->w.x_i, &o->w.i), look(&o->w.p, o->w.x_f, &o->w.f);
}

/* Adds weight a (x) b, of the forms of measures k and l, to a matrix over all forms. */
static void add_block(const measured *o, int m, int k, int l, double weight, const double *a,
                      const double *b, double *to) {
    for (int i = 0; i < o->way[k].forms && weight != 0; i++)
        for (int j = 0; j < o->way[l].forms; j++)
            to[(o->form[k] + i) * m + o->form[l] + j] += weight * a[i] * b[j];
}

static void add_own(const measured *o, int m, int k, double weight, const double *a, double *to) {
    int n = o->way[k].forms;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[(o->form[k] + i) * m + o->form[k] + j] += weight * a[n * i + j];
}

static void add_row(const measured *o, int k, double weight, const double *a, double *to) {
    for (int i = 0; i < o->way[k].forms; i++) to[o->form[k] + i] += weight * a[i];
}

/* Derivative of Y by measure k, where that of u is `by`. */
static double of_row(int k, double by) { return (k == 0) - by; }

static void respond(const ts_law_step *step, ts_row_response *out) {
    measured o;
    means a;
    int m = step->m;
    measure(step, NULL, NULL, &o);
    means_over(&o.w, &a);
    *out = (ts_row_response){.y = o.w.x_f[0] - o.w.f.u};
    for (int k = 0; k < o.w.p.measures; k++) {
        double G = of_row(k, a.m.G[k]), by = of_row(k, o.w.f.by[k]);
        add_row(&o, k, G, o.way[k].g, out->g), add_own(&o, m, k, G, o.way[k].dg, out->dg);
        add_row(&o, k, by, o.way[k].slope, out->slope);
        add_row(&o, k, by, o.rate[k].y_f, out->y_f);
        add_row(&o, k, of_row(k, o.w.i.by[k]), o.rate[k].y_i, out->y_i);
        add_own(&o, m, k, by, o.rate[k].dy_f, out->dy_f);
        for (int l = 0; l < o.w.p.measures; l++) {
            add_block(&o, m, k, l, -a.slope[k][l], o.way[k].g, o.way[l].slope, out->dg);
            add_block(&o, m, k, l, -o.w.f.second[k][l], o.rate[k].y_f, o.way[l].slope, out->dy_f);
        }
    }
}

/* Rates of measures at the end, by e_f. */
static void add_rate_slope(const measured *o, int m, int k, int l, double weight,
                           const double *edot_f, double *to) {
    double by_e[2] = {0};
    int n = o->way[l].forms;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) by_e[j] += o->rate[l].dy_f[n * i + j] * edot_f[o->form[l] + i];
    add_block(o, m, k, l, weight, o->way[k].g, by_e, to);
}

static void rate(const ts_law_step *step, const double *edot_i, const double *edot_f,
                 ts_row_zeta *out) {
    measured o;
    means a;
    double Z[N];
    int m = step->m;
    measure(step, edot_i, edot_f, &o);
    o.w.h = step->t_f - step->t_i;
    means_over(&o.w, &a);
    curvature(&o.w, &a, Z);
    *out = (ts_row_zeta){0};
    for (int k = 0; k < o.w.p.measures; k++) {
        double G = of_row(k, a.m.G[k]);
        add_row(&o, k, G, o.rate[k].zeta, out->zeta), add_row(&o, k, -Z[k], o.way[k].g, out->zeta);
        add_own(&o, m, k, G, o.rate[k].d_e, out->d_e);
        add_own(&o, m, k, G, o.rate[k].d_edot, out->d_edot);
        add_own(&o, m, k, -Z[k], o.way[k].dg, out->d_e);
        for (int l = 0; l < o.w.p.measures; l++) {
            double slope = -a.slope[k][l];
            add_block(&o, m, k, l, slope, o.rate[k].zeta, o.way[l].slope, out->d_e);
            add_block(&o, m, k, l, -a.m.T[k][l], o.way[k].g, o.way[l].slope, out->d_e);
            add_block(&o, m, k, l, slope, o.way[k].g, o.rate[l].y_f, out->d_edot);
            add_rate_slope(&o, m, k, l, slope, edot_f, out->d_e);
        }
    }
}

static void keep(const double *data, const double *e, double *memory) {
    const double *numbers = data + TS_STATE_HEAD;
    for (int k = 0; k < (int)data[TS_STATE_MEASURES]; k++, numbers += TS_MEASURE_NUMBERS) {
        const double way[TS_WAY_NUMBERS] = {numbers[TS_MEASURE_KIND], numbers[TS_MEASURE_TINY]};
        memory[k] = ts_way_value(way, memory[k], e + (int)numbers[TS_MEASURE_FORM]);
    }
}

static void commit(const ts_law_step *step, double *memory) { keep(step->data, step->e_f, memory); }

const ts_rowlaw TS_STATE_ROW = {.name = "motion by the state",
                                .pieces = true,
                                .begin = keep,
                                .respond = respond,
                                .rate = rate,
                                .commit = commit};
