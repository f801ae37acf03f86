#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Examples that couple bodies, beams, shells and solids (docs/coupled.md): a satellite that unfolds, and a slider-crank with a solid rod.

Expected values come from theory: momentum, kinematics of rigid links, Bernoulli's frequencies; and for the bending of the rod
from torsor's own beams, another model of the same bar.

Environment: TORSOR, the program; TORSOR_SOURCE_DIR, the source tree; TORSOR_QUICK=1 for shorter runs.
"""
import sys

from case_tools import QUICK, ROOT, changed, check, need_program, np, run, verdict
from program import modes_of


def example(name):
    return (ROOT / "examples" / f"{name}.yaml").read_text(encoding="utf-8")


def largest(values):
    return float(np.max(np.abs(values)))


# ---- satellite ----

def momenta(case, r):
    for name, size in (("linear", 0.05*125.852*0.025), ("angular", 1.5)):
        value = r.frame[f"momentum_{name}"]
        check(case, f"{r.summary['scheme']}: {name} momentum kept, of {size:.3g}", (value - value[0])/size, 1e-12)
    check(case, "it is there to be kept", r.frame["momentum_angular"][0, 2]/1.5 - 1, 0.02)


def middle_of(r, shell, points):
    """Mean place of nodes of a shell, counted from 1, in the axes of the bus."""
    place = np.mean([r.position(f"{shell}.{n}") for n in points], axis=0) - r.position("bus")
    return np.einsum("nij,ni->nj", r.rotation("bus"), place)


def satellite():
    case, text = "satellite", example("satellite")
    for scheme in ("EP", "ED"):
        momenta(case, run(text, scheme, end=2, case=case))
    if QUICK:
        return
    r = run(text, "ED", case=case)
    momenta(case, r)
    angles = [np.degrees(r.coordinate(f"{side}_{k}_hinge", "angle")[-1]) for side in ("east", "west") for k in (1, 2)]
    check(case, "panels unfold, degrees", np.array(angles) - [90, -180, 90, -180], 1e-9)
    boom = np.degrees(r.coordinate("boom_hinge", "angle")[-1])
    check(case, "the boom rests against its stop, degrees", boom - 90, 0.1, f"{boom:.3f}")
    far = middle_of(r, "east_2", range(1, 17))[-1]  # all 16 nodes of 3 x 3 cells
    check(case, "middle of the outer panel, unfolded, m", far - [0.52 + 1.5, 0, -0.5], 5e-3, f"bends by {1e3*abs(far[2] + 0.5):.2f} mm")


# ---- slider-crank ----

R, LENGTH, SIDE, E, DENSITY = 0.15, 0.3, 6e-3, 200e9, 7870
BEAM = """
sections:
  square: {type: rectangle, material: steel, width: b, height: b}

beams:
  rod: {from: pin, to: gudgeon, section: square, elements: 16, order: 1}

bodies:"""


def with_beam(text):
    """The text of the slider-crank with a beam as rod."""
    start, end = text.index("meshes:"), text.index("bodies:")
    text = text[:start] + BEAM + text[end + len("bodies:"):]
    return text.replace("big_end", "rod.start").replace("small_end", "rod.end")


def bending(r):
    """Displacement of the rod's middle from the line between its pins, across it, m."""
    angle = r.coordinate("main", "angle")
    pin = R*np.stack([np.cos(angle), np.sin(angle)], 1)
    gudgeon = r.position("slider")[:, :2]
    along = (gudgeon - pin)/np.linalg.norm(gudgeon - pin, axis=1)[:, None]
    nodes = [n for n in r._node if n.startswith("rod.") and n != "rod.end"]
    middle = [n for n in nodes if abs(r.position(n)[0, 0] - R - LENGTH/2) < 1e-9]
    place = np.mean([r.position(n) for n in middle], axis=0)[:, :2] - pin
    return along[:, 0]*place[:, 1] - along[:, 1]*place[:, 0]


def slider_error(r):
    """How far the slider is from where a rigid rod would have it."""
    angle = r.coordinate("main", "angle")
    exact = R*np.cos(angle) + np.sqrt(LENGTH**2 - (R*np.sin(angle))**2)
    return r.position("slider")[:, 0] - exact


def rod_modes(case, text):
    """In the plane the rod is pinned at both ends; out of it the hinges clamp it."""
    area, second = SIDE**2, SIDE**4/12
    unit = np.sqrt(E*second/(DENSITY*area))/(2*np.pi*LENGTH**2)
    expected = unit*np.array([np.pi**2, 4.73004**2, 4*np.pi**2, 7.85320**2])
    for order, along, tolerance in ((1, 16, 0.02), (2, 16, 0.01)):
        found = np.array([mode["frequency"] for mode in modes_of(changed(text, order=order, along=along), 4)])
        check(case, f"order {order}: frequencies of Bernoulli's beam", found/expected - 1, tolerance,
              ", ".join(f"{f:.1f}" for f in found) + " Hz")


def stiff_limit(case, text):
    end = 0.04 if QUICK else 0.06
    errors = []
    for stiffness in (2e12, 2e13, 2e14):
        r = run(changed(text, E=f"{stiffness:g} Pa"), "ED", end=end, case=case)
        errors.append(largest(slider_error(r)))
    note = ", ".join(f"{e:.1e}" for e in errors) + " m"
    check(case, "stiff rods: the slider's error falls with 1/E", np.log10(np.array(errors[:-1])/errors[1:]) - 1, 0.2, note)
    check(case, "E times 1000: exact kinematics of rigid links, of the crank", errors[-1]/R, 1e-6)


def slider_crank():
    case, text = "slider-crank", example("slider_crank_solid")
    rod_modes(case, text)
    stiff_limit(case, text)
    end = 0.05 if QUICK else 0.1
    solid, beam = (run(t, "ED", end=end, case=case) for t in (text, with_beam(text)))
    bent = bending(beam)
    check(case, "the rod bends by a hundredth of its length, about", np.log(largest(bent)/LENGTH/0.01), 0.7,
          f"{1e3*largest(bent):.2f} mm")
    check(case, "bending of the rod, solid against beam, of its largest", (bending(solid) - bent)/largest(bent), 0.03)
    check(case, "slider, solid against beam, of its largest error", (slider_error(solid) - slider_error(beam))/largest(slider_error(beam)), 0.03,
          f"{1e3*largest(slider_error(beam)):.3f} mm")


if __name__ == "__main__":
    need_program()
    satellite()
    slider_crank()
    sys.exit(verdict())
