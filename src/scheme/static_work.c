/* SPDX-License-Identifier: Apache-2.0 */
/* Preloads and works of statics.
 *
 * Preload. Springs, cables and motors may exert forces before there is a load. If these acted fully
 * at load factor 0, where gravity is zero, the structure would jump away from its drawn position,
 * and return on another branch. So the forces p0 = B^T s(e0) of the laws as drawn are balanced by
 * ambient dead forces that decrease as the loads grow:
 *
 *     P_f^T [ B_f^T s(e_f) + C_f^T lambda - f (F + M g) - (1 - f) p0 ] = 0 .
 *
 * At f = 0 the drawn position itself is the solution, at f = 1 p0 has vanished: preload and gravity
 * grow together. Without preload p0 is zero, and the path is the usual one.
 *
 * Work. Along the path, external forces p = f (F + M g) do the work of the trapezoidal rule, (p_i +
 * p_f)/2 . (q_f - q_i), and so do the reactions of drives. This work equals the change of elastic
 * energy up to the square of the increment; after a snap-through the difference is larger.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scheme/static.h"

static size_t ambient(const ts_step *st) { return 3 * (size_t)st->model->slots; }

/* Minus the external forces of the end, per slot; after them the moments of loads, in space. */
static void external(ts_step *st, double *out) {
    const ts_model *model = st->model;
    memset(st->F, 0, ambient(st) * sizeof(double));
    ts_add_forces(st);
    ts_add_pressures(st);
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        double g[3 * 4] = {0};
        v3_store(g, v3_scale(-st->load_factor, ts_node_gravity(node, model->gravity)));
        for (int a = 0; a < node->slots; a++) {
            double *F = st->F + 3 * (node->slot + a);
            v3_store(F, v3_add(v3_load(F), ts_mass_times(node, g, a)));
        }
    }
    memcpy(out, st->F, ambient(st) * sizeof(double));
    for (int i = 0; i < model->loads_count; i++) {
        const ts_load *load = &model->loads[i];
        const ts_node *node = &model->nodes[load->node];
        const double *slots = st->q_f + 3 * node->slot;
        v3 m =
            load->moment ? ts_load_moment(node, load, st->load[i].mean, slots) : v3_make(0, 0, 0);
        v3_store(out + ambient(st) + 3 * (size_t)i, m);
    }
}

static double work_of_forces(const ts_step *st, const double *before, const double *now) {
    double sum = 0;
    for (size_t i = 0; i < ambient(st); i++) sum -= 0.5 * (before[i] + now[i]) * st->dq[i];
    for (int i = 0; i < st->model->loads_count; i++) {
        size_t at = ambient(st) + 3 * (size_t)i;
        quat turn = st->turn[st->model->loads[i].node];
        double n = v3_norm(turn.v), angle = 2 * atan2(n, turn.s);
        v3 psi = v3_scale(n > 0 ? angle / n : 0, turn.v);
        sum += 0.5 * v3_dot(v3_add(v3_load(before + at), v3_load(now + at)), psi);
    }
    return sum;
}

static double work_of_drives(const ts_step *st) {
    double sum = 0;
    for (int r = 0; r < st->model->rows_count; r++)
        if (st->model->rows[r].drive && st->system->row_eq[r] >= 0)
            sum -= 0.5 * (st->system->state.lambda[r] + st->lambda[r]) * (st->u_f[r] - st->u_i[r]);
    return sum;
}

/* Laws without energy: motors; and weights, which are loads here. */
static double work_of_laws(const ts_step *st) {
    double sum = 0, e[TS_MAX_FORMS];
    for (int i = 0; i < st->model->sites_count; i++) {
        const ts_site *site = &st->model->sites[i];
        if (site->role != TS_ROLE_LAW || !site->law->energy) continue;
        const double *data = st->model->numbers + site->data, *e_i = st->e_i + site->form;
        const double *memory = st->system->state.memory + site->memory;
        ts_site_values(st->model, site, st->q_f, e);
        if (!site->law->weighs && (site->law->energy(data, memory, site->forms, e_i) != 0 ||
                                   site->law->energy(data, memory, site->forms, e) != 0))
            continue;
        ts_response start, end;
        ts_respond_at_end(st, site, e_i, &start), ts_respond_at_end(st, site, e, &end);
        for (int k = 0; k < site->forms; k++)
            sum -= 0.5 * (start.s[k] + end.s[k]) * (e[k] - e_i[k]);
    }
    return sum;
}

static double work_of_relief(const ts_step *st) {
    double sum = 0, share = 1 - 0.5 * (st->statics.load_before + st->load_factor);
    for (size_t i = 0; st->statics.relief && i < ambient(st); i++)
        sum += share * st->statics.relief[i] * st->dq[i];
    return sum;
}

/* ---- unbalanced forces ---- */

static const double SUSPICIOUS = 1e-6; /* of what acts: Newton's method leaves less */

/* Largest external force on a free node, including the forces that balance preload; moments over
 * the size of the model. */
static double largest_load(ts_step *st) {
    const ts_model *model = st->model;
    double most = 0, length = st->system->length, held = 1 - st->load_factor;
    memset(st->F, 0, ambient(st) * sizeof(double));
    ts_add_forces(st);
    ts_add_pressures(st);
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        if (node->fixed) continue;
        double weight = fabs(st->load_factor) * node->mass[0][0] *
                        v3_norm(ts_node_gravity(node, model->gravity));
        most = fmax(most, weight);
        for (int a = 0; a < node->slots; a++) {
            int i = 3 * (node->slot + a);
            v3 relief = st->statics.relief ? v3_load(st->statics.relief + i) : v3_make(0, 0, 0);
            double size = v3_norm(v3_load(st->F + i)) + fabs(held) * v3_norm(relief);
            most = fmax(most, a ? size / length : size);
        }
    }
    for (int i = 0; i < model->loads_count; i++)
        if (model->loads[i].moment) most = fmax(most, v3_norm(st->load[i].mean) / length);
    return most;
}

/* Largest force of a constraint, by the units of its row: of drives and supports. */
static double largest_reaction(const ts_stepper *st) {
    double most = 0;
    for (int r = 0; r < st->model->rows_count; r++)
        if (st->system->row_eq[r] >= 0)
            most = fmax(most, fabs(st->step.lambda[r]) * st->eq.row_size[r] / st->system->length);
    return most;
}

/* No forces act except round-off: the unbalanced force then means nothing. */
static bool is_idle(const ts_stepper *st, double acts) {
    return acts * st->system->length <= ts_energy_noise(st->system, 1);
}

/* A step of pseudo-time does not end in equilibrium: the step that ends the pseudo-time is
 * judged. */
double ts_static_unbalanced(ts_stepper *st) {
    double left = 0, length = st->system->length;
    if (st->step.statics.relax > 0) return 0;
    ts_residual(&st->eq);
    for (int n = 0; n < st->model->nodes_count; n++) {
        int dof = st->system->node_dof[n], nd = ts_node_dofs(&st->model->nodes[n]);
        for (int i = 0; dof >= 0 && i < nd; i++) {
            double R = fabs(st->eq.R[dof + i]) / (i < 3 ? 1 : length);
            left = ts_larger(left, R);
        }
    }
    double acts = fmax(largest_load(&st->step), largest_reaction(st));
    if (left > SUSPICIOUS * acts && is_idle(st, acts)) return 0;
    return acts > 0 ? left / acts : isnan(left) ? left : 0;
}

void ts_static_exchange(ts_step *st, ts_exchange *out) {
    if (!st->statics.pull) return;
    size_t size = ambient(st) + 3 * (size_t)st->model->loads_count;
    double *now = st->statics.pull + size;
    external(st, now);
    out->work_loads += work_of_forces(st, st->statics.pull, now) + work_of_laws(st);
    out->work_drives += work_of_drives(st);
    out->algorithmic -= work_of_relief(st);
    memcpy(st->statics.pull, now, size * sizeof *now);
    st->statics.load_before = st->load_factor;
}

int ts_static_relieve(ts_stepper *st, ts_system *drawn) {
    ts_stepper *at;
    ts_statics *own = &st->step.statics;
    int code = ts_stepper_new(&at, drawn, &TS_SCHEME_STATIC, &st->options);
    if (code) return code;
    ts_begin_at(at, drawn->state.t, 0);
    memset(at->step.lambda, 0, (size_t)st->model->rows_count * sizeof *at->step.lambda);
    ts_residual(&at->eq);
    own->relief = ts_calloc(ambient(&st->step) + 1, sizeof *own->relief);
    memcpy(own->relief, at->step.F, ambient(&st->step) * sizeof(double));
    ts_stepper_free(at);
    return 0;
}

void ts_static_count_work(ts_stepper *st, double factor) {
    size_t size = ambient(&st->step) + 3 * (size_t)st->model->loads_count;
    ts_statics *own = &st->step.statics;
    own->pull = ts_calloc(2 * size + 1, sizeof *own->pull);
    ts_begin_at(st, st->system->state.t, factor);
    external(&st->step, own->pull);
    own->load_before = factor;
}

void ts_static_steady(ts_stepper *st, const double *per_node) {
    memcpy(st->eq.node_regular, per_node,
           2 * (size_t)st->model->nodes_count * sizeof *st->eq.node_regular);
}
