#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Internal forces and strains of beams at any station (outputs.stations) against statics: a straight cantilever, uniform
or tapered, under loads so small that it stays straight. Shear and moment then follow from equilibrium alone, strains
from the section. What is interpolated must be exact where theory says so, and elsewhere converge as it says.
"""
import sys

from case_tools import check, need_program, verdict
from program import model_file, torsor

import h5py
import numpy as np

# Soft along and stiff in bending: round-off of positions, times EA, and slopes, times the load, stay below EXACT of forces
LENGTH, FORCE, LINE, EXACT = 10, 1e-5, 1e-6, 2e-6
START = dict(EA=1e3, GA2=5e2, GA3=4e2, GJ=8e3, EI2=1e4, EI3=2e4)
END = dict(EA=4e2, GA2=2e2, GA3=2e2, GJ=2e3, EI2=3e3, EI3=5e3)
AXIAL = ("EA", "GA2", "GA3", "GJ", "EI2", "EI3")
PLACES = (0, .07, .123, .25, .391, .5, .618, .77, .9, .987, 1)  # fractions


def section(values):
    return "{" + ", ".join(f"{k}: {v}" for k, v in values.items()) + ", mass: 1}"


def cantilever(order, elements, load, places=PLACES, tapered=True):
    return f"""torsor: 1
units: SI
sections:
  A: {section(START)}
  B: {section(END if tapered else START)}
beams:
  arm: {{from: [0, 0, 0], to: [{LENGTH}, 0, 0], section: A, section_end: B, elements: {elements}, order: {order}}}
  other: {{from: [0, 0, 5], to: [1, 0, 5], section: A, elements: 2, order: 2}}
joints:
  clamp: {{type: rigid, bodies: [ground, arm.start], at: [0, 0, 0]}}
  hold: {{type: rigid, bodies: [ground, other.start], at: [0, 0, 5]}}
loads:
  F: {load}
analysis: {{type: static, increments: 1}}
outputs:
  stations: {{other: 0.3 m, arm: [{", ".join(map(str, places))}]}}
  csv: [arm.station, other.station]
"""


TIP = f"{{type: force, body: arm.end, force: [{FORCE}*t, {2*FORCE}*t, {3*FORCE}*t]}}"
TWIST = f"{{type: moment, body: arm.end, moment: [{FORCE}*t, 0, 0]}}"
SPREAD = f"{{type: line_load, beam: arm, force: [0, 0, {LINE}*t]}}"


def solve(text, table=False):
    """Places along the beam, forces, strains of the last state; of the CSV output instead, if asked for."""
    with model_file(text) as path:
        results = path.with_suffix(".h5")
        torsor("run", path, "-q", "-o", results)
        if table:
            csv = torsor("info", results, "--csv", "arm.station", "other.station").stdout.splitlines()
            return dict(zip([c.split(" [")[0] for c in csv[0].split(",")], map(float, csv[-1].split(","))))
        with h5py.File(results) as f:
            last = f["progress"][0] - 1
            here = f["model/output_stations"]["part"] == b"arm"
            gauss = f["model/stations"]["part"] == b"arm"
            return dict(arc=f["model/output_stations"]["arc"][here], force=f["frames/output_force"][last, here],
                        strain=f["frames/output_strain"][last, here], gauss_arc=f["model/stations"]["arc"][gauss],
                        gauss_force=f["frames/section_force"][last, gauss],
                        gauss_strain=f["frames/section_strain"][last, gauss])


def stiffness(s, tapered=True):
    s = np.asarray(s)[:, None]/LENGTH
    a, b = (np.array([v[k] for k in AXIAL], dtype=float) for v in (START, END if tapered else START))
    return (1 - s)*a + s*b


def tip_forces(s):
    left = LENGTH - np.asarray(s)
    one = np.ones_like(left)
    return FORCE*np.stack([one, 2*one, 3*one, 0*one, -3*left, 2*left], axis=1)


def spread_forces(s):
    left = LENGTH - np.asarray(s)
    return LINE*np.stack([0*left, 0*left, left, 0*left, -left**2/2, 0*left], axis=1)


def relative(got, exact):
    """Column by column, by the largest force and moment, or strain and curvature."""
    scale = np.repeat([abs(exact[:, :3]).max() or 1, abs(exact[:, 3:]).max() or 1], 3)
    return abs(got - exact)/scale


def rate(errors):
    """From the last two meshes, each twice as fine as the one before."""
    return np.log2(errors[-2]/errors[-1])


def tip_load():
    # one point per element: the line through two; otherwise the element's own polynomial, p points: O(h^p)
    theory = {1: 2, 2: 2, 3: 3}
    for order in (1, 2, 3):
        errors = []
        for elements in (4, 8, 16, 32):
            r = solve(cantilever(order, elements, TIP))
            check("tip load", f"order {order}, {elements} elements: places", r["arc"]/LENGTH - PLACES, 1e-14, quiet=True)
            exact = tip_forces(r["arc"])
            check("tip load", f"order {order}, {elements} elements: forces, shear constant and moment linear",
                  relative(r["force"], exact), EXACT)
            strain = exact/stiffness(r["arc"])
            errors.append(relative(r["strain"], strain)[:, 4:].max())
        check("tip load", f"order {order}: curvature of the tapered beam converges with power {rate(errors):.2f}, "
              f"theory {theory[order]}", max(0, theory[order] - .25 - rate(errors)), 0, f"errors {errors}")
        r = solve(cantilever(order, 3, TIP, tapered=False))
        check("tip load", f"order {order}, uniform: strains are exact too",
              relative(r["strain"], tip_forces(r["arc"])/stiffness(r["arc"], False)), EXACT)
        r = solve(cantilever(order, 1, TWIST))
        exact = np.zeros((len(PLACES), 6))
        exact[:, 3] = FORCE
        check("tip load", f"order {order}, one element twisted: torque", relative(r["force"], exact), EXACT)


def spread_load():
    # what is a polynomial of degree p - 1 (of degree 1 for p = 1) is exact: Q always, M for p = 3
    for order in (1, 2, 3):
        errors = []
        for elements in (4, 8, 16):
            r = solve(cantilever(order, elements, SPREAD))
            error = relative(r["force"], spread_forces(r["arc"]))
            check("line load", f"order {order}, {elements} elements: shear", error[:, :3], EXACT)
            errors.append(error[:, 4].max())
        if order == 3:
            check("line load", "order 3: moment", errors, EXACT)
        else:
            check("line load", f"order {order}: moment converges with power {rate(errors):.2f}, theory 2",
                  max(0, 1.8 - rate(errors)), 0, f"errors {errors}")


def gauss_points():
    """Asked for at Gauss points, what is stored there anyway; large loads."""
    big = "{type: force, body: arm.end, force: [1*t, 20*t, 30*t]}"
    for order in (1, 2, 3):
        r = solve(cantilever(order, 4, big))
        places = [f"{s!r} m" for s in r["gauss_arc"].tolist()]
        again = solve(cantilever(order, 4, big, places))
        check("Gauss points", f"order {order}: forces", relative(again["force"], r["gauss_force"]), 1e-12)
        check("Gauss points", f"order {order}: strains", relative(again["strain"], r["gauss_strain"]), 1e-12)


def jump():
    """A force in the middle, at a node between elements of order 2: nothing of it beyond, all of it before."""
    middle = f"{{type: force, body: arm.5, force: [0, 0, {FORCE}*t]}}"
    r = solve(cantilever(2, 4, middle, places=(.3, .4999, .5, .5001, .8)))
    check("jump", "shear at a node is that of the element behind", r["force"][:, 2]/FORCE - [1, 1, 0, 0, 0], EXACT)


def table():
    text = cantilever(2, 3, TIP)
    r, csv = solve(text), solve(text, table=True)
    for k, place in enumerate(r["arc"], 1):
        for j, name in enumerate(("N", "Q2", "Q3", "M1", "M2", "M3")):
            check("table", f"{place} {name}", csv[f"arm.station.{k}.{name}"] - r["force"][k - 1, j], 0, quiet=True)
        for j, name in enumerate(("Gamma1", "Gamma2", "Gamma3", "kappa1", "kappa2", "kappa3")):
            check("table", f"{place} {name}", csv[f"arm.station.{k}.{name}"] - r["strain"][k - 1, j], 0, quiet=True)
    check("table", "the other beam has one station", "other.station.2.N" in csv or "other.station.1.N" not in csv, 0)


if __name__ == "__main__":
    need_program()
    tip_load()
    spread_load()
    gauss_points()
    jump()
    table()
    sys.exit(verdict())
