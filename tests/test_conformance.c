/* SPDX-License-Identifier: Apache-2.0 */
/* Requirements on every kind of part: the tests loop over the registry and build each kind from its
 * own sample between bodies A and B (and a cylindrical joint J), so a new kind is tested without
 * further work.
 *
 *     forms      gradient against differences; the discrete chain rule (D); objectivity
 *     rows       zero as drawn; discrete gradient and (Z) of functions of forms
 *     laws       the energy identity (L); derivative against differences; a stiffness that stores
 *                energy
 *     steps      energy over EP and ED; tangent against differences
 *     terms      rows taken term by term against rows written out over all slots
 *     outputs    it is drawn as what it is; its stations are in its cells
 */
#include "scenes.h"

#include "laws/angle.h"
#include "output/cells.h"
#include "parts/parts.h"
#include "step/equations/terms.h"

/* ---- a document around the sample ---- */

static const char BODIES_A_B[] =
    "bodies:\n"
    "  A: {mass: 1.5, inertia: [0.2, 0.3, 0.25, 0.02, 0.01, -0.03], centre: [0.1, 0.05, 0], "
    "orientation: {axis: [1, 2, 3], angle: 0.8}, " TOGETHER(
        -0.4, 0.3, 0.5) "}\n"
                        "  B: {mass: 1, inertia: [0.1, 0.15, 0.12], orientation: {axis: [3, 1, 0], "
                        "angle: -0.6}, " TOGETHER(0.6, -0.2, 0.7) "}\n";
static const char JOINT_J[] =
    "joints:\n"
    "  J: {type: cylindrical, bodies: [A, B], at: [0.1, 0.2, 0.3], axis: [2, 1, -1]}\n";

static const char JOINT_O[] =
    "joints:\n  O: {type: spherical, bodies: [A, B], at: [0.1, 0.2, 0.3]}\n";

/* Material M, section S and beam R, where the sample asks for them; a second beam stands apart, so
 * that nodes carry something. */
static const char MATERIAL_M[] = "materials:\n  M: {E: 2 MPa, nu: 0.3, density: 1000 kg/m^3}\n";
static const char SECTION_S[] =
    "sections:\n  S: {EA: 3e3, GA2: 1e3, GA3: 1.2e3, GJ: 20, EI2: 30, EI3: 25, mass: 2, inertia: "
    "[0.03, 0.02, 0.015], "
    "mass_centre: [0.02, 0.01], tension_centre: [0.01, -0.02], shear_centre: [-0.01, 0.03]}\n";
static const char BEAM_R[] =
    "beams:\n  R: {from: [0, 0, 0], to: [1, 0.2, 0.4], section: S, elements: 2, order: 2}\n";

/* Two meshes side by side, Q1 and Q2 */
static const char MESHES_Q[] =
    "meshes:\n  Q1: {type: plate, size: [1, 1], divisions: [2, 2]}\n"
    "  Q2: {type: plate, size: [1, 1], divisions: [2, 2], position: [1, 0, 0]}\n";

/* A warped surface Q with the section T, and a shell H on it */
static const char SURFACE_Q[] =
    "shell_sections:\n  T: {type: shell, material: M, thickness: 0.05}\n"
    "meshes:\n  Q: {type: patch, x: u, y: v*(1 + 0.3*u), z: 0.3*u*v + 0.2*u^2, divisions: [2, "
    "1]}\n";
/* A skewed solid V */
static const char SOLID_V[] = "meshes:\n  V: {type: patch, x: u + 0.2*v, y: v*(1 + 0.3*u), z: w + "
                              "0.3*u*v, w: [0, 1], divisions: [2, 1, "
                              "1]}\n";
static const char SOLID_W[] = "solids:\n  W: {mesh: V, material: M}\n";
static const char SHELL_H[] = "shells:\n  H: {mesh: Q, section: T}\n";

static const char SHAPES_S_P[] = "shapes:\n  S: {type: sphere, on: A, radius: 0.1}\n"
                                 "  P: {type: plane, on: ground, normal: z, at: [0, 0, -9]}\n";

/* The section of a kind may be one that has been opened already for what the sample asks for. */
static const char *unless(const char *opened, const ts_kind *kind, const char *heading) {
    return strncmp(opened, heading, strlen(heading)) == 0 && *opened && kind ? "" : heading;
}

/* The sample under the name K; joint J and the others only where the sample asks for them. */
static const char *document_of(const ts_kind *kind) {
    bool body = strcmp(kind->section, "bodies") == 0;
    char heading[40], entry[600];
    snprintf(heading, sizeof heading, "%s:\n", kind->section);
    int length = snprintf(entry, sizeof entry, "  K: %s\n", kind->sample);
    assert_true(length < (int)sizeof entry);
    bool needs_beam = strstr(kind->sample, "beam: R"),
         needs_section = needs_beam || strstr(kind->sample, "section: S");
    bool needs_shell = strstr(kind->sample, ": H"),
         needs_surface = needs_shell || strstr(kind->sample, "mesh: Q");
    bool needs_solid = strstr(kind->sample, "nodes: W");
    const char *material = needs_surface || needs_solid || strstr(kind->sample, "material: M") ||
                                   strstr(kind->sample, "materials: [M]")
                               ? MATERIAL_M
                               : "";
    const char *joint = strstr(kind->sample, "joint: J") || strstr(kind->sample, "lock: J")
                            ? JOINT_J
                        : strstr(kind->sample, "joint: O") ? JOINT_O
                                                           : "";
    const char *shapes = strstr(kind->sample, "[S, P]") ? SHAPES_S_P : "";
    const char *more = needs_beam ? BEAM_R : strstr(kind->sample, "first: Q1") ? MESHES_Q : "";
    return scene_text((const char *const[]){
        SCENE_HEAD GRAVITY, BODIES_A_B, material, needs_section ? SECTION_S : "",
        needs_surface ? SURFACE_Q : "",
        strstr(kind->sample, "mesh: V") || needs_solid ? SOLID_V : "", needs_solid ? SOLID_W : "",
        needs_shell ? SHELL_H : "", shapes, joint, more,
        body ? ""
             : unless(*joint  ? joint
                      : *more ? more
                              : shapes,
                      kind, heading),
        entry, NULL});
}

typedef void check(scene *s, const ts_kind *kind, int part);

/* Chance depends on the kind alone: what one kind draws must not move another across a kink of its
 * law. */
static void seed_by_name(const char *name) {
    scene_seed = 88172645463325252u;
    for (; *name; name++) scene_seed = scene_seed * 31 + (uint64_t)(unsigned char)*name;
}

static void one_kind(check *run, const ts_kind *kind) {
    scene s;
    seed_by_name(kind->name);
    assert_non_null(kind->sample);
    scene_open(&s, document_of(kind), "ED", 0);
    run(&s, kind, scene_part(&s, "K"));
    scene_close(&s);
}

/* Forces that depend on the state: on their own coordinate and its rate, with and without an
 * energy, with kinks; on other coordinates, lengths, rates and the time. */
static const struct {
    const ts_kind *kind;
    const char *sample;
} STATE_SAMPLES[] = {
    {&TS_KIND_MOTOR, "{type: motor, joint: J, torque: '-2 N*m*sin(3*J.angle)'}"},
    {&TS_KIND_MOTOR, "{type: motor, joint: J, torque: '-(2 N*m*s/rad + 1 N*m*s/rad^2 * J.angle) * "
                     "J.angle.rate - 4 N*m/rad^3 * J.angle^3'}"},
    {&TS_KIND_MOTOR, "{type: motor, joint: J, force: '-2 N/m * J.displacement + 1 N*s^2/m^2 * "
                     "J.displacement.rate^2'}"},
    {&TS_KIND_MOTOR, "{type: motor, joint: J, force: '5 N*tanh(J.angle.rate/(2 rad/s)) - 3 N/m * "
                     "J.displacement*cos(2*t)'}"},
    {&TS_KIND_MOTOR, "{type: motor, joint: J, torque: '5 N*J.displacement*sin(J.angle) - 0.2 N*s * "
                     "J.displacement.rate*cos(J.angle)'}"},
    {&TS_KIND_TORSION_SPRING, "{type: torsion_spring, joint: J, stiffness: 3 N*m/rad, torque: '2 "
                              "N*m*sin(J.angle) + 0.3 N*m*s/rad*J.angle.rate'}"},
    {&TS_KIND_JOINT_SPRING,
     "{type: joint_spring, joint: J, stiffness: 5 N/m, force: '40 N/m * max(J.displacement, "
     "-0.01 m) + if(J.displacement < -0.02 m, 3 N, 1 N)'}"},
    {&TS_KIND_SPRING, "{bodies: [A, B], from: [0, 0, 0], to: [1, 0.5, 0.2], stiffness: 9 N/m, "
                      "force: '30 N/m^3 * (K.length - 1.1 m)^3 + 50 N/m * (K.length - 1.13 m) + 2 "
                      "N*s/m * K.length.rate'}"},
    {&TS_KIND_SPRING,
     "{bodies: [A, B], from: [0, 0, 0], to: [1, 0.5, 0.2], stiffness: 9 N/m, force: '30 N/m * "
     "K.length*sin(3*t) + 2 N*s/m * K.length.rate'}"},
    {&TS_KIND_MOMENT, "{type: moment, body: B, moment: [-2 N*m*s/rad * B.omega.x, '1 N*m * "
                      "A.orientation.d2.z', '-1 N*m*s/rad * A.omega.y - 0.2 N*m*sin(2*t)']}"},
    {&TS_KIND_MOMENT, "{type: moment, body: B, follower: true, moment: [-2 N*m*s/rad * B.omega.x, "
                      "0, '3 N*m/rad * cos(B.position.x/(1 m))*(1 rad)']}"},
    {&TS_KIND_FORCE, "{type: force, body: B, follower: true, at: [1, 0.2, 0], force: [-2 N*s/m * "
                     "B.velocity.x, '3 N * B.orientation.d1.y', 0.1 N]}"},
    {&TS_KIND_STATE, "{rate: '(2 - K.value^2 + A.omega.z/(1 rad/s))/(0.3 s)', initial: 0.3}"},
    {&TS_KIND_SAMPLED, "{type: sampled, value: '1 - K.value + A.velocity.x/(1 m/s)', period: 1e-3, "
                       "initial: 0.3}"},
    {&TS_KIND_ROPE,
     "{type: rope, bodies: [ground, A, B, ground], at: [[0, 0, 2], [0.3, 0.1, -0.2], [1.6, 0.5, "
     "1.2], [2, 0, 3]], radius: [0, 0.2, 0.3, 0.1], axis: [0.1, 1, 0.2], turns: [0, 1, 0, 0]}"},
    {&TS_KIND_ROPE,
     "{type: rope, bodies: [ground, A, B, ground], at: [[0, 0, 2], [0.3, 0.1, -0.2], [1.6, 0.5, "
     "1.2], [2, 0, 3]], radius: [0.1, 0.2, 0, 0.1], axis: y, sense: [-1, 0, 0, -1], EA: 200, "
     "length: 6}"},
    {&TS_KIND_ROPE,
     "{type: rope, bodies: [ground, A, B, ground], at: [[0, 0, 2], [0.3, 0.1, -0.2], [1.6, 0.5, "
     "1.2], [2, 0, 3]], radius: [0, 0.2, 0, 0.1], axis: y, EA: 200, length: 6, friction: [0, 0.3, "
     "0.2, 0], stiffness: 300, viscous: 4}"},
    {&TS_KIND_ROPE,
     "{type: rope, bodies: [ground, A, B, ground], at: [[0, 0, 2], [0.3, 0.1, -0.2], [1.6, 0.5, "
     "1.2], [2, 0, 3]], radius: [0, 0.2, 0, 0.1], axis: y, friction: [0, 0.3, 0.2, 0], stiffness: "
     "300, viscous: 4}"},
    {&TS_KIND_MOTOR, "{type: motor, joint: J, coordinate: displacement, force: '0.3*J.force.x - "
                     "0.2*J.force.z*sin(J.angle)'}"},
    /* parts that are read have no memory here */
    {&TS_KIND_SPRING,
     "{bodies: [A, B], from: [0, 0, 0], to: [1, 0.5, 0.2], stiffness: 9 N/m, force: '0.5*P.force.x "
     "+ 0.2*Q.force + 0.1*Q.force.y*sin(Q.length/(1 m))'}\n"
     "  P: {type: bushing, bodies: [A, B], at: [0.3, 0.1, -0.2], stiffness: [30, 40, 50, 6, 7, 8], "
     "damping: [1, 2, 3, 0.1, 0.2, 0.3], cubic: [20, 0, 0]}\n"
     "  Q: {bodies: [A, B], from: [0, 0, 0], to: [1, 0.5, 0.2], stiffness: 20 N/m, damping: 2}"},
};
enum { STATE_SAMPLE_COUNT = sizeof STATE_SAMPLES / sizeof *STATE_SAMPLES };

static void each_kind(check *run) {
    for (int k = 0; TS_KINDS[k]; k++) one_kind(run, TS_KINDS[k]);
    for (int k = 0; k < STATE_SAMPLE_COUNT; k++) {
        ts_kind kind = *STATE_SAMPLES[k].kind;
        kind.sample = STATE_SAMPLES[k].sample;
        one_kind(run, &kind);
    }
}

/* The site of a part behind `previous`, the first behind NULL; NULL at the end. */
static const ts_site *site_behind(const scene *s, int part, const ts_site *previous) {
    const ts_part *p = &s->model->parts[part];
    int next = previous ? (int)(previous - s->model->sites) + 1 : p->site;
    return next < p->site + p->sites ? &s->model->sites[next] : NULL;
}

#define EACH_SITE(s, part, site)                                         \
    for (const ts_site *site = site_behind(s, part, NULL); site != NULL; \
         site = site_behind(s, part, site))

#define COMPLAIN(kind, site, what, value) \
    fail_msg("%s, site %d: %s: %.3g", (kind)->name, (int)((site)-s->model->sites), what, value)

/* ---- forms ---- */

enum { ROOM = 3 * TS_MAX_SLOTS };

/* Ambient coordinates of a site's nodes, away from the drawing by `much`, rigid or not. */
static void anywhere(const scene *s, const ts_site *site, double much, double *q) {
    ts_site_gather(s->model, site, s->system->state.q, q);
    for (int i = 0; i < 3 * site->slots; i++) q[i] += much * chance();
}

static void random_vector(int n, double *v) {
    for (int i = 0; i < n; i++) v[i] = chance();
}

static double size_of(int n, const double *v) { return sqrt(ts_dot(n, v, v)); }

/* A(q) v of a rate form, e(q) of another. */
static double value_of(const scene *s, const ts_site *site, int k, const double *q,
                       const double *v) {
    if (site->role != TS_ROLE_RATES) return ts_form_value(s->model, site->form + k, q);
    double A[ROOM];
    ts_rate_gradient(s->model, site->form + k, site->slots, q, A);
    return ts_dot(3 * site->slots, A, v);
}

static void gradient_of(const scene *s, const ts_site *site, int k, const double *q,
                        const double *v, double *B) {
    if (site->role == TS_ROLE_RATES)
        ts_form_hessian_times(s->model, site->form + k, true, site->slots, v, B);
    else
        ts_form_gradient(s->model, site->form + k, site->slots, q, B);
}

/* Forms are quadratic, so central differences are exact but for round-off. */
static void check_gradients(scene *s, const ts_kind *kind, int part) {
    EACH_SITE(s, part, site) for (int k = 0; k < site->forms; k++) {
        double q[ROOM], v[ROOM], B[ROOM];
        anywhere(s, site, 1, q), random_vector(3 * site->slots, v);
        gradient_of(s, site, k, q, v, B);
        double scale = size_of(3 * site->slots, B);
        assert_true(scale > 0);
        for (int i = 0; i < 3 * site->slots; i++) {
            const double x = q[i], step = 0.5;
            q[i] = x + step;
            double up = value_of(s, site, k, q, v);
            q[i] = x - step;
            double down = value_of(s, site, k, q, v);
            q[i] = x;
            double off = fabs((up - down) / (2 * step) - B[i]);
            if (!(off <= 1e-12 * scale)) COMPLAIN(kind, site, "gradient", off);
        }
    }
}

/* e_f - e_i = B(q_m) (q_f - q_i), of a rate form (A_f - A_i) v = (H v) (q_f - q_i), exactly. */
static void check_chain_rule(scene *s, const ts_kind *kind, int part) {
    EACH_SITE(s, part, site) for (int k = 0; k < site->forms; k++) {
        int n = 3 * site->slots;
        double q_i[ROOM], q_f[ROOM], q_m[ROOM], dq[ROOM], v[ROOM], B[ROOM];
        anywhere(s, site, 2, q_i), anywhere(s, site, 2, q_f), random_vector(n, v);
        for (int i = 0; i < n; i++) q_m[i] = 0.5 * (q_i[i] + q_f[i]), dq[i] = q_f[i] - q_i[i];
        gradient_of(s, site, k, q_m, v, B);
        double change = value_of(s, site, k, q_f, v) - value_of(s, site, k, q_i, v);
        double off = fabs(change - ts_dot(n, B, dq));
        if (!(off <= 1e-13 * (1 + size_of(n, B) * size_of(n, q_i))))
            COMPLAIN(kind, site, "chain rule", off);
    }
}

/* The direction a form singles out in space: that of its linear terms. False if it has none. */
static bool direction_of(const scene *s, const ts_site *site, int k, v3 *g) {
    const ts_form *form = &s->model->forms[site->form + k];
    for (int i = 0; i < form->linears; i++) {
        v3 own = s->model->linears[form->linear + i].g;
        if (v3_norm(own) == 0) continue;
        *g = v3_normalize(own);
        return true;
    }
    return false;
}

/* Three forms in a row along x, y, z: a vector. */
static bool is_triple(const scene *s, const ts_site *site, int k) {
    for (int i = 0; i < 3; i++) {
        v3 g;
        if (k + i >= site->forms || !direction_of(s, site, k + i, &g)) return false;
        if (v3_norm(v3_sub(g, v3_axis(i))) > 0 && v3_norm(v3_add(g, v3_axis(i))) > 0) return false;
    }
    return true;
}

/* The slots of the site's nodes; inner unknowns of an element do not move with it. */
static void carry_along(const scene *s, const ts_site *site, m3 R, v3 t, double *q) {
    for (int i = 0; i < site->nodes; i++) {
        const ts_node *node = &s->model->nodes[s->model->site_nodes[site->node + i]];
        for (int a = 0; a < node->slots; a++, q += 3) {
            if (node->inner) continue;
            v3 x = m3_apply(R, v3_load(q));
            v3_store(q, a ? x : v3_add(x, t));
        }
    }
}

/* All forms at the slots q of the site's nodes. */
static void values_of(const scene *s, const ts_site *site, const double *q, const double *v,
                      double *value) {
    double z[ROOM];
    if (site->interpolation >= 0) ts_site_vectors(s->model, site, q, z), q = z;
    for (int k = 0; k < site->forms; k++) value[k] = value_of(s, site, k, q, v);
}

/* Values before and after a common rigid motion of all nodes: any, or one that leaves `g` alone. */
static void carried_values(const scene *s, const ts_site *site, const v3 *g, double *before,
                           double *after) {
    double q[ROOM], v[ROOM];
    m3 R = so3_exp(g ? v3_scale(2 * chance(), *g) : v3_scale(3, chance_vector()));
    v3 t = v3_scale(2, g ? v3_cross(*g, chance_vector()) : chance_vector());
    ts_gather(s->model, site->node, site->nodes, s->system->state.q, q);
    for (int i = 0; i < 3 * site->ambient; i++) q[i] += 0.5 * chance(), v[i] = chance();
    values_of(s, site, q, v, before);
    carry_along(s, site, R, t, q), carry_along(s, site, R, v3_make(0, 0, 0), v);
    values_of(s, site, q, v, after);
}

/* Ways of forces that turn with their body are of places, which no turn about the origin leaves. */
static void check_objectivity(scene *s, const ts_kind *kind, int part) {
    if (strcmp(kind->name, "force") == 0) return;
    EACH_SITE(s, part, site) {
        double before[TS_MAX_FORMS], after[TS_MAX_FORMS];
        for (int k = 0; k < site->forms; k++) {
            v3 g;
            bool has = direction_of(s, site, k, &g), triple = has && is_triple(s, site, k);
            carried_values(s, site, has && !triple ? &g : NULL, before, after);
            double off =
                triple ? size_of(3, before + k) - size_of(3, after + k) : before[k] - after[k];
            if (!(fabs(off) <= 1e-12)) COMPLAIN(kind, site, "objectivity", off);
            if (triple) k += 2;
        }
    }
}

/* ---- inside out ---- */

/* All nodes of the site carried by a linear map. */
static double handedness(const scene *s, const ts_site *site, m3 map) {
    double q[ROOM], z[9] = {0};
    const double *N = s->model->interpolation + site->handed;
    ts_gather(s->model, site->node, site->nodes, s->system->state.q, q);
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < site->ambient; a++, N++)
            v3_store(z + 3 * k, v3_axpy(*N, m3_apply(map, v3_load(q + 3 * a)), v3_load(z + 3 * k)));
    return m3_det(m3_load(z));
}

/* A turn leaves the three vectors right-handed, a mirror does not; their volume is that as
 * drawn. */
static void check_handed(scene *s, const ts_kind *kind, int part) {
    m3 R = so3_exp(v3_make(0.4, -1.1, 0.7)), mirror = m3_identity();
    mirror.c[1] = v3_make(0, -1, 0);
    EACH_SITE(s, part, site) {
        if (site->handed < 0) continue;
        double drawn = handedness(s, site, m3_identity());
        if (!(drawn > 0)) COMPLAIN(kind, site, "right-handed as drawn", drawn);
        double turned = handedness(s, site, R) / drawn - 1;
        if (!(fabs(turned) < 1e-12)) COMPLAIN(kind, site, "right-handed when turned", turned);
        double mirrored = handedness(s, site, mirror) / drawn + 1;
        if (!(fabs(mirrored) < 1e-12)) COMPLAIN(kind, site, "left-handed in a mirror", mirrored);
    }
}

/* ---- rows ---- */

static void check_drawing(scene *s, const ts_kind *kind, int part) {
    double position, rate;
    ts_violation(s->system, part, &position, &rate);
    if (!(position <= 1e-14)) fail_msg("%s: a row is %.3g as drawn", kind->name, position);
}

/* Forms at two rigid configurations near the drawing; (cos, sin) pairs of a row made exact. */
static void forms_anywhere(const scene *s, const ts_site *site, double *e) {
    double q[ROOM], *at = q;
    ts_site_gather(s->model, site, s->system->state.q, q);
    for (int i = 0; i < site->nodes; i++) {
        const ts_node *node = &s->model->nodes[s->model->site_nodes[site->node + i]];
        m3 R = so3_exp(v3_scale(0.4, chance_vector()));
        v3_store(at, v3_axpy(0.3, chance_vector(), v3_load(at)));
        for (int a = 1; a < node->slots; a++)
            v3_store(at + 3 * a, m3_apply(R, v3_load(at + 3 * a)));
        at += 3 * node->slots;
    }
    for (int k = 0; k < site->forms; k++) e[k] = ts_form_value(s->model, site->form + k, q);
    if (site->rowlaw != &TS_ANGLE_ROW) return;
    double r = hypot(e[0], e[1]);
    e[0] /= r, e[1] /= r;
}

typedef struct law_case {
    double e_i[TS_MAX_FORMS], e_f[TS_MAX_FORMS], memory_i[80], memory_f[80];
    ts_law_step step;
} law_case;

/* A step of no length at e. */
static ts_law_step at_rest(const law_case *c, const double *memory, const double *e) {
    ts_law_step rest = c->step;
    rest.memory = memory, rest.e_i = rest.e_f = e, rest.t_f = rest.t_i;
    return rest;
}

static void set_case(const scene *s, const ts_site *site, law_case *c) {
    int memory = site->law ? site->law->memory : site->rowlaw->memory;
    assert_true(memory <= 8);
    memset(c, 0, sizeof *c);
    forms_anywhere(s, site, c->e_i), forms_anywhere(s, site, c->e_f);
    c->step = (ts_law_step){.m = site->forms,
                            .data = s->model->numbers + site->data,
                            .memory = c->memory_i,
                            .e_i = c->e_i,
                            .e_f = c->e_f,
                            .t_i = 0.3,
                            .t_f = 0.34,
                            .signals = s->model->signals,
                            .signal = s->model->site_signals + site->signal,
                            .sites = s->model->sites};
    void (*begin)(const double *, const double *, double *) =
        site->law ? site->law->begin : site->rowlaw->begin;
    ts_law_step rest = at_rest(c, c->memory_i, c->e_i);
    void (*commit)(const ts_law_step *, double *) =
        site->law ? site->law->commit : site->rowlaw->commit;
    if (begin) begin(c->step.data, c->e_i, c->memory_i);
    if (site->law && site->law->begin_at) site->law->begin_at(&rest, c->memory_i);
    memcpy(c->memory_f, c->memory_i, sizeof c->memory_f);
    if (commit) commit(&c->step, c->memory_f);
}

/* Largest difference between J (m x m, d f_j / d e_f,k) and differences of f; relative. */
typedef void vector_of(const ts_site *site, const law_case *c, double *f);

static double jacobian_error(const ts_site *site, law_case *c, vector_of *f, const double *J) {
    int m = site->forms;
    double scale = size_of(m * m, J), worst = 0, step = 1e-5;
    for (int k = 0; k < m; k++) {
        double up[TS_MAX_FORMS], down[TS_MAX_FORMS], x = c->e_f[k];
        c->e_f[k] = x + step, f(site, c, up);
        c->e_f[k] = x - step, f(site, c, down);
        c->e_f[k] = x;
        for (int j = 0; j < m; j++)
            worst = fmax(worst, fabs((up[j] - down[j]) / (2 * step) - J[j * m + k]));
    }
    return scale > 0 ? worst / scale : worst;
}

static void discrete_gradient(const ts_site *site, const law_case *c, double *g) {
    ts_row_response r;
    site->rowlaw->respond(&c->step, &r);
    memcpy(g, r.g, (size_t)site->forms * sizeof *g);
}

static void end_gradient(const ts_site *site, const law_case *c, double *g) {
    ts_row_response r;
    site->rowlaw->respond(&c->step, &r);
    memcpy(g, r.y_f, (size_t)site->forms * sizeof *g);
}

/* Rates of the forms, for the zeta of a row: along the circle for (cos, sin). */
static double ROW_RATE_I[TS_MAX_FORMS], ROW_RATE_F[TS_MAX_FORMS];

static void zeta_by_forms(const ts_site *site, const law_case *c, double *z) {
    ts_row_zeta out;
    site->rowlaw->rate(&c->step, ROW_RATE_I, ROW_RATE_F, &out);
    memcpy(z, out.zeta, (size_t)site->forms * sizeof *z);
}

static double zeta_by_rates_error(const ts_site *site, const law_case *c, const ts_row_zeta *z) {
    int m = site->forms;
    double worst = 0;
    for (int k = 0; k < m; k++) { // zeta is linear in the rates
        double up[TS_MAX_FORMS], down[TS_MAX_FORMS], x = ROW_RATE_F[k];
        ROW_RATE_F[k] = x + 1, zeta_by_forms(site, c, up);
        ROW_RATE_F[k] = x - 1, zeta_by_forms(site, c, down);
        ROW_RATE_F[k] = x;
        for (int j = 0; j < m; j++)
            worst = fmax(worst, fabs((up[j] - down[j]) / 2 - z->d_edot[j * m + k]));
    }
    return worst;
}

static void random_rates(const ts_site *site, const law_case *c) {
    for (int k = 0; k < site->forms; k++) ROW_RATE_I[k] = chance(), ROW_RATE_F[k] = chance();
    if (site->rowlaw != &TS_ANGLE_ROW) return;
    double w_i = chance(), w_f = chance();
    ROW_RATE_I[0] = -w_i * c->e_i[1], ROW_RATE_I[1] = w_i * c->e_i[0];
    ROW_RATE_F[0] = -w_f * c->e_f[1], ROW_RATE_F[1] = w_f * c->e_f[0];
}

/* The slope of y is exact off the circle too. */
static double slope_error(const ts_site *site, law_case c) {
    ts_row_response r, up, down;
    double worst = 0, step = 1e-5;
    c.step.memory = c.memory_i, c.step.e_i = c.e_i, c.step.e_f = c.e_f;
    c.e_f[0] *= 1.1, c.e_f[1] *= 1.1;
    site->rowlaw->respond(&c.step, &r);
    for (int k = 0; k < site->forms; k++) {
        double x = c.e_f[k];
        c.e_f[k] = x + step, site->rowlaw->respond(&c.step, &up);
        c.e_f[k] = x - step, site->rowlaw->respond(&c.step, &down);
        c.e_f[k] = x;
        worst = fmax(worst, fabs((up.y - down.y) / (2 * step) - r.slope[k]));
    }
    return worst;
}

static void check_row_function(scene *s, const ts_kind *kind, int part) {
    EACH_SITE(s, part, site) for (int trial = 0; trial < 20 && site->rowlaw; trial++) {
        law_case c;
        ts_row_response r, at_i;
        ts_row_zeta z;
        set_case(s, site, &c);
        site->rowlaw->respond(&c.step, &r);
        ts_law_step still = c.step;
        still.e_f = c.e_i;
        site->rowlaw->respond(&still, &at_i);
        random_rates(site, &c);
        site->rowlaw->rate(&c.step, ROW_RATE_I, ROW_RATE_F, &z);
        double change = 0, jump = 0, along = 0, bent = 0, tangent = 0;
        for (int k = 0; k < site->forms; k++) {
            change += r.g[k] * (c.e_f[k] - c.e_i[k]);
            jump += r.y_f[k] * ROW_RATE_F[k] - r.y_i[k] * ROW_RATE_I[k];
            along += r.g[k] * (ROW_RATE_F[k] - ROW_RATE_I[k]);
            bent += z.zeta[k] * (c.e_f[k] - c.e_i[k]);
            tangent = fmax(tangent, fabs(at_i.g[k] - at_i.y_i[k]));
        }
        double off = fabs(change - (r.y - at_i.y));
        if (!(off <= 1e-14)) COMPLAIN(kind, site, "discrete gradient", off);
        if (!(fabs(jump - along - bent) <= 1e-14)) COMPLAIN(kind, site, "(Z)", jump - along - bent);
        if (!(tangent <= 1e-15)) COMPLAIN(kind, site, "gradient of a step of nothing", tangent);
        double slope = slope_error(site, c);
        if (!(slope <= 1e-8)) COMPLAIN(kind, site, "slope of a row", slope);
        double dg = jacobian_error(site, &c, discrete_gradient, r.dg);
        double dy = jacobian_error(site, &c, end_gradient, r.dy_f);
        double dz = jacobian_error(site, &c, zeta_by_forms, z.d_e);
        double dr = zeta_by_rates_error(site, &c, &z);
        if (!(fmax(fmax(dg, dy), fmax(dz, dr)) <= 1e-8))
            COMPLAIN(kind, site, "derivatives of a row", fmax(fmax(dg, dy), fmax(dz, dr)));
    }
}

/* ---- laws ---- */

static void stress(const ts_site *site, const law_case *c, double *stresses) {
    ts_response r;
    site->law->respond(&c->step, &r);
    memcpy(stresses, r.s, (size_t)site->forms * sizeof *stresses);
}

static double law_energy(const ts_site *site, const law_case *c, const double *memory,
                         const double *e) {
    ts_law_step rest = at_rest(c, memory, e);
    if (site->law->energy_at) return site->law->energy_at(&rest);
    return site->law->energy ? site->law->energy(c->step.data, memory, site->forms, e) : 0;
}

static bool has_stiffness(const ts_site *site) {
    return site->law && (site->law->stiffness || site->law->stiffness_at);
}

static void stiffness_of(const ts_site *site, const law_case *c, double *K) {
    ts_law_step rest = at_rest(c, c->memory_i, c->e_i);
    if (site->law->stiffness_at)
        site->law->stiffness_at(&rest, K);
    else
        site->law->stiffness(c->step.data, c->memory_i, site->forms, c->e_i, K);
}

static void check_law_energy(scene *s, const ts_kind *kind, int part) {
    EACH_SITE(s, part, site) for (int trial = 0; trial < 50 && site->law; trial++) {
        law_case c;
        ts_response r;
        memset(&r, 0xff, sizeof r); // NaN: the law has to fill all of it
        set_case(s, site, &c);
        site->law->respond(&c.step, &r);
        double V_i = law_energy(site, &c, c.memory_i, c.e_i);
        double V_f = law_energy(site, &c, c.memory_f, c.e_f), work = 0,
               size = fabs(V_i) + fabs(V_f);
        for (int k = 0; k < site->forms; k++) {
            work += r.s[k] * (c.e_f[k] - c.e_i[k]);
            size += fabs(r.s[k] * (c.e_f[k] - c.e_i[k]));
        }
        double off = fabs(work - (V_f - V_i + r.dissipated - r.work));
        if (!(off <= 1e-13 * size)) COMPLAIN(kind, site, "(L)", off / size);
        if (!(fabs(r.stored - V_f) <= 1e-14 * size)) COMPLAIN(kind, site, "stored", r.stored - V_f);
        if (!(r.dissipated >= 0)) COMPLAIN(kind, site, "dissipated", r.dissipated);
        double tangent = jacobian_error(site, &c, stress, r.ds);
        if (!(tangent <= 1e-6)) COMPLAIN(kind, site, "derivative of the stress", tangent);
    }
}

static void check_stiffness(scene *s, const ts_kind *kind, int part) {
    EACH_SITE(s, part, site) for (int trial = 0; trial < 20; trial++) {
        if (!has_stiffness(site)) continue;
        law_case c;
        int m = site->forms;
        double K[TS_MAX_FORMS * TS_MAX_FORMS] = {0}, x[TS_MAX_FORMS], energy = 0;
        set_case(s, site, &c);
        stiffness_of(site, &c, K);
        double scale = size_of(m * m, K);
        random_vector(m, x);
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++) {
                energy += x[j] * K[j * m + k] * x[k];
                double skew = K[j * m + k] - K[k * m + j];
                if (!(fabs(skew) <= 1e-14 * scale)) COMPLAIN(kind, site, "unsymmetric", skew);
            }
        if (!(energy >= -1e-14 * scale)) COMPLAIN(kind, site, "gives out energy", energy);
    }
}

/* Over a step of no length the stress is the gradient of the energy, and by the symmetry of a
 * discrete gradient in both ends its derivative by e_f is half of the stiffness. In a drawing
 * without stress ED's stiffness has to be that; under stress it may leave out what the stress adds,
 * which need not be positive, and only its size is looked at. A law may also have none: zero is
 * allowed, and friction is not known to stick before a step was made. */
static void check_stiffness_is_the_tangent(scene *s, const ts_kind *kind, int part) {
    EACH_SITE(s, part, site) {
        if (!has_stiffness(site)) continue;
        law_case c;
        ts_response r;
        int m = site->forms;
        double K[TS_MAX_FORMS * TS_MAX_FORMS] = {0}, q[ROOM], worst = 0;
        set_case(s, site, &c);
        ts_site_gather(s->model, site, s->system->state.q, q);
        for (int k = 0; k < m; k++) c.e_i[k] = ts_form_value(s->model, site->form + k, q);
        ts_law_step rest = at_rest(&c, c.memory_i, c.e_i);
        if (site->law->begin) site->law->begin(c.step.data, c.e_i, c.memory_i);
        if (site->law->begin_at) site->law->begin_at(&rest, c.memory_i);
        c.step.e_f = c.e_i, c.step.t_i = c.step.t_f;
        stiffness_of(site, &c, K);
        site->law->respond(&c.step, &r);
        for (int i = 0; i < m * m; i++) worst = fmax(worst, fabs(K[i] - 2 * r.ds[i]));
        if (size_of(m * m, K) == 0) continue;
        double off = worst / fmax(size_of(m * m, K), size_of(m * m, r.ds));
        bool stressed = size_of(m, r.s) > 1e-12 * size_of(m * m, r.ds);
        double trace = 0, own = 0;
        for (int k = 0; k < m; k++) own += K[k * m + k], trace += 2 * r.ds[k * m + k];
        if (stressed) off = fabs(own / trace - 1);
        if (!(off <= (stressed ? 0.5 : 1e-12))) COMPLAIN(kind, site, "stiffness, tangent", off);
    }
}

/* ---- steps ---- */

static const struct {
    const char *scheme;
    double rho;
} STEPS[] = {{"EP", 1}, {"ED", 0}, {"ED", 0.6}};
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

static void check_energy(scene *s, const ts_kind *kind, int part) {
    (void)part;
    for (int k = 0; k < STEP_COUNT; k++) {
        scene_end(s);
        scene_begin(s, STEPS[k].scheme, scene_options(STEPS[k].scheme, STEPS[k].rho));
        for (int n = 0; n < 3; n++) {
            scene_step(s, 0.01);
            double off = fabs(s->system->ledger.balance) / s->energy;
            if (!(off <= 1e-13)) fail_msg("%s, %s: balance %.3g", kind->name, STEPS[k].scheme, off);
            assert_true(s->system->ledger.algorithmic >= 0 && s->system->ledger.dissipated >= 0);
        }
    }
}

static void check_tangent(scene *s, const ts_kind *kind, int part) {
    (void)part;
    for (int k = 0; k < STEP_COUNT; k++) {
        scene_end(s);
        scene_begin(s, STEPS[k].scheme, scene_options(STEPS[k].scheme, STEPS[k].rho));
        for (int n = 0; n < 3; n++) scene_step(s, 0.01);
        scene_set_up(s, STEPS[k].scheme, STEPS[k].rho, 0.3);
        tangent_shake(s->st, 0.15);
        double error = tangent_error(s->st);
        measured(kind->name, STEPS[k].scheme, STEPS[k].rho, error);
        /* round-off of differences, most of all of inner variables; a missing term shows by 1e-3 */
        if (!(error <= 2e-7)) fail_msg("%s, %s: tangent %.3g", kind->name, STEPS[k].scheme, error);
    }
}

/* ---- terms ---- */

/* The row at (q, p) with `linear` times its linear terms, written out. */
static void written_row(const scene *s, int f, ts_term_row row, double *B) {
    const ts_form *form = &s->model->forms[f];
    memset(B, 0, ROOM * sizeof *B);
    for (int i = 0; i < form->pairs; i++) {
        const ts_pair *p = &s->model->pairs[form->pair + i];
        for (int c = 0; c < 3; c++) {
            if (row.q) B[3 * p->b + c] += p->w * row.q[3 * p->a + c];
            if (row.p) B[3 * p->a + c] += p->w * row.p[3 * p->b + c];
        }
    }
    for (int i = 0; i < form->linears; i++) {
        const ts_linear *l = &s->model->linears[form->linear + i];
        for (int c = 0; c < 3; c++) B[3 * l->a + c] += row.linear * v3_get(l->g, c);
    }
}

static void compare_projected(const scene *s, const ts_kind *kind, const ts_site *site, int k,
                              ts_term_row row) {
    double B[ROOM], wanted[6 * TS_MAX_NODES], found[6 * TS_MAX_NODES] = {0};
    ts_local l;
    ts_projector P = {.still = k % 2};
    ts_local_site(s->model, site, 1, &l);
    for (int i = 0; i < TS_MAX_SLOTS; i++)
        P.X[i] = m3_cols(chance_vector(), chance_vector(), chance_vector());
    written_row(s, site->form + k, row, B);
    ts_project(&l, &P, B, wanted);
    ts_project_terms(s->model, site->form + k, row, &l, &P, 0.5, found);
    for (int i = 0; i < l.nd; i++) found[i] -= 0.5 * wanted[i];
    double off = size_of(l.nd, found);
    if (!(off <= 1e-13 * (1 + size_of(l.nd, wanted)))) COMPLAIN(kind, site, "projected row", off);
}

/* The row of a form or rate form, along u and pulling F; and projected, with all its parts. */
static void check_terms(scene *s, const ts_kind *kind, int part) {
    EACH_SITE(s, part, site) for (int k = 0; k < site->forms; k++) {
        bool rate = site->role == TS_ROLE_RATES;
        double q[ROOM], u[ROOM], B[ROOM], F[ROOM] = {0};
        anywhere(s, site, 1, q), random_vector(3 * site->slots, u);
        ts_form_row(s->model, site->form + k, rate, site->slots, q, B);
        double along = ts_row_pull(s->model, site->form + k, rate, q, u, 2, F);
        double off = fabs(along - ts_dot(3 * site->slots, B, u)),
               scale = 1 + size_of(3 * site->slots, q);
        for (int i = 0; i < 3 * site->slots; i++) off = fmax(off, fabs(F[i] - 2 * B[i]));
        if (!(off <= 1e-13 * scale * scale)) COMPLAIN(kind, site, "row by its terms", off);
        compare_projected(s, kind, site, k, ts_terms_at(rate, q));
        compare_projected(s, kind, site, k, ts_terms_hessian(rate, u));
        compare_projected(s, kind, site, k, (ts_term_row){q, u, -3});
    }
}

/* ---- one test per property ---- */

#define TEST_OF(check)                       \
    static void test_##check(void **state) { \
        (void)state;                         \
        each_kind(check);                    \
    }
TEST_OF(check_gradients)
TEST_OF(check_chain_rule)
TEST_OF(check_objectivity)
TEST_OF(check_drawing)
TEST_OF(check_handed)
TEST_OF(check_row_function)
TEST_OF(check_law_energy)
TEST_OF(check_stiffness)
TEST_OF(check_stiffness_is_the_tangent)
TEST_OF(check_energy)
TEST_OF(check_tangent)
TEST_OF(check_terms)

/* ---- outputs ---- */

static int stations_of(const scene *s, int part) { return s->model->parts[part].stations; }

/* Every station of the part is in one of its cells, once. */
static void check_cells(const scene *s, const ts_kind *kind, int part) {
    ts_cells cells;
    int *owner, count = 0, points = 0;
    ts_cells_make(&cells, s->model, &owner);
    for (int64_t i = 0; i < cells.cells; i++) {
        const ts_table_cell *row = cells.cell + i * TS_CELL_FIELDS;
        if (owner[i] != part) continue;
        count += (int)row[TS_CELL_STATIONS].integer, points += (int)row[TS_CELL_POINTS].integer;
        if (!ts_cell_look_of(row)) fail_msg("%s: a cell of no known type", kind->name);
    }
    if (count != stations_of(s, part) || points == 0)
        fail_msg("%s: %d of %d stations are in its %d cells", kind->name, count,
                 stations_of(s, part), (int)cells.cells);
    ts_cells_clear(&cells);
    free(owner);
}

/* A kind whose parts have stations, hold two nodes or are a mass is drawn as that. */
static void check_look(scene *s, const ts_kind *kind, int part) {
    const ts_part *p = &s->model->parts[part];
    bool flexible = kind->look >= TS_LOOK_LINES && kind->look <= TS_LOOK_SOLIDS;
    if (flexible != (stations_of(s, part) > 0))
        fail_msg("%s has %d stations and the look %d", kind->name, stations_of(s, part),
                 (int)kind->look);
    if (flexible) check_cells(s, kind, part);
    if (kind->look == TS_LOOK_LINK && !ts_part_reacts(p))
        fail_msg("%s is drawn as a link and holds nothing", kind->name);
    if (kind->look == TS_LOOK_BODY && p->node < 0) fail_msg("%s has no node", kind->name);
}

static void kinds_are_drawn_as_what_they_are(void **state) {
    (void)state;
    each_kind(check_look);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_drawn_as_what_they_are),
        cmocka_unit_test(test_check_gradients),
        cmocka_unit_test(test_check_chain_rule),
        cmocka_unit_test(test_check_objectivity),
        cmocka_unit_test(test_check_drawing),
        cmocka_unit_test(test_check_row_function),
        cmocka_unit_test(test_check_law_energy),
        cmocka_unit_test(test_check_stiffness),
        cmocka_unit_test(test_check_energy),
        cmocka_unit_test(test_check_tangent),
        cmocka_unit_test(test_check_terms),
        cmocka_unit_test(test_check_handed),
        cmocka_unit_test(test_check_stiffness_is_the_tangent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
