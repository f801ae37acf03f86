/* SPDX-License-Identifier: Apache-2.0 */
/* The scenes themselves, in pieces that can be put together: each piece has bodies, joints,
 * springs, motions and loads of its own, with names of its own, and starts assembled.
 */
#ifndef TS_SCENES_H
#define TS_SCENES_H

#include "scene.h"

#define GRAVITY "gravity: [0, 2, -9.81]\n"
#define BODIES "bodies:\n"
#define JOINTS "joints:\n"
#define SPRINGS "springs:\n"
#define MOTIONS "motions:\n"
#define LOADS "loads:\n"

/* ---- the spinning top and the two links of the prototype ----
 *
 * S2 gives the top J = diag(0.8, 0.8, 1.8), which no body of positive mass has, so the reader
 * refuses it. Tests that need just this top put it in by hand (open_reference). */

static const char TOP[] =
    SCENE_HEAD "parameters: {tilt: 60 deg, L: 1.3}\n"
               "gravity: [0, 0, -9.81]\n"
               "bodies:\n"
               "  top: {mass: 5, inertia: [0.9, 0.9, 1.8], orientation: {axis: x, angle: tilt},\n"
               "        position: [0, -L*sin(tilt), L*cos(tilt)], angular_velocity: [0, 0, 50],\n"
               "        rates_in: body}\n"
               "joints:\n"
               "  pivot: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}\n";

static const char LINKS[] = SCENE_HEAD GRAVITY BODIES
    "  one: {mass: 1, inertia: [1e-3, 1/12, 1/12], position: [0.5, 0, 0]}\n"
    "  two: {mass: 1, inertia: [1e-3, 1/12, 1/12], position: [1.5, 0, 0]}\n" JOINTS
    "  hinge: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: y}\n"
    "  ball: {type: spherical, bodies: [one, two], at: [1, 0, 0]}\n";

/* ---- a spatial chain with springs, dampers, stops, a bushing and every load ---- */

#define CHAIN_BODIES                                                                          \
    "  a: {mass: 1.2, centre: [0.05, 0.02, -0.01], inertia: [0.02, 0.09, 0.1, 0.003, 0.001, " \
    "-0.002],\n"                                                                              \
    "      position: [0.5, 0, 0]}\n"                                                          \
    "  b: {mass: 0.8, inertia: [0.01, 0.05, 0.055], position: [1.5, 0, 0], orientation: "     \
    "{axis: [1, 2, 3], angle: 0.7}}\n"                                                        \
    "  c: {mass: 1, inertia: [0.03, 0.08, 0.06], position: [2.5, 0, 0]}\n"                    \
    "  d: {mass: 0.7, inertia: [0.02, 0.03, 0.04], centre: [0, 0, 0.1], position: [3.2, 0, "  \
    "0]}\n"
#define CHAIN_JOINTS                                                                     \
    "  hinge: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0.2]}\n" \
    "  sleeve: {type: cylindrical, bodies: [a, b], at: [1, 0, 0], axis: x}\n"            \
    "  cross: {type: universal, bodies: [b, c], at: [2, 0, 0], axis: z, axis_b: y}\n"
#define CHAIN_SPRINGS                                                                        \
    "  pull: {type: spring, bodies: [ground, b], from: [0, 0, 1], to: [1.4, 0.1, 0], "       \
    "stiffness: 40, damping: 1.5,\n"                                                         \
    "         free_length: 1.2, preload: 2, stop_min: 1, stop_max: 1.9, stop_stiffness: "    \
    "900}\n"                                                                                 \
    "  twist: {type: torsion_spring, joint: hinge, stiffness: 5, damping: 0.3, free_angle: " \
    "0.2, stop_max: 0.5,\n"                                                                  \
    "          stop_stiffness: 200}\n"                                                       \
    "  slide: {type: joint_spring, joint: sleeve, stiffness: 50, damping: 0.4, stop_min: "   \
    "-0.05, stop_max: 0.1,\n"                                                                \
    "          stop_stiffness: 3000}\n"                                                      \
    "  pad: {type: bushing, bodies: [c, d], at: [3, 0, 0], frame: {axis: [1, 1, 0], angle: " \
    "0.4}, stiffness: [400, 500, 600, 8, 9, 10],\n"                                          \
    "        damping: [2, 2, 2, 0.1, 0.1, 0.1]}\n"
#define CHAIN_LOADS                                                                         \
    "  push: {type: force, body: c, force: [2*sin(3*t), 1, -4*cos(5*t)], at: [2.6, 0.1, "   \
    "0.2]}\n"                                                                               \
    "  jet: {type: force, body: b, force: [1, 2*t, -1], follower: true, point: [0.1, 0.2, " \
    "0]}\n"                                                                                 \
    "  turn: {type: moment, body: d, moment: [0.2, 0.3*sin(2*t), 0.1]}\n"                   \
    "  swirl: {type: moment, body: a, moment: [0.3*cos(t), 0.1, 0.2], follower: true}\n"    \
    "  wind: {type: motor, joint: sleeve, torque: 0.3*cos(4*t)}\n"                          \
    "  ram: {type: motor, joint: sleeve, force: 3*sin(6*t)}\n"

static const char CHAIN[] = SCENE_HEAD GRAVITY BODIES CHAIN_BODIES JOINTS CHAIN_JOINTS SPRINGS
    CHAIN_SPRINGS LOADS CHAIN_LOADS;

/* ---- prescribed displacement and angle, screw ---- */

#define DRIVEN_BODIES                                                                           \
    "  carriage: {mass: 3, inertia: [0.1, 0.1, 0.1], position: [0, 3, 0]}\n"                    \
    "  arm: {mass: 1, inertia: [0.01, 0.08, 0.085], position: [0.5, 3, 0.1]}\n"                 \
    "  nut: {mass: 0.6, inertia: [0.01, 0.02, 0.02], centre: [0, 0.03, 0], position: [1.2, 3, " \
    "0.1]}\n"                                                                                   \
    "  tail: {mass: 0.5, inertia: [0.01, 0.02, 0.025], position: [1.6, 3, 0.1]}\n"
#define DRIVEN_JOINTS                                                                           \
    "  rail: {type: prismatic, bodies: [ground, carriage], at: [0, 3, 0], axis: [1, 0, 0.3]}\n" \
    "  shoulder: {type: revolute, bodies: [carriage, arm], at: [0, 3, 0.1], axis: [0.1, 1, "    \
    "0]}\n"                                                                                     \
    "  thread: {type: screw, bodies: [arm, nut], at: [1, 3, 0.1], axis: x, pitch: 0.07}\n"      \
    "  neck: {type: spherical, bodies: [nut, tail], at: [1.4, 3, 0.1]}\n"
#define DRIVEN_MOTIONS                                            \
    "  stroke: {joint: rail, displacement: 0.2*(1 - cos(5*t))}\n" \
    "  swing: {joint: shoulder, angle: 4*(1 - cos(1.5*t))}\n"

#define DRIVEN_SPRINGS "  hold: {type: joint_spring, joint: thread, stiffness: 80, damping: 0.5}\n"

static const char DRIVEN[] = SCENE_HEAD GRAVITY BODIES DRIVEN_BODIES JOINTS DRIVEN_JOINTS SPRINGS
    DRIVEN_SPRINGS MOTIONS DRIVEN_MOTIONS;

/* The driven mechanism without its spring and with a drive that goes wild: the nut is flung out. */
static const char WILD[] = SCENE_HEAD GRAVITY BODIES DRIVEN_BODIES JOINTS DRIVEN_JOINTS
    "motions:\n"
    "  stroke: {joint: rail, displacement: 0.2*(1 - cos(5*t))}\n"
    "  swing: {joint: shoulder, angle: 0.9*(1 - cos(3*t)) + 2*t^3}\n";

/* ---- a disc that rolls, a skate that glides ---- */

#define ROLLING_BODIES                                                                          \
    "  wheel: {mass: 2, inertia: [0.13, 0.25, 0.13], position: [0, 5, 0.5], velocity: [3, "     \
    "-0.15, 0],\n"                                                                              \
    "          angular_velocity: [0.3, 6, 0.5]}\n"                                              \
    "  sled: {mass: 1.5, inertia: [0.1, 0.2, 0.3], centre: [-0.1, 0.05, 0], position: [0, -5, " \
    "0],\n"                                                                                     \
    "         velocity: [1, -0.14, 0], angular_velocity: [0, 0, 0.7]}\n"
#define ROLLING_JOINTS                                                         \
    "  roll: {type: rolling_disk, body: wheel, radius: 0.5, axis: y}\n"        \
    "  ice: {type: planar, bodies: [ground, sled], at: [0, -5, 0], axis: z}\n" \
    "  skate: {type: knife_edge, body: sled, lateral: y, at: [0.2, -5, 0]}\n"
#define ROLLING_LOADS                                                   \
    "  breeze: {type: force, body: wheel, force: [0.4, sin(2*t), 0]}\n" \
    "  tow: {type: force, body: sled, force: [0.5, 0.6*sin(t), 0], point: [0.3, 0, 0]}\n"

static const char ROLLING[] =
    SCENE_HEAD GRAVITY BODIES ROLLING_BODIES JOINTS ROLLING_JOINTS LOADS ROLLING_LOADS;
static const char ROLLING_FREELY[] = SCENE_HEAD GRAVITY BODIES ROLLING_BODIES JOINTS ROLLING_JOINTS;

/* ---- bodies that touch only one another, turning together at first: v = v0 + w x r ---- */

#define TOGETHER(x, y, z)                                                                       \
    "position: [" #x ", " #y ", " #z "], angular_velocity: [0.4, -0.3, 0.6], velocity: [0.1 - " \
    "0.3*(" #z ") - 0.6*(" #y "), -0.2 + 0.6*(" #x ") - 0.4*(" #z "), 0.3 + 0.4*(" #y           \
    ") + 0.3*(" #x ")]"
#define FREE_BODIES                                                                              \
    "  p: {mass: 1, inertia: [0.05, 0.06, 0.07], " TOGETHER(                                     \
        0, 0,                                                                                    \
        4) "}\n"                                                                                 \
           "  q: {mass: 1.5, inertia: [0.05, 0.06, 0.07], centre: [0.1, 0, 0.05], " TOGETHER(    \
               1, 0.2,                                                                           \
               4) "}\n"                                                                          \
                  "  r: {mass: 0.7, inertia: [0.03, 0.02, 0.04], orientation: {axis: z, angle: " \
                  "1}, " TOGETHER(                                                               \
                      1.5, 1,                                                                    \
                      4.3) "}\n"                                                                 \
                           "  s: {mass: 0.9, inertia: [0.03, 0.02, 0.04], " TOGETHER(            \
                               1, 1.8,                                                           \
                               4.5) "}\n"                                                        \
                                    "  u: {mass: 1.1, inertia: [0.05, 0.06, 0.07], " TOGETHER(   \
                                        0, 2, 4.2) "}\n"                                         \
                                                   "  w: {mass: 0.6, inertia: [0.01, 0.02, "     \
                                                   "0.02], " TOGETHER(                           \
                                                       -0.5, 1,                                  \
                                                       4) "}\n"                                  \
                                                          "  x: {mass: 0.4, inertia: [0.01, "    \
                                                          "0.02, 0.02], " TOGETHER(-0.5, 0,      \
                                                                                   4.4) "}\n"
#define FREE_JOINTS                                                                            \
    "  free_ball: {type: spherical, bodies: [p, q], at: [0.5, 0.1, 4]}\n"                      \
    "  free_hinge: {type: revolute, bodies: [q, r], at: [1.2, 0.6, 4.1], axis: [1, 2, 3]}\n"   \
    "  free_cross: {type: universal, bodies: [r, s], at: [1.2, 1.4, 4.4], axis: z, axis_b: "   \
    "x}\n"                                                                                     \
    "  free_rail: {type: prismatic, bodies: [s, u], at: [0.5, 1.9, 4.3], axis: [1, 0.2, 0]}\n" \
    "  rod: {type: distance, bodies: [u, w], from: [0, 2, 4.2], to: [-0.5, 1.1, 4]}\n"         \
    "  weld: {type: rigid, bodies: [w, x], at: [-0.5, 0.5, 4.2]}\n"                            \
    "  groove: {type: point_on_line, bodies: [x, p], at: [-0.1, 0, 4.2], axis: [1, 0, 1]}\n"   \
    "  table: {type: point_on_plane, bodies: [q, s], at: [1, 1, 4.3], axis: [0, 1, 1]}\n"
#define FREE_SPRINGS                                                                            \
    "  tie: {type: spring, bodies: [p, s], from: [0, 0, 4], to: [1, 1.8, 4.5], stiffness: 30, " \
    "damping: 0.2, free_length: 1.5}\n"                                                         \
    "  cushion: {type: bushing, bodies: [q, w], at: [0.2, 0.5, 4], stiffness: [20, 30, 40, 1, " \
    "2, 3],\n"                                                                                  \
    "            damping: [0.1, 0.1, 0.1, 0, 0.01, 0]}\n"                                       \
    "  coil: {type: torsion_spring, joint: free_hinge, stiffness: 2, free_angle: 0.4}\n"        \
    "  buffer: {type: joint_spring, joint: free_rail, stiffness: 60, free_displacement: "       \
    "-0.1}\n"

static const char FREE[] = SCENE_HEAD BODIES FREE_BODIES JOINTS FREE_JOINTS SPRINGS FREE_SPRINGS;

/* ---- a closed loop: revolute, spherical, universal, revolute ---- */

#define LOOP_BODIES                                                                       \
    "  crank: {mass: 0.5, inertia: [0.005, 0.005, 0.001], position: [0.075, -3, 0.13]}\n" \
    "  coupler: {mass: 1, inertia: [0.01, 0.09, 0.1], position: [0.575, -2.9, 0.53]}\n"   \
    "  rocker: {mass: 0.8, inertia: [0.05, 0.05, 0.005], position: [1, -2.8, 0.4]}\n"
#define LOOP_JOINTS                                                                       \
    "  left: {type: revolute, bodies: [ground, crank], at: [0, -3, 0], axis: y}\n"        \
    "  elbow: {type: spherical, bodies: [crank, coupler], at: [0.15, -3, 0.26]}\n"        \
    "  wrist: {type: universal, bodies: [rocker, coupler], at: [1, -2.8, 0.8], axis: y, " \
    "axis_b: z}\n"                                                                        \
    "  right: {type: revolute, bodies: [ground, rocker], at: [1, -2.8, 0], axis: [0, 1, " \
    "0.1]}\n"

static const char LOOP[] = SCENE_HEAD GRAVITY BODIES LOOP_BODIES JOINTS LOOP_JOINTS;

/* ---- everything at once, and everything that knows of no direction but gravity's ---- */

#define OTHER_BODIES "  lone: {mass: 1, inertia: [0.02, 0.03, 0.04], position: [6, 0, 0]}\n"
#define OTHER_JOINTS                                                                            \
    "  stay: {type: primitive_linear, bodies: [ground, lone], at: [6, 0.2, 0], component: y}\n" \
    "  keep: {type: primitive_angular, bodies: [ground, lone], axis: z, axis_b: x}\n"

#define TURNING_LOADS                                                                       \
    "  jet: {type: force, body: b, force: [1, 2*t, -1], follower: true, point: [0.1, 0.2, " \
    "0]}\n"                                                                                 \
    "  swirl: {type: moment, body: a, moment: [0.3*cos(t), 0.1, 0.2], follower: true}\n"

/* Put together when used: no string literal is this long in standard C. */
static inline const char *scene_text(const char *const *pieces) {
    static char text[20000];
    size_t used = 0;
    for (; *pieces; pieces++) {
        size_t length = strlen(*pieces);
        assert_true(used + length < sizeof text);
        memcpy(text + used, *pieces, length + 1), used += length;
    }
    return text;
}

static inline const char *everything(void) {
    return scene_text((const char *const[]){
        SCENE_HEAD GRAVITY BODIES CHAIN_BODIES DRIVEN_BODIES ROLLING_BODIES, FREE_BODIES,
        LOOP_BODIES OTHER_BODIES, JOINTS CHAIN_JOINTS DRIVEN_JOINTS ROLLING_JOINTS,
        FREE_JOINTS LOOP_JOINTS OTHER_JOINTS, SPRINGS CHAIN_SPRINGS DRIVEN_SPRINGS FREE_SPRINGS,
        MOTIONS DRIVEN_MOTIONS, LOADS CHAIN_LOADS ROLLING_LOADS, NULL});
}

static inline const char *turnable(void) {
    return scene_text((const char *const[]){
        SCENE_HEAD GRAVITY BODIES CHAIN_BODIES DRIVEN_BODIES, FREE_BODIES, LOOP_BODIES OTHER_BODIES,
        JOINTS CHAIN_JOINTS DRIVEN_JOINTS, FREE_JOINTS LOOP_JOINTS OTHER_JOINTS,
        SPRINGS CHAIN_SPRINGS DRIVEN_SPRINGS FREE_SPRINGS, MOTIONS DRIVEN_MOTIONS,
        LOADS TURNING_LOADS, NULL});
}

/* ---- for schemes for study ---- */

/* Two elements of three nodes, coupled section, damped, hinged to the ground and pulled. */
#define PULLED_BEAM                                                                       \
    SCENE_HEAD                                                                            \
    "gravity: [0, 1, -9.81]\n"                                                            \
    "sections:\n"                                                                         \
    "  S: {EA: 3e3, GA2: 1e3, GA3: 1.2e3, GJ: 20, EI2: 30, EI3: 25, mass: 2, inertia: "   \
    "[0.03, 0.02, 0.015], mass_centre: [0.02, 0.01], tension_centre: [0.01, -0.02]}\n"    \
    "beams:\n"                                                                            \
    "  arm: {from: [0, 0, 0], to: [1, 0.5, 0.4], section: S, elements: 2, order: 2}\n"    \
    "joints: {hinge: {type: revolute, bodies: [ground, arm.start], at: [0, 0, 0], axis: " \
    "y}}\n"                                                                               \
    "loads: {pull: {type: force, body: arm.end, force: [0, 3*sin(4*t), 2]}}\n"

/* A slider led away from another one that a bar ties to it: no solution beyond the reach of the
 * bar. */
#define OUT_OF_REACH                                                                           \
    SCENE_HEAD "bodies:\n"                                                                     \
               "  a: {mass: 1, inertia: [1, 1, 1], position: [0.6, 0, 0]}\n"                   \
               "  b: {mass: 1, inertia: [1, 1, 1], position: [0, 0.8, 0]}\n"                   \
               "joints:\n"                                                                     \
               "  along: {type: prismatic, bodies: [ground, a], at: [0, 0, 0], axis: x}\n"     \
               "  across: {type: prismatic, bodies: [ground, b], at: [0, 0, 0], axis: y}\n"    \
               "  bar: {type: distance, bodies: [a, b], from: [0.6, 0, 0], to: [0, 0.8, 0]}\n" \
               "motions: {lead: {joint: along, displacement: t^2}}\n"

/* An oscillator of angular frequency w, a mass on a rail: thrown with v = 1, or drawn out by
 * 1/w. */
static inline void scene_oscillator(scene *s, double w, bool from_strain) {
    scene_read(s, scene_write(SCENE_HEAD "bodies: {m: {mass: 2, inertia: [0.1, 0.2, 0.15], "
                                         "velocity: [0, 0, %.17g]}}\n"
                                         "joints: {rail: {type: prismatic, bodies: [ground, m], "
                                         "at: [0, 0, 0], axis: z}}\n"
                                         "springs: {k: {type: joint_spring, joint: rail, "
                                         "stiffness: %.17g}}\n",
                              from_strain ? 0.0 : 1.0, 2 * w * w));
    if (from_strain) s->model->nodes[1].x.z = 1 / w;
}

#endif
