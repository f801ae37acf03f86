/* SPDX-License-Identifier: Apache-2.0 */
/* Error codes, the thread-local message, and allocation that never returns NULL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

static void fail_returns_its_code_and_keeps_the_message(void **state) {
    (void)state;
    assert_int_equal(ts_fail(TORSOR_EINVAL, "node %d has no %s", 7, "mass"), TORSOR_EINVAL);
    assert_string_equal(torsor_error(), "node 7 has no mass");
    assert_string_equal(ts_error_message(), torsor_error());
}

static void message_may_quote_the_one_before(void **state) {
    (void)state;
    ts_fail(TORSOR_EIO, "no such file");
    assert_int_equal(ts_fail(TORSOR_RETRY, "reading a.yaml: %s", torsor_error()), TORSOR_RETRY);
    assert_string_equal(torsor_error(), "reading a.yaml: no such file");
}

static void long_message_is_cut_with_dots(void **state) {
    (void)state;
    char text[5000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    ts_fail(TORSOR_EINVAL, "%s", text);
    size_t length = strlen(torsor_error());
    assert_in_range(length, 100, sizeof text - 2);
    assert_string_equal(torsor_error() + length - 4, "x...");
}

static void *fail_elsewhere(void *empty_at_first) {
    *(bool *)empty_at_first = torsor_error()[0] == 0;
    ts_fail(TORSOR_EIO, "elsewhere");
    return NULL;
}

static void each_thread_has_its_own_message(void **state) {
    (void)state;
    ts_fail(TORSOR_EINVAL, "here");
    bool empty_at_first = false;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &empty_at_first), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(empty_at_first);
    assert_string_equal(torsor_error(), "here");
}

static void version_has_three_numbers(void **state) {
    (void)state;
    int major, minor, patch;
    assert_int_equal(sscanf(torsor_version(), "%d.%d.%d", &major, &minor, &patch), 3);
    assert_string_equal(torsor_version(), TORSOR_VERSION);
}

static void memory_comes_zeroed_and_is_never_null(void **state) {
    (void)state;
    int *numbers = ts_calloc(3, sizeof *numbers);
    assert_true(numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 0);
    numbers[2] = 42;
    numbers = ts_realloc(numbers, 1000, sizeof *numbers);
    assert_int_equal(numbers[2], 42);
    free(numbers);

    void *nothing = ts_calloc(0, 8);
    assert_non_null(nothing);
    nothing = ts_realloc(nothing, 8, 0);
    assert_non_null(nothing);
    free(nothing);
}

static void copied_text_is_our_own(void **state) {
    (void)state;
    char *copy = ts_strdup("beam");
    assert_string_equal(copy, "beam");
    free(copy);
    assert_null(ts_strdup(NULL));
}

static int ask_for(size_t count, size_t size) {
    TS_TRAP_ASIDE();
    free(ts_calloc(3, 7));
    ts_calloc(100, 1); /* given back by the trap: the address sanitizer looks for what is left */
    free(ts_realloc(NULL, count, size));
    return TS_TRAP_END(0);
}

/* The product of count and size overflows: the caller must get an error, not a small block. */
static void size_overflow_is_out_of_memory(void **state) {
    (void)state;
    volatile size_t count = SIZE_MAX / 4;
    assert_int_equal(ask_for(count, 8), TORSOR_ENOMEM);
    assert_non_null(strstr(torsor_error(), "out of memory"));
    assert_int_equal(torsor_error_details()->status, TORSOR_ENOMEM);
}

/* A table of many blocks, taken out in another order than they were put in. */
static int many_blocks(int count, int step) {
    TS_TRAP_ASIDE();
    char **block = ts_calloc((size_t)count, sizeof *block);
    for (int i = 0; i < count; i++) block[i] = ts_calloc((size_t)i + 1, 1);
    for (int i = 0; i < count; i++) {
        int k = (int)((long)i * step % count);
        if (k % 3) block[k] = ts_realloc(block[k], 2 * (size_t)k + 50, 1);
        if (k % 2) free(block[k]);
    }
    ts_no_memory("on purpose"); /* the other half is the trap's to free */
}

static void blocks_are_known_until_they_are_freed(void **state) {
    (void)state;
    assert_int_equal(many_blocks(1000, 7), TORSOR_ENOMEM);
    assert_int_equal(many_blocks(1000, 333), TORSOR_ENOMEM);
    assert_string_equal(torsor_error(), "out of memory: on purpose");
}

static char *inner_text(char **out) {
    *out = ts_strdup("what the inner function gives");
    return *out;
}

static int inner(char **out) {
    TS_TRAP_ASIDE();
    return TS_TRAP_END(inner_text(out) == NULL);
}

static int outer(char **out) {
    TS_TRAP_ASIDE();
    inner(out);
    ts_no_memory("on purpose");
}

/* The address sanitizer finds the text if the outer trap does not know of it. */
static void what_an_inner_call_gave_is_given_back(void **state) {
    (void)state;
    char *text = NULL;
    assert_int_equal(outer(&text), TORSOR_ENOMEM);
}

static int closed;
static void count_closed(void *thing) { closed += *(int *)thing; }

static int hold_two(int *one, int *ten, bool fail) {
    TS_TRAP_ASIDE();
    ts_hold(count_closed, one);
    ts_hold(count_closed, ten);
    ts_unhold(count_closed, one);
    if (fail) ts_no_memory("on purpose");
    ts_unhold(count_closed, ten);
    return TS_TRAP_END(0);
}

static void what_is_held_is_closed_when_memory_ends(void **state) {
    (void)state;
    int one = 1, ten = 10;
    assert_int_equal(hold_two(&one, &ten, false), 0);
    assert_int_equal(closed, 0);
    assert_int_equal(hold_two(&one, &ten, true), TORSOR_ENOMEM);
    assert_int_equal(closed, 10);
}

/* Growth at least doubles the room, whatever the type that counts it. */
static void arrays_grow(void **state) {
    (void)state;
    double *numbers = NULL;
    int room = 0, growths = 0;
    for (int i = 0; i < 10000; i++) {
        int before = room;
        ts_grow(numbers, room, i + 1);
        growths += room != before;
        numbers[i] = i;
    }
    assert_true(growths <= 11 && room >= 10000);
    for (int i = 0; i < 10000; i++) assert_true(numbers[i] == i);
    free(numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fail_returns_its_code_and_keeps_the_message),
        cmocka_unit_test(message_may_quote_the_one_before),
        cmocka_unit_test(long_message_is_cut_with_dots),
        cmocka_unit_test(each_thread_has_its_own_message),
        cmocka_unit_test(version_has_three_numbers),
        cmocka_unit_test(memory_comes_zeroed_and_is_never_null),
        cmocka_unit_test(copied_text_is_our_own),
        cmocka_unit_test(size_overflow_is_out_of_memory),
        cmocka_unit_test(blocks_are_known_until_they_are_freed),
        cmocka_unit_test(what_an_inner_call_gave_is_given_back),
        cmocka_unit_test(what_is_held_is_closed_when_memory_ends),
        cmocka_unit_test(arrays_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
