#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""test_summary.py [--label TEXT] [--failed] DIR...: count the tests of the last run in each build folder.

Prints `N passed, N failed`. Skipped tests count as neither. Fails if a test failed or none ran. A test that was run again
(meson-logs/again.json, by tools/run_tests) counts by its second result; its name is printed. --failed prints the names of failed tests only.
"""
import argparse
import json
import pathlib
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
NEITHER = {"SKIP", "IGNORED"}


def results(build, log):
    """Name: result, of a log of meson."""
    path = pathlib.Path(build, "meson-logs", log)
    if not path.exists():
        return {}
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return {row["name"].partition(" / ")[2] or row["name"]: row["result"] for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--label", default="")
    parser.add_argument("--failed", action="store_true")
    parser.add_argument("builds", nargs="+", metavar="DIR")
    arguments = parser.parse_args()
    label = arguments.label + ": " if arguments.label else ""

    found = []
    for build in arguments.builds:
        once, again = results(build, "testlog.json"), results(build, "again.json")
        if not arguments.failed:
            for name in sorted(n for n, r in again.items() if r in PASSED and once.get(n) not in PASSED):
                print(f"{label}{name} failed among the others and passed alone", flush=True)
        found += {**once, **{n: again[n] for n in again if once.get(n) not in PASSED}}.items()
    found = [(name, result) for name, result in found if result not in NEITHER]
    failed = [name for name, result in found if result not in PASSED]
    if arguments.failed:
        print("".join(name + "\n" for name in failed), end="")
        return 0
    print(f"{label}{len(found) - len(failed)} passed, {len(failed)} failed", flush=True)
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
