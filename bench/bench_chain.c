/* SPDX-License-Identifier: Apache-2.0 */
/* CHAIN-N: N rigid links of 1 m and 1 kg on revolute joints about y, falling from horizontal, h = 1
 * ms, 200 steps. With -c 1000: N links in chains of 1000, so that links have the same motion in
 * models of any size. See bench.h.
 */
#include "bench.h"
#include "math/rotation.h"

/* Link i of its chain. */
static int add_link(ts_model *model, int i) {
    m3 J = {{{1e-3, 0, 0}, {0, 1.0 / 12, 0}, {0, 0, 1.0 / 12}}};
    ts_model_part(model, "link");
    int node = ts_model_node(model, TS_NODE_FRAME, v3_make(i + 0.5, 0, 0), m3_identity());
    ts_model_mass(model, node, 1, v3_make(0, 0, 0), J);
    return node;
}

/* the end of the previous link (or the ground) and the start of the next */
static void add_revolute(ts_model *model, int A, int B) {
    int nodes[2] = {A, B};
    m3 frame = ts_frame_from_axis(v3_axis(1));
    ts_model_part(model, "hinge");
    ts_model_site(model, TS_ROLE_ROWS, 2, nodes);
    ts_combo gap = ts_combo_minus(ts_combo_point(1, v3_make(-0.5, 0, 0)),
                                  ts_combo_point(0, v3_make(A ? 0.5 : 0, 0, 0)));
    for (int i = 0; i < 3; i++) {
        ts_form_component(model, v3_axis(i), gap, 0);
        ts_model_row(model, -1, false, "displacement");
    }
    for (int i = 0; i < 2; i++) {
        ts_form_dot(model, 1, ts_combo_direction(0, frame.c[i]), ts_combo_direction(1, frame.c[2]),
                    0);
        ts_model_row(model, -1, false, "rotation");
    }
}

static ts_model *chain(int links) {
    ts_model *model = ts_model_new();
    model->gravity = v3_make(0, 0, -9.81);
    int length = bench_cut > 0 ? bench_cut : links;
    for (int i = 0, previous = 0; i < links; i++) {
        int node = add_link(model, i % length);
        add_revolute(model, i % length ? previous : 0, node);
        previous = node;
    }
    return model;
}

int main(int argc, char **argv) {
    const bench b = {"CHAIN-N", "body", "links", "chain.csv", chain, 1e-3};
    return bench_main(&b, argc, argv);
}
