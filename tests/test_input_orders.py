#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Inputs over a step: held, linear or quadratic from the values that were set. Against the same force as an expression, the error falls with the step, its square, its cube; a spring whose force a program computes before every step against its closed form."""
import math
import os
import sys
import tempfile

from case_tools import check, verdict
from module import torsor

CART = """torsor: 1
units: SI
signals: {{push: {{input: 0, extrapolation: {order}}}}}
bodies: {{cart: {{mass: 2, inertia: [1, 1, 1], velocity: [1, 0, 0]}}}}
joints: {{rail: {{type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}}}
loads: {{drive: {{type: {kind}}}}}
analysis: {{scheme: {scheme}, end: 1, step: {h}}}
"""
MOTOR = "motor, joint: rail, force: push"
LOAD = "force, body: cart, force: [push, 0, 0]"
WITHIN = "motor, joint: rail, force: 1 N * (push) - 2 N/m * rail.displacement"


def push(t):
    return 3*math.cos(2*t)


def end_of(text, controller):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        model = torsor.load(path)
        for run in model.start():
            if controller:
                controller(run)
        return run.coordinate("rail.displacement").value


def main():
    for scheme in ("EP", "ED"):
        for kind in (MOTOR, LOAD, WITHIN):
            for order, expected in (("held", 1), ("linear", 2), ("quadratic", 3)):
                errors = []
                for h in (0.02, 0.01):
                    exact = end_of(CART.format(order=order, kind=kind.replace("push", "3*cos(2*t)"), scheme=scheme, h=h), None)

                    def set_push(run):
                        run.inputs["push"] = push(run.time)
                    errors.append(abs(end_of(CART.format(order=order, kind=kind, scheme=scheme, h=h), set_push) - exact))
                found = math.log2(errors[0]/errors[1])
                check(f"{order}, {scheme}, {kind[:5]}{' within an expression' if kind is WITHIN else ''}", f"order {found:.2f}, error {errors[1]:.1e}", found - expected, 0.15)
    for order, expected in (("held", 1), ("linear", 2), ("quadratic", 2)):
        errors = []
        for h in (0.01, 0.005):
            def spring(run):
                run.inputs["push"] = -18*run.coordinate("rail.displacement").value
            errors.append(abs(end_of(CART.format(order=order, kind=MOTOR, scheme="EP", h=h), spring) - math.sin(3)/3))
        found = math.log2(errors[0]/errors[1])
        check(f"spring by a program, {order}", f"order {found:.2f}, error {errors[1]:.1e}", found - expected, 0.2)
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
