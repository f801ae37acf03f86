/* SPDX-License-Identifier: Apache-2.0 */
/* Energies of a penetration over a step, of unit stiffness: see penetration.c. */
#ifndef TS_PENETRATION_H
#define TS_PENETRATION_H

typedef struct ts_penetration {
    const char *name;
    double (*energy)(double y); /* y > 0: depth; otherwise apart, with zero energy */
    double (*stiffness)(double y);
    /* Divided difference of the energy between two values of y, and its slope by the second. */
    double (*force)(double y_i, double y_f, double *slope);
    /* Duration and depth of an impact of a mass over stiffness, at a speed above zero; and static
     * depth under a force over stiffness. */
    double (*lasts)(double mass, double speed);
    double (*deepest)(double mass, double speed);
    double (*sinks)(double force);
} ts_penetration;

/* The barrier counts y in units of its reach: at 1 there is a wall. */
extern const ts_penetration ts_linear_penetration, ts_hertz_penetration, ts_barrier_penetration;

#endif
