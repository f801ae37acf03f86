#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""stubs.py [--program TORSOR] [--output FILE | --stdout]: writes python/torsor/sections.pyi from `torsor schema`.

So editors and type checkers know every section, kind and field of the Python module, without a line written by hand
for any of them. tests/test_python_api.py compares the two.
"""
import argparse
import json
import keyword
import os
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

# the type of a value of each definition of the schema
TYPES = {
    "number": "Number", "integer": "Union[int, str]", "boolean": "bool", "text": "Union[str, float]",
    "name": "Name", "body": "Name", "vector": "Vector", "place": "Union[Vector, str]",
    "axis": "Union[Vector, str]", "rotation": "Any", "inertia": "Any", "matrix6": "Any",
    "signal": "Signal", "signal3": "Sequence[Signal]", "pair": "Sequence[Name]", "bodies": "Sequence[Name]",
    "numbers": "Union[Sequence[Number], NDArray[Any]]",
}

HEAD = '''# Written by tools/stubs.py from `torsor schema`; changes belong into sections.py or the field tables in src/parts.
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

from numpy.typing import NDArray

from .model import Model

Number = Union[float, str]
Name = Union[str, Entry]
Vector = Union[Sequence[Number], NDArray[Any]]
Signal = Union[float, str, Mapping[str, Any]]

NAMED: tuple[str, ...]

def write(value: Any) -> str: ...
def check_fields(what: str, schema: Mapping[str, Any], names: Iterable[str]) -> None: ...
def kinds_of(schema: Mapping[str, Any]) -> dict[str, dict[str, dict[str, Any]]]: ...

class Entry:
    model: Model
    section: str
    name: str
    def __init__(self, model: Model, section: str, name: str) -> None: ...
    @property
    def start(self) -> str: ...
    @property
    def end(self) -> str: ...
    def __getitem__(self, node: int) -> str: ...
    def set(self, **fields: Any) -> Entry: ...

class Section:
    def __init__(self, model: Model, name: str, kinds: dict[str, dict[str, Any]]) -> None: ...
    def add(self, name: str, **fields: Any) -> Entry: ...
    def check(self, name: str, fields: Mapping[str, Any]) -> None: ...
    def __setitem__(self, name: str, value: Any) -> None: ...
    def __getitem__(self, name: str) -> Entry: ...
    def __contains__(self, name: object) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __dir__(self) -> Iterator[str]: ...  # type: ignore[override]
'''


def schema_of(program):
    """The schema as the program prints it."""
    done = subprocess.run([program, "schema"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def type_of(field):
    if "enum" in field:
        return "str"
    return TYPES.get(field.get("$ref", "").rpartition("/")[2], "Any")


def safe(name):
    return name + "_" if keyword.iskeyword(name) or name == "self" else name


def kind_lines(kind, what):
    """The method that adds one."""
    required = what.get("required", [])
    fields = [(name, field) for name, field in what["properties"].items() if name != "type"]
    fields.sort(key=lambda item: item[0] not in required)
    arguments = "".join(f", {safe(name)}: {type_of(field)}" + ("" if name in required else " = ...")
                        for name, field in fields)
    yield f"    def {safe(kind)}(self, name: str" + (", *" + arguments if arguments else "") + ") -> Entry:"
    yield '        """' + what.get("description", "").replace("\\", "\\\\")
    yield ""
    for name, field in fields:
        text = field.get("description", "").replace("\n", "; ").replace("\\", "\\\\")
        yield from textwrap.wrap(f"{safe(name)}: {text}", 116, initial_indent=" " * 8,
                                 subsequent_indent=" " * 12)
    yield '        """'


def page(schema):
    from torsor_sections import kinds_of
    yield HEAD.rstrip()
    sections = kinds_of(schema)
    for section, kinds in sections.items():
        if not kinds:
            continue
        yield f"\nclass {section.capitalize()}Section(Section):"
        yield f'    """Section `{section}`."""'
        for kind, what in kinds.items():
            yield from kind_lines(kind, what)
    yield "\nclass ModelSections:"
    for section, kinds in sections.items():
        yield f"    {section}: " + (section.capitalize() if kinds else "") + "Section"


def import_sections():
    """sections.py by itself: the package would want the library."""
    import importlib.util
    spec = importlib.util.spec_from_file_location("torsor_sections",
                                                  ROOT / "python/torsor/sections.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["torsor_sections"] = module
    spec.loader.exec_module(module)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=os.environ.get("TORSOR", ROOT / "build/torsor"))
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "python/torsor/sections.pyi")
    parser.add_argument("--stdout", action="store_true")
    arguments = parser.parse_args()
    import_sections()
    text = "\n".join(page(schema_of(arguments.program))) + "\n"
    if arguments.stdout:
        sys.stdout.write(text)
    else:
        arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
