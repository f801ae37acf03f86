/* SPDX-License-Identifier: Apache-2.0 */
/* Rubber in bending: excess stiffness of plain hexahedra of 8 nodes with the mean dilatation.
 *
 * A cell of the length a, height b and width c, bent about its width to the curvature k, has the
 * strains e_11 = k y of a beam and, its sides being straight, the shear 2 e_12 = k x, which a beam
 * does not have: parasitic shear (E. L. Wilson et al., in S. J. Fenves et al., Numerical and
 * Computer Methods in Structural Mechanics (1973) 43). Across the beam, e_33 = -k y/2 comes with
 * the shear 2 e_23 = k z/2, and e_22 is constant in the cell. The mean volume of the cell is
 * preserved, so that only the shear modulus G = E/3 resists strains that vary within the cell. For
 * a beam of the height t that is n = t/b cells high, the ratio of its stiffness to that of the beam
 * is the mean of the energies,
 *
 *     R = [3 (t^2 - b^2) + 5/2 b^2 + a^2 + c^2/4]/(3 t^2) = 1 + (a^2 - b^2/2 + c^2/4)/(3 t^2) .
 *
 * With one cell the mean strain is zero, e_33 stays zero, and R = (2 b^2 + a^2)/(3 t^2).
 * tests/test_solid_bending.py measures both.
 *
 * The length of the cells relative to the height of the beam is decisive. Heights and lengths are
 * those of the stacks of cells, from face to opposite face. If the length of a stack is more than
 * twice the height of another one, the part may bend, and the worst of all cells is reported.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembler.h"
#include "base/memory.h"
#include "laws/dilatation_law.h"
#include "math/element_shapes.h"

static const double SLENDER = 2, TOLD = 0.1, WANTED = 0.05;
enum { CORNERS = 8, FACES = 6, FACE_NODES = 4 };

typedef struct side {
    int node[FACE_NODES]; /* rising */
    int cell, face;       /* face 2 d + s: at the end s of direction d */
} side;

typedef struct stack {
    int cells; /* number of cells in the stack */
    double height;
} stack;

typedef struct pile {
    const ts_model *model;
    const double *q;
    int count, *site; /* cells: sites of the mean dilatation of a part */
    int *next;        /* per cell and face: the side of the neighbour, 6 cell + face; -1 */
    stack *stack;     /* per cell and direction */
} pile;

typedef struct finding {
    double excess; /* R - 1 */
    int cell, along, across;
} finding;

static int by_nodes(const void *a, const void *b) {
    const side *x = a, *y = b;
    for (int k = 0; k < FACE_NODES; k++)
        if (x->node[k] != y->node[k]) return x->node[k] < y->node[k] ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static double component(v3 x, int d) { return d == 0 ? x.x : d == 1 ? x.y : x.z; }

static bool on_face(int corner, int face) {
    return component(ts_cell_node(TS_CELL_HEX8, corner), face / 2) * (face % 2 ? 1 : -1) > 0;
}

static side side_of(const pile *p, int cell, int face) {
    const int *node = p->model->site_nodes + p->model->sites[p->site[cell]].node;
    side out = {.cell = cell, .face = face};
    int count = 0;
    for (int a = 0; a < CORNERS; a++) {
        if (!on_face(a, face)) continue;
        int at = count++;
        for (; at > 0 && out.node[at - 1] > node[a]; at--) out.node[at] = out.node[at - 1];
        out.node[at] = node[a];
    }
    return out;
}

static void find_neighbours(pile *p) {
    size_t sides = (size_t)p->count * FACES;
    side *all = ts_calloc(sides + 1, sizeof *all);
    for (size_t i = 0; i < sides; i++) {
        all[i] = side_of(p, (int)(i / FACES), (int)(i % FACES));
        p->next[i] = -1;
    }
    qsort(all, sides, sizeof *all, by_nodes);
    for (size_t i = 0; i + 1 < sides; i++) {
        if (memcmp(all[i].node, all[i + 1].node, sizeof all[i].node) != 0) continue;
        int a = FACES * all[i].cell + all[i].face, b = FACES * all[i + 1].cell + all[i + 1].face;
        p->next[a] = b, p->next[b] = a;
    }
    free(all);
}

/* From the middle of a face to that of the opposite one. */
static double edge(const pile *p, int cell, int direction) {
    const int *node = p->model->site_nodes + p->model->sites[p->site[cell]].node;
    v3 sum = {0, 0, 0};
    for (int a = 0; a < CORNERS; a++) {
        double sign = on_face(a, 2 * direction) ? -0.25 : 0.25;
        sum = v3_axpy(sign, v3_load(p->q + 3 * p->model->nodes[node[a]].slot), sum);
    }
    return v3_norm(sum);
}

/* The side by which a walk that came in by the side `in` leaves the cell, and comes into the next
 * one; -1: the end. */
static int step_on(const pile *p, int in) { return p->next[in ^ 1]; }

/* Walks from the cell to the first end of its stack, or around a ring, and from there through the
 * whole stack, twice: to measure and to record. */
static void measure_stack(pile *p, int cell, int direction) {
    int first = FACES * cell + 2 * direction, last = first ^ 1;
    for (int in = step_on(p, last); in >= 0 && in / FACES != cell; in = step_on(p, in)) last = in;
    stack found = {0};
    first = last ^ 1;
    for (int in = first, turn = 0; in >= 0 && !(turn++ && in == first); in = step_on(p, in)) {
        found.cells++;
        found.height += edge(p, in / FACES, in % FACES / 2);
    }
    for (int in = first, turn = 0; in >= 0 && !(turn++ && in == first); in = step_on(p, in))
        p->stack[3 * (in / FACES) + in % FACES / 2] = found;
}

/* R - 1 of a cell bent over its direction `along`, its height lying `across`. */
static double excess(const pile *p, int cell, int along, int across) {
    const stack *of = p->stack + 3 * cell;
    double a = edge(p, cell, along), b = edge(p, cell, across),
           c = edge(p, cell, 3 - along - across);
    double t = of[across].height;
    if (of[along].height < SLENDER * t) return 0;
    double more = of[across].cells == 1 ? a * a - b * b : a * a - 0.5 * b * b + 0.25 * c * c;
    return more / (3 * t * t);
}

static finding worst_of(const pile *p) {
    finding worst = {0};
    for (int cell = 0; cell < p->count; cell++)
        for (int pair = 0; pair < 9; pair++) {
            int along = pair / 3, across = pair % 3;
            double R = along == across ? 0 : excess(p, cell, along, across);
            if (R > worst.excess) worst = (finding){R, cell, along, across};
        }
    return worst;
}

static finding survey(pile *p) {
    p->next = ts_calloc((size_t)p->count * FACES + 1, sizeof *p->next);
    p->stack = ts_calloc((size_t)p->count * 3 + 1, sizeof *p->stack);
    find_neighbours(p);
    for (int i = 0; i < 3 * p->count; i++)
        if (p->stack[i].cells == 0) measure_stack(p, i / 3, i % 3);
    return worst_of(p);
}

static void tell(const pile *p, const char *part, finding f, ts_assembly_report *report) {
    const stack *across = &p->stack[3 * f.cell + f.across];
    v3 x = v3_load(
        p->q +
        3 * p->model->nodes[p->model->site_nodes[p->model->sites[p->site[f.cell]].node]].slot);
    ts_assembly_note(report,
                     "solid '%s' is too stiff in bending: its cells (hex8 of hyperelastic "
                     "material, with mean dilatation) have a shear that a beam does not have. Near "
                     "(%.3g, %.3g, %.3g) m there are %d across %.3g m, each %.3g m long: bending "
                     "stiffness there is about %.0f %% too large. Use cells of order 2, or cells "
                     "up to %.2g m long (%.0f %%). Ignore this where the solid does not bend",
                     part, x.x, x.y, x.z, across->cells, across->height, edge(p, f.cell, f.along),
                     100 * f.excess, across->height * sqrt(3 * WANTED), 100 * WANTED);
}

/* Enhanced strains, whose points come before the dilatation, have inner nodes and no such shear. */
static bool is_plain(const ts_model *model, const ts_part *part, int site) {
    return model->sites[site].law == &TS_DILATATION_LAW &&
           !(site > part->site && model->sites[site - 1].nodes > CORNERS);
}

void ts_note_thickness(const ts_model *model, const double *q, ts_assembly_report *report) {
    pile p = {.model = model, .q = q};
    p.site = ts_calloc((size_t)model->sites_count + 1, sizeof *p.site);
    for (int part = 0; part < model->parts_count; part++) {
        const ts_part *of = &model->parts[part];
        p.count = 0;
        for (int s = of->site; s < of->site + of->sites; s++)
            if (is_plain(model, of, s)) p.site[p.count++] = s;
        if (p.count == 0) continue;
        finding f = survey(&p);
        if (f.excess > TOLD) tell(&p, of->name, f, report);
        free(p.next), free(p.stack);
    }
    free(p.site);
}
