/* SPDX-License-Identifier: Apache-2.0 */
/* Options over the analysis of a model. See options.h. */
#include <math.h>
#include <string.h>

#include "api/options.h"
#include "base/error.h"

static int override_scheme(ts_options *o, const char *text) {
    ts_scheme_spec given;
    int status = ts_scheme_read(&given, "scheme", text, strlen(text));
    if (status) return status;
    bool same = strcmp(o->scheme, given.scheme->name) == 0 && !ts_parameters_any(&given.parameters);
    if (same) return 0;
    ts_parameters_carry(&given.parameters, given.scheme, &o->parameters, ts_scheme_find(o->scheme));
    snprintf(o->scheme, sizeof o->scheme, "%s", given.scheme->name);
    o->parameters = given.parameters;
    return 0;
}

static int override_rho(ts_options *o, double rho) {
    const ts_scheme *scheme = ts_scheme_find(o->scheme);
    if (!ts_parameter_set(&o->parameters, scheme, "rho_inf", strlen("rho_inf"), rho)) return 0;
    char why[200];
    snprintf(why, sizeof why, "%s", ts_error_message());
    return ts_option_fail("rho", NULL, "%s", why);
}

/* With another step, states are stored at about the same times as before. */
static void override_step(ts_options *o, double h) {
    double every = o->h > 0 ? rint(o->store_every * o->h / h) : o->store_every;
    o->store_every = (int)fmin(1e9, fmax(1, every));
    o->h = h;
}

/* `auto`, for the end as it is now. */
static void choose_step(ts_options *o) {
    if (!(o->interval > 0) && o->h > 0 && o->store_every > 1) o->interval = o->store_every * o->h;
    o->store_every = 1;
    ts_options_auto(o);
}

static int check_options(const ts_options *o, const char *name) {
    if (o->h > 0 && o->t_end == 0)
        return ts_option_fail("end", NULL, "the end must be later than 0");
    if (!(o->h > 0) || !(o->t_end > 0))
        return ts_fail(
            TORSOR_EINVAL,
            "%s has no 'analysis': add it to the model, or give the options step and end", name);
    if (o->t_end < o->h * (1 - 1e-9))
        return ts_fail(TORSOR_EOPTION, "the run ends (%g s) before its first step (%g s)", o->t_end,
                       o->h);
    if (o->t_end / o->h > 1e9)
        return ts_fail(TORSOR_EOPTION,
                       "this makes more than 1e9 steps: use a longer step, or an earlier end");
    return 0;
}

int ts_choices_apply(const ts_choices *c, ts_options *o, const char *name) {
    int status = c->scheme ? override_scheme(o, c->scheme) : 0;
    if (!status && !isnan(c->rho)) status = override_rho(o, c->rho);
    if (status) return status;
    if (c->solver) snprintf(o->solver, sizeof o->solver, "%s", c->solver);
    if (c->threads > 0) o->threads = (int)c->threads;
    if (isfinite(c->step)) override_step(o, c->step), o->auto_step = false;
    if (isinf(c->step)) o->auto_step = true;
    if (!isnan(c->end)) o->t_end = c->end;
    if (o->auto_step && o->t_end > 0 && (isinf(c->step) || !isnan(c->end))) choose_step(o);
    if (c->tolerance == 0 || c->tolerance == 1)
        return ts_option_fail("tolerance", NULL, "the tolerance must lie between 0 and 1");
    if (!isnan(c->tolerance)) o->tolerance = c->tolerance;
    if (c->every > 0) o->store_every = (int)c->every;
    if (c->linear && (!o->statics || o->arc_length))
        return ts_option_fail("linear", NULL,
                              "it needs `analysis: {type: static}` with `method: load`");
    if (c->linear) o->linear = true, o->h = o->t_end;
    return check_options(o, name);
}
