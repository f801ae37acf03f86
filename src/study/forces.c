/* SPDX-License-Identifier: Apache-2.0 */
/* Forces and rows of schemes for study, at an instant or over the step. See study.h. */
#include <math.h>
#include <string.h>

#include "study/study.h"

static const double INSTANT = 1e-3; /* of the step: for second derivatives of signals */

static void look(const ts_study *s, const ts_site *site, const double *q, const double *v,
                 ts_site_view *l) {
    ts_site_look(s->st->model, site, q, v, l);
}

static void pull(const ts_study *s, const ts_site *site, const ts_site_view *l,
                 const double *weight, double *F) {
    double f[3 * TS_MAX_SLOTS] = {0};
    for (int k = 0; k < site->forms; k++)
        for (int i = 0; i < 3 * site->slots; i++) f[i] -= weight[k] * l->B[k][i];
    ts_scatter(s->st->model, site, f, F);
}

/* ---- signals at the ends of the step: inside the step where they jump or have a corner there ----
 */

static double side_of(const ts_study *s, double t) {
    double near = ts_step_near(s->st);
    return s->arriving || t > s->st->t_i + 0.5 * s->st->h ? -near : near;
}

static double load_signal(const ts_study *s, int signal, double t) {
    return ts_value_of_side(s->st, signal, t, side_of(s, t));
}

static int end_of_signals(const ts_model *model, int site) {
    return site + 1 < model->sites_count ? model->sites[site + 1].signal
                                         : model->site_signals_count;
}

/* A law reads its signals by itself: the time is moved to the side of the jump. */
static double time_of_law(const ts_study *s, const ts_site *site, double t) {
    const ts_model *model = s->st->model;
    int end = end_of_signals(model, (int)(site - model->sites));
    for (int k = site->signal; k < end; k++)
        if (model->site_signals[k] >= 0)
            t = ts_signal_side(&model->signals[model->site_signals[k]], t, side_of(s, t));
    return t;
}

static bool jumps(const ts_study *s, int signal) {
    double near = ts_step_near(s->st), t = s->st->t_i;
    double left = ts_value_of_side(s->st, signal, t, -near);
    double right = ts_value_of_side(s->st, signal, t, near);
    return fabs(right - left) > 1e-9 * (fabs(right) + fabs(left));
}

bool ts_forces_jump(const ts_study *s) {
    const ts_model *model = s->st->model;
    for (int i = 0; i < model->loads_count; i++)
        for (int k = 0; k < 3; k++)
            if (jumps(s, model->loads[i].signal[k])) return true;
    for (int k = 0; k < model->site_signals_count; k++)
        if (jumps(s, model->site_signals[k])) return true;
    return false;
}

/* ---- laws ---- */

static ts_law_step between(const ts_study *s, const ts_site *site, double t_i, double t_f,
                           const double *e_i, const double *e_f) {
    return ts_site_over(s->st->model, site, ts_past_of(&s->st->system->state), e_i, e_f, t_i, t_f);
}

/* Row laws are continued from the start of the step: their angle is the one nearest to that. */
static void weights_at(const ts_study *s, const ts_site *site, double t, const ts_site_view *l,
                       bool moving, const double *lambda, double *weight) {
    ts_past past = ts_past_of(&s->st->system->state);
    bool law = site->role == TS_ROLE_LAW;
    if (law) t = time_of_law(s, site, t);
    ts_law_step rest =
        law ? ts_site_rest(s->st->model, site, past, l->e, t) : ts_law_over(s->st, site, l->e);
    ts_site_weights_at_rest(site, &rest, lambda, weight);
    if (law && moving) ts_site_damping(s->st->model, site, past, t, l->e, l->rate, weight);
}

void ts_forces_at(const ts_study *s, double t, const double *q, const double *v,
                  const double *lambda, double *F) {
    const ts_model *model = s->st->model;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        double weight[TS_MAX_FORMS];
        ts_site_view l;
        if (site->role != TS_ROLE_LAW && !lambda) continue;
        look(s, site, q, v, &l);
        weights_at(s, site, t, &l, v != NULL, lambda, weight);
        pull(s, site, &l, weight, F);
    }
}

void ts_forces_of_rows(const ts_study *s, const double *q, const double *lambda, double *F) {
    const ts_model *model = s->st->model;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        double weight[TS_MAX_FORMS];
        ts_site_view l;
        if (site->role == TS_ROLE_LAW) continue;
        look(s, site, q, NULL, &l);
        weights_at(s, site, 0, &l, false, lambda, weight);
        pull(s, site, &l, weight, F);
    }
}

void ts_site_weights_between(const ts_study *s, const ts_site *site, ts_interval over,
                             const double *lambda, double *weight, ts_exchange *out) {
    double e_i[TS_MAX_FORMS], e_f[TS_MAX_FORMS];
    ts_response r;
    ts_site_values(s->st->model, site, over.q_i, e_i);
    ts_site_values(s->st->model, site, over.q_f, e_f);
    ts_law_step step = between(s, site, over.t_i, over.t_f, e_i, e_f);
    if (site->role == TS_ROLE_LAW) {
        site->law->respond(&step, &r);
        memcpy(weight, r.s, sizeof r.s);
        if (out) ts_book_law(site->law, &r, out);
    } else {
        ts_site_weights_over(site, &step, lambda, weight);
    }
}

void ts_forces_between(const ts_study *s, ts_interval over, const double *q_b, const double *lambda,
                       double *F, ts_exchange *out) {
    const ts_model *model = s->st->model;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        double weight[TS_MAX_FORMS];
        ts_site_view l;
        if (site->role != TS_ROLE_LAW && !lambda) continue;
        ts_site_weights_between(s, site, over, lambda, weight, out);
        look(s, site, q_b, NULL, &l);
        pull(s, site, &l, weight, F);
    }
}

void ts_forces_of_rows_between(const ts_study *s, ts_interval over, const double *q_b,
                               const double *lambda, double *F) {
    const ts_model *model = s->st->model;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        double weight[TS_MAX_FORMS];
        ts_site_view l;
        if (site->role == TS_ROLE_LAW) continue;
        ts_site_weights_between(s, site, over, lambda, weight, NULL);
        look(s, site, q_b, NULL, &l);
        pull(s, site, &l, weight, F);
    }
}

void ts_forces_over(const ts_study *s, const double *q_f, const double *q_b, const double *lambda,
                    double *F) {
    ts_interval step = {s->st->t_i, s->st->t_f, s->st->q_i, q_f};
    ts_forces_between(s, step, q_b, lambda, F, NULL);
}

/* ---- wrenches ---- */

void ts_project_forces(const ts_study *s, const double *q, const double *F, double *W) {
    for (int n = 0; n < s->st->model->nodes_count; n++) {
        int at = 3 * s->st->model->nodes[n].slot;
        v6 w = {v3_load(F + at), {0, 0, 0}};
        if (ts_is_frame(s, n)) w.w = m3_moment(m3_load(q + at + 3), m3_load(F + at + 3));
        v6_store(W + 6 * n, v6_add(w, v6_load(W + 6 * n)));
    }
}

static void add_load(const ts_study *s, const ts_load *load, v3 force, const double *q, double *W) {
    pose H = ts_pose_of(s, q, load->node);
    if (load->follower) force = m3_apply(H.R, force);
    v6 w = v6_make(force, v3_cross(m3_apply(H.R, load->point), force));
    if (load->moment) w = v6_make(v3_make(0, 0, 0), force);
    v6_store(W + 6 * load->node, v6_add(w, v6_load(W + 6 * load->node)));
}

void ts_add_loads(const ts_study *s, double t, const double *q, double *W) {
    const ts_model *model = s->st->model;
    for (int i = 0; i < model->loads_count; i++) {
        const ts_load *load = &model->loads[i];
        double f[3];
        for (int k = 0; k < 3; k++) f[k] = load_signal(s, load->signal[k], t);
        add_load(s, load, v3_scale(load->factor, v3_load(f)), q, W);
    }
}

void ts_add_mean_loads(const ts_study *s, const double *q, double *W) {
    for (int i = 0; i < s->st->model->loads_count; i++)
        add_load(s, &s->st->model->loads[i], s->st->load[i].mean, q, W);
}

void ts_add_gravity(const ts_study *s, const double *q, double *W) {
    const ts_model *model = s->st->model;
    for (int n = 0; n < model->nodes_count; n++) {
        if (model->nodes[n].fixed) continue;
        ts_inertia I = ts_inertia_of(&model->nodes[n]);
        v3 weight = v3_scale(I.m, model->gravity), c = m3_apply(ts_pose_of(s, q, n).R, I.c);
        v6 w = v6_make(weight, v3_cross(c, weight));
        v6_store(W + 6 * n, v6_add(w, v6_load(W + 6 * n)));
    }
}

void ts_wrenches_at(ts_study *s, double t, const double *q, const double *v, const double *lambda,
                    double *W) {
    const ts_model *model = s->st->model;
    memset(s->F, 0, (size_t)(3 * model->slots) * sizeof(double));
    memset(W, 0, (size_t)(6 * model->nodes_count) * sizeof(double));
    ts_forces_at(s, t, q, v, lambda, s->F);
    ts_project_forces(s, q, s->F, W);
    ts_add_loads(s, t, q, W);
    ts_add_gravity(s, q, W);
}

/* ---- rows ---- */

double ts_study_signal(const ts_study *s, int row, double t, double *rate) {
    const ts_model *model = s->st->model;
    double u = 0;
    *rate = 0;
    int signal = model->rows[row].signal;
    if (signal >= 0)
        ts_signal_eval_side(&model->signals[signal], ts_step_when(s->st, t), side_of(s, t), &u,
                            rate);
    return u;
}

/* A form by what it was at the start, B at the mean and the increment: round-off is that of the
 * increment. */
static double value_by_increment(const ts_study *s, const ts_site *site, int k, const double *q) {
    const ts_model *model = s->st->model;
    double now[3 * TS_MAX_SLOTS], then[3 * TS_MAX_SLOTS], mean[3 * TS_MAX_SLOTS],
        B[3 * TS_MAX_SLOTS];
    ts_site_gather(model, site, q, now);
    ts_site_gather(model, site, s->st->q_i, then);
    for (int i = 0; i < 3 * site->slots; i++) mean[i] = 0.5 * (now[i] + then[i]), now[i] -= then[i];
    ts_form_gradient(model, site->form + k, site->slots, mean, B);
    return s->st->e_i[site->form + k] + ts_dot(3 * site->slots, B, now);
}

void ts_rows_at(const ts_study *s, double t, const double *q, const double *v, double *c) {
    const ts_model *model = s->st->model;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        ts_row_response r;
        ts_site_view l;
        double rate;
        if (site->rows == 0) continue;
        if (site->rowlaw || site->role == TS_ROLE_RATES) look(s, site, q, v, &l);
        if (site->rowlaw) ts_respond_row(s->st, site, l.e, &r);
        for (int k = 0; k < site->rows; k++) {
            double y = site->rowlaw                  ? r.y
                       : site->role == TS_ROLE_RATES ? l.rate[k]
                                                     : value_by_increment(s, site, k, q);
            c[site->row + k] = y - ts_study_signal(s, site->row + k, t, &rate);
        }
    }
}

void ts_row_rates(const ts_study *s, double t, const double *q, const double *v, double *out) {
    const ts_model *model = s->st->model;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        ts_row_response r;
        ts_site_view l;
        double rate;
        if (site->rows == 0) continue;
        look(s, site, q, v, &l);
        if (site->rowlaw) ts_respond_row(s->st, site, l.e, &r);
        for (int k = 0; k < site->rows; k++) {
            double u = ts_study_signal(s, site->row + k, t, &rate);
            double y = site->rowlaw ? ts_row_rate(site->forms, &r, l.rate) : l.rate[k];
            out[site->row + k] = y - (site->role == TS_ROLE_RATES ? u : rate);
        }
    }
}

/* e'' = B q'' + q'.H q' of a form; of a rate form A(q) q'' + A(q') q'. */
static void second_rates(const ts_study *s, const ts_site *site, const ts_site_view *l,
                         const double *v, const double *vdot, double *out) {
    const ts_model *model = s->st->model;
    double u[3 * TS_MAX_SLOTS], a[3 * TS_MAX_SLOTS], H[3 * TS_MAX_SLOTS];
    ts_site_gather(model, site, v, u);
    ts_site_gather(model, site, vdot, a);
    for (int k = 0; k < site->forms; k++) {
        ts_form_hessian_times(model, site->form + k, site->role == TS_ROLE_RATES, site->slots, u,
                              H);
        out[k] = ts_dot(3 * site->slots, l->B[k], a) + ts_dot(3 * site->slots, H, u);
    }
}

/* Signals have their first derivative; the second by differences, inside the step where a corner is
 * near: (-3 f(t) + 4 f(t + d) - f(t + 2 d))/(2 d). */
static double second_rate_of_signal(const ts_study *s, int row, double t) {
    double d = INSTANT * (s->st->h > 0 ? s->st->h : 1e-3), now, once, twice;
    int signal = s->st->model->rows[row].signal;
    if (signal < 0) return 0;
    const ts_signal *u = &s->st->model->signals[signal];
    bool corner = ts_signal_branch(u, t - d) != ts_signal_branch(u, t + d);
    if (corner && side_of(s, t) < 0) d = -d;
    (void)ts_study_signal(s, row, t, &now), (void)ts_study_signal(s, row, t + d, &once);
    (void)ts_study_signal(s, row, corner ? t + 2 * d : t - d, &twice);
    return corner ? (4 * once - 3 * now - twice) / (2 * d) : (once - twice) / (2 * d);
}

void ts_row_accelerations(const ts_study *s, double t, const double *q, const double *v,
                          const double *vdot, double *out) {
    const ts_model *model = s->st->model;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        ts_row_response r;
        ts_site_view l;
        double second[TS_MAX_FORMS], rate;
        if (site->rows == 0) continue;
        look(s, site, q, v, &l);
        second_rates(s, site, &l, v, vdot, second);
        if (site->rowlaw) { /* y'' = grad y . e'' + e'.(grad grad y) e' */
            ts_respond_row(s->st, site, l.e, &r);
            double sum = ts_dot(site->forms, r.y_f, second);
            for (int j = 0; j < site->forms; j++)
                for (int k = 0; k < site->forms; k++)
                    sum += l.rate[j] * r.dy_f[j * site->forms + k] * l.rate[k];
            second[0] = sum;
        }
        for (int k = 0; k < site->rows; k++) {
            (void)ts_study_signal(s, site->row + k, t, &rate);
            out[site->row + k] =
                second[k] -
                (site->role == TS_ROLE_RATES ? rate : second_rate_of_signal(s, site->row + k, t));
        }
    }
}
