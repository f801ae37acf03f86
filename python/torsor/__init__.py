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
from .errors import (ConvergenceError, FileError, Interrupted, ModelError, OutOfMemoryError,
                     SingularError, TorsorError)
from .model import Model, load, parse, schema
from .modes import Mode, Modes
from .resolve import Channel, ErrorBars, resolve
from .results import Page, Results, Table
from .run import (Assembly, BeamState, Condition, Coordinate, Gap, Ledger, Measure, Node, Part,
                  Resolution, Run, Step, Summary)
from .sections import Entry, Section
from .study import Case, sweep

__version__ = version()

__all__ = [
    "Assembly", "BeamState", "Case", "Channel", "Condition", "ConvergenceError", "Coordinate", "Entry", "ErrorBars",
    "FileError", "Gap", "Interrupted", "Ledger", "Measure", "Mode", "Model", "ModelError", "Modes", "Node",
    "OutOfMemoryError", "Page", "Part", "Resolution", "Results", "Run", "Section", "SingularError", "Step", "Summary", "Table", "TorsorError",
    "ffi", "lib", "load", "parse", "resolve", "schema", "sweep", "version",
]
