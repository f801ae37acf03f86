/* SPDX-License-Identifier: Apache-2.0 */
/* Strains, internal forces and stresses at a station of a part: see section.c. */
#ifndef TS_SECTION_H
#define TS_SECTION_H

#include "system/instant.h"

/* At a station of a beam or cable (a cable has only elongation and tension): strains (Gamma1..3,
 * kappa1..3), and the section's forces and moments (N, Q2, Q3, M1, M2, M3), both in section axes,
 * without dampers. At a point of a shell eight of each: (eps11, eps22, 2 eps12, kap11, kap22, 2
 * kap12, gam1, gam2), and forces and moments per length (n, m, q). */
void ts_station_section(const ts_system *system, const ts_instant *at, int station, double *strain,
                        double *force);
/* Cauchy's stress (11, 22, 33, 12, 23, 13), global axes, at a station of a solid. */
void ts_station_stress(const ts_system *system, const ts_instant *at, int station,
                       double stress[6]);

#endif
