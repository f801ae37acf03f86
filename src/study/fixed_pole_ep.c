/* SPDX-License-Identifier: Apache-2.0 */
/* The fixed-pole energy preserving scheme: S0 (24) to (28), with averages that are right. See
 * fixed_pole.c.
 *
 *     H_f = H_i D(v) ,     v = h (w_i + w_f)/2
 *     w: twist in body axes, v: screw of the step
 *     C_f^-T M w_f - C_i^-T M w_i = h [F - sum A_n^T s - sum A_n^T lambda]
 *     about a fixed pole
 *     c(q_f) = 0 ,         s . S = change of energy of the law
 *
 * Preserves energy, linear and angular momentum and constraints, all to round-off. No damping:
 * velocities that violate a constraint at the start continue to violate it, with alternating sign.
 */
#include <string.h>

#include "study/fixed_pole.h"

static int start(ts_study *s) {
    s->own = ts_pole_new(s, sizeof(ts_pole));
    return 0;
}

static void begin(ts_study *s) { ts_pole_begin(s, s->own); }

static void guess(ts_study *s, double *x) {
    for (int n = 0; n < s->st->model->nodes_count; n++)
        if (ts_is_free(s, n)) ts_store_block(s, x, 0, n, ts_pole_guess(s, s->own, n));
}

static void add_sites(ts_study *s, ts_pole *p, ts_exchange *out) {
    const ts_model *model = s->st->model;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        double weight[TS_MAX_FORMS];
        ts_average a;
        ts_pole_average(s, p, i, &p->to[0], &a);
        if (site->role == TS_ROLE_LAW) {
            ts_response r;
            ts_pole_respond(s, site, a.S, &r);
            memcpy(weight, r.s, sizeof weight);
            if (out) ts_book_law(site->law, &r, out);
        } else {
            ts_pole_row_weights(s, site, a.S, s->st->lambda, weight);
        }
        ts_pole_pull(s, i, &a, &p->to[0], weight, p->W);
    }
}

/* v = h (w_i + w_f)/2 */
static v6 end_twist(const ts_study *s, const ts_pole *p, int n) {
    return v6_axpy(2 / s->st->h, p->to[0].v[n], v6_scale(-1, p->at[n].w));
}

static void residual(ts_study *s, const double *x, double *R) {
    ts_pole *p = s->own;
    const ts_model *model = s->st->model;
    ts_pole_move(s, p, x, 0, &p->to[0]);
    ts_load_multipliers(s, x, 0, s->st->lambda);
    memset(p->W, 0, (size_t)(6 * model->nodes_count) * sizeof(double));
    add_sites(s, p, NULL);
    ts_pole_loads(s, &p->to[0], 1, 0, p->W);
    ts_pole_gravity(s, &p->to[0], p->W);
    for (int n = 0; n < model->nodes_count; n++)
        if (ts_is_free(s, n))
            ts_store_block(s, R, 0, n,
                           ts_pole_balance(s, p, n, &p->to[0], end_twist(s, p, n), p->W));
    ts_pole_rows(s, p, &p->to[0], s->st->t_f, p->c);
    ts_store_rows(s, R, 0, p->c);
}

static void finish(ts_study *s, const double *x, ts_exchange *out) {
    ts_pole *p = s->own;
    ts_step *st = s->st;
    ts_pole_move(s, p, x, 0, &p->to[0]);
    ts_load_multipliers(s, x, 0, st->lambda);
    memcpy(st->q_f, p->to[0].q, (size_t)(3 * st->model->slots) * sizeof(double));
    for (int n = 0; n < st->model->nodes_count; n++)
        if (ts_is_free(s, n)) ts_pole_store_twist(s, &p->to[0], n, end_twist(s, p, n), st->v_f);
    add_sites(s, p, out);
    memset(p->W, 0, (size_t)(6 * st->model->nodes_count) * sizeof(double));
    ts_pole_loads(s, &p->to[0], 1, 0, p->W);
    out->work_loads += ts_pole_work(s, p, &p->to[0], p->W);
    for (int r = 0; r < st->model->rows_count; r++)
        if (st->model->rows[r].drive) out->work_drives -= st->lambda[r] * (st->u_f[r] - st->u_i[r]);
}

static const ts_scheme_parameter PARAMETERS[] = {TS_POLE_MAP, {0}};

static const ts_study_scheme STUDY = {.no_points = true,
                                      .start = start,
                                      .begin = begin,
                                      .guess = guess,
                                      .residual = residual,
                                      .finish = finish,
                                      .keeps = "energy, momenta; constraints hold",
                                      .source = "S0 eqs (24) to (28)"};

const ts_scheme TS_SCHEME_FP_EP = {
    .name = "FP-EP",
    .help = "Fixed-pole energy preserving scheme of Bottasso, Borri and Trainelli, on SE(3).",
    TS_STUDY(STUDY),
    .parameters = PARAMETERS};
