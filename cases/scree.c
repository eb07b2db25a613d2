/* scree.c: the program. It finds the command and hands over. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cases/commands/command.h"
#include "engine/base/comm.h"
#include "io/hdf5/hdf5_file.h"
#include "io/version.h"

static int print_usage(FILE *file) {
    fprintf(file, "Scree: simulation with hard contact.\n\n");
    const scree_command *c;
    for (int i = 0; (c = scree_command_get(i)); i++)
        fprintf(file, "scree %s\n    %s\n", c->usage, c->about);
    fprintf(file, "scree --version\nscree --help, scree COMMAND --help\n\n%s",
            scree_exit_help);
    return EXIT_OK;
}

static int print_version(void) {
    printf("scree %s\ncommit: %s\ncompiler: %s\nfeatures: %s\n",
           scree_build_version, scree_build_commit, scree_build_compiler,
           scree_build_features);
    return EXIT_OK;
}

static int unknown_command(const char *given) {
    scree_nearest best = {.given = given};
    const scree_command *c;
    for (int i = 0; (c = scree_command_get(i)); i++)
        scree_nearest_consider(&best, c->name);
    scree_nearest_consider(&best, "--help");
    scree_nearest_consider(&best, "--version");
    return scree_unknown(*given == '-' ? "option" : "command", &best);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0) return print_usage(stdout);
    if (strcmp(argv[1], "--version") == 0) return print_version();
    const scree_command *c = scree_command_find(argv[1]);
    return c ? c->run(argc - 1, argv + 1) : unknown_command(argv[1]);
}

static bool is_for_all_ranks(int argc, char **argv) {
    const scree_command *c = argc < 2 ? NULL : scree_command_find(argv[1]);
    return c && c->on_all_ranks;
}

/* What one process does, only the first rank does; the others sleep until then
 * and end as it does. */
static int dispatch_on(const scree_comm *comm, int argc, char **argv) {
    if (comm->size == 1 || is_for_all_ranks(argc, argv))
        return dispatch(argc, argv);
    int code = comm->rank == 0 ? dispatch(argc, argv) : EXIT_OK;
    scree_comm_rest(comm);
    scree_comm_copy(comm, 0, &code, sizeof code);
    return code;
}

/* A result file must not land on a standard stream that the parent closed. */
static void open_standard_streams(void) {
    int fd;
    do fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) close(fd);
}

/* Lost text is an error unless its reader left on purpose (EPIPE). */
static int flush_output(int code) {
    errno = 0;
    const bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (!lost || errno == EPIPE || code != EXIT_OK) return code;
    fprintf(stderr, "scree: cannot write to standard output: %s\n",
            errno ? strerror(errno) : "an earlier write failed");
    return EXIT_FILE;
}

/* All ranks do and say the same; rank 0 is the one that is heard. What a library
 * writes to the terminal by itself comes from every rank. */
static void hush(void) {
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere) stdout = stderr = nowhere;
}

int main(int argc, char **argv) {
    open_standard_streams();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe must not end a run */
    signal(SIGXFSZ, SIG_IGN); /* a size limit becomes an error of write */
    scree_hdf5_begin();
    const scree_comm *comm = scree_comm_begin(&argc, &argv);
    if (comm->rank > 0) hush();
    const int code = flush_output(dispatch_on(comm, argc, argv));
    scree_comm_end();
    return code;
}
