/* torsor: flexible multibody dynamics with an energy audit. The public interface.
 *
 *   torsor_model     a model file, read or built in code
 *   torsor_run       a model put together and followed through time, or along its loads, step by step
 *   torsor_modes     modes of vibration, buckling loads
 *   torsor_results   a results file
 *   torsor_table     numbers with named columns
 *
 * Conventions. Functions that can fail return 0 on success, > 0 when a smaller step may help, < 0 on failure;
 * `torsor_error()` then says in words what went wrong. `torsor_x_new(torsor_x **out, ...)`, and whatever else takes a
 * pointer to a handle first, gives ownership, `torsor_x_free` takes it back (NULL is fine); on failure *out is NULL. A
 * text given through `char **out` is the caller's and goes back to `torsor_text_free`. Every other returned pointer is
 * borrowed: it lives as long as the handle it came from, unless its comment says less. Indices count from 0; those out
 * of range are refused or give NULL, NaN or -1. SI units and right-handed frames throughout; vectors are in global axes.
 *
 * Threads. There is no global state: different handles may be used on different threads at the same time, one handle
 * by one thread at a time. Where a library below is not made for that (HDF5, ARPACK), calls wait for each other. The
 * message of an error is kept per thread.
 *
 * Stability. Within one major version, functions keep their meaning, enumerations their numbers; structures only grow,
 * at their ends, and those that you fill (torsor_observer, torsor_modal_options) begin as {0}. When memory is gone the
 * process ends, with a message.
 */
#ifndef TORSOR_H
#define TORSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TORSOR_VERSION "0.1.0"

typedef enum torsor_status {
    TORSOR_OK = 0,
    TORSOR_RETRY = 1,        /* no convergence: a smaller step may help */
    TORSOR_EINVAL = -1,      /* the model or an argument is wrong */
    TORSOR_EIO = -2,         /* a file could not be read or written */
    TORSOR_ESINGULAR = -3,   /* the equations have no unique solution */
    TORSOR_EDIVERGED = -4,   /* no convergence, even with the smallest step */
    TORSOR_EINTERRUPTED = -5 /* stopped by the caller */
} torsor_status;

/* ---- errors, texts ---- */

/* What the last failing call on this thread had to say. Never NULL. */
const char *torsor_error(void);
const char *torsor_version(void);

/* The same in pieces. Texts are never NULL, empty where there is nothing to say. Until the next failure on this thread. */
typedef struct torsor_problem {
    int status; /* torsor_status */
    const char *message;
    const char *part; /* the failing part */
    double time;      /* when it failed, or NaN */
    const char *file; /* of the model, or the path of an entry that was set: "bodies.arm" */
    int line, column; /* from 1; 0 when there is no place */
    const char *hint;
    const char *report; /* of a model: all mistakes, with their lines */
} torsor_problem;
const torsor_problem *torsor_error_details(void);

void torsor_text_free(char *text);

/* The JSON Schema of model files: every section, kind and field. */
int torsor_schema(char **out);

/* ---- models ---- */

typedef struct torsor_model torsor_model;

/* An empty model in SI units; a file; a text. Tables in other files are looked for beside the file; `name` is for
 * messages. What is read must be a whole model: every mistake is reported, see torsor_error_details()->report. */
int torsor_model_new(torsor_model **out);
int torsor_model_read(torsor_model **out, const char *path);
int torsor_model_parse(torsor_model **out, const char *text, size_t length, const char *name);
int torsor_model_copy(torsor_model **out, const torsor_model *model);
void torsor_model_free(torsor_model *model);

/* The value at a path becomes this one, written as in a model file, in one line:
 *     torsor_model_set(m, "gravity", "[0, 0, -9.81]");
 *     torsor_model_set(m, "bodies.arm", "{mass: 2 kg, inertia: [0.1, 0.1, 0.02]}");
 *     torsor_model_set(m, "parameters.L", "20 mm");
 *     torsor_model_set(m, "analysis.step", "1 ms");
 * What was not there is added. Only its form is looked at now; what it means, when a run is made. */
int torsor_model_set(torsor_model *model, const char *path, const char *value);
/* Likewise, but refuses what is there already: entries of a section. */
int torsor_model_add(torsor_model *model, const char *section, const char *name, const char *value);
bool torsor_model_has(const torsor_model *model, const char *path);
int torsor_model_get(const torsor_model *model, const char *path, char **out); /* as written */
/* The keys below a path ("": the sections), one a line. */
int torsor_model_keys(const torsor_model *model, const char *path, char **out);
/* The model file, with all that was set. */
int torsor_model_text(const torsor_model *model, char **out);

/* ---- runs ---- */

typedef struct torsor_run torsor_run;

/* One step, as it went. */
typedef struct torsor_step {
    int64_t step;  /* 1 ... */
    int64_t steps; /* planned in all */
    double t, h;
    int iterations, cuts;             /* Newton iterations; substeps beyond one */
    double violation, rate_violation; /* largest, of conditions of joints */
    const char *worst;                /* the part with the largest violation, or "" */
} torsor_step;

/* The energy account: energies now, the others sums since the start. */
typedef struct torsor_ledger {
    double kinetic, elastic, gravity;
    double work_loads, work_drives, dissipated, algorithmic;
    double balance; /* energy now - at the start - works + losses: zero but for round-off */
    double start;   /* energy at the start */
} torsor_ledger;

typedef struct torsor_summary {
    int64_t steps, iterations, cuts, factorisations;
    double seconds, worst_balance, worst_violation, energy_scale;
    int unknowns, threads; /* of the equations; on how many they are set up */
    const char *solver;    /* of the linear equations; "" before the first step */
    double
        energy_noise; /* J: what round-off means for energies; a balance of that size is closed */
} torsor_summary;

/* One measure of the audit of resolution: its largest value so far, when and where, and the thresholds from which it is told, makes a run
 * coarse, and makes a step be rejected (NaN: never). See docs/theory.md. */
typedef struct torsor_measure {
    const char *name, *what, *unit; /* "beam_angle"; in words; "rad" or "1" */
    double value, t;
    int part;        /* -1: none */
    char where[240]; /* "'arm', between nodes 3 and 4"; "" for all of the model */
    double told, coarse, rejected;
    int level;          /* 0 resolved, 1 coarse, 2 not resolved */
    const char *advice; /* what to do about it */
} torsor_measure;

/* What the assembly found. Lengths in m, angles in rad. */
typedef struct torsor_assembly {
    int freedom;  /* degrees of freedom */
    int unknowns; /* of displacements */
    int conditions, redundant;
    double mass, centre[3];
    double moved, turned, rate_moved, rate_turned; /* what closing the joints took, at most */
    int notes;                                     /* see torsor_run_note */
    int gaps;                                      /* see torsor_run_gap */
} torsor_assembly;

/* How far a joint or motion was open as drawn, and is now: the largest of its conditions, and of their rates. */
typedef struct torsor_gap {
    int part;
    double position_before, position_after, rate_before, rate_after;
} torsor_gap;

/* Reads the model, closes its joints, and, if its analysis says so, finds static equilibrium to start from. The model
 * is no longer needed then. Without an `analysis` it can be looked at but not stepped. */
int torsor_run_new(torsor_run **out, const torsor_model *model);
/* Goes on from a stored state (frame) of a results file, bit for bit; -1 is the last from which it does. t_end <= 0:
 * as it was planned. Inputs begin with their first values again. */
int torsor_run_restart(torsor_run **out, const char *results, int64_t frame, double t_end);
/* An open results file is closed, as by torsor_run_finish. */
void torsor_run_free(torsor_run *run);

/* From now on everything goes into a results file, as `torsor run` writes it, beginning with the present state. Finish
 * closes it; a step that fails does too. */
int torsor_run_record(torsor_run *run, const char *path);
int torsor_run_finish(torsor_run *run);

/* Called around every step; NULL: not. Anything but 0 stops, with TORSOR_EINTERRUPTED; the run may go on later. The
 * observer is copied, its context is not. */
typedef struct torsor_observer {
    void *context;
    int (*before)(void *context, torsor_run *run); /* read the state, set inputs */
    int (*after)(void *context, torsor_run *run);  /* progress, histories */
} torsor_observer;
void torsor_run_observe(torsor_run *run, const torsor_observer *observer);

/* One step; steps until `t` is reached (INFINITY: to the end). A run that failed stays at its last good state. */
int torsor_run_step(torsor_run *run);
int torsor_run_to(torsor_run *run, double t);
bool torsor_run_ended(const torsor_run *run); /* at its end, or failed */

double torsor_run_time(const torsor_run *run);
int64_t torsor_run_steps_done(const torsor_run *run);
int64_t torsor_run_steps_planned(const torsor_run *run);
double torsor_run_step_size(const torsor_run *run);
double torsor_run_end(const torsor_run *run);
const torsor_step *torsor_run_last_step(const torsor_run *run); /* until the next; zeros at first */
void torsor_run_ledger(const torsor_run *run, torsor_ledger *out);
void torsor_run_summary(const torsor_run *run, torsor_summary *out);
/* The audit of resolution: the verdict as `torsor run` prints it, with its level (NULL: not wanted); free the text with torsor_text_free. At the
 * start of a run it is that of the drawing. */
int torsor_run_resolution(const torsor_run *run, int *level, char **out);
int torsor_run_measures(const torsor_run *run);
int torsor_run_measure(const torsor_run *run, int measure, torsor_measure *out);
void torsor_run_assembly(const torsor_run *run, torsor_assembly *out);
const char *torsor_run_note(const torsor_run *run, int note); /* a sentence */
int torsor_run_gap(const torsor_run *run, int gap, torsor_gap *out);
const char *torsor_run_title(const torsor_run *run); /* "" when it has none */
void torsor_run_momentum(const torsor_run *run, double linear[3], double angular_about_origin[3]);

/* Inputs: signals of the model written `{input: 0}`, set from outside. A load or motor holds the value from the start
 * of the next step on; a motion goes to it over that step, in a straight line. SI. */
int torsor_run_inputs(const torsor_run *run);
const char *torsor_run_input_name(const torsor_run *run, int input);
int torsor_run_input_find(const torsor_run *run, const char *name); /* -1: there is none */
int torsor_run_input_set(torsor_run *run, int input, double value);
double torsor_run_input_get(const torsor_run *run, int input);

/* ---- the state of a run ----
 *
 * Views into the state itself, not copies: they show the present state after every step, at the same address for the
 * life of the run. Slots are 3-vectors: of every node the position, then its directors (columns of its rotation). */
int torsor_run_slots(const torsor_run *run);
const double *torsor_run_q(const torsor_run *run); /* slots x 3 */
const double *torsor_run_v(const torsor_run *run); /* their rates */
const double *
torsor_run_multipliers(const torsor_run *run); /* one per condition, mean of the last step */

typedef enum torsor_node_kind {
    TORSOR_NODE_POINT = 0,    /* a position */
    TORSOR_NODE_DIRECTOR = 1, /* and a direction */
    TORSOR_NODE_FRAME = 2     /* and three directors */
} torsor_node_kind;

typedef struct torsor_node {
    int part;
    int kind; /* torsor_node_kind */
    bool fixed;
    int slot, slots; /* in q and v */
    double mass;
} torsor_node;
int torsor_run_nodes(const torsor_run *run);
int torsor_run_node(const torsor_run *run, int node, torsor_node *out);
/* "arm" of a body, "boom.start", "boom.3", "boom.end" of a beam; -1: there is none. */
int torsor_run_node_find(const torsor_run *run, const char *name);
int torsor_run_node_omega(const torsor_run *run, int node, double out[3]);

typedef struct torsor_part {
    const char *name, *kind, *section;
    int node, nodes;             /* the first node it made, or -1 */
    int coordinate, coordinates; /* the first of its coordinates */
    bool reaction;               /* see torsor_run_reaction */
} torsor_part;
int torsor_run_parts(const torsor_run *run);
int torsor_run_part(const torsor_run *run, int part, torsor_part *out);
int torsor_run_part_find(const torsor_run *run, const char *name); /* -1: there is none */
/* What became of its fields: stiffness and mass of a section of beams; nothing of other parts. */
int torsor_run_part_describe(const torsor_run *run, int part, char **out);
/* Of a joint, spring or motion: what it exerts on its body B at its attachment there, now: of conditions by the last
 * steps, to second order (a results file also knows the steps after: docs/results-file.md); where B is
 * from A (displacement, rotation vector), in its frame on A. */
int torsor_run_reaction(const torsor_run *run, int part, double force[3], double moment[3]);
int torsor_run_relative(const torsor_run *run, int part, double displacement[3],
                        double rotation[3]);

typedef struct torsor_coordinate {
    int part;
    const char *name; /* "angle" */
    bool angle;       /* rad, unwrapped; otherwise m */
} torsor_coordinate;
int torsor_run_coordinates(const torsor_run *run);
int torsor_run_coordinate(const torsor_run *run, int coordinate, torsor_coordinate *out);
/* "hinge.angle", or "hinge" if it has but one; -1: there is none. */
int torsor_run_coordinate_find(const torsor_run *run, const char *name);
double torsor_run_coordinate_value(const torsor_run *run, int coordinate);
double torsor_run_coordinate_rate(const torsor_run *run, int coordinate);

typedef struct torsor_condition {
    int part;
    const char *label;
    bool drive, redundant; /* a prescribed motion; left out */
} torsor_condition;
int torsor_run_conditions(const torsor_run *run);
int torsor_run_condition(const torsor_run *run, int condition, torsor_condition *out);

/* Gauss points of beams. Strain: Gamma1, Gamma2, Gamma3, kappa1, kappa2, kappa3; force: N, Q2, Q3, M1, M2, M3. */
typedef struct torsor_station {
    int part;
    double arc, weight; /* along the beam from its start; the length it stands for */
} torsor_station;
int torsor_run_stations(const torsor_run *run);
int torsor_run_station(const torsor_run *run, int station, torsor_station *out);
int torsor_run_section(const torsor_run *run, int station, double strain[6], double force[6]);

/* ---- modes ---- */

typedef struct torsor_modes torsor_modes;

typedef struct torsor_modal_options {
    int modes; /* how many; 0: 10 */
    double spin[3],
        about[3];  /* steady rotation of everything, rad/s, about an axis through a place */
    bool as_drawn; /* about the state as it is, equilibrium or not */
    bool buckling; /* factors of all loads in place of frequencies */
} torsor_modal_options;

typedef struct torsor_mode {
    double frequency; /* rad/s */
    double growth;    /* 1/s: positive is unstable */
    double damping;   /* -growth/|lambda| */
    double factor;    /* buckling: load factor; then the rest is 0 */
    bool rigid;
    const char *part;                  /* with the largest share of the kinetic energy */
    double share;                      /* its share */
    int axis;                          /* 0, 1, 2: moves along x, y, z; 3, 4, 5: turns about them */
    double share_of_axis;              /* of that, of the part's */
    const double *shape, *shape_early; /* nodes x 6, displacement and rotation vector; the second is
        the imaginary part, a quarter of a period earlier: NULL for real modes */
} torsor_mode;

int torsor_modes_new(torsor_modes **out, const torsor_model *model,
                     const torsor_modal_options *options); /* NULL: {0} */
void torsor_modes_free(torsor_modes *modes);
int torsor_modes_count(const torsor_modes *modes);
bool torsor_modes_settled(const torsor_modes *modes); /* equilibrium had to be found first */
/* What separates the state from equilibrium: displacement / size of the model, or rotation. */
double torsor_modes_imbalance(const torsor_modes *modes);
int torsor_modes_get(const torsor_modes *modes, int mode, torsor_mode *out);
/* The run that they are modes of, at its equilibrium: for names of nodes and parts. */
const torsor_run *torsor_modes_run(const torsor_modes *modes);
int torsor_modes_write(const torsor_modes *modes, const char *path); /* HDF5 */

/* ---- results ---- */

typedef struct torsor_results torsor_results;
typedef struct torsor_table torsor_table;

/* Also files that are still written, or whose run was killed. */
int torsor_results_open(torsor_results **out, const char *path);
void torsor_results_free(torsor_results *results);
int64_t torsor_results_frames(const torsor_results *results); /* stored states */
int64_t torsor_results_steps(const torsor_results *results);
int torsor_results_text(const torsor_results *results, char **out);      /* the model file */
int torsor_results_info(torsor_results *results, bool json, char **out); /* as `torsor info` */
int torsor_results_csv(torsor_results *results, int selectors, const char *const *selector,
                       const char *path); /* `torsor info --csv` */

/* Arrays of the file by name ("frames/q", "steps/balance"): rows x entries x width numbers. */
typedef struct torsor_series {
    const char *name, *unit, *help;
    int64_t rows, entries, width;
    int rank; /* in the file, where a dimension that is always 1 is left out */
} torsor_series;
int torsor_results_series_count(const torsor_results *results);
int torsor_results_series(const torsor_results *results, int series, torsor_series *out);
int torsor_results_series_find(const torsor_results *results, const char *name); /* -1: none */
int torsor_results_read(torsor_results *results, int series, int64_t first, int64_t rows,
                        double *out);

/* One row per stored state, columns by name ("hinge.angle", "arm.position"; docs/results-file.md), the time first.
 * No selectors: the usual ones. Catalogue: all columns that there are, without rows. */
int torsor_results_table(torsor_table **out, torsor_results *results, int selectors,
                         const char *const *selector);
int torsor_results_catalogue(torsor_table **out, torsor_results *results);
void torsor_table_free(torsor_table *table);
int64_t torsor_table_rows(const torsor_table *table);
int torsor_table_columns(const torsor_table *table);
const char *torsor_table_name(const torsor_table *table, int column);
const char *torsor_table_unit(const torsor_table *table, int column);
const double *torsor_table_column(const torsor_table *table, int column); /* its rows, in a row */

#ifdef __cplusplus
}
#endif
#endif
