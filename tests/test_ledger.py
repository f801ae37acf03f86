#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Lines of the energy account: losses of dampers, of friction and of impacts; in results, tables, JSON, Python and
after restarts; and files without these lines. Expected values: a block that a damper slows down, one that friction
stops, a rotor that a brake stops, gears by their efficiency, a ball that loses 1 - e^2 of its energy, a ball that
slides until it rolls."""
import math
import os
import sys

from case_tools import check, h5py, need_program, np, run, verdict

import crafted_results
from program import ROOT, model_file, torsor

sys.path.insert(0, str(ROOT/"python"))

HEAD = "torsor: 1\nunits: SI\n"
BOTH = HEAD + """bodies:
  a: {mass: 2, inertia: [1, 1, 1], velocity: [3, 0, 0]}
  b: {mass: 1, inertia: [1, 1, 1], position: [0, 1, 0], velocity: [2, 0, 0]}
joints:
  damped: {type: prismatic, bodies: [ground, a], at: [0, 0, 0], axis: x}
  rubbed: {type: prismatic, bodies: [ground, b], at: [0, 1, 0], axis: x}
springs:
  damper: {type: joint_spring, joint: damped, damping: 3}
  seal: {type: slide_friction, joint: rubbed, coefficient: 0.1, preload: 5, stiffness: 1e6}
analysis: {end: 1 s, step: 1 ms}
"""
BRAKE = HEAD + """bodies: {wheel: {mass: 2, inertia: [0.2, 0.2, 0.2], angular_velocity: [0, 0, 5]}}
joints: {hinge: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: z}}
springs: {shoe: {type: brake, joint: hinge, torque: 2, stiffness: 2e5}}
analysis: {end: 1 s, step: 1 ms}
"""
BALL = HEAD + """gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.6]}
  disc: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 3, 0.1], velocity: [1, 0, 0]}
shapes:
  skin: {type: sphere, on: ball, radius: 0.1}
  round: {type: sphere, on: disc, radius: 0.1}
  floor: {type: plane, on: ground, normal: z}
contacts:
  bounce: {between: [skin, floor], stiffness: 1e5, restitution: 0.8}
  slide: {between: [round, floor], stiffness: 1e5, friction: 0.3}
analysis: {end: 0.5 s, step: 0.5 ms}
"""


def parts(out):
    return out.frame["losses"].T


def sums(case, out):
    """The parts are the whole, and never less than before."""
    check(case, "sum of the parts", (parts(out).sum(axis=0) - out.frame["ledger"][:, 5])/max(1, out.frame["ledger"][-1, 5]), 1e-12, quiet=True)
    check(case, "losses only", min(0, np.min(np.diff(parts(out)))), 1e-12, quiet=True)


def joints(scheme):
    case = f"joints, {scheme}"
    out = run(BOTH, scheme=scheme, case=case, audit=1e-11)
    dampers, friction, impacts = parts(out)
    h, ratio = 1e-3, (1 - 0.25e-3*3)/(1 + 0.25e-3*3)  # of the speed in a step of EP: m (v' - v) = -c h (v + v')/2
    if scheme == "EP":
        check(case, "damper", dampers - 9*(1 - ratio**(2*np.round(out.t/h))), 1e-11)
    else:
        check(case, "damper", dampers - 9*(1 - np.exp(-3*out.t)), 1e-5)
    stopped = out.frame["ledger"][-1, 6] + out.frame["elastic_energy"][-1].sum()
    check(case, "friction", friction[-1] + stopped - 2, 1e-11)
    cut = run(BOTH + "events: {seen: {when: rubbed.displacement > 0.1503 m, mark: a step is made again}}\n", scheme=scheme, case=case, audit=1e-11)
    stopped = cut.frame["ledger"][-1, 6] + cut.frame["elastic_energy"][-1].sum()
    check(case, "friction of steps that are cut counts once", parts(cut)[1][-1] + stopped - 2, 1e-11)
    check(case, "impacts", impacts, 0)
    sums(case, out)
    out = run(BRAKE, scheme=scheme, case=case, audit=1e-11)
    check(case, "brake", parts(out)[1][-1] + out.frame["ledger"][-1, 6] + out.frame["ledger"][-1, 1] - 2.5, 1e-9)
    check(case, "a brake is no damper", parts(out)[0], 0)


def gear():
    text = (ROOT/"examples/machines/gear_losses.yaml").read_text(encoding="utf-8")
    out = run(text, scheme="ED", case="gear", audit=1e-11)
    check("gear", "all by friction", (parts(out)[1] - out.frame["ledger"][:, 5])/out.frame["ledger"][-1, 5], 1e-14)


def contacts(scheme):
    case = f"contacts, {scheme}"
    out = run(BALL, scheme=scheme, case=case, audit=1e-11)
    dampers, friction, impacts = parts(out)
    check(case, "dampers", dampers, 0)
    check(case, "impacts and friction of the contacts", np.array([impacts, friction]).T - out.frame["contact_loss"].sum(axis=1), 1e-12)
    v = math.sqrt(2*9.81*0.5)
    check(case, "one impact, 1 - e^2 (e is reached to 0.005)", impacts[-1]/(0.5*v*v*(1 - 0.64)) - 1, 2*0.8*0.005/0.36)
    rolling = 1/(1 + 0.004/0.01)  # of the speed: J = 0.4 m r^2
    lost = 0.5*(1 - rolling)
    check(case, "until it rolls", friction[-1]/lost - 1, 2e-2)
    sums(case, out)


def motions(scheme):
    """Power of motions: effort times rate; over time it is the work of drives, by the trapezoidal rule."""
    case = f"motions, {scheme}"
    text = HEAD + """gravity: [0, 0, -9.81]
bodies: {arm: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}, block: {mass: 1, inertia: [1, 1, 1], position: [0, 2, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: y}, rail: {type: prismatic, bodies: [ground, block], at: [0, 2, 0], axis: z}}
motions: {turn: {joint: hinge, angle: 0.5 rad * sin(3*t)}, lift: {joint: rail, displacement: 0.2 m * sin(5*t)}}
analysis: {end: 1 s, step: 2 ms}
"""
    with model_file(text) as path:
        torsor("run", path, "-q", "-o", path.with_suffix(".h5"), "--scheme", scheme, "--every", 1)
        lines = torsor("info", path.with_suffix(".h5"), "--csv", "turn.power", "lift.power", "turn.effort", "lift.effort", "hinge.angle.rate", "rail.displacement.rate", "energy.work_drives").stdout.splitlines()
    t, turn, lift, moment, force, spin, speed, work = np.array([line.split(",") for line in lines[1:]], float).T
    check(case, "effort times rate", [turn - moment*spin, lift - force*speed], 1e-9, lines[0][:40])
    power = turn + lift
    check(case, "its integral", (np.sum(0.5*(power[1:] + power[:-1])*np.diff(t)) - work[-1])/np.max(np.abs(work)), 2e-4)
    exact = 9.81*0.2*5*np.cos(5*t) - 0.2**2*125*np.sin(5*t)*np.cos(5*t)
    check(case, "of the block, in closed form", (lift - exact)/np.max(np.abs(exact)), 5e-4)


def told():
    """The line of the verdict, JSON, tables, Python (a sanitized build has no library for it), a restart."""
    with model_file(BALL) as path:
        whole, rest = path.with_name("whole.h5"), path.with_name("rest.h5")
        said = torsor("run", path, "-o", whole).stdout
        for line in ("dissipated by dampers", "lost by friction", "lost by impacts"):
            check("told", line, 0 if f"\n  {line} " in said else 1, 0)
        torsor("restart", whole, "--from", 500, "-q", "-o", rest)
        with h5py.File(whole) as a, h5py.File(rest) as b:
            for name in ("losses", "joint_friction"):
                check("restart", name, a[f"frames/{name}"][-1] - b[f"frames/{name}"][-1], 0)
            last = a["frames/losses"][-1]
        table = torsor("info", whole, "--csv", "energy.friction", "energy.impacts").stdout.splitlines()
        check("told", "table", np.array(table[-1].split(",")[1:], float) - last[1:], 0, table[0])
        if os.path.exists(os.environ.get("TORSOR_LIBRARY", "")):
            import torsor as module
            run_ = module.load(path).start()
            run_.run()
            check("told", "Python", np.array([run_.damper_loss, run_.friction_loss, run_.impact_loss]) - last, 0)
    with model_file(BOTH) as path:
        whole, rest = path.with_name("whole.h5"), path.with_name("rest.h5")
        torsor("run", path, "-q", "-o", whole)
        torsor("restart", whole, "--from", 300, "-q", "-o", rest)
        with h5py.File(whole) as a, h5py.File(rest) as b:
            check("restart", "friction in a joint", a["frames/losses"][-1] - b["frames/losses"][-1], 0)


def older():
    """A file of a version that did not tell them apart can be read and gone on from."""
    with model_file(BOTH) as path:
        old, rest = path.with_name("old.h5"), path.with_name("rest.h5")
        torsor("run", path, "-q", "-o", old)
        with h5py.File(old, "a") as file:
            del file["frames/losses"], file["frames/joint_friction"]
            crafted_results.older(file)
        torsor("restart", old, "--from", 300, "-q", "-o", rest)
        said = torsor("info", old, "--csv", "energy").stdout.splitlines()[0]
        check("older", "its table", 0 if "energy.dissipated" in said and "energy.friction" not in said else 1, 0)
        torsor("report", old, "-o", path.with_name("old.html"))
        with h5py.File(rest) as b:
            check("older", "what came before counts as dampers'", b["frames/losses"][-1].sum() - b["frames/ledger"][-1, 5], 1e-12)


if __name__ == "__main__":
    need_program()
    for way in ("EP", "ED"):
        joints(way), contacts(way), motions(way)
    gear(), told(), older()
    sys.exit(verdict())
