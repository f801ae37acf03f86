#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Loads along beams and over faces that depend on the state, with `here`, the point they act on. Closed forms: a beam on an elastic foundation
(deflection, frequencies), drag on a falling rod (speed, order 2), a block that floats, a cushion of gas. Comparisons: a spread load against forces
on all nodes one by one; each kind of load against the same load of the time. EP stores a foundation exactly. Wrong uses are refused."""

import sys

from case_tools import check, need_program, run, verdict
from program import model_file, modes_of, torsor

import numpy as np

STEEL = """torsor: 1
units: SI
materials: {steel: {E: 210e9, nu: 0.3, density: 7850}}
sections: {s: {type: rectangle, material: steel, width: 0.1, height: 0.05}}
"""
EI, LINE = 210e9*0.1*0.05**3/12, 7850*0.1*0.05


def foundation():
    """Hetenyi: a force P on an infinite beam bends it to w = P l/(2 k) e^{-lx} (cos lx + sin lx), l^4 = k/(4 EI). The free
    ends of this beam, at lx = 5.8, disturb it by 1e-3 further in."""
    case, k, P = "foundation", 1e5, 1e3
    wave = (k/(4*EI))**0.25
    out = run(STEEL + f"""beams: {{rail: {{section: s, from: [-10, 0, 0], to: [10, 0, 0], elements: 40, order: 3, axis2: y}}}}
joints: {{middle: {{type: primitive_linear, bodies: [ground, rail.61], at: [0, 0, 0], component: x}}, side: {{type: primitive_linear, bodies: [ground, rail.61], at: [0, 0, 0], component: y}}}}
loads:
  bed: {{type: line_load, beam: rail, force: [0, 0, '-{k} N/m^2*here.displacement.z']}}
  wheel: {{type: force, body: rail.61, force: [0, 0, -{P}]}}
analysis: {{type: static, end: 1, increments: 2}}
""", case=case)
    sag = -np.array([out.position(f"rail.{n}")[-1, 2] for n in range(1, 122)])
    x = np.abs([out.position(f"rail.{n}")[-1, 0] for n in range(1, 122)])*wave
    check(case, "deflection of an infinite beam", ((sag - P*wave/(2*k)*np.exp(-x)*(np.cos(x) + np.sin(x)))/sag[60])[x < 4], 2e-3)
    stored, work = 0.5*np.sum(np.array(sag)**2)*k*20/120, 0.5*P*sag[60]
    bent = work - stored  # the rest of the work bends the beam: a quarter, 1/3 of what the bed stores
    check(case, "a quarter of the energy bends the beam", bent/work - 0.25, 5e-3)


def frequencies():
    """A beam on supports: omega^2 = (n pi/L)^4 EI/m + k/m; the bed adds the same to each."""
    case, k, L = "frequencies", 4e5, 10.0
    text = STEEL + """beams: {rod: {section: s, from: [0, 0, 0], to: [10, 0, 0], elements: 10, order: 3, axis2: y}}
joints:
  left: {type: revolute, bodies: [ground, rod.start], at: [0, 0, 0], axis: y}
  right: {type: primitive_linear, bodies: [ground, rod.end], at: [10, 0, 0], component: z}
  side: {type: primitive_linear, bodies: [ground, rod.end], at: [10, 0, 0], component: y}
BED
analysis: {step: 0.01, end: 1}
"""
    bed = f"loads: {{bed: {{type: line_load, beam: rod, force: [0, 0, '-{k} N/m^2*here.displacement.z']}}}}"
    bare = np.array([m["frequency"] for m in modes_of(text.replace("BED", ""), 12)])
    on_bed = np.array([m["frequency"] for m in modes_of(text.replace("BED", bed), 12)])
    for n in range(1, 4):
        free = (n*np.pi/L)**2*np.sqrt(EI/LINE)/(2*np.pi)
        raised = np.sqrt(free**2 + k/LINE/(2*np.pi)**2)
        check(case, f"bare, mode {n}", np.min(np.abs(bare/free - 1)), 5e-4*n**2)
        check(case, f"on the bed, mode {n}", np.min(np.abs(on_bed/raised - 1)), 5e-4*n**2)


def drag():
    """m v' = m g - c v |v| per length: v = V tanh(g t/V), V^2 = m g/c."""
    case, c = "drag", 3.0
    V, errors = np.sqrt(LINE*9.81/c), []
    for h in (0.1, 0.05):
        out = run(STEEL + f"""gravity: [0, 0, -9.81]
beams: {{rod: {{section: s, from: [0, 0, 0], to: [2, 0, 0], elements: 2, axis2: y}}}}
loads: {{air: {{type: line_load, beam: rod, force: [0, 0, '-{c} N*s^2/m^3*here.velocity.z*abs(here.velocity.z)']}}}}
analysis: {{scheme: EP, step: {h}, end: 4}}
""", case=case, audit=1e-11)
        errors.append(np.max(np.abs(out.velocity("rod.3")[:, 2] + V*np.tanh(9.81*out.t/V))))
        v = out.velocity("rod.3")[:, 2]
        check(case, "power", out.frame["load_power"][:, 0] + 2*c*np.abs(v)**3, 1e-6)
    check(case, "speed", errors[1]/V, 1e-3)
    check(case, "order 2", np.log2(errors[0]/errors[1]) - 2, 0.1)


SWING = STEEL + """gravity: [0, 0, -9.81]
beams: {rod: {section: s, from: [0, 0, 0], to: [2, 0, 0], elements: 2, axis2: y}}
joints: {pin: {type: spherical, bodies: [ground, rod.start], at: [0, 0, 0]}}
LOADS
analysis: {scheme: EP, step: 2e-3, end: 0.4, tolerance: 1e-15}
"""


SHARE = {1: "1/12", 2: "5/12", 3: "5/12", 4: "1/6", 5: "5/12", 6: "5/12", 7: "1/12"}  # of Lobatto's rule on both elements of 1 m
BY_FORMULA = {
    "dead force": ("force", False, ("0 N/m", "-40 N*s/m^2*here.velocity.y - 300 N/m^2*here.displacement.y", "-70 N*s/m^2*here.velocity.z")),
    "following force": ("force", True, ("0 N/m", "-40 N*s/m^2*here.velocity.y", "50 N*s^2/m^2/rad*here.omega.x*here.velocity.y - 90 N/m^2*here.displacement.z + 30 N/m")),
    "dead moment": ("moment", False, ("-3 N*s/rad*here.omega.x", "-2 N*s/rad*here.omega.y", "20 N - 60 N*here.orientation.d1.z")),
    "following moment": ("moment", True, ("5 N*s/rad*here.omega.z + 1 N*t", "8 N/m*here.displacement.z", "2 N")),
}


def one_by_one():
    """The same formula on every node, times the length that it stands for."""
    case = "one by one"
    even = run(SWING.replace("LOADS", ""))
    for what, (kind, follower, formula) in BY_FORMULA.items():
        def load(head, factor):
            values = ", ".join(f"'{factor}*({f})'" for f in formula)
            return f"{{type: {head}, {kind}: [{values}], follower: {str(follower).lower()}}}"
        spread = run(SWING.replace("LOADS", f"loads: {{all: {load('line_load, beam: rod', 1)}}}"), case=case, audit=1e-11)
        each = "".join(f"  at{n}: {load(f'{kind}, body: rod.{n}', f'{share}*(1 m)')}\n" for n, share in SHARE.items())
        alone = run(SWING.replace("LOADS", "loads:\n" + each), audit=1e-11)
        check(case, f"{what}: it does something", float(np.max(np.abs(spread.position("rod.end") - even.position("rod.end"))) < 1e-4), 0, quiet=True)
        check(case, what, spread.position("rod.end") - alone.position("rod.end"), 1e-11)


PLATE = """torsor: 1
units: SI
materials: {soft: {E: 2e6, nu: 0.3, density: 1000}}
meshes: {sheet: {type: plate, size: [1, 1], divisions: [2, 2], order: 2}, block: {type: box, size: [1, 1, 0.4], divisions: [2, 2, 1], order: 2}}
shell_sections: {thick: {material: soft, thickness: 0.05}}
PART
LOADS
ANALYSIS
"""
SHELL, SOLID = "shells: {p: {mesh: sheet, section: thick}}", "solids: {p: {mesh: block, material: soft}}"
DYNAMIC, STATIC = "analysis: {scheme: EP, step: 5e-3, end: 0.2}", "joints: {s: {type: support, nodes: p.x-}}\nanalysis: {type: static, end: 1, increments: 4}"
ON_MESHES = {
    "area of a shell": (SHELL, "type: surface_load, faces: p, force: [3F, 4F, 30F]", DYNAMIC),
    "area of a solid": (SOLID, "type: surface_load, faces: p.z+, force: [3F, 4F, 900F]", DYNAMIC),
    "edge force": (SHELL, "type: edge_load, edges: p.x+, force: [3F, 4F, 30F]", DYNAMIC),
    "edge force that turns": (SHELL, "type: edge_load, edges: p.x+, normal: 30F", DYNAMIC),
    "edge force, static": (SHELL, "type: edge_load, edges: p.x+, force: [3F, 4F, 30F]", STATIC),
    "pressure": (SOLID, "type: pressure, faces: p.z+, pressure: 900F", DYNAMIC),
    "pressure, static": (SHELL, "type: pressure, faces: p, pressure: 30F", STATIC),
    "bending of an edge": (SHELL, "type: edge_load, edges: p.x+, bending: 3F", DYNAMIC),
    "tension of an edge": (SHELL, "type: edge_load, edges: p.x+, tension: 30F", DYNAMIC),
    "edge moment, static": (SHELL, "type: edge_load, edges: p.x+, moment: [3F, 4F, 2F]", STATIC),
}


def on_meshes():
    """A load whose formula reads the state and is constant, against the load of the time: other laws, another assembly. A moment on the
    directors of a shell moves on a chord of its own in a step: it is compared in statics, where loads of the time once depended on the
    increments."""
    case = "on meshes"
    for what, (part, load, settings) in ON_MESHES.items():
        runs = []
        for constant in ("", "*(1 + 0*SOME.velocity.x/(1 m/s))"):
            words, some = load, "p.1" if "pressure" in load or "bending" in load or "tension" in load else "here"
            for number in ("900", "30", "3", "4", "2"):
                words = words.replace(f"{number}F", f"'{number}{constant.replace('SOME', some)}'" if constant else number)
            text = PLATE.replace("PART", part).replace("LOADS", f"loads: {{q: {{{words}}}}}").replace("ANALYSIS", settings)
            runs.append(run(text, scheme=None, tolerance=None if settings == STATIC else 1e-15, audit=1e-11))
        timed, state = (np.array([out.position(f"p.{n}") for n in range(1, 10)]) for out in runs)
        check(case, f"{what}: exact tangents, few iterations", max(0, np.max([np.mean(out.step["iterations"]) for out in runs]) - 7), 0, quiet=True)
        check(case, f"{what}: it does something", float(np.max(np.abs(timed[:, -1] - timed[:, 0])) < 1e-3), 0, quiet=True)
        check(case, what, (timed - state)[:, -1]/np.max(np.abs(timed[:, -1] - timed[:, 0])), 1e-9)


def floating():
    """A block on water: force per area of its bottom -rho g z. Afloat, in heave, it is an oscillator: omega^2 = rho g A/m. The force is a
    function of the displacement alone: EP stores it."""
    case, lift = "floating", 1000*9.81
    text = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
materials: {wood: {E: 1e10, nu: 0.3, density: 500}}
meshes: {block: {type: box, size: [1, 1, 0.4], divisions: [1, 1, 1], order: 1}}
solids: {p: {mesh: block, material: wood}}
loads: {water: {type: surface_load, faces: p.z-, force: [0, 0, '-9810 N/m^3*here.position.z']}}
analysis: {scheme: EP, step: 2e-3, end: 1.2}
"""
    out = run(text, case=case, audit=1e-11)
    omega, level = np.sqrt(lift/(500*0.4)), -0.2  # at rest it would be half immersed; it is let go above the water
    bottom = out.position("p.1")[:, 2]
    check(case, "heave", bottom - level*(1 - np.cos(omega*out.t)), 1e-3)
    check(case, "what is stored", out.step["elastic"]/lift - 0.5*bottom[1:]**2, 1e-4)


def gas():
    """A block on a cushion of gas, p V^1.4 constant, that carries its weight: omega^2 = 1.4 g/H for the height H, and order 2 in large swings, by
    energy: m v^2/2 + m g z + p0 A H ((H/(H + z))^0.4 - 1)/0.4 is constant."""
    case, H, m = "gas", 0.5, 200.0
    text = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
materials: {wood: {E: 1e10, nu: 0.3, density: 500}}
meshes: {block: {type: box, size: [1, 1, 0.4], divisions: [1, 1, 1], order: 1}}
solids: {p: {mesh: block, material: wood, velocity: [0, 0, SPEED]}}
loads: {q: {type: pressure, faces: p.z-, pressure: '1962 Pa*(0.5 m/(0.5 m + p.1.displacement.z))^1.4'}}
analysis: {scheme: EP, step: STEP, end: 2}
"""
    omega = np.sqrt(1.4*9.81/H)
    guide = "joints: {guide: {type: support, nodes: [p.z-, p.z+], fix: [x, y]}}\n"
    still = text.replace("SPEED", "0").replace("STEP", "2e-3") + guide
    check(case, "frequency of modes", modes_of(still, 1)[0]["frequency"]/(omega/(2*np.pi)) - 1, 1e-6)
    leaky = still.replace("1962 Pa*(0.5 m/(0.5 m + p.1.displacement.z))^1.4", "1962 Pa - 2000 Pa/m*p.1.displacement.z - 300 Pa*s/m*p.1.velocity.z")
    check(case, "damping of modes", modes_of(leaky, 1)[0]["damping"]/(300/(2*np.sqrt(2000*m))) - 1, 1e-6)
    out = run(text.replace("SPEED", "0.01").replace("STEP", "2e-3"), case=case, audit=1e-11)
    z = out.position("p.1")[:, 2]
    check(case, "small oscillations", (z - z[0])*omega/0.01 - np.sin(omega*out.t), 2e-2)
    p = out.coordinate("q", "pressure")
    check(case, "the pressure is a channel", p[1:] - 1962*(H/(H + (z[1:] + z[:-1])/2 - z[0]))**1.4, 1e-6)
    power, swept = out.frame["load_power"][1:, 0], np.mean([out.velocity(f"p.{n}")[1:, 2] for n in range(1, 5)], axis=0)
    check(case, "power", power - p[1:]*swept, 1e-5)
    errors = []
    for h in ("1e-2", "5e-3"):
        out = run(text.replace("SPEED", "1").replace("STEP", h), audit=1e-11)
        z = out.position("p.1")[:, 2] - out.position("p.1")[0, 2]
        energy = out.step["kinetic"] + out.step["elastic"] + m*9.81*z[-len(out.step["t"]):] + 1962*H*((H/(H + z[-len(out.step["t"]):]))**0.4 - 1)/0.4
        errors.append(np.max(np.abs(energy/(m/2) - 1)))
    check(case, "order 2", np.log2(errors[0]/errors[1]) - 2, 0.1, f"errors {errors[0]:.1e}, {errors[1]:.1e}")
    sunk = text.replace("SPEED", "0").replace("1962 Pa", "981 Pa").replace("scheme: EP, step: STEP, end: 2", "type: static, increments: 2")
    out = run(sunk + guide, scheme=None, tolerance=1e-12)
    check(case, "it sinks until the pressure carries it", out.position("p.1")[-1, 2] - out.position("p.1")[0, 2] - H*(0.5**(1/1.4) - 1), 1e-6)
    check(case, "exact tangent: few iterations", max(0, np.mean(out.step["iterations"]) - 6), 0, f"{np.mean(out.step['iterations']):.1f}")


REFUSED = {
    "in a spring": ("springs: {s: {bodies: [ground, b], from: [0, 0, 0], to: [1, 0, 0], force: here.velocity.x}}", "`here` is the point that a load acts on"),
    "of a point mass": ("bodies: {m: {type: point, mass: 1}}\nloads: {f: {type: force, body: m, force: [here.omega.x*(1 N*s/rad), 0, 0]}}", "there is no channel 'here.omega.x'"),
    "no such channel": ("loads: {f: {type: force, body: b, force: [here.angle, 0, 0]}}", "'here' has no channel 'angle'"),
    "as a name": ("joints: {here: {type: spherical, bodies: [ground, b], at: [0, 0, 0]}}", "choose another name"),
    "force of a spread load": (STEEL.split("units: SI\n")[1] + "beams: {rod: {section: s, from: [0, 0, 0], to: [2, 0, 0]}}\nloads:\n"
                               "  air: {type: line_load, beam: rod, force: [0, 0, -3 N*s/m^2*here.velocity.z]}\n  echo: {type: force, body: rod.end, force: [0, 0, air.force.z]}\n",
                               "'air' has no channel 'force.z'"),
    "in an event": ("events: {e: {when: here.position.x > 1, stop: true}}", "`here` is the point that a load acts on"),
}


def refusals():
    case, head = "refused", "torsor: 1\nunits: SI\nanalysis: {step: 0.01, end: 1}\n"
    for what, (text, told) in REFUSED.items():
        if not text.startswith("bodies"):
            text = "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n" + text
        with model_file(head + text) as path:
            said = torsor("check", path, code=2).stderr
        check(case, what, float(told not in said), 0, said if told not in said else "")


if __name__ == "__main__":
    need_program()
    foundation()
    frequencies()
    drag()
    one_by_one()
    on_meshes()
    floating()
    gas()
    refusals()
    sys.exit(verdict())
