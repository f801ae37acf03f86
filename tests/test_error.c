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

/* The product of count and size overflows: a child must exit with a message, not get a small block. */
static void size_overflow_is_out_of_memory(void **state) {
    (void)state;
    volatile size_t count = SIZE_MAX / 4;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(3);
        free(ts_realloc(NULL, count, 8));
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
