/* EP, ED and statics at a law site that has a kernel (model/kernel.h): the equations of ep.c, ed.c
 * and static.c, which say where they come from, written over the few vectors z of the kernel
 * instead of the slots of the nodes.
 *
 * Gradients are linear in z and have no constant part. So no row over slots is ever made: in
 * residuals B_m dq is a rate and sum s_k B_k a force, both closed expressions; in tangents whatever
 * is a combination of rows, B_f/h + H v say, is the row of the same combination of z, and is
 * projected to the six unknowns of each node at once. What is left are products of fixed size.
 */
#include "scheme/fused.h"

#include <string.h>

enum { M = TS_LINK_FORMS, MOST = TS_KERNEL_FORMS, SIZE = TS_KERNEL_SIZE, LINKS = TS_KERNEL_LINKS };

/* Rows over the unknowns of all nodes, as a combination of the rows of all links has them. */
typedef struct wide_rows {
    double of[MOST][6 * (LINKS + 1)];
} wide_rows;

/* Residuals are compiled twice: for one link, whose loops then have no end to look for, and for any
 * number. */
#define FOR_LINKS static inline __attribute__((always_inline))

static ts_motion motion(const ts_projector *P) { return (ts_motion){P->X, P->still}; }

/* z = s a + t b */
FOR_LINKS void combine(int links, double s, const double *a, double t, const double *b, double *z) {
    for (int i = 0; i < TS_LINK_SIZE * links; i++) z[i] = s * a[i] + t * b[i];
}

/* y += sum of a_k rows_k, over the six unknowns of a node, written out: a loop would not be made
 * fast. The seven rows are `stride` apart */
static void add_rows(const double *a, const double *rows, int stride, double *restrict y) {
    const double *r0 = rows, *r1 = r0 + stride, *r2 = r1 + stride, *r3 = r2 + stride,
                 *r4 = r3 + stride, *r5 = r4 + stride, *r6 = r5 + stride;
    for (int i = 0; i < 6; i++)
        y[i] += a[0] * r0[i] + a[1] * r1[i] + a[2] * r2[i] + a[3] * r3[i] + a[4] * r4[i] +
                a[5] * r5[i] + a[6] * r6[i];
}

/* out = factor A rows */
static void times_rows(int links, double factor, const double *A, const ts_link_rows *rows,
                       wide_rows *out) {
    double a[M];
    for (int j = 0; j < M * links; j++) {
        memset(out->of[j], 0, (size_t)(6 * (links + 1)) * sizeof(double));
        for (int l = 0; l < links; l++, A += M) {
            for (int k = 0; k < M; k++) a[k] = factor * A[k];
            add_rows(a, rows[l].of[0], 12, out->of[j] + 6 * l);
            add_rows(a, rows[l].of[0] + 6, 12, out->of[j] + 6 * l + 6);
        }
    }
}

/* out = s a + t b */
static void sum_rows(int links, double s, const ts_link_rows *a, double t, const ts_link_rows *b,
                     ts_link_rows *out) {
    for (int l = 0; l < links; l++)
        for (int k = 0; k < M; k++)
            for (int i = 0; i < 12; i++) out[l].of[k][i] = s * a[l].of[k][i] + t * b[l].of[k][i];
}

static void sum_wide(int links, double s, const wide_rows *a, double t, const wide_rows *b,
                     wide_rows *out) {
    for (int j = 0; j < M * links; j++)
        for (int i = 0; i < 6 * (links + 1); i++) out->of[j][i] = s * a->of[j][i] + t * b->of[j][i];
}

static void scale_wide(int links, double s, wide_rows *a) { sum_wide(links, s, a, 0, a, a); }

/* dense += left^T right, at (r0, c0) */
static void add_product(const ts_local *local, const ts_link_rows *left, const wide_rows *right,
                        int r0, int c0, double *dense) {
    enum { STRIDE = sizeof right->of[0] / sizeof(double) };
    double a[M];
    for (int l = 0; l < local->nodes - 1; l++)
        for (int i = 0; i < 12; i++) {
            double *d = dense + (r0 + 6 * l + i) * local->width + c0;
            for (int k = 0; k < M; k++) a[k] = left[l].of[k][i];
            for (int n = 0; n < local->nodes; n++)
                add_rows(a, right->of[M * l] + 6 * n, STRIDE, d + 6 * n);
        }
}

/* block += factor Xtest^T (sum of weight_k H_k) Xtrial */
static void add_stiffness(const ts_site *site, double factor, const double *weight,
                          ts_tangent_block block) {
    double w[MOST];
    for (int k = 0; k < M * ts_links(site); k++) w[k] = factor * weight[k];
    site->kernel->stiffness(ts_links(site), w, motion(block.test), motion(block.trial),
                            block.l->width, block.at);
}

static void values(int links, const ts_step *st, const ts_site *site, const double *z, double *e) {
    const ts_form *form = st->model->forms + site->form;
    site->kernel->values(links, z, e);
    for (int k = 0; k < M * links; k++) e[k] += form[k].c;
}

/* ---- EP ---- */

FOR_LINKS void ep_residual(int links, ts_step *st, const ts_site *site) {
    const ts_kernel *kernel = site->kernel;
    double f[SIZE], m[SIZE], e[MOST], s[MOST];
    kernel->gather(st->model, site, st->q_f, f);
    kernel->gather(st->model, site, st->q_m, m);
    values(links, st, site, f, e);
    ts_law_step step = ts_law_over(st, site, e);
    ts_site_law_stress(site, &step, s);
    kernel->force(links, m, s, f);
    kernel->scatter(st->model, site, f, st->F);
}

void ts_fused_ep_residual(ts_step *st, const ts_site *site) {
    if (ts_links(site) == 1)
        ep_residual(1, st, site);
    else
        ep_residual(ts_links(site), st, site);
}

void ts_fused_ep_tangent(ts_step *st, const ts_site *site, double *dense) {
    const ts_kernel *kernel = site->kernel;
    int links = ts_links(site);
    double f[SIZE], m[SIZE], e[MOST];
    ts_link_rows bm[LINKS], bf[LINKS];
    wide_rows right;
    ts_local l;
    ts_projector Pm, Pf;
    ts_response r;
    ts_local_site(st->model, site, 1, &l);
    ts_projector_cross(st, &l, 0, &Pm);
    ts_projector_cross(st, &l, 1, &Pf);
    kernel->gather(st->model, site, st->q_f, f);
    kernel->gather(st->model, site, st->q_m, m);
    values(links, st, site, f, e);
    ts_respond(st, site, e, &r);
    kernel->project(links, m, motion(&Pm), bm);
    kernel->project(links, f, motion(&Pf), bf);
    times_rows(links, st->row_scale[0], r.ds, bf, &right);
    add_product(&l, bm, &right, 0, 0, dense);
    add_stiffness(site, 0.5 * st->row_scale[0], r.s,
                  ts_tangent_block_at(&l, &Pm, &Pf, 0, 0, dense));
}

/* ---- ED ---- */

typedef struct fields {
    int links, forms;
    double f[SIZE], m[SIZE], v_f[SIZE], v_m[SIZE], a[SIZE]; /* z of q_f, q_m and so on */
    double e_f[MOST], edot_f[MOST], of_a[MOST]; /* forms and their rates at the end; B_m a */
} fields;

/* q_f = q_m + dq/2 and v_m = dq/h - a/2 save two fields. */
FOR_LINKS void gather_fields(int links, const ts_step *st, const ts_site *site, fields *x) {
    const ts_kernel *kernel = site->kernel;
    const double *e_i = st->e_i + site->form;
    double dq[SIZE], jump[MOST];
    x->links = links, x->forms = M * links;
    kernel->gather(st->model, site, st->q_m, x->m);
    kernel->gather(st->model, site, st->dq, dq);
    kernel->gather(st->model, site, st->v_f, x->v_f);
    kernel->gather(st->model, site, st->a, x->a);
    combine(links, 1, x->m, 0.5, dq, x->f);
    combine(links, 1 / st->h, dq, -0.5, x->a, x->v_m);
    kernel->rates(links, x->m, dq, jump); /* exact, by (D) */
    kernel->rates(links, x->f, x->v_f, x->edot_f);
    kernel->rates(links, x->m, x->a, x->of_a);
    for (int k = 0; k < M * links; k++) x->e_f[k] = e_i[k] + jump[k];
}

double ts_fused_ed_loss(const ts_step *st, const ts_site *site) {
    fields x;
    ts_stage stage;
    gather_fields(ts_links(site), st, site, &x);
    ts_stage_of(st, site, x.e_f, x.edot_f, x.of_a, &stage);
    return stage.loss;
}

FOR_LINKS void ed_residual(int links, ts_step *st, const ts_site *site) {
    const ts_kernel *kernel = site->kernel;
    fields x;
    ts_stage stage;
    double F[SIZE], f2[SIZE], Fs[SIZE];
    gather_fields(links, st, site, &x);
    ts_stage_of(st, site, x.e_f, x.edot_f, x.of_a, &stage);
    for (int k = 0; k < M * links; k++) stage.s[k] += stage.w[k];
    kernel->force(links, x.m, stage.s, F);
    kernel->force(links, x.v_m, stage.k, f2);
    kernel->force(links, x.m, stage.k, Fs);
    combine(links, 1, F, -st->h / 12, f2, F);
    kernel->scatter(st->model, site, F, st->F);
    kernel->scatter(st->model, site, Fs, st->Fs);
}

void ts_fused_ed_residual(ts_step *st, const ts_site *site) {
    if (ts_links(site) == 1)
        ed_residual(1, st, site);
    else
        ed_residual(ts_links(site), st, site);
}

/* Test rows: of the balance for dw, and for dk. Those of the stage for dk are h/6 w. */
typedef struct tests {
    ts_link_rows w[LINKS], k[LINKS];
} tests;

static void test_rows(const ts_step *st, const ts_site *site, const fields *x,
                      const ts_ed_projectors *p, tests *t) {
    const ts_kernel *kernel = site->kernel;
    ts_link_rows pe[LINKS], ph[LINKS];
    kernel->project(x->links, x->m, motion(&p->Pm), t->w);
    kernel->project(x->links, x->m, motion(&p->PE), pe);
    kernel->project(x->links, x->v_m, motion(&p->Pm), ph);
    sum_rows(x->links, 1, pe, -st->h / 12, ph, t->k);
}

/* Trial rows: de_f by y; d edot_f and d(B_m a) by y and by u, from
 *     d edot_f = [ (2/h) B_f + H v_f ] dq - B_f da ,     d(B_m a) = H a dq/2 + B_m da . */
typedef struct trials {
    ts_link_rows e[LINKS], v[LINKS], v_u[LINKS], a[LINKS], a_u[LINKS];
} trials;

static void trial_rows(const ts_step *st, const ts_site *site, const fields *x,
                       const ts_ed_projectors *p, trials *t) {
    const ts_kernel *kernel = site->kernel;
    double by_q[SIZE], half[SIZE], minus[SIZE];
    ts_link_rows q[LINKS], a[LINKS];
    combine(x->links, 2 / st->h, x->f, 1, x->v_f, by_q);
    combine(x->links, 0.5, x->a, 0, x->a, half);
    combine(x->links, -1, x->f, 0, x->f, minus);
    kernel->project(x->links, x->f, motion(&p->Pf), t->e);
    kernel->project(x->links, by_q, motion(&p->Pf), q);
    kernel->project(x->links, minus, motion(&p->Ta), a);
    sum_rows(x->links, 1, q, 1, a, t->v);
    kernel->project(x->links, minus, motion(&p->Pw), t->v_u);
    kernel->project(x->links, half, motion(&p->Pf), q);
    kernel->project(x->links, x->m, motion(&p->Ta), a);
    sum_rows(x->links, 1, q, 1, a, t->a);
    kernel->project(x->links, x->m, motion(&p->Pw), t->a_u);
}

/* out = A e + B v + C a; without A where it is NULL */
static void combined(int n, const double *A, const ts_link_rows *e, const double *B,
                     const ts_link_rows *v, const double *C, const ts_link_rows *a,
                     wide_rows *out) {
    wide_rows more;
    times_rows(n, 1, B, v, out);
    times_rows(n, 1, C, a, &more);
    sum_wide(n, 1, out, 1, &more, out);
    if (!A) return;
    times_rows(n, 1, A, e, &more);
    sum_wide(n, 1, out, 1, &more, out);
}

/* Blocks of dw = (ds/de + dw/de) de + ..., and of dk. */
static void response_blocks(const ts_step *st, const ts_site *site, const double *ds,
                            ts_stage_slopes *s, const tests *test, const trials *t,
                            const ts_local *l, double *dense) {
    int n = ts_links(site), at = l->nd;
    wide_rows rows;
    for (int i = 0; i < site->forms * site->forms; i++) s->w_e[i] += ds[i];
    combined(n, s->w_e, t->e, s->w_v, t->v, s->w_a, t->a, &rows);
    add_product(l, test->w, &rows, 0, 0, dense);
    combined(n, NULL, NULL, s->w_v, t->v_u, s->w_a, t->a_u, &rows);
    add_product(l, test->w, &rows, 0, at, dense);
    combined(n, s->k_e, t->e, s->k_v, t->v, s->k_a, t->a, &rows);
    add_product(l, test->k, &rows, 0, 0, dense);
    scale_wide(n, st->h / 6, &rows);
    add_product(l, test->w, &rows, at, 0, dense);
    combined(n, NULL, NULL, s->k_v, t->v_u, s->k_a, t->a_u, &rows);
    add_product(l, test->k, &rows, 0, at, dense);
    scale_wide(n, st->h / 6, &rows);
    add_product(l, test->w, &rows, at, at, dense);
}

void ts_fused_ed_tangent(ts_step *st, const ts_site *site, double *dense) {
    fields x;
    ts_ed_projectors p;
    tests test;
    trials trial;
    ts_response r;
    ts_stage stage;
    ts_stage_slopes slopes;
    double h = st->h, weight[MOST];
    gather_fields(ts_links(site), st, site, &x);
    ts_stage_of(st, site, x.e_f, x.edot_f, x.of_a, &stage);
    ts_stage_slopes_of(st, site, x.e_f, x.edot_f, x.of_a, &slopes);
    ts_ed_projectors_at(st, site, &p);
    ts_respond(st, site, x.e_f, &r);
    test_rows(st, site, &x, &p, &test);
    trial_rows(st, site, &x, &p, &trial);
    response_blocks(st, site, r.ds, &slopes, &test, &trial, &p.l, dense);
    for (int k = 0; k < x.forms; k++) weight[k] = 0.5 * (r.s[k] + stage.w[k]) - stage.k[k] / 12;
    int at = p.l.nd;
    add_stiffness(site, 1, weight, ts_tangent_block_at(&p.l, &p.Pm, &p.Pf, 0, 0, dense));
    add_stiffness(site, h / 24, stage.k, ts_tangent_block_at(&p.l, &p.Pm, &p.Ta, 0, 0, dense));
    add_stiffness(site, h / 24, stage.k, ts_tangent_block_at(&p.l, &p.Pm, &p.Pw, 0, at, dense));
    add_stiffness(site, 0.5, stage.k, ts_tangent_block_at(&p.l, &p.PE, &p.Pf, 0, 0, dense));
    add_stiffness(site, h / 12, stage.k, ts_tangent_block_at(&p.l, &p.Pm, &p.Pf, at, 0, dense));
}

/* ---- statics ---- */

void ts_fused_static_residual(ts_step *st, const ts_site *site) {
    double z[SIZE], f[SIZE], e[MOST], s[MOST];
    site->kernel->gather(st->model, site, st->q_f, z);
    values(ts_links(site), st, site, z, e);
    ts_law_step rest = ts_law_at_end(st, site, e);
    ts_site_law_stress(site, &rest, s);
    site->kernel->force(ts_links(site), z, s, f);
    site->kernel->scatter(st->model, site, f, st->F);
}

/* The stress that was meant in place of the one there is, and the difference of their forces for
 * the turning of the nodes. */
static void take_meant_stress(ts_step *st, const ts_site *site, const double *z, double *s) {
    double more[MOST], f[SIZE];
    if (st->probing) return;
    for (int k = 0; k < site->forms; k++) {
        more[k] = st->statics.stress[site->form + k] - s[k];
        s[k] += more[k];
    }
    site->kernel->force(ts_links(site), z, more, f);
    site->kernel->scatter(st->model, site, f, st->statics.force);
}

void ts_fused_static_tangent(ts_step *st, const ts_site *site, double *dense) {
    int links = ts_links(site);
    double z[SIZE], e[MOST];
    ts_link_rows b[LINKS];
    wide_rows right;
    ts_local l;
    ts_projector P;
    ts_response r;
    ts_local_site(st->model, site, 1, &l);
    ts_projector_cross(st, &l, 1, &P);
    site->kernel->gather(st->model, site, st->q_f, z);
    values(links, st, site, z, e);
    ts_respond_at_end(st, site, e, &r);
    ts_static_meant(st, site, e, &r);
    take_meant_stress(st, site, z, r.s);
    site->kernel->project(links, z, motion(&P), b);
    times_rows(links, 2, r.ds, b, &right);
    add_product(&l, b, &right, 0, 0, dense);
    add_stiffness(site, 1, r.s, ts_tangent_block_at(&l, &P, &P, 0, 0, dense));
}
