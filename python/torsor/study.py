"""Parameter studies: one model, many parameters, all cores.

Each case runs in a process of its own pool, made by fork, so that any function may be the measure, also one of a
notebook. A case that fails does not stop the others.
"""
from __future__ import annotations

import itertools
import multiprocessing
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any, Union

from .errors import ModelError, TorsorError
from .model import Model, load
from .results import Results

Values = Union[Mapping[str, Iterable[Any]], Iterable[Mapping[str, Any]]]


@dataclass(frozen=True)
class Case:
    """One of a study: its parameters, and what the measure returned, or the error."""
    parameters: dict[str, Any]
    value: Any = None
    error: Exception | None = None


def cases_of(values: Values) -> list[dict[str, Any]]:
    """{"L": [1, 2], "M": [3, 4]} is a grid, the last name fastest; a list of mappings is itself."""
    if isinstance(values, Mapping):
        lists = [list(column) for column in values.values()]
        return [dict(zip(values, point)) for point in itertools.product(*lists)]
    return [dict(case) for case in values]


# what the processes find when they are forked
_task: tuple[Model, Callable[[Results], Any]] | None = None


def _one(parameters: dict[str, Any]) -> Any:
    assert _task is not None
    model, measure = _task
    return measure(model.with_parameters(parameters).run())


def _guarded(parameters: dict[str, Any]) -> Case:
    try:
        return Case(parameters, value=_one(parameters))
    except Exception as why:  # pylint: disable=broad-except
        return Case(parameters, error=_portable(why))


def _portable(why: Exception) -> Exception:
    """Errors cross the border between processes; those that cannot are told in words."""
    if isinstance(why, TorsorError) or type(why).__module__ == "builtins":
        return why
    return RuntimeError(f"{type(why).__name__}: {why}")


def _tell(progress: Any, done: int, count: int) -> None:
    if progress is True:
        print(f"\r{done} of {count}", end="\n" if done == count else "", flush=True)
    elif progress:
        progress(done, count)


def sweep(model: Model | str | os.PathLike[str], values: Values, measure: Callable[[Results], Any],
          *, processes: int | None = None, progress: Any = False) -> list[Case]:
    """Runs the model for all values of its parameters; measure(results) is what is kept of each. In order.

    processes: default, as many as cores; 0: none, all in this one (for debugging).
    """
    global _task
    model = model if isinstance(model, Model) else load(model)
    points = cases_of(values)
    for name in {name for point in points for name in point}:
        if not model.has(f"parameters.{name}"):
            raise ModelError(f"the model has no parameter '{name}'", status=-1)
    workers = (os.cpu_count() or 1) if processes is None else processes
    before, _task = _task, (model, measure)
    try:
        if workers == 0 or len(points) == 0:
            return [_guarded(point) for point in points]
        return _spread(points, min(workers, len(points)), progress)
    finally:
        _task = before


def _spread(points: Sequence[dict[str, Any]], workers: int, progress: Any) -> list[Case]:
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        futures: list[Future[Case]] = [pool.submit(_guarded, point) for point in points]
        for done, _ in enumerate(as_completed(futures), 1):
            _tell(progress, done, len(points))
    return [_collect(future, point) for future, point in zip(futures, points)]


def _collect(future: Future[Case], point: dict[str, Any]) -> Case:
    why = future.exception()
    if why is None:
        return future.result()
    return Case(point, error=RuntimeError(f"its process did not return: {why}"))
