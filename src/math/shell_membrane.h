/* SPDX-License-Identifier: Apache-2.0 */
/* Membrane strains of shells of 4 nodes that bend well in their plane. See shell_membrane.c. */
#ifndef TS_SHELL_MEMBRANE_H
#define TS_SHELL_MEMBRANE_H

#include "math/shell_strains.h"

/* Replaces eps11, eps22, 2 eps12 at the 2 x 2 Gauss points xi of a cell, where point[] has all
 * strains. K: the 8 x 8 stiffness of the section, by rows; its block of membrane strains is
 * positive definite. */
void ts_shell_membrane(const v3 x[4], const double K[64], const v3 xi[4], ts_shell_point point[4]);

#endif
