#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Well-known problems of other people, written as a new user would: bicycle, sleigh, mechanisms through singular and overclosed
positions, gears, rotors, shaken and stopped oscillators.

References are closed forms or ordinary differential equations of the least number of unknowns, written here by hand and
solved by scipy; where numbers are published they are quoted, and the equations checked against them.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from case_tools import PROGRAM, changed, check, model, need_program, run, verdict

import numpy as np
from scipy.integrate import quad, solve_bvp, solve_ivp
from scipy.interpolate import CubicSpline
from scipy.linalg import expm
from scipy.optimize import brentq
from scipy.special import ellipe, ellipj, ellipk

G = 9.81


def ode(rate, y0, times, events=None):
    """Exact motion at the given times (the first is the start)."""
    s = solve_ivp(rate, (times[0], times[-1]), y0, method="DOP853", t_eval=times, rtol=1e-12, atol=1e-13, events=events)
    assert s.success, s.message
    return s.y


def off(a, b):
    """Largest difference over the largest value."""
    return np.max(np.abs(np.asarray(a) - b))/np.max(np.abs(b))


# ---- bicycle: Meijaard, Papadopoulos, Ruina and Schwab 2007 ----

# Linear equations of lean and steer, M q'' + v C1 q' + (g K0 + v^2 K2) q = 0, eq. (A 1) of the paper for table 1
M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, .29784188199686]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -.80329488458618]])
K2 = np.array([[0, 76.59734589573222], [0, 2.65431523794604]])
C1 = np.array([[0, 33.86641391492494], [-.85035641456978, 1.68540397397560]])
EIGENVALUES = [-14.07838969279822, -.77534188219585 - 4.46486771378823j, -.77534188219585 + 4.46486771378823j,
               -.32286642900409]  # table 2, v = 5 m/s


def bicycle():
    v = 5
    A = np.block([[np.zeros((2, 2)), np.eye(2)],
                  [-np.linalg.solve(M, G*K0 + v*v*K2), -np.linalg.solve(M, v*C1)]])
    check("bicycle", "the paper's matrices have the paper's eigenvalues",
          np.sort_complex(np.linalg.eigvals(A)) - EIGENVALUES, 1e-7, quiet=True)
    push = 1e-3  # motions are of this size, so what is not linear is of its square
    for scheme, h in (("EP", 5e-3), ("ED", 5e-3), ("ED", 2.5e-3)):
        r = run(model("benchmark_bicycle"), scheme, h, 3, case="bicycle")
        lean, steer = np.arcsin(r.rotation("frame")[:, 2, 1]), r.coordinate("steering", "angle")
        exact = np.array([expm(A*t) @ [0, 0, push, 0] for t in r.t])
        check("bicycle", f"{scheme}, h = {h*1e3:g} ms: lean and steer over 3 s, of their largest",
              [off(lean, exact[:, 0]), off(steer, exact[:, 1])], 3e-3*(h/5e-3)**2, "source: published matrices")


# ---- Chaplygin's sleigh ----

def sleigh():
    m, a, J, v0, w0 = 2, .3, .1, -1, .5
    twice = m*v0**2 + (J + m*a*a)*w0**2
    A, W = np.sqrt(twice/m), np.sqrt(twice/(J + m*a*a))
    for scheme in ("EP", "ED"):
        r = run(model("chaplygin_sleigh"), scheme, 5e-3, 10, every=10, case="sleigh")
        s = a*W*W/A*r.t + np.arctanh(v0/A)
        along = np.einsum("ni,ni->n", r.velocity("sleigh"), r.rotation("sleigh")[:, :, 0])
        check("sleigh", f"{scheme}: speed of the skate, of the largest", off(along, A*np.tanh(s)), 5e-5)
        check("sleigh", f"{scheme}: rate of turning, of the largest", off(r.omega("sleigh")[:, 2], W/np.cosh(s)), 5e-5)


# ---- mechanisms of one freedom: M(q) q'' + M'(q) q'^2/2 + V'(q) = 0 ----

def one_freedom(mass, potential, q0, rate0, times):
    def d(f, q):
        e = 1e-4
        return (8*(f(q + e) - f(q - e)) - f(q + 2*e) + f(q - 2*e))/(12*e)
    return ode(lambda _, y: [y[1], -(d(mass, y[0])*y[1]**2/2 + d(potential, y[0]))/mass(y[0])], [q0, rate0], times)[0]


class Bricard:
    """Loop of six hinges with the angles a, b, a, b, a, b. The loop closes where sin a + sin b + sin a sin b = 0: Bricard's
    orthogonal linkage with equal bars, cos + cos + cos cos = 0 of angles counted from the stretched loop."""
    POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1.]])
    AXES = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0.]])

    def chain(self, a):
        """Rotation and displacement of each link from its place as drawn."""
        b = -np.arcsin(np.sin(a)/(1 + np.sin(a)))
        R, p, links = np.eye(3), np.zeros(3), []
        for point, axis, angle in zip(self.POINTS, self.AXES, 3*[a, b]):
            turn = rotation(axis, angle)
            p, R = p + R @ (point - turn @ point), R @ turn
            links.append((R, p))
        return links

    def ends(self, a):
        """Both ends of the five bars that move."""
        after = np.roll(self.POINTS, -1, axis=0)
        return np.array([(R @ x + p, R @ y + p) for (R, p), x, y in zip(self.chain(a), self.POINTS, after)][:5])

    def mass(self, a):
        e = 1e-3
        v = (8*(self.ends(a + e) - self.ends(a - e)) - self.ends(a + 2*e) + self.ends(a - 2*e))/(12*e)
        u, v = v[:, 0], v[:, 1]  # a thin bar: m (u.u + u.v + v.v)/3
        return np.sum(u*u + u*v + v*v)/3

    def potential(self, a):
        return G*np.sum(self.ends(a)[:, :, 1])/2


def rotation(axis, angle):
    x = np.cross(np.eye(3), axis)
    return np.eye(3) + np.sin(angle)*x + (1 - np.cos(angle))*(x @ x)


def bricard():
    b = Bricard()
    check("Bricard", "the angles close the loop", [np.ptp([R - np.eye(3)]) + np.max(np.abs(p)) for R, p in
                                                   (b.chain(a)[-1] for a in (.3, 1., 2.9))], 1e-14, quiet=True)
    grid = np.linspace(-.02, np.pi + .02, 1200)
    mass = CubicSpline(grid, [b.mass(a) for a in grid])
    potential = CubicSpline(grid, [b.potential(a) for a in grid])
    for scheme, h in (("EP", 4e-3), ("EP", 2e-3), ("ED", 2e-3)):
        r = run(model("bricard"), scheme, h, 5, every=round(.1/h), case="Bricard")
        exact = ode(lambda _, y: [y[1], -(mass(y[0], 1)*y[1]**2/2 + potential(y[0], 1))/mass(y[0])], [0, 0], r.t)[0]
        check("Bricard", f"{scheme}, h = {h*1e3:g} ms: angle over 5 s, rad", r.coordinate("h0", "angle") - exact,
              3e-5*(h/2e-3)**2, f"from 0 to {np.max(exact):.3f}")


def singular_slider_crank():
    w, th = 4/np.sqrt(2), np.pi/4

    def mass(q):
        s, c = np.sin(q)**2, np.cos(q)**2
        return 1/3 + 1/12 + 2.25*s + .25*c
    for scheme, h in (("EP", 2e-3), ("EP", 1e-3), ("ED", 1e-3)):
        r = run(model("singular_slider_crank"), scheme, h, 5, every=round(.05/h), case="singular")
        exact = one_freedom(mass, lambda q: G*np.sin(q), th, w, r.t)
        check("singular", f"{scheme}, h = {h*1e3:g} ms: crank over 5 s, rad", r.coordinate("bearing", "angle") - (exact - th),
              1e-4*(h/1e-3)**2, f"{abs(exact[-1] - th)/2/np.pi:.1f} turns")


# ---- gears ----

def planetary_gear():
    Js, Ja, Jp, mp, r_, T = .01, .2, .005, 1.5, .1, 2
    J = 16*Js + Ja + mp*r_**2 + 4*Jp  # on the arm: the sun turns 4 times, the planet -2 times as fast
    for scheme in ("EP", "ED"):
        r = run(model("planetary_gear"), scheme, 1e-3, 1, every=10, case="planets")
        arm = 4*T/J*r.t**2/2
        check("planets", f"{scheme}: arm, of its angle", off(r.coordinate("main", "angle"), arm), 1e-4)
        check("planets", f"{scheme}: sun and planet by Willis' rule, rad",
              [r.coordinate("inner", "angle") - 3*r.coordinate("main", "angle"),
               r.coordinate("outer", "angle") + 3*r.coordinate("main", "angle")], 1e-11)
        # torque of the sun's mesh on the planet: what the sun is not accelerated by, over its ratio
        mesh = T - Js*4*4*T/J
        check("planets", f"{scheme}: torque of the mesh at 1 s, N m", r.moment("sun_mesh")[-1] - [0, 0, -mesh], 1e-3*mesh)


def drive_train():
    T0, w0, Jm, Jw, Jl, k, c, mt, rack = 5, 150, .02, .3, .5, 400, .8, 10, .1
    # unknowns: wheel and load; the rotor turns -3 times as fast as the wheel
    J = np.diag([9*Jm + Jw, Jl + mt*rack**2])
    C, K = np.diag([9*T0/w0, c]), k*np.array([[1, -1], [-1, 1.]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(J, K), -np.linalg.solve(J, C)]])
    f = np.concatenate([[0, 0], np.linalg.solve(J, [-3*T0, 0])])
    for scheme in ("EP", "ED"):
        r = run(model("drive_train"), scheme, 1e-3, 1, every=10, case="drive")
        wide = np.block([[A, f[:, None]], [np.zeros((1, 5))]])
        exact = np.array([expm(wide*t)[:4, 4] for t in r.t])
        check("drive", f"{scheme}: motor, of its angle", off(r.coordinate("motor_shaft", "angle"), -3*exact[:, 0]), 3e-4)
        check("drive", f"{scheme}: twist of the shaft, of the largest",
              off(r.coordinate("shaft", "angle"), exact[:, 1] - exact[:, 0]), 2e-3)
        check("drive", f"{scheme}: table, of its way", off(r.coordinate("slide", "displacement"), rack*exact[:, 1]), 3e-4)


def swinging_atwood():
    m, big, J = 1, 3, 1e-3
    times = np.linspace(0, 3, 61)

    def rate(_, y):
        r, th, rr, w = y
        return [rr, w, (m*r*w*w + m*G*np.cos(th) - big*G)/(m + big), -(2*m*r*rr*w + m*G*r*np.sin(th))/(m*r*r + J + 1e-9)]
    exact = ode(rate, [1, np.pi/2, 0, 0], times)
    for scheme in ("EP", "ED"):
        r = run(model("swinging_atwood"), scheme, 5e-4, 3, every=100, case="Atwood")
        check("Atwood", f"{scheme}: length of the rope, m", r.coordinate("rope", "displacement") + 1 - exact[0], 3e-5)
        check("Atwood", f"{scheme}: the weight goes along, m",
              r.coordinate("side", "displacement") + r.coordinate("rope", "displacement"), 1e-12)
        check("Atwood", f"{scheme}: angle, rad", r.coordinate("peg", "angle") + np.pi/2 - exact[1], 1e-4)


# ---- rotors, shaking ----

def jeffcott():
    m, k, c, e = 2, 8000, 25, 1e-3
    wn, z = np.sqrt(k/m), c/2/np.sqrt(k*m)
    for W in (30., 63.2, 100., 300.):
        exact = e*W*W/np.sqrt((wn**2 - W**2)**2 + (2*z*wn*W)**2)
        r = run(changed(model("jeffcott_rotor"), W=W), "ED", .02/W, 2, every=50, case="Jeffcott")
        late = r.t > 1.8
        radius = np.hypot(r.coordinate("bearing", "x"), r.coordinate("bearing", "y"))[late]
        check("Jeffcott", f"W = {W:g} rad/s: radius of the whirl, of {exact*1e3:.4f} mm", radius/exact - 1, 5e-4)


def kapitza():
    A, w, l = .05, 100, .2
    times = np.linspace(0, 3, 61)
    reduced = (l*l/3 + l*l)/l
    exact = ode(lambda t, y: [y[1], (G - A*w*w*np.sin(w*t))*np.sin(y[0])/reduced], [np.radians(10), 0], times)
    for scheme, h in (("EP", 5e-4), ("ED", 5e-4)):
        r = run(model("kapitza"), scheme, h, 3, every=round(.05/h), case="Kapitza")
        check("Kapitza", f"{scheme}: lean over 3 s, rad", r.coordinate("hinge", "angle") + np.radians(10) - exact[0], 2e-3,
              f"largest {np.max(np.abs(exact[0])):.2f}")


# ---- a gyrostat ----

def gyrostat():
    hull, wheel, axial = np.diag([10.3, 15.3, 20.]), .5, np.array([0, 0, 1.])
    total = hull + wheel*np.outer(axial, axial)
    times = np.linspace(0, 30, 61)

    def torque(t):
        x = np.clip(t/20, 0, 1)
        return .5*(1 - (3*x**2 - 2*x**3))

    def rate(t, y):
        """Angular velocity of the hull, speed of the wheel relative to it."""
        w, spin = y[:3], y[3]
        H = total @ w + wheel*spin*axial
        # total w' + wheel spin' axial = -w x H ,  wheel (spin' + axial.w') = torque
        A = np.block([[total, wheel*axial[:, None]], [wheel*axial[None], np.array([[wheel]])]])
        return np.linalg.solve(A, np.concatenate([-np.cross(w, H), [torque(t)]]))
    exact = ode(rate, [1, .05, 0, 0], times)
    for scheme in ("EP", "ED"):
        r = run(model("gyrostat"), scheme, 5e-3, 30, every=100, case="gyrostat")
        check("gyrostat", f"{scheme}: rates of the hull, of the largest", off(r.omega_in_body("hull"), exact[:3].T), 2e-3)
        check("gyrostat", f"{scheme}: speed of the wheel, of the largest", off(r.coordinate_rate("bearing", "angle"), exact[3]), 1e-3)
        H = r.frame["momentum_angular"]
        check("gyrostat", f"{scheme}: angular momentum is kept", off(H, H[0]), 1e-12)


# ---- an oscillator and its stop ----

def stopped_oscillator():
    m, k, c, ks, cs, gap, F, w = 1, 40, .3, 4e4, 40, .1, 6, 5
    times = np.linspace(0, 5, 101)

    def flight(t, y):
        return [y[1], (F*np.cos(w*t) - k*y[0] - c*y[1])/m]

    def touch(t, y):
        return [y[1], flight(t, y)[1] - (ks*(y[0] - gap) + cs*y[1])/m]

    def crossing(_, y):
        return y[0] - gap
    crossing.terminal = True
    t, y, inside, impacts, exact = 0., np.zeros(2), False, 0, np.zeros((2, len(times)))
    while t < 5:  # from crossing to crossing
        crossing.direction = -1 if inside else 1
        s = solve_ivp(touch if inside else flight, (t, 5), y, method="DOP853", events=crossing, rtol=1e-12, atol=1e-14,
                      dense_output=True)
        now = (times >= t) & (times <= s.t[-1])
        if now.any():
            exact[:, now] = s.sol(times[now])
        t, y, inside, impacts = s.t[-1], s.y[:, -1], not inside, impacts + (not inside)
    errors = []
    for scheme, h in (("EP", 1e-3), ("ED", 1e-3), ("ED", 2.5e-4)):
        r = run(model("stopped_oscillator"), scheme, h, 5, every=round(.05/h), case="stop")
        errors.append(off(r.coordinate("guide", "displacement"), exact[0]))
        check("stop", f"{scheme}, h = {h*1e3:g} ms: way over 5 s, of the largest", errors[-1], .02*(h/1e-3), f"{impacts} impacts")
        check("stop", f"{scheme}, h = {h*1e3:g} ms: no deeper than exact, of the gap",
              max(0, np.max(r.coordinate("guide", "displacement")) - np.max(exact[0]))/gap, .02)


def duffing():
    """x = A cn(A sqrt(k3/m) t | 1/2) without k; else the equation itself."""
    times = np.linspace(0, 10, 201)
    exact = 1.5*ellipj(1.5*2*times, .5)[1]
    check("Duffing", "period of cn, published 7.416298709", 4*ellipk(.5) - 7.416298709, 1e-8, quiet=True)
    for scheme, tolerance in (("EP", 1e-3), ("ED", 1e-4)):  # 500 steps a period
        r = run(model("duffing"), scheme, 5e-3, 10, every=10, case="Duffing")
        check("Duffing", f"{scheme}: way over 10 s, of the largest", off(r.coordinate("guide", "displacement"), exact), tolerance)
    for x0 in (1.3, 1.5):  # from rest within one well, and over both: the wells part at sqrt(2)
        exact = ode(lambda _, y: [y[1], 4*y[0] - 4*y[0]**3], [x0, 0], times)[0]
        r = run(changed(model("duffing"), k=-4, x0=x0), "ED", 5e-3, 10, every=10, case="Duffing")
        x = r.coordinate("guide", "displacement")
        check("Duffing", f"two wells from {x0}: way over 10 s, of the largest", off(x, exact), 1e-4, f"least {np.min(x):.3f}")


# ---- a flexible slider-crank ----

def flexible_slider_crank():
    """Sway of the middle of the rod from its chord: the first mode of a pinned bar under its own inertia. The thrust in the rod, some
    5 % of Euler's load, is left out."""
    text = model("flexible_slider_crank")
    r_, l, w = .15, .3, 150
    EI, rho = 200e9*.008**4/12, 7870*.008**2
    omega = np.pi**2/l**2*np.sqrt(EI/rho)

    def chord(t):
        return -np.arcsin(r_*np.sin(w*t)/l)

    def load(t):
        """First mode of the acceleration across the rod: of its beginning, and of the angle of the chord."""
        e = 1e-6
        turn = (chord(t + e) - 2*chord(t) + chord(t - e))/e**2
        pin = -w*w*r_*np.array([np.cos(w*t), np.sin(w*t)])
        across = -pin[0]*np.sin(chord(t)) + pin[1]*np.cos(chord(t))
        return -(4/np.pi*across + 2/np.pi*l*turn)
    for scheme in ("ED", "EP"):
        r = run(text, scheme, 1e-4, .04, case="rod")
        exact = solve_ivp(lambda t, y: [y[1], load(t) - omega**2*y[0]], (0, .04), [0, 0], t_eval=r.t, rtol=1e-6, atol=1e-9).y[0]
        a, b, m = (r.position(f"rod.{k}") for k in (1, 17, 9))
        along = (b - a)/np.linalg.norm(b - a, axis=1)[:, None]
        d = m - a
        sway = along[:, 0]*d[:, 1] - along[:, 1]*d[:, 0]
        check("rod", f"{scheme}: sway of the middle, of the largest", off(sway, exact), .15, f"largest {np.max(np.abs(exact))*1e3:.2f} mm")
        slider = r_*np.cos(w*r.t) + np.sqrt(l*l - (r_*np.sin(w*r.t))**2)
        check("rod", f"{scheme}: slider, m", r.position("slider")[:, 0] - slider, 1e-4)
    still = text.replace(", velocity: [0, 22.5, 0], angular_velocity: [0, 0, -75]", "")
    assert still != text
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "still.yaml")
        path.write_text(still, encoding="utf-8")
        said = subprocess.run([PROGRAM, "check", path, "--json"], capture_output=True, text=True).stdout
        path.write_text(text, encoding="utf-8")
        told = subprocess.run([PROGRAM, "check", path, "--json"], capture_output=True, text=True).stdout
    check("rod", "a blow at the start is noted, with the velocities to give",
          "velocity: [0 m/s, 22.5 m/s, 0 m/s], angular_velocity: [0 rad/s, 0 rad/s, -75 rad/s]" not in said, 0)
    check("rod", "and not where there is none", "blow" in told, 0, quiet=True)


# ---- a falling chain ----

def falling_chain():
    """Calkin and March, by energy: with u the drop over L, the half (1 - u) L/2 that still falls has all the energy that the
    chain has lost, (1 - u) u'^2/4 = (g/L) (u/2 - u^2/4)."""
    L = 1.
    total = np.sqrt(L/G)*quad(lambda s: 2*np.sqrt((1 - s*s)/(2 - s*s)), 0, 1)[0]  # u = s^2
    check("chain", "time of the fall, published .8472 of a stone's", total/np.sqrt(2*L/G) - .8472, 1e-4, quiet=True)
    for scheme in ("ED", "EP"):
        r = run(model("falling_chain"), scheme, 1e-3, .42, case="chain")
        z = r.position("chain.end")[:, 2]
        down = r.t[np.argmin(z)]
        check("chain", f"{scheme}: time of the fall", down/total - 1, .02, f"{down:.4f} s, exact {total:.4f} s, a stone {np.sqrt(2*L/G):.4f} s")
        half = np.argmin(np.abs(r.t - .3))  # on the way, where the stone is behind
        check("chain", f"{scheme}: ahead of a stone at .3 s", not -z[half] > 1.02*G*r.t[half]**2/2, 0, quiet=True)


# ---- statics ----

def postbuckled():
    """With p = sin(alpha/2): P = K(p)^2 EI/L^2, x = 2 E(p)/K(p) - 1, y = 2 p/K(p) (Timoshenko and Gere, sec. 2.7)."""
    for alpha, published in ((20, 1.015), (60, 1.152), (120, 1.884)):
        p = np.sin(np.radians(alpha)/2)
        K, E = ellipk(p*p), ellipe(p*p)
        check("elastica", f"{alpha} deg: published load", 4*K*K/np.pi**2 - published, 1e-3, quiet=True)
        text = changed(model("postbuckled_column"), factor=repr(4*K*K/np.pi**2))
        r = run(text, case="elastica")
        end = r.position("column.end")[-1]
        # the tilt of 2e-5 rad counts by as much as the deflection changes with the load: a hundredfold near buckling
        check("elastica", f"{alpha} deg: end of the column, of its length", end - [2*E/K - 1, 2*p/K, 0], 1e-3,
              f"{end[0]:.5f} {end[1]:.5f}")
        check("elastica", f"{alpha} deg: turn of the end, deg",
              np.degrees(np.arctan2(r.rotation("column.end")[-1, 1, 0], r.rotation("column.end")[-1, 0, 0])) - alpha, .2)
    straight = changed(model("postbuckled_column").replace("method: arc_length, ", ""), tilt=0)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "straight.yaml")
        path.write_text(straight, encoding="utf-8")
        done = subprocess.run([PROGRAM, "run", path, "--json", "-o", path.with_suffix(".h5")], capture_output=True, text=True)
        info = subprocess.run([PROGRAM, "info", path.with_suffix(".h5"), "--json"], capture_output=True, text=True)
    check("elastica", "a straight column is told to be unstable, both ways",
          json.loads(done.stdout.splitlines()[-1])["unstable"] - 2, 0)
    check("elastica", "its results tell it, too", json.loads(info.stdout)["unstable"] - 2, 0, quiet=True)
    check("elastica", "and there is a warning", "WARNING" not in done.stderr, 0, quiet=True)


def toggle():
    """Half of the frame as an extensible elastica: the axial force H and the transverse force V at the apex are unknown."""
    EA, EI, span, rise = 1.885e6, 9.27e3, 12.943, .386
    length, slope = np.hypot(span, rise), np.arctan2(rise, span)

    def load(drop):
        def rate(_, y, f):  # x, y, theta, kappa; force (H, V) on the end
            c, s = np.cos(y[2]), np.sin(y[2])
            N, Q = f[0]*c + f[1]*s, -f[0]*s + f[1]*c
            return np.array([(1 + N/EA)*c, (1 + N/EA)*s, y[3], -(1 + N/EA)*Q/EI])

        def ends(a, b, f):
            return np.array([a[0], a[1], a[2] - slope, b[0] - span, b[1] - rise + drop, b[2] - slope])
        s = np.linspace(0, length, 41)
        guess = np.array([s*np.cos(slope), s*np.sin(slope) - drop*(s/length)**2*(3 - 2*s/length), slope + 0*s, 0*s])
        done = solve_bvp(rate, ends, s, guess, p=[-100., -10.], tol=1e-8, max_nodes=20000)
        assert done.success, done.message
        return -2*done.p[1]
    r = run(model("williams_toggle"), case="toggle", audit=np.inf)
    inch, pound = .0254, 4.4482216152605
    drop = (r.position("left.end")[0, 1] - r.position("left.end")[:, 1])/inch
    force = 60*r.t  # t is the load factor
    some = np.linspace(1, len(drop) - 1, 12).astype(int)
    exact = np.array([load(d) for d in drop[some]])
    top = np.argmax(force[:-1] > force[1:])
    check("toggle", "load over the drop of the apex, lb", force[some] - exact, 3e-3,
          f"limit {force[top]:.2f} lb, then {np.min(force[top:]):.2f} lb")
    check("toggle", "limit load, lb", force[top] - 34, 1, "published: about 34 lb")
    check("toggle", "pull of the symmetry on the apex at the end, lb", r.force("apex")[-1, 1]/pound, 1e-6, quiet=True)


# ---- frequencies ----

def modes(text, *options, count=10):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "case.yaml")
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([PROGRAM, "modes", path, "--json", "-n", str(count), *options], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)["modes"]


def suspended_cable():
    """Irvine and Caughey: H from the stretched parabola; lambda^2 = (w L/H)^2 L EA/(H Le); symmetric modes in the plane solve
    tan(x/2) = x/2 - (4/lambda^2) (x/2)^3, all others are those of a string, n pi."""
    L, EA, w = 100, 1e7, 9.81
    for L0 in (99.97, 100., 100.01):
        H = brentq(lambda H: L + (w*L)**2*L/(24*H*H) - L0*(1 + H/EA), 100, 1e6)
        Le = L*(1 + (w*L/H)**2/8)
        square = (w*L/H)**2*L*EA/(H*Le)

        def lowest(x):
            return np.sin(x/2) - np.cos(x/2)*(x/2 - 4/square*(x/2)**3)
        first = brentq(lowest, 2.9 if square < 39 else np.pi, 3*np.pi - 1e-6)
        found = modes(changed(model("suspended_cable"), L0=L0), count=8)
        value = np.array([m["omega"] for m in found])*L/np.sqrt(H)
        across = value[[m["motion"] == "moves along y" for m in found]]
        plane = value[[m["motion"] == "moves along z" for m in found]]
        check("cable", f"lambda^2 = {square:.1f}: across, over n pi", across[:2]/np.pi/[1, 2] - 1, 1e-3)
        check("cable", f"lambda^2 = {square:.1f}: in the plane, symmetric and antisymmetric",
              plane[:2]/np.sort([first, 2*np.pi]) - 1, 4e-3, f"symmetric {first:.4f}")


def ring():
    value = np.array([m["omega"] for m in modes(model("ring"), count=18)])
    exact = np.sort([f(n) for n in (2, 3, 4) for f in (lambda n: n*(n*n - 1)/np.sqrt(n*n + 1),
                                                       lambda n: n*(n*n - 1)/np.sqrt(n*n + 2))]*2)
    check("ring", "free motions", value[:6], 1e-4, quiet=True)
    check("ring", "in and out of the plane, n = 2, 3, 4", value[6:]/exact - 1, 1e-4)


def becks_column():
    """Flutter between 20.04 and 20.06 EI/L^2 (published 20.0509), with shear as stiff as users write it."""
    for P, flutters in ((20.04, False), (20.06, True)):
        growth = max(m["growth"] for m in modes(changed(model("becks_column"), P=P), count=2))
        check("Beck", f"P = {P}: {'flutters' if flutters else 'is stable'}", (growth > .01) != flutters, 0, f"growth {growth:.3f}/s")
    found = np.array([m["omega"] for m in modes(changed(model("becks_column"), P=20.0509), count=2)])
    check("Beck", "frequency there, published 11.016", found/11.016 - 1, 5e-3)


def whirling_disc():
    p = 1.5*20/2
    exact = {"forward": p + np.sqrt(p*p + 100), "backward": np.sqrt(p*p + 100) - p}
    for spin in (20, -20):
        found = modes(model("whirling_disc"), "--spin", f"[0, 0, {spin}]", count=6)
        tilts = {m["whirl"]: m["omega_outside"] for m in found if m["motion"].startswith("turns") and "whirl" in m}
        check("whirl", f"{spin} rad/s: forward and backward tilting", [tilts[k]/exact[k] - 1 for k in exact], 1e-9)
        moves = [m["omega_outside"] for m in found if m["motion"].startswith("moves") and "whirl" in m]
        check("whirl", f"{spin} rad/s: moving aside knows nothing of the rotation", np.array(moves)/100 - 1, 1e-9)


if __name__ == "__main__":
    need_program()
    for case in (bicycle, sleigh, bricard, singular_slider_crank, planetary_gear, drive_train, swinging_atwood, jeffcott, kapitza,
                 gyrostat, stopped_oscillator, duffing, flexible_slider_crank, falling_chain, postbuckled, toggle, suspended_cable, ring, becks_column, whirling_disc):
        if not sys.argv[1:] or case.__name__ in sys.argv[1:]:
            case()
    sys.exit(verdict())
