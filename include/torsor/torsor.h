/* SPDX-License-Identifier: Apache-2.0 */
/* torsor: flexible multibody dynamics with an energy audit. The public interface.
 *
 *   torsor_model     a model file, read or built in code
 *   torsor_options   what a run, a search for modes or a study does other than the model says
 *   torsor_run       a model put together and followed through time, or along its loads, step by
 *                    step
 *   torsor_probe     channels of a run, read while it runs
 *   torsor_modes     modes of vibration, buckling loads
 *   torsor_results   a results file
 *   torsor_table     numbers with named columns
 *   torsor_study     many runs of one model, compared
 *   torsor_resolve   error bars of a run, from runs beside it
 *
 * The program `torsor` uses this interface only: other programs can do everything that it does.
 *
 * Conventions. Functions that can fail return 0 on success, > 0 when a smaller step may help, < 0
 * on failure; `torsor_error()` then says in words what went wrong. `torsor_x_new(torsor_x **out,
 * ...)`, and every other function whose first argument is a pointer to a handle, gives ownership to
 * the caller, who frees it by `torsor_x_free` (NULL is allowed); on failure *out is NULL. A text
 * given through `char **out` is the caller's and goes back to `torsor_text_free`. Every other
 * returned pointer is borrowed: it lives as long as the handle it came from, unless its comment
 * says less. Indices count from 0; those out of range are refused or give NULL, NaN or -1. NULL for
 * a required argument (a handle, a text, a place for an answer) is refused: a status is
 * TORSOR_EINVAL, a pointer NULL, a number NaN, an index -1, a count 0; a function that returns
 * nothing does nothing. SI units and right-handed frames throughout; vectors are in global axes.
 *
 * Threads. There is no global state: different handles may be used on different threads at the same
 * time, one handle by one thread at a time. Where a library below is not made for that (HDF5,
 * ARPACK), calls wait for each other. The message of an error is kept per thread.
 *
 * Stability. Within one major version, functions keep their meaning, enumerations their numbers.
 * Structures that you declare (torsor_summary, torsor_mode, ...) stay as they are; those that you
 * fill (torsor_observer, torsor_modal_options, torsor_watch) begin as {0}. Structures that you only
 * get a pointer to (torsor_step, torsor_setup, torsor_verdict, torsor_mistake) may grow at their
 * ends. New settings are new names of torsor_options. A program built with the header of an older
 * version therefore runs with a newer library.
 *
 * Memory. A function that runs out of it returns TORSOR_ENOMEM and gives back what it had taken. A
 * handle that it was changing can then only be freed; a results file that it was writing keeps its
 * stored states. The process goes on.
 */
#ifndef TORSOR_H
#define TORSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TORSOR_VERSION "0.2.0"

typedef enum torsor_status {
    TORSOR_OK = 0,
    TORSOR_RETRY = 1,         /* no convergence: a smaller step may help */
    TORSOR_EINVAL = -1,       /* the model or an argument is wrong */
    TORSOR_EIO = -2,          /* a file could not be read or written */
    TORSOR_ESINGULAR = -3,    /* the equations have no unique solution */
    TORSOR_EDIVERGED = -4,    /* no convergence, even with the smallest step */
    TORSOR_EINTERRUPTED = -5, /* stopped by the caller */
    /* out of memory: the handle that was being changed can only be freed */
    TORSOR_ENOMEM = -6,
    TORSOR_EOPTION = -7 /* an option is unknown, wrong, or does not go with the others */
} torsor_status;

/* ---- errors, texts ---- */

/* What the last failing call on this thread had to say. Never NULL. */
const char *torsor_error(void);
const char *torsor_version(void);

/* The last failure on this thread in pieces, valid until the next one. Texts are never NULL; they
 * are empty where there is nothing to say. */
typedef struct torsor_problem {
    int status; /* torsor_status */
    const char *message;
    const char *part; /* the failing part */
    double time;      /* when it failed, or NaN */
    /* the model file; or the path of an entry that was set, "bodies.arm"; or the name of an
     * option */
    const char *file;
    int line, column;   /* from 1; 0 when there is no place */
    const char *hint;   /* what to do */
    const char *report; /* of a model: all mistakes, with their lines */
} torsor_problem;
const torsor_problem *torsor_error_details(void);

/* All mistakes in the model that made the last call on this thread fail, in the order of the
 * file; none after another failure. Texts until the next failure on this thread. The page shows
 * them with their lines, for a terminal in colours. */
typedef struct torsor_mistake {
    const char *file;
    int line, column;           /* from 1; 0 when there is no place */
    const char *message, *hint; /* the hint may be empty */
} torsor_mistake;
int torsor_mistakes(void);
const torsor_mistake *torsor_mistake_at(int mistake); /* NULL: there is none */
int torsor_mistakes_page(bool colour, char **out);

void torsor_text_free(char *text);

/* The value, in SI, of an expression as model files have them ("2*10 mm", "300 rpm"), which must
 * be of the dimension of `unit` ("m", "rad/s"; "1": a plain number). A number without a unit is
 * taken to be in SI. */
int torsor_number(const char *text, const char *unit, double *out);

/* The JSON Schema of model files: every section, kind and field. */
int torsor_schema(char **out);

/* ---- files that are written ----
 *
 * Every file is made under another name and moved to its place when it is whole. A file that exists
 * is replaced if it is an earlier output of the same kind, of the same model where it records one.
 * Anything else is not replaced (TORSOR_EIO), unless this thread says so: after
 * torsor_replace_files(true) its calls replace any plain file but their own inputs. The function
 * returns what held before. */
bool torsor_replace_files(bool any);

/* ---- models ---- */

typedef struct torsor_model torsor_model;

/* An empty model in SI units; a file; a text. Tables in other files are looked for beside the file;
 * `name` is for messages. What is read must be a whole model: every mistake is reported, see
 * torsor_error_details()->report. A file may be a pipe ("/dev/stdin"): it is read once. */
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
 * What was not there is added. Only its form is looked at now; what it means, when a run is
 * made. */
int torsor_model_set(torsor_model *model, const char *path, const char *value);
/* Gives a model that was written by somebody else other numbers. `name` is the name of a parameter
 * ("L" or "parameters.L"), of a section that the model has ("gravity"), or a path with a dot
 * ("bodies.arm.mass"). A parameter that the model does not have is refused (TORSOR_EOPTION) with
 * those that it has. */
int torsor_model_override(torsor_model *model, const char *name, const char *value);
/* Adds an entry to a section. An entry of that name must not exist yet. */
int torsor_model_add(torsor_model *model, const char *section, const char *name, const char *value);
bool torsor_model_has(const torsor_model *model, const char *path);
int torsor_model_get(const torsor_model *model, const char *path, char **out); /* as written */
/* The keys below a path ("": the sections), one a line. */
int torsor_model_keys(const torsor_model *model, const char *path, char **out);
/* The model file, with all that was set. */
int torsor_model_text(const torsor_model *model, char **out);
/* The model file with the tables and meshes of other files written in: it can be read anywhere. */
int torsor_model_whole(const torsor_model *model, char **out);
/* Warnings about the model, a line for each; "": none. Needs no assembly, so it can be called before
 * a long start. */
int torsor_model_warnings(torsor_model *model, char **out);
/* The channels that results of the model will have, as `torsor channels`: those that selectors take
 * ("hinge.angle", "arm", "*.angle"; none: all), with units and meaning, as lines or as JSON. */
int torsor_model_channels(torsor_model *model, int selectors, const char *const *selector,
                          bool json, char **out);

/* ---- options ----
 *
 * Settings above those of the model, by name, with values written as behind the options of the
 * program:
 *     torsor_options_new(&o, "run");
 *     torsor_options_set(o, "step", "2 ms");
 * A name that does not exist and a value of the wrong kind are refused at once (TORSOR_EOPTION).
 * `use` says what they are for: "run", "restart", "modes", "converge", "compare", "spectrum",
 * "resolve". Options are read by the call they are given to and may be freed after it; where a call
 * takes options, NULL stands for none. */
typedef struct torsor_options torsor_options;
int torsor_options_new(torsor_options **out, const char *use);
int torsor_options_set(torsor_options *options, const char *name, const char *value);
void torsor_options_free(torsor_options *options);
/* All names for a use, a line for each: name, tab, the kind of value, tab, what it means. */
int torsor_options_list(const char *use, char **out);

/* Told now and then how far a study is: words for people, and the share that is done, 0 to 1.
 * Anything but 0 stops it, with TORSOR_EINTERRUPTED. The watch is copied, its context is not. */
typedef struct torsor_watch {
    void *context;
    int (*tell)(void *context, const char *words, double share);
} torsor_watch;
void torsor_options_watch(torsor_options *options, const torsor_watch *watch);

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

/* An event of the model, and what became of it so far. */
typedef struct torsor_event {
    const char *name, *mark; /* mark: "" where it has none */
    int64_t count;           /* how often it has happened */
    double t;                /* when last, s */
    bool stopped;            /* it has ended the run */
} torsor_event;

/* Two shapes that touch. Forces are means over the last step; at the start of a run they are 0. */
typedef struct torsor_contact {
    const char *contact, *shape_a, *shape_b; /* names; they live as long as what they came from */
    double gap;                              /* m; below 0 they overlap */
    double at[3], normal[3];                 /* where, m; from b to a, of length 1 */
    double force[3], friction[3];            /* on a, N: all of it; friction alone */
    double pressing;                         /* size of the force along the normal, N */
    double stored;                           /* energy, J */
    bool stuck;                              /* friction holds it; false where there is none */
} torsor_contact;

/* A contact of the model, by the heaviest of its shapes and the largest speed as drawn, or of a
 * fall over their extent. Joints are left out. All SI; 0 where it cannot be said. */
typedef struct torsor_impact {
    const char *contact; /* its name */
    double mass, speed;  /* what meets */
    double stiffness;    /* the largest force over the depth */
    double duration, depth;
    double sinks; /* what the mass sinks in by under its weight */
} torsor_impact;

typedef struct torsor_summary {
    int64_t steps, iterations, cuts, factorisations;
    double seconds, worst_balance, worst_violation, energy_scale;
    int unknowns, threads; /* of the equations; on how many they are set up */
    const char *solver;    /* of the linear equations; "" before the first step */
    /* J: what round-off means for energies; a balance of that size is closed */
    double energy_noise;
} torsor_summary;

/* Settings of a run, from the model and the options, and the size of the model. */
typedef struct torsor_setup {
    const char *scheme, *parameters; /* "" when it has none */
    const char *solver;              /* of the linear equations, as asked for: "auto" */
    double rho_inf;                  /* of schemes that have it */
    bool takes_rho;
    double step, end; /* s; 0: the model has no analysis */
    double tolerance; /* of step control; 0: steps are fixed */
    int64_t steps;    /* from t = 0 to the end */
    int64_t every;    /* how many steps apart states are stored */
    int threads;
    bool statics, arc_length; /* loads grow in place of time; along the path */
    int increments;           /* of the load; arc length: the first arc brings 1/increments of it */
    bool settles;             /* begins in static equilibrium */
    int assembly_iterations;
    double size;               /* of the model, m */
    double far;                /* its farthest place from the origin over that, 1 at least */
    bool linear;               /* statics: one linear solution about the drawing */
    int unstable;              /* in how many ways a static start is unstable */
    double gravity[3];         /* m/s^2 */
    const char *gravity_words; /* with its unit, in SI and as in the model */
    const char *gravity_doubt; /* it looks like a mistake in units: why; otherwise "" */
    /* Redundant constraints in one sentence; "" where there are none. The notes (torsor_run_note)
     * that list them one by one: index of the first, and their number. */
    const char *repeats;
    int first_repeat, repeat_notes;
    const char *warnings; /* as torsor_model_warnings */
} torsor_setup;

/* How good the run is, up to now; at its end, what is said of it. */
typedef struct torsor_verdict {
    const char *status; /* "running", "completed", "interrupted", "failed: ..." */
    /* The energy audit in one sentence; of statics, whether equilibria were found. */
    const char *audit;
    /* the energy balance is closed; of a scheme without one, little was made; of statics, forces
     * are in balance */
    bool sound;
    bool created; /* the scheme had made energy, at any time */
    bool at_rest; /* there is no energy, but for round-off */
    bool good;    /* sound, nothing created, not unstable */
    /* In how many ways the end of statics is unstable; 0: none; -1: not known. */
    int unstable;
    double relative_balance; /* the largest so far, over `scale` */
    double scale;            /* J: what a balance is measured against */
    double loss;             /* energy that the scheme dissipated, of the largest */
    const char *worst_part;  /* with the largest violation of constraints, or "" */
    double worst_violation, worst_time;
    /* Where the time went; zero of small models, where a clock would cost. */
    double residual_seconds, tangent_seconds, factor_seconds, solve_seconds;
    double fill; /* of the factors */
    bool timed;  /* these are known */
    /* for statics only */
    const char *free_motions; /* that nothing resists at the end; "": none */
    double load_factor;       /* of the last state */
    bool linear;
    int jumps;        /* increments that ended by pseudo-time, not along the path */
    bool coarse_mesh; /* elements bend or shear by more than a mesh resolves */
    /* J: the largest energy that the scheme had made at any time since the start; when. */
    double made, made_time;
    /* What Newton's method left, added up over the steps, as a share of the motion of a step. */
    double unsolved;
    double residual; /* statics: largest unbalanced force of all increments over what acts */
    /* Of solver krylov: iterations of a linear solution on the average; how often they led nowhere,
     * so that mumps took over, and the time that cost. */
    double linear_iterations, lost_seconds;
    int losses;
} torsor_verdict;

/* One measure of the audit of resolution: its largest value so far, when and where, and the
 * thresholds above which it is listed, the run is coarse, and a step is rejected (NaN: never).
 * See docs/theory.md. */
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

/* How far a joint or motion was open as drawn, and is now: the largest of its conditions, and of
 * their rates. */
typedef struct torsor_gap {
    int part;
    double position_before, position_after, rate_before, rate_after;
} torsor_gap;

/* Reads the model, closes its joints, and, if its analysis says so, finds static equilibrium to
 * start from. The model is no longer needed then. Without an `analysis` it can be looked at but not
 * stepped. */
int torsor_run_new(torsor_run **out, const torsor_model *model);
/* A run by the model and options: scheme, solver, step ("auto" too), end, rho, every, threads. */
int torsor_run_begin(torsor_run **out, const torsor_model *model, const torsor_options *options);
/* Goes on from a stored state (frame) of a results file, bit for bit; -1 is the last from which it
 * does. t_end <= 0: as it was planned. Inputs continue with their stored values (files of 0.1: with
 * their first values). */
int torsor_run_restart(torsor_run **out, const char *results, int64_t frame, double t_end);
/* A run that goes on from a stored state, by options: `from` (its step), `time` (the last one up
 * to it) or `frame` choose the state; end, step, rho, every, threads hold from there on.
 * `torsor_run_resumed` says in words if a later state than the chosen one is there, otherwise
 * "". */
int torsor_run_resume(torsor_run **out, const char *results, const torsor_options *options);
const char *torsor_run_resumed(const torsor_run *run);
/* An open results file is closed, as by torsor_run_finish. */
void torsor_run_free(torsor_run *run);

/* From now on everything goes into a results file, as `torsor run` writes it, beginning with the
 * present state. Finish closes it; a step that fails does too. */
int torsor_run_record(torsor_run *run, const char *path);
int torsor_run_finish(torsor_run *run);
/* Call at the end of a run: 0, or why the run did not do what it should, for example a path of
 * statics that `max_points` ended short of its load. The results are then closed as failed. */
int torsor_run_complete(torsor_run *run);

/* Called around every step; NULL: not. Anything but 0 stops, with TORSOR_EINTERRUPTED; the run may
 * go on later. The observer is copied, its context is not. */
typedef struct torsor_observer {
    void *context;
    int (*before)(void *context, torsor_run *run); /* read the state, set inputs */
    int (*after)(void *context, torsor_run *run);  /* progress, histories */
} torsor_observer;
void torsor_run_observe(torsor_run *run, const torsor_observer *observer);
/* A number that stops the run also within a step (TORSOR_EINTERRUPTED) as soon as it is not 0: for
 * signal handlers, as a sig_atomic_t. Call it before the first step; NULL: none. */
void torsor_run_stop_when(torsor_run *run, const volatile int *flag);

/* One step; steps until `t` is reached (INFINITY: to the end). A run that failed stays at its last
 * good state. */
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
/* Energy that events took away so far, J: a term of the balance, beside those of the ledger. */
double torsor_run_event_loss(const torsor_run *run);
/* Parts of what the ledger has as dissipated, J: by dampers, by friction in joints and contacts, by
 * impacts of contacts. */
double torsor_run_damper_loss(const torsor_run *run);
double torsor_run_friction_loss(const torsor_run *run);
double torsor_run_impact_loss(const torsor_run *run);
int torsor_run_events(const torsor_run *run);
int torsor_run_event(const torsor_run *run, int event, torsor_event *out);
/* Called after every step in which an event happened, once for each of them in the order of the
 * model, before `after` of the observer. Anything but 0 stops, as there. The listener is copied,
 * its context is not; NULL: nobody listens. */
typedef struct torsor_event_listener {
    void *context;
    int (*happened)(void *context, torsor_run *run, const torsor_event *event);
} torsor_event_listener;
int torsor_run_on_event(torsor_run *run, const torsor_event_listener *listener);
/* Pairs of shapes that touch now, until the next step. */
int torsor_run_contacts(const torsor_run *run);
int torsor_run_contact(const torsor_run *run, int pair, torsor_contact *out);
/* Contacts of the model, and what an impact would be like. */
int torsor_run_impacts(const torsor_run *run);
int torsor_run_impact(const torsor_run *run, int contact, torsor_impact *out);
/* The audit of resolution: the verdict as `torsor run` prints it, with its level (NULL: not
 * wanted); free the text with torsor_text_free. At the start of a run it is that of the drawing. */
int torsor_run_resolution(const torsor_run *run, int *level, char **out);
int torsor_run_measures(const torsor_run *run);
int torsor_run_measure(const torsor_run *run, int measure, torsor_measure *out);
/* "rotation between nodes 74 deg ('arm', between nodes 3 and 4, t = 0.2 s)" */
int torsor_run_measure_text(const torsor_run *run, int measure, char **out);
const torsor_setup *torsor_run_setup(const torsor_run *run);
/* The verdict, until the next call for this run. At the end of statics it takes a factorisation,
 * once, to look for instability. */
const torsor_verdict *torsor_run_verdict(torsor_run *run);
/* The energy balance now, over the largest energy: round-off in a sound run. */
double torsor_run_balance(const torsor_run *run);
void torsor_run_assembly(const torsor_run *run, torsor_assembly *out);
const char *torsor_run_note(const torsor_run *run, int note); /* a sentence */
int torsor_run_gap(const torsor_run *run, int gap, torsor_gap *out);
const char *torsor_run_title(const torsor_run *run); /* "" when it has none */
void torsor_run_momentum(const torsor_run *run, double linear[3], double angular_about_origin[3]);

/* Inputs: signals of the model written `{input: 0}`, set from outside. A load or motor holds the
 * value from the start of the next step on; a motion goes to it over that step, in a straight line.
 * SI. */
int torsor_run_inputs(const torsor_run *run);
const char *torsor_run_input_name(const torsor_run *run, int input);
int torsor_run_input_find(const torsor_run *run, const char *name); /* -1: there is none */
int torsor_run_input_set(torsor_run *run, int input, double value);
double torsor_run_input_get(const torsor_run *run, int input);

/* ---- the state of a run ----
 *
 * Views into the state itself, not copies: they show the present state after every step, at the
 * same address for the life of the run. Slots are 3-vectors: of every node the position, then its
 * directors (columns of its rotation). */
int torsor_run_slots(const torsor_run *run);
const double *torsor_run_q(const torsor_run *run); /* slots x 3 */
const double *torsor_run_v(const torsor_run *run); /* their rates */
/* one per condition, mean of the last step */
const double *torsor_run_multipliers(const torsor_run *run);

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
/* What became of its fields: stiffness and mass of a section of beams or shells, size and
 * quality of a mesh; nothing of other parts. */
int torsor_run_part_describe(const torsor_run *run, int part, char **out);
/* What a joint, spring or motion exerts on its body B at its attachment there, now: of
 * conditions by the last steps, to second order (a results file also knows the steps after:
 * docs/results-file.md); where B is from A (displacement, rotation vector), in its frame on A. */
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

/* Gauss points of beams. Strain: Gamma1, Gamma2, Gamma3, kappa1, kappa2, kappa3; force: N, Q2, Q3,
 * M1, M2, M3. */
typedef struct torsor_station {
    int part;
    double arc, weight; /* along the beam from its start; the length it stands for */
} torsor_station;
int torsor_run_stations(const torsor_run *run);
int torsor_run_station(const torsor_run *run, int station, torsor_station *out);
int torsor_run_section(const torsor_run *run, int station, double strain[6], double force[6]);

/* ---- pictures of a run ---- */

/* The model as it stands now, for a page that shows it (`torsor view`): scripts of HTML with the
 * data of a report of this state alone, and with what acts on the model. */
int torsor_run_scene(const torsor_run *run, char **out);
/* Where joints and springs hold rigid bodies: as torsor_results_attachments. */
int torsor_run_attachments(const torsor_run *run, char **out);
/* Where all nodes are and how they are turned, in single precision: nodes x 3, nodes x 4
 * (quaternions s, x, y, z; 1, 0, 0, 0 of nodes without three directors). */
int torsor_run_pose(const torsor_run *run, float *place, float *turn);

/* Channels of a run, by the names that tables have ("hinge.angle", "arm.position"), read while it
 * runs. The run must live longer than the probe. Names that there are: torsor_model_channels. */
typedef struct torsor_probe torsor_probe;
int torsor_probe_new(torsor_probe **out, const torsor_run *run, int selectors,
                     const char *const *selector);
void torsor_probe_free(torsor_probe *probe);
int torsor_probe_count(const torsor_probe *probe); /* numbers: "arm.position" has three */
const char *torsor_probe_name(const torsor_probe *probe, int number);
const char *torsor_probe_unit(const torsor_probe *probe, int number);
int torsor_probe_read(torsor_probe *probe, double *out); /* at the present state */

/* What parts are coloured by while a model runs: a colour of the scene by its key
 * ("von_mises_stress"), at all stations of beams, shells or solids. The run must outlive it. */
typedef struct torsor_paint torsor_paint;
int torsor_paint_new(torsor_paint **out, const torsor_run *run, const char *key);
void torsor_paint_free(torsor_paint *paint);
int torsor_paint_count(const torsor_paint *paint);      /* stations */
int torsor_paint_read(torsor_paint *paint, float *out); /* at the present state, SI */

/* ---- modes ---- */

typedef struct torsor_modes torsor_modes;

typedef struct torsor_modal_options {
    int modes; /* how many; 0: 10 */
    /* steady rotation of everything, rad/s, about an axis through a place */
    double spin[3], about[3];
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

/* NULL: {0} */
int torsor_modes_new(torsor_modes **out, const torsor_model *model,
                     const torsor_modal_options *options);
/* With options: modes (how many), spin and about ("[0, 0, 300 rpm]", "[0, 0, 20 mm]"), as_drawn,
 * buckling. */
int torsor_modes_find(torsor_modes **out, const torsor_model *model, const torsor_options *options);
void torsor_modes_free(torsor_modes *modes);
int torsor_modes_count(const torsor_modes *modes);
bool torsor_modes_settled(const torsor_modes *modes); /* equilibrium had to be found first */
/* What separates the state from equilibrium: displacement / size of the model, or rotation. */
double torsor_modes_imbalance(const torsor_modes *modes);
int torsor_modes_get(const torsor_modes *modes, int mode, torsor_mode *out);
/* Effective mass along x, y, z, kg; zeros of complex modes and of buckling. */
int torsor_modes_effective_mass(const torsor_modes *modes, int mode, double out[3]);
double torsor_modes_mass(const torsor_modes *modes); /* of all that can move, kg */
/* Motions against which nothing acts: how many, listed or not; one that is listed, in words ("" of
 * other modes). */
int torsor_modes_free_motions(const torsor_modes *modes);
int torsor_modes_free_words(const torsor_modes *modes, int mode, char **out);
/* How a mode in rotation looks from outside: 1 with the rotation, -1 against it, 0 neither;
 * `omega` in rad/s. */
int torsor_modes_whirl(const torsor_modes *modes, int mode, int *way, double *omega);
void torsor_modes_rotation(const torsor_modes *modes, double spin[3], double about[3]);
/* The run that they are modes of, at its equilibrium: for names of nodes and parts. */
const torsor_run *torsor_modes_run(const torsor_modes *modes);
int torsor_modes_write(const torsor_modes *modes, const char *path); /* HDF5 */
/* A page of HTML: the modes in motion, their table. Replaces a report only. */
int torsor_modes_report(const torsor_modes *modes, const char *path);

/* Campbell diagrams: modes at `speeds` speeds (21) from rest to `spin`, joined to curves by their
 * shapes. Options are those of "modes". */
typedef struct torsor_campbell torsor_campbell;
int torsor_campbell_new(torsor_campbell **out, const torsor_model *model,
                        const torsor_options *options);
void torsor_campbell_free(torsor_campbell *campbell);
int torsor_campbell_speeds(const torsor_campbell *campbell);
int torsor_campbell_curves(const torsor_campbell *campbell);
/* The modes at a speed, from 0; they belong to the diagram. NULL: there is no such speed. */
const torsor_modes *torsor_campbell_modes(const torsor_campbell *campbell, int speed);
/* Which of these modes is on a curve; -1: none. */
int torsor_campbell_mode(const torsor_campbell *campbell, int speed, int curve);
int torsor_campbell_report(const torsor_campbell *campbell, const char *path); /* a page of HTML */

/* ---- results ---- */

typedef struct torsor_results torsor_results;
typedef struct torsor_table torsor_table;

/* May a file of this kind be written there? Kinds: "results", "modes" (of the model, or NULL: of
 * any), "report", "xdmf", "svg", "csv", "text", "json". To be asked before long work. Write puts a
 * text of one of the last five kinds there, whole or not at all. */
int torsor_output_check(const char *kind, const char *path, const torsor_model *model);
int torsor_output_write(const char *kind, const char *path, const char *text);
/* May results be written there? Only a results file, or nothing, is replaced. */
int torsor_results_check(const char *path);
/* Opens a results file, also one that is still written or whose run was killed. */
int torsor_results_open(torsor_results **out, const char *path);
void torsor_results_free(torsor_results *results);
int64_t torsor_results_frames(const torsor_results *results); /* stored states */
int64_t torsor_results_steps(const torsor_results *results);
int torsor_results_text(const torsor_results *results, char **out);      /* the model file */
int torsor_results_info(torsor_results *results, bool json, char **out); /* as `torsor info` */
/* The channels of the file, as torsor_model_channels. */
int torsor_results_channels(torsor_results *results, int selectors, const char *const *selector,
                            bool json, char **out);
/* `torsor info --csv`; the path "-" is the standard output. */
int torsor_results_csv(torsor_results *results, int selectors, const char *const *selector,
                       const char *path);
/* The columns that the model asks for in outputs.csv, one a line. */
int torsor_results_outputs(const torsor_results *results, char **out);
/* Where joints and springs hold rigid bodies, as JSON: [{"part": "arm", "at": [0, 0, 0.1]}, ...],
 * in m and axes of the body. */
int torsor_results_attachments(torsor_results *results, char **out);
/* For ParaView: format "vtu" (a folder with a file for each state) or "xdmf" (one light file),
 * every n-th state. Place: the folder or file; NULL: its usual name. What was made: how many
 * states, and the file to open (NULL: not wanted). */
int torsor_results_export(torsor_results *results, const char *format, const char *place,
                          int64_t every, int64_t *states, char **file);
/* A page of HTML that shows the runs of results files, with at most so many states to play (0:
 * as many as a browser takes lightly). Replaces a report only; check says whether it would. */
int torsor_report(int count, const char *const *results, const char *path, int64_t frames);
int torsor_report_check(const char *path);

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

/* Pairs of shapes that touch at a stored state: reads them and says how many there are; they can
 * be asked for until the next such call. */
int torsor_results_contacts(torsor_results *results, int64_t frame, int *count);
int torsor_results_contact(const torsor_results *results, int pair, torsor_contact *out);

/* One row per stored state, columns by name ("hinge.angle", "arm.position", "*.angle";
 * docs/results-file.md), the time first. No selectors: the usual ones. Catalogue: all columns that
 * there are, without rows. */
int torsor_results_table(torsor_table **out, torsor_results *results, int selectors,
                         const char *const *selector);
int torsor_results_catalogue(torsor_table **out, torsor_results *results);
void torsor_table_free(torsor_table *table);
int64_t torsor_table_rows(const torsor_table *table);
int torsor_table_columns(const torsor_table *table);
const char *torsor_table_name(const torsor_table *table, int column);
const char *torsor_table_unit(const torsor_table *table, int column);
const double *torsor_table_column(const torsor_table *table, int column); /* its rows, in a row */
/* The columns as a plot over the time, or over the column of the name `over` (NULL: the first).
 * Form "svg": a picture, columns of one unit in one panel; "text": for a terminal, each column in
 * a panel. Width and height of a panel in pixels or characters; 0: the usual. */
int torsor_table_plot(const torsor_table *table, const char *title, const char *over,
                      const char *form, int width, int height, char **out);

/* One number of a history: "max hinge.angle". Before the column stands one of first, last, min,
 * max, absmax, mean, rms, range; mean and rms are over time, by the trapezoidal rule. The unit may
 * be NULL. */
int torsor_results_measure(torsor_results *results, const char *measure, double *out, char **unit);

/* ---- studies ----
 *
 * Runs are threads side by side; `jobs` says how many at a time. */
typedef struct torsor_study torsor_study;

/* Errors and orders of a ladder of steps against a fine reference. Options: step (the longest),
 * levels, steps, reference, scheme, rho, end, rms, jobs. */
int torsor_converge(torsor_study **out, const torsor_model *model, const torsor_options *options);
/* What schemes preserve of a model, how exact they are, what they cost. Options: schemes, and
 * those of torsor_converge. */
int torsor_compare(torsor_study **out, const torsor_model *model, const torsor_options *options);
/* Spectral radius, damping and period error of schemes on a vibration. Options: schemes, rho (a
 * list), range, points. */
int torsor_spectrum(torsor_study **out, const torsor_options *options);
void torsor_study_free(torsor_study *study);
/* In the form "text", "json", "csv" or "svg". */
int torsor_study_write(torsor_study *study, const char *form, char **out);

/* Error bars of a run: begin starts the same run with half the step and with a refined mesh, in
 * threads beside this one; the run itself is then recorded and brought to its end; finish
 * waits for the others and compares the results, by text and json of the study. Options:
 * channels, jobs. Begin before the first step and before torsor_run_record; the run must live
 * until finish. Warnings of finish: what is missing, and why. */
typedef struct torsor_resolve torsor_resolve;
int torsor_resolve_begin(torsor_resolve **out, const torsor_run *run,
                         const torsor_options *options);
/* Are the channels that were asked for in these results? To be called once they are recorded:
 * not after hours. */
int torsor_resolve_check(const torsor_resolve *resolve, const char *results);
int torsor_resolve_finish(torsor_study **out, torsor_resolve *resolve, const char *results);
const char *torsor_resolve_warnings(const torsor_resolve *resolve); /* lines, or "" */
/* Ends the other runs and removes their files. Abandon does only that, and may be called by a
 * signal handler. */
void torsor_resolve_free(torsor_resolve *resolve);
void torsor_resolve_abandon(torsor_resolve *resolve);

/* ---- many cases of one model ----
 *
 * A plan is a study file (docs/studies.md): parameters with grids, distributions and tables, made
 * into cases; what to measure of each. Who runs the cases, and where, is for the caller to say. */
typedef struct torsor_plan torsor_plan;

/* A file, or a text; other files that it names are beside `path`. The model is read too: parameters
 * that it does not have are mistakes. A text may do without a model. */
int torsor_plan_read(torsor_plan **out, const char *path);
int torsor_plan_parse(torsor_plan **out, const char *text, size_t length, const char *path);
void torsor_plan_free(torsor_plan *plan);
const torsor_model *torsor_plan_model(const torsor_plan *plan); /* NULL: it names none */

/* What is listed: "parameters", "measures", "options" (of a run), "histories", "settings" (title,
 * model, output, keep). Name and text of an item; NULL: there is none. */
int torsor_plan_count(const torsor_plan *plan, const char *list);
const char *torsor_plan_name(const torsor_plan *plan, const char *list, int item);
const char *torsor_plan_text(const torsor_plan *plan, const char *list, int item);
const char *torsor_plan_setting(const torsor_plan *plan, const char *name);

int64_t torsor_plan_cases(const torsor_plan *plan);
/* The value of a parameter in a case, as for torsor_model_override. */
const char *torsor_plan_value(const torsor_plan *plan, int64_t which, int parameter);

/* The finished cases of journals as one table: "csv" and "h5", or as a page for the browser:
 * "report". A journal has one line of JSON for each finished case; damaged lines are skipped, of
 * cases that are there twice the last counts. `cases`: how many there are, or NULL. */
int torsor_journals_write(int count, const char *const *journals, const char *form,
                          const char *path, int64_t *cases);

#ifdef __cplusplus
}
#endif
#endif
