/* SPDX-License-Identifier: Apache-2.0 */
/* outputs.stations: places along beams whose internal forces are to be stored.
 *
 *     stations: {blade: [0, 0.25, 1], mast: 2 m}
 *
 * A plain number is a fraction of the beam's length, a length is counted along its line.
 */
#include <math.h>

#include "base/error.h"
#include "reader/reader.h"

static void add_station(ts_document *d, int part, double arc) {
    ts_grow(d->stations, d->station_room, d->station_count + 1);
    d->stations[d->station_count++] = ts_beam_place_at(d->model, part, arc);
}

static bool read_station(ts_reader *r, const ts_yaml *node, int part, double length) {
    ts_quantity value;
    if (!ts_expect(r, node, TS_YAML_SCALAR, "a fraction of the beam's length, or a length") ||
        !ts_read_quantity(r, node, &value))
        return false;
    bool fraction = ts_dim_bare(value.dim);
    if (!fraction && !ts_dim_equal(value.dim, TS_OF_LENGTH))
        return ts_dim_mismatch(r, node->start, value.dim, TS_OF_LENGTH);
    double arc = fraction ? value.value * length : value.value;
    if (!(arc >= -1e-9 * length && arc <= (1 + 1e-9) * length)) {
        char hint[160];
        snprintf(
            hint, sizeof hint,
            "a plain number is a fraction, 0 to 1; with a unit it is a length, here up to %g m",
            length);
        return ts_report(r->source, node->start, hint, "this station is not on the beam");
    }
    add_station(r->document, part, fmin(fmax(arc, 0), length));
    return true;
}

static bool read_beam(ts_reader *r, const ts_yaml *key, const ts_yaml *node) {
    int at = ts_find_part(r, key->text, key->length);
    if (at < 0) return ts_unknown_part(r, key, key->length, "beam", "");
    if (r->part[at].disputed) return true;
    if (r->part[at].state != TS_READY) return true; /* reported where it stands */
    double length = ts_beam_length(r->document->model, r->part[at].part);
    if (!(length > 0))
        return ts_report(r->source, key->start, "stations are places along beams",
                         "'%.60s' is not a beam", key->text);
    if (node->type != TS_YAML_LIST) return read_station(r, node, r->part[at].part, length);
    bool fine = true;
    for (int i = 0; i < node->count; i++)
        fine &= read_station(r, node->item[i], r->part[at].part, length);
    return fine;
}

bool ts_read_stations(ts_reader *r, const ts_yaml *node) {
    if (!node || ts_yaml_null(node)) return true;
    if (!ts_expect(r, node, TS_YAML_MAP, "stations: a mapping of beams to places along them"))
        return false;
    bool fine = true;
    for (int i = 0; i < node->count; i++) fine &= read_beam(r, node->key[i], node->item[i]);
    return fine;
}
