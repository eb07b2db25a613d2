#include "io/run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file/home.h"

extern char **environ;

enum { TAIL = 600 }; /* bytes of the log in a message */

bool scree_child_exists(const char *program) {
    const char *path = getenv("PATH");
    char *list = strdup(path ? path : ""), *rest, whole[4096];
    bool found = false;
    for (char *folder = list ? strtok_r(list, ":", &rest) : NULL;
         folder && !found; folder = strtok_r(NULL, ":", &rest)) {
        snprintf(whole, sizeof whole, "%s/%s", folder, program);
        found = access(whole, X_OK) == 0;
    }
    free(list);
    return found;
}

/* ---- running ------------------------------------------------------------- */

static int start_child(char *const argv[], const char *log, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int reason =
        posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

/* The last whole lines of a file. */
static void read_tail(const char *path, char tail[TAIL + 1]) {
    tail[0] = '\0';
    FILE *file = fopen(path, "rb");
    if (!file) return;
    fseek(file, 0, SEEK_END);
    const long size = ftell(file), from = size > TAIL ? size - TAIL : 0;
    fseek(file, from, SEEK_SET);
    tail[fread(tail, 1, TAIL, file)] = '\0';
    fclose(file);
    char *line = from > 0 ? strchr(tail, '\n') : NULL;
    if (line) memmove(tail, line + 1, strlen(line + 1) + 1);
}

static scree_status tell_failure(const char *program, int status,
                                 const char *log, scree_error *error) {
    char tail[TAIL + 1];
    read_tail(log, tail);
    if (WIFSIGNALED(status))
        return scree_fail(error, SCREE_IO_ERROR,
                          "%s was ended by signal %d\n%s", program,
                          WTERMSIG(status), tail);
    return scree_fail(error, SCREE_IO_ERROR, "%s failed with exit code %d\n%s",
                      program, WEXITSTATUS(status), tail);
}

scree_status scree_child_run(char *const argv[], const char *log,
                             scree_error *error) {
    pid_t pid;
    int status;
    const int reason = start_child(argv, log, &pid);
    if (reason)
        return scree_fail(error, SCREE_IO_ERROR, "cannot start %s: %s", argv[0],
                          strerror(reason));
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return scree_fail(error, SCREE_IO_ERROR, "%s: %s", argv[0],
                              strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return SCREE_OK;
    return tell_failure(argv[0], status, log, error);
}

/* ---- shell --------------------------------------------------------------- */

void scree_shell_word(const char *text, char *out, size_t size) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
                                "qrstuvwxyz0123456789-_+./=:,@%";
    size_t n = 0;
    if (*text && *text != '-' && strspn(text, plain) == strlen(text)) {
        snprintf(out, size, "%s", text);
        return;
    }
    n += (size_t)snprintf(out, size, *text == '-' ? "./'" : "'");
    for (; *text && n + 8 < size; text++)
        n += (size_t)snprintf(out + n, size - n, *text == '\'' ? "'\\''" : "%c",
                              *text);
    snprintf(out + n, size - n, "'");
}

/* ---- shared files -------------------------------------------------------- */

char *scree_shared_file(const char *name) {
    static const struct {
        scree_home of;
        const char *folder;
    } places[] = {{SCREE_HOME_PROGRAM, "../share/scree"},
                  {SCREE_HOME_PROGRAM, "share/scree"},
                  {SCREE_HOME_LIBRARY, "../share/scree"},
                  {SCREE_HOME_LIBRARY, "../../share/scree"},
                  {SCREE_HOME_LIBRARY, "share/scree"}};
    char home[PATH_MAX], *path;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (!scree_home_folder(places[i].of, home)) continue;
        if (asprintf(&path, "%s/%s/%s", home, places[i].folder, name) < 0)
            return NULL;
        if (access(path, R_OK) == 0) return path;
        free(path);
    }
    return NULL;
}
