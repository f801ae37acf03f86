/* SPDX-License-Identifier: Apache-2.0 */
/* The table of channels (src/output/channels.inc) and its texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/catalogue.h"

static int components_of(const ts_channel *c) {
    char word[64];
    int count = 0;
    while (ts_channel_word(c, count, word, sizeof word)) count++;
    return count;
}

/* ---- the table ---- */

/* Every number of a row has a name, if one has; a column has a unit for each of them. */
static void components_have_names_and_units(void **state) {
    (void)state;
    for (int i = 0; i < TS_CHANNEL_COUNT; i++) {
        const ts_channel *c = TS_CHANNELS[i];
        const char *name = c->name ? c->name : c->column ? c->column : c->picture;
        int count = components_of(c);
        if (c->name && count > 0 && count != c->width) fail_msg("%s: %d names", name, count);
        if (c->name && count == 0 && c->width != 1) fail_msg("%s: no names", name);
        if (c->column && !c->unit) fail_msg("%s has no unit", name);
        if (c->pick && !c->pick_by_angle && (int)strlen(c->pick) != count)
            fail_msg("%s: units of %d components", name, (int)strlen(c->pick));
        if (!c->help || strlen(c->help) < 10) fail_msg("%s: no help", name);
        char unit[16];
        for (int k = 0; k < (count ? count : 1) && c->column; k++) {
            ts_channel_unit(c, k, true, unit, sizeof unit);
            if (!*unit) fail_msg("%s, component %d: no unit", name, k);
        }
    }
}

/* An array is filled by its own function or by that of one other, of the same family and group. */
static void every_array_is_filled_once(void **state) {
    (void)state;
    int filled[TS_SERIES_COUNT] = {0};
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        const ts_channel *c = &TS_SERIES[i];
        assert_int_equal(c->series, i);
        filled[i] += c->fill != NULL;
        if (!c->with) continue;
        filled[c->with]++;
        assert_int_equal(TS_SERIES[c->with].each, c->each);
        assert_int_equal(TS_SERIES[c->with].group, c->group);
        assert_int_equal(TS_SERIES[c->with].width, c->width);
    }
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (filled[i] != 1) fail_msg("%s is filled %d times", TS_SERIES[i].name, filled[i]);
}

/* Two channels of one family never make the same column, nor two arrays the same name. */
static void names_are_unique(void **state) {
    (void)state;
    for (int i = 0; i < TS_CHANNEL_COUNT; i++)
        for (int j = 0; j < i; j++) {
            const ts_channel *a = TS_CHANNELS[i], *b = TS_CHANNELS[j];
            char first[64], other[64];
            if (a->name && b->name && a->group == b->group)
                assert_string_not_equal(a->name, b->name);
            if (!a->column || !b->column || a->each != b->each || strcmp(a->column, b->column) != 0)
                continue;
            for (int k = 0; ts_channel_word(a, k, first, sizeof first); k++)
                for (int l = 0; ts_channel_word(b, l, other, sizeof other); l++)
                    assert_string_not_equal(first, other);
        }
}

static void families_know_their_stations(void **state) {
    (void)state;
    assert_int_equal(ts_each_of_station(TS_STATION_LINE), TS_EACH_STATION);
    assert_int_equal(ts_each_of_station(TS_STATION_SHELL), TS_EACH_SHELL_POINT);
    assert_int_equal(ts_each_of_station(TS_STATION_SOLID), TS_EACH_SOLID_POINT);
    for (int e = 0; e < TS_EACH_COUNT; e++) {
        assert_non_null(TS_FAMILY[e].word);
        assert_true(!TS_FAMILY[e].list != !TS_FAMILY[e].count);
    }
}

/* Reports colour by numbers of stations: a label for each component, or one for the one number that
 * a cell has. No two colours have the same key, which is the component or the picture. */
static void colours_have_labels_and_keys(void **state) {
    (void)state;
    char label[64], keys[64][64];
    int colours = 0;
    for (int i = 0; i < TS_CHANNEL_COUNT; i++) {
        const ts_channel *c = TS_CHANNELS[i];
        int count = 0;
        if (!c->colour) continue;
        assert_true(TS_FAMILY[TS_SERIES[c->series].each].station != TS_STATION_NONE);
        while (ts_channel_colour(c, count, label, sizeof label)) {
            char *key = keys[colours++];
            assert_true(colours < 64 && strlen(label) > 3);
            if (!ts_channel_word(c, count, key, sizeof keys[0]))
                assert_true(ts_channel_picture(c, 0, key, sizeof keys[0]));
            for (int k = 0; k < colours - 1; k++) assert_string_not_equal(keys[k], key);
            count++;
        }
        assert_int_equal(count, c->in_cell ? 1 : components_of(c));
    }
    assert_true(colours > 0);
}

/* ---- words ---- */

static void unit_of(const ts_channel *c, int component, bool angle, const char *wanted) {
    char unit[16];
    ts_channel_unit(c, component, angle, unit, sizeof unit);
    assert_string_equal(unit, wanted);
}

static void units_are_picked_from_the_list(void **state) {
    (void)state;
    const ts_channel *shell = &TS_SERIES[TS_FRAME_SHELL_FORCE];
    const char *const wanted[] = {"N/m", "N/m", "N/m", "N", "N", "N", "N/m", "N/m"};
    for (int k = 0; k < 8; k++) unit_of(shell, k, false, wanted[k]);
    unit_of(&TS_SERIES[TS_FRAME_COORDINATE], 0, true, "rad");
    unit_of(&TS_SERIES[TS_FRAME_COORDINATE], 0, false, "m");
    unit_of(&TS_SERIES[TS_FRAME_COORDINATE_RATE], 0, false, "m/s");
    unit_of(&TS_SERIES[TS_FRAME_ANGULAR], 2, false, "kg m^2/s");
}

static void stress_of_mises(void **state) {
    (void)state;
    assert_true(fabs(ts_mises((const double[]){7, 0, 0, 0, 0, 0}) - 7) < 1e-14);
    assert_true(ts_mises((const double[]){5, 5, 5, 0, 0, 0}) < 1e-14);
    assert_true(fabs(ts_mises((const double[]){0, 0, 0, 0, 2, 0}) - 2 * sqrt(3)) < 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_have_names_and_units),
        cmocka_unit_test(every_array_is_filled_once),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(families_know_their_stations),
        cmocka_unit_test(colours_have_labels_and_keys),
        cmocka_unit_test(units_are_picked_from_the_list),
        cmocka_unit_test(stress_of_mises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
