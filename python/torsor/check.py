# SPDX-License-Identifier: Apache-2.0
"""Check a model without running it; mistakes are returned, not raised."""
from __future__ import annotations

import os
from dataclasses import dataclass

from ._library import encode, lib, take_handle, take_text, text_of
from .errors import TorsorError
from .model import Model
from .run import Run


@dataclass(frozen=True)
class Mistake:
    """One mistake in a model, with its place; line and column count from 1, 0: there is none."""
    file: str
    line: int
    column: int
    message: str
    hint: str


def mistakes() -> list[Mistake]:
    """The mistakes of the call that failed last."""
    found = []
    for i in range(lib.torsor_mistakes()):
        m = lib.torsor_mistake_at(i)
        found.append(Mistake(text_of(m.file), m.line, m.column, text_of(m.message), text_of(m.hint)))
    return found


class Check:
    """valid, mistakes, page (all of them with their lines); and, of a valid model, `run`: assembled, at its beginning,
    with .assembly, .notes, .gaps, .setup, .resolution."""

    def __init__(self, model: str | os.PathLike[str] | Model) -> None:
        self.run: Run | None = None
        self.error: TorsorError | None = None
        self.mistakes: list[Mistake] = []
        self.page = ""
        try:
            handle = (model._handle if isinstance(model, Model) else
                      take_handle("model", lib.torsor_model_read, encode(model)))
            self.run = Run(take_handle("run", lib.torsor_run_new, handle))
        except TorsorError as why:
            self.error, self.mistakes = why, mistakes()
            self.page = take_text(lib.torsor_mistakes_page, False) or why.message

    @property
    def valid(self) -> bool:
        return self.run is not None

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        return self.page if self.run is None else "\n".join(
            [f"no problems: {self.run.assembly.freedom} degrees of freedom", *self.run.notes])

    def __repr__(self) -> str:
        return f"<torsor.Check: {'no problems' if self.valid else f'{max(1, len(self.mistakes))} problems'}>"


def check(model: str | os.PathLike[str] | Model) -> Check:
    """Read and assemble a model; mistakes are in the returned Check, none is raised."""
    return Check(model)
