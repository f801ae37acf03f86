#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A restarted run equals the uninterrupted run bit for bit: from any regular stored state, from
# another folder, without the model file, for both schemes, and for a model with all kinds of
# memory: springs, drives, a screw, redundant constraints, rolling.
set -eu
torsor=${TORSOR:?} source=${TORSOR_SOURCE_DIR:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/first" "$work/second"
cd "$work/first"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

cat >"$work/compare.py" <<'END'
"""compare.py WHOLE REST: the frames and steps of REST are the last ones of WHOLE, bit for bit."""
import sys

import h5py
import numpy as np

whole, rest = (h5py.File(name, "r") for name in sys.argv[1:3])
for group, count in zip(("frames", "steps"), (h5py.File(sys.argv[2])["progress"][...])):
    assert count > 0, f"{group}: nothing to compare"
    for name in rest[group]:
        a, b = whole[group][name], rest[group][name]
        a, b = a[: whole["progress"][group == "steps"]][-count:], b[:count]
        assert a.shape == b.shape, f"{group}/{name}: shapes {a.shape} and {b.shape}"
        if a.tobytes() != b.tobytes():
            worst = np.max(np.abs(a.astype(float) - b.astype(float)))
            raise SystemExit(f"{group}/{name} differs by up to {worst}")
first, last = rest["frames/step"][0], rest["frames/step"][-1]
print(f"  {sys.argv[2]}: steps {first} to {last} are equal")
END
compare() { /usr/bin/python3 "$work/compare.py" "$@" || fail "compare $*"; }

cat >everything.yaml <<'END'
torsor: 1
title: Everything that remembers
units: SI
gravity: [0, 1, -9.81]
points: {A: [0, 0, 0], B: [0, 0, 0.2], C: [0.45, 0, 0.35], D: [0.5, 0, 0]}
bodies:
  crank: {mass: 0.5, inertia: [0.002, 0.002, 0.001], position: [0, 0, 0.1]}
  coupler: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [0.2, 0, 0.3]}
  rocker: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [0.48, 0, 0.2]}
  arm: {mass: 1, inertia: [0.02, 0.02, 0.01], position: [2, 0, 0]}
  nut: {mass: 2, inertia: [0.03, 0.02, 0.04], position: [2, 0, 0.5]}
  coin: {mass: 0.5, inertia: [0.01, 0.005, 0.005], position: [4, 0, 0.2],
         velocity: [0, 1, 0], angular_velocity: [-5, 0, 0.7]}
  bob: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [4.5, 0.2, 1]}
joints:
  A: {type: revolute, bodies: [ground, crank], at: A, axis: y}
  B: {type: revolute, bodies: [crank, coupler], at: B, axis: y}
  C: {type: revolute, bodies: [coupler, rocker], at: C, axis: y}
  D: {type: revolute, bodies: [ground, rocker], at: D, axis: y}
  hinge: {type: revolute, bodies: [ground, arm], at: [2, 0, 0], axis: z}
  thread: {type: screw, bodies: [arm, nut], at: [2, 0, 0.5], axis: z, lead: 0.05}
  table: {type: rolling_disk, body: coin, radius: 0.2, axis: x}
springs:
  pull: {bodies: [ground, rocker], from: [0.8, 0, 0.3], to: C, stiffness: 60, damping: 1,
         free_length: 0.2}
  twist: {type: torsion_spring, joint: thread, coordinate: angle, stiffness: 3, damping: 0.01,
          stop_max: 4, stop_stiffness: 50}
  mount: {type: bushing, bodies: [ground, bob], at: [4.5, 0, 1],
          stiffness: [200, 300, 400, 5, 6, 7], damping: [1, 1, 1, 0.1, 0.1, 0.1]}
motions:
  drive: {joint: A, angle: 3*t + 0.2*sin(9*t)}
loads:
  motor: {type: motor, joint: hinge, torque: 4*sin(2*t)}
  push: {type: force, body: bob, force: [5*sin(7*t), 0, 0]}
analysis: {step: 4 ms, end: 2 s}
END

"$torsor" check everything.yaml --json | grep -q '"redundant": 3' || fail 'no redundant conditions'

# run NAME OPTIONS...: the whole run
run() {
    local name=$1
    shift
    "$torsor" run "$@" -q -o "$name.h5" || fail "run $*"
}

# again NAME RESULTS OPTIONS...: a restart elsewhere, compared with the whole run
again() {
    local name=$1 whole=$PWD/$2
    shift 2
    (cd "$work/second" && "$torsor" restart "$whole" "$@" -q -o "$name.h5") || fail "restart $*"
    compare "$whole" "$work/second/$name.h5"
}

for scheme in EP ED generalized_alpha; do
    echo "$scheme"
    run "every-$scheme" everything.yaml --scheme "$scheme" --every 5
    again "start-$scheme" "every-$scheme.h5" --from 0
    again "step-$scheme" "every-$scheme.h5" --from 35
    again "time-$scheme" "every-$scheme.h5" --time 1.002s
    again "late-$scheme" "every-$scheme.h5" --from 495
    run "top-$scheme" "$source/examples/spinning_top.yaml" --scheme "$scheme" --rho 0.3 --end 1s
    again "top-$scheme" "top-$scheme.h5" --from 123
    run "bars-$scheme" "$source/examples/four_bar.yaml" --scheme "$scheme" --step 3ms --end 1s
    again "bars-$scheme" "bars-$scheme.h5" --time 0.5
    run "slider-$scheme" "$source/examples/slider_crank.yaml" --scheme "$scheme" --end 0.5s
    again "slider-$scheme" "slider-$scheme.h5" --from 300
done
for scheme in FP-ED RK-radau3; do
    echo "$scheme"
    run "few-$scheme" everything.yaml --scheme "$scheme" --end 0.2s --every 5
    again "few-$scheme" "few-$scheme.h5" --from 25
done

echo 'the other linear solver, and another number of threads'
run mumps everything.yaml --solver mumps --every 5 --end 0.5s
again mumps mumps.h5 --from 35 --threads 3
echo 'schemes with parameters, and of two stages'
run damped "$source/examples/four_bar.yaml" --scheme newmark:gamma=0.6 --step 3ms --end 0.3s
again damped damped.h5 --from 50
run printed "$source/examples/spinning_top.yaml" --scheme S1-ED --rho 0.3 --end 0.2s
again printed printed.h5 --from 42

echo 'another step'
cat >"$work/steps.py" <<'END'
import h5py, sys
f = h5py.File(sys.argv[1])
frames, steps = f["progress"][:]
t, step = f["frames/t"][:frames], f["frames/step"][:frames]
assert (t[0], step[0], t[-1], step[-1]) == (1.0, 2000, 1.1, 2200), (t[0], step[0], t[-1], step[-1])
assert abs(f["steps/h"][0] - 0.5e-3) < 1e-15 and f.attrs["rho_inf"] == 0.5
assert max(abs(f["steps/balance"][:steps])) < 1e-9 * max(f["steps/kinetic"][:steps])
END
"$torsor" run everything.yaml --end 1s --every 100 -q -o slow.h5 || fail 'run before another step'
"$torsor" restart slow.h5 --step 0.5ms --end 1.1s --rho 0.5 --every 1 -q -o fast.h5 || fail 'another step'
/usr/bin/python3 "$work/steps.py" fast.h5 || fail 'another step: time and count'

echo 'a restart of a restart, and beyond the end'
run long everything.yaml --end 3s --every 5
run short everything.yaml --end 1.01s --every 5 # 253 steps, wherefore 253 is no regular state
rm everything.yaml
cp short.h5 "$work/second" && cd "$work/second" && rm "$work/first/short.h5"
"$torsor" restart short.h5 --end 2s -q || fail 'restart beyond the end'
[ -f short-from-250.h5 ] || fail 'the default name, or the default state, is another'
"$torsor" restart short-from-250.h5 --from 300 --end 3s -q -o last.h5 || fail 'restart of a restart'
compare "$work/first/long.h5" last.h5

echo 'exact states: about every 50 steps, or as the model says'
cat >"$work/exact.py" <<'END'
"""exact.py RESULTS STEPS: the states at multiples of STEPS, and no others, are exact."""
import h5py, sys
f = h5py.File(sys.argv[1])
frames, every = f["progress"][0], int(sys.argv[2])
step, exact = f["frames/step"][:frames], f["frames/exact"][:frames]
assert list(exact) == [int(s % every == 0) for s in step], list(zip(step, exact))
END
top=$source/examples/spinning_top.yaml
for case in 1:50 5:50 7:56 60:60; do
    "$torsor" run "$top" --end 0.5s --every "${case%:*}" -q -o exact.h5 --force || fail 'run of exact states'
    /usr/bin/python3 "$work/exact.py" exact.h5 "${case#*:}" || fail "exact states, every ${case%:*}"
done
sed 's/^outputs:/outputs:\n  every: 2\n  restart: 3/' "$top" >own.yaml
"$torsor" run own.yaml --end 0.1s -q -o own.h5 || fail 'a run with restart: 3'
/usr/bin/python3 "$work/exact.py" own.h5 6 || fail 'exact states of restart: 3'
# from a state between two exact ones, and what is stored then is no exact one
"$torsor" restart own.h5 --from 10 -q -o own-10.h5 || fail 'restart between exact states'
compare own.h5 own-10.h5

echo 'an interrupted run'
"$torsor" run "$source/examples/double_pendulum.yaml" --end 1000s --every 300 -q -o whole.h5
"$torsor" run "$source/examples/double_pendulum.yaml" --end 1000s --every 300 -o cut.h5 >cut.txt &
pid=$!
until grep -q '^  t ' cut.txt; do sleep 0.02; done
kill -TERM "$pid"
code=0
wait "$pid" || code=$?
[ "$code" = 5 ] || fail "exit code $code after SIGTERM"
grep -q '^interrupted at t = ' cut.txt || fail 'no word of the interruption'
"$torsor" info cut.h5 | grep -q '^status *interrupted$' || fail 'status of an interrupted run'
"$torsor" restart cut.h5 -q -o rest.h5 || fail 'restart of an interrupted run'
compare whole.h5 rest.h5

echo 'a limit on computing time: told every second, the first word is enough'
code=0
(ulimit -S -t 2; exec "$torsor" run "$source/examples/double_pendulum.yaml" --end 5000s --every 300 -o limit.h5 >limit.txt) || code=$?
[ "$code" = 5 ] || fail "exit code $code after SIGXCPU"
grep -q '^interrupted at t = ' limit.txt || fail 'no word of the limit'
"$torsor" info limit.h5 | grep -q '^status *interrupted$' || fail 'status of a run that met its limit'

echo 'statics with preload, in a drawing that assembly changes'
cat >preload.yaml <<'END'
torsor: 1
units: SI
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}
  b: {mass: 10, inertia: [1, 1, 1], position: [0, 0, 2]}
joints:
  rail: {type: prismatic, bodies: [ground, a], at: [0, 0, 1], axis: x}
  guide: {type: prismatic, bodies: [ground, b], at: [0, 0, 2], axis: z}
motions: {aside: {joint: rail, displacement: 0.5}}
springs:
  s: {bodies: [a, b], from: [0, 0, 1], to: [0, 0, 2], stiffness: 1000, free_length: 1.2}
  t: {bodies: [ground, b], from: [0, 0, 0], to: [0, 0, 2], stiffness: 500, free_length: 2.1}
analysis: {type: static, increments: 10}
END
"$torsor" run preload.yaml -q -o preload.h5 || fail 'statics with preload'
"$torsor" restart preload.h5 -q --from 5 -o preload-rest.h5 || fail 'restart of statics'
compare preload.h5 preload-rest.h5

echo 'mistakes'
expect() {
    local wanted=$1 text=$2 code=0
    shift 2
    "$torsor" "$@" >out.txt 2>err.txt || code=$?
    [ "$code" = "$wanted" ] || fail "$*: exit code $code, not $wanted"
    grep -q -- "$text" err.txt || fail "$*: no '$text' in '$(cat err.txt)'"
}
expect 1 'not stored; the nearest are 0 and 300' restart whole.h5 --from 7
expect 1 'first stored step is 300' restart last.h5 --from 7
expect 1 'last stored step is 100000' restart whole.h5 --from 200000 --end 9000
expect 1 'nothing is left to do' restart whole.h5
expect 1 'nothing is left to do' restart whole.h5 --from 600 --end 1s
expect 1 'not both' restart whole.h5 --from 300 --time 3s
expect 1 'overwritten' restart whole.h5 --from 300 -o whole.h5
expect 1 'give a step that divides it' restart "$work/first/slow.h5" --step 3ms --end 2s
expect 1 'must be positive' restart "$work/first/slow.h5" --step 0 --end 2s
expect 3 'not a results file' restart cut.txt
expect 3 'cannot read' restart nothing.h5
echo passed
