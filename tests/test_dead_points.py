#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Valid linkages that cannot move on: the message names the cause. A slider-crank driven at rest from its dead centre, a slider driven
past its stroke, a four-bar whose links are too short for its crank to turn round. The times at which motions come out of reach are those
of the triangles, by hand. A failure that has nothing to do with kinematics blames no motion.

Environment: see program.py.
"""
import math
import re
import unittest

from program import model_file, torsor

CRANK, ROD, START = 0.1, 0.3, 0.5  # m, m, rad: the slider-crank


def linkage(points, last, motions, analysis):
    """Bars from point to point, hinged; the last one on the ground, or to a slider on x."""
    names = "ABCDE"
    text = ["torsor: 1", "units: SI", "bodies:"]
    for i, (p, q) in enumerate(zip(points, points[1:])):
        text.append(f"  bar{i}: {{mass: 1, inertia: [1e-3, 1e-2, 1e-2], position: [{(p[0] + q[0])/2!r}, {(p[1] + q[1])/2!r}, 0]}}")
    bars = len(points) - 1
    if last == "slider":
        text.append(f"  slider: {{mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [{points[-1][0]!r}, 0, 0]}}")
    text.append("joints:")
    ends = ["ground"] + [f"bar{i}" for i in range(bars)] + [last]
    for name, point, a, b in zip(names, points, ends, ends[1:]):
        text.append(f"  {name}: {{type: revolute, bodies: [{a}, {b}], at: [{point[0]!r}, {point[1]!r}, 0], axis: z}}")
    if last == "slider":
        text.append(f"  guide: {{type: prismatic, bodies: [ground, slider], at: [{points[-1][0]!r}, 0, 0], axis: x}}")
    return "\n".join([*text, f"motions: {{{motions}}}", f"analysis: {{{analysis}}}", ""])


def slider_at(angle):
    return CRANK*math.cos(angle) + math.sqrt(ROD**2 - (CRANK*math.sin(angle))**2)


def slider_crank(angle, motions, analysis="step: 1 ms, end: 1 s"):
    pin = (CRANK*math.cos(angle), CRANK*math.sin(angle))
    return linkage([(0.0, 0.0), pin, (slider_at(angle), 0.0)], "slider", motions, analysis)


def message(text, code=4):
    with model_file(text) as path:
        return torsor("run", path, "-o", path.with_name("o.h5"), code=code).stderr


class DeadPoints(unittest.TestCase):
    def lost_at(self, said, motion):
        found = re.search(rf"likely cause: motion '{motion}' \([^)]*\) cannot be followed beyond t = ([0-9.e-]+) s", said)
        self.assertTrue(found, said)
        return float(found[1])

    def test_at_rest_at_the_dead_centre(self):
        for scheme in "ED", "EP":
            said = message(slider_crank(0.0, "push: {joint: guide, displacement: -0.1*t^2}", f"scheme: {scheme}, step: 1 ms, end: 1 s"))
            self.assertRegex(said, r"likely cause: a dead point: motion 'push' \(prescribed displacement\) is not independent of 'A', 'B' and 'C'")

    def test_a_little_beside_it(self):
        """What the message advises helps."""
        message(slider_crank(1e-3, "push: {joint: guide, displacement: -0.1*t^2}"), code=0)

    def test_past_the_stroke(self):
        reach = (CRANK + ROD - slider_at(START))/0.1
        for analysis, step in ("step: 1 ms", 1e-3), ("scheme: EP, step: 1 ms", 1e-3), ("scheme: HHT, step: 1 ms", 1e-3), ("step: 50 ms", 0.05):
            said = message(slider_crank(START, "push: {joint: guide, displacement: 0.1*t}", analysis + ", end: 1 s"))
            late = reach - self.lost_at(said, "push")
            self.assertTrue(0 <= late <= step, (analysis, late))

    def test_links_too_short(self):
        """The crank stops where coupler and rocker are in one line. Another motion, of a body apart, is not blamed."""
        A, B, C, D = (0.0, 0.0), (0.0, 1.0), (1.2, 0.8), (2.0, 0.0)
        longest = math.dist(B, C) + math.dist(C, D)
        reach = math.acos((1 + math.dist(A, D)**2 - longest**2)/(2*math.dist(A, D))) - math.pi/2
        text = linkage([A, B, C, D], "ground", "spin: {joint: E, angle: 3*t}, turn: {joint: A, angle: 2*t}", "step: 1 ms, end: 5 s")
        text = text.replace("joints:", "  wheel: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 3]}\njoints:\n"
                            "  E: {type: revolute, bodies: [ground, wheel], at: [0, 0, 3], axis: z}")
        late = reach/2 - self.lost_at(message(text), "turn")
        self.assertTrue(0 <= late <= 1e-3, late)

    def test_no_fault_of_the_linkage(self):
        """One iteration is not enough, wherever the linkage is."""
        said = message(slider_crank(START, "push: {joint: guide, displacement: -0.1*sin(9*t)}",
                                    "step: 20 ms, end: 1 s, max_iterations: 1, max_cuts: 0"))
        self.assertIn("no dead point and no motion out of reach was found there", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
