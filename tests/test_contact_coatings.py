#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Coefficients of shapes (coatings) against closed forms: the geometric mean of frictions by the way a block slides,
the smaller restitution by the speed of a ball, moduli in series by the depth of Hertz' impact; a contact with
coefficients of its own. Height fields from files against those written out. Mistakes in both, with their places."""
import math
import sys

from case_tools import Run, check, need_program, np, run, told, verdict

from program import events, model_file, torsor

G = 9.81
AUDIT = 1e-11

BLOCK = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {block: {mass: 2, inertia: [0.01, 0.02, 0.02], position: [0, 0, 0.05 - 4.905e-6], velocity: [1, 0, 0]}}
shapes:
  box: {type: box, on: block, size: [0.3, 0.2, 0.1]}
  table: {type: plane, on: ground, normal: z}
  COATS
contacts: {rub: {between: [box, table], stiffness: 1e6LAW}}
analysis: {end: 0.6 s, step: 1 ms}
"""

BALL = """torsor: 1
units: SI
bodies: {ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0.0501], velocity: [0, 0, -2]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.05}
  floor: {type: plane, on: ground, normal: z}
  COATS
contacts: {bounce: {between: [skin, floor], LAW}}
analysis: {end: END, step: STEP}
"""

# a ball rolls over a grid of heights
FIELD = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
meshes: {dunes: {type: heights, size: [2, 1], position: [-1, -0.5, 0], HEIGHTS}}
bodies: {ball: {mass: 1, inertia: [4e-3, 4e-3, 4e-3], position: [-0.5, 0.1, 0.3], velocity: [1, 0, 0]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.1}
  sand: {type: surface, on: ground, mesh: dunes}
contacts: {lands: {between: [skin, sand], stiffness: 1e5, friction: 0.4, restitution: 0.5}}
analysis: {end: 0.4 s, step: 1 ms}
"""
ROWS = [[0, 0.05, 0.1, 0.02], [0.03, 0, 0.08, 0.04], [0.1, 0.06, 0.0, 0.125]]


def frictions(scheme):
    """sqrt(0.2 0.45) = 0.3; a smooth one and one that says nothing; a contact that says itself."""
    both = "a: {type: coating, shapes: [box], friction: 0.2}\n  b: {type: coating, shapes: [table], friction: 0.45}"
    one = "a: {type: coating, shapes: [box], friction: 0.4}"
    for coats, law, mu in ((both, "", 0.3), (one, "", 0.4), (both, ", friction: 0.25", 0.25)):
        out = run(BLOCK.replace("COATS", coats).replace("LAW", law), scheme=scheme, case="friction", audit=AUDIT)
        check("friction", f"{scheme}, mu = {mu}: stops after", out.position("block")[-1, 0] - 1/(2*mu*G), 2e-5)
    ice = "a: {type: coating, shapes: [box], friction: 0}\n  b: {type: coating, shapes: [table], friction: 0.45}"
    out = run(BLOCK.replace("COATS", ice).replace("LAW", ""), scheme=scheme, case="friction", audit=AUDIT)
    check("friction", f"{scheme}: ice does not slow it", out.velocity("block")[-1, 0] - 1, 1e-12)


def restitutions(scheme):
    coats = "a: {type: coating, shapes: [skin], restitution: 0.9}\n  b: {type: coating, shapes: [floor], restitution: 0.6}"
    text = BALL.replace("COATS", coats).replace("END", "0.02").replace("STEP", "1e-4")
    for law, e in (("stiffness: 1e5", 0.6), ("stiffness: 1e5, restitution: 0.8", 0.8)):
        out = run(text.replace("LAW", law), scheme=scheme, case="restitution", audit=AUDIT)
        check("restitution", f"{scheme}, e = {e}", out.velocity("ball")[-1, 2]/2 - e, 0.005)


def moduli(scheme):
    """Depth (15 m v^2/(16 E* sqrt(R)))^(2/5)."""
    E = (210e6/0.91, 70e6/0.8911)
    coats = f"a: {{type: coating, shapes: [skin], modulus: {E[0]}}}\n  b: {{type: coating, shapes: [floor], modulus: {E[1]}}}"
    text = BALL.replace("COATS", coats).replace("END", "8e-3").replace("STEP", "2e-5").replace("LAW", "law: hertz")
    out = run(text, scheme=scheme, case="modulus", audit=AUDIT)
    series = 1/(1/E[0] + 1/E[1])
    depth = (15*4/(16*series*math.sqrt(0.05)))**0.4
    check("modulus", f"{scheme}: depth", (0.05 - out.position("ball")[:, 2].min())/depth - 1, 5e-4)
    plain = run(text.replace(coats, "").replace("law: hertz", f"modulus: {series:.17g}"), scheme=scheme, case="modulus", audit=AUDIT)
    check("modulus", f"{scheme}: as if the contact said it", out.position("ball") - plain.position("ball"), 1e-12)


def height_file():
    """The same grid, written out and in files with other separators; restarts carry the file along."""
    written = FIELD.replace("HEIGHTS", f"heights: {ROWS}")
    with model_file(written) as path:
        plain = Run(path.with_suffix(".h5"), told(events("run", path, "-o", path.with_suffix(".h5"))))
    check("heights", "it lands on the sand", min(0, plain.position("ball")[:, 2].min() - 0.08), 1e-9)
    for separator, head, unit in ((", ", "", 1), (";", "# from a scanner\n\n", 1e-3), ("\t", "", 1)):
        text = head + "\n".join(separator.join(f"{h/unit:.17g}" for h in row) for row in ROWS) + "\n"
        scale = "" if unit == 1 else ", scale: 1 mm"
        with model_file(FIELD.replace("HEIGHTS", f"file: dunes.csv{scale}")) as path:
            (path.parent/"dunes.csv").write_text(text, encoding="utf-8")
            out = Run(path.with_suffix(".h5"), told(events("run", path, "-o", path.with_suffix(".h5"))))
            (path.parent/"dunes.csv").unlink()
            torsor("restart", path.with_suffix(".h5"), "--end", "0.41")
        check("heights", f"separated by {separator!r}: the same motion", out.position("ball") - plain.position("ball"), 1e-12)


def refused(text, *words, extra=None):
    with model_file(text) as path:
        if extra is not None:
            (path.parent/"dunes.csv").write_text(extra, encoding="utf-8")
        said = torsor("check", path, code=2).stderr
    missing = [word for word in words if word not in said]
    check("mistakes", f"{words[-1]}", len(missing), 0, said if missing else "", quiet=not missing)


def mistakes():
    coat = BLOCK.replace("LAW", "")
    refused(coat.replace("COATS", "a: {type: coating, shapes: [box]}"), "case.yaml:8:3:", "give a friction, a restitution or a modulus")
    refused(coat.replace("COATS", "a: {type: coating, shapes: [box], friction: -1}"), "case.yaml:8:47:", "must not be negative")
    refused(coat.replace("COATS", "a: {type: coating, shapes: [box], restitution: 2}"), "from 0 to 1")
    refused(coat.replace("COATS", "a: {type: coating, shapes: [bux], friction: 1}"), "did you mean 'box'?")
    refused(coat.replace("COATS", "a: {type: coating, shapes: [box], friction: 1}\n  b: {type: coating, shapes: ['*'], friction: 1}"), "'box' has a coating already")
    refused(BALL.replace("COATS", "a: {type: coating, shapes: [skin], modulus: 1e9}").replace("LAW", "law: hertz").replace("END", "1").replace("STEP", "0.1"), "give all its shapes a coating with a modulus")
    refused(FIELD.replace("HEIGHTS", "file: dunes.csv"), "case.yaml:4:", "cannot read")
    refused(FIELD.replace("HEIGHTS", "file: dunes.csv"), "dunes.csv:2:1:", "expected a row of 3 heights, got 2", extra="1 2 3\n1 2\n")
    refused(FIELD.replace("HEIGHTS", "file: dunes.csv"), "dunes.csv:2:3:", "expected a number", extra="1 2 3\n1 x 3\n")
    refused(FIELD.replace("HEIGHTS", "file: dunes.csv"), "two rows or more", extra="\n# nothing\n")
    refused(FIELD.replace("HEIGHTS", "file: dunes.csv, heights: [[0, 0], [0, 0]]"), "either `heights`, or a `file`", extra="1 2\n1 2\n")


def main():
    need_program()
    for scheme in ("EP", "ED"):
        frictions(scheme)
        restitutions(scheme)
        moduli(scheme)
    height_file()
    mistakes()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
