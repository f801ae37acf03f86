/* SPDX-License-Identifier: Apache-2.0 */
/* Couples: resistance against rolling and spinning, see roll.c; the couple of friction on a
 * flexible side, see couple.c. */
#ifndef TS_ROLL_H
#define TS_ROLL_H

#include "contact/pair.h"

/* ---- three vectors that turn together ---- */

/* Sum of a_k x b_k. */
v3 ts_crossed(m3 a, m3 b);
/* Sum of a_k . b_k I - (a_k b_k^T + b_k a_k^T)/2, times u; of a line only the first term. */
v3 ts_spread_times(bool line, m3 a, m3 b, v3 u);
/* u from its product with a = b = d. */
v3 ts_spread_solve(bool line, m3 d, v3 b);
/* Are three corners nearly collinear? */
bool ts_spread_flat(m3 d);

/* ---- rolling and spinning ---- */

/* Couples of a pair whose normal force is known, with their energies; into `twist` of both
 * sides. */
void ts_roll_over(ts_contact_step *x);
/* As the sides move at the end of the step, the normal by dn and the normal force by df. */
void ts_roll_moved(const ts_contact_step *x, const ts_contact_motion *by, v3 dn, double df,
                   ts_contact_change *out);

/* ---- a flexible side B that is touched off its points ---- */

/* Motion of the place of contact that is due to the rotation of side B; the `levers` are given. */
v3 ts_lean_over(ts_contact_step *x, v3 at);
void ts_lean_press(ts_contact_step *x); /* Computes forces on the levers, once friction is known. */
/* Changes of both, with the weights of the gap, and the arm by `lean`; forces, once the change of
 * friction is known. */
v3 ts_lean_moved(const ts_contact_step *x, const ts_contact_motion *by, const double *weight,
                 v3 lean);
void ts_lean_pressed(const ts_contact_step *x, const ts_contact_motion *by, const double *weight,
                     v3 lean, ts_contact_change *out);

#endif
