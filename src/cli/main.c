/* SPDX-License-Identifier: Apache-2.0 */
/* The command line. One verb, one file: cmd_<verb>.c. src/programs has the programs. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/ranks.h"
#include "base/units.h"
#include "cli/cli.h"

static const cli_verb *const VERBS[] = {&CLI_NEW,      &CLI_INIT,     &CLI_VIEW,       &CLI_RUN,
                                        &CLI_CHECK,    &CLI_CHANNELS, &CLI_MODES,      &CLI_RESTART,
                                        &CLI_INFO,     &CLI_REPORT,   &CLI_PLOT,       &CLI_EXPORT,
                                        &CLI_SPECTRUM, &CLI_CONVERGE, &CLI_COMPARE,    &CLI_STUDY,
                                        &CLI_SCHEMA,   &CLI_DOCTOR,   &CLI_COMPLETION, NULL};
enum { VERB_COUNT = sizeof VERBS / sizeof *VERBS - 1 };

const cli_verb *const *cli_verbs(void) { return VERBS; }

static void print_help(void) {
    printf("torsor %s: multibody dynamics with an energy audit\n\n"
           "usage: torsor VERB ...\n\n",
           torsor_version());
    for (int i = 0; i < VERB_COUNT; i++) printf("  %-12s%s\n", VERBS[i]->name, VERBS[i]->help);
    printf("\n  torsor VERB --help    the options of a verb; also: man torsor-VERB\n"
           "  torsor --version      the version\n");
    if (ts_ranks_here()->transport)
        printf("\nThis is torsor-mpi: factorisations by MUMPS are shared by all processes (%d now, "
               "by %s).\n"
               "  mpirun -n 4 torsor-mpi run MODEL.yaml --solver mumps\n",
               ts_ranks_here()->count, ts_ranks_here()->transport);
    cli_help_exit_codes();
}

static const cli_verb *find_verb(const char *name) {
    for (int i = 0; i < VERB_COUNT; i++)
        if (strcmp(VERBS[i]->name, name) == 0) return VERBS[i];
    return NULL;
}

/* Options in the place of a verb. */
static const char *const OPTIONS[] = {"--help", "--version", NULL};

static int unknown_verb(const char *name) {
    const char *nearest = NULL;
    int best = INT_MAX;
    if (strcmp(name, "-v") == 0) nearest = "--version";
    for (int i = 0; name[0] == '-' && OPTIONS[i]; i++)
        if (ts_word_closer(name, strlen(name), OPTIONS[i], &best)) nearest = OPTIONS[i];
    for (int i = 0; name[0] != '-' && i < VERB_COUNT; i++)
        if (ts_word_closer(name, strlen(name), VERBS[i]->name, &best)) nearest = VERBS[i]->name;
    if (nearest && name[0] == '-')
        return cli_fail(CLI_USAGE, "there is no option '%.60s': did you mean '%s'?", name, nearest);
    if (nearest)
        return cli_fail(CLI_USAGE, "there is no verb '%.60s': did you mean '%s'?", name, nearest);
    if (strchr(name, '.'))
        return cli_fail(CLI_USAGE, "there is no verb '%.200s': did you mean 'torsor run %.200s'?",
                        name, name);
    return cli_fail(CLI_USAGE, "there is no verb '%.60s'; see 'torsor --help'", name);
}

static int run_verb(const cli_verb *verb, int count, char **word) {
    cli_settings settings;
    int code = cli_parse(verb, count, word, &settings);
    if (!code && settings.help)
        cli_help(verb);
    else if (!code)
        torsor_replace_files(settings.force), code = verb->run(&settings);
    cli_settings_clear(&settings);
    return code;
}

static bool is(const char *word, const char *name, const char *letter) {
    return strcmp(word, name) == 0 || strcmp(word, letter) == 0;
}

/* `torsor help run` and `torsor help` too; `torsor help --man run` prints the manual page. */
static int help(int count, char **word) {
    bool manual = count > 0 && strcmp(word[0], "--man") == 0;
    count -= manual, word += manual;
    const cli_verb *verb = count > 0 ? find_verb(word[0]) : NULL;
    if (count > 0 && !verb) return unknown_verb(word[0]);
    if (manual)
        cli_man(verb);
    else if (verb)
        cli_help(verb);
    else
        print_help();
    return CLI_DONE;
}

static int dispatch(int count, char **word) {
    if (count == 0) {
        print_help();
        return CLI_USAGE;
    }
    if (is(word[0], "--help", "-h") || strcmp(word[0], "help") == 0)
        return help(count - 1, word + 1);
    if (is(word[0], "--version", "-V")) {
        printf("torsor %s\n", torsor_version());
        return CLI_DONE;
    }
    const cli_verb *verb = find_verb(word[0]);
    return verb ? run_verb(verb, count - 1, word + 1) : unknown_verb(word[0]);
}

/* Without memory the results are closed as they are, by the trap. */
static int dispatch_trapped(int count, char **word) {
    ts_trap trap;
    if (setjmp(*ts_trap_aside(&trap)) != 0)
        return ts_trap_caught(&trap), cli_fail(CLI_FILE, "%s", torsor_error());
    return ts_trap_end(&trap, dispatch(count, word));
}

/* A file that is opened while a descriptor from 0 to 2 is closed would get its number, and what is
 * printed would go into it. */
static void open_standard(void) {
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", file ? O_WRONLY : O_RDONLY) != file)
            _exit(CLI_FILE);
}

int cli_main(int count, char **word) {
    open_standard();
    cli_guard_drafts();
    signal(SIGXFSZ, SIG_IGN); /* a file beyond its limit: writing fails with a message */
    int code = dispatch_trapped(count - 1, word + 1);
    bool wrong = ferror(stdout);
    if ((fflush(stdout) || wrong) && errno != EPIPE && code == CLI_DONE)
        code = cli_fail(CLI_FILE, "cannot write the output: %s", strerror(errno));
    return code;
}
