#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot_demo.py RESULTS.h5 OUT.svg [BODY]: a picture of a run: the path of a body, and the energies.

Left, the path of the body's reference point, seen from above at a slant, on the sphere about the
origin if it stays on one. Right, the energies over time, and on a logarithmic scale what the scheme
dissipated and how far the energy balance is off. Needs Debian's python3, numpy and h5py only; the
SVG is written by hand.
"""
import html
import pathlib
import sys

import h5py
import numpy as np

INK, GREY, PALE = "#1f2933", "#7b8794", "#e4e7eb"
BLUE, ORANGE, GREEN, RED = "#2563a8", "#d97706", "#2f855a", "#c53030"


class Picture:
    """Lines and texts, collected."""

    def __init__(self, width, height):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif" '
            f'font-size="13" fill="{INK}">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
        ]

    def add(self, text):
        self.parts.append(text)

    def line(self, x, y, colour, width=1.6, dash="", opacity=1):
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
        dash = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}" '
            f'stroke-linejoin="round" stroke-linecap="round" opacity="{opacity}"{dash}/>'
        )

    def dot(self, x, y, colour, radius=4):
        self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>')

    def text(self, x, y, text, anchor="start", colour=INK, size=13, weight="normal"):
        self.add(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
            f'font-size="{size}" font-weight="{weight}">{html.escape(text)}</text>'
        )

    def write(self, path):
        pathlib.Path(path).write_text("\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")


def nice_ticks(low, high, count=5):
    """Round numbers between low and high."""
    step = 10.0 ** np.floor(np.log10((high - low) / count))
    for factor in (1, 2, 5, 10):
        if (high - low) / (step * factor) <= count:
            break
    first = np.ceil(low / (step * factor) - 1e-9)
    return [k * step * factor for k in np.arange(first, high / (step * factor) + 1e-9)]


class Axes:
    """A frame that maps numbers to the picture; y may be logarithmic (then in powers of ten)."""

    def __init__(self, picture, box, x, y, title, log=False):
        self.picture, self.box, self.x, self.y = picture, box, x, y
        left, top, width, height = box
        picture.text(left, top - 10, title, weight="bold")
        ticks = np.arange(np.ceil(y[0] / 4) * 4, y[1] + 0.1, 4) if log else nice_ticks(*y)
        for value in ticks:
            at = self.down(value)
            picture.line([left, left + width], [at, at], PALE, 1)
            label = f"1e{value:.0f}" if log else f"{value + 0:.6g}"
            picture.text(left - 6, at + 4, label, "end", GREY, 12)
        for value in nice_ticks(*x, 6):
            label = f"{value + 0:g}"
            picture.text(self.across(value), top + height + 17, label, "middle", GREY, 12)
        picture.line([left, left + width], [top + height] * 2, GREY, 1)

    def across(self, value):
        return self.box[0] + self.box[2] * (value - self.x[0]) / (self.x[1] - self.x[0])

    def down(self, value):
        return self.box[1] + self.box[3] * (self.y[1] - value) / (self.y[1] - self.y[0])

    def curve(self, x, y, colour, width=1.6):
        thin = max(1, len(x) // 1000)
        self.picture.line(self.across(x[::thin]), self.down(y[::thin]), colour, width)

    def labels(self, items):
        """(value, text, colour): beside the right edge, in order and apart from each other."""
        places = [[self.down(value), text, colour] for value, text, colour in items]
        places.sort(key=lambda place: place[0])
        for before, after in zip(places, places[1:]):
            after[0] = max(after[0], before[0] + 16)
        if len(places) > 1:
            shift = sum(p[0] for p in places) - sum(self.down(v) for v, _, _ in items)
            for place in places:
                place[0] -= shift / len(places)
        for at, text, colour in places:
            self.picture.text(self.box[0] + self.box[2] + 8, at + 4, text, colour=colour, size=12)


def project(points):
    """Oblique view: from the front, 35 degrees above; returns across, up and towards the eye."""
    turn, tilt = np.radians(-25), np.radians(35)
    x = points[..., 0] * np.cos(turn) - points[..., 1] * np.sin(turn)
    y = points[..., 0] * np.sin(turn) + points[..., 1] * np.cos(turn)
    up = points[..., 2] * np.cos(tilt) + y * np.sin(tilt)
    return x, up, points[..., 2] * np.sin(tilt) - y * np.cos(tilt)


def draw_path(picture, box, path, name):
    left, top, size, _ = box
    radius = np.linalg.norm(path, axis=1)
    on_sphere = np.ptp(radius) < 1e-6 * radius.max()
    centre = np.zeros(3) if on_sphere else path.mean(axis=0)
    extent = radius.max() if on_sphere else np.abs(path - centre).max()
    scale = 0.47 * size / extent
    middle = left + size / 2, top + size / 2

    def place(points):
        across, up, near = project(points - centre)
        return middle[0] + scale * across, middle[1] - scale * up, near

    picture.text(left, top - 10, f"path of {name}", weight="bold")
    angle = np.linspace(0, 2 * np.pi, 145)
    if on_sphere:
        picture.add(
            f'<circle cx="{middle[0]:.1f}" cy="{middle[1]:.1f}" r="{scale * extent:.1f}" '
            f'fill="#f7f9fb" stroke="{PALE}" stroke-width="1.5"/>'
        )
        for height in (path[:, 2].min(), path[:, 2].max(), 0):
            ring = np.sqrt(max(extent**2 - height**2, 0))
            circle = np.stack([ring * np.cos(angle), ring * np.sin(angle), 0 * angle + height], 1)
            x, y, _ = place(circle)
            picture.line(x, y, GREY, 0.8, "2 4", 0.8)
        x, y, _ = place(np.stack([np.zeros(3), path[-1]]))
        picture.line(x, y, GREY, 2)
        picture.dot(x[0], y[0], GREY, 3)
    x, y, near = place(path)
    behind = near < 0 if on_sphere else np.zeros(len(near), bool)
    cuts = np.flatnonzero(np.diff(behind)) + 1
    for piece in np.split(np.arange(len(x)), cuts):
        piece = np.append(piece, min(piece[-1] + 1, len(x) - 1))
        picture.line(x[piece], y[piece], BLUE, 1.8, opacity=0.35 if behind[piece[0]] else 1)
    picture.dot(x[0], y[0], GREEN)
    picture.dot(x[-1], y[-1], RED)
    picture.dot(left + 6, top + size + 14, GREEN)
    picture.text(left + 16, top + size + 18, "start", colour=GREY, size=12)
    picture.dot(left + 66, top + size + 14, RED)
    picture.text(left + 76, top + size + 18, "end", colour=GREY, size=12)


def padded(*series):
    low, high = min(s.min() for s in series), max(s.max() for s in series)
    pad = 0.08 * (high - low) or 1
    return low - pad, high + pad


def powers(values, scale, floor=1e-17):
    return np.log10(np.maximum(np.abs(values) / scale, floor))


def draw_energies(picture, box, steps, start):
    t = np.append(start["t"], steps["t"])
    series = [("kinetic", ORANGE), ("elastic", GREEN), ("gravity", BLUE)]
    change = {}
    for name, colour in series:
        values = np.append(start[name], steps[name])
        if np.ptp(values) > 0:
            change[name] = (values - values[0], colour)
    total = sum(v for v, _ in change.values())
    axes = Axes(picture, box, (t[0], t[-1]), padded(total, *(v for v, _ in change.values())),
                "energy since the start, J")
    for values, colour in change.values():
        axes.curve(t, values, colour)
    axes.curve(t, total, INK, 2.2)
    axes.labels([(total[-1], "total", INK)] +
                [(values[-1], name, colour) for name, (values, colour) in change.items()])


def draw_audit(picture, box, steps, scale):
    t = steps["t"]
    axes = Axes(picture, box, (0, t[-1]), (-17.5, 0), "audit: fractions of the largest energy",
                log=True)
    labels = []
    for name, text, colour in (("algorithmic", "dissipated", ORANGE),
                               ("balance", "balance error", RED)):
        if np.any(steps[name]):
            values = powers(steps[name], scale)
            axes.curve(t, values, colour, 1.4)
            labels.append((values[-len(values) // 4:].max(), text, colour))
    axes.labels(labels)
    picture.text(box[0] + box[2], box[1] + box[3] + 34, "time, s", "end", GREY, 12)


def body_path(file, body):
    nodes = [n for n in file["model/nodes"] if not n["fixed"]]
    names = [n["part"].decode() for n in nodes]
    node = nodes[names.index(body) if body else 0]
    frames = int(file["progress"][0])
    return node["part"].decode(), file["frames/q"][:frames, int(node["slot"]), :]


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    with h5py.File(sys.argv[1], "r") as file:
        name, path = body_path(file, sys.argv[3] if len(sys.argv) == 4 else None)
        count = int(file["progress"][1])
        steps = {key: value[:count] for key, value in file["steps"].items()}
        ledger = file["frames/ledger"][0]
        start = dict(zip(("kinetic", "elastic", "gravity"), ledger[:3]), t=file["frames/t"][0])
        title, scheme, h = (file.attrs[key] for key in ("title", "scheme", "h"))
    scale = np.max(steps["kinetic"] + np.abs(steps["elastic"]) + np.abs(steps["gravity"]))
    text = [v.decode() if isinstance(v, bytes) else v for v in (title, scheme)]

    picture = Picture(1000, 500)
    picture.text(24, 34, text[0], size=18, weight="bold")
    worst = np.max(np.abs(steps["balance"])) / scale
    picture.text(976, 34, f"{text[1]}, step {h * 1e3:g} ms, {count} steps; "
                          f"energy balance closed to {worst:.0e}", "end", GREY)
    draw_path(picture, (24, 84, 370, 370), path, name)
    draw_energies(picture, (470, 84, 410, 160), steps, start)
    draw_audit(picture, (470, 294, 410, 160), steps, scale)
    picture.write(sys.argv[2])


if __name__ == "__main__":
    main()
