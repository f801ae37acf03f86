#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""mutants.py [--count N] [--seed N] [--files PATTERN...] [--with-python] [--budget S] [--log FILE]: do the tests notice wrong code?

Changes one place of the library at a time, in a copy of the sources: a sign, a comparison, a number, a statement left out. A change
that no test notices *survives*; docs/mutants.md lists the survivors and why they survive. The same seed gives the same changes as
long as the sources are the same.

The copy is built for coverage, once, and every test is run once. From then on a change only meets the tests that execute its line, the
shortest first. Program and tests are linked to one shared library, so that a change costs a compilation and a link. Lines that no test
executes are not changed; they are counted. --budget ends the tests of one change after so many seconds: more changes are tried, and those
that survive meet all tests with --again LOG, with --with-python those in Python, too.
"""
import argparse
import fnmatch
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ["src/[!c]*/*.c", "src/parts/*/*.c"]  # not the command line, which prints, nor the programs
QUICKLY = " -O0 -fno-profile-arcs -fno-test-coverage"
HOW = ["-Db_coverage=true", "-Doptimization=1", "-Ddebug=false"]
TOO_SLOW = ["test_budgets.py", "test_speed.py", "test_docs.py"]  # instrumented code is slower; what costs time only is no fault here
LEFT_OUT = re.compile(r"^\s*(/?\*|//|#|case |default:|typedef|extern|assert)")
STATEMENT = re.compile(r"^\s+[A-Za-z_][\w\->\[\].*+ ]* [-+*]?= [^;]*;\s*$|^\s+ts_\w+\([^;]*\);\s*$")
DECLARES = re.compile(r"\s*(?:static |const |struct |unsigned )*\w+(?: \*+|\s)\w+(?:\[.*\])? =|\s*return")
# what only prints, sizes memory or frees it: a change is equivalent, or seen by sanitizers alone
HARMLESS = re.compile(r"\b(ts_error|ts_fail|ts_report|ts_warn|fprintf|snprintf|ts_calloc|ts_realloc|ts_grow|free|\w+_free|\w+_clear|sizeof|enum|ts_json_\w+)\b")


def other_number(match):
    value = match[0]
    return {"0": "1", "1": "2", "2": "1", "0.5": "1", "3": "4", "6": "5"}.get(value, f"(2 * {value})")


# what is looked for, what takes its place
OPERATORS = [
    (re.compile(r"(?<=[\w\])]) \+ (?=[\w(])"), lambda m: " - "),
    (re.compile(r"(?<=[\w\])]) - (?=[\w(])"), lambda m: " + "),
    (re.compile(r"(?<=[\w\])]) \* (?=[\w(])"), lambda m: " / "),
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
    (re.compile(r"(?<![\w.\[-])(?:0\.5|\d+\.\d+|[0-9])(?![\w.\]e])"), other_number),
]


def code_lines(text):
    """Numbers of the lines that do something: no comments, no declarations at the left margin."""
    inside = False
    for number, line in enumerate(text.split("\n")):
        begins, ends = "/*" in line, "*/" in line
        if not inside and not begins and line.startswith(" ") and not LEFT_OUT.match(line) and not HARMLESS.search(line):
            yield number
        inside = (inside or begins) and not ends


def without_words(line):
    """The line with its strings and its comment blanked, so that places in it stay where they are."""
    blank = lambda m: " " * len(m[0])  # noqa: E731
    return re.sub(r"//.*", blank, re.sub(r'"(?:[^"\\]|\\.)*"', blank, line))


def mutate(text, chance):
    """(line, before, after, new text) of one change, or None."""
    lines = text.split("\n")
    number = chance.choice(list(code_lines(text)) or [0])
    line = lines[number]
    choices = [line[:m.start()] + change(m) + line[m.end():] for pattern, change in OPERATORS for m in pattern.finditer(without_words(line))]
    if STATEMENT.match(line) and not DECLARES.match(line):
        choices.append(re.match(r"\s*", line)[0] + ";")
    if not choices:
        return None
    lines[number] = chance.choice(choices)
    return number + 1, line.strip(), lines[number].strip(), "\n".join(lines)


def object_of(path):
    return "_".join(path.parts[1:]) + ".o"


class Test:
    """A program in C or a script, and how long it takes where nothing is wrong."""

    def __init__(self, copy, path):
        self.copy, self.name, self.python = copy, path.name if path.suffix == ".py" else path.stem, path.suffix == ".py"
        self.target = "torsor" if self.python else f"tests/{self.name}"
        self.words = ["/usr/bin/python3", copy.root / "tests" / path.name] if self.python else [copy.fast / self.name]
        self.folder, self.seconds = copy.folder / "coverage" / self.name, 0.0

    def surroundings(self, where):
        build, root = self.copy.build, self.copy.root
        return os.environ | {
            "TORSOR": str(self.copy.fast / "torsor"), "TORSOR_LIBRARY": str(self.copy.library), "TORSOR_BUILD_DIR": str(build),
            "TORSOR_SOURCE_DIR": str(root), "PYTHONPATH": str(root / "python"), "TORSOR_QUICK": "1", "CMOCKA_TEST_ABORT": "0",
            "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "GCOV_PREFIX": str(where)}

    def passes(self, limit, where=None):
        where = where or "/dev/null"  # a change needs no coverage, and a folder that cannot be made costs nothing
        try:
            return subprocess.run(self.words, cwd=self.copy.root / "tests", env=self.surroundings(where), timeout=limit,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def measure(self):
        """Coverage and time of the sources as they are; False if the test fails on them."""
        note = self.folder / "seconds.txt"
        if not note.exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            begun = time.monotonic()
            passed = self.passes(600, self.folder)
            note.write_text(f"{time.monotonic() - begun if passed else -1:.2f}", encoding="utf-8")
        self.seconds = float(note.read_text(encoding="utf-8"))
        return self.seconds >= 0

    def lines_of(self, obj, source):
        """The lines of a source file that this test executes."""
        data = self.folder / str(obj).lstrip("/")
        if not data.with_suffix(".gcda").exists():
            return set()
        notes = data.with_suffix(".gcno")
        if not notes.exists():
            notes.symlink_to(self.copy.folder / "gcno" / notes.name)
        done = subprocess.run(["gcov", "--json-format", "--stdout", data.with_suffix(".gcda")], cwd=self.copy.build,
                              capture_output=True, text=True, check=False)
        return {line["line_number"] for part in done.stdout.splitlines() if part.startswith("{") for file in json.loads(part)["files"]
                if file["file"].endswith(str(source)) for line in file["lines"] if line["count"] > 0}


class Copy:
    """The sources, copied, built for coverage, and the tests with what they execute."""

    def __init__(self, folder, python, skip, refresh):
        folder = folder.absolute()
        self.folder, self.root, self.build, self.known = folder, folder / "sources", folder / "sources/build", {}
        self.fast, self.library = folder / "fast", folder / "fast/libtorsor.so"
        if not self.root.exists():
            shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns("build", "build-*", ".git", "*.h5"))
        changed = [path for path in [*ROOT.glob("src/**/*.*"), *ROOT.glob("tests/*.*")] if self.refresh(path)] if refresh else []
        if any(path.suffix in (".h", ".inc") or "src" in path.parts for path in changed if path.suffix != ".py"):
            shutil.rmtree(folder / "coverage", ignore_errors=True)
        self.call("tools/configure", "build", *HOW)
        self.tests = [Test(self, path) for path in sorted(self.root.glob("tests/test_*.c"))]
        if python:
            self.tests += [Test(self, path) for path in sorted(self.root.glob("tests/test_*.py")) if path.name not in TOO_SLOW]
        self.tests = [test for test in self.tests if not any(fnmatch.fnmatch(test.name, pattern) for pattern in skip)]
        targets = sorted({"torsor"} | {test.target for test in self.tests})
        assert self.make(targets), "the sources as they are do not build"
        self.link(targets)
        if not (folder / "coverage").exists():
            shutil.rmtree(folder / "gcno", ignore_errors=True)
            (folder / "gcno").mkdir()
            for path in self.build.glob("src/libtorsor.a.p/*.gcno"):
                shutil.copy(path, folder / "gcno" / path.name)
        self.tests = sorted((test for test in self.tests if test.measure()), key=lambda test: (test.python, test.seconds))
        print(f"{len(self.tests)} tests, {sum(test.seconds for test in self.tests):.0f} s", flush=True)

    def refresh(self, path):
        target = self.root / path.relative_to(ROOT)
        if not path.is_file() or target.exists() and target.read_bytes() == path.read_bytes():
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
        return True

    def call(self, *words):
        return subprocess.run(words, cwd=self.root, capture_output=True, text=True, check=False)

    def make(self, targets):
        return self.call("ninja", "-C", "build", *sorted(set(targets))).returncode == 0

    def link(self, targets):
        """The shared library, and the targets linked to it."""
        self.fast.mkdir(exist_ok=True)
        targets = [target for target in targets if target == "torsor" or not self.is_fresh(target)]
        commands = {target: self.call("ninja", "-C", "build", "-t", "commands", target).stdout.splitlines()[-1] for target in targets}
        libraries = re.search(r"src/libtorsor\.a (.*?) -Wl,--end-group", commands["torsor"])[1]
        self.relink = f"cc -shared --coverage -fuse-ld=gold -o {self.library} $(ls src/libtorsor.a.p/*.o | grep -v %s) {libraries} -fopenmp %s"
        assert self.shell(self.relink % ("nothing", "")), "no shared library"
        with (self.build / "compile_commands.json").open(encoding="utf-8") as file:
            self.commands = {entry["output"]: entry["command"] for entry in json.load(file)}
        for target, command in commands.items():
            place = self.fast / pathlib.Path(target).name
            command = re.sub(r" -o \S+", f" -o {place}", command.replace(" src/libtorsor.a ", f" {self.library} "), count=1)
            assert self.shell(command), f"{target} cannot be linked"

    def is_fresh(self, target):
        linked, built = self.fast / pathlib.Path(target).name, self.build / target
        return linked.exists() and linked.stat().st_mtime > built.stat().st_mtime

    def shell(self, command):
        return subprocess.run(command, shell=True, cwd=self.build, capture_output=True, check=False).returncode == 0

    def tests_of(self, path, line):
        """The tests that execute the line, the shortest first."""
        if path not in self.known:
            obj = self.build / "src/libtorsor.a.p" / object_of(path)
            self.known[path] = [(test, test.lines_of(obj, path)) for test in self.tests]
        return [test for test, lines in self.known[path] if line in lines]

    def put(self, path, mutant):
        """The shared library with the changed file in place of its own; False if it does not compile. The copy stays as it is."""
        own, source, result = f"src/libtorsor.a.p/{object_of(path)}", self.fast / "mutant.c", self.fast / "mutant.o"
        source.write_text(mutant, encoding="utf-8")
        command = self.commands[own].replace(f"-c ../{path}", f"-c {source}").replace(f"-o {own}", f"-o {result}") + QUICKLY
        return self.shell(command) and self.shell(self.relink % (f"/{object_of(path)}", result))

    def killer(self, path, mutant, tests, budget):
        """The test that fails, or None; "" if the change does not compile."""
        begun = time.monotonic()
        if not self.put(path, mutant):
            return ""
        for test in tests:
            if time.monotonic() - begun + test.seconds > budget:
                break
            if not test.passes(10 + 10 * test.seconds):
                return test.name
        return None


def trial(copy, path, change, budget):
    """(killer, seconds, tests) of one change; None where no test executes it."""
    line, _, _, mutant = change
    begun, tests = time.monotonic(), copy.tests_of(path, line)
    if not tests:
        return None
    return copy.killer(path, mutant, tests, budget), time.monotonic() - begun, len(tests)


def chosen(files, copy, seed):
    """Changes by chance, without end."""
    chance, weights = random.Random(seed), [path.stat().st_size for path in files]
    while True:
        path = chance.choices(files, weights)[0].relative_to(ROOT)
        change = mutate((copy.root / path).read_text(encoding="utf-8"), chance)
        if change:
            yield path, change


def survivors(log, copy):
    """The changes of a log that survived."""
    for line in log.read_text(encoding="utf-8").splitlines():
        found = re.match(r" *\d+ SURVIVED .*? tests  (\S+):(\d+): (.*)  ->  (.*)$", line)
        if found:
            path, number = pathlib.Path(found[1]), int(found[2])
            lines = (copy.root / path).read_text(encoding="utf-8").split("\n")
            assert lines[number - 1].strip() == found[3], f"{path}:{number} has changed since"
            lines[number - 1] = lines[number - 1].replace(found[3], found[4])
            yield path, (number, found[3], found[4], "\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", nargs="+", default=FILES, help="patterns of source files, as src/step/*.c")
    parser.add_argument("--again", type=pathlib.Path, metavar="LOG", help="only the survivors of this log")
    parser.add_argument("--skip", nargs="+", default=[], help="patterns of tests that are not run")
    parser.add_argument("--with-python", action="store_true", help="the tests in Python too, after those in C")
    parser.add_argument("--budget", type=float, default=600, help="seconds of tests for one change")
    parser.add_argument("--keep", action="store_true", help="the copy of the last run as it is, though the sources may have changed")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build-mutants")
    parser.add_argument("--log", type=pathlib.Path, help="a file for the lines that are printed")
    options = parser.parse_args()
    copy = Copy(options.build, options.with_python, options.skip, not options.keep)
    tried, survived, idle = 0, 0, 0
    files = sorted(path for pattern in options.files for path in ROOT.glob(pattern) if path.parent.name != "programs")
    for path, change in survivors(options.again, copy) if options.again else chosen(files, copy, options.seed):
        if tried == options.count:
            break
        result = trial(copy, path, change, options.budget)
        idle += not result
        if not result or result[0] == "":
            continue
        tried, survived = tried + 1, survived + (not result[0])
        line = (f"{tried:3d} {result[0] or 'SURVIVED':26s} {result[1]:4.0f} s {result[2]:3d} tests  {path}:{change[0]}: "
                f"{change[1]}  ->  {change[2]}")
        print(line, flush=True)
        if options.log:
            with options.log.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
    print(f"{survived} of {tried} changes survived; {idle} more were in lines that no test executes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
