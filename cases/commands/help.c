/* help.c: scree help, the reference of commands and of the case file. */
#include <stdio.h>
#include <string.h>

#include "cases/commands/manual.h"
#include "io/case/yaml/case_message.h"
#include "io/schema/reference.h"
#include "io/version.h"

/* Of the ready cases, by write_uses.c. */
extern const scree_use scree_case_uses[];
extern const int scree_n_case_use;

/* What is asked for beside a name. */
typedef struct request {
    const char *word; /* --search */
    const char *page; /* --man */
    const char *list; /* --words */
    bool all, json;
} request;

static int take_search(scree_arguments *a, const char *value) {
    ((request *)a->own)->word = value;
    return EXIT_OK;
}

static int take_page(scree_arguments *a, const char *value) {
    ((request *)a->own)->page = value;
    return EXIT_OK;
}

static int take_list(scree_arguments *a, const char *value) {
    ((request *)a->own)->list = value;
    return EXIT_OK;
}

static int take_all(scree_arguments *a, const char *value) {
    (void)value;
    ((request *)a->own)->all = true;
    return EXIT_OK;
}

static int take_json(scree_arguments *a, const char *value) {
    (void)value;
    ((request *)a->own)->json = true;
    return EXIT_OK;
}

static const scree_option options[] = {{"--search", true, take_search},
                                       {"--all", false, take_all},
                                       {"--json-schema", false, take_json},
                                       {"--man", true, take_page},
                                       {"--words", true, take_list},
                                       {"--help", false, scree_take_help},
                                       {0}};

static int no_memory(void) {
    return scree_print_error(&(scree_error){.text = "out of memory"},
                             EXIT_INTERNAL);
}

/* ---- names --------------------------------------------------------------- */

static void print_overview(const scree_reference *r) {
    printf("Commands (scree help COMMAND tells more):\n");
    const scree_command *c;
    for (int i = 0; (c = scree_command_get(i)); i++)
        printf("  %-9s %.*s\n", c->name, (int)strcspn(c->about, "\n"),
               c->about);
    printf("\nKeys of a case file (scree help KEY tells more, e.g. scree help "
           "bodies.pour.rate):\n");
    scree_reference_sections(r, stdout);
    printf("\nscree help --search WORD finds keys; scree new writes a case to "
           "start from.\n");
}

static int unknown_name(const scree_reference *r, const char *name) {
    fprintf(stderr, "scree: unknown key or command '%s'; the nearest keys:\n",
            scree_quote(name).text);
    scree_reference_suggest(r, name, stderr);
    fprintf(stderr, "scree help lists all commands and sections; scree help "
                    "--search WORD finds keys\n");
    return EXIT_INPUT;
}

/* Some commands tell more than scree_print_help. */
static int explain_command(const scree_command *command) {
    char name[32], option[] = "--help";
    snprintf(name, sizeof name, "%s", command->name);
    return command->run(2, (char *[]){name, option, NULL});
}

static int explain_name(const scree_reference *r, const char *name) {
    const scree_command *command = scree_command_find(name);
    if (command) return explain_command(command);
    return scree_reference_explain(r, name, stdout) ? EXIT_OK
                                                    : unknown_name(r, name);
}

static int search_word(const scree_reference *r, const char *word) {
    if (*word && scree_reference_search(r, word, stdout) > 0) return EXIT_OK;
    fprintf(stderr,
            "scree: no key has the word '%s'; scree help lists the "
            "sections\n",
            scree_quote(word).text);
    return EXIT_INPUT;
}

/* ---- pages --------------------------------------------------------------- */

static int print_page(const scree_reference *r, const char *page) {
    if (strcmp(page, "scree.1") == 0)
        scree_print_manual(stdout);
    else if (strcmp(page, "scree-case.5") == 0)
        scree_reference_man(r, scree_build_version, stdout);
    else {
        fprintf(stderr,
                "scree: --man wants scree.1 or scree-case.5, not '%s'\n",
                scree_quote(page).text);
        return EXIT_INPUT;
    }
    return EXIT_OK;
}

static void print_keys(const scree_reference *r) {
    char option[SCREE_PATH_BYTES + 4];
    for (int i = 0; i < r->n; i++) {
        scree_key_option(&r->keys[i], option);
        printf("%s\n", option);
    }
}

/* For completion in a shell. */
static int print_words(const scree_reference *r, const char *list,
                       const char *name) {
    const scree_command *c;
    if (strcmp(list, "commands") == 0) {
        for (int i = 0; (c = scree_command_get(i)); i++)
            printf("%s\n", c->name);
        return EXIT_OK;
    }
    if (strcmp(list, "keys") == 0) {
        print_keys(r);
        return EXIT_OK;
    }
    c = name ? scree_command_find(name) : NULL;
    if (strcmp(list, "options") == 0 && c) {
        scree_print_options(c, stdout);
        return EXIT_OK;
    }
    fprintf(stderr, "scree: --words wants commands, keys, or options and a "
                    "command\n");
    return EXIT_INPUT;
}

/* ---- the command --------------------------------------------------------- */

static int answer_help(const scree_reference *r, const scree_arguments *a) {
    const request *asked = a->own;
    if (asked->list) return print_words(r, asked->list, a->path);
    if (asked->page) return print_page(r, asked->page);
    if (asked->word) return search_word(r, asked->word);
    if (asked->json)
        return scree_reference_json(stdout) == SCREE_OK ? EXIT_OK : no_memory();
    if (asked->all)
        scree_reference_markdown(r, stdout);
    else if (a->path)
        return explain_name(r, a->path);
    else
        print_overview(r);
    return EXIT_OK;
}

extern const scree_command scree_command_help;

static int tell_help(const scree_arguments *a) {
    if (a->help) return scree_print_help(&scree_command_help);
    scree_reference reference;
    if (scree_reference_make(&reference) != SCREE_OK) return no_memory();
    reference.uses = scree_case_uses, reference.n_use = scree_n_case_use;
    const int code = answer_help(&reference, a);
    scree_reference_free(&reference);
    return code;
}

static int help(int argc, char **argv) {
    request asked = {0};
    scree_arguments a = {.what = "key or command", .own = &asked};
    int code = scree_parse_arguments(&a, argc, argv, options);
    if (code == EXIT_OK) code = tell_help(&a);
    scree_free_arguments(&a);
    return code;
}

const scree_command scree_command_help = {
    "help",
    "help [KEY | COMMAND | --search WORD | --all | --json-schema | --man PAGE]",
    "tell of a key of the case file (meaning, unit, default, range, example, "
    "cases that use it) or of a command",
    "  KEY            e.g. bodies.pour.rate, or its end: rate\n"
    "  --search WORD  the keys whose name or text has the word\n"
    "  --all          the whole reference, in Markdown\n"
    "  --json-schema  a JSON schema of case files, installed as\n"
    "                 share/scree/case.schema.json: an editor with a YAML\n"
    "                 language server completes and checks with it\n"
    "  --man PAGE     scree.1 or scree-case.5, as roff\n",
    help,
    false};
