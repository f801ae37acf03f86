# SPDX-License-Identifier: Apache-2.0
"""Channels and colours of a run, read while it runs."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._library import Floats, check, encode, ffi, lib, take_handle, text_of

if TYPE_CHECKING:
    from .run import Run


class Probe:
    """Channels of a run by the names that tables have: `probe = run.probe("hinge.angle")`, then `probe.read()` after any step."""

    def __init__(self, run: Run, handle: Any, channels: tuple[str, ...]) -> None:
        self._run = run  # lives as long as this
        texts = [ffi.new("char[]", encode(name)) for name in channels]
        self._handle = take_handle("probe", lib.torsor_probe_new, handle, len(texts), ffi.new("const char *[]", texts))
        count = range(lib.torsor_probe_count(self._handle))
        self.names = [text_of(lib.torsor_probe_name(self._handle, i)) for i in count]
        self.units = [text_of(lib.torsor_probe_unit(self._handle, i)) for i in count]

    def read(self) -> Floats:
        """Their values now, in the order of `names`."""
        out = np.empty(len(self.names))
        check(lib.torsor_probe_read(self._handle, ffi.cast("double *", out.ctypes.data)))
        return out

    def __repr__(self) -> str:
        return f"Probe({', '.join(self.names)})"


class Paint:
    """A colour of the scene at all stations of beams, shells or solids: `paint = run.paint("von_mises_stress")`, then `paint.read()` after any step."""

    def __init__(self, run: Run, handle: Any, key: str) -> None:
        self._run = run  # lives as long as this
        self.key = key
        self._handle = take_handle("paint", lib.torsor_paint_new, handle, encode(key))

    def __len__(self) -> int:
        return int(lib.torsor_paint_count(self._handle))

    def read(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Its values now, in SI units, by station."""
        out = np.empty(len(self), np.float32)
        check(lib.torsor_paint_read(self._handle, ffi.cast("float *", out.ctypes.data)))
        return out

    def __repr__(self) -> str:
        return f"Paint({self.key}, {len(self)} stations)"
