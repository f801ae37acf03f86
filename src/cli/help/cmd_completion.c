/* SPDX-License-Identifier: Apache-2.0 */
/* torsor completion: scripts that complete verbs, options and files in bash, zsh and fish. They are
 * written from the tables that --help prints. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const cli_option OPTIONS[] = {{0}};

/* Values that can be listed, by the name of the option. */
static const struct {
    const char *option, *words;
} VALUES[] = {{"scheme", "EP ED"}, {"solver", "auto klu mumps krylov"}, {"format", "vtu xdmf"}};

static const char *words_of(const cli_option *o) {
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++)
        if (strcmp(VALUES[i].option, o->name) == 0) return VALUES[i].words;
    return NULL;
}

static bool takes_value(const cli_option *o) {
    return o->type != CLI_FLAG && o->type != CLI_SWITCH;
}
static bool takes_file(const cli_option *o) {
    return o->value && (strcmp(o->value, "FILE") == 0 || strcmp(o->value, "FOLDER") == 0);
}

/* What the arguments of a verb are: words, or files with these endings; NULL: neither. */
static const char *argument_words(const cli_verb *verb) {
    if (strncmp(verb->arguments, "KIND", 4) == 0) return "pendulum four-bar beam rotor robot";
    return strncmp(verb->arguments, "SHELL", 5) == 0 ? "bash zsh fish" : NULL;
}
static const char *argument_files(const cli_verb *verb) {
    bool models = strstr(verb->arguments, "yaml"), results = strstr(verb->arguments, ".h5");
    if (strcmp(verb->name, "channels") == 0) return "yaml yml h5"; /* of both */
    return models ? "yaml yml" : results ? "h5" : NULL;
}

/* A text within single quotes of a shell. */
static void put_quoted(const char *text, const char *escape) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else {
            if (strchr(escape, *text)) putchar('\\');
            putchar(*text);
        }
    }
}

#define EACH_VERB(v) for (const cli_verb *const *v = cli_verbs(); *v; v++)
#define EACH_OPTION(o, verb) for (const cli_option *o = (verb)->options; o->name; o++)

/* ---- bash ---- */

static void bash_values(const cli_verb *verb) {
    EACH_OPTION(o, verb) {
        if (!takes_value(o)) continue;
        printf("    '%s --%s'", verb->name, o->name);
        if (o->letter) printf(" | '%s -%c'", verb->name, o->letter);
        if (takes_file(o))
            puts(") _torsor_files ''; return ;;");
        else if (words_of(o))
            printf(") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", words_of(o));
        else
            puts(") return ;;");
    }
}

static void bash(void) {
    puts("# bash completion of torsor, made by: torsor completion bash\n"
         "_torsor_files() {\n"
         "    local ending\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    local IFS=$'\\n'\n"
         "    if [ -z \"$1\" ]; then\n"
         "        COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
         "        return\n"
         "    fi\n"
         "    COMPREPLY+=($(compgen -d -- \"$cur\"))\n"
         "    local IFS=' '\n"
         "    for ending in $1; do\n"
         "        local IFS=$'\\n'\n"
         "        COMPREPLY+=($(compgen -f -X \"!*.$ending\" -- \"$cur\"))\n"
         "    done\n"
         "}\n"
         "_torsor() {\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} "
         "verb=${COMP_WORDS[1]}\n"
         "    local options='' words='' files=''\n"
         "    COMPREPLY=()\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then");
    fputs("        COMPREPLY=($(compgen -W '", stdout);
    EACH_VERB(v) printf("%s ", (*v)->name);
    puts("help --help --version' -- \"$cur\"))\n"
         "        return\n"
         "    fi\n"
         "    case \"$verb $prev\" in");
    EACH_VERB(v) bash_values(*v);
    puts("    esac\n    case $verb in");
    EACH_VERB(v) {
        printf("    %s) options='", (*v)->name);
        EACH_OPTION(o, *v) printf("--%s ", o->name);
        printf("--help' words='%s' files='%s' ;;\n", argument_words(*v) ? argument_words(*v) : "",
               argument_files(*v) ? argument_files(*v) : "");
    }
    fputs("    help) words='", stdout);
    EACH_VERB(v) printf("%s%s", v == cli_verbs() ? "" : " ", (*v)->name);
    puts("' ;;\n"
         "    esac\n"
         "    if [ \"${cur#-}\" != \"$cur\" ]; then\n"
         "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
         "        return\n"
         "    fi\n"
         "    [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "    [ -z \"$files\" ] || _torsor_files \"$files\"\n"
         "}\n"
         "complete -F _torsor torsor torsor-mpi");
}

/* ---- zsh ---- */

/* '(-o --output)'{-o+,--output=}'[help]:FILE:_files' */
static void zsh_option(const cli_option *o) {
    bool value = takes_value(o);
    fputs(" \\\n            ", stdout);
    if (o->letter)
        printf("'(-%c --%s)'{-%c%s,--%s%s}", o->letter, o->name, o->letter, value ? "+" : "",
               o->name, value ? "=" : "");
    else if (o->type == CLI_SET)
        printf("'*'--%s=", o->name);
    else
        printf("--%s%s", o->name, value ? "=" : "");
    fputs("'[", stdout);
    put_quoted(o->help, "[]:\\");
    putchar(']');
    if (value) {
        putchar(':');
        put_quoted(o->value, ":\\");
        if (words_of(o))
            printf(":(%s)", words_of(o));
        else
            fputs(takes_file(o) ? ":_files" : ": ", stdout);
    }
    putchar('\'');
}

static void zsh_verb(const cli_verb *verb) {
    printf("    %s)\n        _arguments -s", verb->name);
    EACH_OPTION(o, verb) zsh_option(o);
    zsh_option(&CLI_HELP);
    if (argument_words(verb))
        printf(" \\\n            '*:argument:(%s)'", argument_words(verb));
    else if (argument_files(verb)) {
        fputs(" \\\n            '*:file:_files -g \"*.(", stdout);
        for (const char *c = argument_files(verb); *c; c++) putchar(*c == ' ' ? '|' : *c);
        fputs(")(-.)\"'", stdout);
    }
    puts("\n        ;;");
}

static void zsh(void) {
    puts("#compdef torsor torsor-mpi\n"
         "# zsh completion of torsor, made by: torsor completion zsh\n"
         "_torsor() {\n"
         "    local -a verbs\n"
         "    verbs=(");
    EACH_VERB(v) {
        printf("        '%s:", (*v)->name);
        put_quoted((*v)->help, ":\\");
        puts("'");
    }
    puts("    )\n"
         "    if ((CURRENT == 2)); then\n"
         "        _describe verb verbs\n"
         "        return\n"
         "    fi\n"
         "    local verb=$words[2]\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    case $verb in\n"
         "    help) _describe verb verbs ;;");
    EACH_VERB(v) zsh_verb(*v);
    puts("    esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _torsor ]; then\n"
         "    _torsor \"$@\"\n"
         "else\n"
         "    compdef _torsor torsor torsor-mpi\n"
         "fi");
}

/* ---- fish ---- */

static void fish_option(const cli_verb *verb, const cli_option *o) {
    printf("complete -c torsor -n '__fish_seen_subcommand_from %s' -l %s", verb->name, o->name);
    if (o->letter) printf(" -s %c", o->letter);
    if (words_of(o))
        printf(" -x -a '%s'", words_of(o));
    else if (takes_value(o))
        fputs(takes_file(o) ? " -r -F" : " -x", stdout);
    fputs(" -d '", stdout);
    for (const char *c = o->help; *c; c++) { /* of fish: \' within single quotes */
        if (*c == '\'' || *c == '\\') putchar('\\');
        putchar(*c);
    }
    puts("'");
}

static void fish(void) {
    puts("# fish completion of torsor, made by: torsor completion fish\n"
         "complete -c torsor -f");
    EACH_VERB(v)
    printf("complete -c torsor -n __fish_use_subcommand -a %s -d '%s'\n", (*v)->name, (*v)->help);
    EACH_VERB(v) {
        EACH_OPTION(o, *v) fish_option(*v, o);
        fish_option(*v, &CLI_HELP);
        if (argument_words(*v))
            printf("complete -c torsor -n '__fish_seen_subcommand_from %s' -a '%s'\n", (*v)->name,
                   argument_words(*v));
        else if (argument_files(*v))
            printf("complete -c torsor -n '__fish_seen_subcommand_from %s' -k -a "
                   "'(__fish_complete_suffix %s)'\n",
                   (*v)->name, strncmp(argument_files(*v), "yaml", 4) == 0 ? ".yaml" : ".h5");
    }
}

/* ---- the verb ---- */

static const struct {
    const char *name;
    void (*write)(void);
} SHELLS[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

static int completion(const cli_settings *settings) {
    for (size_t i = 0; i < sizeof SHELLS / sizeof *SHELLS; i++)
        if (strcmp(SHELLS[i].name, settings->argument[0]) == 0) return SHELLS[i].write(), CLI_DONE;
    return cli_fail(CLI_USAGE, "there is no completion for '%.60s': expected bash, zsh or fish",
                    settings->argument[0]);
}

const cli_verb CLI_COMPLETION = {
    .name = "completion",
    .help = "print a script that completes verbs and options in bash, zsh or fish",
    .arguments = "SHELL",
    .least = 1,
    .most = 1,
    .about = "Prints the script for SHELL: bash, zsh or fish. make install puts all three in their "
             "places. By hand: in bash, source <(torsor completion bash); in zsh, the same after "
             "compinit; in fish, torsor completion fish | source.",
    .options = OPTIONS,
    .run = completion};
