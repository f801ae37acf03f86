#!/usr/bin/python3
"""mutants.py [--count N] [--seed N] [--files PATTERN...] [--build FOLDER] [--report FILE]: do the tests notice wrong code?

Changes one place of the library at a time, in a copy of the sources: a sign, a comparison, a number, a statement left out. Builds, and runs the
tests until one fails, those in C first. A change that no test notices *survives*; survivors are written into a report. Some of them
are equivalent (the change changes nothing), some only cost time (tests/test_budgets.py catches most), and the others are tests to be
written. The same seed gives the same changes as long as the sources are the same.

It takes about a minute for each change on two cores; `make mutants` makes 40.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ["src/[!c]*/*.c", "src/parts/*/*.c"]  # not the command line, which prints
LEFT_OUT = re.compile(r"^\s*(/?\*|//|#|case |default:|typedef|extern|assert)")
STATEMENT = re.compile(r"^\s+[A-Za-z_][\w\->\[\].*+ ]* [-+*]?= [^;]*;\s*$|^\s+ts_\w+\([^;]*\);\s*$")


def other_number(match):
    value = match[0]
    return {"0": "1", "1": "2", "2": "1", "0.5": "1", "3": "4", "6": "5"}.get(value, f"(2 * {value})")


# what is looked for, what takes its place
OPERATORS = [
    (re.compile(r"(?<=[\w\])]) \+ (?=[\w(])"), lambda m: " - "),
    (re.compile(r"(?<=[\w\])]) - (?=[\w(])"), lambda m: " + "),
    (re.compile(r" \+= "), lambda m: " -= "),
    (re.compile(r" -= "), lambda m: " += "),
    (re.compile(r"(?<=[\w\])]) < (?=[\w(])"), lambda m: " <= "),
    (re.compile(r"(?<=[\w\])]) > (?=[\w(])"), lambda m: " >= "),
    (re.compile(r" == "), lambda m: " != "),
    (re.compile(r" != "), lambda m: " == "),
    (re.compile(r" && "), lambda m: " || "),
    (re.compile(r" \|\| "), lambda m: " && "),
    (re.compile(r"\bv3_add\b"), lambda m: "v3_sub"),
    (re.compile(r"\bv3_sub\b"), lambda m: "v3_add"),
    (re.compile(r"\btrue\b"), lambda m: "false"),
    (re.compile(r"\bfalse\b"), lambda m: "true"),
    (re.compile(r"(?<![\w.\[])(?:0\.5|\d+\.\d+|[0-9])(?![\w.\]e])"), other_number),
]


def code_lines(text):
    """Numbers of the lines that do something: no comments, no declarations at the left margin."""
    inside = False
    for number, line in enumerate(text.split("\n")):
        begins, ends = "/*" in line, "*/" in line
        if not inside and not begins and line.startswith(" ") and not LEFT_OUT.match(line):
            yield number
        inside = (inside or begins) and not ends


def mutate(text, chance):
    """(line, before, after, new text) of one change, or None."""
    lines = text.split("\n")
    number = chance.choice(list(code_lines(text)) or [0])
    line = lines[number]
    choices = [line[:m.start()] + change(m) + line[m.end():] for pattern, change in OPERATORS for m in pattern.finditer(line)]
    if STATEMENT.match(line) and not line.lstrip().startswith(("int ", "double ", "const ", "v3 ", "m3 ", "bool ", "return")):
        choices.append(re.match(r"\s*", line)[0] + ";")
    if not choices:
        return None
    lines[number] = chance.choice(choices)
    return number + 1, line.strip(), lines[number].strip(), "\n".join(lines)


class Copy:
    """The sources, copied and built."""

    def __init__(self, folder):
        self.root, self.build = folder / "sources", folder / "sources/build"
        if not self.root.exists():
            shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns("build*", ".git", "*.h5"))
            self.call(["tools/configure", "build"])
        for path in ROOT.glob("src/**/*.[ch]"):
            (self.root / path.relative_to(ROOT)).write_bytes(path.read_bytes())
        assert self.make(), "the sources as they are do not build"
        names = subprocess.run(["meson", "test", "-C", self.build, "--list"], capture_output=True, text=True, check=True).stdout.split("\n")
        names = [name.split(" / ")[-1].strip() for name in names if " / " in name]
        self.tests = [[n for n in names if "." not in n and not n.startswith("fuzz")], [n for n in names if n.endswith(".py")]]

    def call(self, words, **environment):
        return subprocess.run(words, cwd=self.root, capture_output=True, text=True, env=os.environ | environment, check=False)

    def make(self):
        return self.call(["ninja", "-C", "build"]).returncode == 0

    def killer(self):
        """The test that fails, or None."""
        for names in self.tests:
            done = self.call(["meson", "test", "-C", "build", "--no-rebuild", "--maxfail", "1", *names], TORSOR_QUICK="1")
            if done.returncode:
                failed = re.search(r"(\S+)\s+(FAIL|TIMEOUT|ERROR)", done.stdout)
                return failed[1] if failed else "a test"
        return None


def report(path, survivors, tried, seed):
    lines = [
        "# Changes that no test notices", "",
        f"Written by `tools/mutants.py --count {tried} --seed {seed}`; the last column is for a person to fill in.",
        f"Of {tried} wrong changes {tried - len(survivors)} were noticed.", "",
        "| place | it was | it became | why no test notices |", "|---|---|---|---|"]
    lines += [f"| {file}:{line} | `{before}` | `{after}` | |".replace("||", "\\|\\|") for file, line, before, after in survivors]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", nargs="+", default=FILES)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build-mutants")
    parser.add_argument("--report", type=pathlib.Path)
    options = parser.parse_args()
    chance, copy, survivors, tried = random.Random(options.seed), Copy(options.build), [], 0
    files = sorted(path for pattern in options.files for path in ROOT.glob(pattern))
    weights = [path.stat().st_size for path in files]
    while tried < options.count:
        path = chance.choices(files, weights)[0].relative_to(ROOT)
        text = (ROOT / path).read_text(encoding="utf-8")
        change = mutate(text, chance)
        if not change:
            continue
        line, before, after, mutant = change
        target, begun = copy.root / path, time.monotonic()
        target.write_text(mutant, encoding="utf-8")
        if copy.make():
            tried += 1
            by = copy.killer()
            print(f"{tried:3d} {by or 'SURVIVED':24s} {time.monotonic() - begun:4.0f} s  {path}:{line}: {before}  ->  {after}", flush=True)
            if not by:
                survivors.append((path, line, before, after))
        target.write_text(text, encoding="utf-8")
    if options.report:
        report(options.report, survivors, tried, options.seed)
    print(f"{len(survivors)} of {tried} changes survived")
    return 0


if __name__ == "__main__":
    sys.exit(main())
