/* Assembly: the only loops over sites and nodes. Residual, tangent, its pattern, what keeps its pivots on the diagonal, and the
 * order in which it is eliminated. See stepper.h.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "step/stepper.h"

static double now(const ts_stepper *st) {
    struct timespec t;
    if (!st->effort) return 0;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- residual ---- */

void ts_add_forces(ts_stepper *st) {
    for (int i = 0; i < st->model->loads_count; i++) {
        const ts_load *load = &st->model->loads[i];
        if (load->moment) continue;
        const ts_node *node = &st->model->nodes[load->node];
        int s = 3 * node->slot;
        v3 f = st->load[i].mean, change = st->load[i].change;
        if (load->follower) f = m3_apply(ts_load_directors(node, st->q_m + s), f);
        for (int k = 0; k < node->slots; k++) {
            double arm = k ? v3_get(load->point, k - 1) : 1;
            v3_store(st->F + s + 3 * k, v3_axpy(-arm, f, v3_load(st->F + s + 3 * k)));
            if (!load->follower)
                v3_store(st->Fs + s + 3 * k, v3_axpy(arm, change, v3_load(st->Fs + s + 3 * k)));
        }
    }
}

static void add_moments(ts_stepper *st) {
    for (int i = 0; i < st->model->loads_count; i++) {
        const ts_load *load = &st->model->loads[i];
        int dof = st->system->node_dof[load->node];
        if (!load->moment || dof < 0) continue;
        int s = 3 * st->model->nodes[load->node].slot;
        v3 m = st->load[i].mean;
        const ts_node *node = &st->model->nodes[load->node];
        if (load->follower) m = m3_apply(ts_load_directors(node, st->q_m + s), m);
        double R[6];
        ts_store_balance(st, load->node, v3_make(0, 0, 0), m, R);
        for (int k = 3; k < ts_node_dofs(node); k++) st->R[dof + k] -= st->row_scale[0] * R[k];
    }
}

static void site_residual(ts_stepper *st, int i, double *scratch) {
    (void)scratch;
    st->scheme->site_residual(st, &st->model->sites[i]);
}

static void node_residual(ts_stepper *st, int n, double *scratch) {
    (void)scratch;
    st->scheme->node_residual(st, n);
}

void ts_residual(ts_stepper *st) {
    double start = now(st);
    size_t ambient = (size_t)(3 * st->model->slots) * sizeof(double);
    memset(st->F, 0, ambient), memset(st->Fs, 0, ambient);
    ts_each_site(st, site_residual);
    ts_add_forces(st);
    ts_add_pressures(st);
    ts_each_node(st, node_residual);
    add_moments(st);
    if (st->effort) st->effort->residual += now(st) - start;
}

/* A follower force F = sum f_k d_k at the point X turns with its node: slots (x, d_j) x d_k, weights (1, X_j) f_k. */
static void follower_tangent(const ts_stepper *st, const ts_load *load, v3 f, int width,
                             double *dense) {
    const ts_node *node = &st->model->nodes[load->node];
    int s = 3 * node->slot;
    double scale = st->scheme->statics ? -1 : -0.5 * st->row_scale[0];
    for (int j = 0; j < 3; j++) {
        v3 df = m3_apply(m3_cross(v3_axis(j), ts_load_directors(node, st->q_f + s)), f);
        v3 arm = m3_apply(ts_load_directors(node, st->q_m + s), load->point);
        v3 moment = load->moment ? df : v3_cross(arm, df);
        for (int i = 0; i < 3; i++) {
            if (!load->moment) dense[i * width + 3 + j] += scale * v3_get(df, i);
            dense[(3 + i) * width + 3 + j] += scale * v3_get(moment, i);
        }
    }
}

/* Rows have no diagonal of their own, massless nodes none either. A tiny one, negative for rows, makes the matrix
 * quasi-definite (Vanderbei, SIAM J. Optim. 5 (1995) 100): then pivots may stay on the diagonal, and the fill is that of the
 * ordering. It enters the tangent only, so it slows Newton by its size and leaves the solution alone. */
static void regularise(const ts_stepper *st, const ts_local *l, int first_row, double *dense) {
    for (int k = l->stages * l->nd; k < l->width; k++)
        dense[k * l->width + k] -= st->regular[first_row + (k - l->stages * l->nd) % l->rows];
}

static void regularise_node(const ts_stepper *st, int n, int width, double *dense) {
    const ts_node *node = &st->model->nodes[n];
    for (int i = 0; i < width; i++)
        dense[i * width + i] += st->node_regular[2 * n + (i % ts_node_dofs(node) >= 3)];
}

static double *cleared(double *dense, int width) {
    memset(dense, 0, (size_t)(width * width) * sizeof(double));
    return dense;
}

/* Units of the equations and unknowns; schemes of one stage see to them themselves. */
static void scale_dense(const ts_stepper *st, const ts_local *l, double *dense) {
    double row[TS_MAX_WIDTH], column[TS_MAX_WIDTH];
    int at = 0;
    if (l->stages == 1) return;
    for (int b = 0; b < 4; b++)
        for (int i = 0; i < (b < 2 ? l->nd : l->rows); i++, at++)
            row[at] = st->row_scale[b], column[at] = st->column_scale[b];
    for (int i = 0; i < l->width; i++)
        for (int j = 0; j < l->width; j++) dense[i * l->width + j] *= row[i] * column[j];
}

/* Schemes write a node's block with three rotations; a director has the two that move it: T^T block T. */
static void two_turns(const ts_stepper *st, int n, int stages, double *dense) {
    double T[12 * 10] = {0}, half[12 * 10];
    int wide = 6 * stages, width = 5 * stages;
    v3 t[2];
    ts_turn_axes(st->system, n, t);
    for (int s = 0; s < stages; s++)
        for (int i = 0; i < 3; i++) {
            T[(6 * s + i) * width + 5 * s + i] = 1;
            for (int j = 0; j < 2; j++)
                T[(6 * s + 3 + i) * width + 5 * s + 3 + j] = v3_get(t[j], i);
        }
    for (int i = 0; i < wide; i++)
        for (int j = 0; j < width; j++) {
            half[i * width + j] = 0;
            for (int k = 0; k < wide; k++)
                half[i * width + j] += dense[i * wide + k] * T[k * width + j];
        }
    for (int i = 0; i < width; i++)
        for (int j = 0; j < width; j++) {
            dense[i * width + j] = 0;
            for (int k = 0; k < wide; k++)
                dense[i * width + j] += T[k * width + i] * half[k * width + j];
            if (st->probing) dense[i * width + j] = 1; /* terms may cancel in these axes only */
        }
}

static ts_local local_node(const ts_stepper *st, int n, int stages) {
    int nd = ts_node_dofs(&st->model->nodes[n]);
    return (ts_local){.nodes = 1, .node = {n}, .nd = nd, .stages = stages, .width = nd * stages};
}

static void prepare_node(ts_stepper *st, int n, double *scratch) {
    (void)scratch;
    st->scheme->prepare_tangent(st, n);
}

/* The dense matrix of the element whose sites begin with this one; its width. */
static int site_element(ts_stepper *st, int first, double *dense, int *eq) {
    const ts_site *site = &st->model->sites[first];
    ts_local l;
    ts_local_site(st, site, &l);
    if (eq) ts_local_equations(st, &l, site->row, eq);
    cleared(dense, l.width);
    int sites = ts_sites_of_element(st->model, first);
    if (!l.N || !ts_vectors_element(st, site, sites, &l, dense))
        for (int i = 0; i < sites; i++)
            if (site[i].forms) st->scheme->site_tangent(st, site + i, dense);
    scale_dense(st, &l, dense);
    regularise(st, &l, site->row, dense);
    return l.width;
}

static int node_element(ts_stepper *st, int n, double *dense, int *eq) {
    const ts_node *node = &st->model->nodes[n];
    int stages = st->scheme->stages;
    ts_local l = local_node(st, n, stages);
    if (eq) ts_local_equations(st, &l, 0, eq);
    st->scheme->node_tangent(st, n, cleared(dense, stages * (node->slots > 1 ? 6 : 3)));
    if (node->kind == TS_NODE_DIRECTOR) two_turns(st, n, stages, dense);
    scale_dense(st, &l, dense);
    regularise_node(st, n, l.width, dense);
    return l.width;
}

/* The width, or 0 where there is nothing to add: the load does not follow, or its node is held, or does not turn. */
static int load_element(ts_stepper *st, int i, double *dense, int *eq) {
    const ts_load *load = &st->model->loads[i];
    const ts_node *node = &st->model->nodes[load->node];
    if (!load->follower || st->system->node_dof[load->node] < 0 || node->slots == 1) return 0;
    ts_local l = local_node(st, load->node, 1);
    if (eq) ts_local_equations(st, &l, 0, eq);
    follower_tangent(st, load, st->probing ? v3_make(1.1, 1.3, 0.7) : st->load[i].mean, 6,
                     cleared(dense, 6));
    if (node->kind == TS_NODE_DIRECTOR) two_turns(st, load->node, 1, dense);
    return l.width;
}

static int pressure_element(ts_stepper *st, int i, double *dense, int *eq) {
    return ts_pressure_tangent(st, i, eq, dense);
}

static void add_element(ts_stepper *st, int e, double *scratch) {
    site_element(st, st->schedule->site[e], scratch, NULL);
    ts_sparse_add(st->A, e, scratch);
}

static void add_node(ts_stepper *st, int n, double *scratch) {
    node_element(st, n, scratch, NULL);
    ts_sparse_add(st->A, st->node_element[n], scratch);
}

/* Behind those of the nodes. */
static void add_loads(ts_stepper *st) {
    int element = st->schedule->elements;
    for (int n = 0; n < st->model->nodes_count; n++) element += st->node_element[n] >= 0;
    for (int i = 0; i < st->model->loads_count; i++)
        if (load_element(st, i, st->dense, NULL)) ts_sparse_add(st->A, element++, st->dense);
    for (int i = 0; i < st->model->pressures_count; i++) {
        pressure_element(st, i, st->dense, NULL);
        ts_sparse_add(st->A, element++, st->dense);
    }
}

void ts_assemble_tangent(ts_stepper *st) {
    double start = now(st);
    if (st->scheme->prepare_tangent) ts_each_node(st, prepare_node);
    ts_each_element(st, add_element);
    ts_each_node(st, add_node);
    add_loads(st);
    if (st->effort) st->effort->tangent += now(st) - start;
}

static void mark_element(ts_stepper *st, int width, const int *eq) {
    bool mask[TS_MAX_WIDTH * TS_MAX_WIDTH];
    for (int i = 0; i < width * width; i++) mask[i] = st->dense[i] != 0;
    if (width) ts_sparse_element(st->A, width, eq, mask);
}

/* One behind the other, as ts_assemble_tangent counts them. */
static void mark_elements(ts_stepper *st) {
    const ts_model *model = st->model;
    int eq[TS_MAX_WIDTH];
    for (int n = 0; n < model->nodes_count; n++)
        if (st->scheme->prepare_tangent && st->system->node_dof[n] >= 0)
            st->scheme->prepare_tangent(st, n);
    for (int i = 0; i < model->sites_count; i += ts_sites_of_element(model, i))
        mark_element(st, site_element(st, i, st->dense, eq), eq);
    for (int n = 0; n < model->nodes_count; n++)
        if (st->system->node_dof[n] >= 0) mark_element(st, node_element(st, n, st->dense, eq), eq);
    for (int i = 0; i < model->loads_count; i++)
        mark_element(st, load_element(st, i, st->dense, eq), eq);
    for (int i = 0; i < model->pressures_count; i++)
        mark_element(st, pressure_element(st, i, st->dense, eq), eq);
}

static void add_node_inertia(ts_stepper *st, int n, double *scratch) {
    ts_node_inertia(st, n, cleared(scratch, 6));
    if (st->model->nodes[n].kind == TS_NODE_DIRECTOR) two_turns(st, n, 1, scratch);
    ts_sparse_add(st->A, st->node_element[n], scratch);
}

void ts_each_node_inertia(ts_stepper *st) { ts_each_node(st, add_node_inertia); }

/* ---- pattern: fill every field with arbitrary numbers; what stays zero is zero by structure ---- */

static double arbitrary(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return 0.3 + (double)(*seed >> 40) / (double)(1 << 24);
}

void ts_find_pattern(ts_stepper *st) {
    const ts_model *model = st->model;
    uint64_t seed = 2026;
    double *fields[] = {st->q_f, st->q_m, st->v_f, st->v_m, st->a, st->F, st->Fs, st->dq};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        for (int i = 0; i < 3 * model->slots; i++) fields[k][i] = arbitrary(&seed) - 0.8;
    for (int i = 0; i < 6 * model->nodes_count; i++) st->stage[i] = arbitrary(&seed);
    for (int r = 0; r < model->rows_count; r++) st->lambda[r] = st->kappa[r] = arbitrary(&seed);
    for (int i = 0; i < model->forms_count; i++)
        st->e_i[i] = arbitrary(&seed), st->edot_i[i] = arbitrary(&seed);
    for (int i = 0; i < st->K_first[model->sites_count]; i++) st->K[i] = arbitrary(&seed);
    st->probing = true;
    st->h = 0.37, st->t_f = 0.37;
    for (int i = 0; i < 4; i++) st->row_scale[i] = st->column_scale[i] = 1;
    mark_elements(st);
    st->probing = false;
    ts_sparse_build(st->A);
}

/* ---- pivots ---- */

static const double FLAT = 1e-6; /* of a node's inertia: less is none */

/* Nodes without inertia of their own, or without any about an axis, get a billionth of the model's. A light one keeps to its own: it
 * may hang on a foundation of any mass. */
static void set_node_regular(ts_stepper *st) {
    const ts_model *model = st->model;
    double mass = 0, turning = 0;
    for (int n = 0; n < model->nodes_count; n++) {
        double(*A)[4] = model->nodes[n].mass;
        mass = fmax(mass, A[0][0]), turning = fmax(turning, A[1][1] + A[2][2] + A[3][3]);
    }
    if (!(mass > 0)) mass = 1;
    if (!(turning > 0)) turning = mass * st->system->length * st->system->length;
    for (int n = 0; n < model->nodes_count; n++) {
        double(*A)[4] = model->nodes[n].mass;
        double own = fmin(A[1][1] + A[2][2], fmin(A[2][2] + A[3][3], A[3][3] + A[1][1]));
        double all = A[1][1] + A[2][2] + A[3][3];
        if (model->nodes[n].kind == TS_NODE_DIRECTOR) own = A[1][1];
        if (model->nodes[n].inner) continue; /* stiffness keeps them */
        if (!(A[0][0] > 0)) st->node_regular[2 * n] = 1e-9 * mass;
        if (!(own > 1e-9 * all)) st->node_regular[2 * n + 1] = 1e-9 * turning;
    }
}

/* What resists a change of a slot. A flat body has nothing along its normal, or what round-off makes of it (0.1 + 0.2 - 0.3), and
 * is held by what it has across. */
static double own_mass(const ts_node *node, int slot) {
    double own = node->mass[slot][slot], all = 0;
    for (int k = 1; k < node->slots && slot > 0; k++) all += node->mass[k][k];
    return own > FLAT * all ? own : 0;
}

/* The gradient of a row at the start of the step, by the slots of its nodes. */
static void row_gradient(const ts_stepper *st, int r, double *B) {
    const ts_model *model = st->model;
    const ts_site *site = &model->sites[model->rows[r].site];
    const ts_state *state = &st->system->state;
    double room[3 * TS_MAX_SLOTS];
    ts_row_response of_forms;
    ts_site_view at;
    ts_site_look(model, site, st->q_i, NULL, &at);
    ts_law_step rest = ts_site_rest(model, site, state->memory, at.e, state->t);
    if (site->rowlaw) site->rowlaw->respond(&rest, &of_forms);
    memset(B, 0, (size_t)(3 * site->ambient) * sizeof *B);
    for (int k = 0; k < site->forms; k++) {
        double slope = site->rowlaw ? of_forms.slope[k] : k == model->rows[r].local;
        if (slope == 0) continue;
        const double *b = ts_site_spread(model, site, at.B[k], room);
        for (int i = 0; i < 3 * site->ambient; i++) B[i] += slope * b[i];
    }
}

/* A tiny part of the row's compliance C M^-1 C^T, as far as the row's own nodes tell; and how much the row changes as a node moves by
 * the size of the model, or turns by a radian, for rows are lengths and cosines. */
static void set_row_regular(ts_stepper *st) {
    const ts_model *model = st->model;
    double mass = 0, B[3 * TS_MAX_SLOTS];
    for (int n = 0; n < model->nodes_count; n++) mass = fmax(mass, model->nodes[n].mass[0][0]);
    for (int r = 0; r < model->rows_count; r++) {
        const ts_site *site = &model->sites[model->rows[r].site];
        double compliance = 0, size = 0;
        row_gradient(st, r, B);
        for (int i = 0, s = 0; i < site->nodes; i++) {
            const ts_node *node = &model->nodes[model->site_nodes[site->node + i]];
            for (int k = 0; k < node->slots; k++, s++) {
                double b = v3_norm(v3_load(B + 3 * s)), own = node->fixed ? 0 : own_mass(node, k);
                size = fmax(size, node->fixed ? 0 : b * (k ? 1 : st->system->length));
                if (own > 0) compliance += b * b / own;
            }
        }
        if (!(compliance > 0)) compliance = 1 / (mass > 0 ? mass : 1);
        st->regular[r] = 1e-14 * compliance;
        st->row_size[r] = size > 0 ? size : 1;
        st->row_weight[r] = compliance / st->row_size[r];
    }
}

/* Statics has no inertia to measure by; its pivots need no help. */
void ts_set_regular(ts_stepper *st) {
    set_row_regular(st);
    if (!st->scheme->statics)
        set_node_regular(st);
    else
        memset(st->regular, 0, (size_t)st->model->rows_count * sizeof(double));
}

/* ---- order ---- */

/* Each row is eliminated right behind a node whose inertia fills its diagonal: one of its own, with room for it. A body of
 * six unknowns serves six rows; rows that find no room come last. */
int *ts_row_groups(const ts_stepper *st, int *groups) {
    const ts_model *model = st->model;
    const ts_system *system = st->system;
    int stages = st->scheme->stages, nodes = model->nodes_count;
    int *group = ts_calloc((size_t)st->n + 1, sizeof *group),
        *room = ts_calloc((size_t)nodes, sizeof *room);
    for (int n = 0; n < nodes; n++) {
        if (system->node_dof[n] < 0) continue;
        room[n] = ts_node_dofs(&model->nodes[n]);
        for (int s = 0; s < stages; s++)
            for (int i = 0; i < room[n]; i++) group[s * system->dofs + system->node_dof[n] + i] = n;
    }
    for (int r = 0; r < model->rows_count; r++) {
        if (system->row_eq[r] < 0) continue;
        const ts_site *site = &model->sites[model->rows[r].site];
        int owner = nodes;
        for (int i = 0; i < site->nodes; i++) {
            int n = model->site_nodes[site->node + i];
            if (room[n] > 0)
                owner = n; /* the last of them: in a chain, the body behind the joint */
        }
        if (owner < nodes) room[owner]--;
        for (int s = 0; s < stages; s++)
            group[stages * system->dofs + s * system->rows + system->row_eq[r]] = owner;
    }
    free(room);
    *groups = nodes + 1;
    return group;
}
