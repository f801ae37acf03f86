/* SPDX-License-Identifier: Apache-2.0 */
/* Methods to find an equilibrium: loads in increments; or descent of the energy, regularised by
 * springs. See equilibrium.h. */
#include "analysis/equilibrium.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembly.h"
#include "base/error.h"
#include "scheme/linear.h"
#include "step/newton/exactness.h"

static const double INSTANT = 1e-9; /* s: loads do not change in this time */
static const double NEAR = 1e-3, NEARBY = 0.02,
                    NOT_FAR = 0.2; /* of the size of the model, or radians: see ts_go_downhill */
static const double STEADY = 1e-5; /* of the largest force, per size of the model or radian */
static const double LOADED = 1e-8; /* of the largest force: less along a motion is round-off */
enum { RELAXATIONS = 500 };

void ts_rest(ts_system *system) {
    size_t ambient = (size_t)(3 * system->model->slots) * sizeof(double);
    memset(system->state.v, 0, ambient), memset(system->state.vdot, 0, ambient);
}

/* ---- motions that nothing resists ---- */

/* Before there is a load, nothing resists a pendulum, and nothing ever resists a wheel on its hub.
 * Without a load along such motions the bodies should keep their positions. A small stiffness in
 * the tangent, on the nodes that take part, ensures this; it is small compared with the stiffness
 * that loads give a pendulum, so it does not slow down Newton's method, and it does not enter the
 * residual. */
static void hold_free_motions(ts_stepper *st, const ts_system *system, const ts_linear_model *x,
                              const ts_freedom *f) {
    int nodes = system->model->nodes_count;
    double force = fmax(x->external, x->left), most = 0;
    for (int i = 0; i < x->dofs; i++) most = fmax(most, fabs(x->K[x->diagonal[i]]));
    if (!(force > 0)) force = 1e-4 * most * system->length;
    double *steady = ts_calloc(2 * (size_t)nodes + 1, sizeof *steady);
    bool all = f->count == TS_MOST_FREE;
    for (int n = 0; n < nodes; n++) {
        int dof = system->node_dof[n], nd = ts_node_dofs(&system->model->nodes[n]);
        bool any = all;
        for (int i = 0; dof >= 0 && i < nd * f->count; i++) {
            double moves = f->phi[(size_t)(i / nd) * (size_t)f->dofs + (size_t)(dof + i % nd)];
            any |= fabs(moves) * (i % nd < 3 ? 1 : system->length) > 1e-9;
        }
        if (!any) continue;
        steady[2 * n] = STEADY * force / system->length;
        steady[2 * n + 1] = STEADY * force * system->length;
    }
    ts_static_steady(st, steady);
    free(steady);
}

static int steady(ts_stepper *st, ts_system *drawn) {
    ts_linear_model x;
    ts_freedom f;
    int code = ts_linearise_unloaded(&x, drawn);
    if (code) return code;
    if (ts_freedom_find(&f, drawn, &x) == 0) {
        if (f.count > 0) hold_free_motions(st, drawn, &x, &f);
        ts_freedom_free(&f);
    }
    ts_linear_free(&x);
    return 0;
}

/* The state at the start of a run of this model: as drawn, assembled. Assembly finds the same
 * redundant rows as before. */
static int start_again(ts_system **out, const ts_system *system) {
    ts_assembly_report report = {0};
    int code = ts_system_new(out, system->model);
    if (!code) code = ts_assemble_initial(*out, (ts_model *)system->model, &report);
    ts_assembly_report_clear(&report);
    return code;
}

/* ---- why there is no equilibrium ---- */

/* The load along a motion: gravity (-1), or a load by its part; and its size. */
static int pulled_by(const ts_system *system, const double *phi, double *most) {
    const ts_model *model = system->model;
    int by = -1;
    double weight = 0;
    for (int n = 0; n < model->nodes_count; n++) {
        int dof = system->node_dof[n];
        const ts_node *node = &model->nodes[n];
        if (dof < 0) continue;
        v3 psi = ts_node_turn(system, n, phi + dof);
        weight += node->mass[0][0] * v3_dot(model->gravity, v3_load(phi + dof));
        for (int k = 1; k < node->slots; k++)
            weight += node->mass[0][k] *
                      v3_dot(model->gravity,
                             v3_cross(psi, v3_load(system->state.q + 3 * (node->slot + k))));
    }
    *most = fabs(weight);
    for (int i = 0; i < model->loads_count; i++) {
        const ts_load *load = &model->loads[i];
        int dof = system->node_dof[load->node];
        if (dof < 0) continue;
        v3 f = ts_load_signals(model, load, ts_when_of(&system->state, system->state.t));
        v3 turn = ts_node_turn(system, load->node, phi + dof), move = v3_load(phi + dof);
        double power = load->factor * v3_dot(f, load->moment ? turn : move);
        if (fabs(power) > *most) *most = fabs(power), by = load->part;
    }
    return by;
}

/* The free motion with the largest load; -1: none is loaded. */
static int loaded_motion(const ts_system *system, const ts_linear_model *x, const ts_freedom *f) {
    int worst = -1;
    double most = LOADED * x->left;
    for (int i = 0; i < f->count; i++) {
        double work = 0;
        for (int k = 0; k < f->dofs; k++)
            work += f->phi[(size_t)i * (size_t)f->dofs + (size_t)k] * x->force[k];
        if (fabs(work) > most) most = fabs(work), worst = i;
    }
    (void)system;
    return worst;
}

static int blame_free_motion(ts_system *system, int code) {
    ts_linear_model x;
    ts_freedom f;
    if (ts_linearise_unloaded(&x, system)) return 0;
    int found = ts_freedom_find(&f, system, &x) ? -1 : loaded_motion(system, &x, &f);
    if (found >= 0) {
        char motion[200];
        double most;
        int by = pulled_by(system, f.phi + (size_t)found * (size_t)f.dofs, &most);
        bool springs = most < LOADED * x.left;
        const char *part = system->model->parts[f.part[found]].name;
        ts_free_motion_words(system, &f, found, motion, sizeof motion);
        ts_fail(code,
                "no equilibrium: %s with nothing that resists, and %s%s%s acts along it; hold it "
                "by a joint or a spring, or draw it in the position where it hangs",
                motion, springs || by < 0 ? "" : "'",
                springs  ? "a spring, a cable or a motor"
                : by < 0 ? "gravity"
                         : system->model->parts[by].name,
                springs || by < 0 ? "" : "'");
        ts_blame(code, part, system->state.t);
    }
    ts_freedom_free(&f);
    ts_linear_free(&x);
    return found >= 0;
}

/* If equilibria form a line, Newton's method finds none of them. */
static bool advise_hold(ts_system *system, char *text, size_t size) {
    ts_freedom f;
    char motion[TS_FREE_WORDS];
    if (ts_freedom_of_equilibrium(&f, system)) return false;
    bool found = f.count > 0;
    if (found)
        snprintf(text, size, "there nothing resists that %s: hold it by a joint or a weak spring",
                 ts_freedom_words(system, &f, motion, sizeof motion));
    ts_freedom_free(&f);
    return found;
}

/* A coarse mesh is reported first: an equilibrium beyond it is not one of the structure. */
static void advise(ts_system *system, bool arc_length, char *text, size_t size) {
    char where[TS_RESOLUTION_WORDS];
    ts_audit audit;
    ts_audit_system(system, &audit);
    int coarse = ts_audit_coarse_mesh(&audit);
    if (coarse >= 0)
        snprintf(text, size, "the mesh is too coarse there, %s; %s",
                 ts_audit_words(&audit, (ts_gauge)coarse, where, sizeof where),
                 TS_GAUGE[coarse].advice);
    else if (!advise_hold(system, text, size))
        snprintf(
            text, size, "%s",
            arc_length
                ? "use more `increments`, or, where the path branches, draw the shape or the load "
                  "slightly imperfect"
                : "if the structure snaps or buckles, follow its path with `method: arc_length`");
}

int ts_explain_statics(ts_system *system, double factor, bool arc_length, int code) {
    if (code != TORSOR_EDIVERGED || system->refused >= 0) return code;
    char why[600], part[200], advice[TS_RESOLUTION_WORDS + TS_FREE_WORDS + 200];
    double t = torsor_error_details()->time;
    snprintf(why, sizeof why, "%s", ts_error_message());
    snprintf(part, sizeof part, "%s", torsor_error_details()->part);
    if (ts_fail_unbounded(system, t)) return code;
    if (blame_free_motion(system, code)) return code;
    advise(system, arc_length, advice, sizeof advice);
    ts_fail(code, "%s (after load factor %.4g: %s)", why, factor, advice);
    return ts_blame(code, part, t);
}

/* ---- how statics begin ---- */

/* The preload that fades out is that of the start: a run that continues from a stored state
 * computes it again. */
int ts_begin_statics(ts_stepper *st, ts_system *system, double factor, bool relieved) {
    ts_system *drawn = system;
    if (ts_is_adrift(system) && blame_free_motion(system, TORSOR_EDIVERGED))
        return TORSOR_EDIVERGED;
    int code = system->state.step > 0 ? start_again(&drawn, system) : 0;
    if (!code) code = steady(st, drawn);
    if (!code && relieved) code = ts_static_relieve(st, drawn);
    if (!code) ts_static_count_work(st, factor);
    if (drawn != system) ts_system_free(drawn);
    return code;
}

/* ---- loads in increments ---- */

/* The options of the run, but with a tight tolerance: a system that begins at rest must stay
 * there. */
static ts_step_options options_at_rest(const ts_options *o) {
    ts_step_options options = ts_step_options_of(o);
    options.tolerance = TS_TIGHTEST;
    return options;
}

int ts_load_up(ts_system *system, const ts_options *o, const ts_scheme *scheme, int increments) {
    ts_step_options options = options_at_rest(o);
    ts_stepper *st;
    double t = system->state.t;
    int code = ts_stepper_new(&st, system, scheme, &options), done = 0;
    if (!code) code = ts_begin_statics(st, system, 0, true);
    if (!code && scheme == &TS_SCHEME_STATIC) ts_stepper_before(st, 2 * INSTANT);
    for (; done < increments && !code; done++) {
        ts_step_result r;
        system->state.t = t;
        ts_stepper_load_factor(st, (double)done / increments, (double)(done + 1) / increments);
        code = ts_stepper_step(st, INSTANT, &r);
        if (code) break;
    }
    ts_stepper_free(st);
    system->state.t = t, system->state.step = 0;
    if (code) ts_explain_statics(system, (double)done / increments, false, code);
    ts_rest(system);
    return code;
}

/* ---- descent ---- */

/* The largest displacement of a node, over the size of the model, or rotation of a director. */
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

/* One step from the state, with springs or without; returns the distance moved. A step that fails
 * changes nothing. */
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

/* One step without springs: is there an equilibrium within this distance? */
static int land(ts_stepper *st, ts_system *system, double furthest, ts_state *kept, double *before,
                bool *there) {
    double move;
    ts_state_copy(system->model, kept, &system->state);
    int code = relax_once(st, system, 0, before, &move);
    *there = !code && move < furthest;
    if (!*there) ts_state_copy(system->model, &system->state, kept);
    return code;
}

/* An equilibrium of a rotating system need not be a minimum of the energy: above its critical speed
 * a disc whose centre of mass is off the shaft rests at a saddle, with this centre near the axis,
 * and descent from there would bend the shaft extremely. So an equilibrium near the drawn position
 * is used if there is one.
 *
 * Otherwise the energy is reduced until a stable equilibrium under loads and rotation is found.
 * Parts on hinges have no stiffness before they are under tension, and Newton's method could
 * converge to any equilibrium, even an inverted one. With springs hold M (q - q_i), stiffer than
 * the softening Omega^2 M by the rotation, every step has a stable equilibrium, and the energies
 * decrease: the proximal point algorithm (R. T. Rockafellar, SIAM J. Control Optim. 14 (1976) 877).
 * Once the steps are small, a step without springs finds the equilibrium itself. */
int ts_go_downhill(ts_system *system, const ts_options *o, v3 spin, v3 about) {
    ts_step_options options = options_at_rest(o);
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
    if (!code) land(st, system, NEARBY, &kept, before, &there);
    for (int i = 0; i < RELAXATIONS && !there && hold < 1e12 * least; i++) {
        code = relax_once(st, system, hold, before, &move);
        hold = code ? 10 * hold : fmax(least, 0.5 * hold);
        if (code) continue;
        shrinking = move < last ? shrinking + 1 : 0, last = move;
        if (shrinking < 2 || move > NEAR) continue;
        code = land(st, system, NOT_FAR, &kept, before, &there);
    }
    if (!there && !code) code = ts_fail(TORSOR_EDIVERGED, "it keeps moving");
    ts_state_free(&kept), free(before);
    ts_stepper_free(st);
    system->state.step = 0;
    ts_rest(system);
    return code;
}
