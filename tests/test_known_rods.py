#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Well-known problems of rods, cables and what slides, written as a new user would: a cantilever of varying height and a square frame by the equations of a rod, Michell's and Greenhill's
instabilities under twist, Ziegler's column with and without damping, a cable with a point load (published, and two catenaries), a skipping rope, wind on a cable, a beam between fixed hinges that vibrates far (Woinowsky-Krieger),
a structure that is let go or struck at t = 0, a snakeboard, a shaft of unequal stiffnesses. References are published or computed here."""

import sys

from case_tools import changed, check, model, need_program, run, verdict
from program import events, model_file, modes_of, torsor as program
from test_known_shells_and_solids import torsor

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq, fsolve


def shoot(rate, L, start, low, high):
    """The end of a rod, y = (angle, moment, x, y), whose moment vanishes there; the moment at the start lies in between."""
    def end(moment):
        return solve_ivp(rate, (0, L), [start, moment, 0, 0], rtol=1e-11, atol=1e-13).y[:, -1]
    return end(brentq(lambda moment: end(moment)[1], low, high, xtol=1e-14))


def tapered():
    E, L, width, root, tip, F = 1e6, 2, .1, .2, .1, 3

    def rate(s, y):
        h = root + (tip - root)*s/L
        EA, EI = E*width*h, E*width*h**3/12
        N, Q = F*np.sin(y[0]), F*np.cos(y[0])
        e, g = N/EA, Q/(5/12*EA)
        c, n = np.cos(y[0]), np.sin(y[0])
        return [y[1]/EI, g*N - (1 + e)*Q, (1 + e)*c - g*n, (1 + e)*n + g*c]
    exact = shoot(rate, L, 0, 0, 1.1*F*L)[2:]
    out, _ = torsor(model("tapered_cantilever"), "run")
    found = [out["bar.end.displacement.x"][-1] + L, out["bar.end.displacement.z"][-1]]
    check("taper", "place of the end of a beam of varying height", (found - exact)/L, 1e-6)
    for shape, size in (("tube", "outer_diameter: {}, inner_diameter: {}"), ("circle", "diameter: {}"), ("box", "width: {0}, height: {0}, thickness: {1}/4"),
                        ("i_beam", "width: {0}, height: {0}, flange_thickness: {1}/8, web_thickness: {1}/8")):
        between_shapes(shape, size)


def between_shapes(shape, size):
    """The flexibility of a beam that varies is that of many short uniform pieces: bending, shear and torsion."""
    def numbers(a, b):
        return f"{{type: {shape}, material: steel, {size.format(a, b)}, centroid: [0.01, 0]}}"
    n, a, b, L = 16, (.1, .06), (.06, .03), 1.
    head = ("torsor: 1\nunits: SI\nmaterials: {steel: {E: 2e11, nu: 0.3, density: 7800}}\n"
            "loads: {F: {type: force, body: END, force: [0, 20, 10]}, M: {type: moment, body: END, moment: [5, 0, 0]}}\n"
            "joints:\n  wall: {type: rigid, bodies: [ground, START]}\n")
    tail = "analysis: {type: static, linear: true}\noutputs: {csv: [END.displacement, END.rotation_vector]}\n"
    one = (head + f"sections:\n  A: {numbers(*a)}\n  B: {numbers(*b)}\n"
           + f"beams: {{bar: {{from: [0, 0, 0], to: [{L}, 0, 0], axis2: y, section: A, section_end: B, elements: 4}}}}\n" + tail)
    pieces = head
    for k in range(n - 1):
        pieces += f"  j{k}: {{type: rigid, bodies: [b{k}.end, b{k + 1}.start]}}\n"
    pieces += "sections:\n" + "".join(f"  s{k}: {numbers(*(x + (y - x)*(k + .5)/n for x, y in zip(a, b)))}\n" for k in range(n))
    pieces += "beams:\n" + "".join(f"  b{k}: {{from: [{L*k/n}, 0, 0], to: [{L*(k + 1)/n}, 0, 0], axis2: y, section: s{k}, elements: 1, order: 2}}\n" for k in range(n)) + tail
    ends = []
    for text, start, end in ((one, "bar.start", "bar.end"), (pieces, "b0.start", f"b{n - 1}.end")):
        out, _ = torsor(text.replace("START", start).replace("END", end), "run")
        ends.append(np.array([out[f"{end}.{name}"][-1] for name in ("displacement.y", "displacement.z", "rotation_vector.x", "rotation_vector.z")]))
    check("taper", f"{shape}: against {n} uniform pieces", ends[0]/ends[1] - 1, 3e-3)


def square_frame():
    for P in (4, -4):
        F = P/2
        exact = shoot(lambda s, y, F=F: [y[1], -F*np.cos(y[0]), np.cos(y[0]), np.sin(y[0])], 1, np.pi/4, -1.01*abs(F), 1.01*abs(F))
        out, _ = torsor(changed(model("square_frame"), P=P), "run")
        side = [out[f"en.{a}.position.{x}"][-1] - out[f"en.{b}.position.{x}"][-1] for a, b, x in (("start", "end", "x"), ("end", "start", "y"))]
        check("frame", f"P = {P}: a side of the frame", np.array(side) - exact[2:], 2e-6)


def unstable(text, **parameters):
    with model_file(changed(text, **parameters)) as path:
        return events("run", path, "--no-results")[-1]["unstable"]


def twist():
    """Stable below, unstable above."""
    text, EI, GJ = model("twisted_rod"), 1, .8
    angle = 8.986818915818128*EI/GJ
    check("twist", "a clamped rod below its critical torque is stable", unstable(text, turn=.999*angle), 0)
    check("twist", "and above is not", unstable(text, turn=1.001*angle) == 0, 0)
    text, angle = model("michell_ring"), 2*np.pi*np.sqrt(3)/.75
    out, _ = torsor(changed(text, twist=.9995*angle), "run")
    middle = len(out["t"])//2
    check("ring", "energy of the ring before it is twisted", out["rod.elastic_energy"][middle]/np.pi - 1, 1e-6)
    check("ring", "torque", out["twisting.effort"][-1]/(.9995*np.sqrt(3)) - 1, 3e-4)
    check("ring", "below Michell's twist it is stable", unstable(text, twist=.9995*angle), 0)
    check("ring", "and above is not", unstable(text, twist=1.0005*angle) == 0, 0)
    # a straight round rod that is bent to a ring turns about itself: statics fails, and says what to hold
    free = "\n".join(line for line in text.splitlines() if "primitive_linear" not in line)
    with model_file(free) as path:
        said = program("run", path, "-q", "--no-results", code=4).stderr
    check("ring", "a ring that turns about itself: what to hold is said", "nothing resists that 'rod' turns about x" not in said, 0, said)


def ziegler():
    def grows(P, c=0):
        return max(mode["growth"] for mode in modes_of(changed(model("ziegler"), P=P, c=c), 2)) > 0
    flutter, damped = 3.5 - np.sqrt(2), 41/28
    check("Ziegler", "flutter between 0.9999 and 1.0001 times the load", not (grows(1.0001*flutter) and not grows(.9999*flutter)), 0)
    check("Ziegler", "with little damping, between 0.995 and 1.005", not (grows(1.005*damped, .01) and not grows(.995*damped, .01)), 0)


def catenary(H, V, L, w, EA):
    """Span and drop of an elastic cable; H and V are the components of its tension at its start, V upwards."""
    end = V - w*L
    return (H*L/EA + H/w*(np.arcsinh(V/H) - np.arcsinh(end/H)), (V*L - w*L*L/2)/EA + H/w*(np.hypot(1, V/H) - np.hypot(1, end/H)))


def cable():
    ft, lb = .3048, 4.4482216152605
    left, right, span, w, EA = 412.8837*ft, 613.0422*ft, 1000*ft, 3.16*lb/ft, .85*19e6*lb

    def point(P, guess):
        def off(u):
            (x, y), (z, v) = catenary(*u, left, w, EA), catenary(u[0], u[1] - w*left - P, right, w, EA)
            return [(x + z)/span - 1, (y + v)/span]
        u = fsolve(off, guess, xtol=1e-13)
        return np.array(catenary(*u, left, w, EA)), u
    empty, u = point(0, (w*span**2/8/(100*ft), w*(left + right)/2))
    loaded, _ = point(8000*lb, (2*u[0], u[1] + 4800*lb))
    text, found = model("cable_point_load"), []
    for P in ("0 lbf", "8000 lbf"):
        out, _ = torsor(changed(text, P=P), "run")
        found.append(np.array([out["left.end.position.x"][-1], -out["left.end.position.z"][-1]]))
    check("cable", "place under its weight, of the span", (found[0] - empty)/span, 1e-7)
    check("cable", "place under the load, of the span", (found[1] - loaded)/span, 1e-7)
    check("cable", "movement, ft, as published", (found[1] - found[0])/ft - [-2.819, 18.458], 2e-3)


def skipping_rope():
    m, w, L, span, EA = .5, 20, 2, 1.5, 1e6

    def string(H, V):
        def rate(s, y):
            T = np.hypot(H, y[2])
            return [H/T*(1 + T/EA), y[2]/T*(1 + T/EA), -m*w*w*y[1]]
        return solve_ivp(rate, (0, L), [0, 0, V], rtol=1e-11, atol=1e-13, dense_output=True).sol
    H, V = fsolve(lambda u: string(*u)(L)[:2] - [span, 0], [40, 120], xtol=1e-12)
    out, _ = torsor(model("skipping_rope"), "run")
    check("rope", "its middle", np.hypot(out["rope.13.position.y"][-1], out["rope.13.position.z"][-1]) - string(H, V)(L/2)[1], 3e-6)
    check("rope", "forces at its end", [out["left.force.x"][-1]/-H - 1, np.hypot(out["left.force.y"][-1], out["left.force.z"][-1])/V - 1], 1e-5)


def wind_on_cable():
    """A dead load per length is weight: the same cable under gravity, statics and motion, to round-off; its power is that of gravity."""
    head = """torsor: 1
units: SI
GRAVITY
cables: {line: {from: [0, 0, 0], to: [3, 0, 1], EA: 5e3, mass: 0.7, length: 3.3, elements: 5, order: 2, hang: [0, 0.6, -0.8]}}
joints: {left: {type: spherical, bodies: [ground, line.start]}, right: {type: spherical, bodies: [ground, line.end]}}
"""
    wind = "loads: {wind: {type: line_load, cable: line, force: [0, 0.7*6, -0.7*8]}}\n"
    for scheme in ("EP", "ED"):
        both = [run(head.replace("GRAVITY", gravity) + load + "analysis: {step: 5 ms, end: 0.5 s}\n", scheme=scheme)
                for gravity, load in (("gravity: [0, 6, -8]", ""), ("", wind))]
        check("wind", f"{scheme}: motion", both[0].position("line.6") - both[1].position("line.6"), 1e-9)
        check("wind", f"{scheme}: work", both[0].frame["ledger"][-1, 2] + both[1].frame["ledger"][-1, 3], 1e-8)


BAR = """torsor: 1
units: SI
materials: {steel: {E: 2e11, nu: 0.3, density: 7800}}
sections: {flat: {type: rectangle, material: steel, width: 20 mm, height: 10 mm}}
beams: {bar: {from: [0, 0, 0], to: [2, 0, 0], axis2: y, section: flat, elements: 6}}
joints:
  a: {type: revolute, bodies: [ground, bar.start], axis: y}
  b: {type: revolute, bodies: [ground, bar.end], axis: y}
"""


def stretched_hinges():
    """The first mode with hinges that do not give way: m q'' + EI k^4 q + EA k^4 q^3/4 = 0, k = pi/L (S. Woinowsky-Krieger, J. Appl. Mech. 17 (1950) 35)."""
    EI, EA, m, k = 2e11*.02*.01**3/12, 2e11*2e-4, 7800*2e-4, np.pi/2
    first, third = EI*k**4/m, EA*k**4/(4*m)
    for q0 in (2*.01/np.sqrt(12), 4*.01/np.sqrt(12)):
        period = 4*quad(lambda s, q0=q0: 1/np.sqrt(first + third*q0**2/2*(1 + np.sin(s)**2)), 0, np.pi/2)[0]
        load = m*(first*q0 + third*q0**3)
        bow = f"loads: {{bow: {{type: line_load, beam: bar, force: [0, 0, 'if(time < 1 us, {load} N/m*sin({k}*here.position.x/(1 m)), 0 N/m)']}}}}\n"
        for scheme in ("EP", "ED"):
            out = run(BAR + bow + f"analysis: {{start: static, step: {period/200}, end: {1.9*period}}}\n", scheme=scheme, case="hinges")
            z = out.position("bar.10")[:, 2]
            up = [out.t[i] - z[i]*(out.t[i + 1] - out.t[i])/(z[i + 1] - z[i]) for i in np.flatnonzero((z[:-1] < 0) & (z[1:] >= 0))]
            check("hinges", "deflection at the start", z[0]/q0 - 1, 2e-4)
            check("hinges", f"{scheme}: period, {period*np.sqrt(first)/(2*np.pi):.3f} of the linear one", (up[1] - up[0])/period - 1, 5e-4)


def let_go():
    """From rest under a load: it is taken away, or comes, at t = 0; forces, moments, motors, pressures by the time alone."""
    rail = ("torsor: 1\nunits: SI\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {r: {type: prismatic, bodies: [ground, b], at: [0, 0, 0], axis: x}}\n"
            "springs: {k: {type: joint_spring, joint: r, stiffness: 100}}\n")
    for name, signal, start in (("let go", "{step: {at: 0 s, from: 5 N, to: 0}}", .05), ("struck", "{step: {at: 0 s, from: 0, to: 5 N}}", 0),
                                ("let go", "5 N - 5 N*step(t)", .05), ("constant", "5 N", .05)):
        for way in ("{type: force, body: b, force: [JUMP, 0, 0]}", "{type: motor, joint: r, force: JUMP}"):
            end = 0 if name == "let go" else .05
            for scheme in ("EP", "ED"):
                out = run(rail + f"loads: {{F: {way}}}\n".replace("JUMP", f"'{signal}'" if signal[0] != "{" else signal)
                          + "analysis: {start: static, step: 1 ms, end: 0.5 s}\n", scheme=scheme)
                x = end + (start - end)*np.cos(10*out.t)
                check(name, f"{scheme}, {way[7:12]}: motion", out.position("b")[:, 0] - x, 3e-6, quiet=True)
    hinge = ("torsor: 1\nunits: SI\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {r: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: y}}\n"
             "springs:\n  k: {type: torsion_spring, joint: r, stiffness: 100}\n  shoe: {type: brake, joint: r, torque: {step: {at: 0 s, FROM}}, stiffness: 1e5}\n"
             "loads: {M: {type: moment, body: b, moment: [0, 10, 0]}}\nanalysis: {start: static, step: 1 ms, end: 20 ms}\n")
    opened, closed = (run(hinge.replace("FROM", way), scheme="ED", case="let go").coordinate("r", "angle") for way in ("from: 100, to: 0", "from: 0, to: 100"))
    check("let go", "a brake that opens at t = 0 has held until then", opened[0]/(10/(100 + 1e5)) - 1, 1e-9)
    check("let go", "a brake that closes at t = 0 holds what is at rest without a torque", closed - .1, 1e-12)
    rod = ("torsor: 1\nunits: SI\nsections: {S: {EA: 1e9, GA2: 1e9, GA3: 1e9, GJ: 100, EI2: 100, EI3: 100, mass: 1}}\n"
           "beams: {rod: {from: [0, 0, 0], to: [1, 0, 0], elements: 8, section: S}}\njoints: {wall: {type: rigid, bodies: [ground, rod.start]}}\n"
           "loads: {F: {type: force, body: rod.end, force: [0, 0, {step: {at: 0 s, from: 2e5, to: END}}]}}\n"
           "analysis: {start: static, increments: 1, step: 1 ms, end: 1 ms}\n")
    steady, gone = (run(rod.replace("END", end), scheme="ED", case="let go").position("rod.end")[0, 2] for end in ("2e5", "0"))
    check("let go", "an equilibrium that halved increments find is that of the load before its jump", [gone - steady, (steady < .9)], 1e-9)


def drives_at_rest():
    """In statics a drive has no speed: no kinetic energy is in its account of works, and none in its first row."""
    arm = BAR.replace("b: {type: revolute, bodies: [ground, bar.end], axis: y}", "") + """motions: {turn: {joint: a, angle: '100 rad*t'}}
loads: {tip: {type: force, body: bar.end, force: [0, 0, 1]}}
analysis: {type: static, increments: 4, end: 10 ms}
"""
    out = run(arm, scheme=None, tolerance=None)
    check("statics", "kinetic energy of a drive that moves", out.frame["ledger"][:, 0], 1e-12)
    with model_file(arm) as path:
        text = program("run", path, "--no-results").stdout
    with model_file(arm.replace("force: [0, 0, 1]", "force: [0, 0, 0]")) as path:
        idle = program("run", path, "-q", "--no-results")
    check("statics", "an arm that a drive turns, without any load, is in equilibrium", "OPEN" in idle.stdout + idle.stderr, 0)
    # the same, lifted at t = 0 against its weight and a spring
    lifted = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {bar: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}}
joints: {a: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: y}}
springs: {s: {type: torsion_spring, joint: a, stiffness: 50}}
motions: {turn: {joint: a, angle: 0.3 rad + 0.2 rad*t}}
analysis: {type: static, increments: 5}
"""
    with model_file(lifted) as path:
        above = program("run", path, "--no-results").stdout
    for name, said in (("an arm", text), ("an arm that stands higher than drawn", above)):
        open_ = [line.split("not stored")[1].split()[:2] for line in said.splitlines() if "not stored" in line]
        told = float(open_[1][0])*{"kJ": 1e3, "J": 1, "mJ": 1e-3, "µJ": 1e-6}[open_[1][1]]
        check("statics", f"both lines on work that is not stored agree: {name}", float(open_[0][0])/told - 1, 1e-2)


def snakeboard():
    l, u0, turning, spin = .3, .3, .06 + .08 + 2*.01 + 2*.4*.3**2, .08
    mass = 2 + 2*.4

    def steer(t):
        return .5*np.sin(t - 1.2), .5*np.cos(t - 1.2)

    def rate(t, y):
        angle, angular = steer(t)
        slope = np.tan(angle)
        push = turning*y[0]*(1 + slope**2)*angular/l - 1.5*spin*np.sin(t)
        return [-slope/l*push/(mass + turning*slope**2/l**2), y[0]*np.cos(y[3]), y[0]*np.sin(y[3]), y[0]*slope/l]
    for scheme in ("EP", "ED"):
        for h in (2e-2, 1e-2):
            out = run(model("snakeboard"), scheme=scheme, step=h, case="snakeboard")
            exact = solve_ivp(rate, (0, 10), [u0, 0, 0, 0], t_eval=out.t, method="DOP853", rtol=1e-11, atol=1e-12).y
            at = out.position("board")
            check("snakeboard", f"{scheme}, h = {h}: path, of its length",
                  np.array([at[:, 0] - exact[1], at[:, 1] - exact[2], out.coordinate("floor", "angle") - exact[3]])/3.2, 5e-6*(h/1e-2)**2)


def unsymmetric_shaft():
    """In axes that turn with the shaft: x'' - 2 W y' + (k1/m - W^2) x = 0, y'' + 2 W x' + (k2/m - W^2) y = 0."""
    def matrix(speed):
        return np.array([[0, 0, 1, 0], [0, 0, 0, 1], [speed**2 - 900, 0, 0, 2*speed], [0, speed**2 - 1600, -2*speed, 0]])
    held = model("unsymmetric_shaft").replace("drive: {type: revolute, ", "drive: {type: rigid, ").replace(", axis: z}\n  left", "}\n  left")
    held = held.replace("motions:\n  turning: {joint: drive, speed: speed}\n", "").replace("velocity: [1e-4, 2e-4, 0]", "velocity: [0, 0, 0]")
    for speed in (25, 29.5, 30.5, 34, 36, 39.5, 40.5, 45):
        modes = modes_of(changed(held, speed=0), 2, "--spin", f"[0, 0, {speed}]")
        exact = np.linalg.eigvals(matrix(speed))
        check("shaft", f"growth at {speed} rad/s", max(m["growth"] for m in modes) - max(exact.real), 1e-2, quiet=True)
        check("shaft", f"whirl at {speed} rad/s", max(m["omega"] for m in modes)/max(exact.imag) - 1, 1e-4, quiet=True)
        check("shaft", f"unstable at {speed} rad/s", (max(m["growth"] for m in modes) > 0) != (30 < speed < 40), 0, quiet=True)
    for speed in (25, 34):
        for scheme in ("EP", "ED"):
            out = run(changed(model("unsymmetric_shaft"), speed=speed), scheme=scheme, every=10, case="shaft")
            y = np.array([expm(matrix(speed)*t) @ [0, 0, 1e-4, 2e-4] for t in out.t])
            exact = (y[:, 0] + 1j*y[:, 1])*np.exp(1j*speed*out.t)
            at = out.position("disc")
            check("shaft", f"{scheme}, {speed} rad/s: path of the disc, of its size", np.abs(at[:, 0] + 1j*at[:, 1] - exact)/np.max(np.abs(exact)), 4e-3)


if __name__ == "__main__":
    need_program()
    for case in (tapered, square_frame, twist, ziegler, cable, skipping_rope, wind_on_cable, stretched_hinges, let_go, drives_at_rest, snakeboard, unsymmetric_shaft):
        if not sys.argv[1:] or case.__name__ in sys.argv[1:]:
            case()
    sys.exit(verdict())
