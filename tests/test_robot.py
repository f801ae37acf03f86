#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""examples/robot.yaml: moments of the drives against the recursive Newton-Euler equations (J. Y. S. Luh, M. W. Walker and R. P. C. Paul, J. Dyn.
Syst. Meas. Control 102, 1980), written here in global axes; and signals within expressions, which give the example its angles."""

import pathlib
import subprocess
import sys
import tempfile

from case_tools import PROGRAM, check, need_program, run, verdict

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = (ROOT / "examples/robot.yaml").read_text(encoding="utf-8")
T = 1.5
JOINT = np.array([[0, 0, 0.4], [0.15, 0, 0.4], [0.15, 0, 1], [0.45, 0, 1.1], [0.8, 0, 1.1], [0.9, 0, 1.1]])
AXIS = np.eye(3)[[2, 1, 1, 0, 1, 0]]
CENTRE = np.array([[0.05, 0, 0.3], [0.15, 0, 0.7], [0.25, 0, 1.08], [0.62, 0, 1.1], [0.84, 0, 1.1], [1, 0, 1.06]])
MASS = [60, 35, 22, 14, 5, 8]
INERTIA = [[1.2, 1.4, 0.9], [1.6, 1.7, 0.25], [0.25, 0.35, 0.3], [0.06, 0.22, 0.22], [0.012, 0.015, 0.015], [0.05, 0.06, 0.04]]
SWING = np.radians([120, 40, -55, 90, 70, -180])


def turn(axis, angle):
    K = np.cross(np.eye(3), axis)
    return np.eye(3) + np.sin(angle)*K + (1 - np.cos(angle))*K @ K


def drives(t):
    """Moments about the axes."""
    x, w = t/T, 2*np.pi/T
    s, v, a = (x - np.sin(w*t)/(2*np.pi), (1 - np.cos(w*t))/T, w*np.sin(w*t)/T) if t < T else (1, 0, 0)
    R, omega, alpha = np.eye(3), np.zeros(3), np.zeros(3)
    p, acceleration, links = JOINT[0], np.array([0, 0, 9.81]), []  # gravity as a base that rises
    for i in range(6):
        if i:
            arm = R @ (JOINT[i] - JOINT[i - 1])
            acceleration = acceleration + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
            p = p + arm
        n = R @ AXIS[i]
        alpha = alpha + n*SWING[i]*a + np.cross(omega, n)*SWING[i]*v
        omega = omega + n*SWING[i]*v
        R = R @ turn(AXIS[i], SWING[i]*s)
        c = R @ (CENTRE[i] - JOINT[i])
        J = R @ np.diag(INERTIA[i]) @ R.T
        force = MASS[i]*(acceleration + np.cross(alpha, c) + np.cross(omega, np.cross(omega, c)))
        links.append((p, n, p + c, force, J @ alpha + np.cross(omega, J @ omega)))
    moments = []
    for i, (p, n, *_) in enumerate(links):
        moments.append(n @ sum(m + np.cross(c - p, f) for _, _, c, f, m in links[i:]))
    return np.array(moments)


def robot():
    for scheme in ("EP", "ED"):
        worst, smooth = error_of(scheme, 2e-3)
        check("robot", f"{scheme}: moments of the drives", worst, 2.5e-3)
        check("robot", f"{scheme}: away from corners", smooth, 6e-5)
        worst, smooth = error_of(scheme, 1e-3)
        check("robot", f"{scheme}: in half the step", worst, 1.25e-3)
        check("robot", f"{scheme}: away from corners", smooth, 1.5e-5)


def error_of(scheme, h):
    """Of efforts at the time of their row, over all rows, and without those around 0 and T, where the acceleration asked for has corners; the work is
    that of their means over the steps."""
    out = run(MODEL, scheme=scheme, step=h, case="robot")
    check("robot", f"{scheme}: the tool arrives", out.position("tool")[-1] - place_of_tool(), 1e-9)
    effort, mean = efforts(scheme, h)
    worst, smooth, scale = np.zeros(6), np.zeros(6), np.zeros(6)
    for k in range(len(out.t)):
        wanted = drives(out.t[k])
        worst, scale = np.maximum(worst, abs(effort[k] - wanted)), np.maximum(scale, abs(wanted))
        if min(abs(out.t[k]), abs(out.t[k] - T)) > 3.5*h:
            smooth = np.maximum(smooth, abs(effort[k] - wanted))
    work = np.sum(mean[1:]*np.diff(np.array([out.coordinate(f"axis{i}", "angle") for i in range(1, 7)]).T, axis=0))
    check("robot", f"{scheme}: efforts do the work of the drives", work/out.frame["ledger"][-1, 4] - 1, 1e-5)
    return worst/scale, smooth/scale


def efforts(scheme, h):
    """From the table that the model asks for; and the means over the step before each row."""
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, "run", ROOT / "examples/robot.yaml", "-q", "-o", f"{folder}/r.h5", "--csv", f"{folder}/r.csv"]
        subprocess.run([*command, "--scheme", scheme, "--step", repr(h), "--every", "1"], check=True)
        table = np.genfromtxt(f"{folder}/r.csv", delimiter=",", names=True)
        with h5py.File(f"{folder}/r.h5") as file:
            mean = -file["frames/lambda"][:][:, file["model/conditions"]["drive"][:] == 1]
    return np.array([table[name] for name in table.dtype.names if "effort" in name]).T, mean


def place_of_tool():
    R, p = np.eye(3), JOINT[0]
    for i in range(6):
        R = R @ turn(AXIS[i], SWING[i])
        p = p + R @ ((JOINT[i + 1] if i < 5 else CENTRE[5]) - JOINT[i])
    return p


SIGNALS = """torsor: 1
units: {length: mm, time: ms}
signals:
  base: {table: [[0, 0], [100, 2]]}
  force: 3 N * base + 1 N
  both: force + 0.5*force*base
bodies: {mass: {mass: 2 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}}
loads: {push: {type: force, body: mass, force: [both, WHAT, 0]}}
analysis: {scheme: EP, step: 1 ms, end: 100 ms}
"""


def impulse():
    """Momentum of a force made of other signals: b = 20 t goes to 2, and (3 b + 1)(1 + b/2) has the mean 6.5 over it. A step
    takes the mean of its ends, which is h^2 T f''/12 = 1e-5 N s too much."""
    out = run(SIGNALS.replace("WHAT", "-both/2"), step=1e-3, case="signals")
    exact = (0.65 + 1e-5)*np.array([1, -0.5, 0])/2
    check("signals", "momentum", out.velocity("mass")[-1] - exact, 1e-14)


def refusals():
    deep = "\n".join(["torsor: 1", "units: SI", "signals:", "  s0: t"] + [f"  s{i}: s{i - 1} + s{i - 1}" for i in range(1, 60)]) + "\n"
    for text, words in ((SIGNALS.replace("WHAT", "later + 1"), ("unknown name 'later'",)),
                        (SIGNALS.replace("  base:", "  first: 2*base\n  base:"), ("'base' is defined further down",)),
                        (SIGNALS.replace("mass: 2 kg", "mass: 2 kg + base"), ("'base' is a signal, and this value may not depend on time",)),
                        (SIGNALS.replace("WHAT", "0").replace("signals:", "signals:\n  u: {input: 0}") + "joints: {j: {type: prismatic, bodies: [ground, mass], at: [0, 0, 0], axis: x}}\nmotions: {m: {joint: j, displacement: 2*u}}\n", ("'u' is an input",)),
                        (deep, ("use too many others",))):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "bad.yaml")
            path.write_text(text, encoding="utf-8")
            done = subprocess.run([PROGRAM, "check", path], capture_output=True, text=True, timeout=20)
        missing = [w for w in words if w not in done.stderr]
        check("signals", f"refused: {words[0]}", [len(missing) + (done.returncode == 0)], 0, done.stderr[:200] if missing else "")


def main():
    need_program()
    robot()
    impulse()
    refusals()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
