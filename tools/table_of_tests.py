#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""table_of_tests.py [--stdout]: writes docs/tests.md, a row for each test with the first sentence of its file."""
import argparse
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/tests.md"
HEAD = """<!-- Written by tools/table_of_tests.py; each row is the first sentence of the file. -->
# Tests

`make test` builds everything and runs all tests. To run one test: `meson test -C build test_beam`. `TORSOR_QUICK=1` runs short forms of long tests.
`make mutants` makes wrong changes in the library, one at a time, and lists those that no test detects: [mutants.md](mutants.md).
For the place of code and tests of a new part see [architecture.md](architecture.md).

| test | what it checks |
|---|---|
"""
OPENING = {".c": re.compile(r"/\*(.*?)\*/", re.DOTALL), ".py": re.compile(r'"""(.*?)"""', re.DOTALL),
           ".sh": re.compile(r"^#!.*?\n((?:#.*\n)+)")}


def opening(path):
    """The first sentence of a file's opening comment, on one line."""
    whole = re.sub(r".*SPDX-License-Identifier.*\n", "", path.read_text(encoding="utf-8"), count=1)
    text = OPENING[path.suffix].search(whole)[1]
    text = re.sub(r"^[ \t]*[*#] ?", "", text, flags=re.MULTILINE).strip().split("\n\n")[0]
    text = re.sub(r"\s+", " ", text)
    for end in re.finditer(r"(?<![A-Z])[.](?= [A-Z`]|$)", text):
        sentence = text[:end.end()]
        if sentence.count("(") == sentence.count(")"):
            return sentence.replace("|", "\\|")
    return text.replace("|", "\\|")


def page():
    rows = [f"| `tests/{path.name}` | {opening(path)} |" for path in sorted(ROOT.glob("tests/*"))
            if re.match(r"(test|fuzz)_.*\.(c|py|sh)$", path.name) and path.name != "fuzz_driver.c"]
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stdout", action="store_true")
    if parser.parse_args().stdout:
        print(page(), end="")
    else:
        PAGE.write_text(page(), encoding="utf-8")
