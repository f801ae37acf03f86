/* SPDX-License-Identifier: Apache-2.0 */
/* What a run shows of itself: names, views of the state, what follows from it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/error.h"
#include "model/mesh.h"
#include "model/node_names.h"
#include "parts/continuum.h"
#include "parts/parts.h"

/* ---- the run ---- */

double torsor_run_time(const torsor_run *run) { return run ? run->system->state.t : NAN; }
int64_t torsor_run_steps_done(const torsor_run *run) { return run ? run->system->state.step : 0; }
double torsor_run_step_size(const torsor_run *run) { return run ? run->document->options.h : NAN; }
double torsor_run_end(const torsor_run *run) { return run ? run->document->options.t_end : NAN; }
const torsor_step *torsor_run_last_step(const torsor_run *run) { return run ? &run->last : NULL; }

int64_t torsor_run_steps_planned(const torsor_run *run) {
    if (!run) return 0;
    const ts_options *o = &run->document->options;
    return o->h > 0 ? (int64_t)llround(o->t_end / o->h) : 0;
}

const char *torsor_run_title(const torsor_run *run) {
    if (!run) return NULL;
    const char *title = run->document->model->title;
    return title ? title : "";
}

void torsor_run_ledger(const torsor_run *run, torsor_ledger *out) {
    if (out) *out = (torsor_ledger){0};
    if (!run || !out) return;
    const ts_ledger *l = &run->system->ledger;
    *out = (torsor_ledger){.kinetic = l->kinetic,
                           .elastic = l->elastic,
                           .gravity = l->gravity,
                           .work_loads = l->work_loads,
                           .work_drives = l->work_drives,
                           .dissipated = l->dissipated,
                           .algorithmic = l->algorithmic,
                           .balance = l->balance,
                           .start = run->system->energy_start};
}

void torsor_run_summary(const torsor_run *run, torsor_summary *out) {
    if (out) *out = (torsor_summary){.solver = ""};
    if (!run || !out || !run->runner) return;
    const ts_summary *s = ts_runner_summary(run->runner);
    *out = (torsor_summary){.steps = s->steps,
                            .iterations = s->iterations,
                            .cuts = s->cuts,
                            .factorisations = s->factorisations,
                            .seconds = run->seconds,
                            .worst_balance = s->worst_balance,
                            .worst_violation = s->worst_violation,
                            .energy_scale = s->energy_scale,
                            .unknowns = s->unknowns,
                            .threads = s->threads,
                            .solver = s->solver,
                            .energy_noise = s->energy_noise};
}

int ts_api_run_resolution(const torsor_run *run, int *level, char **out) {
    if (!run || !out) return ts_null_argument("torsor_run_resolution");
    ts_audit audit;
    ts_audit_system(run->system, &audit);
    if (level) *level = audit.level;
    *out = ts_strdup(audit.text);
    return 0;
}

double torsor_run_damper_loss(const torsor_run *run) {
    return run ? ts_losses_of(run->system).dampers : NAN;
}

double torsor_run_friction_loss(const torsor_run *run) {
    return run ? ts_losses_of(run->system).friction : NAN;
}

double torsor_run_impact_loss(const torsor_run *run) {
    return run ? ts_losses_of(run->system).impacts : NAN;
}

double torsor_run_event_loss(const torsor_run *run) {
    return run ? run->system->state.event_loss : NAN;
}

int torsor_run_events(const torsor_run *run) {
    return run ? run->document->model->events_count : 0;
}

int torsor_run_event(const torsor_run *run, int i, torsor_event *out) {
    if (!run || !out) return ts_null_argument("torsor_run_event");
    const ts_model *model = run->document->model;
    if (i < 0 || i >= model->events_count) return ts_out_of_range("event", i, model->events_count);
    const ts_event *event = &model->events[i];
    const double *memory = run->system->state.memory + event->memory;
    *out = (torsor_event){.name = model->parts[event->part].name,
                          .mark = event->mark ? event->mark : "",
                          .count = (int64_t)memory[TS_EVENT_COUNT],
                          .t = memory[TS_EVENT_TIME],
                          .stopped = run->runner && ts_runner_stopped(run->runner) == i};
    return 0;
}

int torsor_run_measures(const torsor_run *run) { return run ? TS_GAUGES : 0; }

int ts_api_run_measure(const torsor_run *run, int i, torsor_measure *out) {
    if (!run || !out) return ts_null_argument("torsor_run_measure");
    if (i < 0 || i >= TS_GAUGES) return ts_out_of_range("measure", i, TS_GAUGES);
    ts_audit audit;
    ts_audit_system(run->system, &audit);
    const ts_gauge_about *about = &TS_GAUGE[i];
    *out = (torsor_measure){.name = about->name,
                            .what = about->what,
                            .unit = about->unit,
                            .value = audit.peak[i].value,
                            .t = audit.peak[i].t,
                            .part = (int)audit.peak[i].part,
                            .told = about->told,
                            .coarse = about->coarse,
                            .rejected = about->rejected,
                            .level = (int)ts_peak_level((ts_gauge)i, &audit.peak[i]),
                            .advice = about->advice};
    snprintf(out->where, sizeof out->where, "%s", audit.where[i]);
    return 0;
}

int ts_api_run_measure_text(const torsor_run *run, int i, char **out) {
    if (!run || !out) return ts_null_argument("torsor_run_measure_text");
    *out = NULL;
    if (i < 0 || i >= TS_GAUGES) return ts_out_of_range("measure", i, TS_GAUGES);
    char text[TS_RESOLUTION_WORDS];
    ts_audit audit;
    ts_audit_system(run->system, &audit);
    *out = ts_give(ts_strdup(ts_audit_words(&audit, (ts_gauge)i, text, sizeof text)));
    return 0;
}

/* Into room of the run: a setup takes no memory. */
static void print_warnings(const torsor_run *run, char *text, size_t size) {
    FILE *out = fmemopen(text, size, "w");
    *text = 0;
    if (!out) return;
    if (*run->damage) fprintf(out, "%s\n", run->damage);
    ts_document_warnings(run->document, run->system->far, out);
    fclose(out);
    text[size - 1] = 0;
}

const torsor_setup *torsor_run_setup(const torsor_run *run) {
    if (!run) return NULL;
    const ts_options *o = &run->document->options;
    const ts_assembly_report *a = &run->assembly;
    torsor_run *own = (torsor_run *)run;
    torsor_setup *s = &own->setup;
    const ts_scheme *scheme = ts_scheme_find(o->scheme);
    ts_parameters_print(&o->parameters, scheme, own->parameters);
    ts_gravity_words(run->document, own->gravity, sizeof own->gravity);
    if (!ts_gravity_doubt(run->document, own->gravity_doubt, sizeof own->gravity_doubt))
        *own->gravity_doubt = 0;
    print_warnings(run, own->warnings, sizeof own->warnings);
    *s = (torsor_setup){.scheme = o->scheme,
                        .parameters = run->parameters,
                        .solver = o->solver,
                        .rho_inf = ts_parameter_value(&o->parameters, scheme, "rho_inf", 0),
                        .takes_rho = ts_parameter_acts(scheme, "rho_inf"),
                        .step = o->h,
                        .end = o->t_end,
                        .tolerance = o->step_tolerance,
                        .steps = torsor_run_steps_planned(run),
                        .every = o->store_every,
                        .threads = o->threads,
                        .statics = o->statics,
                        .arc_length = o->arc_length,
                        .increments = o->increments,
                        .settles = o->settle > 0,
                        .assembly_iterations = run->assembly.iterations,
                        .size = run->system->length,
                        .far = run->system->far,
                        .linear = o->linear,
                        .unstable = a->unstable,
                        .gravity_words = run->gravity,
                        .gravity_doubt = run->gravity_doubt,
                        .repeats = a->repeats ? a->repeats : "",
                        .first_repeat = a->first_repeat,
                        .repeat_notes = a->repeat_notes,
                        .warnings = run->warnings};
    v3_store(s->gravity, run->document->model->gravity);
    return s;
}

void torsor_run_assembly(const torsor_run *run, torsor_assembly *out) {
    if (out) *out = (torsor_assembly){0};
    if (!run || !out) return;
    const ts_assembly_report *a = &run->assembly;
    v3 centre;
    *out = (torsor_assembly){.freedom = a->freedom,
                             .unknowns = run->system->dofs,
                             .conditions = run->system->rows,
                             .redundant = a->redundant,
                             .moved = a->moved,
                             .turned = a->turned,
                             .rate_moved = a->rate_moved,
                             .rate_turned = a->rate_turned,
                             .notes = a->note_count,
                             .gaps = a->joint_count};
    ts_mass_centre(run->system, &out->mass, &centre);
    v3_store(out->centre, centre);
}

const char *torsor_run_note(const torsor_run *run, int i) {
    return run && i >= 0 && i < run->assembly.note_count ? run->assembly.notes[i] : NULL;
}

int torsor_run_gap(const torsor_run *run, int i, torsor_gap *out) {
    if (!run || !out) return ts_null_argument("torsor_run_gap");
    int count = run->assembly.joint_count;
    if (i < 0 || i >= count) return ts_out_of_range("gap", i, count);
    const ts_assembly_joint *j = &run->assembly.joints[i];
    *out = (torsor_gap){.part = j->part,
                        .position_before = j->position_before,
                        .position_after = j->position_after,
                        .rate_before = j->rate_before,
                        .rate_after = j->rate_after};
    return 0;
}

void torsor_run_momentum(const torsor_run *run, double linear[3], double angular[3]) {
    if (!run || !linear || !angular) return;
    v3 p, l;
    ts_momenta(run->system, &p, &l);
    v3_store(linear, p), v3_store(angular, l);
}

/* ---- views ---- */

int torsor_run_slots(const torsor_run *run) { return run ? run->document->model->slots : 0; }
const double *torsor_run_q(const torsor_run *run) { return run ? run->system->state.q : NULL; }
const double *torsor_run_v(const torsor_run *run) { return run ? run->system->state.v : NULL; }
const double *torsor_run_multipliers(const torsor_run *run) {
    return run ? run->system->state.lambda : NULL;
}

/* ---- parts ---- */

int torsor_run_parts(const torsor_run *run) { return run ? run->document->model->parts_count : 0; }

int torsor_run_part_find(const torsor_run *run, const char *name) {
    if (!run || !name) return -1;
    return ts_model_part_named(run->document->model, name, strlen(name));
}

int torsor_run_part(const torsor_run *run, int i, torsor_part *out) {
    if (!run || !out) return ts_null_argument("torsor_run_part");
    const ts_model *model = run->document->model;
    if (i < 0 || i >= model->parts_count) return ts_out_of_range("part", i, model->parts_count);
    const ts_part *p = &model->parts[i];
    *out = (torsor_part){.name = p->name,
                         .kind = p->kind ? p->kind->name : "ground",
                         .section = p->kind ? p->kind->section : "",
                         .node = p->node,
                         .nodes = p->nodes,
                         .coordinate = p->coordinate,
                         .coordinates = p->coordinates,
                         .reaction = ts_part_reacts(p)};
    if (p->node >= 0 && p->nodes == 0) out->nodes = 1;
    return 0;
}

int ts_api_run_part_describe(const torsor_run *run, int i, char **out) {
    if (!run || !out) return ts_null_argument("torsor_run_part_describe");
    const ts_model *model = run->document->model;
    ts_memo memo;
    *out = NULL;
    if (i < 0 || i >= model->parts_count) return ts_out_of_range("part", i, model->parts_count);
    int status = ts_memo_open(&memo);
    if (status) return status;
    const ts_kind *kind = model->parts[i].kind;
    if (kind && strcmp(kind->section, "sections") == 0)
        ts_section_describe(model, i, memo.out);
    else if (ts_mesh_of(model, i))
        ts_mesh_describe(model, i, memo.out);
    else if (kind && strcmp(kind->section, "shell_sections") == 0)
        ts_section_shell_describe(model, i, memo.out);
    return ts_memo_take(&memo, 0, out);
}

static int check_tie(const torsor_run *run, int i) {
    const ts_model *model = run->document->model;
    if (i < 0 || i >= model->parts_count) return ts_out_of_range("part", i, model->parts_count);
    if (ts_part_reacts(&model->parts[i])) return 0;
    return ts_fail(TORSOR_EINVAL, "'%s' has no reaction: only joints, springs and motions have one",
                   model->parts[i].name);
}

/* Forces at the present state, computed when requested. */
static const ts_instant *instant_of(const torsor_run *run) {
    torsor_run *own = (torsor_run *)run;
    if (!run->instant_known) ts_instant_now(&own->instant, &run->system->state);
    own->instant_known = true;
    return &run->instant;
}

int torsor_run_reaction(const torsor_run *run, int i, double force[3], double moment[3]) {
    if (!run || !force || !moment) return ts_null_argument("torsor_run_reaction");
    int status = check_tie(run, i);
    if (status) return status;
    v3 f, m;
    ts_part_reaction_at(run->system, instant_of(run), i, &f, &m);
    v3_store(force, f), v3_store(moment, m);
    return 0;
}

int torsor_run_relative(const torsor_run *run, int i, double displacement[3], double rotation[3]) {
    if (!run || !displacement || !rotation) return ts_null_argument("torsor_run_relative");
    int status = check_tie(run, i);
    if (status) return status;
    v3 d, r;
    ts_part_relative(run->system, i, &d, &r);
    v3_store(displacement, d), v3_store(rotation, r);
    return 0;
}

/* ---- nodes ---- */

int torsor_run_nodes(const torsor_run *run) { return run ? run->document->model->nodes_count : 0; }

int torsor_run_node(const torsor_run *run, int i, torsor_node *out) {
    if (!run || !out) return ts_null_argument("torsor_run_node");
    const ts_model *model = run->document->model;
    if (i < 0 || i >= model->nodes_count) return ts_out_of_range("node", i, model->nodes_count);
    const ts_node *n = &model->nodes[i];
    *out = (torsor_node){.part = n->part,
                         .kind = (int)n->kind,
                         .fixed = n->fixed,
                         .slot = n->slot,
                         .slots = n->slots,
                         .mass = n->mass[0][0]};
    return 0;
}

int torsor_run_node_find(const torsor_run *run, const char *name) {
    if (!run || !name) return -1;
    const ts_model *model = run->document->model;
    size_t length = strcspn(name, ".");
    int p = ts_model_part_named(model, name, length);
    if (p == 0) return name[length] ? -1 : 0;
    return p < 0 ? -1 : ts_part_node(model, p, name[length] ? name + length + 1 : "");
}

int torsor_run_node_omega(const torsor_run *run, int i, double out[3]) {
    if (!run || !out) return ts_null_argument("torsor_run_node_omega");
    const ts_model *model = run->document->model;
    if (i < 0 || i >= model->nodes_count) return ts_out_of_range("node", i, model->nodes_count);
    v3_store(out, ts_node_omega(run->system, i));
    return 0;
}

/* ---- coordinates ---- */

int torsor_run_coordinates(const torsor_run *run) {
    return run ? run->document->model->coordinates_count : 0;
}

int torsor_run_coordinate(const torsor_run *run, int i, torsor_coordinate *out) {
    if (!run || !out) return ts_null_argument("torsor_run_coordinate");
    const ts_model *model = run->document->model;
    int count = model->coordinates_count;
    if (i < 0 || i >= count) return ts_out_of_range("coordinate", i, count);
    const ts_coordinate *c = &model->coordinates[i];
    *out = (torsor_coordinate){.part = c->part, .name = c->name, .angle = c->angle};
    return 0;
}

int torsor_run_coordinate_find(const torsor_run *run, const char *name) {
    if (!run || !name) return -1;
    const ts_model *model = run->document->model;
    size_t length = strcspn(name, ".");
    int p = ts_model_part_named(model, name, length);
    if (p < 0) return -1;
    const ts_part *part = &model->parts[p];
    if (!name[length]) return part->coordinates == 1 ? part->coordinate : -1;
    for (int c = part->coordinate; c < part->coordinate + part->coordinates; c++)
        if (strcmp(model->coordinates[c].name, name + length + 1) == 0) return c;
    return -1;
}

double torsor_run_coordinate_value(const torsor_run *run, int i) {
    bool there = run && i >= 0 && i < run->document->model->coordinates_count;
    return there ? ts_coordinate_value(run->system, i) : NAN;
}

double torsor_run_coordinate_rate(const torsor_run *run, int i) {
    bool there = run && i >= 0 && i < run->document->model->coordinates_count;
    return there ? ts_coordinate_rate(run->system, i) : NAN;
}

/* ---- conditions and stations ---- */

int torsor_run_conditions(const torsor_run *run) {
    return run ? run->document->model->rows_count : 0;
}

int torsor_run_condition(const torsor_run *run, int i, torsor_condition *out) {
    if (!run || !out) return ts_null_argument("torsor_run_condition");
    const ts_model *model = run->document->model;
    if (i < 0 || i >= model->rows_count) return ts_out_of_range("condition", i, model->rows_count);
    const ts_row *r = &model->rows[i];
    *out = (torsor_condition){.part = model->sites[r->site].part,
                              .label = r->label,
                              .drive = r->drive,
                              .redundant = r->redundant};
    return 0;
}

int torsor_run_stations(const torsor_run *run) { return run ? run->stations : 0; }

int torsor_run_station(const torsor_run *run, int i, torsor_station *out) {
    if (!run || !out) return ts_null_argument("torsor_run_station");
    if (i < 0 || i >= run->stations) return ts_out_of_range("station", i, run->stations);
    const ts_model *model = run->document->model;
    const ts_station *s = &model->stations[run->station[i]];
    *out = (torsor_station){.part = model->sites[s->site].part, .arc = s->arc, .weight = s->weight};
    return 0;
}

int torsor_run_section(const torsor_run *run, int i, double strain[6], double force[6]) {
    if (!run || !strain || !force) return ts_null_argument("torsor_run_section");
    if (i < 0 || i >= run->stations) return ts_out_of_range("station", i, run->stations);
    ts_station_section(run->system, instant_of(run), run->station[i], strain, force);
    return 0;
}
