/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that events switch on and off: the system's own view of the model.
 *
 * The model is shared by runs and does not change. A system whose model has switches
 * (model/event.h) works with a copy of it: of sites, rows, loads, pressures, signals and contacts;
 * everything else is the model's. In this copy, of a part that is switched off
 *
 *     laws    respond with nothing and store nothing. They go on to remember (angles, bristles), so
 *             that a spring that is switched on again knows how often its joint has gone round.
 *             Variables without mass (a current, a pressure) keep their equations
 *     rows    are kept out of the equations, as redundant ones are
 *     loads   have the factor zero, pressures no signal
 *     shapes  do not touch, where a contact is off
 *
 * A lock has a constant signal, the value that it holds. A motion that is switched on continues
 * from the present value of its coordinate: its signal is shifted. So other code does not need to
 * know about switches. Redundant rows depend on the switches; they are determined when switches
 * change (analysis/latch.c) and stored in the state's memory.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "system/system.h"

struct ts_view {
    const ts_model *drawn;
    ts_model model;
    ts_law *idle; /* per site, filled in where it is needed */
};

static void nothing(const ts_law_step *step, ts_response *out) {
    (void)step;
    *out = (ts_response){0};
}

static void nothing_read(const ts_law_step *step, double *out) {
    (void)step;
    memset(out, 0, (size_t)(TS_MAX_FORMS * TS_MAX_FORMS) * sizeof *out);
}

static double no_energy(const double *data, const double *memory, int m, const double *e) {
    (void)data, (void)memory, (void)m, (void)e;
    return 0;
}

static bool always(const double *data) { return (void)data, true; }

static const ts_law *idle_law(struct ts_view *view, int site) {
    const ts_law *drawn = view->drawn->sites[site].law;
    view->idle[site] = (ts_law){.name = drawn->name,
                                .memory = drawn->memory,
                                .begin = drawn->begin,
                                .begin_at = drawn->begin_at,
                                .energy = no_energy,
                                .respond = nothing,
                                .by_multipliers = nothing_read,
                                .conserves = always,
                                .commit = drawn->commit};
    return &view->idle[site];
}

static void *copy(const void *from, int count, size_t size) {
    char *to = ts_calloc((size_t)count + 1, size);
    if (count) memcpy(to, from, (size_t)count * size);
    return to;
}

#define COPY(model, name) \
    ((model)->name = copy((model)->name, (model)->name##_count, sizeof *(model)->name))

void ts_view_new(ts_system *system) {
    struct ts_view *view = ts_calloc(1, sizeof *view);
    view->drawn = system->model->drawn ? system->model->drawn : system->model;
    view->model = *view->drawn;
    view->model.drawn = view->drawn;
    COPY(&view->model, sites), COPY(&view->model, rows), COPY(&view->model, loads);
    COPY(&view->model, pressures), COPY(&view->model, signals), COPY(&view->model, contacts);
    view->idle = ts_calloc((size_t)view->model.sites_count + 1, sizeof *view->idle);
    system->view = view, system->model = &view->model;
}

void ts_view_free(struct ts_view *view) {
    if (!view) return;
    free(view->model.sites), free(view->model.rows), free(view->model.loads);
    free(view->model.pressures), free(view->model.signals), free(view->model.contacts);
    free(view->idle);
    free(view);
}

ts_site *ts_view_site(ts_system *system, int site) { return &system->view->model.sites[site]; }

static void switch_site(struct ts_view *view, int s, bool on, double value) {
    ts_site *site = &view->model.sites[s];
    on |= site->role == TS_ROLE_LAW && view->drawn->sites[s].law->variable;
    if (site->role == TS_ROLE_LAW) site->law = on ? view->drawn->sites[s].law : idle_law(view, s);
    for (int r = site->row; r < site->row + site->rows; r++) {
        ts_row *row = &view->model.rows[r];
        if (row->stays) continue;
        row->off = !on;
        if (row->signal >= 0) view->model.signals[row->signal].shift = value;
    }
}

static void switch_loads(struct ts_view *view, int part, bool on) {
    const ts_model *drawn = view->drawn;
    for (int i = 0; i < drawn->loads_count; i++)
        if (drawn->loads[i].part == part)
            view->model.loads[i].factor = on ? drawn->loads[i].factor : 0;
    for (int i = 0; i < drawn->pressures_count; i++)
        if (drawn->pressures[i].part == part) {
            view->model.pressures[i].signal = on ? drawn->pressures[i].signal : -1;
            view->model.pressures[i].unit = on ? drawn->pressures[i].unit : 0;
        }
    for (int i = 0; i < drawn->contacts_count; i++)
        if (drawn->contacts[i].part == part) view->model.contacts[i].off = !on;
}

void ts_view_redundant(ts_system *system, int row, bool redundant) {
    if (system->view) system->view->model.rows[row].redundant = redundant;
}

void ts_view_follow(ts_system *system) {
    struct ts_view *view = system->view;
    const ts_model *drawn = view->drawn;
    const double *memory = system->state.memory;
    for (int i = 0; i < drawn->switches_count; i++) {
        const ts_switch *w = &drawn->switches[i];
        const ts_part *part = &drawn->parts[w->part];
        bool on = w->drawn != (memory[w->memory + TS_SWITCH_TURNED] != 0);
        for (int s = part->site; s < part->site + part->sites; s++)
            switch_site(view, s, on, memory[w->memory + TS_SWITCH_VALUE]);
        switch_loads(view, w->part, on);
    }
    for (int r = 0; r < drawn->rows_count; r++) {
        double found = drawn->row_memory >= 0 ? memory[drawn->row_memory + r] : 0;
        ts_view_redundant(system, r, found == 0 ? drawn->rows[r].redundant : found > 1);
    }
    ts_windows_follow(system);
    ts_system_renumber(system);
}
