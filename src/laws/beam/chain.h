/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of helices: the strains of a beam element of p + 1 nodes, p = 1, 2 or 3, from the helices
 * between its nodes (helix.h).
 *
 * W_j is length times strain of helix j. Strains of the element are polynomials k_0 P_0 + k_1
 * P_1 + k_2 P_2 in Legendre's P_i, over xi in [-1, 1], eps = (2/L) k, taken at p Gauss points.
 * Rotations that commute would have W_j = integral of k over the piece between two nodes, which
 * gives linear guesses s_i for the k_i. Those that do not commute add brackets of se(3) (Magnus'
 * series, inverted; each s_i or k_i is of the order h^(i+1), and every k_i is needed to the order
 * 2p - 1 - i in h for an energy of order h^(2p+1)):
 *
 *     two nodes      k_0 = s_0 = W/2
 *     three nodes    k_1 = s_1 ,   k_0 = s_0 - [s_0, s_1]/12
 *     four nodes     k_2 = s_2 + A [s_0, s_1]
 *                    z   = s_1 + B [s_0, k_2] + C [s_0, [s_0, s_1]]                             (1)
 *                    k_0 = s_0 + D [s_0, z] + E [z, k_2] + F [z, [s_0, z]]
 *                    k_1 = z + G [k_0, k_2] - C [k_0, [k_0, z]]
 *
 * The element then has the order 2p, like an element with interpolated rotations, and keeps the
 * properties of its pieces: a helix is exact, and only the drawn state is free of stress. This
 * holds because each line of (1) can be solved for the quantity that it changes: the last for z,
 * where 1 - C ad^2 has the eigenvalues 1 + C |k_0|^2 (C < 0; positive while the element turns by
 * less than 1100 degrees), the one before for s_0, and so on; with three nodes, 1 + ad/12 is always
 * regular. So W_j are smooth functions of the strains, the gradient of the energy vanishes only at
 * the drawn strains, and no second equilibrium exists while neighbouring nodes differ by less than
 * 180 degrees.
 *
 * All that (1) computes is in x[0], x[1], ..., first the s_i.
 */
#ifndef TS_CHAIN_H
#define TS_CHAIN_H

#include "laws/beam/helix.h"

enum { TS_CHAIN_POINTS = 3, TS_CHAIN_MOST = 14 }; /* the last: of x */

int ts_chain_count(int p);         /* how many x there are */
int ts_chain_moment(int p, int i); /* which x is k_i */

/* `base`: the x of the drawing without brackets. All x are counted from `base`, so that strains
 * keep their digits. */
void ts_chain_draw(int p, const double *helix, v6 *base);
/* All x, counted from `base`, from W_j less W_0; in the functions below x is whole. */
void ts_chain_forward(int p, const v6 *W, const v6 *base, v6 *x);
/* dx: the change of all x when W_j changes by dW_j. */
void ts_chain_forward_change(int p, const v6 *x, const v6 *dW, v6 *dx);
/* out: the second change, that of `one`, itself a change of all x, when x changes by `two` and the
 * dW_j of `one` by dW. */
void ts_chain_forward_second(int p, const v6 *x, const v6 *one, const v6 *two, const v6 *dW,
                             v6 *out);
/* Forces f on all x, from given forces on k_i and zero on the others; then the forces on W_j. */
void ts_chain_backward(int p, const v6 *x, v6 *f, v6 *on_W);
/* The changes of these forces when x changes by dx; df on k_i is given. */
void ts_chain_backward_change(int p, const v6 *x, const v6 *f, const v6 *dx, v6 *df, v6 *on_W);
/* The change of g, which ts_chain_backward_change made of f and of a change of x by `one`, when x
 * changes by dx, `one` by done, and f by df. */
typedef struct ts_chain_pull {
    const v6 *x, *f, *g, *one;
} ts_chain_pull;
void ts_chain_backward_second(int p, const ts_chain_pull *of, const v6 *dx, const v6 *done,
                              const v6 *df, v6 *dg, v6 *on_W);
/* eps at Gauss point g from k; and a force on eps added to those on k */
v6 ts_chain_strain(int p, int g, double length, const v6 *x);
void ts_chain_force(int p, int g, double length, v6 force, v6 *f);

#endif
