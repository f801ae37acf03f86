/* SPDX-License-Identifier: Apache-2.0 */
/* The fixed-pole energy decaying scheme: S0 (59) to (68) with a parameter
 * alpha = (1 - rho_inf)/(1 + rho_inf). See fixed_pole.c.
 *
 * j is a second state at the start, behind a jump. w: twists in body axes, v: screws from the
 * start; a = w_j - w_i, b = w_f - w_i.
 *
 *     H_f = H_i D(v_f) ,   v_f = h (w_j + w_f)/2             H_j = H_i D(v_j) ,
 *     v_j = h beta (alpha a - b) ,  beta = 1/6
 *     C_f^-T M w_f - C_i^-T M w_i = h F_f                    C_j^-T M w_j - C_i^-T M w_i = h F_j
 *     F_f: stress s + K S_j/2 with A(i, f)
 *     F_j: stress beta K (alpha S_j - S_f) with A(i, j)
 *
 * where s is the law's own of the step, S_f and S_j are changes of strain since the start, K is a
 * stiffness of the step; of a linear law the stresses are K (e_j + e_f)/2 and beta K [alpha
 * (e_j - e_i) - (e_f - e_i)], S0 (62), (67). The first balance times v_f plus the second times
 * v_j/(2 beta) is
 *
 *     E_f - E_i = - (alpha/2) [a.M a + S_j.K S_j] + W .
 *
 * Conditions. S0 (63), (77) ask the state j to satisfy them: `conditions: printed`, A(i, f)
 * lambda_g in F_f, A(i, j) lambda_h in F_j. But v_j is -h^2/6 times an acceleration, and its
 * centripetal part leads off the conditions; so velocities are wrong. With a joint between moving
 * bodies the error is of first order, with damping omega^2 h/alpha. By default the velocity behind
 * the jump satisfies them:
 *
 *     c(q_f) = 0 ,  A_i [v_f + v_j/(2 beta)] = 0 ,      F_f: A(i, f) lambda_g + A_i lambda_h ,
 *     F_j: A_i lambda_h
 *
 * with gradients A_i at the start; v_f + v_j/(2 beta) = h [(1 + alpha) w_j + (1 - alpha) w_i]/2. No
 * work is done either way.
 *
 * Loads enter the first balance by their mean, the second by -beta times their change. Keeps:
 * linear and angular momentum, and conditions, to round-off; energy falls by what is said above and
 * no more. Second order; on linear systems third (fourth with rho_inf = 1). What it does not keep:
 * energy; and `printed` is of first order with joints between moving bodies.
 */
#include <string.h>

#include "study/fixed_pole.h"

typedef struct decaying {
    ts_pole pole;
    double alpha;
    bool printed;
} decaying;

static const double BETA = 1.0 / 6;
static const char *const CONDITIONS[] = {"velocity", "printed", NULL};
enum { F, J };

static int start(ts_study *s) {
    decaying *d = s->own = ts_pole_new(s, sizeof *d);
    double rho = ts_study_number(s, "rho_inf", 0);
    d->alpha = (1 - rho) / (1 + rho);
    d->printed = ts_study_choice(s, "conditions") == 1;
    s->node_blocks = s->row_blocks = 2;
    return 0;
}

static void begin(ts_study *s) { ts_pole_begin(s, s->own); }

/* lambda of the state is the mean reaction, kappa the second multiplier. */
static void guess(ts_study *s, double *x) {
    decaying *d = s->own;
    const ts_step *st = s->st;
    for (int n = 0; n < st->model->nodes_count; n++)
        if (ts_is_free(s, n)) ts_store_block(s, x, 0, n, ts_pole_guess(s, &d->pole, n));
    for (int r = 0; r < st->model->rows_count; r++)
        d->pole.lambda[r] = st->lambda[r] - (d->printed ? 0 : st->kappa[r]);
    ts_store_rows(s, x, 0, d->pole.lambda), ts_store_rows(s, x, 1, st->kappa);
}

/* ---- the two balances ---- */

typedef struct twists {
    v6 f, j;
} twists;

static twists twists_of(const ts_study *s, int n) {
    const decaying *d = s->own;
    double h = s->st->h;
    v6 w = d->pole.at[n].w, sum = v6_scale(2 / h, d->pole.to[F].v[n]); /* w_j + w_f */
    v6 both = v6_axpy(-2, w, sum);                                     /* a + b */
    v6 a = v6_scale(1 / (1 + d->alpha), v6_axpy(1 / (h * BETA), d->pole.to[J].v[n], both));
    twists t = {.j = v6_add(w, a)};
    t.f = v6_sub(sum, t.j);
    return t;
}

/* y = K x of a law site */
static void stiffness_times(const ts_study *s, int i, const double *x, double *y) {
    int m = s->st->model->sites[i].forms;
    const double *K = s->st->K + s->st->K_first[i];
    for (int k = 0; k < m; k++) y[k] = ts_dot(m, K + k * m, x);
}

typedef struct pair {
    ts_average f, j;
} pair;

static void add_law(ts_study *s, int i, const pair *a, ts_exchange *out) {
    decaying *d = s->own;
    const ts_site *site = &s->st->model->sites[i];
    double weight_f[TS_MAX_FORMS], weight_j[TS_MAX_FORMS], KS_f[TS_MAX_FORMS], KS_j[TS_MAX_FORMS];
    ts_response r;
    ts_pole_respond(s, site, a->f.S, &r);
    stiffness_times(s, i, a->f.S, KS_f), stiffness_times(s, i, a->j.S, KS_j);
    for (int k = 0; k < site->forms; k++) {
        weight_f[k] = r.s[k] + 0.5 * KS_j[k];
        weight_j[k] = BETA * (d->alpha * KS_j[k] - KS_f[k]);
    }
    ts_pole_pull(s, i, &a->f, &d->pole.to[F], weight_f, d->pole.W);
    ts_pole_pull(s, i, &a->j, &d->pole.to[J], weight_j, d->pole.Wj);
    if (!out) return;
    ts_book_law(site->law, &r, out);
    out->algorithmic += 0.5 * d->alpha * ts_dot(site->forms, a->j.S, KS_j);
}

static void add_rows(ts_study *s, int i, const pair *a) {
    decaying *d = s->own;
    ts_pole *p = &d->pole;
    const ts_site *site = &s->st->model->sites[i];
    double weight[TS_MAX_FORMS];
    ts_pole_row_weights(s, site, a->f.S, s->st->lambda, weight);
    ts_pole_pull(s, i, &a->f, &p->to[F], weight, p->W);
    ts_pole_row_weights(s, site, d->printed ? a->j.S : NULL, s->st->kappa, weight);
    if (d->printed) {
        ts_pole_pull(s, i, &a->j, &p->to[J], weight, p->Wj);
        return;
    }
    ts_pole_pull_at_start(s, i, weight, p->W);
    ts_pole_pull_at_start(s, i, weight, p->Wj);
}

static void add_sites(ts_study *s, ts_exchange *out) {
    decaying *d = s->own;
    const ts_model *model = s->st->model;
    for (int i = 0; i < model->sites_count; i++) {
        bool law = model->sites[i].role == TS_ROLE_LAW;
        pair a;
        ts_pole_average(s, &d->pole, i, &d->pole.to[F], &a.f);
        if (law || d->printed) ts_pole_average(s, &d->pole, i, &d->pole.to[J], &a.j);
        if (law)
            add_law(s, i, &a, out);
        else
            add_rows(s, i, &a);
    }
}

static void refresh(ts_study *s, const double *x) {
    ts_pole *p = s->own;
    size_t wrenches = (size_t)(6 * s->st->model->nodes_count) * sizeof(double);
    ts_pole_move(s, p, x, 0, &p->to[F]), ts_pole_move(s, p, x, 1, &p->to[J]);
    ts_load_multipliers(s, x, 0, s->st->lambda), ts_load_multipliers(s, x, 1, s->st->kappa);
    memset(p->W, 0, wrenches), memset(p->Wj, 0, wrenches);
}

static void add_loads(ts_study *s) {
    ts_pole *p = s->own;
    ts_pole_loads(s, &p->to[F], 1, 0, p->W);
    ts_pole_loads(s, &p->to[J], 0, -BETA, p->Wj);
}

/* ---- conditions ---- */

/* A_i [v_f + v_j/(2 beta)] less the rate of a drive. */
static void velocity_rows(ts_study *s, double *c) {
    decaying *d = s->own;
    ts_pole *p = &d->pole;
    const ts_model *model = s->st->model;
    for (int n = 0; n < model->nodes_count; n++)
        p->u[n] = v6_axpy(0.5 / BETA, p->to[J].v[n], p->to[F].v[n]);
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        double rate[TS_MAX_FORMS], one[TS_MAX_FORMS];
        if (!site->rows) continue;
        ts_pole_rates_at_start(s, i, p->u, rate);
        if (site->rowlaw) {
            for (int r = 0; r < model->rows_count; r++) p->lambda[r] = 1;
            ts_pole_row_weights(s, site, NULL, p->lambda, one);
            rate[0] = ts_dot(site->forms, one, rate);
        }
        for (int k = 0; k < site->rows; k++) c[site->row + k] = rate[k];
    }
}

static void residual(ts_study *s, const double *x, double *R) {
    decaying *d = s->own;
    ts_pole *p = &d->pole;
    const ts_step *st = s->st;
    refresh(s, x);
    add_sites(s, NULL);
    add_loads(s);
    ts_pole_gravity(s, &p->to[F], p->W);
    for (int n = 0; n < st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        twists w = twists_of(s, n);
        ts_store_block(s, R, 0, n, ts_pole_balance(s, p, n, &p->to[F], w.f, p->W));
        ts_store_block(s, R, 1, n, ts_pole_balance(s, p, n, &p->to[J], w.j, p->Wj));
    }
    ts_pole_rows(s, p, &p->to[F], st->t_f, p->c);
    ts_store_rows(s, R, 0, p->c);
    if (d->printed) {
        ts_pole_rows(s, p, &p->to[J], st->t_i, p->c);
    } else {
        velocity_rows(s, p->c);
        for (int r = 0; r < st->model->rows_count; r++) p->c[r] -= st->h * ts_pole_drive_rate(s, r);
    }
    ts_store_rows(s, R, 1, p->c);
}

/* ---- the end of a step ---- */

static double decay(const ts_study *s, int n, v6 w_j) {
    const decaying *d = s->own;
    v6 a = v6_sub(w_j, d->pole.at[n].w);
    return 0.5 * d->alpha * v6_dot(a, ts_inertia_times(&d->pole.at[n].I, a));
}

static void add_drive_works(ts_study *s, ts_exchange *out) {
    const decaying *d = s->own;
    const ts_step *st = s->st;
    for (int r = 0; r < st->model->rows_count; r++) {
        if (!st->model->rows[r].drive) continue;
        out->work_drives -= st->lambda[r] * (st->u_f[r] - st->u_i[r]);
        if (!d->printed) out->work_drives -= st->kappa[r] * st->h * ts_pole_drive_rate(s, r);
    }
}

static void finish(ts_study *s, const double *x, ts_exchange *out) {
    decaying *d = s->own;
    ts_pole *p = &d->pole;
    ts_step *st = s->st;
    refresh(s, x);
    add_sites(s, out);
    add_drive_works(s, out);
    refresh(s, x);
    add_loads(s);
    out->work_loads += ts_pole_work(s, p, &p->to[F], p->W);
    out->work_loads += ts_pole_work(s, p, &p->to[J], p->Wj) / (2 * BETA);
    memcpy(st->q_f, p->to[F].q, (size_t)(3 * st->model->slots) * sizeof(double));
    for (int n = 0; n < st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        twists w = twists_of(s, n);
        ts_pole_store_twist(s, &p->to[F], n, w.f, st->v_f);
        out->algorithmic += decay(s, n, w.j);
    }
    for (int r = 0; r < st->model->rows_count && !d->printed; r++) st->lambda[r] += st->kappa[r];
}

static const ts_scheme_parameter PARAMETERS[] = {
    TS_RHO_INF(TS_COMMON),
    TS_POLE_MAP,
    {"conditions",
     "Constraints of the second state: on its velocity, or on its position as printed", "velocity",
     0, 0, CONDITIONS, TS_OWN},
    {0}};

static const ts_study_scheme STUDY = {.no_points = true,
                                      .start = start,
                                      .begin = begin,
                                      .guess = guess,
                                      .residual = residual,
                                      .finish = finish,
                                      .keeps = "momenta; energy never grows; constraints hold",
                                      .source = "S0 eqs (59) to (68), corrected"};

const ts_scheme TS_SCHEME_FP_ED = {
    .name = "FP-ED",
    .help =
        "Fixed-pole energy decaying scheme of Bottasso, Borri and Trainelli, on SE(3); rho_inf.",
    TS_STUDY(STUDY),
    .parameters = PARAMETERS};
