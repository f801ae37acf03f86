#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Solids in large stretch: an element must not be unstable where the material is not.

A hollow ball of neo-Hookean rubber, radii 1 and 1.2, is blown up. Its pressure over the stretch s of the inner radius is, for an
incompressible material, p = g(s_b) - g(s), g(s) = mu (2/s + 1/(2 s^4)), s_b the stretch of the outer radius (A. E. Green, W. Zerna,
Theoretical Elasticity (1968), 3.10): it rises to 0.2251 mu at s = 1.5 and falls. Elements whose volumetric share is taken at fewer points,
and those with enhanced strains, leave the ball on a false branch. The defaults must not; other forms must say so.

tests/test_solid.c has the stiffness of one stretched element.
"""
import sys

from case_tools import check, need_program, verdict
from program import model_file, torsor

import numpy as np

BALLOON = """torsor: 1
units: SI
parameters: {n: 3, k: 2, order: 1, mu: 1e6, kappa: 1e9}
materials:
  rubber: {type: neo_hookean, mu: mu, kappa: kappa, density: 1000}
meshes:
  wedge: {type: patch, x: w/sqrt(1 + tan(u)^2 + tan(v)^2), y: w*tan(u)/sqrt(1 + tan(u)^2 + tan(v)^2), z: w*tan(v)/sqrt(1 + tan(u)^2 + tan(v)^2), u: [0, pi/4], v: [0, pi/4], w: [1, 1.2], divisions: [n, n, k], order: order}
solids:
  ball: {mesh: wedge, material: rubber}
joints:
  y0: {type: support, nodes: ball.u-, symmetry: y}
  z0: {type: support, nodes: ball.v-, symmetry: z}
  xy: {type: support, nodes: ball.u+, symmetry: x, axes: {axis: z, angle: -45 deg}}
  xz: {type: support, nodes: ball.v+, symmetry: x, axes: {axis: y, angle: 45 deg}}
loads:
  gas: {type: pressure, faces: ball.w-, pressure: mu}
analysis: {type: static, method: arc_length, increments: 20, max_displacement: 2.5, max_points: 40}
outputs: {csv: [ball.u-/v-/w-.displacement.x]}
"""
TOP = 0.2251384  # of the closed form, over mu


def pressure(stretch):
    def g(s):
        return 2/s + 1/(2*s**4)
    return g((1.2**3 - 1 + stretch**3)**(1/3)/1.2) - g(stretch)


def blown(fields="", code=0, **parameters):
    """Stretches and pressures over mu along the path (none where the run may fail), and what the program says."""
    text = BALLOON.replace("material: rubber}", f"material: rubber{fields}}}")
    for name, value in parameters.items():
        old = {"n": "n: 3", "k": "k: 2", "order": "order: 1,", "kappa": "kappa: 1e9"}[name]
        text = text.replace(old, f"{name}: {value}" + ("," if name == "order" else ""), 1)
    with model_file(text) as path:
        table = path.with_suffix(".csv")
        done = torsor("run", path, "-o", path.with_suffix(".h5"), "--csv", table, code=code)
        rows = np.loadtxt(table, delimiter=",", skiprows=1) if code == 0 else np.zeros((0, 2))
    return 1 + rows[:, 1], rows[:, 0], done.stdout + done.stderr


def defaults():
    """Flat cells, two and six layers; order 2. The whole path, and the largest pressure."""
    for name, off, parameters in (("hex8, 3 x 3 x 2", 0.01, {}),
                                  ("hex8, kappa/mu = 1e4", 0.01, {"kappa": "1e10"}),
                                  ("hex8, six layers", 0.005, {"n": 4, "k": 6}),
                                  ("hex27", 0.02, {"order": 2, "n": 2, "k": 1})):
        stretch, p, said = blown(**parameters)
        exact = np.array([pressure(s) for s in stretch])
        check("balloon", f"{name}: pressure over the path to {stretch[-1]:.2f} times its size", (p - exact)/TOP, off)
        check("balloon", f"{name}: goes on beyond 3.4", min(0, stretch[-1] - 3.4), 0)
        check("balloon", f"{name}: largest pressure {p.max():.4f} mu", p.max()/TOP - 1, off)
        check("balloon", f"{name}: nothing is told", 0 if "stretch of a solid" not in said else 1, 0)


def ranges():
    """Forms that leave the ball are said to: the words name the cell and what to take."""
    for name, fields, parameters in (("enhanced", ", enhanced: true", {}),
                                     ("enhanced, integrated in full", ", enhanced: true, volumetric: full", {}),
                                     ("hex27, reduced", ", volumetric: reduced", {"order": 2, "n": 2, "k": 1})):
        said = blown(fields, code=(0, 4), **parameters)[2]
        told = "resolution: coarse: " in said or "resolution: not resolved: " in said
        check("ranges", f"{name}: the run is called coarse", 0 if told else 1, 0)
        line = [x for x in said.splitlines() if "  stretch of a solid, relative to the valid range of its element" in x]
        check("ranges", f"{name}: the stretch is named, with its cell", 0 if line and "'ball', cell" in line[0] else 1, 0)


if __name__ == "__main__":
    need_program()
    for test in (defaults, ranges):
        if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]:
            test()
    sys.exit(verdict())
