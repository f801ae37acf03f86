#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Cables in whole runs: the vibrating string, by `torsor modes` and in motion; a rope drawn under tension stays where it is."""
import sys

from case_tools import check, need_program, run, verdict
from program import modes_of

import numpy as np

STRING = """torsor: 1
units: SI
cables:
  wire: {from: [0, 0, 0], to: [2, 0, 0], EA: 1e5, mass: 0.02, tension: 80, elements: %d, order: %d}
joints:
  left: {type: spherical, bodies: [ground, wire.start], at: [0, 0, 0]}
  right: {type: spherical, bodies: [ground, wire.end], at: [2, 0, 0]}
analysis: {end: 0.1, step: 1 ms}
"""


def string():
    """n/(2 L) sqrt(T/m), twice each (two planes); mass per length as drawn, that is per stretched length."""
    mass = 0.02/(1 + 80/1e5)
    exact = np.arange(1, 4)/4*np.sqrt(80/mass)
    error = {}
    for elements, order in ((8, 1), (16, 1), (4, 2), (8, 2), (12, 3)):
        found = np.array([m["frequency"] for m in modes_of(STRING % (elements, order), 20)])
        check("string", "two planes alike", found[0:6:2]/found[1:6:2] - 1, 1e-9, quiet=True)
        error[elements, order] = abs(found[0]/exact[0] - 1)
        tolerance = {1: 8e-2, 2: 3e-2, 3: 1e-4}[order]
        check("string", f"{elements} elements of order {order}: three lowest", found[0:6:2]/exact - 1, tolerance)
    check("string", "order 1 converges with h^2", np.log2(error[8, 1]/error[16, 1]) - 2, 0.05)
    check("string", "order 2 converges with h^4", np.log2(error[4, 2]/error[8, 2]) - 4, 0.4)


def rest():
    out = run(STRING % (8, 2), case="rest")
    check("rest", "the wire stays", out.frame["q"][-1] - out.frame["q"][0], 1e-12)
    check("rest", "its pull on the wall", np.linalg.norm(out.force("left")[-1])/80 - 1, 1e-12)


if __name__ == "__main__":
    need_program()
    string(), rest()
    sys.exit(verdict())
