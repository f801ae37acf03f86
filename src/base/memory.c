/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, pools and traps. See memory.h.
 *
 * A pool knows its blocks by a table of their addresses: open addressing with linear probing, and
 * deletion that moves later entries up (Knuth, The Art of Computer Programming 3, 6.4, algorithm
 * R). A block is plain memory of the C library, with nothing in front of it: a block that is in no
 * pool may be freed by any code. */
#include "base/memory.h"

#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

#undef free

struct ts_pool {
    void **slot; /* NULL: free */
    size_t room; /* a power of two, or 0 */
    size_t count;
    bool broken;
};

static _Thread_local ts_trap *trap;
static _Thread_local struct {
    long count, fails_at;
    bool all;
} injection;

/* ---- running out ---- */

static _Noreturn void jump_out(void) {
    assert(trap && trap->kind != TS_POOL_ENDING && "out of memory, and no trap is set");
    longjmp(trap->jump, 1);
}

void ts_no_memory(const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ts_fail(TORSOR_ENOMEM, "out of memory: %s", text);
    jump_out();
}

static _Noreturn void none_left(size_t count, size_t size) {
    ts_fail(TORSOR_ENOMEM, "out of memory (%zu times %zu bytes wanted)", count, size);
    jump_out();
}

long ts_fail_allocation(long k, bool all) {
    long count = injection.count;
    injection.count = 0, injection.fails_at = k, injection.all = all;
    return count;
}

/* A pool that cannot be allocated is an allocation failure. */
static bool must_fail(void) {
    long n = ++injection.count, at = injection.fails_at;
    if (at > 0 && (injection.all ? n >= at : n == at)) return true;
    return trap && trap->no_pool;
}

/* ---- the table of a pool ---- */

static size_t home(const ts_pool *pool, const void *block) {
    uint64_t hash = (uint64_t)(uintptr_t)block * 0x9E3779B97F4A7C15u;
    return (size_t)(hash >> 20) & (pool->room - 1);
}

/* The slot of the block, or the free one where it would be. */
static size_t find(const ts_pool *pool, const void *block) {
    size_t at = home(pool, block);
    while (pool->slot[at] && pool->slot[at] != block) at = (at + 1) & (pool->room - 1);
    return at;
}

static bool grow_table(ts_pool *pool) {
    enum { FIRST = 64 };
    ts_pool larger = {.room = pool->room ? 2 * pool->room : FIRST, .count = pool->count};
    larger.broken = pool->broken;
    larger.slot = calloc(larger.room, sizeof *larger.slot);
    if (!larger.slot) return false;
    for (size_t i = 0; i < pool->room; i++)
        if (pool->slot[i]) larger.slot[find(&larger, pool->slot[i])] = pool->slot[i];
    free(pool->slot);
    *pool = larger;
    return true;
}

static bool put(ts_pool *pool, void *block) {
    if (2 * (pool->count + 1) > pool->room && !grow_table(pool)) return false;
    size_t at = find(pool, block);
    pool->count += !pool->slot[at];
    pool->slot[at] = block;
    return true;
}

/* Entries behind the one that goes move up, unless they would come before their home. */
static bool take(ts_pool *pool, const void *block) {
    if (pool->count == 0) return false;
    size_t gap = find(pool, block), last = pool->room - 1;
    if (!pool->slot[gap]) return false;
    for (size_t at = (gap + 1) & last; pool->slot[at]; at = (at + 1) & last)
        if (((at - home(pool, pool->slot[at])) & last) >= ((at - gap) & last))
            pool->slot[gap] = pool->slot[at], gap = at;
    pool->slot[gap] = NULL;
    pool->count--;
    return true;
}

/* ---- blocks ---- */

static bool too_large(size_t count, size_t size) { return size && count > SIZE_MAX / size; }
static size_t bytes_of(size_t count, size_t size) { return count && size ? count * size : 1; }

void *ts_try_calloc(size_t count, size_t size) {
    if (must_fail() || too_large(count, size)) return NULL;
    void *block = calloc(1, bytes_of(count, size));
    if (!block || !trap || !trap->pool || put(trap->pool, block)) return block;
    free(block);
    return NULL;
}

void *ts_calloc(size_t count, size_t size) {
    void *block = ts_try_calloc(count, size);
    if (!block) none_left(count, size);
    return block;
}

/* A block that was in the table leaves room for its new address. */
void *ts_realloc(void *old, size_t count, size_t size) {
    if (!old) return ts_calloc(count, size);
    if (must_fail() || too_large(count, size)) none_left(count, size);
    ts_pool *pool = trap ? trap->pool : NULL;
    bool known = pool && take(pool, old);
    void *block = realloc(old, bytes_of(count, size));
    if (known) put(pool, block ? block : old);
    if (!block) none_left(count, size);
    return block;
}

char *ts_strdup(const char *text) {
    if (!text) return NULL;
    size_t size = strlen(text) + 1;
    return memcpy(ts_calloc(size, 1), text, size);
}

void ts_free(void *block) {
    ts_give(block);
    free(block);
}

void *ts_give(void *block) {
    if (block && trap && trap->pool) take(trap->pool, block);
    return block;
}

enum { ROOM_START = 16 };

size_t ts_more_room(size_t room, size_t needed, size_t width) {
    size_t most = width < sizeof(size_t) ? INT_MAX : SIZE_MAX / 2;
    if (needed > most) ts_no_memory("an array of %zu items", needed);
    size_t twice = room < most / 2 ? 2 * room : most;
    if (twice < ROOM_START) twice = ROOM_START;
    return twice > needed ? twice : needed;
}

/* ---- pools ---- */

static void close_holds(const ts_pool *pool, bool call);
static void hand_on(const ts_pool *from, ts_pool *to);

/* Frees the pool with its blocks, or without: the blocks then belong to no pool. */
static void end_pool(ts_pool *pool, bool with_blocks) {
    if (!pool) return;
    close_holds(pool, with_blocks);
    for (size_t i = 0; with_blocks && i < pool->room; i++) free(pool->slot[i]);
    free(pool->slot);
    free(pool);
}

static ts_pool *pool_of(const void *handle) {
    return handle ? ((const ts_handle *)handle)->pool : NULL;
}

void ts_pool_free(void *handle, void (*take_apart)(void *handle)) {
    ts_pool *pool = pool_of(handle);
    if (pool && pool->broken) {
        end_pool(pool, true);
        return;
    }
    ts_trap inside = {.outer = trap, .kind = TS_POOL_ENDING};
    inside.pool = !pool && trap ? trap->pool : pool;
    trap = &inside;
    take_apart(handle);
    trap = inside.outer;
    end_pool(pool, false);
}

/* Room for all of them is made first, so that putting them in cannot fail. */
void ts_pool_join(void *handle) {
    ts_pool *from = pool_of(handle), *to = trap ? trap->pool : NULL;
    if (!from) return;
    if (trap && trap->no_pool)
        none_left(1, sizeof *to); /* otherwise its blocks would belong to no pool */
    while (to && 2 * (to->count + from->count + 1) > to->room)
        if (must_fail() || !grow_table(to)) none_left(from->count, sizeof *to->slot);
    hand_on(from, to);
    end_pool(from, false);
    ((ts_handle *)handle)->pool = NULL;
}

int ts_pool_check(const void *handle) {
    const ts_pool *pool = pool_of(handle);
    if (!pool || !pool->broken) return 0;
    return ts_fail(
        TORSOR_EINVAL,
        "an earlier operation on this handle ran out of memory: the handle can only be freed");
}

/* ---- things that are not memory ---- */

typedef struct hold {
    struct hold *older;
    const ts_pool *pool;
    void (*close)(void *thing);
    void *thing;
} hold;

static pthread_mutex_t holds_lock = PTHREAD_MUTEX_INITIALIZER;
static hold *newest;

void ts_hold(void (*close)(void *thing), void *thing) {
    if (!trap || !trap->pool) return;
    hold *h = must_fail() ? NULL : malloc(sizeof *h);
    if (!h) {
        close(thing);
        none_left(1, sizeof *h);
    }
    pthread_mutex_lock(&holds_lock);
    *h = (hold){newest, trap->pool, close, thing};
    newest = h;
    pthread_mutex_unlock(&holds_lock);
}

/* Takes the newest hold out that is of the pool, or that closes the thing. */
static hold *take_hold(const ts_pool *pool, void (*close)(void *thing), const void *thing) {
    pthread_mutex_lock(&holds_lock);
    hold **at = &newest;
    while (*at && !(pool ? (*at)->pool == pool : (*at)->close == close && (*at)->thing == thing))
        at = &(*at)->older;
    hold *found = *at;
    if (found) *at = found->older;
    pthread_mutex_unlock(&holds_lock);
    return found;
}

void ts_unhold(void (*close)(void *thing), void *thing) { free(take_hold(NULL, close, thing)); }

static void close_holds(const ts_pool *pool, bool call) {
    for (hold *h; (h = take_hold(pool, NULL, NULL)); free(h))
        if (call) h->close(h->thing);
}

/* ---- locks ---- */

static pthread_mutex_t libraries = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int locks_held;

/* A process that is forked while another thread is in HDF5 would find the lock held for ever. */
__attribute__((constructor)) static void be_ready_to_fork(void) {
    pthread_atfork(ts_lock_libraries, ts_unlock_libraries, ts_unlock_libraries);
}

void ts_lock_libraries(void) {
    if (locks_held++ == 0) pthread_mutex_lock(&libraries);
}

void ts_unlock_libraries(void) {
    if (--locks_held == 0) pthread_mutex_unlock(&libraries);
}

/* ---- traps ---- */

static jmp_buf *set(ts_trap *t) {
    t->outer = trap, t->locks = locks_held;
    trap = t;
    return &t->jump;
}

static ts_pool *new_pool(void) { return must_fail() ? NULL : calloc(1, sizeof(ts_pool)); }

jmp_buf *ts_trap_new(ts_trap *t, void **made) {
    ts_pool *pool = new_pool();
    *t = (ts_trap){.pool = pool, .no_pool = !pool, .made = made, .kind = TS_POOL_NEW};
    return set(t);
}

jmp_buf *ts_trap_in(ts_trap *t, const void *handle) {
    *t = (ts_trap){.pool = pool_of(handle), .kind = TS_POOL_OLD};
    return set(t);
}

jmp_buf *ts_trap_aside(ts_trap *t) {
    ts_pool *pool = new_pool();
    *t = (ts_trap){.pool = pool, .no_pool = !pool, .kind = TS_POOL_ASIDE};
    return set(t);
}

int ts_trap_caught(ts_trap *t) {
    trap = t->outer;
    if (t->made) *t->made = NULL;
    if (t->kind == TS_POOL_OLD && t->pool) t->pool->broken = true;
    if (t->kind != TS_POOL_OLD) end_pool(t->pool, true);
    while (locks_held > t->locks) ts_unlock_libraries();
    return TORSOR_ENOMEM;
}

/* A public function that another one called: what it gives belongs to the pool of that one. */
static void hand_on(const ts_pool *from, ts_pool *to) {
    for (size_t i = 0; from && to && i < from->room; i++)
        if (from->slot[i]) put(to, from->slot[i]);
}

int ts_trap_end(ts_trap *t, int status) {
    trap = t->outer;
    if (status && t->made) *t->made = NULL;
    if (t->kind == TS_POOL_ASIDE && trap) hand_on(t->pool, trap->pool);
    if (t->kind == TS_POOL_NEW && status == 0 && t->made && *t->made)
        ((ts_handle *)*t->made)->pool = t->pool;
    else if (t->kind != TS_POOL_OLD)
        end_pool(t->pool, false);
    return status;
}
