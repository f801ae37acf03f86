#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Springs with inner states: Bouc-Wen, chains of Jenkins elements, Maxwell branches; backlash and one-sided springs.
Expected values: the area of Bouc-Wen's loop and motions under it by scipy's DOP853; Masing's rule for Jenkins chains; exponential relaxation
and the complex modulus of Maxwell branches; the period of a mass between two stops; a limit cycle with backlash by scipy."""

import sys

from case_tools import check, need_program, run as run_case, verdict
from program import QUICK, model_file, torsor

import h5py
import numpy as np
from scipy.integrate import solve_ivp

LEDGER = ["kinetic", "elastic", "gravity", "work_loads", "work_drives", "dissipated", "algorithmic", "balance", "start"]
HEAD = "torsor: 1\nunits: SI\n"
BLOCK = HEAD + """bodies: {block: {mass: 2 kg, inertia: [1, 1, 1], velocity: [VELOCITY, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0, 0], axis: x}}
"""
MOVED = BLOCK.replace("VELOCITY", "0")


def run(text, **options):
    """A run whose energy account closes to 1e-11."""
    return run_case(text, **{"audit": 1e-11, **options})


def ledger(out, name):
    return out.frame["ledger"][:, LEDGER.index(name)]


def along(fields):
    return f"springs: {{s: {{type: joint_spring, joint: rail, {fields}}}}}\n"


def bouc_wen(n, b):
    """zeta over the way u, both plain."""
    return lambda zeta, du: du*(1 - abs(zeta)**n*(b*np.sign(zeta*du) + 1 - b))


def loop_area():
    """A prescribed sine: what the third cycle dissipates is the area of the loop; the energy stored is k z^2/2."""
    k, F, n, b, X, w = 800.0, 30.0, 1.6, 0.7, 0.12, 2*np.pi
    slope = bouc_wen(n, b)

    def rates(t, y):
        v = X*w*np.cos(w*t)
        return [slope(y[0], v*k/F), F*y[0]*v]
    y = np.zeros(2)
    areas, zetas = [], []
    for cycle in range(3):  # in quarters: rates have kinks where the motion turns
        before = y[1]
        for q in range(4):
            t0 = cycle + 0.25*q
            y = solve_ivp(rates, (t0, t0 + 0.25), y, method="DOP853", rtol=1e-11, atol=1e-13, max_step=2e-3).y[:, -1]
        areas.append(y[1] - before), zetas.append(y[0])
    stored = [0.5*F*F/k*z*z for z in [0] + zetas]
    dissipated = [a - (s1 - s0) for a, s0, s1 in zip(areas, stored, stored[1:])]
    text = MOVED + along(f"bouc_wen_stiffness: {k}, bouc_wen_force: {F}, bouc_wen_exponent: {n}, bouc_wen_shape: {b}") + (
        f"motions: {{m: {{joint: rail, displacement: {{sine: {{amplitude: {X}, frequency: 1 Hz}}}}}}}}\n")
    errors = []
    for step in (0.01, 0.005):
        out = run(text + "analysis: {step: 0.01, end: 3}\n", step=step, audit=1e-11, case="Bouc-Wen loop")
        lost = ledger(out, "dissipated")
        mine = [lost[out.at(c + 1)] - lost[out.at(c)] for c in range(3)]
        errors.append(max(abs(m/d - 1) for m, d in zip(mine, dissipated)))
        check("Bouc-Wen loop", "elastic energy at the ends of cycles",
              [ledger(out, "elastic")[out.at(c)]/stored[1] - stored[c]/stored[1] for c in range(4)], 1e-11)
    check("Bouc-Wen loop", "area of the loops, exact where steps meet the turning points", errors, 1e-11)


def masing():
    """Jenkins elements, pulled to X, pushed to -X and pulled again: the first curve is f(x) = sum min(k x, F), every other one
    is twice that curve at half the way, from where it turned."""
    k, F, X = [100.0, 300.0, 50.0], [10.0, 15.0, 30.0], 0.4
    text = MOVED + along(f"jenkins_stiffness: {k}, jenkins_force: {F}") + (
        f"motions: {{m: {{joint: rail, displacement: {{table: [[0, 0], [1, {X}], [3, {-X}], [5, {X}]]}}}}}}\n")

    def first(x):
        return sum(np.minimum(a*x, b) for a, b in zip(k, F))
    for step in (0.05, 0.2):
        out = run(text + "analysis: {step: 0.05, end: 5}\n", step=step, audit=1e-11, case="Jenkins chain")
        x, t = out.coordinate("rail", "displacement"), out.t
        exact = np.where(t <= 1, first(x), np.where(t <= 3, first(X) - 2*first((X - x)/2), -first(X) + 2*first((X + x)/2)))
        check("Jenkins chain", f"force by Masing's rule, step {step}", np.abs(out.force("s")[:, 0]) - np.abs(exact), 1e-9)
        stored = sum(0.5*b*b/a for a, b in zip(k, F) if a*X > b) + sum(0.5*a*X*X for a, b in zip(k, F) if a*X <= b)
        check("Jenkins chain", "energy stored at the ends", ledger(out, "elastic")[[out.at(1), out.at(3), out.at(5)]] - stored, 1e-11)
        loop = sum(4*b*(X - b/a) for a, b in zip(k, F) if a*X > b)
        lost = ledger(out, "dissipated")
        check("Jenkins chain", "area of the loop", lost[out.at(5)] - lost[out.at(1)] - loop, 1e-10)


def maxwell():
    """Pulled at a constant rate, then held: exact at any step. A sine: k' and k'' of the complex modulus."""
    k, T, v = [300.0, 80.0], [0.05, 0.7], 0.3
    text = MOVED + along(f"stiffness: 20, maxwell_stiffness: {k}, maxwell_time: {T}")
    for step in (0.01, 0.25):
        out = run(text + f"motions: {{m: {{joint: rail, displacement: {{table: [[0, 0], [1, {v}], [9, {v}]]}}}}}}\nanalysis: {{step: 0.01, end: 3}}\n",
                  step=step, audit=1e-11, case="relaxation")
        t = out.t
        pulled = sum(a*b*v*(1 - np.exp(-np.minimum(t, 1)/b))*np.exp(-np.maximum(t - 1, 0)/b) for a, b in zip(k, T)) + 20*v*np.minimum(t, 1)
        check("relaxation", f"force, step {step}", np.abs(out.force("s")[:, 0]) - pulled, 1e-9)
    w, X = 2*np.pi*2, 0.05
    loss = sum(a*w*b/(1 + (w*b)**2) for a, b in zip(k, T))
    errors = []
    for step in (0.01, 0.005):
        out = run(text + f"motions: {{m: {{joint: rail, displacement: {{sine: {{amplitude: {X}, frequency: 2 Hz}}}}}}}}\nanalysis: {{step: 0.01, end: 10}}\n",
                  step=step, audit=1e-11, case="complex modulus")
        lost = ledger(out, "dissipated")
        errors.append((lost[-1] - lost[out.at(9)])/(2*np.pi*X*X*loss) - 1)
    check("complex modulus", "loss of a cycle", errors[-1], 1e-3)
    check("complex modulus", "order of convergence", np.log2(errors[0]/errors[1]) - 2, 0.1)


def oscillators():
    """A mass on each of them, against DOP853; every scheme closes its ledger."""
    m, v = 2.0, 1.5
    k, F, n, b = 900.0, 40.0, 2.0, 0.5
    slope = bouc_wen(n, b)
    cases = {
        "on Maxwell": (f"stiffness: 100, maxwell_stiffness: [{k}], maxwell_time: [0.03]",
                       lambda _, y: [y[1], -(100*y[0] + k*y[2])/m, y[1] - y[2]/0.03], 2),
        "on Bouc-Wen": (f"stiffness: 100, bouc_wen_stiffness: {k}, bouc_wen_force: {F}, bouc_wen_exponent: {n}",
                        lambda _, y: [y[1], -(100*y[0] + F*y[2])/m, slope(y[2], y[1]*k/F)], 2),
        "on Jenkins": (f"stiffness: 100, jenkins_stiffness: [{k}], jenkins_force: [{F}]",
                       lambda _, y: [y[1], -(100*y[0] + k*y[2])/m, 0 if k*abs(y[2]) >= F and y[1]*y[2] > 0 else y[1]], None),
    }
    for case, (fields, rates, order) in cases.items():
        exact = solve_ivp(rates, (0, 1), [0, v, 0], method="DOP853", rtol=1e-10, atol=1e-12, max_step=1e-4).y[0, -1]
        text = BLOCK.replace("VELOCITY", str(v)) + along(fields) + "analysis: {step: 0.01, end: 1}\n"
        for scheme in ("EP", "ED"):
            errors = [run(text, step=h, scheme=scheme, audit=1e-11, case=case).coordinate("rail", "displacement")[-1] - exact
                      for h in (0.004, 0.002, 0.001)]
            check(case, f"place at the end, {scheme}", errors[-1], 2e-5 if order else 1e-4)
            if order:
                check(case, f"order, {scheme}", np.log2(abs(errors[0]/errors[2]))/2 - order, 0.25)


ROTOR = HEAD + """gravity: [0, 0, -9.81]
bodies: {rod: {mass: 2 kg, inertia: [0.1, 0.2, 0.2], position: [0.5, 0, 0], angular_velocity: [0, 20, 0], velocity: [0, 0, -10]}}
joints: {hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}}
"""
FREE = HEAD + """gravity: [0, 0, -9.81]
bodies: {rod: {mass: 2 kg, inertia: [0.1, 0.2, 0.2], position: [1, 0.3, 0], velocity: [0, 1, 2], angular_velocity: [1, 2, 3]}}
"""
ALL = ("maxwell_stiffness: [30, 5], maxwell_time: [0.01, 0.5], jenkins_stiffness: [40, 20], jenkins_force: [3, 8], "
       "bouc_wen_stiffness: 60, bouc_wen_force: 6, bouc_wen_exponent: 3, bouc_wen_shape: 0.8")


def in_space():
    """About an angle, turn after turn, and between two points: the ledger closes, with and without damping by the scheme."""
    models = {"torsion spring": ROTOR + f"springs: {{s: {{type: torsion_spring, joint: hinge, stiffness: 2, {ALL}}}}}\n",
              "spring": FREE + f"springs: {{s: {{bodies: [ground, rod], from: [0, 0, 0], to: [1.2, 0.4, 0], stiffness: 10, {ALL}}}}}\n",
              "bushing": FREE + "springs: {s: {type: bushing, bodies: [ground, rod], at: [1, 0.3, 0], stiffness: [90, 80, 70, 5, 6, 7], "
              "cubic: [500, 0, 30], turning_cubic: [1, 2, 3], maxwell_share: [1, 0.4], maxwell_time: [0.02, 0.3]}}\n"}
    for case, text in models.items():
        for scheme in ("EP", "ED"):
            out = run(text + "analysis: {step: 0.005, end: 2}\n", scheme=scheme, audit=1e-11, case=case)
            check(case, "nothing but losses", min(np.min(np.diff(ledger(out, "dissipated"))), 0), 1e-9, quiet=True)


def bushing():
    """Along one axis it is the spring of the same numbers."""
    tail = "analysis: {step: 0.01, end: 2}\n"
    one = run(BLOCK.replace("VELOCITY", "2") + along("stiffness: 90, cubic: 300, maxwell_stiffness: [90, 36], maxwell_time: [0.02, 0.3]") + tail)
    other = run(BLOCK.replace("VELOCITY", "2") + "springs: {s: {type: bushing, bodies: [ground, block], at: [0, 0, 0], stiffness: [90, 80, 70, 5, 6, 7], "
                "cubic: [300, 20, 30], maxwell_share: [1, 0.4], maxwell_time: [0.02, 0.3]}}\n" + tail)
    check("bushing", "motion of the spring", one.coordinate("rail", "displacement") - other.coordinate("rail", "displacement"), 1e-11)
    for name in ("elastic", "dissipated"):
        check("bushing", f"{name} of the spring", ledger(one, name) - ledger(other, name), 1e-10)


def backlash():
    """A mass between two stops, a gap of 2 a: period 4 a/v + 2 pi sqrt(m/k), energy exact with EP. With a force that drives slow and brakes fast
    motion it comes to a limit cycle."""
    a, k, v = 0.05, 5000.0, 1.5
    gap = f"stop_min: {-a}, stop_max: {a}, stop_stiffness: {k}"
    period = 4*a/v + 2*np.pi*np.sqrt(2/k)
    text = BLOCK.replace("VELOCITY", str(v)) + along(gap) + f"analysis: {{step: {period/2000}, end: {3*period}}}\n"
    out = run(text, audit=1e-12, case="backlash")
    check("backlash", "place after three periods", out.coordinate("rail", "displacement")[-1], 5e-6)
    check("backlash", "energy, EP", (ledger(out, "kinetic") + ledger(out, "elastic"))/v**2 - 1, 1e-12)

    def rates(_, y):
        x = y[0]
        return [y[1], (-k*(max(x - a, 0) + min(x + a, 0)) + 3*y[1] - 4*y[1]**3)/2]
    crossings = solve_ivp(rates, (0, 12), [0, 0.1], method="DOP853", rtol=1e-10, atol=1e-12, max_step=2e-3,
                          events=(lambda _, y: y[0]))
    late = [t for t, y in zip(crossings.t_events[0], crossings.y_events[0]) if y[1] > 0][-6:]
    exact = (late[-1] - late[0])/5
    text = BLOCK.replace("VELOCITY", "0.1") + along(gap) + (
        "signals: {v: rail.displacement.rate}\nloads: {d: {type: motor, joint: rail, force: '3 N*s/m*v - 4 N*s^3/m^3*v^3'}}\n"
        "analysis: {step: 0.001, end: 12}\n")
    out = run(text, audit=1e-11, case="limit cycle", step=0.002 if QUICK else 0.0005)
    x, t = out.coordinate("rail", "displacement"), out.t
    up = np.nonzero((x[:-1] < 0) & (x[1:] >= 0))[0]
    times = t[up] - x[up]*(t[up + 1] - t[up])/(x[up + 1] - x[up])
    check("limit cycle", "its period, by scipy", (times[-1] - times[-6])/5/exact - 1, 2e-3 if QUICK else 2e-4)


def statics():
    """Jenkins elements and Bouc-Wen yield under load, Maxwell branches have relaxed."""
    text = MOVED + along("stiffness: 100, jenkins_stiffness: [200], jenkins_force: [10], maxwell_stiffness: [1e5], maxwell_time: [1]") + (
        "loads: {f: {type: force, body: block, force: [30, 0, 0]}}\n")
    out = run(text + "analysis: {type: static, increments: 7}\n", scheme=None, tolerance=None)
    check("statics", "displacement: the element slips, the branch has relaxed", out.coordinate("rail", "displacement")[-1] - 0.2, 1e-9)
    out = run(text + "analysis: {start: static, step: 0.01, end: 0.5}\n", audit=1e-11, case="start")
    check("statics", "a static start stays where it is", out.coordinate("rail", "displacement") - 0.2, 1e-9)


def restarts():
    """A run that goes on from the middle is the whole run, bit for bit: inner states are stored."""
    text = FREE + f"springs: {{s: {{bodies: [ground, rod], from: [0, 0, 0], to: [1.2, 0.4, 0], stiffness: 10, {ALL}}}, " + (
        "b: {type: bushing, bodies: [ground, rod], at: [1, 0.3, 0], stiffness: [9, 8, 7, 5, 6, 7], maxwell_share: [1, 0.4], maxwell_time: [0.02, 0.3]}}\n"
        "analysis: {step: 0.005, end: 2}\n")
    with model_file(text) as path:
        whole, rest = path.with_suffix(".h5"), path.with_name("rest.h5")
        torsor("run", path, "-o", whole)
        torsor("restart", whole, "--time", "1 s", "-o", rest)
        with h5py.File(whole) as a, h5py.File(rest) as b:
            t, q, again, when = a["frames/t"][:], a["frames/q"][:], b["frames/q"][:], b["frames/t"][:]
    rows = [int(np.argmin(np.abs(t - w))) for w in when]
    check("restart", "rows compared", len(rows) < 150, 0)
    check("restart", "the same bits", q[rows] - again, 0)


BAD = {
    "maxwell_stiffness: [3]": "maxwell_stiffness needs a maxwell_time",
    "maxwell_stiffness: [3, 4], maxwell_time: [1]": "has 2 numbers",
    "maxwell_stiffness: [3], maxwell_time: [0]": "above zero",
    "jenkins_force: [3]": "jenkins_force needs a jenkins_stiffness",
    "jenkins_force: [-3], jenkins_stiffness: [1]": "above zero",
    "bouc_wen_force: 3": "needs a bouc_wen_stiffness and a bouc_wen_force",
    "bouc_wen_force: 3, bouc_wen_stiffness: 1, bouc_wen_exponent: 0.5": "1 or more",
    "bouc_wen_force: 3, bouc_wen_stiffness: 1, bouc_wen_shape: 0.4": "between 0.5 and 1",
    "maxwell_stiffness: [3], maxwell_time: [2 m]": "time",
}


def refused():
    for fields, words in BAD.items():
        with model_file(MOVED + along(fields) + "analysis: {step: 0.1, end: 1}\n") as path:
            said = torsor("check", path, code=2)
        said = said.stdout + said.stderr
        check("refused", words, 0 if words in said else 1, 0, note="" if words in said else said[:300], quiet=True)
    with model_file(MOVED + "springs: {s: {type: bushing, bodies: [ground, block], at: [0, 0, 0], stiffness: [1, 1, 1, 1, 1, 1], maxwell_share: [1]}}\n"
                    "analysis: {step: 0.1, end: 1}\n") as path:
        said = torsor("check", path, code=2)
    check("refused", "bushing", "maxwell_share has 1" not in said.stdout + said.stderr, 0, quiet=True)


if __name__ == "__main__":
    need_program()
    for test in (loop_area, masing, maxwell, oscillators, in_space, bushing, backlash, statics, restarts, refused):
        test()
    sys.exit(verdict())
