#!/usr/bin/python3
"""Step control: what ED takes obeys the fourth power, steps follow it, corners are met, restarts go on bit for bit; and a run with it
loses less energy than one with fixed steps and more work."""

import json
import math
import os
import re
import subprocess
import tempfile

import h5py

TORSOR = os.environ["TORSOR"]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GATE = os.path.join(ROOT, "examples/cases/falling_gate.yaml")
BUCKLING = os.path.join(ROOT, "examples/papers/lateral_buckling_1.yaml")

OSCILLATOR = """torsor: 1
units: SI
bodies: {mass: {mass: 1, inertia: [1, 1, 1], velocity: [0, 0, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, mass], at: [0, 0, 0], axis: z}}
springs: {spring: {type: joint_spring, joint: rail, stiffness: (2*pi)^2}}
analysis: {scheme: {name: ED, rho_inf: RHO}, step: STEP, end: 1.6 s, CONTROL}
"""
RAMP = """torsor: 1
units: SI
signals: {F: {table: [[0, 0], [0.0123, 0], [0.0371, 5], [0.08, 5]]}}
bodies: {mass: {mass: 2, inertia: [1, 1, 1]}}
loads: {push: {type: force, body: mass, force: [F, 0, 0]}}
analysis: {scheme: ED, step: 10 ms, end: 0.1 s, CONTROL}
outputs: {csv: [mass.velocity]}
"""


def torsor(*words, code=0):
    done = subprocess.run([TORSOR, *words], capture_output=True, text=True)
    assert done.returncode == code, f"{words}: exit code {done.returncode}: {done.stderr}"
    return done


def run(path, *options):
    return json.loads(torsor("run", path, "--json", "--no-results", *options).stdout.splitlines()[-1])


class Folder:
    def __init__(self, path):
        self.path = path

    def write(self, name, text):
        path = os.path.join(self.path, name)
        with open(path, "w") as out:
            out.write(text)
        return path

    def file(self, name):
        return os.path.join(self.path, name)


def oscillator(folder, step, control, rho=0.0):
    text = OSCILLATOR.replace("STEP", step).replace("RHO", str(rho))
    return folder.write("oscillator.yaml", re.sub(", CONTROL|CONTROL", f", {control}" if control else "", text))


def with_control(path, words):
    """The model with other words of step control, or none."""
    text = re.sub(r"(?m)^ *(step_tolerance|step_energy|min_step):.*\n", "", open(path).read())
    return re.sub(r"(?m)^analysis:\n", "analysis:\n" + "".join(f"  {w}\n" for w in words), text)


def check_fourth_power(folder):
    """D/E = alpha (w h)^4/36 a step, to leading order (src/analysis/control.c)."""
    for rho in (0.0, 0.5):
        alpha = (1 - rho) / (1 + rho)
        for h in (0.02, 0.01):
            end = run(oscillator(folder, f"{h} s", "", rho))["end"]
            left = math.exp(-alpha * (2 * math.pi * h) ** 4 / 36 * (1.6 / h))
            assert abs(end["algorithmic"] / (0.5 * (1 - left)) - 1) < 0.01, (rho, h, end)


def check_steps_follow(folder):
    """Substeps are step/2^k with D/E between the limits of control.c, 1/32 and 2 of the tolerance."""
    for tolerance in (1e-4, 1e-6):
        done = run(oscillator(folder, "400 ms", f"step_tolerance: {tolerance}"))
        taken = (done["steps"] + done["cuts"]) / 1.6  # substeps a second
        ideal = 2 * math.pi / math.sqrt(6) / tolerance**0.25
        assert ideal / 2**0.25 * 0.95 < taken < ideal * 32**0.25 * 1.05, (tolerance, taken, ideal)
        longest = run(oscillator(folder, "400 ms", f"step_tolerance: {tolerance}, min_step: 100 ms"))
        assert longest["steps"] + longest["cuts"] <= 16


def check_corners(folder):
    """A load in straight pieces is integrated exactly, if no substep has a corner inside."""
    exact = (0.5 * (0.0371 - 0.0123) * 5 + (0.1 - 0.0371) * 5) / 2
    for control, fine in (("step_tolerance: 0.5", True), ("max_cuts: 10", False)):
        path = folder.write("ramp.yaml", RAMP.replace("CONTROL", control))
        table = folder.file("ramp.csv")
        torsor("run", path, "-q", "-o", folder.file("ramp.h5"), "--csv", table)
        names, *rows = [line.split(",") for line in open(table).read().split("\n") if line]
        column = next(i for i, name in enumerate(names) if "velocity" in name and "x" in name.split(".")[-1])
        error = abs(float(rows[-1][column]) - exact)
        assert (error < 1e-14) == fine, (control, error)


def check_restart(folder):
    """From any stored state the run goes on to the same numbers, bit for bit."""
    model = folder.write("gate.yaml", open(GATE).read())
    whole, rest = folder.file("whole.h5"), folder.file("rest.h5")
    torsor("run", model, "-q", "-o", whole, "--end", "1s")
    columns = ("gate.position", "gate.velocity", "energy", "hinge.force")
    table = torsor("info", whole, "--csv", *columns).stdout.splitlines()
    with h5py.File(whole) as file:
        substep = file["frames/step_control"][:, 0]
    short = [k for k in range(1, 100) if substep[k] < 0.01]
    assert len(short) > 4, short
    for step in (20, short[0], short[len(short) // 2]):
        torsor("restart", whole, "-q", "-o", rest, "--from", str(step))
        again = torsor("info", rest, "--csv", *columns).stdout.splitlines()
        assert len(again) == 100 - step + 2 and again[1:] == table[step + 1:], step


def check_gate():
    """Against fixed steps that are more work: at most a tenth of the loss, and the audit closes as well."""
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(path)
        free = run(folder.write("fixed.yaml", with_control(GATE, [])), "--step", "2.5ms")
    held = run(GATE)
    assert held["status"] == free["status"] == "completed"
    assert held["iterations"] < free["iterations"], (held["iterations"], free["iterations"])
    assert 0 < held["end"]["algorithmic"] < 0.1 * free["end"]["algorithmic"]
    assert held["relative_balance"] < 1e-12


def check_buckling(folder):
    fixed = run(BUCKLING, "--end", "1.5s", "--step", "2.5ms")
    words = ["step_tolerance: 1e-4", "step_energy: 80 J"]
    path = folder.write("buckling.yaml", with_control(BUCKLING, words))
    held = run(path, "--end", "1.5s", "--step", "10ms")
    assert held["iterations"] < fixed["iterations"], (held["iterations"], fixed["iterations"])
    assert 0 < held["end"]["algorithmic"] < fixed["end"]["algorithmic"]
    assert held["relative_balance"] < 1e-12


def check_refusals(folder):
    for analysis, word in (
        ("scheme: EP, step: 1 ms, end: 1 s, step_tolerance: 1e-4", "the scheme must be ED"),
        ("scheme: {name: ED, rho_inf: 1}, step: 1 ms, end: 1 s, step_tolerance: 1e-4", "below 1"),
        ("step: 1 ms, end: 1 s, step_tolerance: 2", "between 0 and 1"),
        ("step: 1 ms, end: 1 s, min_step: 1 us", "give 'step_tolerance'"),
        ("step: 1 ms, end: 1 s, step_energy: 1 J", "with 'step_tolerance'"),
        ("step: 1 ms, end: 1 s, step_tolerance: 1e-4, min_step: 2 ms", "not beyond 'step'"),
        ("type: static, step_tolerance: 1e-4", "no time steps"),
    ):
        text = re.sub(r"analysis: .*", "analysis: {" + analysis + "}", OSCILLATOR)
        assert word in torsor("run", folder.write("bad.yaml", text), code=2).stderr, analysis
    assert "scheme must be ED" in torsor("run", GATE, "--scheme", "EP", "--no-results", code=2).stderr
    # ladders are of fixed steps
    torsor("compare", GATE, "--end", "0.1s", "--levels", "1", "--schemes", "EP")


def main():
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(path)
        check_fourth_power(folder)
        check_steps_follow(folder)
        check_corners(folder)
        check_restart(folder)
        check_gate()
        check_buckling(folder)
        check_refusals(folder)


main()
