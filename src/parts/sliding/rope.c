/* Rope: a massless rope from body to body, over any number of points: pulleys without size,
 * deviators, hooks that run on it. The tension is the same all along.
 *
 * Its own length p is an unknown as s of a sliding joint is (sliding.c), and its coordinate
 * `length`. A rope that does not stretch has a row, sum l_k = p; with EA it has an energy
 * (laws/rope_law.c). p is kept, by a row; of a winch it is free, and a motion, a gear to a drum, a
 * motor or a spring on the coordinate says what becomes of it.
 */
#include <math.h>

#include "base/error.h"
#include "laws/rope_law.h"
#include "parts/sliding/sliding.h"

enum { BODIES, AT, LENGTH, STIFFNESS, WINCH };

static const ts_field FIELDS[] = {
    {.name = "bodies",
     .type = TS_BODIES,
     .required = true,
     .help = "The bodies it leads to, from end to end, one for each place; a body may come several "
             "times."},
    {.name = "at",
     .type = TS_PLACES,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help =
         "Where it begins, runs over a point and ends, as drawn (global): points of the bodies."},
    {.name = "length",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Its own length, unstretched.",
     .fallback = "the length of its way as drawn"},
    {.name = "EA",
     .type = TS_NUMBER,
     .dim = TS_DIM_FORCE,
     .help = "Tension per strain; it may be slack. Without it the rope is straight and does not "
             "stretch, and would also push.",
     .fallback = "it does not stretch"},
    {.name = "winch",
     .type = TS_BOOLEAN,
     .help = "Its length is free, for a motion, a gear to a drum or a motor on the coordinate "
             "`length`.",
     .fallback = "false: it keeps its length"},
    {0}};

typedef struct rope {
    int points, node[TS_MAX_NODES], nodes; /* the nodes of its site: of its length, then bodies */
    int side[TS_MAX_FORMS];                /* which of them each point is on */
    v3 place[TS_MAX_FORMS];                /* body coordinates */
    double way;
} rope;

/* ---- where it leads ---- */

static int side_of(rope *r, int body) {
    for (int k = 1; k < r->nodes; k++)
        if (r->node[k] == body) return k;
    r->node[r->nodes] = body;
    return r->nodes++;
}

static int room_for(const ts_model *model, const rope *r) {
    int slots = 1;
    for (int k = 1; k < r->nodes; k++) slots += model->nodes[r->node[k]].slots;
    return slots <= TS_MAX_SLOTS;
}

/* The last body first: reactions are looked for at the second node of a site. */
static int read_points(ts_builder *b, const ts_value *value, rope *r) {
    const ts_model *model = b->model;
    r->points = value[BODIES].count, r->nodes = 1;
    if (value[AT].count != 3 * r->points)
        return ts_build_fail(b, AT, "name the body of each place", "%d places, but %d bodies",
                             value[AT].count / 3, r->points);
    if (r->points < 2 || r->points >= TS_MAX_FORMS)
        return ts_build_fail(b, BODIES, NULL, "a rope has 2 to %d places", TS_MAX_FORMS - 1);
    side_of(r, (int)value[BODIES].list[r->points - 1]);
    for (int k = 0; k < r->points; k++) {
        int body = (int)value[BODIES].list[k];
        r->side[k] = side_of(r, body);
        r->place[k] = ts_body_point(model, body, v3_load(value[AT].list + 3 * k));
        if (model->nodes[body].slots != 4 && v3_norm(r->place[k]) > 0)
            return ts_build_fail(b, AT, "put it where the point is",
                                 "place %d is beside a point, which has no others", k + 1);
    }
    if (!room_for(model, r))
        return ts_build_fail(b, BODIES, "split the rope", "a rope leads to at most %d bodies",
                             (TS_MAX_SLOTS - 1) / 4);
    return 0;
}

static int measure(ts_builder *b, const ts_value *value, rope *r) {
    for (int k = 0; k + 1 < r->points; k++) {
        const double *at = value[AT].list + 3 * k;
        double l = v3_norm(v3_sub(v3_load(at + 3), v3_load(at)));
        if (!(l > 0))
            return ts_build_fail(b, AT, NULL, "places %d and %d are the same", k + 1, k + 2);
        r->way += l;
    }
    if (value[LENGTH].given && !(value[LENGTH].number[0] > 0))
        return ts_build_fail(b, LENGTH, NULL, "the length must be above zero");
    if (value[STIFFNESS].given && !(value[STIFFNESS].number[0] > 0))
        return ts_build_fail(b, STIFFNESS, NULL, "EA must be above zero");
    return 0;
}

/* ---- forms: of its length, and the squares of its segments ---- */

static void add_forms(ts_model *model, const rope *r) {
    double N[TS_MAX_FORMS * TS_MAX_SLOTS] = {0};
    int ambient = model->sites[model->sites_count - 1].ambient, segments = r->points - 1;
    ts_combo_weights(model, ts_combo_point(0, v3_make(0, 0, 0)), N);
    for (int k = 0; k < segments; k++)
        ts_combo_weights(model,
                         ts_combo_minus(ts_combo_point(r->side[k + 1], r->place[k + 1]),
                                        ts_combo_point(r->side[k], r->place[k])),
                         N + (k + 1) * ambient);
    ts_model_vectors(model, segments + 1, N);
    ts_form_new(model, 0);
    ts_form_linear(model, 0, v3_axis(0));
    for (int k = 1; k <= segments; k++) {
        ts_form_new(model, 0);
        ts_form_pair(model, k, k, 1);
    }
}

static void add_rope(ts_model *model, const rope *r, const ts_value *value) {
    bool stretches = value[STIFFNESS].given;
    ts_model_site(model, stretches ? TS_ROLE_LAW : TS_ROLE_ROWS, r->nodes, r->node);
    add_forms(model, r);
    if (stretches) {
        ts_model_number(model, value[STIFFNESS].number[0]);
        ts_model_law(model, &TS_ROPE_LAW);
        return;
    }
    ts_model_rowlaw(model, &TS_ROPE_ROW);
    ts_model_row(model, -1, false, "length of the way");
}

static void keep_length(ts_model *model, int node, double length) {
    ts_model_site(model, TS_ROLE_ROWS, 1, &node);
    ts_form_component(model, v3_axis(0), ts_combo_point(0, v3_make(0, 0, 0)), -length);
    ts_model_row(model, -1, false, "length of the rope");
}

static int build(ts_builder *b, ts_value *value) {
    ts_model *model = b->model;
    rope r = {0};
    if (read_points(b, value, &r) || measure(b, value, &r)) return TORSOR_EINVAL;
    double length = value[LENGTH].given ? value[LENGTH].number[0] : r.way;
    bool winch = value[WINCH].given && value[WINCH].number[0] != 0;
    ts_part *part = ts_new_part(b, &TS_KIND_ROPE);
    part->nodeA = r.node[r.side[0]], part->nodeB = r.node[r.side[r.points - 1]];
    part->pointA = r.place[0], part->pointB = r.place[r.points - 1];
    r.node[0] = ts_path_node(model, length);
    for (int k = 0; k + 1 < r.points; k++)
        ts_model_strand(model, r.node[r.side[k]], r.place[k], r.node[r.side[k + 1]],
                        r.place[k + 1]);
    add_rope(model, &r, value);
    if (!winch) keep_length(model, r.node[0], length);
    ts_path_coordinate(model, r.node[0], "length");
    return 0;
}

const ts_kind TS_KIND_ROPE = {
    .name = "rope",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A massless rope from body to body over any number of points (pulleys without size), "
            "with one tension all along. Coordinate: length, of the rope itself, unstretched.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: rope, bodies: [ground, A, ground, B], at: [[0, 0, 2], [0.3, 0.1, -0.2], [1, "
              "0, 2], [1, 0.5, 0.2]], EA: 200}"};
