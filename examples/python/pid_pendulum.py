#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A rod on a hinge, lifted to an angle and held there by a PID controller that is a Python function.

The motor's torque is an input signal of the model; the controller reads the hinge before every step and sets it. The
integral carries the weight, so that nothing is left of the error, unlike with P and D alone; the limit of the torque
makes the lift take its time (the integral waits while the limit is reached).

    python3 pid_pendulum.py [--plot]
"""
import math
import sys

import torsor

TARGET = math.radians(60)
KP, KI, KD, LIMIT = 80.0, 120.0, 16.0, 25.0  # N m/rad, N m/(rad s), N m s/rad, N m


def build() -> torsor.Model:
    m = torsor.Model("a rod lifted by a PID controller")
    m.gravity = [0, 0, -9.81]
    m.signals.add("torque", input=0)
    rod = m.bodies.add("rod", mass=2, inertia=[0.001, 1/6, 1/6], position=["500 mm", 0, 0])
    hinge = m.joints.revolute("hinge", bodies=["ground", rod], at=[0, 0, 0], axis="-y")
    m.loads.motor("motor", joint=hinge, torque="torque")
    m.analysis = dict(scheme="ED", step="2 ms", end="8 s")
    return m


class Pid:
    """Called before every step with the run."""

    def __init__(self) -> None:
        self.integral = 0.0

    def __call__(self, run: torsor.Run) -> None:
        hinge = run.coordinate("hinge.angle")
        error = TARGET - hinge.value
        torque = KP * error + KI * self.integral - KD * hinge.rate
        if abs(torque) < LIMIT:
            self.integral += error * run.step_size
        run.inputs["torque"] = max(-LIMIT, min(LIMIT, torque))


def main() -> int:
    results = build().run(before=Pid())
    angle, t = results["hinge.angle"], results.t
    settled = t[abs(angle - TARGET) > 0.02 * TARGET][-1]
    end = results.table("energy")
    gained = end["energy.total"][-1] - end["energy.total"][0]
    work, balance = end["energy.work_loads"][-1], results.info["worst_balance"]
    lift = 2 * 9.81 * 0.5 * math.sin(TARGET)
    print(f"overshoot {100 * (angle.max() / TARGET - 1):.2f} %, within 2 % after {settled:.2f} s, "
          f"error left {abs(angle[-1] - TARGET):.1e} rad")
    print(f"work of the motor {work:.6f} J; energy gained {gained:.6f} J, m g h = {lift:.6f} J; "
          f"balance off by at most {balance:.1e} J")
    if "--plot" in sys.argv:
        results.plot("hinge.angle", "energy.kinetic", "energy.gravity").savefig("pid_pendulum.svg")
    # what the scheme took out shows between work and gain: see docs/theory.md
    lost = end["energy.algorithmic"][-1]
    fine = (abs(angle[-1] - TARGET) < 1e-4 and abs(gained - lift) < 1e-3
            and abs(work - lost - gained) < 1e-8 and balance < 1e-8)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
