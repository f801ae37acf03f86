# SPDX-License-Identifier: Apache-2.0
"""Sweeps: the short form of a study, for a function as the measure and processes here. See many.py."""
from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .many import Case, Values, grid, study
from .model import Model
from .results import Results


def cases_of(values: Values) -> list[dict[str, Any]]:
    """{"L": [1, 2], "M": [3, 4]} is a grid, the last name fastest; a list of mappings is itself."""
    return grid(values)


def sweep(model: Model | str | os.PathLike[str], values: Values, measure: Callable[[Results], Any],
          *, processes: int | None = None, progress: Any = False) -> list[Case]:
    """Runs the model for all values of its parameters; measure(results) is what is kept of each. In order.

    processes: default, as many as cores; 0: none, all in this one (for debugging). A study does more: journals, samples,
    other machines.
    """
    return list(study(model, cases_of(values), measure, processes=processes, progress=progress))
