#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Events against closed forms: times, momentum and energy of latches, switches, values that are set, stops, restarts
across events, chattering, mistakes in the model file."""
import math
import sys

from case_tools import check, h5py, need_program, np, run, verdict

from program import ROOT, answer, events, model_file, torsor

HEAD = "torsor: 1\nunits: SI\n"

# two bodies on one rail; the second rests until the gap has closed by 0.7 m
SLIDERS = HEAD + """bodies:
  a: {mass: 2, inertia: [1, 1, 1], velocity: [3, 0, 0]}
  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  rail: {type: prismatic, bodies: [ground, a], at: [0, 0, 0], axis: x}
  gap: {type: prismatic, bodies: [a, b], at: [0, 0, 0], axis: x}
events: {latch: {when: gap.displacement < -0.7 m, lock: gap, mark: latched}}
analysis: {end: 1 s, step: 10 ms}
"""

# free in space: centres apart, so that the latch changes velocities of both
ROTORS = HEAD + """bodies:
  a: {mass: 3, inertia: [0.4, 0.5, 0.6], angular_velocity: [0, 0, 0.5]}
  b: {mass: 2, inertia: [0.3, 0.2, 0.2], position: [0.8, 0, 0], velocity: [0, 2.3, 0], angular_velocity: [0, 0, 5]}
joints: {pin: {type: revolute, bodies: [a, b], at: [0.4, 0, 0], axis: z}}
events: {latch: {when: pin.angle > 75 deg, lock: pin.angle}}
analysis: {end: 0.6 s, step: 4 ms, tolerance: 1e-15}
"""

FALL = HEAD + """gravity: [0, 0, -9.81]
bodies: {ball: {type: point, mass: 1, position: [0, 0, 2], velocity: [1, 0, 0.3]}}
events:
  low: {when: ball.position.z < 0.5 m, mark: half a metre}
  top: {when: ball.velocity.z = 0, mark: top}
  later: {at: 0.31234 s, mark: a time}
  grid: {at: 0.16 s, mark: a time of the grid}
  both: {when: ball.position.z < 1.7 m and ball.velocity.z < -2.5 m/s, mark: the later of two}
  one: {when: 1.7 > ball.position.z or not (ball.velocity.z > -2.5), mark: the earlier of two}
analysis: {end: 0.8 s, step: 8 ms}
"""

MOTOR = HEAD + """bodies: {cart: {mass: 0.02, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
loads: {coil: {type: motor, joint: rail, force: 0.3 N}}
events: {fast: {when: rail.displacement.rate > 4 m/s, switch_off: coil}}
analysis: {end: 0.5 s, step: 10 ms}
"""

# the panel is driven by a spring from 0 to 90 degrees; hub and panel are free in space
PANEL = HEAD + """bodies:
  hub: {mass: 20, inertia: [2, 2, 3], angular_velocity: [0, 0, SPIN]}
  panel: {mass: 4, inertia: [0.1, 0.5, 0.5], position: [1, 0, 0], velocity: [0, 1 * SPIN, 0], angular_velocity: [0, 0, SPIN]}
joints: {hinge: {type: revolute, bodies: [hub, panel], at: [0.5, 0, 0], axis: z}}
springs: {coil: {type: torsion_spring, joint: hinge, stiffness: 2, free_angle: 120 deg}}
events: {latch: {when: hinge.angle > 90 deg, lock: hinge}}
analysis: {end: 4 s, step: 10 ms, tolerance: 1e-15}
"""

# a one-way clutch: it holds when the shaft would go back, and lets go when the torque drives on
CLUTCH = HEAD + """bodies: {rotor: {mass: 1, inertia: [1, 1, 0.5]}}
joints: {shaft: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}
signals: {torque: 3 N*m * cos(2*t)}
loads: {drive: {type: motor, joint: shaft, torque: torque}}
events:
  hold: {when: shaft.angle.rate < 0, lock: shaft}
  free: {when: torque > 0 N*m, release: shaft}
analysis: {end: 4.5 s, step: 10 ms}
"""

SPRING = HEAD + """bodies: {cart: {mass: 2, inertia: [1, 1, 1], velocity: [1, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
springs: {k: {type: joint_spring, joint: rail, stiffness: 50}}
events:
  off: {when: rail.displacement > 0.1 m, switch_off: k, times: 1}
  on: {when: rail.displacement > 0.3 m, switch_on: k, times: 1}
analysis: {end: 1 s, step: 2 ms, tolerance: 1e-15}
"""

# driven at 2 rad/s, let go at 0.5 s, slowed down by a damper, driven again from 1 s on
DRIVE = HEAD + """bodies: {rotor: {mass: 1, inertia: [1, 1, 0.5]}}
joints: {shaft: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}
springs: {drag: {type: torsion_spring, joint: shaft, damping: 0.4}}
motions: {turn: {joint: shaft, speed: 2 rad/s}}
events:
  let_go: {at: 0.5 s, switch_off: turn}
  again: {at: 1.0005 s, switch_on: turn}
analysis: {end: 1.5 s, step: 1 ms, tolerance: 1e-15}
"""

PENDULUM = HEAD + """gravity: [0, 0, -9.81]
bodies: {bob: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [1, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: y}}
events: {cut: {when: hinge.angle > 70 deg, detach: hinge, times: 1}}
analysis: {end: 1 s, step: 5 ms, tolerance: 1e-15}
"""

SETTING = HEAD + """bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
signals: {command: {input: 3 N}}
states: {clock: {rate: 1/(1 s)}}
loads: {push: {type: motor, joint: rail, force: command}}
events:
  first: {when: clock.value > 0.25, set: {clock: 10 + clock.value, command: -6 N}, times: 1}
  last: {when: clock.value > 10.5, set: {command: 0}, mark: done}
  end: {when: clock.value > 10.75, stop: true}
analysis: {end: 2 s, step: 20 ms}
"""

# more than a turn while the spring is off: it has not lost count
TURNS = HEAD + """bodies: {rotor: {mass: 1, inertia: [1, 1, 0.5], angular_velocity: [0, 0, 10]}}
joints: {shaft: {type: revolute, bodies: [ground, rotor], at: [0, 0, 0], axis: z}}
springs: {coil: {type: torsion_spring, joint: shaft, stiffness: 0.05}}
events:
  off: {at: 0 s, switch_off: coil}
  on: {at: 1 s, switch_on: coil}
analysis: {end: 1.5 s, step: 5 ms}
"""

# a parallelogram: its hinges have one coordinate among them, so two of three locks repeat the first
LINKAGE = HEAD + """gravity: [0, 0, -9.81]
bodies:
  left: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5]}
  right: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0.5]}
  top: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 1], velocity: [1, 0, 0]}
joints:
  a: {type: revolute, bodies: [ground, left], at: [0, 0, 0], axis: y}
  b: {type: revolute, bodies: [left, top], at: [0, 0, 1], axis: y}
  c: {type: revolute, bodies: [top, right], at: [1, 0, 1], axis: y}
  d: {type: revolute, bodies: [ground, right], at: [1, 0, 0], axis: y}
events: {stuck: {when: a.angle > 30 deg, lock: [a, b, d]}}
analysis: {end: 1 s, step: 5 ms}
outputs: {restart: 10}
"""

START = HEAD + """bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
loads: {push: {type: motor, joint: rail, force: 4 N}}
events:
  hold: {at: 0 s, lock: rail}
  go: {at: 0.255 s, release: rail}
analysis: {end: 1 s, step: 10 ms}
"""

# a latch that is undone by what it does
CHATTER = HEAD + """bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
loads:
  push: {type: motor, joint: rail, force: 4 N}
  pull: {type: motor, joint: rail, force: -8 N}
events:
  begin: {at: 0 s, switch_off: pull}
  over: {when: rail.displacement.rate > 0.5 m/s, switch_on: pull}
  under: {when: rail.displacement.rate < 0.5 m/s, switch_off: pull}
analysis: {end: 1 s, step: 10 ms}
"""

# gears with several events, and step control
WALK = HEAD + """gravity: [0, 0, -9.81]
bodies:
  upper: {mass: 1, inertia: [0.01, 0.09, 0.09], position: [0.5, 0, 0]}
  lower: {mass: 1, inertia: [0.01, 0.09, 0.09], position: [1.5, 0, 0]}
joints:
  hip: {type: revolute, bodies: [ground, upper], at: [0, 0, 0], axis: y}
  knee: {type: revolute, bodies: [upper, lower], at: [1, 0, 0], axis: y}
springs: {coil: {type: torsion_spring, joint: knee, stiffness: 3, damping: 0.1}}
events:
  stretch: {when: knee.angle < -20 deg, lock: knee}
  bend: {when: hip.angle > 100 deg, release: knee}
  loose: {when: hip.angle.rate < 0, switch_off: coil}
  tight: {when: hip.angle.rate > 0, switch_on: coil}
analysis: {end: 3 s, step: 10 ms}
outputs: {restart: 7}
"""


# any joint between two bodies in space
TWO = HEAD + """bodies:
  a: {mass: 3, inertia: [0.4, 0.5, 0.6, 0.03, -0.02, 0.01], velocity: [0.3, -0.2, 0.1], angular_velocity: [0.5, 0.7, -0.4]}
  b: {mass: 2, inertia: [0.3, 0.2, 0.25], position: [0.8, 0.1, -0.1], velocity: [-0.4, 1.3, 0.6], angular_velocity: [1, -2, 3]}
joints: {pin: {type: KIND, bodies: [a, b], at: [0.4, 0, 0], axis: z}}
events: {latch: {at: 0.1 s, lock: pin}}
analysis: {end: 0.3 s, step: 2 ms}
"""
KINDS = ("revolute", "prismatic", "cylindrical", "screw, pitch: 0.05 m/rad", "planar", "universal, axis_b: x")


def happened(out, name):
    return next(e for e in out.summary["events"] if e["name"] == name)


def taken(out):
    return out.frame["event_loss"][:, 0]


def sliders(scheme):
    case = f"sliders, {scheme}"
    out = run(SLIDERS, scheme=scheme, case=case, audit=1e-11)
    check(case, "time", happened(out, "latch")["t"] - 0.7/3, 1e-10)
    check(case, "velocities", [out.velocity(body)[-1, 0] - 2 for body in "ab"], 1e-13)
    check(case, "momentum", out.frame["momentum_linear"][:, 0] - 6, 1e-13)
    check(case, "energy lost", taken(out)[-1] - 0.5*2/3*9, 1e-12)
    check(case, "gap", out.coordinate("gap", "displacement")[-1] + 0.7, 1e-10)
    check(case, "rows at the times of the grid", out.t - 0.01*np.arange(101), 1e-15)


def plane(case, out, bodies, after):
    """Momentum is conserved; from the state before a latch on, both bodies move as one."""
    for name in ("momentum_linear", "momentum_angular"):
        check(case, name, out.frame[name] - out.frame[name][0], 1e-12)
    centre = sum(m*out.position(b) for b, m, _ in bodies)/sum(m for _, m, _ in bodies)
    speed = sum(m*out.velocity(b) for b, m, _ in bodies)/sum(m for _, m, _ in bodies)
    n = out.at(after)
    inertia = sum(J + m*np.sum((out.position(b)[n] - centre[n])**2) for b, m, J in bodies)
    spin = out.frame["momentum_angular"][n] - sum(m for _, m, _ in bodies)*np.cross(centre[n], speed[n])
    for b, _, _ in bodies:
        check(case, f"rotation of {b}", out.omega(b)[n:, 2] - spin[2]/inertia, 2e-10)
    return spin[2]/inertia


def edge(scheme):
    """A crossing at a time of the grid is one event, neither lost nor two."""
    case = f"edge, {scheme}"
    out = run(SLIDERS.replace("-0.7 m", "-0.6 m"), scheme=scheme, case=case, audit=1e-11)
    check(case, "time", happened(out, "latch")["t"] - 0.2, 1e-10)
    check(case, "count", happened(out, "latch")["count"] - 1, 0)
    check(case, "velocity", out.velocity("b")[21:, 0] - 2, 1e-13)


def close(scheme):
    """Events within a millionth of a step before and after a time of the grid."""
    for at in (0.2 - 4e-9, 0.2 + 4e-9, 0.2 - 3e-6):
        case = f"close at {at:.9f} s, {scheme}"
        out = run(START.replace("0.255 s", f"{at!r} s"), scheme=scheme, case=case, audit=1e-11)
        check(case, "time", happened(out, "go")["t"] - at, 1e-12)
        check(case, "rows", out.t - 0.01*np.arange(101), 5e-9)
        check(case, "velocity", out.velocity("cart")[:, 0] - 2*np.maximum(0, out.t - at), 1e-12)


def joints(scheme):
    """Once all coordinates of a joint are locked, its bodies are one, and momentum is what it was."""
    for kind in KINDS:
        case = f"{kind.partition(',')[0]}, {scheme}"
        out = run(TWO.replace("KIND", kind), scheme=scheme, case=case, audit=1e-11)
        for name in ("momentum_linear", "momentum_angular"):
            check(case, name, out.frame[name] - out.frame[name][0], 1e-12)
        n = out.at(0.102)
        turn = np.einsum("nji,njk->nik", out.rotation("a"), out.rotation("b"))
        check(case, "rotation of one from the other", turn[n:] - turn[n], 1e-12)
        place = np.einsum("nji,nj->ni", out.rotation("a"), out.position("b") - out.position("a"))
        check(case, "place of one from the other", place[n:] - place[n], 1e-12)
        check(case, "a loss", 0 if taken(out)[-1] > 1e-3 else 1, 0)


def rotors(scheme):
    case = f"rotors, {scheme}"
    out = run(ROTORS, scheme=scheme, case=case, audit=1e-11)
    plane(case, out, (("a", 3, 0.6), ("b", 2, 0.2)), 0.4)
    check(case, "angle", out.coordinate("pin", "angle")[-1] - math.radians(75), 1e-9)
    # before and after, energies are those of free bodies: the loss is what is missing
    kinetic = out.frame["ledger"][:, 0]
    check(case, "energy lost", kinetic[0] - kinetic[-1] - taken(out)[-1] - out.frame["ledger"][-1, 6], 1e-11)
    check(case, "a loss", 0 if taken(out)[-1] > 0.1 else 1, 0)


def fall(scheme):
    case = f"fall, {scheme}"
    out = run(FALL, scheme=scheme, case=case, audit=1e-11)
    check(case, "place", happened(out, "low")["t"] - (0.3 + math.sqrt(0.09 + 2*9.81*1.5))/9.81, 1e-10)
    check(case, "velocity", happened(out, "top")["t"] - 0.3/9.81, 1e-10)
    check(case, "time", happened(out, "later")["t"] - 0.31234, 0)
    check(case, "and: the later", happened(out, "both")["t"] - 2.8/9.81, 1e-10)
    check(case, "or: the earlier", happened(out, "one")["t"] - (0.3 + math.sqrt(0.09 + 2*9.81*0.3))/9.81, 1e-10)
    check(case, "counts", [e["count"] - 1 for e in out.summary["events"]], 0)
    check(case, "fall", out.position("ball")[:, 2] - (2 + 0.3*out.t - 9.81/2*out.t**2), 1e-12)


def detent(scheme):
    """A lock lets go when it would have to carry more than 1 N m of a torque that grows by 2 N m/s: channels of locks in conditions."""
    case = f"detent, {scheme}"
    text = HEAD + """bodies: {wheel: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints: {h: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: z}}
loads: {m: {type: motor, joint: h, torque: 2 N*m*t}}
events:
  hold: {at: 0 s, lock: h}
  slip: {when: CHANNEL, release: h}
analysis: {step: 2 ms, end: 1 s}
"""
    for channel in ("h_lock.torque < -1 N*m", "h_lock.moment.z < -1 N*m"):
        out = run(text.replace("CHANNEL", channel), scheme=scheme, case=case, audit=1e-11)
        check(case, f"time, {channel}", happened(out, "slip")["t"] - 0.5, 1e-10)
        check(case, "angle, 10 (t^3/3 - t/4 + 1/12)", out.coordinate("h", "angle")[-1] - 5/3, 3e-5)
    with model_file(text.replace("CHANNEL", "h_lock.angle > 1 rad")) as path:
        check(case, "what it does not have", 0 if "there is no part 'h_lock'" in torsor("check", path, code=2).stderr else 1, 0)


def reaction(scheme):
    """A pendulum falls from the horizontal: the force of its pin crosses values four times, each seen once. With T = m (w^2 + g sin) = 3 m g sin the first two times are quadratures, located to second order in the step."""
    case = f"reaction, {scheme}"
    text = HEAD + """gravity: [0, 0, -9.81]
bodies: {bob: {mass: 2, inertia: [1e-9, 1e-9, 1e-9], position: [1, 0, 0]}}
joints: {pin: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: y}}
events:
  hard: {when: pin.force.z > 40 N, mark: up}
  side: {when: pin.force.x < -20 N, mark: across}
analysis: {step: STEP, end: 2 s}
"""
    angle = {"hard": math.asin(math.sqrt(40/(6*9.81))), "side": 0.5*math.asin(40/(6*9.81))}
    when = {}
    for name, end in angle.items():  # t = int dth/sqrt(2 g sin th), th = u^2
        u, w = np.polynomial.legendre.leggauss(60)
        u, w = 0.5*math.sqrt(end)*(u + 1), 0.5*math.sqrt(end)*w
        when[name] = np.sum(w*2*u/np.sqrt(2*9.81*np.sin(u*u)))
    period = 4*1.8540746773013719/math.sqrt(9.81)  # 4 K(1/sqrt 2) sqrt(l/g)
    errors = []
    for step in ("10 ms", "5 ms", "2.5 ms"):
        out = run(text.replace("STEP", step), scheme=scheme, case=case, audit=1e-11)
        found = [happened(out, name) for name in angle]
        check(case, f"counts, {step}", [one["count"] - 2 for one in found], 0)
        # back again: the force up grows once more behind the turning point, that across falls below its value
        errors.append(abs(found[0]["t"] - (period/2 + when["hard"])))
        first = run(text.replace("STEP", step).replace("mark: up", "stop: true"), scheme=scheme, case=case)
        check(case, f"first time, {step}", happened(first, "hard")["t"] - when["hard"], 1.5e-4*(float(step.split()[0])/10)**2)
    check(case, "order", 0 if errors[0]/errors[2] > 11 else errors[0]/errors[2], 0, ", ".join(f"{e:.2g}" for e in errors) + " s")


def outputs(scheme):
    """Outputs and inputs of controllers and filters, rates of states: located at the moment, as results have their means over steps, which are late by up to a step. The cart moves with 1 m/s."""
    case = f"outputs, {scheme}"
    text = HEAD + """bodies: {cart: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
states: {s: STATE}
events: {e: {when: CONDITION, stop: true}}
analysis: {step: 5 ms, end: 1 s}
"""
    for state, condition, when in (
            ("{type: pid, error: rail.displacement, kp: 2}", "s > 1.0074", 0.5037),
            ("{type: pid, error: rail.displacement, kp: 2, max: 1}", "s.error > 0.5037", 0.5037),
            ("{type: transfer_function, input: rail.displacement, numerator: [0.1, 1], denominator: [0.01, 1]}", "s > 0.5037", 0.4137),  # t + 0.09 (1 - exp(-100 t))
            ("{type: state_space, input: rail.displacement, A: [[-1]], B: [[0]], C: [[0]], D: [[3]]}", "s > 1.5111 and s.input > 0.5", 0.5037),
            ("{rate: rail.displacement/(1 m*s)}", "s.rate > 0.5037", 0.5037)):
        out = run(text.replace("STATE", state).replace("CONDITION", condition), scheme=scheme, case=case, audit=1e-11)
        check(case, f"time of {condition}", happened(out, "e")["t"] - when, 1e-10)
    loop = text.replace("{s: STATE}", "{s: {type: pid, error: rail.displacement/(1 m) + r, kp: 0.5}, r: {type: pid, error: s, kp: 0.5}}")
    out = run(loop.replace("CONDITION", "s > 0.3027"), scheme=scheme, case=case, audit=1e-11)  # s = 2/3 of the place; r within the loop is a mean
    check(case, "time of a loop", happened(out, "e")["t"] - 1.5*0.3027, 5e-3)


def acceleration(scheme):
    """A bob of mass m on a rod of length 1 falls from the horizontal: th'' = g cos th, x'' = -3 g sin th cos th. It lets go where th'' falls below 5 rad/s^2, and flies on."""
    case = f"acceleration, {scheme}"
    text = HEAD + """gravity: [0, 0, -9.81]
bodies: {bob: {mass: 2, inertia: [1e-9, 1e-9, 1e-9], position: [1, 0, 0]}}
joints: {pin: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: y}}
events:
  across: {when: bob.acceleration.x < -12 m/s^2, mark: across}
  angle: {when: pin.angle.acceleration < 5 rad/s^2, mark: slower}
  alpha: {when: bob.alpha.y < 5 rad/s^2, mark: slower}
  go: {when: pin.acceleration < 4.5 rad/s^2, detach: pin}
analysis: {step: STEP, end: 0.6 s}
outputs: {restart: 1}
"""
    def fall(end):  # t = int dth/sqrt(2 g sin th), th = u^2
        u, w = np.polynomial.legendre.leggauss(60)
        u, w = 0.5*math.sqrt(end)*(u + 1), 0.5*math.sqrt(end)*w
        return np.sum(w*2*u/np.sqrt(2*9.81*np.sin(u*u)))
    angle = {"across": 0.5*math.asin(24/(3*9.81)), "angle": math.acos(5/9.81), "alpha": math.acos(5/9.81), "go": math.acos(4.5/9.81)}
    for step in (4, 1):
        text_of = text.replace("STEP", f"{step} ms")
        out = run(text_of, scheme=scheme, case=case, audit=1e-11)
        found = {name: happened(out, name) for name in angle}
        check(case, f"counts, {step} ms", [one["count"] - 1 for one in found.values()], 0)
        for name, end in angle.items():
            check(case, f"time of {name}, {step} ms", found[name]["t"] - fall(end), 1.5e-5*step**2)
    end = angle["go"]
    speed = math.sqrt(2*9.81*math.sin(end))
    left = 0.6 - fall(end)
    place = [math.cos(end) - speed*math.sin(end)*left, -math.sin(end) - speed*math.cos(end)*left - 9.81/2*left**2]
    check(case, "where it is then", out.position("bob")[-1, [0, 2]] - place, 1e-5)
    last = int(fall(end)/4e-3)  # the steps just before it happens: what is known of earlier ones must be in the file
    restarts(scheme, "", text.replace("STEP", "4 ms"), 4, (50, last - 1, last))


def marks(scheme):
    """A mark leaves the motion as it is. Multipliers balance m dq / h^2, so round-off of places, 1e-15 m, is 1e-10 N of them."""
    case = f"marks, {scheme}"
    text = HEAD + """gravity: [0, 0, -9.81]
bodies: {bob: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}}
joints: {pin: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: y}}
EVENTS
analysis: {step: 10 ms, end: 2 s}
"""
    plain = run(text.replace("EVENTS", ""), scheme=scheme, case=case, audit=1e-11)
    marked = run(text.replace("EVENTS", "events: {low: {when: pin.angle > 1 rad, mark: low}, back: {when: pin.angle < 1 rad, mark: back}, rate: {when: pin.rate = 1 rad/s, mark: one}}"),
                 scheme=scheme, case=case, audit=1e-11)
    check(case, "counts", sum(e["count"] for e in marked.summary["events"]) - 4, 0)
    for name in ("q", "v", "lambda", "force", "acceleration"):
        check(case, name, plain.frame[name] - marked.frame[name], 1e-9 if name == "lambda" else 1e-10)


def motor(scheme):
    case = f"motor, {scheme}"
    out = run(MOTOR, scheme=scheme, case=case, audit=1e-11)
    when = 4*0.02/0.3
    check(case, "time", happened(out, "fast")["t"] - when, 1e-10)
    check(case, "speed", out.coordinate_rate("rail", "displacement") - np.minimum(15*out.t, 4), 1e-9)
    way = np.where(out.t < when, 7.5*out.t**2, 7.5*when**2 + 4*(out.t - when))
    check(case, "way", out.coordinate("rail", "displacement") - way, 1e-9)
    check(case, "energy taken", taken(out), 0)


def panel(scheme, spin):
    case = f"panel with spin {spin}, {scheme}"
    out = run(PANEL.replace("SPIN", str(spin)), scheme=scheme, case=case, audit=1e-11)
    end = plane(case, out, (("hub", 20, 3), ("panel", 4, 0.5)), 3)
    if spin == 0:  # nothing turns once it is latched: all that the spring gave is lost
        check(case, "rest", end, 1e-12)
        given = 0.5*2*(math.radians(120)**2 - math.radians(30)**2)
        check(case, "energy lost", taken(out)[-1] + out.frame["ledger"][-1, 6] - given, 1e-9)
    # the lock holds the spring, and the panel on its way round the common centre
    hold = -out.moment("hinge_lock")[-1, 2] - out.moment("coil")[-1, 2]
    hinge = out.position("hub")[-1] + out.rotation("hub")[-1] @ [0.5, 0, 0]
    pull = -end**2*(out.position("panel")[-1] - (20*out.position("hub")[-1] + 4*out.position("panel")[-1])/24)*4
    inertia = np.cross(out.position("panel")[-1] - hinge, pull)[2]
    check(case, "reaction of the lock", -hold - inertia, 1e-6)


def order(scheme):
    """Second order across a latch."""
    case = f"order, {scheme}"
    ends = []
    for step in ("10 ms", "5 ms", "2.5 ms"):
        out = run(PANEL.replace("SPIN", "0.7"), scheme=scheme, step=step)
        ends.append((out.rotation("hub")[-1], out.velocity("hub")[-1], out.force("hinge")[-1]))
    for coarse, fine, finest, what in zip(*ends, ("rotation", "velocity", "force")):
        found = math.log2(np.max(np.abs(coarse - fine))/np.max(np.abs(fine - finest)))
        check(case, what, found - 2, 0.1, f"{found:.2f}")


def ratchet(scheme):
    """The example: held at a whole number of teeth, which a state without a rate has counted; it never goes back by a tooth."""
    case = f"ratchet, {scheme}"
    out = run((ROOT / "examples/ratchet.yaml").read_text(encoding="utf-8"), scheme=scheme, case=case, audit=1e-11)
    angle, teeth = out.coordinate("axle", "angle"), out.coordinate("tooth", "value")
    held = np.abs(out.moment("axle_lock")[:, 2]) > 1e-3
    check(case, "held", (angle - teeth*math.radians(15))[held], 1e-9, f"{held.sum()} rows")
    check(case, "counted", teeth[-1] - happened(out, "click")["count"], 0, f"{teeth[-1]:g} teeth")
    check(case, "several times", 0 if happened(out, "hold")["count"] == 5 and held.sum() > 500 else 1, 0)
    check(case, "never back", np.maximum(0, teeth*math.radians(15) - angle), 1e-9)


def satellite(scheme):
    """The example: momenta are kept over four latches, each hinge stays where it locked, and in the end all is one body: E = L.J^-1.L/2 + P^2/2M."""
    case = f"satellite, {scheme}"
    out = run((ROOT / "examples/satellite_latch.yaml").read_text(encoding="utf-8"), scheme=scheme, case=case, audit=1e-11)
    for name in ("momentum_linear", "momentum_angular"):
        check(case, name, (out.frame[name] - out.frame[name][0])/np.max(np.abs(out.frame["momentum_angular"])), 1e-12)
    for joint, angle in (("root_right", 90), ("fold_right", -180), ("root_left", 90), ("fold_left", -180)):
        check(case, f"{joint} at its end", out.coordinate(joint, "angle")[-1] - math.radians(angle), 1e-9)
        check(case, f"{joint} latched once", happened(out, f"latch_{joint}")["count"] - 1, 0)
    panel = (6, [6*1.2**2/12, 0.1, 6*1.2**2/12])
    bodies = [("hub", 120, [30, 20, 25])] + [(name, *panel) for name in ("right", "right_end", "left", "left_end")]
    M = sum(m for _, m, _ in bodies)
    centre = sum(m*out.position(name)[-1] for name, m, _ in bodies)/M
    J = np.zeros((3, 3))
    for name, m, inertia in bodies:
        r, R = out.position(name)[-1] - centre, out.rotation(name)[-1]
        J += R @ np.diag(inertia) @ R.T + m*(r @ r*np.eye(3) - np.outer(r, r))
    P, L = out.frame["momentum_linear"][-1], out.frame["momentum_angular"][-1]
    L = L - np.cross(centre, P)
    energy = 0.5*L @ np.linalg.solve(J, L) + 0.5*P @ P/M
    check(case, "one body in the end", out.frame["ledger"][-1, 0]/energy - 1, 1e-12)


def clutch(scheme):
    case = f"clutch, {scheme}"
    out = run(CLUTCH, scheme=scheme, case=case, audit=1e-11)
    t1, t2 = math.pi/2, 3*math.pi/4
    check(case, "hold", happened(out, "hold")["t"] - t1, 2e-4)
    check(case, "free", happened(out, "free")["t"] - t2, 1e-10)
    t = out.t
    speed = np.select([t < t1, t < t2], [3*np.sin(2*t), 0*t], 3*(np.sin(2*t) + 1))
    check(case, "speed", out.coordinate_rate("shaft", "angle") - speed, 1e-3)
    held = (t > t1 + 0.03) & (t < t2 - 0.03)
    check(case, "reaction of the lock", (out.moment("shaft_lock")[:, 2] + 3*np.cos(2*t))[held], 5e-4)
    check(case, "no reaction elsewhere", out.moment("shaft_lock")[(t < t1 - 0.02) | (t > t2 + 0.02)], 0)


def spring(scheme):
    case = f"spring, {scheme}"
    out = run(SPRING, scheme=scheme, case=case, audit=1e-11)
    rate = math.sqrt(1 - 25*0.01)  # 1/2 m v^2 = 1 - 1/2 k x^2
    check(case, "energy taken, then brought", taken(out)[-1] - 25*(0.01 - 0.09), 3e-8)
    free = (out.coordinate("rail", "displacement") > 0.101) & (out.coordinate("rail", "displacement") < 0.299) \
        & (out.coordinate_rate("rail", "displacement") > 0) & (out.t < 0.4)
    check(case, "speed", out.velocity("cart")[free, 0] - rate, 1e-6)
    check(case, "some rows", 0 if free.sum() > 50 else 1, 0)
    w = 5
    top = happened(out, "on")["t"]
    later = out.t > top + 0.01
    x = 0.3*np.cos(w*(out.t - top)) + rate/w*np.sin(w*(out.t - top))
    check(case, "vibration", (out.coordinate("rail", "displacement") - x)[later], 2e-5)


def drive(scheme):
    case = f"drive, {scheme}"
    out = run(DRIVE, scheme=scheme, case=case, audit=1e-11)
    slow = 2*math.exp(-0.8*0.5005)
    n = out.at(1.0)
    check(case, "slowed down", out.coordinate_rate("shaft", "angle")[n] - 2*math.exp(-0.8*0.5), 1e-6)
    check(case, "driven again", out.coordinate_rate("shaft", "angle")[-1] - 2, 2e-6)
    angle = 1 + 2/0.8*(1 - math.exp(-0.8*0.5005)) + 2*(1.5 - 1.0005)
    check(case, "angle", out.coordinate("shaft", "angle")[-1] - angle, 1e-6)
    check(case, "energy lost", taken(out)[-1] - 0.25*(2 - slow)**2, 1e-6)
    works = 0.4*4*(1.5 - 0.5005) + 0.5*2*(2 - slow)  # against the damper; the impulse times the speed
    check(case, "work of the drive", out.frame["ledger"][-1, 4] - works, 1e-6)


def pendulum(scheme):
    case = f"pendulum, {scheme}"
    out = run(PENDULUM, scheme=scheme, case=case, audit=1e-11)
    when = happened(out, "cut")["t"]
    free = out.t > when + 0.001
    check(case, "flight along x", out.velocity("bob")[free, 0] - out.velocity("bob")[free, 0][0], 1e-12)
    check(case, "flight along z", (out.velocity("bob")[free, 2] + 9.81*out.t[free])
          - (out.velocity("bob")[free, 2] + 9.81*out.t[free])[0], 1e-12)
    angle = math.radians(70)  # w^2 (m + J) / 2 = m g sin
    w = math.sqrt(2*9.81*math.sin(angle)/1.02)
    check(case, "velocity", out.velocity("bob")[-1, 0] + w*math.sin(angle), 3e-5)
    check(case, "no reaction in flight", out.force("hinge")[free], 0)
    check(case, "energy taken", taken(out), 0)


def setting(scheme):
    case = f"setting, {scheme}"
    out = run(SETTING, scheme=scheme, case=case, audit=1e-11)
    check(case, "times", [happened(out, "first")["t"] - 0.25, happened(out, "last")["t"] - 0.5], 1e-10)
    check(case, "end", out.t[-1] - 0.75, 1e-10)
    check(case, "stopped", 0 if happened(out, "end")["stopped"] and out.summary["status"] == "completed" else 1, 0)
    check(case, "velocity", out.velocity("cart")[-1, 0] - (1.5*0.25 - 3*0.25), 1e-10)
    check(case, "state", out.coordinate("clock", "value")[-1] - 10.75, 1e-10)


def start(scheme):
    case = f"start, {scheme}"
    out = run(START, scheme=scheme, case=case, audit=1e-11)
    check(case, "held, then free", out.velocity("cart")[:, 0] - 2*np.maximum(0, out.t - 0.255), 1e-12)
    check(case, "reaction", out.force("rail_lock")[1:25, 0] + 4, 1e-9)


# a place and the time reach their values together, with a step that ends there or not
TOGETHER = HEAD + """bodies: {cart: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
states: {n: {rate: 0/(1 s)}, clock: {rate: 1/(1 s)}}
loads: {pull: {type: motor, joint: rail, force: -2 N*n.value}}
events:
  place: {when: rail.displacement > 0.5 m, set: {n: n + 1}}
  moment: {when: clock > 0.5, set: {n: n + 1}}
  back: {when: rail.displacement < 0.5 m, set: {n: n - 8}}
  note: {at: AT, mark: a step ends here}
  end: {when: rail.rate < 0 m/s, stop: true}
analysis: {end: 5 s, step: STEP s}
"""


def together(scheme):
    for step in (0.003, 0.005, 0.01):
        for at in (0.5, 2):
            case = f"together, {scheme}, {step}, {at}"
            out = run(TOGETHER.replace("STEP", str(step)).replace("AT", str(at)), scheme=scheme, audit=1e-11, case=case)
            check(case, "each happened once", [happened(out, "place")["count"] - 1, happened(out, "moment")["count"] - 1, happened(out, "back")["count"]], 0)
            check(case, "both are counted", out.coordinate("n", "value")[-1] - 2, 1e-12)
            check(case, "stopped by both", out.t[-1] - 0.75, 1e-10)


# events that read how often and when another has happened
COUNTS = HEAD + """bodies: {cart: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], velocity: [3, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
springs: {k: {type: joint_spring, joint: rail, stiffness: 9}}
states: {seen: {rate: 0/(1 s)}}
events:
  pass: {when: rail.displacement > 0.5 m, mark: passes}
  third: {when: pass.count > 2, set: {seen: seen + pass.count}}
  late: {when: time > pass.last + 0.4 s and pass.count >= 3, stop: true}
analysis: {end: 20 s, step: 0.01 s}
"""


def counts(scheme):
    case = f"counts, {scheme}"
    out = run(COUNTS, scheme=scheme, case=case, audit=1e-11)
    third = (math.asin(0.5) + 4*math.pi)/3
    check(case, "third pass", [happened(out, "pass")["count"] - 3, out.coordinate("seen", "value")[-1] - 3], 0)
    check(case, "when", [happened(out, "pass")["t"] - third, happened(out, "third")["t"] - third, out.t[-1] - third - 0.4], 1e-3)
    check(case, "delays", [happened(out, "third")["t"] - happened(out, "pass")["t"], out.t[-1] - happened(out, "pass")["t"] - 0.4], 1e-10)


def turns(scheme):
    case = f"turns, {scheme}"
    out = run(TURNS, scheme=scheme, case=case, audit=1e-11)
    angle = out.coordinate("shaft", "angle")[out.at(1)]
    check(case, "turns", angle - 10, 0.03)
    check(case, "energy brought", taken(out)[-1] + 0.5*0.05*angle**2, 1e-12)


def linkage(scheme):
    case = f"linkage, {scheme}"
    out = run(LINKAGE, scheme=scheme, case=case, audit=1e-11)
    when = out.t > happened(out, "stuck")["t"]
    check(case, "at rest", [np.max(np.abs(out.velocity(body)[when])) for body in ("left", "right", "top")], 1e-11)
    check(case, "angle", out.coordinate("a", "angle")[when] - math.radians(30), 1e-9)
    # the lock carries the weight: 2 bodies at half the height, 1 at all of it
    check(case, "reaction", out.moment("a_lock")[-1, 1] + 2*9.81*math.sin(math.radians(30)), 1e-8)


def restarts(scheme, more="", text=WALK, least=5, starts=(70, 113, 150)):
    """Bit for bit alike, from every exact state on."""
    case = f"restart, {scheme}{more}"
    with model_file(text.replace("analysis: {", f"analysis: {{scheme: {scheme}, {more}")) as path:
        whole, rest = path.with_name("whole.h5"), path.with_name("rest.h5")
        done = events("run", path, "-o", whole)[-1]
        count = sum(e["count"] for e in done["events"])
        check(case, "events", 0 if count >= least else 1, 0, f"{count} of them")
        check(case, "audit", done["relative_balance"], 1e-11)
        for step in starts:
            torsor("restart", whole, "--from", step, "-q", "-o", rest)
            with h5py.File(whole) as a, h5py.File(rest) as b:
                for name in ("q", "v", "lambda", "memory", "ledger", "event_loss"):
                    check(case, f"{name} from step {step}", a[f"frames/{name}"][-1] - b[f"frames/{name}"][-1], 0)
            rest.unlink()


def log():
    """What happened is in the file: `torsor info`."""
    with model_file(FALL) as path:
        torsor("run", path, "-q", "-o", path.with_suffix(".h5"))
        told = answer("info", path.with_suffix(".h5"))["events"]
        check("info", "order", 0 if [e["name"] for e in told] == ["top", "grid", "one", "both", "later", "low"] else 1, 0)
        check("info", "marks", 0 if told[0]["mark"] == "top" else 1, 0)
        check("info", "time", told[-1]["t"] - (0.3 + math.sqrt(0.09 + 2*9.81*1.5))/9.81, 1e-10)
        text = torsor("info", path.with_suffix(".h5")).stdout
        check("info", "text", 0 if "later: a time" in text else 1, 0)


def python():
    """The module tells the same as the program."""
    try:
        import torsor as module
    except ImportError:
        return
    done = module.parse(SETTING).start()
    done.run()
    check("python", "events", 0 if [e.count for e in done.events] == [1, 1, 1] and done.events[2].stopped else 1, 0)
    check("python", "loss", done.event_loss, 0)


# a relay by the sign of a rate: the force drives the cart back over the value that it has just reached
RELAY = HEAD + """bodies: {cart: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
states: {side: {rate: 0/(1 s), initial: 1}}
loads: {brake: {type: motor, joint: rail, force: -3 N*side}}
events: {up: {when: rail.rate > 0 m/s, set: {side: 1}}, down: {when: rail.rate < 0 m/s, set: {side: -1}}}
analysis: {end: 2 s, step: STEP}
"""


def chatter():
    for step in ("0.01", "0.0123"):
        with model_file(RELAY.replace("STEP", step)) as path:
            said = torsor("run", path, "-q", "--no-results", code=4).stderr
            check("chattering", f"a relay, {step}", 0 if "chatters" in said and "from t = 0.333333333 s" in said else 1, 0, said)
    with model_file(CHATTER) as path:
        said = torsor("run", path, "-q", code=4).stderr
        check("chattering", "is told", 0 if "event '" in said and "chatters" in said and "times:" in said else 1, 0, said)


MISTAKES = (
    ("when: hinge.angle > 90 deg, lock: hinge", "5:", "there is no part 'hinge'"),
    ("when: rail.angle > 90 deg, lock: rail", "5:", "has no channel 'angle'"),
    ("when: rail.displacement > 3 s, lock: rail", "5:", "expected a length"),
    ("when: rail.displacement, lock: rail", "5:", "expected a condition"),
    ("when: 2 > 1, lock: rail", "5:", "never changes"),
    ("when: 2 > 1 and 3 > 2, lock: rail", "5:", "never changes"),
    ("when: rail.displacement > 1 and 3 s > 2 m, lock: rail", "5:", "cannot compare"),
    ("when: rail.displacement > 1 m and, lock: rail", "5:", "the expression ends"),
    ("when: rail.displacement > 1, lock: rod", "5:", "there is no part 'rod'"),
    ("when: rail.displacement > 1, lock: cart", "5:", "is one of the bodies"),
    ("when: rail.displacement > 1, lock: rail.angle", "5:", "has no coordinate 'angle'"),
    ("when: rail.displacement > 1, lock: rail, detach: rail, release: rail", "5:", "twice"),
    ("when: rail.displacement > 1, release: rail", "5:", "no event above locks"),
    ("when: rail.displacement > 1, switch_off: rail", "5:", "is for springs, motions, loads and contacts"),
    ("when: rail.displacement > 1, set: {cart: 1}", "5:", "cannot be set"),
    ("when: rail.displacement > 1, set: {wave: 1}", "5:", "only an input can be set"),
    ("when: rail.displacement > 1, set: {nobody: 1}", "5:", "there is no state or input"),
    ("when: rail.displacement > 1", "5:", "does nothing"),
    ("when: it.count > 2, stop: true", "5:", "'it' has no channel 'count'"),
    ("stop: true", "5:", "either `when` or `at`"),
    ("at: -1 s, stop: true", "5:", "must not be negative"),
    ("at: 1 s, stop: true, times: 0", "5:", "expected 1 or more"),
)


def mistakes():
    for text, place, message in MISTAKES:
        with model_file(HEAD + "bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}\n"
                        "joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}\n"
                        f"events: {{it: {{{text}}}}}\nsignals: {{wave: 3 N * sin(t)}}\nanalysis: {{end: 1 s, step: 0.1 s}}\n") as path:
            said = torsor("check", path, code=2).stderr
            good = f"case.yaml:{place}" in said and message in said
            check("mistakes", text, 0 if good else 1, 0, "" if good else said, quiet=True)
    with model_file(SLIDERS.replace("analysis: {", "analysis: {scheme: HHT, ")) as path:
        said = torsor("run", path, "-q", code=(2, 4)).stderr
        check("mistakes", "other schemes", 0 if "use ED or EP" in said else 1, 0, said)


if __name__ == "__main__":
    need_program()
    for way in ("EP", "ED"):
        for case_of in (sliders, edge, close, joints, rotors, fall, detent, reaction, outputs, acceleration, marks, motor, order, ratchet, satellite, clutch, spring, drive, pendulum, setting, start, together, counts, turns, linkage, restarts):
            case_of(way)
        for given in (0, 0.7):
            panel(way, given)
    restarts("ED", "step_tolerance: 1e-5, ")
    restarts("ED", "max_cuts: 9, ", LINKAGE, 1)
    log(), python(), chatter(), mistakes()
    sys.exit(verdict())
