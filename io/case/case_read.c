/* case_read.c: from a path to a checked case.
 *
 *     file ──> node tree <── overrides
 *                  │
 *                  v          tables of case_schema.c
 *                draft   ──> case
 */
#include "io/case/case_check.h"
#include "io/case/case_reader.h"
#include "io/case/case_set.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/file/safe_file.h"

/* Of a case file, and of the points of all rocks that a look makes; README.md,
 * `Limits`. */
enum { MOST_BYTES = 10000000, MOST_POINTS = 60000 };

/* ---- the file ------------------------------------------------------------ */

static scree_status io_error(scree_reader *r, const char *what) {
    return scree_fail(r->error, SCREE_IO_ERROR, "%.500s: %s", r->draft.c.path,
                      what);
}

static scree_status check_size(scree_reader *r, size_t n) {
    return n > MOST_BYTES
               ? io_error(r, "larger than 10 MB, too large for a case file")
               : SCREE_OK;
}

/* The parser takes a string: a NUL byte would hide what follows it. */
static scree_status check_text(scree_reader *r, const char *text, size_t n) {
    scree_origin origin = {r->draft.c.path, 1};
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) origin.line += text[i] == '\n';
    if (length < n)
        return scree_complain(r->error, origin, "",
                              "a NUL byte: this is not a text file");
    return SCREE_OK;
}

/* Somebody may write to the file meanwhile: no more than its size is taken. */
static scree_status read_bytes(scree_reader *r, int fd, size_t size) {
    char *text = scree_pool_take(r->pool, size + 1, 1);
    if (!text) return scree_reader_no_memory(r);
    size_t n = 0;
    while (n < size) {
        const ssize_t got = read(fd, text + n, size - n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return io_error(r, strerror(errno));
        if (got == 0) break;
        n += (size_t)got;
    }
    r->draft.c.text = text;
    return check_text(r, text, n);
}

static scree_status read_file(scree_reader *r) {
    int fd;
    size_t size;
    TRY(scree_file_open(r->draft.c.path, "a case file", &fd, &size, r->error));
    scree_status status = check_size(r, size);
    if (status == SCREE_OK) status = read_bytes(r, fd, size);
    close(fd);
    return status;
}

/* ---- the tree ------------------------------------------------------------ */

static scree_status load_tree(scree_reader *r, scree_pool *pool,
                              scree_node **root) {
    const scree_origin start = {r->draft.c.path, 1};
    TRY(scree_node_load(r->draft.c.text, start, pool, root, r->error));
    if (!*root) return scree_complain(r->error, start, "", "the file is empty");
    if ((*root)->kind != SCREE_NODE_MAP) {
        scree_complain(r->error, (*root)->origin, "",
                       "expected a mapping (key: value), found %s",
                       (*root)->kind == SCREE_NODE_LIST ? "a list" : "a text");
        scree_hint_names(r->error, "allowed here",
                         scree_names_keys(&scree_case_table));
        return SCREE_BAD_INPUT;
    }
    return SCREE_OK;
}

static scree_status keep_overrides(scree_reader *r, int n,
                                   const char *const *sets) {
    size_t size = 1, used = 0;
    for (int i = 0; i < n; i++) size += strlen(sets[i]) + 1;
    char *text = scree_pool_take(r->pool, size, 1);
    if (!text) return scree_reader_no_memory(r);
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i > 0 ? "\n" : "", sets[i]);
    r->draft.c.overrides = text;
    return SCREE_OK;
}

/* ---- the case ------------------------------------------------------------ */

/* cases/column.yaml is called column. */
static char *name_of(scree_pool *pool, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return scree_pool_text(
        pool, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

void scree_prepare_case(scree_case *c) {
    static char units[] = "SI";
    c->units = units;
    c->seed = 1;
    c->end = INFINITY; /* no pour ends before it where `time` is refused */
    c->checkpoint.keep = 2;
    c->world = scree_world_def_default();
    c->motion = 0.1;
    c->domain = scree_outlet_def_default();
    c->domain.outside = true;
    c->domain.low[0] = NAN;
    c->cell.def = scree_cell_def_default();
    c->cell.def.low[0] = NAN;
    c->stop.hold = 0.1;
    c->ensemble.rest_speed = 0.1;
    c->ensemble.rest_for = 1;
    c->ensemble.every = -1;
    c->ensemble.maps = true;
    c->stepping = scree_dense_options_default();
}

static scree_status prepare_draft(scree_reader *r, const char *path) {
    scree_case *c = &r->draft.c;
    scree_prepare_case(c);
    c->memory = r->pool;
    c->path = scree_pool_text(r->pool, path, strlen(path));
    c->name = name_of(r->pool, path);
    return c->path && c->name ? SCREE_OK : scree_reader_no_memory(r);
}

static scree_status resolve_outputs(scree_reader *r) {
    scree_case *c = &r->draft.c;
    const scree_table *table = scree_outputs_of(c);
    const int n = r->draft.n_output;
    c->outputs = scree_pool_take(r->pool, (size_t)n, sizeof *c->outputs);
    if (!c->outputs) return scree_reader_no_memory(r);
    for (c->n_output = 0; c->n_output < n; c->n_output++) {
        const scree_output_entry *entry = &r->draft.outputs[c->n_output];
        c->outputs[c->n_output] = entry->output;
        c->outputs[c->n_output].sink = table->fields[entry->sink].key;
    }
    return SCREE_OK;
}

/* With the key `model` a file is of the other kind. */
static const scree_table *table_of(const scree_node *root) {
    return scree_node_value(root, "model") ? &scree_model_case_table
                                           : &scree_case_table;
}

/* Takes the text that is given, or else the file's. */
static scree_status take_text(scree_reader *r, const char *text) {
    if (!text) return read_file(r);
    TRY(check_size(r, strlen(text)));
    r->draft.c.text = scree_pool_text(r->pool, text, strlen(text));
    return r->draft.c.text ? check_text(r, text, strlen(text))
                           : scree_reader_no_memory(r);
}

static scree_status read_case(scree_reader *r, scree_pool *tree,
                              const char *text, int n_set,
                              const char *const *sets) {
    scree_node *root;
    TRY(take_text(r, text));
    TRY(load_tree(r, tree, &root));
    for (int i = 0; i < n_set; i++)
        TRY(scree_reader_pass(r, scree_case_set(&root, sets[i], tree, r->error),
                              0));
    /* An option that was refused may have been half done. */
    if (r->n_refused > 0) return scree_reader_follow(r);
    TRY(keep_overrides(r, n_set, sets));
    TRY(scree_reader_map(r, table_of(root), root, &r->draft));
    TRY(scree_reader_resolve_walls(r));
    return resolve_outputs(r);
}

/* The case lives in the memory that it owns. */
static scree_status keep_case(scree_reader *r, scree_case **out) {
    scree_case *c = scree_pool_take(r->pool, 1, sizeof *c);
    if (!c) return scree_reader_no_memory(r);
    *c = r->draft.c;
    *out = c;
    return SCREE_OK;
}

static scree_status run_reader(scree_reader *r, const char *text,
                               const char *path, int n_set,
                               const char *const *sets, scree_case **out) {
    TRY(prepare_draft(r, path));
    scree_pool *tree = scree_pool_create();
    if (!tree) return scree_reader_no_memory(r);
    const scree_status status = read_case(r, tree, text, n_set, sets);
    scree_pool_destroy(tree);
    return status == SCREE_OK ? keep_case(r, out) : status;
}

static scree_status start_reader(scree_reader r, const char *text,
                                 const char *path, int n_set,
                                 const char *const *sets, scree_case **out,
                                 scree_error *error) {
    scree_error unheard, at_hand = {0};
    r.pool = scree_pool_create();
    r.error = &at_hand;
    r.all = error ? error : &unheard;
    *out = NULL;
    if (!r.pool) return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    *r.all = (scree_error){0};
    const scree_status status = run_reader(&r, text, path, n_set, sets, out);
    if (status == SCREE_OK) return SCREE_OK;
    scree_pool_destroy(r.pool);
    return scree_reader_tell(&r, status);
}

scree_status scree_case_read(const char *path, int n_set,
                             const char *const *sets, scree_case **out,
                             scree_error *error) {
    return start_reader((scree_reader){0}, NULL, path, n_set, sets, out, error);
}

scree_status scree_case_look(const char *path, int n_set,
                             const char *const *sets, scree_case **out,
                             scree_error *error) {
    const scree_reader looking = {.looks = true, .points = MOST_POINTS};
    return start_reader(looking, NULL, path, n_set, sets, out, error);
}

scree_status scree_case_read_text(const char *text, const char *path, int n_set,
                                  const char *const *sets, scree_case **out,
                                  scree_error *error) {
    return start_reader((scree_reader){0}, text, path, n_set, sets, out, error);
}

void scree_case_free(scree_case *c) {
    if (c) scree_pool_destroy(c->memory);
}
