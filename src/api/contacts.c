/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of shapes that touch: of a run as it stands, and of a stored state. */
#include <stdlib.h>

#include "api/api.h"
#include "api/opened.h"
#include "base/error.h"
#include "contact/heft.h"
#include "output/told_pairs.h"
#include "results/cell_values.h"
#include "results/contents.h"
#include "results/geometry.h"

static void tell(const ts_touched *p, torsor_contact *out) {
    out->gap = p->gap, out->stored = p->stored, out->pressing = p->pressed;
    v3_store(out->at, p->at), v3_store(out->normal, p->along);
    v3_store(out->friction, p->rubbed), v3_store(out->force, ts_touched_force(p));
    out->stuck = ts_touched_grasp(p) == TS_GRASP_STICKS;
}

/* ---- a run ---- */

int torsor_run_contacts(const torsor_run *run) {
    return run ? run->system->state.touching.count : 0;
}

int torsor_run_contact(const torsor_run *run, int i, torsor_contact *out) {
    if (!run || !out) return ts_null_argument("torsor_run_contact");
    const ts_touching *list = &run->system->state.touching;
    if (i < 0 || i >= list->count) return ts_out_of_range("contact", i, list->count);
    const ts_model *model = run->document->model;
    const ts_pair_key *key = &list->pair[i].key;
    *out = (torsor_contact){.contact = model->parts[model->contacts[key->contact].part].name,
                            .shape_a = model->parts[model->shapes[key->shape[0]].part].name,
                            .shape_b = model->parts[model->shapes[key->shape[1]].part].name};
    tell(&list->pair[i], out);
    return 0;
}

int torsor_run_impacts(const torsor_run *run) {
    return run ? run->document->model->contacts_count : 0;
}

int torsor_run_impact(const torsor_run *run, int i, torsor_impact *out) {
    if (!run || !out) return ts_null_argument("torsor_run_impact");
    const ts_model *model = run->document->model;
    if (i < 0 || i >= model->contacts_count)
        return ts_out_of_range("contact", i, model->contacts_count);
    const ts_state *state = &run->system->state;
    ts_heft heft = ts_heft_of(model, i, state->q, state->v);
    ts_impact impact = ts_heft_impact(model, i, &heft);
    *out = (torsor_impact){.contact = model->parts[model->contacts[i].part].name,
                           .mass = heft.mass,
                           .speed = heft.speed,
                           .stiffness = impact.stiffness,
                           .duration = impact.duration,
                           .depth = impact.depth,
                           .sinks = impact.sinks};
    return 0;
}

/* ---- results ---- */

/* Names of contacts and shapes, once. */
static int read_names(torsor_results *r) {
    ts_told_contacts *c = &r->contacts;
    ts_records nodes;
    ts_geometry g;
    if (c->known) return 0;
    int status = ts_results_table(r->file, TS_NODES_TABLE, &nodes);
    if (!status) status = ts_results_table(r->file, TS_CONTACTS_TABLE, &c->contacts);
    if (!status)
        status = ts_geometry_read(&g, r->file->file, nodes.rows, ts_cell_stations_of(r->file));
    ts_records_clear(&nodes);
    if (status) return ts_fail(TORSOR_EIO, "cannot read %s: %s", r->path, ts_error_message());
    c->shapes = g.skins.shapes, g.skins.shapes.cells = NULL;
    c->known = true;
    ts_geometry_clear(&g);
    return 0;
}

static int read_pairs(torsor_results *r, int64_t frame) {
    ts_told_contacts *c = &r->contacts;
    int64_t numbers; /* none: of an older file, or where none can touch */
    double *row;
    int status = ts_results_pairs(r->file, frame, &numbers, &row);
    int64_t count = status ? 0 : ts_told_pairs(row, numbers, c->contacts.rows, c->shapes.rows);
    if (count < 0)
        status = ts_fail(TORSOR_EIO, "%s: at state %lld more pairs touch than there was room for",
                         r->path, (long long)frame);
    if (!status && count > 0) c->pair = ts_calloc((size_t)count, sizeof *c->pair);
    for (int64_t k = 0; k < count && !status; k++) c->pair[c->count++] = ts_told_pair(row, k);
    free(row);
    return status;
}

int ts_api_results_contacts(torsor_results *r, int64_t frame, int *count) {
    if (!r || !count) return ts_null_argument("torsor_results_contacts");
    int64_t frames = torsor_results_frames(r);
    *count = 0;
    if (frame < 0 || frame >= frames)
        return ts_fail(TORSOR_EINVAL, "%s has %lld stored states, but none with number %lld",
                       r->path, (long long)frames, (long long)frame);
    free(r->contacts.pair), r->contacts.pair = NULL, r->contacts.count = 0;
    ts_lock_libraries();
    int status = read_names(r);
    if (!status) status = read_pairs(r, frame);
    ts_unlock_libraries();
    *count = r->contacts.count;
    return status;
}

int torsor_results_contact(const torsor_results *r, int i, torsor_contact *out) {
    if (!r || !out) return ts_null_argument("torsor_results_contact");
    const ts_told_contacts *c = &r->contacts;
    if (i < 0 || i >= c->count) return ts_out_of_range("contact", i, c->count);
    const ts_pair_key *key = &c->pair[i].key;
    *out = (torsor_contact){.contact = ts_record(&c->contacts, key->contact)[TS_CONTACT_PART].text,
                            .shape_a = ts_record(&c->shapes, key->shape[0])[TS_SKIN_PART].text,
                            .shape_b = ts_record(&c->shapes, key->shape[1])[TS_SKIN_PART].text};
    tell(&c->pair[i], out);
    return 0;
}
