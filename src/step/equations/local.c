/* SPDX-License-Identifier: Apache-2.0 */
/* Gathering, projecting and scattering for one site: what all schemes share. See stepper.h. */
#include <math.h>
#include <string.h>

#include "step/touch.h"

void ts_local_site(const ts_model *model, const ts_site *site, int stages, ts_local *l) {
    l->slots = site->ambient, l->vectors = site->slots, l->nodes = site->nodes;
    l->N = site->interpolation < 0 ? NULL : model->interpolation + site->interpolation;
    bool law = site->role == TS_ROLE_LAW;
    l->rows = law ? site->reads : site->rows, l->first_row = law ? site->read : site->row;
    l->stages = stages, l->nd = 0;
    int slot = 0;
    for (int i = 0; i < site->nodes; i++) {
        l->node[i] = model->site_nodes[site->node + i];
        const ts_node *node = &model->nodes[l->node[i]];
        l->first[i] = slot;
        for (int k = 0; k < node->slots; k++, slot++) {
            l->turns[slot] = k == 0 ? 0 : node->kind == TS_NODE_DIRECTOR ? 2 : 3;
            l->dof[slot] = l->nd + (k > 0 ? 3 : 0);
        }
        l->nd += ts_node_dofs(node);
    }
    l->width = l->stages * (l->nd + l->rows);
}

void ts_local_equations(const ts_step *st, const ts_local *l, int *eq) {
    const ts_system *system = st->system;
    int at = 0;
    for (int s = 0; s < l->stages; s++)
        for (int i = 0; i < l->nodes; i++) {
            int dof = system->node_dof[l->node[i]];
            for (int k = 0; k < ts_node_dofs(&st->model->nodes[l->node[i]]); k++)
                eq[at++] = dof < 0 ? -1 : s * system->dofs + dof + k;
        }
    for (int s = 0; s < l->stages; s++)
        for (int r = 0; r < l->rows; r++) {
            int row = system->row_eq[l->first_row + r];
            eq[at++] = row < 0 ? -1 : l->stages * system->dofs + s * system->rows + row;
        }
}

/* ---- rotations ---- */

void ts_store_balance(const ts_step *st, int n, v3 force, v3 moment, double *R) {
    const ts_node *node = &st->model->nodes[n];
    v3_store(R, force);
    if (node->kind == TS_NODE_FRAME) v3_store(R + 3, moment);
    if (node->kind != TS_NODE_DIRECTOR) return;
    v3 t[2];
    ts_turn_axes(st->system, n, t);
    R[3] = v3_dot(t[0], moment), R[4] = v3_dot(t[1], moment);
}

/* ---- projectors ---- */

/* The columns of X for the turns of a shell's director. */
static m3 two_turns(const ts_step *st, int n, m3 X) {
    v3 t[2];
    ts_turn_axes(st->system, n, t);
    return m3_cols(m3_apply(X, t[0]), m3_apply(X, t[1]), v3_make(0, 0, 0));
}

void ts_projector_cross(const ts_step *st, const ts_local *l, double share, ts_projector *P) {
    P->still = false;
    for (int i = 0; i < l->nodes; i++) {
        const ts_node *node = &st->model->nodes[l->node[i]];
        for (int k = 1; k < node->slots; k++) {
            int at = 3 * (node->slot + k);
            v3 m = v3_load(st->q_m + at), f = v3_load(st->q_f + at);
            v3 d = v3_axpy(share, v3_sub(f, m), m);
            m3 X = m3_skew(v3_scale(-1, d));
            P->X[l->first[i] + k] =
                node->kind == TS_NODE_DIRECTOR ? two_turns(st, l->node[i], X) : X;
        }
    }
}

void ts_projector_general(const ts_step *st, const ts_local *l, const double *per_node,
                          ts_projector *P) {
    P->still = true;
    for (int i = 0; i < l->nodes; i++) {
        const ts_node *node = &st->model->nodes[l->node[i]];
        for (int k = 1; k < node->slots; k++) {
            m3 X = m3_load(per_node + 27 * l->node[i] + 9 * (k - 1));
            P->X[l->first[i] + k] =
                node->kind == TS_NODE_DIRECTOR ? two_turns(st, l->node[i], X) : X;
        }
    }
}

void ts_ed_projectors_at(const ts_step *st, const ts_site *site, ts_ed_projectors *p) {
    ts_local_site(st->model, site, 2, &p->l);
    ts_projector_cross(st, &p->l, 0, &p->Pm);
    ts_projector_cross(st, &p->l, 1, &p->Pf);
    ts_projector_cross(st, &p->l, 1 / (1 + st->alpha), &p->Pw);
    ts_projector_general(st, &p->l, st->Ta, &p->Ta);
    ts_projector_general(st, &p->l, st->PE, &p->PE);
}

void ts_project(const ts_local *l, const ts_projector *P, const double *row, double *out) {
    double room[3 * TS_MAX_SLOTS];
    if (l->N) ts_spread(l->vectors, l->slots, l->N, row, room), row = room;
    memset(out, 0, (size_t)l->nd * sizeof *out);
    for (int s = 0; s < l->slots; s++, row += 3) {
        double *o = out + l->dof[s];
        if (l->turns[s]) {
            for (int j = 0; j < l->turns[s]; j++) o[j] += v3_dot(P->X[s].c[j], v3_load(row));
        } else if (!P->still) {
            o[0] += row[0], o[1] += row[1], o[2] += row[2];
        }
    }
}

/* block += w Xtest^T Xtrial of slots a and b; positions have the identity for X, or nothing. */
static void add_pair(const ts_tangent_block *block, double w, int a, int b) {
    const ts_local *l = block->l;
    const ts_projector *test = block->test, *trial = block->trial;
    int ta = l->turns[a], tb = l->turns[b];
    double *d = block->at + l->dof[a] * l->width + l->dof[b];
    if ((!ta && test->still) || (!tb && trial->still)) return;
    if (!ta && !tb) {
        d[0] += w, d[l->width + 1] += w, d[2 * l->width + 2] += w;
        return;
    }
    for (int i = 0; i < (ta ? ta : 3); i++, d += l->width)
        for (int j = 0; j < (tb ? tb : 3); j++) {
            double x = ta && tb ? v3_dot(test->X[a].c[i], trial->X[b].c[j])
                       : ta     ? v3_get(test->X[a].c[i], j)
                                : v3_get(trial->X[b].c[j], i);
            d[j] += w * x;
        }
}

static void add_hessian(const ts_model *model, int f, ts_sides sides, double weight,
                        const ts_tangent_block *block) {
    const ts_form *form = &model->forms[f];
    const ts_pair *p = model->pairs + form->pair;
    for (int i = 0; i < form->pairs; i++) {
        int a = p[i].a, b = p[i].b;
        double w = weight * p[i].w;
        if (sides != TS_SIDES_ROW) add_pair(block, w, a, b);
        if (sides != TS_SIDES_COLUMN) add_pair(block, w, b, a);
    }
}

/* Forms of vectors: their Hessians are summed over z first, then spread to the slots, N^T W N. */
static void add_spread_hessian(const ts_model *model, const ts_site *site, double factor,
                               const double *weight, const ts_tangent_block *block) {
    double W[TS_MAX_SLOTS * TS_MAX_SLOTS] = {0}, WN[TS_MAX_SLOTS * TS_MAX_SLOTS] = {0};
    const double *N = block->l->N;
    int z = block->l->vectors, n = block->l->slots;
    for (int k = 0; k < site->forms; k++) {
        const ts_form *form = &model->forms[site->form + k];
        for (const ts_pair *p = model->pairs + form->pair, *end = p + form->pairs; p < end; p++) {
            double w = factor * weight[k] * p->w;
            W[p->a * z + p->b] += w, W[p->b * z + p->a] += w;
        }
    }
    for (int i = 0; i < z; i++)
        for (int j = 0; j < z; j++) {
            if (W[i * z + j] == 0) continue;
            for (int s = 0; s < n; s++) WN[i * n + s] += W[i * z + j] * N[j * n + s];
        }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            double w = 0;
            for (int i = 0; i < z; i++) w += N[i * n + a] * WN[i * n + b];
            if (w != 0) add_pair(block, w, a, b);
        }
}

void ts_add_hessians(const ts_model *model, const ts_site *site, ts_sides sides, double factor,
                     const double *weight, const ts_tangent_block *block) {
    if (block->l->N) {
        add_spread_hessian(model, site, factor, weight, block);
        return;
    }
    for (int k = 0; k < site->forms; k++)
        add_hessian(model, site->form + k, sides, factor * weight[k], block);
}

void ts_add_outer(const ts_local *l, const double *left, const double *right, int r0, int c0,
                  double *dense) {
    for (int i = 0; i < l->nd; i++) {
        if (left[i] == 0) continue;
        double *d = dense + (r0 + i) * l->width + c0;
        for (int j = 0; j < l->nd; j++) d[j] += left[i] * right[j];
    }
}

/* While the pattern is sought, any stress and any tangent are possible; others at other sites, so
 * that the points of an element do not cancel each other. */
static void random_response(const ts_site *site, ts_response *out) {
    int m = site->forms;
    double turn = 0.6180339887498949 * site->form, own = turn - floor(turn);
    for (int i = 0; i < m; i++) out->s[i] = 1.0 + 0.37 * i + own;
    for (int i = 0; i < m * m; i++) out->ds[i] = 1.3 + 0.11 * i * i + (i + 0.3) * own;
}

static void respond(const ts_step *st, const ts_site *site, const ts_law_step *step,
                    ts_response *out) {
    if (st->probing)
        random_response(site, out);
    else
        site->law->respond(step, out);
}

void ts_respond(const ts_step *st, const ts_site *site, const double *e_f, ts_response *out) {
    ts_law_step step = ts_law_over(st, site, e_f);
    respond(st, site, &step, out);
}

void ts_respond_at_end(const ts_step *st, const ts_site *site, const double *e, ts_response *out) {
    ts_law_step step = ts_law_at_end(st, site, e);
    respond(st, site, &step, out);
}

/* No sequence that sums of few terms could cancel. */
static double irregular(int k) {
    double x = 0.6180339887498949 * (k + 1) * (k + 2) + 0.4142135623730951 * k;
    return 0.5 + x - floor(x);
}

void ts_random_row(int m, ts_row_response *out, ts_row_zeta *zeta) {
    for (int k = 0; k < m; k++) {
        out->g[k] = irregular(k), out->slope[k] = out->y_f[k] = irregular(k + m);
        out->y_i[k] = irregular(k + 2 * m);
        if (zeta) zeta->zeta[k] = irregular(k + 3 * m);
    }
    for (int k = 0; k < m * m; k++) {
        out->dg[k] = irregular(k + 5 * m), out->dy_f[k] = irregular(k + 7 * m);
        if (zeta) zeta->d_e[k] = irregular(k + 9 * m), zeta->d_edot[k] = irregular(k + 11 * m);
    }
}

ts_tangent_part ts_part_of(const ts_step *st, const ts_site *site) {
    if (st->part == TS_WHOLE) return TS_WHOLE;
    for (int k = 0; k < site->nodes; k++)
        if (st->model->nodes[st->model->site_nodes[site->node + k]].slots > 1) return st->part;
    return st->part == TS_MATERIAL ? TS_WHOLE : TS_NO_PART;
}

void ts_add_reads(const ts_step *st, const ts_local *l, const ts_site *site,
                  const ts_law_step *step, const double *test, double *dense) {
    double by[TS_MAX_FORMS * TS_MAX_FORMS];
    if (site->reads == 0) return;
    for (int i = 0; st->probing && i < site->forms * site->reads; i++) by[i] = 0.9 + 0.17 * i;
    if (!st->probing) site->law->by_multipliers(step, by);
    for (int r = 0; r < site->reads; r++)
        for (int j = 0; j < site->forms; j++)
            for (int i = 0; i < l->nd; i++)
                dense[i * l->width + ts_at_lambda(l, r)] +=
                    by[j * site->reads + r] * test[6 * TS_MAX_NODES * j + i];
}

static ts_stage_step stage_step(const ts_step *st, const ts_site *site, const double *edot_f,
                                const double *of_a) {
    return (ts_stage_step){st->h, st->alpha, st->edot_i + site->form, edot_f, of_a};
}

void ts_stage_of(const ts_step *st, const ts_site *site, const double *e_f, const double *edot_f,
                 const double *of_a, ts_stage *out) {
    ts_stage_step rates = stage_step(st, site, edot_f, of_a);
    if (st->probing) {
        for (int k = 0; k < site->forms; k++)
            out->w[k] = 1.2 + 0.31 * k, out->k[k] = 0.7 - 0.23 * k;
        return;
    }
    ts_law_step step = ts_law_over(st, site, e_f);
    site->law->stage(&step, &rates, out);
}

double ts_stage_loss_of(const ts_step *st, const ts_site *site, const double *e_f,
                        const double *edot_f, const double *of_a) {
    ts_stage_step rates = stage_step(st, site, edot_f, of_a);
    ts_law_step step = ts_law_over(st, site, e_f);
    return site->law->stage_loss(&step, &rates);
}

static void random_slopes(int m, ts_stage_slopes *out) {
    double *of[] = {out->w_e, out->w_v, out->w_a, out->k_e, out->k_v, out->k_a};
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < m * m; i++) of[k][i] = 1 + 0.13 * k + 0.07 * i * (k + 1);
}

void ts_stage_slopes_of(const ts_step *st, const ts_site *site, const double *e_f,
                        const double *edot_f, const double *of_a, ts_stage_slopes *out) {
    ts_stage_step rates = stage_step(st, site, edot_f, of_a);
    if (st->probing) {
        random_slopes(site->forms, out);
        return;
    }
    ts_law_step step = ts_law_over(st, site, e_f);
    site->law->stage_slopes(&step, &rates, out);
}

TS_FOR_SLOTS void refresh_positions(int slots, const ts_step *st, int n, int s) {
    const double *q_i = st->q_i + s;
    double *dq = st->dq + s;
    quat turn = st->turn[n];
    v3_store(dq, st->dx[n]);
    for (int k = 1; k < slots; k++)
        v3_store(dq + 3 * k, quat_increment(turn, v3_load(q_i + 3 * k)));
    ts_slots_combine(slots, 1, q_i, 1, dq, st->q_f + s);
    ts_slots_combine(slots, 1, q_i, 0.5, dq, st->q_m + s);
}

void ts_refresh_positions(ts_step *st, int n) {
    const ts_node *node = &st->model->nodes[n];
    if (node->slots == TS_FRAME_SLOTS)
        refresh_positions(TS_FRAME_SLOTS, st, n, 3 * node->slot);
    else
        refresh_positions(node->slots, st, n, 3 * node->slot);
}

void ts_refresh_fixed(ts_step *st, int n) {
    const ts_node *node = &st->model->nodes[n];
    for (int i = 3 * node->slot; i < 3 * (node->slot + node->slots); i++) {
        st->q_f[i] = st->q_m[i] = st->q_i[i];
        st->dq[i] = st->v_f[i] = st->v_m[i] = 0;
        if (st->a) st->a[i] = 0;
    }
}

void ts_add_turning(const ts_step *st, int n, const double *F, double scale, int r0, int c0,
                    int width, double *dense) {
    const ts_node *node = &st->model->nodes[n];
    int s = 3 * node->slot;
    for (int k = 1; k < node->slots; k++) {
        v3 d = v3_load(st->q_f + s + 3 * k), f = v3_load(F + s + 3 * k);
        for (int j = 0; j < 3; j++) {
            v3 column = v3_cross(v3_cross(v3_axis(j), d), f);
            for (int i = 0; i < 3; i++)
                dense[(r0 + 3 + i) * width + c0 + 3 + j] += scale * v3_get(column, i);
        }
    }
}

void ts_add_forces(ts_step *st) {
    for (int i = 0; i < st->model->loads_count; i++) {
        const ts_load *load = &st->model->loads[i];
        if (load->moment) continue;
        const ts_node *node = &st->model->nodes[load->node];
        int s = 3 * node->slot;
        v3 f = st->load[i].mean, change = st->load[i].change;
        if (load->follower) f = m3_apply(ts_load_directors(node, st->q_m + s), f);
        for (int k = 0; k < node->slots; k++) {
            double arm = k ? v3_get(load->point, k - 1) : 1;
            v3_store(st->F + s + 3 * k, v3_axpy(-arm, f, v3_load(st->F + s + 3 * k)));
            if (st->a && !load->follower)
                v3_store(st->Fs + s + 3 * k, v3_axpy(arm, change, v3_load(st->Fs + s + 3 * k)));
        }
    }
}

/* Moments work on the Cayley vector of the step, because D_f - D_i = c x D_m with c = 2 pv / p0. A
 * director d says c only up to a multiple of d_m, along which its moment has no part. */
static v3 cayley_vector(const ts_step *st, int n) {
    return v3_scale(2.0 / st->turn[n].s, st->turn[n].v);
}

v3 ts_load_moment(const ts_node *node, const ts_load *load, v3 mean, const double *slots) {
    if (load->follower) mean = m3_apply(ts_load_directors(node, slots), mean);
    if (node->kind != TS_NODE_DIRECTOR) return mean;
    v3 d = v3_load(slots + 3);
    return v3_axpy(-v3_dot(mean, d) / v3_dot(d, d), d, mean);
}

static double load_work(const ts_step *st, int i) {
    const ts_load *load = &st->model->loads[i];
    const ts_node *node = &st->model->nodes[load->node];
    int s = 3 * node->slot;
    v3 f = st->load[i].mean;
    if (load->moment)
        return v3_dot(ts_load_moment(node, load, f, st->q_m + s), cayley_vector(st, load->node));
    if (load->follower) f = m3_apply(ts_load_directors(node, st->q_m + s), f);
    m3 dD = ts_load_directors(node, st->dq + s);
    return v3_dot(f, v3_add(v3_load(st->dq + s), m3_apply(dD, load->point)));
}

/* The work of s . (e_f - e_i), where a difference of large forms has lost digits, by the increments
 * that moved the nodes: s . B_m dq is the same but for round-off. Where the end alone counts, B is
 * not of the mean. */
static void follow_increments(const ts_step *st, const ts_site *site, const ts_law_step *step,
                              ts_response *r) {
    double q_m[3 * TS_MAX_SLOTS], dq[3 * TS_MAX_SLOTS], B[3 * TS_MAX_SLOTS], lost = 0;
    if (!site->law->outside || st->mean != 0.5) return;
    ts_site_gather(st->model, site, st->q_m, q_m);
    ts_site_gather(st->model, site, st->dq, dq);
    for (int k = 0; k < site->forms; k++) {
        if (r->s[k] == 0) continue;
        ts_form_gradient(st->model, site->form + k, site->slots, q_m, B);
        lost += r->s[k] * (ts_dot(3 * site->slots, B, dq) - (step->e_f[k] - step->e_i[k]));
    }
    *(r->dissipated > 0 ? &r->dissipated : &r->work) += r->dissipated > 0 ? lost : -lost;
}

static void law_exchange(const ts_step *st, const ts_site *site, const ts_law_step *step,
                         ts_exchange *out) {
    ts_response r;
    if (site->law->account)
        site->law->account(step, &r.dissipated, &r.work);
    else
        site->law->respond(step, &r);
    follow_increments(st, site, step, &r);
    ts_book_law(site->law, &r, out);
}

static bool conserves(const ts_model *model, const ts_site *site) {
    return site->law->conserves && site->law->conserves(model->numbers + site->data);
}

static void site_exchange(ts_step *st, const ts_site *site, ts_exchange *out) {
    const ts_model *model = st->model;
    double q_m[3 * TS_MAX_SLOTS], dq[3 * TS_MAX_SLOTS], B[3 * TS_MAX_SLOTS], e_f[TS_MAX_FORMS];
    ts_site_values(model, site, st->q_f, e_f);
    ts_law_step step = ts_law_over(st, site, e_f);
    if (site->role == TS_ROLE_LAW) {
        law_exchange(st, site, &step, out);
        return;
    }
    ts_row_response r;
    if (site->rowlaw) site->rowlaw->respond(&step, &r);
    ts_site_gather(model, site, st->q_m, q_m);
    ts_site_gather(model, site, st->dq, dq);
    for (int k = 0; k < site->forms; k++) {
        int row = site->row + (site->rowlaw ? 0 : k);
        if (!model->rows[row].drive) continue;
        ts_form_gradient(model, site->form + k, site->slots, q_m, B);
        double g = site->rowlaw ? r.g[k] : 1.0;
        out->work_drives -= st->lambda[row] * g * ts_dot(3 * site->slots, B, dq);
    }
}

void ts_exchange_common(ts_step *st, ts_exchange *out) {
    for (int i = 0; i < st->model->loads_count; i++) out->work_loads += load_work(st, i);
    if (st->model->pressures_count) out->work_loads += ts_pressure_work(st);
    out->dissipated += ts_contacts_dissipated(st);
    for (int i = 0; i < st->model->sites_count; i++) {
        const ts_site *site = &st->model->sites[i];
        bool drive = site->rows && site->role == TS_ROLE_ROWS && st->model->rows[site->row].drive;
        bool law = site->role == TS_ROLE_LAW && !conserves(st->model, site);
        if (law || drive) site_exchange(st, site, out);
    }
}
