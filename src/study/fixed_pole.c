/* SPDX-License-Identifier: Apache-2.0 */
/* Fixed-pole schemes of S0 (C. L. Bottasso, M. Borri, L. Trainelli, CMAME 190 (2001) 3701): what EP
 * and ED share.
 *
 * A step moves the node H to H D(v), v its screw in axes of the start. Two maps D will do, because
 * both have
 *
 *     D(v) v = v      and      D - 1 = [v] Dbar                                                 (P)
 *
 * as homogeneous matrices, [v] X = rho + phi x X: the exponential with Dbar its mean on the way,
 * and Cayley's transform with Dbar the mean of start and end. With twists w in body axes and v = h
 * (w_i + w_f)/2, the balance about a fixed point C_f^-T M w_f - C_i^-T M w_i = h F times the screw
 * in space is T_f - T_i, by the first of (P): S0 (33) to (36). All is written about the place of
 * the node at the start and in its axes there, which makes no difference but for round-off.
 *
 * Conservative averages. S0 (41) asks of a constraint, and footnote 2 of a strain, that its
 * averaged gradients do the work
 *
 *     sum over nodes A_n . v_n = e_f - e_i = S                                                  (A)
 *
 * S0's own (53) to (58) hold for its joints only, are of first order once their misprints are
 * corrected, and their two sides are no pair of action and reaction. Here the same rule serves
 * every form of a site, strain, spring or constraint:
 *
 *   Cayley:       A_n = P(q_m)^T B_n(q_m), q_m the mean of start and end. (A) is the product rule.
 *   exponential:  A_n = [dexp(-u)^T A_n,i + dexp(u)^T A_n,f]/2 + (S - S0)/(d.d) d_n ,
 *   d_n = v_n - u,
 *
 * u being the mean of the screws v_n, or zero where something outside takes part (ground, a
 * direction in space); S0 is the work of the first term. That is exact to first order in d for any
 * u, so that S - S0 falls like d^2 (and h^3), and the second term, which makes (A) hold, vanishes
 * with d. d.d weighs rotations with the extent of the model, at the centre of the nodes. Both rules
 * are the same when start and end are swapped, hence of second order, and the A_n of a site add up
 * to zero: momenta are preserved.
 *
 * Beams: the strains of this program's forms, at its stations; not the helicoidal ones of S0's
 * beam. Constants such as weight and dead forces act at Dbar, where their work is that of their
 * potential, by the second of (P). Non-holonomic rows A(q) v = 0 are P(Dbar)^T A(q_m)^T with the
 * row A(q_m)(q_f - q_i) = 0.
 */
#include "study/fixed_pole.h"

#include <string.h>

#include "base/error.h"

static const double OUTSIDE = 1e-9; /* of a gradient: what does not add up to zero */
static const double TINY = 1e-9; /* of the size of the model: relative motion below this is none */
const char *const TS_POLE_MAPS[] = {"exp", "cayley", NULL};

/* ---- life ---- */

typedef struct room {
    char *base; /* NULL: only measure */
    size_t used;
} room;

static void *piece(room *r, size_t bytes) {
    void *at = r->base ? r->base + r->used : NULL;
    r->used += (bytes + 15) / 16 * 16;
    return at;
}

static void lay_out(const ts_model *model, size_t head, room *r, ts_pole *p) {
    size_t nodes = (size_t)model->nodes_count, sites = (size_t)model->sites_count + 1,
           ambient = (size_t)(3 * model->slots) * sizeof(double),
           rows = ((size_t)model->rows_count + 1) * sizeof(double);
    piece(r, head);
    p->at = piece(r, nodes * sizeof *p->at), p->internal = piece(r, sites * sizeof(bool));
    for (int k = 0; k < 2; k++) {
        ts_screws *to = &p->to[k];
        to->v = piece(r, nodes * sizeof(v6));
        to->dq = piece(r, ambient), to->q = piece(r, ambient);
        to->q_m = piece(r, ambient), to->q_bar = piece(r, ambient);
    }
    p->W = piece(r, nodes * sizeof(v6)), p->Wj = piece(r, nodes * sizeof(v6));
    p->lambda = piece(r, rows), p->c = piece(r, rows), p->u = piece(r, nodes * sizeof(v6));
}

void *ts_pole_new(const ts_study *s, size_t head) {
    ts_pole measured;
    room r = {0};
    lay_out(s->st->model, head, &r, &measured);
    r = (room){ts_calloc(1, r.used), 0};
    ts_pole *p = (void *)r.base;
    lay_out(s->st->model, head, &r, p);
    p->cayley = ts_study_choice(s, "map") == 1;
    return p;
}

/* ---- gradients of the forms of a site ---- */

static int node_of(const ts_model *model, const ts_site *site, int k) {
    return model->site_nodes[site->node + k];
}

static void find_gradient(const ts_study *s, const ts_site *site, const double *q, ts_gradient *g) {
    const ts_model *model = s->st->model;
    double local[3 * TS_MAX_SLOTS], row[3 * TS_MAX_SLOTS], spread[3 * TS_MAX_SLOTS];
    ts_site_gather(model, site, q, local);
    for (int k = 0; k < site->forms; k++) {
        ts_form_row(model, site->form + k, site->role == TS_ROLE_RATES, site->slots, local, row);
        const double *B = ts_site_spread(model, site, row, spread);
        memcpy(g->B[k], B, (size_t)(3 * site->ambient) * sizeof *B);
    }
    g->first[0] = 0;
    for (int n = 0; n < site->nodes; n++)
        g->first[n + 1] = g->first[n] + model->nodes[node_of(model, site, n)].slots;
}

/* The wrench about `pole` of ambient forces on a node, acting at the place and along the directors
 * of `q`. */
static v6 wrench(const ts_study *s, int node, const double *q, const double *force, v3 pole) {
    const double *at = q + 3 * s->st->model->nodes[node].slot;
    v3 f = v3_load(force), arm = v3_sub(v3_load(at), pole);
    v3 moment = m3_moment(m3_load(at + 3), m3_load(force + 3));
    return v6_make(f, v3_add(moment, v3_cross(arm, f)));
}

static v6 wrench_of_form(const ts_study *s, const ts_site *site, const ts_gradient *g, int k, int n,
                         const double *q, v3 pole) {
    return wrench(s, node_of(s->st->model, site, n), q, g->B[k] + 3 * g->first[n], pole);
}

static v6 wrench_of_forms(const ts_study *s, const ts_site *site, const ts_gradient *g,
                          const double *weight, int n, const double *q, v3 pole) {
    double force[12] = {0};
    for (int k = 0; k < site->forms; k++)
        for (int i = 0; i < 12; i++) force[i] += weight[k] * g->B[k][3 * g->first[n] + i];
    return wrench(s, node_of(s->st->model, site, n), q, force, pole);
}

static v3 place(const ts_study *s, const double *q, int node) {
    return v3_load(q + 3 * s->st->model->nodes[node].slot);
}

static void take(double *W, int node, v6 w) {
    v6_store(W + 6 * node, v6_sub(v6_load(W + 6 * node), w));
}

/* ---- a step ---- */

/* How far the nodes are apart, the same in any frame. */
static double extent(const ts_study *s) {
    const ts_model *model = s->st->model;
    v3 sum = {0, 0, 0};
    double largest = 0;
    int count = 0;
    for (int n = 0; n < model->nodes_count; n++)
        if (ts_is_free(s, n)) sum = v3_add(sum, place(s, s->st->q_i, n)), count++;
    for (int n = 0; n < model->nodes_count; n++)
        if (ts_is_free(s, n))
            largest = fmax(largest, v3_norm(v3_axpy(-1.0 / count, sum, place(s, s->st->q_i, n))));
    return largest > 1e-6 * s->st->system->length ? largest : s->st->system->length;
}

static double size_of_gradient(const double *B, double length) {
    double size = length * v3_norm(v3_load(B));
    for (int k = 3; k < 12; k += 3) size += v3_norm(v3_load(B + k));
    return size;
}

/* A site is internal when no node of it is fixed and the gradient of each form adds up to
 * nothing. */
static bool is_internal(const ts_study *s, const ts_pole *p, const ts_site *site) {
    const ts_model *model = s->st->model;
    ts_gradient g;
    v3 pole = place(s, s->st->q_i, node_of(model, site, 0));
    find_gradient(s, site, s->st->q_i, &g);
    for (int k = 0; k < site->forms; k++) {
        v6 sum = v6_zero();
        double size = 0;
        for (int n = 0; n < site->nodes; n++) {
            if (!ts_is_free(s, node_of(model, site, n))) return false;
            sum = v6_add(sum, wrench_of_form(s, site, &g, k, n, s->st->q_i, pole));
            size += size_of_gradient(g.B[k] + 3 * g.first[n], p->length);
        }
        if (p->length * v3_norm(sum.v) + v3_norm(sum.w) > OUTSIDE * size) return false;
    }
    return true;
}

void ts_pole_begin(ts_study *s, ts_pole *p) {
    const ts_step *st = s->st;
    for (int n = 0; n < st->model->nodes_count; n++) {
        ts_pole_node *at = &p->at[n];
        at->H = ts_pose_of(s, st->q_i, n);
        at->w = v6_to_body(at->H.R, ts_twist_of(s, st->q_i, st->v_i, n));
        at->I = ts_inertia_of(&st->model->nodes[n]);
    }
    p->length = extent(s);
    for (int i = 0; i < st->model->sites_count; i++)
        p->internal[i] = !p->cayley && is_internal(s, p, &st->model->sites[i]);
}

v6 ts_pole_guess(const ts_study *s, const ts_pole *p, int n) {
    v6 step = v6_to_body(p->at[n].H.R, ts_guessed_step(s, n));
    if (p->cayley) return ts_se3_cayley_inverse(step.v, quat_exp(step.w));
    return v6_make(ts_so3_dexp_inverse(step.w, step.v), step.w);
}

/* Pose of the end and the mean Dbar, as affine maps from axes of the start. */
static pose end_of(const ts_pole *p, v6 v) { return p->cayley ? ts_se3_cayley(v) : ts_se3_exp(v); }

static pose mean_of(const ts_pole *p, v6 v) {
    if (!p->cayley) return ts_se3_exp_mean(v);
    pose D = ts_se3_cayley(v);
    return (pose){v3_scale(0.5, D.x), m3_scale(0.5, m3_add(m3_identity(), D.R))};
}

static void move_node(const ts_study *s, const ts_pole *p, int n, const ts_screws *to) {
    const ts_step *st = s->st;
    const ts_node *node = &st->model->nodes[n];
    const pose *H = &p->at[n].H;
    v6 v = to->v[n];
    pose mean = pose_mul(*H, mean_of(p, v));
    quat turn = p->cayley ? quat_cayley(m3_apply(H->R, v.w)) : quat_exp(m3_apply(H->R, v.w));
    int at = 3 * node->slot;
    v3_store(to->dq + at, m3_apply(H->R, end_of(p, v).x));
    for (int k = 1; k < 4; k++)
        v3_store(to->dq + at + 3 * k, quat_increment(turn, v3_load(st->q_i + at + 3 * k)));
    ts_put_pose(s, n, mean, to->q_bar);
}

void ts_pole_move(ts_study *s, const ts_pole *p, const double *x, int block, ts_screws *to) {
    const ts_step *st = s->st;
    size_t ambient = (size_t)(3 * st->model->slots);
    memset(to->dq, 0, ambient * sizeof(double));
    ts_put_fixed(s, to->q_bar, NULL);
    for (int n = 0; n < st->model->nodes_count; n++) {
        to->v[n] = ts_is_free(s, n) ? ts_load_block(s, x, block, n) : v6_zero();
        if (ts_is_free(s, n)) move_node(s, p, n, to);
    }
    for (size_t i = 0; i < ambient; i++) {
        to->q[i] = st->q_i[i] + to->dq[i];
        to->q_m[i] = st->q_i[i] + 0.5 * to->dq[i];
    }
}

/* ---- averages ---- */

/* Gradients, and with them the change of each form: B at the mean times the increment, exact for a
 * quadratic form. B at the mean is the mean of B. */
static void changes(const ts_study *s, const ts_site *site, const ts_screws *to, ts_average *a) {
    double dq[3 * TS_MAX_SLOTS];
    int size = 3 * site->ambient;
    ts_gather(s->st->model, site->node, site->nodes, to->dq, dq);
    find_gradient(s, site, a->middle ? to->q_m : s->st->q_i, &a->start);
    if (!a->middle) find_gradient(s, site, to->q, &a->end);
    for (int k = 0; k < site->forms; k++) {
        a->S[k] = ts_dot(size, a->start.B[k], dq);
        if (!a->middle) a->S[k] = 0.5 * (a->S[k] + ts_dot(size, a->end.B[k], dq));
    }
}

/* A screw about the node, in its axes, as one about `origin` in space axes. */
static v6 about(const ts_pole *p, int n, v6 v, v3 origin) {
    v6 u = v6_to_space(p->at[n].H.R, v);
    return v6_make(v3_add(u.v, v3_cross(u.w, v3_sub(origin, p->at[n].H.x))), u.w);
}

static void find_screws(const ts_study *s, const ts_pole *p, const ts_site *site, bool internal,
                        const ts_screws *to, ts_average *a) {
    const ts_model *model = s->st->model;
    int free_nodes = 0;
    a->origin = p->at[node_of(model, site, 0)].H.x, a->centre = v3_make(0, 0, 0);
    a->common = v6_zero();
    for (int k = 0; k < site->nodes; k++) {
        int n = node_of(model, site, k);
        a->v[k] = ts_is_free(s, n) ? about(p, n, to->v[n], a->origin) : v6_zero();
        if (internal) a->common = v6_axpy(1.0 / site->nodes, a->v[k], a->common);
        if (!ts_is_free(s, n)) continue;
        a->centre = v3_add(a->centre, place(s, to->q_m, n)), free_nodes++;
    }
    if (free_nodes) a->centre = v3_scale(1.0 / free_nodes, a->centre);
}

/* Motion relative to the common one, seen from the centre; and as a wrench, with which it does the
 * work d.d. */
static v6 relative(const ts_average *a, int k) {
    v6 d = v6_sub(a->v[k], a->common);
    return v6_make(v3_add(d.v, v3_cross(d.w, v3_sub(a->centre, a->origin))), d.w);
}

/* gap = S - S0, and what it is to be divided by */
static void find_gap(const ts_study *s, const ts_site *site, const ts_screws *to, double L,
                     ts_average *a) {
    double sum = TINY * TINY * L * L;
    v6 back = v6_scale(-1, a->common);
    memcpy(a->gap, a->S, sizeof a->gap);
    for (int n = 0; n < site->nodes; n++) {
        v6 d = relative(a, n), v_i = ts_se3_dexp(back, a->v[n]),
           v_f = ts_se3_dexp(a->common, a->v[n]);
        sum += v3_dot(d.v, d.v) + L * L * v3_dot(d.w, d.w);
        for (int k = 0; k < site->forms; k++) {
            v6 A_i = wrench_of_form(s, site, &a->start, k, n, s->st->q_i, a->origin);
            v6 A_f = wrench_of_form(s, site, &a->end, k, n, to->q, a->origin);
            a->gap[k] -= 0.5 * (v6_dot(A_i, v_i) + v6_dot(A_f, v_f));
        }
    }
    a->share = 1 / sum;
}

void ts_pole_average(const ts_study *s, const ts_pole *p, int i, const ts_screws *to,
                     ts_average *a) {
    const ts_site *site = &s->st->model->sites[i];
    a->middle = p->cayley || site->role == TS_ROLE_RATES;
    changes(s, site, to, a);
    if (a->middle) return;
    find_screws(s, p, site, p->internal[i], to, a);
    find_gap(s, site, to, a->length = p->length, a);
}

static void pull_middle(const ts_study *s, const ts_site *site, const ts_average *a,
                        const ts_screws *to, const double *weight, double *W) {
    for (int k = 0; k < site->nodes; k++) {
        int n = node_of(s->st->model, site, k);
        v3 pole = place(s, s->st->q_i, n);
        if (ts_is_free(s, n))
            take(W, n, wrench_of_forms(s, site, &a->start, weight, k, to->q_bar, pole));
    }
}

/* A wrench about the origin of the average, put about the node. */
static v6 at_node(const ts_average *a, v3 x, v6 w) {
    return v6_make(w.v, v3_add(w.w, v3_cross(v3_sub(a->origin, x), w.v)));
}

void ts_pole_pull(const ts_study *s, int i, const ts_average *a, const ts_screws *to,
                  const double *weight, double *W) {
    const ts_site *site = &s->st->model->sites[i];
    double L = a->length, share = 0;
    if (a->middle) {
        pull_middle(s, site, a, to, weight, W);
        return;
    }
    v6 back = v6_scale(-1, a->common);
    for (int k = 0; k < site->forms; k++) share += weight[k] * a->gap[k] * a->share;
    for (int k = 0; k < site->nodes; k++) {
        int n = node_of(s->st->model, site, k);
        if (!ts_is_free(s, n)) continue;
        v6 w_i = wrench_of_forms(s, site, &a->start, weight, k, s->st->q_i, a->origin);
        v6 w_f = wrench_of_forms(s, site, &a->end, weight, k, to->q, a->origin);
        v6 d = relative(a, k);
        v3 force = v3_scale(share, d.v), arm = v3_sub(a->centre, a->origin);
        v6 w = {force, v3_axpy(share * L * L, d.w, v3_cross(arm, force))};
        w = v6_axpy(0.5, ts_se3_dexp_transposed(back, w_i), w);
        w = v6_axpy(0.5, ts_se3_dexp_transposed(a->common, w_f), w);
        take(W, n, at_node(a, place(s, s->st->q_i, n), w));
    }
}

void ts_pole_pull_at_start(const ts_study *s, int i, const double *weight, double *W) {
    const ts_site *site = &s->st->model->sites[i];
    ts_gradient g;
    find_gradient(s, site, s->st->q_i, &g);
    for (int k = 0; k < site->nodes; k++) {
        int n = node_of(s->st->model, site, k);
        v3 pole = place(s, s->st->q_i, n);
        if (ts_is_free(s, n)) take(W, n, wrench_of_forms(s, site, &g, weight, k, s->st->q_i, pole));
    }
}

void ts_pole_rates_at_start(const ts_study *s, int i, const v6 *u, double *rate) {
    const ts_site *site = &s->st->model->sites[i];
    ts_gradient g;
    find_gradient(s, site, s->st->q_i, &g);
    for (int k = 0; k < site->forms; k++) {
        rate[k] = 0;
        for (int m = 0; m < site->nodes; m++) {
            int n = node_of(s->st->model, site, m);
            if (!ts_is_free(s, n)) continue;
            pose H = ts_pose_of(s, s->st->q_i, n);
            rate[k] +=
                v6_dot(wrench_of_form(s, site, &g, k, m, s->st->q_i, H.x), v6_to_space(H.R, u[n]));
        }
    }
}

/* ---- weights of forms ---- */

static void end_values(const ts_study *s, const ts_site *site, const double *S, double *e) {
    for (int k = 0; k < site->forms; k++) e[k] = s->st->e_i[site->form + k] + (S ? S[k] : 0);
}

void ts_pole_row_weights(const ts_study *s, const ts_site *site, const double *S,
                         const double *lambda, double *weight) {
    for (int k = 0; k < site->forms; k++) weight[k] = lambda[site->row + (site->rowlaw ? 0 : k)];
    if (!site->rowlaw) return;
    double e[TS_MAX_FORMS];
    ts_row_response r;
    end_values(s, site, S, e);
    ts_respond_row(s->st, site, e, &r);
    for (int k = 0; k < site->forms; k++) weight[k] *= S ? r.g[k] : r.y_i[k];
}

void ts_pole_respond(const ts_study *s, const ts_site *site, const double *S, ts_response *out) {
    double e[TS_MAX_FORMS];
    end_values(s, site, S, e);
    ts_respond(s->st, site, e, out);
}

/* ---- loads, balance, rows ---- */

static void add(const ts_study *s, int n, const ts_screws *to, v3 body_point, v3 force, double *W) {
    const double *at = to->q_bar + 3 * s->st->model->nodes[n].slot;
    v3 x = v3_add(v3_load(at), m3_apply(m3_load(at + 3), body_point));
    v3 arm = v3_sub(x, place(s, s->st->q_i, n));
    v6_store(W + 6 * n, v6_add(v6_load(W + 6 * n), v6_make(force, v3_cross(arm, force))));
}

void ts_pole_loads(const ts_study *s, const ts_screws *to, double mean, double change, double *W) {
    for (int i = 0; i < s->st->model->loads_count; i++) {
        const ts_load *load = &s->st->model->loads[i];
        const ts_load_step *over = &s->st->load[i];
        v3 f = v3_axpy(mean, over->mean, v3_scale(change, over->change));
        if (load->follower) f = m3_apply(ts_pose_of(s, to->q_bar, load->node).R, f);
        double *moment = W + 6 * load->node + 3;
        if (load->moment)
            v3_store(moment, v3_add(f, v3_load(moment)));
        else
            add(s, load->node, to, load->point, f, W);
    }
}

void ts_pole_gravity(const ts_study *s, const ts_screws *to, double *W) {
    const ts_model *model = s->st->model;
    for (int n = 0; n < model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        ts_inertia I = ts_inertia_of(&model->nodes[n]);
        add(s, n, to, I.c, v3_scale(I.m, model->gravity), W);
    }
}

double ts_pole_work(const ts_study *s, const ts_pole *p, const ts_screws *to, const double *W) {
    double work = 0;
    for (int n = 0; n < s->st->model->nodes_count; n++)
        if (ts_is_free(s, n))
            work += v6_dot(v6_load(W + 6 * n), v6_to_space(p->at[n].H.R, to->v[n]));
    return work;
}

v6 ts_pole_balance(const ts_study *s, const ts_pole *p, int n, const ts_screws *to, v6 w,
                   const double *W) {
    const ts_pole_node *at = &p->at[n];
    v6 momentum = ts_se3_Ad_dual(end_of(p, to->v[n]), ts_inertia_times(&at->I, w));
    v6 change = v6_sub(momentum, ts_inertia_times(&at->I, at->w));
    return v6_axpy(1 / s->st->h, change, v6_scale(-1, v6_to_body(at->H.R, v6_load(W + 6 * n))));
}

void ts_pole_rows(ts_study *s, const ts_pole *p, const ts_screws *to, double t, double *c) {
    const ts_model *model = s->st->model;
    ts_rows_at(s, t, to->q, to->dq, c);
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        ts_average a;
        if (site->role != TS_ROLE_RATES) continue;
        ts_pole_average(s, p, i, to, &a);
        for (int k = 0; k < site->rows; k++) {
            int r = site->row + k;
            c[r] = a.S[k] - 0.5 * s->st->h * (s->st->u_i[r] + s->st->u_f[r]);
        }
    }
}

/* The rate of a drive. The signal of a non-holonomic row is a rate itself. */
double ts_pole_drive_rate(const ts_study *s, int row) {
    const ts_model *model = s->st->model;
    double rate, u = ts_study_signal(s, row, s->st->t_i, &rate);
    return model->sites[model->rows[row].site].role == TS_ROLE_RATES ? u : rate;
}

void ts_pole_store_twist(const ts_study *s, const ts_screws *to, int n, v6 w, double *v) {
    ts_put_twist(s, n, to->q, v6_to_space(ts_pose_of(s, to->q, n).R, w), v);
}
