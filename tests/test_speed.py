#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Motions given as a speed: the coordinate is the integral of the signal, from the joint as drawn, against closed
forms; for any steps, and bit for bit in runs with a restart."""

import pathlib
import sys
import tempfile

from case_tools import check, need_program, run, verdict

import h5py
import numpy as np
from program import model_file, torsor

MODEL = """torsor: 1
units: SI
SIGNALS
bodies:
  wheel: {mass: 2, inertia: [0.1, 0.1, 0.1]}
  slider: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
joints:
  hub: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: z}
  rail: {type: prismatic, bodies: [ground, slider], at: [1, 0, 0], axis: x}
motions:
  spin: {joint: hub, speed: WHAT}
  pull: {joint: rail, velocity: 0.1*t^2}
analysis: {scheme: ED, step: 10 ms, end: 2 s}
"""


def pulse(t, at, rise):
    """Integral of a smooth step, x = (t - at)/rise."""
    x = np.clip((t - at)/rise, 0, 1)
    return rise*(x**3 - x**4/2) + np.maximum(t - at - rise, 0)


def table(t):
    """Of [[0.2, 1], [0.7, 3], [1.2, -2]], held outside."""
    def straight(x, a, b, h):
        x = np.clip(x, 0, h)
        return a*x + (b - a)*x**2/(2*h)
    return np.minimum(t, 0.2) + straight(t - 0.2, 1, 3, 0.5) + straight(t - 0.7, 3, -2, 0.5) - 2*np.maximum(t - 1.2, 0)


def saw(t):
    """Of a table that rises from 0 to 2 within 0.25 s and back, again every 0.5 s."""
    turns, x = np.divmod(t, 0.5)
    y = np.minimum(x, 0.25)
    z = np.maximum(x - 0.25, 0)
    return 0.5*turns + 4*y**2 + 2*z - 4*z**2


CASES = {
    "constant": ("3 rad/s", lambda t: 3*t),
    "rpm": ("60 rpm", lambda t: 2*np.pi*t),
    "table": ("{table: [[0.2, 1], [0.7, 3], [1.2, -2]]}", table),
    "periodic": ("{table: [[0, 0], [0.25, 2]], period: 0.5}", saw),
    "step": ("{step: {at: 0.503, to: 4}}", lambda t: 4*np.maximum(t - 0.503, 0)),
    "smooth step": ("{step: {at: 0.4, to: 4, over: 0.3}}", lambda t: 4*pulse(t, 0.4, 0.3)),
    "ramp": ("{ramp: {at: 0.3, to: 4, over: 0.7}}",
             lambda t: np.where(t < 1, 4*np.maximum(t - 0.3, 0)**2/1.4, 1.4 + 4*(t - 1))),
    "sine": ("{sine: {amplitude: 2, frequency: 3 Hz, phase: 0.5, offset: 1}}",
             lambda t: t + 2*(np.cos(0.5) - np.cos(6*np.pi*t + 0.5))/(6*np.pi)),
    "expression": ("5*exp(-t)*cos(7*t)", lambda t: 5*(np.exp(-t)*(7*np.sin(7*t) - np.cos(7*t)) + 1)/50),
    "kinks": ("abs(t - 0.77) + 20*(step(t - 1.001) - step(t - 1.002))",
              lambda t: 0.77**2/2 + (t - 0.77)*abs(t - 0.77)/2 + 20*np.clip(t - 1.001, 0, 0.001)),
    "signals in it": ("2*base + 1", lambda t: 2*table(t) + t),
}
SIGNALS = "signals: {base: {table: [[0.2, 1], [0.7, 3], [1.2, -2]]}}"


def text(signal, signals=SIGNALS):
    return MODEL.replace("WHAT", signal).replace("SIGNALS", signals)


def closed_forms():
    for name, (signal, wanted) in CASES.items():
        for h in (1e-2, 0.125):
            out = run(text(signal), scheme="ED", step=h)
            check(name, f"angle, h = {h}", out.coordinate("hub", "angle") - wanted(out.t), 2e-12, quiet=True)
            check(name, "displacement", out.coordinate("rail", "displacement") - 0.1*out.t**3/3, 1e-14, quiet=True)
    out = run(text("3"), scheme="EP")
    check("rate", "of the wheel, at the start", out.coordinate_rate("hub", "angle")[0] - 3, 1e-14)


def smooth_table():
    """Slopes of the cubics are 2, 0 and -2 here, by the formula for ends: so they are the parabola 1 - (t - 1)^2."""
    signal = "{table: [[0, 0], [1, 1], [2, 0]], interpolation: smooth}"
    out = run(text(signal), scheme="ED")
    check("smooth table", "angle", out.coordinate("hub", "angle") - (out.t - ((out.t - 1)**3 + 1)/3), 1e-13)


def restarts():
    """Far into the run, so that what was summed up is summed up again."""
    with tempfile.TemporaryDirectory() as folder:
        model, whole, part, rest = (pathlib.Path(folder, name) for name in ("m.yaml", "w.h5", "p.h5", "r.h5"))
        model.write_text(text("5*exp(-t)*cos(7*t) + abs(t - 0.77)"), encoding="utf-8")
        torsor("run", model, "-q", "-o", whole)
        torsor("run", model, "-q", "-o", part, "--end", 1.5)
        torsor("restart", part, "-q", "-o", rest, "--end", 2)
        with h5py.File(whole) as a, h5py.File(rest) as b:
            for name in b["frames"]:
                same = a["frames"][name][:][-b["frames/t"].shape[0]:].tobytes() == b["frames"][name][:].tobytes()
                check("restart", name, [not same], 0, quiet=True)


def refusals():
    for model, words in ((text("3, angle: 2"), "a motion needs one of angle, displacement, speed and velocity"),
                         (text("u", "signals: {u: {input: 0}}"), "a rate cannot be an input"),
                         (text("3 m/s"), "expected")):
        with model_file(model) as path:
            said = torsor("check", path, code=2).stderr
        check("refused", words, [words not in said], 0, said[:200] if words not in said else "")


def main():
    need_program()
    closed_forms()
    smooth_table()
    restarts()
    refusals()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
