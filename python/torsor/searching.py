# SPDX-License-Identifier: Apache-2.0
"""A design search: runs of one model for an optimiser, one after the other, with their history.

    search = torsor.Search("cart.yaml", {"c": "N*s/m"}, {"cost": "rms rail.displacement"})
    scipy.optimize.minimize_scalar(search, bounds=(1, 100), method="bounded")
    search.best.parameters, search.best.value
    search.show()

The optimiser is anyone's: a Search is a function of numbers. What was tried is a study (many.py), with the same journal and page.
"""
from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._library import lib, take_text
from .errors import ModelError, TorsorError
from .journal import Journal, all_parts
from .many import Case, Cases, Measure, Task, _check_channels, _check_names, _unquoted, case_key, run_case, value_of
from .model import Model, load
from .results import Page, show_page


class Search:
    """A function of parameters, in their units, that runs the model and returns the objective.

    parameters  {"c": "N*s/m", "L": "mm"}: names as for --set, each with the unit of its numbers ("1" or "": none).
    measure     {"cost": "rms rail.displacement"}, more of them if they shall be shown, or a function of the results.
    objective   which of the measures; default the first. maximise: the optimiser gets it with the other sign.
    failed      what the optimiser gets for parameters with which the run fails; None: the error is raised. A mistake in the
                model is raised as long as no run has finished.
    journal     a file: runs that it holds are not made again.
    """

    def __init__(self, model: Model | str | os.PathLike[str], parameters: Mapping[str, str], measure: Measure, *,
                 objective: str | None = None, maximise: bool = False, failed: float | None = math.inf,
                 histories: Sequence[str] = (), options: Mapping[str, Any] | None = None,
                 journal: str | os.PathLike[str] | None = None, title: str | None = None) -> None:
        self.model = model if isinstance(model, Model) else load(model)
        self._name = "model" if isinstance(model, Model) else os.fspath(model)
        self.units = dict(parameters)
        if not self.units:
            raise ModelError("the search has no parameters: give them with their units, such as {'L': 'mm'}", status=-1)
        measure = {measure: measure} if isinstance(measure, str) else measure
        self._declared = isinstance(measure, Mapping)
        if isinstance(measure, Mapping):
            if objective is not None and objective not in measure:
                raise ModelError(f"objective={objective!r}: the measures are {', '.join(measure)}", status=-1)
            self.objective = objective or next(iter(measure))
            histories = histories or tuple(dict.fromkeys(text.split(None, 1)[-1] for text in measure.values()))
        else:
            self.objective = objective or "value"
        self._measure, self._histories, self._options = measure, tuple(histories), dict(options or {})
        self.maximise, self.failed = maximise, failed
        self._title = title or _unquoted(self.model.title) or self._name
        self._text = take_text(lib.torsor_model_whole, self.model._handle)
        self._journal, self._known = journal, all_parts(journal) if journal is not None else {}
        self._cases: list[Case] = []
        _check_names(self.model, [self._parameters([1.0] * len(self.units))])
        _check_channels(self.model, measure, self._histories, self._options)

    def _parameters(self, values: Sequence[float]) -> dict[str, str]:
        if len(values) != len(self.units):
            raise ModelError(f"the search has {len(self.units)} parameters ({', '.join(self.units)}), not {len(values)}", status=-1)
        return {name: f"{float(value)!r} {'' if unit == '1' else unit}".strip()
                for (name, unit), value in zip(self.units.items(), values)}

    def __call__(self, x: Any) -> float:
        """The objective at numbers in the order of the parameters; one number will do for one parameter."""
        parameters = self._parameters([float(value) for value in np.atleast_1d(x)])
        key = case_key(self._text, parameters, self._options, self._measure)
        task = Task(self._text, self._name, self._title, len(self._cases), key, parameters, self._options, self._measure,
                    self._histories)
        try:
            value, line = self._known_or_run(task)
        except (TorsorError, ArithmeticError) as why:
            self._cases.append(Case(parameters, None, why, task.number))
            if self.failed is None or (isinstance(why, ModelError) and not self.cases.finished):
                raise
            return self.failed
        line = {**line, "case": task.number, "objective": self.objective, "maximise": self.maximise}
        self._cases.append(Case(parameters, value, None, task.number, line))
        if key not in self._known and self._journal is not None:
            with Journal(os.fspath(self._journal)) as log:
                log.add(line)
        self._known[key] = line
        return -self._of(value) if self.maximise else self._of(value)

    def _known_or_run(self, task: Task) -> tuple[Any, dict[str, Any]]:
        line = self._known.get(task.key)
        return run_case(task) if line is None else (value_of(line, self._declared), line)

    def _of(self, value: Any) -> float:
        return float(value[self.objective] if isinstance(value, Mapping) else value)

    @property
    def cases(self) -> Cases:
        """All cases that were run, in order."""
        return Cases(self._cases)

    @property
    def best(self) -> Case:
        """The case with the least objective, or with the largest if it is maximised."""
        finished = [case for case in self._cases if case.error is None and not math.isnan(self._of(case.value))]
        if not finished:
            raise TorsorError("the search has not finished any run")
        return min(finished, key=lambda case: self._of(case.value) * (-1 if self.maximise else 1))

    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> Page:
        """A page for the browser: objective and parameters over the runs, the best of them, and what a study shows."""
        return self.cases.report(path, force=force)

    def show(self, output: str | os.PathLike[str] | None = None, browser: bool | None = None) -> Page:
        """The page of `report`, opened: see Results.show."""
        return show_page(self.report, "search.html", output, browser)

    def __len__(self) -> int:
        return len(self._cases)

    def __repr__(self) -> str:
        found = f", best {self.objective} {self._of(self.best.value):.6g}" if any(c.error is None for c in self._cases) else ""
        return f"<torsor.Search over {', '.join(self.units)}: {len(self)} runs{found}>"
