/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs with sides of many nodes: skins, surfaces, lines. In any step the forces on the slots of
 * nodes do the work of the energies, keep linear momentum, keep angular momentum, and have the
 * slopes that differences show. */
#include "base/memory.h"
#include "contact/touching.h"
#include "math/rotation.h"
#include "scene.h"

#define BALL "bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: [0.4, 0.45, 0.12]}}\n"
#define SHELL                                                                          \
    "materials: {M: {E: 2 MPa, nu: 0.3, density: 1000}}\n"                             \
    "shell_sections: {T: {type: shell, material: M, thickness: 0.02}}\n"               \
    "meshes:\n  q: {type: plate, size: [1, 1], divisions: [3, 3]}\n"                   \
    "  r: {type: patch, x: u, y: v, z: 0.11 + 0.1*u*v, divisions: [2, 3], order: 2}\n" \
    "shells:\n  H: {mesh: q, section: T}\n  I: {mesh: r, section: T}\n"
#define BEAMS                                                                                  \
    "sections: {S: {EA: 1, GA2: 1, GA3: 1, GJ: 1, EI2: 1, EI3: 1, mass: 1}}\n"                 \
    "beams:\n"                                                                                 \
    "  a: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: 3, order: 1, axis2: y}\n"     \
    "  b: {from: [0.5, -0.5, 0.12], to: [0.5, 0.5, 0.12], section: S, elements: 2, order: 2, " \
    "axis2: z}\n"
#define CABLES                                                             \
    "cables:\n"                                                            \
    "  a: {from: [0, 0, 0], to: [1, 0, 0], EA: 1, mass: 1, elements: 3}\n" \
    "  b: {from: [0.5, -0.5, 0.12], to: [0.5, 0.5, 0.12], EA: 1, mass: 1, elements: 2}\n"
#define LAW "stiffness: 100, restitution: 0.7, friction: 0.4"

typedef struct trial {
    const char *name, *text;
    bool moments; /* are angular momenta kept with friction, too? */
} trial;

static const trial TRIALS[] = {
    {"sphere on skin",
     SCENE_HEAD BALL SHELL "shapes:\n  s: {type: sphere, on: ball, radius: 0.15}\n"
                           "  h: {type: skin, faces: H}\n"
                           "contacts: {c: {between: [s, h], initial: accept, " LAW "}}\n",
     true},
    {"box on skin",
     SCENE_HEAD BALL SHELL "shapes:\n  s: {type: box, on: ball, size: [0.3, 0.2, 0.25]}\n"
                           "  h: {type: skin, faces: H, thickness: 0.05}\n"
                           "contacts: {c: {between: [s, h], initial: accept, " LAW "}}\n",
     true},
    {"ball on surface of a body",
     SCENE_HEAD SHELL
     "bodies:\n  ball: {mass: 1, inertia: [1, 1, 1], position: [0.4, 0.45, 0.12]}\n"
     "  bowl: {mass: 1, inertia: [1, 1, 1]}\n"
     "shapes:\n  s: {type: sphere, on: ball, radius: 0.15}\n"
     "  h: {type: surface, on: bowl, mesh: q}\n"
     "contacts: {c: {between: [s, h], initial: accept, " LAW "}}\n",
     true},
    {"skin on skin",
     SCENE_HEAD SHELL "shapes:\n  i: {type: skin, faces: I, thickness: 0.1}\n"
                      "  h: {type: skin, faces: H, thickness: 0.1}\n"
                      "contacts: {c: {between: [i, h], initial: accept, " LAW "}}\n",
     true},
    {"line on line",
     SCENE_HEAD BEAMS "shapes:\n  i: {type: line, beam: a, radius: 0.07}\n"
                      "  h: {type: line, beam: b, radius: 0.07}\n"
                      "contacts: {c: {between: [i, h], initial: accept, " LAW "}}\n",
     true},
    {"line and skin",
     SCENE_HEAD SHELL BEAMS "shapes:\n  i: {type: line, beam: b, radius: 0.07}\n"
                            "  h: {type: skin, faces: H, thickness: 0.1}\n"
                            "contacts: {c: {between: [i, h], initial: accept, " LAW "}}\n",
     true},
    {"cable on cable", /* which do not turn about themselves */
     SCENE_HEAD CABLES "shapes:\n  i: {type: line, cable: a, radius: 0.07}\n"
                       "  h: {type: line, cable: b, radius: 0.07}\n"
                       "contacts: {c: {between: [i, h], initial: accept, " LAW "}}\n",
     false},
    {"line on capsule",
     SCENE_HEAD BALL BEAMS
     "shapes:\n  i: {type: line, beam: a, radius: 0.07}\n"
     "  h: {type: capsule, on: ball, from: [0.3, -0.3, 0.1], to: [0.4, 0.4, 0.1], radius: 0.06}\n"
     "contacts: {c: {between: [i, h], initial: accept, length_stiffness: 100, friction: 0.4}}\n",
     true},
};

/* A step of a model from q by dq, and a pair of it. */
typedef struct drawn {
    const ts_model *model;
    const ts_near *near;
    double *q, *dq;
    ts_contact_law law;
    ts_contact_step x;
} drawn;

static bool evaluate(drawn *d, double *q, double *dq) {
    v3 origin;
    if (!ts_pair_over(d->model, d->near, q, dq, &d->x, &origin)) return false;
    d->x.law = &d->law, d->x.h = 0.1;
    d->x.before = (ts_contact_memory){.z = {0.004, -0.003, 0.002}, .approach = 0.3};
    ts_contact_over(&d->x);
    return d->x.normal < 0;
}

/* Frames turn, other slots go anywhere. */
static void stir(const ts_model *model, const double *q, double size, double *out) {
    for (int i = 0; i < 3 * model->slots; i++) out[i] = size * chance();
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        double *at = out + 3 * node->slot;
        if (node->fixed) memset(at, 0, (size_t)(3 * node->slots) * sizeof *at);
        if (node->kind != TS_NODE_FRAME || node->fixed) continue;
        m3 D = m3_load(q + 3 * node->slot + 3), turned;
        turned = m3_mul(so3_exp(v3_scale(size, chance_vector())), D);
        m3_store(at + 3, m3_sub(turned, D));
    }
}

static void check_balance(const drawn *d, const trial *t) {
    const ts_contact_step *x = &d->x;
    double work = 0, size = 0;
    v3 force = {0, 0, 0}, moment = {0, 0, 0};
    for (int n = 0; n < d->near->nodes; n++) {
        const ts_node *node = &d->model->nodes[d->near->node[n]];
        v3 F[4] = {{0, 0, 0}};
        ts_pair_forces(d->model, d->near, x, d->near->node[n], F);
        force = v3_add(force, F[0]), size += v3_norm(F[0]);
        for (int k = 0; k < node->slots; k++) {
            v3 move = v3_load(d->dq + 3 * (node->slot + k));
            v3 mean = v3_axpy(0.5, move, v3_load(d->q + 3 * (node->slot + k)));
            work += v3_dot(F[k], move);
            moment = v3_add(moment, v3_cross(mean, F[k]));
        }
    }
    double before = ts_contact_energy(&d->law, x->gap.start, &x->before);
    double change = x->stored - before + x->lost + x->rubbed, sum = before + x->stored + x->lost;
    if (!(fabs(work - change) < 1e-13 * (sum + size)))
        fail_msg("%s: work %.17g, energies %.17g", t->name, work, change);
    assert_below("force left over", v3_norm(force), 1e-13 * size);
    if (t->moments) assert_below("moment left over", v3_norm(moment), 1e-13 * size);
}

/* All forces of the pair, node by node. */
static int all_forces(const drawn *d, v3 *F) {
    for (int n = 0; n < d->near->nodes; n++) {
        for (int k = 0; k < 4; k++) F[4 * n + k] = v3_make(0, 0, 0);
        ts_pair_forces(d->model, d->near, &d->x, d->near->node[n], F + 4 * n);
    }
    return 4 * d->near->nodes;
}

static double worst_slope;

/* A node's place or directors move at the end of the step; differences of fourth order. */
static void check_slope(drawn *d, int node, int unknown) {
    enum { MOST = 4 * TS_NEAR_NODES };
    static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
    v3 F[MOST], slope[MOST] = {{0, 0, 0}}, exact[MOST] = {{0, 0, 0}};
    const ts_node *moved = &d->model->nodes[node];
    double *end = d->dq + 3 * moved->slot, kept[12], by = 1e-5, size = 0;
    m3 D = m3_identity(), dD = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    v3 dx = {0, 0, 0};
    if (unknown < 3) dx = v3_axis(unknown);
    if (unknown >= 3) D = m3_add(m3_load(d->q + 3 * moved->slot + 3), m3_load(end + 3));
    if (unknown >= 3) dD = m3_cross(v3_axis(unknown - 3), D);
    memcpy(kept, end, (size_t)(3 * moved->slots) * sizeof *kept);
    for (int i = 0; i < 4; i++) {
        v3_store(end, v3_axpy(by * at[i], dx, v3_load(kept)));
        if (unknown >= 3) m3_store(end + 3, m3_axpy(by * at[i], dD, m3_load(kept + 3)));
        if (!evaluate(d, d->q, d->dq)) F[0].x = NAN;
        int count = all_forces(d, F);
        for (int k = 0; k < count; k++) slope[k] = v3_axpy(weight[i] / (12 * by), F[k], slope[k]);
    }
    memcpy(end, kept, (size_t)(3 * moved->slots) * sizeof *kept);
    ts_contact_motion motion;
    ts_contact_change change;
    evaluate(d, d->q, d->dq);
    ts_pair_motion(d->model, d->near, &d->x, node, dx, dD, &motion);
    ts_contact_moved(&d->x, &motion, &change);
    double error = 0;
    for (int n = 0; n < d->near->nodes; n++) {
        ts_pair_force_changes(d->model, d->near, &d->x, &change, d->near->node[n], exact + 4 * n);
        for (int k = 0; k < 4; k++) {
            size = fmax(size, v3_norm(exact[4 * n + k]));
            error = fmax(error, v3_norm(v3_sub(exact[4 * n + k], slope[4 * n + k])));
        }
    }
    worst_slope = fmax(worst_slope, error / (1 + size));
}

static bool smooth; /* no kink near by, as far as the last slopes tell */

static void check_slopes(drawn *d) {
    worst_slope = 0;
    for (int n = 0; n < d->near->nodes; n++) {
        const ts_node *node = &d->model->nodes[d->near->node[n]];
        if (node->fixed) continue;
        for (int k = 0; k < (node->kind == TS_NODE_FRAME ? 6 : 3); k++)
            check_slope(d, d->near->node[n], k);
    }
    smooth = worst_slope < 1e-5;
}

static void one_trial(const trial *t) {
    scene s;
    int tried = 0, smooths = 0;
    scene_open(&s, t->text, "EP", 0);
    size_t ambient = (size_t)(3 * s.model->slots);
    double *q = ts_calloc(ambient, sizeof *q), *dq = ts_calloc(ambient, sizeof *dq);
    ts_neighbours near;
    ts_neighbours_new(&near, s.model);
    for (int round = 0; round < 40; round++) {
        stir(s.model, s.system->state.q, 0.03, q);
        for (size_t i = 0; i < ambient; i++) q[i] += s.system->state.q[i];
        stir(s.model, q, round % 2 ? 0.005 : 0.03, dq);
        ts_neighbours_pairs(&near, q, dq);
        for (int i = 0; i < near.count; i++) {
            drawn d = {.model = s.model, .near = &near.near[i], .q = q, .dq = dq};
            d.law = ts_pair_law(s.model, d.near);
            if (!evaluate(&d, q, dq)) continue;
            check_balance(&d, t);
            check_slopes(&d);
            tried++, smooths += smooth;
        }
    }
    measured(t->name, "EP", tried, (double)smooths / tried);
    if (tried < 20 || smooths < 0.9 * tried)
        fail_msg("%s: %d of %d pairs have their slopes", t->name, smooths, tried);
    ts_neighbours_clear(&near);
    free(q), free(dq);
    scene_close(&s);
}

static void steps_keep(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof TRIALS / sizeof *TRIALS; i++) one_trial(&TRIALS[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_keep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
