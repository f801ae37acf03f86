#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Step control: the dissipation of ED follows the fourth power of the step, steps follow it and rotations, corners and
jumps are met, restarts agree bit for bit; neither the origin of heights nor a steady flight matter; runs with it
dissipate less energy than runs with fixed steps and more work."""

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
HINGED = os.path.join(ROOT, "examples/papers/hinged_beam.yaml")
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
signals: {F: {table: [[0, 0], [0.0123, 0], [0.0371, 5], [0.08, 5]]}, half: F/2, whole: half + half}
bodies: {mass: {mass: 2, inertia: [1, 1, 1]}}
loads: {push: {type: force, body: mass, force: [FORCE, 0, 0]}}
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
    """Substeps are step/2^k with D/E between the limits of control.c, 1/16 and 4 of the tolerance."""
    for tolerance in (1e-4, 1e-6):
        done = run(oscillator(folder, "400 ms", f"step_tolerance: {tolerance}"))
        taken = (done["steps"] + done["cuts"]) / 1.6  # substeps a second
        ideal = 2 * math.pi / math.sqrt(6) / tolerance**0.25
        assert ideal / 4**0.25 * 0.95 < taken < ideal * 16**0.25 * 1.05, (tolerance, taken, ideal)
        longest = run(oscillator(folder, "400 ms", f"step_tolerance: {tolerance}, min_step: 100 ms"))
        assert longest["steps"] + longest["cuts"] <= 16


def check_turns(folder):
    """A steady rotation loses nothing; a substep turns by as much as one of a vibration that takes as much as it may."""
    text = """torsor: 1
units: SI
bodies: {wheel: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 3]}}
analysis: {step: 800 ms, end: 16 s, step_tolerance: TOLERANCE}
"""
    for tolerance in (1e-2, 1e-4, 1e-6):
        done = run(folder.write("wheel.yaml", text.replace("TOLERANCE", str(tolerance))))
        angle, ideal = 3 * 16 / (done["steps"] + done["cuts"]), math.sqrt(6) * tolerance**0.25
        assert ideal / 16**0.25 < angle < ideal * 4**0.25 and done["end"]["algorithmic"] < 1e-12, (angle, ideal)


def check_scale(folder):
    """Exchanged energy counts, whatever the origin of heights; a flight with a million times the energy only makes the first steps coarser."""
    text = """torsor: 1
units: SI
gravity: [0, 0, GRAVITY]
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, HEIGHT], velocity: [SPEED, 0, 1]}
  b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, HEIGHT + 1], velocity: [SPEED, 0, -1]}
springs: {s: {type: spring, bodies: [a, b], from: [0, 0, HEIGHT], to: [0, 0, HEIGHT + 1], stiffness: 200 N/m}}
analysis: {step: 100 ms, end: 10 s, step_tolerance: 1e-5}
"""
    taken = []
    for gravity, height, speed in ((0, 0, 0), (0, 0, 1000), (0, 1000, 0)):
        words = {"GRAVITY": gravity, "HEIGHT": height, "SPEED": speed}
        path = folder.write("pair.yaml", re.sub("GRAVITY|HEIGHT|SPEED", lambda m: str(words[m[0]]), text))
        done = run(path)
        taken.append(done["steps"] + done["cuts"])
    assert abs(taken[0] - taken[2]) <= 2 and min(taken) > 600, taken  # a scale of all kinetic energy: 100
    lifted = re.sub(r"\[0, 0, L(/2)?\]", lambda m: f"[0, 0, L{m[1] or ''} + 100 m]", open(GATE).read())
    lifted = lifted.replace("H: [0, 0, 0]", "H: [0, 0, 100]").replace("hook: [-0.3, 0, 1.4]", "hook: [-0.3, 0, 101.4]")
    here, there = (run(path, "--end", "0.6s")["cuts"] for path in (GATE, folder.write("lifted.yaml", lifted)))
    assert here > 50 and abs(here - there) <= 0.1 * here, (here, there)


def check_kinks(folder):
    """Loads with kinks and jumps inside of expressions are integrated exactly: substeps end there, and each sees its own side."""
    text = """torsor: 1
units: SI
bodies: {mass: {mass: 2, inertia: [1, 1, 1]}}
loads: {push: {type: force, body: mass, force: ["FORCE", 0, 0]}}
analysis: {scheme: ED, step: 10 ms, end: 0.1 s, step_tolerance: 0.5}
outputs: {csv: [mass.velocity]}
"""
    for force, impulse in (
        ("5 N*step(t - 0.0123)", 5 * (0.1 - 0.0123)),
        ("5 N*step(t - 0.05)", 5 * 0.05),  # at the end of a step
        ("if(t < 0.07, 5 N, 1 N)", 5 * 0.07 + 0.03),
        ("if(t > 0.03, 5 N, 1 N)", 0.03 + 5 * 0.07),
        ("100 N*max(t - 0.0371, 0)", 100 * (0.1 - 0.0371)**2 / 2),
        ("100 N*abs(t - 0.0371)", 100 * ((0.1 - 0.0371)**2 + 0.0371**2) / 2),
        ("100 N*mod(t, 0.023)", 100 * (4 * 0.023**2 + (0.1 - 4 * 0.023)**2) / 2),
        ("1 N*floor(t/0.013)", 0.013 * 21 + 7 * (0.1 - 7 * 0.013)),
        ("1 N*sign(t - 0.041)", 0.1 - 2 * 0.041),
    ):
        path = folder.write("kinks.yaml", text.replace("FORCE", force))
        table = folder.file("kinks.csv")
        torsor("run", path, "-q", "-o", folder.file("kinks.h5"), "--csv", table)
        names, *rows = [line.split(",") for line in open(table).read().split("\n") if line]
        column = next(i for i, name in enumerate(names) if "velocity" in name and "x" in name.split(".")[-1])
        assert abs(float(rows[-1][column]) - impulse / 2) < 1e-13, (force, rows[-1], impulse / 2)


def check_corners(folder):
    """A load in straight pieces is integrated exactly, if no substep has a corner inside: of its own table, or of one in an expression."""
    exact = (0.5 * (0.0371 - 0.0123) * 5 + (0.1 - 0.0371) * 5) / 2
    for control, force, fine in (("step_tolerance: 0.5", "F", True), ("step_tolerance: 0.5", "whole", True), ("max_cuts: 10", "F", False)):
        path = folder.write("ramp.yaml", RAMP.replace("CONTROL", control).replace("FORCE", force))
        table = folder.file("ramp.csv")
        torsor("run", path, "-q", "-o", folder.file("ramp.h5"), "--csv", table)
        names, *rows = [line.split(",") for line in open(table).read().split("\n") if line]
        column = next(i for i, name in enumerate(names) if "velocity" in name and "x" in name.split(".")[-1])
        error = abs(float(rows[-1][column]) - exact)
        assert (error < 1e-14) == fine, (control, force, error)


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


def check_auto(folder):
    """`step: auto`: 200 steps at most that long, or as many as `max_step` makes; whole steps in the interval of outputs; from any stored state on bit for bit."""
    for words, outputs, steps, frames in (
        ("step: auto, end: 1.6 s", "", 200, 201),
        ("step: auto, end: 1.6 s, max_step: 3 ms", "", 534, 535),
        ("step: auto, end: 1.6 s, max_step: 50 ms", "", 32, 33),
        ("step: auto, end: 1.6 s", "interval: 50 ms", 224, 33),
    ):
        text = re.sub("analysis: .*", "analysis: {" + words + "}", OSCILLATOR) + f"outputs: {{{outputs}}}\n"
        path, results = folder.write("auto.yaml", text), folder.file("auto.h5")
        torsor("run", path, "-q", "-o", results)
        with h5py.File(results) as file:
            assert file.attrs["step_tolerance"] == 1e-4 and abs(file.attrs["h"] * steps / 1.6 - 1) < 1e-12, (words, steps)
            assert len(file["frames/t"]) == frames and abs(file["frames/t"][-1] - 1.6) < 1e-12
    torsor("run", path, "-q", "-o", results, "--end", "3.2s")
    with h5py.File(results) as file:
        assert abs(file["frames/t"][1] - 0.05) < 1e-12 and abs(file["frames/t"][-1] - 3.2) < 1e-12
    gate, whole, rest = (folder.file(name) for name in ("auto.yaml", "gate.h5", "gate_rest.h5"))
    folder.write("auto.yaml", re.sub("step: 10 ms", "step: auto", with_control(GATE, [])))
    torsor("run", gate, "-q", "-o", whole, "--end", "1.5s")
    columns = ("gate.position", "gate.velocity", "energy", "hinge.force")
    table = torsor("info", whole, "--csv", *columns).stdout.splitlines()
    torsor("restart", whole, "-q", "-o", rest, "--from", "280")  # of 300, two in an interval
    again = torsor("info", rest, "--csv", *columns).stdout.splitlines()
    assert len(again) == 12 and again[1:] == table[-11:]


def check_never_worse(folder):
    """With nothing given but `step: auto`: not more iterations than with these fixed steps, and not more loss; with events, far less. A guard of
    what was found: the fixed steps were picked knowing it, and docs/step-control.md has whole ladders."""
    for model, end, step, less in ((GATE, "2s", "2.5ms", 0.7), (GATE, "2s", "5ms", 0.2), (BUCKLING, "1.5s", "2.5ms", 1), (HINGED, "0.25s", "1.25ms", 1.01)):
        plain = folder.write("plain.yaml", with_control(model, []))
        fixed, held = run(plain, "--end", end, "--step", step), run(plain, "--end", end, "--step", "auto")
        assert held["status"] == fixed["status"] == "completed"
        more = 1.01 if less > 0.2 else 1.5  # fixed steps of 5 ms are too long for the gate
        assert held["iterations"] < more * fixed["iterations"], (model, held["iterations"], fixed["iterations"])
        assert 0 < held["end"]["algorithmic"] < less * fixed["end"]["algorithmic"], (model, held["end"], fixed["end"])
        assert held["relative_balance"] < 1e-9
    tight = run(GATE)  # with 1e-6
    assert tight["end"]["algorithmic"] < 0.1 * run(folder.write("plain.yaml", with_control(GATE, [])), "--step", "1.25ms")["end"]["algorithmic"]


def check_refusals(folder):
    for analysis, word in (
        ("scheme: EP, step: 1 ms, end: 1 s, step_tolerance: 1e-4", "the scheme must be ED"),
        ("scheme: {name: ED, rho_inf: 1}, step: 1 ms, end: 1 s, step_tolerance: 1e-4", "below 1"),
        ("step: 1 ms, end: 1 s, step_tolerance: 2", "between 0 and 1"),
        ("step: 1 ms, end: 1 s, min_step: 1 us", "give 'step_tolerance'"),
        ("step: 1 ms, end: 1 s, step_energy: 1 J", "with 'step_tolerance'"),
        ("step: 1 ms, end: 1 s, step_tolerance: 1e-4, min_step: 2 ms", "not beyond 'step'"),
        ("type: static, step_tolerance: 1e-4", "no time steps"),
        ("scheme: EP, step: auto, end: 1 s", "the scheme must be ED"),
        ("step: 1 ms, end: 1 s, max_step: 1 ms", "this is for 'step: auto'"),
        ("step: auto, end: 1 s, max_step: 0 s", "longest step must be positive"),
        ("step: auto, end: 0 s", "later than 0"),
        ("step: automatic, end: 1 s", "automatic"),
        ("end: 1 s", "step: auto"),
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
        check_turns(folder)
        check_scale(folder)
        check_kinks(folder)
        check_corners(folder)
        check_restart(folder)
        check_auto(folder)
        check_never_worse(folder)
        check_refusals(folder)


main()
