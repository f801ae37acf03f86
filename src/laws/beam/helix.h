/* SPDX-License-Identifier: Apache-2.0 */
/* The helix through two frames: strains of a line that turns and stretches evenly from frame A to
 * frame B.
 *
 * Seven forms of the two frames,
 *
 *     g_k = d_k . (x_B - x_A) ,  d_k = (d_k^A + d_k^B)/2
 *     a_k = (d_j^A . d_i^B - d_i^A . d_j^B)/2 ,  (k, i, j) cyclic
 *     u = sum |d_k^B - d_k^A|^2/4
 *
 * determine the relative motion: a = sin(t) n and u = 1 - cos(t) for a turn by t about n. Its
 * logarithm in SE(3), which is the length of the line times its constant strains (Gamma, kappa), is
 * a function of these forms,
 *
 *     W = (r g + w (a.g) a ,  r a) ,       r = t/sin t ,     w = (1 - r)/sin^2 t .              (1)
 *
 * Strains are small compared with 1, and are multiplied by large stiffnesses: so g is counted from
 * its value g_0 as drawn, and W from W_0,
 *
 *     W - W_0 = (g - g_0 + (r - 1) g + w (a.g) a ,  r a) - V_0 ,
 *     V_0: the other terms, as drawn,
 *
 * all terms of which are small; so W - W_0 is as accurate as the forms.
 *
 * It is exact for every helix with t < 180 degrees, objective, and has no other zero: where W = 0
 * both frames are equal. The element of Sonneville, Cardona and Bruls (Comput. Methods Appl. Mech.
 * Engrg. 268 (2014) 451) in ambient coordinates.
 *
 * Over a step from e_i to e_f the product rule of means and differences, and divided differences of
 * r and w by u, give the discrete Jacobian J with J (e_f - e_i) = W_f - W_i to round-off. With bars
 * for means of both ends and p = a.g,
 *
 *     J^T (n, m):   g:  r n + w (n.a) a
 *                   a:  w p n + w (n.a) g + r m
 *                       (2)
 *                   u:  (dr/du)(n.g + m.a) + (dw/du) n.mean(p a)
 */
#ifndef TS_HELIX_H
#define TS_HELIX_H

#include <stdbool.h>

#include "laws/beam/helix_turn.h"
#include "math/se3.h"

enum { TS_HELIX_FORMS = 7, TS_HELIX_STRAINS = 6 };

typedef struct ts_helix_step {
    ts_helix_turn turn;
    v3 g, a, pa;    /* means */
    double r, w, p; /* means */
    v3 g_f, a_f;
    double p_f;
    v6 W_i, W_f; /* less W_0 */
} ts_helix_step;

/* The helix as drawn, nine numbers: g_0, V_0. W_0 is their sum. */
enum { TS_HELIX_DRAWN = 9 };
void ts_helix_draw(const double *e, double *drawn); /* from the forms, g not yet counted from g_0 */
v6 ts_helix_drawn(const double *drawn);             /* W_0 */

/* From here on the first three of e are g - g_0. */

/* W - W_0 at one state */
v6 ts_helix_at(const double *drawn, const double *e);
/* slopes: also for ts_helix_jacobian_end and ts_helix_add_second */
void ts_helix_over(const double *drawn, const double *e_i, const double *e_f, bool slopes,
                   ts_helix_step *out);
/* s = J^T F */
void ts_helix_pull(const ts_helix_step *x, v6 F, double *s);
/* J, its seven columns; and that at the end of the step, dW_f/de_f. The first three, by g, have no
 * moments. */
void ts_helix_jacobian(const ts_helix_step *x, v6 *J);
void ts_helix_jacobian_end(const ts_helix_step *x, v6 *J);
/* ds += d(J^T F)/de_f, 7 x 7; rows of ds are `width` apart */
void ts_helix_add_second(const ts_helix_step *x, v6 F, int width, double *ds);
/* Rates of W over a step. With those of the forms, J edot at the ends; and Z with
 *
 *     (J edot)_f - (J edot)_i = J (edot_f - edot_i) + Z (e_f - e_i) ,
 *
 * where J on the right is the discrete one. This is the product rule again; r and w bring second
 * divided differences, r'_f udot_f - r'_i udot_i = r[i, f] (udot_f - udot_i) + (r[i, f, f]
 * udot_f + r[i, i, f] udot_i) (u_f - u_i). */
typedef struct ts_helix_rates {
    v6 W_i, W_f;
    v3 g, a, pa;              /* means of the rates of g, a and p a */
    double r, w, p, z_r, z_w; /* means of those of r, w, p; and what multiplies u_f - u_i */
} ts_helix_rates;
/* x with slopes */
void ts_helix_rates_over(const ts_helix_step *x, const double *e_i, const double *edot_i,
                         const double *edot_f, ts_helix_rates *out);
/* s = Z^T F */
void ts_helix_pull_rates(const ts_helix_step *x, const ts_helix_rates *y, v6 F, double *s);
/* J e */
v6 ts_helix_change(const ts_helix_step *x, const double *e);

/* Changes of a step and of its rates, as the functions above take them, when the end of the step
 * moves by de and its rates by dedot. x with slopes. */
void ts_helix_moves(const ts_helix_step *x, const ts_helix_curves *c, const double *edot_i,
                    const double *edot_f, const double *de, const double *dedot, ts_helix_step *dx,
                    ts_helix_rates *dy);
/* Derivatives of J^T F, Z^T F and J e with F and e fixed. */
void ts_helix_pull_moves(const ts_helix_step *x, const ts_helix_step *dx, v6 F, double *s);
void ts_helix_pull_rates_moves(const ts_helix_step *x, const ts_helix_rates *y,
                               const ts_helix_step *dx, const ts_helix_rates *dy, v6 F, double *s);
v6 ts_helix_change_moves(const ts_helix_step *x, const ts_helix_step *dx, const double *e);

/* F from the first six of s = J^T F, of a step of no length */
v6 ts_helix_push(const ts_helix_step *x, const double *s);

#endif
