/* SPDX-License-Identifier: Apache-2.0 */
/* Forces of other sites, as arguments of a law: the force of a spring, the torque of a motor, the
 * reaction of a joint.
 *
 * A site has weights w, the factors of the gradients of its forms in the balance. For a law, w is
 * its stress over the step; for rows, their multipliers; for a row law, the multiplier times the
 * discrete gradient. The site that asks has copies of these forms among its own, so the other law
 * is evaluated over the same step, with its own numbers, memory and signals: implicitly, without
 * delay. The weights give:
 *
 *     F = w . g / g . g             along a way y with the discrete gradient g: w = F g ,
 *     F = sum w_j (c_i + c_f)_j/2   along an axis n of the ground; c_j = n . de_j/dx , which is a
 *                                   form again because e is quadratic; x is the place of a node.
 *     M = sum w_j (b_i + b_f)_j (c_i + c_f)_j/4   about an axis, components of the arms b and of
 *                                   what acts on them, c (parts/state/told.c).
 *
 * Derivatives by the forms at the end of the step and by multipliers follow from those of the law.
 */
#include "laws/state/told.h"

#include <string.h>

/* A site whose force is evaluated: its step, its weights and their derivatives by its own forms and
 * by the multipliers that it reads or has. */
typedef struct asked {
    const ts_site *site;
    ts_law_step step;
    int form;        /* index of its forms among those of the site that asks; -1: none */
    int lambda;      /* index of its multipliers among those that are read */
    int multipliers; /* number of these multipliers */
    double w[TS_MAX_FORMS], by_e[TS_MAX_FORMS * TS_MAX_FORMS];
    double by_lambda[TS_MAX_FORMS * TS_MAX_FORMS];
} asked;

/* Row k is form k. */
static void weights_of_rows(asked *a, const double *lambda) {
    a->multipliers = a->site->rows;
    for (int k = 0; k < a->site->rows; k++)
        a->w[k] = lambda ? lambda[k] : 0, a->by_lambda[k * a->multipliers + k] = 1;
}

static void weights_of_rowlaw(asked *a, const double *lambda) {
    ts_row_response r;
    a->site->rowlaw->respond(&a->step, &r);
    a->multipliers = 1;
    for (int k = 0; k < a->step.m; k++)
        a->w[k] = lambda ? lambda[0] * r.g[k] : 0, a->by_lambda[k] = r.g[k];
    for (int k = 0; lambda && k < a->step.m * a->step.m; k++) a->by_e[k] = lambda[0] * r.dg[k];
}

static void weights_of_law(asked *a) {
    ts_response r;
    a->multipliers = a->site->reads;
    a->site->law->respond(&a->step, &r);
    memcpy(a->w, r.s, sizeof a->w), memcpy(a->by_e, r.ds, sizeof a->by_e);
    if (a->multipliers > 0) a->site->law->by_multipliers(&a->step, a->by_lambda);
}

static void ask(const ts_law_step *step, const double *entry, asked *a) {
    const ts_site *site = &step->sites[(int)entry[TS_TOLD_SITE]];
    const ts_site *self = &step->sites[(int)entry[TS_TOLD_SELF]];
    bool law = site->role == TS_ROLE_LAW;
    *a = (asked){.site = site, .step = *step, .form = (int)entry[TS_TOLD_FORM]};
    a->lambda = (law ? site->read : site->row) - self->read;
    const double *lambda = step->lambda ? step->lambda + a->lambda : NULL;
    a->step.m = site->forms;
    a->step.data += site->data - self->data, a->step.memory += site->memory - self->memory;
    a->step.signal += site->signal - self->signal;
    a->step.lambda = law ? lambda : NULL, a->step.reads = law ? site->reads : 0;
    if (a->form >= 0) a->step.e_i += a->form, a->step.e_f += a->form;
    if (law)
        weights_of_law(a);
    else if (site->rowlaw)
        weights_of_rowlaw(a, lambda);
    else
        weights_of_rows(a, lambda);
}

/* Adds `times` the derivatives of weight j. */
static void add_slopes(const asked *a, int j, double times, double *by_e, double *by_lambda) {
    int m = a->step.m;
    for (int k = 0; by_e && a->form >= 0 && k < m; k++)
        by_e[a->form + k] += times * a->by_e[j * m + k];
    for (int r = 0; by_lambda && r < a->multipliers; r++)
        by_lambda[a->lambda + r] += times * a->by_lambda[j * a->multipliers + r];
}

static double along_axis(const ts_law_step *step, const double *entry, const asked *a, double times,
                         double *by_e, double *by_lambda) {
    int c = (int)entry[TS_TOLD_FACTOR], d = (int)entry[TS_TOLD_SECOND];
    int j = (int)entry[TS_TOLD_WEIGHT];
    double mean = 0.5 * (step->e_i[c] + step->e_f[c]);
    double second = d < 0 ? 1 : 0.5 * (step->e_i[d] + step->e_f[d]);
    if (by_e) by_e[c] += 0.5 * times * a->w[j] * second;
    if (by_e && d >= 0) by_e[d] += 0.5 * times * a->w[j] * mean;
    add_slopes(a, j, times * mean * second, by_e, by_lambda);
    return a->w[j] * mean * second;
}

static double along_way(const double *entry, const asked *a, double times, double *by_e,
                        double *by_lambda) {
    ts_way y;
    double gg = 0, force = 0;
    ts_way_over(entry + TS_TOLD_WAY, 0, a->step.e_i, a->step.e_f, &y);
    for (int j = 0; j < y.forms; j++) gg += y.g[j] * y.g[j], force += y.g[j] * a->w[j];
    force /= gg;
    for (int j = 0; j < y.forms; j++) {
        add_slopes(a, j, times * y.g[j] / gg, by_e, by_lambda);
        for (int k = 0; by_e && k < y.forms; k++)
            by_e[a->form + k] +=
                times * (a->w[j] - 2 * force * y.g[j]) * y.dg[y.forms * j + k] / gg;
    }
    return force;
}

double ts_told(const ts_law_step *step, const double *entry, int count, double times, double *by_e,
               double *by_lambda) {
    double sum = 0, last = -1;
    asked a;
    for (int i = 0; i < count; i++, entry += TS_TOLD_NUMBERS) {
        double sign = entry[TS_TOLD_SIGN];
        if (entry[TS_TOLD_SITE] != last) ask(step, entry, &a);
        last = entry[TS_TOLD_SITE];
        sum += sign * (entry[TS_TOLD_FACTOR] < 0
                           ? along_way(entry, &a, sign * times, by_e, by_lambda)
                           : along_axis(step, entry, &a, sign * times, by_e, by_lambda));
    }
    return sum;
}
