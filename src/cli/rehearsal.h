/* SPDX-License-Identifier: Apache-2.0 */
/* Doing something first in a child process, because it may crash, hang or take all memory. */
#ifndef TS_REHEARSAL_H
#define TS_REHEARSAL_H

#include <stdint.h>

/* Runs `act` in a child process and returns its status, with its message. A child that crashes,
 * that needs more than `seconds` of processor time, or more than `memory` bytes beyond what the
 * process has, gives TORSOR_EIO; the message is then `otherwise`. Changes that `act` makes in
 * memory are lost. If no process can be made, the rehearsal is left out: 0. */
int ts_rehearse(int (*act)(void *context), void *context, int seconds, uint64_t memory,
                const char *otherwise);

/* Opens a results file in a child process: 0, or why it cannot be read. HDF5 crashes on some
 * damaged files; then the message states this. */
int ts_rehearse_results(const char *path);

#endif
