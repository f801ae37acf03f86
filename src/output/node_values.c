/* SPDX-License-Identifier: Apache-2.0 */
/* Stresses of solids and forces of shells at nodes.
 *
 * They are best at Gauss points, of elements of order 2 at those of the next lower rule (J. Barlow,
 * Int. J. Num. Meth. Eng. 10
 * (1976) 243). So the values of a cell are fitted by least squares, with the weights of the rule,
 * by what is linear in each coordinate of a quad or hex (exact for 2 x 2 x 2 points; of 3 x 3 x 3
 * the part that passes through the 2 x 2 x 2), linear in a tet; that is evaluated at its nodes, and
 * the mean is taken over the cells of the part around a node. Across parts, where materials differ,
 * stresses jump and are not averaged.
 */
#include "output/node_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/element_shapes.h"

enum { BASIS = 8 };

/* weight[a][g] of the value at station g for that at node a */
typedef struct extrapolation {
    ts_cell_type type;
    int stations;
    double weight[TS_CELL_NODES][TS_QUADRATURE];
} extrapolation;

struct ts_node_values {
    ts_cells cells;
    int64_t nodes;
    int64_t *first; /* of the cells around node n, first[n] to first[n + 1] in `cell` and `local` */
    int64_t *cell;
    int *local;
    extrapolation *rule; /* one for every type there is */
    int rules, rule_room;
    int *rule_of;      /* by cell; -1: none */
    const char **part; /* that have cells */
    int parts, part_room;
};

/* ---- extrapolation within a cell ---- */

/* 1, x, y, z, and for quads and hexes their products; returns how many. */
static int basis(const ts_cell_info *about, int stations, v3 xi, double f[BASIS]) {
    double x = xi.x, y = xi.y, z = about->dimension == 3 ? xi.z : 0;
    const double tensor[BASIS] = {1, x, y, x * y, z, x * z, y * z, x * y * z};
    const double linear[4] = {1, x, y, z};
    if (about->simplex) memcpy(f, linear, sizeof linear);
    if (!about->simplex) memcpy(f, tensor, sizeof tensor);
    int count = about->simplex ? about->dimension + 1 : 1 << about->dimension;
    return stations < count ? 1 : count;
}

/* Functions that are orthonormal over the rule, by Gram and Schmidt: T takes the basis to them, row
 * by row. */
static void orthonormal(const ts_quadrature *rule, int count, double F[][BASIS],
                        double T[][BASIS]) {
    for (int i = 0; i < count; i++) {
        double value[TS_QUADRATURE], norm = 0;
        for (int k = 0; k < count; k++) T[i][k] = k == i;
        for (int j = 0; j < i; j++) {
            double product = 0;
            for (int g = 0; g < rule->count; g++) {
                double q = 0;
                for (int k = 0; k < count; k++) q += T[j][k] * F[g][k];
                product += rule->weight[g] * q * F[g][i];
            }
            for (int k = 0; k < count; k++) T[i][k] -= product * T[j][k];
        }
        for (int g = 0; g < rule->count; g++) {
            value[g] = 0;
            for (int k = 0; k < count; k++) value[g] += T[i][k] * F[g][k];
            norm += rule->weight[g] * value[g] * value[g];
        }
        for (int k = 0; k < count; k++) T[i][k] /= sqrt(norm);
    }
}

static void make_rule(extrapolation *e, const ts_quadrature *rule) {
    const ts_cell_info *about = ts_cell_about(e->type);
    double F[TS_QUADRATURE][BASIS] = {{0}}, T[BASIS][BASIS] = {{0}}, f[BASIS] = {0};
    int count = 1;
    for (int g = 0; g < rule->count; g++) count = basis(about, rule->count, rule->xi[g], F[g]);
    orthonormal(rule, count, F, T);
    for (int a = 0; a < about->nodes; a++) {
        basis(about, rule->count, ts_cell_node(e->type, a), f);
        for (int g = 0; g < rule->count; g++)
            for (int i = 0; i < count; i++) {
                double at_node = 0, at_station = 0;
                for (int k = 0; k < count; k++)
                    at_node += T[i][k] * f[k], at_station += T[i][k] * F[g][k];
                e->weight[a][g] += rule->weight[g] * at_node * at_station;
            }
    }
}

/* The rule with so many points; false if there is none. */
static bool find_quadrature(ts_cell_type type, int64_t stations, ts_quadrature *rule) {
    for (int degree = 1; degree <= 5; degree++) {
        ts_cell_quadrature(type, degree, rule);
        if (rule->count == stations) return true;
    }
    return false;
}

static int rule_for(ts_node_values *v, const ts_table_cell *cell) {
    const ts_cell_look *look = ts_cell_look_of(cell);
    ts_cell_type type = look ? look->shape : TS_CELL_TYPES;
    ts_quadrature quadrature;
    int64_t stations = cell[TS_CELL_STATIONS].integer;
    for (int i = 0; i < v->rules; i++)
        if (v->rule[i].type == type && v->rule[i].stations == stations) return i;
    if (type == TS_CELL_TYPES || !find_quadrature(type, stations, &quadrature)) return -1;
    ts_grow(v->rule, v->rule_room, v->rules + 1);
    extrapolation *e = &v->rule[v->rules];
    *e = (extrapolation){.type = type, .stations = (int)stations};
    make_rule(e, &quadrature);
    return v->rules++;
}

/* ---- cells around nodes ---- */

/* Cells of a part follow each other. */
static void note_part(ts_node_values *v, const char *part) {
    if (v->parts > 0 && strcmp(v->part[v->parts - 1], part) == 0) return;
    ts_grow(v->part, v->part_room, v->parts + 1);
    v->part[v->parts++] = part;
}

static const ts_table_cell *cell_row(const ts_node_values *v, int64_t cell) {
    return v->cells.cell + cell * TS_CELL_FIELDS;
}

static void connect(ts_node_values *v) {
    int64_t *next = ts_calloc((size_t)v->nodes + 1, sizeof *next);
    for (int64_t i = 0; i < v->cells.connected; i++) v->first[v->cells.connectivity[i] + 1]++;
    for (int64_t n = 0; n < v->nodes; n++) next[n + 1] = v->first[n + 1] += v->first[n];
    next[0] = 0;
    for (int64_t c = 0; c < v->cells.cells; c++) {
        const ts_table_cell *row = cell_row(v, c);
        v->rule_of[c] = rule_for(v, row);
        note_part(v, row[TS_CELL_PART].text);
        for (int a = 0; a < (int)row[TS_CELL_POINTS].integer; a++) {
            int64_t at = next[v->cells.connectivity[row[TS_CELL_FIRST].integer + a]]++;
            v->cell[at] = c, v->local[at] = a;
        }
    }
    free(next);
}

ts_node_values *ts_node_values_new(ts_cells cells, int64_t nodes) {
    ts_node_values *v = ts_calloc(1, sizeof *v);
    v->cells = cells;
    size_t connected = (size_t)v->cells.connected + 1;
    v->nodes = nodes;
    v->first = ts_calloc((size_t)nodes + 1, sizeof *v->first);
    v->cell = ts_calloc(connected, sizeof *v->cell);
    v->local = ts_calloc(connected, sizeof *v->local);
    v->rule_of = ts_calloc((size_t)v->cells.cells + 1, sizeof *v->rule_of);
    connect(v);
    return v;
}

void ts_node_values_free(ts_node_values *v) {
    if (!v) return;
    ts_cells_clear(&v->cells);
    free(v->first), free(v->cell), free(v->local), free(v->rule), free(v->rule_of), free(v->part);
    free(v);
}

const char *ts_node_values_part(const ts_node_values *v, const char *part) {
    for (int i = 0; v && i < v->parts; i++)
        if (strcmp(v->part[i], part) == 0) return v->part[i];
    return NULL;
}

static bool counts(const ts_node_values *v, int64_t cell, const char *part) {
    return v->rule_of[cell] >= 0 && strcmp(cell_row(v, cell)[TS_CELL_PART].text, part) == 0;
}

bool ts_node_values_at(const ts_node_values *v, int64_t node, const char *part,
                       ts_cell_family family) {
    for (int64_t i = v->first[node]; i < v->first[node + 1]; i++)
        if (counts(v, v->cell[i], part) && ts_cell_family_of(cell_row(v, v->cell[i])) == family)
            return true;
    return false;
}

double ts_node_value(const ts_node_values *v, int64_t node, const char *part, const double *row,
                     int width, int component) {
    double sum = 0;
    int cells = 0;
    for (int64_t i = v->first[node]; i < v->first[node + 1]; i++) {
        if (!counts(v, v->cell[i], part)) continue;
        const extrapolation *e = &v->rule[v->rule_of[v->cell[i]]];
        const double *at =
            row + width * cell_row(v, v->cell[i])[TS_CELL_STATION].integer + component;
        for (int g = 0; g < e->stations; g++) sum += e->weight[v->local[i]][g] * at[width * g];
        cells++;
    }
    return cells ? sum / cells : NAN;
}
