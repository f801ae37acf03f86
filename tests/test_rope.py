#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Ropes over points, pulleys and winches against closed forms: Atwood's machine, at rest and swinging, blocks, a lift
with a counterweight, a drum, ropes that stretch; work of motors in the ledger, momenta of free bodies, statics and
restarts."""
import math
import sys

from case_tools import check, h5py, need_program, np, run, verdict

from program import events, model_file, modes_of, torsor

G = 9.81
AUDIT = 1e-12
HEAD = f"""torsor: 1
units: SI
gravity: [0, 0, -{G}]
"""


def runge_kutta(f, y, end, steps=20000):
    y, h = np.array(y, float), end/steps
    for _ in range(steps):
        a = f(y)
        b = f(y + h/2*a)
        c = f(y + h/2*b)
        y = y + h/6*(a + 2*b + 2*c + f(y + h*c))
    return y


def swinging_atwood(scheme):
    """A mass that swings on a rope over two points, against a heavier one that goes up and down."""
    m, M, start = 1.0, 2.5, 1.0
    at = [math.sin(start), 0, -math.cos(start)]
    text = HEAD + f"""bodies:
  swing: {{type: point, mass: {m}, position: {at}}}
  heavy: {{type: point, mass: {M}, position: [-1, 0, -1]}}
joints:
  rope: {{type: rope, bodies: [heavy, ground, ground, swing], at: [[-1, 0, -1], [-1, 0, 0], [0, 0, 0], {at}]}}
  guide: {{type: point_on_line, bodies: [ground, heavy], at: [-1, 0, -1], axis: z}}
analysis: {{end: 2 s, step: 10 ms}}
"""
    def f(y):
        r, rate, angle, omega = y
        return np.array([rate, (m*r*omega**2 + m*G*math.cos(angle) - M*G)/(m + M), omega, -(2*rate*omega + G*math.sin(angle))/r])
    end = 0.4
    exact = runge_kutta(f, [1, 0, start, 0], end)[0]
    errors = []
    for step in ("20 ms", "10 ms", "5 ms"):
        out = run(text, scheme=scheme, step=step, end=f"{end} s", case="atwood", audit=AUDIT)
        errors.append(abs(np.linalg.norm(out.position("swing")[-1]) - exact))
    check("atwood", f"{scheme}, r", errors[-1], 1e-4, " ".join(f"{e:.2e}" for e in errors))
    for k in range(2):
        check("atwood", f"{scheme}, order 2", errors[k]/errors[k + 1] - 4, 0.5)


LIFT = HEAD + """bodies:
  cage: {type: point, mass: 600, position: [0, 0, 0]}
  weight: {type: point, mass: 500, position: [2, 0, 20]}
joints:
  rope: {type: rope, bodies: [cage, ground, ground, weight], at: [[0, 0, 0], [0, 0, 30], [2, 0, 30], [2, 0, 20]]MORE}
  rails: {type: point_on_line, bodies: [ground, cage], at: [0, 0, 0], axis: z}
  guide: {type: point_on_line, bodies: [ground, weight], at: [2, 0, 20], axis: z}
analysis: {end: 1 s, step: 10 ms}
"""


def counterweight(scheme):
    """Falls with (m - M) g/(m + M); the tension is that of Atwood's machine."""
    out = run(LIFT.replace("MORE", ""), scheme=scheme, case="lift", audit=AUDIT)
    a, T = 100/1100*G, 2*600*500/1100*G
    check("lift", f"{scheme}, way", out.position("cage")[-1, 2] + a/2, 1e-10)
    check("lift", f"{scheme}, tension", out.force("rope")[-1] - np.array([0, 0, T]), 1e-6)


def winch(scheme):
    """A load on a rope that is wound up: tension m (g + a), and the work of the motor is all that the load gets."""
    text = HEAD + """bodies: {load: {type: point, mass: 100, position: [0, 0, 0]}}
joints:
  hoist: {type: rope, bodies: [ground, ground, load], at: [[3, 0, 0], [0, 0, 10], [0, 0, 0]], winch: true}
motions: {up: {joint: hoist, displacement: (sqrt(109) + 10 - 0.5*t^2)*1 m}}
analysis: {end: 2 s, step: 10 ms}
"""
    out = run(text, scheme=scheme, case="winch", audit=AUDIT)
    check("winch", f"{scheme}, height", out.position("load")[-1, 2] - 2, 1e-9)
    check("winch", f"{scheme}, tension", out.force("hoist")[-1, 2] - 100*(G + 1), 1e-5)
    check("winch", f"{scheme}, work of the motor", out.frame["ledger"][-1, 4] - 100*G*2 - 0.5*100*4, 1e-6)


def drum(scheme):
    """A load unwinds a drum: a = m g/(m + J/R^2)."""
    text = HEAD + """bodies:
  load: {type: point, mass: 10, position: [0.3, 0, 0]}
  drum: {mass: 20, inertia: [0.9, 0.9, 0.9], position: [0, 0, 5]}
joints:
  axle: {type: revolute, bodies: [ground, drum], at: [0, 0, 5], axis: y}
  rope: {type: rope, bodies: [ground, load], at: [[0.3, 0, 5], [0.3, 0, 0]], winch: trueEA}
  tie: {type: gear, joint: axle, to: rope, radius: 0.3}
analysis: {end: 1 s, step: 5 ms}
"""
    a = 10*G/(10 + 0.9/0.3**2)
    errors = []
    for step in ("4 ms", "2 ms"):
        out = run(text.replace("EA", ""), scheme=scheme, step=step, case="drum", audit=AUDIT)
        errors.append(out.position("load")[-1, 2] + a/2)
        check("drum", f"{scheme}, turns", out.coordinate("axle", "angle")[-1]*0.3 + out.position("load")[-1, 2], 1e-12)
        check("drum", f"{scheme}, rope", out.coordinate("rope", "length")[-1] - 5 + out.position("load")[-1, 2], 1e-12)
    check("drum", f"{scheme}, way", errors[1], 1e-4)
    check("drum", f"{scheme}, order 2", errors[0]/errors[1] - 4, 0.1)
    soft = run(text.replace("EA", ", EA: 1e6", 1), scheme=scheme, step="1 ms", case="drum", audit=AUDIT)
    check("drum", f"{scheme}, way of a rope that stretches", soft.position("load")[-1, 2] + a/2, 3e-3)


def stretches(scheme):
    """A weight on a rope that stretches: period and length of a spring EA/L; slack, it falls freely."""
    text = HEAD + """bodies: {load: {type: point, mass: 2, position: [0, 0, -4]}}
joints: {rope: {type: rope, bodies: [ground, load], at: [[0, 0, 0], [0, 0, -4]], EA: 800, length: LENGTH}}
analysis: {end: 1 s, step: 2 ms}
"""
    out = run(text.replace("LENGTH", "4"), scheme=scheme, case="soft", audit=AUDIT)
    omega = math.sqrt(200/2)
    z = -4 - 2*G/200*(1 - np.cos(omega*out.t))
    check("soft", f"{scheme}, motion", out.position("load")[:, 2] - z, 2e-3)
    fall = run(text.replace("LENGTH", "8"), scheme=scheme, end="0.8 s", case="soft", audit=AUDIT)
    check("soft", f"{scheme}, slack", fall.position("load")[-1, 2] + 4 + G*0.32, 1e-10)
    caught = run(text.replace("LENGTH", "4.5"), scheme=scheme, case="soft", audit=AUDIT)
    k = 800/4.5
    check("soft", f"{scheme}, caught", caught.position("load")[:, 2].min() + 4.5 + (2*G + math.sqrt((2*G)**2 + 2*k*2*G*0.5))/k, 5e-3)


def free_bodies(scheme):
    """A rope from body to body over a third one, in free flight."""
    text = """torsor: 1
units: SI
bodies:
  a: {mass: 1, inertia: [0.1, 0.2, 0.15], velocity: [0, 0.3, 0], angular_velocity: [1, 2, 3]}
  b: {mass: 2, inertia: [0.2, 0.3, 0.4], position: [1, 0, 0], velocity: [0, -0.5, 0.2], angular_velocity: [-1, 1, 0.5]}
  c: {mass: 1.5, inertia: [0.2, 0.1, 0.2], position: [0.5, 1, 0], angular_velocity: [0.5, -1, 0.5]}
joints: {rope: {type: rope, bodies: [a, c, b, a], at: [[0.1, 0, 0], [0.5, 0.8, 0], [0.9, 0.1, 0.1], [0, 0, 0.2]]MORE}}
analysis: {end: 1 s, step: 10 ms}
"""
    for more in ("", ", EA: 300, length: 2"):
        out = run(text.replace("MORE", more), scheme=scheme, case="free", audit=AUDIT)
        for name in ("momentum_linear", "momentum_angular"):
            check("free", f"{scheme}, {name}", out.frame[name] - out.frame[name][0], 2e-12, quiet=True)


def rests():
    """A block and tackle in equilibrium: twice the tension carries the load. Small vibrations of a load on a rope."""
    text = HEAD + """bodies:
  load: {type: point, mass: 10, position: [0.5, 0, -2]}
  weight: {type: point, mass: 5, position: [3, 0, -1]}
joints:
  rope: {type: rope, bodies: [ground, load, ground, ground, weight], at: [[0.5, 0, 0], [0.5, 0, -2], [0.5, 0, 0], [3, 0, 0], [3, 0, -1]], EA: 1e5}
  rails: {type: point_on_line, bodies: [ground, load], at: [0.5, 0, -2], axis: z}
  guide: {type: point_on_line, bodies: [ground, weight], at: [3, 0, -1], axis: z}
springs: {tether: {bodies: [ground, load], from: [0.5, 0, -4], to: [0.5, 0, -2], stiffness: 100}}
analysis: {start: static, end: 0.1 s, step: 10 ms}
"""
    out = run(text, case="rest", audit=1e-9)
    check("rest", "tension", out.force("rope")[:, 2] - 5*G, 1e-6)
    text = HEAD + """bodies: {load: {type: point, mass: 2, position: [0, 0, -4]}}
joints: {rope: {type: rope, bodies: [ground, load], at: [[0, 0, 0], [0, 0, -4]]}}
analysis: {end: 1 s, step: 10 ms}
"""
    found = modes_of(text, 1)
    hertz = found[0]["frequency"] if isinstance(found[0], dict) else found[0]
    check("rest", "frequency of a pendulum", hertz*2*math.pi/math.sqrt(G/4) - 1, 1e-9)


def much_at_once(scheme):
    """A load is let down at a constant speed, in steps that let out 25 times the stretch of its rope: the tension stays."""
    text = HEAD + f"""bodies: {{load: {{type: point, mass: 100, position: [0, 0, -1], velocity: [0, 0, -1]}}}}
joints: {{hoist: {{type: rope, bodies: [ground, load], at: [[0, 0, 0], [0, 0, -1]], EA: 1e6, length: {1/(1 + 100*G/1e6)}, winch: true}}}}
motions: {{down: {{joint: hoist, displacement: ({1/(1 + 100*G/1e6)} + t)*1 m}}}}
analysis: {{end: 1 s, step: 25 ms}}
"""
    out = run(text, scheme=scheme, case="much", audit=AUDIT)
    way = -out.position("load")[:, 2]/out.coordinate("hoist", "length") - 1
    check("much", f"{scheme}, strain", way[1:]*1e6/(100*G) - 1, 0.2)
    check("much", f"{scheme}, strain in the mean", np.mean(way[1:])*1e6/(100*G) - 1, 0.02)


def restarts(scheme):
    with model_file(LIFT.replace("MORE", ", EA: 1e6")) as path:
        whole, rest = path.with_name("whole.h5"), path.with_name("rest.h5")
        events("run", path, "-o", whole, "--scheme", scheme)
        torsor("restart", whole, "--from", 40, "-q", "-o", rest)
        with h5py.File(whole) as a, h5py.File(rest) as b:
            for name in ("q", "v"):
                check("restart", f"{scheme}, {name}", a[f"frames/{name}"][-1] - b[f"frames/{name}"][-1], 0, quiet=True)


def drawn():
    """A rope is drawn line by line, from place to place, whether it stretches or not; a wire by two lines for each piece, and what slides on it."""
    for more in ("", ", EA: 1e6"):
        with model_file(LIFT.replace("MORE", more)) as path:
            events("run", path, "-o", path.with_name("o.h5"), "--end", "10 ms")
            with h5py.File(path.with_name("o.h5")) as file:
                rows = [row for row in file["geometry/links"][:] if row["part"] == b"rope"]
        points = [[tuple(row[end + axis] for axis in "xyz") for end in "ab"] for row in rows]
        check("drawn", f"rope{more}", points != [[(0, 0, 0), (0, 0, 30)], [(0, 0, 30), (2, 0, 30)], [(2, 0, 30), (0, 0, 0)]], 0)
    path_text = HEAD + """bodies: {bead: {type: point, mass: 1, position: [1, 0, 0]}}
joints: {slide: {type: sliding, on: ground, body: bead, at: [1, 0, 0], path: [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}}
analysis: {end: 0.1 s, step: 10 ms}
"""
    with model_file(path_text) as path:
        events("run", path, "-o", path.with_name("o.h5"))
        with h5py.File(path.with_name("o.h5")) as file:
            check("drawn", "path", len(file["geometry/links"]) - 5, 0)


def mistakes():
    good = LIFT.replace("MORE", "")
    for old, new, said in (("[0, 0, 30], [2, 0, 30], ", "[0, 0, 30], ", "3 places, but 4 bodies"),
                           ("[0, 0, 30], [2, 0, 30]", "[0, 0, 30], [0, 0, 30]", "places 2 and 3 are the same"),
                           ("[2, 0, 20]]", "[2, 0, 21]]", "beside a point"),
                           ("[2, 0, 20]]", "[2, 0, 20]], EA: -1", "EA must be above zero"),
                           ("[2, 0, 20]]", "[2, 0, 20]], length: 0", "the length must be above zero"),
                           ("bodies: [cage, ground, ground, weight]", "bodies: [cage, ground, grund, weight]", "grund")):
        with model_file(good.replace(old, new)) as path:
            told = torsor("check", path, code=2).stderr
            assert said in told and "yaml:" in told, (said, told)
    nowhere = HEAD_OF_ALL + "joints: {j: {type: rope, bodies: [ground, ground], at: [[0, 0, 0], [1, 0, 0]]}}\n"
    with model_file(nowhere) as path:
        told = torsor("check", path, code=2).stderr
        assert "it moves nothing" in told and "yaml:" in told, told
    wound = HEAD_OF_ALL + "joints: {j: {type: rope, bodies: [ground, bead], at: [[0, 0, 3], [0.5, 0, 0]], winch: true, EA: 1e5}}\nmotions: {m: {joint: j, displacement: 3 m - 5 m*t}}\nanalysis: {step: 5 ms, end: 1 s}\n"
    with model_file(wound) as path:
        told = torsor("run", path, "-o", path.with_name("o.h5"), code=4).stderr
        assert "'j' is all on its drum at t = 0.595" in told and "OPEN" not in told, told


HEAD_OF_ALL = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {bead: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.5, 0, 0]}}
"""


if __name__ == "__main__":
    need_program()
    for scheme in ("EP", "ED"):
        swinging_atwood(scheme)
        counterweight(scheme)
        winch(scheme)
        drum(scheme)
        stretches(scheme)
        free_bodies(scheme)
        restarts(scheme)
        much_at_once(scheme)
    rests()
    drawn()
    mistakes()
    sys.exit(verdict())
