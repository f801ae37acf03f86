#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Work against precision: error of the loaded tip of the right-angle beam at t = 8 s over the CPU time of the run, EP and ED.

    bench/work_precision.py [--torsor build/torsor] [-o work_precision.csv] [--finest 0.00625]

The beam of S3 section 10.1 as two legs of 10 m, five elements each, kicked at the free end of the second leg and then flying
freely. The mesh is fixed, so that the error is that of time integration alone; the reference is ED with rho_inf = 1 (of
fourth order for linear systems) at a quarter of the smallest step, and the distance between it and EP at the same step says
how good it is. Seconds are CPU time, the best of a few runs, less that of a run of a single step.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

PULSE = "{table: [[0 s, 0 N], [1 s, 50 N], [2 s, 0 N]]}"
MODEL = f"""torsor: 1
units: SI
title: Right-angle beam
sections:
  S: {{EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 1e3, EI2: 1e3, EI3: 1e3, mass: 1, inertia: [10, 10, 10]}}
beams:
  leg: {{from: [0, 0, 0], to: [10, 0, 0], section: S, elements: 5, order: 1}}
  arm: {{from: [10, 0, 0], to: [10, 10, 0], section: S, elements: 5, order: 1}}
joints:
  corner: {{type: rigid, bodies: [leg.end, arm.start], at: [10, 0, 0]}}
loads:
  kick: {{type: force, body: arm.end, force: [{PULSE}, {PULSE}, {PULSE}]}}
analysis: {{scheme: ED, end: 8 s, step: 0.1 s}}
outputs: {{every: 1000000, csv: [arm.6.position]}}
"""


def cpu(command):
    """Seconds of user and system time of a command that succeeds."""
    process = subprocess.Popen([str(word) for word in command])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command[0]} failed")
    return usage.ru_utime + usage.ru_stime


def run(torsor, model, folder, scheme, rho, h, end=8):
    """Position of the tip at the end, seconds, iterations per step, relative balance."""
    table, results = folder / "tip.csv", folder / "tip.h5"
    seconds = cpu([torsor, "run", model, "--quiet", "--scheme", scheme, "--rho", rho, "--step", repr(h),
                   "--end", repr(end), "--every", round(8/h), "-o", results, "--csv", table])
    info = json.loads(subprocess.run([str(torsor), "info", str(results), "--json"], check=True,
                                     capture_output=True, text=True).stdout)
    with open(table, newline="") as file:
        last = list(csv.reader(file))[-1]
    return [float(x) for x in last[1:4]], seconds, info["mean_iterations"], info["relative_balance"]


def timed(repeat, *arguments):
    """The same with the time of the steps alone."""
    runs = [run(*arguments) for _ in range(repeat)]
    idle = min(run(*arguments, end=arguments[-1])[1] for _ in range(repeat))
    return runs[0][0], min(r[1] for r in runs) - idle, *runs[0][2:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torsor", default=pathlib.Path(__file__).parent.parent / "build" / "torsor")
    parser.add_argument("-o", "--output", default="work_precision.csv")
    parser.add_argument("--finest", type=float, default=0.1/16, help="smallest step, 0.1/2^k")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each, of which the fastest counts")
    arguments = parser.parse_args()
    steps = [0.1/2**k for k in range(round(math.log2(0.1/arguments.finest)) + 1)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = folder / "right_angle.yaml"
        model.write_text(MODEL)
        reference = run(arguments.torsor, model, folder, "ED", 1, steps[-1]/4)[0]
        check = run(arguments.torsor, model, folder, "EP", 1, steps[-1]/4)[0]
        print(f"reference {reference}, EP at the same step is {math.dist(reference, check):.1e} m away")
        with open(arguments.output, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow("scheme rho_inf h_s error_m seconds iterations balance order".split())
            for scheme, rho in (("EP", 1), ("ED", 0), ("ED", 1)):
                before = None
                for h in steps:
                    tip, seconds, iterations, balance = timed(arguments.repeat, arguments.torsor, model, folder,
                                                              scheme, rho, h)
                    error = math.dist(tip, reference)
                    order = math.log2(before/error) if before else math.nan
                    before = error
                    table.writerow([scheme, rho, h, f"{error:.4e}", f"{seconds:.4g}", f"{iterations:.3g}",
                                    f"{balance:.1e}", f"{order:.2f}"])
                    print(f"{scheme} {rho:3g}  h {h:8.5f}  error {error:.2e} m  {1e3*seconds:8.2f} ms  "
                          f"{iterations:5.2f} it/step  balance {balance:.0e}  order {order:5.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
