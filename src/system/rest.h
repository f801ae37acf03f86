/* SPDX-License-Identifier: Apache-2.0 */
/* Where nothing moves: increments of this part of the model's size are round-off. Newton's method
 * is content with them (step/newton/judgement.h), and the noise of energies counts them
 * (noise.c). */
#ifndef TS_REST_H
#define TS_REST_H

static const double TS_AT_REST = 1e-13;

#endif
