/* SPDX-License-Identifier: Apache-2.0 */
/* Threshold of rest: increments below this part of the model's size are round-off. Newton's method
 * accepts them (step/newton/judgement.h), and the noise of energies contains them (noise.c). */
#ifndef TS_REST_H
#define TS_REST_H

static const double TS_AT_REST = 1e-13;

#endif
