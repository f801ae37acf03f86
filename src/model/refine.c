/* SPDX-License-Identifier: Apache-2.0 */
/* Refined meshes. See refine.h. */
#include "model/refine.h"

#include <math.h>

#include "math/shape.h"

bool ts_refine(ts_model *model, int order) {
    ts_refinement *r = &model->refinement;
    if (r->order == 0 || order < r->order) r->order = order;
    return r->refined;
}

/* The error of nodes of a line with p + 1 nodes per element is of order 2 p. */
ts_divided ts_divide_line(ts_model *model, int elements, int order) {
    if (!ts_refine(model, 2 * order)) return (ts_divided){elements, elements, 1, 0};
    int parts = order > 2 ? order : 2;
    return (ts_divided){elements, parts * elements, parts, parts};
}

double ts_divided_station(const ts_divided *line, int element, double xi) {
    if (line->parts == 1) return (element + 0.5 * (1 + xi)) / line->drawn;
    const double *end = ts_lobatto_point(line->parts + 1) + element % line->parts;
    double inside = end[0] + 0.5 * (1 + xi) * (end[1] - end[0]);
    return (element / line->parts + 0.5 * (1 + inside)) / line->drawn;
}

double ts_divided_length(const ts_divided *line, int element, double length) {
    if (line->parts == 1) return length / line->elements;
    return length * (ts_divided_station(line, element, 1) - ts_divided_station(line, element, -1));
}

double ts_divided_elements(int parts, double x) {
    if (parts == 1) return x;
    const double *end = ts_lobatto_point(parts + 1);
    double element = floor(x + 1e-9), xi = 2 * (x - element) - 1;
    int k = 0;
    while (k + 1 < parts && xi > end[k + 1] - 1e-9) k++;
    return parts * element + k + fmax(0, xi - end[k]) / (end[k + 1] - end[k]);
}
