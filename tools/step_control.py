#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The table of docs/step-control.md: step control against fixed steps, on models with and without events.

    tools/step_control.py --program build/torsor --output docs/step-control.md [MODEL...]

Of each model: a reference with very short steps, a ladder of fixed steps, and `step: auto` with several tolerances. Errors are those of
positions, root mean square over nodes and 100 times, relative to how far the nodes move. Prints all runs; writes those with step control
between the marks in that file, where rows of models that were not asked for stay. Takes half an hour on one core; all numbers are the same
wherever it runs, but for round-off.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- made by tools/step_control.py -->", "<!-- end -->"
TIMES, RUNGS, REFERENCE = 100, 7, 8  # compared; fixed steps of end/100, end/200, ...; the reference has end/25600
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6)

# Model, its end, or None: that of the file. Which of them the constants of the control were chosen by: docs/step-control.md.
MODELS = {
    "falling_gate (case)": ("cases/falling_gate", 2),
    "lateral_buckling_1": ("papers/lateral_buckling_1", 1.5),
    "falling_gate (S1)": ("papers/falling_gate", None),
    "swing_4": ("papers/swing_4", None),
    "swing_8": ("papers/swing_8", None),
    "windmill": ("papers/windmill", None),
    "right_angle_beam": ("papers/right_angle_beam", 15),
    "four_bar_crooked_s0": ("papers/four_bar_crooked_s0", 0.6),
    "hinged_beam": ("papers/hinged_beam", None),
    "actuated_beam": ("papers/actuated_beam", None),
    "lateral_buckling_2": ("papers/lateral_buckling_2", 1),
    "double_pendulum": ("double_pendulum", 2),
    "spinning_top": ("spinning_top", 0.4),
}


def with_analysis(path, words):
    """The model, run by ED, with these words of analysis instead of its own."""
    text = open(path, encoding="utf-8").read()
    text = re.sub(r"(?m)^(analysis|outputs):.*\n([ #].*\n|\n)*", "", text)
    return text + "\nanalysis: {scheme: ED, " + ", ".join(f"{key}: {value}" for key, value in words.items()) + "}\n"


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = os.path.abspath(path), folder

    def end_of(self, model):
        done = subprocess.run([self.path, "check", model, "--json"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["model"]["t_end"]

    def run(self, model, end, **words):
        path, results = (os.path.join(self.folder, name) for name in ("model.yaml", "run.h5"))
        with open(path, "w", encoding="utf-8") as out:
            out.write(with_analysis(model, {"end": end, **words}) + f"outputs: {{interval: {end / TIMES!r}}}\n")
        done = subprocess.run([self.path, "run", path, "--json", "-o", results], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{model}: {words}: {done.stderr}")
        last = json.loads(done.stdout.splitlines()[-1])
        with h5py.File(results) as file:
            slots = [int(node["slot"]) for node in file["model/nodes"][:] if not node["fixed"]]
            places = file["frames/q"][:][:, slots]
        return {"substeps": last["steps"] + last["cuts"], "iterations": last["iterations"],
                "loss": last["end"]["algorithmic"], "scale": last["energy_scale"], "places": places}


def error(run, reference):
    a, b = run["places"], reference["places"]
    return math.sqrt(((a - b) ** 2).sum(2).mean() / ((b - b[:1]) ** 2).sum(2).mean())


def work_for(ladder, value):
    """Iterations with which fixed steps get down to that value: the best so far, powers between rungs; None: never."""
    best, before = math.inf, None
    for work, reached in ladder:
        if reached <= value:
            if before is None:
                return work
            share = math.log(best / value) / math.log(best / reached) if reached < best else 1
            return before * (work / before) ** share
        if reached < best:
            best, before = reached, work
    return None


def gain(ladder, value, work):
    needed = work_for(ladder, value)
    return f"> {ladder[-1][0] / work:.2f}" if needed is None else f"{needed / work:.2f}"


def rows_of(program, name):
    place, end = MODELS[name]
    model = os.path.join(ROOT, "examples", place + ".yaml")
    end = end or program.end_of(model)
    reference = program.run(model, end, step=repr(end / TIMES / 2**REFERENCE))
    fixed = [program.run(model, end, step=repr(end / TIMES / 2**k)) for k in range(RUNGS)]
    errors = [(run["iterations"], error(run, reference)) for run in fixed]
    losses = [(run["iterations"], run["loss"]) for run in fixed]
    for k, run in enumerate(fixed):
        yield [name, f"end/{TIMES * 2**k}", run["substeps"], run["iterations"], f"{errors[k][1]:.1e}",
               f"{run['loss'] / run['scale']:.1e}", "", ""]
    for tolerance in TOLERANCES:
        run = program.run(model, end, step="auto", step_tolerance=tolerance)
        far = error(run, reference)
        yield [name, f"{tolerance:.0e}".replace("e-0", "e-"), run["substeps"], run["iterations"], f"{far:.1e}",
               f"{run['loss'] / run['scale']:.1e}", gain(errors, far, run["iterations"]),
               gain(losses, run["loss"], run["iterations"])]


HEAD = """| model | tolerance | substeps | iterations | error | energy dissipated | gain, error | gain, energy |
|---|---|---|---|---|---|---|---|"""


def merged(before, rows):
    """The lines of the table with these rows, by model, in place of those that it had."""
    kept = {name: [line for line in before if line.startswith(f"| {name} |")] for name in MODELS}
    return [HEAD, *(line for name in MODELS for line in (kept | rows)[name])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/torsor")
    parser.add_argument("--output", help="the file with the marks; default: print the table only")
    parser.add_argument("models", nargs="*", metavar="MODEL", help="default: all, " + ", ".join(MODELS))
    options = parser.parse_args()
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in options.models or MODELS:
            for row in rows_of(Program(options.program, folder), name):
                line = "| " + " | ".join(str(cell) for cell in row) + " |"
                print(line, flush=True)
                if row[-1]:
                    rows.setdefault(name, []).append(line)
    if not options.output:
        return
    text = open(options.output, encoding="utf-8").read()
    pattern = re.escape(BEGIN) + ".*?" + re.escape(END)
    found = re.search(pattern, text, re.S)
    if not found:
        sys.exit(f"{options.output}: no marks '{BEGIN}' and '{END}'")
    lines = merged(found[0].splitlines(), rows)
    text = re.sub(pattern, lambda _: BEGIN + "\n" + "\n".join(lines) + "\n" + END, text, flags=re.S)
    with open(options.output, "w", encoding="utf-8") as out:
        out.write(text)


main()
