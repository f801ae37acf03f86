# SPDX-License-Identifier: Apache-2.0
"""What tests of studies share: a ball that is thrown, whose path is known in closed form, and how to run scripts."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", pathlib.Path(__file__).parent.parent))

# x = v t, z = v t - g t^2/2: the scheme EP is exact on it
BALL = """torsor: 1
title: Ball
units: SI
parameters: {v: 3 m/s, g: 10 m/s^2}
gravity: [0, 0, -g]
bodies: {ball: {type: point, mass: 1 kg, position: [0, 0, 0], velocity: [v, 0, v]}}
analysis: {scheme: EP, step: 10 ms, end: 1 s}
"""


def write(folder, name, text):
    path = pathlib.Path(folder, name)
    path.write_text(text, encoding="utf-8")
    return path


def script(folder, text, *before, code=0, timeout=120):
    """A program in Python of its own, perhaps behind other words (mpirun)."""
    path = write(folder, "script.py", text)
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    done = subprocess.run([*before, sys.executable, *(["-m", "mpi4py.futures"] if before else []), str(path)], cwd=folder,
                          env=surroundings, capture_output=True, text=True, timeout=timeout, check=False)
    if code is not None and done.returncode != code:
        raise AssertionError(f"exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done
