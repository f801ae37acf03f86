#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tables in files, as loggers and spreadsheets write them: tabs, semicolons and decimal commas, quotes, marks of byte order, three kinds of line ends, 100000 rows, units in headings. Each is read right, or refused with file, line and column."""

import sys

from case_tools import Run, check, need_program, told, verdict
from program import events, model_file, torsor

BLOCK = ("torsor: 1\nunits: UNITS\nbodies: {block: {mass: 2 kg, inertia: [1, 1, 1]}}\n"
         "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0, 0], axis: x}}\n")
PUSHED = BLOCK.replace("UNITS", "{length: mm, mass: kg, time: ms}") + (
    "signals: {push: {file: table.csv EXTRA}}\nloads: {m: {type: motor, joint: rail, force: push}}\nanalysis: {scheme: EP, step: 10 ms, end: 1 s}\n")
ASKED = BLOCK.replace("UNITS", "SI") + (
    "signals: {curve: {file: table.csv}}\nstates: {v: {type: sampled, value: curve(0.5 s), period: 0.1 s}}\nanalysis: {scheme: EP, step: 0.1, end: 0.1}\n")

# what the table is at 0.5, or words of the error
FILES = {
    "x\ty\n0\t1\n1\t2\n": 1.5, "x;y\n0,0;1,5\n1,0;2,5\n": 2, "\ufeffx,y\n0,1\n1,2\n": 1.5, "\ufeff0,1\n1,2\n": 1.5, "x,y\r\n0.25,1\r\n0.75,2\r\n": 1.5, "x,y\r0.25,1\r0.75,2\r": 1.5,
    '"x","y"\n"0","1,5"\n"1","2,5"\n': 2, '"x [s]";"y [N]"\n"0,25";"1"\n"0,75";"2"\n': 1.5, "x,y,\n0,1,\n1,2,\n": 1.5, "x, y\n0, 1\n1, 2\n": 1.5, "# by a logger, 2,5\n# t,F\n0,1\n1,2\n": 1.5,
    "x,y\n+0,+1\n+1,2.\n1.5,.5\n": 1.5, "x\ty\n0,25\t1,25\n0,75\t2\n": 1.625, "x,y\n" + "".join(f"{k*1e-5:.6f},{2*k}\n" for k in range(100001)): 100000, "time [s]  force [N]\n0  1\n1  2\n": 1.5,
    "x;y\n0;1.000,5\n1;2.000,5\n": ":2:3: error", 'x,y\n0,"1,000.5"\n1,"2,000.5"\n': ":2:4: error", "x;y\n0;1 000\n1;2 000\n": ":2:", "x;y\n0;1'000\n1;2'000\n": ":2:", "x,y\n0,\n1,2\n": ":2:3: error",
    "x,y\n0,nan\n1,2\n": ":2:", "x,y\n0,inf\n1,2\n": ":2:", "x,y\n0,0x10\n1,2\n": ":2:", "0,0,5\n1,1,5\n": ":1:1: error", "x,y\n1,1\n0,2\n": "must increase", "x,y\n0,1\n0,2\n": "must increase",
    "x,y\n0,1\noverload,2\n2,3\n": ":3:1: error", "x,y\n0,1\n1\n2,3\n": ":3:", "x,y\n0,1\n": "at least two rows", "": "at least two rows", "x|y\n0|1\n1|2\n": ":2:", "x,y\n0,1%\n1,2%\n": ":2:",
    "x,y\n0,\u22121\n1,2\n": ":2:3: error", "x,y\n00:00:01,1\n00:00:02,2\n": ":2:", "x,y\n2024-01-01,1\n2024-01-02,2\n": ":2:", "x;y\n0;0,5\n1;1.5\n": ":3:3: error", "x,y\n0,1\x00\n1,2\n": ":2:",
    "f\n0,5\n1,5\n2,5\n": ":2:1: error", "t;f\n0,5\n1,5\n": ":2:1: error", "logger\n0,1\n1,2.0\n": 1.5, "logger\n0,-1\n1,-2\n": -1.5, "logger\n0, 1\n1, 2\n": 1.5, "logger\nt,f\n0,1\n1,2\n": 1.5,
    "t [raw],F\n0,4\n2,4\n": ":1:3: error: 'raw' is not a unit"}

# a push of 4 kN, or words of the error
HEADINGS = {"t [s],F [kN]\n0,4\n2,4\n": None, "t (s);F (N)\n0;4000\n2;4000,0\n": None, "t [ms]\tF [N]\n0\t4000\n2000\t4000\n": None, '"t [s]","push, left [kN]"\n0,4.0\n2,4.0\n': None,
            "t (of the logger),F [kN]\n0,4\n2000,4\n": None, "logger 7\nt [s],F [kN]\n# begun\n0,4\n2,4\n": None, "t [s]  F [kN]\n0  4\n2  4\n": None, "logger A [raw]\n0 4 7\n2000 4 8\n": None, "t [s],F [mm]\n0,4\n2,4\n": "force",
            # separators behind the last column, lines of units and of words, ISO 80000, comments of numpy
            "t [s];F [kN]\n0;4;\n2;4;\n": None, "t [s];F [kN];\n0;4\n2;4\n": None, "t;F\ns;kN\n0;4\n2;4\n": None, "t F\ns kN\n0 4\n2 4\n": None, "t,F\n[s],[kN]\n0,4\n2,4\n": None, "t [s];F [kN]\nlogger;left\n0;4\n2;4\n": None,
            "t/s;F/kN\n0;4\n2;4\n": None, "t in s;F in kN\n0;4\n2;4\n": None, "# t [s],F [kN]\n0,4\n2,4\n": None, "t [s],F/A [kN]\n0,4\n2,4\n": None, "t [-],F [kN]\n0,4\n2000,4\n": None, "x/y;left/right\n0;4\n2000;4\n": None,
            # what may be a unit
            "t_ms;F_kN\n0;4\n2;4\n": ":1:3: error: 'ms' may be the unit", "t, F kN\n0,4\n2,4\n": ":1:6: error: 'kN' may be the unit", "ms;kN\n0;4\n2;4\n": ":1:1: error: 'ms' may be the unit",
            "t;km/h\n0;4\n2;4\n": ":1:3: error: 'km/h' may be the unit", "all of this in one [kN]\n0;4\n2;4\n": ":1:20: error: 'kN' may be the unit"}


def run_with(text, content):
    """The run of a model beside this table, or what is said of it."""
    with model_file(text) as path:
        path.with_name("table.csv").write_bytes(content.encode())
        if torsor("check", path, code=(0, 2)).returncode:
            return torsor("check", path, code=2).stderr
        return Run(path.with_suffix(".h5"), told(events("run", path, "-o", path.with_suffix(".h5"), "--tolerance", "1e-15")))


def refused(case, content, out, words):
    check(case, repr(content[:40]), 0 if isinstance(out, str) and words in out else 1, 0, str(out), quiet=True)


def files():
    for content, wanted in FILES.items():
        out = run_with(ASKED, content)
        if isinstance(wanted, str):
            refused("files", content, out, wanted)
            check("files", "the file is named", 0 if "table.csv:" in str(out) else 1, 0, str(out), quiet=True)
        else:
            check("files", repr(content[:40]), 1 if isinstance(out, str) else out.coordinate("v", "value")[-1]/wanted - 1, 1e-12, out if isinstance(out, str) else "", quiet=True)


def headings():
    """Units in headings count where the model says none, whatever the model's own units are; `units` in the model win."""
    for content, words in HEADINGS.items():
        out = run_with(PUSHED.replace("EXTRA", ""), content)
        if words:
            refused("headings", content, out, words)
        else:
            check("headings", repr(content[:40]), out.velocity("block")[-1, 0]/2000 - 1, 1e-12, quiet=True)
    out = run_with(PUSHED.replace("EXTRA", ", units: [s, N]"), "t [h],F [raw]\n0,4\n2,4\n")
    check("headings", "units of the model win", out.velocity("block")[-1, 0]/2 - 1, 1e-12)


def early():
    """A damper's curve without units is not read as a function of time."""
    words = "this table begins before t = 0, and its first column has no unit"
    curve = "-1,900\n0,0\n1,-400\n"
    for use in ("push", "2*push"):
        text = PUSHED.replace("EXTRA", "").replace("force: push", f"force: {use}")
        refused("early", curve, run_with(text, curve), words)
        refused("early", curve, run_with(text.replace("{file: table.csv }", "{table: [[-1, 900], [0, 0], [1, -400]]}"), ""), words)
        for good in ("units: [s, N]}", "period: 3 s}"):
            out = run_with(text.replace("table.csv }", "table.csv, " + good), curve.replace("-400", "900"))
            check("early", f"{use}, {good}", 1 if isinstance(out, str) else 0, 0, out if isinstance(out, str) else "", quiet=True)
    out = run_with(ASKED.replace("curve(0.5 s)", "curve(0.5)"), curve)
    check("early", "called", out.coordinate("v", "value")[-1]/-200 - 1, 1e-12)


if __name__ == "__main__":
    need_program()
    files(), headings(), early()
    sys.exit(verdict())
