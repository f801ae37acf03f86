/* torsor: flexible multibody dynamics with an energy audit. The public interface.
 *
 * Conventions: functions return 0 on success, > 0 when a smaller step may help, < 0 on failure; `torsor_error()` then
 * says in words what went wrong. `torsor_x_new(torsor_x **out, ...)` gives ownership, `torsor_x_free` takes it back;
 * every other returned pointer is borrowed. SI units and right-handed frames throughout.
 */
#ifndef TORSOR_H
#define TORSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TORSOR_VERSION "0.1.0"

typedef enum torsor_status {
    TORSOR_OK = 0,
    TORSOR_RETRY = 1,        /* no convergence: a smaller step may help */
    TORSOR_EINVAL = -1,      /* the model or an argument is wrong */
    TORSOR_EIO = -2,         /* a file could not be read or written */
    TORSOR_ESINGULAR = -3,   /* the equations have no unique solution */
    TORSOR_EDIVERGED = -4,   /* no convergence, even with the smallest step */
    TORSOR_EINTERRUPTED = -5 /* stopped by the caller */
} torsor_status;

/* What the last failing call on this thread had to say. Never NULL. */
const char *torsor_error(void);
const char *torsor_version(void);

#ifdef __cplusplus
}
#endif
#endif
