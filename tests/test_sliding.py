#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Sliding joints against closed forms: a bead on a wire is a pendulum, a mass that crosses a beam (modal solution), a
block with friction on a rod; momenta and energy of a free beam and a free cable with a sliding body. C11 and C12 of the
design, with ends, stops, restarts, statics and modes."""
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
    many = run(on_beam("elements: 40, order: 1"), scheme=scheme, step="100 ms", case="C11", audit=AUDIT)
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
beams: {girder: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: 16, order: 1}}
bodies: {crab: {type: point, mass: 0.5, position: [0, 0, 0], velocity: [1, 0, 0]}}
joints:
  left: {type: revolute, bodies: [ground, girder.start], at: [0, 0, 0], axis: y}
  right: {type: point_on_line, bodies: [ground, girder.end], at: [1, 0, 0], axis: x}
  trolley: {type: sliding, on: girder, body: crab, at: [0, 0, 0]}
motions: {drive: {joint: trolley, velocity: 1 m/s}}
LOADS
analysis: {end: 0.96 s, step: 10 ms}
"""
    loads = "loads:\n" + "".join(f"  up{k}: {{type: force, body: girder.{k}, force: [0, 0, {0.01*(1/32 if k in (1, 17) else 1/16)}]}}\n" for k in range(1, 18))
    out = run(text.replace("LOADS\n", loads),  # the beam itself has no weight
               scheme=scheme, case="C12", audit=AUDIT)
    z = out.position("crab")[:, 2]
    for t, exact in ((0.25, -3.9133e-5), (0.5, -1.53381e-4), (0.75, -1.08052e-4)):
        check("C12", f"{scheme}, deflection at {t} s", (z[out.at(t)] - exact)/1.6e-4, 0.007, f"{z[out.at(t)]:.5e} of {exact:.5e}")
    check("C12", f"{scheme}, it is where it is driven to", out.coordinate("trolley", "s") - out.t, 1e-13)
    check("C12", f"{scheme}, the drive works", max(0, 1e-9 - np.max(np.abs(out.frame["ledger"][:, 4]))), 0, quiet=True)


TILT, RUB = 0.6, 0.3
HIGH = [5*math.cos(TILT), 0, 5*math.sin(TILT)]
ROD = f"""torsor: 1
units: SI
gravity: [0, 0, -{G}]
bodies: {{block: {{mass: 2, inertia: [0.01, 0.01, 0.01], position: {HIGH}}}}}
joints: {{rod: {{type: sliding, on: ground, body: block, at: {HIGH}, orientation: follows, path: [[0, 0, 0], [{6*math.cos(TILT)}, 0, {6*math.sin(TILT)}]]}}}}
MORE
analysis: {{end: 0.5 s, step: 2 ms}}
"""


def rod(more="", end="0.5 s"):
    return ROD.replace("MORE", more).replace("0.5 s", end)


def friction(scheme):
    """A block on an inclined rod: g (sin - mu cos), and what it rubs away."""
    out = run(rod(f"springs: {{rub: {{type: slide_friction, joint: rod, coefficient: {RUB}}}}}"), scheme=scheme, case="rod", audit=AUDIT)
    a = G*(math.sin(TILT) - RUB*math.cos(TILT))
    check("rod", f"{scheme}, speed", out.coordinate_rate("rod", "s")[-1]/(-0.5*a) - 1, 1e-3)
    way = 5 - out.coordinate("rod", "s")[-1]
    check("rod", f"{scheme}, lost by friction", out.frame["ledger"][-1, 5]/(RUB*2*G*math.cos(TILT)*way) - 1, 1e-4)
    force = 2*G*math.cos(TILT)*np.array([-math.sin(TILT), 0, math.cos(TILT)]) + RUB*2*G*math.cos(TILT)*np.array([math.cos(TILT), 0, math.sin(TILT)])
    check("rod", f"{scheme}, force of the rod, with friction", out.force("rod")[-1] - force, 1e-6)
    holds = run(rod("springs: {rub: {type: slide_friction, joint: rod, coefficient: 0.8}}"), scheme=scheme, case="rod", audit=1e-9)  # of next to no energy
    check("rod", f"{scheme}, it holds", holds.coordinate("rod", "s") - 5, 5e-5)


def ends(scheme):
    """Stops keep it; without any it slides off, which is told; an event lets it go on as a projectile."""
    out = run(rod("springs: {bumper: {type: joint_spring, joint: rod, stop_min: 4.5, stop_max: 5.5, stop_stiffness: 1e5}}", "3 s"), scheme=scheme, case="ends", audit=AUDIT)
    check("ends", f"{scheme}, it bounces", max(0, out.coordinate("rod", "s")[-300:].max() - 5.0001), 0)
    check("ends", f"{scheme}, deepest", out.coordinate("rod", "s").min() - 4.5 + math.sqrt(2*2*G*math.sin(TILT)*0.5/1e5), 3e-3)
    with model_file(rod(end="3 s")) as path:
        told = torsor("run", path, "-q", "-o", path.with_name("o.h5"), "--scheme", scheme, code=4).stderr
        assert "'rod' has slid off 'ground' at t = 1.344 s" in told and "stops" in told, told
    out = run(rod("events: {leaves: {when: rod.s < 0.5 m, detach: [rod]}}", "2 s"), scheme=scheme, case="ends", audit=AUDIT)
    a = G*math.sin(TILT)
    t = math.sqrt(2*4.5/a)
    way, v = 2 - t, a*t
    flight = np.array([(0.5 - v*way)*math.cos(TILT), 0, (0.5 - v*way)*math.sin(TILT) - G*way**2/2])
    check("ends", f"{scheme}, flies on", out.position("block")[-1] - flight, 1e-6)


def rests():
    """A weight on a beam that statics loads, by beam theory; a bead at rest vibrates as a pendulum."""
    text = """torsor: 1
units: SI
gravity: [0, 0, -10]
sections: {S: {EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 100, EI2: 100, EI3: 100, mass: 1e-6, inertia: [1e-8, 1e-8]}}
beams: {girder: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: 10, ORDER}}
bodies: {crab: {type: point, mass: 0.5, position: [0.37, 0, 0]}}
joints:
  left: {type: revolute, bodies: [ground, girder.start], at: [0, 0, 0], axis: y}
  right: {type: point_on_line, bodies: [ground, girder.end], at: [1, 0, 0], axis: x}
  trolley: {type: sliding, on: girder, body: crab, at: [0.37, 0, 0]}
motions: {hold: {joint: trolley, displacement: 0.37 m}}
analysis: {start: static, end: 0.1 s, step: 10 ms}
"""
    exact = -5*0.37**2*0.63**2/300 - 5*0.37*0.63/1e6
    for order, tolerance in (("order: 1", 0.012), ("order: 2", 1e-3), ("order: 3", 2e-4)):
        out = run(text.replace("ORDER", order), case="rest", audit=AUDIT)
        check("rest", f"{order}, deflection", out.position("crab")[:, 2]/exact - 1, tolerance)
        check("rest", f"{order}, force", out.force("trolley")[-1] - np.array([0, 0, 5]), 1e-9)
    found = modes_of(wire(angle=0.0), 1)
    hertz = found[0]["frequency"] if isinstance(found[0], dict) else found[0]
    check("rest", "frequency of a bead on a ring", hertz*2*math.pi/math.sqrt(G) - 1, 1e-3)


def restarts(scheme):
    """A run that is cut between two windows of a beam ends in the same state, to the last bit; so does one on two threads."""
    with model_file(on_beam("elements: 12, order: 1")) as path:
        whole, rest, two = path.with_name("whole.h5"), path.with_name("rest.h5"), path.with_name("two.h5")
        events("run", path, "-o", whole, "--scheme", scheme)
        torsor("restart", whole, "--from", 23, "-q", "-o", rest)
        torsor("run", path, "--threads", 2, "-q", "-o", two, "--scheme", scheme)
        with h5py.File(whole) as a, h5py.File(rest) as b, h5py.File(two) as c:
            for name in ("q", "v", "lambda"):
                check("restart", f"{scheme}, {name}", a[f"frames/{name}"][-1] - b[f"frames/{name}"][-1], 0, quiet=True)
                check("restart", f"{scheme}, {name}, two threads", a[f"frames/{name}"][-1] - c[f"frames/{name}"][-1], 0, quiet=True)


def telescope(scheme):
    """A beam slides out of a beam: two sliding joints, one at the start of the inner beam, one at the mouth of the outer one, free in space."""
    text = """torsor: 1
units: SI
sections: {S: {EA: 1e5, GA2: 4e4, GA3: 3e4, GJ: 40, EI2: 50, EI3: 80, mass: 1, inertia: [0.001, 0.002]}}
beams:
  outer: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: 6, order: 2, angular_velocity: [0, 0, 1]}
  inner: {from: [0.2, 0, 0], to: [1.3, 0, 0], section: S, elements: 7, order: 2, velocity: [0.5, 0.2, 0], angular_velocity: [0, 0, 1]}
joints:
  foot: {type: sliding, on: outer, body: inner.start, at: [0.2, 0, 0], orientation: follows}
  mouth: {type: sliding, on: inner, body: outer.end, at: [1, 0, 0]}
analysis: {end: 0.5 s, step: 5 ms}
"""
    out = run(text, scheme=scheme, case="telescope", audit=AUDIT)
    momenta("telescope", out)
    s, u = out.coordinate("foot", "s"), out.coordinate("mouth", "s")
    check("telescope", f"{scheme}, it slides out", max(0, 0.45 - s[-1]), 0)
    check("telescope", f"{scheme}, both joints agree on the length", s + u - 1, 5e-3)


def free_curve(scheme):
    """A body slides along a curve of another one, and round a closed one, in free flight; a carriage with two feet on a beam."""
    text = """torsor: 1
units: SI
bodies:
  ring: {mass: 2, inertia: [0.3, 0.2, 0.4], angular_velocity: [0.5, 1, 2]}
  bead: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [0.6, 0, 0.1], velocity: [0, 3, -0.6], angular_velocity: [0.5, 1, 2]}
joints: {wire: {type: sliding, on: ring, body: bead, at: [0.6, 0, 0], orientation: follows, closed: true, path: [[0.6, 0, 0], [0, 0.5, 0.1], [-0.6, 0, 0], [0, -0.5, 0.1]]}}
analysis: {end: 1 s, step: 5 ms}
"""
    for change in ((), ("closed: true", "closed: false"), (", orientation: follows", "")):
        out = run(text.replace(*change) if change else text, scheme=scheme, end="0.3 s" if "false" in str(change) else "1 s", case="curve", audit=AUDIT)
        momenta("curve", out)
        check("curve", f"{scheme}, it slides on", max(0, 0.15 - np.ptp(out.coordinate("wire", "s"))), 0, quiet=True)
    carriage = on_beam("elements: 8, order: 1").replace("trolley:", "rear: {type: sliding, on: girder, body: crab, at: [0.2, 0, 0]}, trolley:")
    out = run(carriage, scheme=scheme, case="carriage", audit=AUDIT)
    momenta("carriage", out)
    check("carriage", f"{scheme}, its feet keep their distance", out.coordinate("rear", "s") - out.coordinate("trolley", "s") - 0.1, 1e-3)


def mistakes():
    for text, said in ((on_beam("elements: 4, order: 1").replace("on: girder", "on: gridder"), "there is no part named 'gridder'"),
                       (on_beam("elements: 4, order: 1").replace("body: crab", "body: girder.start"), "cannot slide on itself"),
                       (rod().replace("body: block", "body: ground"), "what slides must move"),
                       (on_beam("elements: 4, order: 1").replace("at: [0.1, 0, 0]", "at: [1.4, 0, 0]"), "away from the path of 'girder'"),
                       (on_beam("elements: 4, order: 1", POINT, ", orientation: follows"), "a point mass has no orientation"),
                       (on_beam("elements: 4, order: 1", how=", path: [[0, 0, 0], [1, 0, 0]]"), "girder is the path itself"),
                       (on_beam("elements: 4, order: 1", how=", closed: true"), "only a `path` of points can be closed"),
                       (rod().replace("path: [[0, 0, 0], ", "path: [").replace("type: sliding", "type: sliding"), "at least"),
                       (rod().replace("path: [[0, 0, 0], ", "path: [[0, 0, 0], [0, 0, 0], "), "are the same"),
                       (rod().replace("path: [[0, 0, 0], ", "path: [[0, 0, 0], [1, 0, 0], [0, 0, 0], "), "turns back on itself at point 2"),
                       (rod().replace("on: ground", "on: block"), "cannot slide on itself")):
        with model_file(text) as path:
            told = torsor("check", path, code=2).stderr
            assert said in told and "yaml:" in told, (said, told)
    with model_file(on_beam("elements: 12, order: 1").replace("step: 10 ms", "step: 10 ms, scheme: newmark")) as path:
        told = torsor("run", path, "-o", path.with_name("o.h5"), code=2).stderr
        assert "needs EP, ED or statics, not newmark" in told, told


if __name__ == "__main__":
    need_program()
    for scheme in ("EP", "ED"):
        bead_on_wire(scheme)
        free_beam(scheme)
        free_cable(scheme)
        moving_mass(scheme)
        friction(scheme)
        ends(scheme)
        restarts(scheme)
        telescope(scheme)
        free_curve(scheme)
    rests()
    mistakes()
    sys.exit(verdict())
