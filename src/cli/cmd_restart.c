/* torsor restart: go on from a stored state, bit for bit as if the run had never stopped.
 *
 * The model is read from the echo in the results file and assembled as at first, which finds the
 * same redundant conditions; then the stored state and ledger take the place of the assembled ones.
 * At every `store_every`-th step a run forgets what is not in its state, so from there it goes on
 * alike. A state between these (the last one of a run that was interrupted, or of one whose length
 * is no multiple) is a good start too, but not the same to the last bit: it has to be asked for.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"from", 0, CLI_COUNT, AT(from), "STEP",
     "the stored state of this step; default: the last one from which a run goes on bit for bit"},
    {"time", 0, CLI_SECONDS, AT(time), "TIME", "instead: the last stored state up to this time"},
    {"output", 'o', CLI_TEXT, AT(output), "FILE",
     "results file; default: RESULTS-from-STEP.h5 in the current folder"},
    {"end", 0, CLI_SECONDS, AT(end), "TIME", "end of the run; default: as it was planned"},
    {"step", 0, CLI_SECONDS, AT(step), "TIME",
     "another size of step from here on, of which the time of the state is a multiple"},
    {"rho", 0, CLI_FRACTION, AT(rho), "NUMBER",
     "ED: another spectral radius at infinite frequency from here on"},
    {"every", 0, CLI_COUNT, AT(every), "N", "store every N-th step"},
    {"threads", 't', CLI_COUNT, AT(threads), "N",
     "threads that set the equations up; the results are the same on any number"},
    {"json", 0, CLI_FLAG, AT(json), NULL,
     "print one JSON object a line: model, assembly, progress, done"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print warnings and errors only"},
    {0}};

/* ---- which state ---- */

typedef struct choice {
    int64_t frame, step;
    double t;
} choice;

static int last_frame(ts_results *r, choice *c) {
    c->frame = ts_results_frames(r) - 1;
    int status = ts_results_frame_step(r, c->frame, &c->step, &c->t);
    return status ? cli_fail_status(TORSOR_EIO) : CLI_DONE;
}

static int previous_frame(ts_results *r, choice *c) {
    return ts_results_frame_step(r, --c->frame, &c->step, &c->t) ? cli_fail_status(TORSOR_EIO) : 0;
}

static int choose_step(ts_results *r, int64_t step, choice *c) {
    int64_t last = c->step, above = -1;
    while (c->step > step && c->frame > 0) {
        above = c->step;
        if (previous_frame(r, c)) return CLI_FILE;
    }
    if (c->step == step) return CLI_DONE;
    if (c->step > step)
        return cli_fail(CLI_USAGE, "--from %lld: the first stored step is %lld", (long long)step,
                        (long long)c->step);
    if (above < 0)
        return cli_fail(CLI_USAGE, "--from %lld: the last stored step is %lld", (long long)step,
                        (long long)last);
    return cli_fail(CLI_USAGE, "--from %lld: not stored; next to it are %lld and %lld",
                    (long long)step, (long long)c->step, (long long)above);
}

static int choose_time(ts_results *r, double time, double h, choice *c) {
    while (c->t > time + 1e-6 * h && c->frame > 0)
        if (previous_frame(r, c)) return CLI_FILE;
    if (c->t <= time + 1e-6 * h) return CLI_DONE;
    return cli_fail(CLI_USAGE, "--time: the first stored state is at t = %g s", c->t);
}

static int choose_regular(ts_results *r, const ts_options *o, bool quiet, choice *c) {
    int64_t last = c->step;
    if (last >= llround(o->t_end / o->h)) return CLI_DONE; /* nothing is left to do */
    while (c->step % o->store_every != 0 && c->frame > 0)
        if (previous_frame(r, c)) return CLI_FILE;
    if (c->step != last && !quiet)
        fprintf(stderr,
                "torsor: going on from step %lld, as the uninterrupted run would; the last stored "
                "state is that of step %lld (--from %lld)\n",
                (long long)c->step, (long long)last, (long long)last);
    return CLI_DONE;
}

static int choose(ts_results *r, const cli_settings *s, const ts_options *o, choice *c) {
    if (s->from >= 0 && !isnan(s->time))
        return cli_fail(CLI_USAGE, "give --from or --time, not both");
    int code = last_frame(r, c);
    if (code) return code;
    if (s->from >= 0) return choose_step(r, s->from, c);
    if (!isnan(s->time)) return choose_time(r, s->time, o->h, c);
    if (!isnan(s->step)) return CLI_DONE; /* no run goes on bit for bit with another step */
    return choose_regular(r, o, s->quiet, c);
}

static int check_end(const ts_options *o, const choice *c) {
    if (o->t_end / o->h > 1e9) return cli_fail(CLI_USAGE, "this makes more than 1e9 steps");
    if (llround(o->t_end / o->h) > c->step) return CLI_DONE;
    return cli_fail(CLI_USAGE, "nothing is left to do: t = %g s, end %g s; give a later --end",
                    c->t, o->t_end);
}

/* With another size, steps are counted as if the whole run had had it. */
static int count_anew(const ts_options *o, choice *c) {
    double steps = c->t / o->h;
    if (!(steps < 1e9)) return cli_fail(CLI_USAGE, "this makes more than 1e9 steps");
    c->step = llround(steps);
    if (fabs(steps - (double)c->step) <= 1e-9 * fmax(1, steps)) return CLI_DONE;
    return cli_fail(CLI_USAGE,
                    "--step: the state is at t = %.12g s, %.12g steps of %g s; give a "
                    "step that divides it, or another state by --time",
                    c->t, steps, o->h);
}

/* ---- the run ---- */

static void tell(const cli_session *s, const cli_settings *settings, const choice *c) {
    const ts_options *o = &s->document->options;
    if (settings->json) {
        cli_line line;
        ts_json *j = cli_line_begin(&line, "model");
        cli_json_model(j, s, settings->argument[0]);
        cli_json_analysis(j, o);
        ts_json_count(j, "first_step", (long)c->step);
        cli_json_number(j, "t_first", c->t);
        cli_line_end(&line);
        j = cli_line_begin(&line, "assembly");
        cli_json_assembly(j, s);
        cli_line_end(&line);
    } else if (!settings->quiet) {
        cli_print_model(s, settings->argument[0]);
        printf("  state       step %lld, t = %g s\n", (long long)c->step, c->t);
        cli_print_analysis(o, c->step);
        fflush(stdout);
    }
}

static int load(cli_session *session, ts_results *r, const cli_settings *settings, choice *c) {
    size_t length;
    const char *text = ts_results_text(r, &length), *path = settings->argument[0];
    int code = cli_session_parse(session, text, length, path);
    if (code) return code;
    ts_options *o = &session->document->options;
    int status = ts_results_options(r, o); /* may have come from the command line, not the model */
    if (status) return cli_fail_status(status);
    if (!isnan(settings->end)) o->t_end = settings->end;
    code = choose(r, settings, o, c);
    if (!code) code = cli_session_override(session, settings, path);
    if (!code && !isnan(settings->step)) code = count_anew(o, c);
    if (!code) code = check_end(o, c);
    if (code) return code;
    code = cli_session_assemble(session);
    if (code) return cli_fail(code, "%s: %s", path, torsor_error());
    status = ts_results_state(r, c->frame, session->system);
    if (!status) status = ts_results_inputs(r, c->frame, session->document->model);
    session->system->state.step = c->step;
    return status ? cli_fail_status(status) : CLI_DONE;
}

static int go_on(const cli_settings *settings, cli_session *session, const choice *c) {
    const char *path = settings->argument[0];
    char suffix[40];
    snprintf(suffix, sizeof suffix, "-from-%lld.h5", (long long)c->step);
    char *name = cli_file_name(path, suffix);
    const char *output = settings->output ? settings->output : name;
    int code = cli_check_output(output, path);
    if (!code) {
        tell(session, settings, c);
        code = cli_simulate(session, settings, output);
    }
    free(name);
    return code;
}

static int restart(const cli_settings *settings) {
    cli_session session = {0};
    ts_results *results;
    choice c = {0};
    int status = ts_results_open(&results, settings->argument[0]);
    if (status) return cli_fail_status(status);
    int code = load(&session, results, settings, &c);
    ts_results_free(results);
    if (!code) code = go_on(settings, &session, &c);
    cli_session_clear(&session);
    return code;
}

const cli_verb CLI_RESTART = {
    .name = "restart",
    .help = "go on from a stored state, bit for bit",
    .arguments = "RESULTS.h5",
    .least = 1,
    .most = 1,
    .about = "Goes on with a run that was interrupted, failed or killed, or beyond the end of one "
             "that was not, from a state in its results file, with the same scheme and step unless "
             "said otherwise. The model comes from the results file too. From a state stored at a "
             "multiple of the storing interval, the results equal those of the uninterrupted run "
             "bit for bit.",
    .options = OPTIONS,
    .run = restart};
