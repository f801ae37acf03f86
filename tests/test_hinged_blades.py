#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Modes of rotor blades on free hinges (`modes --spin`) against the classical results: rigid flap and lag with and without
offset of the hinge, flexible blades against Galerkin's method on the equation of the rotating beam

    (EI w'')'' - (T w')' = m omega^2 w ,    T = m Omega^2 (R^2 - r^2)/2 ,   w = w'' = 0 at the hinge ,

and within the bounds of Southwell and Gough (ARC R&M 766, 1921). On a hinge nothing is stiff before it turns: blades drawn
with an angle of coning, and blades with a weight, must come down to the equilibrium of their rotation.
"""
import sys

from case_tools import changed, check, model, need_program, verdict
from test_modes import modes, omegas

import numpy as np
from numpy.polynomial import Legendre
from scipy.linalg import eigh

STIFF = 1e5
UNIVERSAL = "{type: universal, bodies: [ground, blade.start], at: [e, 0, 0], axis: y, axis_b: z}"
LAG = "{type: revolute, bodies: [ground, blade.start], at: [e, 0, 0], axis: z}"


def blade(hinge=None, **parameters):
    text = changed(model("hinged_blade"), **parameters)
    return text[:text.index("  hinge:")] + f"  hinge: {hinge}\n" if hinge else text


def found(text, spin, motion, count=8, options=()):
    return omegas(modes(text, "--spin", f"[0, 0, {spin}]", *options, count=count), motion)


def galerkin(e, spin, EI=1.0, terms=16):
    """Squared flap frequencies, and the first elastic mode at rest with its quotient of the tension."""
    l, (x, w) = 1 - e, np.polynomial.legendre.leggauss(60)
    x, w, X = (x + 1)/2, w/2, Legendre.fromroots([0], domain=[0, 1])
    basis = [X*Legendre.basis(k, domain=[0, 1]) for k in range(terms)]
    f, d, dd = (np.array([b.deriv(n)(x) if n else b(x) for b in basis]) for n in (0, 1, 2))
    tension = (1 - (e + l*x)**2)/2
    M, bend, pull = (f*w) @ f.T*l, EI*(dd*w) @ dd.T/l**3, (d*w*tension) @ d.T/l
    value = eigh(bend + spin**2*pull, M, eigvals_only=True)
    _, shape = eigh(bend, M)
    return value, shape[:, 1] @ pull @ shape[:, 1]


def stiff_blades():
    for spin in (3, 10, 100):
        check("on the axis", f"EI = {STIFF:g}, {spin} rad/s: flap with the rotation, relative",
              found(blade(EI=STIFF, mesh=6), spin, "moves along z")[0]/spin - 1, 1e-5)
    for e in (.05, .1, .2):
        flap, lag = np.sqrt(1 + 1.5*e/(1 - e)), np.sqrt(1.5*e/(1 - e))
        for what, hinge, motion, exact in (("flap", None, "z", flap), ("lag", LAG, "y", lag),
                                           ("flap of both", UNIVERSAL, "z", flap), ("lag of both", UNIVERSAL, "y", lag)):
            check("offset", f"e = {e}: {what}, {exact:.6f} of the rotation, relative",
                  found(blade(hinge, e=e, EI=STIFF, mesh=6), 10, f"moves along {motion}")[0]/(10*exact) - 1, 2e-5)
    free = modes(blade(LAG, EI=STIFF), "--spin", "[0, 0, 10]", count=3)
    check("on the axis", "a lag hinge there is free", not free[0]["rigid"], 0)


def flexible_blades():
    for e in (0, .1):
        for spin in (3, 12, 30):
            value, _ = galerkin(e, spin)
            for mesh in ((12, 60) if spin == 12 else (12,)):  # dense, sparse
                got = found(blade(e=e, mesh=mesh), spin, "moves along z")[:4]
                check("flexible", f"e = {e}, {spin} rad/s, {mesh} elements: flap 1 to 4 against Galerkin's method, relative",
                      got/np.sqrt(value[:4]) - 1, 2e-5, ", ".join(f"{x:.5f}" for x in got))
    for EI in (1e-2, 1, 1e2):
        check("on the axis", f"EI = {EI:g}: flap with the rotation, relative",
              found(blade(EI=EI), 10, "moves along z")[0]/10 - 1, 1e-6)
    at_rest = found(blade(), 0, "moves along z")
    check("flexible", "at rest: 0, 3.926602^2, 7.068583^2 of hinged and free", at_rest[:3] - [0, 15.41820569, 49.96486203], 1e-3)


def not_unstable():
    """A fine mesh of a thin blade: what is left of the stiffness along it in round-off is no growth."""
    for spin in (6, 12):
        got = modes(blade(e=.1, mesh=60), "--spin", f"[0, 0, {spin}]", count=8)
        check("flexible", f"{spin} rad/s, 60 elements: nothing grows", max(m["growth"] for m in got), 0)


def southwell():
    """The blade hinged on the axis: w = r is a mode at any speed. Among what is orthogonal to it the first elastic one
    has at least what beam and string (6 Omega^2) have alone, and at most what the shape at rest would have."""
    rest = 3.926602312**4
    _, quotient = galerkin(0, 0)
    for spin in (1, 3, 6, 12, 30):
        square = found(blade(mesh=8), spin, "moves along z")[1]**2
        low, high = rest + 6*spin**2, rest + quotient*spin**2
        check("Southwell", f"{spin} rad/s: {low:.2f} < {square:.2f} < {high:.2f}, relative",
              max(0, low - square, square - high)/square, 1e-5)


def drawn_elsewhere():
    exact = found(blade(e=.1, mesh=6), 10, "moves along z")[:3]
    for cone in (1, 10, 40, -60):
        got = found(blade(e=.1, mesh=6, cone=f"{cone} deg"), 10, "moves along z")[:3]
        check("coned", f"drawn at {cone} degrees: as drawn level, relative", got/exact - 1, 1e-6)
    for spin in (5, 10):
        sine = 1.5*9.81/spin**2  # droop: moment of the weight = moment of the rotation; then omega = Omega cos(droop)
        text = blade(EI=STIFF, weight=9.81, mesh=6)
        check("weight", f"{spin} rad/s: droops by {np.degrees(np.arcsin(sine)):.2f} degrees, flaps with Omega cos, relative",
              found(text, spin, None)[0]/(spin*np.sqrt(1 - sine**2)) - 1, 1e-4)


if __name__ == "__main__":
    need_program()
    stiff_blades()
    flexible_blades()
    not_unstable()
    southwell()
    drawn_elsewhere()
    sys.exit(verdict())
