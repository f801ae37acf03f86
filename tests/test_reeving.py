#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Ropes over wheels, drums and pulleys with friction against closed forms: Atwood's machine with a heavy wheel, the capstan, block and tackle, a drum, a rope that stretches around
a wheel that turns; momenta of free bodies, statics, modes, restarts, threads; cables with mass on a winch."""
import math
import sys

from case_tools import ROOT, check, h5py, need_program, np, run, verdict

from program import events, model_file, modes_of, torsor

G = 9.81
AUDIT = 1e-12
HEAD = f"""torsor: 1
units: SI
gravity: [0, 0, -{G}]
"""

HEAVY = HEAD + """bodies:
  wheel: {mass: 5, inertia: [0.2, 0.2, 0.2], position: [0, 0, 5]}
  left: {type: point, mass: 3, position: [-0.3, 0, 0]}
  right: {type: point, mass: 2, position: [0.3, 0, 1]}
joints:
  axle: {type: revolute, bodies: [ground, wheel], at: [0, 0, 5], axis: y}
ROPES
analysis: {end: 1 s, step: 5 ms}
"""
NO_SLIP = """  up: {type: rope, bodies: [left, wheel], at: [[-0.3, 0, 0], [0, 0, 5]], radius: [0, 0.3], axis: y}
  rope: {type: rope, bodies: [wheel, right], at: [[0, 0, 5], [0.3, 0, 1]], radius: [0.3, 0], axis: y}"""
RUBS = "  rope: {type: rope, bodies: [left, wheel, right], at: [[-0.3, 0, 0], [0, 0, 5], [0.3, 0, 1]], radius: [0, 0.3, 0], axis: y, friction: [0, MU, 0]EA}"


def heavy_wheel(scheme):
    """a = (m - M) g/(m + M + J/r^2), without slip, by two ropes wound on the wheel, or by friction; with little friction the rope slips and T = T' e^(mu pi)."""
    a = G/(5 + 0.2/0.09)
    errors = []
    for step in ("10 ms", "5 ms"):
        out = run(HEAVY.replace("ROPES", NO_SLIP), scheme=scheme, step=step, case="heavy", audit=AUDIT)
        errors.append(out.position("left")[-1, 2] + a/2)
        check("heavy", f"{scheme}, turns", out.coordinate("axle", "angle")[-1]*0.3 - out.position("left")[-1, 2], 2e-6)
    check("heavy", f"{scheme}, way", errors[1], 1e-5)
    check("heavy", f"{scheme}, order 2", errors[0]/errors[1] - 4, 0.2)
    check("heavy", f"{scheme}, tensions", [out.force("up")[-1, 2] + 3*(G - a), out.force("rope")[-1, 2] - 2*(G + a)], 4e-4)
    sticks = run(HEAVY.replace("ROPES", RUBS.replace("MU", "1").replace("EA", "")), scheme=scheme, case="heavy", audit=AUDIT)
    check("heavy", f"{scheme}, way by friction", sticks.position("left")[-1, 2] + a/2, 1e-5)

    mu = 0.02
    E = math.exp(mu*math.pi)
    a = G*(3 - 2*E)/(3 + 2*E)
    T = 2*(G + a)
    for more, step, close in (("", "2 ms", 1e-4), (", EA: 1e6", "0.5 ms", 2e-3)):  # a rope that stretches vibrates, 40 Hz
        slips = run(HEAVY.replace("ROPES", RUBS.replace("MU", str(mu)).replace("EA", more)), scheme=scheme, step=step, case="heavy", audit=AUDIT)
        check("heavy", f"{scheme}, way of a rope that slips{more}", slips.position("left")[-1, 2] + a/2, close)
        omega = T*(E - 1)*0.3/0.2
        check("heavy", f"{scheme}, wheel under a rope that slips{more}", slips.coordinate("axle", "angle")[-1] + omega/2, 10*close)
        lost = T*(E - 1)*(a - 0.3*omega)/2
        check("heavy", f"{scheme}, lost by friction{more}", slips.frame["ledger"][-1, 5]/lost - 1, 10*close)


BOLLARD = HEAD + """bodies:
  left: {type: point, mass: MASS, position: [-0.2, 0, 0]}
  right: {type: point, mass: 1, position: [0.2, 0, 1]}
joints:
  rope: {type: rope, bodies: [left, ground, right], at: [[-0.2, 0, 0], [0, 0, 5], [0.2, 0, 1]], radius: [0, 0.2, 0], axis: y, turns: [0, TURNS, 0], friction: [0, 0.1, 0], stiffness: 1e8}
analysis: {end: 1 s, step: 5 ms}
"""


def capstan(scheme):
    """Tensions of a rope that slips around a bollard have the ratio e^(mu phi), with whole turns as without; below it, it holds for ever."""
    for turns in (0, 1, 3):
        E = math.exp(0.1*math.pi*(1 + 2*turns))
        mass = 1.5*E
        out = run(BOLLARD.replace("MASS", str(mass)).replace("TURNS", str(turns)), scheme=scheme, case="capstan", audit=AUDIT)
        a = G*(mass - E)/(mass + E)
        check("capstan", f"{scheme}, {turns} turns, way", out.position("left")[-1, 2]/(-a/2) - 1, 3e-3)
        holds = run(BOLLARD.replace("MASS", str(0.97*E)).replace("TURNS", str(turns)), scheme=scheme, end="10 s", step="50 ms", case="capstan", audit=1e-9)
        z = holds.position("left")[:, 2]
        check("capstan", f"{scheme}, {turns} turns, holds", [z[-1], z[-1] - z[len(z)//2]], 2e-4)


def point_pulley(scheme):
    """A pulley without size rubs by the angle of its rope: a right angle has e^(mu pi/2)."""
    text = HEAD + """bodies:
  block: {type: point, mass: 1, position: [-2, 0, 0]}
  weight: {type: point, mass: 2, position: [0, 0, -1]}
joints:
  rope: {type: rope, bodies: [block, ground, weight], at: [[-2, 0, 0], [0, 0, 0], [0, 0, -1]], friction: [0, 0.3, 0]}
  table: {type: point_on_line, bodies: [ground, block], at: [-2, 0, 0], axis: x}
  guide: {type: point_on_line, bodies: [ground, weight], at: [0, 0, -1], axis: z}
analysis: {end: 0.5 s, step: 5 ms}
"""
    E = math.exp(0.3*math.pi/2)
    a = 2*G/(2 + E)
    out = run(text, scheme=scheme, case="point pulley", audit=AUDIT)
    check("point pulley", f"{scheme}, way", out.position("block")[-1, 0] + 2 - a/8, 2e-4)
    check("point pulley", f"{scheme}, tension", out.force("rope")[-1, 2]/(2*(G - a)) - 1, 2e-3)


def bearing(scheme):
    """A wheel without mass in a bearing with friction: (T - T') R = mu r F, F the load of both strands; half a turn, a right angle, and where the rope rather slips. The same of a heavy wheel by `pivot_friction`."""
    mu, r, R = 0.2, 0.1, 0.3
    b = mu*r/R
    rope = RUBS.replace(", friction: [0, MU, 0]EA", ", bearing_friction: [0, 0.2, 0], bearing_radius: [0, 0.1, 0]MORE").replace("wheel,", "ground,")
    light = HEAVY.replace("  wheel: {mass: 5, inertia: [0.2, 0.2, 0.2], position: [0, 0, 5]}\n", "").replace("  axle: {type: revolute, bodies: [ground, wheel], at: [0, 0, 5], axis: y}\n", "")
    slipping = math.exp(0.03*math.pi)
    for name, more, E in (("turns", "", (1 + b)/(1 - b)), ("slips", ", friction: [0, 0.03, 0]", slipping), ("rather turns", ", friction: [0, 0.3, 0]", (1 + b)/(1 - b))):
        a = G*(3 - 2*E)/(3 + 2*E)
        out = run(light.replace("ROPES", rope.replace("MORE", more)), scheme=scheme, case="bearing", audit=AUDIT)
        check("bearing", f"{scheme}, {name}: way", out.position("left")[-1, 2]/(-a/2) - 1, 1e-4)
        check("bearing", f"{scheme}, {name}: tension", out.force("rope")[-1, 2]/(2*(G + a)) - 1, 1e-4)
        check("bearing", f"{scheme}, {name}: lost", out.frame["ledger"][-1, 5]/(2*(G + a)*(E - 1)*a/2) - 1, 1e-4)
    held = light.replace("ROPES", rope.replace("MORE", "")).replace("mass: 2", f"mass: {3*(1 - b)/(1 + b)*1.02}")
    z = run(held, scheme=scheme, end="10 s", step="50 ms", case="bearing", audit=1e-9).position("left")[:, 2]
    check("bearing", f"{scheme}, holds", [z[-1], z[-1] - z[len(z)//2]], 2e-4)

    text = light.split("bodies:")[0] + """bodies:
  block: {type: point, mass: 1, position: [-2, 0, 0.3]}
  weight: {type: point, mass: 2, position: [0.3, 0, -1]}
joints:
  rope: {type: rope, bodies: [block, ground, weight], at: [[-2, 0, 0.3], [0, 0, 0], [0.3, 0, -1]], radius: [0, 0.3, 0], axis: y, bearing_friction: [0, 0.2, 0], bearing_radius: [0, 0.25, 0]EA}
  table: {type: point_on_line, bodies: [ground, block], at: [-2, 0, 0.3], axis: x}
  guide: {type: point_on_line, bodies: [ground, weight], at: [0.3, 0, -1], axis: z}
analysis: {end: 0.5 s, step: 5 ms}
"""
    b = 0.2*0.25/R  # T - T' = b root(T^2 + T'^2): (1 - b^2) (E^2 + 1) = 2 E
    E = (1 + b*math.sqrt(2 - b*b))/(1 - b*b)
    a = 2*G/(2 + E)
    for more, close in (("", 1e-4), (", EA: 2e5", 1e-3)):
        out = run(text.replace("EA", more), scheme=scheme, case="bearing", audit=AUDIT)
        check("bearing", f"{scheme}, right angle{more}: way", (out.position("block")[-1, 0] + 2)/(a/8) - 1, close)
    check("bearing", f"{scheme}, right angle: tension", out.force("rope")[-20:, 2].mean()/(2*(G - a)) - 1, 2e-2)

    heavy = HEAVY.replace("ROPES", NO_SLIP + "\nsprings: {rubs: {type: pivot_friction, joint: axle, coefficient: 0.2, radius: 0.1, presliding: 1e-6 rad}}")
    # (T - T') R - mu r (T + T' + 5 g) = J a/R
    a = ((3 - 2)*G*R - mu*r*(3 + 2 + 5)*G)/((3 + 2)*R + 0.2/R - mu*r*(3 - 2))
    out = run(heavy, scheme=scheme, case="bearing", audit=AUDIT)
    check("bearing", f"{scheme}, heavy wheel: way", out.position("left")[-1, 2]/(-a/2) - 1, 1e-4)


def block_and_tackle(scheme):
    """A wheel on the load, a wheel above: the weight moves twice as far. Wheels of 0.2 m and 0.3 m, whose strands are vertical."""
    text = HEAD + """bodies:
  load: {mass: 10, inertia: [0.1, 0.1, 0.1], position: [0, 0, -2]}
  weight: {type: point, mass: 6, position: [0.8, 0, -1]}
joints:
  rope: {type: rope, bodies: [ground, load, ground, weight], at: [[-0.2, 0, 0], [0, 0, -2], [0.5, 0, 0], [0.8, 0, -1]], radius: [0, 0.2, 0.3, 0], axis: yEA}
  rails: {type: prismatic, bodies: [ground, load], at: [0, 0, -2], axis: z}
  guide: {type: point_on_line, bodies: [ground, weight], at: [0.8, 0, -1], axis: z}
analysis: {end: 1 s, step: 10 ms}
"""
    a = G*(2*6 - 10)/(10 + 4*6)
    out = run(text.replace("EA", ""), scheme=scheme, case="tackle", audit=AUDIT)
    check("tackle", f"{scheme}, load", out.position("load")[-1, 2] + 2 - a/2, 1e-10)
    check("tackle", f"{scheme}, weight", out.position("weight")[-1, 2] + 1 + a, 1e-10)
    check("tackle", f"{scheme}, tension", out.force("rope")[-1, 2] - 6*(G - 2*a), 1e-7)
    # the arcs: 0.2 pi at the load, 0.3 pi above; straight 2, 2, 1
    check("tackle", f"{scheme}, length of the way", out.coordinate("rope", "length")[-1] - (5 + 0.5*math.pi), 1e-12)


def drum(scheme):
    """A load unwinds a drum that the rope is wound on: a = m g/(m + J/R^2), no gear, and the axle bears the rope."""
    text = HEAD + """bodies:
  load: {type: point, mass: 10, position: [0.3, 0, 0]}
  drum: {mass: 20, inertia: [0.9, 0.9, 0.9], position: [0, 0, 5]}
joints:
  axle: {type: revolute, bodies: [ground, drum], at: [0, 0, 5], axis: y}
  rope: {type: rope, bodies: [drum, load], at: [[0, 0, 5], [0.3, 0, 0]], radius: [0.3, 0], axis: y}
analysis: {end: 1 s, step: 2 ms}
"""
    a = 10*G/(10 + 0.9/0.3**2)
    out = run(text, scheme=scheme, case="drum", audit=AUDIT)
    check("drum", f"{scheme}, way", out.position("load")[-1, 2] + a/2, 1e-4)
    check("drum", f"{scheme}, turns", out.coordinate("axle", "angle")[-1] - a/0.6, 3e-4)
    check("drum", f"{scheme}, load of the axle", out.force("axle")[-1, 2] - 20*G - 10*(G - a), 1e-2)


def free_bodies(scheme):
    """Wheels on bodies that tumble freely, with axes that do not stay parallel; with friction, and stretching."""
    text = """torsor: 1
units: SI
bodies:
  a: {mass: 1, inertia: [0.1, 0.2, 0.15], velocity: [0, 0.3, 0], angular_velocity: [0.1, 2, 0.3]}
  b: {mass: 2, inertia: [0.2, 0.3, 0.4], position: [2, 0, 0], velocity: [0, -0.5, 0.2], angular_velocity: [-0.1, 1, 0.2]}
  c: {mass: 1.5, inertia: [0.2, 0.1, 0.2], position: [1, 0, 1.5], angular_velocity: [0.1, -1, 0.2]}
joints: {rope: {type: rope, bodies: [a, c, b], at: [[0.1, 0, 0], [1, 0, 1.5], [2, 0.1, 0.1]], radius: [0.1, 0.3, 0], axis: yMORE}}
analysis: {end: 1 s, step: 10 ms}
"""
    for more in ("", ", EA: 300, length: 3.8", ", friction: [0, 0.2, 0], stiffness: 1e4", ", EA: 300, length: 3.8, friction: [0, 0.2, 0]"):
        out = run(text.replace("MORE", more), scheme=scheme, case="free", audit=AUDIT)
        for name in ("momentum_linear", "momentum_angular"):
            check("free", f"{scheme}, {name}{more}", out.frame[name] - out.frame[name][0], 4e-12, quiet=True)


def rests():
    """Small vibrations of a load on a rope around a heavy wheel to the ground, against two springs; equilibrium first."""
    text = HEAD + """bodies:
  wheel: {mass: 5, inertia: [0.2, 0.2, 0.2], position: [0, 0, 5]}
  load: {type: point, mass: 3, position: [-0.3, 0, 0]}
joints:
  axle: {type: revolute, bodies: [ground, wheel], at: [0, 0, 5], axis: y}
  guide: {type: point_on_line, bodies: [ground, load], at: [-0.3, 0, 0], axis: z}
  up: {type: rope, bodies: [load, wheel], at: [[-0.3, 0, 0], [0, 0, 5]], radius: [0, 0.3], axis: y, EA: 1e5}
  down: {type: rope, bodies: [wheel, ground], at: [[0, 0, 5], [0.3, 0, 1]], radius: [0.3, 0], axis: y, EA: 1e5}
analysis: {start: static, end: 0.1 s, step: 10 ms}
"""
    out = run(text, case="rest", audit=1e-9)
    check("rest", "tension", out.force("up")[:, 2] + 3*G, 1e-5)
    k1, k2 = 1e5/5, 1e5/4
    K = np.array([[k1, -k1*0.3], [-k1*0.3, (k1 + k2)*0.09]])
    M = np.diag([3, 0.2])
    exact = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real))/(2*math.pi)
    found = modes_of(text, 2)
    hertz = [m["frequency"] if isinstance(m, dict) else m for m in found]
    check("rest", "frequencies", [hertz[0]/exact[0] - 1, hertz[1]/exact[1] - 1], 1e-3)


def repeats(scheme):
    text = HEAVY.replace("ROPES", RUBS.replace("MU", "0.02").replace("EA", ", EA: 1e5"))
    with model_file(text) as path:
        whole, rest, team = (path.with_name(n) for n in ("whole.h5", "rest.h5", "team.h5"))
        events("run", path, "-o", whole, "--scheme", scheme)
        events("run", path, "-o", team, "--scheme", scheme, "--threads", "2")
        torsor("restart", whole, "--from", 40, "-q", "-o", rest)
        with h5py.File(whole) as a, h5py.File(rest) as b, h5py.File(team) as c:
            for name in ("q", "v"):
                check("repeats", f"{scheme}, restart, {name}", a[f"frames/{name}"][-1] - b[f"frames/{name}"][-1], 0, quiet=True)
                check("repeats", f"{scheme}, threads, {name}", a[f"frames/{name}"][-1] - c[f"frames/{name}"][-1], 0, quiet=True)


def lift():
    """examples/lift.yaml: friction takes the rope along. The cage arrives by radius times angle, the deflector turns with the rope, and the motor lifts what the cage is heavier by."""
    out = run((ROOT/"examples/lift.yaml").read_text(), scheme="ED", case="lift", audit=1e-11)
    car, weight = out.position("car")[:, 2], out.position("weight")[:, 2]
    # the rope is stretched by at most 900 g/EA = 7e-4: so much more or less comes over the wheels
    check("lift", "travel of the cage", (car[-1] - car[0])/10 - 1, 7.4e-4)
    check("lift", "travel of the weight", (weight[0] - weight[-1])/10 - 1, 7.4e-4)
    check("lift", "angle of the deflector", (out.coordinate("pin", "angle")[-1] - out.coordinate("pin", "angle")[0])*0.25/10 - 1, 7.4e-4)
    check("lift", "work of the motor", out.frame["ledger"][-1, 4]/(200*G*10) - 1, 2e-3)
    check("lift", "tension at rest", out.force("rope")[0, 2]/(700*G) - 1, 1e-9)
    # the motor speeds up from 0.5 s to 3.5 s, to 1.5 times the mean velocity; the weight swings on its rope besides
    speeding = (out.t >= 0.5) & (out.t <= 3.5)
    check("lift", "mean tension while it speeds up", out.force("rope")[speeding, 2].mean()/(700*(G - 2.5/3)) - 1, 1e-2)


def hauled_cable():
    """A cable with mass is pulled through an eye of the ground, over a third of its elements: what pulls it does the work of its weight."""
    text = HEAD + """bodies:
  hook: {type: point, mass: 5, position: [0, 0, -10]}
cables:
  line: {from: [0, 0, 0.2], to: [0, 0, -10], EA: 1e6, mass: 2, elements: 34, damping: 2e-3}
joints:
  eye: {type: sliding, on: line, body: ground, at: [0, 0, 0]}
  hang: {type: spherical, bodies: [line.end, hook], at: [0, 0, -10]}
  rail: {type: point_on_line, bodies: [ground, line.start], at: [0, 0, 0.2], axis: z}
signals: {way: {step: {at: 0.2 s, from: 0, to: 3 m, over: 4 s}}}
motions: {haul: {joint: rail, displacement: way}}
analysis: {start: static, end: 5 s, step: 10 ms}
"""
    weight = (2*10.2 + 5)*G
    for scheme in ("EP", "ED"):
        out = run(text, scheme=scheme, case="hauled", audit=AUDIT)
        check("hauled", f"{scheme}, height", out.position("hook")[-1, 2] - out.position("hook")[0, 2] - 3, 1e-3)
        check("hauled", f"{scheme}, work", out.frame["ledger"][-1, 4]/(3*weight) - 1, 2e-4)
        check("hauled", f"{scheme}, force of the hook", out.force("hang")[-1, 2] - 5*G, 0.5)
        check("hauled", f"{scheme}, s", out.coordinate("eye", "s")[-1] - 3.2, 2e-3)


def mistakes():
    good = BOLLARD.replace("MASS", "2").replace("TURNS", "0")
    for old, new, said in (("radius: [0, 0.2, 0]", "radius: [0, 0.2]", "2 numbers, but 3 places"),
                           ("radius: [0, 0.2, 0]", "radius: [0, -0.2, 0]", "a radius is below zero"),
                           ("radius: [0, 0.2, 0]", "radius: [0.1, 0.2, 0]", "a point, which cannot be a wheel"),
                           ("radius: [0, 0.2, 0]", "radius: [0, 7, 0]", "too close for their wheels"),
                           (", axis: y", "", "wheels need an `axis`"),
                           ("friction: [0, 0.1, 0]", "bearing_friction: [0, 0.1, 0]", "a coefficient of friction and a radius"),
                           ("friction: [0, 0.1, 0]", "bearing_friction: [0, 0.1, 0], bearing_radius: [0, 0.3, 0]", "not between zero and the radius of its wheel"),
                           ("friction: [0, 0.1, 0]", "bearing_friction: [0.1, 0, 0], bearing_radius: [0.1, 0, 0]", "does not run over a wheel at its ends"),
                           ("radius: [0, 0.2, 0], axis: y", "bearing_friction: [0, 0.1, 0], bearing_radius: [0, 0.1, 0]", "there is no wheel at place 2"),
                           ("friction: [0, 0.1, 0]", "friction: [0.1, 0.1, 0]", "does not slip at its ends"),
                           ("friction: [0, 0.1, 0]", "friction: [0, -0.1, 0]", "below zero"),
                           ("friction: [0, 0.1, 0]", "friction: [0, 0.1, 0], viscous: 0", "viscous friction must be above zero"),
                           ("stiffness: 1e8", "stiffness: 0", "the stiffness while sticking"),
                           ("turns: [0, 0, 0]", "turns: [0, 0.5, 0]", "turns are whole"),
                           ("turns: [0, 0, 0]", "sense: [0, 2, 0]", "a sense is 1, -1 or 0")):
        assert old in good, old
        with model_file(good.replace(old, new)) as path:
            told = torsor("check", path, code=2).stderr
            assert said in told and "yaml:" in told, (said, told)


if __name__ == "__main__":
    need_program()
    for scheme in ("EP", "ED"):
        heavy_wheel(scheme)
        capstan(scheme)
        point_pulley(scheme)
        bearing(scheme)
        block_and_tackle(scheme)
        drum(scheme)
        free_bodies(scheme)
        repeats(scheme)
    rests()
    lift()
    hauled_cable()
    mistakes()
    sys.exit(verdict())
