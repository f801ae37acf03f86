/* Energies of a penetration over a step, of unit stiffness: see penetration.c. */
#ifndef TS_PENETRATION_H
#define TS_PENETRATION_H

typedef struct ts_penetration {
    const char *name;
    double (*energy)(double y); /* y > 0: as deep; otherwise apart, and nothing */
    double (*stiffness)(double y);
    /* Divided difference of the energy between two values of y, and its slope by the second. */
    double (*force)(double y_i, double y_f, double *slope);
    /* How long a mass over stiffness that comes in at a speed stays. */
    double (*lasts)(double mass, double speed);
} ts_penetration;

extern const ts_penetration ts_linear_penetration, ts_hertz_penetration;

#endif
