/* SPDX-License-Identifier: Apache-2.0 */
/* Modes followed from one speed of rotation to the next, for Campbell diagrams.
 *
 * Two modes belong together if their shapes are similar, by the modal assurance criterion with the
 * masses m_k of the nodes (Allemang and Brown 1982),
 *
 *     a(p, q) = |p* m q|^2 / ((p* m p) (q* m q)) ,    0 <= a <= 1 .
 *
 * In the rotating frame, the frequency of a mode falls to zero at a critical speed and rises again
 * with the conjugate shape: so the larger of a(p, q) and a(conj p, q) is used. Shapes of equal
 * frequencies may mix; among pairs of equal similarity, the nearest frequencies decide. Pairs are
 * chosen one after the other, the most similar first. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "modes/modal.h"

static const double ALIKE = 0.1; /* less is another mode */
static const double NEARNESS = 0.05;

/* Products p^T m q of two shapes, [real or imaginary part of p][of q]. */
typedef struct products {
    double value[2][2];
} products;

static const double *part_of(const ts_modes *m, int mode, int imaginary) {
    const double *all = imaginary ? m->quarter : m->shape;
    return all ? all + (size_t)mode * (size_t)m->nodes * 6 : NULL;
}

static double turning_mass(const ts_node *node) {
    double sum = 0;
    for (int s = 1; s < node->slots; s++) sum += node->mass[s][s];
    return sum;
}

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double product(const ts_system *system, int nodes, const double *p, const double *q) {
    double sum = 0;
    if (!p || !q) return 0;
    for (int k = 0; k < nodes; k++, p += 6, q += 6) {
        const ts_node *node = &system->model->nodes[k];
        sum += node->mass[0][0] * dot(p, q) + turning_mass(node) * dot(p + 3, q + 3);
    }
    return sum;
}

static products products_of(const ts_system *system, const ts_modes *a, int i, const ts_modes *b,
                            int j) {
    products out;
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 2; y++)
            out.value[x][y] = product(system, a->nodes, part_of(a, i, x), part_of(b, j, y));
    return out;
}

static double size_of(const ts_system *system, const ts_modes *m, int i) {
    products own = products_of(system, m, i, m, i);
    return own.value[0][0] + own.value[1][1];
}

/* p* m q = (pr.qr + pi.qi) + i (pr.qi - pi.qr); with conj p the signs of pi change. */
static double likeness(const products *p, double sizes) {
    double same = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        double re = p->value[0][0] + sign * p->value[1][1];
        double im = p->value[0][1] - sign * p->value[1][0];
        same = fmax(same, re * re + im * im);
    }
    return sizes > 0 ? same / sizes : 0;
}

static double *score_all(const ts_system *system, const ts_modes *a, const ts_modes *b) {
    double *score = ts_calloc((size_t)a->count * (size_t)b->count + 1, sizeof *score);
    double *size = ts_calloc((size_t)a->count + 1, sizeof *size);
    for (int i = 0; i < a->count; i++) size[i] = size_of(system, a, i);
    for (int j = 0; j < b->count; j++) {
        double own = size_of(system, b, j);
        for (int i = 0; i < a->count; i++) {
            products p = products_of(system, a, i, b, j);
            double alike = likeness(&p, size[i] * own);
            double sum = a->mode[i].frequency + b->mode[j].frequency;
            double apart = sum > 0 ? fabs(a->mode[i].frequency - b->mode[j].frequency) / sum : 0;
            score[i * b->count + j] = alike < ALIKE ? -1 : alike - NEARNESS * apart;
        }
    }
    free(size);
    return score;
}

void ts_modes_follow(const ts_system *system, const ts_modes *before, const ts_modes *after,
                     int *match) {
    double *score = score_all(system, before, after);
    for (int j = 0; j < after->count; j++) match[j] = -1;
    for (;;) {
        int best = -1, all = before->count * after->count;
        for (int k = 0; k < all; k++)
            if (score[k] > -0.5 && (best < 0 || score[k] > score[best])) best = k;
        if (best < 0) break;
        int i = best / after->count, j = best % after->count;
        match[j] = i;
        for (int k = 0; k < after->count; k++) score[i * after->count + k] = -1;
        for (int k = 0; k < before->count; k++) score[k * after->count + j] = -1;
    }
    free(score);
}
