# SPDX-License-Identifier: Apache-2.0
"""Options of runs, modes and studies: keywords, refused at once if there is no such option or its value is wrong."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ._library import check, encode, ffi, lib, take_handle, take_text, vector

Watch = Callable[[str, float], Any]


def number(text: str | float, unit: str = "1") -> float:
    """The value in SI of an expression with units: number("2*10 mm", "m"), number("300 rpm", "rad/s")."""
    return float(vector(1, lib.torsor_number, encode(str(text)), encode(unit))[0])


def option_names(use: str) -> dict[str, str]:
    """The options of "run", "restart", "modes", "converge", "compare", "spectrum" or "resolve", with what they mean."""
    lines = take_text(lib.torsor_options_list, encode(use)).splitlines()
    return {name: f"{what} ({kind})" for name, kind, what in (line.split("\t") for line in lines)}


def write_option(name: str, value: Any) -> str:
    """As it stands behind an option of the program."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(write_option(name, item) for item in value)
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def unwatched(_words: str, _share: float) -> None:
    """Let Ctrl-C stop a study without a callback of the user."""


class Options:
    """The handle of options, and the callback that it keeps alive."""

    def __init__(self, use: str, values: Mapping[str, Any], watch: Watch | None = None) -> None:
        self.handle = take_handle("options", lib.torsor_options_new, encode(use))
        self.raised: BaseException | None = None
        for name, value in values.items():
            if value is not None:
                check(lib.torsor_options_set(self.handle, encode(name),
                                             encode(write_option(name, value))))
        if watch is not None:
            self._watch(watch)

    def _watch(self, watch: Watch) -> None:
        def tell(_context: Any, words: Any, share: float) -> int:
            try:
                return 1 if watch(bytes(ffi.string(words)).decode(), share) else 0
            except BaseException as why:  # pylint: disable=broad-except
                self.raised = why
                return 1
        self._callback = ffi.callback("int(void *, const char *, double)", tell, error=1,
                                      onerror=self._onerror)
        lib.torsor_options_watch(self.handle, ffi.new("torsor_watch *", dict(tell=self._callback)))

    def _onerror(self, _kind: Any, value: BaseException, _traceback: Any) -> None:
        self.raised = value

    def check(self, status: int) -> None:
        """Raise the exception of the callback, or the error of a failed call."""
        if self.raised is not None:
            raise self.raised
        check(status)
