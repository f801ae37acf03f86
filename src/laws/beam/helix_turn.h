/* SPDX-License-Identifier: Apache-2.0 */
/* r and w of a turn by t, as functions of u = 1 - cos t, over a step: see helix_turn.c, and helix.h
 * for what they are. */
#ifndef TS_HELIX_TURN_H
#define TS_HELIX_TURN_H

/* r and w over a step: at both ends, their divided differences, and what Newton's method needs:
 * derivatives at the end, and of the divided differences by the end. */
typedef struct ts_helix_turn {
    double r_i, w_i, r_f, w_f, dr, dw; /* r less 1: so that small turns keep their digits */
    double r_slope, w_slope, dr_slope, dw_slope;         /* at the end: r'_f, r[i, f, f] */
    double r_slope_i, w_slope_i, dr_slope_i, dw_slope_i; /* at the start: r'_i, r[i, i, f] */
} ts_helix_turn;

/* Without the slopes. */
void ts_helix_turn_values(double u_i, double u_f, ts_helix_turn *out);
void ts_helix_turn_slopes(double u_i, double u_f, ts_helix_turn *out);

/* r - 1 and w at u. */
void ts_helix_turn_at(double u, double *r, double *w);

/* For slopes of rates: r[f, f, f], half of the second derivative at the end; r[i, f, f, f];
 * r[i, i, f, f]. */
typedef struct ts_helix_curves {
    double r, w, dr, dw, r_cross, w_cross;
} ts_helix_curves;
/* t: with slopes */
void ts_helix_turn_curves(double u_i, double u_f, const ts_helix_turn *t, ts_helix_curves *out);

#endif
