#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Corners of prescribed motions: a step that ends at a corner arrives with the slope of its left side, a step that begins there leaves
with that of its right side. So a cart that is driven along straight lines has the slope of the line in every row, whatever the step, and
needs no force where the line goes on beyond the run."""

import sys

from case_tools import check, need_program, run, verdict

import numpy as np

MODEL = """torsor: 1
units: SI
SIGNALS
bodies: {cart: {mass: 10, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
motions: {push: {joint: rail, WHAT}}
analysis: {scheme: ED, step: 10 ms, end: END}
"""


def driven(what, end, step, signals="", **options):
    text = MODEL.replace("WHAT", what).replace("END", str(end)).replace("SIGNALS", signals)
    return run(text, scheme="ED", step=step, **options)


def slope_before(corners, slopes):
    """The slope to the left of t, or at it; at the start of the run, where there is no left side, to the right."""
    def slope(t):
        return np.array(slopes)[np.searchsorted(corners, np.maximum(t - 1e-9, 1e-9))]
    return slope


BENT = slope_before([0.3, 0.7, 1.0], [1, -1, 2, 0])
SAW = slope_before(np.arange(0.25, 5, 0.25), [1, -1]*10)
LINES = {
    # what drives the cart, end, its slope
    "table that ends with the run": ("displacement: {table: [[0, 0], [1, 1]]}", 1, lambda t: 1 + 0*t),
    "table that ends before": ("displacement: {table: [[0, 0], [0.3, 0.3]]}", 1, slope_before([0.3], [1, 0])),
    "table that begins later": ("displacement: {table: [[0.3, 0], [1, 0.7]]}", 1, slope_before([0.3], [0, 1])),
    "table with corners": ("displacement: {table: [[0, 0], [0.3, 0.3], [0.7, -0.1], [1, 0.5]]}", 1.2, BENT),
    "table that repeats": ("displacement: {table: [[0, 0], [0.25, 0.25]], period: 0.5}", 2, SAW),
    "expression": ("displacement: 'min(t, 0.3) + 2*ramp(t - 0.7)'", 1, slope_before([0.3, 0.7], [1, 0, 2])),
    "table in an expression": ("displacement: 3*way + t", 1, lambda t: 3*BENT(t) + 1),
    "ramp": ("displacement: {ramp: {to: 2, over: 1}}", 1, lambda t: 2 + 0*t),
    "speed that is switched": ("velocity: {step: {at: 0.5, from: 1, to: 3}}", 1, slope_before([0.5], [1, 3])),
    "speed that is switched off at the end": ("velocity: {step: {at: 1, from: 2, to: 0}}", 1, lambda t: 2 + 0*t),
}
SIGNALS = "signals: {way: {table: [[0, 0], [0.3, 0.3], [0.7, -0.1], [1, 0.5]]}}"


def lines():
    """Steps that meet the corners; 0.1 s and 0.05 s do so only up to round-off."""
    for name, (what, end, slope) in LINES.items():
        for h in (0.01, 0.05, 0.1):
            if name == "table that repeats" and h == 0.1:
                continue
            out = driven(what, end, h, SIGNALS)
            rate = out.coordinate_rate("rail", "displacement")
            check(name, f"velocity in every row, h = {h}", rate - slope(out.t), 1e-11, quiet=True)


def effort():
    """Of a cart at a steady speed none at all; of a parabola, made of cubics with slopes 2, 0, -2, that of its acceleration."""
    out = driven("displacement: {table: [[0, 0], [1, 1]]}", 1, 0.01)
    check("effort", "steady", out.force("push")[:, 0], 1e-8)
    smooth = "displacement: {table: [[0, 0], [1, 1], [2, 0]], interpolation: smooth}"
    out = driven(smooth, 2, 0.01)
    check("effort", "parabola that ends with the run", out.force("push")[:, 0] + 20, 1e-7)
    check("effort", "its velocity", out.coordinate_rate("rail", "displacement") - 2*(1 - out.t), 1e-11)


def second_order():
    """A motion whose acceleration ends with the run: errors of velocities and efforts fall with the square of the step, in the last row too."""
    what = "displacement: 'if(t < 1, sin(2*t), sin(2))'"
    error = []
    for h in (0.02, 0.01):
        out = driven(what, 1, h)
        error.append([abs(out.coordinate_rate("rail", "displacement") - 2*np.cos(2*out.t)).max(),
                      abs(out.force("push")[:, 0] + 40*np.sin(2*out.t)).max()])
    order = np.log2(np.array(error[0])/error[1])
    check("second order", f"orders {order}", np.minimum(order - 1.85, 0), 0)


def cut_short():
    """Step control meets the corners wherever they are."""
    text = "displacement: {table: [[0, 0], [0.333, 0.333], [0.777, -0.111], [1, 0.335]]}"
    model = MODEL.replace("WHAT", text).replace("SIGNALS", "").replace("step: 10 ms, end: END",
                                                                      "step: 0.1, step_tolerance: 1e-3, end: 1")
    out = run(model, scheme="ED")
    rate = out.coordinate_rate("rail", "displacement")
    check("step control", "velocity in every row", rate - slope_before([0.333, 0.777], [1, -1, 2])(out.t), 1e-10)


def main():
    need_program()
    lines()
    effort()
    second_order()
    cut_short()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
