/* SPDX-License-Identifier: Apache-2.0 */
/* Rows, inertia and the least-change step of the initial assembly. See assembler.h. */
#include "analysis/assembler.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "laws/angle.h"
#include "math/rotation.h"

enum { MAX_COLUMNS = 6 * TS_MAX_NODES };

static int dofs_of(const ts_node *node) { return node->slots > 1 ? 6 : 3; }

static void find_light(ts_assembler *as);

/* ---- life ---- */

/* Arm of a node, its distance from its joints: the lever that makes its rotations comparable with
 * lengths. */
static void find_arms(ts_assembler *as) {
    const ts_model *model = as->model;
    for (int p = 0; p < model->parts_count; p++) {
        const ts_part *part = &model->parts[p];
        if (part->sites == 0) continue;
        if (part->nodeA >= 0)
            as->arm[part->nodeA] = fmax(as->arm[part->nodeA], v3_norm(part->pointA));
        if (part->nodeB >= 0)
            as->arm[part->nodeB] = fmax(as->arm[part->nodeB], v3_norm(part->pointB));
    }
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        double m = node->mass[0][0], E = node->mass[1][1] + node->mass[2][2] + node->mass[3][3];
        double *arm = &as->arm[n];
        if (node->slots > 1 && m > 0 && E > 0) *arm = fmax(*arm, sqrt(E / m));
        if (!(*arm > 1e-6 * as->system->length)) *arm = as->system->length;
    }
}

static double mean_mass(const ts_model *model) {
    double sum = 0;
    int count = 0;
    for (int n = 0; n < model->nodes_count; n++) {
        double m = model->nodes[n].mass[0][0];
        if (!model->nodes[n].fixed && m > 0) sum += m, count++;
    }
    return count ? sum / count : 1;
}

static void find_columns(ts_assembler *as) {
    const ts_model *model = as->model;
    int entries = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass) as->column = ts_calloc((size_t)entries + 1, sizeof(int));
        entries = 0;
        for (int r = 0; r < as->m; r++) {
            const ts_site *site = &model->sites[model->rows[r].site];
            as->start[r] = entries;
            for (int i = 0; i < site->nodes; i++) {
                int node = model->site_nodes[site->node + i];
                if (as->dof[node] < 0) continue;
                for (int k = 0; k < dofs_of(&model->nodes[node]); k++, entries++)
                    if (pass) as->column[entries] = as->dof[node] + k;
            }
        }
    }
    as->start[as->m] = entries;
    as->value = ts_calloc((size_t)entries + 1, sizeof(double));
}

/* Elements: one per row [0 C^T; C -mu], one per node. */
static void find_pattern(ts_assembler *as) {
    bool mask[(MAX_COLUMNS + 1) * (MAX_COLUMNS + 1)];
    int eq[MAX_COLUMNS + 1];
    as->A = ts_sparse_new(as->n + as->m);
    for (int r = 0; r < as->m; r++) {
        int width = as->start[r + 1] - as->start[r];
        for (int k = 0; k < width; k++) eq[k] = as->column[as->start[r] + k];
        eq[width] = as->n + r;
        memset(mask, 0, (size_t)((width + 1) * (width + 1)) * sizeof *mask);
        for (int k = 0; k <= width; k++)
            mask[k * (width + 1) + width] = mask[width * (width + 1) + k] = true;
        ts_sparse_element(as->A, width + 1, eq, mask);
    }
    memset(mask, 1, sizeof mask);
    for (int i = 0; i < as->model->nodes_count; i++) {
        if (as->dof[i] < 0) continue;
        int nd = dofs_of(&as->model->nodes[i]);
        for (int k = 0; k < nd; k++) eq[k] = as->dof[i] + k;
        ts_sparse_element(as->A, nd, eq, mask);
    }
    ts_sparse_build(as->A);
    as->lu = ts_lu_new(as->A, 0, NULL);
}

static double *copy(const double *from, size_t count) {
    double *to = ts_calloc(count + 1, sizeof *to);
    if (count) memcpy(to, from, count * sizeof *to);
    return to;
}

static void forms_of(const ts_assembler *as, const ts_site *site, double *e) {
    ts_site_values(as->model, site, as->q, e);
}

static ts_law_step step_to(const ts_assembler *as, const ts_site *site, const double *e_i,
                           const double *e_f) {
    return ts_site_over(as->model, site, ts_assembler_past(as), e_i, e_f, as->t, as->t + 1e-9);
}

/* A drive of an angle uses the turn nearest to the pose as drawn: 720 deg is reached without two
 * turns. */
static void nearest_turn(ts_assembler *as, const ts_site *site) {
    const double tau = 6.283185307179586476925287;
    int signal = as->model->rows[site->row].signal;
    if (site->rowlaw != &TS_ANGLE_ROW || site->forms != 2 || signal < 0) return;
    double rate, factor = as->model->numbers[site->data], *angle = as->memory + site->memory;
    double u = ts_row_signal(as->model, site->row, ts_assembler_when(as, as->t), &rate);
    *angle += tau * round((u / factor - *angle) / tau);
}

static void begin_rowlaws(ts_assembler *as) {
    for (int i = 0; i < as->model->sites_count; i++) {
        const ts_site *site = &as->model->sites[i];
        if (!site->rowlaw) continue;
        forms_of(as, site, as->e + site->form);
        nearest_turn(as, site);
    }
}

ts_assembler *ts_assembler_new(const ts_system *system) {
    const ts_model *model = system->model;
    ts_assembler *as = ts_calloc(1, sizeof *as);
    size_t ambient = (size_t)(3 * model->slots), rows = (size_t)model->rows_count + 1;
    size_t nodes = (size_t)model->nodes_count + 1;
    as->system = system, as->model = model, as->m = model->rows_count, as->t = system->state.t;
    as->dof = ts_calloc(nodes, sizeof(int));
    as->arm = ts_calloc(nodes, sizeof(double));
    as->light = ts_calloc(nodes, sizeof(double));
    as->W = ts_calloc(36 * nodes, sizeof(double));
    for (int n = 0; n < model->nodes_count; n++) {
        as->dof[n] = model->nodes[n].fixed ? -1 : as->n;
        if (!model->nodes[n].fixed) as->n += dofs_of(&model->nodes[n]);
    }
    find_arms(as);
    as->mean_mass = mean_mass(model);
    as->q = copy(system->state.q, ambient), as->q0 = copy(system->state.q, ambient);
    as->memory = copy(system->state.memory, (size_t)model->memory);
    as->e = ts_calloc((size_t)model->forms_count + 1, sizeof(double));
    double **per_row[] = {&as->c, &as->drift, &as->scale, &as->magnitude, &as->compliance};
    for (size_t i = 0; i < sizeof per_row / sizeof *per_row; i++)
        *per_row[i] = ts_calloc(rows, sizeof(double));
    as->use = ts_calloc(rows, sizeof(bool));
    for (int r = 0; r < as->m; r++) as->use[r] = !model->rows[r].off;
    as->start = ts_calloc(rows, sizeof(int));
    find_columns(as);
    find_light(as);
    begin_rowlaws(as);
    ts_assembler_rows(as);
    return as;
}

void ts_assembler_free(ts_assembler *as) {
    if (!as) return;
    void *arrays[] = {as->dof,   as->arm,   as->q,     as->q0,     as->memory,    as->e,
                      as->start, as->value, as->c,     as->drift,  as->scale,     as->magnitude,
                      as->use,   as->W,     as->light, as->column, as->compliance};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    ts_sparse_free(as->A);
    ts_lu_free(as->lu);
    free(as);
}

/* ---- inertia ---- */

void ts_assembler_norm(const ts_assembler *as, int n, double *mass, double *inertia) {
    double own = as->model->nodes[n].mass[0][0];
    *mass = own > 0 ? own : as->mean_mass;
    *inertia = *mass * as->arm[n] * as->arm[n];
}

/* W = P^T M P; director blocks through X_k = -skew(d_k). */
static void add_inertia(const double *q, int slots, const double mass[4][4], int width, double *W) {
    m3 X[4] = {m3_identity()};
    for (int k = 1; k < slots; k++) X[k] = m3_skew(v3_scale(-1, v3_load(q + 3 * k)));
    for (int a = 0; a < slots; a++)
        for (int b = 0; b < slots; b++) {
            if (mass[a][b] == 0) continue;
            m3 block = m3_tmul(X[a], X[b]);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    W[((a ? 3 : 0) + i) * width + (b ? 3 : 0) + j] +=
                        mass[a][b] * v3_get(block.c[j], i);
        }
}

/* Rotation about a director moves nothing: any inertia regularises it. */
static void hold_about_director(const double *d, double inertia, double *W) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) W[(3 + i) * 6 + 3 + j] += inertia * d[i] * d[j];
}

void ts_assembler_node_inertia(const ts_assembler *as, int n, double light, double *W) {
    const ts_node *node = &as->model->nodes[n];
    int nd = dofs_of(node);
    double mass, inertia;
    ts_assembler_norm(as, n, &mass, &inertia);
    memset(W, 0, 36 * sizeof *W);
    add_inertia(as->q + 3 * node->slot, node->slots, node->mass, nd, W);
    if (node->kind == TS_NODE_DIRECTOR) hold_about_director(as->q + 3 * node->slot + 3, inertia, W);
    for (int i = 0; i < nd; i++) W[i * nd + i] += light * (i < 3 ? mass : inertia);
}

/* Cholesky, in place; g W^-1 g^T = |L^-1 g|^2. Returns the least pivot relative to its norm. */
static double cholesky(int n, const double *norm, double *L) {
    double least = DBL_MAX;
    for (int j = 0; j < n; j++) {
        double d = L[j * n + j];
        for (int k = 0; k < j; k++) d -= L[j * n + k] * L[j * n + k];
        double root = sqrt(fmax(d, DBL_MIN));
        least = fmin(least, d / norm[j < 3 ? 0 : 1]);
        L[j * n + j] = root;
        for (int i = j + 1; i < n; i++) {
            double s = L[i * n + j];
            for (int k = 0; k < j; k++) s -= L[i * n + k] * L[j * n + k];
            L[i * n + j] = s / root;
        }
    }
    return least;
}

/* Massless directions get a millionth of the node's norm, so that a change of least mass is
 * defined. */
static void find_light(ts_assembler *as) {
    double W[36], norm[2];
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        ts_assembler_node_inertia(as, n, 0, W);
        ts_assembler_norm(as, n, &norm[0], &norm[1]);
        as->light[n] = cholesky(dofs_of(&as->model->nodes[n]), norm, W) < 1e-10 ? 1e-6 : 0;
    }
}

static double inverse_norm(int n, const double *L, const double *g) {
    double y[6], sum = 0;
    for (int i = 0; i < n; i++) {
        y[i] = g[i];
        for (int k = 0; k < i; k++) y[i] -= L[i * n + k] * y[k];
        y[i] /= L[i * n + i];
        sum += y[i] * y[i];
    }
    return sum;
}

static void compliances(ts_assembler *as) {
    const ts_model *model = as->model;
    double *L = ts_calloc(36 * (size_t)model->nodes_count, sizeof *L);
    for (int n = 0; n < model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        double norm[2];
        ts_assembler_norm(as, n, &norm[0], &norm[1]);
        ts_assembler_node_inertia(as, n, as->light[n], as->W + 36 * n);
        memcpy(L + 36 * n, as->W + 36 * n, 36 * sizeof *L);
        cholesky(dofs_of(&model->nodes[n]), norm, L + 36 * n);
    }
    for (int r = 0; r < as->m; r++) {
        const ts_site *site = &model->sites[model->rows[r].site];
        const double *g = as->value + as->start[r];
        as->compliance[r] = 0;
        for (int i = 0; i < site->nodes; i++) {
            int node = model->site_nodes[site->node + i], nd = dofs_of(&model->nodes[node]);
            if (as->dof[node] < 0) continue;
            as->compliance[r] += inverse_norm(nd, L + 36 * node, g);
            g += nd;
        }
    }
    free(L);
}

/* ---- rows ---- */

typedef struct site_rows {
    double q[3 * TS_MAX_SLOTS];
    double B[TS_MAX_FORMS][3 * TS_MAX_SLOTS]; /* ambient gradient of each row */
    double y[TS_MAX_FORMS];
} site_rows;

static void function_row(const ts_assembler *as, const ts_site *site, site_rows *x) {
    double e[TS_MAX_FORMS], row[3 * TS_MAX_SLOTS] = {0};
    ts_row_response value, slope;
    forms_of(as, site, e);
    ts_law_step there = step_to(as, site, as->e + site->form, e), here = step_to(as, site, e, e);
    site->rowlaw->respond(&there, &value);
    site->rowlaw->respond(&here, &slope); /* its discrete gradient is then the gradient */
    for (int k = 0; k < site->forms; k++)
        for (int i = 0; i < 3 * site->ambient; i++) row[i] += slope.g[k] * x->B[k][i];
    memcpy(x->B[0], row, sizeof row);
    x->y[0] = value.y;
}

static void evaluate_site(const ts_assembler *as, const ts_site *site, site_rows *x) {
    const ts_model *model = as->model;
    double z[3 * TS_MAX_SLOTS], row[3 * TS_MAX_SLOTS], room[3 * TS_MAX_SLOTS];
    ts_gather(model, site->node, site->nodes, as->q, x->q);
    ts_site_gather(model, site, as->q, z);
    for (int k = 0; k < site->forms; k++) {
        bool rate = site->role == TS_ROLE_RATES;
        if (rate)
            ts_rate_gradient(model, site->form + k, site->slots, z, row);
        else
            ts_form_gradient(model, site->form + k, site->slots, z, row);
        const double *B = ts_site_spread(model, site, row, room);
        memcpy(x->B[k], B, (size_t)(3 * site->ambient) * sizeof *B);
        x->y[k] = rate ? 0 : ts_form_value(model, site->form + k, z);
    }
    if (site->rowlaw) function_row(as, site, x);
}

/* Row r of C from its ambient gradient: force part and moment part of each node. */
static void project_row(ts_assembler *as, int r, const ts_site *site, const double *q,
                        const double *B) {
    const ts_model *model = as->model;
    double *to = as->value + as->start[r], size = 0, magnitude = 0;
    for (int i = 0, s = 0; i < site->nodes; i++) {
        int n = model->site_nodes[site->node + i];
        const ts_node *node = &model->nodes[n];
        v3 force = v3_load(B + 3 * s), moment = {0, 0, 0};
        for (int k = 0; k < node->slots; k++, s++) {
            v3 b = v3_load(B + 3 * s), d = v3_load(q + 3 * s);
            if (k) moment = v3_add(moment, v3_cross(d, b));
            magnitude += v3_norm(b) * v3_norm(d);
        }
        size += v3_norm(force) * as->arm[n] + v3_norm(moment);
        if (as->dof[n] < 0) continue;
        v3_store(to, force);
        if (node->slots > 1) v3_store(to + 3, moment);
        to += dofs_of(node);
    }
    as->scale[r] = size > 0 ? size : 1;
    as->magnitude[r] = magnitude;
}

void ts_assembler_rows(ts_assembler *as) {
    const ts_model *model = as->model;
    site_rows x;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        if (site->rows == 0) continue;
        evaluate_site(as, site, &x);
        for (int k = 0; k < site->rows; k++) {
            int r = site->row + k;
            double rate, u = ts_row_signal(model, r, ts_assembler_when(as, as->t), &rate);
            project_row(as, r, site, x.q, x.B[k]);
            as->c[r] = x.y[k] - u, as->drift[r] = -rate;
            as->magnitude[r] += fabs(u);
        }
    }
    compliances(as);
}

void ts_assembler_accept(ts_assembler *as) {
    double e[TS_MAX_FORMS];
    for (int i = 0; i < as->model->sites_count; i++) {
        const ts_site *site = &as->model->sites[i];
        if (!site->rowlaw) continue;
        forms_of(as, site, e);
        ts_law_step step = step_to(as, site, as->e + site->form, e);
        if (site->rowlaw->commit) site->rowlaw->commit(&step, as->memory + site->memory);
        memcpy(as->e + site->form, e, (size_t)site->forms * sizeof *e);
    }
}

void ts_assembler_move(ts_assembler *as, const double *delta, double factor) {
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        const ts_node *node = &as->model->nodes[n];
        const double *d = delta + as->dof[n];
        double *q = as->q + 3 * node->slot;
        v3_store(q, v3_axpy(factor, v3_load(d), v3_load(q)));
        if (node->slots < 2) continue;
        quat turn = quat_exp(v3_scale(factor, v3_load(d + 3)));
        for (int k = 1; k < node->slots; k++) {
            v3 director = v3_load(q + 3 * k);
            v3_store(q + 3 * k, v3_add(director, quat_increment(turn, director)));
        }
        if (node->slots == 4) m3_store(q + 3, ts_so3_nearest(m3_load(q + 3)));
        if (node->slots == 2) v3_store(q + 3, v3_normalize(v3_load(q + 3)));
    }
}

double ts_assembler_row_times(const ts_assembler *as, int r, const double *x) {
    double sum = 0;
    for (int k = as->start[r]; k < as->start[r + 1]; k++) sum += as->value[k] * x[as->column[k]];
    return sum;
}

bool ts_assembler_row_consistent(const ts_assembler *as, int r) {
    return fabs(as->c[r]) <= 1e-12 * as->scale[r] + 64 * DBL_EPSILON * as->magnitude[r];
}

bool ts_assembler_consistent(const ts_assembler *as) {
    for (int r = 0; r < as->m; r++)
        if (as->use[r] && !ts_assembler_row_consistent(as, r)) return false;
    return true;
}

/* ---- the linear problem ---- */

int ts_assembler_factor(ts_assembler *as, double mu) {
    double dense[(MAX_COLUMNS + 1) * (MAX_COLUMNS + 1)];
    int element = 0, where;
    if (!as->A) find_pattern(as);
    ts_sparse_zero(as->A);
    for (int r = 0; r < as->m; r++) {
        int width = as->start[r + 1] - as->start[r], w = width + 1;
        bool on = as->use[r] && as->compliance[r] > 0;
        for (int k = 0; k < width; k++)
            dense[k * w + width] = dense[width * w + k] = on ? as->value[as->start[r] + k] : 0;
        dense[width * w + width] = on ? -mu * as->compliance[r] : -1;
        ts_sparse_add(as->A, element++, dense);
    }
    for (int n = 0; n < as->model->nodes_count; n++)
        if (as->dof[n] >= 0) ts_sparse_add(as->A, element++, as->W + 36 * n);
    return ts_lu_factor(as->lu, &where);
}

void ts_assembler_solve(ts_assembler *as, double *x) {
    for (int r = 0; r < as->m; r++)
        if (!as->use[r]) x[as->n + r] = 0;
    ts_lu_solve(as->lu, x);
}

/* ---- restoring ---- */

static double merit(const ts_assembler *as, const double *weight) {
    double sum = 0;
    for (int r = 0; r < as->m; r++)
        if (as->use[r]) sum += weight[r] * as->c[r] * as->c[r];
    return sum;
}

/* Largest violation relative to the rows' scales. */
static double relative_gap(const ts_assembler *as) {
    double worst = 0;
    for (int r = 0; r < as->m; r++)
        if (as->use[r]) worst = fmax(worst, fabs(as->c[r]) / as->scale[r]);
    return worst;
}

static bool at_round_off(const ts_assembler *as) {
    for (int r = 0; r < as->m; r++)
        if (as->use[r] && fabs(as->c[r]) > 4 * DBL_EPSILON * (as->scale[r] + as->magnitude[r]))
            return false;
    return true;
}

/* Steps end at half a radian and a third of the model's size. */
static double cap(const ts_assembler *as, const double *delta) {
    double most = 0;
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        const double *d = delta + as->dof[n];
        most = fmax(most, 3 * v3_norm(v3_load(d)) / as->system->length);
        if (as->model->nodes[n].slots > 1) most = fmax(most, 2 * v3_norm(v3_load(d + 3)));
    }
    return most > 1 ? 1 / most : 1;
}

static void gap_equations(const ts_assembler *as, double *x) {
    memset(x, 0, (size_t)as->n * sizeof *x);
    for (int r = 0; r < as->m; r++) x[as->n + r] = as->use[r] ? -as->c[r] : 0;
}

/* One step from the pose, accepted only if it is better. */
static bool try_step(ts_assembler *as, double mu, const double *weight, double *x, double *saved) {
    size_t ambient = (size_t)(3 * as->model->slots) * sizeof(double);
    double before = merit(as, weight);
    if (ts_assembler_factor(as, mu)) return false;
    gap_equations(as, x);
    ts_assembler_solve(as, x);
    memcpy(saved, as->q, ambient);
    ts_assembler_move(as, x, cap(as, x));
    ts_assembler_rows(as);
    if (merit(as, weight) < before) {
        ts_assembler_accept(as);
        return true;
    }
    memcpy(as->q, saved, ambient);
    ts_assembler_rows(as);
    return false;
}

int ts_assembler_restore(ts_assembler *as, int *iterations) {
    enum { MOST = 200, PATIENCE = 12 };
    double *x = ts_calloc((size_t)(as->n + as->m) + 1, sizeof *x);
    double *saved = ts_calloc((size_t)(3 * as->model->slots), sizeof *saved);
    double *weight = ts_calloc((size_t)as->m + 1, sizeof *weight);
    for (int r = 0; r < as->m; r++) weight[r] = as->compliance[r] > 0 ? 1 / as->compliance[r] : 1;
    /* mu no larger than the square of the gap: quadratic convergence even where rows repeat one
     * another (Fan and Yuan, Computing 74 (2005) 23) */
    double mu = 1e-2, floor = 1e-9;
    int slow = 0;
    for (int k = 0; k < MOST && !at_round_off(as) && mu < 1e8 && slow < PATIENCE; k++) {
        double gap = relative_gap(as), before = merit(as, weight);
        if (slow == 0) mu = fmax(floor, fmin(mu, gap * gap));
        if (iterations) ++*iterations;
        bool better = try_step(as, mu, weight, x, saved);
        if (merit(as, weight) > 0.25 * before && ts_assembler_consistent(as)) break;
        /* long loops of many bodies are softer than any single row */
        if (better && mu == floor && merit(as, weight) > 0.01 * before)
            floor = fmax(1e-14, 0.1 * floor);
        mu *= better ? 0.1 : 10;
        slow = merit(as, weight) > 0.999 * before ? slow + 1 : 0;
    }
    free(x), free(saved), free(weight);
    return ts_assembler_consistent(as) ? 0 : TORSOR_RETRY;
}

/* ---- words ---- */

const char *ts_row_part(const ts_model *model, int r) {
    return model->parts[model->sites[model->rows[r].site].part].name;
}

const char *ts_row_noun(const ts_model *model, int r) {
    return model->rows[r].drive ? "motion" : "joint";
}

/* A row with a force in its gradient measures a length, otherwise an angle. */
static bool is_length(const ts_assembler *as, int r) {
    const ts_site *site = &as->model->sites[as->model->rows[r].site];
    const double *g = as->value + as->start[r];
    double force = 0;
    for (int i = 0; i < site->nodes; i++) {
        int n = as->model->site_nodes[site->node + i];
        if (as->dof[n] < 0) continue;
        force += v3_norm(v3_load(g)) * as->arm[n];
        g += dofs_of(&as->model->nodes[n]);
    }
    return force > 1e-9 * as->scale[r];
}

void ts_row_gap_words(const ts_assembler *as, int r, double gap, char *text, size_t size) {
    gap = fabs(gap);
    if (!isfinite(gap))
        snprintf(text, size, "infinitely far");
    else if (!is_length(as, r))
        snprintf(text, size, "%.3g deg", gap * 57.295779513082320877);
    else if (gap >= 1)
        snprintf(text, size, "%.3g m", gap);
    else
        snprintf(text, size, "%.3g mm", 1e3 * gap);
}
