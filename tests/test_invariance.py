#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same model in other units, elsewhere, and turned as a whole: its motion must be the same to round-off.

Units only multiply numbers, a place far away only adds to them, a rotation only mixes them. So whatever compares a length with
a number of metres, counts the distance to the origin as a size, or prefers an axis, shows here.
"""
import resource
import subprocess
import sys

from case_tools import check, h5py, need_program, np, verdict
from program import PROGRAM, events, model_file, torsor

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
  elastic: {{E: 5e6, nu: 0.25, density: 100}}
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
TURNED = turn((1, 2, 3), 1.1)
PLACES = {
    "in um, mg, us": Place(length="um", mass="mg", time="us"),
    "in mm, t, s": Place(length="mm", mass="t"),
    "in km, kg, h": Place(length="km", time="h"),
    "turned": Place(R=TURNED),
    "turned, far away, in um": Place((1e4, -2e4, 3e4), TURNED, length="um"),
}
DYNAMICS = "analysis: {scheme: SCHEME, step: 0.01, end: 0.2, tolerance: 1e-15}"  # the same but for round-off
STATICS = "analysis: {type: static, increments: 2}"
EPS = 2.2e-16


def motion(model, w, analysis):
    """Places of all nodes over time, as the first model has them; the end of the run as the program says it."""
    with model_file(model(w, analysis)) as path:
        results = path.with_suffix(".h5")
        told = events("run", path, "-o", results)
        with h5py.File(results) as file:
            named = file["model/node_numbers"][:] >= 0  # not those within elements
            slots = file["model/nodes"]["slot"][named]
            frames = file["progress"][0]
            return w.back(file["frames/q"][:frames, slots[1:]]), told[-1]


def same_everywhere():
    """Motions, equilibria and the work that they take."""
    for model in MODELS:
        for analysis in [DYNAMICS.replace("SCHEME", "EP"), DYNAMICS.replace("SCHEME", "ED"), STATICS]:
            if model is mechanism and analysis is STATICS:
                continue  # it would fall
            case = f"{model.__name__} {analysis[10:]}"
            x, first = motion(model, Place(), analysis)
            for what, w in PLACES.items():
                y, told = motion(model, w, analysis)
                far = np.linalg.norm(w.shift)
                check(case, f"the same {what}", y - x, 1e-12 + 100 * EPS * far, quiet=True)
                if far == 0:
                    check(case, f"iterations {what}", told["iterations"] / first["iterations"] - 1, 0.2, quiet=True)


def far_away():
    """Two thousand kilometres from the origin: one millionth of the size is what round-off leaves, and there is a warning."""
    head, body = "torsor: 1\nunits: SI\ngravity: [0, 0, -9.81]\n", "mass: 1, inertia: [0.1, 0.1, 0.1]"

    def two(w, _):
        return f"""{head}bodies:
  a: {{{body}, position: {w.p(.5, 0, 0)}}}
  b: {{{body}, position: {w.p(1.5, 0, 0)}}}
joints:
  hinge: {{type: revolute, bodies: [ground, a], at: {w.p(0, 0, 0)}, axis: y}}
  rod: {{type: distance, bodies: [a, b], from: {w.p(1, 0, 0)}, to: {w.p(1.5, .1, 0)}}}
springs:
  pull: {{bodies: [ground, b], from: {w.p(2, 1, 0)}, to: {w.p(1.5, 0, .1)}, stiffness: 50, damping: 1}}
analysis: {{scheme: EP, step: 0.01, end: 0.5}}
"""
    w = Place((1e6, 2e6, -1e6))
    x, _ = motion(two, Place(), "")
    y, _ = motion(two, w, "")
    check("far", "a linkage far away", y - x, 1e-6)
    with model_file(two(w, "")) as path:
        check("far", "warning", "times its size away from the origin" not in torsor("check", path).stderr, 0)
    with model_file(two(Place((1e3, 0, 0)), "")) as path:
        check("far", "no warning near by", "WARNING" in torsor("check", path).stderr, 0)


def light_on_heavy():
    """A pendulum on a foundation of any mass swings as one on the ground: the first hinge does not move by more than the ratio."""
    def hung(M):
        return f"""torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies:
  base: {{mass: {M}, inertia: [{M}, {M}, {M}], position: [0, 0, 0]}}
  light: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}}
joints:
  rail: {{type: prismatic, bodies: [ground, base], at: [0, 0, 0], axis: x}}
  pin: {{type: revolute, bodies: [base, light], at: [0, 0, 0], axis: y}}
analysis: {{scheme: EP, step: 0.01, end: 0.5}}
"""
    x, first = motion(lambda w, _: hung(1e6), Place(), "")
    for M in (1e9, 1e12, 1e15):
        y, told = motion(lambda w, _, M=M: hung(M), Place(), "")
        check("light", f"on {M:g} kg", y - x, 2e-6)
        check("light", f"iterations on {M:g} kg", told["iterations"] / first["iterations"] - 1, 0.2)


def whole_steps():
    """Three steps of 0.3 s do not reach 1 s, and it says so."""
    with model_file(mechanism(Place(), "analysis: {scheme: ED, step: 0.3, end: 1}")) as path:
        check("steps", "where it ends", "to t = 0.9 s (not 1 s: whole steps only)" not in torsor("check", path).stdout, 0)


def file_limit():
    """A file larger than the limit of the shell: an error, not the end by a signal; no file is left."""
    with model_file(mechanism(Place(), "analysis: {scheme: ED, step: 0.001, end: 40}")) as path:
        limit = 100000
        done = subprocess.run([PROGRAM, "run", path, "-o", path.with_suffix(".h5")], capture_output=True, text=True, timeout=60,
                              check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        check("limit", "exit code 3", done.returncode - 3, 0)
        check("limit", "says why", "cannot write" not in done.stderr, 0)
        check("limit", "no file", path.with_suffix(".h5").exists(), 0)


def main():
    need_program()
    same_everywhere(), far_away(), light_on_heavy(), whole_steps(), file_limit()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
