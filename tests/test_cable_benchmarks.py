#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Cables against closed forms: the catenary (D01, D02), the hanging chain (D04), the axial wave in a bar (D07), the
first 20 ms of a thin pendulum against another program (D06), and no force in compression.
"""
import sys

from case_tools import QUICK, changed, check, model, need_program, run, verdict
from program import modes_of

import numpy as np
from scipy.optimize import brentq
from scipy.special import jn_zeros


def irvine(EA, span=10, L=12, w=1):
    H = brentq(lambda H: H*L/EA + 2*H/w*np.arcsinh(w*L/(2*H)) - span, 1e-3, 1e3, xtol=1e-14)
    return H, w*L*L/(8*EA) + H/w*(np.sqrt(1 + (w*L/(2*H))**2) - 1)


def catenary(case, EA, elements, order, tolerance):
    out = run(changed(model("d02_catenary"), EA=EA, elements=elements, order=order))
    H, sag = irvine(EA)
    nodes = elements*order
    pull = out.force("left")[-1]
    note = f"{elements} elements of order {order}"
    check(case, "horizontal pull", abs(pull[0])/H - 1, tolerance, note)
    check(case, "vertical pull", abs(pull[2])/6 - 1, 1e-9, note)
    return check(case, "sag", out.position(f"rope.{nodes//2 + 1}")[-1, 2]/-sag - 1, tolerance, note)


def catenaries():
    H, sag = irvine(1000)
    check("D02", "published H and sag", [H - 4.5977647958439, sag - 2.9792987121511], 1e-12)
    catenary("D02", 1000, 80, 1, 1e-3)
    catenary("D02", 1000, 40, 2, 1e-7)
    catenary("D02", 1000, 20, 3, 1e-7)
    out = run(changed(model("d02_catenary"), EA=1e7))
    check("D01", "sag", out.position("rope.41")[-1, 2]/-2.9234379760093 - 1, 1e-4)
    check("D01", "end tension", np.linalg.norm(out.force("left")[-1])/7.6188532072746 - 1, 1e-4)
    wave = [run(changed(model("d02_catenary"), elements=n, order=1)).position(f"rope.{n//2 + 1}")[-1, 2]
            for n in (10, 20, 40)]
    check("D02", "order 2 in space", np.log2((wave[0] + sag)/(wave[1] + sag)) - 2, 0.1)


def chain():
    found = [2*np.pi*m["frequency"] for m in modes_of(model("d04_hanging_chain"), 6)][::2]  # two planes alike
    check("D04", "three lowest frequencies", np.array(found)/(jn_zeros(0, 3)/2*np.sqrt(9.81)) - 1, 2e-3)


# t, height of the middle, x and z of the tip: Project Chrono's data/testing/fea/UT_ANCFBeam.txt (four gradient-deficient elements,
# implicit Euler, h = 0.1 ms; its nodes begin with the velocities of a spin, its slopes without). Numbers of a program, not of theory.
PENDULUM = np.array([[0.005, -0.000122508, 0.999973, -0.0200326], [0.01, -0.000486112, 0.999774, -0.0402486],
                     [0.015, -0.00109407, 0.999238, -0.0607871], [0.02, -0.00195239, 0.998209, -0.0816723]])


def pendulum():
    for scheme in ("EP", "ED"):
        out = run(model("d06_cable_pendulum"), scheme=scheme, step=1e-3, end=0.02, case="D06")
        rows = [int(np.argmin(abs(out.t - t))) for t in PENDULUM[:, 0]]
        check("D06", f"{scheme}: middle", out.position("rope.7")[rows, 1] - PENDULUM[:, 1], 1e-2)
        check("D06", f"{scheme}: tip", out.position("rope.end")[rows][:, (0, 2)] - PENDULUM[:, 2:], 1e-2)


def triangle(t, P=1000., EA=1e6, c=1e3, L=1.):
    x = np.mod(t*c/(4*L), 1)
    return 2*P*L/EA*np.where(x < .5, 2*x, 2 - 2*x)


def wave():
    for scheme in ("EP", "ED"):
        out = run(model("d07_axial_wave"), scheme=scheme, every=4, case="D07")
        end = out.position("bar.end")[:, 0] - 1
        check("D07", f"{scheme}: end of the bar", (end - triangle(out.t))/2e-3, 2e-2)
        early = (out.t > 1e-4) & (out.t < 1e-3)
        rate = np.polyfit(out.t[early], end[early], 1)[0]
        check("D07", f"{scheme}: its first velocity", rate/1. - 1, 2e-2)


SLACK = """
torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 2, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0], velocity: [0, 0, VELOCITY]}
cables:
  rope: {from: [0, 0, 0], to: [0, 0, -1], EA: 2e4, mass: 0.01, elements: 8, length: 1}
joints:
  floor: {type: spherical, bodies: [ground, rope.end], at: [0, 0, -1]}
  eye: {type: spherical, bodies: [ball, rope.start], at: [0, 0, 0]}
  guide: {type: prismatic, bodies: [ground, ball], at: [0, 0, 0], axis: z}
analysis: {end: 0.4, step: 0.5 ms}
"""


def slack():
    """A ball that falls onto its own rope meets no resistance; one that is thrown up is caught."""
    out = run(SLACK.replace("VELOCITY", "0"), scheme="ED", case="slack")
    fall = -9.81*out.t**2/2
    check("slack", "free fall of the ball", (out.position("ball")[:, 2] - fall)/fall[-1], 5e-3)
    out = run(SLACK.replace("VELOCITY", "1"), scheme="ED", case="slack")
    k, m, v = 2e4, 2.0 + 0.01/3, 1.0  # m v^2/2 = k x^2/2 + m g x
    sink = m*9.81/k
    check("slack", "stretch when caught", np.max(out.position("ball")[:, 2])/(np.sqrt(sink**2 + m*v*v/k) - sink) - 1,
          2e-2)


def main():
    need_program()
    catenaries()
    chain()
    pendulum()
    if not QUICK:
        wave()
    slack()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
