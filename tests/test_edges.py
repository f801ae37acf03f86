#!/usr/bin/env python3
"""The same model in other units, elsewhere, and turned as a whole: its motion must be the same to round-off.

Units only multiply numbers, a place far away only adds to them, a rotation only mixes them. So whatever compares a length with
a number of metres, counts the distance to the origin as a size, or prefers an axis, shows here.
"""
import sys

from case_tools import check, h5py, need_program, np, verdict
from program import answer, events, model_file

SCALE = {"um": 1e-6, "mm": 1e-3, "m": 1, "km": 1e3, "mg": 1e-6, "kg": 1, "t": 1e3, "us": 1e-6, "ms": 1e-3, "s": 1, "h": 3600}


def turn(axis, angle):
    """A matrix, after Rodrigues."""
    n = np.array(axis, dtype=float) / np.linalg.norm(axis)
    N = np.cross(np.eye(3), n).T
    return np.eye(3) + np.sin(angle) * N + (1 - np.cos(angle)) * N @ N


class Place:
    """Where the model stands, how it is turned, and its units."""

    def __init__(self, shift=(0, 0, 0), R=None, length="m", mass="kg", time="s"):
        self.shift, self.R, self.units = np.array(shift, dtype=float), np.eye(3) if R is None else R, (length, mass, time)

    def p(self, *x):
        return self._list(self.R @ np.array(x) + self.shift)

    def v(self, *x):
        return self._list(self.R @ np.array(x))

    def rotation(self):
        return "{matrix: [" + ", ".join(self._list(row) for row in self.R) + "]}"

    def head(self, g=(0, 2, -9.81)):
        length, mass, time = self.units
        return f"torsor: 1\nunits: {{length: {length}, mass: {mass}, time: {time}}}\ngravity: {self.v(*g)}\n"

    def back(self, x):
        """Places as the first model has them, from metres."""
        return (x / SCALE[self.units[0]] - self.shift) @ self.R

    @staticmethod
    def _list(x):
        return "[" + ", ".join(f"{y:.17g}" for y in x) + "]"


def mechanism(w, analysis):
    """Bodies on most of the joints, springs, a motor, a motion, loads."""
    body = f"mass: 1, inertia: [0.01, 0.08, 0.09], orientation: {w.rotation()}"
    return f"""{w.head()}
bodies:
  a: {{{body}, position: {w.p(.5, 0, 0)}}}
  b: {{{body}, position: {w.p(1.5, 0, 0)}}}
  c: {{{body}, position: {w.p(2.5, 0, 0)}}}
  d: {{{body}, position: {w.p(0, 1, .5)}}}
  e: {{{body}, position: {w.p(1, 1, .5)}}}
  f: {{{body}, position: {w.p(2, 1, .5)}}}
joints:
  hinge: {{type: revolute, bodies: [ground, a], at: {w.p(0, 0, 0)}, axis: {w.v(0, 1, 0)}}}
  ball: {{type: spherical, bodies: [a, b], at: {w.p(1, 0, 0)}}}
  cross: {{type: universal, bodies: [b, c], at: {w.p(2, 0, 0)}, axis: {w.v(0, 1, 0)}, axis_b: {w.v(0, 0, 1)}}}
  tube: {{type: cylindrical, bodies: [ground, d], at: {w.p(0, 1, .5)}, axis: {w.v(0, 0, 1)}}}
  thread: {{type: screw, bodies: [d, e], at: {w.p(.5, 1, .5)}, axis: {w.v(0, 1, 0)}, pitch: 0.1}}
  slider: {{type: prismatic, bodies: [e, f], at: {w.p(1.5, 1, .5)}, axis: {w.v(1, 0, 0)}}}
  rod: {{type: distance, bodies: [c, f], from: {w.p(2.5, .1, 0)}, to: {w.p(2, .9, .5)}}}
springs:
  pull: {{bodies: [ground, c], from: {w.p(3, 1, 0)}, to: {w.p(3, 0, 0)}, stiffness: 50, damping: 1, free_length: 0.8}}
  rubber: {{type: bushing, bodies: [a, d], at: {w.p(.2, .5, .2)}, frame: {w.rotation()}, stiffness: [9, 8, 7, 3, 2, 1],
            damping: [1, 1, 1, .1, .1, .1]}}
  coil: {{type: torsion_spring, joint: hinge, stiffness: 5, damping: 0.2}}
  stop: {{type: joint_spring, joint: slider, stiffness: 30, stop_max: 0.01, stop_stiffness: 1000}}
loads:
  motor: {{type: motor, joint: tube, coordinate: angle, torque: 2*sin(3*t)}}
  push: {{type: force, body: f, at: {w.p(2, 1, .8)}, force: {w.v(1, -2, 3)}}}
  follow: {{type: moment, body: b, moment: [0.1, 0.2, 0.3], follower: true}}
{analysis}"""


def beams(w, analysis):
    """A beam on a hinge with a rope and a mass at its end."""
    return f"""{w.head()}
sections:
  bar: {{EA: 1e5, GA2: 4e4, GA3: 4e4, GJ: 8, EI2: 10, EI3: 20, mass: 1, inertia: [0.002, 0.001, 0.001]}}
beams:
  arm: {{from: {w.p(0, 0, 0)}, to: {w.p(1, 0, 0)}, axis2: {w.v(0, 1, 0)}, section: bar, elements: 4, order: 2}}
cables:
  rope: {{from: {w.p(1, 0, 0)}, to: {w.p(1.5, 1, 0)}, EA: 500, mass: 0.1, elements: 4, length: 1}}
masses:
  bob: {{body: arm.end, mass: 0.3, inertia: [0.01, 0.01, 0.01]}}
joints:
  foot: {{type: revolute, bodies: [ground, arm.start], at: {w.p(0, 0, 0)}, axis: {w.v(0, 1, 0)}}}
  eye: {{type: spherical, bodies: [arm.end, rope.start], at: {w.p(1, 0, 0)}}}
  nail: {{type: spherical, bodies: [ground, rope.end], at: {w.p(1.5, 1, 0)}}}
springs:
  coil: {{type: torsion_spring, joint: foot, stiffness: 5}}
loads:
  wind: {{type: line_load, beam: arm, force: [0, 1, 0.5], follower: true}}
{analysis}"""


def shell(w, analysis):
    """A clamped plate under pressure."""
    return f"""{w.head()}
materials:
  elastic: {{E: 2e5, nu: 0.25, density: 100}}
shell_sections:
  sheet: {{type: shell, material: elastic, thickness: 0.02}}
meshes:
  plate: {{type: plate, size: [1, 0.5], divisions: [4, 2], position: {w.p(0, 0, 0)}, rotation: {w.rotation()}}}
shells:
  skin: {{mesh: plate, section: sheet}}
joints:
  clamp: {{type: support, nodes: skin.x-}}
loads:
  wind: {{type: pressure, faces: skin, pressure: 2}}
{analysis}"""


def solid(w, analysis):
    """A clamped block with a body hung on a coupling."""
    return f"""{w.head()}
materials:
  rubber: {{type: neo_hookean, E: 2e4, nu: 0.3, density: 100}}
meshes:
  block: {{type: box, size: [1, 0.25, 0.25], divisions: [4, 1, 1], position: {w.p(0, 0, 0)}, rotation: {w.rotation()}}}
solids:
  bar: {{mesh: block, material: rubber}}
bodies:
  bob: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: {w.p(1.3, .125, .125)}, orientation: {w.rotation()}}}
couplings:
  end: {{type: weighted, nodes: bar.x+, at: {w.p(1, .125, .125)}, axes: {w.rotation()}}}
joints:
  clamp: {{type: support, nodes: bar.x-}}
  weld: {{type: rigid, bodies: [end, bob], at: {w.p(1, .125, .125)}}}
{analysis}"""


MODELS = [mechanism, beams, shell, solid]


def motion(model, w, analysis):
    """Places of all nodes over time, as the first model has them; the end of the run as the program says it."""
    with model_file(model(w, analysis)) as path:
        results = path.with_suffix(".h5")
        told = events("run", path, "-o", results)
        with h5py.File(results) as file:
            slots = file["model/nodes"]["slot"][1:]  # but the ground
            frames = file["progress"][0]
            return w.back(file["frames/q"][:frames, slots]), told


def frequencies(model, w, analysis):
    with model_file(model(w, analysis)) as path:
        modes = answer("modes", path, "-n", 4, *(["--static"] if 0 else []))["modes"]
    return np.array([mode["frequency"] for mode in modes]) * SCALE[w.units[2]]
