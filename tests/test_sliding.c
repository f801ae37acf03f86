/* What slides along beams, cables and curves: identities of a step to round-off, tangents against
 * differences, windows along a chain.
 */
#include "scene.h"

#define SECTION                                                                               \
    "sections:\n  S: {EA: 1e4, GA2: 4e3, GA3: 3e3, GJ: 4, EI2: 5, EI3: 8, mass: 1, inertia: " \
    "[0.001, 0.002]}\n"

static const char *on_beam(int elements, int order, const char *follows) {
    return scene_write(SCENE_HEAD SECTION
                       "beams:\n  girder: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: "
                       "%d, order: %d, velocity: [0, -0.5, 0], angular_velocity: [0.1, 0.2, 1]}\n"
                       "bodies:\n  crab: {mass: 0.5, inertia: [0.002, 0.003, 0.004], position: "
                       "[0.1, 0.05, 0.02], velocity: [2, -0.4, 0], angular_velocity: [0.1, 0.2, "
                       "1]}\n"
                       "joints:\n  trolley: {type: sliding, on: girder, body: crab, at: [0.1, 0, "
                       "0], orientation: %s}\n",
                       elements, order, follows);
}

static void tangent_of(const char *text, const char *what) {
    static const struct {
        const char *scheme;
        double rho;
    } steps[] = {{"EP", 1}, {"ED", 0}};
    for (int k = 0; k < 2; k++) {
        scene s;
        scene_open(&s, text, steps[k].scheme, steps[k].rho);
        scene_set_up(&s, steps[k].scheme, steps[k].rho, 0.3);
        tangent_shake(s.st, 0.03);
        double error = tangent_error(s.st);
        measured(what, steps[k].scheme, steps[k].rho, error);
        if (!(error <= 2e-7)) fail_msg("%s, %s: tangent %.3g", what, steps[k].scheme, error);
        scene_close(&s);
    }
}

static void tangents(void **state) {
    (void)state;
    for (int order = 1; order <= 3; order++) {
        tangent_of(on_beam(4, order, "free"), "beam");
        tangent_of(on_beam(4, order, "follows"), "beam, follows");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tangents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
