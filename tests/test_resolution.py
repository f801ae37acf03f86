#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The audit of resolution: angles of beams and shells bent by known amounts, strains, volumes, rotations and losses; steps that fold an
element are rejected; the verdict in words, JSON, results files and Python; restarts; what is drawn.

Environment: TORSOR, the program; TORSOR_LIBRARY, the shared library; TORSOR_SOURCE_DIR, the source tree.
"""
import math
import os
import sys

import numpy as np

from program import ROOT, answer, events, model_file, torsor

LIBRARY = os.environ.get("TORSOR_LIBRARY", str(ROOT / "build/src/libtorsor.so"))
sys.path.insert(0, str(ROOT / "python"))
if os.path.exists(LIBRARY):  # a sanitized build has none
    import torsor as module
else:
    module = None

DEG = math.pi / 180

# One end is held; the other slides and turns in the plane, by `angle` in one second. No force acts: the moment is uniform, and so is the curvature.
BENT = """torsor: 1
units: SI
materials: {m: {E: 1e6, nu: 0.3, density: 1000}}
sections: {s: {type: circle, material: m, diameter: 0.01}}
beams: {arm: {from: [0, 0, 0], to: [1, 0, 0], section: s, elements: N, order: ORDER}}
joints:
  root: {type: rigid, bodies: [ground, arm.start], at: [0, 0, 0]}
  tip: {type: planar, bodies: [ground, arm.end], at: [1, 0, 0], axis: AXIS}
motions: {turn: {joint: tip, angle: ANGLE*t}}
analysis: {type: static, increments: INC}
"""


def bent(angle, elements=3, order=1, axis="z", increments=20):
    return (BENT.replace("ORDER", str(order)).replace("ANGLE", f"{angle} deg").replace("N,", f"{elements},")
            .replace("AXIS", axis).replace("INC", str(increments)))


def done(text, code=0):
    """The last event of a run without results, and its measures by name."""
    with model_file(text) as path:
        last = events("run", path, "--no-results", code=code)[-1]
    return last, {m["name"]: m for m in last["resolution"]["measures"]}


def near(value, wanted, tolerance=1e-6):
    assert abs(value - wanted) <= tolerance, (value, wanted)


# ---- angles of beams ----

def beam_angles():
    for angle, elements, order in ((60, 3, 1), (60, 1, 2), (120, 4, 1), (-75, 3, 1)):
        last, m = done(bent(angle, elements, order))
        pairs = elements * order
        near(m["beam_angle"]["value"], abs(angle) * DEG / pairs, 1e-6)
        near(m["beam_angle"]["t"], 1)
        assert m["beam_angle"]["where"].startswith("'arm', between nodes "), m["beam_angle"]
        assert last["resolution"]["level"] == "resolved", last["resolution"]


def twisted_beam():
    """Twist counts as bending does: one element between two frames."""
    _, m = done(bent(80, 1, 1, axis="x"))
    near(m["beam_angle"]["value"], 80 * DEG)
    assert m["beam_angle"]["where"] == "'arm', between nodes 1 and 2"


def drawn_beam():
    """The angles of an arc as drawn, of which nothing moves; and the limit of what may be drawn."""
    def arc(elements, more=""):
        return ("torsor: 1\nunits: SI\nsections: {s: {EA: 1, GA2: 1, GA3: 1, GJ: 1, EI2: 1, EI3: 1, mass: 1, inertia: [2, 1, 1]}}\n"
                f"beams: {{hook: {{from: [1, 0, 0], through: [0, 1, 0], to: [-1, 0, 0], section: s, elements: {elements}, order: 1{more}}}}}\n")
    with model_file(arc(4)) as path:
        found = answer("check", path)["resolution"]
        near(found["measures"][0]["value"], 45 * DEG, 1e-9)
        assert found["level"] == "resolved", found
        text = torsor("check", path).stdout
        assert "  resolution  resolved\n" in text and "angle between neighbouring nodes of a beam 45 deg" in text, text
    with model_file(arc(2)) as path:
        text = torsor("check", path).stdout
        assert "  resolution  coarse: angle between neighbouring nodes of a beam 90 deg: 'hook', between nodes " in text, text
    for wrong in (arc(1), arc(2, ", twist: 360 deg")):
        with model_file(wrong) as path:
            said = torsor("check", path, code=2).stderr
            assert "case.yaml:4:9: error: neighbouring nodes, 1 and 2, are drawn with 180 deg between their frames; at most 150 deg are allowed" in said, said
            assert "more `elements`" in said, said


# ---- angles of shells ----

STRIP = """torsor: 1
units: SI
materials: {m: {E: 1.2e6, nu: 0, density: 1}}
shell_sections: {s: {material: m, thickness: 0.1}}
meshes: {q: {type: plate, size: [12, 1], divisions: [N, 1], order: ORDER}}
shells: {strip: {mesh: q, section: s}}
joints: {wall: {type: support, nodes: strip.x-}}
loads: {roll: {type: edge_load, edges: strip.x+, bending: BENDING}}
analysis: {type: static, increments: 10}
outputs: {every: 1}
"""


def directors(path, nodes):
    """Places and directors of the nodes of a shell at the last state, by the number of the point."""
    r = module.Results(path)
    return [(r[f"strip.{n}.position"][-1], r[f"strip.{n}.director"][-1]) for n in nodes]


def shell_angles():
    """Directors of a strip that is rolled by a moment, against those in the results file."""
    for cells, order, pairs in ((6, 1, 6), (3, 2, 6)):
        with model_file(STRIP.replace("N,", f"{cells},").replace("ORDER", str(order)).replace("BENDING", "100*(pi/2)/12")) as path:
            last = events("run", path, "-o", path.with_suffix(".h5"))[-1]
            m = {x["name"]: x for x in last["resolution"]["measures"]}
            r = module.Results(path.with_suffix(".h5"))
            q = r.series("frames/q")[-1].reshape(-1, 3)
            d = [q[i] for i in range(len(q)) if abs(np.linalg.norm(q[i]) - 1) < 1e-9 and i % 2 == 1]
            largest = max(math.acos(min(1, a @ b)) for a in d for b in d)
        near(m["shell_angle"]["value"], largest / pairs, 0.02 * largest / pairs)
        assert m["shell_angle"]["value"] > 5 * DEG, m["shell_angle"]
        assert m["shell_angle"]["where"].startswith("'strip', cell "), m["shell_angle"]
        assert "quad4" in m["shell_angle"]["where"] or order == 2


def along_an_arc():
    """Times of peaks are those of the states, the load factor, whatever the method."""
    text = STRIP.replace("N,", "6,").replace("ORDER", "1").replace("BENDING", "100*(pi/4)/12").replace("increments: 10", "increments: 5, method: arc_length")
    with model_file(text) as path:
        torsor("run", path, "-o", path.with_suffix(".h5"))
        r = module.Results(str(path.with_suffix(".h5")))
        np.testing.assert_allclose(r.series("frames/resolution")[1:, 1, 1], r.t[1:], rtol=1e-12)


def drawn_shell():
    """Half a cylinder in n cells: directors are exact normals, 180/n apart; those of flat cells stand in between."""
    text = ("torsor: 1\nunits: SI\nmaterials: {m: {E: 1, nu: 0, density: 1}}\nshell_sections: {s: {material: m, thickness: 0.1}}\n"
            "meshes: {c: {type: cylinder, radius: 1, length: 1, angle: 180 deg, divisions: [N, 2], order: ORDER}}\n"
            "shells: {roof: {mesh: c, section: s, fold: 40 deg}}\n")
    for cells, order, angle, tilt in ((6, 1, 30, 15), (5, 1, 36, 18), (4, 2, 22.5, None)):
        with model_file(text.replace("N,", f"{cells},").replace("ORDER", str(order))) as path:
            m = {x["name"]: x["value"] for x in answer("check", path)["resolution"]["measures"]}
        near(m["shell_angle"], angle * DEG, 1e-9)
        if tilt:
            near(m["shell_tilt"], tilt * DEG, 1e-9)
        else:
            assert m["shell_tilt"] < 3 * DEG, m


def drawn_tilt():
    """Two plates at 70 deg, drawn without a fold between them: directors stand 35 deg off both, and steps are not rejected for that."""
    c, s = math.cos(70 * DEG), math.sin(70 * DEG)
    text = f"""torsor: 1
units: SI
materials: {{m: {{E: 1e6, nu: 0, density: 1}}}}
shell_sections: {{s: {{material: m, thickness: 0.1}}}}
meshes:
  a: {{type: plate, corners: [[-1, 0, 0], [0, 0, 0], [0, 1, 0], [-1, 1, 0]], divisions: [2, 2]}}
  b: {{type: plate, corners: [[0, 0, 0], [{c}, 0, {s}], [{c}, 1, {s}], [0, 1, 0]], divisions: [2, 2]}}
  q: {{type: join, first: a, second: b}}
shells: {{roof: {{mesh: q, section: s, fold: 80 deg}}}}
joints: {{wall: {{type: support, nodes: roof.a.x-}}}}
loads: {{push: {{type: edge_load, edges: roof.b.x+, force: [0, 0, 1]}}}}
analysis: {{type: static, increments: 2}}
"""
    last, m = done(text)
    near(m["shell_tilt"]["value"], 35 * DEG, 0.01)
    assert last["resolution"]["level"] == "resolved", last["resolution"]


# ---- other measures ----

def strain():
    """N/EA of a rod; a linear law is told from 5 %, coarse from 20 %."""
    for force, level in ((40, "resolved"), (250, "coarse")):
        text = bent(0).replace("motions: {turn: {joint: tip, angle: 0 deg*t}}\n",
                               f"loads: {{pull: {{type: force, body: arm.end, force: [{force} N, 0, 0]}}}}\n").replace(
                                   "E: 1e6", "E: 1000/(pi*0.005^2)")
        last, m = done(text)
        near(m["strain"]["value"], force / 1000, 1e-9)
        assert last["resolution"]["level"] == level, last["resolution"]
        assert m["strain"]["where"].startswith("'arm', between nodes "), m["strain"]


def volume():
    """A cube of one cell, stretched by forces on a face: J is the product of its edges."""
    text = """torsor: 1
units: SI
materials: {m: {type: neo_hookean, E: 1, nu: 0.2, density: 1}}
meshes: {b: {type: box, size: [1, 1, 1], divisions: [1, 1, 1]}}
solids: {cube: {mesh: b, material: m}}
joints:
  x: {type: support, nodes: cube.x-, symmetry: x}
  y: {type: support, nodes: cube.y-, symmetry: y}
  z: {type: support, nodes: cube.z-, symmetry: z}
loads: {pull: {type: surface_load, faces: cube.x+, force: [1.2, 0, 0]}}
analysis: {type: static, increments: 5}
"""
    with model_file(text) as path:
        last = events("run", path, "-o", path.with_suffix(".h5"))[-1]
        q = module.Results(path.with_suffix(".h5")).series("frames/q")[-1].reshape(-1, 3)[4:]  # without the ground
    J = np.prod(q.max(axis=0) - q.min(axis=0))
    m = {x["name"]: x for x in last["resolution"]["measures"]}
    assert J > 1.1, J
    near(m["volume"]["value"], J - 1, 1e-9)
    assert m["strain"]["value"] == 0, m["strain"]  # neo-Hookean solids are meant for large strains
    assert m["volume"]["where"].startswith("'cube', cell 1 (hex8"), m["volume"]


def turns():
    """A body that spins at 40 rad/s in steps of 10 ms."""
    text = """torsor: 1
units: SI
bodies: {wheel: {mass: 1, inertia: [1, 1, 2], angular_velocity: [0, 0, 40]}}
analysis: {scheme: SCHEME, step: 10 ms, end: 0.1 s}
"""
    for scheme in ("EP", "ED"):
        last, m = done(text.replace("SCHEME", scheme))
        near(m["step_turn"]["value"], 2 * math.atan(0.2), 1e-9)
        assert m["step_turn"]["where"] == "'wheel'", m["step_turn"]
        assert last["resolution"]["level"] == "coarse", last["resolution"]
        assert "rotation in a step 22.6 deg: 'wheel'" in last["resolution"]["text"], last["resolution"]
    assert done(text.replace("SCHEME", "EP").replace("10 ms", "5 ms"))[0]["resolution"]["level"] == "resolved"


def losses():
    """What the scheme dissipated, of the largest energy: from the ledger. ED takes nearly all of a stiff spring's vibration."""
    text = """torsor: 1
units: SI
bodies: {bob: {mass: 1, inertia: [1, 1, 1], velocity: [0, 0, 1]}}
joints: {guide: {type: prismatic, bodies: [ground, bob], at: [0, 0, 0], axis: z}}
springs: {k: {bodies: [ground, bob], from: [0, 0, 1], to: [0, 0, 0], stiffness: 1e6}}
analysis: {scheme: SCHEME, step: 10 ms, end: 0.1 s}
"""
    last, m = done(text.replace("SCHEME", "ED"))
    near(m["scheme_loss"]["value"], last["end"]["algorithmic"] / last["energy_scale"], 1e-12)
    assert m["scheme_loss"]["value"] > 0.9 and last["resolution"]["level"] == "coarse", last["resolution"]
    last, m = done(text.replace("SCHEME", "EP"))
    assert m["scheme_loss"]["value"] == 0 and last["resolution"]["level"] == "resolved", last["resolution"]


# ---- steps that are rejected ----

def folded_beam():
    """Two frames turned against each other: told as coarse up to 150 deg, rejected beyond."""
    last, m = done(bent(149, 1))
    assert last["resolution"]["level"] == "coarse", last["resolution"]
    near(m["beam_angle"]["value"], 149 * DEG)
    assert last["resolution"]["text"].endswith("use more `elements` or a higher `order`"), last["resolution"]
    for text in (bent(170, 1), bent(170, 1).replace("type: static, increments: 20", "step: 50 ms, end: 1 s")):
        last, m = done(text, code=4)
        assert last["resolution"]["level"] == "not resolved", last["resolution"]
        assert 150 * DEG <= m["beam_angle"]["value"] < 154 * DEG, m["beam_angle"]
        assert 150/170 - 1e-3 < m["beam_angle"]["t"] < 0.9 + 1e-9, m["beam_angle"]
        with model_file(text) as path:
            said = torsor("run", path, "--no-results", code=4).stderr
        assert "'arm', between nodes 1 and 2, is bent or twisted by 15" in said, said
        assert "however short the step: use more `elements` or a higher `order`" in said, said
    assert done(bent(170, 4))[0]["resolution"]["level"] == "resolved"


# The short cylinder of examples/shell_free_flight.yaml, ten times as soft and thrown by three times the forces.
def thrown():
    text = (ROOT / "examples/shell_free_flight.yaml").read_text(encoding="utf-8")
    return text.replace("E: 2 MPa", "E: 0.2 MPa").replace("3 N]", "10 N]").replace("end: 1 s", "end: 0.4 s")


# The pinched semi-cylinder of Sze, Liu and Lo (2004), 3.7, with far too few cells.
PINCHED = """torsor: 1
units: SI
parameters: {n: 6, order: 1, inc: 20}
materials:
  ply: {type: orthotropic, E1: 2068.5, E2: 517.125, E3: 517.125, nu12: 0.3, nu13: 0.3, nu23: 0.3, G12: 795.6, G13: 795.6, G23: 198.894, density: 1}
shell_sections:
  l0: {type: laminate, materials: [ply], thicknesses: [1], angles: [0 deg, 90 deg, 0 deg]}
meshes:
  half: {type: cylinder, radius: 101.6, length: 304.8, angle: 90 deg, divisions: [n, n], order: order}
shells:
  roof: {mesh: half, section: l0, axis1: z}
joints:
  edge: {type: support, nodes: roof.left, symmetry: y}
  crown: {type: support, nodes: roof.right, symmetry: x}
  wall: {type: support, nodes: roof.end}
loads:
  pinch: {type: force, body: roof.right/start, force: [0, -1000, 0]}
analysis: {type: static, increments: inc, max_cuts: 3}
"""


def folded_shell():
    arc = STRIP.replace("N,", "6,").replace("ORDER", "1").replace("BENDING", "100*2*pi/12").replace("increments: 10", "increments: 10, method: arc_length")
    for what, text, part in (("in motion", thrown(), "can"), ("in statics", PINCHED, "roof"), ("along an arc", arc, "strip")):
        last, m = done(text, code=(0, 4))
        assert last["resolution"]["level"] == "not resolved" and last["exit_code"] == 4, (what, last["resolution"])
        refused = [m[name] for name, limit in (("shell_angle", 95), ("shell_tilt", 85)) if m[name]["value"] >= limit * DEG]
        assert len(refused) == 1, (what, m)
        assert refused[0]["where"].startswith(f"'{part}', cell ") and "quad4, near [" in refused[0]["where"], (what, refused)
        said = "is bent or twisted by" if refused[0]["name"] == "shell_angle" else "deg from its normal"
        assert said in last["status"] and "use a finer mesh or cells of 9 nodes" in last["status"], (what, last["status"])


# ---- where it is said ----

def said():
    """In the text, as a warning, in the results file, by `info`, in Python: the same."""
    with model_file(bent(100, 1)) as path:
        out = path.with_suffix(".h5")
        run = torsor("run", path, "-o", out)
        verdict = ("resolution: coarse: angle between neighbouring nodes of a beam 100 deg: 'arm', between nodes 1 and 2, t = 1 s; "
                   "use more `elements` or a higher `order`")
        assert verdict in run.stdout.splitlines(), run.stdout
        assert "torsor: warning: " + verdict.removeprefix("resolution: ") in run.stderr, run.stderr
        assert "\nresolution   " + verdict.removeprefix("resolution: ") in torsor("info", out).stdout
        info = answer("info", out)["resolution"]
        assert (info["level"], info["text"]) == ("coarse", verdict), info
        results = module.Results(str(out))
        assert results.resolution.text == verdict and results.resolution.level == "coarse"
        measure = results.resolution.measures["beam_angle"]
        near(measure.value, 100 * DEG)
        assert measure.where == "'arm', between nodes 1 and 2" and math.isnan(results.resolution.measures["strain"].rejected)
        rows = results.series("frames/resolution")
        assert rows.shape == (21, 8, 5) and np.all(np.diff(rows[:, 0, 0]) > 0), rows.shape
        near(rows[10, 0, 0], 50 * DEG)
        np.testing.assert_allclose(rows[10, 0, 1:], (0.5, rows[10, 0, 2], 1, 2), atol=1e-12)
        live = module.load(str(path)).start()
        assert live.resolution.level == "resolved" and live.resolution.measures["beam_angle"].value == 0
        while not live.ended:
            live.step()
        assert live.resolution == results.resolution or live.resolution.text == verdict, live.resolution
        near(live.resolution.measures["beam_angle"].value, measure.value, 0)


def failed_run():
    """The verdict of a run that was stopped by the guard is in its results file."""
    with model_file(bent(170, 1)) as path:
        out = path.with_suffix(".h5")
        torsor("run", path, "-o", out, code=4)
        info = answer("info", out)["resolution"]
        assert info["level"] == "not resolved" and "'arm', between nodes 1 and 2" in info["text"], info
        assert 140 * DEG < info["measures"][0]["value"] < 150 * DEG, info["measures"][0]  # of accepted steps


def restarted():
    """A run in two pieces has the same peaks as in one, to the last bit."""
    text = bent(100, 2).replace("type: static, increments: 20", "step: 20 ms, end: 1 s").replace("ANGLE", "100 deg").replace(
        "angle: 100 deg*t", "angle: 50 deg*sin(6*t)*exp(-t)")
    with model_file(text) as path:
        whole, half, rest = (path.with_name(f"{name}.h5") for name in ("whole", "half", "rest"))
        torsor("run", path, "-o", whole)
        torsor("run", path, "-o", half, "--end", "0.5 s")
        torsor("restart", half, "-o", rest, "--end", "1 s")
        a, b = (module.Results(str(file)).series("frames/resolution") for file in (whole, rest))
        assert a[-1].tobytes() == b[-1].tobytes(), (a[-1], b[-1])
        assert a[-1, 0, 1] < 0.5, a[-1]  # the largest angle was before the restart
        c, d = (module.Results(str(file)).series("frames/largest_energy") for file in (whole, rest))
        assert c[-1] == d[-1], (c[-1], d[-1])


def threads():
    """A block of 343 cells that falls on its corner of a wall: the same peaks on one thread and on two, to the last bit."""
    text = """torsor: 1
units: SI
gravity: [1, 2, -9.81]
materials: {m: {E: 1e4, nu: 0.3, density: 1000}}
meshes: {b: {type: box, size: [1, 1, 1], divisions: [7, 7, 7]}}
solids: {block: {mesh: b, material: m}}
joints: {wall: {type: support, nodes: block.x-}}
analysis: {step: 10 ms, end: 50 ms}
"""
    with model_file(text) as path:
        peaks = []
        for count in (1, 2):
            torsor("run", path, "-o", path.with_suffix(".h5"), "--threads", count)
            peaks.append(module.Results(str(path.with_suffix(".h5"))).series("frames/resolution"))
    assert peaks[0].tobytes() == peaks[1].tobytes()
    assert peaks[0][-1, 4, 0] > 1e-3, peaks[0][-1]  # volumes do change


def quiet():
    """A resolved run says so in one line, and warns of nothing."""
    with model_file(bent(10)) as path:
        run = torsor("run", path, "--no-results")
        assert "\nresolution: resolved\n" in run.stdout and not run.stderr, run.stdout + run.stderr


TESTS = (beam_angles, twisted_beam, drawn_beam, shell_angles, along_an_arc, drawn_shell, drawn_tilt, strain, volume, turns, losses, folded_beam, folded_shell, said,
         failed_run, restarted, threads, quiet)


NEED_MODULE = (shell_angles, along_an_arc, volume, said, restarted, threads)


def main():
    only = os.environ.get("ONLY", "").split()
    for test in TESTS:
        if only and test.__name__ not in only:
            continue
        if module is None and test in NEED_MODULE:
            print(f"{test.__name__}: skipped, there is no library {LIBRARY}", flush=True)
            continue
        test()
        print(f"{test.__name__}: good", flush=True)


if __name__ == "__main__":
    main()
