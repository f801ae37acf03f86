#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Statics, static starts and modes with contacts against closed forms: balls that sink into a floor or fall on it, a block that friction holds on a slope and that does not move
afterwards, a cantilever pressed on a support, frequencies of what rests on contacts."""
import math
import sys

from case_tools import check, h5py, need_program, run, verdict

from program import events, model_file, torsor

G = 9.81

BALL = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {ball: {mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, HEIGHT]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.1}
  floor: {type: plane, on: ground, normal: z}
contacts: {rest: {between: [skin, floor], LAW}}
analysis: {type: static, increments: 5}
"""

BLOCK = """torsor: 1
units: SI
parameters: {tilt: 0.25}
gravity: [9.81*sin(atan(tilt)), 0, -9.81*cos(atan(tilt))]
bodies: {block: {mass: 2, inertia: INERTIA, position: [0, 0, 0.05]}}
shapes:
  box: {type: box, on: block, size: [0.3, 0.2, 0.1]}
  table: {type: plane, on: ground, normal: z}
contacts: {rub: {between: [box, table], stiffness: 1e6, friction: 0.3, restitution: 0.1}}
analysis: {ANALYSIS}
"""

# a cantilever whose tip rests on a support after a gap of 0.2 mm
PROPPED = """torsor: 1
units: SI
sections: {profile: {EA: 1e8, GA2: 1e8, GA3: 1e8, GJ: 1e3, EI2: 100, EI3: 100, mass: 1}}
beams: {rod: {from: [0, 0, 0], to: [1, 0, 0], section: profile, elements: 8, order: 3}}
bodies: {foot: {mass: 1e-3, inertia: [1e-6, 1e-6, 1e-6], position: [1, 0, 0]}}
joints:
  clamp: {type: rigid, bodies: [ground, rod.start], at: [0, 0, 0]}
  tip: {type: rigid, bodies: [rod.end, foot], at: [1, 0, 0]}
shapes:
  skin: {type: sphere, on: foot, radius: 0.01}
  floor: {type: plane, on: ground, normal: z, at: [0, 0, -0.0102]}
contacts: {rest: {between: [skin, floor], stiffness: 1e4}}
loads: {push: {type: force, body: foot, force: [0, 0, -1]}}
analysis: {type: static, METHOD}
"""

# two blocks whose meshes do not match: points of one lie on diagonals of faces of the other
BLOCKS = """torsor: 1
units: SI
materials: {m: {E: 1e9, nu: 0, density: 1000}}
meshes:
  low: {type: box, size: [1, 1, 0.5], divisions: [4, 4, 2]}
  high: {type: box, size: [1, 1, 0.5], divisions: [3, 3, 2], position: [0, 0, GAP]}
solids: {a: {mesh: low, material: m}, b: {mesh: high, material: m}}
joints:
  floor: {type: support, nodes: a.z-}
  guide: {type: support, nodes: b.z+, fix: [x, y]}
shapes:
  top: {type: skin, faces: a.z+, thickness: 0.02}
  bottom: {type: skin, faces: b.z-, thickness: 0.02}
contacts: {touch: {between: [top, bottom], area_stiffness: STIFFNESS}}
loads: {push: {type: surface_load, faces: b.z+, force: [0, 0, -1e5]}}
analysis: {ANALYSIS}
"""


def _blocks(gap, stiffness, analysis):
    with model_file(BLOCKS.replace("GAP", gap).replace("STIFFNESS", stiffness).replace("ANALYSIS", analysis)) as path:
        return events("run", path, "--no-results")[-1]


def _static(text):
    """The states and the iterations of a run of statics."""
    with model_file(text) as path:
        results = path.with_name("out.h5")
        events("run", path, "-o", results)
        with h5py.File(results) as file:
            frames, steps = file["progress"][:]
            return {name: file[f"frames/{name}"][:frames] for name in ("q", "contact_force", "t")} | {"iterations": file["steps/iterations"][:steps]}


def sinks():
    """Under its weight a ball sinks in by m g/k, or (m g/kh)^(2/3); drawn above the floor, it falls there."""
    hertz = (2*G/(4/3*1e8*math.sqrt(0.1)))**(2/3)
    for law, depth in (("stiffness: 1e5", 2*G/1e5), ("modulus: 1e8", hertz), ("stiffness: 1e5, friction: 0.3", 2*G/1e5)):
        for height in ("0.1", "0.0999", "0.13"):
            out = _static(BALL.replace("LAW", law).replace("HEIGHT", height))
            check("sinks", f"{law}, drawn at {height}", (0.1 - out["q"][-1, 4, 2])/depth - 1, 1e-9)
            check("sinks", f"{law}, force", out["contact_force"][-1, 0, 0]/(2*G) - 1, 1e-9, quiet=True)
        check("sinks", f"{law}, iterations once it touches", out["iterations"][1:].max(), 6)


def slope():
    """Friction holds a block in statics with m g sin; a motion that starts there stays there."""
    for scheme in ("EP", "ED"):
        text = BLOCK.replace("INERTIA", "[0.01, 0.02, 0.02]").replace("ANALYSIS", "start: static, end: 1 s, step: 10 ms")
        out = run(text, scheme=scheme, case="slope", audit=1e-10)
        q, force = out.frame["q"], out.frame["contact_force"][:, 0]
        a = math.atan(0.25)
        check("slope", f"{scheme}, pressed by m g cos", force[:, 0]/(2*G*math.cos(a)) - 1, 1e-10)
        check("slope", f"{scheme}, held by m g sin", force[:, 1]/(2*G*math.sin(a)) - 1, 1e-10)
        check("slope", f"{scheme}, moves in a second", q - q[0], 1e-13)


def propped():
    """Beam and contact share the load: w = (F + k gap)/(3 EI/L^3 + k), by increments and along the arc."""
    exact = (1 + 1e4*0.0002)/(300 + 1e4)
    for method in ("increments: 5", "method: arc_length, increments: 5"):
        out = _static(PROPPED.replace("METHOD", method))
        w = -out["q"][-1, -4, 2]  # the foot was built behind the beam, or before
        w = w if abs(w) > 1e-9 else -out["q"][-1, 4, 2]
        check("propped", method, w/exact - 1, 2e-4, f"{w:.6e} of {exact:.6e} m")


def frequencies(text):
    with model_file(text) as path:
        results = path.with_name("m.h5")
        torsor("modes", path, "-o", results)
        with h5py.File(results) as file:
            return file["modes/frequency"][:]


def modes():
    """A mass that rests on a contact: sqrt(k/m). A block that friction holds, too heavy to turn: sqrt(4 k/m) up and down, sqrt(4 k_t/m) along the table."""
    omega = frequencies(BALL.replace("LAW", "stiffness: 1e5").replace("HEIGHT", "0.1"))
    check("modes", "ball", min(abs(w/math.sqrt(1e5/2) - 1) for w in omega), 1e-9)
    omega = frequencies(BLOCK.replace("INERTIA", "[1e6, 1e6, 1e6]").replace("ANALYSIS", "type: static, increments: 4"))
    for what, k in (("up and down", 4e6), ("along", 3.2e6)):
        check("modes", f"block, {what}", min(abs(w/math.sqrt(k/2) - 1) for w in omega), 1e-6)


def pressed_blocks():
    """A pressure p through two columns and their contact stores p^2/2 (1/E + 1/k) for each square metre, whatever the meshes; thrown upon each other they need few iterations."""
    done = _blocks("0.52", "1e11", "type: static, increments: 2")
    check("blocks", "stored energy", done["end"]["elastic"]/(1e10/2*(1/1e9 + 1/1e11)) - 1, 2e-3)
    done = _blocks("0.5201", "1e10", "scheme: EP, step: 1 ms, end: 50 ms")
    check("blocks, EP", "energy audit", done["relative_balance"], 1e-11)
    check("blocks, EP", "iterations a step above 15 (it was hundreds, with cuts)", max(0, done["iterations"]/done["steps_done"] - 15), 0)


if __name__ == "__main__":
    need_program()
    pressed_blocks()
    sinks()
    slope()
    propped()
    modes()
    sys.exit(verdict())
