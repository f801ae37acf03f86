/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel: the forms of a site in closed form, for speed. A part may offer one (beams do); a scheme
 * that knows how to use it does so wherever site->kernel is set. The site also keeps the forms
 * themselves, for all other code; tests compare both.
 *
 * The nodes of the site are frames in a row. Each pair of neighbours is a *link*, with the same few
 * forms of the same few vectors, z = N q, differences and means of the slots of both. Numbers of a
 * site are those of its links, one behind the other. Every form is quadratic but for its constant,
 *
 *     e_k = c_k + b_k(z, z)/2 ,     B_k(z) u = b_k(z, u) = B_k(u) z ,
 *
 * so that one function serves for gradients, for rates, and for a Hessian times a vector.
 */
#ifndef TS_KERNEL_H
#define TS_KERNEL_H

#include <stddef.h>

#include "model/model.h"

/* Forms of a link, numbers in its z (an even number: loops over them take two at once), and the
 * largest number of links of a site. */
enum { TS_LINK_FORMS = 7, TS_LINK_SIZE = 24, TS_KERNEL_LINKS = 3 };
enum {
    TS_KERNEL_FORMS = TS_LINK_FORMS * TS_KERNEL_LINKS,
    TS_KERNEL_SIZE = TS_LINK_SIZE * TS_KERNEL_LINKS
};

static inline int ts_links(const ts_site *site) { return site->nodes - 1; }

/* Motion of the nodes of a site by their unknowns. Positions: displaced, or `still`. Directors: by
 * the rotation of their frame, d -> psi x d, if there are frames D, one per node; else by
 * projectors X as in step/step.h, four per node, the first not used. */
typedef struct ts_motion {
    const m3 *D, *X;
    bool still;
} ts_motion;

/* From the first node of a link on. */
static inline ts_motion ts_motion_from(ts_motion all, int link) {
    return (ts_motion){all.D ? all.D + link : NULL, all.X ? all.X + 4 * link : NULL, all.still};
}

/* A link depends on the positions of its nodes A and B only by their difference. So its tangent is
 * over its own motions: the difference of the displacements, one empty number, the rotations of A,
 * those of B. */
enum { TS_LINK_TURNS = 4, TS_LINK_MOVES = 10 };

/* Rows of the forms of a link over these motions; only the first three rows depend on
 * displacements. */
typedef struct ts_link_rows {
    double of[TS_LINK_FORMS][TS_LINK_MOVES];
} ts_link_rows;

/* Derivative of the forces on the motions of one link by the motions of another, or of itself. */
typedef struct ts_link_block {
    double of[TS_LINK_MOVES][TS_LINK_MOVES];
} ts_link_block;

struct ts_kernel {
    const char *name;
    /* z from an ambient field; and a force by z added to the ambient forces on the nodes whose
     * forces are summed */
    void (*gather)(const ts_model *model, const ts_site *site, const double *ambient, double *z);
    void (*scatter)(const ts_model *model, const ts_site *site, const double *f, double *ambient);
    void (*values)(int links, const double *z, double *e); /* b_k(z, z)/2 */
    void (*rates)(int links, const double *z, const double *u, double *rate);
    /* sum of weight_k B_k(z) */
    void (*force)(int links, const double *z, const double *weight, double *f);
    /* b = B(z) N X, of each link */
    void (*project)(int links, const double *z, ts_motion motion, ts_link_rows *b);
    /* block += Xtest^T N^T (sum of weight_k H_k) N Xtrial, of one link; motions begin with it */
    void (*stiffness)(const double *weight, ts_motion test, ts_motion trial, ts_link_block *block);
};

/* The newest site has a kernel. */
void ts_model_kernel(ts_model *model, const ts_kernel *kernel);

#endif
