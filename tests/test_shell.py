#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Shells in whole runs: only the six rigid motions of an element have no energy; no locking as the thickness goes to
zero; errors fall with the order of the element; the work of pressure is pressure times volume; a snap-through with
energy decaying integration; refused input.
"""
import sys

from case_tools import ROOT, changed, check, model, need_program, verdict
from program import model_file, modes_of, torsor
from test_shell_benchmarks import solve, words

import numpy as np

HEAD = """torsor: 1
units: SI
parameters:
  order: 1
  thickness: 0.1
  cells: 8
materials: {m: {E: 1.2e6, nu: 0.3, density: 10}}
shell_sections: {s: {type: shell, material: m, thickness: thickness}}
"""

# ---- rank ----


def rank():
    shapes = {"square": "x: u, y: v, z: 0*u", "trapezoid": "x: u*(1 + 0.5*v), y: v + 0.3*u, z: 0*u",
              "warped": "x: u, y: v, z: 0.5*u*v", "cylinder": "x: sin(u), y: v, z: cos(u)"}
    for name, shape in shapes.items():
        for order in (1, 2):
            text = changed(HEAD, order=order) + f"meshes: {{q: {{type: patch, {shape}, divisions: [1, 1], order: order}}}}\n" \
                "shells: {skin: {mesh: q, section: s}}\n"
            found = modes_of(text, 20)
            omega = np.array([m["omega"] for m in found])
            check("rank", f"{name}, {4 if order == 1 else 9} nodes: six motions without energy", sum(m["rigid"] for m in found) - 6, 0)
            check("rank", f"{name}: the seventh is an elastic one", 0 if omega[6] > 1e-3*omega[-1] else 1, 0, f"{omega[6]:.3g} rad/s")


# ---- thin shells ----

ARC = """meshes: {q: {type: cylinder, radius: 1, length: 0.2, angle: 90 deg, divisions: [cells, 1], order: order}}
shells: {arc: {mesh: q, section: s}}
joints: {clamp: {type: support, nodes: arc.left}}
loads: {tip: {type: edge_load, edges: arc.right, force: [0, P, 0]}}
analysis: {type: static, increments: 1}
"""


def thin():
    """A quarter of a ring, bent in its plane: P R^3 pi/(4 EI) under the force, in its direction; and a clamped plate."""
    for order, cells, tolerance in ((1, 16, 1e-2), (2, 8, 1e-3)):
        found = []
        for thickness in (1e-1, 1e-2, 1e-3, 1e-4):
            EI = 1.2e6*thickness**3/12
            text = changed(HEAD, order=order, thickness=thickness, cells=cells).replace("nu: 0.3", "nu: 0") + ARC.replace("P", repr(1e-6*EI))
            found.append(solve("thin", text).moved(0, 1, 0)[-1, 1]/(1e-6*np.pi/4))
        # the thickest is softer by shear and stretch, of the order of (t/R)^2
        check("thin", f"arc, {4 if order == 1 else 9} nodes, t/R = 0.1 to 1e-4", np.array(found[1:]) - 1, tolerance,
              ", ".join(f"{x:.5f}" for x in found))
        check("thin", "arc: thickness makes no difference", max(found[1:]) - min(found[1:]), 3e-4)


def orders():
    D = 10.92e6*0.01**3/(12*0.91)
    for order, meshes, least in ((1, (4, 8, 16), 1.9), (2, (2, 4), 3.5)):
        error = [abs(-solve("order", model("e13_square_plate"), order=order, cells=c).moved(5, 5, 0)[-1, 2]*D/(1e-6*1e4*4.062353e-3) - 1)
                 for c in meshes]
        found = np.log2(np.array(error[:-1])/np.array(error[1:]))
        check("order", f"square plate, {4 if order == 1 else 9} nodes: order {', '.join(f'{x:.2f}' for x in found)} is {least} or more",
              max(0, least - found.min()), 0)


# ---- pressure ----

BALLOON = """meshes: {q: {type: plate, size: [1, 1], divisions: [cells, cells], order: order}}
shells: {skin: {mesh: q, section: s, damping: 1 ms}}
joints:
  a: {type: support, nodes: skin.x-}
  b: {type: support, nodes: skin.x+}
  c: {type: support, nodes: skin.y-}
  d: {type: support, nodes: skin.y+}
loads: {gas: {type: pressure, faces: skin, pressure: 3000 Pa}}
analysis: {scheme: EP, step: 5 ms, end: 0.2 s}
"""


def lagrange(order, x):
    if order == 1:
        return np.array([(1 - x)/2, (1 + x)/2]), np.array([-0.5, 0.5])
    return np.array([x*(x - 1)/2, 1 - x*x, x*(x + 1)/2]), np.array([x - 0.5, -2*x, x + 0.5])


def volume(run, order, cells, frame):
    """Between the skin and its plane, int z dx dy, by Gauss' rule of four points: exact."""
    drawn, now = run.frame["q"][0, run.slot], run.frame["q"][frame, run.slot]
    index = {(round(x*cells*order), round(y*cells*order)): n for n, (x, y, _) in enumerate(drawn)}
    points, weights = np.polynomial.legendre.leggauss(4)
    total = 0
    for i in range(cells):
        for j in range(cells):
            X = np.array([[now[index[i*order + a, j*order + b]] for b in range(order + 1)] for a in range(order + 1)])
            for s, ws in zip(points, weights):
                for t, wt in zip(points, weights):
                    (N, dN), (M, dM) = lagrange(order, s), lagrange(order, t)
                    r = np.einsum("a,b,abk", N, M, X)
                    n = np.cross(np.einsum("a,b,abk", dN, M, X), np.einsum("a,b,abk", N, dM, X))
                    total += ws*wt*r[2]*n[2]
    return total


def pressure():
    """The rim is fixed: the work of a constant pressure is p times the volume, over any step, EP and ED."""
    for order, cells in ((1, 4), (2, 2)):
        for scheme in ("EP", "ED"):
            text = changed(HEAD, order=order, cells=cells, thickness=0.01) + BALLOON.replace("EP", scheme)
            r = solve("pressure", text)
            work = r.frame["ledger"][:, 3]
            k = len(work) - 1
            V = volume(r, order, cells, k)
            check("pressure", f"{scheme}, {4 if order == 1 else 9} nodes: work of the gas is p V, relative", work[k]/(3000*V) - 1, 1e-12, f"V = {V:.4f}")
            check("pressure", f"{scheme}: the audit closes", r.summary["relative_balance"], 1e-10)
            check("pressure", "it moves a lot", 0 if V > 0.03 else 1, 0)
    # statics: a strip under pressure on hinges becomes an arc of a circle: n = p R, both from the middle deflection
    text = changed(HEAD, order=2, cells=8, thickness="1e-3").replace("nu: 0.3", "nu: 0") + BALLOON.replace(
        "divisions: [cells, cells]", "divisions: [cells, 1]").replace("  c: {type: support, nodes: skin.y-}\n  d: {type: support, nodes: skin.y+}\n", "")
    text = text[:text.index("analysis")].replace("nodes: skin.x-", "nodes: skin.x-, fix: [x, y, z]").replace(
        "nodes: skin.x+", "nodes: skin.x+, fix: [x, y, z]").replace("3000 Pa", "100 Pa") + "analysis: {type: static, increments: 20}\n"
    r = solve("pressure", text)
    f = r.moved(0.5, 0, 0)[-1, 2]
    R, stretch = (0.25 + f*f)/(2*f), None
    arc = 2*R*np.arcsin(0.5/R)
    n = 1.2e6*1e-3*0.5*(arc**2 - 1)*arc  # first Piola: thickness times E eps times stretch
    check("pressure", "strip: the force of the arc is p R, relative", n/(100*R) - 1, 5e-3, f"R = {R:.4f}, stretch {arc:.4f}")


# ---- what follows an edge ----

QUARTER = """meshes: {q: {type: patch, x: u*(1 + 0.3*v*(1 - u)), y: v + 0.2*u*v*(1 - v), z: 0, divisions: [cells, cells], order: order}}
shells: {skin: {mesh: q, section: s}}
joints:
  a: {type: support, nodes: skin.u-, symmetry: x}
  b: {type: support, nodes: skin.v-, symmetry: y}
  c: {type: support, nodes: skin.u-/v-, fix: [x, y, z]}
loads: {x: {type: edge_load, edges: skin.u+, %s}, y: {type: edge_load, edges: skin.v+, %s}}
analysis: {type: static, increments: 2}
"""
SPINNING = """meshes: {q: {type: plate, size: [2, 0.5], position: [-1, -0.25, 0], divisions: [6, 1], order: order}}
shells: {skin: {mesh: q, section: s, velocity: [1, 2, 3], angular_velocity: [1, 0, 4]}}
loads: {a: {type: edge_load, edges: skin.x-, bending: 0.5*t}, b: {type: edge_load, edges: skin.x+, bending: 0.5*t}}
analysis: {scheme: EP, step: 5 ms, end: 0.3 s}
"""


def edges():
    """The strip of E02 rolled up by a moment that follows its end: a circle of radius L/(2 pi), half of it at half the moment; the end stays
    parallel to the wall, so it is what the dead moment does. Even tension or bending all around a piece of a plate is even in it:
    n = N per length as it is, whatever the stretch (l N = l n), in straight cells of any shape. A strip in flight, bent by both ends alike."""
    dead = model("e02_end_moment")
    text = dead.replace("moment: [0, -50*pi/3, 0]", "bending: -50*pi/3")
    for order, cells in ((1, 60), (2, 16)):
        u = solve("edges", text, order=order, cells=cells).moved(12, 0, 0)
        half = len(u)//2
        check("edges", f"{words(order, cells)}: circle", u[-1] - [-12, 0, 0], 3e-2)
        check("edges", f"{words(order, cells)}: half a circle", u[half] - [-12, 0, 24/np.pi], 1e-2)
        check("edges", f"{words(order, cells)}: as the dead moment", u - solve("edges", dead, order=order, cells=cells).moved(12, 0, 0), 1e-9)
    for order in (1, 2):
        N = 1.2e6*0.01*0.1
        head = changed(HEAD, order=order, cells=3, thickness=0.01)
        if order == 2:  # straight sides
            head, quarter = head.replace("cells: 3", "cells: 1"), QUARTER.replace("u*(1 + 0.3*v*(1 - u))", "u*(1 + 0.3*v)").replace("v + 0.2*u*v*(1 - v)", "v*(1 + 0.2*u)")
        else:
            quarter = QUARTER
        r = solve("edges", head + quarter % ((f"tension: {N}",)*2))
        f = r.frame["shell_force"][-1]
        check("edges", f"{4 if order == 1 else 9} nodes: even tension", (f - np.array([N, N] + 6*[0]))/N, 1e-11)
        r = solve("edges", head + quarter % (("bending: 1e-6",)*2))
        f = r.frame["shell_force"][-1]
        check("edges", f"{4 if order == 1 else 9} nodes: even bending, to first order", (f[:, 3:5] - 1e-6)/1e-6, 2e-5)
        for scheme in ("EP", "ED"):
            r = solve("edges", changed(HEAD, order=order, cells=1, thickness=0.01) + SPINNING.replace("EP", scheme))
            check("edges", f"{scheme}: the audit closes", r.summary["relative_balance"], 1e-10)
            p, L = r.frame["momentum_linear"], r.frame["momentum_angular"]
            check("edges", f"{scheme}: momentum is kept", (p - p[0])/np.linalg.norm(p[0]), 1e-12)
            bent = r.frame["q"][-1, r.slot]
            check("edges", "it bends", 0 if np.ptp(bent @ np.linalg.svd(bent - bent.mean(axis=0))[2][2]) > 0.05 else 1, 0)
            check("edges", f"{scheme}: angular momentum is kept, nearly: moments of both ends are of interpolated directors", (L - L[0])/np.linalg.norm(L[0]), 1e-3)


# ---- in motion ----

def snap():
    text = (ROOT / "examples" / "shell_snapping_panel.yaml").read_text(encoding="utf-8")
    r = solve("E15", text, cells=2)
    w = -r.moved(0, 2.54, 0)[:, 1]
    check("E15", "snapping panel: it snaps", 0 if w.max() > 0.022 else 1, 0, f"down to {1000*w.max():.1f} mm")
    check("E15", "snapping panel: the audit closes", r.summary["relative_balance"], 5e-11)  # what steps are solved to unless the model says otherwise
    lost = r.frame["ledger"][:, 6]
    check("E15", "snapping panel: the scheme only takes energy", 0 if np.all(np.diff(lost) >= 0) and lost[-1] > 0 else 1, 0)
    text = (ROOT / "examples" / "shell_free_flight.yaml").read_text(encoding="utf-8").replace("end: 1 s", "end: 0.75 s")
    r = solve("E15", text)
    free = r.t > 0.51
    for name in ("momentum_linear", "momentum_angular"):
        p = r.frame[name][free]
        check("E15", f"free flight: {name} is kept", (p - p[0])/np.linalg.norm(p[0]), 1e-11)
    total = r.frame["ledger"][free][:, :2].sum(axis=1)
    check("E15", "free flight: energy is kept", total/total[0] - 1, 1e-12)


# ---- mistakes ----

def refused():
    plate = HEAD + "meshes: {q: {type: plate, size: [1, 1], divisions: [2, 2]}, b: {type: box, size: [1, 1, 1], divisions: [1, 1, 1]}}\n"
    skin = plate + "shells: {skin: {mesh: q, section: s}}\n"
    for what, text, words in (
            ("no such set", plate + "shells: {skin: {mesh: q, set: lid, section: s}}\n", "lid"),
            ("a mesh of solids", plate + "shells: {skin: {mesh: b, section: s}}\n", "surfaces"),
            ("too large a fold", plate + "shells: {skin: {mesh: q, section: s, fold: 90 deg}}\n", "between 0 and 85"),
            ("support on nothing", skin + "joints: {a: {type: support, nodes: skin.lid}}\n", "lid"),
            ("support of a mesh", skin + "joints: {a: {type: support, nodes: q.x-}}\n", "mesh"),
            ("support that moves", plate + "shells: {skin: {mesh: q, section: s, velocity: [1, 0, 0]}}\njoints: {a: {type: support, nodes: skin.x-}}\n", "velocity"),
            ("unknown direction", skin + "joints: {a: {type: support, nodes: skin.x-, fix: [x, w]}}\n", "'w'"),
            ("force on an edge", skin + "loads: {a: {type: force, body: skin.x-, force: [1, 0, 0]}}\n", "3 nodes"),
            ("pressure on an edge", skin + "loads: {a: {type: pressure, faces: skin.x-, pressure: 1}}\n", "faces"),
            ("no such point", skin + "loads: {a: {type: force, body: skin.77, force: [1, 0, 0]}}\n", "77"),
            ("edge load on faces", skin + "loads: {a: {type: edge_load, edges: skin.all, force: [1, 0, 0]}}\n", "edges"),
            ("bending inside", HEAD + "meshes: {a: {type: plate, size: [1, 1], divisions: [2, 2]}, b: {type: plate, size: [1, 1], position: [1, 0, 0], divisions: "
             "[2, 2]}, c: {type: join, first: a, second: b}}\nshells: {skin: {mesh: c, section: s}}\nloads: {l: {type: edge_load, edges: skin.a.x+, bending: 1}}\n",
             "not on the rim"),
            ("bending of a solid", plate + "solids: {w: {mesh: b, material: m}}\nloads: {a: {type: edge_load, edges: w.x+/y+, bending: 1}}\n", "do not turn"),
            ("edge load of nothing", skin + "loads: {a: {type: edge_load, edges: skin.x-}}\n", "force")):
        with model_file(text) as path:
            done = torsor("check", path, code=(0, 2))
        good = done.returncode == 2 and words in done.stderr and "case.yaml:" in done.stderr
        check("refused", what, 0 if good else 1, 0, "" if good else f"{done.returncode}: {done.stderr}", quiet=True)


if __name__ == "__main__":
    need_program()
    for run in (rank, thin, orders, pressure, edges, snap, refused):
        if len(sys.argv) < 2 or run.__name__ in sys.argv[1:]:
            run()
    sys.exit(verdict())
