#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation site, built with three of the examples: Sphinx warns of nothing, every link within it leads somewhere, all pages of
docs/ are in it, what each example's page shows is what the program said, and a real Chromium sees it without a network, in light and
dark, wide and narrow, and finds what it searches. A damaged page fails (otherwise all this would prove nothing).

Environment: TORSOR, the program; TORSOR_SOURCE_DIR, the source tree.
"""
import html.parser
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", pathlib.Path(__file__).parent.parent)).resolve()
TORSOR = os.environ.get("TORSOR", str(ROOT / "build/torsor"))
SHOWN = ["spinning_top", "papers/swing_2", "cases/g01_uniform_beam"]
MISSING = [name for name, there in {
    "python3-sphinx": importlib.util.find_spec("sphinx"), "python3-myst-parser": importlib.util.find_spec("myst_parser"),
    "furo": importlib.util.find_spec("furo"), "python3-sphinx-copybutton": importlib.util.find_spec("sphinx_copybutton"),
    "node": shutil.which("node"), "report/node_modules": (ROOT / "report/node_modules/playwright-core").is_dir()}.items() if not there]


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.targets, self.anchors = [], set()

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == "id" or (key == "name" and tag == "a"):
                self.anchors.add(value)
            if key in ("href", "src") and value and tag != "base":
                self.targets.append(value)


def links_of(path):
    parser = Links()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser


def dead_links(folder):
    """Links of all pages to files and anchors that are not there."""
    pages = {path: links_of(path) for path in sorted(folder.rglob("*.html"))}
    dead = []
    for path, links in pages.items():
        for target in links.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not file.is_file():
                dead.append(f"{path.relative_to(folder)}: {target}")
            elif parts.fragment and file in pages and urllib.parse.unquote(parts.fragment) not in pages[file].anchors:
                dead.append(f"{path.relative_to(folder)}: {target}: no such anchor")
    return dead


def outside(folder):
    """Scripts, styles and pictures from elsewhere."""
    found = []
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for word in ('src="http', 'src="//', 'rel="stylesheet" href="http', "@import"):
            if word in text:
                found.append(f"{path.name}: {word}")
    found += [str(path) for path in folder.rglob("*.css") if "@import" in path.read_text(encoding="utf-8")]
    return found


@unittest.skipIf(MISSING, f"missing: {', '.join(MISSING)}")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        done = subprocess.run([sys.executable, ROOT / "tools/site.py", "--program", TORSOR, "--output", cls.path, "--gallery", *SHOWN],
                              capture_output=True, text=True, timeout=250)
        cls.said = done.stdout + done.stderr
        if done.returncode:
            raise AssertionError(cls.said)
        cls.html = cls.path / "html"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_links_lead_somewhere(self):
        self.assertEqual(dead_links(self.html), [])

    def test_a_dead_link_is_found(self):
        page = self.html / "dead.html"
        page.write_text('<a href="nowhere.html">a</a> <a href="index.html#no-such-place">b</a>', encoding="utf-8")
        self.addCleanup(page.unlink)
        self.assertEqual(len(dead_links(self.html)), 2)

    def test_nothing_from_elsewhere(self):
        self.assertEqual(outside(self.html), [])

    def test_every_page_is_there(self):
        for path in (ROOT / "docs").rglob("*.md"):
            name = path.relative_to(ROOT / "docs").with_suffix(".html")
            if name.parts[0] != "site" and name.name != "README.html":
                self.assertTrue((self.html / name).is_file(), name)
                self.assertIn(f'href="{name}"', (self.html / "index.html").read_text(encoding="utf-8"), f"{name} is not in the contents")

    def test_pages_of_examples(self):
        page = (self.html / "gallery/papers/swing_2.html").read_text(encoding="utf-8")
        self.assertIn("energy audit: closed to", page)
        self.assertIn("torsor run examples/papers/swing_2.yaml --report", page)
        self.assertIn("torsor modes examples/cases/g01_uniform_beam.yaml", (self.html / "gallery/cases/g01_uniform_beam.html").read_text(encoding="utf-8"))
        for name in SHOWN:
            for scheme in ("light", "dark"):
                picture = self.html / f"_static/gallery/{name.replace('/', '-')}.{scheme}.webp"
                self.assertGreater(picture.stat().st_size, 2000)
                self.assertLess(picture.stat().st_size, 60000)

    def test_a_link_to_nowhere_stops_the_build(self):
        """Sphinx alone, on the pages as they were staged, one of them damaged."""
        source = self.path / "source"
        page = source / "start.md"
        whole = page.read_text(encoding="utf-8")
        self.addCleanup(page.write_text, whole, encoding="utf-8")
        page.write_text(whole + "\n[lost](guide.md#no-such-heading)\n", encoding="utf-8")
        done = subprocess.run([sys.executable, "-m", "sphinx", "-b", "dummy", "-W", "-q", "-d", self.path / "doctrees", source, self.path / "dummy"],
                              capture_output=True, text=True, timeout=200)
        self.assertNotEqual(done.returncode, 0)

    def test_in_a_browser(self):
        pictures = os.environ.get("SITE_PICTURES", "")
        done = subprocess.run(["node", ROOT / "report/test/site.mjs", self.html, pictures], capture_output=True, text=True, timeout=200)
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads(done.stdout)
        self.assertEqual(seen["errors"], [])
        self.assertEqual(seen["requests"], [], "it asks for something elsewhere")
        self.assertEqual(seen["overflow"], [])
        self.assertEqual(seen["pictures"], len(SHOWN), "one picture of each example is visible")
        self.assertTrue(any("Spinning top" in title for title in seen["found"]), seen["found"])
        self.assertTrue(seen["toggled"])
        light, dark = (max(map(int, seen["background"][scheme][4:-1].split(","))) for scheme in ("light", "dark"))
        self.assertGreater(light, 240)
        self.assertLess(dark, 60)


if __name__ == "__main__":
    if MISSING or os.environ.get("TORSOR_QUICK"):
        print(f"nothing tested: {', '.join(MISSING) or 'documentation is no business of sanitizers'}")
        sys.exit(77)
    unittest.main()
