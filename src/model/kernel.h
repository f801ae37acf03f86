/* Kernel: the forms of a site in closed form, for speed. A part may offer one (beams do); a scheme
 * that knows how to use it does so wherever site->kernel is set. The forms themselves stay with the
 * site, for everything else, and the tests hold the two equal.
 *
 * The nodes of the site are frames in a row. Each pair of neighbours is a *link*, with the same few
 * forms of the same few vectors, z = N q, differences and means of the slots of both. Numbers of a
 * site are those of its links, one behind the other. Every form is quadratic but for its constant,
 *
 *     e_k = c_k + b_k(z, z)/2 ,     B_k(z) u = b_k(z, u) = B_k(u) z ,
 *
 * so that one function serves for gradients, for rates, and for a Hessian times a vector.
 * Projectors X, as in step/stepper.h: four per node, the first not used; `still` if places do not
 * move.
 */
#ifndef TS_KERNEL_H
#define TS_KERNEL_H

#include "model/model.h"

/* Forms of a link, numbers in its z, and the largest number of links of a site. */
enum { TS_LINK_FORMS = 7, TS_LINK_SIZE = 21, TS_KERNEL_LINKS = 3 };
enum {
    TS_KERNEL_FORMS = TS_LINK_FORMS * TS_KERNEL_LINKS,
    TS_KERNEL_SIZE = TS_LINK_SIZE * TS_KERNEL_LINKS
};

static inline int ts_links(const ts_site *site) { return site->nodes - 1; }

/* How places (unless still) and directors move with the unknowns of the nodes. */
typedef struct ts_motion {
    const m3 *X;
    bool still;
} ts_motion;

/* Rows over the unknowns of both nodes of a link, six for each. */
typedef struct ts_link_rows {
    double of[TS_LINK_FORMS][12];
} ts_link_rows;

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
    /* dense += Xtest^T N^T (sum of weight_k H_k) N Xtrial; rows of dense are `width` apart */
    void (*stiffness)(int links, const double *weight, ts_motion test, ts_motion trial, int width,
                      double *dense);
};

/* The newest site has a kernel. */
void ts_model_kernel(ts_model *model, const ts_kernel *kernel);

#endif
