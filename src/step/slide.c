/* SPDX-License-Identifier: Apache-2.0 */
/* Sliding parts within a step: when windows of the state (system/windows.c) change, the elements
 * have other nodes, and the matrix has another pattern. */
#include <stdlib.h>

#include "base/error.h"
#include "step/stepper.h"

void ts_slides_begin(ts_stepper *st) {
    if (!ts_windows_follow(st->system)) return;
    int threads = st->team.threads;
    ts_team_clear(&st->team);
    ts_team_new(&st->team, st->system, threads);
    ts_drop_matrix(&st->eq);
    if (st->quick) {
        ts_short_free(st->quick);
        ts_short_new(&st->quick, st);
        if (st->eq.effort) ts_short_watch(st->quick, st->eq.effort);
    }
    free(st->held.site);
    st->held = (ts_held){0};
    ts_held_new(st);
    ts_forget_tangent(&st->tangent);
    ts_set_regular(&st->eq);
}

int ts_slides_check(const ts_stepper *st) {
    if (!st->model->slides_count) return 0;
    int i = ts_slid_off(st->model, st->system->state.q);
    if (i < 0) return 0;
    const ts_slide *slide = &st->model->slides[i];
    const char *name = st->model->parts[slide->part].name;
    double s = st->system->state.q[3 * st->model->nodes[slide->node].slot];
    if (slide->on == slide->part) {
        ts_fail(TORSOR_EDIVERGED,
                "'%s' is all %s its drum at t = %.9g s: its length is %.6g m; give a greater `%s`, "
                "or stop it by a joint_spring with stops",
                name, s > slide->high ? "off" : "on", st->system->state.t, s,
                s > slide->high ? "stored" : "length");
        return ts_blame(TORSOR_EDIVERGED, name, st->system->state.t);
    }
    ts_fail(TORSOR_EDIVERGED,
            "'%s' has slid off '%s' at t = %.9g s: s is %.6g m, and the path ends at %.6g m; hold "
            "it by a joint_spring with stops, or switch it off by an event",
            name, st->model->parts[slide->on].name, st->system->state.t, s,
            s < slide->low ? slide->low : slide->high);
    return ts_blame(TORSOR_EDIVERGED, name, st->system->state.t);
}

bool ts_slides_refuse(const ts_stepper *st) {
    return st->model->windows_count &&
           ts_windows_left(st->model, st->step.q_f, st->system->state.memory);
}

bool ts_slides_far(const ts_stepper *st, double h) {
    const ts_state *state = &st->system->state;
    return ts_windows_ahead(st->model, state->q, state->v, h, state->memory);
}
