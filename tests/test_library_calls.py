# SPDX-License-Identifier: Apache-2.0
"""Functions that the sources of the library may not call: the end of the process, allocation and clocks outside of
src/base, `free` without the header that removes the block from its pool, LAPACK outside of math/dense.c."""
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", pathlib.Path(__file__).parent.parent)) / "src"


def bare(text):
    """Code without comments and texts."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def files(*, without=()):
    for path in sorted(SOURCE.rglob("*.[ch]")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(tuple(without)):
            yield name, path.read_text()


def calls(words, without=()):
    pattern = re.compile(r"(?<![\w.>])(" + "|".join(words) + r")\s*\(")
    return [f"{name}: {found}" for name, text in files(without=without) for found in pattern.findall(bare(text))]


# the threads of the viewer have no trap for the end of memory: they look for NULL themselves
THREADS = ["server/"]


class Calls(unittest.TestCase):
    def test_the_library_never_ends_the_process(self):
        self.assertEqual(calls(["exit", "_Exit", "_exit", "quick_exit", "abort", "raise", "kill"], ["cli/", "programs/"]), [])

    def test_the_library_never_forks(self):
        """Its caller may have threads, after which a child may do next to nothing (POSIX, fork)."""
        self.assertEqual(calls(["fork", "vfork", "_Fork", "system", "popen", "posix_spawn"], ["cli/"]), [])

    def test_memory_is_taken_in_base_only(self):
        words = ["malloc", "calloc", "realloc", "strdup", "strndup", "asprintf", "aligned_alloc", "open_memstream"]
        self.assertEqual(calls(words, ["base/", *THREADS]), [])

    def test_what_is_freed_goes_back_to_its_pool(self):
        """`free` is a macro of base/memory.h, which base/error.h includes."""
        lost = [name for name, text in files(without=["base/", *THREADS])
                if re.search(r"(?<![\w.>])free\(", bare(text)) and not re.search(r'"base/(error|memory)\.h"', text)]
        self.assertEqual(lost, [])

    def test_clocks_are_read_in_one_place(self):
        self.assertEqual(calls(["clock_gettime", "gettimeofday", "time", "clock"], ["base/clock.c"]), [])

    def test_lapack_is_called_in_one_place(self):
        found = [name for name, text in files(without=["math/dense.c", "base/blas.c"]) if re.search(r"\bLAPACKE?_|\b[dz](ge|po|sy|or|un|he)[a-z0-9]+_\(", bare(text))]
        self.assertEqual(found, [])

    def test_every_public_function_is_called_by_a_test(self):
        header = bare((SOURCE.parent / "include/torsor/torsor.h").read_text())
        public = set(re.findall(r"\b(torsor_\w+)\s*\(", header))
        tests = "".join(bare(path.read_text()) for path in (SOURCE.parent / "tests").glob("*.c"))
        self.assertGreater(len(public), 130)
        self.assertEqual(sorted(public - set(re.findall(r"\btorsor_\w+", tests))), [])

    def test_the_search_finds_calls(self):
        """The patterns above on code that has them."""
        self.assertEqual(bare('/* exit(1) */ x = "abort()"; // exit(2)\n').split(), ["x", "=", '"";'])
        self.assertTrue(re.search(r"(?<![\w.>])(exit)\s*\(", bare("if (x) exit(1);")))


if __name__ == "__main__":
    unittest.main()
