/* SPDX-License-Identifier: Apache-2.0 */
/* Motions without any resistance: no mass, no spring, no row. They make the equations of motion
 * singular.
 *
 * With N the node's norm (its mass, at its arm) the least theta of
 *
 *     (M + K + eps N) z = theta N z ,   C z = 0
 *
 * is found by inverse iteration; a theta as small as eps means a motion z of which only eps N
 * remains. It only matters whether springs resist at all, not how much. Nodes with mass in all
 * directions cannot take part and are left out, so the factored matrix is only as large as the
 * massless part of the model.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembler.h"
#include "base/error.h"

enum { MAX_COLUMNS = 6 * TS_MAX_NODES };
static const double EPS = 1e-10;

typedef struct problem {
    ts_assembler *as;
    ts_sparse *A;
    ts_lu *lu;
    int n, *number; /* unknowns of light nodes; per unknown of the assembler, -1: left out */
    bool marking;   /* pattern first, then values */
    int elements;
} problem;

static int dofs_of(const ts_node *node) { return node->slots > 1 ? 6 : 3; }

static bool takes_part(const ts_assembler *as, int n) {
    return as->dof[n] >= 0 && as->light[n] > 0;
}

static void number_light_nodes(problem *p) {
    const ts_assembler *as = p->as;
    p->number = ts_calloc((size_t)as->n + 1, sizeof *p->number);
    for (int n = 0; n < as->model->nodes_count; n++)
        for (int k = 0; as->dof[n] >= 0 && k < dofs_of(&as->model->nodes[n]); k++)
            p->number[as->dof[n] + k] = takes_part(as, n) ? p->n++ : -1;
}

static void emit(problem *p, int width, const int *eq, const double *dense) {
    if (!p->marking) {
        ts_sparse_add(p->A, p->elements++, dense);
        return;
    }
    bool mask[(MAX_COLUMNS + 1) * (MAX_COLUMNS + 1)];
    memset(mask, 1, (size_t)(width * width) * sizeof *mask);
    int own[MAX_COLUMNS + 1];
    for (int i = 0; i < width; i++)
        own[i] = eq[i] < p->as->n ? p->number[eq[i]] : eq[i] - p->as->n + p->n;
    ts_sparse_element(p->A, width, own, mask);
}

static void row_element(problem *p, int r) {
    const ts_assembler *as = p->as;
    double dense[(MAX_COLUMNS + 1) * (MAX_COLUMNS + 1)];
    int eq[MAX_COLUMNS + 1], width = as->start[r + 1] - as->start[r], w = width + 1;
    bool on = as->use[r] && as->compliance[r] > 0;
    memset(dense, 0, (size_t)(w * w) * sizeof *dense);
    for (int k = 0; k < width; k++) {
        eq[k] = as->column[as->start[r] + k];
        if (on) dense[k * w + width] = dense[width * w + k] = as->value[as->start[r] + k];
    }
    eq[width] = as->n + r;
    dense[width * w + width] = on ? -1e-9 * as->compliance[r] : -1;
    emit(p, w, eq, dense);
}

static void node_element(problem *p, int n) {
    double W[36];
    int eq[6], nd = dofs_of(&p->as->model->nodes[n]);
    for (int k = 0; k < nd; k++) eq[k] = p->as->dof[n] + k;
    ts_assembler_node_inertia(p->as, n, EPS, W);
    emit(p, nd, eq, W);
}

/* Finds the forms of a law that have a spring or dashpot. */
static void find_answers(const problem *p, const ts_site *site, const double *q, bool *answers) {
    const ts_model *model = p->as->model;
    double e[TS_MAX_FORMS];
    for (int k = 0; k < site->forms; k++) e[k] = ts_form_value(model, site->form + k, q);
    ts_law_step step =
        ts_site_over(model, site, ts_assembler_past(p->as), e, e, p->as->t, p->as->t + 1e-3);
    ts_response out = {0};
    site->law->respond(&step, &out);
    for (int k = 0; k < site->forms; k++) answers[k] = out.ds[k * site->forms + k] != 0;
}

/* The gradient of a form over the unknowns of its nodes; returns b N^-1 b^T. */
static double project(const problem *p, const ts_site *site, const double *q, const double *B,
                      double *b, int *eq, int *width) {
    const ts_model *model = p->as->model;
    double norm[2], sum = 0;
    *width = 0;
    for (int i = 0, s = 0; i < site->nodes; i++) {
        int n = model->site_nodes[site->node + i];
        const ts_node *node = &model->nodes[n];
        v3 part[2] = {v3_load(B + 3 * s), {0, 0, 0}};
        for (int k = 0; k < node->slots; k++, s++)
            if (k) part[1] = v3_add(part[1], v3_cross(v3_load(q + 3 * s), v3_load(B + 3 * s)));
        if (p->as->dof[n] < 0) continue;
        ts_assembler_norm(p->as, n, &norm[0], &norm[1]);
        for (int k = 0; k < dofs_of(node); k++) {
            eq[*width] = p->as->dof[n] + k;
            b[*width] = v3_get(part[k / 3], k % 3);
            sum += b[*width] * b[*width] / norm[k / 3];
            ++*width;
        }
    }
    return sum;
}

/* Adds the forms of a site to the dense matrix. */
static void add_law(const problem *p, const ts_site *site, double *dense) {
    const ts_model *model = p->as->model;
    double z[3 * TS_MAX_SLOTS], q[3 * TS_MAX_SLOTS], B[3 * TS_MAX_SLOTS], room[3 * TS_MAX_SLOTS];
    double b[MAX_COLUMNS];
    int eq[MAX_COLUMNS], width = 0;
    bool answers[TS_MAX_FORMS];
    ts_site_gather(model, site, p->as->q, z);
    ts_gather(model, site->node, site->nodes, p->as->q, q);
    find_answers(p, site, z, answers);
    for (int k = 0; k < site->forms; k++) {
        ts_form_gradient(model, site->form + k, site->slots, z, B);
        const double *row = ts_site_spread(model, site, B, room);
        double compliance = project(p, site, q, row, b, eq, &width);
        if (!answers[k] || !(compliance > 0)) continue;
        for (int i = 0; i < width; i++) {
            double left = b[i] / compliance, *d = dense + i * width;
            for (int j = 0; j < width && left != 0; j++) d[j] += left * b[j];
        }
    }
}

/* Adds the sites of an element, from the first to before the last, as one. */
static void law_element(problem *p, int first, int last) {
    const ts_model *model = p->as->model;
    const ts_site *site = &model->sites[first];
    double dense[MAX_COLUMNS * MAX_COLUMNS];
    int eq[MAX_COLUMNS], width = 0;
    bool light = false;
    for (int i = 0; i < site->nodes; i++) {
        int n = model->site_nodes[site->node + i];
        light |= takes_part(p->as, n);
        for (int k = 0; p->as->dof[n] >= 0 && k < dofs_of(&model->nodes[n]); k++)
            eq[width++] = p->as->dof[n] + k;
    }
    if (!light) return;
    memset(dense, 0, (size_t)(width * width) * sizeof *dense);
    for (int i = first; i < last && !p->marking; i++) add_law(p, &model->sites[i], dense);
    emit(p, width, eq, dense);
}

static void each_element(problem *p) {
    const ts_model *model = p->as->model;
    const ts_site *site = model->sites;
    for (int r = 0; r < p->as->m; r++) row_element(p, r);
    for (int n = 0; n < model->nodes_count; n++)
        if (takes_part(p->as, n)) node_element(p, n);
    for (int i = 0, next; i < model->sites_count; i = next) {
        for (next = i + 1; next < model->sites_count && site[next].node == site[i].node;) next++;
        if (site[i].role == TS_ROLE_LAW) law_element(p, i, next);
    }
}

/* x <- N x; returns sqrt(x^T N x) */
static double times_norm(const problem *p, double *x) {
    const ts_assembler *as = p->as;
    double norm[2], sum = 0;
    for (int n = 0; n < as->model->nodes_count; n++) {
        if (!takes_part(as, n)) continue;
        ts_assembler_norm(as, n, &norm[0], &norm[1]);
        for (int k = 0; k < dofs_of(&as->model->nodes[n]); k++) {
            double *v = &x[p->number[as->dof[n] + k]];
            sum += *v * *v * norm[k / 3];
            *v *= norm[k / 3];
        }
    }
    return sqrt(sum);
}

/* Least theta and its motion z, of norm one, over the unknowns of the assembler. */
static double least(problem *p, double *z) {
    double theta = 1, *x = ts_calloc((size_t)(p->n + p->as->m) + 1, sizeof *x);
    uint64_t seed = 7;
    for (int i = 0; i < p->n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(int64_t)seed / 9.3e18;
    }
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < p->as->n; i++) z[i] = p->number[i] < 0 ? 0 : x[p->number[i]];
        double size = times_norm(p, x);
        theta = 1 / size;
        for (int i = 0; i < p->as->n; i++) z[i] /= size;
        for (int i = 0; i < p->n; i++) x[i] /= size;
        memset(x + p->n, 0, (size_t)p->as->m * sizeof *x);
        if (k < 4) ts_lu_solve(p->lu, x);
    }
    free(x);
    return theta;
}

/* ---- words ---- */

static double tidy(double x) { return fabs(x) < 1e-6 ? 0 : x; }

/* Unit vector, its largest component positive. */
static v3 direction(v3 a) {
    a = v3_normalize(a);
    double most = fabs(a.x) >= fabs(a.y) - 1e-9 && fabs(a.x) >= fabs(a.z) - 1e-9 ? a.x
                  : fabs(a.y) >= fabs(a.z) - 1e-9                                ? a.y
                                                                                 : a.z;
    if (most < 0) a = v3_scale(-1, a);
    return v3_make(tidy(a.x), tidy(a.y), tidy(a.z));
}

static bool has_no_inertia(const ts_node *node) {
    return node->slots == 4 && node->mass[1][1] == 0 && node->mass[2][2] == 0 &&
           node->mass[3][3] == 0;
}

static int describe(const ts_assembler *as, const double *z) {
    const ts_model *model = as->model;
    double most = -1;
    int node = 0;
    for (int n = 0; n < model->nodes_count; n++) {
        if (as->dof[n] < 0) continue;
        double size = v3_norm(v3_load(z + as->dof[n])) / as->arm[n];
        if (model->nodes[n].slots > 1) size = fmax(size, v3_norm(v3_load(z + as->dof[n] + 3)));
        if (size > most) most = size, node = n;
    }
    v3 x = v3_load(z + as->dof[node]), turn = {0, 0, 0};
    if (model->nodes[node].slots > 1) turn = v3_load(z + as->dof[node] + 3);
    const char *name = model->parts[model->nodes[node].part].name;
    if (v3_norm(turn) * as->arm[node] < 1e-3 * v3_norm(x)) {
        v3 along = direction(x);
        ts_fail(TORSOR_ESINGULAR,
                "'%s' can move along (%.4g, %.4g, %.4g) without any mass or spring "
                "resisting: give it mass or fix that motion",
                name, along.x, along.y, along.z);
        return ts_blame(TORSOR_ESINGULAR, name, 0);
    }
    if (model->nodes[node].slots == 4)
        turn = m3_tapply(m3_load(as->q + 3 * model->nodes[node].slot + 3), turn);
    v3 axis = direction(turn);
    ts_fail(TORSOR_ESINGULAR,
            "'%s' can rotate about its own axis (%.4g, %.4g, %.4g) without any mass or "
            "spring resisting: give it inertia or fix that motion%s",
            name, axis.x, axis.y, axis.z,
            has_no_inertia(&model->nodes[node])
                ? "; if it is just a point, use a body of `type: point`"
                : "");
    return ts_blame(TORSOR_ESINGULAR, name, 0);
}

static bool has_light_nodes(const ts_assembler *as) {
    for (int n = 0; n < as->model->nodes_count; n++)
        if (as->dof[n] >= 0 && as->light[n] > 0 && !as->model->nodes[n].inner) return true;
    return false;
}

int ts_find_massless(ts_assembler *as) {
    if (!has_light_nodes(as)) return 0;
    problem p = {.as = as, .marking = true};
    number_light_nodes(&p);
    p.A = ts_sparse_new(p.n + as->m);
    each_element(&p);
    ts_sparse_build(p.A);
    p.marking = false;
    ts_sparse_zero(p.A);
    each_element(&p);
    p.lu = ts_lu_new(p.A, 0, NULL);
    double *z = ts_calloc((size_t)as->n + 1, sizeof *z);
    int where, code = ts_lu_factor(p.lu, &where);
    if (!code && least(&p, z) < 3 * EPS) code = describe(as, z);
    free(z), free(p.number);
    ts_sparse_free(p.A);
    ts_lu_free(p.lu);
    return code;
}
