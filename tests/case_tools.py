# SPDX-License-Identifier: Apache-2.0
"""What the tests of published cases share: running a model of examples/cases, reading its results, and
one line of verdict per check.

See program.py for the environment.
"""
import os
import re
import sys

SKIP = 77
try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIP)

from program import PROGRAM, QUICK, ROOT, events, model_file

MODELS = ROOT / "examples" / "cases"

AUDIT = 1e-10  # energy balance over the largest energy
VIOLATION = 1e-12  # of position conditions
ROUND_OFF = 1e-15  # as --tolerance

_checks = []  # (case, what, error, tolerance)


def check(case, what, error, tolerance, note="", quiet=False):
    """One line (when quiet, only if it fails), remembered for the verdict. Errors have no sign."""
    error = float(np.max(np.abs(error)))
    good = error <= tolerance
    _checks.append((case, what, error, tolerance))
    if not (good and quiet):
        print(f"  {case} {'ok' if good else 'FAILED'}: {what}: error {error:.2e} (tolerance {tolerance:.0e})"
              + (f", {note}" if note else ""), flush=True)
    return good


def verdict():
    """One line per case, with the check nearest to its tolerance; the exit code of the whole test."""
    def share(c):
        return c[2]/c[3] if c[3] > 0 else (0 if c[2] == 0 else np.inf)
    for case in dict.fromkeys(c[0] for c in _checks):
        mine = [c for c in _checks if c[0] == case]
        bad = [c for c in mine if not c[2] <= c[3]]
        _, what, error, tolerance = max(bad or mine, key=share)
        print(f"{case} {'FAILED' if bad else 'ok'}: {len(mine) - len(bad)} of {len(mine)} checks; {what}: "
              f"error {error:.2e} (tolerance {tolerance:.0e})")
    return 1 if any(not c[2] <= c[3] for c in _checks) else 0


def need_program():
    if not os.access(PROGRAM, os.X_OK):
        print(f"skipped: there is no program {PROGRAM}")
        sys.exit(SKIP)


class Run:
    """The results of one run: arrays by frame, bodies and joints by name."""

    def __init__(self, path, summary):
        self.summary = summary
        with h5py.File(path) as file:
            frames, steps = file["progress"][:]
            self.frame = {name: data[:frames] for name, data in file["frames"].items()}
            self.step = {name: data[:steps] for name, data in file["steps"].items()}
            self._node, self._slot = {}, {}
            for n, (row, number) in enumerate(zip(file["model/nodes"][:], file["model/node_numbers"][:])):
                part = row["part"].decode()
                for name in (part, f"{part}.{number}") if number >= 0 else ():  # a part's first node has its name, too
                    self._node.setdefault(name, n), self._slot.setdefault(name, row["slot"])
            for row in file["model/names"][:]:
                name = f"{row['part'].decode()}.{row['word'].decode()}"
                self._node[name], self._slot[name] = row["node"], file["model/nodes"][row["node"]]["slot"]
            self._reaction = {row["name"].decode(): row["reaction"] for row in file["model/parts"][:]}
            points = file["model/solid_points"][:] if "solid_points" in file["model"] else []
            self.solid_point = np.array([[row["x"], row["y"], row["z"]] for row in points])
            self._coordinate = {(row["part"].decode(), row["name"].decode()): n
                                for n, row in enumerate(file["model/coordinates"][:])}
        self.t = self.frame["t"]

    def position(self, body):
        return self.frame["q"][:, self._slot[body]]

    def velocity(self, body):
        return self.frame["v"][:, self._slot[body]]

    def rotation(self, body):
        """Matrices whose columns are the body's axes."""
        s = self._slot[body]
        return self.frame["q"][:, s + 1:s + 4].transpose(0, 2, 1)

    def omega(self, body):
        return self.frame["omega"][:, self._node[body]]

    def omega_in_body(self, body):
        return np.einsum("nij,ni->nj", self.rotation(body), self.omega(body))

    def force(self, part):
        return self.frame["force"][:, self._reaction[part]]

    def moment(self, part):
        return self.frame["moment"][:, self._reaction[part]]

    def coordinate(self, joint, name):
        return self.frame["coordinate"][:, self._coordinate[joint, name]]

    def coordinate_rate(self, joint, name):
        return self.frame["coordinate_rate"][:, self._coordinate[joint, name]]

    def at(self, t):
        """Index of the stored state at time t."""
        n = int(np.argmin(np.abs(self.t - t)))
        assert abs(self.t[n] - t) < 1e-9 * max(1, t), f"no stored state at t = {t}"
        return n

    def __str__(self):
        s = self.summary
        return (f"{s['scheme']} h = {s['h']:g} s, {s['steps_done']} steps in {s['seconds']:.2f} s, "
                f"audit {s['relative_balance']:.0e}, violation {s['worst_violation']:.0e}")


def changed(text, **parameters):
    """The model with other values of its parameters (a parameter is a line '  name: value')."""
    for name, value in parameters.items():
        text, count = re.subn(rf"^  {name}: [^#\n]*", f"  {name}: {value} ", text, flags=re.MULTILINE)
        assert count == 1, f"parameter {name} is there {count} times"
    return text


def model(name):
    return (MODELS / f"{name}.yaml").read_text(encoding="utf-8")


def told(lines):
    """The end of a run as its JSON has it, with what was said of the model at the start."""
    summary = lines[-1] | {key: lines[0][key] for key in ("scheme", "h", "redundant")}
    summary["assembly"] = next((e for e in lines if e["event"] == "assembly"), None)
    if summary["scheme"] == "ED":
        summary["scheme"] = f"ED({lines[0]['rho_inf']:g})"
    return summary


def options_of(**options):
    """Words of the command line, of options that are not None."""
    return [word for name, value in options.items() if value is not None for word in (f"--{name}", value)]


def run(text, scheme="EP", step=None, end=None, every=1, rho=None, audit=AUDIT, case=None, tolerance=ROUND_OFF):
    """Runs a model given as text; checks that its energy audit is closed and its joints hold. Steps are solved to round-off: what a
    scheme preserves is preserved by the solution of its equations."""
    with model_file(text) as path:
        results = path.with_suffix(".h5")
        words = options_of(scheme=scheme, step=step, end=end, rho=rho, every=every, tolerance=tolerance)
        out = Run(results, told(events("run", path, "-o", results, *words)))
    summary = out.summary
    if case:
        print(f"  {case} run: {out}", flush=True)
    if case or audit != AUDIT:
        case = case or "run"
        check(case, "energy audit", summary["relative_balance"], audit, quiet=True)
        check(case, "joints hold", summary["worst_violation"], VIOLATION, quiet=True)
    return out


def solve(kind, text, code=0, **parameters):
    """Runs a model of statics with other parameters, as its file says; `kind` is the class of its results, `code` the exit code."""
    with model_file(changed(text, **parameters)) as path:
        results = path.with_suffix(".h5")
        return kind(results, events("run", path, "-o", results, code=code)[-1])
