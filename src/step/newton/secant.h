/* SPDX-License-Identifier: Apache-2.0 */
/* Increments by a kept factorisation, corrected by the last ones (Broyden's method): see
 * secant.c. */
#ifndef TS_SECANT_H
#define TS_SECANT_H

enum { TS_SECANTS = 10 };

typedef struct ts_secant {
    int n;
    const double *weight; /* n, of the scalar product */
    int count;
    double square[TS_SECANTS];
    double *increment; /* TS_SECANTS of n numbers; where they are never used they take no memory */
} ts_secant;

ts_secant ts_secant_new(int n, const double *weight);
void ts_secant_clear(ts_secant *x);
/* Forgets all increments: after a new factorisation, or an increment that was shortened. */
static inline void ts_secant_forget(ts_secant *x) { x->count = 0; }
/* Records an increment that Newton took in full. */
void ts_secant_note(ts_secant *x, const double *delta);
/* Corrects the increment of the factorisation by all recorded increments. */
void ts_secant_correct(const ts_secant *x, double *delta);

#endif
