/* SPDX-License-Identifier: Apache-2.0 */
/* FINE(call): a public function that must succeed; if it does not, its message is printed.
 *
 * Include it after cmocka.h and after the header of torsor that the test is for.
 */
#ifndef TEST_FINE_H
#define TEST_FINE_H

#define FINE(call) assert_fine(call, __FILE__, __LINE__)

static inline void assert_fine(int status, const char *file, int line) {
    if (status) print_error("torsor: %s\n", torsor_error());
    _assert_int_equal(cast_to_largest_integral_type(status), 0, file, line);
}

#endif
