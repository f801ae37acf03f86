/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target without libFuzzer, so that fuzzing is part of the ordinary tests.
 *
 *     fuzz_x FILE...                      run the target on each file, to look into a crash
 *     fuzz_x [-runs=N] [-seed=N] [-seconds=N]
 *                                         run it on the corpus, then on N mutations of it, for so
 *                                         many seconds at most
 *
 * The target defines LLVMFuzzerTestOneInput, as for libFuzzer. Its corpus is tests/corpus/x/, or
 * the empty input when there is none. Mutations depend on the seed only, so a failure comes back
 * every time; the input that caused it is written to crash-fuzz_x in the working folder. An input
 * that takes longer than TIME_LIMIT seconds is a failure too.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* present when a sanitizer is */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

enum { TIME_LIMIT = 20, ROOM = 1 << 16 };

typedef struct {
    uint8_t *data;
    size_t size;
} bytes;

static struct {
    bytes *files;
    size_t count;
} corpus;

static bytes current;             /* what the target is reading now */
static char crash_name[256];      /* where it goes if the target fails */
static uint64_t random_state = 1; /* splitmix64 */

static uint64_t random_bits(void) {
    uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t random_below(size_t limit) { return limit ? (size_t)(random_bits() % limit) : 0; }

static void *claim(void *memory) {
    if (memory) return memory;
    fprintf(stderr, "fuzz driver: out of memory\n");
    exit(2);
}

// -- failures

/* Only calls that are safe in a signal handler. */
static void save_input(void) {
    static volatile sig_atomic_t done;
    if (done || !current.data) return;
    done = 1;
    static const char said[] = "\nfuzz driver: the input that failed is in ";
    int file = open(crash_name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    bool written = file >= 0 && write(file, current.data, current.size) == (ssize_t)current.size;
    if (written && write(2, said, sizeof said - 1) > 0 &&
        write(2, crash_name, strlen(crash_name)) > 0)
        (void)!write(2, "\n", 1);
    if (file >= 0) close(file);
}

static void on_signal(int number) {
    save_input();
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_for_failures(const char *program) {
    const char *slash = strrchr(program, '/');
    snprintf(crash_name, sizeof crash_name, "crash-%s", slash ? slash + 1 : program);
    signal(SIGABRT, on_signal);
    signal(SIGALRM, on_signal);
    signal(SIGTERM, on_signal);
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(save_input);
    } else {
        signal(SIGSEGV, on_signal);
        signal(SIGBUS, on_signal);
        signal(SIGFPE, on_signal);
        signal(SIGILL, on_signal);
    }
}

/* The target reads a copy of just the right size, so that a sanitizer sees every step beyond. */
static void run_target(const uint8_t *data, size_t size) {
    current = (bytes){claim(malloc(size ? size : 1)), size};
    if (size) memcpy(current.data, data, size);
    alarm(TIME_LIMIT);
    LLVMFuzzerTestOneInput(current.data, size);
    alarm(0);
    free(current.data);
    current = (bytes){0};
}

// -- files

static bytes read_bytes(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    bytes content = {claim(malloc(ROOM)), 0};
    for (size_t room = ROOM; !feof(file) && !ferror(file);) {
        content.size += fread(content.data + content.size, 1, room - content.size, file);
        if (content.size == room) content.data = claim(realloc(content.data, room *= 2));
    }
    fclose(file);
    return content;
}

static int is_file(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void read_corpus(const char *folder) {
    struct dirent **entries = NULL;
    int found = scandir(folder, &entries, is_file, alphasort);
    size_t count = found > 0 ? (size_t)found : 0;
    corpus.files = claim(calloc(count + 1, sizeof *corpus.files));
    for (size_t i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        corpus.files[corpus.count++] = read_bytes(path);
        free(entries[i]);
    }
    free(entries);
    printf("%zu files in %s\n", corpus.count, folder);
    if (!corpus.count) corpus.files[corpus.count++] = (bytes){claim(calloc(1, 1)), 0};
}

static void free_corpus(void) {
    for (size_t i = 0; i < corpus.count; i++) free(corpus.files[i].data);
    free(corpus.files);
}

// -- mutations: all work in place on a buffer with room for ROOM bytes

/* Replace `cut` bytes at `place` by `size` new ones, as far as there is room. */
static void splice(bytes *text, size_t place, size_t cut, const void *new, size_t size) {
    if (text->size - cut + size > ROOM) return;
    uint8_t *at = text->data + place;
    memmove(at + size, at + cut, text->size - place - cut);
    if (size) memcpy(at, new, size);
    text->size += size - cut;
}

static void change_byte(bytes *text) {
    if (text->size) text->data[random_below(text->size)] = (uint8_t)random_bits();
}

static void flip_bit(bytes *text) {
    if (text->size) text->data[random_below(text->size)] ^= (uint8_t)(1u << random_below(8));
}

static void remove_piece(bytes *text) {
    size_t place = random_below(text->size), most = text->size - place;
    splice(text, place, random_below((most < 64 ? most : 64) + 1), NULL, 0);
}

/* A piece of any corpus file, this one's too, goes anywhere, over the old text or before it. */
static void insert_piece(bytes *text) {
    bytes from = corpus.files[random_below(corpus.count)];
    size_t start = random_below(from.size), most = from.size - start;
    size_t size = random_below((most < 256 ? most : 256) + 1);
    size_t place = random_below(text->size + 1), rest = text->size - place;
    size_t cut = random_bits() & 1 ? (size < rest ? size : rest) : 0;
    splice(text, place, cut, from.data + start, size);
}

/* Things that readers of text and numbers have tripped over. */
static void insert_token(bytes *text) {
    static const char *const tokens[] = {
        "0",     "-1",         "1e308",
        "1e999", "-0.0",       "nan",
        "inf",   "2147483648", "18446744073709551616",
        "[",     "]",          "{",
        "}",     ":",          ": ",
        "- ",    "\n",         "\n  ",
        "\t",    "\"",         "'",
        "#",     "&a ",        "*a",
        "<<: ",  "---\n",      "null",
        "~",     "%",          "\xff\xfe",
        "(",     ")",          "*",
        "/",     "^",          ",",
    };
    const char *token = tokens[random_below(sizeof tokens / sizeof *tokens)];
    size_t place = random_below(text->size + 1);
    splice(text, place, 0, token, strlen(token));
}

/* Change one digit somewhere: numbers are where the meaning is. */
static void change_digit(bytes *text) {
    size_t start = random_below(text->size);
    for (size_t i = 0; i < text->size; i++) {
        uint8_t *c = text->data + (start + i) % text->size;
        if (*c < '0' || *c > '9') continue;
        *c = (uint8_t) "0123456789-.e"[random_below(13)];
        return;
    }
}

static void mutate(bytes *text) {
    static void (*const ways[])(bytes *) = {change_byte,  flip_bit,     remove_piece,
                                            insert_piece, insert_token, change_digit};
    for (size_t n = 1 + random_below(4); n > 0; n--)
        ways[random_below(sizeof ways / sizeof *ways)](text);
}

static long run_mutations(long runs, long seconds) {
    bytes text = {claim(malloc(ROOM)), 0};
    time_t end = time(NULL) + seconds;
    long i = 0;
    for (; i < runs && (seconds == 0 || time(NULL) < end); i++) {
        bytes from = corpus.files[random_below(corpus.count)];
        text.size = from.size < ROOM ? from.size : ROOM;
        if (text.size) memcpy(text.data, from.data, text.size);
        mutate(&text);
        run_target(text.data, text.size);
    }
    free(text.data);
    return i;
}

int main(int argc, char **argv) {
    long runs = 20000, seconds = 0;
    int files = 0;
    watch_for_failures(argv[0]);

    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "-runs=", 6)) {
            runs = strtol(argv[i] + 6, NULL, 10);
        } else if (!strncmp(argv[i], "-seconds=", 9)) {
            seconds = strtol(argv[i] + 9, NULL, 10);
        } else if (!strncmp(argv[i], "-seed=", 6)) {
            random_state = strtoull(argv[i] + 6, NULL, 10);
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "usage: %s [-runs=N] [-seed=N] [-seconds=N] [FILE...]\n", argv[0]);
            return 2;
        } else {
            bytes input = read_bytes(argv[i]);
            run_target(input.data, input.size);
            free(input.data);
            files++;
        }
    }
    if (files) return 0;

    read_corpus(CORPUS);
    for (size_t i = 0; i < corpus.count; i++)
        run_target(corpus.files[i].data, corpus.files[i].size);
    long done = run_mutations(runs, seconds);
    free_corpus();
    printf("%ld mutations, no failure\n", done);
    return 0;
}
