# SPDX-License-Identifier: Apache-2.0
"""What the tests and the pictures of the papers' examples share: running a model of examples/papers, also one that is
expected to break off, and beams in its results.
"""
from case_tools import ROOT, Run, check, events, h5py, model_file, np, options_of, told

PAPERS = ROOT / "examples" / "papers"
NOT_CONVERGED = 4  # exit code


def paper(name):
    return (PAPERS / f"{name}.yaml").read_text(encoding="utf-8")


class PaperRun(Run):
    """Results with beams. Of a run that broke off, what came before its last sound step."""

    def __init__(self, path, summary, slots, stations):
        super().__init__(path, summary)
        self.slots, self.stations = slots, stations
        self.completed = summary["exit_code"] == 0
        self.end = float(self.t[-1])

    def cut(self, t):
        """Forgets what is not before t."""
        frames, steps = self.frame["t"] < t, self.step["t"] < t
        self.frame = {name: data[frames] for name, data in self.frame.items()}
        self.step = {name: data[steps] for name, data in self.step.items()}
        self.t = self.frame["t"]
        self.end = float(self.t[-1])

    def node(self, beam, number, what="q"):
        """Position (or velocity) of a node, counted from 1."""
        return self.frame[what][:, self.slots[beam][number - 1]]

    def rotation_of(self, beam, number):
        """Matrices whose columns are the axes of a node, counted from 1."""
        s = self.slots[beam][number - 1]
        return self.frame["q"][:, s + 1:s + 4].transpose(0, 2, 1)

    def section_force(self, beam, station):
        """N, Q2, Q3, M1, M2, M3 as stored, at a Gauss point of a beam; counted from 0 along the beam, `order` of them in an element."""
        return self.frame["section_force"][:, np.flatnonzero(self.stations["part"] == beam.encode())[station]]

    def tension(self, cable, arc):
        """Axial force of a cable there, between the Gauss points on both sides."""
        own = np.flatnonzero(self.stations["part"] == cable.encode())
        after = np.searchsorted(self.stations["arc"][own], arc)
        a, b = own[after - 1], own[after]
        share = (arc - self.stations["arc"][a])/(self.stations["arc"][b] - self.stations["arc"][a])
        force = self.frame["section_force"][:, :, 0]
        return (1 - share)*force[:, a] + share*force[:, b]


def run_paper(text, scheme, case=None, step=None, end=None, every=1, rho=None, may_fail=False):
    """Runs a model given as text. A run that broke off is cut before the first step whose energy balance is open."""
    with model_file(text) as path:
        results = path.with_suffix(".h5")
        words = options_of(every=every, scheme=scheme, step=step, end=end, rho=rho)
        codes = (0, NOT_CONVERGED) if may_fail else 0
        out = read(results, told(events("run", path, "-o", results, *words, code=codes)))
    tell(case, out)
    return out


def run_phases(text, scheme, first, phases, case=None):
    """A first phase (step, end), and from its end on others, each a dict of options of `torsor restart`. All results."""
    with model_file(text) as path:
        slow, rest = path.with_name("slow.h5"), path.with_name("rest.h5")
        words = options_of(every=1, scheme=scheme, step=first[0], end=first[1])
        out = [read(slow, told(events("run", path, "-o", slow, *words)))]
        for phase in phases:
            out.append(read(rest, told(events("restart", slow, "-o", rest, *options_of(every=1, **phase)))))
    for run in out:
        tell(case, run)
    return out


def tell(case, out):
    summary = out.summary
    if case:
        note = f", broke off: {summary['status'][:45]}" if summary["exit_code"] else ""
        print(f"  {case} run: {out}, {summary['iterations']/summary['steps_done']:.1f} iterations/step, "
              f"{summary['cuts']} cuts{note}", flush=True)
        if not summary["exit_code"]:
            check(case, "energy audit", summary["relative_balance"], 1e-9, quiet=True)
        check(case, "joints hold", summary["worst_violation"], 5e-10, quiet=True)


def read(path, summary):
    with h5py.File(path) as file:
        slots = {}
        for row in file["model/nodes"][:]:
            slots.setdefault(row["part"].decode(), []).append(int(row["slot"]))
        stations = file["model/stations"][:]
    run = PaperRun(path, summary, slots, stations)
    if summary["exit_code"]:
        scale = np.max(np.abs(run.step["work_loads"]) + np.abs(run.step["work_drives"])) + run.step["kinetic"][0]
        open_ = np.flatnonzero(np.abs(run.step["balance"]) > 1e-6 * scale)
        if len(open_):
            run.cut(run.step["t"][open_[0]])
    return run
