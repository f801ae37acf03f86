#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How bench/compare reads callgrind's profiles and judges counts: on crafted profiles; the counts themselves are the test `instructions`."""
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(os.environ.get("TORSOR_SOURCE_DIR", pathlib.Path(__file__).parent.parent))
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("compare", str(ROOT/"bench/compare"))
compare = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", loader))
loader.exec_module(compare)

# 10 + 5 in the program, whose call (1000, inclusive) is not its own; 7 + 1 in a library first named by the call
PROFILE = """version: 1
creator: callgrind-3.19.0
positions: line
events: Ir
summary: 23

ob=(1) /a/torsor
fl=(1) /a/step.c
fn=(1) ts_stepper_step
12 10
cob=(2) /usr/lib/libklu.so.1
cfn=(2) klu_solve
calls=3 40
+2 1000
* 5

ob=(2)
fn=(2)
40 7
+1 1
"""


def row(torsor, libraries):
    return {"name": "x", "torsor": torsor, "libraries": libraries, "first": 0, "ms": 0}


class Compare(unittest.TestCase):
    def test_instructions_go_to_the_object_that_has_them(self):
        self.assertEqual(compare.by_object(PROFILE), {"/a/torsor": 15, "/usr/lib/libklu.so.1": 8})

    def test_what_depends_on_the_processor_is_not_counted(self):
        for name in ("/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2", "/usr/lib/x86_64-linux-gnu/openblas-serial/libblas.so.3",
                     "/usr/lib/x86_64-linux-gnu/libopenblas.so.0", "/lib/x86_64-linux-gnu/libm.so.6", "/usr/lib/libgomp.so.1", "/usr/lib/x86_64-linux-gnu/libhdf5_serial.so.103", "???"):
            self.assertTrue(compare.NOT_COUNTED.search(name), name)
        for name in ("/a/torsor", "/usr/lib/libklu.so.1", "/usr/lib/libdmumps_seq-5.5.so", "/usr/lib/libmetis.so.5", "/usr/lib/libcholmod.so.3"):
            self.assertFalse(compare.NOT_COUNTED.search(name), name)

    def test_judgement(self):
        """Torsor alone and both together are held to 3 %: libraries that became cheaper hide nothing."""
        self.assertEqual(compare.judge(row(1029, 1000), row(1000, 1000))[1], "")
        self.assertEqual(compare.judge(row(1031, 900), row(1000, 1000))[1], "SLOWER")
        self.assertEqual(compare.judge(row(1000, 1070), row(1000, 1000))[1], "SLOWER")
        self.assertEqual(compare.judge(row(960, 1000), row(1000, 1000))[1], "faster: record it")

    def test_a_slower_benchmark_is_named(self):
        self.assertEqual(compare.tell({"a": "", "b": "faster: record it"}), 0)
        self.assertEqual(compare.tell({"a": "", "b": "SLOWER"}), 1)

    def test_every_benchmark_is_recorded(self):
        about, recorded = compare.read_table()
        self.assertEqual(list(recorded), list(compare.CASES))
        self.assertIn("callgrind", about["quantity"])
        self.assertTrue(about["commit"] and about["compiler"])


if __name__ == "__main__":
    unittest.main()
