#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""torsor converge: orders against theory, steps that fail, refused input.

EP and ED are of second order in everything (docs/theory.md). ED on a linear oscillator is of order 3 with rho_inf < 1 and of order 4
with rho_inf = 1 (S4, scheme C). Newmark with gamma > 1/2 and S1's printed ED on a mechanism are of order 1 (docs/schemes.md).
"""

import csv
import json
import os
import tempfile
import xml.etree.ElementTree as xml

from program import ROOT, torsor
PENDULUM = os.path.join(ROOT, "examples/double_pendulum.yaml")

OSCILLATOR = """torsor: 1
units: SI
bodies: {mass: {mass: 1, inertia: [1, 1, 1], velocity: [0, 0, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, mass], at: [0, 0, 0], axis: z}}
springs: {spring: {type: joint_spring, joint: rail, stiffness: (2*pi)^2}}
analysis: {scheme: ED, step: 50 ms, end: 2 s}
"""


def run(*options, code=0):
    return torsor("converge", *options, code=code)


def ladder(*options):
    return json.loads(run("--json", *options).stdout)


def last_orders(result):
    return result["rungs"][-1]["order"]


def check_orders():
    for scheme in ("EP", "ED"):
        result = ladder(PENDULUM, "--end", "1s", "--levels", "4", "--scheme", scheme)
        assert len(result["rungs"]) == 4
        for name, order in last_orders(result).items():
            assert abs(order - 2) < 0.1, (scheme, name, order)
    for scheme in ("newmark:gamma=0.6", "S1-ED"):
        options = ("--end", "0.5s", "--levels", "3", "--from", "2.5ms", "--scheme", scheme)
        order = last_orders(ladder(PENDULUM, *options))["position"]
        assert abs(order - 1) < 0.2, (scheme, order)
    # against another scheme the limit is the same
    result = ladder(PENDULUM, "--end", "1s", "--levels", "3", "--scheme", "ED", "--reference", "EP:0.25ms")
    assert abs(last_orders(result)["force"] - 2) < 0.1
    assert result["reference"] == "EP" and result["reference_step"] == 0.25e-3


def check_linear(folder):
    path = os.path.join(folder, "oscillator.yaml")
    with open(path, "w") as out:
        out.write(OSCILLATOR)
    for rho, wanted in (("0", 3), ("1", 4)):
        result = ladder(path, "--rho", rho, "--levels", "3")
        order = last_orders(result)["position"]
        assert abs(order - wanted) < 0.15, (rho, order)
        assert last_orders(result)["rotation"] is None  # it does not turn


def check_norms_and_jobs():
    options = (PENDULUM, "--end", "0.5s", "--levels", "2")
    one, two = ladder(*options, "--jobs", "1"), ladder(*options, "--jobs", "2")
    rms = ladder(*options, "--rms")
    for a, b, c in zip(one["rungs"], two["rungs"], rms["rungs"]):
        assert a["error"] == b["error"] and a["iterations"] == b["iterations"]
        assert 0 < c["error"]["position"] < a["error"]["position"]


def check_failing_rung(folder):
    """A rung that does not converge is a line of the table; the others are there. A reference must not fail."""
    text = open(PENDULUM).read()
    assert "scheme: EP" in text
    path = os.path.join(folder, "stubborn.yaml")
    with open(path, "w") as out:
        out.write(text.replace("scheme: EP", "scheme: EP\n  max_cuts: 0\n  max_iterations: 8"))
    result = ladder(path, "--steps", "1s,10ms,5ms", "--end", "1s")
    states = [rung["status"] for rung in result["rungs"]]
    assert states == ["failed", "completed", "completed"], states
    assert "no convergence" in result["rungs"][0]["message"]
    assert result["rungs"][0]["error"]["position"] is None
    assert "failed: no convergence" in run(path, "--steps", "1s,10ms,5ms", "--end", "1s").stdout
    done = run(path, "--steps", "1s", "--reference", "1s", "--end", "1s", code=4)
    assert "the reference" in done.stderr


def check_files(folder):
    table, picture = os.path.join(folder, "t.csv"), os.path.join(folder, "p.svg")
    run(PENDULUM, "--end", "0.5s", "--levels", "2", "--csv", table, "--svg", picture)
    rows = list(csv.DictReader(open(table)))
    assert len(rows) == 2 and abs(float(rows[1]["moment_order"]) - 2) < 0.2
    assert xml.parse(picture).getroot().tag.endswith("svg")


def check_refusals():
    for options, word in (
        ((PENDULUM, "--steps", "3ms,2ms"), "not a whole number"),
        ((PENDULUM, "--steps", "3ms", "--levels", "2"), "not both"),
        ((PENDULUM, "--steps", "3kg"), "expected a time"),
        ((PENDULUM, "--levels", "0"), "--levels"),
        ((PENDULUM, "--reference", "XX:1ms"), "there are ED, EP"),
        ((PENDULUM, "--reference", "7ms"), "not a whole number"),
        ((PENDULUM, "--jobs", "0"), "--jobs"),
        ((PENDULUM, "--from", "1000s"), "before its first step"),
    ):
        assert word in run(*options, code=1).stderr, options
    statics = os.path.join(ROOT, "examples/cases/b01_rollup.yaml")
    assert "static analysis" in run(statics, code=2).stderr


def main():
    check_orders()
    check_norms_and_jobs()
    check_refusals()
    with tempfile.TemporaryDirectory() as folder:
        check_linear(folder)
        check_failing_rung(folder)
        check_files(folder)


main()
