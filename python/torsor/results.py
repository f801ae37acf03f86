# SPDX-License-Identifier: Apache-2.0
"""Results files: tables, arrays, pictures."""
from __future__ import annotations

import html
import json
import os
import pathlib
import shutil
import sys
import tempfile
import weakref
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from ._library import (Floats, check, encode, ffi, lib, replacing, take_attachments, take_handle, take_struct, take_text,
                       text_of, view)
from .errors import ModelError, TorsorError

if TYPE_CHECKING:
    from .model import Model
    from .run import Contact, Resolution, Run


Names = Union[str, Iterable[str]]  # a name, a pattern, or a list of them


def flat(names: tuple[Names, ...]) -> tuple[str, ...]:
    """Names and lists of names as one list."""
    found: list[str] = []
    for name in names:
        found += [name] if isinstance(name, str) or not isinstance(name, Iterable) else list(name)
    for one in found:
        if not isinstance(one, str):
            raise TypeError(f"columns are chosen by name, not by {one!r}")
    return tuple(found)


def selectors_of(names: tuple[Names, ...]) -> tuple[int, Any, Any]:
    """Count and pointers, and what keeps the texts alive."""
    held = [ffi.new("char[]", encode(name)) for name in flat(names)]
    return len(held), ffi.new("char *[]", held) if held else ffi.NULL, held


def channels_of(function: Any, handle: Any, names: tuple[Names, ...]) -> dict[str, dict[str, Any]]:
    count, pointers, _held = selectors_of(names)
    found = json.loads(take_text(function, handle, count, pointers, True))["channels"]
    return {one.pop("name"): one for one in found}


class Temporary:
    """A file that lives as long as this object, in the process that made it."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(prefix="torsor-")
        self.path = os.path.join(folder, "results.h5")
        weakref.finalize(self, _remove, folder, os.getpid())


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:  # not in one that was forked from it
        shutil.rmtree(folder, ignore_errors=True)


class Table(Mapping[str, Floats]):
    """Columns by name, the time "t" first; each a view of the table's memory."""

    def __init__(self, handle: Any, only: str | None = None) -> None:
        self._table = handle
        columns, rows = lib.torsor_table_columns(handle), lib.torsor_table_rows(handle)
        self._columns = {text_of(lib.torsor_table_name(handle, i)):
                         view(handle, lib.torsor_table_column(handle, i), rows)
                         for i in range(columns)}
        self.units = {text_of(lib.torsor_table_name(handle, i)):
                      text_of(lib.torsor_table_unit(handle, i)) for i in range(columns)}
        if only is not None:
            self._columns, self.units = {only: self._columns[only]}, {only: self.units[only]}

    def __getitem__(self, name: str) -> Floats:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def t(self) -> Floats:
        return self._columns["t"]

    def array(self) -> Floats:
        """Rows x columns, without the time."""
        return np.column_stack([column for name, column in self._columns.items() if name != "t"])

    def to_svg(self, title: str = "", over: str | None = None) -> str:
        """A plot of all columns as SVG, over the time or over another column; needs no matplotlib."""
        return take_text(lib.torsor_table_plot, self._table, encode(title), ffi.NULL if over is None else encode(over), b"svg", 0, 0)

    def to_pandas(self) -> Any:
        """A DataFrame over the time; units are in frame.attrs["units"]."""
        try:
            import pandas
        except ImportError:
            raise TorsorError("to_pandas() needs pandas: apt install python3-pandas") from None
        frame = pandas.DataFrame({name: column for name, column in self._columns.items() if name != "t"},
                                 index=pandas.Index(self.t, name="t"))
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_xarray(self) -> Any:
        """A Dataset over the time, with the unit of each column in its attributes."""
        try:
            import xarray
        except ImportError:
            raise TorsorError("to_xarray() needs xarray: apt install python3-xarray") from None
        columns = {name: ("t", column, {"units": self.units[name]}) for name, column in self._columns.items() if name != "t"}
        return xarray.Dataset(columns, coords={"t": ("t", self.t, {"units": self.units["t"]})})

    def __repr__(self) -> str:
        names = list(self._columns)
        shown = ", ".join(names[:6]) + (f", ... ({len(names)} columns)" if len(names) > 6 else "")
        return f"<torsor.Table of {len(next(iter(self._columns.values())))} rows: {shown}>"

    def _repr_html_(self) -> str:
        """The first and last rows."""
        names, rows = list(self._columns)[:8], len(next(iter(self._columns.values())))
        head = "".join(f"<th>{html.escape(name)}<br><small>{html.escape(self.units[name])}</small></th>" for name in names)
        chosen = list(range(rows)) if rows <= 10 else [*range(5), *range(rows - 5, rows)]
        lines = ["<tr>" + "".join(f"<td>{self._columns[name][k]:.6g}</td>" for name in names) + "</tr>" for k in chosen]
        if rows > len(chosen):
            lines.insert(5, "<tr>" + "<td>…</td>"*len(names) + "</tr>")
        more = f"<p>{rows} rows, {len(self)} columns</p>"
        return f"<table><tr>{head}</tr>{''.join(lines)}</table>{more}"


class Page(pathlib.PosixPath):
    """A report: the path of its file, which a notebook shows as the page itself."""

    HEIGHT = 700  # of the frame in a notebook, pixels
    MOST = 40_000_000  # characters that a notebook is given to hold

    def _repr_html_(self) -> str:
        text = self.read_text(encoding="utf-8")
        if len(text) > self.MOST:
            return f'<a href="{html.escape(self.as_uri())}">{html.escape(str(self))}</a>'
        return (f'<iframe srcdoc="{html.escape(text)}" width="100%" height="{self.HEIGHT}" '
                'style="border: 0" title="report of torsor" allowfullscreen></iframe>')


class Results:
    """A results file, including that of a run that is still going on or was killed.

    results["hinge.angle"]      one column, or rows x columns for "rod.position"
    results.table("rod", "energy")
    results["*.angle"]          a table of all columns that match
    results.series("frames/q")  arrays as they are in the file
    """

    def __init__(self, path: str | os.PathLike[str], *, _temporary: Temporary | None = None) -> None:
        self.path = os.fspath(path)
        self._temporary = _temporary
        self._handle = take_handle("results", lib.torsor_results_open, encode(self.path))

    # ---- numbers ----

    @property
    def frames(self) -> int:
        """Stored states."""
        return int(lib.torsor_results_frames(self._handle))

    @property
    def steps(self) -> int:
        return int(lib.torsor_results_steps(self._handle))

    def table(self, *columns: Names) -> Table:
        """Columns by name, one row per stored state; "rod" takes all of the rod's, "*.angle" those of all joints.
        Without names the usual ones."""
        names = flat(columns)
        wanted = tuple(name for name in names if name != "t")  # the time is always there
        if names and not wanted:
            wanted = ("energy.total",)
        count, pointers, _held = selectors_of(wanted)
        only = "t" if names and "t" in names and len(set(names)) == 1 else None
        return Table(take_handle("table", lib.torsor_results_table, self._handle, count, pointers), only)

    def __getitem__(self, name: str | Iterable[str]) -> Any:
        """results["hinge.angle"]: an array; results[["hinge.angle", "energy"]], results["*.angle"]: a table."""
        if not isinstance(name, str):
            return self.table(name)
        if name == "t":
            return self.t
        table = self.table(name)
        if "*" in name or "?" in name:
            return table
        whole = name in table or any(column.startswith(f"{name}.") for column in table)
        if not whole:  # a short name of one column: hinge.rate
            name = next(column for column in table if column != "t")
        return table[name] if name in table else table.array()

    @property
    def t(self) -> Floats:
        """Times of the stored states."""
        return self.series("frames/t")

    @property
    def columns(self) -> dict[str, str]:
        """All columns of the file, with their units."""
        return Table(take_handle("table", lib.torsor_results_catalogue, self._handle)).units

    def channels(self, *names: Names) -> dict[str, dict[str, Any]]:
        """Columns, all or those that names and patterns take: unit, meaning ("help"), whose they are ("of")."""
        return channels_of(lib.torsor_results_channels, self._handle, names)

    @property
    def arrays(self) -> dict[str, str]:
        """All arrays of the file, with their descriptions."""
        count = lib.torsor_results_series_count(self._handle)
        found = [take_struct("series", lib.torsor_results_series, self._handle, i)
                 for i in range(count)]
        return {text_of(s.name): f"{text_of(s.help)} [{text_of(s.unit)}]" for s in found}

    def series(self, name: str, first: int = 0, rows: int | None = None) -> Floats:
        """An array of the file, rows x entries x width, dimensions of one left out."""
        index = lib.torsor_results_series_find(self._handle, encode(name))
        if index < 0:
            raise ModelError(f"{self.path} has no array '{name}': there are "
                             f"{', '.join(self.arrays)}", status=lib.TORSOR_EINVAL)
        s = take_struct("series", lib.torsor_results_series, self._handle, index)
        rows = s.rows - first if rows is None else rows
        shape = (rows, s.entries, s.width)
        out = np.empty(shape)
        check(lib.torsor_results_read(self._handle, index, first, rows,
                                      ffi.cast("double *", out.ctypes.data)))
        if s.rank == 3:
            return out
        return out.reshape(rows) if s.rank == 1 else out.reshape(rows, s.entries * s.width)

    def contacts(self, state: int = -1, *, t: float | None = None) -> list[Contact]:
        """The pairs of shapes that touch at a stored state, by its number (-1: the last), or at the last one that is not
        after `t`."""
        from .run import Contact, as_dataclass
        if t is not None:
            state = int(np.searchsorted(self.t, t + 1e-9 * abs(t), side="right")) - 1
            if state < 0:
                raise ModelError(f"{self.path} begins at t = {self.t[0]:g} s", status=lib.TORSOR_EINVAL)
        count = ffi.new("int *")
        check(lib.torsor_results_contacts(self._handle, state + self.frames if state < 0 else state, count))
        found = (take_struct("contact", lib.torsor_results_contact, self._handle, i) for i in range(count[0]))
        return [as_dataclass(Contact, pair) for pair in found]

    # ---- what was run ----

    @property
    def info(self) -> dict[str, Any]:
        """The model and options of the run, its last time, and its energy audit."""
        found: dict[str, Any] = json.loads(take_text(lib.torsor_results_info, self._handle, True))
        return found

    @property
    def resolution(self) -> Resolution:
        """The audit of resolution; "unknown" in files from before there was one."""
        from .run import Resolution
        return Resolution.from_json(self.info["resolution"])

    @property
    def outputs(self) -> list[str]:
        """The columns that the model asks for in outputs.csv."""
        return take_text(lib.torsor_results_outputs, self._handle).splitlines()

    @property
    def text(self) -> str:
        """The model file that was run."""
        return take_text(lib.torsor_results_text, self._handle)

    def attachments(self) -> list[tuple[str, Floats]]:
        """Points of rigid bodies at which joints and springs are attached: name of the body and the place in its axes, m."""
        return take_attachments(lib.torsor_results_attachments, self._handle)

    def model(self) -> Model:
        from .model import parse
        return parse(self.text, self.path)

    def restart(self, frame: int = -1, end: Any = None, **options: Any) -> Run:
        """A run that continues from a stored state: see Run.restart."""
        from .run import Run
        return Run.restart(self.path, frame, end, **options)

    def to_pandas(self, *names: Names) -> Any:
        """A pandas DataFrame of these columns: see Table.to_pandas."""
        return self.table(*names).to_pandas()

    def to_xarray(self, *names: Names) -> Any:
        """An xarray Dataset of these columns: see Table.to_xarray."""
        return self.table(*names).to_xarray()

    def to_csv(self, path: str | os.PathLike[str], *names: Names, force: bool = False) -> None:
        """A table of these columns; a file that exists is replaced with `force` only."""
        count, pointers, _held = selectors_of(names)
        with replacing(force):
            check(lib.torsor_results_csv(self._handle, count, pointers, encode(path)))

    def export(self, place: str | os.PathLike[str] | None = None, *, format: str = "vtu",
               every: int = 1, force: bool = False) -> str:
        """Files for ParaView: "vtu", a folder with a file for each state, or "xdmf". Returns the file to open. Replaces
        earlier exports, with `force` any file."""
        states, file = ffi.new("int64_t *"), ffi.new("char **")
        with replacing(force):
            check(lib.torsor_results_export(self._handle, encode(format),
                                            ffi.NULL if place is None else encode(place), every, states, file))
        try:
            return text_of(file[0])
        finally:
            lib.torsor_text_free(file[0])

    # ---- to look at ----

    def plot(self, *names: Names, figure: Any = None) -> Any:
        """Columns over time, one picture per unit; without names the coordinates of joints and the energies. Returns
        the matplotlib figure."""
        try:
            from matplotlib import pyplot
        except ImportError:
            raise TorsorError("plot() needs matplotlib: apt install python3-matplotlib") from None
        table = self.table(*(names or self._usual()))
        groups: dict[str, list[str]] = {}
        for name, unit in table.units.items():
            if name != "t":
                groups.setdefault(unit, []).append(name)
        if figure is None:
            figure = pyplot.figure(figsize=(8, 1 + 2.6 * len(groups)), constrained_layout=True)
        axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False)[:, 0]
        for axis, (unit, group) in zip(axes, groups.items()):
            for name in group:
                axis.plot(table.t, table[name], label=name)
            axis.set_ylabel(unit if unit != "1" else "")
            axis.legend(fontsize="small")
            axis.grid(alpha=0.3)
        axes[-1].set_xlabel("t, s")
        title = self.info["title"]
        if title:
            figure.suptitle(title)
        return figure

    def _usual(self) -> tuple[str, ...]:
        joints = [name for name, unit in self.columns.items()
                  if name.count(".") == 1 and not name.startswith(("energy", "momentum", "time"))]
        return (*joints[:8], "energy.kinetic", "energy.elastic", "energy.gravity", "energy.total")

    def show(self, output: str | os.PathLike[str] | None = None, browser: bool | None = None,
             beside: Iterable[Results] = ()) -> Page:
        """The report: one page with the moving model, the energy ledger and all histories; results `beside` it are
        compared with these. Opens a browser, but not in a notebook, where the page shows itself as the last value of a
        cell; `browser` says otherwise. Returns the page, which is also its path."""
        return show_page(lambda path: report([self, *beside], path), "report.html", output, browser)

    def __repr__(self) -> str:
        return f"<torsor.Results {self.path}: {self.frames} states, {self.steps} steps>"

    def _repr_html_(self) -> str:
        i = self.info
        rows = {"model": i["title"], "status": i["status"],
                "scheme": f"{i['scheme']}, h = {i['h']:g} s",
                "time": f"{i['t_first']:g} s to {i['t_last']:g} s of {i['t_end']:g} s",
                "steps": f"{i['steps']}, {i['frames']} stored",
                "energy audit": i["audit"].removeprefix("energy audit: ").removeprefix("energy: "),
                "resolution": i["resolution"]["text"].removeprefix("resolution: "),
                "file": self.path}
        cells = "".join(f"<tr><th>{key}</th><td>{html.escape(str(value))}</td></tr>"
                        for key, value in rows.items())
        return f"<div>{self._picture()}<table>{cells}</table></div>"

    def _picture(self) -> str:
        """The motion, for a notebook; "" where there is nothing to draw."""
        from .animation import svg
        try:
            return svg(self)
        except TorsorError:
            return ""  # no node, or no state yet


def export(results: str | os.PathLike[str] | Results, place: str | os.PathLike[str] | None = None, *,
           format: str = "vtu", every: int = 1, force: bool = False) -> str:
    """Files for ParaView from a results file: see Results.export."""
    opened = results if isinstance(results, Results) else Results(results)
    return opened.export(place, format=format, every=every, force=force)


def write_page(call: Any, handle: Any, path: str | os.PathLike[str], force: bool) -> Page:
    """Write a page of a handle."""
    page = Page(os.path.abspath(path))
    with replacing(force):
        check(call(handle, encode(str(page))))
    return page


def show_page(make: Callable[[Any], Page], name: str, output: str | os.PathLike[str] | None, browser: bool | None) -> Page:
    """Makes a page, in a temporary folder unless `output` says where, and opens it, but not in a notebook."""
    page = make(os.path.join(tempfile.mkdtemp(prefix="torsor-"), name) if output is None else output)
    if browser or browser is None and "ipykernel" not in sys.modules:
        webbrowser.open(page.as_uri())
    return page


def report(results: str | os.PathLike[str] | Results | Iterable[str | os.PathLike[str] | Results],
           output: str | os.PathLike[str], frames: int = 0, *, force: bool = False) -> Page:
    """One page of HTML that shows the runs of results files, with at most so many states to play. Replaces a report
    only, with `force` any file. Returns the page, which is also its path."""
    several = [results] if isinstance(results, (str, os.PathLike, Results)) else list(results)
    paths = [one.path if isinstance(one, Results) else os.fspath(one) for one in several]
    page = Page(os.path.abspath(output))
    held = [ffi.new("char[]", encode(path)) for path in paths]
    with replacing(force):
        check(lib.torsor_report(len(held), ffi.new("char *[]", held), encode(str(page)), frames))
    return page
