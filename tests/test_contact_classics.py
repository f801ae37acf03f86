#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Contact against problems of the textbooks that have closed forms, each as drawn, turned and a hundred metres away, a thousand times smaller and a thousand times larger, by EP and ED: a superball, a
tippe top and Jellett's constant, a ball in a vertical tube, a ball in a loop, a ball on a turntable, a ball that leaves a ball, a rod that falls on its end, a coin that spins about its middle, a block on a
table that is pushed, a block on a board, a board over an edge, a ball that lies, a heap at rest, a celt that turns round (rattleback), a rod with Painlevé's angle."""
import math
import sys

from scipy.integrate import solve_ivp

from case_tools import check, need_program, np, run, verdict

from program import QUICK

G = 9.81
AUDIT = 1e-11


def turned():
    """A rotation across all axes."""
    axis, angle = np.array([1, 2, -2])/3, 2.1
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + math.sin(angle)*K + (1 - math.cos(angle))*K @ K


class World:
    """Where and how large a model is drawn: lengths times L, masses times M, times times T. Numbers go in and come back in SI, as if drawn plainly."""

    def __init__(self, name, Q=np.eye(3), far=(0, 0, 0), L=1, M=1, T=1):
        self.name, self.Q, self.far, self.L, self.M, self.T = name, Q, np.array(far, float), L, M, T

    def number(self, x, length=0, mass=0, time=0):
        return f"{x*self.L**length*self.M**mass*self.T**time:.17g}"

    def vector(self, x, length=0, time=0):
        return "[" + ", ".join(self.number(c, length, 0, time) for c in self.Q @ np.array(x, float)) + "]"

    def place(self, x):
        return "[" + ", ".join(f"{c:.17g}" for c in self.L*(self.Q @ np.array(x, float) + self.far)) + "]"

    def axes(self, R=np.eye(3)):
        """A rotation, of axes R as drawn plainly."""
        x, y = (", ".join(f"{c:.17g}" for c in (self.Q @ R)[:, k]) for k in (0, 1))
        return f"{{x: [{x}], y: [{y}]}}"

    def body(self, name, mass, inertia, at, v=(0, 0, 0), omega=(0, 0, 0), centre=None, R=np.eye(3)):
        """Axes R, as drawn plainly; inertia about them."""
        J = ", ".join(self.number(j, 2, 1) for j in inertia)
        c = "" if centre is None else ", centre: [" + ", ".join(self.number(x, 1) for x in centre) + "]"
        return (f"  {name}: {{mass: {self.number(mass, 0, 1)}, inertia: [{J}], position: {self.place(at)}, orientation: {self.axes(R)}, "
                f"velocity: {self.vector(v, 1, -1)}, angular_velocity: {self.vector(omega, 0, -1)}{c}}}")

    def stiffness(self, k):
        return self.number(k, 0, 1, -2)

    def model(self, bodies, shapes, contact, end, step, more="", gravity=(0, 0, -G)):
        return "\n".join(["torsor: 1", "units: SI", f"gravity: {self.vector(gravity, 1, -2)}", "bodies:", *bodies, "shapes:", *("  " + s for s in shapes), f"contacts: {{c: {{{contact}}}}}",
                          more, f"analysis: {{end: {self.number(end, 0, 0, 1)}, step: {self.number(step, 0, 0, 1)}}}", ""])

    # ---- results, back as drawn plainly ----

    def time(self, out):
        return out.t/self.T

    def position(self, out, body):
        return (out.position(body)/self.L - self.far) @ self.Q

    def velocity(self, out, body):
        return out.velocity(body) @ self.Q*self.T/self.L

    def omega(self, out, body):
        return out.omega(body) @ self.Q*self.T


WORLDS = (World("plain"), World("turned, a hundred metres away", turned(), (70, -60, 40)), World("small", turned(), (0.1, 0.2, 0.3), 1e-3, 1e-9, 0.03), World("large", L=1e3, M=1e9, T=30))


def go(case, world, scheme, text, audit=AUDIT, **options):
    """Places are rounded, the more the farther away they are."""
    return run(text, scheme=scheme, case=f"{case} ({world.name})", audit=audit*(5 if "away" in world.name else 1), **options)


# ---- ball on floor ----

def ball_floor(w, r=0.05, m=0.2):
    J = 0.4*m*r*r
    return m, J, [f"skin: {{type: sphere, on: ball, radius: {w.number(r, 1)}}}", f"floor: {{type: plane, on: ground, normal: {w.vector((0, 0, 1))}, at: {w.place((0, 0, 0))}}}"]


def superball(w, scheme):
    """Garwin: spin and speed change by an impulse at the point of contact: J w + m r v along the floor stays. A ball that grips leaves with the slip gone, or reversed."""
    r = 0.05
    m, J, shapes = ball_floor(w, r)
    for mu, e in ((0.15, 1), (5, 1), (0.15, 0.7)):
        ball = w.body("ball", m, (J, J, J), (0, 0, r + 1e-3), v=(3, 0, -4), omega=(0, -20, 0))
        out = go("superball", w, scheme, w.model([ball], shapes, f"between: [skin, floor], stiffness: {w.stiffness(1e6)}, friction: {mu}, restitution: {e}", 6e-3, 1e-5, gravity=(0, 0, 0)))
        v, omega = w.velocity(out, "ball"), w.omega(out, "ball")
        check("superball", f"{w.name}, {scheme}, mu = {mu}, e = {e}: back speed", v[-1, 2]/4 - e, 0.005)
        moment = J*omega[:, 1] + m*r*v[:, 0]
        check("superball", f"{w.name}, {scheme}, mu = {mu}, e = {e}: moment about the contact", (moment[-1] - moment[0])/(m*r*4), 3e-3)
        slip = v[:, 0] - r*omega[:, 1]
        if mu < 1:  # slides all the time: Coulomb's impulse
            check("superball", f"{w.name}, {scheme}, e = {e}: speed along, sliding", v[-1, 0] - (3 - mu*(1 + v[-1, 2]/4)*4), 2e-2)
        else:
            check("superball", f"{w.name}, {scheme}: the slip is not larger than before", max(0, abs(slip[-1])/abs(slip[0]) - 1), 1e-9)


def floor(w, name="floor", on="ground"):
    return f"{name}: {{type: plane, on: {on}, normal: {w.vector((0, 0, 1))}, at: {w.place((0, 0, 0))}}}"


def tippe_top(w, scheme):
    """A ball whose mass centre is off its middle, spinning on its heavy side: friction raises the mass centre until the top stands on its head, and never changes Jellett's constant, the
    angular momentum along the arm from the mass centre to the contact (E. J. Routh; J. H. Jellett 1872)."""
    r, m, off, mu = 0.02, 0.015, 0.004, 0.3
    A = 0.4*m*r*r
    sink = m*G/2e4
    R = np.array([[math.cos(0.1), 0, math.sin(0.1)], [0, 1, 0], [-math.sin(0.1), 0, math.cos(0.1)]])
    omega = np.array((0, 0, 150.0))
    c = R @ (0, 0, -off)
    top = w.body("ball", m, (A, A, A), (0, 0, r - sink), v=-np.cross(omega, c), omega=omega, centre=(0, 0, -off), R=R)
    shapes = [f"skin: {{type: sphere, on: ball, radius: {w.number(r, 1)}}}", floor(w)]
    out = go("tippe top", w, scheme, w.model([top], shapes, f"between: [skin, floor], stiffness: {w.stiffness(2e4)}, friction: {mu}, restitution: 0.5, unresolved: keep", 4, 5e-4), every=4)
    x, om = w.position(out, "ball"), w.omega(out, "ball")
    D = np.einsum("ij,njk->nik", w.Q.T, out.rotation("ball"))
    arm = np.array((0, 0, -r)) - off*-1*np.zeros(3) - D @ (0, 0, -off)
    L = A*om  # about the mass centre: inertia is that of a ball
    jellett = np.einsum("ni,ni->n", L, arm)
    check("tippe top", f"{w.name}, {scheme}: Jellett's constant", (jellett - jellett[0])/jellett[0], 3e-3, f"{np.ptp(jellett)/abs(jellett[0]):.1e}")
    check("tippe top", f"{w.name}, {scheme}: it turns over", min(0, D[-1, 2, 2] + 0.95), 1e-9, f"cos {D[-1, 2, 2]:.3f}")


def golf_ball(w, scheme):
    """A ball that rolls round in a vertical tube goes up and down, and does not fall: angular speed of the height sqrt(2/7) of that around (J. E. Littlewood's golf ball)."""
    R, r, m, V, k = 0.5, 0.1, 1, 4.0, 1e6
    rho = R - r
    Omega = V/rho
    depth = m*V*V/rho/k
    rho += depth
    V = Omega*rho
    spin = -V/r  # rolls on the wall: about the vertical
    J = 0.4*m*r*r
    ball = w.body("ball", m, (J, J, J), (rho, 0, 0), v=(0, V, 0), omega=(0, 0, spin))
    shapes = [f"skin: {{type: sphere, on: ball, radius: {w.number(r, 1)}}}", f"tube: {{type: hole, on: ground, radius: {w.number(R, 1)}, axis: {w.vector((0, 0, 1))}, at: {w.place((0, 0, 0))}}}"]
    rate = math.sqrt(2/7)*Omega
    out = go("golf ball", w, scheme, w.model([ball], shapes, f"between: [skin, tube], stiffness: {w.stiffness(k)}, friction: 2", 3, 1e-3))
    t, z = w.time(out), w.position(out, "ball")[:, 2]
    # z'' = -5/7 g - 2/7 Omega^2 z
    depth = 5/7*G/rate**2
    check("golf ball", f"{w.name}, {scheme}: height", (z + depth*(1 - np.cos(rate*t)))/depth, 1e-2)


def loop(w, scheme):
    """A ball that rolls through a loop: v^2 = 27/7 g rho below is just enough. With 5 % more it presses by m (v^2/rho - 27/7 g) at the top; with 10 % less it leaves the loop where
    cos = -(7 v^2/(g rho) - 10)/17 from below. With the wrong spin on a stiff loop it skids, and its energy is lost in friction."""
    R, r, m = 1, 0.1, 1
    rho, J = R - r, 0.4*m*r*r
    shapes = [f"skin: {{type: sphere, on: ball, radius: {w.number(r, 1)}}}", f"loop: {{type: hole, on: ground, radius: {w.number(R, 1)}, axis: {w.vector((0, 1, 0))}, at: {w.place((0, 0, 0))}}}"]
    for share, k, turn in ((1.05, 1e7, 1), (0.9, 1e7, 1), (1, 1e8, -1)):
        v = math.sqrt(27/7*G*rho*share)
        ball = w.body("ball", m, (J, J, J), (0, 0, -rho), v=(v, 0, 0), omega=(0, turn*v/r, 0))
        text = w.model([ball], shapes, f"between: [skin, loop], stiffness: {w.stiffness(k)}, friction: 5, restitution: 0.1", 0.8, 1e-3)
        out = go("loop", w, scheme, text)
        x = w.position(out, "ball")
        if turn < 0:
            continue
        if share > 1:
            N = out.frame["contact_force"][:, 0, 0]/w.M/w.L*w.T**2
            check("loop", f"{w.name}, {scheme}: force at the top", (N[np.argmax(x[:, 2])] - 27/7*m*G*(share - 1))/(m*G), 1e-4)
        else:
            away = next(i for i in range(20, len(x)) if np.hypot(x[i, 0], x[i, 2]) < rho)
            check("loop", f"{w.name}, {scheme}: leaves at", -x[away, 2]/rho + (7*v*v/(G*rho) - 10)/17, 1e-3)


def turntable(w, scheme):
    """A ball that rolls on a turning table goes round in a circle at 2/7 of the table's speed, wherever it is (S. Earnshaw 1844)."""
    r, m, W, k = 0.1, 1, 3.0, 1e5
    J, sink = 0.4*m*r*r, m*G/k
    at, v = np.array((0.3, 0.2, r - sink)), np.array((0.2, -0.1, 0))
    # no slip: v + omega x (-(r - sink) z) = W z x at
    u = v - np.cross((0, 0, W), (at[0], at[1], 0))
    omega = np.array((-u[1], u[0], 0))/(r - sink)
    bodies = [w.body("table", 10, (1, 1, 1), (0, 0, 0), omega=(0, 0, W)), w.body("ball", m, (J, J, J), at, v=v, omega=omega)]
    shapes = [f"skin: {{type: sphere, on: ball, radius: {w.number(r, 1)}}}", floor(w, "top", "table")]
    more = (f"joints: {{pin: {{type: revolute, bodies: [ground, table], at: {w.place((0, 0, 0))}, axis: {w.vector((0, 0, 1))}}}}}\n"
            f"motions: {{turn: {{joint: pin, angle: \"{w.number(W, 0, 0, -1)} rad*t\"}}}}")
    out = go("turntable", w, scheme, w.model(bodies, shapes, f"between: [skin, top], stiffness: {w.stiffness(k)}, friction: 0.8", 4, 2e-3, more))
    t, x = w.time(out), w.position(out, "ball")[:, :2]
    n = 2/7*W
    c = at[:2] + np.array((-v[1], v[0]))/n
    a = at[:2] - c
    exact = c + np.stack((a[0]*np.cos(n*t) - a[1]*np.sin(n*t), a[0]*np.sin(n*t) + a[1]*np.cos(n*t)), 1)
    check("turntable", f"{w.name}, {scheme}: circle", x - exact, 2e-3, f"radius {np.hypot(*a):.3f}")


def leaves_ball(w, scheme):
    """A small ball on a large one: leaves it at cos = 2/3 if it slides, at 10/17 if it rolls."""
    R, r, m, k = 1, 0.1, 1, 1e7
    J, first = 0.4*m*r*r, 0.3
    for mu, cosine in ((0, 2/3), (100, 10/17)):
        share = 0 if mu == 0 else 0.4
        v = math.sqrt(2*G*(R + r)*(1 - math.cos(first))/(1 + share))  # as if from the top
        n, along = np.array((math.sin(first), 0, math.cos(first))), np.array((math.cos(first), 0, -math.sin(first)))
        depth = (m*G*math.cos(first) - m*v*v/(R + r))/k
        ball = w.body("ball", m, (J, J, J), (R + r - depth)*n, v=v*along, omega=(0, v/r if mu else 0, 0))
        shapes = [f"skin: {{type: sphere, on: ball, radius: {w.number(r, 1)}}}", f"big: {{type: sphere, on: ground, radius: {w.number(R, 1)}, at: {w.place((0, 0, 0))}}}"]
        out = go("ball on ball", w, scheme, w.model([ball], shapes, f"between: [skin, big], stiffness: {w.stiffness(k)}, friction: {mu}", 1, 5e-4))
        x = w.position(out, "ball")
        apart = np.hypot(x[:, 0], x[:, 2]) - R - r
        away = next(i for i in range(len(apart)) if apart[i] > 0)
        check("ball on ball", f"{w.name}, {scheme}, mu = {mu}: leaves at", x[away, 2]/np.hypot(x[away, 0], x[away, 2]) - cosine, 3e-3)


def falling_rod(w, scheme):
    """A rod falls on its end, without friction: the impulse (1 + e) v/(1/m + a^2/J), a the arm along the floor."""
    half, r, m, v, tilt = 0.5, 0.02, 1, 2.0, 0.7
    J = m*half*half/3
    along = np.array((math.cos(tilt), 0, math.sin(tilt)))
    R = np.array([along, (0, 1, 0), np.cross(along, (0, 1, 0))]).T
    for e in (1, 0.5):
        rod = w.body("rod", m, (1e-3, J, J), (0, 0, half*math.sin(tilt) + r + 1e-4), v=(0, 0, -v), R=R)
        middle = np.array((0, 0, half*math.sin(tilt) + r + 1e-4))
        shapes = [f"skin: {{type: capsule, on: rod, from: {w.place(middle - half*along)}, to: {w.place(middle + half*along)}, radius: {w.number(r, 1)}}}", floor(w)]
        out = go("rod", w, scheme, w.model([rod], shapes, f"between: [skin, floor], stiffness: {w.stiffness(1e8)}, restitution: {e}, unresolved: cut", 2e-3, 1e-4, gravity=(0, 0, 0)))
        arm = half*math.cos(tilt)
        impulse = (1 + e)*v/(1/m + arm*arm/J)
        check("rod", f"{w.name}, {scheme}, e = {e}: speed", w.velocity(out, "rod")[-1, 2] - (impulse/m - v), 0.02*v)
        check("rod", f"{w.name}, {scheme}, e = {e}: turn", (w.omega(out, "rod")[-1, 1] - impulse*arm/J)/(impulse*arm/J), 0.01)


def euler_disc(w, scheme):
    """A thin coin rolls about its middle, which stays: turns about the vertical at sqrt(4 g/(R sin a)), a its tilt (H. K. Moffatt 2000)."""
    R, m, tilt, k, rim = 0.1, 0.5, 0.5, 1e6, 1e-4
    A, C = m*R*R/4, m*R*R/2
    height = (R - rim)*math.sin(tilt) + rim
    W = math.sqrt(4*G/(R*math.sin(tilt)))
    n = np.array((math.sin(tilt), 0, math.cos(tilt)))  # axis; the lowest point is at +x
    x1 = np.array((math.cos(tilt), 0, -math.sin(tilt)))
    D = np.array([x1, (0, 1, 0), n]).T
    # the middle stays and the contact point of the coin is at rest: omega is along the radius to it
    omega = -W*math.sin(tilt)*-1*x1*-1
    coin = w.body("coin", m, (A, A, C), (0, 0, height - m*G/k), omega=omega, R=D)
    shapes = [f"skin: {{type: disc, on: coin, axis: {w.vector(n)}, radius: {w.number(R, 1)}, rounding: {w.number(rim, 1)}}}", floor(w)]
    out = go("Euler's disc", w, scheme, w.model([coin], shapes, f"between: [skin, floor], stiffness: {w.stiffness(k)}, friction: 1", 1, 2e-4), every=5)
    t = w.time(out)
    axis = np.einsum("ij,njk->nik", w.Q.T, out.rotation("coin"))[:, :, 2]
    angle = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    check("Euler's disc", f"{w.name}, {scheme}: tilt", np.arccos(axis[:, 2]) - tilt, 0.02)
    check("Euler's disc", f"{w.name}, {scheme}: precession", abs(angle[-1] - angle[0])/(W*t[-1]) - 1, 5e-3, f"{abs(angle[-1] - angle[0])/t[-1]:.3f} of {W:.3f} rad/s")


def pushed_table(w, scheme):
    """A table is pulled with the acceleration a under a block: the block stays behind by (a - mu g) t^2/2 if a > mu g, and goes along if not."""
    m, half, k, mu = 2, 0.05, 1e6, 0.3
    J = m*(0.2**2 + 0.1**2)/12
    sink = m*G/4/k
    for a in (2.0, 5.0):
        bodies = [w.body("table", 5, (1, 1, 1), (0, 0, -0.1)), w.body("block", m, (J, J, J), (0, 0, half - sink))]
        size = ", ".join(w.number(s, 1) for s in (0.2, 0.2, 0.1))
        shapes = [f"box: {{type: box, on: block, size: [{size}]}}", floor(w, "top", "table")]
        more = (f"joints: {{rail: {{type: prismatic, bodies: [ground, table], at: {w.place((0, 0, -0.1))}, axis: {w.vector((1, 0, 0))}}}}}\n"
                f"motions: {{pull: {{joint: rail, displacement: \"{w.number(a/2, 1, 0, -2)} m*t^2\"}}}}")
        out = go("table", w, scheme, w.model(bodies, shapes, f"between: [box, top], stiffness: {w.stiffness(k)}, friction: {mu}, restitution: 0.2, unresolved: keep", 0.5, 1e-3, more))
        t, x = w.time(out), w.position(out, "block")[:, 0]
        check("table", f"{w.name}, {scheme}, a = {a:g}: place of the block", x - min(a, mu*G)*t**2/2, 5e-4)  # the bristle bends first


def block_on_board(w, scheme):
    """A block slides on a board that slides freely: both go on together after v/(mu g (1 + m/M)), with the momentum they had."""
    m, M, v, mu, k = 1, 3, 2.0, 0.3, 1e6
    J = 0.01
    board = w.body("board", M, (1, 1, 1), (0, 0, 0.05))
    block = w.body("block", m, (J, J, J), (-0.3, 0, 0.15), v=(v, 0, 0))
    sizes = [", ".join(w.number(s, 1) for s in size) for size in ((2, 0.5, 0.1), (0.2, 0.2, 0.1))]
    shapes = [f"long: {{type: box, on: board, size: [{sizes[0]}]}}", f"box: {{type: box, on: block, size: [{sizes[1]}]}}", floor(w)]
    law = f"stiffness: {w.stiffness(k)}, restitution: 0.2, unresolved: keep"
    text = w.model([board, block], shapes, f"between: [box, long], friction: {mu}, {law}", 0.8, 1e-3)
    text = text.replace("contacts: {", f"contacts: {{below: {{between: [long, floor], {law}}}, ")
    out = go("board", w, scheme, text)
    t, x = w.time(out), w.position(out, "block")[:, 0] - w.position(out, "board")[:, 0]
    check("board", f"{w.name}, {scheme}: speed in the end", w.velocity(out, "block")[-1, 0] - m*v/(m + M), 1e-4)
    check("board", f"{w.name}, {scheme}: way on the board", x[-1] + 0.3 - v*v/(2*mu*G*(1 + m/M)), 2e-3)


def over_the_edge(w, scheme):
    """A board lies on a block with its middle a little within the edge, and stays; or beyond it, and tips over, slowly at first: J'' theta = m g x."""
    m, k = 1, 1e6
    for inside in (True, False):
        x = 0.5 + (-0.02 if inside else 0.02)
        size = ", ".join(w.number(s, 1) for s in (0.8, 0.2, 0.05))
        base = ", ".join(w.number(s, 1) for s in (1, 1, 1))
        board = w.body("board", m, (m*(0.2**2 + 0.05**2)/12, m*(0.8**2 + 0.05**2)/12, m*(0.8**2 + 0.2**2)/12), (x, 0, 0.025))
        shapes = [f"plank: {{type: box, on: board, size: [{size}], rounding: {w.number(1e-3, 1)}}}", f"stone: {{type: box, on: ground, size: [{base}], at: {w.place((0, 0, -0.5))}, axes: {w.axes()}, rounding: {w.number(1e-3, 1)}}}"]
        out = go("edge", w, scheme, w.model([board], shapes, f"between: [plank, stone], stiffness: {w.stiffness(k)}, friction: 0.5, restitution: 0.2, unresolved: keep", 0.6, 1e-3), audit=1e-9)  # of nearly nothing: it lies
        along = np.einsum("ij,njk->nik", w.Q.T, out.rotation("board"))[:, :, 0]
        angle = -np.arctan2(along[:, 2], along[:, 0])
        if inside:
            check("edge", f"{w.name}, {scheme}: stays", angle, 1e-3)
        else:
            check("edge", f"{w.name}, {scheme}: tips over", min(0, angle[-1] - 0.1), 1e-9, f"{angle[-1]:.3f} rad")


def painleve(w, scheme):
    """A rod slides on its end with so much friction that rigid mechanics has no answer (P. Painlevé 1895). Here it jams, jumps and flips, and the ledger stays closed."""
    half, r, m, tilt = 0.5, 0.01, 1, 1.2
    J = m*half*half/3
    along = np.array((math.cos(tilt), 0, math.sin(tilt)))
    R = np.array([along, (0, 1, 0), np.cross(along, (0, 1, 0))]).T
    middle = np.array((0, 0, half*math.sin(tilt) + r))
    for mu in (0.5, 3.0):
        for way in (-1, 1):
            rod = w.body("rod", m, (1e-3, J, J), middle, v=(way*2, 0, 0), R=R)
            shapes = [f"skin: {{type: capsule, on: rod, from: {w.place(middle - half*along)}, to: {w.place(middle + half*along)}, radius: {w.number(r, 1)}}}", floor(w)]
            out = go("Painleve", w, scheme, w.model([rod], shapes, f"between: [skin, floor], stiffness: {w.stiffness(1e6)}, friction: {mu}, restitution: 0.5", 1, 1e-3))
            z = w.position(out, "rod")[:, 2]
            check("Painleve", f"{w.name}, {scheme}, mu = {mu}: above the floor", min(0, z.min()), 1e-9, quiet=True)


def lies(w, scheme):
    """A ball drawn at rest, sunk in by 1 % more than its weight: it vibrates and comes to rest, damped by the ratio that the root of e - ln(1 + e) = -0.8 e - ln(1 - 0.8 e) is."""
    r, m, k, zeta = 0.05, 0.2, 1e5, 0.3731
    J, sink, omega = 0.4*m*r*r, m*G/k, math.sqrt(k/m)
    ball = w.body("ball", m, (J, J, J), (0, 0, r - 1.01*sink))
    shapes = [f"skin: {{type: sphere, on: ball, radius: {w.number(r, 1)}}}", floor(w)]
    out = go("lies", w, scheme, w.model([ball], shapes, f"between: [skin, floor], stiffness: {w.stiffness(k)}, restitution: 0.8", 20e-3, 1e-4), audit=1e-9)  # of nearly nothing
    t, z = w.time(out), (r - w.position(out, "ball")[:, 2])/sink - 1
    damped = omega*math.sqrt(1 - zeta**2)
    exact = 0.01*np.exp(-zeta*omega*t)*(np.cos(damped*t) + zeta/math.sqrt(1 - zeta**2)*np.sin(damped*t))
    check("lies", f"{w.name}, {scheme}: depth", (z - exact)/0.01, 0.02)


def heap_at_rest(w, scheme):
    """Forty balls in columns of ten that touch their neighbours and walls, each sunk by its load: nothing moves for a second, and a step takes fewer than four iterations (bench/bench_contact
    --rest 1000 leaves a thousand alone for ten)."""
    if w.name != "plain":
        return
    r, k, high = 0.05, 1e5, 10
    bodies, shapes, names = [], [floor(w)], ["floor"]
    for i, (x, y) in enumerate(((-1, -1), (1, -1), (-1, 1), (1, 1))):
        z = -r
        for n in range(high):
            z += 2*r - (high - n)*G/k
            bodies.append(w.body(f"b{i}_{n}", 1, (1e-3, 1e-3, 1e-3), (r*x, r*y, z)))
            shapes.append(f"s{i}_{n}: {{type: sphere, on: b{i}_{n}, radius: {r}}}")
            names.append(f"s{i}_{n}")
    for n, normal in enumerate(((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))):
        shapes.append(f"w{n}: {{type: plane, on: ground, normal: {w.vector(normal)}, at: {w.place(-2*r*np.array(normal))}}}")
        names.append(f"w{n}")
    out = go("heap", w, scheme, w.model(bodies, shapes, f"among: [{', '.join(names)}], stiffness: {k}, restitution: 0.5, friction: 0.3", 1, 1e-2), audit=1e-9)  # of nearly nothing
    check("heap", f"{scheme}: moved", out.frame["q"][-1] - out.frame["q"][0], 1e-9)
    check("heap", f"{scheme}: iterations", out.step["iterations"].mean(), 4)


def rattleback(w, scheme):
    """A celt, the rim of a disc as its bottom, with its axes of inertia turned by 8 degrees against it: it spins, rattles and spins the other way. Rigid rolling by scipy in the frame of the
    body, g the upward normal and r from the mass centre to the place that touches: dg/dt = g x omega, J domega/dt + omega x J omega = r x m (dv/dt + omega x v + G g), v = r x omega."""
    if w.name != "plain" and QUICK:
        return
    m, J, R, rounding, high, k, spin, rock = 0.1, np.diag([2e-5, 3.2e-4, 3.3e-4]), 0.2, 0.04, 0.015, 1e6, -2.0, 0.2
    c, s = math.cos(math.radians(8)), math.sin(math.radians(8))
    Q = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    axis, middle = Q.T @ [0, 1, 0], np.array([0, 0, R - high])

    def cross(a):
        return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])

    def touching(g):
        u = (g @ axis)*axis - g
        return middle + (R - rounding)*u/np.linalg.norm(u) - rounding*g

    def rate(_, y):
        g, omega = y[:3], y[3:]
        dg, r, e = np.cross(g, omega), touching(g), 1e-6
        dr, v = (touching(g + e*dg) - touching(g - e*dg))/(2*e), np.cross(r, omega)
        b = np.cross(r, m*(np.cross(dr, omega) + np.cross(omega, v) + G*g)) - np.cross(omega, J @ omega)
        return np.concatenate((dg, np.linalg.solve(J - m*cross(r) @ cross(r), b)))
    end = 8
    out = go("rattleback", w, scheme, w.model([w.body("celt", m, np.diag(J), (0, 0, high - m*G/k), (0, -rock*high, 0), (rock, 0, spin), R=Q)],
                                              [f"bottom: {{type: disc, on: celt, at: {w.place((0, 0, R - m*G/k))}, axis: {w.vector((0, 1, 0))}, radius: {w.number(R, 1)}, rounding: {w.number(rounding, 1)}}}", floor(w)],
                                              f"among: [bottom, floor], stiffness: {w.stiffness(k)}, friction: 3, restitution: 0.1", end, 5e-4), audit=2e-10 if "away" in w.name else AUDIT)  # 16000 roundings of its weight
    there = solve_ivp(rate, (0, end), np.concatenate(([0, 0, 1], Q.T @ [rock, 0, spin])), rtol=1e-10, atol=1e-12, method="DOP853", t_eval=[end/4, end/2, end])
    assert there.y[5, 0]*there.y[5, -1] < 0, "it has turned round"
    omega, steps = w.omega(out, "celt"), len(out.t) - 1
    got = [omega[round(share*steps), 2] for share in (0.25, 0.5, 1)]
    want = [there.y[:3, n] @ there.y[3:, n] for n in range(3)]
    check("rattleback", f"{w.name}, {scheme}: spin", np.array(got) - want, 1e-3)


CASES = (rattleback, lies, heap_at_rest, superball, tippe_top, golf_ball, loop, turntable, leaves_ball, falling_rod, euler_disc, pushed_table, block_on_board, over_the_edge, painleve)


def main():
    need_program()
    named = sys.argv[1:]
    for case in CASES:
        for w in WORLDS:
            for scheme in ("EP", "ED"):
                if not named or case.__name__ in named:
                    case(w, scheme)
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
