/* Internal forces and strains at any place along a beam. See station.c. */
#ifndef TS_STATION_H
#define TS_STATION_H

#include "system/section.h"

enum { TS_STATION_SITES = 3 };

/* A place along a beam: a combination of the Gauss points (sites) around it. */
typedef struct ts_station {
    int part;
    double arc; /* along the line from the start of the beam */
    int sites, site[TS_STATION_SITES];
    double weight[TS_STATION_SITES];
} ts_station;

/* Length of the line of a beam; 0 for a part that is none. */
double ts_beam_length(const ts_model *model, int part);
/* 0 <= arc <= length */
ts_station ts_station_at(const ts_model *model, int part, double arc);
/* As ts_site_section, in section axes of the place. */
void ts_station_section(const ts_system *system, const ts_instant *at, const ts_station *station,
                        double strain[6], double force[6]);

#endif
