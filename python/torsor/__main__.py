# SPDX-License-Identifier: Apache-2.0
"""`python -m torsor VERB ...`: runs the program torsor with these arguments. The wheel carries it in bin/ of this folder; otherwise it is the
one on the PATH."""
from __future__ import annotations

import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent


def find_program() -> str | None:
    beside = HERE / "bin" / "torsor"
    if beside.is_file():
        return str(beside)
    # the script that pip makes of main() is called torsor, too: not itself again
    mine = os.path.realpath(sys.argv[0])
    for folder in os.get_exec_path():
        found = shutil.which("torsor", path=folder)
        if found and os.path.realpath(found) != mine:
            return found
    return None


def main() -> None:
    program = find_program()
    if program is None:
        sys.exit("torsor: the program torsor is not there: install the package torsor, or put it on the PATH")
    os.environ["TORSOR_PYTHON"] = sys.executable  # `torsor doctor` looks there first: its environment may not be active
    os.execv(program, ["torsor", *sys.argv[1:]])


if __name__ == "__main__":
    main()
