#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Units of model files against those of scipy, as the program reads them; synonyms; radians; the page of units."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from scipy import constants

from program import ROOT, torsor

HEAD = "torsor: 1\nunits: SI\n"
MASSES = {"lbm": constants.pound, "lb": constants.pound, "slug": constants.slug, "oz": constants.oz, "t": 1000, "mg": 1e-6}
LENGTHS = {"inch": constants.inch, "in": constants.inch, "ft": constants.foot, "yd": constants.yard, "mi": constants.mile, "nm": 1e-9}
OTHERS = {"lbf": constants.lbf, "kip": 1000*constants.lbf, "kgf": constants.kgf, "psi": constants.psi, "ksi": 1000*constants.psi,
          "atm": constants.atm, "hp": constants.hp, "rpm": 2*constants.pi/60, "bar": constants.bar}


def check(text, code=0):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.yaml"
        path.write_text(HEAD + text, encoding="utf-8")
        done = torsor("check", path, code=code)
        return done.stdout + done.stderr


class Units(unittest.TestCase):
    def test_factors(self):
        """A mass is made of each unit, by ratios to its SI unit: the program prints it."""
        si = {"lbf": "N", "kip": "N", "kgf": "N", "psi": "Pa", "ksi": "Pa", "atm": "Pa", "bar": "Pa", "hp": "W", "rpm": "rad/s"}
        for unit, value in {**MASSES, **LENGTHS, **OTHERS}.items():
            base = "kg" if unit in MASSES else "m" if unit in LENGTHS else si[unit]
            scaled = 1000/value
            said = check(f"bodies: {{a: {{mass: '{scaled!r} {unit} / (1 {base}) * 1 kg', inertia: [1, 1, 1]}}}}\n")
            self.assertIn("mass        1000 kg", said, unit)

    def test_radians(self):
        said = check("parameters: {omega: 3 rad/s, r: 2 m, v: omega*r + 1 m/s}\nbodies: {a: {mass: v*(1 kg*s/m), inertia: [1, 1, 1]}}\n")
        self.assertIn("mass        7 kg", said)

    def spin(self, omega, code=0):
        """The energy of 2 kg m^2 at that angular velocity, as printed."""
        return check("parameters: {v: 3 m/s, r: 2 m, k: 100 N/m, m: 4 kg, kt: 8 N*m/rad, J: 2 kg*m^2}\n"
                     f"bodies: {{a: {{mass: 1, inertia: [2, 2, 2], angular_velocity: ['{omega}', 0, 0]}}}}\n", code=code)

    def test_radians_in_sums(self):
        for omega, value in (("v/r + 2 rad/s", 3.5), ("2 rad/s - v/r", 0.5), ("sqrt(k/m) + 1 rad/s", 6), ("1 rad/s + sqrt(kt/J)", 3),
                             ("max(v/r, 2 rad/s)", 2), ("60 rpm - 2*pi*1 Hz + 1 rad/s", 1)):
            self.assertIn(f"energy      {value*value:g} J:".replace(" 0.25 J", " 250 mJ"), self.spin(omega), omega)
        self.assertIn("angle (rad) and plain number", check("parameters: {x: 1 m, L: 2 m, a: 5 deg + x/L}\n", code=2))
        self.assertIn("mass        0.5 kg", check("parameters: {x: 1 m, L: 2 m, a: 0 deg + x/L * 1 rad}\n"
                                                  "bodies: {b: {mass: a/(1 rad) * 1 kg, inertia: [1, 1, 1]}}\n"))

    def test_states_named_like_units(self):
        def force(text, code=0):
            return check("bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: {type: prismatic, bodies: [ground, a], at: [0, 0, 0], axis: x}}\n"
                         f"states: {{g: {{rate: -j.displacement/(1 m*s)}}}}\nloads: {{f: {{type: motor, joint: j, force: '{text}'}}}}\n", code=code)
        force("10 N * g - 8 N/m*j.displacement")  # blanks: the state
        self.assertIn("'g' is a unit here; for the value write blanks around '*'", force("10 N*g - 8 N/m*j.displacement", code=2))

    def test_cycles_are_not_radians(self):
        for omega in ("5 Hz", "(5 kHz)"):
            said = self.spin(omega, code=2)
            self.assertIn("expected an angular velocity (rad/s), got a frequency (1/s)", said)
            self.assertIn("5 rev/s", said)
        self.assertIn("5 rev/s", self.spin("1 rpm + 1 Hz", code=2))
        said = check("bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {h: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: x}}\n"
                     "motions: {m: {joint: h, speed: 50 Hz}}\n", code=2)
        self.assertIn("model.yaml:5:32: error: expected an angular velocity", said)

    def test_degrees_celsius(self):
        for unit in ("degC", "K"):
            said = check(f"parameters: {{T: 20 {unit}}}\n", code=2)
            self.assertIn(f"unknown unit '{unit}'", said)
            self.assertIn("torsor has no temperatures", said)

    def test_synonyms(self):
        body = "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
        for wrong, wanted in ((body + "joints: {j: {type: hinge, bodies: [ground, a], at: [0, 0, 0], axis: z}}\n", "revolute"),
                              (body + "joints: {j: {type: ball, bodies: [ground, a], at: [0, 0, 0]}}\n", "spherical"),
                              ("bodies: {a: {weight: 1, inertia: [1, 1, 1]}}\n", "mass"),
                              (body + "forces: {}\n", "loads"),
                              (body + "analysis: {end: 1, dt: 0.1}\n", "step")):
            self.assertIn(f"did you mean '{wanted}'?", check(wrong, code=2))

    def test_page(self):
        made = subprocess.run([sys.executable, ROOT / "tools/units.py", "--stdout"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(made, (ROOT / "docs/units.md").read_text(encoding="utf-8"), "docs/units.md is old: run tools/units.py")


if __name__ == "__main__":
    unittest.main()
