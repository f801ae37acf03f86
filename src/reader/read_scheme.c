/* Parameters of a scheme in a model file. The scheme's table judges them: see step/parameters.h. */
#include <string.h>

#include "base/error.h"
#include "reader/reader.h"
#include "study/schemes.h"

static bool take(ts_reader *r, const ts_yaml *node, const ts_scheme *scheme, const char *name,
                 const ts_value *value) {
    ts_scheme_values *values = &r->document->options.parameters;
    int place = ts_parameter_place(scheme, name, strlen(name));
    const char *const *choices = place < 0 ? NULL : scheme->parameters[place].choices;
    char hint[200];
    const char *advice = place < 0 ? ts_parameters_known(scheme, hint) : NULL;
    if (!(choices ? ts_parameter_set_text(values, scheme, name, strlen(name), node->text)
                  : ts_parameter_set(values, scheme, name, strlen(name), value->number[0])))
        return true;
    if (choices) advice = ts_hint_words(hint, sizeof hint, node->text, choices);
    return ts_report(r->source, node->start, advice, "%s", ts_error_message());
}

bool ts_read_scheme_parameters(ts_reader *r, const ts_yaml *map, const ts_field *fields,
                               const ts_value *values) {
    const ts_scheme *scheme = ts_scheme_find(r->document->options.scheme);
    bool fine = true;
    for (int i = 0; fields[i].name; i++)
        if (values[i].given)
            fine &= take(r, ts_yaml_get(map, fields[i].name), scheme, fields[i].name, &values[i]);
    return fine;
}
