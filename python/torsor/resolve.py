"""Error bars: the same run with half the step and with a refined mesh, by `torsor run --resolve`.

The runs are processes of the program, side by side.
"""
from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import KINDS, TorsorError
from .model import Model, load
from .results import Results, Temporary, find_program

EXIT = {1: -1, 2: -1, 3: -2, 4: -4, 5: -5}  # codes of the program -> status of the library


@dataclass(frozen=True)
class Channel:
    """A channel and its error bars, which are the largest of the run, in its unit; None: not known.

    verdict: "resolved" (to 1 % of its range), "coarse", "not resolved" (it differs by as much as it moves),
    "does not move", "unknown". digits: how many of the value at the end can be trusted.
    """
    name: str
    unit: str
    end: float | None
    range: float | None
    step: float | None
    mesh: float | None
    error: float | None
    digits: int
    verdict: str


class ErrorBars(Mapping[str, Channel]):
    """Channels by name. `results` are those of the run as asked; `step` and `mesh` tell what was compared, the order that
    was assumed, and in `message` why there is nothing to compare."""

    def __init__(self, results: Results, told: Mapping[str, Any]) -> None:
        self.results = results
        self.step: dict[str, Any] = told["step"]
        self.mesh: dict[str, Any] = told["mesh"]
        self._channels = {entry["name"]: Channel(**entry) for entry in told["channels"]}

    def __getitem__(self, name: str) -> Channel:
        return self._channels[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._channels)

    def __len__(self) -> int:
        return len(self._channels)

    def __repr__(self) -> str:
        return "\n".join(f"{c.name} [{c.unit}]: {c.end} ± {c.error}, {c.verdict}" for c in self.values())


def _whole_text(model: Model, folder: str) -> str:
    """The model file with its tables and meshes written in, as results keep it."""
    path = os.path.join(folder, "start.h5")
    model.start(path).finish()
    return Results(path).text


def resolve(model: Model | str | os.PathLike[str], channels: Sequence[str] = (), *,
            output: str | os.PathLike[str] | None = None, jobs: int | None = None) -> ErrorBars:
    """Runs the model as it is, with half the step, and with a refined mesh, over all cores.

    channels: names of columns; without, those of outputs.csv, or joint coordinates and positions of bodies, ends of
    beams, corners. Without an output the results live in a temporary file.
    """
    program = find_program()
    if program is None:
        raise TorsorError("resolve() needs the torsor program: build it, or say where it is in TORSOR")
    model = model if isinstance(model, Model) else load(model)
    place = Temporary() if output is None else None
    path = place.path if place else os.fspath(output)  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory(prefix="torsor-") as folder:
        file = os.path.join(folder, "model.yaml")
        with open(file, "w", encoding="utf-8") as out:
            out.write(_whole_text(model, folder))
        words = [program, "run", file, "--resolve", "--json", "--output", path]
        words += ["--channels", ",".join(channels)] if channels else []
        words += ["--jobs", str(jobs)] if jobs is not None else []
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        status = EXIT.get(done.returncode, 0)
        raise KINDS.get(status, TorsorError)(done.stderr.strip(), status=status)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    return ErrorBars(Results(path, _temporary=place),
                      {key: value for key, value in told[-1].items() if key != "event"})
