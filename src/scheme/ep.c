/* SPDX-License-Identifier: Apache-2.0 */
/* EP: the energy preserving step. S1 section 2.2, S3 scheme 1, S2; docs/theory.
 *
 *     q_f - q_i = h (v_i + v_f)/2                          so  v_f = 2 (q_f - q_i)/h - v_i
 *     P_m^T [ M (v_f - v_i)/h + B_m^T s + C_m^T lambda - F ] = 0
 *     c(q_f) = 0 ,   or  A(q_m) (q_f - q_i) = 0  for rates
 *
 * Preserved to solver tolerance: energy (for conservative loads), linear and angular momentum (when
 * nothing outside acts), position constraints. Constraint forces do no work.
 *
 * Tangent of one site: with b_m = B_m P_m and b_f = B_f P_f,  b_m^T (ds/de_f) b_f + 1/2 P_m^T G(s)
 * P_f. The balance is multiplied by h^2/2 and multipliers are counted in units of 2/h^2, so that
 * all blocks are of order M or 1.
 */
#include <string.h>

#include "scheme/fused.h"
#include "scheme/schemes.h"
#include "step/equations/terms.h"

static void refresh(ts_step *st, int n) {
    const ts_node *node = &st->model->nodes[n];
    int s = 3 * node->slot;
    ts_refresh_positions(st, n);
    if (node->slots == TS_FRAME_SLOTS)
        ts_slots_combine(TS_FRAME_SLOTS, 2 / st->h, st->dq + s, -1, st->v_i + s, st->v_f + s);
    else
        ts_slots_combine(node->slots, 2 / st->h, st->dq + s, -1, st->v_i + s, st->v_f + s);
}

/* ---- residual ---- */

/* c(q_f) by (D): what it was plus B_m . dq, so that round-off of large coordinates does not change
 * from one iterate to the next. Rate rows are B_m . dq alone. */
static void plain_rows(ts_step *st, const ts_site *site, const double *q_m, const double *dq,
                       double *F, double *R) {
    bool rate = site->role == TS_ROLE_RATES;
    for (int k = 0; k < site->rows; k++) {
        int row = st->system->row_eq[site->row + k];
        if (row < 0) continue;
        double c =
            ts_row_pull(st->model, site->form + k, rate, q_m, dq, st->lambda[site->row + k], F);
        if (!rate) c += st->e_i[site->form + k];
        R[st->system->dofs + row] = c - st->u_f[site->row + k];
    }
}

static void function_row(ts_step *st, const ts_site *site, const double *e_f, double *weight,
                         double *R) {
    ts_row_response r;
    ts_respond_row(st, site, e_f, &r);
    int row = st->system->row_eq[site->row];
    if (row >= 0) R[st->system->dofs + row] = r.y - st->u_f[site->row];
    for (int k = 0; k < site->forms; k++) weight[k] = st->lambda[site->row] * r.g[k];
}

static void site_residual(ts_step *st, const ts_site *site, double *R) {
    if (site->kernel) {
        ts_fused_ep_residual(st, site);
        return;
    }
    const ts_model *model = st->model;
    double q_f[3 * TS_MAX_SLOTS], q_m[3 * TS_MAX_SLOTS], F[3 * TS_MAX_SLOTS];
    memset(F, 0, (size_t)(3 * site->slots) * sizeof *F);
    bool plain = site->role == TS_ROLE_RATES || (site->role == TS_ROLE_ROWS && !site->rowlaw);
    ts_site_gather(model, site, plain ? st->dq : st->q_f, q_f);
    ts_site_gather(model, site, st->q_m, q_m);
    if (plain) {
        plain_rows(st, site, q_m, q_f, F, R);
    } else {
        double e_f[TS_MAX_FORMS], weight[TS_MAX_FORMS];
        for (int k = 0; k < site->forms; k++) e_f[k] = ts_form_value(model, site->form + k, q_f);
        if (site->role == TS_ROLE_LAW) {
            ts_law_step step = ts_law_over(st, site, e_f);
            ts_site_law_stress(site, &step, weight);
        } else {
            function_row(st, site, e_f, weight, R);
        }
        for (int k = 0; k < site->forms; k++)
            ts_row_pull(model, site->form + k, false, q_m, q_m, weight[k], F);
    }
    ts_scatter(model, site, F, st->F);
}

/* Forces of a law whose forms depend on interpolated vectors z = N q, in terms of z. */
static void vector_forces(ts_step *st, const ts_site *site, const double *z_f, const double *z_m,
                          double *F) {
    double e_f[TS_MAX_FORMS], stress[TS_MAX_FORMS];
    for (int k = 0; k < site->forms; k++) e_f[k] = ts_form_value(st->model, site->form + k, z_f);
    ts_law_step step = ts_law_over(st, site, e_f);
    ts_site_law_stress(site, &step, stress);
    for (int k = 0; k < site->forms; k++)
        ts_row_pull(st->model, site->form + k, false, z_m, z_m, stress[k], F);
}

/* F += M ((v_f - v_i)/h - g); returns its moment. */
TS_FOR_SLOTS v3 add_inertia(int slots, const ts_step *st, const ts_node *node) {
    int s = 3 * node->slot;
    double *F = st->F + s, k = 1 / st->h;
    v3 w[TS_FRAME_SLOTS], moment = {0, 0, 0};
    for (int a = 0; a < slots; a++)
        w[a] = v3_axpy(-k, v3_load(st->v_i + s + 3 * a), v3_scale(k, v3_load(st->v_f + s + 3 * a)));
    w[0] = v3_sub(w[0], ts_node_gravity(node, st->model->gravity));
    for (int a = 0; a < slots; a++) {
        v3 f = v3_add(v3_load(F + 3 * a), ts_mass_row(slots, node, w, a));
        v3_store(F + 3 * a, f);
        if (a > 0) moment = v3_add(moment, v3_cross(v3_load(st->q_m + s + 3 * a), f));
    }
    return moment;
}

static void node_residual(ts_step *st, int n, double *R) {
    const ts_node *node = &st->model->nodes[n];
    double scale = st->row_scale[0];
    v3 moment = node->slots == TS_FRAME_SLOTS ? add_inertia(TS_FRAME_SLOTS, st, node)
                                              : add_inertia(node->slots, st, node);
    ts_store_balance(st, n, v3_scale(scale, v3_load(st->F + 3 * node->slot)),
                     v3_scale(scale, moment), R + st->system->node_dof[n]);
}

/* ---- tangent ---- */

typedef struct fields {
    ts_local l;
    double q_f[3 * TS_MAX_SLOTS], q_m[3 * TS_MAX_SLOTS];
    ts_projector Pm, Pf;
    double bm[TS_MAX_FORMS][6 * TS_MAX_NODES], bf[TS_MAX_FORMS][6 * TS_MAX_NODES];
} fields;

static void gather_fields(ts_step *st, const ts_site *site, fields *x) {
    const ts_model *model = st->model;
    bool rate = site->role == TS_ROLE_RATES;
    ts_local_site(st->model, site, 1, &x->l);
    ts_site_gather(model, site, st->q_f, x->q_f);
    ts_site_gather(model, site, st->q_m, x->q_m);
    ts_projector_cross(st, &x->l, 0, &x->Pm);
    ts_projector_cross(st, &x->l, 1, &x->Pf);
    ts_term_row mean = ts_terms_at(rate, x->q_m), end = ts_terms_at(rate, x->q_f);
    double half[3 * TS_MAX_SLOTS];
    if (rate) { /* the derivative of A(q_m) dq by q_f: A(q_m) + (dA dq)/2 */
        for (int i = 0; i < 3 * site->slots; i++) half[i] = x->q_f[i] - x->q_m[i];
        end = (ts_term_row){x->q_m, half, 1};
    }
    size_t size = (size_t)x->l.nd * sizeof(double);
    for (int k = 0; k < site->forms; k++) {
        memset(x->bm[k], 0, size), memset(x->bf[k], 0, size);
        ts_project_terms(model, site->form + k, mean, &x->l, &x->Pm, 1, x->bm[k]);
        ts_project_terms(model, site->form + k, end, &x->l, &x->Pf, 1, x->bf[k]);
    }
}

static void row_blocks(const fields *x, int r, const double *column, const double *row,
                       double *dense) {
    int at = ts_at_lambda(&x->l, r);
    for (int i = 0; i < x->l.nd; i++) {
        dense[i * x->l.width + at] += column[i];
        dense[at * x->l.width + i] += row[i];
    }
}

/* left_j (J_jk) right_k summed over both */
static void add_coupled(const fields *x, int m, const double *J, double scale, double *dense) {
    double right[6 * TS_MAX_NODES];
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < x->l.nd; i++) {
            right[i] = 0;
            for (int k = 0; k < m; k++) right[i] += scale * J[j * m + k] * x->bf[k][i];
        }
        ts_add_outer(&x->l, x->bm[j], right, 0, 0, dense);
    }
}

static void function_row_tangent(ts_step *st, const ts_site *site, const fields *x,
                                 const double *e_f, double *weight, double *dense) {
    ts_row_response r;
    ts_respond_row(st, site, e_f, &r);
    double column[6 * TS_MAX_NODES] = {0}, row[6 * TS_MAX_NODES] = {0};
    for (int k = 0; k < site->forms; k++) {
        weight[k] = st->lambda[site->row] * r.g[k];
        for (int i = 0; i < x->l.nd; i++) {
            column[i] += r.g[k] * x->bm[k][i];
            row[i] += r.slope[k] * x->bf[k][i];
        }
    }
    row_blocks(x, 0, column, row, dense);
    add_coupled(x, site->forms, r.dg, st->row_scale[0] * st->lambda[site->row], dense);
}

static void site_tangent(ts_step *st, const ts_site *site, double *dense) {
    ts_tangent_part part = ts_part_of(st, site);
    bool law = site->role == TS_ROLE_LAW;
    if (part == TS_MATERIAL && !law) return;
    if (site->kernel) {
        ts_fused_ep_tangent(st, site, dense);
        return;
    }
    const ts_model *model = st->model;
    fields x;
    gather_fields(st, site, &x);
    double weight[TS_MAX_FORMS], e_f[TS_MAX_FORMS];
    if (law || site->rowlaw)
        for (int k = 0; k < site->forms; k++) e_f[k] = ts_form_value(model, site->form + k, x.q_f);
    if (law) {
        ts_response r;
        ts_respond(st, site, e_f, &r);
        memcpy(weight, r.s, sizeof weight);
        if (part != TS_GEOMETRIC) add_coupled(&x, site->forms, r.ds, st->row_scale[0], dense);
        if (part == TS_MATERIAL) return;
        ts_law_step step = ts_law_over(st, site, e_f);
        ts_add_reads(st, &x.l, site, &step, x.bm[0], dense);
    } else if (site->rowlaw) {
        function_row_tangent(st, site, &x, e_f, weight, dense);
    } else {
        for (int k = 0; k < site->rows; k++) {
            weight[k] = st->lambda[site->row + k];
            row_blocks(&x, k, x.bm[k], x.bf[k], dense);
        }
    }
    ts_sides sides = site->role == TS_ROLE_RATES ? TS_SIDES_ROW : TS_SIDES_BOTH;
    ts_tangent_block block = ts_tangent_block_at(&x.l, &x.Pm, &x.Pf, 0, 0, dense);
    ts_add_hessians(model, site, sides, 0.5 * st->row_scale[0], weight, &block);
}

/* Tangent of a law whose forms depend on interpolated vectors z = N q, in terms of z. */
static void vector_tangent(ts_step *st, const ts_site *site, double *K) {
    const ts_model *model = st->model;
    double q_f[3 * TS_MAX_SLOTS], q_m[3 * TS_MAX_SLOTS], e_f[TS_MAX_FORMS];
    ts_tangent_part part = ts_part_of(st, site);
    ts_response r;
    ts_site_gather(model, site, st->q_f, q_f);
    ts_site_gather(model, site, st->q_m, q_m);
    for (int k = 0; k < site->forms; k++) e_f[k] = ts_form_value(model, site->form + k, q_f);
    ts_respond(st, site, e_f, &r);
    ts_stiffness x = {q_m, q_f, r.ds, r.s, st->row_scale[0], 0.5 * st->row_scale[0]};
    if (part == TS_GEOMETRIC) x.material = 0;
    if (part == TS_MATERIAL) x.geometric = 0;
    ts_vectors_law(model, site, &x, K);
}

void ts_node_inertia(const ts_step *st, int n, double *dense) {
    const ts_node *node = &st->model->nodes[n];
    int width = node->slots > 1 ? 6 : 3, s = 3 * node->slot;
    for (int a = 0; a < node->slots; a++)
        for (int b = 0; b < node->slots; b++) {
            if (node->mass[a][b] == 0) continue;
            m3 test = a ? m3_skew(v3_scale(-1, v3_load(st->q_m + s + 3 * a))) : m3_identity();
            m3 trial = b ? m3_skew(v3_scale(-1, v3_load(st->q_f + s + 3 * b))) : m3_identity();
            m3 block = m3_tmul(test, trial);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    dense[((a ? 3 : 0) + i) * width + (b ? 3 : 0) + j] +=
                        node->mass[a][b] * v3_get(block.c[j], i);
        }
}

/* Inertia, and the change of P_m under the total force: 1/2 sum (psi x d_f) x F. */
static void node_tangent(ts_step *st, int n, double *dense) {
    if (st->part == TS_WHOLE) ts_node_inertia(st, n, dense);
    ts_add_turning(st, n, st->F, 0.5 * st->row_scale[0], 0, 0,
                   st->model->nodes[n].slots > 1 ? 6 : 3, dense);
}

static void exchange(ts_step *st, ts_exchange *out) { ts_exchange_common(st, out); }

static const ts_scheme_parameter PARAMETERS[] = {TS_RHO_INF(TS_IDLE), {0}};

const ts_scheme TS_SCHEME_EP = {
    .name = "EP",
    .help =
        "Energy preserving: second order, energy and momenta preserved to round-off, no damping.",
    .stages = 1,
    .mean = 0.5,
    .in_time = true,
    .inertia = true,
    .parameters = PARAMETERS,
    .held_residual = site_residual,
    .refresh = refresh,
    .site_residual = site_residual,
    .node_residual = node_residual,
    .site_tangent = site_tangent,
    .vector_forces = vector_forces,
    .vector_tangent = vector_tangent,
    .node_tangent = node_tangent,
    .exchange = exchange,
};
