/* SPDX-License-Identifier: Apache-2.0 */
/* A page with its data, as one file. */
#include "picture/page_frame.h"

#include <string.h>

#include "base/error.h"
#include "torsor/torsor.h"

static const char MARK[] = "<!-- DATA -->";

int ts_page_frame_check(const ts_page_frame *frame) {
    if (strstr(frame->text, MARK)) return 0;
    return ts_fail(TORSOR_EIO,
                   "this torsor was built without the page of %s: node and npm were missing "
                   "(install them, run `make setup` and build again)",
                   frame->what);
}

static int write_frame(FILE *out, const void *context) {
    const ts_page_frame *frame = context;
    const char *mark = strstr(frame->text, MARK);
    fputs("<!doctype html>" TS_REPORT_MARK, out);
    fwrite(frame->text, 1, (size_t)(mark - frame->text), out);
    int status = frame->put(out, frame->context);
    fputs(mark + sizeof MARK - 1, out);
    return status;
}

ts_output ts_page_frame_output(int inputs, const char *const *input) {
    return (ts_output){
        .what = "a report", .mark = TS_REPORT_MARK, .input = input, .inputs = inputs};
}

int ts_page_frame_write(const ts_page_frame *frame, const char *path, int inputs,
                        const char *const *input) {
    ts_output output = ts_page_frame_output(inputs, input);
    int status = ts_page_frame_check(frame);
    return status ? status : ts_place_write(path, &output, write_frame, frame);
}
