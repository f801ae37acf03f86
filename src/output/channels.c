/* SPDX-License-Identifier: Apache-2.0 */
/* How the channels of channels.inc are evaluated: rows of stored ones from a state (`fill`),
 * columns from rows (`value`).
 *
 * Arrays come in pairs where one evaluation gives both: forces and moments, forces and strains. Von
 * Mises' stress of the deviator s is sqrt(3/2 s : s).
 */
#include "output/channel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/search/apart.h"
#include "events/probe.h"
#include "math/rotation.h"
#include "model/kind.h"
#include "output/catalogue.h"
#include "system/load_power.h"
#include "system/part_energy.h"

const char *const TS_GROUP_NAME[TS_GROUPS] = {"frames", "steps"};

const char *const TS_LEDGER_NAME[TS_LEDGER_COLUMNS] = {"kinetic",     "elastic",     "gravity",
                                                       "work_loads",  "work_drives", "dissipated",
                                                       "algorithmic", "balance",     "start"};
_Static_assert(sizeof(ts_ledger) == (TS_LEDGER_COLUMNS - 1) * sizeof(double),
               "the ledger has changed: name its new columns here, and raise the format's version");
_Static_assert(sizeof(ts_peak) == TS_PEAK_WIDTH * sizeof(double),
               "a peak has changed: name its new columns in channels.inc");

/* ---- rows from a state ---- */

static size_t bytes_of(const ts_moment *now, const ts_channel *c) {
    return (size_t)(now->places->count[c->each] * c->width) * sizeof(double);
}

/* A double, an int64_t or several of ts_state, `offset` bytes into it. */
static void state_number(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    memcpy(row, (const char *)&now->system->state + c->offset, bytes_of(now, c));
}

/* An array that ts_state points to. */
static void state_array(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    const char *at = (const char *)&now->system->state + c->offset;
    memcpy(row, *(double *const *)(const void *)at, bytes_of(now, c));
}

static void ledger_number(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    memcpy(row, (const char *)&now->system->ledger + c->offset, sizeof(double));
}

/* A double or int64_t of the step's report. */
static void report_number(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    memcpy(row, (const char *)now->report + c->offset, sizeof(double));
}

static void report_int(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    int value;
    memcpy(&value, (const char *)now->report + c->offset, sizeof value);
    memcpy(row, &(int64_t){value}, sizeof(int64_t));
}

static void losses(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)c, (void)second;
    ts_losses lost = ts_losses_of(now->system);
    memcpy(row, &lost, sizeof lost);
}

/* The whole ledger, then the energy at the start. */
static void account(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)c, (void)second;
    memcpy(row, &now->system->ledger, sizeof now->system->ledger);
    ((double *)row)[TS_LEDGER_COLUMNS - 1] = now->system->energy_start;
}

/* ---- contacts ---- */

static double *blank_row(const ts_moment *now, void *row, int width) {
    size_t numbers = (size_t)(width * now->system->model->contacts_count);
    memset(row, 0, numbers * sizeof(double));
    return row;
}

static void contact_forces(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    const ts_touching *list = &now->system->state.touching;
    double *sum = blank_row(now, row, 2);
    (void)c, (void)second;
    for (int i = 0; i < list->count; i++) {
        const ts_touched *p = &list->pair[i];
        sum[2 * p->key.contact] += p->pressed;
        sum[2 * p->key.contact + 1] += v3_norm(p->rubbed);
    }
}

static void contact_peaks(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    double *peak = blank_row(now, row, 1);
    (void)c, (void)second;
    memcpy(peak, now->system->state.contact_peak,
           (size_t)now->system->model->contacts_count * sizeof *peak);
}

static void contact_depths(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    const ts_touching *list = &now->system->state.touching;
    double *deepest = blank_row(now, row, 1);
    (void)c, (void)second;
    for (int i = 0; i < list->count; i++) {
        double *d = &deepest[list->pair[i].key.contact];
        *d = fmax(*d, -list->pair[i].gap);
    }
}

static void contact_gaps(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    const ts_model *model = now->system->model;
    double *gap = blank_row(now, row, 1);
    (void)c, (void)second;
    if (!model->contacts_count) return;
    ts_apart *apart = ts_apart_new(model->drawn ? model->drawn : model);
    memcpy(gap, ts_apart_gaps(apart, now->system->state.q),
           (size_t)model->contacts_count * sizeof *gap);
    ts_apart_free(apart);
}

static void contact_counts(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    const ts_touching *list = &now->system->state.touching;
    double *count = blank_row(now, row, 1);
    (void)c, (void)second;
    for (int i = 0; i < list->count; i++) count[list->pair[i].key.contact] += list->pair[i].gap < 0;
}

static void event_numbers(const ts_moment *now, int which, double *row) {
    const ts_model *model = now->system->model;
    for (int i = 0; i < model->events_count; i++)
        row[i] = now->system->state.memory[model->events[i].memory + which];
}

static void event_counts(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)c, (void)second;
    event_numbers(now, TS_EVENT_COUNT, row);
}

static void event_times(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)c, (void)second;
    event_numbers(now, TS_EVENT_TIME, row);
}

static void angular_velocity(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    for (int64_t n = 0; n < now->places->count[c->each]; n++)
        v3_store((double *)row + 3 * n, ts_node_omega(now->system, (int)n));
}

/* Equilibria are at rest, whatever their path was. */
static void accelerations(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    const ts_system *system = now->system;
    const double *vdot = now->instant->acceleration;
    for (int64_t n = 0; n < now->places->count[c->each] && !now->at_rest; n++) {
        v3_store((double *)row + 3 * n, v3_load(vdot + 3 * system->model->nodes[n].slot));
        v3_store((double *)second + 3 * n, ts_node_alpha(system, (int)n, vdot));
    }
    if (now->at_rest) memset(row, 0, bytes_of(now, c)), memset(second, 0, bytes_of(now, c));
}

static void coordinate_accelerations(const ts_moment *now, const ts_channel *c, void *row,
                                     void *second) {
    (void)second;
    for (int k = 0; k < (int)now->places->count[c->each]; k++)
        ((double *)row)[k] =
            now->at_rest ? 0
                         : ts_coordinate_acceleration(now->system, k, now->instant->acceleration);
}

static void reactions(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    for (int64_t k = 0; k < now->places->count[c->each]; k++) {
        v3 force, moment;
        ts_part_reaction_at(now->system, now->instant, now->places->index[c->each][k], &force,
                            &moment);
        v3_store((double *)row + 3 * k, force);
        v3_store((double *)second + 3 * k, moment);
    }
}

static void multipliers(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    if (bytes_of(now, c)) memcpy(row, now->instant->lambda, bytes_of(now, c));
}

static void relative(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    for (int64_t k = 0; k < now->places->count[c->each]; k++) {
        v3 displacement, turn;
        ts_part_relative(now->system, now->places->index[c->each][k], &displacement, &turn);
        v3_store((double *)row + 3 * k, displacement);
        v3_store((double *)second + 3 * k, turn);
    }
}

static void coordinates(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    for (int k = 0; k < (int)now->places->count[c->each]; k++) {
        ((double *)row)[k] = ts_coordinate_value(now->system, k);
        ((double *)second)[k] = ts_coordinate_rate(now->system, k);
    }
}

/* Forces and strains at stations of beams, cables and shells. */
static void sections(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    for (int64_t k = 0; k < now->places->count[c->each]; k++)
        ts_station_section(now->system, now->instant, now->places->index[c->each][k],
                           (double *)second + k * c->width, (double *)row + k * c->width);
}

static void output_sections(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    for (int64_t k = 0; k < now->places->count[c->each]; k++)
        ts_beam_place_section(now->system, now->instant, &now->places->output[k],
                              (double *)second + k * c->width, (double *)row + k * c->width);
}

static void stresses(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    for (int64_t k = 0; k < now->places->count[c->each]; k++)
        ts_station_stress(now->system, now->instant, now->places->index[c->each][k],
                          (double *)row + k * c->width);
}

static void elastic_energies(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    for (int64_t k = 0; k < now->places->count[c->each]; k++)
        ((double *)row)[k] = ts_part_energy(now->system, now->places->index[c->each][k]);
}

/* Parts with rows, most of the members of the family, are passed by at once. */
static bool has(const ts_moment *now, const ts_channel *c, int part) {
    const ts_model *model = now->system->model;
    const ts_kind *kind = model->parts[part].kind;
    const ts_site *site = &model->sites[model->parts[part].site];
    bool acts = model->parts[part].sites > 0 &&
                (site->role == TS_ROLE_LAW || (site->rows && model->rows[site->row].drive));
    return kind && acts && ts_channel_of_kind(c, kind->name, kind->section);
}

/* Length, its rate, and the force with which a spring pulls its ends together. */
static void springs(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    memset(row, 0, bytes_of(now, c));
    for (int64_t k = 0; k < now->places->count[c->each]; k++) {
        int part = now->places->index[c->each][k];
        double *out = (double *)row + c->width * k;
        v3 along, force, moment;
        if (!has(now, c, part)) continue;
        ts_part_stretch(now->system, part, &out[0], &out[1], &along);
        ts_part_reaction_at(now->system, now->instant, part, &force, &moment);
        out[2] = -v3_dot(force, along);
    }
}

static void powers(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    memset(row, 0, bytes_of(now, c));
    for (int64_t k = 0; k < now->places->count[c->each] && !now->at_rest; k++) {
        int part = now->places->index[c->each][k];
        if (has(now, c, part))
            ((double *)row)[k] = ts_part_power(now->system, part, now->instant->lambda);
    }
}

static void efforts(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    for (int64_t k = 0; k < now->places->count[c->each]; k++)
        ((double *)row)[k] =
            ts_part_effort(now->system, now->places->index[c->each][k], now->instant->lambda);
}

static void load_powers(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)second;
    if (now->at_rest)
        memset(row, 0, bytes_of(now, c));
    else
        ts_load_powers(now->system, now->places->count[c->each], now->places->index[c->each], row);
}

static void momenta(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)c;
    v3 linear, angular;
    ts_momenta(now->system, &linear, &angular);
    v3_store(row, linear);
    v3_store(second, angular);
}

/* ---- columns from rows ---- */

static double negative(const ts_column *c, const double *row) { return -row[c->index]; }

static double quaternion(const ts_column *c, const double *row) {
    quat p = ts_quat_from_matrix(m3_load(row + c->index));
    return c->component == 0 ? p.s : v3_get(p.v, c->component - 1);
}

static double rotation_vector(const ts_column *c, const double *row) {
    return v3_get(ts_so3_log(m3_load(row + c->index)), c->component);
}

static double total_energy(const ts_column *c, const double *row) {
    (void)c;
    return row[0] + row[1] + row[2];
}

static double displacement(const ts_column *c, const double *row) {
    return row[c->index] - c->drawn;
}

static double at_node(const ts_column *c, const double *row) {
    return ts_node_value(c->inside, c->node, c->part, row, TS_SERIES[c->series].width,
                         c->component);
}

double ts_mises(const double *s) {
    double pressure = (s[0] + s[1] + s[2]) / 3, sum = 0;
    for (int k = 0; k < 6; k++) sum += k < 3 ? pow(s[k] - pressure, 2) : 2 * s[k] * s[k];
    return sqrt(1.5 * sum);
}

static double mises_at_node(const ts_column *c, const double *row) {
    double s[TS_STRESS_WIDTH];
    for (int k = 0; k < TS_STRESS_WIDTH; k++)
        s[k] = ts_node_value(c->inside, c->node, c->part, row, TS_STRESS_WIDTH, k);
    return ts_mises(s);
}

/* ---- numbers of cells, from those of their stations ---- */

static double mises_in_cell(const double *stress, const double *with, int width) {
    (void)with, (void)width;
    return ts_mises(stress);
}

/* Elastic energy per length or area of a linear section: force . strain / 2. */
static double energy_in_cell(const double *force, const double *strain, int width) {
    double sum = 0;
    for (int k = 0; k < width; k++) sum += 0.5 * force[k] * strain[k];
    return sum;
}

/* ---- the table ---- */

#define SCALAR .width = 1
#define VECTOR .width = 3, .columns = "x y z"
static void pairs(const ts_moment *now, const ts_channel *c, void *row, void *second) {
    (void)c, (void)second;
    int64_t range[] = {now->pairs, now->system->state.touching.count};
    memcpy(row, range, sizeof range);
}

#define STATE(member) \
    .fill = state_number, .kept = TS_KEPT_NUMBERS, .offset = offsetof(ts_state, member)
#define STATE_ARRAY(member) \
    .fill = state_array, .kept = TS_KEPT_ARRAY, .offset = offsetof(ts_state, member)
#define LEDGER(member) .fill = ledger_number, .offset = offsetof(ts_ledger, member)
#define REPORT(member) .fill = report_number, .offset = offsetof(ts_step_report, member)
#define REPORT_INT(member) .fill = report_int, .offset = offsetof(ts_step_report, member)

#define STORED(id, ...) [id] = {.series = id, __VA_ARGS__},
#define DERIVED(...)
const ts_channel TS_SERIES[TS_SERIES_COUNT] = {
#include "output/channels.inc"
};
#undef STORED
#undef DERIVED

#define STORED(id, ...) &TS_SERIES[id],
#define DERIVED(...) &(const ts_channel){__VA_ARGS__},
const ts_channel *const TS_CHANNELS[] = {
#include "output/channels.inc"
};
const int TS_CHANNEL_COUNT = sizeof TS_CHANNELS / sizeof *TS_CHANNELS;

const char *ts_series_path(ts_series_id id, char name[64]) {
    snprintf(name, 64, "/%s/%s", TS_GROUP_NAME[TS_SERIES[id].group], TS_SERIES[id].name);
    return name;
}

/* ---- words of a channel ---- */

/* The k-th of the words between separators; how long it is. */
static const char *word_of(const char *list, char separator, int k, size_t *length) {
    for (; *list; list += *length + (list[*length] != 0), k--) {
        while (*list == ' ') list++;
        const char *end = strchr(list, separator);
        *length = end ? (size_t)(end - list) : strlen(list);
        if (k == 0) return list;
    }
    return NULL;
}

static bool take_word(const char *list, char separator, int k, char *word, size_t size) {
    size_t length = 0;
    const char *at = list ? word_of(list, separator, k, &length) : NULL;
    snprintf(word, size, "%.*s", at ? (int)length : 0, at ? at : "");
    return at != NULL;
}

/* Does the list begin with the word? */
static bool begins(const char *list, const char *word) {
    while (*word && *list == *word) list++, word++;
    return !*word && (!*list || *list == ' ');
}

bool ts_channel_of_kind(const ts_channel *c, const char *kind, const char *section) {
    for (const char *list = c->kinds; list; list = strchr(list, ' ')) {
        list += *list == ' ';
        if (begins(list, kind) || begins(list, section)) return true;
    }
    return !c->kinds;
}

bool ts_channel_word(const ts_channel *c, int component, char *word, size_t size) {
    return take_word(c->columns, ' ', component, word, size);
}

bool ts_channel_picture(const ts_channel *c, int k, char *word, size_t size) {
    return take_word(c->picture, ' ', k, word, size);
}

bool ts_channel_colour(const ts_channel *c, int component, char *label, size_t size) {
    return take_word(c->colour, ';', component, label, size);
}

void ts_channel_colour_key(const ts_channel *c, int component, char *key, size_t size) {
    if (!ts_channel_word(c, component, key, size)) ts_channel_picture(c, 0, key, size);
}

void ts_channel_unit(const ts_channel *c, int component, int quantity, char *unit, size_t size) {
    size_t length = 0;
    int which = c->pick ? c->pick[c->pick_by_angle ? quantity : component] - '0' : 0;
    const char *at = c->unit ? word_of(c->unit, ',', which, &length) : NULL;
    snprintf(unit, size, "%.*s", at ? (int)length : 0, at ? at : "");
}
