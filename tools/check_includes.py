#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""check_includes.py [--root DIR] [--self-test]: a file of src includes only from folders of lower rank.

The folders of src are ranked. A file includes from its own folder and from folders of a lower rank;
two folders of one rank do not include each other. Public headers (torsor/...) may be included by all,
and include nothing but each other and the system. Includes are written from src: "base/error.h".

The server, the command line and the programs use torsor/torsor.h. Besides this header and their own folder they
include only the folders listed in CUSTOMERS. A function that they need and torsor.h lacks belongs into torsor.h.

A folder has at most FILES sources and LINES lines.
"""
import argparse
import pathlib
import re
import sys
import tempfile

RANKS = {
    "base": 0,
    "expr": 1,
    "math": 1,
    "sparse": 1,
    "model": 2,
    "laws": 3,
    "meshfile": 3,
    "contact": 4,
    "parts": 5,
    "system": 6,
    "step": 7,
    "scheme": 8,
    "events": 9,
    "study": 9,
    "analysis": 10,
    "modes": 11,
    "output": 12,
    "reader": 13,
    "results": 14,
    "studyfile": 14,
    "picture": 15,
    "api": 16,
    "server": 17,
    "cli": 18,
    "programs": 19,
}

# folders that live on the public header -> what else they may include: words, JSON, memory
CUSTOMERS = {"server": {"base"}, "cli": {"base", "server"}, "programs": {"base", "cli", "sparse"}}

FILES, LINES = 30, 6000  # of one folder, without those inside it

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)


def includes(path):
    """Yield (line, quote, name) of every include in a file, comments apart."""
    text = path.read_text(encoding="utf-8", errors="replace")
    text = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1], match[2]


def complaint(folder, quote, name):
    """What is wrong with including `name` in a file of src/`folder` (None: a public header)?"""
    target, slash, _ = name.partition("/")
    if target == "torsor" and slash:
        return None
    if quote == "<" and target not in RANKS:
        return None  # the system's
    if folder is None:
        return f'a public header may not include "{name}"'
    if not slash or target not in RANKS:
        return f'"{name}" should be written from src, as "folder/file.h"'
    if target != folder and target not in CUSTOMERS.get(folder, RANKS):
        return f'"{name}": {folder} lives on torsor/torsor.h; what it lacks belongs there'
    if target == folder or RANKS[target] < RANKS[folder]:
        return None
    if RANKS[target] == RANKS[folder]:
        return f'"{name}": {folder} and {target} have the same rank and may not know each other'
    return f'"{name}" points up: {folder} has rank {RANKS[folder]}, {target} has {RANKS[target]}'


def crowded(root):
    """Every folder of src with too many files or lines, as lines of text."""
    rooms = {}
    for path in sorted(root.glob("src/**/*.[ch]")):
        rooms.setdefault(path.parent.relative_to(root), []).append(path)
    for room, files in rooms.items():
        lines = sum(path.read_text(encoding="utf-8", errors="replace").count("\n") for path in files)
        if len(files) > FILES or lines > LINES:
            yield f"{room}: {len(files)} files and {lines} lines; divide it: at most {FILES} and {LINES}"


def violations(root):
    """Every wrong include and every crowded folder under `root`, as lines of text."""
    found = list(crowded(root))
    for path in sorted([*root.glob("src/**/*.[ch]"), *root.glob("include/**/*.[ch]")]):
        place = path.relative_to(root)
        folder = None
        if place.parts[0] == "src":
            folder = place.parts[1]
            if folder not in RANKS:
                found.append(f"{place}:1: this folder has no rank; see tools/check_includes.py")
                continue
        for line, quote, name in includes(path):
            message = complaint(folder, quote, name)
            if message:
                found.append(f"{place}:{line}: {message}")
    return found


# file, its text, what is said about it (None: nothing)
CASES = [
    ("src/base/a.c", '#include "math/so3.h"\n', "src/base/a.c:1: "),
    ("src/math/a.c", '/* one\n two */\n  #  include "sparse/x.h"\n', "src/math/a.c:3: "),
    ("src/parts/a.c", '#include <stdio.h>\n#include "system/x.h"\n', "src/parts/a.c:2: "),
    ("src/parts/b.c", '#include "beam.h"\n', "src/parts/b.c:1: "),
    ("src/parts/c.c", '#include "../reader/x.h"\n', "src/parts/c.c:1: "),
    ("src/parts/d.c", "#include <reader/x.h>\n", "src/parts/d.c:1: "),
    ("src/other/a.c", "\n", "src/other/a.c:1: "),
    ("include/torsor/a.h", '#include "base/error.h"\n', "include/torsor/a.h:1: "),
    ("include/torsor/b.h", '#include <stdint.h>\n#include "torsor/a.h"\n', None),
    ("src/sparse/a.c", '#include "sparse/x.h"\n#include "base/x.h"\n#include <klu.h>\n', None),
    ("src/api/a.c", '#include "reader/x.h"\n#include "torsor/torsor.h"\n', None),
    ("src/cli/a.c", '#include "torsor/torsor.h"\n#include "reader/x.h"\n', "src/cli/a.c:2: "),
    ("src/cli/b.c", '#include "api/api.h"\n', "src/cli/b.c:1: "),
    ("src/cli/c.c", '#include "torsor/torsor.h"\n#include "cli/x.h"\n#include "base/x.h"\n', None),
    ("src/model/long.c", "\n" * (LINES + 1), "src/model: 1 files and "),
    *((f"src/laws/{i}.c", "\n", None) for i in range(FILES)),
    *((f"src/expr/{i}.c", "\n", None) for i in range(FILES)),
    ("src/expr/one_more.c", "\n", "src/expr: 31 files and "),
    ("src/base/b.c", '// #include "reader/x.h"\n/*\n#include "reader/x.h"\n*/\n', None),
]


def self_test():
    """Do we catch what we should, and nothing else?"""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text, _ in CASES:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = violations(root)
    wanted = [start for _, _, start in CASES if start]
    missed = [start for start in wanted if not any(line.startswith(start) for line in found)]
    surplus = [line for line in found if not any(line.startswith(start) for start in wanted)]
    for start in missed:
        print(f"self-test: not caught: {start}")
    for line in surplus:
        print(f"self-test: wrongly caught: {line}")
    return 1 if missed or surplus or len(found) != len(wanted) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    found = violations(arguments.root)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
