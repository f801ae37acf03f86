/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: blocks that belong to a pool, and the jump to a trap when there is no memory.
 *
 * `ts_calloc` and the functions below never return NULL. If there is no memory they jump to the
 * innermost trap of the thread (setjmp, longjmp), so only public functions handle this error: each
 * public function that can allocate sets a trap, and returns TORSOR_ENOMEM with a message when the
 * trap catches.
 *
 *   int torsor_thing_new(torsor_thing **out, ...) {
 *       TS_TRAP_NEW(out);                            a new pool, given back when the trap catches
 *       return TS_TRAP_END(make(out, ...));          *out owns the pool if the status is 0
 *   }
 *   int torsor_thing_change(torsor_thing *thing, ...) {
 *       TS_TRAP_IN(thing);                           the pool of the handle, broken when it catches
 *       return TS_TRAP_END(change(thing, ...));
 *   }
 *   int torsor_thing_text(const torsor_thing *thing, char **out) {
 *       TS_TRAP_ASIDE();                             a pool of this call alone
 *       return TS_TRAP_END(print(thing, out));       what is left is the caller's
 *   }
 *   void torsor_thing_free(torsor_thing *thing) { ts_pool_free(thing, take_apart); }
 *
 * A pool is a table of the blocks that were allocated while its trap was set; `free` removes a
 * block. A broken handle may hold pointers to freed memory, so its members are not freed one by
 * one: its pool is freed as a whole. `ts_hold` adds files and objects of libraries to the pool,
 * with the function that closes them. A block that is allocated while no trap is set belongs to no
 * pool and is plain memory of the C library.
 *
 * Rules: no longjmp through a foreign library, so a callback that HDF5 calls uses `ts_try_calloc`.
 * No allocation in a parallel region: a thread of OpenMP has no trap. A block is freed while its
 * own pool is in use, or no pool at all. The lock of the libraries is released by the trap.
 */
#ifndef TS_MEMORY_H
#define TS_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- blocks ---- */

/* Zeros. Never NULL, not even for zero bytes. */
void *ts_calloc(size_t count, size_t size);
void *ts_realloc(void *old, size_t count, size_t size);
char *ts_strdup(const char *text);
/* Zeros, or NULL when memory is exhausted. For callbacks of libraries. */
void *ts_try_calloc(size_t count, size_t size);

/* Frees a block; NULL is allowed. Files that include this header write `free`. */
void ts_free(void *block);
#define free(block) ts_free(block)
/* A block for the caller of a public function: it leaves its pool. */
void *ts_give(void *block);

/* An array with room for `needed` items: at least twice the room whenever it must grow. */
#define ts_grow(array, room, needed)                                                          \
    ((size_t)(needed) <= (size_t)(room)                                                       \
         ? (void)0                                                                            \
         : (void)((array) = ts_realloc((array), TS_MORE_ROOM(room, needed), sizeof *(array)), \
                  (room) = (__typeof__(room))TS_MORE_ROOM(room, needed)))
#define TS_MORE_ROOM(room, needed) ts_more_room((size_t)(room), (size_t)(needed), sizeof(room))
/* `width`: size in bytes of the integer that counts. */
size_t ts_more_room(size_t room, size_t needed, size_t width);

/* ---- running out ---- */

/* Fails as an allocation does; the message says what was requested. For libraries that report a
 * lack of memory. */
void ts_no_memory(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* For tests: the k-th allocation of this thread from now on fails, and with `all` every later one;
 * 0: none. Returns the number of allocations since the last call. */
long ts_fail_allocation(long k, bool all);

/* ---- pools ---- */

typedef struct ts_pool ts_pool;

/* Registers a thing that is not memory: `close` is called with it when the pool is freed as a
 * whole. If memory is exhausted, it is closed at once. Without a pool nothing is registered. */
void ts_hold(void (*close)(void *thing), void *thing);
/* Unregisters it: it was closed, or has another owner. */
void ts_unhold(void (*close)(void *thing), void *thing);

/* The head of a public handle. */
typedef struct ts_handle {
    ts_pool *pool; /* NULL: made by another handle, which owns its memory */
} ts_handle;

/* Frees a handle: by `take_apart`, or its pool as a whole if the handle is broken. */
void ts_pool_free(void *handle, void (*take_apart)(void *handle));
/* Moves the blocks of a handle to the pool in use; the handle then has no pool. If memory is
 * exhausted, nothing changes. */
void ts_pool_join(void *handle);

/* ---- traps ---- */

typedef struct ts_trap {
    jmp_buf jump;
    struct ts_trap *outer;
    ts_pool *pool; /* NULL: blocks belong to no pool */
    void **made;   /* the handle that becomes the owner of a new pool */
    enum { TS_POOL_NEW, TS_POOL_OLD, TS_POOL_ASIDE, TS_POOL_ENDING } kind;
    bool no_pool; /* there was no memory for the pool: the first allocation fails */
    int locks;    /* held when it was set */
} ts_trap;

jmp_buf *ts_trap_new(ts_trap *trap, void **made);
jmp_buf *ts_trap_in(ts_trap *trap, const void *handle);
jmp_buf *ts_trap_aside(ts_trap *trap);
int ts_trap_caught(ts_trap *trap); /* TORSOR_ENOMEM */
int ts_trap_end(ts_trap *trap, int status);

/* TORSOR_EINVAL with a message if an earlier operation on the handle ran out of memory. */
int ts_pool_check(const void *handle);

#define TS_TRAP_NEW(out) \
    ts_trap trap_;       \
    if (setjmp(*ts_trap_new(&trap_, (void **)(out))) != 0) return ts_trap_caught(&trap_)
#define TS_TRAP_IN(handle)                                        \
    ts_trap trap_;                                                \
    if (ts_pool_check(handle) != 0) return ts_pool_check(handle); \
    if (setjmp(*ts_trap_in(&trap_, handle)) != 0) return ts_trap_caught(&trap_)
#define TS_TRAP_ASIDE() \
    ts_trap trap_;      \
    if (setjmp(*ts_trap_aside(&trap_)) != 0) return ts_trap_caught(&trap_)
#define TS_TRAP_END(status) ts_trap_end(&trap_, status)

/* ---- locks ---- */

/* HDF5 and ARPACK are not thread-safe. A thread may lock again what it holds. */
void ts_lock_libraries(void);
void ts_unlock_libraries(void);

#endif
