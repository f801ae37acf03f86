/* SPDX-License-Identifier: Apache-2.0 */
/* Modes for programs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/modes.h"
#include "base/error.h"
#include "picture/page_frame.h"
#include "results/modes.h"

extern const char ts_modes_page_text[];

enum { USUAL = 10, MOST = 1000000 };

static int check(const torsor_modal_options *o) {
    double spin = fabs(o->spin[0]) + fabs(o->spin[1]) + fabs(o->spin[2]);
    if (o->modes < 0 || o->modes > MOST)
        return ts_fail(TORSOR_EINVAL, "expected 1 to %d modes", MOST);
    if (!isfinite(spin) || !isfinite(o->about[0] + o->about[1] + o->about[2]))
        return ts_fail(TORSOR_EINVAL, "spin and about: expected finite numbers");
    if (o->buckling && (spin > 0 || o->as_drawn))
        return ts_fail(TORSOR_EINVAL, "buckling is computed for the model as drawn, at rest: do "
                                      "not give a rotation or as_drawn");
    return 0;
}

static int find(torsor_modes *m, const torsor_modal_options *o) {
    const ts_options *options = &m->run->document->options;
    ts_modal_options modal = {.modes = o->modes ? o->modes : USUAL,
                              .spin = v3_load(o->spin),
                              .about = v3_load(o->about),
                              .as_drawn = o->as_drawn};
    ts_lock_libraries();
    int status = o->buckling ? ts_buckling_find(&m->modes, m->run->system, options, &modal)
                             : ts_modes_find(&m->modes, m->run->system, options, &modal);
    ts_unlock_libraries();
    return status;
}

static int find_place(const ts_document *d, const char *name, double out[3]) {
    char names[300] = "";
    for (int i = 0; i < d->place_count; i++) {
        if (strcmp(d->places[i].name, name) == 0) {
            v3_store(out, d->places[i].x);
            return 0;
        }
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", d->places[i].name);
    }
    return ts_option_fail("about", name, "the model has no point of this name; it has %s",
                          d->place_count ? names : "none; give three numbers, \"[x, y, z]\"");
}

/* `about`: a point of the model, or NULL. */
static int make(torsor_modes **out, const torsor_model *model, torsor_modal_options o,
                const char *about) {
    ts_document *document;
    *out = NULL;
    int status = check(&o);
    if (!status) status = ts_model_document(&document, model);
    if (status) return status;
    if (about && (status = find_place(document, about, o.about))) {
        ts_document_free(document);
        return status;
    }
    if (o.as_drawn || o.buckling) document->options.settle = 0;
    torsor_modes *m = ts_calloc(1, sizeof *m);
    m->buckling = o.buckling;
    status = ts_run_from_document(&m->run, document);
    if (!status) status = find(m, &o);
    if (status) torsor_modes_free(m), m = NULL;
    *out = m;
    return status;
}

int ts_api_modes_new(torsor_modes **out, const torsor_model *model,
                     const torsor_modal_options *options) {
    if (!out || !model) return ts_null_argument("torsor_modes_new");
    return make(out, model, options ? *options : (torsor_modal_options){0}, NULL);
}

int ts_modes_at_speed(torsor_modes **out, const torsor_model *model, const torsor_options *options,
                      double share) {
    const ts_choices *c = ts_choices_of(options);
    torsor_modal_options o = {.modes = c->modes > 0 ? (int)c->modes : 0,
                              .as_drawn = c->as_drawn,
                              .buckling = c->buckling};
    *out = NULL;
    if (c->buckling && (c->spun || c->as_drawn))
        return ts_fail(
            TORSOR_EOPTION,
            "buckling is computed for the model as drawn, at rest: do not give spin or as_drawn");
    if (c->placed && !c->spun)
        return ts_locate(
            ts_fail(TORSOR_EOPTION, "about gives the axis of a rotation: give spin too"), "about",
            0, 0, NULL);
    for (int k = 0; k < 3; k++) o.spin[k] = share * c->spin[k];
    memcpy(o.about, c->about, sizeof o.about);
    return make(out, model, o, c->about_name);
}

int ts_api_modes_find(torsor_modes **out, const torsor_model *model,
                      const torsor_options *options) {
    if (!out || !model) return ts_null_argument("torsor_modes_find");
    return ts_modes_at_speed(out, model, options, 1);
}

static void take_apart(void *modes) {
    torsor_modes *m = modes;
    ts_modes_free(m->modes);
    torsor_run_free(m->run);
    free(m);
}

void torsor_modes_free(torsor_modes *modes) {
    if (!modes) return;
    ts_pool_free(modes, take_apart);
}

int torsor_modes_count(const torsor_modes *m) { return m ? m->modes->count : 0; }
bool torsor_modes_settled(const torsor_modes *m) { return m && m->modes->settled; }
double torsor_modes_imbalance(const torsor_modes *m) { return m ? m->modes->imbalance : NAN; }
const torsor_run *torsor_modes_run(const torsor_modes *m) { return m ? m->run : NULL; }

int ts_api_modes_get(const torsor_modes *m, int i, torsor_mode *out) {
    if (!m || !out) return ts_null_argument("torsor_modes_get");
    const ts_modes *all = m->modes;
    if (i < 0 || i >= all->count) return ts_out_of_range("mode", i, all->count);
    const ts_mode *mode = &all->mode[i];
    ts_mode_hint hint = ts_mode_explain(m->run->system, all, i);
    size_t at = (size_t)i * (size_t)all->nodes * 6;
    *out = (torsor_mode){.frequency = mode->frequency,
                         .growth = mode->growth,
                         .damping = mode->damping,
                         .factor = mode->factor,
                         .rigid = mode->rigid,
                         .part = m->run->document->model->parts[hint.part].name,
                         .share = hint.share,
                         .axis = hint.axis,
                         .share_of_axis = hint.in_axis,
                         .shape = all->shape + at,
                         .shape_early = all->quarter ? all->quarter + at : NULL};
    return 0;
}

int torsor_modes_effective_mass(const torsor_modes *m, int i, double out[3]) {
    if (!m || !out) return ts_null_argument("torsor_modes_effective_mass");
    if (i < 0 || i >= m->modes->count) return ts_out_of_range("mode", i, m->modes->count);
    v3_store(out, m->modes->mode[i].effective);
    return 0;
}

int torsor_modes_free_motions(const torsor_modes *m) { return m ? m->modes->free_motions : 0; }

int ts_api_modes_free_words(const torsor_modes *m, int i, char **out) {
    if (!m || !out) return ts_null_argument("torsor_modes_free_words");
    *out = NULL;
    if (i < 0 || i >= m->modes->count) return ts_out_of_range("mode", i, m->modes->count);
    char words[400] = "";
    if (m->modes->mode[i].rigid)
        ts_mode_free_words(m->run->system, m->modes, i, words, sizeof words);
    *out = ts_give(ts_strdup(words));
    return 0;
}

double torsor_modes_mass(const torsor_modes *m) { return m ? m->modes->mass : NAN; }

int torsor_modes_whirl(const torsor_modes *m, int i, int *way, double *omega) {
    if (!m || !way || !omega) return ts_null_argument("torsor_modes_whirl");
    if (i < 0 || i >= m->modes->count) return ts_out_of_range("mode", i, m->modes->count);
    ts_whirl whirl = ts_mode_whirl(m->run->system, m->modes, i);
    *way = (whirl.way == TS_FORWARD_WHIRL) - (whirl.way == TS_BACKWARD_WHIRL);
    *omega = whirl.frequency;
    return 0;
}

void torsor_modes_rotation(const torsor_modes *m, double spin[3], double about[3]) {
    if (!m || !spin || !about) return;
    v3_store(spin, m->modes->spin), v3_store(about, m->modes->about);
}

int ts_api_modes_write(const torsor_modes *m, const char *path) {
    if (!m || !path) return ts_null_argument("torsor_modes_write");
    ts_lock_libraries();
    int status = ts_results_modes(path, m->run->document, m->run->system, m->modes, m->buckling);
    ts_unlock_libraries();
    return status;
}

/* ---- the page ---- */

typedef struct modes_order {
    const torsor_run *run;
    const ts_drawn_modes *drawn;
} modes_order;

static int put_modes(FILE *out, const void *context) {
    const modes_order *o = context;
    return ts_scene_write(o->run, o->drawn, out);
}

int ts_modes_page(const torsor_run *run, const ts_drawn_modes *drawn, const char *path) {
    modes_order order = {run, drawn};
    ts_page_frame frame = {ts_modes_page_text, "modes", put_modes, &order};
    return ts_page_frame_write(&frame, path, 0, NULL);
}

int ts_api_modes_report(const torsor_modes *m, const char *path) {
    if (!m || !path) return ts_null_argument("torsor_modes_report");
    const ts_modes *at[] = {m->modes};
    ts_drawn_modes drawn = {
        .system = m->run->system, .buckling = m->buckling, .speeds = 1, .at = at};
    return ts_modes_page(m->run, &drawn, path);
}
