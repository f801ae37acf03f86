#!/usr/bin/python3
"""Sliding joints against closed forms: a bead on a wire is a pendulum, a mass that crosses a beam (modal solution), a block that rubs on a rod; momenta and energy of a
free beam and a free cable that something slides along. C11 and C12 of the design, with ends, stops, restarts, statics and modes."""
import math
import sys

from case_tools import check, h5py, need_program, np, run, verdict

from program import events, model_file, modes_of, torsor

G = 9.81
AUDIT = 1e-12


def wire(points=60, angle=1.2, rest=""):
    """A bead on a ring of radius 1 m."""
    path = [[round(math.sin(2*math.pi*k/points), 15), 0, round(-math.cos(2*math.pi*k/points), 15)] for k in range(points)]
    at = [math.sin(angle), 0, -math.cos(angle)]
    return f"""torsor: 1
units: SI
gravity: [0, 0, -{G}]
bodies: {{bead: {{type: point, mass: 1, position: {at}}}}}
joints: {{ring: {{type: sliding, on: ground, body: bead, at: {at}, closed: true, path: {path}}}}}
analysis: {{end: 1 s, step: 10 ms}}
{rest}"""


def pendulum(angle, speed, end):
    """The angle of a pendulum of 1 m, by Runge and Kutta's rule with small steps."""
    y, h = np.array([angle, speed]), end/4000

    def f(y):
        return np.array([y[1], -G*math.sin(y[0])])
    for _ in range(4000):
        a = f(y)
        b = f(y + h/2*a)
        c = f(y + h/2*b)
        y = y + h/6*(a + 2*b + 2*c + f(y + h*c))
    return y[0]


def bead_on_wire(scheme):
    exact = pendulum(1.2, 0, 1)
    errors = []
    for step in ("50 ms", "25 ms", "12.5 ms"):
        out = run(wire(), scheme=scheme, step=step, case="C11", audit=AUDIT)
        errors.append(abs(out.coordinate("ring", "s")[-1] - exact))
        angle = np.arctan2(out.position("bead")[:, 0], -out.position("bead")[:, 2])
        check("C11", f"{scheme}, {step}, s is the arc", out.coordinate("ring", "s") - angle, 2e-6, quiet=True)
    check("C11", f"{scheme}, angle of the pendulum", errors[-1], 2e-4, " ".join(f"{e:.2e}" for e in errors))
    for k in range(2):
        check("C11", f"{scheme}, order 2", errors[k]/errors[k + 1] - 4, 0.15)
    force = out.force("ring")
    last = out.position("bead")
    pull = np.sum(force*last, axis=1)[-1]
    speed = out.velocity("bead")[-1]
    told = -(speed @ speed) - G*math.cos(out.coordinate("ring", "s")[-1])
    check("C11", f"{scheme}, force of the ring", pull/told - 1, 0.03)


BEAM = """torsor: 1
units: SI
sections: {S: {EA: 1e4, GA2: 4e3, GA3: 3e3, GJ: 4, EI2: 5, EI3: 8, mass: 1, inertia: [0.001, 0.002]}}
beams: {girder: {from: [0, 0, 0], to: [1, 0, 0], section: S, MESH, velocity: [0, -0.5, 0], angular_velocity: [0.1, 0.2, 1]}}
bodies: {crab: {CRAB, velocity: [2, -0.4, 0]}}
joints: {trolley: {type: sliding, on: girder, body: crab, at: [0.1, 0, 0]HOW}}
analysis: {end: 0.4 s, step: 10 ms}
"""
BODY = "mass: 0.5, inertia: [0.002, 0.003, 0.004], position: [0.1, 0.05, 0.02], angular_velocity: [0.1, 0.2, 1]"
POINT = "type: point, mass: 0.5, position: [0.1, 0, 0]"


def on_beam(mesh, crab=BODY, how=""):
    return BEAM.replace("MESH", mesh).replace("CRAB", crab).replace("HOW", how)


def momenta(case, out):
    for name in ("momentum_linear", "momentum_angular"):
        p = out.frame[name]
        check(case, f"{name}", p - p[0], 1e-12, quiet=True)


def free_beam(scheme):
    """Momenta and energy, whatever the beam's mesh is, over all of its elements."""
    for mesh in ("elements: 4", "elements: 12", "elements: 7, order: 2", "elements: 5, order: 3"):
        for crab, how in ((BODY, ""), (BODY, ", orientation: follows"), (POINT, "")):
            out = run(on_beam(mesh, crab, how), scheme=scheme, case="C11", audit=AUDIT)
            momenta("C11", out)
            check("C11", f"{scheme}, it crosses the beam", max(0, 0.88 - out.coordinate("trolley", "s")[-1]), 0, quiet=True)
    many = run(on_beam("elements: 40"), scheme=scheme, step="100 ms", case="C11", audit=AUDIT)
    momenta("C11", many)


def free_cable(scheme):
    """A body lends its axes; so also a cable of points keeps the moment of momentum."""
    text = f"""torsor: 1
units: SI
cables: {{rope: {{from: [0, 0, 0], to: [1, 0, 0], EA: 500, mass: 1, tension: 5, elements: 8, velocity: [0, -0.5, 0], angular_velocity: [0, 0, 1]}}}}
bodies: {{hook: {{{BODY}, velocity: [1, -0.4, 0]}}}}
joints: {{roll: {{type: sliding, on: rope, body: hook, at: [0.1, 0, 0]}}}}
analysis: {{end: 0.3 s, step: 2 ms}}
"""
    for order in ("order: 1", "order: 2"):
        out = run(text.replace("elements: 8", f"elements: 8, {order}"), scheme=scheme, case="cable", audit=AUDIT)
        momenta("cable", out)
        check("cable", f"{scheme}, it slides on", max(0, 0.25 - out.coordinate("roll", "s")[-1]), 0, quiet=True)


def moving_mass(scheme):
    """C12: a mass, half of the beam's, crosses with v_cr/pi; deflections under it from 20 modes of Euler and Bernoulli's beam."""
    text = """torsor: 1
units: SI
gravity: [0, 0, -0.01]
sections: {S: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 1, EI2: 1, EI3: 1, mass: 1, inertia: [1e-5, 1e-5]}}
beams: {girder: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: 16}}
bodies: {crab: {type: point, mass: 0.5, position: [0, 0, 0], velocity: [1, 0, 0]}}
joints:
  left: {type: revolute, bodies: [ground, girder.start], at: [0, 0, 0], axis: y}
  right: {type: point_on_line, bodies: [ground, girder.end], at: [1, 0, 0], axis: x}
  trolley: {type: sliding, on: girder, body: crab, at: [0, 0, 0]}
motions: {drive: {joint: trolley, velocity: 1 m/s}}
loads: {lift: {type: force, body: girder.start, force: [0, 0, 0]}}
analysis: {end: 0.96 s, step: 10 ms}
"""
    weight = "  lift: {type: force, body: girder.start, force: [0, 0, 0]}"
    loads = "loads:\n" + "".join(f"  up{k}: {{type: force, body: girder.{k}, force: [0, 0, {0.01*(1/32 if k in (1, 17) else 1/16)}]}}\n" for k in range(1, 18))
    text = text.replace("loads: {lift: {type: force, body: girder.start, force: [0, 0, 0]}}\n", loads)
    del weight
    out = run(text, scheme=scheme, case="C12", audit=AUDIT)
    z = out.position("crab")[:, 2]
    for t, exact in ((0.25, -3.9133e-5), (0.5, -1.53381e-4), (0.75, -1.08052e-4)):
        check("C12", f"{scheme}, deflection at {t} s", (z[out.at(t)] - exact)/1.6e-4, 0.007, f"{z[out.at(t)]:.5e} of {exact:.5e}")
    check("C12", f"{scheme}, it is where it is driven to", out.coordinate("trolley", "s") - out.t, 1e-13)
    check("C12", f"{scheme}, the drive works", max(0, 1e-9 - np.max(np.abs(out.frame["ledger"][:, 4]))), 0, quiet=True)


if __name__ == "__main__":
    need_program()
    for scheme in ("EP", "ED"):
        bead_on_wire(scheme)
        free_beam(scheme)
        free_cable(scheme)
        moving_mass(scheme)
    sys.exit(verdict())
