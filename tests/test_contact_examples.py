#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""examples/contact: every model runs, its audit closes to 1e-11 of the largest energy, and it does what its head says: Newton's cradle against an
ordinary differential equation, a billiard break against rolling, momentum and its mirror image, a lantern gear against the ratio of its teeth, a ball bearing against rolling, a rubber block on stairs against its mirror image, a car on a
bump against the path of its wheels, dominoes against the angle at which they lean on each other, gears and a chain against the ratios of their teeth, torques and pulls, a knot against its
determinant, its thickness and the loop of a thin cord."""
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy as np
from scipy.integrate import solve_ivp

TORSOR = os.environ["TORSOR"]
ROOT = pathlib.Path(os.environ["TORSOR_SOURCE_DIR"])
FOLDER = ROOT / "examples/contact"
G = 9.81


class Example:
    """A run of an example, with what h5py reads of it."""

    def __init__(self, name, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.h5"
            done = subprocess.run([TORSOR, "run", str(FOLDER / f"{name}.yaml"), "-q", "-o", str(path), *options], capture_output=True, text=True, timeout=250)
            if done.returncode:
                raise AssertionError(f"{name}: {done.stdout}{done.stderr}")
            with h5py.File(path) as file:
                self.read(file)

    def read(self, file):
        count = int(file["progress"][0])
        self.frame = {key: file["frames"][key][:count] for key in ("t", "q", "v", "omega", "contact_force", "contact_loss", "ledger", "coordinate")}
        self.t = self.frame["t"]
        self.reaction = {row["name"].decode(): {key: file["frames"][key][:count, row["reaction"]] for key in ("force", "moment")} for row in file["model/parts"][:] if row["reaction"] >= 0}
        nodes = file["model/nodes"][:]
        self.slot = {row["part"].decode(): row["slot"] for row in nodes}
        inner = {slot for slot in range(self.frame["q"].shape[1]) if not np.abs(self.frame["q"][0, slot]).any()}  # of elements, for themselves
        self.slots = {part: [row["slot"] for row in nodes if row["part"].decode() == part and row["slot"] not in inner] for part in self.slot}
        self.all_slots = {part: [row["slot"] for row in nodes if row["part"].decode() == part] for part in self.slot}
        self.node = {row["part"].decode(): i for i, row in enumerate(nodes)}
        self.contact = [row["part"].decode() for row in file["model/contacts"][:]]
        self.coordinate = {row["part"].decode(): i for i, row in enumerate(file["model/coordinates"][:])}
        self.balance = file["summary"].attrs["worst_balance"] / file["summary"].attrs["energy_scale"]

    def x(self, body):
        return self.frame["q"][:, self.slot[body]]

    def v(self, body):
        return self.frame["v"][:, self.slot[body]]

    def omega(self, body):
        return self.frame["omega"][:, self.node[body]]

    def force(self, contact):
        return self.frame["contact_force"][:, self.contact.index(contact), 0]

    def loss(self, contact):
        return self.frame["contact_loss"][:, self.contact.index(contact)]


class All(unittest.TestCase):
    def test_every_example_has_a_test(self):
        tested = set(pathlib.Path(__file__).read_text(encoding="utf-8").split('Example("')[1:])
        tested = {text.split('"')[0] for text in tested}
        self.assertEqual({path.stem for path in FOLDER.glob("*.yaml")}, tested & {path.stem for path in FOLDER.glob("*.yaml")})


class Audited:
    def test_audit(self):
        self.assertLess(self.run_.balance, 1e-11)
        self.assertGreaterEqual(np.diff(self.run_.frame["contact_loss"], axis=0).min(), -1e-15, "no contact gives energy")


class Cradle(Audited, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Example("newtons_cradle", "--end", "0.65 s", "--every", "10")

    def test_speeds_after_the_first_blow(self):
        """Five masses in a row, by Hertz' law; b to e at rest and just touching, a with the speed that it has at the lowest point."""
        R, L, angle = 0.025, 0.3, math.radians(30)
        mass = 7850 * 4 / 3 * math.pi * R**3
        modulus = 210e9 / (2 * (1 - 0.3**2))
        speed = math.sqrt(2 * G * L * (1 - math.cos(angle)))
        k = 4 / 3 * modulus * math.sqrt(R / 2)

        def rate(_, y):
            depth = np.maximum(y[:4] - y[1:5], 0)
            push = k * depth**1.5
            return np.concatenate([y[5:], (np.concatenate([[0], push]) - np.concatenate([push, [0]])) / mass])
        start = np.zeros(10)
        start[5] = speed
        exact = solve_ivp(rate, (0, 3e-3), start, rtol=1e-11, atol=1e-15, method="DOP853").y[5:, -1]
        error = []
        for step, every in (("10 us", "1"), ("5 us", "1")):
            run = Example("newtons_cradle", "--step", step, "--every", every, "--end", "0.282 s")
            blow = np.argmax(run.force("blows") > 1)
            after = blow + np.argmax(run.force("blows")[blow:] < 1e-9)  # strings are pendulums before and after: just when it has ended
            error.append(np.array([run.v(ball)[after, 0] for ball in "abcde"]) - exact)
        self.assertLess(np.abs(error[1]).max(), 1.5e-3 * speed)
        self.assertAlmostEqual(np.linalg.norm(error[0]) / np.linalg.norm(error[1]), 4, delta=0.8, msg="the error is of second order")
        self.assertGreater(exact[-1] / speed, 0.9)

    def test_the_last_ball_rises_as_its_speed_says(self):
        z, vx = self.run_.x("e")[:, 2], self.run_.v("e")[:, 0]
        top = z.argmax()
        self.assertLess(top, len(z) - 1)
        self.assertAlmostEqual(z[top] + 0.3, vx.max()**2 / (2 * G), delta=2e-3 * 0.04)

    def test_nothing_leaves_the_plane(self):
        self.assertLess(max(np.abs(self.run_.x(ball)[:, 1]).max() for ball in "abcde"), 1e-12)


class Break(Audited, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Example("billiard_break", "--end", "0.6 s", "--every", "10")
        cls.balls = [f"b{n}" for n in range(1, 16)]

    def test_the_cue_ball_slides_as_friction_says(self):
        first = self.run_.t < 0.1
        v = self.run_.v("cue")[first, 0]
        np.testing.assert_allclose(v, 7 - 0.2 * G * self.run_.t[first], atol=1e-3)
        spin = self.run_.omega("cue")[first, 1]
        np.testing.assert_allclose(spin, 2.5 * 0.2 * G / 0.0286 * self.run_.t[first], atol=0.2)

    def test_momentum_of_the_break(self):
        """Within the millisecond of the break friction on the cloth takes at most mu times the weight of all."""
        at = np.argmax(self.run_.force("balls") > 0)
        before, after = at - 1, at + 8
        total = sum(self.run_.v(ball)[:, 0] for ball in ["cue", *self.balls])
        span = self.run_.t[after] - self.run_.t[before]
        self.assertLess(abs(total[after] - total[before]), 16 * 0.2 * G * span * 3 + 0.02)
        self.assertGreater(max(self.run_.v(ball)[after, 0] for ball in self.balls), 1)

    def test_the_rack_opens_as_a_mirror_image(self):
        n = 0
        for row in range(5):
            for k in range(row + 1):
                one, other = f"b{n + 1 + k}", f"b{n + 1 + row - k}"
                a, b = self.run_.x(one), self.run_.x(other)
                np.testing.assert_allclose(a * [1, -1, 1], b, atol=1e-6)
            n += row + 1

    def test_no_ball_leaves_the_table(self):
        for ball in ["cue", *self.balls]:
            x = self.run_.x(ball)
            self.assertLess(np.abs(x[:, 1]).max(), 0.56)
            self.assertTrue(-1.4 < x[:, 0].min() and x[:, 0].max() < 0.8)

    def test_losses_are_what_is_dissipated(self):
        self.assertAlmostEqual(self.run_.frame["contact_loss"][-1].sum(), self.run_.frame["ledger"][-1, 5], delta=1e-11)

    def test_balls_roll_in_the_end(self):
        """Those that have not been hit for long: the point on the cloth is at rest."""
        rolling = 0
        for ball in self.balls:
            v, w = self.run_.v(ball)[-1], self.run_.omega(ball)[-1]
            slip = np.array([v[0] - w[1] * 0.0286, v[1] + w[0] * 0.0286])
            rolling += np.linalg.norm(slip) < 2e-3 and np.linalg.norm(v) > 0.05
        self.assertGreater(rolling, 3)


class Lantern(Audited, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Example("lantern_gear", "--end", "3.2 s")
        coordinate = cls.run_.frame["coordinate"]
        cls.shaft, cls.axle = (coordinate[:, cls.run_.coordinate[name]] for name in ("shaft", "axle"))

    def test_the_ratio_is_that_of_the_teeth(self):
        """The wheel lags by less than the play between a pin and its neighbours, whatever the angle."""
        play = (40 - 2 * 8 - 2 * 10) / 1000 / (12 * 0.04 / (2 * math.pi))
        lag = self.axle + self.shaft * 8 / 12
        self.assertGreater(self.shaft[-1], 4 * math.pi, "two turns")
        self.assertLess(np.ptp(lag), play)
        pitch = 2 * math.pi / 12
        self.assertLess(np.ptp(lag), pitch / 4)

    def test_what_the_motor_gives(self):
        ledger = self.run_.frame["ledger"]
        contact = self.run_.frame["contact_loss"][-1].sum()
        self.assertGreater(ledger[-1, 4], 0)
        self.assertLess(contact, ledger[-1, 5], "the damper takes the rest")
        mean = 4 * 8 / 12
        damper = 0.2 * mean**2 * self.run_.t[-1]
        self.assertAlmostEqual((ledger[-1, 5] - contact) / damper, 1, delta=0.06)


class Bearing(Audited, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Example("ball_bearing")
        cls.x = np.array([cls.run_.x(f"ball_{k}") for k in range(1, 10)])
        v = np.array([cls.run_.v(f"ball_{k}") for k in range(1, 10)])
        cls.round = (cls.x[..., 2] * v[..., 0] - cls.x[..., 0] * v[..., 2]) / (cls.x[..., 0]**2 + cls.x[..., 2]**2)

    def test_squeezed_balls_roll_on_both_races(self):
        """turns*ri/(ri + ro), of the ball that is lowest, at every state after the start."""
        late = self.run_.t > 0.12
        lowest = self.x[..., 2].argmin(axis=0)
        rate = self.round[lowest, np.arange(len(lowest))][late]
        off = np.abs(rate / (60 * 30 / 80) - 1)
        self.assertLess(np.median(off), 2e-3)
        self.assertLess(off.max(), 2e-2, "where it swings in its contacts")

    def test_all_go_round_in_their_plane(self):
        self.assertLess(np.abs(self.x[..., 1]).max(), 1e-12)
        self.assertGreater(self.round[:, self.run_.t > 0.12].mean(), 0.9 * 22.5)
        self.assertLess(self.round[:, self.run_.t > 0.12].mean(), 1.1 * 22.5)

    def test_the_shaft_sinks_by_the_clearance_and_the_springs_of_its_balls(self):
        """Below by half of the clearance, 10 um, and by no more than two contacts of one ball in a row give under 205 N."""
        z = self.run_.x("ring")[self.run_.t > 0.12, 2]
        self.assertLess(z.max(), -10e-6)
        self.assertGreater(z.min(), -10e-6 - 1.5 * 2 * 205 / 5e6)


class Stairs(Audited, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Example("rubber_on_stairs", "--end", "0.4 s")
        cls.x = cls.run_.frame["q"][:, cls.run_.slots["block"]]
        cls.v = cls.run_.frame["v"][:, cls.run_.slots["block"]]

    def test_it_flies_before_it_lands(self):
        """Its corners fall as free ones do: the lowest one is at the first step, 4 mm of thickness less, no sooner."""
        z = self.x[..., 2].min(axis=1)
        landed = np.argmax(self.run_.force("lands") > 0)
        self.assertLess(z[landed], 0.604 + 1e-3)
        self.assertGreater(z[:landed].min(), 0.604)

    def test_it_stays_in_the_middle(self):
        """Nodes that were drawn as mirror images stay so."""
        at = {tuple(np.round(p, 9)): k for k, p in enumerate(self.x[0])}
        for k, p in enumerate(self.x[0]):
            other = at[tuple(np.round(p * [1, -1, 1], 9))]
            np.testing.assert_allclose(self.x[:, k] * [1, -1, 1], self.x[:, other], rtol=0, atol=1e-8)

    def test_it_does_not_sink_in_and_loses_energy(self):
        over_first = (self.x[..., 0] < 0)
        self.assertGreater(self.x[..., 2][over_first].min(), 0.6)
        self.assertGreater(self.run_.loss("lands")[-1].sum(), 0.05)


class Car(Audited, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Example("car_on_a_bump")
        cls.weight = 74 * G

    def test_wheels_follow_the_bump(self):
        """The middle of a wheel is on the circle of radius R + RB about the middle of the bump, sunk in by its load over the stiffness."""
        for wheel in ("fl", "fr", "rl", "rr"):
            x = self.run_.x(f"wheel_{wheel}")
            on = (np.abs(x[:, 0]) < 0.13) & (self.run_.force(f"bump_{wheel}") > 0)
            self.assertGreater(on.sum(), 20)
            depth = np.hypot(x[on, 0], x[on, 2] - 0.03 + 0.3) - 0.45 + self.run_.force(f"bump_{wheel}")[on] / 2e5
            self.assertLess(np.abs(depth).max(), 2e-4)

    def test_wheels_are_round_and_roll(self):
        for wheel in ("fl", "rr"):
            slip = self.run_.v(f"wheel_{wheel}")[:, 0] - 0.15 * self.run_.omega(f"wheel_{wheel}")[:, 1]
            speed = self.run_.v(f"wheel_{wheel}")[-30:, 0].mean()
            # the load over the stiffness is 0.9 mm, 0.6 % of the radius; the bristles of friction swing about it
            self.assertLess(np.abs(slip[-30:].mean()), 6e-3 * speed)
            self.assertLess(np.abs(slip[-30:]).max(), 15e-3 * speed)

    def test_the_road_bears_the_weight(self):
        total = sum(self.run_.force(f"{ground}_{wheel}") for ground in ("road", "bump") for wheel in ("fl", "fr", "rl", "rr"))
        self.assertAlmostEqual(total[-60:].mean() / self.weight, 1, delta=0.01)
        self.assertGreater(total.max() / self.weight, 1.05, "the bump is felt")

    def test_the_car_has_crossed_and_stays_level(self):
        car = self.run_.x("car")
        self.assertGreater(car[-1, 0] - 0.4, 0.3)
        self.assertLess(np.abs(car[:, 1]).max(), 1e-9)
        self.assertAlmostEqual(car[-1, 2], 0.35 - self.weight / 4 / 2e5, delta=2e-3)


class Dominoes(Audited, unittest.TestCase):
    COUNT = 14

    @classmethod
    def setUpClass(cls):
        cls.run_ = Example("dominoes")
        q = cls.run_.frame["q"]
        axis = np.stack([q[:, cls.run_.slot[f"d{k + 1}"] + 3] for k in range(cls.COUNT)], axis=1)  # d3, upright at first
        cls.lean = np.arctan2(axis[:, :, 0], axis[:, :, 2])

    def test_they_lean_as_geometry_says(self):
        """Face to face: the distance P cos(lean) is the thickness D. The last ones lean on one that lies."""
        self.assertLess(np.abs(np.degrees(self.lean[-1, :9]) - math.degrees(math.acos(8 / 20))).max(), 1.0)
        self.assertAlmostEqual(np.degrees(self.lean[-1, -1]), 90, delta=0.5)

    def test_the_wave_runs_evenly(self):
        limit = math.radians(10)
        passed = []
        for k in range(self.COUNT):
            i = np.argmax(self.lean[:, k] > limit)
            a, b = self.lean[i - 1, k], self.lean[i, k]
            passed.append(self.run_.t[i - 1] + (limit - a) / (b - a) * (self.run_.t[i] - self.run_.t[i - 1]))
        last = np.diff(passed)[6:12]
        self.assertLess(np.ptp(last) / last.mean(), 0.25)
        self.assertTrue((np.diff(passed) > 0).all())

    def test_nothing_leaves_its_plane_or_sinks(self):
        for k in range(self.COUNT):
            x = self.run_.x(f"d{k + 1}")
            self.assertLess(np.abs(x[:, 1]).max(), 2e-3)
            self.assertGreater(x[:, 2].min(), 0.0038)

    def test_it_ends_at_rest(self):
        self.assertLess(np.abs(self.run_.frame["v"][-1]).max(), 5e-3)


class Gears(Audited, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Example("gear_pair")
        coordinate = cls.run_.frame["coordinate"]
        cls.pinion, cls.wheel = (coordinate[:, cls.run_.coordinate[f"{name}_shaft"]] for name in ("pinion", "wheel"))
        cls.late = cls.run_.t > 0.06  # speed and torque are there
        cls.base = 48e-3 * math.cos(math.radians(20))

    def test_the_ratio_is_that_of_the_teeth(self):
        turned = [np.polyfit(self.run_.t[self.late], angle[self.late], 1)[0] for angle in (self.pinion, self.wheel)]
        self.assertAlmostEqual(turned[1] / turned[0], -16 / 24, delta=1e-5)
        self.assertGreater(self.pinion[-1], 5 * 2 * math.pi / 16, "five teeth have passed")

    def test_the_transmission_error_is_small(self):
        """Along the line of action: facets of 1.4 mm at most on a flank of 20 mm radius are 12 um from it, and each gap gives by 133 N/2e7 N/m."""
        lag = (self.wheel + self.pinion * 16 / 24)[self.late] * self.base
        self.assertLess(np.ptp(lag), 20e-6)

    def test_torque_and_force(self):
        moment = self.run_.reaction["drive"]["moment"][self.late, 2].mean()
        self.assertAlmostEqual(abs(moment), 12 * 16 / 24, delta=0.01 * 8)
        self.assertAlmostEqual(self.run_.force("mesh")[self.late].mean(), 12 / self.base, delta=0.005 * 266)


class Chain(Audited, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Example("chain_drive")
        coordinate = cls.run_.frame["coordinate"]
        cls.shaft, cls.axle = (coordinate[:, cls.run_.coordinate[name]] for name in ("shaft", "axle"))
        cls.late = cls.run_.t > 0.25
        cls.radius = [0.01 / math.sin(math.pi / n) for n in (9, 15)]

    def test_the_ratio_is_that_of_the_teeth(self):
        turned = [np.polyfit(self.run_.t[self.late], angle[self.late], 1)[0] for angle in (self.shaft, self.axle)]
        self.assertAlmostEqual(turned[1] / turned[0], 9 / 15, delta=1e-3)
        self.assertGreater(self.shaft[-1], 4 * 2 * math.pi / 9, "four teeth have passed")

    def test_polygon_effect(self):
        """Within a tooth the chain moves by R sin(a), |a| <= pi/n, where it would move evenly by R a sin(pi/n)/(pi/n): both sprockets
        do that, and the difference of their angles goes to and fro by no more than their sum and no less than their difference."""
        def wave(n, R):
            c = math.sin(math.pi / n) / (math.pi / n)
            a = math.acos(c)
            return 2 * R * (math.sin(a) - c * a) / self.radius[1]
        small, large = wave(9, self.radius[0]), wave(15, self.radius[1])
        lag = (self.axle - self.shaft * 9 / 15)[self.late]
        self.assertGreater(np.ptp(lag), small - large)
        self.assertLess(np.ptp(lag), small + large)

    def test_pull_of_the_spans(self):
        """The difference of both, torque over the mean lever arm R sin(pi/n)/(pi/n); the lower one is slack."""
        upper, lower = [], []
        distance = self.run_.x("large")[0, 0]
        for k in range(1, 27):
            x = self.run_.x(f"l{k}")[:, :2]
            size = np.linalg.norm(self.run_.reaction[f"p{k}"]["force"], axis=1)
            there = self.late & (x[:, 0] > 0.03) & (x[:, 0] < distance - 0.05)
            upper += list(size[there & (x[:, 1] > 0)])
            lower += list(size[there & (x[:, 1] < 0)])
        pull = 8 / (self.radius[1] * math.sin(math.pi / 15) / (math.pi / 15))
        self.assertAlmostEqual(np.mean(upper) - np.mean(lower), pull, delta=0.02 * pull)
        self.assertLess(np.mean(lower), 0.05 * pull)

    def test_torque_of_the_drive(self):
        """That of the brake times the ratio, and a few percent for friction."""
        moment = abs(self.run_.reaction["drive"]["moment"][self.late, 2].mean())
        self.assertGreater(moment, 8 * 9 / 15)
        self.assertLess(moment, 1.03 * 8 * 9 / 15)


def determinant(line):
    """Of the knot of an open line whose ends are on its convex hull: the minor of its colouring matrix. 1: no knot, 3: a trefoil."""
    a, d = line[:-1], np.diff(line, axis=0)
    crossing = []  # where along the line it goes under, and where the strand above is
    for i in range(len(d)):
        for j in range(i + 2, len(d)):
            det = d[i, 0] * d[j, 1] - d[i, 1] * d[j, 0]
            if det == 0:
                continue
            w = a[j] - a[i]
            u, v = (w[0] * d[j, 1] - w[1] * d[j, 0]) / det, (w[0] * d[i, 1] - w[1] * d[i, 0]) / det
            if 0 <= u < 1 and 0 <= v < 1:
                first, second = (i + u, a[i, 2] + u * d[i, 2]), (j + v, a[j, 2] + v * d[j, 2])
                under, over = sorted((first, second), key=lambda x: x[1])
                crossing.append((under[0], over[0]))
    crossing.sort()
    unders = [u for u, _ in crossing]
    matrix = np.zeros((len(crossing), len(crossing) + 1))
    for row, (_, over) in enumerate(crossing):
        matrix[row, np.searchsorted(unders, over)] += 2
        matrix[row, row] -= 1
        matrix[row, row + 1] -= 1
    return 1 if not crossing else round(abs(np.linalg.det(matrix[:, 1:])))


class Knot(Audited, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Example("knot")
        nodes = cls.run_.frame["q"][:, cls.run_.all_slots["rod"]]
        xi = np.linspace(-1, 1, 9)[:-1, None]
        weights = np.hstack([xi * (xi - 1) / 2, 1 - xi**2, xi * (xi + 1) / 2])
        cls.lines = [np.vstack([*(weights @ x[k:k + 3] for k in range(0, len(x) - 1, 2)), x[-1:]]) for x in nodes]
        cls.pull = np.interp(cls.run_.t, [0, 0.5, 0.7, 2, 3.5], [0, 0, 0.1, 0.1, 0.6])
        cls.stiffness = 50e6 * math.pi * 2e-3**4 / 4

    def radius(self, k):
        """Of the loop: of curvature, in the middle of the cord."""
        line = self.lines[k]
        middle = len(line) // 2
        step = np.linalg.norm(np.diff(line, axis=0), axis=1).mean()
        return step**2 / np.linalg.norm(np.diff(line, 2, axis=0)[middle - 9:middle + 8], axis=1).mean()

    def test_it_is_a_trefoil(self):
        self.assertEqual(determinant(self.lines[0]), 1)
        for k in np.flatnonzero(self.run_.t > 0.75):
            self.assertEqual(determinant(self.lines[k]), 3, f"t = {self.run_.t[k]}")

    def test_it_does_not_pass_through_itself(self):
        """Parts of the cord that are further from each other along it than half of a turn around it stay 4 mm apart, less 6 %."""
        for k in np.flatnonzero(self.run_.t > 0.75):
            line = self.lines[k]
            along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
            apart = np.linalg.norm(line[:, None] - line[None], axis=2)[np.abs(along[:, None] - along[None]) > 1.5 * math.pi * 2e-3]
            self.assertGreater(apart.min(), 0.94 * 4e-3)

    def test_the_loop_is_that_of_a_thin_cord_but_for_its_thickness(self):
        """R0^2 = EI/(2 pull); larger by about sqrt(r/R0), so that it comes nearer as the knot is looser."""
        ratio = []
        for t in (2.0, 2.75, 3.5):
            k = np.argmin(np.abs(self.run_.t - t))
            thin = math.sqrt(self.stiffness / (2 * self.pull[k]))
            ratio.append(self.radius(k) / thin)
            self.assertGreater(ratio[-1], 1 + 0.5 * math.sqrt(2e-3 / thin))
            self.assertLess(ratio[-1], 1 + 2 * math.sqrt(2e-3 / thin))
        self.assertTrue(ratio[0] < ratio[1] < ratio[2], ratio)

    def test_it_gets_longer_as_the_loop_shrinks(self):
        ends = [np.linalg.norm(line[-1] - line[0]) for line in self.lines]
        late = self.run_.t > 2
        self.assertGreater(np.diff(np.array(ends)[late]).min(), -1e-3)
        self.assertGreater(ends[-1] - np.array(ends)[late][0], 0.15)


if __name__ == "__main__":
    unittest.main()
