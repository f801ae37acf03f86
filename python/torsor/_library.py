# SPDX-License-Identifier: Apache-2.0
"""The C library, by its public header: nothing of it is written down a second time here.

cffi reads the declarations of torsor.h, comments and preprocessor taken off, and opens the shared library (ABI mode, so
that no compiler is needed). Where they are:

    header    beside this file (installed), or include/torsor/ of the source tree
    library   $TORSOR_LIBRARY; beside this file; where the installation put it (_place.py); build/src of the source
              tree; where the system looks for libraries
"""
from __future__ import annotations

import contextlib
import ctypes.util
import json
import os
import pathlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import cffi
import numpy as np
import numpy.typing as npt

from .errors import error_for

HERE = pathlib.Path(__file__).resolve().parent
Floats = npt.NDArray[np.float64]


def declarations(header: str) -> str:
    """What cffi can read of a header: no comments, no preprocessor, no extern "C"."""
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL)
    text = re.sub(r'#ifdef __cplusplus.*?#endif', "", text, flags=re.DOTALL)
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))


def find_header() -> pathlib.Path:
    places = [HERE / "torsor.h", HERE.parents[1] / "include" / "torsor" / "torsor.h"]
    for place in places:
        if place.is_file():
            return place
    raise ImportError(f"torsor.h was not found; searched: {', '.join(map(str, places))}")


def library_places() -> list[str]:
    """Where the library may be, the first that exists counts."""
    if os.environ.get("TORSOR_LIBRARY"):
        return [os.environ["TORSOR_LIBRARY"]]
    places = [HERE / "libtorsor.so"]
    try:
        from ._place import LIBRARY  # type: ignore[import]  # written by the installation
        places.append(HERE / LIBRARY)
    except ImportError:
        pass
    places.append(HERE.parents[1] / "build" / "src" / "libtorsor.so")
    found = [str(place) for place in places if place.is_file()]
    system = ctypes.util.find_library("torsor")
    return found + ([system] if system else [])


def open_library() -> Any:
    places = library_places()
    for place in places[:1]:
        try:
            return ffi.dlopen(place)
        except OSError as why:
            raise ImportError(f"the torsor library cannot be opened: {why}") from None
    raise ImportError("the torsor library (libtorsor.so) was not found: build it (make build), install it "
                      "(make install), or set TORSOR_LIBRARY to its path")


HEADER = find_header().read_text(encoding="utf-8")
ffi = cffi.FFI()
ffi.cdef(declarations(HEADER))
lib: Any = open_library()

# cffi looks functions and types up under a lock when they are first used. A process that is forked meanwhile would wait for ever
# for a thread that it does not have.
_lock: Any = getattr(ffi, "_lock", None)
if _lock is not None:
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


def text_of(pointer: Any) -> str:
    """Convert a C string to str; NULL gives an empty text."""
    return "" if pointer == ffi.NULL else bytes(ffi.string(pointer)).decode("utf-8", "replace")


def version() -> str:
    return text_of(lib.torsor_version())


header_version = re.search(r'#define TORSOR_VERSION "([^"]+)"', HEADER)
if header_version and header_version[1] != version():
    raise ImportError(f"torsor.h has version {header_version[1]}, but the library has version {version()}: install both together")


def check(status: int) -> None:
    """Raise the error of a failed call."""
    if status == 0:
        return
    p = lib.torsor_error_details()
    raise error_for(status, message=text_of(lib.torsor_error()), part=text_of(p.part) or None,
                    time=None if p.time != p.time else p.time, file=text_of(p.file) or None,
                    line=p.line or None, column=p.column or None, hint=text_of(p.hint) or None,
                    report=text_of(p.report) or None)


def encode(text: str | os.PathLike[str]) -> bytes:
    """Bytes for the library, where a zero would end them. Names of files may be any other bytes."""
    data = os.fsencode(text) if isinstance(text, os.PathLike) else text.encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise ValueError(f"{text!r}: a text may not contain the zero character")
    return data


@contextlib.contextmanager
def replacing(force: bool) -> Iterator[None]:
    """Files that exist may be replaced by calls within: earlier outputs of their own kind, or with `force` any but inputs."""
    before = lib.torsor_replace_files(force)
    try:
        yield
    finally:
        lib.torsor_replace_files(before)


def take_text(call: Callable[..., int], *arguments: Any) -> str:
    """Return the text that a function stores in its last argument."""
    out = ffi.new("char **")
    check(call(*arguments, out))
    try:
        return text_of(out[0])
    finally:
        lib.torsor_text_free(out[0])


def take_attachments(call: Callable[..., int], handle: Any) -> list[tuple[str, Floats]]:
    """Bodies, and places in their axes, that a function gives as JSON."""
    return [(one["part"], np.array(one["at"])) for one in json.loads(take_text(call, handle))]


def take_handle(kind: str, call: Callable[..., int], *arguments: Any) -> Any:
    """The handle that a function gives through its first argument; freed when nobody holds it."""
    out = ffi.new(f"torsor_{kind} **")
    check(call(out, *arguments))
    return ffi.gc(out[0], getattr(lib, f"torsor_{kind}_free"))


def take_struct(kind: str, call: Callable[..., Any], *arguments: Any) -> Any:
    """The structure that a function fills through its last argument."""
    out = ffi.new(f"torsor_{kind} *")
    status = call(*arguments, out)
    if status is not None:
        check(status)
    return out[0]


def vector(size: int, call: Callable[..., int], *arguments: Any) -> Floats:
    """Numbers that a function writes into its last argument."""
    out = np.empty(size)
    check(call(*arguments, ffi.cast("double *", out.ctypes.data)))
    return out


class _Memory:
    """C memory for numpy, together with what must live as long."""

    def __init__(self, owner: Any, address: int, shape: tuple[int, ...]) -> None:
        self.owner = owner
        self.__array_interface__ = {"data": (address, True), "shape": shape, "typestr": "<f8",
                                    "version": 3}


def view(owner: Any, pointer: Any, *shape: int) -> Floats:
    """C memory as an array, without a copy, not to be written to. It keeps its owner alive."""
    if pointer == ffi.NULL or 0 in shape:
        empty = np.empty(shape if 0 in shape else 0)
        empty.flags.writeable = False
        return empty
    return np.asarray(_Memory(owner, int(ffi.cast("intptr_t", pointer)), shape))
