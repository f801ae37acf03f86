#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a C program that calls every function of torsor.h with NULL in every place of a pointer.

null_calls.py HEADER OUTPUT

The prototypes are read from the header, so a new function is called without a line here. What is expected follows from the conventions
at the head of torsor.h: a status is negative, a pointer NULL, a number NaN, an index -1, a count 0; *out is NULL. The exceptions are
listed below by name; a name that the header does not have is a mistake.
"""
import pathlib
import re
import sys

# functions that count, or that find an index: not a status
COUNTS = set("""mistakes run_measures run_events run_contacts run_impacts run_inputs run_slots run_nodes run_parts run_coordinates run_conditions run_stations modes_count
modes_free_motions results_frames results_steps results_series_count table_rows table_columns plan_count plan_cases run_steps_done run_steps_planned probe_count
campbell_speeds campbell_curves paint_count""".split())
# pointers that may be NULL
OPTIONAL = set("""model_parse.name run_begin.options run_resume.options modes_new.options modes_find.options converge.options
compare.options spectrum.options resolve_begin.options run_resolution.level results_export.place results_export.states
results_export.file results_csv.selector results_table.selector results_channels.selector model_channels.selector run_finish.run plan_parse.path
results_measure.unit table_plot.title table_plot.over journals_write.cases run_on_event.listener probe_new.selector""".split())
TRUE = {"run_ended"}  # a run that is not there has nothing left to do

HANDLES = {"torsor_model": "model", "torsor_options": "options", "torsor_run": "run", "torsor_modes": "modes",
           "torsor_results": "results", "torsor_table": "table", "torsor_study": "study", "torsor_resolve": "resolve",
           "torsor_plan": "plan", "torsor_probe": "probe", "torsor_campbell": "campbell",
           "torsor_paint": "paint"}
TEXTS = {"use": '"run"', "results": 'RESULTS', "format": '"vtu"', "form": '"text"', "unit": '"m"', "value": '"1"', "text": 'MODEL'}

FRAME = r"""/* Made by tests/null_calls.py from torsor.h: do not edit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "torsor/torsor.h"

static const char RESULTS[] = "run.h5", MODEL[] =
    "torsor: 1\nunits: SI\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n  j: {type: revolute, bodies: [ground, a], at: [0, 0, 1], axis: y}\n"
    "springs:\n  s: {type: torsion_spring, joint: j, stiffness: 3}\n"
    "analysis: {scheme: EP, step: 10 ms, end: 40 ms}\n";
static const char ROTOR[] =
    "torsor: 1\nunits: SI\nbodies: {a: {mass: 1, inertia: [1, 2, 2.5]}}\nanalysis: {end: 1, step: 1}\n";
static int wrong;
static const char PLAN[] = "study: 1\nparameters: {a: [1]}\n";
static double room[1000]; /* for whatever a function fills */

static void expect(int good, const char *call) {
    if (!good) printf("%s: %s\n", call, "does not say so"), wrong++;
}

static void need(int status) {
    if (status) printf("set-up: %s\n", torsor_error()), exit(1);
}

static torsor_model *model;
static torsor_options *options;
static torsor_run *run;
static torsor_modes *modes;
static torsor_results *results;
static torsor_table *table;
static torsor_study *study;
static torsor_resolve *resolve;
static torsor_plan *plan;
static torsor_probe *probe;
static torsor_campbell *campbell;
static torsor_paint *paint;

/* of a free body: what is tied to the ground cannot turn */
static void set_up_campbell(void) {
    torsor_model *rotor;
    torsor_options *spin;
    need(torsor_model_parse(&rotor, ROTOR, strlen(ROTOR), "r"));
    need(torsor_options_new(&spin, "modes"));
    need(torsor_options_set(spin, "spin", "[0, 0, 1]"));
    need(torsor_options_set(spin, "speeds", "2"));
    need(torsor_campbell_new(&campbell, rotor, spin));
    torsor_options_free(spin), torsor_model_free(rotor);
}

static char folder[] = "/tmp/torsor-null-XXXXXX";

static void set_up(void) {
    torsor_run *fresh;
    if (!mkdtemp(folder) || chdir(folder)) exit(1);
    need(torsor_model_parse(&model, MODEL, strlen(MODEL), "m"));
    need(torsor_options_new(&options, "converge"));
    need(torsor_options_set(options, "levels", "1"));
    need(torsor_run_new(&run, model));
    need(torsor_run_record(run, RESULTS));
    need(torsor_run_to(run, INFINITY));
    need(torsor_run_finish(run));
    need(torsor_modes_new(&modes, model, NULL));
    need(torsor_results_open(&results, RESULTS));
    need(torsor_results_table(&table, results, 0, NULL));
    need(torsor_converge(&study, model, options));
    need(torsor_plan_parse(&plan, PLAN, strlen(PLAN), NULL));
    need(torsor_run_new(&fresh, model));
    need(torsor_resolve_begin(&resolve, fresh, NULL));
    torsor_resolve_free(resolve);
    need(torsor_resolve_begin(&resolve, fresh, NULL));
    torsor_resolve_abandon(resolve);
    run = (torsor_run_free(run), fresh);
    need(torsor_probe_new(&probe, run, 0, NULL));
    need(torsor_paint_new(&paint, run, "von_mises_stress"));
    set_up_campbell();
}

static void tear_down(void) {
    torsor_resolve_free(resolve), torsor_study_free(study), torsor_table_free(table);
    torsor_plan_free(plan), torsor_probe_free(probe);
    torsor_campbell_free(campbell), torsor_paint_free(paint);
    torsor_results_free(results), torsor_modes_free(modes), torsor_run_free(run);
    torsor_options_free(options), torsor_model_free(model);
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (chdir("/") || system(command)) wrong++;
}

static const char *const TEXTS[] = {"time", NULL};
CALLS
int main(void) {
    set_up();
    call_all();
    tear_down();
    printf("COUNT calls with NULL, %d with a wrong answer\n", wrong);
    return wrong != 0;
}
"""


def prototypes(header):
    """(returned type, name without torsor_, [(type, name)]) of every function."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", header, flags=re.S)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    text = re.sub(r"typedef[^;{]*\{.*?\}[^;]*;", "", text, flags=re.S)
    found = []
    for returned, name, inside in re.findall(r"([\w ]+[ *]+)torsor_(\w+)\(([^()]*)\);", text):
        parameters = []
        for p in inside.split(","):
            m = re.fullmatch(r"\s*(.+?)(\w+)(\[\d+\])?\s*", p, flags=re.S)
            if p.strip() != "void":
                parameters.append((" ".join(m[1].split()) + (" *" if m[3] else ""), m[2]))
        found.append((" ".join(returned.split()), name, parameters))
    return found


def valid(kind, name):
    """What stands for a parameter that is not NULL."""
    plain = kind.replace("const ", "").replace("*", "").strip()
    if "*" not in kind:
        return {"double": "0.0", "size_t": "1"}.get(plain, "1" if name == "every" else "0")
    if kind.startswith("const char *const"):
        return "TEXTS"
    if kind == "const char *":
        return TEXTS.get(name, '"x.out"')
    if kind.endswith("* *") or kind.endswith("**"):
        return f"&{HANDLES.get(plain, 'made')}_out" if plain in HANDLES else "&text_out"
    if plain in HANDLES:
        return HANDLES[plain]
    return "(void *)room"


def expectation(returned, name):
    if returned == "void":
        return None
    if "*" in returned:
        return "!got"
    if returned == "double":
        return "isnan(got)"
    if returned == "bool":
        return "got" if name in TRUE else "!got"
    if name in COUNTS:
        return "got == 0"
    return "got < 0"


def call(returned, name, parameters, place):
    """One call with NULL at a place."""
    lines, given = [], []
    for k, (kind, parameter) in enumerate(parameters):
        value = valid(kind, parameter)
        if k != place and value.endswith("_out"):
            plain = kind.replace("*", "").strip()
            lines.append(f"{plain} *{value[1:]} = (void *)room;")
        given.append("NULL" if k == place else value)
    if name == "report":
        given[0] = "1"
    label = f"torsor_{name}({', '.join(given)})".replace('"', '\\"')
    optional = f"{name}.{parameters[place][1]}" in OPTIONAL
    expected = None if optional else expectation(returned, name)
    lines.append(("" if returned == "void" else f"{returned} got = ") + f"torsor_{name}({', '.join(given)});")
    if expected:
        lines.append(f'expect({expected}, "{label}");')
        if expected == "got < 0":
            lines.append(f'expect(*torsor_error() != 0, "{label}, message");')
    elif returned != "void":
        lines.append("(void)got;")
    for k, (kind, parameter) in enumerate(parameters):
        value = valid(kind, parameter)
        if k == place or not value.endswith("_out"):
            continue
        what = value[1:]
        if what == "text_out":
            lines.append(f"if ((void *){what} != (void *)room) torsor_text_free({what});")
        else:
            if not optional:
                lines.append(f'expect(!{what}, "{label}, *out");')
            lines.append(f"if ((void *){what} != (void *)room) {kind.replace('*', '').strip()}_free({what});")
    return "    {\n" + "".join(f"        {line}\n" for line in lines) + "    }\n"


def main():
    header, output = map(pathlib.Path, sys.argv[1:])
    found = prototypes(header.read_text(encoding="utf-8"))
    names = {name for _, name, _ in found}
    pairs = {f"{name}.{p}" for _, name, parameters in found for _, p in parameters}
    declared = set(re.findall(r"\btorsor_(\w+)\(", re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.S)))
    unknown = (COUNTS | TRUE) - names | OPTIONAL - pairs | names ^ declared
    if unknown:
        sys.exit(f"null_calls.py: not as in the header: {', '.join(sorted(unknown))}")
    calls = [call(r, n, p, k) for r, n, p in found for k, (kind, _) in enumerate(p) if "*" in kind]
    body = "static void call_all(void) {\n" + "".join(calls) + "}\n"
    output.write_text(FRAME.replace("CALLS", body).replace("COUNT", str(len(calls))), encoding="utf-8")


if __name__ == "__main__":
    main()
