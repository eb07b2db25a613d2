/* case_yaml.c: from libyaml's document to the node tree.
 *
 * A document is a graph, since an alias is a second way to its anchor. The walk
 * below copies it into a tree; an anchor that contains itself would never end
 * and a few nested aliases can stand for billions of nodes, so it keeps to
 * MOST_NODES and MOST_DEPTH. */
#include "io/case_message.h"
#include "io/case_node.h"

#include <string.h>
#include <yaml.h>

enum { MOST_NODES = 1000000, MOST_DEPTH = 64 };

typedef struct loader {
    yaml_document_t *document;
    scree_origin start;
    scree_pool *pool;
    int n_node;
    scree_error *error;
} loader;

/* The way from the root to the node at hand. */
typedef struct ancestor {
    const struct ancestor *up;
    const yaml_node_t *node;
    int depth;
} ancestor;

static scree_origin origin_of(const loader *l, yaml_mark_t mark) {
    scree_origin origin = l->start;
    if (origin.line > 0) origin.line += (int)mark.line;
    return origin;
}

static scree_status no_memory(loader *l) {
    return scree_fail(l->error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                      l->start.source);
}

/* ---- the walk ------------------------------------------------------------ */

static scree_status check_bounds(loader *l, const ancestor *here) {
    const scree_origin origin = origin_of(l, here->node->start_mark);
    for (const ancestor *a = here->up; a; a = a->up)
        if (a->node == here->node)
            return scree_complain(l->error, origin, "",
                                  "an alias stands for something that contains "
                                  "the alias itself");
    if (here->depth > MOST_DEPTH)
        return scree_complain(l->error, origin, "",
                              "nested more than %d levels deep", MOST_DEPTH);
    if (++l->n_node > MOST_NODES)
        return scree_complain(l->error, origin, "",
                              "more than %d values once all aliases are "
                              "written out",
                              MOST_NODES);
    return SCREE_OK;
}

static scree_status copy_text(loader *l, const yaml_node_t *from,
                              const char **text) {
    const char *value = (const char *)from->data.scalar.value;
    const size_t length = from->data.scalar.length;
    if (strlen(value) != length)
        return scree_complain(l->error, origin_of(l, from->start_mark), "",
                              "a text holds the character \\0");
    *text = scree_pool_text(l->pool, value, length);
    return *text ? SCREE_OK : no_memory(l);
}

static scree_status load_node(loader *l, int id, const ancestor *up,
                              scree_node **out);

static scree_status load_scalar(loader *l, const yaml_node_t *from,
                                scree_node *to) {
    to->plain = from->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    return copy_text(l, from, &to->text);
}

static scree_status load_list(loader *l, const ancestor *here, scree_node *to) {
    const yaml_node_t *from = here->node;
    for (const yaml_node_item_t *item = from->data.sequence.items.start;
         item < from->data.sequence.items.top; item++) {
        scree_node *value;
        TRY(load_node(l, *item, here, &value));
        if (!scree_node_append(l->pool, to, NULL, value)) return no_memory(l);
    }
    return SCREE_OK;
}

static scree_status load_key(loader *l, int id, scree_node_key *key) {
    const yaml_node_t *from = yaml_document_get_node(l->document, id);
    key->origin = origin_of(l, from->start_mark);
    if (from->type != YAML_SCALAR_NODE)
        return scree_complain(l->error, key->origin, "", "a key must be text");
    return copy_text(l, from, &key->text);
}

static scree_status load_map(loader *l, const ancestor *here, scree_node *to) {
    const yaml_node_t *from = here->node;
    for (const yaml_node_pair_t *pair = from->data.mapping.pairs.start;
         pair < from->data.mapping.pairs.top; pair++) {
        scree_node_key key;
        scree_node *value;
        TRY(load_key(l, pair->key, &key));
        TRY(load_node(l, pair->value, here, &value));
        if (!scree_node_append(l->pool, to, &key, value)) return no_memory(l);
    }
    return SCREE_OK;
}

static scree_node_kind kind_of(const yaml_node_t *from) {
    switch (from->type) {
    case YAML_SEQUENCE_NODE:
        return SCREE_NODE_LIST;
    case YAML_MAPPING_NODE:
        return SCREE_NODE_MAP;
    default:
        return SCREE_NODE_SCALAR;
    }
}

static scree_status load_node(loader *l, int id, const ancestor *up,
                              scree_node **out) {
    const yaml_node_t *from = yaml_document_get_node(l->document, id);
    const ancestor here = {up, from, up ? up->depth + 1 : 0};
    TRY(check_bounds(l, &here));
    scree_node *to = scree_node_create(l->pool, kind_of(from),
                                       origin_of(l, from->start_mark));
    if (!to) return no_memory(l);
    *out = to;
    switch (to->kind) {
    case SCREE_NODE_LIST:
        return load_list(l, &here, to);
    case SCREE_NODE_MAP:
        return load_map(l, &here, to);
    default:
        return load_scalar(l, from, to);
    }
}

/* ---- the parser ---------------------------------------------------------- */

/* libyaml knows no line for bytes that are not UTF-8, only their offset. */
static scree_status bad_bytes(loader *l, const yaml_parser_t *parser,
                              const char *text) {
    yaml_mark_t mark = {0};
    for (size_t i = 0; i < parser->problem_offset; i++)
        mark.line += text[i] == '\n';
    return scree_complain(l->error, origin_of(l, mark), "",
                          "not valid YAML: %s", parser->problem);
}

static scree_status bad_syntax(loader *l, const yaml_parser_t *parser,
                               const char *text) {
    /* Of some requests that fail libyaml does not say what failed. */
    if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
        return no_memory(l);
    if (parser->error == YAML_READER_ERROR) return bad_bytes(l, parser, text);
    return scree_complain(l->error, origin_of(l, parser->problem_mark), "",
                          "not valid YAML: %s%s%s",
                          parser->context ? parser->context : "",
                          parser->context ? ", " : "", parser->problem);
}

static scree_status load_document(loader *l, yaml_parser_t *parser,
                                  const char *text, scree_node **root) {
    yaml_document_t document;
    if (!yaml_parser_load(parser, &document))
        return bad_syntax(l, parser, text);
    l->document = &document;
    scree_status status = SCREE_OK;
    *root = NULL;
    if (yaml_document_get_root_node(&document))
        status = load_node(l, 1, NULL, root);
    yaml_document_delete(&document);
    return status;
}

static scree_status load_only_document(loader *l, yaml_parser_t *parser,
                                       const char *text, scree_node **root) {
    TRY(load_document(l, parser, text, root));
    if (!*root) return SCREE_OK;
    scree_node *next;
    TRY(load_document(l, parser, text, &next));
    if (next)
        return scree_complain(l->error, next->origin, "",
                              "a second YAML document starts here");
    return SCREE_OK;
}

scree_status scree_node_load(const char *text, scree_origin start,
                             scree_pool *pool, scree_node **root,
                             scree_error *error) {
    loader l = {.start = start, .pool = pool, .error = error};
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return no_memory(&l);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text,
                                 strlen(text));
    const scree_status status = load_only_document(&l, &parser, text, root);
    yaml_parser_delete(&parser);
    return status;
}
