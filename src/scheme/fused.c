/* SPDX-License-Identifier: Apache-2.0 */
/* EP, ED and statics at a law site that has a kernel (model/kernel.h): the equations that ep.c,
 * ed.c and static.c derive, in terms of the few vectors z of the kernel instead of the slots of the
 * nodes.
 *
 * Gradients are linear in z and have no constant part. So no row over slots is ever made: in
 * residuals B_m dq is a rate and sum s_k B_k a force, both closed expressions; in tangents whatever
 * is a combination of rows, B_f/h + H v say, is the row of the same combination of z, and is
 * projected to the moves of its link at once. Only products of fixed size remain.
 */
#include "scheme/fused.h"

enum { M = TS_LINK_FORMS, MOST = TS_KERNEL_FORMS, SIZE = TS_KERNEL_SIZE, LINKS = TS_KERNEL_LINKS };
enum { MOVES = TS_LINK_MOVES, TURNS = TS_LINK_TURNS, G = 3 }; /* the last: forms of displacements */

/* Residuals are compiled twice: for one link, where the number of loop passes is known, and for any
 * number of links. */
#define FOR_LINKS static inline __attribute__((always_inline))

static ts_motion motion(const ts_projector *P) { return (ts_motion){NULL, P->X, P->still}; }

/* Nodes that turn, at an ambient configuration; D is room for their frames. */
static ts_motion turning(const ts_step *st, const ts_site *site, const double *q, m3 *D) {
    for (int a = 0; a < site->nodes; a++)
        D[a] = m3_load(q + 3 * st->model->nodes[st->model->site_nodes[site->node + a]].slot + 3);
    return (ts_motion){D, NULL, false};
}

/* z = s a + t b */
FOR_LINKS void combine(int links, double s, const double *a, double t, const double *b,
                       double *restrict z) {
    for (int i = 0; i < TS_LINK_SIZE * links; i++) z[i] = s * a[i] + t * b[i];
}

/* z += t b */
FOR_LINKS void increase(int links, double t, const double *b, double *restrict z) {
    for (int i = 0; i < TS_LINK_SIZE * links; i++) z[i] += t * b[i];
}

/* ---- products of rows ---- */

/* y += sum of a_k rows_k of three or of all seven forms, n numbers wide; written out, so that a
 * number of y is read and written once. */
static inline void add_three(int n, const double *a, const ts_link_rows *rows, int from,
                             double *restrict y) {
    const double *r = rows->of[0] + from;
    for (int i = 0; i < n; i++) y[i] += a[0] * r[i] + a[1] * r[MOVES + i] + a[2] * r[2 * MOVES + i];
}

static inline void add_seven(int n, const double *a, const ts_link_rows *rows, int from,
                             double *restrict y) {
    const double *r = rows->of[0] + from;
    for (int i = 0; i < n; i++)
        y[i] += a[0] * r[i] + a[1] * r[MOVES + i] + a[2] * r[2 * MOVES + i] +
                a[3] * r[3 * MOVES + i] + a[4] * r[4 * MOVES + i] + a[5] * r[5 * MOVES + i] +
                a[6] * r[6 * MOVES + i];
}

/* A matrix between the forms of all links, and rows that it multiplies. */
typedef struct term {
    const double *A;
    const ts_link_rows *rows;
} term;

/* out += A rows of a pair of links; rows of A are `stride` apart */
static void add_times(const double *A, int stride, const ts_link_rows *rows, ts_link_rows *out) {
    for (int j = 0; j < M; j++, A += stride) {
        add_three(TURNS, A, rows, 0, out->of[j]);
        add_seven(MOVES - TURNS, A, rows, TURNS, out->of[j] + TURNS);
    }
}

/* block += factor left^T right */
static void add_product(double factor, const ts_link_rows *left, const ts_link_rows *right,
                        ts_link_block *block) {
    double a[M];
    for (int i = 0; i < MOVES; i++) {
        for (int k = 0; k < M; k++) a[k] = factor * left->of[k][i];
        if (i < G) add_three(MOVES, a, right, 0, block->of[i]);
        if (i >= TURNS) add_seven(MOVES, a, right, 0, block->of[i]);
    }
}

/* d += a row over the moves of a link, times sign, as one over the unknowns of its nodes */
static inline void spread_row(double sign, const double *restrict row, double *restrict d) {
    for (int i = 0; i < 3; i++) {
        d[i] -= sign * row[i], d[6 + i] += sign * row[i];
        d[3 + i] += sign * row[TURNS + i], d[9 + i] += sign * row[TURNS + 3 + i];
    }
}

/* A block over the unknowns of the nodes of its links. */
static void spread(const ts_link_block *block, int width, double *dense) {
    for (int i = 0; i < 3; i++) {
        spread_row(-1, block->of[i], dense + i * width);
        spread_row(1, block->of[i], dense + (6 + i) * width);
        spread_row(1, block->of[TURNS + i], dense + (3 + i) * width);
        spread_row(1, block->of[TURNS + 3 + i], dense + (9 + i) * width);
    }
}

/* A part of the tangent of a site:
 *
 *     factor left^T (sum of A rows over terms)  +  Xtest^T (sum of weight_k H_k) Xtrial ,
 *
 * of which either may be left out. */
typedef struct part {
    const ts_link_rows *left;
    double factor;
    const term *terms;
    int count;
    const double *weight;
    ts_motion test, trial;
} part;

/* Part x, its first entry at `dense`, whose rows are `width` apart. */
static void add_part(const ts_site *site, const part *x, int width, double *dense) {
    int links = ts_links(site), m = M * links;
    for (int j = 0; j < links; j++)
        for (int k = 0; k < links; k++) {
            ts_link_block block = {0};
            if (x->count) {
                ts_link_rows right = {0};
                for (int i = 0; i < x->count; i++)
                    add_times(x->terms[i].A + M * (m * j + k), m, &x->terms[i].rows[k], &right);
                add_product(x->factor, &x->left[j], &right, &block);
            }
            if (x->weight && j == k)
                site->kernel->stiffness(x->weight + M * j, ts_motion_from(x->test, j),
                                        ts_motion_from(x->trial, j), &block);
            if (x->count || j == k) spread(&block, width, dense + 6 * (j * width + k));
        }
}

/* out = s a + t b */
static void sum_rows(int links, double s, const ts_link_rows *a, double t, const ts_link_rows *b,
                     ts_link_rows *out) {
    for (int l = 0; l < links; l++)
        for (int k = 0; k < M; k++)
            for (int i = 0; i < MOVES; i++) out[l].of[k][i] = s * a[l].of[k][i] + t * b[l].of[k][i];
}

static void scaled(int n, double factor, const double *a, double *out) {
    for (int k = 0; k < n; k++) out[k] = factor * a[k];
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
    double f[SIZE], m[SIZE], e[MOST], weight[MOST];
    ts_link_rows bm[LINKS], bf[LINKS];
    m3 Dm[LINKS + 1], Df[LINKS + 1];
    ts_motion mean = turning(st, site, st->q_m, Dm), end = turning(st, site, st->q_f, Df);
    ts_response r;
    part x = {.left = bm, .factor = st->row_scale[0], .terms = &(term){r.ds, bf}, .count = 1};
    x.weight = weight, x.test = mean, x.trial = end;
    kernel->gather(st->model, site, st->q_f, f);
    values(links, st, site, f, e);
    if (st->part == TS_GEOMETRIC) {
        ts_law_step step = ts_law_over(st, site, e);
        ts_site_law_stress(site, &step, r.s);
        x.count = 0;
    } else {
        ts_respond(st, site, e, &r);
        kernel->gather(st->model, site, st->q_m, m);
        kernel->project(links, m, mean, bm);
        kernel->project(links, f, end, bf);
    }
    scaled(M * links, 0.5 * st->row_scale[0], r.s, weight);
    if (st->part == TS_MATERIAL) x.weight = NULL;
    add_part(site, &x, 6 * site->nodes, dense);
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
    kernel->rates(links, x->m, dq, jump); /* exact by (D) */
    kernel->rates(links, x->f, x->v_f, x->edot_f);
    kernel->rates(links, x->m, x->a, x->of_a);
    for (int k = 0; k < M * links; k++) x->e_f[k] = e_i[k] + jump[k];
}

double ts_fused_ed_loss(const ts_step *st, const ts_site *site) {
    fields x;
    gather_fields(ts_links(site), st, site, &x);
    return ts_stage_loss_of(st, site, x.e_f, x.edot_f, x.of_a);
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
    increase(links, -st->h / 12, f2, F);
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

static void add_terms(const ts_site *site, const ts_link_rows *left, double factor,
                      const term *terms, int count, int width, double *dense) {
    part x = {.left = left, .factor = factor, .terms = terms, .count = count};
    add_part(site, &x, width, dense);
}

/* Blocks of dw = (ds/de + dw/de) de + ..., and of dk. */
static void response_blocks(const ts_step *st, const ts_site *site, const double *ds,
                            ts_stage_slopes *s, const tests *test, const trials *t,
                            const ts_local *l, double *dense) {
    double h6 = st->h / 6, *below = dense + l->nd * l->width;
    term w[] = {{s->w_v, t->v}, {s->w_a, t->a}, {s->w_e, t->e}},
         w_u[] = {{s->w_v, t->v_u}, {s->w_a, t->a_u}},
         k[] = {{s->k_v, t->v}, {s->k_a, t->a}, {s->k_e, t->e}},
         k_u[] = {{s->k_v, t->v_u}, {s->k_a, t->a_u}};
    for (int i = 0; i < site->forms * site->forms; i++) s->w_e[i] += ds[i];
    add_terms(site, test->w, 1, w, 3, l->width, dense);
    add_terms(site, test->w, 1, w_u, 2, l->width, dense + l->nd);
    add_terms(site, test->k, 1, k, 3, l->width, dense);
    add_terms(site, test->w, h6, k, 3, l->width, below);
    add_terms(site, test->k, 1, k_u, 2, l->width, dense + l->nd);
    add_terms(site, test->w, h6, k_u, 2, l->width, below + l->nd);
}

static void add_stiffness(const ts_site *site, const double *weight, const ts_projector *test,
                          const ts_projector *trial, int width, double *dense) {
    part x = {.weight = weight, .test = motion(test), .trial = motion(trial)};
    add_part(site, &x, width, dense);
}

void ts_fused_ed_tangent(ts_step *st, const ts_site *site, double *dense) {
    fields x;
    ts_ed_projectors p;
    tests test;
    trials trial;
    ts_response r;
    ts_stage stage;
    ts_stage_slopes slopes;
    double h = st->h, w[MOST], half[MOST], jump[MOST], below[MOST];
    gather_fields(ts_links(site), st, site, &x);
    ts_stage_of(st, site, x.e_f, x.edot_f, x.of_a, &stage);
    ts_stage_slopes_of(st, site, x.e_f, x.edot_f, x.of_a, &slopes);
    ts_ed_projectors_at(st, site, &p);
    ts_respond(st, site, x.e_f, &r);
    test_rows(st, site, &x, &p, &test);
    trial_rows(st, site, &x, &p, &trial);
    response_blocks(st, site, r.ds, &slopes, &test, &trial, &p.l, dense);
    for (int k = 0; k < x.forms; k++) w[k] = 0.5 * (r.s[k] + stage.w[k]) - stage.k[k] / 12;
    scaled(x.forms, 0.5, stage.k, half), scaled(x.forms, h / 24, stage.k, jump);
    scaled(x.forms, h / 12, stage.k, below);
    int at = p.l.nd, width = p.l.width;
    add_stiffness(site, w, &p.Pm, &p.Pf, width, dense);
    add_stiffness(site, jump, &p.Pm, &p.Ta, width, dense);
    add_stiffness(site, jump, &p.Pm, &p.Pw, width, dense + at);
    add_stiffness(site, half, &p.PE, &p.Pf, width, dense);
    add_stiffness(site, below, &p.Pm, &p.Pf, width, dense + at * width);
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

/* Replaces the present stress by the predicted one, and stores the difference of their forces for
 * the rotation of the nodes. */
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
    m3 D[LINKS + 1];
    ts_motion end = turning(st, site, st->q_f, D);
    ts_response r;
    site->kernel->gather(st->model, site, st->q_f, z);
    values(links, st, site, z, e);
    ts_respond_at_end(st, site, e, &r);
    ts_static_meant(st, site, e, &r);
    take_meant_stress(st, site, z, r.s);
    site->kernel->project(links, z, end, b);
    part x = {b, 2, &(term){r.ds, b}, 1, r.s, end, end};
    add_part(site, &x, 6 * site->nodes, dense);
}
