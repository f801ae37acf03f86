#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Nodes have the same names in outputs as in loads and joints: ends of beams, points of a mesh, sets of one point, also where
another part made the node or elements have inner unknowns."""

import csv
import io
import json
import tempfile
import unittest

from program import torsor

MODEL = """torsor: 1
units: SI
materials: {m: {E: 1e9, nu: 0.3, density: 1000}}
sections: {s: {type: circle, material: m, radius: 0.1}}
meshes: {bar: {type: box, size: [4, 1, 1], divisions: [4, 1, 1]}}
solids: {rod: {mesh: bar, material: m, velocity: [0, 1, 0]}}
beams: {boom: {from: [0, 0, 5], to: [4, 0, 5], section: s, elements: 4, order: 2, velocity: [0, 1, 0]}}
analysis: {step: 10 ms, end: 20 ms}
outputs: {csv: [COLUMNS]}
"""


class Names(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name):
        return f"{self.folder.name}/{name}"

    def run_model(self, columns):
        with open(self.file("m.yaml"), "w") as out:
            out.write(MODEL.replace("COLUMNS", ", ".join(columns)))
        return torsor("run", self.file("m.yaml"), "-q", "-o", self.file("m.h5"), "--csv", self.file("m.csv"), code=tuple(range(6)))

    def first_row(self, text):
        names, row = list(csv.reader(io.StringIO(text)))[:2]
        return dict(zip((name.split(" ")[0] for name in names), map(float, row)))

    def place(self, row, name):
        return [row[f"{name}.position.{axis}"] for axis in "xyz"]

    def test_places(self):
        """Points of a box are numbered along x, then y, then z."""
        places = {"rod.1": [0, 0, 0], "rod.5": [4, 0, 0], "rod.6": [0, 1, 0], "rod.18": [2, 1, 1], "rod.x+/y+/z+": [4, 1, 1],
                  "boom.start": [0, 0, 5], "boom.end": [4, 0, 5], "boom.3": [1, 0, 5]}
        done = self.run_model([f"{name}.position" for name in places])
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.file("m.csv")) as table:
            row = self.first_row(table.read())
        self.assertEqual(len(row), 1 + 3 * len(places))
        for name, place in places.items():
            self.assertEqual(self.place(row, name), place, name)

    def test_no_column_for_inner_unknowns(self):
        self.assertEqual(self.run_model(["energy"]).returncode, 0)
        every = self.first_row(torsor("info", self.file("m.h5"), "--csv", "rod").stdout)
        numbers = {name.split(".")[1] for name in every if name.startswith("rod.")}
        self.assertEqual({n for n in numbers if n.isdigit()}, {str(n) for n in range(1, 21)})

    def test_usual_columns_name_a_node_once(self):
        self.assertEqual(self.run_model([]).returncode, 0)
        usual = self.first_row(torsor("info", self.file("m.h5"), "--csv").stdout)
        self.assertIn("boom.9.position.x", usual)
        self.assertNotIn("boom.end.position.x", usual)

    def test_unknown_nodes_are_found_by_the_reader(self):
        for name, word in (("rod.21", "'rod' has no node 21"), ("boom.10", "'boom' has no node 10"), ("rod.0", "no node 0")):
            done = self.run_model([f"{name}.position"])
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("m.yaml:9:17: error:", done.stderr)
            self.assertIn(word, done.stderr)
        done = self.run_model(["boom.middle.position"])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("m.yaml:9:17: error: the results will have no 'boom.middle.position'", done.stderr)

    def test_mode_shapes_have_the_same_numbers(self):
        import h5py
        self.run_model([])
        done = torsor("modes", self.file("m.yaml"), "--json", "-o", self.file("modes.h5"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(json.loads(done.stdout)["modes"])
        with h5py.File(self.file("modes.h5")) as file:
            for row in file["model/nodes"][:]:
                if row["part"] == b"rod" and row["number"] > 0:
                    x, y, z = file["modes/q"][row["slot"]]
                    self.assertEqual(row["number"], 1 + x + 5 * y + 10 * z)


SHARED = """torsor: 1
units: SI
materials: {arm: {E: 1e9, nu: 0.3, density: 1000}}
sections: {arm: {type: circle, material: arm, radius: 0.1}}
meshes: {block: {type: box, size: [1, 1, 1], divisions: [1, 1, 1]}}
beams: {arm: {from: [0, 0, 5], to: [4, 0, 5], section: arm, elements: 2}}
solids: {block: {mesh: block, material: arm, velocity: [0, 1, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, arm.start], at: [0, 0, 5], axis: y}}
loads: {push: {type: force, body: arm.end, force: [0, 0, 1 N]}}
analysis: {step: 10 ms, end: 20 ms}
outputs: {csv: [arm.end.position, block.7.position], stations: {arm: [0.5]}}
"""


class SharedNames(unittest.TestCase):
    """A material, a section and a mesh may have the name of a part. Everything else has its own name."""

    def check(self, text, code=0):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/m.yaml"
            with open(path, "w") as out:
                out.write(text)
            done = torsor("check", path, code=code)
            if code == 0:
                apart = text.replace("arm: {E", "steel: {E").replace("material: arm", "material: steel")
                apart = apart.replace("sections: {arm", "sections: {tube").replace("section: arm", "section: tube")
                apart = apart.replace("meshes: {block", "meshes: {cube").replace("mesh: block", "mesh: cube")
                self.assertEqual(self.results(folder, text), self.results(folder, apart))
            return done.stdout + done.stderr

    def results(self, folder, text):
        with open(f"{folder}/r.yaml", "w") as out:
            out.write(text)
        torsor("run", f"{folder}/r.yaml", "-q", "-f", "-o", f"{folder}/r.h5")
        torsor("report", f"{folder}/r.h5", "-f", "-o", f"{folder}/r.html")
        torsor("export", f"{folder}/r.h5", "-f", "-o", f"{folder}/r")
        return torsor("info", f"{folder}/r.h5", "--csv", "arm", "block", "hinge", "energy").stdout

    def test_shared(self):
        self.assertIn("section arm (circle)", self.check(SHARED))

    def test_twice(self):
        said = self.check(SHARED.replace("push:", "arm:"), code=2)
        self.assertIn("m.yaml:9:9: error: the name 'arm' is used twice; first on line 6, in beams", said)
        said = self.check(SHARED.replace("hinge:", "ground:"), code=2)
        self.assertIn("'ground' is the fixed frame itself", said)
        said = self.check(SHARED.replace("materials: {arm:", "materials: {ground:"), code=2)
        self.assertIn("'ground' is the fixed frame itself", said)

    def test_the_wrong_one(self):
        said = self.check(SHARED.replace("section: arm", "section: block"), code=2)
        self.assertIn("'block' is one of the solids; expected one of the sections", said)
        said = self.check(SHARED.replace("section: arm", "section: armm"), code=2)
        self.assertIn("did you mean 'arm'?", said)


if __name__ == "__main__":
    unittest.main()
