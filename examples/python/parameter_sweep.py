#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A parameter study over all cores: the period of a pendulum for amplitudes up to 170 degrees.

The exact period is 4 sqrt(L/g) K(sin^2(a/2)), K the complete elliptic integral of the first kind. Each case is one run;
the period is read from the times at which the pendulum passes its lowest place. The error is that of the scheme, of
second order in the step: the study is made with two steps, and the ratio of the errors should be 4.

    python3 parameter_sweep.py
"""
import math
import sys

import numpy as np
from scipy.interpolate import barycentric_interpolate
from scipy.special import ellipk

import torsor

MODEL = """
torsor: 1
title: Pendulum
units: SI
parameters: {a: 10 deg, h: 4 ms}
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 1, position: [sin(a), 0, -cos(a)]}
joints:
  pivot: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: y}
analysis: {scheme: EP, step: h, end: 12 s}
outputs: {every: 1}
"""


def period(results: torsor.Results) -> float:
    """Mean time between passages in one direction, by inverse interpolation."""
    t, x = results.t, results["bob.position.x"]
    up = np.nonzero((x[:-1] < 0) & (x[1:] >= 0))[0]
    times = []
    for k in up:  # a cubic through four points around the passage, solved for x = 0
        first = min(max(k - 1, 0), len(t) - 4)
        part = slice(first, first + 4)
        times.append(float(barycentric_interpolate(x[part], t[part], 0.0)))
    return (times[-1] - times[0]) / (len(times) - 1)


def main() -> int:
    model = torsor.parse(MODEL, "pendulum")
    degrees = [10, 45, 90, 135, 170]
    cases = torsor.sweep(model, {"h": ["4 ms", "2 ms"], "a": [f"{d} deg" for d in degrees]}, period)
    failed = [case for case in cases if case.error]
    for case in failed:
        print(case.parameters, case.error)
    if failed:
        return 1
    coarse, fine = cases[:len(degrees)], cases[len(degrees):]
    print("amplitude    exact, s      h = 4 ms   error     h = 2 ms   error   ratio")
    ratios = []
    for d, one, two in zip(degrees, coarse, fine):
        exact = 4 * math.sqrt(1 / 9.81) * ellipk(math.sin(math.radians(d) / 2) ** 2)
        e1, e2 = one.value / exact - 1, two.value / exact - 1
        ratios.append(e1 / e2)
        print(f"{d:6d} deg  {exact:10.7f}  {one.value:10.7f} {e1:8.1e} {two.value:10.7f} {e2:8.1e}"
              f"  {ratios[-1]:5.2f}")
    return 0 if all(3.7 < ratio < 4.3 for ratio in ratios) else 1


if __name__ == "__main__":
    sys.exit(main())
