#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Budgets of work: no example needs more iterations of Newton's method, factorisations or halved steps than when tests/budgets.csv was written.

    test_budgets.py                    compare (TORSOR_QUICK=1: every sixth row)
    test_budgets.py --write [WORD...]  write the table anew, after a change that is meant: all rows, or those of models whose path has one
                                       of the words; look at the difference before you commit it

The numbers are regression values: they say that nothing became worse, not that anything is right. A predictor that is off or a
tangent that is not exact leaves every result as it is, and is seen here alone.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

from program import QUICK, ROOT, answer, events

TABLE = pathlib.Path(__file__).with_name("budgets.csv")
COLUMNS = ("model", "scheme", "end", "iterations", "factorisations", "cuts")
STEPS = 40  # of a transient
LONGEST = 2.5  # s: longer rows are not taken into the table
MORE = {"iterations": (1.03, 3), "factorisations": (1.15, 4), "cuts": (1, 0)}  # this factor, and so many on top


def run(model, scheme, end):
    words = ["run", (ROOT / model).absolute(), "--no-results"] + (["--scheme", scheme] if scheme else [])
    with tempfile.TemporaryDirectory() as folder:
        return events(*words, *(["--end", end] if end else []), cwd=folder, timeout=60)[-1]


def compare(row):
    done = run(row["model"], row["scheme"], row["end"])
    for what, (factor, more) in MORE.items():
        budget = int(row[what])
        if done[what] > factor * budget + more:
            yield f"{row['model']} {row['scheme']}: {done[what]} {what}, {budget} before"


def plans(model):
    """(scheme, end), over the first steps: statics once, for it has no scheme, and whole along an arc length; a transient with EP and with ED."""
    about = answer("check", ROOT / model)["model"]
    analysis = re.search(r"^analysis:.*\n(?:[ #].*\n|\n)*", (ROOT / model).read_text(encoding="utf-8") + "\n", re.MULTILINE)
    static = analysis and "type: static" in analysis[0]
    end = f"{min(about['steps'], STEPS) * about['h']:.9g}s"
    if static:
        return [("", "" if about["steps"] <= STEPS or "arc_length" in analysis[0] else end)]
    return [(scheme, end) for scheme in ("EP", "ED")] if about["scheme"] in ("EP", "ED") else [("", "")]


def measure(model):
    for scheme, end in plans(model):
        done = run(model, scheme, end)
        if done["status"] == "completed" and done["seconds"] < LONGEST:
            yield {"model": model, "scheme": scheme, "end": end} | {what: done[what] for what in MORE}


def table():
    with TABLE.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(words):
    rows = [row for row in table() if words and not any(word in row["model"] for word in words)]
    for path in sorted(path for folder in ("", "machines/", "cases/") for path in ROOT.glob(f"examples/{folder}*.yaml")):
        model = str(path.relative_to(ROOT))
        if words and not any(word in model for word in words):
            continue
        try:
            rows += measure(model)
        except (AssertionError, KeyError, subprocess.TimeoutExpired) as reason:
            print(f"left out: {model}: {str(reason).splitlines()[0]}")
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: ("/cases/" not in row["model"], row["model"])))
    return 0


def main():
    if "--write" in sys.argv:
        return write(sys.argv[sys.argv.index("--write") + 1:])
    rows = table()[:: 6 if QUICK else 1]
    wrong = [line for row in rows for line in compare(row)]
    print("\n".join(wrong) or f"{len(rows)} rows within their budgets")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
