/* SPDX-License-Identifier: Apache-2.0 */
/* Constraints along a path, for parts that slide along a beam, a cable or a curve.
 *
 *     y = phi_0(s) + sum_k phi_k(s) e_k
 *
 * with s the first form and the weights phi piecewise polynomials of it. Weights may jump from
 * piece to piece (where the forms of one element are replaced by those of the next); y does not:
 * the jumps of the weights cancel for the forms of any configuration, and so for their means and
 * rates. With D_k the mean of phi_k' from s_i to s_f, jumps left out, bars for means of both ends
 * and d for s_f - s_i, the discrete gradient and zeta of model/law.h are
 *
 *     g_k = bar phi_k ,       g_s = D_0 + sum D_k bar e_k
 *     zeta_k = bar(phi_k' s') ,
 *     zeta_s = sum D_k bar e_k' + (E_k s'_f - I_k s'_i) bar e_k ,
 *     E = (phi'_f - D)/d = dD/ds_f ,   I = (phi'_i - D)/d = -dD/ds_i .
 *
 * Within a piece D is computed without dividing two small differences: for x^m it is the sum of
 * x_f^a x_i^b over a + b = m - 1. Steps that cross bounds sum the contributions of each piece; any
 * number of bounds may be crossed. Before its first and after its last bound a path is continued
 * with the polynomials of the end pieces.
 */
#include "laws/path_row.h"

#include <math.h>
#include <string.h>

enum { W = TS_MAX_FORMS, POWERS = TS_PATH_MOST_DEGREE + 1 };

/* The weights over a step: values, slopes and curvature, and the quotients above. */
typedef struct weights {
    double i[W], f[W], slope_i[W], slope_f[W], bend_f[W];
    double D[W], E[W], I[W], E_s[W], I_s[W]; /* _s: by s_f */
} weights;

typedef struct place {
    int turn, piece; /* number of turns around a closed path; number of the piece */
    double x, length;
} place;

/* ---- the table ---- */

static double bound(const double *data, int i) { return data[TS_PATH_BOUNDS + i]; }

static const double *coefficients(const double *data, int piece, int weight) {
    int n = (int)data[TS_PATH_WEIGHTS], degree = (int)data[TS_PATH_DEGREE];
    return data + TS_PATH_BOUNDS + (int)data[TS_PATH_PIECES] + 1 +
           (piece * n + weight) * (degree + 1);
}

static place place_of(const double *data, double s) {
    int pieces = (int)data[TS_PATH_PIECES], low = 0, high = pieces;
    place at = {0};
    if (data[TS_PATH_PERIOD] > 0) {
        double turn = floor((s - bound(data, 0)) / data[TS_PATH_PERIOD]);
        at.turn = fabs(turn) < 1e8 ? (int)turn : 0;
        s -= turn * data[TS_PATH_PERIOD];
    }
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s >= bound(data, middle))
            low = middle;
        else
            high = middle;
    }
    at.piece = low;
    at.length = bound(data, low + 1) - bound(data, low);
    at.x = (s - bound(data, low)) / at.length;
    return at;
}

/* ---- divided differences of powers ---- */

/* Divided differences D of x^m between a and b; derivatives of D by b and a; derivatives of these
 * two by b. */
typedef struct quotients {
    double D[POWERS], b[POWERS], a[POWERS], bb[POWERS], ab[POWERS];
} quotients;

static void powers(double x, double *to) {
    to[0] = 1;
    for (int m = 1; m < POWERS; m++) to[m] = x * to[m - 1];
}

static double at(const double *power, int m) { return m < 0 ? 0 : power[m]; }

static void quotients_of(int degree, double a, double b, quotients *q) {
    double A[POWERS], B[POWERS];
    powers(a, A), powers(b, B);
    *q = (quotients){0};
    for (int m = 1; m <= degree; m++)
        for (int k = 0, l = m - 1; k < m; k++, l--) {
            q->D[m] += B[k] * A[l];
            q->b[m] += k * at(B, k - 1) * A[l], q->a[m] += l * B[k] * at(A, l - 1);
            q->bb[m] += k * (k - 1) * at(B, k - 2) * A[l];
            q->ab[m] += k * l * at(B, k - 1) * at(A, l - 1);
        }
}

static double sum(int degree, const double *c, const double *by) {
    double total = 0;
    for (int m = 0; m <= degree; m++) total += c[m] * by[m];
    return total;
}

/* ---- weights over a step ---- */

static void weights_at(const double *data, const place *p, double *value, double *slope,
                       double *bend) {
    int degree = (int)data[TS_PATH_DEGREE], n = (int)data[TS_PATH_WEIGHTS];
    double P[POWERS], S[POWERS] = {0}, B[POWERS] = {0};
    powers(p->x, P);
    for (int m = 1; m <= degree; m++) S[m] = m * P[m - 1] / p->length;
    for (int m = 2; m <= degree; m++) B[m] = m * (m - 1) * P[m - 2] / (p->length * p->length);
    for (int k = 0; k < n; k++) {
        const double *c = coefficients(data, p->piece, k);
        value[k] = sum(degree, c, P), slope[k] = sum(degree, c, S);
        if (bend) bend[k] = sum(degree, c, B);
    }
}

static void within_piece(const double *data, const place *i, const place *f, weights *w) {
    int degree = (int)data[TS_PATH_DEGREE], n = (int)data[TS_PATH_WEIGHTS];
    double by = 1 / f->length;
    quotients q;
    quotients_of(degree, i->x, f->x, &q);
    for (int k = 0; k < n; k++) {
        const double *c = coefficients(data, f->piece, k);
        w->D[k] = by * sum(degree, c, q.D);
        w->E[k] = by * by * sum(degree, c, q.b), w->I[k] = -by * by * sum(degree, c, q.a);
        w->E_s[k] = by * by * by * sum(degree, c, q.bb);
        w->I_s[k] = -by * by * by * sum(degree, c, q.ab);
    }
}

/* Change of the weights from x = a to x = b of a piece. */
static void add_change(const double *data, int piece, double a, double b, double *change) {
    int degree = (int)data[TS_PATH_DEGREE], n = (int)data[TS_PATH_WEIGHTS];
    quotients q;
    quotients_of(degree, a, b, &q);
    for (int k = 0; k < n; k++)
        change[k] += (b - a) * sum(degree, coefficients(data, piece, k), q.D);
}

/* Sums the changes from the lower to the upper place, piece by piece; whole turns change
 * nothing. */
static void change_between(const double *data, const place *low, const place *high,
                           double *change) {
    int pieces = (int)data[TS_PATH_PIECES], piece = low->piece;
    add_change(data, piece, low->x, 1, change);
    for (piece = (piece + 1) % pieces; piece != high->piece; piece = (piece + 1) % pieces)
        add_change(data, piece, 0, 1, change);
    add_change(data, piece, 0, high->x, change);
}

static void across_pieces(const double *data, const place *i, const place *f, double d,
                          weights *w) {
    int n = (int)data[TS_PATH_WEIGHTS];
    double change[W] = {0};
    change_between(data, d > 0 ? i : f, d > 0 ? f : i, change);
    for (int k = 0; k < n; k++) {
        w->D[k] = change[k] / fabs(d);
        w->E[k] = (w->slope_f[k] - w->D[k]) / d, w->I[k] = (w->slope_i[k] - w->D[k]) / d;
        w->E_s[k] = (w->bend_f[k] - 2 * w->E[k]) / d;
        w->I_s[k] = -(w->E[k] + w->I[k]) / d;
    }
}

static void weights_over(const double *data, double s_i, double s_f, weights *w) {
    place i = place_of(data, s_i), f = place_of(data, s_f);
    weights_at(data, &i, w->i, w->slope_i, NULL);
    weights_at(data, &f, w->f, w->slope_f, w->bend_f);
    if (i.piece == f.piece && i.turn == f.turn)
        within_piece(data, &i, &f, w);
    else
        across_pieces(data, &i, &f, s_f - s_i, w);
}

/* ---- the law ---- */

/* Form k; weight 0, the constant one, multiplies 1. */
static double form(const double *e, int k) { return k ? e[k] : 1; }
static double rate_of(const double *e, int k) { return k ? e[k] : 0; }

static void respond(const ts_law_step *step, ts_row_response *out) {
    int m = step->m;
    const double *e_i = step->e_i, *e_f = step->e_f;
    weights w;
    weights_over(step->data, e_i[0], e_f[0], &w);
    memset(out->dg, 0, (size_t)(m * m) * sizeof(double));
    memset(out->dy_f, 0, (size_t)(m * m) * sizeof(double));
    out->y = out->g[0] = out->slope[0] = out->y_i[0] = 0;
    for (int k = 0; k < m; k++) {
        double mean = 0.5 * (form(e_i, k) + form(e_f, k));
        out->y += w.f[k] * form(e_f, k);
        out->g[0] += w.D[k] * mean;
        out->slope[0] += w.slope_f[k] * form(e_f, k), out->y_i[0] += w.slope_i[k] * form(e_i, k);
        out->dg[0] += w.E[k] * mean, out->dy_f[0] += w.bend_f[k] * form(e_f, k);
        if (k == 0) continue;
        out->g[k] = 0.5 * (w.i[k] + w.f[k]);
        out->slope[k] = out->y_f[k] = w.f[k], out->y_i[k] = w.i[k];
        out->dg[k * m] = 0.5 * w.slope_f[k], out->dg[k] = 0.5 * w.D[k];
        out->dy_f[k * m] = out->dy_f[k] = w.slope_f[k];
    }
    out->y_f[0] = out->slope[0];
}

static void rate(const ts_law_step *step, const double *edot_i, const double *edot_f,
                 ts_row_zeta *out) {
    int m = step->m;
    double v_i = edot_i[0], v_f = edot_f[0];
    weights w;
    weights_over(step->data, step->e_i[0], step->e_f[0], &w);
    memset(out->d_e, 0, (size_t)(m * m) * sizeof(double));
    memset(out->d_edot, 0, (size_t)(m * m) * sizeof(double));
    out->zeta[0] = 0;
    for (int k = 0; k < m; k++) {
        double mean = 0.5 * (form(step->e_i, k) + form(step->e_f, k));
        double mean_rate = 0.5 * (rate_of(edot_i, k) + rate_of(edot_f, k));
        double bend = w.E[k] * v_f - w.I[k] * v_i;
        out->zeta[0] += w.D[k] * mean_rate + bend * mean;
        out->d_e[0] += w.E[k] * mean_rate + (w.E_s[k] * v_f - w.I_s[k] * v_i) * mean;
        out->d_edot[0] += w.E[k] * mean;
        if (k == 0) continue;
        out->zeta[k] = 0.5 * (w.slope_i[k] * v_i + w.slope_f[k] * v_f);
        out->d_e[k * m] = 0.5 * w.bend_f[k] * v_f, out->d_edot[k * m] = 0.5 * w.slope_f[k];
        out->d_e[k] = 0.5 * bend, out->d_edot[k] = 0.5 * w.D[k];
    }
}

const ts_rowlaw TS_PATH_ROW = {.name = "path", .pieces = true, .respond = respond, .rate = rate};
