#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of contact: surfaces of shapes in the results file; shapes, arrows and the table of losses in the report,
used in a real Chromium; shapes and pairs in the files for ParaView.

Surfaces are compared with closed forms: every point is at the shape's radius from its core, the surface is closed, its volume is that
of the shape. What the page shows is compared with what h5py reads."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ET

import h5py
import numpy as np

from program import touching

TORSOR = os.environ["TORSOR"]
ROOT = pathlib.Path(os.environ["TORSOR_SOURCE_DIR"])
HAVE_PAGE = (ROOT / "report/node_modules/playwright-core").is_dir() and shutil.which("node") is not None

MODEL = """
torsor: 1
title: Shapes that touch
units: SI
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 1 kg, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.12], velocity: [0.6, 0, 0]}
  twin: {mass: 1 kg, inertia: [0.004, 0.004, 0.004], position: [0, 0.6, 0.22]}
  rod: {mass: 1 kg, inertia: [0.001, 0.02, 0.02], position: [0.7, 0, 0.1], orientation: {axis: z, angle: 0.4}}
  brick: {mass: 2 kg, inertia: [0.01, 0.01, 0.01], position: [-0.5, 0.2, 0.055], velocity: [0.3, 0, 0], shape: box, size: [0.3, 0.2, 0.1]}
  coin: {mass: 1 kg, inertia: [0.002, 0.002, 0.004], position: [0, -0.5, 0.3]}
  drum: {mass: 1 kg, inertia: [0.002, 0.002, 0.004], position: [0.6, -0.6, 0.3]}
shapes:
  rim: {type: disc, on: coin, axis: [1, 2, 2], radius: 0.15, rounding: 0.02}
  keg: {type: cylinder, on: drum, axis: [2, -1, 2], radius: 0.1, length: 0.3, rounding: 0.01}
  skin: {type: sphere, on: ball, radius: 10 cm}
  other: {type: sphere, on: twin, radius: 20 cm}
  bar: {type: capsule, on: rod, from: [0.5, 0, 0.1], to: [0.9, 0.1, 0.1], radius: 4 cm}
  block: {type: box, on: brick, size: [0.3, 0.2, 0.1], rounding: 1 cm}
  floor: {type: plane, on: ground, normal: z}
contacts:
  bounce: {between: [skin, floor], stiffness: 2e4, restitution: 0.8, friction: 0.3}
  hop: {between: [other, floor], stiffness: 2e4}
  clap: {between: [bar, floor], stiffness: 2e4, restitution: 0.5, friction: 0.3}
  spin: {between: [rim, floor], stiffness: 2e4, friction: 0.3}
  roll: {between: [keg, floor], stiffness: 2e4, friction: 0.3}
  thud: {between: [block, floor], stiffness: 2e4, restitution: 0.3, friction: 0.5}
  knock: {among: [skin, bar, block, other], stiffness: 2e4, friction: 0.1}
analysis: {scheme: ED, step: 1 ms, end: 0.5 s}
outputs: {every: 5}
"""


def torsor(*words, code=0, cwd=None):
    done = subprocess.run([TORSOR, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=200)
    if done.returncode != code:
        raise AssertionError(f"torsor {words}: code {done.returncode}, expected {code}\n{done.stdout}{done.stderr}")
    return done


def observe(page, folder, scheme, deeds):
    done = subprocess.run(["node", str(ROOT / "report/test/observe.mjs"), str(page), str(folder), scheme, deeds], capture_output=True, text=True, timeout=280)
    if done.returncode:
        raise AssertionError(f"observe.mjs: {done.stderr}")
    return json.loads(done.stdout)


def surface(file, index):
    row = file["geometry/surfaces"][index]
    points = file["geometry/surface_points"][row["first"]:row["first"] + row["points"]]
    triangles = file["geometry/surface_triangles"][row["first_triangle"]:row["first_triangle"] + row["triangles"]]
    return points, triangles


def volume(points, triangles):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6


def pose(file, node, frame):
    """Place and rotation matrix of a node."""
    row = file["model/nodes"][node]
    q = file["frames/q"][frame]
    x = q[row["slot"]]
    return x, q[row["slot"] + 1:row["slot"] + 4].T if row["slots"] == 4 else np.eye(3)


def to_segment(points, a, b):
    s = np.clip((points - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    return np.linalg.norm(points - a - s[:, None] * (b - a), axis=1)


def to_box(points, half):
    return np.linalg.norm(np.maximum(np.abs(points) - half, 0), axis=1)


def to_cylinder(points, axis, radius, half):
    along = points @ axis
    across = np.linalg.norm(points - along[:, None] * axis, axis=1)
    return np.hypot(np.maximum(np.abs(along) - half, 0), np.maximum(across - radius, 0))


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "mix.yaml").write_text(MODEL, encoding="utf-8")
        torsor("run", "mix.yaml", "-q", "--report", cwd=cls.path)
        cls.file = h5py.File(cls.path / "mix.h5")
        cls.frames = int(cls.file["progress"][0])
        cls.shapes = {row["part"].decode(): row for row in cls.file["geometry/shapes"][:]}

    @classmethod
    def tearDownClass(cls):
        cls.file.close()
        cls.folder.cleanup()

    def drawn(self, name):
        """Surface of a shape in body axes."""
        row = self.shapes[name]
        points, triangles = surface(self.file, row["surface"])
        return np.array([row["x"], row["y"], row["z"]]) + row["scale"] * points, triangles


class Surfaces(Run):
    def test_shapes_are_listed_in_order_with_their_bodies(self):
        self.assertEqual([row["part"].decode() for row in self.file["geometry/shapes"][:]], ["rim", "keg", "skin", "other", "bar", "block", "floor"])
        owner = [self.file["model/nodes"][row["node"]]["part"].decode() for row in self.file["geometry/shapes"][:]]
        self.assertEqual(owner[:6], ["coin", "drum", "ball", "twin", "rod", "brick"])
        self.assertEqual([int(row["plane"]) for row in self.file["geometry/shapes"][:]], [0, 0, 0, 0, 0, 0, 1])

    def test_spheres_share_a_surface(self):
        self.assertEqual(self.shapes["skin"]["surface"], self.shapes["other"]["surface"])
        self.assertEqual(len(self.file["geometry/surfaces"]), 6)

    def test_points_are_at_the_radius_from_the_core(self):
        points, _ = self.drawn("skin")
        np.testing.assert_allclose(np.linalg.norm(points, axis=1), 0.1, rtol=1e-12)
        points, _ = self.drawn("other")
        np.testing.assert_allclose(np.linalg.norm(points, axis=1), 0.2, rtol=1e-12)
        turn = np.array([[math.cos(0.4), math.sin(0.4), 0], [-math.sin(0.4), math.cos(0.4), 0], [0, 0, 1]])  # to body axes
        a, b = turn @ [-0.2, 0, 0], turn @ [0.2, 0.1, 0]
        points, _ = self.drawn("bar")
        np.testing.assert_allclose(to_segment(points, a, b), 0.04, rtol=1e-12)
        points, _ = self.drawn("block")
        np.testing.assert_allclose(to_box(points, np.array([0.14, 0.09, 0.04])), 0.01, rtol=1e-11)
        points, _ = self.drawn("rim")
        np.testing.assert_allclose(to_cylinder(points, np.array([1, 2, 2]) / 3, 0.13, 0), 0.02, rtol=1e-11)
        points, _ = self.drawn("keg")
        np.testing.assert_allclose(to_cylinder(points, np.array([2, -1, 2]) / 3, 0.09, 0.14), 0.01, rtol=1e-11)

    def test_surfaces_are_closed_and_face_outwards(self):
        for name in ("skin", "bar", "block", "rim", "keg"):
            _, triangles = self.drawn(name)
            edges = {}
            for t in triangles:
                for k in range(3):
                    edge = (t[k], t[(k + 1) % 3])
                    self.assertNotIn(edge, edges, f"{name}: an edge is used twice in one sense")
                    edges[edge] = True
            self.assertTrue(all((b, a) in edges for a, b in edges), f"{name} has a hole")

    def test_volumes(self):
        r, length = 0.04, math.hypot(0.4, 0.1)
        inner, e = np.array([0.28, 0.18, 0.08]), 0.01
        torus = 0.13, 0.02  # a disc with a round rim: Steiner's formula for a flat disc
        a, c = torus
        exact = {"rim": 2 * c * math.pi * a**2 + math.pi**2 * c**2 * a + 4 / 3 * math.pi * c**3,
                 "keg": math.pi * 0.09**2 * 0.28 + 0.01 * (2 * math.pi * 0.09**2 + 2 * math.pi * 0.09 * 0.28)
                 + 0.01**2 * (math.pi * 0.28 + math.pi**2 * 0.09) + 4 / 3 * math.pi * 0.01**3,
                 "skin": 4 / 3 * math.pi * 1e-3,
                 "bar": math.pi * r**2 * length + 4 / 3 * math.pi * r**3,
                 "block": inner.prod() + 2 * e * (inner[0] * inner[1] + inner[1] * inner[2] + inner[2] * inner[0])
                 + math.pi * e**2 * inner.sum() + 4 / 3 * math.pi * e**3}
        for name, value in exact.items():
            points, triangles = self.drawn(name)
            share = volume(points, triangles) / value
            self.assertLess(share, 1, f"{name}: drawn within the shape")
            self.assertGreater(share, 0.98, name)

    def test_many_spheres_take_little_room(self):
        bodies = "\n".join(f"  b{i}: {{mass: 1, inertia: [1, 1, 1], position: [{i}, 0, 0]}}" for i in range(400))
        shapes = "\n".join(f"  s{i}: {{type: sphere, on: b{i}, radius: 0.1}}" for i in range(400))
        (self.path / "many.yaml").write_text(f"torsor: 1\nunits: SI\nbodies:\n{bodies}\nshapes:\n{shapes}\ncontacts:\n"
                                             f"  c: {{among: [{', '.join(f's{i}' for i in range(400))}], stiffness: 1e3}}\n"
                                             "analysis: {scheme: EP, step: 1 ms, end: 1 ms}\n", encoding="utf-8")
        torsor("run", "many.yaml", "-q", cwd=self.path)
        with h5py.File(self.path / "many.h5") as file:
            self.assertEqual(len(file["geometry/surfaces"]), 1)
            self.assertEqual(len(file["geometry/surface_triangles"]), 320)


VERTEX, TRIANGLE = 1, 5


class Exports(Run):
    """Shapes and pairs in the files for ParaView, at the first, a middle and the last state."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        torsor("export", "mix.h5", cwd=cls.path)
        torsor("export", "mix.h5", "--format", "xdmf", cwd=cls.path)
        cls.names = [row["name"].decode() for row in cls.file["model/parts"][:]]

    def grid(self, frame):
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(self.path / f"mix-vtu/mix_{frame:06d}.vtu"))
        reader.Update()
        out = reader.GetOutput()
        cells = out.GetCells()
        data = {out.GetCellData().GetArrayName(i): vtk_to_numpy(out.GetCellData().GetArray(i)) for i in range(out.GetCellData().GetNumberOfArrays())}
        return (vtk_to_numpy(out.GetPoints().GetData()), vtk_to_numpy(cells.GetConnectivityArray()), vtk_to_numpy(cells.GetOffsetsArray()),
                vtk_to_numpy(out.GetCellTypesArray()), data)

    def expected(self, frame):
        """Points of all shapes but the plane, by name."""
        out = {}
        for name in ("skin", "other", "bar", "block"):
            x, R = pose(self.file, self.shapes[name]["node"], frame)
            out[name] = x + self.drawn(name)[0] @ R.T
        return out

    def test_shapes_move_with_their_bodies(self):
        for frame in (0, self.frames // 2, self.frames - 1):
            points, connectivity, offsets, types, data = self.grid(frame)
            for name, wanted in self.expected(frame).items():
                mine = np.nonzero((data["part"] == self.names.index(name)) & (types == TRIANGLE))[0]
                found = np.concatenate([points[connectivity[offsets[i]:offsets[i] + 3]] for i in mine])
                np.testing.assert_allclose(found, wanted[self.drawn(name)[1].ravel()], atol=1e-12)

    def test_a_body_is_not_drawn_twice(self):
        *_, types, data = self.grid(0)
        quads = set(data["part"][types == 9])
        self.assertEqual(quads, {self.names.index("brick")}, "which has a look of its own")

    def pairs(self, frame):
        return touching(self.file, frame)

    def test_pairs(self):
        most = max(len(self.pairs(k)) for k in range(self.frames))
        for frame in (0, self.frames // 2, self.frames - 1):
            points, connectivity, offsets, _, data = self.grid(frame)
            mine = np.nonzero(~np.isnan(data["contact_state"]))[0]
            self.assertEqual(len(mine), most)
            pairs = self.pairs(frame)
            place = points[connectivity[offsets[mine]]]
            np.testing.assert_array_equal(place[:len(pairs)], pairs[:, 18:21])
            force = pairs[:, 11:12] * pairs[:, 12:15] + pairs[:, 15:18]
            np.testing.assert_allclose(data["contact_force"][mine][:len(pairs)], force, atol=1e-12)
            np.testing.assert_array_equal(data["contact_friction"][mine][:len(pairs)], pairs[:, 15:18])
            rubbed = np.linalg.norm(pairs[:, 15:18], axis=1) > 0
            np.testing.assert_array_equal(data["contact_state"][mine][:len(pairs)], np.where(~rubbed, 1, np.where(pairs[:, 7] != 0, 2, 3)))
            self.assertFalse(data["contact_force"][mine][len(pairs):].any())
            self.assertFalse(data["contact_state"][mine][len(pairs):].any())
        self.assertGreater(most, 4)

    def item(self, node):
        """The numbers that a DataItem of the XDMF file refers to."""
        name, _, rest = node.text.partition(":")
        path, _, slab = rest.partition("|")
        with h5py.File(self.path / name) as file:
            if not slab:
                return file[path][:]
            start, _, count, _ = ([int(v) for v in part.split()] for part in slab.split(":"))
            return file[path][tuple(slice(a, a + n) for a, n in zip(start, count))][0]

    def test_xdmf_has_the_same(self):
        root = ET.parse(self.path / "mix.xdmf").getroot()
        states = root.findall("./Domain/Grid/Grid")
        self.assertEqual(len(states), self.frames)
        for frame in (0, self.frames - 1):
            points, connectivity, offsets, types, data = self.grid(frame)
            blocks = {grid.get("Name"): grid for grid in states[frame].findall("Grid")}
            self.assertEqual(set(blocks), {"bodies", "shapes", "contacts"})
            mine = np.nonzero(~np.isnan(data["contact_state"]))[0]
            place = self.item(blocks["contacts"].find("./Geometry/DataItem"))
            np.testing.assert_array_equal(place, points[connectivity[offsets[mine]]])
            force = self.item(blocks["contacts"].find("./Attribute[@Name='contact_force']/DataItem"))
            np.testing.assert_allclose(force, data["contact_force"][mine], rtol=1e-6, atol=1e-6)
            shapes = self.item(blocks["shapes"].find("./Geometry/DataItem"))
            mine = connectivity[offsets[np.nonzero(types == TRIANGLE)[0][0]]:]
            np.testing.assert_array_equal(shapes, points[mine.min():mine.min() + len(shapes)])


@unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
class Page(Run):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.seen = observe(cls.path / "mix.html", cls.path, "light", "look,contacts")

    def test_no_errors_and_no_overflow(self):
        self.assertEqual(self.seen["errors"], [])
        self.assertFalse(self.seen["overflow"])
        self.assertEqual(self.seen["narrow"], {"1400": False, "390": False})
        self.assertGreater(self.seen["contrast"]["least"], 4.4, self.seen["contrast"])

    def test_shapes_are_where_their_bodies_are(self):
        names = [row["name"].decode() for row in self.file["model/parts"][:]]
        size = np.abs(self.file["frames/q"][:]).max()
        self.assertEqual(len(self.seen["shapes"]), 7)
        for shown in self.seen["shapes"]:
            name = names[int(shown["part"])]
            row = self.shapes[name]
            if name == "floor":
                continue
            x, R = pose(self.file, row["node"], self.frames - 1)
            M = np.array(shown["matrix"]).reshape(4, 4).T
            np.testing.assert_allclose(M[:3, :3], row["scale"] * R, atol=2e-4)
            np.testing.assert_allclose(M[:3, 3], x + R @ [row["x"], row["y"], row["z"]], atol=2e-4 * size)
            self.assertLess(shown["vertices"], 0.8 * shown["corners"], "corners are shared")
            self.assertEqual(shown["corners"], 3 * self.file["geometry/surfaces"][row["surface"]]["triangles"], name)

    def test_the_floor_is_in_its_plane(self):
        floor = next(s for s in self.seen["shapes"] if s["plane"])
        M = np.array(floor["matrix"]).reshape(4, 4).T
        self.assertAlmostEqual(M[2, 3], 0, delta=1e-6)
        self.assertGreater(M[0, 0], 0.5, "wide enough to be seen under all bodies")

    def test_arrows_are_the_forces_on_bodies(self):
        pairs = touching(self.file, self.frames - 1)
        self.assertGreater(len(pairs), 3)
        force = {tuple(np.round(row[18:21], 5)): row[11] * row[12:15] + row[15:18] for row in pairs}
        every = self.file["contact_pairs"][:]
        most = np.linalg.norm(every[:, 11:12] * every[:, 12:15] + every[:, 15:18], axis=1).max()
        lengths = []
        for arrow in self.seen["arrows"]:
            M = np.array(arrow["shaft"]).reshape(4, 4).T
            at = min(force, key=lambda p: np.linalg.norm(np.array(p) - M[:3, 3]))
            np.testing.assert_allclose(M[:3, 3], at, atol=1e-5)
            way = M[:3, 1] / np.linalg.norm(M[:3, 1])
            np.testing.assert_allclose(way, force[at] / np.linalg.norm(force[at]), atol=1e-4)
            lengths.append((np.linalg.norm(force[at]) / most) ** (1 / 3))
        self.assertGreater(len(lengths), 3)
        self.assertEqual(len(lengths), sum(np.linalg.norm(f) > 1e-4 * most for f in force.values()))

    def test_colours_say_what_sticks(self):
        rows = self.file["contact_pairs"][:]
        rubbed = np.linalg.norm(rows[:, 15:18], axis=1) > 0
        states = set(np.where(~rubbed, "no friction", np.where(rows[:, 7] != 0, "sticks", "slips")))
        self.assertEqual(set(self.seen["keys"]), states | {"gravity"})
        self.assertEqual(states, {"no friction", "sticks", "slips"})

    def test_the_box_hides_arrows(self):
        hidden, shown, hidden_again, shown_again = self.seen["arrow_pictures"]
        self.assertNotEqual(hidden, shown)
        self.assertEqual((hidden, shown), (hidden_again, shown_again))

    def test_lost_by(self):
        shown = {row[0]: row for row in self.seen["contacts_table"]}
        names = [row["part"].decode() for row in self.file["model/contacts"][:]]
        loss = self.file["frames/contact_loss"][self.frames - 1]
        peaks = self.file["frames/contact_peak"][:self.frames].reshape(self.frames, -1)
        for k, name in enumerate(names):
            for column in range(2):
                value = loss[k, column]
                self.assertAlmostEqual(float(shown[name][1 + column]), value, delta=6e-4 * abs(value) + 1e-300, msg=name)
            self.assertEqual(shown[name][3] == "–", peaks[:, k].max() == 0)
            if peaks[:, k].max() > 0:
                number, unit = shown[name][3].split()
                self.assertAlmostEqual(float(number)*{"N": 1, "kN": 1e3, "mN": 1e-3}[unit]/peaks[:, k].max(), 1, delta=1e-2, msg=name)
                self.assertAlmostEqual(float(shown[name][4]), self.file["frames/t"][peaks[:, k].argmax()], delta=1e-3, msg=name)
        self.assertAlmostEqual(float(shown["all"][1]), loss[:, 0].sum(), delta=6e-4 * loss[:, 0].sum())
        self.assertAlmostEqual(float(shown["all"][2]), loss[:, 1].sum(), delta=6e-4 * loss[:, 1].sum())

    def test_forces_are_plotted_and_a_click_goes_there(self):
        force = self.file["frames/contact_force"][:self.frames, :, 0]
        names = [row["part"].decode() for row in self.file["model/contacts"][:]]
        pressing = {name for k, name in enumerate(names) if force[:, k].max() > 0}
        self.assertEqual(set(self.seen["contacts_plot"]), pressing)
        self.assertAlmostEqual(self.seen["contacts_clicked"]["t"], 0.25, delta=0.02)

    def test_a_body_with_shapes_has_no_box_of_inertia(self):
        self.assertEqual(sum(self.seen["drawn_bodies"]), 1, "only the brick, which has a look of its own")

    def test_dark(self):
        seen = observe(self.path / "mix.html", self.path, "dark", "look,contacts")
        self.assertEqual(seen["errors"], [])
        self.assertGreater(seen["contrast"]["least"], 4.4, seen["contrast"])


if __name__ == "__main__":
    unittest.main()
