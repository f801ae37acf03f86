#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The Python module in a notebook: opening files, tables for pandas and xarray with units, pictures that move, short texts."""
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree

import numpy as np

from module import torsor

MODEL = """torsor: 1
title: Pendulum with a tail
units: SI
gravity: [0, 0, -9.81]
sections: {S: {EA: 1e5, GA2: 5e4, GA3: 5e4, GJ: 10, EI2: 10, EI3: 10, mass: 1}}
beams: {tail: {from: [1, 0, 0], to: [2, 0, 0], section: S, elements: 2, order: 1}}
bodies: {rod: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.5, 0, 0]}}
joints:
  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}
  weld: {type: rigid, bodies: [rod, tail.start], at: [1, 0, 0]}
analysis: {end: 0.2, step: 5 ms}
"""


class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.held = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.held.name)
        (cls.folder / "model.yaml").write_text(MODEL, encoding="utf-8")
        torsor.load(cls.folder / "model.yaml").run(cls.folder / "run.h5")
        cls.results = torsor.open(cls.folder / "run.h5")

    @classmethod
    def tearDownClass(cls):
        cls.held.cleanup()

    def test_open(self):
        self.assertIsInstance(self.results, torsor.Results)
        self.assertIsInstance(torsor.open(self.folder / "model.yaml"), torsor.Model)
        with self.assertRaises(torsor.FileError):
            torsor.open(self.folder / "gone.h5")

    def test_pandas(self):
        try:
            import pandas
        except ImportError:
            with self.assertRaisesRegex(torsor.TorsorError, "needs pandas"):
                self.results.to_pandas("hinge.angle")
            return
        frame = self.results.to_pandas("hinge.angle", "rod.position")
        self.assertIsInstance(frame, pandas.DataFrame)
        np.testing.assert_array_equal(frame["hinge.angle"], self.results["hinge.angle"])
        np.testing.assert_array_equal(frame.index, self.results.t)
        self.assertEqual(frame.attrs["units"]["rod.position.x"], "m")

    def test_xarray(self):
        try:
            import xarray
        except ImportError:
            with self.assertRaisesRegex(torsor.TorsorError, "needs xarray"):
                self.results.to_xarray("hinge.angle")
            return
        data = self.results.to_xarray("hinge.angle")
        self.assertIsInstance(data, xarray.Dataset)
        self.assertEqual(data["hinge.angle"].attrs["units"], "rad")
        np.testing.assert_array_equal(data["hinge.angle"].values, self.results["hinge.angle"])

    def test_picture(self):
        text = self.results._repr_html_()
        picture = text[text.index("<svg"):text.index("</svg>") + 6]
        tree = xml.etree.ElementTree.fromstring(picture)
        space = "{http://www.w3.org/2000/svg}"
        every, dots = tree.findall(f"{space}polyline"), tree.findall(f"{space}circle")
        lines, rods = [one for one in every if one.get("class") is None], [one for one in every if one.get("class") == "rod"]
        self.assertEqual((len(lines), len(dots), len(rods)), (1, 1, 2))
        # the rod swings about the origin: in pixels its distance from the hinge, half of that of the tail's start, stays
        x, y = (np.array([float(v) for v in one.get("values").split(";")]) for one in dots[0].findall(f"{space}animate"))
        states = [[tuple(map(float, p.split(","))) for p in state.split()] for state in lines[0].find(f"{space}animate").get("values").split(";")]
        start = np.array([state[0] for state in states])
        hinge = 2*np.column_stack([x, y]) - start
        # lines go from the rod to its joints
        ends = [np.array([[float(v) for v in state.split()[1].split(",")] for state in one.find(f"{space}animate").get("values").split(";")]) for one in rods]
        np.testing.assert_allclose(ends[0], hinge, atol=0.3)
        np.testing.assert_allclose(ends[1], start, atol=0.2)
        self.assertLess(np.ptp(hinge, axis=0).max(), 0.5)
        self.assertGreater(np.ptp(y), 5)
        self.assertTrue(np.all((0 <= x) & (x <= 420) & (0 <= y) & (y <= 260)))

    def picture(self, thing):
        text = thing._repr_html_()
        self.assertIn("<svg", text)
        return xml.etree.ElementTree.fromstring(text[text.index("<svg"):text.index("</svg>") + 6])

    def test_pictures_of_models_and_modes(self):
        """A model stands still as it is drawn; a mode swings to both sides of that, the first of a cantilever least at its foot."""
        space = "{http://www.w3.org/2000/svg}"
        still = self.picture(torsor.open(self.folder / "model.yaml"))
        self.assertEqual((len(still.findall(f"{space}polyline")), len(still.findall(f"{space}circle"))), (3, 1))
        self.assertEqual(list(still.iter(f"{space}animate")), [])
        rods = [one.get("points").split() for one in still.findall(f"{space}polyline") if one.get("class") == "rod"]
        reach = [float(rod[1].split(",")[0]) - float(rod[0].split(",")[0]) for rod in rods]  # from the middle of the rod to its joints
        self.assertAlmostEqual(reach[0], -reach[1], delta=0.2)
        self.assertGreater(reach[1], 90)
        modes = torsor.parse(MODEL.replace("type: revolute", "type: rigid").replace(", axis: y", "")).modes(2)
        moving = self.picture(modes)
        line = next(one for one in moving.findall(f"{space}polyline") if one.get("class") is None)
        states = np.array([[[float(v) for v in p.split(",")] for p in state.split()] for state in line.find(f"{space}animate").get("values").split(";")])
        np.testing.assert_allclose(states[0], states[-1], atol=0.2)
        np.testing.assert_allclose(states.max(axis=0) + states.min(axis=0), 2*states[0], atol=0.3)
        self.assertLess(np.ptp(states[:, 0], axis=0).max(), 1)
        self.assertGreater(np.ptp(states[:, -1], axis=0).max(), 20)

    def test_texts(self):
        table = self.results.table("*")
        self.assertLess(len(repr(table)), 300)
        self.assertIn("columns", repr(table))
        self.assertIn("<th>t<br><small>s</small>", self.results.table("hinge.angle")._repr_html_())
        model = torsor.open(self.folder / "model.yaml")
        self.assertIn("no mistakes", model._repr_html_())
        model.set("bodies.rod.mass", "3 m")
        self.assertIn("expected a mass", model._repr_html_())
        self.assertLess(len(repr(model)), 200)
        self.assertRegex(repr(model), r"1 body\b")

    def test_wrong_words(self):
        model = torsor.open(self.folder / "model.yaml")
        with self.assertRaises((TypeError, torsor.TorsorError)):
            model.run(scheem="ED")
        with self.assertRaises((TypeError, torsor.TorsorError)):
            model.modes(cuont=3)


if __name__ == "__main__":
    unittest.main()
