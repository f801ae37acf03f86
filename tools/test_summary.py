#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""test_summary.py [--label TEXT] DIR...: count the tests of the last run in each build folder.

Prints `N passed, N failed`. Skipped tests count as neither. Fails if a test failed or none ran.
"""
import argparse
import json
import pathlib
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
NEITHER = {"SKIP", "IGNORED"}


def results(build):
    log = pathlib.Path(build, "meson-logs", "testlog.json")
    if not log.exists():
        return []
    with log.open(encoding="utf-8") as lines:
        return [json.loads(line)["result"] for line in lines if line.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--label", default="")
    parser.add_argument("builds", nargs="+", metavar="DIR")
    arguments = parser.parse_args()

    found = [r for build in arguments.builds for r in results(build) if r not in NEITHER]
    passed = sum(r in PASSED for r in found)
    failed = len(found) - passed
    label = arguments.label + ": " if arguments.label else ""
    print(f"{label}{passed} passed, {failed} failed", flush=True)
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
