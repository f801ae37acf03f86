# SPDX-License-Identifier: Apache-2.0
"""Studies of many cases: one model, many parameters, here or on a cluster.

    found = torsor.study("pendulum.yaml", {"L": [1, 2, 3], "c": {"lognormal": [0.2, 0.3]}},
                         {"peak": "max hinge.angle"}, samples=20, journal="pendulum.jsonl")
    found.to_csv("pendulum.csv")

Everything that a case needs is in the arguments of run_case, so any concurrent.futures.Executor can run it. A journal has
a line for each finished case; a study that was interrupted goes on from there. See docs/studies.md.
"""
from __future__ import annotations

import csv
import ctypes
import dataclasses
import functools
import hashlib
import json
import math
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Union

import numpy as np

from ._library import check, encode, ffi, lib, replacing, take_handle, take_text, text_of
from .errors import ModelError, TorsorError
from .journal import Journal, all_parts, part_path
from .model import Model, load, parse
from .results import Page, Results, Temporary
from .sections import write

Measure = Union[Callable[[Results], Any], Mapping[str, str], str]
Values = Union[Mapping[str, Any], Iterable[Mapping[str, Any]]]
HISTORY = 240  # points of a history in the journal


@dataclass(frozen=True)
class Case:
    """A case of a study: its parameters, and what the measure returned, or the error."""
    parameters: dict[str, Any]
    value: Any = None
    error: Exception | None = None
    number: int = 0
    line: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)  # of the journal


def written(value: Any) -> str:
    """As a model file has it."""
    return value if isinstance(value, str) else write(value)


# ---- one case, anywhere ----

@dataclass(frozen=True)
class Task:
    """All data of a case; pickled for other processes."""
    text: str
    name: str
    title: str
    number: int
    key: str
    parameters: dict[str, Any]
    options: dict[str, Any]
    measure: Any
    histories: tuple[str, ...] = ()
    keep: str | None = None  # a results file
    page: str | None = None  # its report
    place: int = 0  # of model and measure in this process and its children; then there is no text


# models and measures of this process, for itself and those that are forked from it: a measure may then be any function, also
# one of a notebook, and mistakes in a model are told where they were written
_local: dict[int, tuple[Model, Any]] = {}


@functools.lru_cache(maxsize=1)
def _parsed(text: str, name: str) -> Model:
    return parse(text, name)


def _number(value: Any) -> float | None:
    """For JSON, which has no NaN."""
    return float(value) if math.isfinite(value) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def measure_results(results: Results, measure: str) -> tuple[float, str]:
    """One number of a history, "max hinge.angle", with its unit."""
    value, unit = ffi.new("double *"), ffi.new("char **")
    check(lib.torsor_results_measure(results._handle, encode(measure), value, unit))
    try:
        return float(value[0]), text_of(unit[0])
    finally:
        lib.torsor_text_free(unit[0])


def _measured(results: Results, measure: Any) -> tuple[Any, dict[str, Any]]:
    """The value, and what the journal says of it."""
    if isinstance(measure, Mapping):
        found = {name: measure_results(results, text) for name, text in measure.items()}
        value: Any = {name: number for name, (number, _) in found.items()}
        return value, {"values": {name: _number(number) for name, number in value.items()},
                       "units": {name: unit for name, (_, unit) in found.items()}}
    value = measure(results)
    if _is_number(value):
        return value, {"values": {"value": _number(value)}}
    if isinstance(value, Mapping) and value and all(_is_number(item) for item in value.values()):
        return value, {"values": {str(name): _number(item) for name, item in value.items()}}
    return value, {"values": {}, "value": value}


def _histories(results: Results, channels: Sequence[str]) -> dict[str, Any]:
    if not channels:
        return {}
    table = results.table(*channels)
    rows = np.unique(np.linspace(0, len(table.t) - 1, min(len(table.t), HISTORY)).round().astype(int))
    return {"histories": {name: [None if not math.isfinite(x) else float(f"{x:.6g}") for x in column[rows]]
                          for name, column in table.items()}}


def run_case(task: Task) -> tuple[Any, dict[str, Any]]:
    """Run a case; return the value of the measure, and the line for the journal."""
    begun = time.perf_counter()
    model, measure = _local.get(task.place, (None, task.measure))
    model = (model or _parsed(task.text, task.name)).copy()
    for name, value in task.parameters.items():
        model.override(name, value)
    results = model.run(task.keep, force=True, **task.options)
    value, told = _measured(results, measure)
    line = {"key": task.key, "case": task.number, "study": task.title, "model": task.name,
            "parameters": {name: written(item) for name, item in task.parameters.items()}, **told,
            "good": bool(results.info["sound"]), "seconds": round(time.perf_counter() - begun, 4),
            **_histories(results, task.histories)}
    if task.page:
        results.show(task.page, browser=False)
    kept = task.page or task.keep
    if kept:
        line["run"] = os.path.relpath(kept, os.path.dirname(os.path.dirname(kept)))
    return value, line


def guarded(task: Task) -> tuple[str, Any, dict[str, Any]]:
    """run_case whose errors come back as values: they cross the border between processes."""
    try:
        value, line = run_case(task)
        return "done", value, line
    except Exception as why:  # pylint: disable=broad-except
        return "failed", _portable(why), {}


def _portable(why: Exception) -> Exception:
    if isinstance(why, TorsorError) or type(why).__module__ == "builtins":
        return why
    return RuntimeError(f"{type(why).__name__}: {why}")


# ---- processes here ----

# opened here: a process that was just forked from one with threads should do little
_libc = ctypes.CDLL(None)


def _follow_parent() -> None:
    """The parent decides about interrupts, and a worker does not outlive it (Linux: PR_SET_PDEATHSIG)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        _libc.prctl(1, signal.SIGKILL, 0, 0, 0)


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("fork"), initializer=_follow_parent)


def _end(pool: Executor, at_once: bool) -> None:
    """at_once: running cases are not waited for."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=not at_once, cancel_futures=True)
    for process in processes if at_once else []:
        process.terminate()


class _Runner:
    """Runs tasks by an executor, and tells of each that is done. A broken executor is made anew if we know how; the
    cases that were in it then run alone, one after the other, so that only the culprit is lost."""

    def __init__(self, make: Callable[[], Executor] | None, given: Executor | None, window: int | None) -> None:
        self.make, self.given, self.window = make, given, window
        self.tell: Callable[[Task, str, Any, dict[str, Any]], None] = lambda *_: None

    def run(self, tasks: Sequence[Task]) -> None:
        left = list(reversed(tasks))
        while left:
            suspects = self._rush(left)
            for task in suspects:
                self._alone(task)

    def _rush(self, left: list[Task]) -> list[Task]:
        """Takes from the end of `left` until it is empty or the executor is broken; then, what was in it."""
        pool = self.given or self.make()  # type: ignore[misc]
        running: dict[Future[Any], Task] = {}
        ended = True
        try:
            while left or running:
                while left and (self.window is None or len(running) < self.window):
                    task = left.pop()
                    try:
                        running[pool.submit(guarded, task)] = task
                    except BrokenExecutor:
                        left.append(task)
                        return self._broken(running, left)
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                if any(isinstance(future.exception(), BrokenExecutor) for future in done):
                    return self._broken(running, left)
                for future in done:
                    self._collect(future, running.pop(future))
            ended = False
            return []
        finally:
            if self.given is None:
                _end(pool, at_once=ended)
            elif ended:
                for future in running:
                    future.cancel()

    def _broken(self, running: dict[Future[Any], Task], left: list[Task]) -> list[Task]:
        lost = []
        for future, task in running.items():
            wait([future])
            if isinstance(future.exception(), BrokenExecutor):
                lost.append(task)
            else:
                self._collect(future, task)
        if self.make is not None:
            return lost
        for task in [*lost, *reversed(left)]:  # it is the caller's, and cannot be made anew
            self.tell(task, "failed", RuntimeError("the executor broke, and this case did not run or did not return: give "
                                                   "the function that makes the executor in place of it"), {})
        left.clear()
        return []

    def _alone(self, task: Task) -> None:
        pool = _pool(1)
        future = pool.submit(guarded, task)
        try:
            self._collect(future, task)
        finally:
            _end(pool, at_once=not future.done())

    def _collect(self, future: Future[Any], task: Task) -> None:
        why = future.exception()
        if why is None:
            self.tell(task, *future.result())
        elif isinstance(why, BrokenExecutor):
            self.tell(task, "failed", RuntimeError("its process did not return: it was killed, ran out of memory or ended "
                                                   "itself"), {})
        else:
            self.tell(task, "failed", RuntimeError(f"its process did not return: {type(why).__name__}: {why}"), {})


class _Here:
    """Runs tasks in this process, for debugging."""
    tell: Callable[[Task, str, Any, dict[str, Any]], None]

    def run(self, tasks: Sequence[Task]) -> None:
        for task in tasks:
            self.tell(task, *guarded(task))


# ---- progress ----

class Bar:
    """A bar on a terminal, with the time left; or a function of (done, count)."""

    def __init__(self, progress: Any, count: int, before: int) -> None:
        self.progress, self.count, self.done, self.failed = progress, count, before, 0
        self.before, self.begun = before, time.monotonic()
        self.terminal = progress is None and sys.stderr.isatty()

    def step(self, failed: bool) -> None:
        self.done += 1
        self.failed += failed
        if callable(self.progress):
            self.progress(self.done, self.count)
        elif self.progress is True:
            print(f"\r{self.done} of {self.count}", end="\n" if self.done == self.count else "", flush=True)
        elif self.terminal:
            print(f"\r{self.text()}\033[K", end="", file=sys.stderr, flush=True)

    def text(self) -> str:
        share = self.done / max(1, self.count)
        each = (time.monotonic() - self.begun) / max(1, self.done - self.before)
        left = int(each * (self.count - self.done) + 0.5)
        filled = int(24 * share)
        return (f"{'█' * filled}{'░' * (24 - filled)} {self.done} of {self.count} cases, "
                f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left{f', {self.failed} failed' if self.failed else ''}")

    def end(self) -> None:
        if self.terminal and self.done > self.before:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


# ---- which cases ----

class Plan:
    """A study file, or equivalent data: cases, measures, options. See docs/studies.md."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        names = [name for name, _ in self.listed("parameters")]
        self.measures, self.options = dict(self.listed("measures")), dict(self.listed("options"))
        self.histories = tuple(name for name, _ in self.listed("histories"))
        self.cases = [{name: text_of(lib.torsor_plan_value(handle, case, i)) for i, name in enumerate(names)}
                      for case in range(lib.torsor_plan_cases(handle))]

    def setting(self, name: str) -> str | None:
        """title, model, output or keep; None: the file does not say."""
        found = lib.torsor_plan_setting(self._handle, encode(name))
        return None if found == ffi.NULL else text_of(found)

    def model(self) -> Model:
        """A copy of the model that the file names."""
        return Model(_handle=take_handle("model", lib.torsor_model_copy, lib.torsor_plan_model(self._handle)))

    def listed(self, what: str) -> list[tuple[str, str]]:
        count = lib.torsor_plan_count(self._handle, encode(what))
        return [(text_of(lib.torsor_plan_name(self._handle, encode(what), i)),
                 text_of(lib.torsor_plan_text(self._handle, encode(what), i))) for i in range(count)]


def plan(path: str | os.PathLike[str]) -> Plan:
    """A study file, read: plan("study.yaml").cases; mistakes with their lines."""
    return Plan(take_handle("plan", lib.torsor_plan_read, encode(path)))


def _item(value: Any) -> Any:
    """Of a parameter, as a study file has it: lists, mappings and texts; numbers are written in full."""
    if isinstance(value, Mapping):
        return {str(key): _item(item) for key, item in value.items()}
    if isinstance(value, str):
        return value
    return [_item(item) for item in value] if isinstance(value, Iterable) else written(value)


def _cases_of(values: Values, sampling: dict[str, Any]) -> list[dict[str, Any]]:
    """A list of mappings is itself; a mapping is a study file's `parameters`."""
    if not isinstance(values, Mapping):
        if any(sampling.values()):
            raise ModelError("samples and tables go with a mapping of parameters, not with a list of cases", status=-1)
        return [dict(case) for case in values]
    text = json.dumps({"study": 1, "parameters": _item(values),
                       **{key: item for key, item in sampling.items() if item is not None}}).encode()
    return Plan(take_handle("plan", lib.torsor_plan_parse, text, len(text), ffi.NULL)).cases


def grid(values: Values) -> list[dict[str, Any]]:
    """{"L": [1, 2], "M": [3, 4]} is a grid, the last name fastest; a list of mappings is itself."""
    if not isinstance(values, Mapping):
        return [dict(case) for case in values]
    cases: list[dict[str, Any]] = [{}]
    for name, column in values.items():
        column = list(column)
        cases = [{**case, name: item} for case in cases for item in column]
    return cases


def case_key(text: str, parameters: Mapping[str, Any], options: Mapping[str, Any], measures: Any) -> str:
    """sha256 of the model, the parameters, the options and what is measured; of a function, its name."""
    if not isinstance(measures, Mapping):
        measures = {"function": getattr(measures, "__qualname__", type(measures).__name__)}
    parts = [text]
    for what, items in (("set", parameters), ("option", options), ("measure", measures)):
        parts += [f"{what} {name}={written(value)}" for name, value in sorted(items.items())]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


# ---- what was found ----

class Cases(Sequence[Case]):
    """The cases of a study in order; those that failed have an error."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = list(cases)

    def __getitem__(self, which: Any) -> Any:
        return self._cases[which]

    def __len__(self) -> int:
        return len(self._cases)

    def __iter__(self) -> Iterator[Case]:
        return iter(self._cases)

    @property
    def failed(self) -> list[Case]:
        return [case for case in self._cases if case.error is not None]

    @property
    def finished(self) -> list[Case]:
        return [case for case in self._cases if case.error is None]

    def _write(self, form: str, path: str | os.PathLike[str], force: bool) -> None:
        with tempfile.TemporaryDirectory(prefix="torsor-") as folder:
            name = os.path.join(folder, "journal.jsonl")
            with Journal(name) as journal:
                for case in self.finished:
                    journal.add(case.line)
            held = ffi.new("char[]", encode(name))
            with replacing(force):
                check(lib.torsor_journals_write(1, ffi.new("char *[]", [held]), encode(form), encode(os.fspath(path)),
                                                ffi.NULL))

    def to_csv(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """One row for each finished case, numbers in SI."""
        self._write("csv", path, force)

    def to_hdf5(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """The same as a table `cases` of an HDF5 file."""
        self._write("h5", path, force)

    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> Page:
        """A page for the browser: parallel coordinates, scatter, histories, table."""
        self._write("report", path, force)
        return Page(os.path.abspath(path))

    def columns(self) -> dict[str, Any]:
        """NumPy arrays by name: case, parameters and values of the finished cases; numbers in SI."""
        with tempfile.TemporaryDirectory(prefix="torsor-") as folder:
            self.to_csv(os.path.join(folder, "table.csv"))
            with open(os.path.join(folder, "table.csv"), newline="", encoding="utf-8") as file:
                head, *rows = csv.reader(file)
        columns: dict[str, Any] = {}
        for i, name in enumerate(head):
            name, _, unit = name.partition(" [")
            cells = [row[i] for row in rows]
            if unit == "text]":
                columns[name] = np.array(cells)
                continue
            columns[name] = np.array([float(cell or "nan") for cell in cells])
            if name in ("case", "good") and not unit:
                columns[name] = columns[name].astype(int)
        return columns

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of `columns`."""
        try:
            import pandas  # type: ignore[import]
        except ImportError:
            raise TorsorError("to_pandas() needs pandas: apt install python3-pandas") from None
        return pandas.DataFrame(self.columns())

    def __repr__(self) -> str:
        return f"<torsor.Cases: {len(self)}, {len(self.failed)} failed>"


# ---- the study ----

def value_of(line: Mapping[str, Any], declared: bool) -> Any:
    """The value of the measure, from the journal."""
    if "value" in line:
        return line["value"]
    values = {name: math.nan if item is None else item for name, item in line["values"].items()}
    return values["value"] if not declared and [*values] == ["value"] else values


def _check_part(part: tuple[int, int] | None) -> None:
    if part is not None and not (len(part) == 2 and 1 <= part[0] <= part[1]):
        raise ModelError(f"part={part!r}: expected (i, n) with i from 1 to n", status=-1)


def _check_names(model: Model, cases: Iterable[Mapping[str, Any]]) -> None:
    copy = model.copy()
    for name, value in {name: value for case in cases for name, value in case.items()}.items():
        copy.override(name, value)


def _check_channels(model: Model, measures: Any, histories: Sequence[str], options: Mapping[str, Any]) -> None:
    """At once, and not after the first run."""
    wanted = [*histories, *(text.split(None, 1)[-1] for text in measures.values())] if isinstance(measures, Mapping) \
        else [*histories]
    if wanted:
        place = Temporary()
        model.start(place.path, **options).finish()
        try:
            Results(place.path).table(*wanted)
        except ModelError as why:
            raise ModelError(why.message.replace(place.path, "the model"), status=why.status) from None


def _runner(executor: Any, processes: int | None, count: int) -> Any:
    if executor is not None:
        return _Runner(None, executor, None) if isinstance(executor, Executor) else _Runner(executor, None, os.cpu_count())
    workers = (os.cpu_count() or 1) if processes is None else processes
    if workers == 0:
        return _Here()
    workers = max(1, min(workers, count))
    return _Runner(lambda: _pool(workers), None, workers)


def study(model: Model | str | os.PathLike[str], parameters: Values | None = None, measure: Measure | None = None, *,
          samples: int | None = None, method: str | None = None, seed: int | None = None,
          table: str | os.PathLike[str] | None = None, histories: Sequence[str] = (), options: Mapping[str, Any] | None = None,
          executor: Executor | Callable[[], Executor] | None = None, processes: int | None = None,
          journal: str | os.PathLike[str] | None = None, part: tuple[int, int] | None = None,
          keep: str | os.PathLike[str] | None = None, reports: bool = False, progress: Any = None) -> Cases:
    """Runs the model for all cases; returns them in order.

    parameters  {"L": [1, 2], "M": {"from": 1, "to": 2, "count": 5}, "c": {"uniform": ["1 N*s/m", "2 N*s/m"]}}: grids, and
                distributions of which `samples` are taken (method "latin_hypercube" or "random", by `seed`); or a list of
                mappings, each a case. table: a CSV file with more of them.
    measure     {"peak": "max hinge.angle"}, or a function of the results.
    executor    any concurrent.futures.Executor, or a function that makes one; default, `processes` processes here
                (as many as cores; 0: in this one).
    journal     a file: finished cases are written there, and not run again. part=(i, n): every n-th case, from the i-th.
    keep        a folder for the results of each case; reports: and for their pages.
    progress    default: a bar on a terminal; False: none; or a function of (done, count).

    Without parameters and measure, the model is the path of a study file, whose settings hold unless given here.
    """
    title, name, given = None, "model" if isinstance(model, Model) else os.fspath(model), None
    if parameters is None and table is None and not isinstance(model, Model):
        given = plan(model)
        title = given.setting("title")
        cases, measure = given.cases, measure or given.measures
        options = {**given.options, **(options or {})}
        histories = histories or given.histories
        model, name = given.model(), given.setting("model") or name
    model = model if isinstance(model, Model) else load(model)
    if given is None:
        cases = _cases_of(parameters or {}, {"samples": samples, "method": method, "seed": seed,
                                             "table": os.path.abspath(table) if table is not None else None})
    measure = {measure: measure} if isinstance(measure, str) else measure
    if not measure:
        raise ModelError("the study has no measures: give a measure, such as {'peak': 'max hinge.angle'}", status=-1)
    _check_part(part)
    options = dict(options or {})
    _check_names(model, cases)
    if isinstance(measure, Mapping) and not histories:
        histories = tuple(dict.fromkeys(text.split(None, 1)[-1] for text in measure.values()))
    _check_channels(model, measure, histories, options)
    tasks = _tasks(model, name, title, cases, measure, options, tuple(histories), keep, reports)
    if part is not None:
        tasks = tasks[part[0] - 1::part[1]]
    runner = _runner(executor, processes, len(tasks))
    if executor is not None:
        return _run(tasks, measure, runner, journal, part, progress)
    place = id(tasks)
    _local[place] = (model, measure)
    try:
        tasks = [dataclasses.replace(task, text="", measure=None, place=place) for task in tasks]
        return _run(tasks, measure, runner, journal, part, progress)
    finally:
        del _local[place]


def _unquoted(text: str | None) -> str | None:
    return text[1:-1] if text and text[0] in "'\"" and text[-1] == text[0] else text


def _tasks(model: Model, name: str, title: str | None, cases: Sequence[dict[str, Any]], measure: Any,
           options: dict[str, Any], histories: tuple[str, ...], keep: Any, reports: bool) -> list[Task]:
    text = take_text(lib.torsor_model_whole, model._handle)
    if keep is not None:
        os.makedirs(keep, exist_ok=True)

    def place(i: int, ending: str, wanted: bool) -> str | None:
        return os.path.join(os.path.abspath(keep), f"{i}.{ending}") if wanted else None

    return [Task(text, name, title or _unquoted(model.title) or name, i, case_key(text, case, options, measure), case, options, measure,
                 histories, place(i, "h5", keep is not None), place(i, "html", keep is not None and reports))
            for i, case in enumerate(cases)]


def _run(tasks: Sequence[Task], measure: Any, runner: Any, journal: Any, part: Any, progress: Any) -> Cases:
    found: dict[int, Case] = {}
    declared = isinstance(measure, Mapping)
    known = all_parts(journal) if journal is not None else {}
    for task in tasks:
        if task.key in known:
            line = {**known[task.key], "case": task.number}
            found[task.number] = Case(task.parameters, value_of(line, declared), None, task.number, line)
    left = [task for task in tasks if task.number not in found]
    bar = Bar(progress, len(tasks), len(found))
    try:
        with Journal(part_path(journal, part) if journal is not None else None) as log:
            def tell(task: Task, status: str, value: Any, line: dict[str, Any]) -> None:
                if status == "done":
                    log.add(line)
                found[task.number] = (Case(task.parameters, value, None, task.number, line) if status == "done" else
                                      Case(task.parameters, None, value, task.number))
                bar.step(status != "done")
            runner.tell = tell
            runner.run(left)
    finally:
        bar.end()
    return Cases([found[task.number] for task in tasks])
