#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Files that a model includes: sub-assemblies against the same model written out (same bits for quarter turns), restarts after the files are gone, and mistakes with their files and places."""
import math
import pathlib
import shutil
import tempfile
import unittest

import h5py
import numpy as np

from program import ROOT, torsor

HEAD = "torsor: 1\nunits: SI\n"
RUN = "analysis: {scheme: ED, end: 20 ms, step: 2 ms}\n"
ROTOR = HEAD + """gravity: [0, 0, -9.81 m/s^2]
include:
  blade: {file: blade.yml, repeat: COUNT, position: [0.1 m, 0, 0], rotation: {axis: x, angle: (index - 1)*TURN deg},
          parameters: {speed: 20 rad/s, pitch: 2 deg + index*1 deg}}
bodies: {hub: {mass: 60 kg, inertia: [4, 3, 3], angular_velocity: [20 rad/s, 0, 0]}}
joints: {bearing: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: x}}
""" + RUN


def turned(count, turn):
    """The rotor without include: a section at a time, blade after blade, with numbers for all places and directions."""
    def rotate(x, k):
        angle = math.radians(turn*k)
        c, s = math.cos(angle), math.sin(angle)
        c, s = (0 if abs(v) < 1e-15 else v for v in (c, s))
        return [x[0], c*x[1] - s*x[2], s*x[1] + c*x[2]]

    def vector(x, k, unit=""):
        return "[" + ", ".join(f"{v!r}{unit}" for v in rotate(x, k)) + "]"

    def place(x, k):
        y = rotate(x, k)
        return "[" + ", ".join(repr(v) for v in (y[0] + 0.1, y[1], y[2])) + "]"

    def frame(k):
        """The frame that torsor makes of the axis y: x, -z, y."""
        columns = [rotate(x, k) for x in ([1, 0, 0], [0, 0, -1], [0, 1, 0])]
        return "[" + ", ".join("[" + ", ".join(repr(c[i]) for c in columns) + "]" for i in range(3)) + "]"

    sections = {name: [] for name in ("materials", "sections", "beams", "bodies", "masses", "joints", "springs", "loads")}
    for k in range(count):
        p, a = f"blade{k + 1}_", 2*(math.pi/180) + (k + 1)*(math.pi/180)
        sections["materials"].append(f"  {p}composite: {{E: 40 GPa, nu: 0.3, density: 1800 kg/m^3}}")
        sections["sections"].append(f"  {p}airfoil: {{type: tube, material: {p}composite, outer_diameter: 120 mm, thickness: 6 mm}}")
        sections["beams"].append(f"  {p}spar: {{from: {place([0, 0, 0.3], k)}, to: {place([0, 0, 5.3], k)}, section: {p}airfoil, elements: 4, order: 2, "
                                 f"axis2: {vector([math.sin(a), math.cos(a), 0], k)}, velocity: {vector([0, -20*0.3, 0], k)}, angular_velocity: [20, 0, 0]}}")
        sections["masses"].append(f"  {p}weight: {{body: {p}spar.end, mass: 4 kg}}")
        sections["joints"].append(f"  {p}flap: {{type: revolute, bodies: [hub, {p}spar.start], at: {place([0, 0, 0.3], k)}, "
                                  f"frame: {{matrix: {frame(k)}}}}}")
        sections["springs"].append(f"  {p}root: {{type: torsion_spring, joint: {p}flap, stiffness: 2 kN*m/rad, damping: 20 N*m*s/rad}}")
        sections["loads"].append(f"  {p}lift: {{type: line_load, beam: {p}spar, force: [150 N/m * sin(3*t), 0, 0]}}")
    sections["bodies"].append("  hub: {mass: 60 kg, inertia: [4, 3, 3], angular_velocity: [20 rad/s, 0, 0]}")
    sections["joints"].append("  bearing: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: x}")
    text = "".join(f"{name}:\n" + "\n".join(lines) + "\n" for name, lines in sections.items())
    return HEAD + "gravity: [0, 0, -9.81 m/s^2]\n" + text + RUN


def frames(path):
    with h5py.File(path, "r") as file:
        count = int(file["progress"][0])
        return {name: file["frames"][name][:count] for name in file["frames"] if file["frames"][name].dtype.kind == "f"}


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(ROOT / "examples/parts/blade.yml", self.folder / "blade.yml")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name

    def run_model(self, name, text):
        self.write(name + ".yaml", text)
        torsor("run", name + ".yaml", "-o", name + ".h5", cwd=self.folder)
        return frames(self.folder / (name + ".h5"))

    def refused(self, text, *wanted, name="main.yaml"):
        """The model has a mistake; all of the wanted texts are told, at the right file."""
        self.write(name, text)
        said = torsor("check", name, code=2, cwd=self.folder).stderr
        for part in wanted:
            self.assertIn(part, said)
        return said


class Placing(Case):
    def compare(self, count, turn, limit):
        one = self.run_model("included", ROTOR.replace("COUNT", str(count)).replace("TURN", str(turn)))
        other = self.run_model("written", turned(count, turn))
        self.assertEqual(one.keys(), other.keys())
        for name, values in one.items():
            scale = np.abs(other[name]).max(initial=1e-300)
            self.assertEqual(values.shape, other[name].shape, name)
            if limit == 0:
                np.testing.assert_array_equal(values, other[name], name)
            elif name in ("q", "v"):
                self.assertLess(np.abs(values - other[name]).max(initial=0)/scale, limit, name)

    def test_quarter_turns_give_the_same_bits(self):
        self.compare(4, 90, 0)

    def test_three_blades(self):
        self.compare(3, 120, 1e-9)

    def test_directions_of_a_file_turn_with_it(self):
        """A pendulum of everything that has a direction, drawn in a file and placed elsewhere: it moves as it did."""
        part = HEAD + """parameters: {g: 0}
points: {O: [0, 0, 0], P: [1, 0, 0]}
sections: {S: {EA: 1e5, GA2: 1e5, GA3: 1e5, GJ: 20, EI2: 40, EI3: 10, mass: 1}}
beams: {rod: {from: P, to: [2, 0.5, 0], section: S, elements: 2, order: 1}}
bodies:
  arm: {mass: 2, inertia: [0.1, 0.2, 0.3], centre: [0.1, 0, 0.2], position: P, velocity: [0, 0, 0.5], angular_velocity: [0, 0.5, 0]}
  fly: {mass: 1, inertia: [0.1, 0.2, 0.3], angular_velocity: [1, 2, 3], rates_in: body}
joints:
  hinge: {type: spherical, bodies: [ground, arm], at: O}
  weld: {type: rigid, bodies: [arm, rod.start], at: P}
springs:
  soft: {type: bushing, bodies: [ground, fly], at: O, stiffness: [100, 200, 300, 1, 2, 3]}
signals: {push: '3 N * sin(20*t)', ramp: {table: [[0 s, 0 N], [1 s, 5 N]]}}
loads:
  weight: {type: force, body: arm, force: [push, -2 N * time/(1 s), 4 N]}
  held: {type: force, body: fly, force: [1 N, 2 N, 'push + ramp'], follower: true, point: [0.1, 0, 0]}
  wind: {type: line_load, beam: rod, force: [0, 1 N/m, 2 N/m * t]}
"""
        self.write("part.yaml", part + "analysis: {end: 0.2, step: 0.01}\n")
        drawn = self.run_model("drawn", part + "analysis: {end: 0.2, step: 0.01}\n")
        placed = self.run_model("placed", HEAD + """include: {a: {file: part.yaml, position: [3, -2, 1], rotation: [{axis: z, angle: 30 deg}, {axis: [1, 2, 3], angle: 80 deg}]}}
analysis: {end: 0.2, step: 0.01}
""")
        self.assertEqual(drawn["q"].shape, placed["q"].shape)
        a, b = math.radians(30), math.radians(80)
        n = np.array([1, 2, 3])/math.sqrt(14)
        K = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
        R = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]]) @ (np.eye(3) + math.sin(b)*K + (1 - math.cos(b))*K @ K)
        for k in (0, -1):
            for name, shift in (("q", [3, -2, 1]), ("v", 0)):
                one, other = (np.reshape(x[name][k], (-1, 4, 3))[1:] for x in (drawn, placed))  # a place and three directors; not those of the ground
                wanted = one @ R.T
                wanted[:, 0] += shift
                self.assertLess(np.abs(wanted - other).max(), 1e-10, name)
        self.assertGreater(np.abs(drawn["q"][-1] - drawn["q"][0]).max(), 0.05)


class Echo(Case):
    def test_restart_without_the_files(self):
        text = ROTOR.replace("COUNT", "2").replace("TURN", "180")
        whole = self.run_model("main", text)
        (self.folder / "blade.yml").write_text("torsor: 1\nunits: SI\n", encoding="utf-8")
        (self.folder / "main.yaml").unlink()
        torsor("restart", "main.h5", "--from", "0", "-o", "again.h5", cwd=self.folder)
        again = frames(self.folder / "again.h5")
        np.testing.assert_array_equal(whole["q"][-1], again["q"][-1])
        with h5py.File(self.folder / "main.h5") as file:
            stored = file["model/text"][()]
        stored = stored if isinstance(stored, bytes) else bytes(np.asarray(stored).tobytes())
        self.write("echo.yaml", stored.rstrip(b"\0").decode())
        torsor("run", "echo.yaml", "-o", "echo.h5", cwd=self.folder)
        np.testing.assert_array_equal(whole["q"], frames(self.folder / "echo.h5")["q"])

    def test_tables_within_included_files(self):
        """A table beside the included file, in another folder, is in the echo as well."""
        (self.folder / "lib").mkdir()
        self.write("lib/push.csv", "0, 0\n1, 5\n")
        self.write("lib/cart.yaml", HEAD + """signals: {push: {file: push.csv, units: [s, N]}}
bodies: {cart: {mass: 1, inertia: [1, 1, 1]}}
loads: {f: {type: force, body: cart, force: [push, 0, 0]}}
""")
        whole = self.run_model("main", HEAD + "include: {a: lib/cart.yaml}\n" + RUN)
        shutil.rmtree(self.folder / "lib")
        torsor("restart", "main.h5", "--from", "0", "-o", "again.h5", cwd=self.folder)
        np.testing.assert_array_equal(whole["q"][-1], frames(self.folder / "again.h5")["q"][-1])


class Names(Case):
    def test_plain_files_share_their_names(self):
        self.write("common.yaml", HEAD + "parameters: {m: 3 kg}\npoints: {P: [1, 2, 3]}\nbodies: {base: {mass: m, inertia: [1, 1, 1]}}\n")
        self.write("main.yaml", HEAD + "include: [common.yaml]\nparameters: {twice: 2*m}\nbodies: {top: {mass: twice, inertia: [1, 1, 1], position: P}}\n"
                   "joints: {j: {type: rigid, bodies: [base, top], at: P/2}}\n")
        said = torsor("check", "main.yaml", cwd=self.folder).stdout
        self.assertIn("9 kg", said)

    def test_nested(self):
        self.write("wheel.yaml", HEAD + "bodies: {rim: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
                   "joints: {axle: {type: revolute, bodies: [frame, rim], at: [1, 0, 0], axis: y}}\n")
        self.write("bogie.yaml", HEAD + "include: {wheel: {file: wheel.yaml, repeat: 2, position: [0, index*1 m, 0]}}\nbodies: {frame: {mass: 2, inertia: [1, 1, 1]}}\n")
        self.write("main.yaml", HEAD + "include: {bogie: {file: bogie.yaml, repeat: 2, position: [0, 0, index*1 m]}}\n"
                   "outputs: {csv: [bogie2_wheel1_axle.angle]}\n" + RUN)
        said = torsor("check", "main.yaml", cwd=self.folder).stdout
        self.assertIn("6 bodies, 4 joints", said)
        self.assertIn("8 kg, centre (0.5, 0.75, 1.5) m", said)


class Mistakes(Case):
    def test_missing_file(self):
        self.refused(HEAD + "include: {a: {file: gone.yaml}}\n", "main.yaml:3:21: error: cannot read 'gone.yaml'", "relative to the file")

    def test_places_in_included_files(self):
        self.write("part.yaml", HEAD + "bodies:\n  A: {mass: 3 m}\n")
        said = self.refused(HEAD + "include:\n  a: {file: part.yaml, repeat: 3}\n", "part.yaml:4:13: error: expected a mass (kg), got a length (m)",
                            "as 'a1', included by main.yaml:4:3")
        self.assertEqual(said.count("expected a mass"), 1)

    def test_chain(self):
        self.write("inner.yaml", HEAD + "bodies: {A: {mas: 3}}\n")
        self.write("outer.yaml", HEAD + "include: {i: inner.yaml}\n")
        self.refused(HEAD + "include: {o: outer.yaml}\n", "inner.yaml:3:14: error: unknown key 'mas'",
                     "as 'o_i', included by outer.yaml:3:11, as 'o', included by main.yaml:3:11")

    def test_cycle(self):
        self.write("b.yaml", HEAD + "include: {back: main.yaml}\n")
        self.refused(HEAD + "include: {b: b.yaml}\n", "b.yaml:3:17: error: these files include each other: main.yaml, b.yaml, main.yaml")
        self.refused(HEAD + "include: main.yaml\n", "main.yaml:3:10: error: these files include each other: main.yaml, main.yaml")

    def test_deep(self):
        for i in range(12):
            self.write(f"f{i}.yaml", HEAD + f"include: {{n: f{i + 1}.yaml}}\n")
        self.refused(HEAD + "include: {n: f0.yaml}\n", "f7.yaml:3:14: error: files include each other more than 8 deep")

    def test_parameters(self):
        self.write("part.yaml", HEAD + "parameters: {width: 3 m}\nbodies: {A: {mass: 1, inertia: [1, 1, 1], position: [width, 0, 0]}}\n")
        self.refused(HEAD + "include: {a: {file: part.yaml, parameters: {widht: 2 m}}}\n", "main.yaml:3:45: error: 'part.yaml' has no parameter 'widht'", "did you mean 'width'?")
        self.refused(HEAD + "include: {a: {file: part.yaml, parameters: {width: 2 kg}}}\n", "part.yaml:3:14: error: the parameter 'width' is given another dimension")
        self.refused(HEAD + "include: {a: {file: part.yaml, parameters: {width: index*1 m}}}\n", "main.yaml:3:52: error: unknown name 'index'")

    def test_fields(self):
        self.write("part.yaml", HEAD + "bodies: {A: {mass: 1, inertia: [1, 1, 1]}}\n")
        self.refused(HEAD + "include: {a: {repeat: 2}}\n", "main.yaml:3:11: error: 'file' is missing in the sub-assembly 'a'")
        self.refused(HEAD + "include: {a: {file: part.yaml, repeat: 0}}\n", "main.yaml:3:40: error: expected 1 to 10000 repeats")
        self.refused(HEAD + "include: {a: {file: part.yaml}}\nmasses: {m: {body: a.A, mass: 1}}\n", "there is no body 'a'",
                     "parts of a sub-assembly have its name and _ before theirs: 'a_A'")
        self.refused(HEAD + "include: {a: {file: part.yaml, positon: [0, 0, 0]}}\n", "unknown key 'positon' in a sub-assembly", "did you mean 'position'?")
        self.refused(HEAD + "include: {a: {file: [part.yaml]}}\n", "expected a file, got a list")
        self.refused(HEAD + "include: {a: part.yaml}\nbodies: {a_A: {mass: 1, inertia: [1, 1, 1]}}\n",
                     "main.yaml:4:10: error: the name 'a_A' is used twice; first in part.yaml:3:10, in bodies")

    def test_not_a_model(self):
        self.write("part.yaml", "- a\n- b\n")
        self.refused(HEAD + "include: {a: part.yaml}\n", "main.yaml:3:14: error: 'part.yaml' is not a model file")
        self.write("part.yaml", "torsor: 3\nunits: SI\nsignals: {s: 3 N}\nbodies: {A: {mass: 1, inertia: [1, 1, 1]}}\n")
        said = self.refused(HEAD + "include: {a: part.yaml}\njoints: {j: {type: rigid, bodies: [ground, a_A], at: [0, 0, 0]}}\n", "part.yaml:1:9: error: expected format version 1")
        self.assertEqual(said.count("error:"), 1)
        self.write("part.yaml", "torsor: 1\nunits: [\n")
        self.refused(HEAD + "include: {a: part.yaml}\n", "part.yaml:3:1: error: not well-formed YAML")

    def test_signals_in_turned_vectors_need_names(self):
        self.write("part.yaml", HEAD + "bodies: {A: {mass: 1, inertia: [1, 1, 1]}}\nloads: {f: {type: force, body: A, force: [{sine: {amplitude: 1 N, frequency: 1 Hz}}, 0, 0]}}\n")
        self.refused(HEAD + "include: {a: {file: part.yaml, rotation: {axis: z, angle: 30 deg}}}\n", "part.yaml:4:43: error: this sub-assembly is rotated", "give it a name")
        self.write("main.yaml", HEAD + "include: {a: {file: part.yaml, rotation: {axis: z, angle: 90 deg}}}\n")
        torsor("check", "main.yaml", cwd=self.folder)


if __name__ == "__main__":
    unittest.main()
