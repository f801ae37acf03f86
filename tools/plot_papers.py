#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot_papers.py [NAME...]: runs the examples of S3 (and S0 3.4, 3.5) with EP and ED, and draws both side by side.

The pictures are those of docs/papers. Names: right_angle_beam, four_bar_crooked, actuated_beam; without one, all.
The program is $TORSOR, or build/torsor. Needs Debian's python3, numpy and h5py only.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from plot_demo import BLUE, GREEN, GREY, INK, ORANGE, PALE, RED, Axes, Picture, padded

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("TORSOR", ROOT / "build" / "torsor")).absolute()
PAPERS = ROOT / "docs" / "papers"
SCHEMES = ("EP", "ED")
NAMES = {"EP": "EP, energy preserving", "ED": "ED, energy decaying"}


class Run:
    """One run of a model of examples/papers."""

    def __init__(self, name, scheme, step=None, end=None, every=1):
        with tempfile.TemporaryDirectory() as folder:
            results = pathlib.Path(folder, "run.h5")
            command = [PROGRAM, "run", ROOT / "examples" / "papers" / f"{name}.yaml", "-q", "-o", results,
                       "--scheme", scheme, "--every", str(every)]
            command += ["--step", str(step)] if step else []
            command += ["--end", str(end)] if end else []
            subprocess.run(command, check=True)
            with h5py.File(results) as file:
                self.t, self.q, self.v = (file["frames"][name][:] for name in ("t", "q", "v"))
                self.omega, self.forces = file["frames/omega"][:], file["frames/section_force"][:]
                self.stations = file["model/stations"]["part"]
                self.steps = {key: value[:] for key, value in file["steps"].items()}
                self.h = float(file.attrs["h"])
                rows = list(enumerate(file["model/nodes"][:]))
        self.nodes = {}  # of a beam, in order: (number, slot)
        for n, row in rows:
            self.nodes.setdefault(row["part"].decode(), []).append((n, row["slot"]))

    def position(self, beam, node=-1):
        return self.q[:, self.nodes[beam][node][1]]

    def velocity(self, beam, node=-1):
        return self.v[:, self.nodes[beam][node][1]]

    def energy(self):
        return self.steps["kinetic"] + self.steps["elastic"] + self.steps["gravity"]

    def force(self, beam, station):
        """N, Q2, Q3, M1, M2, M3 as stored, at a Gauss point of a beam; counted from 0 along the beam, `order` of them in an element."""
        return self.forces[:, np.flatnonzero(self.stations == beam.encode())[station]]

    def between(self, beam, station):
        """The mean of this Gauss point and the next: the force at the end of an element that lies between."""
        return (self.force(beam, station) + self.force(beam, station + 1)) / 2


def draw_path(picture, x, y, colour):
    """A polyline in tenths of a pixel, each point relative to the one before: half the bytes."""
    points = np.round(10 * np.stack([x, y], axis=1)).astype(int)
    moves = " ".join(f"{a / 10:g},{b / 10:g}" for a, b in np.diff(points, axis=0))
    picture.add(f'<path d="M{points[0][0] / 10:g},{points[0][1] / 10:g}l{moves}" fill="none" stroke="{colour}" '
                f'stroke-width="1.1" stroke-linejoin="round"/>')


def draw_curves(picture, box, t, curves, y, title, x_label=True):
    """curves: (text, values, colour)."""
    axes = Axes(picture, box, (t[0], t[-1]), y, title)
    for _, values, colour in curves:
        draw_path(picture, axes.across(t), axes.down(values), colour)
    if x_label:
        picture.text(box[0] + box[2], box[1] + box[3] + 32, "time, s", "end", GREY, 12)


def draw_legend(picture, x, y, curves):
    for text, _, colour in curves:
        picture.line([x, x + 18], [y - 4, y - 4], colour, 2.5)
        picture.text(x + 23, y, text, colour=GREY, size=12)
        x += 38 + 6.6 * len(text)


def side_by_side(name, title, note, runs, rows):
    """rows: (title, function from a run to curves)."""
    width, height, left, top = 400, 140, 70, 92
    picture = Picture(2 * (width + left) + 40, top + len(rows) * (height + 78) - 14)
    picture.text(24, 32, title, size=18, weight="bold")
    picture.text(24, 52, note, colour=GREY)
    for column, scheme in enumerate(SCHEMES):
        picture.text(left + column * (width + left + 10), 72, NAMES[scheme],
                     colour=RED if scheme == "EP" else BLUE, weight="bold")
    for k, (text, curves_of) in enumerate(rows):
        both = [curves_of(runs[scheme]) for scheme in SCHEMES]
        y = padded(*(values for curves in both for _, values, _ in curves))
        for column, scheme in enumerate(SCHEMES):
            box = (left + column * (width + left + 10), top + 16 + k * (height + 78), width, height)
            draw_curves(picture, box, runs[scheme].t, both[column], y, text)
            draw_legend(picture, box[0], box[1] + height + 36, both[column])
    picture.write(PAPERS / f"{name}.svg")


# ---- right-angle beam ----

STEPS = (0.4, 0.2, 0.1, 0.05, 0.025)
FIELDS = ("position", "rotation", "velocity", "angular velocity", "force", "moment")
COLOURS = dict(zip(FIELDS, (BLUE, RED, GREEN, ORANGE, "#805ad5", "#718096")))


def fields(run):
    """Of all nodes (forces: elements) at multiples of 0.4 s."""
    at = np.round(np.arange(21) * 0.4 / run.h).astype(int)
    nodes = run.nodes["first"] + run.nodes["second"]
    slots = np.array([slot for _, slot in nodes])
    force = np.stack([run.force(beam, k)[at] for beam in ("first", "second") for k in range(5)])
    return (run.q[at][:, slots] - run.q[0][slots], np.stack([run.q[at][:, slots + k] for k in (1, 2, 3)]),
            run.v[at][:, slots], run.omega[at][:, [n for n, _ in nodes]], force[..., :3], force[..., 3:])


def errors(scheme):
    """Relative errors: steps x fields."""
    exact = fields(Run("right_angle_beam", scheme, 0.003125))
    rows = []
    for step in STEPS:
        found = fields(Run("right_angle_beam", scheme, step))
        rows.append([np.linalg.norm(a - b) / np.linalg.norm(b) for a, b in zip(found, exact)])
    return np.array(rows)


def draw_flight(picture, box, run, title):
    left, top, width, height = box
    picture.text(left, top - 10, title, weight="bold")
    x = np.stack([run.q[:, slot] for beam in ("first", "second") for _, slot in run.nodes[beam]], axis=1)
    turn, tilt = np.radians(-50), np.radians(25)
    across = x[..., 0] * np.cos(turn) - x[..., 1] * np.sin(turn)
    back = x[..., 0] * np.sin(turn) + x[..., 1] * np.cos(turn)
    up = x[..., 2] * np.cos(tilt) + back * np.sin(tilt)
    scale = min(width / np.ptp(across), height / np.ptp(up))
    px, py = left + scale * (across - across.min()), top + height - scale * (up - up.min())
    each = round(0.8 / run.h)
    for k in range(0, len(px), each):  # the first ones lie on each other
        share = k / (len(px) - 1)
        picture.line(px[k], py[k], BLUE, 2.2, opacity=0.25 + 0.75 * share)
        if run.t[k] > 2:
            picture.text(px[k][0] - 2, py[k][0] + 12, f"{run.t[k]:.1f}", "middle", GREY, 10)
    picture.line(px[:, -1], py[:, -1], ORANGE, 1.2)


def draw_orders(picture, box, table, title):
    left, top, width, height = box
    picture.text(left, top - 10, title, weight="bold")
    x = lambda step: left + width * np.log2(0.4 / step) / 4
    y = lambda error: top + height * (0.7 - np.log10(error)) / 5
    for power in range(-4, 1):
        picture.line([left, left + width], [y(10.0**power)] * 2, PALE, 1)
        picture.text(left - 6, y(10.0**power) + 4, f"1e{power}", "end", GREY, 12)
    for step in STEPS:
        picture.text(x(step), top + height + 17, f"{step:g}", "middle", GREY, 12)
    picture.line([left, left + width], [top + height] * 2, GREY, 1)
    picture.line([x(0.2), x(0.025)], [y(0.02), y(0.02 / 64)], INK, 1, "4 4")
    picture.text(x(0.05) + 4, y(0.02 / 16) + 14, "order 2", "end", GREY, 11)
    for k, name in enumerate(FIELDS):
        dash = "5 3" if name in ("force", "moment") else ""
        picture.line(x(np.array(STEPS)), y(table[:, k]), COLOURS[name], 1.6, dash)
        for step, error in zip(STEPS, table[:, k]):
            picture.dot(x(step), y(error), COLOURS[name], 2.5)
    picture.text(left + width, top + height + 32, "step, s", "end", GREY, 12)


def right_angle_beam():
    width, left = 400, 70
    picture = Picture(2 * (width + left) + 40, 740)
    picture.text(24, 32, "Right-angle beam in free flight", size=18, weight="bold")
    picture.text(24, 52, "S3 10.1, data of the paper", colour=GREY)
    for column, scheme in enumerate(SCHEMES):
        at = left + column * (width + left + 10)
        picture.text(at, 72, NAMES[scheme],
                     colour=RED if scheme == "EP" else BLUE, weight="bold")
        draw_flight(picture, (at, 106, width, 190), Run("right_angle_beam", scheme, 0.05),
                    "every 0.8 s to t = 8 s, step 0.05 s; path of the loaded tip")
        draw_orders(picture, (at, 346, width, 180), errors(scheme), "relative error, against a step of 3.125 ms")
        long = Run("right_angle_beam", scheme, 0.05, 400, 20)
        t, energy = long.steps["t"], long.energy()
        free = np.flatnonzero(t > 2 + 1e-9)[::20]
        values = energy[free] / energy[free[0]] - 1
        axes = Axes(picture, (at, 606, width, 90), (0, 400), (-0.01, 0.001) if scheme == "ED" else (-2e-12, 2e-12),
                    "energy after the load, relative change, step 0.05 s")
        axes.curve(t[free], values, INK)
        picture.text(at + width, 606 + 122, "time, s", "end", GREY, 12)
    for k, name in enumerate(FIELDS):
        x = left + 150 * k
        picture.line([x, x + 18], [568, 568], COLOURS[name], 2.5)
        picture.text(x + 23, 572, name, colour=GREY, size=12)
    picture.write(PAPERS / "right_angle_beam.svg")


# ---- crooked four-bar mechanism ----

def four_bar_crooked():
    colours = (BLUE, ORANGE, GREEN)
    for name, first, last in (("four_bar_crooked_s3", "bar1", "bar3"), ("four_bar_crooked_s0", "bara", "barc")):
        runs = {scheme: Run(name, scheme) for scheme in SCHEMES}

        def velocities(run):
            return [(f"v{k + 1}", run.velocity(last)[:, k], colours[k]) for k in range(3)]

        def out_of_plane(run):
            return [("z of C", run.position(last)[:, 2] * 1e3, BLUE)]

        def root_forces(run):
            f = run.between(first, 1) / 1e3
            return [("axial", f[:, 0], BLUE), ("in plane", f[:, 1], ORANGE), ("out of plane", f[:, 2], GREEN)]

        paper = "S3 10.2" if name.endswith("3") else "S0 3.4"
        side_by_side(name, "Crooked four-bar mechanism", f"{paper}, data of the paper, step 1 ms", runs,
                     [("velocity of C, m/s", velocities), ("C out of the plane, mm", out_of_plane),
                      (f"forces at the quarter point of bar {first[-1]}, kN", root_forces)])


# ---- actuated beam ----

def actuated_beam():
    runs = {scheme: Run("actuated_beam", scheme) for scheme in SCHEMES}

    def tip(run):
        u = run.position("beam") - run.position("beam")[0]
        return [("u1", u[:, 0], ORANGE), ("u2", u[:, 1], BLUE)]

    def quarter(run):
        f = run.between("beam", 3) / 1e3
        return [("axial", f[:, 0], BLUE), ("shear", f[:, 1], ORANGE)]

    def middle(run):
        f = run.between("link", 1) / 1e3
        return [("axial", f[:, 0], BLUE)]

    side_by_side("actuated_beam", "Actuated beam", "S3 10.3 and S0 3.5, one turn of the crank, step 4 ms", runs,
                 [("displacement of the tip, m", tip), ("forces at the quarter point of the beam, kN", quarter),
                  ("force amid the link, kN", middle)])


PICTURES = {"right_angle_beam": right_angle_beam, "four_bar_crooked": four_bar_crooked, "actuated_beam": actuated_beam}


def main():
    PAPERS.mkdir(exist_ok=True)
    for name in sys.argv[1:] or PICTURES:
        if name not in PICTURES:
            raise SystemExit(__doc__)
        PICTURES[name]()


if __name__ == "__main__":
    main()
