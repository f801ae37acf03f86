#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Campbell diagrams and the page of modes: `torsor modes --campbell --report`, and the same from Python.

Curves are compared with closed forms: a point mass on springs that are the same all round has, seen from a frame that turns with W, the
frequencies |w - W| and w + W, so that one curve comes down to zero at a critical speed and rises again; its crossings with multiples of
the speed are at w/(n + 1). The page, in Chromium with real clicks: nodes move as the shapes say that `torsor modes -o` writes; the list,
keys, diagram and picture follow each other."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

from program import PROGRAM, ROOT, answer, torsor

HAVE_PAGE = (ROOT / "report/node_modules/playwright-core").is_dir() and shutil.which("node") is not None

# a disc on springs: 100 rad/s along x and y, 250 rad/s along z
DISC = """torsor: 1
title: Disc on springs
units: SI
bodies:
  disc: {mass: 1, inertia: [0.02, 0.02, 0.04], shape: cylinder, size: [0.4, 0.05], shape_axis: z}
springs:
  bed: {type: bushing, bodies: [ground, disc], at: [0, 0, 0], stiffness: [1e4, 1e4, 62500, 1e3, 1e3, 4e4]}
"""
# flutter: a frame of beams with shells would be much; a clamped beam does
BEAM = """torsor: 1
title: Clamped beam
units: SI
materials:
  steel: {E: 210 GPa, nu: 0.3, density: 7800}
sections:
  flat: {type: rectangle, material: steel, width: 20 mm, height: 10 mm}
beams:
  rod: {section: flat, from: [0, 0, 0], to: [1, 0, 0], elements: 6, order: 2}
joints:
  wall: {type: rigid, bodies: [ground, rod.start], at: [0, 0, 0]}
loads:
  push: {type: force, body: rod.end, force: [-100, 0, 0]}
"""


def page_of(page, folder, width=1400, scheme="light"):
    done = subprocess.run(["node", str(ROOT / "report/test/modes.mjs"), str(page), str(folder), str(width), scheme], capture_output=True, text=True, timeout=280)
    if done.returncode:
        raise AssertionError(f"modes.mjs: {done.stderr}")
    return json.loads(done.stdout)


class Curves(unittest.TestCase):
    def campbell(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "disc.yaml")
            path.write_text(DISC)
            return answer("modes", path, "--campbell", *words)["campbell"]

    def test_through_a_critical_speed(self):
        """|w - W| goes through zero at W = w between two speeds and is one curve all the way; so is w + W."""
        found = self.campbell("--spin", "[0, 0, 150]", "--speeds", "11", "-n", "6")
        speeds, curves = np.array(found["omega"]), np.array(found["curves"], float)
        np.testing.assert_allclose(speeds, np.linspace(0, 150, 11), atol=1e-12)
        for wanted in (abs(100 - speeds), 100 + speeds, np.full(11, 250.0)):
            away = np.nanmax(abs(curves - wanted), axis=1)
            away[np.isnan(curves).any(axis=1)] = np.inf
            self.assertLess(away.min(), 1e-6, f"no curve {wanted}")

    def test_what_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "disc.yaml")
            path.write_text(DISC)
            self.assertIn("spin", torsor("modes", path, "--campbell", code=1).stderr)
            self.assertIn("--speeds 1", torsor("modes", path, "--campbell", "--spin", "[0, 0, 1]", "--speeds", "1", code=1).stderr)
            kept = pathlib.Path(folder, "disc-modes.html")
            kept.write_text("mine")
            said = subprocess.run([PROGRAM, "modes", path, "--report"], cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual((said.returncode, kept.read_text()), (3, "mine"), said.stderr)

    def test_table(self):
        """The table of the command line has the same numbers in Hz and rpm."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "disc.yaml")
            path.write_text(DISC)
            lines = torsor("modes", path, "--campbell", "--spin", "[0, 0, 60]", "--speeds", "3", "-q").stdout.splitlines()
            rows = [[float(w) for w in line.split()] for line in lines[-3:]]
        np.testing.assert_allclose([row[0] for row in rows], [0, 30 * 30 / math.pi, 60 * 30 / math.pi], rtol=1e-4)
        for k, speed in enumerate((0, 30, 60)):
            for omega in (100 - speed, 100 + speed, 250):
                self.assertLess(min(abs(f - omega / (2 * math.pi)) for f in rows[k][1:]), 1e-4)


@unittest.skipUnless(os.path.exists(os.environ.get("TORSOR_LIBRARY", "")), "there is no shared library")
class InPython(unittest.TestCase):
    def test_campbell(self):
        sys.path.insert(0, str(ROOT / "python"))
        import torsor as module
        model = module.parse(DISC)
        found = model.campbell(["0", "0", "90 rad/s"], speeds=4, count=6)
        np.testing.assert_allclose(found.speeds, [0, 30, 60, 90])
        self.assertEqual(found.frequencies.shape, found.which.shape)
        wanted = (100 - found.speeds) / (2 * math.pi)
        self.assertLess(np.nanmin(abs(found.frequencies - wanted[:, None]).max(axis=0)), 1e-9)
        self.assertEqual(len(found.modes[1]), 6)
        self.assertIn("4 speeds", repr(found))
        with tempfile.TemporaryDirectory() as folder:
            page = found.report(os.path.join(folder, "campbell.html"))
            if HAVE_PAGE:
                self.assertIn("torsor report", page.read_text()[:200])
            self.assertTrue(model.modes(3).show(os.path.join(folder, "modes.html"), browser=False).exists())


@unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
class InChromium(unittest.TestCase):
    def make(self, folder, text, *words):
        path = pathlib.Path(folder, "model.yaml")
        path.write_text(text)
        done = subprocess.run([PROGRAM, "modes", path, "--report", "-o", "model.h5", *words], cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("model-modes.html", done.stdout)
        return pathlib.Path(folder, "model-modes.html")

    def shown(self, seen, file, places):
        """Nodes move as the shapes of the file say, at the phase of the page."""
        shape = file["modes/shape"][seen["mode"]][:, :3]
        early = file["modes/shape_imaginary"][seen["mode"]][:, :3] if "shape_imaginary" in file["modes"] else 0 * shape
        wanted = seen["factor"] * (shape * math.cos(seen["phase"]) - early * math.sin(seen["phase"]))
        moved = np.array(seen["move"]).reshape(-1, 3)
        np.testing.assert_allclose(moved[places], wanted[places], atol=3e-6 * abs(wanted).max() + 1e-7)
        self.assertGreater(abs(wanted).max(), 0)

    def clean(self, seen):
        self.assertEqual(seen["errors"], [])
        self.assertLessEqual(len(seen["requests"]), 2)  # the file, and the picture that is saved
        self.assertTrue(all(url.startswith(("file:", "blob:")) for url in seen["requests"]), seen["requests"])
        self.assertLessEqual(seen["overflow"], 0)
        self.assertEqual(seen["unlabelled"], [])

    def test_modes(self):
        with tempfile.TemporaryDirectory() as folder:
            page = self.make(folder, BEAM, "-n", "5")
            seen = page_of(page, folder)
            self.clean(seen)
            with h5py.File(pathlib.Path(folder, "model.h5")) as file:
                omega = file["modes/frequency"][:]
                for state in (seen["first"], seen["turned"], seen["last"], seen["scrubbed"]):
                    self.shown(state, file, slice(1, None))
            self.assertEqual(seen["title"], "Clamped beam")
            listed = [float(row[1]) for row in seen["list"][1:]]
            np.testing.assert_allclose(listed, omega / (2 * math.pi), rtol=1e-5)
            self.assertEqual((seen["first"]["mode"], seen["last"]["mode"], seen["up"]), (0, 4, 3))
            self.assertIn("mode 5", seen["clock"])
            self.assertEqual(seen["playing"], "Stop")
            self.assertFalse(seen["campbell"])
            pictures = [seen[key]["hash"] for key in ("picture", "other", "alone", "hiddenPart")]
            self.assertEqual(len(set(pictures)), 4)
            self.assertGreater(seen["picture"]["colours"], 50)
            self.assertEqual(seen["file"], "model-mode-4.png")

    def test_buckling(self):
        """Euler's load of the clamped column, about its weak axis."""
        with tempfile.TemporaryDirectory() as folder:
            seen = page_of(self.make(folder, BEAM, "--buckling", "-n", "2"), folder, 390, "dark")
            self.clean(seen)
            euler = math.pi**2 * 210e9 * (0.02 * 0.01**3 / 12) / 4 / 100
            self.assertAlmostEqual(float(seen["list"][1][1]) / euler, 1, 2)
            self.assertEqual(seen["list"][0][1], "load factor")

    def test_campbell(self):
        with tempfile.TemporaryDirectory() as folder:
            page = self.make(folder, DISC, "--campbell", "--spin", "[0, 0, 90]", "--speeds", "10", "-n", "6")
            seen = page_of(page, folder, 1400, "dark")
            self.clean(seen)
            self.assertTrue(seen["campbell"])
            rpm = 30 / math.pi
            met = [(row[1], float(row[2])) for row in seen["crossings"][1:]]
            for order in (1, 2, 3):  # 100 - W = n W; linear in W, so interpolation is exact
                self.assertLess(min(abs(speed - rpm * 100 / (order + 1)) for line, speed in met if line == f"{order}P"), 0.01 * rpm)
            self.assertTrue(all(line == "1P" for line, *_ in [(row[1],) for row in seen["fewer"][1:]]))
            self.assertEqual((seen["clicked"]["speed"], seen["clicked"]["curve"]), (2, 0))
            self.assertIn("rpm", seen["clicked"]["title"])
            self.assertEqual(seen["tops"], ["all", "100 Hz", "50 Hz", "20 Hz"])  # the curves end between 15.9 and 159 Hz
            self.assertEqual(seen["limited"]["top"], 100)
            self.assertAlmostEqual(seen["limited"]["height"], 420 - 10 - 40, delta=1)  # 100 Hz and 6 % fill the drawing between its margins
            with h5py.File(pathlib.Path(folder, "model.h5")) as file:
                for state in (seen["first"], seen["turned"], seen["last"], seen["scrubbed"]):
                    self.shown(state, file, slice(1, None))
            outside = [[math.nan if f is None else 2 * math.pi * f for f in curve] for curve in seen["outside"]]
            steady = [curve for curve in outside if not np.isnan(curve[1:]).all() and np.nanmax(abs(np.array(curve[1:]) - 100)) < 1e-6]
            self.assertGreaterEqual(len(steady), 2, outside)  # from the ground both whirls have 100 rad/s


if __name__ == "__main__":
    unittest.main()
