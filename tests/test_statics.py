# SPDX-License-Identifier: Apache-2.0
"""Statics: preloads, free motions, instability, starts that move, paths that end early, works.

Expected values are closed forms, motions that come to rest in time, and eigenvalues by numpy.
"""
import json
import os
import re
import sys

from case_tools import changed, check, model, need_program, np, verdict
from program import ROOT, answer, model_file, torsor

G = 9.81
HEAD = "torsor: 1\nunits: SI\ngravity: [0, 0, -9.81]\n"


def table(results, *columns):
    text = torsor("info", results, "--csv", *columns).stdout.splitlines()
    return np.array([[float(x) for x in line.split(",")] for line in text if line[:1] in "-0123456789"])


class Result:
    """What a run said, and columns of its results."""

    def __init__(self, text, *columns, code=0, words=()):
        with model_file(text) as path:
            results = path.with_suffix(".h5")
            done = torsor("run", path, "-o", results, "--json", *words, code=code)
            self.stdout, self.stderr = done.stdout, done.stderr
            lines = [json.loads(line) for line in done.stdout.splitlines()]
            self.end = lines[-1] if lines else {}
            if columns:
                self.columns = table(results, *columns)
            if results.exists():
                self.info = torsor("info", results).stdout
                self.about = answer("info", results)


def printed(verb, text, code=0):
    with model_file(text) as path:
        done = torsor(verb, path, code=code)
        return re.sub(r"\s+", " ", done.stdout), re.sub(r"\s+", " ", done.stderr)


# ---- preloads ----

SUSPENSION = """torsor: 1
units: {{length: mm, mass: kg, time: s, angle: deg}}
gravity: [0, 0, -9.81 m/s^2]
parameters: {{kb: 8 kN/mm, kbr: 50 N*m/rad}}
points:
  lf: [ 150, 350, 250]
  lr: [-150, 350, 250]
  uf: [ 120, 420, 500]
  ur: [-120, 420, 500]
  wc: [0, 780, 310]
  cp: [0, 780, 0]
bodies:
  chassis: {{mass: 350 kg, inertia: [40 kg*m^2, 60 kg*m^2, 60 kg*m^2], position: [0, 300, 500]}}
  lower: {{mass: 4 kg, inertia: [0.05 kg*m^2, 0.03 kg*m^2, 0.08 kg*m^2], position: [0, 500, 230]}}
  upper: {{mass: 2.5 kg, inertia: [0.03 kg*m^2, 0.02 kg*m^2, 0.04 kg*m^2], position: [0, 540, 510]}}
  upright: {{mass: 12 kg, inertia: [0.2 kg*m^2, 0.2 kg*m^2, 0.15 kg*m^2], position: [0, 730, 330]}}
  wheel: {{mass: 22 kg, inertia: [0.6 kg*m^2, 1.1 kg*m^2, 0.6 kg*m^2], position: wc}}
joints:
  guide: {{type: prismatic, bodies: [ground, chassis], at: [0, 300, 500], axis: z}}
  ball_low: {{type: spherical, bodies: [lower, upright], at: [0, 720, 200]}}
  ball_up: {{type: spherical, bodies: [upper, upright], at: [-10, 690, 520]}}
  tierod: {{type: distance, bodies: [chassis, upright], from: [-120, 380, 320], to: [-120, 720, 300]}}
  hub: {{type: revolute, bodies: [upright, wheel], at: wc, axis: y}}
springs:
  b_lf: {{type: bushing, bodies: [chassis, lower], at: lf, axis: x, stiffness: [kb, kb, kb/4, kbr, kbr, kbr/50], damping: [10 N*s/mm, 10 N*s/mm, 3 N*s/mm, 0.1 N*m*s/rad, 0.1 N*m*s/rad, 0.01 N*m*s/rad]}}
  b_lr: {{type: bushing, bodies: [chassis, lower], at: lr, axis: x, stiffness: [kb, kb, kb/4, kbr, kbr, kbr/50]}}
  b_uf: {{type: bushing, bodies: [chassis, upper], at: uf, axis: x, stiffness: [kb, kb, kb/4, kbr, kbr, kbr/50]}}
  b_ur: {{type: bushing, bodies: [chassis, upper], at: ur, axis: x, stiffness: [kb, kb, kb/4, kbr, kbr, kbr/50]}}
  strut: {{bodies: [lower, chassis], from: [0, 560, 230], to: [0, 450, 650], stiffness: 45 N/mm, damping: 3 N*s/mm, preload: -5.5 kN, stop_min: 380, stop_stiffness: 500 N/mm}}
  tyre: {{type: spring, bodies: [ground, wheel], from: cp, to: wc, stiffness: 220 N/mm, damping: 0.2 N*s/mm, preload: -3.8 kN}}
{more}
analysis: {analysis}
"""
BRAKE = "  brake: {type: torsion_spring, joint: hub, stiffness: 1 N*m/rad, damping: 1 N*m*s/rad}"
STATIC = "{type: static, increments: 10}"


def preloads():
    """A suspension drawn with preloaded springs. What settles in time, from the same drawing, is the equilibrium that is meant."""
    rest = Result(SUSPENSION.format(more=BRAKE, analysis="{step: 5 ms, end: 25 s}"), "chassis.position.z")
    z = rest.columns[-1, 1]
    check("preload", f"it comes to rest at {z:.6f} m", z - rest.columns[-20, 1], 1e-9)
    for increments in (1, 3, 10, 40):
        r = Result(SUSPENSION.format(more=BRAKE, analysis=f"{{type: static, increments: {increments}}}"), "chassis.position.z")
        check("preload", f"statics with {increments} increments, m", r.columns[-1, 1] - z, 1e-8, "settled in time")
        check("preload", "and it is stable", r.end["unstable"], 0, quiet=True)
    start = Result(SUSPENSION.format(more=BRAKE, analysis="{start: static, step: 1 ms, end: 20 ms}"), "chassis.position.z")
    check("preload", "start: static begins there and stays there, m", start.columns[:, 1] - z, 1e-8, "settled in time")
    # one spring, closed form: k (z - z0) = m g + preload, and the path is a straight line from the drawing
    one = HEAD + ("bodies: {m: {mass: 2}}\njoints: {p: {type: prismatic, bodies: [ground, m], at: [0, 0, 0], axis: z}}\n"
                  "springs: {s: {bodies: [ground, m], from: [0, 0, 1], to: [0, 0, 0], stiffness: 100, preload: 30}}\n"
                  "analysis: {type: static, increments: 4}\n")
    r = Result(one, "m.position.z")
    check("preload", "a mass on a preloaded spring, all increments, m", r.columns[:, 1] - np.linspace(0, 1, 5)*(30 - 2*G)/100, 1e-12,
          "closed form")


# ---- instability ----

def mast(k, analysis="{type: static, increments: 5}"):
    return HEAD + ("bodies: {mast: {mass: 10, inertia: [1, 1, 0.1], position: [0, 0, 1]}}\n"
                   "joints: {h: {type: revolute, bodies: [ground, mast], at: [0, 0, 0], axis: y}}\n"
                   f"springs: {{foot: {{type: torsion_spring, joint: h, stiffness: {k}}}}}\nanalysis: {analysis}\n")


def tower(links, k, mass=2.0, length=0.5):
    """Links on top of each other with torsion springs: V = sum k (a_i - a_{i-1})^2/2 + m g heights; the Hessian upright."""
    text, hessian = HEAD + "bodies:\n", np.zeros((links, links))
    for i in range(links):
        text += f"  b{i}: {{mass: {mass}, inertia: [0.1, 0.1, 0.01], position: [0, 0, {(i + .5)*length}]}}\n"
    text += "joints:\n"
    for i in range(links):
        text += f"  j{i}: {{type: revolute, bodies: [{f'b{i - 1}' if i else 'ground'}, b{i}], at: [0, 0, {i*length}], axis: y}}\n"
    text += "springs:\n"
    for i in range(links):
        text += f"  s{i}: {{type: torsion_spring, joint: j{i}, stiffness: {k}}}\n"
        hessian[i, i] += k - mass*G*length*(links - 1 - i + .5)
        if i:
            hessian[i - 1, i - 1] += k
            hessian[i, i - 1] -= k
            hessian[i - 1, i] -= k
    return text + "analysis: {type: static, increments: 2}\n", int((np.linalg.eigvalsh(hessian) < 0).sum())


def instability():
    for k, ways in ((97, 1), (99, 0)):  # m g l = 98.1
        r = Result(mast(k))
        check("unstable", f"a mast on a spring of {k} N m/rad", r.end["unstable"] - ways, 0, "m g l = 98.1 N m")
        r = Result(mast(k, "{start: static, step: 1 ms, end: 10 ms}"))
        check("unstable", "start: static warns of it, and of nothing else", ("UNSTABLE" in r.stderr) - ways, 0)
        check("unstable", "check says it, too", ("UNSTABLE" in printed("check", mast(k, "{start: static, step: 1 ms, end: 10 ms}"))[0])
              - ways, 0)
    for links, k in ((4, 5), (4, 20), (4, 60), (4, 200), (7, 30), (7, 100), (7, 1000), (12, 50), (12, 400)):
        text, ways = tower(links, k)
        r = Result(text)
        check("unstable", f"a tower of {links} links, springs of {k} N m/rad: {ways} ways", r.end["unstable"] - ways, 0, "numpy")
        check("unstable", "it is in its results", r.about["unstable"] - ways, 0, quiet=True)
    # a column of more unknowns than dense matrices are for: P = 1, 9, 25 times pi^2 EI/(4 L^2) in two planes each
    for load, ways in ((0.9, 0), (1.1, 2), (9.5, 4), (25.5, 6)):
        text = ("torsor: 1\nunits: SI\nsections: {s: {EA: 1e8, GA2: 1e8, GA3: 1e8, GJ: 100, EI2: 100, EI3: 100, mass: 1}}\n"
                "beams: {b: {from: [0, 0, 0], to: [0, 0, 1], section: s, elements: 60, order: 3}}\n"
                "joints: {c: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}}\n"
                f"loads: {{p: {{type: force, body: b.end, force: [0, 0, {-load*np.pi**2*100/4}]}}}}\n"
                "analysis: {type: static, increments: 1}\n")
        r = Result(text)
        check("unstable", f"a column of {r.end['linear']['unknowns']} unknowns at {load} of Euler's load", r.end["unstable"] - ways, 0,
              "Euler")


# ---- free motions ----

def free_wheel():
    braked = Result(SUSPENSION.format(more=BRAKE, analysis=STATIC), "chassis.position.z")
    r = Result(SUSPENSION.format(more="", analysis=STATIC), "chassis.position.z", "wheel.rotation_vector.y")
    check("free", "a wheel on its hub: where the chassis stands, m", r.columns[-1, 1] - braked.columns[-1, 1], 1e-9, "with a brake")
    check("free", "the wheel has not turned in space, rad", r.columns[:, 2], 1e-4, "its axle tilts by 5e-2 rad")
    check("free", f"it is named: {r.end['free_motions']}", not re.match(r"'wheel' turns about", r.end["free_motions"]), 0)
    text = SUSPENSION.format(more="", analysis="{start: static, step: 1 ms, end: 10 ms}")
    check("free", "check names it for start: static", "'wheel' turns about" not in printed("check", text)[0], 0)


def hanging_load():
    text = HEAD + """cables: {rope: {from: [3, 0, 10], to: [3, 0, 4], EA: 1e6, mass: 1e-6, elements: 6}}
sections: {s: {EA: 1e9, GA2: 4e8, GA3: 4e8, GJ: 1e6, EI2: 2e6, EI3: 2e6, mass: 20}}
beams: {jib: {from: [0, 0, 10], to: [3, 0, 10], section: s, elements: 4, order: 3}}
bodies: {load: {mass: 500, inertia: [20, 20, 20], position: [3, 0, 3.5]}}
joints:
  foot: {type: rigid, bodies: [ground, jib.start], at: [0, 0, 10]}
  upper: {type: spherical, bodies: [jib.end, rope.start], at: [3, 0, 10]}
  hook: {type: spherical, bodies: [rope.end, load], at: [3, 0, 4]}
analysis: {type: static, increments: 4}
"""
    r = Result(text, "load.position", "jib.end.position", "hook.force")
    load, tip, force = r.columns[-1, 1:4], r.columns[-1, 4:7], r.columns[-1, 7:10]
    stretch = 6*500*G/1e6
    check("free", "a load on a rope hangs below the tip, m", load[:2] - tip[:2], 1e-9)
    check("free", "by the rope, stretched, and its own height, m", tip[2] - load[2] - 6.5 - stretch, 2e-4, "closed form to EA strain^2")
    check("free", "the hook carries its weight, N", np.linalg.norm(force) - 500*G, 1e-6)
    check("free", f"what turns is named: {r.end['free_motions']}", not r.end["free_motions"].startswith("'load' turns about z"), 0)


def pendulums():
    """Nothing resists them before there is a load."""
    bodies = "".join(f"  b{i}: {{mass: 3, inertia: [0.1, 0.1, 0.1], position: [0, 0, {-i - .5}]}}\n" for i in range(5))
    joints = "".join(f"  j{i}: {{type: spherical, bodies: [{f'b{i - 1}' if i else 'ground'}, b{i}], at: [0, 0, {-i}]}}\n" for i in range(5))
    r = Result(HEAD + "bodies:\n" + bodies + "joints:\n" + joints + "analysis: {type: static, increments: 3}\n", "b4.position", "j0.force.z")
    check("free", "a hanging chain stays, m", r.columns[-1, 1:4] - [0, 0, -4.5], 1e-12)
    check("free", "its first joint carries it, N", abs(r.columns[-1, 4]) - 15*G, 1e-9)
    check("free", "it is stable, and every link may spin about z", [r.end["unstable"], r.end["free_motions"].count("about z") - 4], 0)
    upright = Result(mast(0).replace("stiffness: 0", "damping: 1"))
    check("free", "an upright pendulum is in equilibrium, and unstable", upright.end["unstable"] - 1, 0)


def wheels_of_large_models():
    """More unknowns than dense matrices are for, and two wheels."""
    text = HEAD + """sections: {s: {EA: 1e8, GA2: 4e7, GA3: 4e7, GJ: 1e6, EI2: 1e6, EI3: 1e6, mass: 10}}
beams: {b: {from: [0, 0, 0], to: [4, 0, 0], section: s, elements: 60, order: 3}}
bodies:
  left: {mass: 30, inertia: [1, 2, 1], position: [2, 0, 0]}
  right: {mass: 50, inertia: [3, 3, 3], position: [4, 0, 0]}
joints:
  foot: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}
  one: {type: revolute, bodies: [b.90, left], at: [2, 0, 0], axis: y}
  two: {type: revolute, bodies: [b.end, right], at: [4, 0, 0], axis: x}
analysis: {type: static, increments: 2}
"""
    r = Result(text, "left.rotation_vector.y", "right.rotation_vector.x")
    check("free", "wheels on a long beam have not turned, rad", r.columns[:, 1:], 1e-6)
    names = r.end["free_motions"]
    check("free", f"both are named: {names}", ["'left' turns about" not in names, "'right' turns about" not in names,
                                               names.count("turns") - 2, r.end["unstable"]], 0)


def loaded_free_motions():
    cart = HEAD + ("bodies: {cart: {mass: 5}, post: {mass: 7}}\n"
                   "joints:\n  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}\n"
                   "  fast: {type: rigid, bodies: [ground, post], at: [0, 0, 0]}\n"
                   "loads: {push: {type: force, body: cart, force: [3, 0, 0]}}\nanalysis: {type: static}\n")
    said = printed("run", cart, code=4)[1]
    check("no equilibrium", "a cart that is pushed: motion and load are named",
          ["'cart' moves along x" not in said, "'push' acts along it" not in said], 0, said)
    said = printed("run", cart.replace("loads: {push: {type: force, body: cart, force: [3, 0, 0]}}\n", ""))[0]
    check("no equilibrium", "one that is not pushed stays", "'cart' moves along x" not in said, 0)
    drop = HEAD + "bodies: {stone: {mass: 5, inertia: [1, 1, 1]}}\nanalysis: {type: static}\n"
    said = printed("run", drop, code=4)[1]
    check("no equilibrium", "a stone that falls: gravity is named",
          ["'stone' moves along z" not in said, "gravity acts along it" not in said], 0, said)
    said = printed("run", drop.replace("{type: static}", "{start: static, step: 1 ms, end: 1 s}"), code=4)[1]
    check("no equilibrium", "likewise of start: static", "'stone' moves along z" not in said, 0)


def told_at_once():
    """A shell that nothing holds, pulled by one force: no equilibrium exists, and no search of minutes may be made for it."""
    shell = (ROOT / "examples/cases/e10_pinched_cylinder.yaml").read_text(encoding="utf-8")
    free = re.sub(r"(?ms)^joints:.*?(?=^\w)", "", shell)
    assert free != shell and "support" not in free
    for verb in ("modes", "run"):
        began = os.times()
        said = printed(verb, free, code=4)[1]
        seconds = os.times().children_user - began.children_user
        check("at once", f"{verb}: part and load are named", ["'wall'" not in said, "'pinch' acts along it" not in said], 0, said)
        check("at once", f"{verb}: seconds of computing", max(0, seconds - 20), 0, f"{seconds:.1f} s")  # a sanitized build takes 3
    # what is adrift in balance, or held by what does not touch it yet, has an equilibrium, and it is found
    k, mass = 1e4, 5.0
    landed = HEAD + (f"bodies: {{stone: {{mass: {mass}, inertia: [1, 1, 1], position: [0, 0, 1]}}}}\n"
                     "joints: {guide: {type: prismatic, bodies: [ground, stone], at: [0, 0, 0], axis: z}}\n"
                     f"springs: {{floor: {{bodies: [ground, stone], from: [0, 0, -1], to: [0, 0, 1], stop_min: 1.9, stop_stiffness: {k}}}}}\n"
                     "analysis: {type: static}\n")
    r = Result(landed, "stone.position.z")
    check("at once", "a stone above a stop comes to rest on it, m", r.columns[-1, 1] - (0.9 - 9.81*mass/k), 1e-9)
    rope = HEAD.replace("gravity", "# gravity") + (
        "sections: {s: {EA: 1000, GA2: 500, GA3: 500, GJ: 1, EI2: 1, EI3: 1, mass: 1, inertia: [1, 1, 1]}}\n"
        "beams: {b: {from: [0, 0, 0], to: [1, 0, 0], axis2: y, section: s, elements: 2, order: 1}}\n"
        "loads: {left: {type: force, body: b.start, force: [-3, 0, 0]}, right: {type: force, body: b.end, force: [3, 0, 0]}}\n"
        "analysis: {type: static}\n")
    r = Result(rope, "b.start.position.x", "b.end.position.x")
    check("at once", "a free bar that is pulled at both ends grows, m", r.columns[-1, 2] - r.columns[-1, 1] - 1 - 3/1000, 1e-9)


# ---- starts that move ----

ARM = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
parameters: {w: 0.6 rad/s}
sections: {s: {EA: 5e8, GA2: 2e8, GA3: 2e8, GJ: 1e5, EI2: 1e5, EI3: 1e5, mass: 2, inertia: [8.5e-5, 4.3e-5, 4.3e-5]}}
beams: {b: {from: [0, 0, 0], to: [1, 0, 0], axis2: y, section: s, elements: 4, order: 3, angular_velocity: [0, -w, 0]}}
joints: {hub: {type: revolute, bodies: [ground, b.start], at: [0, 0, 0], axis: y}}
motions: {m: {joint: hub, speed: -w}}
analysis: {step: 1 ms, end: 50 ms, start: static}
"""


def moving_starts():
    r = Result(ARM, "energy.kinetic", "m.effort", "b.end.velocity")
    kinetic = 0.5*0.36*(2/3 + 4.3e-5)
    check("start", "an arm that turns: kinetic energy, relative", r.columns[:, 1]/kinetic - 1, 1e-4, "rigid")
    weight = 2*G*.5*np.cos(.6*r.columns[:, 0])
    check("start", "no blow: moment of the drive, N m", np.abs(r.columns[:, 2]) - weight, 0.1, "9.81 cos(w t)")
    said = printed("check", ARM)[0]
    check("start", "check says that the equilibrium is one at rest", "equilibrium at rest" not in said, 0)
    # a drive of which the model says nothing: joints and drive win, the part is told
    r = Result(ARM.replace(", angular_velocity: [0, -w, 0]", ""), "b.start.omega.y")
    check("start", "a drive that the arm was not told of moves it from the start, rad/s", r.columns[0, 1] + 0.6, 1e-9)
    said = printed("check", ARM.replace(", angular_velocity: [0, -w, 0]", ""))[0]
    check("start", "and check says so", "'b' is flexible" not in said, 0)
    # far from the drawing: a body on a spring that sags by 1 m turns about the place where it now is
    text = HEAD + ("bodies: {m: {mass: 2, inertia: [1, 1, 1], velocity: [0.5, 0, 0], angular_velocity: [0, 0, 2]}}\n"
                   "springs: {s: {bodies: [ground, m], from: [0, 0, 1], to: [0, 0, 0], stiffness: 19.62, free_length: 1}}\n"
                   "analysis: {start: static, step: 1 ms, end: 2 ms}\n")
    r = Result(text, "m.position", "m.velocity", "m.omega")
    check("start", "a mass on a soft spring: place, velocity, rotation",
          r.columns[0, 1:] - [0, 0, -1, .5, 0, 0, 0, 0, 2], 1e-9, "closed form")


# ---- meshes too coarse ----

def coarse_meshes():
    text = HEAD.replace("-9.81", "-9.806") + """sections: {s: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 200, EI2: 100, EI3: 100, mass: 1}}
beams: {b: {from: [0, 0, 0], to: [10, 0, 0], axis2: y, section: s, elements: 2, order: 2}}
bodies: {mast: {mass: 10, inertia: [1, 1, 0.1], position: [0, 5, 1]}}
joints:
  clamp: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}
  h: {type: revolute, bodies: [ground, mast], at: [0, 5, 0], axis: y}
springs: {foot: {type: torsion_spring, joint: h, stiffness: 50}}
analysis: {type: static, increments: 10}
"""
    said = printed("run", text)[1]
    check("coarse", "an unstable end with a coarse mesh: the mesh is named, no buckling claimed",
          ["mesh is too coarse" not in said, "buckled or snapped" in said, "use more `elements`" not in said], 0)
    said = printed("run", text.replace("elements: 2", "elements: 20"))[1]
    check("coarse", "with a fine one it is told to be unstable", ["mesh is too coarse" in said, "buckled or snapped" not in said], 0)
    one = text.split("bodies:")[0] + ("joints: {clamp: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}}\n"
                                      "analysis: {type: static, increments: 10}\n")
    for elements in (5, 40):
        r = Result(one.replace("elements: 2", f"elements: {elements}"), "b.end.position")
        check("coarse", f"{elements} elements: the beam keeps its length", max(0, np.linalg.norm(r.columns[-1, 1:]) - 10.5), 0)


# ---- paths ----

TWO_BARS = """torsor: 1
units: SI
bodies: {apex: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.3]}}
joints: {guide: {type: prismatic, bodies: [ground, apex], at: [0, 0, 0.3], axis: z}}
springs:
  left: {bodies: [ground, apex], from: [-1, 0, 0], to: [0, 0, 0.3], stiffness: 1000}
  right: {bodies: [ground, apex], from: [1, 0, 0], to: [0, 0, 0.3], stiffness: 1000}
loads: {push: {type: force, body: apex, force: [0, 0, -20]}}
analysis: {type: static, ANALYSIS}
"""


def paths():
    short = TWO_BARS.replace("ANALYSIS", "method: arc_length, increments: 20, max_points: 5")
    r = Result(short, "apex.position.z", code=4)
    check("path", "5 points are not the whole path: load factor told",
          ["load factor" not in r.stderr, "max_points" not in r.stderr, abs(r.end["load_factor"] - r.columns[-1, 0]) > 1e-12], 0, r.stderr)
    check("path", "the points are there", len(r.columns) - 6, 0)
    for points in (200, 5000, 100000):
        r = Result(TWO_BARS.replace("ANALYSIS", f"method: arc_length, increments: 20, max_points: {points}"), "apex.position.z")
        check("path", f"max_points {points}: every point is stored", [len(r.columns) - 1 - r.end["steps_done"], r.columns[-1, 0] - 1], 1e-12)


def snaps():
    r = Result(TWO_BARS.replace("ANALYSIS", "increments: 20"), "apex.position.z")
    w = 0.3 - r.columns[-1, 1]
    l0, l = np.hypot(1, .3), np.hypot(1, .3 - w)
    check("snap", "load control jumps to the equilibrium behind, N", 2*1000*(l0/l - 1)*(.3 - w) - 20, 1e-9, "closed form")
    check("snap", f"with {r.end['iterations']} iterations", max(0, r.end["iterations"] - 800), 0)
    said = printed("run", TWO_BARS.replace("ANALYSIS", "increments: 20"))[0]
    check("snap", "it is told, with what to do", ["pseudo-time" not in said, "arc_length" not in said], 0)


# ---- works and words ----

def works():
    text = HEAD + ("bodies: {m: {mass: 2, position: [0, 0, 7]}}\njoints: {p: {type: prismatic, bodies: [ground, m], at: [0, 0, 7], axis: z}}\n"
                   "springs: {s: {bodies: [ground, m], from: [0, 0, 8], to: [0, 0, 7], stiffness: 100, free_length: 1}}\n"
                   "analysis: {type: static, increments: 4}\n")
    r = Result(text)
    stored = (2*G)**2/200
    check("work", "a weight on a spring: stored, J", r.end["end"]["elastic"] - stored, 1e-12, "closed form")
    check("work", "work of the growing weight, J", r.end["end"]["work_loads"] - stored, 1e-12, "closed form: the rule is exact")
    check("work", "the verdict says what is stored at the end", f"{1e3*stored:.4g}"[:4] not in r.end["audit"] and
          f"{stored:.4g}"[:4] not in r.end["audit"], 0, r.end["audit"])
    damped = Result(text.replace("free_length: 1", "free_length: 1, damping: 500"), "s.force.z")
    check("work", "dampers rest in statics: force of the spring, N", np.abs(damped.columns[:, 1]) - 2*G*damped.columns[:, 0], 1e-6, "weight")
    check("work", "info names the analysis, and no scheme", ["static" not in r.info, "scheme" in r.info, r.about["analysis"] != "static"], 0)
    bend = ("torsor: 1\nunits: SI\nsections: {s: {EA: 1e7, GA2: 1e7, GA3: 1e7, GJ: 100, EI2: 100, EI3: 100, mass: 1}}\n"
            "beams: {b: {from: [0, 0, 0], to: [1, 0, 0], section: s, elements: 4, order: 3}}\n"
            "joints: {c: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}}\n"
            "loads: {LOAD}\nanalysis: {type: static, increments: N}\n")
    for name, load in (("force", "p: {type: force, body: b.end, force: [0, 0, 400]}"),
                       ("moment", "p: {type: moment, body: b.end, moment: [0, -250, 0]}"),
                       ("follower", "p: {type: force, body: b.end, force: [0, 0, 200], follower: true}")):
        left = []
        for n in (10, 20):
            end = Result(bend.replace("LOAD", load).replace("N}", f"{n}}}")).end["end"]
            left.append(abs(end["work_loads"] - end["elastic"])/end["elastic"])
        check("work", f"a cantilever bent by a {name}: work against energy, 20 increments", left[1], 5e-3)
        check("work", "less with more increments, by the square", max(0, left[1] - left[0]/3 - 1e-9), 0, f"{left[0]:.1e}, {left[1]:.1e}")
    drive = HEAD + ("bodies: {m: {mass: 2}}\njoints: {p: {type: prismatic, bodies: [ground, m], at: [0, 0, 0], axis: x}}\n"
                    "springs: {s: {type: joint_spring, joint: p, stiffness: 50}}\nmotions: {d: {joint: p, displacement: 0.3*t}}\n"
                    "analysis: {type: static, increments: 3}\n")
    end = Result(drive).end["end"]
    check("work", "a drive that stretches a spring, J", [end["work_drives"] - 2.25, end["elastic"] - 2.25], 1e-12, "closed form")


# ---- linear statics ----

def linear():
    """Large loads: what is linear grows with them, and has the closed form."""
    L, EI, GA, F, q = 2.0, 300.0, 4e4, 90.0, 50.0
    beam = ("torsor: 1\nunits: SI\ngravity: [0, 0, GRAVITY]\nsections: {s: {EA: 1e6, GA2: 4e4, GA3: 4e4, GJ: 200, EI2: 300, EI3: 300, mass: 5}}\n"
            "beams: {b: {from: [0, 0, 0], to: [2, 0, 0], section: s, elements: 8, order: 3}}\n"
            "joints: {c: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}}\n"
            "loads: {p: {type: force, body: b.end, force: [FX, 0, FZ]}}\n"
            "analysis: {type: static, linear: true}\noutputs: {stations: {b: [0, 0.5, 1]}}\n")
    for scale in (1, 1e-3, 1e2):
        text = beam.replace("GRAVITY", "0").replace("FX", str(700*scale)).replace("FZ", str(F*scale))
        r = Result(text, "b.end.displacement", "c.force", "c.moment", 
                   *(f"b.station.{k}.{name}" for k in (1, 2) for name in ("N", "Q2", "Q3", "M1", "M2", "M3")))
        u, force, moment, N0, M0, N5, M5 = np.split(r.columns[-1, 1:]/scale, 7)
        check("linear", f"a cantilever under {scale} of its load, end, m", u - [700*L/1e6, 0, F*L**3/3/EI + F*L/GA], 1e-8, "Timoshenko")
        check("linear", "what holds it, N", np.abs(force) - [700, 0, F], 1e-6, "closed form")
        check("linear", "and N m", np.abs(moment) - [0, F*L, 0], 1e-6, "closed form")
        check("linear", "section forces, N", np.concatenate([np.sort(np.abs(x)) - [0, F, 700] for x in (N0, N5)]), 1e-3, "closed form")
        check("linear", "section moments, N m", [np.abs(M0).max() - F*L, np.abs(M5).max() - F*L/2], 1e-3, "closed form")
        check("linear", "stored, J", r.end["end"]["elastic"]/scale**2 - 0.5*(700*u[0] + F*u[2]), 1e-7, "half of the work")
        check("linear", "work, J", r.end["end"]["work_loads"]/scale**2 - 0.5*(700*u[0] + F*u[2]), 1e-9, "likewise")
    r = Result(beam.replace("GRAVITY", "-10").replace("FX", "0").replace("FZ", "0"), "b.end.displacement.z")
    check("linear", "under its own weight, m", r.columns[-1, 1] + q*L**4/8/EI + q*L**2/2/GA, 1e-8, "Timoshenko")
    r = Result(beam.replace("linear: true", "increments: 3").replace("GRAVITY", "0").replace("FX", "0").replace("FZ", str(F)),
               "b.end.displacement", words=("--linear",))
    check("linear", "--linear of a model with increments, m", r.columns[-1, 3] - F*L**3/3/EI - F*L/GA, 1e-8, "Timoshenko")
    check("linear", "info says so", r.about["analysis"] != "static, linear", 0)
    # a preloaded spring, a drive, a joint that turns: small about the drawing
    text = HEAD + ("bodies: {m: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
                   "joints: {h: {type: revolute, bodies: [ground, m], at: [0, 0, 0], axis: y}}\n"
                   "springs: {s: {bodies: [ground, m], from: [2, 0, 3], to: [2, 0, 0], stiffness: 100, preload: 15}}\n"
                   "analysis: {type: static, linear: true}\n")
    r = Result(text, "m.displacement.z", "s.force")
    check("linear", "a lever on a preloaded spring rises by, m", r.columns[-1, 1] - (2*15 - 2*G)/(100*4), 1e-12, "closed form")
    check("linear", "the spring's force, N", np.linalg.norm(r.columns[-1, 2:]) - G, 1e-8, "balance of moments")
    # a solid on supports: a nonlinear solution under next to no load, times what that is smaller
    cook = model("f01_cook")
    columns = ("clamp.force", "energy.elastic")
    small = Result(changed(cook, cells=4, small="1e-6"), *columns).columns[-1]
    large = Result(changed(cook, cells=4, small="1e3"), *columns, words=("--linear",)).columns[-1]
    check("linear", "a panel: reaction of its support, relative", (large[1:4]/1e9 - small[1:4])/1e-6, 1e-4, "nonlinear, next to no load")
    check("linear", "and its energy, relative", large[4]/1e18/small[4] - 1, 1e-4, "nonlinear, next to no load")
    with model_file(beam.replace("type: static, linear: true", "step: 1 ms, end: 1 s")
                    .replace("GRAVITY", "0").replace("FX", "0").replace("FZ", "0")) as path:
        said = torsor("run", path, "--linear", code=1).stderr
    check("linear", "not of a transient", "type: static" not in said, 0)
    said = printed("run", HEAD + "bodies: {stone: {mass: 5, inertia: [1, 1, 1]}}\nanalysis: {type: static, linear: true}\n", code=4)[1]
    check("linear", "a stone that falls is named", "'stone' moves along z" not in said, 0, said)


def all_tests():
    need_program()
    for test in (preloads, instability, free_wheel, hanging_load, pendulums, wheels_of_large_models, loaded_free_motions, told_at_once, moving_starts,
                 coarse_meshes, paths, snaps, works, linear):
        test()
    return verdict()


if __name__ == "__main__":
    sys.exit(all_tests())
