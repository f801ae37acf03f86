#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Torture: torsor under kills, full disks, damaged files, wrong models, rivals, lack of memory and threads. Nothing may be lost.

torture.py [--quick] [--seed N] [--only PART,...] [--seconds S]

Each part repeats one kind of damage and sorts the results:

  reported   torsor refused or stopped, with a message and an exit code of its own
  harmless   torsor continued, and the result equals that of an undisturbed run, bit for bit
  lost       anything else: a crash, a hang, a file that is missing or changed, a partial file under its final name, a different
             result that is not reported as wrong

--quick is the short form for the test suite. --seconds bounds the time of each part.
Environment: TORSOR, the program (a sanitized build is welcome); TORSOR_SOURCE_DIR, the source tree; TORSOR_BUILD_DIR, where C programs of this
folder are built (optional: they are compiled here).
"""
import argparse
import itertools
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py

HERE = pathlib.Path(__file__).resolve().parent
TORSOR = os.environ.get("TORSOR", "build/torsor")
SOURCE = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", HERE.parent.parent))
QUICK = "--quick" in sys.argv
LENGTH = 0.8 if QUICK else 30  # seconds of motion of runs that are killed; states are stored for good about once a second of computing
LIMIT = 60  # seconds of computing until a process counts as hanging

MODEL = """torsor: 1
title: Torture
units: SI
gravity: [0, 0, -9.81]
bodies:
  one: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0, 0, -0.5], angular_velocity: [0, 1, 0], velocity: [-0.5, 0, 0]}
  two: {mass: 2, inertia: [0.2, 0.2, 0.01], position: [0, 0, -1.5], velocity: [-1, 0, 0]}
joints:
  C: {type: rigid, bodies: [two, tail.start], at: [0, 0, -2]}
  A: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: y}
  B: {type: revolute, bodies: [one, two], at: [0, 0, -1], axis: y}
springs:
  damper: {type: torsion_spring, joint: B, damping: 0.2, stiffness: 3}
beams:
  tail: {section: s, from: [0, 0, -2], to: [0, 0, -3], elements: 3, order: 1, axis2: y}
sections:
  s: {type: circle, material: m, diameter: 20 mm}
materials:
  m: {type: isotropic, E: 2e8, nu: 0.3, density: 1000}
analysis: {scheme: ED, step: 2 ms, end: END s}
outputs: {every: 2}
"""


# ---- judging ----

class Tally:
    """What a part did, and what became of it."""

    def __init__(self, name):
        self.name, self.told, self.harmless, self.lost = name, 0, 0, []

    @property
    def tried(self):
        return self.told + self.harmless + len(self.lost)

    def add(self, verdict, what=""):
        if verdict == "told":
            self.told += 1
        elif verdict == "harmless":
            self.harmless += 1
        else:
            self.lost.append(f"{verdict}: {what}")


class Hang(Exception):
    """A process that did not end by itself; `stopped`: by its limit on computing time it did."""

    def __init__(self, words, stopped):
        super().__init__(" ".join(map(str, words)))
        self.stopped = stopped


def limit_time():
    """For the child: seconds of computing, since others may keep the cores busy. At the limit, SIGXCPU: runs store what they have and say so, with
    exit code 5, which is no loss: an equilibrium under a load of a thousand times the stiffness may take long to find."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 10))


def call(*words, env=None, cwd=None, stdin=None):
    """Run torsor; (exit code, output and messages). A negative code is a signal."""
    try:
        done = subprocess.run([TORSOR, *map(str, words)], cwd=cwd, env={**os.environ, **(env or {})}, input=stdin,
                              capture_output=True, timeout=10 * LIMIT, preexec_fn=limit_time)
    except subprocess.TimeoutExpired as slow:
        raise Hang(words, False) from slow
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise Hang(words, done.returncode == -signal.SIGXCPU)
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def undisturbed(*words):
    """Run torsor without harm: it must succeed, or there is nothing to compare with."""
    code, text = call(*words)
    if code:
        raise SystemExit(f"torture: '{' '.join(map(str, words))}' fails undisturbed: {text[-500:]}")


def crashed(code, text):
    """Did it die, or did a sanitizer see something?"""
    return code < 0 or code > 5 or "Sanitizer" in text or "runtime error:" in text


def spoken(code, text):
    """An error of torsor's own: a code from 1 to 5 and words."""
    return 1 <= code <= 5 and "torsor: " in text or code == 2 and "error" in text


def rows(path, group):
    """Arrays of the stored rows of a results file, as bytes by row."""
    with h5py.File(path, "r") as file:
        count = int(file["progress"][0 if group == "frames" else 1])
        return count, {name: file[group][name][:count] for name in file[group]}


STATE = {"t", "step", "q", "v", "vdot", "jump", "lambda", "kappa", "memory"}


def same_rows(whole, part):
    """Are the rows of `part` those of `whole`, bit for bit?

    A run that was stopped may have stored a last state between. Forces in its last row are extrapolated, since the step after it is
    not known; so only the state counts there.
    """
    total, all_rows = rows(whole, "frames")
    count, some = rows(part, "frames")
    place = {int(step): i for i, step in enumerate(all_rows["step"])}
    for i in range(count):
        k = place.get(int(some["step"][i]))
        if k is None and i == count - 1:
            continue
        names = set(some) & STATE if i == count - 1 and k != total - 1 else some
        if k is None or any(some[name][i].tobytes() != all_rows[name][k].tobytes() for name in names):
            return False
    return count > 0 and total > 0


def write_model(folder, end=0.4):
    path = folder / "model.yaml"
    path.write_text(MODEL.replace("END", str(end)))
    return path


def undisturbed_run(folder, end):
    """A model, the results of an undisturbed run, and the seconds that it took."""
    model, whole = write_model(folder, end), folder / "whole.h5"
    began = time.monotonic()
    undisturbed("run", model, "-o", whole)
    return model, whole, time.monotonic() - began


def signalled(model, results, which, rng, length):
    """A run that gets a signal at a random moment: exit code, messages."""
    run = subprocess.Popen([TORSOR, "run", model, "-o", results], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(rng.uniform(0, 1.05 * length))
    run.send_signal(which)
    text = run.communicate(timeout=10 * LIMIT)[1].decode("utf-8", "replace")
    return run.returncode, text


class Clock:
    """Bounds a part by number and by time, which runs from its first harm on: what is prepared before takes long on a busy machine."""

    def __init__(self, number, seconds):
        self.left, self.seconds, self.end = number, seconds, None

    def __iter__(self):
        self.end = self.end or time.monotonic() + self.seconds
        while self.left > 0 and time.monotonic() < self.end:
            self.left -= 1
            yield self.left


# ---- kills ----

def judge_killed(folder, whole, killed):
    """After kill -9: what is stored is true, and a restart goes on bit for bit."""
    if not killed.exists():
        return "harmless", ""
    code, text = call("info", killed)
    if crashed(code, text):
        return "crash", f"info: {text[-200:]}"
    rest = folder / "rest.h5"
    rest.unlink(missing_ok=True)
    code, text = call("restart", killed, "-o", rest)
    if crashed(code, text):
        return "crash", f"restart: {text[-200:]}"
    if code:
        return ("told", "") if spoken(code, text) else ("silent", text[-200:])
    if not same_rows(whole, killed):
        return "wrong rows", str(killed)
    return ("harmless", "") if same_rows(whole, rest) else ("wrong restart", str(rest))


def kills(tally, folder, rng, clock):
    """kill -9 at random moments, then restart."""
    model, whole, length = undisturbed_run(folder, LENGTH)
    for i in clock:
        killed = folder / f"killed{i}.h5"
        signalled(model, killed, signal.SIGKILL, rng, length)
        tally.add(*judge_killed(folder, whole, killed))
        killed.unlink(missing_ok=True)


def stops(tally, folder, rng, clock):
    """SIGTERM, SIGHUP and SIGINT at random moments: results so far are stored, no draft is left, a restart goes on."""
    model, whole, length = undisturbed_run(folder, LENGTH)
    for i in clock:
        inside = folder / f"stop{i}"
        inside.mkdir()
        stopped, which = inside / "run.h5", rng.choice([signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
        code, text = signalled(model, stopped, which, rng, length)
        left = [p.name for p in inside.iterdir() if p.name != "run.h5"]
        if left:
            tally.add("draft left", ", ".join(left))
        elif code not in (0, 5, -which) or "Sanitizer" in text:
            tally.add("crash", text[-200:])
        else:
            tally.add(*judge_killed(folder, whole, stopped))
        shutil.rmtree(inside)


# ---- full disks ----

def build_shim(folder):
    """The library that makes a disk look full."""
    shim = folder / "full_disk.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, HERE / "full_disk.c", "-ldl"], check=True)
    return shim


# what is done, the files it should make
VERBS = [
    (["run", "model.yaml", "-o", "out.h5"], ["out.h5"]),
    (["run", "model.yaml", "-o", "out.h5", "--csv", "out.csv"], ["out.h5", "out.csv"]),
    (["modes", "model.yaml", "-o", "out.h5"], ["out.h5"]),
    (["info", "whole.h5", "--csv", "-o", "out.csv"], ["out.csv"]),
    (["report", "whole.h5", "-o", "out.html"], ["out.html"]),
    (["export", "whole.h5", "-o", "out", "--every", "20"], ["out/whole.pvd"]),
    (["restart", "whole.h5", "--time", "0.1", "-o", "out.h5"], ["out.h5"]),
    (["export", "whole.h5", "--format", "xdmf", "-o", "out.xdmf"], ["out.xdmf", "out-xdmf.h5"]),
    (["spectrum", "--points", "3", "--csv", "out.csv", "--svg", "out.svg"], ["out.csv", "out.svg"]),
    (["info", "whole.h5", "-o", "out.txt"], ["out.txt"]),
    # an earlier file is there: it is as it was, or the new one is whole
    (["run", "model.yaml", "-o", "old.h5", "--force"], ["old.h5"]),
    (["modes", "model.yaml", "-o", "old.h5", "--force"], ["old.h5"]),
    (["info", "whole.h5", "--csv", "-o", "old.csv", "--force"], ["old.csv"]),
    (["report", "whole.h5", "-o", "old.html", "--force"], ["old.html"]),
]
OLD = b"an earlier file, which is as it was or replaced by a whole one"


def contents(path):
    """All that an HDF5 file holds but the time of its making: bytes by name."""
    found = {}

    def look(name, thing):
        if isinstance(thing, h5py.Dataset):
            found[name] = repr(thing[()].tolist()) if thing.dtype.kind in "OSV" else thing[()].tobytes()
        for key, value in thing.attrs.items():
            if key != "created":
                found[name + "@" + key] = repr(value)
    with h5py.File(path, "r") as file:
        look("", file)
        file.visititems(look)
    return found


def judge_rows(path, wanted, code):
    """Of a results file: info reads it, and its rows are those of an undisturbed run; all of them, if the run says that it is done."""
    info, said = call("info", path)
    if info or crashed(info, said):
        return f"unreadable: {said[-200:]}"
    stored = rows(path, "frames")[0]
    if stored and not same_rows(wanted, path):
        return "wrong rows"
    return "rows are missing" if code == 0 and stored != rows(wanted, "frames")[0] else ""


def judge_file(path, wanted, code):
    """What is wrong with a file at the place of an output; "": nothing. Only runs leave results before they are done; all else is whole."""
    if not path.exists():
        return "missing" if code == 0 else ""
    if path.read_bytes() == OLD:
        return "not written" if code == 0 else ""
    if path.suffix != ".h5":
        return "" if path.read_bytes() == wanted.read_bytes() else "partial file"
    with h5py.File(wanted, "r") as file:
        is_results = "progress" in file
    if is_results:
        return judge_rows(path, wanted, code)
    return "" if contents(path) == contents(wanted) else "partial file"


def judge_full(inside, files, wanted, code, text):
    """After a full disk: told, and no partial file under a final name."""
    if crashed(code, text):
        return "crash", text[-200:]
    for name in files:
        try:
            wrong = judge_file(inside / name, wanted / name, code)
        except OSError as why:
            wrong = f"unreadable: {why}"
        if wrong:
            return wrong, name
    left = [p.name for p in inside.iterdir() if ".tmp" in p.name]
    if left:
        return "draft left", ", ".join(left)
    if code == 0:
        return "harmless", ""
    named = "No space left" in text and any(pathlib.PurePath(name).parts[0] in text for name in files)
    return ("told", "") if spoken(code, text) and named else ("silent", text[-200:])


def prepare(folder, inside):
    inside.mkdir()
    shutil.copy(folder / "model.yaml", inside)
    shutil.copy(folder / "whole.h5", inside)
    for name in ("old.h5", "old.csv", "old.html"):
        (inside / name).write_bytes(OLD)


def disks(tally, folder, rng, clock):
    """The disk is full at the k-th write, for good or for a moment, for every verb that writes."""
    shim = build_shim(folder)
    undisturbed_run(folder, 0.2)
    plans = []
    for number, (words, files) in enumerate(VERBS):
        inside, count = folder / f"wanted{number}", folder / "calls"
        prepare(folder, inside)
        code, text = call(*words, cwd=inside, env={"LD_PRELOAD": str(shim), "TORTURE_COUNT": str(count)})
        if code:
            raise SystemExit(f"torture: {' '.join(words)} fails undisturbed: {text[-300:]}")
        calls = int(count.read_text())
        plans.append([(words, files, inside, k, once) for k in range(1, calls + 1) for once in (False, True)])
        rng.shuffle(plans[-1])
    in_turn = [plan for turn in itertools.zip_longest(*plans) for plan in turn if plan]
    for i, (words, files, wanted, k, once) in zip(clock, in_turn):
        inside = folder / f"full{i}"
        prepare(folder, inside)
        env = {"LD_PRELOAD": str(shim), "TORTURE_FULL_AT": str(k)}
        if once:
            env["TORTURE_ONCE"] = "1"
        code, text = call(*words, cwd=inside, env=env)
        verdict, what = judge_full(inside, files, wanted, code, text)
        tally.add(verdict, f"{' '.join(words)}, write {k}{' only' if once else ''}: {what}")
        shutil.rmtree(inside)


# ---- damaged files ----

def uses(folder, results):
    """What is done with a results file."""
    return (["info", results], ["info", results, "--csv", "-o", folder / "d.csv"],
            ["report", results, "-o", folder / "d.html"], ["restart", results, "--time", "0.1", "-o", folder / "d.h5"])


def judge_damaged(folder, whole, damaged):
    """Of a damaged results file: told, or the same as before; nothing in between."""
    verdict = "harmless"
    for words in uses(folder, damaged):
        for name in ("d.csv", "d.html", "d.h5"):
            (folder / name).unlink(missing_ok=True)
        code, text = call(*words)
        if crashed(code, text):
            return "crash", f"{words[0]}: {text[-200:]}"
        if code and not spoken(code, text):
            return "silent", text[-200:]
        if code:
            verdict = "told"
        elif words[0] == "restart" and not same_rows(whole, folder / "d.h5"):
            return "wrong restart", ""
        elif "--csv" in words and (folder / "d.csv").read_bytes() != (folder / "whole.csv").read_bytes():
            return "wrong table", ""
    return verdict, ""


def flips(tally, folder, rng, clock):
    """Bytes of a results file are changed, or a piece of it is gone."""
    _, whole, _ = undisturbed_run(folder, 0.2)
    damaged = folder / "damaged.h5"
    undisturbed("info", whole, "--csv", "-o", folder / "whole.csv")
    for words in uses(folder, whole):
        undisturbed(*words)
    good = whole.read_bytes()
    for _ in clock:
        data, what = bytearray(good), rng.random()
        if what < 0.1:
            at = rng.randrange(len(data))
            del data[at:at + rng.randrange(1, 5000)]
        else:
            for _ in range(1 if what < 0.8 else rng.randrange(2, 50)):
                at = rng.randrange(len(data)) if rng.random() < 0.5 else rng.randrange(min(8192, len(data)))
                data[at] ^= 1 << rng.randrange(8)
        damaged.write_bytes(data)
        verdict, what = judge_damaged(folder, whole, damaged)
        if verdict not in ("told", "harmless"):
            kept = folder.parent / f"torture-{len(tally.lost)}.h5"
            kept.write_bytes(data)
            what += f" (kept as {kept})"
        tally.add(verdict, what)


# ---- wrong models ----

NUMBERS = ["0", "-1", "1e308", "-1e308", "1e-320", "nan", "inf", ".inf", "99999999999999999999", "1/0", "2^2^2^2^2", "1e9", "-0.0",
           "1 m", "3 furlong", "[1, 2]", "''", "null", "{a: 1}", "sqrt(-1)", "t"]


UNITS = ["SI", "{length: mm}", "{length: mm, mass: g, time: ms}", "{length: km, mass: t}", "{angle: deg}", "{length: kg}", "CGS", "null"]
UNIT = re.compile(r"(?<=\d) (mm|cm|m|km|s|ms|kg|g|N|kN|Pa|MPa|GPa|deg|rad|Hz|rpm)\b")
TYPE = re.compile(r"(?<=type: )\w+")
WORD = re.compile(r"[A-Za-z_]\w*")


def blocks(lines):
    """Where the sections begin and end: lines that begin with a key, up to the next."""
    starts = [i for i, line in enumerate(lines) if re.match(r"\w+:", line)]
    return list(zip(starts, starts[1:] + [len(lines)]))


def change_structure(lines, rng, types):
    """Sections swapped, renamed, emptied or doubled; types and units exchanged; names confused."""
    found, kind, text = blocks(lines), rng.randrange(8), "\n".join(lines)
    if kind == 0 and len(found) > 1:  # the contents of two sections change places
        (a, b), (c, d) = sorted(rng.sample(found, 2))
        swap = lambda i, k: lines[i].partition(":")[0] + ":" + lines[k].partition(":")[2]
        return lines[:a] + [swap(a, c)] + lines[c + 1:d] + lines[b:c] + [swap(c, a)] + lines[a + 1:b] + lines[d:]
    if kind == 1 and found:  # a section is gone
        a, b = rng.choice(found)
        return lines[:a] + lines[b:]
    if kind == 2 and len(found) > 1:  # a section under the name of another
        (a, _), (c, _) = rng.sample(found, 2)
        return lines[:a] + [lines[c].partition(":")[0] + ":" + lines[a].partition(":")[2]] + lines[a + 1:]
    if kind == 3:
        return re.sub(r"(?m)^units: .*$", "units: " + rng.choice(UNITS), text).split("\n")
    places = list((TYPE if kind in (4, 5) else UNIT if kind == 6 else WORD).finditer(text))
    if not places:
        return lines
    place = rng.choice(places)
    other = rng.choice(types) if kind in (4, 5) else rng.choice(["mm", "m", "s", "kg", "N", "Pa", "deg", "rpm"]) if kind == 6 \
        else rng.choice(places)[0]
    start = place.start() + (kind == 6)
    return (text[:start] + other + text[place.end():]).split("\n")


def mutate(text, rng, types=("revolute",)):
    """A model with one to three mistakes."""
    lines = text.split("\n")
    for _ in range(rng.randint(1, 3)):
        i, kind = rng.randrange(len(lines)), rng.randrange(12)
        words = lines[i].split(" ")
        if kind == 0:
            del lines[i]
        elif kind == 1:
            lines.insert(i, rng.choice(lines))
        elif kind <= 4:
            numbers = [k for k, word in enumerate(words) if any(c.isdigit() for c in word)]
            if numbers:
                k = rng.choice(numbers)
                words[k] = rng.choice(NUMBERS) + ("," if words[k].endswith(",") else "") + ("]" if "]" in words[k] else "")
            lines[i] = " ".join(words)
        elif kind == 5:
            k = rng.randrange(len(words))
            words[k] = rng.choice(rng.choice(lines).split(" "))
            lines[i] = " ".join(words)
        elif kind == 6:
            at = rng.randrange(len(lines[i]) + 1)
            lines[i] = lines[i][:at] + rng.choice("{}[]:,#&*!|>'\"%@`\t\\\x00é☃-") + lines[i][at:]
        elif kind == 7:
            lines[i] = lines[i][:rng.randrange(len(lines[i]) + 1)]
        else:
            lines = change_structure(lines, rng, types)
        if not lines:
            lines = [""]
    return "\n".join(lines)


def judge_model(path, rng):
    """A mutant through check, run, modes and restart: told, or numbers."""
    verdict, results = "harmless", path.with_suffix(".h5")
    results.unlink(missing_ok=True)
    keep = rng.random() < 0.3
    run = ["run", path, "--end", "0.01"] + (["-o", results] if keep else ["--no-results"])
    for words in (["check", path], run, ["restart", results, "--end", "0.02", "-o", path.with_suffix(".rest.h5")], ["modes", path, "-n", "4"]):
        if words[0] == "restart" and not results.exists():
            continue
        try:
            code, text = call(*words)
        except Hang as slow:
            if words[0] != "modes" or not slow.stopped:
                return "hang", str(slow)
            print(f"slow, and ended by its limit: modes of {path}", file=sys.stderr)
            return "told", ""  # it writes nothing, and the system says what ended it
        if crashed(code, text) or code and not spoken(code, text):
            return "crash", f"{words[0]} {code}: {text[-300:]}"
        if code == 0 and re.search(r"(?<![\w'.-])-?(nan|inf)\b(?! \()", text.partition("\n")[2]):
            return "silent nan", f"{words[0]}: {text[-600:]}"
        if code:
            verdict = "told"
        if code and words[0] == "check":
            break
    return verdict, ""


LARGEST = 1500 if QUICK else 20000  # bytes of a model


def models(tally, folder, rng, clock):
    """Mutated models through check, run, restart and modes."""
    shutil.copytree(SOURCE / "examples", folder / "examples", ignore=shutil.ignore_patterns("*.h5", "*.html", "__pycache__"))
    own = folder / "own.yaml"
    own.write_text(MODEL.replace("END", "0.02"))
    found = [path for path in sorted(folder.glob("examples/**/*.yaml")) if path.stat().st_size < LARGEST]
    texts = {path: path.read_text(encoding="utf-8") for path in [own, *found]}
    types = sorted({word for text in texts.values() for word in TYPE.findall(text)})
    for _ in clock:
        source = own if rng.random() < 0.2 else rng.choice(found)
        path = source.with_name("mutant.yaml")  # beside the tables and meshes of the example
        path.write_text(mutate(texts[source], rng, types), encoding="utf-8")
        verdict, what = judge_model(path, rng)
        if verdict not in ("told", "harmless"):
            kept = folder.parent / f"torture-{len(tally.lost)}.yaml"
            shutil.copy(path, kept)
            what += f" (kept as {kept.name}, of {source.name})"
        tally.add(verdict, what)


# ---- threads ----

def threads(tally, folder, rng, clock):
    """Four threads at once, each with handles of its own: what one thread finds, bit for bit; with the thread sanitizer, no race."""
    built = [pathlib.Path(p) for p in (os.environ.get("TORSOR_THREADS", ""), SOURCE / "build-threads/tests/test_threads",
                                       pathlib.Path(TORSOR).parent / "tests/test_threads") if p]
    program = next((p for p in built if p.exists()), None)
    if not program:
        raise SystemExit("torture: threads: there is no test_threads: `make torture-threads` builds it with the thread sanitizer")
    for _ in clock:
        done = subprocess.run([program], capture_output=True, timeout=20 * LIMIT, env={**os.environ, "TMPDIR": str(folder), "OMP_NUM_THREADS": "1"})
        text = (done.stdout + done.stderr).decode("utf-8", "replace")
        good = done.returncode == 0 and "WARNING: ThreadSanitizer" not in text
        tally.add("harmless" if good else "race", text[-600:])


# ---- memory ----

def memory(tally, folder, rng, clock):
    """Every allocation fails once: the C test counts them, and says what became of them."""
    program = pathlib.Path(TORSOR).absolute().parent / "tests/test_out_of_memory"
    if not program.exists():
        raise SystemExit(f"torture: memory: there is no {program}")
    how = {"TORSOR_QUICK": "1"} if QUICK else {"TORSOR_EACH": "1"}
    for _ in clock:
        done = subprocess.run([program], cwd=folder, capture_output=True, timeout=100 * LIMIT, env={**os.environ, **how})
        text = (done.stdout + done.stderr).decode("utf-8", "replace")
        for told, harmless in re.findall(r"(\d+) told, (\d+) harmless", text):
            tally.told += int(told)
            tally.harmless += int(harmless)
        if done.returncode:
            tally.add("crash", text[-600:])


# ---- rivals ----

def rivals(tally, folder, rng, clock):
    """Two processes want one file: the second is refused while the first holds it, and the first loses nothing."""
    model, whole, _ = undisturbed_run(folder, 3)
    for i in clock:
        mine = folder / f"rival{i}.h5"
        first = subprocess.Popen([TORSOR, "run", model, "-o", mine], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not mine.exists() and first.poll() is None:
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.1))
        code, text = call("run", model, "-o", mine, "--force")
        both = code == 0 and first.poll() is None
        first.communicate(timeout=10 * LIMIT)
        if crashed(code, text) or first.returncode:
            tally.add("crash", f"{first.returncode}, {code}: {text[-200:]}")
        elif not same_rows(whole, mine) or rows(whole, "frames")[0] != rows(mine, "frames")[0]:
            tally.add("wrong rows", str(mine))
        elif code:
            tally.add("told" if spoken(code, text) else "silent", text[-200:])
        else:
            tally.add("two at once" if both else "harmless", str(mine))
        mine.unlink(missing_ok=True)


PARTS = {"kills": (kills, 400, 20), "stops": (stops, 400, 20), "disks": (disks, 10000, 60), "flips": (flips, 4000, 60),
         "models": (models, 6000, 40), "rivals": (rivals, 100, 6), "memory": (memory, 1, 1), "threads": (threads, 20, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--seconds", type=float)
    options = parser.parse_args()
    seconds = options.seconds or (8 if options.quick else 900)
    tallies = []
    for name in options.only.split(","):
        part, number, few = PARTS[name]
        tally, rng = Tally(name), random.Random(f"{options.seed} {name}")
        with tempfile.TemporaryDirectory() as folder:
            inside = pathlib.Path(folder) / name
            inside.mkdir()
            part(tally, inside, rng, Clock(few if options.quick else number, seconds))
            for kept in pathlib.Path(folder).glob("torture-*"):
                shutil.copy(kept, f"{name}-{kept.name}")
        tallies.append(tally)
        for what in tally.lost[:20]:
            print(f"LOST {name}: {what}", file=sys.stderr)
    print(f"{'damage':10}{'tried':>8}{'reported':>10}{'harmless':>10}{'lost':>6}")
    for t in tallies:
        print(f"{t.name:10}{t.tried:8}{t.told:10}{t.harmless:10}{len(t.lost):6}")
    print(f"{'all':10}{sum(t.tried for t in tallies):8}{sum(t.told for t in tallies):10}{sum(t.harmless for t in tallies):10}"
          f"{sum(len(t.lost) for t in tallies):6}")
    if any(t.lost or not t.tried for t in tallies):
        sys.exit(1)


if __name__ == "__main__":
    main()
