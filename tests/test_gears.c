/* SPDX-License-Identifier: Apache-2.0 */
/* Gears, belts and racks: the ratio holds from the pose as drawn, also where the joints are drawn
 * rotated or extended. */
#include "analysis/run.h"
#include "scene.h"

/* A wheel on a hinge that reads 0.7 rad as drawn, a second one that reads -0.4 rad, and two slides,
 * one drawn 0.3 m out. */
#define TRAIN                                                                                     \
    SCENE_HEAD                                                                                    \
    "bodies:\n"                                                                                   \
    "  wheel: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, 2]}\n"                 \
    "  pinion: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], angular_velocity: "       \
    "[0, 0, %s]}\n"                                                                               \
    "  bar: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 2, 0], velocity: [%s, 0, 0]}\n"     \
    "  rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 3, 0], velocity: [0, %s, 0]}\n"     \
    "joints:\n"                                                                                   \
    "  A: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], frame: {axis: z, angle: 0}, "  \
    "frame_b: {axis: z, angle: 0.7}}\n"                                                           \
    "  B: {type: revolute, bodies: [ground, pinion], at: [1, 0, 0], frame: {axis: z, angle: 0}, " \
    "frame_b: {axis: z, angle: -0.4}}\n"                                                          \
    "  C: {type: prismatic, bodies: [ground, bar], at: [0, 2, 0], at_b: [0.3, 2, 0], axis: x}\n"  \
    "  D: {type: prismatic, bodies: [ground, rod], at: [0, 3, 0], axis: y}\n"                     \
    "  tie: {type: gear, %s}\n"

static const struct {
    const char *tie, *first, *second;
    double ratio; /* second = ratio times first, both since the start */
    const char *pinion, *bar, *rod;
} TIES[] = {
    {"joint: A, to: B, ratio: -1.5", "A", "B", -1.5, "-3", "0", "0"},
    {"joint: A, to: C, radius: 0.25", "A", "C", 0.25, "0", "0.5", "0"},
    {"joint: D, to: A, radius: 0.5", "A", "D", 0.5, "0", "0", "1"},
    {"joint: C, to: D, ratio: 2", "C", "D", 2, "0", "0.5", "1"},
};

static int coordinate_of(const scene *s, const char *joint) {
    int part = scene_part(s, joint);
    for (int c = 0; c < s->model->coordinates_count; c++)
        if (s->model->coordinates[c].part == part) return c;
    fail_msg("%s has no coordinate", joint);
    return -1;
}

static void ratio_holds_from_the_drawing(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof TIES / sizeof *TIES; k++) {
        scene s;
        double open, rate;
        scene_open(&s, scene_write(TRAIN, TIES[k].pinion, TIES[k].bar, TIES[k].rod, TIES[k].tie),
                   "EP", 1);
        ts_violation(s.system, scene_part(&s, "tie"), &open, &rate);
        assert_below("open as drawn", open, 1e-14);
        assert_below("rate as drawn", rate, 1e-14);
        int c[2] = {coordinate_of(&s, TIES[k].first), coordinate_of(&s, TIES[k].second)};
        double start[2];
        for (int i = 0; i < 2; i++) start[i] = ts_coordinate_value(s.system, c[i]);
        for (int n = 0; n < 200; n++) scene_step(&s, 0.02); /* more than a turn of the wheel */
        double way = ts_coordinate_value(s.system, c[0]) - start[0];
        double other = ts_coordinate_value(s.system, c[1]) - start[1];
        assert_true(fabs(way) > 1.5);
        assert_near(other, TIES[k].ratio * way, 1e-11);
        scene_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ratio_holds_from_the_drawing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
