/* Kernel: the forms of a site in closed form, for speed. A part may offer one (beams do); a scheme that knows how to use it
 * does so wherever site->kernel is set. The forms themselves stay with the site, for everything else, and the tests hold the
 * two equal.
 *
 * The forms are of a few vectors, weighted sums of the slots of the site's nodes, one behind the other in z = N q. All nodes
 * are frames and every form is quadratic but for its constant,
 *
 *     e_k = c_k + b_k(z, z)/2 ,     B_k(z) u = b_k(z, u) = B_k(u) z ,
 *
 * so that one function serves for gradients, for rates, and for a Hessian times a vector. Projectors X, as in
 * scheme/stepper.h: four per node, the first not used; `still` if places do not move.
 */
#ifndef TS_KERNEL_H
#define TS_KERNEL_H

#include "model/model.h"

enum { TS_KERNEL_FORMS = 6, TS_KERNEL_NODES = 4, TS_KERNEL_SIZE = 24 }; /* the last: of z */

/* How places (unless still) and directors move with the unknowns of the nodes. */
typedef struct ts_motion {
    const m3 *X;
    bool still;
} ts_motion;

/* Rows over the unknowns of all nodes, six for each. */
typedef struct ts_kernel_rows {
    double of[TS_KERNEL_FORMS][6 * TS_KERNEL_NODES];
} ts_kernel_rows;

struct ts_kernel {
    const char *name;
    /* z from an ambient field; and a force by z added to the ambient forces on the nodes that are not fixed */
    void (*gather)(const ts_model *model, const ts_site *site, const double *ambient, double *z);
    void (*scatter)(const ts_model *model, const ts_site *site, const double *f, double *ambient);
    void (*values)(const double *z, double *e); /* b_k(z, z)/2 */
    void (*rates)(const double *z, const double *u, double *rate);
    void (*force)(const double *z, const double *weight, double *f); /* sum of weight_k B_k(z) */
    /* b = B(z) N X */
    void (*project)(const ts_model *model, const ts_site *site, const double *z, ts_motion motion,
                    ts_kernel_rows *b);
    /* dense += Xtest^T N^T (sum of weight_k H_k) N Xtrial; rows of dense are `width` apart */
    void (*stiffness)(const ts_model *model, const ts_site *site, const double *weight,
                      ts_motion test, ts_motion trial, int width, double *dense);
};

/* The newest site has a kernel, with so many weights. */
void ts_model_kernel(ts_model *model, const ts_kernel *kernel, int weights, const double *N);

#endif
