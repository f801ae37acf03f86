#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The command line around a run: several models and standard input, quiet and verbose, `new` (each kind runs with a closed audit), `init`
by pipe, `plot` (SVG read as XML and drawn by Chromium, PNG, text), `doctor`, completion sourced in bash, zsh and fish, manual pages."""
import csv
import io
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

from program import PROGRAM, QUICK, ROOT, answer, events, parse, torsor

KINDS = ["pendulum", "four-bar", "beam", "rotor", "robot"]
SVG = "{http://www.w3.org/2000/svg}"
VERBS = re.findall(r"^  ([a-z]+) {2,}", torsor("--help").stdout.split("exit codes")[0], re.MULTILINE)


def feed(text, *words, code=0, cwd=None):
    """The program with this text on its standard input."""
    done = subprocess.run([PROGRAM, *map(str, words)], input=text, capture_output=True, text=True, cwd=cwd, check=False)
    if done.returncode != code:
        raise AssertionError(f"torsor {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def new(self, kind, *words):
        torsor("new", kind, *words, cwd=self.folder)
        return self.folder / f"{kind}.yaml"


class Models(InFolder):
    def test_every_kind_runs_with_a_closed_audit(self):
        for kind in KINDS:
            path = self.new(kind)
            text = path.read_text(encoding="utf-8")
            self.assertGreater(text.count("#"), 8, f"{kind} is not commented")
            self.assertEqual(answer("check", path)["diagnostics"], [], kind)
            short = ("--end", "0.2 s") if QUICK else ()
            done = events("run", path, *short, cwd=self.folder)[-1]
            self.assertEqual((done["status"], done["sound"]), ("completed", True), kind)
            # every command in its comments works
            for line in re.findall(r"^#   (torsor (?:plot|modes).*?)(?: {3,}.*)?$", text, re.MULTILINE):
                torsor(*line.split()[1:], cwd=self.folder)

    def test_new_keeps_files_and_knows_names(self):
        path = self.new("beam")
        path.write_text("mine\n", encoding="utf-8")
        self.assertIn("beam.yaml", torsor("new", "beam", cwd=self.folder, code=(1, 3)).stderr)
        self.assertEqual(path.read_text(encoding="utf-8"), "mine\n")
        torsor("new", "beam", "-f", cwd=self.folder)
        self.assertNotEqual(path.read_text(encoding="utf-8"), "mine\n")
        self.assertIn("did you mean 'rotor'", torsor("new", "rotr", code=1).stderr)
        torsor("new", "rotor", "-o", "shaft.yaml", cwd=self.folder)
        self.assertIn("torsor run shaft.yaml", (self.folder / "shaft.yaml").read_text(encoding="utf-8"))
        self.assertIn("title: Rotor", torsor("new", "rotor", "-o", "-").stdout)

    def test_init(self):
        done = feed("2\nMy crank: \"one\"\n1.5\n", "init", cwd=self.folder)
        self.assertIn("not a terminal", done.stdout)
        path = self.folder / "my_crank_one.yaml"
        model = answer("check", path)["model"]
        self.assertEqual((model["title"], model["t_end"]), ('My crank: "one"', 1.5))
        feed("", "init", cwd=self.folder)  # the end of the input: all defaults
        self.assertEqual(answer("check", self.folder / "pendulum.yaml")["model"]["t_end"], 5)
        feed("robot\n\n20 ms\n", "init", "arm.yaml", cwd=self.folder)
        self.assertEqual(answer("check", self.folder / "arm.yaml")["model"]["t_end"], 0.02)
        before = sorted(self.folder.iterdir())
        self.assertIn("no model 'crane'", feed("crane\n", "init", cwd=self.folder, code=1).stderr)
        self.assertIn("is not a time", feed("\n\nsoon\n", "init", "x.yaml", cwd=self.folder, code=1).stderr)
        self.assertIn("is not a time", feed("\n\n" + "9" * 150 + "x" * 300 + "\n", "init", "x.yaml", cwd=self.folder, code=1).stderr)
        self.assertEqual(sorted(self.folder.iterdir()), before)


class Several(InFolder):
    def test_check_and_run_of_several(self):
        good, bad = self.new("pendulum"), self.folder / "bad.yaml"
        bad.write_text(good.read_text(encoding="utf-8").replace("mass: M", "mas: M"), encoding="utf-8")
        other = self.new("beam")
        done = torsor("check", good, bad, other, code=2)
        self.assertIn("3 models, 1 with problems", done.stdout)
        self.assertEqual(done.stdout.count("no problems"), 2)
        self.assertIn("'mas'", done.stderr)
        told = parse(torsor("check", good, bad, other, "--json", code=2).stdout)
        self.assertEqual([one["valid"] for one in told], [True, False, True])
        self.assertEqual(torsor("check", good, "-q").stdout, "")
        self.assertIn("'mas'", torsor("check", bad, "-q", code=2).stderr)
        torsor("run", good, bad, other, "-q", "--end", "20 ms", cwd=self.folder, code=2)
        self.assertTrue((self.folder / "pendulum.h5").exists() and (self.folder / "beam.h5").exists())

    def test_standard_input(self):
        text = self.new("pendulum").read_text(encoding="utf-8")
        self.assertEqual(parse(feed(text, "check", "-", "--json").stdout)["valid"], True)
        self.assertIn("no problems", feed(text, "check", "-").stdout)
        self.assertIn("/dev/stdin:", feed(text.replace("mass: M", "mas: M"), "check", "-", code=2).stderr)
        feed(text, "run", "-", "-o", "out.h5", "--end", "20 ms", cwd=self.folder)
        self.assertTrue((self.folder / "out.h5").exists())
        self.assertIn("Hz", feed(text, "modes", "-", "--set", "gravity=[9.81, 0, 0]").stdout)
        self.assertIn("hinge.angle", feed(text, "channels", "-").stdout)

    def test_verbose(self):
        path = self.new("four-bar")
        brief = torsor("run", path, "--no-results", "--end", "10 ms").stdout
        full = torsor("run", path, "--no-results", "--end", "10 ms", "-v").stdout
        self.assertGreaterEqual(full.count("\n"), brief.count("\n"))
        self.assertEqual(torsor("run", path, "--no-results", "--end", "10 ms", "-q").stdout, "")


class Plots(InFolder):
    def setUp(self):
        super().setUp()
        torsor("run", self.new("pendulum"), "-q", cwd=self.folder)
        self.results = self.folder / "pendulum.h5"

    def test_svg(self):
        torsor("plot", self.results, "hinge.angle", "rod.position", "-o", "a.svg", "--title", "<A & B>", cwd=self.folder)
        root = ElementTree.parse(self.folder / "a.svg").getroot()
        texts = [text.text for text in root.iter(f"{SVG}text")]
        self.assertEqual(root.tag, f"{SVG}svg")
        self.assertEqual(texts[0], "<A & B>")
        for name in ("hinge.angle [rad]", "[m]", "rod.position.x", "rod.position.z", "t [s]"):
            self.assertIn(name, texts)
        curves = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("fill") == "none"]
        self.assertEqual(len(curves), 4)
        # the first point of the angle is that of t = 0; the last one is at the right end, 5 s
        points = [tuple(map(float, point.split(","))) for point in re.split("[ML]", curves[0])[1:]]
        rows = list(csv.reader(io.StringIO(torsor("info", self.results, "--csv", "hinge.angle").stdout)))[1:]
        self.assertEqual(len(points), len(rows))
        height = {point[1] for point in points}
        share = [(float(row[1]) - float(rows[0][1])) for row in rows]
        least, most = share.index(min(share)), share.index(max(share))
        self.assertEqual(points[most][1], min(height))
        self.assertEqual(points[least][1], max(height))
        torsor("plot", self.results, "hinge.angle", "-o", "a.svg", cwd=self.folder)  # our own file is replaced
        (self.folder / "b.svg").write_text("mine", encoding="utf-8")
        torsor("plot", self.results, "hinge.angle", "-o", "b.svg", cwd=self.folder, code=(1, 3))
        self.assertEqual((self.folder / "b.svg").read_text(encoding="utf-8"), "mine")

    def test_chromium_draws_it(self):
        chromium = shutil.which("chromium")
        if not chromium or QUICK:
            self.skipTest("no chromium, or in a hurry")
        torsor("plot", self.results, "hinge.angle", "-o", "a.svg", cwd=self.folder)
        subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=800,400", "--screenshot=a.png",
                        "--user-data-dir=profile", (self.folder / "a.svg").as_uri()], cwd=self.folder, capture_output=True, timeout=120,
                       check=True)
        from matplotlib import image
        picture = image.imread(self.folder / "a.png")[..., :3]
        blue = (abs(picture - [0x25/255, 0x63/255, 0xa8/255]).max(axis=2) < 0.02).sum()
        self.assertGreater(blue, 500)  # pixels of the curve

    def test_many_states_make_a_small_picture(self):
        torsor("run", self.folder / "pendulum.yaml", "-q", "--step", "0.2ms", "--every", 1, "-o", "long.h5", cwd=self.folder)
        torsor("plot", "long.h5", "hinge.angle", "-o", "long.svg", cwd=self.folder)
        self.assertLess((self.folder / "long.svg").stat().st_size, 60000)

    def test_png(self):
        if not shutil.which("rsvg-convert"):
            said = torsor("plot", self.results, "-o", "a.png", cwd=self.folder, code=3).stderr
            self.assertIn("librsvg2-bin", said)
        else:
            torsor("plot", self.results, "-o", "a.png", cwd=self.folder)
            self.assertEqual((self.folder / "a.png").read_bytes()[:4], b"\x89PNG")
        self.assertEqual([path.name for path in self.folder.glob("*.draft*")], [])

    def test_text(self):
        said = torsor("plot", self.results, "hinge.angle", "--width", 60, "--height", 8).stdout
        lines = said.splitlines()
        self.assertEqual(len(lines), 1 + 8 + 2)
        self.assertTrue(all(len(line) <= 60 for line in lines), said)
        self.assertTrue(any("\u2800" < c <= "\u28ff" for c in said))
        over = torsor("plot", self.results, "rod.position.z", "-x", "rod.position.x").stdout
        self.assertIn("rod.position.x [m]", over)
        self.assertNotIn("t [s]", over)

    def test_without_channels(self):
        """The pendulum swings in the plane x, z: what moves is plotted, six panels at most, and not what is constant."""
        said = torsor("plot", self.results).stdout
        panels = re.findall(r"^ +([\w.]+) \[.*\]$", said, re.MULTILINE)
        self.assertEqual(panels[0], "hinge.angle")
        self.assertEqual(len(panels), 6, panels)
        self.assertNotIn("rod.position.y", panels)
        self.assertRegex(said, r"\d+ more channels: .*'torsor channels .*pendulum.h5'")

    def test_mistakes(self):
        self.assertIn("has no 'hing.angle'", torsor("plot", self.results, "hing.angle", code=1).stderr)
        self.assertIn(".svg or .png", torsor("plot", self.results, "-o", "a.pdf", code=1).stderr)
        self.assertIn("expected 2 to", torsor("plot", self.results, "--width", 1, code=1).stderr)
        self.assertIn("nothing to plot", torsor("plot", self.results, "hinge.angle", "-x", "hinge.angle", code=1).stderr)
        torsor("plot", "nothing.h5", code=3)


class Digits(InFolder):
    def test_tables_have_the_fewest_digits(self):
        torsor("run", self.new("pendulum"), "-q", "--step", "10ms", "--every", 1, "--end", "0.1s", "--csv", "a.csv", cwd=self.folder)
        rows = list(csv.reader((self.folder / "a.csv").open(encoding="utf-8")))[1:]
        self.assertEqual([row[0] for row in rows], ["0", "0.01", "0.02", "0.03", "0.04", "0.05", "0.06", "0.07", "0.08", "0.09", "0.1"])
        for row in rows:
            for cell in row:  # Python writes the fewest digits, too
                self.assertLessEqual(len(cell.lstrip("-").replace(".", "").lstrip("0").split("e")[0]),
                                     len(repr(float(cell)).lstrip("-").replace(".", "").lstrip("0").split("e")[0]), cell)


class Help(InFolder):
    def test_suggestions(self):
        for wrong, right in (("chek", "check"), ("plott", "plot"), ("docter", "doctor"), ("reprot", "report"), ("rnu", "run")):
            self.assertIn(f"did you mean '{right}'", torsor(wrong, code=1).stderr)
        self.assertIn("did you mean '--output'", torsor("plot", "x.h5", "--ouput", "a.svg", code=1).stderr)
        self.assertIn("did you mean '--step'", torsor("run", "x.yaml", "--setp", "1ms", code=1).stderr)
        for wrong, right in (("--hlep", "--help"), ("--verison", "--version"), ("-v", "--version")):
            self.assertIn(f"there is no option '{wrong}': did you mean '{right}'", torsor(wrong, code=1).stderr)

    def test_time_is_no_channel(self):
        torsor("run", self.new("pendulum"), "-q", "--end", "0.1s", cwd=self.folder)
        for name in ("t", "time"):
            (self.folder / "t.yaml").write_text(f"torsor: 1\nunits: SI\nbodies: {{ball: {{mass: 1, inertia: [1, 1, 1]}}}}\noutputs: {{csv: [{name}, ball.position]}}\n", encoding="utf-8")
            self.assertIn("eave it out: the time is the first column", torsor("check", "t.yaml", code=2, cwd=self.folder).stderr)
            self.assertIn(f"has no '{name}'. Leave it out: the time is the first column", torsor("info", "pendulum.h5", "--csv", name, code=1, cwd=self.folder).stderr)

    def test_models_in_the_wrong_place(self):
        model = self.new("pendulum")
        for verb in ("info", "plot", "report", "export", "restart"):
            self.assertIn(f"is a model, not a results file: run it first, 'torsor run {model}'", torsor(verb, model, code=3).stderr)
        said = torsor("study", model, code=2).stderr
        self.assertIn("this is a model, not a study", said)
        self.assertIn("1 problem", said)

    def test_values_of_another_dimension(self):
        model = self.new("four-bar")
        self.assertIn("--step 5m: expected a time (s), got a length (m)", torsor("run", model, "--step", "5m", code=1).stderr)
        said = torsor("check", model, "--set", "crank=0.9", code=2).stderr
        self.assertTrue(said.startswith("torsor: with --set 'crank=0.9' (the file has 0.2 m):\n"), said)
        self.assertNotIn("with --set", torsor("check", model, "--set", "crank=0.25 m").stderr)

    def test_doctor(self):
        told = json.loads(torsor("doctor", "--json", code=(0, 3)).stdout)
        self.assertEqual(told["run"]["state"], "ok")
        self.assertIn("BLAS", told)
        where = dict(os.environ, PYTHONPATH=str(self.folder), PATH=f"{self.folder}:{os.environ['PATH']}")
        (self.folder / "torsor.py").write_text("__version__ = '0.0.1'\n", encoding="utf-8")
        done = subprocess.run([PROGRAM, "doctor"], env=where, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("of another version", done.stdout)
        # a wheel says which Python it is in
        mine = self.folder / "a python"
        mine.write_text(f"#!/bin/sh\necho {torsor('--version').stdout.split()[1]} here\n", encoding="utf-8")
        mine.chmod(0o755)
        done = subprocess.run([PROGRAM, "doctor"], env={**where, "TORSOR_PYTHON": str(mine)}, capture_output=True, text=True, check=False)
        self.assertRegex(done.stdout, r"ok +Python +torsor \S+ here")

    def shell(self, *words, **options):
        if not shutil.which(words[0]):
            self.skipTest(f"no {words[0]}")
        return subprocess.run(words, capture_output=True, text=True, check=True, cwd=self.folder, **options)

    def results_of_beam(self):
        torsor("run", "beam.yaml", "-q", "--end", "0.01s", cwd=self.folder)

    def press_tab(self, lines):
        """What a zsh in a terminal makes of each line when Tab is pressed behind it."""
        if not shutil.which("zsh"):
            self.skipTest("no zsh")
        (self.folder / "_torsor").write_text(torsor("completion", "zsh").stdout, encoding="utf-8")
        (self.folder / "rc").write_text(f"""PATH={pathlib.Path(PROGRAM).parent}:$PATH
autoload -Uz compinit; compinit -u -d dump; source ./_torsor
tell() {{ print -r -- "$BUFFER" >>told; BUFFER= }}
zle -N tell; bindkey '^X' tell; print ready >>told
""", encoding="utf-8")
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], dict(os.environ, TERM="dumb", LANG="C.UTF-8"))
        told, shown = self.folder / "told", b""
        try:
            for number, line in enumerate([b"source ./rc\n", *(line.encode() + b"\t\x18" for line in lines)], 1):
                os.write(terminal, line)
                end = time.monotonic() + 60
                while not told.exists() or len(told.read_text(encoding="utf-8").splitlines()) < number:
                    if select.select([terminal], [], [], 0.05)[0]:
                        shown += os.read(terminal, 1 << 16)
                    self.assertLess(time.monotonic(), end, shown)
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(terminal)
        return told.read_text(encoding="utf-8").splitlines()[1:], shown.decode()

    def test_zsh_in_a_terminal(self):
        self.new("beam")
        self.results_of_beam()
        lines = {"torsor chec": "torsor check ", "torsor run --thr": "torsor run --threads=", "torsor run --solver m": "torsor run --solver mumps ",
                 "torsor new rob": "torsor new robot ", "torsor check be": "torsor check beam.yaml ", "torsor plot be": "torsor plot beam.h5 ",
                 "torsor run -o be": "torsor run -o beam.", "torsor help compl": "torsor help completion ",
                 "torsor plot beam.h5 energy.kin": "torsor plot beam.h5 energy.kinetic ",
                 "torsor plot beam.h5 -x clamp.force.": "torsor plot beam.h5 -x clamp.force.",
                 "torsor info beam.h5 --csv energy.tot": "torsor info beam.h5 --csv energy.total ",
                 "torsor channels beam.yaml strip.elas": "torsor channels beam.yaml strip.elastic_energy ",
                 "torsor run beam.yaml --set wid": "torsor run beam.yaml --set width="}
        made, shown = self.press_tab(lines)
        self.assertEqual(made, list(lines.values()))
        for listed in ("clamp.force.x", "clamp.force.z"):
            self.assertIn(listed, shown)

    def test_bash(self):
        self.new("beam")
        script = self.folder / "script"
        script.write_text(torsor("completion", "bash").stdout + """
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _torsor; echo "${COMPREPLY[@]}"; }
try torsor ''
try torsor run --st
try torsor run --solver m
try torsor new r
try torsor check b
try torsor run -o b
try torsor modes -n ''
try "$program" plot beam.h5 energy.kin
try "$program" plot beam.h5 -x clamp.force.
try "$program" info be
try "$program" channels beam.yaml strip.elastic
try "$program" run beam.yaml --set wi
try "$program" check odd.yaml --set ''
try() { COMP_WORDS=("$@"); COMP_CWORD=3; _torsor; echo "${COMPREPLY[@]}"; }
try "$program" run --set L beam.yaml
""", encoding="utf-8")
        self.results_of_beam()
        (self.folder / "odd.yaml").write_text('parameters: {L: 1 m, M: "a, b: 2",   # x: 3\n  N_2: atan2(L, M)} # y: 4\nbodies: {z: 1}\n', encoding="utf-8")
        said = self.shell("bash", "-u", script, env=dict(os.environ, program=str(PROGRAM)))
        self.assertEqual(said.stderr, "")
        lines = said.stdout.split("\n")
        self.assertEqual(set(lines[0].split()), {*VERBS, "help", "--help", "--version"})
        self.assertEqual(lines[11:14], ["width=", "L= M= N_2=", "L="])
        self.assertEqual(lines[1:11], ["--step", "mumps", "rotor robot", "beam.yaml", "beam.h5 beam.yaml", "", "energy.kinetic",
                                       "clamp.force.x clamp.force.y clamp.force.z", "beam.h5", "strip.elastic_energy"])

    def test_zsh(self):
        script = self.folder / "_torsor"
        script.write_text(torsor("completion", "zsh").stdout, encoding="utf-8")
        said = self.shell("zsh", "-f", "-c", "autoload -Uz compinit; compinit -u -d dump; source ./_torsor; print $_comps[torsor]", timeout=60)
        self.assertEqual((said.stdout.split(), said.stderr), (["_torsor"], ""))
        # what it would offer behind `torsor run`: _arguments, _describe and _files replaced by printing
        said = self.shell("zsh", "-f", "-c", "compdef() { }; _arguments() { print -l -- \"$@\"; }; source ./_torsor; "
                          "words=(torsor run --thr) CURRENT=3; _torsor")
        self.assertIn("(-t --threads)-t+[threads that", said.stdout)
        self.assertIn("--step=[size of a step", said.stdout)
        self.assertIn("*:file:_files -g", said.stdout)

    def test_fish(self):
        (self.folder / "torsor.fish").write_text(torsor("completion", "fish").stdout, encoding="utf-8")
        self.new("beam")
        self.results_of_beam()
        said = self.shell("fish", "-N", "-c", "source torsor.fish; complete -C 'torsor che'; complete -C 'torsor run --thr'; "
                          "complete -C 'torsor new r'; complete -C 'torsor run bea'; complete -C 'torsor plot beam.h5 energy.kin'; "
                          "complete -C 'torsor plot beam.h5 -x clamp.force.'; complete -C 'torsor run beam.yaml --set w'; complete -C 'torsor help compl'", timeout=60,
                          env=dict(os.environ, HOME=str(self.folder), PATH=f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"))
        self.assertEqual([line.split("\t")[0] for line in said.stdout.splitlines()], ["check", "--threads", "robot", "rotor", "beam.yaml", "energy.kinetic",
                                                                                       "clamp.force.x", "clamp.force.y", "clamp.force.z", "width=", "completion"])

    def test_manual_pages(self):
        names = ["torsor", *(f"torsor-{verb}" for verb in VERBS)]
        for name, verb in zip(names, [None, *VERBS]):
            text = torsor("help", "--man", *([verb] if verb else [])).stdout
            (self.folder / f"{name}.1").write_text(text, encoding="utf-8")
            for option in re.findall(r"^  (?:-., )?--([\w-]+)", torsor(*([verb] if verb else []), "--help").stdout, re.MULTILINE):
                self.assertIn(option.replace("-", "\\-"), text, name)
        files = [f"{name}.1" for name in names]
        self.shell("mandoc", "-T", "lint", "-W", "warning", *files)
        if shutil.which("man") and shutil.which("groff"):
            for file in files:
                said = self.shell("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file,
                                  env=dict(os.environ, LC_ALL="C.UTF-8", MANROFFSEQ="", MANWIDTH="80"))
                self.assertEqual(said.stderr, "", file)
        self.assertEqual(torsor("help", "--man", "runn", code=1).stdout, "")

    def test_every_verb_has_an_installed_page(self):
        built = pathlib.Path(os.environ.get("TORSOR_BUILD_DIR", ROOT / "build")) / "src" / "cli"
        if QUICK or not built.is_dir():  # sanitized builds have none
            self.skipTest("this build has no manual pages")
        self.assertEqual({path.stem for path in built.glob("*.1")}, {"torsor", *(f"torsor-{verb}" for verb in VERBS)})


if __name__ == "__main__":
    unittest.main()
