#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Well-known problems of machines, vehicles, rotors, satellites, robots and frames, written as a new user would.

References are closed forms, Ritz' method, ordinary differential equations or equilibria of few unknowns, all written here by hand.
"""
import csv
import sys

from case_tools import changed, check, model, need_program, run, solve, verdict, Run
from program import modes_of, model_file, torsor

import numpy as np
from numpy.polynomial import Polynomial
from scipy.integrate import solve_bvp, solve_ivp
from scipy.interpolate import CubicSpline
from scipy.linalg import eigh
from scipy.optimize import brentq, minimize

G = 9.81


def ode(rate, y0, times):
    """Exact motion at the given times (the first is the start)."""
    s = solve_ivp(rate, (times[0], times[-1]), y0, method="DOP853", t_eval=times, rtol=1e-11, atol=1e-12)
    assert s.success, s.message
    return s.y


def off(a, b):
    """Largest difference over the largest value."""
    return np.max(np.abs(np.asarray(a) - b))/np.max(np.abs(b))


def omegas(text, count, *options):
    return np.array([m["omega"] for m in modes_of(text, count, *options)])


def table(text, *options):
    """The columns that the model asks for, by name."""
    with model_file(text) as path:
        out = path.with_suffix(".csv")
        torsor("run", path, "-q", "-o", path.with_suffix(".h5"), "--csv", out, *options)
        rows = list(csv.reader(out.open()))
    return {name.split(" [")[0]: np.array([float(row[i]) for row in rows[1:]]) for i, name in enumerate(rows[0])}


# ---- satellites ----

def booms():
    """Ritz: hub and two equal booms, antisymmetric (the hub turns) and symmetric (it moves), the boom as x^2 times a polynomial."""
    R, L, J, M, EI, rho, T, during, Jw = .5, 4, 2, 10, 30, .2, .3, 4, .05
    shapes = [Polynomial([0, 0, 1])*Polynomial.basis(k)/L**k for k in range(9)]

    def over(f):
        F = f.integ()
        return F(L) - F(0)

    def matrices(rigid, inertia):
        f = [rigid, *shapes]
        mass = 2*rho*np.array([[over(a*b) for b in f] for a in f])
        mass[0, 0] += inertia
        return mass, 2*EI*np.array([[over(a.deriv(2)*b.deriv(2)) for b in f] for a in f])
    turning, moving = matrices(Polynomial([R, 1]), J), matrices(Polynomial([1]), M)
    exact = np.sort(np.concatenate([np.sqrt(np.abs(eigh(k, m, eigvals_only=True)))[1:4] for m, k in (turning, moving)]))
    found = omegas(model("hub_and_booms"), 10)
    check("booms", "free motions: two of the hub, its turning, the wheel", found[:4], 1e-3, quiet=True)
    check("booms", "frequencies with the hub", found[4:8]/exact[:4] - 1, 1e-4)
    m, k = turning
    square, V = eigh(k, m)
    square, V = square[:6], V[:, :6]  # those beyond hardly move

    def rate(t, y):  # modal coordinates
        torque = T*np.sin(2*np.pi*t/during) if t < during else 0
        return np.concatenate([y[6:], V[0]*torque - square*y[:6]])
    for scheme, tolerance in (("ED", 2e-3), ("EP", 4e-3)):
        r = run(model("hub_and_booms"), scheme, 2e-2, 8, every=5, case="booms")
        y = ode(rate, np.zeros(12), r.t)
        check("booms", f"{scheme}: angle of the hub, of the largest", off(r.coordinate("plane", "angle"), V[0] @ y[:6]),
              tolerance)
        momentum = r.frame["momentum_angular"][:, 2]
        check("booms", f"{scheme}: angular momentum stays zero, of the wheel's", momentum/(Jw*8), 1e-11, quiet=True)


def panels():
    """Hub (x, y, angle) and three hinges: Lagrange's equations, the mass matrix by derivatives of the places."""
    a, l, M, J, m, k, c, over = 1, 2, 200, 50, 6, 2, 6, .3
    straight = np.array([-np.pi/2, np.pi, -np.pi])

    def angles(q):
        return q[2] + np.cumsum([np.pi/2 + q[3], np.pi + q[4], np.pi + q[5]])

    def places(q):
        e = np.exp(1j*angles(q))
        root = q[0] + 1j*q[1] + a*np.exp(1j*q[2]) + l*np.concatenate([[0], np.cumsum(e)[:2]])
        return root + l/2*e

    def mass(q):
        A = np.diag([M, M, J, 0, 0, 0.])
        d = np.array([(places(q + h) - places(q - h))/2e-6 for h in 1e-6*np.eye(6)])
        turns = np.array([[0, 0, 1, *(j <= i for j in range(3))] for i in range(3)], float)
        return A + m*np.real(d @ d.conj().T) + (m*l*l/12)*turns.T @ turns

    def rate(_, y):
        q, v = y[:6], y[6:]
        h = 1e-4
        slopes = [(mass(q + h*e) - mass(q - h*e))/(2*h) for e in np.eye(6)]
        force = np.array([v @ s @ v/2 for s in slopes]) - sum(w*s for w, s in zip(v, slopes)) @ v
        force[3:] -= k*(q[3:] - straight - over*np.sign(straight)) + c*v[3:]
        return np.concatenate([v, np.linalg.solve(mass(q), force)])
    times = np.linspace(0, 4, 9)
    s = solve_ivp(rate, (0, 4), np.zeros(12), t_eval=times, rtol=1e-7, atol=1e-9)
    r = run(model("panel_deployment"), "ED", .01, 60, every=50, case="panels")
    early = [r.at(t) for t in times]
    hinges = np.array([r.coordinate(j, "angle") for j in ("root", "knee", "tip")])
    check("panels", "hinges while they open, rad", hinges[:, early] - s.y[3:6], 1e-4)
    check("panels", "hub meanwhile, rad", r.coordinate("plane", "angle")[early] - s.y[2], 1e-4)
    check("panels", "no stop is met yet", np.any(np.abs(s.y[3:6]) > np.abs(straight)[:, None]), 0, quiet=True)
    check("panels", "at the end, beyond the stops by what the springs push, rad",
          hinges[:, -1] - straight - np.sign(straight)*k*over/(k + 2e3), 1e-6)
    check("panels", "at rest", [np.linalg.norm(r.omega("outer")[-1]), r.frame["momentum_angular"][-1, 2]/10], 1e-9, quiet=True)


# ---- rotors and drives ----

def geared_torsion():
    n, k1, k2, k3 = 3, 5e3, 2e4, 3e4
    M = np.diag([.05*n*n, .01*n*n + .4, 2, 1.2])  # at the speed of the wheel
    K = np.zeros((4, 4))
    for (i, j), k in (((0, 1), k1*n*n), ((1, 2), k2), ((1, 3), k3)):
        K[np.ix_([i, j], [i, j])] += k*np.array([[1, -1], [-1, 1]])
    exact = np.sqrt(np.abs(eigh(K, M, eigvals_only=True)))
    found = omegas(model("geared_torsion"), 4)
    check("geared", "one free motion, three frequencies", (found[1:]/exact[1:] - 1), 1e-9)


def sommerfeld():
    M, m, e, J, k, c, w0 = 10, 1, .02, .01, 1.1e4, 20, 80

    def rate(_, y, T0):
        x, a, v, w = y
        A = [[M + m, -m*e*np.sin(a)], [-m*e*np.sin(a), J + m*e*e]]
        acceleration = np.linalg.solve(A, [m*e*w*w*np.cos(a) - k*x - c*v, T0*(1 - w/w0)])
        return [v, w, *acceleration]
    for T0, end, passes in ((.25, 6, False), (.75, 8, True)):
        exact = solve_ivp(rate, (0, end), [0, 0, 0, 0], args=(T0,), rtol=1e-9, atol=1e-11, dense_output=True).sol
        for scheme in ("ED", "EP"):
            r = run(changed(model("sommerfeld"), T0=T0), scheme, 1e-3, end, every=20, case="Sommerfeld")
            speed = r.coordinate_rate("bearing", "angle")
            check("Sommerfeld", f"{scheme}, {T0} N m {'passes through' if passes else 'is caught'}: speed, of the largest",
                  off(speed, exact(r.t)[3]), 5e-3)
            check("Sommerfeld", f"{scheme}, {T0} N m: so it does", (speed[-1] > 60) != passes, 0, quiet=True)


def cardan():
    bend, W, J = np.radians(30), 10, .02
    for phase in (0, 90):
        r = run(changed(model("cardan_shafts"), phase=f"{phase} deg"), "ED", 1e-3, 1, case="Cardan")
        a = W*r.t
        # the arm across both shafts is on the shaft between: it lags by a quarter turn, tan(middle) = tan(in) cos(bend)
        middle = np.unwrap(np.arctan2(np.sin(a)*np.cos(bend), np.cos(a)), period=2*np.pi)
        if phase == 0:
            exact = a
        else:
            exact = np.unwrap(np.arctan2(np.sin(middle)*np.cos(bend), np.cos(middle)))
        check("Cardan", f"yokes at {phase} deg: angle of the output, rad", r.coordinate("bearing_out", "angle") - exact, 1e-9)
    r = table(model("cardan_shafts"))
    t = r["t"]
    ratio = np.cos(bend)/(1 - np.sin(bend)**2*np.sin(W*t)**2)
    slope = np.cos(bend)*np.sin(bend)**2*np.sin(2*W*t)/(1 - np.sin(bend)**2*np.sin(W*t)**2)**2
    torque = J*W*W*ratio*slope
    check("Cardan", "torque of the drive, of the largest", off(r["drive.effort"][3:], torque[3:]), 1e-4)  # the first step has a blow of 0.3 %


def rotor_blades():
    L, GJ, J3, J2, k, W = 6, 5e3, .3, .01, 1e3, 40
    still = np.array([brentq(lambda x: x*np.tan(x) - k*L/GJ, n*np.pi + 1e-9, (n + .5)*np.pi - 1e-9) for n in range(4)])
    still *= np.sqrt(GJ/(J2 + J3))/L
    check("blade", "torsion at rest", omegas(model("blade_torsion"), 4)/still - 1, 1e-5)
    check("blade", "torsion in rotation, with the propeller moment",
          omegas(model("blade_torsion"), 4, "--spin", f"[0, 0, {W}]")/np.sqrt(still**2 + W*W*(J3 - J2)/(J3 + J2)) - 1, 1e-5)
    e, l, m, c, W = .3, 5, 40, 300, 30
    I = m*l*l/3
    found = modes_of(model("lead_lag"), 2, "--spin", f"[0, 0, {W}]")
    lag = np.roots([I + .05, c, m*e*l/2*W*W])[0]
    check("blade", "lag: frequency, damping", [found[0]["omega"]/abs(lag.imag) - 1, found[0]["growth"]/lag.real - 1], 1e-6)
    check("blade", "flap", found[1]["omega"]/(W*np.sqrt(1 + 1.5*e/l)) - 1, 1e-4)


def wind_turbine():
    """Stiff blades: one equation for the speed; at a root, gravity and what accelerates the blade. The tower sways by some centimetres."""
    R0, L, m0, m1, n, Jg, c, aero, w0 = 1.5, 30, 200, 40, 50, 60, 80, 6e5, 1.5
    line = Polynomial([m0, (m1 - m0)/L])

    def over(f):
        return f.integ()(L) - f.integ()(0)
    out = Polynomial([R0, 1])
    I = 3*(over(line*out**2) + over(Polynomial([32, (.8 - 32)/L]))) + 1e4 + n*n*Jg
    r = run(model("wind_turbine"), "ED", 2.5e-3, 1.5, case="turbine", audit=1e-9)  # 30 steps to a turn of the generator
    top = aero/(n*n*c)
    speed = top + (w0 - top)*np.exp(-n*n*c/I*r.t)
    azimuth = top*r.t + (w0 - top)*I/(n*n*c)*(1 - np.exp(-n*n*c/I*r.t))
    a = n*n*c/I*(top - speed)
    check("turbine", "angle of the rotor, of the largest", off(r.coordinate("shaft", "angle"), azimuth), 1e-3)
    moment = -(over(line*out*Polynomial([0, 1])) + over(Polynomial([32, (.8 - 32)/L])))*a
    moment += over(line*Polynomial([0, 1]))*G*np.sin(azimuth)
    mean = (moment[1:] + moment[:-1])/2
    slow = np.convolve(r.moment("root_one")[1:, 0] - mean, np.ones(101)/101, "valid")  # vibration of the tower is averaged out
    check("turbine", "moment of gravity at a root, of the largest", slow/np.max(np.abs(mean)), 3e-2)


# ---- vehicles, robots ----

def quarter_car():
    mb, mw, ks, cs, kt, ct, bump, over = 300, 40, 18e3, 1200, 180e3, 150, .08, .25

    def rate(t, y):
        road = bump*(1 - np.cos(2*np.pi*t/over))/2 if t < over else 0
        climb = bump*np.pi/over*np.sin(2*np.pi*t/over) if t < over else 0
        strut = ks*(y[1] - y[0]) + cs*(y[3] - y[2])
        return [y[2], y[3], (strut - kt*(y[0] - road) - ct*(y[2] - climb))/mw, -strut/mb]
    for scheme in ("ED", "EP"):
        r = run(model("quarter_car"), scheme, 2e-3, 2, every=10, case="quarter car")
        exact = ode(rate, [0, 0, 0, 0], r.t)
        for name, row, at in (("wheel", 0, .3), ("body", 1, .8)):
            check("quarter car", f"{scheme}: {name}, of the largest", off(r.position(name)[:, 2] - at, exact[row]), 2e-3)


def stewart():
    """Newton and Euler: across a leg, what its angular momentum asks for; along it, six unknowns for the platform."""
    rb, rp, h, db, dp, m1, c1, m2, c2, I1, I2 = 1, .6, 1.2, np.radians(10), np.radians(50), 3, .3, 2, .35, .1, .08
    m, inertia, g = 20, np.array([.9, 1.1, 1.9]), np.array([0, 0, -G])
    sides = [(k, s) for k in range(3) for s in (1, -1)]
    below = np.array([[rb*np.cos(2*np.pi*k/3 + s*db), rb*np.sin(2*np.pi*k/3 + s*db), 0] for k, s in sides])

    def pose(t):
        turn = .3*np.sin(2*t)
        arms = np.array([[rp*np.cos(2*np.pi*k/3 + s*dp + turn), rp*np.sin(2*np.pi*k/3 + s*dp + turn), 0] for k, s in sides])
        return np.array([.15*np.sin(3*t), .1*(1 - np.cos(3*t)), h + .12*np.sin(4*t)]), arms

    def second(f, t, d=1e-3):
        return (-f(t + 2*d) + 16*f(t + d) - 30*f(t) + 16*f(t - d) - f(t - 2*d))/(12*d*d)

    def forces(t):
        x, arms = pose(t)
        legs = x + arms - below
        length = np.linalg.norm(legs, axis=1)
        n = legs/length[:, None]

        def direction(s):
            y, b = pose(s)
            v = y + b - below
            return v/np.linalg.norm(v, axis=1)[:, None]

        def upper(s):
            y, b = pose(s)
            return y + b - c2*direction(s)
        n2, u2 = second(direction, t), second(upper, t)
        turning = (I1 + I2)*np.cross(n, n2) + m1*c1*c1*np.cross(n, n2) + m2*np.cross(n*(length - c2)[:, None], u2)
        turning -= np.cross(n*(m1*c1 + m2*(length - c2))[:, None], g)
        across = np.cross(turning, n)/length[:, None]  # force of the platform on the tip of the leg
        a = -1.2*np.sin(2*t)
        push = m*(second(lambda s: pose(s)[0], t) - g) + across.sum(axis=0)
        twist = np.array([0, 0, inertia[2]*a]) + np.cross(arms, across).sum(axis=0)
        along = np.linalg.solve(np.vstack([n.T, np.cross(arms, n).T]), np.concatenate([push, twist]))  # of the legs on the platform
        return along + m2*np.einsum("ij,ij->i", u2 - g, n)
    for scheme, tolerance in (("ED", 2e-5), ("EP", 2e-3)):
        r = table(model("stewart_platform"), "--scheme", scheme, "--step", "2ms", "--end", "1s")
        found = np.array([r[f"leg{i}.effort"] for i in range(1, 7)]).T[1::20]
        exact = np.array([forces(t) for t in r["t"][1::20]])
        check("Stewart", f"{scheme}: forces of the motors, of the largest", off(found[1:], exact[1:]), tolerance)
        check("Stewart", f"{scheme}: the platform is where it should be, m",
              np.array([r[f"platform.position.{k}"] for k in "xyz"]).T - [pose(t)[0] for t in r["t"]], 1e-12)


def delta():
    """Lagrange's equations for the place of the platform; a uniform rod from P to Q has m/6 (P'^2 + P'Q' + Q'^2)."""
    rb, rp, la, lr, ma, mr, mp, k = .3, .1, .4, .9, 1, .2, 2, 20
    drop = np.sqrt(lr**2 - (rb + la - rp)**2)
    out = [np.array([np.cos(2*np.pi*i/3), np.sin(2*np.pi*i/3), 0]) for i in range(3)]
    down = np.array([0, 0, -1])

    def swing(x):
        """Angles of the arms, positive down."""
        a = []
        for e in out:
            d = x + (rp - rb)*e  # from the shaft to the lower end; |d - la (cos e + sin down)| = lr
            A, B, C = 2*la*(d @ e), 2*la*(d @ down), d @ d + la*la - lr*lr
            a.append(np.arctan2(B, A) - np.arccos(C/np.hypot(A, B)))
        return np.array(a)

    def slopes(x):
        return np.array([(swing(x + h) - swing(x - h))/2e-6 for h in 1e-6*np.eye(3)]).T

    def mass(x):
        A = (mp + 0.)*np.eye(3)
        for e, a, da in zip(out, swing(x), slopes(x)):
            elbow = np.outer(la*(-np.sin(a)*e + np.cos(a)*down), da)
            A += ma*la*la/3*np.outer(da, da) + 2*mr/3*(elbow.T @ elbow + (elbow + elbow.T)/2 + np.eye(3))
        return A

    def potential(x):
        a = swing(x)
        heights = -la*np.sin(a)
        return mp*G*x[2] + sum(ma*G*heights/2 + mr*G*(heights + x[2])) + k/2*sum(a*a)

    def rate(_, y):
        x, v = y[:3], y[3:]
        steps = 1e-4*np.eye(3)
        slope = [(mass(x + h) - mass(x - h))/2e-4 for h in steps]
        force = [v @ s @ v/2 - (potential(x + h) - potential(x - h))/2e-4 for s, h in zip(slope, steps)]
        return np.concatenate([v, np.linalg.solve(mass(x), force - sum(w*s for w, s in zip(v, slope)) @ v)])
    for scheme in ("ED", "EP"):
        r = run(model("delta_robot"), scheme, 2e-3, 1, every=25, case="delta")
        s = solve_ivp(rate, (0, 1), [0, 0, -drop, *r.velocity("platform")[0]], t_eval=r.t, rtol=1e-8, atol=1e-10)
        check("delta", f"{scheme}: place of the platform, m", r.position("platform") - s.y[:3].T, 1e-4)
        check("delta", f"{scheme}: it does not turn", r.rotation("platform") - np.eye(3), 1e-10, quiet=True)
        each = r.summary["iterations"]/r.summary["steps_done"]
        check("delta", f"{scheme}: thin rods that may spin cost no more than others, iterations a step over 10", each/10, 1)


# ---- frames and structures ----

def portal():
    h, c = 3, 2e3/1e3*3/5
    hinged = brentq(lambda x: x*np.tan(x) - 6*c, 1e-6, np.pi/2 - 1e-9)
    clamped = brentq(lambda x: x*np.cos(x) + 6*c*np.sin(x), np.pi/2, np.pi)
    for foot, x in ((0, hinged), (1, clamped)):
        text = changed(model("portal_frame"), foot=foot)
        found = modes_of(text, 1, "--buckling")[0]["load_factor"]
        exact = (x/h)**2*1e3
        check("portal", f"{'clamped' if foot else 'hinged'} feet: sway load {exact:.3f} N", found/exact - 1, 1e-4)
        below, above = (modes_of(changed(text, P=exact*f), 1)[0] for f in (.999, 1.001))
        check("portal", "modes under load: stable below, not above", [below["growth"] > 1e-6, above["growth"] < .01], 0, quiet=True)


def ring():
    for p in (0, 1.5, 2.9):
        w = next(m["omega"] for m in modes_of(changed(model("ring_pressure"), p=p or 1e-9), 4) if "along z" not in m["motion"])
        check("ring", f"pressure {p}: frequency of the oval", w/np.sqrt(7.2*(1 - p/3)) - 1, 1e-4)


def three_ways():
    L, EI, F = 10, 200e9*.1**3/12, 40e3
    s = solve_bvp(lambda s, y: [y[1], -F/EI*np.cos(y[0])], lambda a, b: [a[0], b[1]], np.linspace(0, L, 50), np.zeros((2, 50)), tol=1e-9)
    a = s.sol(np.linspace(0, L, 4001))[0]
    tip = [np.trapz(np.cos(a), dx=L/4000) - L, np.trapz(np.sin(a), dx=L/4000)]
    r = table(model("three_ways"))
    for part in ("beam.end", "shell.shell_tip", "solid.solid_tip"):
        found = [r[f"{part}.displacement.{k}"][-1] for k in "xz"]
        check("three ways", f"{part.split('.')[0]}: tip, of its way", np.array(found)/tip - 1, 1e-3)
    f = omegas(model("three_ways"), 6)
    check("three ways", "frequencies of the bent cantilever agree", [np.ptp(f[:3])/f[0], np.ptp(f[3:])/f[3]], 1e-3)


def hole():
    r = table(model("plate_with_hole"))
    check("hole", "Howland: 4.32 of the stress far away", r["strip.side.stress.s11"][-1]/4.32e6 - 1, 2e-2)
    check("hole", "no stress on the rim", r["strip.side.stress.s22"][-1]/4.32e6, 5e-3)


def strings():
    k = np.arange(1, 4)
    across = 2*np.sqrt(50/(.1*.25))*np.sin(k*np.pi/8)
    found = omegas(model("beaded_string"), 9)
    check("string", "across, twice each", found[:6]/np.repeat(across, 2) - 1, 1e-9)
    check("string", "along", found[6:]/(2*np.sqrt(1e4/.25/.1)*np.sin(k*np.pi/8)) - 1, 1e-9)


def dome():
    EA = 1e6
    inner = np.array([[2.5*np.cos(a), 2.5*np.sin(a), .6216] for a in np.radians(60*np.arange(6))])
    ground = np.array([[5*np.cos(a), 5*np.sin(a), 0] for a in np.radians(30 + 60*np.arange(6))])
    places = np.vstack([[0, 0, .8216], inner, ground])
    bars = [(0, 1 + i) for i in range(6)] + [(1 + i, 1 + (i + 1) % 6) for i in range(6)]
    bars += [(1 + i, 7 + i) for i in range(6)] + [(1 + (i + 1) % 6, 7 + i) for i in range(6)]
    bars = np.array(bars)
    rest = np.linalg.norm(places[bars[:, 0]] - places[bars[:, 1]], axis=1)

    def residual(x, load):
        now = places.copy()
        now[:7] += x.reshape(7, 3)
        d = now[bars[:, 0]] - now[bars[:, 1]]
        length = np.linalg.norm(d, axis=1)
        pull = (EA/rest*(length - rest)/length)[:, None]*d
        f = np.zeros_like(now)
        np.add.at(f, bars[:, 0], pull), np.add.at(f, bars[:, 1], -pull)
        f[0, 2] += load
        return f[:7].ravel()
    r = solve(Run, model("star_dome"))
    found = np.array([r.position(n) for n in ("t0", *(f"i{i}" for i in range(6)))]).transpose(1, 0, 2) - places[:7]
    worst = [np.max(np.abs(residual(x.ravel(), 2000*t))) for x, t in zip(found, r.t)]
    check("dome", "forces out of balance along the path, of the load", np.array(worst)/2000, 1e-8)
    check("dome", "it snaps through: the load falls below zero and comes back", [np.min(r.t) > -.1, r.t[-1] - 1 > 1e-9], 0, quiet=True)


def mast():
    H, a, EA, S, F = 20, 12, 2e5, 3e3, 1500
    anchors = np.array([[a*np.cos(b), a*np.sin(b), 0] for b in np.radians([0, 120, 240])])
    rest = np.hypot(H, a)/(1 + S/EA)

    def energy(u):
        top = H*np.array([u[0], u[1], np.sqrt(1 - u[0]**2 - u[1]**2)])
        stretch = np.linalg.norm(top - anchors, axis=1)/rest - 1
        return np.sum(EA*rest*stretch**2)/2 - F*top[0] - .4*F*top[1]
    u = minimize(energy, [.02, .01], method="Nelder-Mead", options={"xatol": 1e-12, "fatol": 1e-13, "maxiter": 4000}).x
    r = table(model("guyed_mast"))
    found = [r[f"guy1.end.displacement.{k}"][-1]/H for k in "xy"]
    check("mast", "top, of its way", off(found, u), 1e-5)
    top = H*np.array([*u, np.sqrt(1 - u @ u)])
    pull = EA*(np.linalg.norm(top - anchors, axis=1)/rest - 1)
    check("mast", "tensions of the guys", [r[f"guy{i}.section.2.N"][-1]/pull[i - 1] - 1 for i in (1, 2, 3)], 1e-5)


def cap():
    """Axisymmetric shell of small strains and large rotations: along s the radius, height, slope, and r0 times forces and moment."""
    R, h, half, hole_, E, nu = 1, 2.5e-3, .1375, .004, 1e10, .3
    C, D = E*h/(1 - nu**2), E*h**3/12/(1 - nu**2)

    def rate(s, y, p):
        r, _, phi, rH, rV, rM = y
        r0 = R*np.sin(s/R)
        H, V, M = rH/r0, rV/r0, rM/r0
        hoop, bend = r/r0 - 1, (np.sin(phi) - np.sin(s/R))/r0
        along, curl = (H*np.cos(phi) - V*np.sin(phi))/C - nu*hoop, M/D - nu*bend
        load = (1 + along)*(1 + hoop)*p[0]*r0
        return np.array([(1 + along)*np.cos(phi), -(1 + along)*np.sin(phi), 1/R + curl, C*(hoop + nu*along) + load*np.sin(phi),
                         load*np.cos(phi), D*(bend + nu*curl)*np.cos(phi) + (1 + along)*(rH*np.sin(phi) + rV*np.cos(phi))])

    def ends(w):
        return lambda a, b, p: np.array([a[3]/1e3, a[4]/1e3, a[5], 1e2*(a[1] - R*np.cos(hole_) + w), 1e2*(b[0] - R*np.sin(half)),
                                         1e2*(b[1] - R*np.cos(half)), b[2] - half])
    s = np.linspace(R*hole_, R*half, 100)
    y, p, path = np.array([R*np.sin(s), R*np.cos(s), s, 0*s, 0*s, 0*s]), [0.], []
    drops = np.arange(0, 1.01e-2, 5e-4)
    for w in drops:
        o = solve_bvp(rate, ends(w), s, y, p=p, tol=1e-5, max_nodes=20000)
        s, y, p = o.x, o.y, o.p
        path.append(p[0])
    r = table(changed(model("spherical_cap"), cells=12))
    sunk, load = -r["cap.left/north.displacement.z"], 60e3*r["t"]
    upto = np.argmax(sunk > .01)
    check("cap", "pressure over the drop of the pole, of the largest",
          off(CubicSpline(sunk[:upto + 1], load[:upto + 1])(drops[1:-1]), np.array(path)[1:-1]), 5e-3)
    check("cap", f"pressure at which it snaps, {max(path):.0f} Pa", np.max(load[:upto])/np.max(CubicSpline(drops, path)(np.linspace(0, .01, 999))) - 1, 2e-3)


# ---- rotors ----

def nelson():
    """The rotor of 18 pieces of H. D. Nelson, J. M. McVaugh, J. Eng. Ind. 98 (1976) 593: critical speeds. Their shaft does not shear: here G = 50 E."""
    x = [0, 1.27, 5.08, 7.62, 8.89, 10.16, 10.67, 11.43, 12.7, 13.46, 16.51, 19.05, 22.86, 26.67, 28.7, 30.48, 31.5, 34.54, 35.5]
    outer = [.51, 1.02, .76, 2.03, 2.03, 3.3, 3.3, 2.54, 2.54, 1.27, 1.27, 1.52, 1.52, 1.27, 1.27, 3.81, 2.03, 2.03]
    inner = {6: 1.52, 7: 1.78, 17: 1.52}
    text = """torsor: 1
units: {length: cm}
materials: {steel: {E: 207.8 GPa, nu: -0.99, density: 7806 kg/m^3}}
bodies: {disc: {mass: 1.401, inertia: [13.6, 13.6, 20], position: [0, 0, 8.89]}}
springs:
  front: {type: bushing, bodies: [ground, s10.start], stiffness: [4.378e7 N/m, 4.378e7 N/m, 1e9 N/m, 0, 0, 1e6 N*m]}
  back: {type: bushing, bodies: [ground, s14.start], stiffness: [4.378e7 N/m, 4.378e7 N/m, 0, 0, 0, 0]}
joints:
  hub: {type: rigid, bodies: [s4.start, disc]}
"""
    text += "".join(f"  j{k}: {{type: rigid, bodies: [s{k - 1}.end, s{k}.start]}}\n" for k in range(1, 18)) + "sections:\n"
    text += "".join(f"  c{k}: {{type: tube, material: steel, outer_diameter: {2*r}, inner_diameter: {2*inner[k]}}}\n" if k in inner
                    else f"  c{k}: {{type: circle, material: steel, radius: {r}}}\n" for k, r in enumerate(outer)) + "beams:\n"
    text += "".join(f"  s{k}: {{from: [0, 0, {x[k]}], to: [0, 0, {x[k + 1]}], section: c{k}, elements: 1}}\n" for k in range(18))
    for sense, speeds in (("backward", (15470, 46612, 64752)), ("forward", (17159, 49983, 96457))):
        for k, speed in enumerate(speeds):
            around = np.array([.98, 1.02])*speed*np.pi/30  # at a critical speed itself a mode at rest in the shaft counts as free
            left = [sorted(m["omega_outside"] for m in modes_of(text, 14, "--spin", f"[0, 0, {W!r}]") if m.get("whirl") == sense)[k] - W for W in around]
            found = (around[0]*left[1] - around[1]*left[0])/(left[1] - left[0])*30/np.pi
            check("Nelson-McVaugh", f"critical speed {k + 1} of {sense} whirl, {speed} rpm", found/speed - 1, 1e-2, f"{found:.0f}")


def overhung():
    """A disc on the end of a shaft without mass (Stodola, Green): -w^2 M + w W G + K with the stiffness of a cantilever's end."""
    L, EI, m, diametral, polar = .5, 400., 8., .05, .09
    K, M, Y = EI/L**3*np.array([[12, -6*L], [-6*L, 4*L*L]]), np.diag([m, diametral]), np.diag([0, polar])
    text = f"""torsor: 1
units: SI
sections: {{s: {{EA: 1e9, GA2: 1e9, GA3: 1e9, GJ: 1e6, EI2: {EI}, EI3: {EI}, mass: 0}}}}
beams: {{shaft: {{from: [0, 0, 0], to: [0, 0, {L}], section: s}}}}
bodies: {{disc: {{mass: {m}, inertia: [{diametral}, {diametral}, {polar}], position: [0, 0, {L}]}}}}
joints:
  wall: {{type: rigid, bodies: [ground, shaft.start]}}
  hub: {{type: rigid, bodies: [shaft.end, disc]}}
"""
    for W in (20., 400.):
        exact = np.sort(np.linalg.eigvals(np.block([[np.zeros((2, 2)), np.eye(2)], [np.linalg.solve(M, K), W*np.linalg.solve(M, Y)]])).real)
        found = sorted((1 if mode["whirl"] == "forward" else -1)*mode["omega_outside"] for mode in modes_of(text, 4, "--spin", f"[0, 0, {W}]"))
        check("overhung", f"four whirls of an overhung disc at {W:g} rad/s", np.array(found)/exact - 1, 2e-5)


def unbalance():
    """Whirl of a rotor with its mass centre off its axis, in a bearing with a damper that stands still: amplitude and phase below, at and above the critical speed."""
    m, case, k, c, e, per_turn = 3., 1e-3, 3e4, 60., 1e-3, 100
    for W in (50., 100., 180.):
        turn = 2*np.pi/W
        text = f"""torsor: 1
units: SI
bodies:
  case: {{mass: {case}, inertia: [1e-3, 1e-3, 1e-3]}}
  rotor: {{mass: {m}, inertia: [0.02, 0.02, 0.03], position: [{e}, 0, 0], velocity: [0, {e*W}, 0], angular_velocity: [0, 0, {W}]}}
springs: {{bearing: {{type: bushing, bodies: [ground, case], at: [0, 0, 0], stiffness: [{k}, {k}, {k}, 1e6, 1e6, 1e6], damping: [{c}, {c}, {c}, 10, 10, 10]}}}}
joints: {{shaft: {{type: revolute, bodies: [case, rotor], at: [0, 0, 0], axis: z}}}}
motions: {{drive: {{joint: shaft, speed: {W}}}}}
analysis: {{end: {round(1/turn)*turn!r}, step: {turn/per_turn!r}, scheme: {{name: ED, rho_inf: 0.9}}}}
outputs: {{csv: [case.position]}}
"""
        out = table(text)
        found = (out["case.position.x"] + 1j*out["case.position.y"])*np.exp(-1j*W*out["t"])
        exact = m*e*W*W/(k - (m + case)*W*W + 1j*c*W)
        check("unbalance", f"whirl at {W/100:g} of the critical speed", np.abs(found[-per_turn:] - exact)/abs(exact), 9e-4)


# ---- satellites ----

def yo_yo():
    """Two cords unwind from a spinning satellite, a weight on each: J. V. Fedor, NASA TN D-708 (1961). By energy and momentum the length of the cords gives the speed, and it grows with the speed at the start times the radius."""
    R, J, m, w, start = .5, 2., .5, 4., .02
    c = J/(2*m*R*R) + 1
    end = .8*np.sqrt(c)/w
    weights = "".join(f"  {name}: {{type: point, mass: {m}, position: [{s*R}, {-s*start}, 0], velocity: [{s*w*start}, {s*w*R}, 0]}}\n" for name, s in (("a", 1), ("b", -1)))
    cords = "".join(f"  cord_{name}: {{type: rope, bodies: [hub, {name}], at: [[0, 0, 0], [{s*R}, {-s*start}, 0]], radius: [{R}, 0], axis: z, sense: [-1, 0]}}\n" for name, s in (("a", 1), ("b", -1)))
    text = f"""torsor: 1
units: SI
bodies:
  hub: {{mass: 50, inertia: [{J}, {J}, {J}], angular_velocity: [0, 0, {w}]}}
{weights}joints:
{cords}analysis: {{scheme: EP, end: {end!r}, step: {end/400!r}}}
outputs: {{csv: [hub.omega, a.position]}}
"""
    out = table(text)
    length = np.sqrt(out["a.position.x"]**2 + out["a.position.y"]**2 - R*R)[1:]
    # I w + a u and I w^2 + a u^2 stay; u is the speed at which the direction of the cord turns
    I, a, a0 = J + 2*m*R*R, 2*m*length**2, 2*m*start**2
    H, E = (I + a0)*w, (I + a0)*w*w
    exact = (H*I - np.sqrt(np.maximum(a*I*(E*(I + a) - H*H), 0)))/(I*(I + a))
    check("yo-yo", "speed of the satellite over the length of its cords", (out["hub.omega.z"][1:] - exact)/w, 1e-5)
    check("yo-yo", "Fedor's speed at the end, for cords that are all wound at the start", out["hub.omega.z"][-1]/w - (1 - .64)/(1 + .64), 1e-3)


# ---- hydraulics ----

def cylinder():
    """A mass, a spring and a damper pushed by a hydraulic cylinder when its valve opens: orifices, compressible oil, leakage; order 2."""
    m, k, c, A, B, beta, dead, x, supply, Kv, leak, opens, end = 500., 2e5, 2e3, 2e-3, 1.4e-3, 1.4e9, 2e-4, .7, 150e5, 2e-7, 1e-13, .02, .4

    def rates(_, y):
        a, b, through = dead + A*(x + y[0] - .5), dead + B*(1 - x - y[0]), leak*(y[2] - y[3])
        return [y[1], (A*y[2] - B*y[3] - k*y[0] - c*y[1])/m, beta/a*(Kv*np.sqrt(supply - y[2]) - through - A*y[1]),
                beta/b*(-Kv*y[3]/np.sqrt(abs(y[3]) + 1e6) + through + B*y[1])]
    text = f"""torsor: 1
units: SI
signals: {{valve: {{step: {{at: {opens}, from: 0, to: 1}}}}}}
bodies: {{block: {{mass: {m}, inertia: [10, 10, 10], position: [{x}, 0, 0]}}}}
joints: {{rail: {{type: prismatic, bodies: [ground, block], at: [{x}, 0, 0], axis: x}}}}
springs:
  push: {{type: hydraulic_cylinder, bodies: [ground, block], from: [0, 0, 0], to: [{x}, 0, 0], area_a: {A}, area_b: {B}, closed: 0.5, open: 1, dead_volume: {dead},
    bulk_modulus: {beta}, leakage: {leak}, flow_a: 'valve*{Kv} m^3/s*sqrt(({supply} Pa - push.pressure_a)/(1 Pa))',
    flow_b: '-{Kv} m^3/s*push.pressure_b/(1 Pa)/sqrt(abs(push.pressure_b/(1 Pa)) + 1e6)'}}
  load: {{type: joint_spring, joint: rail, stiffness: {k}, damping: {c}}}
analysis: {{end: {end}, step: STEP}}
outputs: {{interval: 4 ms, csv: [rail.displacement, push.pressure_a, push.pressure_b]}}
"""
    errors = []
    for step in ("1 ms", "0.5 ms"):
        out = table(text.replace("STEP", step))
        after = out["t"] > opens + 1e-6
        s = solve_ivp(rates, (opens, end), [0, 0, 0, 0], method="Radau", t_eval=out["t"][after], rtol=1e-9, atol=[1e-11, 1e-10, 1e-2, 1e-2]).y
        errors.append([off(out[name][after], s[i]) for name, i in (("rail.displacement", 0), ("push.pressure_a", 2), ("push.pressure_b", 3))])
    check("cylinder", "motion after the valve opens, 1 ms", errors[0][0], 6e-5)
    check("cylinder", "pressures", errors[0][1:], 2.5e-3)
    check("cylinder", "half the step: a quarter of the errors", np.array(errors[1])/errors[0] - .25, 1e-2)


# ---- what is said ----

def words():
    """A point takes no frame, arms or inertia; who needs one is told of it; a scheme that refuses says why; wheels that turn too far."""
    head = "torsor: 1\nunits: SI\nbodies: {p: {type: point, mass: 1, position: [1, 0, 0]}}\n"
    tail = "analysis: {step: 1 ms, end: 10 ms}\n"
    for entry, said in (("joints: {j: {type: revolute, bodies: [ground, p], at: [1, 0, 0], axis: z}}", "attaches to a point"),
                        ("loads: {m: {type: moment, body: p, moment: [1, 0, 0]}}", "attaches to a point"),
                        ("masses: {m: {body: p, mass: 1, centre: [0, 0, 1]}}", "has no axes")):
        with model_file(f"{head}{entry}\n{tail}") as path:
            check("words", said, said not in torsor("check", path, code=2).stderr, 0, quiet=True)
    springs = model("beaded_string").replace("type: point, ", "")
    with model_file(springs) as path:
        check("words", "a rigid body that is a point", "`type: point`" not in torsor("check", path, code=4).stderr, 0)
    with model_file(head + tail) as path:
        out = torsor("compare", path, "--schemes", "ED,FP-EP", "-n", 2, "-q").stdout
        check("words", "a scheme that refuses says why", "does not support points" not in out, 0)
    with model_file(model("wind_turbine")) as path:
        for step, warns in (("20ms", True), ("2ms", False)):
            err = torsor("run", path, "-q", "--no-results", "--step", step, "--end", "40ms").stderr
            check("words", f"steps of {step}: a warning of the generator", ("'generator' turns by up to" in err) != warns, 0)


if __name__ == "__main__":
    need_program()
    for case in (booms, panels, geared_torsion, sommerfeld, cardan, rotor_blades, wind_turbine, quarter_car, stewart, delta, portal, ring,
                 three_ways, hole, strings, dome, mast, cap, nelson, overhung, unbalance, yo_yo, cylinder, words):
        if not sys.argv[1:] or case.__name__ in sys.argv[1:]:
            case()
    sys.exit(verdict())
