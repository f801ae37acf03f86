#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Blocks of controllers: transfer functions, state space, PID with limits, samples.
Expected values: exponentials of matrices, scipy's DOP853, for digital controllers the recursion itself over a cart whose motion between samples is known exactly.
Steps that do not coincide with the samples are refused; restarts go on bit for bit."""
import math
import sys

from case_tools import check, h5py, need_program, np, run, verdict
from program import ROOT, model_file, torsor

try:
    from scipy.integrate import solve_ivp
    from scipy.linalg import expm
    from scipy.signal import tf2ss
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

HEAD = "torsor: 1\nunits: SI\n"
REST = HEAD + "bodies: {rest: {mass: 1, inertia: [1, 1, 1]}}\n"
CART = HEAD + """bodies: {cart: {mass: 2, inertia: [1, 1, 1], velocity: [VELOCITY, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}}
"""


def orders(case, text, of, exact, steps=(0.02, 0.01), tolerance=0.1):
    """The error at the end falls with the square of the step. exact(h) for what is told in the middle of steps."""
    for scheme in ("EP", "ED"):
        errors = []
        for h in steps:
            out = run(text + f"analysis: {{end: 1, step: {h}}}\n", scheme=scheme, case=case, audit=1e-11)
            errors.append(np.max(np.abs(np.array(of(out)) - exact(h))))
        order = math.log(errors[0]/errors[1], steps[0]/steps[1])
        check(case, f"{scheme}, order", order - 2, tolerance, f"{order:.2f}, error {errors[1]:.1e}")


def value(out, name, coordinate="value"):
    return out.coordinate(name, coordinate)


def linear_blocks():
    """(s + 2)/(0.5 s^2 + s + 4), and with a share that goes straight through; the same by matrices, in other coordinates and with two outputs."""
    for numerator in ([1, 2], [0.7, 1, 2]):
        A, B, C, D = tf2ss(numerator, [0.5, 1, 4])
        x = solve_ivp(lambda t, x: A @ x + B[:, 0]*np.sin(3*t), (0, 1), [0, 0], method="DOP853", rtol=1e-13, atol=1e-15, dense_output=True).sol
        text = REST + f"states: {{f: {{type: transfer_function, input: sin(3*t), numerator: {numerator}, denominator: [0.5, 1, 4]}}}}\n"
        orders(f"transfer function {numerator}", text, lambda out: value(out, "f")[-1], lambda h: (C @ x(1 - h/2) + D[:, 0]*np.sin(3*(1 - h/2)))[0])
        rows = A.tolist()
        text = REST + f"""states: {{f: {{type: state_space, input: 2 m * sin(3*t), A: {rows}, B: {(B[:, 0]/2).tolist()}, C: [{C[0].tolist()}, [0, 5]],
          D: [{D[0, 0]/2}, 0], initial: [0.1, -0.2]}}}}\n"""
        moved = solve_ivp(lambda t, x: A @ x + B[:, 0]*np.sin(3*t), (0, 1), [0.1, -0.2], method="DOP853", rtol=1e-13, atol=1e-15, dense_output=True).sol
        orders(f"state space {numerator}", text, lambda out: [value(out, "f")[-1], value(out, "f", "value2")[-1]],
               lambda h: [(C @ moved(1 - h/2) + D[:, 0]*np.sin(3*(1 - h/2)))[0], 5*moved(1 - h/2)[1]])
        orders(f"state space {numerator}, states", text, lambda out: [value(out, "f", "state1")[-1], value(out, "f", "state2")[-1]], lambda h: moved(1))


def first_row():
    """Values that follow from the state are there in the first row: of a lag that starts at 0.5, of a velocity, and of what depends on both."""
    text = CART.replace("VELOCITY", "3") + """states:
  lag: {rate: (1 - lag)/(0.3 s), initial: 0.5}
  p: {type: pid, error: 4 m/s - rail.rate, kp: 2, initial: 0.25}
  q: {type: pid, error: p.value + lag, kp: 10}
analysis: {end: 0.1, step: 0.01}
"""
    out = run(text, audit=1e-11)
    check("first row", "error, value, and the value of the second", [value(out, "p", "error")[0] - 1, value(out, "p")[0] - 2.25, value(out, "q")[0] - 27.5], 1e-8)


# m x'' = u,  e = 1 - x
PID = CART.replace("VELOCITY", "0.5") + """states: {c: {type: pid, error: 1 m - rail.displacement, kp: 60, ki: 40, kd: 15, filter: 50 ms LIMITS}}
loads: {drive: {type: motor, joint: rail, force: 1 N * c}}
"""


def several_inputs():
    """Two inputs and two outputs in a loop with a cart, continuous against scipy and sampled against the recursion."""
    text = CART.replace("VELOCITY", "0.4") + """states:
  f: {type: state_space, PERIOD input: [rail.displacement, 2*sin(3*t)], A: MATRIX, B: [[3, 0.2], [5, -1]], C: [[1, 0], [0, 1]], D: [[0, 0.5], [0.1, 0]]}
loads: {push: {type: motor, joint: rail, force: -8 N*f.value - 2 N*f.value2}}
"""
    A, B, D = np.array([[0, 1], [-50, -10]]), np.array([[3, 0.2], [5, -1]]), np.array([[0, 0.5], [0.1, 0]])

    def push(t, x, z):
        return -np.array([8, 2]) @ (z + D @ [x, 2*np.sin(3*t)])
    x = solve_ivp(lambda t, y: [y[1], push(t, y[0], y[2:])/2, *(A @ y[2:] + B @ [y[0], 2*np.sin(3*t)])], (0, 1), [0, 0.4, 0, 0], method="DOP853", rtol=1e-13, atol=1e-15).y[:, -1]
    orders("several inputs", text.replace("PERIOD", "").replace("MATRIX", str(A.tolist())), lambda out: out.coordinate("rail", "displacement")[-1], lambda h: x[0])
    A, T, place, v, z = np.array([[0.5, 0.1], [-0.2, 0.3]]), 0.02, 0, 0.4, np.zeros(2)
    for k in range(50):
        a = push(k*T, place, z)/2
        z = A @ z + B @ [place, 2*np.sin(3*k*T)]
        place, v = place + v*T + a*T*T/2, v + a*T
    for scheme in ("EP", "ED"):
        out = run(text.replace("PERIOD", "period: 20 ms,").replace("MATRIX", str(A.tolist())) + "analysis: {end: 1, step: 0.01}\n", scheme=scheme, case="several inputs, sampled", audit=1e-11)
        check("several inputs, sampled", scheme, out.coordinate("rail", "displacement")[-1] - place, 1e-13)


def continuous_pid():
    A = np.zeros((5, 5))  # x, v, I, f, 1
    u = np.array([-60 - 300, 0, 1, -300, 360.0])
    e = np.array([-1, 0, 0, 0, 1.0])
    A[0, 1], A[1], A[2], A[3] = 1, u/2, 40*e, (e - [0, 0, 0, 1, 0])/0.05
    end = expm(A) @ [0, 0.5, 0, 0, 1]
    text = PID.replace("LIMITS", "")
    orders("pid", text, lambda out: [value(out, "rail", "displacement")[-1], value(out, "c", "integral")[-1], value(out, "c", "filtered")[-1]],
           lambda h: end[[0, 2, 3]], steps=(0.01, 0.005))


def limited_pid():
    """Limits and back-calculation; the default time of the anti-windup is sqrt(kd/ki)."""
    for extra, track in ((", min: -9, max: 12", math.sqrt(15/40)), (", min: -9, max: 12, anti_windup: 0.1 s", 0.1)):
        def rates(t, z):
            x, v, I, f = z
            e = 1 - x
            wanted = 60*e + I + 15*(e - f)/0.05
            u = min(max(wanted, -9), 12)
            return [v, u/2, 40*e + (u - wanted)/track, (e - f)/0.05]
        exact = solve_ivp(rates, (0, 1), [0, 0.5, 0, 0], method="DOP853", rtol=1e-12, atol=1e-13, max_step=1e-3).y[:, -1]
        orders(f"limited pid{extra[20:]}", PID.replace("LIMITS", extra), lambda out: [value(out, "rail", "displacement")[-1], value(out, "c", "integral")[-1]],
               lambda h: exact[[0, 2]], steps=(0.01, 0.01/16), tolerance=0.3)
        out = run(PID.replace("LIMITS", extra) + "analysis: {end: 1, step: 0.01}\n", audit=1e-11)
        check("limited pid", "stays within its limits", [max(value(out, "c")) - 12, min(np.min(value(out, "c")) + 9, 0)], 1e-9)


def digital_pid():
    """The recursion, over a cart that moves exactly known between samples: no error but round-off, whatever the step. Both schemes; with a filter or none."""
    T, kp, ki, kd, low, high = 0.05, 30, 20, 8, -9, 12
    for filtered in (0, 0.04):
        x, v, I, d, before, u = 0.0, 0.5, 0.0, 0.0, 0.0, 0.0
        track, history = math.sqrt(kd/ki), []
        for k in range(21):
            e = 1 - x
            d = (filtered*d + kd*(e - before))/(filtered + T)
            wanted = kp*e + I + ki*T*e + d
            u = min(max(wanted, low), high)
            I += ki*T*e + (u - wanted)*T/track
            before = e
            history.append([x, u, I])
            x, v = x + T*v + T**2*u/4, v + T*u/2
        exact = np.array(history)
        text = CART.replace("VELOCITY", "0.5") + f"""states: {{c: {{type: pid, error: 1 m - rail.displacement, kp: {kp}, ki: {ki}, kd: {kd}, min: {low}, max: {high}, period: {T},
          filter: {filtered}}}}}
loads: {{drive: {{type: motor, joint: rail, force: 1 N * c.value}}}}
"""
        for scheme, h in (("EP", 0.05), ("EP", 0.01), ("ED", 0.01)):
            out = run(text + f"analysis: {{end: 1.05, step: {h}}}\n", scheme=scheme, audit=1e-11)
            case = f"digital pid, filter {filtered}, {scheme}, {h}"
            n = round(T/h)
            check(case, "places at the samples", value(out, "rail", "displacement")[:-1:n] - exact[:, 0], 1e-10)
            check(case, "values until the next sample", value(out, "c")[n::n] - exact[:, 1], 1e-8)
            check(case, "held in between", value(out, "c")[1:1 + 20*n].reshape(20, n) - value(out, "c")[n:n + 20*n:n, None], 1e-11)
            check(case, "integral", value(out, "c", "integral")[n::n] - exact[:, 2], 1e-9)


def digital_filter():
    """x_k+1 = A x_k + B u_k, y_k = C x_k + D u_k against the recursion, and by its transfer function in z; a counter that starts late."""
    T, A, B, C, D = 0.1, np.array([[0.9, 0.2], [-0.1, 0.7]]), np.array([0.5, 1]), np.array([1, -2]), 0.3
    x, y = np.array([0.4, 0.0]), []
    for k in range(10):
        u = math.sin(2*k*T)
        y.append(C @ x + D*u)
        x = A @ x + B*u
    text = REST + f"""states:
  f: {{type: state_space, input: sin(2*t), A: {A.tolist()}, B: {B.tolist()}, C: [{C.tolist()}], D: [{D}], initial: [0.4, 0], period: {T}}}
  z: {{type: transfer_function, input: 1, numerator: [0.5, 0.25], denominator: [1, -0.5], period: {T}}}
  n: {{type: sampled, value: n + 1, period: {T}, start: 0.25, initial: 7}}
analysis: {{end: 1, step: 0.05}}
"""
    out = run(text, audit=1e-11)
    check("digital filter", "values", value(out, "f")[2::2] - y, 1e-12)
    # y_k = 0.5 y_k-1 + 0.5 u_k + 0.25 u_k-1
    z = [0.5]
    for k in range(9):
        z.append(0.5*z[-1] + 0.75)
    check("digital filter", "by numerator and denominator", value(out, "z")[2::2] - z, 1e-12)
    k = np.arange(21)
    check("counter", "samples from 0.25 s on, told from the next row on", value(out, "n") - 7 - np.where(k > 5, (k - 6)//2 + 1, 0), 1e-12)


def sampled_rates():
    """A sample reads rates at its time, at second order, also at the start: a digital damper on an oscillator, whose motion between samples is known."""
    T, c, w = 0.1, 6.0, 3.0
    for start, pull in ((2.0, 0.0), (0.0, 3.0)):
        x, v = 0.0, start
        for k in range(10):
            rest = -(c*v - pull)/(2*w*w)
            x, v = rest + (x - rest)*math.cos(w*T) + v/w*math.sin(w*T), -(x - rest)*w*math.sin(w*T) + v*math.cos(w*T)
        text = CART.replace("VELOCITY", str(start)) + f"""springs: {{k: {{type: joint_spring, joint: rail, stiffness: 18}}}}
states: {{u: {{type: sampled, value: 6 N*s/m * rail.rate - {pull} N, period: {T}}}}}
loads: {{brake: {{type: motor, joint: rail, force: -1 N * u}}}}
"""
        orders(f"sampled rates from {start} m/s", text, lambda out: value(out, "rail", "displacement")[-1], lambda h: x, steps=(0.01, 0.0025), tolerance=0.15)


def said(text, code=2):
    with model_file(text) as path:
        return torsor("run", path, "-q", "-o", path.with_suffix(".h5"), code=code).stderr


def refused():
    text = CART.replace("VELOCITY", "0") + "states: {c: {type: pid, error: 1 m - rail.displacement, KIND}}\n"
    for kind, step, words in (
            ("kp: 1, period: 0.05", 0.02, "steps of 0.02 s do not coincide with the samples of 'c', which come every 0.05 s"),
            ("kp: 1, period: 0.01", 0.02, "steps of 0.02 s do not coincide with the samples of 'c'"),
            ("kp: 1, kd: 1", 0.01, "the rate of the error needs a filter"),
            ("kp: 1, min: 3, max: 2", 0.01, "min must be smaller than max"),
            ("kp: 1, start: 1", 0.01, "only samples have a start"),
            ("kp: 1, period: 0", 0.01, "period must be positive")):
        message = said(text.replace("KIND", kind) + f"analysis: {{end: 1, step: {step}}}\n")
        check("refused", kind, 0 if words in message else 1, 0, message)
    for block, words in (
            ("{type: transfer_function, input: 1, numerator: [1, 0, 0], denominator: [1, 1]}", "higher degree"),
            ("{type: transfer_function, input: 1, numerator: [1], denominator: [0, 1]}", "must not be zero"),
            ("{type: state_space, input: 1, A: [[1, 2], [3, 4]], B: [1, 2, 3], C: [[1, 2]]}", "expected 2 numbers here, got 3"),
            ("{type: state_space, input: [1, t], A: [[1, 2], [3, 4]], B: [1, 2], C: [[1, 2]]}", "expected 4 numbers here, got 2"),
            ("{type: state_space, input: [1, t], A: [[1, 2], [3, 4]], B: [[1, 2], [1, 2]], C: [[1, 2]], D: [1]}", "expected 2 numbers here, got 1"),
            ("{type: state_space, input: [], A: [[1, 2], [3, 4]], B: [1, 2], C: [[1, 2]]}", "expected 1 to 8 expressions, got 0"),
            ("{type: state_space, input: 1, A: [[1, 2, 3], [3, 4, 5]], B: [1, 2], C: [[1, 2]]}", "A needs n rows of n numbers"),
            (f"{{type: state_space, input: [1, 2, 3, 4, 5], A: {[[0]*16]*16}, B: {[[0]*5]*16}, C: {[[0]*16]}}}", "at most 20 states and inputs together"),
            ("{type: state_space, input: 1, A: [[1, 2], [3, 4]], B: [1, 2], C: [1]}", "C needs rows of 2 numbers"),
            ("{type: pid, error: 1 - c.valu}", "has no channel 'valu'"),
            ("{type: pid, error: 1 - d.value}", "there is no part 'd'")):
        message = said(REST + f"states: {{c: {block}}}\nanalysis: {{end: 1, step: 0.1}}\n")
        check("refused", block, 0 if words in message else 1, 0, message)
    message = said(REST + "states: {p: {type: pid, error: q, kp: 1}, q: {type: pid, error: p + 1, kp: 1}}\nanalysis: {end: 1, step: 0.1}\n", code=4)
    check("refused", "a loop of gain one", 0 if "the equation of '" in message and "in a loop with gain 1" in message else 1, 0, message)


def restarts():
    """From the middle between two samples, and with step control."""
    text = PID.replace("filter: 50 ms LIMITS", "period: 40 ms, min: -9, max: 12")
    for step in ("step: 0.01", "step: 0.03, scheme: ED, step_tolerance: 1e-5"):
        with model_file(text + f"analysis: {{end: 0.99, {step}}}\noutputs: {{restart: 1}}\n") as path:
            whole, part, rest = (path.with_name(f"{name}.h5") for name in ("whole", "part", "rest"))
            torsor("run", path, "-q", "-o", whole)
            torsor("run", path, "-q", "-o", part, "--end", "0.51")
            torsor("restart", part, "-q", "-o", rest, "--end", "0.99")
            with h5py.File(whole) as a, h5py.File(rest) as b:
                for name in ("q", "v", "memory", "ledger"):
                    first, second = a[f"frames/{name}"][:], b[f"frames/{name}"][:]
                    check("restart", f"{name} in every row", first[-len(second):] - second, 0)


def robot():
    """examples/robot_pid.yaml: the torques in the results are those of the recursion over the angles in the results; the arm arrives and stands still; powers are torque times rate."""
    text = (ROOT/"examples/robot_pid.yaml").read_text()
    out = run(text, scheme="ED", audit=1e-11)
    smooth = lambda x: np.clip(x, 0, 1)**2*(3 - 2*np.clip(x, 0, 1))
    for name, to, at, gains, limit in (("shoulder", np.pi/3, 0.1, (900, 2500, 60), 80), ("elbow", -np.pi/2, 0.3, (300, 900, 14), 30)):
        T, lag, (kp, ki, kd) = 0.002, 0.004, gains
        angle, told = value(out, name, "angle"), value(out, f"{name}_pid")
        I = d = before = 0.0
        largest = 0.0
        for k in range(0, 3000, 2):
            e = to*smooth((k/1000 - at)/0.8) - angle[k]
            d = (lag*d + kd*(e - before))/(lag + T)
            wanted = kp*e + I + ki*T*e + d
            u = min(max(wanted, -limit), limit)
            I += ki*T*e + (u - wanted)*T/math.sqrt(kd/ki)
            before = e
            largest = max(largest, abs(u - told[k + 1]), abs(u - told[k + 2]))
        check("robot", f"{name}, torques of the recursion", largest/limit, 1e-9)
        check("robot", f"{name}, at its target", angle[-1] - to, 2e-3)
        check("robot", f"{name}, at rest", out.coordinate_rate(name, "angle")[-1], 1e-3)


if __name__ == "__main__":
    need_program()
    robot()
    linear_blocks()
    first_row()
    several_inputs()
    continuous_pid()
    limited_pid()
    digital_pid()
    digital_filter()
    sampled_rates()
    refused()
    restarts()
    sys.exit(verdict())
