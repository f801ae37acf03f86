/* The layout of a results file (format 1). docs/results-file.md tells it to users; this is where it
 * is made.
 *
 *   /            attributes: format, format_version, version, title, model_hash, the options,
 *                created, status
 *   /model/      text, and tables: nodes, parts, coordinates, conditions, stations,
 *                output_stations
 *   /geometry/   what the model looks like: geometry.c
 *   /frames/     one row per stored state: the state itself, bit for bit, and what follows from it
 *   /steps/      one row per step: the solver's and the energy account
 *   /summary     attributes, known once the run is closed
 *   /progress    [frames, steps]: the rows that are complete; all others are to be ignored
 *
 * All arrays have the shape rows x [entries x] [width], a dimension of one being left out. The
 * first frame is the state the run started from; steps are numbered from the start of the first
 * run, so those of a restarted run continue.
 *
 * results_write.c and results_read.c go through the table below; results_place.c puts a new file in
 * its place; results_csv.c and results_info.c are for people; results_h5.c alone knows HDF5 and
 * says why killing a run is safe.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "results/file.h"

const char *const TS_GROUP_NAME[TS_GROUPS] = {"frames", "steps"};

const char *const TS_LEDGER_NAME[TS_LEDGER_COLUMNS] = {"kinetic",     "elastic",     "gravity",
                                                       "work_loads",  "work_drives", "dissipated",
                                                       "algorithmic", "balance",     "start"};
_Static_assert(sizeof(ts_ledger) == (TS_LEDGER_COLUMNS - 1) * sizeof(double),
               "the ledger has changed: name its new columns here, and raise the format's version");

_Static_assert(sizeof(ts_peak) == TS_PEAK_WIDTH * sizeof(double),
               "a peak has changed: name its new columns here");

#define STATE(member) .from = TS_FROM_STATE, .offset = offsetof(ts_state, member)
#define ARRAY(member) .from = TS_FROM_STATE_ARRAY, .offset = offsetof(ts_state, member)
#define COMPUTED(member) .from = TS_FROM_COMPUTED, .offset = offsetof(ts_results, member)
#define LEDGER(member) .from = TS_FROM_LEDGER, .offset = offsetof(ts_ledger, member)
#define REPORT(member) .from = TS_FROM_REPORT, .offset = offsetof(ts_step_report, member)
#define REPORT_INT(member) .from = TS_FROM_REPORT_INT, .offset = offsetof(ts_step_report, member)
#define INTEGER .integer = true
#define BLANK .blank = true

/* clang-format off */
const ts_series TS_SERIES[TS_SERIES_COUNT] = {
    /* the state: everything that a restart needs */
    [TS_FRAME_T] = {"t", "s", NULL, "time of the stored state; NaN where nothing was stored yet",
        TS_FRAMES, TS_EACH_ROW, 1, STATE(t), BLANK},
    [TS_FRAME_STEP] = {"step", "1", NULL, "number of the step, from the start of the first run",
        TS_FRAMES, TS_EACH_ROW, 1, STATE(step), INTEGER},
    [TS_FRAME_Q] = {"q", "m, 1", "x y z",
        "ambient coordinates by slot: a node's position, then its directors (columns of its "
        "rotation); see model/nodes",
        TS_FRAMES, TS_EACH_SLOT, 3, ARRAY(q)},
    [TS_FRAME_V] = {"v", "m/s, 1/s", "x y z", "rates of q",
        TS_FRAMES, TS_EACH_SLOT, 3, ARRAY(v)},
    [TS_FRAME_VDOT] = {"vdot", "m/s^2, 1/s^2", "x y z", "mean rates of v over the last step",
        TS_FRAMES, TS_EACH_SLOT, 3, ARRAY(vdot)},
    [TS_FRAME_LAMBDA] = {"lambda", "N, N m", NULL,
        "multipliers of the last step, by condition; see model/conditions",
        TS_FRAMES, TS_EACH_CONDITION, 1, ARRAY(lambda)},
    [TS_FRAME_KAPPA] = {"kappa", "N, N m", NULL, "stage multipliers of the last step, by condition",
        TS_FRAMES, TS_EACH_CONDITION, 1, ARRAY(kappa)},
    [TS_FRAME_MEMORY] = {"memory", NULL, NULL,
        "unwrapped angles and other memory of laws, for restarts",
        TS_FRAMES, TS_EACH_MEMORY, 1, ARRAY(memory)},
    [TS_FRAME_TRAIL] = {"trail", NULL, NULL,
        "means over the two steps before the last one, for restarts; see force",
        TS_FRAMES, TS_EACH_TRAIL, 1, ARRAY(trail), .later = true},
    [TS_FRAME_CONTROL] = {"step_control", "s, J", "substep exchanged kinetic elastic gravity",
        "step control, for restarts: next substep, largest exchange of energy so far, energies at the start; 0 without",
        TS_FRAMES, TS_EACH_ROW, 5, STATE(control), .later = true},
    [TS_FRAME_INPUT] = {"input", NULL, "value before reached t h slope",
        "inputs, for restarts, one entry for each use of one: value for the next step; at the start "
        "and end of the last one; its start and size; rate of the one before",
        TS_FRAMES, TS_EACH_INPUT, TS_INPUT_WIDTH, .from = TS_FROM_INPUT, .later = true},
    [TS_FRAME_LEDGER] = {"ledger", "J",
        "kinetic elastic gravity work_loads work_drives dissipated algorithmic balance start",
        "energy account: energies now, sums since the start of the first run, balance, energy at "
        "the start",
        TS_FRAMES, TS_EACH_ROW, TS_LEDGER_COLUMNS, .from = TS_FROM_ACCOUNT},

    [TS_FRAME_RESOLUTION] = {"resolution", "rad, 1", "value t part place to",
        "audit of resolution: largest values so far, by measure; see model/measures",
        TS_FRAMES, TS_EACH_MEASURE, TS_PEAK_WIDTH, STATE(peak), .later = true},
    [TS_FRAME_LARGEST_ENERGY] = {"largest_energy", "J", NULL,
        "largest of the energies so far: what the loss of the scheme is measured against",
        TS_FRAMES, TS_EACH_ROW, 1, STATE(largest_energy), .later = true},

    /* what follows from it, for convenience */
    [TS_FRAME_OMEGA] = {"omega", "rad/s", "x y z", "angular velocity by node, global axes",
        TS_FRAMES, TS_EACH_NODE, 3, .from = TS_FROM_OMEGA},
    [TS_FRAME_FORCE] = {"force", "N", "x y z",
        "force of a joint or spring on its body B at the time t, global axes; see reaction in "
        "model/parts",
        TS_FRAMES, TS_EACH_REACTION, 3, COMPUTED(force)},
    [TS_FRAME_MOMENT] = {"moment", "N m", "x y z",
        "moment likewise, about the attachment point on body B",
        TS_FRAMES, TS_EACH_REACTION, 3, COMPUTED(moment)},
    [TS_FRAME_MULTIPLIER] = {"multiplier", "N, N m", NULL,
        "multipliers at the time t, by condition: that of a prescribed motion is minus what it needs",
        TS_FRAMES, TS_EACH_CONDITION, 1, COMPUTED(multiplier), .later = true},
    [TS_FRAME_RELATIVE_DISPLACEMENT] = {"relative_displacement", "m", "x y z",
        "of a joint or spring: attachment point on B from that on A, in the joint frame of A",
        TS_FRAMES, TS_EACH_REACTION, 3, .from = TS_FROM_RELATIVE_DISPLACEMENT},
    [TS_FRAME_RELATIVE_ROTATION] = {"relative_rotation", "rad", "x y z",
        "rotation vector of the joint frame of B from that of A, in the joint frame of A; at most "
        "half a turn (joints with an angle of their own have it unwrapped under coordinate)",
        TS_FRAMES, TS_EACH_REACTION, 3, .from = TS_FROM_RELATIVE_ROTATION},
    [TS_FRAME_COORDINATE] = {"coordinate", "rad, m", NULL,
        "coordinates of joints; see model/coordinates",
        TS_FRAMES, TS_EACH_COORDINATE, 1, .from = TS_FROM_COORDINATE},
    [TS_FRAME_COORDINATE_RATE] = {"coordinate_rate", "rad/s, m/s", NULL, "their rates",
        TS_FRAMES, TS_EACH_COORDINATE, 1, .from = TS_FROM_COORDINATE_RATE},
    [TS_FRAME_SECTION_FORCE] = {"section_force", "N, N m", "N Q2 Q3 M1 M2 M3",
        "internal forces and moments of beams by station, section axes; see model/stations",
        TS_FRAMES, TS_EACH_STATION, TS_SECTION_WIDTH, COMPUTED(section_force)},
    [TS_FRAME_SECTION_STRAIN] = {"section_strain", "1, 1/m",
        "Gamma1 Gamma2 Gamma3 kappa1 kappa2 kappa3",
        "strains and curvatures of beams by station, section axes, from the beam as drawn",
        TS_FRAMES, TS_EACH_STATION, TS_SECTION_WIDTH, COMPUTED(section_strain)},
    [TS_FRAME_OUTPUT_FORCE] = {"output_force", "N, N m", "N Q2 Q3 M1 M2 M3",
        "internal forces and moments at the places that outputs.stations asks for, section axes; "
        "see model/output_stations",
        TS_FRAMES, TS_EACH_OUTPUT, TS_SECTION_WIDTH, COMPUTED(output_force)},
    [TS_FRAME_OUTPUT_STRAIN] = {"output_strain", "1, 1/m",
        "Gamma1 Gamma2 Gamma3 kappa1 kappa2 kappa3",
        "strains and curvatures there, section axes, from the beam as drawn",
        TS_FRAMES, TS_EACH_OUTPUT, TS_SECTION_WIDTH, COMPUTED(output_strain)},
    [TS_FRAME_SHELL_FORCE] = {"shell_force", "N/m, N", "n11 n22 n12 m11 m22 m12 q1 q2",
        "forces and moments per length of shells by point, section axes; see model/shell_points",
        TS_FRAMES, TS_EACH_SHELL_POINT, TS_SHELL_WIDTH, COMPUTED(shell_force)},
    [TS_FRAME_SHELL_STRAIN] = {"shell_strain", "1, 1/m",
        "eps11 eps22 2eps12 kappa11 kappa22 2kappa12 gamma1 gamma2",
        "strains and curvatures of shells by point, section axes, from the shell as drawn",
        TS_FRAMES, TS_EACH_SHELL_POINT, TS_SHELL_WIDTH, COMPUTED(shell_strain)},
    [TS_FRAME_SOLID_STRESS] = {"solid_stress", "Pa", "s11 s22 s33 s12 s23 s13",
        "Cauchy's stress of solids by point, global axes; see model/solid_points",
        TS_FRAMES, TS_EACH_SOLID_POINT, TS_STRESS_WIDTH, COMPUTED(solid_stress)},
    [TS_FRAME_LINEAR] = {"momentum_linear", "kg m/s", "x y z", "momentum of the whole model",
        TS_FRAMES, TS_EACH_ROW, 3, .from = TS_FROM_LINEAR},
    [TS_FRAME_ANGULAR] = {"momentum_angular", "kg m^2/s", "x y z",
        "moment of momentum about the origin",
        TS_FRAMES, TS_EACH_ROW, 3, .from = TS_FROM_ANGULAR},

    /* every step */
    [TS_STEP_T] = {"t", "s", NULL, "time at the end of the step; NaN where no step was made yet",
        TS_STEPS, TS_EACH_ROW, 1, REPORT(t), BLANK},
    [TS_STEP_STEP] = {"step", "1", NULL, "number of the step, from the start of the first run",
        TS_STEPS, TS_EACH_ROW, 1, REPORT(step), INTEGER},
    [TS_STEP_H] = {"h", "s", NULL, "size of the step",
        TS_STEPS, TS_EACH_ROW, 1, REPORT(h)},
    [TS_STEP_ITERATIONS] = {"iterations", "1", NULL,
        "Newton iterations, all substeps and attempts together",
        TS_STEPS, TS_EACH_ROW, 1, REPORT_INT(iterations), INTEGER},
    [TS_STEP_CUTS] = {"cuts", "1", NULL, "substeps beyond one",
        TS_STEPS, TS_EACH_ROW, 1, REPORT_INT(cuts), INTEGER},
    [TS_STEP_VIOLATION] = {"violation", "m, 1", NULL,
        "largest violation of a condition on positions",
        TS_STEPS, TS_EACH_ROW, 1, REPORT(violation)},
    [TS_STEP_RATE_VIOLATION] = {"rate_violation", "m/s, 1/s", NULL,
        "largest violation of a condition on rates",
        TS_STEPS, TS_EACH_ROW, 1, REPORT(rate_violation)},
    [TS_STEP_KINETIC] = {"kinetic", "J", NULL, "kinetic energy",
        TS_STEPS, TS_EACH_ROW, 1, LEDGER(kinetic)},
    [TS_STEP_ELASTIC] = {"elastic", "J", NULL, "elastic energy",
        TS_STEPS, TS_EACH_ROW, 1, LEDGER(elastic)},
    [TS_STEP_GRAVITY] = {"gravity", "J", NULL, "potential energy of gravity",
        TS_STEPS, TS_EACH_ROW, 1, LEDGER(gravity)},
    [TS_STEP_WORK_LOADS] = {"work_loads", "J", NULL,
        "work of loads since the start of the first run",
        TS_STEPS, TS_EACH_ROW, 1, LEDGER(work_loads)},
    [TS_STEP_WORK_DRIVES] = {"work_drives", "J", NULL, "work of prescribed motions likewise",
        TS_STEPS, TS_EACH_ROW, 1, LEDGER(work_drives)},
    [TS_STEP_DISSIPATED] = {"dissipated", "J", NULL, "energy lost in dampers and friction likewise",
        TS_STEPS, TS_EACH_ROW, 1, LEDGER(dissipated)},
    [TS_STEP_ALGORITHMIC] = {"algorithmic", "J", NULL, "energy taken out by the scheme likewise",
        TS_STEPS, TS_EACH_ROW, 1, LEDGER(algorithmic)},
    [TS_STEP_BALANCE] = {"balance", "J", NULL,
        "energy now - energy at the start - works + losses: zero but for round-off",
        TS_STEPS, TS_EACH_ROW, 1, LEDGER(balance)},
};

const ts_h5_field TS_NODE_FIELD[] = {
    [TS_NODE_PART] = {"part", TS_H5_TEXT},      /* the part that made it */
    [TS_NODE_KIND] = {"kind", TS_H5_TEXT},      /* point | director | frame */
    [TS_NODE_FIXED] = {"fixed", TS_H5_INTEGER}, /* 1: ground */
    [TS_NODE_SLOT] = {"slot", TS_H5_INTEGER},   /* first slot in q, v, vdot */
    [TS_NODE_SLOTS] = {"slots", TS_H5_INTEGER},
    [TS_NODE_MASS] = {"mass", TS_H5_NUMBER},
};
const ts_h5_field TS_NAME_FIELD[] = {
    [TS_NAME_PART] = {"part", TS_H5_TEXT},
    [TS_NAME_WORD] = {"word", TS_H5_TEXT}, /* behind the part's name */
    [TS_NAME_NODE] = {"node", TS_H5_INTEGER},
};
const ts_h5_field TS_PART_FIELD[] = {
    [TS_PART_NAME] = {"name", TS_H5_TEXT},
    [TS_PART_KIND] = {"kind", TS_H5_TEXT},
    [TS_PART_SECTION] = {"section", TS_H5_TEXT},
    [TS_PART_REACTION] = {"reaction", TS_H5_INTEGER}, /* index in frames/force and moment, or -1 */
};
const ts_h5_field TS_COORDINATE_FIELD[] = {
    [TS_COORDINATE_PART] = {"part", TS_H5_TEXT},
    [TS_COORDINATE_NAME] = {"name", TS_H5_TEXT},
    [TS_COORDINATE_UNIT] = {"unit", TS_H5_TEXT},
};
const ts_h5_field TS_CONDITION_FIELD[] = {
    [TS_CONDITION_PART] = {"part", TS_H5_TEXT},
    [TS_CONDITION_LABEL] = {"label", TS_H5_TEXT},
    [TS_CONDITION_DRIVE] = {"drive", TS_H5_INTEGER},
    [TS_CONDITION_REDUNDANT] = {"redundant", TS_H5_INTEGER},
};
const ts_h5_field TS_STATION_FIELD[] = {
    [TS_STATION_PART] = {"part", TS_H5_TEXT},
    [TS_STATION_ELEMENT] = {"element", TS_H5_INTEGER}, /* from 1 */
    [TS_STATION_ARC] = {"arc", TS_H5_NUMBER},       /* along the line, from the start of the beam */
    [TS_STATION_WEIGHT] = {"weight", TS_H5_NUMBER}, /* the length it stands for */
};
const ts_h5_field TS_OUTPUT_FIELD[] = {
    [TS_OUTPUT_PART] = {"part", TS_H5_TEXT},
    [TS_OUTPUT_ARC] = {"arc", TS_H5_NUMBER},
};
const ts_h5_field TS_SOLID_POINT_FIELD[] = {
    [TS_SOLID_POINT_PART] = {"part", TS_H5_TEXT},
    [TS_SOLID_POINT_ELEMENT] = {"element", TS_H5_INTEGER}, /* from 1 */
    [TS_SOLID_POINT_X] = {"x", TS_H5_NUMBER},              /* as drawn */
    [TS_SOLID_POINT_Y] = {"y", TS_H5_NUMBER},
    [TS_SOLID_POINT_Z] = {"z", TS_H5_NUMBER},
    [TS_SOLID_POINT_VOLUME] = {"volume", TS_H5_NUMBER}, /* that it stands for */
};
const ts_h5_field TS_SHELL_POINT_FIELD[] = {
    [TS_SHELL_POINT_PART] = {"part", TS_H5_TEXT},
    [TS_SHELL_POINT_ELEMENT] = {"element", TS_H5_INTEGER}, /* from 1 */
    [TS_SHELL_POINT_X] = {"x", TS_H5_NUMBER}, /* as drawn */
    [TS_SHELL_POINT_Y] = {"y", TS_H5_NUMBER},
    [TS_SHELL_POINT_Z] = {"z", TS_H5_NUMBER},
    [TS_SHELL_POINT_AREA] = {"area", TS_H5_NUMBER}, /* that it stands for */
    [TS_SHELL_POINT_THICKNESS] = {"thickness", TS_H5_NUMBER},
};
const ts_h5_field TS_MEASURE_FIELD[] = {
    [TS_MEASURE_NAME] = {"name", TS_H5_TEXT},
    [TS_MEASURE_WHAT] = {"what", TS_H5_TEXT},
    [TS_MEASURE_UNIT] = {"unit", TS_H5_TEXT},
    [TS_MEASURE_TOLD] = {"told", TS_H5_NUMBER},         /* thresholds */
    [TS_MEASURE_COARSE] = {"coarse", TS_H5_NUMBER},
    [TS_MEASURE_REJECTED] = {"rejected", TS_H5_NUMBER}, /* NaN: no step is */
};
/* clang-format on */

#define OPTION(name, type) \
    { #name, offsetof(ts_options, name), TS_ATTRIBUTE_##type }
const ts_attribute TS_OPTIONS[TS_OPTION_COUNT] = {
    OPTION(rho_inf, REAL),    OPTION(h, REAL),         OPTION(t_end, REAL),
    OPTION(store_every, INT), OPTION(tolerance, REAL), OPTION(max_iterations, INT),
    OPTION(max_cuts, INT),
};

const char *ts_series_path(ts_series_id id, char name[64]) {
    snprintf(name, 64, "/%s/%s", TS_GROUP_NAME[TS_SERIES[id].group], TS_SERIES[id].name);
    return name;
}

/* ---- filling a row ---- */

static void fill_omega(const ts_system *system, double *row) {
    for (int n = 0; n < system->model->nodes_count; n++)
        v3_store(row + 3 * n, ts_node_omega(system, n));
}

static void fill_coordinates(const ts_system *system, double (*ask)(const ts_system *, int),
                             double *row) {
    for (int c = 0; c < system->model->coordinates_count; c++) row[c] = ask(system, c);
}

static void fill_relative(const ts_results *results, const ts_system *system, bool rotation,
                          double *row) {
    for (int64_t k = 0; k < results->entries[TS_EACH_REACTION]; k++) {
        v3 displacement, turn;
        ts_part_relative(system, results->reaction[k], &displacement, &turn);
        v3_store(row + 3 * k, rotation ? turn : displacement);
    }
}

static void fill_momentum(const ts_system *system, bool angular, double *row) {
    v3 linear, about_origin;
    ts_momenta(system, &linear, &about_origin);
    v3_store(row, angular ? about_origin : linear);
}

static void fill_inputs(const ts_model *model, double *row) {
    for (int s = 0; s < model->signals_count; s++) {
        const ts_input *in = &model->signals[s].input;
        if (model->signals[s].kind != TS_SIGNAL_INPUT) continue;
        const double entry[TS_INPUT_WIDTH] = {in->value, in->before, in->reached,
                                              in->t,     in->h,      in->slope};
        memcpy(row, entry, sizeof entry);
        row += TS_INPUT_WIDTH;
    }
}

static void fill_account(const ts_system *system, double *row) {
    memcpy(row, &system->ledger, sizeof system->ledger);
    row[TS_LEDGER_COLUMNS - 1] = system->energy_start;
}

static void fill_int(const void *from, void *row) {
    int value;
    memcpy(&value, from, sizeof value);
    memcpy(row, &(int64_t){value}, sizeof(int64_t));
}

void ts_series_fill(const ts_results *results, ts_series_id id, const ts_system *system,
                    const ts_step_report *report, void *row) {
    const ts_series *series = &TS_SERIES[id];
    const char *state = (const char *)&system->state + series->offset;
    size_t bytes = (size_t)results->track[id].values * sizeof(double);
    if (bytes == 0) return;
    switch (series->from) {
    case TS_FROM_STATE:
        memcpy(row, state, bytes);
        break;
    case TS_FROM_STATE_ARRAY:
        memcpy(row, *(double *const *)(const void *)state, bytes);
        break;
    case TS_FROM_COMPUTED:
        memcpy(row, *(double *const *)(const void *)((const char *)results + series->offset),
               bytes);
        break;
    case TS_FROM_LEDGER:
        memcpy(row, (const char *)&system->ledger + series->offset, bytes);
        break;
    case TS_FROM_ACCOUNT:
        fill_account(system, row);
        break;
    case TS_FROM_REPORT:
        memcpy(row, (const char *)report + series->offset, bytes);
        break;
    case TS_FROM_REPORT_INT:
        fill_int((const char *)report + series->offset, row);
        break;
    case TS_FROM_INPUT:
        fill_inputs(system->model, row);
        break;
    case TS_FROM_OMEGA:
        fill_omega(system, row);
        break;
    case TS_FROM_RELATIVE_DISPLACEMENT:
        fill_relative(results, system, false, row);
        break;
    case TS_FROM_RELATIVE_ROTATION:
        fill_relative(results, system, true, row);
        break;
    case TS_FROM_COORDINATE:
        fill_coordinates(system, ts_coordinate_value, row);
        break;
    case TS_FROM_COORDINATE_RATE:
        fill_coordinates(system, ts_coordinate_rate, row);
        break;
    case TS_FROM_LINEAR:
        fill_momentum(system, false, row);
        break;
    case TS_FROM_ANGULAR:
        fill_momentum(system, true, row);
        break;
    }
}

ts_results *ts_results_blank(const char *path) {
    ts_results *r = ts_calloc(1, sizeof *r);
    r->path = ts_strdup(path);
    r->file = r->progress = -1;
    for (int i = 0; i < TS_SERIES_COUNT; i++) r->track[i].set = -1;
    return r;
}

void ts_results_discard(ts_results *results) {
    if (!results) return;
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        ts_h5_dataset_close(results->track[i].set);
        free(results->track[i].buffer);
    }
    ts_h5_dataset_close(results->progress);
    ts_h5_close(results->file);
    free(results->path), free(results->text);
    free(results->reaction), free(results->force), free(results->moment);
    for (int i = 0; i < TS_TRAIL_MOST; i++) ts_awaiting_clear(&results->awaiting[i]);
    free(results->station), free(results->section_force), free(results->section_strain);
    free(results->output), free(results->output_force), free(results->output_strain);
    free(results->solid_point), free(results->solid_stress);
    free(results->shell_point), free(results->shell_force), free(results->shell_strain);
    free(results);
}
