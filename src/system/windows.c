/* SPDX-License-Identifier: Apache-2.0 */
/* Windows: the elements of a chain that the sites of a sliding part use.
 *
 * A site has room for few nodes. So each site of a sliding part (ts_slide in model.h) has several
 * windows, each with some neighbouring elements of the chain, and the sites of the system's own
 * model (switches.c) use one of them. Its number is part of the state's memory, so that a state is
 * complete; the window changes at the end of a step, if the next step seems to leave it. A step
 * that ends beyond its window is refused, and halved.
 */
#include <math.h>

#include "system/system.h"

/* In elements: nearer to the end of its window than that, a site gets another window. */
static const double MARGIN = 0.1;

static double place_of(const ts_model *model, const ts_slide *slide, const double *q) {
    return q[3 * model->nodes[slide->node].slot];
}

static int window_of(const ts_slide *slide, const double *memory) {
    return slide->drawn + (int)memory[slide->memory];
}

static double bound(const ts_model *model, const ts_slide *slide, int i) {
    return model->numbers[slide->bounds + i];
}

static bool put(ts_site *site, const ts_window *w) {
    if (site->form == w->form) return false;
    site->node = w->node, site->nodes = w->nodes;
    site->ambient = w->ambient, site->slots = w->slots;
    site->form = w->form, site->forms = w->forms, site->data = w->data;
    return true;
}

bool ts_windows_follow(ts_system *system) {
    const ts_model *model = system->model;
    bool changed = false;
    for (int i = 0; i < model->slides_count; i++) {
        const ts_slide *slide = &model->slides[i];
        if (!slide->windows) continue;
        const ts_window *w = model->windows + slide->first + window_of(slide, system->state.memory);
        int site = model->parts[slide->part].site;
        for (int k = 0; k < slide->sites; k++)
            changed |= put(ts_view_site(system, site + k), w + k * slide->windows);
    }
    return changed;
}

/* Does a window cover the path from a to b, and a margin beyond? Nothing lies beyond the ends of
 * the path. */
static bool covers(const ts_model *model, const ts_slide *slide, int w, double a, double b) {
    double low = bound(model, slide, w), high = bound(model, slide, w + slide->per);
    double margin = MARGIN * (high - low) / slide->per;
    return (w == 0 || fmin(a, b) > low + margin) &&
           (w == slide->windows - 1 || fmax(a, b) < high - margin);
}

/* The window centred at the middle of a and b. */
static int centred(const ts_model *model, const ts_slide *slide, double a, double b) {
    int w = 0;
    while (w + 1 < slide->windows &&
           a + b > bound(model, slide, w + 1) + bound(model, slide, w + slide->per))
        w++;
    return w;
}

void ts_windows_note(const ts_model *model, const double *q, const double *v, double h,
                     double *memory) {
    for (int i = 0; i < model->slides_count; i++) {
        const ts_slide *slide = &model->slides[i];
        if (slide->windows < 2) continue;
        double s = place_of(model, slide, q), next = s + h * place_of(model, slide, v);
        int now = window_of(slide, memory);
        if (covers(model, slide, now, s, next)) continue;
        int w = centred(model, slide, s, next);
        if (!covers(model, slide, w, s, s)) w = centred(model, slide, s, s);
        memory[slide->memory] = w - slide->drawn;
    }
}

static bool beyond(const ts_model *model, const ts_slide *slide, const double *memory, double s) {
    int w = window_of(slide, memory), last = slide->windows - 1;
    return (w > 0 && s < bound(model, slide, w)) ||
           (w < last && s > bound(model, slide, w + slide->per));
}

bool ts_windows_left(const ts_model *model, const double *q, const double *memory) {
    for (int i = 0; i < model->slides_count; i++) {
        const ts_slide *slide = &model->slides[i];
        if (slide->windows > 1 && beyond(model, slide, memory, place_of(model, slide, q)))
            return true;
    }
    return false;
}

bool ts_windows_ahead(const ts_model *model, const double *q, const double *v, double h,
                      const double *memory) {
    for (int i = 0; i < model->slides_count; i++) {
        const ts_slide *slide = &model->slides[i];
        double s = place_of(model, slide, q) + h * place_of(model, slide, v);
        if (slide->windows > 1 && beyond(model, slide, memory, s)) return true;
    }
    return false;
}

int ts_slid_off(const ts_model *model, const double *q) {
    for (int i = 0; i < model->slides_count; i++) {
        const ts_slide *slide = &model->slides[i];
        double s = place_of(model, slide, q), length = slide->high - slide->low;
        double little = isfinite(length) ? 1e-9 * length : 0;
        if (slide->closed || (s >= slide->low - little && s <= slide->high + little)) continue;
        const ts_site *site = &model->sites[model->parts[slide->part].site];
        if (site->role == TS_ROLE_LAW || !model->rows[site->row].off) return i;
    }
    return -1;
}
