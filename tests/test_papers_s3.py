#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Statements of the papers about their examples: the right-angle beam (S3 10.1), the crooked four-bar mechanism (S3
10.2, S0 3.4) and the actuated beam (S3 10.3, S0 3.5).

The models are in examples/papers, the pages in docs/papers. Where a number of the papers could not be
reproduced, the page says so and the test holds what can be said. Thresholds of smoothness, of the exchanged data set of the
four-bar and of the crank's place in the actuated beam were chosen after seeing results: regression values. So were, in the flight of the
right-angle beam, 90 degrees between nodes, 5 m from two other programs at 60 s, what the error of forces may grow by,
its limits at steps of 0.4 and 0.1 s, and what ED may dissipate: measured 0.042 % to 60 s and 0.80 % to 400 s; with its stage in forms, 19 % to 400 s. "prototype" is the independent program
from which the formulation's reference numbers are. Two more references of the right-angle beam: another element, and two other programs.

Environment: TORSOR, the program; TORSOR_SOURCE_DIR, the source tree; TORSOR_QUICK=1 for shorter runs.
"""
import sys

from case_tools import QUICK, ROOT, changed, check, need_program, run, verdict

import numpy as np
from scipy.spatial.transform import Rotation

PAPERS = ROOT / "examples" / "papers"


def paper(name):
    return (PAPERS / f"{name}.yaml").read_text(encoding="utf-8")


def total(r):
    return sum(r.step[name] for name in ("kinetic", "elastic", "gravity"))


def forces(r, beam, nodes, length, stiffness, at):
    """Internal force and moment, section axes, amid two neighbouring nodes of a straight beam: N, Q2, Q3, M1, M2, M3.
    Exact for two-noded elements, which are helices: the logarithm of the relative motion; `at` counts from 1."""
    ds = length/(nodes - 1)
    a, b = f"{beam}.{at}", f"{beam}.{at + 1}"
    Da, Db = r.rotation(a), r.rotation(b)
    turn = Rotation.from_matrix(np.einsum("nji,njk->nik", Da, Db)).as_rotvec()
    chord = np.einsum("nji,nj->ni", Da, r.position(b) - r.position(a))
    angle = np.linalg.norm(turn, axis=1)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        c = np.where(angle > 1e-4, 1/angle**2 - 1/(2*angle*np.tan(angle/2)), 1/12)
    along = np.cross(turn, chord)
    return np.hstack([(chord - along/2 + c*np.cross(turn, along))/ds - [1, 0, 0], turn/ds])*stiffness


def roughness(values):
    """What changes from state to state, over what there is: the rms of the second differences over the rms of the
    values. Of a wave of n states a period, (2 pi/n)^2; of pure noise, 2.4."""
    second = values[2:] - 2*values[1:-1] + values[:-2]
    return np.sqrt(np.mean(second**2)/np.mean(values**2))


# ---- S3 10.1: right-angle beam ----

PROTOTYPE = {  # loaded tip at t = 8, EA = GA = 1e6, EI = GJ = 1e3, EP: an independent program of the same element
    0.05: (19.49978, 16.30644, 12.33877),
    0.025: (19.49404, 16.31732, 12.33692),
}
# Loaded tip of the soft beam of the paper at t = 8 s. Computed with another element, of interpolated directors (torsor up to f40e857; EP):
# 10 + 10 elements of order 3, h = 5 ms: 18.9021, 15.0573, 16.3885; 5 + 5 of order 3: 18.9014, 15.0575, 16.3890; 40 + 40 two-noded ones:
# 18.89, 15.05, 16.41. (With 5 + 5 two-noded ones that element folded to 180 degrees and the tip was at 33.7, 18.9, 32.0.)
RIGHT = (18.902, 15.057, 16.389)
# Loaded tip at t = 60 s with 5 + 5 two-noded elements, by two other programs. They are 1.3 m apart.
OTHERS = ((155.0, 143.8, 149.8), (154.4, 143.6, 148.7))


def meshed(text, elements, order):
    return text.replace("elements: 5, order: 1}", f"elements: {elements}, order: {order}}}")


def stretches(r, elements=5):
    """Distances of neighbouring nodes over those as drawn, all states and elements of both arms; and angles between their frames, degrees."""
    pairs = [(f"{beam}.{k}", f"{beam}.{k + 1}") for beam in ("first", "second") for k in range(1, elements + 1)]
    length = np.stack([np.linalg.norm(r.position(b) - r.position(a), axis=1) for a, b in pairs])
    gap = np.stack([np.sum((r.rotation(b) - r.rotation(a))**2, axis=(1, 2)) for a, b in pairs])
    return length*elements/10, np.degrees(2*np.arcsin(np.sqrt(gap/8)))


def meshes():
    """The tip at t = 8 s: two-noded elements come with order 2 to where those of order 3 are, and so did another element."""
    case, text = "S3 10.1 meshes", paper("right_angle_beam")
    for scheme in ("EP", "ED"):
        tips = {}
        for elements, order in ((5, 1), (10, 1), (20, 1), (5, 3)):
            r = run(meshed(text, elements, order), scheme, 0.05, 8, case=case)
            tips[elements, order] = r.position("second.end")[-1]
            if order == 1:
                stretch, angle = stretches(r, elements)
                check(case, f"{scheme} {elements} + {elements}, largest stretch less 1", max(0, stretch.max() - 1), 0.05,
                      f"{stretch.max():.4f}; largest angle {angle.max():.0f} degrees")
        off = {mesh: np.linalg.norm(tip - RIGHT) for mesh, tip in tips.items()}
        check(case, f"{scheme} 5 + 5 two-noded, tip, m", off[5, 1], 1.1, "0.34 m measured")
        check(case, f"{scheme} 10 + 10, tip, m", off[10, 1], 1.1/4, "0.08 m measured")
        check(case, f"{scheme} 5 + 5 of order 3, tip, m", off[5, 3], 0.03, "error of the step of 50 ms")
        history = [np.linalg.norm(tips[n, 1] - tips[5, 3]) for n in (5, 10, 20)]  # the same step: of the mesh alone
        for coarse, fine, n in zip(history, history[1:], (5, 10)):
            check(case, f"{scheme} order of the mesh, {n} to {2*n}, off 2", np.log2(coarse/fine) - 2, 0.3,
                  ", ".join(f"{x:.4f}" for x in history) + " m from order 3")
    r = run(meshed(text, 5, 3), "EP", 0.0125, 8, case=case)
    check(case, "EP 5 + 5 of order 3, h = 12.5 ms, tip, m", r.position("second.end")[-1] - RIGHT, 2e-3, "another element")


def fields(r):
    """Position, rotation, velocity, angular velocity, force and moment of all nodes at multiples of 0.4 s."""
    at = [r.at(0.4*k) for k in range(21)]
    names = [f"{beam}.{k}" for beam in ("first", "second") for k in range(1, 7)]
    force = np.concatenate([forces(r, beam, 6, 10, [1e5]*3 + [100]*3, k)
                            for beam in ("first", "second") for k in range(1, 6)], axis=1)[at]
    force = force.reshape(len(at), -1, 6)
    position = np.stack([r.position(n)[at] - r.position(n)[0] for n in names])
    rotation = np.stack([r.rotation(n)[at] for n in names])
    return {"position": position, "rotation": rotation, "velocity": np.stack([r.velocity(n)[at] for n in names]),
            "angular velocity": np.stack([r.omega(n)[at] for n in names]),
            "force": force[..., :3], "moment": force[..., 3:]}


def right_angle_beam():
    case = "S3 10.1"
    text = paper("right_angle_beam")
    stiff = changed(text, axial="1e6 N", bending="1e3 N*m^2")
    apart = []
    for h, tip in PROTOTYPE.items():
        ends = {scheme: run(stiff, scheme, h, 8, case=case) for scheme in ("EP", "ED")}
        check(case, f"EP h = {h} s, tip at t = 8, m", ends["EP"].position("second.end")[-1] - tip, 6e-6, "prototype")
        apart.append(np.linalg.norm(np.subtract(*[r.position("second.end")[-1] for r in ends.values()])))
        for scheme, r in ends.items():
            check(case, f"{scheme} h = {h} s, steps cut", r.summary["cuts"], 0)
    check(case, "ED comes to EP with the square of the step, off 2", np.log2(apart[0]/apart[1]) - 2, 0.5)
    # all the steps of the paper, and the orders of figs. 3 to 5
    for scheme in ("EP", "ED"):
        exact = fields(run(text, scheme, 0.00625 if QUICK else 0.003125, 8, case=case))
        errors = {}
        for h in (0.4, 0.2, 0.1, 0.05, 0.025):
            r = run(text, scheme, h, 8, case=case)
            check(case, f"{scheme} h = {h} s, steps cut", r.summary["cuts"], 0)
            found = fields(r)
            errors[h] = {name: np.linalg.norm(found[name] - exact[name])/np.linalg.norm(exact[name]) for name in exact}
        for name in exact:
            history = [error[name] for error in errors.values()]
            note = ", ".join(f"{error:.1e}" for error in history)
            order = np.log2(history[1]/history[3])/2  # below 0.05 s velocities meet axial waves that no step resolves
            if name != "force":
                check(case, f"{scheme} order of {name} at h = 0.2 to 0.05 s, off 2", order - 2, 0.5,
                      f"{order:.2f}; errors {note}")
            else:  # "second order for all fields, except the force and moment fields, as expected"; seen: 5 % from 0.05 s on
                check(case, f"{scheme} error of {name}, growth from step to smaller step",
                      max(0, np.max(np.diff(history))), 0.005, f"errors {note}")
                check(case, f"{scheme} error of {name} at h = 0.4 s", history[0], 0.5)
                check(case, f"{scheme} error of {name} at h = 0.1 s", history[2], 0.1)


def flight():
    """Tumbling on for 400 s."""
    case, text = "S3 10.1 flight", paper("right_angle_beam")
    for scheme in ("EP", "ED"):
        r = run(text, scheme, 0.05, 60 if QUICK else 400, every=20, case=case, audit=1e-11)
        e = total(r)[r.step["t"] > 2 + 1e-9]
        if scheme == "EP":
            check(case, "EP energy in flight, relative", np.ptp(e)/e[0], 1e-11, f"{e[0]:.6f} J to t = {r.t[-1]:g}")
        else:
            check(case, "ED energy does not grow in flight, relative", max(0, np.max(np.diff(e)))/e[0], 1e-13,
                  f"{1 - e[-1]/e[0]:.1e} of it dissipated to t = {r.t[-1]:g}")
            check(case, "ED energy dissipated in flight, relative", 1 - e[-1]/e[0], 1e-3 if QUICK else 0.015)
        free = r.t > 2
        p, spin = r.frame["momentum_linear"][free], r.frame["momentum_angular"][free]
        check(case, f"{scheme} linear momentum, relative", (p - 50)/50, 1e-12, "exact: 50 N s along each axis")
        # about the origin, from which it flies 1.7 km in 400 s
        check(case, f"{scheme} angular momentum, relative", (spin - spin[0])/np.linalg.norm(spin[0]), 1e-12)
        check(case, f"{scheme} steps cut in flight", r.summary["cuts"], 0)
        stretch, angle = stretches(r)
        check(case, f"{scheme} largest stretch of an element, less 1", max(0, stretch.max() - 1), 0.05,
              f"{stretch.min():.4f} to {stretch.max():.4f}")
        check(case, f"{scheme} axial and shear strains", r.frame["section_strain"][..., :3], 0.05)
        check(case, f"{scheme} largest angle between neighbouring nodes, degrees", angle, 90, f"{angle.max():.0f}")
        tip = r.position("second.end")[r.at(60)]
        for k, other in enumerate(OTHERS):  # a flight of 5 to 7 turns; 28 m from tip to tip are possible
            check(case, f"{scheme} tip at t = 60 s, from that of program {k + 1}, m", np.linalg.norm(tip - other), 5,
                  "{:.1f}, {:.1f}, {:.1f}".format(*tip))


# ---- S3 10.2, S0 3.4: crooked four-bar mechanism ----

def exchanged(text):
    """Stiff bars weak and the other way round."""
    return text.replace("section: stiff", "section: x").replace("section: weak", "section: stiff") \
               .replace("section: x", "section: weak")


def four_bar():
    case = "S3 10.2"
    # out-of-plane displacement of C, mm: the papers say 1.5; neither data set as printed gives that
    swapped = exchanged(changed(paper("four_bar_crooked_s0"), EIs="2.4e5 N*m^2"))
    found = {}
    for name, text, bar in (("S3", paper("four_bar_crooked_s3"), "bar3"),
                            ("S0", paper("four_bar_crooked_s0"), "barc"),
                            ("S0, exchanged", swapped, "barc")):
        for scheme in ("ED", "EP"):
            r = run(text, scheme, 1e-3, case=case)
            check(case, f"{name} {scheme} steps cut", r.summary["cuts"], 0)
            z = r.position(f"{bar}.end")[:, 2]*1e3
            found[name, scheme] = np.max(np.abs(z))
            angle = r.coordinate("D", "angle")
            check(case, f"{name} {scheme} bar at A turns on, rad", r.coordinate("A", "angle")[-1] - 10, 1e-12)
            check(case, f"{name} {scheme} bar at D never turns over, rad", angle, np.pi/2,
                  f"{angle.min():.2f} to {angle.max():.2f}")
            speed = np.abs(r.velocity(f"{bar}.end")[:, :2])
            check(case, f"{name} {scheme} sharp rise of the velocity where it turns back, as 2.4 m/s over it",
                  2.4/speed.max(), 0.55, f"{speed.max():.2f} m/s; 2.4 m/s without the defect")
        check(case, f"{name} C out of plane, EP (with its noise) over ED, off 1",
              found[name, "EP"]/found[name, "ED"] - 1, 0.1, f"{found[name, 'ED']:.2f} mm")
    for scheme in ("ED", "EP"):
        check(case, f"S0, exchanged {scheme} C out of plane, relative", found["S0, exchanged", scheme]/1.5 - 1, 0.1,
              f"{found['S0, exchanged', scheme]:.2f} mm, S3 and S0 say 1.5 mm")
    # figs. 7 and 11, 9 and 12: noise with EP, none with ED
    rough = {}
    stiffness = [4e7, 14/44*4e7, 14/44*4e7, 2.8e5, 2.4e5, 2.4e5]
    for scheme in ("ED", "EP"):
        r = run(paper("four_bar_crooked_s3"), scheme, 1e-3, case=case)
        rough[scheme] = [roughness(r.velocity("bar3.end")[20:]),
                         roughness(forces(r, "bar1", 9, 0.12, stiffness, 3)[20:, :3])]
    for what, ed, ep in zip(("velocity of C", "forces at the quarter point"), rough["ED"], rough["EP"]):
        check(case, f"{what}, roughness of ED over that of EP", ed/ep, 0.3, f"{ed:.1e}, {ep:.1e}")


# ---- S3 10.3, S0 3.5: actuated beam ----

def actuated_beam():
    case = "S3 10.3"
    text = paper("actuated_beam")
    tips = {}
    for scheme, h in (("ED", 4e-3), ("EP", 4e-3), ("ED", 1e-3)):
        r = run(text, scheme, h, case=case)
        u = r.position("beam.end") - [2.4, 0, 0]
        tips[scheme, h] = u
        check(case, f"{scheme} h = {h*1e3:g} ms, deflection of the tip over the length, off 0.30", u[:, 1].max()/2.4 - 0.30,
              0.02, f"{u[:, 1].max():.4f} m, {u[:, 1].max()/2.4:.1%}; S3, S0: up to 0.7 m, 30 %")
        check(case, f"{scheme} h = {h*1e3:g} ms, stays in its plane, m", u[:, 2], 1e-12)
        check(case, f"{scheme} h = {h*1e3:g} ms, steps cut", r.summary["cuts"], 0)
    fine = tips["ED", 1e-3][::4]
    for scheme in ("ED", "EP"):
        check(case, f"{scheme} tip at h = 4 ms and 1 ms, over the length", (tips[scheme, 4e-3] - fine)/2.4, 0.005)


def main():
    need_program()
    for case in (right_angle_beam, meshes, flight, four_bar, actuated_beam):
        case()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
