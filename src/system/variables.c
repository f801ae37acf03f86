/* SPDX-License-Identifier: Apache-2.0 */
/* State variables of a whole system: their values at the start, and steps that meet their samples.
 *
 * A variable with the law TS_STATE_VALUE is no state: its value over a step follows from the others
 * (laws/state). At the start it is computed once, so that the first row shows it. It may
 * depend on rates: the expression is evaluated over an instant d, in which the forms change by
 * d edot. A variable may depend on others of its kind, which depend on others again: as many passes
 * are made as it takes until nothing changes, or as there are variables. Then variables with a rate
 * get it. Samples need the rates at the start, which laws do not see: they are put into their
 * memory.
 */
#include "system/variables.h"

#include <math.h>

#include "base/error.h"
#include "laws/state/state_law.h"

static const double INSTANT = 1e-6; /* s */

/* A site over an instant, at the present rates. */
typedef struct instant {
    double e_i[TS_MAX_FORMS], e_f[TS_MAX_FORMS];
    ts_law_step step;
} instant;

static void look(const ts_system *system, const ts_site *site, instant *out) {
    double e[TS_MAX_FORMS], edot[TS_MAX_FORMS], t = system->state.t;
    ts_site_values(system->model, site, system->state.q, e);
    ts_site_rates(system->model, site, system->state.q, system->state.v, edot);
    for (int k = 0; k < site->forms; k++) {
        out->e_i[k] = e[k] - 0.5 * INSTANT * edot[k];
        out->e_f[k] = e[k] + 0.5 * INSTANT * edot[k];
    }
    ts_past past = {system->state.memory, system->state.inputs, system->state.lambda};
    out->step = ts_site_over(system->model, site, past, out->e_i, out->e_f, t, t);
    out->step.instant = INSTANT;
}

/* Where a variable stands in fields, by its site. */
static double *variable_of(const ts_model *model, const ts_site *site, double *field) {
    return field + 3 * model->nodes[model->site_nodes[site->node]].slot;
}

/* A variable gets its value, or its rate; false: it had. */
static bool improve(const ts_system *system, const ts_site *site, double *variable) {
    const ts_model *model = system->model;
    double scale = model->linears[model->forms[site->form].linear].g.x;
    instant x;
    ts_response r;
    look(system, site, &x);
    site->law->respond(&x.step, &r);
    double change = -r.s[0];
    if (!isfinite(change) || fabs(change) <= 1e-14 * scale) return false;
    *variable += change / scale;
    return true;
}

static bool improve_values(ts_system *system) {
    const ts_model *model = system->model;
    bool changed = false;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        if (site->law == &TS_STATE_VALUE)
            changed |= improve(system, site, variable_of(model, site, system->state.q));
    }
    return changed;
}

void ts_variables_start(ts_system *system) {
    const ts_model *model = system->model;
    bool changed = true;
    for (int pass = 0; changed && pass < model->sites_count; pass++)
        changed = improve_values(system);
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        instant x;
        if (site->law == &TS_STATE_RATE)
            improve(system, site, variable_of(model, site, system->state.v));
        if (site->law != &TS_STATE_SAMPLE) continue;
        look(system, site, &x);
        ts_sample_start(&x.step, system->state.memory + site->memory);
    }
}

int ts_check_samples(const ts_model *model, double h) {
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        if (site->role != TS_ROLE_LAW || site->law != &TS_STATE_SAMPLE) continue;
        const double *s = ts_sampling(model->numbers + site->data);
        double steps = s[TS_SAMPLE_PERIOD] / h, first = s[TS_SAMPLE_FIRST] / h;
        if (steps > 0.5 && fabs(steps - rint(steps)) < 1e-6 && fabs(first - rint(first)) < 1e-6)
            continue;
        const char *name = model->parts[site->part].name;
        ts_fail(TORSOR_EINVAL,
                "steps of %.6g s do not coincide with the samples of '%s', which come every %.6g s "
                "from %.6g s on: choose a step that divides both times, or step control",
                h, name, s[TS_SAMPLE_PERIOD], s[TS_SAMPLE_FIRST]);
        return ts_blame(TORSOR_EINVAL, name, 0);
    }
    return 0;
}
