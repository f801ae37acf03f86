#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Ready parts: DC motor, hydraulic cylinder, gear with efficiency, one-way clutch, brake, tyre.
Expected values: the start of a motor by a matrix exponential; a cylinder's oil spring, its frequency and equilibrium, the speed by a flow, a
valve by scipy; powers of a gear by its efficiency, both ways; rotors that a clutch lets go or holds, that a brake stops and holds; a
wheel's static deflection, frequency and jump."""

import sys

from case_tools import check, need_program, run as run_case, verdict
from program import model_file, torsor

import h5py
import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import expm

LEDGER = ["kinetic", "elastic", "gravity", "work_loads", "work_drives", "dissipated", "algorithmic", "balance", "start"]
HEAD = "torsor: 1\nunits: SI\n"
J = 0.2
ROTOR = HEAD + """bodies: {wheel: {mass: 2 kg, inertia: [0.2, 0.2, 0.2], angular_velocity: [0, 0, SPEED]}}
joints: {hinge: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: z}}
"""
BLOCK = HEAD + """bodies: {block: {mass: 50 kg, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0, 0], at_b: [1, 0, 0], axis: x}}
"""


def run(text, **options):
    """A run whose energy account closes to 1e-11."""
    return run_case(text, **{"audit": 1e-11, **options})


def ledger(out, name):
    return out.frame["ledger"][:, LEDGER.index(name)]


def turning(speed):
    return ROTOR.replace("SPEED", str(speed))


def slope(errors):
    return np.log2(abs(errors[0]/errors[-1]))/(len(errors) - 1)


def dc_motor():
    """(i, w) of a motor with its rotor: linear, by a matrix exponential; the same by a state and a motor; without an inductance."""
    L, R, k, u = 0.05, 1.5, 0.3, 24.0
    text = turning(0) + f"loads: {{m: {{type: dc_motor, joint: hinge, voltage: {u}, constant: {k}, resistance: {R}, inductance: {L}}}}}\n"
    A = np.array([[-R/L, -k/L], [k/J, 0]])
    exact = (np.eye(2) - expm(A*0.5)) @ np.array([0, u/k])
    errors = []
    for step in (0.01, 0.005, 0.0025):
        out = run(text + "analysis: {step: 0.01, end: 0.5}\n", step=step, audit=1e-11, case="DC motor")
        errors.append((out.omega("wheel")[-1, 2] - exact[1])/exact[1])
    check("DC motor", "speed after the start", errors[-1], 3e-4)
    check("DC motor", "order", slope(errors) - 2, 0.1)
    check("DC motor", "current", out.coordinate("m", "current")[-1]/exact[0] - 1, 1e-3)
    torque, power = k*out.coordinate("m", "current"), out.frame["power"][:, out._reaction["m"]]
    check("DC motor", "its power is torque times speed, without its coil", power - torque*out.coordinate_rate("hinge", "angle"), 0.02)
    check("DC motor", "its work is the kinetic energy", ledger(out, "work_loads") - ledger(out, "kinetic"), 1e-11)
    by_hand = run(turning(0) + f"states: {{i: {{rate: ({u} - {R}*i.value - {k} s*hinge.angle.rate/(1 rad))/({L} s)}}}}\n"
                  f"loads: {{m: {{type: motor, joint: hinge, torque: {k} N*m * i.value}}}}\nanalysis: {{step: 0.0025, end: 0.5}}\n")
    check("DC motor", "by a state and a motor", by_hand.omega("wheel") - out.omega("wheel"), 1e-9)
    for voltage in ("u", "2*u - 24 + 0*m.current"):
        outside = run(turning(0) + f"signals: {{u: {{input: {u}}}}}\nloads: {{m: {{type: dc_motor, joint: hinge, voltage: '{voltage}', constant: {k}, resistance: {R}, inductance: {L}}}}}\n"
                      "analysis: {step: 0.0025, end: 0.5}\n")
        check("DC motor", f"voltage: {voltage}, an input", outside.omega("wheel") - out.omega("wheel"), 1e-12)
    off = run(text + "events: {off: {at: 0.25 s, switch_off: m}}\nanalysis: {step: 0.0025, end: 0.5}\n", scheme="ED", audit=1e-11, case="DC motor")
    check("DC motor", "switched off", np.ptp(off.omega("wheel")[off.t > 0.2501, 2]), 1e-11)
    check("DC motor", "as before until then", (off.omega("wheel") - out.omega("wheel"))[off.t < 0.2501], 1e-5)
    voltage = "'24*tanh((2 rad - hinge.angle)/(0.5 rad)) + 0.1*m.current'"
    servo = run(turning(0) + f"loads: {{m: {{type: dc_motor, joint: hinge, voltage: {voltage}, constant: {k}, resistance: {R}, inductance: {L}}}}}\n"
                "analysis: {step: 0.002, end: 0.5}\n", audit=1e-11, case="DC motor")
    reference = solve_ivp(lambda _, y: [(24*np.tanh((2 - y[2])/0.5) + 0.1*y[0] - R*y[0] - k*y[1])/L, k*y[0]/J, y[1]], (0, 0.5), [0, 0, 0],
                          method="DOP853", rtol=1e-11, atol=1e-12).y[2, -1]
    check("DC motor", "a servo: voltage by the angle", servo.coordinate("hinge", "angle")[-1] - reference, 1e-3)
    fast = run(turning(0) + f"loads: {{m: {{type: dc_motor, joint: hinge, voltage: {u}, constant: {k}, resistance: {R}}}}}\n"
               "analysis: {step: 0.002, end: 1}\n", audit=1e-11, case="DC motor")
    check("DC motor", "without an inductance", fast.omega("wheel")[-1, 2]/(u/k*(1 - np.exp(-k*k/(R*J)))) - 1, 1e-4)


CYLINDER = ("springs: {c: {type: hydraulic_cylinder, bodies: [ground, block], from: [0, 0, 0], to: [1, 0, 0], area_a: 20 cm^2, area_b: 12 cm^2, "
            "closed: 0.6 m, open: 1.4 m, dead_volume: 1e-4 m^3, bulk_modulus: 1.2 GPa")
A, B, BETA, VA, VB, M = 20e-4, 12e-4, 1.2e9, 1e-4 + 20e-4*0.4, 1e-4 + 12e-4*0.4, 50.0


def cylinder():
    """Closed chambers are springs: k = beta (A^2/V_a + B^2/V_b). A flow moves the piston. A valve by a square root, by scipy. Forces are large and
    energies small, but the ledger does not know how long the cylinder is: works follow the increments, not differences of lengths."""
    k = BETA*(A*A/VA + B*B/VB)
    w = np.sqrt(k/M)
    T = 2*np.pi/w
    kick = BLOCK.replace("position", "velocity: [0.1, 0, 0], position")
    for length in (0.5, 16, 256, 1):
        longer = (kick + CYLINDER).replace("[1, 0, 0]", f"[{length}, 0, 0]").replace("0.6 m", f"{length - 0.4} m").replace("1.4 m", f"{length + 0.4} m")
        out = run(longer + "}}\n" + f"analysis: {{step: {T/400}, end: {3*T}}}\n", audit=1e-12, case="oil spring")
    check("oil spring", "place over three periods", (out.position("block")[:, 0] - 1)/(0.1/w) - np.sin(w*out.t), 4e-3)
    with model_file(BLOCK + CYLINDER + "}}\nanalysis: {step: 0.001, end: 0.01}\n") as path:
        torsor("run", path, "-o", path.with_suffix(".h5"))
        with h5py.File(path.with_suffix(".h5")) as results:
            drawn = [row["part"].decode() for row in results["geometry/links"][:]]
    check("oil spring", "is drawn between its ends", "c" not in drawn, 0)
    F = 800.0
    leaky = BLOCK + CYLINDER.replace("open: 1.4 m", f"open: 1.4 m, pressure_a: {F/A}") + "}}\n" + f"loads: {{f: {{type: force, body: block, force: [-{F}, 0, 0]}}}}\n"
    out = run(leaky + "analysis: {step: 0.001, end: 0.2}\n", audit=1e-11, case="equilibrium")
    check("equilibrium", "the load stays where it is", out.position("block")[:, 0] - 1, 1e-12)
    check("equilibrium", "pressure", out.coordinate("c", "pressure_a")*A/F - 1, 1e-11)
    Q = 2e-4
    pumped = BLOCK + CYLINDER + f", damping: 4000, flow_a: {Q} m^3/s, flow_b: -{Q*B/A} m^3/s" + "}}\n"
    out = run(pumped + "analysis: {step: 0.0005, end: 0.5}\n", audit=1e-11, case="flow")
    speed = (out.position("block")[-1, 0] - out.position("block")[out.at(0.4), 0])/0.1
    check("flow", "speed of the piston Q/A", speed/(Q/A) - 1, 1e-3)
    # soon at a steady speed: the oil asks for less than the rounding of places, which is (2 M/h^2 + c/h) 1e-16 m = 1e-7 N in the ledger
    steady = run(pumped.replace("4000", "20000") + "analysis: {step: 0.0005, end: 0.5}\n", audit=1e-10, case="steady flow")
    check("steady flow", "halved steps", steady.summary["cuts"], 0)
    check("steady flow", "iterations", steady.summary["iterations"]/steady.summary["steps_done"], 9)
    bare = pumped.replace("units: SI", "units: {length: mm, mass: kg, time: s}").replace("[1, 0, 0]", "[1 m, 0, 0]").replace(
        f"flow_a: {Q} m^3/s", f"flow_a: {Q*1e9}*(1 + 0*t)").replace("inertia: [1, 1, 1]", "inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]").replace(
        "damping: 4000", "damping: 4000 N*s/m")
    again = run(bare + "analysis: {step: 0.0005, end: 0.5}\n")
    check("flow", "without a unit, in those of the model", again.position("block") - out.position("block"), 1e-9)
    ps, K = 100e5, 3e-8
    valve = BLOCK + (f"signals: {{in: '{K} m^3/s * sqrt(max({ps} Pa - c.pressure_a, 1 Pa)/(1 Pa))', "
                     f"out: '-{K} m^3/s * sqrt(max(c.pressure_b, 1 Pa)/(1 Pa))'}}\n") + CYLINDER + (
                     ", damping: 3000, leakage: 2e-13 m^3/s/Pa, flow_a: in, flow_b: out, pressure_a: 30 bar, pressure_b: 50 bar}}\n")

    def rates(_, y):
        x, v, a, b = y
        leak = 2e-13*(a - b)
        return [v, (A*a - B*b - 3000*v)/M, BETA/(1e-4 + A*(x - 0.6))*(K*np.sqrt(max(ps - a, 1)) - A*v - leak),
                BETA/(1e-4 + B*(1.4 - x))*(-K*np.sqrt(max(b, 1)) + B*v + leak)]
    exact = solve_ivp(rates, (0, 0.1), [1, 0, 30e5, 50e5], method="Radau", rtol=1e-10, atol=[1e-12, 1e-12, 1e-3, 1e-3]).y[:, -1]
    errors = []
    for step in (0.0004, 0.0002, 0.0001):
        out = run(valve + "analysis: {step: 0.0004, end: 0.1}\n", step=step, audit=1e-11, case="valve")
        errors.append(out.position("block")[-1, 0] - exact[0])
    check("valve", "place by scipy", errors[-1], 1e-6)
    check("valve", "order", slope(errors) - 2, 0.3)
    check("valve", "pressures by scipy", [out.coordinate("c", "pressure_a")[-1]/exact[2] - 1, out.coordinate("c", "pressure_b")[-1]/exact[3] - 1], 1e-3)


def closed_cylinder():
    """Closed valves hold any load: modes say why they cannot be found."""
    with model_file(BLOCK + CYLINDER + "}}\nanalysis: {step: 0.001, end: 0.01}\n") as path:
        said = torsor("modes", path, code=4).stderr
    check("closed cylinder", "modes", 0 if "pressure of a closed cylinder" in said and "'c'" in said else 1, 0, said[:200])


PAIR = HEAD + """bodies:
  one: {mass: 1 kg, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, FIRST]}
  two: {mass: 1 kg, inertia: [0.4, 0.4, 0.4], position: [1, 0, 0], angular_velocity: [0, 0, SECOND]}
joints:
  a: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: z}
  b: {type: revolute, bodies: [ground, two], at: [1, 0, 0], axis: z}
  mesh: {type: gear, joint: a, to: b, ratio: RATIO, efficiency: 0.8}
"""


def gear():
    """A torque on the first side accelerates both: J1 w1' = T - r L, J2 r w1' = eta L. On the second side the other way round."""
    for ratio in (-0.5, 0.5):
        r, eta, T = abs(ratio), 0.8, 3.0
        text = PAIR.replace("FIRST", "2").replace("SECOND", str(2*ratio)).replace("RATIO", str(ratio))
        tail = "analysis: {step: 0.001, end: 1}\n"
        out = run(text + f"loads: {{m: {{type: motor, joint: a, torque: {T}}}}}\n" + tail, audit=1e-11, case="gear")
        exact = T/(0.1 + 0.4*r*r/eta)
        check("gear", f"driven forwards, ratio {ratio}", (out.omega("one")[-1, 2] - 2)/exact - 1, 2e-5)
        lost = (1 - eta)/eta*0.5*0.4*r*r*((2 + exact)**2 - 4)
        check("gear", "what is dissipated", ledger(out, "dissipated")[-1]/lost - 1, 5e-5)
        out = run(text + f"loads: {{m: {{type: motor, joint: b, torque: {T*np.sign(ratio)}}}}}\n" + tail, audit=1e-11, case="gear")
        exact = r*T/(0.1/eta + 0.4*r*r)
        check("gear", f"driven backwards, ratio {ratio}", (out.omega("one")[-1, 2] - 2)/exact - 1, 2e-5)
        check("gear", "losses only", min(0, np.min(np.diff(ledger(out, "dissipated")))), 0)
    rest = run(PAIR.replace("FIRST", "0").replace("SECOND", "0").replace("RATIO", "1")
               + "loads: {m: {type: motor, joint: a, torque: 2 N*m * sin(20*t)}}\nanalysis: {step: 0.002, end: 1}\n", scheme="ED", audit=1e-11, case="gear")
    check("gear", "to and fro", min(0, np.min(np.diff(ledger(rest, "dissipated")))), 1e-12)


def clutch():
    """Free in one sense, w = w0 + T t/J; in the other it holds within T/k. A blow is elastic without damping, and softened with it."""
    k, T = 5000.0, 3.0
    for free, sign in (("positive", 1), ("negative", -1)):
        text = f"springs: {{c: {{type: one_way_clutch, joint: hinge, free: {free}, stiffness: {k}, damping: 40}}}}\n"
        out = run(turning(sign*2) + text + f"loads: {{m: {{type: motor, joint: hinge, torque: {sign*T}}}}}\nanalysis: {{step: 0.01, end: 3}}\n",
                  audit=1e-11, case="clutch")
        without = run(turning(sign*2) + f"loads: {{m: {{type: motor, joint: hinge, torque: {sign*T}}}}}\nanalysis: {{step: 0.01, end: 3}}\n")
        check("clutch", f"free, {free}", (out.omega("wheel")[:, 2] - sign*(2 + T/J*out.t))/50, 1e-2)
        check("clutch", f"as if it were not there, {free}", out.coordinate("hinge", "angle") - without.coordinate("hinge", "angle"), 1e-11)
        check("clutch", f"free without loss, {free}", ledger(out, "dissipated"), 1e-12)
        out = run(turning(0) + text + f"loads: {{m: {{type: motor, joint: hinge, torque: {-sign*T}}}}}\nanalysis: {{step: 0.001, end: 1}}\n",
                  audit=1e-11, case="clutch")
        check("clutch", f"held, {free}", out.coordinate("hinge", "angle")[-1] + sign*T/k, 1e-9)
        check("clutch", f"never further than it would swing, {free}", max(0, np.max(-sign*out.coordinate("hinge", "angle")) - 2*T/k), 0)
    rebound = run(turning(-2) + f"springs: {{c: {{type: one_way_clutch, joint: hinge, stiffness: {k}}}}}\nanalysis: {{step: 0.0002, end: 0.1}}\n",
                  audit=1e-12, case="clutch")
    check("clutch", "rebound without damping", rebound.omega("wheel")[-1, 2] - 2, 1e-10)
    half = np.pi*np.sqrt(J/k)
    late = rebound.t > half + 0.001
    check("clutch", "the angle after half a swing", rebound.coordinate("hinge", "angle")[late] - 2*(rebound.t[late] - half), 2e-5)
    slips = run(turning(-20) + f"springs: {{c: {{type: one_way_clutch, joint: hinge, stiffness: {k}, torque: 2}}}}\nanalysis: {{step: 0.0005, end: 1}}\n",
                audit=1e-12, case="clutch")
    check("clutch", "slips at its torque", slips.omega("wheel")[-1, 2] - (-20 + 2/J*(1 - 0.5*2/k/20)), 1e-3)


def brake():
    """Stops a rotor at J w/T and holds it; opens again. Stiff as it is, the stop is late by half the elastic slip over the speed."""
    w, T, k = 5.0, 2.0, 2e5
    text = turning(w) + f"springs: {{b: {{type: brake, joint: hinge, torque: TORQUE, stiffness: {k}}}}}\n"
    for scheme in ("EP", "ED"):
        out = run(text.replace("TORQUE", str(T)) + "analysis: {step: 0.001, end: 1}\n", scheme=scheme, audit=1e-11, case="brake")
        stop, angle = J*w/T, out.coordinate("hinge", "angle")
        slowing = out.t < stop - 0.001
        late = 0.5*T/k/w
        check("brake", f"speed while it slows down, {scheme}", out.omega("wheel")[slowing, 2][5:] - (w - T/J*(out.t[slowing][5:] - late)), 2e-5)
        check("brake", f"where it stops, {scheme}", angle[-1] - 0.5*J*w*w/T, 1.5*T/k)
        check("brake", f"holds, {scheme}", out.omega("wheel")[out.t > stop + 0.1, 2], 1e-6)
        check("brake", f"heat, {scheme}", ledger(out, "dissipated")[-1] + ledger(out, "algorithmic")[-1] + ledger(out, "elastic")[-1] - 0.5*J*w*w, 1e-9)
    pushed = text.replace("TORQUE", "{table: [[0, 2], [1, 2], [1.001, 0], [2, 0]]}") + "loads: {m: {type: motor, joint: hinge, torque: 1.5}}\n"
    out = run(pushed.replace(f"[0, 0, {w}]", "[0, 0, 0]") + "analysis: {step: 0.001, end: 2}\n", audit=1e-11, case="brake")
    held = (out.t > 0.2) & (out.t < 1)
    check("brake", "holds against a smaller torque", out.omega("wheel")[held, 2], 1e-9)
    check("brake", "slips once, as the torque comes at once", out.coordinate("hinge", "angle")[held] - 1.5/k, 1.5/k)
    check("brake", "opens", out.omega("wheel")[-1, 2]/(1.5/J*(2 - 1.001)) - 1, 2e-3)


def driven_brake():
    """The strength by the motion: by the angle T = c y, J w^2/2 = c y^2/2 says where it stops; by the speed like a damper; by an input in an expression. Second order."""
    w, c = 5.0, 4.0
    text = turning(w) + "springs: {b: {type: brake, joint: hinge, torque: TORQUE, stiffness: 2e5}}\nanalysis: {step: 0.001, end: END}\n"
    for scheme in ("EP", "ED"):
        out = run(text.replace("TORQUE", f"{c} N*m/rad * hinge.angle").replace("END", "0.3"), scheme=scheme, audit=1e-11, case="driven brake")
        q = np.sqrt(c/J)
        check("driven brake", f"slowed down by the angle, {scheme}", out.coordinate("hinge", "angle") - w/q*np.sin(q*out.t), 3e-5)
        check("driven brake", f"its strength is a channel, {scheme}", out.coordinate("b", "strength")[1:] - c*0.5*(out.coordinate("hinge", "angle")[1:] + out.coordinate("hinge", "angle")[:-1]), 1e-9)
        errors = []
        for step in (0.02, 0.01, 0.005):
            out = run(text.replace("TORQUE", "0.8 N*m*s/rad * hinge.angle.rate").replace("END", "0.4"), scheme=scheme, step=step, audit=1e-11, case="driven brake")
            errors.append(out.omega("wheel")[-1, 2] - w*np.exp(-0.8*0.4/J))
        check("driven brake", f"as a damper, {scheme}", errors[-1], 3e-4)
        check("driven brake", f"order, {scheme}", slope(errors) - 2, 0.3)
        check("driven brake", "lost by friction", out.frame["losses"][-1, 1] - out.frame["ledger"][-1, 5], 1e-12)
    held = text.replace("TORQUE", "'1 N*m * u + 0 N*m/rad*hinge.angle'").replace("END", "1") + "signals: {u: {input: 2}}\n"
    fixed = run(text.replace("TORQUE", "2").replace("END", "1"), case="driven brake", audit=1e-11)
    out = run(held, case="driven brake", audit=1e-11)
    check("driven brake", "by an input in an expression", out.coordinate("hinge", "angle") - fixed.coordinate("hinge", "angle"), 1e-9)
    freed = run(held + "events: {off: {at: 0.25 s, switch_off: b}}\n", scheme="ED", case="driven brake", audit=1e-11)
    check("driven brake", "switched off", np.ptp(freed.omega("wheel")[freed.t > 0.2505, 2]), 1e-9)
    open_ = run(text.replace("TORQUE", "-1 N*m/rad * hinge.angle").replace("END", "1"), case="driven brake", audit=1e-12)
    check("driven brake", "open where it is negative", open_.omega("wheel")[:, 2] - w, 1e-10)


WHEEL = HEAD + """gravity: [0, 0, -9.81]
bodies: {hub: {mass: 40 kg, inertia: [1, 1, 1], position: [0, 0, HEIGHT], velocity: [VELOCITY, 0, 0]}}
joints: {guide: {type: planar, bodies: [ground, hub], at: [0, 0, HEIGHT], axis: y}}
springs: {tyre: {type: tyre, bodies: [ground, hub], at: [0, 0, HEIGHT], radius: 0.3 m, stiffness: 200 kN/m, MORE}}
"""


def wheel(height, more="damping: 0, load: 1 N", velocity=0):
    return WHEEL.replace("HEIGHT", str(height)).replace("MORE", more).replace("VELOCITY", str(velocity))


def tyre():
    """Deflection m g/k, frequency sqrt(k/m), a jump that returns to its height, a road under a rolling wheel."""
    k, m, g = 200e3, 40.0, 9.81
    out = run(wheel(0.3) + "analysis: {type: static, increments: 3}\n", scheme=None, tolerance=None)
    check("tyre", "static deflection", out.position("hub")[-1, 2] - (0.3 - m*g/k), 1e-12)
    w = np.sqrt(k/m)
    out = run(wheel(0.3 - m*g/k - 1e-3) + f"analysis: {{step: {2*np.pi/w/500}, end: {4*np.pi/w}}}\n", audit=1e-12, case="tyre")
    check("tyre", "frequency", out.position("hub")[:, 2] - (0.3 - m*g/k - 1e-3*np.cos(w*out.t)), 2e-6)
    out = run(wheel(0.5) + "analysis: {step: 0.001, end: 3}\n", audit=1e-12, case="tyre")
    energy = ledger(out, "kinetic") + ledger(out, "elastic") + ledger(out, "gravity")
    check("tyre", "energy of jumps, EP", (energy - energy[0])/(m*g*0.2), 1e-12)
    check("tyre", "height of jumps", np.max(out.position("hub")[out.t > 1.5, 2]) - 0.5, 2e-4)
    damped = run(wheel(0.5, "damping: 800, load: 400 N") + "analysis: {step: 0.001, end: 3}\n", audit=1e-11, case="tyre")
    force = damped.force("tyre")[:, 2]
    check("tyre", "never pulls", max(0, np.min(force*np.sign(np.sum(force)))), 1e-9)
    check("tyre", "comes to rest", damped.position("hub")[-1, 2] - (0.3 - m*g/k), 2e-3)
    road = run(wheel(0.3 - m*g/k, "damping: 800, load: 400 N, road: 0.02 m * sin(hub.position.x/(1 m))", 1) + "analysis: {step: 0.002, end: 6}\n",
               audit=1e-11, case="tyre")
    x = road.position("hub")[:, 0]
    check("tyre", "follows a slow road", road.position("hub")[-1, 2] - (0.3 - m*g/k + 0.02*np.sin(x[-1])), 2e-4)


BAD = {
    turning(0) + "loads: {m: {type: dc_motor, joint: hinge, voltage: 3, constant: 1 N*m, resistance: 0}}\n": "resistance must be above zero",
    BLOCK + CYLINDER.replace("closed: 0.6", "closed: 1.6") + "}}\n": "must be longer than closed",
    BLOCK + CYLINDER.replace("open: 1.4", "open: 0.9") + "}}\n": "as drawn it is 1 m long",
    BLOCK + CYLINDER + ", flow_a: 3 N}}\n": "expected",
    BLOCK + CYLINDER + ", flow_a: '1 m^3/s * c.pressure_x/(1 Pa)'}}\n": "pressure_x",
    turning(0) + "springs: {c: {type: one_way_clutch, joint: hinge, stiffness: -1}}\n": "stiffness must be above zero",
    turning(0) + "springs: {c: {type: one_way_clutch, joint: hinge, free: both, stiffness: 1}}\n": "positive",
    turning(0) + "springs: {c: {type: brake, joint: hinge, torque: 1}}\n": "stiffness",
    wheel(0.3, "damping: 3"): "needs the static load",
    PAIR.replace("FIRST", "0").replace("SECOND", "0").replace("RATIO", "1").replace("0.8", "1.2"): "at most 1",
}


def refused():
    for text, words in BAD.items():
        with model_file(text + "analysis: {step: 0.1, end: 1}\n") as path:
            said = torsor("check", path, code=2)
        said = said.stdout + said.stderr
        check("refused", words, 0 if words in said else 1, 0, note="" if words in said else said[:300], quiet=True)


if __name__ == "__main__":
    need_program()
    for test in (dc_motor, cylinder, closed_cylinder, gear, clutch, brake, driven_brake, tyre, refused):
        test()
    sys.exit(verdict())
