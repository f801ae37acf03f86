/* SPDX-License-Identifier: Apache-2.0 */
/* Journals of a study: one line of JSON for each finished case; see many.h and docs/studies.md.
 *
 * A line counts if it begins with its key and its brackets are closed: the last line of a study
 * that was killed may be cut off. It stays, and the next one begins on a new line. Every line is
 * on the disk before the next case begins.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/many/many.h"

enum { KEY = 64 };
static const char BEGIN[] = "{\"key\": \"";

struct cli_journal {
    int file;
    char *path;
    char (*key)[KEY + 1]; /* sorted */
    int64_t keys, room;
    glob_t names;
};

/* ---- reading ---- */

/* Is it one whole object? */
static bool closed(const char *line) {
    int depth = 0;
    bool quoted = false;
    for (; *line; line++) {
        if (quoted && *line == '\\' && line[1])
            line++;
        else if (*line == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (*line == '{' || *line == '[') - (*line == '}' || *line == ']');
        if (depth == 0 && !quoted) return line[1] == '\n' || line[1] == 0;
    }
    return false;
}

static void take_line(cli_journal *j, const char *line) {
    size_t head = sizeof BEGIN - 1;
    if (strncmp(line, BEGIN, head) != 0 || strspn(line + head, "0123456789abcdef") != KEY) return;
    if (!closed(line)) return;
    ts_grow(j->key, j->room, j->keys + 1);
    memcpy(j->key[j->keys], line + head, KEY);
    j->key[j->keys++][KEY] = 0;
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }

static int read_journal(cli_journal *j, const char *path) {
    char *line = NULL;
    size_t room = 0;
    FILE *in = ts_open(path, "r");
    if (!in) return cli_fail(CLI_FILE, "%s: cannot read the journal: %s", path, strerror(errno));
    while (getline(&line, &room, in) > 0) take_line(j, line);
    (free)(line); /* of the C library */
    ts_close(in);
    return CLI_DONE;
}

/* ---- opening ---- */

/* Room for characters that a pattern would understand. */
static char *pattern_of(const char *folder) {
    char *out = ts_calloc(2 * strlen(folder) + 20, 1), *to = out;
    for (; *folder; folder++) {
        if (strchr("*?[\\", *folder)) *to++ = '\\';
        *to++ = *folder;
    }
    strcpy(to, "/journal*.jsonl");
    return out;
}

static int lock(cli_journal *j) {
    char last = '\n';
    j->file = open(j->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (j->file < 0)
        return cli_fail(CLI_FILE, "%s: cannot write the journal: %s", j->path, strerror(errno));
    if (flock(j->file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return cli_fail(CLI_FILE, "%s: another study is writing this journal", j->path);
    off_t length = lseek(j->file, 0, SEEK_END);
    if (length > 0 && pread(j->file, &last, 1, length - 1) == 1 && last != '\n' &&
        write(j->file, "\n", 1) != 1)
        return cli_fail(CLI_FILE, "%s: cannot write the journal: %s", j->path, strerror(errno));
    return CLI_DONE;
}

int cli_journal_open(cli_journal **out, const char *folder, int part, int parts) {
    cli_journal *j = *out = ts_calloc(1, sizeof *j);
    char *pattern = pattern_of(folder);
    size_t room = strlen(folder) + 60;
    j->path = ts_calloc(room, 1);
    if (parts > 0)
        snprintf(j->path, room, "%s/journal.%d-of-%d.jsonl", folder, part, parts);
    else
        snprintf(j->path, room, "%s/journal.jsonl", folder);
    int code = lock(j);
    if (!code) glob(pattern, 0, NULL, &j->names);
    for (size_t i = 0; i < j->names.gl_pathc && !code; i++)
        code = read_journal(j, j->names.gl_pathv[i]);
    if (j->keys) qsort(j->key, (size_t)j->keys, sizeof *j->key, compare);
    free(pattern);
    return code;
}

void cli_journal_close(cli_journal *j) {
    if (!j) return;
    if (j->file >= 0) close(j->file);
    globfree(&j->names);
    free(j->path), free(j->key);
    free(j);
}

const char *const *cli_journal_names(const cli_journal *j, int *count) {
    *count = (int)j->names.gl_pathc;
    return (const char *const *)j->names.gl_pathv;
}

bool cli_journal_has(const cli_journal *j, const char *key) {
    return j->keys && bsearch(key, j->key, (size_t)j->keys, sizeof *j->key, compare);
}

/* ---- adding ---- */

int cli_journal_add(cli_journal *j, const char *line) {
    for (size_t left = strlen(line); left > 0;) {
        ssize_t put = write(j->file, line, left);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0)
            return cli_fail(CLI_FILE, "%s: cannot write the journal: %s", j->path, strerror(errno));
        line += put, left -= (size_t)put;
    }
    fdatasync(j->file);
    return CLI_DONE;
}
