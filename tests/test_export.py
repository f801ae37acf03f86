#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`torsor export`: the files for ParaView, read by VTK, agree with the results file; so do the numbers that an XDMF
file refers to (Debian's VTK cannot read XDMF, so the references are resolved here with h5py).

Read with Debian's VTK 9 (python3-vtk9) and with h5py; displacements, rotations and internal forces are computed here from the
definitions in docs/results-file.md."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ET

import h5py
import numpy as np
from scipy.spatial.transform import Rotation
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

from crafted_results import older

TORSOR = os.environ["TORSOR"]
ROOT = pathlib.Path(os.environ["TORSOR_SOURCE_DIR"])
VERTEX, LINE, POLY_LINE, QUAD = 1, 3, 4, 9

MODEL = """
torsor: 1
title: Arm with a drum
units: SI
gravity: [0, 0, -9.81]
sections: {soft: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 20, EI2: 20, EI3: 20, mass: 0.5}}
beams:
  arm: {from: [0, 0, 0], to: [1, 0, 0], section: soft, elements: 4, order: 1}
  whip: {from: [1, 0, 0], to: [1, 0.8, 0], section: soft, elements: 3, order: 2}
bodies:
  drum: {mass: 0.5, inertia: [2e-3, 2e-3, 3e-3], position: [1, 0.8, 0], shape: cylinder, size: [0.2, 0.3], shape_axis: y, shape_at: [0, 0.05, 0]}
  crate: {mass: 2, inertia: [0.02, 0.03, 0.04], centre: [0.1, 0, 0], position: [2, 0, 0], angular_velocity: [1, 2, 3]}
joints:
  hinge: {type: revolute, bodies: [ground, arm.start], at: [0, 0, 0], axis: y}
  knee: {type: rigid, bodies: [arm.end, whip.start], at: [1, 0, 0]}
  tip: {type: spherical, bodies: [whip.end, drum], at: [1, 0.8, 0]}
analysis: {scheme: ED, step: 5 ms, end: 0.5 s}
outputs: {every: 1}
"""


def torsor(*words, code=0, cwd=None):
    done = subprocess.run([TORSOR, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=100)
    if done.returncode != code:
        raise AssertionError(f"torsor {words}: code {done.returncode}, expected {code}\n{done.stdout}{done.stderr}")
    return done


def read(path):
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def data(holder, name):
    array = holder.GetArray(name)
    assert array is not None, f"no array {name}"
    return vtk_to_numpy(array)


def make_cells(path):
    """A file as shells and solids will write it: a hexahedron, a tetrahedron and a quad between the nodes of thirteen free bodies that
    fly apart."""
    at = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1), (0.5, 0.5, 2), (2, 0, 0), (3, 0, 0), (3, 1, 0), (2, 1, 0.3)]
    bodies = "\n".join(f"  n{i}: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [{x}, {y}, {z}], velocity: [{x}, {y}, {z}]}}" for i, (x, y, z) in enumerate(at))
    (path / "cells.yaml").write_text(f"torsor: 1\nunits: SI\nbodies:\n{bodies}\nanalysis: {{scheme: EP, step: 10 ms, end: 0.5 s}}\n", encoding="utf-8")
    torsor("run", "cells.yaml", "-q", cwd=path)
    rows = [("hexahedron", range(1, 9)), ("tetra", (5, 6, 7, 9)), ("quad", (10, 11, 12, 13))]
    with h5py.File(path / "cells.h5", "r+") as file:
        older(file)  # without checksums, which this changes
        old = file["geometry/cells"].dtype
        dtype = np.dtype([(name, h5py.string_dtype("utf-8", 12) if name in ("part", "type") else old[name]) for name in old.names])
        table = np.zeros(len(rows), dtype)
        table["outline"] = table["outline_end"] = -1
        table["part"] = b"n0"
        table["type"] = [kind for kind, _ in rows]
        table["points"] = [len(nodes) for _, nodes in rows]
        table["first"] = np.cumsum([0, *table["points"][:-1]])
        for name in ("cells", "bodies", "connectivity"):
            empty = file["geometry/bodies"][:0]
            del file["geometry/" + name]
            file["geometry/" + name] = {"cells": table, "bodies": empty, "connectivity": np.concatenate([list(n) for _, n in rows])}[name]
    return [list(nodes) for _, nodes in rows]


class OtherCells(unittest.TestCase):
    def test_shells_and_solids(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            wanted = make_cells(path)
            torsor("export", "cells.h5", "--every", "50", "-q", cwd=path)
            grid = read(path / "cells-vtu/cells_000050.vtu")
            self.assertEqual([grid.GetCellType(i) for i in range(grid.GetNumberOfCells())], [12, 10, QUAD])
            for i, nodes in enumerate(wanted):
                ids = grid.GetCell(i).GetPointIds()
                self.assertEqual([ids.GetId(k) for k in range(ids.GetNumberOfIds())], nodes)
            moved = data(grid.GetPointData(), "displacement")[7]
            np.testing.assert_allclose(moved, [0.5, 0.5, 0.5], atol=1e-12)  # (1, 1, 1) at 1 m/s along each, 0.5 s


MESHED = """torsor: 1
units: SI
materials: {m: {E: 1e4, nu: 0.3, density: 1}}
shell_sections: {s: {type: shell, material: m, thickness: 0.05}}
meshes:
  a: {type: box, from: [0, 0, 10], to: [1, 1, 11], divisions: [1, 6, 6]}
  b: {type: box, from: [2, 0, 10], to: [3, 1, 11], divisions: [1, 1, 1], order: 2, serendipity: true}
  c: {type: box, from: [4, 0, 10], to: [5, 1, 11], divisions: [1, 1, 1], order: 2}
  d: {type: box, from: [6, 0, 10], to: [7, 1, 11], divisions: [1, 1, 1], order: 2, cells: tet}
  e: {type: plate, size: [1, 1], divisions: [2, 1], order: 2, position: [8, 0, 10]}
solids:
  A: {mesh: a, material: m, angular_velocity: [0, 0, 20], centre: [0.5, 0.5, 10.5]}
  B: {mesh: b, material: m}
  C: {mesh: c, material: m, angular_velocity: [0, 0, 20], centre: [4.5, 0.5, 10.5]}
  D: {mesh: d, material: m}
shells: {E: {mesh: e, section: s, angular_velocity: [0, 0, 30]}}
cables: {F: {from: [10, 0, 10], to: [11, 0, 10], EA: 100, mass: 1, tension: 10, elements: 2, order: 2}}
couplings: {hand: {type: weighted, nodes: A.x+}}
joints: {left: {type: spherical, bodies: [ground, F.start], at: [10, 0, 10]}}
analysis: {scheme: EP, step: 10 ms, end: 0.05 s}
"""


class Meshed(unittest.TestCase):
    """Cells of every kind, with the unknowns and sums of the model left out."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name)
        (path / "all.yaml").write_text(MESHED, encoding="utf-8")
        torsor("run", "all.yaml", "-q", cwd=path)
        torsor("export", "all.h5", "--every", "5", "-q", cwd=path)
        cls.first, cls.last = (read(path / f"all-vtu/all_00000{k}.vtu") for k in (0, 5))
        cls.file = h5py.File(path / "all.h5")
        cls.types = np.array([cls.first.GetCellType(i) for i in range(cls.first.GetNumberOfCells())])

    @classmethod
    def tearDownClass(cls):
        cls.file.close()
        cls.folder.cleanup()

    def test_types(self):
        count = {int(k): int((self.types == k).sum()) for k in set(self.types)}
        tets = len([None for row in self.file["geometry/cells"][()] if row["part"] == b"D"])
        self.assertEqual(count, {12: 36, 25: 1, 29: 1, 24: tets, 28: 2, 4: 2, 1: 1})

    def test_points_are_places(self):
        nodes = [2*7*7, 20, 27, 27, 15, 5, 1, 1, 1]  # the coupling's frame, the ground, the joint
        self.assertEqual(self.first.GetNumberOfPoints(), sum(nodes))
        low, high = np.array(self.first.GetBounds()).reshape(3, 2).T
        points = np.array([self.first.GetPoint(i) for i in range(1, self.first.GetNumberOfPoints())])  # but the ground
        np.testing.assert_allclose(points.min(axis=0), [0, 0, 10], atol=1e-12)
        np.testing.assert_allclose(points.max(axis=0), [11, 1, 11], atol=1e-12)
        self.assertTrue(np.all(high <= [11 + 1e-9, 1 + 1e-9, 11 + 1e-9]))

    def middles(self, part):
        """The last point of an edge of three lies between the others; of a face of nine, too."""
        points = [np.array(part.GetPoints().GetPoint(k)) for k in range(part.GetNumberOfPoints())]
        corners = {3: 2, 6: 3, 8: 4, 9: 4}[len(points)]
        np.testing.assert_allclose(points[2] if corners == 2 else points[corners], np.mean(points[:2], axis=0), atol=1e-12)
        if len(points) == 9:
            np.testing.assert_allclose(points[8], np.mean(points[:4], axis=0), atol=1e-12)

    def test_order_of_nodes(self):
        for i, kind in enumerate(self.types):
            if kind in (24, 25, 28, 29):
                cell = self.first.GetCell(i)
                for k in range(cell.GetNumberOfEdges()):
                    self.middles(cell.GetEdge(k))
                for k in range(cell.GetNumberOfFaces()):
                    self.middles(cell.GetFace(k))

    def test_values(self):
        cells, frame = self.last.GetCellData(), 5
        stress = self.file["frames/solid_stress"][frame]
        table = self.file["model/solid_points"][()]
        part, element = table["part"], table["element"]
        deviator = stress.copy()
        deviator[:, :3] -= stress[:, :3].mean(axis=1)[:, None]
        mises = np.sqrt(1.5*((deviator[:, :3]**2).sum(axis=1) + 2*(deviator[:, 3:]**2).sum(axis=1)))
        found = data(cells, "von_mises_stress")
        for kind, name in ((12, b"A"), (29, b"C")):
            mine = np.flatnonzero(self.types == kind)
            for number, cell in enumerate(mine, 1):
                at = (part == name) & (element == number)
                self.assertAlmostEqual(found[cell]/mises[at].mean(), 1, 12)
                np.testing.assert_allclose(data(cells, "normal_stress")[cell], stress[at, :3].mean(axis=0), rtol=1e-12, atol=1e-9)
        self.assertTrue(np.all(np.isnan(found[self.types == 28])) and np.all(found[self.types == 12] > 0))
        shell = self.file["frames/shell_force"][frame].reshape(2, -1, 8)
        np.testing.assert_allclose(data(cells, "shell_force")[self.types == 28], shell.mean(axis=1)[:, :3], rtol=1e-12)
        self.assertTrue(np.all(data(cells, "strain_energy_per_area")[self.types == 28] > 0))
        pull = data(self.first.GetCellData(), "internal_force")[self.types == 4]
        np.testing.assert_allclose(pull, [[10, 0, 0], [10, 0, 0]], atol=1e-9)


XDMF_CELLS = {1: None, 2: None, 4: 3, 5: 4, 6: 4, 8: 6, 9: 8, 35: 9, 38: 10, 48: 20, 50: 27}  # None: the number of points follows


class Xdmf:
    """An XDMF file resolved with h5py as XDMF 3's library does it: FILE:PATH, or FILE:PATH|start:stride:count:shape."""

    def __init__(self, path):
        self.path, self.files, self.used = path, {}, set()
        self.states = ET.parse(path).getroot().findall("Domain/Grid/Grid")

    def close(self):
        for file in self.files.values():
            file.close()

    def item(self, holder):
        item, = holder.findall("DataItem")
        assert item.get("Format") == "HDF"
        place, _, slab = item.text.partition("|")
        name, _, path = place.partition(":")
        self.used.add(name)
        if name not in self.files:
            self.files[name] = h5py.File(self.path.parent / name)
        data = self.files[name][path]
        assert {"Float": "f", "Int": "i"}[item.get("NumberType")] == data.dtype.kind and int(item.get("Precision")) == data.dtype.itemsize
        if slab:
            start, stride, count, shape = ([int(word) for word in part.split()] for part in slab.split(":"))
            assert tuple(shape) == data.shape, f"{shape} is said, {data.shape} is there"
            assert all(a + (n - 1)*d < size for a, d, n, size in zip(start, stride, count, shape))
            data = data[tuple(slice(a, a + (n - 1)*d + 1, d) for a, d, n in zip(start, stride, count))]
        return np.array(data).reshape([int(word) for word in item.get("Dimensions").split()])

    def cells(self, grid):
        topology, = grid.findall("Topology")
        words, found = list(self.item(topology)), []
        while words:
            kind = words.pop(0)
            count = XDMF_CELLS[kind] or words.pop(0)
            found.append((int(kind), [int(words.pop(0)) for _ in range(count)]))
        assert len(found) == int(topology.get("NumberOfElements"))
        return found

    def attributes(self, grid, centre):
        return {a.get("Name"): self.item(a) for a in grid.findall("Attribute") if a.get("Center") == centre}


VTK_OF_XDMF = {1: 1, 2: 4, 4: 5, 5: 9, 6: 10, 8: 13, 9: 12, 35: 28, 38: 24, 48: 25, 50: 29}


class XdmfBeside(unittest.TestCase):
    """The same model as VTU files and as XDMF: the same cells, at the same places, with the same fields."""

    def compare(self, folder, name, every, blocks, referred):
        torsor("export", f"{name}.h5", "--every", every, "-q", cwd=folder)
        said = torsor("export", "--format", "xdmf", f"{name}.h5", "--every", every, cwd=folder).stdout
        self.assertIn(f"open {name}.xdmf in ParaView", said)
        entries = ET.parse(folder / f"{name}-vtu/{name}.pvd").getroot().findall(".//DataSet")
        xdmf = Xdmf(folder / f"{name}.xdmf")
        self.assertEqual([s.find("Time").get("Value") for s in xdmf.states], [e.get("timestep") for e in entries])
        for state, entry in zip(xdmf.states, entries):
            grids = state.findall("Grid")
            self.assertEqual([g.get("Name") for g in grids], blocks)
            self.same(xdmf, grids, read(folder / f"{name}-vtu" / entry.get("file")))
            for grid in grids:
                place = grid.find("Geometry/DataItem").text
                self.assertEqual(place.startswith(f"{name}.h5:/frames/q|"), grid.get("Name") in referred, place)
        self.assertEqual(xdmf.used, {f"{name}.h5", f"{name}-xdmf.h5"} if referred else {f"{name}-xdmf.h5"})
        xdmf.close()

    def same(self, xdmf, grids, vtu):
        cell = 0
        points = vtk_to_numpy(vtu.GetPoints().GetData())
        names = {grids[0].get("Name")}
        for grid in grids:
            place = xdmf.item(grid.find("Geometry"))
            at_points, in_cells = xdmf.attributes(grid, "Node"), xdmf.attributes(grid, "Cell")
            self.assertEqual(set(at_points), {"displacement", "rotation", "velocity", "angular_velocity"})
            names = names & set(in_cells) if len(names) > 1 else set(in_cells)
            self.assertEqual(names, set(in_cells), "all blocks have the same arrays")
            for k, (kind, nodes) in enumerate(xdmf.cells(grid)):
                ids = vtu.GetCell(cell).GetPointIds()
                there = [ids.GetId(i) for i in range(ids.GetNumberOfIds())]
                self.assertIn(vtu.GetCellType(cell), (VTK_OF_XDMF[kind], LINE if kind == 2 else VTK_OF_XDMF[kind]))
                np.testing.assert_array_equal(place[nodes], points[there])
                for name, values in at_points.items():
                    np.testing.assert_allclose(values[nodes], data(vtu.GetPointData(), name)[there], rtol=2e-7, atol=1e-30)
                for name, values in in_cells.items():
                    np.testing.assert_allclose(values[k], data(vtu.GetCellData(), name)[cell], rtol=2e-7, atol=1e-30)
                cell += 1
        self.assertEqual(cell, vtu.GetNumberOfCells())

    def test_beams_and_bodies(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "arm.yaml").write_text(MODEL, encoding="utf-8")
            torsor("run", "arm.yaml", "-q", cwd=path)
            self.compare(path, "arm", 30, ["arm", "whip", "bodies", "joints"], ["arm", "whip"])
            self.places(path)

    def places(self, path):
        """From another folder; with names that XDMF cannot say; never over the results."""
        (path / "far/off").mkdir(parents=True)
        torsor("export", "--format", "xdmf", "arm.h5", "-o", "far/off/a&b.xdmf", "-q", cwd=path)
        xdmf = Xdmf(path / "far/off/a&b.xdmf")
        self.assertEqual(len(xdmf.states), 101)
        xdmf.item(xdmf.states[-1].find("Grid/Geometry"))
        self.assertEqual(xdmf.used, {"../../arm.h5"})
        xdmf.close()
        before = (path / "arm.h5").read_bytes()
        shutil.copy(path / "arm.h5", path / "b:c.h5")
        self.assertIn("without ':'", torsor("export", "--format", "xdmf", "b:c.h5", "-o", "b.xdmf", code=2, cwd=path).stderr)
        self.assertIn("results file itself", torsor("export", "--format", "xdmf", "arm.h5", "-o", "arm.h5", code=2, cwd=path).stderr)
        shutil.copy(path / "arm.h5", path / "d-xdmf.h5")
        self.assertIn("results file itself", torsor("export", "--format", "xdmf", "d-xdmf.h5", "-o", "d.xdmf", code=2, cwd=path).stderr)
        self.assertIn("cannot", torsor("export", "--format", "xdmf", "arm.h5", "-o", "no/where.xdmf", code=3, cwd=path).stderr)
        with h5py.File(shutil.copy(path / "arm.h5", path / "old.h5"), "r+") as file:
            older(file)
            del file["geometry"]
        self.assertIn("nothing to draw", torsor("export", "--format", "xdmf", "old.h5", code=3, cwd=path).stderr)
        self.assertIn("expected vtu or xdmf", torsor("export", "--format", "vtk", "arm.h5", code=1, cwd=path).stderr)
        self.assertEqual((path / "arm.h5").read_bytes(), before)
        self.assertFalse((path / "b.xdmf").exists() or (path / "b-xdmf.h5").exists() or list(path.glob("*.tmp*")))

    def test_every_kind_of_cell(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "all.yaml").write_text(MESHED, encoding="utf-8")
            torsor("run", "all.yaml", "-q", cwd=path)
            parts = ["F", "E", "A", "B", "C", "D"]  # unknowns of elements stand between the nodes of A
            self.compare(path, "all", 2, [*parts, "joints"], [*"FEBCD"])

    def test_directors_turn(self):
        """A shell that turns by 0.05 s x 30 rad/s about its normal does not turn its directors; one that tips over does."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            text = MESHED.replace("angular_velocity: [0, 0, 30]", "angular_velocity: [3, 0, 0], centre: [8.5, 0.5, 10]")
            (path / "tip.yaml").write_text(text, encoding="utf-8")
            torsor("run", "tip.yaml", "-q", cwd=path)
            torsor("export", "--format", "xdmf", "tip.h5", "-q", cwd=path)
            xdmf = Xdmf(path / "tip.xdmf")
            skin, = [g for g in xdmf.states[-1].findall("Grid") if g.get("Name") == "E"]
            np.testing.assert_allclose(xdmf.attributes(skin, "Node")["rotation"], [[0.15, 0, 0]]*15, atol=2e-3)
            xdmf.close()


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "arm.yaml").write_text(MODEL, encoding="utf-8")
        torsor("run", "arm.yaml", "-q", cwd=cls.path)
        torsor("export", "arm.h5", "--every", "30", "-q", cwd=cls.path)
        cls.file = h5py.File(cls.path / "arm.h5")
        cls.entries = ET.parse(cls.path / "arm-vtu/arm.pvd").getroot().findall(".//DataSet")
        cls.frames = [0, 30, 60, 90, 100]
        cls.grids = [read(cls.path / "arm-vtu" / e.get("file")) for e in cls.entries]
        cls.nodes = cls.file["model/nodes"][()]
        cls.parts = [name.decode() for name in cls.file["model/parts"]["name"]]

    @classmethod
    def tearDownClass(cls):
        cls.file.close()
        cls.folder.cleanup()

    def rotation(self, frame, node):
        s = self.nodes["slot"][node]
        return self.file["frames/q"][frame][s + 1:s + 4].T

    def test_times_and_files(self):
        t = self.file["frames/t"][()]
        self.assertEqual([float(e.get("timestep")) for e in self.entries], [t[f] for f in self.frames])
        for grid, frame in zip(self.grids, self.frames):
            self.assertEqual(data(grid.GetFieldData(), "TimeValue")[0], t[frame])
        self.assertEqual(len(list((self.path / "arm-vtu").iterdir())), len(self.frames) + 1)
        for entry in self.entries:  # XML throughout, no AppendedData: see export.c
            self.assertIsNone(ET.parse(self.path / "arm-vtu" / entry.get("file")).find("AppendedData"))

    def test_points_are_the_nodes(self):
        for grid, frame in zip(self.grids, self.frames):
            points = vtk_to_numpy(grid.GetPoints().GetData())[:len(self.nodes)]
            np.testing.assert_array_equal(points, self.file["frames/q"][frame][self.nodes["slot"]])

    def test_displacement_and_velocity(self):
        first = vtk_to_numpy(self.grids[0].GetPoints().GetData())
        for grid, frame in zip(self.grids, self.frames):
            points = vtk_to_numpy(grid.GetPoints().GetData())
            np.testing.assert_allclose(data(grid.GetPointData(), "displacement"), points - first, atol=1e-15)
            velocity = data(grid.GetPointData(), "velocity")[:len(self.nodes)]
            np.testing.assert_array_equal(velocity, self.file["frames/v"][frame][self.nodes["slot"]])
            omega = data(grid.GetPointData(), "angular_velocity")[:len(self.nodes)]
            np.testing.assert_array_equal(omega, self.file["frames/omega"][frame])

    def test_rotation_vectors(self):
        for grid, frame in zip(self.grids, self.frames):
            shown = data(grid.GetPointData(), "rotation")
            for n in range(len(self.nodes)):
                turn = self.rotation(frame, n) @ self.rotation(0, n).T
                np.testing.assert_allclose(Rotation.from_rotvec(shown[n]).as_matrix(), turn, atol=1e-9)

    def test_cells_are_those_of_the_beams(self):
        grid = self.grids[0]
        types = [grid.GetCellType(i) for i in range(7)]
        self.assertEqual(types, [LINE] * 4 + [POLY_LINE] * 3)
        for i in range(7):
            part = self.parts[int(data(grid.GetCellData(), "part")[i])]
            self.assertEqual(part, "arm" if i < 4 else "whip")
            ids = grid.GetCell(i).GetPointIds()
            owners = {self.nodes["part"][ids.GetId(k)].decode() for k in range(ids.GetNumberOfIds())}
            self.assertEqual(owners, {part})
            self.assertEqual(ids.GetNumberOfIds(), 2 if i < 4 else 3)

    def test_internal_forces(self):
        stations = self.file["model/stations"][()]
        for grid, frame in zip(self.grids, self.frames):
            force, moment = data(grid.GetCellData(), "internal_force"), data(grid.GetCellData(), "internal_moment")
            energy = data(grid.GetCellData(), "strain_energy_per_length")
            for i in range(7):
                part, element = (b"arm", i + 1) if i < 4 else (b"whip", i - 3)
                here = (stations["part"] == part) & (stations["element"] == element)
                wanted = self.file["frames/section_force"][frame][here]
                strain = self.file["frames/section_strain"][frame][here]
                np.testing.assert_allclose(np.concatenate([force[i], moment[i]]), wanted.mean(axis=0), atol=1e-12)
                self.assertAlmostEqual(energy[i], (0.5 * wanted * strain).sum(axis=1).mean(), delta=1e-12)
            self.assertTrue(np.isnan(force[7:]).all(), "bodies and joints have no internal force")

    def test_joints(self):
        parts = self.file["model/parts"][()]
        for grid, frame in zip(self.grids, self.frames):
            types = np.array([grid.GetCellType(i) for i in range(grid.GetNumberOfCells())])
            vertices = np.flatnonzero(types == VERTEX)
            self.assertEqual([self.parts[p] for p in data(grid.GetCellData(), "part")[vertices]], ["hinge", "knee", "tip"])
            for cell in vertices:
                reaction = parts["reaction"][int(data(grid.GetCellData(), "part")[cell])]
                for name in ("force", "moment"):
                    np.testing.assert_array_equal(data(grid.GetCellData(), "joint_" + name)[cell], self.file["frames/" + name][frame][reaction])
            points = vtk_to_numpy(grid.GetPoints().GetData())
            at = points[grid.GetCell(int(vertices[2])).GetPointIds().GetId(0)]
            drum = list(self.nodes["part"]).index(b"drum")
            np.testing.assert_allclose(at, self.file["frames/q"][frame][self.nodes["slot"][drum]], atol=1e-9)

    def test_shapes_of_bodies_move_with_them(self):
        # a cylinder of diameter 0.2 and length 0.3 along y about [0, 0.05, 0]; a box of the crate's inertia about [0.1, 0, 0]
        edges = np.sqrt(6 * np.array([0.03 + 0.04 - 0.02, 0.04 + 0.02 - 0.03, 0.02 + 0.03 - 0.04]) / 2)
        for grid, frame in zip(self.grids, self.frames):
            owner = data(grid.GetCellData(), "part")
            points = vtk_to_numpy(grid.GetPoints().GetData())
            for name, least, largest in (("drum", [-0.1, -0.1, -0.1], [0.1, 0.2, 0.1]), ("crate", [0.1, 0, 0] - edges / 2, [0.1, 0, 0] + edges / 2)):
                cells = np.flatnonzero(owner == self.parts.index(name))
                ids = {grid.GetCell(int(c)).GetPointIds().GetId(k) for c in cells for k in range(4)}
                node = list(self.nodes["part"]).index(name.encode())
                local = (points[sorted(ids)] - points[node]) @ self.rotation(frame, node)
                np.testing.assert_allclose(local.min(axis=0), least, atol=1e-6)
                np.testing.assert_allclose(local.max(axis=0), largest, atol=1e-6)
                self.assertTrue(all(grid.GetCellType(int(c)) == QUAD for c in cells))

    def test_refusals(self):
        self.assertIn("cannot read", torsor("export", "none.h5", code=3, cwd=self.path).stderr)
        self.assertIn("run it first", torsor("export", "arm.yaml", code=3, cwd=self.path).stderr)
        (self.path / "notes.h5").write_text("buy milk", encoding="utf-8")
        self.assertIn("not HDF5", torsor("export", "notes.h5", code=3, cwd=self.path).stderr)
        torsor("export", "arm.h5", "--every", "0", code=1, cwd=self.path)
        (self.path / "taken").write_text("x", encoding="utf-8")
        self.assertIn("cannot make the folder taken", torsor("export", "arm.h5", "-o", "taken", code=3, cwd=self.path).stderr)

    def test_damaged_file(self):
        shutil.copy(self.path / "arm.h5", self.path / "bad.h5")
        with h5py.File(self.path / "bad.h5", "r+") as file:
            older(file)
            file["geometry/connectivity"][3] = 12345
        self.assertIn("out of range", torsor("export", "bad.h5", code=3, cwd=self.path).stderr)
        self.assertFalse((self.path / "bad-vtu").exists())


SECTIONS = """
torsor: 1
units: SI
materials: {steel: {E: 210 GPa, nu: 0.3, density: 7850 kg/m^3}}
sections:
  bar: {type: circle, material: steel, diameter: 40 mm}
  pipe: {type: tube, material: steel, outer_diameter: 60 mm, thickness: 5 mm}
  plate: {type: rectangle, material: steel, width: 50 mm, height: 10 mm, angle: 90 deg, centroid: [0.1, 0.2]}
  hollow: {type: box, material: steel, width: 40 mm, height: 60 mm, flange_thickness: 3 mm, web_thickness: 2 mm}
  profile: {type: i_beam, material: steel, width: 50 mm, height: 100 mm, flange_thickness: 6 mm, web_thickness: 4 mm}
  numbers: {EA: 1e6, GA2: 1e5, GA3: 1e5, GJ: 10, EI2: 100, EI3: 400, mass: 1}
beams:
  b1: {from: [0, 0, 0], to: [1, 0, 0], section: bar, section_end: pipe, elements: 2, order: 1}
joints: {clamp: {type: rigid, bodies: [ground, b1.start], at: [0, 0, 0]}}
analysis: {scheme: EP, step: 1 ms, end: 1 ms}
"""


def polygon(corners):
    """Area, centroid and extent of a polygon (shoelace formula)."""
    x, y = corners.T
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    area = cross.sum() / 2
    centroid = np.array([((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()]) / (6 * area)
    return area, centroid, np.ptp(corners, axis=0)


class Geometry(unittest.TestCase):
    """Outlines of sections: areas, places and sizes from the definitions of the shapes."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "s.yaml").write_text(SECTIONS, encoding="utf-8")
            torsor("run", "s.yaml", "-q", cwd=path)
            with h5py.File(path / "s.h5") as file:
                corners = file["geometry/corners"][()]
                cls.cells = file["geometry/cells"][()]
                cls.names = [row["section"].decode() for row in file["geometry/outlines"][()]]
                cls.loops = {}
                for row in file["geometry/outlines"][()]:
                    a, b = row["first"], row["first"] + row["outer"]
                    cls.loops[row["section"].decode()] = corners[a:b], corners[b:b + row["inner"]]

    def check(self, name, area, extent, centre=(0, 0), tolerance=1e-12):
        outer, inner = self.loops[name]
        found, centroid, size = polygon(outer)
        hole = polygon(inner)[0] if len(inner) else 0
        self.assertGreater(found, 0, "counter-clockwise")
        self.assertAlmostEqual((found - hole) / area, 1, delta=tolerance)
        np.testing.assert_allclose(centroid, centre, atol=1e-12)
        np.testing.assert_allclose(size, extent, rtol=1e-9)

    def test_walls(self):
        self.check("plate", 500e-6, [0.010, 0.050], (0.1, 0.2))
        self.check("hollow", 40e-3 * 60e-3 - 36e-3 * 54e-3, [0.040, 0.060])
        self.check("profile", 2 * 50e-3 * 6e-3 + 88e-3 * 4e-3, [0.050, 0.100])

    def test_round(self):
        facets = 24 / (2 * np.pi) * np.sin(2 * np.pi / 24)  # area of the polygon in the circle
        self.check("bar", facets * np.pi * 0.02 ** 2, [0.040, 0.040])
        self.check("pipe", facets * np.pi * (0.03 ** 2 - 0.025 ** 2), [0.060, 0.060])

    def test_radii_of_gyration_where_only_stiffness_is_known(self):
        # a rectangle a along 2, b along 3 with a^2/12 = EI3/EA and b^2/12 = EI2/EA
        a, b = np.sqrt(12 * 400 / 1e6), np.sqrt(12 * 100 / 1e6)
        self.check("numbers", a * b, [a, b])

    def test_cells_know_their_sections(self):
        self.assertEqual([self.names[k] for k in self.cells["outline"]], ["bar", "bar"])
        self.assertEqual([self.names[k] for k in self.cells["outline_end"]], ["pipe", "pipe"])
        np.testing.assert_array_equal(self.cells["from"], [0, 0.5])
        np.testing.assert_array_equal(self.cells["to"], [0.5, 1])


class Shapes(unittest.TestCase):
    """Mistakes in the shape of a body are told where they are."""

    def check(self, fields, says):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "m.yaml").write_text(f"""torsor: 1
units: SI
bodies:
  b: {{mass: 1, inertia: [1, 1, 1], {fields}}}
analysis: {{scheme: EP, step: 1 ms, end: 1 ms}}
""", encoding="utf-8")
            message = torsor("check", "m.yaml", code=2, cwd=path).stderr
        self.assertRegex(message, r"m\.yaml:4:\d+: error: .*" + says)

    def test_mistakes(self):
        self.check("shape: box", "give both shape and size")
        self.check("size: [1]", "give both shape and size")
        self.check("shape: box, size: [1, 2]", "the size of a box is 3 numbers, not 2")
        self.check("shape: sphere, size: [1, 2]", "the size of a sphere is 1 number, not 2")
        self.check("shape: cylinder, size: [1, -2]", "a size must be above zero")
        self.check("shape: cone, size: [1]", "cone")
        self.check("shape_at: [0, 0, 1]", "shape_at needs a shape")
        self.check("shape_axis: x", "shape_axis needs a shape")
        self.check("shape: box, size: [1 m, 2 kg, 1 m]", "kg")


if __name__ == "__main__":
    unittest.main()
