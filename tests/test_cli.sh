#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The command line: verbs, options, exit codes, standard output and standard error, and that no file
# is overwritten by mistake.
set -eu
torsor=${TORSOR:?} source=${TORSOR_SOURCE_DIR:?}
examples=$source/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

complain() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# expect CODE WHERE TEXT ARGUMENTS...: exit code, and a text on stdout (out) or stderr (err)
expect() {
    local wanted=$1 where=$2 text=$3 code=0
    shift 3
    "$torsor" "$@" >out.txt 2>err.txt </dev/null || code=$?
    [ "$code" = "$wanted" ] || complain "torsor $*: exit code $code, not $wanted: $(cat err.txt)"
    grep -qe "$text" "$where.txt" || complain "torsor $*: no '$text' in $where: $(cat $where.txt)"
    # errors are on stderr and begin with the program's name; success is silent there
    [ "$where" != err ] || grep -q '^torsor: ' err.txt || complain "torsor $*: no 'torsor: '"
    [ "$wanted" != 0 ] || [ ! -s err.txt ] || complain "torsor $*: stderr: $(cat err.txt)"
}

cat >pendulum.yaml <<'END'
torsor: 1
title: A "quoted" title
units: SI
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}
analysis: {step: 10 ms, end: 1 s}
outputs: {every: 10, csv: [hinge.angle, energy.total]}
END
model=pendulum.yaml

echo 'help and version'
version=$(sed -n 's/^#define TORSOR_VERSION "\(.*\)"$/\1/p' "$source/include/torsor/torsor.h")
expect 0 out "^torsor $version\$" --version
expect 0 out '^usage: torsor VERB' --help
expect 1 out '^usage: torsor VERB'
for verb in run check restart info schema; do
    expect 0 out "^usage: torsor $verb" $verb --help
    grep -q '^  5  interrupted' out.txt || complain "$verb --help: no exit codes"
    expect 0 out "^usage: torsor $verb" help $verb
    [ "$(awk 'length > 80' out.txt | wc -l)" = 0 ] || complain "$verb --help: wide lines"
    ! grep -q ' $' out.txt || complain "$verb --help: blanks at the end of a line"
done

echo 'the library of BLAS'
expect 0 out '^BLAS  *[A-Za-z]' info --build
expect 1 err "'info' needs RESULTS.h5, or --build" info
expect 1 err 'without a file' info --build run.h5
echo 'the library that serves pages is loaded by those who serve any'
expect 0 out '^HTTP  *libmicrohttpd [0-9.]*, /' info --build
library=$(sed -n 's/^HTTP .*\/\(libmicrohttpd[^/]*\)$/\1/p' out.txt)
! ldd "$torsor" | grep -q -e microhttpd -e gnutls || complain 'libmicrohttpd is loaded at every start'
mkdir -p broken && echo none >"broken/$library"
export LD_LIBRARY_PATH=broken
expect 0 out '^HTTP  *none: .*libmicrohttpd, which is missing: install libmicrohttpd12' info --build
expect 0 out '^missing   HTTP .*libmicrohttpd' doctor
expect 3 err 'libmicrohttpd, which is missing: install libmicrohttpd12' view $model --no-browser
expect 0 out 'energy audit: closed' run $model -f -o other.h5
unset LD_LIBRARY_PATH

cat >block.yaml <<'END'
torsor: 1
units: SI
materials: {M: {E: 7e10, nu: 0.3, density: 2700}}
meshes: {V: {type: box, size: [1, 1, 1], divisions: [2, 2, 2]}}
solids: {body: {mesh: V, material: M}}
joints: {clamp: {type: support, nodes: body.x-, fix: [x, y, z]}}
analysis: {step: 1 ms, end: 3 ms, solver: mumps}
END
# Debian has each library in a folder of its own; torsor takes the one that the linker finds first
reference=/usr/lib/$(gcc -print-multiarch 2>/dev/null || true)/blas
if [ -e "$reference/libblas.so.3" ]; then
    LD_LIBRARY_PATH=$reference "$torsor" info --build | grep -q '^BLAS  *reference BLAS, ' || complain 'not the reference BLAS'
    for verb in check run; do
        LD_LIBRARY_PATH=$reference "$torsor" $verb block.yaml >out.txt 2>err.txt
        [ "$(grep -c 'WARNING: the linear solver mumps uses the reference BLAS.*libopenblas0-serial' err.txt)" = 1 ] ||
            complain "$verb: not one warning of the reference BLAS: $(cat err.txt)"
    done
    LD_LIBRARY_PATH=$reference "$torsor" run block.yaml --solver klu -f >out.txt 2>err.txt
    [ ! -s err.txt ] || complain "klu needs no BLAS: $(cat err.txt)"
fi

echo '--set'
sed -e 's/^units: SI/&\nparameters: {L: 1 m, M: 2 kg}/' -e 's/mass: 2/mass: M/' -e 's/0.5, 0, 0/L\/2, 0, 0/' $model >other.yaml
expect 0 out 'mass  *2 kg, centre (0.5, 0, 0) m' check other.yaml
expect 0 out 'mass  *3 kg, centre (1, 0, 0) m' check other.yaml --set L=2m --set 'parameters.M = 3 kg'
expect 0 out 'mass  *7 kg' check other.yaml --set bodies.rod.mass=7kg
expect 0 out 'gravity  *none' check other.yaml --set gravity='[0, 0, 0]'
expect 0 out 'mass  *3 kg' run other.yaml --set M=3kg -o set.h5
expect 0 out 'M: 3kg' info set.h5 --text
for verb in modes converge compare; do expect 1 err "no parameter 'K': it has L, M" $verb other.yaml --set K=1; done
expect 1 err "no parameter 'MM': it has L, M; did you mean 'M'" run other.yaml --set MM=1
expect 1 err "no parameter 'K': it has none" run $model --set K=1
expect 1 err 'expected NAME=VALUE' run other.yaml --set L
expect 1 err 'expected NAME=VALUE' run other.yaml --set L=
expect 2 err 'other.yaml: 1 problem' run other.yaml --set M=3m
expect 2 err "unknown key 'mas'" run other.yaml --set bodies.rod.mas=3kg
expect 1 err "has no option '--set'" restart set.h5 --set L=1

echo 'mistakes on the command line'
expect 1 err "did you mean 'run'" runn
expect 1 err "did you mean 'torsor run my.yaml'" my.yaml
expect 1 err "torsor --help" frobnicate
expect 1 err 'needs MODEL.yaml' run
expect 3 err 'more: cannot read the file' run $model more --no-results -q
expect 1 err "unexpected argument 'more'" modes $model more
expect 1 err 'names one file, but there are 2 models' run $model $model -o x.h5
expect 1 err "did you mean '--scheme'" run $model --schema EP
expect 1 err "no option '-x'" run $model -x
expect 1 err '--step needs a value' run $model --step
expect 1 err '--output needs a value' run $model -o --quiet
expect 1 err '--json takes no value' run $model --json=yes
expect 1 err 'expected a time' run $model --step 1mm
expect 1 err "unknown name 'fast'" run $model --step fast
expect 1 err 'must be positive' run $model --step 0
expect 1 err '0 or later' run $model --end=-1s
expect 1 err 'before its first step' run $model --step 2s
expect 1 err 'more than 1e9 steps' run $model --step 1e-12
expect 1 err 'expected 0 to 1' run $model --rho 1.5
expect 1 err 'whole number' run $model --every 2.5
expect 1 err 'expected 1 to 1e9' run $model --every 0
expect 1 err 'there are ' run $model --scheme XY
expect 1 err 'there are auto, klu, mumps, krylov' run $model --solver pardiso
expect 1 err 'expected 1 to 256' run $model --threads 0
expect 1 err 'expected a whole number' run $model --threads 1.5
expect 1 err 'not with --no-results' run $model --no-results --csv a.csv
expect 1 err 'model or the results file' run $model --csv ./pendulum.yaml
[ ! -e pendulum.h5 ] || complain 'a refused run left a file'

echo 'a run'
expect 0 out '^energy audit: closed to .* nothing created$' run $model
for text in '^A "quoted" title$' '1 body, 1 joint' '^  freedom *1 degree of freedom' \
    '^  mass *2 kg, centre (0.5, 0, 0) m' 'ED, rho_inf 0; step 10 ms, 100 steps to t = 1 s' \
    'step 10/100 ' 'step 100/100 ' '^  work of drives' 'balance error' 'results: pendulum.h5'; do
    grep -qe "$text" out.txt || complain "run: no '$text'"
done
expect 0 out '^status *completed' info pendulum.h5
cmp <("$torsor" info pendulum.h5 --text) $model || complain 'the echo is not the model'
expect 0 out '^t \[s\],hinge.angle \[rad\],energy.total \[J\]$' info pendulum.h5 --csv
[ "$(wc -l <out.txt)" = 12 ] || complain 'csv: not 11 states'
expect 0 out '^t \[s\],rod.position.z \[m\]$' info pendulum.h5 --csv rod.position.z
expect 0 out '"frames": 11' info pendulum.h5 --json

echo 'options stand above the model'
expect 0 out 'linear solver mumps, .* unknowns, 2 threads' run $model --no-results --solver mumps \
    --threads 2 --end 10ms
expect 0 out 'linear solver klu (auto)' run $model --no-results --end 10ms
expect 0 out 'EP; step 1 ms, 500 steps to t = 0.5 s, 1 of 100' run $model --scheme EP --step 1ms \
    --end '0.5 s' -o a.h5
expect 0 out '"frames": 6' info a.h5 --json
expect 0 out 'rho_inf 0.5; step 5 ms, 200 steps to t = 1 s, 1 of 7' run --rho 1/2 --every=7 $model \
    --step=0.005 -oa.h5
expect 0 out '^scheme *ED, rho_inf 0.5' info a.h5
expect 0 out '.' run $model --csv a.csv --output a.h5
cmp a.csv <("$torsor" info a.h5 --csv) || complain 'run --csv and info --csv differ'
"$torsor" info a.h5 --csv -o b.csv || complain 'info --csv -o'
cmp a.csv b.csv || complain 'info --csv -o differs'
rm -f pendulum.h5
expect 0 out 'energy audit' run $model --no-results
[ ! -e pendulum.h5 ] || complain '--no-results wrote a file'
"$torsor" run $model --quiet -o a.h5 >out.txt 2>&1 || complain 'run --quiet'
[ ! -s out.txt ] || complain "run --quiet printed: $(cat out.txt)"

echo 'JSON'
"$torsor" run $model --json -o a.h5 >run.json
"$torsor" check $model --json >check.json
"$torsor" info a.h5 --json >info.json
sed 's/mass/maas/' $model >wrong.yaml
code=0
"$torsor" check wrong.yaml --json >wrong.json || code=$?
[ "$code" = 2 ] || complain "check of a wrong model: exit code $code"
"$torsor" schema >schema.json
/usr/bin/python3 - <<'END' || complain 'JSON'
import json
lines = [json.loads(line) for line in open("run.json")]
events = [line["event"] for line in lines]
assert events[:2] == ["model", "assembly"] and events[-1] == "done", events
assert set(events[2:-1]) == {"progress"}, events
model, done = lines[0], lines[-1]
assert model["title"] == 'A "quoted" title' and model["bodies"] == 1 and model["freedom"] == 1
assert model["mass"] == 2 and model["steps"] == 100
assert done["status"] == "completed" and done["exit_code"] == 0 and done["sound"]
assert done["step"] == 100 and done["relative_balance"] < 1e-8 and done["results"] == "a.h5"
check = json.load(open("check.json"))
assert check["valid"] and check["diagnostics"] == [] and check["assembly"]["joints"][0]["part"] == "hinge"
wrong = json.load(open("wrong.json"))
assert not wrong["valid"] and wrong["exit_code"] == 2 and wrong["diagnostics"][0]["line"] == 6
assert json.load(open("info.json"))["status"] == "completed"
assert "$schema" in json.load(open("schema.json"))
END

echo 'mistakes in the model'
expect 2 err "did you mean 'mass'" run wrong.yaml
grep -q '^wrong.yaml:6:' err.txt || complain 'no place of the mistake'
! grep -q "$(printf '\033')" err.txt || complain 'colours, but no terminal'
expect 2 err 'problems\?$' check wrong.yaml
[ ! -e wrong.h5 ] || complain 'a wrong model left a results file'
grep -v '^analysis' $model >still.yaml
expect 2 err "has no 'analysis'" run still.yaml
expect 0 out 'energy audit' run still.yaml --step 1ms --end 10ms
expect 0 out 'no problems' check still.yaml
sed 's/energy.total/rod.colour/' $model >column.yaml
expect 2 err "rod" run column.yaml --csv c.csv
[ ! -e c.csv ] || complain 'an unknown column left a table'

sed 's/end: 1 s/end: 1 s, max_iterations: 1, max_cuts: 0/' $model >hard.yaml
expect 4 err 'no convergence' run hard.yaml
grep -q '^FAILED at t = 0 s, step 0 of 100$' out.txt || complain 'no word of the failure'
expect 0 out '^status *failed: ' info hard.h5
expect 0 out 'iterations/increment' run "$TORSOR_SOURCE_DIR/examples/cases/williams_toggle.yaml" --no-results
grep -q '^  load [0-9.]*  increment ' out.txt || complain 'no progress in increments of load'
! grep -q 't = \|steps/s' out.txt || complain 'a time in statics'
sed 's/^joints:/&\n  far: {type: distance, bodies: [ground, rod], from: [0, 0, 0], to: [1, 0, 0], length: 3}/' \
    $model >apart.yaml
expect 2 err "'far'" run apart.yaml
expect 2 err "'far'" check apart.yaml
[ ! -e apart.h5 ] || complain 'a model that does not fit left a results file'

echo 'a table of a run that fails or is stopped: up to its last stored state'
sed -e 's/^analysis/loads: {push: {type: force, body: rod, force: [0, 0, "if(t < 0.545, 0, 1e300)"]}}\n&/' $model >burst.yaml
rm -f burst.csv
expect 4 err '^torsor: ' run burst.yaml --csv burst.csv
grep -q '^FAILED at t = 0.5[0-9]* s' out.txt || complain "the run did not fail near 0.55 s: $(tail -n 1 out.txt)"
grep -q '^  table:   burst.csv, up to the last stored state, t = 0.5' out.txt || complain 'nothing is said of the table'
[ -s burst.csv ] || complain 'a run that failed left no table'
cmp burst.csv <("$torsor" info burst.h5 --csv) || complain 'the table is not that of the results'
expect 4 out '"csv": "burst.csv"' run burst.yaml --csv burst.csv --force --json

echo 'files'
mkdir folder
expect 3 err 'No such file' run nothing.yaml
expect 3 err 'directory' run folder
expect 3 err 'No such file' check nothing.yaml
expect 1 err '^torsor: --end: the end must be later' run $model --end 0
"$torsor" run $model --step 1 --end 5 -o long.h5 >out.txt 2>err.txt || complain 'a long step fails'
grep -q 'the scheme dissipated [0-9]* % of the largest energy' out.txt || complain 'nothing is said of what the scheme dissipated'
grep -q "'[a-z]*' turns by up to [0-9]* deg in a step" err.txt || complain 'nothing is said of the turn in a step'
expect 3 err 'there is no folder no' run $model -o no/such.h5
expect 3 err 'Is a directory' run $model -o folder
expect 1 err 'overwritten by its own results' run $model -o ./pendulum.yaml
echo 'a thesis' >thesis.txt
expect 3 err 'not overwritten' run $model -o thesis.txt
grep -q 'a thesis' thesis.txt || complain 'the thesis is gone'
expect 3 err 'not a results file' info $model
expect 3 err 'cannot read' info nothing.h5
expect 3 err 'cannot write' info a.h5 --csv -o no/such.csv
expect 3 err 'cannot write' run $model --csv no/such.csv -o a.h5
expect 1 err 'results file itself' info a.h5 --csv -o a.h5
expect 1 err 'one at a time' info a.h5 --csv --text
expect 1 err 'give --csv too' info a.h5 rod.position
expect 1 err "no 'rod.colour'" info a.h5 --csv rod.colour
code=0
"$torsor" schema >/dev/full 2>err.txt || code=$?
[ "$code" = 3 ] || complain "a full disk: exit code $code"
cp $model -- -odd.yaml
expect 0 out 'energy audit' run -o odd.h5 -- -odd.yaml
cat $model >'with space.yaml'
expect 0 out 'results: with space.h5' run 'with space.yaml'

echo 'a reader that goes away does not end the run'
"$torsor" run $model --end 2s -o pipe.h5 | head -n 1 >/dev/null
expect 0 out '^status *completed' info pipe.h5

echo 'interruption'
"$torsor" run $model --end 5000s --every 1000 -o long.h5 --json >long.json &
pid=$!
until grep -q progress long.json; do sleep 0.02; done
kill -TERM "$pid"
code=0
wait "$pid" || code=$?
[ "$code" = 5 ] || complain "SIGTERM: exit code $code"
tail -n 1 long.json | grep -q '"status": "interrupted", "exit_code": 5' || complain 'no verdict'
expect 0 out '^status *interrupted' info long.h5
rm -f long.csv
"$torsor" run $model --end 5000s --every 1000 -o long.h5 --csv long.csv >long.txt &
pid=$!
until grep -q 'steps/s' long.txt; do sleep 0.02; done
kill -TERM "$pid"
wait "$pid" || true
grep -q '^  table:   long.csv, up to the last stored state' long.txt || complain 'interrupted: no table'
cmp long.csv <("$torsor" info long.h5 --csv) || complain 'interrupted: another table'

echo 'examples'
for example in "$examples"/*.yaml; do
    name=$(basename "$example" .yaml)
    expect 0 out 'no problems' check "$example"
    expect 0 out '^energy audit: closed' run "$example"
    expect 0 out '^t ' info "$name.h5" --csv
done

expect 0 out '3 constraints, left out' check "$examples/four_bar.yaml"

# the top at 0.4 s with h = 4 ms, from an independent program
for scheme in EP ED; do
    "$torsor" run "$examples/spinning_top.yaml" --scheme $scheme --step 4ms --end 0.4s -q -o top.h5
    "$torsor" info top.h5 --csv top.position | tail -n 1 >top.csv
    awk -F, '{ exit !(($2 - 0.387461)^2 + ($3 + 1.136808)^2 + ($4 - 0.497536)^2 < 1e-11) }' top.csv ||
        complain "the top with $scheme: $(cat top.csv)"
done

[ "$failures" = 0 ] || {
    echo "$failures failures"
    exit 1
}
echo passed
