/* SPDX-License-Identifier: Apache-2.0 */
/* Refined meshes, for error bars (`torsor run --resolve`).
 *
 * A model is refined while it is read: model->refinement.refined is set before the parts are built,
 * and every part that makes its own mesh uses the functions here. Names keep their positions:
 * `arm.3` is the third node as drawn, also in the refined beam; additional nodes have no number. So
 * joints, loads and results need no translation.
 *
 * An element of a line is divided at its nodes, one of two nodes in its middle: into 2, 2 or 3
 * elements for the orders 1, 2, 3. Every node as drawn is then the end of an element. A structured
 * mesh has twice the divisions. A mesh that is refined again has the same done to its elements.
 */
#ifndef TS_REFINE_H
#define TS_REFINE_H

#include "model/model.h"

/* Registers a meshed part with elements of that order of accuracy, which one refinement makes
 * shorter by `ratio`; returns how many times to refine it. */
int ts_refine(ts_model *model, int order, double ratio);

/* A line of `elements` elements, of `order` + 1 nodes each. */
typedef struct ts_divided {
    int drawn;    /* elements as drawn */
    int elements; /* elements made of them */
    int parts;    /* elements that replace one: a power of base */
    int base;
    int stride; /* for ts_part */
} ts_divided;

/* The largest number of elements of a line: there is no memory for more. */
enum { TS_MOST_LINE_ELEMENTS = 1000000 };
#define TS_ELEMENTS_RANGE "expected 1 to 1000000 elements"

ts_divided ts_divide_line(ts_model *model, int elements, int order);
/* Position of a point along a line, 0 to 1; xi from -1 to 1 in the element. */
double ts_divided_station(const ts_divided *line, int element, double xi);
/* The length of an element of a line of that length. */
double ts_divided_length(const ts_divided *line, int element, double length);

/* Converts a position x from elements as drawn to refined elements, `parts` of which replace
 * one. */
double ts_divided_elements(int parts, double x);

#endif
