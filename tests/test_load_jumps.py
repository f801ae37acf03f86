#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Loads that jump at the end of a step: a step that ends at the jump has the load before it, a step that begins there the load after it.
So the impulse of forces, moments, pressures and motors is exact when the jumps lie on the ends of steps, whatever the step, with EP and
ED and with the schemes for study. Impulses are products of force and time, by hand."""

import sys

from case_tools import check, need_program, run, verdict
from program import QUICK

import numpy as np

TOP = """torsor: 1
units: SI
signals: {on: {step: {at: 1, from: 0, to: 1}}, off: {step: {at: 1, from: 1, to: 0}}}
"""
HEAD = TOP + """bodies: {b: {mass: 4, inertia: [2, 2, 2]}}
"""
RAIL = "joints: {rail: {type: TYPE, bodies: [ground, b], at: [0, 0, 0], axis: x}}\n"
TAIL = "analysis: {scheme: EP, step: 0.1, end: 2}\n"


def slide(out):
    return 4*out.velocity("b")[:, 0]


def turn(out):
    return 2*out.omega("b")[:, 0]


WAYS = {
    # what pushes, and its impulse so far: of 6 N or 6 N m. The motor turns slowly: angles of a step enter its momentum to second order
    "force": (HEAD + "loads: {push: {type: force, body: b, force: ['6*WHEN', 0, 0]}}\n", slide),
    "moment": (HEAD + "loads: {push: {type: moment, body: b, moment: ['6*WHEN', 0, 0]}}\n", turn),
    "force on a rail": (HEAD + RAIL.replace("TYPE", "prismatic")
                        + "loads: {push: {type: force, body: b, force: ['6*WHEN', '3*WHEN', 0]}}\n", slide),
    "motor that pushes": (HEAD + RAIL.replace("TYPE", "prismatic") + "loads: {push: {type: motor, joint: rail, force: '6*WHEN'}}\n", slide),
    "motor that turns": (HEAD + RAIL.replace("TYPE", "revolute") + "loads: {push: {type: motor, joint: rail, torque: '6e-6*WHEN'}}\n", lambda out: 1e6*turn(out)),
}
IMPULSE = {"on": lambda t: 6*np.maximum(t - 1, 0), "off": lambda t: 6*np.minimum(t, 1), "step(t - 1)": lambda t: 6*np.maximum(t - 1, 0),
           "step(t)": lambda t: 6*t, "if(t < 1, 1, -1)": lambda t: 6*(np.minimum(t, 1) - np.maximum(t - 1, 0))}
STUDIES = ["newmark", "HHT", "generalized_alpha", "RK-trapezoidal", "RK-radau3", "RK-radau5"]


def impulses(schemes, steps):
    """Momentum in every row. Steps of 0.1 s and 0.05 s meet t = 1 s only up to round-off."""
    for scheme in schemes:
        for way, (text, momentum) in WAYS.items():
            for when, impulse in IMPULSE.items():
                for h in steps:
                    out = run(text.replace("WHEN", when) + TAIL, scheme=scheme, step=h)
                    check(f"{scheme}, {way}", f"momentum in every row, {when}, h = {h}", momentum(out) - impulse(out.t), 1e-9, quiet=True)


CUBE = TOP + """materials: {soft: {E: 1e4, nu: 0, density: 4}}
meshes: {cube: {type: box, size: [1, 1, 1], divisions: [1, 1, 1], order: 1}}
solids: {block: {mesh: cube, material: soft}}
loads: {push: {type: LOAD, faces: block.x-, WHAT}}
"""
FACES = {"pressure": "pressure: '6*WHEN'", "surface_load": "force: ['6*WHEN', 0, 0]"}


def faces():
    """A free block of 4 kg under pressure, or a dead load, on one face: its momentum is that of its eight equal nodes."""
    for load, what in FACES.items():
        for scheme in ("EP", "ED"):
            for when, impulse in IMPULSE.items():
                text = CUBE.replace("LOAD", load).replace("WHAT", what).replace("WHEN", when)
                out = run(text + TAIL, scheme=scheme, step=0.05)
                momentum = 4*out.frame["v"][:, :, 0].sum(axis=1)/8
                check(f"{scheme}, {load}", f"momentum in every row, {when}", momentum - impulse(out.t), 1e-9, quiet=True)


def drives():
    """A drive along a table that begins with a slope has no acceleration at the start (Newmark's family asks for it), and no effort."""
    cart = HEAD + RAIL.replace("TYPE", "prismatic") + "motions: {push: {joint: rail, displacement: {table: [[0, 0], [1, 1], [2, 3]]}}}\n"
    for scheme in ("newmark", "generalized_alpha"):
        out = run(cart + TAIL, scheme=scheme, step=0.1)
        row = out.at(0.5)
        check(scheme, "effort of a steady drive", out.force("push")[:row, 0], 1e-6)
        check(scheme, "velocity of a steady drive", out.coordinate_rate("rail", "displacement")[:row] - 1, 1e-9)


def main():
    need_program()
    impulses(["EP", "ED"], [0.1] if QUICK else [0.1, 0.05, 0.02])
    impulses(STUDIES, [0.1])
    faces()
    drives()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
