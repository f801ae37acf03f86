#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The best damper by scipy: a mass on a spring is let go, and the integral of x^2 over time shall be smallest.

With the damping ratio z it is x0^2 (1 + 4 z^2) / (4 z omega): smallest at z = 1/2, and then x0^2 / omega. The optimiser
knows nothing of this; it runs the simulation for every damper that it tries.

    python3 optimise_damper.py [page.html]
"""
import math
import sys

from scipy.integrate import simpson
from scipy.optimize import minimize_scalar

import torsor

MASS, STIFFNESS, START = 3.0, 120.0, 0.1  # kg, N/m, m


def build() -> torsor.Model:
    m = torsor.Model("a mass on a spring, let go")
    m.parameters["c"] = "1 N*s/m"
    cart = m.bodies.add("cart", mass=MASS, inertia=[1, 1, 1])
    rail = m.joints.prismatic("rail", bodies=["ground", cart], at=[0, 0, 0], axis="x")
    m.springs.add("spring", type="joint_spring", joint=rail, stiffness=STIFFNESS, damping="c",
                  free_displacement=-START)
    m.analysis = dict(scheme="EP", step="2 ms", end="4 s")
    m.outputs = dict(every=1)
    return m


def main() -> int:
    def cost(results: torsor.Results) -> float:
        x = results["rail.displacement"] + START
        return float(simpson(x * x, x=results.t))

    search = torsor.Search(build(), {"c": "N*s/m"}, cost, histories=["rail.displacement"])
    omega = math.sqrt(STIFFNESS / MASS)
    found = minimize_scalar(search, bounds=(1, 100), method="bounded", options={"xatol": 1e-3})
    ratio, least = found.x / (2 * MASS * omega), START**2 / omega
    print(f"damper {found.x:.4f} N s/m after {len(search)} runs: damping ratio {ratio:.5f}, exact 0.5")
    print(f"integral of x^2 {found.fun:.9f} m^2 s, exact {least:.9f}")
    if len(sys.argv) > 1:
        search.report(sys.argv[1])
    return 0 if abs(ratio - 0.5) < 2e-3 and abs(found.fun / least - 1) < 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main())
