# SPDX-License-Identifier: Apache-2.0
"""torsor-mpi: the same results to round-off on 1, 2 and 4 ranks as with torsor, output by one rank only, all exit
codes, ranks that die.

Runs are compared with those of torsor by KLU, which shares no code with MUMPS on several processes; numbers of unstable motions with Euler's
column.

Environment: TORSOR_MPI, the program; without it (no MPI at build time, or sanitizers) the tests skip themselves.
"""
import json
import os
import re
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import numpy as np

from program import PROGRAM, ROOT, torsor

MPI = os.environ.get("TORSOR_MPI", "")
MPIRUN = ["mpirun", *(["--allow-run-as-root"] if os.getuid() == 0 else []), "--oversubscribe", "-n"]
# ranks that wait give way: there may be fewer cores than ranks; no direct copies between processes, which containers forbid
SURROUNDINGS = {**os.environ, "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
                "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
CAN = [ROOT / "examples/shell_free_flight.yaml", "--set", "around=12", "--set", "along=3"]
CRANK = [ROOT / "examples/slider_crank_solid.yaml", "--set", "along=6"]
BAR = """torsor: 1
units: SI
parameters: {n: 6}
materials: {steel: {E: 200 GPa, nu: 0, density: 8000}}
meshes: {m: {type: box, from: [0, 0, 0], to: [1, 0.1, 0.1], divisions: [n, 2, 2]}}
solids: {bar: {mesh: m, material: steel}}
joints: {wall: {type: support, nodes: bar.x-}}
"""
COLUMN = """torsor: 1
units: SI
parameters: {load: 0.9}
sections: {s: {EA: 1e8, GA2: 1e8, GA3: 1e8, GJ: 100, EI2: 100, EI3: 100, mass: 1}}
beams: {b: {from: [0, 0, 0], to: [0, 0, 1], section: s, elements: 60, order: 3}}
joints: {c: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}}
loads: {p: {type: force, body: b.end, force: [0, 0, -load*pi^2*100/4]}}
analysis: {type: static, increments: 1}
"""
DONE, USAGE, MODEL, FILE, NUMERICS = range(5)


def command(ranks, *words):
    return [*MPIRUN, str(ranks), MPI, *map(str, words)]


def mpi(ranks, *words, code=DONE, stdin=None, cwd=None):
    """torsor-mpi on so many ranks, which must end with this exit code."""
    done = subprocess.run(command(ranks, *words), capture_output=True, text=True, env=SURROUNDINGS, timeout=200, check=False,
                          input=stdin, cwd=cwd)
    if done.returncode != code:
        raise AssertionError(f"{ranks} ranks: {words}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-3000:]}")
    return done


def table(path, *columns):
    lines = torsor("info", path, "--csv", *columns).stdout.splitlines()
    return np.array([[float(x) for x in line.split(",")] for line in lines[1:]])


def alive(process):
    try:
        return "State:\tZ" not in pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def ends(process, seconds=20):
    """mpirun does not wait for a rank that it has told to end."""
    for _ in range(10 * seconds):
        if not alive(process):
            return True
        time.sleep(0.1)
    return False


def last_event(done):
    return json.loads(done.stdout.splitlines()[-1])


@unittest.skipUnless(MPI and shutil.which("mpirun"), "torsor-mpi was not built, or there is no mpirun")
class TestMpi(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder/name
        path.write_text(text, encoding="utf-8")
        return path

    # ---- results ----

    def compare(self, words, columns, limit=1e-9, numbers=("1", "2", "4")):
        """One model by KLU and by MUMPS here, and on some numbers of ranks: each column to round-off of its largest value."""
        paths = {name: self.folder/f"{name}.h5" for name in ("klu", "mumps", *numbers)}
        for name in ("klu", "mumps"):
            torsor("run", *words, "--solver", name, "-q", "-o", paths[name])
        for ranks in numbers:
            done = mpi(ranks, "run", *words, "--solver", "mumps", "--json", "-o", paths[ranks])
            self.assertEqual(last_event(done)["linear"]["ranks"], int(ranks))
            self.assertTrue(last_event(done)["sound"])
        first = table(paths["klu"], *columns)
        self.assertGreater(len(first), 4)
        scale = abs(first).max(0) + 1e-3*abs(first).max()
        for name, path in paths.items():
            self.assertLess((abs(table(path, *columns) - first)/scale).max(), limit, name)

    def test_shells_with_EP(self):
        self.compare([*CAN, "--end", "25ms"], ["can.1.position", "can.5.velocity", "energy"])

    def test_shells_with_ED(self):
        """ED has real and complex equations open at once."""
        self.compare([*CAN, "--scheme", "ED", "--end", "25ms"], ["can.1.position", "can.5.velocity", "energy"])

    def test_solids_and_joints_with_ED(self):
        self.compare([*CRANK, "--end", "2ms"], ["slider.position", "pin.force", "drive.moment.z", "energy"], 1e-7)

    def test_solids_with_EP_and_statics(self):
        load = "loads: {pull: {type: surface_load, faces: bar.x+, force: [0, 0, 1 MPa]}}\n"
        path = self.write("bar.yaml", BAR + load + "analysis: {scheme: EP, step: 50 us, end: 500 us}\n")
        self.compare([path], ["bar.1.position", "bar.7.position", "energy"], 1e-8)
        path = self.write("bar.yaml", BAR + load + "analysis: {type: static, increments: 5}\n")
        self.compare([path], ["bar.7.position", "energy"], 1e-8, ("2", "4"))

    def test_modes(self):
        path = self.write("bar.yaml", BAR)
        wanted = [mode["omega"] for mode in json.loads(torsor("modes", path, "-n", 6, "--json").stdout)["modes"]]
        for ranks in (1, 2, 4):
            found = [mode["omega"] for mode in json.loads(mpi(ranks, "modes", path, "-n", 6, "--json").stdout)["modes"]]
            np.testing.assert_allclose(found, wanted, rtol=1e-8)

    def test_unstable_motions_are_counted(self):
        """Euler: a column at 9.5 times its critical load is beyond two of them, in two planes each."""
        path = self.write("column.yaml", COLUMN)
        for ranks, load, ways in ((2, 0.9, 0), (2, 9.5, 4), (4, 25.5, 6)):
            done = mpi(ranks, "run", path, "--set", f"load={load}", "--solver", "mumps", "--json", "--no-results")
            self.assertEqual(last_event(done)["unstable"], ways)

    def test_runs_side_by_side(self):
        """Error bars: three runs in threads, whose factorisations take turns."""
        path = self.folder/"can.h5"
        words = [*CAN, "--end", "10ms", "--solver", "mumps", "--resolve", "--channels", "can.1.position", "--jobs", 3, "--json"]
        bars = [last_event(done)["channels"] for done in (torsor("run", *words, "-o", path), mpi(2, "run", *words, "-f", "-o", path))]
        one, two = ([float(x) for x in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", json.dumps(bar))] for bar in bars)
        np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-9)

    # ---- one voice ----

    def test_summary_and_output_are_told_once(self):
        done = mpi(4, "run", *CAN, "--end", "10ms", "--solver", "mumps", "--no-results")
        self.assertIn(", 4 ranks", done.stdout)
        self.assertEqual(done.stdout.count("energy audit: closed"), 1)
        self.assertNotIn("\r\x1b", done.stdout.replace("\r\n", "\n"))
        self.assertNotIn("\x1b", done.stdout)
        self.assertEqual(done.stderr, "")
        done = mpi(2, "run", *CAN, "--end", "10ms", "--no-results")
        self.assertIn("klu (auto)", done.stdout)
        self.assertIn(", 1 of 2 ranks", done.stdout)
        self.assertNotIn("rank", torsor("run", *CAN, "--end", "10ms", "--no-results").stdout)

    def test_help_and_version(self):
        self.assertEqual(mpi(2, "--version").stdout.split(), torsor("--version").stdout.split())
        told = mpi(2, "--help").stdout.replace("\r", "")
        self.assertTrue(told.startswith(torsor("--help").stdout.split("exit codes")[0].rstrip()))
        self.assertIn("This is torsor-mpi", told)
        self.assertIn("2 now", told)

    def test_build(self):
        version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=True).stdout.split()[3]
        self.assertRegex(mpi(2, "info", "--build").stdout, rf"MPI +Open MPI v{re.escape(version)}, 2 ranks now")
        self.assertRegex(torsor("info", "--build").stdout, "MPI +none")

    def test_alone(self):
        """Without mpirun there is one rank."""
        done = subprocess.run([MPI, "run", *CAN, "--end", "10ms", "--solver", "mumps", "--no-results"], capture_output=True, text=True,
                              env=SURROUNDINGS, timeout=60, check=True)
        self.assertIn("linear solver mumps, ", done.stdout)
        self.assertNotIn("ranks", done.stdout)

    def test_one_mumps_in_a_program(self):
        for program, seq in ((MPI, False), (PROGRAM, True)):
            needed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
            self.assertEqual("libdmumps_seq" in needed, seq)
            self.assertEqual("libdmumps-" in needed, not seq)

    # ---- every way out ----

    def test_mistakes_end_all_ranks(self):
        wrong = self.write("wrong.yaml", BAR.replace("support", "suport"))
        self.assertIn("there is no verb 'fly'", mpi(2, "fly", code=USAGE).stderr)
        self.assertEqual(mpi(2, "run", wrong, code=MODEL).stderr.count("suport"), 2)
        mpi(2, "run", self.folder/"none.yaml", code=FILE)
        failing = self.write("failing.yaml", BAR + "analysis: {scheme: EP, step: 1 ms, end: 1 s}\n"
                             "loads: {crush: {type: surface_load, faces: bar.x+, force: [-1e15, 1e15, 0]}}\n")
        done = mpi(2, "run", failing, "--solver", "mumps", "--no-results", code=NUMERICS)
        self.assertIn("FAILED", done.stdout)

    def test_a_model_from_standard_input(self):
        text = BAR + "analysis: {scheme: EP, step: 50 us, end: 500 us}\n"
        done = mpi(2, "run", "/dev/stdin", "--solver", "mumps", "--no-results", "--json", stdin=text)
        self.assertEqual(last_event(done)["status"], "completed")

    def test_studies_are_refused_and_results_read(self):
        """Children of rank 0 may read files (info does so in one), but not factor."""
        self.write("can.yaml", (ROOT/"examples/shell_free_flight.yaml").read_text())
        study = self.write("study.yaml", "study: 1\nmodel: can.yaml\nparameters: {along: [2, 3]}\nmeasures: {e: last energy.total}\n")
        self.assertIn("use `torsor study`", mpi(2, "study", study, code=USAGE, cwd=self.folder).stderr)
        self.assertFalse((self.folder/"study").exists())
        self.assertEqual(len(mpi(2, "study", study, "--list").stdout.split()), 3)
        torsor("run", *CAN, "--end", "10ms", "-q", "-o", self.folder/"can.h5")
        self.assertIn("completed", mpi(2, "info", self.folder/"can.h5").stdout)

    # ---- ranks that die ----

    def begin(self, path, **more):
        """A run of a minute on two ranks, with three states stored, which will be ended; and the processes of its ranks."""
        job = subprocess.Popen(command(2, "run", *CAN, "--solver", "mumps", "--end", "100 s", "--every", 1, "-f", "-o", path),
                               env={**SURROUNDINGS, **more}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(job.kill)
        until = time.monotonic() + 100
        while time.monotonic() < until:
            time.sleep(0.2)
            if path.exists() and subprocess.run([PROGRAM, "info", path, "--csv", "energy.total"], capture_output=True, text=True,
                                                check=False).stdout.count("\n") > 4:
                return job, self.ranks(job)
        raise AssertionError("the run does not begin")

    @staticmethod
    def ranks(job):
        found = {}
        for status in pathlib.Path("/proc").glob("[0-9]*/status"):
            try:
                if f"PPid:\t{job.pid}\n" in status.read_text():
                    words = (status.parent/"environ").read_text().split("\0")
                    found[int(next(w for w in words if w.startswith("OMPI_COMM_WORLD_RANK=")).split("=")[1])] = int(status.parent.name)
            except (OSError, StopIteration):
                pass
        return found

    def check_restart(self, path, restart):
        """What is stored is whole, and goes on to where a run without harm comes."""
        stored = table(path, "can.1.position", "energy.total")
        whole, rest = self.folder/"whole.h5", self.folder/"rest.h5"
        end = f"{stored[-1, 0] + 0.02}s"
        torsor("run", *CAN, "--solver", "klu", "--end", end, "-f", "-q", "-o", whole)
        restart("restart", path, "--end", end, "-f", "-q", "-o", rest)
        a, b = table(whole, "can.1.position", "energy.total"), table(rest, "can.1.position", "energy.total")
        np.testing.assert_allclose(stored, a[:len(stored)], rtol=1e-8, atol=1e-9)
        self.assertGreater(b[-1, 0], stored[-1, 0])
        np.testing.assert_allclose(b[-1], a[-1], rtol=1e-8, atol=1e-9)

    def test_a_rank_is_killed(self):
        path = self.folder/"killed.h5"
        for victim, restart in ((1, torsor), (0, lambda *words: mpi(2, *words))):
            job, ranks = self.begin(path)
            self.assertEqual(sorted(ranks), [0, 1])
            os.kill(ranks[victim], signal.SIGKILL)
            _, told = job.communicate(timeout=60)
            self.assertNotEqual(job.returncode, 0)
            self.assertRegex(told, f"rank {victim} .*signal 9")
            if victim == 1:
                self.assertIn("the stored states are kept", told)
            for process in ranks.values():
                self.assertTrue(ends(process))
            self.check_restart(path, restart)

    @staticmethod
    def least():
        """The smallest address space, kB, in which torsor-mpi starts: it grows with the shared libraries that it is linked with."""
        low, high = 0, 400000
        while high - low > 1000:
            middle = (low + high)//2
            done = subprocess.run(["sh", "-c", f"ulimit -c 0 -v {middle}; exec {MPI} --version"], capture_output=True, env=SURROUNDINGS, check=False)
            low, high = (low, middle) if done.returncode == DONE else (middle, high)
        return high

    def test_a_rank_without_memory(self):
        """Rank 1 with little memory: an error, or success, and never a wait for ever. Between 237 and 247 MB beyond what it needs to start it runs
        out where MUMPS 5.5 hands out the entries of the matrix; there MUMPS itself waits for ever (docs/clusters.md)."""
        path = self.write("bar.yaml", BAR.replace("[n, 2, 2]", "[10, 10, 10]") + "analysis: {scheme: EP, step: 1 ms, end: 1 ms}\n")
        least = self.least()
        for room in (332000, 272000, 222000, 192000):
            words = [*command(1, "run", path, "--solver", "mumps", "--no-results", "-q"), ":", "-n", "1", "sh", "-c",
                     f"ulimit -v {least + room}; exec {MPI}"]
            done = subprocess.run(words, capture_output=True, text=True, env=SURROUNDINGS, timeout=120, check=False)
            self.assertIn(done.returncode, (DONE, FILE, 127), done.stderr)
            if done.returncode == FILE:
                self.assertIn("out of memory", done.stderr)

    def test_a_job_is_stopped(self):
        """mpirun asked to end: rank 0 finishes its step and closes the file, as without MPI. mpirun waits ten seconds for that, not one: on a busy
        machine a step on two ranks takes longer."""
        path = self.folder/"stopped.h5"
        job, _ = self.begin(path, OMPI_MCA_odls_base_sigkill_timeout="10")
        job.send_signal(signal.SIGTERM)
        told, _ = job.communicate(timeout=60)
        self.assertIn("interrupted at t =", told)
        self.assertEqual(json.loads(torsor("info", path, "--json").stdout)["status"], "interrupted")
        self.check_restart(path, lambda *words: mpi(2, *words))


if __name__ == "__main__":
    unittest.main()
