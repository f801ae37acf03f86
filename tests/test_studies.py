#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Studies of many cases from Python: the list of cases (against scipy and counted by hand), measures (against closed
forms of a thrown ball), incomplete journals, cases that kill their process, and executors: processes, mpi4py and dask
with a worker killed."""
import concurrent.futures
import importlib.util
import json
import multiprocessing
import os
import pathlib
import shutil
import tempfile
import threading
import time
import unittest
import unittest.mock

import h5py
import numpy as np
from scipy import stats

from module import torsor
from study_tools import BALL, script, write

SPEEDS = {"v": [f"{v} m/s" for v in (1, 2, 3, 4, 5, 6, 7, 8)]}


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.journal = os.path.join(self.folder, "journal.jsonl")
        self.model = write(self.folder, "ball.yaml", BALL)

    def plan(self, text, **files):
        for name, content in files.items():
            write(self.folder, name + ".csv", content)
        return torsor.plan(write(self.folder, "study.yaml", "study: 1\nmodel: ball.yaml\n" + text))

    def lines(self):
        with open(self.journal, encoding="utf-8") as file:
            return file.read().splitlines()


class WhichCases(Folder):
    def test_grid_last_fastest(self):
        cases = self.plan("parameters: {v: [1 m/s, 2 m/s], g: {from: 1 m/s^2, to: 3 m/s^2, count: 3}}").cases
        self.assertEqual([tuple(case.values()) for case in cases],
                         [(f"{v} m/s", f"{g} m/s^2") for v in (1, 2) for g in (1, 2, 3)])

    def test_range_by_equal_ratios_meets_its_ends(self):
        cases = self.plan("parameters: {v: {from: 1 mm/s, to: 1 m/s, count: 4, scale: log}}").cases
        numbers = [torsor.number(case["v"], "m/s") for case in cases]
        np.testing.assert_allclose(numbers, [1e-3, 1e-2, 1e-1, 1], rtol=1e-15)
        self.assertEqual((numbers[0], numbers[-1]), (1e-3, 1.0))

    def test_distributions_have_the_quantiles_of_scipy(self):
        """One sample of a hypercube lies in each of n intervals of equal probability: so the distribution, and the method."""
        n = 200
        cases = self.plan(f"samples: {n}\nparameters:\n  v: {{lognormal: [3 m/s, 0.4]}}\n  g: {{normal: [10 m/s^2, 2 m/s^2]}}\n"
                          "  analysis.end: {uniform: [500 ms, 2 s]}\n  bodies.ball.mass: {loguniform: [1 g, 1 kg]}\n").cases
        expected = [("v", "m/s", stats.lognorm(0.4, scale=3)), ("g", "m/s^2", stats.norm(10, 2)),
                    ("analysis.end", "s", stats.uniform(0.5, 1.5)), ("bodies.ball.mass", "kg", stats.loguniform(1e-3, 1))]
        self.assertEqual(len(cases), n)
        order = []
        for name, unit, law in expected:
            u = law.cdf([torsor.number(case[name], unit) for case in cases])
            self.assertEqual(sorted((u * n).astype(int)), [*range(n)], name)
            order.append(u)
        independent = np.abs(np.corrcoef(order) - np.eye(4)).max()
        self.assertLess(independent, 4 / np.sqrt(n))

    def test_far_quantiles_of_the_normal_distribution(self):
        """More random samples leave the first ones as they were; the tails are those of scipy."""
        few = self.plan("samples: 50\nmethod: random\nparameters: {v: {normal: [0 m/s, 1 m/s]}}").cases
        many = self.plan("samples: 20000\nmethod: random\nparameters: {v: {normal: [0 m/s, 1 m/s]}}").cases
        self.assertEqual(few, many[:50])
        x = np.array([torsor.number(case["v"], "m/s") for case in many])
        self.assertGreater(stats.kstest(x, "norm").pvalue, 1e-3)
        self.assertGreater(np.abs(x).max(), 3.5)

    def test_seeds(self):
        text = "samples: 5\nparameters: {v: {uniform: [1 m/s, 2 m/s]}}\n"
        self.assertEqual(self.plan(text).cases, self.plan(text + "seed: 1\n").cases)
        self.assertNotEqual(self.plan(text).cases, self.plan(text + "seed: 2\n").cases)
        with_other = self.plan("samples: 5\nparameters: {g: {uniform: [1 m/s^2, 2 m/s^2]}, v: {uniform: [1 m/s, 2 m/s]}}\n")
        self.assertEqual([case["v"] for case in with_other.cases], [case["v"] for case in self.plan(text).cases])

    def test_tables_and_products(self):
        for text in ('v [mm/s],g\n1000,"10 m/s^2"\n2000,9 m/s^2\n\n', 'v [mm/s]; g\r\n1000; 10 m/s^2\r\n2000; 9 m/s^2\r\n'):
            cases = self.plan("table: rows.csv\n", rows=text).cases
            self.assertEqual(cases, [{"v": "1000 mm/s", "g": "10 m/s^2"}, {"v": "2000 mm/s", "g": "9 m/s^2"}])
        cases = self.plan("table: rows.csv\nsamples: 3\nparameters: {g: [1 m/s^2, 2 m/s^2], analysis.end: {uniform: [1, 2]}}\n",
                          rows="v\n1 m/s\n2 m/s\n").cases
        self.assertEqual(len(cases), 12)
        self.assertEqual(len({tuple(case.values()) for case in cases}), 12)

    def test_mistakes_have_places(self):
        for text, place, words in [
            ("parameters: {w: [1]}", "study.yaml:3:14", "no parameter 'w': it has v, g"),
            ("parameters: {v: {from: 1 m/s, to: 2 kg, count: 3}}", "study.yaml:3:35", "expected a velocity"),
            ("parameters: {v: {from: 1 m/s, to: 2 m/s}}", "study.yaml:3:17", "'count' is missing"),
            ("parameters: {v: {from: 1 m/s, to: 2 m/s, count: 1}}", "study.yaml:3:49", "whole number, 2 to"),
            ("parameters: {v: {from: -1 m/s, to: 2 m/s, count: 3, scale: log}}", "study.yaml:3:17", "positive ends"),
            ("parameters: {v: {uniform: [2 m/s, 1 m/s]}}\nsamples: 2", "study.yaml:3:27", "below the second"),
            ("parameters: {v: {unifrom: [1 m/s, 2 m/s]}}\nsamples: 2", "study.yaml:3:17", "did you mean 'uniform'"),
            ("parameters: {v: {uniform: [1 m/s, 2 m/s]}}", "study.yaml:3:14", "number of samples is missing"),
            ("parameters: {v: [1 m/s]}\nsamples: 3", "study.yaml:1:1", "no parameter has a distribution"),
            ("parameters: {v: [1 m/s)]}", "study.yaml:3:", "found ')'"),
            ("parameters: {v: []}", "study.yaml:3:17", "one value or more"),
            ("parameters: {v: [1 m/s], v: [2 m/s]}", "study.yaml:3:", "twice"),
            ("parameters: {v: [1 m/s]}\nmeasures: {x: top ball.position.x}", "study.yaml:4:15", "is not a measure"),
            ("parameters: {v: [1 m/s]}\noptions: {stp: 1 ms}", "study.yaml:4:16", "did you mean 'step'"),
            ("parameters: {v: [1 m/s]}\nmethod: sobol", "study.yaml:4:9", "latin_hypercube or random"),
            ("parameters: {v: [1 m/s]}\nkeep: all", "study.yaml:4:7", "results or reports"),
            ("parmeters: {v: [1 m/s]}", "study.yaml:3:1", "did you mean 'parameters'"),
            ("title: none", "study.yaml:1:1", "no parameters"),
            ("table: none.csv", "study.yaml:3:8", "cannot read"),
            ("table: rows.csv", "rows.csv:3:1", "has 1 values, the first line 2 names"),
            ("parameters: {v: {from: 1 m/s, to: 2 m/s, count: 9999}, g: {from: 1 m/s^2, to: 2 m/s^2, count: 9999}}",
             "study.yaml:1:1", "more than 1000000 cases"),
        ]:
            with self.subTest(text=text), self.assertRaises(torsor.ModelError) as caught:
                self.plan(text, rows="v,g\n1 m/s,2 m/s^2\n3 m/s\n")
            self.assertIn(place, str(caught.exception))
            self.assertIn(words, str(caught.exception))

    def test_files_that_are_not_studies(self):
        with self.assertRaisesRegex(torsor.ModelError, "this is a model, not a study"):
            torsor.plan(self.model)
        with self.assertRaisesRegex(torsor.FileError, "cannot read"):
            torsor.plan(os.path.join(self.folder, "none.yaml"))
        with self.assertRaisesRegex(torsor.ModelError, "cannot read the file"):
            torsor.plan(write(self.folder, "a.yaml", "study: 1\nmodel: none.yaml\nparameters: {v: [1]}\n"))
        for text in (b"", b"\xff\xfe", b"study: 1\n\0", b"[" * 100, b"study: 1\nmodel: ball.yaml\nparameters: 3\n"):
            path = pathlib.Path(self.folder, "b.yaml")
            path.write_bytes(text)
            with self.subTest(text=text[:20]), self.assertRaises(torsor.TorsorError):
                torsor.plan(path)


class WhatIsFound(Folder):
    def test_measures_of_a_thrown_ball(self):
        """z = v t - g t^2/2 at t = 0, 10 ms, ...: v^2/(2 g) at most; mean and rms of the polygon through these points."""
        measures = {"far": "last ball.position.x", "high": "max ball.position.z", "low": "min ball.position.z",
                    "most": "absmax ball.position.z", "span": "range ball.position.z", "first": "first ball.velocity.z",
                    "mean": "mean ball.position.z", "rms": "rms ball.position.z"}
        found = torsor.study(self.model, {"v": ["3 m/s", "4 m/s"]}, measures, processes=1)
        t = np.linspace(0, 1, 101)
        fine = np.linspace(0, 1, 2_000_001)
        for case, v in zip(found, (3, 4)):
            z = v * t - 5 * t**2
            line = np.interp(fine, t, z)
            expected = {"far": v, "high": v**2 / 20, "low": min(0, v - 5), "most": max(v**2 / 20, abs(min(0, v - 5))),
                        "span": v**2 / 20 - min(0, v - 5), "first": v, "mean": np.trapz(line, fine),
                        "rms": np.sqrt(np.trapz(line**2, fine))}
            for name, value in expected.items():
                self.assertAlmostEqual(case.value[name], value, delta=1e-9, msg=name)

    def test_a_column_that_is_not_there_is_told_before_anything_runs(self):
        for measure, words in [({"x": "max ball.speed"}, "the model has no 'ball.speed'"), ({"x": "max ball.position"}, "3 columns")]:
            found = words
            try:
                cases = torsor.study(self.model, SPEEDS, measure, journal=self.journal, processes=1)
                found = str(cases[0].error)
            except torsor.ModelError as why:
                found = str(why)
            self.assertIn(words, found)

    def test_one_table_in_three_forms(self):
        found = torsor.study(self.model, {"v": ["1 m/s", "2000 mm/s"], "g": ["10 m/s^2"]}, {"far": "last ball.position.x"},
                             processes=2)
        columns = found.columns()
        np.testing.assert_allclose(columns["v"], [1, 2])
        np.testing.assert_allclose(columns["far"], [1, 2], atol=1e-12)
        self.assertEqual((columns["case"].tolist(), columns["good"].tolist()), ([0, 1], [1, 1]))
        found.to_csv(os.path.join(self.folder, "t.csv"))
        with open(os.path.join(self.folder, "t.csv"), encoding="utf-8") as file:
            self.assertEqual(file.readline().strip(), "case,v [m/s],g [m/s^2],far [m],good,seconds")
        with self.assertRaises(torsor.FileError):
            found.to_csv(os.path.join(self.folder, "t.csv"))
        for _ in range(2):  # the second replaces the first
            found.to_hdf5(os.path.join(self.folder, "t.h5"))
        with h5py.File(os.path.join(self.folder, "t.h5")) as file:
            np.testing.assert_array_equal(file["cases"]["far"], columns["far"])
            self.assertEqual(file["cases"].attrs["unit of v"], b"m/s" if isinstance(file["cases"].attrs["unit of v"], bytes) else "m/s")
        if importlib.util.find_spec("pandas"):
            self.assertEqual([*found.to_pandas().columns], [*columns])

    def test_functions_as_measures(self):
        found = torsor.study(self.model, SPEEDS, lambda r: {"a": r["ball.position.x"][-1], "b": r.frames}, processes=2)
        np.testing.assert_allclose(found.columns()["a"], range(1, 9), atol=1e-12)
        lists = torsor.study(self.model, [{"v": "1 kg"}, {"v": "2 m/s"}], lambda r: [1, r.frames], processes=2, journal=self.journal)
        self.assertIn("velocity", str(lists[0].error))
        self.assertEqual(lists[1].value, [1, 101])

    def test_models_with_tables_in_files(self):
        """The text that is sent to other processes has them written in."""
        write(self.folder, "table.csv", "0, 0\n1, 4\n")
        text = BALL.replace("bodies:", "signals: {f: {file: table.csv, units: [s, N]}}\nbodies:")
        path = write(self.folder, "other.yaml", text + "loads: {push: {type: force, body: ball, force: [f, 0, 0]}}\n")
        try:
            torsor.load(path).check()
        except torsor.ModelError as why:
            self.skipTest(f"the model is not as this version reads it: {why}")
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir("/")
        found = torsor.study(path, {"v": ["1 m/s"]}, {"far": "last ball.position.x"}, processes=1)
        self.assertIsNone(found[0].error)
        self.assertAlmostEqual(found[0].value["far"], 1 + 4 / 6, delta=1e-3)  # a = 4 t


class Journals(Folder):
    def study(self, **options):
        return torsor.study(self.model, SPEEDS, {"far": "last ball.position.x"}, journal=self.journal, processes=2, **options)

    def test_what_is_in_the_journal_is_not_run_again(self):
        first = self.study()
        self.assertEqual(len(self.lines()), 8)
        with unittest.mock.patch.object(torsor.many._Runner, "run", side_effect=lambda tasks: self.assertEqual(tasks, [])):
            second = self.study()
        self.assertEqual([case.value for case in first], [case.value for case in second])

    def test_a_cut_last_line_costs_one_case(self):
        values = [case.value for case in self.study()]
        lines = self.lines()
        for cut in (20, 90, 200, len(lines[3]) - 1):
            with open(self.journal, "w", encoding="utf-8") as file:
                file.write("\n".join(lines[:3]) + "\nnonsense\n{\"key\": 3}\n[1]\n" + lines[3][:cut])
            ran = []
            again = self.study(progress=lambda done, count, ran=ran: ran.append(done))
            self.assertEqual([case.value for case in again], values)
            self.assertEqual(ran, [4, 5, 6, 7, 8])  # three were there
            self.assertEqual(len(torsor.journal.read(self.journal)), 8)

    def test_other_parameters_options_and_measures_are_other_cases(self):
        self.study()
        self.study(options={"step": "20 ms"})
        torsor.study(self.model, SPEEDS, {"far": "max ball.position.x"}, journal=self.journal, processes=2)
        self.assertEqual(len(torsor.journal.read(self.journal)), 24)

    def test_failures_are_not_written(self):
        found = torsor.study(self.model, {"v": ["1 m/s", "1 kg"]}, {"far": "last ball.position.x"}, journal=self.journal, processes=1)
        self.assertEqual((len(found.failed), len(self.lines())), (1, 1))
        self.assertIn("velocity", str(found[1].error))

    def test_two_studies_do_not_share_a_journal(self):
        with torsor.journal.Journal(self.journal), self.assertRaisesRegex(torsor.FileError, "another study is writing"):
            self.study()

    def test_parts_are_gathered(self):
        for i in (1, 2, 3):
            part = self.study(part=(i, 3))
            self.assertEqual([case.number for case in part], [*range(8)][i - 1::3])
        self.assertFalse(os.path.exists(self.journal))
        with unittest.mock.patch.object(torsor.many._Runner, "run", side_effect=lambda tasks: self.assertEqual(tasks, [])):
            whole = self.study()
        np.testing.assert_allclose([case.value["far"] for case in whole], range(1, 9), atol=1e-12)
        for wrong in ((0, 3), (4, 3)):
            with self.assertRaisesRegex(torsor.ModelError, "from 1 to n"):
                self.study(part=wrong)

    def test_killed_and_resumed(self):
        """The process of the study is killed after some cases: exactly the others run."""
        text = f"""
import os, torsor
def told(done, count):
    if done == 3:
        os.kill(os.getpid(), 9)
torsor.study({str(self.model)!r}, {SPEEDS!r}, {{"far": "last ball.position.x"}}, journal={self.journal!r}, processes=1, progress=told)
"""
        script(self.folder, text, code=-9)
        self.assertEqual(len(self.lines()), 3)
        ran = []
        found = self.study(progress=lambda done, count: ran.append(done))
        self.assertEqual(ran, [4, 5, 6, 7, 8])
        np.testing.assert_allclose([case.value["far"] for case in found], range(1, 9), atol=1e-12)

    def test_interrupted_and_resumed(self):
        text = f"""
import os, signal, time, torsor
def slow(results):
    time.sleep(0.2)
    return results["ball.position.x"][-1]
def told(done, count):
    if done == 2:
        os.kill(os.getpid(), signal.SIGINT)
try:
    torsor.study({str(self.model)!r}, {SPEEDS!r}, slow, journal={self.journal!r}, processes=2, progress=told)
except KeyboardInterrupt:
    print("interrupted")
"""
        done = script(self.folder, text)
        self.assertIn("interrupted", done.stdout)
        self.assertNotIn("Traceback", done.stderr)
        self.assertIn(len(self.lines()), (2, 3))


def deadly(results):
    """Kills its process at v = 5 m/s."""
    x = float(results["ball.position.x"][-1])
    if abs(x - 5) < 1e-6:
        os.kill(os.getpid(), 9)
    return x


class Executors(Folder):
    def check_one_lost(self, found):
        self.assertEqual([case.number for case in found.failed], [4])
        self.assertIn("did not return", str(found.failed[0].error))
        np.testing.assert_allclose([case.value for case in found.finished], [1, 2, 3, 4, 6, 7, 8], atol=1e-12)

    def test_a_dying_case_costs_only_itself(self):
        for processes in (1, 2, 3):
            self.check_one_lost(torsor.study(self.model, SPEEDS, deadly, processes=processes, journal=self.journal))
            self.assertEqual(len(self.lines()), 7)
            os.unlink(self.journal)

    def test_all_cases_die(self):
        found = torsor.study(self.model, SPEEDS, lambda r: os._exit(1), processes=2)
        self.assertEqual(len(found.failed), 8)

    def test_forks_wait_for_the_lock_of_cffi(self):
        """A thread is looking a type up while a process is forked: the child can look up types, too."""
        held = threading.Event()

        def hold():
            with torsor.ffi._lock:
                held.set()
                time.sleep(0.3)
        thread = threading.Thread(target=hold)
        thread.start()
        held.wait()
        child = multiprocessing.get_context("fork").Process(target=lambda: torsor.ffi.typeof("double[1234]"))
        child.start()
        child.join(20)
        thread.join()
        alive = child.is_alive()
        child.kill()
        self.assertFalse(alive, "the child waits for ever")

    def test_a_pool_of_the_caller(self):
        context = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
            found = torsor.study(self.model, SPEEDS, {"far": "last ball.position.x"}, executor=pool)
        np.testing.assert_allclose([case.value["far"] for case in found], range(1, 9), atol=1e-12)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            threads = torsor.study(self.model, SPEEDS, {"far": "last ball.position.x"}, executor=pool)
        self.assertEqual([case.value for case in threads], [case.value for case in found])
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
            broken = torsor.study(self.model, SPEEDS, deadly, executor=pool, journal=self.journal)
        self.assertIn("the function that makes the executor", str(broken.failed[-1].error))
        made = torsor.study(self.model, SPEEDS, deadly, journal=self.journal,
                            executor=lambda: concurrent.futures.ProcessPoolExecutor(2, mp_context=context))
        self.check_one_lost(made)

    @unittest.skipUnless(importlib.util.find_spec("mpi4py") and shutil.which("mpirun"), "python3-mpi4py or mpirun is not installed")
    def test_mpi_workers_and_one_killed(self):
        """With MPI the death of a worker ends the whole job: the journal keeps what was done, and the next job goes on."""
        text = """
import os, sys, torsor
from mpi4py.futures import MPIPoolExecutor
from mpi4py import MPI
def measure(results):
    x = float(results["ball.position.x"][-1])
    if abs(x - 5) < 1e-6 and not os.path.exists("killed"):
        open("killed", "w").close()
        os.kill(os.getpid(), 9)
    return x
if __name__ == "__main__":
    with MPIPoolExecutor(1) as pool:
        found = torsor.study("ball.yaml", SPEEDS, measure, executor=pool, journal="journal.jsonl")
    print("values", [case.value for case in found])
""".replace("SPEEDS", repr(SPEEDS))
        words = ["mpirun", *(["--allow-run-as-root"] if os.getuid() == 0 else []), "--oversubscribe", "-n", "2"]
        done = script(self.folder, text, *words, code=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(len(self.lines()), 4, done.stderr)
        done = script(self.folder, text, *words)
        self.assertIn("values", done.stdout)
        np.testing.assert_allclose(json.loads(done.stdout.split("values")[1]), range(1, 9), atol=1e-12)
        self.assertEqual(len(self.lines()), 8)

    @unittest.skipUnless(importlib.util.find_spec("distributed"), "python3-distributed is not installed")
    def test_dask_workers_and_one_killed(self):
        """A worker that dies is started again and its case retried; a case that kills every worker is the only one lost."""
        text = """
import os, torsor
from dask.distributed import Client, LocalCluster
def once(results):
    x = float(results["ball.position.x"][-1])
    if abs(x - 5) < 1e-6 and not os.path.exists("killed"):
        open("killed", "w").close()
        os.kill(os.getpid(), 9)
    return x
def always(results):
    x = float(results["ball.position.x"][-1])
    if abs(x - 5) < 1e-6:
        os.kill(os.getpid(), 9)
    return x
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        for measure in (once, always):
            found = torsor.study("ball.yaml", SPEEDS, measure, executor=client.get_executor(retries=2))
            print("numbers", [case.number for case in found.finished])
""".replace("SPEEDS", repr(SPEEDS))
        done = script(self.folder, text, timeout=200)
        numbers = [json.loads(line.split("numbers")[1]) for line in done.stdout.splitlines() if "numbers" in line]
        self.assertEqual(numbers, [[*range(8)], [0, 1, 2, 3, 5, 6, 7]])


class Progress(Folder):
    def test_bar_only_on_a_terminal(self):
        bar = torsor.many.Bar(None, 10, 2)
        self.assertFalse(bar.terminal)
        bar.begun = time.monotonic() - 8
        bar.done = 6
        self.assertIn("6 of 10 cases, 0:00:08 left", bar.text())


if __name__ == "__main__":
    unittest.main()
