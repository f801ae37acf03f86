#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""reference.py [--program TORSOR] [--output FILE | --stdout]: writes docs/parts.md from `torsor schema`.

The schema is made from the field tables that the reader itself uses, so that the page cannot say
anything else than the program does. tests/test_docs.py compares the two.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

SECTIONS = {
    "materials": "Materials of solids and sections.",
    "sections": "Cross sections of beams. Axis 1 runs along the beam; a section point (y2, y3) has strains Gamma + kappa x y.",
    "shells": "Surfaces that stretch, bend and shear, on quadrilaterals of a mesh; see [shells.md](shells.md).",
    "meshes": "Points, cells and named sets, from a file or made here; see [meshes.md](meshes.md).",
    "shell_sections": "Sections of shells, per area. Axis 3 is the normal; eps(x3) = eps + x3 kappa.",
    "bodies": "Rigid bodies and point masses.",
    "beams": "Flexible lines that stretch, bend, shear and twist.",
    "cables": "Flexible lines that resist stretching only.",
    "solids": "Solids on the hexahedra and tetrahedra of a mesh; see [solids.md](solids.md).",
    "couplings": "Frames connected to sets of nodes; joints, loads and motions attach to these frames; see [solids.md](solids.md#couplings).",
    "masses": "Mass added to bodies and to nodes of beams.",
    "joints": "Constraints between two bodies, or between a body and `ground`.",
    "springs": "Forces between bodies that depend on their relative positions and velocities.",
    "shapes": "Shapes of bodies or of the ground that may touch; see [contact.md](contact.md).",
    "contacts": "Pairs or groups of shapes that may touch, and their contact laws; see [contact.md](contact.md).",
    "motions": "Coordinates of joints prescribed over time.",
    "loads": "External forces and moments, and motors.",
    "states": "Variables with an equation of their own: filters, controllers, currents, pressures.",
    "events": "Actions at a time, or when a channel crosses a value: locks, switches, marks; see [model-file.md](model-file.md#events).",
}

# how a value of each definition of the schema is written
WORDS = {
    "number": "number",
    "integer": "whole number",
    "boolean": "`true` or `false`",
    "text": "text",
    "name": "name",
    "body": "body or node of a beam",
    "vector": "`[x, y, z]`",
    "place": "place",
    "axis": "axis",
    "rotation": "rotation",
    "inertia": "inertia",
    "matrix6": "6×6 matrix",
    "signal": "function of time",
    "signal3": "three functions of time",
    "state_signal": "function of time and of channels",
    "state_number": "number, or a function of time and of channels",
    "state_signals": "function of time and of channels, or a list of them",
    "state_signal3": "three functions of time and of channels",
    "pair": "two names",
    "bodies": "list of bodies",
    "numbers": "list of numbers",
    "places": "list of places",
    "expression": "expression of u, v, w",
    "mesh_file": "path of a file",
    "nodes": "set of a part, or list of sets",
    "texts": "word or list of words",
    "names": "list of names",
    "groups": "list of names, patterns, and lists of both",
    "rows": "rows of numbers",
    "condition": "condition",
    "targets": "name or list of names",
    "settings": "mapping of names to values",
}

HEAD = """# Parts

<!-- Written by tools/reference.py from `torsor schema`; changes belong into the field tables in src/parts. -->

All kinds of parts and their fields, section by section. For the notation of values (places, axes, rotations, functions of
time, units) see [model-file.md](model-file.md). "As drawn" means at the start of the run, before assembly. A field
without a default may be left out, unless it is required.
"""


def schema_of(program):
    """The schema as the program prints it."""
    done = subprocess.run([program, "schema"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def cell(text):
    """Text that may stand in a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def split_description(text):
    """help, unit and default of a field: the schema has them on lines of their own."""
    unit = default = ""
    first, *rest = text.split("\n")
    for line in rest:
        if line.startswith("Default: "):
            default = line[len("Default: "):]
        else:
            unit = line
    return first, unit, default


def value_of(field):
    """What may stand behind the colon."""
    if "enum" in field:
        return ", ".join(f"`{choice}`" for choice in field["enum"])
    if "anyOf" in field:
        return " or ".join(value_of(one) for one in field["anyOf"])
    return WORDS[field["$ref"].rsplit("/", 1)[1]]


def field_row(name, field, required):
    """One line of a kind's table."""
    text, unit, default = split_description(field.get("description", ""))
    value = value_of(field) + (f", {unit}" if unit else "")
    column = "required" if required else default
    return f"| `{name}` | {cell(value)} | {cell(column)} | {cell(text)} |"


def kinds_of(schema, section):
    """(name, definition, whether `type` may be left out) of every kind of a section, in order."""
    entry = schema["properties"][section].get("additionalProperties", {})
    for case in entry.get("allOf", []):
        reference = case["then"]["$ref"].rsplit("/", 1)[1]
        usual = "required" not in case["if"]
        yield reference.split(".", 1)[1], schema["$defs"][reference], usual


def kind_lines(section, name, kind, usual):
    """The part of the page about one kind."""
    lines = [f"### {section}: {name}", "", kind["description"], ""]
    if usual:
        lines[2] += f" The usual kind of its section: `type: {name}` may be left out."
    lines += ["| field | value | default | meaning |", "|---|---|---|---|"]
    for field, what in kind["properties"].items():
        if field != "type":
            lines.append(field_row(field, what, field in kind.get("required", [])))
    return lines + [""]


def contents(schema):
    """Links to all kinds, one line per section."""
    for section in SECTIONS:
        names = [name for name, _, _ in kinds_of(schema, section)]
        links = ", ".join(f"[{name}](#{section}-{name})" for name in names)
        yield f"* `{section}`: {links}"


NOT_PARTS = {"torsor", "title", "units", "include", "parameters", "signals", "points", "gravity", "analysis", "outputs"}


def page(schema):
    """The whole page."""
    forgotten = set(schema["properties"]) - NOT_PARTS - set(SECTIONS)
    if forgotten:
        raise SystemExit(f"reference.py: SECTIONS lacks {', '.join(sorted(forgotten))}")
    lines = [HEAD, *contents(schema), ""]
    for section, help_text in SECTIONS.items():
        lines += [f"## `{section}`", "", help_text, ""]
        for name, kind, usual in kinds_of(schema, section):
            lines += kind_lines(section, name, kind, usual)
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.environ.get("TORSOR", str(ROOT / "build/torsor")))
    parser.add_argument("--output", default=str(ROOT / "docs/parts.md"))
    parser.add_argument("--stdout", action="store_true")
    options = parser.parse_args()
    text = page(schema_of(options.program))
    if options.stdout:
        sys.stdout.write(text)
    else:
        pathlib.Path(options.output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
