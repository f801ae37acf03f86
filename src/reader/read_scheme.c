/* Parameters of a scheme: which of them it has, and within which limits. See step/scheme.h.
 *
 * They travel as words "name=value", numbers with all their digits, so that a results file keeps them for a restart.
 */
#include <stdio.h>
#include <string.h>

#include "reader/reader.h"
#include "study/schemes.h"

static bool refuse_unknown(ts_reader *r, const ts_yaml *node, const ts_scheme *scheme,
                           const char *name) {
    char hint[200] = "it has none";
    size_t used = 0;
    for (const ts_scheme_parameter *p = scheme->parameters; p && p->name; p++)
        used += (size_t)snprintf(hint + used, sizeof hint - used, "%s%s", used ? ", " : "it has ",
                                 p->name);
    return ts_report(r->source, node->start, hint, "the scheme %s has no parameter '%s'",
                     scheme->name, name);
}

static bool take(ts_reader *r, const ts_yaml *node, const ts_scheme_parameter *p,
                 const ts_value *value) {
    char *all = r->document->options.parameters, word[80], hint[200];
    size_t used = strlen(all), room = sizeof r->document->options.parameters - used;
    double number = value->number[0];
    if (p->choices && ts_scheme_choice(p, node->text, strlen(node->text)) < 0)
        return ts_report(r->source, node->start,
                         ts_hint_words(hint, sizeof hint, node->text, p->choices),
                         "'%.40s' is not a %s of this scheme", node->text, p->name);
    if (!p->choices && !(number >= p->low && number <= p->high))
        return ts_report(r->source, node->start, NULL, "%s must lie between %g and %g", p->name,
                         p->low, p->high);
    if (p->choices)
        snprintf(word, sizeof word, "%s=%s", p->name, node->text);
    else
        ts_scheme_number_word(word, sizeof word, p->name, number);
    if (strlen(word) + 2 > room)
        return ts_report(r->source, node->start, NULL, "these are too many parameters");
    snprintf(all + used, room, "%s%s", used ? " " : "", word);
    return true;
}

bool ts_read_scheme_parameters(ts_reader *r, const ts_yaml *map, const ts_field *fields,
                               const ts_value *values) {
    const ts_scheme *scheme = ts_scheme_find(r->document->options.scheme);
    bool fine = true;
    for (int i = 0; fields[i].name; i++) {
        if (!values[i].given) continue;
        const ts_yaml *node = ts_yaml_get(map, fields[i].name);
        const ts_scheme_parameter *p =
            ts_scheme_parameter_find(scheme, fields[i].name, strlen(fields[i].name));
        fine &= p ? take(r, node, p, &values[i]) : refuse_unknown(r, node, scheme, fields[i].name);
    }
    return fine;
}
