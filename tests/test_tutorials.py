#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""docs/tutorials, step by step: models are saved under the names given, every command is run in the order of the page,
and the numbers that the pages compare with formulas are computed here again, from the formulas and from the results.

Environment: TORSOR, the program; TORSOR_SOURCE_DIR, the source tree.
"""
import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TORSOR = pathlib.Path(os.environ.get("TORSOR", "build/torsor")).resolve()
ROOT = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", pathlib.Path(__file__).parent.parent)).resolve()
PAGES = ROOT / "docs/tutorials"
SAVE = r"Save this as `([\w.]+)`[^`]*?```yaml\n(.*?)^```$"
RUN = r"^```sh\n(.*?)^```$"


class Tutorial(unittest.TestCase):
    """A page, followed in an empty folder; what its commands print is kept by command."""

    page = None

    @classmethod
    def setUpClass(cls):
        if cls.page is None:
            raise unittest.SkipTest("the base of the others")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name)
        cls.text = (PAGES / cls.page).read_text(encoding="utf-8")
        cls.said = {}
        for name, model in re.findall(SAVE, cls.text, re.MULTILINE | re.DOTALL):
            (cls.path / name).write_text(model, encoding="utf-8")
        for block in re.findall(RUN, cls.text, re.MULTILINE | re.DOTALL):
            for line in block.splitlines():
                cls.said[line] = cls.run_command(line)

    @classmethod
    def run_command(cls, line):
        environment = {**os.environ, "PATH": f"{TORSOR.parent}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-c", line], cwd=cls.path, env=environment, capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise AssertionError(f"{cls.page}: {line}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def column(self, file, name):
        with open(self.path / file, newline="", encoding="utf-8") as stream:
            rows = list(csv.reader(stream))
        at = [head.split(" [")[0] for head in rows[0]].index(name)
        return [float(row[at]) for row in rows[1:]]

    def frequencies(self, command):
        """Hz, in the table of `torsor modes`."""
        return [float(found) for found in re.findall(r"(?m)^ +\d+ +(\d[\d.]*) +\d", self.said[command].split("frequency, Hz")[1])]

    def test_has_five_steps(self):
        self.assertEqual(re.findall(r"(?m)^## (\d)\. ", self.text), list("12345"))

    def test_audits_are_closed(self):
        for line, said in self.said.items():
            self.assertNotRegex(said, r"OPEN|made|not resolved", line)


class Mechanism(Tutorial):
    page = "mechanism.md"

    def test_swing(self):
        crank, coupler, rocker, base = 0.1, math.hypot(0.3, 0.15), math.hypot(0.05, 0.25), 0.35
        angles = [math.acos((rocker**2 + base**2 - far**2)/(2*rocker*base)) for far in (coupler - crank, coupler + crank)]
        angle = self.column("four_bar.csv", "D.angle")
        self.assertAlmostEqual(math.degrees(angles[1] - angles[0]), 48.41, delta=0.005)
        self.assertAlmostEqual(max(angle) - min(angle), angles[1] - angles[0], delta=1e-4)

    def test_check(self):
        self.assertIn("0 degrees of freedom", self.said["torsor check four_bar.yaml"])
        self.assertRegex(self.said["torsor check four_bar.yaml"], "redundant +3 constraints")


class FlexibleBeam(Tutorial):
    page = "flexible-beam.md"
    EI, MASS = 210e9*0.03*0.003**3/12, 7850*0.03*0.003

    def test_deflection(self):
        self.run_command("torsor info strip.h5 --csv strip.end.position.z -o strip.csv")
        self.assertAlmostEqual(self.column("strip.csv", "strip.end.position.z")[0], -2/(3*self.EI), delta=2e-4)

    def test_frequencies(self):
        found = self.frequencies("torsor modes strip.yaml -n 4 --set F=0N")
        for number, beta in ((0, 1.87510407), (1, 4.69409113)):
            self.assertAlmostEqual(found[number], beta**2*math.sqrt(self.EI/self.MASS)/(2*math.pi), delta=3e-3*found[number])


class Rotor(Tutorial):
    page = "rotor.md"
    STIFFNESS = 48*210e9*math.pi*0.012**4/64/0.6**3
    MOVING = 2 + 17/35*7850*math.pi*0.006**2*0.6

    def test_frequency(self):
        found = self.frequencies("torsor modes rotor.yaml -n 4 --set e=0mm")
        self.assertAlmostEqual(found[1], math.sqrt(self.STIFFNESS/self.MOVING)/(2*math.pi), delta=0.03)

    def test_rotation(self):
        """Bearings that are alike in all directions: from outside, both whirls have the frequency of the shaft at rest."""
        told = self.run_command('torsor modes rotor.yaml -n 4 --set e=0mm --spin "[0, 0, 1000 rpm]"')
        ways = dict(re.findall(r"whirls (forwards|backwards), (\S+) Hz seen from outside", told)[:2])
        for way in ("forwards", "backwards"):
            self.assertAlmostEqual(float(ways[way]), math.sqrt(self.STIFFNESS/self.MOVING)/(2*math.pi), delta=0.03)

    def test_whirl(self):
        x, y = self.column("whirl.csv", "disc.position.x"), self.column("whirl.csv", "disc.position.y")
        ratio, damping = 1000*2*math.pi/60/math.sqrt(self.STIFFNESS/self.MOVING), 20/(2*math.sqrt(self.STIFFNESS*self.MOVING))
        radius = 0.2e-3*2/self.MOVING*ratio**2/math.hypot(1 - ratio**2, 2*damping*ratio)
        for at in range(-60, 0):  # a revolution
            self.assertAlmostEqual(math.hypot(x[at], y[at]), radius, delta=0.02*radius)


class Robot(Tutorial):
    page = "robot.md"

    def test_overshoot(self):
        damping = 4/(2*math.sqrt(50*0.5))
        peak = 45*(1 + math.exp(-math.pi*damping/math.sqrt(1 - damping**2)))
        self.assertAlmostEqual(math.degrees(max(self.column("arm.csv", "hinge.angle"))), peak, delta=0.01)

    def test_standing(self):
        self.run_command("torsor info arm_pid.h5 --csv hinge.angle servo.value -o pid.csv")
        self.assertAlmostEqual(math.degrees(self.column("pid.csv", "hinge.angle")[-1]), 45, delta=0.1)
        weight, friction = 3*9.81*0.3*math.cos(math.pi/4), 0.1*0.02*3*9.81
        self.assertLess(abs(self.column("pid.csv", "servo.value")[-1] - weight), 1.2*friction)


class Shell(Tutorial):
    page = "shell.md"
    D = 210e9*0.005**3/12/(1 - 0.3**2)

    def test_deflection(self):
        linear = 0.00406235*500/self.D
        self.assertAlmostEqual(-self.column("plate.csv", "plate.middle.displacement.z")[-1], linear, delta=0.01*linear)

    def test_frequencies(self):
        found = self.frequencies("torsor modes plate.yaml -n 3 --set p=0Pa")
        for one, squares in zip(found, (2, 5, 5)):
            self.assertAlmostEqual(one, math.pi/2*math.sqrt(self.D/(7850*0.005))*squares, delta=1e-3*one)

    def test_stiffening(self):
        for name in ("large", "coarse"):
            self.run_command(f"torsor info {name}.h5 --csv plate.middle.displacement.z -o {name}.csv")
        middle = {name: -self.column(f"{name}.csv", "plate.middle.displacement.z")[-1] for name in ("plate", "coarse", "large")}
        self.assertLess(middle["large"], 50*middle["plate"])
        self.assertAlmostEqual(middle["coarse"], middle["plate"], delta=0.01*middle["plate"])


class Contact(Tutorial):
    page = "contact.md"

    def test_heights(self):
        z = [one - 0.05 for one in self.column("ball.csv", "ball.position.z")]
        tops = [b for a, b, c in zip(z, z[1:], z[2:]) if a < b >= c]
        for top, wanted in zip(tops, (0.64, 0.4096)):
            self.assertAlmostEqual(math.sqrt(top/wanted), 1, delta=0.01)

    def test_sticking(self):
        x = self.column("slope.csv", "block.position.x")
        self.assertLess(max(x) - min(x), 1e-12)
        self.assertAlmostEqual(self.column("slope.csv", "rub.force.friction")[-1], 9.81*0.25/math.hypot(1, 0.25), delta=1e-6)

    def test_sliding(self):
        way = 0.5*9.81*(0.35 - 0.3)/math.hypot(1, 0.35)*4
        self.assertAlmostEqual(self.column("slides.csv", "block.position.x")[-1], way, delta=1e-5)


if __name__ == "__main__":
    if os.environ.get("TORSOR_QUICK") or not (ROOT / "report/node_modules/esbuild/package.json").exists():
        print("documentation is not followed here: a sanitized build, or a build without `torsor report`")
        sys.exit(77)
    unittest.main()
