/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of the parts that a contact names. A surface is several shapes. */
#include "parts/touch/members.h"

#include "base/error.h"
#include "contact/pair.h"
#include "contact/search/overlap.h"

/* Two shapes without a radius have a direction between them only while they are apart. Planes have
 * a side. */
static bool is_thin(const ts_shape *s) { return !s->plane && !(s->radius > 0); }

int ts_groups_count(const ts_value *groups) {
    int count = 0;
    for (int i = 0; i < groups->count; i++) count += groups->list[i] < 0;
    return count;
}

static void except_parts(ts_model *model, int a, int b) {
    int contact = model->contacts_count - 1;
    for (int i = model->parts[a].data; i < model->shapes_count && model->shapes[i].part == a; i++)
        for (int k = model->parts[b].data; k < model->shapes_count && model->shapes[k].part == b;
             k++)
            ts_model_except(model, contact, i, k);
}

void ts_contact_exceptions(ts_model *model, const ts_value *groups) {
    for (int i = 0; i < groups->count; i++)
        for (int k = i + 1; k < groups->count && groups->list[i] >= 0 && groups->list[k] >= 0; k++)
            except_parts(model, (int)groups->list[i], (int)groups->list[k]);
}

/* ---- shapes that can touch ---- */

static bool moves(const ts_model *model, const ts_shape *s) {
    return s->flexible || !model->nodes[s->node].fixed;
}

/* Can two shapes touch? One of them moves, and they do not belong to one body. */
static bool can_touch(const ts_model *model, const ts_membership *a, const ts_membership *b) {
    const ts_shape *A = &model->shapes[a->shape], *B = &model->shapes[b->shape];
    if (A->flexible || B->flexible) return true;
    return A->node != B->node && (moves(model, A) || moves(model, B));
}

static int check_motion(ts_builder *b, int field, bool among) {
    const ts_model *model = b->model;
    int first = model->memberships_count, contact = model->contacts_count - 1;
    while (first > 0 && model->memberships[first - 1].contact == contact) first--;
    for (int i = first; i < model->memberships_count; i++)
        for (int k = first; k < i && (among || model->memberships[i].side == 1); k++) {
            const ts_membership *x = &model->memberships[i], *y = &model->memberships[k];
            if ((among || x->side != y->side) && can_touch(model, x, y)) return 0;
        }
    return ts_build_fail(b, field, "put one of them on another body",
                         "none of these shapes ever moves against another: they are on one body, "
                         "or on the ground");
}

int ts_contact_members(ts_builder *b, const ts_value *parts, int field, bool among) {
    ts_model *model = b->model;
    int contact = model->contacts_count - 1, thin = 0, group = 0;
    for (int i = 0; i < parts->count; i++) {
        int part = (int)parts->list[i], first = part < 0 ? 0 : model->parts[part].data;
        if (part < 0) {
            group++;
            continue;
        }
        thin += first < model->shapes_count && is_thin(&model->shapes[first]);
        for (int s = first; s < model->shapes_count && model->shapes[s].part == part; s++)
            ts_model_touches(model, s, contact, among ? 0 : group);
    }
    if (thin < 2) return check_motion(b, field, among);
    return ts_build_fail(b, field, "give one of them a thickness",
                         "two shapes without thickness cannot touch each other");
}

int ts_contact_check_meeting(ts_builder *b, int field, bool spread) {
    if (ts_contact_meets(b->model, b->model->contacts_count - 1, spread, false)) return 0;
    return ts_build_fail(b, field,
                         spread
                             ? "give a `stiffness`; areas and lengths are those of skins and "
                               "lines; planes and surfaces have no points, use hulls or boxes"
                             : "planes, surfaces, sockets and holes have no points to touch each "
                               "other with: use hulls, boxes or skins; see also `except`",
                         "no two of these shapes can ever touch");
}

bool ts_touches_itself(const ts_model *model, const ts_value *parts) {
    if (parts->count != 2) return false; /* one, and the end of its group */
    int shape = model->parts[(int)parts->list[0]].data;
    return shape < model->shapes_count && model->shapes[shape].apart > 0;
}

void ts_contact_acts_from(ts_model *model, double distance) {
    for (int i = 0; i < model->memberships_count; i++) {
        if (model->memberships[i].contact != model->contacts_count - 1) continue;
        ts_shape *shape = &model->shapes[model->memberships[i].shape];
        shape->ahead = fmax(shape->ahead, distance);
    }
}

/* ---- overlaps ---- */

static const double DEEP = 0.1; /* of the radii */

static const char *name_of(const ts_model *model, int shape) {
    return model->parts[model->shapes[shape].part].name;
}

/* Is an overlap deep? For a barrier, relative to the remaining reach. */
static bool is_deep(const ts_model *model, const ts_overlap *x, ts_contact_begin how) {
    double reach = ts_contact_distance(model, x->key.contact);
    if (reach > 0) return how != TS_BEGIN_SHIFT && x->depth > (1 - DEEP) * reach;
    return how == TS_BEGIN_REFUSE && x->depth > DEEP * x->radius && x->radius > 0;
}

static int refuse(ts_builder *b, int field, const ts_overlap *x) {
    const char *A = name_of(b->model, x->key.shape[0]), *B = name_of(b->model, x->key.shape[1]);
    if (x->met)
        return ts_build_fail(b, field, "draw them further apart",
                             "'%.60s' and '%.60s' are inside each other as drawn", A, B);
    if (ts_contact_distance(b->model, x->key.contact) > 0)
        return ts_build_fail(b, field, "draw them further apart, or write `initial: shift`",
                             "'%.60s' and '%.60s' are %.3g m within the distance of their barrier "
                             "as drawn, more than 0.9 of it",
                             A, B, x->depth);
    return ts_build_fail(b, field,
                         "draw them further apart, or write `initial: shift`, or `initial: accept`",
                         "'%.60s' and '%.60s' overlap as drawn by %.3g m, %.3g of their radius", A,
                         B, x->depth, x->depth / x->radius);
}

int ts_contact_initial(ts_builder *b, int field, ts_contact_begin how) {
    ts_model *model = b->model;
    ts_overlaps list;
    ts_overlaps_find(model, model->contacts_count - 1, &list);
    const ts_overlap *worst = ts_overlaps_worst(&list);
    int status = 0;
    if (worst && (worst->met || is_deep(model, worst, how))) status = refuse(b, field, worst);
    for (int i = 0; i < list.count && how == TS_BEGIN_SHIFT && !status; i++) {
        const ts_pair_key *k = &list.item[i].key;
        ts_model_shift(
            model,
            (ts_shift){k->contact, {k->shape[0], k->shape[1]}, k->corner, list.item[i].depth});
    }
    ts_overlaps_clear(&list);
    return status;
}
