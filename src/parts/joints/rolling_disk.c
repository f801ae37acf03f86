/* SPDX-License-Identifier: Apache-2.0 */
/* Rolling disc: a thin disc of radius r rolls without slip on a plane fixed to the ground (normal
 * n).
 *
 * A massless frame node moves with the contact: x at the disc's centre, e1 down the disc's plane to
 * the contact point, e2 the horizontal heading, e3 the disc's axis d3. Six rows determine it; the
 * seventh keeps the contact on the plane:
 *
 *     x = centre,  e1.d3 = 0,  e2.d3 = 0,  e2.n = 0,        (x + r e1).n = plane
 *
 * The material point in contact is at rest: xdot + w x (r e1) = 0. Along e2, with e1 x e2 = e3 and
 * d1, d2, d3 a right-handed triad of the disc, w.d3 = d2.d1dot; along e3, w.(e1 x e3) = -w.e2 =
 * e3.e1dot, since the frame and the disc differ by a spin about e3 only; along the normal it
 * follows from the height. So
 *
 *     e2.xdot + r d2.d1dot = 0          e3.xdot + r e3.e1dot = 0
 */
#include "base/error.h"
#include "math/rotation.h"
#include "parts/parts.h"

enum { BODY, RADIUS, AXIS, AT, PLANE_AT, PLANE_NORMAL };
enum { DISC = 1, CONTACT = 2 }; /* sides of the site; 0 is the ground */

static const ts_field FIELDS[] = {
    {.name = "body", .type = TS_BODY, .required = true, .help = "The body that carries the disc."},
    {.name = "radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Radius of the disc."},
    {.name = "axis",
     .type = TS_AXIS,
     .required = true,
     .help = "Axis of the disc (global, as drawn)."},
    {.name = "at",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "Centre of the disc as drawn (global).",
     .fallback = "the body's reference point"},
    {.name = "plane_at",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "A point of the plane.",
     .fallback = "[0, 0, 0]"},
    {.name = "plane_normal",
     .type = TS_AXIS,
     .help = "Normal of the plane, towards the side of the disc.",
     .fallback = "z"},
    {0}};

typedef struct disc {
    double radius, plane; /* plane: n.x of its points */
    v3 centre, normal;
    m3 contact; /* e1, e2, e3 */
    v3 body_centre;
    m3 body; /* d1, d2, d3 */
} disc;

static int read_disc(ts_builder *b, const ts_value *value, disc *d) {
    const ts_node *node = &b->model->nodes[value[BODY].node[0]];
    v3 axis = v3_normalize(v3_load(value[AXIS].number));
    d->radius = value[RADIUS].number[0];
    d->centre = value[AT].given ? v3_load(value[AT].number) : node->x;
    d->normal =
        value[PLANE_NORMAL].given ? v3_normalize(v3_load(value[PLANE_NORMAL].number)) : v3_axis(2);
    d->plane = v3_dot(d->normal, v3_load(value[PLANE_AT].number));
    if (value[BODY].node[0] == 0) return ts_build_fail(b, BODY, NULL, "the ground cannot roll");
    if (!(d->radius > 0))
        return ts_build_fail(b, RADIUS, NULL, "the radius must be above zero, it is %g", d->radius);
    if (v3_dot(d->normal, d->centre) < d->plane)
        return ts_build_fail(b, AT, "turn plane_normal around if the disc rolls on its other side",
                             "the centre of the disc is below the plane");
    v3 down = v3_axpy(v3_dot(d->normal, axis), axis, v3_scale(-1, d->normal));
    if (v3_norm(down) < 1e-6)
        return ts_build_fail(b, AXIS, NULL,
                             "the disc lies flat on the plane: it has no point of contact");
    down = v3_normalize(down);
    d->contact = m3_cols(down, v3_cross(axis, down), axis);
    return 0;
}

/* The rates of the contact frame follow from those of the body: it turns with the disc except for
 * the spin that keeps e2 horizontal. */
static void set_rates(ts_model *model, const disc *d, int body, int contact) {
    const ts_node *node = &model->nodes[body];
    v3 level = v3_cross(d->contact.c[1], d->normal);
    double spin = v3_dot(node->omega, level) / v3_dot(d->normal, d->contact.c[0]);
    v3 arm = v3_sub(d->centre, node->x);
    model->nodes[contact].velocity = v3_add(node->velocity, v3_cross(node->omega, arm));
    model->nodes[contact].omega = v3_axpy(spin, d->contact.c[2], node->omega);
}

static ts_combo contact_axis(int k) { return ts_combo_direction(CONTACT, v3_axis(k)); }

static void rows(ts_model *model, const disc *d, const int *nodes) {
    static const char *const along[] = {"displacement along global x",
                                        "displacement along global y",
                                        "displacement along global z"};
    ts_combo centre = ts_combo_point(DISC, d->body_centre), x = ts_combo_point(CONTACT, (v3){0});
    ts_combo axis = ts_combo_direction(DISC, d->body.c[2]);
    ts_model_site(model, TS_ROLE_ROWS, 3, nodes);
    for (int k = 0; k < 3; k++) {
        ts_form_component(model, v3_axis(k), ts_combo_minus(x, centre), 0);
        ts_model_row(model, -1, false, along[k]);
    }
    ts_form_dot(model, 1, contact_axis(1), axis, 0);
    ts_model_row(model, -1, false, "lean of the contact frame");
    ts_form_dot(model, 1, contact_axis(0), axis, 0);
    ts_model_row(model, -1, false, "heading of the contact frame");
    ts_form_component(model, d->normal, contact_axis(1), 0);
    ts_model_row(model, -1, false, "level of the contact frame");
    ts_form_component(model, d->normal, ts_combo_point(CONTACT, v3_make(d->radius, 0, 0)),
                      -d->plane);
    ts_model_row(model, -1, false, "height of the contact point");
}

static void no_slip(ts_model *model, const disc *d, const int *nodes) {
    double factor[2] = {1, d->radius};
    ts_combo x = ts_combo_point(CONTACT, (v3){0});
    ts_combo d1 = ts_combo_direction(DISC, d->body.c[0]);
    ts_combo d2 = ts_combo_direction(DISC, d->body.c[1]);
    ts_model_site(model, TS_ROLE_RATES, 3, nodes);
    ts_form_rate(model, 2, factor, (ts_combo[]){contact_axis(1), d2}, (ts_combo[]){x, d1});
    ts_model_row(model, -1, false, "slip along the heading");
    ts_form_rate(model, 2, factor, (ts_combo[]){contact_axis(2), contact_axis(2)},
                 (ts_combo[]){x, contact_axis(0)});
    ts_model_row(model, -1, false, "slip across the heading");
}

static int build(ts_builder *b, ts_value *value) {
    disc d;
    if (read_disc(b, value, &d)) return TORSOR_EINVAL;
    ts_model *model = b->model;
    int body = value[BODY].node[0];
    d.body_centre = ts_body_point(model, body, d.centre);
    d.body = ts_body_frame(model, body, ts_frame_from_axis(d.contact.c[2]));

    ts_part *part = ts_new_part(b, &TS_KIND_ROLLING_DISK);
    int contact = ts_model_node(model, TS_NODE_FRAME, d.centre, d.contact);
    part->nodeA = 0, part->nodeB = body;
    part->pointA = v3_axpy(d.radius, d.contact.c[0], d.centre);
    part->pointB = d.body_centre;
    part->frameA = d.contact;
    part->frameB = ts_body_frame(model, body, d.contact);
    set_rates(model, &d, body, contact);
    int nodes[3] = {0, body, contact};
    rows(model, &d, nodes);
    no_slip(model, &d, nodes);
    return 0;
}

const ts_kind TS_KIND_ROLLING_DISK = {
    .name = "rolling_disk",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A thin disc rolls without slip on a plane fixed to the ground. It must not lie flat.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: rolling_disk, body: B, radius: 0.5 m, axis: [0, 0.8, 0.6], at: [0, 0, 0.4]}"};
