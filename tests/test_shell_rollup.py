#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Coarse cells of shells under large rotations: a strip rolled up into a full circle by a moment at its end, and a ring
pressed flat. What docs/shells.md says of them ("Coarse cells under large rotations") is what is checked.

With nu = 0 the strip of length L under M = 2 pi EI/L is a circle: its end has turned by 360 degrees and is back at the clamp. A strip of n cells
of 4 nodes turns by n asin(2 pi/n) instead, since the moment of a cell of length l whose directors differ by the angle a is EI sin(a)/l; below n = 2 pi
it has no equilibrium at all. Tolerances against the circle are the errors of the page, rounded up to one digit: a better element passes.
"""
import sys

import case_tools
from case_tools import check, model, need_program, verdict
from program import events, model_file
from test_shell_benchmarks import Shell, words

import numpy as np

LENGTH = 12


class Strip(Shell):
    """The nodes of the strip along its edge y = least, in order."""

    def line(self):
        drawn = self.frame["q"][0, self.slot]
        edge = np.flatnonzero(drawn[:, 1] < drawn[:, 1].min() + 1e-9)
        return self.slot[edge[np.argsort(drawn[edge, 0])]]

    def turned(self):
        """Angles of the directors along the strip at the end, degrees, over full turns."""
        d = self.frame["q"][-1, self.line() + 1]
        return np.degrees(np.unwrap(np.arctan2(-d[:, 0], d[:, 2])))

    def places(self):
        return self.frame["q"][-1, self.line()]


def roll(order, cells):
    return case_tools.solve(Strip, model("e02_end_moment"), order=order, cells=cells, increments=40)


def circle():
    """Against the closed circle: the angle of the end, of 360 degrees, and its distance from the clamp over the length."""
    for order, cells, turn, distance in ((1, 8, 0.2, 0.2), (1, 12, 0.06, 0.06), (1, 16, 0.03, 0.03), (1, 24, 0.02, 0.02), (1, 48, 0.004, 0.004),
                                         (2, 3, 0.06, 0.06), (2, 4, 0.02, 0.02), (2, 6, 0.004, 0.004), (2, 12, 0.001, 0.001)):
        r = roll(order, cells)
        end = abs(r.turned()[-1])
        check("roll-up", f"{words(order, cells)}: the end turns by 360 deg", end/360 - 1, turn, f"{end:.2f} deg")
        check("roll-up", f"{words(order, cells)}: the end is back at the clamp", np.linalg.norm(r.places()[-1] - [0, r.places()[-1][1], 0])/LENGTH, distance)
        length = np.linalg.norm(np.diff(r.places(), axis=0), axis=1).max()/(LENGTH/(cells*order))
        check("roll-up", f"{words(order, cells)}: no cell is stretched", max(0, length - 1), 1e-3)


def sine():
    """4 nodes: n asin(2 pi/n), the softening that the page explains. The thickness adds 5e-4, more where the moment is near its peak. Take this
    check out together with the softening."""
    for cells in (7, 8, 12, 24):
        end, told = abs(roll(1, cells).turned()[-1]), cells*np.degrees(np.arcsin(2*np.pi/cells))
        check("sine", f"4 nodes, {cells}: the end turns by n asin(2 pi/n)", end/told - 1, 2e-3, f"{end:.2f} deg")


def too_few():
    """Fewer than 2 pi cells of 4 nodes: no equilibrium under the whole moment, and none may be pretended. What is found must be a circle."""
    for cells in (3, 4, 6):
        text = case_tools.changed(model("e02_end_moment"), order=1, cells=cells, increments=40)
        with model_file(text) as path:
            done = events("run", path, "-o", path.with_suffix(".h5"), code=(0, 4))[-1]
            end = abs(Strip(path.with_suffix(".h5"), done).turned()[-1])
        refused = done["exit_code"] == 4 and done["t"] <= cells/(2*np.pi) + 1e-9
        check("too few", f"4 nodes, {cells}: refused below {cells/(2*np.pi):.3f} of the moment, or right", 0 if refused or abs(end/360 - 1) < 0.2 else 1, 0,
              f"exit {done['exit_code']} at {done['t']:.3f}")


RING = """torsor: 1
units: SI
parameters:
  order: 1
  cells: 8
materials: {m: {E: 12e6, nu: 0, density: 1}}
shell_sections: {s: {type: shell, material: m, thickness: 0.01}}
meshes: {q: {type: cylinder, radius: 1, length: 0.2, angle: 90 deg, divisions: [cells, 1], order: order}}
shells: {arc: {mesh: q, section: s}}
joints:
  side: {type: support, nodes: arc.left, symmetry: y}
  crown: {type: support, nodes: arc.right, symmetry: x}
loads: {press: {type: edge_load, edges: arc.right, force: [0, -4, 0]}}
analysis: {type: static, increments: 20}
"""


def ring():
    """A quarter of a ring pressed flat, P R^2/EI = 4 on half of its crown: how far the crown goes, over the radius, against 24 cells of 9 nodes."""
    fine = -case_tools.solve(Shell, RING, order=2, cells=24).moved(0, 1, 0)[-1, 1]
    check("ring", "24 cells of 9 nodes and 48 of 4", fine + case_tools.solve(Shell, RING, order=1, cells=48).moved(0, 1, 0)[-1, 1], 1e-3, f"{fine:.4f}")
    for order, cells, tolerance in ((1, 4, 0.2), (1, 6, 0.04), (1, 8, 0.02), (1, 12, 0.01), (2, 3, 0.004), (2, 6, 0.001)):
        found = -case_tools.solve(Shell, RING, order=order, cells=cells).moved(0, 1, 0)[-1, 1]
        check("ring", f"{words(order, cells)}: crown", found - fine, tolerance, f"{found:.4f}")


if __name__ == "__main__":
    need_program()
    for part in (circle, sine, too_few, ring):
        part()
    sys.exit(verdict())
