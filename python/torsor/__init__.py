# SPDX-License-Identifier: Apache-2.0
"""torsor: flexible multibody dynamics with an energy audit.

    import torsor

    m = torsor.Model("pendulum")
    m.gravity = [0, 0, -9.81]
    m.bodies.add("rod", mass=2, inertia=[0.001, 1/6, 1/6], position=["500 mm", 0, 0])
    m.joints.revolute("hinge", bodies=["ground", "rod"], at=[0, 0, 0], axis="y")
    m.analysis = dict(scheme="ED", step="2 ms", end="5 s")
    results = m.run()
    results.plot("hinge.angle")

Numbers are SI, strings may have units and be expressions, as in a model file. See docs/python.md.
"""
from ._library import ffi, lib, version
from .check import Check, Mistake, check
from .errors import (ConvergenceError, FileError, Interrupted, ModelError, OptionError,
                     OutOfMemoryError, SingularError, TorsorError)
from .modes import Campbell, Mode, Modes
from .model import Model, load, modes, parse, schema  # after .modes: the function, not the module
from .options import number, option_names
from .resolve import Channel, ErrorBars, resolve
from .results import Page, Results, Table, export, report
from .probe import Paint, Probe
from .run import (Assembly, BeamState, Condition, Contact, Coordinate, Event, Gap, Impact, Ledger, Measure, Node, Part,
                  Resolution, Run, Setup, Step, Summary, Verdict, restart)
from .sections import Entry, Section
from .opening import open  # noqa: A004, the word of Python for it
from .studies import Study, compare, converge, spectrum
from .study import sweep
from .many import Case, Cases, Plan, plan, study  # after .study: the function, not the module
from .searching import Search

__version__ = version()

__all__ = [
    "Assembly", "BeamState", "Campbell", "Case", "Cases", "Channel", "Check", "Condition", "Contact", "ConvergenceError", "Coordinate", "Entry",
    "ErrorBars", "Event", "FileError", "Gap", "Impact", "Interrupted", "Ledger", "Measure", "Mistake", "Mode", "Model", "ModelError",
    "Modes", "Node", "OptionError", "OutOfMemoryError", "Page", "Paint", "Part", "Plan", "Probe", "Resolution", "Results", "Run", "Search", "Section", "Setup",
    "SingularError", "Step", "Study", "Summary", "Table", "TorsorError", "Verdict", "check", "compare", "converge",
    "export", "ffi", "lib", "load", "modes", "number", "open", "option_names", "parse", "plan", "report", "resolve", "restart",
    "schema", "spectrum", "study", "sweep", "version",
]
