#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Sets of nodes: unions, choices by place (lines through the thickness), supports over several parts, single components of directors; hard and
soft supports of plates against the closed form of Mindlin's plate."""

import pathlib
import sys
import tempfile

from case_tools import check, need_program, verdict

from program import answer, model_file, torsor

HEAD = "torsor: 1\nunits: SI\nmaterials: {steel: {E: 1e9, nu: 0.3, density: 1000}}\n"
STATIC = "analysis: {type: static, increments: 1}\n"


def solved(text):
    """Results of statics: a function that gives the last row of a dataset, and names."""
    with tempfile.TemporaryDirectory() as folder:
        model, results, table = (pathlib.Path(folder, name) for name in ("m.yaml", "r.h5", "t.csv"))
        model.write_text(text, encoding="utf-8")
        torsor("run", model, "-q", "-o", results, "--csv", table)
        names = [name.split(" [")[0] for name in table.read_text(encoding="utf-8").splitlines()[0].split(",")]
        values = [float(x) for x in table.read_text(encoding="utf-8").splitlines()[-1].split(",")]
    return dict(zip(names, values))


def freedom(text):
    with model_file(text) as path:
        told = answer("check", path)
    return told["model"]["freedom"], len(told["assembly"]["notes"])


def refusal(text):
    with model_file(text) as path:
        return torsor("check", path, code=2).stderr


# ---- plates ----

def plate(cells, supports):
    return HEAD + f"""shell_sections: {{s: {{material: steel, thickness: 0.1}}}}
points: {{centre: [0.5, 0.5, 0]}}
meshes: {{m: {{type: plate, size: [1, 1], divisions: [{cells}, {cells}]}}}}
shells: {{skin: {{mesh: m, section: s}}}}
joints:
  corner: {{type: support, nodes: skin.x-/y-, fix: [x, y]}}
  other: {{type: support, nodes: skin.x+/y-, fix: y}}
{supports}loads: {{q: {{type: surface_load, faces: skin, force: [0, 0, 200]}}}}
{STATIC}outputs: {{csv: [skin.centre.position]}}
"""


SOFT = "  rim: {type: support, nodes: [skin.x-, skin.x+, skin.y-, skin.y+], fix: z}\n"
HARD = SOFT + """  left: {type: support, nodes: [skin.x-, skin.x+], fix: director_y}
  front: {type: support, nodes: [skin.y-, skin.y+], fix: director_x}
"""


def hard_and_soft():
    """Hard supports hold the rotation in the plane of the edge. Then w = w_Kirchhoff + M/(5/6 G h), with M the solution of -lap M = q (Wang, Reddy
    and Lee, Shear deformable beams and plates, 2000): 0.0040623527 q L^4/D and 0.0736713533 q L^2 at the centre of a square."""
    D, Gh = 1e9*0.1**3/(12*(1 - 0.09)), 5/6*1e9/2.6*0.1
    wanted = 200*(0.0040623527/D + 0.0736713533/Gh)
    w = {}
    for name, supports in (("hard", HARD), ("soft", SOFT)):
        coarse, fine = (solved(plate(n, supports))["skin.centre.position.z"] for n in (8, 16))
        w[name] = fine + (fine - coarse)/3
    check("plate", "hard supports, extrapolated, relative", w["hard"]/wanted - 1, 2e-3)
    check("plate", "soft supports give way by more than 3 %", min(w["soft"]/w["hard"] - 1.03, 0), 0)
    both = freedom(plate(8, SOFT + "  turn: {type: support, nodes: skin.x-, fix: [director_x, director_y]}\n"))
    whole = freedom(plate(8, SOFT + "  turn: {type: support, nodes: skin.x-, fix: director}\n"))
    check("plate", "two components are the whole director", both[0] - whole[0], 0)
    said = refusal(plate(8, "  turn: {type: support, nodes: skin.x-, fix: director_z}\n"))
    check("plate", "a component along the director is refused", ["this component cannot hold" not in said or "skin.1 " not in said], 0, quiet=True)


# ---- unions ----

def unions():
    one = freedom(plate(4, SOFT))
    four = freedom(plate(4, "".join(f"  r{i}: {{type: support, nodes: skin.{e}, fix: z}}\n" for i, e in enumerate(("x-", "x+", "y-", "y+")))))
    check("union", "16 nodes of a rim hold 16 components", freedom(plate(4, ""))[0] - one[0] - 16, 0)
    check("union", "corners are held once: no redundant condition", one[1], 0)
    check("union", "as four supports, but for their corners", [four[0] - one[0], four[1] == 0], 0)


def pieces():
    """One support under two plates, and a reaction that carries both; a frame tied to two edges, at the centre of their lengths."""
    text = HEAD + """shell_sections: {s: {material: steel, thickness: 0.1}}
meshes:
  m: {type: plate, size: [1, 1], divisions: [2, 2]}
  n: {type: plate, corners: [[3, 0, 0], [5, 0, 0], [5, 1, 0], [3, 1, 0]], divisions: [2, 2]}
shells: {a: {mesh: m, section: s}, b: {mesh: n, section: s}}
couplings: {grip: {nodes: [b.x-, b.y-], type: weighted}, weld: {nodes: [a.x+, b.x+]}}
joints:
  hold: {type: support, nodes: [a.x-, {part: b, x: 4, y: 1}, b.y+]}
loads: {p: {type: surface_load, faces: [a, b], force: [0, 0, 2]}}
""" + STATIC + "outputs: {csv: [grip.position, weld.position, hold.force]}\n"
    last = solved(text)
    check("pieces", "reaction of both plates", last["hold.force.z"] + 2*3, 1e-9)
    # lengths 1 and 2 with centres (3, 0.5) and (4, 0); 1e-4: the plates bend
    check("pieces", "centre of two edges", [last["grip.position.x"] - 11/3, last["grip.position.y"] - 1/6], 1e-4)
    check("pieces", "mean of nodes of two parts", [last["weld.position.x"] - 3, last["weld.position.y"] - 0.5], 1e-4)


# ---- solids ----

BLOCK = HEAD + """meshes: {m: {type: box, from: [0, 0, 0], to: [1, 1, 0.2], divisions: [4, 4, 3]}}
solids: {block: {mesh: m, material: steel}}
joints: {base: {type: support, nodes: block.x-}, HELD}
loads: {p: {type: pressure, faces: FACES, pressure: 1}}
""" + STATIC + "outputs: {csv: [base.force]}\n"


def block(held="", faces="block.z+"):
    return BLOCK.replace(", HELD", f", {held}" if held else "").replace("FACES", faces)


def lines_through_the_thickness():
    free = freedom(block())[0]
    for where, nodes in (("x: 0.5, y: 0.5", 4), ("x: 0.5 m, y: 50 cm, z: 0", 1), ("x: 1, z: 0.2", 5), ("x: 0.25", 20),
                         ("x: [0.4, 0.8], y: [0, 0.3]", 16), ("x: 0.5, y: 0.5, z: [0, 0.1]", 2)):
        held = freedom(block(f"line: {{type: support, nodes: {{part: block, {where}}}}}"))[0]
        check("choice", where, free - held - 3*nodes, 0, quiet=True)
    held = freedom(block("line: {type: support, nodes: [{part: block.z+, x: 0.5}, {part: block, x: 0.5, y: 0.5}]}"))[0]
    check("choice", "of a set, and a union with another", free - held - 3*(5 + 3), 0)
    for where, words in (("x: 0.3", "has no nodes there"), ("x: 1 s", "expected a length"), ("w: 1", "unknown key 'w'"),
                         ("x: [0, 1, 2]", "[low, high]")):
        said = refusal(block(f"line: {{type: support, nodes: {{part: block, {where}}}}}"))
        check("choice", f"refused: {where}", [words not in said or said.count(" error: ") != 1], 0, quiet=True)
    said = refusal(block("line: {type: support, nodes: []}"))
    check("choice", "an empty list", ["at least one set" not in said], 0, quiet=True)


def faces():
    """Pressure on the upper face and on one side; forces of faces are minus pressure times area."""
    last = solved(block(faces="[block.z+, block.y+]"))
    check("faces", "union", [last["base.force.z"] - 1, last["base.force.y"] - 0.2], 1e-6)
    said = refusal(block(faces="[block.z+, block.y+, block.z+]"))
    check("faces", "overlap", ["the sets 'z+' and 'z+' overlap" not in said], 0, quiet=True)
    said = refusal(block(faces="{part: block, z: 0.2}"))
    check("faces", "nodes are no faces", ["single nodes of 'block', not a set of faces" not in said], 0, quiet=True)


def main():
    need_program()
    hard_and_soft()
    unions()
    pieces()
    lines_through_the_thickness()
    faces()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
