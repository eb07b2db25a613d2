/* catalyst_display.c: an X display for ParaView on machines without a screen.
 *
 * ParaView up to 5.13 crashes where it cannot open a display, so it is tried
 * here first. If that fails, Xvfb finds a free number itself and tells it
 * through a pipe. It must not reset itself when its last client leaves
 * (-noreset), or the next client may meet it in the middle of that. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/catalyst.h"

enum { START_MS = 20000, NO_PROGRAM = 127 };

/* ParaView brings this library; without it nothing can be drawn anyway. */
static bool display_answers(void) {
    const char *name = getenv("DISPLAY");
    if (!name || !*name) return false;
    void *x11 = dlopen("libX11.so.6", RTLD_NOW | RTLD_LOCAL);
    if (!x11) return false;
    void *(*open_display)(const char *);
    int (*close_display)(void *);
    *(void **)&open_display = dlsym(x11, "XOpenDisplay");
    *(void **)&close_display = dlsym(x11, "XCloseDisplay");
    void *display = open_display && close_display ? open_display(NULL) : NULL;
    if (display) close_display(display);
    dlclose(x11);
    return display != NULL;
}

/* The child. A session of its own keeps the terminal's Ctrl-C away from it: the
 * run still draws its last picture. Only calls that are safe after a fork. */
static _Noreturn void become_xvfb(const char *tell, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent) {
        const int nowhere = open("/dev/null", O_RDWR);
        for (int fd = 0; fd <= 2; fd++) dup2(nowhere, fd);
        execlp("Xvfb", "Xvfb", "-displayfd", tell, "-screen", "0",
               "1280x1024x24", "-nolisten", "tcp", "-noreset", (char *)NULL);
    }
    _exit(NO_PROGRAM);
}

/* Reads "99\n" from the pipe; the number without its end of line. */
static bool read_number(int from, char number[16]) {
    size_t n = 0;
    struct pollfd wait = {.fd = from, .events = POLLIN};
    while (n < 15 && poll(&wait, 1, START_MS) > 0) {
        const ssize_t got = read(from, number + n, 15 - n);
        if (got <= 0) break;
        n += (size_t)got;
        number[n] = '\0';
        char *end = strchr(number, '\n');
        if (end) {
            *end = '\0';
            return end > number;
        }
    }
    return false;
}

static scree_status explain(pid_t child, scree_error *error) {
    int status = 0;
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    const char *why = WIFEXITED(status) && WEXITSTATUS(status) == NO_PROGRAM
                          ? "Xvfb is not installed"
                          : "Xvfb does not start";
    return scree_fail(
        error, SCREE_UNSUPPORTED,
        "catalyst: no X display answers (DISPLAY is '%s'), and %s; ParaView "
        "before version 6 draws only with one\n"
        "  install it: apt-get install --no-install-recommends xvfb\n"
        "  or set DISPLAY to a display that is there",
        getenv("DISPLAY") ? getenv("DISPLAY") : "", why);
}

static scree_status start_xvfb(scree_error *error) {
    int ends[2];
    const pid_t self = getpid();
    if (pipe(ends) != 0)
        return scree_fail(error, SCREE_IO_ERROR, "catalyst: pipe: %s",
                          strerror(errno));
    char tell[16];
    snprintf(tell, sizeof tell, "%d", ends[1]);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become_xvfb(tell, self);
    }
    close(ends[1]);
    char name[18] = ":";
    const bool ready = child > 0 && read_number(ends[0], name + 1);
    close(ends[0]);
    if (child < 0)
        return scree_fail(error, SCREE_IO_ERROR, "catalyst: fork: %s",
                          strerror(errno));
    if (!ready) return explain(child, error);
    setenv("DISPLAY", name, 1);
    return SCREE_OK;
}

/* ---- several ranks ------------------------------------------------------- */

/* What the ranks on a machine tell each other. */
typedef struct card {
    char machine[128], display[128];
} card;

static void write_card(card *mine) {
    *mine = (card){0};
    gethostname(mine->machine, sizeof mine->machine - 1);
    const char *display = getenv("DISPLAY");
    if (display) snprintf(mine->display, sizeof mine->display, "%s", display);
}

/* The first rank on this machine. */
static int first_here(const scree_comm *comm, const card *all) {
    int r = 0;
    while (strcmp(all[r].machine, all[comm->rank].machine) != 0) r++;
    return r;
}

/* All ranks on a machine take the display of the first one there. */
static scree_status share_display(const scree_comm *comm, card *all,
                                  scree_error *error) {
    card mine;
    write_card(&mine);
    scree_comm_gather(comm, &mine, sizeof mine, all);
    const int first = first_here(comm, all);
    const scree_status status = first == comm->rank && !display_answers()
                                    ? start_xvfb(error)
                                    : SCREE_OK;
    TRY(scree_comm_agree(comm, status, error));
    write_card(&mine);
    scree_comm_gather(comm, &mine, sizeof mine, all);
    setenv("DISPLAY", all[first].display, 1);
    return SCREE_OK;
}

scree_status scree_display_ensure(const scree_comm *comm, scree_error *error) {
    if (comm->size == 1)
        return display_answers() ? SCREE_OK : start_xvfb(error);
    card *all = calloc((size_t)comm->size, sizeof *all);
    scree_status status = scree_comm_agree(
        comm,
        all ? SCREE_OK
            : scree_fail(error, SCREE_OUT_OF_MEMORY, "catalyst: out of memory"),
        error);
    if (status == SCREE_OK) status = share_display(comm, all, error);
    free(all);
    return status;
}
