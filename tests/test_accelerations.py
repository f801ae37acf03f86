#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Accelerations in results: second order in the step in every row, also in the first and the last, against closed forms
and scipy."""

import tempfile
import unittest

import numpy as np
from scipy.integrate import solve_ivp

from module import torsor

G, M, L = 9.81, 2.0, 1.0

PENDULUM = """torsor: 1
units: SI
gravity: [0, 0, -{G}]
bodies:
  rod: {{mass: {M}, inertia: [1e-3, {J}, {J}], position: [{half}, 0, 0]}}
joints: {{hinge: {{type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}}}}
analysis: {{scheme: {scheme}, step: {h}, end: 0.8}}
outputs: {{every: {every}}}
"""

MASS = """torsor: 1
units: SI
bodies: {{A: {{mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0], velocity: [0.5, 0, 0]}}}}
joints: {{rail: {{type: prismatic, bodies: [ground, A], at: [0, 0, 0], axis: x}}}}
springs: {{k: {{type: joint_spring, joint: rail, stiffness: 50}}}}
analysis: {{scheme: {scheme}, step: {h}, end: 1}}
"""

FALL = """torsor: 1
units: SI
gravity: [0, 1, -9.81]
bodies: {{A: {{mass: 2, inertia: [1, 2, 3], velocity: [3, 0, 1]}}}}
analysis: {{scheme: {scheme}, step: 10 ms, end: 100 ms}}
"""

# a body that turns steadily about z with 2 rad/s: its acceleration is -4 x
ROTOR = """torsor: 1
units: SI
bodies: {{hub: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 2], position: [0.5, 0, 0], velocity: [0, 1, 0]}}}}
joints: {{hinge: {{type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}}}}
analysis: {{scheme: {scheme}, step: {h}, end: 0.5}}
"""

BEAM = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
materials: {{rubber: {{E: 5 MPa, nu: 0.4, density: 1100}}}}
sections: {{rod: {{type: circle, radius: 20 mm, material: rubber}}}}
beams: {{b: {{from: [0, 0, 0], to: [1, 0, 0], section: rod, elements: 2, order: 2}}}}
joints: {{hinge: {{type: revolute, bodies: [ground, b.start], at: [0, 0, 0], axis: y}}}}
loads: {{m: {{type: motor, joint: hinge, torque: '-2 N*m*s/rad*hinge.rate'}}}}
analysis: {{scheme: {scheme}, step: {h}, end: 4 ms, tolerance: 1e-15}}
outputs: {{every: {every}}}
"""


def pendulum(scheme, h, every=1):
    return torsor.parse(PENDULUM.format(G=G, M=M, J=M * L**2 / 12, half=L / 2, scheme=scheme, h=h, every=every)).run()


def exact_pendulum(t):
    """Angle acceleration and acceleration of the middle."""
    inertia = M * L**2 / 3
    y = solve_ivp(lambda _, y: [y[1], M * G * L / 2 * np.cos(y[0]) / inertia], (0, 1), [0, 0], t_eval=t, rtol=1e-12, atol=1e-13).y
    alpha = M * G * L / 2 * np.cos(y[0]) / inertia
    sine, cosine, square = np.sin(y[0]), np.cos(y[0]), y[1]**2
    return alpha, -L / 2 * np.column_stack([alpha * sine + square * cosine, 0 * alpha, alpha * cosine - square * sine])


def parts(error):
    """Errors of the first three rows, of those within, and of the last."""
    return np.array([*error[:3], error[3:-1].max(), error[-1]])


class Order(unittest.TestCase):
    def second(self, errors, least=1.75):
        """Errors by step, halved: each falls by four or so, or is nothing but round-off."""
        for coarse, fine in zip(errors, errors[1:]):
            for a, b in zip(coarse, fine):
                self.assertTrue(b < 1e-8 or np.log2(a / b) > least, errors)

    def test_pendulum(self):
        for scheme in ("EP", "ED", "{name: ED, rho_inf: 0.5}"):
            for every in (1, 4):
                found = []
                for h in (0.01, 0.005, 0.0025):
                    r = pendulum(scheme, h, every)
                    alpha, linear = exact_pendulum(r.t)
                    found.append(np.concatenate([parts(abs(r["hinge.angle.acceleration"] - alpha)),
                                                 parts(abs(r["rod.alpha"][:, 1] - alpha)),
                                                 parts(np.abs(r["rod.acceleration"] - linear).max(axis=1))]))
                self.second(found)
                self.assertLess(found[-1].max(), 2e-2)

    def test_spring_and_mass(self):
        """From rest length with 0.5 m/s: x'' = -w 0.5 sin w t with w = 5, of the body and of the coordinate."""
        for scheme in ("EP", "ED"):
            found = []
            for h in (0.01, 0.005, 0.0025):
                r = torsor.parse(MASS.format(scheme=scheme, h=h)).run()
                x = 0.1 * np.sin(5 * r.t)
                found.append(np.concatenate([parts(abs(r["A.acceleration.x"] + 25 * x)),
                                             parts(abs(r["rail.displacement.acceleration"] + 25 * x))]))
            self.second(found)
            self.assertLess(found[-1].max(), 5e-3)

    def test_steady_rotation(self):
        for scheme in ("EP", "ED"):
            found = []
            for h in (0.02, 0.01, 0.005):
                r = torsor.parse(ROTOR.format(scheme=scheme, h=h)).run()
                error = np.abs(r["hub.acceleration"] + 4 * r["hub.position"]).max(axis=1)
                found.append(np.concatenate([parts(error), parts(np.abs(r["hub.alpha"]).max(axis=1))]))
            self.second(found)

    def test_nodes_of_a_beam(self):
        """A rubber rod falls about a hinge, with a damper by a formula: three steps, finer than its fastest waves. Of nodes, in the first row, one within and the last."""
        for scheme in ("EP", "ED"):
            found = []
            for h in (5e-5, 2.5e-5, 1.25e-5):
                r = torsor.parse(BEAM.format(scheme=scheme, h=h, every=round(1e-3 / h))).run()
                found.append(np.column_stack([r["b.2.acceleration"], r["b.end.acceleration"]])[[0, 2, -1]])
            for row in range(3):
                first, second = (np.abs(found[k][row] - found[k + 1][row]).max() for k in range(2))
                self.assertLess(second, 1e-3 * np.abs(found[-1]).max())
                self.assertAlmostEqual(np.log2(first / second), 2, delta=0.25)


class Exact(unittest.TestCase):
    def test_free_fall(self):
        """A scheme with accelerations of its own has them at the ends of steps: not in row 0."""
        for scheme, first in (("EP", 0), ("ED", 0), ("newmark", 1)):
            r = torsor.parse(FALL.format(scheme=scheme)).run()
            wanted = np.tile([0, 1, -9.81], (len(r.t) - first, 1))
            np.testing.assert_allclose(r["A.acceleration"][first:], wanted, rtol=0, atol=1e-9)

    def test_equilibria_are_at_rest(self):
        text = MASS.format(scheme="EP", h=0.1).replace("velocity: [0.5, 0, 0]", "").replace(", step: 0.1, end: 1", "")
        r = torsor.parse(text.replace("scheme: EP", "type: static, increments: 3") + "loads: {f: {type: force, body: A, force: [5, 0, 0]}}\n").run()
        self.assertEqual(np.abs(r["A.acceleration"]).max(), 0)
        self.assertEqual(np.abs(r["rail.displacement.acceleration"]).max(), 0)

    def test_restart(self):
        """Rows that have steps after them are as without the restart."""
        with tempfile.TemporaryDirectory() as folder:
            model = torsor.parse(PENDULUM.format(G=G, M=M, J=M * L**2 / 12, half=L / 2, scheme="EP", h=0.01, every=1))
            whole = model.run(f"{folder}/whole.h5")
            run = torsor.Run.restart(f"{folder}/whole.h5", 40)
            run.record(f"{folder}/rest.h5")
            run.run()
            run.finish()
            rest = torsor.Results(f"{folder}/rest.h5")
            np.testing.assert_array_equal(rest["rod.acceleration"], whole["rod.acceleration"][40:])
            np.testing.assert_array_equal(rest["hinge.angle.acceleration"], whole["hinge.angle.acceleration"][40:])


if __name__ == "__main__":
    unittest.main()
