/* SPDX-License-Identifier: Apache-2.0 */
/* Scheme 3 of S3: O. A. Bauchau, C. L. Bottasso, CMAME 169 (1999) 61, section 6.1, after Bottasso
 * and Borri: the fixed pole, with any of the rotation parameters of Table 1 extended to poses
 * (rotation_parameters.h).
 *
 * V* is the twist of a node in its own axes, C* its configuration tensor, C = Ad(x, R); wrenches G
 * and momenta are about a fixed pole. nu = (rho, p) = h C_m (V_i + V_f)/2 is the increment of the
 * node seen from the pole:
 *
 *     C_f = D(nu) C_i ,  that is  R_f = R[p] R_i ,  x_f - x_i = H[p] (rho + p x x_i)  (60,61,64)
 *     C_f^-T M* V_f - C_i^-T M* V_i = h G                                                      (54)
 *     c(q_f) = 0
 *
 * As D(nu) nu = nu, inertia forces do the work of (59) for any G. What S3 gives as G of a beam
 * is tied to its own strain at Gauss points, which is integrated in time (66), (67), must be
 * stored, and depends on the path; and the printed (69) is off (R L should be R^T L). Here G comes
 * from torsor's forms, for beams, joints and springs alike, with what (68) and (91) ask for: the
 * forces of one element or joint have a sum of zero about the pole, and their work is the change of
 * its energy. With G(q) the wrenches of the forms' gradients times stress or multiplier, nu_a the
 * mean of the nu of its nodes, d = nu - nu_a:
 *
 *     G0 = [Hd(-nu_a)^T G(q_i) + Hd(nu_a)^T G(q_f)]/2
 *     G  = G0 + d^ [s.(e_f - e_i) - sum G0.nu] / sum d^.d
 *
 * The operators Hd move wrenches of both ends to where nu works on them: G0 is right to third order
 * in d, for any motion that the nodes have in common. What remains is made up along d; d^ is d with
 * rotations times a length squared, the length being that of the model, about the mean of the free
 * nodes at mid-step. Gravity and loads of a node are written in this way, too, as against a fixed
 * partner. With Hd = 1 or one end only, the scheme would be of first order.
 *
 * Preserves energy, linear and angular momentum, and constraints, with every rotation parameter.
 * The point that stands for a free body does not matter, to round-off; with joints and beams it
 * does in d^, that is, in the third order term alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/rotation_choice.h"

/* Increments of nodes that differ by less, over the length of the model, differ by round-off. */
static const double REST = 1e-8;

typedef struct scheme_3 {
    const ts_rotation_parameters *rotation;
    double length;           /* of the model, the same in all axes */
    double *W_i, *W_f, *W_m; /* of gravity and loads, at both ends and at mean directors */
    double *wrench;          /* about x_i */
    v6 nu[];                 /* per node, about x_i */
} scheme_3;

/* Radius of the nodes as drawn, and the largest radius of gyration. */
static double length_of(const ts_study *s) {
    const ts_model *model = s->st->model;
    v3 centre = {0, 0, 0};
    double count = 0, spread = 0, gyration = 0;
    for (int n = 0; n < model->nodes_count; n++)
        if (ts_is_free(s, n)) centre = v3_add(centre, model->nodes[n].x), count++;
    for (int n = 0; n < model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        v3 arm = v3_axpy(-1 / count, centre, model->nodes[n].x);
        ts_inertia I = ts_inertia_of(&model->nodes[n]);
        spread += v3_dot(arm, arm) / count;
        if (I.m > 0) gyration = fmax(gyration, (I.J.c[0].x + I.J.c[1].y + I.J.c[2].z) / (2 * I.m));
    }
    return spread + gyration > 0 ? sqrt(spread + gyration) : 1;
}

static int start(ts_study *s) {
    size_t nodes = (size_t)s->st->model->nodes_count, six = 6 * nodes;
    scheme_3 *f = s->own = ts_calloc(1, sizeof *f + nodes * sizeof(v6) + 4 * six * sizeof(double));
    f->rotation = ts_study_rotation(s, "rotation_vector"), f->length = length_of(s);
    f->W_i = (double *)(f->nu + nodes), f->W_f = f->W_i + six, f->W_m = f->W_f + six;
    f->wrench = f->W_m + six;
    return 0;
}

/* To another pole, which stands at `arm` from the present one. */
static v6 twist_at(v3 arm, v6 a) { return v6_make(v3_sub(a.v, v3_cross(arm, a.w)), a.w); }
static v6 wrench_at(v3 arm, v6 f) { return v6_make(f.v, v3_sub(f.w, v3_cross(arm, f.v))); }

/* ---- kinematics ---- */

static void refresh_node(ts_study *s, int n, v6 step) {
    scheme_3 *f = s->own;
    ts_step *st = s->st;
    ts_put_step(s, n, step.v, quat_exp(step.w));
    v3 p = ts_parameters_of(f->rotation, step.w);
    v3 rho = m3_tapply(m3_invt(ts_parameters_H(f->rotation, p)), step.v);
    f->nu[n] = v6_make(rho, p);
    m3 a_i = ts_pose_of(s, st->q_i, n).R, a_f = ts_pose_of(s, st->q_f, n).R;
    v6 V_i = v6_to_body(a_i, ts_twist_of(s, st->q_i, st->v_i, n));
    v6 V_f = v6_axpy(2 / st->h, v6_to_body(a_i, f->nu[n]), v6_scale(-1, V_i));
    ts_put_twist(s, n, st->q_f, v6_to_space(a_f, V_f), st->v_f);
}

/* ---- wrenches of a group of nodes: those of a site, or one node and a fixed partner ---- */

typedef struct group {
    int nodes, node[TS_MAX_NODES]; /* -1: fixed */
    v3 pole;
    v6 G_i[TS_MAX_NODES], G_f[TS_MAX_NODES]; /* about the pole */
    double work;
} group;

static v3 position(const ts_study *s, const double *q, int n) {
    return v3_load(q + 3 * s->st->model->nodes[n].slot);
}

static v6 increment(const ts_study *s, const group *g, int i) {
    const scheme_3 *f = s->own;
    int n = g->node[i];
    return n < 0 ? v6_zero() : twist_at(v3_sub(g->pole, position(s, s->st->q_i, n)), f->nu[n]);
}

static v6 scaled(const ts_study *s, v6 d) {
    const scheme_3 *f = s->own;
    return v6_make(d.v, v3_scale(f->length * f->length, d.w));
}

/* Adds G of the group to the wrenches of its nodes. */
static void share(ts_study *s, const group *g) {
    scheme_3 *f = s->own;
    v6 nu[TS_MAX_NODES], G[TS_MAX_NODES], common = v6_zero();
    double missing = g->work, size = 0;
    for (int i = 0; i < g->nodes; i++)
        nu[i] = increment(s, g, i), common = v6_axpy(1.0 / g->nodes, nu[i], common);
    for (int i = 0; i < g->nodes; i++) {
        v6 from_i = ts_parameters_Hd_transposed(f->rotation, v6_scale(-1, common), g->G_i[i]);
        v6 from_f = ts_parameters_Hd_transposed(f->rotation, common, g->G_f[i]);
        G[i] = v6_scale(0.5, v6_add(from_i, from_f));
        v6 d = v6_sub(nu[i], common);
        missing -= v6_dot(G[i], d); /* their sum is zero */
        size += v6_dot(d, scaled(s, d));
    }
    double factor = missing / (size + REST * REST * f->length * f->length);
    for (int i = 0; i < g->nodes; i++) {
        int n = g->node[i];
        if (n < 0) continue;
        v6 total = v6_axpy(factor, scaled(s, v6_sub(nu[i], common)), G[i]);
        v3 arm = v3_sub(position(s, s->st->q_i, n), g->pole);
        v6_store(f->wrench + 6 * n, v6_add(v6_load(f->wrench + 6 * n), wrench_at(arm, total)));
    }
}

/* ---- sites ---- */

/* sum of weight times gradient at q, negative: the force on each slot */
static void site_force(const ts_study *s, const ts_site *site, const double *weight,
                       const double *q, double *out) {
    const ts_model *model = s->st->model;
    double local[3 * TS_MAX_SLOTS], row[3 * TS_MAX_SLOTS], room[3 * TS_MAX_SLOTS];
    ts_site_gather(model, site, q, local);
    memset(out, 0, sizeof local);
    for (int k = 0; k < site->forms; k++) {
        ts_form_gradient(model, site->form + k, site->slots, local, row);
        const double *B = ts_site_spread(model, site, row, room);
        for (int i = 0; i < 3 * site->ambient; i++) out[i] -= weight[k] * B[i];
    }
}

static v6 wrench_of(const ts_study *s, int n, const double *q, const double *force, v3 pole) {
    v6 w = {v3_load(force), {0, 0, 0}};
    w.w = m3_moment(m3_load(q + 3 * s->st->model->nodes[n].slot + 3), m3_load(force + 3));
    return wrench_at(v3_sub(pole, position(s, q, n)), w);
}

static bool find_pole(const ts_study *s, const ts_site *site, group *g) {
    int count = 0;
    g->nodes = site->nodes, g->pole = v3_make(0, 0, 0);
    for (int i = 0; i < site->nodes; i++) {
        int n = s->st->model->site_nodes[site->node + i];
        g->node[i] = ts_is_free(s, n) ? n : -1;
        if (g->node[i] < 0) continue;
        g->pole = v3_add(g->pole, position(s, s->st->q_m, n)), count++;
    }
    if (count > 0) g->pole = v3_scale(1.0 / count, g->pole);
    return count > 0;
}

static void add_site(ts_study *s, const ts_site *site) {
    const ts_step *st = s->st;
    double weight[TS_MAX_FORMS], F_i[3 * TS_MAX_SLOTS], F_f[3 * TS_MAX_SLOTS], dq[3 * TS_MAX_SLOTS];
    group g;
    if (!find_pole(s, site, &g)) return;
    ts_interval step = {st->t_i, st->t_f, st->q_i, st->q_f};
    ts_site_weights_between(s, site, step, st->lambda, weight, NULL);
    site_force(s, site, weight, st->q_i, F_i), site_force(s, site, weight, st->q_f, F_f);
    ts_gather(st->model, site->node, site->nodes, st->dq, dq);
    g.work = 0; /* by (D): gradients are linear, that at the mean is the mean of both */
    for (int i = 0; i < 3 * site->ambient; i++) g.work += 0.5 * (F_i[i] + F_f[i]) * dq[i];
    for (int i = 0, at = 0; i < site->nodes; i++) {
        int n = st->model->site_nodes[site->node + i];
        g.G_i[i] = wrench_of(s, n, st->q_i, F_i + at, g.pole);
        g.G_f[i] = wrench_of(s, n, st->q_f, F_f + at, g.pole);
        at += 3 * st->model->nodes[n].slots;
    }
    share(s, &g);
}

/* ---- gravity and loads ---- */

static void load_wrenches(ts_study *s, const double *q, double *W) {
    memset(W, 0, (size_t)(6 * s->st->model->nodes_count) * sizeof(double));
    ts_add_mean_loads(s, q, W), ts_add_gravity(s, q, W);
}

/* The pole is the mass centre at mid-step: it does not depend on the point that stands for the
 * body. */
static void add_loads(ts_study *s, int n) {
    scheme_3 *f = s->own;
    const ts_step *st = s->st;
    ts_inertia I = ts_inertia_of(&st->model->nodes[n]);
    pose mean = ts_pose_of(s, st->q_m, n);
    group g = {.nodes = 2, .node = {n, -1}, .pole = v3_add(mean.x, m3_apply(mean.R, I.c))};
    v3 x_i = position(s, st->q_i, n), x_f = position(s, st->q_f, n);
    g.G_i[0] = wrench_at(v3_sub(g.pole, x_i), v6_load(f->W_i + 6 * n));
    g.G_f[0] = wrench_at(v3_sub(g.pole, x_f), v6_load(f->W_f + 6 * n));
    g.G_i[1] = v6_scale(-1, g.G_i[0]), g.G_f[1] = v6_scale(-1, g.G_f[0]);
    v3 cayley = v3_scale(ts_parameters_eps(f->rotation, f->nu[n].w), f->nu[n].w);
    v6 step = {v3_load(st->dq + 3 * st->model->nodes[n].slot), cayley};
    g.work = v6_dot(v6_load(f->W_m + 6 * n), step);
    share(s, &g);
}

/* ---- the step ---- */

/* Momentum about x_i: (P, h + (x - x_i) x P), space axes */
static v6 momentum(const ts_study *s, int n, const double *q, const double *v) {
    ts_inertia I = ts_inertia_of(&s->st->model->nodes[n]);
    pose H = ts_pose_of(s, q, n);
    v6 P = v6_to_space(H.R, ts_inertia_times(&I, v6_to_body(H.R, ts_twist_of(s, q, v, n))));
    return wrench_at(v3_sub(position(s, s->st->q_i, n), H.x), P);
}

static void residual(ts_study *s, const double *x, double *R) {
    scheme_3 *f = s->own;
    ts_step *st = s->st;
    const ts_model *model = st->model;
    ts_refresh_step(s, x, refresh_node);
    memset(f->wrench, 0, (size_t)(6 * model->nodes_count) * sizeof(double));
    for (int i = 0; i < model->sites_count; i++) add_site(s, &model->sites[i]);
    load_wrenches(s, st->q_i, f->W_i), load_wrenches(s, st->q_f, f->W_f);
    load_wrenches(s, st->q_m, f->W_m);
    for (int n = 0; n < model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        add_loads(s, n);
        v6 change = v6_sub(momentum(s, n, st->q_f, st->v_f), momentum(s, n, st->q_i, st->v_i));
        ts_store_block(s, R, 0, n, v6_sub(v6_scale(1 / st->h, change), v6_load(f->wrench + 6 * n)));
    }
    ts_rows_at(s, st->t_f, st->q_f, st->v_f, s->c);
    ts_store_rows(s, R, 0, s->c);
}

static void finish(ts_study *s, const double *x, ts_exchange *out) {
    ts_refresh_step(s, x, refresh_node);
    ts_study_works(s, out);
}

static const ts_scheme_parameter PARAMETERS[] = {TS_ROTATION_PARAMETER("rotation_vector"), {0}};

static const ts_study_scheme STUDY = {.start = start,
                                      .residual = residual,
                                      .finish = finish,
                                      .no_rates = true,
                                      .no_points = true,
                                      .keeps = "energy, linear and angular momentum, constraints",
                                      .source = "S3 section 6.1"};

const ts_scheme TS_SCHEME_S3_3 = {
    .name = "S3-3",
    .help = "Scheme 3 of Bauchau and Bottasso: the fixed pole, energy and momenta preserving.",
    TS_STUDY(STUDY),
    .parameters = PARAMETERS};
