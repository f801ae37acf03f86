/* What the files of the public interface share. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "api/api.h"
#include "base/error.h"
#include "results/h5.h"

static pthread_mutex_t libraries = PTHREAD_MUTEX_INITIALIZER;

/* A process that is forked while another thread is in HDF5 would find the lock held for ever. */
__attribute__((constructor)) static void be_ready_to_fork(void) {
    pthread_atfork(ts_lock_libraries, ts_unlock_libraries, ts_unlock_libraries);
}

void ts_lock_libraries(void) { pthread_mutex_lock(&libraries); }
void ts_unlock_libraries(void) { pthread_mutex_unlock(&libraries); }

int ts_out_of_range(const char *what, int64_t index, int64_t count) {
    if (count == 0) return ts_fail(TORSOR_EINVAL, "there is no %s", what);
    return ts_fail(TORSOR_EINVAL, "there is no %s %lld: they go from 0 to %lld", what,
                   (long long)index, (long long)count - 1);
}

int ts_null_argument(const char *function) {
    return ts_fail(TORSOR_EINVAL, "%s was called with a NULL that it cannot do without", function);
}

int ts_check_target(const char *path) {
    struct stat about;
    if (stat(path, &about) || !S_ISREG(about.st_mode) || about.st_size == 0) return 0;
    ts_lock_libraries();
    bool ours = ts_h5_is_hdf5(path);
    ts_unlock_libraries();
    if (ours) return 0;
    return ts_fail(TORSOR_EIO,
                   "%s exists and is not a results file: not overwritten; choose another name",
                   path);
}

int ts_memo_open(ts_memo *memo) {
    *memo = (ts_memo){0};
    memo->out = open_memstream(&memo->text, &memo->length);
    return memo->out ? 0 : ts_fail(TORSOR_EIO, "no memory to write to: %s", strerror(errno));
}

int ts_memo_take(ts_memo *memo, int status, char **out) {
    fclose(memo->out);
    if (status) free(memo->text);
    *out = status ? NULL : memo->text;
    return status;
}

double ts_wall_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void torsor_text_free(char *text) { free(text); }

int torsor_schema(char **out) {
    ts_memo memo;
    if (!out) return ts_null_argument("torsor_schema");
    *out = NULL;
    int status = ts_memo_open(&memo);
    if (status) return status;
    ts_schema_print(memo.out);
    return ts_memo_take(&memo, 0, out);
}
