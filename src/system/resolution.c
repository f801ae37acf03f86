/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of a state. See resolution.h.
 *
 * Beams: the angle theta between the frames D_A, D_B of neighbouring nodes, 1 + 2 cos
 * theta = tr(D_A^T D_B). It is absolute, not relative to the drawing: an arc drawn with few nodes
 * is as coarse as a straight beam bent into that arc.
 *
 * Shells: cos of the angle between directors of neighbouring nodes of a cell, d_a . d_b. Neighbours
 * are nodes that stand at one of the smallest quadrilaterals that the nodes of the cell span: all
 * of 4 nodes, those of a quarter of 9. So the angle is that of one interval of interpolation, as
 * for beams. The tilt of a director is that from the normal of the cell at its node,
 *
 *     n = (sum N_b,1 x_b) x (sum N_b,2 x_b) ,     cos = d . n/|n| .
 *
 * The tilt is absolute too. A director is drawn as the mean of normals that differ by less than
 * `fold` (20 degrees, at most 85), so it stands within that angle of each of them; where the mesh
 * knows its normals, within 45 degrees. A director that lies in the surface, at 90 degrees from the
 * normal, leaves the shell without thickness, wherever it was drawn.
 *
 * Strains: a site stores the energy V. A bar with the axial stiffness k of the site (its stiffness
 * matrix, other strains being free) would store as much at the strain eps = sqrt(2 V/k). In a
 * homogeneous section that is the root mean square of the strain. Energies are computed in every
 * step anyway, so this costs a comparison. Only linear laws are measured: beams, cables, shells,
 * linear solids.
 *
 * One acos per measure and state: within the loops, cosines are compared.
 */
#include "system/resolution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "laws/linear_law.h"
#include "math/element_shapes.h"
#include "model/mesh.h"
#include "system/system.h"

enum { QUAD_NODES = 9, QUAD_PAIRS = 36, STENCIL = 3 };

/* Derivatives by a reference coordinate at a node: few of the nodes of a cell take part. */
typedef struct stencil {
    int count, node[STENCIL];
    double weight[STENCIL];
} stencil;

typedef struct quad {
    int nodes, pairs;
    int pair[QUAD_PAIRS][2];
    stencil along[QUAD_NODES][2];
} quad;

typedef struct line {
    int node, count;
} line;

struct ts_watch {
    line *line; /* beams */
    int lines;
    int *cell; /* first sites of cells of shells */
    int cells;
    quad quad[2]; /* of 4 and of 9 nodes */
    double *scale;
};

/* ---- what there is to measure ---- */

static stencil stencil_at(ts_cell_type type, int nodes, int at, bool second) {
    double N[TS_CELL_NODES];
    v3 dN[TS_CELL_NODES];
    stencil s = {0};
    ts_cell_shape(type, ts_cell_node(type, at), N, dN);
    for (int b = 0; b < nodes && s.count < STENCIL; b++) {
        double w = second ? dN[b].y : dN[b].x;
        if (fabs(w) > 1e-12) s.node[s.count] = b, s.weight[s.count++] = w;
    }
    return s;
}

static void set_quad(quad *c, ts_cell_type type, int nodes) {
    double interval = nodes == 4 ? 2 : 1; /* between neighbours, in reference coordinates */
    c->nodes = nodes;
    for (int a = 0; a < nodes; a++) {
        v3 xi = ts_cell_node(type, a);
        for (int k = 0; k < 2; k++) c->along[a][k] = stencil_at(type, nodes, a, k == 1);
        for (int b = a + 1; b < nodes; b++) {
            v3 apart = v3_sub(ts_cell_node(type, b), xi);
            if (fmax(fabs(apart.x), fabs(apart.y)) > 1.01 * interval) continue;
            c->pair[c->pairs][0] = a, c->pair[c->pairs++][1] = b;
        }
    }
}

static bool is_line_of_frames(const ts_model *model, const ts_part *part) {
    return part->node >= 0 && part->nodes > 1 && part->sites > 0 &&
           model->sites[part->site].station == TS_STATION_LINE &&
           model->nodes[part->node].kind == TS_NODE_FRAME;
}

static void find_lines(ts_watch *w, const ts_model *model) {
    w->line = ts_calloc((size_t)model->parts_count + 1, sizeof *w->line);
    for (int p = 0; p < model->parts_count; p++)
        if (is_line_of_frames(model, &model->parts[p]))
            w->line[w->lines++] = (line){model->parts[p].node, model->parts[p].nodes};
}

static void find_cells(ts_watch *w, const ts_model *model) {
    w->cell = ts_calloc((size_t)model->sites_count + 1, sizeof *w->cell);
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        bool again = i > 0 && model->sites[i - 1].node == site->node;
        if (site->station == TS_STATION_SHELL && !again) w->cell[w->cells++] = i;
    }
}

/* The stiffness against form j alone, the others being free: Schur's complement. What has no
 * stiffness of its own is passed over. */
static double condensed(int m, const double *given, int j) {
    double K[TS_MAX_FORMS * TS_MAX_FORMS];
    memcpy(K, given, (size_t)(m * m) * sizeof *K);
    for (int k = 0; k < m; k++) {
        double pivot = K[k * m + k];
        if (k == j || !(pivot > 1e-9 * given[k * m + k])) continue;
        for (int r = 0; r < m; r++)
            for (int c = 0; c < m && r != k; c++)
                if (c != k) K[r * m + c] -= K[r * m + k] * K[k * m + c] / pivot;
        for (int r = 0; r < m; r++) K[r * m + k] = K[k * m + r] = 0;
    }
    return K[j * m + j];
}

/* Axial stiffness of a law with section strains, summed over its points. */
static double axial_stiffness_of_sections(const ts_law *law, const double *data) {
    double K[36], sum = 0;
    for (int point = 0; law->section_stiffness(data, point, K); point++) sum += condensed(6, K, 0);
    return sum;
}

static double axial_stiffness(const ts_system *system, const ts_site *site, const double *e) {
    static const int NORMAL_STRAINS[] = {0, 1, 2, 3}; /* by station; they are the first forms */
    double K[TS_MAX_FORMS * TS_MAX_FORMS] = {0}, least = INFINITY;
    if (site->law->section_stiffness)
        return axial_stiffness_of_sections(site->law, system->model->numbers + site->data);
    site->law->stiffness(system->model->numbers + site->data, system->state.memory + site->memory,
                         site->forms, e, K);
    for (int j = 0; j < NORMAL_STRAINS[site->station]; j++)
        least = fmin(least, condensed(site->forms, K, j));
    return least;
}

/* As drawn; a cable that is drawn slack has its stiffness when it is tense. */
static double strain_scale(const ts_system *system, const ts_site *site) {
    double e[TS_MAX_FORMS] = {0};
    bool linear = site->station == TS_STATION_SOLID ? site->law == &TS_LINEAR_LAW
                                                    : site->station != TS_STATION_NONE;
    if (site->role != TS_ROLE_LAW || !linear || !site->law->stiffness || !site->law->energy)
        return 0;
    ts_site_values(system->model, site, system->state.q, e);
    double k = axial_stiffness(system, site, e);
    if (!(k > 0) && site->forms == 1) e[0] = 1e-3, k = axial_stiffness(system, site, e);
    return k > 0 && isfinite(k) ? 2 / k : 0;
}

ts_watch *ts_watch_new(const ts_system *system) {
    const ts_model *model = system->model;
    ts_watch *w = ts_calloc(1, sizeof *w);
    find_lines(w, model);
    find_cells(w, model);
    set_quad(&w->quad[0], TS_CELL_QUAD4, 4);
    set_quad(&w->quad[1], TS_CELL_QUAD9, 9);
    w->scale = ts_calloc((size_t)model->sites_count + 1, sizeof *w->scale);
    for (int i = 0; i < model->sites_count; i++)
        w->scale[i] = strain_scale(system, &model->sites[i]);
    return w;
}

void ts_watch_free(ts_watch *w) {
    if (!w) return;
    free(w->line), free(w->cell), free(w->scale);
    free(w);
}

const double *ts_strain_scales(const ts_watch *watch) { return watch->scale; }

/* ---- measuring ---- */

void ts_seen_clear(ts_seen *seen) {
    for (int m = 0; m < TS_GAUGES; m++) seen->value[m] = 0, seen->at[m] = -1;
}

static double angle_of(double cosine) { return acos(fmax(-1, fmin(1, cosine))); }

/* tr(A^T B) of frames stored as nine numbers. */
static double trace_between(const double *A, const double *B) {
    double sum = 0;
    for (int i = 0; i < 9; i++) sum += A[i] * B[i];
    return sum;
}

static void see_beams(const ts_system *system, const double *q, ts_seen *seen) {
    const ts_watch *w = system->watch;
    double least = 3;
    int at = -1;
    for (int l = 0; l < w->lines; l++) {
        const ts_node *node = &system->model->nodes[w->line[l].node];
        for (int n = 0; n + 1 < w->line[l].count; n++) {
            double trace = trace_between(q + 3 * node[n].slot + 3, q + 3 * node[n + 1].slot + 3);
            if (trace < least) least = trace, at = w->line[l].node + n;
        }
    }
    if (at >= 0) ts_see(seen, TS_BEAM_ANGLE, angle_of(0.5 * (least - 1)), at);
}

/* Places and directors of a cell. At a fold the director is fixed in the frame of the node, with
 * the weights that forms have. */
static void load_cell(const ts_model *model, const ts_site *site, const double *q, const double **x,
                      v3 *d) {
    const double *N = model->interpolation + site->interpolation;
    int first = 0;
    for (int a = 0; a < site->nodes; a++) {
        const ts_node *node = &model->nodes[model->site_nodes[site->node + a]];
        const double *weight = N + (site->nodes - 1 + a) * site->ambient + first + 1;
        x[a] = q + 3 * node->slot;
        if (node->slots == 2)
            d[a] = v3_load(x[a] + 3);
        else
            d[a] = m3_apply(m3_load(x[a] + 3), v3_load(weight));
        first += node->slots;
    }
}

static v3 derivative(const stencil *s, const double **x) {
    v3 sum = {0, 0, 0};
    for (int i = 0; i < s->count; i++) sum = v3_axpy(s->weight[i], v3_load(x[s->node[i]]), sum);
    return sum;
}

/* The cosine with its sign, squared: it grows with the cosine, and needs no root. */
static double signed_square(v3 d, v3 n) {
    double dot = v3_dot(d, n), square = v3_dot(n, n);
    return square > 0 ? dot * fabs(dot) / square : 0;
}

typedef struct least {
    double cosine;
    int at;
} least;

static inline void lower(least *l, double cosine, int at) {
    if (cosine < l->cosine) l->cosine = cosine, l->at = at;
}

static void see_cell(const ts_system *system, int i, const double *q, least *apart, least *tilt) {
    const ts_site *site = &system->model->sites[i];
    const quad *c = &system->watch->quad[site->nodes == 9];
    const double *x[QUAD_NODES];
    v3 d[QUAD_NODES];
    load_cell(system->model, site, q, x, d);
    for (int p = 0; p < c->pairs; p++) lower(apart, v3_dot(d[c->pair[p][0]], d[c->pair[p][1]]), i);
    for (int a = 0; a < c->nodes; a++)
        lower(tilt,
              signed_square(
                  d[a], v3_cross(derivative(&c->along[a][0], x), derivative(&c->along[a][1], x))),
              i);
}

static void see_shells(const ts_system *system, const double *q, ts_seen *seen) {
    least apart = {1, -1}, tilt = {1, -1};
    for (int k = 0; k < system->watch->cells; k++)
        see_cell(system, system->watch->cell[k], q, &apart, &tilt);
    if (apart.at >= 0) ts_see(seen, TS_SHELL_ANGLE, angle_of(apart.cosine), apart.at);
    double cosine = copysign(sqrt(fabs(tilt.cosine)), tilt.cosine);
    if (tilt.at >= 0) ts_see(seen, TS_SHELL_TILT, angle_of(cosine), tilt.at);
}

void ts_see_angles(const ts_system *system, const double *q, ts_seen *seen) {
    see_beams(system, q, seen);
    see_shells(system, q, seen);
}

/* ---- places ---- */

/* Elements of a part on a mesh stand in the order of the cells of its set. */
static int cell_of(const ts_model *model, int site) {
    const ts_part *part = &model->parts[model->sites[site].part];
    const ts_mesh_set *set = &ts_mesh_of(model, part->mesh)->set[part->mesh_set];
    int before = 0;
    for (int i = part->site; i < site; i++)
        before += model->sites[i + 1].node != model->sites[i].node;
    return set->cell[before];
}

static void place_site(const ts_model *model, int at, ts_peak *peak) {
    const ts_site *site = &model->sites[at];
    const ts_part *part = &model->parts[site->part];
    peak->part = site->part;
    if (part->mesh > 0) {
        peak->place = cell_of(model, at) + 1;
    } else if (site->station == TS_STATION_LINE) {
        peak->place = model->site_nodes[site->node] - part->node + 1;
        peak->to = model->site_nodes[site->node + site->nodes - 1] - part->node + 1;
    }
}

static void place_node(const ts_model *model, int at, ts_peak *peak) {
    const ts_part *part = &model->parts[model->nodes[at].part];
    peak->part = model->nodes[at].part;
    if (part->mesh == 0 && part->nodes > 1) peak->place = at - part->node + 1;
}

ts_peak ts_peak_at(const ts_model *model, ts_gauge measure, double value, int at, double t) {
    ts_peak peak = {.value = value, .t = t, .part = -1};
    if (at < 0) return peak;
    if (measure != TS_BEAM_ANGLE && measure != TS_STEP_TURN)
        place_site(model, at, &peak);
    else
        place_node(model, at, &peak);
    if (measure == TS_BEAM_ANGLE) peak.to = peak.place + 1;
    return peak;
}

void ts_note_peaks(ts_system *system, const ts_seen *seen, double t) {
    for (int m = 0; m < TS_GAUGES; m++)
        if (seen->value[m] > system->state.peak[m].value)
            system->state.peak[m] =
                ts_peak_at(system->model, (ts_gauge)m, seen->value[m], seen->at[m], t);
}

/* ---- the drawing ---- */

int ts_check_drawn(const ts_model *model, int p) {
    const ts_part *part = &model->parts[p];
    double limit = TS_GAUGE[TS_BEAM_ANGLE].rejected;
    if (!is_line_of_frames(model, part)) return 0;
    for (int n = part->node; n + 1 < part->node + part->nodes; n++) {
        m3 relative = m3_tmul(model->nodes[n].D, model->nodes[n + 1].D);
        double trace = relative.c[0].x + relative.c[1].y + relative.c[2].z;
        double angle = angle_of(0.5 * (trace - 1));
        if (angle < limit) continue;
        return ts_fail(TORSOR_EINVAL,
                       "neighbouring nodes, %d and %d, are drawn with %.0f deg between their "
                       "frames; at most %.0f deg are allowed",
                       n - part->node + 1, n - part->node + 2, angle * 57.29577951308232,
                       limit * 57.29577951308232);
    }
    return 0;
}
