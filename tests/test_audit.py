#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The energy audit of a run: closed for a model at rest, whose balance is round-off; reported as open where it is open."""

import sys

from case_tools import h5py

from crafted_results import older
from program import ROOT, answer, events, model_file, torsor

HEAD = """torsor: 1
units: SI
analysis: {scheme: SCHEME, step: 1 ms, end: 0.2 s}
"""
GRAVITY = "gravity: [0, 0, -9.81]\n"
BOB = "bodies: {bob: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [X, 0.1, 0]MOTION}}\n"
HINGE = "joints: {pin: {type: revolute, bodies: [ground, bob], at: [X, 0.1, 0.7], axis: [1, 2, 0]}}\n"
WELD = "joints: {weld: {type: rigid, bodies: [ground, bob], at: [0, 0, 0]}}\n"
BEAM = """materials: {steel: {E: 210 GPa, nu: 0.3, density: 7800 kg/m^3}}
sections: {s: {type: circle, material: steel, diameter: 0.1}}
beams: {b: {from: [0, 0, 0], to: [1.3, 0.7, 0.4], section: s, elements: 5, order: 1}}
joints: {root: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}}
"""
SPRING = """bodies: {bob: {mass: 2, inertia: [0.1, 0.1, 0.1]}}
joints: {guide: {type: prismatic, bodies: [ground, bob], at: [0, 0, 0], axis: z}}
springs: {k: {bodies: [ground, bob], from: [0, 0, 1], to: [0, 0, 0], stiffness: 200}}
"""

# hung straight below the hinge, or welded; with its mass centre where gravity has no energy
AT_REST = {
    "hanging on a hinge": GRAVITY + BOB + HINGE,
    "welded": GRAVITY + BOB + WELD,
    "hanging a kilometre away": (GRAVITY + BOB + HINGE).replace("X", "1e3"),
    "without gravity": BOB + HINGE,
    "a stiff beam": BEAM,
    "a spring at its free length": SPRING,
    "nothing but a body": BOB,
}


def audit(text, scheme="ED", tolerance=None):
    text = text.replace("MOTION", "").replace("X", "0.3").replace("SCHEME", scheme)
    if tolerance:
        text = text.replace("step: 1 ms", f"tolerance: {tolerance}, step: 20 ms").replace("end: 0.2 s", "end: 4 s")
    with model_file(text) as path:
        return events("run", path, "--no-results")[-1]


def rest_is_closed():
    for what, text in AT_REST.items():
        for scheme in ("EP", "ED"):
            done = audit(HEAD + text, scheme)
            assert done["energy_scale"] < 1e-9, (what, scheme, done["energy_scale"])
            assert done["sound"] and "OPEN" not in done["audit"], (what, scheme, done["audit"])
            assert done["relative_balance"] < 1e-8, (what, scheme, done["relative_balance"])
            assert "at rest" in done["audit"], (what, scheme, done["audit"])


def rest_is_said_quietly():
    """On the terminal, in the results file and where it is judged again."""
    with model_file((HEAD + AT_REST["hanging on a hinge"]).replace("MOTION", "").replace("X", "0.3").replace("SCHEME", "ED")) as path:
        done = torsor("run", path, "-o", path.with_suffix(".h5"))
        assert "no energy beyond round-off" in done.stdout and "round-off" in done.stdout and not done.stderr, done.stdout
        assert answer("info", path.with_suffix(".h5"))["relative_balance"] < 1e-8


def what_is_open_is_open():
    """Newton's method stopped too early: energy is off, be it much or little beside what round-off is of."""
    pendulum = (ROOT / "examples/double_pendulum.yaml").read_text(encoding="utf-8")
    with model_file(pendulum.replace("step: 10 ms", "step: 10 ms\n  tolerance: 1e-2")) as path:
        done = events("run", path, "--no-results")[-1]
        warned = torsor("run", path, "--no-results").stderr
    assert not done["sound"] and "OPEN" in done["audit"] and done["relative_balance"] > 1e-7, done["audit"]
    assert "OPEN" in warned
    text = HEAD + GRAVITY + BOB.replace("MOTION", ", angular_velocity: [0.1, 0.2, 0]") + HINGE
    small, sound = audit(text, "EP", 0.3), audit(text, "EP")
    assert 1e-5 < small["energy_scale"] < 1e-2, small["energy_scale"]
    assert not small["sound"] and "OPEN" in small["audit"], small["audit"]
    assert sound["sound"] and "nothing created" in sound["audit"], sound["audit"]


CRANE = """torsor: 1
units: SI
parameters: {z0: HEIGHT, J: 25 m, rope: 18 m}
gravity: [0, 0, -9.81]
materials: {steel: {E: 210 GPa, nu: 0.3, density: 7850}}
sections: {box: {type: box, material: steel, width: 1.0 m, height: 1.2 m, thickness: 6 mm}}
beams: {jib: {from: [0, 0, z0], to: [J, 0, z0], section: box, damping: 1 ms}}
cables: {rope: {from: [J, 0, z0], to: [J, 0, z0 - rope], EA: 2e7 N, mass: 1.5 kg/m, elements: 12, damping: 5 ms, tension: 19700 N}}
bodies: {load: {mass: 2000, inertia: [600, 600, 600], position: [J, 0, z0 - rope - 1 m]}}
joints:
  root: {type: rigid, bodies: [ground, jib.start], at: [0, 0, z0]}
  hook: {type: spherical, bodies: [jib.end, rope.start], at: [J, 0, z0]}
  shackle: {type: spherical, bodies: [rope.end, load], at: [J, 0, z0 - rope]}
analysis: {scheme: ED, step: 10 ms, end: 2 s, tolerance: 1e-15}
"""


def height_does_not_matter():
    """The scale of the audit is what is exchanged: m g z from the origin is not. The rope goes slack and snaps taut on the way; with a damper that
    sets in with a jump, a step of this took 1500 iterations."""
    runs = {}
    for height in ("0 m", "1000 m"):
        with model_file(CRANE.replace("HEIGHT", height)) as path:
            *steps, runs[height] = events("run", path, "--no-results")
        done = runs[height]
        assert done["sound"] and done["relative_balance"] < 1e-10, (height, done["relative_balance"])
        assert done["iterations"] < 12 * done["steps"] and done["cuts"] == 0, (height, done["iterations"], done["cuts"])
        assert done["start"]["gravity"] == 0, done["start"]
        fallen = -done["end"]["gravity"]
        assert 0 < fallen < 1e5 and done["energy_scale"] < 1e5, (fallen, done["energy_scale"])
    low, high = runs.values()
    assert abs(low["energy_scale"] - high["energy_scale"]) < 1e-6 * low["energy_scale"], (low["energy_scale"], high["energy_scale"])


def files_of_before_go_on():
    """Earlier versions counted the energy of gravity from the origin. A restart finds the same balance."""
    text = CRANE.replace("HEIGHT", "1000 m").replace("end: 2 s", "end: 0.4 s")
    with model_file(text) as path:
        file, again = path.with_suffix(".h5"), path.with_name("again.h5")
        whole = events("run", path, "-o", file)[-1]
        with h5py.File(file, "r+") as h5:
            ledger = h5["frames/ledger"]
            rows = ledger[...]
            rows[:, 2] += 3e7
            rows[:, -1] += 3e7
            ledger[...] = rows
            older(h5, 1)
        done = events("restart", file, "--time", "0.2 s", "-o", again)[-1]
    assert done["sound"] and abs(done["end"]["gravity"] - whole["end"]["gravity"]) == 0, (done["end"], whole["end"])
    assert abs(done["end"]["balance"] - whole["end"]["balance"]) < 1e-6, (done["end"], whole["end"])


if __name__ == "__main__":
    for test in (rest_is_closed, rest_is_said_quietly, what_is_open_is_open,
                 height_does_not_matter, files_of_before_go_on):
        test()
        print(f"{test.__name__}: ok", flush=True)
    sys.exit(0)
