# SPDX-License-Identifier: Apache-2.0
"""The program, as tests call it.

Environment: TORSOR, the program; TORSOR_SOURCE_DIR, the source tree; TORSOR_QUICK=1 for shorter runs.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import tempfile

PROGRAM = pathlib.Path(os.environ.get("TORSOR", "build/torsor")).absolute()
ROOT = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", pathlib.Path(__file__).parent.parent))
QUICK = os.environ.get("TORSOR_QUICK", "0") not in ("", "0")


def torsor(*words, code=0, cwd=None, timeout=280):
    """The program called with these words, which must end with this exit code, or with one of these."""
    words = [str(word) for word in words]
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=cwd, timeout=timeout, check=False)
    if done.returncode not in (code if isinstance(code, tuple) else (code,)):
        raise AssertionError(f"torsor {' '.join(words)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr}")
    return done


def once(pairs):
    """For object_pairs_hook: an object of JSON, whose keys must differ. Of two equal ones, readers would see only the last."""
    keys = [key for key, _ in pairs]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        raise ValueError(f"keys given twice: {', '.join(sorted(twice))}")
    return dict(pairs)


def parse(text):
    """The value of a JSON text, without keys given twice."""
    return json.loads(text, object_pairs_hook=once)


def answer(*words, **options):
    """What the program says with --json, where that is one object."""
    return parse(torsor(*words, "--json", **options).stdout)


def events(*words, **options):
    """What it says with --json of a run, line by line."""
    return [parse(line) for line in torsor(*words, "--json", **options).stdout.splitlines()]


@contextlib.contextmanager
def model_file(text, name="case.yaml"):
    """The path of a model file with this text, in a folder of its own as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        path.write_text(text, encoding="utf-8")
        yield path


def touching(file, frame):
    """The pairs that touch at a stored state of an open results file: rows of its contact_pairs."""
    frames = file["progress"][0]
    first, count = file["frames/contact_range"][frame % frames, 0]
    return file["contact_pairs"][first:first + count]


def modes_of(text, count, *options):
    """The modes of a model given as text, as dictionaries."""
    with model_file(text) as path:
        return answer("modes", path, "-n", count, *options)["modes"]
