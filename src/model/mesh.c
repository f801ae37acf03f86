/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes: filling them, merging points, and the geometry of cells. See mesh.h. */
#include "model/mesh.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "model/kind.h"
#include "model/model.h"

/* ---- filling ---- */

ts_mesh *ts_mesh_new(void) { return ts_calloc(1, sizeof(ts_mesh)); }

void ts_mesh_free(ts_mesh *m) {
    if (!m) return;
    for (int i = 0; i < m->sets; i++)
        free(m->set[i].name), free(m->set[i].cell), free(m->set[i].point);
    free(m->point), free(m->normal), free(m->cell), free(m->node), free(m->set);
    free(m->drawn), free(m);
}

int ts_mesh_point(ts_mesh *m, v3 x) {
    ts_grow(m->point, m->point_room, m->points + 1);
    m->point[m->points] = x;
    return m->points++;
}

void ts_mesh_drawn(ts_mesh *m, int point) {
    ts_grow(m->drawn, m->drawn_room, m->drawns + 1);
    m->drawn[m->drawns++] = point;
}

int ts_mesh_cell(ts_mesh *m, ts_cell_type type, const int *node) {
    int count = ts_cell_about(type)->nodes;
    ts_grow(m->cell, m->cell_room, m->cells + 1);
    ts_grow(m->node, m->node_room, m->nodes + count);
    m->cell[m->cells] = (ts_cell){.type = type, .first = m->nodes, .count = count};
    memcpy(m->node + m->nodes, node, (size_t)count * sizeof *node);
    m->nodes += count;
    return m->cells++;
}

int ts_mesh_set_named(ts_mesh *m, const char *name, int dimension) {
    for (int i = 0; i < m->sets; i++)
        if (m->set[i].dimension == dimension && strcmp(m->set[i].name, name) == 0) return i;
    m->set = ts_realloc(m->set, (size_t)m->sets + 1, sizeof *m->set);
    m->set[m->sets] = (ts_mesh_set){.name = ts_strdup(name), .dimension = dimension};
    return m->sets++;
}

void ts_mesh_into_set(ts_mesh *m, int set, int cell) {
    ts_mesh_set *s = &m->set[set];
    ts_grow(s->cell, s->room, s->cells + 1);
    s->cell[s->cells++] = cell;
}

void ts_mesh_reverse(ts_mesh *m, int cell) {
    int order[TS_CELL_NODES], old[TS_CELL_NODES], *node = m->node + m->cell[cell].first;
    ts_cell_reversed(m->cell[cell].type, order);
    memcpy(old, node, (size_t)m->cell[cell].count * sizeof *old);
    for (int k = 0; k < m->cell[cell].count; k++) node[k] = old[order[k]];
}

void ts_mesh_move(ts_mesh *m, double scale, v3 position, m3 rotation) {
    for (int i = 0; i < m->points; i++) {
        m->point[i] = v3_axpy(scale, m3_apply(rotation, m->point[i]), position);
        if (m->normal) m->normal[i] = m3_apply(rotation, m->normal[i]);
    }
}

void ts_mesh_append(ts_mesh *m, const ts_mesh *other, const char *prefix) {
    int points = m->points, cells = m->cells, node[TS_CELL_NODES];
    bool normals = other->normal && (m->normal || points == 0);
    for (int i = 0; i < other->points; i++) ts_mesh_point(m, other->point[i]);
    for (int i = 0; i < other->drawns; i++) ts_mesh_drawn(m, points + other->drawn[i]);
    if (normals) {
        m->normal = ts_realloc(m->normal, (size_t)m->points, sizeof *m->normal);
        memcpy(m->normal + points, other->normal, (size_t)other->points * sizeof *m->normal);
    } else {
        free(m->normal), m->normal = NULL;
    }
    for (int i = 0; i < other->cells; i++) {
        for (int k = 0; k < other->cell[i].count; k++)
            node[k] = points + ts_mesh_nodes(other, i)[k];
        int cell = ts_mesh_cell(m, other->cell[i].type, node);
        m->cell[cell].tag = other->cell[i].tag;
    }
    for (int s = 0; s < other->sets; s++) {
        const ts_mesh_set *from = &other->set[s];
        char name[200];
        snprintf(name, sizeof name, "%.90s%s%.100s", prefix ? prefix : "", prefix ? "." : "",
                 from->name);
        int set = ts_mesh_set_named(m, name, from->dimension);
        for (int i = 0; i < from->cells; i++) ts_mesh_into_set(m, set, cells + from->cell[i]);
    }
}

/* ---- sorted lists of points and cells ---- */

static int by_number(const void *a, const void *b) {
    int i = *(const int *)a, j = *(const int *)b;
    return (i > j) - (i < j);
}

static int sort_unique(int *list, int count) {
    bool sorted = true;
    for (int i = 1; i < count; i++) sorted = sorted && list[i - 1] < list[i];
    if (sorted) return count;
    qsort(list, (size_t)count, sizeof *list, by_number);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (kept == 0 || list[kept - 1] != list[i]) list[kept++] = list[i];
    return kept;
}

/* `mark` has a byte for each point, all zero before and after. */
static void points_of_set(const ts_mesh *m, ts_mesh_set *s, unsigned char *mark) {
    int count = 0, low = INT_MAX, high = -1;
    for (int i = 0; i < s->cells; i++)
        for (int k = 0; k < m->cell[s->cell[i]].count; k++) {
            int n = ts_mesh_nodes(m, s->cell[i])[k];
            count += !mark[n], mark[n] = 1;
            low = n < low ? n : low, high = n > high ? n : high;
        }
    free(s->point);
    s->point = ts_calloc((size_t)count, sizeof *s->point);
    s->points = 0;
    for (int n = low; n <= high; n++)
        if (mark[n]) s->point[s->points++] = n, mark[n] = 0;
}

void ts_mesh_finish(ts_mesh *m) {
    unsigned char *mark = ts_calloc((size_t)m->points, 1);
    for (int i = 0; i < m->sets; i++) {
        m->set[i].cells = sort_unique(m->set[i].cell, m->set[i].cells);
        points_of_set(m, &m->set[i], mark);
    }
    free(mark);
}

/* ---- merging points ---- */

/* Points that are kept, in boxes of the size of the tolerance: a point within the tolerance of
 * another is in its box or in one of the 26 around. Kept points lie apart, so that a box holds few
 * of them. */
typedef struct boxes {
    int *head, *next; /* first point of a slot, the following ones; -1 ends */
    size_t slots;
    double size;
} boxes;

static v3 box_of(const boxes *b, v3 x) {
    return v3_make(floor(x.x / b->size), floor(x.y / b->size), floor(x.z / b->size));
}

static size_t box_slot(const boxes *b, v3 box) {
    double x[3];
    uint64_t bits, h = 14695981039346656037u;
    v3_store(x, v3_add(box, v3_make(0, 0, 0))); /* -0 becomes 0 */
    for (int k = 0; k < 3; k++) {
        memcpy(&bits, &x[k], sizeof bits);
        h = (h ^ bits) * 1099511628211u, h ^= h >> 29;
    }
    return (size_t)(h % b->slots);
}

static int kept_near(const ts_mesh *m, const boxes *b, int point, double tolerance) {
    v3 x = m->point[point], home = box_of(b, x);
    int nearest = -1;
    for (int k = 0; k < 27; k++) {
        v3 box = v3_add(home, v3_make(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
        for (int p = b->head[box_slot(b, box)]; p >= 0; p = b->next[p])
            if (v3_norm(v3_sub(m->point[p], x)) <= tolerance && (nearest < 0 || p < nearest))
                nearest = p;
    }
    return nearest;
}

/* For each point the kept one it becomes: itself, or one before it. */
static int *first_of_each(const ts_mesh *m, double tolerance) {
    int *same = ts_calloc((size_t)m->points, sizeof *same);
    boxes b = {.slots = 2 * (size_t)m->points + 1, .size = tolerance};
    b.head = ts_calloc(b.slots, sizeof *b.head);
    b.next = ts_calloc((size_t)m->points, sizeof *b.next);
    for (size_t i = 0; i < b.slots; i++) b.head[i] = -1;
    for (int i = 0; i < m->points; i++) {
        same[i] = kept_near(m, &b, i, tolerance);
        if (same[i] >= 0) continue;
        int *head = &b.head[box_slot(&b, box_of(&b, m->point[i]))];
        same[i] = i, b.next[i] = *head, *head = i;
    }
    free(b.head), free(b.next);
    return same;
}

/* Where normals of merged points disagree there is a fold, and no normal. */
static bool normals_agree(const ts_mesh *m, const int *same) {
    for (int i = 0; m->normal && i < m->points; i++)
        if (v3_norm(v3_sub(m->normal[i], m->normal[same[i]])) > 1e-6) return false;
    return m->normal;
}

static int lost_node(const ts_mesh *m, const int *same) {
    for (int c = 0; c < m->cells; c++)
        for (int i = 0; i < m->cell[c].count; i++)
            for (int j = 0; j < i; j++)
                if (same[ts_mesh_nodes(m, c)[i]] == same[ts_mesh_nodes(m, c)[j]]) return c;
    return -1;
}

/* A point as drawn that became an earlier one has lost its number, as it would in the mesh as
 * drawn. */
static void merge_drawn(ts_mesh *m, const int *same) {
    char *seen = ts_calloc((size_t)m->points + 1, 1);
    int kept = 0;
    for (int i = 0; i < m->drawns; i++) {
        int point = same[m->drawn[i]];
        if (!seen[point]) m->drawn[kept++] = point;
        seen[point] = 1;
    }
    m->drawns = kept;
    free(seen);
}

int ts_mesh_merge(ts_mesh *m, double tolerance) {
    int *same = first_of_each(m, tolerance), kept = 0, lost = lost_node(m, same);
    if (lost >= 0) {
        free(same);
        return ts_fail(TORSOR_EINVAL,
                       "two points of cell %d (%s) lie within the tolerance %g of each other",
                       lost + 1, ts_cell_about(m->cell[lost].type)->name, tolerance);
    }
    if (!normals_agree(m, same)) free(m->normal), m->normal = NULL;
    for (int i = 0; i < m->points; i++) {
        if (same[i] != i) {
            same[i] = same[same[i]];
            continue;
        }
        m->point[kept] = m->point[i];
        if (m->normal) m->normal[kept] = m->normal[i];
        same[i] = kept++;
    }
    m->points = kept;
    for (int i = 0; i < m->nodes; i++) m->node[i] = same[m->node[i]];
    merge_drawn(m, same);
    free(same);
    return 0;
}

/* ---- sets by name ---- */

static const char *nearest_set(const ts_mesh *m, const char *name, int dimension) {
    const char *nearest = NULL;
    int best = INT_MAX;
    for (int i = 0; i < m->sets; i++)
        if ((dimension < 0 || m->set[i].dimension == dimension) &&
            ts_word_closer(name, strlen(name), m->set[i].name, &best))
            nearest = m->set[i].name;
    return nearest;
}

static void list_sets(const ts_mesh *m, int dimension, char *buffer, size_t size) {
    size_t used = 0;
    *buffer = 0;
    for (int i = 0; i < m->sets && used < size; i++)
        if (dimension < 0 || m->set[i].dimension == dimension)
            used += (size_t)snprintf(buffer + used, size - used, "%s %.40s",
                                     used ? "," : "; there are", m->set[i].name);
    if (used >= size) memcpy(buffer + size - 4, "...", 4);
}

static int missing_set(const ts_mesh *m, const char *name, int dimension) {
    static const char *const what[] = {"points", "lines", "surfaces", "solids"};
    const char *nearest = nearest_set(m, name, dimension);
    char hint[400] = "; there is none";
    if (nearest)
        snprintf(hint, sizeof hint, "; did you mean '%.100s'?", nearest);
    else if (m->sets)
        list_sets(m, dimension, hint, sizeof hint);
    ts_fail(TORSOR_EINVAL, "the mesh has no set '%.60s'%s%s%s", name, dimension < 0 ? "" : " of ",
            dimension < 0 ? "" : what[dimension], hint);
    return -1;
}

int ts_mesh_find(const ts_mesh *m, const char *name, int dimension) {
    int found = -1;
    for (int i = 0; i < m->sets; i++)
        if (strcmp(m->set[i].name, name) == 0 &&
            (dimension < 0 || m->set[i].dimension == dimension) &&
            (found < 0 || m->set[i].dimension > m->set[found].dimension))
            found = i;
    return found >= 0 ? found : missing_set(m, name, dimension);
}

/* ---- geometry ---- */

int ts_mesh_nearest(const ts_mesh *m, v3 x) {
    int nearest = -1;
    double best = HUGE_VAL;
    for (int i = 0; i < m->points; i++) {
        double d = v3_norm(v3_sub(m->point[i], x));
        if (d < best) best = d, nearest = i;
    }
    return nearest;
}

void ts_mesh_box(const ts_mesh *m, v3 *low, v3 *high) {
    *low = *high = m->nodes ? m->point[m->node[0]] : v3_make(0, 0, 0);
    for (int i = 0; i < m->nodes; i++) {
        v3 x = m->point[m->node[i]];
        *low = v3_make(fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z));
        *high = v3_make(fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z));
    }
}

int ts_mesh_dimension(const ts_mesh *m) {
    int highest = 0;
    for (int i = 0; i < m->cells; i++) {
        int d = ts_cell_about(m->cell[i].type)->dimension;
        highest = d > highest ? d : highest;
    }
    return highest;
}

static v3 direction(v3 a) {
    double length = v3_norm(a);
    return length > 0 ? v3_scale(1 / length, a) : v3_make(0, 0, 0);
}

static m3 fill_up(m3 J, int dimension) {
    if (dimension == 1) {
        v3 a = fabs(J.c[0].x) > 0.6 * v3_norm(J.c[0]) ? v3_axis(1) : v3_axis(0);
        J.c[1] = direction(v3_cross(a, J.c[0]));
    }
    if (dimension < 3) J.c[2] = direction(v3_cross(J.c[0], J.c[1]));
    return J;
}

m3 ts_mesh_jacobian(const ts_mesh *m, int cell, v3 xi, v3 *x) {
    double N[TS_CELL_NODES];
    v3 dN[TS_CELL_NODES], at = {0, 0, 0};
    m3 J = {0};
    ts_cell_shape(m->cell[cell].type, xi, N, dN);
    for (int a = 0; a < m->cell[cell].count; a++) {
        v3 p = m->point[ts_mesh_nodes(m, cell)[a]];
        at = v3_axpy(N[a], p, at);
        for (int k = 0; k < 3; k++) J.c[k] = v3_axpy(v3_get(dN[a], k), p, J.c[k]);
    }
    if (x) *x = at;
    return fill_up(J, ts_cell_about(m->cell[cell].type)->dimension);
}

double ts_mesh_cell_measure(const ts_mesh *m, int cell) {
    ts_quadrature q;
    double sum = 0;
    ts_cell_quadrature(m->cell[cell].type, 5, &q);
    for (int i = 0; i < q.count; i++)
        sum += q.weight[i] * m3_det(ts_mesh_jacobian(m, cell, q.xi[i], NULL));
    return sum;
}

double ts_mesh_measure(const ts_mesh *m, int set) {
    int dimension = ts_mesh_dimension(m), count = set < 0 ? m->cells : m->set[set].cells;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        int cell = set < 0 ? i : m->set[set].cell[i];
        if (set >= 0 || ts_cell_about(m->cell[cell].type)->dimension == dimension)
            sum += ts_mesh_cell_measure(m, cell);
    }
    return sum;
}

const ts_mesh *ts_mesh_of(const ts_model *model, int part) {
    const ts_kind *kind = model->parts[part].kind;
    return kind && strcmp(kind->section, "meshes") == 0 ? model->meshes[model->parts[part].data]
                                                        : NULL;
}
