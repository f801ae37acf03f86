/* SPDX-License-Identifier: Apache-2.0 */
/* The server of `torsor view` without its network: which requests are admitted, what a board keeps
 * and gives (samples thinned evenly, poses of the last frame only, orders of several browsers), and
 * that a poll wakes up when something is new and when the board is closed. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "server/board.h"

/* ---- requests ---- */

static const server_gate GATE = {"0123456789abcdef0123456789abcdef", 8123};
#define PATH "/0123456789abcdef0123456789abcdef/"

static int admit(const char *method, const char *url, const char *host, const char *origin) {
    server_call call = {method, url, host, origin};
    server_order order;
    return server_admit(&GATE, &call, &order);
}

static void test_who_is_admitted(void **state) {
    (void)state;
    const char *here = "127.0.0.1:8123";
    assert_int_equal(admit("GET", PATH, here, NULL), 200);
    assert_int_equal(admit("GET", PATH, "localhost:8123", "http://localhost:8123"), 200);
    assert_int_equal(admit("GET", PATH, "evil.example:8123", NULL), 403);
    assert_int_equal(admit("GET", PATH, "127.0.0.1", NULL), 403);
    assert_int_equal(admit("GET", PATH, "127.0.0.1:8124", NULL), 403);
    assert_int_equal(admit("GET", PATH, NULL, NULL), 403);
    assert_int_equal(admit("GET", PATH, here, "http://evil.example"), 403);
    assert_int_equal(admit("GET", PATH, here, "null"), 403);
    assert_int_equal(admit("GET", PATH, here, "https://127.0.0.1:8123"), 403);
    assert_int_equal(admit("GET", "/0123456789abcdef0123456789abcdee/", here, NULL), 404);
    assert_int_equal(admit("GET", "/0123456789abcdef", here, NULL), 404);
    assert_int_equal(admit("GET", "/0123456789abcdef0123456789abcdef", here, NULL), 404);
    assert_int_equal(admit("GET", "/", here, NULL), 404);
    assert_int_equal(admit("GET", PATH "../../etc/passwd", here, NULL), 404);
    assert_int_equal(admit("GET", PATH "poll/", here, NULL), 404);
    assert_int_equal(admit("GET", PATH "do", here, NULL), 405);
    assert_int_equal(admit("POST", PATH, here, NULL), 405);
}

static void test_parameters(void **state) {
    (void)state;
    server_order order = {.verb = SERVER_SET};
    char text[SERVER_TEXT + 10];
    memset(text, 'x', sizeof text), text[SERVER_TEXT - 1] = 0;
    assert_int_equal(server_complete(&order), 400);
    assert_int_equal(server_parameter(&order, "name", text), 200);
    text[SERVER_TEXT - 1] = 'x', text[SERVER_TEXT] = 0;
    assert_int_equal(server_parameter(&order, "name", text), 400);
    assert_int_equal(server_parameter(&order, "value", "1\n2"), 400);
    assert_int_equal(server_parameter(&order, "value", ""), 400);
    assert_int_equal(server_parameter(&order, "value", NULL), 400);
    assert_int_equal(server_parameter(&order, "value", "20 mm"), 200);
    assert_int_equal(server_complete(&order), 200);
    order = (server_order){.verb = SERVER_POLL};
    assert_int_equal(server_parameter(&order, "frame", "12"), 200);
    assert_int_equal((int)order.seen.frame, 12);
    assert_int_equal(server_parameter(&order, "frame", "-1"), 400);
    assert_int_equal(server_parameter(&order, "frame", "99999999999999999999"), 400);
    assert_int_equal(server_parameter(&order, "other", "1"), 400);
    order = (server_order){.verb = SERVER_WATCH};
    for (int i = 0; i < SERVER_CHANNELS; i++)
        assert_int_equal(server_parameter(&order, "channel", "a"), 200);
    assert_int_equal(server_parameter(&order, "channel", "a"), 400);
}

/* ---- the board ---- */

/* A number of the JSON of an answer. */
static double number_of(server_bytes bytes, const char *key) {
    char name[40];
    snprintf(name, sizeof name, "\"%s\":", key);
    char *copy = calloc(bytes.size + 1, 1);
    memcpy(copy, (char *)bytes.data + 8, bytes.size - 8);
    const char *at = strstr(copy, name);
    assert_non_null(at);
    double value = strtod(at + strlen(name), NULL);
    free(copy);
    return value;
}

static const double *samples_of(server_bytes bytes) {
    uint32_t length;
    memcpy(&length, bytes.data, sizeof length);
    assert_int_equal(length % 8, 0);
    return (const double *)(const void *)((char *)bytes.data + 8 + length);
}

/* However many samples come, few are kept, evenly, with the first. */
static void test_thinning(void **state) {
    (void)state;
    server_board *b = server_board_new();
    server_board_begin(b, 0);
    enum { ALL = 100000 };
    for (int i = 0; i < ALL; i++) {
        double row[SERVER_WIDTH] = {i};
        server_board_sample(b, row);
    }
    server_bytes got = server_board_poll(b, &(server_seen){0});
    int rows = (int)number_of(got, "rows"), width = (int)number_of(got, "width");
    const double *sample = samples_of(got);
    assert_true(rows > SERVER_MOST / 2 - 2 && rows <= SERVER_MOST);
    assert_int_equal(width, SERVER_ENERGIES);
    double stride = sample[width];
    assert_true(stride >= ALL / SERVER_MOST && stride <= 4.0 * ALL / SERVER_MOST);
    for (int i = 0; i < rows; i++) assert_true(sample[i * width] == i * stride);
    server_seen seen = {(uint64_t)number_of(got, "state_version"), 0,
                        (uint64_t)number_of(got, "series"), (uint64_t)rows};
    server_bytes again = server_board_poll(b, &seen);
    assert_int_equal((int)number_of(again, "rows"), 0);
    assert_int_equal((int)number_of(again, "first"), rows);
    free(got.data), free(again.data);
    server_board_free(b);
}

/* Other channels: energies stay, earlier values of the new ones are not known. */
static void test_widening(void **state) {
    (void)state;
    server_board *b = server_board_new();
    server_board_begin(b, 0);
    static const int WIDTHS[] = {0, 3, 1, 5};
    int rows = 0;
    for (size_t k = 0; k < sizeof WIDTHS / sizeof *WIDTHS; k++) {
        server_board_widen(b, WIDTHS[k], NULL);
        for (int i = 0; i < 3; i++) {
            double row[SERVER_WIDTH];
            for (int c = 0; c < SERVER_WIDTH; c++) row[c] = 100 * rows + c;
            server_board_sample(b, row), rows++;
        }
    }
    server_bytes got = server_board_poll(b, &(server_seen){0});
    const double *sample = samples_of(got);
    int width = (int)number_of(got, "width");
    assert_int_equal(width, SERVER_ENERGIES + 5);
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < width; c++) {
            double value = sample[i * width + c];
            if (c < SERVER_ENERGIES || i >= rows - 3)
                assert_true(value == 100 * i + c);
            else
                assert_true(isnan(value));
        }
    free(got.data);
    server_board_free(b);
}

/* Channels that stay keep their history, at whatever place they are now. */
static void test_widening_keeps_channels(void **state) {
    (void)state;
    server_board *b = server_board_new();
    server_board_begin(b, 0);
    static const int FIRST[] = {-1, -1}, MORE[] = {1, -1, 0}, LESS[] = {2};
    double row[SERVER_WIDTH] = {0};
    server_board_widen(b, 2, FIRST);
    for (int i = 0; i < 4; i++) {
        row[0] = i, row[SERVER_ENERGIES] = 10 + i, row[SERVER_ENERGIES + 1] = 20 + i;
        server_board_sample(b, row);
    }
    server_board_widen(b, 3, MORE);
    server_bytes got = server_board_poll(b, &(server_seen){0});
    int width = (int)number_of(got, "width");
    assert_int_equal(width, SERVER_ENERGIES + 3);
    for (int i = 0; i < 4; i++) {
        const double *sample = samples_of(got) + i * width;
        assert_true(sample[0] == i && sample[SERVER_ENERGIES] == 20 + i);
        assert_true(isnan(sample[SERVER_ENERGIES + 1]) && sample[SERVER_ENERGIES + 2] == 10 + i);
    }
    free(got.data);
    server_board_widen(b, 1, LESS);
    got = server_board_poll(b, &(server_seen){0});
    width = (int)number_of(got, "width");
    assert_int_equal(width, SERVER_ENERGIES + 1);
    for (int i = 0; i < 4; i++) assert_true(samples_of(got)[i * width + SERVER_ENERGIES] == 10 + i);
    free(got.data);
    server_board_free(b);
}

static void test_orders(void **state) {
    (void)state;
    server_board *b = server_board_new();
    server_order set = {.verb = SERVER_SET, .name = "L", .value = "1"};
    server_order deed = {.verb = SERVER_DO, .deed = SERVER_RUN};
    char name[SERVER_TEXT], value[SERVER_TEXT], channel[SERVER_CHANNELS][SERVER_TEXT];
    assert_true(server_board_order(b, &set) && server_board_order(b, &deed));
    strcpy(set.value, "2"), deed.deed = SERVER_PAUSE;
    assert_true(server_board_order(b, &set) && server_board_order(b, &deed));
    assert_int_equal(server_board_deeds(b), SERVER_RUN | SERVER_PAUSE);
    assert_int_equal(server_board_deeds(b), 0);
    assert_true(server_board_parameter(b, name, value));
    assert_string_equal(value, "2"); /* the last one counts */
    assert_false(server_board_parameter(b, name, value));
    assert_int_equal(server_board_channels(b, channel), -1);
    server_order watch = {.verb = SERVER_WATCH, .channel = {"hinge.angle"}, .channels = 1};
    server_board_order(b, &watch);
    assert_int_equal(server_board_channels(b, channel), 1);
    assert_string_equal(channel[0], "hinge.angle");
    bool kept = true;
    for (int i = 0; i < 1000; i++) {
        snprintf(set.name, sizeof set.name, "p%d", i);
        kept = server_board_order(b, &set);
    }
    assert_false(kept); /* a flood is refused */
    server_board_free(b);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *poll_now(void *context) {
    server_seen seen = {1, 1, 1, 0};
    server_bytes got = server_board_poll(context, &seen);
    double version = number_of(got, "state_version");
    free(got.data);
    return (void *)(intptr_t)version;
}

static void test_waking(void **state) {
    (void)state;
    for (int close = 0; close < 2; close++) {
        server_board *b = server_board_new();
        pthread_t two[2];
        void *version;
        double begun = seconds();
        for (int i = 0; i < 2; i++) pthread_create(&two[i], NULL, poll_now, b);
        nanosleep(&(struct timespec){0, 50000000}, NULL);
        if (close)
            server_board_close(b);
        else
            server_board_state(b, "{\"a\": 1}", NULL);
        for (int i = 0; i < 2; i++) {
            pthread_join(two[i], &version);
            assert_int_equal((intptr_t)version, close ? 1 : 2);
        }
        assert_true(seconds() - begun < 10); /* the patience of a poll is 20 s */
        server_board_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_is_admitted),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_thinning),
        cmocka_unit_test(test_widening),
        cmocka_unit_test(test_widening_keeps_channels),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_waking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
