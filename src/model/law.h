/* SPDX-License-Identifier: Apache-2.0 */
/* Laws: forces and energies as functions of the forms of a site. Written over one step, so that
 * energy is accounted for exactly.
 *
 * law: given the forms at the start (e_i) and end (e_f) of a step, the mean stress s and its
 * derivative by e_f, with
 *
 *     s . (e_f - e_i) = [V(e_f) - V(e_i)] + dissipated - work ,      dissipated >= 0            (L)
 *
 * to round-off. `work` is what an outer source (a motor) supplies. A linear law takes s = K
 * (e_i + e_f)/2 + eta K S/h; a nonlinear one a discrete gradient (S1 eq 32). `stiffness` gives the
 * constant symmetric positive semi-definite matrix that the energy decaying scheme uses in its
 * stage during this step (zero is allowed: no algorithmic damping there).
 *
 * rowlaw: a constraint y(e) - u(t) = 0 on a non-quadratic function y of the forms (an angle). It
 * gives the discrete gradient g with g . (e_f - e_i) = y_f - y_i, and for the stage of ED the
 * vector zeta with
 *
 *     y'_f . edot_f - y'_i . edot_i = g . (edot_f - edot_i) + zeta . (e_f - e_i) .              (Z)
 */
#ifndef TS_LAW_H
#define TS_LAW_H

#include "model/model.h"

typedef struct ts_law_step {
    int m;                /* number of forms */
    const double *data;   /* the site's numbers */
    const double *memory; /* at the start of the step */
    const double *e_i, *e_f;
    double t_i, t_f; /* h = t_f - t_i > 0; 0: at rest, dampers do not act */
    /* > 0, with t_i = t_f: duration of an infinitesimal change of the forms, see system/site.h */
    double instant;
    double before; /* > 0: signals that jump at t_f, or within this time of it, have not yet */
    const ts_signal *signals; /* model->signals */
    const int *signal;        /* the site's own indices */
    const ts_input *inputs;   /* of the run; NULL: as drawn */
    const double *lambda;     /* multipliers that the site reads; NULL: not known */
    int reads;                /* so many */
    const ts_site *sites;     /* model->sites: for laws that ask others, laws/state/told.c */
} ts_law_step;

/* 1/h, the factor of differences in dampers; zero at rest. */
static inline double ts_step_rate(const ts_law_step *step) {
    if (step->t_f > step->t_i) return 1 / (step->t_f - step->t_i);
    return step->instant > 0 ? 1 / step->instant : 0;
}

typedef struct ts_response {
    double s[TS_MAX_FORMS];
    double ds[TS_MAX_FORMS * TS_MAX_FORMS]; /* ds[j*m+k] = d s_j / d e_f,k; need not be symmetric */
    double stored;                          /* V(e_f) */
    double dissipated, work;
} ts_response;

/* The stage of ED over a step, for a law whose strains are functions of the forms. With B_m a
 * (`of_a`) and the rates of forms at both ends it gives the weights of forms in the balance
 * (besides s) and in the stage, with
 *
 *     w . (e_f - e_i) + k . b/2 = alpha loss/2 ,     b = (h/6) [alpha of_a - (edot_f - edot_i)] ,
 *     loss >= 0 .       (S)
 *
 * A law of constant stiffness K has w = K b/2, k = K (alpha b - (e_f - e_i)), loss = b.K b; the
 * scheme knows that. */
typedef struct ts_stage_step {
    double h, alpha;
    const double *edot_i, *edot_f, *of_a;
} ts_stage_step;

typedef struct ts_stage {
    double s[TS_MAX_FORMS]; /* stress, as `stress` returns it */
    double w[TS_MAX_FORMS], k[TS_MAX_FORMS], loss;
} ts_stage;

/* Derivatives of w and k by e_f, edot_f and of_a, row by row. */
typedef struct ts_stage_slopes {
    double w_e[TS_MAX_FORMS * TS_MAX_FORMS], w_v[TS_MAX_FORMS * TS_MAX_FORMS],
        w_a[TS_MAX_FORMS * TS_MAX_FORMS];
    double k_e[TS_MAX_FORMS * TS_MAX_FORMS], k_v[TS_MAX_FORMS * TS_MAX_FORMS],
        k_a[TS_MAX_FORMS * TS_MAX_FORMS];
} ts_stage_slopes;

enum { TS_LAW_POINTS = 3 }; /* where a law has strains of its own, at most */

struct ts_law {
    const char *name;
    int memory;
    /* memory at t = 0; may be NULL */
    void (*begin)(const double *data, const double *e, double *memory);
    /* V(e), memory of that state */
    double (*energy)(const double *data, const double *memory, int m, const double *e);
    void (*respond)(const ts_law_step *step, ts_response *out);
    /* d s_j / d lambda_r of the multipliers that the site reads, row by row; NULL: it reads none */
    void (*by_multipliers)(const ts_law_step *step, double *out);
    /* only s, for residuals; NULL: use respond */
    void (*stress)(const ts_law_step *step, double *s);
    /* only dissipation and work, for the ledger; NULL: use respond */
    void (*account)(const ts_law_step *step, double *dissipated, double *work);
    /* Are dissipation and work zero in every step, with these numbers? NULL: unknown. */
    bool (*conserves)(const double *data);
    bool variable; /* the equation of a variable without mass: it stays active when its part is
                    * off */
    bool weighs;   /* its energy is counted as gravity, not as elastic */
    bool rubs;     /* its dissipation is counted as friction, not as a damper */
    bool outside;  /* it stores nothing: its work follows the increments of a step, see local.c */
    /* Statics: changes out->ds, of a step of zero length, to its value for the given stress; NULL:
     * ds does not depend on the stress, or only weakly. */
    void (*meant)(const ts_law_step *step, const double *stress, ts_response *out);
    /* NULL: zero */
    void (*stiffness)(const double *data, const double *memory, int m, const double *e, double *K);
    /* the stage of ED; NULL: by the stiffness */
    void (*stage)(const ts_law_step *step, const ts_stage_step *rates, ts_stage *out);
    /* only the loss of the stage, for the ledger; used with `stage` */
    double (*stage_loss)(const ts_law_step *step, const ts_stage_step *rates);
    void (*stage_slopes)(const ts_law_step *step, const ts_stage_step *rates, ts_stage_slopes *out);
    /* Instead of begin, energy and stiffness, for laws that need their signals besides their
     * numbers: called with a step of zero length. Call them through system/site.h. */
    void (*begin_at)(const ts_law_step *rest, double *memory);
    double (*energy_at)(const ts_law_step *rest);
    void (*stiffness_at)(const ts_law_step *rest, double *K);
    /* memory of the end of the step; may be NULL */
    void (*commit)(const ts_law_step *step, double *memory);
    /* Strains and forces, times the weight of the station, at one of the points of the law; NULL:
     * forms and their stress */
    void (*section)(const double *data, const double *e, int point, double *strain, double *force);
    /* Strains at all points (at most TS_LAW_POINTS) at the end of a step, six of each, and half of
     * ED's jump b over it */
    void (*strain_over)(const ts_law_step *step, const ts_stage_step *rates, double *end,
                        double *half);
    /* 6 x 6 stiffness of a station's section times its weight; false: there is no such point */
    bool (*section_stiffness)(const double *data, int point, double *K);
};

typedef struct ts_row_response {
    double y;                               /* y(e_f) */
    double slope[TS_MAX_FORMS];             /* d y / d e_f,k, wherever e_f is: Newton's */
    double g[TS_MAX_FORMS];                 /* discrete gradient */
    double dg[TS_MAX_FORMS * TS_MAX_FORMS]; /* d g_j / d e_f,k */
    double y_f[TS_MAX_FORMS];               /* gradient of y at e_f */
    double dy_f[TS_MAX_FORMS * TS_MAX_FORMS];
    double y_i[TS_MAX_FORMS]; /* gradient of y at e_i */
} ts_row_response;

typedef struct ts_row_zeta {
    double zeta[TS_MAX_FORMS];
    double d_e[TS_MAX_FORMS * TS_MAX_FORMS];    /* d zeta_j / d e_f,k */
    double d_edot[TS_MAX_FORMS * TS_MAX_FORMS]; /* d zeta_j / d edot_f,k */
} ts_row_zeta;

struct ts_rowlaw {
    const char *name;
    int memory;
    /* some weights of forms may be zero: the pattern of the matrix has all of them */
    bool pieces;
    void (*begin)(const double *data, const double *e, double *memory);
    void (*respond)(const ts_law_step *step, ts_row_response *out);
    void (*rate)(const ts_law_step *step, const double *edot_i, const double *edot_f,
                 ts_row_zeta *out);
    void (*commit)(const ts_law_step *step, double *memory);
};

#endif
