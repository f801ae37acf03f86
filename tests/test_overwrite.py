#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""No file is replaced without permission, outputs are complete or absent, and only one process writes a file.

The rule is that of docs/command-line.md, "Files that exist". Each case of it puts a file at the place of an output, and compares its
bytes afterwards. The rest: two runs with one output, signals during the set-up, drafts of dead processes, closed descriptors, forked
children, full disks.
"""
import hashlib
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

TORSOR = os.environ["TORSOR"]
MODEL = """torsor: 1
title: TITLE
units: SI
gravity: [0, 0, -9.81]
bodies:
  one: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0.5, 0, 0]}
joints:
  pin: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: y}
analysis: {scheme: ED, step: 2 ms, end: END s}
"""
DRAFT = ".tmp-torsor"


def model(title="A", end=0.02):
    return MODEL.replace("TITLE", title).replace("END", str(end))


class Folder(unittest.TestCase):
    """A folder with the model a.yaml, another one b.yaml, and the results a.h5."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.write("a.yaml", model())
        self.write("b.yaml", model("B"))

    def path(self, name):
        return self.folder / name

    def write(self, name, text):
        self.path(name).write_text(text)

    def call(self, *words, **more):
        """(exit code, what it said)"""
        done = subprocess.run([TORSOR, *words], cwd=self.folder, capture_output=True, text=True, timeout=100, **more)
        return done.returncode, done.stdout + done.stderr

    def done(self, *words):
        code, said = self.call(*words)
        self.assertEqual(code, 0, said)

    def marks(self):
        """What is in the folder: names and sums of the bytes."""
        return {p.relative_to(self.folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
                for p in self.folder.rglob("*") if p.is_file()}

    def refused(self, *words, because="not overwritten"):
        """It says so, and every file is as before."""
        before = self.marks()
        code, said = self.call(*words)
        self.assertIn(code, (1, 2, 3), said)
        self.assertIn(because, said)
        self.assertEqual(self.marks(), before)


class Models(Folder):
    """A model at the place of an output: refused; another model with --force only; the model of the call never."""

    def own(self, *words):
        self.refused(*words, because="a.yaml")
        self.refused(*words, "--force", because="a.yaml")

    def other(self, *words, place="b.yaml"):
        self.refused(*words)
        self.done(*words, "--force")
        self.assertNotIn("torsor: 1", self.path(place).read_bytes()[:20].decode("latin-1"))

    def test_converge(self):
        self.own("converge", "a.yaml", "--levels", "2", "--csv", "a.yaml")
        self.other("converge", "a.yaml", "--levels", "2", "--csv", "b.yaml")

    def test_spectrum(self):
        self.other("spectrum", "--points", "3", "--csv", "a.yaml", place="a.yaml")
        self.other("spectrum", "--points", "3", "--svg", "b.yaml")

    def test_compare(self):
        self.own("compare", "a.yaml", "--levels", "2", "--schemes", "EP", "--svg", "a.yaml")
        self.other("compare", "a.yaml", "--levels", "2", "--schemes", "EP", "--svg", "b.yaml")

    def test_run(self):
        self.own("run", "a.yaml", "-o", "a.yaml")
        self.own("run", "a.yaml", "--csv", "a.yaml")
        self.other("run", "a.yaml", "--csv", "b.yaml")
        self.write("b.yaml", model("B"))
        self.other("run", "a.yaml", "-o", "b.yaml")

    def test_modes(self):
        self.own("modes", "a.yaml", "--as-drawn", "-o", "a.yaml")
        self.other("modes", "a.yaml", "--as-drawn", "-o", "b.yaml")

    def test_of_results(self):
        self.done("run", "a.yaml")
        for words in (["info", "a.h5"], ["info", "a.h5", "--csv"], ["info", "a.h5", "--json"]):
            self.write("b.yaml", model("B"))
            self.other(*words, "-o", "b.yaml")
        for words in (["export", "a.h5", "--format", "xdmf"], ["report", "a.h5"], ["restart", "a.h5", "--time", "0.01"]):
            self.write("b.yaml", model("B"))
            self.other(*words, "-o", "b.yaml")
        self.write("b.yaml", model("B"))
        self.refused("export", "a.h5", "-o", "b.yaml", because="b.yaml")

    def test_tables_and_links(self):
        """A table that the model reads is an input too; so is the model under another name."""
        self.write("t.csv", "0, 0\n1, 2\n")
        self.write("c.yaml", model() + "loads:\n  pull: {type: force, body: one, force: [{file: t.csv}, 0, 0]}\n")
        self.done("check", "c.yaml")
        self.refused("run", "c.yaml", "--csv", "t.csv", "--force", because="t.csv")
        os.link(self.path("a.yaml"), self.path("hard.yaml"))
        os.symlink("a.yaml", self.path("soft.yaml"))
        for name in ("hard.yaml", "soft.yaml"):
            self.refused("run", "a.yaml", "-o", name, "--force", because="a.yaml")


class Results(Folder):
    """Results of other runs, and files of other kinds."""

    def setUp(self):
        super().setUp()
        self.done("run", "a.yaml")

    def test_again(self):
        """Running again replaces the results of the same model, also after a change of it."""
        self.write("a.yaml", model(end=0.04))
        before = self.marks()["a.h5"]
        self.done("run", "a.yaml")
        self.assertNotEqual(self.marks()["a.h5"], before)
        for words in (["report", "a.h5"], ["export", "a.h5"], ["export", "a.h5", "--format", "xdmf"],
                      ["modes", "a.yaml", "--as-drawn", "-o", "m.h5"], ["spectrum", "--points", "3", "--svg", "s.svg"],
                      ["restart", "a.h5", "--time", "0.02"], ["run", "a.yaml", "--report"]):
            self.done(*words)
            self.done(*words)

    def test_of_another_model(self):
        self.refused("run", "b.yaml", "-o", "a.h5")
        self.done("run", "b.yaml", "-o", "a.h5", "--force")
        self.write("c.yaml", model("B"))
        self.refused("run", "c.yaml", "-o", "a.h5")

    def test_of_another_kind(self):
        self.refused("modes", "a.yaml", "--as-drawn", "-o", "a.h5")
        self.done("modes", "a.yaml", "--as-drawn", "-o", "m.h5")
        self.refused("run", "a.yaml", "-o", "m.h5")
        self.done("run", "b.yaml")
        self.refused("export", "a.h5", "--format", "xdmf", "-o", "b.h5")
        self.path("b.h5").rename(self.path("x-xdmf.h5"))
        self.refused("export", "a.h5", "--format", "xdmf", "-o", "x.xdmf")
        self.refused("report", "a.h5", "-o", "x-xdmf.h5")
        self.refused("info", "a.h5", "--csv", "-o", "x-xdmf.h5")
        self.done("export", "a.h5", "--format", "xdmf", "-o", "x.xdmf", "--force")

    def test_own_results(self):
        for words in (["info", "a.h5"], ["info", "a.h5", "--csv"], ["report", "a.h5"], ["restart", "a.h5", "--end", "0.1"],
                      ["export", "a.h5", "--format", "xdmf"]):
            self.refused(*words, "-o", "a.h5", "--force", because="a.h5")

    def test_tables(self):
        """A table bears no mark but its first line: an earlier one is replaced, as in work that goes on; anybody else's is not, and
        that is said before the run."""
        for words in (["run", "a.yaml"], ["converge", "a.yaml", "--levels", "2"], ["spectrum", "--points", "3"],
                      ["compare", "a.yaml", "--schemes", "EP,ED", "--levels", "2"]):
            self.done(*words, "--csv", "t.csv")
            self.done(*words, "--csv", "t.csv")
        for other in ("t [s],force [N]\n0,1\n", "0.5,1\n", "name,t [s],one.position.x [m]\n", "t [s]\n0.5\n", "step,height\n1,2\n"):
            self.write("o.csv", other)
            self.refused("run", "a.yaml", "--csv", "o.csv")
            self.refused("spectrum", "--points", "3", "--csv", "o.csv")
            self.assertEqual(self.path("o.csv").read_text(), other)
            self.done("run", "a.yaml", "--csv", "o.csv", "--force")

    def test_empty_and_missing(self):
        self.write("empty", "")
        self.done("info", "a.h5", "-o", "empty")
        self.assertIn("a", self.path("empty").read_text())
        for words in (["run", "a.yaml", "--csv", "nodir/x.csv"], ["run", "a.yaml", "-o", "nodir/x.h5"],
                      ["spectrum", "--points", "3", "--csv", "nodir/x.csv"], ["modes", "a.yaml", "--as-drawn", "-o", "nodir/m.h5"],
                      ["info", "a.h5", "-o", "nodir/x"]):
            self.refused(*words, because="nodir")

    def test_mistakes_in_outputs(self):
        self.write("a.yaml", model() + "outputs:\n  csv: [one.position, one.nonsense]\n")
        before = self.marks()
        for verb in ("check", "run"):
            code, said = self.call(verb, "a.yaml")
            self.assertEqual(code, 2, said)
            self.assertIn("a.yaml:11:23", said)
        self.assertEqual(self.marks(), before)

    def test_pipes(self):
        """What is no plain file is written to as it is."""
        code, said = self.call("info", "a.h5", "--csv", "-o", "/dev/stdout")
        self.assertEqual(code, 0, said)
        self.assertTrue(said.startswith("t"), said[:50])
        self.done("info", "a.h5", "-o", "/dev/null")

    def test_permissions(self):
        self.path("a.h5").chmod(0o600)
        self.done("run", "a.yaml")
        self.assertEqual(self.path("a.h5").stat().st_mode & 0o777, 0o600)


class Damaged(Folder):
    """Whatever lies at the place of an output, it is replaced or refused."""

    def blocks(self, data):
        """Places and lengths of the blocks of the root's header: one behind it, one or more elsewhere."""
        root = struct.unpack_from("<Q", data, 64)[0]
        found = [(root + 16, struct.unpack_from("<I", data, root + 8)[0])]
        for at, length in found:
            place = at
            while place + 8 <= at + length:
                kind, size = struct.unpack_from("<HH", data, place)
                if kind == 0x10:
                    found.append(struct.unpack_from("<QQ", data, place + 8))
                place += 8 + size
        return found

    def judge(self, data, code, what):
        self.path("x.h5").write_bytes(data)
        got, said = self.call("run", "a.yaml", "-o", "x.h5", "-q")
        self.assertIn(got, (0, 3) if code is None else (code,), f"{what}: {said}")
        if got:
            self.assertIn("not overwritten", said)
            self.assertEqual(self.path("x.h5").read_bytes(), data)

    def test_files_in_the_way(self):
        self.done("run", "a.yaml", "-q")
        good, dice = self.path("a.h5").read_bytes(), random.Random(4)
        blocks = self.blocks(good)
        self.assertGreater(len(blocks), 1)
        self.judge(good, 0, "the same")
        self.judge(good[:50], 3, "cut within its head")
        self.judge(good[:8] + b"\2" + good[9:], 3, "another version")
        for at, length in blocks:
            self.judge(good[:at] + b"\xff" * length + good[at + length:], 3, "nonsense")
        loop = bytearray(good)
        place = good.index(struct.pack("<HH", 0x10, 16), blocks[0][0])
        struct.pack_into("<QQ", loop, place + 8, *blocks[0])
        self.judge(bytes(loop), 3, "a header that goes on in itself")
        for far in (len(good), 2**62, 2**64 - 8):
            for many in (16, 2**20, 2**40, 2**64 - 1):
                struct.pack_into("<QQ", loop, place + 8, far, many)
                self.judge(bytes(loop), 3, f"goes on at {far}, {many} bytes")
        for _ in range(60):
            data = bytearray(good)
            for _ in range(dice.randrange(1, 6)):
                at, length = dice.choice(blocks + [(0, 96)])
                data[at + dice.randrange(length)] = dice.choice((0, 1, 16, 255, dice.randrange(256)))
            self.judge(bytes(data), None, "changed bytes")


class Writers(Folder):
    """One writer at a time, and no draft left."""

    def begin(self, *words):
        run = subprocess.Popen([TORSOR, *words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: run.poll() is None and run.kill())
        return run

    def test_two_runs(self):
        self.write("a.yaml", model(end=40000))
        first = self.begin("run", "a.yaml")
        while not self.path("a.h5").exists() and first.poll() is None:
            time.sleep(0.005)
        for force in ([], ["--force"]):
            code, said = self.call("run", "a.yaml", *force)
            self.assertEqual(code, 3, said)
            self.assertIn("being written", said)
            self.assertIn(str(first.pid), said)
        first.send_signal(signal.SIGINT)
        said = first.communicate(timeout=100)[1]
        self.assertEqual(first.returncode, 5, said)
        self.done("info", "a.h5")
        self.write("a.yaml", model())
        self.done("run", "a.yaml")

    def test_draft_of_a_dead_process(self):
        self.write("a.h5" + DRAFT, "left by a process that was killed")
        self.done("run", "a.yaml")
        self.assertEqual(sorted(self.marks()), ["a.h5", "a.yaml", "b.yaml"])

    def test_signals_during_set_up(self):
        """At every moment: the part `stops` of tests/torture."""
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            for verb, make in (("run", ["run", "a.yaml", "-o", "x.h5"]), ("info", ["info", "a.h5", "-o", "x.txt"]),
                               ("modes", ["modes", "a.yaml", "--as-drawn", "-o", "x.h5"])):
                with self.subTest(signal=number, verb=verb):
                    self.stop_at_fsync(number, make)

    def stop_at_fsync(self, number, words):
        """The first fsync sends the signal: the draft is complete then, and not yet in its place."""
        shim = self.path("shim.so")
        if not shim.exists():
            self.write("shim.c", "#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\nint fsync(int f) { (void)f;"
                                 " kill(getpid(), atoi(getenv(\"SEND\"))); return 0; }\n")
            subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, self.path("shim.c")], check=True)
        if words[0] == "info":
            self.done("run", "a.yaml")
        before = set(self.marks())
        code, said = self.call(*words, env={**os.environ, "LD_PRELOAD": str(shim), "SEND": str(int(number))},
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))  # it may be ignored here: nohup
        self.assertEqual(code, -number, said)
        self.assertEqual(set(self.marks()), before)

    def test_closed_descriptors(self):
        """Nothing that is printed goes into a file that took the number of a closed descriptor."""
        self.done("run", "a.yaml", "-o", "whole.h5")
        for closed in (">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"):
            done = subprocess.run(f'"{TORSOR}" run a.yaml -o x.h5 --csv x.csv --force {closed}', shell=True, cwd=self.folder,
                                  timeout=100, capture_output=True)
            self.assertEqual(done.returncode, 0, closed)
            self.done("info", "x.h5")
            self.assertEqual(self.path("x.csv").read_text()[:1], "t", closed)
            self.assertNotIn(b"torsor run", self.path("x.h5").read_bytes())

    def test_full_disk(self):
        """The message has the name of the file, the cause and up to when states are safe; an earlier result survives."""
        self.done("run", "a.yaml", "-o", "a.h5")
        kept = self.path("a.h5").read_bytes()
        code, said = self.call("run", "a.yaml", "--end", "1", preexec_fn=limit_files)
        self.assertEqual(code, 3, said)
        self.assertIn("a.h5", said)
        self.assertIn("File too large", said)
        self.assertEqual(self.path("a.h5").read_bytes(), kept)
        self.assertEqual([name for name in self.marks() if DRAFT in name], [])


def limit_files():
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))


@unittest.skipUnless(os.path.exists(os.environ.get("TORSOR_LIBRARY", "")), "there is no shared library: a sanitized build")
class Python(Folder):
    """The same through the Python module."""

    def setUp(self):
        super().setUp()
        sys.path.insert(0, str(pathlib.Path(os.environ["TORSOR_SOURCE_DIR"]) / "python"))
        import torsor
        self.torsor = torsor
        self.place = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, self.place)

    def test_force(self):
        torsor = self.torsor
        a, b = torsor.load("a.yaml"), torsor.load("b.yaml")
        a.run("a.h5")
        a.run("a.h5")
        self.write("c.yaml", model("C"))
        before = self.marks()
        modes = a.modes(as_drawn=True)
        study = torsor.spectrum(points=3)
        calls = [lambda **o: b.run("a.h5", **o), lambda **o: b.start("a.h5", **o).finish(), lambda **o: modes.write("a.h5", **o),
                 lambda **o: study.save("c.yaml", **o), lambda **o: torsor.report("a.h5", "c.yaml", **o)]
        for call in calls:
            with self.assertRaisesRegex(torsor.TorsorError, "not overwritten"):
                call()
            self.assertEqual(self.marks(), before)
        results = torsor.Results("a.h5")
        for call in (lambda **o: results.to_csv("c.yaml", **o), lambda **o: results.export("c.yaml", format="xdmf", **o)):
            with self.assertRaisesRegex(torsor.TorsorError, "not overwritten"):
                call()
            self.assertEqual(self.marks(), before)
            call(force=True)
            self.write("c.yaml", model("B"))
            before = self.marks()
        with self.assertRaises(torsor.TorsorError):
            results.to_csv("a.h5", force=True)
        b.run("a.h5", force=True)
        with self.assertRaisesRegex(torsor.TorsorError, "not overwritten"):
            a.run("a.h5")

    def test_models_are_saved_onto_their_own_file(self):
        torsor = self.torsor
        self.write("c.yaml", model("C"))
        self.write("notes.txt", "mine")
        a = torsor.load("a.yaml")
        for place in ("c.yaml", "notes.txt", "b.yaml"):
            before = self.marks()
            with self.assertRaisesRegex(torsor.TorsorError, f"{place} exists and is not the file of this model: not overwritten"):
                a.save(place)
            self.assertEqual(self.marks(), before)
        os.symlink("a.yaml", "link.yaml")
        a.title = "Changed"
        a.save("a.yaml")
        a.title = "Changed again"
        a.save("link.yaml")  # the same file
        self.assertTrue(os.path.islink("link.yaml"))
        self.assertIn("Changed again", pathlib.Path("a.yaml").read_text(encoding="utf-8"))
        a.save("new.yaml")
        a.save("new.yaml")
        self.assertEqual(os.stat("new.yaml").st_mode & 0o777, 0o666 & ~self.mask())
        torsor.load("a.yaml").save("new.yaml")  # the same text: nothing is lost
        copy = a.copy()
        copy.title = "A copy"
        with self.assertRaisesRegex(torsor.TorsorError, "not overwritten"):
            copy.save("new.yaml")
        copy.save("c.yaml", force=True)
        self.assertIn("A copy", pathlib.Path("c.yaml").read_text(encoding="utf-8"))
        with self.assertRaises(OSError):
            a.save("none/x.yaml")
        self.assertEqual([p for p in os.listdir(".") if p.endswith(".tmp")], [])

    @staticmethod
    def mask():
        mask = os.umask(0o022)
        os.umask(mask)
        return mask

    def test_two_runs_in_one_process(self):
        model = self.torsor.load("a.yaml")
        first = model.start("x.h5")
        with self.assertRaisesRegex(self.torsor.TorsorError, "being written"):
            model.start("x.h5", force=True)
        first.run()
        first.finish()
        model.start("x.h5").finish()

    def test_forked_child(self):
        """A child that ends, or frees the run, leaves the parent's run alone."""
        model = self.torsor.load("a.yaml")
        whole = model.run("whole.h5")
        run = model.start("x.h5")
        run.step()
        for way in (0, 1, 2):
            child = os.fork()
            if child == 0:
                code = 0
                try:
                    if way == 0:
                        run.finish()
                    elif way == 1:
                        run.step()
                        code = 1  # a child cannot write into the parent's file
                except self.torsor.TorsorError:
                    pass
                finally:
                    if way == 2:
                        del run
                    os._exit(code)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
        run.run()
        run.finish()
        results = self.torsor.Results("x.h5")
        self.assertEqual((results.info["status"], results.steps), ("completed", whole.steps))


if __name__ == "__main__":
    unittest.main()
