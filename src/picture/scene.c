/* SPDX-License-Identifier: Apache-2.0 */
/* A model before a run: its loads and supports, for the page of `torsor view`.
 *
 *   gravity    m/s^2
 *   loads      [part, node, place on the node (3), vector (3), moment, follower, now]: N or N m at
 *              the
 *              start; a load that is zero there has the largest value of a few later times, and
 * `now` is false
 *   supports   [part, node]: nodes that are held
 *   points     [name, place (3)]: the section `points`
 *   masses     kg, by part
 *
 * Of loads and supports on a mesh only some are listed: loads.h. */
#include <stdlib.h>

#include "base/memory.h"
#include "picture/loads.h"
#include "picture/report.h"
#include "picture/report_data.h"

/* ---- loads ---- */

/* The load now; where it is zero, the largest of some later times. */
static v3 vector_of(const ts_drawn_scene *scene, const ts_told_load *told, bool *now) {
    static const double SHARE[] = {0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1};
    const ts_state *state = &scene->system->state;
    const ts_model *model = scene->document->model;
    double left = scene->document->options.t_end - state->t;
    v3 most = ts_told_vector(model, told, state->q, ts_when_of(state, state->t));
    *now = v3_dot(most, most) > 0;
    for (size_t i = 0; !*now && i < sizeof SHARE / sizeof *SHARE; i++) {
        ts_when when = ts_when_of(state, state->t + (left > 0 ? left : 1) * SHARE[i]);
        v3 f = ts_told_vector(model, told, state->q, when);
        if (v3_dot(f, f) > v3_dot(most, most)) most = f;
    }
    return most;
}

static void put_arrow(ts_json *j, const ts_told_load *told, v3 f, bool now) {
    const double number[] = {told->at.x, told->at.y, told->at.z, f.x, f.y, f.z};
    ts_json_open(j, NULL, '[');
    ts_json_count(j, NULL, told->part), ts_json_count(j, NULL, told->node);
    for (int i = 0; i < 6; i++) ts_report_number(j, NULL, number[i]);
    ts_json_flag(j, NULL, told->moment), ts_json_flag(j, NULL, told->follower);
    ts_json_flag(j, NULL, now);
    ts_json_close(j, ']');
}

static void put_loads(ts_json *j, const ts_drawn_scene *scene) {
    int count;
    bool now;
    ts_told_load *told = ts_told_loads(scene->document->model, &count);
    ts_json_open(j, "loads", '[');
    for (int i = 0; i < count; i++) {
        v3 f = vector_of(scene, &told[i], &now);
        put_arrow(j, &told[i], f, now);
    }
    ts_json_close(j, ']');
    free(told);
}

/* ---- supports, points, masses ---- */

static void put_supports(ts_json *j, const ts_model *model) {
    ts_thinning t = ts_thinning_new(model);
    for (int i = 1; i < model->nodes_count; i++)
        if (model->nodes[i].held) t.count[model->nodes[i].held]++;
    ts_json_open(j, "supports", '[');
    for (int i = 1; i < model->nodes_count; i++) {
        int part = model->nodes[i].held;
        if (part == 0 || !ts_thinning_told(&t, part)) continue;
        ts_json_open(j, NULL, '[');
        ts_json_count(j, NULL, part), ts_json_count(j, NULL, i);
        ts_json_close(j, ']');
    }
    ts_json_close(j, ']');
    ts_thinning_clear(&t);
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
