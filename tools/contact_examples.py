#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""contact_examples.py: writes examples/contact/chain_drive.yaml and knot.yaml anew, which have too many numbers to be written by hand.

Chain. A roller chain, closed around two sprockets, each pin seated at the start. Pins lie on the pitch circles, R = p/(2 sin(pi/N)), and on straight spans of whole links between them; the distance of the shafts follows from that. The middle seats of both
sprockets are on the line of the shafts, so that the drawing is its own mirror image.

Knot. The curve (t^3 - 3 t, t^4 - 4 t^2, t^5 - 10 t) is a trefoil whose ends go to infinity (A. R. Shastri, Tohoku Math. J. 44 (1992) 11). It is scaled, given straight tails, and turned so
that its ends lie on the x axis. Forces, "hands", lead nodes of a straight cord there."""
import math
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "examples/contact"
PITCH = 20.0  # mm
SMALL, LARGE = 9, 15  # teeth
WRAPPED = (2, 4)  # seats on either side of the middle one that hold a pin
SPAN = 7  # links between the last pins of both


def pins():
    """All pins in their order, in mm, from the small sprocket's middle seat on; and the distance of the shafts."""
    radius = [PITCH/2/math.sin(math.pi/n) for n in (SMALL, LARGE)]

    def seat(side, k):
        angle = (math.pi if side == 0 else 0) + 2*math.pi*k/(SMALL, LARGE)[side]
        return radius[side]*math.cos(angle), radius[side]*math.sin(angle)
    top = seat(0, -WRAPPED[0])
    far = seat(1, WRAPPED[1])
    distance = top[0] - far[0] + math.sqrt((SPAN*PITCH)**2 - (far[1] - top[1])**2)
    left = [seat(0, -k) for k in range(WRAPPED[0] + 1)]
    right = [(distance + x, y) for x, y in (seat(1, k) for k in range(WRAPPED[1], -WRAPPED[1] - 1, -1))]
    end = right[0]
    upper = [(top[0] + (end[0] - top[0])*i/SPAN, top[1] + (end[1] - top[1])*i/SPAN) for i in range(1, SPAN)]
    lower = [(x, -y) for x, y in reversed(upper)]
    return left + upper + right + lower + [(x, -y) for x, y in reversed(left[1:])], distance


HEAD = """# A roller chain of {links} links around two sprockets of 9 and 15 teeth. The links are bodies with revolute joints; their rollers (balls) touch
# the roots of the sprockets (cylinders) and their teeth (capsules). The small sprocket turns at constant speed, a torque brakes the
# large one. tools/contact_examples.py wrote this file.
#
# What to see: the upper span is tight, the lower one is slack and sways. The speed of the chain varies, because it lies around a polygon (polygon effect).
#
# Compared with: the ratio of the teeth; the pull of the tight span, torque over pitch radius; its speed, which varies
# between w R and w R cos(pi/9), 6 % less; power in and out (tests/test_contact_examples.py).
torsor: 1
title: Chain on sprockets
units: SI

parameters:
  P: {pitch} mm                # pitch of the chain
  R1: P/(2*sin(20 deg))    # pitch circles
  R2: P/(2*sin(12 deg))
  A: {distance} mm        # distance of the shafts
  ROLL: 5 mm               # radius of rollers
  TOOTH: 4.6 mm            # radius of teeth: they leave 0.8 mm to rollers
  PLAY: 0.05 mm            # between rollers and roots, as drawn
  ML: 10 g
  JL: ML*P^2/12
  T: 8 N*m                 # of the brake
  K: 1e6 N/m

signals:
  speed: {{step: {{at: 0 s, from: 0 rad/s, to: 5 rad/s, over: 0.1 s}}}}
  brake: {{step: {{at: 0 s, from: 0 N*m, to: -T, over: 0.1 s}}}}

bodies:
  small: {{mass: 0.5 kg, inertia: [2e-4, 2e-4, 2e-4], shape: cylinder, size: [2*R1 - 2*ROLL, 8 mm], shape_axis: z}}
  large: {{mass: 1 kg, inertia: [1e-3, 1e-3, 1e-3], position: [A, 0, 0], shape: cylinder, size: [2*R2 - 2*ROLL, 8 mm], shape_axis: z}}
"""


def chain():
    points, distance = pins()
    count = len(points)
    out = HEAD.format(links=count, pitch=f"{PITCH:g}", distance=f"{distance:.4f}")
    short = [f"[{x:.4f} mm, {y:.4f} mm, 0]" for x, y in points]
    for i, (x, y) in enumerate(points):
        nx, ny = points[(i + 1) % count]
        turn = math.degrees(math.atan2(ny - y, nx - x))
        out += (f"  l{i + 1}: {{mass: ML, inertia: [JL/10, JL, JL], position: [{(x + nx)/2:.4f} mm, {(y + ny)/2:.4f} mm, 0], orientation: {{axis: z, angle: {turn:.4f} deg}}, "
                "shape: box, size: [P, 4 mm, 2 mm]}\n")
    out += "joints:\n  shaft: {type: revolute, bodies: [ground, small], at: [0, 0, 0], axis: z}\n  axle: {type: revolute, bodies: [ground, large], at: [A, 0, 0], axis: z}\n"
    for i in range(count):
        out += f"  p{i + 1}: {{type: revolute, bodies: [l{(i - 1) % count + 1}, l{i + 1}], at: {short[i]}, axis: z}}\n"
    out += "motions:\n  drive: {joint: shaft, speed: speed}\nloads:\n  load: {type: moment, body: large, moment: [0, 0, brake]}\nshapes:\n"
    out += "  root1: {type: cylinder, on: small, axis: z, radius: R1 - ROLL - PLAY, length: 8 mm}\n  root2: {type: cylinder, on: large, axis: z, radius: R2 - ROLL - PLAY, length: 8 mm}\n"
    for k in range(SMALL):
        angle = f"cos({180 + 360*(k + 0.5)/SMALL:g} deg)", f"sin({180 + 360*(k + 0.5)/SMALL:g} deg)"
        out += f"  tooth1_{k + 1}: {{type: capsule, on: small, from: [0.8*R1*{angle[0]}, 0.8*R1*{angle[1]}, 0], to: [R1*{angle[0]}, R1*{angle[1]}, 0], radius: TOOTH}}\n"
    for k in range(LARGE):
        angle = f"cos({360*(k + 0.5)/LARGE:g} deg)", f"sin({360*(k + 0.5)/LARGE:g} deg)"
        out += f"  tooth2_{k + 1}: {{type: capsule, on: large, from: [A + 0.85*R2*{angle[0]}, 0.85*R2*{angle[1]}, 0], to: [A + R2*{angle[0]}, R2*{angle[1]}, 0], radius: TOOTH}}\n"
    out += "".join(f"  roll{i + 1}: {{type: sphere, on: l{i + 1}, at: {short[i]}, radius: ROLL}}\n" for i in range(count))
    out += "contacts:\n  seats: {between: ['roll*', ['root*', 'tooth*']], stiffness: K, restitution: 0.3, friction: 0.05, unresolved: keep}\n"
    return out + "\nanalysis: {scheme: ED, step: 0.25 ms, end: 0.9 s}\noutputs: {every: 10, csv: [shaft.angle, axle.angle, p5.force, drive.effort, energy]}\n"


KNOT = """# An overhand knot in a rubber cord, tied by forces on nodes ("hands") and pulled tight: a beam that touches itself.
# tools/contact_examples.py wrote this file.
#
# At first the cord is straight and does not touch itself. Forces lead {hands} of its nodes to the curve of a loose knot in 0.6 s. Then
# the contact is switched on, the hands are removed, and both ends are pulled, by 0.1 N until t = 2 s, and by up to 0.6 N then.
#
# What to see: the loop opens until its bending balances the pull, two strands wind around each other at its foot, and the loop
# shrinks as the pull grows. The cord is smooth; there is no friction.
#
# Compared with: it is a trefoil at all times (the determinant of the knot is 3), and strands stay as far apart as they are thick, less
# the compression of the contact. A thin cord has a loop of the radius R with R^2 = EI/(2 pull) (Audoly, Clauvelin and Neukirch, Phys. Rev. Lett. 99
# (2007) 164301), a cord of radius r a larger one, by about sqrt(r/R) of it (tests/test_contact_examples.py).
torsor: 1
title: A knot is tightened
units: SI

parameters:
  L: {length:g} m
  RAD: 2 mm
  KH: 40 N/m               # hands
  CH: 1 N*s/m
  AIR: 5e-3 N*s/m          # drag on each of these nodes

signals:
  form: {{step: {{at: 0 s, from: 0, to: 1, over: 0.6 s}}}}
  held: {{step: {{at: 0.7 s, from: 1, to: 0, over: 0.8 s}}}}
  pull: {{table: [[0 s, 0 N], [0.5 s, 0 N], [0.7 s, 0.1 N], [2 s, 0.1 N], [3.5 s, 0.6 N]]}}

materials:
  rubber: {{E: 50 MPa, nu: 0.45, density: 1100 kg/m^3}}
sections:
  cord: {{type: circle, material: rubber, radius: RAD}}
beams:
  rod: {{from: [-L/2, 0, 0], to: [L/2, 0, 0], section: cord, elements: {elements}, order: 2, damping: 2 ms}}
shapes:
  skin: {{type: line, beam: rod, radius: RAD, self: true}}
contacts:
  touch: {{among: [skin], length_stiffness: 6e5 N/m^2, restitution: 0.3, unresolved: keep}}
events:
  untied: {{at: 0 s, switch_off: touch}}
  tied: {{at: 0.7 s, switch_on: touch}}
loads:
  left: {{type: force, body: rod.start, force: [-pull, 0, 0]}}
  right: {{type: force, body: rod.end, force: [pull, 0, 0]}}
"""
LENGTH, KNOTTED, ELEMENTS = 0.8, 0.55, 32


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def scaled(k, a):
    return [k*x for x in a]


def dot(a, b):
    return sum(x*y for x, y in zip(a, b))


def unit(a):
    return scaled(1/math.sqrt(dot(a, a)), a)


def knotted(count):
    """So many points of the knot, evenly along the cord."""
    curve = [[t**3 - 3*t, 0.8*(t**4 - 4*t**2), 0.35*(t**5 - 10*t)] for t in (-2.02 + 4.04*k/4000 for k in range(4001))]
    steps = [math.dist(a, b) for a, b in zip(curve, curve[1:])]
    curve, steps = [scaled(KNOTTED/sum(steps), p) for p in curve], scaled(KNOTTED/sum(steps), steps)
    tail = (LENGTH - KNOTTED)/2
    line = [sub(curve[0], scaled(tail, unit(sub(curve[1], curve[0]))))] + curve + [sub(curve[-1], scaled(-tail, unit(sub(curve[-1], curve[-2]))))]
    steps = [tail] + steps + [tail]
    axis = unit(sub(line[-1], line[0]))
    second = unit(sub([0, 1, 0], scaled(axis[1], axis)))
    third = [axis[1]*second[2] - axis[2]*second[1], axis[2]*second[0] - axis[0]*second[2], axis[0]*second[1] - axis[1]*second[0]]
    middle = scaled(0.5, [a + b for a, b in zip(line[0], line[-1])])
    out, at, k = [], 0.0, 0
    for i in range(count):
        arc = min(LENGTH*i/(count - 1), sum(steps))
        while k < len(steps) - 1 and at + steps[k] < arc:
            at, k = at + steps[k], k + 1
        p = sub(sub(line[k], scaled(-(arc - at)/steps[k], sub(line[k + 1], line[k]))), middle)
        out.append([dot(p, axis), dot(p, second), dot(p, third)])
    return out


def knot():
    nodes = 2*ELEMENTS + 1
    points = knotted(nodes)
    held = range(1, nodes + 1, 4)
    out = KNOT.format(hands=len(held), length=LENGTH, elements=ELEMENTS)
    for n in held:
        start = LENGTH*(n - 1)/(nodes - 1) - LENGTH/2
        force = []
        for axis, goal in zip("xyz", points[n - 1]):
            place = f"{start:.5g} m + form*({goal - start:.5g} m)" if axis == "x" else f"form*({goal:.5g} m)"
            force.append(f"'held*KH*({place} - rod.{n}.position.{axis}) - (held*CH + AIR)*rod.{n}.velocity.{axis}'")
        out += f"  hand{n}: {{type: force, body: rod.{n}, force: [{', '.join(force)}]}}\n"
    return out + "\nanalysis: {scheme: ED, step: 5 ms, end: 3.5 s}\noutputs: {every: 10, csv: [rod.start.position, rod.end.position, touch.force.normal, touch.depth, energy]}\n"


if __name__ == "__main__":
    (FOLDER / "chain_drive.yaml").write_text(chain(), encoding="utf-8")
    (FOLDER / "knot.yaml").write_text(knot(), encoding="utf-8")
