# SPDX-License-Identifier: Apache-2.0
"""Runs: a model through time, step by step, with access to its state."""
from __future__ import annotations

import html
import math
import os
import sys
import time as clock
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar, Union

import numpy as np

from ._library import (Floats, check, encode, ffi, lib, replacing, take_attachments, take_handle, take_struct, take_text,
                       text_of, vector, view)
from .errors import Interrupted, ModelError
from .options import Options
from .probe import Paint, Probe

LEVELS = ("resolved", "coarse", "not resolved")  # of the audit of resolution
Progress = Union[bool, Callable[[float, "Run"], Any]]


@dataclass(frozen=True)
class Step:
    """Report of one step."""
    step: int
    steps: int
    t: float
    h: float
    iterations: int
    cuts: int
    violation: float
    rate_violation: float
    worst: str


@dataclass(frozen=True)
class Ledger:
    """The energy account, J: energies now, the others sums since the start."""
    kinetic: float
    elastic: float
    gravity: float
    work_loads: float
    work_drives: float
    dissipated: float
    algorithmic: float
    balance: float
    start: float

    @property
    def total(self) -> float:
        return self.kinetic + self.elastic + self.gravity


@dataclass(frozen=True)
class Event:
    """An event of the model, and how often it has happened so far."""
    name: str
    mark: str
    count: int
    t: float  # when it happened last, s
    stopped: bool  # it has ended the run


@dataclass(frozen=True)
class Contact:
    """Two shapes that touch. Forces are means over the last step, N; at the start of a run they are 0."""
    contact: str
    shape_a: str
    shape_b: str
    gap: float  # m; below 0 they overlap
    at: tuple[float, float, float]
    normal: tuple[float, float, float]  # from b to a
    force: tuple[float, float, float]  # on a, friction included
    friction: tuple[float, float, float]  # on a
    pressing: float
    stored: float  # energy, J
    stuck: bool  # friction holds it; False where there is none


@dataclass(frozen=True)
class Impact:
    """What an impact of a contact of the model would be like: by its heaviest shapes and the largest speed as drawn, or of a fall over their extent. SI."""
    contact: str
    mass: float
    speed: float
    stiffness: float  # the largest force over the depth
    duration: float
    depth: float
    sinks: float  # what the mass sinks in by under its weight


@dataclass(frozen=True)
class Measure:
    """One measure of the audit of resolution: its largest value, SI, with time and place, and its thresholds."""
    name: str
    what: str
    level: str
    value: float
    unit: str
    t: float
    where: str
    told: float
    coarse: float
    rejected: float
    advice: str
    text: str = ""
    """Value, place and time in words."""


@dataclass(frozen=True)
class Resolution:
    """The audit of resolution: "resolved", "coarse" or "not resolved", in words, and all measures by name."""
    level: str
    text: str
    measures: dict[str, Measure]

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Resolution:
        """As `torsor info --json` has it; what is null there is NaN or infinite."""
        measures = {}
        for m in found["measures"]:
            numbers: dict[str, Any] = {key: none if m[key] is None else m[key]
                                       for key, none in (("value", math.inf), ("rejected", math.nan))}
            measures[m["name"]] = Measure(**{**m, **numbers})
        return cls(found["level"], found["text"], measures)


@dataclass(frozen=True)
class Summary:
    """Summary of a run: steps, iterations and times."""
    steps: int
    iterations: int
    cuts: int
    factorisations: int
    seconds: float
    worst_balance: float
    worst_violation: float
    energy_scale: float
    unknowns: int
    threads: int
    solver: str
    energy_noise: float


@dataclass(frozen=True)
class Setup:
    """Settings of a run, from the model and the options; and the size of the model."""
    scheme: str
    parameters: str
    solver: str
    rho_inf: float
    takes_rho: bool
    step: float
    end: float
    tolerance: float
    steps: int
    every: int
    threads: int
    statics: bool
    arc_length: bool
    increments: int
    settles: bool
    assembly_iterations: int
    size: float
    far: float
    linear: bool
    unstable: int
    gravity: tuple[float, float, float]
    gravity_words: str
    gravity_doubt: str
    repeats: str
    first_repeat: int
    repeat_notes: int
    warnings: str


@dataclass(frozen=True)
class Verdict:
    """How good a run is, up to now. `audit` is the energy audit in one sentence."""
    status: str
    audit: str
    sound: bool
    created: bool
    at_rest: bool
    good: bool
    unstable: int
    relative_balance: float
    scale: float
    loss: float
    worst_part: str
    worst_violation: float
    worst_time: float
    residual_seconds: float
    tangent_seconds: float
    factor_seconds: float
    solve_seconds: float
    fill: float
    timed: bool
    free_motions: str
    load_factor: float
    linear: bool
    jumps: int
    coarse_mesh: bool
    made: float
    made_time: float
    unsolved: float
    residual: float
    linear_iterations: float
    lost_seconds: float
    losses: int


@dataclass(frozen=True)
class Assembly:
    """Result of closing the joints."""
    freedom: int
    unknowns: int
    conditions: int
    redundant: int
    mass: float
    centre: tuple[float, float, float]
    moved: float
    turned: float
    rate_moved: float
    rate_turned: float
    notes: int
    gaps: int


@dataclass(frozen=True)
class Gap:
    """Gap of a joint or motion, as drawn and now."""
    part: str
    position_before: float
    position_after: float
    rate_before: float
    rate_after: float


@dataclass(frozen=True)
class Condition:
    """A row of a joint or motion."""
    part: str
    label: str
    drive: bool
    redundant: bool


@dataclass(frozen=True)
class BeamState:
    """Along a beam, a row per station (Gauss point), section axes."""
    arc: Floats
    """From the start of the beam, m."""
    weight: Floats
    """The length that the station stands for, m."""
    strain: Floats
    """n x 6: Gamma1, Gamma2, Gamma3, kappa1, kappa2, kappa3."""
    force: Floats
    """n x 6: N, Q2, Q3, M1, M2, M3."""


Kind = TypeVar("Kind")


def plain(value: Any) -> Any:
    if isinstance(value, (bool, int, float)):
        return value
    return tuple(value) if ffi.typeof(value).kind == "array" else text_of(value)


def as_dataclass(kind: type[Kind], struct: Any) -> Kind:
    """A structure of the library as the data class with the same names."""
    return kind(**{field.name: plain(getattr(struct, field.name))
                   for field in fields(kind)})  # type: ignore[arg-type]


class Node:
    """A node: position, velocity and directors are views of the run's state, not copies."""

    def __init__(self, run: Run, index: int) -> None:
        self._run, self.index = run, index
        n = take_struct("node", lib.torsor_run_node, run._handle, index)
        self.part: str = run._names[n.part]
        self.kind = {lib.TORSOR_NODE_POINT: "point", lib.TORSOR_NODE_DIRECTOR: "director",
                     lib.TORSOR_NODE_FRAME: "frame"}[n.kind]
        self.fixed: bool = n.fixed
        self.mass: float = n.mass
        self.position: Floats = run.q[n.slot]
        self.velocity: Floats = run.v[n.slot]
        self.directors: Floats = run.q[n.slot + 1:n.slot + n.slots]
        """One director a row: d1, d2, d3 of a frame."""

    @property
    def rotation(self) -> Floats:
        """The rotation matrix of a frame, a view: a point X of the body is at position + rotation @ X."""
        return self.directors.T

    @property
    def omega(self) -> Floats:
        """Angular velocity, rad/s."""
        return vector(3, lib.torsor_run_node_omega, self._run._handle, self.index)

    def __repr__(self) -> str:
        return f"<node {self.index} of {self.part} at {self.position}>"


class Part:
    """A part. Joints, springs and motions have force, moment, displacement, rotation."""

    def __init__(self, run: Run, index: int) -> None:
        self._run, self.index = run, index
        p = take_struct("part", lib.torsor_run_part, run._handle, index)
        self.name: str = text_of(p.name)
        self.kind: str = text_of(p.kind)
        self.section: str = text_of(p.section)
        self.reaction: bool = p.reaction
        self._nodes = range(p.node, p.node + p.nodes) if p.node >= 0 else range(0)
        self._coordinates = range(p.coordinate, p.coordinate + p.coordinates)

    @property
    def nodes(self) -> list[Node]:
        """Those that it made."""
        return [Node(self._run, index) for index in self._nodes]

    @property
    def coordinates(self) -> dict[str, Coordinate]:
        found = [Coordinate(self._run, index) for index in self._coordinates]
        return {c.name: c for c in found}

    @property
    def description(self) -> str:
        """Stiffness and mass of a section of beams; nothing of other parts."""
        return take_text(lib.torsor_run_part_describe, self._run._handle, self.index)

    def _pair(self, call: Callable[..., int]) -> tuple[Floats, Floats]:
        a, b = np.empty(3), np.empty(3)
        check(call(self._run._handle, self.index, ffi.cast("double *", a.ctypes.data),
                   ffi.cast("double *", b.ctypes.data)))
        return a, b

    @property
    def force(self) -> Floats:
        """On body B at its attachment, global axes, now, N."""
        return self._pair(lib.torsor_run_reaction)[0]

    @property
    def moment(self) -> Floats:
        return self._pair(lib.torsor_run_reaction)[1]

    @property
    def displacement(self) -> Floats:
        """Of B from A, in the frame on A, m."""
        return self._pair(lib.torsor_run_relative)[0]

    @property
    def rotation(self) -> Floats:
        """Rotation vector of B from A, in the frame on A, rad."""
        return self._pair(lib.torsor_run_relative)[1]

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


class Coordinate:
    """A coordinate of a joint: an angle (rad, unwrapped) or a displacement (m)."""

    def __init__(self, run: Run, index: int) -> None:
        self._handle, self.index = run._handle, index
        c = take_struct("coordinate", lib.torsor_run_coordinate, run._handle, index)
        self.part: str = run._names[c.part]
        self.name: str = text_of(c.name)
        self.angle = bool(c.angle)

    @property
    def value(self) -> float:
        return float(lib.torsor_run_coordinate_value(self._handle, self.index))

    @property
    def rate(self) -> float:
        return float(lib.torsor_run_coordinate_rate(self._handle, self.index))

    def __repr__(self) -> str:
        return f"<{self.part}.{self.name} = {self.value:.6g} {'rad' if self.angle else 'm'}>"


class Inputs(MutableMapping[str, float]):
    """The input signals of a run: run.inputs["torque"] = 3.0 holds from the next step on. SI."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._names = [text_of(lib.torsor_run_input_name(handle, i))
                       for i in range(lib.torsor_run_inputs(handle))]

    def _find(self, name: str) -> int:
        index = int(lib.torsor_run_input_find(self._handle, encode(name)))
        if index < 0:
            known = ", ".join(self._names) or "none; write signals: {name: {input: 0}} in the model"
            raise KeyError(f"there is no input '{name}': there are {known}")
        return index

    def __getitem__(self, name: str) -> float:
        return float(lib.torsor_run_input_get(self._handle, self._find(name)))

    def __setitem__(self, name: str, value: float) -> None:
        check(lib.torsor_run_input_set(self._handle, self._find(name), float(value)))

    def __delitem__(self, name: str) -> None:
        raise TypeError("inputs cannot be removed; set the input to zero")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


class ProgressLine:
    """Print the progress of a run on one line of the terminal, a few times a second."""

    def __init__(self) -> None:
        self.told, self.length = 0.0, 0

    def __call__(self, fraction: float, run: Run) -> None:
        now = clock.monotonic()
        if now - self.told < 0.2 and fraction < 1:
            return
        self.told = now
        line = f"{100 * fraction:5.1f} %  t = {run.time:.4g} s  energy {run.ledger.total:.4g} J"
        sys.stderr.write("\r" + line.ljust(self.length) + ("\n" if fraction >= 1 else ""))
        sys.stderr.flush()
        self.length = len(line)


class Run:
    """A model in motion. Made by Model.start() or Run.restart()."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        slots = lib.torsor_run_slots(handle)
        self.q: Floats = view(handle, lib.torsor_run_q(handle), slots, 3)
        """Positions and directors of all nodes, slots x 3: a view of the state, the same after every step."""
        self.v: Floats = view(handle, lib.torsor_run_v(handle), slots, 3)
        """Their rates, likewise."""
        self.multipliers: Floats = view(handle, lib.torsor_run_multipliers(handle),
                                        lib.torsor_run_conditions(handle))
        """One for each of conditions, mean of the last step, likewise."""
        self.inputs = Inputs(handle)
        self._names = [text_of(take_struct("part", lib.torsor_run_part, handle, i).name)
                       for i in range(lib.torsor_run_parts(handle))]

    @classmethod
    def restart(cls, results: str | os.PathLike[str], frame: int = -1, end: Any = None,
                **options: Any) -> Run:
        """Goes on from a stored state of a results file; -1: the last from which it does bit for bit.

        Options: from_ (a step) or time choose the state; step, rho, every, threads are those from there on.
        """
        if not options and not isinstance(end, str):
            return cls(take_handle("run", lib.torsor_run_restart, encode(results), frame, end or 0.0))
        given = {name[:-1] if name.endswith("_") else name: value for name, value in options.items()}
        chosen = Options("restart", dict(given, end=end, frame=None if frame < 0 else frame))
        return cls(take_handle("run", lib.torsor_run_resume, encode(results), chosen.handle))

    @property
    def resumed(self) -> str:
        """After a restart: a sentence if the file has a later state than the chosen one, else empty."""
        return text_of(lib.torsor_run_resumed(self._handle))

    # ---- going ----

    def record(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """From now on everything goes into a results file. A file that exists is replaced if it has results of the same
        model, or with `force`."""
        with replacing(force):
            check(lib.torsor_results_check(encode(path)))
            check(lib.torsor_run_record(self._handle, encode(path)))

    def finish(self) -> None:
        """Closes the results file."""
        check(lib.torsor_run_finish(self._handle))

    def complete(self) -> None:
        """At the end: raises if the run did not do what it should, as a path of statics that `max_points` ended
        short of its load. Its results are then closed as failed."""
        check(lib.torsor_run_complete(self._handle))

    def stop_when(self, flag: Any) -> None:
        """An `int *` of cffi that stops the run, also within a step, as soon as it is not 0; None: nobody asks. To be
        called before the first step."""
        self._flag = flag
        lib.torsor_run_stop_when(self._handle, ffi.NULL if flag is None else flag)

    def step(self) -> Step:
        """One step."""
        check(lib.torsor_run_step(self._handle))
        return self.last_step

    def run(self, until: float = math.inf, *, progress: Progress = False,
            before: Callable[[Run], Any] | None = None,
            after: Callable[[Run], Any] | None = None,
            on_event: Callable[[Run, Event], Any] | None = None) -> Run:
        """Steps until a time, or to the end. See Model.run. `on_event` is called after every step in which an event
        happened, with the run and the event, once for each. When a callback stops it, that is no error."""
        watch = _Watch(self, progress, before, after)
        observer = ffi.new("torsor_observer *", dict(before=watch.before, after=watch.after))
        lib.torsor_run_observe(self._handle, observer)
        try:
            if on_event:
                happened = watch.event_callback(self, on_event)
                check(lib.torsor_run_on_event(self._handle, ffi.new("torsor_event_listener *", dict(happened=happened))))
            status = lib.torsor_run_to(self._handle, float(until))
        finally:
            lib.torsor_run_observe(self._handle, ffi.NULL)
            if on_event:
                lib.torsor_run_on_event(self._handle, ffi.NULL)
        if watch.raised is not None:
            raise watch.raised
        try:
            check(status)
        except Interrupted:
            pass
        return self

    def __iter__(self) -> Iterator[Run]:
        """for run in model.start(): ...  the state before every step; set inputs there."""
        while not self.ended:
            yield self
            self.step()

    @property
    def ended(self) -> bool:
        """Has the run reached its end, or failed?"""
        return bool(lib.torsor_run_ended(self._handle))

    # ---- looking ----

    @property
    def title(self) -> str:
        return text_of(lib.torsor_run_title(self._handle))

    @property
    def time(self) -> float:
        return float(lib.torsor_run_time(self._handle))

    @property
    def steps(self) -> int:
        """Made so far."""
        return int(lib.torsor_run_steps_done(self._handle))

    @property
    def steps_planned(self) -> int:
        return int(lib.torsor_run_steps_planned(self._handle))

    @property
    def step_size(self) -> float:
        return float(lib.torsor_run_step_size(self._handle))

    @property
    def end(self) -> float:
        return float(lib.torsor_run_end(self._handle))

    @property
    def last_step(self) -> Step:
        return as_dataclass(Step, lib.torsor_run_last_step(self._handle)[0])

    @property
    def ledger(self) -> Ledger:
        return as_dataclass(Ledger, take_struct("ledger", lib.torsor_run_ledger, self._handle))

    @property
    def event_loss(self) -> float:
        """Energy removed by events so far, J: a term of the balance, in addition to those of the ledger."""
        return float(lib.torsor_run_event_loss(self._handle))

    @property
    def damper_loss(self) -> float:
        """Energy dissipated by dampers so far, J."""
        return float(lib.torsor_run_damper_loss(self._handle))

    @property
    def friction_loss(self) -> float:
        """Energy dissipated by friction in joints and contacts so far, J."""
        return float(lib.torsor_run_friction_loss(self._handle))

    @property
    def impact_loss(self) -> float:
        """Energy dissipated by impacts of contacts so far, J."""
        return float(lib.torsor_run_impact_loss(self._handle))

    @property
    def events(self) -> list[Event]:
        """The events of the model, in the order of its file."""
        found = (take_struct("event", lib.torsor_run_event, self._handle, i) for i in range(lib.torsor_run_events(self._handle)))
        return [as_dataclass(Event, event) for event in found]

    @property
    def contacts(self) -> list[Contact]:
        """The pairs of shapes that touch now."""
        found = (take_struct("contact", lib.torsor_run_contact, self._handle, i) for i in range(lib.torsor_run_contacts(self._handle)))
        return [as_dataclass(Contact, pair) for pair in found]

    @property
    def impacts(self) -> list[Impact]:
        """Expected duration and depth of impacts of the contacts of the model, as `torsor check` prints them."""
        found = (take_struct("impact", lib.torsor_run_impact, self._handle, i) for i in range(lib.torsor_run_impacts(self._handle)))
        return [as_dataclass(Impact, impact) for impact in found]

    @property
    def summary(self) -> Summary:
        return as_dataclass(Summary, take_struct("summary", lib.torsor_run_summary, self._handle))

    @property
    def setup(self) -> Setup:
        """Scheme, step, end and so on."""
        return as_dataclass(Setup, lib.torsor_run_setup(self._handle)[0])

    @property
    def verdict(self) -> Verdict:
        """The energy audit; at the end, the sentence that `torsor run` prints."""
        return as_dataclass(Verdict, lib.torsor_run_verdict(self._handle)[0])

    @property
    def balance(self) -> float:
        """The energy balance now, over the largest energy: round-off in a sound run."""
        return float(lib.torsor_run_balance(self._handle))

    @property
    def resolution(self) -> Resolution:
        """The audit of resolution up to now; at the start, of the drawing."""
        level = ffi.new("int *")
        text = take_text(lib.torsor_run_resolution, self._handle, level)
        measures = {}
        for i in range(lib.torsor_run_measures(self._handle)):
            m = take_struct("measure", lib.torsor_run_measure, self._handle, i)
            name = text_of(m.name)
            measures[name] = Measure(name, text_of(m.what), LEVELS[m.level], m.value, text_of(m.unit), m.t,
                                     text_of(m.where), m.told, m.coarse, m.rejected, text_of(m.advice),
                                     take_text(lib.torsor_run_measure_text, self._handle, i))
        return Resolution(LEVELS[level[0]], text, measures)

    @property
    def assembly(self) -> Assembly:
        found = take_struct("assembly", lib.torsor_run_assembly, self._handle)
        return as_dataclass(Assembly, found)

    @property
    def notes(self) -> list[str]:
        """Notes of the assembly, for example about redundant constraints."""
        return [text_of(lib.torsor_run_note(self._handle, i)) for i in range(self.assembly.notes)]

    @property
    def gaps(self) -> list[Gap]:
        """Gaps that the assembly closed, by joint."""
        found = [take_struct("gap", lib.torsor_run_gap, self._handle, i)
                 for i in range(self.assembly.gaps)]
        return [Gap(self._names[g.part], g.position_before, g.position_after, g.rate_before,
                    g.rate_after) for g in found]

    def probe(self, *channels: str) -> Probe:
        """Channels to read while it runs: `run.probe("hinge.angle", "arm.position")`."""
        return Probe(self, self._handle, channels)

    def paint(self, key: str) -> Paint:
        """A colour of the scene to read while it runs: `run.paint("von_mises_stress")`."""
        return Paint(self, self._handle, key)

    def scene(self) -> str:
        """The model as it stands now, as data for the page of `torsor view`: scripts of HTML."""
        return take_text(lib.torsor_run_scene, self._handle)

    def pose(self) -> tuple[np.ndarray[Any, np.dtype[np.float32]], np.ndarray[Any, np.dtype[np.float32]]]:
        """Positions (nodes x 3) and orientations (nodes x 4, quaternions s, x, y, z) of all nodes, in single precision."""
        nodes = lib.torsor_run_nodes(self._handle)
        place, turn = np.empty((nodes, 3), np.float32), np.empty((nodes, 4), np.float32)
        check(lib.torsor_run_pose(self._handle, ffi.cast("float *", place.ctypes.data), ffi.cast("float *", turn.ctypes.data)))
        return place, turn

    @property
    def momentum(self) -> tuple[Floats, Floats]:
        """Linear, and angular about the origin."""
        p, l = np.empty(3), np.empty(3)
        lib.torsor_run_momentum(self._handle, ffi.cast("double *", p.ctypes.data),
                                ffi.cast("double *", l.ctypes.data))
        return p, l

    @property
    def parts(self) -> list[Part]:
        return [Part(self, index) for index in range(len(self._names))]

    @property
    def nodes(self) -> list[Node]:
        return [Node(self, index) for index in range(lib.torsor_run_nodes(self._handle))]

    def attachments(self) -> list[tuple[str, Floats]]:
        """Points of rigid bodies at which joints and springs are attached: name of the body and the place in its axes, m."""
        return take_attachments(lib.torsor_run_attachments, self._handle)

    @property
    def coordinates(self) -> list[Coordinate]:
        count = lib.torsor_run_coordinates(self._handle)
        return [Coordinate(self, index) for index in range(count)]

    @property
    def conditions(self) -> list[Condition]:
        found = []
        for i in range(lib.torsor_run_conditions(self._handle)):
            c = take_struct("condition", lib.torsor_run_condition, self._handle, i)
            found.append(Condition(self._names[c.part], text_of(c.label), c.drive, c.redundant))
        return found

    def _named(self, what: str, name: str, index: int) -> int:
        if index >= 0:
            return index
        known = ", ".join(self._names[:20])
        raise ModelError(f"there is no {what} '{name}'; parts are {known}",
                         status=lib.TORSOR_EINVAL)

    def node(self, name: str) -> Node:
        """"arm" of a body, "boom.start", "boom.3", "boom.end" of a beam."""
        index = lib.torsor_run_node_find(self._handle, encode(str(name)))
        return Node(self, self._named("node", name, index))

    def part(self, name: str) -> Part:
        index = lib.torsor_run_part_find(self._handle, encode(str(name)))
        return Part(self, self._named("part", name, index))

    def coordinate(self, name: str) -> Coordinate:
        """"hinge.angle", or "hinge" if it has but one."""
        index = lib.torsor_run_coordinate_find(self._handle, encode(str(name)))
        return Coordinate(self, self._named("coordinate", name, index))

    def beam(self, name: str) -> BeamState:
        """Strains and internal forces along a beam, now."""
        wanted, found = self.part(name).index, []
        for i in range(lib.torsor_run_stations(self._handle)):
            s = take_struct("station", lib.torsor_run_station, self._handle, i)
            if s.part == wanted:
                found.append((i, s.arc, s.weight))
        strain, force = np.empty((len(found), 6)), np.empty((len(found), 6))
        for k, (i, _, _) in enumerate(found):
            check(lib.torsor_run_section(self._handle, i,
                                         ffi.cast("double *", strain[k].ctypes.data),
                                         ffi.cast("double *", force[k].ctypes.data)))
        return BeamState(np.array([arc for _, arc, _ in found]),
                         np.array([weight for _, _, weight in found]), strain, force)

    def __repr__(self) -> str:
        return f"<torsor.Run {self.title}: t = {self.time:.6g} s, step {self.steps} of {self.steps_planned}>"

    def _repr_html_(self) -> str:
        from .animation import still
        a, l, audit = self.assembly, self.ledger, self.verdict.audit
        rows = {"time": f"{self.time:.6g} s of {self.end:.6g} s", "freedom": a.freedom,
                "mass": f"{a.mass:.6g} kg", "energy": f"{l.total:.6g} J",
                "balance": "none of its own" if audit.startswith("energy: ") else f"{l.balance:.2e} J",
                "energy audit": audit.removeprefix("energy audit: ").removeprefix("energy: ")}
        cells = "".join(f"<tr><th>{key}</th><td>{html.escape(str(value))}</td></tr>" for key, value in rows.items())
        return f"<div>{still(self)}<table><caption>{html.escape(self.title or 'torsor run')}</caption>{cells}</table></div>"


class _Watch:
    """Callbacks for the library; what they raise is kept until it has returned. Also lets Ctrl-C in."""

    def __init__(self, run: Run, progress: Progress, before: Callable[[Run], Any] | None,
                 after: Callable[[Run], Any] | None) -> None:
        self.raised: BaseException | None = None
        first, steps = run.steps, max(1, run.steps_planned - run.steps)
        tell = ProgressLine() if progress is True else progress or None

        def do_after(run: Run) -> Any:
            stop = after(run) if after else None
            if tell:
                tell(min(1.0, (run.steps - first) / steps), run)
            return stop

        self.before = self._callback(run, before) if before else ffi.NULL
        self.after = self._callback(run, do_after)

    def _callback(self, run: Run, function: Callable[[Run], Any]) -> Any:
        def call(_context: Any, _run: Any) -> int:
            try:
                return 1 if function(run) else 0
            except BaseException as why:  # pylint: disable=broad-except
                self.raised = why
                return 1
        return ffi.callback("int(void *, torsor_run *)", call, error=1, onerror=self._onerror)

    def event_callback(self, run: Run, function: Callable[[Run, Event], Any]) -> Any:
        def call(_context: Any, _run: Any, event: Any) -> int:
            try:
                return 1 if function(run, as_dataclass(Event, event[0])) else 0
            except BaseException as why:  # pylint: disable=broad-except
                self.raised = why
                return 1
        return ffi.callback("int(void *, torsor_run *, const torsor_event *)", call, error=1, onerror=self._onerror)

    def _onerror(self, kind: Any, value: BaseException, traceback: Any) -> None:
        self.raised = value


def restart(results: str | os.PathLike[str], frame: int = -1, end: Any = None, **options: Any) -> Run:
    """Goes on from a stored state of a results file: see Run.restart."""
    return Run.restart(results, frame, end, **options)
