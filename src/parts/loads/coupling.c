/* SPDX-License-Identifier: Apache-2.0 */
/* Couplings: a frame tied to a set of nodes of beams, shells, solids or cables, so that joints,
 * loads, motions and bodies can take hold of them.
 *
 * With x, D the frame, and xi_i the place of node i as drawn, from the frame and in its axes,
 *
 *     rigid      x_i = x + D xi_i
 *                three rows for every node; directors and frames turn with D too
 *     weighted   int (x_S - x - D xi) = 0 ,  int xi x D^T x_S = 0
 *                six rows in all: the frame moves as the set does in the mean, by least squares,
 *                and leaves it free to deform
 *
 * where, in the second, xi is taken from the centre. The integrals are over the cells of the set,
 * x_S = sum N_i x_i and xi = sum N_i xi_i: so the force and moment of the frame are spread over the
 * nodes as a traction that is uniform, and linear in xi, would be. For a set of points, or with
 * equal weights for all nodes, they are sums over the nodes. Either way, with constant weights W_i
 * and W_ik,
 *
 *     int x_S = sum W_i x_i ,      A_k = int xi_k x_S = sum W_ik x_i ,
 *
 * and all rows are forms: in components the last is d_j . A_k - d_k . A_j = 0. When there are too
 * many nodes for one site, the sums A_k are points of their own, made of partial sums.
 */
#include <stdlib.h>

#include "base/error.h"
#include "model/mesh_nodes.h"
#include "model/mesh_shares.h"
#include "parts/parts.h"

enum { NODES, AT, AXES, WEIGHTS };
enum { AREA, EQUAL };

static const char *const WEIGHINGS[] = {"area", "equal", NULL};

#define NODES_FIELD                                                                              \
    {                                                                                            \
        .name = "nodes", .type = TS_NODES, .required = true,                                     \
        .help =                                                                                  \
            "The nodes of the coupling: a set of a part on a mesh, `rod.x+`, or a list of sets." \
    }
#define AT_FIELD(mean) \
    { .name = "at", .type = TS_PLACE, .help = "Place of the frame.", .fallback = mean }
#define AXES_FIELD                                                          \
    {                                                                       \
        .name = "axes", .type = TS_ROTATION,                                \
        .help = "The axes of the frame, as a rotation of the global axes.", \
        .fallback = "the global axes"                                       \
    }

static const ts_field RIGID_FIELDS[] = {
    NODES_FIELD, AT_FIELD("the mean of the nodes"), AXES_FIELD, {0}};

static const ts_field WEIGHTED_FIELDS[] = {
    NODES_FIELD,
    AT_FIELD("the centre of the set; with equal weights, the mean of the nodes"),
    AXES_FIELD,
    {.name = "weights",
     .type = TS_CHOICE,
     .help = "Weights of the nodes: their share of the area (length, volume) of the set, so that "
             "loads are spread evenly; or equal.",
     .choices = WEIGHINGS,
     .fallback = "area; equal where the set has points only"},
    {0}};

typedef struct coupling {
    ts_model *model;
    int count, *node;
    int frame;
    v3 mean; /* of the nodes, by their weights */
    m3 axes;
    double (*weight)[4]; /* per node: W_ik, then W_i; NULL for a rigid one */
} coupling;

static v3 place_of(const coupling *c, int i) { return c->model->nodes[c->node[i]].x; }

static void take_nodes(ts_builder *b, const ts_value *value, coupling *c) {
    *c = (coupling){.model = b->model, .count = value[NODES].count};
    c->node = ts_calloc((size_t)c->count + 1, sizeof *c->node);
    for (int i = 0; i < c->count; i++) {
        c->node[i] = (int)value[NODES].list[i];
        c->mean = v3_axpy(1.0 / c->count, place_of(c, i), c->mean);
    }
    c->axes = value[AXES].given ? m3_load(value[AXES].number) : m3_identity();
}

static void add_frame(ts_builder *b, const ts_kind *kind, const ts_value *value, coupling *c) {
    ts_new_part(b, kind);
    v3 at = value[AT].given ? v3_load(value[AT].number) : c->mean;
    c->frame = ts_model_node(b->model, TS_NODE_FRAME, at, c->axes);
    ts_part *part = &b->model->parts[b->model->parts_count - 1];
    part->node = c->frame, part->nodes = 1;
}

static void end(coupling *c) { free(c->node), free(c->weight); }

static v3 from_frame(const coupling *c, v3 global) {
    return m3_tapply(c->axes, v3_sub(global, c->model->nodes[c->frame].x));
}

/* ---- rigid ---- */

static const char *const PLACE[] = {"displacement along global x", "displacement along global y",
                                    "displacement along global z"};

/* Axis j of the node, as drawn, stays normal to axis i of the frame. */
static void keep_normal(const coupling *c, v3 i, ts_combo axis) {
    ts_form_dot(c->model, 1, ts_combo_direction(0, m3_tapply(c->axes, i)), axis, 0);
    ts_model_row(c->model, -1, false, "rotation");
}

static void turn_along(const coupling *c, const ts_node *node) {
    if (node->kind == TS_NODE_DIRECTOR) {
        v3 d = node->D.c[2], side = fabs(d.x) < 0.9 ? v3_axis(0) : v3_axis(1);
        v3 t = v3_normalize(v3_cross(d, side));
        keep_normal(c, t, ts_combo_direction(1, v3_axis(2)));
        keep_normal(c, v3_cross(d, t), ts_combo_direction(1, v3_axis(2)));
    }
    if (node->kind == TS_NODE_FRAME)
        for (int k = 0; k < 3; k++)
            keep_normal(c, node->D.c[(k + 1) % 3], ts_combo_direction(1, v3_axis(k)));
}

static void tie_rigidly(const coupling *c) {
    for (int i = 0; i < c->count; i++) {
        int pair[2] = {c->frame, c->node[i]};
        ts_model_site(c->model, TS_ROLE_ROWS, 2, pair);
        ts_combo gap = ts_combo_minus(ts_combo_point(1, v3_make(0, 0, 0)),
                                      ts_combo_point(0, from_frame(c, place_of(c, i))));
        for (int k = 0; k < 3; k++) {
            ts_form_component(c->model, v3_axis(k), gap, 0);
            ts_model_row(c->model, -1, false, PLACE[k]);
        }
        turn_along(c, &c->model->nodes[c->node[i]]);
    }
}

static int build_rigid(ts_builder *b, ts_value *value) {
    coupling c;
    take_nodes(b, value, &c);
    add_frame(b, &TS_KIND_COUPLING_RIGID, value, &c);
    tie_rigidly(&c);
    end(&c);
    return 0;
}

/* ---- weights ---- */

/* Cells of the set that have a measure and nodes on all their points; the caller frees them. */
static int cells_of(const coupling *c, int part, const ts_mesh_set *set, int **cells) {
    const ts_mesh *mesh = ts_mesh_of(c->model, c->model->parts[part].mesh);
    int count = 0;
    *cells = ts_calloc((size_t)set->cells + 1, sizeof **cells);
    for (int i = 0; i < set->cells; i++) {
        const ts_cell *cell = &mesh->cell[set->cell[i]];
        bool whole = ts_cell_about(cell->type)->shapes;
        for (int a = 0; a < cell->count; a++)
            whole &= ts_part_point_node(c->model, part, mesh->node[cell->first + a]) >= 0;
        if (whole) (*cells)[count++] = set->cell[i];
    }
    return count;
}

/* Adds the integrals of N_i and N_i X over one set, X from the mean of the nodes; false: it has no
 * cells. place: of each node of the model among those of the coupling. */
static bool weigh_piece(coupling *c, ts_piece piece, const int *place) {
    if (piece.set < 0) return false;
    const ts_mesh *mesh = ts_mesh_of(c->model, c->model->parts[piece.part].mesh);
    const ts_mesh_set *set = &mesh->set[piece.set];
    int *cells, count = cells_of(c, piece.part, set, &cells);
    ts_share_of_point *share = ts_mesh_shares(mesh, count, cells);
    for (int p = 0; p < set->points; p++) {
        const ts_share_of_point *s = &share[set->point[p]];
        int node = ts_part_point_node(c->model, piece.part, set->point[p]);
        if (node < 0) continue;
        double *w = c->weight[place[node]];
        v3_store(w, v3_add(v3_load(w), v3_axpy(-s->measure, c->mean, s->moment)));
        w[3] += s->measure;
    }
    free(share), free(cells);
    return count > 0;
}

static bool weigh_by_area(coupling *c, const ts_value *nodes) {
    int *place = ts_calloc((size_t)c->model->nodes_count + 1, sizeof *place);
    bool fine = true;
    for (int i = 0; i < c->count; i++) place[c->node[i]] = i;
    for (int i = 0; i < nodes->pieces && fine; i++) fine = weigh_piece(c, nodes->piece[i], place);
    free(place);
    return fine;
}

static void weigh_alike(coupling *c) {
    for (int i = 0; i < c->count; i++) {
        v3_store(c->weight[i], v3_sub(place_of(c, i), c->mean));
        c->weight[i][3] = 1;
    }
}

/* Scales the sum of W_i to one, with xi from the centre, in the axes of the frame. The sums of the
 * W_ik are zero to their own round-off, however far from the origin the set is, because they
 * multiply places. */
static void normalise_weights(coupling *c) {
    double sum = 0;
    v3 shift = {0, 0, 0};
    for (int i = 0; i < c->count; i++) {
        sum += c->weight[i][3];
        shift = v3_add(shift, v3_load(c->weight[i]));
    }
    shift = v3_scale(1 / sum, shift);
    for (int i = 0; i < c->count; i++) {
        double *w = c->weight[i];
        v3 moment = v3_axpy(-w[3], shift, v3_load(w));
        v3_store(w, v3_scale(1 / sum, m3_tapply(c->axes, moment)));
        w[3] /= sum;
    }
    c->mean = v3_add(c->mean, shift);
}

static int weigh(ts_builder *b, const ts_value *value, coupling *c) {
    const ts_value *how = &value[WEIGHTS];
    c->weight = ts_calloc((size_t)c->count + 1, sizeof *c->weight);
    bool alike = how->given && (int)how->number[0] == EQUAL;
    if (alike || !weigh_by_area(c, &value[NODES])) {
        if (how->given && !alike)
            return ts_build_fail(b, WEIGHTS, "leave `weights` out, or name a set of faces",
                                 "the set has points only, which represent no area");
        weigh_alike(c);
    }
    normalise_weights(c);
    return 0;
}

/* ---- weighted ---- */

/* A sum of places, sum of weight * x; the nodes' slots may be several, of which the first is the
 * place. */
typedef struct sum {
    int count, *node;
    double *weight;
} sum;

static int most_nodes(const coupling *c, const sum *s, int first) {
    int slots = 1, i = first;
    while (i < s->count && i - first < TS_MAX_NODES - 1 &&
           slots + c->model->nodes[s->node[i]].slots <= TS_MAX_SLOTS)
        slots += c->model->nodes[s->node[i++]].slots;
    return i - first;
}

/* A point that is the sum of some of them. */
static int partial_sum(const coupling *c, const sum *s, int first, int count) {
    int nodes[TS_MAX_NODES], at[TS_MAX_NODES], slot = 1;
    v3 x = {0, 0, 0}, v = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        const ts_node *node = &c->model->nodes[s->node[first + i]];
        nodes[i + 1] = s->node[first + i], at[i] = slot, slot += node->slots;
        x = v3_axpy(s->weight[first + i], node->x, x);
        v = v3_axpy(s->weight[first + i], node->velocity, v);
    }
    nodes[0] = ts_model_node(c->model, TS_NODE_POINT, x, m3_identity());
    c->model->nodes[nodes[0]].velocity = v;
    ts_model_site(c->model, TS_ROLE_ROWS, count + 1, nodes);
    for (int k = 0; k < 3; k++) {
        ts_form_new(c->model, 0);
        ts_form_linear(c->model, 0, v3_axis(k));
        for (int i = 0; i < count; i++)
            ts_form_linear(c->model, at[i], v3_scale(-s->weight[first + i], v3_axis(k)));
        ts_model_row(c->model, -1, false, "sum of places");
    }
    return nodes[0];
}

/* Sums of sums, until one is left. Consumes the lists. */
static int sum_node(const coupling *c, sum *s) {
    do {
        int made = 0;
        for (int first = 0; first < s->count; made++) {
            int count = most_nodes(c, s, first);
            s->node[made] = partial_sum(c, s, first, count), s->weight[made] = 1;
            first += count;
        }
        s->count = made;
    } while (s->count > 1);
    return s->node[0];
}

/* The place of the mean (k = 3), or the moments A_k, in units of length. */
static int moment_node(const coupling *c, int k, double size) {
    sum s = {c->count, ts_calloc((size_t)c->count, sizeof(int)),
             ts_calloc((size_t)c->count, sizeof(double))};
    for (int i = 0; i < c->count; i++)
        s.node[i] = c->node[i], s.weight[i] = c->weight[i][k] / (k == 3 ? 1 : size);
    int node = sum_node(c, &s);
    free(s.node), free(s.weight);
    return node;
}

static const char *const TURN[] = {"rotation about x", "rotation about y", "rotation about z"};

/* The six rows over the frame and four sums. */
static void tie_to_sums(const coupling *c, double size) {
    int nodes[5] = {c->frame};
    for (int k = 0; k < 3; k++) nodes[k + 1] = moment_node(c, k, size);
    nodes[4] = moment_node(c, 3, size);
    ts_model_site(c->model, TS_ROLE_ROWS, 5, nodes);
    ts_combo gap = ts_combo_minus(ts_combo_point(4, v3_make(0, 0, 0)),
                                  ts_combo_point(0, from_frame(c, c->mean)));
    for (int k = 0; k < 3; k++) {
        ts_form_component(c->model, v3_axis(k), gap, 0);
        ts_model_row(c->model, -1, false, PLACE[k]);
    }
    for (int axis = 0; axis < 3; axis++) {
        int j = (axis + 1) % 3, k = (axis + 2) % 3;
        ts_form_dot(c->model, 1 / size, ts_combo_direction(0, v3_axis(j)),
                    ts_combo_point(1 + k, v3_make(0, 0, 0)), 0);
        ts_form_plus_dot(c->model, -1 / size, ts_combo_direction(0, v3_axis(k)),
                         ts_combo_point(1 + j, v3_make(0, 0, 0)));
        ts_model_row(c->model, -1, false, TURN[axis]);
    }
}

/* The six rows of a weighted coupling without sums as nodes of their own, for few nodes. */
static void tie_directly(const coupling *c, double size) {
    int nodes[TS_MAX_NODES] = {c->frame}, at[TS_MAX_NODES], slot = 4;
    for (int i = 0; i < c->count; i++) {
        nodes[i + 1] = c->node[i], at[i] = slot;
        slot += c->model->nodes[c->node[i]].slots;
    }
    v3 mean = from_frame(c, c->mean);
    ts_model_site(c->model, TS_ROLE_ROWS, c->count + 1, nodes);
    for (int k = 0; k < 3; k++) {
        ts_form_new(c->model, 0);
        ts_form_linear(c->model, 0, v3_scale(-1, v3_axis(k)));
        for (int d = 0; d < 3; d++)
            ts_form_linear(c->model, 1 + d, v3_scale(-v3_get(mean, d), v3_axis(k)));
        for (int i = 0; i < c->count; i++)
            ts_form_linear(c->model, at[i], v3_scale(c->weight[i][3], v3_axis(k)));
        ts_model_row(c->model, -1, false, PLACE[k]);
    }
    for (int axis = 0; axis < 3; axis++) {
        int j = (axis + 1) % 3, k = (axis + 2) % 3;
        ts_form_new(c->model, 0);
        for (int i = 0; i < c->count; i++) {
            const double *w = c->weight[i];
            ts_form_pair(c->model, 1 + j, at[i], w[k] / (size * size));
            ts_form_pair(c->model, 1 + k, at[i], -w[j] / (size * size));
        }
        ts_model_row(c->model, -1, false, TURN[axis]);
    }
}

/* Radius of the set; does it extend in two directions, so that rotations are determined? */
static bool spans(const coupling *c, double *size) {
    double G[3][3] = {{0}}, trace = 0;
    for (int i = 0; i < c->count; i++) {
        v3 xi = m3_tapply(c->axes, v3_sub(place_of(c, i), c->mean));
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) G[a][b] += c->weight[i][a] * v3_get(xi, b);
    }
    for (int a = 0; a < 3; a++) trace += G[a][a];
    double minors = 0;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        minors += G[a][a] * G[b][b] - G[a][b] * G[a][b];
    }
    *size = sqrt(trace);
    return minors > 1e-10 * trace * trace;
}

static int build_weighted(ts_builder *b, ts_value *value) {
    coupling c;
    double size;
    take_nodes(b, value, &c);
    int slots = 4, code = weigh(b, value, &c);
    for (int i = 0; i < c.count; i++) slots += b->model->nodes[c.node[i]].slots;
    if (!code && !spans(&c, &size))
        code = ts_build_fail(
            b, NODES, "take a set that is not a line, or `type: rigid`",
            "the nodes lie on a line: the rotation of the frame about this line is not defined");
    if (!code) add_frame(b, &TS_KIND_COUPLING_WEIGHTED, value, &c);
    if (!code && slots <= TS_MAX_SLOTS && c.count < TS_MAX_NODES)
        tie_directly(&c, size);
    else if (!code)
        tie_to_sums(&c, size);
    end(&c);
    return code;
}

const ts_kind TS_KIND_COUPLING_RIGID = {
    .name = "rigid",
    .section = "couplings",
    .help = "A frame to which all nodes of a set are rigidly connected. Joints, loads, motions and "
            "masses use its name like the name of a body.",
    .fields = RIGID_FIELDS,
    .build = build_rigid,
    .sample = "{nodes: H.u+}",
    .default_in_section = true,
};

const ts_kind TS_KIND_COUPLING_WEIGHTED = {
    .name = "weighted",
    .section = "couplings",
    .help = "A frame that follows the mean motion of a set. The set is free to deform. Joints, "
            "loads, motions and masses use its name like the name of a body.",
    .fields = WEIGHTED_FIELDS,
    .build = build_weighted,
    .sample = "{type: weighted, nodes: W.u+, at: [1.2, 0.5, 0.4]}",
};
