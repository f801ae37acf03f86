#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""command_line.py [--program TORSOR] [--check]: writes what `torsor --help` says into docs/command-line.md.

The list of verbs, the exit codes and the options of every verb stand there between <!-- from: torsor VERB --help --> and
<!-- end -->; the rest of the page is written by hand. So the page and the program cannot disagree. tests/test_docs.py checks that.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/command-line.md"
BLOCK = re.compile(r"(<!-- from: torsor ([\w ]*?) ?--help(?:, ([\w ]+))? -->\n).*?(<!-- end -->)", re.DOTALL)


def help_of(program, verb):
    return subprocess.run([program, *verb.split(), "--help"], check=True, capture_output=True, text=True).stdout


def verbs(program):
    listed = re.findall(r"^  ([a-z]+) {2,}(.*)$", help_of(program, "").split("exit codes")[0], re.MULTILINE)
    usage = {verb: re.match(r"usage: (torsor \S+(?: (?!\[)\S+)?)", help_of(program, verb))[1] for verb, _ in listed}
    width = max(map(len, usage.values())) + 2
    return [f"    {usage[verb]:{width}}{what}" for verb, what in listed]


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def exit_codes(program):
    rows = re.findall(r"^  (\d)  (.*)$", help_of(program, ""), re.MULTILINE)
    return ["| code | meaning |", "|---|---|", *(f"| {code} | {cell(text)} |" for code, text in rows)]


def options(program, verb):
    """Rows of the table; --help itself, which every verb has, is left out."""
    text = help_of(program, verb).split("\noptions\n")[1].split("\nexit codes")[0]
    rows = []
    for line in text.splitlines():
        entry = re.match(r"  (-\S+(?: \S+)*)(?: {2,}(.*))?$", line)
        if entry:
            rows.append([entry[1], entry[2] or ""])
        elif line.strip():
            rows[-1][1] += (" " if rows[-1][1] else "") + line.strip()
    named = [(", ".join(f"`{name}`" for name in names.split(", ")), meaning) for names, meaning in rows if "--help" not in names]
    if not named:
        return ["It has no options but `--help`."]
    return ["| option | meaning |", "|---|---|", *(f"| {names} | {cell(meaning)} |" for names, meaning in named)]


def made(program, text):
    def fill(block):
        lines = {None: lambda: options(program, block[2]), "verbs": lambda: verbs(program),
                 "exit codes": lambda: exit_codes(program)}[block[3]]()
        return f"{block[1]}\n" + "\n".join(lines) + f"\n\n{block[4]}"
    return BLOCK.sub(fill, text)


def main():
    parser = argparse.ArgumentParser(description="Writes what torsor --help says into docs/command-line.md.")
    parser.add_argument("--program", default=str(ROOT / "build/torsor"))
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 if the page is old")
    arguments = parser.parse_args()
    old = PAGE.read_text(encoding="utf-8")
    new = made(arguments.program, old)
    there = {block[2] for block in BLOCK.finditer(old) if not block[3]}
    known = set(re.findall(r"^  ([a-z]+) {2,}", help_of(arguments.program, "").split("exit codes")[0], re.MULTILINE))
    if there != known:
        sys.exit(f"docs/command-line.md: no options of {', '.join(sorted(known ^ there))}")
    if arguments.check:
        sys.exit("docs/command-line.md is old: run tools/command_line.py" if old != new else 0)
    PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
