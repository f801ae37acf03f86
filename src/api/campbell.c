/* SPDX-License-Identifier: Apache-2.0 */
/* Campbell diagrams: modes at several speeds of rotation, from rest to the spin of the options,
 * joined to curves by their shapes (modes/follow.c). */
#include <stdlib.h>

#include "api/modes.h"
#include "base/error.h"

enum { USUAL = 21 };

struct torsor_campbell {
    ts_handle head;
    int speeds, curves;
    torsor_modes **at;
    int *mode; /* by speed and curve; -1: none */
};

static void take_apart(void *campbell) {
    torsor_campbell *c = campbell;
    for (int s = 0; s < c->speeds && c->at; s++) torsor_modes_free(c->at[s]);
    free(c->at), free(c->mode), free(c);
}

void torsor_campbell_free(torsor_campbell *campbell) {
    if (campbell) ts_pool_free(campbell, take_apart);
}

static int find_all(torsor_campbell *c, const torsor_model *model, const torsor_options *options) {
    int status = 0;
    for (int s = 0; s < c->speeds && !status; s++) {
        char words[80];
        double share = (double)s / (c->speeds - 1);
        snprintf(words, sizeof words, "speed %d of %d", s + 1, c->speeds);
        status = ts_options_tell(options, words, share);
        if (!status) status = ts_modes_at_speed(&c->at[s], model, options, share);
    }
    return status;
}

/* Which curve each mode is on; a mode that follows none begins one. */
static void join(torsor_campbell *c) {
    int all = 0, most = 0;
    for (int s = 0; s < c->speeds; s++) {
        int count = c->at[s]->modes->count;
        all += count, most = count > most ? count : most;
    }
    int *curve = ts_calloc((size_t)all + 1, sizeof *curve);
    int *match = ts_calloc((size_t)most + 1, sizeof *match);
    for (int s = 0, first = 0; s < c->speeds; s++) {
        const ts_modes *now = c->at[s]->modes, *last = s ? c->at[s - 1]->modes : NULL;
        if (last) ts_modes_follow(c->at[s]->run->system, last, now, match);
        for (int i = 0; i < now->count; i++)
            curve[first + i] =
                last && match[i] >= 0 ? curve[first - last->count + match[i]] : c->curves++;
        first += now->count;
    }
    c->mode = ts_calloc((size_t)c->speeds * (size_t)c->curves + 1, sizeof *c->mode);
    for (int k = 0; k < c->speeds * c->curves; k++) c->mode[k] = -1;
    for (int s = 0, first = 0; s < c->speeds; s++) {
        int count = c->at[s]->modes->count;
        for (int i = 0; i < count; i++) c->mode[s * c->curves + curve[first + i]] = i;
        first += count;
    }
    free(curve), free(match);
}

int ts_api_campbell_new(torsor_campbell **out, const torsor_model *model,
                        const torsor_options *options) {
    if (!out || !model) return ts_null_argument("torsor_campbell_new");
    const ts_choices *choices = ts_choices_of(options);
    *out = NULL;
    if (!choices->spun)
        return ts_option_fail("speeds", NULL, "a Campbell diagram needs a speed: give spin too");
    torsor_campbell *c = ts_calloc(1, sizeof *c);
    c->speeds = choices->speeds > 0 ? (int)choices->speeds : USUAL;
    c->at = ts_calloc((size_t)c->speeds, sizeof *c->at);
    int status = find_all(c, model, options);
    if (status)
        torsor_campbell_free(c), c = NULL;
    else
        join(c);
    *out = c;
    return status;
}

int torsor_campbell_speeds(const torsor_campbell *c) { return c ? c->speeds : 0; }
int torsor_campbell_curves(const torsor_campbell *c) { return c ? c->curves : 0; }

const torsor_modes *torsor_campbell_modes(const torsor_campbell *c, int speed) {
    return c && speed >= 0 && speed < c->speeds ? c->at[speed] : NULL;
}

int torsor_campbell_mode(const torsor_campbell *c, int speed, int curve) {
    if (!c || speed < 0 || speed >= c->speeds || curve < 0 || curve >= c->curves) return -1;
    return c->mode[speed * c->curves + curve];
}

int ts_api_campbell_report(const torsor_campbell *c, const char *path) {
    if (!c || !path) return ts_null_argument("torsor_campbell_report");
    const torsor_run *run = c->at[c->speeds - 1]->run;
    const ts_modes **at = ts_calloc((size_t)c->speeds, sizeof *at);
    for (int s = 0; s < c->speeds; s++) at[s] = c->at[s]->modes;
    ts_drawn_modes drawn = {
        .system = run->system, .speeds = c->speeds, .curves = c->curves, .at = at, .mode = c->mode};
    int status = ts_modes_page(run, &drawn, path);
    free(at);
    return status;
}
