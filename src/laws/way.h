/* SPDX-License-Identifier: Apache-2.0 */
/* One coordinate y over a step, for laws that resist it: see way.c. */
#ifndef TS_WAY_H
#define TS_WAY_H

/* y as a function of the forms of its site: e0; the angle of (e0, e1); the length sqrt(2 e0 +
 * tiny^2). */
typedef enum ts_way_kind { TS_WAY_LINEAR, TS_WAY_ANGLE, TS_WAY_LENGTH } ts_way_kind;

/* Numbers of a site: its coordinate. */
enum { TS_WAY_KIND, TS_WAY_TINY, TS_WAY_NUMBERS };

typedef struct ts_way {
    int forms;
    double y_i, y_f, delta;
    double g[2], dg[4], slope[2]; /* discrete gradient, its derivative by e_f; gradient at e_f */
} ts_way;

/* `memory`: y at the start of the step, so that angles count turns. */
double ts_way_value(const double *way, double memory, const double *e);
void ts_way_over(const double *way, double memory, const double *e_i, const double *e_f,
                 ts_way *out);

/* Gradients at both ends that give the rates y', the derivative of the last one by e_f, and zeta of
 * (Z) in model/law.h with its derivatives by e_f and their rates. */
typedef struct ts_way_rate {
    double y_i[2], y_f[2], dy_f[4];
    double zeta[2], d_e[4], d_edot[4];
} ts_way_rate;
void ts_way_rate_over(const double *way, const double *e_i, const double *e_f, const double *edot_i,
                      const double *edot_f, ts_way_rate *out);

/* Gives the newest site, which is open, the numbers of a coordinate. */
struct ts_model;
void ts_way_numbers(struct ts_model *model, ts_way_kind kind, double tiny);

#endif
