#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Gaps and forces of contacts in events: shapes that touch, shapes that separate, forces that cross a value. Expected
values: free fall, two spheres on their way, a spring's half swing with gravity, a point over a box, distances of all
pairs by numpy, a load that grows, an impact with losses by scipy, a block that friction holds."""
import math
import sys

import h5py
from case_tools import check, need_program, np, run, verdict
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from program import events, model_file, torsor

HEAD = "torsor: 1\nunits: SI\n"
G = 9.81
BALL = HEAD + """gravity: [0, 0, -9.81]
bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 1.05], velocity: [0.3, 0, 0]}}
shapes:
  skin: {type: sphere, on: ball, radius: 0.1}
  floor: {type: plane, on: ground, normal: z}
contacts: {bounce: {between: [skin, floor], stiffness: 1e5}}
"""


def happened(out, name):
    return next(e for e in out.summary["events"] if e["name"] == name)


def touch(scheme):
    """The run stops when the ball touches: free fall."""
    case = f"touch, {scheme}"
    exact = math.sqrt(2*0.95/G)
    for step in ("7 ms", "0.3 s"):
        out = run(BALL + "events: {hit: {when: bounce.gap < 0, stop: true}}\n" + f"analysis: {{end: 2 s, step: {step}}}\n", scheme=scheme, case=case, audit=1e-11)
        check(case, f"when it touches, steps of {step}", out.t[-1] - exact, 1e-10)
        check(case, "gap in every row", out.frame["contact_gap"][:, 0] - (out.position("ball")[:, 2] - 0.1), 1e-15)
    early = run(BALL + "events: {near: {when: bounce.gap < 5 mm, mark: near}}\nanalysis: {end: 0.5 s, step: 7 ms}\n", scheme=scheme)
    check(case, "five millimetres before", happened(early, "near")["t"] - math.sqrt(2*0.945/G), 1e-10)


def part(scheme):
    """... and when it parts: z = -(g/w^2)(1 - cos wt) - (v/w) sin wt = 0; of second order."""
    case, w, v = f"part, {scheme}", math.sqrt(1e5), math.sqrt(2*G*0.95)
    swing = brentq(lambda t: G/w**2*(1 - math.cos(w*t)) + v/w*math.sin(w*t), 3.1/w, 4/w)
    exact, errors = v/G + swing, []
    for step in (4e-4, 2e-4, 1e-4):
        out = run(BALL + f"events: {{off: {{when: bounce.gap > 0, stop: true}}}}\nanalysis: {{end: 2 s, step: {step}}}\n", scheme=scheme, case=case, audit=1e-11)
        errors.append(out.t[-1] - exact)
    check(case, "when it parts", errors[-1], 1e-6)
    check(case, "order", math.log2(abs(errors[0]/errors[-1]))/2 - 2, 0.6)
    text = BALL + "events: {hit: {when: bounce.gap < 0, mark: hit}, off: {when: bounce.gap > 0, mark: off}}\nanalysis: {end: 2.5 s, step: 0.5 ms}\n"
    out = run(text, scheme=scheme, case=case, audit=1e-11)
    check(case, "as often as it jumps", [happened(out, "hit")["count"] - 3, happened(out, "off")["count"] - 3], 0)


def spheres(scheme):
    """Two spheres; a contact that is off has a gap, and an event switches it on."""
    case = f"spheres, {scheme}"
    text = HEAD + """bodies:
  a: {mass: 1, inertia: [1, 1, 1], velocity: [2, 0, 0]}
  b: {mass: 1, inertia: [1, 1, 1], position: [1.7, 0.05, 0], velocity: [-1, 0, 0]}
shapes: {s: {type: sphere, on: a, radius: 0.1}, r: {type: sphere, on: b, radius: 0.2}}
contacts: {hit: {between: [s, r], stiffness: 1e5}}
events: {off: {at: 0.2 s, switch_off: hit}, met: {when: hit.gap < 0 m, mark: met}, on: {at: 0.55 s, switch_on: hit}}
analysis: {end: 0.6 s, step: 3 ms}
"""
    out = run(text, scheme=scheme, case=case, audit=1e-11)
    apart = np.linalg.norm(out.position("a") - out.position("b"), axis=1) - 0.3
    check(case, "gap in every row", out.frame["contact_gap"][:, 0] - apart, 1e-15)
    check(case, "when they meet", happened(out, "met")["t"] - (1.7 - math.sqrt(0.09 - 0.0025))/3, 1e-10)


def shapes():
    """A ball before the face of a box; thirty balls among each other, where gaps end at twice the size of the smallest."""
    text = HEAD + """bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [1.5, 0.2, 0.1], velocity: [-0.1, 0, 0]}
  b: {mass: 1, inertia: [1, 1, 1]}
shapes: {s: {type: sphere, on: a, radius: 0.1}, r: {type: box, on: b, size: [1, 1, 1]}}
contacts: {hit: {between: [s, r], stiffness: 1e5}}
analysis: {end: 1 s, step: 0.1 s}
"""
    out = run(text)
    x = out.position("a")
    apart = np.linalg.norm(np.maximum(np.abs(x) - 0.5, 0), axis=1) - 0.1
    check("shapes", "face of a box", out.frame["contact_gap"][:, 0] - apart, 1e-12)
    rng = np.random.default_rng(7)
    places, speeds = 3*rng.random((30, 3)), 0.3*rng.standard_normal((30, 3))
    numbers = lambda v: "[" + ", ".join(f"{x:.6f}" for x in v) + "]"
    text = HEAD + "bodies:\n" + "".join(f"  b{i}: {{mass: 1, inertia: [1, 1, 1], position: {numbers(places[i])}, velocity: {numbers(speeds[i])}}}\n" for i in range(30))
    text += "shapes:\n" + "".join(f"  s{i}: {{type: sphere, on: b{i}, radius: {0.02 + 0.002*(i % 5)}}}\n" for i in range(30))
    text += f"contacts: {{all: {{among: [{', '.join(f's{i}' for i in range(30))}], stiffness: 1e4}}}}\nanalysis: {{end: 1 s, step: 10 ms}}\n"
    out = run(text, case="shapes", audit=1e-11)
    place = np.array([out.position(f"b{i}") for i in range(30)])
    radius = 0.02 + 0.002*(np.arange(30) % 5)
    i, k = np.triu_indices(30, 1)
    apart = np.min(np.linalg.norm(place[i] - place[k], axis=2) - (radius[i] + radius[k])[:, None], axis=0)
    check("shapes", "thirty balls", out.frame["contact_gap"][:, 0] - np.minimum(apart, 2*0.04), 1e-14, f"{np.mean(apart > 0.08):.2f} of the rows at the limit")


def pressed():
    """An event by the force of a contact: a ball at rest under a load that grows."""
    text = BALL.replace("1.05], velocity: [0.3, 0, 0]", f"{0.1 - G/1e5:.12f}]") + """loads: {push: {type: force, body: ball, force: [0, 0, -10 N * t]}}
events: {much: {when: bounce.force.normal > 12 N, stop: true}}
analysis: {end: 1 s, step: 1 ms}
"""
    out = run(text, scheme="ED", case="pressed", audit=1e-11)
    check("pressed", "when the force is there", out.t[-1] - (12 - G)/10, 10/math.sqrt(1e5)/10 + 1e-3, "it swings on its spring by 10 N/s over sqrt(k/m)")


def impact(scheme):
    """The force k p (1 + c p') of an impact with restitution 1/2 rises and falls through 300 N: scipy; of second order. Means over steps would be late by up to half a step."""
    case, k, v, e = f"impact, {scheme}", 1e5, math.sqrt(2*G*0.95), 0.5
    loss = brentq(lambda x: x - math.log1p(x) + e*x + math.log1p(-e*x), 1e-6, 1/e - 1e-9)/v

    def force(_, y):
        return k*max(-y[0], 0)*max(0, 1 - loss*y[1]) - 300

    when = solve_ivp(lambda t, y: [y[1], force(t, y) + 300 - G], (0, 0.012), [0, -v], rtol=1e-12, atol=1e-14, max_step=1e-4, events=force).t_events[0] + v/G
    text = (BALL.replace("stiffness: 1e5", "stiffness: 1e5, restitution: 0.5")
            + "events: {hard: {when: bounce.force.normal > 300 N, mark: hard}, soft: {when: bounce.force.normal < 300 N, mark: soft}}\nanalysis: {end: 0.46 s, step: STEP}\n")
    errors = []
    for step in (8e-4, 4e-4, 2e-4, 1e-4):
        out = run(text.replace("STEP", str(step)), scheme=scheme, case=case, audit=1e-11)
        found = [happened(out, name) for name in ("hard", "soft")]
        check(case, "counts", [one["count"] - 1 for one in found], 0)
        errors.append(max(abs(one["t"] - t) for one, t in zip(found, when)))
    check(case, "when", errors[-1], 1e-6, ", ".join(f"{one:.1e}" for one in errors) + " s")
    check(case, "order", min(math.log2(errors[0]/errors[-1])/3 - 2, 0), 0.3)


def held(scheme):
    """A block that lies is pulled by 10 N/s: friction is 2 N after 0.2 s, and slides at 0.3 of its weight; it never passes that."""
    case = f"held, {scheme}"
    text = HEAD + f"""gravity: [0, 0, -{G}]
bodies: {{block: {{mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.1]}}}}
shapes:
  box: {{type: box, on: block, size: [0.2, 0.2, 0.2]}}
  floor: {{type: plane, on: ground, normal: z}}
contacts: {{lies: {{between: [box, floor], stiffness: 1e6, friction: 0.3}}}}
loads: {{pull: {{type: force, body: block, at: [0, 0, 0], force: [10 N/s*time, 0, 0]}}}}
events:
  two: {{when: lies.force.friction > 2 N, mark: two}}
  more: {{when: lies.force.friction > {0.3*G*1.001} N, mark: more}}
analysis: {{end: 0.4 s, step: 1 ms, start: static}}
"""
    out = run(text, scheme=scheme, case=case, audit=1e-11)
    check(case, "counts", [happened(out, "two")["count"] - 1, sum(e["count"] for e in out.summary["events"]) - 1], 0)
    check(case, "when", happened(out, "two")["t"] - 0.2, 1e-6)


def restarts(scheme):
    """Events by forces and accelerations in an impact: bit for bit alike, from every step of it on."""
    case = f"restarts, {scheme}"
    text = BALL.replace("stiffness: 1e5", "stiffness: 1e4, restitution: 0.6, friction: 0.3").replace("1.05]", "0.15]") + f"""loads: {{up: {{type: force, body: ball, force: [0, 0, 3 N]}}}}
events:
  hard: {{when: bounce.force.normal > 30 N, switch_off: up}}
  soft: {{when: bounce.force.normal < 5 N, switch_on: up}}
  rub: {{when: bounce.force.friction > 2 N, mark: rub}}
  kick: {{when: ball.acceleration.z > 20 m/s^2, mark: kick}}
analysis: {{scheme: {scheme}, step: 1 ms, end: 0.2 s}}
outputs: {{restart: 1}}
"""
    with model_file(text) as path:
        whole, rest = path.with_name("whole.h5"), path.with_name("rest.h5")
        done = events("run", path, "-o", whole)[-1]
        check(case, "events", 0 if all(e["count"] > 0 for e in done["events"]) else 1, 0, f"{sum(e['count'] for e in done['events'])} of them")
        first = int(1e3*min(e["t"] for e in done["events"]))
        for step in range(first - 2, first + 12, 2):
            torsor("restart", whole, "--from", step, "-q", "-o", rest)
            with h5py.File(whole) as a, h5py.File(rest) as b:
                for name in ("q", "v", "memory", "ledger", "event_time"):
                    check(case, f"{name} from step {step}", a[f"frames/{name}"][-1] - b[f"frames/{name}"][-1], 0, quiet=True)
            rest.unlink()


REFUSED = (
    ("loads: {f: {type: force, body: ball, force: [0, 0, 1 N/m * bounce.gap]}}\n", "in conditions of events only"),
    ("states: {x: {rate: bounce.gap/(1 m*s)}}\n", "in conditions of events only"),
    ("signals: {near: bounce.gap}\nstates: {x: {rate: near/(1 m*s)}}\n", "in conditions of events only"),
    ("events: {e: {when: bounce.gap.rate < 0, stop: true}}\n", "has no channel 'gap.rate'"),
    ("events: {e: {when: skin.gap < 0, stop: true}}\n", "has no channel 'gap'"),
    ("events: {e: {when: bounce.gap < 0 N, stop: true}}\n", "length"),
)


def refused():
    for text, words in REFUSED:
        with model_file(BALL + text + "analysis: {end: 1 s, step: 0.1 s}\n") as path:
            done = torsor("check", path, code=2)
        said = done.stdout + done.stderr
        check("refused", words, 0 if words in said else 1, 0, note="" if words in said else said[:300], quiet=True)


if __name__ == "__main__":
    need_program()
    for way in ("EP", "ED"):
        touch(way), part(way), spheres(way), impact(way), held(way), restarts(way)
    shapes(), pressed(), refused()
    sys.exit(verdict())
