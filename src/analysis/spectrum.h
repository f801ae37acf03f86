/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of a scheme for a vibration: spectral radius, damping ratio and period error of one
 * step on a linear oscillator. */
#ifndef TS_SPECTRUM_H
#define TS_SPECTRUM_H

#include "study/schemes.h"

typedef struct ts_spectrum {
    double ratio;        /* step / period */
    double radius;       /* largest modulus of the eigenvalues */
    bool oscillates;     /* there is a pair mu = r exp(+-i phi); if not, the next two are NAN */
    double damping;      /* -log(r) / phi */
    double period_error; /* 2 pi ratio / phi - 1 */
} ts_spectrum;

/* One step of size h from three states of `node`, which moves along z with the given period and
 * rests at its origin. Returns 0, or the scheme's error. The state of the system is undefined
 * afterwards. */
int ts_spectrum_at(ts_system *system, int node, double period, const ts_scheme *scheme,
                   const ts_step_options *options, double h, ts_spectrum *out);

#endif
