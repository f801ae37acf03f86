/* SPDX-License-Identifier: Apache-2.0 */
/* Solids: hexahedra of 8, 20 or 27 nodes, tetrahedra of 4 or 10, on the cells of a mesh. S1 section
 * 3.5; docs/theory.md.
 *
 * Nodes are points. With X the place as drawn and F = dx/dX, the six strains of Green and Lagrange
 *
 *     E = (F^T F - I)/2 ,        e = (E11, E22, E33, 2 E12, 2 E23, 2 E13)
 *
 * are forms of the three columns of F, the vectors of a site. The material gives the stresses for
 * them.
 *
 * The plain hexahedron of 8 nodes is too stiff in bending. So it has three more displacements a_k,
 * which its neighbours do not share: enhanced strains (J. C. Simo, M. S. Rifai, Int. J. Num. Meth.
 * Eng. 29 (1990) 1595), those of Wilson's modes,
 *
 *     E_ij += (j0/j) sum_k xi_k (a_k,i g^k_j + a_k,j g^k_i)/2 ,
 *
 * with g^k = grad xi_k and j0 the Jacobian at the centre. They are linear in a, so the strains
 * remain forms, and vanish for constant strain: the patch test holds. The a_k are inner nodes of
 * the element, without mass.
 *
 * For a nearly incompressible material, the part of its energy that resists a change of volume is
 * integrated at fewer points: selective reduced integration (T. J. R. Hughes, Int. J. Num. Meth.
 * Eng. 15 (1980) 1413). That part is Lame's lambda, not the whole bulk modulus: the rest, 2 mu E :
 * E, resists every strain. In a hyperelastic hexahedron of 8 nodes that part is a function of its
 * whole volume, the mean dilatation: dilatation_law.c.
 *
 * Mass is lumped in proportion to the diagonal of the consistent matrix (E. Hinton, T. Rock, O. C.
 * Zienkiewicz, Earthquake Eng. Struct. Dyn. 4 (1976) 245): positive for every cell here.
 */
#include "base/error.h"
#include "model/mesh_nodes.h"
#include "parts/continuum.h"

enum { MESH, SET, MATERIAL, AXES, ENHANCED, VOLUMETRIC, DAMPING /* and motion */ };

static const char *const MATERIALS[] = {"materials", NULL};
static const char *const INTEGRATIONS[] = {"auto", "full", "reduced", NULL};
enum { AUTO, FULL, REDUCED };

static const ts_field FIELDS[] = {
    TS_MESH_FIELD,
    {.name = "set",
     .type = TS_TEXT,
     .help = "The set of cells that make this solid.",
     .fallback = "all"},
    {.name = "material",
     .type = TS_PART,
     .required = true,
     .help = "The material, one of `materials`.",
     .choices = MATERIALS},
    {.name = "axes",
     .type = TS_ROTATION,
     .help = "The axes 1, 2, 3 of the material, as a rotation of the global axes.",
     .fallback = "the global axes"},
    {.name = "enhanced",
     .type = TS_BOOLEAN,
     .help = "hex8: enhanced strains, so that it bends well. In large strains they make it "
             "unstable, from stretches of 1.75 on, in nearly incompressible materials from 1.1 on; "
             "the audit of resolution reports where.",
     .fallback = "true; false in hyperelastic materials whose bulk modulus is above ten times the "
                 "shear modulus"},
    {.name = "volumetric",
     .type = TS_CHOICE,
     .help =
         "Integration of the resistance to a change of volume. reduced avoids locking of nearly "
         "incompressible materials: it uses fewer points, or in hyperelastic hex8 the mean "
         "dilatation of the cell. In large stretches fewer points make an element unstable.",
     .choices = INTEGRATIONS,
     .fallback = "auto: reduced where the bulk modulus is above ten times the shear modulus, but "
                 "full in hyperelastic cells of order 2"},
    TS_MESHED_MOTION_FIELDS,
    {0}};

enum { STRAINS = 6, INNER = 3 };

typedef struct solid {
    ts_model *model;
    const ts_mesh *mesh;
    int mesh_part, set, material;
    m3 axes;
    double damping, density;
    bool hyperelastic, resists_volume;
    int enhanced;    /* as given: 0 or 1; -1: not given */
    int integration; /* AUTO, FULL, REDUCED */
    /* of a site without enhancement: all others have the same; -1 as long as there is none */
    int first_form;
    int first_dilatation; /* of a site of a mean dilatation; -1: none yet */
} solid;

/* An element, with its centre. */
typedef struct element {
    const ts_cell *cell;
    const int *point;
    int nodes, node[TS_MAX_NODES]; /* those of the cell, then the inner ones */
    int form;                      /* the first of its forms; -1: none yet */
    double j0;
    v3 g[INNER]; /* gradients of the reference coordinates at the centre */
} element;

/* ---- which form an element takes ----
 *
 * Stretched rubber shows which forms are stable (docs/solids.md has numbers). With enhanced strains
 * a hexahedron is unstable beyond some stretch, and with a separate volumetric share already at
 * strains of some tenths. With that share at fewer points every element is unstable, because a
 * pressure then acts in some of its motions and not in others. So a nearly incompressible law for
 * large strains uses the mean dilatation in plain hexahedra of 8 nodes, and full integration in all
 * others. */

static bool is_enhanced(const solid *s, ts_cell_type type) {
    if (type != TS_CELL_HEX8) return false;
    return s->enhanced >= 0 ? s->enhanced : !(s->hyperelastic && s->resists_volume);
}

static bool is_reduced(const solid *s, ts_cell_type type) {
    if (s->integration != AUTO) return s->integration == REDUCED;
    return s->resists_volume && (!s->hyperelastic || type == TS_CELL_HEX8);
}

/* The stretch (or its inverse) up to which the form of an element is stable where the material is;
 * 0: any. Found from eigenvalues of one element in uniform stretch, and from balloons:
 * tests/test_solid_stretch.py. */
static double range_of(const solid *s, ts_cell_type type) {
    bool apart = is_reduced(s, type);
    if (!s->hyperelastic) return 0; /* linear laws have a strain measure of their own */
    if (is_enhanced(s, type)) return apart ? 1.1 : 1.75;
    if (!apart || type == TS_CELL_HEX8 || type == TS_CELL_TET4) return 0;
    return type == TS_CELL_TET10 ? 1.5 : 3;
}

static int node_at(const solid *s, int point, const ts_value *value) {
    int count = s->model->nodes_count;
    int node = ts_mesh_node(s->model, s->mesh_part, point, TS_NODE_POINT, v3_axis(2));
    if (s->model->nodes_count > count) ts_meshed_motion(&s->model->nodes[node], value + DAMPING);
    return node;
}

/* ---- the place in space of a point of the element ---- */

typedef struct place {
    double N[TS_CELL_NODES], j; /* shape functions, Jacobian */
    v3 gradient[TS_CELL_NODES]; /* of the shape functions, by the place as drawn */
    v3 x;                       /* as drawn */
    m3 inverse;                 /* its columns: gradients of the reference coordinates */
} place;

static bool set_place(const solid *s, const element *e, v3 xi, place *p) {
    v3 dN[TS_CELL_NODES], c[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    ts_cell_shape(e->cell->type, xi, p->N, dN);
    p->x = v3_make(0, 0, 0);
    for (int a = 0; a < e->cell->count; a++)
        p->x = v3_axpy(p->N[a], s->mesh->point[e->point[a]], p->x);
    for (int a = 0; a < e->cell->count; a++)
        for (int k = 0; k < 3; k++)
            c[k] = v3_axpy(v3_get(dN[a], k), s->mesh->point[e->point[a]], c[k]);
    m3 J = m3_cols(c[0], c[1], c[2]);
    p->j = m3_det(J);
    if (!(p->j > 0)) return false;
    p->inverse = m3_invt(J);
    for (int a = 0; a < e->cell->count; a++) p->gradient[a] = m3_apply(p->inverse, dN[a]);
    return true;
}

/* ---- sites ---- */

static const int ROW[STRAINS] = {0, 1, 2, 0, 1, 0}, COLUMN[STRAINS] = {0, 1, 2, 1, 2, 2};

/* E_ij += sum_k z_k,i g^k_j ..., z_k the vectors of the inner nodes */
static void add_enhancement(const solid *s, const element *e, int k) {
    int i = ROW[k], j = COLUMN[k];
    for (int n = 0; n < INNER; n++) {
        v3 term = v3_scale(v3_get(e->g[n], j), v3_axis(i));
        if (i != j) term = v3_axpy(v3_get(e->g[n], i), v3_axis(j), term);
        ts_form_linear(s->model, 3 + n, term);
    }
}

/* Sites with the same forms share what these are made of. */
static void add_strains(solid *s, element *e) {
    bool inner = e->nodes > e->cell->count;
    int *made = inner ? &e->form : &s->first_form, first = s->model->forms_count;
    for (int k = 0; k < STRAINS; k++) {
        if (*made >= 0) {
            ts_form_copy(s->model, *made + k);
            continue;
        }
        ts_form_new(s->model, k < 3 ? -0.5 : 0);
        ts_form_pair(s->model, ROW[k], COLUMN[k], k < 3 ? 0.5 : 1);
        if (inner) add_enhancement(s, e, k);
    }
    if (*made < 0) *made = first;
}

static void add_vectors(const solid *s, const element *e, v3 xi, const place *p) {
    double N[(3 + INNER) * TS_MAX_NODES] = {0};
    int cell = e->cell->count, inner = e->nodes - cell;
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < cell; a++) N[k * e->nodes + a] = v3_get(p->gradient[a], k);
    for (int n = 0; n < inner; n++) N[(3 + n) * e->nodes + cell + n] = e->j0 / p->j * v3_get(xi, n);
    ts_model_vectors(s->model, 3 + inner, N);
}

/* Rules of few points do not integrate the gradients of a cell exactly unless it is a
 * parallelepiped, and constant stress would not be in balance. So their gradients are shifted to
 * the right mean, as is done with one point by D. P. Flanagan, T. Belytschko, Int. J. Num. Meth.
 * Eng. 17 (1981) 679. */
typedef struct mean {
    double volume;
    v3 gradient[TS_CELL_NODES]; /* of the shape functions */
} mean;

static bool set_mean(const solid *s, const element *e, const ts_quadrature *rule, mean *m) {
    *m = (mean){.volume = 0};
    for (int g = 0; g < rule->count; g++) {
        place p;
        if (!set_place(s, e, rule->xi[g], &p)) return false;
        m->volume += rule->weight[g] * p.j;
        for (int a = 0; a < e->cell->count; a++)
            m->gradient[a] = v3_axpy(rule->weight[g] * p.j, p.gradient[a], m->gradient[a]);
    }
    for (int a = 0; a < e->cell->count; a++)
        m->gradient[a] = v3_scale(1 / m->volume, m->gradient[a]);
    return true;
}

static void shift_to_mean(const element *e, const mean *right, const mean *found, place *p) {
    for (int a = 0; a < e->cell->count; a++)
        p->gradient[a] = v3_add(p->gradient[a], v3_sub(right->gradient[a], found->gradient[a]));
}

/* One site, for a volume; its forms are the strains at a place. */
static void add_site(solid *s, element *e, v3 xi, const place *p, ts_share share, double volume) {
    ts_model_site(s->model, TS_ROLE_LAW, e->nodes, e->node);
    add_vectors(s, e, xi, p);
    add_strains(s, e);
    ts_material_solid(s->model, s->material, share, volume, s->damping, s->axes);
    ts_site *site = &s->model->sites[s->model->sites_count - 1];
    ts_station station = {
        .kind = TS_STATION_SOLID, .weight = volume, .place = s->model->numbers_count};
    site->volume = volume;
    for (int k = 0; k < 3; k++) ts_model_number(s->model, v3_get(p->x, k));
    if (share == TS_SHARE_VOLUMETRIC) return;
    ts_model_station(s->model, station);
    ts_model_handed(s->model, site->interpolation);
    site->range = range_of(s, e->cell->type);
}

static bool add_sites(solid *s, element *e, const ts_quadrature *rule, ts_share share) {
    for (int g = 0; g < rule->count; g++) {
        place p;
        if (!set_place(s, e, rule->xi[g], &p)) return false;
        add_site(s, e, rule->xi[g], &p, share, rule->weight[g] * p.j);
    }
    return true;
}

/* ---- mean dilatation of a hexahedron of 8 nodes ---- */

/* Vector k < 3 is a_k, k >= 3 is u_k of dilatation_law.c. */
static double natural_weight(const element *e, int k, int corner) {
    v3 xi = ts_cell_node(e->cell->type, corner);
    double across = v3_get(xi, (k + 1) % 3) * v3_get(xi, (k + 2) % 3);
    return 0.125 * (k < 3 ? v3_get(xi, k) : across);
}

/* Weights of the corners in a_k and u_k, both over the length of a_k as drawn: all terms of the
 * volume then have the same factor, and the forms of flat cells are near one, too. `drawn`: these
 * vectors as drawn. */
static void natural_weights(const solid *s, const element *e, double *N, v3 drawn[6]) {
    for (int k = 0; k < 6; k++) {
        drawn[k] = v3_make(0, 0, 0);
        for (int a = 0; a < e->cell->count; a++)
            drawn[k] = v3_axpy(natural_weight(e, k, a), s->mesh->point[e->point[a]], drawn[k]);
    }
    for (int k = 5; k >= 0; k--) {
        double length = v3_norm(drawn[k % 3]);
        for (int a = 0; a < e->cell->count; a++)
            N[k * e->nodes + a] = natural_weight(e, k, a) / length;
        drawn[k] = v3_scale(1 / length, drawn[k]);
    }
}

/* A_ij, then M_ik: which two vectors. */
static void dilatation_pair(int form, int *a, int *b) {
    *a = form < STRAINS ? ROW[form] : (form - STRAINS) / 3;
    *b = form < STRAINS ? COLUMN[form] : 3 + (form - STRAINS) % 3;
}

static void add_dilatation(solid *s, element *e, double volume) {
    double N[6 * TS_MAX_NODES] = {0}, forms[TS_DILATATION_FORMS];
    v3 drawn[6];
    natural_weights(s, e, N, drawn);
    ts_model_site(s->model, TS_ROLE_LAW, e->nodes, e->node);
    ts_model_vectors(s->model, 6, N);
    int first = s->model->forms_count;
    for (int k = 0; k < TS_DILATATION_FORMS; k++) {
        int a, b;
        dilatation_pair(k, &a, &b);
        forms[k] = v3_dot(drawn[a], drawn[b]);
        if (s->first_dilatation >= 0) {
            ts_form_copy(s->model, s->first_dilatation + k);
            continue;
        }
        ts_form_new(s->model, 0);
        ts_form_pair(s->model, a, b, 1);
    }
    if (s->first_dilatation < 0) s->first_dilatation = first;
    ts_material_dilatation(s->model, s->material, volume, s->damping,
                           ts_dilatation_log_volume(forms));
    s->model->sites[s->model->sites_count - 1].volume = volume;
}

/* The volumetric share at the points of `few`. */
static bool add_volumetric(solid *s, element *e, const ts_quadrature *whole,
                           const ts_quadrature *few) {
    mean right, found;
    if (!set_mean(s, e, whole, &right) || !set_mean(s, e, few, &found)) return false;
    if (e->cell->type == TS_CELL_HEX8 && s->hyperelastic) {
        add_dilatation(s, e, right.volume);
        return true;
    }
    for (int g = 0; g < few->count; g++) {
        place p;
        set_place(s, e, few->xi[g], &p);
        shift_to_mean(e, &right, &found, &p);
        double volume = few->weight[g] * p.j * right.volume / found.volume;
        add_site(s, e, few->xi[g], &p, TS_SHARE_VOLUMETRIC, volume);
    }
    return true;
}

/* ---- elements ---- */

static void add_inner_nodes(solid *s, element *e) {
    place p;
    if (!is_enhanced(s, e->cell->type) || !set_place(s, e, v3_make(0, 0, 0), &p)) return;
    e->j0 = p.j;
    for (int n = 0; n < INNER; n++) {
        int node = ts_model_node(s->model, TS_NODE_POINT, v3_make(0, 0, 0), m3_identity());
        s->model->nodes[node].inner = true;
        e->g[n] = p.inverse.c[n];
        e->node[e->nodes++] = node;
    }
}

/* Degrees of the rules: for the whole, and for the volumetric share where that is taken apart. */
static int whole_degree(const ts_cell_info *about) {
    if (about->simplex) return about->order == 1 ? 1 : 2;
    return about->order == 1 ? 3 : 5;
}

static int reduced_degree(const ts_cell_info *about) {
    return about->simplex || about->order == 1 ? 1 : 3;
}

static bool lump_mass(const solid *s, const element *e) {
    double diagonal[TS_CELL_NODES] = {0}, mass = 0, sum = 0;
    ts_quadrature rule;
    ts_cell_quadrature(e->cell->type, 5, &rule);
    for (int g = 0; g < rule.count; g++) {
        place p;
        if (!set_place(s, e, rule.xi[g], &p)) return false;
        double m = s->density * rule.weight[g] * p.j;
        mass += m;
        for (int a = 0; a < e->cell->count; a++) diagonal[a] += m * p.N[a] * p.N[a];
    }
    for (int a = 0; a < e->cell->count; a++) sum += diagonal[a];
    for (int a = 0; a < e->cell->count && sum > 0; a++)
        s->model->nodes[e->node[a]].mass[0][0] += mass * diagonal[a] / sum;
    return true;
}

static int add_cell(ts_builder *b, solid *s, int index, const ts_value *value) {
    const ts_cell *cell = &s->mesh->cell[index];
    const ts_cell_info *about = ts_cell_about(cell->type);
    element e = {.cell = cell, .point = ts_mesh_nodes(s->mesh, index), .form = -1};
    ts_quadrature whole, few;
    for (int a = 0; a < cell->count; a++) e.node[e.nodes++] = node_at(s, e.point[a], value);
    add_inner_nodes(s, &e);
    ts_cell_quadrature(cell->type, whole_degree(about), &whole);
    ts_cell_quadrature(cell->type, reduced_degree(about), &few);
    bool apart = is_reduced(s, cell->type);
    bool fine = add_sites(s, &e, &whole, apart ? TS_SHARE_ISOCHORIC : TS_SHARE_WHOLE);
    if (apart) fine = fine && add_volumetric(s, &e, &whole, &few);
    if (fine && lump_mass(s, &e)) return 0;
    return ts_build_fail(b, MESH, NULL, "cell %d of the mesh is inside out, or folded", index + 1);
}

/* ---- building ---- */

static int find_set(ts_builder *b, const ts_value *value, solid *s) {
    const char *name = value[SET].given ? value[SET].text : "all";
    s->set = ts_mesh_find(s->mesh, name, 3);
    if (s->set < 0)
        return ts_build_fail(b, value[SET].given ? SET : MESH, NULL, "%s", ts_error_message());
    if (ts_mesh_check(s->mesh, s->set))
        return ts_build_fail(b, MESH, NULL, "%s", ts_error_message());
    return 0;
}

/* Bulk modulus above ten times the shear modulus, at zero strain; Poisson's ratio 0.45. */
static bool resists_volume(const ts_material *m) {
    const double *C = m->stiffness;
    double bulk = 0, shear = (C[21] + C[28] + C[35]) / 3;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) bulk += C[6 * i + j] / 9;
    return bulk > 10 * shear;
}

static int read_values(ts_builder *b, const ts_value *value, solid *s) {
    if (ts_require_solid(b, value, MATERIAL)) return TORSOR_EINVAL;
    s->mesh_part = value[MESH].part[0], s->material = value[MATERIAL].part[0];
    s->mesh = ts_mesh_of(b->model, s->mesh_part);
    s->axes = value[AXES].given ? m3_load(value[AXES].number) : m3_identity();
    if (ts_meshed_damping(b, value, DAMPING, &s->damping)) return TORSOR_EINVAL;
    ts_material material = ts_material_load(b->model, s->material);
    s->density = material.density;
    s->hyperelastic = ts_material_hyperelastic(&material);
    s->resists_volume = resists_volume(&material);
    s->enhanced = value[ENHANCED].given ? value[ENHANCED].number[0] != 0 : -1;
    s->integration = value[VOLUMETRIC].given ? (int)value[VOLUMETRIC].number[0] : AUTO;
    return find_set(b, value, s);
}

static int build(ts_builder *b, ts_value *value) {
    solid s = {.model = b->model, .first_form = -1, .first_dilatation = -1};
    if (read_values(b, value, &s)) return TORSOR_EINVAL;
    ts_part *part = ts_new_part(b, &TS_KIND_SOLID);
    part->mesh = s.mesh_part, part->mesh_set = s.set, part->points_are = TS_NODE_POINT;
    const ts_mesh_set *set = &s.mesh->set[s.set];
    for (int i = 0; i < set->cells; i++)
        if (add_cell(b, &s, set->cell[i], value)) return TORSOR_EINVAL;
    return 0;
}

const ts_kind TS_KIND_SOLID = {
    .name = "solid",
    .section = "solids",
    .look = TS_LOOK_SOLIDS,
    .help = "A solid on the hexahedra and tetrahedra of a mesh: hex8 (with enhanced strains, or "
            "for rubber with a mean dilatation), hex20, hex27, tet4, tet10. Supports, couplings "
            "and loads attach to its nodes: `name.set`.",
    .fields = FIELDS,
    .build = build,
    .sample = "{mesh: V, material: M}",
    .default_in_section = true,
};
