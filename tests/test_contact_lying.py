# SPDX-License-Identifier: Apache-2.0
"""Contact along lines: rods beside each other, end to end and across each other, a pile of logs, a chain of rods that
falls into a heap; a coin that lies flat on a plate; boxes, hulls and rods on surfaces and on rubber."""
import math
import sys

from case_tools import check, need_program, np, run, verdict

from program import QUICK

G = 9.81
AUDIT = 1e-11
HEAD = "torsor: 1\nunits: SI\n"
FALL = HEAD + f"gravity: [0, 0, -{G}]\n"
FLOOR = "  floor: {type: plane, on: ground, normal: z}\n"


def audited(case, text, scheme, **options):
    return run(text, scheme=scheme, case=case, audit=AUDIT, **options)


def rods(scheme):
    """A rod strikes one of the ground: with the stiffness k of the contact where they cross and end to end, with 2 k where all four ends lie side by side; across at a small angle with
    (1 - cos^256) k. The largest force is v sqrt(k m), the depth v sqrt(m/k)."""
    m, k, v, small = 2.0, 1e5, 0.1, math.radians(7)
    for name, ends, toward, share in (("across", "[0, -0.5, 0.21], to: [0, 0.5, 0.21]", "[0, 0, -0.1]", 1),
                                      ("side by side", "[-0.5, 0, 0.21], to: [0.5, 0, 0.21]", "[0, 0, -0.1]", 2),
                                      ("end to end", "[0.71, 0, 0], to: [1.71, 0, 0]", "[-0.1, 0, 0]", 1),
                                      ("end on side", "[0, 0, 0.21], to: [0, 0, 1.21]", "[0, 0, -0.1]", 1),
                                      ("at 7 degrees", f"[{-0.5*math.cos(small)!r}, {-0.5*math.sin(small)!r}, 0.21], to: [{0.5*math.cos(small)!r}, {0.5*math.sin(small)!r}, 0.21]", "[0, 0, -0.1]",
                                       1 - math.cos(small)**256)):
        centre = "[1.21, 0, 0]" if name == "end to end" else "[0, 0, 0.71]" if name == "end on side" else "[0, 0, 0.21]"
        text = HEAD + f"""bodies: {{rod: {{mass: {m}, inertia: [0.02, 0.2, 0.2], position: {centre}, velocity: {toward}}}}}
shapes:
  a: {{type: capsule, on: rod, from: {ends}, radius: 0.1}}
  b: {{type: capsule, on: ground, from: [-0.5, 0, 0], to: [0.5, 0, 0], radius: 0.1}}
contacts: {{c: {{between: [a, b], stiffness: {k}}}}}
analysis: {{step: 0.1 ms, end: 0.16 s}}
"""
        out = audited("rods", text, scheme)
        gap = (out.position("rod")[:, 2 if toward[-2] != "0" else 0] - (1.2 if name == "end to end" else 0.7 if name == "end on side" else 0.2)).min()
        check("rods", f"{scheme}, depth, {name}", gap/(-v*math.sqrt(m/(share*k))) - 1, 1e-3)
        check("rods", f"{scheme}, it does not turn, {name}", out.omega("rod"), 5e-3 if share < 1 else 1e-10)


def logs(scheme):
    """Three logs: the one on top wedges the others apart until friction holds them, and rests. The floor carries them all."""
    text = FALL + "bodies:\n" + "".join(f"  {n}: {{mass: 10, inertia: [0.05, 0.9, 0.9], position: {p}}}\n" for n, p in (("a", "[0, -0.102, 0.1]"), ("b", "[0, 0.102, 0.1]"), ("c", "[0.03, 0, 0.3]")))
    text += "shapes:\n" + FLOOR + "".join(f"  s{n}: {{type: capsule, on: {n}, from: [{x - 0.5}, {y}, {z}], to: [{x + 0.5}, {y}, {z}], radius: 0.1}}\n"
                                          for n, x, y, z in (("a", 0, -0.102, 0.1), ("b", 0, 0.102, 0.1), ("c", 0.03, 0, 0.3)))
    text += "contacts: {all: {among: [s*, floor], friction: 0.6, restitution: 0.2, stiffness: 1e6}}\nanalysis: {step: 1 ms, end: 2 s}\n"
    out = audited("logs", text, scheme)
    half = len(out.t)//2
    for n in "abc":
        check("logs", f"{scheme}, moves in the second half", out.position(n)[half:] - out.position(n)[-1], 1e-8, quiet=n != "c")
        check("logs", f"{scheme}, stays level", out.rotation(n)[-1] @ [1, 0, 0] - [1, 0, 0], 1e-4, quiet=n != "c")
    y, z = (out.position("c") - out.position("a"))[-1, 1:]
    check("logs", f"{scheme}, as far apart as their radii", math.hypot(y, z) - 0.2, 1e-4)


def heap(scheme):
    """A chain of rods on ball joints falls on the floor and folds: rods lie on rods at any angle, also parallel ones in one plane. It reaches the end."""
    N, L, r, lean = 12 if QUICK else 24, 0.05, 0.01, 0.15
    text, shapes, joints = FALL + "bodies:\n", "shapes:\n" + FLOOR, "joints:\n"
    for i in range(N):
        turn = lean if i % 2 else -lean
        x, z = (0 if i % 2 == 0 else -L*math.sin(lean)), r + 0.001 + i*L*math.cos(lean)
        u, w = x + L*math.sin(turn), z + L*math.cos(lean)
        text += f"  l{i}: {{mass: 0.05, inertia: [1.2e-5, 1.2e-5, 2e-6], position: [{(x + u)/2!r}, 0, {(z + w)/2!r}]}}\n"
        shapes += f"  s{i}: {{type: capsule, on: l{i}, from: [{x!r}, 0, {z!r}], to: [{u!r}, 0, {w!r}], radius: {r}}}\n"
        joints += f"  j{i}: {{type: spherical, bodies: [l{i - 1}, l{i}], at: [{x!r}, 0, {z!r}]}}\n" if i else ""
    text += joints + shapes + "contacts: {c: {among: ['s*', floor], restitution: 0.1, friction: 0.3, stiffness: 1e5}}\nanalysis: {step: 1 ms, end: 0.6 s}\n"
    out = audited("heap", text, scheme)
    top = out.position(f"l{N - 1}")[:, 2]
    check("heap", f"{scheme}, it has come down", max(0, top[-1] - 0.35*top[0]), 0)
    check("heap", f"{scheme}, nothing is below the floor", max(0, -min(out.position(f"l{i}")[:, 2].min() for i in range(N))), 0)


def coins(scheme):
    """A coin drawn flat above a plate, its axis along the axis of the plate to the last digit, falls and lies: normals of its pairs are those of the plate."""
    text = FALL + """bodies: {coin: {mass: 0.1, inertia: [1e-4, 1e-4, 2e-4], position: [0.02, 0.01, 0.0055]}}
shapes:
  coin_s: {type: disc, on: coin, axis: z, radius: 0.05, rounding: 0.005}
  plate: {type: box, on: ground, at: [0, 0, -0.05], size: [0.4, 0.4, 0.1]}
contacts: {c: {between: [coin_s, plate], friction: 0.5, restitution: 0.2, stiffness: 1e5}}
analysis: {step: 1 ms, end: 0.5 s}
"""
    out = audited("coins", text, scheme)
    check("coins", f"{scheme}, lies at", out.position("coin")[-1] - [0.02, 0.01, 0.005], 1.5e-4)  # its faces are domes of 0.3 % of its radius
    check("coins", f"{scheme}, carried by", out.frame["contact_force"][-1, 0, 0]/(0.1*G) - 1, 1e-6)


FLAT = "meshes:\n  flat: {type: patch, x: 4*u - 2, y: 4*v - 2, z: 0, divisions: [9, 9]}\n"
CORES = {"box": "{type: box, on: a, size: [0.3, 0.2, 0.1], at: [0, 0.1, 0.06], rounding: 5 mm}", "capsule": "{type: capsule, on: a, from: [-0.3, 0.1, 0.12], to: [0.4, 0.2, 0.12], radius: 0.1}",
         "hull": "{type: hull, on: a, points: [[-0.05, 0.1, 0.05], [0.15, 0.1, 0.05], [-0.05, 0.3, 0.05], [0, 0.15, 0.3]], rounding: 5 mm}"}


def on_flat_mesh(scheme):
    """What has corners falls on a flat mesh, slides over its edges and comes to rest as on a plane: only its corners touch."""
    for name, shape in CORES.items():
        text = FALL + f"bodies: {{a: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0.1, 0.1], velocity: [0.5, 0, 0]}}}}\n{FLAT}shapes:\n  s: {shape}\n  floor: GROUND\n"
        text += "contacts: {c: {between: [s, floor], friction: 0.4, restitution: 0.2, stiffness: 1e5}}\nanalysis: {step: 1 ms, end: 0.6 s}\n"
        mesh = audited("on_flat_mesh", text.replace("GROUND", "{type: surface, on: ground, mesh: flat}"), scheme)
        plane = audited("on_flat_mesh", text.replace(FLAT, "").replace("GROUND", "{type: plane, on: ground, normal: z}"), scheme)
        # impacts, and what is cut into steps there, make up the difference
        check("on_flat_mesh", f"{scheme}, {name}, as on a plane", mesh.position("a") - plane.position("a"), 1e-5 if name == "box" else 1e-3)
        if name == "box":
            check("on_flat_mesh", f"{scheme}, {name}, carried by", mesh.frame["contact_force"][-1, 0, 0]/G - 1, 1e-6)


ROOF = "meshes:\n  roof: {type: patch, x: 2*u - 1, y: 2*v - 1, z: Z, divisions: [4, 4]}\n"


def on_ridges(scheme):
    """A box falls with a face on the top of a pyramid, and with an edge across a ridge; a capsule falls across a ridge; each has one gap. The depth is v sqrt(m/k)."""
    m, k, v = 2.0, 1e5, 0.1
    box = "{type: box, on: a, size: [0.9, 0.9, 0.2], rounding: 1 cm, at: [0, 0, %r]%s}"
    edge = 0.01 + (0.1 - 0.01)*math.sqrt(2)
    for name, height, shape, z in (("face on a top", "1 - abs(2*u - 1) - abs(2*v - 1)", box % (0.111, ""), 0.111), ("edge on a ridge", "-abs(2*u - 1)", "", 0), ("rod on a ridge", "-abs(2*u - 1)", "", 0)):
        if name == "edge on a ridge":
            shape, z = "{type: box, on: a, size: [0.9, 0.2, 0.2], rounding: 1 cm, at: [0, 0.1, %r], axes: {axis: x, angle: 45 deg}}" % (edge + 0.011), edge + 0.011
        if name == "rod on a ridge":
            shape, z = "{type: capsule, on: a, from: [-0.4, 0.1, 0.111], to: [0.4, 0.1, 0.111], radius: 0.1}", 0.111
        top = 1.0 if name == "face on a top" else 0.0
        y = 0.0 if name == "face on a top" else 0.1
        shape = shape.replace(repr(z), repr(z + top))
        text = HEAD + f"bodies: {{a: {{mass: {m}, inertia: [0.02, 0.2, 0.2], position: [0, {y}, {z + top!r}], velocity: [0, 0, {-v}]}}}}\n" + ROOF.replace("Z", height)
        text += f"shapes:\n  s: {shape}\n  floor: {{type: surface, on: ground, mesh: roof}}\ncontacts: {{c: {{between: [s, floor], stiffness: {k}}}}}\nanalysis: {{step: 0.1 ms, end: 0.2 s}}\n"
        out = audited("on_ridges", text, scheme)
        touch = top + (edge if name == "edge on a ridge" else 0.1)
        check("on_ridges", f"{scheme}, {name}, depth", (out.position("a")[:, 2].min() - touch)/(-v*math.sqrt(m/k)) - 1, 1e-3)
        check("on_ridges", f"{scheme}, {name}, comes back", out.velocity("a")[-1] - [0, 0, v], 1e-8)


def meshes_in_flight(scheme):
    """A free body with a surface, which is hit by a box, a hull and a rod: momenta."""
    for name, shape in (("box", "{type: box, on: a, size: [0.4, 0.3, 0.3]}"), ("capsule", "{type: capsule, on: a, from: [-0.2, 0, 0], to: [0.2, 0.1, 0], radius: 0.1}"),
                        ("hull", "{type: hull, on: a, points: [[-0.1, -0.1, -0.1], [0.2, -0.1, -0.1], [0, 0.2, -0.1], [0, 0, 0.15]], rounding: 0.02}")):
        for step in ("1 ms", "7 ms"):
            text = HEAD + f"""bodies:
  a: {{mass: 1, inertia: [0.02, 0.03, 0.025], velocity: [0, 0, 1], orientation: {{axis: [1, 0, 0], angle: 0.7854}}, angular_velocity: [0.3, 0.2, -0.4]}}
  b: {{mass: 2, inertia: [0.03, 0.04, 0.05], position: [0.02, 0.01, 0.6], velocity: [0, 0, -1], angular_velocity: [0.1, -0.2, 0.4]}}
meshes:
  dish: {{type: patch, x: u - 0.5, y: 0.5 - v, z: 0.6 - 0.2*(u - 0.5)^2 + 0.3*(v - 0.5)^2, divisions: [5, 4]}}
shapes:
  A: {shape}
  B: {{type: surface, on: b, mesh: dish, thickness: 2 cm}}
contacts: {{c: {{between: [A, B], stiffness: 1e5, friction: 0.3, restitution: 0.7, unresolved: keep}}}}
analysis: {{end: 0.4 s, step: {step}}}
"""
            out = audited("meshes_in_flight", text, scheme)
            for of in ("linear", "angular"):
                p = out.frame[f"momentum_{of}"]
                check("meshes_in_flight", f"{scheme}, {name}, {of} momentum", p - p[0], 2e-12, quiet=True)
            check("meshes_in_flight", f"{scheme}, {name}, they have met", 0 if abs(out.velocity("a")[-1, 2] - 1) > 0.1 else 1, 0, quiet=True)


RUBBER = """materials: {rubber: {E: 1e6, nu: 0.3, density: 1000}}
meshes: {m: {type: box, from: [-0.1, -0.1, 0.001], to: [0.1, 0.1, 0.101], divisions: [3, 3, 2]}}
solids: {block: {mesh: m, material: rubber}}
"""


def rubber_on_box(scheme):
    """A block of rubber lies flat on a box: its nodes carry its weight. A box lies on the block."""
    for name, box, at, weight in (("block on a box", "on: ground, at: [0, 0, -0.1], size: [1, 1, 0.2]", "", 4*G), ("box on the block", "on: lid, size: [0.1, 0.1, 0.1]", "[0.013, 0.007, 0.16]", G)):
        text = FALL + RUBBER + (f"bodies: {{lid: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: {at}}}}}\n" if at else "")
        text += f"shapes:\n  skin: {{type: skin, faces: block}}\n  lid_s: {{type: box, {box}, rounding: 5 mm}}\n  floor: {{type: plane, on: ground, at: [0, 0, -0.006], normal: z}}\ncontacts:\n"
        text += "  c: {between: [skin, lid_s], friction: 0.5, restitution: 0.3, stiffness: 1e5, initial: shift}\n"
        text += "  d: {between: [skin, floor], friction: 0.5, restitution: 0.3, stiffness: 1e5, initial: shift}\n" if at else ""
        text += f"analysis: {{step: 2 ms, end: {0.2 if QUICK else 0.5} s}}\n"
        out = audited("rubber_on_box", text, scheme)
        impulse, due = np.sum(out.frame["contact_force"][1:, 0, 0]*np.diff(out.t)), weight*out.t[-1]
        # normals on the block are not quite upright, and friction carries some of it
        p = out.velocity("lid")[-1, 2] if at else out.frame["momentum_linear"][-1, 2]
        check("rubber_on_box", f"{scheme}, {name}, impulse of what carries it", (impulse - due - p)/due, 6e-2 if at else 1e-6)


def rubber_in_flight(scheme):
    """A box and a rod strike a free block of rubber on its edges: momenta."""
    for name, shape in (("box", "{type: box, on: a, size: [0.1, 0.1, 0.1]}"), ("rod", "{type: capsule, on: a, from: [-0.1, -0.05, 0.22], to: [0.1, 0.1, 0.2], radius: 0.03}")):
        text = HEAD + RUBBER + f"""bodies: {{a: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.09, 0.02, 0.19], velocity: [0, 0, -2], orientation: {{axis: [1, 2, 0.3], angle: 0.6}}}}}}
shapes:
  skin: {{type: skin, faces: block}}
  s: {shape}
contacts: {{c: {{between: [skin, s], friction: 0.4, restitution: 0.6, stiffness: 2e4, unresolved: keep}}}}
analysis: {{step: 2 ms, end: 0.12 s}}
"""
        out = audited("rubber_in_flight", text, scheme)
        for of in ("linear", "angular"):
            p = out.frame[f"momentum_{of}"]
            check("rubber_in_flight", f"{scheme}, {name}, {of} momentum", p - p[0], 2e-12)
        check("rubber_in_flight", f"{scheme}, {name}, they have met", 0 if abs(out.velocity("a")[-1, 2] + 2) > 0.1 else 1, 0)


if __name__ == "__main__":
    need_program()
    for scheme in ("EP", "ED"):
        rods(scheme)
        logs(scheme)
        heap(scheme)
        coins(scheme)
        on_flat_mesh(scheme)
        on_ridges(scheme)
        meshes_in_flight(scheme)
        rubber_on_box(scheme)
        rubber_in_flight(scheme)
    sys.exit(verdict())
