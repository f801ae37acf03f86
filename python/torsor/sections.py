# SPDX-License-Identifier: Apache-2.0
"""Sections of a model (bodies, joints, ...) and how Python values are written in a model file.

There is nothing here for any particular kind of part: what a section may hold is in the schema that the library makes
from its own tables. sections.pyi, for editors and type checkers, is made from the same by tools/stubs.py.
"""
from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .model import Model

SAFE = re.compile(r"[A-Za-z0-9_.+(^/$][^,\[\]{}:#&*!|>'\"%@`\n]*(?<! )")


def write_text(text: str) -> str:
    return text if SAFE.fullmatch(text) else "'" + text.replace("'", "''") + "'"


def write_number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be used in a model: numbers must be finite")
    return repr(value)


def write(value: Any) -> str:
    """A value as a model file has it, on one line."""
    if isinstance(value, Entry):
        return value.name
    if isinstance(value, str):
        return write_text(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return write_number(float(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{write_text(str(key))}: {write(item)}" for key, item in value.items()
                               if item is not None) + "}"
    if isinstance(value, np.ndarray):
        return write(value.tolist())
    if isinstance(value, Sequence):
        return "[" + ", ".join(write(item) for item in value) + "]"
    raise TypeError(f"a model cannot hold a {type(value).__name__}: {value!r}")


def field_name(keyword: str) -> str:
    """Words that Python keeps for itself have a dash behind: from_ is `from`."""
    return keyword[:-1] if keyword.endswith("_") else keyword


def check_fields(what: str, schema: Mapping[str, Any], names: Iterable[str]) -> None:
    """Refuses at once what is no field, with the name that was probably meant."""
    from .errors import ModelError  # tools/stubs.py reads this file without the package
    known = schema.get("properties", {})
    if not known or schema.get("additionalProperties", True) is not False:
        return
    for name in names:
        if name not in known and name != "type":
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(known)}"
            raise ModelError(f"{what} has no field '{name}': {hint}", status=-1, file=what)


class Entry:
    """What was added to a section; stands for its name where other entries refer to it.

    Beams have nodes: boom.start, boom.end, boom[3].
    """

    def __init__(self, model: Model, section: str, name: str) -> None:
        self.model, self.section, self.name = model, section, name

    @property
    def start(self) -> str:
        return f"{self.name}.start"

    @property
    def end(self) -> str:
        return f"{self.name}.end"

    def __getitem__(self, node: int) -> str:
        return f"{self.name}.{node}"

    def set(self, **fields: Any) -> Entry:
        """Change some fields."""
        Section(self.model, self.section, _kinds(self.section)).check(
            self.name, {field_name(field): value for field, value in fields.items()})
        for field, value in fields.items():
            self.model.set(f"{self.section}.{self.name}.{field_name(field)}", value)
        return self

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.section}.{self.name}>"


class Section:
    """One section: entries by name.

    m.bodies.add("arm", mass=1, ...)            the usual kind
    m.joints.add("hinge", type="revolute", ...)
    m.joints.revolute("hinge", ...)             the same
    m.bodies["arm"] = {"mass": 1}               adds, or replaces
    """

    def __init__(self, model: Model, name: str, kinds: dict[str, dict[str, Any]]) -> None:
        self._model, self._name, self._kinds = model, name, kinds

    def add(self, name: str, **fields: Any) -> Entry:
        """Add an entry. Numbers are in SI (or in the model's units), strings may have units."""
        given = {field_name(key): value for key, value in fields.items() if value is not None}
        self.check(name, given)
        self._model.add(self._name, name, given)
        return Entry(self._model, self._name, name)

    def check(self, name: str, fields: Mapping[str, Any]) -> None:
        """Refuses fields that the kind of the entry does not have; without a kind, that no kind has."""
        kind = self._kinds.get(str(fields.get("type")))
        kinds = [kind] if kind else list(self._kinds.values())
        if any(one.get("additionalProperties", True) is not False for one in kinds):
            return
        both = {field: what for one in kinds for field, what in one.get("properties", {}).items()}
        check_fields(f"{self._name}.{name}", {"properties": both, "additionalProperties": False}, fields)

    def __setitem__(self, name: str, value: Any) -> None:
        if isinstance(value, Mapping):
            self.check(name, value)
        self._model.set(f"{self._name}.{name}", value)

    def __getitem__(self, name: str) -> Entry:
        if name not in self:
            raise KeyError(f"{self._name} has no '{name}'")
        return Entry(self._model, self._name, name)

    def __contains__(self, name: object) -> bool:
        return self._model.has(f"{self._name}.{name}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.keys(self._name))

    def __len__(self) -> int:
        return len(self._model.keys(self._name))

    def __getattr__(self, kind: str) -> Callable[..., Entry]:
        if kind.startswith("_") or kind not in self._kinds:
            known = ", ".join(self._kinds) or "only add()"
            raise AttributeError(f"{self._name} have no kind '{kind}': there are {known}")

        def add(name: str, **fields: Any) -> Entry:
            return self.add(name, type=kind, **fields)
        add.__name__, add.__doc__ = kind, _help(self._kinds[kind])
        return add

    def __dir__(self) -> Iterator[str]:  # type: ignore[override]
        yield from super().__dir__()
        yield from self._kinds

    def __repr__(self) -> str:
        return f"<section {self._name}: {', '.join(self._kinds) or 'names and values'}>"


def _kinds(section: str) -> dict[str, dict[str, Any]]:
    from .model import kinds
    return kinds().get(section, {})


class ModelSections:
    """What models have by name: see sections.pyi."""


def _help(kind: dict[str, Any]) -> str:
    lines = [kind.get("description", ""), ""]
    required = kind.get("required", [])
    for field, what in kind.get("properties", {}).items():
        if field != "type":
            mark = " (required)" if field in required else ""
            lines.append(f"{field}{mark}: " + what.get("description", "").replace("\n", "; "))
    return "\n".join(lines)


NAMED = ("parameters", "signals", "points")


def kinds_of(schema: Mapping[str, Any]) -> dict[str, dict[str, dict[str, Any]]]:
    """Section -> kind -> its part of the schema; and the sections of named values, without kinds."""
    sections: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in NAMED}
    for name, definition in schema["$defs"].items():
        section, dot, kind = name.partition(".")
        if dot:
            sections.setdefault(section, {})[kind] = definition
    return sections
