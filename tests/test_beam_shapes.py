#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""No beam folds or stretches without stress: in every example with a beam, in a coarse coil spring, and in a strip that is rolled up twice.

Energy, momenta and joints can be exact while an element has folded to 180 degrees and grown to 19 times its length, as two-noded elements
of interpolated directors did in the papers' right-angle beam. So this test looks at shapes. Of every pair of neighbouring nodes:

  stretch   their distance over the length of the line between them as drawn; above 1 by no more than 0.05 beyond the largest axial strain that the
            results have of the beam, below what its angle explains (a chord is shorter than its arc) by no more than that;
  angle     between their frames; 60 degrees at most.

The tolerance of the coil, 1e-4, was set after seeing 2e-5; its stiffness is a closed form. Long runs are shortened, with the time at which the beams of interpolated directors folded inside. Models without an analysis are looked at as drawn.

Environment: TORSOR, the program; TORSOR_SOURCE_DIR, the source tree; TORSOR_QUICK=1 for shorter runs.
"""
import re
import sys

from case_tools import QUICK, ROOT, Run, check, h5py, need_program, np, verdict
from program import answer, events, model_file

STRETCH = 0.05  # without an axial strain
LARGEST = 60  # degrees
MOST_STEPS = 40 if QUICK else 150

# Options of the run where it needs more than MOST_STEPS, or may be shorter.
OPTIONS = {
    "right_angle_beam": ["--end", 8],
    "swing_2": ["--step", "1ms", "--end", 1],  # the jerk is at 0.65 s
    "swing_4": ["--step", "1ms", "--end", 0.75],
    "swing_8": ["--step", "1ms", "--end", 0.68 if QUICK else 0.75],
    "d06_cable_pendulum": ["--step", "2ms", "--end", 0.4],
    "c04_flying_spaghetti": ["--step", "50ms", "--end", 10],
    "lateral_buckling_1": ["--step", "8ms", "--end", 1.2],
    "lateral_buckling_2": ["--step", "8ms", "--end", 1.2],
    "satellite": ["--end", 0.1],  # its panels are shells
    "wind_turbine": ["--end", 0.06],
}
# Models whose neighbouring nodes may differ by more, and why.
COARSE = {}


def with_beams():
    for folder in (ROOT / "examples", ROOT / "examples" / "papers", ROOT / "examples" / "cases"):
        for path in sorted(folder.glob("*.yaml")):
            text = path.read_text(encoding="utf-8")
            if re.search(r"^beams:", text, re.MULTILINE):
                yield path, text


def options_of(path, text):
    """Words of the command line that make a run short."""
    if path.stem in OPTIONS:
        return OPTIONS[path.stem]
    if not re.search(r"^analysis:", text, re.MULTILINE):
        return ["--step", 1e-6, "--end", 1e-6]
    if re.search(r"^analysis:.*type: static|^  type: static", text, re.MULTILINE):
        return []
    plan = answer("check", path)["model"]
    return ["--end", min(plan["t_end"], MOST_STEPS*plan["h"])]


class Shapes:
    """Pairs of neighbouring nodes of the beams of a results file."""

    def __init__(self, path):
        with h5py.File(path) as file:
            count = int(file["progress"][0])
            beams = [row["name"] for row in file["model/parts"][:] if row["section"] == b"beams"]
            slot, drawn = file["model/nodes"]["slot"], file["model/drawn"][:]
            nodes_of, pairs = file["geometry/connectivity"][:], []
            for cell in file["geometry/cells"][:]:
                if cell["part"] in beams:
                    line = nodes_of[cell["first"]:cell["first"] + cell["points"]]
                    pairs += [(a, b, beams.index(cell["part"])) for a, b in zip(line[:-1], line[1:])]
            a, b, self.part = np.array(pairs).T
            self.a, self.b, q = slot[a], slot[b], file["frames/q"][:count]
            self.q = q
            axial = file["frames/section_strain"][:count, :, 0]
            mine = [file["model/stations"]["part"] == beam for beam in beams]
        self.strain = np.stack([np.abs(axial[:, m]).max(axis=1) for m in mine], axis=1)[:, self.part]  # states x pairs
        self.angle = self.angles(q)
        bent = self.angles(q[:1])  # as drawn but for deformations of the start, which are small
        self.length = np.linalg.norm(drawn[b] - drawn[a], axis=1)*self.arc_over_chord(bent)
        self.stretch = np.linalg.norm(q[:, self.b] - q[:, self.a], axis=2)/self.length

    def angles(self, q):
        """Of |R_a - R_b| = 2 sqrt(2) sin(angle/2), rad."""
        gap = sum(np.sum((q[:, self.a + k] - q[:, self.b + k])**2, axis=2) for k in (1, 2, 3))
        return 2*np.arcsin(np.clip(np.sqrt(gap/8), 0, 1))

    @staticmethod
    def arc_over_chord(angle):
        return 1/np.sinc(angle/(2*np.pi))


def examples():
    for path, text in with_beams():
        name, words = path.stem, options_of(path, text)
        with model_file(text) as case:
            results = case.with_suffix(".h5")
            done = events("run", path, "-o", results, "--every", 1, *words)[-1]
            shapes = Shapes(results)
        angle, stretch, strain = np.degrees(shapes.angle), shapes.stretch, shapes.strain
        limit, why = COARSE.get(name, (LARGEST, ""))
        note = f"{angle.max():.1f} degrees, stretch {stretch.min():.4f} to {stretch.max():.4f}, axial strain to {strain.max():.1e}; " \
               f"{done['steps_done']} steps, {done['seconds']:.1f} s"
        check(name, "stretch beyond axial strain", max(0, np.max(stretch - 1 - strain)), STRETCH, note)
        short = 1/shapes.arc_over_chord(shapes.angle) - strain - stretch
        check(name, "shorter than angle and axial strain explain", max(0, np.max(short)), STRETCH, quiet=True)
        check(name, f"largest angle between neighbouring nodes, degrees{why}", angle, limit, quiet=True)


# ---- a coil spring ----

WIRE, COIL, TURNS, RISE = 0.005, 0.1, 2, 0.012  # diameters of wire and coil, height of a turn, m
G, E = 80e9, 208e9


def coil(elements, order):
    """The model of a coil spring of this many elements a turn, each an arc of a circle through three points of the helix. Its lower end is clamped,
    its upper one carries a rigid plate, on which a small force pulls along the axis."""
    def place(turn):
        a = 2*np.pi*turn
        return "[{:.15g}, {:.15g}, {:.15g}]".format(COIL/2*np.cos(a), COIL/2*np.sin(a), RISE*turn)
    count = elements*TURNS
    beams = [f"  c{k}: {{from: {place(k/elements)}, through: {place((k + 0.5)/elements)}, to: {place((k + 1)/elements)}, "
             f"section: wire, axis2: z, elements: 1, order: {order}}}" for k in range(count)]
    joints = [f"  j{k}: {{type: rigid, bodies: [c{k - 1}.end, c{k}.start], at: {place(k/elements)}}}" for k in range(1, count)]
    top = f"[0, 0, {RISE*TURNS}]"
    return "\n".join(["torsor: 1", "units: SI", "materials:", f"  steel: {{E: {E}, G: {G}, density: 7850}}", "sections:",
                      f"  wire: {{type: circle, material: steel, diameter: {WIRE}}}", "beams:", *beams,
                      "bodies:", f"  plate: {{mass: 1, inertia: [1, 1, 1], position: {top}}}",
                      "joints:", f"  clamp: {{type: rigid, bodies: [ground, c0.start], at: {place(0)}}}", *joints,
                      f"  seat: {{type: rigid, bodies: [c{count - 1}.end, plate], at: {place(TURNS)}}}",
                      "loads:", "  pull: {type: force, body: plate, force: [0, 0, 0.01]}",
                      "analysis: {type: static, increments: 1}", ""])


def stiffness(elements, order):
    with model_file(coil(elements, order)) as path:
        results = path.with_suffix(".h5")
        run = Run(results, events("run", path, "-o", results)[-1])
    return 0.01/(run.position("plate")[-1, 2] - RISE*TURNS)


def spring():
    """Against Castigliano's theorem for a helix: torsion P R cos, bending P R sin, force P along the axis; and the formula of every handbook."""
    case, slope = "coil spring", np.arctan(RISE/(np.pi*COIL))
    handbook = G*WIRE**4/(8*COIL**3*TURNS)
    I, area, length = np.pi*WIRE**4/64, np.pi*WIRE**2/4, TURNS*np.pi*COIL/np.cos(slope)
    c, s = np.cos(slope)**2, np.sin(slope)**2
    exact = 1/(length*((COIL/2)**2*(c/(2*G*I) + s/(E*I)) + c/(0.9*G*area) + s/(E*area)))
    check(case, "closed form and handbook", exact/handbook - 1, 0.01, f"{exact:.2f} and {handbook:.2f} N/m")
    for elements, order, tolerance in SPRINGS:
        k = stiffness(elements, order)
        check(case, f"{elements} elements of order {order} a turn, {360/elements/order:.0f} degrees between nodes", k/exact - 1, tolerance,
              f"{k:.2f} N/m")


SPRINGS = tuple((elements, order, 1e-4) for elements, order in ((6, 1), (8, 1), (24, 1), (4, 2), (6, 3)))


# ---- a strip rolled up twice ----

def strip(elements, order, turns):
    return f"""torsor: 1
units: SI
sections:
  flat: {{EA: 1e6, GA2: 4e5, GA3: 4e5, GJ: 50, EI2: 100, EI3: 100, mass: 1}}
beams:
  strip: {{from: [0, 0, 0], to: [10, 0, 0], section: flat, elements: {elements}, order: {order}}}
joints:
  clamp: {{type: rigid, bodies: [ground, strip.start], at: [0, 0, 0]}}
loads:
  moment: {{type: moment, body: strip.end, moment: [0, 0, {2*np.pi*turns*100/10}]}}
analysis: {{type: static, increments: 20}}
"""


def roll_up():
    case, turns = "roll-up", 2
    for elements, order in ((4, 2), (4, 3), (8, 1), (6, 1)):  # 90, 80, 90 and 120 degrees between neighbouring nodes
        with model_file(strip(elements, order, turns)) as path:
            results = path.with_suffix(".h5")
            run = Run(results, events("run", path, "-o", results)[-1])
            shapes = Shapes(results)
        name = f"{elements} elements of order {order}"
        angle, R = np.degrees(shapes.angle[-1].max()), 10/(2*np.pi*turns)
        check(case, f"{name}: tip back at the clamp, m", run.position("strip.end")[-1], 1e-9, f"{angle:.0f} degrees between nodes")
        check(case, f"{name}: frame of the tip", run.rotation("strip.end")[-1] - np.eye(3), 1e-9)
        far = np.linalg.norm(shapes.q[-1][np.append(shapes.a, shapes.b[-1])] - [0, R, 0], axis=1)
        check(case, f"{name}: all nodes on one circle, m", far - R, 1e-9)
        check(case, f"{name}: moment everywhere", run.frame["section_force"][-1, :, 5]/(2*np.pi*turns*10) - 1, 1e-9)


# ---- the mesh of a beam that is given none ----

def ends_at_5(text, step):
    """Places of the first and the last node of all beams at t = 5 s."""
    with model_file(re.sub(r"^outputs:.*?(?=^\S|\Z)", "", text, flags=re.MULTILINE | re.DOTALL)) as path:
        results = path.with_suffix(".h5")
        events("run", path, "-o", results, "--step", step, "--end", 5)
        with h5py.File(results) as file:
            slots = file["model/nodes"]["slot"]
            return file["frames/q"][file["progress"][0] - 1][slots[[1, -1]]]


def default_mesh():
    """A flying beam is right without a word about its mesh: 1 % of the length, from a fine mesh of order 3."""
    for folder, name, mesh, fine in (("papers", "right_angle_beam", ", elements: 5, order: 1", 10), ("cases", "c04_flying_spaghetti", ", elements: 12, order: 3", 12)):
        text = (ROOT / "examples" / folder / f"{name}.yaml").read_text(encoding="utf-8")
        assert mesh in text
        found, right = (ends_at_5(text.replace(mesh, words), "20ms") for words in ("", f", elements: {fine}, order: 3"))
        check("default mesh", f"{name}, ends at t = 5 s, of 10 m", np.linalg.norm(found - right, axis=1)/10, 0.01)


if __name__ == "__main__":
    need_program()
    roll_up()
    spring()
    default_mesh()
    examples()
    sys.exit(verdict())
