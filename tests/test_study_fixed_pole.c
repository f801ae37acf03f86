/* SPDX-License-Identifier: Apache-2.0 */
/* S0's schemes on SE(3): the fixed-pole EP and ED and the Runge-Kutta family. What they keep, what
 * they do not, and their orders.
 *
 * Numbers of single motions come from an independent program of the same equations (Python,
 * matrices of 6 x 6, complex steps for its tangent), written before torsor had these schemes; see
 * ORACLE.
 */
#include "scenes.h"

#include "study/study.h"

typedef struct member {
    const char *scheme;
    double rho;
    const char *parameters;
} member;

static void open_member(scene *s, const char *text, member m) {
    scene_read(s, text);
    ts_step_options options = scene_options(m.scheme, m.rho);
    scene_parameters(&options, m.scheme, m.parameters);
    scene_begin(s, m.scheme, options);
}

static const member KEEPERS[] = {{"FP-EP", 0, NULL},
                                 {"FP-EP", 0, "map=cayley"},
                                 {"FP-ED", 0, NULL},
                                 {"FP-ED", 0.5, NULL},
                                 {"FP-ED", 1, NULL},
                                 {"FP-ED", 0.5, "map=cayley"},
                                 {"FP-ED", 0, "conditions=printed"},
                                 {"FP-ED", 0.5, "map=cayley conditions=printed"}};
static const member RUNGE_KUTTA[] = {
    {"RK-trapezoidal", 0, NULL}, {"RK-radau3", 0, NULL}, {"RK-radau5", 0, NULL}};
#define COUNT(list) (int)(sizeof(list) / sizeof *(list))

/* ---- the maps ---- */

static v6 chance_six(double size) {
    return v6_scale(size, v6_make(chance_vector(), chance_vector()));
}

static double apart(v6 a, v6 b) { return sqrt(v6_dot(v6_sub(a, b), v6_sub(a, b))); }

/* D X - X = rho + phi x (Dbar X), and Ad(D) v = v */
static void check_map(v6 v, pose D, pose mean) {
    v3 X = chance_vector(), d = chance_vector();
    v3 moved = v3_add(D.x, m3_apply(D.R, X)), average = v3_add(mean.x, m3_apply(mean.R, X));
    v3 gap = v3_sub(v3_sub(moved, X), v3_add(v.v, v3_cross(v.w, average)));
    assert_below("points", v3_norm(gap), 1e-14);
    gap = v3_sub(v3_sub(m3_apply(D.R, d), d), v3_cross(v.w, m3_apply(mean.R, d)));
    assert_below("directions", v3_norm(gap), 1e-14);
    assert_below("eigenvector", apart(ts_se3_Ad(D, v), v), 1e-14);
}

static void both_maps_keep_their_screw(void **state) {
    (void)state;
    for (int k = 0; k < 100; k++) {
        v6 v = chance_six(k % 2 ? 1.3 : 1e-4);
        pose exp = ts_se3_exp(v), cayley = ts_se3_cayley(v);
        check_map(v, exp, ts_se3_exp_mean(v));
        pose mean = {v3_scale(0.5, cayley.x), m3_scale(0.5, m3_add(m3_identity(), cayley.R))};
        check_map(v, cayley, mean);
        v6 back = ts_se3_cayley_inverse(cayley.x, ts_quat_from_matrix(cayley.R));
        assert_below("inverse", apart(back, v), 1e-14);
    }
}

/* ---- single motions: a body alone, or two with a joint, 25 steps of 20 ms ---- */

#define PAIR_P                                                                                   \
    "  p: {mass: 1, inertia: [0.05, 0.06, 0.07], centre: [0.1, 0, 0.05], velocity: [0.1, -0.2, " \
    "0.3], angular_velocity: [0.4, -0.3, 0.6]}\n"
#define PAIR_Q(motion)                                                                      \
    "  q: {mass: 1.5, inertia: [0.03, 0.02, 0.04], centre: [0, 0.05, -0.1], position: [1, " \
    "0.2, 0.3], orientation: {axis: [0.3, 0.2, -0.4], angle: sqrt(0.29)}, " motion "}\n"
#define LOOSE "velocity: [0.64, -0.77, -0.22], angular_velocity: [1.4, 1.7, -0.9]"
#define TURNING "velocity: [-0.31, 1.28, 0.68], angular_velocity: [0.4, -0.3, 2.6]"

static const char ALONE[] = SCENE_HEAD BODIES PAIR_Q(LOOSE);
static const char SPHERICAL[] = SCENE_HEAD BODIES PAIR_P PAIR_Q(LOOSE) JOINTS
    "  j: {type: spherical, bodies: [p, q], at: [0.5, 0.1, 0]}\n";
static const char REVOLUTE[] = SCENE_HEAD BODIES PAIR_P PAIR_Q(TURNING) JOINTS
    "  j: {type: revolute, bodies: [p, q], at: [0.5, 0.1, 0], axis: z}\n";

#define CAYLEY "map=cayley"
#define CAYLEY_PRINTED "map=cayley conditions=printed"

static const struct {
    const char *text;
    member m;
    v3 position, velocity, omega; /* of q */
} ORACLE[] = {
    {ALONE,
     {"FP-EP", 0, NULL},
     {1.26901669546301, -0.163889639812329, 0.163953388323414},
     {0.444866167985873, -0.646886069481001, -0.277396913867983},
     {1.63586407314718, 1.12883814121265, -1.23527244963721}},
    {ALONE,
     {"FP-ED", 0, NULL},
     {1.26894417223609, -0.163889890470822, 0.163823508841326},
     {0.444589751354193, -0.646538186172708, -0.277231153677824},
     {1.63495302272858, 1.12803974877059, -1.2363433505043}},
    {ALONE,
     {"FP-ED", 0.5, NULL},
     {1.26894329611641, -0.16389024695213, 0.163814573435502},
     {0.444580284537077, -0.646530235607639, -0.277250022535479},
     {1.63514470307528, 1.12815504660926, -1.23637924674344}},
    {ALONE,
     {"FP-EP", 0, CAYLEY},
     {1.26897908315831, -0.16382796905128, 0.163976989599711},
     {0.444908449010198, -0.646931449552519, -0.277427977056932},
     {1.6360275099497, 1.12898594255239, -1.23502149257785}},
    {ALONE,
     {"FP-ED", 0, CAYLEY},
     {1.26890652186186, -0.163828064972924, 0.163847193402369},
     {0.444632217568756, -0.64658384828711, -0.277262540383116},
     {1.63511817536694, 1.12818836605356, -1.23609067637204}},
    {ALONE,
     {"RK-radau3", 0, NULL},
     {1.26911131122608, -0.164014812325638, 0.163938705744462},
     {0.444836858836745, -0.6468766313613, -0.277362605704582},
     {1.63559581496862, 1.12867152910282, -1.23559256349418}},
    {SPHERICAL,
     {"FP-EP", 0, CAYLEY},
     {1.17046944306277, -0.173207130349706, 0.147076339773973},
     {0.0859633127715144, -0.652978670964616, -0.302044750202658},
     {1.59165489652115, 1.05781332066511, -1.2892453008111}},
    {SPHERICAL,
     {"FP-ED", 0, CAYLEY},
     {1.17040572819956, -0.173216293251247, 0.146945434341972},
     {0.0857159226930683, -0.652718814450981, -0.301898730430477},
     {1.59106632491932, 1.05740378725893, -1.2894651916834}},
    {SPHERICAL,
     {"FP-ED", 0.5, CAYLEY},
     {1.17040401503608, -0.173215213577528, 0.146941085470075},
     {0.0857661157656344, -0.652732440787656, -0.30192939106117},
     {1.59134196070932, 1.05761973411564, -1.28934714277505}},
    {SPHERICAL,
     {"FP-ED", 0, CAYLEY_PRINTED},
     {1.17099701567314, -0.173211298889748, 0.147678721510589},
     {0.0940024567999841, -0.654923503233906, -0.301158993782733},
     {1.57434848321918, 1.02669700094577, -1.2749923026814}},
    {SPHERICAL,
     {"RK-radau3", 0, NULL},
     {1.17050040998214, -0.173349592654948, 0.147054052229716},
     {0.0857094839174766, -0.652884235912039, -0.301868725676866},
     {1.59054509956271, 1.05732780227121, -1.28904908521185}},
    {REVOLUTE,
     {"FP-EP", 0, CAYLEY},
     {0.710059456903101, 0.80819437404065, 0.625260543398966},
     {-0.78263616220517, 1.07884245177845, 0.610617712738632},
     {0.026455518187808, -0.210320109550051, 1.57566856110003}},
    {REVOLUTE,
     {"FP-ED", 0.5, CAYLEY},
     {0.710049113746763, 0.8082493854452, 0.625243929544732},
     {-0.782597818614741, 1.07889896438733, 0.610631101041787},
     {0.0261523976495348, -0.210477165149296, 1.57474648347352}},
    {REVOLUTE,
     {"FP-ED", 0.5, CAYLEY_PRINTED},
     {0.710132143899602, 0.808239256731976, 0.625267490470375},
     {-0.781456540648461, 1.07984103692658, 0.611003407690887},
     {0.0258838676543071, -0.212512068434569, 1.58034774653603}},
    {REVOLUTE,
     {"RK-radau3", 0, NULL},
     {0.709849071835966, 0.808431294125764, 0.625339370226842},
     {-0.782798472700398, 1.07880315468965, 0.610736561586877},
     {0.0255402167337456, -0.212315257099388, 1.57459414395577}},
};

static v3 scene_omega(const scene *s, const char *body) {
    return ts_node_omega(s->system, s->model->parts[scene_part(s, body)].node);
}

static double distance(v3 a, v3 b) { return v3_norm(v3_sub(a, b)); }

static void motions_are_those_of_another_program(void **state) {
    (void)state;
    for (int k = 0; k < COUNT(ORACLE); k++) {
        scene s;
        open_member(&s, ORACLE[k].text, ORACLE[k].m);
        for (int n = 0; n < 25; n++) scene_step(&s, 0.02);
        double worst = fmax(distance(scene_position(&s, "q"), ORACLE[k].position),
                            distance(scene_velocity(&s, "q"), ORACLE[k].velocity));
        worst = fmax(worst, distance(scene_omega(&s, "q"), ORACLE[k].omega));
        measured("another program", ORACLE[k].m.scheme, ORACLE[k].m.rho, worst);
        assert_below(ORACLE[k].m.scheme, worst,
                     1e-11); // the other one stops at 1e-13 of its forces
        scene_close(&s);
    }
}

/* ---- energy and momenta ---- */

/* Two elements of three nodes, coupled section, damped, hinged to the ground and pulled. */
#define COUPLED                                                                         \
    "sections:\n"                                                                       \
    "  S: {EA: 3e3, GA2: 1e3, GA3: 1.2e3, GJ: 20, EI2: 30, EI3: 25, mass: 2, inertia: " \
    "[0.03, 0.02, 0.015], mass_centre: [0.02, 0.01], tension_centre: [0.01, -0.02]}\n"  \
    "beams:\n"                                                                          \
    "  arm: {from: [0, 0, 0], to: [1, 0.5, 0.4], section: S, elements: 2, order: 2}\n"
static const char BEAM[] = SCENE_HEAD GRAVITY COUPLED
    "joints: {hinge: {type: revolute, bodies: [ground, arm.start], at: [0, 0, 0], axis: y}}\n"
    "loads: {pull: {type: force, body: arm.end, force: [0, 3*sin(4*t), 2]}}\n";
/* The coupled beam in free flight, with a body on a ball joint that starts to turn. */
static const char FLYING[] = SCENE_HEAD COUPLED
    "bodies: {tip: {mass: 0.7, inertia: [0.03, 0.02, 0.04], position: [1.3, 0.6, 0.5], velocity: "
    "[0.3, -0.7, 0.3], angular_velocity: [3, 2, -1]}}\n"
    "joints: {ball: {type: spherical, bodies: [arm.end, tip], at: [1, 0.5, 0.4]}}\n";

static const struct {
    const char *name, *text;
    double h;
    int steps;
    bool rates;
} SCENES[] = {{"top", TOP, 2e-3, 40, false},       {"links", LINKS, 1e-2, 40, false},
              {"chain", CHAIN, 2e-3, 30, false},   {"driven", DRIVEN, 5e-3, 30, false},
              {"free", FREE, 1e-2, 30, false},     {"loop", LOOP, 5e-3, 30, false},
              {"beam", BEAM, 5e-3, 30, false},     {"flying", FLYING, 1e-2, 30, false},
              {"rolling", ROLLING, 5e-3, 30, true}};

/* The balance closes, and what the scheme takes is never negative; of EP it is nothing. */
static void energy_is_kept_or_falls_by_what_is_said(void **state) {
    (void)state;
    for (int k = 0; k < COUNT(SCENES); k++)
        for (int i = 0; i < COUNT(KEEPERS); i++) {
            const member *m = &KEEPERS[i];
            scene s;
            double worst = 0;
            open_member(&s, SCENES[k].text, *m);
            for (int n = 0; n < SCENES[k].steps; n++) {
                double before = s.system->ledger.algorithmic;
                scene_step(&s, SCENES[k].h);
                worst = fmax(worst, fabs(s.system->ledger.balance) / s.energy);
                assert_true(s.system->ledger.algorithmic >= before);
                if (m->scheme[3] == 'E' && m->scheme[4] == 'P')
                    assert_near(s.system->ledger.algorithmic, 0, 0);
            }
            measured(SCENES[k].name, m->scheme, m->rho, worst);
            assert_below(SCENES[k].name, worst, 3e-12);
            if (!SCENES[k].rates) assert_below("violation", scene_violation(&s), 1e-12);
            scene_close(&s);
        }
}

/* Largest change of linear and angular momentum, relative to their size. */
static double drift_of_momenta(const char *text, member m, double h, int steps) {
    scene s;
    v3 p0, l0, p, l;
    double worst = 0;
    open_member(&s, text, m);
    ts_momenta(s.system, &p0, &l0);
    for (int n = 0; n < steps; n++) {
        scene_step(&s, h);
        ts_momenta(s.system, &p, &l);
        worst = fmax(worst, distance(p, p0) / v3_norm(p0));
        worst = fmax(worst, distance(l, l0) / v3_norm(l0));
    }
    measured("momenta", m.scheme, m.rho, worst);
    scene_close(&s);
    return worst;
}

static void momenta_are_kept(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(KEEPERS) + COUNT(RUNGE_KUTTA); i++) {
        member m = i < COUNT(KEEPERS) ? KEEPERS[i] : RUNGE_KUTTA[i - COUNT(KEEPERS)];
        assert_below("alone", drift_of_momenta(ALONE, m, 0.05, 40), 1e-12);
        assert_below("free", drift_of_momenta(FREE, m, 1e-2, 30), 1e-11);
        assert_below("flying", drift_of_momenta(FLYING, m, 1e-2, 30), 1e-11);
    }
}

/* Newmark's method on SE(3) in body axes has no such luck: the test can tell. */
static void momenta_are_not_kept_by_others(void **state) {
    (void)state;
    assert_true(drift_of_momenta(ALONE, (member){"newmark", 0, NULL}, 0.05, 40) > 1e-6);
}

/* ---- orders ---- */

/* A soft beam on a hinge, all of whose frequencies the steps below resolve. */
static const char SOFT[] = SCENE_HEAD GRAVITY
    "sections: {S: {EA: 60, GA2: 40, GA3: 40, GJ: 2, EI2: 3, EI3: 2, mass: 2, inertia: [0.1, 0.06, "
    "0.04]}}\n"
    "beams: {arm: {from: [0, 0, 0], to: [1, 0.2, 0], section: S, elements: 2, order: 1}}\n"
    "joints: {hinge: {type: revolute, bodies: [ground, arm.start], at: [0, 0, 0], axis: y}}\n";

typedef struct outcome {
    v3 x, v;
} outcome;

/* Of the last node of the model. */
static outcome outcome_of(const char *text, member m, double end, int steps) {
    scene s;
    open_member(&s, text, m);
    for (int n = 0; n < steps; n++) scene_step(&s, end / steps);
    int at = 3 * s.model->nodes[s.model->nodes_count - 1].slot;
    outcome out = {v3_load(s.system->state.q + at), v3_load(s.system->state.v + at)};
    scene_close(&s);
    return out;
}

typedef struct orders {
    double position, velocity;
} orders;

static const member BEST = {"RK-radau5", 0, NULL};

static orders orders_of(const char *text, member m, double end, int steps, const outcome *exact) {
    outcome a = outcome_of(text, m, end, steps), b = outcome_of(text, m, end, 2 * steps);
    orders o = {log2(distance(a.x, exact->x) / distance(b.x, exact->x)),
                log2(distance(a.v, exact->v) / distance(b.v, exact->v))};
    if (getenv("TORSOR_TEST_VERBOSE"))
        fprintf(stderr, "    order %-14s %-20s rho %.1f: %.2f, %.2f; error %.1e, %.1e\n", m.scheme,
                m.parameters ? m.parameters : "", m.rho, o.position, o.velocity,
                distance(b.x, exact->x), distance(b.v, exact->v));
    return o;
}

typedef struct expected {
    member m;
    int steps;
    double position, velocity;
} expected;

static void check_orders(const char *text, double end, int best, const expected *list, int count) {
    outcome exact = outcome_of(text, BEST, end, best);
    for (int k = 0; k < count; k++) {
        orders o = orders_of(text, list[k].m, end, list[k].steps, &exact);
        assert_near(o.position, list[k].position, 0.25);
        assert_near(o.velocity, list[k].velocity, 0.25);
    }
}

static void a_free_body_has_the_order_of_the_tableau(void **state) {
    (void)state;
    static const expected LIST[] = {
        {{"FP-EP", 0, NULL}, 40, 2, 2},          {{"FP-EP", 0, CAYLEY}, 40, 2, 2},
        {{"FP-ED", 0, NULL}, 40, 2, 2},          {{"FP-ED", 1, NULL}, 40, 2, 2},
        {{"RK-trapezoidal", 0, NULL}, 40, 2, 2}, {{"RK-radau3", 0, NULL}, 40, 3, 3},
        {{"RK-radau5", 0, NULL}, 20, 5, 5}};
    check_orders(ALONE, 1, 400, LIST, COUNT(LIST));
}

#define SECOND_ORDER                                                        \
    {{"FP-EP", 0, NULL}, 100, 2, 2}, {{"FP-EP", 0, CAYLEY}, 100, 2, 2},     \
        {{"FP-ED", 0, NULL}, 100, 2, 2}, {{"FP-ED", 0.5, NULL}, 100, 2, 2}, \
        {{"FP-ED", 0, CAYLEY}, 100, 2, 2}, {                                \
        {"RK-trapezoidal", 0, NULL}, 100, 2, 2                              \
    }

/* Conditions between moving bodies: velocities of Radau IIA have the order of its stages (index 3:
 * Hairer, Lubich, Roche). FP-ED with rho_inf = 1 does not damp what it does wrong in velocities. */
static void the_double_pendulum_has_the_orders_of_theory(void **state) {
    (void)state;
    static const expected LIST[] = {SECOND_ORDER,
                                    {{"FP-ED", 1, NULL}, 100, 2, 1},
                                    {{"RK-radau3", 0, NULL}, 100, 3, 2},
                                    {{"RK-radau5", 0, NULL}, 25, 5, 3}};
    check_orders(LINKS, 0.5, 400, LIST, COUNT(LIST));
}

/* Joints to the ground that leave a turn about a point or an axis: screws do not leave them, and
 * nothing is lost. */
static const expected AT_THE_GROUND[] = {SECOND_ORDER,
                                         {{"FP-ED", 1, NULL}, 100, 2, 2},
                                         {{"RK-radau3", 0, NULL}, 100, 3, 3},
                                         {{"RK-radau5", 0, NULL}, 25, 5, 5}};

static void the_top_has_the_orders_of_the_tableau(void **state) {
    (void)state;
    check_orders(TOP, 0.1, 400, AT_THE_GROUND, COUNT(AT_THE_GROUND));
}

static void the_beam_pendulum_has_the_orders_of_the_tableau(void **state) {
    (void)state;
    check_orders(SOFT, 0.4, 400, AT_THE_GROUND, COUNT(AT_THE_GROUND));
}

/* ---- conditions as printed ---- */

static double energy_lost(const char *text, member m, double end, int steps) {
    scene s;
    open_member(&s, text, m);
    for (int n = 0; n < steps; n++) scene_step(&s, end / steps);
    double lost = s.system->ledger.algorithmic / s.system->energy_start;
    measured("energy lost", m.scheme, m.rho, lost);
    scene_close(&s);
    return lost;
}

/* First order, and energy lost like h/alpha, between moving bodies; second order the other way. */
static void the_printed_conditions_are_of_first_order(void **state) {
    (void)state;
    static const expected LIST[] = {{{"FP-ED", 0, NULL}, 100, 2, 2},
                                    {{"FP-ED", 0, "conditions=printed"}, 200, 1, 1},
                                    {{"FP-ED", 0, CAYLEY_PRINTED}, 200, 1, 1}};
    check_orders(SPHERICAL, 0.5, 200, LIST, COUNT(LIST));
    member damped = {"FP-ED", 0, "conditions=printed"}, less = {"FP-ED", 0.5, "conditions=printed"};
    double lost = energy_lost(SPHERICAL, damped, 0.5, 200);
    assert_near(lost / energy_lost(SPHERICAL, damped, 0.5, 400), 2, 0.1);
    assert_near(energy_lost(SPHERICAL, less, 0.5, 200) / lost, 3, 0.3);
    assert_true(energy_lost(SPHERICAL, (member){"FP-ED", 0, NULL}, 0.5, 200) < 1e-4 * lost);
}

/* With rho_inf = 1 they converge to another motion. */
static void the_printed_conditions_without_damping_go_astray(void **state) {
    (void)state;
    member printed = {"FP-ED", 1, "conditions=printed"};
    outcome exact = outcome_of(SPHERICAL, BEST, 0.5, 200),
            coarse = outcome_of(SPHERICAL, printed, 0.5, 200),
            fine = outcome_of(SPHERICAL, printed, 0.5, 400);
    measured("velocity, astray by", printed.scheme, 1, distance(fine.v, exact.v));
    measured("position, astray by", printed.scheme, 1, distance(fine.x, exact.x));
    assert_true(distance(fine.v, exact.v) > 0.1);
    assert_true(distance(coarse.v, exact.v) / distance(fine.v, exact.v) < 1.5);
}

/* A mass that turns on a rod with angular velocity w loses energy at the rate (w^2 h/alpha) E:
 * fixed-pole or not. */
static void the_printed_conditions_brake_a_turning_mass(void **state) {
    (void)state;
    static const char ROD[] = SCENE_HEAD
        "bodies: {m: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0, 2*pi, 0]}}\n"
        "joints: {rod: {type: distance, bodies: [ground, m], from: [0, 0, 0], to: [1, 0, 0]}}\n";
    double w = 6.283185307179586, h = 1e-4, time = 0.01;
    for (int k = 0; k < 2; k++) {
        member printed = {"FP-ED", k ? 0.5 : 0, "conditions=printed"},
               ours = {"FP-ED", k ? 0.5 : 0, NULL};
        double rate = energy_lost(ROD, printed, time, 100) / time, alpha = k ? 1.0 / 3 : 1;
        assert_near(rate / (w * w * h / alpha), 1, 0.05);
        assert_below("ours", energy_lost(ROD, ours, time, 100), 1e-9);
    }
}

/* A joint to the ground whose body turns about it costs nothing: the screws of both sides
 * commute. */
static void the_printed_conditions_do_no_harm_at_the_ground(void **state) {
    (void)state;
    static const expected LIST[] = {{{"FP-ED", 0, "conditions=printed"}, 100, 2, 2}};
    check_orders(TOP, 0.1, 400, LIST, 1);
}

/* ---- velocities that violate a condition ---- */

static double rate_violation(const scene *s) {
    double position, rate;
    ts_violation(s->system, scene_part(s, "j"), &position, &rate);
    return rate;
}

static double violation_left(member m, int steps) {
    scene s;
    scene_read(&s, SPHERICAL);
    s.model->nodes[2].velocity.x += 1e-3;
    ts_step_options options = scene_options(m.scheme, m.rho);
    scene_parameters(&options, m.scheme, m.parameters);
    scene_begin(&s, m.scheme, options);
    double start = rate_violation(&s);
    for (int n = 0; n < steps; n++) scene_step(&s, 1e-5);
    double left = rate_violation(&s) / start;
    measured("violation left", m.scheme, m.rho, left);
    scene_close(&s);
    return left;
}

static void wrong_velocities_are_damped_by_rho(void **state) {
    (void)state;
    assert_near(violation_left((member){"FP-EP", 0, NULL}, 4), 1, 1e-3);
    assert_below("rho 0", violation_left((member){"FP-ED", 0, NULL}, 1), 1e-3);
    assert_near(violation_left((member){"FP-ED", 0.5, NULL}, 3), 0.125, 1e-3);
    assert_below("Radau", violation_left((member){"RK-radau3", 0, NULL}, 1), 1e-3);
}

/* ---- what Runge-Kutta methods do not keep ---- */

static void runge_kutta_methods_do_not_keep_energy(void **state) {
    (void)state;
    for (int k = 0; k < COUNT(RUNGE_KUTTA); k++) {
        double change = fabs(energy_lost(ALONE, RUNGE_KUTTA[k], 2, 40));
        assert_true(change > 1e-10);
        assert_below("energy", change, 1e-3);
    }
}

/* ---- the same in any frame ---- */

static void place_in(scene *s, pose H) {
    for (int n = 1; n < s->model->nodes_count; n++) {
        ts_node *node = &s->model->nodes[n];
        node->x = v3_add(H.x, m3_apply(H.R, node->x)), node->D = m3_mul(H.R, node->D);
        node->velocity = m3_apply(H.R, node->velocity), node->omega = m3_apply(H.R, node->omega);
    }
}

static double frame_dependence(const char *text, member m, double h, int steps) {
    scene a, b;
    pose H = {{2, -1, 3}, so3_exp(v3_make(0.7, -1.1, 0.4))};
    open_member(&a, text, m);
    scene_read(&b, text);
    place_in(&b, H);
    ts_step_options options = scene_options(m.scheme, m.rho);
    scene_parameters(&options, m.scheme, m.parameters);
    scene_begin(&b, m.scheme, options);
    double worst = 0;
    for (int k = 0; k < steps; k++) scene_step(&a, h), scene_step(&b, h);
    for (int n = 1; n < a.model->nodes_count; n++) {
        int at = 3 * a.model->nodes[n].slot;
        v3 x = v3_add(H.x, m3_apply(H.R, v3_load(a.system->state.q + at)));
        worst = fmax(worst, distance(x, v3_load(b.system->state.q + at)));
    }
    measured("frame", m.scheme, m.rho, worst);
    scene_close(&a), scene_close(&b);
    return worst;
}

static void no_frame_is_better_than_another(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(KEEPERS) + COUNT(RUNGE_KUTTA); i++) {
        member m = i < COUNT(KEEPERS) ? KEEPERS[i] : RUNGE_KUTTA[i - COUNT(KEEPERS)];
        assert_below("free", frame_dependence(FREE, m, 1e-2, 20), 1e-10);
        assert_below("flying", frame_dependence(FLYING, m, 1e-2, 20), 1e-10);
    }
}

/* The reference point of q may be anywhere: here 0.87 m off, at (0.5, -0.5, -0.5) in its axes. */
#define PAIR_MOVED                                                                               \
    "  q: {mass: 1.5, inertia: [0.03, 0.02, 0.04], centre: [-0.5, 0.55, 0.4], position: "        \
    "[1.180128895044669, -0.25245172450779224, -0.4161291909703944], "                           \
    "orientation: {axis: [0.3, 0.2, -0.4], angle: sqrt(0.29)}, velocity: [-0.9846261767066836, " \
    "0.07046486181834999, -1.1596515358868464], angular_velocity: [1.4, 1.7, -0.9]}\n"
static const char ALONE_MOVED[] = SCENE_HEAD BODIES PAIR_MOVED;
static const char SPHERICAL_MOVED[] = SCENE_HEAD BODIES PAIR_P PAIR_MOVED JOINTS
    "  j: {type: spherical, bodies: [p, q], at: [0.5, 0.1, 0]}\n";

static double reference_dependence(const char *text, const char *moved, member m) {
    scene a, b;
    open_member(&a, text, m), open_member(&b, moved, m);
    for (int k = 0; k < 25; k++) scene_step(&a, 0.02), scene_step(&b, 0.02);
    m3 D = m3_load(b.system->state.q + scene_slot(&b, "q") + 3);
    v3 x = v3_sub(scene_position(&b, "q"), m3_apply(D, v3_make(0.5, -0.5, -0.5)));
    double apart_by = distance(x, scene_position(&a, "q"));
    measured("reference point", m.scheme, m.rho, apart_by);
    scene_close(&a), scene_close(&b);
    return apart_by;
}

/* The average of the exponential map weighs relative motion at the nodes, so there it only holds
 * within its error. */
static void reference_points_do_not_matter(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(KEEPERS) + COUNT(RUNGE_KUTTA); i++) {
        member m = i < COUNT(KEEPERS) ? KEEPERS[i] : RUNGE_KUTTA[i - COUNT(KEEPERS)];
        bool weighs = i < COUNT(KEEPERS) && !(m.parameters && strstr(m.parameters, CAYLEY));
        assert_below("alone", reference_dependence(ALONE, ALONE_MOVED, m), 1e-12);
        assert_below("joint", reference_dependence(SPHERICAL, SPHERICAL_MOVED, m),
                     weighs ? 1e-9 : 1e-12);
    }
}

/* ---- steps that do not converge ---- */

static const member ONE_OF_EACH[] = {
    {"FP-EP", 0, NULL}, {"FP-ED", 0, NULL}, {"RK-trapezoidal", 0, NULL}, {"RK-radau5", 0, NULL}};

static void large_steps_are_cut(void **state) {
    (void)state;
    for (int k = 0; k < COUNT(ONE_OF_EACH); k++) {
        scene s;
        int cuts = 0;
        scene_read(&s, TOP);
        ts_step_options options = scene_defaults();
        options.max_iterations = 3;
        scene_begin(&s, ONE_OF_EACH[k].scheme, options);
        for (int n = 0; n < 5; n++) cuts += scene_step(&s, 0.05).cuts;
        measured("cuts", ONE_OF_EACH[k].scheme, 0, cuts);
        assert_true(cuts > 0);
        assert_near(s.system->state.t, 0.25, 1e-12);
        assert_below("balance", fabs(s.system->ledger.balance) / s.energy, 1e-12);
        assert_below("violation", scene_violation(&s), 1e-12);
        scene_close(&s);
    }
}

static void impossible_steps_fail_cleanly(void **state) {
    (void)state;
    for (int k = 0; k < COUNT(ONE_OF_EACH); k++) {
        scene s;
        ts_step_result r;
        int code = 0, n = 0;
        open_member(&s, OUT_OF_REACH, ONE_OF_EACH[k]);
        for (; n < 30 && !code; n++) code = ts_stepper_step(s.st, 0.05, &r);
        assert_int_equal(code, TORSOR_EDIVERGED);
        for (int i = 0; i < 3 * s.model->slots; i++) assert_true(isfinite(s.system->state.q[i]));
        assert_below("violation", scene_violation(&s), 1e-10);
        scene_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_maps_keep_their_screw),
        cmocka_unit_test(motions_are_those_of_another_program),
        cmocka_unit_test(energy_is_kept_or_falls_by_what_is_said),
        cmocka_unit_test(momenta_are_kept),
        cmocka_unit_test(momenta_are_not_kept_by_others),
        cmocka_unit_test(a_free_body_has_the_order_of_the_tableau),
        cmocka_unit_test(the_double_pendulum_has_the_orders_of_theory),
        cmocka_unit_test(the_top_has_the_orders_of_the_tableau),
        cmocka_unit_test(the_beam_pendulum_has_the_orders_of_the_tableau),
        cmocka_unit_test(the_printed_conditions_are_of_first_order),
        cmocka_unit_test(the_printed_conditions_without_damping_go_astray),
        cmocka_unit_test(the_printed_conditions_brake_a_turning_mass),
        cmocka_unit_test(the_printed_conditions_do_no_harm_at_the_ground),
        cmocka_unit_test(wrong_velocities_are_damped_by_rho),
        cmocka_unit_test(runge_kutta_methods_do_not_keep_energy),
        cmocka_unit_test(no_frame_is_better_than_another),
        cmocka_unit_test(reference_points_do_not_matter),
        cmocka_unit_test(large_steps_are_cut),
        cmocka_unit_test(impossible_steps_fail_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
