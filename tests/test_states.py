#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""State variables with an equation of their own: a lag, a DC motor, a PID controller, an oscillator of two variables, against the exponential of their matrices; equilibria, modes of controlled systems; restarts."""
import math
import sys

from case_tools import Run, check, h5py, need_program, np, run as run_case, solve, verdict

from program import events, model_file, modes_of, torsor

try:
    from scipy.linalg import expm
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

LAG = """torsor: 1
units: SI
bodies: {rest: {mass: 1, inertia: [1, 1, 1]}}
states: {lag: {rate: (1 - lag.value)/(0.3 s), initial: 0.25}}
analysis: {end: 1 s, step: 20 ms}
"""

# L i' = u - R i - k w,  J w' = k i - c w
MOTOR = """torsor: 1
units: SI
bodies: {rotor: {mass: 1, inertia: [1, 1, 0.02]}}
joints: {shaft: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}
springs: {bearing: {type: torsion_spring, joint: shaft, damping: 0.01}}
states: {current: {rate: (24 - 1.5*current.value - 0.3 s * shaft.angle.rate/(1 rad))/(0.01 s), scale: 10}}
loads: {coil: {type: motor, joint: shaft, torque: 0.3 N*m * current.value}}
analysis: {end: 0.2 s, step: 4 ms}
"""

# m x'' = kp e + ki z + kd e',  z' = e = 1 - x
PID = """torsor: 1
units: SI
bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
signals: {error: 1 m - rail.displacement}
states: {integral: {rate: error/(1 m*s)}}
loads: {drive: {type: motor, joint: rail, force: 60 N/m * error - 15 N*s/m * rail.displacement.rate + 40 N * integral.value}}
analysis: {end: 2 s, step: 20 ms}
"""

# a large number: a pressure in pascal
RING = """torsor: 1
units: SI
bodies: {rest: {mass: 1, inertia: [1, 1, 1]}}
states:
  a: {rate: 3 * b.value/(1 s), initial: 2e5}
  b: {rate: -3 * a.value/(1 s), scale: 1e5}
analysis: {end: 2 s, step: 10 ms}
"""

STILL = """torsor: 1
units: SI
bodies: {bob: {mass: 1, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, bob], at: [0, 0, 0], axis: x}}
springs: {k: {type: joint_spring, joint: rail, stiffness: 50}}
states: {valve: {rate: (2 - valve.value - 10 * rail.displacement/(1 m))/(1 s)}}
loads: {push: {type: motor, joint: rail, force: 3 N * valve.value}}
analysis: {type: static, increments: 3}
"""


def run(text, **options):
    """A run whose energy account closes to 1e-11."""
    return run_case(text, **{"audit": 1e-11, **options})


def value(out, name, coordinate="value"):
    return out.coordinate(name, coordinate)


def orders(case, text, scheme, exact, of):
    """The error of the last state falls with the square of the step, and is small."""
    errors = []
    for step in (2, 1):
        out = run(text, scheme=scheme, step=f"{step*float(text.split('step: ')[1].split(' ms')[0])} ms", case=case, audit=1e-11)
        errors.append(np.max(np.abs(np.array(of(out)) - exact)))
    order = math.log2(errors[0]/errors[1])
    check(case, f"{scheme}, order", order - 2, 0.1, f"{order:.2f}, error {errors[1]:.1e}")


def exact_state(A, b, x, t):
    """x' = A x + b"""
    n = len(x)
    M = np.zeros((n + 1, n + 1))
    M[:n, :n], M[:n, n] = A, b
    return (expm(M*t) @ np.append(x, 1))[:n]


def rates():
    """The column of rates has means over steps; a rate that alternates from step to step would not be one."""
    out = run(LAG, case="lag", audit=1e-11)
    exact = 0.75*np.exp(-(out.t[1:] - 0.01)/0.3)/0.3
    check("lag", "rate at the start", out.coordinate_rate("lag", "value")[0] - 2.5, 1e-9)
    check("lag", "rates in the middle of steps", out.coordinate_rate("lag", "value")[1:] - exact, 2e-3)


def restarts():
    with model_file(MOTOR) as path:
        whole, rest = path.with_name("whole.h5"), path.with_name("rest.h5")
        events("run", path, "-o", whole)
        torsor("restart", whole, "--from", 20, "-q", "-o", rest)
        with h5py.File(whole) as a, h5py.File(rest) as b:
            for name in ("q", "v"):
                check("restart", name, a[f"frames/{name}"][-1] - b[f"frames/{name}"][-1], 0)


CYCLES = (
    ("signals: {a: b + 1, b: 2*a}\n", "cyclic definition: a, b, a"),
    ("signals: {first: 1 + 2*last, aside: 3, middle: aside + first, last: middle^2}\n", "cyclic definition: first, last, middle, first"),
    ("parameters: {a: 2*c, b: 3*a, c: b + 1}\n", "cyclic definition: a, c, b, a"),
    ("parameters: {a: 2*a}\n", "'a' is defined by itself"),
    ("parameters: {a: 2*b, b: 3}\n", "'b' is defined further down"),
    ("signals: {ab: 2*b, b: 3*abc, abc: t}\n", "'b' is defined further down"),
)


def cycles():
    """Definitions that use each other are refused with the cycle named; values of blocks that do are solved: a = (1 + b)/2, b = a/2."""
    head = "torsor: 1\nunits: SI\nbodies: {cart: {mass: 2, inertia: [1, 1, 1]}}\nanalysis: {end: 0.1, step: 0.01}\n"
    for text, words in CYCLES:
        with model_file(head + text) as path:
            said = torsor("check", path, code=2).stderr
            check("cycles", words, 0 if words in said else 1, 0, "" if words in said else said[:300])
    for scheme in ("EP", "ED"):
        out = run(head + "states: {a: {type: pid, error: 1 + b, kp: 0.5}, b: {type: pid, error: a, kp: 0.5}}\n", scheme=scheme)
        check("cycles", f"a ring of blocks, {scheme}", [value(out, "a")[1:] - 2/3, value(out, "b")[1:] - 1/3], 1e-12)
        check("cycles", f"at the start it is found by repetition, {scheme}", value(out, "a")[0] - 2/3, 1e-6)
    with model_file(head + "states: {a: {type: pid, error: 1 + b, kp: 1}, b: {type: pid, error: a, kp: 1}}\n") as path:
        said = torsor("run", path, "-q", code=4).stderr
        check("cycles", "a ring without a solution ends the run", 0 if "singular" in said or "convergence" in said else 1, 0, said[:200])


def plain_tables():
    """A table without units in its first column, called with a plain number, whatever the unit of time is; it is a function of time as well."""
    text = """torsor: 1
units: {length: m, mass: kg, time: TIME}
signals: {curve: {table: [[0, 0 N], [1, 5 N], [2, 7 N]]}}
bodies: {cart: {mass: 2 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
states: {x: {rate: 0/(1 s), initial: 1.5}}
loads: {push: {type: motor, joint: rail, force: FORCE}}
analysis: {end: 1 s, step: 100 ms}
"""
    for unit in ("s", "ms"):
        out = run(text.replace("TIME", unit).replace("FORCE", "curve(x)"))
        check("tables of plain numbers", f"with {unit} as the unit of time", out.velocity("cart")[-1, 0] - 6/2, 1e-12)
    out = run(text.replace("TIME", "s").replace("FORCE", "curve"))
    check("tables of plain numbers", "over time", out.velocity("cart")[-1, 0] - 2.5/2, 1e-12)
    with model_file(text.replace("TIME", "s").replace("FORCE", "curve(rail.displacement)")) as path:
        said = torsor("check", path, code=2).stderr
        check("tables of plain numbers", "not of a length", 0 if "is a function of: time (s), not of: length" in said else 1, 0, said[:200], quiet=True)


def units():
    """Units of plain numbers in tables: those that are given, those of ready parts, none."""
    text = """torsor: 1
units: SI
bodies: {block: {mass: 50 kg, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0, 0], at_b: [1, 0, 0], axis: x}}
springs: {lift: {type: hydraulic_cylinder, bodies: [ground, block], from: [0, 0, 0], to: [1, 0, 0], area_a: 20 cm^2, area_b: 12 cm^2, closed: 0.6 m, open: 1.4 m}}
states:
  x: {rate: 1/(1 s), unit: A}
  y: {rate: 1/(1 s)}
  u: {type: pid, error: 1 m - rail.displacement, kp: 2, unit: V}
  f: {type: transfer_function, input: x, numerator: [1], denominator: [0.1, 1], unit: N m}
  k: {type: sampled, value: x + 1, period: 0.01 s, unit: rpm}
analysis: {step: 0.01, end: 0.02}
"""
    columns = ["x.value", "x.value.rate", "y.value", "u.value", "u.error", "f.value", "k.value", "lift.pressure_a", "lift.pressure_b.rate", "rail.displacement"]
    wanted = ["A", "A/s", "1", "V", "1", "N m", "rpm", "Pa", "Pa/s", "m"]
    with model_file(text) as path:
        torsor("run", path, "-q", "-o", path.with_suffix(".h5"))
        head = torsor("info", path.with_suffix(".h5"), "--csv", *columns).stdout.splitlines()[0].split(",")[1:]
        told = torsor("channels", path).stdout
    check("units", "in tables", 0 if head == [f"{c} [{u}]" for c, u in zip(columns, wanted)] else 1, 0, str(head))
    check("units", "in the list of channels", 0 if " Pa " in told and " rpm " in told else 1, 0)
    for bad in ("twelve-letters", "'[A]'", "''"):
        with model_file(text.replace("unit: A}", f"unit: {bad}}}")) as path:
            said = torsor("check", path, code=2).stderr
            check("units", f"refused: {bad}", 0 if "name of a unit" in said else 1, 0, said[:200], quiet=True)


BLOCK = """torsor: 1
units: SI
gravity: [9.81, 0, 0]
bodies: {block: {mass: 2, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0, 0], axis: x}}
states: {n: STATE}
loads: {force: {type: motor, joint: rail, force: 1 N*n - 3000 N/m*rail.displacement}}
analysis: {ANALYSIS}
"""


def at_rest():
    """Counters and clocks have no equilibrium of their own: they stay where they are drawn. So does the integral of a controller that has none."""
    for name, state, pull, stiffness in (("counter", "{rate: 0/(1 s), initial: 3}", 3, 0), ("clock", "{rate: 2/(1 s), initial: 3}", 3, 0),
                                         ("p", "{type: pid, error: 0 m - rail.displacement, kp: 20}", 0, 20), ("pd", "{type: pid, error: 0 m - rail.displacement, kp: 20, kd: 4, filter: 20 ms}", 0, 20)):
        for analysis in ("type: static", "start: static, step: 10 ms, end: 20 ms"):
            out = solve(Run, BLOCK.replace("STATE", state).replace("ANALYSIS", analysis))
            check("at rest", f"{name}, {analysis}", value(out, "rail", "displacement")[0 if "start" in analysis else -1] - (2*9.81 + pull)/(3000 + stiffness), 1e-12)


ROTOR = """torsor: 1
units: SI
bodies: {rotor: {mass: 1, inertia: [1, 1, 0.5]}}
joints: {r: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}
states: {STATES}
loads: {drive: {type: motor, joint: r, torque: 'TORQUE'}}
"""


def loops():
    """Modes of a rotor under controllers, whose states feed each other: the eigenvalues of the matrix of all."""
    states = {"tf": "{type: transfer_function, input: r.angle, numerator: [3, 1], denominator: [0.01, 0.1, 1]}", "p": "{type: pid, error: 0 rad - r.angle, kp: 20, ki: 15, kd: 4, filter: 20 ms}",
              "pd": "{type: pid, error: 0 rad - r.angle, kp: 20, kd: 4, filter: 20 ms}", "f": "{rate: (r.angle/(1 rad) - f)/(50 ms)}", "n": "{rate: 0/(1 s)}", "clock": "{rate: 1/(1 s)}"}
    all_of = np.zeros((7, 7))  # angle, rate, f, both of tf, filtered, integral
    all_of[0, 1], all_of[2, [0, 2]], all_of[3, 4], all_of[4, [0, 3, 4]], all_of[5, [0, 5]], all_of[6, 0] = 1, [20, -20], 1, [100, -100, -10], [-50, -50], -15
    all_of[1] = np.array([-220, -0.3, -5, -0.2, -0.6, -200, 1])/0.5
    for names, torque, matrix in ((["tf"], "-5 N*m*tf - 3 N*m/rad*r.angle", [[0, 1, 0, 0], [-6, 0, -10, -30], [0, 0, 0, 1], [100, 0, -100, -10]]), (["pd", "n", "clock"], "1 N*m*pd", [[0, 1, 0], [-440, 0, -400], [-50, 0, -50]]),
                                  (["f", "tf", "p"], "-5 N*m*f - 0.3 N*m*s/rad*r.rate + 1 N*m*p - 0.2 N*m*tf", all_of)):
        exact = np.linalg.eigvals(matrix)
        exact = np.sort_complex(exact[exact.imag >= 0])
        found = modes_of(ROTOR.replace("STATES", ", ".join(f"{n}: {states[n]}" for n in names)).replace("TORQUE", torque), 10)
        found = np.sort_complex([complex(m["growth"], m["omega"]) for m in found])
        check("loops", ", ".join(names), found/exact - 1 if len(found) == len(exact) else 1, 1e-9)


if __name__ == "__main__":
    need_program()
    for scheme in ("EP", "ED"):
        orders("lag", LAG, scheme, 1 - 0.75*math.exp(-1/0.3), lambda out: value(out, "lag")[-1])
        motor = exact_state([[-150, -30], [15, -0.5]], [2400, 0], [0, 0], 0.2)
        orders("motor", MOTOR, scheme, motor, lambda out: [value(out, "current")[-1], out.coordinate_rate("shaft", "angle")[-1]])
        pid = exact_state([[0, 1, 0], [-30, -7.5, 20], [-1, 0, 0]], [0, 30, 1], [0, 0, 0], 2)
        orders("pid", PID, scheme, pid[[0, 2]], lambda out: [out.coordinate("rail", "displacement")[-1], value(out, "integral")[-1]])
        orders("ring", RING, scheme, [2e5*math.cos(6), -2e5*math.sin(6)], lambda out: [value(out, "a")[-1], value(out, "b")[-1]])
    rates()
    still = solve(Run, STILL)
    # 3 v = 50 x, v = 2 - 10 x
    check("statics", "displacement", value(still, "rail", "displacement")[-1] - 6/80, 1e-12)
    check("statics", "value", value(still, "valve")[-1] - 1.25, 1e-12)
    at_rest(), loops()
    restarts()
    cycles(), plain_tables(), units()
    sys.exit(verdict())
