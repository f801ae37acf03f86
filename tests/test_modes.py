#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Modes of vibration and buckling against published numbers and closed forms: uniform beams (G01),
the rotating cantilever (G02), a tapered one (G04), Argyris' frame (G05), Petyt's tower (G08), the
measured rotor blade (C08), the hanging chain (D04), buckling loads (B12, B13), and what rigid bodies
do: pendulum, damped oscillator, a mass on springs seen from a rotating frame, an unbalanced rotor below
and above its critical speed.
"""
import sys

from case_tools import MODELS, changed, check, model, need_program, verdict
from program import answer, model_file, torsor

import h5py
import numpy as np


def modes(text, *options, count=10, results=False, fails=None):
    """The modes of a model given as text, as dictionaries; with `results` also what the file has."""
    with model_file(text) as path:
        out = path.with_name("modes.h5")
        words = ["modes", path, "-n", count, *options, *(["-o", out] if results else [])]
        if fails is not None:
            done = torsor(*words, "--json", code=tuple(range(10)))
            check("CLI", f"exit code of {' '.join(options) or 'plain modes'}", done.returncode - fails, 0)
            return done.stderr
        found = answer(*words)["modes"]
        if not results:
            return found
        with h5py.File(out) as file:
            return found, {name: data[:] for name, data in file["modes"].items()}, file["model/nodes"][:]


def omegas(found, motion=None):
    return np.array([m["omega"] for m in found if not motion or m["motion"] == motion])


def compare(case, what, found, published, tolerance):
    published = np.array(published)
    error = found[:len(published)]/published - 1
    numbers = ", ".join(f"{f:.6g} ({p:.6g})" for f, p in zip(found, published))
    check(case, what, error, tolerance, numbers)


# ---- beams at rest ----

def uniform_beams():
    text = model("g01_uniform_beam")
    free = text[:text.index("joints:")]
    head = "  head: {type: %s, bodies: [ground, bar.end], at: [L, 0, 0]%s}\n"
    pin = head % ("point_on_line", ", axis: x")
    foot = "joints:\n  foot: {type: revolute, bodies: [ground, bar.start], at: [0, 0, 0], axis: z}\n"
    clamped = [22.3732854481, 61.6728228679, 120.903391727]
    for what, form, published in (
            ("cantilever", text, [3.5160152685, 22.0344915647, 61.6972144135, 120.901916052]),
            ("clamped, clamped", text + head % ("rigid", ""), clamped),
            ("clamped, pinned", text + pin, [15.418205717, 49.9648620318]),
            ("pinned, pinned", free + foot + pin, np.pi**2*np.arange(1, 5)**2)):
        compare("G01", what, omegas(modes(form)), published, 1e-3)
    for mesh in (12, 60):  # dense, sparse
        found = modes(changed(free, mesh=mesh))
        check("G01", f"free, {mesh} elements: six modes are free", sum(m["rigid"] for m in found) - 6, 0)
        compare("G01", f"free, {mesh} elements", omegas(found)[6:], clamped, 1e-3)
    few, many, limit = (omegas(modes(changed(text, mesh=n), count=6))[1] for n in (4, 8, 16))
    order = np.log2(abs(few - limit)/abs(many - limit))
    check("G01", "second frequency converges with the sixth order, at least fifth", max(0, 5 - order), 0,
          f"order {order:.1f}")


def shapes():
    """Of the cantilever: known shape, unit mass, sign, the clamped end still."""
    found, file, nodes = modes(model("g01_uniform_beam"), count=3, results=True)
    shape = file["shape"]
    mine = np.array([row["part"] == b"bar" for row in nodes])
    x = file["q"][[row["slot"] for row in nodes[mine]], 0]
    for k, beta in enumerate((1.8751040687, 4.6940911330)):
        c = (np.cos(beta) + np.cosh(beta))/(np.sin(beta) + np.sinh(beta))
        w = np.cosh(beta*x) - np.cos(beta*x) - c*(np.sinh(beta*x) - np.sin(beta*x))
        y = shape[k, mine, 1]
        check("G01", f"shape of mode {k + 1}, unit mass", np.abs(y) - np.abs(w), 2e-4)
        check("G01", f"sign of mode {k + 1}", min(0, y[np.argmax(np.abs(y))]), 0)
    check("G01", "the clamp does not move", shape[:, mine][:, 0], 1e-12)
    check("G01", "file and table agree", file["frequency"] - omegas(found), 0)


def other_beams():
    compare("G04", "tapered cantilever", omegas(modes(model("g04_tapered_cantilever"))),
            [4.31517030, 23.51925664, 63.19919642], 1e-3)
    compare("G05", "L-frame, Hz", omegas(modes(model("g05_l_frame")))/(2*np.pi), [11.2732, 30.5269], 1e-2)
    tower = omegas(modes(model("g08_two_storeys")))/(2*np.pi)
    compare("G08", "tower, sway, Hz", tower[[0, 1, 3, 4]], [11.8, 11.8, 34.1, 34.1], 2e-2)


# ---- rotation ----

FLAP = {0: (3.516015, 22.034492, 61.697214), 1: (3.681647, 22.181011, 61.841763),
        2: (4.137320, 22.614922, 62.273184), 3: (4.797279, 23.320264, 62.984967),
        4: (5.585001, 24.273349, 63.966760), 5: (6.449545, 25.446080, 65.205041),
        6: (7.360373, 26.809082, 66.683914)}


def rotating_cantilever():
    text = model("g02_rotating_cantilever")
    for eta, published in FLAP.items():
        found = modes(text, "--spin", f"[0, 0, {eta}]", count=6)
        if eta == 0:
            compare("G02", "eta = 0", omegas(found)[::2], published, 2e-3)
            continue
        compare("G02", f"eta = {eta}, flap", omegas(found, "moves along z"), published, 2e-3)
        lag = np.sqrt(np.array(published)**2 - eta**2)
        compare("G02", f"eta = {eta}, lag", omegas(found, "moves along y"), lag, 2e-3)
    large = modes(changed(text, mesh=60), "--spin", "[0, 0, 6]", count=6)
    compare("G02", "eta = 6, flap, sparse", omegas(large, "moves along z"), FLAP[6], 2e-3)
    turned = modes(text, "--spin", "[0, 6 rad/s, 0]", "--about", "[0, 1 m, 0]", count=6)
    compare("G02", "about another axis and a point along it", omegas(turned, "moves along y"), FLAP[6], 2e-3)


def measured_blade():
    published = {0: (5.237, 33.00, 90.44, 172.4), 250: (7.424, 34.58, 91.11, 175.3),
                 500: (11.018, 40.19, 97.73, 179.7), 750: (15.820, 47.00, 105.6, 188.7)}
    for rpm, measured in published.items():
        found = modes(model("c08_rotating_blade"), "--spin", f"[0, 0, {rpm} rpm]")
        compare("C08", f"{rpm} rpm, Hz, measured", omegas(found, "moves along z")/(2*np.pi), measured, 7e-2)


def foucault():
    """A mass on equal springs, in a frame that turns: two circles, with and against it."""
    text = """
torsor: 1
units: SI
bodies:
  ball: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 0]}
springs:
  hold: {type: bushing, bodies: [ground, ball], at: [0, 0, 0], stiffness: [200, 200, 800, 1e4, 1e4, 1e4]}
"""
    found = omegas(modes(text, "--spin", "[0, 0, 3]"))
    check("rotation", "mass on springs seen from a rotating frame", found[:3] - np.array([7, 13, 20]), 1e-9)


# ---- rigid bodies, preload ----

PENDULUM = """
torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 2, inertia: [0.5, 0.5, 0.01], position: %s}
joints:
  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}
"""


def pendulum():
    exact = np.sqrt(2*9.81*1.5/(0.5 + 2*1.5**2))
    found = modes(PENDULUM % "[0, 0, -1.5]")
    check("pendulum", "one mode", len(found) - 1, 0)
    check("pendulum", "frequency", found[0]["omega"]/exact - 1, 1e-12)
    upright = modes(PENDULUM % "[0, 0, 1.5]")[0]
    check("pendulum", "upright it falls", upright["growth"]/exact - 1, 1e-12)
    swung = modes(PENDULUM % "[1.2, 0, -0.9]")[0]
    check("pendulum", "drawn elsewhere: equilibrium is found", swung["omega"]/exact - 1, 1e-9)
    spun = modes(PENDULUM % "[0, 0, -1.5]", "--spin", "[0, 0, 2]")[0]
    J = 0.5 + 2*1.5**2  # about the pin; turning with the frame the rod wants out
    exact = np.sqrt((2*9.81*1.5 - 4*(2*1.5**2 + 0.5 - 0.01))/J)
    check("pendulum", "on a turntable", spun["omega"]/exact - 1, 1e-9)
    modes(PENDULUM % "[0, 0, -1.5]", "--spin", "[0, 2, 0]", fails=2)


def oscillator():
    text = """
torsor: 1
units: SI
bodies:
  block: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  guide: {type: prismatic, bodies: [ground, block], at: [1, 0, 0], axis: x}
springs:
  spring: {bodies: [ground, block], from: [0, 0, 0], to: [1, 0, 0], stiffness: 200,
           damping: %g}
"""
    found = modes(text % 4)[0]
    check("damping", "frequency", found["omega"] - np.sqrt(100 - 1), 1e-10)
    check("damping", "ratio", found["damping"] - 0.1, 1e-10)
    strong = sorted(m["growth"] for m in modes(text % 100))
    check("damping", "overdamped", np.array(strong) - (-25 + np.array([-1, 1])*np.sqrt(525)), 1e-9)


ROTOR = """torsor: 1
units: SI
bodies: {disc: {mass: 10, inertia: [0.1, 0.1, 0.19], position: [0, 0, 0]}}
springs:
  bearing: {type: bushing, bodies: [ground, disc], at: [0, 0, 0], stiffness: [1e4, 1e4, 1e4, 500, 500, 0], damping: [20, 20, 20, 0, 0, 0]}
"""


def turning_dampers():
    """A damper to the ground turns with the rotor: z'' + (c/m + 2 i W) z' + (k/m - W^2) z = 0, z = x + i y in the rotating frame. Above the
    critical speed, 31.6 rad/s, the forward whirl grows, and a note says why."""
    for speed in (20, 60):
        found = [m for m in modes(ROTOR, "--spin", f"[0, 0, {speed}]", count=6) if m["motion"].startswith("moves along x")]
        roots = np.roots([1, 2 + 2j*speed, 1000 - speed**2])
        growth = sorted(m["growth"] for m in found)
        check("bearing", f"growth at {speed} rad/s", np.array(growth)/sorted(roots.real) - 1, 1e-8)
        with model_file(ROTOR) as path:
            told = torsor("modes", path, "-n", 6, "--spin", f"[0, 0, {speed}]").stdout
        check("bearing", f"the note about dampers at {speed} rad/s", ("rotate with the rotor" in told) - (speed > 31.6), 0)


UNBALANCED = """torsor: 1
units: SI
sections: {shaft: {EA: 1e8, GA2: 1e9, GA3: 1e9, GJ: 500, EI2: 675, EI3: 675, mass: 1e-3, inertia: [2e-6, 1e-6, 1e-6]}}
beams:
  left: {from: [0, 0, 0], to: [0.4, 0, 0], section: shaft, elements: 2, order: 3}
  right: {from: [0.4, 0, 0], to: [0.8, 0, 0], section: shaft, elements: 2, order: 3}
bodies: {disc: {mass: 8, inertia: [0.06, 0.03, 0.03], position: [0.4, 0, 0], centre: [0, 2e-4, 0]}}
joints:
  driven: {type: revolute, bodies: [ground, left.start], at: [0, 0, 0], axis: x}
  free: {type: cylindrical, bodies: [ground, right.end], at: [0.8, 0, 0], axis: x}
  one: {type: rigid, bodies: [left.end, disc], at: [0.4, 0, 0]}
  other: {type: rigid, bodies: [disc, right.start], at: [0.4, 0, 0]}
motions: {drive: {joint: driven, angle: 0}}
analysis: {step: 1 ms, end: 1 s}
"""


def unbalanced():
    """An unbalanced disc at the middle of a light shaft between long bearings, k = 192 EI/L^3, w = sqrt(k/m): its centre of mass is e w^2/(w^2 - W^2) off the axis,
    below the critical speed and above it; seen from outside it whirls at w, forwards and backwards."""
    w = np.sqrt(192*675/0.8**3/8)
    for speed in (60, 170, 190, 400, 2000):
        with model_file(UNBALANCED) as path:
            found = answer("modes", path, "-n", 8, "--spin", f"[{speed}, 0, 0]")
        exact = 2e-4*w**2/(w**2 - speed**2)
        check("unbalance", f"centre of mass at {speed} rad/s", found["centre"][1]/exact - 1, 2e-3, f"{1e3*exact:.4g} mm")
        for sense in ("forward", "backward"):
            seen = np.array([m["omega_outside"] for m in found["modes"] if m.get("whirl") == sense and m["part"] == "disc"])
            check("unbalance", f"whirl {sense} at {speed} rad/s", min(abs(seen/w - 1), default=1), 1e-3)


def hanging_chain():
    """As a beam that hardly resists bending: elements are arcs, which tension straightens, however little EI there is."""
    text = """
torsor: 1
units: SI
gravity: [0, 0, -10]
sections:
  rope: {EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 1e-3, EI2: 2e-5, EI3: 2e-5, mass: 1}
beams:
  chain: {from: [0, 0, 0], to: [0, 0, -1], axis2: y, section: rope, elements: 200, order: 2}
joints:
  top: {type: universal, bodies: [ground, chain.start], at: [0, 0, 0], axis: x, axis_b: y}
"""
    found = omegas(modes(text))
    exact = np.array([1.20241277885, 2.76003905514, 4.32686395646])*np.sqrt(10)
    compare("D04", "hanging chain, in both planes", found[:6], np.repeat(exact, 2), 2e-3)
    for order, elements in ((1, 80), (2, 40), (3, 27)):  # less EI than would hold elements that shrink as their nodes turn
        limp = text.replace("2e-5", "1e-6").replace("200, order: 2", f"{elements}, order: {order}")
        compare("D04", f"without bending stiffness, order {order}", omegas(modes(limp))[:6], np.repeat(exact, 2), 2e-3)


# ---- buckling ----

def factors(text, count=4):
    return np.array([m["load_factor"] for m in modes(text, "--buckling", count=count)])


def buckling():
    text = changed(model("b12_column"), P=1, Q=0)
    free = text[:text.index("joints:")]
    loads = text[text.index("loads:"):]
    clamp = "joints:\n  foot: {type: rigid, bodies: [ground, bar.start], at: [0, 0, 0]}\n"
    slide = "  head: {type: prismatic, bodies: [ground, bar.end], at: [L, 0, 0], axis: x}\n"
    pin = "  head: {type: point_on_line, bodies: [ground, bar.end], at: [L, 0, 0], axis: x}\n"
    for what, form, K in (("clamped, free", free + clamp + "\n" + loads, 2), ("pinned, pinned", text, 1),
                          ("clamped, pinned", free + clamp + pin + "\n" + loads, .699156),
                          ("clamped, clamped", free + clamp + slide + "\n" + loads, .5)):
        compare("B12", f"column, {what}", factors(form), [np.pi**2/K**2], 1e-3)
    for what, load, exact in (("heavy_column", "weight", "7.83734743894"),
                              ("strip_force", "P", "4.0125993435789*sqrt(EI*GJ)/L^2"),
                              ("strip_moment", "M", "3.14159265358979*sqrt(EI*GJ)/L")):
        found = factors(changed(model(f"b12_{what}"), **{load: exact, "Q": 0}))
        compare("B12", what.replace("_", " "), found[found > 0], [1], 1e-3)
    found = factors(changed(model("b13_frame_force"), P=1, Q=0))
    compare("B13", "right-angled frame, N", found[found > 0], [1.088], 1e-2)
    modes(PENDULUM % "[0, 0, -1.5]", "--buckling", fails=4)


def main():
    need_program()
    uniform_beams()
    shapes()
    other_beams()
    rotating_cantilever()
    measured_blade()
    foucault()
    pendulum()
    oscillator()
    turning_dampers()
    unbalanced()
    hanging_chain()
    if (MODELS / "b12_column.yaml").exists():
        buckling()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
