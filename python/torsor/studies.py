# SPDX-License-Identifier: Apache-2.0
"""Studies: many runs of one model side by side, in threads, by the library."""
from __future__ import annotations

import json
import os
from typing import Any

from ._library import check, encode, ffi, lib, replacing, take_text
from .model import Model, load
from .options import Options, Watch, unwatched


class Study:
    """Result of a study. `found` has all of it; print(study) is the table of the program."""

    FORMS = ("text", "json", "csv", "svg")

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self.found: dict[str, Any] = json.loads(self.write("json"))

    def write(self, form: str = "text") -> str:
        """Return the study as "text", "json", "csv" or "svg"."""
        return take_text(lib.torsor_study_write, self._handle, encode(form))

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the study to a file, in the format of its ending: .svg, .csv, .json, .txt. Replaces an earlier picture of the same
        kind of study, with `force` any file."""
        ending = os.path.splitext(os.fspath(path))[1][1:]
        form = ending if ending in self.FORMS else "text"
        with replacing(force):
            check(lib.torsor_output_check(encode(form), encode(path), ffi.NULL))
            check(lib.torsor_output_write(encode(form), encode(path), encode(self.write(form))))

    def __getitem__(self, key: str) -> Any:
        return self.found[key]

    def __str__(self) -> str:
        return self.write("text")

    def __repr__(self) -> str:
        what = ", ".join(f"{len(value)} {key}" for key, value in self.found.items()
                         if isinstance(value, list))
        return f"<torsor.Study of {what or 'one run'}>"

    def _repr_svg_(self) -> str:
        return self.write("svg")


def take_study(options: Options, call: Any, *arguments: Any) -> Any:
    """The handle of a study, freed when nobody holds it."""
    out = ffi.new("torsor_study **")
    options.check(call(out, *arguments))
    return ffi.gc(out[0], lib.torsor_study_free)


def _of_model(use: str, call: Any, model: Model | str | os.PathLike[str], values: dict[str, Any],
              progress: Watch | None) -> Study:
    model = model if isinstance(model, Model) else load(model)
    options = Options(use, values, progress or unwatched)
    return Study(take_study(options, call, model._handle, options.handle))


def converge(model: Model | str | os.PathLike[str], *, progress: Watch | None = None,
             **options: Any) -> Study:
    """Errors and orders of a ladder of steps against a fine reference: study["rungs"].

    Options: step (the longest), levels, steps, reference, scheme, rho, end, rms, jobs. progress(words, share) is called
    now and then; anything true stops.

    mesh=True refines the mesh in place of the step: study["channels"] tells for each channel what every refinement
    changes, the order, and the error of the mesh as drawn. Options: levels (meshes, 3 to 6), scheme, rho, end.
    """
    return _of_model("converge", lib.torsor_converge, model, options, progress)


def compare(model: Model | str | os.PathLike[str], *, progress: Watch | None = None,
            **options: Any) -> Study:
    """Invariants that schemes preserve for a model, their errors and cost: study["schemes"].

    Options: schemes, and those of converge.
    """
    return _of_model("compare", lib.torsor_compare, model, options, progress)


def spectrum(**options: Any) -> Study:
    """Spectral radius, damping and period error of schemes on a vibration: study["curves"].

    Options: schemes, rho (a list), range, points.
    """
    given = Options("spectrum", options)
    return Study(take_study(given, lib.torsor_spectrum, given.handle))
