/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly: the only loops over sites and nodes. Residual, tangent, its pattern, what keeps its
 * pivots on the diagonal, and the order in which it is eliminated. See stepper.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "step/stepper.h"

static double now(const ts_equations *eq) { return eq->effort ? ts_wall_time() : 0; }

/* ---- residual ---- */

static void add_moments(ts_equations *eq) {
    for (int i = 0; i < eq->step->model->loads_count; i++) {
        const ts_load *load = &eq->step->model->loads[i];
        int dof = eq->step->system->node_dof[load->node];
        if (!load->moment || dof < 0) continue;
        const ts_node *node = &eq->step->model->nodes[load->node];
        v3 m = ts_load_moment(node, load, eq->step->load[i].mean, eq->step->q_m + 3 * node->slot);
        double R[6];
        ts_store_balance(eq->step, load->node, v3_make(0, 0, 0), m, R);
        for (int k = 3; k < ts_node_dofs(node); k++)
            eq->R[dof + k] -= eq->step->row_scale[0] * R[k];
    }
}

static void element_residual(void *context, int e, double *scratch) {
    ts_equations *eq = context;
    (void)scratch;
    int first = eq->team->schedule->site[e], sites = eq->team->schedule->site[e + 1] - first;
    const ts_site *site = &eq->step->model->sites[first];
    if (ts_vectors_residual(eq->step, eq->scheme, site, sites)) return;
    for (int i = 0; i < sites; i++)
        if (site[i].forms) eq->scheme->site_residual(eq->step, site + i, eq->R);
}

static void node_residual(void *context, int n, double *scratch) {
    ts_equations *e = context;
    (void)scratch;
    e->scheme->node_residual(e->step, n, e->R);
}

void ts_residual(ts_equations *eq) {
    double start = now(eq);
    size_t ambient = (size_t)(3 * eq->step->model->slots) * sizeof(double);
    memset(eq->step->F, 0, ambient);
    if (eq->step->a) memset(eq->step->Fs, 0, ambient);
    ts_each_element(eq->team, element_residual, eq);
    ts_add_forces(eq->step);
    ts_add_pressures(eq->step);
    ts_contacts_forces(eq->step);
    ts_each_node(eq->team, node_residual, eq);
    add_moments(eq);
    if (eq->effort) eq->effort->residual += now(eq) - start;
}

/* By a turn of the director d about axis j, its part of a dead moment m changes with d_m. */
static void director_tangent(const ts_equations *eq, const ts_node *node, v3 m, int width,
                             double *dense) {
    int s = 3 * node->slot + 3;
    double scale = -eq->step->mean * eq->step->row_scale[0];
    v3 d = v3_load(eq->step->q_m + s);
    double size = v3_dot(d, d), along = v3_dot(m, d) / size;
    for (int j = 0; j < 3; j++) {
        v3 by = v3_cross(v3_axis(j), v3_load(eq->step->q_f + s));
        double change = (v3_dot(m, by) - 2 * along * v3_dot(d, by)) / size;
        v3 dm = v3_axpy(-change, d, v3_scale(-along, by));
        for (int i = 0; i < 3; i++) dense[(3 + i) * width + 3 + j] += scale * v3_get(dm, i);
    }
}

/* A follower force F = sum f_k d_k at the point X turns with its node: slots (x, d_j) x d_k,
 * weights (1, X_j) f_k. */
static void follower_tangent(const ts_equations *eq, const ts_load *load, v3 f, int width,
                             double *dense) {
    const ts_node *node = &eq->step->model->nodes[load->node];
    int s = 3 * node->slot;
    double scale = -eq->step->mean * eq->step->row_scale[0];
    for (int j = 0; j < 3; j++) {
        v3 df = m3_apply(m3_cross(v3_axis(j), ts_load_directors(node, eq->step->q_f + s)), f);
        v3 arm = m3_apply(ts_load_directors(node, eq->step->q_m + s), load->point);
        v3 moment = load->moment ? df : v3_cross(arm, df);
        for (int i = 0; i < 3; i++) {
            if (!load->moment) dense[i * width + 3 + j] += scale * v3_get(df, i);
            dense[(3 + i) * width + 3 + j] += scale * v3_get(moment, i);
        }
    }
}

/* Rows have no diagonal of their own, massless nodes none either. A tiny one, negative for rows,
 * makes the matrix quasi-definite (Vanderbei, SIAM J. Optim. 5 (1995) 100): then pivots may stay on
 * the diagonal, and the fill is that of the ordering. It enters the tangent only, so it slows
 * Newton by its size and leaves the solution alone. */
static void regularise(const ts_equations *eq, const ts_local *l, double *dense) {
    for (int k = l->stages * l->nd; k < l->width; k++)
        dense[k * l->width + k] -= eq->regular[l->first_row + (k - l->stages * l->nd) % l->rows];
}

static void regularise_node(const ts_equations *eq, int n, int width, double *dense) {
    const ts_node *node = &eq->step->model->nodes[n];
    for (int i = 0; i < width; i++)
        dense[i * width + i] += eq->node_regular[2 * n + (i % ts_node_dofs(node) >= 3)];
}

static double *cleared(double *dense, int width) {
    memset(dense, 0, (size_t)(width * width) * sizeof(double));
    return dense;
}

/* Units of the equations and unknowns; schemes of one stage see to them themselves. */
static void scale_dense(const ts_equations *eq, const ts_local *l, double *dense) {
    double row[TS_MAX_WIDTH], column[TS_MAX_WIDTH];
    int at = 0;
    if (l->stages == 1) return;
    for (int b = 0; b < 4; b++)
        for (int i = 0; i < (b < 2 ? l->nd : l->rows); i++, at++)
            row[at] = eq->step->row_scale[b], column[at] = eq->step->column_scale[b];
    for (int i = 0; i < l->width; i++)
        for (int j = 0; j < l->width; j++) dense[i * l->width + j] *= row[i] * column[j];
}

/* Schemes write a node's block with three rotations; a director has the two that move it: T^T block
 * T. */
static void two_turns(const ts_equations *eq, int n, int stages, double *dense) {
    double T[12 * 10] = {0}, half[12 * 10];
    int wide = 6 * stages, width = 5 * stages;
    v3 t[2];
    ts_turn_axes(eq->step->system, n, t);
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
            /* terms may cancel in these axes only */
            if (eq->step->probing) dense[i * width + j] = 1;
        }
}

static ts_local local_node(const ts_equations *eq, int n, int stages) {
    int nd = ts_node_dofs(&eq->step->model->nodes[n]);
    return (ts_local){.nodes = 1, .node = {n}, .nd = nd, .stages = stages, .width = nd * stages};
}

static void prepare_node(void *context, int n, double *scratch) {
    ts_equations *e = context;
    (void)scratch;
    e->scheme->prepare_tangent(e->step, n);
}

/* The dense matrix of the element whose sites begin with this one; its width. */
static int site_element(ts_equations *eq, int first, double *dense, int *place) {
    const ts_site *site = &eq->step->model->sites[first];
    ts_local l;
    ts_local_site(eq->step->model, site, eq->scheme->stages, &l);
    if (place) ts_local_equations(eq->step, &l, place);
    cleared(dense, l.width);
    int sites = ts_sites_of_element(eq->step->model, first);
    if (!l.N || !ts_vectors_element(eq->step, eq->scheme, site, sites, &l, dense))
        for (int i = 0; i < sites; i++)
            if (site[i].forms) eq->scheme->site_tangent(eq->step, site + i, dense);
    scale_dense(eq, &l, dense);
    if (site->rows && ts_part_of(eq->step, site) != TS_MATERIAL)
        regularise(eq, &l, dense); /* not of rows that a law reads */
    return l.width;
}

static int node_element(ts_equations *eq, int n, double *dense, int *place) {
    const ts_node *node = &eq->step->model->nodes[n];
    int stages = eq->scheme->stages;
    ts_local l = local_node(eq, n, stages);
    if (place) ts_local_equations(eq->step, &l, place);
    eq->scheme->node_tangent(eq->step, n, cleared(dense, stages * (node->slots > 1 ? 6 : 3)));
    if (node->kind == TS_NODE_DIRECTOR) two_turns(eq, n, stages, dense);
    scale_dense(eq, &l, dense);
    regularise_node(eq, n, l.width, dense);
    return l.width;
}

static bool has_tangent(const ts_load *load, const ts_node *node) {
    return node->slots > 1 && (load->follower || (load->moment && node->kind == TS_NODE_DIRECTOR));
}

/* The width, or 0 where there is nothing to add: the load does not follow, or its node is held, or
 * does not turn. */
static int load_element(ts_equations *eq, int i, double *dense, int *place) {
    const ts_load *load = &eq->step->model->loads[i];
    const ts_node *node = &eq->step->model->nodes[load->node];
    if (!has_tangent(load, node) || eq->step->system->node_dof[load->node] < 0) return 0;
    ts_local l = local_node(eq, load->node, 1);
    v3 mean = eq->step->probing ? v3_make(1.1, 1.3, 0.7) : eq->step->load[i].mean;
    if (place) ts_local_equations(eq->step, &l, place);
    if (load->follower)
        follower_tangent(eq, load, mean, 6, cleared(dense, 6));
    else
        director_tangent(eq, node, mean, 6, cleared(dense, 6));
    if (node->kind == TS_NODE_DIRECTOR) two_turns(eq, load->node, 1, dense);
    return l.width;
}

static int pressure_element(ts_equations *eq, int i, double *dense, int *place) {
    return ts_pressure_tangent(eq->step, i, place, dense);
}

/* Has an element terms of the part that is asked for? */
static bool has_part(const ts_equations *eq, int e) {
    const ts_schedule *plan = eq->team->schedule;
    const ts_site *site = eq->step->model->sites;
    ts_tangent_part part = ts_part_of(eq->step, site + plan->site[e]);
    bool law = part != TS_MATERIAL;
    for (int i = plan->site[e]; i < plan->site[e + 1] && !law; i++)
        law = site[i].role == TS_ROLE_LAW;
    return law && part != TS_NO_PART;
}

static void add_element(void *context, int e, double *scratch) {
    ts_equations *eq = context;
    if (!has_part(eq, e)) return;
    int width = site_element(eq, eq->team->schedule->site[e], scratch, NULL);
    if (eq->inner) ts_condense_element(eq, e, width, scratch);
    ts_sparse_add(eq->A, e, scratch);
}

static void add_node(void *context, int n, double *scratch) {
    ts_equations *eq = context;
    node_element(eq, n, scratch, NULL);
    ts_sparse_add(eq->A, eq->team->node_element[n], scratch);
}

/* Behind those of the nodes. Contacts are stiff, and so material; loads and pressures are forces
 * that turn. */
static void add_loads(ts_equations *eq) {
    if (eq->scheme->bare) return;
    ts_tangent_part part = eq->step->part;
    int element = eq->team->schedule->elements;
    for (int n = 0; n < eq->step->model->nodes_count; n++)
        element += eq->team->node_element[n] >= 0;
    for (int i = 0; i < eq->step->model->loads_count; i++)
        if (load_element(eq, i, eq->team->dense, NULL)) {
            if (part != TS_MATERIAL) ts_sparse_add(eq->A, element, eq->team->dense);
            element++;
        }
    for (int i = 0; i < eq->step->model->pressures_count; i++, element++) {
        if (part == TS_MATERIAL) continue;
        pressure_element(eq, i, eq->team->dense, NULL);
        ts_sparse_add(eq->A, element, eq->team->dense);
    }
    for (int i = 0; i < ts_contacts_count(eq->step) && part != TS_GEOMETRIC; i++, element++)
        if (ts_contact_tangent(eq->step, i, eq->team->dense))
            ts_sparse_add(eq->A, element, eq->team->dense);
    if (part != TS_GEOMETRIC) ts_contacts_tangent_taken(eq->step);
}

void ts_assemble_tangent(ts_equations *eq) {
    double start = now(eq);
    if (eq->inner) eq->inner->singular = false;
    if (eq->scheme->prepare_tangent) ts_each_node(eq->team, prepare_node, eq);
    ts_each_element(eq->team, add_element, eq);
    if (eq->step->part != TS_MATERIAL) ts_each_node(eq->team, add_node, eq);
    add_loads(eq);
    if (eq->effort) eq->effort->tangent += now(eq) - start;
}

static void mark_element(ts_equations *eq, int width, int *place) {
    bool mask[TS_MAX_WIDTH * TS_MAX_WIDTH];
    for (int i = 0; i < width * width; i++) mask[i] = eq->team->dense[i] != 0;
    if (eq->inner) ts_condense_pattern(eq->inner, width, place, mask);
    if (width) ts_sparse_element(eq->A, width, place, mask);
}

/* One behind the other, as ts_assemble_tangent counts them. */
static void mark_elements(ts_equations *eq) {
    const ts_model *model = eq->step->model;
    int place[TS_MAX_WIDTH];
    for (int n = 0; n < model->nodes_count; n++)
        if (eq->scheme->prepare_tangent && eq->step->system->node_dof[n] >= 0)
            eq->scheme->prepare_tangent(eq->step, n);
    for (int i = 0; i < model->sites_count; i += ts_sites_of_element(model, i))
        mark_element(eq, site_element(eq, i, eq->team->dense, place), place);
    for (int n = 0; n < model->nodes_count; n++)
        if (eq->step->system->node_dof[n] >= 0)
            mark_element(eq, node_element(eq, n, eq->team->dense, place), place);
    for (int i = 0; i < model->loads_count; i++)
        mark_element(eq, load_element(eq, i, eq->team->dense, place), place);
    for (int i = 0; i < model->pressures_count; i++)
        mark_element(eq, pressure_element(eq, i, eq->team->dense, place), place);
    for (int i = 0; i < ts_contacts_count(eq->step); i++) {
        int width = ts_contact_places(eq->step, i, place);
        for (int k = 0; k < width * width; k++) eq->team->dense[k] = 1;
        mark_element(eq, width, place);
    }
}

static void add_node_inertia(void *context, int n, double *scratch) {
    ts_equations *eq = context;
    ts_node_inertia(eq->step, n, cleared(scratch, 6));
    if (eq->step->model->nodes[n].kind == TS_NODE_DIRECTOR) two_turns(eq, n, 1, scratch);
    ts_sparse_add(eq->A, eq->team->node_element[n], scratch);
}

void ts_each_node_inertia(ts_equations *eq) { ts_each_node(eq->team, add_node_inertia, eq); }

/* pattern: fill every field with arbitrary numbers; what stays zero is zero by structure */

static double arbitrary(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return 0.3 + (double)(*seed >> 40) / (double)(1 << 24);
}

void ts_find_pattern(ts_equations *eq) {
    const ts_model *model = eq->step->model;
    uint64_t seed = 2026;
    double *fields[] = {eq->step->q_f, eq->step->q_m, eq->step->v_f, eq->step->v_m,
                        eq->step->F,   eq->step->Fs,  eq->step->dq,  eq->step->a};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        for (int i = 0; fields[k] && i < 3 * model->slots; i++)
            fields[k][i] = arbitrary(&seed) - 0.8;
    for (int i = 0; i < 6 * model->nodes_count; i++) eq->step->stage[i] = arbitrary(&seed);
    for (int r = 0; r < model->rows_count; r++)
        eq->step->lambda[r] = eq->step->kappa[r] = arbitrary(&seed);
    for (int i = 0; i < model->forms_count; i++)
        eq->step->e_i[i] = arbitrary(&seed), eq->step->edot_i[i] = arbitrary(&seed);
    for (int i = 0; i < eq->step->K_first[model->sites_count]; i++)
        eq->step->K[i] = arbitrary(&seed);
    eq->step->probing = true;
    eq->step->h = 0.37, eq->step->t_f = 0.37;
    for (int i = 0; i < 4; i++) eq->step->row_scale[i] = eq->step->column_scale[i] = 1;
    mark_elements(eq);
    eq->step->probing = false;
    ts_sparse_build(eq->A);
}

/* ---- pivots ---- */

static const double FLAT = 1e-6; /* of a node's inertia: less is none */

/* Nodes without inertia of their own, or without any about an axis, get a billionth of the model's.
 * A light one keeps to its own: it may hang on a foundation of any mass. */
static void set_node_regular(ts_equations *eq) {
    const ts_model *model = eq->step->model;
    double mass = 0, turning = 0;
    for (int n = 0; n < model->nodes_count; n++) {
        double(*A)[4] = model->nodes[n].mass;
        mass = fmax(mass, A[0][0]), turning = fmax(turning, A[1][1] + A[2][2] + A[3][3]);
    }
    if (!(mass > 0)) mass = 1;
    if (!(turning > 0)) turning = mass * eq->step->system->length * eq->step->system->length;
    for (int n = 0; n < model->nodes_count; n++) {
        double(*A)[4] = model->nodes[n].mass;
        double own = fmin(A[1][1] + A[2][2], fmin(A[2][2] + A[3][3], A[3][3] + A[1][1]));
        double all = A[1][1] + A[2][2] + A[3][3];
        if (model->nodes[n].kind == TS_NODE_DIRECTOR) own = A[1][1];
        if (model->nodes[n].inner && !model->nodes[n].slides) continue; /* stiffness keeps them */
        if (!(A[0][0] > 0)) eq->node_regular[2 * n] = 1e-9 * mass;
        if (!(own > 1e-9 * all)) eq->node_regular[2 * n + 1] = 1e-9 * turning;
    }
}

/* What resists a change of a slot. A flat body has nothing along its normal, or what round-off
 * makes of it (0.1 + 0.2 - 0.3), and is held by what it has across. */
static double own_mass(const ts_node *node, int slot) {
    double own = node->mass[slot][slot], all = 0;
    for (int k = 1; k < node->slots && slot > 0; k++) all += node->mass[k][k];
    return own > FLAT * all ? own : 0;
}

/* The gradients of the forms of a site at the start of the step, and its row law's by the forms. */
typedef struct row_forms {
    ts_site_view at;
    ts_row_response law;
} row_forms;

static void find_row_forms(const ts_equations *eq, const ts_site *site, row_forms *x) {
    const ts_model *model = eq->step->model;
    const ts_state *state = &eq->step->system->state;
    ts_site_look(model, site, eq->step->q_i, NULL, &x->at);
    ts_law_step rest = ts_site_rest(model, site, ts_past_of(state), x->at.e, state->t);
    if (site->rowlaw) site->rowlaw->respond(&rest, &x->law);
}

/* The gradient of a row by the slots of its nodes. */
static void row_gradient(const ts_model *model, int r, const row_forms *x, double *B) {
    const ts_site *site = &model->sites[model->rows[r].site];
    double room[3 * TS_MAX_SLOTS];
    memset(B, 0, (size_t)(3 * site->ambient) * sizeof *B);
    for (int k = 0; k < site->forms; k++) {
        double slope = site->rowlaw ? x->law.slope[k] : k == model->rows[r].local;
        if (slope == 0) continue;
        const double *b = ts_site_spread(model, site, x->at.B[k], room);
        for (int i = 0; i < 3 * site->ambient; i++) B[i] += slope * b[i];
    }
}

/* A tiny part of the row's compliance C M^-1 C^T, as far as the row's own nodes tell; and how much
 * the row changes as a node moves by the size of the model, or turns by a radian, for rows are
 * lengths and cosines. */
static void regular_of_row(ts_equations *eq, int r, const double *B, double mass) {
    const ts_model *model = eq->step->model;
    const ts_site *site = &model->sites[model->rows[r].site];
    double compliance = 0, size = 0;
    for (int i = 0, s = 0; i < site->nodes; i++) {
        const ts_node *node = &model->nodes[model->site_nodes[site->node + i]];
        for (int k = 0; k < node->slots; k++, s++) {
            double b = v3_norm(v3_load(B + 3 * s)), own = node->fixed ? 0 : own_mass(node, k);
            size = fmax(size, node->fixed ? 0 : b * (k ? 1 : eq->step->system->length));
            if (own > 0) compliance += b * b / own;
        }
    }
    if (!(compliance > 0)) compliance = 1 / (mass > 0 ? mass : 1);
    eq->regular[r] = 1e-14 * compliance;
    eq->row_size[r] = size > 0 ? size : 1;
    eq->row_weight[r] = compliance / eq->row_size[r];
}

static void set_row_regular(ts_equations *eq) {
    const ts_model *model = eq->step->model;
    double mass = 0, B[3 * TS_MAX_SLOTS];
    row_forms x;
    for (int n = 0; n < model->nodes_count; n++) mass = fmax(mass, model->nodes[n].mass[0][0]);
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        if (site->rows == 0) continue;
        find_row_forms(eq, site, &x);
        for (int r = site->row; r < site->row + site->rows; r++) {
            row_gradient(model, r, &x, B);
            regular_of_row(eq, r, B, mass);
        }
    }
}

/* Without inertia there is nothing to measure by, and pivots need no help. */
void ts_set_regular(ts_equations *eq) {
    set_row_regular(eq);
    if (eq->scheme->inertia)
        set_node_regular(eq);
    else
        memset(eq->regular, 0, (size_t)eq->step->model->rows_count * sizeof(double));
}

/* ---- order ---- */

/* Each row is eliminated right behind a node whose inertia fills its diagonal: one of its own, with
 * room for it. A body of six unknowns serves six rows; rows that find no room come last. */
int *ts_row_groups(const ts_equations *eq, int *groups) {
    const ts_model *model = eq->step->model;
    const ts_system *system = eq->step->system;
    int stages = eq->scheme->stages, nodes = model->nodes_count;
    int *group = ts_calloc((size_t)eq->n + 1, sizeof *group),
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
            /* the last of them: in a chain, the body behind the joint */
            if (room[n] > 0) owner = n;
        }
        if (owner < nodes) room[owner]--;
        for (int s = 0; s < stages; s++)
            group[stages * system->dofs + s * system->rows + system->row_eq[r]] = owner;
    }
    free(room);
    *groups = nodes + 1;
    return group;
}
