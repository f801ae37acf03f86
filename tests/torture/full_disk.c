/* SPDX-License-Identifier: Apache-2.0 */
/* A disk that is full: preloaded into torsor, lets the calls that write fail from the N-th on.
 *
 *   TORTURE_FULL_AT   number of the first call that fails; 0: none does
 *   TORTURE_ONCE      set: only that call fails, as where another program frees room at once
 *   TORTURE_COUNT     file to which the number of calls is written at the end
 *
 * Counted are write, pwrite, writev, ftruncate and fsync of plain files above descriptor 2, and
 * rename. Standard output and errors go on: they are how torsor tells. So do pipes, which need no
 * disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long calls;

static bool full(void) {
    const char *at = getenv("TORTURE_FULL_AT");
    long first = at ? atol(at) : 0;
    pthread_mutex_lock(&lock);
    long now = ++calls;
    pthread_mutex_unlock(&lock);
    bool fails = first > 0 && (getenv("TORTURE_ONCE") ? now == first : now >= first);
    if (fails) errno = ENOSPC;
    return fails;
}

/* Shared memory is no disk: clang's OpenMP makes some there as it starts. */
static bool on_disk(const struct stat *about) {
    struct stat memory;
    return S_ISREG(about->st_mode) &&
           !(stat("/dev/shm", &memory) == 0 && memory.st_dev == about->st_dev);
}

static bool no_room(int file) {
    struct stat about;
    return file > 2 && fstat(file, &about) == 0 && on_disk(&about) && full();
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("TORTURE_COUNT");
    if (!path) return;
    int (*real_open)(const char *, int, ...) = (int (*)(const char *, int, ...))next("open");
    ssize_t (*real_write)(int, const void *, size_t) =
        (ssize_t(*)(int, const void *, size_t))next("write");
    char text[32];
    int size = snprintf(text, sizeof text, "%ld\n", calls);
    int file = real_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) real_write(file, text, (size_t)size), close(file);
}

ssize_t write(int file, const void *from, size_t size) {
    if (no_room(file)) return -1;
    return ((ssize_t(*)(int, const void *, size_t))next("write"))(file, from, size);
}

ssize_t pwrite(int file, const void *from, size_t size, off_t at) {
    if (no_room(file)) return -1;
    return ((ssize_t(*)(int, const void *, size_t, off_t))next("pwrite"))(file, from, size, at);
}

ssize_t pwrite64(int file, const void *from, size_t size, off64_t at) {
    if (no_room(file)) return -1;
    return ((ssize_t(*)(int, const void *, size_t, off64_t))next("pwrite64"))(file, from, size, at);
}

ssize_t writev(int file, const struct iovec *from, int count) {
    if (no_room(file)) return -1;
    return ((ssize_t(*)(int, const struct iovec *, int))next("writev"))(file, from, count);
}

int ftruncate(int file, off_t size) {
    if (no_room(file)) return -1;
    return ((int (*)(int, off_t))next("ftruncate"))(file, size);
}

int ftruncate64(int file, off64_t size) {
    if (no_room(file)) return -1;
    return ((int (*)(int, off64_t))next("ftruncate64"))(file, size);
}

int fsync(int file) {
    if (no_room(file)) return -1;
    return ((int (*)(int))next("fsync"))(file);
}

int rename(const char *from, const char *to) {
    if (full()) return -1;
    return ((int (*)(const char *, const char *))next("rename"))(from, to);
}
