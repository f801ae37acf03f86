#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tools of a report, used by real clicks in Chromium: parts that are picked, hidden, transparent, isolated or coloured;
names, axes and arrows of joint forces; distances and angles; units; one quantity over another; search by meaning; files
saved from the page; a phone; paper; differences of runs.

What is shown is compared with columns of `torsor info --csv` (SI), with the energies of a rigid body from its definition, and with the radii of the spheres that were clicked."""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

TORSOR = os.environ["TORSOR"]
ROOT = pathlib.Path(os.environ["TORSOR_SOURCE_DIR"])
HAVE_PAGE = (ROOT / "report/node_modules/playwright-core").is_dir() and shutil.which("node") is not None

# t, mm, s: a force is in N, a bare angle in deg
MODEL = """
torsor: 1
title: Two bobs and a cable
units: {length: mm, mass: t, time: s, angle: deg}
gravity: [0, 0, -9810]
bodies:
  high: {mass: 2 kg, inertia: [20000 kg*mm^2, 30000 kg*mm^2, 40000 kg*mm^2], position: [500, 0, 0], shape: sphere, size: [240]}
  low: {mass: 1 kg, inertia: [10000 kg*mm^2, 10000 kg*mm^2, 10000 kg*mm^2], position: [1500, 0, 0], shape: sphere, size: [160]}
cables:
  rope: {from: [1500, 0, 0], to: [1500, 0, 800], tension: 5, EA: 2000, mass: 1 kg/m, elements: 4}
joints:
  hinge: {type: revolute, bodies: [ground, high], at: [0, 0, 0], axis: y}
  elbow: {type: revolute, bodies: [high, low], at: [1000, 0, 0], axis: y}
  knot: {type: spherical, bodies: [low, rope.start], at: [1500, 0, 0]}
analysis: {scheme: ED, step: 5 ms, end: 0.5 s}
outputs: {csv: [hinge.angle]}
"""
MASS, INERTIA, RADIUS = 2.0, np.diag([0.02, 0.03, 0.04]), {"high": 0.12, "low": 0.08}


def torsor(*words, cwd):
    done = subprocess.run([TORSOR, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=200)
    if done.returncode:
        raise AssertionError(f"torsor {words}: code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def ask(page, folder, deeds, width=1100, scheme="light", **wanted):
    done = subprocess.run(["node", str(ROOT / "report/test/ask.mjs"), str(page), str(folder), ",".join(deeds), str(width), scheme],
                          capture_output=True, text=True, timeout=280, env={**os.environ, "WANTED": json.dumps(wanted), "AT": "0.5"})
    if done.returncode:
        raise AssertionError(f"ask.mjs: {done.stderr}")
    return json.loads(done.stdout)


def numbers(text):
    """'1.5, 0, -2 mm/s' as numbers and a unit."""
    *values, last = text.split(", ")
    number, _, unit = last.partition(" ")
    return np.array([float(v) for v in [*values, number]]), unit


@unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
class Asked(unittest.TestCase):
    """One run, asked once; every test judges another answer."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "bobs.yaml").write_text(MODEL, encoding="utf-8")
        torsor("run", "bobs.yaml", "-q", "--report", cwd=cls.path)
        cls.seen = ask(cls.path / "bobs.html", cls.path, ["pick", "tree", "marks", "measure", "units", "over", "search", "save", "print"],
                       body="high", joint="elbow", points=["high", "low", "high"], over=["hinge.angle", "hinge.angle.rate"],
                       search=["tension", "reaction hinge", "speed low", "nonsense"])
        table = list(csv.reader(torsor("info", "bobs.h5", "--csv", "*", cwd=cls.path).splitlines()))
        names = [name.split(" [")[0] for name in table[0]]
        cls.columns = dict(zip(names, np.array([[float(v) for v in row] for row in table[1:]]).T))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def at(self, name, t):
        return np.interp(t, self.columns["t"], self.columns[name])

    def vector(self, name, t):
        return np.array([self.at(f"{name}.{c}", t) for c in "xyz"])

    def test_no_errors_and_no_network(self):
        self.assertEqual(self.seen["errors"], [])
        self.assertEqual([url for url in self.seen["requests"] if not url.startswith(("file:", "data:", "blob:"))], [])

    def test_a_click_tells_of_the_body(self):
        self.assertEqual(self.seen["picked"], "high")
        card, t = {row[0]: row[1] for row in self.seen["card"]}, self.seen["t"]
        for name, factor, unit in (("position", 1e-3, "mm"), ("velocity", 1e-3, "mm/s"), ("omega", np.pi / 180, "deg/s")):
            shown, told = numbers(card[name])
            self.assertEqual(told, unit)
            np.testing.assert_allclose(shown * factor, self.vector(f"high.{name}", t), rtol=6e-4, atol=1e-9)
        self.assertEqual(card["mass"], "2 kg")
        self.assertTrue(self.seen["nothing"], "a click on nothing closes the card")
        self.assertIn("high.position.x", [row[0] for row in self.seen["plotted"]], "a tick plots the channel")

    def test_energies_of_the_body(self):
        card, t = {row[0]: row[1] for row in self.seen["card"]}, self.seen["t"]
        v, w = self.vector("high.velocity", t), self.vector("high.omega", t)
        s, x, y, z = (self.at(f"high.quaternion.{c}", t) for c in "sxyz")
        R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)], [2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)],
                      [2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)]])
        joule = lambda text: float(text.split()[0]) * {"mJ": 1e-3, "J": 1, "kJ": 1e3}[text.split()[1]]
        self.assertAlmostEqual(joule(card["kinetic energy"]) / (0.5 * MASS * v @ v + 0.5 * w @ R @ INERTIA @ R.T @ w), 1, delta=1e-3)
        fall = self.at("high.position.z", t) - self.at("high.position.z", 0)
        self.assertAlmostEqual(joule(card["gravity energy"]) / (MASS * 9.81 * fall), 1, delta=1e-3)

    def test_parts_hide_turn_pale_stand_alone_and_change_colour(self):
        looks = self.seen["looks"]
        self.assertEqual(looks["back"], looks["before"])
        self.assertEqual(looks["reset"], looks["before"])
        self.assertEqual(len({looks[k] for k in ("before", "hidden", "pale", "red", "alone")}), 5, looks)
        self.assertNotEqual(self.seen["behind"], "high", "what is hidden is not picked")
        self.assertEqual(self.seen["red"], "#ff0000")
        self.assertEqual(self.seen["found"], ["elbow"])
        self.assertIn("force", [row[0] for row in self.seen["joint"]])

    def test_names_and_axes(self):
        self.assertLessEqual({"high", "low"}, set(self.seen["names"]))
        self.assertTrue(self.seen["axes"])

    def test_arrows_have_the_place_and_direction_of_the_force(self):
        t = self.seen["t_forces"]
        force = next(s for s in self.seen["arrows"] if s["what"] == "force")
        self.assertAlmostEqual(force["most"], max(np.linalg.norm([self.columns[f"{n}.force.{c}"] for c in "xyz"], axis=0).max() for n in force["names"]), delta=1e-9 * force["most"])
        self.assertEqual(force["names"][0], "hinge")
        M = np.array(force["matrices"][:16]).reshape(4, 4)  # its columns
        np.testing.assert_allclose(M[3, :3], [0, 0, 0], atol=1e-3)  # the hinge
        F = self.vector("hinge.force", t)
        np.testing.assert_allclose(M[1, :3] / np.linalg.norm(M[1, :3]), F / np.linalg.norm(F), atol=1e-4)

    def test_distance_and_angle(self):
        marked = np.array(self.seen["marked"])
        for point, name in zip(marked, ("high", "low", "high")):
            self.assertAlmostEqual(np.linalg.norm(point - self.vector(f"{name}.position", 0)), RADIUS[name], delta=0.02 * RADIUS[name], msg="a click hits the sphere")
        values = self.seen["values"]
        np.testing.assert_allclose(values["distances"], [np.linalg.norm(marked[1] - marked[0]), np.linalg.norm(marked[2] - marked[1])], rtol=1e-9)
        self.assertIn(f"high to low: {1000 * values['distances'][0]:.5g} mm", self.seen["measured"][1])
        self.assertAlmostEqual(values["angle"], 0, delta=1e-3, msg="there and back")

    def test_units(self):
        self.assertEqual(self.seen["systems"][0], "model: mm, t, s, deg")
        angle = self.columns["hinge.angle"]
        row = {key: next(r for r in rows if r[0] == "hinge.angle") for key, rows in self.seen["by_system"].items()}
        self.assertEqual(row["model"][4], "deg")
        self.assertAlmostEqual(float(row["model"][1]) / np.degrees(angle[-1]), 1, delta=1e-5)
        self.assertEqual(row["si"][4], "rad")
        self.assertAlmostEqual(float(row["si"][3]) / angle.max(), 1, delta=1e-5)

    def test_one_quantity_over_another(self):
        self.assertEqual(self.seen["choices"], ["time", "hinge.angle", "hinge.angle.rate"])
        self.assertEqual(self.seen["over"]["label"], "hinge.angle.rate over hinge.angle")
        self.assertGreater(self.seen["over"]["painted"], 1000)

    def test_search_knows_meanings(self):
        found = self.seen["search"]
        self.assertIn("rope.section.1.N", found["tension"])
        self.assertTrue(all(key.startswith("rope.") for key in found["tension"]))
        self.assertLessEqual({"hinge.force", "hinge.moment"}, set(found["reaction hinge"]))
        self.assertEqual(found["speed low"][0], "low.velocity")
        self.assertEqual(found["nonsense"], [])

    def test_files(self):
        files = self.seen["files"]
        self.assertEqual((files["png"]["name"], files["png"]["head"]), ("bobs.png", "89504e470d0a1a0a"))
        self.assertEqual((files["webm"]["name"], files["webm"]["head"][:8]), ("bobs.webm", "1a45dfa3"))  # EBML
        self.assertGreater(files["webm"]["size"], 5000)
        self.assertTrue(self.seen["video_ended"])
        with open(self.path / "bobs.csv", newline="", encoding="utf-8") as file:
            head, *rows = list(csv.reader(file))
        self.assertEqual(head, ["t [s]", "hinge.angle [rad]", "hinge.angle.rate [rad/s]"])
        rows = np.array(rows, dtype=float)
        np.testing.assert_array_equal(rows[:, 0], self.columns["t"])
        np.testing.assert_array_equal(rows[:, 1], self.columns["hinge.angle"])

    def test_one_page_of_paper(self):
        self.assertEqual(self.seen["pages"], 1)
        self.on_the_sheet(self.seen)

    def on_the_sheet(self, seen):
        """Nothing is cut off: all panels lie within A4 across, less margins."""
        self.assertGreater(seen["on_paper"], 100)
        self.assertEqual(set(seen["fact_rows"]), {1})
        for name, (left, top, right, bottom) in seen["paper"].items():
            self.assertGreater(bottom, top, name)
            self.assertTrue(left >= 0 and top >= 0 and right <= 1048 and bottom <= 719, (name, seen["paper"][name]))

    def test_a_phone(self):
        seen = ask(self.path / "bobs.html", self.path, ["phone", "pick"], 390, "dark", body="high")
        self.assertEqual(seen["errors"], [])
        self.assertEqual(seen["wide"], {"page": 390, "window": 390, "tables": [], "small": []})
        self.assertEqual(seen["unlabelled"], [])
        self.assertEqual(seen["picked"], "high", "a tap picks, too")
        self.assertGreater(seen["covered"]["legend"], 46, "it stands below the buttons")
        self.assertGreaterEqual(seen["covered"]["top"], seen["covered"]["legend"], "the legend hides nothing")

    def check_changes(self, seen):
        """The ledger of several runs: a column for each of them, and curves of the chosen term in their order."""
        names = ["bobs.h5", "other.h5"]
        head, *body = seen["changes"]
        self.assertEqual(head[1:], names)
        factor = {"mJ": 1e-3, "J": 1.0, "kJ": 1e3}[head[0].split(", ")[1]]
        for i, name in enumerate(names):
            for term in ("kinetic", "total"):
                column = np.loadtxt(torsor("info", name, "--csv", f"energy.{term}", cwd=self.path).splitlines(), delimiter=",", skiprows=1)[:, 1]
                change = (column[-1] - column[0]) / factor
                shown = next(r for r in body if r[0] == term)
                self.assertAlmostEqual(float(shown[1 + i]), change, delta=2e-5 * max(abs(change), 1e-6))
                self.assertEqual(seen["ledgers"][term]["labels"], names)
                self.assertAlmostEqual(seen["ledgers"][term]["last"][i], change, delta=1e-9 * max(abs(change), 1.0))

    def test_differences_of_runs(self):
        torsor("run", "bobs.yaml", "--scheme", "EP", "-q", "-o", "other.h5", cwd=self.path)
        torsor("report", "bobs.h5", "other.h5", "-q", "-o", "both.html", cwd=self.path)
        seen = ask(self.path / "both.html", self.path, ["print", "compare"], compare=["hinge.angle"])
        self.assertEqual(seen["pages"], 1)
        self.on_the_sheet(seen)
        self.check_changes(seen)
        self.assertEqual(seen["errors"], [])
        self.assertEqual([name for name, _ in seen["legend"]], ["bobs.h5", "other.h5"])
        self.assertEqual([colour for _, colour in seen["legend"]], seen["swatches"], "curves have the colours of the picture")
        self.assertEqual(seen["relative"]["labels"], ["hinge.angle, other.h5"])
        other = np.loadtxt(torsor("info", "other.h5", "--csv", "hinge.angle", cwd=self.path).splitlines(), delimiter=",", skiprows=1)
        np.testing.assert_allclose(seen["relative"]["y"][0], np.degrees(other[:, 1] - self.columns["hinge.angle"]), atol=1e-9)


LOADED = """
torsor: 1
title: A loaded arm
units: SI
gravity: [0, 0, -9.81]
bodies:
  arm: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [0.5, 0, 0], shape: box, size: [1, 0.1, 0.1]}
joints:
  hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: y}
loads:
  wave: {type: force, body: arm, at: [1, 0, 0], force: [3 N, 0, 8 N*sin(4*t)]}
  jet: {type: force, body: arm, at: [1, 0, 0], force: [0, 0, 4], follower: true}
  twist: {type: moment, body: arm, moment: [0, 1.5 N*m*t, 0]}
  drag: {type: force, body: arm, at: [1, 0, 0], force: [0, 0, -0.1 N*s/m*arm.velocity.z]}
analysis: {scheme: ED, step: 5 ms, end: 0.8 s}
"""


@unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
class Loads(unittest.TestCase):
    def test_arrows_of_loads(self):
        """Those of time alone: their direction, where they end, and that a follower turns with its body. What depends on the motion is told to be left out."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "arm.yaml").write_text(LOADED, encoding="utf-8")
            torsor("run", "arm.yaml", "-q", "--report", cwd=path)
            seen = ask(path / "arm.html", path, ["loads"])
            table = list(csv.reader(torsor("info", "arm.h5", "--csv", "arm.position", "arm.quaternion", cwd=path).splitlines()))
        self.assertEqual(seen["errors"], [])
        self.assertTrue(seen["gravity"] and seen["loads_drawn"])
        self.assertRegex(seen["loads_title"], "Without arrows.*: drag$")
        t = seen["t_loads"]
        told = np.array([[float(cell) for cell in line] for line in table[1:]])
        row = {name.split(" [")[0]: np.interp(t, told[:, 0], told[:, k]) for k, name in enumerate(table[0])}
        place, s = np.array([row[f"arm.position.{c}"] for c in "xyz"]), row["arm.quaternion.s"]
        v = np.array([row[f"arm.quaternion.{c}"] for c in "xyz"])
        turned = lambda a: a + 2 * s * np.cross(v, a) + 2 * np.cross(v, np.cross(v, a))
        tip = place + turned(np.array([0.5, 0, 0]))
        forces = next(g for g in seen["loads"] if g["what"] == "load")
        self.assertEqual(forces["names"], ["wave", "jet"])
        self.assertAlmostEqual(forces["most"], np.hypot(3, 8), delta=0.02)
        for k, wanted in enumerate(([3, 0, 8 * np.sin(4 * t)], turned(np.array([0, 0, 4.0])))):
            M = np.array(forces["matrices"][16 * k:16 * k + 16]).reshape(4, 4)
            way = M[1, :3] / np.linalg.norm(M[1, :3])
            np.testing.assert_allclose(way, wanted / np.linalg.norm(wanted), atol=2e-3)
            self.assertLess(np.linalg.norm(np.cross(tip - M[3, :3], way)), 2e-3, "the arrow points at where the load acts")
        couple = next(g for g in seen["loads"] if g["what"] == "couple")
        self.assertEqual((couple["names"], couple["count"]), (["twist"], 1))
        self.assertAlmostEqual(couple["most"], 1.5 * 0.8, places=5)


# all joints lie at x = 0, 1, 2, 3 m: `fat` is a cube of 2 m by its inertia, `slim` a bar of 1 m x 20 mm x 20 mm, `given` a cube of 0.9 m by its shape
BOXES = """
torsor: 1
units: SI
bodies:
  fat: {mass: 3, inertia: [2, 2, 2], position: [0.5, 0, 0]}
  slim: {mass: 12, inertia: [8e-4, 1.0004, 1.0004], position: [1.5, 0, 0]}
  given: {mass: 1, shape: box, size: [0.9, 0.9, 0.9], position: [2.5, 0, 0]}
  wheel: {mass: 1, inertia: [1, 1, 2], position: [0, 1, 0]}
joints:
  a: {type: revolute, bodies: [ground, fat], at: [0, 0, 0], axis: y}
  b: {type: revolute, bodies: [fat, slim], at: [1, 0, 0], axis: y}
  c: {type: revolute, bodies: [slim, given], at: [2, 0, 0], axis: y}
  d: {type: revolute, bodies: [ground, wheel], at: [0, 1, 0], axis: z}
analysis: {step: 5 ms, end: 50 ms}
"""


@unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
class Boxes(unittest.TestCase):
    def test_a_box_that_stands_for_an_inertia_does_not_hide_the_links(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            for name, inertia in (("far", "[0.32, 0.32, 0.32]"), ("near", "[2, 2, 2]")):
                text = BOXES.replace("[2, 2, 2]", inertia)
                (path / f"{name}.yaml").write_text(text, encoding="utf-8")
                torsor("run", f"{name}.yaml", "-q", "--report", cwd=path)
            far, near = (ask(path / f"{name}.html", path, ["boxes"]) for name in ("far", "near"))
        self.assertEqual(far["errors"], [])
        self.assertTrue(far["spectrum"])
        np.testing.assert_allclose(far["boxes"]["fat"], 3 * [0.35 * 0.5], rtol=1e-6)  # 0.8 m by its inertia, but joints at 0.5 m from its middle
        np.testing.assert_allclose(near["boxes"]["fat"], 3 * [2], rtol=1e-6)  # its joints lie within: nothing is hidden
        np.testing.assert_allclose(sorted(far["boxes"]["slim"])[2], 1, rtol=1e-3)
        np.testing.assert_allclose(far["boxes"]["given"], 3 * [0.9], rtol=1e-6)
        np.testing.assert_allclose(sorted(far["boxes"]["wheel"])[1:], 2 * [np.sqrt(12)], rtol=1e-6)  # m a^2/12 = 1 about x and y, edges of a plate


@unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
class Statics(unittest.TestCase):
    def test_statics_have_no_spectrum(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            text = LOADED.partition("loads:")[0].replace("gravity", "springs: {s: {type: torsion_spring, joint: hinge, stiffness: 100 N*m/rad}}\ngravity")
            (path / "hangs.yaml").write_text(text + "analysis: {type: static}\n", encoding="utf-8")
            torsor("run", "hangs.yaml", "-q", "--report", cwd=path)
            seen = ask(path / "hangs.html", path, ["boxes"])
        self.assertEqual(seen["errors"], [])
        self.assertFalse(seen["spectrum"])


@unittest.skipUnless(shutil.which("node"), "node is missing")
class Units(unittest.TestCase):
    def test_round_off_is_told(self):
        script = """import { amount } from './src/format.js';
console.log(JSON.stringify([amount(8.568e-28, 4.2, 1, 4), amount(7.41661e-5, 4.2, 1, 4), amount(0, 4.2), amount(4.2, 4.2, 1e-3)].map((a) => a.number)));"""
        done = subprocess.run(["node", "--input-type=module", "-e", script], cwd=ROOT / "report", capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(done.stdout), ["≈ 0", "7.417e-5", "0", "4200"])

    def test_units_of_other_systems(self):
        script = """
import { readable, unitIn } from './src/units.js';
const mm = { length: ['mm', 1e-3], mass: ['t', 1e3], time: ['s', 1], angle: ['deg', Math.PI / 180] };
const inch = { length: ['in', 0.0254], mass: ['lb', 0.45359237], time: ['s', 1], angle: ['rad', 1] };
const of = (system, list) => list.map((u) => { const { unit, factor } = unitIn(system, u); return [unit, factor]; });
console.log(JSON.stringify([of(mm, ['m', 'N', 'N m', 'Pa', 'J/m^2', 'rad/s^2', 'kg m^2/s', '1/m', '1']), of(inch, ['N', 'N m', 'Pa']), [13186, 0.0031, 0].map((v) => readable(v, 'J').unit)]));"""
        done = subprocess.run(["node", "--input-type=module", "-e", script], cwd=ROOT / "report", capture_output=True, text=True, check=True)
        mm, inch, prefixes = json.loads(done.stdout)
        expected = [("mm", 1e-3), ("N", 1), ("N mm", 1e-3), ("MPa", 1e6), ("mJ/mm^2", 1e3), ("deg/s^2", np.pi / 180), ("t mm^2/s", 1e-3), ("1/mm", 1e3), ("1", 1)]
        for (unit, factor), (name, size) in zip(mm, expected):
            self.assertEqual(unit, name)
            self.assertAlmostEqual(factor / size, 1, 12)
        self.assertEqual([unit for unit, _ in inch], ["lb in/s^2", "(lb in/s^2) in", "lb/(in s^2)"])
        self.assertAlmostEqual(inch[0][1], 0.45359237 * 0.0254, 12)
        self.assertEqual(prefixes, ["kJ", "mJ", "J"])


if __name__ == "__main__":
    if not HAVE_PAGE:
        print("node or report/node_modules is missing: nothing tested")
        sys.exit(77)
    unittest.main()
