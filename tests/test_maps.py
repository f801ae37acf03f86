#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of two arguments (maps), and tables in files over other quantities than time.
Expected values: scipy's DOP853 with its bilinear interpolation of the same grid, at second order; a map of one argument only against the
table of that argument; the same table in the file of the model, in a file of its own and in the echo of its results; the built-in damper."""

import pathlib
import sys
import tempfile

from case_tools import Run, check, need_program, run as run_case, told, verdict
from program import events, model_file, torsor

import h5py
import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import RegularGridInterpolator

HEAD = "torsor: 1\nunits: SI\n"
ROTOR = HEAD + """bodies: {wheel: {mass: 2 kg, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, 1]}}
joints: {hinge: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: z}}
"""
ENGINE = "loads: {engine: {type: motor, joint: hinge, torque: 'torque(hinge.angle.rate, mod(hinge.angle, 6.283185307179586 rad))'}}\n"
TAIL = "analysis: {scheme: EP, step: 0.01, end: 2}\n"
SPEED, ANGLE = np.array([0, 2, 5, 30.0]), np.array([0, 1, 2.5, 4, 6.3])
TORQUE = np.array([[np.cos(a)*0.1 + 0.2 - 0.01*s for a in ANGLE] for s in SPEED])


def run(text, **options):
    """A run whose energy account closes to 1e-11."""
    return run_case(text, **{"audit": 1e-11, **options})


def triples(sep=", ", line="[%s]", join=", ", units=("rad/s", "rad", "N*m")):
    rows = [(s, a, TORQUE[i, j]) for i, s in enumerate(SPEED) for j, a in enumerate(ANGLE)]
    return join.join(line % sep.join(f"{float(x)!r} {u}".strip() for x, u in zip(row, units)) for row in rows)


def by_scipy():
    grid = RegularGridInterpolator((SPEED, ANGLE), TORQUE)
    exact = solve_ivp(lambda _, z: [z[1], float(grid((z[1], z[0])))/0.1], (0, 2), [0, 1], method="DOP853", rtol=1e-11, atol=1e-12, max_step=1e-3).y[0, -1]
    errors = []
    for step in (0.02, 0.01, 0.005):
        out = run(ROTOR + f"signals: {{torque: {{table: [{triples()}]}}}}\n" + ENGINE + TAIL, step=step, audit=1e-11, case="engine")
        errors.append(out.coordinate("hinge", "angle")[-1] - exact)
    check("bilinear map", "angle at the end", errors[-1], 2e-4)
    check("bilinear map", "order of convergence", np.log2(abs(errors[0]/errors[2]))/2 - 2, 0.3)


def one_argument():
    """A smooth map that does not depend on its second argument is the smooth table of the first."""
    curve = [[-3, 5], [0, 0.5], [1, 0], [2, -4]]
    table = ", ".join(f"[{a} rad/s, {t} N*m]" for a, t in curve)
    cells = ", ".join(f"[{a} rad/s, {b} rad, {t} N*m]" for a, t in curve for b in (-1, 3, 4))
    one = run(ROTOR + f"signals: {{f: {{table: [{table}], interpolation: smooth}}}}\n"
              "loads: {m: {type: motor, joint: hinge, torque: f(hinge.angle.rate)}}\n" + TAIL)
    two = run(ROTOR + f"signals: {{f: {{table: [{cells}], interpolation: smooth}}}}\n"
              "loads: {m: {type: motor, joint: hinge, torque: 'f(hinge.angle.rate, hinge.angle)'}}\n" + TAIL)
    check("one argument", "the motion of both", one.coordinate("hinge", "angle") - two.coordinate("hinge", "angle"), 1e-12)


def files():
    """The same map in the model, in a file of three columns and in the echo; a damper curve in a file."""
    inline = run(ROTOR + f"signals: {{torque: {{table: [{triples()}]}}}}\n" + ENGINE + TAIL)
    with tempfile.TemporaryDirectory() as folder:
        text = triples(";", "%s", "\n", ("", "", "")).replace(".", ",")
        pathlib.Path(folder, "map.csv").write_text("speed;angle;torque\n" + text + "\n", encoding="utf-8")
        pathlib.Path(folder, "damper.csv").write_text("v [m/s], F [N]\n-10, -30\n0, 0\n0.5, 1.5\n20, 60\n", encoding="utf-8")
        model = pathlib.Path(folder, "m.yaml")
        for columns in ("", "columns: [1, 2, 3], ", "columns: [speed, angle, torque], "):
            model.write_text(ROTOR + f"signals: {{torque: {{file: map.csv, {columns}units: [rad/s, rad, N*m]}}}}\n" + ENGINE + TAIL, encoding="utf-8")
            out = Run(pathlib.Path(folder, "m.h5"), told(events("run", model, "-o", pathlib.Path(folder, "m.h5"), "--tolerance", "1e-15")))
            check("map in a file", "the motion with the inline one", out.coordinate("hinge", "angle") - inline.coordinate("hinge", "angle"), 0)
        with h5py.File(pathlib.Path(folder, "m.h5")) as results:
            echo = results["model"].attrs["text"] if "text" in results["model"].attrs else results["model/text"][()]
        echo = echo.decode() if isinstance(echo, bytes) else str(echo)
        check("map in a file", "the echo stands alone", "map.csv" in echo, 0)
        again = run(echo)
        check("map in a file", "the motion of the echo", again.coordinate("hinge", "angle") - inline.coordinate("hinge", "angle"), 0)
        block = HEAD + ("bodies: {block: {mass: 2 kg, inertia: [1, 1, 1], velocity: [3, 0, 0]}}\n"
                        "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0, 0], axis: x}}\n")
        model.write_text(block + "signals: {curve: {file: damper.csv, columns: [v, F], units: [m/s, N]}}\n"
                         "springs: {s: {type: joint_spring, joint: rail, force: curve(rail.displacement.rate)}}\n" + TAIL, encoding="utf-8")
        out = Run(pathlib.Path(folder, "d.h5"), told(events("run", model, "-o", pathlib.Path(folder, "d.h5"), "--tolerance", "1e-15")))
        plain = run(block + "springs: {s: {type: joint_spring, joint: rail, damping: 3 N*s/m}}\n" + TAIL)
        check("damper curve in a file", "the built-in damper", out.coordinate("rail", "displacement") - plain.coordinate("rail", "displacement"), 1e-11)


MAP = "{table: [[0 rad/s, 0 rad, 1 N*m], [0 rad/s, 1 rad, 2 N*m], [1 rad/s, 0 rad, 3 N*m], [1 rad/s, 1 rad, 4 N*m]]}"
BAD = {
    f"signals: {{f: {MAP}}}\nloads: {{m: {{type: motor, joint: hinge, torque: f(hinge.angle.rate)}}}}\n": "takes 2 arguments",
    f"signals: {{f: {MAP}}}\nloads: {{m: {{type: motor, joint: hinge, torque: 'f(hinge.angle, hinge.angle)'}}}}\n": "is a function of",
    f"signals: {{f: {MAP}}}\nloads: {{m: {{type: motor, joint: hinge, torque: 'f(hinge.angle.rate, 2 m)'}}}}\n": "is a function of",
    f"signals: {{f: {MAP}}}\nloads: {{m: {{type: motor, joint: hinge, torque: f}}}}\n": "function",
    f"signals: {{f: {MAP}, g: 2*f}}\n": "not a function of time",
    "signals: {f: {table: [[0 rad/s, 0 rad, 1], [0 rad/s, 1 rad, 2], [1 rad/s, 0 rad, 3]]}}\n": "fill a grid",
    "signals: {f: {table: [[0 rad/s, 0 rad, 1], [0 rad/s, 1 rad]]}}\n": "three numbers",
    "signals: {f: {table: [[0, 0, 1], [0, 1, 2], [1, 0, 3], [1, 1, 4]], period: 1 s}}\n": "does not repeat",
    "signals: {f: {file: none.csv, columns: [1, 2, 3], units: [s, N]}}\n": "units of the 3 columns",
    "signals: {f: {file: none.csv, columns: [1, 2, 3, 4]}}\n": "three of a map",
}


def refused():
    for text, words in BAD.items():
        with model_file(ROTOR + text + TAIL) as path:
            said = torsor("check", path, code=2)
            said = said.stdout + said.stderr
        check("refused", words, 0 if words in said else 1, 0, note="" if words in said else said[:300], quiet=True)


if __name__ == "__main__":
    need_program()
    by_scipy(), one_argument(), files(), refused()
    sys.exit(verdict())
