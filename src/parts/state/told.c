/* SPDX-License-Identifier: Apache-2.0 */
/* Forces that read the forces of others: the pull of a spring, the torque of a motor, the reaction
 * of a joint along an axis of the ground or about it. The site that reads gets the forms of the
 * sites that are read, and other data for laws/state/told.c.
 *
 * The force on the place x of a node, along n, is minus the sum of weights times n . de/dx. With
 * e = sum w q_a . q_b + sum g . q_a this derivative is a linear form of the other slots: a factor.
 * Of a rate form w q_a . v_b it is that by v_b.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "laws/state/told.h"
#include "parts/parts.h"
#include "parts/state/plan.h"

/* ---- parts that act along a coordinate ---- */

bool ts_acts_along(const ts_model *model, int part, ts_way_kind *way) {
    const ts_part *p = &model->parts[part];
    bool length = ts_kind_has_length(p->kind);
    if ((!length && p->along == 0) || p->sites == 0) return false;
    if (model->sites[p->site].role != TS_ROLE_LAW) return false; /* by a row: gears, motions */
    *way = length                                   ? TS_WAY_LENGTH
           : model->coordinates[p->along - 1].angle ? TS_WAY_ANGLE
                                                    : TS_WAY_LINEAR;
    for (int s = p->site; s < p->site + p->sites; s++)
        if (ts_is_force_site(model, s)) return true;
    return false;
}

int ts_holding_row(const ts_model *model, int part, ts_way_kind *way) {
    const ts_part *p = &model->parts[part];
    if (p->along == 0 || p->sites == 0 || model->sites[p->site].role != TS_ROLE_ROWS) return -1;
    int row = model->sites[p->site].row;
    *way = model->coordinates[p->along - 1].angle ? TS_WAY_ANGLE : TS_WAY_LINEAR;
    return model->rows[row].drive ? -1 : row;
}

bool ts_pulls(const ts_kind *kind) { return strcmp(kind->section, "springs") == 0; }

double ts_tiny_length(const ts_model *model, int of) {
    const ts_part *part = &model->parts[of];
    const ts_node *A = &model->nodes[part->nodeA], *B = &model->nodes[part->nodeB];
    v3 a = v3_add(A->x, m3_apply(A->D, part->pointA)),
       b = v3_add(B->x, m3_apply(B->D, part->pointB));
    double drawn = v3_norm(v3_sub(b, a));
    return 1e-8 * (drawn > 0 ? drawn : 1);
}

/* ---- sources ---- */

static bool has_multipliers(const ts_site *site) {
    return site->role == TS_ROLE_RATES || (site->role == TS_ROLE_ROWS && !site->rowlaw);
}

/* ---- equal forms ---- */

static bool same_form(const ts_model *model, const ts_form *a, const ts_form *b) {
    if (a->pairs != b->pairs || a->linears != b->linears || a->c != b->c) return false;
    for (int i = 0; i < a->pairs; i++) {
        ts_pair x = model->pairs[a->pair + i], y = model->pairs[b->pair + i];
        if (x.a != y.a || x.b != y.b || x.w != y.w) return false;
    }
    for (int i = 0; i < a->linears; i++) {
        ts_linear x = model->linears[a->linear + i], y = model->linears[b->linear + i];
        if (x.a != y.a || v3_norm(v3_sub(x.g, y.g)) != 0) return false;
    }
    return true;
}

/* Rows of one joint along a path have the same forms, and other weights of them. */
static bool same_forms(const ts_model *model, const ts_site *a, const ts_site *b) {
    bool same = a->nodes == b->nodes && a->forms == b->forms && a->interpolation < 0 &&
                b->interpolation < 0;
    for (int i = 0; i < a->nodes && same; i++)
        same = model->site_nodes[a->node + i] == model->site_nodes[b->node + i];
    for (int f = 0; f < a->forms && same; f++)
        same = same_form(model, &model->forms[a->form + f], &model->forms[b->form + f]);
    return same;
}

static int like_which(const ts_plan *p, const ts_site *site) {
    for (int i = 0; i < p->sources; i++)
        if (p->source[i].like == i && p->source[i].forms > 0 &&
            same_forms(p->model, &p->model->sites[p->source[i].site], site))
            return i;
    return p->sources;
}

/* Its number among the sources; -1: it does not fit. */
static int add_source(ts_plan *p, int index) {
    const ts_model *model = p->model;
    const ts_site site = model->sites[index];
    for (int i = 0; i < p->sources; i++)
        if (p->source[i].site == index) return i;
    for (int i = 0; i < site.nodes; i++)
        if (!ts_plan_node(p, model->site_nodes[site.node + i])) return -1;
    if (site.reads > 0 && ts_plan_row(p, site.read) < 0) return -1;
    if (site.rows > 0 && ts_plan_row(p, site.row) < 0) return -1;
    if (p->sources == TS_MAX_FORMS) return ts_plan_too_much(p, "sites", TS_MAX_FORMS) - 1;
    p->needs_slots |= site.interpolation < 0;
    int like = has_multipliers(&site) ? p->sources : like_which(p, &site);
    bool copied = like == p->sources && !has_multipliers(&site);
    p->source[p->sources] = (ts_source){.site = index,
                                        .forms = copied ? site.forms : 0,
                                        .like = like,
                                        .vectors = site.interpolation < 0 ? 0 : site.slots};
    return p->sources++;
}

/* ---- factors ---- */

/* The slots or vectors of a source that depend on one slot of a node, each with its weight. */
static int slots_of(const ts_model *model, const ts_site *site, int node, int by, int *slot,
                    double *N) {
    int first = 0, count = 0, i = 0;
    while (i < site->nodes && model->site_nodes[site->node + i] != node)
        first += model->nodes[model->site_nodes[site->node + i++]].slots;
    if (i == site->nodes || by >= model->nodes[node].slots) return 0;
    first += by;
    if (site->interpolation < 0) {
        slot[0] = first, N[0] = 1;
        return 1;
    }
    for (int z = 0; z < site->slots; z++) {
        double weight = model->interpolation[site->interpolation + z * site->ambient + first];
        if (weight != 0) slot[count] = z, N[count++] = weight;
    }
    return count;
}

/* Terms of the derivative of a form: a constant vector, and slots with their weights. */
typedef struct derivative {
    int terms, slot[4 * TS_MAX_SLOTS];
    double weight[4 * TS_MAX_SLOTS];
    v3 constant;
} derivative;

static void add_term(derivative *d, int slot, double weight) {
    if (d->terms < 4 * TS_MAX_SLOTS) d->slot[d->terms] = slot, d->weight[d->terms++] = weight;
}

/* By one of the slots of a node: 0, its place, or a director. */
static derivative derivative_of(const ts_model *model, const ts_site *site, int form, int node,
                                int by) {
    derivative d = {0};
    int slot[TS_MAX_SLOTS];
    double N[TS_MAX_SLOTS];
    int places = slots_of(model, site, node, by, slot, N);
    const ts_form *f = &model->forms[site->form + form];
    for (int k = 0; k < places; k++) {
        for (int i = f->pair; i < f->pair + f->pairs; i++) {
            ts_pair pair = model->pairs[i];
            if (pair.b == slot[k]) add_term(&d, pair.a, N[k] * pair.w);
            if (pair.a == slot[k] && site->role != TS_ROLE_RATES)
                add_term(&d, pair.b, N[k] * pair.w);
        }
        for (int i = f->linear; i < f->linear + f->linears; i++)
            if (model->linears[i].a == slot[k])
                d.constant = v3_axpy(N[k], model->linears[i].g, d.constant);
    }
    return d;
}

/* ---- moments ----
 *
 * About the point X of a node the form acts with the moment sum d_k x v_k, v_k = de/dd_k - X_k
 * de/dx. All v_k of the forms that joints are made of are multiples c_k of one vector v: the moment
 * is b x v with the arm b = sum c_k d_k. Forms that turn one frame against the other, those of
 * bushings, are e = sum W_kl d_k^B . d_l^A: their moment is sum W_kl d_k^B x d_l^A, in the axes of
 * both frames few terms. */

/* A vector as it depends on the slots: their weights, then the constant. */
enum { DENSE = TS_MAX_SLOTS + 3 };

static void spread_terms(const derivative *d, double times, double *to) {
    for (int k = 0; k < d->terms; k++) to[d->slot[k]] += times * d->weight[k];
    for (int k = 0; k < 3; k++) to[TS_MAX_SLOTS + k] += times * v3_get(d->constant, k);
}

static double size_of(const double *v) {
    double size = 0;
    for (int i = 0; i < DENSE; i++) size = fmax(size, fabs(v[i]));
    return size;
}

/* False: the form has several arms. No arm at all: all c are zero. */
static bool find_arm(const ts_model *model, const ts_site *site, int form, int node, v3 X,
                     double c[3], double *v) {
    double w[3][DENSE] = {{0}}, rest[DENSE], largest = 0;
    int most = 0;
    derivative place = derivative_of(model, site, form, node, 0);
    for (int k = 0; k < 3; k++) {
        derivative turn = derivative_of(model, site, form, node, k + 1);
        spread_terms(&turn, 1, w[k]), spread_terms(&place, -v3_get(X, k), w[k]);
        if (size_of(w[k]) > largest) most = k, largest = size_of(w[k]);
    }
    int at = 0;
    for (int i = 0; i < DENSE; i++)
        if (fabs(w[most][i]) == largest) at = i;
    memcpy(v, w[most], sizeof w[most]);
    for (int k = 0; k < 3; k++) {
        c[k] = largest > 1e-14 ? w[k][at] / v[at] : 0;
        for (int i = 0; i < DENSE; i++) rest[i] = w[k][i] - c[k] * v[i];
        if (size_of(rest) > 1e-12 * fmax(1, largest)) return false;
    }
    return true;
}

static int add_factor(ts_plan *p, ts_factor factor) {
    for (int i = 0; i < p->factors; i++)
        if (memcmp(&p->factor[i], &factor, sizeof factor) == 0) return i;
    if (p->factors == TS_MAX_FORMS) return ts_plan_too_much(p, "values", TS_MAX_FORMS) - 1;
    p->factor[p->factors] = factor;
    return p->factors++;
}

/* ---- entries ---- */

static bool add_entry(ts_plan *p, ts_entry_plan entry) {
    if (p->told == TS_MOST_TOLD) return ts_plan_too_much(p, "forces", TS_MOST_TOLD);
    p->entry[p->told++] = entry;
    return true;
}

static bool add_along(ts_plan *p, int part, int site, ts_way_kind way) {
    int source = add_source(p, site);
    double tiny = way == TS_WAY_LENGTH ? ts_tiny_length(p->model, part) : 0;
    double sign = ts_pulls(p->model->parts[part].kind) ? 1 : -1;
    return source >= 0 && add_entry(p, (ts_entry_plan){source, 0, -1, -1, sign, way, tiny});
}

static bool add_component(ts_plan *p, int part, int site, int axis) {
    int node = p->model->parts[part].nodeB, source = -1;
    for (int f = 0; f < p->model->sites[site].forms; f++) {
        derivative d = derivative_of(p->model, &p->model->sites[site], f, node, 0);
        if (d.terms == 0 && v3_norm(d.constant) == 0) continue;
        if ((source = add_source(p, site)) < 0) return false;
        int factor = add_factor(p, (ts_factor){p->source[source].like, f, node, axis, TS_BY_PLACE});
        if (factor < 0 ||
            !add_entry(p, (ts_entry_plan){source, f, factor, -1, -1, TS_WAY_LINEAR, 0}))
            return false;
    }
    return true;
}

/* One of both terms of a component of b x v. */
static bool add_lever(ts_plan *p, ts_factor arm, ts_factor on, int weight, double size) {
    p->needs_slots = true;
    int b = add_factor(p, arm), v = b < 0 ? -1 : add_factor(p, on);
    return v >= 0 && add_entry(p, (ts_entry_plan){on.source, weight, b, v, size, TS_WAY_LINEAR, 0});
}

static bool add_cross(ts_plan *p, ts_factor arm, ts_factor on, int weight, double size, int axis) {
    arm.axis = (axis + 1) % 3, on.axis = (axis + 2) % 3;
    if (!add_lever(p, arm, on, weight, -size)) return false;
    arm.axis = (axis + 2) % 3, on.axis = (axis + 1) % 3;
    return add_lever(p, arm, on, weight, size);
}

/* W between the directors of both frames of a part; false: the form has other terms. */
static bool find_turning(const ts_model *model, const ts_site *site, int form, const ts_part *part,
                         m3 *out) {
    derivative place = derivative_of(model, site, form, part->nodeB, 0);
    int found = 0, terms = 0;
    m3 W = {0};
    for (int k = 0; k < 3; k++) {
        derivative turn = derivative_of(model, site, form, part->nodeB, k + 1);
        double w[DENSE] = {0}, N[TS_MAX_SLOTS], by[3] = {0};
        int slot[TS_MAX_SLOTS];
        spread_terms(&turn, 1, w);
        for (int i = 0; i < DENSE; i++) terms += w[i] != 0;
        for (int l = 0; l < 3; l++) {
            if (slots_of(model, site, part->nodeA, l + 1, slot, N) != 1 || N[0] != 1) return false;
            by[l] = w[slot[0]], found += by[l] != 0;
        }
        W.c[k] = v3_load(by);
    }
    for (int k = 0; k < 3; k++) /* W^T here; to axes of the frames */
        out->c[k] = m3_tapply(part->frameA, m3_apply(W, part->frameB.c[k]));
    return found == terms && place.terms == 0 && v3_norm(place.constant) == 0;
}

static bool add_turning(ts_plan *p, const ts_part *part, int site, int form, m3 W, int axis) {
    int source = add_source(p, site);
    bool fits = source >= 0;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3 && fits; l++) {
            ts_factor arm = {source, k, part->nodeB, 0, TS_FRAME_AXIS};
            ts_factor on = {source, l, part->nodeA, 0, TS_FRAME_AXIS};
            double size = v3_get(W.c[k], l);
            if (fabs(size) > 1e-14) fits = add_cross(p, arm, on, form, size, axis);
        }
    return fits;
}

static bool add_one_arm(ts_plan *p, int site, int form, int node, int axis) {
    int source = add_source(p, site);
    ts_factor arm = {source, form, node, 0, TS_ARM}, on = {source, form, node, 0, TS_ON_ARM};
    return source >= 0 && add_cross(p, arm, on, form, 1, axis);
}

static bool add_moment(ts_plan *p, int index, int site, int axis) {
    const ts_part part = p->model->parts[index];
    for (int f = 0; f < p->model->sites[site].forms; f++) {
        double c[3], v[DENSE];
        m3 W;
        const ts_site *of = &p->model->sites[site];
        if (find_arm(p->model, of, f, part.nodeB, part.pointB, c, v)) {
            bool none = c[0] == 0 && c[1] == 0 && c[2] == 0;
            if (!none && !add_one_arm(p, site, f, part.nodeB, axis)) return false;
        } else if (find_turning(p->model, of, f, &part, &W)) {
            if (!add_turning(p, &part, site, f, W, axis)) return false;
        } else {
            snprintf(p->message, p->size, "the moment of '%.60s' cannot be used in expressions",
                     part.name);
            return false;
        }
    }
    return true;
}

int ts_plan_force(ts_plan *p, const ts_measure *m, int *count) {
    const ts_part *part = &p->model->parts[m->source];
    ts_way_kind way = TS_WAY_LINEAR;
    int first = p->told;
    bool fits = m->axis >= 0 || ts_acts_along(p->model, m->source, &way);
    for (int s = part->site; fits && s < part->site + part->sites; s++) {
        if (p->model->sites[s].role == TS_ROLE_LAW && !ts_is_force_site(p->model, s)) continue;
        fits = m->axis < 0   ? add_along(p, m->source, s, way)
               : m->axis < 3 ? add_component(p, m->source, s, m->axis)
                             : add_moment(p, m->source, s, m->axis - 3);
    }
    *count = p->told - first;
    return fits ? first : -1;
}

/* ---- data of the site ---- */

int ts_plan_more_forms(const ts_plan *p) {
    int forms = p->factors;
    for (int i = 0; i < p->sources; i++) forms += p->source[i].forms;
    return forms;
}

int ts_plan_more_vectors(const ts_plan *p) {
    int vectors = 0;
    for (int i = 0; i < p->sources; i++) vectors += p->source[i].vectors;
    return vectors;
}

void ts_plan_told_vectors(const ts_plan *p, double *N) {
    const ts_model *model = p->model;
    for (int i = 0; i < p->sources; i++) {
        const ts_site *site = &model->sites[p->source[i].site];
        int16_t slot[TS_MAX_SLOTS];
        if (p->source[i].vectors == 0) continue;
        ts_plan_slots(p, site->node, site->nodes, slot);
        for (int z = 0; z < site->slots; z++, N += p->slots)
            for (int a = 0; a < site->ambient; a++)
                N[slot[a]] += model->interpolation[site->interpolation + z * site->ambient + a];
    }
}

/* Where the slots or vectors of a source stand in the site. */
static void map_source(const ts_plan *p, int source, int first_vector, int16_t *slot) {
    const ts_site *site = &p->model->sites[p->source[source].site];
    if (p->source[source].vectors == 0) {
        ts_plan_slots(p, site->node, site->nodes, slot);
        return;
    }
    for (int i = 0; i < source; i++) first_vector += p->source[i].vectors;
    for (int z = 0; z < site->slots; z++) slot[z] = (int16_t)(first_vector + z);
}

static void factor_form(const ts_plan *p, const ts_factor *factor, int first_vector) {
    ts_model *model = p->model;
    const ts_site site = model->sites[p->source[factor->source].site];
    const ts_part *part = &model->parts[site.part];
    double c[3], v[DENSE] = {0};
    int16_t slot[TS_MAX_SLOTS];
    v3 axis = v3_axis(factor->axis);
    if (factor->kind == TS_FRAME_AXIS) {
        m3 frame = factor->node == part->nodeB ? part->frameB : part->frameA;
        ts_combo along = ts_combo_direction(ts_plan_side(p, factor->node), frame.c[factor->form]);
        ts_form_component(model, axis, along, 0);
        return;
    }
    derivative by_place = derivative_of(model, &site, factor->form, factor->node, 0);
    if (factor->kind == TS_BY_PLACE)
        spread_terms(&by_place, 1, v);
    else
        find_arm(model, &site, factor->form, factor->node, part->pointB, c, v);
    if (factor->kind == TS_ARM) {
        ts_combo arm = ts_combo_direction(ts_plan_side(p, factor->node), v3_make(c[0], c[1], c[2]));
        ts_form_component(model, axis, arm, 0);
        return;
    }
    map_source(p, factor->source, first_vector, slot);
    ts_form_new(model, v[TS_MAX_SLOTS + factor->axis]);
    for (int k = 0; k < site.slots; k++)
        if (v[k] != 0) ts_form_linear(model, slot[k], v3_scale(v[k], axis));
}

void ts_plan_told_forms(const ts_plan *p, int first_vector) {
    ts_model *model = p->model;
    int16_t slot[TS_MAX_SLOTS];
    for (int i = 0; i < p->sources; i++) {
        map_source(p, i, first_vector, slot);
        for (int f = 0; f < p->source[i].forms; f++) {
            ts_form_new(model, 0);
            ts_form_plus(model, 1, model->sites[p->source[i].site].form + f, slot);
        }
    }
    for (int i = 0; i < p->factors; i++) factor_form(p, &p->factor[i], first_vector);
}

void ts_plan_told_numbers(const ts_plan *p) {
    int factors = p->forms, first[TS_MAX_FORMS];
    for (int i = 0; i < p->sources; i++) {
        int like = p->source[i].like;
        first[i] = like < i ? first[like] : factors;
        factors += p->source[i].forms;
    }
    for (int i = 0; i < p->told; i++) {
        const ts_entry_plan *e = &p->entry[i];
        const ts_source *like = &p->source[p->source[e->source].like];
        const double numbers[TS_TOLD_NUMBERS] = {
            [TS_TOLD_SITE] = p->source[e->source].site,
            [TS_TOLD_SELF] = p->self,
            [TS_TOLD_FORM] = like->forms > 0 ? first[e->source] : -1,
            [TS_TOLD_WEIGHT] = e->weight,
            [TS_TOLD_FACTOR] = e->factor < 0 ? -1 : factors + e->factor,
            [TS_TOLD_SECOND] = e->second < 0 ? -1 : factors + e->second,
            [TS_TOLD_SIGN] = e->sign,
            [TS_TOLD_WAY + TS_WAY_KIND] = e->way,
            [TS_TOLD_WAY + TS_WAY_TINY] = e->tiny};
        for (int k = 0; k < TS_TOLD_NUMBERS; k++) ts_model_number(p->model, numbers[k]);
    }
}
