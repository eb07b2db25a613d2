/* hdf5_memory_tree.h: the trees of hdf5_memory.c, which alone includes this: nodes,
 * copies, and paths through them. */
#ifndef SCREE_TESTS_FUZZ_HDF5_MEMORY_TREE_H
#define SCREE_TESTS_FUZZ_HDF5_MEMORY_TREE_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

/* Nodes are HDF5's business: the sanitizer's allocator, which is slow, does not watch
 * over them. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void __libc_free(void *block);

/* ---- trees --------------------------------------------------------------------- */

typedef enum kind { GROUP, DATASET, LINK, ATTRIBUTE } kind;

/* What a node and its copies have in common, until one of them is changed. */
typedef struct content {
    long users;
    char *name;
    char *target;       /* of a link: a path from the root */
    hid_t type, space;  /* of datasets and attributes */
    size_t size, count; /* of an element, and of them: asking HDF5 costs more */
    bool text;          /* of any length */
    char *data;         /* NULL: never written */
} content;

typedef struct node {
    kind kind;
    content *own; /* NULL: of a root */
    struct node *child,
        *next; /* objects and attributes of an object, by name */
} node;

/* What the file of a tree holds. */
typedef struct image {
    unsigned char signature[8];
    uint64_t tree;
} image;

typedef struct tree {
    node root;
    char *path; /* NULL: no file of that name */
    int fd;     /* of an open file, -1: none */
    bool changed;
    image image;
    void *handle; /* &image, for H5Fget_vfd_handle */
} tree;

enum { MOST_TREES = 1 << 12, MOST_HANDLES = 1 << 12, MOST_BYTES = 1 << 26 };

static tree *trees[MOST_TREES];
static uint64_t n_tree;

static bool is_text(hid_t type) {
    return H5Tis_variable_str(type) > 0;
}

/* Bytes of the data; too many are none that are ever written. */
static size_t bytes_of(const content *c) {
    const bool many = c->count > MOST_BYTES / (c->size ? c->size : 1);
    return many ? SIZE_MAX : c->count * c->size;
}

static char *copy_text(const char *text) {
    return text ? strdup(text) : NULL;
}

static char *copy_name(const char *name, size_t n) {
    char *copy = __libc_calloc(n + 1, 1);
    return memcpy(copy, name, n);
}

static content *make_content(const char *name, size_t n) {
    content *c = __libc_calloc(1, sizeof *c);
    c->users = 1, c->name = copy_name(name, n);
    return c;
}

static void free_data(content *c) {
    for (size_t i = 0; i < c->count && c->data && c->text; i++)
        free(((char **)c->data)[i]);
    __libc_free(c->data);
    c->data = NULL;
}

static void drop_content(content *c) {
    if (!c || --c->users > 0) return;
    free_data(c);
    if (c->type) H5Idec_ref(c->type);
    if (c->space) H5Idec_ref(c->space);
    __libc_free(c->name);
    free(c->target);
    __libc_free(c);
}

static void copy_data(content *to, const content *from) {
    if (!from->data) return;
    to->data = __libc_malloc(bytes_of(from) + 1);
    memcpy(to->data, from->data, bytes_of(from));
    if (!from->text) return;
    char **texts = (char **)to->data;
    for (size_t i = 0; i < from->count; i++) texts[i] = copy_text(texts[i]);
}

/* The content of a node that is about to be changed: no other node has it. */
static content *change_content(node *n) {
    const content *from = n->own;
    if (from->users == 1) return n->own;
    content *to = make_content(from->name, strlen(from->name));
    to->target = copy_text(from->target);
    to->type = from->type, to->space = from->space;
    to->size = from->size, to->count = from->count, to->text = from->text;
    if (to->type) H5Iinc_ref(to->type);
    if (to->space) H5Iinc_ref(to->space);
    copy_data(to, from);
    drop_content(n->own);
    return n->own = to;
}

static void free_inside(node *n) {
    for (node *c = n->child, *next; c; c = next) {
        next = c->next;
        free_inside(c);
        __libc_free(c);
    }
    drop_content(n->own);
}

static void copy_inside(node *to, const node *from) {
    *to = (node){.kind = from->kind, .own = from->own};
    if (to->own) to->own->users++;
    node **end = &to->child;
    for (const node *c = from->child; c; c = c->next) {
        *end = __libc_malloc(sizeof **end);
        copy_inside(*end, c);
        end = &(*end)->next;
    }
}

static tree *add_tree(const node *root, const char *path) {
    fuzz_require(n_tree < MOST_TREES, "too many files at once");
    tree *t = trees[n_tree] = calloc(1, sizeof *t);
    t->image = (image){{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'}, n_tree};
    t->handle = &t->image;
    t->path = copy_text(path), t->fd = -1;
    if (root) copy_inside(&t->root, root);
    n_tree++;
    return t;
}

/* ---- places in a tree ------------------------------------------------------------ */

/* strncmp without the fuzzer's eyes on it, and with the end of `name` at n. */
static int order_of(const char *name, const char *other, size_t n) {
    size_t i = 0;
    while (i < n && name[i] == other[i] && name[i]) i++;
    const unsigned char a = (unsigned char)name[i],
                        b = i < n ? (unsigned char)other[i] : 0;
    return (a > b) - (a < b);
}

/* Where the link to a child is, or where a new one belongs: objects before attributes,
 * each by name. */
static node **place_of(node *parent, const char *name, size_t n,
                       bool attribute) {
    node **at = &parent->child;
    for (; *at; at = &(*at)->next) {
        const bool other = (*at)->kind == ATTRIBUTE;
        if (other != attribute) {
            if (attribute) continue;
            break;
        }
        if (order_of((*at)->own->name, name, n) >= 0) break;
    }
    return at;
}

static node *child_of(node *parent, const char *name, size_t n,
                      bool attribute) {
    node **at = place_of(parent, name, n, attribute);
    const bool found = *at && ((*at)->kind == ATTRIBUTE) == attribute &&
                       order_of((*at)->own->name, name, n) == 0;
    return found ? *at : NULL;
}

static node *resolve(tree *t, node *from, const char *path, int depth);

static node *follow(tree *t, node *n, int depth) {
    enum { MOST_LINKS = 16 }; /* as in HDF5 */
    if (!n || n->kind != LINK) return n;
    return depth < MOST_LINKS ? resolve(t, &t->root, n->own->target, depth + 1)
                              : NULL;
}

/* The object of a path, through links. */
static node *resolve(tree *t, node *from, const char *path, int depth) {
    if (*path == '/') from = &t->root;
    while (from && *(path += strspn(path, "/"))) {
        const size_t n = strcspn(path, "/");
        const bool here = n == 1 && *path == '.';
        if (!here && from->kind != GROUP) return NULL;
        if (!here) from = follow(t, child_of(from, path, n, false), depth);
        path += n;
    }
    return from;
}

/* The group that holds the last name of a path, and that name; groups on the way are
 * made if asked. */
static node *parent_of(tree *t, node *from, const char *path, const char **last,
                       bool make) {
    if (*path == '/') from = &t->root;
    path += strspn(path, "/");
    for (const char *slash; from && (slash = strchr(path, '/'));) {
        const size_t n = (size_t)(slash - path);
        node *next = follow(t, child_of(from, path, n, false), 0);
        if (!next && make && from->kind == GROUP &&
            !child_of(from, path, n, false)) {
            node **at = place_of(from, path, n, false);
            next = __libc_calloc(1, sizeof *next);
            next->own = make_content(path, n);
            next->next = *at, *at = next;
        }
        from = next, path = slash + 1;
    }
    *last = path;
    return from && from->kind == GROUP && *path ? from : NULL;
}

static node *add_child(node *parent, const char *name, kind what) {
    const bool attribute = what == ATTRIBUTE;
    if (!parent || child_of(parent, name, strlen(name), attribute)) return NULL;
    node **at = place_of(parent, name, strlen(name), attribute);
    node *n = __libc_calloc(1, sizeof *n);
    n->kind = what, n->own = make_content(name, strlen(name));
    n->next = *at, *at = n;
    return n;
}

static herr_t remove_child(node *parent, const char *name, bool attribute) {
    node *n = parent ? child_of(parent, name, strlen(name), attribute) : NULL;
    if (!n) return -1;
    node **at = &parent->child;
    while (*at != n) at = &(*at)->next;
    *at = n->next;
    free_inside(n);
    __libc_free(n);
    return 0;
}

#endif
