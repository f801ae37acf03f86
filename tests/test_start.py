#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""docs/start.md, step by step: the model is saved, every command is run in the order of the page, and results and
output agree with the page. The commands of the README's first section too.

Environment: TORSOR, TORSOR_BUILD_DIR, TORSOR_SOURCE_DIR.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TORSOR = os.environ.get("TORSOR", "build/torsor")
ROOT = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", pathlib.Path(__file__).parent.parent)).resolve()
BUILD = os.environ.get("TORSOR_BUILD_DIR", str(ROOT / "build"))
QUICK = bool(os.environ.get("TORSOR_QUICK"))
MADE_HERE = ("make",)  # the build that runs this test is what they make; demo is run below by its parts


def blocks(page):
    """(language, text) of every fenced block."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def indented(page):
    """Commands in indented lines."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [line.strip() for line in text.splitlines() if line.startswith("    build/torsor ")]


def without_times(text):
    """Numbers with blanks as one blank, so that columns may move."""
    return re.sub(r"\s+", " ", text)


@unittest.skipIf(QUICK, "documentation is no business of sanitizers")
class FollowedByTheLetter(unittest.TestCase):
    """A folder that looks like the source tree to the one who types."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        (self.path / "build").mkdir()
        (self.path / "build/torsor").symlink_to(pathlib.Path(TORSOR).resolve())
        for name in ("examples", "python"):
            (self.path / name).symlink_to(ROOT / name)

    def run_command(self, line):
        done = subprocess.run(["bash", "-c", line], cwd=self.path, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def follow(self, commands):
        said = ""
        for line in commands:
            if line.split()[0] in MADE_HERE:
                target = line.split()[1]
                self.assertRegex((ROOT / "Makefile").read_text(encoding="utf-8"), rf"(?m)^{target}:", f"make has no {target}")
            else:
                said += self.run_command(line)
        return said

    def save_model(self, page):
        models = [text for language, text in blocks(page) if language == "yaml"]
        self.assertEqual(len(models), 1, f"{page} has one model")
        (self.path / "pendulum.yaml").write_text(models[0], encoding="utf-8")

    def check_shown(self, page, said):
        audit = [text for language, text in blocks(page) if not language and "energy audit" in text]
        self.assertEqual(len(audit), 1)
        printed = without_times(said)
        for line in audit[0].splitlines():  # the last figures of errors are round-off, and may differ
            exact = "error" not in line and "worst" not in line and "scheme" not in line and "audit" not in line
            self.assertIn(without_times(line) if exact else re.split(r"[-\d]", without_times(line))[0], printed)

    def test_start(self):
        self.save_model("docs/start.md")
        lines = [line for language, text in blocks("docs/start.md") if language == "sh" for line in text.splitlines()]
        self.assertGreaterEqual(len(lines), 8)
        if not os.environ.get("TORSOR_LIBRARY", "") or not pathlib.Path(os.environ["TORSOR_LIBRARY"]).exists():
            lines = [line for line in lines if "PYTHONPATH" not in line]
        said = self.follow(lines)
        for promised in ("pendulum.h5", "pendulum.html", "pendulum.csv", "EP.h5", "coarse.h5", "compared.html"):
            self.assertTrue((self.path / promised).exists(), promised)
        self.assertIn("1 degree of freedom", said)
        self.assertIn("pendulum.yaml: no problems", said)
        self.check_shown("docs/start.md", said)

    def test_the_mistake_that_is_shown(self):
        self.save_model("docs/start.md")
        shown = [text for _, text in blocks("docs/start.md") if "error:" in text][0]
        model = (self.path / "pendulum.yaml").read_text(encoding="utf-8")
        (self.path / "pendulum.yaml").write_text(model.replace("revolute", "revolut"), encoding="utf-8")
        done = subprocess.run([TORSOR, "check", "pendulum.yaml"], cwd=self.path, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn(shown, done.stderr)

    def test_readme(self):
        self.save_model("README.md")
        said = self.follow(indented("README.md"))
        self.assertTrue((self.path / "pendulum.html").exists())
        self.check_shown("README.md", said)

    @unittest.skipUnless(os.environ.get("TORSOR_LIBRARY") and pathlib.Path(os.environ["TORSOR_LIBRARY"]).exists(), "no shared library")
    def test_python_of_the_readme(self):
        self.save_model("README.md")
        (self.path / "first.py").write_text([text for language, text in blocks("README.md") if language == "python"][0], encoding="utf-8")
        self.run_command("MPLBACKEND=Agg PYTHONPATH=python /usr/bin/python3 first.py")
        self.assertGreater((self.path / "angle.svg").stat().st_size, 1000)

    def test_readme_and_start_show_the_same_model(self):
        models = [[text for language, text in blocks(page) if language == "yaml"] for page in ("README.md", "docs/start.md")]
        self.assertEqual(*models)

    def test_demo(self):
        """The commands of `make demo` behind the compiler."""
        recipe = re.search(r"(?m)^demo:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"))[1]
        self.assertIn("torsor run $(CURDIR)/examples/spinning_top.yaml --csv spinning_top.csv $(REPORT)", recipe)
        self.run_command("build/torsor run examples/spinning_top.yaml --csv spinning_top.csv --report -q")
        self.run_command(f"/usr/bin/python3 {ROOT}/tools/plot_demo.py spinning_top.h5 spinning_top.svg")
        for promised in ("spinning_top.csv", "spinning_top.html", "spinning_top.svg"):
            self.assertGreater((self.path / promised).stat().st_size, 1000, promised)


if __name__ == "__main__":
    if not (ROOT / "report/node_modules/esbuild/package.json").exists():
        print("built without `torsor report`, for want of npm: the pages cannot be followed to the letter")
        sys.exit(77)
    if QUICK:
        sys.exit(77)
    unittest.main()
