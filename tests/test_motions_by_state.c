/* SPDX-License-Identifier: Apache-2.0 */
/* Motions by the state, cams and the like: the discrete gradient and (Z) of model/law.h to
 * round-off, over corners of tables too; tangents against differences, EP and ED; expressions that
 * a motion cannot follow are refused; second derivatives of all functions against differences.
 */
#include "laws/state/row.h"
#include "scene.h"

#define MACHINE                                                                                    \
    SCENE_HEAD                                                                                     \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "signals:\n"                                                                                   \
    "  lift: {table: [[-90 deg, 0.02], [-20 deg, 0.01], [10 deg, 0.05], [70 deg, -0.01]]}\n"       \
    "  soft: {table: [[-90 deg, 0.02], [-20 deg, 0.01], [10 deg, 0.05], [70 deg, -0.01]], "        \
    "interpolation: smooth}\n"                                                                     \
    "  map: {table: [[-60 deg, -1 m, 0.1 m], [-60 deg, 0 m, 0 m], [-60 deg, 1 m, 0.3 m], [5 deg, " \
    "-1 m, 0 m], [5 deg, 0 m, 0.2 m], [5 deg, 1 m, 0 m], [60 deg, -1 m, 0.1 m], [60 deg, 0 m, 0 "  \
    "m], [60 deg, 1 m, -0.2 m]], interpolation: smooth}\n"                                         \
    "  ramp: {ramp: {at: 0, to: 0.3 m, over: 2 s}}\n"                                              \
    "bodies:\n"                                                                                    \
    "  shaft: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.1, 0, 0], angular_velocity: "       \
    "[0, 0, 3], velocity: [0, 0.3, 0]}\n"                                                          \
    "  wheel: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [2, 0, 0], angular_velocity: [1, 0, "  \
    "0]}\n"                                                                                        \
    "  tappet: {mass: 1, inertia: [0.1, 0.2, 0.1], position: [1, 0, 1]}\n"                         \
    "  weight: {mass: 1, inertia: [0.1, 0.2, 0.1], position: [1, 1, 1], velocity: [0, 0, 1]}\n"    \
    "  loose: {mass: 1, inertia: [0.1, 0.2, 0.1], position: [0.3, 0.2, 0.4], angular_velocity: "   \
    "[1, 2, 3], velocity: [1, 0, 0.4]}\n"                                                          \
    "joints:\n"                                                                                    \
    "  axle: {type: revolute, bodies: [ground, shaft], at: [0, 0, 0], axis: z}\n"                  \
    "  spindle: {type: revolute, bodies: [ground, wheel], at: [2, 0, 0], axis: x}\n"               \
    "  guide: {type: prismatic, bodies: [ground, tappet], at: [1, 0, 1], axis: z}\n"               \
    "  lead: {type: prismatic, bodies: [shaft, weight], at: [1, 1, 1], axis: [1, 0, 2]}\n"         \
    "springs: {rod: {bodies: [loose, shaft], from: [0.3, 0.2, 0.5], to: [0.2, 0.1, 0], stiffness:" \
    " 30, free_length: 0.4}}\n"

typedef struct motion {
    const char *what, *text;
    bool corners;
} motion;

static const motion MOTIONS[] = {
    {"cam", "guide, displacement: 0.1*(1 - cos(2*axle.angle)) + 0.02*exp(axle.angle/(1 rad))", 0},
    {"cam, plain numbers", "guide, displacement: 0.3*sin(axle.angle)^3", 0},
    {"gear", "spindle, angle: 2*axle.angle + 0.3 rad*sin(3*axle.angle)", 0},
    {"two coordinates", "guide, displacement: (0.3 m + lead.displacement)*sin(2*axle.angle)", 0},
    {"three",
     "spindle, angle: 'atan2(0.4 m + lead.displacement, guide.displacement + 2 m)*(1 + "
     "0.2*cos(axle.angle))'",
     0},
    {"of its own body",
     "guide, displacement: 0.2 m*sin(axle.angle) + (tappet.position.z - 1 m)^2/(1 m)", 0},
    {"with the time", "guide, displacement: 0.1 m*cos(axle.angle - 3 rad/s*time) + ramp", 0},
    {"places, lengths",
     "guide, displacement: 0.3*rod.length + loose.position.x*loose.orientation.d1.z", 0},
    {"smooth table", "guide, displacement: soft(axle.angle)", 1},
    {"table", "guide, displacement: lift(axle.angle)", 1},
    {"table of two", "guide, displacement: lift(axle.angle - 0.3*spindle.angle)", 1},
    {"map", "guide, displacement: 'map(axle.angle, lead.displacement)'", 1},
    {"corner", "guide, displacement: 'max(0.3*lead.displacement + 0.02 m, 0.1 m*axle.angle)'", 1}};
enum { COUNT = sizeof MOTIONS / sizeof *MOTIONS };

static const char *machine_with(const motion *m) {
    return scene_write(MACHINE "motions: {cam: {joint: %s}}\n", m->text);
}

static const ts_site *row_of(const scene *s) {
    const ts_site *site = &s->system->model->sites[s->model->parts[scene_part(s, "cam")].site];
    assert_ptr_equal(site->rowlaw, &TS_STATE_ROW);
    return site;
}

/* Forms and rates of any values of the measures: angles are on the circle, lengths not zero. */
static void any_forms(const double *data, double size, double *e, double *rate) {
    for (int k = 0; k < (int)data[TS_STATE_MEASURES]; k++) {
        const double *m = data + TS_STATE_HEAD + k * TS_MEASURE_NUMBERS;
        double *f = e + (int)m[TS_MEASURE_FORM], *r = rate + (int)m[TS_MEASURE_FORM];
        double y = size * chance(), v = chance();
        if (m[TS_MEASURE_KIND] == TS_MEASURE_ANGLE)
            f[0] = cos(y), f[1] = sin(y), r[0] = -sin(y) * v, r[1] = cos(y) * v;
        else if (m[TS_MEASURE_KIND] == TS_MEASURE_LENGTH)
            f[0] = 0.5 * (1 + y) * (1 + y), r[0] = (1 + y) * v;
        else
            f[0] = y, r[0] = v;
    }
}

static void identities_of(const motion *m, double size) {
    scene s;
    scene_open(&s, machine_with(m), "ED", 0);
    const ts_site *site = row_of(&s);
    double worst[2] = {0};
    for (int trial = 0; trial < 200; trial++) {
        double e[2][TS_MAX_FORMS], v[2][TS_MAX_FORMS], change = 0, jump = 0, sum = 0;
        uint64_t seed = scene_seed;
        for (int k = 0; k < 2; k++) any_forms(s.model->numbers + site->data, size, e[k], v[k]);
        if (trial % 4 == 0) { /* a short way */
            scene_seed = seed;
            any_forms(s.model->numbers + site->data, size, e[0], v[0]);
            scene_seed = seed;
            any_forms(s.model->numbers + site->data, size * (1 + 1e-7), e[1], v[1]);
        }
        ts_past past = ts_past_of(&s.system->state);
        ts_law_step step = ts_site_over(s.model, site, past, e[0], e[1], 0, 1);
        ts_law_step back = ts_site_over(s.model, site, past, e[1], e[0], 0, 1);
        ts_row_response r, start;
        ts_row_zeta z;
        site->rowlaw->respond(&step, &r), site->rowlaw->respond(&back, &start);
        site->rowlaw->rate(&step, v[0], v[1], &z);
        for (int k = 0; k < site->forms; k++) {
            change += r.g[k] * (e[1][k] - e[0][k]);
            jump += r.y_f[k] * v[1][k] - r.y_i[k] * v[0][k];
            sum += r.g[k] * (v[1][k] - v[0][k]) + z.zeta[k] * (e[1][k] - e[0][k]);
            assert_near(r.g[k], start.g[k], 1e-6 + (m->corners ? 1e9 : 0)); /* symmetric */
        }
        worst[0] = fmax(worst[0], fabs(change - (r.y - start.y)));
        worst[1] = fmax(worst[1], fabs(jump - sum));
    }
    measured(m->what, "(G)", size, worst[0]), measured(m->what, "(Z)", size, worst[1]);
    assert_below(m->what, worst[0], 4e-14);
    assert_below(m->what, worst[1], 4e-13);
    scene_close(&s);
}

static void identities(void **state) {
    (void)state;
    for (int i = 0; i < COUNT; i++)
        for (double size = 1; size > 1e-3; size *= 0.1) identities_of(&MOTIONS[i], size);
}

/* Of a step within which there is no corner: a corner has two tangents. */
static void tangents(void **state) {
    (void)state;
    static const struct {
        const char *scheme;
        double rho;
    } steps[] = {{"EP", 1}, {"ED", 0}, {"ED", 0.7}};
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++) {
            scene s;
            double rho = steps[k].rho;
            scene_open(&s, machine_with(&MOTIONS[i]), steps[k].scheme, rho);
            scene_set_up(&s, steps[k].scheme, rho, 0.01);
            tangent_shake(s.st, 0.002);
            double error = tangent_error(s.st);
            measured(MOTIONS[i].what, steps[k].scheme, rho, error);
            if (!(error <= 2e-7))
                fail_msg("%s, %s: tangent %.3g", MOTIONS[i].what, steps[k].scheme, error);
            scene_close(&s);
        }
}

/* ---- refused ---- */

static void refused(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"{joint: guide, displacement: 0.1 m*s*axle.rate}", "'axle.angle.rate' is a velocity"},
        {"{joint: guide, displacement: 0.1 s*loose.velocity.x}",
         "'loose.velocity.x' is a velocity"},
        {"{joint: guide, displacement: 0.1 m/N*rod.force}", "'rod.force' is a force"},
        {"{joint: guide, displacement: 0.1 m/N*axle.force.x}", "'axle.force.x' is a force"},
        {"{joint: guide, displacement: 0.1 m*filter}", "'filter.value' is a state"},
        {"{joint: guide, velocity: 0.1 m/s*axle.angle}", "may depend on the time only"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_unreadable(scene_write(MACHINE "states: {filter: {rate: 1 - filter}}\nmotions: "
                                              "{cam: %s}\n",
                                      wrong[i][0]),
                          wrong[i][1]);
}

/* ---- second derivatives ---- */

static int two(void *context, const char *name, size_t length, ts_dim *dim, ts_expr_error *error) {
    (void)context, (void)error;
    *dim = (ts_dim){0};
    return length == 3 ? name[2] - 'a' + 1 : 0;
}

static void curved(void **state) {
    (void)state;
    static const char *const text[] = {"v.a*v.b",
                                       "v.a/v.b",
                                       "v.a^v.b",
                                       "v.a^3*v.b^2",
                                       "sin(v.a*v.b)",
                                       "cos(v.a)/v.b",
                                       "tan(v.a*v.b)",
                                       "asin(v.a/3)*v.b",
                                       "acos(v.a/3)*v.b",
                                       "atan(v.a*v.b)",
                                       "atan2(v.a, v.b)",
                                       "sinh(v.a*v.b)",
                                       "cosh(v.a - v.b)",
                                       "tanh(v.a*v.b)",
                                       "exp(v.a*v.b)",
                                       "log(v.a + v.b)",
                                       "log10(v.a*v.b)",
                                       "sqrt(v.a*v.b)",
                                       "smooth(v.a*v.b/3)",
                                       "-abs(v.a*v.b)",
                                       "max(v.a^2, v.b)*min(v.a, v.b^2)",
                                       "if(v.a < v.b, v.a^2*v.b, v.b^3)",
                                       "mod(v.a^2, 1)*v.b",
                                       "ramp(v.a)*v.b^2 + t*v.a*t",
                                       "v.a - v.b + step(v.a)*sign(v.b)*floor(v.a)"};
    const ts_scope scope = {.channel = two};
    const double at[3] = {0.7, 1.1, 0.4}, h = 1e-5;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        ts_expr *expr;
        ts_expr_error error;
        if (ts_expr_compile(&expr, text[i], strlen(text[i]), &scope, true, &error))
            fail_msg("%s: %s", text[i], error.message);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) {
                double unit[2][3] = {{0}, {0}}, near[2][3], out[3], side[2][3];
                unit[0][k] = unit[1][l] = 1;
                const ts_argument along[2] = {{unit[0][2], unit[0]}, {unit[1][2], unit[1]}};
                double value = ts_expr_second(expr, (ts_argument){at[2], at}, along, out), slope;
                for (int m = 0; m < 2; m++) {
                    for (int j = 0; j < 3; j++) near[m][j] = at[j] + (m ? h : -h) * unit[1][j];
                    ts_expr_second(expr, (ts_argument){near[m][2], near[m]}, along, side[m]);
                }
                assert_near(value, ts_expr_at(expr, at[2], at, unit[0], &slope), 1e-15);
                if (k < 2) assert_near(out[0], slope, 1e-14 * (1 + fabs(slope)));
                assert_near(out[2], (side[1][0] - side[0][0]) / (2 * h), 1e-8 * (1 + fabs(out[2])));
            }
        ts_expr_free(expr);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(curved), cmocka_unit_test(identities),
                                       cmocka_unit_test(tangents), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
