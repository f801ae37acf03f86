#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Rigid mechanisms with published answers: cases A01, A02, A04, A07 and A08, each with EP and ED.

The models are in examples/cases, with their sources. The expected numbers are published ones; "ours" says
which of their digits were computed anew, from the equations of motion in minimal coordinates, to 1e-13.
Every run must also close its energy audit and hold its joints. Each case ends with one line on its main
result; the lines above it are the details.

See program.py for the environment.
"""
import csv
import io
import math
import pathlib
import sys
import tempfile

SKIP = 77
try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIP)

from program import ROOT, torsor

SCHEMES = ("EP", "ED")
AUDIT = 1e-8  # balance over the largest energy: round-off of 10^5 steps
VIOLATION = 1e-12

# the main result of each case, as it is called below
MAIN = {"A01": "x, y to", "A02": "B0 to", "A04": "q at", "A07": "s to", "A08": "x_cm at t = 1"}

checks = []


class Results:
    """A results file, read."""

    def __init__(self, path):
        self.path = path
        with h5py.File(path) as file:
            frames, steps = file["progress"][:]
            self.frames = {name: data[:frames] for name, data in file["frames"].items()}
            self.steps = {name: data[:steps] for name, data in file["steps"].items()}
            self.summary = dict(file["summary"].attrs)
            self.redundant = int(file["model/conditions"]["redundant"].sum())
            # node 0 is the ground; every other node here is a body
            self.nodes = {row["part"].decode(): (n, row["slot"]) for n, row in enumerate(file["model/nodes"])}
            self.coordinates = {row["part"].decode(): n for n, row in enumerate(file["model/coordinates"])}
            self.reactions = {row["name"].decode(): row["reaction"] for row in file["model/parts"]}

    def at(self, t):
        """Index of the stored state at a time."""
        i = int(np.argmin(abs(self.frames["t"] - t)))
        if abs(self.frames["t"][i] - t) > 1e-9:
            raise RuntimeError(f"no state is stored at t = {t}")
        return i

    def point(self, body, local, t, rate=False):
        """A point of a body, given in body coordinates; or its velocity."""
        slot = self.nodes[body][1]
        q = self.frames["v" if rate else "q"][self.at(t), slot : slot + 4]
        return q[0] + np.asarray(local) @ q[1:]

    def rotation(self, body, t):
        slot = self.nodes[body][1]
        return self.frames["q"][self.at(t), slot + 1 : slot + 4].T

    def omega(self, body, t):
        return self.frames["omega"][self.at(t), self.nodes[body][0]]

    def coordinate(self, joint, t, rate=False):
        name = "coordinate_rate" if rate else "coordinate"
        return self.frames[name][self.at(t), self.coordinates[joint]]

    def force(self, part, i):
        return self.frames["force"][i, self.reactions[part]]

    def drift(self):
        """Largest change of the total energy."""
        total = sum(self.steps[name] for name in ("kinetic", "elastic", "gravity"))
        return np.max(abs(total - total[0]))

    def audit(self):
        return self.summary["worst_balance"] / self.summary["energy_scale"]


def run(folder, case, scheme, step, *more):
    path = pathlib.Path(folder) / f"{case}_{scheme}.h5"
    model = ROOT / "examples" / "cases" / f"{case}.yaml"
    torsor("run", model, "-q", "-o", path, "--scheme", scheme, "--step", step, *more)
    return Results(path)


def judge(label, what, error, tolerance, source):
    ok = error <= tolerance  # a NaN is not
    verdict = "ok" if ok else "FAILED"
    print(f"  {label} {verdict}: {what}: error {error:.1e} (tolerance {tolerance:.0e}), {source}", flush=True)
    checks.append((label, what, error, tolerance, source, ok))


def conclude(name):
    """One line on a case; whether all of it is right."""
    own = [check for check in checks if check[0].startswith(name)]
    main = [check for check in own if check[1].startswith(MAIN[name])]
    if len(main) < len(SCHEMES):
        print(f"{name} FAILED: did not finish", flush=True)
        return False
    _, what, error, tolerance, source, _ = max(main, key=lambda check: check[2])
    failed = sum(not check[-1] for check in own)
    verdict = f"FAILED ({failed} of {len(own)} checks)" if failed else "ok"
    print(f"{name} {verdict}: error {error:.1e} (tolerance {tolerance:.0e}), source {source}: {what}", flush=True)
    return not failed


def books(label, results):
    """What every run must do, whatever its accuracy."""
    seconds = results.summary["seconds"]
    judge(label, "energy audit", results.audit(), AUDIT, f"{results.summary['steps']} steps in {seconds:.2f} s")
    judge(label, "joints", results.summary["worst_violation"], VIOLATION, "constraint violation")


def largest(values):
    return float(np.max(np.abs(values)))


# ---- A01: simple pendulum ----

A01 = {
    1: (0.986291751132, -0.165010853126),
    5: (-0.942305435044, -0.334754338414),
    9.99: (-0.316436469912, -0.948613704576),
    10: (-0.275087462575, -0.961419205099),
}


def simple_pendulum(folder):
    """By way of the CSV table, as a user would."""
    found = {}
    for scheme in SCHEMES:
        label = f"A01 {scheme}"
        results = run(folder, "simple_pendulum", scheme, 1e-4, "--every", 100)
        table = csv.DictReader(io.StringIO(torsor("info", results.path, "--csv", "bob.position").stdout))
        rows = [[float(x) for x in row.values()] for row in table]
        position = {round(row[0], 6): np.array(row[1:3]) for row in rows}
        found[scheme] = np.array([position[t] for t in A01])
        error = largest(found[scheme] - np.array(list(A01.values())))
        judge(label, "x, y to t = 10, h = 1e-4", error, 1e-6, "IFToMM A01, exact")
        judge(label, "x, y at t = 1", largest(found[scheme][0] - A01[1]), 1e-7, "IFToMM A01, exact")
        books(label, results)
    judge("A01", "EP and ED", largest(found["EP"] - found["ED"]), 1e-8, "at h = 1e-4")


# ---- A02: N-four-bar ----

A02 = {
    1: (-0.195020301949, -0.980799205662),
    5: (-0.811310461012, -0.584615545339),
    10: (0.328458111563, 0.944518538171),
}
A02_VELOCITY = (1.4230514703, -0.4948688455)  # at t = 10


def n_four_bar(folder):
    found = {}
    for scheme in SCHEMES:
        label = f"A02 {scheme}"
        results = run(folder, "n_four_bar", scheme, 5e-4, "--every", 20)
        upper = (0, 0.5, 0)  # B0, on the crank
        found[scheme] = np.array([results.point("crank0", upper, t)[:2] for t in A02])
        source = "IFToMM A02; EXUDYN fourBarMechanismIftomm.py; exact"
        error = largest(found[scheme] - np.array(list(A02.values())))
        judge(label, "B0 to t = 10, h = 5e-4", error, 1e-4, source)
        velocity = results.point("crank0", upper, 10, rate=True)[:2]
        judge(label, "its velocity", largest(velocity - A02_VELOCITY), 1e-4, source)
        judge(label, "energy drift, J", results.drift(), 1e-5, "IFToMM A02")
        # 35 rows, 30 unknowns, one freedom
        judge(label, "redundant conditions", abs(results.redundant - 6), 0, f"{results.redundant} found of 35")
        books(label, results)
    judge("A02", "EP and ED", largest(found["EP"] - found["ED"]), 1e-7, "at h = 5e-4")


# ---- A04: Andrews' squeezer ----

ANGLES = ("beta", "theta", "gamma", "phi", "delta", "omega", "eps")
A04_START = np.array(
    [
        -0.0617138900142764496,
        0,
        0.455279819163070380,
        0.222668390165885885,
        0.487364979543842550,
        -0.222668390165885885,
        1.23054744454982119,
    ]
)
A04_START_ACCELERATION = np.array([14222.4439199541, -10666.8329399656, 0, 0, 0, 0, 0])
A04_START_FORCE = np.array([98.5668703962411, -6.12268834425566])  # lambda 1, 2
A04_ANGLE = np.array(
    [
        0.1581077119629904e2,
        -0.1575637105984298e2,
        0.4082224013073101e-1,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        0.1048080741042263e1,
    ]
)
A04_RATE = np.array(
    [
        0.1139920302151208e4,
        -0.1424379294994111e4,
        0.1103291221937134e2,
        0.1929337464421385e2,
        0.5735699284790808,
        -0.1929337464421385e2,
        0.3231791658026955,
    ]
)
A04_FORCE = np.array(  # lambda
    [
        0.1991753333731910e3,
        -0.2975531228015052e2,
        0.2306654119098399e2,
        0.3145271365475927e2,
        0.2264249232082739e2,
        0.1161740700019673e2,
    ]
)


def andrews_squeezer(folder):
    source = "IVP test set, andrews (PSIDE, tol 1e-14)"
    h, end = 1e-6, 0.03
    found = {}
    for scheme in SCHEMES:
        label = f"A04 {scheme}"
        # from rest all motion is even in time, so q'(h)/h = q''(0) to second order
        first = run(folder, "andrews_squeezer", scheme, h, "--end", 10 * h, "--every", 1)
        acceleration = np.array([first.coordinate(joint, h, rate=True) for joint in ANGLES]) / h
        error = largest(acceleration - A04_START_ACCELERATION) / A04_START_ACCELERATION[0]
        judge(label, "first accelerations, relative", error, 1e-6, source)
        error = largest(first.force("F3", 0)[:2] - A04_START_FORCE) / A04_START_FORCE[0]
        judge(label, "first joint force, relative", error, 1e-6, source)

        results = run(folder, "andrews_squeezer", scheme, h, "--every", round(end / h) - 1)
        angle = A04_START + [results.coordinate(joint, end) for joint in ANGLES]
        found[scheme] = angle
        errors = abs(angle / A04_ANGLE - 1)
        digits = ", ".join(f"{-math.log10(x):.1f}" for x in errors)
        what = f"q at t = 0.03, h = 1e-6, relative (digits {digits})"
        judge(label, what, largest(errors), 1e-6, source)
        rate = np.array([results.coordinate(joint, end, rate=True) for joint in ANGLES])
        judge(label, "q', relative", largest(rate / A04_RATE - 1), 1e-4, source)
        force = np.concatenate([results.force(joint, -1)[:2] for joint in ("F3", "F4", "F6")])
        judge(label, "joint forces, relative", largest(force / A04_FORCE - 1), 1e-3, source)
        # 50 rows, 42 unknowns, one freedom
        judge(label, "redundant conditions", abs(results.redundant - 9), 0, f"{results.redundant} found of 50")
        books(label, results)
    judge("A04", "EP and ED, relative", largest(found["EP"] / found["ED"] - 1), 1e-6, "at h = 1e-6")


# ---- A07: flyball governor ----

A07 = {
    0.1: 0.523836,
    0.2: 0.585079,
    0.3: 0.658632,
    0.5: 0.743249,
    0.6: 0.727631,
    1.0: 0.501420,
    1.5: 0.740684,
    2.5: 0.735602,
    3.0: 0.513246,
}
A07_LATER = {5: 0.5355631, 10: 0.6196229}  # ours
A07_SPIN, A07_ANGLE = 5.5482036, 0.3900737  # at t = 10; ours


def flyball_governor(folder):
    published = "IFToMM A05 (RehabEng 5MBS_PlotResults.pdf)"
    found = {}
    for scheme in SCHEMES:
        label = f"A07 {scheme}"
        results = run(folder, "flyball_governor", scheme, 5e-4, "--every", 200)
        height = {t: results.point("slider", (0, 0, 0), t)[2] for t in A07 | A07_LATER}
        found[scheme] = np.array(list(height.values()))
        judge(label, "s to t = 3, h = 5e-4", largest([height[t] - s for t, s in A07.items()]), 2e-5, published)
        judge(label, "s at t = 5, 10", largest([height[t] - s for t, s in A07_LATER.items()]), 2e-5, "ours")
        spin = results.coordinate("foot", 10, rate=True)
        judge(label, "spin of the shaft at t = 10", abs(spin - A07_SPIN), 1e-4, "ours")
        angle = math.radians(30) + results.coordinate("hinge_right", 10)
        judge(label, "angle of the rods at t = 10", abs(angle - A07_ANGLE), 2e-5, "ours")
        books(label, results)
    judge("A07", "EP and ED", largest(found["EP"] - found["ED"]), 1e-6, "at h = 5e-4")


# ---- A08: heavy top ----

A08_CENTRE = {  # ours
    0.2: (0.6055505614, 0.5989576818, -0.5239830274),
    1: (0.1733439641, 0.6400885921, -0.7484907911),
    2: (-0.1504168227, -0.7241655916, -0.6730222696),
}
A08_OMEGA_Y = {0.01: 149.8473939541, 2: -106.1638041430}  # EXUDYN 149.8473939540758, -106.16380414306643
A08_EULER = np.array([-0.708279153, 0.438781088, 0.545728396, 0.089399753])  # at t = 0.2; ours


def from_quaternion(p):
    s, v = p[0], p[1:]
    skew = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * s * skew + 2 * skew @ skew


def centres(results):
    return np.array([results.point("top", (0, 0, 0), t) for t in A08_CENTRE])


def heavy_top(folder):
    source = "EXUDYN explicitLieGroupIntegratorTest.py, heavyTop.py; 10 digits ours"
    exact = np.array(list(A08_CENTRE.values()))
    found = {}
    for scheme in SCHEMES:
        label = f"A08 {scheme}"
        errors = [
            largest(centres(run(folder, "heavy_top", scheme, h, "--every", round(0.01 / h))) - exact)
            for h in (4e-4, 2e-4, 1e-4)
        ]
        ratios = np.array(errors[:-1]) / errors[1:]
        what = f"order: halving h divides the error by {ratios[0]:.3f}, {ratios[1]:.3f}"
        judge(label, what, largest(ratios - 4), 0.05, f"errors {errors[0]:.1e}, {errors[1]:.1e}, {errors[2]:.1e}")

        results = run(folder, "heavy_top", scheme, 1e-5, "--every", 1000)
        found[scheme] = centres(results)
        judge(label, "x_cm at t = 1, h = 1e-5", largest(found[scheme][1] - exact[1]), 1e-6, source)
        judge(label, "x_cm at t = 0.2, 2", largest(found[scheme][::2] - exact[::2]), 1e-6, source)
        turned = largest(results.rotation("top", 0.2) - from_quaternion(A08_EULER))
        judge(label, "rotation at t = 0.2", turned, 1e-5, source)
        omega = [results.omega("top", t)[1] - value for t, value in A08_OMEGA_Y.items()]
        judge(label, "omega_y at t = 0.01", abs(omega[0]), 1e-6, "EXUDYN 149.8473939540758")
        judge(label, "omega_y at t = 2", abs(omega[1]), 2e-5, "EXUDYN -106.16380414306643")
        spin = results.omega("top", 2) @ results.rotation("top", 2)[:, 1]
        judge(label, "spin about the arm stays 150 rad/s", abs(spin - 150), 1e-5, "exact")
        books(label, results)
    judge("A08", "EP and ED", largest(found["EP"] - found["ED"]), 1e-8, "at h = 1e-5")


CASES = {
    "A01": simple_pendulum,
    "A02": n_four_bar,
    "A04": andrews_squeezer,
    "A07": flyball_governor,
    "A08": heavy_top,
}


def main():
    right = True
    for name in sys.argv[1:] or CASES:
        finished = True
        with tempfile.TemporaryDirectory() as folder:
            try:
                CASES[name](folder)
            except (AssertionError, RuntimeError, KeyError) as error:
                print(f"  {name} FAILED: {error!r}")
                finished = False
        right = conclude(name) and finished and right
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
