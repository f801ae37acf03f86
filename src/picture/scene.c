/* SPDX-License-Identifier: Apache-2.0 */
/* A model before it runs: what acts on it and what holds it, for the page of `torsor view`.
 *
 *   gravity    m/s^2
 *   loads      [part, node, place on the node (3), vector (3), moment, follower, now]: N or N m at
 *              the
 *              start; a load that is zero there is told as the largest of a few later times, and
 *              `now` is false
 *   supports   [part, node]: nodes that are held
 *   points     [name, place (3)]: the section `points`
 *   masses     kg, by part
 *
 * A load or support on a mesh has thousands of nodes. Of each part, every second, fourth ... one is
 * told, MOST_OF_PART at most: arrows show the direction, not the sum.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "picture/report.h"
#include "picture/report_data.h"

enum { MOST_OF_PART = 200 };

/* ---- thinning ---- */

/* Which of the entries of a part are told: each `stride[part]`-th. */
typedef struct thinning {
    int *count, *seen;
} thinning;

static thinning thinning_new(const ts_model *model) {
    size_t parts = (size_t)model->parts_count + 1;
    return (thinning){ts_calloc(parts, sizeof(int)), ts_calloc(parts, sizeof(int))};
}

static bool is_told(thinning *t, int part) {
    int stride = (t->count[part] + MOST_OF_PART - 1) / MOST_OF_PART;
    return t->seen[part]++ % (stride > 1 ? stride : 1) == 0;
}

static void thinning_clear(thinning *t) { free(t->count), free(t->seen); }

/* ---- loads ---- */

static double signal_at(const ts_drawn_scene *scene, int signal, double t) {
    const ts_model *model = scene->document->model;
    double value = 0, rate;
    if (signal < 0 || model->signals[signal].channels > 0) return 0; /* depends on the state */
    ts_signal_eval(&model->signals[signal], ts_when_of(&scene->system->state, t), &value, &rate);
    return isfinite(value) ? value : 0;
}

static v3 vector_at(const ts_drawn_scene *scene, const int signal[3], double t) {
    return v3_make(signal_at(scene, signal[0], t), signal_at(scene, signal[1], t),
                   signal_at(scene, signal[2], t));
}

/* The vector of three signals now; where it is zero, the largest of some later times. */
static v3 vector_of(const ts_drawn_scene *scene, const int signal[3], bool *now) {
    static const double SHARE[] = {0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1};
    double start = scene->system->state.t, left = scene->document->options.t_end - start;
    v3 most = vector_at(scene, signal, start);
    *now = v3_dot(most, most) > 0;
    for (size_t i = 0; !*now && i < sizeof SHARE / sizeof *SHARE; i++) {
        v3 f = vector_at(scene, signal, start + (left > 0 ? left : 1) * SHARE[i]);
        if (v3_dot(f, f) > v3_dot(most, most)) most = f;
    }
    return most;
}

static void put_arrow(ts_json *j, int part, int node, v3 at, v3 f, bool moment, bool follower,
                      bool now) {
    const double number[] = {at.x, at.y, at.z, f.x, f.y, f.z};
    ts_json_open(j, NULL, '[');
    ts_json_count(j, NULL, part), ts_json_count(j, NULL, node);
    for (int i = 0; i < 6; i++) ts_report_number(j, NULL, number[i]);
    ts_json_flag(j, NULL, moment), ts_json_flag(j, NULL, follower), ts_json_flag(j, NULL, now);
    ts_json_close(j, ']');
}

static void put_load(ts_json *j, const ts_drawn_scene *scene, const ts_load *load) {
    const ts_node *node = &scene->document->model->nodes[load->node];
    bool now, frame = node->kind == TS_NODE_FRAME;
    v3 f = vector_of(scene, load->signal, &now);
    if (load->factor != 0) f = v3_scale(load->factor, f);
    put_arrow(j, load->part, load->node, frame ? load->point : v3_make(0, 0, 0), f, load->moment,
              load->follower, now);
}

/* Along r,1 x r,2 at the first point of quadrature; told at the first node of the face. */
static void put_pressure(ts_json *j, const ts_drawn_scene *scene, const ts_pressure *p) {
    const ts_model *model = scene->document->model;
    const double *rule = model->interpolation + p->rule, *q = scene->system->state.q;
    const int *node = model->site_nodes + p->node;
    v3 side[2] = {v3_make(0, 0, 0), v3_make(0, 0, 0)};
    for (int i = 0; i < p->nodes; i++)
        for (int k = 0; k < 2; k++) {
            v3 x = v3_load(q + 3 * (model->nodes[node[i]].slot + p->of[k]));
            side[k] = v3_axpy(rule[3 * i + 1 + k], x, side[k]);
        }
    bool now;
    double value = vector_of(scene, (const int[]){p->signal, -1, -1}, &now).x;
    v3 normal = v3_cross(side[0], side[1]);
    put_arrow(j, p->part, node[0], v3_make(0, 0, 0), v3_scale(value, normal), p->on > 0, false,
              now);
}

static void put_loads(ts_json *j, const ts_drawn_scene *scene) {
    const ts_model *model = scene->document->model;
    thinning t = thinning_new(model);
    for (int i = 0; i < model->loads_count; i++) t.count[model->loads[i].part]++;
    for (int i = 0; i < model->pressures_count; i++) t.count[model->pressures[i].part]++;
    ts_json_open(j, "loads", '[');
    for (int i = 0; i < model->loads_count; i++)
        if (is_told(&t, model->loads[i].part)) put_load(j, scene, &model->loads[i]);
    for (int i = 0; i < model->pressures_count; i++)
        if (is_told(&t, model->pressures[i].part)) put_pressure(j, scene, &model->pressures[i]);
    ts_json_close(j, ']');
    thinning_clear(&t);
}

/* ---- supports, points, masses ---- */

static void put_supports(ts_json *j, const ts_model *model) {
    thinning t = thinning_new(model);
    for (int i = 1; i < model->nodes_count; i++)
        if (model->nodes[i].held) t.count[model->nodes[i].held]++;
    ts_json_open(j, "supports", '[');
    for (int i = 1; i < model->nodes_count; i++) {
        int part = model->nodes[i].held;
        if (part == 0 || !is_told(&t, part)) continue;
        ts_json_open(j, NULL, '[');
        ts_json_count(j, NULL, part), ts_json_count(j, NULL, i);
        ts_json_close(j, ']');
    }
    ts_json_close(j, ']');
    thinning_clear(&t);
}

static void put_points(ts_json *j, const ts_document *document) {
    ts_json_open(j, "points", '[');
    for (int i = 0; i < document->place_count; i++) {
        const ts_named_place *p = &document->places[i];
        ts_json_open(j, NULL, '[');
        ts_json_text(j, NULL, p->name);
        for (int k = 0; k < 3; k++)
            ts_report_number(j, NULL, (const double[]){p->x.x, p->x.y, p->x.z}[k]);
        ts_json_close(j, ']');
    }
    ts_json_close(j, ']');
}

static void put_masses(ts_json *j, const ts_model *model) {
    double *mass = ts_calloc((size_t)model->parts_count + 1, sizeof *mass);
    for (int i = 1; i < model->nodes_count; i++)
        mass[model->nodes[i].part] += model->nodes[i].mass[0][0];
    ts_json_open(j, "masses", '[');
    for (int p = 0; p < model->parts_count; p++) ts_report_number(j, NULL, mass[p]);
    ts_json_close(j, ']');
    free(mass);
}

void ts_drawn_scene_put(ts_json *j, const ts_drawn_scene *scene) {
    const ts_model *model = scene->document->model;
    const double gravity[] = {model->gravity.x, model->gravity.y, model->gravity.z};
    ts_json_open(j, "scene", '{');
    ts_json_vector(j, "gravity", gravity);
    put_loads(j, scene);
    put_supports(j, model);
    put_points(j, scene->document);
    put_masses(j, model);
    ts_json_close(j, '}');
}
