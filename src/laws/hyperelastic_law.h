/* SPDX-License-Identifier: Apache-2.0 */
/* Hyperelastic solids: one law over the six Green-Lagrange strains of a point. See
 * hyperelastic_law.c. */
#ifndef TS_HYPERELASTIC_LAW_H
#define TS_HYPERELASTIC_LAW_H

#include "model/law.h"

/* Numbers of a site. Moduli of terms that are not used are zero, so the parts of a split energy
 * (isochoric, volumetric) are the same law with other numbers. */
enum {
    TS_HYPER_WEIGHT, /* volume that the site represents */
    TS_HYPER_ETA,    /* damping: time times stiffness */
    TS_HYPER_MU,     /* coupled neo-Hookean: mu/2 (tr C - 3) - mu ln J ... */
    TS_HYPER_LAMBDA, /* ... + lambda/2 (ln J)^2 */
    TS_HYPER_C10,    /* Mooney-Rivlin, isochoric: c10 (J^-2/3 I1 - 3) ... */
    TS_HYPER_C01,    /* ... + c01 (J^-4/3 I2 - 3) */
    TS_HYPER_KAPPA,  /* volumetric: kappa/2 ((J^2 - 1)/2 - ln J) */
    TS_HYPER_NUMBERS
};

extern const ts_law TS_HYPERELASTIC_LAW;

/* Stiffness of an isotropic linear solid (Saint Venant-Kirchhoff) over the same strains, 6x6;
 * nu < 1/2. */
void ts_isotropic_stiffness(double E, double nu, double K[36]);

#endif
