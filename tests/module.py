# SPDX-License-Identifier: Apache-2.0
"""The Python module, for tests that are about nothing else: `from module import torsor`. Where there is no shared library, as in builds
with sanitizers, such a test is skipped.

Environment: TORSOR_LIBRARY, the shared library; TORSOR_PYTHON, the folder of an installed module, if not that of the source tree.
"""
import os
import sys

from program import ROOT

SKIP = 77
LIBRARY = os.environ.get("TORSOR_LIBRARY", "")
if LIBRARY and not os.path.exists(LIBRARY):
    print(f"skipped: there is no library {LIBRARY}")
    sys.exit(SKIP)
sys.path.insert(0, os.environ.get("TORSOR_PYTHON", str(ROOT / "python")))
import torsor  # noqa: E402,F401  pylint: disable=wrong-import-position,unused-import
