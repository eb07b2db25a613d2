/* catalyst.h: ParaView at work on the running state.
 *
 * The backend is a plug-in of the program (catalyst_plugin.h), looked for under
 * the name in the environment's SCREE_CATALYST_PLUGIN, else beside the program,
 * else in ../<libdir>/scree. Where it needs or wants an X display and there is
 * none, a virtual one is started, which ends with the program.
 *
 * While a script is at work the working directory is `folder`, so whatever it
 * writes under a relative name lands there. Floating-point mode, signal
 * handlers and working directory are as before after every call: the run is the
 * same bits with and without. */
#ifndef SCREE_IO_CATALYST_H
#define SCREE_IO_CATALYST_H

#include "engine/base/comm.h"
#include "engine/base/error.h"
#include "io/catalyst/catalyst_plugin.h"

typedef struct scree_catalyst scree_catalyst;

/* At most once in the life of a process: neither ParaView nor MPI, which it
 * begins if it is not running, starts twice. All ranks open, execute and close
 * together; those that open fail together. */
scree_status scree_catalyst_open(scree_catalyst **catalyst, const char *folder,
                                 const scree_comm *comm,
                                 const scree_catalyst_setup *setup,
                                 scree_error *error);

/* Failures of scripts go to the setup's complain. */
scree_status scree_catalyst_execute(scree_catalyst *catalyst,
                                    const scree_catalyst_state *state,
                                    scree_error *error);
void scree_catalyst_close(scree_catalyst *catalyst);

/* "view.py:12: NameError: name 'x' is not defined", from what Python printed:
 * the innermost line of the script and the last line of the message. Just the
 * script and the message where no line is named. */
void scree_catalyst_blame(char *text, size_t size, const char *script,
                          const char *traceback);

/* The whole path of a script that comes with the program, "speed.py" or
 * "catalyst/speed.py"; NULL: there is none of that name. The caller frees. */
char *scree_catalyst_ready(const char *name);

/* catalyst_display.c: makes sure that DISPLAY names an X display that answers.
 * Starts Xvfb if there is none, one for all ranks on a machine; it ends when
 * the first of them does. */
scree_status scree_display_ensure(const scree_comm *comm, scree_error *error);

#endif
