#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""units.py [--stdout]: writes docs/units.md, all units of model files, from the table in src/base/units.c."""
import argparse
import math
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/units.md"
KINDS = {"LENGTH": ("Length", "m"), "MASS": ("Mass", "kg"), "TIME": ("Time", "s"), "ANGLE": ("Angle", "rad"), "RATE": ("Frequency", "1/s"),
         "{0, 0, -1, 1}": ("Angular velocity", "rad/s"), "FORCE": ("Force", "N"), "STRESS": ("Stress, pressure", "Pa"),
         "ENERGY": ("Energy, moment", "J = N m"), "POWER": ("Power", "W")}
HEAD = """<!-- Written by tools/units.py from src/base/units.c. -->
# Units

A unit follows its number: `5 mm`, `9.81 m/s^2`, `1.2e6 N*m/rad`. Join units by `*` and `/`, and give powers by `^`. Case counts: `mN` is a
millinewton, `MN` a meganewton. [The model file](model-file.md#numbers) explains numbers with and without units.

"""
TAIL = """## Radians

One rule: **radians count as 1, but an angle by itself is not a plain number.**

* `omega*r` is a speed, `v/r` an angular velocity, `sqrt(k/m)` an angular frequency, `stiffness*angle` a moment. All of them may be added to others of their kind:
  `v/r + 2 rad/s`.
* `5 deg` is not 5: `5 deg + 1` and `5 deg + x/L` are refused. Multiply by `1 rad` to make a ratio of lengths an angle: `5 deg + x/L * 1 rad`. Divide by `1 rad` to make
  an angle a plain number.
* `sin`, `cos` and `tan` take angles and plain numbers (radians).
* `5 Hz` counts cycles. It is refused where an angular velocity is wanted, and is not added to one: write `5 rev/s`, `300 rpm` or `2*pi*5 Hz`. A parameter `f: 5 Hz`
  is a number of 1/s from there on: write `2*pi*f`.

## Not supported

* Electrical units: states and currents are plain numbers in SI ([states](model-file.md#states)).
* Temperatures (`degC`, `K`): torsor has no thermal model. Give material values at the temperature that you need.
"""


def table():
    """Name, factor, kind, in the order of the source."""
    text = (ROOT / "src/base/units.c").read_text(encoding="utf-8")
    begin = text.index("units[] = {")
    body = text[begin:text.index("\n};", begin)]
    for name, factor, kind in re.findall(r'\{"([^"]+)", \{(.+?), (\{0, 0, -1, 1\}|[A-Z]+)\}\}', body):
        if "\\x" in name:
            continue  # two codings of the micro sign
        value = eval(factor, {"PI": math.pi, "LBF": 0.45359237*9.80665})  # pylint: disable=eval-used
        yield name, float(value), kind


def page():
    units, text = list(table()), HEAD
    for kind, (title, si) in KINDS.items():
        rows = [f"| `{name}` | {value:.10g} |" for name, value, its in units if its == kind]
        text += f"## {title}\n\n| unit | in {si} |\n|---|---|\n" + "\n".join(rows) + "\n\n"
    return text.replace("| `um` |", "| `um`, `µm` |").replace("| `us` |", "| `us`, `µs` |") + TAIL


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stdout", action="store_true", help="print the page instead of writing it")
    text = page()
    if parser.parse_args().stdout:
        print(text, end="")
    else:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
