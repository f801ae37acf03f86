/* SPDX-License-Identifier: Apache-2.0 */
/* Bouc and Wen's hysteresis along a displacement: see bouc_wen.c. */
#ifndef TS_BOUC_WEN_H
#define TS_BOUC_WEN_H

typedef struct ts_bouc_wen {
    double exponent; /* n >= 1 */
    double shape;    /* b = beta/(beta + gamma), 1/2 to 1 */
} ts_bouc_wen;

typedef struct ts_bouc_wen_step {
    double end;   /* zeta at the end of the displacement */
    double mean;  /* mean of zeta over the displacement */
    double slope; /* derivative of zeta at the end by the displacement */
} ts_bouc_wen_step;

/* Integrates zeta, -1 to 1, over the displacement u. */
ts_bouc_wen_step ts_bouc_wen_over(const ts_bouc_wen *law, double zeta, double u);

#endif
