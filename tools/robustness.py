#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""robustness.py [MODEL...]: runs the papers' examples at their steps and at four times these, with EP and ED, and
writes docs/robustness.md.

Without models: all of examples/papers. With some: only their rows of the page are written anew. Exit code 1 if a run with ED does not complete, has a number that is not
finite, or leaves its energy audit open. What EP does is recorded. The program is $TORSOR, or build/torsor.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("TORSOR", ROOT / "build" / "torsor")).absolute()
PAGE = ROOT / "docs" / "robustness.md"
RUNS = (("ED", 1), ("ED", 4), ("EP", 1), ("EP", 4))
LONGEST = 600  # s of a run

HEAD = """# Robustness

<!-- Written by tools/robustness.py; run it again after changes to schemes or examples. -->

This page shows the examples of the papers (`examples/papers`) with ED (ρ∞ = 0) and EP, at the step of the example and at four times that step.
With ED every run must complete with finite numbers and with a closed energy audit (error below
1e-8 of the largest energy); `tools/robustness.py` fails otherwise. EP is recorded without such a requirement. In stiff models, and
where a motion starts with a jerk, EP preserves the energy of vibrations that the step cannot resolve, as the papers
say, and needs more iterations. A completed run need not be accurate; for accuracy see the pages in docs/papers.

A step that does not converge is halved, up to ten times; "halved" counts these steps. "Dissipated" is the energy that the scheme
dissipated, "audit" the error of the energy balance, both relative to the largest energy of the run.

| example | scheme | step | completed | halved | iterations/step | audit | dissipated |
|---|---|---|---|---|---|---|---|
"""


def step_of(model):
    """The step of a model, s."""
    done = subprocess.run([PROGRAM, "check", model, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["model"]["h"]


def run(model, scheme, step):
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder, "run.h5")
        command = [PROGRAM, "run", model, "--json", "-o", results, "--scheme", scheme, "--step", repr(step)]
        command += ["--rho", "0"] if scheme == "ED" else []
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
        except subprocess.TimeoutExpired:
            return {"status": f"no, stopped after {LONGEST} s", "good": False}
        events = [json.loads(line) for line in done.stdout.splitlines()]
        if not events or events[-1]["event"] != "done":
            return {"status": "no, did not start", "good": False}
        last = events[-1]
        with h5py.File(results) as file:
            frames, steps = file["progress"][:]
            finite = all(np.isfinite(file[name][:frames]).all() for name in ("frames/q", "frames/v"))
            taken = file["steps/algorithmic"][steps - 1] if steps else 0
    last["good"] = done.returncode == 0 and finite and bool(last["sound"])
    last["status"] = "yes" if done.returncode == 0 else f"no, failed at t = {last['t']:.4g} s"
    if not finite:
        last["status"] += ", not finite"
    last["taken"] = taken / last["energy_scale"] if last["energy_scale"] else 0
    return last


def seconds(value):
    return f"{value * 1e3:.4g} ms" if value < 1 else f"{value:.4g} s"


def rows_of_page():
    return [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ") and not line.startswith("| example ")]


def main():
    models = [pathlib.Path(name) for name in sys.argv[1:]] or sorted((ROOT / "examples" / "papers").glob("*.yaml"))
    rows, bad = [], []
    for model in models:
        step = step_of(model)
        for scheme, factor in RUNS:
            r = run(model, scheme, factor * step)
            row = f"| {model.stem} | {scheme} | {seconds(factor * step)} | {r['status']} |"
            if "cuts" in r:
                per = r["iterations"] / max(r["steps_done"], 1)
                row += f" {r['cuts']} | {per:.1f} | {r['relative_balance'] or 0:.0e} | {r['taken']:.1e} |"
            else:
                row += " | | | |"
            print(row, flush=True)
            rows.append(row)
            if scheme == "ED" and not r["good"]:
                bad.append(f"{model.stem} at {seconds(factor * step)}")
    rows = [row for row in rows_of_page() if row.split()[1] not in {model.stem for model in models}] + rows
    rows.sort(key=lambda row: (row.split()[1], row.split()[3] == "EP"))
    ed = sum(scheme == "ED" for scheme, _ in RUNS) * len(models)
    verdict = f"\nED: {ed - len(bad)} of {ed} runs completed with finite numbers and a closed audit."
    if bad:
        verdict += " Not: " + ", ".join(bad) + "."
    whole = sum(row.split()[3] == "ED" for row in rows)
    PAGE.write_text(HEAD + "\n".join(rows) + "\n" + (verdict if ed == whole or bad else
                    f"\nED: {whole} of {whole} runs completed with finite numbers and a closed audit.") + "\n", encoding="utf-8")
    print(verdict)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
