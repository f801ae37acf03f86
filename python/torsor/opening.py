# SPDX-License-Identifier: Apache-2.0
"""Open any file of torsor; its content decides how."""
from __future__ import annotations

import builtins
import os

from .errors import FileError
from .model import Model, load
from .results import Results

SIGNATURE = b"\x89HDF\r\n\x1a\n"


def open(path: str | os.PathLike[str]) -> Results | Model:
    """The results in a results file, or the model in a model file."""
    try:
        with builtins.open(path, "rb") as file:
            start = file.read(len(SIGNATURE))
    except OSError as error:
        raise FileError(f"{os.fspath(path)}: {error.strerror}") from None
    return Results(path) if start == SIGNATURE else load(path)
