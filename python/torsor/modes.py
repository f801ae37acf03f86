# SPDX-License-Identifier: Apache-2.0
"""Modes of vibration, and buckling loads."""
from __future__ import annotations

import html
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._library import Floats, check, encode, ffi, lib, replacing, take_struct, take_text, text_of, vector, view
from .results import Page, show_page, write_page

AXES = ("moves along x", "moves along y", "moves along z", "turns about x", "turns about y",
        "turns about z")


@dataclass(frozen=True)
class Mode:
    """frequency in Hz, omega in rad/s; growth 1/s (positive is unstable); factor of buckling.

    Everywhere in the module `frequency` is in Hz and `omega` in rad/s.
    """
    omega: float
    growth: float
    damping: float
    factor: float
    rigid: bool
    part: str
    share: float
    motion: str
    share_of_motion: float
    shape: Floats
    """nodes x 6: displacement and rotation vector, a view."""
    shape_early: Floats | None
    """The imaginary part, a quarter of a period earlier; None of real modes."""
    effective_mass: Floats | None = None
    """kg, along x, y, z; None of complex modes and of buckling."""
    whirl: int = 0
    """In rotation, seen from outside: 1 with it, -1 against it, 0 neither; then whirl_omega in rad/s."""
    whirl_omega: float = 0.0
    free_motion: str = ""
    """Of a free motion: what moves, and how."""

    @property
    def frequency(self) -> float:
        """Hz."""
        return self.omega / (2 * math.pi)

    def __repr__(self) -> str:
        value = (f"{self.factor:.6g} times the load" if self.factor else
                 f"{self.frequency:.6g} Hz, {self.omega:.6g} rad/s")
        unstable = ", unstable" if not self.rigid and self.growth > 1e-6 * self.omega else ""
        return f"<torsor.Mode {value}: {self.part} {self.motion}{', freely' if self.rigid else ''}{unstable}>"


class Modes(Sequence[Mode]):
    """The lowest first. modes.run has the state they are about, and names of nodes."""

    def __init__(self, handle: Any, buckling: bool) -> None:
        self._handle, self.buckling = handle, buckling
        self.run = _RunOfModes(handle)
        self.settled = bool(lib.torsor_modes_settled(handle))
        """Equilibrium had to be found first."""
        self.imbalance = float(lib.torsor_modes_imbalance(handle))
        """What separates the state from equilibrium, of the model's size."""
        self.mass = float(lib.torsor_modes_mass(handle))
        """Of all that can move, kg."""
        self.free_motions = int(lib.torsor_modes_free_motions(handle))
        """Motions that nothing resists, listed or not."""
        self.spin, self.about = np.empty(3), np.empty(3)
        """Steady rotation, rad/s, about an axis through a place, m."""
        lib.torsor_modes_rotation(handle, ffi.cast("double *", self.spin.ctypes.data),
                                  ffi.cast("double *", self.about.ctypes.data))
        self._nodes = lib.torsor_run_nodes(lib.torsor_modes_run(handle))

    def __len__(self) -> int:
        return int(lib.torsor_modes_count(self._handle))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        m = take_struct("mode", lib.torsor_modes_get, self._handle, index % len(self))
        early = None if m.shape_early == ffi.NULL else self._shape(m.shape_early)
        way, omega = ffi.new("int *"), ffi.new("double *")
        check(lib.torsor_modes_whirl(self._handle, index % len(self), way, omega))
        mass = None
        if early is None and not self.buckling:
            mass = vector(3, lib.torsor_modes_effective_mass, self._handle, index % len(self))
        return Mode(m.frequency, m.growth, m.damping, m.factor, m.rigid, text_of(m.part), m.share,
                    AXES[m.axis], m.share_of_axis, self._shape(m.shape), early, mass, way[0],
                    omega[0] if way[0] else 0.0,
                    take_text(lib.torsor_modes_free_words, self._handle, index % len(self)))

    def __iter__(self) -> Iterator[Mode]:
        return (self[i] for i in range(len(self)))

    def _shape(self, pointer: Any) -> Floats:
        return view(self._handle, pointer, self._nodes, 6)

    @property
    def frequencies(self) -> list[float]:
        """Hz."""
        return [mode.frequency for mode in self]

    @property
    def omegas(self) -> list[float]:
        """rad/s."""
        return [mode.omega for mode in self]

    @property
    def factors(self) -> list[float]:
        """Load factors of buckling."""
        return [mode.factor for mode in self]

    def node(self, name: str) -> int:
        """The row of a node in shapes: modes[0].shape[modes.node("boom.end")]."""
        index = int(lib.torsor_run_node_find(lib.torsor_modes_run(self._handle), encode(name)))
        if index < 0:
            raise KeyError(f"there is no node '{name}'")
        return index

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the modes to an HDF5 file. Replaces modes of the same model, with `force` any file."""
        with replacing(force):
            check(lib.torsor_modes_write(self._handle, encode(path)))

    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> Page:
        """A page for the browser: shapes in motion and their table. Replaces a report only, with `force` any file."""
        return write_page(lib.torsor_modes_report, self._handle, path, force)

    def show(self, output: str | os.PathLike[str] | None = None, browser: bool | None = None) -> Page:
        """The page of `report`, opened: see Results.show."""
        return show_page(self.report, "modes.html", output, browser)

    def table(self) -> str:
        """A table with a line for each mode."""
        head = "mode    load factor" if self.buckling else "mode  frequency, Hz  omega, rad/s  damping"
        lines = [f"{head}  dominant motion"]
        for i, m in enumerate(self):
            values = (f"{m.factor:13.6g}" if self.buckling else
                      f"{m.frequency:13.6g} {m.omega:13.6g} {m.damping:8.3g}")
            lines.append(f"{i + 1:4d}  {values}  {m.part} {m.motion} ({100 * m.share * m.share_of_motion:.0f} %)"
                         f"{', freely' if m.rigid else ''}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        values = self.factors if self.buckling else self.frequencies
        what = "load factors" if self.buckling else "Hz"
        if len(values) == 0:
            return "<torsor.Modes: none>"
        more = f", ... ({len(values)} modes)" if len(values) > 6 else ""
        return f"<torsor.Modes {', '.join(f'{value:.6g}' for value in values[:6])}{more} {what}>"

    def _repr_html_(self) -> str:
        """The first mode in motion, and all in a table."""
        from .animation import swing
        head = "load factor" if self.buckling else "frequency, Hz"
        rows = "".join(
            f"<tr><td>{i + 1}</td><td>{m.factor if self.buckling else m.frequency:.6g}</td>"
            f"<td>{m.damping:.4g}</td><td>{html.escape(f'{m.part} {m.motion}')}</td></tr>"
            for i, m in enumerate(self))
        return f"<div>{swing(self) if len(self) else ''}<table><tr><th>mode</th><th>{head}</th><th>damping</th><th>dominant motion</th></tr>{rows}</table></div>"


class Campbell:
    """Modes at speeds of rotation from rest on, joined to curves by their shapes: a Campbell diagram."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        count = lib.torsor_campbell_speeds(handle)
        self.modes = [_borrowed(handle, s) for s in range(count)]
        """Modes at each speed."""
        self.speeds = np.array([float(np.linalg.norm(m.spin)) for m in self.modes])
        """rad/s."""
        curves = range(lib.torsor_campbell_curves(handle))
        self.which = np.array([[lib.torsor_campbell_mode(handle, s, k) for k in curves] for s in range(count)])
        """speeds x curves: the index of the curve's mode at that speed, -1 where it has none."""

    def _values(self, of: Callable[[Mode], float]) -> Floats:
        values = [[of(m) for m in modes] for modes in self.modes]
        return np.array([[values[s][i] if i >= 0 else math.nan for i in row] for s, row in enumerate(self.which)])

    @property
    def frequencies(self) -> Floats:
        """Hz, speeds x curves, seen from the rotating frame; nan where a curve has no mode."""
        return self._values(lambda mode: mode.frequency)

    @property
    def damping(self) -> Floats:
        """Damping ratios, speeds x curves."""
        return self._values(lambda mode: mode.damping)

    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> Page:
        """A page for the browser: the diagram, its crossings with multiples of the speed, shapes in motion."""
        return write_page(lib.torsor_campbell_report, self._handle, path, force)

    def show(self, output: str | os.PathLike[str] | None = None, browser: bool | None = None) -> Page:
        """The page of `report`, opened: see Results.show."""
        return show_page(self.report, "campbell.html", output, browser)

    def __repr__(self) -> str:
        return f"<torsor.Campbell: {self.which.shape[1]} curves at {len(self.speeds)} speeds to {self.speeds[-1]:.6g} rad/s>"


def _borrowed(handle: Any, speed: int) -> Modes:
    """Modes that belong to a diagram, which they keep alive."""
    inner = ffi.cast("torsor_modes *", lib.torsor_campbell_modes(handle, speed))
    return Modes(ffi.gc(inner, lambda _, keep=handle: None), False)


def _RunOfModes(handle: Any) -> Any:
    """A Run whose handle is borrowed from the modes, and keeps them alive."""
    from .run import Run
    inner = lib.torsor_modes_run(handle)
    return Run(ffi.gc(ffi.cast("torsor_run *", inner), lambda _, keep=handle: None))
