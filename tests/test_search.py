#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""torsor.Search: a function that an optimiser calls, its history and its page.

A mass on a spring that is let go swings back by x0 exp(-pi z/sqrt(1 - z^2)) (z: the damping ratio), so a search for the damper with which
it overshoots by a tenth has a closed answer. The page is used in Chromium."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from module import torsor

ROOT = pathlib.Path(os.environ["TORSOR_SOURCE_DIR"])
HAVE_PAGE = (ROOT / "report/node_modules/playwright-core").is_dir() and shutil.which("node") is not None

CART = """torsor: 1
title: Cart
units: SI
parameters: {c: 1 N*s/m, k: 100 N/m}
bodies:
  cart: {mass: 1, inertia: [1, 1, 1]}
joints:
  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}
springs:
  spring: {type: joint_spring, joint: rail, stiffness: k, damping: c, free_displacement: 1}
analysis: {scheme: EP, step: 5 ms, end: 1.5 s}
outputs: {every: 1}
"""


def overshoot(results):
    """How far the largest displacement is from 1.1."""
    return abs(float(results["rail.displacement"].max()) - 1.1)


class Searching(unittest.TestCase):
    def test_optimiser(self):
        from scipy.optimize import minimize_scalar
        search = torsor.Search(torsor.parse(CART), {"c": "N*s/m"}, overshoot, histories=["rail.displacement"])
        found = minimize_scalar(search, bounds=(2, 30), method="bounded", options={"xatol": 1e-3})
        log = math.log(0.1)
        exact = 2 * 10 * -log / math.hypot(math.pi, log)  # c = 2 z omega m
        self.assertAlmostEqual(found.x, exact, delta=0.02)
        self.assertEqual(len(search), found.nfev)
        self.assertEqual(search.best.value, min(case.value for case in search.cases))
        self.assertAlmostEqual(float(search.best.parameters["c"].split()[0]), found.x, delta=1e-2)
        self.assertIn("best value", repr(search))

    def test_vectors_signs_and_journals(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = os.path.join(folder, "search.jsonl")
            make = lambda: torsor.Search(torsor.parse(CART), {"c": "N*s/m", "k": "N/mm"}, {"peak": "max rail.displacement", "end": "last rail.displacement"},
                                         maximise=True, journal=journal)
            search = make()
            values = [search([5, 0.1]), search([1, 0.1]), search([9, 0.2])]
            self.assertEqual([-v for v in values], [case.value["peak"] for case in search.cases])
            self.assertEqual(search.best.number, 1)
            self.assertEqual(search.best.parameters, {"c": "1.0 N*s/m", "k": "0.1 N/mm"})
            again = make()
            self.assertEqual([again([5, 0.1]), again([1, 0.1])], values[:2])
            self.assertEqual(pathlib.Path(journal).read_text().count("\n"), 3)  # nothing ran again
            with self.assertRaises(torsor.ModelError):
                search([1])

    def test_failures(self):
        search = torsor.Search(torsor.parse(CART), {"c": "N*s/m"}, {"peak": "max rail.displacement"}, failed=7.0)
        with self.assertRaises(torsor.TorsorError):
            search.best  # pylint: disable=pointless-statement
        search(3)
        self.assertEqual(search(math.nan), 7.0)
        self.assertEqual((len(search.cases.failed), search.best.number), (1, 0))
        with self.assertRaises(torsor.ModelError):  # the wrong unit is no matter of bad luck
            torsor.Search(torsor.parse(CART), {"c": "kg"}, {"peak": "max rail.displacement"})(1)
        for wrong in ({"nothing": "m"}, {}):
            with self.assertRaises(torsor.TorsorError):
                torsor.Search(torsor.parse(CART), wrong, {"peak": "max rail.displacement"})
        with self.assertRaises(torsor.ModelError):
            torsor.Search(torsor.parse(CART), {"c": "N*s/m"}, {"peak": "max rail.displacement"}, objective="pique")

    @unittest.skipUnless(HAVE_PAGE, "node or report/node_modules is missing")
    def test_page(self):
        with tempfile.TemporaryDirectory() as folder:
            search = torsor.Search(torsor.parse(CART), {"c": "N*s/m"}, {"peak": "max rail.displacement"}, title="Least overshoot")
            for c in (1, 4, 16, 12, 8):
                search(c)
            page = search.show(os.path.join(folder, "search.html"), browser=False)
            done = subprocess.run(["node", str(ROOT / "report/test/search.mjs"), str(page), folder], capture_output=True, text=True, timeout=200, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            seen = json.loads(done.stdout)
        self.assertEqual(seen["errors"], [])
        self.assertTrue(all(url.startswith("file:") for url in seen["requests"]))
        self.assertTrue(all(over <= 0 for over in seen["overflow"]), seen["overflow"])
        best = search.best
        self.assertEqual(best.number, 2)
        self.assertIn("Best of 5 runs: run 2", seen["words"])
        self.assertIn(f"{best.value['peak']:.6g}", seen["words"])
        self.assertIn("minimised", seen["title"])
        self.assertIn(f'case.override("c", "{best.parameters["c"]}")', seen["best"])  # a model without a file
        self.assertTrue(seen["first"].startswith("case2"), seen["first"])  # the best is chosen at first
        self.assertEqual(seen["first"], seen["best"])
        self.assertNotEqual(seen["chosen"], seen["best"])
        self.assertGreater(seen["objective"]["count"], 1000)
        self.assertTrue(seen["logarithmic"])
        self.assertEqual(len(seen["followed"]), 1)
        self.assertTrue(seen["followed"][0].startswith("c ["))


if __name__ == "__main__":
    unittest.main()
