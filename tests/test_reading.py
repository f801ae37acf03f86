#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A model file is read once: a pipe, which can be read once only, is as good as a file for every verb that takes a model, and a
table beside it is opened once. Warnings about a model come before its assembly and its static start.

Environment: TORSOR, TORSOR_SOURCE_DIR.
"""
import contextlib
import ctypes
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
