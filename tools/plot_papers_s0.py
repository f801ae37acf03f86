#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""plot_papers_s0.py [NAME...]: the pictures of docs/papers: hinged_beam, swing, windmill, lateral_buckling_1 and _2, falling_gate.

Runs the models of examples/papers with the program $TORSOR (default build/torsor; some minutes for all) and writes
docs/papers/NAME.svg. Left EP, or ED without dissipation; right ED. Needs Debian's python3, numpy and h5py only.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]

from paper_tools import np, paper, run_paper, run_phases  # noqa: E402
from plot_demo import BLUE, GREEN, GREY, INK, ORANGE, RED, Axes, Picture  # noqa: E402

OUT = HERE.parent / "docs" / "papers"
WIDTH, LEFT, GAP, PANEL = 1000, 66, 76, 396
COLOURS = (BLUE, ORANGE, GREEN)


class Panel(Axes):
    """Axes whose curves keep the extremes of every column of pixels, so that noise shows and files stay small."""

    column = 1.5  # width of one

    def curve(self, x, y, colour, width=1.2, opacity=1.0):
        across, down = self.across(np.asarray(x)), self.down(np.clip(y, *self.y))
        if len(across) > self.box[2]:
            column = np.floor(across/self.column).astype(int)
            starts = np.flatnonzero(np.diff(column, prepend=column[0] - 1))
            keep = []
            for a, b in zip(starts, np.append(starts[1:], len(column))):
                keep += sorted({a, a + int(np.argmin(down[a:b])), a + int(np.argmax(down[a:b]))})
            across, down = across[keep], down[keep]
        self.picture.line(across, down, colour, width, opacity=opacity)

    def path(self, x, y, colour, width=1.2):
        self.picture.line(self.across(x), self.down(y), colour, width)

    def mark(self, x, text):
        at = self.across(x)
        self.picture.line([at, at], [self.box[1], self.box[1] + self.box[3]], GREY, 1, "3 4")
        self.picture.text(at - 4, self.box[1] + 12, text, "end", GREY, 11)

    def cross(self, x, y):
        """Where a run broke off."""
        across, down = self.across(x), self.down(np.clip(y, *self.y))
        for sign in (1, -1):
            self.picture.line([across - 5, across + 5], [down - 5*sign, down + 5*sign], RED, 2)

    def legend(self, items, right=True):
        for k, (text, colour) in enumerate(items):
            x = self.box[0] + (self.box[2] - 4 if right else 8)
            self.picture.text(x, self.box[1] + 14 + 15*k, text, "end" if right else "start", colour, 12)


class Sheet:
    """Pairs of panels, one below the other, left and right of the same scale."""

    def __init__(self, title, left, right, heights):
        self.picture = Picture(WIDTH, 90 + sum(h + 62 for h in heights))
        self.picture.text(24, 32, title, size=18, weight="bold")
        for k, text in enumerate((left, right)):
            self.picture.text(LEFT + k*(PANEL + GAP), 58, text, size=14, weight="bold", colour=(RED, BLUE)[k])
        self.heights, self.top = list(heights), 92

    def pair(self, title, x, y):
        height = self.heights.pop(0)
        boxes = [(LEFT + k*(PANEL + GAP), self.top, PANEL, height) for k in (0, 1)]
        self.top += height + 62
        return [Panel(self.picture, box, x, y, title) for box in boxes]

    def write(self, name):
        path = OUT / f"{name}.svg"
        self.picture.write(path)
        print(f"{path}: {path.stat().st_size/1e3:.0f} kB")


def both(model, **options):
    return [run_paper(paper(model), s, may_fail=s == "EP", **options) for s in ("EP", "ED")]


def axial_force(r):
    return r.section_force("beam", 0)[:, 0]


def bars(sheet, panel, force, colour, shift=0):
    """Amplitudes of the last 128 steps."""
    tail = force[-129:-1] - np.polyval(np.polyfit(np.arange(128), force[-129:-1], 1), np.arange(128))
    for frequency, a in zip(np.fft.rfftfreq(128, 1e-3)[1:], (np.abs(np.fft.rfft(tail))/64)[1:]):
        at = panel.across(frequency) + shift
        sheet.picture.line([at, at], [panel.down(0), panel.down(a)], colour, 3.4 - abs(shift)/2)


def hinged_beam():
    runs = both("hinged_beam")
    sheet = Sheet("Hinged beam: axial force at the root, 250 steps (S0 3.1)", "EP", "ED", (190, 210, 210))
    for panel, r in zip(sheet.pair("axial force, N, over time, s", (0, 0.25), (-20, 360)), runs):
        panel.curve(r.t, axial_force(r), INK)
    spectra = sheet.pair("its amplitudes, N, over frequency, Hz; t = 0.122 to 0.25 s", (0, 500), (0, 8))
    for panel, r, colour in zip(spectra, runs, (RED, BLUE)):
        bars(sheet, panel, axial_force(r), colour)
        panel.mark(100, "")
    left, right = sheet.pair("the same with the schemes of S0", (0, 500), (0, 8))
    for panel, scheme, colour, shift in ((left, "FP-EP", RED, 0), (right, "FP-ED", BLUE, -1.5), (right, "RK-radau3", INK, 1.5)):
        bars(sheet, panel, axial_force(run_paper(paper("hinged_beam"), scheme)), colour, shift)
    left.legend([("FP-EP", RED)]), right.legend([("FP-ED", BLUE), ("RK-radau3", INK)])
    left.mark(100, ""), right.mark(100, "")
    sheet.write("hinged_beam")


def swing():
    runs = {n: both(f"swing_{n}") for n in (2, 4, 8)}
    sheet = Sheet("Flexible swing with a mass (S0 3.2)", "EP", "ED", (230, 170, 170))
    panels = sheet.pair("path of the mass, m", (0.34, 0.66), (-0.4, -0.22))
    for (n, pair), colour in zip(runs.items(), COLOURS):
        for panel, r in zip(panels, pair):
            x = r.node("beam", n//2 + 1)
            panel.path(x[::8, 0], x[::8, 2], colour)
            if not r.completed:
                panel.cross(x[-1, 0], x[-1, 2])
    for panel in panels:
        panel.legend([(f"{n} elements", c) for n, c in zip(runs, COLOURS)])
    for panel, r in zip(sheet.pair("8 elements: velocity of the mass, m/s (x blue, z orange)",
                                   (0, 1), (-0.3, 0.65)), runs[8]):
        v = r.node("beam", 5, "v")
        panel.mark(0.64, "0.64 s")
        for k, colour in ((0, BLUE), (2, ORANGE)):
            panel.curve(r.t, v[:, k], colour)
            if not r.completed:
                panel.cross(r.end, v[-1, k])
    for panel, r in zip(sheet.pair("8 elements: reaction at the left pin, N (x blue, z orange)", (0, 1), (-100, 100)), runs[8]):
        f = r.force("pin_1")
        for k, colour in ((0, BLUE), (2, ORANGE)):
            panel.curve(r.t, f[:, k], colour)
        if not r.completed:
            panel.cross(r.end, f[-1, 0])
    sheet.write("swing")


def windmill():
    runs = both("windmill")
    sheet = Sheet("Four-bladed windmill (S0 3.3)", "EP", "ED", (190, 330, 150))
    for panel, r in zip(sheet.pair("angular velocity of the hub, rad/s, over time, s", (0, 5.5), (0, 45)), runs):
        panel.curve(r.t, r.omega("hub")[:, 0], INK)
    for panel, r in zip(sheet.pair("path of the rotor's mass centre in its plane, mm", (-1, 1), (-0.85, 0.85)), runs):
        c = 1e3*(np.mean([r.position(f"blade_{k}") for k in (1, 2, 3, 4)], axis=0) - [1, 0, 6])
        panel.path(c[:, 1], c[:, 2], INK, 1)
    panels = sheet.pair("angular momentum in that plane, kg m²/s, log10", (0, 5.5), (-4, 0.5))
    for panel, r in zip(panels, runs):
        size = np.linalg.norm(r.frame["momentum_angular"][1:, 1:], axis=1)
        panel.curve(r.t[1:], np.log10(np.maximum(size, 1e-12)), INK)
    sheet.write("windmill")


def middle(r):
    """Displacement, mm, and internal force, N, of the middle of the I beam."""
    x = (5*(r.node("beam", 8) + r.node("beam", 9)) - r.node("beam", 7) - r.node("beam", 10))/8  # the cubic through four nodes
    return 1e3*(x - [0.5, 0, 0]), r.section_force("beam", 7)[:, :3]


def axes_legend(panel):
    panel.legend([("along", GREEN), ("aside", ORANGE), ("up", BLUE)])


def lateral_buckling_1():
    r = run_paper(paper("lateral_buckling_1"), "ED")
    u, force = middle(r)
    Panel.column = 3
    picture = Picture(WIDTH, 700)
    picture.text(24, 32, "Lateral buckling of an I beam, case 1: spherical joint; ED (S1 5.1)", size=18, weight="bold")
    top = Panel(picture, (LEFT, 70, 868, 170), (0, 20), (-25, 25), "displacement of the middle, mm, over time, s")
    low = Panel(picture, (LEFT, 290, 868, 170), (0, 20), (-1200, 1200), "internal force there, N, section axes 1, 2, 3")
    detail = Panel(picture, (LEFT, 510, 868, 150), (9.4, 10.2), (-25, 25), "displacement, mm: the beam passes the straight shape, t about 9.8 s")
    for k, colour in enumerate((GREEN, ORANGE, BLUE)):
        top.curve(r.t, u[:, k], colour)
        low.curve(r.t, force[:, k], colour)
        near = (r.t > 9.4) & (r.t < 10.2)
        detail.curve(r.t[near], u[near, k], colour)
    axes_legend(detail)
    picture.write(OUT / "lateral_buckling_1.svg")


def lateral_buckling_2():
    Panel.column = 3
    runs = [run_paper(paper("lateral_buckling_2"), "ED", rho=rho, end=2.5) for rho in (1, 0)]
    sheet = Sheet("Lateral buckling of an I beam, case 2: universal joint with dampers (S1 5.1)",
                  "ED, ρ∞ = 1", "ED, ρ∞ = 0", (170, 190, 150, 150))
    for panel, r in zip(sheet.pair("displacement of the middle, mm, over time, s", (0, 2.5), (-20, 34)), runs):
        for k, colour in enumerate((GREEN, ORANGE, BLUE)):
            panel.curve(r.t, middle(r)[0][:, k], colour)
        axes_legend(panel)
    for panel, r in zip(sheet.pair("internal force there, N, section axes 1, 2, 3", (0, 2.5), (-1300, 1300)), runs):
        for k, colour in ((2, BLUE), (1, ORANGE), (0, GREEN)):
            panel.curve(r.t, middle(r)[1][:, k], colour)
    for panel, r in zip(sheet.pair("axial force, N, t = 1.0 to 1.1 s", (1, 1.1), (-250, 250)), runs):
        near = (r.t >= 1) & (r.t <= 1.1)
        panel.curve(r.t[near], middle(r)[1][near, 0], GREEN)
    for panel, r in zip(sheet.pair("rotations of the joint, degrees (x blue, y orange)", (0, 2.5), (-70, 70)), runs):
        for name, colour in (("angle1", BLUE), ("angle2", ORANGE)):
            panel.curve(r.t, np.degrees(r.coordinate("tip", name)), colour)
    sheet.write("lateral_buckling_2")


def spectrum_curve(panel, values, step, colour):
    amplitude = 2*np.abs(np.fft.rfft(values))/len(values)
    panel.curve(np.fft.rfftfreq(len(values), step)[1:], np.log10(np.maximum(amplitude[1:], 1e-9)), colour, 0.9)


def falling_gate():
    Panel.column, step = 2, 1e-4
    phases = [{"step": step, "end": 4.6, "rho": rho} for rho in (1, 0)]
    slow, *runs = run_phases(paper("falling_gate"), "ED", (1e-3, 4), phases)
    sheet = Sheet("Falling gate: the cable becomes taut (S1 5.2)", "ED, ρ∞ = 1", "ED, ρ∞ = 0", (130, 190, 190, 170, 190))
    panels = sheet.pair("lean of the gate, degrees, over time, s", (0, 4.6), (0, 16))
    for panel, r in zip(panels, runs):
        panel.curve(np.append(slow.t, r.t), np.degrees(np.append(slow.coordinate("hinge", "angle"), r.coordinate("hinge", "angle"))), INK)
        panel.mark(4.05, "4.05 s")
    histories = (("axial force in the middle of the cable, N, over time, s", (-100, 2400), (-2, 3), "its amplitudes, N, log10",
                  lambda r: r.tension("rope", 1)),
                 ("velocity of the gate's middle across, m/s", (-3, 3), (-5.5, 0.5), "its amplitudes, m/s, log10",
                  lambda r: r.node("gate", 10, "v")[:, 0]))
    for title, y, levels, second, history in histories:
        for panel, r in zip(sheet.pair(title, (4, 4.6), y), runs):
            panel.curve(r.t, history(r), INK, 0.8)
        for panel, r, colour in zip(sheet.pair(second + ", over frequency, Hz; 4 to 4.5 s", (0, 5000), levels), runs, (RED, BLUE)):
            spectrum_curve(panel, history(r)[r.t < 4.5 - step/2], step, colour)
    sheet.write("falling_gate")
    for r in runs:
        print(f"  {r}, {r.summary['iterations']/r.summary['steps_done']:.1f} iterations/step, peak {r.tension('rope', 1).max():.0f} N")


PICTURES = {f.__name__: f for f in (hinged_beam, swing, windmill, lateral_buckling_1, lateral_buckling_2,
                                    falling_gate)}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or PICTURES:
        if wanted not in PICTURES:
            raise SystemExit(__doc__)
        PICTURES[wanted]()
