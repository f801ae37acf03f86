#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Motions by the state: cams, linkages and gears whose ratio changes, `displacement: cam(shaft.angle)`. Cams against scipy's integration of
the equation of one degree of freedom: order 2 with EP and ED, energy, the constraint to round-off, the force of the cam by its closed form;
with the time in the profile, whose work is the drive's; cams by smooth tables, and by straight lines with corners; a function of two
coordinates; equilibrium, modes, redundant constraints, switching, restarts bit for bit; what a motion cannot follow is refused."""

import sys

from case_tools import check, need_program, run, verdict
from program import ROOT, model_file, modes_of, torsor

import h5py
import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import PchipInterpolator
from scipy.optimize import brentq

J, M, K, G = 0.02, 0.5, 2000.0, 9.81  # inertia of the shaft, mass of the follower, return spring
R, PRELOAD = 0.02, 30.0
MACHINE = f"""torsor: 1
units: SI
gravity: [0, 0, -{G}]
bodies:
  shaft: {{mass: 2, inertia: [0.01, 0.01, {J}], angular_velocity: [0, 0, 12]}}
  follower: {{mass: {M}, inertia: [0.001, 0.001, 0.001], position: [0.1, 0, 0.1]}}
joints:
  axle: {{type: revolute, bodies: [ground, shaft], at: [0, 0, 0], axis: z}}
  guide: {{type: prismatic, bodies: [ground, follower], at: [0.1, 0, 0.1], axis: z}}
springs:
  back: {{type: joint_spring, joint: guide, stiffness: {K}, force: {PRELOAD} N}}
SIGNALSmotions:
  cam: {{joint: guide, displacement: PROFILE}}
"""
TAIL = "analysis: {step: 2 ms, end: 0.6 s}\n"


def machine(profile, signals=""):
    return MACHINE.replace("PROFILE", f"'{profile}'").replace("SIGNALS", signals)


def slope(errors):
    errors = np.abs(errors)
    return np.mean(np.log2(errors[:-1]/errors[1:]))


def total_of(out):
    """Energy; the constant force of the spring is a load."""
    ledger = out.frame["ledger"]
    return ledger[:, 0] + ledger[:, 1] + ledger[:, 2] - ledger[:, 3]


def reference(u, t):
    """u(theta, t) gives u, u_theta, u_t, u_thetatheta, u_thetat, u_tt. Angle and its rate at the times t."""
    def rates(now, y):
        angle, w = y
        at, by, by_t, bend, mixed, bend_t = u(angle, now)
        push = K*at + PRELOAD + M*G  # what the follower is pressed with, at rest
        return [w, -by*(M*(bend*w*w + 2*mixed*w + bend_t) + push)/(J + M*by*by)]
    return solve_ivp(rates, (0, t[-1]), [0, 12], t_eval=t, method="DOP853", rtol=1e-12, atol=1e-13).y


def smooth(angle, _=0):
    """R (1 - cos) + 0.3 R sin^2"""
    c, s = np.cos(angle), np.sin(angle)
    return (R*(1 - c) + 0.3*R*s*s, R*s + 0.6*R*s*c, 0*c, R*c + 0.6*R*(c*c - s*s), 0*c, 0*c)


SMOOTH = f"{R} m*(1 - cos(axle.angle)) + {0.3*R} m*sin(axle.angle)^2"


def cam():
    """Order 2; EP keeps the energy; y = u(angle) at every step; the force of the cam is that of the closed form at the same state."""
    for scheme in ("EP", "ED"):
        errors = []
        for step in (0.004, 0.002, 0.001):
            out = run(machine(SMOOTH) + TAIL, scheme=scheme, step=step, case=f"cam {scheme}", audit=1e-11)
            angle, w = out.coordinate("axle", "angle"), out.coordinate_rate("axle", "angle")
            exact = reference(smooth, out.t)
            errors.append(np.max(np.abs(angle - exact[0])))
            u, by, _, bend, *_ = smooth(angle)
            check(f"cam {scheme}", "follower on the cam", out.coordinate("guide", "displacement") - u, 1e-15*10)
            check(f"cam {scheme}", "few iterations", max(0, np.mean(out.step["iterations"]) - 6), 0, f"{np.mean(out.step['iterations']):.1f}")
        check(f"cam {scheme}", "angle by scipy", errors[-1], 2e-4)
        check(f"cam {scheme}", "order", slope(errors) - 2, 0.15)
        total, energy = total_of(out), out.frame["ledger"]
        if scheme == "EP":
            check("cam EP", "energy", np.ptp(total)/np.max(energy[:, 0]), 1e-11)
        else:
            check("cam ED", "energy never grows", max(0, np.max(np.diff(total))), 1e-12)
        push = K*u + PRELOAD + M*G
        alpha = -by*(M*bend*w*w + push)/(J + M*by*by)
        force = M*(bend*w*w + by*alpha) + push
        told = out.force("cam")[:, 2]
        check(f"cam {scheme}", "force on the follower", (told - force)/np.max(force), 2e-3)
        check(f"cam {scheme}", "no work", out.frame["ledger"][-1, 4], 1e-12)


def timed():
    """The profile moves with the time: what it does is the work of the drive, and the ledger closes."""
    a, omega = 0.01, 9.0

    def u(angle, t):
        c, s = np.cos(angle - omega*t), np.sin(angle - omega*t)
        return a*(1 - c), a*s, -a*omega*s, a*c, -a*omega*c, a*omega*omega*c
    for scheme in ("EP", "ED"):
        errors = []
        for step in (0.004, 0.002, 0.001):
            out = run(machine(f"{a} m*(1 - cos(axle.angle - {omega} rad/s*time))") + TAIL, scheme=scheme, step=step, case=f"timed {scheme}", audit=1e-11)
            errors.append(np.max(np.abs(out.coordinate("axle", "angle") - reference(u, out.t)[0])))
        check(f"timed {scheme}", "angle by scipy", errors[-1], 1e-4)
        check(f"timed {scheme}", "order", slope(errors) - 2, 0.15)
        energy, ledger = total_of(out), out.frame["ledger"]
        if scheme == "EP":
            check("timed EP", "the drive gives what the energy grows by", (energy - energy[0] - ledger[:, 4])/np.max(ledger[:, 0]), 1e-11)
        check(f"timed {scheme}", "it works", 0 if np.ptp(ledger[:, 4]) > 0.1 else 1, 0, f"{np.ptp(ledger[:, 4]):.2f} J")
        power = np.gradient(ledger[:, 4], out.t)
        told = out.frame["power"][:, out._reaction["cam"]]
        check(f"timed {scheme}", "its power", (told - power)[2:-2]/np.max(np.abs(power)), 1e-2)


def tables():
    """Smooth tables are scipy's; straight lines have corners: energy and constraint hold over them as well."""
    rows = [[0, 0], [60, 0.006], [120, 0.015], [200, 0.016], [300, 0.004]]
    text = ", ".join(f"[{a} deg, {y} m]" for a, y in rows)
    angles = np.radians([row[0] for row in rows] + [360])
    lift = np.array([row[1] for row in rows] + [0])
    periodic = np.concatenate([angles[:-1] - 2*np.pi, angles, angles[1:] + 2*np.pi])
    spline = PchipInterpolator(periodic, np.concatenate([lift[:-1], lift, lift[1:]]))

    def u(angle, _):
        a = np.mod(angle, 2*np.pi)
        return spline(a), spline(a, 1), 0, spline(a, 2), 0, 0
    errors = []
    for step in (0.002, 0.001, 0.0005):
        out = run(machine("lift(axle.angle)", f"signals: {{lift: {{table: [{text}], period: 360 deg, interpolation: smooth}}}}\n") + TAIL.replace("0.6", "0.8"), step=step,
                  case="smooth table", audit=1e-11)
        errors.append(np.max(np.abs(out.coordinate("axle", "angle") - reference(u, out.t)[0])))
    check("smooth table", "turns", 0 if out.coordinate("axle", "angle")[-1] > 2*np.pi else 1, 0)
    check("smooth table", "angle by scipy", errors[-1], 1e-3)
    check("smooth table", "order", slope(errors) - 2, 0.4)
    for scheme in ("EP", "ED"):
        out = run(machine("lift(axle.angle)", f"signals: {{lift: {{table: [{text}], period: 360 deg}}}}\n") + TAIL, scheme=scheme, step=0.001,
                  case=f"corners {scheme}", audit=1e-11)
        line = np.interp(np.mod(out.coordinate("axle", "angle"), 2*np.pi), angles, lift)
        check(f"corners {scheme}", "follower on the cam", out.coordinate("guide", "displacement") - line, 1e-14)
        energy, ledger = total_of(out), out.frame["ledger"]
        change = np.ptp(energy) if scheme == "EP" else max(0, np.max(np.diff(energy)))
        check(f"corners {scheme}", "energy", change/np.max(ledger[:, 0]), 1e-11)


def two():
    """A third shaft turns by a function of two: b = (1 + c sin a1) a2. Lagrange's equations of two degrees of freedom by scipy."""
    J1, J2, J3, c = 0.3, 0.2, 0.1, 0.4
    text = f"""torsor: 1
units: SI
bodies:
  one: {{mass: 1, inertia: [1, 1, {J1}], angular_velocity: [0, 0, 2]}}
  other: {{mass: 1, inertia: [1, 1, {J2}], position: [1, 0, 0], angular_velocity: [0, 0, 3]}}
  third: {{mass: 1, inertia: [1, 1, {J3}], position: [2, 0, 0], angular_velocity: [0, 0, 3]}}
joints:
  a: {{type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: z}}
  b: {{type: revolute, bodies: [ground, other], at: [1, 0, 0], axis: z}}
  c: {{type: revolute, bodies: [ground, third], at: [2, 0, 0], axis: z}}
motions: {{gear: {{joint: c, angle: (1 + {c}*sin(a.angle))*b.angle}}}}
analysis: {{step: 0.01, end: 2}}
"""

    def rates(_, y):
        x, v, p, w = y  # angles a and b, their rates
        f = np.array([c*np.cos(x)*v, 1 + c*np.sin(x)])
        drift = -c*np.sin(x)*v*p*p + 2*c*np.cos(x)*p*w
        acc = np.linalg.solve(np.diag([J1, J2]) + J3*np.outer(f, f), -J3*f*drift)
        return [p, w, acc[0], acc[1]]
    for scheme in ("EP", "ED"):
        errors = []
        for step in (0.02, 0.01, 0.005):
            out = run(text, scheme=scheme, step=step, case=f"two coordinates {scheme}", audit=1e-11)
            exact = solve_ivp(rates, (0, 2), [0, 0, 2, 3], t_eval=[2], method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
            errors.append(out.coordinate("b", "angle")[-1] - exact[1])
            a, b = out.coordinate("a", "angle"), out.coordinate("b", "angle")
            check(f"two coordinates {scheme}", "constraint", out.coordinate("c", "angle") - (1 + c*np.sin(a))*b, 1e-13)
        check(f"two coordinates {scheme}", "angle by scipy", errors[-1], 1e-3)
        check(f"two coordinates {scheme}", "order", slope(errors) - 2, 0.15)
        if scheme == "EP":
            check("two coordinates EP", "energy", np.ptp(out.frame["ledger"][:, 0])/out.frame["ledger"][0, 0], 1e-11)


def rest():
    """A torsion spring on the shaft holds the follower's load: equilibrium and small vibrations about it by the potential."""
    c = 4.0
    text = machine(SMOOTH).replace("angular_velocity: [0, 0, 12]", "angular_velocity: [0, 0, 0]").replace(
        "motions:", f"  hold: {{type: torsion_spring, joint: axle, stiffness: {c}, free_angle: 60 deg}}\nmotions:")
    free = np.radians(60)

    def moment(angle):
        u, by, *_ = smooth(angle)
        return c*(angle - free) + by*(K*u + PRELOAD + M*G)
    angle = brentq(moment, 0, free)
    u, by, _, bend, *_ = smooth(angle)
    out = run(text + "analysis: {type: static}\n", scheme=None, tolerance=None)
    check("equilibrium", "angle", out.coordinate("axle", "angle")[-1] - angle, 1e-9)
    check("equilibrium", "force of the cam", out.force("cam")[-1, 2]/(K*u + PRELOAD + M*G) - 1, 1e-9)
    stiffness = c + K*by*by + bend*(K*u + PRELOAD + M*G)
    mode = modes_of(text + "analysis: {start: static, step: 1 ms, end: 1 s}\n", 1)[0]
    check("modes", "frequency", mode["frequency"]/(np.sqrt(stiffness/(J + M*by*by))/(2*np.pi)) - 1, 1e-7)


def assembled():
    """The follower is drawn off the cam: it is put on it, with the velocity that the cam gives it."""
    out = run(machine(f"0.03 m + {R} m*sin(axle.angle)") + TAIL, case="assembly", audit=1e-11)
    x, v, a = out.coordinate("guide", "displacement")[0], out.coordinate_rate("guide", "displacement")[0], out.coordinate("axle", "angle")[0]
    check("assembly", "place", x - 0.03 - R*np.sin(a), 1e-14)
    check("assembly", "velocity", v - R*np.cos(a)*out.coordinate_rate("axle", "angle")[0], 1e-12)


def switched():
    """Off: the follower flies; on: it goes on with the cam from where it is. Restarts bit for bit, with the time in the profile."""
    text = machine(f"{R} m*(1 - cos(axle.angle)) + 2 mm*sin(20*t)") + """events:
  off: {at: 0.1 s, switch_off: cam}
  on: {at: 0.13 s, switch_on: cam}
analysis: {step: 2 ms, end: 0.3 s}
outputs: {restart: 10}
"""
    for scheme in ("EP", "ED"):
        out = run(text, scheme=scheme, case=f"switched {scheme}", audit=1e-11)
        angle, y = out.coordinate("axle", "angle"), out.coordinate("guide", "displacement")
        off = y - R*(1 - np.cos(angle)) - 0.002*np.sin(20*out.t)
        before, after = out.t < 0.1001, out.t > 0.1301
        check(f"switched {scheme}", "on the cam until it is off", off[before], 1e-14)
        check(f"switched {scheme}", "then off it", 0 if np.max(np.abs(off[~before])) > 1e-3 else 1, 0)
        check(f"switched {scheme}", "goes on from where it is", np.ptp(off[after]), 1e-14)
        with model_file(text) as path:
            whole, part = path.with_suffix(".h5"), path.with_name("part.h5")
            torsor("run", path, "--scheme", scheme, "-q", "-o", whole)
            for step in (30, 50, 70, 110):
                torsor("restart", whole, "--from", step, "-q", "-o", part)
                with h5py.File(whole) as one, h5py.File(part) as other:
                    same = all(np.array_equal(one["frames"][name][-1], other["frames"][name][-1]) for name in ("q", "v", "memory", "lambda"))
                check(f"switched {scheme}", f"restart from {step} bit for bit", not same, 0)


def refused():
    """What it cannot follow, with its place and what to do instead."""
    for profile, words in ((f"{R} s*m*axle.rate", "'axle.angle.rate' is a velocity"), ("0.001 m/N*back.force", "'back.force' is a force"),
                           ("0.1 m*y", "'y.value' is a state")):
        with model_file(machine(profile).replace("motions:", "states: {y: {rate: 1 - y}}\nmotions:") + TAIL) as path:
            message = torsor("check", path, code=(1, 2)).stderr
            line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if "cam:" in text)
        check("refused", f"{words}", words not in message or "motor with a controller" not in message or f"case.yaml:{line}:" not in message, 0, message[:300])


def example():
    """examples/cam.yaml: the valve floats where spring and preload cannot bring it back, w^2 = (preload + k h)/(6 m h) at constant speed."""
    text = (ROOT / "examples/cam.yaml").read_text(encoding="utf-8")
    out = run(text, scheme=None, case="example", audit=1e-11, tolerance=None)
    w = np.sqrt((200 + 25e3*0.009)/(6*0.12*0.009))
    check("example", "speed at which the valve floats", out.coordinate_rate("shaft", "angle")[-1]/w - 1, 0.01, f"{out.coordinate_rate('shaft', 'angle')[-1]:.1f} rad/s")
    check("example", "it is pushed until then", max(0, -np.min(out.force("cam")[:-1, 2])), 0)
    early = run(text, scheme="EP", case="example", audit=1e-11)  # multipliers of EP ripple: the event is met at the start of a step
    check("example", "no gaps in the results", not all(np.all(np.isfinite(early.frame[name])) for name in ("force", "multiplier", "power", "acceleration")), 0)


if __name__ == "__main__":
    need_program()
    for case_of in (cam, timed, tables, two, rest, assembled, switched, refused, example):
        case_of()
    sys.exit(verdict())
