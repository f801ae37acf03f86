/* Putting a new file in its place, so that nobody ever sees half of one and a failure leaves the
 * old one alone.
 *
 *   begin     follow links; refuse what is not a plain file; is there room?
 *   reserve   once the draft is there: claim the disk's blocks now, so that a full disk is found
 *             before the run and not hours into it
 *   commit    rename: the old file is there until the new one is
 */
#include "results/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"

static int fail(const char *path, int error) {
    const char *name = strrchr(path, '/');
    if (error == ENOENT && name && name > path)
        return ts_fail(TORSOR_EIO, "cannot write %s: there is no folder %.*s", path,
                       (int)(name - path), path);
    return ts_fail(TORSOR_EIO, "cannot write %s: %s", path, strerror(error));
}

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

/* The draft as an empty file: may it be made, and may it become so long? */
static int try_draft(const ts_place *place, uint64_t bytes) {
    unlink(place->draft); // left by a killed run of the same number
    int file = open(place->draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0) return fail(place->path, errno);
    int status = check_disk(place->path, file, bytes);
    if (!status && (bytes > INT64_MAX || ftruncate(file, (off_t)bytes)))
        status = fail(place->path, bytes > INT64_MAX ? EFBIG : errno);
    close(file);
    unlink(place->draft);
    return status;
}

static void remove_draft(void *draft) { unlink(draft); }

int ts_place_begin(ts_place *place, const char *path, uint64_t bytes) {
    struct stat old;
    bool exists = stat(path, &old) == 0;
    *place = (ts_place){0};
    if (exists && S_ISDIR(old.st_mode)) return fail(path, EISDIR);
    if (exists && !S_ISREG(old.st_mode))
        return ts_fail(TORSOR_EIO, "cannot write %s: it is not a plain file", path);

    char followed[PATH_MAX];
    place->path = ts_strdup(exists && realpath(path, followed) ? followed : path);
    size_t size = strlen(place->path) + 32;
    place->draft = ts_calloc(size, 1);
    snprintf(place->draft, size, "%s.tmp%ld", place->path, (long)getpid());
    ts_hold(remove_draft, place->draft);
    return try_draft(place, bytes);
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

int ts_place_commit(const ts_place *place) {
    int error = to_disk(place->draft);
    if (!error && rename(place->draft, place->path)) error = errno;
    return error ? fail(place->path, error) : 0;
}

int ts_place_stat(const char *path, uint64_t *device, uint64_t *inode) {
    struct stat now;
    if (stat(path, &now)) return fail(path, errno);
    *device = (uint64_t)now.st_dev, *inode = (uint64_t)now.st_ino;
    return 0;
}

void ts_place_clear(ts_place *place) {
    if (place->draft) ts_unhold(remove_draft, place->draft), remove_draft(place->draft);
    free(place->draft), free(place->path);
    *place = (ts_place){0};
}
