#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Forces at the time of their row: reactions of joints, efforts of motions, reactions of supports, springs with
dampers, against closed forms, to second order in the step in every row, also in the first and the last; with every step
stored and every fifth; in runs with a restart; beside short steps that end at events."""

import pathlib
import sys
import tempfile

from case_tools import check, need_program, verdict

import h5py
import numpy as np
from crafted_results import older
from program import model_file, torsor

M, L, J, G = 2.0, 0.5, 0.03, 9.81

PENDULUM = f"""torsor: 1
units: SI
gravity: [0, 0, {-G}]
bodies: {{bob: {{mass: {M}, inertia: [{J}, {J}, {J}], position: [{L}, 0, 0], angular_velocity: [0, -1.5, 0], velocity: [0, 0, {1.5*L}]}}}}
joints: {{pivot: {{type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: -y}}}}
WHAT
analysis: {{scheme: EP, step: 1 ms, end: 0.5 s}}
"""
MOTION = "motions: {drive: {joint: pivot, angle: 0.8 rad*sin(3*t + 0.4)}}"
SPRING = "springs: {coil: {type: torsion_spring, joint: pivot, stiffness: 20 N*m/rad, damping: 0.7 N*m*s/rad}}"


def results(text, h, scheme, every, cut=None, options=()):
    """Time, force and moment of all reactions, multipliers, by name; `cut`: the run is ended there and restarted."""
    with tempfile.TemporaryDirectory() as folder:
        model, first, rest = (pathlib.Path(folder, name) for name in ("m.yaml", "a.h5", "b.h5"))
        model.write_text(text, encoding="utf-8")
        words = ("--scheme", scheme, "--step", repr(h), "--every", every, "-q", *options)
        torsor("run", model, *words, "-o", first, *(("--end", cut) if cut else ()))
        if cut:
            torsor("restart", first, "--end", 0.5, "-q", "-o", rest)
        parts = [read(path) for path in ((first, rest) if cut else (first,))]
    if cut:  # the state at the cut stands in both; the second file knows what came after it
        parts[0] = {name: data[:-1] for name, data in parts[0].items()}
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def read(path):
    with h5py.File(path) as file:
        frames = file["progress"][0]
        out = {"t": file["frames/t"][:frames]}
        for row in file["model/parts"][:]:
            if row["reaction"] >= 0:
                for what in ("force", "moment"):
                    out[f"{row['name'].decode()}.{what}"] = file[f"frames/{what}"][:frames, row["reaction"]]
        for row, multiplier in zip(file["model/conditions"][:], file["frames/multiplier"][:frames].T):
            if row["drive"]:
                out[f"{row['part'].decode()}.effort"] = -multiplier
        for name, value in zip(("angle", "rate"), ("coordinate", "coordinate_rate")):
            out[name] = file[f"frames/{value}"][:frames].sum(axis=1)  # there is one at most
    return out


def swing(times, torque):
    """Angle (up from the horizontal) and rate of the pendulum, by the classical Runge-Kutta method in small steps."""
    y, t, out = np.array([0, 1.5]), 0.0, []
    def slope(y):
        return np.array([y[1], (torque(*y) - M*G*L*np.cos(y[0]))/(J + M*L*L)])
    for end in times:
        n = max(1, int(np.ceil((end - t)/2e-4)))
        d = (end - t)/n
        for _ in range(n if end > t else 0):
            a = slope(y)
            b = slope(y + d/2*a)
            c = slope(y + d/2*b)
            y = y + d/6*(a + 2*b + 2*c + slope(y + d*c))
        t = end
        out.append(np.array(y))
    return np.array(out).T


def pull(angle, rate, acceleration):
    """Force of the pivot on the body."""
    c, s, zero = np.cos(angle), np.sin(angle), np.zeros_like(angle)
    radial, along = np.array([c, zero, s]), np.array([-s, zero, c])
    return (M*L*(acceleration*along - rate**2*radial) + M*G*np.array([[0], [0], [1]])).T


def orders(case, errors_of):
    """Errors of rows by two steps: what is checked is that they fall with the square, in the rows of the coarse run, the first, the last, and the worst."""
    coarse, fine = errors_of(5e-3), errors_of(2.5e-3)
    for row, name in ((0, "first"), (-1, "last"), (slice(None), "worst")):
        a, b = np.max(coarse[row]), np.max(fine[row])
        order = np.log2(a/b)
        check(case, f"order in the {name} row", max(0, 1.85 - order), 0, f"{a:.1e}, {b:.1e}, order {order:.2f}", quiet=True)
    check(case, "error", np.max(coarse), 2e-3, quiet=True)


def relative(shown, wanted):
    wanted = np.asarray(wanted)
    scale = np.max(np.abs(wanted))
    error = np.abs(shown - wanted)/scale
    return error.max(axis=1) if error.ndim > 1 else error


def pendulum(scheme, every, cut):
    def errors(h):
        r = results(PENDULUM.replace("WHAT", ""), h, scheme, every, cut)
        angle, rate = swing(r["t"], lambda *_: 0)
        wanted = pull(angle, rate, -M*G*L*np.cos(angle)/(J + M*L*L))
        return relative(r["pivot.force"], wanted)
    orders(f"pendulum {scheme} every {every}{' cut' if cut else ''}", errors)


def crank(scheme, every, cut):
    def errors(h):
        r = results(PENDULUM.replace("WHAT", MOTION), h, scheme, every, cut)
        phase = 3*r["t"] + 0.4
        angle, rate, acceleration = 0.8*np.sin(phase), 2.4*np.cos(phase), -7.2*np.sin(phase)
        effort = (J + M*L*L)*acceleration + M*G*L*np.cos(angle)
        moment = np.array([0*effort, -effort, 0*effort]).T
        return np.maximum(np.maximum(relative(r["drive.effort"], effort), relative(r["drive.moment"], moment)),
                          relative(r["pivot.force"], pull(angle, rate, acceleration)))
    orders(f"crank {scheme} every {every}{' cut' if cut else ''}", errors)


def damper(scheme):
    """A spring and damper is a function of the state: what it shows is k y + c y' to round-off; and the moment is right to second order."""
    def errors(h):
        r = results(PENDULUM.replace("WHAT", SPRING), h, scheme, 5)
        check(f"damper {scheme}", "of the state", r["coil.moment"][:, 1] - (20*r["angle"] + 0.7*r["rate"]), 1e-7, quiet=True)
        angle, rate = swing(r["t"], lambda y, v: -20*y - 0.7*v)
        return relative(r["coil.moment"][:, 1], 20*angle + 0.7*rate)[1:]  # the first is exact
    coarse, fine = errors(5e-3), errors(2.5e-3)
    check(f"damper {scheme}", "order", max(0, 1.85 - np.log2(np.max(coarse)/np.max(fine))), 0, f"{np.max(coarse):.1e}")


BLOCK = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
meshes: {grid: {type: box, size: [1 m, 0.2 m, 0.2 m], divisions: [2, 1, 1]}}
materials: {soft: {E: 1 MPa, nu: 0.2, density: 1000}}
solids: {bar: {mesh: grid, material: soft}}
joints: {wall: {type: support, nodes: bar.x-, about: [0, 0, 0]}}
analysis: {scheme: EP, step: 1 ms, end: 0.05 s}
"""


def support(scheme):
    """A bar on a wall, let go: against much smaller steps."""
    fine = results(BLOCK, 2.5e-5, scheme, 10)
    def errors(h):
        r = results(BLOCK, h, scheme, 1)
        at = np.searchsorted(fine["t"], r["t"] - 1e-9)
        return np.maximum(relative(r["wall.force"], fine["wall.force"][at]), relative(r["wall.moment"], fine["wall.moment"][at]))
    coarse, half = errors(5e-4), errors(2.5e-4)
    for row, name in ((0, "first"), (-1, "last"), (slice(None), "worst")):
        a, b = np.max(coarse[row]), np.max(half[row])
        check(f"support {scheme}", f"order in the {name} row", max(0, 1.7 - np.log2(a/b)), 0, f"{a:.1e}, {b:.1e}, order {np.log2(a/b):.2f}")


DIVIDED = """states: {n: {rate: 0}}
events: {late: {at: 0.19999 s, set: {n: n + 1}}, later: {at: 0.2499 s, set: {n: n + 1}}, early: {at: 0.300001 s, set: {n: n + 1}}, two: {at: 0.3998 s, set: {n: n + 1}}, three: {at: 0.3999 s, set: {n: n + 1}}, stop: {at: 0.45001 s, stop: true}}"""


def divided(scheme, every):
    """Events divide steps so that a part is down to 1e-6 s short: its mean alone would be off by up to 900 N of 57 N."""
    def worst(h):
        r = results(PENDULUM.replace("WHAT", DIVIDED), h, scheme, every)
        angle, rate = swing(r["t"], lambda *_: 0)
        return np.max(relative(r["pivot.force"], pull(angle, rate, -M*G*L*np.cos(angle)/(J + M*L*L))))
    coarse, fine = worst(5e-3), worst(2.5e-3)
    check(f"divided {scheme} every {every}", "error", coarse, 1e-2, f"{fine:.1e} with half the step")
    check(f"divided {scheme} every {every}", "falls with the step", fine/coarse, 0.6)


def slow_decay():
    """With rho between 0 and 1 what the start leaves fades by rho per step; rows 0 to 2 know of it."""
    def errors(h):
        r = results(PENDULUM.replace("WHAT", MOTION), h, "ED", 1, options=("--rho", 0.5))
        phase = 3*r["t"] + 0.4
        return relative(r["drive.effort"], -7.2*(J + M*L*L)*np.sin(phase) + M*G*L*np.cos(0.8*np.sin(phase)))[:3]
    coarse, fine = errors(5e-3), errors(2.5e-3)
    check("start rho 0.5", "order", max(0, 1.85 - np.log2(np.max(coarse)/np.max(fine))), 0, f"{np.max(coarse):.1e}, {np.max(fine):.1e}")


def statics():
    """Forces of equilibria are those of their row as they stand, the first one of no load too."""
    text = PENDULUM.replace("WHAT", MOTION).replace("scheme: EP, step: 1 ms, end: 0.5 s", "type: static, increments: 5")
    with model_file(text) as path:
        torsor("run", path, "-q", "-o", path.with_suffix(".h5"))
        r = read(path.with_suffix(".h5"))
    force = r["pivot.force"][:, 2]
    check("statics", "force in every row", force - M*G*np.linspace(0, 1, len(force)), 1e-9)


def older_file():
    """Files of older versions have neither: tables take the means, and a restart goes on with a start of its own."""
    with model_file(PENDULUM.replace("WHAT", MOTION)) as path:
        first, rest = path.with_suffix(".h5"), path.with_name("rest.h5")
        torsor("run", path, "-q", "-o", first, "--end", 0.25, "--step", 5e-3)
        with h5py.File(first, "r+") as file:
            older(file)
            del file["frames/trail"], file["frames/multiplier"]
            drive = -file["frames/lambda"][-1, file["model/conditions"]["drive"][:] == 1]
        shown = float(torsor("info", first, "--csv", "drive.effort").stdout.split(",")[-1])
        check("older file", "table", shown - drive, 0, quiet=True)
        torsor("restart", first, "--end", 0.5, "-q", "-o", rest)
        r = read(rest)
    phase = 3*r["t"] + 0.4
    wanted = -7.2*(J + M*L*L)*np.sin(phase) + M*G*L*np.cos(0.8*np.sin(phase))
    check("older file", "restarted", relative(r["drive.effort"], wanted), 1e-3)


def main():
    need_program()
    for scheme in ("EP", "ED"):
        for every in (1, 5):
            for cut in (None, 0.25):
                pendulum(scheme, every, cut)
                crank(scheme, every, cut)
            divided(scheme, every)
        damper(scheme)
        support(scheme)
    slow_decay()
    statics()
    older_file()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
