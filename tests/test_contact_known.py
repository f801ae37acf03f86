#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Flexible contact, and impacts of bodies, against independent results: crossed beams (beam theory), a ball on a
clamped plate (Timoshenko), a ball that strikes a beam (modal series and Hertz' law), a row of unequal balls, a ball
that bounces many times, a block that is pushed (tips or slides), thin bodies that are fast, lines that land on their
ends, a ladder that leaves its wall, a ball on rails and on a table that shakes (Holmes), a beam bent around a cylinder,
a heavy beam lifted off a floor, a cam, a block on a belt, a wedge under a block, a box that slides and spins."""
import math
import sys

from case_tools import check, need_program, np, run, verdict
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

G = 9.81

# ---- crossed beams ----

CROSSED = """torsor: 1
units: SI
sections: {S: {EA: 1e8, GA2: 1e8, GA3: 1e8, GJ: 1e3, EI2: 100, EI3: 100, mass: 1}}
beams:
  up: {from: [FROM, 0, HEIGHT], to: [TO, 0, HEIGHT], section: S, elements: 5, order: ORDER}
  low: {from: [0, -0.4, 0], to: [0, 0.06, 0], section: S, elements: 7, order: 3}
joints:
  u: {type: rigid, bodies: [ground, up.start], at: [FROM, 0, HEIGHT]}
  l: {type: rigid, bodies: [ground, low.start], at: [0, -0.4, 0]}
shapes:
  U: {type: line, beam: up, radius: 1 cm}
  L: {type: line, beam: low, radius: 1 cm}
contacts: {c: {between: [U, L], stiffness: 1e7}}
loads: {push: {type: force, body: up.end, force: [0, 0, -0.2]}}
analysis: {type: static, increments: 5}
"""


def crossed_beams():
    """Two cantilevers that cross, 20 um apart: the upper one is loaded at its tip and rests on the lower one. Wherever they cross along its elements."""
    EI, k, gap, F, L, b = 100, 1e7, 2e-5, 0.2, 0.55, 0.4
    for order in (2, 3):
        for a in (0.5, 0.47, 0.49):
            text = CROSSED.replace("FROM", str(-a)).replace("TO", f"{L - a:.3f}").replace("HEIGHT", str(0.02 + gap)).replace("ORDER", str(order))
            out = run(text, case="crossed beams")
            w = F*a*a*(3*L - a)/(6*EI)
            N = (w - gap)/((a**3 + b**3)/(3*EI) + 1/k)
            check("crossed beams", f"order {order}, {a} m: force", out.frame["contact_force"][-1, 0, 0]/N - 1, 1e-3, f"{out.frame['contact_force'][-1, 0, 0]:.6f} of {N:.6f} N")


FALLING = """torsor: 1
units: SI
sections: {S: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 20, EI2: 20, EI3: 20, mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}
beams:
  a: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: 6, order: 1, axis2: y, velocity: [0, 0, 1]}
  b: {from: [X, -0.4, 0.2], to: [X + TILT, 0.6, 0.2], section: S, elements: 3, order: 2, axis2: z, velocity: [0, 0, -1.5]}
shapes:
  A: {type: line, beam: a, radius: 0.03}
  B: {type: line, beam: b, radius: 0.03}
contacts: {c: {between: [A, B], stiffness: 2e3, friction: 0.3}}
events: {touch: {when: c.gap < 0, mark: they touch}}
analysis: {end: 0.07 s, step: 4 ms}
"""


def touch_in_time():
    """Beams that cross touch at the sum of their radii: after (0.2 - 0.06)/2.5 s, wherever they cross, and at which angle."""
    for x, tilt in ((0.6, 0.05), (0.613, -0.2), (0.5, 0), (0.43, 0.6)):
        for scheme in ("EP", "ED"):
            out = run(FALLING.replace("X", str(x)).replace("TILT", str(tilt)), scheme=scheme, case="crossing in time", audit=1e-11)
            times = out.frame["event_time"][-1].ravel()
            check("crossing in time", f"{scheme}, at {x}, tilt {tilt}", times[0] - 0.056, 1e-9)


# ---- plate ----

PLATE = """torsor: 1
units: SI
materials: {M: {E: 2e11, nu: 0.3, density: 7800}}
shell_sections: {S: {material: M, thickness: 2 mm}}
meshes: {q: {type: plate, size: [0.2, 0.2], divisions: [N, N]}}
shells: {P: {mesh: q, section: S}}
bodies: {ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0.051]}}
joints:
  x: {type: support, nodes: P.x-, symmetry: x}
  y: {type: support, nodes: P.y-, symmetry: y}
  edge: {type: support, nodes: [P.x+, P.y+], fix: [x, y, z, director]}
  guide: {type: prismatic, bodies: [ground, ball], at: [0, 0, 0], axis: z}
shapes:
  skin: {type: skin, faces: P, thickness: 2 mm}
  s: {type: sphere, on: ball, radius: 5 cm}
contacts: {c: {between: [s, skin], stiffness: 1e9}}
loads: {push: {type: force, body: ball, force: [0, 0, -1]}}
analysis: {type: static, increments: 2}
"""


def plate():
    """A ball pressed on the middle of a clamped square plate: 0.00560 P a^2/D (S. Timoshenko and S. Woinowsky-Krieger, Theory of Plates and Shells, table 37). A quarter of it is drawn."""
    exact = 0.0056*4*0.4**2/(2e11*0.002**3/(12*(1 - 0.09)))
    errors = []
    for n in (6, 12):
        out = run(PLATE.replace("N]", f"{n}]").replace("[N,", f"[{n},"), case="plate")
        w = 0.051 - out.position("ball")[-1, 2] - 1/1e9
        errors.append(abs(w/exact - 1))
    check("plate", "deflection", errors[-1], 6e-3, f"{errors[0]:.2e} with 6 cells, {errors[1]:.2e} with 12")
    whole = PLATE.replace("size: [0.2, 0.2], divisions: [N, N]", "size: [0.4, 0.4], divisions: [24, 24], position: [-0.2, -0.2, 0]")
    whole = whole.replace("  x: {type: support, nodes: P.x-, symmetry: x}\n  y: {type: support, nodes: P.y-, symmetry: y}\n", "").replace("[P.x+, P.y+]", "[P.x-, P.x+, P.y-, P.y+]").replace("-1]}}", "-4]}}")
    for stiffness, force in (("1e9", 4), ("1e7", 4), ("1e7", 4000)):
        out = run(whole.replace("1e9", stiffness).replace("-4]}}", f"-{force}]}}}}"), case="plate")
        w = 0.051 - out.position("ball")[-1, 2] - force/float(stiffness)
        if force == 4:  # the ball is right above a node: six triangles make a pit
            check("plate", f"whole, {stiffness} N/m", w/exact - 1, 6e-3)
        check("plate", f"whole, {stiffness} N/m, {force} N: iterations", out.step["iterations"].max(), 25)
    check("plate", "finer is nearer", max(0, errors[1] - errors[0]), 0)


# ---- transverse impact ----

STRUCK = """torsor: 1
units: SI
sections: {S: {EA: 2e7, GA2: 1e9, GA3: 1e9, GJ: 100, EI2: 166.7, EI3: 166.7, mass: 0.785, inertia: [1e-9, 1e-9, 1e-9]}}
beams: {b: {from: [-0.15, 0, 0], to: [0.15, 0, 0], section: S, elements: N, order: 1}}
bodies: {ball: {mass: 0.05, inertia: [1e-6, 1e-6, 1e-6], position: [0, 0, 0.015], velocity: [0, 0, -1]}}
shapes:
  skin: {type: line, beam: b, radius: 5 mm}
  s: {type: sphere, on: ball, radius: 1 cm}
contacts: {c: {between: [s, skin], modulus: 1e9 Pa}}
analysis: {end: 1.6 ms, step: 5 us}
"""


def struck_beam():
    """A ball strikes the middle of a free beam (S. Timoshenko 1913): modes of the free beam and Hertz' law, by scipy. Elements of order 1, whose error falls with the square
    of their length; the ball meets the middle of one of them."""
    L, mass, EI, m = 0.3, 0.785, 166.7, 0.05
    k, M = 4/3*1e9*math.sqrt(1/(1/0.01 + 1/0.005)), mass*L
    roots = [2*brentq(lambda x: math.tan(x) + math.tanh(x), math.pi*(n - 0.25) - 0.1, math.pi*(n - 0.25) + 0.1) for n in range(1, 13)]
    phi = np.array([1/math.cos(b/2) + 1/math.cosh(b/2) for b in roots])
    omega = np.array([b*b for b in roots])*math.sqrt(EI/mass)/L**2
    n = len(roots)

    def slope(_, y):
        F = k*max(y[2] + phi @ y[4:4 + n] - y[0], 0)**1.5
        return np.concatenate(((y[1], F/m, y[3], -F/M), y[4 + n:], -omega**2*y[4:4 + n] - phi*F/M))

    for scheme in ("EP", "ED"):
        errors = []
        for elements in (31, 63):
            out = run(STRUCK.replace("elements: N", f"elements: {elements}"), scheme=scheme, case="struck beam", audit=1e-10)
            start = np.zeros(4 + 2*n)
            start[1] = -1
            ode = solve_ivp(slope, (0, out.t[-1]), start, t_eval=out.t, rtol=1e-9, atol=1e-13, method="DOP853")
            errors.append(np.abs(out.velocity("ball")[:, 2] - ode.y[1]).max())
        check("struck beam", f"{scheme}, speed of the ball at all times", errors[-1], 1e-3, f"{out.velocity('ball')[-1, 2]:.5f} of {ode.y[1, -1]:.5f} m/s")
        check("struck beam", f"{scheme}, second order", min(0, errors[0]/errors[1] - 3.3), 0, f"errors {errors[0]:.2e}, {errors[1]:.2e}")
        force = k*np.maximum(ode.y[2] + phi @ ode.y[4:4 + n] - ode.y[0], 0)**1.5
        check("struck beam", f"{scheme}, largest force", out.frame["contact_force"][:, 0, 0].max()/force.max() - 1, 2e-3)


# ---- bodies ----

ROW = """torsor: 1
units: SI
bodies:
BODIES
shapes:
SHAPES
contacts: {c: {among: [s0, s1, s2], stiffness: 1e9, restitution: 0.8, unresolved: cut}}
analysis: {end: 20 ms, step: 0.1 ms}
"""


def unequal_row():
    """Three balls of 4, 2 and 1 kg in a row, apart by 1 mm, so that impacts follow each other: each by its restitution."""
    mass, v = (4, 2, 1), [1.0, 0.0, 0.0]
    bodies = "\n".join(f"  b{i}: {{mass: {m}, inertia: [0.01, 0.01, 0.01], position: [{i*0.201}, 0, 0], velocity: [{v[i]}, 0, 0]}}" for i, m in enumerate(mass))
    shapes = "\n".join(f"  s{i}: {{type: sphere, on: b{i}, radius: 0.1}}" for i in range(3))
    for i in (0, 1):  # the first two, then the last two; the first does not come after again
        a, b = mass[i], mass[i + 1]
        middle, gone = (a*v[i] + b*v[i + 1])/(a + b), 0.8*(v[i] - v[i + 1])
        v[i], v[i + 1] = middle - b/(a + b)*gone, middle + a/(a + b)*gone
    assert v[0] < v[1] < v[2]
    for scheme in ("EP", "ED"):
        out = run(ROW.replace("BODIES", bodies).replace("SHAPES", shapes), scheme=scheme, case="row", audit=1e-11)
        check("row", f"{scheme}, speeds", [out.velocity(f"b{i}")[-1, 0] - v[i] for i in range(3)], 0.01)
        check("row", f"{scheme}, momentum", sum(m*out.velocity(f"b{i}")[:, 0] for i, m in enumerate(mass)) - 4, 1e-12)


BOUNCES = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.35]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.1}
  floor: {type: plane, on: ground, normal: z}
contacts: {c: {between: [skin, floor], stiffness: 1e7, restitution: 0.6}}
analysis: {end: 1.5 s, step: 2 ms}
"""


def bounces():
    """Infinitely many bounces end at sqrt(2 H/g) (1 + e)/(1 - e) (Zeno): there the ball lies, all of its energy is lost, and it stays."""
    ends = math.sqrt(2*0.25/G)*(1 + 0.6)/(1 - 0.6)
    out = run(BOUNCES, scheme="EP", case="bounces", audit=1e-11)
    height, sink = out.position("ball")[:, 2] - 0.1, G/1e7
    check("bounces", "hops 60 ms before the end", min(0, height[(out.t > ends - 0.06) & (out.t < ends)].max() - 1e-4), 0)
    check("bounces", "lies 60 ms after it", height[out.t > ends + 0.06] + sink, 1e-6)


PUSHED = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {block: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.15 - 9.81/4e6]}}
shapes:
  box: {type: box, on: block, size: [0.1, 0.1, 0.3], rounding: 1 mm}
  floor: {type: plane, on: ground, normal: z}
contacts: {c: {between: [box, floor], stiffness: 1e6, friction: MU, restitution: 0.2, unresolved: keep}}
loads: {push: {type: force, body: block, at: [0, 0, HEIGHT], force: [FORCE, 0, 0]}}
analysis: {end: 0.2 s, step: 1 ms}
"""


def pushed_block():
    """A block 0.1 wide is pushed at the height h: it slides from mu m g on, and tips over from m g b/(2 h) on, b between its roundings; whichever is less."""
    b = 0.1 - 2e-3
    for height, mu in ((0.28, 0.4), (0.05, 0.2), (0.1, 0.1)):
        slides, tips = mu*G, G*b/(2*height)
        for share in (0.95, 1.1):
            force = share*min(slides, tips)
            out = run(PUSHED.replace("MU", str(mu)).replace("HEIGHT", str(height)).replace("FORCE", str(force)), scheme="ED", case="pushed block", audit=1e-9)  # of nearly nothing, where it stays
            x, tilt = out.position("block")[-1, 0], abs(out.rotation("block")[-1][0, 2])
            what = f"at {height} m, mu = {mu}, {share} of the least force"
            if share < 1:
                check("pushed block", f"{what}: stays", max(abs(x), tilt), 1e-3)
            elif tips < slides:
                check("pushed block", f"{what}: tips", min(0, tilt - 0.01), 0, f"tilt {tilt:.3f}")
            else:
                check("pushed block", f"{what}: slides by (F - mu m g) t^2/2m", x - (force - slides)*0.02, 0.1*(force - slides)*0.02 + 1e-5, f"{x:.5f} m")


THIN = """torsor: 1
units: SI
bodies:
  a: {mass: 1, inertia: [1/300, 1/300, 2/300], position: [0, 0, GAP], velocity: [0, 0, -SPEED]}
  b: {mass: 2, inertia: [2/133, 2/133, 4/133]}
shapes:
  A: {on: a, SHAPE_A}
  B: {on: b, SHAPE_B}
contacts: {c: {between: [A, B], restitution: 0.5}}
analysis: {end: 0.1 s, step: 10 ms}
"""


def fast_and_thin():
    """A body of 1 cm that comes with 0.1 m or 1 m per step onto another one as thin: at the ends of a step they are apart. It must rebound with e."""
    box = "type: box, size: [0.2, 0.2, 0.01]", "type: box, size: [0.3, 0.3, 0.01]"
    disc, ball = "type: disc, radius: 0.1, axis: z, rounding: 5 mm", "type: sphere, radius: 5 mm"
    rod = "type: capsule, from: [-0.2, 0, GAP], to: [0.2, 0, GAP], radius: 5 mm", "type: capsule, from: [0, -0.2, 0], to: [0, 0.2, 0], radius: 5 mm"
    for name, a, b in (("boxes", *box), ("rods", *rod), ("ball and box", ball, box[1]), ("balls", ball, ball), ("discs", disc, disc)):
        for speed in (10.0, 100.0):
            text = THIN.replace("SHAPE_A", a).replace("SHAPE_B", b).replace("SPEED", str(speed)).replace("GAP", str(0.023*speed))
            for scheme in ("EP", "ED"):
                out = run(text, scheme=scheme, case="fast and thin", audit=1e-11)
                apart = (out.position("a") - out.position("b"))[:, 2]
                check("fast and thin", f"{scheme}, {name}, {speed:g} m/s: e", (apart[-1] - apart[-2])/(0.01*speed) - 0.5, 5e-3)


UPRIGHT = """torsor: 1
units: SI
SECTIONS
LINES:
  b: {from: [0, 0, 0.2], to: [TO], PROPERTIES, elements: N, order: ORDER, velocity: [0, 0, -1]}
meshes: {peak: {type: patch, x: 0.2*u - 0.1, y: 0.2*v - 0.1, z: -0.1*sqrt((2*u - 1)^2 + (2*v - 1)^2), divisions: [2, 2]}}
shapes:
  L: {type: line, LINE: b, radius: 0.1}
  F: {FLOOR}
contacts: {c: {between: [L, F], stiffness: 1e5}}
events: {touch: {when: c.gap < 0, mark: it touches}}
analysis: {end: 0.12 s, step: 1.3 ms}
"""
SECTION = "sections: {S: {EA: 1e7, GA2: 1e7, GA3: 1e7, GJ: 1e4, EI2: 1e4, EI3: 1e4, mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}"


def ends_and_nodes():
    """Beams and cables that come down on their end touch where the ball at this end does, after 0.1 s; those that come down with an inner node on a peak, as soon."""
    plane = "type: plane, on: ground, normal: z"
    for order, elements in ((1, 1), (1, 4), (2, 2), (3, 1)):
        for kind in ("beam", "cable")[:1 if order == 3 else 2]:
            for where, to, floor in (("upright", "0, 0, 1.2", plane), ("tilted", "0.6, 0, 1", plane), ("on a peak", "1.5, 0.2, 0.2", "type: surface, on: ground, mesh: peak")):
                text = UPRIGHT.replace("SECTIONS", SECTION if kind == "beam" else "").replace("LINES", kind + "s").replace("LINE", kind).replace("PROPERTIES", "section: S" if kind == "beam" else "EA: 1e4, mass: 1")
                text = text.replace("TO", to).replace("N,", f"{elements},").replace("ORDER", str(order)).replace("FLOOR", floor)
                if where == "on a peak":
                    count, end = elements*order, np.array([1.5, 0.2])
                    if count < 2:
                        continue
                    node = 2 if count == 4 else 1
                    start = -end*node/count
                    text = text.replace("from: [0, 0, 0.2]", f"from: [{start[0]}, {start[1]}, 0.2]").replace("to: [1.5, 0.2, 0.2]", f"to: [{start[0] + 1.5}, {start[1] + 0.2}, 0.2]")
                out = run(text, scheme="EP", case="ends and nodes", audit=1e-11)
                check("ends and nodes", f"{kind}, order {order}, {elements} elements, {where}", out.frame["event_time"][-1].ravel()[0] - 0.1, 1e-9)


# ---- ladder, rails, table that shakes ----

LADDER = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {b: {mass: 1, inertia: [1/3, 1/3, 1/3], position: [COS + 1e-3, 0, SIN + 1e-3]}}
shapes:
  low: {type: sphere, on: b, radius: 1 mm, at: [2*COS + 1e-3, 0, 1 mm]}
  up: {type: sphere, on: b, radius: 1 mm, at: [1 mm, 0, 2*SIN + 1e-3]}
  floor: {type: plane, on: ground, normal: z}
  wall: {type: plane, on: ground, normal: x}
contacts:
  f: {between: [low, floor], stiffness: 1e6, restitution: 0.3}
  w: {between: [up, wall], stiffness: 1e6, restitution: 0.3}
events: {off: {when: w.gap > 1e-9, stop: true}}
analysis: {end: 2, step: 0.5 ms}
"""


def ladder():
    """A ladder that slides down a wall without friction leaves the wall when it has come down by a third of its height."""
    for degrees in (60, 75):
        for scheme in ("EP", "ED"):
            sine = math.sin(math.radians(degrees))
            text = LADDER.replace("COS", repr(math.cos(math.radians(degrees)))).replace("SIN", repr(sine))
            out = run(text, scheme=scheme, case="ladder", audit=1e-11)
            check("ladder", f"{scheme}, from {degrees} degrees: height", (out.position("b")[-1, 2] - 1e-3)/sine - 2/3, 5e-4)


def rails():
    """A ball rolls down two rails, on a circle smaller than itself: g sin/(1 + 2/5 (R/r)^2)."""
    R, wide, thick, slope = 0.05, 0.06, 1e-3, 0.3
    high = math.sqrt((R + thick)**2 - wide**2/4)
    J = 0.4*R*R
    text = f"""torsor: 1
units: SI
gravity: [{G*math.sin(slope)}, 0, {-G*math.cos(slope)}]
bodies: {{b: {{mass: 1, inertia: [{J}, {J}, {J}], position: [0, 0, {high}]}}}}
shapes:
  ball: {{type: sphere, on: b, radius: {R}}}
  left: {{type: capsule, on: ground, from: [-1, {wide/2}, 0], to: [5, {wide/2}, 0], radius: {thick}}}
  right: {{type: capsule, on: ground, from: [-1, {-wide/2}, 0], to: [5, {-wide/2}, 0], radius: {thick}}}
contacts: {{c: {{between: [[ball], [left, right]], stiffness: 1e7, friction: 0.5, restitution: 0.1}}}}
analysis: {{end: 1, step: 1 ms}}
"""
    for scheme in ("EP", "ED"):
        out = run(text, scheme=scheme, case="rails", audit=1e-11)
        check("rails", f"{scheme}: speed", out.velocity("b")[-1, 0]/(G*math.sin(slope)/(1 + 0.4*((R + thick)/high)**2)) - 1, 5e-5)


def shaken_table():
    """A ball that bounces on a table that shakes, once a period: it meets the table where that goes up with g T/2 (1 - e)/(1 + e), and stays in this motion (P. J. Holmes, J. Sound Vib. 84 (1982) 173)."""
    e, omega, r = 0.5, 20*math.pi, 0.02
    T = 2*math.pi/omega
    up = G*T/2*(1 - e)/(1 + e)
    A = 1.3*up/omega
    phase = math.acos(up/(A*omega))
    z = A*math.sin(phase)
    text = f"""torsor: 1
units: SI
gravity: [0, 0, -{G}]
bodies:
  table: {{mass: 100, inertia: [1, 1, 1]}}
  ball: {{mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], position: [0, 0, {r + z + 1e-9}], velocity: [0, 0, {G*T/2}]}}
joints: {{guide: {{type: prismatic, bodies: [ground, table], at: [0, 0, 0], axis: z}}}}
motions: {{shakes: {{joint: guide, displacement: "{A} m*sin({omega} rad*t + {phase} rad)"}}}}
shapes: {{s: {{type: sphere, on: ball, radius: {r}}}, p: {{type: plane, on: table, normal: z}}}}
contacts: {{c: {{between: [s, p], stiffness: 1e8, restitution: {e}}}}}
analysis: {{end: {20.5*T}, step: {T/64}}}
"""
    for scheme in ("EP", "ED"):
        out = run(text, scheme=scheme, case="shaken table", audit=1e-11)
        check("shaken table", f"{scheme}: height at the top of its 21st flight", (out.position("ball")[-1, 2] - r - z)/(G*T*T/8) - 1, 2e-3)


# ---- cam ----

CAM = """torsor: 1
units: SI
bodies:
  shaft: {mass: 1, inertia: [0.01, 0.01, 0.01]}
  follower: {mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.3]}
shapes:
  d: {on: shaft, at: [0, 0, 0.02], radius: 0.1, SHAPE}
  p: {type: plane, on: follower, at: [0, 0, 0.12], normal: -z}
contacts: {c: {between: [d, p], stiffness: 1e8, restitution: 0.3, unresolved: keep}}
joints:
  pin: {type: revolute, bodies: [ground, shaft], at: [0, 0, 0], axis: y}
  guide: {type: prismatic, bodies: [ground, follower], at: [0, 0, 0.3], axis: z}
motions: {turn: {joint: pin, speed: 10}}
springs: {back: {type: joint_spring, joint: guide, stiffness: 1e3, preload: 50}}
analysis: {end: 2, step: 1 ms}
"""


def cam():
    """An eccentric turns under a flat follower: lift e (1 - cos). The drive works against the contact, which is stiff: its torque has to be solved as well as places are, or its work is off in
    every step. With the tolerance that a model has by itself."""
    for shape in ("type: cylinder, axis: y, length: 5 cm", "type: sphere"):
        for scheme in ("EP", "ED"):
            out = run(CAM.replace("SHAPE", shape), scheme=scheme, case="cam", audit=1e-11, tolerance=None)
            lift = out.position("follower")[:, 2] - 0.3
            check("cam", f"{scheme}, {shape}", (lift + 0.02*(1 - np.cos(10*out.t)))/0.02, 1e-4)


# ---- beams on a cylinder and on a floor ----

WRAPPED = """torsor: 1
units: SI
sections: {S: {EA: 1e7, GA2: 1e7, GA3: 1e7, GJ: 10, EI2: 10, EI3: 10, mass: 1}}
beams: {b: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: 40, order: 2}}
joints: {u: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}}
shapes:
  l: {type: line, beam: b, radius: 1 mm}
  c: {type: cylinder, on: ground, at: [0, 0, -2.001], axis: y, radius: 2, length: 0.4}
contacts: {c1: {between: [l, c], length_stiffness: 1e7, initial: shift}}
loads: {push: {type: force, body: b.end, force: [0, 0, -PUSH]}}
analysis: {type: static, increments: 20}
"""


BELT = """torsor: 1
units: SI
gravity: [0, 0, -10]
bodies:
  b: {mass: 1, inertia: [INERTIA], position: [0, 0, 0.05]}
  belt: {mass: 1, inertia: [1, 1, 1]}
shapes:
  s: {on: b, SHAPE}
  f: {type: plane, on: belt, normal: z}
joints:
  g: {type: prismatic, bodies: [ground, belt], at: [0, 0, 0], axis: x}
  y: {type: planar, bodies: [ground, b], at: [0, 0, 0], axis: y}
motions: {d: {joint: g, displacement: 0.1 m/s * time}}
springs: {k: {type: bushing, bodies: [ground, b], at: [0, 0, 0], stiffness: [100, 0, 0, 0, 0, 0]}}
contacts: {c: {between: [s, f], stiffness: 1e6, friction: 0.3, static_friction: 0.4, restitution: 0.5}}
analysis: {end: 3, step: 2 ms}
"""


def belt():
    """Stick-slip of a block on a belt, C07 of the design with a contact: the period is 2A/u + (2/w)(pi - atan(A w/u)). The corners of a box bear unequal shares of the
    friction, and the first one that breaks loose takes the others along: its period is shorter, but no step may fail."""
    A, u, w = 0.1*10/100, 0.1, 10
    period = 2*A/u + 2/w*(math.pi - math.atan(A*w/u))
    for shape, inertia, tolerance in (("type: sphere, radius: 0.05", "1e6, 1e6, 1e6", 0), ("type: box, size: [0.2, 0.2, 0.1]", "0.01, 0.01, 0.01", 0.012)):
        for scheme in ("EP", "ED"):
            for h in (4e-3, 2e-3, 1e-3):
                out = run(BELT.replace("SHAPE", shape).replace("INERTIA", inertia), scheme=scheme, step=h, case="belt", audit=1e-11)
                x = out.position("b")[:, 0]
                last = [n for n in range(1, len(x) - 1) if x[n - 1] < x[n] >= x[n + 1]][-2:]
                check("belt", f"{scheme}, {shape.split(',')[0]}, {h:g} s: period", out.t[last[1]] - out.t[last[0]] - period, 1.5*h + tolerance)


# ---- wedge under a block ----

WEDGE = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies:
  w: {mass: 3, inertia: [1, 1, 1], position: [0.3, 0, 0.2]}
  b: {mass: 1, inertia: [0.002, 0.002, 0.002], position: [0.2 + 0.05*SINE, 0, 0.8*SINE/COSINE + 0.05*COSINE], orientation: {axis: y, angle: 30 deg}}
shapes:
  W: {type: hull, on: w, rounding: 1e-4, points: [[0, -0.2, 1e-4], [0, 0.2, 1e-4], [1, -0.2, 1e-4], [1, 0.2, 1e-4], [0, -0.2, SINE/COSINE - 1e-4/COSINE], [0, 0.2, SINE/COSINE - 1e-4/COSINE]]}
  B: {type: box, on: b, size: [0.1, 0.1, 0.1]}
  floor: {type: plane, on: ground, normal: z}
contacts:
  wf: {between: [W, floor], stiffness: 1e7, restitution: 0.2}
  bw: {between: [B, W], stiffness: 1e6, restitution: 0.2, friction: MU}
analysis: {end: 0.3, step: 1 ms}
"""


def wedge():
    """A block slides down a wedge that slides on a smooth floor: both accelerations."""
    m, M, s, c = 1, 3, 0.5, math.sqrt(0.75)
    for mu in (0, 0.2):
        for scheme in ("EP", "ED"):
            text = WEDGE.replace("MU", str(mu)).replace("COSINE", repr(c)).replace("SINE", repr(s))
            out = run(text, scheme=scheme, case="wedge", audit=1e-11)
            A, a, _ = np.linalg.solve([[m, m*c, mu*c - s], [0, -m*s, -c - mu*s], [M, 0, s - mu*c]], [0, -m*G, 0])
            x = out.position("w")[:, 0] - 0.3
            way = (out.position("b") - out.position("w")) @ [c, 0, -s]
            check("wedge", f"{scheme}, mu = {mu}: acceleration of the wedge", x[-1]/(0.5*out.t[-1]**2) - A, 2e-3)
            check("wedge", f"{scheme}, mu = {mu}: of the block along it", (way[-1] - way[0])/(0.5*out.t[-1]**2) - a, 5e-3)


# ---- a box that slides and spins ----

CURLS = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {b: {mass: 1, inertia: [0.02, 0.02, 1/60], position: [0, 0, 0.02], velocity: [1, 0.2, 0], angular_velocity: [0, 0, 6]}}
shapes:
  s: {type: box, on: b, size: [0.4, 0.2, 0.04]}
  f: {type: plane, on: ground, normal: z}
contacts: {c: {between: [s, f], stiffness: 1e7, friction: 0.3, restitution: 0.3}}
analysis: {end: 0.3, step: 1 ms}
"""


def sliding_and_spinning():
    """A flat box slides and spins on its four corners: Coulomb's friction at each, against its own slip. Corners bear what balances the box, all of one stiffness."""
    mu, height, corner = 0.3, 0.02, np.array([[x, y] for x in (0.2, -0.2) for y in (0.1, -0.1)])

    def rate(_, y):
        c, s = math.cos(y[5]), math.sin(y[5])
        r = corner @ np.array([[c, s], [-s, c]])
        v = y[:2] + y[2]*np.stack((-r[:, 1], r[:, 0]), 1)
        u = v/np.linalg.norm(v, axis=1)[:, None]
        N = np.full(4, G/4)
        shape = np.column_stack((np.ones(4), r))  # N = shape @ (lift and both tilts): compression of equal springs
        for _ in range(40):
            F = -(mu*N[:, None]*u).sum(0)
            N = shape @ np.linalg.solve(shape.T @ shape, [G, -height*F[0], -height*F[1]])
        F = -mu*N[:, None]*u
        return [*F.sum(0), (r[:, 0]*F[:, 1] - r[:, 1]*F[:, 0]).sum()*60, *y[:3]]

    ode = solve_ivp(rate, (0, 0.3), [1, 0.2, 6, 0, 0, 0], rtol=1e-9, atol=1e-11).y[:, -1]
    for scheme in ("EP", "ED"):
        out = run(CURLS, scheme=scheme, case="box that spins", audit=1e-11)
        R = out.rotation("b")[-1]
        check("box that spins", f"{scheme}: place", out.position("b")[-1, :2] - ode[3:5], 1e-6)
        check("box that spins", f"{scheme}: angle", math.atan2(R[1, 0], R[0, 0]) - ode[5], 1e-5)


def tip_of_wrapped(push, EI=10, R=2, L=1):
    """How deep the tip is: an arc of the length a, then an elastica that begins with the curvature 1/R. Without an arc it begins with less."""
    def free(a, k, whole=False):
        end = solve_ivp(lambda s, y: [y[1], -push/EI*math.cos(y[0]), math.sin(y[0])], (0, L - a), [a/R, k, 0], rtol=1e-11, atol=1e-13).y[:, -1]
        return end if whole else end[1]
    if free(0, 1/R) > 0:  # too stiff to need all of it
        return free(0, brentq(lambda k: free(0, k), 0, 1/R), True)[2]
    a = brentq(lambda a: free(a, 1/R), 0, 0.999*L)
    return R*(1 - math.cos(a/R)) + free(a, 1/R, True)[2]


def wrapped():
    """A cantilever that begins on the top of a rigid cylinder, and is bent around it by a force at its tip."""
    for push in (4, 8, 12):
        out = run(WRAPPED.replace("PUSH", str(push)), case="wrapped")
        check("wrapped", f"{push} N: tip", -out.position("b.end")[-1, 2]/tip_of_wrapped(push) - 1, 6e-4)


def lifted():
    """A heavy beam on a floor, lifted at its end by F: it is lifted over a = 2 F/w, by w a^4/(24 EI)."""
    w = G
    EI = w/24/0.01  # 1 cm over 1 m
    text = f"""torsor: 1
units: SI
gravity: [0, 0, -{G}]
sections: {{S: {{EA: 1e7, GA2: 1e7, GA3: 1e7, GJ: 10, EI2: {EI}, EI3: {EI}, mass: 1}}}}
beams: {{b: {{from: [-3, 0, 0.01], to: [0, 0, 0.01], section: S, elements: 60, order: 2}}}}
joints: {{u: {{type: rigid, bodies: [ground, b.start], at: [-3, 0, 0.01]}}}}
shapes: {{l: {{type: line, beam: b, radius: 1 cm}}, p: {{type: plane, on: ground, normal: z}}}}
contacts: {{c: {{between: [l, p], length_stiffness: 1e7}}}}
loads: {{lift: {{type: force, body: b.end, force: [0, 0, {w/2}]}}}}
analysis: {{type: static, increments: 10}}
"""
    out = run(text, case="lifted")
    check("lifted", "end", (out.position("b.end")[-1, 2] - 0.01)/0.01 - 1, 1e-3)


CASES = (crossed_beams, touch_in_time, plate, struck_beam, unequal_row, bounces, pushed_block, fast_and_thin, ends_and_nodes, ladder, rails, shaken_table, cam, belt, wedge, sliding_and_spinning, wrapped, lifted)

if __name__ == "__main__":
    need_program()
    for case in CASES:
        if len(sys.argv) < 2 or case.__name__ in sys.argv[1:]:
            case()
    sys.exit(verdict())
