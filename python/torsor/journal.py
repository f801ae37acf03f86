# SPDX-License-Identifier: Apache-2.0
"""Journals of studies: one line of JSON for each finished case. Damaged lines are skipped, failures are not written.

The program `torsor study` writes the same lines, so either goes on where the other was interrupted.
"""
from __future__ import annotations

import fcntl
import glob
import json
import os
from typing import Any

import numpy as np

from .errors import FileError


def part_path(path: str | os.PathLike[str], part: tuple[int, int] | None) -> str:
    """journal.jsonl of part 2 of 8 is journal.2-of-8.jsonl."""
    stem, ending = os.path.splitext(os.fspath(path))
    return os.fspath(path) if part is None else f"{stem}.{part[0]}-of-{part[1]}{ending}"


def read(path: str) -> dict[str, dict[str, Any]]:
    """Return lines by their keys; the last line of a key counts."""
    lines: dict[str, dict[str, Any]] = {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for text in file:
            try:
                line = json.loads(text)
                if isinstance(line["values"], dict) and isinstance(line["key"], str):
                    lines[line["key"]] = line
            except (ValueError, KeyError, TypeError):
                continue
    return lines


def all_parts(path: str | os.PathLike[str]) -> dict[str, dict[str, Any]]:
    """Read the journal and all its parts."""
    stem, ending = os.path.splitext(os.fspath(path))
    found: dict[str, dict[str, Any]] = {}
    for name in [*sorted(glob.glob(f"{glob.escape(stem)}.*-of-*{glob.escape(ending)}")), os.fspath(path)]:
        if os.path.exists(name):
            found.update(read(name))
    return found


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays for JSON."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"the measure returned {value!r}, which a journal cannot hold: numbers, texts, lists and mappings of them")


class Journal:
    """A file to which lines are appended; None: no file. Only one process at a time writes to it."""

    def __init__(self, path: str | None) -> None:
        self.path, self._file = path, None
        if path is None:
            return
        try:
            self._file = open(path, "a+b")  # pylint: disable=consider-using-with
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.__exit__()
            raise FileError(f"{path}: another study is writing this journal", status=-2) from None
        except OSError as why:
            raise FileError(f"{path}: cannot write the journal: {why.strerror}", status=-2) from None
        self._file.seek(0, os.SEEK_END)
        if self._file.tell() > 0:  # a line that was cut off stays alone
            self._file.seek(-1, os.SEEK_END)
            if self._file.read(1) != b"\n":
                self._file.write(b"\n")

    def add(self, line: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(json.dumps(line, default=_plain, allow_nan=False).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._file is not None:
            self._file.close()
