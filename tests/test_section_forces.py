#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Internal forces of turning members under loads fixed in space, in every row of the results, to second order in the step: beams, cables, shells and
solids against closed forms; bit for bit in runs that were restarted.

A stiff arm is turned at a constant rate under its weight, at rest in its own axes: all that is in it is the centripetal force and the weight of what
lies beyond, whose axial part goes around with the arm. Read off states, ED showed it half a step late.
"""
import sys

from case_tools import check, h5py, need_program, np, verdict
from program import model_file, torsor

RATE, LENGTH, MASS, G = 2*np.pi, 1.0, 2.0, 9.81
HEAD = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
analysis: {scheme: SCHEME, step: STEP, end: 1.25 s}
"""
SPIN = f"angular_velocity: [0, {-RATE}, 0]"
PARTS = {
    "beam": f"""
sections: {{s: {{EA: 5e8, GA2: 2e8, GA3: 2e8, GJ: 1e5, EI2: 1e5, EI3: 1e5, mass: 2, inertia: [8.5e-5, 4.3e-5, 4.3e-5]}}}}
beams: {{arm: {{from: [0, 0, 0], to: [1, 0, 0], axis2: y, section: s, elements: 4, order: ORDER, {SPIN}}}}}
joints: {{hub: {{type: revolute, bodies: [ground, arm.start], at: [0, 0, 0], axis: y}}}}
motions: {{turn: {{joint: hub, speed: {-RATE}}}}}
""",
    "shell": f"""
materials: {{m: {{E: 2e11, nu: 0, density: 400}}}}
shell_sections: {{s: {{type: shell, material: m, thickness: 0.05}}}}
meshes: {{q: {{type: plate, size: [1, 0.1], divisions: [10, 1], order: ORDER}}}}
shells: {{arm: {{mesh: q, section: s, {SPIN}}}}}
couplings: {{c: {{type: rigid, nodes: arm.x-}}}}
joints: {{hub: {{type: revolute, bodies: [ground, c], at: [0, 0.05, 0], axis: y}}}}
motions: {{turn: {{joint: hub, speed: {-RATE}}}}}
""",
    "solid": f"""
materials: {{m: {{E: 2e11, nu: 0, density: 200}}}}
meshes: {{q: {{type: box, size: [1, 0.1, 0.1], divisions: [10, 1, 1]}}}}
solids: {{arm: {{mesh: q, material: m, {SPIN}}}}}
couplings: {{c: {{type: rigid, nodes: arm.x-}}}}
joints: {{hub: {{type: revolute, bodies: [ground, c], at: [0, 0.05, 0.05], axis: y}}}}
motions: {{turn: {{joint: hub, speed: {-RATE}}}}}
""",
}
SCHEMES = {"ED": "ED", "ED, 0.5": "{name: ED, rho_inf: 0.5}"}


def axial_force(t, s):
    """Of what lies beyond s, pulled to the hub; the arm points to [cos wt, 0, sin wt]."""
    beyond = MASS*(LENGTH - s)/LENGTH
    return beyond*(RATE**2*(LENGTH + s)/2 - G*np.sin(RATE*t))


def beam_force(file, _):
    stations = file["model/stations"][()]
    place = int(np.argmin(np.abs(stations["arc"] - 0.5)))
    return file["frames/section_force"][:, place, 0], stations["arc"][place]


def at_points(file, table, values, times):
    """Mean over the points of the cells in the middle of the arm of a number, times their share of the section."""
    points = file[f"model/{table}"][()]
    x = points["x"] if "x" in points.dtype.names else points["place"][:, 0]
    near = np.abs(x - 0.45) < 0.05
    return times*file[f"frames/{values}"][:, near, :][:, :, 0].mean(axis=1), x[near].mean()


def shell_force(file, _):
    return at_points(file, "shell_points", "shell_force", 0.1)


def solid_force(file, t):
    """The stress is global: along the arm."""
    points = file["model/solid_points"][()]
    x = points["x"] if "x" in points.dtype.names else points["place"][:, 0]
    near = np.abs(x - 0.45) < 0.05
    s = file["frames/solid_stress"][:, near, :].mean(axis=1)
    c, n = np.cos(RATE*t), np.sin(RATE*t)
    return 0.01*(c*c*s[:, 0] + n*n*s[:, 2] + 2*c*n*s[:, 5]), x[near].mean()


READ = {"beam": beam_force, "shell": shell_force, "solid": solid_force}


def worst(part, scheme, order, step):
    text = HEAD + PARTS[part].replace("ORDER", str(order))
    with model_file(text.replace("SCHEME", SCHEMES[scheme]).replace("STEP", f"{step} s")) as path:
        results = path.with_suffix(".h5")
        torsor("run", path, "-q", "-o", results)
        with h5py.File(results) as file:
            t = file["frames/t"][()]
            force, place = READ[part](file, t)
    turn = t > 0.25 + 1e-9  # the start is a blow, since the arm is drawn without its tension; a whole turn is left
    error = (force - axial_force(t, place))[turn]
    return np.max(np.abs(error - error.mean()))/(MASS*(LENGTH - place)*G)  # the mesh is coarse, for centripetal forces too


def second_order():
    for part, order, scheme in (("beam", 1, "ED"), ("beam", 2, "ED"), ("beam", 3, "ED, 0.5"), ("shell", 1, "ED"), ("shell", 2, "ED, 0.5"), ("solid", 1, "ED")):
        coarse, fine = (worst(part, scheme, order, step) for step in (0.02, 0.01))
        check("turning arm", f"{part} of order {order}, {scheme}: of the weight, 50 steps a turn", coarse, 0.01 if scheme == "ED" else 0.02)
        check("turning arm", f"{part} of order {order}, {scheme}: half the step, a quarter of it", max(0, fine/coarse - 0.3), 0, f"{fine/coarse:.3f}")


def restarts():
    """Rows of a restarted run, that of its first state among them, are those of the whole one."""
    text = (HEAD + PARTS["beam"].replace("ORDER", "2")).replace("SCHEME", "ED").replace("STEP", "10 ms")
    with model_file(text) as path:
        whole, rest = path.with_suffix(".h5"), path.with_name("rest.h5")
        torsor("run", path, "-q", "-o", whole)
        torsor("restart", whole, "-q", "-o", rest, "--from", "100")
        with h5py.File(whole) as a, h5py.File(rest) as b:
            for name in ("section_force", "section_strain", "jump"):
                rows = a[f"frames/{name}"][-len(b["frames/t"]):]
                check("restart", f"{name}, differences", np.max(np.abs(rows - b[f"frames/{name}"][()])), 0)


if __name__ == "__main__":
    need_program()
    second_order()
    restarts()
    sys.exit(verdict())
