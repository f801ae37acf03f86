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
 * Linearisation. For every role of a site,  F = sum w_k B_m,k - (h/12) sum k_k H_k v_m  and
 * Fs = sum k_k B_m,k , with (w, k) = (s, sigma) for laws (or as the law's own stage says, law.h),
 * (lambda, kappa) for rows, (lambda g - (h/12) kappa zeta, kappa g) for functions of forms; only
 * the derivatives of w and k differ. dv_f = 2 dq/h - da, dv_m = dq/h - da/2, da = P_w du + T_a
 * dpsi. A change of the stage forces also reaches the balance through Y: that is the projector
 * PE = (h/12) D_m^-T sym(V_m^T (e_j x D_m)).
 */
#include <string.h>

#include "scheme/fused.h"
#include "scheme/schemes.h"
#include "step/step.h"

static m3 sym2(m3 A) { return m3_add(A, m3_transpose(A)); }

/* ---- fields of a node ---- */

typedef struct frame_stage {
    m3 Df, Dw, Wt, Z, g; /* Wt = D_w^-T */
} frame_stage;

/* D^-T; for the one director of a shell, d / d.d */
static m3 inverse_transposed(const ts_node *node, m3 D) {
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

static frame_stage stage_of(const ts_step *st, const ts_node *node) {
    frame_stage x;
    int s = 3 * node->slot;
    double al = st->alpha;
    m3 Di = ts_load_directors(node, st->q_i + s), Vi = ts_load_directors(node, st->v_i + s),
       dD = ts_load_directors(node, st->dq + s);
    x.Df = ts_load_directors(node, st->q_f + s);
    x.Dw = m3_scale(1 / (1 + al), m3_axpy(al, ts_load_directors(node, st->q_m + s), x.Df));
    x.Wt = inverse_transposed(node, x.Dw);
    x.g = m3_sub(m3_scale(2 / st->h, dD), Vi);
    x.Z = m3_sub(sym2(m3_tmul(x.Df, x.g)), sym2(m3_tmul(Di, Vi)));
    return x;
}

static void refresh(ts_step *st, int n) {
    const ts_node *node = &st->model->nodes[n];
    int s = 3 * node->slot;
    const double *u = st->stage + 6 * n;
    ts_refresh_positions(st, n);
    v3_store(st->a + s, v3_load(u));
    if (node->slots > 1) {
        frame_stage x = stage_of(st, node);
        m3 free = m3_cross(v3_load(u + 3), x.Dw);
        ts_store_directors(node, m3_axpy(1 / (2 * (1 + st->alpha)), m3_mul(x.Wt, x.Z), free),
                           st->a + s);
    }
    for (int i = s; i < s + 3 * node->slots; i++) {
        st->v_f[i] = 2.0 / st->h * st->dq[i] - st->v_i[i] - st->a[i];
        st->v_m[i] = 0.5 * (st->v_i[i] + st->v_f[i]);
    }
}

/* ---- fields of a site ---- */

typedef struct fields {
    bool rate;
    double q_f[3 * TS_MAX_SLOTS], q_m[3 * TS_MAX_SLOTS], dq[3 * TS_MAX_SLOTS];
    double v_f[3 * TS_MAX_SLOTS], v_m[3 * TS_MAX_SLOTS], a[3 * TS_MAX_SLOTS];
    double Bm[TS_MAX_FORMS][3 * TS_MAX_SLOTS], Bf[TS_MAX_FORMS][3 * TS_MAX_SLOTS];
    double e_f[TS_MAX_FORMS], edot_f[TS_MAX_FORMS], Bma[TS_MAX_FORMS];
    double w[TS_MAX_FORMS], k[TS_MAX_FORMS]; /* weights of the balance and of the stage */
} fields;

static void gather_fields(const ts_step *st, const ts_site *site, fields *x) {
    const ts_model *model = st->model;
    x->rate = site->role == TS_ROLE_RATES;
    ts_site_gather(model, site, st->q_f, x->q_f);
    ts_site_gather(model, site, st->q_m, x->q_m);
    ts_site_gather(model, site, st->v_f, x->v_f);
    ts_site_gather(model, site, st->v_m, x->v_m);
    ts_site_gather(model, site, st->a, x->a);
    ts_site_gather(model, site, st->dq, x->dq);
    int n = 3 * site->slots;
    for (int k = 0; k < site->forms; k++) {
        int f = site->form + k;
        ts_form_row(model, f, x->rate, site->slots, x->q_m, x->Bm[k]);
        ts_form_row(model, f, x->rate, site->slots, x->q_f, x->Bf[k]);
        x->e_f[k] = (x->rate ? 0 : st->e_i[f]) + ts_dot(n, x->Bm[k], x->dq); /* exact, by (D) */
        x->edot_f[k] = ts_dot(n, x->Bf[k], x->v_f);
        x->Bma[k] = ts_dot(n, x->Bm[k], x->a);
    }
}

/* Values of the position and rate rows go to R, unless it is NULL; weights to x. */
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
    double F[3 * TS_MAX_SLOTS] = {0}, Fs[3 * TS_MAX_SLOTS] = {0}, Hv[3 * TS_MAX_SLOTS];
    for (int k = 0; k < site->forms; k++) {
        double w = x.w[k], ks = x.k[k], c = st->h / 12 * ks;
        ts_form_hessian_times(st->model, site->form + k, x.rate, site->slots, x.v_m, Hv);
        for (int i = 0; i < 3 * site->slots; i++) {
            F[i] += w * x.Bm[k][i] - c * Hv[i];
            Fs[i] += ks * x.Bm[k][i];
        }
    }
    ts_scatter(st->model, site, F, st->F);
    ts_scatter(st->model, site, Fs, st->Fs);
}

/* The multiplier of the directors' own constraints, and what the balance needs of it. */
typedef struct frame_multiplier {
    m3 Dm, Mt, Vm, G, Y; /* Mt = D_m^-T */
} frame_multiplier;

static frame_multiplier multiplier_of(const ts_step *st, const ts_node *node) {
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
    for (int k = 1; k < node->slots; k++)
        moment =
            v3_add(moment, v3_cross(v3_load(st->q_m + 3 * (node->slot + k)), v3_load(F + 3 * k)));
    return moment;
}

static void store_node(const ts_step *st, int n, const double *F, double scale, double *R) {
    v3 moment = moment_of(st, &st->model->nodes[n], F);
    ts_store_balance(st, n, v3_scale(scale, v3_load(F)), v3_scale(scale, moment), R);
}

static void node_residual(ts_step *st, int n, double *R) {
    const ts_node *node = &st->model->nodes[n];
    int s = 3 * node->slot, dof = st->system->node_dof[n];
    double w[3 * 4] = {0}, *F = st->F + s, *G = st->Fs + s;
    for (int i = 0; i < 3 * node->slots; i++) w[i] = (st->v_f[s + i] - st->v_i[s + i]) / st->h;
    for (int c = 0; c < 3; c++) w[c] -= v3_get(st->model->gravity, c);
    for (int a = 0; a < node->slots; a++) {
        v3_store(F + 3 * a, v3_add(v3_load(F + 3 * a), ts_mass_times(node, w, a)));
        v3_store(G + 3 * a,
                 v3_axpy(6 / st->h, ts_mass_times(node, st->a + s, a), v3_load(G + 3 * a)));
    }
    if (node->slots > 1) {
        frame_multiplier x = multiplier_of(st, node);
        m3 D = m3_axpy(-st->h / 12, m3_mul(x.Vm, x.Y), ts_load_directors(node, F));
        ts_store_directors(node, D, F);
    }
    store_node(st, n, F, st->row_scale[0], R + dof);
    store_node(st, n, G, st->row_scale[1] * st->h / 6, R + st->system->dofs + dof);
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

/* A row vector over (dq, da) is projected to (y, u). */
static void project_trial(const ts_ed_projectors *p, const double *rq, const double *ra, double *y,
                          double *u) {
    double t[6 * TS_MAX_NODES];
    ts_project(&p->l, &p->Pf, rq, y);
    ts_project(&p->l, &p->Ta, ra, t);
    ts_project(&p->l, &p->Pw, ra, u);
    for (int i = 0; i < p->l.nd; i++) y[i] += t[i];
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

/* Test vectors of form k: of the balance for dw; of the balance and the stage for dk. */
typedef struct tests {
    double w[6 * TS_MAX_NODES], k[6 * TS_MAX_NODES], stage[6 * TS_MAX_NODES];
} tests;

static void test_vectors(const ts_step *st, const ts_site *site, const fields *x,
                         const ts_ed_projectors *p, int k, tests *t) {
    double Hv[3 * TS_MAX_SLOTS], ph[6 * TS_MAX_NODES];
    ts_form_hessian_times(st->model, site->form + k, x->rate, site->slots, x->v_m, Hv);
    ts_project(&p->l, &p->Pm, x->Bm[k], t->w);
    ts_project(&p->l, &p->PE, x->Bm[k], t->k);
    ts_project(&p->l, &p->Pm, Hv, ph);
    for (int i = 0; i < p->l.nd; i++) {
        t->k[i] -= st->h / 12 * ph[i];
        t->stage[i] = st->h / 6 * t->w[i];
    }
}

/* dw = wq dq + wa da, dk = kq dq + ka da for form k */
static void add_responses(const ts_ed_projectors *p, const tests *t, const double *wq,
                          const double *wa, const double *kq, const double *ka, double *dense) {
    int at = p->l.nd;
    double y[6 * TS_MAX_NODES], u[6 * TS_MAX_NODES];
    project_trial(p, wq, wa, y, u);
    ts_add_outer(&p->l, t->w, y, 0, 0, dense);
    ts_add_outer(&p->l, t->w, u, 0, at, dense);
    project_trial(p, kq, ka, y, u);
    ts_add_outer(&p->l, t->k, y, 0, 0, dense);
    ts_add_outer(&p->l, t->k, u, 0, at, dense);
    ts_add_outer(&p->l, t->stage, y, at, 0, dense);
    ts_add_outer(&p->l, t->stage, u, at, at, dense);
}

static void add_column(const ts_ed_projectors *p, int at, const double *main, double factor,
                       const double *stage, double *dense) {
    for (int i = 0; i < p->l.nd; i++) {
        dense[i * p->l.width + at] += factor * main[i];
        if (stage) dense[(p->l.nd + i) * p->l.width + at] += factor * stage[i];
    }
}

static void add_row(const ts_ed_projectors *p, int at, const double *rq, const double *ra,
                    double *dense) {
    double y[6 * TS_MAX_NODES], u[6 * TS_MAX_NODES];
    project_trial(p, rq, ra, y, u);
    for (int i = 0; i < p->l.nd; i++) {
        dense[at * p->l.width + i] += y[i];
        dense[at * p->l.width + p->l.nd + i] += u[i];
    }
}

static void rows_tangent(const ts_step *st, const ts_site *site, const fields *x,
                         const ts_ed_projectors *p, double *dense) {
    static const double zero[3 * TS_MAX_SLOTS];
    double rq[3 * TS_MAX_SLOTS], ra[3 * TS_MAX_SLOTS], Hv[3 * TS_MAX_SLOTS], Ha[3 * TS_MAX_SLOTS];
    int n = 3 * site->slots;
    tests t;
    for (int k = 0; k < site->rows; k++) {
        int f = site->form + k;
        test_vectors(st, site, x, p, k, &t);
        add_column(p, ts_at_lambda(&p->l, k), t.w, 1, NULL, dense);
        add_column(p, ts_at_kappa(&p->l, k), t.k, 1, t.stage, dense);
        ts_form_hessian_times(st->model, f, x->rate, site->slots, x->dq, Hv);
        for (int i = 0; i < n; i++) rq[i] = x->rate ? x->Bm[k][i] + 0.5 * Hv[i] : x->Bf[k][i];
        add_row(p, ts_at_lambda(&p->l, k), rq, zero, dense);
        ts_form_hessian_times(st->model, f, x->rate, site->slots, x->v_f, Hv);
        ts_form_hessian_times(st->model, f, x->rate, site->slots, x->a, Ha);
        for (int i = 0; i < n; i++) {
            rq[i] = 0.5 * st->alpha * Ha[i] - 2 / st->h * x->Bf[k][i] - Hv[i];
            ra[i] = st->alpha * x->Bm[k][i] + x->Bf[k][i];
        }
        add_row(p, ts_at_kappa(&p->l, k), rq, ra, dense);
    }
}

/* dw = (ds/de + dw/de) de + dw/dedot dedot + dw/d(B_m a) d(B_m a), and dk likewise, with d
 * edot_f = [(2/h) B_f + H v_f] dq - B_f da and d(B_m a) = H a dq/2 + B_m da. */
static void stage_tangent(const ts_step *st, const ts_site *site, const fields *x,
                          const ts_response *r, const ts_ed_projectors *p, double *dense) {
    int m = site->forms, n = 3 * site->slots;
    ts_stage_slopes s;
    tests t;
    ts_stage_slopes_of(st, site, x->e_f, x->edot_f, x->Bma, &s);
    for (int j = 0; j < m; j++) {
        double wq[3 * TS_MAX_SLOTS] = {0}, wa[3 * TS_MAX_SLOTS] = {0};
        double kq[3 * TS_MAX_SLOTS] = {0}, ka[3 * TS_MAX_SLOTS] = {0};
        double Hv[3 * TS_MAX_SLOTS], Ha[3 * TS_MAX_SLOTS];
        for (int k = 0; k < m; k++) {
            int jk = j * m + k;
            ts_form_hessian_times(st->model, site->form + k, false, site->slots, x->v_f, Hv);
            ts_form_hessian_times(st->model, site->form + k, false, site->slots, x->a, Ha);
            for (int i = 0; i < n; i++) {
                double B = x->Bf[k][i], rate = 2 / st->h * B + Hv[i];
                wq[i] += (r->ds[jk] + s.w_e[jk]) * B + s.w_v[jk] * rate + 0.5 * s.w_a[jk] * Ha[i];
                kq[i] += s.k_e[jk] * B + s.k_v[jk] * rate + 0.5 * s.k_a[jk] * Ha[i];
                wa[i] += s.w_a[jk] * x->Bm[k][i] - s.w_v[jk] * B;
                ka[i] += s.k_a[jk] * x->Bm[k][i] - s.k_v[jk] * B;
            }
        }
        test_vectors(st, site, x, p, j, &t);
        add_responses(p, &t, wq, wa, kq, ka, dense);
    }
}

static void law_tangent(const ts_step *st, const ts_site *site, const fields *x,
                        const ts_response *r, const ts_ed_projectors *p, double *dense) {
    int m = site->forms, n = 3 * site->slots;
    if (site->law->stage) {
        stage_tangent(st, site, x, r, p, dense);
        return;
    }
    const double *K = st->K + st->K_first[site - st->model->sites], al = st->alpha, h = st->h;
    double by[TS_MAX_FORMS][3 * TS_MAX_SLOTS], ba[TS_MAX_FORMS][3 * TS_MAX_SLOTS];
    double Hv[3 * TS_MAX_SLOTS], Ha[3 * TS_MAX_SLOTS];
    for (int k = 0; k < m; k++) {
        ts_form_hessian_times(st->model, site->form + k, false, site->slots, x->v_f, Hv);
        ts_form_hessian_times(st->model, site->form + k, false, site->slots, x->a, Ha);
        for (int i = 0; i < n; i++) {
            by[k][i] = h / 6 * (0.5 * al * Ha[i] - 2 / h * x->Bf[k][i] - Hv[i]);
            ba[k][i] = h / 6 * (al * x->Bm[k][i] + x->Bf[k][i]);
        }
    }
    tests t;
    for (int j = 0; j < m; j++) {
        double wq[3 * TS_MAX_SLOTS] = {0}, wa[3 * TS_MAX_SLOTS] = {0};
        double kq[3 * TS_MAX_SLOTS] = {0}, ka[3 * TS_MAX_SLOTS] = {0};
        for (int k = 0; k < m; k++)
            for (int i = 0; i < n; i++) {
                wq[i] += r->ds[j * m + k] * x->Bf[k][i] + 0.5 * K[j * m + k] * by[k][i];
                wa[i] += 0.5 * K[j * m + k] * ba[k][i];
                kq[i] += K[j * m + k] * (al * by[k][i] - x->Bf[k][i]);
                ka[i] += K[j * m + k] * al * ba[k][i];
            }
        test_vectors(st, site, x, p, j, &t);
        add_responses(p, &t, wq, wa, kq, ka, dense);
    }
}

/* The rate row of a function of forms, linearised. */
static void function_rate_row(const ts_step *st, const ts_site *site, const fields *x,
                              const function_row *y, double *rq, double *ra) {
    int m = site->forms, n = 3 * site->slots;
    double Hv[3 * TS_MAX_SLOTS], Ha[3 * TS_MAX_SLOTS], al = st->alpha;
    for (int k = 0; k < m; k++) {
        ts_form_hessian_times(st->model, site->form + k, false, site->slots, x->v_f, Hv);
        ts_form_hessian_times(st->model, site->form + k, false, site->slots, x->a, Ha);
        double e = 0;
        for (int j = 0; j < m; j++)
            e += al * x->Bma[j] * y->r.dg[j * m + k] - x->edot_f[j] * y->r.dy_f[j * m + k];
        for (int i = 0; i < n; i++) {
            rq[i] += e * x->Bf[k][i] + 0.5 * al * y->r.g[k] * Ha[i] -
                     y->r.y_f[k] * (2 / st->h * x->Bf[k][i] + Hv[i]);
            ra[i] += al * y->r.g[k] * x->Bm[k][i] + y->r.y_f[k] * x->Bf[k][i];
        }
    }
}

static void function_tangent(const ts_step *st, const ts_site *site, const fields *x,
                             const function_row *y, const ts_ed_projectors *p, double *dense) {
    int m = site->forms, n = 3 * site->slots;
    double c = st->h / 12 * y->kappa, Hv[TS_MAX_FORMS][3 * TS_MAX_SLOTS];
    double rq[3 * TS_MAX_SLOTS] = {0}, ra[3 * TS_MAX_SLOTS] = {0};
    for (int k = 0; k < m; k++) {
        ts_form_hessian_times(st->model, site->form + k, false, site->slots, x->v_f, Hv[k]);
        for (int i = 0; i < n; i++) rq[i] += y->r.slope[k] * x->Bf[k][i];
    }
    add_row(p, ts_at_lambda(&p->l, 0), rq, ra, dense);
    memset(rq, 0, sizeof rq);
    function_rate_row(st, site, x, y, rq, ra);
    add_row(p, ts_at_kappa(&p->l, 0), rq, ra, dense);
    tests t;
    for (int j = 0; j < m; j++) {
        double wq[3 * TS_MAX_SLOTS] = {0}, wa[3 * TS_MAX_SLOTS] = {0};
        double kq[3 * TS_MAX_SLOTS] = {0}, ka[3 * TS_MAX_SLOTS] = {0};
        for (int k = 0; k < m; k++) {
            double dg = y->r.dg[j * m + k], ze = c * y->z.d_e[j * m + k],
                   zr = c * y->z.d_edot[j * m + k];
            for (int i = 0; i < n; i++) {
                double B = x->Bf[k][i];
                wq[i] += (y->lambda * dg - ze) * B - zr * (2 / st->h * B + Hv[k][i]);
                wa[i] += zr * B;
                kq[i] += y->kappa * dg * B;
            }
        }
        test_vectors(st, site, x, p, j, &t);
        add_responses(p, &t, wq, wa, kq, ka, dense);
        add_column(p, ts_at_lambda(&p->l, 0), t.w, y->r.g[j], NULL, dense);
        add_column(p, ts_at_kappa(&p->l, 0), t.k, y->r.g[j], t.stage, dense);
        add_column(p, ts_at_kappa(&p->l, 0), t.w, -st->h / 12 * y->z.zeta[j], NULL, dense);
    }
}

static void site_tangent(ts_step *st, const ts_site *site, double *dense) {
    if (site->kernel) {
        ts_fused_ed_tangent(st, site, dense);
        return;
    }
    fields x;
    ts_ed_projectors p;
    ts_response r;
    function_row y;
    gather_fields(st, site, &x);
    ts_ed_projectors_at(st, site, &p);
    if (site->role == TS_ROLE_LAW) {
        law_weights(st, site, &x, &r);
        law_tangent(st, site, &x, &r, &p, dense);
    } else if (site->rowlaw) {
        function_weights(st, site, &x, &y, NULL);
        function_tangent(st, site, &x, &y, &p, dense);
    } else {
        rows_weights(st, site, &x, NULL);
        rows_tangent(st, site, &x, &p, dense);
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
    ts_stage stage;
    if (site->kernel) return ts_fused_ed_loss(st, site);
    gather_fields(st, site, &x);
    ts_stage_of(st, site, x.e_f, x.edot_f, x.Bma, &stage);
    return stage.loss;
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
