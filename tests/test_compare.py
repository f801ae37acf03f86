#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""torsor compare: what schemes preserve, against theory; every scheme has its row; a scheme that refuses a model gives
the reason."""

import csv
import json
import os
import tempfile
import xml.etree.ElementTree as xml

from program import ROOT, model_file, torsor


def example(name):
    return os.path.join(ROOT, "examples", name)


def run(*options, code=0):
    return torsor("compare", *options, code=code)


def compare(*options):
    result = json.loads(run("--json", *options).stdout)
    return {s["scheme"]: s["rungs"] for s in result["schemes"]}


def check_free_body():
    """A free body keeps energy and momenta: EP all of it, ED the momenta, the alpha family neither."""
    with open(example("cases/free_body.yaml"), encoding="utf-8") as file:
        text = file.read().replace("analysis:\n", "analysis:\n  tolerance: 1e-15 # what is kept is kept to round-off\n")
    with model_file(text) as path:
        found = compare(path, "--step", "20ms", "--end", "2s", "--levels", "2")
    ep, ed, alpha = found["EP"][0], found["ED"][0], found["generalized_alpha"][0]
    assert abs(ep["energy"]) < 1e-13 and -1e-8 < ed["energy"] < -1e-14
    assert ep["angular_momentum"] < 1e-12 and ed["angular_momentum"] < 1e-12
    assert alpha["angular_momentum"] > 1e-7 and abs(alpha["energy"]) > 1e-7
    for rungs in found.values():
        assert abs(rungs[1]["order"]["rotation"] - 2) < 0.2
        assert rungs[0]["error"]["force"] is None  # there is no joint


def check_constrained():
    """Gravity and a pivot leave one momentum; conditions hold in position for all, in their rates for EP and ED."""
    found = compare(example("spinning_top.yaml"), "--step", "4ms", "--end", "0.4s", "--levels", "1")
    for name in ("EP", "ED"):
        rung = found[name][0]
        assert rung["linear_momentum"] is None, rung
        assert rung["angular_momentum"] < 1e-12, rung
        assert rung["position_violation"] < 1e-12 and rung["rate_violation"] < 1e-9, rung
    found = compare(example("double_pendulum.yaml"), "--end", "0.5s", "--levels", "1")
    assert found["EP"][0]["rate_violation"] < 1e-9 and found["ED"][0]["rate_violation"] < 1e-9
    assert found["generalized_alpha"][0]["position_violation"] < 1e-10
    assert found["generalized_alpha"][0]["rate_violation"] > 1e-6


def check_radau():
    """Radau IIA of s stages with conditions on positions: orders 2s - 1 of positions, s of velocities, s - 1 of forces (Hairer, Lubich,
    Roche 1989), if forces are taken at the end of the step, where they belong."""
    found = compare(example("double_pendulum.yaml"), "--schemes", "RK-radau3,RK-radau5", "--step", "10ms", "--end", "0.5s",
                    "--levels", "2", "--reference", "RK-radau5:0.625ms")
    for stages, name in ((2, "RK-radau3"), (3, "RK-radau5")):
        order = found[name][1]["order"]
        for measure, theory in (("position", 2 * stages - 1), ("velocity", stages), ("force", stages - 1)):
            assert abs(order[measure] - theory) < 0.3, (name, measure, order)


def check_all(folder):
    """Whatever is in the registry; those that cannot take a non-holonomic condition say so in their row."""
    table, picture = os.path.join(folder, "t.csv"), os.path.join(folder, "p.svg")
    done = run(example("rolling_disk.yaml"), "--schemes", "all", "--end", "0.2s", "--levels", "1", "--csv", table,
               "--svg", picture)
    listed = torsor("spectrum", "--schemes", "?", code=1).stderr
    names = listed.split("there are ")[1].strip().split(", ")
    assert len(names) >= 9
    rows = [row["scheme"] for row in csv.DictReader(open(table))]
    assert rows == names, (rows, names)
    failed = [line for line in done.stdout.splitlines() if "failed: " in line]
    assert any(line.strip().startswith("S1-ED") for line in failed), done.stdout
    assert xml.parse(picture).getroot().tag.endswith("svg")


def check_parameters_and_refusals():
    pendulum = example("double_pendulum.yaml")
    done = run(pendulum, "--schemes", "ED,newmark:gamma=0.6", "--end", "0.1s", "--levels", "1")
    assert "newmark, gamma 0.6" in done.stdout and "ED, rho_inf 0 " in done.stdout
    assert "there are ED, EP" in run(pendulum, "--schemes", "ED,nothing", code=1).stderr
    assert "whole number" in run(pendulum, "--steps", "3ms,2ms", code=1).stderr


def check_common_parameters(folder):
    """rho_inf means the same to every scheme that has it: another scheme over the same model keeps it; what is said on the command
    line goes before the model, what is said with a scheme before both."""
    def model(scheme):
        path = os.path.join(folder, "m.yaml")
        with open(example("double_pendulum.yaml"), encoding="utf-8") as text, open(path, "w", encoding="utf-8") as out:
            out.write(text.read().replace("scheme: EP", "scheme: " + scheme))
        return path

    for scheme, options, rho in (("{name: ED, rho_inf: 0.25}", (), "0.25"), ("{name: EP, rho_inf: 0.25}", (), "0.25"),
                                 ("ED", (), "0"), ("newmark", (), "0"), ("newmark", ("--rho", "0.75"), "0.75"),
                                 ("{name: ED, rho_inf: 0.25}", ("--rho", "0.75"), "0.75")):
        words = run(model(scheme), *options, "--end", "0.02s", "--levels", "1", "--schemes",
                    "ED,generalized_alpha,S4-C,EP,newmark,S1-ED:rho_inf=1/8").stdout
        for name in ("ED", "generalized_alpha", "S4-C"):
            assert f" {name}, rho_inf {rho} " in words, (scheme, options, name, words)
        assert "S1-ED, rho_inf 0.125 " in words, words
        assert "EP, rho_inf" not in words and "newmark, rho_inf" not in words, words
    results = os.path.join(folder, "m.h5")
    for scheme, options, told in (("{name: EP, rho_inf: 0.25}", ("--scheme", "ED"), 0.25), ("ED", ("--scheme", "ED:rho_inf=1/4"), 0.25),
                                  ("{name: ED, rho_inf: 0.25}", ("--scheme", "newmark"), None),
                                  ("{name: ED, rho_inf: 0.25}", ("--scheme", "ED:rho_inf=1"), 1),
                                  ("{name: FP-ED, rho_inf: 0.25, map: cayley}", ("--rho", "0.5"), 0.5)):
        torsor("run", model(scheme), *options, "-q", "--end", "0.02", "-o", results)
        found = json.loads(torsor("info", "--json", results).stdout)
        assert found["rho_inf"] == told, (scheme, options, found["rho_inf"])
        assert found["scheme_parameters"] == ("map=cayley" if "cayley" in scheme else ""), found["scheme_parameters"]
        again = os.path.join(folder, "again.h5")
        torsor("restart", results, "-q", "--end", "0.04", "-o", again, "--force")
        assert json.loads(torsor("info", "--json", again).stdout)["rho_inf"] == told
    assert "newmark has no parameter 'rho_inf'" in torsor("run", model("newmark"), "--rho", "0.5", "-o", results, code=1).stderr


def main():
    check_free_body()
    check_radau()
    check_constrained()
    check_parameters_and_refusals()
    with tempfile.TemporaryDirectory() as folder:
        check_all(folder)
        check_common_parameters(folder)


main()
