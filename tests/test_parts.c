/* SPDX-License-Identifier: Apache-2.0 */
/* Parts as built: rows are zero as drawn and along the free motions of each joint, also after both
 * bodies have moved together; the number of independent rows; values of coordinates; the rolling
 * disc; refused input with its message. */
#include "laws/angle.h"
#include "math/dense.h"
#include "parts/parts.h"
#include "rig.h"

enum { ROOM = 60 };

/* ---- joints: free motions ---- */

/* A relative motion in the joint frame that the joint allows, and the coordinates that should be
 * read. */
typedef struct relative {
    v3 u;
    m3 R;
    double coordinate[3];
} relative;

static m3 about(int axis, double angle) { return so3_exp(v3_scale(angle, v3_axis(axis))); }

static relative move_spherical(v3 a) { return (relative){.R = so3_exp(a)}; }
static relative move_revolute(v3 a) { return (relative){.R = about(2, a.x), .coordinate = {a.x}}; }
static relative move_prismatic(v3 a) {
    return (relative){.u = {0, 0, a.x}, .R = m3_identity(), .coordinate = {a.x}};
}
static relative move_cylindrical(v3 a) {
    return (relative){.u = {0, 0, a.x}, .R = about(2, a.y), .coordinate = {a.x, a.y}};
}
static relative move_screw(v3 a) { return move_cylindrical(v3_make(0.2 * a.x, a.x, 0)); }
static relative move_planar(v3 a) {
    return (relative){.u = {a.x, a.y, 0}, .R = about(2, a.z), .coordinate = {a.x, a.y, a.z}};
}
static relative move_universal(v3 a) {
    return (relative){.R = m3_mul(about(2, a.x), about(0, a.y)), .coordinate = {a.x, a.y}};
}
static relative move_rigid(v3 a) {
    (void)a;
    return (relative){.R = m3_identity()};
}
static relative move_on_line(v3 a) {
    return (relative){.u = {0, 0, a.x}, .R = rig_rotation(), .coordinate = {a.x}};
}
static relative move_on_plane(v3 a) {
    return (relative){.u = {a.x, a.y, 0}, .R = rig_rotation(), .coordinate = {a.x, a.y}};
}
static relative move_linear(v3 a) { return (relative){.u = {a.x, 0, a.z}, .R = rig_rotation()}; }
static relative move_angular(v3 a) {
    return (relative){.u = rig_vector(),
                      .R = m3_mul(about(2, a.x), m3_mul(about(0, a.y), about(0, a.z)))};
}
static relative move_distance(v3 a) {
    (void)a;
    return (relative){.u = v3_scale(2, v3_normalize(rig_vector())), .R = rig_rotation()};
}

typedef struct joint_case {
    const char *name;
    int rows, coordinates;
    relative (*move)(v3 amount);
} joint_case;

static const joint_case JOINTS[] = {
    {"spherical", 3, 0, move_spherical},
    {"revolute", 5, 1, move_revolute},
    {"prismatic", 5, 1, move_prismatic},
    {"cylindrical", 4, 2, move_cylindrical},
    {"screw", 5, 2, move_screw},
    {"planar", 3, 3, move_planar},
    {"universal", 4, 2, move_universal},
    {"rigid", 6, 0, move_rigid},
    {"distance", 1, 0, move_distance},
    {"point_on_line", 2, 1, move_on_line},
    {"point_on_plane", 1, 2, move_on_plane},
    {"primitive_linear", 1, 0, move_linear},
    {"primitive_angular", 1, 0, move_angular},
};

static void add_joint(rig *r, const char *name) {
    v3 axis = v3_normalize(rig_vector());
    if (strcmp(name, "distance") == 0) {
        v3 from = rig_vector();
        rig_kind(r, "joints", name);
        rig_nodes(r, "bodies", r->A, r->B);
        rig_v3(r, "from", from);
        rig_v3(r, "to", v3_axpy(2, axis, from));
    } else if (strcmp(name, "primitive_angular") == 0) {
        rig_kind(r, "joints", name);
        rig_nodes(r, "bodies", r->A, r->B);
        rig_v3(r, "axis", axis);
        rig_v3(r, "axis_b", v3_normalize(v3_cross(axis, rig_vector())));
    } else if (strcmp(name, "primitive_linear") == 0) {
        rig_kind(r, "joints", name);
        rig_nodes(r, "bodies", r->A, r->B);
        rig_v3(r, "at", rig_vector());
        rig_v3(r, "axis", axis);
        rig_number(r, "component", 1);
    } else {
        rig_add_joint(r, name);
        return;
    }
    rig_build(r);
}

static const ts_part *newest(const rig *r) { return &r->model->parts[r->model->parts_count - 1]; }

/* Row k of a site; of a row law its y, continued from a memory of zero turns. */
static double row_value(const rig *r, const ts_site *site, int k, const double *q) {
    const int *nodes = rig_site_nodes(r, site);
    if (!site->rowlaw) return rig_form(r, nodes, site->form + k, q, q);
    double e[TS_MAX_FORMS], memory[1] = {0};
    for (int j = 0; j < site->forms; j++) e[j] = rig_form(r, nodes, site->form + j, q, q);
    site->rowlaw->begin(r->model->numbers + site->data, e, memory);
    ts_law_step step = {.m = site->forms,
                        .data = r->model->numbers + site->data,
                        .memory = memory,
                        .e_i = e,
                        .e_f = e};
    ts_row_response out;
    site->rowlaw->respond(&step, &out);
    return out.y;
}

static void check_rows_vanish(const rig *r, const double *q) {
    const ts_part *part = newest(r);
    for (int s = part->site; s < part->site + part->sites; s++)
        for (int k = 0; k < r->model->sites[s].rows; k++)
            assert_near(row_value(r, &r->model->sites[s], k, q), 0, 1e-14);
}

static void check_coordinates(const rig *r, const double *q, const double *expected) {
    const ts_part *part = newest(r);
    for (int k = 0; k < part->coordinates; k++) {
        const ts_coordinate *c = &r->model->coordinates[part->coordinate + k];
        const int *nodes = &r->model->site_nodes[c->site_node];
        double value = rig_form(r, nodes, c->form, q, q);
        if (c->angle) value = ts_angle_unwrap(0, value, rig_form(r, nodes, c->form + 1, q, q));
        assert_near(value, expected[k], 1e-14);
    }
}

/* B where the joint puts it: P_B = P_A + F_A u, F_B = F_A R; A anywhere. */
static void place_joint(const rig *r, double *q, relative motion) {
    const ts_part *part = newest(r);
    v3 x = rig_vector();
    m3 D = rig_rotation(), F = m3_mul(D, part->frameA);
    m3 D_B = m3_mul(m3_mul(F, motion.R), m3_transpose(part->frameB));
    v3 P = v3_add(v3_add(x, m3_apply(D, part->pointA)), m3_apply(F, motion.u));
    rig_place(r, q, r->A, x, D);
    rig_place(r, q, r->B, v3_sub(P, m3_apply(D_B, part->pointB)), D_B);
}

/* The rows' gradients over the six freedoms of B: as many independent ones as rows. */
static int count_independent(const rig *r, const double *q) {
    const ts_part *part = newest(r);
    double gram[36] = {0}, eigenvalue[6];
    for (int s = part->site; s < part->site + part->sites; s++) {
        const ts_site *site = &r->model->sites[s];
        for (int k = 0; k < site->rows; k++) {
            double G[6];
            for (int dof = 0; dof < 6; dof++) {
                double v[ROOM] = {0};
                v3 xdot = dof < 3 ? v3_axis(dof) : (v3){0},
                   omega = dof < 3 ? (v3){0} : v3_axis(dof - 3);
                rig_move(r, q, v, r->B, xdot, omega);
                G[dof] = rig_form_rate(r, rig_site_nodes(r, site), site->form + k, q, v);
                // near zero angle the angle's gradient is that of the sine
                if (site->rowlaw)
                    G[dof] = rig_form_rate(r, rig_site_nodes(r, site), site->form + 2, q, v) -
                             0.2 * rig_form_rate(r, rig_site_nodes(r, site), site->form + 1, q, v);
            }
            for (int n = 0; n < 36; n++) gram[n] += G[n / 6] * G[n % 6];
        }
    }
    ts_dense_eigenvalues(6, gram, eigenvalue);
    int count = 0;
    for (int k = 0; k < 6; k++) count += eigenvalue[k] > 1e-6;
    return count;
}

static int count_rows(const rig *r) {
    int count = 0;
    for (int k = newest(r)->site; k < newest(r)->site + newest(r)->sites; k++)
        count += r->model->sites[k].rows;
    return count;
}

static void joints_allow_their_free_motions(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof JOINTS / sizeof *JOINTS; n++)
        for (int trial = 0; trial < 20; trial++) {
            rig r = {0};
            double q[ROOM], v[ROOM], zero[3] = {0};
            rig_start(&r);
            add_joint(&r, JOINTS[n].name);
            assert_int_equal(count_rows(&r), JOINTS[n].rows);
            assert_int_equal(newest(&r)->coordinates, JOINTS[n].coordinates);
            rig_initial(&r, q, v);
            check_rows_vanish(&r, q);
            check_coordinates(&r, q, zero);
            assert_int_equal(count_independent(&r, q), JOINTS[n].rows);
            relative motion = JOINTS[n].move(v3_scale(1.5, rig_vector()));
            place_joint(&r, q, motion);
            check_rows_vanish(&r, q);
            check_coordinates(&r, q, motion.coordinate);
            rig_end(&r);
        }
}

static void joints_hold_everything_else(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof JOINTS / sizeof *JOINTS; n++) {
        rig r = {0};
        double q[ROOM], v[ROOM], sum = 0;
        rig_start(&r);
        add_joint(&r, JOINTS[n].name);
        rig_initial(&r, q, v);
        rig_place(&r, q, r.B, rig_vector(), rig_rotation());
        for (int s = newest(&r)->site; s < newest(&r)->site + newest(&r)->sites; s++)
            for (int k = 0; k < r.model->sites[s].rows; k++)
                sum += fabs(row_value(&r, &r.model->sites[s], k, q));
        assert_true(sum > 1e-3);
        rig_end(&r);
    }
}

static void screw_advances_over_many_turns(void **state) {
    (void)state;
    rig r = {0};
    double q[ROOM], v[ROOM], e[2][3], memory[1] = {0}; // begin: the turn nearest to it
    rig_start(&r);
    add_joint(&r, "screw");
    rig_initial(&r, q, v);
    const ts_site *site = &r.model->sites[newest(&r)->site + 1];
    for (int n = 0; n < 100; n++) {
        for (int k = 0; k < 3; k++)
            e[n % 2][k] = rig_form(&r, rig_site_nodes(&r, site), site->form + k, q, q);
        if (n == 0) site->rowlaw->begin(NULL, e[0], memory);
        ts_law_step step = {.m = 3,
                            .data = r.model->numbers + site->data,
                            .memory = memory,
                            .e_i = e[n ? (n + 1) % 2 : 0],
                            .e_f = e[n % 2]};
        ts_row_response out;
        site->rowlaw->respond(&step, &out);
        assert_near(out.y, 0, 1e-13);
        site->rowlaw->commit(&step, memory);
        place_joint(&r, q, move_screw(v3_make(0.7 * (n + 1), 0, 0)));
    }
    assert_near(memory[0], 0.7 * 99, 1e-12);
    rig_end(&r);
}

/* Drawn apart: the rows do not vanish as drawn, but do when the sides are brought together. */
static void joint_may_be_drawn_apart(void **state) {
    (void)state;
    rig r = {0};
    double q[ROOM], v[ROOM];
    v3 axis = v3_make(0, 0, 1);
    rig_start(&r);
    rig_kind(&r, "joints", "revolute");
    rig_nodes(&r, "bodies", r.A, r.B);
    rig_v3(&r, "at", v3_make(0, 0, 0));
    rig_v3(&r, "at_b", v3_make(0, 0, 0.3));
    rig_v3(&r, "axis", axis);
    rig_v3(&r, "axis_b", v3_normalize(v3_make(0.1, 0, 1)));
    rig_build(&r);
    rig_initial(&r, q, v);
    const ts_site *site = &r.model->sites[newest(&r)->site];
    assert_near(row_value(&r, site, 2, q), 0.3, 1e-14);
    assert_near(row_value(&r, site, 3, q), 0, 1e-14);
    assert_near(row_value(&r, site, 4, q), 0.1 / sqrt(1.01), 1e-14);
    place_joint(&r, q, move_revolute(v3_make(0.4, 0, 0)));
    check_rows_vanish(&r, q);
    rig_end(&r);

    // the other way round: half a turn about the frame's x
    rig_start(&r);
    rig_kind(&r, "joints", "revolute");
    rig_nodes(&r, "bodies", r.A, 0);
    rig_v3(&r, "at", v3_make(0, 0, 0));
    rig_v3(&r, "axis", axis);
    rig_v3(&r, "axis_b", v3_make(0, 0, -1));
    m3 F = rig_build(&r)->frameB;
    assert_near(F.c[2].z, -1, 1e-15);
    assert_near(F.c[0].x, 1, 1e-15);
    assert_near(m3_det(F), 1, 1e-15);
    rig_end(&r);
}

static void joints_refuse_nonsense(void **state) {
    (void)state;
    rig r = {0};
    rig_start(&r);
    rig_kind(&r, "joints", "revolute");
    rig_nodes(&r, "bodies", r.A, r.A);
    rig_v3(&r, "at", rig_vector());
    rig_fails(&r, "", "needs an axis");
    rig_v3(&r, "axis", v3_axis(0));
    rig_fails(&r, "bodies", "same body");
    rig_nodes(&r, "bodies", r.A, r.B);
    rig_m3(&r, "frame", m3_identity());
    rig_fails(&r, "axis", "not both");

    rig_kind(&r, "joints", "universal");
    rig_nodes(&r, "bodies", r.A, r.B);
    rig_v3(&r, "at", rig_vector());
    rig_v3(&r, "axis", v3_axis(0));
    rig_fails(&r, "", "axis and axis_b");
    rig_v3(&r, "axis_b", v3_axis(0));
    rig_fails(&r, "axis_b", "parallel");

    rig_kind(&r, "joints", "screw");
    rig_nodes(&r, "bodies", r.A, r.B);
    rig_v3(&r, "axis", v3_axis(0));
    rig_fails(&r, "", "pitch");
    rig_number(&r, "pitch", 1);
    rig_number(&r, "lead", 1);
    rig_fails(&r, "lead", "not both");

    rig_kind(&r, "joints", "distance");
    rig_nodes(&r, "bodies", r.A, r.B);
    rig_value(&r, "from"), rig_value(&r, "to");
    rig_fails(&r, "to", "above zero");
    rig_end(&r);
}

/* ---- rigid bodies ---- */

static double kinetic_energy(const rig *r, int node, const double *v) {
    const ts_node *n = &r->model->nodes[node];
    double twice = 0;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            twice += n->mass[a][b] *
                     v3_dot(v3_load(v + 3 * (n->slot + a)), v3_load(v + 3 * (n->slot + b)));
    return 0.5 * twice;
}

static void body_has_the_energy_of_its_inertia(void **state) {
    (void)state;
    for (int about_reference = 0; about_reference < 2; about_reference++) {
        rig r = {.model = ts_model_new()};
        double q[ROOM], v[ROOM], mass = 2.5;
        v3 centre = v3_make(0.3, -0.2, 0.1), velocity = rig_vector(), omega = rig_vector();
        m3 D = rig_rotation(), S = m3_skew(centre);
        m3 J = m3_cols(v3_make(1, 0.1, 0.2), v3_make(0.1, 1.2, -0.3), v3_make(0.2, -0.3, 1.1));
        m3 given = about_reference ? m3_add(J, m3_scale(mass, m3_tmul(S, S))) : J;
        rig_kind(&r, "bodies", "rigid");
        rig_number(&r, "mass", mass);
        rig_v3(&r, "centre", centre);
        double *I = rig_value(&r, "inertia")->number;
        I[0] = given.c[0].x, I[1] = given.c[1].y, I[2] = given.c[2].z;
        I[3] = given.c[1].x, I[4] = given.c[2].y, I[5] = given.c[2].x;
        rig_number(&r, "inertia_about", about_reference);
        rig_m3(&r, "orientation", D);
        rig_v3(&r, "velocity", velocity);
        rig_v3(&r, "angular_velocity", omega);
        rig_number(&r, "rates_in", about_reference);
        int node = rig_build(&r)->node;
        rig_initial(&r, q, v);

        v3 w = about_reference ? m3_apply(D, omega) : omega, w_body = m3_tapply(D, w);
        v3 at_centre = v3_add(velocity, v3_cross(w, m3_apply(D, centre)));
        double T =
            0.5 * mass * v3_dot(at_centre, at_centre) + 0.5 * v3_dot(w_body, m3_apply(J, w_body));
        assert_near(kinetic_energy(&r, node, v), T, 1e-14);
        rig_end(&r);
    }
}

static void give_inertia(rig *r, double a, double b, double c) {
    double *I = rig_value(r, "inertia")->number;
    I[0] = a, I[1] = b, I[2] = c;
}

static void impossible_bodies_are_refused(void **state) {
    (void)state;
    rig r = {.model = ts_model_new()};
    rig_kind(&r, "bodies", NULL);
    rig_number(&r, "mass", -1);
    rig_fails(&r, "mass", "negative");
    rig_number(&r, "mass", 0);
    rig_v3(&r, "centre", v3_axis(0));
    rig_fails(&r, "centre", "without mass");
    rig_number(&r, "mass", 1);
    give_inertia(&r, 1, 2, 3.5);
    rig_fails(&r, "inertia", "3.5 > 1 + 2");
    give_inertia(&r, 1, -2, 3);
    rig_fails(&r, "inertia", "-2");
    give_inertia(&r, 1, 2, 3 + 1e-10);
    rig_build(&r);
    give_inertia(&r, 0, 0, 0);
    rig_build(&r);
    give_inertia(&r, 0.5, 1, 1);
    rig_number(&r, "inertia_about", 1); /* about the reference, too small for a centre at 1 m */
    rig_fails(&r, "inertia", "about the mass centre");
    rig_end(&r);
}

/* ---- springs ---- */

static void spring_forms_measure_what_they_say(void **state) {
    (void)state;
    rig r = {0};
    double q[ROOM], v[ROOM];
    v3 u = rig_vector(), psi = rig_vector();
    rig_start(&r);
    rig_kind(&r, "springs", "bushing");
    rig_nodes(&r, "bodies", r.A, r.B);
    rig_v3(&r, "at", rig_vector());
    rig_v3(&r, "axis", v3_normalize(rig_vector()));
    double *K = rig_value(&r, "stiffness")->number;
    for (int k = 0; k < 6; k++) K[7 * k] = k + 1;
    rig_build(&r);
    rig_initial(&r, q, v);
    place_joint(&r, q, (relative){.u = u, .R = so3_exp(psi)});
    const ts_site *site = &r.model->sites[newest(&r)->site];
    double e[7], twice = 0;
    for (int k = 0; k < 7; k++) e[k] = rig_form(&r, rig_site_nodes(&r, site), site->form + k, q, q);
    for (int k = 0; k < 3; k++)
        twice += (k + 1) * pow(v3_get(u, k), 2) + (k + 4) * pow(v3_get(psi, k), 2);
    double V = site->law->energy(r.model->numbers + site->data, NULL, 7, e);
    assert_near(V, 0.5 * twice, 1e-13);
    rig_end(&r);
}

static void springs_refuse_nonsense(void **state) {
    (void)state;
    rig r = {0};
    rig_start(&r);
    rig_kind(&r, "springs", NULL);
    rig_nodes(&r, "bodies", r.A, r.B);
    rig_number(&r, "stiffness", -3);
    rig_fails(&r, "stiffness", "negative");
    rig_number(&r, "stiffness", 3);
    rig_number(&r, "stop_min", 3);
    rig_fails(&r, "stop_min", "stop_stiffness");
    rig_number(&r, "stop_stiffness", 3);
    rig_number(&r, "stop_max", 2);
    rig_fails(&r, "stop_min", "below");
    rig_number(&r, "stop_max", 4);
    rig_number(&r, "stop_modulus", 1e9);
    rig_fails(&r, "stop_stiffness", "not both");

    rig_kind(&r, "springs", NULL);
    rig_nodes(&r, "bodies", r.A, r.B);
    rig_number(&r, "stop_modulus", 1e9);
    rig_fails(&r, "stop_modulus", "stop_radius");
    rig_number(&r, "stop_radius", -0.1);
    rig_fails(&r, "stop_radius", "negative");
    rig_number(&r, "stop_radius", 0.1);
    rig_fails(&r, "stop_modulus", "neither stop_min nor stop_max");
    rig_number(&r, "stop_min", 0.5);
    rig_number(&r, "stop_damping", 3);
    rig_fails(&r, "stop_damping", "not both");

    rig_kind(&r, "springs", NULL);
    rig_nodes(&r, "bodies", r.A, r.B);
    rig_number(&r, "stop_dissipation", 0.1);
    rig_fails(&r, "stop_dissipation", "stop_modulus");

    rig_kind(&r, "springs", "bushing");
    rig_nodes(&r, "bodies", r.A, r.B);
    double *K = rig_value(&r, "stiffness")->number;
    for (int k = 0; k < 6; k++) K[7 * k] = 1;
    K[1] = 0.5;
    rig_fails(&r, "stiffness", "not symmetric");
    K[1] = K[6] = 2;
    rig_fails(&r, "stiffness", "negative eigenvalue");
    K[7] = 0;
    rig_fails(&r, "stiffness", "row 1 and column 2");
    rig_end(&r);
}

/* ---- parts on coordinates ---- */

static void motion_drives_the_coordinate_it_names(void **state) {
    (void)state;
    rig r = {0};
    double q[ROOM], v[ROOM];
    rig_start(&r);
    int joint = rig_add_joint(&r, "planar");
    rig_kind(&r, "motions", NULL);
    rig_joint(&r, joint);
    rig_value(&r, "displacement")->signal[0] = ts_signal_constant(0.25);
    rig_fails(&r, "joint", "several coordinates: x, y");
    rig_value(&r, "coordinate")->text = "angle";
    rig_fails(&r, "coordinate", "it has x, y");
    rig_value(&r, "coordinate")->text = "y";
    const ts_part *part = rig_build(&r);
    const ts_row *row = &r.model->rows[r.model->rows_count - 1];
    assert_true(row->drive && row->signal >= 0);
    assert_int_equal(part->nodeB, r.B);
    rig_initial(&r, q, v);
    place_joint(&r, q, move_planar(v3_make(0.1, 0.2, 0.3)));
    assert_near(row_value(&r, &r.model->sites[part->site], 0, q), 0.2, 1e-14);

    rig_kind(&r, "motions", NULL);
    rig_joint(&r, joint);
    rig_value(&r, "angle")->signal[0] = ts_signal_constant(0);
    part = rig_build(&r);
    assert_int_equal(r.model->rows[r.model->rows_count - 1].signal, -1);
    assert_near(row_value(&r, &r.model->sites[part->site], 0, q), 0.3, 1e-14);

    joint = rig_add_joint(&r, "prismatic");
    rig_kind(&r, "springs", "torsion_spring");
    rig_joint(&r, joint);
    rig_fails(&r, "joint", "no angle");
    rig_end(&r);
}

static void loads_act_where_they_are_put(void **state) {
    (void)state;
    rig r = {0};
    rig_start(&r);
    v3 at = rig_vector();
    rig_kind(&r, "loads", "force");
    rig_nodes(&r, "body", r.B, 0);
    rig_value(&r, "force")->signal[1] = ts_signal_constant(4);
    rig_v3(&r, "at", at);
    rig_build(&r);
    const ts_load *load = &r.model->loads[0];
    const ts_node *node = &r.model->nodes[r.B];
    v3 back = v3_add(node->x, m3_apply(node->D, load->point));
    assert_near(v3_norm(v3_sub(back, at)), 0, 1e-14);
    assert_true(load->node == r.B && !load->moment && !load->follower);
    assert_true(load->signal[0] == -1 && load->signal[1] >= 0 && load->signal[2] == -1);

    rig_kind(&r, "loads", "moment");
    rig_nodes(&r, "body", r.B, 0);
    rig_value(&r, "moment")->signal[2] = ts_signal_constant(4);
    rig_number(&r, "follower", 1);
    rig_build(&r);
    assert_true(r.model->loads[1].moment && r.model->loads[1].follower);
    rig_nodes(&r, "body", 0, 0);
    rig_fails(&r, "body", "ground");
    rig_end(&r);
}

/* ---- non-holonomic joints ---- */

static void knife_edge_feels_lateral_velocity(void **state) {
    (void)state;
    rig r = {0};
    double q[ROOM], v[ROOM];
    v3 at = rig_vector(), lateral = v3_normalize(rig_vector());
    rig_start(&r);
    rig_kind(&r, "joints", "knife_edge");
    rig_nodes(&r, "body", r.B, 0);
    rig_v3(&r, "lateral", lateral);
    rig_v3(&r, "at", at);
    const ts_part *part = rig_build(&r);
    rig_initial(&r, q, v);
    const ts_node *node = &r.model->nodes[r.B];
    v3 edge = v3_add(node->velocity, v3_cross(node->omega, v3_sub(at, node->x)));
    const ts_site *site = &r.model->sites[part->site];
    assert_int_equal(site->role, TS_ROLE_RATES);
    assert_near(rig_form(&r, rig_site_nodes(&r, site), site->form, q, v), v3_dot(lateral, edge),
                1e-14);
    rig_end(&r);
}

/* The disc anywhere on the plane, leaning and turned, its contact frame made from scratch. */
typedef struct rolling {
    v3 centre, normal, contact; /* contact: from the centre */
    m3 frame;
} rolling;

static rolling place_disc(const rig *r, double *q, int contact_node, v3 n, double plane,
                          double radius) {
    const ts_part *part = newest(r);
    m3 D = rig_rotation();
    v3 e3 = m3_apply(m3_mul(D, part->frameB), v3_axis(2));
    v3 e1 = v3_normalize(v3_axpy(v3_dot(n, e3), e3, v3_scale(-1, n)));
    rolling d = {.normal = n, .contact = v3_scale(radius, e1)};
    v3 side = rig_vector();
    d.frame = m3_cols(e1, v3_cross(e3, e1), e3);
    d.centre = v3_axpy(plane - radius * v3_dot(e1, n) - v3_dot(n, side), n, side);
    rig_place(r, q, r->B, v3_sub(d.centre, m3_apply(D, part->pointB)), D);
    rig_place(r, q, contact_node, d.centre, d.frame);
    return d;
}

/* The contact frame's angular velocity by its definition: e3 goes with the disc, e2 stays level. */
static v3 frame_omega(const rolling *d, v3 omega) {
    v3 e1 = d->frame.c[0], e2 = d->frame.c[1], e3 = d->frame.c[2];
    v3 e3dot = v3_cross(omega, e3);
    /* Omega = e3 x e3dot + s e3; (Omega x e2) . n = 0 */
    v3 base = v3_cross(e3, e3dot);
    double s = -v3_dot(v3_cross(base, e2), d->normal) / v3_dot(v3_cross(e3, e2), d->normal);
    (void)e1;
    return v3_axpy(s, e3, base);
}

static void disc_rolls(void **state) {
    (void)state;
    for (int trial = 0; trial < 50; trial++) {
        rig r = {0};
        double q[ROOM], v[ROOM], radius = 0.4;
        v3 n = v3_normalize(rig_vector()), plane_at = rig_vector(),
           centre = v3_axpy(0.3, n, plane_at);
        rig_start(&r);
        rig_kind(&r, "joints", "rolling_disk");
        rig_nodes(&r, "body", r.B, 0);
        rig_number(&r, "radius", radius);
        rig_v3(&r, "axis", v3_normalize(v3_cross(n, rig_vector())));
        rig_v3(&r, "at", centre);
        rig_v3(&r, "plane_at", plane_at);
        rig_v3(&r, "plane_normal", n);
        const ts_part *part = rig_build(&r);
        const ts_site *rows = &r.model->sites[part->site], *rates = rows + 1;
        int contact = r.model->nodes_count - 1;
        assert_true(rows->rows == 7 && rates->rows == 2 && rates->role == TS_ROLE_RATES);
        assert_int_equal(part->sites, 2);

        // as drawn everything fits but the height, and so do the rates of the contact frame
        rig_initial(&r, q, v);
        for (int k = 0; k < 7; k++) {
            const int *nodes = rig_site_nodes(&r, rows);
            assert_near(rig_form(&r, nodes, rows->form + k, q, q), k < 6 ? 0 : -0.1, 1e-14);
            if (k < 6) assert_near(rig_form_rate(&r, nodes, rows->form + k, q, v), 0, 1e-14);
        }

        // anywhere else, for any motion: the rows are the velocity of the point of contact
        rolling d = place_disc(&r, q, contact, n, v3_dot(n, plane_at), radius);
        v3 omega = rig_vector(), xdot = rig_vector();
        for (int slip = 0; slip < 2; slip++) {
            v3 arm = m3_apply(m3_load(q + 3 * r.model->nodes[r.B].slot + 3), part->pointB);
            if (!slip) xdot = v3_scale(-1, v3_cross(omega, d.contact));
            rig_move(&r, q, v, r.B, v3_sub(xdot, v3_cross(omega, arm)), omega);
            rig_move(&r, q, v, contact, xdot, frame_omega(&d, omega));
            v3 velocity = v3_add(xdot, v3_cross(omega, d.contact));
            const int *nodes = rig_site_nodes(&r, rates);
            for (int k = 0; k < 2; k++)
                assert_near(rig_form(&r, nodes, rates->form + k, q, v),
                            v3_dot(d.frame.c[k + 1], velocity), 1e-13);
            for (int k = 0; k < 7; k++) {
                assert_near(rig_form(&r, nodes, rows->form + k, q, q), 0, 1e-14);
                if (k < 6 || !slip)
                    assert_near(rig_form_rate(&r, nodes, rows->form + k, q, v), 0, 1e-13);
            }
            xdot = rig_vector();
        }
        rig_end(&r);
    }
}

static void flat_disc_is_refused(void **state) {
    (void)state;
    rig r = {0};
    rig_start(&r);
    rig_kind(&r, "joints", "rolling_disk");
    rig_nodes(&r, "body", r.B, 0);
    rig_number(&r, "radius", 0.4);
    rig_v3(&r, "axis", v3_axis(2));
    rig_v3(&r, "at", v3_make(0, 0, 0.4));
    rig_fails(&r, "axis", "flat");
    rig_v3(&r, "axis", v3_axis(0));
    rig_v3(&r, "at", v3_make(0, 0, -0.4));
    rig_fails(&r, "at", "below");
    rig_end(&r);
}

/* ---- the registry ---- */

/* Others may have them: words in the place of a number, axes of its own for a vector. */
static bool needs_choices(const ts_field *f) {
    return f->type == TS_CHOICE || f->type == TS_CHOICES || f->type == TS_PART ||
           f->type == TS_PARTS || f->type == TS_PART_GROUPS || f->type == TS_EXPRESSION ||
           f->type == TS_TARGETS;
}

static void kinds_are_complete(void **state) {
    (void)state;
    for (const ts_kind *const *k = TS_KINDS; *k; k++) {
        assert_ptr_equal(ts_kind_find((*k)->section, (*k)->name), *k);
        assert_true((*k)->help && (*k)->sample && (*k)->build && (*k)->fields);
        assert_true((*k)->sample[0] == '{');
        assert_true((*k)->default_in_section || strstr((*k)->sample, (*k)->name));
        for (const ts_field *f = (*k)->fields; f->name; f++) {
            assert_non_null(f->help);
            assert_true(!needs_choices(f) || f->choices);
            for (const ts_field *g = (*k)->fields; g != f; g++)
                assert_string_not_equal(f->name, g->name);
        }
    }
    assert_string_equal(ts_kind_find("bodies", NULL)->name, "rigid");
    assert_null(ts_kind_find("bodies", "revolute"));
    assert_null(ts_kind_find("joints", NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_complete),
        cmocka_unit_test(joints_allow_their_free_motions),
        cmocka_unit_test(joints_hold_everything_else),
        cmocka_unit_test(screw_advances_over_many_turns),
        cmocka_unit_test(joint_may_be_drawn_apart),
        cmocka_unit_test(joints_refuse_nonsense),
        cmocka_unit_test(body_has_the_energy_of_its_inertia),
        cmocka_unit_test(impossible_bodies_are_refused),
        cmocka_unit_test(spring_forms_measure_what_they_say),
        cmocka_unit_test(springs_refuse_nonsense),
        cmocka_unit_test(motion_drives_the_coordinate_it_names),
        cmocka_unit_test(loads_act_where_they_are_put),
        cmocka_unit_test(knife_edge_feels_lateral_velocity),
        cmocka_unit_test(disc_rolls),
        cmocka_unit_test(flat_disc_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
