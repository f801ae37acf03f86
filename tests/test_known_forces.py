#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Machines of the literature whose forces depend on the motion, written as a user would, against scipy's integration of their equations: order 2 with EP and ED, ledgers closed to 1e-11.
Galvanetto's two blocks on a belt, Duffing's oscillator by a table, a pendulum swung up by its energy, a gear train with backlash, a hydraulic servo with orifices, a quarter car over a step, an engine with its governor, magnetic levitation with its
current, LuGre's friction, Watt's governor, a brake by the reactions of two joints, a DC motor with a lossy gear. By events: a clock's escapement, a thermostat with hysteresis (closed form).
Springs whose stiffness, damping, preload and free value vary; the moment of a bushing as a force."""

import sys

from case_tools import check, need_program, run, verdict

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import PchipInterpolator

HEAD = "torsor: 1\nunits: SI\n"


def rails(*masses, speed=0):
    """Blocks a, b, ... on rails ra, rb, ... along x; `speed` is that of the first."""
    names = "ab"[:len(masses)]
    return (HEAD + "bodies:\n" + "".join(f"  {n}: {{mass: {m}, inertia: [1, 1, 1], position: [0, {k}, 0], velocity: [{0 if k else speed}, 0, 0]}}\n" for k, (n, m) in enumerate(zip(names, masses)))
            + "joints:\n" + "".join(f"  r{n}: {{type: prismatic, bodies: [ground, {n}], at: [0, {k}, 0], axis: x}}\n" for k, n in enumerate(names)))


def rotors(*inertias, speed=0):
    names = "ab"[:len(inertias)]
    return (HEAD + "bodies:\n" + "".join(f"  {n}: {{mass: 1, inertia: [{J}, {J}, {J}], position: [{k}, 0, 0], angular_velocity: [0, 0, {0 if k else speed}]}}\n" for k, (n, J) in enumerate(zip(names, inertias)))
            + "joints:\n" + "".join(f"  r{n}: {{type: revolute, bodies: [ground, {n}], at: [{k}, 0, 0], axis: z}}\n" for k, n in enumerate(names)))


def compare(case, text, rates, start, end, step, places, tolerance, order=2.0, stiff=False):
    """`places`: joint, coordinate, which of the variables of `rates`, and a typical size."""
    exact = solve_ivp(rates, (0, end), start, method="Radau" if stiff else "DOP853", rtol=1e-11, atol=1e-13, max_step=end/100).y[:, -1]
    for scheme in ("EP", "ED"):
        errors = []
        for h in (step, step/2, step/4):
            out = run(text + f"analysis: {{step: {h}, end: {end}}}\n", scheme=scheme, case=case, audit=1e-11)
            errors.append(max(abs(out.coordinate(joint, name)[-1] - exact[k])/size for joint, name, k, size in places))
        slope = np.log2(errors[0]/errors[2])/2
        check(case, f"{scheme}, against scipy", errors[-1], tolerance, f"order {slope:.2f}")
        check(case, f"{scheme}, order", min(slope - order, 0), 0.1)
    return out


def ledger(out):
    names = ["kinetic", "elastic", "gravity", "work_loads", "work_drives", "dissipated"]
    return dict(zip(names, out.frame["ledger"][-1]))


def galvanetto():
    k, k12, slope, belt, smooth = 1.0, 1.2, 3.0, 0.295, 0.05
    text = rails(1, 1) + f"""signals:
  ua: ra.displacement/(1 m)
  ub: rb.displacement/(1 m)
  va: {belt} - ra.rate/(1 m/s)
  vb: {belt} - rb.rate/(1 m/s)
  Fa: 1 N*tanh(va/{smooth})/(1 + {slope}*abs(va))
  Fb: 1.3 N*tanh(vb/{smooth})/(1 + {slope}*abs(vb))
loads:
  fa: {{type: motor, joint: ra, force: 'Fa - {k} N*ua - {k12} N*(ua - ub)'}}
  fb: {{type: motor, joint: rb, force: 'Fb - {k} N*ub - {k12} N*(ub - ua)'}}
"""

    def rub(v):
        return np.tanh(v/smooth)/(1 + slope*abs(v))

    def rates(_, y):
        return [y[2], y[3], rub(belt - y[2]) - k*y[0] - k12*(y[0] - y[1]), 1.3*rub(belt - y[3]) - k*y[1] - k12*(y[1] - y[0])]
    compare("two blocks on a belt", text, rates, [0]*4, 10, 0.02, [("ra", "displacement", 0, 1), ("rb", "displacement", 1, 1)], 1e-5)


def duffing_table():
    x = np.linspace(-2, 2, 41)
    curve = PchipInterpolator(x, x - x**3)
    table = ", ".join(f"[{a:.6g} m, {b:.15g} N]" for a, b in zip(x, x - x**3))
    text = rails(1, speed=0.3) + f"""signals: {{curve: {{table: [{table}], interpolation: smooth}}}}
loads:
  f: {{type: motor, joint: ra, force: 'curve(ra.displacement) - 0.2 N*s/m*ra.rate'}}
  p: {{type: motor, joint: ra, force: 0.3 N*cos(1.2*t)}}
"""
    out = compare("Duffing by a table", text, lambda t, y: [y[1], float(curve(y[0])) - 0.2*y[1] + 0.3*np.cos(1.2*t)], [0, 0.3], 5, 0.02, [("ra", "displacement", 0, 1)], 1e-5)
    place = out.coordinate("ra", "displacement")[-1]
    check("Duffing by a table", "the table is an energy", ledger(out)["elastic"] + float(curve.integrate(0, place)), 1e-12)


def swing_up():
    m, M, a, J, g = 0.3, 1.0, 0.5, 0.002, 9.81
    text = HEAD + f"""gravity: [0, 0, -{g}]
bodies:
  cart: {{mass: {M}, inertia: [1, 1, 1]}}
  rod: {{mass: {m}, inertia: [{J}, {J}, {J}], position: [0, 0, -{a}], angular_velocity: [0, 0.5, 0], velocity: [{-0.5*a}, 0, 0]}}
joints:
  ra: {{type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
  pin: {{type: revolute, bodies: [cart, rod], at: [0, 0, 0], axis: y}}
signals:
  w: pin.rate/(1 rad/s)
  energy_missing: {0.5*(J + m*a*a)}*w^2 - {m*g*a}*cos(pin.angle) - {m*g*a}
  push: 20*tanh(1.5*energy_missing*w*cos(pin.angle))
loads: {{f: {{type: motor, joint: ra, force: '1 N*push - 2 N/m*ra.displacement - 1 N*s/m*ra.rate'}}}}
"""

    def rates(_, y):
        x, q, v, w = y
        missing = 0.5*(J + m*a*a)*w*w - m*g*a*np.cos(q) - m*g*a
        force = 20*np.tanh(1.5*missing*w*np.cos(q)) - 2*x - v
        mass = np.array([[M + m, -m*a*np.cos(q)], [-m*a*np.cos(q), J + m*a*a]])
        return [v, w, *np.linalg.solve(mass, [force - m*a*np.sin(q)*w*w, -m*g*a*np.sin(q)])]
    compare("swing-up", text, rates, [0, 0, 0, 0.5], 3, 0.005, [("ra", "displacement", 0, 1), ("pin", "angle", 1, 1)], 1e-4)


def gear_backlash():
    k, c, gap, r = 500.0, 0.2, 0.01, 2.0
    text = rotors(0.05, 0.2, speed=3) + f"""signals:
  d: ra.angle/(1 rad) - {r}*rb.angle/(1 rad)
  tooth: {k} N*m*(max(d - {gap}, 0) + min(d + {gap}, 0)) + {c} N*m*(ra.rate - {r}*rb.rate)/(1 rad/s)
loads:
  drive: {{type: motor, joint: ra, torque: 2 N*m*sin(8*t) - tooth}}
  driven: {{type: motor, joint: rb, torque: '{r}*tooth - 0.3 N*m*s/rad*rb.rate'}}
"""

    def rates(t, y):
        d = y[0] - r*y[1]
        tooth = k*(max(d - gap, 0) + min(d + gap, 0)) + c*(y[2] - r*y[3])
        return [y[2], y[3], (2*np.sin(8*t) - tooth)/0.05, (r*tooth - 0.3*y[3])/0.2]
    compare("gears with backlash", text, rates, [0, 0, 3, 0], 1, 0.001, [("ra", "angle", 0, 1), ("rb", "angle", 1, 1)], 2e-5, order=1.6)  # its corners are met within steps


def hydraulic_servo():
    m, A, V, beta, supply, K = 20.0, 1e-3, 2e-4, 1e9, 150e5, 2e-8
    text = rails(m) + f"""signals:
  ref: {{step: {{at: 0 s, from: 0, to: 1, over: 0.1 s}}}}
  open: tanh(8*(0.1*ref - ra.displacement/(1 m)))
  qa: {K}*open*sqrt(max(1e3, {supply} - pa*1e5))
  qb: {K}*open*sqrt(max(1e3, pb*1e5))
states:
  pa: {{rate: '{beta/V/1e5}*(qa - {A}*ra.rate/(1 m/s))/(1 s)', initial: 75, scale: 100, unit: bar}}
  pb: {{rate: '{beta/V/1e5}*({A}*ra.rate/(1 m/s) - qb)/(1 s)', initial: 75, scale: 100, unit: bar}}
loads: {{f: {{type: motor, joint: ra, force: '{A*1e5} N*(pa - pb) - 800 N*s/m*ra.rate'}}}}
"""

    def rates(t, y):
        s = min(1, t/0.1)
        opening = np.tanh(8*(0.1*s*s*(3 - 2*s) - y[0]))
        qa, qb = K*opening*np.sqrt(max(1e3, supply - y[2]*1e5)), K*opening*np.sqrt(max(1e3, y[3]*1e5))
        return [y[1], (A*1e5*(y[2] - y[3]) - 800*y[1])/m, beta/V/1e5*(qa - A*y[1]), beta/V/1e5*(A*y[1] - qb)]
    compare("hydraulic servo", text, rates, [0, 0, 75, 75], 0.08, 0.0005, [("ra", "displacement", 0, 0.1), ("pa", "value", 2, 100)], 1e-4, stiff=True)


def quarter_car():
    body, wheel, spring, tyre = 300.0, 40.0, 20e3, 180e3
    v, F = [-2, -0.5, -0.1, 0, 0.1, 0.5, 2], [-1200, -500, -150, 0, 300, 1000, 2500]
    curve = PchipInterpolator(v, F)
    table = ", ".join(f"[{a} m/s, {b} N]" for a, b in zip(v, F))
    text = rails(body, wheel) + f"""signals:
  curve: {{table: [{table}], interpolation: smooth}}
  road: {{step: {{at: 0.1 s, from: 0 m, to: 0.05 m, over: 0.02 s}}}}
  strut: {spring} N/m*(ra.displacement - rb.displacement) + curve(ra.rate - rb.rate)
loads:
  up: {{type: motor, joint: ra, force: -strut}}
  down: {{type: motor, joint: rb, force: 'strut + {tyre} N/m*(road - rb.displacement)'}}
"""

    def rates(t, y):
        s = min(1, max(0, (t - 0.1)/0.02))
        force = spring*(y[0] - y[1]) + float(curve(np.clip(y[2] - y[3], -2, 2)))
        return [y[2], y[3], -force/body, (force + tyre*(0.05*s*s*(3 - 2*s) - y[1]))/wheel]
    compare("quarter car", text, rates, [0]*4, 1, 0.002, [("ra", "displacement", 0, 0.05), ("rb", "displacement", 1, 0.05)], 1e-5)


def engine():
    """A slider-crank with the pressure of its gas over the angle and a governor that integrates. The governor's state is found in one iteration: that must not end a step whose motion is not found yet."""
    R, L, m, J, A = 0.05, 0.15, 0.4, 0.02, 0.005
    text = HEAD + f"""bodies:
  crank: {{mass: 1e-3, inertia: [{J}, {J}, {J}], angular_velocity: [0, 0, 50]}}
  rod: {{mass: 1e-6, inertia: [1e-9, 1e-9, 1e-9], position: [{(R + L)/2}, 0, 0]}}
  piston: {{mass: {m}, inertia: [1e-3, 1e-3, 1e-3], position: [{R + L}, 0, 0]}}
joints:
  c: {{type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}}
  p: {{type: revolute, bodies: [crank, rod], at: [{R}, 0, 0], axis: z}}
  w: {{type: spherical, bodies: [rod, piston], at: [{R + L}, 0, 0]}}
  g: {{type: prismatic, bodies: [ground, piston], at: [{R + L}, 0, 0], axis: x}}
signals:
  gas: '2e5 Pa*exp(-((c.angle/(1 rad) - 0.6)/0.4)^2)'
  throttle: 0.5 + 0.02*(60 - c.rate/(1 rad/s)) + i
states: {{i: {{rate: 0.05*(60 - c.rate/(1 rad/s))/(1 s)}}}}
loads:
  push: {{type: motor, joint: g, force: -{A} m^2*gas*throttle}}
  load: {{type: motor, joint: c, torque: -4 N*m - 0.05 N*m*s/rad*c.rate}}
"""

    def rates(_, y):
        q, w, i = y
        s = np.sin(q)
        k = np.sqrt(L*L - R*R*s*s)
        d = -R*s - R*R*s*np.cos(q)/k
        bend = -R*np.cos(q) - R*R*(np.cos(2*q)*k*k + R*R*s*s*np.cos(q)**2)/k**3
        gas = 2e5*np.exp(-((q - 0.6)/0.4)**2)
        return [w, (-A*gas*(0.5 + 0.02*(60 - w) + i)*d - 4 - 0.05*w - m*d*bend*w*w)/(J + m*d*d), 0.05*(60 - w)]
    out = compare("engine", text, rates, [0, 50, 0], 0.08, 4e-4, [("c", "angle", 0, 1)], 1e-4)
    check("engine", "the account, with short steps", out.summary["relative_balance"], 1e-13)


def levitation():
    m, g, C, R, L, gap = 0.05, 9.81, 1e-4, 5.0, 0.05, 0.01
    rest = np.sqrt(m*g/C)*gap
    text = rails(m) + f"""signals:
  z: ra.displacement/(1 m) + {1.1*gap}
  wanted: {rest} + 600*(z - {gap}) + 20*ra.rate/(1 m/s)
states: {{i: {{rate: '({R}*wanted - {R}*i + 40*(wanted - i))/(1 s)/{L}', initial: {rest}, unit: A}}}}
loads: {{f: {{type: motor, joint: ra, force: '{m*g} N - {C} N*(i/z)^2'}}}}
"""

    def rates(_, y):
        z = y[0] + 1.1*gap
        wanted = rest + 600*(z - gap) + 20*y[1]
        return [y[1], g - C*(y[2]/z)**2/m, (R*wanted - R*y[2] + 40*(wanted - y[2]))/L]
    compare("levitation", text, rates, [0, 0, rest], 0.1, 0.001, [("ra", "displacement", 0, gap), ("i", "value", 2, rest)], 1e-3, stiff=True)


def lugre():
    s0, s1, s2, sliding, static, stribeck = 1e3, 30.0, 0.4, 1.0, 1.5, 0.05
    text = rails(1.0) + f"""signals:
  v: ra.rate/(1 m/s)
  bend: ({sliding} + {static - sliding}*exp(-(v/{stribeck})^2))/{s0}
  zdot: v - sqrt(v^2 + 1e-10)*z/bend
states: {{z: {{rate: zdot/(1 s), scale: 1e-3}}}}
loads: {{f: {{type: motor, joint: ra, force: '2 N/m*(0.1 m/s*time - ra.displacement) - 1 N*({s0}*z + {s1}*zdot + {s2}*v)'}}}}
"""

    def rates(t, y):
        bend = (sliding + (static - sliding)*np.exp(-(y[1]/stribeck)**2))/s0
        zdot = y[1] - np.sqrt(y[1]**2 + 1e-10)*y[2]/bend
        return [y[1], 2*(0.1*t - y[0]) - (s0*y[2] + s1*zdot + s2*y[1]), zdot]
    compare("LuGre", text, rates, [0, 0, 0], 15, 0.01, [("ra", "displacement", 0, 1)], 1e-5, stiff=True)


def governor():
    m, J, k, r, w = 0.5, 0.05, 800.0, 0.1, 20.0
    text = HEAD + f"""bodies:
  shaft: {{mass: 1, inertia: [{J}, {J}, {J}], angular_velocity: [0, 0, {w}]}}
  ball: {{mass: {m}, inertia: [1e-6, 1e-6, 1e-6], position: [{r}, 0, 0], velocity: [0, {w*r}, 0], angular_velocity: [0, 0, {w}]}}
joints:
  ra: {{type: revolute, bodies: [ground, shaft], at: [0, 0, 0], axis: z}}
  arm: {{type: prismatic, bodies: [shaft, ball], at: [0, 0, 0], axis: x}}
states: {{valve: {{rate: '(0.5 - 20*arm.displacement/(1 m) - valve)/(0.2 s)', initial: 0.5}}}}
springs: {{s: {{type: joint_spring, joint: arm, stiffness: {k} N/m, damping: 15 N*s/m, preload: {m*r*w*w} N}}}}
loads: {{drive: {{type: motor, joint: ra, torque: '3 N*m*valve - 0.1 N*m*s/rad*ra.rate'}}}}
"""

    def rates(_, y):
        _, u, turn, v, valve = y
        inertia = J + 1e-6 + m*(r + u)**2
        return [turn, v, (3*valve - 0.1*turn - 2*m*(r + u)*v*turn)/inertia, (r + u)*turn*turn - (k*u + 15*v + m*r*w*w)/m, (0.5 - 20*u - valve)/0.2]
    compare("governor", text, rates, [0, 0, w, 0, 0.5], 2, 0.004, [("ra", "angle", 0, 40), ("arm", "displacement", 1, 0.1)], 1e-4)


def two_reactions():
    """A carriage brakes by what its rail and the pin of a pendulum below it carry; all of that is dissipated, since it always opposes the motion."""
    g, M, m, a, J = 9.81, 2.0, 1.0, 0.4, 0.01
    text = HEAD + f"""gravity: [0, 0, -{g}]
bodies:
  car: {{mass: {M}, inertia: [1, 1, 1], velocity: [3, 0, 0]}}
  rod: {{mass: {m}, inertia: [{J}, {J}, {J}], position: [0, 0, -{a}], velocity: [3, 0, 0]}}
joints:
  ra: {{type: prismatic, bodies: [ground, car], at: [0, 0, 0], axis: x}}
  pin: {{type: revolute, bodies: [car, rod], at: [0, 0, 0], axis: y}}
loads: {{brake: {{type: motor, joint: ra, force: '-0.2*(ra.force.z + 0.5*pin.force.z)*tanh(ra.rate/(0.1 m/s))'}}}}
"""

    def rates(_, y):
        _, q, v, w = y
        c, s, grip = np.cos(q), np.sin(q), 0.2*np.tanh(v/0.1)
        mass = np.array([[M + m, -m*a*c + grip*1.5*m*a*s], [-m*a*c, J + m*a*a]])
        return [v, w, *np.linalg.solve(mass, [-m*a*s*w*w - grip*(M*g + 1.5*(m*g + m*a*c*w*w)), -m*g*a*s])]
    out = compare("brake by two joints", text, rates, [0, 0, 3, 0], 2, 0.005, [("ra", "displacement", 0, 1), ("pin", "angle", 1, 1)], 2e-5)
    check("brake by two joints", "no work, but losses", [ledger(out)["work_loads"], ledger(out)["dissipated"] < 10], 1e-12)


def lossy_gear():
    k, R, L, u, J1, J2, n, eta, load = 0.05, 0.5, 1e-3, 12.0, 1e-4, 0.5, 30.0, 0.8, 20.0
    text = rotors(J1, J2) + f"""  g: {{type: gear, joint: ra, to: rb, ratio: {1/n}, efficiency: {eta}, slow_speed: 1e-5 rad/s}}
loads:
  m: {{type: dc_motor, joint: ra, voltage: {u}, constant: {k}, resistance: {R}, inductance: {L}}}
  load: {{type: motor, joint: rb, torque: '-{load} N*m*tanh(rb.rate/(0.05 rad/s))'}}
"""

    def rates(_, y):
        return [(u - R*y[0] - k*y[1])/L, (k*y[0] - load*np.tanh(y[1]/n/0.05)/(n*eta))/(J1 + J2/(n*n*eta)), y[1]]
    compare("motor with a lossy gear", text, rates, [0, 0, 0], 0.3, 0.0005, [("ra", "angle", 2, 10), ("m", "current", 0, 10)], 1e-5, stiff=True)


def escapement():
    """A torque pushes a balance wheel from -2 to 2 degrees as it passes with rising angle."""
    k, c, torque, half, end = 4.0, 0.05, 0.3, np.radians(2), 40.0
    text = rotors(1.0, speed=0.6) + f"""springs: {{s: {{type: torsion_spring, joint: ra, stiffness: {k} N*m/rad, damping: {c} N*m*s/rad}}}}
loads: {{push: {{type: motor, joint: ra, torque: {torque} N*m}}}}
events:
  start: {{at: 0 s, switch_off: push}}
  on: {{when: ra.angle > -2 deg, switch_on: push}}
  off: {{when: ra.angle > 2 deg, switch_off: push}}
"""
    t, y, on = 0.0, [0.0, 0.6], 0
    while t < end:
        def met(_, z, on):
            return z[0] - (half if on else -half)
        met.terminal, met.direction = True, 1
        part = solve_ivp(lambda _, z, on: [z[1], -k*z[0] - c*z[1] + torque*on], (t, end), y, args=(on,), method="DOP853", rtol=1e-12, atol=1e-14, events=met, max_step=0.05)
        t, y, on = part.t[-1], part.y[:, -1], 1 - on
    for scheme in ("EP", "ED"):
        errors = []
        for h in (0.02, 0.01, 0.005):
            out = run(text + f"analysis: {{step: {h}, end: {end}}}\n", scheme=scheme, case="escapement", audit=1e-11)
            errors.append(abs(out.coordinate("ra", "angle")[-1] - y[0]))
        check("escapement", f"{scheme}, against scipy", errors[-1]/0.3, 1e-4)
        slope = np.log2(errors[0]/errors[2])/2
        if scheme == "EP":  # that of ED is far smaller, and its order not yet seen
            check("escapement", f"{scheme}, order", slope - 2, 0.1, f"{slope:.2f}")


def thermostat():
    """T' = (80 heat - (T - 20))/10 s, switched at 60 and 50: exponentials between. The last of 37 switches is where it must be."""
    text = rails(1.0) + """states: {T: {rate: '(80*heat - (T - 20))/(10 s)', initial: 20}, heat: {rate: 0/(1 s), initial: 1}}
events:
  hot: {when: T > 60, set: {heat: 0}}
  cold: {when: T < 50, set: {heat: 1}}
"""
    cycle = 10*np.log(40/30) + 10*np.log(50/40)
    errors = []
    for h in (0.1, 0.05):
        out = run(text + f"analysis: {{step: {h}, end: 100}}\n", scheme="ED", case="thermostat", audit=1e-11)
        hot = next(e for e in out.summary["events"] if e["name"] == "hot")
        check("thermostat", "how often it switches", hot["count"] - 19, 0)
        errors.append(hot["t"] - 10*np.log(2) - 18*cycle)
    check("thermostat", "the last switch", errors[-1], 5e-3)
    check("thermostat", "order", np.log2(errors[0]/errors[1]) - 2, 0.1)


def varied_springs():
    """a: a stiffness by its own displacement, a potential that EP keeps. b: everything varies with the time and with a."""
    text = rails(2, 1, speed=0.9) + """springs:
  sa: {type: joint_spring, joint: ra, stiffness: '40 N/m*(1 + 2*ra.displacement^2/(1 m^2))', free_displacement: -0.2 m}
  sb: {type: joint_spring, joint: rb, stiffness: '30 N/m*(1 + 0.3*sin(2*t))', damping: '0.5 N*s/m*(1 + ra.displacement/(1 m))', free_displacement: '0.1 m*cos(3*t)', preload: '1 N*ra.displacement/(1 m)'}
"""

    def rates(t, y):
        x, v, z, w = y
        return [v, -40*(1 + 2*x*x)*(x + 0.2)/2, w, -(30*(1 + 0.3*np.sin(2*t))*(z - 0.1*np.cos(3*t)) + 0.5*(1 + x)*w + x)]
    out = compare("varied springs", text, rates, [0, 0.9, 0, 0], 3, 0.01, [("ra", "displacement", 0, 1), ("rb", "displacement", 2, 1)], 2e-4)
    alone = run(text.split("  sb:")[0] + "analysis: {step: 0.01, end: 3}\n", scheme="EP", case="varied springs", audit=1e-11)
    x = alone.coordinate("ra", "displacement")[-1] + 0.2
    check("varied springs", "potential", ledger(alone)["elastic"] - 40*(x**2*1.08/2 - 0.8*x**3/3 + x**4/2), 1e-12)
    check("varied springs", "no work", ledger(alone)["work_loads"], 0)
    check("varied springs", "damping dissipates", 0 if ledger(out)["dissipated"] > 0.01 else 1, 0)


def spring_by_time():
    """A tendon between two points: stiffness and free length both vary."""
    text = rails(1.5) + "springs: {cord: {bodies: [ground, a], from: [-1, 0, 0], to: [0, 0, 0], stiffness: '50 N/m*(1 + 0.5*ra.rate^2/(1 m^2/s^2))', free_length: '1 m - 0.3 m*smooth(t) + 0.2*ra.displacement', damping: 2 N*s/m}}\n"

    def rates(t, y):
        s = min(t, 1)
        return [y[1], -(50*(1 + 0.5*y[1]**2)*(0.8*y[0] + 0.3*(3*s*s - 2*s**3)) + 2*y[1])/1.5]
    compare("tendon", text, rates, [0, 0], 1, 0.01, [("ra", "displacement", 0, 1)], 1e-4)


def bushing_moment():
    """A motor drives a block with the three moments of a bushing between two bodies that move, in turn: as results tell them."""
    text = HEAD + """bodies:
  a: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.3, 0.1, 0], angular_velocity: [0.4, 1, -0.6]}
  b: {mass: 3, inertia: [0.3, 0.2, 0.2], position: [-0.2, 0, 0.2], velocity: [0, 0.1, 0]}
  c: {mass: 1, inertia: [1, 1, 1], position: [3, 0, 0]}
joints: {rc: {type: prismatic, bodies: [ground, c], at: [3, 0, 0], axis: x}}
springs: {m: {type: bushing, bodies: [b, a], at: [0, 0, 0.1], axis: [1, 2, 3], stiffness: [300, 400, 500, 20, 30, 25], damping: [1, 1, 1, 0.2, 0.2, 0.2]}}
loads: {read: {type: motor, joint: rc, force: 'm.moment.AXIS/(1 m)'}}
analysis: {step: 4 ms, end: 0.4 s}
"""
    for k, axis in enumerate("xyz"):
        for scheme in ("EP", "ED"):
            out = run(text.replace("AXIS", axis), scheme=scheme, case="bushing", audit=1e-11)
            told, size = out.force("read")[1:, 0], np.abs(out.moment("m")[:, k]).max()
            check("bushing", f"moment {axis}, {scheme}", (told - out.moment("m")[1:, k])/size, 1e-12, f"{size:.2g} N m")


def main():
    need_program()
    for case in (galvanetto, duffing_table, swing_up, gear_backlash, hydraulic_servo, quarter_car, engine, levitation, lugre, governor, two_reactions, lossy_gear, escapement, thermostat, varied_springs, spring_by_time, bushing_moment):
        case()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
