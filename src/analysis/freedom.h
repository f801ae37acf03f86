/* SPDX-License-Identifier: Apache-2.0 */
/* Motions without resistance, and instabilities of an equilibrium: the second variation of the
 * energy along motions that the joints allow. */
#ifndef TS_FREEDOM_H
#define TS_FREEDOM_H

#include "scheme/linear.h"

enum { TS_MOST_FREE = 12, TS_FREE_WORDS = 400 };

typedef struct ts_freedom {
    int unstable; /* independent instabilities; -1: unknown (loads without a potential) */
    int count;    /* free motions; TS_MOST_FREE: there may be more */
    int dofs;
    double *phi; /* `dofs` each, displacements and rotations; each as local to one part as
                  * possible */
    int *part;   /* for each: the part that moves most */
} ts_freedom;

/* Finds free motions of the linearised system. Preloads and multipliers count if the system
 * contains them. */
int ts_freedom_find(ts_freedom *out, const ts_system *system, const ts_linear_model *x);
/* Free motions of the equilibrium at the system's state, under the loads at its time. */
int ts_freedom_of_equilibrium(ts_freedom *out, ts_system *system);
void ts_freedom_free(ts_freedom *freedom);

/* "'wheel' turns about y" */
char *ts_free_motion_words(const ts_system *system, const ts_freedom *f, int i, char *text,
                           size_t size);
/* All of them, the first few by name: "'wheel' turns about y, 'load' turns about z". */
char *ts_freedom_words(const ts_system *system, const ts_freedom *f, char *text, size_t size);

#endif
