/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a new file so that no file is replaced without permission, no reader sees an incomplete
 * file, and a failure keeps the old file.
 *
 *   check     the rule: where there is no file, or an empty one, a new one may be made. A file is
 *             replaced if it is an earlier output of the same kind (ts_output), or if the caller
 *             forces it (ts_place_force). A file that the same call has read is never replaced.
 *   begin     follow links; refuse what is not a plain file; make and lock the draft; look for room
 *   reserve   once the draft is there: claim the disk's blocks now, so that a full disk is found
 *             before the run and not hours into it
 *   commit    fsync, rename, fsync of the folder: the old file is there until the new one is
 *
 * One writer at a time. The draft of a path has one name, and its writer holds a lock on it (of the
 * open file description: fcntl(2)). The lock is that of the file, not of its name: after the rename
 * it protects the file in its place, as long as the writer keeps it. So a second writer meets a
 * locked draft or a locked file. The locked file is checked after the draft has been locked, so
 * there is no gap. A draft without a lock was left by a process that died; the new writer reuses
 * it. File systems without locks have no such protection. Locks by flock(2) are not used because
 * they would exclude readers that use plain HDF5. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "base/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/stream.h"

enum { MARK_WITHIN = 1024, INPUTS_KEPT = 64, DRAFTS = 32, ATTEMPTS = 5 };
static const char ENDING[] = ".tmp-torsor";

static int fail(const char *path, int error) {
    const char *name = strrchr(path, '/');
    if (error == ENOENT && name && name > path)
        return ts_fail(TORSOR_EIO, "cannot write %s: there is no folder %.*s", path,
                       (int)(name - path), path);
    return ts_fail(TORSOR_EIO, "cannot write %s: %s", path, strerror(error));
}

/* ---- inputs ---- */

/* Identity of a file when it was read. The inode number alone is not enough: another file may get
 * it when this file is removed. */
typedef struct input {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
} input;

static _Thread_local input read_files[INPUTS_KEPT];
static _Thread_local int read_count;
static _Thread_local bool forced;

static input describe(const struct stat *s) {
    return (input){s->st_dev, s->st_ino, s->st_size, s->st_mtim};
}

static bool equal(const input *a, const input *b) {
    return a->inode == b->inode && a->device == b->device && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

static bool was_read(const struct stat *about) {
    input one = describe(about);
    for (int i = 0; i < INPUTS_KEPT && i < read_count; i++)
        if (equal(&read_files[i], &one)) return true;
    return false;
}

void ts_place_read(const struct stat *about) {
    if (was_read(about)) return;
    read_files[read_count % INPUTS_KEPT] = describe(about);
    read_count = read_count + 1 < 2 * INPUTS_KEPT ? read_count + 1 : INPUTS_KEPT;
}

bool ts_place_force(bool any) {
    bool before = forced;
    forced = any;
    return before;
}

static bool is_input(const struct stat *about, const ts_output *output) {
    struct stat other;
    if (was_read(about)) return true;
    for (int i = 0; i < output->inputs; i++)
        if (stat(output->input[i], &other) == 0 && other.st_dev == about->st_dev &&
            other.st_ino == about->st_ino)
            return true;
    return false;
}

/* ---- locks ---- */

/* Is this descriptor of a process one that locks? Its lines in /proc/PID/fdinfo say so. */
static bool locks(const char *process, const char *number) {
    char path[600], line[200];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%.20s/fdinfo/%.20s", process, number);
    FILE *lines = ts_open(path, "r");
    while (lines && !found && fgets(line, sizeof line, lines)) found = strstr(line, "OFDLCK");
    if (lines) ts_close(lines);
    return found;
}

static bool holds(const char *process, const struct stat *wanted) {
    char path[600];
    struct stat about;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%.20s/fd", process);
    DIR *list = opendir(path);
    for (struct dirent *e; list && !found && (e = readdir(list));)
        found = fstatat(dirfd(list), e->d_name, &about, 0) == 0 && about.st_ino == wanted->st_ino &&
                about.st_dev == wanted->st_dev && locks(process, e->d_name);
    if (list) closedir(list);
    return found;
}

/* The process that holds the lock of a file; 0: not known, as of other users' processes. */
static long holder(const struct stat *about) {
    long found = 0;
    DIR *list = opendir("/proc");
    for (struct dirent *e; list && !found && (e = readdir(list));)
        if (*e->d_name >= '1' && *e->d_name <= '9' && holds(e->d_name, about))
            found = atol(e->d_name);
    if (list) closedir(list);
    return found;
}

static int fail_locked(const char *path, int file) {
    struct stat about;
    long pid = fstat(file, &about) ? 0 : holder(&about);
    if (pid == (long)getpid())
        return ts_fail(TORSOR_EIO, "%s is being written by this process: finish that first", path);
    if (pid > 0)
        return ts_fail(TORSOR_EIO,
                       "%s is being written by process %ld: wait for it, or choose another name",
                       path, pid);
    return ts_fail(TORSOR_EIO,
                   "%s is being written by another process: wait for it, or choose another name",
                   path);
}

/* Takes the lock, unless another process has it. */
static bool is_taken(int file) {
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_OFD_SETLK, &all) && (errno == EAGAIN || errno == EACCES);
}

/* The file in its place, if there is one: does a run still write it? */
static int check_free(const char *path) {
    struct flock other = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), status = 0;
    if (file >= 0 && fcntl(file, F_OFD_GETLK, &other) == 0 && other.l_type != F_UNLCK)
        status = fail_locked(path, file);
    if (file >= 0) close(file);
    return status;
}

/* ---- the rule ---- */

static bool has_mark(const char *path, const char *mark) {
    char start[MARK_WITHIN + 1] = "";
    int file = mark ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t length = file < 0 ? 0 : read(file, start, MARK_WITHIN);
    if (file >= 0) close(file);
    return length > 0 && strstr(start, mark);
}

static bool is_ours(const char *path, const ts_output *output) {
    if (output->ours) return output->ours(path, output->context);
    return has_mark(path, output->mark);
}

static bool is_plain(const struct stat *about) { return S_ISREG(about->st_mode); }

static int check_replace(const char *path, const struct stat *old, const ts_output *output) {
    if (S_ISDIR(old->st_mode)) return fail(path, EISDIR);
    if (!is_plain(old)) return 0;
    if (is_input(old, output))
        return ts_fail(TORSOR_EIO, "%s was read as an input: not overwritten; choose another name",
                       path);
    if (forced || old->st_size == 0 || is_ours(path, output)) return 0;
    if (!output->what)
        return ts_fail(TORSOR_EIO,
                       "%s exists: not overwritten; choose another name, or give --force", path);
    return ts_fail(TORSOR_EIO,
                   "%s exists and is not %s: not overwritten; choose another name, or give --force",
                   path, output->what);
}

/* Without allocating: memory must not end between moving a file to its place and saying so. */
static const char *folder_of(const char *path, char folder[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    snprintf(folder, PATH_MAX, "%s", *path ? "." : "");
    if (slash) snprintf(folder, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return folder;
}

static int check_folder(const char *path) {
    char folder[PATH_MAX];
    return access(folder_of(path, folder), W_OK | X_OK) ? fail(path, errno) : 0;
}

int ts_place_check(const char *path, const ts_output *output) {
    struct stat old;
    if (stat(path, &old)) return errno == ENOENT ? check_folder(path) : fail(path, errno);
    int status = check_replace(path, &old, output);
    if (status || !is_plain(&old)) return status;
    if (access(path, W_OK)) return fail(path, errno);
    status = check_free(path);
    return status ? status : check_folder(path);
}

/* ---- drafts ---- */

typedef struct ts_draft {
    char *name;
    int lock; /* descriptor of the draft, later of the file; -1: given away */
    int slot; /* in `drafts`; -1: in none */
    bool there;
} ts_draft;

static _Atomic(const char *) drafts[DRAFTS];
static _Atomic pid_t owner; /* of the drafts: not a child that was forked since */

/* -1: too many; the others are removed by their owners only */
static int enlist(const char *name) {
    owner = getpid();
    for (int i = 0; i < DRAFTS; i++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&drafts[i], &none, name)) return i;
    }
    return -1;
}

void ts_place_abandon(void) {
    if (owner != getpid()) return;
    for (int i = 0; i < DRAFTS; i++) {
        const char *name = drafts[i];
        if (name) unlink(name);
    }
}

static void delist(ts_draft *d) {
    if (d->slot >= 0) drafts[d->slot] = NULL;
    d->slot = -1, d->there = false;
}

/* Also called when there is no memory. */
static void drop_draft(void *draft) {
    ts_draft *d = draft;
    if (d->there) unlink(d->name);
    delist(d);
    ts_place_let_go(d->lock);
    d->lock = -1;
}

/* ---- beginning a draft ---- */

/* Between opening and locking, the draft may have been moved to its place or removed. */
static bool still_named(int file, const char *name) {
    struct stat opened, named;
    return fstat(file, &opened) == 0 && stat(name, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* The locked draft; -1: failed, with a message. */
static int take_draft(const ts_place *place) {
    for (int i = 0; i < ATTEMPTS; i++) {
        int file = open(place->draft, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file < 0) return fail(place->path, errno), -1;
        bool locked = is_taken(file), named = still_named(file, place->draft);
        if (!locked && named) return file;
        if (locked && named) fail_locked(place->path, file);
        close(file);
        if (locked && named) return -1;
    }
    fail(place->path, EBUSY);
    return -1;
}

int ts_place_keep(ts_place *place) {
    int lock = place->held ? place->held->lock : -1;
    if (place->held) place->held->lock = -1;
    return lock;
}

/* The lock is shared with processes that were forked since: closing would not do. */
void ts_place_let_go(int lock) {
    if (lock < 0) return;
    struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    fcntl(lock, F_OFD_SETLK, &all);
    close(lock);
}

/* ---- room ---- */
static const char *human_size(double bytes, char text[32]) {
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    size_t u = 0;
    for (; bytes >= 1000 && u + 1 < sizeof unit / sizeof *unit; u++) bytes /= 1000;
    snprintf(text, 32, "%.3g %s", bytes, unit[u]);
    return text;
}

static int check_disk(const char *path, int file, uint64_t bytes) {
    struct statvfs disk;
    if (fstatvfs(file, &disk)) return 0; // nothing known: try
    double room = (double)disk.f_bavail * (double)disk.f_frsize;
    if ((double)bytes <= room) return 0;
    char needed[32], left[32];
    return ts_fail(TORSOR_EIO,
                   "cannot write %s: the run will store %s and the disk has %s left (store fewer "
                   "states, or write elsewhere)",
                   path, human_size((double)bytes, needed), human_size(room, left));
}

/* May the draft become so long? */
static int try_length(const ts_place *place, uint64_t bytes) {
    int file = place->held->lock;
    int status = check_disk(place->path, file, bytes);
    if (status) return status;
    if (bytes > INT64_MAX || ftruncate(file, (off_t)bytes) || ftruncate(file, 0))
        return fail(place->path, bytes > INT64_MAX ? EFBIG : errno);
    return 0;
}

/* ---- beginning and end ---- */

static void name_draft(ts_place *place, const char *path, bool exists) {
    char followed[PATH_MAX];
    place->path = ts_strdup(exists && realpath(path, followed) ? followed : path);
    size_t size = strlen(place->path) + sizeof ENDING;
    place->draft = ts_calloc(size, 1);
    snprintf(place->draft, size, "%s%s", place->path, ENDING);
}

/* Who may read the old file may read the new one. Some file systems have no modes. */
static void keep_mode(const ts_place *place, const struct stat *old) {
    if (fchmod(place->held->lock, old->st_mode & 0777)) return;
}

static int hold_draft(ts_place *place) {
    ts_draft *d = place->held = ts_calloc(1, sizeof *d);
    *d = (ts_draft){.name = place->draft, .lock = -1, .slot = -1};
    ts_hold(drop_draft, d);
    d->lock = take_draft(place);
    if (d->lock < 0) return TORSOR_EIO;
    d->there = true;
    d->slot = enlist(d->name);
    return 0;
}

int ts_place_begin(ts_place *place, const char *path, uint64_t bytes, const ts_output *output) {
    struct stat old;
    *place = (ts_place){0};
    bool exists = stat(path, &old) == 0;
    int status = output ? ts_place_check(path, output) : 0;
    if (status) return status;
    if (exists && !is_plain(&old))
        return ts_fail(TORSOR_EIO, "cannot write %s: it is not a plain file", path);
    name_draft(place, path, exists);
    status = hold_draft(place);
    if (!status && output) status = check_free(place->path);
    if (!status) status = try_length(place, bytes);
    if (!status && exists) keep_mode(place, &old);
    return status;
}

/* A disk that cannot promise its blocks (EINVAL, EOPNOTSUPP) gives them as they come. */
static int reserve(int file, uint64_t bytes) {
    struct stat now;
    if (fstat(file, &now)) return errno;
    off_t size = (off_t)bytes > now.st_size ? (off_t)bytes : now.st_size;
    int error = size > 0 ? posix_fallocate(file, 0, size) : 0;
    return error == EINVAL || error == EOPNOTSUPP ? 0 : error;
}

int ts_place_reserve(const ts_place *place, uint64_t bytes) {
    int file = open(place->draft, O_WRONLY | O_CLOEXEC);
    int error = file < 0 ? errno : reserve(file, bytes);
    if (file >= 0) close(file);
    return error ? fail(place->path, error) : 0;
}

static int to_disk(const char *path) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    int error = file < 0 || fsync(file) ? errno : 0;
    if (file >= 0) close(file);
    return error;
}

/* The name is safe from a power failure once the folder is written. Not all file systems support
 * this: the file is complete in any case. */
static void folder_to_disk(const char *path) {
    char folder[PATH_MAX];
    int file = open(folder_of(path, folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) fsync(file), close(file);
}

/* Nothing is allocated once the file has its name: memory that ends there would make an error of
 * a file that is in its place. */
int ts_place_commit(const ts_place *place) {
    int error = to_disk(place->draft);
    if (!error && rename(place->draft, place->path)) error = errno;
    if (!error) delist(place->held), folder_to_disk(place->path);
    return error ? fail(place->path, error) : 0;
}

int ts_place_stat(const char *path, uint64_t *device, uint64_t *inode) {
    struct stat now;
    if (stat(path, &now)) return fail(path, errno);
    *device = (uint64_t)now.st_dev, *inode = (uint64_t)now.st_ino;
    return 0;
}

void ts_place_clear(ts_place *place) {
    if (place->held) ts_unhold(drop_draft, place->held), drop_draft(place->held);
    free(place->held), free(place->draft), free(place->path);
    *place = (ts_place){0};
}

/* ---- streams ---- */

/* The first error is the one to report. */
static int write_stream(const char *name, const char *path,
                        int (*write)(FILE *out, const void *context), const void *context) {
    FILE *out = ts_open(name, "w");
    if (!out) return fail(path, errno);
    errno = 0;
    int status = write(out, context);
    int wrong = fflush(out) || ferror(out) ? (errno ? errno : EIO) : 0;
    if (ts_close(out) && !wrong) wrong = errno;
    return status || !wrong ? status : fail(path, wrong);
}

int ts_place_write(const char *path, const ts_output *output,
                   int (*write)(FILE *out, const void *context), const void *context) {
    struct stat old;
    if (stat(path, &old) == 0 && !is_plain(&old) && !S_ISDIR(old.st_mode))
        return write_stream(path, path, write, context);
    ts_place place;
    int status = ts_place_begin(&place, path, 0, output);
    if (!status) status = write_stream(place.draft, place.path, write, context);
    if (!status) status = ts_place_commit(&place);
    ts_place_clear(&place);
    return status;
}
