/* Ways to an equilibrium: loads in increments; or downhill, held back by springs. See equilibrium.h. */
#include "analysis/equilibrium.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scheme/linear.h"

static const double INSTANT = 1e-9; /* s: loads stay where they are */
static const double NEAR = 1e-3,
                    NOT_FAR = 0.2; /* of the size of the model, or radians: see ts_go_downhill */
enum { RELAXATIONS = 500 };

void ts_rest(ts_system *system) {
    size_t ambient = (size_t)(3 * system->model->slots) * sizeof(double);
    memset(system->state.v, 0, ambient), memset(system->state.vdot, 0, ambient);
}

int ts_load_up(ts_system *system, const ts_options *o, const ts_scheme *scheme, int increments) {
    ts_step_options options = ts_step_options_of(o);
    ts_stepper *st;
    double t = system->state.t;
    int code = ts_stepper_new(&st, system, scheme, &options);
    for (int i = 0; i < increments && !code; i++) {
        ts_step_result r;
        system->state.t = t;
        ts_stepper_load_factor(st, (double)i / increments, (double)(i + 1) / increments);
        code = ts_stepper_step(st, INSTANT, &r);
    }
    ts_stepper_free(st);
    system->state.t = t, system->state.step = 0;
    ts_rest(system);
    return code;
}

/* The largest of what nodes moved, by the size of the model, and of what directors turned. */
static double moved(const ts_system *system, const double *before) {
    double most = 0;
    for (int n = 0; n < system->model->nodes_count; n++) {
        const ts_node *node = &system->model->nodes[n];
        for (int k = 0; k < node->slots; k++) {
            int i = 3 * (node->slot + k);
            v3 d = v3_sub(v3_load(system->state.q + i), v3_load(before + i));
            most = fmax(most, v3_norm(d) / (k ? 1 : system->length));
        }
    }
    return most;
}

/* One step from the state, held back or not; how far it went. A step that fails leaves everything as it was. */
static int relax_once(ts_stepper *st, ts_system *system, double hold, double *before,
                      double *move) {
    double t = system->state.t;
    ts_step_result r;
    memcpy(before, system->state.q, (size_t)(3 * system->model->slots) * sizeof *before);
    ts_rest(system);
    ts_stepper_hold(st, hold);
    ts_stepper_load_factor(st, 1, 1);
    int code = ts_stepper_step(st, INSTANT, &r);
    system->state.t = t;
    *move = code ? 0 : moved(system, before);
    return code;
}

/* Downhill to a stable equilibrium under loads and rotation. What turns on hinges has no stiffness before it is under tension,
 * and Newton's method would go anywhere, upright if need be. Held back by springs, hold M (q - q_i) with hold beyond what the
 * rotation takes from the stiffness, Omega^2 M, every step has a stable equilibrium, and their energies fall: the proximal
 * point algorithm (R. T. Rockafellar, SIAM J. Control Optim. 14 (1976) 877). Once the steps shrink, one without springs
 * finds the place itself. */
int ts_go_downhill(ts_system *system, const ts_options *o, v3 spin, v3 about) {
    ts_step_options options = ts_step_options_of(o);
    options.max_cuts = 0;
    double least = 2 * v3_dot(spin, spin) + 4 * v3_norm(system->model->gravity) / system->length;
    double hold = least, move, last = INFINITY,
           *before = ts_calloc(3 * (size_t)system->model->slots, sizeof *before);
    ts_state kept = {0};
    ts_stepper *st;
    int code = ts_stepper_new(&st, system, &TS_SCHEME_TURNING, &options), shrinking = 0;
    bool there = false;
    ts_state_alloc(system->model, &kept);
    ts_stepper_spin(st, spin, about);
    for (int i = 0; i < RELAXATIONS && !there && hold < 1e12 * least; i++) {
        code = relax_once(st, system, hold, before, &move);
        hold = code ? 10 * hold : fmax(least, 0.5 * hold);
        if (code) continue;
        shrinking = move < last ? shrinking + 1 : 0, last = move;
        if (shrinking < 2 || move > NEAR) continue;
        ts_state_copy(system->model, &kept, &system->state);
        there = !(code = relax_once(st, system, 0, before, &move)) && move < NOT_FAR;
        if (!there) ts_state_copy(system->model, &system->state, &kept);
    }
    if (!there && !code) code = ts_fail(TORSOR_EDIVERGED, "it keeps moving");
    ts_state_free(&kept), free(before);
    ts_stepper_free(st);
    system->state.step = 0;
    ts_rest(system);
    return code;
}
