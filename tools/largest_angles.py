#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""largest_angles.py PROGRAM MODEL... [--json FILE] [--longest SECONDS] [--points N]: how far beams bend between neighbouring nodes.

Runs every model that has a beam as its analysis says and stores every step (at most N of them, 20000 unless told). Prints one line
of a Markdown table for each model:

  angle    largest angle between the frames of neighbouring nodes of a beam, degrees; in brackets as drawn;
  where    beam, the first of the two nodes, and time or load factor;
  stretch  largest distance of neighbouring nodes over that as drawn, and the least one;
  tip      place of the last node of the last beam at the end;
  energy   elastic energy at the end, J;
  result   status, steps, iterations per step; frequencies in Hz of a model without an analysis.

A model may be followed by options of `torsor run` in the same word: "examples/papers/right_angle_beam.yaml --step 3.125ms". A run
that takes longer than SECONDS (180) is repeated with a tenth of its end, and its status says so. Models without a beam are left out.
To compare two programs, keep both tables and show their difference.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import h5py
import numpy as np


def call(words, longest):
    """Exit code and standard output of a command; None after too long a time."""
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=longest, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout, done.stderr


def segments(file):
    """Pairs of neighbouring nodes of beams: name, number of the first, slots of both, distance as drawn."""
    beams = {row["name"] for row in file["model/parts"][:] if row["section"] == b"beams"}
    nodes, numbers, drawn = file["model/nodes"][:], file["model/node_numbers"][:], file["model/drawn"][:]
    nodes_of = file["geometry/connectivity"][:]
    out = []
    for cell in file["geometry/cells"][:]:
        if cell["part"] in beams:
            line = nodes_of[cell["first"]:cell["first"] + cell["points"]]
            for a, b in zip(line[:-1], line[1:]):
                out.append((cell["part"].decode(), int(numbers[a]), int(nodes[a]["slot"]), int(nodes[b]["slot"]),
                            float(np.linalg.norm(drawn[b] - drawn[a]))))
    return out


def measure(pairs, q, t, drawn=None):
    """The numbers of the table over states q (states x slots x 3)."""
    sa, sb = np.array([p[2] for p in pairs]), np.array([p[3] for p in pairs])
    length = np.array([p[4] for p in pairs])

    def angles(x):
        """Between frames: from |R_a - R_b| = 2 sqrt(2) sin(angle/2), which keeps its digits at small angles."""
        gap = sum(np.sum((x[sa + k] - x[sb + k])**2, axis=-1) for k in (1, 2, 3))
        return np.degrees(2*np.arcsin(np.clip(np.sqrt(gap/8), 0, 1)))

    best = {"angle": -1.0, "stretch": 0.0, "least": np.inf}
    for x, time in zip(q, t):
        angle, stretch = angles(x), np.linalg.norm(x[sb] - x[sa], axis=-1)/length
        k = int(np.argmax(angle))
        if angle[k] > best["angle"]:
            best.update(angle=float(angle[k]), where=f"{pairs[k][0]}.{pairs[k][1]}", at=float(time))
        best["stretch"] = max(best["stretch"], float(stretch.max()))
        best["least"] = min(best["least"], float(stretch.min()))
    best["drawn"] = float(angles(q[0] if drawn is None else drawn).max())
    best["tip"] = [float(c) for c in q[-1][sb[-1]]]
    return best


def look(program, words, longest, points):
    """One row, or None for a model without a beam."""
    model, *options = shlex.split(words)
    text = pathlib.Path(model).read_text(encoding="utf-8")
    if not re.search(r"^beams:", text, re.M):
        return None
    row = {"model": words}
    plan = {}
    modes = not re.search(r"^analysis:", text, re.M) and not options
    with tempfile.TemporaryDirectory() as folder:
        results, shapes = pathlib.Path(folder, "run.h5"), pathlib.Path(folder, "modes.h5")
        command = [program, "run", model, "--json", "-o", results, *options]
        if modes:
            command += ["--step", "1e-6", "--end", "1e-6"]
        elif not re.search(r"^analysis:.*type: static|^  type: static", text, re.M):
            checked = call([program, "check", model, "--json"], longest)
            plan = json.loads(checked[1])["model"] if checked and checked[0] == 0 else {}
            steps = plan["t_end"]/plan["h"] if plan.get("h") else 0
            if "--every" not in options:
                command += ["--every", max(1, int(np.ceil(steps/points)))]
        done, shorter = call(command, longest), ""
        if done is None and plan.get("t_end"):
            shorter = f", end {plan['t_end']/10:g} s"
            done = call([*command, "--end", plan["t_end"]/10], longest)
        if done is None or not results.exists():
            return {**row, "status": "too long" if done is None else f"exit {done[0]}: {(done[2] or done[1]).strip().splitlines()[0][:120]}"}
        with h5py.File(results) as file:
            count = int(file["progress"][0])
            pairs = segments(file)
            q, t = file["frames/q"][:count], file["frames/t"][:count]
            row["elastic"] = float(file["frames/ledger"][count - 1][1])
        if modes:
            answer = call([program, "modes", model, "-n", "8", "--json", "-o", shapes], longest)
            if answer is None or answer[0]:
                return {**row, "status": "modes failed"}
            with h5py.File(shapes) as file:
                first, q, t = q[0], file["modes/q"][:][None], np.array([0.0])
                row["hertz"] = [float(f) for f in file["modes/frequency"][:]]
            return {**row, "status": "modes", **measure(pairs, q, t, first)}
        last = next((e for e in map(json.loads, reversed(done[1].splitlines())) if e.get("event") == "done"), {})
        row["steps"] = last.get("steps_done", count - 1)
        row["iterations"] = last.get("iterations", 0)/max(1, row["steps"])
        row["status"] = (last.get("status") or f"exit {done[0]}") + shorter
        return {**row, **measure(pairs, q, t)}


def line(row):
    name = row["model"].replace("|", "/")
    if "angle" not in row:
        return f"| {name} | | | | | | {row['status']} |"
    result = row["status"] + (", Hz: " + ", ".join(f"{f:.6g}" for f in row["hertz"]) if "hertz" in row else
                              f", {row['steps']} steps, {row['iterations']:.1f} iterations")
    return (f"| {name} | {row['angle']:.1f} ({row['drawn']:.1f}) | {row['where']}, {row['at']:.4g} | {row['stretch']:.4f}, {row['least']:.4f} | "
            + ", ".join(f"{0.0 if abs(c) < 1e-12 else c:.6g}" for c in row["tip"]) + f" | {row['elastic']:.6g} | {result} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--json", metavar="FILE", help="also write all numbers there")
    parser.add_argument("--longest", type=float, default=180, metavar="SECONDS")
    parser.add_argument("--points", type=int, default=20000, metavar="N")
    asked = parser.parse_args()
    program = pathlib.Path(asked.program).absolute()
    print("| model | angle (as drawn), ° | where, when | stretch, least | tip | elastic energy, J | result |")
    print("|---|---|---|---|---|---|---|")
    rows = []
    for words in asked.models:
        row = look(program, words, asked.longest, asked.points)
        if row:
            rows.append(row)
            print(line(row), flush=True)
    if asked.json:
        pathlib.Path(asked.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
