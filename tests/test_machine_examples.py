#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of ready parts, examples/machines: every one runs, its audit closes, and the statements in its first
lines are true; ledgers of the larger examples. Expected values: speeds of a cylinder by its flows, a motor by matrix
exponentials, momenta of a freewheel, a braked load by its equation of motion, two masses on two springs and a relaxing
mount by complex amplitudes, the acceleration of a winch by its efficiency."""

import sys

from case_tools import ROOT, check, need_program, run, verdict

import numpy as np
from scipy.linalg import expm

FOLDER = ROOT/"examples/machines"
G = 9.81
_ran = set()


def example(name, audit=1e-11):
    _ran.add(name)
    return run((FOLDER/f"{name}.yaml").read_text(encoding="utf-8"), scheme="ED", audit=audit, case=name)


def hydraulic_cylinder():
    case = "hydraulic_cylinder"
    out = example(case)
    place, speed = out.coordinate("guide", "displacement"), out.coordinate_rate("guide", "displacement")
    A, B, m, pump, K = 20e-4, 12e-4, 800.0, 2e-4, 6e-8
    up = slice(out.at(0.3), out.at(2.3))
    check(case, "rises by flow/area", np.mean(np.diff(place[up])/np.diff(out.t[up]))/(pump/A) - 1, 1e-3)
    v = 0.06
    for _ in range(60):  # the oil that flows into b on the way down comes through a pipe: v B = 2e-9 (-p_b)
        pressure = (m*G - B*v*B/2e-9 - 3000*v)/A
        v = 0.5*(v + K*np.sqrt(pressure)/A)
    check(case, "sinks as the throttle lets it", speed[out.at(4.5)]/-v - 1, 1e-8, f"{v:.6f} m/s")
    check(case, "held by its oil", np.ptp(place[out.at(4.9):]), 5e-4)
    check(case, "pressure of the load", (A*out.coordinate("lift", "pressure_a") - B*out.coordinate("lift", "pressure_b"))[out.at(4.5)]/(m*G - 3000*v) - 1, 1e-8)


def dc_motor():
    case = "dc_motor"
    out = example(case)
    k, R, L, J, u = 0.3, 1.2, 0.03, 0.02, 24.0
    A = np.array([[-R/L, -k/L], [k/J, 0]])
    rest, later = np.array([0, u/k]), np.array([0.6/k, (u - R*0.6/k)/k])
    start = rest - expm(A*1.0) @ rest
    turned = (0.001*start[1])**2/12  # the mean of a rotation of 4.5 degrees in a step
    check(case, "speed before the machine's load", out.coordinate_rate("shaft", "angle")[out.at(1.0)]/start[1] - 1, 1.2*turned)
    check(case, "current at its largest", np.max(out.coordinate("motor", "current"))/np.max([(rest - expm(A*t) @ rest)[0] for t in np.arange(0, 0.2, 0.001)]) - 1, 1e-3)
    end = later + expm(A*(1.5 - 0.0005)) @ (start - later)  # the load comes within a step
    check(case, "speed at the end", out.coordinate_rate("shaft", "angle")[-1]/end[1] - 1, 1.2*turned)
    check(case, "current at the end", out.coordinate("motor", "current")[-1]/end[0] - 1, 1e-4)


def one_way_clutch():
    case = "one_way_clutch"
    out = example(case, audit=1e-11)
    wheel, pedals = out.omega("wheel")[:, 2], out.omega("pedals")[:, 2]
    check(case, "together", wheel[out.at(1)] - 2/0.44, 1e-3)
    apart = slice(out.at(1.1), out.at(2))
    check(case, "runs on", np.ptp(wheel[apart]), 1e-11)
    check(case, "the pedals stop", pedals[out.at(1.9)], 0.2)
    check(case, "angular momentum is what the feet gave", 0.4*wheel[-1] + 0.04*pedals[-1] - (2*1.0 + 0.5*0.001*(2 - 0.9) - 0.9*0.199 - 0.9*0.0005 + 2*0.9995), 1e-9)
    check(case, "together again", wheel[-1] - pedals[-1], 1e-6)
    check(case, "the pedals are never ahead by more than the clutch gives way", max(0, np.max(np.diff(out.coordinate("sleeve", "angle")[apart]))), 0)


def brake():
    case = "brake"
    out = example(case)
    place, m, r = out.coordinate("shaft", "displacement"), 100.0, 0.1
    inertia = m + 0.1/r**2

    def pressed(t):
        return np.interp(t, [0, 0.5, 0.501, 1, 1.2, 2], [300, 300, 0, 0, 200, 200])
    t, v, s, h = 0.5, 0.0, 0.0, 1e-6
    while t < 1.9 and v >= 0:  # downwards, by the midpoint rule
        a = (m*G - pressed(t + h/2)/r)/inertia
        s, v, t = s + h*max(v + a*h/2, 0), max(v + a*h, 0) if t < 0.52 else v + a*h, t + h
    check(case, "where the load stops", place[-1] + s, 3e-4, f"{-s:.4f} m")
    check(case, "holds it", np.ptp(place[out.at(1.8):]), 1e-7)
    check(case, "what friction took is the height", m*G*s/(out.frame["losses"][-1, 1] + out.frame["ledger"][-1, 6]) - 1, 1e-4)


def tyre():
    case = "tyre"
    out = example(case)
    M, m, k, c, K, w = 300.0, 40.0, 20e3, 1.5e3, 180e3, 2*np.pi*15/5
    strut = k + 1j*w*c
    body, wheel = np.linalg.solve([[strut - M*w*w, -strut], [-strut, strut + K - m*w*w]], [0, K*0.005])
    check(case, "static deflection", out.coordinate("wheel_guide", "displacement")[0] + (M + m)*G/K, 1e-9)
    late = out.t > 4
    for name, z in (("body", body), ("wheel", wheel)):
        exact = -(M + m)*G/K + np.imag(z*np.exp(1j*w*out.t[late]))
        check(case, f"{name}, by its complex amplitude", (out.coordinate(f"{name}_guide", "displacement")[late] - exact)/abs(z), 3e-3)


def gear_losses():
    case = "gear_losses"
    out = example(case, audit=1e-11)
    m, r, ratio, eta, J = 200.0, 0.1, 20.0, 0.7, 0.02
    W, reduced = m*G*r/ratio, (0.1 + m*r*r)/ratio**2
    rate = out.coordinate_rate("motor_axle", "angle")
    check(case, "accelerated upwards", (rate[out.at(0.8)] - rate[out.at(0.4)])/0.4/(2/(J + reduced/eta)) - 1, 1e-3)
    check(case, "goes on", np.ptp(rate[out.at(1.1):out.at(2.9)])/rate[out.at(2)], 1e-8)
    down = slice(out.at(3.3), out.at(3.39))
    a = np.mean(np.diff(rate[down])/np.diff(out.t[down]))
    check(case, "driven by the load", a/(-eta*W/(J + eta*reduced)) - 1, 2e-3)
    check(case, "goes on downwards", np.ptp(rate[out.at(3.5):])/rate[-1], 1e-8)


def bushing():
    case = "bushing"
    out = example(case)
    m, late = 60.0, out.t > 1.5
    for axis, k, f in ((0, 300e3, 8.0), (2, 600e3, 25.0)):
        w = 2*np.pi*f
        z = 200/(k*(1 + sum(g*1j*w*T/(1 + 1j*w*T) for g, T in ((0.6, 4e-3), (0.3, 40e-3)))) - m*w*w)
        check(case, f"{f:g} Hz", (out.position("engine")[late, axis] - np.imag(z*np.exp(1j*w*out.t[late])))/abs(z), 6e-3)


def ledgers():
    """The examples of machines with logic close their ledgers to 1e-11 of the largest energy as they are, without options."""
    for name in ("excavator", "suspension", "satellite_latch", "robot_pid", "ratchet", "quarter_car", "cam"):
        run((ROOT/f"examples/{name}.yaml").read_text(encoding="utf-8"), scheme=None, tolerance=None, audit=1e-11, case=name)
    for name in sorted(_ran):
        run((FOLDER/f"{name}.yaml").read_text(encoding="utf-8"), scheme=None, tolerance=None, audit=1e-11, case=name)


if __name__ == "__main__":
    need_program()
    for test in (hydraulic_cylinder, dc_motor, one_way_clutch, brake, tyre, gear_losses, bushing):
        test()
    ledgers()
    check("all", "examples that no test runs", len({path.stem for path in FOLDER.glob("*.yaml")} - _ran), 0)
    sys.exit(verdict())
