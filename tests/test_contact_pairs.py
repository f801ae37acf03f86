#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pairs in contact in results files: only existing pairs are stored; more pairs than the initial room; runs that are
killed while writing; damage; files of older versions."""
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
from crafted_results import checksum, older, reseal

from program import PROGRAM, QUICK, model_file, torsor, touching

# a block of rubber with many nodes: two shapes, hundreds of pairs
RUBBER = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
materials: {rubber: {E: 1e6, nu: 0.3, density: 1000}}
meshes: {m: {type: box, size: [0.2, 0.2, 0.02], divisions: [12, 12, 1]}}
solids: {block: {mesh: m, material: rubber, velocity: [0.3, 0, -0.2]}}
shapes:
  skin: {type: skin, faces: block, thickness: 4 mm}
  floor: {type: plane, on: ground, normal: z, at: [0, 0, -3 mm]}
contacts: {lands: {between: [skin, floor], area_stiffness: 1e7, friction: 0.4}}
analysis: {end: 20 ms, step: 1 ms}
"""


def ranges(path):
    """The states follow each other without gaps, and hold what the contact counts."""
    with h5py.File(path) as file:
        frames = file["progress"][0]
        first, count = file["frames/contact_range"][:frames, 0].T
        assert first[0] == 0 and np.array_equal(first[1:], np.cumsum(count)[:-1])
        assert len(file["contact_pairs"]) == count.sum(), "nothing is stored that is not there"
        for frame in range(frames):
            rows = touching(file, frame)
            closed = np.count_nonzero(rows[:, 9] < 0)
            assert closed <= len(rows) and (rows[:, 0] == 0).all() and np.isfinite(rows).all()
        return count


def room(path, whole):
    """Many more pairs than shapes: the file grows, and a run that goes on from any state ends alike."""
    torsor("run", path, "-q", "-o", whole, "--every", 1)
    count = ranges(whole)
    assert count[0] == 0 and count.max() > 100, count
    torsor("info", whole)
    rest = whole.with_name("rest.h5")
    torsor("restart", whole, "--from", 13, "-q", "-o", rest)
    with h5py.File(whole) as a, h5py.File(rest) as b:
        assert np.array_equal(touching(a, -1), touching(b, -1))
        for name in ("q", "v", "contact_loss"):
            assert np.array_equal(a["frames/" + name][-1], b["frames/" + name][-1]), name


def killed(path):
    """Whatever moment a run is killed at, its file opens, and what it counts is good."""
    random.seed(3)
    out, seen = path.with_name("killed.h5"), 0
    start = time.time()
    torsor("run", path, "-q", "-o", out, "--every", 1)
    lasts = time.time() - start
    for _ in range(4 if QUICK else 12):
        out.unlink(missing_ok=True)
        with subprocess.Popen([PROGRAM, "run", path, "-q", "-o", out, "--every", "1"], stderr=subprocess.DEVNULL) as run:
            time.sleep(random.uniform(0.1, 1)*lasts)
            os.kill(run.pid, signal.SIGKILL)
        if out.exists():
            torsor("info", out)
            seen += 1
    assert seen > 0


def damage(whole):
    """A changed byte of a pair, and a changed range, are told with the name of the array."""
    bad = whole.with_name("bad.h5")
    for change in (lambda f: f["contact_pairs"].__setitem__((3, 9), 1.0), lambda f: f["frames/contact_range"].__setitem__((15, 0, 1), 3)):
        shutil.copy(whole, bad)
        with h5py.File(bad, "r+") as file:
            change(file)
        said = torsor("info", bad, code=3).stderr
        assert "contact_pairs" in said or "contact_range" in said, said
    shutil.copy(whole, bad)
    with h5py.File(bad, "r+") as file:  # a range beyond the end, with a checksum that fits
        last = len(file["contact_pairs"])
        file["frames/contact_range"][15, 0] = [last - 1, 10**9]
        frames = file["checksums/frames"]
        names = frames.attrs["columns"].decode().split()
        column = names.index("contact_range")
        frames[15, column] = checksum(file["frames/contact_range"][15].tobytes())
    assert "are missing" in torsor("restart", bad, "--from", 15, "-o", whole.with_name("no.h5"), code=3).stderr


def former(path, whole):
    """A file of version 2, which has the same room in every state, gives the same run and the same pairs."""
    old, rest, new = (whole.with_name(name) for name in ("old.h5", "rest_old.h5", "rest_new.h5"))
    shutil.copy(whole, old)
    with h5py.File(old, "r+") as file:
        count = file["frames/contact_range"][:, 0, 1]
        rows = np.full((len(count), count.max() + 5, 25), 0.0)
        rows[:, :, 0] = -1
        for k, n in enumerate(count):
            rows[k, :n] = touching(file, k)
        del file["frames/contact_range"], file["contact_pairs"]
        file["frames"].create_dataset("contact_pairs", data=rows, chunks=(1, *rows.shape[1:]))
        older(file)
    torsor("info", old)
    for source, out in ((old, rest), (whole, new)):
        torsor("restart", source, "--from", 12, "-q", "-o", out)
    with h5py.File(rest) as a, h5py.File(new) as b:
        assert np.array_equal(a["frames/q"][-1], b["frames/q"][-1])
        assert np.array_equal(a["contact_pairs"][:], b["contact_pairs"][:])
    with h5py.File(old, "r+") as file:  # more had touched than there was room for
        file["frames/contact_pairs"][12, :, 0] = -2
    assert "does not contain all pairs of shapes" in torsor("restart", old, "--from", 12, "-o", whole.with_name("no.h5"), code=3).stderr
    torsor("report", old, "-o", whole.with_name("old.html"))


def resealed(whole):
    """Checksums follow from docs/results-file.md alone."""
    again = whole.with_name("again.h5")
    shutil.copy(whole, again)
    with h5py.File(again, "r+") as file:
        before = file["checksums/frames"][:]
        reseal(file)
        names = file["checksums/frames"].attrs["columns"].decode().split()
        column = names.index("contact_pairs")
        assert np.array_equal(before[:, column], file["checksums/frames"][:, column])


def main():
    with model_file(RUBBER) as path:
        whole = path.with_name("whole.h5")
        room(path, whole)
        damage(whole)
        former(path, whole)
        resealed(whole)
        killed(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
