#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The falling gate of S1, 5.2: the statements of the text about the motion, and about ED without (rho_inf = 1, the
paper's alpha = 0) and with dissipation (rho_inf = 0, alpha = 1). Page with pictures: docs/papers/falling_gate.md.

The lean of the gate was chosen by the time at which the cable becomes taut, so that time is a regression value. That the cable
is slack again half a second later was not chosen. Statements without a number ("close agreement", "present at all frequencies")
are given thresholds here, after seeing torsor's results.

The paper takes 1 ms up to 4 s and then 0.1 ms; here the second phase has 0.25 ms, for time.

Environment: TORSOR, the program; TORSOR_SOURCE_DIR, the source tree.
"""
import sys

from case_tools import check, need_program, np, verdict
from paper_tools import paper, run_phases

CASE = "S1-5.2"
STEP = 2.5e-4


def at_least(what, value, least, note=""):
    check(CASE, f"{what}: {value:.4g}, at least {least:g}", max(0.0, least - float(value)), 0, note)


def at_most(what, value, most, note=""):
    check(CASE, f"{what}: {value:.4g}, at most {most:g}", max(0.0, float(value) - most), 0, note)


def spectrum(values):
    return np.fft.rfftfreq(len(values), STEP), 2*np.abs(np.fft.rfft(values))/len(values)


def band(values, low, high):
    """Rms of what lies between two frequencies."""
    frequency, amplitude = spectrum(values)
    return float(np.sqrt(np.sum(amplitude[(frequency >= low) & (frequency < high)]**2)/2))


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


def fall(slow):
    """The first phase: the gate as an inverted pendulum, from its lean less the one at which the slack cable holds it."""
    force, angle = slow.tension("rope", 1), slow.coordinate("hinge", "angle")
    at_most("tension of the slack cable, 0.5 to 3.9 s, N", force[(slow.t > 0.5) & (slow.t < 3.9)].max(), 1,
            "drawn unstretched, it rings at the start")
    inertia = 30*16 + 1.6*4**3/3
    rate = np.sqrt((30*4 + 1.6*4*2)*9.81/inertia)
    early = (slow.t > 1.5) & (slow.t < 3)  # still small, the other exponential gone
    found = np.polyfit(slow.t[early], np.log(slow.coordinate_rate("hinge", "angle")[early]), 1)[0]
    check(CASE, "the fall grows as that of a rigid gate, 1/s", found/rate - 1, 0.01, f"{found:.4f}, rigid {rate:.4f}")
    at_most("lean at 4 s, degrees: small displacements", np.degrees(angle[-1]), 15)


def jerk(runs):
    """The second phase, 4 to 4.5 s: the cable is taut, then slack again."""
    for rho, run in runs.items():
        force = run.tension("rope", 1)
        when = run.t[np.flatnonzero(force > 50)[0]]
        check(CASE, f"rho {rho}: taut at about 4.05 s", when - 4.05, 0.02, f"{when:.4f} s (chosen by the lean)")
    force, t = runs[0].tension("rope", 1), runs[0].t
    carries = np.array([rms(force[(t >= a) & (t < a + 0.02)]) for a in np.arange(4, 4.58, 0.02)])
    last = 4 + 0.02*(np.flatnonzero(carries > 10)[-1] + 1)
    check(CASE, "rho 0: slack again, said to be at about 4.5 s", last - 4.5, 0.2, f"{last:.2f} s")
    back = runs[0].coordinate("hinge", "angle")
    at_least("then the gate swings back, rad", back.max() - back[-1], 0.05)


def filters(runs):
    phase = {rho: run.tension("rope", 1)[run.t < 4.5 - STEP/2] for rho, run in runs.items()}
    speed = {rho: run.node("gate", 10, "v")[run.t < 4.5 - STEP/2, 0] for rho, run in runs.items()}
    for what, of, unit, least in (("axial force", phase, "N", 4), ("speed of the gate's middle", speed, "m/s", 2)):
        low = [band(of[rho], 0, 200) for rho in (0, 1)]
        check(CASE, f"{what}: below 200 Hz rho 0 and 1 in close agreement", low[1]/low[0] - 1, 0.05,
              f"{low[0]:.4g} and {low[1]:.4g} {unit} rms")
        top = 0.5/STEP
        high = [band(of[rho], top/2, top) for rho in (0, 1)]
        at_least(f"{what}: upper half of the frequencies, rho 1 over rho 0", high[1]/high[0], least,
                 f"{high[0]:.3g} and {high[1]:.3g} {unit} rms")
    quiet = [rms(runs[rho].tension("rope", 1)[runs[rho].t > 4.5]) for rho in (0, 1)]
    at_least("force left in the slack cable after 4.5 s, rho 1 over rho 0", quiet[1]/quiet[0], 5,
             f"{quiet[0]:.3g} and {quiet[1]:.3g} N rms")
    work = [runs[rho].summary["iterations"]/runs[rho].summary["steps_done"] for rho in (0, 1)]
    # the paper has more with rho 1; since the guess knows what alternates, it is about as many
    at_least("iterations, rho 1 over rho 0", work[1]/work[0], 0.85, f"{work[0]:.1f} and {work[1]:.1f} per step")
    taken = runs[0].step["algorithmic"][-1] - runs[0].step["algorithmic"][0]
    at_most("energy that rho 0 takes, of the kinetic energy when the cable becomes taut", taken/runs[0].step["kinetic"].max(), 0.05,
            f"{taken:.3g} J")
    lost = runs[1].step["algorithmic"][-1] - runs[1].step["algorithmic"][0]
    check(CASE, "rho 1 takes none, J", lost, 1e-9)


if __name__ == "__main__":
    need_program()
    slow, filtered, kept = run_phases(paper("falling_gate"), "ED", (1e-3, 4),
                                      [{"step": STEP, "end": 4.6, "rho": rho} for rho in (0, 1)], CASE)
    fall(slow)
    jerk({0: filtered, 1: kept})
    filters({0: filtered, 1: kept})
    sys.exit(verdict())
