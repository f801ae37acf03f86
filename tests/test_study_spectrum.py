#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""torsor spectrum: the schemes on a real oscillator against the closed forms of S4 and of Chung and Hulbert.

S4 eqs (35) to (42) with z = v + i w u, s = i h w: y - z = s b (a (y - z) - (z_f - z)), z_f - z = (s/2)(y + z_f).
"""

import cmath
import json
import math
import os
import sys
import tempfile
import xml.etree.ElementTree as xml

import numpy as np

from program import torsor


def spectrum(*options, code=0):
    return torsor("spectrum", *options, code=code)


def curves(*options):
    return json.loads(spectrum("--json", *options).stdout)["curves"]


def decaying(a, b, ratio):
    s = 2j * math.pi * ratio
    c = -s * b / (1 - s * b * a)  # y - z = c (z_f - z)
    return (1 + s / 2 - s * c / 2) / (1 - s / 2 - s * c / 2)


def check(curve, factor, limit=1e-9):
    """All three columns, from the factor by which a step multiplies v + i w u."""
    for p in curve["points"]:
        mu = factor(p["ratio"])
        if isinstance(mu, complex):
            radius, pairs = abs(mu), [mu] if abs(mu.imag) > 1e-6 * abs(mu) else []
        else:
            radius = max(abs(mu))
            pairs = sorted((m for m in mu if m.imag > 1e-6 * abs(m)), key=abs)
        assert abs(p["radius"] - radius) < limit, (curve["scheme"], p, radius)
        if not pairs or p["damping"] is None:
            continue
        phase = abs(cmath.phase(pairs[-1]))
        assert abs(p["damping"] + math.log(abs(pairs[-1])) / phase) < 1e-6 * (1 + abs(p["damping"]))
        error = 2 * math.pi * p["ratio"] / phase - 1
        assert abs(p["period_error"] - error) < 1e-6 * (1 + error), (curve["scheme"], p, error)


def alpha_family(am, af, beta, gamma):
    """Eigenvalues of (u, h v, h^2 a) -> the same, J. Chung, G. M. Hulbert (1993)."""

    def factor(ratio):
        w = (2 * math.pi * ratio) ** 2
        left = np.array([[1, 0, -beta], [0, 1, -gamma], [w * (1 - af), 0, 1 - am]])
        right = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-w * af, 0, -am]])
        return np.linalg.eigvals(np.linalg.solve(left, right))

    return factor


def generalized(rho):
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + af - am
    return alpha_family(am, af, (gamma + 0.5) ** 2 / 4, gamma)


def test_energy_schemes():
    trapezoidal = lambda r: (1 + 1j * math.pi * r) / (1 - 1j * math.pi * r)
    check(curves("--schemes", "EP")[0], trapezoidal)
    for scheme in "ED", "S4-C", "S1-ED":
        for curve in curves("--schemes", scheme, "--rho", "0,1/3,2/3,1"):
            a = (1 - curve["rho_inf"]) / (1 + curve["rho_inf"])
            check(curve, lambda r: decaying(a, 1 / 6, r))
    check(curves("--schemes", "S4-A")[0], lambda r: decaying(1, 1 / 6, r))
    for b in 1 / 6, 1 / 36, 1 / 216:
        check(curves("--schemes", f"S4-B:alpha={b!r}")[0], lambda r: decaying(1, b, r))


def test_fixed_pole():
    """S0: EP is the trapezoidal rule, ED scheme C of S4."""
    trapezoidal = lambda r: (1 + 1j * math.pi * r) / (1 - 1j * math.pi * r)
    for scheme in "FP-EP", "FP-EP:map=cayley", "RK-trapezoidal":
        check(curves("--schemes", scheme)[0], trapezoidal)
    for scheme in "FP-ED", "FP-ED:conditions=printed":
        for curve in curves("--schemes", scheme, "--rho", "0,1/3,1"):
            a = (1 - curve["rho_inf"]) / (1 + curve["rho_inf"])
            check(curve, lambda r: decaying(a, 1 / 6, r))


def test_radau():
    """Stability functions of Radau IIA: the Pade approximations (s - 1, s) of exp, so of order 2 s - 1; none is left at infinity."""
    pade = {
        "RK-radau3": lambda z: (1 + z / 3) / (1 - 2 * z / 3 + z**2 / 6),
        "RK-radau5": lambda z: (1 + 2 * z / 5 + z**2 / 20) / (1 - 3 * z / 5 + 3 * z**2 / 20 - z**3 / 60),
    }
    for scheme, order in ("RK-radau3", 3), ("RK-radau5", 5):
        check(curves("--schemes", scheme)[0], lambda r: pade[scheme](2j * math.pi * r))
        assert curves("--schemes", scheme, "--range", "1e3,1e4", "-n", "2")[0]["points"][-1]["radius"] < 1e-3
        errors = []
        for p in curves("--schemes", scheme, "--range", "0.05,0.1", "-n", "2")[0]["points"]:
            turn = 2 * math.pi * p["ratio"]
            errors.append(abs(cmath.rect(p["radius"], turn / (1 + p["period_error"])) - cmath.exp(1j * turn)))
        assert abs(math.log2(errors[1] / errors[0]) - (order + 1)) < 0.2, (scheme, errors)


def test_alpha_family():
    for curve in curves("--schemes", "generalized_alpha", "--rho", "0,0.5,0.9"):
        check(curve, generalized(curve["rho_inf"]), 2e-7)  # triple eigenvalues are sensitive
    check(curves("--schemes", "newmark")[0], alpha_family(0, 0, 0.25, 0.5))
    check(curves("--schemes", "newmark:gamma=0.6:beta=0.3025")[0], alpha_family(0, 0, 0.3025, 0.6))
    check(curves("--schemes", "HHT:alpha=0.1")[0], alpha_family(0, 0.1, 0.3025, 0.6))


def test_infinite_frequency():
    """The radius goes to rho_inf; that of B always to zero, S4 section 3.2; HHT: (1 - alpha)/(1 + alpha)."""
    far = "--range", "1e3,1e4", "-n", "2"
    for curve in curves("--schemes", "ED,S4-C,generalized_alpha", "--rho", "0,0.3,0.8", *far):
        assert abs(curve["points"][-1]["radius"] - curve["rho_inf"]) < 2e-2, curve
    assert curves("--schemes", "S4-B:alpha=1/36", *far)[0]["points"][-1]["radius"] < 1e-3
    radius = curves("--schemes", "HHT:alpha=0.1", *far)[0]["points"][-1]["radius"]
    assert abs(radius - 0.9 / 1.1) < 1e-3


def test_orders():
    """S4: ED is of order 3 at rho = 0 and 4 at rho = 1; B's best period error is that of alpha_AR = 1/6."""
    for rho, order in ("0", 4), ("1", 4):  # the period error of an odd order is of the next one
        near, far = curves("--schemes", "ED", "--rho", rho, "--range", "0.02,0.04", "-n", "2")[0]["points"]
        assert abs(math.log2(far["period_error"] / near["period_error"]) - order) < 0.1
    at = lambda b: curves("--schemes", f"S4-B:alpha={b}", "--range", "0.1,0.2", "-n", "2")[0]["points"][0]
    assert at("1/6")["period_error"] < at("1/36")["period_error"] < at("1/216")["period_error"]


def test_given_with_the_scheme():
    """A rho_inf of its own: one curve, whatever the list says."""
    found = curves("--schemes", "ED:rho_inf=1/4,generalized_alpha", "--rho", "0,1", "--points", "2")
    assert [curve["rho_inf"] for curve in found] == [0.25, 0, 1], found


def test_files():
    with tempfile.TemporaryDirectory() as folder:
        svg, csv = os.path.join(folder, "a.svg"), os.path.join(folder, "a.csv")
        done = spectrum("--schemes", "EP,ED", "--rho", "0", "-n", "5", "--svg", svg, "--csv", csv)
        assert "ED, rho_inf 0" in done.stdout
        root = xml.parse(svg).getroot()
        assert root.tag.endswith("svg") and "NaN" not in open(svg).read().replace("nan", "NaN")
        lines = open(csv).read().splitlines()
        assert lines[0].startswith("scheme,rho_inf") and len(lines) == 1 + 2 * 5
        assert spectrum("--csv", os.path.join(folder, "no", "a.csv"), code=3).stderr


def test_mistakes():
    for options, words in (
        (["--schemes", "EQ"], "there are ED, EP"),
        (["--schemes", "newmark:delta=1"], "no parameter 'delta=1'"),
        (["--schemes", "newmark:gamma=7"], "between 0.5 and 2"),
        (["--rho", "2"], "from 0 to 1"),
        (["--range", "1"], "two numbers"),
        (["--range", "3,1"], "the smaller one first"),
        (["--points", "1"], "2 to 100000"),
        (["model.yaml"], "unexpected argument 'model.yaml'"),
    ):
        done = spectrum(*options, code=1)
        assert words in done.stderr, (options, done.stderr)


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print("  " + name)
    sys.exit(0)
