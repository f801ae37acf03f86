#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Cables with mass on a winch, EP and ED: hanging weights at rest, modes and tension while they are paid out; the chain
that runs off its drum, the pendulum of variable length, waves on a string of growing length, a free winch in flight;
ledgers, restarts, threads, other units, and refused input."""
import math
import sys

from case_tools import Run, check, h5py, need_program, np, run, verdict

from program import ROOT, events, model_file, modes_of, torsor

G = 9.81
AUDIT = 1e-11
HEAD = f"""torsor: 1
units: SI
gravity: [0, 0, -{G}]
"""
HANGING = HEAD + """cables:
  line: {from: [0, 0, 0], to: [0, 0, -10], EA: 1e6, mass: 2, elements: 10STORED}
bodies:
  load: {type: point, mass: 20, position: [0, 0, -10], velocity: [0, 0, -RATE]}
joints:
  mouth: {type: spherical, bodies: [ground, line.start], at: [0, 0, 0]}
  hook: {type: spherical, bodies: [line.end, load], at: [0, 0, -10]}
MOTIONanalysis: {ANALYSISstep: 5 ms, end: 2 s}
"""


def hanging(law="10 m", rate=0.0, analysis=""):
    text = HANGING.replace("STORED", f", stored: 30 m, unwinding: {rate}").replace("RATE", str(rate))
    return text.replace("MOTION", f"motions: {{pay: {{joint: line, displacement: {law}}}}}\n").replace("ANALYSIS", analysis)


def tension(out, row=-1):
    return out.frame["section_force"][row, :, 0]


def weight_below(length, a=0.0):
    """At the middle of each element: of load and cable, in a frame that falls with a."""
    return (20 + 2*length*(1 - (np.arange(10) + 0.5)/10))*(G - a)


def statics():
    with model_file(hanging().replace("step: 5 ms, end: 2 s", "type: static")) as path:
        out = Run(path.with_suffix(".h5"), events("run", path, "-o", path.with_suffix(".h5"))[-1])
    check("statics", "tension", tension(out)/weight_below(10) - 1, 1e-9)
    sag = ((20*10 + 2*50)*G/1e6)
    check("statics", "the end", out.position("load")[-1, 2] + 10 + sag, 1e-9)


def modes():
    """A winch that stands still is a cable of constant length."""
    fixed = HANGING.replace("STORED", "").replace("RATE", "0").replace("MOTION", "").replace("ANALYSIS", "")
    for elements in ("elements: 10", "elements: 5, order: 2", "elements: 4, order: 3"):
        winch, plain = ([m["frequency"] for m in modes_of(text.replace("elements: 10", elements), 10)] for text in (hanging(), fixed))
        check("modes", f"ten lowest, {elements}", np.array(winch)/np.array(plain) - 1, 1e-7)


def paying_out(scheme):
    """At a constant speed and at a constant acceleration, from rest in equilibrium: tension, and the work of the drum."""
    for name, law, rate, a in (("speed", "10 m + 0.5 m*t", 0.5, 0), ("acceleration", "10 m + 0.5 m*t^2", 0, 1)):
        out = run(hanging(law, rate, "start: static, "), scheme=scheme, case=name, audit=AUDIT, step="1 ms")
        length = out.coordinate("line", "length")
        last = len(length) - 1
        mean = np.mean([tension(out, k)/weight_below(length[k], a) for k in range(last//2, last + 1)], axis=0)
        check(name, f"{scheme}, tension in the mean", mean - 1, 4e-3)
        v = rate if a == 0 else a*2
        way = length[-1] - 10
        energy = 0.5*(20 + 2*40)*(v**2 - rate**2) - (20*way + (length[-1]**2 - 100))*G
        check(name, f"{scheme}, work of the drum", out.step["work_drives"][-1]/energy - 1, 2e-3)


def off_the_drum(scheme):
    """A chain that runs off: all of it has the speed of its length, the weight of what hangs drives it: p = p0 cosh(t sqrt(g/L)). The more stiffly, the nearer."""
    text = HEAD + """cables:
  line: {from: [0, 0, 0], to: [0, 0, -1], EA: EAS, mass: 2, elements: 10, stored: 9 m}
joints: {mouth: {type: spherical, bodies: [ground, line.start], at: [0, 0, 0]}}
analysis: {step: 0.5 ms, end: 1.5 s}
"""
    exact = math.cosh(1.5*math.sqrt(G/10))
    errors = [abs(run(text.replace("EAS", EA), scheme=scheme, case="drum", audit=AUDIT).coordinate("line", "length")[-1] - exact) for EA in ("1e4", "1e5")]
    check("drum", f"{scheme}, length", errors[-1], 6e-4, " ".join(f"{e:.1e}" for e in errors))
    out = run(text.replace("EAS", "1e4"), scheme="ED", case="drum", audit=AUDIT)
    p, pull = out.coordinate("line", "length")[-500:], out.frame["section_force"][-500:, 0, 0]
    check("drum", "tension at the mouth, in the mean", np.mean(pull/(2*0.95*p*G*(1 - p/10))) - 1, 1e-2)


def runge_kutta(f, y, end, steps=20000):
    y, h = np.array(y, float), end/steps
    for k in range(steps):
        t = k*h
        a = f(t, y)
        b = f(t + h/2, y + h/2*a)
        c = f(t + h/2, y + h/2*b)
        y = y + h/6*(a + 2*b + 2*c + f(t + h, y + h*c))
    return y


def pendulum(scheme):
    """A heavy ball on a light cable that is hauled in, p = 4 - t^3/10, and stretches: m r'' = m r angle'^2 + m g cos(angle) - EA (r/p - 1), angle'' = -(2 r' angle' + g sin(angle))/r."""
    start, end, EA, m, pull = 0.6, 2.5, 1e6, 100, 100*G*math.cos(0.6)
    at, own = [4*math.sin(start), 0, -4*math.cos(start)], 4/(1 + pull/EA)
    text = HEAD + f"""cables: {{line: {{from: [0, 0, 0], to: {at}, EA: {EA}, mass: 1e-4, elements: 1, stored: 4 m, tension: {pull}}}}}
bodies: {{ball: {{type: point, mass: {m}, position: {at}}}}}
joints:
  mouth: {{type: spherical, bodies: [ground, line.start], at: [0, 0, 0]}}
  hook: {{type: spherical, bodies: [line.end, ball], at: {at}}}
motions: {{haul: {{joint: line, displacement: {own} m - 0.1 m*t^3}}}}
analysis: {{step: 10 ms, end: {end} s}}
"""

    def f(t, y):
        r, rate, angle, omega = y
        return np.array([rate, r*omega**2 + G*math.cos(angle) - EA/m*(r/(own - 0.1*t**3) - 1), omega, -(2*rate*omega + G*math.sin(angle))/r])

    exact = runge_kutta(f, [4, 0, start, 0], end)[2]
    errors = []
    for step in ("10 ms", "5 ms", "2.5 ms"):
        x, _, z = run(text, scheme=scheme, step=step, case="pendulum", audit=AUDIT).position("ball")[-1]
        errors.append(abs(math.atan2(x, -z) - exact))
    check("pendulum", f"{scheme}, angle", errors[-1], 2e-3, " ".join(f"{e:.2e}" for e in errors))
    if scheme == "EP":
        check("pendulum", "order 2", math.log2(errors[0]/errors[2])/2 - 2, 0.3)


def waves(scheme):
    """Waves on a string that comes out of its mouth with v, a fifth of the waves' speed c, under a constant pull T. Along the material from its end, s, its end shaken by y(t), it is a string at rest whose other end runs away with v:
    w = y(t - s/c) - R(t + s/c), and at the mouth, s = l + v t, R(t + s/c) = y(t - s/c): the wave comes back longer by (c + v)/(c - v)."""
    T, EA, v, l, end, tall = 100.0, 1e6, 2.0, 10.0, 1.9, 1e-3
    out = 1 + T/EA
    text = f"""torsor: 1
units: SI
cables: {{string: {{from: [0, 0, 0], to: [{l}, 0, 0], EA: {EA}, mass: 1, tension: {T}, elements: ELEMENTS, order: ORDER, stored: 10 m, unwinding: {v/out}}}}}
bodies:
  cart: {{mass: 1, inertia: [1, 1, 1], position: [{l}, 0, 0], velocity: [{v}, 0, 0]}}
  tip: {{mass: 1, inertia: [1, 1, 1], position: [{l}, 0, 0], velocity: [{v}, 0, 0]}}
joints:
  mouth: {{type: spherical, bodies: [ground, string.start], at: [0, 0, 0]}}
  rail: {{type: prismatic, bodies: [ground, cart], at: [{l}, 0, 0], axis: x}}
  lift: {{type: prismatic, bodies: [cart, tip], at: [{l}, 0, 0], axis: y}}
  hook: {{type: spherical, bodies: [string.end, tip], at: [{l}, 0, 0]}}
motions:
  pay: {{joint: string, displacement: {l/out} m + {v/out} m*t}}
  shake: {{joint: lift, displacement: {tall} m*(1 - cos(2*pi*t))^2}}
loads: {{pull: {{type: force, body: cart, force: [{T} N, 0, 0]}}}}
analysis: {{step: 2 ms, end: {end} s}}
"""
    def y(t):
        return np.where(t > 0, tall*(1 - np.cos(2*np.pi*t))**2, 0)

    def exact(order, elements):
        c = math.sqrt(T*out)  # of stretched lengths: T over mass per stretched length
        nodes = np.arange(order*elements + 1)/(order*elements)  # evenly spread up to order 2
        s = (l + v*end)*(1 - nodes)
        met = ((end + s/c) - l/c)/(1 + v/c)  # when what comes back was at the mouth
        return y(end - s/c) - y(met - (l + v*met)/c)

    for order, meshes, close in ((1, (20, 40), 3e-2), (2, (8, 16), 2e-3)):
        errors = []
        for elements in meshes:
            found = run(text.replace("ELEMENTS", str(elements)).replace("ORDER", str(order)), scheme=scheme, case="waves", audit=AUDIT)
            w = np.array([found.position(f"string.{k}")[-1, 1] for k in range(1, order*elements + 2)])
            errors.append(np.max(np.abs(w - exact(order, elements)))/np.max(np.abs(exact(order, elements))))
        check("waves", f"{scheme}, elements of order {order}, form", errors[-1], close, " ".join(f"{e:.1e}" for e in errors))
        check("waves", f"{scheme}, elements of order {order}: order {2*order} of the mesh", math.log2(errors[0]/errors[1]) - 2*order, 0.4)


FLIGHT = """torsor: 1
units: SI
cables: {line: {from: [0, 0, 0.5], to: [0, 0, 4.5], EA: 2e3, mass: 0.5, tension: 2, elements: 8, stored: 6 m}}
bodies:
  base: {mass: 5, inertia: [0.5, 0.6, 0.4], position: [0, 0, 0], velocity: [-0.4, 0.1, 0]}
  load: {mass: 3, inertia: [0.1, 0.1, 0.1], position: [0, 0, 4.5], velocity: [1, 0.3, 0.1]}
joints:
  mouth: {type: spherical, bodies: [base, line.start], at: [0, 0, 0.5]}
  hook: {type: spherical, bodies: [line.end, load], at: [0, 0, 4.5]}
motions: {pay: {joint: line, displacement: 4 m/(1 + 2/2e3) + 0.5 m*t^2}}
analysis: {step: 2 ms, end: 1 s}
"""


def momenta(out):
    """Of bodies and of the material of the cable, with what is on the drum at the mouth; at the first and at the last state."""
    x = np.array([out.position(f"line.{k}") for k in range(1, 10)])
    v = np.array([out.velocity(f"line.{k}") for k in range(1, 10)])
    p, rate = out.coordinate("line", "length"), out.coordinate_rate("line", "length")
    slope = np.gradient(x, axis=0)  # from node to node, one-sided at the ends
    a = (8 - np.arange(9))[:, None, None]
    V = v + a*(rate/p)[None, :, None]*slope
    share = np.array([0.5] + 7*[1] + [0.5])[:, None, None]*(0.5*p/8)[None, :, None]
    linear, angular = np.sum(share*V, axis=0), np.sum(np.cross(x, share*V), axis=0)
    for mass, place, speed in ((5, out.position("base"), out.velocity("base")), (3, out.position("load"), out.velocity("load")),
                               ((0.5*(p[0] + 6 - p))[:, None], x[0], v[0])):
        linear, angular = linear + mass*speed, angular + np.cross(place, mass*speed)
    for body, J in (("base", [0.5, 0.6, 0.4]), ("load", [0.1, 0.1, 0.1])):
        angular = angular + np.einsum("nij,nj->ni", out.rotation(body), np.array(J)*out.omega_in_body(body))
    return linear, angular


def flight(scheme):
    """Base and load fly apart as the winch lets its cable out: the momentum of all material stays, of EP to round-off, its moment to second order; and as far as velocities at the ends of steps tell."""
    for order in (1, 2):
        told, errors = [], []
        for step in ("4 ms", "2 ms"):
            out = run(FLIGHT.replace("elements: 8", f"elements: {8//order}, order: {order}"), scheme=scheme, step=step, case="flight", audit=AUDIT)
            p, L = out.frame["momentum_linear"], out.frame["momentum_angular"]
            told.append([np.max(np.abs(p - p[0])), np.max(np.abs(L - L[0]))])
            if order == 1:
                linear, angular = momenta(out)
                errors.append(np.max(np.abs(linear - linear[0])) + np.max(np.abs(angular - angular[0])))
                check("flight", f"{scheme}, channels", [p - linear, L - angular], 1e-5)
        told = np.array(told)
        check("flight", f"{scheme}, order {order}, momentum", told[1, 0], 1e-12 if scheme == "EP" else 1e-6, " ".join(f"{e:.1e}" for e in told[:, 0]))
        check("flight", f"{scheme}, order {order}, its moment", told[1, 1], 1e-6, " ".join(f"{e:.1e}" for e in told[:, 1]))
        check("flight", f"{scheme}, order {order}, its moment, order 2", np.log2(told[0, 1]/told[1, 1]) - 2, 0.4)
        if order == 1:
            check("flight", f"{scheme}, momenta by places and velocities", errors[-1], 1e-4, " ".join(f"{e:.1e}" for e in errors))


def landing(scheme):
    """Let down on the floor, with v: what has landed lies there with its weight, the mouth bears what hangs. All of it: the floor takes the weight of what came down and its momentum, rho v^2, in the mean."""
    text = HEAD + """cables:
  line: {from: [0, 0, 1], to: [0, 0, 0.05], EA: 1e5, mass: 2, elements: 10, stored: 10 m, unwinding: 1}
joints: {mouth: {type: spherical, bodies: [ground, line.start], at: [0, 0, 1]}}
motions: {pay: {joint: line, displacement: 0.95 m + 1 m*t}}
shapes:
  skin: {type: line, cable: line, radius: 0.01}
  floor: {type: plane, on: ground, normal: z}
contacts: {lands: {between: [skin, floor], stiffness: 1e4, restitution: 0.3}}
analysis: {step: 2 ms, end: 2 s}
"""
    out = run(text, scheme=scheme, case="landing", audit=AUDIT)
    impulse = out.frame["contact_impulse"][:, 0, 0]
    late = out.t > 0.5
    landed = 2*G*np.mean(0.95 + out.t[late] - 1 + 0.01)
    check("landing", f"{scheme}, force on the floor", (impulse[-1] - impulse[late][0])/1.5/(landed + 2) - 1, 5e-2)
    check("landing", f"{scheme}, nothing below", min(out.position("line.end")[:, 2].min(), 0), 1e-3)


def mine_hoist():
    """examples/mine_hoist.yaml: the cage arrives where length and stretch have it, the drum takes up what cage and rope lose in height; with steps that let out many times the stretch of an element."""
    out = run((ROOT/"examples/mine_hoist.yaml").read_text(), scheme="ED", case="hoist", audit=AUDIT, tolerance=None, every=10)
    length, start = out.coordinate("rope", "length")[-1], out.coordinate("rope", "length")[0]
    rest = out.t > 55
    check("hoist", "length", length - start - 320, 1e-9)
    stretch = (2000*length + 5*length**2/2)*G/60e6
    check("hoist", "stretch in the mean", np.mean(-out.position("rope.end")[rest, 2] - length)/stretch - 1, 2e-2)
    lost = (2000*320 + 5*(length**2 - start**2)/2)*G
    check("hoist", "work of the drum", out.step["work_drives"][-1]/-lost - 1, 3e-3)
    speeding = (out.t > 8) & (out.t < 14)
    x = (out.t[speeding] - 5)/45
    below = (2000 + 5*out.coordinate("rope", "length")[speeding]*47/48)*(G - 320*(6 - 12*x)/45**2)
    check("hoist", "tension while it speeds up, in the mean", np.mean(out.frame["section_force"][speeding, 0, 0]/below) - 1, 2e-2)


def same_bits():
    """Restarted in the middle, and on two threads."""
    with model_file(FLIGHT) as path:
        whole, rest, threads = (path.with_name(f"{name}.h5") for name in ("whole", "rest", "threads"))
        torsor("run", path, "-q", "-o", whole)
        torsor("restart", whole, "--from", 200, "-q", "-o", rest)
        torsor("run", path, "-q", "--threads", 2, "-o", threads)
        with h5py.File(whole) as a, h5py.File(rest) as b, h5py.File(threads) as c:
            for name in ("q", "v", "coordinate", "section_force"):
                check("bits", name, a[f"frames/{name}"][-1] - b[f"frames/{name}"][-1], 0, quiet=True)
                check("bits", f"{name}, threads", a[f"frames/{name}"][-1] - c[f"frames/{name}"][-1], 0, quiet=True)


def elsewhere():
    """Far away, and in millimetres and tonnes."""
    here = run(FLIGHT, case="here").position("load")[-1]
    far = FLIGHT
    for z in ("0.5]", "4.5]", "0]"):
        far = far.replace(f"[0, 0, {z}", f"[1000, 2000, {float(z[:-1]) - 3000}]")
    there = run(far, case="far").position("load")[-1] - np.array([1000, 2000, -3000])
    check("elsewhere", "far away", there - here, 1e-6)
    milli = HANGING.replace("units: SI", "units: {length: mm, mass: t}").replace(f"-{G}", f"-{1000*G}")
    milli = milli.replace("EA: 1e6, mass: 2,", "EA: 1e6 N, mass: 2 kg/m,").replace("mass: 20,", "mass: 20 kg,").replace("-10]", "-10 m]").replace("STORED", ", stored: 30 m")
    milli = milli.replace("RATE", "0").replace("MOTION", "motions: {pay: {joint: line, displacement: 10 m + 0.5 m*t^2}}\n").replace("ANALYSIS", "")
    a, b = run(milli, case="mm").position("load")[-1], run(hanging("10 m + 0.5 m*t^2"), case="m").position("load")[-1]
    check("elsewhere", "in millimetres", a - b, 1e-9)


def refused():
    """Mistakes, and what a cable on a winch cannot do: told with the place and what to do."""
    base = hanging()
    cases = ((base.replace("stored: 30 m", "stored: 0 m"), "must be above zero"),
             (base.replace("stored: 30 m, ", ""), "give the length on the drum"),
             (base.replace("elements: 10", "elements: 10, damping: 0.1"), "cannot have damping"),
             (base.replace("elements: 10", "elements: 10, law: green"), "Hooke's law"),
             (base.replace("elements: 10", "elements: 10, tension_only: false"), "takes no compression"),
             (base.replace("joints:", "joints:\n  ring: {type: sliding, on: line, body: load, at: [0, 0, -10]}"), "which is stored on a winch"),
             (base + "shapes: {skin: {type: line, cable: line, radius: 0.01}, floor: {type: plane, on: ground, normal: z, at: [0, 0, -20]}}\ncontacts: {lands: {between: [skin, floor], stiffness: 1e6, friction: 0.1}}\n", "have no friction"))
    for text, words in cases:
        with model_file(text) as path:
            told = torsor("run", path, code=2).stderr
        check("refused", words, 0 if words in told and "case.yaml:" in told else 1, 0, told if words not in told else "", quiet=True)
    with model_file(hanging("10 m + 20 m*t")) as path:
        told = torsor("run", path, "-o", path.with_suffix(".h5"), code=4).stderr
    check("refused", "off its drum", 0 if "all off its drum" in told else 1, 0, quiet=True)
    with model_file(hanging()) as path:
        told = torsor("run", path, "--scheme", "newmark", "-o", path.with_suffix(".h5"), code=(1, 2, 4)).stderr
    check("refused", "other schemes", 0 if "material that flows" in told else 1, 0, told, quiet=True)


def main():
    need_program()
    statics()
    modes()
    for scheme in ("EP", "ED"):
        paying_out(scheme)
        off_the_drum(scheme)
        pendulum(scheme)
        waves(scheme)
        flight(scheme)
        landing(scheme)
    mine_hoist()
    same_bits()
    elsewhere()
    refused()


main()
sys.exit(verdict())
