#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Output of `torsor check`: gravity with its unit and errors by a power of ten; redundant constraints in one line or,
with --verbose, one by one with their nodes; energies that are not finite, refused with the name of the part."""

import re
import sys

from program import answer, model_file, torsor

BODY = """torsor: 1
units: UNITS
GRAVITY
bodies: {bob: {mass: 1 kg, inertia: [1, 1, 1]}}
"""

# units, gravity, what is printed, a power of ten that is warned of
GRAVITIES = [
    ("SI", "", "none", None),
    ("SI", "gravity: [0, 0, -9.81]", "9.81 m/s^2 along -z", None),
    ("SI", "gravity: [3, 0, 4]", "5 m/s^2 along [0.6, 0, 0.8]", None),
    ("{length: mm}", "gravity: [0, 0, -9810]", "9.81 m/s^2 (9810 mm/s^2) along -z", None),
    ("{length: mm}", "gravity: [0, -9.81 m/s^2, 0]", "9.81 m/s^2 (9810 mm/s^2) along -y", None),
    ("{length: mm}", "gravity: [0, 0, -9.81]", "0.00981 m/s^2 (9.81 mm/s^2) along -z", "divided by 1000"),
    ("{length: cm, time: ms}", "gravity: [9.8e-4, 0, 0]", "9.8 m/s^2 (0.00098 cm/ms^2) along x", None),
    ("SI", "gravity: [0, 0, -9806.65]", "9806.65 m/s^2 along -z", "times 1000"),
    ("SI", "gravity: [0, 0, -981]", "981 m/s^2 along -z", "times 100"),
    ("SI", "gravity: [0, 0, -0.98]", "0.98 m/s^2 along -z", "divided by 10"),
    ("SI", "gravity: [0, 0, -1.62]", "1.62 m/s^2 along -z", None),   # the Moon
    ("SI", "gravity: [0, 0, -0.5]", "0.5 m/s^2 along -z", None),     # an asteroid, or a centrifuge:
    ("SI", "gravity: [0, 0, -500]", "500 m/s^2 along -z", None),     # nothing of Earth's
]

PLATE = """torsor: 1
units: SI
materials: {steel: {E: 210 GPa, nu: 0.3, density: 7850}}
shell_sections: {s: {material: steel, thickness: 1 mm}}
meshes: {m: {type: plate, size: [1, 1], divisions: [3, 3]}}
shells: {skin: {mesh: m, section: s}}
joints:
"""
SUPPORTS = [f"  {name}: {{type: support, nodes: skin.{where}, fix: [x]}}\n"
            for name, where in (("a", "all"), ("b", "x-"), ("c", "x+"), ("d", "y-"), ("e", "y+"), ("f", "x-/y-"))]


def wrong_gravities():
    for units, gravity, words, power in GRAVITIES:
        with model_file(BODY.replace("UNITS", units).replace("GRAVITY", gravity)) as path:
            done = torsor("check", path)
        line = [text for text in done.stdout.splitlines() if text.startswith("  gravity")]
        if line != [f"  gravity     {words}"]:
            yield f"{units}, {gravity}: {line}"
        if ("WARNING: gravity" in done.stderr) != bool(power) or (power and power not in done.stderr):
            yield f"{units}, {gravity}: {done.stderr}"
    with model_file(BODY.replace("UNITS", "{length: mm}").replace("GRAVITY", "gravity: [0, 0, -9.81]")) as path:
        gravity = answer("check", path)["model"]["gravity"]
        if gravity[:2] != [0, 0] or abs(gravity[2] + 0.00981) > 1e-15:
            yield f"gravity in JSON: {gravity}"


def notes(text, *options):
    with model_file(text) as path:
        said = torsor("check", path, *options).stdout
    begin, end = said.index("  redundant"), said.index("  mass")
    return " ".join(said[begin:end].split())


def wrong_redundancies():
    """17 conditions of five supports repeat those of the first: sets have four, four, four, four and one points."""
    text = PLATE + "".join(SUPPORTS)
    brief, full = notes(text), notes(text, "--verbose")
    if "17 constraints, left out" not in brief or brief.count(" - ") != 1 or \
            "4 of joint 'b', 4 of joint 'c', 4 of joint 'd', 4 of joint 'e', 1 of joint 'f'" not in brief:
        yield f"brief: {brief}"
    # points are counted along x first: 1 5 9 13 are those of x-
    b = "joint 'b': displacement x of skin.1, displacement x of skin.5, displacement x of skin.9 and displacement x of skin.13 repeat"
    if full.count(" - ") != 5 or b not in full or "joint 'f': displacement x of skin.1 repeats what 'a' already fixes" not in full:
        yield f"full: {full}"
    few = notes(PLATE + "".join(SUPPORTS[:3]))
    if few.count(" - ") != 2:
        yield f"few are told one by one: {few}"
    with model_file(text) as path:
        if len(answer("check", path)["assembly"]["notes"]) != 5:
            yield "all notes are in JSON"


HUGE = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {bob: {mass: MASS, inertia: [MASS, MASS, MASS], position: [PLACE, 0, PLACE], velocity: [SPEED, 0, 0]}}
springs: {pull: {type: spring, bodies: [ground, bob], from: [0, 1, 0], to: [PLACE, 0, PLACE], stiffness: STIFFNESS, free_length: 2}}
analysis: {step: 1 ms, end: 2 ms}
"""

# mass, place, speed, stiffness, what overflows in products though each number is finite
OVERFLOWS = [("1", "1", "1", "1", None), ("1e300", "1", "1e100", "1", "kinetic energy of 'bob'"),
             ("1", "1e5", "1", "1e300", "elastic energy of 'pull'")]


def wrong_overflows():
    for mass, place, speed, stiffness, words in OVERFLOWS:
        text = HUGE.replace("MASS", mass).replace("PLACE", place).replace("SPEED", speed).replace("STIFFNESS", stiffness)
        with model_file(text) as path:
            for verb in (["check", path], ["run", path, "--no-results"]):
                done = torsor(*verb, code=(0, 2))
                if words and (done.returncode != 2 or words not in done.stderr or "no problems" in done.stdout):
                    yield f"{verb[0]}: {words}: {done.returncode} {done.stderr}"
                if not words and done.returncode:
                    yield f"{verb[0]}: {done.stderr}"


def wrong_analyses():
    """Statics has no scheme, whatever the default is."""
    for analysis, told in (("type: static", ("static", None, None)), ("step: 1 ms, end: 1 s", ("transient", "ED", 0)),
                           ("step: 1 ms, end: 1 s, scheme: {name: EP, rho_inf: 0.5}", ("transient", "EP", None))):
        text = HUGE.replace("MASS", "1").replace("PLACE", "1").replace("SPEED", "0").replace("STIFFNESS", "1")
        with model_file(re.sub("analysis: .*", f"analysis: {{{analysis}}}", text)) as path:
            model = answer("check", path)["model"]
            if tuple(model[key] for key in ("analysis", "scheme", "rho_inf")) != told:
                yield f"{analysis}: {model}"


def main():
    wrong = list(wrong_gravities()) + list(wrong_redundancies()) + list(wrong_overflows()) + list(wrong_analyses())
    print("\n".join(wrong) if wrong else f"{len(GRAVITIES)} gravities, redundancies: ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
