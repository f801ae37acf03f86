/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of forms projected to unknowns, term by term. See terms.h. */
#include "step/equations/terms.h"

/* What a vector g at a slot says of the slot's unknowns. */
static void add_slot(const ts_local *l, const ts_projector *P, int slot, double factor, v3 g,
                     double *out) {
    double *o = out + l->dof[slot];
    int turns = l->turns[slot];
    const m3 *X = &P->X[slot];
    if (turns) {
        o[0] += factor * v3_dot(X->c[0], g), o[1] += factor * v3_dot(X->c[1], g);
        if (turns == 3) o[2] += factor * v3_dot(X->c[2], g);
    } else if (!P->still) {
        o[0] += factor * g.x, o[1] += factor * g.y, o[2] += factor * g.z;
    }
}

/* Forms of vectors: the row is over these, and every vector moves with every node. */
static void project_vectors(const ts_model *model, int f, ts_term_row row, const ts_local *l,
                            const ts_projector *P, double factor, double *out) {
    const ts_form *form = &model->forms[f];
    double B[3 * TS_MAX_SLOTS] = {0}, projected[6 * TS_MAX_NODES];
    const ts_pair *p = model->pairs + form->pair;
    for (int i = 0; i < form->pairs; i++) {
        if (row.q) ts_add3(p[i].w, row.q + 3 * p[i].a, B + 3 * p[i].b);
        if (row.p) ts_add3(p[i].w, row.p + 3 * p[i].b, B + 3 * p[i].a);
    }
    const ts_linear *g = model->linears + form->linear;
    for (int i = 0; i < form->linears; i++) {
        double at[3] = {g[i].g.x, g[i].g.y, g[i].g.z};
        ts_add3(row.linear, at, B + 3 * g[i].a);
    }
    ts_project(l, P, B, projected);
    for (int i = 0; i < l->nd; i++) out[i] += factor * projected[i];
}

void ts_project_terms(const ts_model *model, int f, ts_term_row row, const ts_local *l,
                      const ts_projector *P, double factor, double *out) {
    if (l->N) {
        project_vectors(model, f, row, l, P, factor, out);
        return;
    }
    const ts_form *form = &model->forms[f];
    const ts_pair *p = model->pairs + form->pair;
    for (int i = 0; i < form->pairs; i++) {
        double w = factor * p[i].w;
        if (row.q) add_slot(l, P, p[i].b, w, v3_load(row.q + 3 * p[i].a), out);
        if (row.p) add_slot(l, P, p[i].a, w, v3_load(row.p + 3 * p[i].b), out);
    }
    if (row.linear == 0) return;
    const ts_linear *g = model->linears + form->linear;
    for (int i = 0; i < form->linears; i++)
        add_slot(l, P, g[i].a, factor * row.linear, g[i].g, out);
}
