#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pairs in contact and events in Python: from a run and from its results, against closed forms and against the arrays
of the file."""
import math
import unittest

import numpy as np

from module import torsor

MODEL = """
torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.2], velocity: [1, 0, 0]}
  other: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0.5, 0, 0.0999]}
shapes:
  skin: {type: sphere, on: ball, radius: 0.1}
  hide: {type: sphere, on: other, radius: 0.1}
  floor: {type: plane, on: ground, normal: z}
contacts:
  bounce: {between: [skin, floor], stiffness: 1e4, restitution: 0.5, friction: 0.3}
  stand: {between: [hide, floor], stiffness: 1e4, friction: 0.3}
  knock: {between: [skin, hide], stiffness: 1e4}
events:
  landed: {when: ball.position.z < 0.1, mark: landed}
analysis: {scheme: ED, step: 1 ms, end: 0.6 s}
outputs: {every: 1}
"""


class Contacts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.seen, cls.landed = [], []
        model = torsor.parse(MODEL)
        cls.results = model.run(after=lambda run: cls.seen.append(run.contacts) and None,
                                on_event=lambda run, event: cls.landed.append((run.time, event)))

    def test_during_the_run_as_in_the_results(self):
        self.assertEqual(len(self.seen) + 1, self.results.frames)
        for k in (1, 50, 100, 150, 300, len(self.seen)):
            self.assertEqual(self.results.contacts(k), self.seen[k - 1])
        self.assertEqual(self.results.contacts(), self.seen[-1])

    def test_impacts_foreseen(self):
        stand = {i.contact: i for i in torsor.parse(MODEL).start().impacts}["stand"]
        self.assertAlmostEqual(stand.duration, np.pi * np.sqrt(stand.mass / 1e4), delta=1e-15)
        self.assertAlmostEqual(stand.sinks, stand.mass * 9.81 / 1e4, delta=1e-15)

    def test_numbers_are_those_of_the_file(self):
        force = self.results["bounce.force.normal"]
        for k in range(1, self.results.frames, 7):
            found = [c.pressing for c in self.results.contacts(k) if c.contact == "bounce"]
            self.assertAlmostEqual(sum(found), force[k], delta=1e-12 * max(1, force[k]))

    def test_action_equals_reaction_and_coulomb(self):
        knocked = 0
        for pairs in self.seen:
            for c in pairs:
                normal, force, friction = map(np.array, (c.normal, c.force, c.friction))
                np.testing.assert_allclose(force, c.pressing * normal + friction, atol=1e-12 * max(1, c.pressing))
                if c.pressing > 0:
                    self.assertAlmostEqual(np.linalg.norm(normal), 1, delta=1e-7)
                if c.contact == "knock":
                    knocked += 1
                    self.assertEqual((c.shape_a, c.shape_b, c.stuck), ("skin", "hide", False))
                    self.assertLess(normal[0], -0.5, "the ball that comes from the left is pushed back")
        self.assertGreater(knocked, 3)

    def test_impulse_of_the_knock_is_the_change_of_momentum(self):
        """Forces are means over steps, so their sum times h is the impulse, exactly."""
        model = torsor.parse(MODEL.split("events:")[0] + MODEL[MODEL.index("analysis:"):])  # no events that cut steps
        results = model.run()
        impulse = sum(c.force[0] for k in range(1, results.frames) for c in results.contacts(k) if c.contact in ("knock", "bounce")) * 1e-3
        v = results["ball.velocity"][:, 0]
        self.assertAlmostEqual(impulse, v[-1] - v[0], delta=1e-7)

    def test_by_time(self):
        self.assertEqual(self.results.contacts(t=0.2), self.results.contacts(200))
        self.assertEqual(self.results.contacts(t=99), self.results.contacts(-1))
        with self.assertRaises(torsor.ModelError):
            self.results.contacts(t=-1)
        with self.assertRaises(torsor.TorsorError):
            self.results.contacts(10**6)

    def test_the_event_is_told_in_its_step(self):
        self.assertEqual([event.count for _, event in self.landed], [1, 2, 3], "it bounces; each time is told once")
        self.assertEqual(self.results["landed.count"][-1], 3)
        self.assertEqual({event.name for _, event in self.landed}, {"landed"})
        time, event = self.landed[0]
        fall = math.sqrt(2 * 0.1 / 9.81)
        self.assertAlmostEqual(event.t, fall, delta=1e-6)
        self.assertTrue(fall <= time <= fall + 1.001e-3)

    def test_what_a_listener_does(self):
        def fail(run, event):
            raise ZeroDivisionError(event.name)
        run = torsor.parse(MODEL).start()
        with self.assertRaises(ZeroDivisionError):
            run.run(on_event=fail)
        run = torsor.parse(MODEL).start()
        run.run(on_event=lambda run, event: True)
        self.assertLess(run.time, 0.2)
        run.run()
        self.assertTrue(run.ended)


if __name__ == "__main__":
    unittest.main()
