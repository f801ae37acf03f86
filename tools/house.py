#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""house.py [--check]: draws the folders of src as a house, and writes their table, for docs/architecture.md.

Ranks come from tools/check_includes.py, so the picture shows what that test enforces: includes point down.
--check: is the page as this program would write it?
"""
import html
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from check_includes import CUSTOMERS, RANKS  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "images" / "house.svg"
BEGIN, END = "<!-- rooms -->\n", "<!-- end of rooms -->\n"

# floor -> its rooms, each with two short lines for the picture and a sentence for the table
FLOORS = [
    ("Users", {
        "server": ("HTTP at 127.0.0.1,", "live frames",
                   "the page of `torsor view`: requests, displayed data, frames of a run"),
        "cli": ("verbs, options,", "printing",
                "the command line: one file per verb, which reads options, calls `torsor.h` and prints"),
        "programs": ("torsor,", "torsor-mpi", "the programs: `torsor`, and `torsor-mpi`, which factors on several processes"),
    }),
    ("The public interface: include/torsor/torsor.h", {
        "api": ("handles, options, verdicts;", "studies: many runs",
                "the public handles: options, models, runs, verdicts, results; `studies`: many runs of one model"),
    }),
    ("Files and pictures", {
        "output": ("channels as", "one table",
                   "channels: the quantities of a run, as one table; families of their owners; columns by name"),
        "reader": ("YAML, fields,", "diagnostics",
                   "model files: YAML, fields, signals, tables, diagnostics, JSON Schema"),
        "results": ("HDF5, CSV,", "info", "results files: writing, reading, tables"),
        "studyfile": ("grids, samples,", "measures", "study files: grids, distributions, tables of cases, measures"),
        "picture": ("report,", "ParaView", "reports in the browser, files for ParaView"),
    }),
    ("Analyses", {
        "analysis": ("assembly, statics,", "the loop over steps",
                     "initial assembly, redundant constraints, equilibrium, the loop over steps, step control, error bars"),
        "modes": ("vibration, buckling,", "rotors", "modes of vibration, of rotors and of buckling"),
    }),
    ("Time", {
        "step": ("stepper, Newton,", "assembly, threads",
                 "one time step, for all schemes: stepper, Newton's method, assembly, threads, halving"),
        "scheme": ("EP, ED, statics,", "linearisation", "the production schemes EP, ED and statics; linearisation"),
        "events": ("crossings,", "actions", "events: conditions located within a step, and their actions; values of channels at a state"),
        "study": ("schemes of papers", "and textbooks",
                  "schemes of the papers and classical schemes, for comparison; the list of all schemes"),
    }),
    ("The model as data", {
        "model": ("nodes, sites, forms,", "rows, signals",
                  "nodes, sites, forms, rows, coordinates, signals, meshes; the interfaces of laws and kinds"),
        "laws": ("beams, rubber,", "angles", "laws on forms: linear, beams, rubber, mean dilatation, angles, bristles, inner states, forces that depend on the state"),
        "meshfile": ("Gmsh", "", "meshes from files: Gmsh"),
        "contact": ("gaps, nearest points,", "pairs", "contact of shapes: nearest points, gaps over a step, the search for pairs"),
        "parts": ("a file per kind,", "eight families",
                  "the kinds of parts, one file for each kind or family: "
                  "`bodies`, `joints`, `springs`, `lines`, `surfaces`, `solids`, `meshes`, `loads`, `events`; `state`: forces by formula; `machines`: ready parts"),
        "system": ("numbering, state,", "sites evaluated",
                   "a numbered model with its state; evaluation of sites; all quantities that are computed from a state"),
    }),
    ("Ground", {
        "base": ("errors, memory,", "units, JSON", "errors, memory, streams, clocks, units, JSON"),
        "expr": ("expressions", "with units", "expressions with units: reading, values, derivatives, kinks"),
        "math": ("vectors, rotations,", "quadrature, LAPACK",
                 "3-vectors and 3×3 matrices by value, rotations, shape functions, quadrature, dense matrices by LAPACK"),
        "sparse": ("KLU, MUMPS,", "QR, ARPACK",
                   "assembly of element matrices into compressed columns; three linear solvers; rank-revealing QR; eigenvalues"),
    }),
]

WIDTH, LEFT, FLOOR, GAP = 920, 20, 88, 8


def room(x, y, width, name, lines):
    """One room of the picture."""
    text = [f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="58" rx="4" class="room"/>',
            f'<text x="{x + width / 2:.0f}" y="{y + 18}" class="name">{name}</text>']
    for i, line in enumerate(lines):
        text.append(f'<text x="{x + width / 2:.0f}" y="{y + 34 + 15 * i}" class="what">{html.escape(line)}</text>')
    return text


def picture():
    """The house as SVG, the highest rank on top."""
    height = 70 + FLOOR * len(FLOORS)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
           'font-family="sans-serif" role="img" aria-label="Folders of src; includes point down">',
           '<style>.room{fill:#fff;stroke:#35506b}.floor{fill:#eef3f7}.roof{fill:#c9d8e5}'
           '.name{font-size:14px;font-weight:bold;text-anchor:middle;fill:#1d2b38}'
           '.what{font-size:12px;text-anchor:middle;fill:#35506b}.title{font-size:12px;fill:#35506b}</style>',
           f'<path d="M{LEFT} 62 L{WIDTH / 2} 8 L{WIDTH - LEFT} 62 Z" class="roof"/>',
           f'<text x="{WIDTH / 2}" y="52" class="what">a folder includes from floors below it, and from folders to its left</text>']
    for i, (title, rooms) in enumerate(FLOORS):
        y = 64 + FLOOR * i
        out.append(f'<rect x="{LEFT}" y="{y}" width="{WIDTH - 2 * LEFT}" height="{FLOOR - 4}" class="floor"/>')
        out.append(f'<text x="{LEFT + 8}" y="{y + 15}" class="title">{html.escape(title)}</text>')
        inner = WIDTH - 2 * LEFT - GAP
        names = dict(rooms)
        if title == "Users":
            names["Python"] = ("python/torsor", "", "")
            names["your program"] = ("C, C++", "", "")
        width = inner / len(names) - GAP
        for k, (name, (one, two, _)) in enumerate(names.items()):
            out += room(LEFT + GAP + k * (width + GAP), y + 21, width, name, [one, two])
    out.append("</svg>")
    return "\n".join(out) + "\n"


def table():
    """The rooms as a table, from the ground up."""
    rows = ["| folder | rank | what it holds |", "|---|---|---|"]
    said = {name: words[2] for _, rooms in FLOORS for name, words in rooms.items()}
    for name, rank in sorted(RANKS.items(), key=lambda item: item[1]):
        rows.append(f"| `src/{name}` | {rank} | {said[name]} |")
    return "\n".join(rows) + "\n"


def check_floors():
    """Every room is drawn once, and no floor has a rank as low as one below it."""
    drawn = [name for _, rooms in FLOORS for name in rooms]
    if sorted(drawn) != sorted(RANKS):
        sys.exit(f"house.py: draw {sorted(set(RANKS) ^ set(drawn))} too, or no more")
    for title, rooms in FLOORS:
        ranks = [RANKS[room] for room in rooms]
        if ranks != sorted(ranks):
            sys.exit(f"house.py: the rooms of floor '{title}' must stand in the order of their ranks")
    for (upper, high), (lower, low) in zip(FLOORS, FLOORS[1:]):
        if min(RANKS[r] for r in high) <= max(RANKS[r] for r in low):
            sys.exit(f"house.py: floor '{upper}' must be above '{lower}' in rank")
    if set(CUSTOMERS) != {"server", "cli", "programs"}:
        sys.exit("house.py: only server, cli and programs are drawn above torsor.h")


def page(text):
    """The page with the table as it should be."""
    head, rest = text.split(BEGIN)
    return head + BEGIN + table() + END + rest.split(END)[1]


def main():
    check_floors()
    present = PAGE.read_text(encoding="utf-8")
    wanted = {PAGE: page(present), PICTURE: picture()}
    for path, text in wanted.items():
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                sys.exit(f"house.py: {path.relative_to(ROOT)} is out of date: run tools/house.py")
        else:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
