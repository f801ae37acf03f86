#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""torsor run --resolve: error bars against true errors, refined meshes keep every name in its place, nothing is left behind.

Environment: as of tests/program.py; TORSOR_LIBRARY for the Python module.
"""
import json
import math
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

from program import PROGRAM, ROOT, torsor

PENDULUM = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {rod: {mass: 1, inertia: [1e-3, 1/12, 1/12], position: [0.5, 0, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}}
analysis: {scheme: EP, step: 20 ms, end: 2 s}
outputs: {interval: 40 ms, csv: [hinge.angle]}
"""

BEAM = """torsor: 1
units: SI
sections: {S: {EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 1e3, EI2: 1e3, EI3: 1e3, mass: 1, inertia: [1e-2, 5e-3, 5e-3]}}
beams: {arm: {from: [0, 0, 0], to: [10, 0, 0], section: S, elements: %(elements)d, order: %(order)d}}
joints: {clamp: {type: rigid, bodies: [ground, arm.start], at: [0, 0, 0]}}
loads: {push: {type: force, body: arm.%(node)s, force: [0, 0, "20*(1 - exp(-t))"]}}
masses: {lump: {body: arm.%(node)s, mass: 2}}
analysis: {scheme: ED, step: 20 ms, end: 2 s}
outputs: {interval: 100 ms, stations: {arm: [0.1, 0.7]}}
"""

CABLE = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
cables: {rope: {from: [0, 0, 0], to: [4, 0, 0], length: 5, EA: 1e4, mass: 1, elements: %(elements)d, order: %(order)d}}
joints:
  a: {type: spherical, bodies: [ground, rope.start], at: [0, 0, 0]}
  b: {type: spherical, bodies: [ground, rope.end], at: [4, 0, 0]}
loads: {push: {type: force, body: rope.%(node)s, force: [0, 10, 0]}}
analysis: {scheme: ED, step: 10 ms, end: 0.5 s}
outputs: {interval: 50 ms}
"""

PLATE = """torsor: 1
units: SI
materials: {steel: {E: 2e9, nu: 0.3, density: 1000}}
shell_sections: {T: {material: steel, thickness: 0.01}}
meshes: {M: {type: plate, size: [1, 0.5], divisions: [%(nx)d, %(ny)d]}}
shells: {skin: {mesh: M, section: T}}
joints: {clamp: {type: support, nodes: skin.x-}}
loads: {push: {type: force, body: skin.%(node)s, force: [0, 0, "5*sin(3*t)"]}}
analysis: {scheme: ED, step: 20 ms, end: 0.2 s}
"""

SOLID = """torsor: 1
units: SI
materials: {rubber: {E: 1e6, nu: 0.3, density: 1000}}
shell_sections: {T: {material: rubber, thickness: 0.01}}
meshes:
%s
%s
analysis: {scheme: EP, step: 1 ms, end: 2 ms}
"""


def write(folder, text, name="model.yaml"):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return path


def events(done):
    return {line["event"]: line for line in map(json.loads, done.stdout.splitlines())}


def resolve(folder, text, *options):
    path = write(folder, text)
    told = events(torsor("run", path, "--resolve", "--json", "-o", path + ".h5", *options))["resolve"]
    return {channel["name"]: channel for channel in told["channels"]}, told


def table(folder, text, *columns, options=()):
    path = write(folder, text, "other.yaml")
    torsor("run", path, "-q", "-o", path + ".h5", *options)
    rows = torsor("info", path + ".h5", "--csv", *columns).stdout.split("\n")[1:-1]
    return [[float(word) for word in row.split(",")[1:]] for row in rows]


def largest(a, b, column=0):
    assert len(a) == len(b), (len(a), len(b))
    return max(abs(x[column] - y[column]) for x, y in zip(a, b))


def near(value, wanted, relative, what=""):
    assert abs(value - wanted) <= relative * abs(wanted), (what, value, wanted)


# ---- error bars and errors ----

def check_step(folder):
    """A pendulum from the horizontal: the bar is the error, and falls with the square of the step."""
    truth = table(folder, PENDULUM, "hinge.angle", options=("--step", "0.1 ms"))
    bars = []
    for step in ("20 ms", "10 ms", "5 ms"):
        channels, told = resolve(folder, PENDULUM, "--step", step)
        run = table(folder, PENDULUM, "hinge.angle", options=("--step", step))
        near(channels["hinge.angle"]["step"], largest(run, truth), 0.05, step)
        assert channels["hinge.angle"]["end"] == run[-1][0]
        assert told["step"]["status"] == "completed" and told["step"]["order"] == 2
        assert told["mesh"]["status"] == "none" and "nothing" in told["mesh"]["message"]
        bars.append(channels["hinge.angle"]["step"])
    for coarse, fine in zip(bars, bars[1:]):
        near(math.log2(coarse / fine), 2, 0.05)
    # the period itself, by the arithmetic-geometric mean, from the angle at its end
    a, g = 1.0, math.cos(math.pi / 4)
    for _ in range(8):
        a, g = (a + g) / 2, math.sqrt(a * g)
    period = 2 * math.pi * math.sqrt(2 / 3 / 9.81) / a
    assert abs(truth[-1][0] - truth[round(2 / 0.04) - round(period / 0.04)][0]) < 0.2
    # a scheme for study: the worst order is assumed
    _, told = resolve(folder, PENDULUM, "--scheme", "newmark:gamma=0.6")
    assert told["step"]["order"] == 1 and told["step"]["factor"] == 2


def elastica(alpha):
    """Tip of a cantilever of length 1 under a dead load across it, P L^2/EI = alpha: theta'' = -alpha cos(theta)."""
    def shoot(slope, n=2000):
        y, h = [0.0, slope, 0.0, 0.0], 1 / n

        def rate(y):
            return [y[1], -alpha * math.cos(y[0]), math.cos(y[0]), math.sin(y[0])]
        for _ in range(n):
            k1 = rate(y)
            k2 = rate([a + h / 2 * b for a, b in zip(y, k1)])
            k3 = rate([a + h / 2 * b for a, b in zip(y, k2)])
            k4 = rate([a + h * b for a, b in zip(y, k3)])
            y = [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, k1, k2, k3, k4)]
        return y
    low, high = 0.0, 4.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if shoot(middle)[1] < 0 else (low, middle)
    return shoot((low + high) / 2)


def check_elastica(folder):
    """The bar of the mesh is the distance from the elastica: coarse beams of all orders."""
    _, _, x, z = elastica(3.0)
    text = BEAM.replace("EA: 1e6, GA2: 1e6, GA3: 1e6", "EA: 1e9, GA2: 1e9, GA3: 1e9").replace(
        "20*(1 - exp(-t))", "30*t").replace("scheme: ED, step: 20 ms, end: 2 s", "type: static, increments: 10").replace(
        "interval: 100 ms, ", "")
    for order, elements in ((1, 8), (1, 16), (2, 4)):
        channels, told = resolve(folder, text % dict(elements=elements, order=order, node="end"))
        assert told["mesh"]["order"] == 2 * order
        near(told["mesh"]["factor"], 4**order / (4**order - 1), 1e-12)
        for axis, wanted in (("x", 10 * x), ("z", 10 * z)):
            tip = channels[f"arm.end.position.{axis}"]
            near(tip["mesh"], abs(tip["end"] - wanted), 0.25, (order, elements, axis))
            assert tip["step"] < 1e-6 * tip["range"]  # equilibria do not depend on the increments
    channels, _ = resolve(folder, text % dict(elements=4, order=3, node="end"))
    assert channels["arm.end.position.z"]["mesh"] < 1e-3 and channels["arm.end.position.z"]["verdict"] == "resolved"
    assert abs(channels["arm.end.position.z"]["end"] - 10 * z) < 2e-3


def check_digits(folder):
    """What can be trusted, and what not: a chaotic motion."""
    channels, _ = resolve(folder, PENDULUM)
    c = channels["hinge.angle"]
    assert c["verdict"] in ("resolved", "coarse")
    unit = 10 ** (math.floor(math.log10(abs(c["end"]))) + 1 - c["digits"])
    assert c["error"] <= 0.5 * unit and (c["error"] > 0.05 * unit or c["digits"] == 15)
    double = ROOT / "examples/double_pendulum.yaml"
    done = torsor("run", double, "--resolve", "--end", "40s", "--channels", "hinge.angle,energy.total", "-o",
                  os.path.join(folder, "chaos.h5"))
    assert "not resolved: differs by as much as it moves" in done.stdout
    assert "1 channel does not move" in done.stdout  # the energy of EP


# ---- refined meshes ----

def check_lines(folder):
    """A refined line is that of twice the elements, with loads, masses and names where they were, to round-off."""
    for text, part, order, elements, node, fine in (
            (BEAM, "arm", 1, 4, 3, 5), (BEAM, "arm", 2, 3, 4, 7), (BEAM, "arm", 2, 2, 3, 5),
            (CABLE, "rope", 1, 6, 3, 5), (CABLE, "rope", 2, 4, 4, 7)):
        names = [f"{part}.{node}.position.{axis}" for axis in "xyz"]
        others = [f"{part}.{fine}.position.{axis}" for axis in "xyz"]
        if part == "arm":
            names += ["arm.station.2.M2"]
            others += ["arm.station.2.M2"]
        drawn = text % dict(elements=elements, order=order, node=node)
        channels, told = resolve(folder, drawn, "--channels", ",".join(names))
        a = table(folder, drawn, *names)
        b = table(folder, text % dict(elements=2 * elements, order=order, node=fine), *others)
        for i, name in enumerate(names):
            wanted = told["mesh"]["factor"] * largest(a, b, i)
            assert abs(channels[name]["mesh"] - wanted) < 1e-7 * max(1e-3, channels[name]["range"]), (name, order)
            assert i != 2 or wanted > 1e-9  # there is something to compare


def check_order_3(folder):
    """Elements of order 3 are divided at their nodes: a load inside an element stays there, stations too."""
    for node in (5, 6):
        drawn = BEAM % dict(elements=4, order=3, node=node)
        wanted = (f"arm.{node}.position", "arm.9.position", "arm.end.position", "arm.station.1.M2", "arm.station.2.M2")
        channels, _ = resolve(folder, drawn, "--channels", ",".join(wanted))
        for name, c in channels.items():
            bound = 0.05 if "station" in name else 0.01
            assert c["verdict"] == "does not move" or c["mesh"] < bound * c["range"], (name, c)
    # a tense cable at rest: all nodes are where they were drawn
    drawn = CABLE.replace("length: 5", "tension: 100").replace("-9.81", "0").replace("10, 0]", "0, 0]")
    for order in (1, 2, 3):
        channels, _ = resolve(folder, drawn % dict(elements=3, order=order, node=2), "--channels", "rope")
        assert f"rope.{3 * order + 1}.position.x" in channels and f"rope.{3 * order + 2}.position.x" not in channels
        assert all(c["mesh"] < 1e-12 for name, c in channels.items() if ".position." in name)


def check_plate(folder):
    """Node (2, 1) of 4 x 2 quads is node (4, 2) of 8 x 4."""
    coarse, fine = 1 * 5 + 2 + 1, 2 * 9 + 4 + 1
    drawn = PLATE % dict(nx=4, ny=2, node=coarse)
    names = [f"skin.{coarse}.position.z", "skin.x+/y+.position.z"]
    channels, told = resolve(folder, drawn, "--channels", ",".join(names))
    a = table(folder, drawn, *names)
    b = table(folder, PLATE % dict(nx=8, ny=4, node=fine), f"skin.{fine}.position.z", names[1])
    for i, name in enumerate(names):
        near(channels[name]["mesh"], 4 / 3 * largest(a, b, i), 1e-7, name)
    assert told["mesh"]["order"] == 2


GENERATED = (
    ("box, size: [1, 2, 3], divisions: [2, 1, 3]", "solid"),
    ("box, size: [1, 2, 3], divisions: [2, 1, 3], order: 2", "solid"),
    ("box, size: [1, 2, 3], divisions: [2, 1, 1], order: 2, serendipity: true", "solid"),
    ("tube, inner_radius: 1, outer_radius: 1.5, length: 2, divisions: [1, 8, 2]", "solid"),
    ("tube, outer_radius: 1.5, length: 2, divisions: [2, 8, 2], order: 2", "solid"),
    ("cylinder, radius: 1, length: 2, divisions: [8, 2]", "shell"),
    ("sphere, radius: 1, divisions: [4, 4], latitude: [0, 72 deg], angle: 90 deg", "shell"),
    ("annulus, inner_radius: 6, outer_radius: 10, divisions: [2, 12], slit: true", "shell"),
    ("patch, x: cos(u), y: sin(u), z: v*(1 + u^2), u: [0, 1.5], divisions: [4, 2], order: 2", "shell"),
)


def check_generated(folder):
    """At rest every numbered point is where it was drawn, in both meshes."""
    cases = [(f"  M: {{type: {fields}}}", kind) for fields, kind in GENERATED]
    cases.append(("  A: {type: box, size: [1, 1, 1], divisions: [2, 2, 1]}\n"
                  "  B: {type: box, size: [1, 1, 1], divisions: [1, 2, 1], position: [1, 0, 0]}\n"
                  "  M: {type: join, first: A, second: B}", "solid"))
    for meshes, kind in cases:
        part = "solids: {body: {mesh: M, material: rubber}}" if kind == "solid" else \
            "shells: {body: {mesh: M, section: T}}"
        text = SOLID % (meshes, part)
        path = write(folder, text)
        torsor("run", path, "-q", "-o", path + ".h5")
        heads = torsor("info", path + ".h5", "--csv").stdout.split("\n", 1)[0].split(",")
        names = {head.split(" ")[0].rsplit(".", 1)[0] for head in heads if ".position." in head}
        channels, told = resolve(folder, text, "--channels", ",".join(sorted(names)[:100]))
        assert told["mesh"]["status"] == "completed", (meshes, told["mesh"])
        assert len(channels) >= 24, (meshes, len(channels))
        for name, c in channels.items():
            assert c["mesh"] < 1e-12, (meshes, name, c)


def check_file_mesh(folder):
    data = ROOT / "tests/data/gmsh/box_hex8.msh"
    text = SOLID % (f"  M: {{type: gmsh, file: {data}}}", "solids: {body: {mesh: M, material: rubber}}")
    channels, told = resolve(folder, text, "--channels", "body.1.position")
    assert told["mesh"]["status"] == "none" and told["mesh"]["factor"] is None
    assert "the mesh 'M' comes from a file and cannot be refined" in told["mesh"]["message"]
    assert all(c["mesh"] is None and c["step"] is not None for c in channels.values())
    assert "error bars of the step only" in torsor("run", write(folder, text), "--resolve", "-o", folder + "/f.h5").stdout


# ---- the command ----

def check_fields(folder):
    text = BEAM % dict(elements=4, order=1, node="end")
    channels, told = resolve(folder, text, "--channels", "arm.end.position,arm.section.1.M2", "--jobs", "1")
    assert set(told) == {"event", "step", "mesh", "channels"}
    assert set(told["step"]) == {"status", "message", "order", "factor"} == set(told["mesh"])
    fields = {"name", "unit", "end", "range", "step", "mesh", "error", "digits", "verdict"}
    assert all(set(c) == fields for c in channels.values())
    inside = channels["arm.section.1.M2"]  # a Gauss point is elsewhere in another mesh
    assert inside["mesh"] is None and inside["step"] > 0
    tip = channels["arm.end.position.z"]
    near(tip["error"], tip["step"] + tip["mesh"], 1e-12)
    again, _ = resolve(folder, text, "--channels", "arm.end.position,arm.section.1.M2", "--jobs", "3")
    assert again == channels
    default, _ = resolve(folder, text)
    assert "arm.end.position.x" in default and "arm.2.position.x" not in default
    words = torsor("run", write(folder, text), "--resolve", "-o", folder + "/w.h5").stdout
    assert "what to trust" in words and "arm.end.position.z [m]" in words
    assert torsor("run", write(folder, text), "--resolve", "-q", "-o", folder + "/w.h5").stdout == ""


def check_same_results(folder):
    """The results file is that of the run as asked."""
    path = write(folder, BEAM % dict(elements=4, order=1, node="end"))
    torsor("run", path, "-q", "-o", folder + "/a.h5")
    torsor("run", path, "-q", "--resolve", "-o", folder + "/b.h5")
    a, b = (torsor("info", f"{folder}/{name}.h5", "--csv").stdout for name in "ab")
    assert a == b


def check_control(folder):
    """With step control the tolerance is made smaller; states are stored at the same times."""
    text = PENDULUM.replace("scheme: EP, step: 20 ms", "scheme: ED, step: 40 ms, step_tolerance: 1e-4")
    channels, _ = resolve(folder, text)
    truth = table(folder, PENDULUM, "hinge.angle", options=("--step", "0.1 ms"))
    run = table(folder, text, "hinge.angle")
    assert 0.3 < channels["hinge.angle"]["step"] / largest(run, truth) < 3


def check_failing(folder):
    """A run beside that fails is a warning, and its part of the bars is missing: here the refined one's file becomes too large."""
    path = write(folder, (BEAM % dict(elements=40, order=1, node="end")).replace("interval: 100 ms, ", ""))
    torsor("run", path, "-q", "-o", path + ".h5")
    most = int(1.5 * os.path.getsize(path + ".h5"))
    done = subprocess.run([PROGRAM, "run", path, "--resolve", "--json", "-o", path + ".h5"], check=True, text=True,
                          capture_output=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    told = events(done)["resolve"]
    assert told["mesh"]["status"] == "failed" and "refined mesh" in told["mesh"]["message"], told["mesh"]
    assert "warning: " + told["mesh"]["message"] in done.stderr
    assert told["step"]["status"] == "completed"
    assert all(c["mesh"] is None and c["error"] == c["step"] for c in told["channels"])


def check_refusals(folder):
    path = write(folder, PENDULUM)
    for options, code, word in (
            (("--resolve", "--no-results"), 1, "not with --no-results"),
            (("--channels", "hinge.angle"), 1, "needs --resolve"),
            (("--jobs", "2"), 1, "needs --resolve"),
            (("--resolve", "--jobs", "0"), 1, "--jobs"),
            (("--resolve", "--channels", "hinge.angel"), 2, "Did you mean 'hinge.angle'?"),
            (("--resolve", "--channels", " , "), 1, "--channels: expected names")):
        assert word in torsor("run", path, "-o", folder + "/r.h5", *options, code=code).stderr, options
    arc = ROOT / "examples/cases/b16_arch.yaml"
    assert "arc length" in torsor("run", arc, "--resolve", "-o", folder + "/arc.h5", code=1).stderr


def left_behind(where):
    return os.listdir(where)


def start_long(folder, where):
    path = write(folder, BEAM % dict(elements=40, order=1, node="end"))
    words = [PROGRAM, "run", path, "--resolve", "--end", "1000 s", "-o", folder + "/l.h5"]
    process = subprocess.Popen(words, env={**os.environ, "TMPDIR": where}, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    for _ in range(1000):
        time.sleep(0.02)
        inside = [file for folder in pathlib.Path(where).iterdir() for file in folder.iterdir()]
        if any(file.suffix == ".h5" for file in inside):
            return process
    raise AssertionError("no run began")


def check_nothing_left(folder):
    where = os.path.join(folder, "tmp")
    os.mkdir(where)
    path = write(folder, BEAM % dict(elements=4, order=1, node="end"))
    subprocess.run([PROGRAM, "run", path, "--resolve", "-q", "-o", folder + "/n.h5"], check=True,
                   env={**os.environ, "TMPDIR": where})
    assert not left_behind(where)
    for signals in ((signal.SIGINT,), (signal.SIGINT, signal.SIGTERM)):  # the second ends it at once
        process = start_long(folder, where)
        for number in signals:
            process.send_signal(number)
        assert process.wait(60) == 5
        assert not left_behind(where), signals
    process = start_long(folder, where)
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split()
    process.kill()
    process.wait()
    assert not children  # runs beside are threads: they end with the program
    done = subprocess.run([PROGRAM, "run", path, "--resolve", "-o", folder + "/n.h5"], check=False,
                          capture_output=True, text=True, env={**os.environ, "TMPDIR": folder + "/nowhere"})
    assert done.returncode == 3 and "cannot make the folder" in done.stderr


def check_python(folder):
    if not os.path.exists(os.environ.get("TORSOR_LIBRARY", "")):
        return
    sys.path.insert(0, str(ROOT / "python"))
    import torsor as module
    os.environ["TORSOR"] = str(PROGRAM)
    model = module.load(write(folder, BEAM % dict(elements=4, order=1, node="end")))
    found = module.resolve(model, ["arm.end.position"], jobs=2)
    channels, _ = resolve(folder, model.text, "--channels", "arm.end.position")
    assert {name: vars(c) for name, c in found.items()} == channels
    assert found.results["arm.end.position.z"][-1] == found["arm.end.position.z"].end
    assert found.mesh["order"] == 2 and "coarse" in repr(found)
    try:
        module.resolve(model, ["arm.nothing"])
        raise AssertionError("an unknown channel was taken")
    except module.ModelError as why:
        assert "nothing" in str(why)


def main():
    for check in (check_step, check_elastica, check_digits, check_lines, check_order_3, check_plate, check_generated,
                  check_file_mesh, check_fields, check_same_results, check_control, check_failing, check_refusals,
                  check_nothing_left, check_python):
        with tempfile.TemporaryDirectory() as folder:
            check(folder)
        print(check.__name__)


main()
