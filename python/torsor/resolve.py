# SPDX-License-Identifier: Apache-2.0
"""Error bars: the same run with half the step and with a refined mesh, in threads beside it."""
from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._library import check, encode, lib, take_handle, take_text, text_of
from .model import Model, load
from .options import Options, Watch, unwatched
from .results import Results, Temporary
from .studies import take_study


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
    was assumed, and in `message` why there is nothing to compare; `text` is the table of the program."""

    def __init__(self, results: Results, told: Mapping[str, Any], text: str = "",
                 warnings: Sequence[str] = ()) -> None:
        self.results, self.text, self.warnings = results, text, list(warnings)
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


def resolve(model: Model | str | os.PathLike[str], channels: Sequence[str] = (), *,
            output: str | os.PathLike[str] | None = None, jobs: int | None = None, force: bool = False,
            progress: Watch | None = None, **options: Any) -> ErrorBars:
    """Run the model as given, with half the step, and with a refined mesh, on all cores.

    channels: names of columns; without, those of outputs.csv, or joint coordinates and positions of bodies, ends of
    beams, corners. Without an output the results live in a temporary file. Other options are those of Model.run.
    progress(words, share) is called while the other runs are waited for; anything true stops.
    """
    model = model if isinstance(model, Model) else load(model)
    place = Temporary() if output is None else None
    path = place.path if place else os.fspath(output)  # type: ignore[arg-type]
    beside = Options("resolve", dict(channels=list(channels) or None, jobs=jobs), progress or unwatched)
    run = model.start(**options)
    handle = take_handle("resolve", lib.torsor_resolve_begin, run._handle, beside.handle)
    try:
        run.record(path, force=force)
        check(lib.torsor_resolve_check(handle, encode(path)))
        run.run()
        run.finish()
        study = take_study(beside, lib.torsor_resolve_finish, handle, encode(path))
    except BaseException:
        lib.torsor_resolve_abandon(handle)
        raise
    told = json.loads(take_text(lib.torsor_study_write, study, encode("json")))
    text = take_text(lib.torsor_study_write, study, encode("text"))
    warnings = text_of(lib.torsor_resolve_warnings(handle)).splitlines()
    return ErrorBars(Results(path, _temporary=place), told, text, warnings)
