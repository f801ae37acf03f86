#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Channels of output: one table for arrays, tables, reports, Python and `info`; `check` and `run` accept the same
names."""

import csv
import fnmatch
import io
import json
import os
import re
import sys
import tempfile
import unittest

import h5py
import numpy as np

from crafted_results import older
from program import ROOT, answer, torsor

LIBRARY = os.environ.get("TORSOR_LIBRARY", "")
HAS_MODULE = not LIBRARY or os.path.exists(LIBRARY)  # builds with sanitizers have no shared library
if HAS_MODULE:
    sys.path.insert(0, str(ROOT / "python"))
    import torsor as torsor_module

COUPLED = """torsor: 1
units: SI
materials: {{s: {{E: 210 GPa, nu: 0.3, density: 7850}}}}
meshes: {{m: {{type: box, size: [1, 0.2, 0.2], divisions: [2, {n}, {n}]}}}}
solids: {{B: {{mesh: m, material: s}}}}
couplings: {{pin: {{type: weighted, nodes: B.x+}}}}
joints: {{w: {{type: support, nodes: B.x-}}}}
loads: {{f: {{type: force, body: pin, force: [0, 1 kN, 0]}}}}
analysis: {{type: static, increments: 1}}
outputs: {{csv: [pin.displacement]}}
"""

# Two springs, a damper, a beam, a cable, a shell and a solid: every family of channels.
EVERYTHING = """torsor: 1
units: SI
gravity: [0, 0, -10]
points: {middle: [1, 0, 3]}
materials: {m: {E: 1e8, nu: 0.3, density: 1000}}
sections: {s: {type: circle, material: m, diameter: 50 mm}}
shell_sections: {k: {material: m, thickness: 20 mm}}
meshes:
  block: {type: box, size: [1, 0.2, 0.2], divisions: [2, 1, 1], position: [0, 0, 4]}
  sheet: {type: plate, corners: [[0, 0, 3], [2, 0, 3], [2, 1, 3], [0, 1, 3]], divisions: [2, 2]}
bodies:
  A: {mass: 2, inertia: [1, 1, 1]}
  B: {mass: 3, inertia: [1, 1, 1], position: [1, 0, 0]}
beams: {arm: {from: [0, 0, 1], to: [1, 0, 1], section: s, elements: 2, order: 2}}
cables: {rope: {from: [0, 0, 2], to: [1, 0, 2], EA: 1e4, mass: 1, elements: 4}}
solids: {rod: {mesh: block, material: m}}
shells: {skin: {mesh: sheet, section: k}}
joints:
  hinge: {type: revolute, bodies: [ground, A], at: [0, 0, 0], axis: y}
  hold: {type: support, nodes: rod.x-}
springs:
  pull: {type: spring, bodies: [A, B], from: [0, 0, 0], to: [1, 0, 0], stiffness: 100, free_length: 0.5}
  lift: {type: spring, bodies: [ground, B], from: [1, 0, 2], to: [1, 0, 0], stiffness: 20, free_length: 2}
motions: {drive: {joint: hinge, angle: 0.3*t}}
analysis: {step: 10 ms, end: 50 ms}
outputs: {stations: {arm: [0.5]}, csv: [COLUMNS]}
"""


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name):
        return f"{self.folder.name}/{name}"

    def write(self, text, name="m.yaml"):
        with open(self.file(name), "w", encoding="utf-8") as out:
            out.write(text)
        return self.file(name)


class Coupling(Folder):
    def test_name_does_not_depend_on_the_mesh(self):
        """A coupling to few nodes and to many (then with sums of places as nodes of its own) is called by its name; it moves as the
        set does in the mean over its area."""
        for n in (2, 4, 8):
            path, results = self.write(COUPLED.format(n=n)), self.file("m.h5")
            torsor("check", path)
            torsor("run", path, "-q", "-o", results, "--csv", self.file("m.csv"))
            with open(self.file("m.csv"), encoding="utf-8") as table:
                names, *rows = csv.reader(table)
            self.assertEqual(names[1:], [f"pin.displacement.{axis} [m]" for axis in "xyz"])
            side = np.ones(n + 1)
            side[[0, -1]] = 0.5  # of the length of a cell: what a point of a line of n cells stands for
            with h5py.File(results) as f:
                nodes, x = f["model/nodes"][:], f["frames/q"][-1]
                drawn = f["model/drawn"][:]
                face = [i for i in range(len(nodes)) if nodes["part"][i] == b"B" and abs(drawn[i, 0] - 1) < 1e-9
                        and f["model/node_numbers"][i] > 0]
            self.assertEqual(len(face), (n + 1)**2)
            place = np.rint(drawn[face, 1:] * n / 0.2).astype(int)
            weight = side[place[:, 0]] * side[place[:, 1]] / n**2
            mean = weight @ (x[nodes["slot"][face]] - drawn[face])
            np.testing.assert_allclose([float(number) for number in rows[-1][1:]], mean, rtol=1e-9, atol=1e-15)
            found = torsor("info", results, "--csv", "pin").stdout.splitlines()[0]
            self.assertNotIn("pin.1", found)


class Requests(Folder):
    def codes(self, columns):
        path = self.write(EVERYTHING.replace("COLUMNS", ", ".join(columns)))
        check = torsor("check", path, code=(0, 2))
        run = torsor("run", path, "-q", "-o", self.file("m.h5"), "--csv", self.file("m.csv"), code=(0, 2))
        return check, run

    def test_what_is_there(self):
        """Every column that a results file has may be asked for, and so may every beginning of one."""
        self.assertEqual(self.codes(["energy"])[1].returncode, 0)
        every = list(csv.reader(io.StringIO(torsor(
            "info", self.file("m.h5"), "--csv", "A", "B", "arm", "rope", "rod", "skin", "hinge", "hold", "pull", "lift", "drive",
            "energy", "momentum").stdout)))[0]
        names = {re.sub(r" \[.*", "", name) for name in every[1:]}
        self.assertGreater(len(names), 500)
        wanted = {".".join(name.split(".")[:k + 1]) for name in names for k in range(name.count(".") + 1)}
        check, run = self.codes(sorted(wanted))
        self.assertEqual((check.returncode, run.returncode), (0, 0), check.stderr[:2000])
        for name in ("drive.effort", "hinge.angle.rate", "arm.station.1.M2", "arm.section.4.kappa3", "skin.middle.shell_force",
                     "rod.x+/y+/z+.stress.mises", "rope.end.velocity", "pull.elastic_energy", "rod.elastic_energy"):
            self.assertIn(name, wanted)

    def test_what_is_not(self):
        """What the run would refuse, reading the file refuses, at its place; so `check` and `run` agree."""
        for wrong in ("A.stress", "A.position.w", "arm.section.5.N", "arm.station.2.N", "hinge.displacement", "drive.force.q",
                      "skin.middle.stress", "rod.middle.position", "A.elastic_energy", "energy.heat", "time", "ground.mass",
                      "hinge.angle.rate.x", "block.position", "rope.9.position", "drawing.position"):
            check, run = self.codes(["A.position", wrong])
            self.assertEqual((check.returncode, run.returncode), (2, 2), wrong)
            line, column = EVERYTHING.count("\n"), EVERYTHING.splitlines()[-1].index("COLUMNS") + len("A.position, ") + 1
            for done in (check, run):
                self.assertIn(f"m.yaml:{line}:{column}: error: ", done.stderr)

    def test_all_at_once_and_nothing_else(self):
        """Two wrong selectors are two mistakes; where the model has others, selectors that depend on them are none."""
        check, _ = self.codes(["A.stress", "B.stress"])
        self.assertEqual(check.stderr.count("error: "), 2, check.stderr)
        text = EVERYTHING.replace("COLUMNS", "arm.section.9").replace("order: 2", "order: 9")
        done = torsor("check", self.write(text), code=2)
        self.assertEqual(done.stderr.count("error: "), 1, done.stderr)


@unittest.skipUnless(HAS_MODULE, "there is no shared library")
class Patterns(Folder):
    """* and ? in selectors, against Python's fnmatch over the names of all columns."""

    def setUp(self):
        super().setUp()
        self.path = self.write(EVERYTHING.replace("COLUMNS", "'*.angle', arm*.position"))
        torsor("run", self.path, "-q", "-o", self.file("m.h5"), "--csv", self.file("m.csv"))
        self.results = torsor_module.Results(self.file("m.h5"))

    def chosen(self, *patterns):
        names = next(csv.reader(io.StringIO(torsor("info", self.file("m.h5"), "--csv", *patterns).stdout)))
        return [re.sub(r" \[.*", "", name) for name in names[1:]]

    @staticmethod
    def parts(name):
        return [".".join(name.split(".")[:k + 1]) for k in range(name.count(".") + 1)]

    def expected(self, pattern):
        """A pattern stands for all names that it matches: columns and beginnings of columns that are none themselves."""
        every = list(self.results.columns)
        columns = set(every)
        return [name for name in every if name != "t" and not name.startswith("ground") and any(
            fnmatch.fnmatchcase(part, pattern) and (part == name or part not in columns) for part in self.parts(name))]

    def test_names(self):
        for pattern in ("*.angle", "*.angle*", "*.rate", "?.position", "A.*", "*.section.*.M?", "hinge*", "pull.?l*energy", "*.force",
                        "*energy*", "mom*.lin*", "h*", "A?*.x"):
            names = {name for name in self.expected(pattern)}
            if names:
                got = self.chosen(pattern)
                self.assertEqual(len(got), len(set(got)))
                self.assertEqual(set(got), names, pattern)
        self.assertEqual(self.chosen("*.angle"), ["hinge.angle"])
        self.assertEqual(self.chosen("*.angle*"), ["hinge.angle", "hinge.angle.rate", "hinge.angle.acceleration"])
        self.assertEqual(self.chosen("?.velocity"), [f"{body}.velocity.{axis}" for body in "AB" for axis in "xyz"])

    def test_short_names(self):
        """The names that expressions have: rates and accelerations of the only coordinate, torques. Of two coordinates none is meant."""
        self.assertEqual(self.chosen("hinge.rate", "hinge.acceleration", "pull.rate", "drive.torque"),
                         ["hinge.angle.rate", "hinge.angle.acceleration", "pull.length.rate", "drive.effort"])
        np.testing.assert_array_equal(self.results["hinge.rate"], self.results["hinge.angle.rate"])
        for wrong in ("A.rate", "hinge.torque", "pull.torque", "rate", ".rate"):
            self.assertIn(f"has no '{wrong}'", torsor("info", self.file("m.h5"), "--csv", wrong, code=1).stderr)
        torsor("check", self.write(EVERYTHING.replace("COLUMNS", "hinge.rate")))
        two = EVERYTHING.replace("COLUMNS", "pin.rate").replace("  hold:", "  pin: {type: cylindrical, bodies: [ground, B], at: [1, 0, 0], axis: z}\n  hold:")
        self.assertIn("the results will have no 'pin.rate'", torsor("check", self.write(two), code=2).stderr)

    def test_no_column_twice(self):
        self.assertEqual(self.chosen("hinge.angle", "*.angle", "hinge.a*le"), ["hinge.angle"])

    def test_nodes_have_one_name(self):
        """Ends of a line have numbers, too. A pattern that only the other name matches takes that."""
        every = self.chosen("rope.*.position")
        self.assertEqual(every, [f"rope.{k}.position.{axis}" for k in range(1, 6) for axis in "xyz"])
        self.assertEqual(self.chosen("*.end.position.x"), ["arm.end.position.x", "rope.end.position.x"])
        self.assertEqual(len(self.chosen("rope.5.position", "rope.end.position.x")), 4)  # by name, both are given

    def test_the_ground_is_named(self):
        self.assertFalse([name for name in self.chosen("*") if name.startswith("ground")])
        self.assertEqual(self.chosen("ground.pos*"), [f"ground.position.{axis}" for axis in "xyz"])

    def test_outputs_of_a_model(self):
        with open(self.file("m.csv"), encoding="utf-8") as table:
            names = [re.sub(r" \[.*", "", name) for name in next(csv.reader(table))[1:]]
        self.assertEqual(names, self.chosen("*.angle", "arm*.position"))
        self.assertEqual(names[0], "hinge.angle")
        self.assertEqual(len(names), 1 + 3 * 5)
        bare = torsor("check", self.write(EVERYTHING.replace("COLUMNS", "*.angle")), code=2)  # an alias of YAML
        self.assertIn("quote a text that begins with *", bare.stderr)

    def test_no_match(self):
        done = torsor("info", self.file("m.h5"), "--csv", "*.angel", code=1)
        self.assertIn("has no '*.angel'. Did you mean '*.angle'?", done.stderr)
        self.assertIn("hinge", done.stderr)
        self.assertIn("separated by blanks", torsor("info", self.file("m.h5"), "--csv", "hinge.angle,energy", code=1).stderr)
        self.assertIn("first column of every table", torsor("info", self.file("m.h5"), "--csv", "t", code=1).stderr)
        done = torsor("check", self.write(EVERYTHING.replace("COLUMNS", "A, 'arm.*.positon'")), code=2)
        self.assertIn("the results will have no 'arm.*.positon'", done.stderr)
        self.assertIn("Did you mean 'arm.*.position'?", done.stderr)
        for pattern in ("*.angel", "?.mass", "*round.position"):
            with self.assertRaises(torsor_module.ModelError):
                self.results[pattern]

    def test_python(self):
        table = self.results["*.angle"]
        self.assertEqual(list(table), ["t", "hinge.angle"])
        np.testing.assert_array_equal(table["hinge.angle"], self.results["hinge.angle"])
        np.testing.assert_array_equal(self.results["?.position"].array(), np.hstack([self.results["A.position"], self.results["B.position"]]))

    def test_error_bars(self):
        done = torsor("run", self.path, "--resolve", "--channels", "*.angle", "--json", "-o", self.file("r.h5"))
        self.assertIn("hinge.angle", done.stdout)


@unittest.skipUnless(HAS_MODULE, "there is no shared library")
class Listing(Folder):
    """torsor channels: a model and its results have the same list; it is that of all columns."""

    def setUp(self):
        super().setUp()
        self.path = self.write(EVERYTHING.replace("COLUMNS", "energy"))
        torsor("run", self.path, "-q", "-o", self.file("m.h5"))
        self.results = torsor_module.Results(self.file("m.h5"))

    def test_model_and_results_agree(self):
        of_model, of_results = answer("channels", self.path), answer("channels", self.file("m.h5"))
        self.assertEqual(of_model, of_results)
        units = {one["name"]: one["unit"] for one in of_model["channels"]}
        columns = self.results.columns
        self.assertEqual(columns.pop("t"), "s")
        self.assertEqual(units, columns)
        for one in of_model["channels"]:
            self.assertGreater(len(one["help"]), 8, one)
            self.assertTrue(one["of"] or one["name"].startswith(("energy", "momentum")), one)

    def test_python(self):
        model = torsor_module.load(self.path)
        self.assertEqual(model.channels(), self.results.channels())
        found = model.channels("*.angle", "drive.effort")
        self.assertEqual(list(found), ["hinge.angle", "drive.effort"])
        self.assertEqual((found["hinge.angle"]["unit"], found["drive.effort"]["unit"]), ("rad", "N m"))
        with self.assertRaises(torsor_module.ModelError):
            model.channels("hinge.angel")
        with self.assertRaises(torsor_module.ModelError):
            self.results.channels("*.angel")

    def test_lines(self):
        text = torsor("channels", self.path).stdout
        self.assertEqual(text, torsor("channels", self.file("m.h5")).stdout)
        lines = {line.split()[0] for line in text.splitlines()[1:]}
        for name in ("A.position", "hinge.angle", "hinge.angle.rate", "rope.1.velocity", "rope.end.*", "arm.section.1", "momentum.linear"):
            self.assertIn(name, lines)
        self.assertNotIn("rope.2.velocity", lines)  # shares a line with the first node
        self.assertRegex(text, r"rope\.1\.velocity +x y z +m/s +velocity of a node.*; the same up to rope\.5\n")
        self.assertRegex(text, r"arm\.section\.1 +N Q2 Q3 M1 M2 M3 +N, N m +.*; the same up to arm\.section\.4\n")
        few = torsor("channels", self.path, "?.velocity", "hinge.angle").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in few], ["channel", "A.velocity", "B.velocity", "hinge.angle"])

    def test_mistakes(self):
        done = torsor("channels", self.path, "*.angel", code=1)
        self.assertIn("Did you mean '*.angle'?", done.stderr)
        self.assertIn("Did you mean '*.angle'?", torsor("channels", self.file("m.h5"), "*.angel", code=1).stderr)
        torsor("channels", self.write("torsor: 1\nunits: SI\nbodies: {A: {mas: 1}}\n", "w.yaml"), "*", code=2)
        torsor("channels", self.file("none.yaml"), code=3)
        torsor("channels", code=1)
        torsor("channels", self.file("m.h5"), "--set", "L=2", code=1)
        with open(self.file("cut.h5"), "wb") as out, open(self.file("m.h5"), "rb") as whole:
            out.write(whole.read(3000))
        torsor("channels", self.file("cut.h5"), code=3)

    def test_written(self):
        torsor("channels", self.path, "--json", "-o", self.file("c.json"))
        with open(self.file("c.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), answer("channels", self.path))


class ElasticEnergy(Folder):
    """A channel that was added as one entry of the table is everywhere."""

    def setUp(self):
        super().setUp()
        self.path = self.write(EVERYTHING.replace("COLUMNS", "pull.elastic_energy, lift"))
        torsor("run", self.path, "-q", "-o", self.file("m.h5"), "--csv", self.file("m.csv"))

    def test_array(self):
        with h5py.File(self.file("m.h5")) as f:
            energy, ledger = f["frames/elastic_energy"][:], f["frames/ledger"][:]
            parts = [part.decode() for part in f["model/elastic_parts"]["part"]]
            x = {row["part"].decode(): f["frames/q"][:, row["slot"]] for row in f["model/nodes"] if row["part"] in (b"A", b"B")}
            self.assertEqual(f["frames/elastic_energy"].attrs["unit"], b"J")
        self.assertEqual(parts, ["arm", "rope", "skin", "rod", "pull", "lift"])
        np.testing.assert_allclose(energy.sum(axis=1), ledger[:, 1], rtol=1e-12)
        length = np.linalg.norm(x["B"] - x["A"], axis=1)
        np.testing.assert_allclose(energy[:, 4], 0.5 * 100 * (length - 0.5)**2, rtol=1e-12)
        length = np.linalg.norm(x["B"] - [1, 0, 2], axis=1)
        np.testing.assert_allclose(energy[1:, 5], 0.5 * 20 * (length[1:] - 2)**2, rtol=1e-9)

    def test_table_python_report(self):
        with h5py.File(self.file("m.h5")) as f:
            stored = f["frames/elastic_energy"][:, 4]
        with open(self.file("m.csv"), encoding="utf-8") as table:
            names, *rows = csv.reader(table)
        self.assertIn("lift.elastic_energy [J]", names)
        at = names.index("pull.elastic_energy [J]")
        np.testing.assert_array_equal([float(row[at]) for row in rows], stored)
        try:
            import torsor as module
        except ImportError:
            module = None  # a sanitized build has no shared library
        if module:
            results = module.Results(self.file("m.h5"))
            np.testing.assert_array_equal(results["pull.elastic_energy"], stored)
            self.assertEqual(results.columns["pull.elastic_energy"], "J")
            self.assertIn("frames/elastic_energy", results.arrays)
        torsor("report", self.file("m.h5"), "--output", self.file("m.html"), "--quiet")
        with open(self.file("m.html"), encoding="utf-8") as page:
            self.assertIn("pull.elastic_energy [J]", page.read())

    def test_info(self):
        lines = torsor("info", self.file("m.h5")).stdout
        self.assertRegex(lines, r"\n +part: elastic_energy\n")
        found = [c for c in answer("info", self.file("m.h5"))["channels"] if c["name"] == "elastic_energy"]
        self.assertEqual([(c["unit"], c["of"], c["array"], c["stored"]) for c in found],
                         [("J", "part", "elastic_energy", True)])

    def test_file_describes_itself(self):
        """model/channels names every quantity of the tables with its components, and the array that it is in."""
        with h5py.File(self.file("m.h5")) as f:
            table = f["model/channels"][:]
            for row in table:
                self.assertIn(row["array"].decode(), f["frames"])
        described = set()
        for row in table:
            name, components = row["name"].decode(), row["components"].decode()
            described |= {".".join(filter(None, (name, component))) for component in components.split(" ")}
        owners = ["A", "arm", "rope", "rod", "skin", "hinge", "pull", "drive", "energy", "momentum"]
        columns = list(csv.reader(io.StringIO(torsor("info", self.file("m.h5"), "--csv", *owners).stdout)))[0][1:]
        for column in columns:
            words = re.sub(r" \[.*", "", column).split(".")
            ends = {".".join(words[k:]) for k in range(len(words))}
            self.assertTrue(ends & described or column.startswith("hinge.angle [rad]"), column)

    def test_older_files(self):
        """Without the array and the tables of channels, as files were before, everything else is there."""
        with h5py.File(self.file("m.h5"), "r+") as f:
            older(f)
            for name in ("frames/elastic_energy", "model/elastic_parts", "model/channels"):
                del f[name]
        head = torsor("info", self.file("m.h5"), "--csv", "lift").stdout.splitlines()[0]
        self.assertIn("lift.force.x [N]", head)
        self.assertNotIn("elastic_energy", head)
        self.assertNotIn("elastic_energy", json.dumps(answer("info", self.file("m.h5"))["channels"]))


if __name__ == "__main__":
    unittest.main()
