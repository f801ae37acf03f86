#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""gallery.py --program TORSOR --output FOLDER [--cache FOLDER] [NAME...]: a page and two pictures of every model in examples/.

Every model is run by the command that its page shows, and must end well. The pictures (light and dark) are taken from its report in
Chromium, by report/pictures.mjs. NAME is a path below examples/ without .yaml: spinning_top, papers/swing_8. What was run with the
same program, model and options is not run again. tools/site.py calls this.
"""
import argparse
import csv
import hashlib
import html
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
FOLDERS = {"": "First steps", "machines": "Ready parts of machines", "contact": "Contact", "papers": "From the papers", "cases": "Cases with known answers"}
INTRODUCTION = {
    "": "Small models to start from.",
    "machines": "One small model of each part.",
    "contact": "Impacts, friction and rolling.",
    "papers": "The examples of the papers that the schemes come from.",
    "cases": "Models behind the tests: benchmarks with published numbers, and motions with an answer in closed form.",
}
# where the state of largest elastic energy is not the telling one: fraction of the run
TELLING = {"double_pendulum": 0.35, "rolling_disk": 0.7, "satellite": 0.2, "spinning_top": 0.6, "four_bar": 0.3, "slider_crank": 0.55,
           "satellite_latch": 0.24, "robot_pid": 1.0, "machines/hydraulic_cylinder": 0.4,
           "papers/right_angle_beam": 0.3, "papers/four_bar_crooked_s0": 0.06, "papers/four_bar_crooked_s3": 0.06,
           "contact/newtons_cradle": 0.3, "contact/billiard_break": 0.13, "contact/lantern_gear": 0.17, "contact/ball_bearing": 0.8, "contact/car_on_a_bump": 0.33, "contact/dominoes": 0.45,
           "papers/windmill": 1.0, "cases/c04_flying_spaghetti": 0.5}
# what moves far: the camera goes near
CLOSE = {"papers/right_angle_beam", "papers/hinged_beam", "cases/c04_flying_spaghetti", "cases/adams_cylindrical", "cases/rolling_disc_upright",
         "cases/c02_right_angle_cantilever", "cases/b17_follower_cantilever", "cases/b14_helix", "cases/bounce", "cases/screw"}
LATE = 0.8  # of models without elastic energy
BATCH = 8  # examples to one browser


class GalleryError(Exception):
    pass


# ---- reading a model file ----

def head_of(text):
    """The comment at the top of a file, as paragraphs; a drawing in it keeps its lines."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line[2:] if line.startswith("# ") else line[1:])
    return [part.rstrip("\n") for part in re.split(r"\n\s*\n", "\n".join(lines)) if part.strip()]


def with_code(text):
    """`names` of a text in HTML."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def first_sentence(paragraph):
    text, depth = " ".join(paragraph.split()), 0
    for i, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        ends = letter in ".:" and depth <= 0 and re.match(r"[.:] +[A-Z]|\.$", text[i:])
        if ends and re.search(r"[\w)]{3}$", text[:i]) and i > 25:
            return text[:i] + "."
    return text if text.endswith(".") else text + "."


class Example:
    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(EXAMPLES).with_suffix(""))
        self.folder = str(pathlib.PurePath(self.name).parent).replace(".", "", 1)
        self.flat = self.name.replace("/", "-")
        self.text = path.read_text(encoding="utf-8")
        model = yaml.safe_load(self.text)
        self.title = str(model.get("title", self.name))
        self.has_analysis = "analysis" in model
        self.head = head_of(self.text)
        self.sentence = first_sentence(self.head[0]) if self.head else ""
        shown = f"examples/{self.name}.yaml"
        self.command = f"torsor run {shown} --report" if self.has_analysis else f"torsor modes {shown}"
        self.said, self.verdict = [], ""


def examples():
    found = [Example(path) for path in sorted(EXAMPLES.rglob("*.yaml"))]
    order = [*FOLDERS, *sorted({one.folder for one in found} - set(FOLDERS))]
    return sorted(found, key=lambda one: (order.index(one.folder), one.name))


# ---- running it ----

def call(words, folder):
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise GalleryError(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def key_of(example, program):
    """Changes when the model, a file beside it, or the program do."""
    key = hashlib.sha256(pathlib.Path(program).read_bytes())
    for path in sorted(example.path.parent.glob("*")):
        if path == example.path or path.suffix in (".csv", ".msh"):
            key.update(path.read_bytes())
    key.update(pathlib.Path(__file__).read_bytes())
    key.update((ROOT / "report/pictures.mjs").read_bytes())
    return key.hexdigest()


def run(example, program, folder):
    """What the program says at the end, and a report to take the picture from."""
    results = folder / f"{example.flat}.h5"
    if example.has_analysis:
        said = call([program, "run", example.path, "-o", results, "--report"], folder)
        begin = re.search(r"^(energy audit:|equilibrium at)", said, re.MULTILINE)
        example.said = [line for line in said[begin.start():].splitlines() if str(folder) not in line]
    else:  # for modes: one short step, for its picture only
        said = call([program, "modes", example.path, "-n", "6"], folder)
        example.said = said[said.index("  mode "):].rstrip().splitlines()
        call([program, "run", example.path, "--step", "1us", "--end", "1us", "-q", "-o", results, "--report"], folder)
    example.verdict = example.said[0].strip() if example.has_analysis else "modes about equilibrium"


def telling(example, program, folder):
    """When to take the picture: as chosen above, or where the elastic energy is largest; statics at the end."""
    if example.name in TELLING:
        return TELLING[example.name]
    table = list(csv.DictReader(io.StringIO(call([program, "info", f"{example.flat}.h5", "--csv", "energy"], folder))))
    elastic = [float(row["energy.elastic [J]"]) for row in table]
    statics = example.said[0].startswith("equilibrium")
    if statics or not table or max(elastic) <= 0:
        return 1.0 if statics else LATE
    times = [float(row["t [s]"]) for row in table]
    return {"t": times[elastic.index(max(elastic))]}


def take_pictures(jobs):
    done = subprocess.run(["node", ROOT / "report/pictures.mjs"], input=json.dumps(jobs), capture_output=True, text=True, timeout=1200)
    if done.returncode:
        raise GalleryError(f"report/pictures.mjs: {done.stderr}")
    for line in done.stdout.splitlines():
        colours, file = line.split(" ", 1)
        if int(colours) < 12:
            raise GalleryError(f"the picture {file} is blank: {colours} colours")


def note_of(example, cache):
    return cache / f"{example.flat}.json"


def known(example, key, cache):
    """What was said by the same program about the same model, or nothing."""
    if not note_of(example, cache).exists():
        return False
    note = json.loads(note_of(example, cache).read_text(encoding="utf-8"))
    example.said, example.verdict = note["said"], note["verdict"]
    return note["key"] == key


def make_some(some, keys, program, cache):
    """Runs, then the pictures of all these runs in one browser, then what need not be done again is noted."""
    pictures = []
    for example in some:
        run(example, program, cache)
        pictures.append({"page": str(cache / f"{example.flat}.html"), "at": telling(example, program, cache),
                         "colour": "" if example.has_analysis else "part", "close": example.name in CLOSE,
                         "light": str(cache / f"{example.flat}.light.webp"), "dark": str(cache / f"{example.flat}.dark.webp")})
        print(f"  {example.name}: {example.verdict}", flush=True)
    take_pictures(pictures)
    for example in some:
        note_of(example, cache).write_text(json.dumps({"key": keys[example.name], "said": example.said, "verdict": example.verdict}), encoding="utf-8")
        for leftover in (".h5", ".html"):
            (cache / f"{example.flat}{leftover}").unlink(missing_ok=True)


def make(chosen, program, cache):
    """Runs what is new and takes its pictures into the cache, a few at a time: a build that is stopped goes on from there."""
    cache.mkdir(parents=True, exist_ok=True)
    keys = {example.name: key_of(example, program) for example in chosen}
    new = [example for example in chosen if not known(example, keys[example.name], cache)]
    for begin in range(0, len(new), BATCH):
        make_some(new[begin:begin + BATCH], keys, program, cache)


# ---- pages ----

def images(example, up, alt):
    return "".join(f'<img class="for-{scheme}" src="{up}_static/gallery/{example.flat}.{scheme}.webp" alt="{html.escape(alt)}" '
                   f'width="720" height="450" loading="lazy">' for scheme in ("light", "dark"))


def as_text(paragraph):
    drawing = [line for line in paragraph.splitlines() if line.startswith("    ")]
    return f"```\n{paragraph}\n```" if drawing else re.sub(r"([<>*_\[\]|`])", r"\\\1", paragraph)


def page_of(example):
    depth = "../" * (example.name.count("/") + 1)
    said, head = "\n".join(example.said), "\n\n".join(map(as_text, example.head))
    return f"""# {example.title}

<div class="picture">{images(example, depth, example.title)}</div>

{head}

    {example.command}

It ends with:

```
{said}
```

## The model

`examples/{example.name}.yaml`

```yaml
{example.text.rstrip()}
```
"""


def card(example):
    return (f'<a class="card" href="gallery/{example.name}.html"><span class="frame">{images(example, "", example.title)}</span>'
            f'<span class="words"><b>{html.escape(example.title)}</b>{with_code(html.escape(example.sentence))}</span></a>')


def gallery_page(chosen):
    parts = ["# Gallery", "", "All examples with their pictures. Click one for its model, the command that runs it and its energy audit. Colours show strain "
             "energy, in solids stress. Each build of these pages runs the examples and draws the pictures again.", ""]
    for folder in dict.fromkeys(one.folder for one in chosen):
        mine = [one for one in chosen if one.folder == folder]
        parts += [f"## {FOLDERS.get(folder, folder.capitalize())}", "", INTRODUCTION.get(folder, ""), "",
                  '<div class="gallery">', *map(card, mine), "</div>", ""]
    parts += ["```{toctree}", ":hidden:", "", *(f"gallery/{one.name}" for one in chosen), "```", ""]
    return "\n".join(parts)


def write(chosen, output, cache):
    """The pages below `output`: gallery.md, gallery/*.md, _static/gallery/*.webp."""
    stock = output / "_static/gallery"
    stock.mkdir(parents=True, exist_ok=True)
    for example in chosen:
        page = output / f"gallery/{example.name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(page_of(example), encoding="utf-8")
        for scheme in ("light", "dark"):
            shutil.copy(cache / f"{example.flat}.{scheme}.webp", stock)
    (output / "gallery.md").write_text(gallery_page(chosen), encoding="utf-8")


def build(program, output, cache, names=()):
    found = examples()
    unknown = set(names) - {one.name for one in found}
    if unknown:
        raise GalleryError(f"there is no example {', '.join(sorted(unknown))}")
    chosen = [one for one in found if not names or one.name in names]
    make(chosen, pathlib.Path(program).resolve(), cache.resolve())
    write(chosen, output, cache)
    return chosen


def main():
    parser = argparse.ArgumentParser(description="A page and pictures of every example.")
    parser.add_argument("--program", default=str(ROOT / "build/torsor"))
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    try:
        made = build(arguments.program, arguments.output, arguments.cache or arguments.output / "cache", arguments.names)
    except GalleryError as error:
        sys.exit(f"gallery.py: {error}")
    print(f"{len(made)} examples")


if __name__ == "__main__":
    main()
