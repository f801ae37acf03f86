#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Rotating bodies against closed forms: the free asymmetric body (A09), the heavy symmetrical top of
M. Géradin's paper, cases 1 and 2, and steady precession with small nutation (A16).

The references are elliptic functions and integrals evaluated here, and published digits.
"""
import sys

from case_tools import QUICK, changed, check, model, need_program, run, verdict

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import ellipj, ellipk, ellipkinc

# ---- A09 ----

# body angular velocity of J = (1, 2, 3) from (0.01, 3, 0.02): Landau and Lifshitz, Mechanics, par. 37.
# The body flips near t = 3.3, 10.1 and 16.9.
FREE = {1: (-.065683433373, 2.999297532187, .042482598083),
        3: (-1.956014343458, 2.274666544394, 1.129467737744),
        5: (-.502248023100, -2.957675932771, .290604586284),
        10: (2.462142402231, -1.714046321176, 1.421647542919),
        20: (-.039069155948, -2.999762257422, .029588280028)}


def euler_poinsot(J, omega, t):
    """Jacobi's solution for J1 < J2 < J3 and M^2 > 2 T J2."""
    J, omega = np.array(J, float), np.array(omega, float)
    twice_T, MM = J @ omega**2, (J * omega) @ (J * omega)
    a = np.sqrt([(twice_T*J[2] - MM)/(J[0]*(J[2] - J[0])), (twice_T*J[2] - MM)/(J[1]*(J[2] - J[1])),
                 (MM - twice_T*J[0])/(J[2]*(J[2] - J[0]))])
    rate = np.sqrt((J[2] - J[1])*(MM - twice_T*J[0])/J.prod())
    m = (J[1] - J[0])*(twice_T*J[2] - MM)/((J[2] - J[1])*(MM - twice_T*J[0]))
    start = ellipkinc(np.arctan2(omega[1]/a[1], omega[0]/a[0]), m)
    sn, cn, dn, _ = ellipj(start + rate*np.asarray(t), m)
    return np.stack([a[0]*cn, a[1]*sn, a[2]*dn], axis=-1), 4*ellipk(m)/rate


def free_body():
    exact, period = euler_poinsot((1, 2, 3), (.01, 3, .02), list(FREE))
    check("A09", "reference: elliptic functions and published digits", exact - list(FREE.values()), 1e-9)
    check("A09", "reference: period", period - 13.604572249218, 1e-9)
    for scheme in ("EP", "ED"):
        error = []
        for h in (2e-3, 1e-3):
            r = run(model("free_body"), scheme, h, 20, every=round(.1/h), case="A09")
            omega = r.omega_in_body("nut")
            error.append(np.array([omega[r.at(t)] - FREE[t] for t in FREE]))
            energy = r.frame["ledger"][:, :3].sum(axis=1)
            momentum = r.frame["momentum_angular"]
            if scheme == "EP":
                check("A09", "EP, energy kept", energy/energy[0] - 1, 1e-10)
            else:
                check("A09", "ED, energy never grows", max(0, np.diff(energy).max()/energy[0]), 1e-11,
                      f"it loses {1 - energy[-1]/energy[0]:.1e}")
            check("A09", f"{scheme}, angular momentum kept (vector)",
                  (momentum - momentum[0])/np.linalg.norm(momentum[0]), 1e-10)
        check("A09", f"{scheme}, body angular velocity at t = 1, 3, 5, 10, 20 with h = 1 ms, rad/s",
              error[1], 1e-4)
        check("A09", f"{scheme}, the same extrapolated from 2 and 1 ms, rad/s",
              (4*error[1] - error[0])/3, 1e-6, "source Landau-Lifshitz par. 37")
    # In this nearly unstable rotation 3e-5 of the energy decide when the body flips: an energy that drifts by
    # 1e-10 shifts it by 1e-6
    h = 5e-4 if QUICK else 1e-4
    r = run(model("free_body"), "EP", h, 10, every=round(.1/h), case="A09")
    error = [r.omega_in_body("nut")[r.at(t)] - FREE[t] for t in FREE if t <= 10]
    check("A09", f"EP, body angular velocity at t = 1, 3, 5, 10 with h = {h*1e3:g} ms, rad/s", error,
          2e-5 if QUICK else 2e-6, "source Landau-Lifshitz par. 37")


# ---- the heavy symmetrical top: A, C moments about the pivot, across and about the axis; b = m g l ----

class Top:
    """u = cos(theta) over time by sn, the precession phi by quadrature."""

    def __init__(self, A, C, b, theta, precession, spin):
        self.A, self.cn, self.theta = A, C*(spin + precession*np.cos(theta)), theta
        u0, s = np.cos(theta), np.sin(theta)
        self.lz = A*precession*s**2 + self.cn*u0
        twice_E = A*(precession*s)**2 + 2*b*u0  # without the constant part of the spin
        # A u'^2 = (2E - 2 b u)(1 - u^2) - (lz - cn u)^2/A
        roots = np.roots([2*b, -twice_E - self.cn**2/A, 2*self.lz*self.cn/A - 2*b,
                          twice_E - self.lz**2/A])
        assert abs(roots.imag).max() < 1e-12
        u1, u2, u3 = sorted(roots.real)
        start = min((u1, u2), key=lambda u: abs(u - u0))  # at rest in theta: an end of the nutation
        assert abs(start - u0) < 1e-7
        self.low, self.high, self.from_top = u1, u2, start == u2
        self.m = (u2 - u1)/(u3 - u1)
        self.rate = np.sqrt(b*(u3 - u1)/(2*A))
        self.period = 2*ellipk(self.m)/self.rate

    def u(self, t):
        start = ellipk(self.m) if self.from_top else 0
        return self.low + (self.high - self.low)*ellipj(self.rate*t + start, self.m)[0]**2

    def phi_rate(self, t):
        u = self.u(t)
        return (self.lz - self.cn*u)/(self.A*(1 - u**2))

    def phi(self, t):
        """At increasing times t, t[0] = 0: Gauss quadrature over each interval, halved twice."""
        x, w = np.polynomial.legendre.leggauss(8)
        fine = np.unique(np.concatenate([t] + [t[:-1] + np.diff(t)*k/4 for k in (1, 2, 3)]))
        half, mid = np.diff(fine)/2, (fine[1:] + fine[:-1])/2
        part = (self.phi_rate(mid[:, None] + half[:, None]*x) @ w)*half
        return np.interp(t, fine, np.concatenate([[0], np.cumsum(part)]))

    def path(self, t, L):
        u, phi = self.u(t), self.phi(t)
        s = np.sqrt(1 - u**2)
        return L*np.stack([s*np.sin(phi), -s*np.cos(phi), u], axis=1)


def turning_points(t, z, vz):
    """Times and values where vz goes through zero, from cubic Hermite polynomials of z."""
    times, values = [], []
    for n in np.nonzero(vz[:-1]*vz[1:] < 0)[0]:
        h = t[n + 1] - t[n]
        c = np.array([2*z[n] - 2*z[n + 1] + h*(vz[n] + vz[n + 1]),
                      3*z[n + 1] - 3*z[n] - h*(2*vz[n] + vz[n + 1]), h*vz[n], z[n]])
        roots = np.roots(np.polyder(c))
        x = roots[np.argmin(abs(roots - .5))].real
        times.append(t[n] + h*x), values.append(np.polyval(c, x))
    return np.array(times), np.array(values)


# mass centre at t = 0.4 s with steps of 4 ms, of the independent prototype of these schemes in Python
# (independent prototype of the same equations; digits as given there)
PROTOTYPE = {("EP", .004): (.387461, -1.136808, .497536), ("ED", .004): (.387461, -1.136808, .497536),
             ("EP", .002): (.387591, -1.136664, .497763)}


def geradin_top(case, name, precession):
    A, C, L, b = .8 + 5*1.3**2, 1.8, 1.3, 5*9.81*1.3
    top = Top(A, C, b, np.pi/3, precession, 50)
    source = "source elliptic functions for the paper's data"
    text = model(name)
    errors = []
    for scheme, h in (("EP", .004), ("EP", .002), ("ED", .004), ("EP", 2e-4 if QUICK else 5e-5)):
        r = run(text, scheme, h, 4, every=max(1, round(.002/h)), case=case)
        x = r.position("top")
        energy = r.frame["ledger"][:, :3].sum(axis=1)
        if scheme == "EP":
            check(case, "EP, energy E/E0 - 1", energy/energy[0] - 1, 1e-10)
            error = abs(x - top.path(r.t, L)).max()
            errors.append(error)
        else:
            loss = 1 - energy/energy[0]
            check(case, "ED, energy never grows", max(0, np.diff(energy).max()/energy[0]), 1e-13,
                  f"it loses {loss[-1]:.1e} in 4 s, {loss[r.at(.4)]:.1e} in 0.4 s")
        if case == "S2-1" and (scheme, h) in PROTOTYPE:
            check(case, f"{scheme}, h = {h*1e3:g} ms: prototype's position at 0.4 s",
                  x[r.at(.4)] - PROTOTYPE[scheme, h], 1e-6, "source independent prototype (6 digits)")
        if case == "S2-1" and scheme == "ED":
            check(case, "ED: prototype's loss of energy to 0.4 s, 4.8e-8 (relative)",
                  loss[r.at(.4)]/4.8e-8 - 1, .02, "source independent prototype (2 digits)")
    # r: the finest run
    tolerance = (160 if QUICK else 10)*1e-6
    check(case, "path of the mass centre over 4 s, m", errors[-1], tolerance, source)
    ratio = errors[0]/errors[1]
    check(case, "second order: error falls by 4 when the step is halved", ratio/4 - 1, .05,
          f"errors {errors[0]:.2e}, {errors[1]:.2e}")
    t, z = turning_points(r.t, x[:, 2], r.velocity("top")[:, 2])
    low, high = z[z < np.mean(z)], z[z > np.mean(z)]
    check(case, "nutation limits, m", [abs(low - L*top.low).max(), abs(high - L*top.high).max()], 1e-6,
          f"theta {np.degrees(np.arccos(top.high)):.6f} to {np.degrees(np.arccos(top.low)):.6f} deg")
    times = t[z < np.mean(z)]
    period = (times[-1] - times[0])/(len(times) - 1)
    check(case, "nutation period, relative", period/top.period - 1, tolerance,
          f"{period:.9f} s, exact {top.period:.9f} s")
    phi = np.unwrap(np.arctan2(x[:, 0], -x[:, 1]))
    turn = np.interp(times[-1], r.t, phi) - np.interp(times[0], r.t, phi)
    exact = top.phi(np.linspace(0, top.period, 400))[-1]
    check(case, "precession over a period, rad", turn/(len(times) - 1) - exact, tolerance,
          f"{turn/(len(times) - 1):.8f}, exact {exact:.8f}")


# ---- A16 ----

def frequency(t, z, guess):
    """Of the sine that fits z(t) best."""
    def rest(w):
        shape = np.stack([np.ones_like(t), np.cos(w*t), np.sin(w*t)], axis=1)
        return np.linalg.norm(shape @ np.linalg.lstsq(shape, z, rcond=None)[0] - z)
    return minimize_scalar(rest, bounds=(.98*guess, 1.02*guess), method="bounded",
                           options={"xatol": 1e-9*guess}).x


def steady_top():
    M, L, J, C, g, theta, n = 2, .3, .02, .03, 9.81, np.radians(40), 200
    A, b = J + M*L**2, M*g*L
    c = np.cos(theta)
    W = (C*n - np.sqrt((C*n)**2 - 4*A*c*b))/(2*A*c)
    check("A16", "C n W - A W^2 cos(theta) = m g l", (C*n*W - A*W**2*c)/b - 1, 1e-12)
    for scheme in ("EP", "ED"):
        h = 2e-4
        r = run(model("top_steady"), scheme, h, 4, every=round(.002/h), case="A16")
        x = r.position("top")
        phi = np.unwrap(np.arctan2(x[:, 0], -x[:, 1]))
        rate = np.polyfit(r.t, phi, 1)[0]
        check("A16", f"{scheme}, steady precession, relative", rate/W - 1, 1e-4,
              f"{rate:.8f} rad/s, exact {W:.8f}; source Goldstein ch. 5")
        check("A16", f"{scheme}, tilt stays, rad", np.arccos(x[:, 2]/L) - theta, 1e-4)
    # a small push: the exact small nutation is sqrt(V''/A), V = (lz - cn u)^2/(2 A s^2) + b u
    lz, cn = A*W*np.sin(theta)**2 + C*n*c, C*n
    s = np.sin(theta)
    k = lz - cn*c  # = A W s^2; and k' = cn s
    second = (cn*s)**2/(A*s**2) + k*cn*c/(A*s**2) - 4*k*cn*s*c/(A*s**3) \
        + k**2/A*(3*c**2/s**4 + 1/s**2) - b*c
    nutation = np.sqrt(second/A)
    text = changed(model("top_steady"), kick="0.02 rad/s")
    r = run(text, "EP", 1e-4, 2, every=10, case="A16")
    rate = frequency(r.t, r.position("top")[:, 2], nutation)
    check("A16", "nutation rate, relative", rate/nutation - 1, 1e-4,
          f"{rate:.6f} rad/s, exact small nutation {nutation:.6f}, fast top C n/A {cn/A:.6f}")
    check("A16", "nutation rate against C n/A of a fast top, good to order A m g l/(C n)^2", rate/(cn/A) - 1,
          2*A*b/cn**2)


if __name__ == "__main__":
    need_program()
    free_body()
    geradin_top("S2-1", "top_dropped", 0)
    geradin_top("S2-2", "top_thrown", -10)
    steady_top()
    sys.exit(verdict())
