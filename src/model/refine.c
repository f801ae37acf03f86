/* SPDX-License-Identifier: Apache-2.0 */
/* Refined meshes. See refine.h. */
#include "model/refine.h"

#include <math.h>

#include "math/shape.h"

int ts_refine(ts_model *model, int order, double ratio) {
    ts_refinement *r = &model->refinement;
    if (r->order == 0 || order < r->order) r->order = order;
    if (r->ratio == 0 || ratio < r->ratio) r->ratio = ratio;
    return r->refined;
}

/* An element of length 1 is divided at its nodes into pieces l_i. Its error, h^order of a length h,
 * becomes sum l_i l_i^order: that of elements which are shorter by this ratio. */
static double ratio_of(int base, int order) {
    const double *end = ts_lobatto_point(base + 1);
    double sum = 0;
    for (int k = 0; k < base; k++) sum += pow(0.5 * (end[k + 1] - end[k]), order + 1);
    return pow(sum, -1.0 / order);
}

/* The error of nodes of a line with p + 1 nodes per element is of order 2 p. */
ts_divided ts_divide_line(ts_model *model, int elements, int order) {
    int base = order > 2 ? order : 2, parts = 1;
    for (int times = ts_refine(model, 2 * order, ratio_of(base, 2 * order)); times > 0; times--)
        parts *= base;
    return (ts_divided){.drawn = elements,
                        .elements = parts * elements,
                        .parts = parts,
                        .base = base,
                        .stride = parts > 1 ? parts : 0};
}

double ts_divided_station(const ts_divided *line, int element, double xi) {
    const double *point = ts_lobatto_point(line->base + 1);
    double inside = 0.5 * (1 + xi); /* of the element, then of those it is a piece of */
    for (int parts = line->parts; parts > 1; parts /= line->base, element /= line->base) {
        const double *end = point + element % line->base;
        inside = 0.5 * (1 + end[0] + inside * (end[1] - end[0]));
    }
    return (element + inside) / line->drawn;
}

double ts_divided_length(const ts_divided *line, int element, double length) {
    if (line->parts == 1) return length / line->elements;
    return length * (ts_divided_station(line, element, 1) - ts_divided_station(line, element, -1));
}

double ts_divided_elements(int parts, double x) {
    int base = parts % 3 == 0 ? 3 : 2;
    const double *end = ts_lobatto_point(base + 1);
    for (; parts > 1; parts /= base) {
        double element = floor(x + 1e-9), xi = 2 * (x - element) - 1;
        int k = 0;
        while (k + 1 < base && xi > end[k + 1] - 1e-9) k++;
        x = base * element + k + fmax(0, xi - end[k]) / (end[k + 1] - end[k]);
    }
    return x;
}
