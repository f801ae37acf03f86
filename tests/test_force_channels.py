#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Forces of springs, motors and joints as channels of expressions: a second body with the forces of the first has the
same motion. What a part does to one body is given, by its channel, to a second body that has no such part; both move
alike to round-off with EP, whatever the part is made of (dampers, stops, Maxwell and Bouc-Wen branches, friction whose
strength is a reaction, bushings, joints of every kind, also joints that slide along curves). Besides: closed forms of a
lag, of statics and of an event; parts that are switched off; forces that depend on themselves are refused, with the
cycle named."""

import sys

from case_tools import check, need_program, run as run_case, verdict
from program import model_file, torsor

import numpy as np

HEAD = "torsor: 1\nunits: SI\ngravity: [0, 0, -9.81]\n"
TAIL = "analysis: {scheme: EP, step: 0.01, end: 2, tolerance: 1e-15}\n"


def run(text, **options):
    """A run whose energy account closes to 1e-11."""
    return run_case(text, **{"audit": 1e-11, **options})


def mirror(case, text, one, other, shift, tolerance=1e-11):
    out = run(text + TAIL, case=case, audit=1e-11)
    a, b = out.position(one), out.position(other)
    size = np.max(np.abs(a - a[0]))
    check(case, "moves", 0 if size > 0.05 else 1, 0, quiet=True)
    check(case, "both move alike", (b - a - np.array(shift))/size, tolerance)
    check(case, "tangents are exact: few iterations", max(0, np.mean(out.step["iterations"]) - 6), 0, f"{np.mean(out.step['iterations']):.1f}")


RAILS = HEAD + """bodies:
  a: {mass: 2, inertia: [1, 1, 1], velocity: [3, 0, 0]}
  b: {mass: 2, inertia: [1, 1, 1], position: [0, 1, 0], velocity: [3, 0, 0]}
joints:
  first: {type: prismatic, bodies: [ground, a], at: [0, 0, 0], axis: x}
  second: {type: prismatic, bodies: [ground, b], at: [0, 1, 0], axis: x}
"""
ON_RAILS = {  # a part on the rail of a, named p
    "spring, damper and stops": "springs: {p: {type: joint_spring, joint: first, stiffness: 60, damping: 2, cubic: 300, stop_max: 0.3, stop_stiffness: 2000}}\n",
    "Maxwell, Jenkins, Bouc-Wen": "springs: {p: {type: joint_spring, joint: first, stiffness: 30, maxwell_stiffness: [90], maxwell_time: [0.1], jenkins_stiffness: [200], jenkins_force: [5], "
                                  "bouc_wen_stiffness: 100, bouc_wen_force: 4}}\n",
    "by a formula": "springs: {p: {type: joint_spring, joint: first, stiffness: 60, force: '2 N*s/m*first.rate + 3 N*sin(5*t)'}}\n",
    "friction by its reaction": "springs: {p: {type: slide_friction, joint: first, coefficient: 0.3}}\n",
}

WHEELS = HEAD + """bodies:
  a: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0.3, 0], angular_velocity: [4, 0, 0], velocity: [0, 0, 1.2]}
  b: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0.3, 0], angular_velocity: [4, 0, 0], velocity: [0, 0, 1.2]}
joints:
  first: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: x}
  second: {type: revolute, bodies: [ground, b], at: [1, 0, 0], axis: x}
"""
ON_WHEELS = {
    "torsion spring": ("springs: {p: {type: torsion_spring, joint: first, stiffness: 6, damping: 0.2, stop_max: 0.5, stop_stiffness: 50}}\n", -1),
    "pin friction": ("springs: {p: {type: pivot_friction, joint: first, coefficient: 0.4, radius: 0.1}}\n", -1),
    "brake": ("springs: {p: {type: brake, joint: first, torque: 1 N*m, stiffness: 500}}\n", -1),
    "clutch": ("springs: {p: {type: one_way_clutch, joint: first, stiffness: 30, damping: 1}}\n", -1),
    "DC motor": ("loads: {p: {type: dc_motor, joint: first, voltage: 24*sin(3*t), constant: 0.3, resistance: 1.5, inductance: 0.02}", 1),
    "motor over time": ("loads: {p: {type: motor, joint: first, torque: 3*sin(4*t)}", 1),
    "motor by channels": ("loads: {p: {type: motor, joint: first, torque: '-2 N*m*s/rad*first.rate + 3 N*m*cos(first.angle)'}", 1),
}


def along():
    for case, part in ON_RAILS.items():
        mirror(case, RAILS + part + "loads: {m: {type: motor, joint: second, force: -p.force}}\n", "a", "b", [0, 1, 0])
    for case, (part, sign) in ON_WHEELS.items():
        motor = f"m: {{type: motor, joint: second, torque: {sign}*p.torque}}"
        mirror(case, WHEELS + (part + f"loads: {{{motor}}}\n" if sign < 0 else part + f", {motor}}}\n"), "a", "b", [1, 0, 0])


FREE = HEAD + """bodies:
  a: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [1, 0.3, 0], velocity: [0, 1, 2], angular_velocity: [1, 2, 3]}
  b: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [1, 0.3, 5], velocity: [0, 1, 2]}
PARTS
loads: {m: {type: force, body: b, force: [p.force.x, p.force.y, p.force.z]}}
"""
ON_BODIES = {  # what holds body a, as its second body
    "spring between points": "springs: {p: {bodies: [ground, a], from: [0, 0, 0], to: [1.2, 0.4, 0], stiffness: 80, damping: 1, free_length: 1, maxwell_stiffness: [50], maxwell_time: [0.1]}}",
    "spring by a formula": "springs: {p: {bodies: [ground, a], from: [0, 0, 0], to: [1.2, 0.4, 0], free_length: 1, force: 80 N/m*(p.length - 1 m) + 1 N*s/m*p.length.rate}}",
    "bushing": "springs: {p: {type: bushing, bodies: [ground, a], at: [1, 0.3, 0], stiffness: [300, 500, 700, 3, 4, 5], damping: [3, 3, 3, 0.1, 0.1, 0.1], cubic: [300, 0, 0], "
               "maxwell_share: [0.5], maxwell_time: [0.05]}}",
    "hydraulic cylinder": "springs: {p: {type: hydraulic_cylinder, bodies: [ground, a], from: [0, 0, 0], to: [1, 0.3, 0], area_a: 1e-4, area_b: 8e-5, closed: 0.5, open: 2, bulk_modulus: 1e6, "
                          "pressure_a: 1e5, pressure_b: 1e5, damping: 20}}",
}
GUIDED = FREE.replace(", angular_velocity: [1, 2, 3]", "").replace("velocity: [0, 1, 2]", "velocity: [VELOCITY]")
JOINTS = {  # the joint, and a velocity that it allows
    "spherical": ("type: spherical, at: [0, 0, 0]", "0, 0, 0"),
    "revolute": ("type: revolute, at: [0, 0, 0], axis: x", "0, 0, 0"),
    "universal": ("type: universal, at: [0, 0, 0], axis: x, axis_b: y", "0, 0, 0"),
    "distance": ("type: distance, from: [0, 0, 0], to: [1, 0.3, 0]", "0.3, -1, 2"),
    "prismatic": ("type: prismatic, at: [1, 0.3, 0], axis: [1, 0, -1]", "1, 0, -1"),
    "cylindrical": ("type: cylindrical, at: [1, 0.3, 0], axis: [1, 0, -1]", "1, 0, -1"),
    "point on a line": ("type: point_on_line, at: [1, 0.3, 0], axis: [1, 0, -1]", "1, 0, -1"),
    "point on a plane": ("type: point_on_plane, at: [1, 0.3, 0], axis: [1, 0, 1]", "1, 2, -1"),
    "one component": ("type: primitive_linear, at: [1, 0.3, 0], component: z", "1, 2, 0"),
    "planar": ("type: planar, at: [1, 0.3, 0], axis: [1, 0, 1]", "1, 2, -1"),
    "screw": ("type: screw, at: [1, 0.3, 0], axis: z, lead: 0.3", "0, 0, 0"),
}


def components():
    for case, part in ON_BODIES.items():
        mirror(case, FREE.replace("PARTS", part), "a", "b", [0, 0, 5])
    for case, (joint, velocity) in JOINTS.items():
        part = f"joints: {{p: {{{joint}, bodies: [ground, a]}}}}"
        mirror(case, GUIDED.replace("PARTS", part).replace("VELOCITY", velocity), "a", "b", [0, 0, 5])
    edge = "joints: {p: {type: knife_edge, body: a, lateral: x}}"
    disk = HEAD + """bodies:
  a: {mass: 2, inertia: [0.1, 0.2, 0.1], position: [0, 0, 0.5], velocity: [1, 0, 0], angular_velocity: [0, 2, 0]}
  b: {mass: 2, inertia: [0.1, 0.2, 0.1], position: [0, 0, 5.5], velocity: [1, 0, 0]}
joints: {p: {type: rolling_disk, body: a, radius: 0.5, axis: y, at: [0, 0, 0.5]}}
loads: {push: {type: force, body: a, force: [3, 0, 0]}, m: {type: force, body: b, force: [3 N + p.force.x, p.force.y, p.force.z]}}
"""
    mirror("rolling disk", disk, "a", "b", [0, 0, 5])
    mirror("knife edge", FREE.replace("PARTS", edge).replace("angular_velocity: [1, 2, 3]", "angular_velocity: [0, 0, 3]"), "a", "b", [0, 0, 5])


SLIDES = HEAD + """bodies:
  w: {mass: 5, inertia: [3, 3, 3]}
  a: {mass: 2, inertia: [0.1, 0.2, 0.15], position: [1, 0, 0]}
  b: {mass: 2, inertia: [0.1, 0.2, 0.15], position: [11, 0, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, w], at: [0, 0, 0], axis: z}
  p: {type: sliding, on: ON, body: a, at: [1, 0, 0], path: [[1, 0, 0], [0.7, 0.7, -0.3], [0, 1, -0.4], [-1, 0, -0.2], [0, -1, 0.6]], closed: trueMORE}
loads: {mirror: {type: force, body: b, force: [p.force.x, p.force.y, p.force.z]}}
"""


def slides():
    """Joints that slide along a curve: on the ground, on a body that turns, with the orientation of the curve, with a spring and friction along it."""
    rubs = "springs:\n  k: {type: joint_spring, joint: p, stiffness: 20, damping: 1}\n  dry: {type: slide_friction, joint: p, coefficient: 0.1, stiffness: 1e5}\n"
    for on, more, parts in (("ground", "", ""), ("w", "", ""), ("ground", ", orientation: follows", ""), ("ground", "", rubs), ("w", "", rubs)):
        text = SLIDES.replace("ON", on).replace("MORE", more) + parts
        mirror(f"slides on {on}{more}{', rubs' if parts else ''}", text, "a", "b", [10, 0, 0])
    beam = HEAD + """sections: {s: {EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 1e3, EI2: 1e3, EI3: 1e3, mass: 1}}
beams: {rail: {from: [0, 0, 0], to: [2, 0, 0], section: s}}
bodies: {a: {type: point, mass: 1, position: [1, 0, 0]}}
joints:
  root: {type: rigid, bodies: [ground, rail.start], at: [0, 0, 0]}
  p: {type: sliding, on: rail, body: a, at: [1, 0, 0]}
loads: {m: {type: force, body: a, force: [0.1*p.force.z, 0, 0]}}
"""
    with model_file(beam + TAIL) as path:
        message = torsor("check", path, code=2).stderr
    check("slides", "along a beam: refused, with another way", 0 if "let a light body slide" in message else 1, 0, message)


MOMENTS = {  # what holds body a, and what else there is
    "revolute": "joints: {p: {type: revolute, bodies: [ground, a], at: [0.9, 0.1, 0.2], axis: [1, 2, 0.5]}}",
    "rigid, to a body that swings": "joints: {pin: {type: spherical, bodies: [ground, c], at: [0.2, 0, 0]}, p: {type: rigid, bodies: [c, a], at: [0.9, 0.1, 0.2]}}",
    "prismatic": "joints: {p: {type: prismatic, bodies: [ground, a], at: [0.9, 0.1, 0.2], axis: [1, 2, 0.5]}}",
    "cylindrical": "joints: {p: {type: cylindrical, bodies: [ground, a], at: [0.9, 0.1, 0.2], axis: [1, 2, 0.5]}}",
    "universal": "joints: {p: {type: universal, bodies: [ground, a], at: [0.9, 0.1, 0.2], axis: x, axis_b: y}}",
    "planar": "joints: {p: {type: planar, bodies: [ground, a], at: [0.9, 0.1, 0.2], axis: [1, 2, 0.5]}}",
    "screw": "joints: {p: {type: screw, bodies: [ground, a], at: [0.9, 0.1, 0.2], axis: [1, 2, 0.5], lead: 0.3}}",
    "spherical": "joints: {p: {type: spherical, bodies: [ground, a], at: [0.9, 0.1, 0.2]}}",
    "spring": "springs: {p: {bodies: [ground, a], from: [0, 0, 0], to: [0.9, 0.1, 0.2], stiffness: 80, damping: 1}}",
}


def mean(y):
    return 0.5*(y[1:] + y[:-1])


def moments():
    """Angular momentum of body a about the origin changes in every step by what acts on it: force and moment of its joint, its weight. With
    EP that is exact, with the forces over the step, which states add up from the channels."""
    point, m, J = np.array([0.9, 0.1, 0.2]), 2.0, np.array([0.1, 0.2, 0.25])
    for case, part in MOMENTS.items():
        bodies = HEAD + "bodies:\n  a: {mass: 2, inertia: [0.1, 0.2, 0.25], position: [1, 0.3, 0], velocity: [0, 1, 2], angular_velocity: [1, 2, 3]}\n"
        if "bodies: [c, a]" in part:
            bodies += "  c: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0]}\n"
        sums = ", ".join(f"{k}{x}: {{rate: p.{word}.{x}/(1 {unit}*s)}}" for k, word, unit in (("f", "force", "N"), ("m", "moment", "N*m")) for x in "xyz")
        out = run(bodies + part + "\nstates: {" + sums + "}\n" + TAIL.replace("0.01", "0.005").replace("end: 2", "end: 0.5"), case=f"moment, {case}", audit=1e-11)
        force, moment = (np.diff(np.array([out.coordinate(f"{k}{x}", "value") for x in "xyz"]).T, axis=0) for k in "fm")
        D, x, v = out.rotation("a"), out.position("a"), out.velocity("a")
        slot = out._slot["a"]
        rates = out.frame["v"][:, slot + 1:slot + 4].transpose(0, 2, 1)  # of the axes, as the scheme has them
        spin = np.cross(x, m*v) + sum((0.5*np.sum(J) - J[k])*np.cross(D[:, :, k], rates[:, :, k]) for k in range(3))
        at, h = x + np.einsum("nij,j->ni", D, D[0].T @ (point - x[0])), np.diff(out.t)[:, None]
        rest = np.diff(spin, axis=0) - np.cross(mean(at), force) - moment - h*np.cross(mean(x), m*np.array([0, 0, -9.81]))
        check(f"moment, {case}", "angular momentum", rest/np.max(np.abs(spin)), 1e-13)
        told = out.moment("p")
        size = max(np.max(np.abs(told)), 1e-3)
        check(f"moment, {case}", "column of results", (mean(told) - moment/h)[2:]/size, 2e-2)
        if case not in ("spherical", "spring"):
            check(f"moment, {case}", "there is one", 0 if np.max(np.abs(told)) > 0.1 else 1, 0, quiet=True)


def unbalanced():
    """A rotor whose axis is no principal one: M = w^2 Jxz, turning with it. Its integrals, at second order, and an event by it."""
    J, w = 0.05, 5.0
    text = HEAD.replace("gravity: [0, 0, -9.81]\n", "") + f"""bodies: {{a: {{mass: 1, inertia: [1, 1.2, 0.8, 0, 0, {J}], angular_velocity: [0, 0, {w}]}}}}
joints: {{p: {{type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: z}}}}
states: {{x: {{rate: p.moment.x/(1 N*m*s)}}, y: {{rate: p.moment.y/(1 N*m*s)}}}}
"""
    errors = []
    for h in (0.02, 0.01):
        out = run(text + f"analysis: {{step: {h}, end: 2}}\n", case="rotor", audit=1e-11)
        exact = w*J*np.array([np.cos(w*out.t) - 1, np.sin(w*out.t)])
        errors.append(np.max(np.abs(np.array([out.coordinate("x", "value"), out.coordinate("y", "value")]) - exact)))
    check("rotor", "order", np.log2(errors[0]/errors[1]) - 2, 0.05, f"error {errors[1]:.1e}")
    late = run(text + f"events: {{half: {{when: p.moment.y < {-0.5*w*w*J} N*m, stop: true}}}}\nanalysis: {{step: 0.001, end: 2}}\n", case="rotor", audit=1e-11)
    check("rotor", "event by a moment, the mean over the last step", late.t[-1] - (2*np.pi/3)/w, 1e-3)


def chained():
    """A force by a force by a force: a third body gets what the second one gets."""
    third = RAILS.replace("joints:", "  c: {mass: 2, inertia: [1, 1, 1], position: [0, 2, 0], velocity: [3, 0, 0]}\njoints:\n  third: {type: prismatic, bodies: [ground, c], at: [0, 2, 0], axis: x}")
    text = third + ON_RAILS["spring, damper and stops"] + "loads: {n: {type: motor, joint: third, force: m.force}, m: {type: motor, joint: second, force: -p.force}}\n"
    mirror("chained", text, "a", "c", [0, 2, 0])


def lag():
    """x' = (torque - x)/T: of a constant torque x = 2 (1 - exp(-t/T)), at second order. A motion's torque is what its wheel needs."""
    text = WHEELS.replace("gravity: [0, 0, -9.81]\n", "").replace("position: [0, 0.3, 0]", "position: [0, 0, 0]").replace(", velocity: [0, 0, 1.2]", "").replace("position: [1, 0.3, 0]", "position: [1, 0, 0]") \
        + "loads: {m: {type: motor, joint: first, torque: 2 N*m}}\nmotions: {d: {joint: second, angle: 4*t + 3*t^2}}\n" \
        + "states: {x: {rate: (m.torque/(1 N*m) - x)/(0.3 s)}, y: {type: pid, error: d.torque, kp: 1}}\n"
    errors = []
    for h in (0.02, 0.01):
        out = run(text + TAIL, step=h, case="lag", audit=1e-11)
        errors.append(np.max(np.abs(out.coordinate("x", "value") - 2*(1 - np.exp(-out.t/0.3)))))
    check("lag", "order", np.log2(errors[0]/errors[1]) - 2, 0.05, f"error {errors[1]:.1e}")
    errors = []
    for h in (0.01, 0.005):
        # a multiplier that a block reads carries round-off of angles over h^2: no step meets 1e-15
        out = run(text + TAIL, scheme="ED", step=h, case="lag", audit=1e-11, tolerance=1e-12)
        errors.append(np.max(np.abs(out.coordinate("y", "error")[out.t > 0.5] - 0.1*6)))
    check("lag", "torque of a motion, J times its acceleration: order", np.log2(errors[0]/errors[1]) - 2, 0.1, f"error {errors[1]:.1e}")


def gears():
    """A gear of ratio r between two wheels, the first driven by M: the torque on the second is its inertia times its acceleration, J2 r M/(J1 + r^2 J2). A rack: the force on it."""
    wheels = WHEELS.replace("gravity: [0, 0, -9.81]\n", "").replace("0.3, 0]", "0, 0]").replace(", angular_velocity: [4, 0, 0], velocity: [0, 0, 1.2]", "")
    drive = "loads: {m: {type: motor, joint: first, torque: 3 N*m}}\nstates: {y: {type: pid, error: g.WORD, kp: 1}}\n"
    r, J, M, m = 0.5, 0.1, 3.0, 2.0
    rack = wheels.replace("type: revolute, bodies: [ground, b]", "type: prismatic, bodies: [ground, b]")
    for text, ratio, word, exact in ((wheels, "ratio", "torque", J*r*M/(J + r*r*J)), (rack, "radius", "force", m*r*M/(J + r*r*m))):
        out = run(text + f"  g: {{type: gear, joint: first, to: second, {ratio}: {r}}}\n" + drive.replace("WORD", word)
                  + "analysis: {step: 0.001, end: 0.2}\n", scheme="ED", case="gear", audit=1e-11)
        check("gear", f"{word} of a gear", out.coordinate("y", "error")[2:]/exact - 1, 5e-4)


def switched():
    """A spring that is off has no force, and its mirror none."""
    text = RAILS + ON_RAILS["spring, damper and stops"] + "loads: {m: {type: motor, joint: second, force: -p.force}}\n" \
        "events: {off: {at: 0.505, switch_off: p}, on: {when: first.displacement < -0.5 m, switch_on: p}}\n"
    mirror("switched", text, "a", "b", [0, 1, 0])


def located():
    """A spring that is drawn out at constant speed: its force is 5 N at t = 5/(k v). With a damper, c v more."""
    for damping in (0, 4):
        text = HEAD.replace("gravity: [0, 0, -9.81]\n", "") + f"""bodies: {{a: {{mass: 1, inertia: [1, 1, 1]}}}}
joints: {{rail: {{type: prismatic, bodies: [ground, a], at: [0, 0, 0], axis: x}}}}
motions: {{d: {{joint: rail, displacement: 0.7 m/s * time}}}}
springs: {{p: {{bodies: [ground, a], from: [-1, 0, 0], to: [0, 0, 0], stiffness: 11, damping: {damping}}}}}
events: {{five: {{when: p.force > 5 N, stop: true}}}}
analysis: {{step: 0.03, end: 2}}
"""
        out = run(text, scheme="ED", case="located", audit=1e-11)
        check("located", f"time, damping {damping}", out.t[-1] - (5 - damping*0.7)/(11*0.7), 1e-9)


def at_rest():
    """Statics: two springs carry a body, the second by the force of the first: k (1 + 0.5) u = m g."""
    text = HEAD + """bodies: {a: {mass: 2, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, a], at: [0, 0, 0], axis: z}}
springs: {p: {bodies: [ground, a], from: [0, 0, 1], to: [0, 0, 0], stiffness: 900}}
loads: {m: {type: motor, joint: rail, force: 0.5*p.force}}
analysis: {type: static}
"""
    out = run(text, scheme=None, tolerance=None)
    check("statics", "place", out.coordinate("rail", "displacement")[-1] + 2*9.81/(900*1.5), 1e-9)
    # a state follows the place but does not act on it: what its equation lacks in symmetry says nothing of stability
    text = text.replace("analysis: {type: static}", "states: {x: {rate: '(1000*rail.displacement/(1 m) - x)/(0.1 s)'}}\nanalysis: {start: static, step: 0.01, end: 1}")
    with model_file(text) as path:
        done = torsor("check", path)
    check("statics", "no false alarm", 1 if "UNSTABLE" in done.stdout + done.stderr else 0, 0)


def columns():
    """The column `effort` of springs and motors: its product with the rate is their power, and that of a motor is what the model file says."""
    text = RAILS + ON_RAILS["spring, damper and stops"].replace("}}", "}, r: {type: slide_friction, joint: first, coefficient: 0.05}}") + """loads:
  over_time: {type: motor, joint: second, force: 5*cos(3*t)}
  by_rate: {type: motor, joint: second, force: 3 N - 2 N*s/m*second.rate}
analysis: {step: 0.01, end: 1}
"""
    with model_file(text) as path:
        torsor("run", path, "-q", "-o", path.with_suffix(".h5"))
        table = torsor("info", path.with_suffix(".h5"), "--csv", "*.effort", "--csv", "*.power", "--csv", "*.rate").stdout.splitlines()
    names = [name.split(" [")[0] for name in table[0].split(",")]
    check("columns", "units", 0 if "over_time.effort [N]" in table[0] else 1, 0)
    rows = np.array([[float(x) for x in line.split(",")] for line in table[1:]])
    column = dict(zip(names, rows.T))
    for part, joint in (("p", "first"), ("r", "first"), ("over_time", "second"), ("by_rate", "second")):
        check("columns", f"power of {part}", column[f"{part}.effort"]*column[f"{joint}.displacement.rate"] - column[f"{part}.power"], 1e-9)
    check("columns", "a motor over time", column["over_time.effort"] - 5*np.cos(3*column["t"]), 1e-12)
    check("columns", "a motor by channels", column["by_rate.effort"] - 3 + 2*column["second.displacement.rate"], 1e-12)


PLANT = """torsor: 1
units: SI
bodies:
  one: {mass: 1, inertia: [0.1, 0.1, 0.1]}
  two: {mass: 1, inertia: [0.4, 0.4, 0.4], position: [1, 0, 0]}
  sled: {mass: 5, inertia: [1, 1, 1], position: [0, 1, 0]}
  slide: {mass: 3, inertia: [1, 1, 1], position: [0, 2, 0]}
joints:
  a: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: z}
  b: {type: revolute, bodies: [ground, two], at: [1, 0, 0], axis: z}
  c: {type: prismatic, bodies: [ground, sled], at: [0, 1, 0], axis: x}
  d: {type: prismatic, bodies: [ground, slide], at: [0, 2, 0], axis: x}
  wheels: {type: gear, joint: a, to: b, ratio: -0.5LOSS}
  rack: {type: gear, joint: c, to: a, radius: 0.2}
  lever: {type: gear, joint: c, to: d, ratio: 2}
loads: {m: {type: motor, joint: a, torque: 3}}
events: {stop: {at: 0.1 s, lock: b}}
analysis: {scheme: SCHEME, step: 0.001, end: 0.2}
"""


def table_of(text, *names):
    with model_file(text) as path:
        torsor("run", path, "-q", "-o", path.with_suffix(".h5"))
        table = torsor("info", path.with_suffix(".h5"), *(word for name in names for word in ("--csv", name))).stdout.splitlines()
        listed = torsor("channels", path, *names).stdout
    rows = np.array([[float(x) for x in line.split(",")] for line in table[1:]])
    return dict(zip((name.split(" [")[0] for name in table[0].split(",")), rows.T)), table[0], listed


def transmitted():
    """The column `effort` of gears and locks: one motor drives a wheel by a gear, a sled by a rack and a slide by a lever from it. With the
    inertia I of all at the motor, a = T/I: the wheels transmit J_2 (-a/2), the rack what sled and slide need, the lever 2 m r a. Then the
    second wheel is locked: its gear and the lock bear the torque, -T/ratio, and nothing else acts."""
    case, T, J, r = "transmitted", 3, 0.4, 0.2
    for scheme in ("EP", "ED"):
        column, head, listed = table_of(PLANT.replace("SCHEME", scheme).replace("LOSS", ""), "*.effort", "*.rate")
        check(case, "units", 0 if all(word in head for word in ("wheels.effort [N m]", "rack.effort [N]", "lever.effort [N]", "b_lock.effort [N m]")) else 1, 0)
        check(case, "listed", 0 if all(f"{name}.effort" in listed for name in ("wheels", "rack", "lever")) else 1, 0)
        a = T/(0.1 + 0.25*J + r*r*(5 + 4*3))
        free, held = column["t"] < 0.0995, column["t"] > 0.1005
        turned = (0.001*a*0.1)**2  # the mean of a rotation in a step
        for name, exact in (("wheels", -0.5*a*J), ("lever", 2*r*a*3), ("rack", r*a*(5 + 4*3))):
            check(case, f"{scheme}: {name}", column[f"{name}.effort"][free]/exact - 1, turned)
        check(case, f"{scheme}: an open lock", column["b_lock.effort"][free], 0)
        for name, exact in (("wheels", -T/0.5), ("b_lock", T/0.5), ("lever", 0), ("rack", 0)):
            check(case, f"{scheme}: {name}, locked", column[f"{name}.effort"][held] - exact, 1e-9)
        # with losses: of what the wheels transmit, 0.7 arrive
        column, *_ = table_of(PLANT.replace("SCHEME", scheme).replace("LOSS", ", efficiency: 0.7"), "wheels.effort", "b.angle.rate", "a.angle.rate")
        late = (column["t"] > 0.05) & (column["t"] < 0.0995)
        b = -0.5*T/(0.1 + 0.25*J/0.7 + r*r*(5 + 4*3))
        check(case, f"{scheme}: with losses", column["wheels.effort"][late]/(J*b/0.7) - 1, 1e-4)


LOADED = """torsor: 1
units: SI
bodies:
  thrown: {mass: 2, inertia: [0.3, 0.3, 0.3], position: [5, 0, 0], velocity: [0, 1, 0]}
  top: {mass: 2, inertia: [0.3, 0.3, 0.3], position: [9, 0, 0], angular_velocity: [0, 0, 3]}
sections: {bar: {type: circle, radius: 0.02, material: steel}}
materials: {steel: {E: 2e11, nu: 0.3, density: 7850}}
beams: {spar: {from: [0, 5, 0], to: [2, 5, 0], section: bar, elements: 3}}
loads:
  push: {type: force, body: thrown, force: [3*t, 4, 0]}
  twist: {type: moment, body: top, moment: [0, 0, 0.6]}
  jet: {type: force, body: top, force: [0, 2, 0], follower: true, point: [0.5, 0, 0]}
  wind: {type: line_load, beam: spar, force: [0, 0, 50*t]}
analysis: {scheme: SCHEME, step: 0.001, end: 0.5}
"""
PRESSED = """torsor: 1
units: SI
materials: {soft: {E: 1e6, nu: 0.3, density: 1000}}
meshes: {block: {type: box, size: [0.4, 0.3, 0.2], divisions: [2, 1, 1]}}
solids: {foam: {mesh: block, material: soft}}
loads:
  gas: {type: pressure, faces: foam.x+, pressure: 4 kPa * sin(40*t)}
  rain: {type: surface_load, faces: foam.z+, force: [0, 300 Pa, 500 Pa * t]}
analysis: {scheme: SCHEME, step: STEP, end: 0.1}
"""


def load_powers():
    """The column `power` of loads over time: of a force, a moment, a force that turns with its body and a line load by closed forms; of all, and
    of pressures, its integral is the work in the ledger, to second order in the step."""
    case = "power of loads"
    for scheme in ("EP", "ED"):
        column, head, listed = table_of(LOADED.replace("SCHEME", scheme), "*.power", "energy.work_loads")
        t = column["t"]
        check(case, "unit", 0 if "push.power [W]" in head and "wind.power" in listed else 1, 0)
        check(case, f"{scheme}: force", column["push.power"] - 3*t*3*t*t/4 - 4*(1 + 2*t), 1e-5)
        spin = 3 + (0.6 + 0.5*2)/0.3*t
        check(case, f"{scheme}: moment", column["twist.power"]/(0.6*spin) - 1, 1e-5)
        angle, drift = 3*t + 0.5*(0.6 + 0.5*2)/0.3*t*t, np.zeros((len(t), 2))
        thrust = 2*np.array([-np.sin(angle), np.cos(angle)]).T
        drift[1:] = np.cumsum(0.5*(thrust[1:] + thrust[:-1])*np.diff(t)[:, None]/2, axis=0)
        check(case, f"{scheme}: a force that turns with its body", column["jet.power"] - np.sum(thrust*drift, axis=1) - 2*0.5*spin, 2e-5)
        mass, length = 7850*np.pi*0.02**2*2, 2
        check(case, f"{scheme}: line load", column["wind.power"] - 50*t*length*25*t*t*length/mass, 1e-4)
        errors = []
        for step in (0.001, 0.0005):
            column, *_ = table_of(PRESSED.replace("SCHEME", scheme).replace("STEP", str(step)), "*.power", "energy.work_loads")
            total, t = column["gas.power"] + column["rain.power"], column["t"]
            check(case, "every state is stored", len(t) - 1 - round(0.1/step), 0, quiet=True)
            work = np.concatenate([[0], np.cumsum(0.5*(total[1:] + total[:-1])*np.diff(t))])
            check(case, "both work", 0 if min(np.ptp(column["gas.power"]), np.ptp(column["rain.power"])) > 1e-3*np.ptp(total) else 1, 0, quiet=True)
            errors.append(np.max(np.abs(work - column["energy.work_loads"]))/np.max(np.abs(work)))
        check(case, f"{scheme}: integral of the power is the work", errors[1], 1e-3)
        check(case, f"{scheme}: its order", np.log2(errors[0]/errors[1]) - 2, 0.3)


def refused():
    two = "springs: {p: {type: joint_spring, joint: first, force: 0.5*q.force}, q: {type: joint_spring, joint: second, force: 0.1*p.force}}\n"
    one = "springs: {p: {type: joint_spring, joint: first, stiffness: 3, force: 0.5*p.force}}\n"
    dimension = "springs: {p: {type: joint_spring, joint: first, stiffness: 3}}\nloads: {m: {type: motor, joint: second, force: 1 N*p.torque/(1 N*m)}}\n"
    nothing = "loads: {m: {type: motor, joint: second, force: a.force}}\n"
    for name, part, words in (("two", two, "depends on itself: p -> q -> p"), ("one", one, "depends on itself: p -> p"),
                              ("torque of a displacement", dimension, "'p' has no channel 'torque' to depend on"), ("body", nothing, "'a' has no channel 'force' to depend on")):
        with model_file(RAILS + part + TAIL) as path:
            message = torsor("check", path, code=2).stderr
        check("refused", name, 0 if words in message else 1, 0, message)


def main():
    need_program()
    along()
    components()
    slides()
    chained()
    lag()
    gears()
    switched()
    moments()
    unbalanced()
    columns()
    transmitted()
    load_powers()
    located()
    at_rest()
    refused()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
