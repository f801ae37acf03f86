#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Contact of surfaces, solids, shells, beams and cables against closed forms: a ball in a faceted bowl and over flat triangles; a ball on a free shell; crossing
beams; the impact of a bar; a rope on a drum; a beam that touches itself; a bump from files; a block pressed in statics. With their audits and momenta."""
import base64
import math
import struct
import sys

from case_tools import check, h5py, need_program, np, run, verdict

from program import model_file, torsor, touching

G = 9.81
AUDIT = 1e-11

BOWL = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0.5, 0.1, 0.5], velocity: [0, 1, 0]}}
meshes: {m: {type: patch, x: 2*u - 1, y: 2*v - 1, z: (2*u - 1)^2 + (2*v - 1)^2, divisions: [12, 12]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.1}
  bowl: {type: surface, on: ground, mesh: m}
contacts: {c: {between: [skin, bowl], stiffness: 1e5, friction: MU}}
analysis: {end: 3 s, step: STEP}
"""

ROLL = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
meshes: {m: {type: plate, size: [2, 1], divisions: [17, 9]}}
bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0.2, 0.3, 0.1 - 9.81e-5], velocity: [2, 0.3, 0]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.1}
  table: {type: surface, on: ground, mesh: m}
contacts: {rub: {between: [skin, table], stiffness: 1e5, friction: 0.2}}
analysis: {end: 0.5 s, step: 2 ms}
"""

BUMP = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
meshes: {m: MESH}
bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0.1, 0.47, 0.1], velocity: [1.2, 0, 0]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.1}
  earth: {type: surface, on: ground, mesh: m}
contacts: {rub: {between: [skin, earth], stiffness: 1e5, restitution: 0.5}}
analysis: {end: 0.5 s, step: 2 ms}
"""

BULLET = """torsor: 1
units: SI
meshes: {m: {type: plate, size: [1, 1], divisions: [3, 3]}}
bodies: {ball: {mass: 0.01, inertia: [1e-7, 1e-7, 1e-7], position: [0.41, 0.33, 0.5], velocity: [0.1, 0, SPEED]}}
shapes:
  skin: {type: sphere, on: ball, radius: 5 mm}
  sheet: {type: surface, on: ground, mesh: m}
contacts: {hit: {between: [skin, sheet], stiffness: 1e6}}
analysis: {step: STEP, end: 0.1 s}
"""

PRESS = """torsor: 1
units: SI
materials: {M: {E: 1 MPa, nu: 0, density: 1000}}
meshes: {q: {type: box, size: [0.2, 0.2, 0.1], divisions: [2, 2, 2], order: ORDER}}
solids: {W: {mesh: q, material: M}}
bodies: {ram: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
shapes:
  s: {type: skin, faces: W.z-, thickness: 0}
  plate: {type: plane, on: ram, normal: z}
joints: {top: {type: support, nodes: W.z+}, guide: {type: prismatic, bodies: [ground, ram], at: [0, 0, 0], axis: z}}
springs: {soft: {bodies: [ground, ram], from: [0, 0, -1], to: [0, 0, 0], stiffness: 1000}}
loads: {F: {type: force, body: ram, force: [0, 0, 2*t]}}
contacts: {c: {between: [s, plate], area_stiffness: 1e7}}
analysis: {type: static, end: 1 s, increments: 3}
"""

NET = """torsor: 1
units: SI
materials: {M: {E: 2 MPa, nu: 0.3, density: 1000}}
shell_sections: {T: {type: shell, material: M, thickness: 0.02}}
meshes: {q: {type: plate, size: [1, 1], divisions: [3, 3]}}
shells: {H: {mesh: q, section: T, velocity: [0, 0, 0.5]}}
bodies: {ball: {mass: 3, inertia: [0.02, 0.02, 0.02], position: [0.45, 0.4, 0.3], velocity: [0.4, 0.2, -2], angular_velocity: [1, 4, 2]}}
shapes:
  ball_skin: {type: sphere, on: ball, radius: 0.15}
  net: {type: skin, faces: H, thickness: 0.02}
contacts: {c: {between: [ball_skin, net], stiffness: 2e4, friction: 0.3}}
analysis: {end: 0.3 s, step: STEP}
"""

BLOCKS = """torsor: 1
units: SI
materials: {M: {E: 1 MPa, nu: 0.3, density: 1000}}
meshes:
  p: {type: box, size: [0.2, 0.2, 0.2], divisions: [2, 2, 2]}
  q: {type: box, size: [0.2, 0.2, 0.2], divisions: [2, 2, 2], position: [0.25, 0.05, 0.03], rotation: {axis: [1, 1, 0], angle: 20 deg}}
solids:
  P: {mesh: p, material: M, velocity: [1, 0, 0]}
  Q: {mesh: q, material: M, velocity: [-1, 0, 0.2]}
shapes:
  a: {type: skin, faces: P}
  b: {type: skin, faces: Q}
contacts: {c: {between: [a, b], area_stiffness: 1e8}}
analysis: {end: 0.1 s, step: 1 ms}
"""

SHEET = """torsor: 1
units: SI
materials: {M: {E: 1 MPa, nu: 0.3, density: 1000}}
shell_sections: {T: {type: shell, material: M, thickness: 0.02}}
meshes:
  p: {type: box, size: [0.2, 0.2, 0.2], divisions: [2, 2, 2]}
  q: {type: plate, size: [0.5, 0.5], divisions: [4, 4], position: [-0.1, -0.1, 0.24]}
solids: {P: {mesh: p, material: M, velocity: [1, 0.5, 1]}}
shells: {H: {mesh: q, section: T, velocity: [0, 0, -0.5]}}
shapes:
  a: {type: skin, faces: P}
  b: {type: skin, faces: H, thickness: 0.02}
contacts: {c: {between: [a, b], area_stiffness: 1e7, friction: 0.4}}
analysis: {end: 0.1 s, step: 2 ms}
"""

CROSS = """torsor: 1
units: SI
sections: {S: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 20, EI2: 20, EI3: 20, mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}
beams:
  a: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: 6, order: 1, axis2: y, velocity: [0, 0, 1]}
  b: {from: [0.6, -0.4, 0.2], to: [0.55, 0.6, 0.2], section: S, elements: 3, order: 2, axis2: z, velocity: [0, 0, -1.5]}
shapes:
  A: {type: line, beam: a, radius: 0.03}
  B: {type: line, beam: b, radius: 0.03}
contacts: {c: {between: [A, B], stiffness: 2e3}}
analysis: {end: 0.3 s, step: STEP}
"""

BAR = """torsor: 1
units: SI
materials: {M: {E: 1e7, nu: 0, density: 1000}}
meshes: {q: {type: box, size: [0.1, 0.1, 1], divisions: [1, 1, N], position: [0, 0, 0.001]}}
solids: {W: {mesh: q, material: M, velocity: [0, 0, -1]}}
shapes:
  s: {type: skin, faces: W.z-, thickness: 0}
  floor: {type: plane, on: ground, normal: z}
contacts: {c: {between: [s, floor], area_stiffness: 1e8}}
analysis: {end: 0.03 s, step: 0.1 ms}
"""

CAPSTAN = """torsor: 1
units: SI
parameters: {R: 0.21}
bodies:
  drum: {mass: 10, inertia: [1, 1, 1]}
  load: {mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], position: [-R, 0, -0.3]}
sections: {S: {EA: 2e4, GA2: 1e4, GA3: 1e4, GJ: 0.002, EI2: 0.002, EI3: 0.002, mass: 0.1, inertia: [1e-5, 1e-5, 1e-5]}}
beams: {wrap: {from: [R, 0, 0], through: [0, 0, R], to: [-R, 0, 0], section: S, elements: N, order: 1, axis2: y}}
joints: {axle: {type: revolute, bodies: [ground, drum], at: [0, 0, 0], axis: y}}
motions: {turn: {joint: axle, angle: -0.5*t}}
springs:
  anchor: {bodies: [ground, wrap.start], from: [R, 0, -1], to: [R, 0, 0], stiffness: 2e3, damping: 20, free_length: 0.99}
  hang: {bodies: [wrap.end, load], from: [-R, 0, 0], to: [-R, 0, -0.3], stiffness: 5e3, damping: 20, free_length: 0.298}
loads: {T: {type: force, body: load, force: [0, 0, -10]}}
shapes:
  D: {type: capsule, on: drum, from: [0, -1, 0], to: [0, 1, 0], radius: 0.2}
  L: {type: line, beam: wrap, radius: 0.01}
contacts: {c: {between: [L, D], length_stiffness: 4e5, friction: 0.3, restitution: 0.1}}
analysis: {scheme: ED, end: 0.8 s, step: 1 ms}
"""

# the ends of a bow thrown at each other
LOOP = """torsor: 1
units: SI
sections: {S: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 5, EI2: 5, EI3: 5, mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}
beams: {a: {from: [0.05, 0, 0.3], through: [-0.5, 0, 0], to: [0.05, 0, -0.3], section: S, elements: 8, order: 1, axis2: y}}
loads:
  up: {type: force, body: a.end, force: [0, 0, 20]}
  down: {type: force, body: a.start, force: [0, 0, -20]}
shapes: {A: {type: line, beam: a, radius: 0.03, self: SELF}}
contacts: {c: {among: [A], stiffness: 5e3}}
analysis: {end: 0.5 s, step: 2 ms}
"""


# a ball falls on the middle node of a free beam, which bends into a valley: both segments are as near
VALLEY = """torsor: 1
units: SI
sections: {S: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 20, EI2: 20, EI3: 20, mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}
beams: {a: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: ELEMENTS, order: ORDER, axis2: y}}
bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0.5, 0.001, 0.15], velocity: [0, 0, -2]}}
shapes:
  A: {type: line, beam: a, radius: 0.03}
  B: {type: sphere, on: ball, radius: 0.1}
contacts: {c: {between: [A, B], stiffness: 2e4}}
analysis: {end: 18 ms, step: 1 ms}
"""


def audited(case, text, scheme, **options):
    return run(text, scheme=scheme, case=case, audit=AUDIT, **options)


def momenta(case, out, tolerance=5e-12):
    linear, angular = out.frame["momentum_linear"], out.frame["momentum_angular"]
    check(case, "linear momentum", np.abs(linear - linear[0]).max(), tolerance, quiet=True)
    check(case, "angular momentum", np.abs(angular - angular[0]).max(), tolerance, quiet=True)


def bowl(scheme):
    """A ball in a bowl of triangles, every step another one: energy is kept, with friction the ledger."""
    for step in ("50 ms", "10 ms"):
        for friction in (0, 0.2):
            out = audited("bowl", BOWL.replace("STEP", step).replace("MU", str(friction)), scheme)
            x = out.position("ball")
            assert np.abs(x[:, :2]).max() < 1 and x[:, 2].min() > 0, "it stays in the bowl"


def rolls(scheme):
    """Over flat triangles as over a plane: v = v0 (d^2/J)/(1/m + d^2/J), d from the middle to where it touches."""
    out = audited("flat", ROLL, scheme)
    d = 0.1 - 9.81e-5
    share = (d*d/0.004)/(1 + d*d/0.004)
    v = out.velocity("ball")[-1]
    check("flat", f"{scheme}, speed of rolling", max(abs(v[0] - 2*share), abs(v[1] - 0.3*share)), 1e-7)
    check("flat", f"{scheme}, no bumps at edges", np.abs(out.position("ball")[:, 2] - d).max(), 1e-9)


def free(scheme):
    """A ball on a free shell, two solids, two crossing beams: both momenta are kept."""
    for step in ("10 ms", "2 ms"):
        out = audited("net", NET.replace("STEP", step), scheme)
        momenta("net", out)
        assert out.velocity("ball")[-1, 2] > -1.5, "it has met the net"
        out = audited("cross", CROSS.replace("STEP", step), scheme)
        momenta("cross", out)
        assert out.frame["contact_force"][:].max() > 1, "they have met"
    out = audited("blocks", BLOCKS, scheme)
    momenta("blocks", out)
    assert out.frame["contact_force"][:].max() > 1, "they have met"


def valleys(scheme):
    """One segment takes over from another that is as near within TS_NEARER: the gap goes on where it was, and the audit stays closed."""
    for order, elements in ((1, 4), (2, 4), (3, 2))[:3 if scheme == "EP" else 2]:
        out = audited("valley", VALLEY.replace("ORDER", str(order)).replace("ELEMENTS", str(elements)), scheme)
        momenta("valley", out)
        assert out.frame["contact_force"][:].max() > 100, "they have met"


def rubs(scheme):
    """Two beams, two solids, a shell and a solid that are free and rub: the couple of friction between two surfaces is taken by the second, so that both momenta are kept."""
    for name, text in (("beams that rub", CROSS.replace("STEP", "4 ms").replace("stiffness: 2e3", "stiffness: 2e3, friction: 0.5").replace("[0, 0, 1]", "[0.8, 0.5, 1]")),
                       ("solids that rub", BLOCKS.replace("1e8", "1e8, friction: 0.5").replace("[-1, 0, 0.2]", "[-1, -2, 0.2]")),
                       ("shell on solid", SHEET)):
        out = audited(name, text, scheme)
        momenta(name, out, 1e-11)
        force = out.frame["contact_force"][:, 0]
        assert force[:, 0].max() > 1 and force[:, 1].max() > 0.1*force[:, 0].max(), "they have met and rubbed"


def bar():
    """A bar of length L meets a wall of stiffness k per area. By d'Alembert the end goes in by p, p' = v - q p - 2 q p(t - 2 L/c), q = k/(rho c): it leaves after
    2 L/c + y/q with (2 y + 2) exp(-y) = 1, and the impulse is rho c v A [2 L/c + (2 - 2 exp(-y) - y)/q]. Finer meshes come nearer."""
    y, q, wave, errors = 1.67835, 1e8/1e5, 0.02, []
    impulse = 1000*(wave + (2 - 2*math.exp(-y) - y)/q)
    for n in (5, 10, 20):
        out = audited("bar", BAR.replace("N]", f"{n}]"), "EP")
        force = out.frame["contact_force"].reshape(len(out.t), -1)[:, 0]
        on = np.where(force > 0)[0]
        errors.append((abs((out.t[on[-1]] - out.t[on[0]])/(wave + y/q) - 1), abs(force.sum()*1e-4/impulse - 1)))
    check("bar", "time of contact", errors[-1][0], 0.03)
    check("bar", "impulse", errors[-1][1], 0.002)
    assert all(coarse > fine for i in (0, 1) for coarse, fine in zip(errors[i], errors[i + 1])), errors


def capstan():
    """A rope over half a turn of a drum that slips: T2/T1 = exp(mu pi). Chords instead of arcs: errors of second order."""
    errors = []
    for n in (12, 24):
        out = audited("capstan", CAPSTAN.replace("elements: N", f"elements: {n}"), "ED")
        pull = out.frame["spring"][-200:, :, 2].mean(axis=0)
        pull = pull[pull != 0]
        errors.append(pull[0]/pull[1]/math.exp(0.3*math.pi) - 1)
        check("capstan", f"{n} elements, ratio of pulls", errors[-1], 0.02 if n == 12 else 0.005)
    assert abs(errors[1]) < 0.4*abs(errors[0]), errors


def bullets(scheme):
    """Fast balls at steps of many diameters do not go through a sheet of triangles; one that the sheet cannot hold is refused."""
    for step in ("20 ms", "5 ms", "1 ms"):
        out = audited("bullets", BULLET.replace("STEP", step).replace("SPEED", "-20"), scheme)
        assert out.position("ball")[:, 2].min() > 0 and out.velocity("ball")[-1, 2] > 0, "it comes back"
    with model_file(BULLET.replace("STEP", "5 ms").replace("SPEED", "-200")) as path:
        assert "no convergence" in torsor("run", path, "--scheme", scheme, "-o", path.with_name("o.h5"), code=4).stderr


def restarts(scheme):
    """A run that is cut while nodes and triangles touch and rub ends in the same state, to the last bit."""
    for text, frame in ((NET.replace("STEP", "4 ms"), 18), (ROLL, 77), (CROSS.replace("STEP", "4 ms").replace("stiffness: 2e3", "stiffness: 2e3, friction: 0.3"), 20)):
        with model_file(text) as path:
            whole, rest = path.with_name("whole.h5"), path.with_name("rest.h5")
            torsor("run", path, "-q", "-o", whole, "--scheme", scheme, "--every", 1)
            torsor("restart", whole, "--from", frame, "-q", "-o", rest)
            with h5py.File(whole) as a, h5py.File(rest) as b:
                assert len(touching(a, frame)), "shapes touch where the run is cut"
                assert np.array_equal(touching(a, -1), touching(b, -1)), f"{scheme}, pairs"
                for name in ("q", "v", "contact_loss"):
                    check("restart", f"{scheme}, {name}", a[f"frames/{name}"][-1] - b[f"frames/{name}"][-1], 0, quiet=True)


def itself(scheme):
    """A bow whose ends are drawn past each other stops at itself, and does not where it does not touch itself."""
    out = audited("loop", LOOP.replace("SELF", "true"), scheme)
    assert out.frame["contact_force"][:].max() > 5, "its ends have met"
    with model_file(LOOP.replace("SELF", "false")) as path:
        assert "two shapes or more" in torsor("check", path, code=2).stderr


def corners(heights):
    """Triangles of a height field over the unit square of cells, as places."""
    rows, columns = len(heights), len(heights[0])

    def at(i, k):
        return k/(columns - 1), i/(rows - 1), heights[i][k]
    for i in range(rows - 1):
        for k in range(columns - 1):
            yield at(i, k), at(i, k + 1), at(i + 1, k + 1)
            yield at(i, k), at(i + 1, k + 1), at(i + 1, k)


def words(x):
    return " ".join(repr(float(np.float32(c))) for c in x)


def stl_text(triangles):
    facets = [f"facet normal 0 0 1\nouter loop\n{''.join(f'vertex {words(p)}' + chr(10) for p in t)}endloop\nendfacet\n" for t in triangles]
    return ("solid bump of words\n" + "".join(facets) + "endsolid bump of words\n").encode()


def stl_bytes(triangles):
    return b"bump".ljust(80) + struct.pack("<I", len(triangles)) + b"".join(struct.pack("<12fH", 0, 0, 1, *[c for p in t for c in p], 0) for t in triangles)


def obj_text(triangles):
    lines = [f"v {words(p)}\n" for t in triangles for p in t]
    return ("# bump\n" + "".join(lines) + "".join(f"f {3*i + 1}/1 {3*i + 2}//2 {3*i + 3}\n" for i in range(len(triangles)))).encode()


def files(scheme):
    """The same bump as a height field, in text and binary STL and in OBJ: a ball runs over it with the same steps."""
    heights = [[float(np.float32(0.05*math.exp(-20*((k/8 - 0.5)**2 + (i/4 - 0.5)**2)))) for k in range(9)] for i in range(5)]
    triangles, ends = list(corners(heights)), []
    field = f"{{type: heights, size: [1, 1], heights: {heights}}}"
    for data in (None, stl_text(triangles), stl_bytes(triangles), obj_text(triangles)):
        written = field if data is None else f"{{type: triangles, file: {{base64: {base64.b64encode(data).decode()}}}}}"
        out = audited("bump", BUMP.replace("MESH", written), scheme)
        ends.append(out.frame["q"][-1])
        assert out.position("ball")[:, 2].max() > 0.12, "it has been over the bump"
    for end in ends[1:]:
        check("bump", f"{scheme}, from a file as from heights", np.abs(end - ends[0]).max(), 1e-9, quiet=True)
    damaged = ((stl_bytes(triangles)[:-7], "another length"), (stl_text(triangles)[:300], "expected "), (b"solid nothing\nendsolid\n", "no triangles"),
               (b"v 0 0 0\nv 1 0 0\nf 1 2 3\n", "does not contain"), (b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "has an area"), (b"v 0 0 1e999\n", "coordinate"),
               (b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\nf 1 3 2\n", None), (b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 4 3\n", "turn"))
    for data, said in damaged:
        with model_file(BUMP.replace("MESH", f"{{type: triangles, file: {{base64: {base64.b64encode(data).decode()}}}}}")) as path:
            told = torsor("check", path, code=2 if said else 0).stderr
            assert not said or said in told, (data[:60], told)


def pressed():
    """Statics: a block between a support and a plate is pressed evenly: L/(E A) + 1/(k A) in series, beside the plate's own spring. Also with 27 nodes."""
    for order in (1, 2):
        with model_file(PRESS.replace("ORDER", str(order))) as path:
            torsor("run", path, "-q", "-o", path.with_name("o.h5"))
            with h5py.File(path.with_name("o.h5")) as file:
                force = file["frames/contact_force"][-1].ravel()[0]
        soft = 0.1/(1e6*0.04) + 1/(1e7*0.04)
        check("pressed", f"order {order}, force", force - 2/(1 + 1000*soft), 1e-5)


def mistakes():
    for text, old, new, said in ((ROLL, "mesh: m", "mesh: n", "n"),
                                 (ROLL, "mesh: m}", "mesh: m, set: top}", "top"),
                                 (ROLL, "mesh: m}", "mesh: m, thickness: -1}", "must not be negative"),
                                 (NET, "faces: H,", "faces: K,", "K"),
                                 (BAR, "area_stiffness: 1e8", "area_stiffness: 0", "area_stiffness"),
                                 (BAR, "area_stiffness: 1e8", "area_stiffness: 1e8, stiffness: 1", "one stiffness"),
                                 (CROSS, "radius: 0.03", "radius: 0", "above zero"),
                                 (CROSS, "radius: 0.03", "radius: 1e-9", "too many points"),
                                 (CROSS, "beam: b, ", "", "`beam` or a `cable`"),
                                 (BLOCKS, "faces: P}", "faces: P, thickness: 0}", None),
                                 (BLOCKS.replace("faces: P}", "faces: P, thickness: 0}"), "faces: Q}", "faces: Q, thickness: 0}", "without thickness")):
        assert old in text, old
        with model_file(text.replace(old, new, 1).replace("STEP", "1 ms").replace("N]", "4]")) as path:
            told = torsor("check", path, code=2 if said else 0).stderr
            assert not said or (said in told and "yaml:" in told), (new, told)


if __name__ == "__main__":
    need_program()
    for scheme in ("EP", "ED"):
        bowl(scheme)
        rolls(scheme)
        free(scheme)
        valleys(scheme)
        rubs(scheme)
        bullets(scheme)
        restarts(scheme)
        itself(scheme)
        files(scheme)
    pressed()
    bar()
    capstan()
    mistakes()
    sys.exit(verdict())
