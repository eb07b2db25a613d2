/* catalyst.c: finds the backend, and keeps the run as it was around its calls.
 */
#include "io/catalyst/catalyst.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/home.h"
#include "io/file/safe_file.h"
#include "io/run/child.h"

struct scree_catalyst {
    const scree_catalyst_plugin *plugin;
    scree_catalyst_setup setup;
    char *folder;
    const scree_comm *comm;
};

/* ---- the plug-in --------------------------------------------------------- */

static const char packages[] =
    "apt-get install --no-install-recommends paraview-dev python3-paraview "
    "xvfb xauth";

/* The places to look, in their order; false past the last one. */
static bool plugin_path(int i, char path[PATH_MAX]) {
    static const struct {
        scree_home of;
        const char *file;
    } places[] = {
        {SCREE_HOME_PROGRAM, "scree_catalyst.so"},
        {SCREE_HOME_PROGRAM, "../" SCREE_LIBDIR "/scree/scree_catalyst.so"},
        {SCREE_HOME_LIBRARY, "scree_catalyst.so"},
        {SCREE_HOME_LIBRARY, "scree/scree_catalyst.so"}};
    const char *given = getenv("SCREE_CATALYST_PLUGIN");
    char home[PATH_MAX];
    if (given) {
        snprintf(path, PATH_MAX, "%s", given);
        return i == 0;
    }
    return i < (int)(sizeof places / sizeof *places) &&
           scree_home_folder(places[i].of, home) &&
           snprintf(path, PATH_MAX, "%s/%s", home, places[i].file) < PATH_MAX;
}

static scree_status no_plugin(scree_error *error) {
    char first[PATH_MAX];
    if (!plugin_path(0, first)) *first = '\0';
    return scree_fail(
        error, SCREE_UNSUPPORTED,
        "catalyst: this build has no plug-in for ParaView ('%.300s' is not "
        "there)\n"
        "  install ParaView: %s\n"
        "  then build again: cmake --preset release && cmake --build --preset "
        "release",
        first, packages);
}

static scree_status find_plugin(char whole[PATH_MAX], scree_error *error) {
    char path[PATH_MAX];
    for (int i = 0; plugin_path(i, path); i++)
        if (realpath(path, whole)) return SCREE_OK;
    return no_plugin(error);
}

/* ParaView's libraries must see each other: RTLD_GLOBAL. */
static scree_status load_plugin(const scree_catalyst_plugin **plugin,
                                const char *path, scree_error *error) {
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "catalyst: the plug-in for ParaView cannot be "
                          "opened: %.400s\n  install ParaView: %s",
                          dlerror(), packages);
    *plugin = dlsym(library, SCREE_CATALYST_SYMBOL);
    if (*plugin && (*plugin)->version == SCREE_CATALYST_VERSION)
        return SCREE_OK;
    return scree_fail(error, SCREE_UNSUPPORTED,
                      "catalyst: '%.500s' is not a plug-in of this version of "
                      "scree: build it again",
                      path);
}

/* ---- the run as it was --------------------------------------------------- */

/* Signals that ask the run to end. They wait until the call is over: Python
 * takes them for itself, and one that comes then would be lost. */
static const int asking[] = {SIGINT, SIGTERM, SIGUSR1};
enum { ASKING = sizeof asking / sizeof *asking };

/* Libraries built with -ffast-math change the rounding of small numbers when
 * they are loaded. */
typedef struct surroundings {
    fenv_t floats;
    struct sigaction actions[ASKING];
    sigset_t mask;
    int directory;
} surroundings;

static void hold_signals(surroundings *s) {
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < ASKING; i++) {
        sigaction(asking[i], NULL, &s->actions[i]);
        sigaddset(&held, asking[i]);
    }
    pthread_sigmask(SIG_BLOCK, &held, &s->mask);
}

static void release_signals(const surroundings *s) {
    for (int i = 0; i < ASKING; i++) sigaction(asking[i], &s->actions[i], NULL);
    pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
}

static scree_status enter_folder(surroundings *s, const char *folder,
                                 scree_error *error) {
    fegetenv(&s->floats);
    s->directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->directory >= 0 && scree_folder_enter(folder)) {
        hold_signals(s);
        return SCREE_OK;
    }
    if (s->directory >= 0) close(s->directory);
    return scree_fail(error, SCREE_IO_ERROR,
                      "catalyst: cannot go to the folder '%.500s': %s", folder,
                      strerror(errno));
}

static scree_status leave_folder(surroundings *s, scree_error *error) {
    const bool back = fchdir(s->directory) == 0;
    close(s->directory);
    release_signals(s);
    fesetenv(&s->floats);
    if (back) return SCREE_OK;
    return scree_fail(error, SCREE_IO_ERROR,
                      "catalyst: cannot go back to the working directory: %s",
                      strerror(errno));
}

/* ---- open, execute, close ------------------------------------------------ */

/* Who sets this of VTK's variables, of 9.4 and later, has chosen how to draw.
 */
static bool is_chosen(void) {
    const char *window = getenv("VTK_DEFAULT_OPENGL_WINDOW");
    return window && *window;
}

static scree_status ensure_display(const scree_catalyst *c,
                                   scree_error *error) {
    scree_error why = {0};
    if (c->plugin->display == SCREE_DISPLAY_NEEDED)
        return scree_display_ensure(c->comm, error);
    if (c->plugin->display == SCREE_DISPLAY_WANTED && !is_chosen() &&
        scree_display_ensure(c->comm, &why) != SCREE_OK)
        c->setup.warn(c->setup.to, why.text);
    return SCREE_OK;
}

/* Inside the folder. */
static scree_status start_plugin(scree_catalyst *c, const char *path,
                                 scree_error *error) {
    TRY(scree_comm_agree(c->comm, load_plugin(&c->plugin, path, error), error));
    TRY(ensure_display(c, error));
    const scree_status status =
        c->plugin->open(&c->setup)
            ? SCREE_OK
            : scree_fail(error, SCREE_UNSUPPORTED,
                         "catalyst: %s does not start", c->plugin->name);
    return scree_comm_agree(c->comm, status, error);
}

static scree_status open_plugin(scree_catalyst *c, scree_error *error) {
    surroundings s;
    char path[PATH_MAX];
    scree_status status = find_plugin(path, error);
    if (status == SCREE_OK) status = enter_folder(&s, c->folder, error);
    const bool inside = status == SCREE_OK;
    status = scree_comm_agree(c->comm, status, error);
    if (status == SCREE_OK) status = start_plugin(c, path, error);
    const scree_status back = inside ? leave_folder(&s, error) : SCREE_OK;
    return scree_comm_agree(c->comm, status == SCREE_OK ? back : status, error);
}

/* A handle that knows its folder by its whole path. */
static scree_status make_handle(scree_catalyst **catalyst, const char *folder,
                                scree_error *error) {
    scree_catalyst *c = calloc(1, sizeof *c);
    *catalyst = c;
    if (c) c->folder = realpath(folder, NULL);
    if (!c || !c->folder)
        return scree_fail(error, SCREE_IO_ERROR, "catalyst: '%.500s': %s",
                          folder, strerror(errno));
    return scree_folder_hold(c->folder, error);
}

static void free_handle(scree_catalyst *c) {
    if (c && c->folder) scree_folder_release(c->folder);
    if (c) free(c->folder);
    free(c);
}

scree_status scree_catalyst_open(scree_catalyst **catalyst, const char *folder,
                                 const scree_comm *comm,
                                 const scree_catalyst_setup *setup,
                                 scree_error *error) {
    static bool opened;
    scree_catalyst *c;
    *catalyst = NULL;
    if (opened)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "catalyst: it opens only once in a process");
    scree_status status =
        scree_comm_agree(comm, make_handle(&c, folder, error), error);
    if (status == SCREE_OK) {
        c->setup = *setup;
        c->comm = comm;
        status = open_plugin(c, error);
    }
    opened = status == SCREE_OK;
    if (opened)
        *catalyst = c;
    else
        free_handle(c);
    return status;
}

/* Scripts write pictures and extracts by name, through links and into FIFOs. */
static bool is_picture(const char *name) {
    static const char *const ends[] = {".png", ".jpg", ".vtp", ".vtu", ".csv"};
    const size_t n = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (n > 4 && strcmp(name + n - 4, ends[i]) == 0) return true;
    return false;
}

static scree_status refuse_links(const char *folder, scree_error *error) {
    DIR *directory = scree_folder_list(folder);
    scree_status status = SCREE_OK;
    for (const struct dirent *e;
         status == SCREE_OK && directory && (e = readdir(directory));) {
        char path[PATH_MAX];
        if (e->d_type == DT_REG || !is_picture(e->d_name)) continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < PATH_MAX)
            status = scree_file_may_replace(path, error);
    }
    if (directory) closedir(directory);
    return status;
}

scree_status scree_catalyst_execute(scree_catalyst *c,
                                    const scree_catalyst_state *state,
                                    scree_error *error) {
    surroundings s;
    scree_status entered =
        c->comm->rank == 0 ? refuse_links(c->folder, error) : SCREE_OK;
    if (entered == SCREE_OK) entered = enter_folder(&s, c->folder, error);
    const scree_status all = scree_comm_agree(c->comm, entered, error);
    if (all == SCREE_OK) c->plugin->execute(state);
    const scree_status left =
        entered == SCREE_OK ? leave_folder(&s, error) : SCREE_OK;
    return all == SCREE_OK ? left : all;
}

/* The library stays loaded: what ParaView leaves behind for the end of the
 * program is code in there. The display must not go before all ranks are done.
 */
void scree_catalyst_close(scree_catalyst *c) {
    surroundings s;
    const bool inside = enter_folder(&s, c->folder, NULL) == SCREE_OK;
    c->plugin->close();
    scree_comm_wait(c->comm);
    if (inside) leave_folder(&s, NULL);
    free_handle(c);
}

/* ---- scripts that come along --------------------------------------------- */

char *scree_catalyst_ready(const char *name) {
    static const char folder[] = "catalyst/";
    const bool below = strncmp(name, folder, strlen(folder)) == 0;
    const char *script = below ? name + strlen(folder) : name;
    char *inner;
    if (strchr(script, '/') || asprintf(&inner, "%s%s", folder, script) < 0)
        return NULL;
    char *found = scree_shared_file(inner);
    char *whole = found ? realpath(found, NULL) : NULL;
    free(inner);
    free(found);
    return whole;
}

/* ---- messages ------------------------------------------------------------ */

/* The number in the last `File "<script>", line N`, or 0. */
static int line_in(const char *traceback, const char *script) {
    int line = 0;
    const size_t n = strlen(script);
    for (const char *at = traceback; (at = strstr(at, "File \"")); at++) {
        const char *name = at + strlen("File \"");
        if (strncmp(name, script, n) == 0)
            sscanf(name + n, "\", line %d", &line);
    }
    return line;
}

/* The last line that is not indented and not empty: "NameError: ...". */
static const char *last_line(const char *text, int *length) {
    const char *last = text;
    *length = 0;
    for (const char *at = text; *at;) {
        const int n = (int)strcspn(at, "\n");
        if (n > 0 && *at != ' ') last = at, *length = n;
        at += n + (at[n] == '\n');
    }
    return last;
}

void scree_catalyst_blame(char *text, size_t size, const char *script,
                          const char *traceback) {
    int n;
    const char *message = last_line(traceback, &n);
    const int line = line_in(traceback, script);
    if (line > 0)
        snprintf(text, size, "%s:%d: %.*s", script, line, n, message);
    else
        snprintf(text, size, "%s: %.*s", script, n, message);
}
