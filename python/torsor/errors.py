# SPDX-License-Identifier: Apache-2.0
"""Errors by kind, with the part and time of the failure, or the place in the model."""
from __future__ import annotations

from typing import Any


class TorsorError(Exception):
    """Base class of all errors of torsor. Unknown values are None.

    part, time      the failing part, and when (s)
    file, line, column   the place in the model; for what was set in code, file is its path: "bodies.arm"
    hint, report    what to do; all mistakes of a model with their lines
    """

    def __init__(self, message: str, *, status: int = 0, part: str | None = None,
                 time: float | None = None, file: str | None = None, line: int | None = None,
                 column: int | None = None, hint: str | None = None,
                 report: str | None = None) -> None:
        super().__init__(message)
        self.message, self.status = message, status
        self.part, self.time = part, time
        self.file, self.line, self.column = file, line, column
        self.hint, self.report = hint, report

    def __str__(self) -> str:
        return self.report.rstrip() if self.report else self.message

    def __reduce__(self) -> tuple[Any, ...]:  # errors of studies come from other processes
        return _again, (type(self), self.message, {key: value for key, value in vars(self).items()
                                                   if key != "message"})


class ModelError(TorsorError, ValueError):
    """The model, or an argument, is wrong."""


class FileError(TorsorError, OSError):
    """A file cannot be read or written."""

    def __str__(self) -> str:
        return TorsorError.__str__(self)


class SingularError(TorsorError, ArithmeticError):
    """The equations have no unique solution."""


class ConvergenceError(TorsorError, ArithmeticError):
    """No convergence, even with the smallest step."""


class OptionError(ModelError):
    """An option is unknown, wrong, or does not go with the others."""


class Interrupted(TorsorError):
    """Stopped by the caller. The run may go on."""


class OutOfMemoryError(TorsorError, MemoryError):
    """Memory ran out. What was being changed can no longer be used; a results file keeps its stored states."""


def _again(kind: type[TorsorError], message: str, rest: dict[str, Any]) -> TorsorError:
    return kind(message, **rest)


KINDS: dict[int, type[TorsorError]] = {1: ConvergenceError, -1: ModelError, -2: FileError,
                                       -3: SingularError, -4: ConvergenceError, -5: Interrupted,
                                       -6: OutOfMemoryError, -7: OptionError}


def error_for(status: int, message: str, **details: Any) -> TorsorError:
    return KINDS.get(status, TorsorError)(message, status=status, **details)
