/* case_yaml.c: from libyaml's events to the node tree.
 *
 *     event ──> node, key or alias ──> items of the list or map at hand
 *
 * A file may be hostile, so that every limit acts on the event that breaks it,
 * before libyaml reads on or anything more is kept:
 *
 *     directives   libyaml compares each with all: counted before it begins
 *     depth        libyaml looks at every open level for each token
 *     aliases, values, text   a few lines can stand for billions
 *
 * An alias becomes a copy of its anchor; the texts are shared. Lists and maps are
 * collected on one stack and get arrays of their exact size when they end. */
#include "io/case/yaml/case_index.h"
#include "io/case/yaml/case_message.h"
#include "io/case/yaml/case_node.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* io/case/README.md, `Limits`, has them too. */
enum {
    MOST_DEPTH = 64,
    MOST_VALUES = 1000000,
    MOST_ALIASES = 10000,
    MOST_TEXT = 16000000, /* bytes */
    MOST_DIRECTIVES = 16,
};

/* A value and, in a map, its key. */
typedef struct item {
    scree_node_key key;
    scree_node *value;
} item;

typedef struct anchor {
    scree_node *node;
    bool open; /* the node has not ended yet */
} anchor;

typedef struct loader {
    yaml_parser_t *parser;
    yaml_event_t event; /* at hand */
    const char *text;
    scree_origin start;
    scree_pool *pool;
    scree_error *error;

    item *items; /* (n_item) of all lists and maps that are open */
    int n_item, item_room;
    scree_index anchor_names;
    anchor *anchors; /* (n_anchor) */
    int n_anchor, anchor_room;

    int n_value, n_alias;
    size_t n_text;
} loader;

static scree_origin origin_of(const loader *l, yaml_mark_t mark) {
    scree_origin origin = l->start;
    if (origin.line > 0) origin.line += (int)mark.line;
    return origin;
}

static scree_origin origin_here(const loader *l) {
    return origin_of(l, l->event.start_mark);
}

static scree_status no_memory(loader *l) {
    return scree_fail(l->error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                      l->start.source);
}

/* ---- events -------------------------------------------------------------- */

/* libyaml knows no line for bytes that are not UTF-8, only their offset. */
static scree_status bad_bytes(loader *l) {
    yaml_mark_t mark = {0};
    for (size_t i = 0; i < l->parser->problem_offset; i++)
        mark.line += l->text[i] == '\n';
    return scree_complain(l->error, origin_of(l, mark), "",
                          "not valid YAML: %s", l->parser->problem);
}

/* Does the line begin with white space that holds a tab? */
static bool tab_indents(const char *text, size_t line) {
    for (; line > 0 && *text; text++) line -= *text == '\n';
    return text[strspn(text, " ")] == '\t';
}

static scree_status bad_tab(loader *l) {
    scree_complain(l->error, origin_of(l, l->parser->problem_mark), "",
                   "a tab: YAML is indented with spaces");
    scree_hint(l->error, "remedy: write spaces; expand -t 2 OLD.yaml > "
                         "NEW.yaml replaces all tabs");
    return SCREE_BAD_INPUT;
}

static scree_status bad_syntax(loader *l) {
    const yaml_parser_t *parser = l->parser;
    /* Of some requests that fail libyaml does not say what failed. */
    if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
        return no_memory(l);
    if (parser->error == YAML_READER_ERROR) return bad_bytes(l);
    if (tab_indents(l->text, parser->problem_mark.line)) return bad_tab(l);
    return scree_complain(l->error, origin_of(l, parser->problem_mark), "",
                          "not valid YAML: %s%s%s",
                          parser->context ? parser->context : "",
                          parser->context ? ", " : "", parser->problem);
}

/* The event at hand is the loader's, which gives it back. */
static scree_status next_event(loader *l) {
    yaml_event_delete(&l->event);
    l->event = (yaml_event_t){0};
    return yaml_parser_parse(l->parser, &l->event) ? SCREE_OK : bad_syntax(l);
}

/* ---- limits -------------------------------------------------------------- */

static scree_status check_depth(loader *l, int depth) {
    if (depth <= MOST_DEPTH) return SCREE_OK;
    return scree_complain(l->error, origin_here(l), "",
                          "nested more than %d levels deep", MOST_DEPTH);
}

static scree_status count_value(loader *l, int depth) {
    TRY(check_depth(l, depth));
    if (++l->n_value <= MOST_VALUES) return SCREE_OK;
    return scree_complain(l->error, origin_here(l), "",
                          "more than %d values once all aliases are written "
                          "out",
                          MOST_VALUES);
}

static scree_status count_text(loader *l, size_t length) {
    l->n_text += length;
    if (l->n_text <= MOST_TEXT) return SCREE_OK;
    return scree_complain(l->error, origin_here(l), "",
                          "more than %d MB of text once all aliases are "
                          "written out",
                          MOST_TEXT / 1000000);
}

static scree_status count_alias(loader *l) {
    if (++l->n_alias <= MOST_ALIASES) return SCREE_OK;
    return scree_complain(l->error, origin_here(l), "", "more than %d aliases",
                          MOST_ALIASES);
}

/* A directive is a line that begins with %. */
static scree_status count_directives(loader *l) {
    int n = 0, line = 0;
    for (const char *c = l->text; *c; c += *c == '\n', line++) {
        if (*c == '%' && ++n > MOST_DIRECTIVES)
            return scree_complain(
                l->error, origin_of(l, (yaml_mark_t){.line = (size_t)line}), "",
                "more than %d lines begin with %%", MOST_DIRECTIVES);
        c += strcspn(c, "\n");
    }
    return SCREE_OK;
}

/* ---- tags ---------------------------------------------------------------- */

static const char core[] = "tag:yaml.org,2002:";

static bool is_core(const char *tag, const char *word) {
    const size_t n = strlen(core);
    return strncmp(tag, core, n) == 0 && strcmp(tag + n, word) == 0;
}

static bool is_tag_of(const char *tag, scree_node_kind kind) {
    static const char *const scalars[] = {"str", "int", "float", "bool",
                                          "null"};
    if (kind == SCREE_NODE_LIST) return is_core(tag, "seq");
    if (kind == SCREE_NODE_MAP) return is_core(tag, "map");
    for (int i = 0; i < 5; i++)
        if (is_core(tag, scalars[i])) return true;
    return strcmp(tag, "!") == 0;
}

/* Keys say what type their value has; a tag may agree, nothing is decoded. */
static scree_status check_tag(loader *l, const yaml_char_t *given,
                              scree_node_kind kind) {
    const char *tag = (const char *)given;
    if (!tag || is_tag_of(tag, kind)) return SCREE_OK;
    const bool of_core = strncmp(tag, core, strlen(core)) == 0;
    scree_complain(l->error, origin_here(l), "",
                   "the tag %s%s has no meaning "
                   "here",
                   of_core ? "!!" : "",
                   scree_quote(of_core ? tag + strlen(core) : tag).text);
    scree_hint(l->error, "remedy: leave it out; %s",
               kind == SCREE_NODE_SCALAR ? "quotes make a text"
                                         : "keys say what they hold");
    return SCREE_BAD_INPUT;
}

/* ---- anchors ------------------------------------------------------------- */

static scree_status add_anchor(loader *l, const yaml_char_t *name,
                               scree_node *node, int *number) {
    *number = -1;
    if (!name) return SCREE_OK;
    const char *given = (const char *)name;
    if (scree_index_find(&l->anchor_names, given) >= 0)
        return scree_complain(l->error, origin_here(l), "",
                              "a second anchor &%s", scree_quote(given).text);
    if (l->n_anchor == l->anchor_room) {
        const int room = l->anchor_room ? 2 * l->anchor_room : 16;
        anchor *more = realloc(l->anchors, (size_t)room * sizeof *more);
        if (!more) return no_memory(l);
        l->anchors = more;
        l->anchor_room = room;
    }
    const char *kept = scree_pool_text(l->pool, given, strlen(given));
    if (!kept || !scree_index_add(&l->anchor_names, l->pool, kept, l->n_anchor))
        return no_memory(l);
    *number = l->n_anchor++;
    l->anchors[*number] = (anchor){node, true};
    return SCREE_OK;
}

static void close_anchor(loader *l, int number) {
    if (number >= 0) l->anchors[number].open = false;
}

/* What the alias at hand stands for. */
static scree_status find_anchor(loader *l, const scree_node **node) {
    const char *name = (const char *)l->event.data.alias.anchor;
    TRY(count_alias(l));
    const int i = scree_index_find(&l->anchor_names, name);
    if (i < 0)
        return scree_complain(l->error, origin_here(l), "",
                              "not valid YAML: undefined alias *%s",
                              scree_quote(name).text);
    if (l->anchors[i].open)
        return scree_complain(l->error, origin_here(l), "",
                              "an alias stands for something that contains "
                              "the alias itself");
    *node = l->anchors[i].node;
    return SCREE_OK;
}

/* Texts are shared with the original, arrays are not. */
static scree_status copy_node(loader *l, const scree_node *from, int depth,
                              scree_node **out) {
    TRY(count_value(l, depth));
    scree_node *to = scree_node_create(l->pool, from->kind, from->origin);
    if (!to) return no_memory(l);
    *out = to;
    to->text = from->text;
    to->plain = from->plain;
    if (from->kind == SCREE_NODE_SCALAR)
        return count_text(l, strlen(from->text));
    if (!scree_node_reserve(l->pool, to, from->n)) return no_memory(l);
    for (int i = 0; i < from->n; i++) {
        const scree_node_key *key =
            from->kind == SCREE_NODE_MAP ? &from->keys[i] : NULL;
        scree_node *value;
        if (key) TRY(count_text(l, strlen(key->text)));
        TRY(copy_node(l, from->items[i], depth + 1, &value));
        if (!scree_node_append(l->pool, to, key, value)) return no_memory(l);
    }
    return SCREE_OK;
}

/* ---- values -------------------------------------------------------------- */

static scree_status load_node(loader *l, int depth, scree_node **out);

static scree_status copy_text(loader *l, const char **text) {
    const char *value = (const char *)l->event.data.scalar.value;
    const size_t length = l->event.data.scalar.length;
    if (strlen(value) != length)
        return scree_complain(l->error, origin_here(l), "",
                              "a text holds the character \\0");
    TRY(count_text(l, length));
    *text = scree_pool_text(l->pool, value, length);
    return *text ? SCREE_OK : no_memory(l);
}

static scree_status load_scalar(loader *l, scree_node *to) {
    const yaml_char_t *tag = l->event.data.scalar.tag;
    TRY(check_tag(l, tag, SCREE_NODE_SCALAR));
    to->plain = l->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
                !(tag && (is_core((const char *)tag, "str") ||
                          strcmp((const char *)tag, "!") == 0));
    return copy_text(l, &to->text);
}

static scree_status load_key(loader *l, scree_node_key *key) {
    key->origin = origin_here(l);
    const scree_node *node = NULL;
    if (l->event.type == YAML_ALIAS_EVENT) {
        TRY(find_anchor(l, &node));
        if (node->kind == SCREE_NODE_SCALAR) {
            key->text = node->text;
            return count_text(l, strlen(key->text));
        }
    }
    if (l->event.type != YAML_SCALAR_EVENT)
        return scree_complain(l->error, key->origin, "", "a key must be text");
    scree_node unplaced = {0};
    scree_node *scalar =
        l->event.data.scalar.anchor
            ? scree_node_create(l->pool, SCREE_NODE_SCALAR, key->origin)
            : &unplaced;
    if (!scalar) return no_memory(l);
    int number;
    TRY(add_anchor(l, l->event.data.scalar.anchor, scalar, &number));
    close_anchor(l, number);
    TRY(load_scalar(l, scalar));
    key->text = scalar->text;
    return SCREE_OK;
}

static scree_status push_item(loader *l, const item *next) {
    if (l->n_item == l->item_room) {
        const int room = l->item_room ? 2 * l->item_room : 256;
        item *more = realloc(l->items, (size_t)room * sizeof *more);
        if (!more) return no_memory(l);
        l->items = more;
        l->item_room = room;
    }
    l->items[l->n_item++] = *next;
    return SCREE_OK;
}

/* Moves the items from `first` on into the node. */
static scree_status take_items(loader *l, int first, scree_node *to) {
    if (!scree_node_reserve(l->pool, to, l->n_item - first))
        return no_memory(l);
    for (int i = first; i < l->n_item; i++)
        if (!scree_node_append(l->pool, to,
                               to->kind == SCREE_NODE_MAP ? &l->items[i].key
                                                          : NULL,
                               l->items[i].value))
            return no_memory(l);
    l->n_item = first;
    return SCREE_OK;
}

/* From the event that begins a list or map to the one that ends it. */
static scree_status load_items(loader *l, int depth, scree_node *to) {
    const bool map = to->kind == SCREE_NODE_MAP;
    const yaml_event_type_t end =
        map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
    const int first = l->n_item;
    TRY(next_event(l));
    while (l->event.type != end) {
        item next = {0};
        if (map) {
            TRY(load_key(l, &next.key));
            TRY(next_event(l));
        }
        TRY(load_node(l, depth + 1, &next.value));
        TRY(push_item(l, &next));
        TRY(next_event(l));
    }
    return take_items(l, first, to);
}

static scree_status load_alias(loader *l, int depth, scree_node **out) {
    const scree_node *from;
    TRY(find_anchor(l, &from));
    return copy_node(l, from, depth, out);
}

/* ---- nodes --------------------------------------------------------------- */

static scree_status load_content(loader *l, int depth, scree_node *to) {
    switch (to->kind) {
    case SCREE_NODE_LIST:
        TRY(check_tag(l, l->event.data.sequence_start.tag, to->kind));
        return load_items(l, depth, to);
    case SCREE_NODE_MAP:
        TRY(check_tag(l, l->event.data.mapping_start.tag, to->kind));
        return load_items(l, depth, to);
    default:
        return load_scalar(l, to);
    }
}

static scree_node_kind kind_of(const yaml_event_t *event,
                               const yaml_char_t **anchor_name) {
    switch (event->type) {
    case YAML_SEQUENCE_START_EVENT:
        *anchor_name = event->data.sequence_start.anchor;
        return SCREE_NODE_LIST;
    case YAML_MAPPING_START_EVENT:
        *anchor_name = event->data.mapping_start.anchor;
        return SCREE_NODE_MAP;
    default:
        *anchor_name = event->data.scalar.anchor;
        return SCREE_NODE_SCALAR;
    }
}

/* Ends with the last event of the node at hand. */
static scree_status load_node(loader *l, int depth, scree_node **out) {
    if (l->event.type == YAML_ALIAS_EVENT) return load_alias(l, depth, out);
    TRY(count_value(l, depth));
    const yaml_char_t *name;
    const scree_node_kind kind = kind_of(&l->event, &name);
    scree_node *to = scree_node_create(l->pool, kind, origin_here(l));
    if (!to) return no_memory(l);
    *out = to;
    int number;
    TRY(add_anchor(l, name, to, &number));
    TRY(load_content(l, depth, to));
    close_anchor(l, number);
    return SCREE_OK;
}

/* ---- the document -------------------------------------------------------- */

static scree_status load_only_document(loader *l, scree_node **root) {
    *root = NULL;
    TRY(count_directives(l));
    TRY(next_event(l)); /* the stream begins */
    TRY(next_event(l));
    if (l->event.type == YAML_STREAM_END_EVENT) return SCREE_OK;
    TRY(next_event(l)); /* the document has begun */
    TRY(load_node(l, 0, root));
    TRY(next_event(l)); /* it ends */
    TRY(next_event(l));
    if (l->event.type == YAML_STREAM_END_EVENT) return SCREE_OK;
    return scree_complain(l->error, origin_here(l), "",
                          "a second YAML document starts here");
}

scree_status scree_node_load(const char *text, scree_origin start,
                             scree_pool *pool, scree_node **root,
                             scree_error *error) {
    yaml_parser_t parser;
    loader l = {.parser = &parser,
                .text = text,
                .start = start,
                .pool = pool,
                .error = error};
    if (!yaml_parser_initialize(&parser)) return no_memory(&l);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text,
                                 strlen(text));
    const scree_status status = load_only_document(&l, root);
    yaml_event_delete(&l.event);
    yaml_parser_delete(&parser);
    free(l.items);
    free(l.anchors);
    return status;
}
