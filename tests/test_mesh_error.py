#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The mesh of a beam: the default, and `check --mesh`, whose estimate is compared with a mesh that is much finer. `converge --mesh`: the
orders 2, 4 and 6 of beams, errors against a closed form and a finer mesh, names of points of meshes that are refined twice."""
import json
import pathlib
import re
import tempfile
import unittest

import h5py
import numpy as np

from program import torsor

MODEL = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
sections: {S: {EA: 1e6, GA2: 5e5, GA3: 5e5, GJ: 1e3, EI2: 1e3, EI3: 1e3, mass: 1}}
beams: {b: {from: [0, 0, 0], to: [5, 0, 0], section: S MESH}}
joints: {c: {type: revolute, bodies: [ground, b.start], at: [0, 0, 0], axis: y}}
analysis: {end: 0.5, step: 0.01}
outputs: {csv: [b.end.position]}
"""

CANTILEVER = """torsor: 1
units: SI
sections: {{s: {{EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 100, EI2: 100, EI3: 100, mass: 1, inertia: [0.02, 0.01, 0.01]}}}}
beams: {{b: {{from: [0, 0, 0], to: [1, 0, 0], section: s, {mesh}}}}}
joints: {{wall: {{type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}}}}
loads: {{f: {{type: force, body: b.end, force: [0, 0, {force}]}}}}
analysis: {{type: static, increments: 4}}
outputs: {{csv: [b.end.position]}}
"""


class Mesh(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)

    def tip(self, mesh):
        (self.folder / "model.yaml").write_text(MODEL.replace(" MESH", mesh), encoding="utf-8")
        torsor("run", "model.yaml", "-o", "run.h5", "--force", cwd=self.folder)
        with h5py.File(self.folder / "run.h5") as file:
            return file["frames/q"][:int(file["progress"][0])][:, -4]

    def test_default(self):
        fine, default = self.tip(", elements: 16, order: 3"), self.tip("")
        np.testing.assert_array_equal(default, self.tip(", elements: 4, order: 3"))
        error = np.abs(default - fine).max()
        self.assertLess(error, 1e-4)
        self.assertGreater(np.abs(self.tip(", elements: 8, order: 1") - fine).max(), 100*error)

    def test_estimate(self):
        fine, coarse = self.tip(", elements: 16, order: 3"), self.tip(", elements: 4, order: 1")
        said = torsor("check", "--mesh", "model.yaml", cwd=self.folder).stdout
        for axis, name in ((0, "x"), (2, "z")):
            percent = float(re.search(rf"b\.end\.position\.{name} .*?%\s+([0-9.e+-]+) %", said)[1])
            actual = 100*np.abs(coarse[:, axis] - fine[:, axis]).max()/np.ptp(coarse[:, axis])
            self.assertLess(actual, 2*percent)
            self.assertGreater(actual, percent/2)
        self.assertFalse(list(self.folder.glob("*mesh*")))

    def ladder(self, text, *options):
        (self.folder / "ladder.yaml").write_text(text, encoding="utf-8")
        said = json.loads(torsor("converge", "--mesh", "--json", "-q", *options, "ladder.yaml", cwd=self.folder).stdout)
        return said, {c["name"]: c for c in said["channels"]}

    def test_orders(self):
        """A cantilever, bent to a third of its length by a force; the series of changes ends where eight times as many elements do."""
        for order in (1, 2, 3):
            said, found = self.ladder(CANTILEVER.format(mesh=f"elements: 2, order: {order}", force=100), "-n", "4")
            z = found["b.end.position.z"]
            self.assertAlmostEqual(z["order"], 2*order, delta=0.02)
            p = max(order, 2)
            self.assertEqual(said["nodes"], [2*order*p**k + 1 for k in range(4)])
            fine = self.ladder(CANTILEVER.format(mesh="elements: 16, order: 3", force=100))[1]["b.end.position.z"]["largest"]
            self.assertAlmostEqual(z["error"]/abs(z["largest"] - fine), 1, delta=0.01)

    def test_closed_form(self):
        """F L^3/(3 EI) + F L/GA of a small force: the change by further refinements is told, too."""
        z = self.ladder(CANTILEVER.format(mesh="elements: 2, order: 1", force=0.1))[1]["b.end.position.z"]
        self.assertAlmostEqual(z["error"]/(0.1/300 + 0.1/1e6 - z["largest"]), 1, delta=0.01)

    def test_names_in_solids(self):
        """Point 12 of a box, and a set of one point, are where they were drawn: changes are a part of the deflection."""
        said, found = self.ladder("""torsor: 1
units: SI
materials: {m: {E: 1e7, nu: 0.3, density: 1000}}
meshes: {box: {type: box, size: [4, 1, 1], divisions: [4, 1, 1]}}
solids: {rod: {mesh: box, material: m}}
joints: {wall: {type: support, nodes: rod.x-}}
loads: {f: {type: surface_load, faces: rod.x+, force: [0, 0, 1e3]}}
analysis: {type: static, increments: 1}
outputs: {csv: [rod.12.position, rod.20.position]}
""")
        self.assertEqual(said["nodes"], [20, 81, 425])
        for name in ("rod.12.position.z", "rod.20.position.z"):
            self.assertLess(max(found[name]["changes"]), 0.02*1e3*4**3/(3*1e7/12))

    def test_refused(self):
        for options, message, code in ((("-n", "2"), "expected 3 to 6 meshes", 1), (("--svg", "x.svg"), "not with --svg", 1), (("--rms",), "cannot be combined", 1)):
            (self.folder / "ladder.yaml").write_text(CANTILEVER.format(mesh="elements: 1", force=1), encoding="utf-8")
            self.assertIn(message, torsor("converge", "--mesh", *options, "ladder.yaml", cwd=self.folder, code=code).stderr)
        (self.folder / "ladder.yaml").write_text("torsor: 1\nunits: SI\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nanalysis: {end: 1, step: 0.1}\n")
        self.assertIn("no mesh to refine", torsor("converge", "--mesh", "ladder.yaml", cwd=self.folder, code=1).stderr)

    def test_nothing_to_run(self):
        (self.folder / "model.yaml").write_text(MODEL.replace(" MESH", "").replace("analysis: {end: 0.5, step: 0.01}\n", ""), encoding="utf-8")
        self.assertIn("needs an 'analysis'", torsor("check", "--mesh", "model.yaml", code=2, cwd=self.folder).stderr)


if __name__ == "__main__":
    unittest.main()
