/* SPDX-License-Identifier: Apache-2.0 */
/* The system: a constant model with numbered unknowns, and its state. */
#ifndef TS_SYSTEM_H
#define TS_SYSTEM_H

#include <stdint.h>

#include "contact/touching.h"
#include "system/resolution.h"
#include "system/site.h"

/* Everything from which a step starts. Runs from two equal states agree bit for bit if the states
 * are `exact`, otherwise up to round-off and the error that Newton's method leaves. */
typedef struct ts_state {
    double t;
    int64_t step;
    double *q, *v;  /* ambient coordinates and rates, 3 per slot */
    double *vdot;   /* mean ambient acceleration of the last step, for the predictor */
    double *lambda; /* multipliers of the last step, one per row of the model (0 when redundant) */
    double *kappa;  /* stage multipliers of the last step, one per row of the model */
    double *memory; /* unwrapped angles and other memory of laws */
    double *jump;   /* the velocity jump of the last step, ED; otherwise zero: see section.c */
    double *trail;  /* means over earlier steps, for forces at an instant: see instant.c */
    double *past;   /* vdot of the two steps before the last one; stored for events only */
    int64_t past_steps;      /* how many of them are known */
    ts_touching touching;    /* pairs of shapes that touch */
    double *contact_loss;    /* per contact: energy lost by impacts and by friction so far */
    double *contact_impulse; /* per contact: impulses of its normal forces and of friction so far */
    double *contact_peak;    /* its largest normal force since the last stored state; not stored */
    double *contact_now;     /* room for the sum over its pairs */
    ts_input *inputs;        /* what was set from outside, one for each input of the model */
    double control[5];       /* of step control: see analysis/control.c */
    /* energy removed by events so far: impulses of locks, switched springs */
    double event_loss;
    /* energy lost by friction in joints so far: part of the dissipated energy, see ts_lost */
    double rubbed;
    /* 1: the next step depends on this state only, so a run that begins here is the same bit for
     * bit; 0: the stepper remembers more, see ts_stepper_forget */
    int64_t exact;
    ts_peak peak[TS_GAUGES]; /* the audit of resolution: largest values so far */
    double largest_energy;   /* so far: of kinetic, elastic, gravity */
} ts_state;

/* Called after the state was stored: peaks begin again. */
void ts_state_stored(const ts_model *model, ts_state *state);

/* The energy ledger. Energies are those at the end of the step. The energy of gravity is zero in
 * the drawing: m g z from an arbitrary origin is no measure of the energy that a run exchanges. The
 * others are sums since the start of the run. */
typedef struct ts_ledger {
    double kinetic, elastic, gravity;
    double work_loads, work_drives, dissipated, algorithmic;
    /* energy now - energy at start - works + dissipations: zero but for round-off */
    double balance;
} ts_ledger;

/* Scale of the balance: the largest of the energies. */
static inline double ts_energy_scale(double kinetic, double elastic, double gravity) {
    return fmax(kinetic, fmax(fabs(elastic), fabs(gravity)));
}

/* The larger of two numbers; NaN stays. */
static inline double ts_larger(double a, double b) { return a > b || isnan(a) ? a : b; }

/* A balance error below this part of the energy is round-off. */
static const double TS_SOUND_BALANCE = 1e-8;

/* Balance error relative to the largest energy. Where there is hardly any energy, `noise`
 * (ts_energy_noise) is the scale, so a model at rest is not judged by round-off divided by
 * round-off. */
static inline double ts_relative_balance(double balance, double scale, double noise) {
    return balance == 0 ? 0 : fabs(balance) / fmax(scale, noise / TS_SOUND_BALANCE);
}

typedef struct ts_system {
    const ts_model *model;
    struct ts_view *view; /* the model; its own copy if the model has switches: switches.c */
    int dofs;             /* free displacement unknowns */
    int *node_dof;        /* first unknown of each node, -1 when fixed */
    int rows;             /* active rows */
    int *row_eq;          /* active number of each model row, -1 when redundant */
    double length;        /* typical size of the model, independent of its position */
    double far; /* largest distance from the origin over that size, at least 1: round-off of
                 * positions is eps far */
    ts_state state;
    ts_ledger ledger;
    double energy_start;
    bool still;     /* statics: rates are those of a path, not of a motion; dampers have no force */
    double *linear; /* linear statics: see linear_statics.c; NULL elsewhere */
    double linear_step;
    ts_watch *watch; /* what the audit of resolution measures */
    int refused;     /* the measure by which the last step was rejected and not replaced; -1:
                      * none */
    ts_peak refusal; /* and its value there */
} ts_system;

/* Computes the typical size of a model, and its largest distance from the origin over that:
 * `length` and `far` of a system. */
void ts_model_size(const ts_model *model, double *size, double *far);
/* state = the model's initial state, unassembled */
int ts_system_new(ts_system **out, const ts_model *model);
/* Another system of the same model, in the same state: for a second run. */
int ts_system_copy(ts_system **out, const ts_system *from);
void ts_system_begin(ts_system *system); /* after assembly: sets memory and ledger at t = 0 */
void ts_system_free(ts_system *system);
void ts_system_renumber(ts_system *system); /* after rows were found redundant */

/* A model with switches (switches.c): the system gets its own copy of the model, in which parts
 * that are switched off have no effect. ts_follow_switches updates it from the state. */
void ts_view_new(ts_system *system);
void ts_view_free(struct ts_view *view);
void ts_view_follow(ts_system *system);
/* A site of the system's own model. */
ts_site *ts_view_site(ts_system *system, int site);
/* Updates the sites along which something slides (windows.c) from the state's memory. True: another
 * window than before, with other nodes. */
bool ts_windows_follow(ts_system *system);
/* At the end of a step: chooses the windows for the next step, of about this size. */
void ts_windows_note(const ts_model *model, const double *q, const double *v, double h,
                     double *memory);
/* Is something beyond its window, while the path continues? */
bool ts_windows_left(const ts_model *model, const double *q, const double *memory);
bool ts_windows_ahead(const ts_model *model, const double *q, const double *v, double h,
                      const double *memory);
/* The part that has slid off the end of its path; -1: none. */
int ts_slid_off(const ts_model *model, const double *q);
/* Rows as the assembly found them; `row` belongs to the system's own model, if it has one. */
void ts_view_redundant(ts_system *system, int row, bool redundant);
/* energy now - energy at start - works + dissipations, from the ledger and the state. */
double ts_energy_balance(const ts_system *system);
/* Parts of the dissipated energy. */
typedef struct ts_losses {
    double dampers;
    double friction; /* in joints, brakes and gears, and of contacts */
    double impacts;  /* of contacts */
} ts_losses;
ts_losses ts_losses_of(const ts_system *system);

int ts_trail_length(const ts_model *model); /* instant.c */
int ts_past_length(const ts_model *model);
void ts_state_alloc(const ts_model *model, ts_state *state);
void ts_state_copy(const ts_model *model, ts_state *to, const ts_state *from);
void ts_state_free(ts_state *state);

/* Arguments of laws and signals for a state at t. */
static inline ts_past ts_past_of(const ts_state *state) {
    return (ts_past){state->memory, state->inputs, state->lambda};
}
static inline ts_when ts_when_of(const ts_state *state, double t) {
    return (ts_when){t, state->inputs};
}

/* Weights of the forms of a site (site.h), at rest at the present state and with its
 * multipliers. */
void ts_site_weights(const ts_system *system, const ts_site *site, const double *e, double *weight);

/* Rotation vector from the unknowns of a node. A director has two: psi = t1 theta1 + t2 theta2,
 * normal to the director of the present state (in a step, of its start); a frame has psi itself. */
v3 ts_node_turn(const ts_system *system, int node, const double *unknowns);
void ts_turn_axes(const ts_system *system, int node, v3 t[2]);

/* Outputs at the present state. */
double ts_coordinate_value(const ts_system *system, int coordinate);
double ts_coordinate_rate(const ts_system *system, int coordinate);
/* With the accelerations of all slots. */
double ts_coordinate_acceleration(const ts_system *system, int coordinate, const double *vdot);
v3 ts_node_omega(const ts_system *system, int node);
/* Angular acceleration, with the accelerations of all slots. */
v3 ts_node_alpha(const ts_system *system, int node, const double *vdot);
/* Force and moment that the joint or spring exerts on its body B at its attachment point, global
 * axes; for a support, on all of its nodes, about part->about. Constraints: the mean of the last
 * step (at an instant: instant.h). Springs and dampers: at the present state. _of: with these
 * multipliers, and these six numbers of a support. */
bool ts_part_reacts(const ts_part *part);
void ts_part_reaction(const ts_system *system, int part, v3 *force, v3 *moment);
void ts_part_reaction_of(const ts_system *system, int part, const double *lambda,
                         const double *held, v3 *force, v3 *moment);
/* Of a part between two points: their distance, its rate, and the direction from A to B. */
void ts_part_stretch(const ts_system *system, int part, double *length, double *rate, v3 *along);
/* Power that the laws of a part supply to the nodes of its sites, and its motions by their
 * multipliers. */
double ts_part_power(const ts_system *system, int part, const double *lambda);
/* Position of the point of B relative to that of A, and rotation vector of B's joint frame relative
 * to A's, both in A's joint frame. */
void ts_part_relative(const ts_system *system, int part, v3 *displacement, v3 *rotation);
void ts_momenta(const ts_system *system, v3 *linear, v3 *angular_about_origin);
void ts_mass_centre(const ts_system *system, double *mass, v3 *centre);
void ts_energies(const ts_system *system, double *kinetic, double *elastic, double *gravity);
/* Energy of a site; 0 if it stores none. */
double ts_site_stored(const ts_system *system, int site);
/* Writes energies to the ledger, the largest strain to `seen`, the largest energy to the state.
 * `stored`: energies of all sites if known; NULL: unknown. */
void ts_take_energies(ts_system *system, const double *stored, ts_seen *seen);
/* Effect of round-off on the energies of the present state with steps of h: noise.c. */
double ts_energy_noise(const ts_system *system, double h);
/* 0, or TORSOR_EDIVERGED with a message: the part and field of a signal that is not finite at t
 * (unbounded.c). */
int ts_fail_unbounded(const ts_system *system, double t);
/* TORSOR_EDIVERGED with a message: what the law of a part gives is not a finite number. */
int ts_fail_not_finite(const ts_model *model, int part, double t);

#endif
