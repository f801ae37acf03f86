#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""One mistake in a model gives one error: entries that refer to the broken entry give none.

Environment: see program.py.
"""
import pathlib
import re
import sys
import tempfile

from program import torsor

MODEL = """torsor: 1
title: a bit of everything
units: SI
gravity: [0, 0, -9.81]
parameters: {L: 1 m, n: 2, load: 10 N}
signals:
  push: {step: {at: 0.1, to: 5 N}}
  drive: 0.1*t
points: {O: [0, 0, 0], A: [L, 0, 0], B: [L, 0, 1], C: [0, 0, 1]}
materials:
  steel: {E: 210 GPa, nu: 0.3, density: 7850}
sections:
  rod: {type: circle, material: steel, radius: 10 mm}
shell_sections:
  sheet: {material: steel, thickness: 2 mm}
meshes:
  grid: {type: plate, size: [1, 1], divisions: [2, 2]}
  hull: {type: gmsh, file: hull.msh}
bodies:
  arm: {mass: 2 kg, inertia: [0.1, 0.1, 0.1], position: A}
  bob: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], position: B}
beams:
  boom: {from: O, to: A, section: rod, elements: n, order: 1}
  mast: {from: O, to: C, section: rod, elements: n, order: 1}
shells:
  skin: {mesh: grid, section: sheet}
  shield: {mesh: hull, set: plate, section: sheet}
couplings:
  hold: {nodes: skin.x-}
  grip: {nodes: skin.all, type: weighted}
joints:
  root: {type: rigid, bodies: [ground, boom.start], at: O}
  foot: {type: rigid, bodies: [ground, mast.start], at: O}
  hinge: {type: revolute, bodies: [boom.end, arm], at: A, axis: y}
  pin: {type: revolute, bodies: [arm, bob], at: B, axis: y}
  weld: {type: rigid, bodies: [bob, hold], at: B}
  edge: {type: support, nodes: shield.left}
springs:
  soft: {type: torsion_spring, joint: pin, stiffness: 10 N*m/rad}
  hard: {bodies: [mast.end, arm], from: C, to: A, stiffness: 1e3 N/m}
motions:
  turn: {joint: hinge, angle: drive}
loads:
  pull: {type: force, body: arm, force: [push, 0, load]}
  lift: {type: force, body: boom.end, force: [0, 0, push]}
  hang: {type: force, body: grip, force: [0, 0, load]}
  wind: {type: pressure, faces: skin, pressure: 10 Pa}
analysis: {scheme: ED, step: 1 ms, end: 10 ms}
outputs: {every: 2, csv: [arm.position, pin.angle, boom.end.position], stations: {boom: [0, 0.5]}}
"""

HULL = """$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
1 1 "left"
2 2 "plate"
$EndPhysicalNames
$Entities
0 1 1 0
1 0 0 3 0 1 3 1 1 0
1 0 0 3 1 1 3 1 2 0
$EndEntities
$Nodes
1 4 1 4
2 1 0 4
1
2
3
4
0 0 3
1 0 3
1 1 3
0 1 3
$EndNodes
$Elements
2 2 1 2
1 1 1 1
1 1 4
2 1 3 1
2 1 2 3 4
$EndElements
"""

# what stands in the model (its first place, or every place of a pattern), what in its place, and words of the one error
MISTAKES = [
    ("units: SI", "units: IS", "units"),
    ("units: SI", "unts: SI", "unknown key 'unts'"),
    ("units: SI\n", "", "'units' is missing"),
    ("parameters:", "paramters:", "unknown key 'paramters'"),
    ("{L: 1 m,", "{L: 1 mn,", "unknown unit"),
    ("{L: 1 m,", "{Lx: 1 m,", "unknown name 'L'"),
    ("load: 10 N}", "load: 10 Nm}", "unknown unit"),
    ("load: 10 N}", "laod: 10 N}", "unknown name 'load'"),
    ("n: 2,", "n: two,", "unknown name 'two'"),
    ("signals:", "signal:", "unknown key 'signal'"),
    ("push: {step:", "push: {stp:", "expected a signal"),
    ("push: {step: {at: 0.1,", "push: {step: {at: 0.1 m,", "expected a time"),
    ("drive: 0.1*t", "drve: 0.1*t", "unknown name 'drive'"),
    ("points: {O: [0, 0, 0], A: [L, 0, 0], B: [L, 0, 1], C: [0, 0, 1]}", "points: 5", "points: a mapping"),
    ("parameters: {L: 1 m, n: 2, load: 10 N}", "parameters: 5", "parameters: a mapping"),
    ("points:", "point:", "unknown key 'point'"),
    ("O: [0, 0, 0]", "O: [0, 0]", "three numbers"),
    ("A: [L, 0, 0]", "AA: [L, 0, 0]", "there is no point 'A'"),
    ("materials:", "material:", "unknown key 'material'"),
    ("steel: {E: 210 GPa,", "steel: {E: 210 GPaa,", "unknown unit"),
    ("steel: {E: 210 GPa,", "steel: {E: 210 kg,", "expected"),
    ("steel: {E: 210 GPa, nu: 0.3", "steel: {E: 210 GPa, nu: 0.7", ""),
    ("steel: {E:", "stell: {E:", "there is no"),
    ("sections:\n  rod", "sectons:\n  rod", "unknown key 'sectons'"),
    ("rod: {type: circle", "rod: {type: cirle", "'cirle' is not a type"),
    ("radius: 10 mm", "radus: 10 mm", "unknown key 'radus'"),
    ("radius: 10 mm", "thick: 10 mm", "unknown key 'thick'"),
    ("rod: {type", "rods: {type", "there is no"),
    ("sheet: {material: steel, thickness: 2 mm}", "sheet: {material: steel}", "'thickness' is missing"),
    ("sheet: {material", "shet: {material", "there is no"),
    ("grid: {type: plate, size: [1, 1]", "grid: {type: plate, size: [1]", ""),
    ("grid: {type: plate", "grid: {type: plaet", "not a type of meshes"),
    ("file: hull.msh", "file: hul.msh", "cannot read"),
    ("set: plate", "set: plat", "plat"),
    ("mesh: hull", "mesh: hul", "there is no"),
    ("bodies:\n  arm", "bodys:\n  arm", "unknown key 'bodys'"),
    (re.compile(r"bodies:\n  arm.*\n  bob.*"), "bodies: [arm, bob]", "bodies: a mapping"),
    ("arm: {mass: 2 kg", "arm: {mass: 2 m", "expected a mass"),
    ("arm: {mass: 2 kg", "arm: {weight: 2 kg", "unknown key 'weight'"),
    ("arm: {mass: 2 kg, ", "arm: {", "mass"),
    ("arm: {mass: 2 kg", "arm: {mass: -2 kg", ""),
    ("  arm: {mass", "  arn: {mass", "there is no body 'arm'"),
    (re.compile(r"\barm\b"), "1arm", "cannot be the name"),
    (re.compile(r"\barm\b"), "energy", "reserved for results"),
    (re.compile(r"\barm\b"), "mast", "used twice"),
    ("boom: {from: O", "boom: {from: P", "there is no point 'P'"),
    ("boom: {from: O, to: A", "boom: {from: A, to: A", ""),
    ("boom: {from: O, to: A, section: rod", "boom: {from: O, to: A, section: rd", "there is no"),
    ("boom: {from: O, to: A, section: rod", "boom: {from: O, to: A, section: steel", "expected one of the sections"),
    (re.compile(r"\bboom\b"), "bob", "used twice"),
    (re.compile(r"\bboom\b"), "mast", "given twice"),
    ("beams:\n", "baems:\n", "unknown key 'baems'"),
    ("skin: {mesh: grid", "skin: {mesh: grd", "there is no"),
    (re.compile(r"\bskin\b"), "mast", "used twice"),
    ("hold: {nodes: skin.x-", "hold: {nodes: skin.x", "set"),
    ("grip: {nodes: skin.all", "grip: {nodes: skn.all", "there is no part 'skn'"),
    ("bodies: [bob, hold]", "bodies: [bob, hld]", "there is no body 'hld'"),
    ("hinge: {type: revolute", "hinge: {type: revolut", "not a type of joints"),
    ("hinge: {type: revolute, bodies: [boom.end", "hinge: {type: revolute, bodies: [boom", "write which"),
    ("hinge: {type: revolute, bodies: [boom.end", "hinge: {type: revolute, bodies: [boom.tip", "no node 'tip'"),
    ("hinge: {type: revolute", "hinge: {type: spherical", ""),
    ("pin: {type: revolute, bodies: [arm, bob], at: B, axis: y}", "pin: {type: revolute, bodies: [arm, bob], at: B}", "needs an axis"),
    ("pin: {type: revolute", "hinge2: {type: revolute", "there is no joint 'pin'"),
    ("joint: pin", "joint: pn", "there is no joint 'pn'"),
    ("ness: 10 N*m/rad", "ness: 10 N/m", "expected"),
    ("turn: {joint: hinge, angle: drive}", "turn: {joint: hinge, angle: drive*1 s}", "expected"),
    ("pull: {type: force, body: arm", "pull: {type: force, body: amr", "there is no body 'amr'"),
    ("pull: {type: force", "pull: {type: forc", "not a type of loads"),
    ("force: [push, 0, load]", "force: [push, load]", "three values"),
    ("nodes: shield.left", "nodes: shield.lft", "lft"),
    ("faces: skin", "faces: skn", "there is no"),
    ("analysis:", "anlysis:", "unknown key 'anlysis'"),
    ("scheme: ED", "scheme: DE", "there is no scheme 'DE'"),
    ("step: 1 ms", "step: 1 mm", "expected a time"),
    ("step: 1 ms, end: 10 ms", "step: 1 ms", "end"),
    ("csv: [arm.position", "csv: [amr.position", "there is no part 'amr'"),
    ("stations: {boom:", "stations: {bom:", "there is no beam 'bom'"),
]


def said_of(folder, text):
    model = folder / "model.yaml"
    model.write_text(text, encoding="utf-8")
    return torsor("check", model, code=(0, 2))


def errors_of(done):
    return re.findall(r"^.*: error: (.*)$", done.stderr, re.MULTILINE)


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "hull.msh").write_text(HULL, encoding="utf-8")
        done = said_of(folder, MODEL)
        if errors_of(done):
            print(f"the model itself is refused:\n{done.stderr}")
            return 1
        for old, new, words in MISTAKES:
            text = MODEL.replace(old, new, 1) if isinstance(old, str) else old.sub(new, MODEL)
            errors = errors_of(said_of(folder, text)) if text != MODEL else ["(this is not in the model)"]
            if len(errors) != 1 or words not in errors[0]:
                wrong.append(f"{old!r} -> {new!r}: {len(errors)} errors\n    " + "\n    ".join(errors))
    print("\n".join(wrong))
    print(f"{len(MISTAKES) - len(wrong)} of {len(MISTAKES)} single mistakes give one error")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
