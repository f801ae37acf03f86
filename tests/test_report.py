#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`torsor report` in a real Chromium: the page loads, plays and scrubs, its picture is not blank, it can be used by keyboard, and
the numbers it shows are those of the results file (read here with h5py). Also files that are large, foreign or damaged.

What is compared is what h5py reads and what the definitions in docs/results-file.md make of it; tolerances are half a unit of the
last digit shown, or of the 16 bits of the picture."""
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

from crafted_results import older

TORSOR = os.environ["TORSOR"]
ROOT = pathlib.Path(os.environ["TORSOR_SOURCE_DIR"])
QUICK = bool(os.environ.get("TORSOR_QUICK"))
HAVE_PAGE = (ROOT / "report/node_modules/playwright-core").is_dir() and shutil.which("node") is not None


def torsor(*words, code=0, cwd=None):
    done = subprocess.run([TORSOR, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=200)
    if done.returncode != code:
        raise AssertionError(f"torsor {words}: code {done.returncode}, expected {code}\n{done.stdout}{done.stderr}")
    return done


def observe(page, folder, scheme="light", histories=(), deeds=()):
    done = subprocess.run(["node", str(ROOT / "report/test/observe.mjs"), str(page), str(folder), scheme, *([",".join(deeds)] if deeds else [])],
                          capture_output=True, text=True, timeout=280, env={**os.environ, "HISTORY": ",".join(histories)})
    if done.returncode:
        raise AssertionError(f"observe.mjs: {done.stderr}")
    return json.loads(done.stdout)


def colours_of(png):
    """Number of different colours in a picture."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOImage import vtkPNGReader
    reader = vtkPNGReader()
    reader.SetFileName(str(png))
    reader.Update()
    pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
    return len(np.unique(pixels[:, :3], axis=0))


def node_positions(file, frame):
    slots = file["model/nodes"]["slot"]
    return file["frames/q"][frame][slots]


MODEL = """
torsor: 1
title: A flexible swing & <its> "bob"
units: SI
gravity: [0, 0, -9.81]
materials: {steel: {E: 210 GPa, nu: 0.3, density: 7850 kg/m^3}}
sections:
  strip: {type: rectangle, material: steel, width: 20 mm, height: 2 mm}
beams:
  arm: {from: [0, 0, 0], to: [1, 0, 0], section: strip, elements: 6, order: 2}
bodies:
  bob: {mass: 0.5 kg, inertia: [1e-3, 2e-3, 2e-3], position: [1, 0, 0], shape: sphere, size: [240 mm]}
joints:
  hinge: {type: revolute, bodies: [ground, arm.start], at: [0, 0, 0], axis: y}
  weld: {type: rigid, bodies: [arm.end, bob], at: [1, 0, 0]}
analysis: {scheme: ED, step: 4 ms, end: 1.2 s}
outputs: {csv: [hinge.angle, energy]}
"""


@unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
class Page(unittest.TestCase):
    """One run, looked at once; every test reads something else from what was seen."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "swing.yaml").write_text(MODEL, encoding="utf-8")
        torsor("run", "swing.yaml", "-q", "--report", cwd=cls.path)
        cls.seen = observe(cls.path / "swing.html", cls.path, histories=["weld.force", "bob.position", "arm.section.3.M2"])
        cls.file = h5py.File(cls.path / "swing.h5")
        cls.frames = int(cls.file["progress"][0])
        cls.info = json.loads(torsor("info", "swing.h5", "--json", cwd=cls.path).stdout)

    @classmethod
    def tearDownClass(cls):
        cls.file.close()
        cls.folder.cleanup()

    def same(self, shown, value, digits=6):
        """A shown number has so many digits of the value."""
        unit = 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1) if value else 1e-300
        self.assertAlmostEqual(float(shown), value, delta=0.501 * unit, msg=f"shown {shown}, is {value}")

    def test_loads_without_errors_and_without_network(self):
        self.assertEqual(self.seen["errors"], [])
        self.assertEqual([url for url in self.seen["requests"] if not url.startswith(("file:", "data:", "blob:"))], [])
        self.assertEqual(len(self.seen["requests"]), 1, "one file, nothing else")
        self.assertEqual(self.seen["title"], 'A flexible swing & <its> "bob"')
        self.assertFalse(self.seen["overflow"], "the page is wider than the window")

    def test_verdict(self):
        self.assertEqual(self.seen["verdict"], ["Completed, energy audit closed"])
        self.assertEqual(self.seen["kind"], ["judgement good"])
        steps = self.file["steps"]
        count = int(self.file["progress"][1])
        worst = np.abs(steps["balance"][:count]).max()
        ledger = self.file["frames/ledger"][0]
        scale = max(np.abs(steps[name][:count]).max() for name in ("kinetic", "elastic", "gravity"))
        scale = max(scale, np.abs(ledger[:3]).max())
        facts = self.seen["facts"][0]
        self.same(facts["balance"], worst / scale, 2)
        self.same(facts["violation"], steps["violation"][:count].max(), 2)
        self.assertEqual(facts["steps"], f"{count:,}")
        self.assertEqual(facts["cuts"], str(steps["cuts"][:count].sum()))
        self.assertEqual(facts["resolution"], "resolved")

    def test_ledger_table(self):
        start, end = np.array(self.file["frames/ledger"][0]), np.array(self.file["frames/ledger"][self.frames - 1])
        end[2], start[2] = end[2] - start[2], 0  # gravity counts from the start
        names = ["kinetic", "elastic", "gravity", "total", "work of loads", "work of drives", "dissipated by dampers",
                 "dissipated by the scheme"]
        with_total = lambda row: np.concatenate([row[:3], [row[:3].sum()], row[3:7]])
        shown = {row[0]: row for row in self.seen["ledger"][1:]}
        unit, = self.seen["ledger_units"]
        factor = {"mJ": 1e-3, "J": 1, "kJ": 1e3}[unit]
        largest = max(np.abs(with_total(end)).max(), np.abs(with_total(start)).max())
        self.assertTrue(1 <= largest / factor < 1000, f"{largest} J is told in {unit}")
        for name, a, b in zip(names, with_total(start) / factor, with_total(end) / factor):
            if name not in shown:
                self.assertEqual((a, b), (0, 0), f"{name} is left out")
                continue
            row = shown[name]
            for k, value in enumerate((a, b, b - a)):
                if abs(value) > 1e-9 * largest / factor:  # what round-off leaves has other digits
                    self.same(row[k + 1], value, 5)
        self.assertEqual(list(shown), ["kinetic", "elastic", "gravity", "total", "dissipated by the scheme", "balance error"])

    def test_convergence_table(self):
        effort = [row for row in self.seen["effort"] if len(row) == 7]
        total = effort[-1]
        steps, count = self.file["steps"], int(self.file["progress"][1])
        self.assertEqual(total[1], f"{count:,}")
        self.same(total[2], steps["iterations"][:count].mean(), 3)
        self.assertEqual(total[3], str(steps["iterations"][:count].max()))
        self.assertEqual(sum(int(row[1].replace(",", "")) for row in effort[1:-1]), count)

    def test_input_echo(self):
        self.assertEqual(self.seen["text"].strip(), MODEL.strip())

    def test_picture_is_not_blank(self):
        self.assertGreater(self.seen["picture"]["share"], 0.003, "share of the stage that is drawn on")
        self.assertGreater(self.seen["picture"]["colours"], 100)
        self.assertGreater(colours_of(self.path / "stage-light.png"), 150)

    def test_plays(self):
        self.assertEqual(self.seen["at_start"]["t"], 0, "nothing moves by itself")
        self.assertTrue(self.seen["while_playing"]["playing"])
        self.assertGreater(self.seen["while_playing"]["t"], 0)
        self.assertGreater(self.seen["drawn"], 3)
        self.assertFalse(self.seen["stopped"]["playing"])
        self.assertNotEqual(self.seen["picture"]["hash"], self.seen["picture_later"]["hash"])

    def test_scrubs(self):
        t = self.file["frames/t"][:self.frames]
        self.assertEqual(self.seen["end"]["t"], t[-1])
        self.assertEqual(self.seen["back"]["t"], t[-2])
        self.assertEqual(self.seen["home"]["t"], t[0])
        self.assertEqual(self.seen["forth"]["t"], t[1])
        self.assertAlmostEqual(self.seen["middle"]["t"], 0.5 * t[-1], delta=0.02 * t[-1])
        self.assertAlmostEqual(self.seen["clicked"]["t"], 0.25 * t[-1], delta=0.02 * t[-1], msg="a click in a plot goes there")
        self.assertIn("1.200 s", self.seen["end"]["clock"])
        self.assertEqual(self.seen["slower"]["speed"], 0.5 * self.seen["middle"]["speed"])
        self.assertEqual(self.seen["faster"]["speed"], self.seen["middle"]["speed"])

    def test_picture_has_the_positions_of_the_file(self):
        motion = np.array([node_positions(self.file, f) for f in range(self.frames)])
        step = np.abs(motion - motion[0]).max(axis=(0, 2)) / 32767
        for key, frame in (("home", 0), ("back", self.frames - 2), ("end", self.frames - 1)):
            shown = np.array(self.seen[key + "_positions"][0]).reshape(-1, 3)
            error = np.abs(shown - motion[frame]).max(axis=1)
            self.assertTrue(np.all(error <= 0.51 * step + 1e-6), f"{key}: {error.max()}")

    def test_picture_has_the_rotations_of_the_file(self):
        nodes, q = self.file["model/nodes"][()], self.file["frames/q"][self.frames - 1]
        for n, (x, y, z, w) in enumerate(np.array(self.seen["end_turns"][0]).reshape(-1, 4)):
            R = q[nodes["slot"][n] + 1:nodes["slot"][n] + 4].T
            shown = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                              [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                              [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
            self.assertLess(np.abs(shown - R).max(), 2e-4)

    def test_deformation_scale(self):
        first, last = node_positions(self.file, 0), node_positions(self.file, self.frames - 1)
        shown = np.array(self.seen["scaled_positions"][0]).reshape(-1, 3)
        self.assertLess(np.abs(shown - (first + 10 * (last - first))).max(), 1e-3)

    def test_colours(self):
        legends = self.seen["legends"]
        force = np.abs(self.file["frames/section_force"][:self.frames]).max(axis=(0, 1))
        strain, stress = (self.file["frames/" + name][:self.frames] for name in ("section_strain", "section_force"))
        for k, name in enumerate(["N", "Q2", "Q3", "M1", "M2", "M3"]):
            low, _, high = legends[name].partition(" to ")
            self.assertEqual(low, high if high.startswith("0") else "-" + high)
            self.same_quantity(high, force[k])
        self.same_quantity(legends["strain_energy_per_length"].partition(" to ")[2], (0.5 * strain * stress).sum(axis=2).max())
        pictures = self.seen["field_pictures"]
        self.assertEqual(len({pictures[name] for name in ("part", "strain_energy_per_length", "M2")}), 3, "colours change the picture")

    def same_quantity(self, text, value):
        number, unit = text.split(" ", 1)
        factor = {"n": 1e-9, "µ": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6}.get(unit[0] if unit[0] not in "NJ" else "", 1)
        self.same(f"{float(number) * factor:.12g}", value, 4)

    def test_histories(self):
        table = subprocess.run([TORSOR, "info", "swing.h5", "--csv", "weld.force", "bob.position", "arm.section.3.M2"],
                               capture_output=True, text=True, cwd=self.path, check=True).stdout
        rows = np.loadtxt(table.splitlines(), delimiter=",", skiprows=1)
        names = [name.split(" [")[0] for name in table.splitlines()[0].split(",")]
        for rows_shown in self.seen["histories"].values():
            for name, now, least, largest, _ in rows_shown[1:]:
                column = rows[:, names.index(name)]
                self.same(now, column[-1]), self.same(least, column.min()), self.same(largest, column.max())
        self.assertEqual(self.seen["end_table"][1][0], "hinge.angle", "what outputs.csv names is shown first")
        self.assertIn(f"of {self.frames} values", self.seen["spectrum_note"])

    def test_keyboard(self):
        self.assertTrue(all(stop["outlined"] for stop in self.seen["tab"]), self.seen["tab"])
        self.assertTrue(all(stop["label"] for stop in self.seen["tab"]))
        self.assertEqual(self.seen["button"], [True, False], "space on the button plays and stops")
        names = [stop["name"] for stop in self.seen["tab"]]
        for wanted in ("canvas", "play", "scrub", "colour", "scale", "trails", "filter"):
            self.assertIn(wanted, names)

    def test_contrast(self):
        self.assertGreater(self.seen["contrast"]["least"], 4.5, self.seen["contrast"]["where"])


@unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
class OtherPages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def test_several_runs_in_the_dark(self):
        for scheme in ("EP", "ED"):
            torsor("run", ROOT / "examples/double_pendulum.yaml", "--scheme", scheme, "--end", "0.5s", "-q", "-o", f"{scheme}.h5", cwd=self.path)
        torsor("report", "EP.h5", "ED.h5", "-o", "both.html", "-q", cwd=self.path)
        seen = observe(self.path / "both.html", self.path, "dark", ["energy.total"], ["look", "play", "scrub", "histories"])
        self.assertEqual(seen["errors"], [])
        self.assertEqual([v.split(":")[0] for v in seen["verdict"]], ["EP.h5", "ED.h5"])
        self.assertIn("EP.h5 (EP, 0 to 0.5 s) · ED.h5 (ED, 0 to 0.5 s)", seen["subtitle"])
        self.assertEqual([row[0] for row in seen["histories"]["energy.total"][1:]], ["energy.total, EP.h5", "energy.total, ED.h5"])
        for shown, name in zip(seen["end_positions"], ("EP.h5", "ED.h5")):
            with h5py.File(self.path / name) as file:
                last = node_positions(file, int(file["progress"][0]) - 1)
            self.assertLess(np.abs(np.array(shown).reshape(-1, 3) - last).max(), 1e-3)
        red, green, blue = map(int, seen["background"][4:-1].split(","))
        self.assertLess(max(red, green, blue), 60, "dark paper")
        self.assertGreater(seen["contrast"]["least"], 4.5, seen["contrast"]["where"])
        self.assertGreater(seen["picture"]["share"], 0.001)

    def test_shells_and_solids(self):
        from test_export import make_cells
        make_cells(self.path)
        torsor("report", "cells.h5", "-q", cwd=self.path)
        seen = observe(self.path / "cells.html", self.path, deeds=["look", "play"])
        self.assertEqual(seen["errors"], [])
        self.assertGreater(seen["picture"]["share"], 0.02)
        self.assertNotEqual(seen["picture"]["hash"], seen["picture_later"]["hash"])

    def test_meshed_parts_and_their_colours(self):
        from test_export import MESHED
        (self.path / "all.yaml").write_text(MESHED, encoding="utf-8")
        torsor("run", "all.yaml", "-q", "--report", cwd=self.path)
        seen = observe(self.path / "all.html", self.path, deeds=["look", "play", "colours"])
        self.assertEqual(seen["errors"], [])
        self.assertGreater(seen["picture"]["share"], 0.005)
        with h5py.File(self.path / "all.h5") as file:
            self.assertGreater(len(file["model/nodes"]), 300)  # with unknowns and sums
        for name in ("N", "von_mises_stress", "strain_energy_per_area"):
            self.assertIn(name, seen["legends"])
        pictures = seen["field_pictures"]
        self.assertEqual(len({pictures[name] for name in ("part", "von_mises_stress", "strain_energy_per_area")}), 3, "colours change the picture")

    def test_colours_to_begin_with_and_what_is_seen(self):
        """A shell has no strain energy per length. Supports are at no one place. The picture fits every window, until someone zooms."""
        (self.path / "plate.yaml").write_text("""
torsor: 1
units: SI
materials: {m: {E: 1e6, nu: 0.3, density: 100}}
shell_sections: {s: {type: shell, material: m, thickness: 0.02}}
meshes: {p: {type: plate, size: [1, 1], divisions: [4, 4], position: [30, 20, 10]}}
shells: {skin: {mesh: p, section: s}}
joints: {edge: {type: support, nodes: skin.x-}, side: {type: support, nodes: skin.x+, fix: [x, y]}}
loads: {weight: {type: surface_load, faces: skin, force: [0, 0, -10]}}
analysis: {scheme: ED, step: 10 ms, end: 0.2 s}
""", encoding="utf-8")
        torsor("run", "plate.yaml", "-q", "--report", cwd=self.path)
        seen = observe(self.path / "plate.html", self.path, deeds=["look", "fits"])
        self.assertEqual(seen["errors"], [])
        self.assertTrue(seen["legend"].startswith("strain energy per area"), seen["legend"])
        with h5py.File(self.path / "plate.h5") as file:
            self.assertEqual(len(file["geometry/links"]), 0)
        for x, y in seen["reach"]:
            self.assertTrue(0.5 < max(x, y) < 1, seen["reach"])
        before, zoomed, kept = seen["distance"]
        self.assertLess(zoomed, 0.9 * before)
        self.assertAlmostEqual(kept / zoomed, 1, 9, "a view of one's own is kept")

    def test_run_that_just_began(self):
        torsor("run", ROOT / "examples/double_pendulum.yaml", "--end", "0.1s", "-q", "-o", "run.h5", cwd=self.path)
        with h5py.File(self.path / "run.h5", "r+") as file:
            older(file)
            file["progress"][...] = [1, 0]
            status = h5py.h5a.open(file.id, b"status")
            status.write(np.array("running", dtype="S256"), mtype=status.get_type())
        torsor("report", "run.h5", "-q", cwd=self.path)
        seen = observe(self.path / "run.html", self.path, deeds=["look"])
        self.assertEqual(seen["errors"], [])
        self.assertEqual(seen["verdict"], ["Not closed: still running, or killed"])
        self.assertEqual(seen["kind"], ["judgement warn"])

    def test_coarse_run_says_so(self):
        (self.path / "run.yaml").write_text("""torsor: 1
units: SI
bodies: {wheel: {mass: 1, inertia: [1, 1, 2], angular_velocity: [0, 0, 40]}}
analysis: {scheme: EP, step: 10 ms, end: 0.1 s}
""", encoding="utf-8")
        torsor("run", "run.yaml", "-q", cwd=self.path)
        torsor("report", "run.h5", "-q", cwd=self.path)
        seen = observe(self.path / "run.html", self.path, deeds=["look"])
        self.assertEqual(seen["errors"], [])
        self.assertEqual(seen["verdict"], ["Completed, energy audit closed, but coarse"])
        self.assertEqual(seen["kind"], ["judgement warn"])
        self.assertRegex(seen["audit"][0], r"^rotation in a step 22.6 deg: 'wheel', t = 0.\d+ s; take shorter steps$")  # all steps are alike
        self.assertEqual(seen["facts"][0]["resolution"], "coarse")

    def test_run_that_failed_says_so(self):
        torsor("run", ROOT / "examples/double_pendulum.yaml", "--end", "0.2s", "-q", "-o", "run.h5", cwd=self.path)
        with h5py.File(self.path / "run.h5", "r+") as file:
            older(file)
            status = h5py.h5a.open(file.id, b"status")
            status.write(np.array("failed: Newton </script> gave up", dtype="S256"), mtype=status.get_type())
        torsor("report", "run.h5", "-q", cwd=self.path)
        seen = observe(self.path / "run.html", self.path, deeds=["look"])
        self.assertEqual(seen["errors"], [])
        self.assertEqual(seen["kind"], ["judgement bad"])
        self.assertTrue(seen["verdict"][0].startswith("Failed at t = "), seen["verdict"])
        self.assertEqual(seen["audit"], ["Newton </script> gave up"])

    @unittest.skipIf(QUICK, "large")
    def test_ten_thousand_nodes(self):
        make_large(self.path)
        torsor("report", "large.h5", "--frames", "31", "-q", cwd=self.path)
        size = (self.path / "large.html").stat().st_size
        self.assertLess(size, 60e6)
        seen = observe(self.path / "large.html", self.path, deeds=["look", "play", "scrub"])
        self.assertEqual(seen["errors"], [])
        frames, stored = seen["frames"][0]
        self.assertEqual(stored, 61)
        self.assertEqual(frames, 31)
        self.assertIn("of 61 stored", seen["note"])
        # the first picture needs the motion (14 bytes a node and state), one colour (2) and the mesh; other colours and histories come later
        self.assertLess(seen["unpacked"]["picture"], 16*10000*31 + 100*10000)
        self.assertLess(seen["unpacked"]["bytes"] - seen["unpacked"]["picture"], 4*3.1e6)
        self.assertGreater(seen["while_playing"]["t"], 0)
        self.assertGreater(seen["picture"]["share"], 0.001)
        self.assertNotEqual(seen["picture"]["hash"], seen["picture_later"]["hash"])
        with h5py.File(self.path / "large.h5") as file:
            last = node_positions(file, 60)
        shown = np.array(seen["end_positions"][0]).reshape(-1, 3)
        self.assertLess(np.abs(shown - last[:len(shown)]).max(), 1e-3)


def make_large(path):
    """A flying rod of 10 000 nodes, 61 states."""
    (path / "large.yaml").write_text("""
torsor: 1
title: Ten thousand nodes
units: SI
sections: {thin: {EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 1e3, EI2: 1e3, EI3: 1e3, mass: 1}}
beams: {rod: {from: [0, 0, 0], to: [100, 0, 0], section: thin, elements: 9998, order: 1, angular_velocity: [0, 10, 0]}}
analysis: {scheme: EP, step: 1 ms, end: 60 ms}
""", encoding="utf-8")
    torsor("run", "large.yaml", "-q", cwd=path)


@unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
class Refusals(unittest.TestCase):
    """Mistakes are told, and never leave a page, nor half of one."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        torsor("run", ROOT / "examples/double_pendulum.yaml", "--end", "0.1s", "-q", "-o", "run.h5", cwd=self.path)

    def refused(self, *words, code=3, says=""):
        before = sorted(p.name for p in self.path.iterdir())
        message = torsor("report", *words, code=code, cwd=self.path).stderr
        self.assertIn(says, message)
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), before, "something was left behind")

    def test_no_such_file(self):
        self.refused("none.h5", says="cannot read none.h5")

    def test_foreign_files(self):
        (self.path / "text.h5").write_text("no", encoding="utf-8")
        self.refused("text.h5", says="not HDF5")
        with h5py.File(self.path / "other.h5", "w") as file:
            file["x"] = 1
        self.refused("other.h5", says="not a results file of torsor")

    def test_cut_short(self):
        whole = (self.path / "run.h5").read_bytes()
        (self.path / "cut.h5").write_bytes(whole[:len(whole) // 2])
        self.refused("cut.h5", says="cut short")
        self.refused("run.h5", "cut.h5", says="cut short")

    def test_geometry_that_points_nowhere(self):
        shutil.copy(self.path / "run.h5", self.path / "bad.h5")
        with h5py.File(self.path / "bad.h5", "r+") as file:
            older(file)
            bodies = file["geometry/bodies"][()]
            bodies["node"][0] = 99
            file["geometry/bodies"][...] = bodies
        self.refused("bad.h5", says="an index in /geometry is out of range")

    def test_a_file_that_is_no_report_is_kept(self):
        (self.path / "mine.html").write_text("<p>mine</p>", encoding="utf-8")
        self.refused("run.h5", "-o", "mine.html", says="not a report")
        self.assertEqual((self.path / "mine.html").read_text(encoding="utf-8"), "<p>mine</p>")
        self.refused("run.h5", "-o", "run.h5", code=1, says="the results file itself")
        message = torsor("run", ROOT / "examples/double_pendulum.yaml", "--end", "0.1s", "-o", "mine.h5", "--report", code=3, cwd=self.path)
        self.assertIn("not a report", message.stderr)
        self.assertFalse((self.path / "mine.h5").exists(), "found before the run")

    def test_no_results_no_report(self):
        torsor("run", ROOT / "examples/double_pendulum.yaml", "--no-results", "--report", code=1, cwd=self.path)

    def test_a_report_is_replaced(self):
        torsor("report", "run.h5", "-q", cwd=self.path)
        first = (self.path / "run.html").read_bytes()
        torsor("report", "run.h5", "-q", cwd=self.path)
        self.assertEqual((self.path / "run.html").read_bytes(), first)
        self.assertNotIn(b"http://", first.replace(b"http://www.w3.org", b""))

    def test_file_of_an_older_torsor_without_geometry(self):
        shutil.copy(self.path / "run.h5", self.path / "old.h5")
        with h5py.File(self.path / "old.h5", "r+") as file:
            older(file)
            del file["geometry"]
        torsor("report", "old.h5", "-q", cwd=self.path)


@unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
class Spectrum(unittest.TestCase):
    def test_a_sine_has_its_amplitude_and_frequency(self):
        # 3 sin(2 pi 4 t) + 5 over 8 s: the line at 4 Hz is 3 high, the mean is gone
        script = """
import { spectrum } from './src/fft.js';
const t = Float64Array.from({length: 1024}, (_, i) => i * 8 / 1023), v = t.map((x) => 5 + 3 * Math.sin(2 * Math.PI * 4 * x));
const s = spectrum(t, v); let k = 0; s.amplitude.forEach((a, i) => { if (a > s.amplitude[k]) k = i; });
console.log(JSON.stringify([s.frequency[k], s.amplitude[k], s.amplitude[0]]));"""
        done = subprocess.run(["node", "--input-type=module", "-e", script], cwd=ROOT / "report", capture_output=True, text=True, check=True)
        frequency, amplitude, mean = json.loads(done.stdout)
        self.assertAlmostEqual(frequency, 4, delta=0.01)
        self.assertAlmostEqual(amplitude, 3, delta=0.01)
        self.assertLess(mean, 0.01)


if __name__ == "__main__":
    if not HAVE_PAGE:
        print("node or report/node_modules is missing: nothing tested")
        sys.exit(77)
    unittest.main()
