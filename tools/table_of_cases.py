#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the tables of docs/solids.md and docs/cables.md: torsor's numbers beside the published ones.

    TORSOR=build/torsor tools/table_of_cases.py
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))

from case_tools import changed, model, need_program, run
from test_cable_benchmarks import irvine
from test_solid_benchmarks import moved, serendipity, uniaxial_exact

import numpy as np


def row(*columns):
    print("| " + " | ".join(columns) + " |", flush=True)


def edge_stress(out):
    """As tests/test_solid_benchmarks.py: extrapolated from the forty points next to (2, 0)."""
    x, s = out.solid_point, out.frame["solid_stress"][-1, :, 1]/1e6
    low = np.argsort(np.hypot(x[:, 0] - 2, x[:, 1]))[:40]
    a, b = x[low, 0] - 2, x[low, 1]
    return np.linalg.lstsq(np.stack([np.ones(40), a, b, a*a, b*b, a*b], axis=1), s[low], rcond=None)[0][0]


def solids():
    def cook(text, cells, order):
        return f"{cells} × {cells}: {moved(run(changed(text, cells=cells, order=order)), (48, 52, 0))[1]*1e3:.2f}"
    text = model("f01_cook")
    row("F01 Cook's membrane", "23.96", f"{cook(text, 4, 1)}; {cook(text, 16, 1)}",
        f"{cook(serendipity(text), 8, 2)}", f"{cook(text, 3, 2)}; {cook(text, 6, 2)}")
    values = {(c, o): run(changed(model("f02_ellipse"), cells=c, order=o)) for c, o in ((16, 1), (6, 2), (12, 2))}
    shown = {key: f"{key[0]} × {key[0]}: {edge_stress(out):.1f}" for key, out in values.items()}
    row("F02 NAFEMS LE1: σ₂₂ at (2, 0), MPa", "92.7", shown[16, 1], "", f"{shown[6, 2]}; {shown[12, 2]}")
    for lam in (1.5, 100):
        a, P = uniaxial_exact(lam, 2)
        u = [moved(run(changed(model("f04_uniaxial"), P=repr(P), bulk=lam, order=o)), (1, 1, 1)) for o in (1, 2)]
        row(f"F04 neo-Hookean block, λ = {lam:g}: stretch, and across", f"2, {a:.9f}",
            f"{u[0][0] + 1:.9f}, {u[0][1] + 1:.9f}", "", f"{u[1][0] + 1:.9f}, {u[1][1] + 1:.9f}")
    def beam(cells, order, **load):
        u = moved(run(changed(model("f07_twisted_beam"), cells=cells, order=order, **load)), (12, 0, 0))*1e3
        return f"{cells}: {max(abs(u[1]), abs(u[2]))*1e3:.3f}"
    for name, exact, load in (("across", "5.424", dict(across=1, along=0)), ("along", "1.754", dict(across=0, along=1))):
        row(f"F07 twisted beam, force {name}, 1e-3", exact, f"{beam(12, 1, **load)}; {beam(48, 1, **load)}", "",
            f"{beam(6, 2, **load)}; {beam(12, 2, **load)}")


def cables():
    H, sag = irvine(1000)
    def catenary(elements, order):
        out = run(changed(model("d02_catenary"), elements=elements, order=order))
        return f"{abs(out.force('left')[-1, 0]):.6f}, {-out.position(f'rope.{elements*order//2 + 1}')[-1, 2]:.6f}"
    row("D02 elastic catenary: pull H, sag", f"{H:.6f}, {sag:.6f}", *(catenary(*mesh) for mesh in ((40, 1), (20, 2), (20, 3))))
    out = [run(changed(model("d02_catenary"), EA=1e7, elements=e, order=o)) for e, o in ((40, 1), (20, 2), (20, 3))]
    middle = [f"{-r.position(f'rope.{n}')[-1, 2]:.6f}, {np.linalg.norm(r.force('left')[-1]):.6f}" for r, n in zip(out, (21, 21, 31))]
    row("D01 inextensible (EA/w = 1e7): sag, end tension", "2.923438, 7.618853", *middle)


if __name__ == "__main__":
    need_program()
    solids()
    cables()
