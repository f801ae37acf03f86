/* SPDX-License-Identifier: Apache-2.0 */
/* When the model file, or a file that it names, has changed. Editors save in different ways: they
 * empty the file and write into it, or move another one to its place. Both change the stamp that
 * stat gives. A change counts when the stamp has rested for a moment: in between a file may be
 * empty. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/view/view.h"

static cli_stamp stamp_of(const char *path) {
    struct stat about;
    if (stat(path, &about)) return (cli_stamp){.there = false};
    return (cli_stamp){about.st_mtim, about.st_size, (uint64_t)about.st_ino, true};
}

static bool equal(const cli_stamp *a, const cli_stamp *b) {
    return a->there == b->there && a->size == b->size && a->inode == b->inode &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

void cli_source_open(cli_source *s, const char *path) {
    *s = (cli_source){.path = {ts_strdup(path)}, .count = 1};
    s->seen[0] = s->stamp[0] = stamp_of(path);
}

/* "folder of the model/name"; an absolute name as it is. */
static char *beside(const char *path, const char *name, size_t length) {
    const char *slash = strrchr(path, '/');
    size_t folder = slash && *name != '/' ? (size_t)(slash - path) + 1 : 0;
    char *made = ts_calloc(folder + length + 1, 1);
    memcpy(made, path, folder);
    memcpy(made + folder, name, length);
    return made;
}

static void add(cli_source *s, const char *path, const char *name, size_t length) {
    if (length == 0 || s->count == CLI_VIEW_FILES) return;
    char *made = beside(path, name, length);
    int i = 0;
    while (i < s->count && strcmp(s->path[i], made) != 0) i++;
    if (i == s->count)
        s->path[s->count++] = made;
    else
        free(made);
}

/* A key `file` with a name behind it, wherever it stands. A name that is none costs one stat. */
static void find_files(cli_source *s, const char *path, const char *text) {
    static const char KEY[] = "file:";
    for (const char *at = strstr(text, KEY); at; at = strstr(at + 1, KEY)) {
        const char *name = at + sizeof KEY - 1;
        name += strspn(name, " \"'");
        size_t length = strcspn(name, "\"',}#\n\r");
        while (length > 0 && name[length - 1] == ' ') length--;
        add(s, path, name, length);
    }
}

/* Where a name of a model file that ends here begins, or NULL: `include: [materials.yaml]`. */
static const char *model_name(const char *text, const char *end) {
    if (isalnum((unsigned char)*end)) return NULL;
    const char *begin = end;
    while (begin > text && !strchr(" \"'[{,:\n\r\t", begin[-1])) begin--;
    return begin;
}

static void find_models(cli_source *s, const char *path, const char *text) {
    static const char *const ENDING[] = {".yaml", ".yml"};
    for (int k = 0; k < 2; k++)
        for (const char *at = strstr(text, ENDING[k]); at; at = strstr(at + 1, ENDING[k])) {
            const char *end = at + strlen(ENDING[k]), *begin = model_name(text, end);
            if (begin) add(s, path, begin, (size_t)(end - begin));
        }
}

static bool is_model(const char *path) {
    const char *ending = strrchr(path, '.');
    return ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0);
}

void cli_source_note(cli_source *s, const char *text) {
    for (int i = 1; i < s->count; i++) free(s->path[i]);
    s->count = 1;
    if (text) find_files(s, s->path[0], text);
    if (text) find_models(s, s->path[0], text);
    for (int i = 1; i < s->count; i++) {
        char *inner = is_model(s->path[i]) ? cli_text_of_file(s->path[i]) : NULL;
        if (inner) find_files(s, s->path[i], inner);
        if (inner) find_models(s, s->path[i], inner);
        free(inner);
    }
    for (int i = 0; i < s->count; i++) s->seen[i] = s->stamp[i] = stamp_of(s->path[i]);
}

bool cli_source_changed(cli_source *s) {
    static const double REST = 0.2; /* s */
    bool changed = false, moves = false;
    for (int i = 0; i < s->count; i++) {
        cli_stamp now = stamp_of(s->path[i]);
        changed |= !equal(&now, &s->stamp[i]);
        moves |= !equal(&now, &s->seen[i]);
        s->seen[i] = now;
    }
    if (moves) s->moved = ts_wall_time();
    return changed && ts_wall_time() >= s->moved + REST;
}

void cli_source_clear(cli_source *s) {
    for (int i = 0; i < s->count; i++) free(s->path[i]);
    s->count = 0;
}
