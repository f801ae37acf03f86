#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The Python module: models in code, runs with views and callbacks, errors, results, modes, studies.

Environment: TORSOR_LIBRARY, the shared library; TORSOR_SOURCE_DIR, the source tree.
"""
import gc
import html.parser
import json
import math
import os
import pathlib
import pickle
import shutil
import signal
import sys
import tempfile
import threading
import unittest
import unittest.mock

import numpy as np

from module import torsor
from program import ROOT

os.environ["MPLBACKEND"] = "Agg"


def pendulum(**analysis):
    m = torsor.Model("pendulum")
    m.gravity = np.array([0, 0, -9.81])
    m.parameters["L"] = "1 m"
    rod = m.bodies.add("rod", mass=2, inertia=[0.001, 1/6, 1/6], position=["L/2", 0, 0])
    m.joints.revolute("hinge", bodies=["ground", rod], at=(0, 0, 0), axis="y")
    m.analysis = {"scheme": "EP", "step": 0.005, "end": 0.5, **analysis}
    return m


def slide():
    m = torsor.Model()
    m.signals.add("push", input=0)
    m.bodies.add("cart", mass=2, inertia=[1, 1, 1])
    m.joints.prismatic("rail", bodies=["ground", "cart"], at=[0, 0, 0], axis="x")
    m.loads.motor("motor", joint="rail", force="push")
    m.analysis = dict(scheme="EP", step="10 ms", end="1 s")
    return m


class Scripts(html.parser.HTMLParser):
    """The data in a page, and the document in a frame, as a browser would find them."""

    def __init__(self, text):
        super().__init__()
        self.script, self.text, self.document = None, {}, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.script = attrs.get("id", "program") if tag == "script" else None
        self.document = attrs.get("srcdoc", self.document)

    def handle_data(self, data):
        if self.script:
            self.text[self.script] = self.text.get(self.script, "") + data

    def handle_endtag(self, tag):
        self.script = None


class Models(unittest.TestCase):
    def test_values_are_written_as_in_a_model_file(self):
        from torsor.sections import write
        for value, text in [(1, "1"), (0.1, "0.1"), (1e-20, "1e-20"), (True, "true"), ("2 m", "2 m"),
                            ("max(1, 2)", "'max(1, 2)'"), ([1, "x", (2, 3)], "[1, x, [2, 3]]"),
                            ({"a": 1, "b": None, "c": [0]}, "{a: 1, c: [0]}"), ("it's", "'it''s'"),
                            (np.float32(0.5), "0.5"), (np.array([[1, 2], [3, 4]]), "[[1, 2], [3, 4]]"),
                            ("-x", "'-x'"), ("", "''"), ("a ", "'a '")]:
            self.assertEqual(write(value), text)
        for wrong in (math.nan, math.inf):
            self.assertRaises(ValueError, write, wrong)
        self.assertRaises(TypeError, write, object())

    def test_numbers_survive(self):
        m = torsor.Model()
        value = 0.1 + 0.2
        m.bodies.add("a", mass=value, inertia=[1, 1, 1])
        self.assertEqual(m.start().node("a").mass, value)

    def test_every_kind_of_the_schema_is_a_method(self):
        m = torsor.Model()
        for name, definition in torsor.schema()["$defs"].items():
            section, dot, kind = name.partition(".")
            if dot:
                self.assertIn(kind, dir(getattr(m, section)))
                self.assertIn(definition["description"], getattr(getattr(m, section), kind).__doc__)
        self.assertRaises(AttributeError, lambda: m.joints.hinge)
        self.assertRaises(AttributeError, lambda: m.joint)
        with self.assertRaises(AttributeError):
            m.gravitiy = [0, 0, 1]

    def test_words_that_python_keeps_for_itself(self):
        m = torsor.Model()
        m.sections.direct("s", EA=1e7, GA2=1e7, GA3=1e7, GJ=1e5, EI2=1e5, EI3=1e5, mass=1)
        boom = m.beams.beam("boom", from_=[0, 0, 0], to=[2, 0, 0], elements=4, order=1, section="s")
        m.joints.rigid("wall", bodies=["ground", boom.start], at=[0, 0, 0])
        m.loads.force("tip", body=boom.end, force=[0, 0, 1])
        m.analysis = dict(type="static", increments=1)
        run = m.start().run()
        beam = run.beam("boom")
        arc, strain, force = beam.arc, beam.strain, beam.force
        self.assertAlmostEqual(beam.weight.sum(), 2)
        self.assertEqual(force.shape, (4, 6))
        np.testing.assert_allclose(np.hypot(force[:, 4], force[:, 5]), 2 - arc, atol=1e-5)
        np.testing.assert_allclose(strain[:, 4:] * 1e5, force[:, 4:], atol=1e-9)
        self.assertIn("1e+07", run.part("s").description.replace("10000000", "1e+07"))
        self.assertEqual(run.part("boom").description, "")
        self.assertEqual((list(m.beams), len(m.loads), m.keys()[:2]), (["boom"], 1, ["torsor", "units"]))
        self.assertEqual(run.node(boom[5]).index, run.node("boom.end").index)

    def test_parameters_stand_above_the_file(self):
        m = torsor.load(ROOT / "examples/cases/simple_pendulum.yaml", {"L": "2 m"})
        self.assertAlmostEqual(m.start().node("bob").position[0], -2)
        with self.assertRaisesRegex(torsor.ModelError, "no parameter 'K': it has .*L"):
            m.with_parameters({"K": 1})
        self.assertEqual(m.copy().override("L", 4).get("parameters.L"), "4")
        self.assertEqual(m.copy().override("bodies.bob.mass", "7 kg").get("bodies.bob.mass"), "7 kg")
        self.assertEqual(m.with_parameters({"L": 3}).get("parameters.L"), "3")
        self.assertEqual(m.get("parameters.L"), "2 m")

    def test_all_examples_can_be_changed(self):
        files = sorted((ROOT / "examples").rglob("*.yaml"))
        self.assertGreater(len(files), 50)
        for file in files:
            m = torsor.load(file)
            m.title, m.gravity = "changed", [0, 0, -1]
            m.points["new-point"] = [1, 2, 3]
            m.bodies.add("new-body", mass=1, inertia=[1, 1, 1])
            if m.has("include"):
                continue  # a text cannot refer to files
            again = torsor.parse(m.text, file.name)
            self.assertEqual((again.title, again.gravity, again.get("points.new-point")),
                             ("changed", "[0, 0, -1]", "[1, 2, 3]"))
            self.assertTrue(again.has("bodies.new-body.mass"))

    def test_copies_and_pickles_are_models(self):
        m = pendulum()
        other = pickle.loads(pickle.dumps(m))
        self.assertEqual(other.text, m.text)
        other.title = "another"
        self.assertEqual((m.title, other.title), ("pendulum", "another"))


class Errors(unittest.TestCase):
    def test_mistakes_have_their_place(self):
        m = pendulum()
        m.bodies["rod"].set(mass="2 s")
        with self.assertRaises(torsor.ModelError) as caught:
            m.start()
        e = caught.exception
        self.assertEqual((e.file, e.line, e.part, e.time), ("bodies.rod", 1, None, None))
        self.assertIn("expected a mass", str(e))
        self.assertIsInstance(e, ValueError)

    def test_all_mistakes_are_told(self):
        with self.assertRaises(torsor.ModelError) as caught:
            torsor.parse("torsor: 1\nunits: SI\nbodies:\n  a: {mass: 1 m}\n  b: {mas: 1}\n", "x.yaml")
        self.assertIn("x.yaml:4:", str(caught.exception))
        self.assertIn("x.yaml:5:", str(caught.exception))

    def test_a_failing_step_names_part_and_time(self):
        m = slide()
        m.loads.motor("blow", joint="rail", force="1 N/sqrt(0.5 - t)")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.h5")
            with self.assertRaises(torsor.ConvergenceError) as caught:
                m.run(path)
            self.assertTrue(torsor.Results(path).info["status"].startswith("failed: "))
        e = caught.exception
        self.assertEqual(e.part, "blow")
        self.assertAlmostEqual(e.time, 0.5, delta=0.02)
        again = pickle.loads(pickle.dumps(e))
        self.assertEqual((type(again), again.part, again.time, str(again)),
                         (type(e), e.part, e.time, str(e)))

    def test_kinds(self):
        m = pendulum()
        m.bodies["rod"] = {"mass": 1, "position": [0, 0, 0]}
        with self.assertRaises(torsor.SingularError) as caught:
            m.start()
        self.assertEqual(caught.exception.part, "rod")
        with self.assertRaises(torsor.FileError) as caught:
            torsor.load("/no/such/file.yaml")
        self.assertIsInstance(caught.exception, OSError)
        self.assertIn("/no/such/file.yaml", str(caught.exception))
        with self.assertRaisesRegex(torsor.ModelError, "no node 'arm'"):
            pendulum().start().node("arm")
        self.assertRaises(KeyError, lambda: slide().start().inputs["pull"])


class Runs(unittest.TestCase):
    def test_views_show_the_present_state(self):
        run = pendulum().start()
        rod, hinge = run.node("rod"), run.coordinate("hinge.angle")
        x, q = rod.position, run.q
        address = q.__array_interface__["data"][0]
        start = x.copy()
        for _ in range(50):
            run.step()
        self.assertFalse(np.array_equal(x, start))
        np.testing.assert_allclose(x, [0.5 * math.cos(hinge.value), 0, -0.5 * math.sin(hinge.value)],
                                   atol=1e-13)
        np.testing.assert_allclose(rod.rotation @ rod.rotation.T, np.eye(3), atol=1e-13)
        self.assertAlmostEqual(rod.omega[1], hinge.rate, places=12)
        self.assertTrue(np.shares_memory(x, q) and np.shares_memory(rod.directors, q))
        self.assertEqual(run.q.__array_interface__["data"][0], address)
        with self.assertRaises(ValueError):
            x[0] = 1

    def test_views_outlive_their_run(self):
        x = pendulum().start().run(until=0.1).node("rod").position
        value = x.copy()
        gc.collect()
        for _ in range(20):
            pendulum().start()
        np.testing.assert_array_equal(x, value)

    def test_inputs_are_held_over_a_step(self):
        run = slide().start()
        x = run.coordinate("rail")
        position = rate = 0.0
        for n, run in enumerate(run):
            force = run.inputs["push"] = math.sin(n)
            before = position
            self.assertAlmostEqual(x.value, before, places=13)
            position += 0.01 * rate + 0.5e-4 * force / 2
            rate += 0.01 * force / 2
        self.assertEqual(run.steps, 100)
        self.assertAlmostEqual(x.value, position, places=13)
        self.assertLess(abs(run.ledger.balance), 1e-14)
        self.assertEqual(dict(run.inputs), {"push": math.sin(99)})

    def test_runs_of_one_model_have_inputs_of_their_own(self):
        """Stepped in turn, they go as runs of separate models do, bit for bit."""
        def command(run, own):
            run.inputs["push"] = (own + 1) * math.sin(run.steps * (own + 1))
            run.step()

        model = slide()
        shared = [model.start(), model.start()]
        for _ in range(50):
            for own, run in enumerate(shared):
                command(run, own)
        for own, run in enumerate(shared):
            alone = slide().start()
            for _ in range(50):
                command(alone, own)
            np.testing.assert_array_equal(run.q, alone.q)
            np.testing.assert_array_equal(run.v, alone.v)
        self.assertNotEqual(shared[0].coordinate("rail").value, shared[1].coordinate("rail").value)

    def test_probes_and_paints_show_the_present_state(self):
        """A bar of 2 m under a traction of 600 Pa, E 1 MPa: it grows by 1.2 mm, and is under 600 Pa everywhere."""
        run = torsor.parse("""torsor: 1
units: SI
materials: {m: {E: 1e6, nu: 0, density: 1}}
meshes: {box: {type: box, size: [2, 1, 1], divisions: [2, 1, 1]}}
solids: {bar: {mesh: box, material: m}}
joints: {wall: {type: support, nodes: bar.x-}}
loads: {pull: {type: surface_load, faces: bar.x+, force: [600, 0, 0]}}
analysis: {type: static}
""").start()
        probe, paint = run.probe("energy.elastic"), run.paint("von_mises_stress")
        run.run()
        self.assertAlmostEqual(probe.read()[0], 600 * 1.2e-3 / 2, delta=1e-3)
        self.assertEqual(len(paint.read()), len(paint))
        np.testing.assert_allclose(paint.read(), 600, rtol=2e-3)
        self.assertRaisesRegex(torsor.TorsorError, "'blue'", run.paint, "blue")

    def test_callbacks(self):
        seen = []
        m = slide()
        m.run(before=lambda run: seen.append(("before", run.steps)),
              after=lambda run: seen.append(("after", run.last_step.step)))
        self.assertEqual(seen[:4], [("before", 0), ("after", 1), ("before", 1), ("after", 2)])
        self.assertEqual(len(seen), 200)
        told = []
        m.run(progress=lambda fraction, run: told.append(fraction))
        self.assertEqual((len(told), told[-1]), (100, 1.0))

    def test_a_callback_may_stop_and_the_run_go_on(self):
        run = slide().start()
        run.run(after=lambda run: run.steps == 30)
        self.assertEqual(run.steps, 30)
        run.run()
        self.assertTrue(run.ended and run.steps == 100)

    def test_what_a_callback_raises_comes_out(self):
        run = slide().start()

        def fail(run):
            if run.steps == 5:
                raise RuntimeError("enough")
        with self.assertRaisesRegex(RuntimeError, "enough"):
            run.run(before=fail)
        self.assertEqual(run.steps, 5)

    def test_ctrl_c_stops_a_run(self):
        m = slide()
        m.set("analysis.end", "100000 s")
        run = m.start()
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            run.run()
        timer.join()
        self.assertTrue(0 < run.steps < run.steps_planned)

    def test_the_assembly_is_told(self):
        run = torsor.load(ROOT / "examples/four_bar.yaml").check()
        self.assertEqual((run.assembly.freedom, run.assembly.redundant), (1, 3))
        self.assertTrue(run.notes and all(run.notes))
        self.assertEqual(len(run.multipliers), len(run.conditions))
        self.assertEqual(len(run.gaps), run.assembly.gaps)
        self.assertLess(max(gap.position_after for gap in run.gaps), 1e-12)
        kinds = {part.kind for part in run.parts}
        self.assertIn("revolute", kinds)
        linear, angular = run.momentum
        self.assertEqual((linear.shape, angular.shape), ((3,), (3,)))
        self.assertIn("<table>", run._repr_html_())

    def test_threads(self):
        found = []

        def work():
            found.append(pendulum(scheme="ED").run()["hinge.angle"][-1])
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        work()
        self.assertEqual(len(found), 5)
        self.assertEqual(len(set(found)), 1)


class ResultFiles(unittest.TestCase):
    def test_results_hold_what_the_run_showed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "r.h5"
            run = pendulum().start(path)
            angles = [run.coordinate("hinge").value]
            run.run(after=lambda run: angles.append(run.coordinate("hinge").value) and None)
            run.finish()
            results = torsor.Results(path)
            np.testing.assert_array_equal(results["hinge.angle"], angles)
            np.testing.assert_array_equal(results.series("frames/q")[-1], run.q)
            np.testing.assert_allclose(results.t, 0.005 * np.arange(101), rtol=1e-15)
            self.assertEqual(results["rod.position"].shape, (101, 3))
            self.assertEqual(results.series("steps/balance").shape, (100,))
            self.assertEqual(results.table("rod.velocity").units["rod.velocity.x"], "m/s")
            self.assertEqual(results.columns["hinge.angle"], "rad")
            self.assertEqual((results.frames, results.steps), (101, 100))
            self.assertEqual(results.info["status"], "completed")
            self.assertEqual(results.model().text, results.text)
            self.assertIn("multipliers", results.arrays["frames/lambda"])
            with self.assertRaisesRegex(torsor.ModelError, "hinge.angle"):
                results["hinge.angel"]
            with self.assertRaisesRegex(torsor.ModelError, "there are frames/t"):
                results.series("frames/x")
            results.to_csv(path.with_suffix(".csv"), "hinge.angle")
            table = np.loadtxt(path.with_suffix(".csv"), delimiter=",", skiprows=1)
            np.testing.assert_array_equal(table[:, 1], angles)
            again = results.restart(frame=40)
            self.assertEqual(again.steps, 40)
            self.assertEqual(again.run().coordinate("hinge").value, angles[-1])
            self.assertEqual(results.restart(end=0.6).run().steps, 120)

    def test_a_restart_knows_the_inputs(self):
        """A controller that speaks every 10th step, on a motor and on a motion, goes on in between bit for bit."""
        m = slide()
        m.signals.add("place", input=0)
        m.bodies.add("sled", mass=1, inertia=[1, 1, 1], position=[0, 1, 0])
        m.joints.prismatic("track", bodies=["cart", "sled"], at=[0, 1, 0], axis="x")
        m.motions.add("drive", type="motion", joint="track", displacement="place")
        m.analysis = dict(scheme="ED", step="10 ms", end="1 s")

        def controller(run):
            if run.steps % 10 == 0:
                run.inputs["push"] = 3 - 20 * run.coordinate("rail").value
                run.inputs["place"] = 0.1 * math.sin(run.steps)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "r.h5"
            results = m.run(before=controller, output=path)
            for frame in (0, 30, 31, 45, 99):
                again = results.restart(frame=frame)
                self.assertEqual({again.inputs["push"], again.inputs["place"]}, set(results.series("frames/input")[frame, :, 0]))
                again.run(before=controller)
                np.testing.assert_array_equal(again.q, results.series("frames/q")[-1])
                np.testing.assert_array_equal(again.v, results.series("frames/v")[-1])
            self.without_inputs(path)

    def without_inputs(self, path):
        """A file from before inputs were kept begins with their first values."""
        try:
            import h5py
        except ImportError:
            return
        copy = shutil.copy(path, path.with_name("old.h5"))
        with h5py.File(copy, "r+") as file:
            del file["frames/input"], file["checksums"]
            file.attrs["format_version"] = 2
        old = torsor.Results(copy)
        self.assertEqual(old.restart(frame=45).inputs["push"], 0)
        self.assertEqual(old.frames, 101)
        self.assertEqual(len(old.series("frames/input")), 0)

    def test_a_file_of_its_own_is_removed(self):
        results = pendulum().run()
        path, angle = results.path, results["hinge.angle"]
        self.assertTrue(os.path.exists(path))
        last = angle[-1]
        del results
        gc.collect()
        self.assertFalse(os.path.exists(path))
        self.assertEqual(angle[-1], last)

    def test_pictures(self):
        results = pendulum().run()
        self.assertIn("energy audit", results._repr_html_())
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("matplotlib is not there")
        self.assertEqual(len(results.plot().axes), 2)
        figure = results.plot("hinge.angle", "rod.position")
        self.assertEqual([axis.get_ylabel() for axis in figure.axes], ["rad", "m"])
        np.testing.assert_array_equal(figure.axes[0].lines[0].get_ydata(), results["hinge.angle"])

    def test_show_makes_the_report(self):
        """The run is in the page; a notebook gets the page itself, whatever quotes it has in it."""
        m = pendulum()
        m.title = 'Pendulum "A" & <more>'
        results, other = m.run(), pendulum(scheme="ED").run()
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("webbrowser.open") as opened:
            page = results.show(os.path.join(folder, "page.html"), browser=False)
            self.assertEqual(str(page), os.path.join(folder, "page.html"))
            text = page.read_text(encoding="utf-8")
            runs = json.loads(Scripts(text).text["runs"])
            self.assertEqual([run["info"]["title"] for run in runs], ['Pendulum "A" & <more>'])
            self.assertEqual((runs[0]["info"]["frames"], runs[0]["text"]), (results.frames, results.text))
            self.assertEqual(Scripts(page._repr_html_()).document, text)
            opened.assert_not_called()
            both = results.show(os.path.join(folder, "both.html"), beside=[other])
            opened.assert_called_once_with(both.as_uri())
            schemes = [run["info"]["scheme"] for run in json.loads(Scripts(both.read_text(encoding="utf-8")).text["runs"])]
            self.assertEqual(schemes, ["EP", "ED"])
            with unittest.mock.patch.dict(sys.modules, ipykernel=torsor):  # as in a notebook
                results.show(os.path.join(folder, "again.html"))
            opened.assert_called_once()
            with unittest.mock.patch.object(type(page), "MOST", 10):
                self.assertIn(f'<a href="{page.as_uri()}"', page._repr_html_())
            with self.assertRaisesRegex(torsor.TorsorError, "cannot"):
                results.show("/nowhere/at/all.html", browser=False)


class VibrationModes(unittest.TestCase):
    def test_a_pendulum(self):
        m = pendulum()
        m.bodies["rod"].set(position=[0, 0, "-L/2"])
        modes = m.modes()
        omega = math.sqrt(2 * 9.81 * 0.5 / (1/6 + 0.5))
        self.assertEqual(len(modes), 1)
        self.assertAlmostEqual(modes[0].omega, omega, places=9)
        self.assertAlmostEqual(modes.frequencies[0], omega / (2 * math.pi), places=9)
        shape = modes[0].shape[modes.node("rod")]
        self.assertAlmostEqual(shape[0], -0.5 * shape[4], places=9)
        self.assertEqual(modes[0].part, "rod")
        self.assertIsNone(modes[0].shape_early)
        self.assertFalse(modes.settled)
        self.assertLess(modes.imbalance, 1e-9)
        self.assertEqual(modes.run.node("rod").part, "rod")
        self.assertRaises(IndexError, lambda: modes[1])
        with tempfile.TemporaryDirectory() as folder:
            modes.write(os.path.join(folder, "modes.h5"))

    def test_buckling_of_a_column(self):
        m = torsor.load(ROOT / "examples/cases/b12_column.yaml")
        modes = m.modes(1, buckling=True)
        self.assertTrue(modes.buckling and modes.factors[0] > 0)


    def test_a_mode_is_short_in_words_and_all_are_a_table(self):
        m = pendulum()
        m.bodies["rod"].set(position=[0, 0, "-L/2"])
        modes = m.modes()
        omega = math.sqrt(2 * 9.81 * 0.5 / (1/6 + 0.5))
        self.assertEqual(modes.omegas[0], modes[0].omega)
        self.assertAlmostEqual(modes[0].frequency * 2 * math.pi, omega, places=9)
        self.assertLess(len(repr(modes[0])), 100)
        self.assertIn(f"{omega / (2 * math.pi):.6g} Hz, {omega:.6g} rad/s", repr(modes[0]))
        self.assertNotIn("array", repr(modes[0]))
        self.assertIn("frequency, Hz", modes.table().splitlines()[0])
        self.assertEqual(str(modes), modes.table())
        self.assertEqual(len(modes.table().splitlines()), 2)
        self.assertAlmostEqual(modes.mass, 2)
        # a rigid rod that swings: (m l/2)^2 / (I + m l^2/4) of it takes part along x
        self.assertAlmostEqual(modes[0].effective_mass[0], 1 / (1/6 + 0.5), places=9)
        spun = torsor.modes(m, 2, spin=["0", "0", "60 rpm"], as_drawn=True)
        self.assertAlmostEqual(spun.spin[2], 2 * math.pi, places=12)


class Verbs(unittest.TestCase):
    """What the program can do, without the program."""

    def test_check_lists_mistakes_and_raises_none(self):
        self.assertTrue(torsor.check(pendulum()))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wrong.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(pendulum().text.replace("mass:", "maas:"))
            found = torsor.check(path)
            self.assertFalse(found.valid)
            self.assertEqual(found.mistakes[0].hint, "did you mean 'mass'?")
            self.assertEqual(found.mistakes[0].file, path)
            self.assertIn("error: unknown key 'maas'", str(found))
            self.assertIn("No such file", str(torsor.check(path + "x")))

    def test_options_stand_above_the_model(self):
        run = pendulum().start(scheme="ED", step="1 ms", end=0.1, rho=0.5)
        self.assertEqual((run.setup.scheme, run.setup.rho_inf, run.steps_planned), ("ED", 0.5, 100))
        run.run()
        self.assertEqual(run.verdict.status, "completed")
        self.assertTrue(run.verdict.good)
        self.assertLess(run.balance, 1e-9)
        run = pendulum().start(scheme="ED", step="1 ms", end=0.1, rho=0.5, tolerance=1e-15)
        run.run()
        self.assertLess(run.balance, 1e-12)

    def test_wrong_options_are_refused_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.h5")
            for options, word in (({"stepp": 1}, "did you mean 'step'"), ({"step": "1 m"}, "expected a time"),
                                  ({"scheme": "XY"}, "there are ED"), ({"rho": 2}, "0 to 1")):
                with self.assertRaisesRegex(torsor.OptionError, word):
                    pendulum().run(path, **options)
            self.assertFalse(os.path.exists(path))
        with self.assertRaisesRegex(torsor.OptionError, "no option 'level'"):
            torsor.converge(pendulum(), level=3)
        self.assertIn("threads", torsor.option_names("run"))

    def test_wrong_fields_are_refused_at_once(self):
        m = pendulum()
        for wrong in (lambda: m.bodies.add("a", maas=1), lambda: m.joints.revolute("j", axes="y"),
                      lambda: m.bodies["rod"].set(maas=1), lambda: setattr(m, "analysis", {"stepp": 1}),
                      lambda: m.bodies.__setitem__("b", {"maas": 1})):
            with self.assertRaisesRegex(torsor.ModelError, "no field '.*did you mean"):
                wrong()
        self.assertFalse(m.has("bodies.a"))

    def test_numbers(self):
        self.assertEqual(torsor.number("20 mm", "m"), 0.02)
        self.assertRaisesRegex(torsor.ModelError, "expected a length", torsor.number, "1 s", "m")

    def test_columns_by_name(self):
        results = pendulum().run()
        self.assertIn("t", results.columns)
        np.testing.assert_array_equal(results["t"], results.t)
        table = results[["hinge.angle", "energy.total"]]
        self.assertEqual(list(table), ["t", "hinge.angle", "energy.total"])
        np.testing.assert_array_equal(table["hinge.angle"], results["hinge.angle"])
        self.assertEqual(list(results[["t"]]), ["t"])
        names = ["hinge.angle", "energy.total"]  # a list is taken wherever names are
        self.assertEqual(list(results.table(names)), list(table))
        self.assertEqual(list(results.table(["hinge.angle"], "energy.total")), list(table))
        self.assertEqual(list(results.channels(names)), names)
        self.assertEqual(list(results["t", "hinge.angle"]), ["t", "hinge.angle"])
        for wrong in (3, [3], [["hinge.angle"]]):
            self.assertRaisesRegex(TypeError, "by name", lambda wrong=wrong: results[wrong])

    def test_studies(self):
        told = []
        study = torsor.converge(pendulum(), levels=3, end=0.2, progress=lambda *what: told.append(what))
        self.assertAlmostEqual(study["rungs"][-1]["order"]["position"], 2, places=1)
        self.assertIn("errors against EP", str(study))
        self.assertTrue(told)
        with self.assertRaises(ZeroDivisionError):
            torsor.converge(pendulum(), levels=3, end=0.2, progress=lambda words, share: 1 / 0)
        with self.assertRaises(torsor.Interrupted):
            torsor.converge(pendulum(), levels=3, end=0.2, progress=lambda words, share: True)
        with self.assertRaises(KeyboardInterrupt):
            threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            torsor.converge(pendulum(end=1e5), levels=1)
        kept = torsor.compare(pendulum(), schemes=["ED", "EP"], levels=1, end=0.2)
        self.assertEqual([scheme["scheme"] for scheme in kept["schemes"]], ["ED", "EP"])
        curve = torsor.spectrum(schemes="EP", points=2, range="0.01,0.1")["curves"][0]
        self.assertAlmostEqual(curve["points"][1]["period_error"],
                               math.pi * 0.1 / math.atan(math.pi * 0.1) - 1, places=9)

    def test_reports_and_exports(self):
        with tempfile.TemporaryDirectory() as folder:
            results = pendulum().run(os.path.join(folder, "r.h5"), end=0.1)
            self.assertEqual(results.outputs, [])
            self.assertTrue(os.path.exists(torsor.export(results, os.path.join(folder, "vtu"))))
            with self.assertRaisesRegex(torsor.OptionError, "vtu or xdmf"):
                results.export(format="dwg")
            with unittest.mock.patch.dict(os.environ, {"TORSOR": "/nowhere"}):
                page = torsor.report([results, results], os.path.join(folder, "r.html"))
            self.assertIn("<!doctype html><!-- torsor report -->", page.read_text(encoding="utf-8")[:100])
            with self.assertRaisesRegex(torsor.FileError, "was read as an input"):
                torsor.report(results, results.path)

    def test_restarts_with_options(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.h5")
            pendulum().run(path, every=10)
            run = torsor.restart(path, from_=40, end=0.4)
            self.assertEqual((run.steps, run.steps_planned), (40, 80))
            run = torsor.restart(path, time="0.26 s", step="1 ms", end="0.3 s")
            self.assertEqual((run.time, run.step_size), (0.25, 0.001))
            with self.assertRaisesRegex(torsor.OptionError, "not stored; the nearest are 40 and 50"):
                torsor.restart(path, from_=44)

    def test_error_bars_need_no_program(self):
        with unittest.mock.patch.dict(os.environ, {"TORSOR": "/nowhere"}):
            bars = torsor.resolve(pendulum(), ["hinge.angle"], end=0.2, jobs=2)
        angle = bars["hinge.angle"]
        self.assertEqual(angle.verdict, "resolved")
        self.assertIn("what to trust", bars.text)
        with self.assertRaisesRegex(torsor.ModelError, "hinge.angel"):
            torsor.resolve(pendulum(), ["hinge.angel"])


class Studies(unittest.TestCase):
    def test_cases_come_in_order_and_errors_with_them(self):
        def measure(results):
            return results["rod.position.x"][0]
        cases = torsor.sweep(pendulum(), {"L": [2, 4, "1 s", 6]}, measure, processes=2)
        self.assertEqual([case.value for case in cases], [1, 2, None, 3])
        self.assertIsInstance(cases[2].error, torsor.ModelError)
        self.assertEqual(cases[2].parameters, {"L": "1 s"})
        self.assertEqual(cases[2].error.line, 1)

    def test_other_processes_find_the_same(self):
        values = [{"L": 1 + 0.1 * k} for k in range(4)]
        here = torsor.sweep(pendulum(), values, lambda r: r["hinge.angle"][-1], processes=0)
        there = torsor.sweep(pendulum(), values, lambda r: r["hinge.angle"][-1], processes=2)
        self.assertEqual([c.value for c in here], [c.value for c in there])

    def test_a_study_may_start_while_another_thread_writes(self):
        stop = threading.Event()

        def work():
            while not stop.is_set():
                pendulum(end=0.05).run()
        thread = threading.Thread(target=work)
        thread.start()
        cases = torsor.sweep(pendulum(end=0.05), {"L": [1, 2, 3]}, lambda r: r.frames, processes=2)
        stop.set()
        thread.join()
        self.assertEqual([case.value for case in cases], [11, 11, 11])

    def test_grids_wrong_names_and_dying_processes(self):
        seen = []
        m = pendulum()
        m.parameters["M"] = 1
        cases = torsor.sweep(m, {"L": [1, 2], "M": [3, 4]}, lambda r: r.frames, processes=2,
                             progress=lambda done, count: seen.append((done, count)))
        self.assertEqual([tuple(c.parameters.values()) for c in cases], [(1, 3), (1, 4), (2, 3), (2, 4)])
        self.assertEqual(seen[-1], (4, 4))
        with self.assertRaisesRegex(torsor.ModelError, "no parameter 'K'"):
            torsor.sweep(m, {"K": [1]}, lambda r: 0)
        dead = torsor.sweep(m, {"L": [1]}, lambda r: os._exit(3), processes=1)
        self.assertIn("did not return", str(dead[0].error))
        odd = torsor.sweep(m, {"L": [1]}, lambda r: {}["x"], processes=1)
        self.assertIsInstance(odd[0].error, KeyError)


if __name__ == "__main__":
    unittest.main()
