/* SPDX-License-Identifier: Apache-2.0 */
/* The model file as a whole: its sections and their order. See document.h and docs/model-file.md.
 *
 * Sections are read in the order in which they depend on each other, whatever their order in the
 * file; the problems of all of them are reported together. Names of parts are known before the
 * first part is built, so there are different messages for a name used too early, a name used twice
 * and a name that does not exist. */
#include "reader/document.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/node_names.h"
#include "output/pattern.h"
#include "reader/drawing.h"
#include "reader/reader.h"
#include "study/schemes.h"
#include "system/resolution.h"

enum { MAX_STORED = 2000, MAX_KINDS = 64 };

static const char *const TS_ANALYSIS_TYPES[] = {"transient", "static", NULL};
static const char *const TS_ANALYSIS_METHODS[] = {"load", "arc_length", NULL};
static const char *const TS_ANALYSIS_STARTS[] = {"drawn", "static", NULL};
static const char *const TS_ANALYSIS_STEPS[] = {"auto", NULL};
static const char *const TS_ANALYSIS_SOLVERS[] = {"auto", "klu", "mumps", "krylov",
                                                  NULL}; /* lu.c */

/* clang-format off */
const ts_field TS_ANALYSIS_FIELDS[] = {
    {"end", TS_NUMBER, {0, 0, 1, 0}, false, "The time at which the run ends; required of a transient", NULL, "1 s in statics"},
    {"step", TS_NUMBER, {0, 0, 1, 0}, false, "The size of a time step; required of a transient. Or auto: step control chooses, with steps of end/200 or max_step at most", TS_ANALYSIS_STEPS, NULL},
    {"tolerance", TS_NUMBER, {0}, false, "Tolerance of Newton's method: the error left in a step, relative to the motion within the step; the energy audit adds these errors up. 1e-15: to round-off", NULL, "as the energy audit needs it, 5e-11 at most"},
    {"max_iterations", TS_INTEGER, {0}, false, "Newton iterations before a step is halved", NULL, "25"},
    {"max_cuts", TS_INTEGER, {0}, false, "How many times a step may be halved", NULL, "10"},
    {"type", TS_CHOICE, {0}, false, "Motion in time, or equilibrium under loads that grow from zero at t = 0 to their values at the end", TS_ANALYSIS_TYPES, "transient"},
    {"increments", TS_INTEGER, {0}, false, "Statics: number of increments of load", NULL, "10"},
    {"start", TS_CHOICE, {0}, false, "Transient: begin as drawn, or from the static equilibrium under the loads of t = 0", TS_ANALYSIS_STARTS, "drawn"},
    {"method", TS_CHOICE, {0}, false, "Statics: equal increments of load, or of the arc length along the path of equilibria, which goes over limit points (snap-through)", TS_ANALYSIS_METHODS, "load"},
    {"max_load", TS_NUMBER, {0}, false, "Arc length: load factor at which the path ends", NULL, "1"},
    {"min_load", TS_NUMBER, {0}, false, "Arc length: negative load factor at which the path ends, for a load that falls", NULL, "none"},
    {"max_displacement", TS_NUMBER, {1, 0, 0, 0}, false, "Arc length: displacement of a node at which the path ends", NULL, "none"},
    {"max_points", TS_INTEGER, {0}, false, "Arc length: number of points after which the path ends", NULL, "10 times increments"},
    {"solver", TS_CHOICE, {0}, false, "The solver of the linear equations: klu for chains, trees and beams, mumps for meshes of shells and solids, krylov for large solids in motion, or auto, which chooses by their cost", TS_ANALYSIS_SOLVERS, "auto"},
    {"threads", TS_INTEGER, {0}, false, "Threads that assemble the equations; results do not depend on their number, to the last bit", NULL, "1"},
    {"step_tolerance", TS_NUMBER, {0}, false, "Step control: the part of the energy that ED may dissipate in a step; where it would dissipate more, the step is divided into halves, quarters, ...", NULL, "none: no step control; 1e-4 with step: auto"},
    {"min_step", TS_NUMBER, {0, 0, 1, 0}, false, "Step control: the shortest part of a step", NULL, "step/1024"},
    {"step_energy", TS_NUMBER, {2, 1, -2, 0}, false, "Step control: the energy to which step_tolerance refers, as long as no larger one has been exchanged", NULL, "what has been exchanged so far"},
    {"max_step", TS_NUMBER, {0, 0, 1, 0}, false, "With step: auto, the longest step", NULL, "end/200"},
    {"linear", TS_BOOLEAN, {0}, false, "Statics: one linear solution about the model as drawn, small displacements under all of the load", NULL, "false"},
    {0}};
const ts_field TS_OUTPUT_FIELDS[] = {
    {"every", TS_INTEGER, {0}, false, "Steps between stored states", NULL, "1, or more so that 2000 states are stored"},
    {"interval", TS_NUMBER, {0, 0, 1, 0}, false, "Time between stored states, rounded to whole steps", NULL, NULL},
    {"restart", TS_INTEGER, {0}, false, "Number of stored states from one exact state to the next: from an exact state a restart continues bit for bit. An exact state costs about two steps", NULL, "as many as make 50 steps; 1 in statics and with inputs"},
    {0}};
/* clang-format on */

/* ---- parts ---- */

/* The section's kinds, by name, for hints. */
static const char *kind_hint(char *buffer, size_t size, const char *section, const char *text) {
    const char *words[MAX_KINDS + 1] = {0};
    int count = 0;
    for (const ts_kind *const *k = TS_KINDS; *k && count < MAX_KINDS; k++)
        if (strcmp((*k)->section, section) == 0) words[count++] = (*k)->name;
    return ts_hint_words(buffer, size, text, words);
}

/* `shape: circle` or `kind: revolute` where `type` is missing: true if it was reported. */
static bool type_under_another_key(ts_reader *r, const ts_entry *entry) {
    const ts_kind *usual = ts_kind_find(entry->section, NULL);
    for (int i = 0; i < entry->node->count; i++) {
        const ts_yaml *key = entry->node->key[i], *value = entry->node->item[i];
        char hint[100];
        if (value->type != TS_YAML_SCALAR || !ts_kind_find(entry->section, value->text)) continue;
        if (usual && ts_has_field(usual->fields, key->text)) continue;
        snprintf(hint, sizeof hint, "write 'type: %.60s'", value->text);
        ts_report(r->source, key->start, hint, "unknown key '%.60s' in '%.60s'", key->text,
                  entry->key->text);
        return true;
    }
    return false;
}

/* A type of another section, or another word for one of this section, or all of this section. */
static const char *type_hint(char *buffer, size_t size, const char *section, const char *text) {
    for (const ts_kind *const *k = TS_KINDS; *k; k++) {
        if (strcmp((*k)->name, text) != 0) continue;
        snprintf(buffer, size, "it is a type of %s: move the entry there", (*k)->section);
        return buffer;
    }
    return kind_hint(buffer, size, section, text);
}

static const ts_kind *find_kind(ts_reader *r, const ts_entry *entry) {
    const ts_yaml *type = ts_yaml_get(entry->node, "type");
    char hint[400];
    if (!type && type_under_another_key(r, entry)) return NULL;
    if (type && !ts_expect(r, type, TS_YAML_SCALAR, "a word")) return NULL;
    const ts_kind *kind = ts_kind_find(entry->section, type ? type->text : NULL);
    if (!kind && type)
        ts_report(r->source, type->start, type_hint(hint, sizeof hint, entry->section, type->text),
                  "'%.60s' is not a type of %s", type->text, entry->section);
    if (!kind && !type)
        ts_report(r->source, entry->key->start, kind_hint(hint, sizeof hint, entry->section, ""),
                  "'type' is missing in '%.60s'", entry->key->text);
    return kind;
}

static bool report_build(ts_reader *r, const ts_entry *entry, const ts_kind *kind,
                         const ts_builder *b) {
    int count = ts_field_count(kind->fields);
    bool blame = b->failed_field >= 0 && b->failed_field < count;
    const ts_yaml *value =
        blame ? ts_yaml_get(entry->node, kind->fields[b->failed_field].name) : NULL;
    return ts_report(r->source, value ? value->start : entry->key->start, b->hint, "%s",
                     *b->message ? b->message : "this entry cannot be built");
}

/* Signals store their field and their part, for messages. */
static int build_with_signals(ts_builder *b, const ts_kind *kind, ts_value *values) {
    int first = b->model->signals_count, part = b->model->parts_count;
    for (int i = 0, count = ts_field_count(kind->fields); i < count; i++)
        for (int k = 0; k < 3; k++) values[i].signal[k].field = kind->fields[i].name;
    int code = kind->build(b, values);
    for (int i = first; i < b->model->signals_count; i++) b->model->signals[i].part = part;
    return code;
}

static bool build_part(ts_reader *r, ts_entry *entry, const ts_kind *kind, ts_value *values) {
    ts_builder b = {.model = r->document->model,
                    .name = entry->name,
                    .turn = r->placed ? &r->turn : NULL,
                    .failed_field = -1};
    entry->part = b.model->parts_count;
    int lost = b.model->lost_slots;
    if (build_with_signals(&b, kind, values) != 0) return report_build(r, entry, kind, &b);
    if (b.model->lost_slots > lost)
        return ts_report(
            r->source, entry->key->start,
            "a spherical joint, a spring or a force at the point itself is possible; a coupling "
            "gives it a frame",
            "'%.60s' attaches to a point (a point mass, a node of a cable, a solid or a shell), "
            "which has no frame: no directions (except a shell's normal) and no arms",
            entry->key->text);
    if (b.model->parts_count == entry->part)
        return ts_report(r->source, entry->key->start, NULL,
                         "this entry made no part: this is a bug in torsor");
    if (ts_check_drawn(b.model, entry->part))
        return ts_report(r->source, entry->key->start, "give it more `elements`, or less `twist`",
                         "%s", ts_error_message());
    ts_drawing_note(&r->document->drawing, b.model, entry->part, kind, values);
    return true;
}

static bool read_entry(ts_reader *r, ts_entry *entry) {
    static const char *const others[] = {"type", NULL};
    if (!ts_expect(r, entry->node, TS_YAML_MAP, "a mapping")) return false;
    const ts_kind *kind = find_kind(r, entry);
    if (!kind) return false;
    char what[120];
    snprintf(what, sizeof what, "'%.60s' (%.40s)", entry->key->text, kind->name);
    ts_fields_job job = {entry->node, entry->key->start, what, kind->fields, others};
    ts_value *values = ts_values_new(kind->fields);
    bool fine = ts_read_fields(r, &job, values) &&
                ts_place_values(r, entry->node, kind->fields, values) &&
                build_part(r, entry, kind, values);
    ts_values_free(kind->fields, values);
    return fine;
}

static void read_parts(ts_reader *r) {
    for (int i = 1; i < r->parts; i++) {
        ts_entry *entry = &r->part[i];
        ts_enter(r, entry->space);
        if (entry->state == TS_PENDING) entry->state = read_entry(r, entry) ? TS_READY : TS_FAILED;
    }
    ts_enter(r, 0);
}

/* ---- names of parts ---- */

/* Owners of results that belong to no part (output/channels.inc). */
static const char *const TOTALS[] = {"energy", "momentum", "time", NULL};

static bool is_total(const char *text, size_t length) {
    for (int i = 0; TOTALS[i]; i++)
        if (strlen(TOTALS[i]) == length && memcmp(TOTALS[i], text, length) == 0) return true;
    return false;
}

/* Where the name stands first: its line, or its file as well. */
static void tell_twice(ts_reader *r, const ts_yaml *key, const char *name, ts_entry *other) {
    int line, column, here = r->current;
    char place[160];
    ts_enter(r, other->space);
    ts_source_place(r->source, other->key->start, &line, &column);
    if (other->space == here)
        snprintf(place, sizeof place, "on line %d", line);
    else
        snprintf(place, sizeof place, "in %.100s:%d:%d", r->source->name, line, column);
    ts_enter(r, here);
    ts_report(r->source, key->start,
              ts_section_defines(other->section)
                  ? "names are unique within this section"
                  : "parts of all sections share one set of names; only materials, sections and "
                    "meshes may have the name of a part",
              "the name '%.60s' is used twice; first %s, in %s", name, place, other->section);
    other->disputed = true;
}

static bool name_taken(ts_reader *r, int set, const ts_yaml *key, const char *name) {
    int other = ts_names_find(&r->names[set], name, strlen(name));
    bool total = is_total(name, strlen(name)), ground = strcmp(name, "ground") == 0;
    bool here = strcmp(name, "here") == 0;
    if (total)
        ts_report(r->source, key->start, NULL, "'%s' is reserved for results; choose another name",
                  name);
    else if (ground)
        ts_report(r->source, key->start, NULL,
                  "'ground' is the fixed frame itself; choose another name");
    else if (here)
        ts_report(r->source, key->start, NULL,
                  "'here' is the point that a load acts on; choose another name");
    else if (other >= 0)
        tell_twice(r, key, name, &r->part[r->first[set] + other]);
    if (other < 0 && total)
        ts_blamed_add(&r->told, r->source, TS_NAME_OF_PART, key->text, key->length, true);
    return other >= 0 || total || ground || here;
}

static void name_entry(ts_reader *r, int set, const char *section, const ts_yaml *map, int i) {
    char *name = ts_full_name(r, map->key[i]->text);
    if (name_taken(r, set, map->key[i], name)) {
        free(name);
        return;
    }
    bool fine = ts_check_name(r, map->key[i], "part", true);
    ts_entry entry = {.key = map->key[i],
                      .node = map->item[i],
                      .name = name,
                      .section = section,
                      .space = r->current};
    entry.state = fine ? TS_PENDING : TS_FAILED;
    ts_names_add(&r->names[set], name);
    r->part[r->parts++] = entry;
}

/* An empty value is an empty section: its entries may be commented out. */
static const ts_yaml *section_of(ts_reader *r, const ts_yaml *root, const char *section) {
    const ts_yaml *map = ts_yaml_get(root, section);
    char what[80];
    snprintf(what, sizeof what, "%s: a mapping of names to entries", section);
    if (!map || ts_yaml_null(map)) return NULL;
    int before = r->source->diagnostics->count;
    if (ts_expect(r, map, TS_YAML_MAP, what)) return map;
    ts_report_hint(
        r->source, before, "expected ",
        "write one line for each entry, without a dash, beginning with its name: `name: {...}`");
    r->told.lost = true;
    return NULL;
}

/* Spaces in the order of their parts: those within a space come before it. Returns the space
 * behind all of these. */
static int order_spaces(ts_reader *r, int space, int *order, int *count) {
    int next = space + 1;
    while (next < r->space_count && r->spaces[next].outer == space)
        next = order_spaces(r, next, order, count);
    order[(*count)++] = space;
    return next;
}

/* A section of the present space, checked. */
static void name_section(ts_reader *r, int set, const char *section) {
    const ts_yaml *map = section_of(r, r->root, section);
    for (int i = 0; map && i < map->count; i++) name_entry(r, set, section, map, i);
}

static size_t count_entries(ts_reader *r) {
    size_t count = 1;
    for (int i = 0; i < r->space_count; i++) {
        const ts_yaml *root = i == r->current ? r->root : r->spaces[i].root;
        for (int s = 0; TS_SECTIONS[s]; s++) {
            const ts_yaml *map = ts_yaml_get(root, TS_SECTIONS[s]);
            if (map && map->type == TS_YAML_MAP) count += (size_t)map->count;
        }
    }
    return count;
}

static void name_parts(ts_reader *r) {
    int count = 0, *order = ts_calloc((size_t)r->space_count, sizeof *order);
    order_spaces(r, 0, order, &count);
    r->part = ts_calloc(count_entries(r), sizeof *r->part);
    r->part[r->parts++] =
        (ts_entry){.name = "ground", .section = "bodies", .state = TS_READY, .part = 0};
    ts_names_add(&r->names[TS_DEFINING_SECTIONS], "ground");
    for (int s = 0; TS_SECTIONS[s]; s++) {
        int set = s < TS_DEFINING_SECTIONS ? s : TS_DEFINING_SECTIONS;
        if (s <= set) r->first[set] = r->parts - r->names[set].count;
        for (int i = 0; i < count; i++) {
            ts_enter(r, order[i]);
            name_section(r, set, TS_SECTIONS[s]);
        }
    }
    ts_enter(r, 0);
    free(order);
}

/* ---- analysis ---- */

/* Places of the last fields of the analysis */
enum {
    METHOD = 8,
    MAX_LOAD,
    MIN_LOAD,
    MAX_DISPLACEMENT,
    MAX_POINTS,
    SOLVER,
    THREADS,
    STEP_TOLERANCE,
    MIN_STEP,
    STEP_ENERGY,
    MAX_STEP,
    LINEAR
};

static bool check(ts_reader *r, const ts_yaml *map, const char *key, bool fine,
                  const char *wanted) {
    const ts_yaml *node = ts_yaml_get(map, key);
    return fine || ts_report(r->source, node ? node->start : map->start, NULL, "%s", wanted);
}

/* Statics along an arc length. The number of points is not known before; h only limits it. */
static bool take_path(ts_reader *r, const ts_yaml *map, const ts_value *v) {
    static const char *const own[] = {"max_load", "min_load", "max_displacement", "max_points"};
    ts_options *o = &r->document->options;
    o->arc_length = v[METHOD].given && v[METHOD].number[0] == 1;
    if (o->arc_length && !o->statics)
        return check(r, map, "method", false, "only statics has a method");
    for (int k = 0; k < 4; k++)
        if (!o->arc_length && v[METHOD + 1 + k].given)
            return check(r, map, own[k], false, "this is for `method: arc_length` only");
    if (!o->arc_length) return true;
    double points = v[MAX_POINTS].given ? v[MAX_POINTS].number[0] : 10.0 * o->increments;
    if (v[MAX_LOAD].given) o->highest_load = v[MAX_LOAD].number[0];
    if (v[MIN_LOAD].given) o->lowest_load = v[MIN_LOAD].number[0];
    if (v[MAX_DISPLACEMENT].given) o->farthest = v[MAX_DISPLACEMENT].number[0];
    o->h = o->t_end / points;
    return check(r, map, "max_load", o->highest_load > 0,
                 "the largest load factor must be positive") &&
           check(r, map, "min_load", o->lowest_load < 0 || v[MIN_LOAD].given == false,
                 "the least load factor must be negative: the path begins at 0") &&
           check(r, map, "max_displacement", !v[MAX_DISPLACEMENT].given || o->farthest > 0,
                 "the displacement must be positive") &&
           check(r, map, "max_points", points >= 1 && points <= 1e6,
                 "expected 1 to 1000000 points");
}

/* End and step; of statics, the end and the number of increments. */
static bool take_times(ts_reader *r, const ts_yaml *key, const ts_yaml *map, const ts_value *v) {
    ts_options *o = &r->document->options;
    double increments = v[6].given ? v[6].number[0] : 10;
    bool counted = check(r, map, "increments", increments >= 1 && increments <= 1e6,
                         "expected 1 to 1000000 increments");
    o->statics = v[5].given && v[5].number[0] == 1;
    if (v[7].given && v[7].number[0] == 1) o->settle = (int)increments;
    o->t_end = v[0].given || !o->statics ? v[0].number[0] : 1;
    o->h = o->statics && counted ? o->t_end / increments : v[1].number[0];
    o->auto_step = v[1].given && v[1].text; /* a word, not a number */
    o->max_step = v[MAX_STEP].number[0];
    if (o->statics && v[1].given)
        return check(r, map, "step", false, "statics has `increments`, not a `step`");
    if (counted) o->increments = (int)increments;
    if (!counted || !take_path(r, map, v)) return false;
    o->linear = v[LINEAR].given && v[LINEAR].number[0] != 0;
    if (o->linear && (!o->statics || o->arc_length))
        return check(r, map, "linear", false, "this is for `type: static` without a path");
    if (o->linear) o->h = o->t_end;
    if (o->statics) return check(r, map, "end", o->t_end > 0, "the end must be positive");
    for (int k = 0; k < 2; k++)
        if (!v[k].given)
            return ts_report(
                r->source, key->start,
                k ? "for example `step: 1 ms`, or `step: auto` for steps of automatic size"
                  : "for example `end: 10 s`",
                "'%s' is missing in analysis", k ? "step" : "end");
    return counted;
}

static bool take_solver(ts_reader *r, const ts_yaml *map, const ts_value *v) {
    ts_options *o = &r->document->options;
    double threads = v[THREADS].given ? v[THREADS].number[0] : 1;
    if (v[SOLVER].given)
        snprintf(o->solver, sizeof o->solver, "%s", TS_ANALYSIS_SOLVERS[(int)v[SOLVER].number[0]]);
    if (!check(r, map, "threads", threads >= 1 && threads <= TS_MOST_THREADS,
               "expected 1 to 256 threads"))
        return false;
    o->threads = (int)threads;
    return true;
}

static bool take_auto_step(ts_reader *r, const ts_yaml *map, const ts_value *v) {
    ts_options *o = &r->document->options;
    if (!check(r, map, "max_step", !v[MAX_STEP].given || o->auto_step,
               "this is for 'step: auto'; otherwise 'step' is the longest one") ||
        !check(r, map, "max_step", !v[MAX_STEP].given || o->max_step > 0,
               "the longest step must be positive"))
        return false;
    if (!o->auto_step) return true;
    if (!check(r, map, "end", o->t_end > 0, "the end must be later than 0")) return false;
    ts_options_auto(o);
    return true;
}

static bool take_control(ts_reader *r, const ts_yaml *map, const ts_value *v) {
    ts_options *o = &r->document->options;
    bool control = v[STEP_TOLERANCE].given || o->auto_step, least = v[MIN_STEP].given;
    double tolerance = v[STEP_TOLERANCE].given ? v[STEP_TOLERANCE].number[0] : o->step_tolerance;
    double shortest = v[MIN_STEP].number[0];
    if (control && o->statics)
        return check(r, map, "step_tolerance", false, "statics has no time steps to control");
    if (least && !control)
        return check(r, map, "min_step", false, "this is for step control: give 'step_tolerance'");
    if (!check(r, map, "step_energy",
               !v[STEP_ENERGY].given || (control && v[STEP_ENERGY].number[0] > 0),
               "expected a positive energy, with 'step_tolerance'"))
        return false;
    if (!check(r, map, "step_tolerance", !control || (tolerance > 0 && tolerance < 1),
               "the part of the energy must lie between 0 and 1") ||
        !check(r, map, "min_step", !least || (shortest > 0 && shortest <= o->h),
               "the shortest step must be positive and not beyond 'step'"))
        return false;
    if (control) o->step_tolerance = tolerance;
    if (least) o->min_step = shortest;
    if (v[STEP_ENERGY].given) o->step_energy = v[STEP_ENERGY].number[0];
    return true;
}

static bool take_analysis(ts_reader *r, const ts_yaml *key, const ts_yaml *map, const ts_value *v) {
    ts_options *o = &r->document->options;
    if (!take_times(r, key, map, v) || !take_auto_step(r, map, v)) return false;
    o->tolerance = v[2].given ? v[2].number[0] : 0;
    double iterations = v[3].given ? v[3].number[0] : o->max_iterations;
    double cuts = v[4].given ? v[4].number[0] : o->max_cuts;
    bool step = check(r, map, "step", o->h > 0, "the step must be positive");
    bool fine = step;
    if (step)
        fine &= check(r, map, "end", o->t_end >= o->h * (1 - 1e-9),
                      "the end must not be before the end of the first step");
    if (step)
        fine &= check(r, map, "step", o->t_end / o->h <= 1e9, "this makes more than 1e9 steps");
    fine &= check(r, map, "tolerance", !v[2].given || (o->tolerance > 0 && o->tolerance < 1),
                  "the tolerance must lie between 0 and 1");
    fine &= check(r, map, "max_iterations", iterations >= 1 && iterations <= 10000,
                  "expected 1 to 10000 iterations");
    fine &= take_solver(r, map, v);
    fine &= take_control(r, map, v);
    fine &= check(r, map, "max_cuts", cuts >= 0 && cuts <= 50, "expected 0 to 50 cuts");
    if (fine) o->max_iterations = (int)iterations, o->max_cuts = (int)cuts;
    return fine;
}

/* Only ED measures itself. */
static bool check_control(ts_reader *r, const ts_yaml *map) {
    const ts_options *o = &r->document->options;
    bool fine = strcmp(o->scheme, "ED") == 0 &&
                ts_parameter_value(&o->parameters, &TS_SCHEME_ED, "rho_inf", 0) < 1;
    const char *key = ts_yaml_get(map, "step_tolerance") ? "step_tolerance" : "step";
    return check(r, map, key, !(o->step_tolerance > 0) || fine,
                 "step control uses the energy that ED dissipates: the scheme must be ED, with "
                 "rho_inf below 1");
}

static bool read_analysis(ts_reader *r, const ts_yaml *key, const ts_yaml *node) {
    static const char *const others[] = {"scheme", NULL};
    if (!ts_expect(r, node, TS_YAML_MAP, "analysis: a mapping")) return false;
    ts_value *values = ts_values_new(TS_ANALYSIS_FIELDS);
    ts_fields_job job = {node, key->start, "analysis", TS_ANALYSIS_FIELDS, others};
    bool fine = ts_read_fields(r, &job, values) && take_analysis(r, key, node, values);
    ts_values_free(TS_ANALYSIS_FIELDS, values);
    return ts_read_scheme(r, ts_yaml_get(node, "scheme")) && fine && check_control(r, node);
}

/* ---- outputs ---- */

/* What a selector begins with must exist (locks of events have no entry of their own); what the
 * part can give: read_columns.c. */
static bool check_owner(ts_reader *r, const ts_yaml *node) {
    size_t length = strcspn(node->text, ".");
    if (is_total(node->text, length) || ts_find_part(r, node->text, length) >= 0 ||
        ts_model_part_named(r->document->model, node->text, length) >= 0)
        return true;
    bool time = strcmp(node->text, "t") == 0 || strcmp(node->text, "time") == 0;
    return ts_unknown_part(r, node, length, "part",
                           time ? "leave it out: the time is the first column of every table"
                                : "a selector is part.quantity or part.quantity.component");
}

/* A number behind the name of a part is one of its nodes. */
static bool check_number(ts_reader *r, const ts_yaml *node) {
    const ts_model *model = r->document->model;
    char word[24];
    size_t length = strcspn(node->text, "."),
           digits = strspn(node->text + length + 1, "0123456789");
    char next = node->text[length] ? node->text[length + 1 + digits] : 0;
    if (!node->text[length] || digits == 0 || digits >= sizeof word || (next && next != '.'))
        return true;
    int at = ts_find_part(r, node->text, length);
    bool known = at >= 0 && r->part[at].state == TS_READY && !r->part[at].disputed;
    int part = known ? r->part[at].part : -1;
    snprintf(word, sizeof word, "%.*s", (int)digits, node->text + length + 1);
    if (part < 0 || ts_part_node(model, part, word) >= 0) return true;
    return ts_report(r->source, node->start, NULL, "'%.60s' has no node %s",
                     model->parts[part].name, word);
}

static bool read_selector(ts_reader *r, const ts_yaml *node) {
    ts_document *d = r->document;
    if (!ts_expect(r, node, TS_YAML_SCALAR, "a selector: part.quantity")) return false;
    d->csv[d->csv_count++] = ts_strdup(node->text);
    if (ts_is_pattern(node->text)) return true;
    return check_owner(r, node) && check_number(r, node);
}

static bool read_csv(ts_reader *r, const ts_yaml *node) {
    if (!node || ts_yaml_null(node)) return true;
    if (!ts_expect(r, node, TS_YAML_LIST, "a list of selectors: part.quantity")) return false;
    r->document->csv = ts_calloc((size_t)node->count, sizeof(char *));
    bool *good = ts_calloc((size_t)node->count + 1, sizeof *good);
    bool fine = true, whole = r->source->diagnostics->count == 0;
    for (int i = 0; i < node->count; i++) fine &= good[i] = read_selector(r, node->item[i]);
    if (whole) fine &= ts_check_columns(r, node, good);
    free(good);
    return fine;
}

static double steps_of(const ts_options *o) {
    return o->h > 0 ? fmax(1, rint(o->t_end / o->h)) : 1;
}

static bool take_outputs(ts_reader *r, const ts_yaml *map, const ts_value *v) {
    ts_options *o = &r->document->options;
    double every = v[0].number[0], steps = o->h > 0 ? rint(v[1].number[0] / o->h) : 1;
    if (v[0].given && v[1].given)
        return check(r, map, "interval", false, "give either 'every' or 'interval', not both");
    if (v[0].given && !check(r, map, "every", every >= 1 && every <= 1e9,
                             "expected a whole number from 1 to 1000000000"))
        return false;
    if (!check(r, map, "interval", !v[1].given || v[1].number[0] > 0,
               "the interval must be positive"))
        return false;
    if (v[2].given && !check(r, map, "restart", v[2].number[0] >= 1 && v[2].number[0] <= 1e9,
                             "expected a whole number from 1 to 1000000000"))
        return false;
    if (v[2].given) o->exact_every = (int)v[2].number[0];
    if (v[1].given && o->h > 0 && !o->auto_step &&
        !check(r, map, "interval", steps >= 1, "the interval is shorter than a step"))
        return false;
    if (v[1].given && o->auto_step) {
        o->interval = v[1].number[0];
        ts_options_auto(o);
        return true;
    }
    if (v[0].given) o->store_every = (int)every;
    if (v[1].given) o->store_every = (int)fmin(steps, 1e9);
    return true;
}

static bool read_outputs(ts_reader *r, const ts_yaml *node) {
    static const char *const others[] = {"csv", "stations", NULL};
    if (ts_yaml_null(node)) return true;
    if (!ts_expect(r, node, TS_YAML_MAP, "outputs: a mapping")) return false;
    ts_value *values = ts_values_new(TS_OUTPUT_FIELDS);
    ts_fields_job job = {node, node->start, "outputs", TS_OUTPUT_FIELDS, others};
    bool fine = ts_read_fields(r, &job, values) && take_outputs(r, node, values);
    ts_values_free(TS_OUTPUT_FIELDS, values);
    fine &= ts_read_stations(r, ts_yaml_get(node, "stations"));
    return read_csv(r, ts_yaml_get(node, "csv")) && fine;
}

/* ---- the top level ---- */

static const char *const FIRST_KEYS[] = {"torsor",     "title",   "units",  "include",
                                         "parameters", "signals", "points", "gravity"},
                         *const LAST_KEYS[] = {"analysis", "outputs"};
enum {
    FIRST_COUNT = sizeof FIRST_KEYS / sizeof *FIRST_KEYS,
    LAST_COUNT = sizeof LAST_KEYS / sizeof *LAST_KEYS
};

static bool read_version(ts_reader *r, const ts_yaml *root) {
    const ts_yaml *version = ts_yaml_get(root, "torsor");
    if (!version)
        return ts_report(r->source, root->start, "begin the file with 'torsor: 1'",
                         "the format version is missing: is this a model file?");
    if (ts_yaml_is(version, "1")) return true;
    return ts_report(r->source, version->start, "write `torsor: 1`",
                     "expected format version 1, got '%.40s'; this is torsor " TORSOR_VERSION,
                     version->type == TS_YAML_SCALAR ? version->text : ts_yaml_what(version));
}

bool ts_is_among(const char *const *words, const char *word) {
    for (; *words; words++)
        if (strcmp(*words, word) == 0) return true;
    return false;
}

/* The entries of a section that is none, as `bodys`, are meant somewhere. */
static void tell_entries(ts_reader *r, const ts_yaml *map) {
    static const ts_name_space spaces[] = {TS_NAME_OF_PART, TS_NAME_OF_POINT,
                                           TS_NAME_IN_EXPRESSION};
    for (int i = 0; map->type == TS_YAML_MAP && i < map->count; i++)
        for (int k = 0; k < 3; k++)
            ts_blamed_add(&r->told, r->source, spaces[k], map->key[i]->text, map->key[i]->length,
                          true);
}

static void check_top_keys(ts_reader *r, const ts_yaml *root) {
    static const ts_field no_fields[] = {{0}};
    const char *keys[FIRST_COUNT + TS_SECTION_COUNT + LAST_COUNT + 1] = {0};
    int count = 0;
    for (int i = 0; i < FIRST_COUNT; i++) keys[count++] = FIRST_KEYS[i];
    for (int i = 0; TS_SECTIONS[i]; i++) keys[count++] = TS_SECTIONS[i];
    for (int i = 0; i < LAST_COUNT; i++) keys[count++] = LAST_KEYS[i];
    ts_fields_job job = {root, root->start, "the model file", no_fields, keys};
    ts_read_fields(r, &job, NULL);
    for (int i = 0; i < root->count; i++)
        if (!ts_is_among(keys, root->key[i]->text)) tell_entries(r, root->item[i]);
}

/* Is there a key like this one? Then it has been reported, unless it is a key itself; none is like
 * `units`. */
static bool misspelt(const ts_yaml *root, const char *wanted) {
    int best = INT_MAX;
    for (int i = 0; i < root->count; i++)
        if (ts_word_closer(root->key[i]->text, root->key[i]->length, wanted, &best)) return true;
    return false;
}

static void read_general(ts_reader *r, const ts_yaml *root) {
    const ts_yaml *units = ts_yaml_get(root, "units"), *title = ts_yaml_get(root, "title");
    if (units)
        ts_read_units(r, units);
    else if (!misspelt(root, "units"))
        ts_report(r->source, root->start, "units: SI",
                  "'units' is missing: the units of bare numbers");
    if (title && !r->file && ts_expect(r, title, TS_YAML_SCALAR, "a text"))
        r->document->model->title = ts_strdup(title->text);
}

static void read_optional(ts_reader *r, const ts_yaml *root, const char *key,
                          bool (*read)(ts_reader *, const ts_yaml *)) {
    const ts_yaml *node = ts_yaml_get(root, key);
    if (!node || ts_yaml_null(node)) return;
    if (!read(r, node) && node->type != TS_YAML_MAP) r->told.lost = true;
}

static bool read_gravity(ts_reader *r, const ts_yaml *node) {
    double g[3] = {0};
    if (node->type == TS_YAML_SCALAR && strspn(node->text, "+-.0123456789"))
        return ts_report(r->source, node->start, "for example [0, 0, -9.81] if z is upwards",
                         "expected three numbers [x, y, z], got a single value");
    bool fine = ts_read_vector(r, node, TS_OF_ACCELERATION, g);
    r->document->model->gravity = v3_load(g);
    if (fine && !isfinite(v3_norm(r->document->model->gravity)))
        return ts_report(r->source, node->start, NULL,
                         "this gravity is too large: its square is no finite number");
    return fine;
}

static void read_run(ts_reader *r, const ts_yaml *root) {
    ts_options *o = &r->document->options;
    ts_options_default(o);
    o->h = o->t_end = 0;
    for (int i = 0; i < root->count; i++)
        if (strcmp(root->key[i]->text, "analysis") == 0)
            read_analysis(r, root->key[i], root->item[i]);
    /* of a path, every point: how many there will be is not known before */
    o->store_every = o->arc_length ? 1 : (int)fmin(1e9, ceil(steps_of(o) / MAX_STORED));
    const ts_yaml *outputs = ts_yaml_get(root, "outputs");
    if (outputs) read_outputs(r, outputs);
}

static bool read_late(ts_reader *r, const ts_yaml *node) {
    (void)node;
    return ts_read_late_parameters(r, true);
}

/* The first sections of a file and of included files: all but signals and parts, which may use
 * sections further down. */
static void read_head(ts_reader *r, const ts_yaml *root) {
    r->root = read_version(r, root) ? root : NULL; /* of another version nothing is understood */
    if (!r->root) return;
    check_top_keys(r, root);
    read_general(r, root);
    ts_read_plain_includes(r, root, read_head);
    ts_name_points(r, ts_yaml_get(root, "points"));
    read_optional(r, root, "parameters", ts_read_parameters);
    ts_name_signals(r, ts_yaml_get(root, "signals"));
    read_optional(r, root, "points", ts_read_points);
    read_optional(r, root, "parameters", read_late);
    ts_read_instances(r, root, read_head);
}

static void read_all_signals(ts_reader *r) {
    for (int i = 0; i < r->space_count; i++) {
        ts_enter(r, i);
        if (r->root) read_optional(r, r->root, "signals", ts_read_signals);
    }
    ts_enter(r, 0);
}

static void read_root(ts_reader *r, const ts_yaml *root) {
    if (root->type != TS_YAML_MAP) {
        ts_report(r->source, root->start, "begin the file with 'torsor: 1'",
                  "expected a model: a mapping of sections, got %s", ts_yaml_what(root));
        return;
    }
    r->space_count = r->space_room = 1;
    r->spaces = ts_calloc(1, sizeof *r->spaces);
    read_head(r, root);
    if (!r->root) return;
    name_parts(r);
    read_all_signals(r);
    read_optional(r, root, "gravity", read_gravity);
    read_parts(r);
    ts_bind_states(r);
    ts_model_close_events(r->document->model);
    read_run(r, root);
    ts_echo_includes(r);
}

/* ---- in and out ---- */

static void free_space(ts_space *s) {
    ts_names_free(&s->parameters), ts_names_free(&s->signals), ts_names_free(&s->points);
    free(s->parameter), free(s->signal), free(s->point), free(s->shared);
    ts_blamed_free(&s->told);
    for (int i = 0; i < s->splice_count; i++) free(s->splices[i].text);
    free(s->splices);
}

static void free_reader(ts_reader *r) {
    free_space(&r->space);
    for (int i = 1; i < r->space_count; i++) free_space(&r->spaces[i]);
    free(r->spaces);
    for (int i = 1; i < r->parts; i++) free((char *)r->part[i].name);
    for (int set = 0; set <= TS_DEFINING_SECTIONS; set++) ts_names_free(&r->names[set]);
    free(r->part);
    ts_channels_clear(r);
    ts_includes_free(r);
}

static void read_source(ts_document *document, const ts_source *source, const char *path,
                        int refined) {
    ts_reader r = {.document = document};
    r.source = source, r.path = path, r.outer = -1;
    for (int i = 0; i < 4; i++) r.unit[i] = 1;
    ts_yaml_tree tree = {0};
    document->model = ts_model_new();
    document->model->refinement.refined = refined;
    if (source->length > TS_MAX_FILE)
        ts_report(source, 0, NULL, "the model is larger than 64 MiB");
    else if (ts_check_utf8(source))
        ts_yaml_parse(&tree, source);
    if (tree.root)
        read_root(&r, tree.root);
    else if (source->diagnostics->count == 0)
        ts_report(source, 0, "begin the file with 'torsor: 1'", "the file is empty");
    document->text = ts_splice_text(&r, &document->length);
    free_reader(&r);
    ts_yaml_free(&tree);
}

int ts_diagnostics_fail(const ts_diagnostics *list) {
    const ts_diagnostic *first = &list->items[0];
    int code = TORSOR_EINVAL;
    if (first->line == 0)
        ts_fail(code, "%s: %s", first->file, first->message);
    else
        ts_fail(code, "%s:%d:%d: %s", first->file, first->line, first->column, first->message);
    return ts_locate(code, first->file, first->line, first->column, first->hint);
}

/* Where a text is from, and how it is to be read. */
typedef struct origin {
    const char *name, *path;
    int refined; /* how many times */
} origin;

static void name_source(ts_document *document, const char *name) {
    const char *slash = strrchr(name, '/');
    snprintf(document->source, sizeof document->source, "%s", slash ? slash + 1 : name);
}

static int parse(ts_document **out, const char *text, size_t length, origin from,
                 ts_diagnostics *diagnostics) {
    ts_diagnostics own = {0};
    ts_document *document = ts_calloc(1, sizeof *document);
    size_t skip = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* byte order mark */
    ts_source source;
    name_source(document, from.name);
    ts_source_open(&source, from.name, text + skip, length - skip, &own);
    read_source(document, &source, from.path, from.refined);
    ts_source_close(&source);
    ts_diagnostics_finish(&own);
    int status = own.count ? ts_diagnostics_fail(&own) : 0;
    if (diagnostics) ts_diagnostics_move(diagnostics, &own);
    ts_diagnostics_clear(&own);
    if (status) ts_document_free(document), document = NULL;
    *out = document;
    return status;
}

int ts_document_parse(ts_document **out, const char *text, size_t length, const char *name,
                      ts_diagnostics *diagnostics) {
    return parse(out, text, length, (origin){.name = name ? name : "model"}, diagnostics);
}

int ts_document_parse_beside(ts_document **out, const char *text, size_t length, const char *path,
                             ts_diagnostics *diagnostics) {
    return parse(out, text, length, (origin){.name = path, .path = path}, diagnostics);
}

int ts_document_refine(ts_document **out, const ts_document *drawn, int times, const char *name) {
    int status =
        parse(out, drawn->text, drawn->length, (origin){.name = name, .refined = times}, NULL);
    if (!status) (*out)->options = drawn->options;
    return status;
}

int ts_document_read(ts_document **out, const char *path, ts_diagnostics *diagnostics) {
    char why[120];
    size_t length;
    *out = NULL;
    char *text = ts_read_whole(path, &length, why, sizeof why);
    if (!text) {
        char message[160];
        snprintf(message, sizeof message, "cannot read the file: %s", why);
        if (diagnostics) ts_diagnostics_add(diagnostics, path, message);
        return ts_fail(TORSOR_EIO, "%s: %s", path, message);
    }
    int status = parse(out, text, length, (origin){.name = path, .path = path}, diagnostics);
    free(text);
    return status;
}

void ts_document_free(ts_document *document) {
    if (!document) return;
    ts_model_free(document->model);
    for (int i = 0; i < document->csv_count; i++) free(document->csv[i]);
    for (int i = 0; i < document->place_count; i++) free(document->places[i].name);
    free(document->csv), free(document->stations), free(document->places);
    ts_drawing_free(document->drawing);
    free(document->text);
    free(document);
}
