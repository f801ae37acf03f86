#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A model file is read once: every verb that takes a model accepts a pipe, which can be read once only, and a table
beside the model is opened once. Warnings about a model come before its assembly and its static start.

Environment: TORSOR, TORSOR_SOURCE_DIR.
"""
import contextlib
import ctypes
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import threading
import unittest

from program import PROGRAM, model_file, torsor

CART = """torsor: 1
units: SI
bodies: {cart: {mass: 1, inertia: [1, 1, 1], position: [0.1, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0.1, 0, 0], axis: x}}
springs: {spring: {type: joint_spring, joint: rail, stiffness: (2*pi)^2}}
analysis: {scheme: EP, step: 10 ms, end: 100 ms}
"""
PUSHED = CART + """loads: {push: {type: force, body: cart, force: [{file: push.csv}, 0, 0]}}
"""
# the nearest equilibrium of a ball on a string that was cut: there is none
FALLING = """torsor: 1
units: {length: mm}
gravity: [0, 0, -9.81]
bodies: {ball: {mass: 1, inertia: [1, 1, 1], position: [1e9, 0, 0]}}
analysis: {scheme: ED, step: 10 ms, end: 100 ms, start: static}
"""
VERBS = (("check",), ("run", "--no-results"), ("modes",), ("converge", "-n", "1"), ("compare", "-n", "1", "--schemes", "EP"))
IN_OPEN, IN_CLOSE = 0x20, 0x18  # two openings one after the other would be told as one, but for the closing between


@contextlib.contextmanager
def openings(path):
    """A list that has, at the end, one entry for each time that the file was opened."""
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    assert watch >= 0 and libc.inotify_add_watch(watch, os.fsencode(path), IN_OPEN | IN_CLOSE) >= 0
    found = []
    yield found
    with contextlib.suppress(BlockingIOError):
        told = os.read(watch, 4096)
        while told:
            _, what, _, name = struct.unpack_from("iIII", told)
            found += [what] * bool(what & IN_OPEN)
            told = told[16 + name:]
    os.close(watch)


class Reading(unittest.TestCase):
    def test_a_named_pipe_is_a_model(self):
        for verb in VERBS:
            with self.subTest(verb), tempfile.TemporaryDirectory() as folder:
                pipe = pathlib.Path(folder, "cart.yaml")
                os.mkfifo(pipe)
                writer = threading.Thread(target=pipe.write_text, args=(CART,))
                writer.start()
                torsor(*verb, pipe, timeout=60)
                writer.join()

    def test_the_standard_input_is_a_model(self):
        for text, code in ((CART, 0), (CART + 100_000*"# a comment\n", 0), ("", 2)):
            done = subprocess.run([PROGRAM, "check", "/dev/stdin"], input=text, text=True, capture_output=True,
                                  timeout=60, check=False)
            self.assertEqual(done.returncode, code, done.stderr)
        with model_file(CART) as path, open(path, encoding="utf-8") as file:
            subprocess.run([PROGRAM, "check", "/dev/stdin"], stdin=file, stdout=subprocess.DEVNULL, timeout=60, check=True)

    def test_an_endless_pipe_is_refused(self):
        with subprocess.Popen(["yes", "# a comment"], stdout=subprocess.PIPE) as endless:
            done = subprocess.run([PROGRAM, "check", "/dev/stdin"], stdin=endless.stdout, text=True, capture_output=True,
                                  timeout=60, check=False)
            endless.kill()
        self.assertEqual(done.returncode, 3)
        self.assertIn("larger than 64 MiB", done.stderr)

    def test_a_model_and_its_table_are_opened_once(self):
        for verb in VERBS:
            with self.subTest(verb), model_file(PUSHED) as path:
                table = path.parent / "push.csv"
                table.write_text("0, 0\n0.05, 1\n0.1, 0\n")
                with openings(path) as of_model, openings(table) as of_table:
                    torsor(*verb, path)
                self.assertEqual((len(of_model), len(of_table)), (1, 1))


class LeftOut(unittest.TestCase):
    """What follows from the rest may be left out: the inertia of a shape, the place of a joint at a node."""

    def kinetic(self, body):
        with model_file(f"torsor: 1\nunits: SI\nbodies: {{b: {{mass: 3, {body}}}}}\nanalysis: {{scheme: EP, step: 1 ms, end: 1 ms}}\n") as path:
            said = torsor("check", path, "--json").stdout
        return json.loads(said)["model"]["energy"]["kinetic"]

    def test_inertia_of_shapes(self):
        for body, twice in (("shape: box, size: [2, 3, 5], angular_velocity: [1, 0, 0]", 3/12*(9 + 25)),
                            ("shape: box, size: [2, 3, 5], angular_velocity: [0, 0, 1]", 3/12*(4 + 9)),
                            ("shape: sphere, size: [2], angular_velocity: [0, 1, 0]", 0.4*3),
                            ("shape: ellipsoid, size: [2, 4, 6], angular_velocity: [0, 1, 0]", 3/5*(1 + 9)),
                            ("shape: cylinder, size: [2, 5], angular_velocity: [0, 0, 1]", 3/2),
                            ("shape: cylinder, size: [2, 5], shape_axis: y, angular_velocity: [0, 0, 1]", 3/12*(3 + 25)),
                            ("shape: cylinder, size: [2, 5], shape_axis: [1, 1, 0], angular_velocity: [1, 0, 0]", (3/2 + 3/12*(3 + 25))/2),
                            ("shape: box, size: [2, 3, 5], inertia: [7, 8, 9], angular_velocity: [1, 0, 0]", 7)):
            self.assertAlmostEqual(self.kinetic(body), twice/2, delta=1e-12, msg=body)
        with model_file("torsor: 1\nunits: SI\nbodies: {b: {mass: 3, shape: sphere, size: [2], shape_at: [1, 0, 0]}}\n") as path:
            self.assertIn("does not follow from the shape", torsor("check", path, code=2).stderr)

    def test_place_of_joints(self):
        model = """torsor: 1
units: SI
sections: {{s: {{EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 1e3, EI2: 1e3, EI3: 1e3, mass: 1}}}}
beams: {{rod: {{from: [1, 2, 3], to: [2, 2, 3], section: s, elements: 2}}}}
bodies: {{b: {{mass: 1, inertia: [1, 1, 1], position: [5, 0, 0]}}, c: {{mass: 1, inertia: [1, 1, 1], position: [6, 0, 0]}}}}
joints: {{j: {{{joint}}}}}
"""
        for joint, code in (("type: revolute, bodies: [ground, rod.end], axis: y", 0), ("type: spherical, bodies: [rod.start, b]", 0),
                            ("type: rigid, bodies: [b, c]", 0), ("type: revolute, bodies: [b, c], axis: y", 2),
                            ("type: rigid, bodies: [rod.start, rod.end]", 2)):
            with model_file(model.format(joint=joint)) as path:
                said = torsor("check", path, code=code)
                self.assertIn("" if code == 0 else "'at' is missing", said.stderr)
                if code == 0 and "rod" in joint:
                    at = "[2, 2, 3]" if "end" in joint else "[1, 2, 3]"
                    with model_file(model.format(joint=f"{joint}, at: {at}")) as other:
                        self.assertEqual(torsor("check", other).stdout.split("\n")[2:-2], said.stdout.split("\n")[2:-2])


class Warnings(unittest.TestCase):
    def test_warnings_come_before_the_start(self):
        """The static start fails, so that all that is said was said before it."""
        for verb in (("check",), ("run", "--no-results"), ("modes",)):
            with self.subTest(verb), model_file(FALLING) as path:
                said = torsor(*verb, path, code=(2, 4)).stderr
                lines = re.findall(r"^torsor: WARNING: (.*)$", said, re.MULTILINE)
                self.assertEqual(len(lines), 2, said)
                self.assertRegex(lines[0], "away from the origin")
                self.assertRegex(lines[1], "divided by 1000")


if __name__ == "__main__":
    unittest.main()
