/* SPDX-License-Identifier: Apache-2.0 */
/* A site at a configuration, over a step, at rest and at an instant.
 *
 * Everything that computes with sites (schemes, ledger, outputs, statics, linearisation, studies)
 * asks here:
 *
 *   at a configuration q   forms e, their gradients B, their rates edot = B v:
 *                          ts_site_look, ts_site_values, ts_site_rates
 *   over a step            the mean stress of a law, the discrete gradient of a row law, between
 *                          (e_i, t_i) and (e_f, t_f): ts_site_over
 *   at rest                a step of no length, e_i = e_f and t_i = t_f. The stress is the gradient
 *                          of the energy; by the symmetry of a discrete gradient its derivative by
 *                          e is twice the one by e_f: ts_site_rest
 *   at an instant          what the dampers of a law add at rates edot:
 *                          ts_site_damping, ts_site_damping_slope
 *
 * Forms are functions of z: the slots of the site's nodes, or vectors made of them (model.h).
 * Ambient arrays have 3 numbers per slot of the model, local ones 3 per slot or vector of the site.
 */
#ifndef TS_SITE_H
#define TS_SITE_H

#include "model/kernel.h"
#include "model/law.h"
#include "model/model.h"

/* ---- local fields ---- */

/* Copies the slots of a list of nodes one after the other. */
void ts_gather(const ts_model *model, int site_node, int nodes, const double *ambient,
               double *local);
/* Computes z of a site from an ambient array; and from the slots of its nodes, if it has
 * vectors. */
void ts_site_gather(const ts_model *model, const ts_site *site, const double *ambient,
                    double *local);
void ts_site_vectors(const ts_model *model, const ts_site *site, const double *slots,
                     double *vectors);
/* Transforms a gradient by z to one by the slots of the site's nodes, in `room` if it has to be
 * written. */
const double *ts_site_spread(const ts_model *model, const ts_site *site, const double *row,
                             double *room);
void ts_spread(int vectors, int slots, const double *N, const double *row, double *out);
/* Adds a local force to an ambient one, at nodes that sum forces. */
void ts_scatter(const ts_model *model, const ts_site *site, const double *local, double *ambient);
/* As above, from the slots of its nodes. */
void ts_scatter_slots(const ts_model *model, const ts_site *site, const double *local,
                      double *ambient);

double ts_dot(int n, const double *a, const double *b);

/* ---- one form, over local fields ---- */

double ts_form_value(const ts_model *model, int form, const double *q);
/* The row of a form at q, or of a rate form, times u. */
double ts_form_along(const ts_model *model, int form, bool rate, const double *q, const double *u);
void ts_form_gradient(const ts_model *model, int form, int slots, const double *q, double *B);
/* The row A(q) of a rate form. */
void ts_rate_gradient(const ts_model *model, int form, int slots, const double *q, double *A);
/* The gradient of a form or the row of a rate form. */
void ts_form_row(const ts_model *model, int form, bool rate, int slots, const double *q,
                 double *out);
/* H v = B(v) - g: the Hessian times v; of a rate form the derivative of A(q) v by q. */
void ts_form_hessian_times(const ts_model *model, int form, bool rate, int slots, const double *v,
                           double *out);

/* ---- a site at a configuration ---- */

/* Values or rates of all forms, by the site's kernel if it has one. */
/* Arguments of the forms of a site, from an ambient field and linear in it: slots, interpolated
 * vectors or those of its kernel. Returns their number (at most 3 TS_MAX_SLOTS). The functions
 * below compute forms and rates from them. */
int ts_site_local(const ts_model *model, const ts_site *site, const double *ambient, double *z);
void ts_local_values(const ts_model *model, const ts_site *site, const double *z, double *e);
void ts_local_rates(const ts_model *model, const ts_site *site, const double *z, const double *u,
                    double *rate);
void ts_site_values(const ts_model *model, const ts_site *site, const double *ambient, double *e);
void ts_site_rates(const ts_model *model, const ts_site *site, const double *q, const double *v,
                   double *rate);

/* Everything above. Rate forms have no value: e = 0. */
typedef struct ts_site_view {
    double q[3 * TS_MAX_SLOTS], e[TS_MAX_FORMS], rate[TS_MAX_FORMS];
    double B[TS_MAX_FORMS][3 * TS_MAX_SLOTS];
} ts_site_view;
/* v NULL: the site does not move. */
void ts_site_look(const ts_model *model, const ts_site *site, const double *q, const double *v,
                  ts_site_view *out);

/* ---- what a law or a row law is asked about ---- */

/* Arguments of laws besides forms: the memory of all laws, the inputs of the run (NULL: as drawn),
 * and multipliers, one per row of the model (NULL: unknown). */
typedef struct ts_past {
    const double *memory;
    const ts_input *inputs;
    const double *lambda;
} ts_past;

static inline ts_law_step ts_site_over(const ts_model *model, const ts_site *site, ts_past past,
                                       const double *e_i, const double *e_f, double t_i,
                                       double t_f) {
    return (ts_law_step){.m = site->forms,
                         .data = model->numbers + site->data,
                         .memory = past.memory + site->memory,
                         .e_i = e_i,
                         .e_f = e_f,
                         .t_i = t_i,
                         .t_f = t_f,
                         .signals = model->signals,
                         .signal = model->site_signals + site->signal,
                         .inputs = past.inputs,
                         .lambda = past.lambda ? past.lambda + site->read : NULL,
                         .reads = site->reads,
                         .sites = model->sites};
}

static inline ts_law_step ts_site_rest(const ts_model *model, const ts_site *site, ts_past past,
                                       const double *e, double t) {
    return ts_site_over(model, site, past, e, e, t, t);
}

/* Energy of a law, and its initial memory, at forms e; K is not changed where the law has no
 * stiffness. */
static inline bool ts_law_stores(const ts_law *law) { return law->energy || law->energy_at; }
double ts_site_energy(const ts_model *model, const ts_site *site, ts_past past, const double *e);
void ts_site_begin(const ts_model *model, const ts_site *site, const double *e, double *memory);
void ts_site_stiffness(const ts_model *model, const ts_site *site, ts_past past, const double *e,
                       double *K);

/* Only the stress of a law, or its whole response if the law cannot compute the stress alone. */
void ts_site_law_stress(const ts_site *site, const ts_law_step *step, double *s);

/* Factors of the gradients of the forms. At rest: the stress of a law; multipliers, times the
 * gradient of a row law. Over a step: the mean stress; multipliers, times the discrete gradient.
 * lambda has a number for each row of the model. */
void ts_site_weights_at_rest(const ts_site *site, const ts_law_step *rest, const double *lambda,
                             double *weight);
void ts_site_weights_over(const ts_site *site, const ts_law_step *step, const double *lambda,
                          double *weight);

/* dy/dt of a row law, from its response at rest or over a step, with the rates of the forms at the
 * end. */
static inline double ts_row_rate(int forms, const ts_row_response *r, const double *edot) {
    return ts_dot(forms, r->slope, edot);
}

/* ---- dampers at an instant ----
 *
 * A law is known over steps only. Over an instant d in which nothing changes, e_i = e_f = e, its
 * derivative is V''/2 + C/d, exactly for every d. So a damper that is linear in the rates has the
 * stress C(e) edot, exactly, however strongly C depends on e (a stop just touched). Whether it is
 * linear shows in one and the same change of e, made in d and in 2 d. Of others, the stress is
 * taken over that change, from e - d edot/2 to e + d edot/2, less that of the same change without
 * time: an error of the order d^2. There d is such that no form changes by more than 2^-17 of the
 * size of the forms: an error of 1e-10, as much as round-off leaves of the difference. No unit, no
 * step and no time enter; signals are those of the instant.
 */

/* Adds the stress of dampers to s; false: nothing is dissipated at these rates. */
bool ts_site_damping(const ts_model *model, const ts_site *site, ts_past past, double t,
                     const double *e, const double *edot, double *s);
/* C[j*m+k] = d s_j / d edot_k about rest, edot = 0; false: there is no damper. */
bool ts_site_damping_slope(const ts_model *model, const ts_site *site, ts_past past, double t,
                           const double *e, double *C);

#endif
