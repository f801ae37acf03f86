# SPDX-License-Identifier: Apache-2.0
"""Shapes with corners, edges and circles: stacks that rest, boxes on boxes, rolling cylinders and coins, hulls; joints with clearance; groups, overlaps, mass by a density."""
import math
import sys

from case_tools import check, need_program, np, run, verdict

from program import QUICK, model_file, torsor

G = 9.81
AUDIT = 1e-11

HEAD = "torsor: 1\nunits: SI\n"
FALL = HEAD + "gravity: [0, 0, -9.81]\n"
FLOOR = "  floor: {type: plane, on: ground, normal: z}\n"


def audited(case, text, scheme, **options):
    return run(text, scheme=scheme, case=case, audit=AUDIT, **options)


def pile(count, place, box, twist=0.0, end="10 s", step="2 ms", law="stiffness: 1e6, friction: 0.5, restitution: 0.3"):
    """Boxes upon each other, each turned by `twist` against the one below."""
    text = FALL + "bodies:\n"
    for i in range(count):
        text += f"  b{i}: {{mass: 1, inertia: [0.002, 0.002, 0.002], position: [0, 0, {place(i)!r}], orientation: {{axis: z, angle: {twist*i}}}}}\n"
    text += "shapes:\n" + FLOOR + "".join(f"  s{i}: {{type: box, on: b{i}, size: {box}}}\n" for i in range(count))
    return text + f"contacts: {{c: {{among: [floor, {', '.join(f's{i}' for i in range(count))}], {law}}}}}\nanalysis: {{step: {step}, end: {end}}}\n"


def stack(scheme):
    """Five boxes begin where eight corners (four on the floor) of the given stiffness carry what is above: they stay there."""
    def place(i):
        return 0.05 + 0.1*i - sum((5 - k)*G/(4e6 if k == 0 else 8e6) for k in range(i + 1))
    end = 1 if QUICK else 10
    out = audited("stack", pile(5, place, "[0.1, 0.1, 0.1]", end=f"{end} s"), scheme)
    for i in range(5):
        x = out.position(f"b{i}")
        check("stack", f"{scheme}, drift in {end} s", x - x[0], 1e-12, quiet=i < 4)
    check("stack", f"{scheme}, force on the floor and between", out.frame["contact_force"][-1, 0, 0] - 15*G, 1e-8)


def crossed(scheme):
    """Long boxes across each other, where only edges cross, and square ones turned by a few degrees: they come to rest."""
    for twist, box in ((math.pi/2, "[0.3, 0.1, 0.05]"), (0.05, "[0.1, 0.1, 0.05]"), (math.pi/4, "[0.1, 0.1, 0.05]"))[:1 if QUICK else 3]:
        out = audited("crossed", pile(4, lambda i: 0.025 + 0.05*i, box, twist, "2 s", "1 ms"), scheme)
        top = out.position("b3")
        check("crossed", f"{scheme}, drift in the second half, turned by {twist:.2f}", top[len(top)//2:] - top[-1], 1e-6)
        check("crossed", f"{scheme}, sinks in by less than", top[-1, 2] - 0.175, 1e-4)


def tipping(scheme):
    """A block and a cylinder of width 0.1 and height 0.3 m tip on a plane whose slope has the tangent 1/3: corners are sharp on planes. The circle of a cylinder leans by some 0.01 rad before: it tips at 0.8 to 1 of that slope."""
    for shape, sure in (("box, size: [0.1, 0.1, 0.3]", 0.99), ("cylinder, axis: z, radius: 0.05, length: 0.3", 0.8)):
        for slope, falls in ((sure/3, False), (1.01/3, True)):
            g = G/math.hypot(1, slope)
            text = HEAD + f"gravity: [{g*slope!r}, 0, {-g!r}]\nbodies: {{b: {{mass: 0, position: [0, 0, 0.15]}}}}\nshapes:\n  s: {{type: {shape}, on: b, density: 1000}}\n" + FLOOR
            text += "contacts: {c: {between: [s, floor], stiffness: 1e7, friction: 0.8, restitution: 0.3}}\nanalysis: {step: 2 ms, end: 3 s}\n"
            # what stands has sunk in by 1e-6 m: the rounding of its height is 1e-10 of its energy
            out = run(text, scheme=scheme, case="tipping", audit=AUDIT if falls else 1e-9)
            height = out.position("b")[-1, 2]
            check("tipping", f"{scheme}, {shape.split(',')[0]} {'lies' if falls else 'stands'}", height - (0.05 if falls else 0.15), 1e-5 if sure > 0.9 or falls else 1e-3)


TWO_BOXES = HEAD + """bodies:
  a: {mass: 1, inertia: [0.02, 0.03, 0.025], velocity: [0, 0, 1], orientation: {axis: [1, 0, 0], angle: TURN}, angular_velocity: [0.3, 0.2, -0.4]}
  b: {mass: 2, inertia: [0.03, 0.04, 0.05], position: [0.02, 0.01, 0.5], velocity: [0, 0, -1], orientation: {axis: [0, 1, 0], angle: 0.8}, angular_velocity: [0.1, -0.2, 0.4]}
shapes:
  A: SHAPE_A
  B: SHAPE_B
contacts: {c: {between: [A, B], stiffness: 1e5, friction: 0.3, restitution: 0.7, unresolved: keep}}
analysis: {end: 0.4 s, step: STEP}
"""
SHAPES = {"box": "{type: box, on: %s, size: [0.4, 0.3, 0.3]}",
          "cylinder": "{type: cylinder, on: %s, axis: [1, 0, 0.2], radius: 0.15, length: 0.4}",
          "disc": "{type: disc, on: %s, axis: [1, 0.1, 0.2], radius: 0.2, rounding: 0.03}",
          "hull": "{type: hull, on: %s, points: [[-0.1, -0.1, PLACE - 0.1], [0.2, -0.1, PLACE - 0.1], [0, 0.2, PLACE - 0.1], [0, 0, PLACE + 0.15], [0, 0, PLACE]], rounding: 0.02}",
          "capsule": "{type: capsule, on: %s, from: [-0.2, 0, PLACE], to: [0.2, 0.1, PLACE], radius: 0.1}",
          "sphere": "{type: sphere, on: %s, radius: 0.15}",
          "plane": "{type: plane, on: %s, normal: [0.1, 0, -1], at: [0, 0, 0.4]}"}


def collisions(scheme):
    """Free bodies of all kinds of shapes: both momenta, and the audit. An edge of a box against an edge of another: one pair."""
    for a, b in (("box", "box"), ("cylinder", "box"), ("disc", "cylinder"), ("hull", "box"), ("hull", "hull"), ("capsule", "hull"), ("sphere", "disc"),
                 ("box", "plane"), ("cylinder", "plane"), ("disc", "plane"), ("hull", "plane")):
        for step in ("1 ms", "7 ms"):
            text = TWO_BOXES.replace("STEP", step).replace("TURN", "0.7854")
            text = text.replace("SHAPE_A", (SHAPES[a] % "a").replace("PLACE", "0")).replace("SHAPE_B", (SHAPES[b] % "b").replace("PLACE", "0.5"))
            out = audited("collisions", text, scheme)
            for name in ("linear", "angular"):
                p = out.frame[f"momentum_{name}"]
                check("collisions", f"{scheme}, {a} and {b}, {name} momentum", p - p[0], 2e-12, quiet=True)
            assert np.abs(out.velocity("a")[-1] - out.velocity("a")[0]).max() > 0.1, f"{a} and {b} have met"
            if (a, b) == ("box", "box"):
                check("collisions", f"{scheme}, edge on edge", max(0, out.frame["contact_count"][:, 0].max() - 1), 0, quiet=True)


def tilting(scheme):
    """A block on the top of a box, gravity turned: it holds below the angle of friction and slides with g (sin - mu cos) above."""
    for slope, slides in ((0.25, False), (0.5, True)):
        angle = math.atan(slope)
        sink = 2*G*math.cos(angle)/4e5
        text = HEAD + f"""gravity: [{G*math.sin(angle)!r}, 0, {-G*math.cos(angle)!r}]
bodies: {{block: {{mass: 2, inertia: [0.01, 0.02, 0.02], position: [0, 0, {0.05 - sink!r}]}}}}
shapes:
  box: {{type: box, on: block, size: [0.3, 0.2, 0.1]}}
  table: {{type: box, on: ground, at: [0.5, 0, -0.25], size: [2, 1, 0.5]}}
contacts: {{rub: {{between: [box, table], stiffness: 1e5, friction: 0.3, restitution: 0.1}}}}
analysis: {{end: {0.5 if slides else 10} s, step: 2 ms}}
"""
        out = audited("tilting", text, scheme)
        x = out.position("block")[:, 0]
        if slides:
            a = G*(math.sin(angle) - 0.3*math.cos(angle))
            check("tilting", f"{scheme}, slides with", out.velocity("block")[-1, 0]/(0.5*a) - 1, 5e-3)
        else:
            check("tilting", f"{scheme}, creep in the last 5 s", np.ptp(x[len(x)//2:]), 1e-8)


def rolling(scheme):
    """A cylinder down a slope: 2/3 g sin; its mass by its density. On end, and on its side, it rests."""
    tilt, mass = 0.3, 1000*math.pi*0.01*0.2
    text = HEAD + f"""gravity: [{G*math.sin(tilt)!r}, 0, {-G*math.cos(tilt)!r}]
bodies: {{c: {{mass: 0, position: [0, 0, {0.1 - mass*G*math.cos(tilt)/2e6!r}]}}}}
shapes:
  C: {{type: cylinder, on: c, axis: y, radius: 0.1, length: 0.2, density: 1000}}
{FLOOR}contacts: {{k: {{between: [C, floor], stiffness: 1e6, friction: 0.5}}}}
analysis: {{end: 0.5 s, step: 2 ms}}
"""
    out = audited("rolling", text, scheme)
    v = out.velocity("c")[-1, 0]
    check("rolling", f"{scheme}, cylinder", v/(2/3*G*math.sin(tilt)*0.5) - 1, 1e-5, f"{v:.6f} of {2/3*G*math.sin(tilt)*0.5:.6f} m/s")
    for axis, height in (("z", 0.1), ("x", 0.1), ("[1, 1, 0.02]", 0.1)):
        still = text.replace(f"[{G*math.sin(tilt)!r}, 0, {-G*math.cos(tilt)!r}]", "[0, 0, -9.81]").replace("axis: y", f"axis: {axis}")
        still = still.replace(f"{0.1 - mass*G*math.cos(tilt)/2e6!r}", "0.101").replace("friction: 0.5", "friction: 0.5, restitution: 0.3").replace("0.5 s", "3 s")
        out = audited("rolling", still, scheme)
        check("rolling", f"{scheme}, at rest at the end, axis {axis}", np.abs(out.velocity("c")[-1]).max(), 2e-3)
        check("rolling", f"{scheme}, height, axis {axis}", out.position("c")[-1, 2] - height, 1e-4)


TABLES = {"plane": ("", "{type: plane, on: ground, normal: z}", 0),
          "box": ("", "{type: box, on: ground, at: [0.5, 0, -0.25], size: [4, 1, 0.5]}", 0),
          "hull": ("", "{type: hull, on: ground, points: [[-2, -1, -0.01], [3, -1, -0.01], [-2, 1, -0.01], [3, 1, -0.01], [0.3, 0.2, -1]], rounding: 0.01}", 0),
          "surface": ("meshes: {m: {type: patch, x: 4*u - 1.5, y: 2*v - 1, z: 0, divisions: [5, 3]}}\n", "{type: surface, on: ground, mesh: m, thickness: 0.04}", 0.02)}
ROUND = {"cylinder": ("{type: cylinder, on: c, axis: y, radius: 0.1, length: 0.2}", 2),
         "disc": ("{type: disc, on: c, axis: y, radius: 0.1, rounding: 0.01}", 1)}


def roll_on(scheme, kind, table, step):
    """Places, from the top of the table, and what is lost, of a cylinder or disc that begins to roll there, sunk in as far as it is carried."""
    k, (what, circles), (mesh, shape, top) = 1e6, ROUND[kind], TABLES[table]
    touching = 3 if (table, kind) == ("surface", "cylinder") else circles  # its core besides
    height = 0.1 - G/(circles*k)
    text = FALL + mesh + f"""bodies: {{c: {{mass: 1, inertia: [0.006, 0.005, 0.006], position: [0, 0, {top + height!r}], velocity: [1, 0, 0], angular_velocity: [0, {1/height!r}, 0]}}}}
shapes:
  C: {what}
  T: {shape}
contacts: {{r: {{between: [C, T], stiffness: {k*circles/touching!r}, friction: 0.5, grip: {0.8*k*circles/touching!r}}}}}
analysis: {{end: 1 s, step: {step} ms}}
"""
    out = audited("round_on_faces", text, scheme)
    return out.position("c") - [0, 0, top + height], out.frame["contact_loss"][-1, 0]


def round_on_faces(scheme):
    """A cylinder and a disc that roll on the face of a box, a hull and a surface: as on a plane, which meets their circles in another way, but for the error of the steps, which falls with their
    square. Their height stays to 1 % of what they sink in by; a prism of 24 sides would rumble by 1 % of its radius, 200 times that, and lose its speed."""
    for kind in ROUND:
        for table in TABLES:
            error = []
            for step in (5, 2.5):
                plane, (x, lost) = roll_on(scheme, kind, "plane", step)[0], roll_on(scheme, kind, table, step)
                error.append(np.abs(x - plane).max())
                check("round_on_faces", f"{scheme}, {kind} on {table}, height, {step} ms", x[:, 2], 1e-7)
                check("round_on_faces", f"{scheme}, {kind} on {table}, lost of 0.75 J, {step} ms", lost, 1e-7)
            check("round_on_faces", f"{scheme}, {kind} on {table}, as on a plane", error[0], 2e-4)
            if table != "plane":
                assert error[1] < 0.4*error[0], f"{scheme}, {kind} on {table}: order 2, but for vibrations of the contact; {error}"


def round_on_round(scheme):
    """A sphere and a capsule dropped on the side of a cylinder that lies on a line: they touch at the exact distance of both radii, whatever the angle."""
    for angle in (0.0, 0.13, 0.4):  # between corners of the prism that it was once
        gap = 1e-3
        d = 0.25 + 0.1 + gap
        for what in ("{type: sphere, on: s, radius: 0.1}", "{type: capsule, on: s, from: [X, -0.4, Z], to: [X, 0.3, Z], radius: 0.1}", "{type: cylinder, on: s, axis: y, radius: 0.1, length: 0.5}",
                     "{type: disc, on: s, axis: y, radius: 0.1, rounding: 0.02}"):
            px, pz = math.sin(angle), math.cos(angle)
            shape = what.replace("X", repr(d*px)).replace("Z", repr(d*pz))
            text = HEAD + f"""bodies: {{s: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: [{d*px!r}, 0, {d*pz!r}], velocity: [{-px!r}, 0, {-pz!r}]}}}}
shapes:
  S: {shape}
  C: {{type: cylinder, on: ground, at: [0, 0, 0], axis: y, radius: 0.25, length: 1}}
contacts: {{r: {{between: [S, C], stiffness: 1e6}}}}
events: {{touch: {{when: r.gap < 0, stop: true}}}}
analysis: {{end: 0.1 s, step: 0.1 ms}}
"""
            out = audited("round_on_round", text, scheme)
            check("round_on_round", f"{scheme}, {what[7:13]} touches after", out.t[-1] - gap, 1e-10, quiet=True)


def coin(scheme):
    """Steady rolling in a circle: with the axis at alpha from the vertical, precession W and spin s (linear in the balance of moments),
    W (Ja wa sin - Jt W sin cos) = -m [(Rc sin + r) W V + Rc g cos],  V = (W + s cos) Rc cos + s sin (Rc sin + r)."""
    m, R, r, alpha, W = 1.0, 0.1, 0.005, math.radians(70), 3.0
    Rc, Ja, Jt, c, s = R - r, 0.5*m*R*R, 0.25*m*R*R, math.cos(alpha), math.sin(alpha)
    # a + b spin = 0
    a = W*(Ja*W*c*s - Jt*W*s*c) + m*((Rc*s + r)*W*W*Rc*c + Rc*G*c)
    b = W*Ja*s + m*(Rc*s + r)*W*(Rc*c*c + s*(Rc*s + r))
    spin = -a/b
    V = (W + spin*c)*Rc*c + spin*s*(Rc*s + r)
    radius = -V/W
    sink = m*G/1e6
    omega = [spin*s, 0, W + spin*c]  # the axis leans along x
    text = FALL + f"""bodies:
  coin: {{mass: {m}, inertia: [{Jt}, {Jt}, {Ja}], position: [{radius!r}, 0, {Rc*s + r - sink!r}], orientation: {{axis: y, angle: {alpha!r}}}, velocity: [0, {-V!r}, 0],
         angular_velocity: [{omega[0]!r}, 0, {omega[2]!r}]}}
shapes:
  rim: {{type: disc, on: coin, axis: [{s!r}, 0, {c!r}], radius: {R}, rounding: {r}}}
{FLOOR}contacts: {{roll: {{between: [rim, floor], stiffness: 1e6, friction: 2, restitution: 0.5}}}}
analysis: {{end: 2 s, step: 1 ms}}
"""
    out = audited("coin", text, scheme)
    x = out.position("coin")
    check("coin", f"{scheme}, radius of its circle", np.hypot(x[:, 0], x[:, 1])/abs(radius) - 1, 2e-3, f"{abs(radius):.5f} m")
    check("coin", f"{scheme}, height", x[:, 2] - x[0, 2], 1e-4)
    turned = np.unwrap(np.arctan2(x[:, 1], x[:, 0]))
    check("coin", f"{scheme}, precession", (turned[-1] - turned[0])/2/W - 1, 1e-3)
    # dropped with a lean, it wobbles down
    flat = FALL + f"""bodies: {{coin: {{mass: 1, inertia: [0.0025, 0.0025, 0.005], position: [0, 0, 0.1], orientation: {{axis: y, angle: 0.4}}, angular_velocity: [0, 0, 2]}}}}
shapes:
  rim: {{type: disc, on: coin, axis: [0.389418, 0, 0.921061], radius: {R}, rounding: {r}}}
{FLOOR}contacts: {{roll: {{between: [rim, floor], stiffness: 1e5, friction: 0.3, restitution: 0.3}}}}
analysis: {{end: 3 s, step: 1 ms}}
"""
    out = audited("coin", flat, scheme)
    z = out.position("coin")[:, 2]
    assert z.min() > r - 1e-3 and z[-1] < 0.02, "it is nearly flat, and above the floor"


def wheel(scheme):
    """A wheel that rolls over the edge of a step climbs it if it is fast, and turns back if it is slow."""
    for speed, over in ((2.0, True), (0.3, False)):
        text = FALL + f"""bodies: {{w: {{mass: 1, inertia: [0.0025, 0.0025, 0.005], position: [-0.3, 0, {0.1 - G/1e6!r}], orientation: {{axis: x, angle: -90 deg}}, velocity: [{speed}, 0, 0], angular_velocity: [0, {10*speed}, 0]}}}}
shapes:
  rim: {{type: disc, on: w, axis: y, radius: 0.1, rounding: 0.01}}
  kerb: {{type: box, on: ground, at: [0.5, 0, -0.08], size: [1, 1, 0.2], rounding: 0.01}}
{FLOOR}joints: {{plane: {{type: planar, bodies: [w, ground], at: [-0.3, 0, 0.1], axis: y}}}}
contacts:
  road: {{between: [rim, floor], stiffness: 1e6, friction: 0.8, restitution: 0.2}}
  kerb_: {{between: [rim, kerb], stiffness: 1e5, friction: 0.8, restitution: 0.2}}
analysis: {{end: 0.4 s, step: 0.5 ms}}
"""
        out = audited("wheel", text, scheme)
        assert (out.position("w")[-1, 0] > 0) == over, (speed, out.position("w")[-1])


def bowl(scheme):
    """A ball that rolls in a socket: 2 pi sqrt(7 (R - r)/(5 g)) (1 + a^2/16), a the angle at its start."""
    R, r, a, k = 1.0, 0.1, 0.1, 1e6
    d, T = R - r + G/k, 2*math.pi*math.sqrt(7*(R - r)/(5*G))*(1 + a*a/16)
    text = FALL + f"""bodies: {{ball: {{mass: 1, inertia: [{0.4*r*r}, {0.4*r*r}, {0.4*r*r}], position: [{d*math.sin(a)!r}, 0, {-d*math.cos(a)!r}]}}}}
shapes:
  skin: {{type: sphere, on: ball, radius: {r}}}
  bowl: {{type: socket, on: ground, at: [0, 0, 0], radius: {R}}}
contacts: {{c: {{between: [skin, bowl], stiffness: {k}, friction: 0.5}}}}
analysis: {{end: 3 s, step: 2 ms}}
"""
    out = audited("bowl", text, scheme)
    t, x = out.t, out.position("ball")[:, 0]
    down = [t[i] - x[i]*(t[i + 1] - t[i])/(x[i + 1] - x[i]) for i in range(len(t) - 1) if x[i] > 0 >= x[i + 1]]
    check("bowl", f"{scheme}, period", (down[1] - down[0])/T - 1, 1e-4, f"{down[1] - down[0]:.6f} of {T:.6f} s")


CRANK = FALL + """bodies:
  crank:  {mass: 1, inertia: [0.001, 0.01, 0.01], position: [0.1, 0, 0], angular_velocity: [0, 10, 0], velocity: [0, 0, -1]}
  rod:    {mass: 0.5, inertia: [0.001, 0.01, 0.01], position: [0.4, 0, 0], angular_velocity: [0, -5, 0], velocity: [0, 0, -1]}
  slider: {mass: 1, inertia: [0.001, 0.001, 0.001], position: [0.6, 0, 0]}
joints:
  bearing: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: y}
  end:     {type: revolute, bodies: [rod, slider], at: [0.6, 0, 0], axis: y}
  guide:   {type: prismatic, bodies: [ground, slider], at: [0.6, 0, 0], axis: x}
shapes:
  pin:  {type: capsule, on: crank, from: [0.2, -0.01, 0], to: [0.2, 0.01, 0], radius: 9.5 mm}
  hole: {type: hole, on: rod, at: [0.2, 0, 0], axis: y, radius: 10 mm}
contacts: {clearance: {between: [pin, hole], stiffness: 1e7, restitution: 0.6, friction: 0.1}}
analysis: {end: 0.5 s, step: 0.1 ms}
"""

FREE_PIN = HEAD + """bodies:
  a: {mass: 1, inertia: [0.01, 0.02, 0.015], velocity: [0, 0, 1], angular_velocity: [0.5, 3, 0.2]}
  b: {mass: 2, inertia: [0.02, 0.02, 0.03], position: [0.3, 0, 0], velocity: [0, 0, -1], angular_velocity: [0, -2, 0.3]}
shapes:
  pin:  {type: cylinder, on: a, at: [0.15, 0, 0], axis: y, radius: 9 mm, length: 40 mm}
  hole: {type: hole, on: b, at: [0.15, 0, 0], axis: y, radius: 10 mm}
contacts: {clearance: {between: [pin, hole], stiffness: 1e6, friction: 0.2}}
analysis: {end: 0.2 s, step: 0.5 ms}
"""


def clearance(scheme):
    """A slider-crank whose pin has 0.5 mm of clearance: the audit closes, the pin stays in its hole. Free bodies on a pin keep their momenta."""
    out = audited("clearance", CRANK, scheme)
    assert out.frame["contact_depth"][:, 0].max() < 1e-3
    lost = out.frame["contact_loss"][-1, 0]
    assert lost[0] > 1e-3 and lost[1] > 1e-3, "impacts and friction take energy"
    out = audited("clearance", FREE_PIN, scheme)
    for name in ("linear", "angular"):
        p = out.frame[f"momentum_{name}"]
        check("clearance", f"{scheme}, {name} momentum", p - p[0], 2e-12, quiet=True)
    assert np.abs(out.velocity("a")[-1] - out.velocity("a")[0]).max() > 0.1


def masses():
    """Mass and inertia by a density, from closed forms."""
    forms = {"{type: sphere, on: a, radius: 0.2, density: 3}": (4/3*math.pi*0.008, [0.4*0.04]*3),
             "{type: box, on: a, size: [0.2, 0.3, 0.4], density: 3}": (0.024, [0.25/12, 0.2/12, 0.13/12]),
             "{type: cylinder, on: a, axis: z, radius: 0.2, length: 0.5, density: 3}": (math.pi*0.02, [0.01 + 0.25/12]*2 + [0.02]),
             "{type: disc, on: a, axis: z, radius: 0.2, rounding: 0.05, density: 3}": (math.pi*0.004, [0.01 + 0.01/12]*2 + [0.02]),
             "{type: hull, on: a, points: [[1, 1, 1], [-1, 1, 1], [1, -1, 1], [-1, -1, 1], [1, 1, -1], [-1, 1, -1], [1, -1, -1], [-1, -1, -1]], density: 3}": (8, [8/12]*3)}
    ball, tube = 4/3*math.pi*0.008, math.pi*0.04*0.6
    along = (tube*0.02 + ball*0.016)
    # half balls by the parallel axes of their centres, 3/8 r from the face
    across = tube*(0.01 + 0.03) + ball*(0.016 - (3/8*0.2)**2 + (0.3 + 3/8*0.2)**2)
    forms["{type: capsule, on: a, from: [0, 0, -0.3], to: [0, 0, 0.3], radius: 0.2, density: 3}"] = (ball + tube, [across/(ball + tube)]*2 + [along/(ball + tube)])
    for shape, (volume, square) in forms.items():
        for axis in range(3):
            # by the kinetic energy of a turn
            spin = [0, 0, 0]
            spin[axis] = 1
            text = HEAD + f"bodies: {{a: {{mass: 0, angular_velocity: {spin}}}}}\nshapes: {{s: {shape}}}\nanalysis: {{end: 0.01, step: 0.01}}\n"
            out = run(text, scheme="EP", case="masses", audit=AUDIT)
            check("masses", f"{shape}, {axis}", out.frame["ledger"][0, 0]/(1.5*volume*square[axis]) - 1, 1e-13, quiet=True)


GROUPS = FALL + """bodies:
  a1: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.2]}
  a2: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0.2]}
  b1: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.5]}
shapes:
""" + FLOOR + """  s_a1: {type: sphere, on: a1, radius: 0.1}
  s_a2: {type: sphere, on: a2, radius: 0.1}
  s_b1: {type: sphere, on: b1, radius: 0.1}
contacts:
  c: {between: [s_*, floor], stiffness: 1e5, except: [[s_a2, floor]]}
  d: {between: [[s_a1, s_a2], [s_b*]], stiffness: 1e5}
analysis: {end: 1 s, step: 1 ms}
"""


def groups():
    """Patterns and lists of shapes; one that is left out falls through the floor."""
    out = run(GROUPS, scheme="EP", case="groups", audit=AUDIT)
    check("groups", "left out", out.position("a2")[-1, 2] - 0.2 + 0.5*G, 1e-9)
    assert out.position("a1")[:, 2].min() > 0.08 and (out.position("b1")[:, 2] - out.position("a1")[:, 2]).min() > 0.18
    for old, new, said in (("[s_*, floor]", "[x_*, floor]", "none of the shapes matches"), ("[s_*, floor]", "[s_*]", "two groups"),
                           ("[[s_a1, s_a2], [s_b*]]", "[floor, floor]", "ever moves"), ("[[s_a1, s_a2], [s_b*]]", "[[s_a1], [s_a1]]", "ever moves")):
        with model_file(GROUPS.replace(old, new)) as path:
            told = torsor("check", path, code=2).stderr
            assert said in told and "yaml:" in told, (new, told)


OVERLAP = FALL + """bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, HEIGHT]}}
shapes:
""" + FLOOR + """  table: {type: box, on: ground, at: [0, 0, -0.1], size: [1, 1, 0.2], rounding: 0.04}
  box: {type: box, on: a, size: [0.2, 0.2, 0.2], rounding: 0.04}
contacts: {c: {between: [box, BELOW], stiffness: 1e5, MORE}}
analysis: {end: 0.1 s, step: 1 ms}
"""


def overlaps():
    """What overlaps as drawn is refused, shifted to rest, or accepted with what it stores: 4 k p^2/2 on the corners."""
    def text(height, below, more):
        return OVERLAP.replace("HEIGHT", str(height)).replace("BELOW", below).replace("MORE", more)
    for below in ("floor", "table"):
        with model_file(text(0.085, below, "friction: 0.1")) as path:
            told = torsor("check", path, code=2).stderr
            assert "overlap as drawn by 0.015 m" in told and "initial: shift" in told and "yaml:" in told, told
        with model_file(text(0.099, below, "friction: 0.1")) as path:
            assert "overlap by 0.001 m" in torsor("check", path).stdout + torsor("check", path).stderr
        out = run(text(0.085, below, "initial: accept"), scheme="EP", case="overlaps", audit=AUDIT)
        check("overlaps", f"stored on the {below}", out.frame["ledger"][0, 1] - 0.5*4e5*0.015**2, 1e-12)
        out = run(text(0.085, below, "initial: shift"), scheme="EP", case="overlaps", audit=AUDIT)
        z = out.position("a")[:, 2]
        check("overlaps", f"shifted on the {below}: largest move 2 m g/(4 k)", (0.085 - z).max() - 2*G/4e5, 1e-7)
    with model_file(text(0.02, "table", "initial: accept")) as path:
        assert "inside each other" in torsor("check", path, code=2).stderr


def inside_out():
    """A closed surface whose normals point inwards is told; as a box it is not, nor with a face left out."""
    corner = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    box = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)]
    text = FALL + "meshes: {m: {type: triangles, file: m.obj}}\nbodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0.5, 3]}}\n" \
        "shapes: {block: {type: surface, on: ground, mesh: m}, ball: {type: sphere, on: a, radius: 0.1}}\n" \
        "contacts: {c: {between: [ball, block], stiffness: 1e5}}\nanalysis: {end: 0.1 s, step: 1 ms}\n"
    for faces, told in ((box, False), ([f[::-1] for f in box], True), ([f[::-1] for f in box[1:]], False)):
        with model_file(text) as path:
            path.with_name("m.obj").write_text("".join("v %g %g %g\n" % c for c in corner)
                                               + "".join("f %d %d %d\n" % tuple(i + 1 for i in f) for f in faces))
            done = torsor("check", path)
            assert ("normals point inwards" in done.stdout + done.stderr) == told, (faces[0], done.stdout, done.stderr)


def mistakes():
    for shape, said in (("{type: disc, on: b, axis: z, radius: 0}", "above zero"),
                        ("{type: disc, on: b, axis: z, radius: 1, rounding: 1}", "below the radius"),
                        ("{type: cylinder, on: b, axis: z, radius: 1, length: -1}", "above zero"),
                        ("{type: cylinder, on: b, axis: z, radius: 1, length: 1, density: -1}", "density must be above zero"),
                        ("{type: sphere, on: ground, radius: 1, density: 1}", "has no effect"),
                        ("{type: hole, on: b, axis: y, radius: 0}", "above zero"),
                        ("{type: socket, on: b, radius: -1}", "above zero"),
                        ("{type: hull, on: b, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}", "4 points or more"),
                        ("{type: hull, on: b, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}", "in a plane"),
                        ("{type: hull, on: b, points: [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]}", "in a plane"),
                        ("{type: hull, on: b, points: [%s]}" % ", ".join(f"[{math.cos(k)*math.sin(k/60)!r}, {math.sin(k)*math.sin(k/60)!r}, {math.cos(k/60)!r}]" for k in range(188)), "more than 128 corners"),
                        ("{type: hull, on: b, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], rounding: 0}", "above zero")):
        text = HEAD + f"bodies: {{b: {{mass: 1, inertia: [1, 1, 1]}}}}\nshapes: {{s: {shape}}}\nanalysis: {{end: 1, step: 0.1}}\n"
        with model_file(text) as path:
            told = torsor("check", path, code=2).stderr
            assert said in told and "yaml:" in told, (shape, told)


def never():
    """Contacts whose shapes never touch: planes, surfaces and hollows have no points; a ball has no area; exceptions; bodies that a joint connects."""
    head = HEAD + """gravity: [0, 0, -9.81]
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.5]}
  b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1.5]}
meshes: {m: {type: patch, x: u, y: v, z: 0*u, divisions: [2, 2]}}
joints: {j: {type: spherical, bodies: [a, b], at: [0, 0, 1]}}
shapes:
  A: {type: sphere, on: a, radius: 0.1}
  B: {type: sphere, on: b, radius: 0.1}
  P: {type: plane, on: ground, normal: z}
  Q: {type: plane, on: b, normal: z}
  S: {type: surface, on: b, mesh: m, thickness: 1 cm}
  H: {type: hole, on: b, radius: 0.3, axis: z}
analysis: {end: 1, step: 0.1}
"""
    for contact in ("between: [P, Q]", "between: [S, P]", "between: [H, P]", "between: [A, B], except: [[A, B]]", "between: [A, B], area_stiffness: 1e6", "between: [A, P], length_stiffness: 1e6"):
        with model_file(head + f"contacts: {{c: {{{contact}}}}}\n") as path:
            told = torsor("check", path, code=2).stderr
            assert "no two of these shapes can ever touch" in told and f"yaml:{head.count(chr(10)) + 1}:" in told, (contact, told)
    rigid, detached = head.replace("spherical", "rigid"), "events: {off: {at: 0.5 s, detach: [j]}}\n"
    for contact, warned, head in (("among: [A, B]", True, head), ("between: [A, B]", False, head), ("among: [A, B, P]", False, head),
                                  ("between: [A, B]", True, rigid), ("between: [A, [B, P]]", False, rigid), ("between: [A, B]", False, rigid + detached)):
        with model_file(head + f"contacts: {{c: {{{contact}}}}}\n") as path:
            done = torsor("check", path)
            assert ("joints connect all" in done.stdout + done.stderr) == warned, (contact, done.stdout, done.stderr)


if __name__ == "__main__":
    need_program()
    for scheme in ("EP", "ED"):
        stack(scheme)
        crossed(scheme)
        tipping(scheme)
        collisions(scheme)
        tilting(scheme)
        rolling(scheme)
        round_on_faces(scheme)
        round_on_round(scheme)
        coin(scheme)
        wheel(scheme)
        bowl(scheme)
        clearance(scheme)
    masses()
    groups()
    overlaps()
    inside_out()
    mistakes()
    never()
    sys.exit(verdict())
