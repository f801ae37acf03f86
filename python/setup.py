# SPDX-License-Identifier: Apache-2.0
"""Puts the public header and the library that was built into the package, so that it stands alone."""
import os
import pathlib
import re
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
HEADER = HERE.parent / "include" / "torsor" / "torsor.h"
LIBRARY = pathlib.Path(os.environ.get("TORSOR_LIBRARY", HERE.parent / "build" / "src" / "libtorsor.so"))


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        target = pathlib.Path(self.build_lib) / "torsor"
        shutil.copy(HEADER, target / "torsor.h")
        if not LIBRARY.is_file():
            raise SystemExit(f"{LIBRARY} is not there: run `make build` first, or set TORSOR_LIBRARY")
        shutil.copy(LIBRARY.resolve(), target / "libtorsor.so")


setup(version=re.search(r'#define TORSOR_VERSION "([^"]+)"', HEADER.read_text(encoding="utf-8"))[1],
      cmdclass={"build_py": BuildWithLibrary})
