#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of docs/what-each-scheme-preserves.md, from `torsor compare`, `torsor spectrum` and a pair of runs in two frames of reference.

    tools/scheme_table.py --program build/torsor --output docs/what-each-scheme-preserves.md

Writes what stands between the marks in that file; every scheme that the program has gets a row. Takes some ten seconds. Processor
times are those of the machine, relative to EP; everything else is the same wherever it runs, but for round-off.
"""

import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- made by tools/scheme_table.py -->", "<!-- end -->"
REFERENCE = "RK-radau5:0.3125ms"  # of the highest order there is, or its own error would be seen in others

# Two bodies tumble about each other on a stiff spring: nothing acts from outside, all momenta are preserved.
PAIR = """torsor: 1
units: SI
bodies:
  a: {{mass: 1, inertia: [0.02, 0.03, 0.04], position: {a}, orientation: {{quaternion: {turn}}}, velocity: {va}, angular_velocity: {w}}}
  b: {{mass: 2, inertia: [0.05, 0.03, 0.04], position: {b}, orientation: {{quaternion: {turn}}}, velocity: {vb}, angular_velocity: {w}}}
springs:
  s: {{type: spring, bodies: [a, b], from: {pa}, to: {pb}, stiffness: 200 N/m, free_length: 0.6 m}}
analysis: {{scheme: EP, step: 10 ms, end: 1 s}}
outputs: {{every: 1, csv: [a.position, b.position]}}
"""


def turned(quaternion, v):
    w, x, y, z = quaternion
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return [sum(r * c for r, c in zip(row, v)) for row in rows]


def pair(quaternion=(1, 0, 0, 0), origin=(0, 0, 0)):
    """The model as seen from a frame that is turned and moved."""
    place = lambda v: [p + o for p, o in zip(turned(quaternion, v), origin)]
    vector = lambda v: turned(quaternion, v)
    return PAIR.format(
        a=place([0, 0, 0]), b=place([0.7, 0.1, 0]), turn=list(quaternion), va=vector([0.3, -1, 0.2]),
        vb=vector([0.3, 1, 0.5]), w=vector([0.4, 2, 3]), pa=place([0.1, 0, 0.05]), pb=place([0.6, 0.1, -0.05]))


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = os.path.abspath(path), folder

    def run(self, *words):
        done = subprocess.run([self.path, *words], capture_output=True, text=True, cwd=self.folder)
        if done.returncode:
            raise RuntimeError(f"{words}: {done.stderr}")
        return done.stdout

    def schemes(self):
        done = subprocess.run([self.path, "spectrum", "--schemes", "?"], capture_output=True, text=True)
        return done.stderr.split("there are ")[1].strip().split(", ")

    def compare(self, model, *options):
        words = ("compare", model, "--schemes", "all", "--rho", "0", "--json", "--jobs", "1", *options)
        return {s["scheme"]: s["rungs"] for s in json.loads(self.run(*words))["schemes"]}

    def radius(self, scheme):
        words = ("spectrum", "--schemes", scheme, "--rho", "0", "--range", "1e4,1e5", "--points", "2", "--json")
        try:
            return json.loads(self.run(*words))["curves"][0]["points"][-1]["radius"]
        except RuntimeError:
            return None

    def path_of(self, scheme, name):
        self.run("run", name + ".yaml", "--scheme", scheme, "-q", "--csv", name + ".csv", "--force")
        with open(os.path.join(self.folder, name + ".csv")) as table:
            rows = list(csv.reader(table))
        columns = [i for i, title in enumerate(rows[0]) if "position" in title]
        return [[float(row[i]) for i in columns] for row in rows[1:]]


TURN, MOVE = (0.5, 0.1, -0.7, math.sqrt(1 - 0.75)), (3, -2, 5)


def frame_error(program, scheme):
    """Largest difference of positions between the two frames, as seen from one of them."""
    try:
        here, there = program.path_of(scheme, "pair"), program.path_of(scheme, "turned")
    except RuntimeError:
        return None
    worst = 0
    for p, q in zip(here, there):
        for k in range(0, len(p), 3):
            seen = [t + m for t, m in zip(turned(TURN, p[k:k + 3]), MOVE)]
            worst = max(worst, math.dist(seen, q[k:k + 3]))
    return worst


def number(value):
    if value is None:
        return "–"
    if abs(value) < 1e-9:
        return "preserved"
    return f"{value:.0e}".replace("e-0", "e-").replace("-", "−", 1 if value < 0 else 0)


def order(value):
    return "–" if value is None else f"{value:.1f}"


def last(rungs, measure):
    return rungs[-1]["order"][measure] if rungs[-1]["status"] == "completed" else None


def row(program, name, free, joined):
    f, j = free[name], joined[name]
    cost = (sum(r["cpu_seconds"] for r in j) / sum(r["cpu_seconds"] for r in joined["EP"])) if joined["EP"] else None
    radius = program.radius(name)
    cells = [
        f"`{name}`", number(f[0]["energy"]), number(j[0]["energy"]), number(f[0]["linear_momentum"]),
        number(f[0]["angular_momentum"]), number(j[0]["position_violation"]), number(j[0]["rate_violation"]),
        number(frame_error(program, name)), order(last(f, "position")), order(last(f, "rotation")),
        order(last(j, "position")), order(last(j, "velocity")), order(last(j, "force")), "–" if radius is None else f"{radius:.2f}", f"{cost:.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


HEAD = """| scheme | energy, free pair | energy, pendulum | linear momentum | angular momentum | constraints | their rates | other frame | order, free: position | rotation | order, pendulum: position | velocity | force | ρ∞ | cost |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"""


def make(program):
    for name, text in (("pair", pair()), ("turned", pair(TURN, MOVE))):
        with open(os.path.join(program.folder, name + ".yaml"), "w") as out:
            out.write(text)
    free = program.compare("pair.yaml", "--levels", "3", "--reference", REFERENCE)
    pendulum = os.path.join(ROOT, "examples/double_pendulum.yaml")
    joined = program.compare(pendulum, "--end", "1s", "--levels", "3", "--reference", REFERENCE)
    return "\n".join([HEAD] + [row(program, name, free, joined) for name in program.schemes()])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/torsor")
    parser.add_argument("--output", help="the file with the marks; default: print the table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = make(Program(options.program, folder))
    if not options.output:
        print(table)
        return
    with open(options.output) as file:
        text = file.read()
    pattern = re.escape(BEGIN) + ".*?" + re.escape(END)
    if not re.search(pattern, text, re.S):
        sys.exit(f"{options.output}: no marks '{BEGIN}' and '{END}'")
    text = re.sub(pattern, lambda _: f"{BEGIN}\n{table}\n{END}", text, flags=re.S)
    with open(options.output, "w") as file:
        file.write(text)


main()
