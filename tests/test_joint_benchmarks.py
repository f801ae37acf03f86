#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Mechanisms, joints, springs and rolling against published numbers and closed forms: the spatial
slider-crank (A12), ADAMS joint pendulums (A13), the double pendulum of point masses (A15), the rolling
disc (H01), universal joint (H03), screw (H04), elastic bounce and Hertz' impact (H05) and bushing (H06).
"""
import csv
import sys

from case_tools import QUICK, ROOT, changed, check, model, need_program, run, verdict

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipj, ellipk, gamma


# ---- A12 ----

class SliderCrank:
    """The one freedom: crank angle q from upright. Positions by geometry, energy by differences of none:
    rates are linear in q', T = M(q) q'^2/2."""
    R, L, G = .08, .3, 9.81

    def parts(self, q):
        """Per unit of q': (mass, velocity, inertia tensor, angular velocity, height) of each body."""
        s, c = np.sin(q), np.cos(q)
        A = np.array([0, .1, .12])
        arm = self.R*np.array([0, -s, c])
        B = A + arm
        x = np.sqrt(self.L**2 - B[1]**2 - B[2]**2)
        C = np.array([x, 0, 0])
        vB = np.cross([1, 0, 0], arm)
        vC = np.array([-(B @ vB)/x, 0, 0])  # from |C - B| = L, with B on x = 0
        axis = (C - B)/self.L
        pin = np.array([0, axis[2], -axis[1]])  # rod's arm of the cross: across x and across the rod
        pin /= np.linalg.norm(pin)
        # omega = a ex + b pin, omega x (C - B) = vC - vB
        W = np.stack([np.cross([1, 0, 0], C - B), np.cross(pin, C - B)], axis=1)
        a, b = np.linalg.lstsq(W, vC - vB, rcond=None)[0]
        omega = np.array([a, 0, 0]) + b*pin
        J_rod = .004*np.eye(3) + (.0004 - .004)*np.outer(axis, axis)
        return ((.12, vB/2, 1e-4*np.diag([1., 0, 0]), np.array([1., 0, 0]), (A + B)[2]/2),
                (.5, (vB + vC)/2, J_rod, omega, (B + C)[2]/2),
                (2, vC, np.zeros((3, 3)), np.zeros(3), 0), x)

    def mass(self, q):
        return sum(m*(v @ v) + w @ J @ w for m, v, J, w, _ in self.parts(q)[:3])

    def rate(self, q):
        height = [sum(m*z for m, _, _, _, z in self.parts(p)[:3]) for p in (0, q)]
        return np.sqrt((self.mass(0)*36 - 2*self.G*(height[1] - height[0]))/self.mass(q))

    def angle(self, end):
        """The angle at the end. The mechanism never turns back, so q' = rate(q) by energy."""
        return solve_ivp(lambda _, q: [self.rate(q[0])], (0, end), [0], method="DOP853", rtol=1e-12,
                         atol=1e-13).y[0, -1]


def slider_crank():
    exact = {"crank": ((0, -.24, 0), (6, 0, 0)), "rod": ((.12, -.24, 0), (1.92, -.96, .48)),
             "slider": ((.24, 0, 0), (0, 0, 0))}
    text = model("spatial_slider_crank")

    def at_start(r):
        return [np.concatenate([r.velocity(body)[0] - v, r.omega(body)[0] - w])
                for body, (v, w) in exact.items()]
    r = run(text, "EP", 1e-3, 5, every=5, case="A12")
    check("A12", "initial rates as given", at_start(r), 1e-12, "source EXUDYN, MBDyn srscm (published)")
    energy = r.frame["ledger"][:, :3].sum(axis=1)
    check("A12", "EP, energy drift over 5 s, relative", energy/energy[0] - 1, 1e-11)
    mechanism = SliderCrank()
    q = mechanism.angle(5)
    error = []
    for scheme, h in (("EP", 2e-3), ("EP", 1e-3), ("ED", 1e-3), ("EP", 2e-4)):
        r = run(text, scheme, h, 5, every=round(5/h), case="A12")
        x, angle = r.position("slider")[-1, 0], r.coordinate("bearing", "angle")[-1]
        error.append(x - mechanism.parts(q)[3])
        check("A12", f"{scheme}, h = {h*1e3:g} ms: slider at 5 s, m", error[-1], 3e-6*(h/2e-4)**2,
              f"crank {angle:.7f} rad, exact {q:.7f}; source: the exact one-freedom motion")
    check("A12", "second order", error[0]/error[1]/4 - 1, .05)
    # only the drive speaks: bodies at rest as given, rates found by assembly
    at_rest = "\n".join(line for line in text.splitlines()
                        if not line.strip().startswith(("velocity:", "angular_velocity:")))
    driven = at_rest + "\nmotions:\n  drive: {joint: bearing, angle: turning*time}\n"
    r = run(driven, "ED", 1e-3, .1, case="A12")
    check("A12", "rates that assembly finds from the drive alone", at_start(r), 1e-12)


# ---- A13 ----

def adams():
    lines = (ROOT / "tests/data/adams_joint_pendulums.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    source = "source chrono-validation (ADAMS)"
    for joint in ("revolute", "cylindrical", "spherical"):
        mine = [row for row in rows if row["joint"] == joint]

        def published(names):
            return np.array([[float(row[n]) for n in names] for row in mine])
        # half a unit of the last digit that was printed
        def digit(values):
            return 5e-6*10**np.floor(np.log10(np.maximum(abs(values), .1)))
        for scheme in ("EP", "ED"):
            r = run(model(f"adams_{joint}"), scheme, 5e-4, 5.0005, case="A13")
            n = [r.at(float(row["t"])) for row in mine]
            for what, got, names, tolerance in (
                    ("position, m", r.position("bar")[n], "x y z", 2e-5),
                    ("velocity, m/s", r.velocity("bar")[n], "vx vy vz", 1e-4),
                    ("angular velocity, rad/s", r.omega("bar")[n], "wx wy wz", 1e-4)):
                values = published(names.split())
                check("A13", f"{joint}, {scheme}, {what}", np.maximum(0, abs(got - values) - digit(values)),
                      tolerance, source)
            force = -r.force("joint")[n]
            check("A13", f"{joint}, {scheme}, force on the ground, N", force - published(["fx", "fy", "fz"]),
                  5e-3, source + "; of about 20 N, noisy by 1e-3")
        if joint == "revolute":
            exact_pendulum(r)


def exact_pendulum(r):
    """The revolute one in closed form: k = sin(45 deg), J = J3 + m l^2, gravity g/sqrt(2) in its plane."""
    m, l, g = 1, 2, 9.80665*np.sqrt(.5)
    w, k = np.sqrt(m*g*l/(.1 + m*l*l)), np.sqrt(.5)
    sn, cn, _, _ = ellipj(ellipk(k*k) - w*r.t, k*k)
    theta, rate = 2*np.arcsin(k*sn), -2*k*w*cn  # from the lowest position; starts at 90 deg
    along, across = np.array([1, 0, 0]), np.array([0, 1, -1])*np.sqrt(.5)  # level, and down in the plane
    x = [1, 2, 3] + l*(np.sin(theta)[:, None]*along + np.cos(theta)[:, None]*across)
    check("A13", "revolute, path against the elliptic solution, m", r.position("bar") - x, 5e-6)
    radial = np.sin(theta)[:, None]*along + np.cos(theta)[:, None]*across
    tangent = np.cos(theta)[:, None]*along - np.sin(theta)[:, None]*across
    acceleration = -l*rate[:, None]**2*radial - l*(w**2*np.sin(theta))[:, None]*tangent
    force = m*(acceleration + [0, 0, 9.80665])
    check("A13", "revolute, force of the joint against the elliptic solution, N", r.force("joint") - force, 1e-4)


# ---- A15 ----

POINT_MASSES = {1: (-.883696386746, -.471004445906), 2: (.829721219705, -1.213002187803),
                3: (-.556895462274, 2.266119910928), 4: (.745183726321, -1.085205517585),
                5: (-.917127658150, .787567849483)}


def point_masses():
    end = 3 if QUICK else 5
    for scheme in ("EP", "ED"):
        errors = []
        for h in (2e-4, 1e-4):
            r = run(model("point_masses"), scheme, h, end, every=round(.1/h), case="A15")
            one, two = r.position("one"), r.position("two") - r.position("one")
            theta = np.stack([np.arctan2(one[:, 0], -one[:, 2]), np.arctan2(two[:, 0], -two[:, 2])], axis=1)
            errors.append(np.array([theta[r.at(t)] - POINT_MASSES[t] for t in range(1, end + 1)]))
        check("A15", f"{scheme}, angles at t = 1, 2, 3 with h = 0.1 ms, rad", errors[1][:3], 1e-6,
              f"at {end} s {abs(errors[1][-1]).max():.1e}; source Géradin-Cardona, digits of cases.md")
        check("A15", f"{scheme}, extrapolated from 0.2 and 0.1 ms, t = 1 to {end}, rad",
              (4*errors[1] - errors[0])/3, 1e-7)


# ---- H01 ----

def disc_rates(u, lean, r=.5, g=9.81):
    """sympy, test_kane.py: u in the leaning frame."""
    return np.array([(6*u[1]*u[2]*r - u[2]**2*r*np.tan(lean) + 4*g*np.sin(lean))/(5*r),
                     -2*u[0]*u[2]/3, u[0]*(-2*u[1] + u[2]*np.tan(lean))])


def lean_of(r, body="disc"):
    """Lean of the disc about its heading: d2 is its axis."""
    return np.arcsin(r.rotation(body)[:, 2, 1])


def rolling_disc():
    radius, lean, turn, g = .5, np.radians(20), 2, 9.81
    u3 = turn*np.cos(lean)
    u2 = (u3**2*radius*np.tan(lean) - 4*g*np.sin(lean))/(6*u3*radius)
    check("H01", "steady state of the equations", disc_rates([0, u2, u3], lean), 1e-12)
    check("H01", "u2 as published", u2 + 2.2663586177, 1e-10)
    for scheme in ("EP", "ED"):
        r = run(model("rolling_disc_turn"), scheme, 1e-3, 10, every=10, case="H01")
        x = r.position("disc")
        # the circle through all points
        A = np.stack([2*x[:, 0], 2*x[:, 1], np.ones(len(x))], axis=1)
        c = np.linalg.lstsq(A, x[:, 0]**2 + x[:, 1]**2, rcond=None)[0]
        path = np.sqrt(c[2] + c[0]**2 + c[1]**2)
        check("H01", f"{scheme}, radius of the centre's path, m", path - .5665896544, 1e-4,
              f"{path:.10f}; source sympy test_kane.py, steady turn")
        check("H01", f"{scheme}, points off that circle, m",
              np.hypot(x[:, 0] - c[0], x[:, 1] - c[1]) - path, 1e-4)
        check("H01", f"{scheme}, lean stays, rad", lean_of(r) - lean, 1e-4)
        heading = np.unwrap(np.arctan2(r.rotation("disc")[:, 1, 1], r.rotation("disc")[:, 0, 1]))
        check("H01", f"{scheme}, rate of turning, rad/s", np.polyfit(r.t, heading, 1)[0] - turn, 1e-4)
    # upright: wobble w^2 = (12 u2^2 - 4 g/r)/5 above the critical spin, falls below
    critical = np.sqrt(g/(3*radius))
    check("H01", "critical spin as published", critical - 2.5573423705, 1e-10)
    for speed in (1.2, 1.02, .98, .8):
        push, spin = 1e-3, speed*critical
        text = changed(model("rolling_disc_upright"), speed=str(speed))
        exact = solve_ivp(lambda _, y: np.append(disc_rates(y[:3], y[3]), y[0]), (0, 30), [push, spin, 0, 0],
                          rtol=1e-11, atol=1e-13, dense_output=True, events=_turning_back, method="DOP853")
        # below: until it has leant over furthest (then it rises, comes near the unstable upright position
        # again, and everything small decides when it leaves it)
        end = 10 if speed > 1 else round(exact.t_events[0][0], 2)
        for scheme in ("EP", "ED"):
            r = run(text, scheme, 1e-3, end, case="H01")
            lean, reference = lean_of(r), exact.sol(r.t)[3]
            size = abs(reference).max()
            check("H01", f"{scheme}, {speed:g} of the critical spin: lean against the equations, relative",
                  (lean - reference)/size, 1e-4, f"{size:.4g} rad in {end:g} s; source sympy test_kane.py")
        if speed > 1:
            w = np.sqrt((12*spin**2 - 4*g/radius)/5)
            check("H01", f"{speed:g} of the critical spin: it wobbles no further than push/w",
                  max(0, abs(lean).max()*w/push - 1), 1e-3)
        else:
            check("H01", f"{speed:g} of the critical spin: it falls to {abs(lean).max():.3f} rad",
                  max(0, 100*push - abs(lean).max()), 0)


def _turning_back(_, y):
    return y[0]


_turning_back.direction = -1


# ---- H03 ----

def universal_joint():
    # a bearing that is free to tilt and to slide instead of a hinge: no condition is redundant
    text = model("universal_joint")
    loose = text.replace("back: {type: revolute", "back: {type: point_on_line")
    loose = loose.replace("back.angle, back.angle.rate, ", "")
    shaft_driven(text, "EP", 3)
    shaft_driven(text, "ED", 3)
    shaft_driven(loose, "ED", 0)


def shaft_driven(text, scheme, redundant):
    b, w1 = np.radians(30), 2
    shaft, y0 = np.array([np.cos(b), np.sin(b), 0]), np.array([-np.sin(b), np.cos(b), 0])
    name = f"{scheme}, {redundant} redundant conditions"
    error = []
    for h in (1e-3, 5e-4):
        r = run(text, scheme, h, 5, case="H03")
        check("H03", f"{name}: found", r.summary["redundant"] - redundant, 0)
        g1 = r.coordinate("front", "angle")
        check("H03", f"{name}: driven angle, rad", g1 - w1*r.t, 1e-12)
        # turn of the second shaft about its own axis, from its y as drawn
        y = r.rotation("output")[:, :, 1]
        g2 = np.unwrap(np.arctan2(y @ np.cross(shaft, y0), y @ y0))
        exact = np.unwrap(np.arctan2(np.sin(g1)*np.cos(b), np.cos(g1)))
        check("H03", f"{name}: tan g2 = tan g1 cos b, rad", g2 - exact, 1e-8, "source closed form")
        if redundant:
            check("H03", f"{name}: angle of the back hinge, rad", r.coordinate("back", "angle") - g2, 1e-12)
        # the arm of the cross on the first shaft is across the plane of the shafts at the start
        ratio = np.cos(b)/(1 - np.sin(b)**2*np.cos(g1 + np.pi/2)**2)
        error.append((r.omega("output") @ shaft/w1 - ratio)[::round(.01/h)])
    check("H03", f"{name}: ratio of the rates, h = 0.5 ms", error[1], 1e-6)
    check("H03", f"{name}: the same extrapolated from 1 and 0.5 ms", (4*error[1] - error[0])/3, 1e-8,
          "source closed form (EXUDYN universalJoint.py)")


# ---- H04 ----

def screw():
    M, J, p, g = 3, .02, .05, 9.81
    for case, T in (("falling", 0), ("driven", 2.5)):
        phi = (T - M*g*p)/(J + M*p*p)
        text = changed(model("screw"), T=f"{T} N*m")
        if T == 0:
            check("H04", "z'' = -g m p^2/(m p^2 + J)", p*phi + g*M*p*p/(M*p*p + J), 1e-14)
        for scheme in ("EP", "ED"):
            error = []
            for h in (1e-3, 5e-4):
                r = run(text, scheme, h, 1, every=round(.05/h), case="H04")
                t = r.t[1:]
                angle, z = r.coordinate("screw", "angle")[1:], r.position("nut")[1:, 2]
                check("H04", f"{case}, {scheme}: z = p phi, m", z - p*angle, 1e-12)
                error.append(np.stack([2*angle/t**2/phi - 1, 2*z/t**2/(p*phi) - 1]))
            check("H04", f"{case}, {scheme}: phi'' and z'', relative, extrapolated from 1 and 0.5 ms",
                  (4*error[1] - error[0])/3, 1e-8,
                  f"phi'' = {phi:.6f} rad/s^2; with h = 0.5 ms {abs(error[1]).max():.1e}; source closed form")


# ---- H05 ----

def bounce():
    h0, g, k, m = .5, 9.81, 1e6, 1
    fall, v, w = np.sqrt(2*h0/g), np.sqrt(2*g*h0), np.sqrt(k/m)
    touch = 2*(np.pi - np.arctan(v*w/g))/w
    landing = fall + np.arange(5)*(touch + 2*fall)
    apex = np.arange(1, 5)*(touch + 2*fall)
    h = 4e-5 if QUICK else 2e-5
    for scheme in ("EP", "ED"):
        r = run(model("bounce"), scheme, h, 3, case="H05")
        z, vz = r.position("ball")[:, 2], r.velocity("ball")[:, 2]
        down = np.nonzero((z[:-1] > -h0) & (z[1:] <= -h0))[0]
        times = r.t[down] + (z[down] + h0)/(z[down] - z[down + 1])*h
        up = np.nonzero((vz[:-1] > 0) & (vz[1:] <= 0) & (z[1:] > -h0/2))[0]
        tops = r.t[up] + vz[up]/(vz[up] - vz[up + 1])*h
        check("H05", f"{scheme}, landings of an elastic bounce, s", times[:5] - landing, 1e-4,
              f"touch lasts {touch*1e3:.4f} ms; source closed form, e = 1")
        check("H05", f"{scheme}, tops, s", tops[:4] - apex, 1e-4)
        check("H05", f"{scheme}, height of the tops, m", z[up][:4],
              1e-6 if scheme == "EP" else 1e-5*(h/2e-5)**3)
        check("H05", f"{scheme}, never above the first top, m", max(0, z.max()), 1e-9)
    damped_bounce(h0, g, k, m, 2e-5)
    hertz_impact()


def damped_bounce(h0, g, k, m, h):
    """Restitution e from a dashpot in the stop, z = -ln e/sqrt(pi^2 + ln^2 e). A touch is a damped swing about the
    depth -m g/k, from the surface with speed v until the surface again: solved for its end in closed form."""
    e = .7
    z = -np.log(e)/np.hypot(np.pi, np.log(e))
    w, sag = np.sqrt(k/m), m*g/k
    wd = w*np.sqrt(1 - z*z)

    def touch(v):  # u'' + 2 z w u' + w^2 u = 0 about the sag, u(0) = sag, u'(0) = -v; u = sag again
        B = (-v + z*w*sag)/wd
        u = lambda t: np.exp(-z*w*t)*(sag*np.cos(wd*t) + B*np.sin(wd*t)) - sag
        end = brentq(u, .5*np.pi/wd, 1.2*np.pi/wd)
        d = 1e-4/wd
        return end, (u(end + d) - u(end - d))/(2*d)

    landing, v, t = [], np.sqrt(2*g*h0), np.sqrt(2*h0/g)
    for _ in range(5):
        landing.append(t)
        spell, v = touch(v)
        t += spell + 2*v/g
    text = changed(model("bounce"), c=f"{2*z*np.sqrt(k*m):.17g} N*s/m")
    for scheme in ("EP", "ED"):
        r = run(text, scheme, h, 2, case="H05")
        x = r.position("ball")[:, 2]
        down = np.nonzero((x[:-1] > -h0) & (x[1:] <= -h0))[0]
        times = r.t[down] + (x[down] + h0)/(x[down] - x[down + 1])*h
        check("H05", f"{scheme}, landings with restitution {e}, s", times[:5] - landing, 1e-4,
              "source closed form of the damped touch")


def hertz_impact():
    """Energy gives dp/dt = v sqrt(1 - (p/d)^(5/2)), hence the whole touch; with losses
    m w dw/(1 + c w) = -kh p^(3/2) dp, c = (3/2) loss, whose left side is m dF(w) with the F below."""
    R, E, v, gap = .02, 210e9/(2*(1 - .3**2)), .2, 1e-5
    m = 4/3*np.pi*R**3*7850
    d = (15*m*v**2/(16*np.sqrt(R)*E))**.4
    number = .8*np.sqrt(np.pi)*gamma(.4)/gamma(.9)  # 2 int_0^1 du/sqrt(1 - u^(5/2))
    check("H05", "Hertz: duration of the touch, v/d, as published", number - 2.94, .005)
    touch = number*d/v
    h = touch/1000
    for scheme in ("EP", "ED"):
        r = run(model("hertz"), scheme, h, 1.5*touch + gap/v, case="H05")
        t_in, t_out, p = touch_of(r, gap)
        check("H05", f"{scheme}, Hertz: duration of the touch, relative", (t_out - t_in)/touch - 1, 1e-5,
              f"{touch*1e6:.3f} us; source closed form")
        check("H05", f"{scheme}, Hertz: greatest depth, relative", p.max()/d - 1, 1e-5, f"{d*1e6:.4f} um")
        check("H05", f"{scheme}, Hertz: speed behind", r.velocity("ball")[-1, 0]/v + 1,
              1e-12 if scheme == "EP" else 1e-5)
    kh, c = 4/3*E*np.sqrt(R), 1.5*2  # loss 2 s/m: c v = 0.6
    F = lambda w: w/c - np.log1p(c*w)/c**2
    leave = brentq(lambda w: F(-w) - F(v), 1e-6, v)
    deep = (2.5*m/kh*F(v))**.4
    for scheme in ("EP", "ED"):
        r = run(changed(model("hertz"), loss="2 s/m"), scheme, h, 1.8*touch + gap/v, case="H05")
        _, _, p = touch_of(r, gap)
        check("H05", f"{scheme}, Hertz with losses: restitution", (-r.velocity("ball")[-1, 0] - leave)/v, 1e-5,
              f"e = {leave/v:.6f}; source integral of Hunt and Crossley's law")
        check("H05", f"{scheme}, Hertz with losses: greatest depth, relative", p.max()/deep - 1, 1e-5)


def touch_of(r, gap):
    """When a flight that is straight at both ends enters and leaves, from positions and speeds; the penetrations."""
    p, w = r.position("ball")[:, 0] - gap, r.velocity("ball")[:, 0]
    return r.t[0] - p[0]/w[0], r.t[-1] - p[-1]/w[-1], p


# ---- H06 ----

def bushing():
    k = dict(along_x=100, along_y=200, along_z=300, about_x=2, about_y=3, about_z=4)
    m = dict(along_x=2, along_y=2, along_z=2, about_x=.03, about_y=.04, about_z=.05)

    def motion(r, body):
        if body.startswith("along"):
            return r.position(body)[:, "xyz".index(body[-1])]
        i = "xyz".index(body[-1])
        R = r.rotation(body)
        return R[:, (i + 2) % 3, (i + 1) % 3]  # sin of a small angle
    h = .05
    for scheme, rho in (("EP", None), ("ED", 0), ("ED", .5), ("ED", 1)):
        r = run(model("bushing"), scheme, h, 20, rho=rho, case="H06", audit=1e-9)
        name = scheme if rho is None else f"ED({rho:g})"
        worst = []
        for body in k:
            w = np.sqrt(k[body]/m[body])
            x = motion(r, body)
            # x_n = Re(c z^n): x_n+1 - 2 Re(z) x_n + |z|^2 x_n-1 = 0. Weighted alike at all times.
            weight = 1/(abs(x[1:-1]) + abs(x[2:]) + abs(x[:-2]))
            A = np.stack([2*x[1:-1], -x[:-2]], axis=1)*weight[:, None]
            c, cc = np.linalg.lstsq(A, x[2:]*weight, rcond=None)[0]
            z = c + 1j*np.sqrt(cc - c*c)
            if scheme == "EP":  # tan(w' h/2) = w h/2
                worst.append(2*np.tan(np.angle(z)/2)/h/w - 1)
                worst.append(abs(z) - 1)
            else:
                worst.append(z - amplification(1j*w*h, (1 - rho)/(1 + rho)))
        check("H06", f"{name}, six frequencies sqrt(k/m), sqrt(k/J), the step's own error undone"
              if scheme == "EP" else f"{name}, factor of a step for six oscillators", worst, 1e-10,
              "source closed form")


def amplification(s, alpha):
    """Of the energy decaying scheme for y' = s y/h: for alpha = 1 the Pade approximant (1, 2) of exp(s), for
    alpha = 0 (2, 2)."""
    return 1 + s*(1 - alpha*s/6)/((1 - s/2)*(1 - alpha*s/6) + s*s/12)


if __name__ == "__main__":
    need_program()
    slider_crank()
    point_masses()
    adams()
    rolling_disc()
    universal_joint()
    screw()
    bounce()
    bushing()
    sys.exit(verdict())
