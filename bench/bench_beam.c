/* SPDX-License-Identifier: Apache-2.0 */
/* BEAM-N: a flexible pendulum of 10 m, 1 kg/m, in N beam elements of two nodes, on a revolute joint
 * about y, falling from horizontal, h = 1 ms, 200 steps. EA = 1e6, GA = 5e5, EI = GJ = 1e3. See
 * bench.h.
 */
#include "bench.h"
#include "reader/document.h"

static const char TEXT[] =
    "torsor: 1\n"
    "units: SI\n"
    "gravity: [0, 0, -9.81]\n"
    "sections:\n"
    "  S: {EA: 1e6, GA2: 5e5, GA3: 5e5, GJ: 1e3, EI2: 1e3, EI3: 1e3, mass: 1,\n"
    "      inertia: [2e-2, 1e-2, 1e-2]}\n"
    "beams:\n"
    "  arm: {from: [0, 0, 0], to: [10, 0, 0], section: S, elements: %d, order: 1}\n"
    "joints:\n"
    "  pivot: {type: revolute, bodies: [ground, arm.start], at: [0, 0, 0], axis: y}\n";

static ts_model *pendulum(int elements) {
    char text[sizeof TEXT + 20];
    ts_diagnostics list = {0};
    ts_document *document;
    snprintf(text, sizeof text, TEXT, elements);
    if (ts_document_parse(&document, text, strlen(text), "beam.yaml", &list)) {
        ts_diagnostics_print(&list, stderr, false);
        exit(1);
    }
    return document->model;
}

int main(int argc, char **argv) {
    const bench b = {"BEAM-N", "element", "elements", "beam.csv", pendulum, 1e-3};
    return bench_main(&b, argc, argv);
}
