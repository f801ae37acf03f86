#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Contact against closed forms: a ball that bounces, at any step; Hertz' impact; collisions of free bodies; Newton's cradle; a block that holds and slides; balls
that slide, roll and roll down a slope. C01 to C05, C06, C08 and C09 of the design, with their audits and momenta."""
import math
import sys

from case_tools import check, h5py, need_program, np, run, verdict

from program import answer, events, model_file, torsor, touching

G = 9.81
AUDIT = 1e-11

BALL = """torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies: {ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 1.05]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.05}
  floor: {type: plane, on: ground, normal: z}
contacts: {bounce: {between: [skin, floor], LAW}}
analysis: {end: 2 s, step: 1 ms}
"""

TWO_SPHERES_CHOSEN = """torsor: 1
units: SI
bodies:
  a: {mass: 2, inertia: [0.002, 0.002, 0.002], velocity: [2, 0, 0]}
  b: {mass: 3, inertia: [0.003, 0.003, 0.003], position: [0.12, 0, 0]}
  c: {mass: 1, inertia: [0.001, 0.001, 0.001], position: [0, 1, 0]}
shapes:
  a_: {type: sphere, on: a, radius: 0.05}
  b_: {type: sphere, on: b, radius: 0.05}
  c_: {type: sphere, on: c, radius: 0.05}
contacts: {meet: {among: [a_, b_, c_], stiffness: auto}}
analysis: {end: 0.02 s, step: 1 ms}
"""

# two balls of other sizes and metals, head on; T is Hertz' contact time
UNEQUAL = """torsor: 1
units: SI
parameters: {R: 10 mm, S: 30 mm, m: 7850 kg/m^3*4/3*pi*R^3, n: 2700 kg/m^3*4/3*pi*S^3, E: 1/((1 - 0.3^2)/210 GPa + (1 - 0.33^2)/70 GPa)}
bodies:
  a: {mass: m, inertia: [0.4*m*R^2, 0.4*m*R^2, 0.4*m*R^2], velocity: [0.7, 0, 0]}
  b: {mass: n, inertia: [0.4*n*S^2, 0.4*n*S^2, 0.4*n*S^2], position: [R + S, 0, 0]}
shapes: {A: {type: sphere, on: a, radius: R}, B: {type: sphere, on: b, radius: S}}
contacts: {blow: {between: [A, B], modulus: E}}
analysis: {end: 1.5e-4 s, step: 1.5e-6 s}
"""

STEEL = """torsor: 1
units: SI
parameters: {R: 10 mm, m: 7850 kg/m^3*4/3*pi*R^3}
bodies: {ball: {mass: m, inertia: [0.4*m*R^2, 0.4*m*R^2, 0.4*m*R^2], position: [0, 0, R], velocity: [0, 0, -1]}}
shapes:
  skin: {type: sphere, on: ball, radius: R}
  floor: {type: plane, on: ground, normal: z}
contacts: {blow: {between: [skin, floor], modulus: 210e9/(2*(1 - 0.3^2))}}
analysis: {end: 1.2e-4 s, step: 1.7e-6 s}
"""

SPHERES = """torsor: 1
units: SI
bodies:
  a: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0], velocity: [2, 0.1, 0], angular_velocity: [3, -2, 5]}
  b: {mass: 2, inertia: [0.03, 0.03, 0.03], position: [0.5, 0.15, 0.05], velocity: [-1, 0, 0.2], angular_velocity: [0, 4, 1]}
shapes:
  A: {type: sphere, on: a, radius: 0.1}
  B: {type: sphere, on: b, radius: 0.15}
contacts: {c: {among: [A, B], modulus: 1e8, friction: 0.3, restitution: 0.9}}
analysis: {end: 0.3 s, step: STEP}
"""

RODS = """torsor: 1
units: SI
bodies:
  a: {mass: 1, inertia: [0.1, 0.2, 0.15], velocity: [1, 0.1, 0], angular_velocity: [1, 2, 3]}
  b: {mass: 2, inertia: [0.2, 0.3, 0.4], position: [1, 0.1, 0.05], velocity: [-1, 0, 0.2], angular_velocity: [-3, 1, 0.5]}
shapes:
  A: {type: capsule, on: a, from: [-0.2, -0.3, 0], to: [0.2, 0.3, 0.1], radius: 0.1}
  B: {type: capsule, on: b, from: [0.9, -0.3, -0.2], to: [1.1, 0.3, 0.2], radius: 0.12}
contacts: {c: {among: [A, B], stiffness: 1e5, friction: 0.5, static_friction: 0.6}}
springs: {k: {bodies: [a, b], from: [0, 0, 0], to: [1, 0.1, 0.05], stiffness: 50, free_length: 0.1}}
analysis: {end: 1 s, step: STEP}
"""

CRADLE = """torsor: 1
units: SI
bodies:
  a: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [-0.2, 0, 0], velocity: [1, 0, 0]}
  b: {mass: 1, inertia: [0.01, 0.01, 0.01]}
  c: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.2, 0, 0]}
shapes:
  A: {type: sphere, on: a, radius: 0.1}
  B: {type: sphere, on: b, radius: 0.1}
  C: {type: sphere, on: c, radius: 0.1}
contacts: {blow: {among: [A, B, C], modulus: 1e8}}
analysis: {end: 20 ms, step: 20 us}
"""

# a block on the plane of a table; gravity is turned instead of the table
BLOCK = """torsor: 1
units: SI
parameters: {tilt: TILT}
gravity: [9.81*sin(atan(tilt)), 0, -9.81*cos(atan(tilt))]
bodies: {block: {mass: 2, inertia: [0.01, 0.02, 0.02], position: [0, 0, 0.05 - SINK], velocity: [SPEED, 0, 0]}}
shapes:
  box: {type: box, on: block, size: [0.3, 0.2, 0.1]}
  table: {type: plane, on: ground, normal: z}
contacts: {rub: {between: [box, table], stiffness: 1e6, friction: 0.3, restitution: 0.1}}
analysis: {end: END, step: STEP}
"""

ROLL = """torsor: 1
units: SI
parameters: {tilt: TILT, R: 0.1 m, sink: 9.81e-5 m*cos(atan(tilt))}
gravity: [9.81*sin(atan(tilt)), 0, -9.81*cos(atan(tilt))]
bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, R - sink], velocity: [SPEED, 0, 0], angular_velocity: [0, SPIN, 0]}}
shapes:
  skin: {type: sphere, on: ball, radius: R}
  table: {type: plane, on: ground, normal: z}
contacts: {rub: {between: [skin, table], stiffness: 1e5, friction: 0.2}}
analysis: {end: END, step: STEP}
"""


BULLET = """torsor: 1
units: SI
bodies:
  bullet: {mass: 0.01, inertia: [1e-7, 1e-7, 1e-7], position: [PLACE, 0, 0], velocity: [10, 0, 0]}
  target: {mass: 0.01, inertia: [1e-7, 1e-7, 1e-7], position: [0.1, ASIDE, 0]}
shapes:
  B: {type: sphere, on: bullet, radius: 5 mm}
  T: {type: sphere, on: target, radius: 5 mm}
contacts: {hit: {between: [B, T], stiffness: 1e5}}
analysis: {step: 5 ms, end: 0.05 s}
"""


# cut to substeps around t = 0.4515 s, step 151, between the states that a run can go on from
CUT = BALL.replace("LAW", "stiffness: 1e9, restitution: 0.8").replace("step: 1 ms", "step: 3 ms")


def audited(case, text, scheme, **options):
    return run(text, scheme=scheme, case=case, audit=AUDIT, **options)


def bounces(scheme):
    """C01: touches at sqrt(2 H/g), leaves with 0.8 of its speed: heights 0.64^k, if a contact takes ten steps or more."""
    law = "stiffness: 2e5, restitution: 0.8"
    out = audited("C01", BALL.replace("LAW", law), scheme, step=0.5e-3)
    z, v = out.position("ball")[:, 2] - 0.05, out.velocity("ball")[:, 2]
    touch = next(i for i in range(len(z)) if z[i] < 0)
    fall = math.sqrt(2/G)
    check("C01", f"{scheme}, first touch", max(0, abs(out.t[touch] - fall) - 0.5e-3), 1e-9)
    # speeds at the height of the floor, from the energies in free flight before and after each bounce
    free, speeds = z > 1e-4, []
    for i in range(1, len(z)):
        if free[i] and not free[i - 1]:
            speeds.append(math.sqrt(v[i]**2 + 2*G*z[i]))
    for k in range(1, 3):
        check("C01", f"{scheme}, speed ratio of bounce {k + 1}", speeds[k]/speeds[k - 1] - 0.8, 0.005, f"{speeds[k]/speeds[k - 1]:.4f}")
    check("C01", f"{scheme}, speed ratio of the first bounce", speeds[0]/math.sqrt(2*G) - 0.8, 0.005, f"{speeds[0]/math.sqrt(2*G):.4f}")


def any_step(scheme):
    """C02: with e = 1 energy is kept whatever the step is, from a thousand steps in a contact to one of a hundred contacts."""
    for stiffness, step in ((1e4, 1e-4), (1e6, 1e-3), (1e8, 1e-2), (1e9, 3e-2)):
        out = audited("C02", BALL.replace("LAW", f"stiffness: {stiffness:g}"), scheme, step=step, end=9)
        z, v = out.position("ball")[:, 2], out.velocity("ball")[:, 2]
        free = z > 0.05
        energy = G*(z[free] - 1.05) + 0.5*v[free]**2
        times = math.pi*math.sqrt(1/stiffness)/step
        check("C02", f"{scheme}, {times:.2g} steps to a contact", energy/G, 1e-10)
        assert max(z) < 1.06 and min(z) > -1, "it stays above the floor"


def unresolved(scheme):
    """C01 with steps of a hundred contact times: they are cut where an impact begins, and e is reached. Bounces that last less than two steps are not cut."""
    for law in ("stiffness: 1e9", "modulus: 1e11"):
        for e in (0.8, 0.3):
            out = audited("C01, cut", BALL.replace("LAW", f"{law}, restitution: {e}"), scheme, step=1e-2)
            z, v = out.position("ball")[:, 2] - 0.05, out.velocity("ball")[:, 2]
            energy = (G*z + 0.5*v**2)[z > 1e-4]
            levels = [G] + [b for a, b in zip(energy, energy[1:]) if abs(b - a) > 1e-6]
            for k in range(3):
                ratio = math.sqrt(levels[k + 1]/levels[k])
                check("C01, cut", f"{scheme}, {law}, e = {e}, bounce {k + 1}", ratio - e, 0.005, f"{ratio:.4f}")
            check("C01, cut", f"{scheme}, substeps", out.step["cuts"].sum(), 80)
            check("C01, cut", f"{scheme}, stored at the steps that were asked for", out.t - 1e-2*np.arange(len(out.t)), 1e-12, quiet=True)
    kept = audited("C01, cut", BALL.replace("LAW", "stiffness: 1e9, restitution: 0.8, unresolved: keep"), scheme, step=1e-2)
    check("C01, cut", f"{scheme}, cuts where steps are kept", kept.step["cuts"].sum(), 0)


def small_restitution(scheme):
    """A small e stops the approach within a tenth of the contact time: without shorter substeps, e = 0.004 came out as 0.24 here. 0 is taken as 0.002."""
    for law in ("stiffness: 1e6", "modulus: 1e9"):
        for e in (0.1, 0.02, 0.004, 0):
            for step in (1e-3, 1e-4):
                out = audited("C01, small e", BALL.replace("LAW", f"{law}, restitution: {e}"), scheme, step=step, end=0.6)
                ratio = max(out.velocity("ball")[:, 2])/math.sqrt(2*G)
                check("C01, small e", f"{scheme}, {law}, e = {e}, step {step}", ratio - e, 0.005, f"{ratio:.4f}")


def pile(k, e, mu, step):
    """27 balls that fall into a box, a millimetre or two beside each other."""
    bodies, shapes = [], []
    for n in range(27):
        i, j, l = n % 3, n//3 % 3, n//9
        x = [0.11*(i - 1) + 0.004*math.sin(7*n), 0.11*(j - 1) + 0.004*math.sin(11*n + 1), 0.06 + 0.11*l]
        bodies.append(f"  b{n}: {{mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: {x}}}")
        shapes.append(f"  s{n}: {{type: sphere, on: b{n}, radius: 0.05}}")
    walls = [f"  w{i}{s + 1}: {{type: plane, on: ground, normal: [{-s*(i == 0)}, {-s*(i == 1)}, 0], at: [{0.175*s*(i == 0)}, {0.175*s*(i == 1)}, 0]}}"
             for i in (0, 1) for s in (-1, 1)]
    names = ", ".join(line.split(":")[0].strip() for line in shapes + walls)
    return "\n".join(["torsor: 1", "units: SI", "gravity: [0, 0, -9.81]", "bodies:", *bodies, "shapes:", *shapes, *walls,
                      "  floor: {type: plane, on: ground, normal: z}",
                      f"contacts: {{pile: {{among: [{names}, floor], stiffness: {k}, restitution: {e}, friction: {mu}, unresolved: keep}}}}",
                      f"analysis: {{end: 0.6 s, step: {step}}}", ""])


def many(scheme):
    """Newton's method does not go round in circles: few iterations for one ball at any step, and for many that touch and rub."""
    for law, most in (("stiffness: 1e9", 18), ("modulus: 1e11", 24)):
        out = audited("Newton", BALL.replace("LAW", law), scheme, step=3e-2, end=9)
        check("Newton", f"{scheme}, {law}, iterations in a step of 300 contacts", out.step["iterations"].max(), most)
    for law, mean in (((1e5, 1, 0), 8), ((1e5, 0.5, 0.3), 15), ((1e7, 1, 0), 13)):
        out = audited("Newton", pile(*law, "5 ms"), scheme)
        check("Newton", f"{scheme}, pile with stiffness, restitution and friction {law}, iterations", out.step["iterations"].mean(), mean)


def gives_up():
    """A step that fails says which pair is to blame, and when."""
    text = BALL.replace("LAW", "stiffness: 1e9").replace("step: 1 ms", "step: 30 ms, max_iterations: 2, max_cuts: 0")
    with model_file(text) as path:
        told = torsor("run", path, "-q", "-o", path.with_name("o.h5"), code=4).stderr
        for word in ("t = 0.45 s", "'bounce' presses 'skin' on 'floor' with", "gap -"):
            assert word in told, told


def hertz(scheme):
    """C03: p = (5 m v^2/4 k)^(2/5), T = 2.9432 p/v, F = k p^1.5 at a fortieth of T."""
    out = audited("C03", STEEL, scheme)
    z, v = out.position("ball")[:, 2] - 0.01, out.velocity("ball")[:, 2]
    check("C03", f"{scheme}, deepest", -min(z)/2.34808e-5 - 1, 0.005)
    check("C03", f"{scheme}, speed after", v[-1] - 1, 1e-9)
    check("C03", f"{scheme}, largest force", out.frame["contact_force"][:, 0, 0].max()/1750.47 - 1, 0.005)
    check("C03", f"{scheme}, depth as told", out.frame["contact_depth"][:, 0] - np.maximum(-z, 0), 1e-15)
    leave = next(i for i in range(5, len(z)) if z[i] > 0)
    end = out.t[leave] - z[leave]/v[leave]
    check("C03", f"{scheme}, contact time", end/6.91104e-5 - 1, 0.005)


def unequal(scheme):
    """Hertz' impact of two balls of other radii, moduli and masses. Stored every 100 steps, the impact falls between two states: its impulse and its peak are told all
    the same, by the last of them."""
    R, S = 0.01, 0.03
    m, n = 7850*4/3*math.pi*R**3, 2700*4/3*math.pi*S**3
    modulus, radius, mass, v = 1/((1 - 0.09)/210e9 + (1 - 0.33**2)/70e9), R*S/(R + S), m*n/(m + n), 0.7
    k = 4/3*modulus*math.sqrt(radius)
    deep = (1.25*mass*v*v/k)**0.4
    out = audited("Hertz of two", UNEQUAL, scheme)
    check("Hertz of two", f"{scheme}, deepest", out.frame["contact_depth"].max()/deep - 1, 0.005)
    check("Hertz of two", f"{scheme}, largest force", out.frame["contact_force"][:, 0, 0].max()/(k*deep**1.5) - 1, 0.005)
    check("Hertz of two", f"{scheme}, speeds after", [out.velocity("a")[-1, 0] - v*(m - n)/(m + n), out.velocity("b")[-1, 0] - 2*v*m/(m + n)], 1e-9)
    seldom = audited("Hertz of two", UNEQUAL, scheme, every=100)
    assert len(seldom.t) == 2 and seldom.frame["contact_force"].max() == 0, "the impact is over when a state is stored"
    check("Hertz of two", f"{scheme}, impulse between two states", seldom.frame["contact_impulse"][-1, 0, 0]/(2*mass*v) - 1, 1e-9)
    check("Hertz of two", f"{scheme}, peak between two states", seldom.frame["contact_peak"][-1, 0] - out.frame["contact_peak"].max(), 0)
    check("Hertz of two", f"{scheme}, peaks are those since the state before", out.frame["contact_peak"][:, 0] - out.frame["contact_force"][:, 0, 0], 0)


def barrier(scheme):
    """A barrier against a fine solution of m z'' = k d (2 s L + s^2/(1 - s)), L = -ln(1 - s), s what of the distance d is left; and at any step: the ball
    never reaches the floor, and loses nothing."""
    text = BALL.replace("LAW", "law: barrier, stiffness: 1e4, distance: 1 cm").replace("1.05]", "0.08], velocity: [0, 0, -0.5]").replace("-9.81", "0")
    out = audited("barrier", text, scheme, step=2e-4, end=0.12)
    z, v, h, least = 0.08, -0.5, 1e-6, 1
    for _ in range(120000):  # leapfrog
        s = (0.06 - z)/0.01
        v += h*(1e2*(-2*s*math.log(1 - s) + s*s/(1 - s)) if s > 0 else 0)
        z += h*v
        least = min(least, z)
    check("barrier", f"{scheme}, least gap", (out.position("ball")[:, 2].min() - 0.05)/(least - 0.05) - 1, 1e-3)
    check("barrier", f"{scheme}, place at the end", out.position("ball")[-1, 2] - z, 1e-5)
    text = BALL.replace("LAW", "stiffness: 1e6, distance: 1 cm")
    for step in (1e-3, 1e-2, 1e-1):
        out = audited("barrier", text, scheme, step=step, end=4)
        assert out.position("ball")[:, 2].min() > 0.05, "the floor is not touched"
        check("barrier", f"{scheme}, nothing is lost in steps of {step} s", out.summary["relative_balance"], 1e-11, quiet=True)
    for bad, said in (("law: barrier", "a barrier needs a distance above zero"), ("law: linear, distance: 1 cm", "a linear contact has no distance")):
        with model_file(BALL.replace("LAW", bad)) as path:
            assert said in torsor("check", path, code=2).stderr
    with model_file(BALL.replace("LAW", "stiffness: 1e6, distance: 1 cm").replace("1.05]", "0.0505]")) as path:
        assert "more than 0.9 of it" in torsor("check", path, code=2).stderr


def turned(scheme):
    """A ball rolls down a plane that is no coordinate plane, a kilometre from the origin, and once more with lengths in millimetres: 5/7 of gravity along it."""
    n = np.array([1, 2, 2])/3
    along = np.array([0, 0, -G]) + G*n[2]*n
    at = n*(0.1 - G*n[2]/1e5)
    for unit, far, other in ((1, 1000, ""), (1000, 0, "units: {length: mm}")):
        place = (at + far)*unit
        text = f"""torsor: 1
{other or 'units: SI'}
gravity: [0, 0, {-G*unit}]
bodies: {{ball: {{mass: 1, inertia: [{4e-3*unit**2}, {4e-3*unit**2}, {4e-3*unit**2}], position: [{place[0]:.17g}, {place[1]:.17g}, {place[2]:.17g}]}}}}
shapes:
  skin: {{type: sphere, on: ball, radius: {0.1*unit}}}
  slope: {{type: plane, on: ground, normal: [1, 2, 2], at: [{far*unit}, {far*unit}, {far*unit}]}}
contacts: {{rolls: {{between: [skin, slope], stiffness: 1e5 N/m, friction: 0.9}}}}
analysis: {{end: 1 s, step: 5 ms}}
"""
        out = audited("turned", text, scheme)
        check("turned", f"{scheme}, speed, {other or 'far away'}", np.linalg.norm(out.velocity("ball")[-1])/np.linalg.norm(along)*7/5 - 1, 1e-6)


def momenta(case, out):
    for name in ("linear", "angular"):
        p = out.frame[f"momentum_{name}"]
        check(case, f"{name} momentum", p - p[0], 5e-12, quiet=True)


def collisions(scheme):
    """C04: free bodies keep both momenta, and the audit closes, at any step."""
    for step in ("20 ms", "1 ms"):
        out = audited("C04", SPHERES.replace("STEP", step), scheme)
        momenta("C04", out)
        hit = np.linalg.norm(out.velocity("a")[-1] - out.velocity("a")[0])
        assert hit > 0.5, "they have met"
    for step in ("10 ms", "1 ms"):
        out = audited("C04", RODS.replace("STEP", step), scheme)
        momenta("C04", out)


def cradle(scheme):
    """C05: three balls that touch, by an ordinary differential equation; independent of stiffness and speed."""
    out = audited("C05", CRADLE, scheme)
    for ball, exact in zip("abc", (-0.070952, 0.076403, 0.994549)):
        check("C05", f"{scheme}, speed of {ball}", out.velocity(ball)[-1, 0] - exact, 1e-3)


def block(tilt, end, step, speed=0):
    sink = 2*G*math.cos(math.atan(tilt))/4e6
    return BLOCK.replace("TILT", str(tilt)).replace("SINK", repr(sink)).replace("SPEED", str(speed)).replace("END", end).replace("STEP", step)


def holds(scheme):
    """C06: on a slope below the angle of friction it stays; a block that slides stops after v^2/(2 mu g)."""
    out = audited("C06", block(0.25, "100 s", "10 ms"), scheme, every=50)
    x = out.position("block")[:, 0]
    check("C06", f"{scheme}, creep in the last 50 s", np.ptp(x[len(x)//2:]), 1e-8)
    check("C06", f"{scheme}, deflection", x[-1], 2e-5)
    out = audited("C06", block(0, "0.5 s", "1 ms", speed=0.5), scheme)
    x = out.position("block")[:, 0]
    check("C06", f"{scheme}, stops after", x[-1] - 0.25/(2*0.3*G), 3e-5, f"{x[-1]:.6f} of {0.25/(2*0.3*G):.6f} m")
    out = audited("C06", block(0.5, "0.5 s", "2 ms"), scheme)
    a = G*(math.sin(math.atan(0.5)) - 0.3*math.cos(math.atan(0.5)))
    check("C06", f"{scheme}, slides with", out.velocity("block")[-1, 0]/(0.5*a) - 1, 2e-3)


def roll(tilt, end, step, speed=0, spin=0):
    return ROLL.replace("TILT", str(tilt)).replace("SPEED", str(speed)).replace("SPIN", str(spin)).replace("END", end).replace("STEP", step)


def rolls(scheme):
    """C08: slides until 2 v/(7 mu g), rolls with 5/7 v; a draw shot comes to rest. C09: on a slope, both sides of tan = 7 mu/2."""
    out = audited("C08", roll(0, "0.5 s", "2 ms", speed=2), scheme)
    v = out.velocity("ball")[-1, 0]
    loss = out.frame["contact_loss"][:, 0]
    check("C08", f"{scheme}, lost by friction", loss[-1, 1] - 4/7, 1e-4, f"{loss[-1, 1]:.6f} of {4/7:.6f} J")
    check("C08", f"{scheme}, losses are what is dissipated", loss.sum(axis=1) - out.frame["ledger"][:, 5], 1e-12)
    check("C08", f"{scheme}, speed when it rolls", v - 10/7, 1e-4, f"{v:.6f}")
    check("C08", f"{scheme}, it rolls", out.omega("ball")[-1, 1]*0.1 - v, 1e-3)
    out = audited("C08", roll(0, "1.2 s", "2 ms", speed=2, spin=-50), scheme)
    check("C08", f"{scheme}, a draw shot stops at", out.position("ball")[-1, 0] - 1.019368, 2e-4)
    for tilt, factor in ((0.5, 5/7*math.sin(math.atan(0.5))), (0.9, math.sin(math.atan(0.9)) - 0.2*math.cos(math.atan(0.9)))):
        out = audited("C09", roll(tilt, "0.3 s", "5 ms"), scheme)
        check("C09", f"{scheme}, speed on a slope of {tilt}", out.velocity("ball")[-1, 0] - 0.3*G*factor, 1e-4)


def resists(scheme):
    """Rolling resistance b slows a ball down by 5/7 b g/R until it rests, and holds it on a slope below b/R; spinning resistance stops a spin at the rate b m g/J."""
    text = roll(0, "5 s", "5 ms", speed=0.5, spin=5).replace("friction: 0.2", "friction: 0.5, rolling: 2 mm")
    out = audited("resists", text, scheme)
    x, v = out.position("ball")[:, 0], out.velocity("ball")[:, 0]
    a = 5/7*0.002*G/0.1
    check("resists", f"{scheme}, slowed down by", (0.5 - v[200])/a - 1, 1e-5)
    check("resists", f"{scheme}, stops after", x[-1] - 0.125/a, 3e-4, f"{x[-1]:.5f} of {0.125/a:.5f} m")
    check("resists", f"{scheme}, and stays", v[-1], 1e-3)
    out = audited("resists", text.replace("rolling: 2 mm", "spinning: 4 mm").replace("velocity: [0.5, 0, 0]", "velocity: [0, 0, 0]").replace("[0, 5, 0]", "[0, 0, 20]"), scheme)
    w = out.omega("ball")[:, 2]
    check("resists", f"{scheme}, spins slower by", (20 - w[400])/(2*0.004*G/0.004) - 1, 1e-9)
    check("resists", f"{scheme}, has stopped after 20/(b m g/J) = 2.039 s, but for the bristle", w[out.t > 2.4], 1e-2)
    out = audited("resists", roll(0.01, "4 s", "5 ms").replace("friction: 0.2", "friction: 0.5, rolling: 2 mm"), scheme)
    check("resists", f"{scheme}, held on a slope", np.ptp(out.position("ball")[:, 0]), 2e-4)
    for step in ("20 ms", "1 ms"):
        momenta("resists", audited("resists", SPHERES.replace("STEP", step).replace("friction: 0.3", "friction: 0.3, rolling: 5 mm, spinning: 3 mm"), scheme))


def far_away(scheme):
    """The same collision a kilometre away: the motion is the same."""
    near = audited("far", SPHERES.replace("STEP", "1 ms"), scheme)
    far = SPHERES.replace("STEP", "1 ms").replace("position: [0, 0, 0]", "position: [1000, 0, 0]").replace("position: [0.5,", "position: [1000.5,")
    out = run(far, scheme=scheme, case="far", audit=1e-10)
    check("far", f"{scheme}, velocity after", out.velocity("a")[-1] - near.velocity("a")[-1], 1e-8)


def bullets(scheme):
    """Small and fast, and not to be found behind each other: the step is cut where they touch. Half a millimetre beside it, it flies on."""
    for aside, hit in ((0.001, True), (0.0105, False)):
        for place in (-0.0731, -0.07, -0.06, -0.05):
            out = audited("bullets", BULLET.replace("PLACE", str(place)).replace("ASIDE", str(aside)), scheme)
            check("bullets", f"{scheme}, it has hit", (out.velocity("target")[-1, 0] > 1) != hit, 0, quiet=True)
            momenta("bullets", out)


def trapdoor(scheme):
    """An event takes the floor away, at rest in the air or while the ball presses on it: it falls on, and what the contact stored is taken."""
    for at, taken in ((1.0, False), (0.4565, True)):
        text = BALL.replace("LAW", "stiffness: 1e5").replace("analysis:", f"events: {{door: {{at: {at} s, switch_off: bounce}}}}\nanalysis:")
        out = audited("trapdoor", text, scheme)
        loss, z, v = out.frame["event_loss"][:, 0], out.position("ball")[:, 2], out.velocity("ball")[:, 2]
        check("trapdoor", f"{scheme}, nothing touches afterwards", out.frame["contact_count"][out.t > at + 1e-9, 0], 0, quiet=True)
        late = out.t > at + 1e-9
        check("trapdoor", f"{scheme}, free fall afterwards", (G*z + 0.5*v**2)[late] + loss[late] - G*1.05, 1e-10, quiet=True)
        assert (loss[-1] > 5) == taken and z[-1] < 0, (loss[-1], z[-1])


def restarts(scheme):
    """A run that is cut while shapes touch and rub ends in the same state, to the last bit; so does one on two threads."""
    for text in (roll(0.3, "0.4 s", "2 ms", speed=1), roll(0.3, "0.4 s", "2 ms", speed=1).replace("friction: 0.2", "friction: 0.2, rolling: 1 mm, spinning: 1 mm"), block(0.2, "0.4 s", "2 ms", speed=0.3), RODS.replace("STEP", "2 ms"), CUT):
        with model_file(text) as path:
            whole, rest, two = path.with_name("whole.h5"), path.with_name("rest.h5"), path.with_name("two.h5")
            events("run", path, "-o", whole, "--scheme", scheme)
            torsor("restart", whole, "--from", 77, "-q", "-o", rest)
            torsor("run", path, "--threads", 2, "-q", "-o", two, "--scheme", scheme)
            with h5py.File(whole) as a, h5py.File(rest) as b, h5py.File(two) as c:
                for name in ("q", "v", "contact_loss", "contact_impulse", "contact_peak"):
                    check("restart", f"{scheme}, {name}", a[f"frames/{name}"][-1] - b[f"frames/{name}"][-1], 0, quiet=True)
                    check("restart", f"{scheme}, {name}, two threads", a[f"frames/{name}"][-1] - c[f"frames/{name}"][-1], 0, quiet=True)
                for other in (b, c):
                    assert np.array_equal(touching(a, -1), touching(other, -1)), f"{scheme}, pairs"
                touch = len(touching(a, 77))
            assert touch or "capsule" in text or text is CUT, "shapes touch where the run is cut"


DRIVEN = """torsor: 1
units: SI
bodies: {arm: {mass: 1, inertia: [1, 1, 1]}}
joints: {axle: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: z}}
motions: {turn: {joint: axle, angle: 5*t}}
shapes:
  tip:  {type: sphere, on: arm, radius: 0.05, at: [0.4, 0, 0]}
  wall: {type: plane, on: ground, normal: -y, at: [0, 0.5, 0]}
contacts: {knock: {between: [tip, wall], stiffness: 1e5}}
analysis: {scheme: ED, step: 1 ms, end: 1 ms}
"""


def estimates():
    """What `check` says of an impact: pi sqrt(m/k), v sqrt(m/k), m g/k, Hertz' closed forms (C03). A stiffness that is chosen lets shapes sink in by 1 %."""
    with model_file(BALL.replace("LAW", "stiffness: 1e5").replace("position", "velocity: [0, 0, -3], position")) as path:
        said = answer("check", path)["contacts"][0]
    for name, value in (("mass", 1), ("speed", 3), ("stiffness", 1e5), ("duration", math.pi*math.sqrt(1e-5)), ("depth", 3*math.sqrt(1e-5)), ("sinks", G/1e5)):
        check("estimates", name, said[name]/value - 1, 1e-12)
    with model_file(STEEL) as path:
        said = answer("check", path)["contacts"][0]
    check("estimates", "Hertz, depth", said["depth"]/2.34808e-5 - 1, 1e-5)
    check("estimates", "Hertz, duration", said["duration"]/6.91104e-5 - 1, 1e-5)
    with model_file(DRIVEN) as path:
        said = answer("check", path)["contacts"][0]
    check("estimates", "an arm that a drive turns: w r of its tip, and the spin of the ball", said["speed"]/(5*(0.4 + 0.05)) - 1, 1e-12)
    two = TWO_SPHERES_CHOSEN
    with model_file(two) as path:
        said = answer("check", path)["contacts"][0]
    check("estimates", "reduced mass of the two heaviest", said["mass"] - 2*3/5, 1e-12)
    check("estimates", "chosen stiffness: m v^2/(R/100)^2", said["stiffness"]/(1.2*4/(0.05/100)**2) - 1, 1e-12)
    out = run(two, scheme="EP", step=2e-5)
    check("estimates", "depth of this impact, with its closing speed of 2 m/s", out.frame["contact_depth"].max()/5e-4 - 1, 0.01)
    with model_file(BALL.replace("LAW", "restitution: 1").replace("gravity: [0, 0, -9.81]\n", "")) as path:
        assert "cannot be chosen" in torsor("check", path, code=2).stderr


def mistakes():
    for old, new, said in (("radius: 0.05", "radius: 0", "above zero"),
                           ("[skin, floor]", "[skin]", "two shapes"),
                           ("[skin, floor]", "[skin, flor]", "flor"),
                           ("LAW", "law: hertz", "needs a modulus"),
                           ("LAW", "stiffness: 1e5, modulus: 1 GPa", "one stiffness, or one modulus"),
                           ("LAW", "stiffness: 1e5, restitution: 1.2", "restitution is from 0 to 1"),
                           ("LAW", "stiffness: 1e5, friction: -1", "must not be negative"),
                           ("type: sphere, on: ball", "type: sphere, on: bal", "bal")):
        with model_file(BALL.replace(old, new).replace("LAW", "stiffness: 1e5")) as path:
            told = torsor("check", path, code=2).stderr
            assert said in told and "yaml:" in told, (new, told)


def refused():
    """What does not know of contacts says so, instead of leaving them out."""
    with model_file(BALL.replace("LAW", "stiffness: 1e5").replace("end: 2 s", "scheme: newmark, end: 2 s")) as path:
        told = torsor("run", path, "-o", path.with_name("o.h5"), code=2).stderr
        assert "contacts" in told, told


if __name__ == "__main__":
    need_program()
    for scheme in ("EP", "ED"):
        bounces(scheme)
        any_step(scheme)
        unresolved(scheme)
        small_restitution(scheme)
        many(scheme)
        hertz(scheme)
        unequal(scheme)
        barrier(scheme)
        turned(scheme)
        collisions(scheme)
        cradle(scheme)
        holds(scheme)
        rolls(scheme)
        resists(scheme)
        far_away(scheme)
        bullets(scheme)
        trapdoor(scheme)
        restarts(scheme)
    gives_up()
    estimates()
    mistakes()
    refused()
    sys.exit(verdict())
