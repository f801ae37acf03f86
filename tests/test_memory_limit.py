#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Little memory: under a limit of the address space the program ends in a short time, with success, or with the words
"out of memory" and the exit code of files that cannot be written. (OpenBLAS asks without end for a buffer that it
cannot have.)"""

import resource
import subprocess
import sys

from case_tools import SKIP, check, need_program, verdict
from program import PROGRAM, ROOT, model_file

NO_MEMORY = 3
# a solid that MUMPS factors: it takes memory between our look for BLAS' buffer and the first use of BLAS
BLOCK = """torsor: 1
units: SI
materials: {steel: {E: 200 GPa, nu: 0.3, density: 8000}}
meshes: {m: {type: box, size: [1, 1, 1], divisions: [10, 10, 10]}}
solids: {block: {mesh: m, material: steel}}
joints: {wall: {type: support, nodes: block.x-}}
gravity: [0, 0, -9.81]
analysis: {scheme: EP, step: 1 ms, end: 1 ms}
"""
MODELS = ["satellite", "four_bar", "shell_snapping_panel", "slider_crank_solid"]


def limited(megabytes, *words):
    """None: not even the libraries could be loaded; or the program has sanitizers, which need terabytes."""
    size = megabytes << 20
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
    unloaded = done.returncode == 127 or "loading shared" in done.stderr or "anitizer" in done.stderr
    return None if unloaded else done


def main():
    need_program()
    if limited(500, "check", ROOT/"examples/satellite.yaml") is None:
        print("skipped: the program needs more than 500 MB for itself")
        return SKIP
    for model in MODELS:
        for megabytes in (90, 117, 140, 170, 200, 230, 500):
            done = limited(megabytes, "check", ROOT/f"examples/{model}.yaml")
            if done:
                good = done.returncode == 0 or done.returncode == NO_MEMORY and "out of memory" in done.stderr
                check(model, f"{megabytes} MB: exit code {done.returncode}, {done.stderr[-80:]!r}", not good, 0, quiet=True)
    with model_file(BLOCK) as path:
        for megabytes in range(240, 341, 10):
            done = limited(megabytes, "run", path, "--solver", "mumps", "--no-results", "-q")
            if done:
                good = done.returncode == 0 or done.returncode == NO_MEMORY and "out of memory" in done.stderr
                check("block", f"{megabytes} MB: exit code {done.returncode}, {done.stderr[-80:]!r}", not good, 0, quiet=True)
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
