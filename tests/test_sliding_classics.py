#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Classical problems of sliding, against closed forms and Runge and Kutta's rule, EP and ED: a bead on a rotating hoop,
below and above its bifurcation; a bead on a rotating rod; Huygens' tautochrone; a force that crosses a beam at several
speeds (Timoshenko, Fryba); a pendulum that is shortened slowly, whose energy over frequency is constant; a bead that
friction stops on a circle and a helix; a beam that is pushed out of a sleeve (Tabarrok, Leech and Kim)."""
import math
import sys

from case_tools import check, need_program, np, run, verdict
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

G = 9.81
AUDIT = 1e-11
HEAD = f"""torsor: 1
units: SI
gravity: [0, 0, -{G}]
"""


def runge_kutta(f, y, end, steps=20000):
    y, h = np.array(y, float), end/steps
    for k in range(steps):
        t = k*h
        a = f(t, y)
        b = f(t + h/2, y + h/2*a)
        c = f(t + h/2, y + h/2*b)
        y = y + h/6*(a + 2*b + 2*c + f(t + h, y + h*c))
    return y


def turning(path, at, omega, velocity, closed=""):
    return HEAD + f"""bodies:
  wire: {{mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, {omega}]}}
  bead: {{type: point, mass: 0.1, position: {at}, velocity: {velocity}}}
joints:
  axle: {{type: revolute, bodies: [ground, wire], at: [0, 0, 0], axis: z}}
  slot: {{type: sliding, on: wire, body: bead, at: {at}{closed}, path: {path}}}
motions: {{turn: {{joint: axle, angle: {omega} rad*t}}}}
analysis: {{end: 1 s, step: 5 ms}}
"""


def hoop(scheme):
    """angle'' = (omega^2 cos(angle) - g/R) sin(angle); above omega^2 = g/R the bead rests at cos(angle) = g/(R omega^2), and swings about it."""
    n = 60
    path = [[round(math.sin(2*math.pi*k/n), 15), 0, round(-math.cos(2*math.pi*k/n), 15)] for k in range(n)]
    rest = math.acos(G/5**2)
    for name, start, omega, end in (("below", 0.5, 2.0, 1.0), ("above", 0.5, 5.0, 1.0), ("at rest", rest, 5.0, 1.0)):
        at, velocity = [math.sin(start), 0, -math.cos(start)], [0, omega*math.sin(start), 0]
        out = run(turning(path, at, omega, velocity, ", closed: true"), scheme=scheme, case="hoop", audit=AUDIT)
        exact = runge_kutta(lambda t, y: np.array([y[1], (omega**2*math.cos(y[0]) - G)*math.sin(y[0])]), [start, 0], end)[0]
        check("hoop", f"{scheme}, {name}: angle", out.coordinate("slot", "s")[-1] - exact, 3e-4)
    small = [rest + 0.02]
    at, velocity = [math.sin(small[0]), 0, -math.cos(small[0])], [0, 5*math.sin(small[0]), 0]
    out = run(turning(path, at, 5.0, velocity, ", closed: true"), scheme=scheme, end="3 s", case="hoop", audit=AUDIT)
    s = out.coordinate("slot", "s") - rest
    down = [k for k in range(len(s) - 1) if s[k] > 0 >= s[k + 1]]
    times = [out.t[k] + 0.005*s[k]/(s[k] - s[k + 1]) for k in down]
    check("hoop", f"{scheme}, frequency about the new rest", (len(times) - 1)/(times[-1] - times[0])*2*math.pi/(5*math.sin(rest)) - 1, 2e-3)


def rod(scheme):
    """r'' = omega^2 r: r = r0 cosh(omega t), and the rod pushes with 2 m omega r'."""
    out = run(turning("[[-1, 0, 0], [0, 0, 0], [4, 0, 0]]", [0.5, 0, 0], 2.0, [0, 1.0, 0]), scheme=scheme, case="rod", audit=AUDIT)
    r = np.linalg.norm(out.position("bead"), axis=1)
    check("rod", f"{scheme}, r", r[-1] - 0.5*math.cosh(2), 2e-4)
    check("rod", f"{scheme}, work of the motor", out.step["work_drives"][-1]/(0.1*(0.5*2)**2*math.sinh(2)**2) - 1, 1e-3)


def tautochrone(scheme):
    """A cycloid: from any height the bead is at the bottom after pi sqrt(a/g)."""
    a = 0.5
    angle = np.linspace(0.15, 2*math.pi - 0.15, 60)
    path = [[float(a*(x - math.sin(x))), 0.0, float(a*(math.cos(x) + 1))] for x in angle]
    for x in (0.4, 1.2, 2.4):
        at = [a*(x - math.sin(x)), 0, a*(math.cos(x) + 1)]
        text = HEAD + f"""bodies: {{bead: {{type: point, mass: 1, position: {at}}}}}
joints: {{wire: {{type: sliding, on: ground, body: bead, at: {at}, path: {path}}}}}
analysis: {{end: {math.pi*math.sqrt(a/G)} s, step: {math.pi*math.sqrt(a/G)/200} s}}
"""
        out = run(text, scheme=scheme, case="tautochrone", audit=AUDIT)
        check("tautochrone", f"{scheme}, from {x}: at the bottom", out.position("bead")[-1, 0] - a*math.pi, 1e-4)


def moving_load(scheme):
    """A light body crosses a simply supported beam with its weight: modes of Euler's beam (Timoshenko; Fryba, Vibration of solids and structures under moving loads)."""
    EI, rho, L, P = 100.0, 1.0, 2.0, 1e-3*G
    first = (math.pi/L)**2*math.sqrt(EI/rho)
    for share in (0.25, 0.5, 1.5):
        v = share*first*L/math.pi
        end = 0.9*L/v
        text = HEAD.replace(f"-{G}", "0") + f"""sections: {{S: {{EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 100, EI2: {EI}, EI3: {EI}, mass: {rho}, inertia: [1e-5, 1e-5]}}}}
beams: {{girder: {{from: [0, 0, 0], to: [{L}, 0, 0], section: S, elements: 16, order: 2}}}}
bodies: {{mass: {{type: point, mass: 1e-6, position: [1e-6, 0, 0], velocity: [{v}, 0, 0]}}}}
joints:
  left: {{type: revolute, bodies: [ground, girder.start], at: [0, 0, 0], axis: y}}
  right: {{type: point_on_line, bodies: [ground, girder.end], at: [{L}, 0, 0], axis: x}}
  way: {{type: sliding, on: girder, body: mass, at: [1e-6, 0, 0]}}
motions: {{drive: {{joint: way, displacement: 1e-6 m + {v} m*t}}}}
loads: {{weight: {{type: force, body: mass, force: [0, 0, {-P}]}}}}
analysis: {{end: {end} s, step: {end/400} s}}
"""
        out = run(text, scheme=scheme, case="moving load", audit=AUDIT)
        t, w = out.t, 0.0
        for n in range(1, 40):
            freq, drive = first*n**2, n*math.pi*v/L
            w = w + 2*P/(rho*L)*math.sin(n*math.pi/2)*(np.sin(drive*t) - drive/freq*np.sin(freq*t))/(freq**2 - drive**2)
        check("moving load", f"{scheme}, {share} of the critical speed: middle", (out.position("girder.17")[:, 2] + w)/np.max(np.abs(w)), 2e-3)


def hauled(scheme):
    """A pendulum hauled up slowly on a winch: its energy over its frequency stays, so its angle goes with length^(-3/4)."""
    text = HEAD + """bodies: {ball: {type: point, mass: 1, position: [0.2, 0, -1.9899748742132399]}}
joints: {line: {type: rope, bodies: [ground, ball], at: [[0, 0, 0], [0.2, 0, -1.9899748742132399]], winch: true}}
motions: {haul: {joint: line, displacement: 2 m - 0.025 m*t}}
analysis: {end: 40 s, step: 10 ms}
"""
    out = run(text, scheme=scheme, case="hauled", audit=AUDIT)
    x, _, z = out.position("ball").T
    angle = np.arctan2(x, -z)
    late = np.argmax(np.where(out.t > 37.9, np.abs(angle), 0))
    check("hauled", f"{scheme}, angles", abs(angle[late]/angle[0])/(2/(2 - 0.025*out.t[late]))**0.75 - 1, 2e-3)
    exact = runge_kutta(lambda t, y: np.array([y[1], -(2*-0.025*y[1] + G*math.sin(y[0]))/(2 - 0.025*t)]), [math.asin(0.1), 0], 10.0)[0]
    check("hauled", f"{scheme}, angle after 10 s", angle[1000] - exact, 2e-4)


def wire(scheme):
    """A bead on a wire without weight, with friction: dv/ds = -mu v/R, so s = R/mu log(1 + mu v t/R), with few points of a circle, and on a helix, whose radius of curvature is R + p^2/R."""
    mu, v, end, R, p = 0.2, 3.0, 2.0, 1.0, 0.5
    for points, tolerance in ((8, 1e-3), (12, 1e-4)):
        path = [[round(math.cos(2*math.pi*k/points), 15), round(math.sin(2*math.pi*k/points), 15), 0] for k in range(points)]
        check("wire", f"{scheme}, circle of {points} points", slid(scheme, path, [1, 0, 0], [0, v, 0], mu, end, ", closed: true")/(math.log(1 + mu*v*end)/mu) - 1, tolerance)
    angles = np.linspace(-3, 9, 37)
    path = [[float(R*math.cos(x)), float(R*math.sin(x)), float(p*x)] for x in angles]
    along = math.hypot(R, p)
    curved = R + p*p/R
    check("wire", f"{scheme}, helix", slid(scheme, path, [1, 0, 0], [0, v*R/along, v*p/along], mu, end)/(curved/mu*math.log(1 + mu*v*end/curved)) - 1, 2e-4)


def slid(scheme, path, at, velocity, mu, end, closed=""):
    text = HEAD.replace(f"-{G}", "0") + f"""bodies: {{bead: {{type: point, mass: 1, position: {at}, velocity: {velocity}}}}}
joints: {{w: {{type: sliding, on: ground, body: bead, at: {at}{closed}, path: {path}}}}}
springs: {{f: {{type: slide_friction, joint: w, coefficient: {mu}, stiffness: 1e6}}}}
analysis: {{end: {end} s, step: 4 ms}}
"""
    s = run(text, scheme=scheme, case="wire", audit=AUDIT).coordinate("w", "s")
    return s[-1] - s[0]


# ---- a beam that is pushed out of a sleeve ----

PUSHED = """torsor: 1
units: SI
sections: {S: {EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 10, EI2: 10, EI3: 10, mass: 1, inertia: [1e-6, 1e-6, 1e-6]}}
beams: {b: {from: [-1, 0, 0], to: [1, 0, 0], section: S, elements: N, order: 2, velocity: [V, 0, 0]}}
bodies: {mouth: {mass: 1, inertia: [1, 1, 1]}}
joints:
  wall: {type: rigid, bodies: [ground, mouth], at: [0, 0, 0]}
  sleeve: {type: sliding, on: b, body: mouth, at: [0, 0, 0], orientation: follows}
  tail: {type: prismatic, bodies: [ground, b.start], at: [-1, 0, 0], axis: x}
motions: {push: {joint: tail, displacement: V m*t}}
loads: {pull: {type: force, body: b.end, force: [0, 0, "if(t < 1e-6, 0.02 N, 0 N)"]}}
analysis: {start: static, end: 1 s, step: 1 ms}
"""


def tip_of_pushed(v, times, modes=5):
    """Galerkin's method with the modes of a cantilever of the length 1 + v t, through which matter moves with v: EI = 10, 1 kg/m, first bent by a force of 0.02 N (B. Tabarrok, C. M. Leech and
    Y. I. Kim, J. Franklin Inst. 297 (1974) 201)."""
    x, phi, slope, bend = np.linspace(0, 1, 4001), [], [], []
    for k in range(modes):
        b = brentq(lambda b: math.cos(b) + 1/math.cosh(b), (k + 0.5)*math.pi - 0.5, (k + 0.5)*math.pi + 0.5)
        s = (math.cosh(b) + math.cos(b))/(math.sinh(b) + math.sin(b))
        phi.append(np.cosh(b*x) - np.cos(b*x) - s*(np.sinh(b*x) - np.sin(b*x)))
        slope.append(b*(np.sinh(b*x) + np.sin(b*x) - s*(np.cosh(b*x) - np.cos(b*x))))
        bend.append(b*b*(np.cosh(b*x) + np.cos(b*x) - s*(np.sinh(b*x) + np.sin(b*x))))

    def products(f, g):
        return np.array([[np.trapz(a*b, x) for b in g] for a in f])
    M, K = products(phi, phi), products(bend, bend)
    once = [(1 - x)*d for d in slope]
    twice = [(1 - x)**2*c - (1 - x)*d for c, d in zip(bend, slope)]
    B, C = products(phi, once), products(phi, twice)

    def rates(t, y):
        q, p, L = y[:modes], y[modes:], 1 + v*t
        return np.concatenate((p, -np.linalg.solve(M, 2*v/L*B @ p + (v/L)**2*(C - B) @ q + 10/L**4*K @ q)))
    q = np.linalg.solve(M, [np.trapz(f*0.02/10*(x**2/2 - x**3/6), x) for f in phi])
    start = np.concatenate((q, -v*np.linalg.solve(M, B @ q)))
    return np.array([f[-1] for f in phi]) @ solve_ivp(rates, (0, times[-1]), start, t_eval=times, rtol=1e-10, atol=1e-12).y[:modes]


def pushed_beam(scheme):
    """The sleeve holds an element in its middle, and half of that may bend within the sleeve: of first order in the length of elements."""
    for v in (0.2, 0.6):
        errors = []
        for elements in (20, 40):
            out = run(PUSHED.replace("N, order", f"{elements}, order").replace("V", str(v)), scheme=scheme, case="pushed beam", audit=AUDIT)
            exact = tip_of_pushed(v, out.t)
            errors.append(np.max(np.abs(out.position("b.end")[:, 2] - exact))/np.max(np.abs(exact)))
        check("pushed beam", f"{scheme}, {v} m/s: tip", errors[1], 0.07, f"{errors[0]:.3f} with 20 elements, {errors[1]:.3f} with 40")
        check("pushed beam", f"{scheme}, {v} m/s: order 1", errors[0]/errors[1] - 2, 0.35)


need_program()
for scheme in ("EP", "ED"):
    hoop(scheme)
    rod(scheme)
    tautochrone(scheme)
    moving_load(scheme)
    hauled(scheme)
    wire(scheme)
    pushed_beam(scheme)
sys.exit(verdict())
