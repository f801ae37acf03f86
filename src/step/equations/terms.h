/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of forms, term by term.
 *
 * The row of a form at q, B(q) = sum over its pairs of w (q_b at a, q_a at b) + its linear terms g
 * at a, is never written out over all slots of a site: products with it, forces along it and its
 * projections to unknowns walk over the few terms that it has.
 *
 * A row is given by two configurations, because a rate form has the pairs w q_a . v_b: the row is
 * w q_a at b and w p_b at a, with p = q for the gradient of a form, p = NULL for the row A(q) of a
 * rate form. All of these are linear in (q, p, linear): B_f/h + H v, say, is the row at q_f/h + v
 * with `linear` = 1/h.
 */
#ifndef TS_TERMS_H
#define TS_TERMS_H

#include "step/step.h"

static inline double ts_dot3(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* to += w x */
static inline void ts_add3(double w, const double *x, double *to) {
    to[0] += w * x[0], to[1] += w * x[1], to[2] += w * x[2];
}

/* F += weight B(q); returns B(q) . u. */
static inline double ts_row_pull(const ts_model *model, int f, bool rate, const double *q,
                                 const double *u, double weight, double *F) {
    const ts_form *form = &model->forms[f];
    const ts_pair *p = model->pairs + form->pair;
    const ts_linear *l = model->linears + form->linear;
    double along = 0;
    for (int i = 0; i < form->pairs; i++) {
        int a = 3 * p[i].a, b = 3 * p[i].b;
        double w = p[i].w, product = ts_dot3(q + a, u + b);
        ts_add3(weight * w, q + a, F + b);
        if (!rate) product += ts_dot3(q + b, u + a), ts_add3(weight * w, q + b, F + a);
        along += w * product;
    }
    for (int i = 0; i < form->linears; i++) {
        double g[3] = {l[i].g.x, l[i].g.y, l[i].g.z};
        along += ts_dot3(g, u + 3 * l[i].a);
        ts_add3(weight, g, F + 3 * l[i].a);
    }
    return along;
}

/* A row over the slots of a site: see above. */
typedef struct ts_term_row {
    const double *q, *p;
    double linear;
} ts_term_row;

static inline ts_term_row ts_terms_at(bool rate, const double *q) {
    return (ts_term_row){q, rate ? NULL : q, 1};
}
/* H v; of a rate form the derivative of A(q) v by q. */
static inline ts_term_row ts_terms_hessian(bool rate, const double *v) {
    return (ts_term_row){rate ? NULL : v, v, 0};
}

/* out[nd] += factor (row . X) */
void ts_project_terms(const ts_model *model, int form, ts_term_row row, const ts_local *l,
                      const ts_projector *P, double factor, double *out);

#endif
