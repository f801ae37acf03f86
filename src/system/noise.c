/* SPDX-License-Identifier: Apache-2.0 */
/* The effect of round-off on the energies of a state.
 *
 * Energies are differences of larger numbers: m g.x of bodies far from the origin, strains as forms
 * minus their values as drawn, reactions times conditions that are zero to round-off only. With |e|
 * the sum of the magnitudes of the terms of a form or condition, these are known to eps |e|. If
 * nothing moves, Newton's method also accepts increments of d = 1e-13 of the model (TS_AT_REST), so
 * that velocities and strains of that size are noise, too. Together, with r a few eps,
 *
 *     noise = sum m |g| r |x|  +  sum |s| r |e|  +  sum |lambda| r |c|
 *           + sum m (d L/h)^2  +  sum (d |e|) K (d |e|)/2 :
 *
 * gravity, stresses, reactions; velocities, strains.
 *
 * A balance error below this value has no meaning. In a model that moves, the noise is far below
 * 1e-8 of its energy.
 */
#include <float.h>
#include <math.h>

#include "system/rest.h"
#include "system/system.h"

static const double ROUND_OFF = 16 * DBL_EPSILON;

static double node_noise(const ts_system *system, const ts_node *node, double h) {
    const double *q = system->state.q + 3 * node->slot;
    double g = v3_norm(system->model->gravity), sum = 0;
    for (int a = 0; a < node->slots; a++) {
        double speed = TS_AT_REST * system->far * (a ? 1 : system->length) / h;
        sum += ROUND_OFF * g * fabs(node->mass[0][a]) * v3_norm(v3_load(q + 3 * a));
        sum += node->mass[a][a] * speed * speed;
    }
    return sum;
}

/* The sum of the magnitudes of the terms of a form. */
static double form_size(const ts_model *model, int f, const double *q) {
    const ts_form *form = &model->forms[f];
    const ts_pair *p = model->pairs + form->pair;
    const ts_linear *l = model->linears + form->linear;
    double size = fabs(form->c);
    for (int i = 0; i < form->pairs; i++)
        size += fabs(p[i].w) * v3_norm(v3_load(q + 3 * p[i].a)) * v3_norm(v3_load(q + 3 * p[i].b));
    for (int i = 0; i < form->linears; i++)
        size += v3_norm(l[i].g) * v3_norm(v3_load(q + 3 * l[i].a));
    return size;
}

/* V(e +- d |e|) - V(e) contains both: s d |e|, and half of the curvature. */
static double law_noise(const ts_system *system, const ts_site *site, const double *size) {
    ts_past past = {.memory = system->state.memory};
    double e[TS_MAX_FORMS], off[TS_MAX_FORMS], V[3];
    if (!ts_law_stores(site->law)) return 0;
    ts_site_values(system->model, site, system->state.q, e);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < site->forms; k++) off[k] = e[k] + (i - 1) * TS_AT_REST * size[k];
        V[i] = ts_site_energy(system->model, site, past, off);
    }
    double slope = fabs(V[2] - V[0]) / 2, curvature = fabs(V[2] - 2 * V[1] + V[0]) / 2;
    return ROUND_OFF / TS_AT_REST * slope + curvature;
}

static double rows_noise(const ts_system *system, const ts_site *site, const double *size) {
    double sum = 0, all = 0;
    for (int k = 0; k < site->forms; k++) all += size[k];
    for (int r = 0; r < site->rows; r++)
        sum += fabs(system->state.lambda[site->row + r]) * (site->rowlaw ? all : size[r]);
    return ROUND_OFF * sum;
}

double ts_energy_noise(const ts_system *system, double h) {
    const ts_model *model = system->model;
    double noise = 0, q[3 * TS_MAX_SLOTS], size[TS_MAX_FORMS];
    for (int n = 0; n < model->nodes_count; n++)
        if (!model->nodes[n].fixed) noise += node_noise(system, &model->nodes[n], h);
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        ts_site_gather(model, site, system->state.q, q);
        /* in vectors: differences of places */
        double lost = site->interpolation < 0 ? 1 : system->far;
        for (int k = 0; k < site->forms; k++) size[k] = lost * form_size(model, site->form + k, q);
        noise += site->role == TS_ROLE_LAW ? law_noise(system, site, size)
                                           : rows_noise(system, site, size);
    }
    return noise;
}
