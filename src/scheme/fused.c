/* EP, ED and statics at a law site that has a kernel (model/kernel.h): the equations of ep.c, ed.c and static.c, which say where
 * they come from, written over the few vectors z of the kernel instead of the slots of the nodes.
 *
 * Gradients are linear in z and have no constant part. So no row over slots is ever made: in residuals B_m dq is a rate and
 * sum s_k B_k a force, both closed expressions; in tangents whatever is a combination of rows, B_f/h + H v say, is the row of the same
 * combination of z, and is projected to the six unknowns of each node at once. What is left are products of fixed size.
 */
#include "scheme/fused.h"

#include <string.h>

enum { M = TS_KERNEL_FORMS, SIZE = TS_KERNEL_SIZE };

static ts_motion motion(const ts_projector *P) { return (ts_motion){P->X, P->still}; }

/* z = s a + t b */
static void combine(double s, const double *a, double t, const double *b, double *z) {
    for (int i = 0; i < SIZE; i++) z[i] = s * a[i] + t * b[i];
}

/* Sums of six written out: as loops they would not be made fast. */
static double dot(const double *a, const double *x) {
    return a[0] * x[0] + a[1] * x[1] + a[2] * x[2] + a[3] * x[3] + a[4] * x[4] + a[5] * x[5];
}

/* y += sum of a_k rows_k, over the six unknowns of a node */
static void add_rows(const double *a, const ts_kernel_rows *rows, int at, double *restrict y) {
    const double *r0 = rows->of[0] + at, *r1 = rows->of[1] + at, *r2 = rows->of[2] + at,
                 *r3 = rows->of[3] + at, *r4 = rows->of[4] + at, *r5 = rows->of[5] + at;
    for (int i = 0; i < 6; i++)
        y[i] +=
            a[0] * r0[i] + a[1] * r1[i] + a[2] * r2[i] + a[3] * r3[i] + a[4] * r4[i] + a[5] * r5[i];
}

/* y += factor A x */
static void add_times(double factor, const double *A, const double *x, double *y) {
    for (int j = 0; j < M; j++) y[j] += factor * dot(A + M * j, x);
}

/* out = factor A rows */
static void times_rows(int nodes, double factor, const double *A, const ts_kernel_rows *rows,
                       ts_kernel_rows *out) {
    double a[M];
    for (int j = 0; j < M; j++, A += M) {
        for (int k = 0; k < M; k++) a[k] = factor * A[k];
        memset(out->of[j], 0, sizeof out->of[j]);
        for (int n = 0; n < nodes; n++) add_rows(a, rows, 6 * n, out->of[j] + 6 * n);
    }
}

/* out = a + t b */
static void sum_rows(int nodes, const ts_kernel_rows *a, double t, const ts_kernel_rows *b,
                     ts_kernel_rows *out) {
    for (int j = 0; j < M; j++)
        for (int i = 0; i < 6 * nodes; i++) out->of[j][i] = a->of[j][i] + t * b->of[j][i];
}

/* dense += left^T right, at (r0, c0) */
static void add_product(const ts_local *l, const ts_kernel_rows *left, const ts_kernel_rows *right,
                        int r0, int c0, double *dense) {
    double a[M];
    for (int i = 0; i < l->nd; i++) {
        double *d = dense + (r0 + i) * l->width + c0;
        for (int k = 0; k < M; k++) a[k] = left->of[k][i];
        for (int n = 0; n < l->nodes; n++) add_rows(a, right, 6 * n, d + 6 * n);
    }
}

/* dense += factor Xtest^T (sum of weight_k H_k) Xtrial, at (r0, c0) */
static void add_stiffness(const ts_stepper *st, const ts_site *site, const ts_local *l,
                          double factor, const double *weight, const ts_projector *test,
                          const ts_projector *trial, int r0, int c0, double *dense) {
    double w[M];
    for (int k = 0; k < M; k++) w[k] = factor * weight[k];
    site->kernel->stiffness(st->model, site, w, motion(test), motion(trial), l->width,
                            dense + r0 * l->width + c0);
}

static void values(const ts_stepper *st, const ts_site *site, const double *z, double *e) {
    site->kernel->values(z, e);
    for (int k = 0; k < M; k++) e[k] += st->model->forms[site->form + k].c;
}

static void mean_stress(const ts_stepper *st, const ts_site *site, const double *e_f, double *s) {
    ts_law_step step;
    ts_law_of_site(st, site, e_f, &step);
    if (site->law->stress) {
        site->law->stress(&step, s);
        return;
    }
    ts_response r;
    site->law->respond(&step, &r);
    memcpy(s, r.s, M * sizeof *s);
}

void ts_fused_begin(ts_stepper *st, const ts_site *site) {
    double q[SIZE], v[SIZE];
    site->kernel->gather(st->model, site, st->q_i, q);
    values(st, site, q, st->e_i + site->form);
    if (st->scheme->stages < 2) return;
    site->kernel->gather(st->model, site, st->v_i, v);
    site->kernel->rates(q, v, st->edot_i + site->form);
}

/* ---- EP ---- */

void ts_fused_ep_residual(ts_stepper *st, const ts_site *site) {
    const ts_kernel *kernel = site->kernel;
    double f[SIZE], m[SIZE], e[M], s[M];
    kernel->gather(st->model, site, st->q_f, f);
    kernel->gather(st->model, site, st->q_m, m);
    values(st, site, f, e);
    mean_stress(st, site, e, s);
    kernel->force(m, s, f);
    kernel->scatter(st->model, site, f, st->F);
}

void ts_fused_ep_tangent(ts_stepper *st, const ts_site *site, double *dense) {
    const ts_kernel *kernel = site->kernel;
    double f[SIZE], m[SIZE], e[M];
    ts_kernel_rows bm, bf, right;
    ts_local l;
    ts_projector Pm, Pf;
    ts_response r;
    ts_local_site(st, site, &l);
    ts_projector_cross(st, &l, 0, &Pm);
    ts_projector_cross(st, &l, 1, &Pf);
    kernel->gather(st->model, site, st->q_f, f);
    kernel->gather(st->model, site, st->q_m, m);
    values(st, site, f, e);
    ts_respond(st, site, e, &r);
    kernel->project(st->model, site, m, motion(&Pm), &bm);
    kernel->project(st->model, site, f, motion(&Pf), &bf);
    times_rows(l.nodes, st->row_scale[0], r.ds, &bf, &right);
    add_product(&l, &bm, &right, 0, 0, dense);
    add_stiffness(st, site, &l, 0.5 * st->row_scale[0], r.s, &Pm, &Pf, 0, 0, dense);
}

/* ---- ED ---- */

typedef struct fields {
    double f[SIZE], m[SIZE], v_f[SIZE], v_m[SIZE], a[SIZE]; /* z of q_f, q_m and so on */
    double e_f[M], b[M];                                    /* strains at the end, and their jump */
    double w[M], k[M]; /* weights of the balance, less s; and of the stage */
} fields;

/* q_f = q_m + dq/2 and v_m = dq/h - a/2 save two fields. */
static void gather_fields(const ts_stepper *st, const ts_site *site, fields *x) {
    const ts_kernel *kernel = site->kernel;
    const double *e_i = st->e_i + site->form, *edot_i = st->edot_i + site->form;
    double dq[SIZE], jump[M], edot[M], of_a[M];
    kernel->gather(st->model, site, st->q_m, x->m);
    kernel->gather(st->model, site, st->dq, dq);
    kernel->gather(st->model, site, st->v_f, x->v_f);
    kernel->gather(st->model, site, st->a, x->a);
    combine(1, x->m, 0.5, dq, x->f);
    combine(1 / st->h, dq, -0.5, x->a, x->v_m);
    kernel->rates(x->m, dq, jump); /* exact, by (D) */
    kernel->rates(x->f, x->v_f, edot);
    kernel->rates(x->m, x->a, of_a);
    for (int k = 0; k < M; k++) {
        x->e_f[k] = e_i[k] + jump[k];
        x->b[k] = st->h / 6 * (st->alpha * of_a[k] - (edot[k] - edot_i[k]));
    }
}

/* w = K b/2 and k = sigma = K (alpha b - S) */
static void stage_weights(const ts_stepper *st, const ts_site *site, fields *x) {
    const double *K = st->K + st->K_first[site - st->model->sites], *e_i = st->e_i + site->form;
    double c[M];
    memset(x->w, 0, sizeof x->w), memset(x->k, 0, sizeof x->k);
    for (int k = 0; k < M; k++) c[k] = st->alpha * x->b[k] - (x->e_f[k] - e_i[k]);
    add_times(0.5, K, x->b, x->w);
    add_times(1, K, c, x->k);
}

void ts_fused_ed_jump(const ts_stepper *st, const ts_site *site, double *b) {
    fields x;
    gather_fields(st, site, &x);
    memcpy(b, x.b, sizeof x.b);
}

void ts_fused_ed_residual(ts_stepper *st, const ts_site *site) {
    const ts_kernel *kernel = site->kernel;
    fields x;
    double s[M], F[SIZE], f2[SIZE], Fs[SIZE];
    gather_fields(st, site, &x);
    stage_weights(st, site, &x);
    mean_stress(st, site, x.e_f, s);
    for (int k = 0; k < M; k++) s[k] += x.w[k];
    kernel->force(x.m, s, F);
    kernel->force(x.v_m, x.k, f2);
    kernel->force(x.m, x.k, Fs);
    combine(1, F, -st->h / 12, f2, F);
    kernel->scatter(st->model, site, F, st->F);
    kernel->scatter(st->model, site, Fs, st->Fs);
}

/* Test rows: of the balance for dw, and for dk. Those of the stage for dk are h/6 w. */
typedef struct tests {
    ts_kernel_rows w, k;
} tests;

static void test_rows(const ts_stepper *st, const ts_site *site, const fields *x,
                      const ts_ed_projectors *p, tests *t) {
    const ts_kernel *kernel = site->kernel;
    ts_kernel_rows pe, ph;
    kernel->project(st->model, site, x->m, motion(&p->Pm), &t->w);
    kernel->project(st->model, site, x->m, motion(&p->PE), &pe);
    kernel->project(st->model, site, x->v_m, motion(&p->Pm), &ph);
    sum_rows(p->l.nodes, &pe, -st->h / 12, &ph, &t->k);
}

/* Trial rows: de_f by y, db by y and by u, from
 *     db = (h/6) [ (alpha/2) H a - (2/h) B_f - H v_f ] dq + (h/6) [ alpha B_m + B_f ] da . */
typedef struct trials {
    ts_kernel_rows e, b, u;
} trials;

static void trial_rows(const ts_stepper *st, const ts_site *site, const fields *x,
                       const ts_ed_projectors *p, trials *t) {
    const ts_kernel *kernel = site->kernel;
    double h = st->h, by_q[SIZE], by_a[SIZE];
    ts_kernel_rows q, a;
    combine(h / 12 * st->alpha, x->a, -1.0 / 3, x->f, by_q);
    combine(1, by_q, -h / 6, x->v_f, by_q);
    combine(h / 6 * st->alpha, x->m, h / 6, x->f, by_a);
    kernel->project(st->model, site, x->f, motion(&p->Pf), &t->e);
    kernel->project(st->model, site, by_q, motion(&p->Pf), &q);
    kernel->project(st->model, site, by_a, motion(&p->Ta), &a);
    kernel->project(st->model, site, by_a, motion(&p->Pw), &t->u);
    sum_rows(p->l.nodes, &q, 1, &a, &t->b);
}

/* dw = ds/de de + K db/2 , dk = K (alpha db - de) */
static void response_blocks(const ts_stepper *st, const ts_site *site, const double *ds,
                            const tests *test, const trials *trial, const ts_local *l,
                            double *dense) {
    const double *K = st->K + st->K_first[site - st->model->sites], al = st->alpha, h = st->h;
    int n = l->nodes, at = l->nd;
    ts_kernel_rows dw, dk, Kb, Ku, half;
    times_rows(n, 1, K, &trial->b, &Kb);
    times_rows(n, 1, K, &trial->u, &Ku);
    times_rows(n, 1, ds, &trial->e, &dw);
    sum_rows(n, &dw, 0.5, &Kb, &dw);
    add_product(l, &test->w, &dw, 0, 0, dense);
    times_rows(n, -1, K, &trial->e, &dk);
    sum_rows(n, &dk, al, &Kb, &dk);
    add_product(l, &test->k, &dk, 0, 0, dense);
    for (int k = 0; k < M; k++)
        for (int i = 0; i < 6 * n; i++) {
            half.of[k][i] = 0.5 * test->w.of[k][i] + al * test->k.of[k][i];
            dk.of[k][i] *= h / 6;
        }
    add_product(l, &half, &Ku, 0, at, dense);
    add_product(l, &test->w, &dk, at, 0, dense);
    for (int k = 0; k < M; k++)
        for (int i = 0; i < 6 * n; i++) Ku.of[k][i] *= al * h / 6;
    add_product(l, &test->w, &Ku, at, at, dense);
}

void ts_fused_ed_tangent(ts_stepper *st, const ts_site *site, double *dense) {
    fields x;
    ts_ed_projectors p;
    tests test;
    trials trial;
    ts_response r;
    double h = st->h, weight[M];
    gather_fields(st, site, &x);
    stage_weights(st, site, &x);
    ts_ed_projectors_at(st, site, &p);
    ts_respond(st, site, x.e_f, &r);
    test_rows(st, site, &x, &p, &test);
    trial_rows(st, site, &x, &p, &trial);
    response_blocks(st, site, r.ds, &test, &trial, &p.l, dense);
    for (int k = 0; k < M; k++) weight[k] = 0.5 * (r.s[k] + x.w[k]) - x.k[k] / 12;
    int at = p.l.nd;
    add_stiffness(st, site, &p.l, 1, weight, &p.Pm, &p.Pf, 0, 0, dense);
    add_stiffness(st, site, &p.l, h / 24, x.k, &p.Pm, &p.Ta, 0, 0, dense);
    add_stiffness(st, site, &p.l, h / 24, x.k, &p.Pm, &p.Pw, 0, at, dense);
    add_stiffness(st, site, &p.l, 0.5, x.k, &p.PE, &p.Pf, 0, 0, dense);
    add_stiffness(st, site, &p.l, h / 12, x.k, &p.Pm, &p.Pf, at, 0, dense);
}

/* ---- statics ---- */

static void respond_at_rest(const ts_stepper *st, const ts_site *site, const double *e,
                            ts_response *r) {
    ts_law_step step;
    ts_law_of_site(st, site, e, &step);
    step.t_i = step.t_f, step.e_i = e;
    ts_respond_step(st, site, &step, r);
}

void ts_fused_static_residual(ts_stepper *st, const ts_site *site) {
    double z[SIZE], f[SIZE], e[M];
    ts_response r;
    site->kernel->gather(st->model, site, st->q_f, z);
    values(st, site, z, e);
    respond_at_rest(st, site, e, &r);
    site->kernel->force(z, r.s, f);
    site->kernel->scatter(st->model, site, f, st->F);
}

/* The stress that was meant in place of the one there is, and the difference of their forces for the turning of the nodes. */
static void take_meant_stress(ts_stepper *st, const ts_site *site, const double *z, double *s) {
    double more[M], f[SIZE];
    if (st->probing) return;
    for (int k = 0; k < M; k++) {
        more[k] = st->stress[site->form + k] - s[k];
        s[k] += more[k];
    }
    site->kernel->force(z, more, f);
    site->kernel->scatter(st->model, site, f, st->a);
}

void ts_fused_static_tangent(ts_stepper *st, const ts_site *site, double *dense) {
    double z[SIZE], e[M];
    ts_kernel_rows b, right;
    ts_local l;
    ts_projector P;
    ts_response r;
    ts_local_site(st, site, &l);
    ts_projector_cross(st, &l, 1, &P);
    site->kernel->gather(st->model, site, st->q_f, z);
    values(st, site, z, e);
    respond_at_rest(st, site, e, &r);
    take_meant_stress(st, site, z, r.s);
    site->kernel->project(st->model, site, z, motion(&P), &b);
    times_rows(l.nodes, 2, r.ds, &b, &right);
    add_product(&l, &b, &right, 0, 0, dense);
    add_stiffness(st, site, &l, 1, r.s, &P, &P, 0, 0, dense);
}
