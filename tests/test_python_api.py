#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The Python module has all that the C interface has; its stubs are what tools/stubs.py writes; its types are sound; the
blocks of docs/python.md run.

Environment: TORSOR, the program; TORSOR_LIBRARY, the shared library; TORSOR_SOURCE_DIR, the source tree.
"""
import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
ROOT = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", pathlib.Path(__file__).parent.parent))
LIBRARY = os.environ.get("TORSOR_LIBRARY", str(ROOT / "build/src/libtorsor.so"))
PROGRAM = os.environ.get("TORSOR", str(ROOT / "build/torsor"))
PACKAGE = ROOT / "python/torsor"
sys.path.insert(0, str(ROOT / "python"))
failures = []


def header(path="include/torsor/torsor.h"):
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)


def functions(path="include/torsor/torsor.h"):
    """Names of all functions that the header declares."""
    return set(re.findall(r"\b(torsor_\w+)\s*\((?!\*)", header(path)))


def structures():
    """Names of structures -> their fields."""
    found = {}
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", header(), re.DOTALL):
        body = re.sub(r"\([^()]*\)\([^()]*\)", lambda m: m[0].split(")")[0].strip("(*"), body)
        words = [re.sub(r"\[\d+\]", "", word) for statement in body.split(";")
                 for word in statement.split(",")]
        found[name] = {re.findall(r"\w+", word)[-1] for word in words if word.strip()}
    return found


def used_in_module():
    """Attributes of `lib`, and of everything, that the module's source uses; and texts in calls."""
    of_lib, names = set(), set()
    for file in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                names.add(node.attr)
                if isinstance(node.value, ast.Name) and node.value.id == "lib":
                    of_lib.add(node.attr)
            elif isinstance(node, ast.keyword):
                names.add(node.arg)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names.add(node.target.id)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                names.add(node.value)
    # take_handle("model", ...) frees with torsor_model_free
    source = "".join(file.read_text(encoding="utf-8") for file in PACKAGE.glob("*.py"))
    for kind in re.findall(r'take_handle\(\s*"(\w+)"', source):
        of_lib.add(f"torsor_{kind}_free")
    return of_lib, names


def check_functions():
    declared, (used, names) = functions(), used_in_module()
    if len(declared) < 80:
        failures.append(f"only {len(declared)} functions were found in the header: is it read right?")
    for name in sorted(declared - used - {"torsor_report_check"}):  # torsor_report looks itself before it works
        failures.append(f"the module has no {name}")
    for name in sorted(word for word in used - declared if word.startswith("torsor_")):
        failures.append(f"the header has no {name}")
    for struct, fields in structures().items():
        for field in sorted(fields - names - {"context"}):
            failures.append(f"the module does not use {struct}.{field}")
    from torsor import lib
    for name in sorted(declared):
        getattr(lib, name)  # in the library too


def check_exports():
    """The library shows what the header declares and nothing else."""
    done = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True,
                          check=True)
    shown = {line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if " T " in line}
    for name in sorted(functions("tests/data/torsor_0_1.h") - shown):
        failures.append(f"{name} of version 0.1 is gone: programs built with its header do not run any more")
    for name in sorted(shown ^ functions()):
        failures.append(f"{name} is {'shown but not declared' if name in shown else 'not shown'}")


def check_stubs():
    done = subprocess.run([sys.executable, ROOT / "tools/stubs.py", "--program", PROGRAM, "--stdout"],
                          capture_output=True, text=True, check=True)
    if done.stdout != (PACKAGE / "sections.pyi").read_text(encoding="utf-8"):
        failures.append("python/torsor/sections.pyi is old: run tools/stubs.py")


WRONG = """import torsor
m = torsor.Model()
m.joints.revolute("a", body=3)
m.bodies.rigid(1)
"""


def check_types():
    """The module and its examples are sound; and the stubs are able to say no."""
    mypy = shutil.which("mypy")
    if not mypy:
        print("mypy is not there: types are not checked")
        return
    examples = sorted(str(file) for file in (ROOT / "examples/python").glob("*.py"))
    with tempfile.TemporaryDirectory() as folder:
        def run(*what):
            return subprocess.run([mypy, "--config-file", "pyproject.toml", "--cache-dir", folder, *what],
                                  cwd=ROOT / "python", capture_output=True, text=True, check=False)
        done = run("torsor", *examples)
        if done.returncode:
            failures.append(done.stdout + done.stderr)
        done = run("-c", WRONG)
        if done.stdout.count("error:") < 2:
            failures.append("mypy did not see the mistakes: " + done.stdout + done.stderr)


def check_page():
    """The blocks of docs/python.md run, one after the other."""
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "MPLBACKEND": "Agg"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-c", "\n".join(blocks)], cwd=folder, env=surroundings,
                              capture_output=True, text=True, check=False)
    if done.returncode or len(blocks) < 8:
        failures.append(f"docs/python.md, {len(blocks)} blocks: {done.stderr}")
    if "expected a mass (kg), got a length (m)" not in done.stdout:
        failures.append("docs/python.md: the error it shows is another")


def main():
    if not os.path.exists(LIBRARY):
        print(f"skipped: there is no library {LIBRARY}")
        return SKIP
    check_functions()
    check_exports()
    check_stubs()
    check_types()
    check_page()
    print("\n".join(failures))
    print(f"{len(functions())} functions, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
