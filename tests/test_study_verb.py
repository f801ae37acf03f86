#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`torsor study`: cases, journal, table and page from the command line; killed, interrupted and continued; parts for clusters; the same
journal as the Python module. The page in a real Chromium. Expected values are those of a thrown ball, in closed form."""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

from program import PROGRAM, ROOT, torsor
from study_tools import BALL, write

LIBRARY = os.environ.get("TORSOR_LIBRARY", "")
HAVE_PAGE = (ROOT / "report/node_modules/playwright-core").is_dir() and shutil.which("node") is not None

STUDY = """study: 1
title: Throws
model: ball.yaml
parameters: {v: {from: 1 m/s, to: 8 m/s, count: 8}}
measures: {far: last ball.position.x, high: max ball.position.z}
"""
# each case takes about a second
SLOW = STUDY + "options: {step: 10 us, every: 1000}\n"


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        write(self.folder, "ball.yaml", BALL)
        write(self.folder, "throws.yaml", STUDY)
        write(self.folder, "slow.yaml", SLOW)
        self.place = self.folder / "throws"

    def study(self, *words, **options):
        return torsor("study", *words, cwd=self.folder, **options)

    def lines(self, name="journal.jsonl", place=None):
        return [line for line in ((place or self.place) / name).read_text(encoding="utf-8").splitlines() if line]

    def table(self, place=None):
        with open((place or self.place) / "table.csv", newline="", encoding="utf-8") as file:
            return [*csv.DictReader(file)]

    def begin(self, name):
        """A slow study, two at a time, until it has its first case."""
        process = subprocess.Popen([PROGRAM, "study", f"{name}.yaml", "--jobs", "2"], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        journal = self.folder / name / "journal.jsonl"
        for _ in range(3000):
            if journal.exists() and journal.stat().st_size > 0:
                return process
            time.sleep(0.02)
        process.kill()
        self.fail("no case was finished in a minute")

    def children(self, process):
        return [int(pid) for pid in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]

    def holds(self, pid):
        """Stops a process; one that has ended already, and waits to be noticed, cannot be stopped."""
        try:
            os.kill(pid, signal.SIGSTOP)
            for _ in range(100):
                state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
                if state in "TZX":
                    return state == "T"
                time.sleep(0.01)
        except (FileNotFoundError, ProcessLookupError):
            pass
        return False

    def finish(self, name):
        """The same command goes on, and ends with all cases as they should be."""
        before = len(self.lines(place=self.folder / name))
        done = self.study(f"{name}.yaml")
        self.assertIn("8 of 8 cases", done.stdout)
        rows = self.table(self.folder / name)
        np.testing.assert_allclose([float(row["far [m]"]) for row in rows], range(1, 9), atol=1e-9)
        self.assertEqual([*(self.folder / name / "runs").iterdir()], [])
        return before


class Studies(Folder):
    def test_table_of_throws(self):
        done = self.study("throws.yaml")
        self.assertIn("8 of 8 cases", done.stdout)
        rows = self.table()
        v = np.array([float(row["v [m/s]"]) for row in rows])
        np.testing.assert_allclose(v, range(1, 9), rtol=1e-15)
        np.testing.assert_allclose([float(row["far [m]"]) for row in rows], v, atol=1e-12)
        np.testing.assert_allclose([float(row["high [m]"]) for row in rows], v**2 / 20, atol=1e-12)
        self.assertEqual({row["good"] for row in rows}, {"1"})
        again = self.study("throws.yaml")
        self.assertIn("8 of them in the journal", again.stdout)
        self.assertEqual(len(self.lines()), 8)

    def test_the_example(self):
        """At the lowest point of a pendulum from the horizontal the bar pulls with 3 m g, and the speed is sqrt(2 g L)."""
        self.study(ROOT / "examples/studies/pendulum.yml", "-o", "pendulums")
        rows = self.table(self.folder / "pendulums")
        mass, length = (np.array([float(row[name]) for row in rows]) for name in ("M [kg]", "L [m]"))
        self.assertEqual(len(rows), 24)
        np.testing.assert_allclose([float(row["tension [N]"]) for row in rows], 3 * mass * 9.81, rtol=2e-3)
        np.testing.assert_allclose([float(row["speed [m/s]"]) for row in rows], np.sqrt(2 * 9.81 * length), rtol=2e-3)

    def test_set_list_and_help(self):
        self.study("throws.yaml", "--set", "g=5 m/s^2")
        np.testing.assert_allclose([float(row["high [m]"]) for row in self.table()[:4]], [0.1, 0.4, 0.9, 1.6], atol=1e-12)
        listed = self.study("throws.yaml", "--list", "-o", "none").stdout.splitlines()
        self.assertEqual((listed[0], listed[3], len(listed)), ("case,v", "2,3 m/s", 9))
        self.assertFalse((self.folder / "none").exists())

    def test_mistakes(self):
        write(self.folder, "bad.yaml", STUDY.replace("v:", "w:") + "sample: 3\n")
        done = self.study("bad.yaml", code=2)
        self.assertIn("bad.yaml:6:1: error: unknown key 'sample'", done.stderr)
        write(self.folder, "bad.yaml", STUDY.replace("v:", "w:"))
        done = self.study("bad.yaml", code=2)
        self.assertIn("bad.yaml:4:14: error: the model has no parameter 'w': it has v, g", done.stderr)
        write(self.folder, "bad.yaml", STUDY.replace("ball.position.z", "ball.position.w"))
        done = self.study("bad.yaml", code=2)
        self.assertIn("ball.position.w", done.stderr)
        self.assertEqual(self.lines(place=self.folder / "bad"), [])
        self.study("none.yaml", code=3)
        self.study("ball.yaml", code=2)
        for part in ("0/3", "4/3", "x", "1/2/3"):
            self.assertIn("expected I/N", self.study("throws.yaml", "--part", part, code=1).stderr)
        (self.folder / "mine").mkdir()
        write(self.folder / "mine", "letter.txt", "dear")
        self.assertIn("was not made by a study", self.study("throws.yaml", "-o", "mine", code=3).stderr)
        self.assertEqual([*(self.folder / "mine").iterdir()], [self.folder / "mine" / "letter.txt"])

    def test_cases_that_fail_are_told_and_not_written(self):
        write(self.folder, "some.yaml", STUDY.replace("{from: 1 m/s, to: 8 m/s, count: 8}", "[1 m/s, 2 kg, 3 m/s]"))
        done = self.study("some.yaml", code=4)
        self.assertIn("case 1 (v = 2 kg) failed", done.stderr)
        self.assertIn("expected a velocity", done.stderr)
        self.assertIn("1 of 3 cases failed", done.stderr)
        self.assertEqual(len(self.table(self.folder / "some")), 2)

    def test_parts_and_gather(self):
        for i in (2, 1, 3):
            self.study("throws.yaml", "--part", f"{i}/3")
            self.assertEqual(len(self.lines(f"journal.{i}-of-3.jsonl")), len(range(8)[i - 1::3]))
            self.assertFalse((self.place / "table.csv").exists())
        self.assertIn("8 of 8 cases", self.study("throws.yaml", "--gather").stdout)
        self.assertEqual([row["case"] for row in self.table()], [str(i) for i in range(8)])

    def test_damaged_journals(self):
        self.study("throws.yaml")
        lines = self.lines()
        for cut in (5, 80, 200, len(lines[5]) - 1):
            (self.place / "journal.jsonl").write_text("\n".join(lines[:5]) + "\n{}\nnonsense\n" + lines[5][:cut], encoding="utf-8")
            self.assertIn("5 of them in the journal", self.study("throws.yaml").stdout)
            self.assertEqual([row["case"] for row in self.table()], [str(i) for i in range(8)])
        (self.place / "journal.jsonl").write_bytes(bytes(range(256)) * 50)
        self.assertIn("8 of 8 cases", self.study("throws.yaml").stdout)

    def test_keep_results_and_reports(self):
        write(self.folder, "kept.yaml", STUDY.replace("count: 8", "count: 2") + "keep: results\n")
        self.study("kept.yaml")
        self.assertEqual(sorted(path.name for path in (self.folder / "kept/runs").iterdir()), ["0.h5", "1.h5"])
        self.assertIn("Ball", torsor("info", self.folder / "kept/runs/1.h5").stdout)

    @unittest.skipUnless(os.path.exists(LIBRARY), "there is no shared library")
    def test_python_goes_on_where_the_program_stopped(self):
        self.study("throws.yaml", "--part", "1/2")
        os.environ["TORSOR_LIBRARY"] = LIBRARY
        sys.path.insert(0, str(ROOT / "python"))
        import torsor as module
        ran = []
        found = module.study(self.folder / "throws.yaml", journal=self.place / "journal.jsonl", processes=2,
                             progress=lambda done, count: ran.append(done))
        self.assertEqual(ran, [5, 6, 7, 8])
        np.testing.assert_allclose([case.value["far"] for case in found], range(1, 9), atol=1e-12)
        self.assertIn("8 of them in the journal", self.study("throws.yaml").stdout)


class Killed(Folder):
    def test_a_killed_case_costs_only_itself(self):
        process = self.begin("slow")
        victim = None
        for _ in range(500):
            victim = next((pid for pid in self.children(process) if self.holds(pid)), None)
            if victim:
                break
            time.sleep(0.01)
        os.kill(victim, signal.SIGKILL)
        _, errors = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 4, errors)
        self.assertIn("killed by signal 9", errors)
        self.assertEqual(len(self.lines(place=self.folder / "slow")), 7)
        self.assertEqual(self.finish("slow"), 7)

    def test_a_killed_study_goes_on(self):
        process = self.begin("slow")
        workers = self.children(process)
        process.kill()
        process.communicate(timeout=60)
        for _ in range(500):
            if not any(pathlib.Path(f"/proc/{pid}").exists() for pid in workers):
                break
            time.sleep(0.02)
        self.assertFalse(any(pathlib.Path(f"/proc/{pid}").exists() for pid in workers), "workers outlive the study")
        self.assertLess(self.finish("slow"), 8)

    def test_an_interrupted_study_goes_on(self):
        process = self.begin("slow")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, errors)
        self.assertIn("continue from the journal", errors)
        self.assertLess(self.finish("slow"), 8)

    def test_two_at_once(self):
        process = self.begin("slow")
        self.assertIn("another study is writing", self.study("slow.yaml", code=3).stderr)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


@unittest.skipUnless(HAVE_PAGE, "node or playwright is missing: no page to look at")
class Page(Folder):
    def test_page_in_a_browser(self):
        write(self.folder, "page.yaml", STUDY.replace("count: 8}}", "count: 8}, g: [5 m/s^2, 10 m/s^2]}").replace("Throws", "'</script><b>'")
              + "keep: reports\n")
        self.study("page.yaml")
        page = self.folder / "page/report.html"
        shown = subprocess.run(["node", str(ROOT / "report/test/study.mjs"), str(page)], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        seen = json.loads(shown.stdout)
        self.assertEqual(seen["errors"], [])
        self.assertEqual(seen["requests"], [])
        self.assertEqual(seen["title"], "</script><b>")
        self.assertEqual(seen["subtitle"], "16 cases, 2 parameters, 2 measures")
        self.assertEqual(seen["rows"], 16)
        self.assertTrue(all(count > 300 for count in seen["painted"].values()), seen["painted"])
        # the fifth row, then the point of the last case in the scatter of far over v, then the same once more
        self.assertIn("case4", seen["by_row"])
        self.assertIn("case2", seen["by_key"])  # from the second row by Tab and Enter, and the focus stays there
        self.assertEqual(seen["focused"], "Case 2")
        self.assertIn("v [m/s]8", seen["by_point"])
        self.assertRegex(seen["opened"], r"runs/1[45]\.html$")
        self.assertEqual(seen["brushed"], 8)
        self.assertEqual(seen["sorted"][0], "15")


if __name__ == "__main__":
    unittest.main()
