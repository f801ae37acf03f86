#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation agrees with the program: docs/parts.md and docs/tests.md are what their tools write, links and
paths lead somewhere, commands that are shown exist, and every option is described.

Environment: TORSOR, the program; TORSOR_SOURCE_DIR, the source tree.
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SKIP = 77
PROGRAM = os.environ.get("TORSOR", "build/torsor")
ROOT = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", pathlib.Path(__file__).parent.parent))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/tutorials").glob("*.md"))]
FOLDERS = ("src/", "tests/", "tools/", "docs/", "examples/", "bench/", "include/", "python/")
failures = []


def complain(page, line, text):
    failures.append(f"{page.relative_to(ROOT)}:{line}: {text}")


# ---- reading a page ----

def lines_of(page):
    """(number, text, inside a code block) of every line."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
            continue
        yield number, line, fenced or line.startswith("    ")


def inline_code(line):
    return re.findall(r"`([^`]+)`", line)


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def anchors(page):
    return {slug(line.lstrip("#")) for _, line, code in lines_of(page)
            if not code and line.startswith("#")}


# ---- the reference ----

def check_reference():
    made = subprocess.run([sys.executable, ROOT / "tools/reference.py", "--program", PROGRAM,
                           "--stdout"], check=True, capture_output=True, text=True).stdout
    page = ROOT / "docs/parts.md"
    if not page.exists() or page.read_text(encoding="utf-8") != made:
        old = page.read_text(encoding="utf-8").splitlines() if page.exists() else []
        for line in list(difflib.unified_diff(old, made.splitlines(), "docs/parts.md", "program",
                                              lineterm=""))[:40]:
            print(line)
        failures.append("docs/parts.md is old: run tools/reference.py")


def check_house():
    made = subprocess.run([sys.executable, ROOT / "tools/house.py", "--check"], capture_output=True, text=True)
    if made.returncode:
        failures.append(made.stderr.strip())


def check_table_of_tests():
    made = subprocess.run([sys.executable, ROOT / "tools/table_of_tests.py", "--stdout"], check=True, capture_output=True, text=True).stdout
    if (ROOT / "docs/tests.md").read_text(encoding="utf-8") != made:
        failures.append("docs/tests.md is old: run tools/table_of_tests.py")


def check_help():
    done = subprocess.run([sys.executable, ROOT / "tools/command_line.py", "--program", PROGRAM, "--check"], capture_output=True, text=True)
    if done.returncode:
        failures.append(done.stderr.strip())


# ---- links and paths ----

def check_link(page, number, target):
    if re.match(r"[a-z]+:", target):
        return
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists():
        complain(page, number, f"there is no {target}")
    elif anchor and file.suffix == ".md" and anchor not in anchors(file):
        complain(page, number, f"{file.name} has no heading #{anchor}")


def check_path(page, number, word):
    """A path of the repository in inline code; * stands for any name, {a,b} for several."""
    if not word.startswith(FOLDERS) or not re.fullmatch(r"[\w./*{},-]+", word):
        return
    if page.name == "adding-a-part.md" and word.endswith("/attraction.c"):
        return  # the example, which is not there
    group = re.search(r"\{([^}]*)\}", word)
    words = [word] if not group else [word.replace(group[0], one) for one in group[1].split(",")]
    for one in words:
        if not list(ROOT.glob(one.rstrip("/"))):
            complain(page, number, f"there is no {one}")


def check_links():
    for page in PAGES:
        for number, line, code in lines_of(page):
            if code:
                continue
            for target in re.findall(r"\]\(([^)\s]+)\)", line):
                check_link(page, number, target)
            for word in inline_code(line):
                check_path(page, number, word)


# ---- commands ----

def help_of(*verb):
    return subprocess.run([PROGRAM, *verb, "--help"], check=True, capture_output=True,
                          text=True).stdout


def verbs():
    return re.findall(r"^  ([a-z]+)  ", help_of().split("exit codes")[0], re.MULTILINE)


def options_of(verb):
    """The spellings of every option: [{'-o', '--output'}, ...]."""
    text = help_of(verb).split("\noptions\n")[1].split("\nexit codes")[0]
    return [set(re.findall(r"-[\w-]+", re.split(r" {2,}|(?<=\w) [A-Z]", line.strip())[0]))
            for line in text.splitlines() if line.startswith("  -")]


def commands_in(page):
    """(number, words) of every torsor command in code blocks and inline code."""
    for number, line, code in lines_of(page):
        for text in [line.strip()] if code else inline_code(line):
            try:
                words = shlex.split(text, comments=True)
            except ValueError:
                continue
            if words and (words[0] == "torsor" or words[0].endswith("/torsor")):
                yield number, words[1:]


def check_command(page, number, words, known):
    if not words or words[0] in ("--help", "--version", "VERB"):
        return
    if words[0] not in known:
        complain(page, number, f"torsor has no verb '{words[0]}'")
        return
    spellings = set().union(*known[words[0]])
    for word in words[1:]:
        if word in (">", "|", ";", "--"):
            break
        option = word.split("=")[0]
        if word.startswith("-") and option not in spellings:
            complain(page, number, f"torsor {words[0]} has no option {option}")


def check_commands(known):
    for page in PAGES:
        for number, words in commands_in(page):
            check_command(page, number, words, known)


def check_options(known):
    """In command-line.md, the section of a verb names all of its options and no other."""
    page, named, verb, at = ROOT / "docs/command-line.md", {}, None, {}
    for number, line, code in lines_of(page):
        heading = re.match(r"##+ .*", line)
        if heading and line.startswith("## "):
            found = re.match(r"## `torsor (\w+)`", line)
            verb = found[1] if found else None
            at[verb] = number
        if not verb or code or not line.startswith("|"):
            continue
        for word in inline_code(line.split("|")[1]):
            if word.startswith("-"):
                named.setdefault(verb, set()).add(word.split()[0])
    for verb, options in known.items():
        mine = named.get(verb, set())
        if verb not in at:
            failures.append(f"docs/command-line.md has no section about torsor {verb}")
        for word in mine - set().union(*options):
            complain(page, at[verb], f"torsor {verb} has no option {word}")
        for spellings in options:
            section_text = page.read_text(encoding="utf-8").split(f"## `torsor {verb}`")[-1]
            section_text = section_text.split("\n## ")[0]
            if "--help" not in spellings and not any(s in section_text for s in spellings):
                complain(page, at[verb], f"torsor {verb}: {max(spellings)} is not described")


# ---- models ----

def check_models():
    """Every block of YAML that begins as a whole model is one that the program takes."""
    for page in PAGES:
        if page.name == "adding-a-part.md":
            continue  # the example, which is not there
        for block in re.findall(r"^```yaml\n(torsor: 1\n.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "model.yaml")
                path.write_text(block, encoding="utf-8")
                done = subprocess.run([PROGRAM, "check", path], capture_output=True, text=True)
            if done.returncode:
                failures.append(f"{page.relative_to(ROOT)}: a model is refused: {done.stderr}")


# ---- sources ----

def check_tags():
    """The tags of the papers, used in comments of the source, are defined."""
    page = ROOT / "docs/references.md"
    defined = set(re.findall(r"^\| (S\d) \|", page.read_text(encoding="utf-8"), re.MULTILINE))
    for file in sorted((ROOT / "src").rglob("*.[ch]")):
        for comment in re.findall(r"/\*.*?\*/", file.read_text(encoding="utf-8"), re.DOTALL):
            for tag in set(re.findall(r"\b(S\d)(?= sec| eq| \(|, S\d| scheme|;)", comment)) - defined:
                failures.append(f"{file.relative_to(ROOT)}: docs/references.md does not know {tag}")


def main():
    if not os.access(PROGRAM, os.X_OK):
        print(f"skipped: there is no program {PROGRAM}")
        return SKIP
    known = {verb: options_of(verb) for verb in verbs()}
    check_reference()
    check_table_of_tests()
    check_house()
    check_help()
    check_links()
    check_commands(known)
    check_options(known)
    check_tags()
    check_models()
    print("\n".join(failures))
    shown = sum(len(list(commands_in(page))) for page in PAGES)
    print(f"{len(PAGES)} pages, {shown} commands, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
