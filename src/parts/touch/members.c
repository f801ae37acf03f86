/* Shapes of the parts that a contact names. A surface is several shapes. */
#include "parts/touch/members.h"

#include "base/error.h"

/* Two shapes without a radius are apart as long as there is a distance, and have no direction to
 * part where there is none. Planes have a side. */
static bool is_thin(const ts_shape *s) { return !s->plane && !(s->radius > 0); }

int ts_contact_members(ts_builder *b, const ts_value *parts, int field, bool among) {
    ts_model *model = b->model;
    int contact = model->contacts_count - 1, thin = 0;
    for (int i = 0; i < parts->count; i++) {
        int part = (int)parts->list[i], first = model->parts[part].data;
        thin += first < model->shapes_count && is_thin(&model->shapes[first]);
        for (int s = first; s < model->shapes_count && model->shapes[s].part == part; s++)
            ts_model_touches(model, s, contact, among ? 0 : i);
    }
    if (thin < 2) return 0;
    return ts_build_fail(b, field, "give one of them a thickness",
                         "two shapes without thickness cannot touch each other");
}

bool ts_touches_itself(const ts_model *model, const ts_value *parts) {
    if (parts->count != 1) return false;
    int shape = model->parts[(int)parts->list[0]].data;
    return shape < model->shapes_count && model->shapes[shape].apart > 0;
}
