/* SPDX-License-Identifier: Apache-2.0 */
/* Sites: their forms, and the laws on them. See site.h. */
#include "system/site.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- local fields ---- */

void ts_gather(const ts_model *model, int site_node, int nodes, const double *ambient,
               double *local) {
    for (int i = 0; i < nodes; i++) {
        const ts_node *node = &model->nodes[model->site_nodes[site_node + i]];
        const double *from = ambient + 3 * node->slot;
        if (node->slots == 4) /* sizes that the compiler knows: no call */
            memcpy(local, from, 12 * sizeof(double));
        else if (node->slots == 1)
            memcpy(local, from, 3 * sizeof(double));
        else
            memcpy(local, from, (size_t)(3 * node->slots) * sizeof(double));
        local += 3 * node->slots;
    }
}

void ts_site_vectors(const ts_model *model, const ts_site *site, const double *q, double *local) {
    const double *N = model->interpolation + site->interpolation;
    for (int z = 0; z < site->slots; z++) {
        double x = 0, y = 0, w = 0;
        for (int s = 0; s < site->ambient; s++, N++) {
            if (*N == 0) continue; /* inner nodes have few of the vectors */
            x += *N * q[3 * s], y += *N * q[3 * s + 1], w += *N * q[3 * s + 2];
        }
        local[3 * z] = x, local[3 * z + 1] = y, local[3 * z + 2] = w;
    }
}

void ts_site_gather(const ts_model *model, const ts_site *site, const double *ambient,
                    double *local) {
    double q[3 * TS_MAX_SLOTS];
    bool vectors = site->interpolation >= 0;
    ts_gather(model, site->node, site->nodes, ambient, vectors ? q : local);
    if (vectors) ts_site_vectors(model, site, q, local);
}

void ts_spread(int vectors, int slots, const double *N, const double *row, double *out) {
    memset(out, 0, (size_t)(3 * slots) * sizeof *out);
    for (int z = 0; z < vectors; z++, row += 3)
        for (int s = 0; s < slots; s++, N++) {
            if (*N == 0) continue;
            double *o = out + 3 * s;
            o[0] += *N * row[0], o[1] += *N * row[1], o[2] += *N * row[2];
        }
}

const double *ts_site_spread(const ts_model *model, const ts_site *site, const double *row,
                             double *room) {
    if (site->interpolation < 0) return row;
    ts_spread(site->slots, site->ambient, model->interpolation + site->interpolation, row, room);
    return room;
}

double ts_dot(int n, const double *a, const double *b) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

void ts_scatter(const ts_model *model, const ts_site *site, const double *local, double *ambient) {
    double room[3 * TS_MAX_SLOTS];
    ts_scatter_slots(model, site, ts_site_spread(model, site, local, room), ambient);
}

void ts_scatter_slots(const ts_model *model, const ts_site *site, const double *local,
                      double *ambient) {
    for (int i = 0; i < site->nodes; i++) {
        const ts_node *node = &model->nodes[model->site_nodes[site->node + i]];
        double *to = ambient + 3 * node->slot;
        int count = ts_node_sums(node) ? 3 * node->slots : 0;
        for (int k = 0; k < count; k++) to[k] += local[k];
        local += 3 * node->slots;
    }
}

/* ---- one form ---- */

double ts_form_value(const ts_model *model, int f, const double *q) {
    const ts_form *form = &model->forms[f];
    double e = form->c;
    const ts_pair *p = model->pairs + form->pair;
    for (int i = 0; i < form->pairs; i++)
        e += p[i].w * v3_dot(v3_load(q + 3 * p[i].a), v3_load(q + 3 * p[i].b));
    const ts_linear *l = model->linears + form->linear;
    for (int i = 0; i < form->linears; i++) e += v3_dot(l[i].g, v3_load(q + 3 * l[i].a));
    return e;
}

double ts_form_along(const ts_model *model, int f, bool rate, const double *q, const double *u) {
    const ts_form *form = &model->forms[f];
    const ts_pair *p = model->pairs + form->pair;
    const ts_linear *l = model->linears + form->linear;
    double sum = 0;
    for (int i = 0; i < form->pairs; i++) {
        double product = v3_dot(v3_load(q + 3 * p[i].a), v3_load(u + 3 * p[i].b));
        if (!rate) product += v3_dot(v3_load(q + 3 * p[i].b), v3_load(u + 3 * p[i].a));
        sum += p[i].w * product;
    }
    for (int i = 0; i < form->linears; i++) sum += v3_dot(l[i].g, v3_load(u + 3 * l[i].a));
    return sum;
}

void ts_form_gradient(const ts_model *model, int f, int slots, const double *q, double *B) {
    const ts_form *form = &model->forms[f];
    memset(B, 0, (size_t)(3 * slots) * sizeof(double));
    const ts_pair *p = model->pairs + form->pair;
    for (int i = 0; i < form->pairs; i++) {
        double *Ba = B + 3 * p[i].a, *Bb = B + 3 * p[i].b;
        const double *qa = q + 3 * p[i].a, *qb = q + 3 * p[i].b, w = p[i].w;
        Ba[0] += w * qb[0], Ba[1] += w * qb[1], Ba[2] += w * qb[2];
        Bb[0] += w * qa[0], Bb[1] += w * qa[1], Bb[2] += w * qa[2];
    }
    const ts_linear *l = model->linears + form->linear;
    for (int i = 0; i < form->linears; i++) {
        double *Ba = B + 3 * l[i].a;
        Ba[0] += l[i].g.x, Ba[1] += l[i].g.y, Ba[2] += l[i].g.z;
    }
}

void ts_rate_gradient(const ts_model *model, int f, int slots, const double *q, double *B) {
    const ts_form *form = &model->forms[f];
    memset(B, 0, (size_t)(3 * slots) * sizeof(double));
    const ts_pair *p = model->pairs + form->pair;
    for (int i = 0; i < form->pairs; i++)
        for (int c = 0; c < 3; c++) B[3 * p[i].b + c] += p[i].w * q[3 * p[i].a + c];
    const ts_linear *l = model->linears + form->linear;
    for (int i = 0; i < form->linears; i++) {
        v3 b = v3_add(v3_load(B + 3 * l[i].a), l[i].g);
        v3_store(B + 3 * l[i].a, b);
    }
}

void ts_form_hessian_times(const ts_model *model, int f, bool rate, int slots, const double *v,
                           double *out) {
    const ts_form *form = &model->forms[f];
    const ts_pair *p = model->pairs + form->pair;
    memset(out, 0, (size_t)(3 * slots) * sizeof *out);
    for (int i = 0; i < form->pairs; i++) {
        double w = p[i].w, *oa = out + 3 * p[i].a, *ob = out + 3 * p[i].b;
        const double *va = v + 3 * p[i].a, *vb = v + 3 * p[i].b;
        oa[0] += w * vb[0], oa[1] += w * vb[1], oa[2] += w * vb[2];
        if (!rate) ob[0] += w * va[0], ob[1] += w * va[1], ob[2] += w * va[2];
    }
}

void ts_form_row(const ts_model *model, int form, bool rate, int slots, const double *q,
                 double *out) {
    if (rate)
        ts_rate_gradient(model, form, slots, q, out);
    else
        ts_form_gradient(model, form, slots, q, out);
}

/* ---- a site at a configuration ---- */

_Static_assert((int)TS_KERNEL_SIZE <= 3 * TS_MAX_SLOTS, "room for the vectors of a kernel");

int ts_site_local(const ts_model *model, const ts_site *site, const double *ambient, double *z) {
    if (site->kernel) {
        site->kernel->gather(model, site, ambient, z);
        return TS_LINK_SIZE * ts_links(site);
    }
    ts_site_gather(model, site, ambient, z);
    return 3 * site->slots;
}

void ts_local_values(const ts_model *model, const ts_site *site, const double *z, double *e) {
    if (site->kernel) {
        site->kernel->values(ts_links(site), z, e);
        for (int k = 0; k < site->forms; k++) e[k] += model->forms[site->form + k].c;
        return;
    }
    for (int k = 0; k < site->forms; k++) e[k] = ts_form_value(model, site->form + k, z);
}

void ts_local_rates(const ts_model *model, const ts_site *site, const double *z, const double *u,
                    double *rate) {
    bool rates = site->role == TS_ROLE_RATES;
    if (site->kernel)
        site->kernel->rates(ts_links(site), z, u, rate);
    else
        for (int k = 0; k < site->forms; k++)
            rate[k] = ts_form_along(model, site->form + k, rates, z, u);
}

void ts_site_values(const ts_model *model, const ts_site *site, const double *ambient, double *e) {
    double z[3 * TS_MAX_SLOTS];
    ts_site_local(model, site, ambient, z);
    ts_local_values(model, site, z, e);
}

void ts_site_rates(const ts_model *model, const ts_site *site, const double *q, const double *v,
                   double *rate) {
    double z[3 * TS_MAX_SLOTS], u[3 * TS_MAX_SLOTS];
    ts_site_local(model, site, q, z);
    ts_site_local(model, site, v, u);
    ts_local_rates(model, site, z, u, rate);
}

void ts_site_look(const ts_model *model, const ts_site *site, const double *q, const double *v,
                  ts_site_view *out) {
    double u[3 * TS_MAX_SLOTS] = {0};
    bool rates = site->role == TS_ROLE_RATES;
    ts_site_gather(model, site, q, out->q);
    if (v) ts_site_gather(model, site, v, u);
    for (int k = 0; k < site->forms; k++) {
        ts_form_row(model, site->form + k, rates, site->slots, out->q, out->B[k]);
        out->e[k] = rates ? 0 : ts_form_value(model, site->form + k, out->q);
        out->rate[k] = ts_dot(3 * site->slots, out->B[k], u);
    }
}

/* ---- laws and row laws ---- */

void ts_site_law_stress(const ts_site *site, const ts_law_step *step, double *s) {
    if (site->law->stress) {
        site->law->stress(step, s);
        return;
    }
    ts_response r;
    site->law->respond(step, &r);
    memcpy(s, r.s, (size_t)site->forms * sizeof *s);
}

/* Multipliers times what their rows multiply the forms by: 1, or `slope` or `g` of a row law. */
static void row_weights(const ts_site *site, const ts_law_step *step, bool slope,
                        const double *lambda, double *weight) {
    lambda += site->row;
    if (!site->rowlaw) {
        memcpy(weight, lambda, (size_t)site->forms * sizeof *weight);
        return;
    }
    ts_row_response r;
    site->rowlaw->respond(step, &r);
    for (int k = 0; k < site->forms; k++) weight[k] = lambda[0] * (slope ? r.slope[k] : r.g[k]);
}

double ts_site_energy(const ts_model *model, const ts_site *site, ts_past past, const double *e) {
    const ts_law *law = site->law;
    if (law->energy)
        return law->energy(model->numbers + site->data, past.memory + site->memory, site->forms, e);
    ts_law_step rest = ts_site_rest(model, site, past, e, 0);
    return law->energy_at ? law->energy_at(&rest) : 0;
}

void ts_site_begin(const ts_model *model, const ts_site *site, const double *e, double *memory) {
    ts_law_step rest = ts_site_rest(model, site, (ts_past){.memory = memory}, e, 0);
    if (site->law->begin)
        site->law->begin(model->numbers + site->data, e, memory + site->memory);
    else if (site->law->begin_at)
        site->law->begin_at(&rest, memory + site->memory);
}

void ts_site_stiffness(const ts_model *model, const ts_site *site, ts_past past, const double *e,
                       double *K) {
    ts_law_step rest = ts_site_rest(model, site, past, e, 0);
    if (site->law->stiffness)
        site->law->stiffness(rest.data, rest.memory, site->forms, e, K);
    else if (site->law->stiffness_at)
        site->law->stiffness_at(&rest, K);
}

void ts_site_weights_at_rest(const ts_site *site, const ts_law_step *rest, const double *lambda,
                             double *weight) {
    if (site->role == TS_ROLE_LAW)
        ts_site_law_stress(site, rest, weight);
    else
        row_weights(site, rest, true, lambda, weight);
}

void ts_site_weights_over(const ts_site *site, const ts_law_step *step, const double *lambda,
                          double *weight) {
    if (site->role == TS_ROLE_LAW)
        ts_site_law_stress(site, step, weight);
    else
        row_weights(site, step, false, lambda, weight);
}

/* ---- dampers ---- */

static const double SMALL_CHANGE = 0x1p-17; /* of the forms: about the cube root of round-off */
static const double LINEAR = 1e-7;          /* relative: what round-off and no nonlinearity does */
/* C/d must not be lost beside V'': with this instant, in seconds, dampers are seen down to
 * C = 1e-18 s V''. */
static const double SHORT = 0x1p-20, NO_DAMPER = 1e-12;

/* The time in which forms change by SMALL_CHANGE at their rates; 0: they stand still. The size of a
 * form is its value or its constant: a strain is small beside the 1 that it is measured from. */
static double instant_of(const ts_model *model, const ts_site *site, const double *e,
                         const double *edot) {
    double size = 0, rate = 0;
    for (int k = 0; k < site->forms; k++) {
        size = fmax(size, fabs(e[k]) + fabs(model->forms[site->form + k].c));
        rate = fmax(rate, fabs(edot[k]));
    }
    return rate > 0 ? SMALL_CHANGE * (size > 0 ? size : 1) / rate : 0;
}

/* What dampers say of the change from e - d edot/2 to e + d edot/2: in d, and in 2 d. */
typedef struct change {
    double once[TS_MAX_FORMS], slower[TS_MAX_FORMS];
    double size, rounded; /* the largest number of `once`; what it lost to round-off */
    bool dissipates;
} change;

static void over_change(const ts_site *site, ts_law_step *step, double instant, change *out) {
    ts_response resting, moving, slower;
    *out = (change){0};
    site->law->respond(step, &resting);
    step->instant = instant;
    site->law->respond(step, &moving);
    /* a force that depends on rates may be work as well: then it depends on the instant */
    out->dissipates = moving.dissipated != 0 || moving.work != resting.work;
    if (!out->dissipates) return;
    step->instant = 2 * instant;
    site->law->respond(step, &slower);
    for (int k = 0; k < site->forms; k++) {
        out->once[k] = moving.s[k] - resting.s[k], out->slower[k] = slower.s[k] - resting.s[k];
        out->size = fmax(out->size, fabs(out->once[k]));
        out->rounded = fmax(out->rounded, 64 * DBL_EPSILON * fabs(resting.s[k]));
    }
}

static bool is_linear(int m, const change *x) {
    for (int k = 0; k < m; k++)
        if (fabs(x->once[k] - 2 * x->slower[k]) > LINEAR * x->size + x->rounded) return false;
    return true;
}

bool ts_site_damping(const ts_model *model, const ts_site *site, ts_past past, double t,
                     const double *e, const double *edot, double *s) {
    double e_i[TS_MAX_FORMS], e_f[TS_MAX_FORMS], C[TS_MAX_FORMS * TS_MAX_FORMS];
    double instant = instant_of(model, site, e, edot);
    int m = site->forms;
    if (!(instant > 0)) return false;
    for (int k = 0; k < m; k++)
        e_i[k] = e[k] - 0.5 * instant * edot[k], e_f[k] = e[k] + 0.5 * instant * edot[k];
    ts_law_step step = ts_site_over(model, site, past, e_i, e_f, t, t);
    change x;
    over_change(site, &step, instant, &x);
    if (!x.dissipates) return false;
    if (!is_linear(m, &x)) {
        for (int j = 0; j < m; j++) s[j] += x.once[j];
        return true;
    }
    if (!ts_site_damping_slope(model, site, past, t, e, C)) return false;
    for (int j = 0; j < m; j++) s[j] += ts_dot(m, C + m * j, edot);
    return true;
}

bool ts_site_damping_slope(const ts_model *model, const ts_site *site, ts_past past, double t,
                           const double *e, double *C) {
    ts_response moving, resting;
    ts_law_step step = ts_site_rest(model, site, past, e, t);
    bool damped = false;
    site->law->respond(&step, &resting);
    step.instant = SHORT;
    site->law->respond(&step, &moving);
    for (int i = 0; i < site->forms * site->forms; i++) {
        double c = moving.ds[i] - resting.ds[i];
        C[i] = fabs(c) <= NO_DAMPER * fabs(resting.ds[i]) ? 0 : SHORT * c;
        damped |= C[i] != 0;
    }
    return damped;
}
