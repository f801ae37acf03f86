#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Solids against published numbers and closed forms: Cook's membrane (F01), the elliptic membrane LE1 (F02), a neo-Hookean
block in tension (F04), the tumbling L-block (F05) and the twisted beam (F07).
"""
import sys

from case_tools import QUICK, changed, check, model, need_program, run, verdict

import numpy as np
from scipy.optimize import brentq


def serendipity(text):
    return text.replace("order: order}", "order: order, serendipity: true}").replace(
        "    order: order\n", "    order: order\n    serendipity: true\n")


def nearest(out, x):
    """Index of the slot whose place as drawn is nearest to x."""
    return int(np.argmin(np.linalg.norm(out.frame["q"][0] - np.asarray(x), axis=1)))


def moved(out, x):
    slot = nearest(out, x)
    return out.frame["q"][-1, slot] - out.frame["q"][0, slot]


def cook():
    def corner(text, **parameters):
        return moved(run(changed(text, **parameters)), (48, 52, 0))[1]*1e3
    text = model("f01_cook")
    for what, form, cells, order in (("hex8", text, 16, 1), ("hex27", text, 6, 2),
                                     ("hex20", serendipity(text), 8, 2)):
        check("F01", f"{what}, {cells} x {cells}", corner(form, cells=cells, order=order)/23.96 - 1, 5e-3)
    plain = text.replace("material: elastic}", "material: elastic, enhanced: false}")
    check("F01", "hex8 without enhanced strains is stiffer", min(corner(text, cells=4)/corner(plain, cells=4) - 1.2, 0), 0)


def ellipse():
    """The stress at the inner edge, extrapolated from the forty points next to it by a quadratic."""
    for cells, order in ((12, 2),) if QUICK else ((12, 2), (32, 1)):
        out = run(changed(model("f02_ellipse"), cells=cells, order=order))
        x, s = out.solid_point, out.frame["solid_stress"][-1, :, 1]/1e6
        low = np.argsort(np.hypot(x[:, 0] - 2, x[:, 1]))[:40]
        A = np.stack([np.ones(40), x[low, 0] - 2, x[low, 1], (x[low, 0] - 2)**2, x[low, 1]**2,
                      (x[low, 0] - 2)*x[low, 1]], axis=1)
        value = np.linalg.lstsq(A, s[low], rcond=None)[0][0]
        check("F02", f"stress at (2, 0), {cells} cells of order {order}: {value:.2f} MPa", value/92.7 - 1, 2e-2)
        check("F02", "displacement there", moved(out, (2, 0, 0))[0]/-0.10215e-3 - 1, 2e-2)


def uniaxial_exact(lam, stretch):
    """Transverse stretch and nominal stress: P22 = 0."""
    def P22(a):
        return a - 1/a + lam*np.log(stretch*a*a)/a
    a = brentq(P22, 0.1, 3, xtol=1e-15)
    return a, stretch - 1/stretch + lam*np.log(stretch*a*a)/stretch


def uniaxial():
    published = {(1.5, .5): (1.21076739052, -2.43191534791), (1.5, 2): (.798077544539, 1.68153611645),
                 (1.5, 3): (.688111029504, 2.84216773702), (100, .5): (1.40729744542, -3.46097219975),
                 (100, 2): (.708867921012, 1.74875313528), (100, 3): (.579271544864, 2.8881481591)}
    for (lam, stretch), numbers in published.items():
        a, P = uniaxial_exact(lam, stretch)
        check("F04", "closed form is the published one", [a - numbers[0], P - numbers[1]], 1e-11, quiet=True)
        for order, cells in ((1, 1), (1, 2), (2, 1)):
            out = run(changed(model("f04_uniaxial"), P=repr(P), bulk=lam, order=order, divisions=cells))
            u = moved(out, (1, 1, 1))
            check("F04", f"lambda {lam}, stretch {stretch}, order {order}, {cells} cells",
                  [u[0] + 1 - stretch, u[1] + 1 - a, u[2] + 1 - a], 1e-8, quiet=True)


def l_block():
    for scheme, material in (("EP", None), ("ED", None), ("EP", "svk")):
        text = changed(model("f05_l_block"))
        if material:
            text = text.replace("{type: mooney_rivlin, c10: 5/6*997.5, c01: 997.5/6, kappa: 5209, density: 10}",
                                "{E: 2261.15, nu: 0.495469, density: 10}")
        out = run(text, scheme=scheme, end=6 if QUICK else 10, case="F05")
        after = out.t > 5.05
        ledger = out.frame["ledger"][after]
        energy = ledger[:, :3].sum(axis=1)
        name = f"{scheme}{', Saint Venant' if material else ''}"
        if scheme == "EP":
            check("F05", f"{name}: energy kept", energy/energy[0] - 1, 1e-10)
        else:
            check("F05", f"{name}: energy never grows", max(np.max(np.diff(energy))/energy[0], 0), 1e-12)
        spin = out.frame["momentum_angular"][after]
        check("F05", f"{name}: angular momentum kept", (spin - spin[0])/np.linalg.norm(spin[0]), 1e-10)
        speed = np.sqrt(2*ledger[:, 0].max()*(3*10*3 + 27)*10)
        check("F05", f"{name}: momentum stays zero", out.frame["momentum_linear"][:]/speed, 1e-10)


def twisted():
    for cells, order in ((48, 1), (12, 2)):
        for load, exact in ((dict(across=1, along=0), 5.424e-3), (dict(across=0, along=1), 1.754e-3)):
            out = run(changed(model("f07_twisted_beam"), cells=cells, order=order, **load))
            u = moved(out, (12, 0, 0))*1e3
            value = max(abs(u[1]), abs(u[2]))
            check("F07", f"order {order}, {load}: {value:.4e}", value/exact - 1, 1e-2)


def main():
    need_program()
    cook(), ellipse(), uniaxial(), l_block()
    if not QUICK:
        twisted()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
