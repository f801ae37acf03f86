/* SPDX-License-Identifier: Apache-2.0 */
/* Statics: equilibrium at the end of an increment of load, q_f being the only configuration that
 * matters.
 *
 *     P_f^T [ B_f^T s(e_f) + C_f^T lambda - f (F + M g) ] = 0 ,     c(q_f, t_f) = 0
 *
 * (and a pseudo-mass times q_f - q_i in relax.c, and what holds preloads in static_work.c). f is
 * the load factor, which the analysis raises from 0 to 1. The tangent is symmetric for dead loads:
 * P_f^T (B^T K B + G(s) + G(lambda)) P_f plus a term for the rotation of the total force. A law is
 * asked for its response over a step of no length, s(e, e): there its stress is the gradient of its
 * energy and, by the symmetry of a discrete gradient in both ends, its derivative twice the
 * derivative by e_f.
 *
 * A slender beam bends far more easily than it stretches. An increment that bends it by psi
 * stretches it by psi^2/2, and the stress of that stretch, which vanishes in the next iteration, is
 * large enough to spoil the geometric stiffness G(s) and to make Newton's method diverge. So G is
 * evaluated at the stress predicted by the linear increment, s + (ds/de) B P delta (`stress`), not
 * at the stress after it: Newton's method for displacements and stresses as unknowns of their own,
 * which has the same solutions and converges quadratically too, from much farther away (D.
 * Magisano, L. Leonetti, G. Garcea, Int. J. Num. Meth. Eng. 109 (2017) 170). Only the tangent uses
 * this stress.
 */
#include <string.h>

#include "scheme/fused.h"
#include "scheme/static.h"

void ts_static_refresh(ts_step *st, int n) {
    const ts_node *node = &st->model->nodes[n];
    ts_refresh_positions(st, n);
    for (int i = 3 * node->slot; i < 3 * (node->slot + node->slots); i++) {
        st->q_m[i] = st->q_f[i];
        st->v_f[i] = st->dq[i] / st->h; /* the direction of the path, for the predictor */
    }
}

/* Weights of the forms of a site, and its rows; `slope` is the factor by which a function row
 * multiplies the forms. */
static void weights(ts_step *st, const ts_site *site, const double *e, double *weight,
                    ts_response *r, ts_row_response *y) {
    const double *lambda = st->lambda + site->row;
    if (site->role != TS_ROLE_LAW && !site->rowlaw) {
        memcpy(weight, lambda, (size_t)site->rows * sizeof *weight);
        return;
    }
    if (site->rowlaw) {
        ts_respond_row(st, site, e, y);
        for (int k = 0; k < site->forms; k++) weight[k] = lambda[0] * y->slope[k];
        return;
    }
    ts_respond_at_end(st, site, e, r);
    memcpy(weight, r->s, (size_t)site->forms * sizeof *weight);
}

static void set_row(const ts_step *st, int row, double value, double *R) {
    int eq = st->system->row_eq[row];
    if (eq >= 0) R[st->system->dofs + eq] = value - st->u_f[row];
}

void ts_static_site_residual(ts_step *st, const ts_site *site, double *R) {
    if (site->kernel) {
        ts_fused_static_residual(st, site);
        return;
    }
    const ts_model *model = st->model;
    bool rate = site->role == TS_ROLE_RATES;
    double q[3 * TS_MAX_SLOTS], dq[3 * TS_MAX_SLOTS], B[3 * TS_MAX_SLOTS],
        F[3 * TS_MAX_SLOTS] = {0};
    double e[TS_MAX_FORMS], weight[TS_MAX_FORMS];
    ts_response r;
    ts_row_response y;
    ts_site_gather(model, site, st->q_f, q);
    ts_site_gather(model, site, st->dq, dq);
    for (int k = 0; k < site->forms; k++) e[k] = ts_form_value(model, site->form + k, q);
    weights(st, site, e, weight, &r, &y);
    for (int k = 0; k < site->forms; k++) {
        ts_form_row(model, site->form + k, rate, site->slots, q, B);
        for (int i = 0; i < 3 * site->slots; i++) F[i] += weight[k] * B[i];
        if (rate) e[k] = ts_dot(3 * site->slots, B, dq);
        if (site->rows && !site->rowlaw) set_row(st, site->row + k, e[k], R);
    }
    if (site->rowlaw) set_row(st, site->row, y.y, R);
    ts_scatter(model, site, F, st->F);
}

static void node_residual(ts_step *st, int n, double *R) {
    const ts_node *node = &st->model->nodes[n];
    int s = 3 * node->slot, dof = st->system->node_dof[n];
    double g[3 * 4] = {0};
    for (int i = 0; i < 3 * node->slots; i++) g[i] = st->statics.relax * st->dq[s + i];
    v3_store(g, v3_axpy(-st->load_factor, ts_node_gravity(node, st->model->gravity), v3_load(g)));
    for (int i = s; st->statics.relief && i < s + 3 * node->slots; i++)
        st->F[i] -= (1 - st->load_factor) * st->statics.relief[i];
    v3 moment = {0, 0, 0};
    for (int a = 0; a < node->slots; a++) {
        v3 f = v3_add(v3_load(st->F + s + 3 * a), ts_mass_times(node, g, a));
        v3_store(st->F + s + 3 * a, f);
        if (a > 0) moment = v3_add(moment, v3_cross(v3_load(st->q_f + s + 3 * a), f));
    }
    ts_store_balance(st, n, v3_load(st->F + s), moment, R + dof);
}

/* ---- the predicted stress ---- */

void ts_static_begin_site(ts_step *st, const ts_site *site) {
    ts_response r;
    if (site->role != TS_ROLE_LAW) return;
    ts_respond_at_end(st, site, st->e_i + site->form, &r);
    memcpy(st->statics.stress + site->form, r.s, (size_t)site->forms * sizeof *r.s);
}

/* The derivative of the stress is replaced by that of the predicted stress, too. */
void ts_static_meant(const ts_step *st, const ts_site *site, const double *e, ts_response *r) {
    if (!site->law->meant || st->probing) return;
    ts_law_step rest = ts_law_at_end(st, site, e);
    site->law->meant(&rest, st->statics.stress + site->form, r);
}

/* Replaces the weights by the predicted stress, and stores the difference of their forces for the
 * rotation of the nodes. */
static void meant_stress(ts_step *st, const ts_site *site, const double *q, double *weight) {
    double B[3 * TS_MAX_SLOTS], F[3 * TS_MAX_SLOTS] = {0};
    if (st->probing) return;
    for (int k = 0; k < site->forms; k++) {
        double more = st->statics.stress[site->form + k] - weight[k];
        ts_form_row(st->model, site->form + k, false, site->slots, q, B);
        for (int i = 0; i < 3 * site->slots; i++) F[i] += more * B[i];
        weight[k] += more;
    }
    ts_scatter(st->model, site, F, st->statics.force);
}

void ts_static_prepare_tangent(ts_step *st, int n) {
    const ts_node *node = &st->model->nodes[n];
    memset(st->statics.force + 3 * node->slot, 0, (size_t)(3 * node->slots) * sizeof(double));
}

/* P delta: the motion of the slots of a site in an increment. */
static void slot_moves(const ts_local *l, const ts_projector *P, const int *eq, const double *delta,
                       double *moves) {
    for (int s = 0; s < l->slots; s++) {
        v3 move = {0, 0, 0};
        for (int j = 0; j < (l->turns[s] ? l->turns[s] : 3); j++) {
            int at = eq[l->dof[s] + j];
            if (at >= 0) move = v3_axpy(delta[at], l->turns[s] ? P->X[s].c[j] : v3_axis(j), move);
        }
        v3_store(moves + 3 * s, move);
    }
}

static void follow_site(ts_step *st, const ts_site *site, const double *delta, double factor) {
    const ts_model *model = st->model;
    ts_local l;
    ts_projector P;
    double q[3 * TS_MAX_SLOTS], B[3 * TS_MAX_SLOTS], moves[3 * TS_MAX_SLOTS], z[3 * TS_MAX_SLOTS];
    double e[TS_MAX_FORMS], de[TS_MAX_FORMS], weight[TS_MAX_FORMS];
    int eq[TS_MAX_WIDTH];
    ts_response r;
    ts_row_response y;
    ts_local_site(st->model, site, 1, &l);
    ts_local_equations(st, &l, eq);
    ts_site_gather(model, site, st->q_f, q);
    ts_projector_cross(st, &l, 1, &P);
    slot_moves(&l, &P, eq, delta, moves);
    if (l.N) ts_site_vectors(model, site, moves, z);
    for (int k = 0; k < site->forms; k++) {
        e[k] = ts_form_value(model, site->form + k, q);
        ts_form_gradient(model, site->form + k, site->slots, q, B);
        de[k] = ts_dot(3 * site->slots, B, l.N ? z : moves);
    }
    weights(st, site, e, weight, &r, &y);
    ts_static_meant(st, site, e, &r);
    for (int j = 0; j < site->forms; j++) {
        double *s = &st->statics.stress[site->form + j], meant = weight[j];
        for (int k = 0; k < site->forms; k++) meant += 2 * r.ds[j * site->forms + k] * de[k];
        *s += factor * (meant - *s);
    }
}

void ts_static_follow(ts_step *st, const double *delta, double factor) {
    for (int i = 0; i < st->model->sites_count; i++)
        if (st->model->sites[i].role == TS_ROLE_LAW)
            follow_site(st, &st->model->sites[i], delta, factor);
}

/* Gradients of the forms of a site, by the unknowns of its nodes. */
typedef struct gradients {
    ts_local l;
    ts_projector P;
    double q[3 * TS_MAX_SLOTS], e[TS_MAX_FORMS];
    double b[TS_MAX_FORMS][6 * TS_MAX_NODES];
} gradients;

static void gradients_of(const ts_step *st, const ts_site *site, gradients *x) {
    double B[3 * TS_MAX_SLOTS];
    bool rate = site->role == TS_ROLE_RATES;
    ts_local_site(st->model, site, 1, &x->l);
    ts_site_gather(st->model, site, st->q_f, x->q);
    ts_projector_cross(st, &x->l, 1, &x->P);
    for (int k = 0; k < site->forms; k++) {
        x->e[k] = ts_form_value(st->model, site->form + k, x->q);
        ts_form_row(st->model, site->form + k, rate, site->slots, x->q, B);
        ts_project(&x->l, &x->P, B, x->b[k]);
    }
}

/* C and C^T; the forms of a row law share its one row. */
static void add_rows(const ts_site *site, const gradients *x, const double *slope, double *dense) {
    for (int j = 0; j < site->forms; j++) {
        double s = slope ? slope[j] : 1;
        int at = ts_at_lambda(&x->l, slope ? 0 : j);
        for (int i = 0; i < x->l.nd; i++) {
            dense[i * x->l.width + at] += s * x->b[j][i];
            dense[at * x->l.width + i] += s * x->b[j][i];
        }
    }
}

/* factor B^T (ds/de_f) B */
static void add_material(const ts_site *site, const gradients *x, double factor, const double *ds,
                         double *dense) {
    double right[6 * TS_MAX_NODES];
    for (int j = 0; j < site->forms; j++) {
        for (int i = 0; i < x->l.nd; i++) {
            right[i] = 0;
            for (int k = 0; k < site->forms; k++)
                right[i] += factor * ds[j * site->forms + k] * x->b[k][i];
        }
        ts_add_outer(&x->l, x->b[j], right, 0, 0, dense);
    }
}

static void site_tangent(ts_step *st, const ts_site *site, double *dense) {
    if (site->kernel) {
        ts_fused_static_tangent(st, site, dense);
        return;
    }
    gradients x;
    double weight[TS_MAX_FORMS];
    ts_response r;
    ts_row_response y;
    gradients_of(st, site, &x);
    weights(st, site, x.e, weight, &r, &y);
    if (site->role == TS_ROLE_LAW) {
        ts_static_meant(st, site, x.e, &r);
        meant_stress(st, site, x.q, weight);
    }
    ts_sides sides = site->role == TS_ROLE_RATES ? TS_SIDES_ROW : TS_SIDES_BOTH;
    ts_tangent_block block = ts_tangent_block_at(&x.l, &x.P, &x.P, 0, 0, dense);
    ts_add_hessians(st->model, site, sides, 1, weight, &block);
    if (site->role == TS_ROLE_LAW) {
        ts_law_step rest = ts_law_at_end(st, site, x.e);
        add_material(site, &x, 2, r.ds, dense);
        ts_add_reads(st, &x.l, site, &rest, x.b[0], dense);
    }
    /* the gradient of a path is that of its end everywhere, and turns with it */
    if (site->rowlaw && site->rowlaw->pieces)
        add_material(site, &x, st->lambda[site->row], y.dy_f, dense);
    if (site->rows) add_rows(site, &x, site->rowlaw ? y.slope : NULL, dense);
}

/* Tangent of a law whose forms depend on interpolated vectors z = N q, in terms of z. */
void ts_static_vector_tangent(ts_step *st, const ts_site *site, double *K) {
    const ts_model *model = st->model;
    double q[3 * TS_MAX_SLOTS], e[TS_MAX_FORMS], weight[TS_MAX_FORMS];
    ts_response r;
    ts_site_gather(model, site, st->q_f, q);
    for (int k = 0; k < site->forms; k++) e[k] = ts_form_value(model, site->form + k, q);
    weights(st, site, e, weight, &r, NULL);
    ts_static_meant(st, site, e, &r);
    meant_stress(st, site, q, weight);
    ts_stiffness x = {q, q, r.ds, weight, 2, 1};
    ts_vectors_law(model, site, &x, K);
}

static void node_tangent(ts_step *st, int n, double *dense) {
    int width = st->model->nodes[n].slots > 1 ? 6 : 3;
    if (st->statics.relax > 0 || st->probing) ts_node_inertia(st, n, dense);
    for (int i = 0; i < width * width && !st->probing; i++) dense[i] *= st->statics.relax;
    ts_add_turning(st, n, st->F, 1, 0, 0, width, dense);
    ts_add_turning(st, n, st->statics.force, 1, 0, 0, width, dense);
}

void ts_static_units(double h, double row[4], double column[4]) {
    (void)h;
    for (int i = 0; i < 4; i++) row[i] = column[i] = 1;
}

/* A path has no time. */
void ts_static_book(ts_ledger *ledger) { ledger->kinetic = ledger->balance = 0; }

const ts_scheme TS_SCHEME_STATIC = {
    .name = "static",
    .help = "Equilibrium at the end of each increment of load.",
    TS_STATIC_COMMON,
    .node_residual = node_residual,
    .site_tangent = site_tangent,
    .node_tangent = node_tangent,
};
