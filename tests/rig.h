/* SPDX-License-Identifier: Apache-2.0 */
/* A test rig for parts: a model with two bodies A and B somewhere in space, parts built from values
 * set by hand, and forms evaluated in the plainest way.
 */
#ifndef TS_RIG_H
#define TS_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/rotation.h"
#include "model/kind.h"
#include "model/law.h"

enum { RIG_VALUES = 24 };

typedef struct rig {
    ts_model *model;
    ts_builder builder;
    const ts_kind *kind;
    ts_value value[RIG_VALUES];
    int A, B; /* nodes */
} rig;

/* ---- chance, the same in every run ---- */

static uint64_t rig_seed = 88172645463325252u;

static inline double rig_random(void) { /* in (-1, 1) */
    rig_seed ^= rig_seed << 13, rig_seed ^= rig_seed >> 7, rig_seed ^= rig_seed << 17;
    return (double)(int64_t)rig_seed / 9.3e18;
}

static inline v3 rig_vector(void) {
    double x = rig_random(), y = rig_random();
    return v3_make(x, y, rig_random());
}

static inline m3 rig_rotation(void) { return so3_exp(v3_scale(3, rig_vector())); }

/* ---- building ---- */

static inline void rig_kind(rig *r, const char *section, const char *name) {
    memset(r->value, 0, sizeof r->value);
    r->kind = ts_kind_find(section, name);
    assert_non_null(r->kind);
}

static inline ts_value *rig_value(rig *r, const char *field) {
    for (int k = 0; r->kind->fields[k].name; k++)
        if (strcmp(r->kind->fields[k].name, field) == 0) {
            assert_true(k < RIG_VALUES);
            r->value[k].given = true;
            return &r->value[k];
        }
    fail_msg("%s has no field %s", r->kind->name, field);
    return NULL;
}

static inline void rig_number(rig *r, const char *field, double x) {
    rig_value(r, field)->number[0] = x;
}
static inline void rig_v3(rig *r, const char *field, v3 x) {
    v3_store(rig_value(r, field)->number, x);
}
static inline void rig_m3(rig *r, const char *field, m3 x) {
    m3_store(rig_value(r, field)->number, x);
}
static inline void rig_nodes(rig *r, const char *field, int a, int b) {
    ts_value *value = rig_value(r, field);
    value->node[0] = a, value->node[1] = b;
}
static inline void rig_joint(rig *r, int part) { rig_value(r, "joint")->part[0] = part; }

static inline int rig_try(rig *r) {
    r->builder = (ts_builder){.model = r->model, .name = r->kind->name, .failed_field = -1};
    return r->kind->build(&r->builder, r->value);
}

static inline ts_part *rig_build(rig *r) {
    if (rig_try(r)) fail_msg("%s: %s", r->kind->name, r->builder.message);
    return &r->model->parts[r->model->parts_count - 1];
}

static inline void rig_fails(rig *r, const char *field, const char *words) {
    assert_int_equal(rig_try(r), TORSOR_EINVAL);
    if (!strstr(r->builder.message, words)) fail_msg("\"%s\"", r->builder.message);
    int k = r->builder.failed_field;
    assert_string_equal(k < 0 ? "" : r->kind->fields[k].name, field);
}

static inline int rig_body(rig *r) {
    rig_kind(r, "bodies", NULL);
    rig_number(r, "mass", 1.5);
    rig_v3(r, "position", rig_vector());
    rig_m3(r, "orientation", rig_rotation());
    rig_v3(r, "velocity", rig_vector());
    rig_v3(r, "angular_velocity", rig_vector());
    return rig_build(r)->node;
}

static inline void rig_start(rig *r) {
    r->model = ts_model_new();
    r->A = rig_body(r), r->B = rig_body(r);
}

/* A joint between A and B with an axis (universal: two). */
static inline int rig_add_joint(rig *r, const char *name) {
    v3 axis = v3_normalize(rig_vector());
    rig_kind(r, "joints", name);
    rig_nodes(r, "bodies", r->A, r->B);
    rig_v3(r, "at", rig_vector());
    rig_v3(r, "axis", axis);
    if (strcmp(name, "universal") == 0)
        rig_v3(r, "axis_b", v3_normalize(v3_cross(axis, rig_vector())));
    if (strcmp(name, "screw") == 0) rig_number(r, "pitch", 0.2);
    rig_build(r);
    return r->model->parts_count - 1;
}

static inline void rig_end(rig *r) { ts_model_free(r->model); }

/* ---- states: three numbers per slot of the model ---- */

static inline void rig_place(const rig *r, double *q, int node, v3 x, m3 D) {
    double *slot = q + 3 * r->model->nodes[node].slot;
    v3_store(slot, x), m3_store(slot + 3, D);
}

static inline void rig_move(const rig *r, const double *q, double *v, int node, v3 xdot, v3 omega) {
    int first = 3 * r->model->nodes[node].slot;
    v3_store(v + first, xdot);
    for (int k = 3; k < 12; k += 3)
        v3_store(v + first + k, v3_cross(omega, v3_load(q + first + k)));
}

static inline void rig_initial(const rig *r, double *q, double *v) {
    for (int n = 0; n < r->model->nodes_count; n++) {
        const ts_node *node = &r->model->nodes[n];
        rig_place(r, q, n, node->x, node->D);
        rig_move(r, q, v, n, node->velocity, node->omega);
    }
}

/* The slot of the model behind a local slot. */
static inline v3 rig_own_slot(const rig *r, const int *nodes, const double *q, int local) {
    for (;; nodes++) {
        const ts_node *node = &r->model->nodes[*nodes];
        if (local < node->slots) return v3_load(q + 3 * (node->slot + local));
        local -= node->slots;
    }
}

/* What a local slot of a site stands for: a slot of the model or, of a site with interpolated
 * vectors, the vector that it has in its place. */
static inline v3 rig_slot(const rig *r, const int *nodes, const double *q, int local) {
    for (int i = 0; i < r->model->sites_count; i++) {
        const ts_site *site = &r->model->sites[i];
        if (site->interpolation < 0 || &r->model->site_nodes[site->node] != nodes) continue;
        const double *N = r->model->interpolation + site->interpolation + local * site->ambient;
        v3 sum = {0, 0, 0};
        for (int s = 0; s < site->ambient; s++)
            sum = v3_axpy(N[s], rig_own_slot(r, nodes, q, s), sum);
        return sum;
    }
    return rig_own_slot(r, nodes, q, local);
}

/* sum w q_a . v_b + sum g . q_a + c: with v = q the form's value; of a rate row, its value at (q,
 * v) */
static inline double rig_form(const rig *r, const int *nodes, int form, const double *q,
                              const double *v) {
    const ts_form *f = &r->model->forms[form];
    double sum = f->c;
    for (int k = f->pair; k < f->pair + f->pairs; k++) {
        const ts_pair *p = &r->model->pairs[k];
        sum += p->w * v3_dot(rig_slot(r, nodes, q, p->a), rig_slot(r, nodes, v, p->b));
    }
    for (int k = f->linear; k < f->linear + f->linears; k++) {
        const ts_linear *l = &r->model->linears[k];
        sum += v3_dot(l->g, rig_slot(r, nodes, q, l->a));
    }
    return sum;
}

/* The rate of a form: its gradient at q times v. */
static inline double rig_form_rate(const rig *r, const int *nodes, int form, const double *q,
                                   const double *v) {
    const ts_form *f = &r->model->forms[form];
    double sum = 0;
    for (int k = f->pair; k < f->pair + f->pairs; k++) {
        const ts_pair *p = &r->model->pairs[k];
        sum += p->w * (v3_dot(rig_slot(r, nodes, q, p->a), rig_slot(r, nodes, v, p->b)) +
                       v3_dot(rig_slot(r, nodes, v, p->a), rig_slot(r, nodes, q, p->b)));
    }
    for (int k = f->linear; k < f->linear + f->linears; k++) {
        const ts_linear *l = &r->model->linears[k];
        sum += v3_dot(l->g, rig_slot(r, nodes, v, l->a));
    }
    return sum;
}

static inline const int *rig_site_nodes(const rig *r, const ts_site *site) {
    return &r->model->site_nodes[site->node];
}

static inline void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g (%.2g off)", a, b, a - b);
}

#endif
