/* SPDX-License-Identifier: Apache-2.0 */
/* The integral of a signal over time, from t = 0: integral.c. */
#ifndef TS_INTEGRAL_H
#define TS_INTEGRAL_H

#include "model/signal.h"

/* From now on the signal is the integral of its former value, and its rate is that value. Not for
 * inputs. */
void ts_signal_integrate(ts_signal *signal);
/* For signal.c: the integral from 0 to t of a signal without its integral; cleaning up. */
double ts_integral_value(const ts_signal *signal, double t);
void ts_integral_free(struct ts_integral *integral);

#endif
