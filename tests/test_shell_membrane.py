#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Shells of 4 nodes in their plane: bending of slender cells, against closed forms, the numbers of MacNeal and Harder (Finite Elem. Anal.
Des. 1 (1985) 3) and Cook, and, cell for cell, against the element of Pian and Sumihara (Int. J. Numer. Meth. Eng. 20 (1984) 1685) in small
displacements, computed here from its definition.
"""
import sys

from case_tools import check, need_program, verdict
from test_shell_benchmarks import solve

import numpy as np

# ---- plane stress, small displacements ----

SX, SY = np.array([-1, 1, 1, -1]), np.array([-1, -1, 1, 1])
GAUSS = [(x/3**0.5, y/3**0.5) for x in (-1, 1) for y in (-1, 1)]


def gradients(x, xi, eta):
    """Strains e11, e22, 2 e12 by displacements of the nodes, base vectors, area."""
    d = np.array([SX*(1 + SY*eta), SY*(1 + SX*xi)])/4
    J = d @ x
    g, B = np.linalg.solve(J, d), np.zeros((3, 8))
    B[0, ::2] = B[2, 1::2] = g[0]
    B[1, 1::2] = B[2, ::2] = g[1]
    return B, J, np.linalg.det(J)


def stiffness(x, D, hybrid):
    """Of one cell, for thickness 1: K = G^T H^-1 G, G = int P^T B, H = int P^T D^-1 P; or the bilinear one, int B^T D B."""
    G, H, K = np.zeros((5, 8)), np.zeros((5, 5)), np.zeros((8, 8))
    a, b = gradients(x, 0, 0)[1]
    for xi, eta in GAUSS:
        B, _, j = gradients(x, xi, eta)
        P = np.column_stack([np.eye(3), eta*np.array([a[0]**2, a[1]**2, a[0]*a[1]]), xi*np.array([b[0]**2, b[1]**2, b[0]*b[1]])])
        G, H, K = G + j*P.T @ B, H + j*P.T @ np.linalg.solve(D, P), K + j*B.T @ D @ B
    return G.T @ np.linalg.solve(H, G) if hybrid else K


def by_hand(place, across, along, E, nu, thickness, force, hybrid):
    """A patch with place(u, v), held at u = 0, with a force in y spread over its side u = 1: displacements y there, from v = 0."""
    X = np.array([place(i/along, j/across) for j in range(across + 1) for i in range(along + 1)])
    D = thickness*E/(1 - nu**2)*np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu)/2]])
    K, f, row = np.zeros((2*len(X),)*2), np.zeros(2*len(X)), along + 1
    for j in range(across):
        for i in range(along):
            cell = [j*row + i, j*row + i + 1, (j + 1)*row + i + 1, (j + 1)*row + i]
            at = np.ravel([[2*n, 2*n + 1] for n in cell])
            K[np.ix_(at, at)] += stiffness(X[cell], D, hybrid)
        for end in (j, j + 1):
            f[2*(end*row + along) + 1] += force/across/2
    free = [k for k in range(len(f)) if k//2 % row]
    u = np.zeros(len(f))
    u[free] = np.linalg.solve(K[np.ix_(free, free)], f[free])
    return u.reshape(across + 1, row, 2)[:, -1, 1]


PATCH = """torsor: 1
units: SI
materials: {{m: {{E: {E}, nu: {nu}, density: 1}}}}
shell_sections: {{s: {{material: m, thickness: {thickness}}}}}
meshes: {{q: {{type: patch, x: '{x}', y: '{y}', z: 0, divisions: [{along}, {across}]}}}}
shells: {{b: {{mesh: q, section: s, enhanced: {enhanced}}}}}
joints: {{root: {{type: support, nodes: b.u-}}}}
loads: {{end: {{type: edge_load, edges: b.u+, force: [0, {force}/{depth}, 0]}}}}
analysis: {{type: static, increments: 1}}
"""
SMALL = 1e-6  # of the published loads

BEAM = dict(y="0.2*v", along=6, across=1, E=1e7, nu=0.3, thickness=0.1, depth=0.2)
END = "*(2*v - 1)*min(1, min(6*u, 6 - 6*u))"  # the ends are straight
# what moves is the corner drawn there; published; how near (MacNeal and Harder's own QUAD4: 0.904, 0.080, 0.071, 0.833)
PROBLEMS = {
    "straight beam, rectangles": (dict(BEAM, x="6*u"), (6, 0), 0.1081, 1e-2),
    "straight beam, parallelograms": (dict(BEAM, x="6*u + 0.1" + END), (6, 0), 0.1081, 0.4),
    "straight beam, trapezoids": (dict(BEAM, x="6*u - 0.1*cos(6*pi*u)" + END), (6, 0), 0.1081, 0.96),
    "curved beam, 6 cells": (dict(BEAM, x="(4.32 - 0.2*v)*cos(pi/2*u)", y="(4.32 - 0.2*v)*sin(pi/2*u)", nu=0.25), (0, 4.32), 0.08734, 0.12),
    "curved beam, 12 cells": (dict(BEAM, x="(4.32 - 0.2*v)*cos(pi/2*u)", y="(4.32 - 0.2*v)*sin(pi/2*u)", nu=0.25, along=12), (0, 4.32), 0.08734, 1e-2),
    "Cook's panel, 4 x 4": (dict(x="48*u", y="44*u + v*(44 - 28*u)", along=4, across=4, E=1, nu=1/3, thickness=1, depth=16), (48, 52), 23.96, 0.05),
    "Cook's panel, 8 x 8": (dict(x="48*u", y="44*u + v*(44 - 28*u)", along=8, across=8, E=1, nu=1/3, thickness=1, depth=16), (48, 52), 23.96, 0.015),
}


def plane_problems():
    names = {"pi": np.pi, "cos": np.cos, "sin": np.sin, "min": min}
    for name, (p, corner, published, tolerance) in PROBLEMS.items():
        def place(u, v):
            return [eval(p[k], dict(names, u=u, v=v)) for k in "xy"]  # pylint: disable=eval-used
        end = [place(1, j/p["across"]) for j in range(p["across"] + 1)]
        at = int(np.argmin([np.hypot(x - corner[0], y - corner[1]) for x, y in end]))
        for hybrid in (True, False):
            text = PATCH.format(**p, force=SMALL, enhanced=str(hybrid).lower())
            u = solve("plane", text).moved(*end[at], 0)[-1, 1]/SMALL
            mine = by_hand(place, p["across"], p["along"], p["E"], p["nu"], p["thickness"], 1, hybrid)[at]
            check("plane", f"{name}: {'as Pian and Sumihara' if hybrid else 'not enhanced: as the bilinear cell'}", u/mine - 1, 1e-4)
            if hybrid:
                check("plane", f"{name}: {u/published:.4f} of the published number", u/published - 1, tolerance)


# ---- closed forms ----

STRIP = """torsor: 1
units: SI
materials: {m: {E: 1e7, nu: 0.3, density: 1}}
shell_sections: {s: {material: m, thickness: 0.1}}
meshes: {q: {type: plate, size: [6, 0.2], divisions: [3, 1]}}
shells: {b: {mesh: q, section: s}}
joints:
  flat: {type: support, nodes: b, fix: [z, director]}
  root: {type: support, nodes: b.x-, fix: [x]}
  corner: {type: support, nodes: b.x-/y-, fix: [y]}
loads:
  top: {type: force, body: b.x+/y+, force: [-1e-4, 0, 0]}
  bottom: {type: force, body: b.x+/y-, force: [1e-4, 0, 0]}
analysis: {type: static, increments: 1}
"""


def even_bending():
    """Rectangles of any length bend as a beam does, and contract across as it does: M L^2/(2 EI), n11 = M y t/I, n22 = 0."""
    r, I = solve("bending", STRIP), 0.1*0.2**3/12
    M = 1e-4*0.2
    check("bending", "deflection, three cells 10 long and 1 deep", r.moved(6, 0, 0)[-1, 1]/(M*36/(2e7*I)) - 1, 1e-6)
    n, y = r.frame["shell_force"][-1, :, :3], r.point["y"] - 0.1
    check("bending", "forces (displacements are not quite small)", (n[:, 0] + M*y*0.1/I)/(M*0.1*0.1/I), 1e-5)
    check("bending", "none across, no shear", n[:, 1:]/(M*0.1*0.1/I), 1e-5)


GIRDER = """torsor: 1
units: SI
parameters: {L: 4, h: 0.2, b: 0.1, cells: 8}
materials: {m: {E: 2e11, nu: 0.3, density: 1}}
shell_sections: {s: {material: m, thickness: 4 mm}}
meshes:
  web: {type: plate, corners: [[0, 0, -h/2], [L, 0, -h/2], [L, 0, h/2], [0, 0, h/2]], divisions: [cells, 1]}
  top: {type: plate, corners: [[0, -b/2, h/2], [L, -b/2, h/2], [L, b/2, h/2], [0, b/2, h/2]], divisions: [cells, 2]}
  bottom: {type: plate, corners: [[0, -b/2, -h/2], [L, -b/2, -h/2], [L, b/2, -h/2], [0, b/2, -h/2]], divisions: [cells, 2]}
  tee: {type: join, first: web, second: top}
  girder: {type: join, first: tee, second: bottom}
shells: {g: {mesh: girder, section: s, axis1: x}}
joints: {root: {type: support, nodes: g.tee.web.x-}, upper: {type: support, nodes: g.tee.top.x-}, lower: {type: support, nodes: g.bottom.x-}}
loads: {end: {type: edge_load, edges: g.tee.web.x+, force: [0, 0, 1/h]}}
analysis: {type: static, increments: 1}
"""


def girder():
    """An I section with one cell over its web, cells 2.5 times as long as that: F L^3/(3 EI) + F L/(G h t), the web taking the shear."""
    E, L, h, b, t = 2e11, 4, 0.2, 0.1, 4e-3
    I = t*h**3/12 + 2*b*t*(h/2)**2 + 2*b*t**3/12
    w = solve("girder", GIRDER).moved(L, 0, h/2)[-1, 2]
    check("girder", "I section with one cell over its web", w/(L**3/(3*E*I) + L/(E/2.6*h*t)) - 1, 2e-2)


if __name__ == "__main__":
    need_program()
    for run in (plane_problems, even_bending, girder):
        if len(sys.argv) < 2 or run.__name__ in sys.argv[1:]:
            run()
    sys.exit(verdict())
