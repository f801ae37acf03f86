#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Verdicts that can fail: energy created by schemes without a balance, residuals of statics, round-off of far
coordinates, signals that are not finite."""

import os
import pathlib
import sys

from case_tools import h5py

from program import ROOT, answer, events, model_file, torsor

PENDULUM = (ROOT / "examples/double_pendulum.yaml").read_text(encoding="utf-8").replace("end: 10 s", "end: 5 s")
SPRING = """torsor: 1
units: SI
bodies: {bob: {mass: 2, inertia: [1, 1, 1]}}
joints: {guide: {type: prismatic, bodies: [ground, bob], at: [0, 0, 0], axis: z}}
springs: {k: {bodies: [ground, bob], from: [0, 0, 1], to: [0, 0, 0], stiffness: 200, free_length: 0.9}}
"""
BODY = """torsor: 1
units: SI
bodies: {rod: {mass: 1, inertia: [1, 1, 1]}}
PARTS
analysis: {scheme: SCHEME, step: 10 ms, end: 1 s}
"""
PIN = "joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 1], axis: x}}\n"
CANTILEVER = """torsor: 1
units: SI
materials: {soft: {E: 1e6, nu: 0.3, density: 1}}
sections: {s: {type: circle, material: soft, diameter: 0.1}}
beams: {b: {from: [0, 0, 0], to: [1, 0, 0], section: s, elements: 8, order: 1}}
joints: {root: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}}
loads: {tip: {type: force, body: b.end, force: [0, 0, -10]}}
analysis: {type: static, increments: INCREMENTS, tolerance: TOLERANCE}
"""


def notebook(path):
    """What a notebook shows of a results file; None where the library cannot be loaded (sanitizers)."""
    if not pathlib.Path(os.environ["TORSOR_LIBRARY"]).exists():
        return None
    sys.path.insert(0, str(ROOT / "python"))
    import torsor as ts  # pylint: disable=import-outside-toplevel
    return ts.Results(path)._repr_html_()  # pylint: disable=protected-access


def run(text, scheme=None):
    """The verdict, and what info makes of the file."""
    with model_file(text) as path:
        words = ["--scheme", scheme] if scheme else []
        done = events("run", path, "-o", path.with_suffix(".h5"), *words, code=(0, 4))[-1]
        told = answer("info", path.with_suffix(".h5"))
        page = torsor("info", path.with_suffix(".h5")).stdout
        with h5py.File(path.with_suffix(".h5")) as h5:
            rows = {"ledger": h5["frames/ledger"][...]}
        shown = notebook(path.with_suffix(".h5"))
    for key in ("audit", "sound", "energy_created", "made", "relative_balance"):
        assert told[key] == done[key], (key, told[key], done[key])
    assert done["audit"] in page, page
    assert shown is None or done["audit"].removeprefix("energy audit: ").removeprefix("energy: ") in shown.replace("&#x27;", "'"), shown
    return done, rows


def what_schemes_make_is_told():
    """From energies and works of the stored states: change of energy less works plus what dampers took. Of the file, not of our sums."""
    for scheme in ("newmark", "HHT", "generalized_alpha", "RK-trapezoidal", "RK-radau3", "RK-radau5"):
        done, rows = run(PENDULUM, scheme)
        l = rows["ledger"]
        energy = l[:, 0] + l[:, 1] + l[:, 2]
        made = energy - energy[0] - (l[:, 3] + l[:, 4] - l[:, 5])
        largest = max(0, made.max())
        assert abs(done["made"] - largest) <= 1e-9*done["energy_scale"] or done["made"] > largest, (scheme, done["made"], largest)
        assert "closed" not in done["audit"] and "this scheme has no energy balance" in done["audit"], done["audit"]
        assert done["energy_created"] == (done["made"] > 1e-8*done["energy_scale"]), (scheme, done)
        assert done["sound"] == (done["made"] <= 0.02*done["energy_scale"]), (scheme, done["audit"])
        word = "created" if done["energy_created"] else "lost"
        assert f"energy: {scheme} {word} " in done["audit"], done["audit"]
    done, _ = run(PENDULUM, "newmark")
    assert not done["sound"] and "do not trust this run" in done["audit"], done["audit"]


def energy_made_and_lost_again_is_told():
    """Newmark on a nonlinear spring: energy rises on the way and falls back. The end alone would not show it."""
    done, rows = run(PENDULUM, "HHT")
    l = rows["ledger"][-1]
    net = l[7] - l[6]
    assert done["energy_created"] and done["made"] > 1e-8*done["energy_scale"] and net < 0.1*done["made"], (done["made"], net)
    assert "HHT created" in done["audit"] and 0 < done["made_time"] < 10, done["audit"]


def loose_tolerances_show():
    loose = PENDULUM.replace("step: 10 ms", "step: 10 ms\n  tolerance: 0.3")
    for scheme in ("ED", "EP", "newmark"):
        done, _ = run(loose, scheme)
        assert not done["sound"] and "OPEN" in done["audit"], (scheme, done["audit"])


def statics_tells_its_residual():
    done, _ = run(CANTILEVER.replace("INCREMENTS", "10").replace("TOLERANCE", "1e-12"))
    assert done["sound"] and done["residual"] < 1e-6 and "forces balanced to" in done["audit"], done["audit"]
    assert "trapezoidal rule" in done["audit"], done["audit"]
    loose, _ = run(CANTILEVER.replace("INCREMENTS", "1").replace("TOLERANCE", "0.9"))
    assert not loose["sound"] and loose["residual"] > 1e-3 and "OPEN" in loose["audit"], (loose["audit"], loose["residual"])


def work_along_the_path_converges():
    """The trapezoidal rule leaves a quarter when increments are halved."""
    left = []
    for n in ("10", "20"):
        done, _ = run(CANTILEVER.replace("INCREMENTS", n).replace("TOLERANCE", "1e-12"))
        l = done["end"]
        left.append(l["work_loads"] - l["elastic"])
    assert 3.5 < left[0]/left[1] < 4.5, left


FAR = """torsor: 1
units: SI
parameters: {bend: 30 deg, W: 10, L: 1e9}
bodies:
  input: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [-0.2, 0, 0], angular_velocity: [W, 0, 0]}
  middle:
    mass: 1
    inertia: [0.02, 0.1, 0.1]
    position: [L/2*cos(bend), L/2*sin(bend), 0]
    orientation: {axis: z, angle: bend}
    angular_velocity: [W*cos(bend)*cos(bend), W*cos(bend)*sin(bend), 0]
  output: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [L*cos(bend) + 0.2, L*sin(bend), 0]}
joints:
  bearing_in: {type: revolute, bodies: [ground, input], at: [-0.2, 0, 0], axis: x}
  joint_in: {type: universal, bodies: [input, middle], at: [0, 0, 0], axis: z, axis_b: [-sin(bend), cos(bend), 0]}
  joint_out: {type: universal, bodies: [middle, output], at: [L*cos(bend), L*sin(bend), 0], axis: [-sin(bend), cos(bend), 0], axis_b: z}
  bearing_out: {type: cylindrical, bodies: [ground, output], at: [L*cos(bend) + 0.2, L*sin(bend), 0], axis: x}
motions: {drive: {joint: bearing_in, angle: W*t}}
analysis: {step: 1 ms, end: 1 s}
"""
HUGE = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {rod: {mass: 2, inertia: [1e-3, 0.17, 0.17], position: [1e20, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}}
analysis: {scheme: ED, step: 5 ms, end: 1 s}
"""


def round_off_is_named():
    with model_file(FAR) as path:
        done = torsor("run", path, "--no-results", code=(0, 2, 3, 4))
    assert "round-off of coordinates of up to 1e+09 m" in done.stdout and "draw the model near the origin" in done.stdout, done.stdout
    assert "MJ" not in done.stdout.split("energy audit:")[1].split("\n")[0], done.stdout
    done, _ = run(HUGE)
    fall = 0.5*2*9.81**2
    assert abs(done["energy_scale"]/fall - 1) < 1e-6, done["energy_scale"]
    assert done["sound"] and "at rest" not in done["audit"] and "closed" in done["audit"], done["audit"]


def signals_are_named():
    cases = {
        "loads: {push: {type: force, body: rod, force: [1/(t-0.5), 0, 0]}}\n": "load 'push': its force is infinite at t = 0.5 s",
        "loads: {turn: {type: moment, body: rod, moment: [0, 1/(t-0.5), 0]}}\n": "load 'turn': its moment is infinite at t = 0.5 s",
        PIN + "loads: {spin: {type: motor, joint: pin, torque: 1/(t-0.5)}}\n": "load 'spin': its torque is infinite at t = 0.5 s",
        PIN + "motions: {drive: {joint: pin, angle: 1/(t-0.5)}}\n": "motion 'drive': its angle is infinite at t = 0.5 s",
        "loads: {push: {type: force, body: rod, force: [sqrt(0.505-t), 0, 0]}}\n": "load 'push': its force is not a number at t = 0.51 s",
        PIN + "motions: {drive: {joint: pin, angle: 1/t}}\n": "motion 'drive': its angle is infinite at t = 0 s",
    }
    for parts, words in cases.items():
        for scheme in ("ED", "EP", "newmark"):
            with model_file(BODY.replace("PARTS", parts).replace("SCHEME", scheme)) as path:
                done = torsor("run", path, "--no-results", code=(0, 2, 3, 4))
            assert words in done.stderr and "nan" not in done.stderr, (scheme, words, done.stderr)


COLUMN = """torsor: 1
units: SI
materials: {soft: {E: 1e6, nu: 0.3, density: 1}}
sections: {s: {type: circle, material: soft, diameter: 0.02}}
beams: {column: {from: [0, 0, 0], to: [0, 0, 1], section: s, elements: 8, order: 1}}
joints: {root: {type: rigid, bodies: [ground, column.start], at: [0, 0, 0]}}
loads: {tip: {type: force, body: column.end, force: [1e-4, 0, -1]}}
analysis: {type: static, method: arc_length, increments: 2, max_cuts: 0, max_points: 500}
"""


def paths_have_an_owner():
    with model_file(COLUMN) as path:
        done = torsor("run", path, "--no-results", code=(0, 2, 3, 4))
    assert "no convergence beyond load factor" in done.stderr, done.stderr
    assert "the largest residual is in" in done.stderr and "'column'" in done.stderr and "increments" in done.stderr, done.stderr


if __name__ == "__main__":
    for test in (what_schemes_make_is_told, energy_made_and_lost_again_is_told, loose_tolerances_show,
                 statics_tells_its_residual, work_along_the_path_converges, round_off_is_named, signals_are_named,
                 paths_have_an_owner):
        test()
        print(f"{test.__name__}: ok", flush=True)
    sys.exit(0)
