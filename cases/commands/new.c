/* new.c: scree new, a commented case to start from.
 *
 * The templates are files of share/scree/templates, beside the program; the first line
 * of each says what it is. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases/commands/command.h"
#include "io/case/yaml/case_message.h"
#include "io/run/child.h"

enum { MOST_BYTES = 100000 };

extern const scree_command scree_command_new;

static int lacks_templates(void) {
    fprintf(stderr, "scree: new: share/scree/templates, which comes with the "
                    "program, is not there: install Scree again\n");
    return EXIT_FILE;
}

/* ---- templates ----------------------------------------------------------- */

static bool is_template(const char *file) {
    const char *dot = strrchr(file, '.');
    return dot && dot > file && strcmp(dot, ".yaml") == 0;
}

static int choose_template(const struct dirent *entry) {
    return is_template(entry->d_name);
}

/* The text of a template; NULL if it cannot be read. */
static char *read_template(const char *name) {
    char inner[300], *text = NULL;
    snprintf(inner, sizeof inner, "templates/%s.yaml", name);
    char *path = scree_shared_file(inner);
    FILE *file = path ? fopen(path, "r") : NULL;
    if (file) {
        text = calloc(MOST_BYTES + 1, 1);
        if (text && fread(text, 1, MOST_BYTES, file) == 0) text[0] = '\0';
        fclose(file);
    }
    free(path);
    return text;
}

/* Calls `act` with the name of each template, in the order of the alphabet. */
static int each_template(void (*act)(void *context, const char *name),
                         void *context) {
    struct dirent **entries = NULL;
    char *folder = scree_shared_file("templates");
    const int n =
        folder ? scandir(folder, &entries, choose_template, alphasort) : -1;
    free(folder);
    for (int i = 0; i < n; i++) {
        *strrchr(entries[i]->d_name, '.') = '\0';
        act(context, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return n > 0 ? EXIT_OK : lacks_templates();
}

/* "# A hopper ...": what is behind the mark. */
static void print_template(void *context, const char *name) {
    (void)context;
    char *text = read_template(name);
    const char *about = text ? text + strspn(text, "# ") : "";
    printf("  %-10s %.*s\n", name, (int)strcspn(about, "\n"), about);
    free(text);
}

static void consider_template(void *context, const char *name) {
    /* The name does not outlive its entry. */
    scree_nearest *best = context;
    const char *before = best->word;
    scree_nearest_consider(best, name);
    if (best->word == before) return;
    best->word = strdup(name);
    free((void *)(uintptr_t)before);
}

static int unknown_template(const char *given) {
    scree_nearest best = {.given = given};
    const int code = each_template(consider_template, &best);
    if (code != EXIT_OK) return code;
    scree_unknown("template", &best);
    free((void *)(uintptr_t)best.word);
    return EXIT_INPUT;
}

static int list_templates(void) {
    printf("scree new TEMPLATE FILE.yaml writes one of these:\n");
    return each_template(print_template, NULL);
}

/* ---- the file ------------------------------------------------------------ */

static int cannot_write(const char *path, int reason) {
    fprintf(stderr, "scree: new: %s: %s\n", path, strerror(reason));
    if (reason == EEXIST)
        fprintf(stderr, "  remedy: another name; nothing is replaced\n");
    return reason == EEXIST ? EXIT_INPUT : EXIT_FILE;
}

/* Where something is already, also a link to nowhere, nothing is written. */
static int write_new(const char *path, const char *text) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) return cannot_write(path, errno);
    size_t done = 0;
    const size_t size = strlen(text);
    int reason = 0;
    while (done < size && !reason) {
        const ssize_t n = write(fd, text + done, size - done);
        if (n > 0) done += (size_t)n;
        if (n < 0 && errno != EINTR) reason = errno;
    }
    if (close(fd) != 0 && !reason) reason = errno;
    if (!reason) return EXIT_OK;
    unlink(path);
    return cannot_write(path, reason);
}

static int write_case(const char *name, const char *path) {
    char *text = strchr(name, '/') ? NULL : read_template(name);
    if (!text) return unknown_template(name);
    const int code = write_new(path, text);
    free(text);
    if (code == EXIT_OK)
        printf("%s is written; go on with:\n  scree check %s\n  scree run %s\n",
               path, path, path);
    return code;
}

static int bad_usage(void) {
    fprintf(stderr,
            "scree new: usage: scree %s\n  scree new alone lists the "
            "templates\n",
            scree_command_new.usage);
    return EXIT_INPUT;
}

static int make_case(int argc, char **argv) {
    if (argc == 1) return list_templates();
    if (strcmp(argv[1], "--help") == 0)
        return scree_print_help(&scree_command_new);
    if (argc != 3 || *argv[1] == '-' || *argv[2] == '-') return bad_usage();
    return write_case(argv[1], argv[2]);
}

const scree_command scree_command_new = {
    "new",
    "new [TEMPLATE FILE.yaml]",
    "write a commented case to start from; alone, list the templates",
    "  TEMPLATE   hopper, column, drum, rockfall, model\n"
    "  FILE.yaml  is not replaced if it is there\n",
    make_case,
    false};
