#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Input at the limits: file names of any bytes and titles with terminal control sequences, for every verb, with --json
(valid JSON in UTF-8, no key twice) and without (no control characters); numbers that are too large, refused with their
limit; zero bytes in texts.

Environment: TORSOR, the program; TORSOR_LIBRARY, the shared library (a sanitized build has none: then Python's part is left out).
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from program import PROGRAM, ROOT, model_file, parse, torsor

MODEL = """torsor: 1
title: "TITLE"
units: SI
bodies: {bob: {mass: 1 kg, inertia: [1, 1, 1], angular_velocity: [0, 0, 1]}}
springs: {s: {type: bushing, bodies: [ground, bob], at: [0, 0, 0], stiffness: [9, 9, 9, 9, 9, 9]}}
analysis: {scheme: EP, step: 10 ms, end: 100 ms}
"""
TITLE = r"\e[31mred\e[0m \x7f \x9b31m \a <b>bold</b> \" \\ \t é"
# raw bytes in names of files: Latin-1, a cut-off character, a surrogate, an overlong zero, ESC, quotes, line breaks
NAMES = [b"\x80\xfe\xff cut\xe2\x82 sur\xed\xa0\x80 long\xc0\x80", b"\x1b]0;owned\x07\x1b[2J \xc2\x9b31m", b"quo\"te'back\\slash line\nbreak\ttab",
         bytes(range(0xa0, 0xe0))]
failures = []


def expect(good, what):
    if not good:
        failures.append(what)
        print(f"FAILED {what}")


def call(folder, *words):
    """Exit code, output, messages, as bytes."""
    done = subprocess.run([os.fsencode(PROGRAM), *(w if isinstance(w, bytes) else w.encode() for w in words)], cwd=folder,
                          capture_output=True, timeout=100, check=False)
    return done.returncode, done.stdout, done.stderr


def judge_json(what, data):
    """One object, or one in every line, in UTF-8; no key twice."""
    try:
        text = data.decode("utf-8")
        try:
            parse(text)
        except json.JSONDecodeError:
            for line in text.splitlines():
                parse(line)
    except ValueError as why:
        expect(False, f"{what}: {why}: {data[:300]!r}")


def judge_terminal(what, data):
    """Nothing that a terminal obeys, and UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as why:
        expect(False, f"{what}: {why}: {data[:300]!r}")
        return
    found = re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
    expect(not found, f"{what}: control character {found and found[0]!r} in {text[:400]!r}")


def verbs(name):
    """What is done with a file of that name: words, whether --json is an option."""
    model, results = name + b".yaml", name + b".h5"
    return [(["check", model], True), (["run", model, "-o", results, "--csv", name + b".csv"], True), (["modes", model], True),
            (["info", results], True), (["restart", results, "--end", "0.2", "-o", name + b"2.h5"], True),
            (["converge", model, "--levels", "1"], True), (["compare", model, "--levels", "1", "--schemes", "EP"], True),
            (["export", results], False), (["info", results, "--csv"], False),
            (["check", name + b".none"], True), (["run", name + b".none"], True), (["info", model], True), (["restart", model], True),
            (["run", model, "--step", name], True), (["run", model, "--scheme", name], True), (["info", results, "--csv", name], False),
            (["run", model, "-o", name + b"/none/x.h5"], True), ([name], False), (["run", b"--" + name, model], False)]


def names_and_titles():
    for name in NAMES:
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(os.fsdecode(folder.encode() + b"/" + name + b".yaml"))
            model.write_text(MODEL.replace("TITLE", TITLE), encoding="utf-8")
            for words, json_too in verbs(name):
                said = f"{b' '.join(w if isinstance(w, bytes) else w.encode() for w in words)!r}"
                for more in ([], ["--json"]) if json_too else ([],):
                    code, out, messages = call(folder, *words, *more)
                    expect(0 <= code <= 5, f"{said} {more}: exit code {code}: {messages[-300:]!r}")
                    judge_terminal(f"{said} {more}", out)
                    judge_terminal(f"{said} {more}", messages)
                    if more:
                        judge_json(f"{said} --json", out)
                    for path in pathlib.Path(folder).glob("*2.h5" if words[0] == "restart" else "*.csv"):
                        path.unlink()


STATICS = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
materials: {m: {E: 1e9, nu: 0.3, density: 1000}}
sections: {s: {type: circle, material: m, diameter: 0.1}}
beams: {b: {from: [0, 0, 0], to: [1, 0, 0], section: s, elements: 2, order: 1}}
joints: {root: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}}
analysis: {type: static, increments: 2}
"""


def no_key_twice():
    """Every verb that has --json, with what makes it say more: statics, error bars, buckling, mistakes."""
    calls = [["channels", "m.yaml"], ["channels", "none.yaml"],
             ["check", "m.yaml"], ["check", "s.yaml"], ["check", "none.yaml"], ["run", "m.yaml", "-o", "m.h5", "--resolve"], ["run", "s.yaml"],
             ["run", "m.yaml", "--scheme", "newmark", "-o", "n.h5"], ["info", "m.h5"], ["info", "n.h5"], ["info", "s.h5"], ["info", "none.h5"],
             ["restart", "m.h5", "--end", "0.2"], ["modes", "m.yaml", "-n", "3", "-o", "modes.h5"], ["modes", "s.yaml", "--buckling"],
             ["spectrum", "-n", "3"], ["converge", "m.yaml", "--levels", "2"], ["compare", "m.yaml", "--levels", "1"],
             ["doctor"]]
    verbs_of_help = re.findall(r"^  (\w+) +\w.*$", torsor("--help").stdout.partition("exit codes")[0], re.M)
    asked = {verb for verb in verbs_of_help if verb != "torsor" and "--json" in torsor(verb, "--help").stdout}
    expect(asked == {words[0] for words in calls}, f"verbs with --json: {sorted(asked)}")
    with model_file(MODEL.replace("TITLE", "m"), "m.yaml") as path:
        (path.parent / "s.yaml").write_text(STATICS, encoding="utf-8")
        for words in calls:
            code, out, _ = call(path.parent, *words, "--json")
            good = 0 if not any("none" in word for word in words) else 3
            expect(code == good, f"{words}: exit code {code}")
            judge_json(" ".join(words), out)
    judge_json("schema", torsor("schema").stdout.encode())


def mistakes():
    """Texts in messages about models, with the lines that they quote."""
    for text in (r'bodies: {"a\eb": {mass: 1}}', r'"\e[2Jx": 1', r'units: "\e[31m"', "title: \x9b31m", "bodies: {a: {mass: \x1b[2J}}",
                 r'analysis: {scheme: "\e[2J"}', "title: \x7f\x08", r'bodies: {a: {mass: "\e[2J"}}', r'parameters: {a: "\a + b"}',
                 r'signals: {s: {table: "\e[2J.csv"}}'):
        with model_file("torsor: 1\nunits: SI\n" + text + "\n") as path:
            for words in (["check", path], ["check", path, "--json"]):
                done = subprocess.run([PROGRAM, *words], capture_output=True, check=False)
                expect(done.returncode in (0, 2), f"{text!r}: exit code {done.returncode}: {done.stderr!r}")
                judge_terminal(text, done.stderr)
                judge_terminal(text, done.stdout)
    with model_file('torsor: 1\nunits: SI\nbodies: {"a\\eb": {mass: 1, inertia: [1, 1, 1]}}\n') as path:
        said = torsor("check", path, code=2).stderr
        expect(":3:10: error: a name may not contain control characters" in said, said)


# what is set, what is said of it
TOO_LARGE = [("beams: {b: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: VALUE}}", "expected 1 to 1000000 elements"),
             ("cables: {c: {EA: 1, mass: 1, from: [0, 0, 0], to: [1, 0, 0], elements: VALUE}}", "expected 1 to 1000000 elements"),
             ("beams: {b: {section: s, from: [0, 0, 0], to: [1, 0, 0], order: VALUE}}", "the order must be 1, 2 or 3"),
             ("meshes: {g: {type: plate, size: [1, 1], divisions: [VALUE, 1]}}", "1 to 1000000"),
             ("meshes: {g: {type: plate, size: [1, 1], divisions: [1, 1], order: VALUE}}", "order"),
             ("analysis: {step: 1, end: 1, max_iterations: VALUE}", "expected 1 to 10000 iterations"),
             ("analysis: {step: 1, end: 1, max_cuts: VALUE}", "expected 0 to 50 cuts"),
             ("analysis: {step: 1, end: 1, threads: VALUE}", "expected 1 to 256 threads"),
             ("analysis: {step: 1, end: VALUE}", "this makes more than 1e9 steps"),
             ("analysis: {type: static, increments: VALUE}", "expected 1 to 1000000 increments"),
             ("analysis: {type: static, method: arc_length, max_points: VALUE}", "expected 1 to 1000000 points"),
             ("outputs: {every: VALUE}\nanalysis: {step: 1, end: 10}", "expected a whole number from 1 to 1000000000")]
PARTS = "torsor: 1\nunits: SI\nsections: {s: {type: circle, material: m, diameter: 20 mm}}\n" \
        "materials: {m: {type: isotropic, E: 2e8, nu: 0.3, density: 1000}}\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"


def too_large():
    for text, wanted in TOO_LARGE:
        for value in ("2e9", "3e9", "5e15", "1e16", "1e30", "1e300", "99999999999999999999", "2147483648", "9223372036854775808"):
            with model_file(PARTS + text.replace("VALUE", value) + "\n") as path:
                said = torsor("check", path, code=2, timeout=20).stderr
                expect(wanted in said or "too large" in said, f"{text} with {value}: {said}")
    with model_file(PARTS.replace("{mass: 1,", "{mass: 1e-320,")) as path:
        said = torsor("check", path, code=2).stderr  # its centre of mass was at nan
        expect("this number is too small in SI units" in said, said)
    for gravity in ("[0, 0, 1e308]", "[0, -9.81, -1e200]"):  # each number is finite, what is told of them was not
        with model_file(PARTS + f"gravity: {gravity}\n") as path:
            said = torsor("check", path, code=2).stderr
            expect(re.search(r":6:\d+: error: this gravity is too large", said), f"gravity {gravity}: {said}")
    with model_file(PARTS + "analysis: {step: 1 ms, end: 5 ms}\n") as path:
        torsor("run", path, "-o", path.parent / "run.h5")
        for words in (["run", path, "--end", "1e300"], ["run", path, "--every", "1e30"], ["run", path, "--threads", "1e300"],
                      ["run", path, "--step", "1e-300"], ["restart", path.parent / "run.h5", "--end", "1e300"],
                      ["restart", path.parent / "run.h5", "--from", "1e300"], ["restart", path.parent / "run.h5", "--from", "-5"],
                      ["restart", path.parent / "run.h5", "--from", "9223372036854775808"], ["modes", path, "-n", "1e300"],
                      ["report", path.parent / "run.h5", "--frames", "1e300"], ["export", path.parent / "run.h5", "--every", "1e300"],
                      ["converge", path, "--levels", "1e300"], ["converge", path, "--jobs", "1e300"]):
            said = torsor(*words, code=1, timeout=20).stderr
            expect(said.startswith("torsor: ") and re.search(r"expected|1e9 steps|last stored|longer|no stored", said), f"{words}: {said}")


def python_edges():
    library = os.environ.get("TORSOR_LIBRARY", str(ROOT / "build/src/libtorsor.so"))
    if not os.path.exists(library):
        print("skipped: Python, for there is no shared library")
        return
    sys.path.insert(0, str(ROOT / "python"))
    import torsor as module  # pylint: disable=import-outside-toplevel
    hostile = "<script>alert('x')</script> & \""
    model = module.parse(MODEL.replace("TITLE", hostile.replace('"', '\\"')))
    run = model.start()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, os.fsdecode(b"caf\xe9.h5"))
        results = model.run(path)
        shown = {"run": run._repr_html_(), "results": results._repr_html_(), "modes": model.modes()._repr_html_()}
        for what, page in shown.items():
            expect("<script>" not in page and "<i>" not in page, f"{what} shows a title or a name unescaped: {page}")
        for frame in (-5, -2, 10**6):
            try:
                module.Run.restart(path, frame=frame)
                expect(False, f"frame {frame} was restarted from")
            except module.TorsorError as why:
                expect("stored state" in str(why), f"frame {frame}: {why}")
        for end in (float("inf"), 1e300, float("nan")):
            try:
                again = module.Run.restart(path, end=end)
                expect(False, f"restart to {end} plans {again.steps_planned} steps")
            except module.TorsorError as why:
                expect("steps" in str(why) or "not a number" in str(why), f"end {end}: {why}")
    try:
        model.start().run(float("nan"))
        expect(False, "a run to nan was made")
    except module.TorsorError as why:
        expect("not a number" in str(why), str(why))
    for broken in (lambda: module.load("a\0b.yaml"), lambda: model.set("title\0", "x"), lambda: model.add("bodies", "a\0", {"mass": 1}),
                   lambda: module.Results("a\0b.h5"), lambda: model.run("a\0b.h5"), lambda: model.run(step="1\0ms")):
        try:
            broken()
            expect(False, "a zero in a text was not noticed")
        except (ValueError, module.TorsorError):
            pass
    try:
        module.parse("torsor: 1\nunits: SI\n\0bodies: {}\n")
        expect(False, "a zero in a model was not noticed")
    except module.TorsorError:
        pass


only = sys.argv[1:]  # names of parts
for part in (names_and_titles, no_key_twice, mistakes, too_large, python_edges):
    if not only or part.__name__ in only:
        part()
if failures:
    sys.exit(f"{len(failures)} failures")
print("edges: sound")
