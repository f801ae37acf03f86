#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The JSON schema of `torsor schema`: valid itself, accepts the sample models, rejects what is wrong.

Environment: TORSOR, the program; TORSOR_SOURCE_DIR, the source tree.
"""
import json
import os
import pathlib
import subprocess
import sys

SKIP = 77
try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIP)

PROGRAM = os.environ.get("TORSOR", "build/torsor")
ROOT = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", pathlib.Path(__file__).parent.parent))
HEAD = "torsor: 1\nunits: SI\n"

# each is wrong in one way that an editor should underline
WRONG = [
    "units: SI\n",
    "torsor: 2\nunits: SI\n",
    "torsor: 1\n",
    "torsor: 1\nunits: {}\n",
    "torsor: 1\nunits: {lenght: m}\n",
    HEAD + "gravty: [0, 0, 0]\n",
    HEAD + "gravity: [0, 0]\n",
    HEAD + "parameters: {a-b: 1}\n",
    HEAD + "signals: {s: {tabel: [[0, 1], [1, 2]]}}\n",
    HEAD + "signals: {s: {table: [[0, 1]]}}\n",
    HEAD + "signals: {s: {table: [[0, 1], [1, 2]], interpolation: cubic}}\n",
    HEAD + "signals: {s: {sine: {frequency: 1}}}\n",
    HEAD + "bodies: {A: {type: rigidd, mass: 1}}\n",
    HEAD + "bodies: {A: {type: rigid}}\n",
    HEAD + "bodies: {A: {}}\n",
    HEAD + "bodies: {ground: {mass: 1}}\n",
    HEAD + "bodies: {A: {mass: 1, positon: [0, 0, 0]}}\n",
    HEAD + "bodies: {A: {mass: [1]}}\n",
    HEAD + "bodies: {A: {mass: 1, rates_in: bodi}}\n",
    HEAD + "bodies: {A: {mass: 1, orientation: {axis: x}}}\n",
    HEAD + "bodies: {A: {mass: 1, orientation: 5}}\n",
    HEAD + "bodies: {A: {mass: 1, inertia: [1, 2]}}\n",
    HEAD + "joints: {j: {bodies: [A, B]}}\n",
    HEAD + "joints: {j: {type: spherical, bodies: [A]}}\n",
    HEAD + "analysis: {end: 1, type: quick}\n",
    HEAD + "analysis: {end: 1, step: 1, scheme: XX}\n",
    HEAD + "analysis: {end: 1, step: 1, scheme: {name: ED, rho: 1}}\n",
    HEAD + "outputs: {evry: 1}\n",
]


class Loader(yaml.SafeLoader):
    """As editors and the program read: `on` is a word. PyYAML follows YAML 1.1, where it is true."""


Loader.yaml_implicit_resolvers = {first: [(tag, what) for tag, what in rules if not (tag.endswith(":bool") and first in "yYnNoO")]
                                  for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def load(text):
    return yaml.load(text, Loader)  # noqa: S506, a safe one


def samples():
    """Model files that the program itself accepts."""
    folders = [ROOT / "tests" / "corpus" / "reader", ROOT / "examples"]
    for path in sorted(file for folder in folders for file in folder.rglob("*.yaml")):
        if path.name != "wrong.yaml":
            yield path


def main():
    if not os.access(PROGRAM, os.X_OK):
        print(f"skipped: there is no program {PROGRAM}")
        return SKIP
    text = subprocess.run([PROGRAM, "schema"], check=True, capture_output=True, text=True).stdout
    schema = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    failures = 0
    for path in samples():
        for error in validator.iter_errors(load(path.read_text(encoding="utf-8"))):
            failures += 1
            print(f"{path}: {error.json_path}: {error.message}")
    for model in WRONG:
        if validator.is_valid(load(model)):
            failures += 1
            print(f"wrongly accepted:\n{model}")
    if validator.is_valid(load((ROOT / "tests/corpus/reader/wrong.yaml").read_text())):
        failures += 1
        print("wrongly accepted: wrong.yaml")
    print(f"{len(list(samples()))} samples, {len(WRONG)} wrong models, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
