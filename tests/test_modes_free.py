#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Modes of models that can move freely, at rest and in rotation: free motions are counted, named and marked, unstable ones
have their growth, and no frequency is lost beside them. Against closed forms and the benchmark bicycle's published
eigenvalues (Meijaard et al. 2007, table 2, speed zero). Random mechanisms are in test_modes_dense.c.
"""
import sys

from case_tools import check, model, need_program, verdict
from program import answer, model_file, torsor

import numpy as np

G = 9.81


def found(text, *options, count=10):
    with model_file(text) as path:
        return answer("modes", path, "-n", count, *options)


def omegas(result):
    return np.array([m["omega"] for m in result["modes"]])


def growths(result):
    return np.array([m["growth"] for m in result["modes"]])


def count_free(case, what, result, free, total):
    check(case, f"{what}: free motions", result["free_motions"] - free, 0)
    check(case, f"{what}: marked as free", sum(m["rigid"] for m in result["modes"]) - free, 0)
    check(case, f"{what}: modes in all", len(result["modes"]) - total, 0)


def named(case, what, result, words):
    texts = [m["free_motion"] for m in result["modes"] if m["rigid"]]
    check(case, f"{what}: one is {words}", 0 if words in texts else 1, 0, "; ".join(texts))


# ---- at rest ----

CRANE = """
torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies:
  trolley: {mass: 300, inertia: [10, 10, 10], position: [0, 0, 10]}
  load: {mass: 1000, inertia: [100, 100, 100], position: [0, 0, 5]}
joints:
  rail: {type: prismatic, bodies: [ground, trolley], at: [0, 0, 10], axis: x}
  hook: {type: universal, bodies: [trolley, load], at: [0, 0, 10], axis: x, axis_b: y}
"""

CART = """
torsor: 1
units: SI
gravity: [0, 0, %g]
bodies:
  cart: {mass: 3, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}
  rod: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0.3, 0.2, -0.5]}
joints:
  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: %s}
  pin: {type: revolute, bodies: [cart, rod], at: [0.3, 0.2, 0], axis: %s}
"""

WHEEL = """
torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies:
  wheel: {mass: 3, inertia: [0.1, 0.2, 0.1], position: [5, 0, 0]}
  rod: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0, 0, -0.5]}
joints:
  axle: {type: revolute, bodies: [ground, wheel], at: [5, 0, 0], axis: %s}
  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}
"""


def crane():
    result = found(CRANE)
    swing, inertia = 1000*G*5, 100 + 1000*5**2
    across, along = np.sqrt(swing/inertia), np.sqrt(swing/(inertia - (1000*5)**2/1300))
    count_free("B20", "crane", result, 1, 3)
    check("B20", "crane: frequencies", omegas(result)[1:]/[across, along] - 1, 1e-12)
    named("B20", "crane", result, "'trolley', 'load' along (1, 0, 0)")
    held = CRANE + "springs:\n  hold: {type: joint_spring, joint: rail, stiffness: 1e-3}\n"
    soft = found(held)
    count_free("B20", "crane on a soft spring", soft, 0, 3)
    check("B20", "crane on a soft spring: its frequency", soft["modes"][0]["omega"]/np.sqrt(1e-3/1300) - 1, 1e-6)
    damped = found(CRANE + "springs:\n  brake: {type: joint_spring, joint: rail, damping: 13}\n")
    count_free("B20", "crane with a brake", damped, 1, 4)
    slow = [m["growth"] for m in damped["modes"] if m["omega"] == 0 and not m["rigid"]]
    mass, stiff, brake = np.array([[1300, -5000], [-5000, inertia]]), np.diag([0, swing]), np.diag([13.0, 0])
    first = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(mass, stiff), -np.linalg.solve(mass, brake)]])
    exact = [v.real for v in np.linalg.eigvals(first) if abs(v.imag) < 1e-9 and abs(v) > 1e-6]
    check("B20", "crane with a brake: it runs out", np.array(slow)/exact - 1, 1e-9)


def carts():
    inertia = 0.1 + 0.5**2 - 0.5**2/4
    result = found(CART % (-G, "x", "y"))
    count_free("B20", "cart", result, 1, 2)
    check("B20", "cart: frequency", result["modes"][1]["omega"]/np.sqrt(G*0.5/inertia) - 1, 1e-12)
    result = found(CART % (G, "[1, 0.3, 0]", "[0.3, -1, 0]"))
    count_free("B20", "cart under a standing rod", result, 1, 2)
    check("B20", "cart under a standing rod: growth", growths(result)[0]/np.sqrt(G*0.5/inertia) - 1, 1e-12)
    named("B20", "cart under a standing rod", result, "'cart', 'rod' along (0.9578, 0.2873, 0)")


def wheels():
    for axis, words in (("y", "(0, 1, 0)"), ("[0.3, 1, 0]", "(0.2873, 0.9578, 0)")):
        result = found(WHEEL % axis)
        count_free("B20", f"wheel about {axis}", result, 1, 2)
        check("B20", f"pendulum beside a wheel about {axis}",
              result["modes"][1]["omega"]/np.sqrt(G*0.5/(0.1 + 0.25)) - 1, 1e-12)
        named("B20", f"wheel about {axis}", result, f"'wheel' about {words} through (5, 0, 0) m")


def rolling():
    result = found(model("benchmark_bicycle"))
    count_free("B20", "bicycle", result, 1, 3)
    published = np.array([5.53094371765393, 3.13164324790656])
    check("B20", "bicycle at rest: growth of its two ways to fall", growths(result)[:2]/published - 1, 1e-9)
    result = found(model("rolling_disc_upright"))
    count_free("B20", "disc", result, 2, 3)
    M, r = 2, 0.5
    check("B20", "disc at rest: growth of its fall", growths(result)[0]/np.sqrt(M*G*r/(M*r*r/4 + M*r*r)) - 1, 1e-10)


def many():
    """More free motions than modes are asked for: the number is told all the same, by both searches."""
    head = "torsor: 1\nunits: SI\nbodies:\n"
    for bodies in (5, 60):
        text = head + "".join(f"  b{i}: {{mass: 1, inertia: [1, 1, 1], position: [{i}, 0, 0]}}\n" for i in range(bodies))
        result = found(text, count=3)
        check("B20", f"{bodies} free bodies: free motions", result["free_motions"] - 6*bodies, 0)
        check("B20", f"{bodies} free bodies: modes listed", len(result["modes"]) - 3, 0)


# ---- in rotation ----

ARM = """
torsor: 1
units: SI
bodies:
  arm: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}
joints:
  pin: {type: spherical, bodies: [ground, arm], at: [0, 0, 0]}
"""

STRING = """
torsor: 1
units: SI
cables:
  tether: {from: [0, 0, 0], to: [1, 0, 0], EA: %g, mass: 1, elements: %d, order: 2}
joints:
  pin: {type: spherical, bodies: [ground, tether.start], at: [0, 0, 0]}
"""


def rotation():
    for speed in (0.1, 10, 1000):
        result = found(ARM, "--spin", f"[0, 0, {speed}]")
        count_free("B15", f"arm, {speed} rad/s", result, 2, 3)
        check("B15", f"arm, {speed} rad/s: nothing grows", growths(result), 0)
        check("B15", f"arm, {speed} rad/s: it keeps its plane in space", result["modes"][-1]["omega"]/speed - 1, 1e-9)
    for elements, stiff in ((10, 1e6), (60, 1e6), (10, 1e9)):
        result = found(STRING % (stiff, elements), "--spin", "[0, 0, 10]", count=6)
        what = f"string, {elements} elements, EA {stiff:g} N"
        count_free("B15", what, result, 1, 6)
        check("B15", f"{what}: nothing grows", growths(result), 0)
        k = np.array([1, 3, 5])  # Legendre's polynomials: W^2 k (k + 1)/2 out of the plane, less W^2 in it
        exact = 10*np.sqrt(np.sort(np.concatenate([k*(k + 1)/2, k*(k + 1)/2 - 1])))
        check("B15", f"{what}: frequencies", omegas(result)[1:]/exact[1:] - 1, 2e-3)


# ---- rotors on supports ----

ROTOR = """
torsor: 1
units: SI
points:
  foot: [0, 0, 0]
  hub: [-1, 0, 10]
sections:
  pole: {EA: 1e9, GA2: 4e8, GA3: 4e8, GJ: 8e7, EI2: 1e8, EI3: 1e8, mass: 100}
  blade: {EA: 1e8, GA2: 4e7, GA3: 4e7, GJ: 1e6, EI2: 1e6, EI3: 2e6, mass: 10}
beams:
  tower: {from: foot, to: [0, 0, 10], section: pole, axis2: y, elements: 3, order: 2}
  one: {from: hub, to: [-1, 0, 15], section: blade, axis2: x, elements: 4, order: 2}
  two: {from: hub, to: [-1, 0, 5], section: blade, axis2: x, elements: 4, order: 2}
bodies:
  head: {mass: 200, inertia: [50, 50, 50], position: [0, 0, 10]}
  nose: {mass: 100, inertia: [20, 20, 20], position: hub}
joints:
  base: {type: rigid, bodies: [ground, tower.start], at: foot}
  top: {type: rigid, bodies: [tower.end, head], at: [0, 0, 10]}
  shaft: {type: revolute, bodies: [%s, nose], at: hub, axis: x}
  root1: {type: rigid, bodies: [nose, one.start], at: hub}
  root2: {type: rigid, bodies: [nose, two.start], at: hub}
"""
DRIVE = "motions:\n  turn: {joint: shaft, speed: 2}\n"


def refused(what, text, words, *options, expected=2):
    with model_file(text) as path:
        done = torsor("modes", path, *options, code=tuple(range(10)))
    check("B8", f"{what}: exit code {expected}", done.returncode - expected, 0)
    for word in words:
        check("B8", f"{what}: the message names {word}", 0 if word in done.stderr else 1, 0, done.stderr.strip()[:90])


def support():
    spin = ("--spin", "[2, 0, 0]", "--about", "hub")
    tower = ROTOR % "head"
    for what, text in (("free shaft", tower), ("driven shaft", tower + DRIVE)):
        refused(what, text, ("'tower'", "'shaft'", "Floquet", "run the model in time"), *spin)
    refused("rotation about another place", tower + DRIVE, ("'shaft'", "(-1, 0, 10)", "--about"), "--spin", "[2, 0, 0]")
    refused("no such point", tower, ("hubb", "foot, hub"), "--spin", "[2, 0, 0]", "--about", "hubb", expected=1)
    alone = "".join(line for line in (ROTOR % "ground").splitlines(True)
                    if not line.lstrip().startswith(("tower:", "head:", "base:", "top:", "pole:")))
    by_name = found(alone, *spin, count=6)
    by_place = found(alone, "--spin", "[2, 0, 0]", "--about", "[-1, 0, 10]", count=6)
    check("B8", "the rotor alone is accepted: it turns freely", by_name["free_motions"] - 1, 0)
    check("B8", "a point by its name is that place", omegas(by_name) - omegas(by_place), 0)
    rigid = tower.replace("base: {type: rigid, bodies: [ground, tower.start], at: foot}",
                          "base: {type: rigid, bodies: [ground, tower.start], at: foot}\n"
                          "  still: {type: rigid, bodies: [ground, head], at: [0, 0, 10]}")
    kept = "".join(line for line in rigid.splitlines(True)
                   if not line.lstrip().startswith(("tower:", "base:", "top:", "pole:")))
    held = found(kept, *spin, count=6)
    check("B8", "a support that cannot move is accepted", omegas(held)[1:]/omegas(by_name)[1:] - 1, 1e-7)


def main():
    need_program()
    crane()
    carts()
    wheels()
    rolling()
    many()
    rotation()
    support()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
