#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Results files are untrusted input: crafted and damaged files are refused with a message, by every verb, quickly and
in little memory.

Makers of the files: crafted_results.py. Flipped bytes: flip_bytes.py.
"""
import pathlib
import re
import resource
import struct
import subprocess
import tempfile
import time
import unittest

import h5py
import numpy as np

import flip_bytes
from crafted_results import CRAFTED, MODEL, STATES, craft, older
from program import PROGRAM, QUICK, answer, torsor

WORDS = {
    "info": lambda path: ["info", path],
    "restart": lambda path: ["restart", path, "--end", "0.15", "-o", "on.h5", "-q"],
    "report": lambda path: ["report", path, "-o", "page.html"],
    "csv": lambda path: ["info", path, "--csv"],
}
SANITIZED = "sanitize" in str(PROGRAM)
MEMORY = 4 << 30


def limit():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Damaged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "ok.yaml").write_text(MODEL, encoding="utf-8")
        torsor("run", "ok.yaml", "-q", cwd=cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def call(self, verb, path):
        (self.path / "on.h5").unlink(missing_ok=True)  # of a file with another title: it would not be replaced
        begin = time.monotonic()
        done = subprocess.run([PROGRAM, *WORDS[verb](path)], capture_output=True, text=True, errors="replace", cwd=self.path, timeout=120,
                              preexec_fn=limit, check=False)
        self.assertLess(time.monotonic() - begin, 100 if SANITIZED else 30, f"{verb} {path}")
        self.assertNotIn("AddressSanitizer", done.stderr)
        self.assertIn(done.returncode, (0, 1, 2, 3, 4), f"{verb} {path}: {done.stderr[-2000:]}")
        self.assertTrue(done.returncode == 0 or done.stderr.strip(), f"{verb} {path} fails without words")
        return done

    def refused(self, name, change, verbs, sealed):
        craft(self.path / "ok.h5", self.path / "bad.h5", change, sealed)
        for verb in WORDS:
            with self.subTest(name, verb=verb, sealed=sealed):
                done = self.call(verb, "bad.h5")
                if verb in verbs:
                    self.assertNotEqual(done.returncode, 0, done.stdout[-500:])
                    self.assertTrue(sealed or "bad.h5" in done.stderr, done.stderr)

    def test_good_file_is_read(self):
        for verb in WORDS:
            self.assertEqual(self.call(verb, "ok.h5").returncode, 0)
        self.assertIn("checksums    right", torsor("info", "ok.h5", cwd=self.path).stdout)

    def test_crafted_files_are_refused(self):
        for name, (change, verbs) in CRAFTED.items():
            self.refused(name, change, verbs, False)

    def test_crafted_files_with_right_checksums_are_refused(self):
        """What can be sealed again is what has the right shape; models with another text are then other models."""
        for name in ("a slot of 10^9", "a slot of -10^9", "a body's node of 10^6", "a link's node of -10^6", "storing every 0",
                     "a step below zero", "a step that is no number", "a tiny step", "no end", "a long scheme"):
            change, verbs = CRAFTED[name]
            self.refused(name, change, verbs, True)

    def test_reseal_is_what_the_program_does(self):
        """Checksums made in Python from the documentation are those of the file: a file that is only sealed again reads as before."""
        craft(self.path / "ok.h5", self.path / "same.h5", lambda file: None, sealed=True)
        with h5py.File(self.path / "ok.h5") as one, h5py.File(self.path / "same.h5") as two:
            self.assertEqual(one.attrs["checksum"], two.attrs["checksum"])
            self.assertEqual(one["summary"].attrs["checksum"], two["summary"].attrs["checksum"])
            for name in ("model/nodes", "geometry/links", "model/drawn"):
                self.assertEqual(one[name].attrs["checksum"], two[name].attrs["checksum"], name)
            np.testing.assert_array_equal(one["checksums/steps"][:], two["checksums/steps"][:])
            names = one["checksums/frames"].attrs["columns"].decode().split()
            now = [i for i, name in enumerate(names) if not name.endswith("+")]
            np.testing.assert_array_equal(one["checksums/frames"][:][:, now], two["checksums/frames"][:][:, now])
        self.assertEqual(self.call("info", "same.h5").returncode, 0)

    def test_states_that_cannot_be(self):
        for name, (change, words) in STATES.items():
            with self.subTest(name):
                craft(self.path / "ok.h5", self.path / "bad.h5", change)
                self.assertIn("not as it was written", self.call("restart", "bad.h5").stderr)
                self.assertIn("not as it was written", self.call("info", "bad.h5").stderr)
                craft(self.path / "ok.h5", self.path / "bad.h5", change, sealed=True)
                done = torsor("restart", "bad.h5", "--from", "20", "--end", "0.15", "-o", "on.h5", "--force", "-q", cwd=self.path, code=3)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertRegex(done.stderr, words)

    def test_an_exact_state_that_is_damaged_is_told(self):
        """The run goes on from the state that was asked for, good itself, but not bit for bit."""
        def change(file):
            file["frames/kappa"][0, 0] += 1.5
        craft(self.path / "ok.h5", self.path / "bad.h5", change)
        for words in ((), ("--from", "10")):
            done = torsor("restart", "bad.h5", "--end", "0.15", "-o", "on.h5", "--force", "-q", *words, cwd=self.path)
            self.assertIn("the state of step 0 is damaged", done.stderr)
            self.assertNotIn("damaged", torsor("restart", "ok.h5", "--end", "0.15", "-o", "on.h5", "--force", "-q", *words, cwd=self.path).stderr)

    def test_damage_is_told_with_the_last_good_state(self):
        craft(self.path / "ok.h5", self.path / "bad.h5", lambda f: f["frames/v"].__setitem__((slice(15, 21), 5, 0), 7.0))
        for verb in ("info", "restart", "csv"):
            words = self.call(verb, "bad.h5").stderr if verb != "csv" else torsor("info", "bad.h5", "--csv", "upper.velocity", code=3, cwd=self.path).stderr
            step = re.search(r"last good state before it is number (\d+): torsor restart --from (\d+)", words.replace("\n", " "))
            self.assertEqual(step.groups(), ("14", "14"), words)
        torsor("restart", "bad.h5", "--from", "14", "-o", "rest.h5", "-q", cwd=self.path)
        with h5py.File(self.path / "ok.h5") as whole, h5py.File(self.path / "rest.h5") as rest:
            for name in rest["frames"]:
                self.assertEqual(whole["frames"][name][14:].tobytes(), rest["frames"][name][:].tobytes(), name)

    def test_damaged_times_do_not_hide_earlier_states(self):
        craft(self.path / "ok.h5", self.path / "bad.h5", lambda f: f["frames/t"].__setitem__(slice(12, 21), np.nan))
        self.assertIn("--from 11", " ".join(self.call("restart", "bad.h5").stderr.split()))
        torsor("restart", "bad.h5", "--from", "11", "-o", "rest.h5", "-q", cwd=self.path)
        torsor("restart", "bad.h5", "--time", "0.02", "-o", "rest.h5", "-q", cwd=self.path)

    def test_end_that_is_not_whole(self):
        craft(self.path / "ok.h5", self.path / "bad.h5", lambda f: f.attrs.__setitem__("status", np.bytes_(b"running".ljust(256, b"\0"))))
        self.assertIn("not written completely, or is damaged", torsor("info", "bad.h5", cwd=self.path).stdout)
        self.call("restart", "bad.h5")

    def test_older_files_are_read(self):
        craft(self.path / "ok.h5", self.path / "old.h5", older)
        self.assertIn("checksums    none", torsor("info", "old.h5", cwd=self.path).stdout)
        self.assertFalse(answer("info", "old.h5", cwd=self.path)["checksums"])
        for verb in WORDS:
            self.assertEqual(self.call(verb, "old.h5").returncode, 0)
        craft(self.path / "old.h5", self.path / "bad.h5", lambda f: f["model/text"].__setitem__((), f["model/text"][()].replace(b"0.2", b"0.9")))
        self.assertIn("not the one that was run", " ".join(self.call("restart", "bad.h5").stderr.split()))

    def test_files_that_crash_hdf5(self):
        """A chunk index of a level above, whose children are itself: HDF5 1.10 recurses until its stack is gone."""
        data = bytearray((self.path / "ok.h5").read_bytes())
        found = [m.start() for m in re.finditer(b"TREE\x01\x00", data)]
        self.assertTrue(found)
        for place in found:
            data[place + 5] = 1
            used = struct.unpack_from("<H", data, place + 6)[0]
            with_rank = {rank: 8 * (rank + 1) + 8 for rank in (1, 2, 3)}  # a key: bytes, filters, offsets and 0
            for size in with_rank.values():
                for entry in range(used):
                    struct.pack_into("<Q", data, place + 24 + size * (entry + 1) + 8 * entry, place)
        (self.path / "bad.h5").write_bytes(data)
        for verb in WORDS:
            self.assertNotEqual(self.call(verb, "bad.h5").returncode, 0)

    def test_damaged_types_of_attributes(self):
        """The bytes of a number may be whole and its type not: another number is read from them. All bits of the type of t_end, as HDF5 writes it
        behind the name: class and bit field, size, then offset, precision, places and sizes of exponent and mantissa, bias."""
        good = (self.path / "ok.h5").read_bytes()
        place = good.index(b"t_end\0") + 8
        self.assertEqual((good[place] & 15, good[place + 4]), (1, 8), "the type of a float of 8 bytes")
        for bit in range(0, 8 * 20, 5 if QUICK or SANITIZED else 1):
            data = bytearray(good)
            data[place + bit // 8] ^= 1 << bit % 8
            (self.path / "bad.h5").write_bytes(data)
            got = self.call("info", "bad.h5")
            if got.returncode == 0:
                self.assertEqual(got.stdout.replace("bad.h5", "ok.h5"), self.call("info", "ok.h5").stdout, f"bit {bit} of the type")

    def test_chunks_that_are_not_found(self):
        """An entry of an index of chunks that says another place: HDF5 finds no chunk there, and gives zeros or leaves memory as it was. The bit is of
        the first offset: a node of one chunk has 24 bytes, then the size of the chunk and its filters, 4 bytes each, then the offsets."""
        data = (self.path / "ok.h5").read_bytes()
        places = [m.start() + 24 + 8 + 5 for m in re.finditer(b"TREE\x01\x00\x01\x00", data)]
        self.assertGreater(len(places), 40)
        self.flipped([(place, 0x10) for place in places[::5 if QUICK or SANITIZED else 1]])

    def test_flipped_bytes(self):
        self.flipped(flip_bytes.flips((self.path / "ok.h5").stat().st_size, 20 if QUICK or SANITIZED else 60, 0, seed=1))

    def flipped(self, chosen):
        table = flip_bytes.Table()
        flip_bytes.campaign(table, self.path / "ok.h5", chosen)
        print(table)
        self.assertEqual((table.silent, table.crashed), (0, 0), table.lost)


if __name__ == "__main__":
    unittest.main()
