#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Solids in whole runs: only the six rigid motions of an element have no energy; errors fall with the order of the
element; no locking near incompressibility; reactions of supports; crushed cells are refused; weighted couplings
distribute force and moment as in beam theory; files of Gmsh with supports and couplings on their physical groups.
"""
import pathlib
import re
import sys
import tempfile

from case_tools import ROOT, changed, check, need_program, run, verdict
from program import answer, model_file, modes_of, torsor

import numpy as np

HEAD = """torsor: 1
units: SI
parameters:
  nu: 0.3
  cells: 4
materials: {m: {E: 1000, nu: nu, density: 1}}
"""
MESHES = {"hex8": "", "hex20": ", order: 2, serendipity: true", "hex27": ", order: 2", "tet4": ", cells: tet",
          "tet10": ", cells: tet, order: 2"}
SOLIDS = [(mesh, fields) for mesh in MESHES for fields in ("", ", volumetric: reduced")] + [
    ("hex8", ", enhanced: false"), ("hex8", ", enhanced: false, volumetric: reduced")]


# ---- rank ----

CORNERS = ([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1])


def one_tet(order, folder):
    """A single tetrahedron, as a file of Gmsh."""
    points = [np.array(c, float) for c in CORNERS]
    if order == 2:  # Gmsh's order of edges
        points += [(points[a] + points[b])/2 for a, b in ((0, 1), (1, 2), (2, 0), (3, 0), (2, 3), (1, 3))]
    n = len(points)
    lines = ["$MeshFormat", "4.1 0 8", "$EndMeshFormat", "$Nodes", f"1 {n} 1 {n}", f"3 1 0 {n}", *map(str, range(1, n + 1)),
             *(" ".join(map(repr, map(float, p))) for p in points), "$EndNodes", "$Elements", "1 1 1 1",
             f"3 1 {4 if order == 1 else 11} 1", "1 " + " ".join(map(str, range(1, n + 1))), "$EndElements", ""]
    pathlib.Path(folder, "tet.msh").write_text("\n".join(lines), encoding="utf-8")


SHAPES = {"cube": "x: u, y: v, z: w", "distorted": "x: u*(1 + 0.4*v), y: v + 0.3*u*w, z: w*(1 + 0.3*u*v)"}


def rank():
    for name, fields in SOLIDS:
        tet = name.startswith("tet")
        for shape, expressions in [("one", "")] if tet else SHAPES.items():
            with tempfile.TemporaryDirectory() as folder:
                if tet:
                    one_tet(1 if name == "tet4" else 2, folder)
                mesh = "type: gmsh, file: tet.msh" if tet else \
                    f"type: patch, {expressions}, w: [0, 1], divisions: [1, 1, 1]{MESHES[name]}"
                path = pathlib.Path(folder, "case.yaml")
                path.write_text(HEAD + f"meshes: {{q: {{{mesh}}}}}\nsolids: {{body: {{mesh: q, material: m{fields}}}}}\n", encoding="utf-8")
                found = answer("modes", path, "-n", 100)["modes"]
            omega = np.array([m["omega"] for m in found])
            what = f"{name}{fields}, {shape}"
            check("rank", f"{what}: six motions without energy", sum(m["rigid"] for m in found) - 6, 0, quiet=True)
            check("rank", f"{what}: the seventh is an elastic one", 0 if omega[6] > 1e-2*omega[-1] else 1, 0,
                  f"{omega[6]:.3g} of {omega[-1]:.3g} rad/s", quiet=True)


# ---- bending ----

def tip(name, fields, cells, nu):
    """Deflection at the end of a cantilever under a shear force, over that of Timoshenko's beam."""
    L, P = 8.0, 1e-6
    text = changed(HEAD, nu=nu, cells=cells) + f"""meshes: {{q: {{type: box, from: [0, -0.5, 0], to: [{L}, 0.5, 1], divisions: [4*cells, cells, cells]{MESHES[name]}}}}}
solids: {{bar: {{mesh: q, material: m{fields}}}}}
joints: {{clamp: {{type: support, nodes: bar.x-}}}}
loads: {{end: {{type: surface_load, faces: bar.x+, force: [0, {P}, 0]}}}}
analysis: {{type: static, increments: 1}}
"""
    out = run(text)
    q = out.frame["q"]
    at = np.argmin(np.linalg.norm(q[0] - np.array([L, 0.5, 0]), axis=1))
    I, G = 1/12, 1000/(2*(1 + nu))
    return (q[-1, at, 1] - q[0, at, 1])/(P*L**3/(3*1000*I) + P*L/(5/6*G))


def locking():
    """Nearly incompressible, nu = 0.4999, against beam theory. The clamped end cannot contract and makes the bar stiffer by some
    three per cent, whatever the element."""
    for name, fields, cells, off in (("hex8", "", 2, 0.03), ("hex8", "", 4, 0.04), ("hex8", ", enhanced: false", 4, 0.12),
                                     ("hex20", "", 2, 0.08), ("hex27", "", 2, 0.05), ("tet10", "", 2, 0.04)):
        found = tip(name, fields, cells, 0.4999)
        check("locking", f"{name}{fields}, nu = 0.4999: {found:.4f} of beam theory", 1 - found, off)
    locked = tip("hex8", ", enhanced: false, volumetric: full", 2, 0.4999)
    check("locking", f"the plain hex8, integrated in full, does lock: {locked:.4f}", 0 if locked < 0.3 else 1, 0)
    bad = tip("hex27", "", 2, 0.4999)/tip("hex27", ", volumetric: full", 2, 0.3)
    check("locking", f"hex27: nu = 0.4999 over nu = 0.3: {bad:.4f}", bad - 1, 0.04)


# ---- order ----

ROD = """meshes: {q: {type: %s}}
solids: {rod: {mesh: q, material: m%s}}
joints:
  wall: {type: support, nodes: rod.%s, fix: [x]}
  guide: {type: support, nodes: rod.all, fix: [y, z]}
"""


def order():
    """A rod that moves along x alone: its lowest frequency is pi/2 sqrt(E/rho), nu = 0. The mass is lumped: that holds quadratic elements
    to order 2, save the hex27 in straight cells."""
    askew = "patch, x: u + 0.1*sin(pi*u)*(v + w), y: v + 0.4*u*v*(1 - v), z: w, w: [0, 1], divisions: [cells, cells, cells]"
    straight = "box, size: [1, 1, 1], divisions: [cells, cells, cells]"
    for name, mesh, fields, meshes, least in (
            ("hex8", askew, "", (2, 4), 1.7), ("hex8", askew, ", enhanced: false", (2, 4), 1.7),
            ("hex20", straight, "", (2, 4), 1.8), ("hex27", straight, "", (2, 4), 3.7), ("hex27", askew, "", (2, 4), 1.8),
            ("tet4", straight, "", (2, 4), 1.7),
            ("tet10", straight, "", (1, 2), 1.8)):
        error = []
        for cells in meshes:
            body = ROD % (mesh + MESHES[name], fields, "u-" if mesh is askew else "x-")
            omega = modes_of(changed(HEAD, nu=0, cells=cells) + body, 20)[0]["omega"]
            error.append(abs(omega/(np.pi/2*np.sqrt(1000)) - 1))
        found = np.log2(np.array(error[:-1])/np.array(error[1:]))
        check("order", f"{name}{fields}{', askew' if mesh is askew else ''}: order {', '.join(f'{x:.2f}' for x in found)} is {least} or more",
              max(0, least - found[-1]), 0, f"error {error[-1]:.1e}")


# ---- reactions ----

HELD = """gravity: [1, 2, -3]
meshes: {q: {type: box, size: [2, 1, 1], divisions: [4, 2, 2]%s}}
solids: {bar: {mesh: q, material: m}}
joints: {wall: {type: support, nodes: bar.x-, about: [0.3, 0.2, -0.5]}}
couplings: {hand: {type: weighted, nodes: bar.x+, at: [2.5, 0.5, 0.5]}}
loads:
  pull: {type: force, body: hand, force: [5, 3, -8]}
  twist: {type: moment, body: hand, moment: [2, 1, 4]}
%s
analysis: {%s}
"""


def reactions():
    """Nodes that are held in everything, bent far: the reaction of their support is the loads and the weight. Pressure on all faces but
    the one that is held is that on the flat face that closes them, however the others deform."""
    about = np.array([0.3, 0.2, -0.5])
    for name in ("hex8", "hex20", "tet10"):
        for gravity in (0, 1):
            text = changed(HEAD, nu=0.3) + HELD % (MESHES[name], "", "type: static, increments: 4")
            out = run(text if gravity else text.replace("gravity: [1, 2, -3]", ""))
            F, M = np.array([5, 3, -8.]), np.array([2, 1, 4.]) + np.cross(out.position("hand")[-1] - about, [5, 3, -8])
            weight = 2*gravity*np.array([1, 2, -3.])
            check("reactions", f"{name}, gravity {gravity}: force", out.force("wall")[-1] + F + weight, 1e-12)
            if not gravity:
                check("reactions", f"{name}: moment", out.moment("wall")[-1] + M, 1e-12)
                check("reactions", f"{name}: it bends", 0 if out.position("hand")[-1, 2] < 0.3 else 1, 0, quiet=True)
        text = changed(HEAD, nu=0.3) + HELD % (MESHES[name], "", "type: static, increments: 2")
        text = text[:text.index("  pull")].replace("gravity: [1, 2, -3]", "") + "".join(
            f"  {name}: {{type: pressure, faces: bar.{face}, pressure: 70}}\n" for name, face in zip("abcde", ("x+", "y-", "y+", "z-", "z+"))) + text[text.index("analysis"):]
        check("reactions", f"{name}: pressure", run(text).force("wall")[-1] - [70, 0, 0], 1e-12)


# ---- crushed ----

CRUSHED = """meshes: {q: {type: box, size: [2, 1, 1], divisions: [4, 1, 1]%s}}
solids: {bar: {mesh: q, material: m}}
joints:
  wall: {type: support, nodes: bar.x-, fix: [x]}
  floor: {type: support, nodes: bar.y-, fix: [y]}
  side: {type: support, nodes: bar.z-, fix: [z]}
loads: {push: {type: surface_load, faces: bar.x+, force: [-300, 0, 0]}}
"""


def crushed():
    """Saint Venant's law bears E/(3 sqrt 3) = 0.19 E at most, and what is pushed by 0.3 E has an equilibrium, but a mirrored one: it is refused, with
    part, cell and time. Neo-Hookean, lambda = 0: l - 1/l = -0.3/0.5."""
    head = changed(HEAD, nu=0)
    for name, more, analysis in (("static", "", "type: static, increments: 4"), ("arc length", "", "type: static, increments: 4, method: arc_length"),
                                 ("EP", "", "scheme: EP, step: 5 ms, end: 0.5"), ("ED", ", order: 2", "scheme: ED, step: 5 ms, end: 0.5")):
        with model_file(head + CRUSHED % more + f"analysis: {{{analysis}}}\n") as path:
            done = torsor("run", path, "-o", path.with_suffix(".h5"), code=4)
        words = r"'bar', cell \d \(hex.*\), is pressed inside out at t = "
        if name == "arc length":  # it goes on to l = 0, where the tangent is singular
            words += "|no convergence beyond load factor"
        right = done.returncode == 4 and re.search(words, done.stderr)
        check("crushed", f"{name}: refused", 0 if right else 1, 0, done.stderr.strip().splitlines()[-1][:110])
    text = head.replace("{E: 1000, nu: nu,", "{type: neo_hookean, mu: 500, lambda: 0,") + CRUSHED % "" + "analysis: {type: static, increments: 4}\n"
    q = run(text).frame["q"]
    at = np.argmax(q[0, :, 0])
    check("crushed", "neo-Hookean: stretch", q[-1, at, 0]/2 - (np.sqrt(0.09 + 1) - 0.3), 1e-12)


# ---- weighted couplings ----

BAR = """meshes: {q: {type: patch, x: 2*u, y: v*(1 + 2*v)/3 + %g*v*(1 - v)*u*w, z: w*(1 + w)/2, w: [0, 1], divisions: [2, 3, %d]%s}}
solids: {bar: {mesh: q, material: m}}
joints:
  wall: {type: support, nodes: bar.u-, fix: [x]}
  %s
couplings: {hand: {type: weighted, nodes: bar.u+%s}}
loads: {pull: {type: %s}}
analysis: {type: static, increments: 1}
"""
FLOOR = "floor: {type: support, nodes: bar.v-, fix: [y]}\n  side: {type: support, nodes: bar.w-, fix: [z]}"
PINS = "pin: {type: support, nodes: bar.u-/v-/w-, fix: [y, z]}\n  pin2: {type: support, nodes: bar.u-/v+/w-, fix: [z]}"


def spread():
    """The end of a bar whose cells differ in size and, where it is pulled, in shape, through a weighted coupling. Pulled: one stress everywhere, F = l S with S = E (l^2 - 1)/2
    of Saint Venant's law, finite strain. Bent: M y/I at every point, for small moments. Nodes that count alike do neither."""
    shapes = {"hex8": "", "hex20": ", order: 2, serendipity: true", "hex27": ", order: 2"}
    for name, cells, more in [(n, c, "") for n in shapes for c in (1, 4)] + [("hex8", 4, ", weights: equal"), ("hex27", 1, ", weights: equal")]:
        out = run(changed(HEAD, nu=0) + BAR % (0.4, cells, shapes[name], FLOOR, more, "force, body: hand, force: [200, 0, 0]"))
        sigma = out.frame["solid_stress"][-1]
        x = out.position("hand")
        stretch = x[-1, 0]/x[0, 0]
        scatter = np.max(np.abs(sigma - np.array([200, 0, 0, 0, 0, 0])))/200  # nu = 0: the cross section stays
        what = f"{name}, {cells} cells{more}"
        if more:
            check("spread", f"{what}: stress is not even, {scatter:.2g}", 0 if scatter > 0.05 else 1, 0)
            continue
        check("spread", f"{what}: one stress", scatter, 1e-12)
        check("spread", f"{what}: stretch", stretch*1000*(stretch**2 - 1)/2/200 - 1, 1e-12)
    for cells in (1, 4):
        out = run(changed(HEAD, nu=0.3) + BAR % (0, cells, "", PINS, "", "moment, body: hand, moment: [0, 0, 1e-6]"))
        sigma, y = out.frame["solid_stress"][-1], out.solid_point[:, 1]
        exact = np.zeros_like(sigma)
        exact[:, 0] = -12e-6*(y - 0.5)
        check("spread", f"hex8, {cells} cells: bending, M y/I", np.max(np.abs(sigma - exact))/6e-6, 1e-6)


# ---- files of Gmsh ----

GMSH = """torsor: 1
units: SI
materials: {m: {E: 1e5, nu: 0.3, density: 1}}
meshes: {q: {type: gmsh, file: "%s"}}
solids: {bar: {mesh: q, set: bar, material: m}}
joints:
  wall: {type: support, nodes: bar.clamp}
couplings:
  hand: {type: weighted, nodes: bar.end}
loads:
  pull: {type: force, body: hand, force: [10, 0, 0]}
  twist: {type: moment, body: hand, moment: [0, 0, 1]}
analysis: {type: static, increments: 2}
"""


def gmsh():
    """A bar of tetrahedra, 4 x 1 x 1, held and pulled by its physical groups: F L/EA, and M L^2/(2 EI) across; a block of hexahedra, 2 x 1 x
    0.5, pulled evenly on one side: the coupling there follows exactly."""
    text = (GMSH % (ROOT / "tests/data/gmsh/bar_tet10.msh")).replace("nu: 0.3", "nu: 0")
    x = run(text).position("hand")
    check("gmsh", f"tet10: elongation {x[-1, 0] - x[0, 0]:.4e}", (x[-1, 0] - x[0, 0])/(10*4/1e5) - 1, 1e-3)
    x = run(text.replace("[10, 0, 0]", "[0, 0, 0]")).position("hand")
    check("gmsh", f"tet10: deflection {x[-1, 1] - x[0, 1]:.4e}", (x[-1, 1] - x[0, 1])/(16/(2*1e5/12)) - 1, 1e-6)
    text = (GMSH % (ROOT / "tests/data/gmsh/box_hex20.msh")).replace("set: bar", "set: block").replace("bar.clamp", "bar.bottom").replace(
        "bar.end", "bar.top").replace("nu: 0.3", "nu: 0")
    text = text[:text.index("  pull")] + "  pull: {type: surface_load, faces: bar.top, force: [0, 0, 5]}\n" + text[text.index("analysis"):]
    x = run(text).position("hand")
    stretch = x[-1, 2]/x[0, 2]  # E (l^2 - 1) l/2 = 5, Saint Venant's law
    check("gmsh", "hex20: elongation", 1e5*(stretch**2 - 1)*stretch/2/5 - 1, 1e-8)


if __name__ == "__main__":
    need_program()
    for test in (rank, locking, order, reactions, crushed, spread, gmsh):
        if len(sys.argv) < 2 or test.__name__ in sys.argv[1:]:
            test()
    sys.exit(verdict())
