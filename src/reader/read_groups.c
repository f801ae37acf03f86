/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of parts: a name, a pattern of names, or a list of both. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/pattern.h"
#include "reader/reader.h"

static void add(ts_value *out, int *room, double part) {
    ts_grow(out->list, *room, out->count + 1);
    out->list[out->count++] = part;
}

/* All parts of the section that the pattern matches and that stand before, in the order of the
 * file. */
static bool add_matches(ts_reader *r, const ts_yaml *node, const char *section, int *room,
                        ts_value *out) {
    int before = out->count;
    for (int i = 0; i < r->parts; i++) {
        const ts_entry *entry = &r->part[i];
        size_t head = r->prefix ? strlen(r->prefix) : 0;
        const char *name = entry->name;
        if (head && strncmp(name, r->prefix, head) != 0) continue;
        name += head;
        if (!entry->section || strcmp(entry->section, section) != 0) continue;
        if (!ts_pattern_matches(node->text, name, strlen(name))) continue;
        if (entry->state == TS_PENDING) continue;
        if (entry->state != TS_READY) return false; /* which has been reported */
        add(out, room, entry->part);
    }
    if (out->count > before) return true;
    return ts_report(r->source, node->start, NULL, "none of the %s matches '%.60s'", section,
                     node->text);
}

static bool add_name(ts_reader *r, const ts_yaml *node, const char *section, int *room,
                     ts_value *out) {
    if (!ts_expect(r, node, TS_YAML_SCALAR, "a name")) return false;
    if (ts_is_pattern(node->text)) return add_matches(r, node, section, room, out);
    if (!ts_read_part(r, node, section, out)) return false;
    add(out, room, out->part[0]);
    return true;
}

bool ts_read_groups(ts_reader *r, const ts_yaml *node, const char *section, ts_value *out) {
    int room = 0;
    bool fine = true;
    if (!ts_expect(r, node, TS_YAML_LIST, "a list of names")) return false;
    free(out->list);
    out->list = NULL, out->count = 0;
    for (int i = 0; i < node->count; i++) {
        const ts_yaml *item = node->item[i];
        bool list = item->type == TS_YAML_LIST;
        for (int k = 0; k < (list ? item->count : 1); k++)
            fine &= add_name(r, list ? item->item[k] : item, section, &room, out);
        add(out, &room, -1);
    }
    return fine;
}
