#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Hertz: a rigid ball pressed into a large elastic block, F = 4/3 E* sqrt(R) d^1.5 and a^2 = R d (Johnson, Contact Mechanics, 4.2). No law of
contact knows this formula here: the block is a mesh of solids, a quarter by symmetry, whose nodes touch the ball one by one; it is forty times as
wide as the circle of contact. The force of a mesh swings about the exact one as nodes come to touch, by less where the mesh is finer.

Then two elastic bodies whose nodes do not face each other: a half cylinder on a block in plane strain, a^2 = 4 P R/(pi E*) (Johnson, 4.2c), and two blocks under a pressure, which has to be the same all over. Points of one
mesh come to lie in valleys of the other: Newton's method took hundreds of iterations for each increment, or found no equilibrium."""

import math

import pathlib
import sys
import tempfile

from case_tools import check, h5py, need_program, verdict
from program import model_file, torsor, touching

import numpy as np

R, E, NU, DEPTH, SIZE = 1.0, 1e6, 0.3, 0.0225, 6.0
STIFFNESS = 1e9  # N/m^3: the pressure of Hertz, 1e5 Pa, presses 1e-4 m deep, 0.5 % of the whole

MODEL = f"""torsor: 1
units: SI
materials: {{soft: {{E: {E}, nu: {NU}, density: 1000}}}}
meshes: {{quarter: {{type: gmsh, file: quarter.msh}}}}
solids: {{block: {{mesh: quarter, material: soft}}}}
bodies: {{ball: {{mass: 1, inertia: [1, 1, 1], position: [0, 0, {R}]}}}}
joints:
  rail: {{type: prismatic, bodies: [ground, ball], at: [0, 0, {R}], axis: z}}
  bottom: {{type: support, nodes: block.bottom}}
  west: {{type: support, nodes: block.west, fix: x}}
  south: {{type: support, nodes: block.south, fix: y}}
motions: {{push: {{joint: rail, displacement: -{DEPTH}*t}}}}
shapes:
  round: {{type: sphere, on: ball, radius: {R}}}
  flat: {{type: skin, faces: block.top, thickness: 1e-6}}
contacts: {{press: {{between: [round, flat], area_stiffness: {STIFFNESS}}}}}
analysis: {{type: static, increments: 5}}
"""


def graded(first, count):
    """From 0 to SIZE in so many intervals, each longer than the one before by the same factor."""
    low, high = 1.0, 3.0
    for _ in range(100):
        q = (low + high)/2
        low, high = (low, q) if first*np.sum(q**np.arange(count)) > SIZE else (q, high)
    x = np.concatenate([[0], np.cumsum(low**np.arange(count))])
    return x*SIZE/x[-1]


def write_block(path, x):
    """The block x, y >= 0, z <= 0 of hexahedra as a file of Gmsh, with its top, its bottom and both planes of symmetry."""
    n = len(x)
    number = np.arange(n**3).reshape(n, n, n).transpose(2, 1, 0) + 1  # of i, j, k: x runs first, z from the bottom
    points = [(x[i], x[j], -x[n - 1 - k]) for k in range(n) for j in range(n) for i in range(n)]

    def quads(face):
        return [(face[i, j], face[i + 1, j], face[i + 1, j + 1], face[i, j + 1]) for i in range(n - 1) for j in range(n - 1)]
    solids = [tuple(number[i:i + 2, j:j + 2, k:k + 2][[0, 1, 1, 0, 0, 1, 1, 0], [0, 0, 1, 1, 0, 0, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]])
              for i in range(n - 1) for j in range(n - 1) for k in range(n - 1)]
    sets = [("all", 3, 5, solids), ("top", 2, 3, quads(number[:, :, -1])), ("bottom", 2, 3, quads(number[:, :, 0].T)),
            ("west", 2, 3, quads(number[0].T)), ("south", 2, 3, quads(number[:, 0]))]
    with open(path, "w", encoding="utf-8") as file:
        file.write("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n")
        file.writelines(f'{dimension} {tag} "{name}"\n' for tag, (name, dimension, _, _) in enumerate(sets, 1))
        file.write("$EndPhysicalNames\n$Entities\n0 0 4 1\n")
        file.writelines(f"{tag} 0 0 0 1 1 1 1 {tag} 0\n" for tag in (2, 3, 4, 5, 1))
        file.write(f"$EndEntities\n$Nodes\n1 {n**3} 1 {n**3}\n3 1 0 {n**3}\n")
        file.writelines(f"{i}\n" for i in range(1, n**3 + 1))
        file.writelines(f"{float(a)!r} {float(b)!r} {float(c)!r}\n" for a, b, c in points)
        count, last = sum(len(cells) for *_, cells in sets), 0
        file.write(f"$EndNodes\n$Elements\n5 {count} 1 {count}\n")
        for tag, (_, dimension, kind, cells) in enumerate(sets, 1):
            file.write(f"{dimension} {tag} {kind} {len(cells)}\n")
            file.writelines(f"{last + i} {' '.join(map(str, cell))}\n" for i, cell in enumerate(cells, 1))
            last += len(cells)
        file.write("$EndElements\n")


def pressed(first, count):
    """Ratios of the force to that of Hertz, at five depths."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "model.yaml").write_text(MODEL, encoding="utf-8")
        write_block(pathlib.Path(folder, "quarter.msh"), graded(first, count))
        torsor("run", "model.yaml", "-q", cwd=folder)
        rows = torsor("info", "model.h5", "--csv", "press.force.normal", cwd=folder).stdout.splitlines()[1:]
    t, force = np.array([[float(word) for word in row.split(",")] for row in rows[1:]]).T
    return 4*force/(4/3*E/(1 - NU**2)*np.sqrt(R)*(DEPTH*t)**1.5)


LINE_R, LINE_P, LINE_E = 0.5, 2e5, 1e9
GRADED = "0.3*u*(0.15 + 0.85*u^2)"
LINE = f"""torsor: 1
units: SI
materials: {{m: {{E: {LINE_E}, nu: {NU}, density: 1000}}}}
meshes:
  low: {{type: patch, x: "{GRADED}", y: "0.01*v", z: "-0.3*(1 - w)*(0.15 + 0.85*(1 - w)^2)", w: [0, 1], divisions: [LOW, 1, LOW]}}
  up: {{type: patch, x: "{GRADED}", y: "0.01*v", z: "FORM + w*(0.3 - FORM)*(0.15 + 0.85*w^2) + 1e-3 - 1e-8", w: [0, 1], divisions: [UP, 1, LOW]}}
solids: {{A: {{mesh: low, material: m}}, B: {{mesh: up, material: m}}}}
joints:
  bottom: {{type: support, nodes: A.w-, fix: z}}
  middle: {{type: support, nodes: [A.u-, B.u-], symmetry: x}}
  plane: {{type: support, nodes: [A.v-, A.v+, B.v-, B.v+], fix: y}}
shapes:
  a: {{type: skin, faces: A.w+, thickness: 1 mm}}
  b: {{type: skin, faces: B.w-, thickness: 1 mm}}
contacts: {{c: {{between: [a, b], area_stiffness: 1e14}}}}
loads: {{push: {{type: pressure, faces: B.w+, pressure: {LINE_P/0.6}}}}}
analysis: {{type: static, increments: 4}}
""".replace("FORM", f"({LINE_R} - sqrt({LINE_R}^2 - ({GRADED})^2))")

BLOCKS = """torsor: 1
units: SI
materials: {m: {E: 1e9, nu: 0.3, density: 1000}}
meshes:
  low: {type: box, size: [1, 1, 0.5], divisions: [LOW, LOW, 2]}
  up: {type: box, size: [1, 1, 0.5], position: [0, 0, 0.501 - 1e-8], divisions: [UP, UP, 2]}
solids: {A: {mesh: low, material: m}, B: {mesh: up, material: m}}
joints:
  bottom: {type: support, nodes: A.z-, fix: z}
  x: {type: support, nodes: [A.x-, B.x-], symmetry: x}
  y: {type: support, nodes: [A.y-, B.y-], symmetry: y}
shapes:
  a: {type: skin, faces: A.z+, thickness: 1 mm}
  b: {type: skin, faces: B.z-, thickness: 1 mm}
contacts: {c: {between: [a, b], area_stiffness: 1e13}}
loads: {push: {type: pressure, faces: B.z+, pressure: 1e6}}
analysis: {type: static, increments: 2}
"""


def solved(text, **count):
    """The last state's pairs, the results, and iterations of each increment."""
    for name, value in count.items():
        text = text.replace(name, str(value))
    with model_file(text) as path:
        results = path.with_suffix(".h5")
        torsor("run", path, "-o", results, "-q")
        with h5py.File(results) as file:
            return touching(file, file["progress"][0] - 1), file["frames/q"][-1], file["steps/iterations"][:file["progress"][1]]


def line_contact():
    """The mean square of the places of Hertz' pressure is a^2/4."""
    width = math.sqrt(4*LINE_P*LINE_R*2*(1 - NU**2)/(math.pi*LINE_E))
    for low, up, most in ((12, 12, 0.06), (24, 24, 0.02), (24, 31, 0.01), (24, 17, 0.03)):
        pairs, _, iterations = solved(LINE, LOW=low, UP=up)
        x, force = pairs[:, 18], pairs[:, 11]
        case = f"cylinder on block, {low} on {up}"
        check(case, "force", 2*force.sum()/(0.01*LINE_P) - 1, 2e-3)  # each half of it on each side
        check(case, "half of the width", 2*math.sqrt((force*x*x).sum()/force.sum())/width - 1, most)
        check(case, "iterations of an increment", iterations.mean(), 60)


def blocks():
    for low, up in ((6, 8), (5, 7), (4, 8)):
        _, q, iterations = solved(BLOCKS, LOW=low, UP=up)
        top = q[np.abs(q[:, 2] - 1) < 0.1, 2]
        case = f"block on block, {low} on {up}"
        check(case, "shortening", (1.001 - 1e-8 - top.mean())/(1e-3 + 1e-7) - 1, 4e-3)
        check(case, "iterations of an increment", iterations.mean(), 40)


def main():
    need_program()
    blocks()
    line_contact()
    for first, count, spread in ((0.05, 10, 0.08), (0.025, 13, 0.06)):
        ratio = pressed(first, count)
        case = f"elements of {first} m"
        check(case, "force at five depths", ratio - 1, spread)
        check(case, "force, mean of the last three", np.mean(ratio[2:]) - 1, 0.04, f"{np.mean(ratio[2:]):.3f}")
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
