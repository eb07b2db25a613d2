/* write_uses.c: which ready cases use which key, as a table in C for `scree help KEY`.
 *
 *     write_uses OUT.c FOLDER CASE.yaml ...
 *
 * A program of the build. A key is a path of names through mappings, as the reference
 * has it: bodies.pour.rate; places in lists do not count. Files are named below FOLDER,
 * those with few keys first: they are the plainer examples. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DEPTH = 40, PATH = 300, MOST_USES = 20000, MOST_CASES = 500 };

typedef struct use {
    char *path;
    int file;
} use;

typedef struct ready_case {
    const char *name;
    int n_key;
    bool is_model;
} ready_case;

static use uses[MOST_USES];
static int n_use;
static ready_case files[MOST_CASES];
static int n_file;

static void stop(const char *what, const char *name) {
    fprintf(stderr, "write_uses: %s: %s\n", name, what);
    exit(1);
}

/* ---- one file ---------------------------------------------------------------- */

static bool is_known(const char *path, int file) {
    for (int i = n_use - 1; i >= 0 && uses[i].file == file; --i)
        if (strcmp(uses[i].path, path) == 0) return true;
    return false;
}

static void note_key(const char *path, int file) {
    if (is_known(path, file)) return;
    if (n_use == MOST_USES) stop("too many keys", files[file].name);
    uses[n_use++] = (use){strdup(path), file};
    ++files[file].n_key;
    files[file].is_model |= strcmp(path, "model") == 0;
}

static void walk_node(yaml_document_t *document, int node, const char *path,
                      int file, int depth);

static void walk_pair(yaml_document_t *document, const yaml_node_pair_t *pair,
                      const char *path, int file, int depth) {
    char longer[PATH];
    const yaml_node_t *key = yaml_document_get_node(document, pair->key);
    if (key->type != YAML_SCALAR_NODE) return;
    snprintf(longer, sizeof longer, "%s%s%s", path, *path ? "." : "",
             (const char *)key->data.scalar.value);
    note_key(longer, file);
    walk_node(document, pair->value, longer, file, depth + 1);
}

static void walk_node(yaml_document_t *document, int node, const char *path,
                      int file, int depth) {
    const yaml_node_t *n = yaml_document_get_node(document, node);
    if (depth > DEPTH) stop("too deep", files[file].name);
    if (n->type == YAML_SEQUENCE_NODE)
        for (const yaml_node_item_t *item = n->data.sequence.items.start;
             item < n->data.sequence.items.top; ++item)
            walk_node(document, *item, path, file, depth + 1);
    if (n->type == YAML_MAPPING_NODE)
        for (const yaml_node_pair_t *pair = n->data.mapping.pairs.start;
             pair < n->data.mapping.pairs.top; ++pair)
            walk_pair(document, pair, path, file, depth);
}

static void read_case(const char *folder, const char *name) {
    yaml_parser_t parser;
    yaml_document_t document;
    FILE *in = fopen(name, "r");
    const size_t n = strlen(folder);
    if (n_file == MOST_CASES) stop("too many cases", name);
    if (!in || !yaml_parser_initialize(&parser)) stop("cannot be read", name);
    if (strncmp(name, folder, n) == 0 && name[n] == '/') name += n + 1;
    files[n_file] = (ready_case){.name = name};
    yaml_parser_set_input_file(&parser, in);
    if (!yaml_parser_load(&parser, &document)) stop("is not YAML", name);
    if (yaml_document_get_root_node(&document))
        walk_node(&document, 1, "", n_file, 0);
    ++n_file;
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    fclose(in);
}

/* ---- the table --------------------------------------------------------------- */

static int compare_uses(const void *a, const void *b) {
    const use *x = a, *y = b;
    const ready_case *f = &files[x->file], *g = &files[y->file];
    const int by_path = strcmp(x->path, y->path);
    if (by_path != 0) return by_path;
    return f->n_key != g->n_key ? f->n_key - g->n_key
                                : strcmp(f->name, g->name);
}

static void write_table(FILE *out) {
    fprintf(out, "#include \"io/schema/reference.h\"\n\n"
                 "const scree_use scree_case_uses[] = {\n");
    for (int i = 0; i < n_use; ++i)
        fprintf(out, "    {\"%s\", \"%s\", %s},\n", uses[i].path,
                files[uses[i].file].name,
                files[uses[i].file].is_model ? "true" : "false");
    fprintf(out, "};\nconst int scree_n_case_use = %d;\n", n_use);
}

int main(int argc, char **argv) {
    if (argc < 4) stop("wants a file, a folder and cases", "usage");
    for (int i = 3; i < argc; ++i) read_case(argv[2], argv[i]);
    qsort(uses, (size_t)n_use, sizeof *uses, compare_uses);
    FILE *out = fopen(argv[1], "w");
    if (!out) stop("cannot be written", argv[1]);
    write_table(out);
    if (fclose(out) != 0) stop("cannot be written", argv[1]);
    return 0;
}
