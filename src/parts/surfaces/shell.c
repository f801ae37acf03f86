/* SPDX-License-Identifier: Apache-2.0 */
/* Shells on a mesh of quadrilaterals with 4 or 9 nodes, S1 section 3.4; docs/shells.md.
 *
 * Place r and director d of the surface are interpolated from the nodes. Membrane strains,
 * curvatures and shear angles,
 *
 *     eps_ab = r,a . r,b / 2        kap_ab = (r,a . d,b + r,b . d,a)/2        gam_a = r,a . d ,
 *
 * minus their values as drawn, are forms: quadratic in (r, d), and exactly objective.
 * math/shell_strains.c describes how they are sampled to avoid locking, math/shell_membrane.c how
 * cells of 4 nodes can bend in their plane. They are taken at 2 x 2 or 3 x 3 Gauss points, in axes
 * of the section there (1 along `axis1`, as far as the surface allows; 3 is the normal), and given
 * to a linear law with the section's 8 x 8 stiffness. Strains are of Green: small strains, however
 * large the motion.
 *
 * A smooth point of the surface has a director node: no rotation about the normal is an unknown.
 * Where cells meet at an angle the point has a frame node, and the director of each cell is fixed
 * in that frame. The section's mass is lumped at the nodes (corners of the trapezoidal rule,
 * Simpson's for 9 nodes: all positive), its rotary inertia on the directors.
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "laws/linear_law.h"
#include "math/shell_membrane.h"
#include "model/mesh_nodes.h"
#include "parts/continuum.h"

enum { MESH, SET, SECTION, AXIS1, FOLD, ENHANCED, DAMPING /* and motion */ };

static const char *const SECTIONS[] = {"shell_sections", NULL};

static const ts_field FIELDS[] = {
    TS_MESH_FIELD,
    {.name = "set",
     .type = TS_TEXT,
     .help = "The set of quadrilaterals that make the shell.",
     .fallback = "all surfaces of the mesh"},
    {.name = "section",
     .type = TS_PART,
     .required = true,
     .help = "The section, one of `shell_sections`.",
     .choices = SECTIONS},
    {.name = "axis1",
     .type = TS_AXIS,
     .help = "Axis 1 of the section: this direction, projected onto the surface.",
     .fallback = "x"},
    {.name = "fold",
     .type = TS_NUMBER,
     .dim = TS_DIM_ANGLE,
     .help = "Cells whose normals differ by more than this meet in a fold: the angle between them "
             "stays constant. Meshes with exact normals have folds where these differ.",
     .fallback = "20 deg"},
    {.name = "enhanced",
     .type = TS_BOOLEAN,
     .help = "Cells of 4 nodes: assumed membrane forces, so that they bend well in their plane.",
     .fallback = "true"},
    TS_MESHED_MOTION_FIELDS,
    {0}};

typedef struct shell {
    ts_model *model;
    const ts_mesh *mesh;
    int mesh_part, set;
    ts_section_of_shell section;
    v3 axis1;
    double damping, cos_fold;
    bool enhanced;
    v3 *normal; /* per node of the cells, as mesh->node: the cell's there */
    /* per point: where its corners begin in `corner`; a corner is an index of mesh->node */
    int *first;
    int *corner;
    ts_shell_point *point; /* of the cell in hand: its Gauss points */
} shell;

/* ---- normals ---- */

static v3 normal_at(const shell *s, const ts_cell *cell, int local) {
    double N[TS_CELL_NODES];
    v3 dN[TS_CELL_NODES], G[2] = {{0, 0, 0}, {0, 0, 0}};
    ts_cell_shape(cell->type, ts_cell_node(cell->type, local), N, dN);
    for (int a = 0; a < cell->count; a++) {
        v3 x = s->mesh->point[s->mesh->node[cell->first + a]];
        G[0] = v3_axpy(dN[a].x, x, G[0]), G[1] = v3_axpy(dN[a].y, x, G[1]);
    }
    return v3_cross(G[0], G[1]);
}

/* Normals of the cells at their nodes, and the corners that meet in each point. */
static void find_corners(shell *s) {
    const ts_mesh *mesh = s->mesh;
    const ts_mesh_set *set = &mesh->set[s->set];
    s->normal = ts_calloc((size_t)mesh->nodes + 1, sizeof *s->normal);
    s->first = ts_calloc((size_t)mesh->points + 2, sizeof *s->first);
    s->corner = ts_calloc((size_t)mesh->nodes + 1, sizeof *s->corner);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < set->cells; i++) {
            const ts_cell *cell = &mesh->cell[set->cell[i]];
            for (int a = 0; a < cell->count; a++) {
                int at = cell->first + a, point = mesh->node[at];
                s->normal[at] = v3_normalize(normal_at(s, cell, a));
                if (pass == 0)
                    s->first[point + 2]++;
                else
                    s->corner[s->first[point + 1]++] = at;
            }
        }
        for (int p = 0; pass == 0 && p < mesh->points; p++) s->first[p + 2] += s->first[p + 1];
    }
}

/* The mean of the normals that are within the fold angle of this one. */
static v3 mean_normal(const shell *s, int point, v3 like) {
    v3 sum = {0, 0, 0};
    for (int i = s->first[point]; i < s->first[point + 1]; i++) {
        v3 n = s->normal[s->corner[i]];
        if (v3_dot(n, like) >= s->cos_fold) sum = v3_add(sum, n);
    }
    return v3_normalize(sum);
}

static const double COS_45 = 0.70710678118654752440;

/* Is the surface smooth at the point, and what is its normal? */
static bool smooth(const shell *s, int point, v3 *director) {
    v3 first = s->normal[s->corner[s->first[point]]];
    bool known = s->mesh->normal != NULL;
    double least = known ? COS_45 : s->cos_fold;
    if (known) {
        *director = s->mesh->normal[point];
        if (v3_dot(*director, first) < 0) *director = v3_scale(-1, *director);
    }
    for (int i = s->first[point]; i < s->first[point + 1]; i++) {
        v3 n = s->normal[s->corner[i]];
        if (known && !(v3_dot(n, *director) >= least)) return false;
        for (int j = s->first[point]; !known && j < i; j++)
            if (!(v3_dot(n, s->normal[s->corner[j]]) >= least)) return false;
    }
    if (!known) *director = mean_normal(s, point, first);
    return true;
}

/* ---- nodes ---- */

/* A point that another shell on the mesh already uses keeps its node. */
static int add_nodes(ts_builder *b, const shell *s, const ts_value *value) {
    for (int p = 0; p < s->mesh->points; p++) {
        if (s->first[p] == s->first[p + 1]) continue;
        v3 d = {0, 0, 1};
        bool is_smooth = smooth(s, p, &d);
        if (ts_mesh_node_find(s->model, s->mesh_part, p, TS_NODE_FRAME) >= 0) continue;
        int old = ts_mesh_node_find(s->model, s->mesh_part, p, TS_NODE_DIRECTOR);
        if (old >= 0 && is_smooth && v3_dot(s->model->nodes[old].D.c[2], d) > COS_45) continue;
        if (old >= 0)
            return ts_build_fail(
                b, SET, "make them one shell, with a set of both",
                "another shell meets this one at an angle, at point %d of the mesh", p + 1);
        int node = ts_mesh_node(s->model, s->mesh_part, p,
                                is_smooth ? TS_NODE_DIRECTOR : TS_NODE_FRAME, d);
        ts_meshed_motion(&s->model->nodes[node], value + DAMPING);
    }
    return 0;
}

static int node_at(const shell *s, int corner) {
    return ts_part_point_node(s->model, s->model->parts_count - 1, s->mesh->node[corner]);
}

/* The director of a cell at one of its nodes: its components in the directors of the node; returns
 * how many these are. */
static int director_weights(const shell *s, int corner, double w[3]) {
    const ts_node *node = &s->model->nodes[node_at(s, corner)];
    if (node->kind == TS_NODE_DIRECTOR) return w[0] = 1, 1;
    v3_store(w, m3_tapply(node->D, mean_normal(s, s->mesh->node[corner], s->normal[corner])));
    return 3;
}

/* ---- mass ---- */

static double lobatto_weight(int nodes, int local) {
    if (nodes == 4) return 1;
    return local < 4 ? 1.0 / 9 : local < 8 ? 4.0 / 9 : 16.0 / 9;
}

static void lump_mass(const shell *s, const ts_cell *cell) {
    for (int a = 0; a < cell->count; a++) {
        double w[3], area = lobatto_weight(cell->count, a) * v3_norm(normal_at(s, cell, a));
        int directors = director_weights(s, cell->first + a, w);
        double(*A)[4] = s->model->nodes[node_at(s, cell->first + a)].mass;
        A[0][0] += area * s->section.mass;
        for (int i = 0; i < directors; i++) {
            A[0][i + 1] += area * s->section.mass_moment * w[i];
            A[i + 1][0] += area * s->section.mass_moment * w[i];
            for (int j = 0; j < directors; j++)
                A[i + 1][j + 1] += area * s->section.inertia * w[i] * w[j];
        }
    }
}

/* ---- sites ---- */

/* Forms depend on the vectors z = (x_1 - x_n, ..., x_n-1 - x_n, d_1, ..., d_n). Strains do not
 * change with a translation, so differences are sufficient, and avoid the round-off of places far
 * from the origin. */
typedef struct element {
    int nodes, node[TS_SHELL_NODES];
    int ambient; /* slots of its nodes */
    double N[TS_SHELL_VECTORS][TS_MAX_SLOTS];
    v3 x[TS_SHELL_NODES], z[TS_SHELL_VECTORS]; /* places; the vectors as drawn */
    int interpolation;                         /* where N is in the model, once it is there */
} element;

static int vectors_of(const element *e) { return 2 * e->nodes - 1; }

static void set_node(const shell *s, int corner, int a, element *e) {
    double w[3];
    int last = e->nodes - 1, directors = director_weights(s, corner, w);
    e->node[a] = node_at(s, corner);
    const ts_node *node = &s->model->nodes[e->node[a]];
    e->x[a] = node->x;
    if (e->ambient + node->slots <= TS_MAX_SLOTS) {
        for (int k = 0; k < last; k++) e->N[k][e->ambient] = a == last ? -1 : k == a;
        for (int k = 0; k < directors; k++) {
            e->N[last + a][e->ambient + 1 + k] = w[k];
            e->z[last + a] = v3_axpy(w[k], node->D.c[directors == 1 ? 2 : k], e->z[last + a]);
        }
    }
    e->ambient += node->slots;
}

static void set_element(const shell *s, const ts_cell *cell, element *e) {
    *e = (element){.nodes = cell->count, .interpolation = -1};
    for (int a = 0; a < e->nodes; a++) set_node(s, cell->first + a, a, e);
    for (int a = 0; a < e->nodes - 1; a++) e->z[a] = v3_sub(e->x[a], e->x[e->nodes - 1]);
}

/* All sites of an element share one N. */
static void add_vectors(const shell *s, element *e) {
    double N[TS_SHELL_VECTORS * TS_MAX_SLOTS];
    ts_site *site = &s->model->sites[s->model->sites_count - 1];
    if (e->interpolation >= 0) {
        site->slots = vectors_of(e), site->interpolation = e->interpolation;
        return;
    }
    for (int i = 0; i < vectors_of(e); i++)
        for (int j = 0; j < e->ambient; j++) N[i * e->ambient + j] = e->N[i][j];
    ts_model_vectors(s->model, vectors_of(e), N);
    e->interpolation = s->model->sites[s->model->sites_count - 1].interpolation;
}

/* Where a vector stands among places and directors, node by node: x_1, d_1, x_2, ... */
static int place_of(const element *e, int z) {
    return z < e->nodes - 1 ? 2 * z : 2 * (z - e->nodes + 1) + 1;
}

static void add_form(const shell *s, const element *e, const ts_shell_form *f) {
    double drawn = 0, largest = 0, S[TS_SHELL_VECTORS][TS_SHELL_VECTORS];
    int n = vectors_of(e);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            S[a][b] = f->S[place_of(e, a)][place_of(e, b)];
            drawn += S[a][b] * v3_dot(e->z[a], e->z[b]);
            largest = fmax(largest, fabs(S[a][b]));
        }
    ts_form_new(s->model, -drawn);
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++)
            if (fabs(S[a][b]) > 1e-15 * largest)
                ts_form_pair(s->model, a, b, a == b ? S[a][a] : 2 * S[a][b]);
}

/* The place of a station as drawn, for results; returns where it is in model->numbers. */
static int add_place(const shell *s, const element *e, v3 xi) {
    double N[TS_CELL_NODES];
    v3 dN[TS_CELL_NODES], x = {0, 0, 0};
    ts_cell_shape(e->nodes == 9 ? TS_CELL_QUAD9 : TS_CELL_QUAD4, xi, N, dN);
    for (int a = 0; a < e->nodes; a++) x = v3_axpy(N[a], e->x[a], x);
    int first = ts_model_number(s->model, x.x);
    ts_model_number(s->model, x.y);
    ts_model_number(s->model, x.z);
    return first;
}

static void add_site(const shell *s, element *e, v3 xi, double weight,
                     const ts_shell_point *point) {
    double area = weight * point->area;
    ts_model_site(s->model, TS_ROLE_LAW, e->nodes, e->node);
    add_vectors(s, e);
    for (int k = 0; k < TS_SHELL_STRAINS; k++) add_form(s, e, &point->form[k]);
    ts_model_number(s->model, s->damping);
    for (int k = 0; k < 64; k++) ts_model_number(s->model, area * s->section.K[k]);
    int place = add_place(s, e, xi);
    ts_model_law(s->model, &TS_LINEAR_LAW);
    ts_station station = {.kind = TS_STATION_SHELL,
                          .weight = area,
                          .place = place,
                          .thickness = s->section.thickness};
    ts_model_station(s->model, station);
}

static bool add_sites(const shell *s, element *e, const ts_quadrature *rule) {
    for (int g = 0; g < rule->count; g++)
        if (!ts_shell_strains(e->nodes, e->x, s->axis1, rule->xi[g].x, rule->xi[g].y, &s->point[g]))
            return false;
    if (e->nodes == 4 && s->enhanced) ts_shell_membrane(e->x, s->section.K, rule->xi, s->point);
    for (int g = 0; g < rule->count; g++)
        add_site(s, e, rule->xi[g], rule->weight[g], &s->point[g]);
    return true;
}

static int add_cell(ts_builder *b, const shell *s, int index) {
    const ts_cell *cell = &s->mesh->cell[index];
    element e;
    ts_quadrature rule;
    set_element(s, cell, &e);
    if (e.ambient > TS_MAX_SLOTS)
        return ts_build_fail(b, MESH, "use a finer mesh or cells of 4 nodes there",
                             "cell %d of 9 nodes has folds along more than three of its sides",
                             index + 1);
    int points = cell->count == 9 ? 3 : 2, per_axis[3] = {points, points, 1};
    ts_cell_gauss(cell->type, per_axis, &rule);
    if (!add_sites(s, &e, &rule))
        return ts_build_fail(b, MESH, NULL, "cell %d of the mesh is flat: it has no area",
                             index + 1);
    lump_mass(s, cell);
    return 0;
}

/* ---- building ---- */

static int find_set(ts_builder *b, const ts_value *value, shell *s) {
    if (value[SET].given) {
        s->set = ts_mesh_find(s->mesh, value[SET].text, 2);
        if (s->set < 0) return ts_build_fail(b, SET, NULL, "%s", ts_error_message());
        return 0;
    }
    s->set = ts_mesh_find(s->mesh, "all", 2);
    if (s->set < 0)
        return ts_build_fail(b, MESH, "give the `set` of its surfaces that makes the shell",
                             "the mesh has no set of all its surfaces");
    return 0;
}

static int check_cells(ts_builder *b, const shell *s) {
    const ts_mesh_set *set = &s->mesh->set[s->set];
    for (int i = 0; i < set->cells; i++) {
        ts_cell_type type = s->mesh->cell[set->cell[i]].type;
        if (type != TS_CELL_QUAD4 && type != TS_CELL_QUAD9)
            return ts_build_fail(b, MESH,
                                 "shells are made of quad4 and quad9; Gmsh makes quads only with "
                                 "Mesh.RecombineAll = 1 and Mesh.SubdivisionAlgorithm = 1",
                                 "cell %d of the mesh is a %s", set->cell[i] + 1,
                                 ts_cell_about(type)->name);
    }
    if (ts_mesh_check(s->mesh, s->set))
        return ts_build_fail(b, MESH, NULL, "%s", ts_error_message());
    if (ts_mesh_check_sides(s->mesh, s->set))
        return ts_build_fail(b, MESH,
                             "reverse one of the surfaces: a patch with u and v exchanged, a plate "
                             "with its corners in reverse order; in Gmsh, Reverse",
                             "%s", ts_error_message());
    return 0;
}

static int read_values(ts_builder *b, const ts_value *value, shell *s) {
    s->mesh_part = value[MESH].part[0];
    s->mesh = ts_mesh_of(b->model, s->mesh_part);
    s->axis1 = value[AXIS1].given ? v3_load(value[AXIS1].number) : v3_axis(0);
    double fold = value[FOLD].given ? value[FOLD].number[0] : 20 * 3.14159265358979323846 / 180;
    if (ts_meshed_damping(b, value, DAMPING, &s->damping)) return TORSOR_EINVAL;
    if (!(fold > 0 && fold < 1.5))
        return ts_build_fail(b, FOLD, NULL, "the angle must lie between 0 and 85 degrees");
    s->cos_fold = cos(fold);
    s->enhanced = !value[ENHANCED].given || value[ENHANCED].number[0] != 0;
    s->section = ts_section_shell(b->model, value[SECTION].part[0]);
    return find_set(b, value, s) || check_cells(b, s) ? TORSOR_EINVAL : 0;
}

static int add_everything(ts_builder *b, shell *s, const ts_value *value) {
    const ts_mesh_set *set = &s->mesh->set[s->set];
    find_corners(s);
    s->point = ts_calloc(TS_SHELL_NODES, sizeof *s->point);
    int code = add_nodes(b, s, value);
    for (int i = 0; !code && i < set->cells; i++) code = add_cell(b, s, set->cell[i]);
    free(s->normal), free(s->first), free(s->corner), free(s->point);
    return code;
}

static int build(ts_builder *b, ts_value *value) {
    shell s = {.model = b->model};
    if (read_values(b, value, &s)) return TORSOR_EINVAL;
    ts_part *part = ts_new_part(b, &TS_KIND_SHELL);
    part->mesh = s.mesh_part, part->mesh_set = s.set, part->points_are = TS_NODE_DIRECTOR;
    return add_everything(b, &s, value);
}

const ts_kind TS_KIND_SHELL = {
    .name = "shell",
    .section = "shells",
    .look = TS_LOOK_SURFACES,
    .help = "A shell on the quadrilaterals of a mesh. Joints, loads and outputs attach to its "
            "nodes: `name.set`, or `name.7` for point 7 of the mesh.",
    .fields = FIELDS,
    .build = build,
    .sample = "{mesh: Q, section: T, axis1: [1, 1, 0], velocity: [0.3, 0, 0.2], "
              "angular_velocity: [1, 2, -0.5], centre: [1, 0, 0]}",
    .default_in_section = true,
};
