/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of a mesh, and its boundary. See mesh.h.
 *
 * Faces and edges are matched by their corners: sorted, they are the key of a table (open
 * addressing).
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/mesh.h"

/* ---- cells ---- */

const char *ts_mesh_cell_words(const ts_mesh *m, int cell, char *buffer, size_t size) {
    const ts_cell *c = &m->cell[cell];
    v3 x = {0, 0, 0};
    for (int k = 0; k < c->count; k++)
        x = v3_axpy(1.0 / c->count, m->point[ts_mesh_nodes(m, cell)[k]], x);
    char element[60] = "";
    if (c->tag) snprintf(element, sizeof element, ", element %ld of the file", c->tag);
    snprintf(buffer, size, "cell %d (%s%s, near [%.5g, %.5g, %.5g])", cell + 1,
             ts_cell_about(c->type)->name, element, x.x, x.y, x.z);
    return buffer;
}

/* The determinant for edges of length 1; 0 where an edge is nothing beside the others. Normals,
 * which fill up the Jacobian of a surface, are no edges. */
static double relative_determinant(m3 J, int dimension) {
    double longest = 0, shortest = HUGE_VAL, product = 1;
    for (int d = 0; d < dimension; d++) {
        double edge = v3_norm(J.c[d]);
        longest = fmax(longest, edge), shortest = fmin(shortest, edge), product *= edge;
    }
    return shortest > 1e-10 * longest ? m3_det(J) / product : 0;
}

static int refuse_cell(const ts_mesh *m, int cell, double determinant) {
    char words[200];
    ts_mesh_cell_words(m, cell, words, sizeof words);
    if (determinant < 0)
        return ts_fail(TORSOR_EINVAL,
                       "%s is inside out, or folded: its Jacobian is negative (%.3g of the product "
                       "of its edges); number the nodes of its first face so that the second face "
                       "is on the side of the right-hand thumb",
                       words, determinant);
    return ts_fail(TORSOR_EINVAL,
                   "%s is degenerate: its nodes lie in a plane, on a line, or at one point", words);
}

static int check_at(const ts_mesh *m, int cell, v3 xi, v3 *normal) {
    m3 J = ts_mesh_jacobian(m, cell, xi, NULL);
    int dimension = ts_cell_about(m->cell[cell].type)->dimension;
    double determinant = relative_determinant(J, dimension);
    bool surface = dimension == 2;
    if (surface && v3_norm(*normal) > 0 && v3_dot(*normal, J.c[2]) < 0) determinant = -determinant;
    if (surface && v3_norm(*normal) == 0) *normal = J.c[2];
    if (determinant > 1e-9) return 0; /* also false for NaN */
    return refuse_cell(m, cell, determinant < -1e-9 ? determinant : 0);
}

static int check_cell(const ts_mesh *m, int cell) {
    const ts_cell_info *c = ts_cell_about(m->cell[cell].type);
    char words[200];
    if (c->dimension == 0) return 0;
    if (!c->shapes)
        return ts_fail(
            TORSOR_EINVAL,
            "%s is of a type without an element in torsor; mesh with hexahedra or tetrahedra only",
            ts_mesh_cell_words(m, cell, words, sizeof words));
    ts_quadrature q;
    v3 normal = {0, 0, 0};
    ts_cell_quadrature(m->cell[cell].type, 2 * c->order, &q);
    for (int i = 0; i < q.count; i++)
        if (check_at(m, cell, q.xi[i], &normal)) return TORSOR_EINVAL;
    for (int i = 0; i < c->corners; i++)
        if (check_at(m, cell, ts_cell_node(m->cell[cell].type, i), &normal)) return TORSOR_EINVAL;
    return 0;
}

int ts_mesh_check(const ts_mesh *m, int set) {
    int count = set < 0 ? m->cells : m->set[set].cells;
    for (int i = 0; i < count; i++)
        if (check_cell(m, set < 0 ? i : m->set[set].cell[i])) return TORSOR_EINVAL;
    return 0;
}

/* ---- a table of faces or edges ---- */

typedef struct side {
    int key[4];     /* corners, ascending; -1 where there are fewer */
    int cell, face; /* the first that has it */
    /* how many have it; of edges, how many from the lower to the higher point */
    int count, forward;
} side;

typedef struct sides {
    side *slot;
    size_t slots;
} sides;

static sides sides_new(size_t most) {
    sides t = {.slots = 2 * most + 1};
    t.slot = ts_calloc(t.slots, sizeof *t.slot);
    return t;
}

static void sort_key(int key[4], int count) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && key[j - 1] > key[j]; j--) {
            int swap = key[j];
            key[j] = key[j - 1], key[j - 1] = swap;
        }
}

/* The side with these corners, new when its count is zero. */
static side *sides_find(sides *t, const int key[4]) {
    uint64_t h = 14695981039346656037u;
    for (int i = 0; i < 4; i++) h = (h ^ (uint32_t)key[i]) * 1099511628211u, h ^= h >> 29;
    size_t at = (size_t)(h % t->slots);
    for (;; at = (at + 1) % t->slots) {
        side *s = &t->slot[at];
        if (s->count == 0) {
            for (int i = 0; i < 4; i++) s->key[i] = key[i];
            return s;
        }
        if (s->key[0] == key[0] && s->key[1] == key[1] && s->key[2] == key[2] &&
            s->key[3] == key[3])
            return s;
    }
}

static side *add_face(sides *t, const ts_mesh *m, int cell, int face) {
    int node[TS_FACE_NODES], key[4] = {-1, -1, -1, -1};
    ts_cell_type type = m->cell[cell].type;
    ts_cell_face_nodes(type, face, node);
    int corners = ts_cell_about(ts_cell_about(type)->face)->corners;
    for (int k = 0; k < corners; k++) key[k] = ts_mesh_nodes(m, cell)[node[k]];
    sort_key(key, corners);
    side *s = sides_find(t, key);
    if (s->count++ == 0) s->cell = cell, s->face = face;
    return s;
}

static int by_cell(const void *a, const void *b) {
    const ts_mesh_face *f = a, *g = b;
    if (f->cell != g->cell) return f->cell < g->cell ? -1 : 1;
    return (f->face > g->face) - (f->face < g->face);
}

int ts_mesh_boundary(const ts_mesh *m, int set, ts_mesh_face **faces) {
    int count = set < 0 ? m->cells : m->set[set].cells, found = 0;
    size_t most = 0;
    for (int i = 0; i < count; i++)
        most += (size_t)ts_cell_about(m->cell[set < 0 ? i : m->set[set].cell[i]].type)->faces;
    sides t = sides_new(most);
    for (int i = 0; i < count; i++) {
        int cell = set < 0 ? i : m->set[set].cell[i];
        for (int f = 0; f < ts_cell_about(m->cell[cell].type)->faces; f++) add_face(&t, m, cell, f);
    }
    for (size_t i = 0; i < t.slots; i++) found += t.slot[i].count == 1;
    *faces = ts_calloc((size_t)found, sizeof **faces);
    found = 0;
    for (size_t i = 0; i < t.slots; i++)
        if (t.slot[i].count == 1)
            (*faces)[found++] = (ts_mesh_face){t.slot[i].cell, t.slot[i].face};
    qsort(*faces, (size_t)found, sizeof **faces, by_cell);
    free(t.slot);
    return found;
}

/* ---- which side is up ---- */

static int refuse_sides(const ts_mesh *m, int a, int b) {
    char one[200], other[200];
    return ts_fail(TORSOR_EINVAL, "%s and its neighbour %s have opposite normals",
                   ts_mesh_cell_words(m, a, one, sizeof one),
                   ts_mesh_cell_words(m, b, other, sizeof other));
}

/* Two neighbours that agree go along their common edge in opposite directions. */
int ts_mesh_check_sides(const ts_mesh *m, int set) {
    const ts_mesh_set *s = &m->set[set];
    sides t = sides_new(4 * (size_t)s->cells);
    int status = 0;
    for (int pass = 0; pass < 2; pass++) /* all edges are counted before the first is judged */
        for (int i = 0; i < s->cells && !status && s->dimension == 2; i++) {
            int cell = s->cell[i], corners = ts_cell_about(m->cell[cell].type)->corners;
            for (int k = 0; k < corners && !status; k++) {
                int a = ts_mesh_nodes(m, cell)[k], b = ts_mesh_nodes(m, cell)[(k + 1) % corners];
                side *edge = sides_find(&t, (int[4]){a < b ? a : b, a < b ? b : a, -1, -1});
                if (pass == 0) {
                    if (edge->count++ == 0) edge->cell = cell;
                    edge->forward += a < b;
                } else if (edge->count == 2 && edge->forward != 1 && edge->cell != cell) {
                    status = refuse_sides(m, edge->cell, cell);
                }
            }
        }
    free(t.slot);
    return status;
}
