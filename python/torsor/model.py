# SPDX-License-Identifier: Apache-2.0
"""Models: read from files, built in code, changed, run."""
from __future__ import annotations

import functools
import html
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._library import check, encode, ffi, lib, take_handle, take_text
from .errors import FileError
from .options import Options
from .sections import NAMED, ModelSections, Section, check_fields, kinds_of, write

if TYPE_CHECKING:
    from .modes import Campbell, Modes
    from .results import Results
    from .run import Event, Progress, Run

VALUES = ("title", "units", "include", "gravity", "analysis", "outputs")


@functools.lru_cache(maxsize=1)
def schema() -> dict[str, Any]:
    """The JSON Schema of model files: every section, kind and field."""
    found: dict[str, Any] = json.loads(take_text(lib.torsor_schema))
    return found


def may_write(place: str, text: bytes) -> bool:
    """Can the file be written without loss? It does not exist, is empty, or holds this text."""
    try:
        with open(place, "rb") as file:
            return file.read(len(text) + 1) in (b"", text)
    except FileNotFoundError:
        return True


def put_whole(place: str, text: bytes) -> None:
    """Write a file under another name, then move it to its place: there is the whole text or what was there before."""
    if os.path.exists(place) and not os.path.isfile(place):  # a pipe, a terminal
        with open(place, "wb") as file:
            file.write(text)
        return
    draft, name = tempfile.mkstemp(prefix=os.path.basename(place) + ".", suffix=".tmp", dir=os.path.dirname(place))
    try:
        with open(draft, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(draft)
            os.fchmod(draft, mode_of(place))
        os.replace(name, place)
    except BaseException:
        os.unlink(name)
        raise


def mode_of(place: str) -> int:
    """Who may read the old file may read the new one; a new one is as open() would make it."""
    try:
        return os.stat(place).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask


@functools.lru_cache(maxsize=1)
def kinds() -> dict[str, dict[str, dict[str, Any]]]:
    return kinds_of(schema())


def load(path: str | os.PathLike[str], parameters: Mapping[str, Any] | None = None) -> Model:
    """Read a model file. Parameters, if given, replace those in the file."""
    model = Model(_handle=take_handle("model", lib.torsor_model_read, encode(path)), _file=path)
    return model.with_parameters(parameters or {}, copy=False)


def parse(text: str, name: str = "model", parameters: Mapping[str, Any] | None = None) -> Model:
    """Read a model from a text; the name appears in messages."""
    data = text.encode("utf-8", "surrogateescape")
    handle = take_handle("model", lib.torsor_model_parse, data, len(data), encode(name))
    return Model(_handle=handle).with_parameters(parameters or {}, copy=False)


def counted(number: int, section: str) -> str:
    """1 body, 2 bodies."""
    one = {"bodies": "body", "masses": "mass", "meshes": "mesh"}.get(section, section.removesuffix("s"))
    return f"{number} {one if number == 1 else section}"


class Model(ModelSections):
    """A model file in memory.

    Sections are attributes (m.bodies, m.joints, ..., also m.parameters, m.signals, m.points), and so are title, units,
    gravity, analysis and outputs, to be assigned. What is assigned is checked when a run is made.
    """

    if TYPE_CHECKING:
        _handle: Any
        _file: str | None  # where the model was read or saved last, links followed
        title: Any
        units: Any
        gravity: Any
        analysis: Any
        outputs: Any

    def __init__(self, title: str | None = None, *, units: Any = None, _handle: Any = None,
                 _file: str | os.PathLike[str] | None = None) -> None:
        object.__setattr__(self, "_handle", _handle or take_handle("model", lib.torsor_model_new))
        object.__setattr__(self, "_file", _file and os.path.realpath(_file))
        if title is not None:
            self.set("title", title)
        if units is not None:
            self.set("units", units)

    # ---- changing ----

    def set(self, path: str, value: Any) -> Model:
        """The value at a path: m.set("bodies.arm.mass", "2 kg"), m.set("analysis.step", 1e-3)."""
        check(lib.torsor_model_set(self._handle, encode(path), encode(write(value))))
        return self

    def add(self, section: str, name: str, value: Any = None, **fields: Any) -> Model:
        """A new entry of a section; its fields as a mapping or as keywords."""
        value = fields if value is None else value
        check(lib.torsor_model_add(self._handle, encode(section), encode(name),
                                   encode(write(value))))
        return self

    def with_parameters(self, values: Mapping[str, Any], copy: bool = True) -> Model:
        """A copy with other parameters. Those that the model does not have are refused."""
        model = self.copy() if copy else self
        for name, value in values.items():
            check(lib.torsor_model_override(model._handle, encode(f"parameters.{name}"), encode(write(value))))
        return model

    def override(self, name: str, value: Any) -> Model:
        """As --set of the program: a parameter by its name, or a path such as "bodies.arm.mass"."""
        check(lib.torsor_model_override(self._handle, encode(name), encode(write(value))))
        return self

    def copy(self) -> Model:
        return Model(_handle=take_handle("model", lib.torsor_model_copy, self._handle))

    # ---- looking ----

    def has(self, path: str) -> bool:
        return bool(lib.torsor_model_has(self._handle, encode(path)))

    def get(self, path: str) -> str:
        """Return the value at a path, as written in the model."""
        return take_text(lib.torsor_model_get, self._handle, encode(path))

    def keys(self, path: str = "") -> list[str]:
        """The names below a path: m.keys("bodies"); without, the sections that there are."""
        if path and not self.has(path):
            return []
        return take_text(lib.torsor_model_keys, self._handle, encode(path)).splitlines()

    @property
    def text(self) -> str:
        """The model file."""
        return take_text(lib.torsor_model_text, self._handle)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the model file. Replaces the file that this model was read from or saved to, with `force` any file."""
        text, place = self.text.encode("utf-8", "surrogateescape"), os.path.realpath(path)
        if not (force or place == self._file or may_write(place, text)):
            raise FileError(f"{os.fspath(path)} exists and is not the file of this model: not overwritten; choose another name, or give force=True",
                            status=lib.TORSOR_EIO)
        put_whole(place, text)
        object.__setattr__(self, "_file", place)

    # ---- sections and values ----

    def __getattr__(self, name: str) -> Any:
        if name in kinds():
            return Section(self, name, kinds()[name])
        if name in VALUES:
            return self.get(name) if self.has(name) else None
        raise AttributeError(f"a model has no '{name}': there are {', '.join([*VALUES, *kinds()])}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in VALUES and name not in kinds():
            raise AttributeError(f"a model has no '{name}' to be set")
        if isinstance(value, Mapping):
            check_fields(name, schema()["properties"].get(name, {}), value)
        self.set(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *VALUES, *kinds()})

    # ---- running ----

    def start(self, output: str | os.PathLike[str] | None = None, *, force: bool = False, **options: Any) -> Run:
        """Return a run at its start, with joints closed, to be stepped, read and driven. Options as for run."""
        from .run import Run
        given = Options("run", options).handle if options else ffi.NULL
        run = Run(take_handle("run", lib.torsor_run_begin, self._handle, given))
        if output is not None:
            run.record(output, force=force)
        return run

    def check(self) -> Run:
        """Read and assemble the model; raise an error that lists all mistakes. Results: .assembly, .notes."""
        return self.start()

    def run(self, output: str | os.PathLike[str] | None = None, *, force: bool = False, progress: Progress = False,
            before: Callable[[Run], Any] | None = None,
            after: Callable[[Run], Any] | None = None,
            on_event: Callable[[Run, Event], Any] | None = None, **options: Any) -> Results:
        """Run from start to end. Without an output the results are in a temporary file that exists as long as the object.

        force: replace the output, whatever it is; without, only earlier results of the same model are replaced.
        Options replace those of the model's analysis: scheme, step, end, rho, tolerance, solver, threads, every.

        before(run), after(run) are called around every step: read the state, set run.inputs; return anything true to
        stop. on_event(run, event) is called after every step in which an event happened. progress: True for a line on stderr, or a function of (fraction, run).
        """
        from .results import Results, Temporary
        place = Temporary() if output is None else None
        path = place.path if place else os.fspath(output)  # type: ignore[arg-type]
        run = self.start(path, force=force, **options)
        try:
            run.run(progress=progress, before=before, after=after, on_event=on_event)
        finally:
            run.finish()
        return Results(path, _temporary=place)

    def modes(self, count: int = 10, *, spin: Sequence[Any] | str | None = None,
              about: Sequence[Any] | str | None = None,
              as_drawn: bool = False, buckling: bool = False) -> Modes:
        """The lowest modes of vibration about equilibrium, at rest or in steady rotation; or buckling loads.

        spin: rad/s, or with units ["0", "0", "300 rpm"]; about: a point of the axis, m, or the name of
        one of the model's points.
        """
        from .modes import Modes
        spin = (0.0, 0.0, 0.0) if spin is None else spin
        about = (0.0, 0.0, 0.0) if about is None else about
        if any(isinstance(value, str) for value in (spin, about, *spin, *about)):
            given = Options("modes", dict(modes=count, spin=spin, about=about, as_drawn=as_drawn,
                                          buckling=buckling))
            return Modes(take_handle("modes", lib.torsor_modes_find, self._handle, given.handle),
                         buckling)
        options = ffi.new("torsor_modal_options *", dict(
            modes=count, spin=[*map(float, spin)], about=[*map(float, about)],
            as_drawn=as_drawn, buckling=buckling))
        return Modes(take_handle("modes", lib.torsor_modes_new, self._handle, options), buckling)

    def campbell(self, spin: Sequence[Any] | str, speeds: int = 21, count: int = 10, *,
                 about: Sequence[Any] | str | None = None, as_drawn: bool = False) -> Campbell:
        """Modes at so many speeds from rest to `spin`, joined to curves: a Campbell diagram. See modes."""
        from .modes import Campbell
        place = {} if about is None else {"about": about}
        given = Options("modes", dict(modes=count, spin=spin, speeds=speeds, as_drawn=as_drawn, **place))
        return Campbell(take_handle("campbell", lib.torsor_campbell_new, self._handle, given.handle))

    @property
    def warnings(self) -> list[str]:
        """Warnings about the model, as the program prints them before a run."""
        return take_text(lib.torsor_model_warnings, self._handle).splitlines()

    def channels(self, *names: str | Iterable[str]) -> dict[str, dict[str, Any]]:
        """Columns that results of the model will have, all or those that names and patterns take ("*.angle"): unit,
        meaning ("help"), whose they are ("of")."""
        from .results import channels_of
        return channels_of(lib.torsor_model_channels, self._handle, names)

    def _repr_html_(self) -> str:
        """The model as drawn, the result of the check, and the model file."""
        from .animation import still
        from .check import Check
        found = Check(self)
        verdict = "no mistakes" if found.valid else f"<pre>{html.escape(found.page)}</pre>"
        return f"{still(found.run) if found.run else ''}<details><summary><b>{html.escape(repr(self))}</b>: {verdict}</summary><pre>{html.escape(self.text)}</pre></details>"

    def __repr__(self) -> str:
        there = [name for name in self.keys() if name in kinds() and name not in NAMED]
        counts = ", ".join(counted(len(self.keys(name)), name) for name in there)
        return f"<torsor.Model {self.title or ''}: {counts or 'empty'}>"

    def __getstate__(self) -> str:
        return self.text

    def __setstate__(self, text: str) -> None:
        object.__setattr__(self, "_handle", parse(text)._handle)


def modes(model: Model | str | os.PathLike[str], count: int = 10, **options: Any) -> Modes:
    """Modes of a model, or of the model of a file: see Model.modes."""
    model = model if isinstance(model, Model) else load(model)
    return model.modes(count, **options)
