/* SPDX-License-Identifier: Apache-2.0 */
/* torsor completion: scripts for bash, zsh and fish. They complete verbs, options, files, channels
 * and parameters, and are written from the tables that --help prints. Channels are those of the
 * file on the line, as `torsor channels` lists them; patterns (rod.end.*) are left out. Parameters
 * for --set are the names below `parameters:` of the model on the line. They are read from its
 * text: the model may have mistakes while it is written. */
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

static bool takes_channel(const cli_option *o) {
    return o->value && strcmp(o->value, "CHANNEL") == 0;
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

/* Arguments behind the file are channels of it. */
static bool argument_channels(const cli_verb *verb) {
    return strstr(verb->arguments, "SELECTORS") != NULL;
}

/* Channels and their components from the columns of `torsor channels`, in all three shells. */
static const char NAMES_OF_CHANNELS[] =
    "    awk 'NR == 1 {a = index($0, \"components\"); b = index($0, \"unit\"); next}\n"
    "        $1 ~ /^[A-Za-z0-9_.]+$/ {print $1; n = split(substr($0, a, b - a), c, \" \");\n"
    "            for (i = 1; i <= n; i++) print $1 \".\" c[i]}'";

/* Parameters, each with the equals sign that follows it, from the text of a model: a block of lines
 * or a list in braces. */
static const char NAMES_OF_PARAMETERS[] =
    "    awk '/^[^ \t#]/ {inside = 0} sub(/^parameters:/, \"\") {inside = 1}\n"
    "        inside {sub(/(^|[ \t])#.*/, \"\"); gsub(/\"[^\"]*\"/, \"\"); n = split($0, part, "
    "/[{},]/);\n"
    "            for (i = 1; i <= n; i++) if (match(part[i], /^[ \t]*[A-Za-z_][A-Za-z0-9_]*:/)) {\n"
    "                name = substr(part[i], 1, RLENGTH - 1); sub(/^[ \t]*/, \"\", name); print "
    "name "
    "\"=\"}}'";

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
        else if (takes_channel(o))
            puts(") _torsor_channels; return ;;");
        else if (o->type == CLI_SET)
            puts(") _torsor_parameters; return ;;");
        else if (words_of(o))
            printf(") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", words_of(o));
        else
            puts(") return ;;");
    }
}

static void bash(void) {
    printf("# bash completion of torsor, made by: torsor completion bash\n"
           "_torsor_names() {\n%s\n}\n_torsor_parameters_of() {\n%s \"$@\"\n}\n",
           NAMES_OF_CHANNELS, NAMES_OF_PARAMETERS);
    puts("_torsor_files() {\n"
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
         "_torsor_channels() {\n"
         "    local word\n"
         "    for word in \"${COMP_WORDS[@]:2}\"; do\n"
         "        case $word in *.h5 | *.yaml | *.yml) ;; *) continue ;; esac\n"
         "        [ -f \"$word\" ] && [ \"$word\" != \"$cur\" ] || continue\n"
         "        COMPREPLY=($(compgen -W \"$(\"${COMP_WORDS[0]}\" channels \"$word\" "
         "2>/dev/null |\n"
         "            _torsor_names)\" -- \"$cur\"))\n"
         "        return 0\n"
         "    done\n"
         "    return 1\n"
         "}\n"
         "_torsor_parameters() {\n"
         "    local word\n"
         "    compopt -o nospace 2>/dev/null\n"
         "    for word in \"${COMP_WORDS[@]:2}\"; do\n"
         "        case $word in *.yaml | *.yml) ;; *) continue ;; esac\n"
         "        [ -f \"$word\" ] || continue\n"
         "        COMPREPLY=($(compgen -W \"$(_torsor_parameters_of \"$word\" 2>/dev/null)\" -- "
         "\"$cur\"))\n"
         "        return\n"
         "    done\n"
         "}\n"
         "_torsor() {\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} "
         "verb=${COMP_WORDS[1]}\n"
         "    local options='' words='' files='' channels=''\n"
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
        printf("--help' words='%s' files='%s' channels='%s' ;;\n",
               argument_words(*v) ? argument_words(*v) : "",
               argument_files(*v) ? argument_files(*v) : "", argument_channels(*v) ? "yes" : "");
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
         "    [ -n \"$channels\" ] && _torsor_channels && return\n"
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
            fputs(takes_file(o)        ? ":_files"
                  : takes_channel(o)   ? ":_torsor_channels"
                  : o->type == CLI_SET ? ":_torsor_parameters"
                                       : ": ",
                  stdout);
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
        printf(" \\\n            '%c:file:_files -g \"*.(", argument_channels(verb) ? '1' : '*');
        for (const char *c = argument_files(verb); *c; c++) putchar(*c == ' ' ? '|' : *c);
        fputs(")(-.)\"'", stdout);
    }
    if (argument_channels(verb)) fputs(" \\\n            '*:channel:_torsor_channels'", stdout);
    puts("\n        ;;");
}

static void zsh(void) {
    puts("#compdef torsor torsor-mpi\n"
         "# zsh completion of torsor, made by: torsor completion zsh");
    printf("_torsor_names() {\n%s\n}\n_torsor_parameters_of() {\n%s \"$@\"\n}\n", NAMES_OF_CHANNELS,
           NAMES_OF_PARAMETERS);
    puts("_torsor_parameters() {\n"
         "    local word\n"
         "    for word in $words[2,-1]; do\n"
         "        [[ $word == *.(yaml|yml) && -f ${(Q)word} ]] || continue\n"
         "        local -a parameters\n"
         "        parameters=(${(f)\"$(_torsor_parameters_of ${(Q)word} 2>/dev/null)\"})\n"
         "        _wanted parameters expl parameter compadd -S '' -a parameters\n"
         "        return\n"
         "    done\n"
         "    _message 'NAME=VALUE'\n"
         "}\n"
         "_torsor_channels() {\n"
         "    local word\n"
         "    for word in $words[2,-1]; do\n"
         "        [[ $word == *.(h5|yaml|yml) && -f ${(Q)word} ]] || continue\n"
         "        local -a channels\n"
         "        channels=(${(f)\"$(_call_program channels $_torsor_program channels $word "
         "2>/dev/null |\n"
         "            _torsor_names)\"})\n"
         "        _wanted channels expl channel compadd -a channels\n"
         "        return\n"
         "    done\n"
         "    _message 'channel of a results file'\n"
         "}\n"
         "_torsor() {\n"
         "    local _torsor_program=$words[1]\n"
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
        fputs(takes_file(o)        ? " -r -F"
              : takes_channel(o)   ? " -x -a '(__torsor_channels)'"
              : o->type == CLI_SET ? " -x -a '(__torsor_parameters)'"
                                   : " -x",
              stdout);
    fputs(" -d '", stdout);
    for (const char *c = o->help; *c; c++) { /* of fish: \' within single quotes */
        if (*c == '\'' || *c == '\\') putchar('\\');
        putchar(*c);
    }
    puts("'");
}

/* __fish_complete_suffix also offers all other files, behind those with the ending. */
static void fish_files(const cli_verb *verb) {
    const char *files = argument_files(verb);
    printf("complete -c torsor -n '__fish_seen_subcommand_from %s' -k -a '(__fish_complete_suffix "
           ".%.*s | string match -er \"(/|",
           verb->name, (int)strcspn(files, " "), files);
    for (const char *c = files; *c; c++) {
        if (c == files || c[-1] == ' ') fputs("[.]", stdout);
        putchar(*c == ' ' ? '|' : *c);
    }
    puts(")(\\\\t|\\$)\")'");
}

static void fish(void) {
    printf("# fish completion of torsor, made by: torsor completion fish\n"
           "function __torsor_names\n%s\nend\nfunction __torsor_parameters_of\n%s $argv\nend\n",
           NAMES_OF_CHANNELS, NAMES_OF_PARAMETERS);
    puts(
        "function __torsor_file\n"
        "    for word in (commandline -opc)[3..-1]\n"
        "        string match -qr '\\.(h5|yaml|yml)$' -- $word; and test -f $word; and echo $word; "
        "and return\n"
        "    end\n"
        "    return 1\n"
        "end\n"
        "function __torsor_parameters\n"
        "    set -l file (string match -r '.*\\.ya?ml$' -- (commandline -op)[3..-1]); or return\n"
        "    test -f $file[1]; and __torsor_parameters_of $file[1] 2>/dev/null\n"
        "end\n"
        "function __torsor_channels\n"
        "    set -l words (commandline -opc)\n"
        "    set -l file (__torsor_file); or return\n"
        "    $words[1] channels $file 2>/dev/null | __torsor_names\n"
        "end\n"
        "complete -c torsor -f");
    EACH_VERB(v)
    printf("complete -c torsor -n '__fish_use_subcommand; or __fish_seen_subcommand_from help' "
           "-a %s -d '%s'\n",
           (*v)->name, (*v)->help);
    EACH_VERB(v) {
        EACH_OPTION(o, *v) fish_option(*v, o);
        fish_option(*v, &CLI_HELP);
        if (argument_words(*v))
            printf("complete -c torsor -n '__fish_seen_subcommand_from %s' -a '%s'\n", (*v)->name,
                   argument_words(*v));
        else if (argument_files(*v))
            fish_files(*v);
        if (argument_channels(*v))
            printf("complete -c torsor -n '__fish_seen_subcommand_from %s' -a "
                   "'(__torsor_channels)'\n",
                   (*v)->name);
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
    .help = "print a script that completes verbs, options, files, channels and parameters in bash, "
            "zsh or fish",
    .arguments = "SHELL",
    .least = 1,
    .most = 1,
    .about = "Prints the script for SHELL: bash, zsh or fish. make install installs all three. By "
             "hand: in bash, source <(torsor completion bash); in zsh, the same after compinit; in "
             "fish, torsor completion fish | source.",
    .options = OPTIONS,
    .run = completion};
