/* SPDX-License-Identifier: Apache-2.0 */
/* Internal forces and strains at any place along a beam. See beam_place.c. */
#ifndef TS_BEAM_PLACE_H
#define TS_BEAM_PLACE_H

#include "system/section.h"

enum { TS_BEAM_PLACE_STATIONS = 3 };

/* A place along a beam: a combination of the stations (Gauss points) around it. */
typedef struct ts_beam_place {
    int part;
    double arc; /* along the line from the start of the beam */
    int stations, station[TS_BEAM_PLACE_STATIONS];
    double weight[TS_BEAM_PLACE_STATIONS];
} ts_beam_place;

/* Length of the line of a beam; 0 for other parts. */
double ts_beam_length(const ts_model *model, int part);
/* 0 <= arc <= length */
ts_beam_place ts_beam_place_at(const ts_model *model, int part, double arc);
/* As ts_station_section, in section axes at that position. */
void ts_beam_place_section(const ts_system *system, const ts_instant *at,
                           const ts_beam_place *place, double strain[6], double force[6]);

#endif
