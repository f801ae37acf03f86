/* SPDX-License-Identifier: Apache-2.0 */
/* Resistance against rolling and spinning: see roll.c. */
#ifndef TS_ROLL_H
#define TS_ROLL_H

#include "contact/pair.h"

/* Couples of a pair whose normal force is known, with their energies; into `twist` of both
 * sides. */
void ts_roll_over(ts_contact_step *x);
/* As the sides move at the end of the step, the normal by dn and the normal force by df. */
void ts_roll_moved(const ts_contact_step *x, const ts_contact_motion *by, v3 dn, double df,
                   ts_contact_change *out);

#endif
