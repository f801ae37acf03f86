/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in a page of HTML.
 *
 * Numbers of neighbours differ in their last bytes only: so the bytes are sorted by place (all
 * first bytes, then all second ones), and motion, as integers, is written as differences from the
 * state before. zlib's deflate, without header, then finds what repeats; the browser's
 * DecompressionStream undoes it. Base64, because a page is text.
 */
#include "picture/report_blob.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"

static const struct {
    const char *name;
    size_t size;
} TYPE[] = {[TS_BLOB_I16] = {"i16", 2},
            [TS_BLOB_I32] = {"i32", 4},
            [TS_BLOB_F32] = {"f32", 4},
            [TS_BLOB_F64] = {"f64", 8}};

enum { CHUNK = 3 << 14 }; /* a multiple of 3, so that base64 needs no filling in between */

static void base64(FILE *out, const unsigned char *bytes, size_t count) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4 * CHUNK / 3];
    size_t length = 0;
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        unsigned b = (unsigned)bytes[i] << 16;
        if (left > 1) b |= (unsigned)bytes[i + 1] << 8;
        if (left > 2) b |= bytes[i + 2];
        text[length++] = digit[b >> 18], text[length++] = digit[b >> 12 & 63];
        text[length++] = left > 1 ? digit[b >> 6 & 63] : '=';
        text[length++] = left > 2 ? digit[b & 63] : '=';
    }
    fwrite(text, 1, length, out);
}

static int deflate_to(FILE *out, unsigned char *bytes, size_t count) {
    z_stream z = {.next_in = bytes};
    unsigned char *chunk = ts_calloc(CHUNK, 1);
    if (deflateInit2(&z, 6, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(chunk);
        return ts_fail(TORSOR_EIO, "zlib does not start");
    }
    int state = Z_OK;
    size_t filled = 0;
    while (state != Z_STREAM_END) { /* zlib counts in unsigned int: feed at most 1 GB at a time */
        size_t left = (size_t)(bytes + count - z.next_in);
        bool last = left <= 1u << 30;
        z.avail_in = (unsigned)(last ? left : 1u << 30);
        z.next_out = chunk + filled, z.avail_out = (unsigned)(CHUNK - filled);
        state = deflate(&z, last ? Z_FINISH : Z_NO_FLUSH);
        filled = CHUNK - z.avail_out;
        if (filled == CHUNK) base64(out, chunk, filled), filled = 0;
    }
    base64(out, chunk, filled);
    deflateEnd(&z);
    free(chunk);
    return 0;
}

static void subtract_rows(unsigned char *bytes, int64_t rows, int64_t width) {
    int16_t *x = (int16_t *)(void *)bytes;
    for (int64_t i = rows * width - 1; i >= width; i--)
        x[i] = (int16_t)(uint16_t)((unsigned)x[i] - (unsigned)x[i - width]);
}

static unsigned char *sorted(const unsigned char *bytes, size_t count, size_t size) {
    unsigned char *out = ts_calloc(count * size + 1, 1);
    for (size_t b = 0; b < size; b++)
        for (size_t i = 0; i < count; i++) out[b * count + i] = bytes[i * size + b];
    return out;
}

static void describe(ts_page *page, const ts_blob *blob) {
    ts_json *j = page->json;
    ts_json_open(j, blob->key, '{');
    ts_json_count(j, "blob", page->count);
    ts_json_text(j, "type", TYPE[blob->type].name);
    ts_json_count(j, "rows", (long)blob->rows);
    ts_json_count(j, "width", (long)blob->width);
    ts_json_flag(j, "delta", blob->delta);
    ts_json_close(j, '}');
}

int ts_page_blob(ts_page *page, ts_blob blob, const void *data) {
    size_t count = (size_t)(blob.rows * blob.width), size = TYPE[blob.type].size;
    describe(page, &blob);
    unsigned char *copy = ts_calloc(count * size + 1, 1);
    if (count) memcpy(copy, data, count * size);
    if (blob.delta) subtract_rows(copy, blob.rows, blob.width);
    unsigned char *bytes = sorted(copy, count, size);
    free(copy);
    fprintf(page->out, "<script type=\"text/plain\" id=\"blob%d\">", page->count++);
    int status = deflate_to(page->out, bytes, count * size);
    fputs("</script>\n", page->out);
    free(bytes);
    return status;
}
