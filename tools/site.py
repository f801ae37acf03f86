#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""site.py [--program TORSOR] [--output FOLDER] [--gallery NAME...]: builds the documentation site, FOLDER/html/index.html.

The pages are docs/*.md and docs/papers/*.md as they are; only links that leave docs/ are turned: models lead to their page in the
gallery. New pages need no line here, they appear under "More"; ORDER puts those it knows where they belong. Sphinx' warnings
(a link that leads nowhere, a page that nothing leads to) are errors. `make docs` calls this, tests/test_site.py with few examples.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import gallery  # noqa: E402, beside this file

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
ORDER = {
    "Using torsor": ["start", "guide", "gallery", "troubleshooting", "coming-from", "limits"],
    "Tutorials": [f"tutorials/{name}" for name in ("mechanism", "flexible-beam", "rotor", "robot", "shell", "contact")],
    "Models": ["model-file", "parts", "meshes", "shells", "solids", "cables", "machines", "contact", "sliding", "coupled", "units"],
    "Running": ["command-line", "studies", "clusters", "view", "report", "results-file", "modes", "schemes", "what-each-scheme-preserves", "solvers"],
    "Programming": ["python", "c-api"],
    "More": [],
    "Against the papers": ["papers/*", "robustness"],
    "Inside": ["theory", "architecture", "adding-a-part", "tests", "mutants", "references", "first-use"],
}
LISTINGS = {".py": "python", ".c": "c"}


# ---- pages ----

def page_names():
    return {str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md")
            if path.relative_to(DOCS).parts[0] != "site"} - {"README"}


def arranged(names):
    """{caption: [page, ...]} of all pages, those that ORDER does not know under More."""
    left, found = set(names), {}
    for caption, wanted in ORDER.items():
        found[caption] = []
        for pattern in wanted:
            mine = sorted(name for name in left if pathlib.PurePath(name).match(pattern) and name.count("/") == pattern.count("/"))
            found[caption] += mine
            left -= set(mine)
    found["More"] = sorted(left)
    return {caption: pages for caption, pages in found.items() if pages}


def index_of(names):
    trees = [f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```"
             for caption, pages in arranged(names).items()]
    return (DOCS / "site/index.md").read_text(encoding="utf-8") + "\n" + "\n\n".join(trees) + "\n"


# ---- links out of docs/ ----

class Links:
    def __init__(self, shown):
        self.shown = shown  # examples in the gallery
        self.listings = set()

    def turned(self, page, target):
        """The link as it must be in the site, None where the site has nothing to lead to; `page` is relative to docs/."""
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return target
        file = (DOCS / page.parent / path).resolve()
        up = "../" * (len(page.parts) - 1)
        if not file.exists():
            sys.exit(f"site.py: docs/{page}: there is no {target}")
        if file in (ROOT / "README.md", DOCS / "README.md", DOCS):
            return up + "index.md"
        if DOCS in file.parents:
            return target
        inside = str(file.relative_to(ROOT))
        if inside.startswith("examples"):
            return self.example(up, file, inside)
        return None

    def example(self, up, file, inside):
        if file.suffix == ".yaml":
            name = inside[len("examples/"):-len(".yaml")]
            return f"{up}gallery/{name}.md" if name in self.shown else None
        if file.suffix in LISTINGS:
            self.listings.add(file)
            return f"{up}listings/{file.stem}.md"
        return f"{up}gallery.md"

    def page(self, page, text):
        def turn(match):
            target = self.turned(page, match[2])
            if target and re.fullmatch(r"[\w-]+\.md", match[1]) and ".md" in target:
                return f"[]({target})"  # the page's title, in place of the name of its file
            return f"[{match[1]}]({target})" if target else match[1]
        lines, fenced = [], False
        for line in text.splitlines():
            fenced ^= line.startswith("```")
            lines.append(line if fenced else re.sub(r"\[([^\]\[]*)\]\(([^)\s]+)\)", turn, line))
        return "\n".join(lines) + "\n"


def write_listings(files, source):
    for file in files:
        page = source / f"listings/{file.stem}.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"---\norphan: true\n---\n# {file.name}\n\n`{file.relative_to(ROOT)}`\n\n```{LISTINGS[file.suffix]}\n"
                        f"{file.read_text(encoding='utf-8').rstrip()}\n```\n", encoding="utf-8")


# ---- building ----

def stage(source, shown):
    """The pages and what they show, in `source`."""
    links = Links({one.name for one in shown})
    names = page_names()
    for name in names:
        file = source / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        page = pathlib.PurePath(f"{name}.md")
        file.write_text(links.page(page, (DOCS / page).read_text(encoding="utf-8")), encoding="utf-8")
    for path in DOCS.rglob("*"):
        if path.suffix in (".svg", ".png", ".webp") and "site" not in path.relative_to(DOCS).parts:
            target = source / path.relative_to(DOCS)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    write_listings(links.listings, source)
    shutil.copy(DOCS / "site/conf.py", source)
    for name in ("site.css", "favicon.svg"):
        shutil.copy(DOCS / "site" / name, source / "_static")
    (source / "index.md").write_text(index_of(names | {"gallery"}), encoding="utf-8")


def finish_theme(static):
    """Debian's furo leaves three things to a web server or a bundler: a style sheet at an absolute address, the dark colours of
    those who choose nothing (its Sass compiler drops the nested query), and a script that is a module, which no browser
    loads from a file. All three are put right in the copy."""
    styles = static / "styles/furo.css"
    text = styles.read_text(encoding="utf-8")
    normal = pathlib.Path("/usr/share/javascript/normalize.css/normalize.css").read_text(encoding="utf-8")
    text = re.sub(r"@import url\(/javascript/normalize\.css/[^)]*\);", lambda _: normal, text)
    if "prefers-color-scheme" not in text:
        dark = re.search(r'body\[data-theme="dark"\] (\{[^}]*\})', text)[1]
        text += f'\n@media not print {{ @media (prefers-color-scheme: dark) {{\n  body:not([data-theme="light"]) {dark}\n}} }}\n'
    styles.write_text(text, encoding="utf-8")
    script = static / "scripts/furo.js"
    if re.search(r"^import ", script.read_text(encoding="utf-8"), re.MULTILINE):
        bundled = subprocess.run([ROOT / "report/node_modules/.bin/esbuild", script, "--bundle", "--format=iife"],
                                 check=True, capture_output=True, text=True).stdout
        script.write_text(bundled, encoding="utf-8")


def version_of(program):
    return subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]


def sphinx(source, output, version):
    words = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-n", "-q", "-d", output / "doctrees", source, output / "html"]
    return subprocess.run([str(word) for word in words], env={**os.environ, "TORSOR_VERSION": version}).returncode


def main():
    parser = argparse.ArgumentParser(description="Builds the documentation site.")
    parser.add_argument("--program", default=str(ROOT / "build/torsor"))
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/docs")
    parser.add_argument("--gallery", nargs="*", default=[], metavar="NAME", help="examples to show; all when left out")
    arguments = parser.parse_args()
    output = arguments.output.resolve()
    source = output / "source"
    for old in (source, output / "html", output / "doctrees"):
        shutil.rmtree(old, ignore_errors=True)
    (source / "_static").mkdir(parents=True)
    try:
        shown = gallery.build(arguments.program, source, output / "gallery", arguments.gallery)
    except gallery.GalleryError as error:
        sys.exit(f"site.py: {error}")
    stage(source, shown)
    code = sphinx(source, output, version_of(arguments.program))
    if code:
        sys.exit("site.py: the warnings above are errors")
    finish_theme(output / "html/_static")
    print(f"{len(list((output / 'html').rglob('*.html')))} pages: {output / 'html/index.html'}")


if __name__ == "__main__":
    main()
