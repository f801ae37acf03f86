#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Rubber in bending: hexahedra of 8 nodes with the mean dilatation are too stiff by their parasitic shear, and `check` and `run` say by how
much. A cantilever 8 x 1 x 1 under an end force is measured against the same one of hex27. Cells that bend well, blocks that
cannot bend, and other forms of element are not told of. And linear hex8 of nearly incompressible material, in bending and confined.
"""
import re
import sys

from case_tools import check, need_program, verdict
from program import QUICK, model_file, torsor

import numpy as np

BEAM = """torsor: 1
units: SI
materials: {stuff: MATERIAL}
meshes: {bar: {type: box, size: [8, 1, 1], divisions: [NX, N, N], order: ORDER}}
solids: {beam: {mesh: bar, material: stuff FIELDS}}
joints: {wall: {type: support, nodes: beam.x-}}
loads: {pull: {type: surface_load, faces: beam.x+, force: [0, 0, 1]}}
analysis: {type: static, increments: 1}
outputs: {csv: [beam.x+/y-/z-.displacement.z]}
"""
RUBBER = "{type: neo_hookean, mu: 1e6, kappa: 1e10, density: 1000}"


def said(text):
    """Words of `check` on one line; the share by which it says that a solid is too stiff, 0 if it does not."""
    with model_file(text) as path:
        words = re.sub(r"\s+", " ", torsor("check", path).stdout)
    told = re.search(r"is too stiff in bending.* stiffness there is about (\d+) % too large", words)
    return words, int(told.group(1))/100 if told else 0


def beam(nx, n, order=1, material=RUBBER, fields=""):
    text = BEAM.replace("MATERIAL", material).replace("NX", str(nx)).replace("N,", f"{n},").replace("N]", f"{n}]")
    return text.replace("ORDER", str(order)).replace("FIELDS", fields)


def deflection(*words, **options):
    with model_file(beam(*words, **options)) as path:
        table = path.with_suffix(".csv")
        torsor("run", path, "-o", path.with_suffix(".h5"), "--csv", table)
        return np.loadtxt(table, delimiter=",", skiprows=1, ndmin=2)[-1, 1]


def parasitic_shear():
    """What is said is what is measured, to a twentieth of the stiffness."""
    exact = deflection(8 if QUICK else 16, 2, order=2, fields=", volumetric: reduced")
    for nx, n in ((4, 1), (4, 2), (8, 2), (8, 3), (8, 4)):
        words, told = said(beam(nx, n))
        check("stiffness", f"{nx} x {n} x {n}: too stiff by {told}", told - (exact/deflection(nx, n) - 1), 0.05*(1 + told))
        check("stiffness", "the cells are counted", f"there are {n} across 1 m, each {8//nx} m long" not in words, 0, quiet=True)


CUBE = beam(4, 4).replace("[8, 1, 1]", "[1, 1, 1]")
RING = beam(8, 2).replace("{type: box, size: [8, 1, 1], divisions: [8, 2, 2], order: 1}",
                          "{type: box, size: [8, 1, 1], divisions: [64, 8, 8], order: 1}")


def silence():
    for name, text in (("short cells", beam(16, 2)), ("short cells, four across", beam(16, 4)), ("cube", CUBE), ("fine", RING),
                       ("one cell", CUBE.replace("[4, 4, 4]", "[1, 1, 1]")), ("hex27", beam(4, 1, order=2)),
                       ("enhanced", beam(8, 2, fields=", enhanced: true")), ("linear", beam(8, 2, material="{E: 1e6, nu: 0.3, density: 1}"))):
        check("silence", name, said(text)[1], 0, quiet=True)


def advice():
    """With cells as short as it says, it is silent."""
    words, _ = said(beam(8, 2))
    longest = float(re.search(r"or cells up to (\S+) m long", words).group(1))
    nx = int(np.ceil(8/longest))
    check("advice", f"{nx} cells along", said(beam(nx, 2))[1], 0)
    with model_file(beam(8, 2)) as path:
        out = re.sub(r"\s+", " ", torsor("run", path, "-o", path.with_suffix(".h5")).stdout)
    check("advice", "a run says so, too", "is too stiff in bending" not in out, 0)


CONFINED = """torsor: 1
units: SI
materials: {stuff: MATERIAL}
meshes: {cube: {type: box, size: [1, 1, 1], divisions: [2, 2, 2], order: 1}}
solids: {block: {mesh: cube, material: stuff}}
joints:
  x: {type: support, nodes: [block.x-, block.x+], fix: [x]}
  y: {type: support, nodes: [block.y-, block.y+], fix: [y]}
  z: {type: support, nodes: block.z-, fix: [z]}
loads: {push: {type: surface_load, faces: block.z+, force: [0, 0, -1]}}
analysis: {type: static, increments: 1}
outputs: {csv: [block.x-/y-/z+.displacement.z]}
"""


def linear():
    """Enhanced strains with the volume at the centre, E = 1 MPa: a beam as that of hex27, to 3 %; confined, by E (1 - nu)/((1 + nu)(1 - 2 nu))."""
    for nu in (0.45, 0.49, 0.499, 0.4999):
        material = f"{{E: 1e6, nu: {nu}, density: 1000}}"
        off = deflection(8, 2, material=material)/deflection(8, 2, order=2, material=material) - 1
        check("linear", f"nu = {nu}: cantilever", off, 0.03, quiet=True)
        with model_file(CONFINED.replace("MATERIAL", material)) as path:
            table = path.with_suffix(".csv")
            torsor("run", path, "-o", path.with_suffix(".h5"), "--csv", table)
            w = np.loadtxt(table, delimiter=",", skiprows=1, ndmin=2)[-1, 1]
        check("linear", f"nu = {nu}: confined", -w*1e6*(1 - nu)/((1 + nu)*(1 - 2*nu)) - 1, 1e-5, quiet=True)


def main():
    need_program()
    for test in (parasitic_shear, silence, advice, linear):
        test()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
