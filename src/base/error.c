/* SPDX-License-Identifier: Apache-2.0 */
/* Errors: see error.h. */
#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"

enum { MESSAGE_SIZE = 1024, NAME_SIZE = 400, REPORT_SIZE = 8000 };

static _Thread_local char message[MESSAGE_SIZE];

static _Thread_local struct {
    int code, line, column;
    double time;
    char part[NAME_SIZE], file[NAME_SIZE], hint[NAME_SIZE], report[REPORT_SIZE];
} details;

static void forget_details(int code) {
    details.code = code, details.line = details.column = 0, details.time = NAN;
    *details.part = *details.file = *details.hint = *details.report = 0;
}

/* The new message may quote the old one, so it is written elsewhere first. */
int ts_fail(int code, const char *format, ...) {
    static const char cut[] = "...";
    char text[MESSAGE_SIZE];

    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    // a message too long ends in dots; one that cannot be formatted is shown as it stands
    if (length < 0) snprintf(text, sizeof text, "%s", format);
    if (length >= MESSAGE_SIZE) memcpy(text + sizeof text - sizeof cut, cut, sizeof cut);

    memcpy(message, ts_plain(text), strlen(text) + 1);
    forget_details(code);
    return code;
}

int ts_blame(int code, const char *part, double t) {
    snprintf(details.part, sizeof details.part, "%s", part);
    details.time = t;
    return code;
}

int ts_locate(int code, const char *file, int line, int column, const char *hint) {
    snprintf(details.file, sizeof details.file, "%s", file ? file : "");
    snprintf(details.hint, sizeof details.hint, "%s", hint ? hint : "");
    details.line = line, details.column = column;
    return code;
}

char *ts_error_report(size_t *size) {
    *size = sizeof details.report;
    return details.report;
}

const char *ts_error_message(void) { return message; }

const char *torsor_error(void) { return message; }

const torsor_problem *torsor_error_details(void) {
    static _Thread_local torsor_problem problem;
    problem = (torsor_problem){.status = details.code,
                               .message = message,
                               .part = details.part,
                               .time = details.code ? details.time : NAN,
                               .file = details.file,
                               .line = details.line,
                               .column = details.column,
                               .hint = details.hint,
                               .report = details.report};
    return &problem;
}

const char *torsor_version(void) { return TORSOR_VERSION; }
