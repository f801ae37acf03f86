/* SPDX-License-Identifier: Apache-2.0 */
/* Triangles over the surface of a mesh.
 *
 * Cells become flat triangles over all their nodes: two for a quad, eight for one with nodes in the
 * middle of its edges and of itself, six without the latter, four for a tri6.
 *
 * Patches. A shape that touches a patch touches the nearest of its triangles, once. In a valley two
 * sides push at the same time, so a surface is divided along edges where it is bent inwards by more
 * than 30 degrees; pieces that are otherwise connected are one patch.
 *
 * Ridges are edges where the surface is bent outwards or ends, and all bent edges of a surface that
 * is not closed, because it may be touched from behind.
 */
#include "parts/touch/faces.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* ---- triangles ---- */

static const int TRI3[] = {0, 1, 2, -1};
static const int QUAD4[] = {0, 1, 2, 0, 2, 3, -1};
static const int TRI6[] = {0, 3, 5, 3, 1, 4, 5, 4, 2, 3, 4, 5, -1};
static const int QUAD8[] = {0, 4, 7, 4, 1, 5, 5, 2, 6, 6, 3, 7, 4, 5, 6, 4, 6, 7, -1};
static const int QUAD9[] = {0, 4, 8, 0, 8, 7, 4, 1, 5, 4, 5, 8, 8,
                            5, 2, 8, 2, 6, 7, 8, 6, 7, 6, 3, -1};

/* By the number of nodes of a cell. */
static const int *const TRIANGLES[TS_FACE_NODES + 1] = {
    [3] = TRI3, [4] = QUAD4, [6] = TRI6, [8] = QUAD8, [9] = QUAD9};

/* Shares of the area of a cell: those of its shape functions where these are positive, so that a
 * pressure is as uniform as the cell allows. Otherwise a third of each triangle. */
static const double QUAD4_SHARE[] = {0.25, 0.25, 0.25, 0.25};
static const double QUAD9_SHARE[] = {1 / 36., 1 / 36., 1 / 36., 1 / 36., 1 / 9.,
                                     1 / 9.,  1 / 9.,  1 / 9.,  4 / 9.};
static const double *const SHARES[TS_FACE_NODES + 1] = {[4] = QUAD4_SHARE, [9] = QUAD9_SHARE};

static double area_of_three(const ts_mesh *mesh, const int *node) {
    v3 a = mesh->point[node[0]];
    return 0.5 *
           v3_norm(v3_cross(v3_sub(mesh->point[node[1]], a), v3_sub(mesh->point[node[2]], a)));
}

/* At first corners and shares refer to points of the mesh. */
static void add_cell(ts_faces *x, const ts_mesh *mesh, int nodes, const int *node) {
    double sum = 0;
    for (const int *t = TRIANGLES[nodes]; t && *t >= 0; t += 3) {
        ts_face face = {{node[t[0]], node[t[1]], node[t[2]]}, {-1, -1, -1}, {false}};
        double area = area_of_three(mesh, face.corner);
        ts_grow(x->face, x->room, x->count + 1);
        x->face[x->count++] = face, sum += area;
        for (int k = 0; k < 3 && !SHARES[nodes]; k++) x->share[face.corner[k]] += area / 3;
    }
    for (int k = 0; k < nodes && SHARES[nodes]; k++) x->share[node[k]] += sum * SHARES[nodes][k];
}

static void add_boundary(ts_faces *x, const ts_mesh *mesh, int set) {
    ts_mesh_face *outer;
    int count = ts_mesh_boundary(mesh, set, &outer);
    for (int i = 0; i < count; i++) {
        int local[TS_FACE_NODES], node[TS_FACE_NODES];
        int nodes = ts_cell_face_nodes(mesh->cell[outer[i].cell].type, outer[i].face, local);
        for (int k = 0; k < nodes; k++) node[k] = ts_mesh_nodes(mesh, outer[i].cell)[local[k]];
        add_cell(x, mesh, nodes, node);
    }
    free(outer);
}

/* Numbers the points that take part, and replaces corners by these numbers. */
static void number_points(ts_faces *x, const ts_mesh *mesh) {
    int *number = ts_calloc((size_t)mesh->points + 1, sizeof *number);
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < 3; k++) number[x->face[i].corner[k]] = 1;
    x->point = ts_calloc((size_t)mesh->points + 1, sizeof *x->point);
    for (int p = 0; p < mesh->points; p++) {
        if (!number[p]) continue;
        x->share[x->points] = x->share[p]; /* p is not below the number of points so far */
        number[p] = x->points, x->point[x->points++] = p;
    }
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < 3; k++) x->face[i].corner[k] = number[x->face[i].corner[k]];
    free(number);
}

static v3 corner_of(const ts_faces *x, const ts_mesh *mesh, int face, int k) {
    return mesh->point[x->point[x->face[face].corner[k % 3]]];
}

/* Twice its area, along its normal. */
static v3 area_of(const ts_faces *x, const ts_mesh *mesh, int face) {
    v3 a = corner_of(x, mesh, face, 0);
    return v3_cross(v3_sub(corner_of(x, mesh, face, 1), a), v3_sub(corner_of(x, mesh, face, 2), a));
}

static void measure_edges(ts_faces *x, const ts_mesh *mesh) {
    double sum = 0;
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < 3; k++)
            sum += v3_norm(v3_sub(corner_of(x, mesh, i, k + 1), corner_of(x, mesh, i, k)));
    x->edge = x->count ? sum / (3 * x->count) : 0;
}

/* ---- patches ---- */

/* Edge `k` of a face, from its lower corner to its higher one. */
typedef struct edge {
    int low, high, face, k, opposite;
} edge;

static int by_ends(const void *a, const void *b) {
    const edge *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->face > y->face) - (x->face < y->face);
}

static int root(int *up, int i) {
    while (up[i] != i) i = up[i] = up[up[i]];
    return i;
}

static const double SHARP = 0.86602540378443865; /* cos 30 degrees */

/* Is the surface bent inwards along a common edge? Then the far corner of one face is above the
 * other. */
static bool is_valley(const ts_faces *x, const ts_mesh *mesh, const edge *a, const edge *b) {
    v3 n = area_of(x, mesh, a->face), m = area_of(x, mesh, b->face);
    v3 far = v3_sub(mesh->point[x->point[b->opposite]], mesh->point[x->point[b->low]]);
    bool bent = v3_dot(n, m) < SHARP * v3_norm(n) * v3_norm(m);
    return bent && v3_dot(n, far) > 0;
}

static edge *edges_of(const ts_faces *x) {
    edge *all = ts_calloc(3 * (size_t)x->count + 1, sizeof *all);
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < 3; k++) {
            const int *c = x->face[i].corner;
            int a = c[k], b = c[(k + 1) % 3];
            all[3 * i + k] = (edge){a < b ? a : b, a < b ? b : a, i, k, c[(k + 2) % 3]};
        }
    qsort(all, 3 * (size_t)x->count, sizeof *all, by_ends);
    return all;
}

static bool same_edge(const edge *a, const edge *b) {
    return a->low == b->low && a->high == b->high;
}

static void find_patches(ts_faces *x, const ts_mesh *mesh, const edge *all) {
    int *up = ts_calloc((size_t)x->count + 1, sizeof *up);
    x->patch = ts_calloc((size_t)x->count + 1, sizeof *x->patch);
    for (int i = 0; i < x->count; i++) up[i] = i;
    for (int i = 1; i < 3 * x->count; i++) {
        const edge *a = &all[i - 1], *b = &all[i];
        if (!same_edge(a, b) || is_valley(x, mesh, a, b)) continue;
        int first = root(up, a->face), second = root(up, b->face);
        up[first > second ? first : second] = first > second ? second : first;
    }
    for (int i = 0; i < x->count; i++)
        x->patch[i] = root(up, i) == i ? x->patches++ : x->patch[root(up, i)];
    free(up);
}

/* ---- ridges ---- */

static const double FLAT = 1e-3; /* rad */

static bool is_bent(const ts_faces *x, const ts_mesh *mesh, const edge *a, const edge *b,
                    bool closed) {
    v3 n = area_of(x, mesh, a->face), m = area_of(x, mesh, b->face);
    v3 far = v3_sub(mesh->point[x->point[b->opposite]], mesh->point[x->point[b->low]]);
    bool bent = v3_norm(v3_cross(n, m)) > FLAT * v3_norm(n) * v3_norm(m) || v3_dot(n, m) < 0;
    return bent && (!closed || v3_dot(n, far) < 0);
}

/* How many edges, from the first on, are the same? */
static int alike(const edge *all, int count) {
    int n = 1;
    while (n < count && same_edge(&all[0], &all[n])) n++;
    return n;
}

static bool is_closed(const edge *all, int count) {
    for (int i = 0, n; i < count; i += n)
        if ((n = alike(all + i, count - i)) < 2) return false;
    return true;
}

/* Adds a ridge to the faces on both sides if they belong to one patch; otherwise to the first of
 * them. */
static void take_ridge(ts_faces *x, const edge *e, int count) {
    for (int i = 0; i < count; i++) {
        if (x->patch[e[i].face] != x->patch[e->face]) continue;
        ts_face *face = &x->face[e[i].face];
        face->edge[e[i].k] = x->ridges;
        face->ridge[e[i].k] = face->ridge[(e[i].k + 1) % 3] = true;
    }
    x->ridges++;
}

static void find_ridges(ts_faces *x, const ts_mesh *mesh, const edge *all) {
    int count = 3 * x->count;
    bool closed = is_closed(all, count);
    for (int i = 0, n; i < count; i += n) {
        n = alike(all + i, count - i);
        if (n != 2 || is_bent(x, mesh, &all[i], &all[i + 1], closed)) take_ridge(x, all + i, n);
    }
}

void ts_faces_of(const ts_mesh *mesh, int set, ts_faces *out) {
    const ts_mesh_set *s = &mesh->set[set];
    *out = (ts_faces){.share = ts_calloc((size_t)mesh->points + 1, sizeof *out->share)};
    if (s->dimension == 3) add_boundary(out, mesh, set);
    for (int i = 0; i < s->cells && s->dimension == 2; i++)
        add_cell(out, mesh, mesh->cell[s->cell[i]].count, ts_mesh_nodes(mesh, s->cell[i]));
    number_points(out, mesh);
    measure_edges(out, mesh);
    edge *all = edges_of(out);
    find_patches(out, mesh, all), find_ridges(out, mesh, all);
    free(all);
}

void ts_faces_clear(ts_faces *x) {
    free(x->point), free(x->share), free(x->face), free(x->patch);
    *x = (ts_faces){0};
}
