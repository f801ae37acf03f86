/* SPDX-License-Identifier: Apache-2.0 */
/* ED: the energy decaying step in rate-consistent form, with rho_inf = (1 - alpha)/(1 + alpha). S1
 * (17)-(18), S4 scheme C.
 *
 * Stage quantities: a (velocity jump), b (strain jump, one per form of a law), kappa (one per row).
 *
 *     q_f - q_i = h (v_i + v_f + a)/2
 *     P_m^T [ M (v_f - v_i)/h + B_m^T s + C_m^T lambda - f2 - F ] = 0 ,     s = s(e_i, e_f) + K b/2
 *     c(q_f) = 0
 *     P_m^T [ M a + (h/6) ( B_m^T sigma + C_m^T kappa + F_f - F_i ) ] = 0 , sigma = K (alpha b - S)
 *     b = (h/6) [ alpha B_m a - (B_f v_f - B_i v_i) ] ,                     S = e_f - e_i
 *     alpha C_m a - (cdot_f - cdot_i) = 0
 *     f2 = (h/12) [ sum sigma H + sum kappa H ] v_m
 *     (+ the share of the directors' own constraints, below)
 *
 * Energy:  E_f - E_i = -(alpha/2) (a.Ma + b.Kb) + works, exactly; momenta are conserved as in EP.
 *
 * The six conditions d_i . d_j = delta_ij of a frame are eliminated. With directors as matrices,
 * D_w = (alpha D_m + D_f)/(1 + alpha):
 *
 *     A = (u x D_w) + D_w^-T Z / (2 (1 + alpha)) ,
 *     Z = sym2( D_f^T (2 (D_f - D_i)/h - V_i) ) - sym2( D_i^T V_i ) ,
 *
 * sym2(X) = X + X^T, u the three rotational stage unknowns. Their multiplier is Y = -sym(D_m^-1 G)
 * with G the director part of (6/h) M a + B_m^T sigma + C_m^T kappa + F_f - F_i, and it adds (h/12)
 * V_m Y to f2.
 *
 * Linearisation. For every role of a site (law, row, function of forms),  F = sum w_k B_m,k -
 * (h/12) sum k_k H_k v_m  and Fs = sum k_k B_m,k , with (w, k) = (s, sigma) for laws (or as the
 * law's own stage says, law.h), (lambda, kappa) for rows, (lambda g - (h/12) kappa zeta, kappa g)
 * for functions of forms; only the derivatives of w and k differ. dv_f = 2 dq/h - da, dv_m = dq/h -
 * da/2, da = P_w du + T_a dpsi. A change of the stage forces also reaches the balance through Y:
 * that is the projector PE = (h/12) D_m^-T sym(V_m^T (e_j x D_m)).
 */
#include <string.h>

#include "scheme/fused.h"
#include "scheme/schemes.h"
#include "step/equations/terms.h"

static m3 sym2(m3 A) { return m3_add(A, m3_transpose(A)); }

/* ---- fields of a node ---- */

typedef struct frame_stage {
    m3 Df, Dw, Wt, Z, g; /* Wt = D_w^-T */
} frame_stage;

/* D^-T; for the one director of a shell, d / d.d */
TS_FOR_SLOTS m3 inverse_transposed(const ts_node *node, m3 D) {
    if (node->kind == TS_NODE_FRAME) return m3_invt(D);
    D.c[0] = v3_scale(1 / v3_dot(D.c[0], D.c[0]), D.c[0]);
    return D;
}

/* Its change with D, X being D^-T: -X dD^T X; of one director, with x = d / d.d, (x.x) dd - 2 x
 * (x.dd) */
static m3 inverse_transposed_change(const ts_node *node, m3 X, m3 dD) {
    if (node->kind == TS_NODE_FRAME) return m3_scale(-1, m3_mul(X, m3_tmul(dD, X)));
    v3 x = X.c[0], dd = dD.c[0];
    dD.c[0] = v3_sub(v3_scale(v3_dot(x, x), dd), v3_scale(2 * v3_dot(x, dd), x));
    return dD;
}

/* Z as in the opening comment, with fewer products: D_f^T D_f = D_i^T D_i leaves
 * (2/h) dD^T dD - 2 sym2(D_m^T V_i), dD = D_f - D_i. */
TS_FOR_SLOTS frame_stage stage_of(const ts_step *st, const ts_node *node) {
    frame_stage x;
    int s = 3 * node->slot;
    double al = st->alpha, k = 2 / st->h;
    m3 Dm = ts_load_directors(node, st->q_m + s), Vi = ts_load_directors(node, st->v_i + s),
       dD = ts_load_directors(node, st->dq + s);
    x.Df = ts_load_directors(node, st->q_f + s);
    x.Dw = m3_scale(1 / (1 + al), m3_axpy(al, Dm, x.Df));
    x.Wt = inverse_transposed(node, x.Dw);
    x.g = m3_sub(m3_scale(k, dD), Vi);
    x.Z = m3_sub(m3_scale(k, m3_gram(dD)), m3_scale(2, sym2(m3_tmul(Dm, Vi))));
    return x;
}

/* The directors of a follow from those of the stage unknowns u. */
static void refresh_jump(ts_step *st, const ts_node *node, v3 u) {
    frame_stage x = stage_of(st, node);
    m3 free = m3_cross(u, x.Dw);
    ts_store_directors(node, m3_axpy(1 / (2 * (1 + st->alpha)), m3_mul(x.Wt, x.Z), free),
                       st->a + 3 * node->slot);
}

/* v_f = 2 dq/h - v_i - a and its mean with v_i, which is dq/h - a/2 */
TS_FOR_SLOTS void refresh_velocities(int slots, const ts_step *st, int s) {
    double k = 1 / st->h;
    ts_slots_combine(slots, k, st->dq + s, -0.5, st->a + s, st->v_m + s);
    ts_slots_combine(slots, 2, st->v_m + s, -1, st->v_i + s, st->v_f + s);
}

static void refresh(ts_step *st, int n) {
    const ts_node *node = &st->model->nodes[n];
    int s = 3 * node->slot;
    const double *u = st->stage + 6 * n;
    ts_refresh_positions(st, n);
    v3_store(st->a + s, v3_load(u));
    if (node->slots > 1) refresh_jump(st, node, v3_load(u + 3));
    if (node->slots == TS_FRAME_SLOTS)
        refresh_velocities(TS_FRAME_SLOTS, st, s);
    else
        refresh_velocities(node->slots, st, s);
}

/* ---- fields of a site ---- */

typedef struct fields {
    bool rate;
    double q_f[3 * TS_MAX_SLOTS], q_m[3 * TS_MAX_SLOTS], dq[3 * TS_MAX_SLOTS];
    double v_f[3 * TS_MAX_SLOTS], v_m[3 * TS_MAX_SLOTS], a[3 * TS_MAX_SLOTS];
    double e_f[TS_MAX_FORMS], edot_f[TS_MAX_FORMS], Bma[TS_MAX_FORMS];
    double w[TS_MAX_FORMS], k[TS_MAX_FORMS]; /* weights of the balance and of the stage */
} fields;

/* B_m dq, B_f v_f and B_m a of a form, in one walk over its terms. */
static void products(const ts_model *model, int f, fields *x, int k) {
    const ts_form *form = &model->forms[f];
    const ts_pair *p = model->pairs + form->pair;
    const ts_linear *l = model->linears + form->linear;
    double e = 0, edot = 0, jump = 0;
    for (int i = 0; i < form->pairs; i++) {
        int a = 3 * p[i].a, b = 3 * p[i].b;
        double w = p[i].w, r = x->rate ? 0 : w;
        e += w * ts_dot3(x->q_m + a, x->dq + b) + r * ts_dot3(x->q_m + b, x->dq + a);
        edot += w * ts_dot3(x->q_f + a, x->v_f + b) + r * ts_dot3(x->q_f + b, x->v_f + a);
        jump += w * ts_dot3(x->q_m + a, x->a + b) + r * ts_dot3(x->q_m + b, x->a + a);
    }
    for (int i = 0; i < form->linears; i++) {
        double g[3] = {l[i].g.x, l[i].g.y, l[i].g.z};
        int a = 3 * l[i].a;
        e += ts_dot3(g, x->dq + a), edot += ts_dot3(g, x->v_f + a), jump += ts_dot3(g, x->a + a);
    }
    x->e_f[k] = e, x->edot_f[k] = edot, x->Bma[k] = jump;
}

static void gather_fields(const ts_step *st, const ts_site *site, fields *x) {
    const ts_model *model = st->model;
    x->rate = site->role == TS_ROLE_RATES;
    ts_site_gather(model, site, st->q_f, x->q_f);
    ts_site_gather(model, site, st->q_m, x->q_m);
    ts_site_gather(model, site, st->v_f, x->v_f);
    ts_site_gather(model, site, st->v_m, x->v_m);
    ts_site_gather(model, site, st->a, x->a);
    ts_site_gather(model, site, st->dq, x->dq);
    for (int k = 0; k < site->forms; k++) {
        products(model, site->form + k, x, k);
        if (!x->rate) x->e_f[k] += st->e_i[site->form + k]; /* exact by (D) */
    }
}

/* Writes values of the position and rate rows to R, unless it is NULL; weights to x. */
static void set_rows(const ts_step *st, int row, double c, double rate, double *R) {
    if (!R) return;
    int eq = st->system->row_eq[row], first = 2 * st->system->dofs;
    if (eq < 0) return;
    R[first + eq] = c - st->u_f[row];
    R[first + st->system->rows + eq] = st->row_scale[3] * (rate + st->du[row]);
}

static void rows_weights(const ts_step *st, const ts_site *site, fields *x, double *R) {
    const double *edot_i = st->edot_i + site->form;
    for (int k = 0; k < site->rows; k++) {
        set_rows(st, site->row + k, x->e_f[k], st->alpha * x->Bma[k] - (x->edot_f[k] - edot_i[k]),
                 R);
        x->w[k] = st->lambda[site->row + k];
        x->k[k] = st->kappa[site->row + k];
    }
}

/* Strain jump b of the forms of a law. */
static void strain_jump(const ts_step *st, const ts_site *site, const fields *x, double *b) {
    for (int k = 0; k < site->forms; k++)
        b[k] = st->h / 6 * (st->alpha * x->Bma[k] - (x->edot_f[k] - st->edot_i[site->form + k]));
}

/* Weights of the gradients for a law with a stage of its own. */
static void stage_weights(ts_step *st, const ts_site *site, fields *x, ts_response *r) {
    ts_stage stage;
    ts_respond(st, site, x->e_f, r);
    ts_stage_of(st, site, x->e_f, x->edot_f, x->Bma, &stage);
    for (int k = 0; k < site->forms; k++) x->w[k] = r->s[k] + stage.w[k], x->k[k] = stage.k[k];
}

static void law_weights(ts_step *st, const ts_site *site, fields *x, ts_response *r) {
    int m = site->forms;
    if (site->law->stage) {
        stage_weights(st, site, x, r);
        return;
    }
    const double *K = st->K + st->K_first[site - st->model->sites], *e_i = st->e_i + site->form;
    double b[TS_MAX_FORMS];
    strain_jump(st, site, x, b);
    ts_respond(st, site, x->e_f, r);
    for (int j = 0; j < m; j++) {
        x->w[j] = r->s[j], x->k[j] = 0;
        for (int k = 0; k < m; k++) {
            x->w[j] += 0.5 * K[j * m + k] * b[k];
            x->k[j] += K[j * m + k] * (st->alpha * b[k] - (x->e_f[k] - e_i[k]));
        }
    }
}

typedef struct function_row {
    ts_row_response r;
    ts_row_zeta z;
    double lambda, kappa;
} function_row;

static void function_weights(const ts_step *st, const ts_site *site, fields *x, function_row *y,
                             double *R) {
    const double *edot_i = st->edot_i + site->form;
    ts_law_step step = ts_law_over(st, site, x->e_f);
    site->rowlaw->respond(&step, &y->r);
    site->rowlaw->rate(&step, edot_i, x->edot_f, &y->z);
    if (st->probing && site->rowlaw->pieces) ts_random_row(site->forms, &y->r, &y->z);
    y->lambda = st->lambda[site->row], y->kappa = st->kappa[site->row];
    double rate = 0;
    for (int k = 0; k < site->forms; k++) {
        rate += st->alpha * y->r.g[k] * x->Bma[k] -
                (y->r.y_f[k] * x->edot_f[k] - y->r.y_i[k] * edot_i[k]);
        x->w[k] = y->lambda * y->r.g[k] - st->h / 12 * y->kappa * y->z.zeta[k];
        x->k[k] = y->kappa * y->r.g[k];
    }
    set_rows(st, site->row, y->r.y, rate, R);
}

/* ---- residual ---- */

/* F += w B_m - (h/12) k H v_m and Fs += k B_m of a form, in one walk over its terms. */
static void forces(const ts_step *st, int f, const fields *x, int k, double *F, double *Fs) {
    const ts_form *form = &st->model->forms[f];
    const ts_pair *p = st->model->pairs + form->pair;
    const ts_linear *l = st->model->linears + form->linear;
    double c = st->h / 12 * x->k[k];
    for (int i = 0; i < form->pairs; i++) {
        int a = 3 * p[i].a, b = 3 * p[i].b;
        double w = x->w[k] * p[i].w, s = x->k[k] * p[i].w, h = -c * p[i].w;
        ts_add3(w, x->q_m + a, F + b), ts_add3(s, x->q_m + a, Fs + b),
            ts_add3(h, x->v_m + b, F + a);
        if (x->rate) continue;
        ts_add3(w, x->q_m + b, F + a), ts_add3(s, x->q_m + b, Fs + a),
            ts_add3(h, x->v_m + a, F + b);
    }
    for (int i = 0; i < form->linears; i++) {
        double g[3] = {l[i].g.x, l[i].g.y, l[i].g.z};
        ts_add3(x->w[k], g, F + 3 * l[i].a), ts_add3(x->k[k], g, Fs + 3 * l[i].a);
    }
}

static void site_residual(ts_step *st, const ts_site *site, double *R) {
    if (site->kernel) {
        ts_fused_ed_residual(st, site);
        return;
    }
    fields x;
    ts_response r;
    function_row y;
    gather_fields(st, site, &x);
    if (site->role == TS_ROLE_LAW)
        law_weights(st, site, &x, &r);
    else if (site->rowlaw)
        function_weights(st, site, &x, &y, R);
    else
        rows_weights(st, site, &x, R);
    double F[3 * TS_MAX_SLOTS], Fs[3 * TS_MAX_SLOTS];
    size_t size = (size_t)(3 * site->slots) * sizeof *F;
    memset(F, 0, size), memset(Fs, 0, size);
    for (int k = 0; k < site->forms; k++) forces(st, site->form + k, &x, k, F, Fs);
    ts_scatter(st->model, site, F, st->F);
    ts_scatter(st->model, site, Fs, st->Fs);
}

/* The multiplier of the directors' own constraints, and its terms in the balance. */
typedef struct frame_multiplier {
    m3 Dm, Mt, Vm, G, Y; /* Mt = D_m^-T */
} frame_multiplier;

TS_FOR_SLOTS frame_multiplier multiplier_of(const ts_step *st, const ts_node *node) {
    frame_multiplier x;
    int s = 3 * node->slot;
    x.Dm = ts_load_directors(node, st->q_m + s);
    x.Mt = inverse_transposed(node, x.Dm);
    x.Vm = ts_load_directors(node, st->v_m + s);
    x.G = ts_load_directors(node, st->Fs + s);
    x.Y = m3_scale(-1, m3_sym(m3_tmul(x.Mt, x.G)));
    return x;
}

/* P_m^T F of a node: the moment */
static v3 moment_of(const ts_step *st, const ts_node *node, const double *F) {
    v3 moment = {0, 0, 0};
    const double *q_m = st->q_m + 3 * node->slot;
    if (node->kind == TS_NODE_FRAME) return m3_moment(m3_load(q_m + 3), m3_load(F + 3));
    for (int k = 1; k < node->slots; k++)
        moment = v3_add(moment, v3_cross(v3_load(q_m + 3 * k), v3_load(F + 3 * k)));
    return moment;
}

static void store_node(const ts_step *st, int n, const double *F, double scale, double *R) {
    v3 moment = moment_of(st, &st->model->nodes[n], F);
    ts_store_balance(st, n, v3_scale(scale, v3_load(F)), v3_scale(scale, moment), R);
}

/* F += M ((v_f - v_i)/h - g) and Fs += (6/h) M a */
TS_FOR_SLOTS void add_inertia(int slots, const ts_step *st, const ts_node *node) {
    int s = 3 * node->slot;
    double *F = st->F + s, *Fs = st->Fs + s, k = 1 / st->h;
    v3 w[TS_FRAME_SLOTS], jump[TS_FRAME_SLOTS];
    for (int a = 0; a < slots; a++) {
        w[a] = v3_axpy(-k, v3_load(st->v_i + s + 3 * a), v3_scale(k, v3_load(st->v_f + s + 3 * a)));
        jump[a] = v3_load(st->a + s + 3 * a);
    }
    w[0] = v3_sub(w[0], ts_node_gravity(node, st->model->gravity));
    for (int a = 0; a < slots; a++) {
        v3_store(F + 3 * a, v3_add(v3_load(F + 3 * a), ts_mass_row(slots, node, w, a)));
        v3_store(Fs + 3 * a,
                 v3_axpy(6 * k, ts_mass_row(slots, node, jump, a), v3_load(Fs + 3 * a)));
    }
}

/* The share of the directors' own constraints: F -= (h/12) V_m Y */
static void add_multiplier(const ts_step *st, const ts_node *node) {
    frame_multiplier x = multiplier_of(st, node);
    double *F = st->F + 3 * node->slot;
    m3 D = m3_axpy(-st->h / 12, m3_mul(x.Vm, x.Y), ts_load_directors(node, F));
    ts_store_directors(node, D, F);
}

static void node_residual(ts_step *st, int n, double *R) {
    const ts_node *node = &st->model->nodes[n];
    int s = 3 * node->slot, dof = st->system->node_dof[n];
    if (node->slots == TS_FRAME_SLOTS)
        add_inertia(TS_FRAME_SLOTS, st, node);
    else
        add_inertia(node->slots, st, node);
    if (node->slots > 1) add_multiplier(st, node);
    store_node(st, n, st->F + s, st->row_scale[0], R + dof);
    store_node(st, n, st->Fs + s, st->row_scale[1] * st->h / 6, R + st->system->dofs + dof);
}

/* ---- tangent ---- */

/* T_a: change of A as the node turns. The rate 2 D_f/h in Z drops out, D_f^T (psi x D_f) being
 * skew. */
static void prepare_tangent(ts_step *st, int n) {
    const ts_node *node = &st->model->nodes[n];
    if (node->slots == 1) return;
    double al = st->alpha, share = (0.5 * al + 1) / (1 + al);
    frame_stage x = stage_of(st, node);
    frame_multiplier y = multiplier_of(st, node);
    v3 u = v3_load(st->stage + 6 * n + 3);
    for (int j = 0; j < 3; j++) {
        m3 dDf = m3_cross(v3_axis(j), x.Df), dDw = m3_scale(share, dDf);
        m3 dZ = sym2(m3_tmul(dDf, x.g));
        m3 dWZ = m3_add(m3_mul(x.Wt, dZ), m3_mul(inverse_transposed_change(node, x.Wt, dDw), x.Z));
        m3 dA = m3_axpy(1 / (2 * (1 + al)), dWZ, m3_cross(u, dDw));
        m3 test = m3_sym(m3_tmul(y.Vm, m3_cross(v3_axis(j), y.Dm)));
        m3 pe = m3_scale(st->h / 12, m3_mul(y.Mt, test));
        for (int k = 0; k < 3; k++) {
            v3_store(st->Ta + 27 * n + 9 * k + 3 * j, dA.c[k]);
            v3_store(st->PE + 27 * n + 9 * k + 3 * j, pe.c[k]);
        }
    }
}

static void hessian_blocks(const ts_step *st, const ts_site *site, const fields *x,
                           const ts_ed_projectors *p, double *dense) {
    const ts_model *model = st->model;
    const ts_local *l = &p->l;
    ts_sides row = x->rate ? TS_SIDES_ROW : TS_SIDES_BOTH,
             column = x->rate ? TS_SIDES_COLUMN : TS_SIDES_BOTH;
    double h = st->h;
    int at = l->nd;
    ts_tangent_block mean = ts_tangent_block_at(l, &p->Pm, &p->Pf, 0, 0, dense),
                     jump = ts_tangent_block_at(l, &p->Pm, &p->Ta, 0, 0, dense),
                     jump_u = ts_tangent_block_at(l, &p->Pm, &p->Pw, 0, at, dense),
                     multiplier = ts_tangent_block_at(l, &p->PE, &p->Pf, 0, 0, dense),
                     stage = ts_tangent_block_at(l, &p->Pm, &p->Pf, at, 0, dense);
    ts_add_hessians(model, site, row, 0.5, x->w, &mean);
    ts_add_hessians(model, site, column, -1.0 / 12, x->k, &mean);
    ts_add_hessians(model, site, column, h / 24, x->k, &jump);
    ts_add_hessians(model, site, column, h / 24, x->k, &jump_u);
    ts_add_hessians(model, site, row, 0.5, x->k, &multiplier);
    ts_add_hessians(model, site, row, h / 12, x->k, &stage);
}

/* Rows of the forms of a site over its unknowns. Test rows: of the balance for dw; of the balance
 * for dk (those of the stage for dk are h/6 w). Trial rows: de_f by y; d edot_f and d(B_m a) by y
 * and by u, from
 *     d edot_f = [ (2/h) B_f + H v_f ] dq - B_f da ,     d(B_m a) = H a dq/2 + B_m da . */
typedef double row_of[6 * TS_MAX_NODES];
typedef struct site_rows {
    row_of w[TS_MAX_FORMS], k[TS_MAX_FORMS];
    row_of e[TS_MAX_FORMS], v[TS_MAX_FORMS], v_u[TS_MAX_FORMS], a[TS_MAX_FORMS], a_u[TS_MAX_FORMS];
} site_rows;

/* The rows of all forms at configurations that are combinations: z = s x + t y. */
typedef struct combined {
    double rate[3 * TS_MAX_SLOTS], half[3 * TS_MAX_SLOTS], mean[3 * TS_MAX_SLOTS];
    ts_term_row e, v, a; /* by dq */
} combined;

static void combine(const ts_step *st, const ts_site *site, const fields *x, combined *c) {
    for (int i = 0; i < 3 * site->slots; i++) {
        c->rate[i] = 2 / st->h * x->q_f[i] + (x->rate ? 0 : x->v_f[i]);
        c->half[i] = 0.5 * x->a[i], c->mean[i] = 0.5 * x->dq[i];
    }
    c->e = x->rate ? (ts_term_row){x->q_m, c->mean, 1} : ts_terms_at(false, x->q_f);
    c->v = (ts_term_row){c->rate, x->rate ? x->v_f : c->rate, 2 / st->h};
    c->a = ts_terms_hessian(x->rate, c->half);
}

static void clear_rows(int k, int nd, site_rows *r) {
    double *of[] = {r->w[k], r->k[k], r->e[k], r->v[k], r->v_u[k], r->a[k], r->a_u[k]};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) memset(of[i], 0, (size_t)nd * sizeof **of);
}

static void find_rows(const ts_step *st, const ts_site *site, const fields *x,
                      const ts_ed_projectors *p, site_rows *r) {
    const ts_model *model = st->model;
    const ts_local *l = &p->l;
    combined c;
    combine(st, site, x, &c);
    ts_term_row mean = ts_terms_at(x->rate, x->q_m), end = ts_terms_at(x->rate, x->q_f);
    for (int k = 0, f = site->form; k < site->forms; k++, f++) {
        clear_rows(k, l->nd, r);
        ts_project_terms(model, f, mean, l, &p->Pm, 1, r->w[k]);
        ts_project_terms(model, f, mean, l, &p->PE, 1, r->k[k]);
        ts_project_terms(model, f, ts_terms_hessian(x->rate, x->v_m), l, &p->Pm, -st->h / 12,
                         r->k[k]);
        ts_project_terms(model, f, c.e, l, &p->Pf, 1, r->e[k]);
        ts_project_terms(model, f, c.v, l, &p->Pf, 1, r->v[k]);
        ts_project_terms(model, f, end, l, &p->Ta, -1, r->v[k]);
        ts_project_terms(model, f, end, l, &p->Pw, -1, r->v_u[k]);
        ts_project_terms(model, f, c.a, l, &p->Pf, 1, r->a[k]);
        ts_project_terms(model, f, mean, l, &p->Ta, 1, r->a[k]);
        ts_project_terms(model, f, mean, l, &p->Pw, 1, r->a_u[k]);
    }
}

/* to += factor from */
static void add_row(int nd, double factor, const double *from, double *to) {
    if (factor == 0) return;
    for (int i = 0; i < nd; i++) to[i] += factor * from[i];
}

/* One change over the unknowns: sum over the forms of e de_f + v d edot_f + a d(B_m a). */
typedef struct trial {
    row_of y, u;
} trial;

static void find_trial(const ts_local *l, int m, const site_rows *r, const double *e,
                       const double *v, const double *a, trial *t) {
    size_t size = (size_t)l->nd * sizeof(double);
    memset(t->y, 0, size), memset(t->u, 0, size);
    for (int k = 0; k < m; k++) {
        add_row(l->nd, e[k], r->e[k], t->y);
        add_row(l->nd, v[k], r->v[k], t->y), add_row(l->nd, v[k], r->v_u[k], t->u);
        add_row(l->nd, a[k], r->a[k], t->y), add_row(l->nd, a[k], r->a_u[k], t->u);
    }
}

/* Blocks of dw and dk of all forms, by their slopes. */
static void add_responses(const ts_step *st, const ts_local *l, int m, const site_rows *r,
                          const ts_stage_slopes *s, double *dense) {
    int at = l->nd;
    trial t;
    for (int j = 0; j < m; j++) {
        int jm = j * m;
        row_of stage;
        find_trial(l, m, r, s->w_e + jm, s->w_v + jm, s->w_a + jm, &t);
        ts_add_outer(l, r->w[j], t.y, 0, 0, dense);
        ts_add_outer(l, r->w[j], t.u, 0, at, dense);
        find_trial(l, m, r, s->k_e + jm, s->k_v + jm, s->k_a + jm, &t);
        for (int i = 0; i < l->nd; i++) stage[i] = st->h / 6 * r->w[j][i];
        ts_add_outer(l, r->k[j], t.y, 0, 0, dense);
        ts_add_outer(l, r->k[j], t.u, 0, at, dense);
        ts_add_outer(l, stage, t.y, at, 0, dense);
        ts_add_outer(l, stage, t.u, at, at, dense);
    }
}

/* Columns of the multipliers of row r. Its forms j enter the balance and the stage with the weights
 * w g + z; includes the row and its rate. */
static void add_columns(const ts_step *st, const ts_local *l, int row, const site_rows *r, int j,
                        double g, double zeta, double *dense) {
    int lambda = ts_at_lambda(l, row), kappa = ts_at_kappa(l, row);
    for (int i = 0; i < l->nd; i++) {
        dense[i * l->width + lambda] += g * r->w[j][i];
        dense[i * l->width + kappa] += g * r->k[j][i] - st->h / 12 * zeta * r->w[j][i];
        dense[(l->nd + i) * l->width + kappa] += g * st->h / 6 * r->w[j][i];
    }
}

static void store_row(const ts_local *l, int at, const trial *t, double *dense) {
    for (int i = 0; i < l->nd; i++) {
        dense[at * l->width + i] += t->y[i];
        dense[at * l->width + l->nd + i] += t->u[i];
    }
}

static void rows_tangent(const ts_step *st, const ts_site *site, const ts_local *l,
                         const site_rows *r, double *dense) {
    for (int k = 0; k < site->rows; k++) {
        trial t;
        add_columns(st, l, k, r, k, 1, 0, dense);
        for (int i = 0; i < l->nd; i++) t.y[i] = r->e[k][i], t.u[i] = 0;
        store_row(l, ts_at_lambda(l, k), &t, dense);
        for (int i = 0; i < l->nd; i++) {
            t.y[i] = st->alpha * r->a[k][i] - r->v[k][i];
            t.u[i] = st->alpha * r->a_u[k][i] - r->v_u[k][i];
        }
        store_row(l, ts_at_kappa(l, k), &t, dense);
    }
}

/* Of a law without a stage of its own: w = s + K b/2 and k = K (alpha b - S), b = (h/6) (alpha B_m
 * a - (edot_f - edot_i)). */
static void plain_slopes(const ts_step *st, const ts_site *site, ts_stage_slopes *s) {
    const double *K = st->K + st->K_first[site - st->model->sites], al = st->alpha, h = st->h;
    for (int i = 0; i < site->forms * site->forms; i++) {
        s->w_e[i] = 0, s->w_v[i] = -h / 12 * K[i], s->w_a[i] = al * h / 12 * K[i];
        s->k_e[i] = -K[i], s->k_v[i] = -al * h / 6 * K[i], s->k_a[i] = al * al * h / 6 * K[i];
    }
}

static void law_tangent(const ts_step *st, const ts_site *site, const fields *x,
                        const ts_response *response, const ts_local *l, const site_rows *r,
                        double *dense) {
    ts_stage_slopes s;
    if (site->law->stage)
        ts_stage_slopes_of(st, site, x->e_f, x->edot_f, x->Bma, &s);
    else
        plain_slopes(st, site, &s);
    for (int i = 0; i < site->forms * site->forms; i++) s.w_e[i] += response->ds[i];
    add_responses(st, l, site->forms, r, &s, dense);
    ts_law_step step = ts_law_over(st, site, x->e_f);
    ts_add_reads(st, l, site, &step, r->w[0], dense);
}

/* The rows of a function of forms and of its rate. */
static void function_rows(const ts_step *st, const ts_site *site, const fields *x,
                          const function_row *y, const ts_local *l, const site_rows *r,
                          double *dense) {
    static const double zero[TS_MAX_FORMS];
    double e[TS_MAX_FORMS] = {0}, v[TS_MAX_FORMS] = {0}, a[TS_MAX_FORMS] = {0}, al = st->alpha;
    int m = site->forms;
    trial t;
    find_trial(l, m, r, y->r.slope, zero, zero, &t);
    store_row(l, ts_at_lambda(l, 0), &t, dense);
    for (int k = 0; k < m; k++) {
        e[k] = 0, v[k] = -y->r.y_f[k], a[k] = al * y->r.g[k];
        for (int j = 0; j < m; j++)
            e[k] += al * x->Bma[j] * y->r.dg[j * m + k] - x->edot_f[j] * y->r.dy_f[j * m + k];
    }
    find_trial(l, m, r, e, v, a, &t);
    store_row(l, ts_at_kappa(l, 0), &t, dense);
}

/* w = lambda g - (h/12) kappa zeta and k = kappa g. */
static void function_slopes(const ts_step *st, int m, const function_row *y, ts_stage_slopes *s) {
    double c = st->h / 12 * y->kappa;
    for (int i = 0; i < m * m; i++) {
        s->w_e[i] = y->lambda * y->r.dg[i] - c * y->z.d_e[i], s->w_v[i] = -c * y->z.d_edot[i];
        s->k_e[i] = y->kappa * y->r.dg[i], s->w_a[i] = s->k_v[i] = s->k_a[i] = 0;
    }
}

static void function_tangent(const ts_step *st, const ts_site *site, const fields *x,
                             const function_row *y, const ts_local *l, const site_rows *r,
                             double *dense) {
    ts_stage_slopes s;
    function_rows(st, site, x, y, l, r, dense);
    function_slopes(st, site->forms, y, &s);
    add_responses(st, l, site->forms, r, &s, dense);
    for (int j = 0; j < site->forms; j++)
        add_columns(st, l, 0, r, j, y->r.g[j], y->z.zeta[j], dense);
}

static void site_tangent(ts_step *st, const ts_site *site, double *dense) {
    if (site->kernel) {
        ts_fused_ed_tangent(st, site, dense);
        return;
    }
    fields x;
    ts_ed_projectors p;
    ts_response response;
    function_row y;
    site_rows r;
    gather_fields(st, site, &x);
    ts_ed_projectors_at(st, site, &p);
    find_rows(st, site, &x, &p, &r);
    if (site->role == TS_ROLE_LAW) {
        law_weights(st, site, &x, &response);
        law_tangent(st, site, &x, &response, &p.l, &r, dense);
    } else if (site->rowlaw) {
        function_weights(st, site, &x, &y, NULL);
        function_tangent(st, site, &x, &y, &p.l, &r, dense);
    } else {
        rows_weights(st, site, &x, NULL);
        rows_tangent(st, site, &p.l, &r, dense);
    }
    hessian_blocks(st, site, &x, &p, dense);
}

/* One column of the node's own 12 x 12: the change of balance and stage under (dq, da). */
static void node_column(const ts_step *st, const ts_node *node, const frame_multiplier *y,
                        const double *dq, const double *da, double *out) {
    double dF[12] = {0}, dG[12] = {0}, w[12], h = st->h;
    for (int i = 0; i < 3 * node->slots; i++) w[i] = 2 / (h * h) * dq[i] - da[i] / h;
    for (int a = 0; a < node->slots; a++) {
        v3_store(dF + 3 * a, ts_mass_times(node, w, a));
        v3_store(dG + 3 * a, v3_scale(6 / h, ts_mass_times(node, da, a)));
    }
    if (node->slots > 1) {
        m3 dD = m3_load(dq + 3), dV = m3_axpy(-0.5, m3_load(da + 3), m3_scale(1 / h, dD));
        m3 dMt = inverse_transposed_change(node, y->Mt, m3_scale(0.5, dD));
        m3 dY = m3_add(m3_tmul(y->Mt, m3_load(dG + 3)), m3_tmul(dMt, y->G));
        m3 change = m3_sub(m3_mul(y->Vm, m3_sym(dY)), m3_mul(dV, y->Y));
        m3_store(dF + 3, m3_axpy(h / 12, change, m3_load(dF + 3)));
    }
    int width = node->slots > 1 ? 6 : 3;
    v3_store(out, v3_load(dF));
    v3_store(out + width, v3_scale(h / 6, v3_load(dG)));
    if (width == 3) return;
    v3_store(out + 3, moment_of(st, node, dF));
    v3_store(out + 9, v3_scale(h / 6, moment_of(st, node, dG)));
}

static void node_tangent(ts_step *st, int n, double *dense) {
    const ts_node *node = &st->model->nodes[n];
    int nd = node->slots > 1 ? 6 : 3, width = 2 * nd;
    frame_multiplier y = {0};
    m3 Df = m3_identity(), Dw = Df;
    if (nd == 6) {
        y = multiplier_of(st, node);
        frame_stage x = stage_of(st, node);
        Df = x.Df, Dw = x.Dw;
    }
    for (int c = 0; c < 2 * nd; c++) {
        double dq[12] = {0}, da[12] = {0}, out[12];
        int j = c % nd, stage = c / nd;
        if (j < 3) (stage ? da : dq)[j] = 1;
        if (j >= 3 && stage) m3_store(da + 3, m3_cross(v3_axis(j - 3), Dw));
        if (j >= 3 && !stage) {
            m3_store(dq + 3, m3_cross(v3_axis(j - 3), Df));
            for (int k = 0; k < 3; k++)
                v3_store(da + 3 + 3 * k, v3_load(st->Ta + 27 * n + 9 * k + 3 * (j - 3)));
        }
        node_column(st, node, &y, dq, da, out);
        for (int i = 0; i < width; i++) dense[i * width + c] += out[i];
    }
    if (nd == 6) {
        ts_add_turning(st, n, st->F, 0.5, 0, 0, width, dense);
        ts_add_turning(st, n, st->Fs, st->h / 12, nd, 0, width, dense);
    }
}

/* ---- ledger ---- */

static double stage_loss(const ts_step *st, const ts_site *site) {
    fields x;
    if (site->kernel) return ts_fused_ed_loss(st, site);
    gather_fields(st, site, &x);
    return ts_stage_loss_of(st, site, x.e_f, x.edot_f, x.Bma);
}

static double site_algorithmic(const ts_step *st, const ts_site *site) {
    double b[TS_MAX_FORMS], sum = 0;
    int m = site->forms;
    const double *K = st->K + st->K_first[site - st->model->sites];
    fields x;
    if (site->law->stage) return 0.5 * st->alpha * stage_loss(st, site);
    gather_fields(st, site, &x);
    strain_jump(st, site, &x, b);
    for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++) sum += b[j] * K[j * m + k] * b[k];
    return 0.5 * st->alpha * sum;
}

/* The second term of the work of a dead load: (h/12) (v_f - v_i - alpha a) . (F_f - F_i). */
static double load_rate_work(const ts_step *st, int i) {
    const ts_load *load = &st->model->loads[i];
    if (load->moment || load->follower) return 0;
    const ts_node *node = &st->model->nodes[load->node];
    int s = 3 * node->slot;
    double w[12] = {0};
    for (int k = 0; k < 3 * node->slots; k++)
        w[k] = st->v_f[s + k] - st->v_i[s + k] - st->alpha * st->a[s + k];
    v3 point = v3_add(v3_load(w), m3_apply(m3_load(w + 3), load->point));
    return st->h / 12 * v3_dot(point, st->load[i].change);
}

static void exchange(ts_step *st, ts_exchange *out) {
    const ts_model *model = st->model;
    ts_exchange_common(st, out);
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        if (node->fixed) continue;
        const double *a = st->a + 3 * node->slot;
        for (int k = 0; k < node->slots; k++)
            out->algorithmic +=
                0.5 * st->alpha * v3_dot(v3_load(a + 3 * k), ts_mass_times(node, a, k));
    }
    for (int i = 0; i < model->sites_count; i++)
        if (model->sites[i].role == TS_ROLE_LAW)
            out->algorithmic += site_algorithmic(st, &model->sites[i]);
    for (int i = 0; i < model->loads_count; i++) out->work_loads += load_rate_work(st, i);
    for (int r = 0; r < model->rows_count; r++)
        if (model->rows[r].drive) out->work_drives += st->h / 12 * st->kappa[r] * st->du[r];
}

const ts_scheme TS_SCHEME_ED = {
    .name = "ED",
    .help = "Energy decaying, rate consistent: high frequencies are damped as rho_inf says, energy "
            "never grows.",
    .stages = 2,
    .mean = 0.5,
    .in_time = true,
    .inertia = true,
    .parameters = TS_ONLY_RHO_INF,
    .stage_means = true,
    .stand_in = &TS_SCHEME_EP,
    .held_residual = site_residual,
    .refresh = refresh,
    .site_residual = site_residual,
    .node_residual = node_residual,
    .site_tangent = site_tangent,
    .node_tangent = node_tangent,
    .prepare_tangent = prepare_tangent,
    .exchange = exchange,
};
