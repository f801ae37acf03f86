#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""docs/troubleshooting.md and docs/guide.md: every quoted message is in the sources, most are provoked here by the
mistake that the page describes; the guide's table of periods agrees with `torsor spectrum`.

Environment: TORSOR, the program; TORSOR_SOURCE_DIR, the source tree.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

TORSOR = os.environ.get("TORSOR", "build/torsor")
ROOT = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", pathlib.Path(__file__).parent.parent))
NOT_OURS = {"No module named 'torsor'"}  # Python says that
ANY = "…"


def quoted():
    """The messages of the page, names and numbers as …."""
    text = (ROOT / "docs/troubleshooting.md").read_text(encoding="utf-8")
    return [" ".join(message.split()) for message in re.findall(r"^\*\*`([^`]+)`\*\*", text, re.MULTILINE)]


def literals():
    """Every string of the sources, neighbours joined, formats as …; shell scripts line by line."""
    for path in sorted((ROOT / "src").rglob("*.c")):
        text = re.sub(r"/\*.*?\*/|(?<![:\"])//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for run in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
            whole = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', run))
            yield re.sub(r"%%|%[-+#0]*[\d.*]*(?:ll|z)?[a-zA-Z]", lambda format: "%" if format[0] == "%%" else ANY, whole)
    yield from (ROOT / "tools/setup").read_text(encoding="utf-8").splitlines()


def matches(message, literal):
    """The fixed pieces of the message occur in the literal, in order."""
    at = 0
    for piece in (piece.strip() for piece in message.split(ANY)):
        found = literal.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


HEAD = "torsor: 1\nunits: SI\n"
ROD = HEAD + """gravity: [0, 0, -9.81]
bodies: {rod: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [0.5, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}}
analysis: {scheme: ED, step: 5 ms, end: 0.1 s}
"""
BEAM = HEAD + """sections: {thin: {EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 1e3, EI2: 1e3, EI3: 1e3, mass: 1}}
beams: {boom: {from: [0, 0, 0], to: [1, 0, 0], section: thin, elements: 2, order: 1}}
joints: {clamp: {type: rigid, bodies: [ground, boom.start], at: [0, 0, 0]}}
analysis: {step: 1 ms, end: 2 ms}
"""


def changed(model, *changes):
    for old, new in changes:
        assert old in model, old
        model = model.replace(old, new, 1)
    return model


# beginning of a quoted message -> (model, words after the verb, or the verb and its words)
PROVOKED = {
    "not well-formed YAML": (changed(ROD, ("gravity: [0,", "gravity: [[0,")), "check"),
    "the format version is missing": (changed(ROD, ("torsor: 1\n", "")), "check"),
    "'units' is missing": (changed(ROD, ("units: SI\n", "")), "check"),
    "unknown key '…' in": (changed(ROD, ("mass:", "mas:")), "check"),
    "'…' is missing in": (changed(ROD, ("mass: 2, ", "")), "check"),
    "'…' is not a type of": (changed(ROD, ("revolute", "hinge")), "check"),
    "expected a … (…), got": (changed(ROD, ("mass: 2", "mass: 2 m")), "check"),
    "cannot … different dimensions": (changed(ROD, ("mass: 2", "mass: 2 + 3 kg")), "check"),
    "unknown unit": (changed(ROD, ("mass: 2", "mass: 2 kilo")), "check"),
    "unknown name": (changed(ROD, ("mass: 2", "mass: M")), "check"),
    "a constant is needed here": (changed(ROD, ("mass: 2", "mass: 2*t")), "check"),
    "there is no body": (changed(ROD, ("[ground, rod]", "[ground, bar]")), "check"),
    "'…' is defined further down": (ROD + "springs:\n  s: {type: torsion_spring, joint: drive, damping: 1}\n"
                                          "motions: {drive: {joint: hinge, angle: 1*t}}\n", "check"),
    "'…' has … nodes: write which one": (changed(BEAM, ("boom.start", "boom")), "check"),
    "'…' has no relative coordinate": (changed(ROD, ("revolute", "spherical"), (", axis: y", ""))
                                       + "springs: {s: {type: torsion_spring, joint: hinge, damping: 1}}\n", "check"),
    "there is no scheme": (changed(ROD, ("scheme: ED", "scheme: RK4")), "check"),
    "the … of a table must increase": (ROD + "signals: {s: {table: [[1, 0], [0, 1]]}}\n", "check"),
    "cannot read '…'": (ROD + "signals: {s: {file: nowhere.csv}}\n", "check"),
    "this byte (0x…) is not UTF-8": (b"torsor: 1\nunits: SI\ntitle: \xe4\n", "check"),
    "'…' can move along": (changed(ROD, ("mass: 2, inertia: [0.1, 0.2, 0.2]", "mass: 0, inertia: [0.1, 0.2, 0.2]"),
                                   ("joints: {hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}}\n", "")), "check"),
    "'…' can rotate about its own axis": (changed(ROD, ("[0.1, 0.2, 0.2]", "[0, 0.2, 0.2]"), ("revolute", "spherical"), (", axis: y", "")), "check"),
    "motion '…' (…) moves what": (ROD + "motions:\n  a: {joint: hinge, angle: 1*t}\n  b: {joint: hinge, angle: 2*t}\n", "check"),
    "the linear equations are singular": None,
    "neighbouring nodes, … and …, are drawn": (changed(BEAM, ("elements: 2", "elements: 2, twist: 400 deg")), "check"),
    "… is bent or twisted by": (changed(BEAM, ("joints: {clamp", "motions: {m: {joint: tip, angle: 400*t}}\njoints: {tip: {type: planar, "
                                              "bodies: [ground, boom.end], at: [1, 0, 0], axis: x}, clamp"), ("end: 2 ms", "end: 20 ms")), "run"),
    "… has a director": None,
    "resolution: …: …; …": (changed(BEAM, ("elements: 2", "elements: 2, twist: 160 deg")), "run"),
    "… is pressed inside out": (HEAD + """materials: {m: {E: 1000, nu: 0, density: 1}}
meshes: {q: {type: box, size: [1, 1, 1], divisions: [1, 1, 1]}}
solids: {bar: {mesh: q, material: m}}
joints: {wall: {type: support, nodes: bar.x-}}
loads: {push: {type: surface_load, faces: bar.x+, force: [-300, 0, 0]}}
analysis: {step: 5 ms, end: 0.5 s}
""", "run"),
    "'…' is not a finite number at": None,
    "…'…': … is … at": (ROD + "loads: {f: {type: force, body: rod, force: [0, 0, 'sqrt(0.05-t)']}}\n", "run"),
    ", but the scheme supplied": None,
    "energy: … created": None,
    "energy: OPEN: Newton's": None,
    "equilibrium is OPEN": None,
    "the scheme dissipated": (changed(ROD, ("step: 5 ms, end: 0.1 s", "step: 5, end: 10")), "run"),
    "the run ends": (changed(ROD, ("end: 0.1 s", "end: 0.1 s")), "run --end 1ms"),
    "… has no 'analysis'": (changed(ROD, ("analysis: {scheme: ED, step: 5 ms, end: 0.1 s}\n", "")), "run"),
    "without its loads the model is a mechanism": (ROD, "modes --buckling"),
    "gravity is not along the axis of rotation": (changed(BEAM, ("units: SI\n", "units: SI\ngravity: [0, 0, -9.81]\n")), "modes --spin [0,1,0]"),
    "cannot write …: …": (ROD, "run -o nowhere/x.h5"),
    "… is a model, not a results file": (ROD, "info"),
    "… is not a results file (it is not HDF5)": None,
    "this is a model, not a study": (ROD, "study"),
    "… exists and is not …": (ROD, "run -o table.csv"),
}


class Messages(unittest.TestCase):
    def test_every_message_is_in_the_sources(self):
        known = list(literals())
        self.assertGreater(len(quoted()), 40)
        for message in quoted():
            with self.subTest(message=message):
                # there is no body '…' comes from "there is no %s '%.60s'", expected a mass from "expected %s, got %s"
                general = re.sub(r"^there is no body '", "there is no … '", message)
                general = re.sub(r"^expected a … \(…\), got a … \(…\)$", "expected …, got …", general)
                self.assertTrue(message in NOT_OURS or any(matches(general.replace("tools/setup: ", ""), one) for one in known),
                                "no such message in src/")

    def test_what_is_made_up_is_found_out(self):
        known = list(literals())
        self.assertFalse(any(matches("the gearbox '…' has no oil", one) for one in known))

    def provoke(self, model, words):
        verb, *rest = words.split()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "model.yaml").write_bytes(model if isinstance(model, bytes) else model.encode())
            (path / "table.csv").write_text("t\n1\n", encoding="utf-8")
            done = subprocess.run([TORSOR, verb, "model.yaml", *rest], cwd=path, capture_output=True, text=True, errors="replace", timeout=60)
        return done.stdout + done.stderr

    def test_mistakes_bring_their_messages(self):
        messages = quoted()
        for beginning, how in PROVOKED.items():
            full = [message for message in messages if message.startswith(beginning)]
            with self.subTest(message=beginning):
                self.assertTrue(full, "the page does not quote it")
                if how:
                    said = " ".join(self.provoke(*how).split())
                    pattern = ".*?".join(re.escape(piece.strip()) for piece in full[0].split(ANY))
                    self.assertRegex(said, pattern)


class Guide(unittest.TestCase):
    def test_table_of_periods(self):
        text = (ROOT / "docs/guide.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| (\d+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \|$", text, re.MULTILINE)
        self.assertEqual(len(rows), 4)
        for row in rows:
            steps, *shown = map(float, row)
            said = json.loads(subprocess.run([TORSOR, "spectrum", "--range", f"{1 / steps},{2 / steps}", "-n", "2", "--rho", "0", "--json"],
                                             check=True, capture_output=True, text=True).stdout)
            ep, ed = (self.first(said, scheme) for scheme in ("EP", "ED"))
            for value, text_value, figure in ((ep[0], row[1], shown[0]), (ed[0], row[2], shown[1]), (ed[1], row[3], shown[2])):
                last = 10.0 ** -len(text_value.partition(".")[2])  # one unit of the last digit shown
                self.assertLess(abs(100 * value - figure), last, row)

    @staticmethod
    def first(said, scheme):
        """Period error and damping ratio at the first step of the range."""
        curve = next(one for one in said["curves"] if one["scheme"] == scheme)
        return curve["points"][0]["period_error"], curve["points"][0]["damping"]


if __name__ == "__main__":
    unittest.main()
