/* Axes and rotations as a model file may write them. */
#ifndef TS_ROTATIONS_H
#define TS_ROTATIONS_H

#include "reader/reader.h"

bool ts_read_axis(ts_reader *r, const ts_yaml *node, double *out); /* a unit vector */
bool ts_read_rotation(ts_reader *r, const ts_yaml *node,
                      double *out); /* nine numbers: the columns */

#endif
