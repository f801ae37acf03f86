#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The mesh of a beam: the default, and `check --mesh`, whose estimate is compared with a mesh that is much finer."""
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
        fine, coarse = self.tip(", elements: 16, order: 3"), self.tip(", elements: 4")
        said = torsor("check", "--mesh", "model.yaml", cwd=self.folder).stdout
        for axis, name in ((0, "x"), (2, "z")):
            percent = float(re.search(rf"b\.end\.position\.{name} .*?%\s+([0-9.e+-]+) %", said)[1])
            actual = 100*np.abs(coarse[:, axis] - fine[:, axis]).max()/np.ptp(coarse[:, axis])
            self.assertLess(actual, 2*percent)
            self.assertGreater(actual, percent/2)
        self.assertFalse(list(self.folder.glob("*mesh*")))

    def test_nothing_to_run(self):
        (self.folder / "model.yaml").write_text(MODEL.replace(" MESH", "").replace("analysis: {end: 0.5, step: 0.01}\n", ""), encoding="utf-8")
        self.assertIn("needs an 'analysis'", torsor("check", "--mesh", "model.yaml", code=2, cwd=self.folder).stderr)


if __name__ == "__main__":
    unittest.main()
