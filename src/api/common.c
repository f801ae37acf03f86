/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the public interface share. */
#include <stdlib.h>

#include "api/api.h"
#include "base/error.h"
#include "base/stream.h"

int ts_out_of_range(const char *what, int64_t index, int64_t count) {
    if (count == 0) return ts_fail(TORSOR_EINVAL, "there is no %s", what);
    return ts_fail(TORSOR_EINVAL, "there is no %s %lld: valid are 0 to %lld", what,
                   (long long)index, (long long)count - 1);
}

int ts_null_argument(const char *function) {
    return ts_fail(TORSOR_EINVAL, "%s was called with NULL for a required argument", function);
}

int ts_memo_open(ts_memo *memo) {
    memo->text = ts_text_begin();
    memo->out = memo->text->out;
    return 0;
}

int ts_memo_take(ts_memo *memo, int status, char **out) {
    char *text = ts_text_end(memo->text);
    *out = status ? NULL : ts_give(text);
    if (status) free(text);
    return status;
}

void torsor_text_free(char *text) { free(text); }

int ts_api_schema(char **out) {
    ts_memo memo;
    if (!out) return ts_null_argument("torsor_schema");
    *out = NULL;
    int status = ts_memo_open(&memo);
    if (status) return status;
    ts_schema_print(memo.out);
    return ts_memo_take(&memo, 0, out);
}

bool ts_any_null(int count, const char *const *text) {
    for (int i = 0; i < count; i++)
        if (!text || !text[i]) return true;
    return false;
}
