/* SPDX-License-Identifier: Apache-2.0 */
/* Modes of vibration and of buckling: equilibrium first, then eigenvalues (spectrum.c), then
 * shapes. See modal.h. */
#include "modes/modal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/equilibrium.h"
#include "base/error.h"
#include "modes/search.h"
#include "scheme/linear.h"

static const double IMBALANCE = 1e-6;  /* of the size of the model, or radians */
static const double FORCE_LEFT = 1e-9; /* of the loads */
static const double STILL = 1e-6;      /* of the eigenvalue: less growth than that is round-off */
enum { INCREMENTS = 10 };

/* ---- from eigenvectors to modes ---- */

static ts_modes *modes_new(const ts_system *system, int count, bool complex) {
    ts_modes *m = ts_calloc(1, sizeof *m);
    size_t size = (size_t)count * (size_t)system->model->nodes_count * 6 + 1;
    m->nodes = system->model->nodes_count;
    m->mode = ts_calloc((size_t)count + 1, sizeof *m->mode);
    m->shape = ts_calloc(size, sizeof(double));
    if (complex) m->quarter = ts_calloc(size, sizeof(double));
    return m;
}

void ts_modes_free(ts_modes *m) {
    if (!m) return;
    free(m->mode), free(m->shape), free(m->quarter);
    free(m);
}

static void put_shape(const ts_system *system, const double *phi, double *shape) {
    for (int n = 0; n < system->model->nodes_count; n++) {
        int dof = system->node_dof[n];
        if (dof < 0) continue;
        v3_store(shape + 6 * n, v3_load(phi + dof));
        v3_store(shape + 6 * n + 3, ts_node_turn(system, n, phi + dof));
    }
}

/* Rotations count by the length that a quarter of the model would sweep. */
static int largest_component(const ts_system *system, const double *a, const double *b) {
    int best = 0;
    double most = -1;
    for (int n = 0; n < system->model->nodes_count; n++) {
        int dof = system->node_dof[n], nd = ts_node_dofs(&system->model->nodes[n]);
        for (int i = 0; dof >= 0 && i < nd; i++) {
            double size = hypot(a[dof + i], b ? b[dof + i] : 0);
            if (i >= 3) size *= 0.25 * system->length;
            if (size > most * (1 + 1e-6)) most = size, best = dof + i;
        }
    }
    return best;
}

static void set_sign(const ts_system *system, int dofs, double *phi) {
    if (phi[largest_component(system, phi, NULL)] > 0) return;
    for (int i = 0; i < dofs; i++) phi[i] = -phi[i];
}

/* Unit mass, and the largest component real and positive. */
static void set_phase(const ts_system *system, ts_search *s, int dofs, double *a, double *b) {
    int at = largest_component(system, a, b);
    const double *M = s->x->M;
    double m = ts_pencil_form(&s->p, M, a, a) + ts_pencil_form(&s->p, M, b, b);
    double size = hypot(a[at], b[at]), scale = m > 0 ? 1 / sqrt(m) : 1;
    double c = size > 0 ? scale * a[at] / size : scale, d = size > 0 ? scale * b[at] / size : 0;
    for (int i = 0; i < dofs; i++) {
        double re = a[i], im = b[i];
        a[i] = c * re + d * im, b[i] = c * im - d * re;
    }
}

typedef struct ranked {
    double key, second;
    int index;
} ranked;

static int by_key(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->second != y->second ? (x->second < y->second ? -1 : 1) : x->index - y->index;
}

static void set_real_mode(ts_mode *mode, double square, double noise) {
    *mode = (ts_mode){.rigid = fabs(square) <= noise};
    if (mode->rigid) return;
    if (square > 0)
        mode->frequency = sqrt(square);
    else
        mode->growth = sqrt(-square), mode->damping = -1;
}

static ts_modes *real_modes(const ts_system *system, const ts_linear_model *x, ts_found *e,
                            int count) {
    ts_modes *m = modes_new(system, count, false);
    for (; m->count < e->count && m->count < count; m->count++) {
        double *phi = e->phi + (size_t)m->count * (size_t)x->dofs;
        set_real_mode(&m->mode[m->count], e->re[m->count], e->noise[m->count]);
        set_sign(system, x->dofs, phi);
        put_shape(system, phi, m->shape + (size_t)m->count * (size_t)m->nodes * 6);
    }
    return m;
}

/* One of each pair by the size of lambda, free motions first; without damping, one of lambda and
 * -lambda. */
static int rank_pairs(const ts_found *e, ranked *order) {
    int found = 0;
    for (int i = 0; i < e->count; i++) {
        if (!isfinite(e->re[i])) continue;
        double size = hypot(e->re[i], e->im[i]);
        bool twin = e->twins && e->im[i] == 0 && e->re[i] < 0;
        if (!twin) order[found++] = (ranked){size, e->re[i], i};
        if (e->im[i] != 0) i++; /* its conjugate stands behind it */
    }
    qsort(order, (size_t)found, sizeof *order, by_key);
    return found;
}

/* lambda^2 + d lambda + k = 0: round-off of k changes lambda by its share of |2 lambda + d|. */
static void set_complex_mode(ts_mode *mode, double re, double im, double noise, double d) {
    double size = hypot(re, im);
    *mode = (ts_mode){.rigid = size * (size + d) <= 10 * noise};
    if (mode->rigid) return;
    /* round-off of K is one of lambda^2: no reason to call a mode unstable */
    bool real = re > fmax(STILL * size, noise / size) || re < -STILL * size;
    mode->frequency = fabs(im);
    mode->growth = real ? re : 0;
    mode->damping = mode->growth == 0 ? 0 : -mode->growth / size;
}

/* A real lambda that round-off could have made, right behind another: the two are one free motion,
 * at rest and at speed. */
static bool is_second_zero(const ts_modes *m, const ts_found *e, int i) {
    return m->count > e->zeros && e->im[i] == 0 && m->mode[m->count].rigid &&
           m->mode[m->count - 1].rigid;
}

static ts_modes *complex_modes(const ts_system *system, ts_search *s, const ts_linear_model *x,
                               ts_found *e, int count) {
    int dofs = x->dofs;
    ranked *order = ts_calloc((size_t)e->count + 1, sizeof *order);
    double *zero = ts_calloc((size_t)dofs + 1, sizeof *zero);
    int found = rank_pairs(e, order);
    ts_modes *m = modes_new(system, count, true);
    for (int k = 0; k < found && m->count < count; k++) {
        int i = order[k].index;
        double *a = e->phi + (size_t)i * (size_t)dofs, *b = e->im[i] != 0 ? a + dofs : zero;
        memset(zero, 0, (size_t)dofs * sizeof(double));
        for (int j = 0; j < dofs && e->im[i] < 0; j++) b[j] = -b[j];
        set_phase(system, s, dofs, a, b);
        double noise = ts_pencil_noise(&s->p, a) + ts_pencil_noise(&s->p, b);
        double d = ts_pencil_size(&s->p, x->D, a) + ts_pencil_size(&s->p, x->D, b);
        set_complex_mode(&m->mode[m->count], e->re[i], e->im[i], noise, d);
        if (is_second_zero(m, e, i)) continue;
        size_t at = (size_t)m->count * (size_t)m->nodes * 6;
        put_shape(system, a, m->shape + at);
        put_shape(system, b, m->quarter + at);
        m->count++;
    }
    free(order), free(zero);
    return m;
}

/* ---- equilibrium ---- */

/* How far away it is, by one step of Newton's method. */
static int imbalance(const ts_system *system, const ts_linear_model *x, double *out) {
    double *delta = ts_calloc((size_t)x->n + 1, sizeof *delta);
    memcpy(delta, x->force, (size_t)x->dofs * sizeof(double));
    int code = ts_solve_shifted(x, delta);
    *out = INFINITY;
    if (!code) {
        *out = 0;
        for (int n = 0; n < system->model->nodes_count; n++) {
            int dof = system->node_dof[n];
            if (dof < 0) continue;
            *out = fmax(*out, v3_norm(v3_load(delta + dof)) / system->length);
            *out = fmax(*out, v3_norm(ts_node_turn(system, n, delta + dof)));
        }
    }
    free(delta);
    return code;
}

static int load_up(ts_system *system, const ts_options *o) {
    ts_rest(system);
    return ts_load_up(system, o, &TS_SCHEME_TURNING, o->settle > 0 ? o->settle : INCREMENTS);
}

static int check_spin(const ts_system *system, const ts_modal_options *modal) {
    v3 g = system->model->gravity, turned = v3_cross(modal->spin, g);
    if (v3_norm(turned) > 1e-9 * v3_norm(modal->spin) * v3_norm(g))
        return ts_fail(TORSOR_EINVAL,
                       "gravity is not along the axis of rotation: there is no steady state");
    return 0;
}

/* Linearises where it is; if that is no equilibrium, looks for one and linearises there. */
static int linearise(ts_linear_model *x, ts_system *system, const ts_options *o,
                     const ts_modal_options *modal, bool spin, bool *settled, double *gap) {
    v3 none = {0, 0, 0}, w = spin ? modal->spin : none;
    int code = ts_linearise(x, system, w, modal->about);
    if (!code && spin) code = ts_check_rotor(x, system, w, modal->about);
    if (!code) code = imbalance(system, x, gap);
    /* a stiff part carries its loads without moving: forces count too, unless they have been
     * balanced before */
    bool balanced = (!spin && (o->statics || o->settle)) || x->left <= FORCE_LEFT * x->external ||
                    x->external == 0;
    if (code || modal->as_drawn || (balanced && *gap <= IMBALANCE)) return code;
    ts_linear_free(x);
    *settled = true;
    code = spin ? ts_go_downhill(system, o, w, modal->about) : load_up(system, o);
    if (code) {
        char why[400];
        snprintf(why, sizeof why, "%s", ts_error_message());
        return ts_fail(
            code,
            "no equilibrium was found (use --as-drawn for modes about the state as drawn): %s",
            why);
    }
    if (!code) code = ts_linearise(x, system, w, modal->about);
    if (!code) code = imbalance(system, x, gap);
    if (!code && *gap > IMBALANCE)
        code = ts_fail(TORSOR_EDIVERGED,
                       "no equilibrium was found: the state would still move by %.2g of its size",
                       *gap);
    return code;
}

static int prepare(ts_linear_model *x, ts_system *system, const ts_options *o,
                   const ts_modal_options *modal, bool *settled, double *gap) {
    bool spin = v3_norm(modal->spin) > 0;
    int code = check_spin(system, modal);
    if (!code && o->statics) code = ts_run(system, o, NULL, NULL);
    if (code) return code;
    ts_rest(system);
    /* the loads are applied together with the rotation, unless the analysis applies them before */
    bool still = !spin || (!modal->as_drawn && (o->statics || o->settle));
    if (still) code = linearise(x, system, o, modal, false, settled, gap);
    if (code || !spin) return code;
    ts_linear_free(x);
    return linearise(x, system, o, modal, true, settled, gap);
}

/* Momentum of a mode at unit rate: what it takes up of a motion of the ground. */
static v3 momentum(const ts_system *system, const double *shape) {
    v3 sum = {0, 0, 0};
    for (int n = 0; n < system->model->nodes_count; n++) {
        const ts_node *node = &system->model->nodes[n];
        if (system->node_dof[n] < 0) continue;
        v3 psi = v3_load(shape + 6 * n + 3);
        sum = v3_axpy(node->mass[0][0], v3_load(shape + 6 * n), sum);
        for (int k = 1; k < node->slots; k++)
            sum = v3_axpy(node->mass[0][k],
                          v3_cross(psi, v3_load(system->state.q + 3 * (node->slot + k))), sum);
    }
    return sum;
}

/* The square of the momentum of a mode of unit mass, component by component; over all modes they
 * add up to the mass. */
static void set_effective(const ts_system *system, ts_modes *m) {
    for (int n = 0; n < m->nodes; n++)
        if (system->node_dof[n] >= 0) m->mass += system->model->nodes[n].mass[0][0];
    for (int i = 0; i < m->count && !m->quarter; i++) {
        v3 p = momentum(system, m->shape + (size_t)i * (size_t)m->nodes * 6);
        m->mode[i].effective = v3_make(p.x * p.x, p.y * p.y, p.z * p.z);
    }
}

static int search(ts_modes **out, const ts_system *system, const ts_linear_model *x,
                  const ts_modal_options *modal, double gap) {
    ts_search *s;
    ts_found e = {0};
    bool real = x->symmetric && !x->damped;
    int code = ts_search_new(&s, x, system, modal, gap), first = 0;
    if (!code)
        code = real ? ts_search_symmetric(s, modal->modes + TS_SEARCH_SPARE, &e)
                    : ts_search_general(s, modal->modes, &e);
    while (!code && real && first < e.count && e.re[first] < -e.noise[first]) first++;
    if (!code) {
        int held = e.count - first < e.zeros ? e.count - first : e.zeros;
        ts_motion_simplify(system, &s->p, held, e.phi + (size_t)first * (size_t)x->dofs);
        *out = real ? real_modes(system, x, &e, modal->modes)
                    : complex_modes(system, s, x, &e, modal->modes);
        (*out)->free_motions = e.zeros;
    }
    ts_found_free(&e);
    ts_search_free(s);
    return code;
}

/* A state whose rate does not depend on its value stays wherever it is: a closed cylinder. */
static int blame_state(const ts_model *model, int code) {
    if (code != TORSOR_ESINGULAR) return code;
    for (int n = 0; n < model->nodes_count; n++)
        if (model->nodes[n].variable)
            return ts_fail(
                code,
                "the linear equations are singular. The model has states ('%s'): a state whose "
                "rate does not depend on its own value, such as the pressure of a closed cylinder, "
                "has no equilibrium. Give it a leakage, or replace it by a spring",
                model->parts[model->nodes[n].part].name);
    return code;
}

int ts_modes_find(ts_modes **out, ts_system *system, const ts_options *o,
                  const ts_modal_options *modal) {
    *out = NULL;
    ts_linear_model x = {0};
    bool settled = false;
    double gap = 0;
    int code = prepare(&x, system, o, modal, &settled, &gap);
    if (!code) code = search(out, system, &x, modal, gap);
    if (*out) {
        set_effective(system, *out);
        (*out)->settled = settled, (*out)->imbalance = gap;
        (*out)->spin = modal->spin, (*out)->about = modal->about;
    }
    ts_linear_free(&x);
    return blame_state(system->model, code);
}

/* ---- buckling ---- */

/* (K + f (what the loads add)) phi = 0: theta = 1/f are the eigenvalues of -K^-1 (what they
 * add). */
static ts_modes *buckling_modes(const ts_system *system, const ts_linear_model *x, ts_found *e,
                                int count) {
    ranked *order = ts_calloc((size_t)e->count + 1, sizeof *order);
    double largest = 0;
    int found = 0;
    for (int i = 0; i < e->count; i++) largest = fmax(largest, fabs(e->re[i]));
    for (int i = 0; i < e->count; i++)
        if (fabs(e->im[i]) <= 1e-6 * fabs(e->re[i]) && fabs(e->re[i]) > 1e-12 * largest)
            order[found++] = (ranked){1 / fabs(e->re[i]), -e->re[i], i};
    qsort(order, (size_t)found, sizeof *order, by_key);
    ts_modes *m = modes_new(system, count, false);
    for (; m->count < found && m->count < count; m->count++) {
        int i = order[m->count].index;
        double *phi = e->phi + (size_t)i * (size_t)x->dofs;
        set_sign(system, x->dofs, phi);
        double most = fabs(phi[largest_component(system, phi, NULL)]);
        for (int k = 0; k < x->dofs && most > 0; k++) phi[k] /= most;
        m->mode[m->count].factor = 1 / e->re[i];
        put_shape(system, phi, m->shape + (size_t)m->count * (size_t)m->nodes * 6);
    }
    free(order);
    return m;
}

int ts_buckling_find(ts_modes **out, ts_system *system, const ts_options *o,
                     const ts_modal_options *modal) {
    ts_linear_model x = {0};
    *out = NULL;
    if (o->statics) system->state.t = o->t_end; /* the loads at the end of the analysis */
    ts_rest(system);
    int code = ts_linearise_loads(&x, system);
    if (!code) {
        ts_search *s;
        ts_found e = {0};
        code = ts_search_new(&s, &x, system, modal, 0);
        if (!code) code = ts_search_buckling(s, modal->modes, &e);
        if (!code) *out = buckling_modes(system, &x, &e, modal->modes);
        ts_found_free(&e);
        ts_search_free(s);
    }
    ts_linear_free(&x);
    return code;
}
