#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Steps that are hard to solve: at four times their step, the windmill (a light hub that turns far in a step) and the falling gate (a rope that jerks) need at most 10 iterations with ED, 15 with EP, and no body turns by more than 150 degrees in a step.

The limits are those that docs/robustness.md is held to, not values that were found; audits must close to 1e-9.
"""
import math
import sys

from program import ROOT, events

MOST = {"ED": 10, "EP": 15}  # iterations a step
RUNS = (("windmill", "EP", "0.1s", "5.5s"), ("windmill", "ED", "0.1s", "5.5s"), ("falling_gate", "ED", "4ms", "4.6s"))


def faults(model, scheme, step, end):
    done = events("run", ROOT / "examples" / "papers" / f"{model}.yaml", "--no-results", "--scheme", scheme, "--step", step, "--end", end)[-1]
    turn = next(x["value"] for x in done["resolution"]["measures"] if x["name"] == "step_turn")
    each = done["iterations"] / done["steps_done"]
    print(f"{model} {scheme} {step}: {each:.1f} iterations a step, {done['cuts']} halved, {math.degrees(turn):.0f} degrees")
    if each > MOST[scheme]:
        yield f"{model} {scheme}: {each:.1f} iterations a step"
    if turn > math.radians(150.1):
        yield f"{model} {scheme}: a body turns by {math.degrees(turn):.0f} degrees in a step"
    if not done["relative_balance"] < 1e-9:
        yield f"{model} {scheme}: audit open by {done['relative_balance']}"


def main():
    wrong = [line for run in RUNS for line in faults(*run)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
