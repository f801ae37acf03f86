/* torsor check: everything that can be said of a model without running it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "results/audit.h"

static const cli_option OPTIONS[] = {
    {"json", 0, CLI_FLAG, offsetof(cli_settings, json), NULL, "print one JSON object"},
    {"verbose", 'v', CLI_FLAG, offsetof(cli_settings, verbose), NULL,
     "tell every redundant condition"},
    {0}};

/* ---- JSON ---- */

static void json_diagnostics(ts_json *j, const ts_diagnostics *list) {
    ts_json_open(j, "diagnostics", '[');
    for (int i = 0; i < list->count; i++) {
        const ts_diagnostic *d = &list->items[i];
        ts_json_open(j, NULL, '{');
        ts_json_text(j, "file", d->file);
        ts_json_count(j, "line", d->line);
        ts_json_count(j, "column", d->column);
        ts_json_text(j, "message", d->message);
        if (d->hint) ts_json_text(j, "hint", d->hint);
        ts_json_close(j, '}');
    }
    ts_json_close(j, ']');
}

static void tell_json(const cli_session *s, const char *path, int code) {
    ts_json j = {.out = stdout};
    ts_json_open(&j, NULL, '{');
    ts_json_text(&j, "file", path);
    ts_json_flag(&j, "valid", code == CLI_DONE);
    ts_json_count(&j, "exit_code", code);
    json_diagnostics(&j, &s->diagnostics);
    if (code && s->diagnostics.count == 0) ts_json_text(&j, "error", torsor_error());
    if (!code) {
        ts_json_open(&j, "model", '{');
        cli_json_model(&j, s, path);
        if (s->document->options.h > 0) cli_json_analysis(&j, &s->document->options);
        ts_json_close(&j, '}');
        ts_json_open(&j, "assembly", '{');
        cli_json_assembly(&j, s);
        ts_json_close(&j, '}');
        ts_audit audit;
        ts_audit_system(s->system, &audit);
        ts_audit_json(&audit, &j);
    }
    ts_json_close(&j, '}');
}

/* ---- text ---- */

/* Of the drawing, its joints closed. */
static void tell_resolution(const ts_system *system) {
    ts_audit audit;
    ts_audit_system(system, &audit);
    printf("  resolution  %s\n", audit.text + strlen("resolution: "));
    cli_print_resolution(&audit, "              ");
}

static void tell(const cli_session *s, const char *path) {
    cli_print_model(s, path);
    cli_print_assembly(s);
    if (s->document->options.h > 0)
        cli_print_analysis(&s->document->options, 0);
    else
        printf("  scheme      none: the model has no 'analysis'\n");
    tell_resolution(s->system);
    printf("%s: no problems\n", path);
}

static int check(const cli_settings *settings) {
    cli_session session = {.verbose = settings->verbose};
    const char *path = settings->argument[0];
    int code = cli_session_read(&session, path, !settings->json);
    if (!code) {
        code = cli_session_assemble(&session);
        if (code && !settings->json) cli_fail(code, "%s: %s", path, torsor_error());
    }
    if (settings->json)
        tell_json(&session, path, code);
    else if (!code)
        tell(&session, path);
    cli_session_clear(&session);
    return code;
}

const cli_verb CLI_CHECK = {
    .name = "check",
    .help = "report every mistake in a model, assemble it, run nothing",
    .arguments = "MODEL.yaml",
    .least = 1,
    .most = 1,
    .about = "Reads the model and reports every mistake with its place; then closes its joints and "
             "tells how far they were open, which conditions are redundant, how many degrees "
             "of freedom there are, and whether the mesh resolves the drawing.",
    .options = OPTIONS,
    .run = check};
