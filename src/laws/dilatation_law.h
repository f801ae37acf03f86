/* SPDX-License-Identifier: Apache-2.0 */
/* Resistance of a hexahedron of eight nodes to a change of its volume. See dilatation_law.c. */
#ifndef TS_DILATATION_LAW_H
#define TS_DILATATION_LAW_H

#include "model/law.h"

/* Numbers of a site. */
enum {
    TS_DILATATION_WEIGHT, /* volume of the element as drawn */
    TS_DILATATION_ETA,    /* damping: time times stiffness */
    TS_DILATATION_LAMBDA, /* lambda/2 (ln J)^2 ... */
    TS_DILATATION_KAPPA,  /* ... + kappa/2 ((J^2 - 1)/2 - ln J), J the ratio of volumes */
    TS_DILATATION_DRAWN,  /* ln of the volume as drawn, as the forms measure it */
    TS_DILATATION_NUMBERS
};

enum { TS_DILATATION_FORMS = 15 };

extern const ts_law TS_DILATATION_LAW;

/* ln of the volume from the forms; NaN if they belong to no body. */
double ts_dilatation_log_volume(const double e[TS_DILATATION_FORMS]);

#endif
