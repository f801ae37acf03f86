#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Forces that depend on the state, given by expressions of channels: springs, dampers, motors and loads.
Expected values: the built-in spring and damper of the same numbers; Van der Pol's oscillator, a pendulum that another joint brakes and a
pursuit of two points against scipy's DOP853, at second order; Duffing's period by an elliptic integral; closed forms of a linear
oscillator. Energies of formulas that depend on one coordinate alone are elastic, what opposes its rate is dissipated, the rest is work."""

import sys

from case_tools import check, need_program, run as run_case, verdict
from program import QUICK, model_file, modes_of, torsor

import h5py
import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipk

LEDGER = ["kinetic", "elastic", "gravity", "work_loads", "work_drives", "dissipated", "algorithmic", "balance", "start"]
HEAD = "torsor: 1\nunits: SI\n"
TAIL = "analysis: {scheme: EP, step: 0.01, end: 5}\n"
BLOCK = HEAD + """bodies: {block: {mass: 2 kg, inertia: [1, 1, 1], velocity: [VELOCITY, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0, 0], axis: x}}
"""
ROTOR = HEAD + """gravity: [0, 0, -9.81]
bodies: {rod: {mass: 2 kg, inertia: [0.1, 0.2, 0.2], position: [0.5, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}}
"""
FREE = HEAD + """gravity: [0, 0, -9.81]
bodies: {rod: {mass: 2 kg, inertia: [0.1, 0.2, 0.2], position: [1, 0.3, 0], velocity: [0, 1, 2], angular_velocity: [1, 2, 3]}}
"""


def run(text, **options):
    """A run whose energy account closes to 1e-11."""
    return run_case(text, **{"audit": 1e-11, **options})


def ledger(out, name):
    return out.frame["ledger"][:, LEDGER.index(name)]


def same(case, one, other, tolerance=1e-11):
    """Motion, rates and every line of the ledger."""
    for array in ("q", "v"):
        size = np.max(np.abs(one.frame[array]))
        check(case, f"{array} of both", (one.frame[array] - other.frame[array])/size, tolerance, quiet=True)
    size = np.max(np.abs(one.frame["ledger"][:, :7]))
    for name in LEDGER[:7]:
        check(case, f"{name} of both", (ledger(one, name) - ledger(other, name))/size, tolerance, quiet=True)


PAIRS = {
    # the built-in part, and the same by a formula
    "spring on a rail": (BLOCK.replace("VELOCITY", "3") + "springs: {s: {type: joint_spring, joint: rail, stiffness: 50 N/m}}\n",
                         BLOCK.replace("VELOCITY", "3") + "loads: {s: {type: motor, joint: rail, force: -50 N/m * rail.displacement}}\n"),
    "damper on a rail": (BLOCK.replace("VELOCITY", "3") + "springs: {s: {type: joint_spring, joint: rail, damping: 3 N*s/m}}\n",
                         BLOCK.replace("VELOCITY", "3") + "loads: {s: {type: motor, joint: rail, force: -3 N*s/m * rail.displacement.rate}}\n"),
    "spring, damper, hardening": (
        BLOCK.replace("VELOCITY", "3")
        + "springs: {s: {type: joint_spring, joint: rail, stiffness: 50 N/m, damping: 3 N*s/m, cubic: 80 N/m^3, free_displacement: 0.1 m}}\n",
        BLOCK.replace("VELOCITY", "3")
        + "signals: {u: rail.displacement - 0.1 m, pull: 50 N/m * u + 80 N/m^3 * u^3 + 3 N*s/m * rail.displacement.rate}\n"
        + "springs: {s: {type: joint_spring, joint: rail, free_displacement: 0.1 m, force: pull}}\n"),
    "one-sided spring": (
        BLOCK.replace("VELOCITY", "3")
        + "springs: {s: {type: joint_spring, joint: rail, stiffness: 10 N/m, stop_max: 0.2 m, stop_stiffness: 900 N/m}}\n",
        BLOCK.replace("VELOCITY", "3")
        + "springs: {s: {type: joint_spring, joint: rail, stiffness: 10 N/m, force: '900 N/m * max(rail.displacement - 0.2 m, 0)'}}\n"),
    "damper by a table": (
        BLOCK.replace("VELOCITY", "3") + "springs: {s: {type: joint_spring, joint: rail, stiffness: 20 N/m, damping: 3 N*s/m}}\n",
        BLOCK.replace("VELOCITY", "3") + "signals: {curve: {table: [[-10 m/s, -30 N], [0 m/s, 0 N], [0.5 m/s, 1.5 N], [20 m/s, 60 N]]}}\n"
        + "springs: {s: {type: joint_spring, joint: rail, stiffness: 20 N/m, force: curve(rail.displacement.rate)}}\n"),
    "one-sided spring by a table": (
        BLOCK.replace("VELOCITY", "3")
        + "springs: {s: {type: joint_spring, joint: rail, stiffness: 10 N/m, stop_max: 0.2 m, stop_stiffness: 900 N/m}}\n",
        BLOCK.replace("VELOCITY", "3") + "signals: {curve: {table: [[-9 m, 0 N], [0.2 m, 0 N], [1.2 m, 900 N]]}}\n"
        + "loads: {s: {type: motor, joint: rail, force: -10 N/m * rail.displacement - curve(rail.displacement)}}\n"),
    "torsion spring": (ROTOR + "springs: {s: {type: torsion_spring, joint: hinge, stiffness: 6 N*m/rad, damping: 0.2 N*m*s/rad}}\n",
                       ROTOR + "springs: {s: {type: torsion_spring, joint: hinge, torque: 6 N*m/rad * hinge.angle + 0.2 N*m*s/rad * hinge.angle.rate}}\n"),
    "spring between points": (
        FREE + "springs: {s: {bodies: [ground, rod], from: [0, 0, 0], to: [1.2, 0.4, 0], stiffness: 80 N/m, damping: 1 N*s/m, free_length: 1 m}}\n",
        FREE + "springs: {s: {bodies: [ground, rod], from: [0, 0, 0], to: [1.2, 0.4, 0], free_length: 1 m, "
        "force: 80 N/m * (s.length - 1 m) + 1 N*s/m * s.length.rate}}\n"),
}


def built_in(schemes):
    for case, (one, other) in PAIRS.items():
        for scheme in schemes:
            audit = 1e-11 if scheme in ("EP", "ED") else np.inf  # others have no balance of their own
            a, b = (run(text + TAIL, scheme=scheme, audit=audit) for text in (one, other))
            same(f"{case}, {scheme}", a, b, 1e-10)


def reported():
    """The force of a spring by formula is that of the built-in one, in every row, damper included."""
    one, other = (run(text + TAIL) for text in PAIRS["spring between points"])
    size = np.max(np.abs(one.force("s")))
    check("reported force", "of a formula and of the built-in spring", (one.force("s") - other.force("s"))/size, 1e-8)


MU, STIFFNESS = 1.5, 2.0
VAN_DER_POL = HEAD + f"""bodies: {{block: {{mass: 1 kg, inertia: [1, 1, 1], velocity: [1, 0, 0]}}}}
joints: {{rail: {{type: prismatic, bodies: [ground, block], at: [0, 0, 0], axis: x}}}}
signals:
  x: rail.displacement/1 m
  push: {MU} N*s/m * (1 - x^2)*rail.displacement.rate
loads: {{s: {{type: motor, joint: rail, force: push - {STIFFNESS} N/m * rail.displacement}}}}
"""


def order(case, text, exact, what, steps, tolerance):
    """Errors at the end fall with the square of the step."""
    errors = []
    for h in steps:
        out = run(text + "analysis: {scheme: EP, step: 0.01, end: 5}\n", step=h, audit=1e-11)
        errors.append(abs(what(out)[-1] - exact))
    for coarse, fine in zip(errors, errors[1:]):
        check(case, f"order of convergence, error {fine:.1e}", np.log2(coarse/fine) - 2, 0.1)
    check(case, "error of the finest", errors[-1], tolerance)


def van_der_pol():
    exact = solve_ivp(lambda _, z: [z[1], MU*(1 - z[0]**2)*z[1] - STIFFNESS*z[0]], (0, 5), [0, 1], method="DOP853", rtol=1e-13, atol=1e-14).y[0, -1]
    order("Van der Pol", VAN_DER_POL, exact, lambda out: out.coordinate("rail", "displacement"), [0.02, 0.01, 0.005], 2e-4)
    out = run(VAN_DER_POL + TAIL, audit=1e-11)
    check("Van der Pol", "elastic energy k x^2/2", ledger(out, "elastic") - 0.5*STIFFNESS*out.coordinate("rail", "displacement")**2, 1e-11)
    check("Van der Pol", "supplies energy inside, takes it outside", min(ledger(out, "work_loads")[-1], ledger(out, "dissipated")[-1]) <= 0.1, 0)


def duffing():
    """x'' + a x + b x^3 = 0 from rest at A: T = 4 K(m)/w, w^2 = a + b A^2, m = b A^2/(2 w^2)."""
    a, b, A = 3, 5, 1
    text = HEAD + f"""bodies: {{block: {{mass: 1 kg, inertia: [1, 1, 1], position: [{A}, 0, 0]}}}}
joints: {{rail: {{type: prismatic, bodies: [ground, block], at: [0, 0, 0], at_b: [{A}, 0, 0], axis: x}}}}
loads: {{s: {{type: motor, joint: rail, force: "-({a} N/m * rail.displacement + {b} N/m^3 * rail.displacement^3)"}}}}
"""
    w = np.sqrt(a + b*A**2)
    period = 4*ellipk(b*A**2/(2*w**2))/w
    out = run(text + f"analysis: {{scheme: EP, step: {period/1000}, end: {5*period}}}\n", audit=1e-12)
    check("Duffing", "place after five periods", out.coordinate("rail", "displacement")[-1] - A, 1e-6)
    check("Duffing", "rate after five periods", out.coordinate_rate("rail", "displacement")[-1], 2e-3)
    energy = ledger(out, "kinetic") + ledger(out, "elastic")
    check("Duffing", "energy, EP", energy/(a*A**2/2 + b*A**4/4) - 1, 1e-11)
    large = run(text + f"analysis: {{scheme: EP, step: {period/8}, end: {50*period}}}\n", audit=1e-12)
    energy = ledger(large, "kinetic") + ledger(large, "elastic")
    check("Duffing", "energy, EP, eight steps a period", energy/(a*A**2/2 + b*A**4/4) - 1, 1e-11)


TWO_ROTORS = HEAD + """bodies:
  one: {mass: 1, inertia: [0.5, 0.5, 0.5], angular_velocity: [0, 0, 5]}
  two: {mass: 1, inertia: [0.7, 0.7, 0.7], position: [3, 0, 0]}
joints:
  first: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: z}
  second: {type: revolute, bodies: [ground, two], at: [3, 0, 0], axis: z}
loads:
  brake: {type: motor, joint: first, torque: "-0.4 N*m*s/rad * second.angle.rate - 0.3 N*m * sin(second.angle) + 0.2 N*m * cos(3*t)"}
  drive: {type: motor, joint: second, torque: 1.1 N*m*s/rad * (first.angle.rate - second.angle.rate)}
"""


def another_joint():
    """Torques that read the other joint: angle, rate and time. Each counts turns by itself."""
    def rates(t, z):
        return [z[2], z[3], (-0.4*z[3] - 0.3*np.sin(z[1]) + 0.2*np.cos(3*t))/0.5, 1.1*(z[2] - z[3])/0.7]
    exact = solve_ivp(rates, (0, 5), [0, 0, 5, 0], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    order("another joint", TWO_ROTORS, exact[0], lambda out: out.coordinate("first", "angle"), [0.02, 0.01, 0.005], 1e-3)
    out = run(TWO_ROTORS + TAIL, audit=1e-11)
    check("another joint", "no elastic energy, no dissipation", [np.max(np.abs(ledger(out, x))) for x in ("elastic", "dissipated")], 0)
    check("another joint", "turns", out.coordinate("second", "angle")[-1] < 2*np.pi, 0)


def loads_on_points():
    """A force by the place and velocity of its own point is a spring and a damper; by those of another body it is work."""
    springs = FREE + "loads: {pull: {type: force, body: rod, force: ['-30 N/m * (rod.position.x - 1 m)', '-2 N*s/m * rod.velocity.y', -30 N/m * rod.displacement.z]}}\n"
    out = run(springs + TAIL, audit=1e-11)
    x, t = out.position("rod"), out.t
    w = np.sqrt(15)
    check("force at a point", "x stays", x[:, 0] - 1, 1e-12)
    check("force at a point", "y decays", x[:, 1] - 0.3 - (1 - np.exp(-t)), 1e-4)
    check("force at a point", "z swings", x[:, 2] - (2/w*np.sin(w*t) - 9.81/15*(1 - np.cos(w*t))), 5e-3)
    check("force at a point", "elastic energy", ledger(out, "elastic") - 15*((x[:, 0] - 1)**2 + x[:, 2]**2), 1e-11)
    check("force at a point", "dissipated", ledger(out, "dissipated")[-1] - (1 - np.exp(-2*t[-1])), 1e-4)
    hunt = HEAD + """bodies:
  prey: {type: point, mass: 1, velocity: [1, 0, 0]}
  hunter: {type: point, mass: 2, position: [0, 3, 0]}
loads:
  chase: {type: force, body: hunter, force: ["4 N/m * (prey.position.x - hunter.position.x) - 3 N*s/m * hunter.velocity.x",
          "4 N/m * (prey.position.y - hunter.position.y)", 0]}
"""
    exact = solve_ivp(lambda t, z: [z[1], (4*(t - z[0]) - 3*z[1])/2], (0, 5), [0, 0], method="DOP853", rtol=1e-13, atol=1e-14).y[0, -1]
    order("pursuit", hunt, exact, lambda out: out.position("hunter")[:, 0], [0.04, 0.02, 0.01], 1e-3)


def far_away():
    """Lengths are taken of differences: 1e6 m from the origin a formula is as good as the built-in spring."""
    texts = [text.replace("from: [0, 0, 0], to: [1.2, 0.4, 0]", "from: [1e6, 0, 0], to: [1000001.2, 0.4, 0]").replace("position: [1, 0.3, 0]", "position: [1000001, 0.3, 0]")
             for text in PAIRS["spring between points"]]
    one, other = (run(text + TAIL, audit=1e-6) for text in texts)
    check("far away", "of a formula and of the built-in spring", one.position("rod") - other.position("rod"), 1e-7)


def delayed():
    """A table of time, called with another time: the impulse of a delayed pulse."""
    text = BLOCK.replace("VELOCITY", "0") + "signals: {pulse: {table: [[0 s, 0 N], [0.5 s, 8 N], [1 s, 0 N]]}}\n"
    out = run(text + "loads: {s: {type: motor, joint: rail, force: pulse(time - 1 s)}}\n" + TAIL)
    v = out.coordinate_rate("rail", "displacement")
    check("delayed table", "rest before, 4 N s/2 kg after", [v[out.at(1)], v[out.at(2)] - 2, v[-1] - 2], 1e-12)


def behind():
    """Springs that read each other's length, one of which stands further down: equal to the same of joint coordinates. A drive by time between points is a motor."""
    two = HEAD + """bodies: {a: {type: point, mass: 1, position: [1, 0, 0]}, b: {type: point, mass: 2, position: [0, 2, 0]}}
springs:
  first: {bodies: [ground, a], from: [0, 0, 0], to: [1, 0, 0], force: 9 N/m * (second.length - 1.9 m)}
  second: {bodies: [ground, b], from: [0, 0, 0], to: [0, 2, 0], force: '7 N/m * (first.length - 0.8 m) + 1 N*sin(t)'}
"""
    def rates(t, z):
        return [z[2], z[3], -9*(z[1] - 1.9), (-7*(z[0] - 0.8) - np.sin(t))/2]
    exact = solve_ivp(rates, (0, 0.5), [1, 2, 0, 0], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    out = run(two + "analysis: {scheme: EP, step: 1e-4, end: 0.5}\n", audit=1e-11)
    check("springs that read each other", "places", [out.position("a")[-1, 0] - exact[0], out.position("b")[-1, 1] - exact[1]], 1e-7)


def too_many():
    """Ten bodies are more than one force can read: an error with its place, not a crash."""
    bodies = "".join(f"  b{i}: {{mass: 1, inertia: [1, 1, 1], position: [{i}, 0, 0]}}\n" for i in range(10))
    total = " + ".join(f"b{i}.position.x" for i in range(10))
    with model_file(HEAD + "bodies:\n" + bodies + f"loads:\n  sum: {{type: force, body: b0, force: [1 N/m * ({total}), 0, 0]}}\n" + TAIL) as path:
        said = torsor("check", path, code=2).stderr
    check("too many channels", "told at its place", 0 if "case.yaml:15:3: error: this force reads too many channels: at most 9 bodies" in said else 1, 0, note=said)


def many_turns():
    """A torque that is a function of the angle: an energy over any number of turns."""
    text = HEAD + """bodies: {rod: {mass: 2 kg, inertia: [0.1, 0.2, 0.2], angular_velocity: [0, 20, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}}
loads: {m: {type: motor, joint: hinge, torque: -3 N*m * sin(hinge.angle)}}
"""
    out = run(text + "analysis: {scheme: EP, step: 0.01, end: 20}\n", audit=1e-12)
    angle = out.coordinate("hinge", "angle")
    check("many turns", "energy 3 (1 - cos)", ledger(out, "elastic") - 3*(1 - np.cos(angle)), 1e-10)
    check("many turns", "turns", angle[-1] < 20*np.pi, 0)


def linearised():
    """Modes, their damping and the static equilibrium are those of the built-in spring and damper, and of the closed form."""
    texts = [text.replace("units: SI\n", "units: SI\ngravity: [-9.81, 0, 0]\n").replace("VELOCITY", "0") + "analysis: {type: static}\n" for text in (
        BLOCK + "springs: {s: {type: joint_spring, joint: rail, stiffness: 50 N/m, damping: 3 N*s/m}}\n",
        BLOCK + "loads: {s: {type: motor, joint: rail, force: -50 N/m * rail.displacement - 3 N*s/m * rail.displacement.rate}}\n")]
    one, other = (modes_of(text, 1)[0] for text in texts)
    check("modes and statics", "frequency", other["frequency"]*2*np.pi/np.sqrt(25 - 0.75**2) - 1, 1e-9)
    check("modes and statics", "frequency and damping of both", [other[key]/one[key] - 1 for key in ("frequency", "damping")], 1e-9)
    with model_file(texts[1]) as path:
        torsor("run", path, "-q", "-o", path.with_suffix(".h5"))
        with h5py.File(path.with_suffix(".h5")) as file:
            place = file["frames/coordinate"][int(file["progress"][0]) - 1, 0]
    check("modes and statics", "place under its weight", place + 2*9.81/50, 1e-9)


def restart():
    """A restart goes on bit for bit: what laws of the state remember is in the state."""
    text = TWO_ROTORS + "springs: {s: {bodies: [one, two], from: [0.2, 0, 0], to: [2.8, 0.1, 0], force: 5 N/m * (s.length - 2 m)*(1 + 0.1*sin(second.angle)) + 3 N/m^2 * s.length^2}}\n"
    with model_file(text + "analysis: {scheme: EP, step: 0.01, end: 2}\noutputs: {restart: 1}\n") as path:
        whole, part, rest = (path.with_name(f"{name}.h5") for name in ("whole", "part", "rest"))
        torsor("run", path, "-q", "-o", whole)
        torsor("run", path, "-q", "-o", part, "--end", "1")
        torsor("restart", part, "-q", "-o", rest, "--end", "2")
        with h5py.File(whole) as a, h5py.File(rest) as b:
            for name in ("q", "v", "memory", "ledger"):
                first, second = a[f"frames/{name}"][:], b[f"frames/{name}"][:]
                check("restart", f"{name} in every row", first[-len(second):] - second, 0)
                check("restart", f"{name}: rows", len(second) < 100, 0)


SPINNING = HEAD + """bodies:
  top: {mass: 2 kg, inertia: [0.1, 0.25, 0.3], angular_velocity: [1, 2, -3], velocity: [0.3, 0, 1]}
"""
INERTIA = np.array([0.1, 0.25, 0.3])


def free_body(load, end=5):
    """Euler's equations and the motion of the centre, with R the columns of axes; load(t, R, omega, v) gives force and moment in global axes."""
    def rates(t, z):
        R, w, v = z[:9].reshape(3, 3), z[9:12], z[15:18]  # w in body axes
        force, moment = load(t, R, R @ w, z[12:15], v)
        spin = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        return np.concatenate([(R @ spin).ravel(), (R.T @ moment - np.cross(w, INERTIA*w))/INERTIA, v, force/2])
    start = np.concatenate([np.eye(3).ravel(), [1, 2, -3], [0, 0, 0], [0.3, 0, 1]])
    return solve_ivp(rates, (0, end), start, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]


def moments_and_followers():
    """Moments by angular velocities and axes, forces in body axes by velocities: against Euler's equations. A damper by its own angular velocity dissipates."""
    zero = np.zeros(3)
    control = SPINNING + """loads:
  align: {type: moment, body: top, moment: ["-0.2 N*m*s/rad * top.omega.x - 0.5 N*m * top.orientation.d3.y", "-0.2 N*m*s/rad * top.omega.y + 0.5 N*m * top.orientation.d3.x", "-0.2 N*m*s/rad * top.omega.z"]}
"""
    end = free_body(lambda t, R, w, x, v: (zero, -0.2*w + 0.5*np.array([-R[1, 2], R[0, 2], 0])))
    order("moment by omega and axes", control, end[0], lambda out: out.rotation("top")[:, 0, 0], [0.02, 0.01, 0.005], 1e-3)
    out = run(control + TAIL, audit=1e-11)
    brake = SPINNING + """loads: {drag: {type: moment, body: top, moment: [-0.2 N*m*s/rad * top.omega.x, -0.2 N*m*s/rad * top.omega.y, -0.2 N*m*s/rad * top.omega.z]}}\n"""
    out = run(brake + TAIL, audit=1e-11)
    check("moment by omega", "dissipated alone", [np.max(np.abs(ledger(out, "work_loads"))), max(-np.min(np.diff(ledger(out, "dissipated"))), 0)], 1e-12)
    own = SPINNING + """loads: {turn: {type: moment, body: top, follower: true, moment: [0.3 N*m * cos(top.position.z/(1 m)), -0.1 N*m*s/rad * top.omega.y, 0.05 N*m]}}\n"""
    end = free_body(lambda t, R, w, x, v: (zero, R @ [0.3*np.cos(x[2]), -0.1*w[1], 0.05]))
    order("follower moment", own, end[1], lambda out: out.rotation("top")[:, 0, 1], [0.02, 0.01, 0.005], 2e-3)
    point = np.array([0.2, -0.1, 0.3])
    thrust = SPINNING + """loads: {jet: {type: force, body: top, follower: true, point: [0.2, -0.1, 0.3], force: [0, 0.4 N * cos(top.position.z/(1 m)), -0.3 N*s/m * top.velocity.z]}}\n"""

    def jet(t, R, w, x, v):
        force = R @ [0, 0.4*np.cos(x[2]), -0.3*v[2]]
        return force, np.cross(R @ point, force)
    end = free_body(jet)
    order("follower force", thrust, end[12], lambda out: out.position("top")[:, 0], [0.02, 0.01, 0.005], 1e-3)
    for text in (control, own, thrust):
        run(text + TAIL, scheme="ED", audit=1e-11)


def same_followers():
    """A follower that reads a channel without depending on it is the one of time."""
    for kind in ("force: [0.3 N*FACTOR, 0.2 N, -0.1 N*FACTOR], point: [0.1, 0.2, 0.3]", "moment: [0.3 N*m*FACTOR, 0.2 N*m, -0.1 N*m*FACTOR]"):
        ends = []
        for factor in ("cos(t)", "(cos(t) + 0*top.position.x/(1 m))"):
            text = SPINNING + f"loads: {{p: {{type: {kind.split(':')[0]}, body: top, follower: true, {kind.replace('FACTOR', factor)}}}}}\n"
            ends.append(run(text + "analysis: {scheme: EP, step: 0.002, end: 2}\n", audit=1e-11).rotation("top")[-1])
        check(f"follower {kind[:6]}", "of the state and of time", ends[0] - ends[1], 1e-4)


def reactions():
    """The force of a joint within expressions is the one in the results, of the same step: a lag that follows it. And a brake by it has its torque."""
    text = HEAD + """gravity: [0, 0, -9.81]
bodies: {rod: {mass: 2 kg, inertia: [0.1, 0.2, 0.2], position: [0.5, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}}
states: {z: {type: pid, error: hinge.force.z, kp: 1}, x: {type: pid, error: hinge.force.x, kp: 1}}
"""
    out = run(text + "analysis: {scheme: EP, step: 0.001, end: 1}\n", audit=1e-11)
    force = out.force("hinge")
    for k, name in ((0, "x"), (2, "z")):
        told = out.coordinate(name, "error")[1:]
        check("reactions", f"{name}, mean over steps", told - 0.5*(force[1:, k] + force[:-1, k]), 2e-4*np.max(np.abs(force)))
    brake = text + "loads: {brake: {type: motor, joint: hinge, torque: '-0.1 m * hinge.force.z * tanh(hinge.rate/(0.2 rad/s))'}}\n"
    J, m, a = 0.2 + 2*0.25, 2, 0.5

    def rates(t, z):
        # y downwards turn: z = -a sin(angle); J q'' = m g a cos q - 0.1 Fz tanh, Fz = m (z'' + g)
        q, w = z
        grip = 0.1*np.tanh(w/0.2)
        # z'' = -a (q'' cos q - w^2 sin q); Fz is linear in q''
        Fz0, Fz1 = m*(9.81 + a*w*w*np.sin(q)), -m*a*np.cos(q)
        return [w, (m*9.81*a*np.cos(q) - grip*Fz0)/(J + grip*Fz1)]
    exact = solve_ivp(rates, (0, 5), [0, 0], method="DOP853", rtol=1e-12, atol=1e-13).y[0, -1]
    order("brake by a reaction", brake, exact, lambda out: out.coordinate("hinge", "angle"), [0.01, 0.005, 0.0025], 5e-3)
    for channel, words in (("rod.force.y", "'rod' has no channel 'force.y' to depend on"), ("hinge.force.w", "has no channel 'force.w'")):
        with model_file(text.replace("states: {", f"states: {{s: {{type: pid, error: {channel}}}, ").replace("joints: {", "joints: {rail: {type: prismatic, bodies: [ground, rod], at: [0, 0, 0], axis: x}, ") + TAIL) as path:
            message = torsor("check", path, code=2).stderr
        check("reactions", channel, 0 if words in message else 1, 0, message)


def broken_table():
    """A table in a file that cannot be read beyond doubt: the message names that file, its line and shows it."""
    for content, words in (("0,0,5\n1,1,5\n", ("curve.csv:1:1: error", "\n  0,0,5\n")), ("x;y\n0;0,5\n1;1.5\n", ("curve.csv:3:3: error", "\n  1;1.5\n"))):
        with model_file(BLOCK.replace("VELOCITY", "0") + "signals: {curve: {file: curve.csv}}\nloads: {s: {type: motor, joint: rail, force: curve}}\n" + TAIL) as path:
            path.with_name("curve.csv").write_text(content, encoding="utf-8")
            message = torsor("check", path, code=2).stderr
        check("tables", f"{content!r}", [0 if word in message else 1 for word in words], 0, message)


def told_of_springs():
    """Length, rate, pull and power in the results: of a damped spring between points, of a motor, of a load by a channel. Powers add up to the change of energy."""
    text = FREE.replace("gravity: [0, 0, -9.81]\n", "") + "springs: {s: {bodies: [ground, rod], from: [0, 0, 0], to: [1.2, 0.4, 0], stiffness: 80 N/m, damping: 1 N*s/m, free_length: 1 m}}\n" \
        + "loads: {drag: {type: force, body: rod, force: [-2 N*s/m * rod.velocity.x, 0, 0]}}\n"
    with model_file(text + "analysis: {scheme: EP, step: 0.001, end: 2}\n") as path:
        results = path.with_suffix(".h5")
        torsor("run", path, "-q", "-o", results)
        listed = torsor("channels", path).stdout
        with h5py.File(results) as file:
            t, spring, power = file["frames/t"][:], file["frames/spring"][:, 0], file["frames/power"][:]
            q, v, force = file["frames/q"][:], file["frames/v"][:], file["frames/force"][:, 0]
            energy, dissipated = file["frames/ledger"][:, :3].sum(axis=1), file["frames/ledger"][:, 5]
    slot = 4
    arm = np.array([0.2, 0.1, 0])
    end = q[:, slot] + np.einsum("k,nki->ni", arm, q[:, slot + 1:slot + 4])
    speed = v[:, slot] + np.einsum("k,nki->ni", arm, v[:, slot + 1:slot + 4])
    length = np.linalg.norm(end, axis=1)
    rate = np.einsum("ni,ni->n", end, speed)/length
    check("springs in results", "length", spring[:, 0] - length, 1e-12)
    check("springs in results", "rate", spring[:, 1] - rate, 1e-12)
    check("springs in results", "pull", spring[:, 2] - (80*(length - 1) + rate), 1e-8)
    check("springs in results", "power", power[:, 0] + spring[:, 2]*rate, 1e-7)
    check("springs in results", "power of the load", power[:, 1] + 2*v[:, slot, 0]**2, 1e-9)
    supplied = np.concatenate([[0], np.cumsum(0.5*(t[1:] - t[:-1])*(power[1:].sum(axis=1) + power[:-1].sum(axis=1)))])
    kinetic = energy - 40*(length - 1)**2
    check("springs in results", "powers add up to kinetic energy", supplied - (kinetic - kinetic[0]), 2e-5*np.max(energy))
    for name in ("s  ", "s.power", "drag.power"):
        check("springs in results", f"listed: {name}", 0 if f"\n{name}" in listed else 1, 0, quiet=True)
    check("springs in results", "components listed", 0 if "length length.rate pull" in listed else 1, 0, quiet=True)


def short_names():
    """hinge.rate, s.rate and a state by its name alone are what they stand for, in signals as well."""
    text = ROTOR + """signals: {drag: -0.2 N*m*s/rad * WORD}
loads: {brake: {type: motor, joint: hinge, torque: drag}}
"""
    ends = [run(text.replace("WORD", word) + TAIL).coordinate("hinge", "angle")[-1] for word in ("hinge.angle.rate", "hinge.rate")]
    check("short names", "hinge.rate", ends[0] - ends[1], 0)
    text = FREE + "springs: {s: {bodies: [ground, rod], from: [0, 0, 0], to: [1.2, 0.4, 0], free_length: 1 m, force: 80 N/m * (s.length - 1 m) + 1 N*s/m * WORD}}\n"
    ends = [run(text.replace("WORD", word) + TAIL).position("rod")[-1] for word in ("s.length.rate", "s.rate")]
    check("short names", "s.rate", ends[0] - ends[1], 0)


def no_value():
    """A force that has no value where the motion leads it is blamed by its name, not the body."""
    text = BLOCK.replace("VELOCITY", "1") + "loads: {fade: {type: motor, joint: rail, force: 3 N * sqrt(1 - rail.displacement/(1 m))}}\n"
    with model_file(text + TAIL) as path:
        said = torsor("run", path, "-q", "-o", path.with_suffix(".h5"), code=4).stderr
    check("no value", "told by its name", 0 if "load 'fade': its force is not a finite number at t = 0.6" in said else 1, 0, note=said)
    # one that is finite, but would not be if its channels were zero, is not blamed for what others do
    text = HEAD + """bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints: {j: {type: prismatic, bodies: [ground, a], at: [1, 0, 0], axis: x}}
springs: {s: {bodies: [ground, a], from: [0, 0, 0], to: [1, 0, 0], stiffness: 0, force: 1 N*m/s.length}}
loads: {f: {type: motor, joint: j, force: -1e5 N*sign(j.rate + 0.001 m/s)}}
analysis: {step: 0.01, end: 1}
"""
    with model_file(text) as path:
        said = torsor("run", path, "-q", "--no-results", code=4).stderr
    check("no value", "no other is blamed", 0 if "no convergence at t = 0 s" in said else 1, 0, note=said)


def lines_of_the_ledger():
    """Where the energy of a force goes, however it is written: a function of the coordinate is an energy, what vanishes with the rate and opposes it is lost, all else is work."""
    text = BLOCK.replace("VELOCITY", "3").replace("torsor: 1", "torsor: 1\nparameters: {c: 4 N*s/m, k: 30 N/m}") + """states: {wear: {rate: 1/(1 s), initial: 1}}
signals:
  damper: {table: [[-5 m/s, 20 N], [0 m/s, 0 N], [5 m/s, -20 N]]}
  spring: {table: [[-5 m, 150 N], [0 m, 0 N], [5 m, -150 N]], interpolation: smooth}
  drag: -c*rail.rate
  pull: -k*rail.displacement
  grip: {table: [[-5 m/s, 0, 20 N], [5 m/s, 0, -20 N], [-5 m/s, 10, 40 N], [5 m/s, 10, -40 N]]}
  curve: {table: [[0 m/s, 40 N], [5 m/s, 0 N], [10 m/s, -40 N]]}
"""
    lost, stored, work = {"dissipated"}, {"elastic"}, {"work_loads"}
    forces = {"-4 N*s/m*rail.rate": lost, "drag": lost, "damper(rail.rate)": lost, "-1 N*s^2/m^2*rail.rate*abs(rail.rate)": lost, "grip(rail.rate, wear)": lost, "-c*wear*rail.rate": lost,
              "-c*(1.5 + sin(3*t))*rail.rate": lost, "-c*(1 + (rail.displacement/(1 m))^2)*rail.rate": lost, "-c*rail.rate*(1 + abs(rail.force.y)/(1 N))": lost,
              "pull": stored, "spring(rail.displacement)": stored, "pull + drag": stored | lost, "5 N": work, "curve(rail.rate)": work, "5 N - c*rail.rate": work, "-c*block.velocity.x": work}
    for force, lines in forces.items():
        for scheme in ("EP", "ED"):
            out = run(text + f"loads: {{m: {{type: motor, joint: rail, force: '{force}'}}}}\n" + TAIL, scheme=scheme, end=1, audit=1e-11, tolerance=1e-14)
            found = {name for name in ("elastic", "work_loads", "dissipated") if abs(ledger(out, name)[-1]) > 1e-9}
            check("lines of the ledger", f"{force}, {scheme}: {', '.join(sorted(found))}", len(found ^ lines), 0, quiet=True)
            if lines == lost:
                check("lines of the ledger", f"{force}, {scheme}: it never gives", min(0, np.min(np.diff(ledger(out, "dissipated")))), 1e-13, quiet=True)


def several_joints():
    """Reactions of several joints in one expression: the same as handed on by blocks, which read one each. Joints between them do not matter; those far apart are refused."""
    text = HEAD + """gravity: [0, 0, -9.81]
bodies:
  one: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
  two: {mass: 2 kg, inertia: [0.1, 0.1, 0.1], position: [1.5, 0, 0]}
  top: {mass: 1 kg, inertia: [0.3, 0.3, 0.3], position: [3, 0, 0]}
  wheel: {mass: 1 kg, inertia: [0.2, 0.2, 0.2], position: [5, 0, 0]}
joints:
  A: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: y}
  between: {type: revolute, bodies: [ground, top], at: [3, 0, 0], axis: z}
  B: {type: revolute, bodies: [one, two], at: [1, 0, 0], axis: y}
  axle: {type: revolute, bodies: [ground, wheel], at: [5, 0, 0], axis: z}
"""
    direct = "loads: {m: {type: motor, joint: axle, torque: '0.1 m*(B.force.x + 2*A.force.z) + B.moment.x - 0.02 N*m*s/rad*axle.rate'}}\n"
    blocks = ("states: {a: {type: pid, error: A.force.z, kp: 1}, b: {type: pid, error: B.force.x, kp: 1}, c: {type: pid, error: B.moment.x, kp: 1}}\n"
              "loads: {m: {type: motor, joint: axle, torque: '0.1 N*m*(b + 2*a) + 1 N*m*c - 0.02 N*m*s/rad*axle.rate'}}\n")
    for scheme in ("EP", "ED"):
        ends = [run(text + how + TAIL, scheme=scheme, end=2, audit=1e-11).coordinate("axle", "angle") for how in (direct, blocks)]
        check("several joints", f"{scheme}, by blocks", ends[0] - ends[1], 1e-11, f"angle {ends[0][-1]:.3f}")
        check("several joints", f"{scheme}, it does turn", abs(ends[0][-1]) < 0.1, 0)
    many = "".join(f"  n{k}: {{type: revolute, bodies: [ground, b{k}], at: [0, {k}, 9], axis: z}}\n" for k in range(4))
    bodies = "".join(f"  b{k}: {{mass: 1, inertia: [1, 1, 1], position: [0, {k}, 9]}}\n" for k in range(4))
    with model_file(text.replace("  B:", many + "  B:").replace("joints:\n", bodies + "joints:\n") + direct + TAIL) as path:
        said = torsor("check", path, code=2).stderr
    check("several joints", "far apart in the file", 0 if "35 constraints apart" in said and "kp: 1" in said else 1, 0, said)


def main():
    need_program()
    lines_of_the_ledger()
    several_joints()
    moments_and_followers()
    same_followers()
    reactions()
    broken_table()
    told_of_springs()
    short_names()
    no_value()
    built_in(["EP", "ED"])
    reported()
    van_der_pol()
    duffing()
    another_joint()
    loads_on_points()
    far_away()
    many_turns()
    delayed()
    behind()
    too_many()
    linearised()
    restart()
    if not QUICK:
        built_in(["generalized_alpha"])
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
