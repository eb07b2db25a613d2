/* catalyst_display.c: an X display for ParaView on machines without a screen.
 *
 * ParaView up to 5.13 crashes where it cannot open a display, so it is tried
 * here first. If that fails, Xvfb is started, which says through a pipe that it
 * is ready. It must not reset itself when its last client leaves (-noreset), or
 * the next client may meet it in the middle of that.
 *
 * Its number is one from 99 on, as xvfb-run takes them, never the first free
 * one: mpirun looks for graphics cards on the displays 0 to 9 (hwloc) and dies
 * with "X connection broken" if the display of another run ends meanwhile.
 *
 * Only who knows a cookie may connect, or any user of the machine could watch the
 * run. The cookie is in a file without a name, which other processes of the same
 * user open as /proc/PID/fd/N, and which is gone with this process. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/catalyst/catalyst.h"

enum {
    START_MS = 20000,
    NO_PROGRAM = 127,
    FIRST_NUMBER = 99,
    LAST_NUMBER = 299
};

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

/* ---- the cookie ---------------------------------------------------------- */

/* An entry of an Xauthority file: family, address, display, name and data, each
 * with its length, the highest byte first. This one is for any display (wild
 * family, no address, no number). */
static bool write_cookie(int fd) {
    static const unsigned char head[] = "\xff\xff\0\0\0\0"
                                        "\0\x12MIT-MAGIC-COOKIE-1\0\x10";
    unsigned char entry[sizeof head - 1 + 16];
    memcpy(entry, head, sizeof head - 1);
    return getrandom(entry + sizeof head - 1, 16, 0) == 16 &&
           write(fd, entry, sizeof entry) == (ssize_t)sizeof entry;
}

/* The name of the file goes to XAUTHORITY, for the server and its clients. */
static bool make_cookie(void) {
    char name[64];
    const int fd = memfd_create("scree-xauthority", MFD_CLOEXEC);
    if (fd < 0) return false;
    if (fchmod(fd, 0600) != 0 || !write_cookie(fd)) {
        close(fd);
        return false;
    }
    snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)getpid(), fd);
    return setenv("XAUTHORITY", name, 1) == 0;
}

/* ---- the server ---------------------------------------------------------- */

/* The child. A session of its own keeps the terminal's Ctrl-C away from it: the
 * run still draws its last picture. Only calls that are safe after a fork. */
static _Noreturn void become_xvfb(const char *name, const char *tell,
                                  const char *authority, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent) {
        const int nowhere = open("/dev/null", O_RDWR);
        for (int fd = 0; fd <= 2; fd++) dup2(nowhere, fd);
        execlp("Xvfb", "Xvfb", name, "-displayfd", tell, "-screen", "0",
               "1280x1024x24", "-nolisten", "tcp", "-noreset", "-auth",
               authority, (char *)NULL);
    }
    _exit(NO_PROGRAM);
}

/* It writes its number and the end of a line. */
static bool says_ready(int from) {
    char byte;
    struct pollfd wait = {.fd = from, .events = POLLIN};
    while (poll(&wait, 1, START_MS) > 0 && read(from, &byte, 1) == 1)
        if (byte == '\n') return true;
    return false;
}

typedef enum start { STARTED, REFUSED, NOT_INSTALLED, FAILED } start;

/* It ends by itself, or hangs and must be ended. */
static start why_not(pid_t child) {
    int status = 0;
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    if (!WIFEXITED(status)) return FAILED;
    return WEXITSTATUS(status) == NO_PROGRAM ? NOT_INSTALLED : REFUSED;
}

/* Xvfb refuses a number that another server has. */
static start try_xvfb(const char *name) {
    int ends[2];
    char tell[16];
    if (pipe(ends) != 0) return FAILED;
    snprintf(tell, sizeof tell, "%d", ends[1]);
    const pid_t self = getpid(), child = fork();
    if (child == 0) {
        close(ends[0]);
        become_xvfb(name, tell, getenv("XAUTHORITY"), self);
    }
    close(ends[1]);
    const bool ready = child > 0 && says_ready(ends[0]);
    close(ends[0]);
    if (child < 0) return FAILED;
    return ready ? STARTED : why_not(child);
}

static scree_status start_xvfb(scree_error *error) {
    char name[16];
    start outcome = make_cookie() ? REFUSED : FAILED;
    for (int n = FIRST_NUMBER; n <= LAST_NUMBER && outcome == REFUSED; n++) {
        snprintf(name, sizeof name, ":%d", n);
        outcome = try_xvfb(name);
    }
    if (outcome == STARTED) {
        setenv("DISPLAY", name, 1);
        return SCREE_OK;
    }
    return scree_fail(
        error, SCREE_UNSUPPORTED,
        "catalyst: no X display answers (DISPLAY is '%s'), and %s; ParaView "
        "before version 6 draws only with one\n"
        "  install it: apt-get install --no-install-recommends xvfb\n"
        "  or set DISPLAY to a display that is there",
        getenv("DISPLAY") ? getenv("DISPLAY") : "",
        outcome == NOT_INSTALLED ? "Xvfb is not installed"
                                 : "Xvfb does not start");
}

/* ---- several ranks ------------------------------------------------------- */

/* What the ranks on a machine tell each other. */
typedef struct card {
    char machine[128], display[128], authority[256];
} card;

static void write_card(card *mine) {
    *mine = (card){0};
    gethostname(mine->machine, sizeof mine->machine - 1);
    const char *display = getenv("DISPLAY");
    if (display) snprintf(mine->display, sizeof mine->display, "%s", display);
    const char *authority = getenv("XAUTHORITY");
    if (authority)
        snprintf(mine->authority, sizeof mine->authority, "%s", authority);
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
    if (*all[first].authority) setenv("XAUTHORITY", all[first].authority, 1);
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
