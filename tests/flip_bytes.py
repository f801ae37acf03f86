#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""flip_bytes.py [--count N] [--first N] [--seed N] [RESULTS.h5]: what torsor makes of results files with one flipped byte.

Each byte of the first N and then COUNT bytes anywhere are changed, one at a time, by a bit or to any other value. Every
file is read by `info`, `restart`, `report`, and Python (if TORSOR_LIBRARY is set). The results:

  reported  the program refuses the file with a message, or reports damage
  harmless  the result equals that of the sound file, bit for bit
  silent    another result without a message: a fault
  crashed   ended by a signal, or took more than a minute: a fault

The last line is a table of one line; the exit code is 1 if anything was silent or crashed. The test suite runs a short form
(test_damaged_results.py); `make flips` the long one.
"""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import h5py

from program import PROGRAM, ROOT, torsor

LIBRARY = pathlib.Path(os.environ.get("TORSOR_LIBRARY", "none"))


class Table:
    def __init__(self):
        self.tried = self.told = self.harmless = self.silent = self.crashed = 0
        self.lost = []

    def count(self, outcome, what):
        self.tried += 1
        setattr(self, outcome, getattr(self, outcome) + 1)
        if outcome in ("silent", "crashed"):
            self.lost.append(f"{outcome}: {what}")

    def __str__(self):
        return f"flipped bytes x verbs: tried {self.tried}, reported {self.told}, harmless {self.harmless}, lost {self.silent + self.crashed}" + "".join(f"\n  {item}" for item in self.lost[:20])


def contents(path):
    """All numbers of a results file that do not depend on the clock."""
    with h5py.File(path) as file:
        parts = [file["progress"][:].tobytes()]
        for group in ("frames", "steps"):
            parts += [name.encode() + file[group][name][:].tobytes() for name in sorted(file[group])]
    return b"".join(parts)


def calls(folder):
    """By verb: the words, and what counts as its result."""
    out = folder / "on.h5"
    page = folder / "page.html"
    return {
        "info": (["info", "flip.h5"], lambda done: done.stdout),
        "restart": (["restart", "flip.h5", "--end", "0.15", "-o", out, "-q"], lambda done: contents(out)),
        "report": (["report", "flip.h5", "-o", page, "-q"], lambda done: page.read_bytes()),
    }


def run(words, folder):
    try:
        return subprocess.run([PROGRAM, *words], capture_output=True, cwd=folder, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return None


def judge(done, result, reference):
    if done is None or done.returncode < 0 or done.returncode > 5 or b"Sanitizer" in done.stderr:
        return "crashed"
    if done.returncode != 0:
        return "told" if done.stderr.strip() else "silent"
    if b"damaged" in done.stdout + done.stderr:
        return "told"
    found = result(done)
    if found == reference:
        return "harmless"
    return "told" if b"not written completely, or is damaged" in found else "silent"  # the status, on a page


def read_all(path):
    """Every series, through the library."""
    import torsor as module
    results = module.Results(path)
    return b"".join(name.encode() + results.series(name).tobytes() for name in sorted(results.arrays))


def judge_python(path, reference):
    """In a child, which may crash."""
    child = os.fork()
    if child == 0:
        code = 3
        try:
            code = 0 if read_all(path) == reference else 2
        except Exception as error:  # pylint: disable=broad-except
            code = 1 if str(error).strip() else 2
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return {0: "harmless", 1: "told", 2: "silent"}.get(code, "crashed")


def flips(size, count, first, seed):
    """(place, mask), the mask not 0."""
    dice = random.Random(seed)
    for place in range(min(first, size)):
        yield place, dice.choice((1 << dice.randrange(8), dice.randrange(1, 256)))
    for _ in range(count):
        yield dice.randrange(size), dice.choice((1 << dice.randrange(8), dice.randrange(1, 256)))


def campaign(table, good, chosen, tell=None):
    """Of the flips (place, mask) one after the other."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = folder / "flip.h5"
        shutil.copy(good, path)
        verbs = calls(folder)
        reference = {}
        for verb, (words, result) in verbs.items():
            reference[verb] = result(run(words, folder))
        python = LIBRARY.exists()
        if python:
            sys.path.insert(0, str(ROOT / "python"))
            reference["Python"] = read_all(path)
        data = bytearray(pathlib.Path(good).read_bytes())
        for number, (place, mask) in enumerate(chosen):
            data[place] ^= mask
            path.write_bytes(data)
            what = f"byte {place} ^ {mask:#04x}"
            for verb, (words, result) in verbs.items():
                (folder / "on.h5").unlink(missing_ok=True)
                table.count(judge(run(words, folder), result, reference[verb]), f"{verb}, {what}")
            if python:
                table.count(judge_python(path, reference["Python"]), f"Python, {what}")
            data[place] ^= mask
            if tell and number % 100 == 99:
                tell(table)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=2000, help="bytes anywhere")
    parser.add_argument("--first", type=int, default=4096, help="of these bytes, every one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("results", nargs="?")
    asked = parser.parse_args()
    table = Table()
    with tempfile.TemporaryDirectory() as name:
        if not asked.results:
            from crafted_results import MODEL
            pathlib.Path(name, "ok.yaml").write_text(MODEL, encoding="utf-8")
            torsor("run", "ok.yaml", "-q", cwd=name)
        good = pathlib.Path(asked.results or pathlib.Path(name, "ok.h5"))
        campaign(table, good, flips(good.stat().st_size, asked.count, asked.first, asked.seed), tell=lambda t: print(t, flush=True))
    print(table)
    sys.exit(1 if table.lost else 0)


if __name__ == "__main__":
    main()
