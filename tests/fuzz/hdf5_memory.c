#include "hdf5_memory.h"

#include <fcntl.h>
#include <hdf5.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hdf5_memory_tree.h"
#include "io/hdf5/hdf5_disk.h"
#include "target.h"

void fuzz_forget_files(void) {
    static uint64_t kept;
    if (!kept) kept = n_tree;
    for (; n_tree > kept; n_tree--) {
        tree *t = trees[n_tree - 1];
        free_inside(&t->root);
        free(t->path);
        free(t);
    }
}

/* Each run would read anew from many small files how many cores the machine has: that
 * there is one is enough here. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
    (void)process, (void)size, (void)set;
    return -1;
}

/* ---- handles ---------------------------------------------------------------------- */

#define FIRST_HANDLE ((hid_t)0x7000000000000000)

typedef struct handle {
    tree *tree;
    node *node;
} handle;

static handle handles[MOST_HANDLES];

static hid_t make_handle(tree *t, node *n) {
    for (int i = 0; n && i < MOST_HANDLES; i++)
        if (!handles[i].tree) {
            handles[i] = (handle){t, n};
            return FIRST_HANDLE + i;
        }
    fuzz_require(n == NULL, "too many handles");
    return -1;
}

static handle *handle_of(hid_t id) {
    const hid_t i = id - FIRST_HANDLE;
    return i >= 0 && i < MOST_HANDLES && handles[i].tree ? &handles[i] : NULL;
}

static herr_t drop_handle(hid_t id) {
    handle *h = handle_of(id);
    if (!h) return -1;
    *h = (handle){0};
    return 0;
}

static node *find_node(hid_t at, const char *path) {
    handle *h = handle_of(at);
    return h ? resolve(h->tree, h->node, path, 0) : NULL;
}

static hid_t open_node(hid_t at, const char *path, int wanted) {
    node *n = find_node(at, path);
    if (!n || (wanted >= 0 && (int)n->kind != wanted)) return -1;
    return make_handle(handle_of(at)->tree, n);
}

/* ---- files ------------------------------------------------------------------------- */

static void write_image(const tree *t) {
    if (t->fd >= 0 && pwrite(t->fd, &t->image, sizeof t->image, 0) > 0) return;
    if (t->path) fuzz_write(t->path, &t->image, sizeof t->image);
}

hid_t H5Fcreate(const char *path, unsigned flags, hid_t creation,
                hid_t access) {
    (void)flags, (void)creation, (void)access;
    tree *t = add_tree(NULL, fuzz_next_in_memory ? NULL : path);
    fuzz_next_in_memory = false;
    t->changed = true;
    write_image(t);
    return make_handle(t, &t->root);
}

/* hdf5_disk.h, whose driver is HDF5's business. */
hid_t scree_hdf5_create_disk(scree_hdf5_disk *disk) {
    tree *t = add_tree(NULL, NULL);
    t->fd = disk->fd, t->changed = true;
    return make_handle(t, &t->root);
}

/* A tree that is to be changed is a new one. */
hid_t H5Fopen(const char *path, unsigned flags, hid_t access) {
    (void)access;
    image head = {{0}, 0};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    const bool whole = read(file, &head, sizeof head) == sizeof head;
    close(file);
    if (!whole || n_tree == 0 ||
        memcmp(head.signature, trees[0]->image.signature, 8) != 0 ||
        head.tree >= n_tree)
        return -1;
    tree *t = trees[head.tree];
    if (flags & H5F_ACC_RDWR) {
        t = add_tree(&t->root, path);
        t->changed = true;
    }
    return make_handle(t, &t->root);
}

herr_t H5Fclose(hid_t id) {
    handle *h = handle_of(id);
    if (h && h->tree->changed) write_image(h->tree);
    if (h) h->tree->changed = false;
    return drop_handle(id);
}

herr_t H5Fflush(hid_t id, H5F_scope_t scope) {
    (void)scope;
    return handle_of(id) ? 0 : -1;
}

ssize_t H5Fget_file_image(hid_t id, void *buffer, size_t size) {
    (void)buffer, (void)size;
    return handle_of(id) ? (ssize_t)sizeof(image) : -1;
}

herr_t H5Fget_vfd_handle(hid_t id, hid_t access, void **out) {
    (void)access;
    handle *h = handle_of(id);
    if (!h) return -1;
    *out = &h->tree->handle;
    return 0;
}

/* ---- groups, links, objects ----------------------------------------------------------- */

hid_t H5Gcreate2(hid_t at, const char *path, hid_t link, hid_t creation,
                 hid_t access) {
    (void)creation, (void)access;
    const char *last;
    handle *h = handle_of(at);
    node *parent =
        h ? parent_of(h->tree, h->node, path, &last, link != H5P_DEFAULT)
          : NULL;
    return h ? make_handle(h->tree,
                           add_child(parent, parent ? last : "", GROUP))
             : -1;
}
hid_t H5Gopen2(hid_t at, const char *path, hid_t access) {
    (void)access;
    return open_node(at, path, GROUP);
}
herr_t H5Gclose(hid_t id) {
    return drop_handle(id);
}

static node *object_at(node *n, hsize_t index) {
    node *c = n->child;
    for (; c && c->kind != ATTRIBUTE; c = c->next)
        if (index-- == 0) return c;
    return NULL;
}

static hsize_t count_children(const node *n, bool attributes) {
    hsize_t count = 0;
    for (const node *c = n->child; c; c = c->next)
        count += (c->kind == ATTRIBUTE) == attributes;
    return count;
}

herr_t H5Gget_info(hid_t id, H5G_info_t *about) {
    handle *h = handle_of(id);
    if (!h) return -1;
    *about = (H5G_info_t){.nlinks = count_children(h->node, false)};
    return 0;
}

htri_t H5Lexists(hid_t at, const char *path, hid_t access) {
    (void)access;
    const char *last;
    handle *h = handle_of(at);
    node *parent = h ? parent_of(h->tree, h->node, path, &last, false) : NULL;
    if (!parent) return -1;
    return child_of(parent, last, strlen(last), false) != NULL;
}

herr_t H5Ldelete(hid_t at, const char *path, hid_t access) {
    (void)access;
    const char *last;
    handle *h = handle_of(at);
    node *parent = h ? parent_of(h->tree, h->node, path, &last, false) : NULL;
    return remove_child(parent, parent ? last : "", false);
}

herr_t H5Lcreate_soft(const char *target, hid_t at, const char *path,
                      hid_t creation, hid_t access) {
    (void)creation, (void)access;
    const char *last;
    handle *h = handle_of(at);
    node *parent = h ? parent_of(h->tree, h->node, path, &last, false) : NULL;
    node *link = add_child(parent, parent ? last : "", LINK);
    if (link) link->own->target = strdup(target);
    return link ? 0 : -1;
}

ssize_t H5Lget_name_by_idx(hid_t at, const char *path, H5_index_t by,
                           H5_iter_order_t order, hsize_t i, char *name,
                           size_t size, hid_t access) {
    (void)by, (void)order, (void)access;
    node *group = find_node(at, path), *n = group ? object_at(group, i) : NULL;
    if (!n) return -1;
    if (name) snprintf(name, size, "%s", n->own->name);
    return (ssize_t)strlen(n->own->name);
}

herr_t H5Ocopy(hid_t from, const char *path, hid_t to, const char *name,
               hid_t copying, hid_t link) {
    (void)copying, (void)link;
    const char *last;
    handle *h = handle_of(to);
    const node *source = find_node(from, path);
    node *parent = h ? parent_of(h->tree, h->node, name, &last, false) : NULL;
    node *made =
        source ? add_child(parent, parent ? last : "", source->kind) : NULL;
    if (!made) return -1;
    node *next = made->next;
    drop_content(made->own);
    copy_inside(made, source);
    content *own = change_content(made);
    __libc_free(own->name);
    own->name = copy_name(last, strlen(last)), made->next = next;
    return 0;
}

herr_t H5Lmove(hid_t from, const char *path, hid_t to, const char *name,
               hid_t creation, hid_t access) {
    if (H5Ocopy(from, path, to, name, creation, access) < 0) return -1;
    return H5Ldelete(from, path, access);
}

hid_t H5Oopen(hid_t at, const char *path, hid_t access) {
    (void)access;
    return open_node(at, path, -1);
}
herr_t H5Oclose(hid_t id) {
    return drop_handle(id);
}

static void visit_inside(hid_t root, node *n, const char *path,
                         H5O_iterate_t visit, void *context) {
    char inner[1000];
    const H5O_info_t about = {.num_attrs = count_children(n, true)};
    visit(root, *path ? path : ".", &about, context);
    for (node *c = n->child; c; c = c->next) {
        if (c->kind == ATTRIBUTE || c->kind == LINK) continue;
        snprintf(inner, sizeof inner, "%.500s%s%.400s", path, *path ? "/" : "",
                 c->own->name);
        visit_inside(root, c, inner, visit, context);
    }
}

herr_t H5Ovisit(hid_t at, H5_index_t by, H5_iter_order_t order,
                H5O_iterate_t visit, void *context) {
    (void)by, (void)order;
    handle *h = handle_of(at);
    if (!h) return -1;
    visit_inside(at, h->node, "", visit, context);
    return 0;
}

/* ---- numbers and texts --------------------------------------------------------------------- */

/* Elements of `from` as those of `to`, in place; both or none are texts of any length,
 * which do not become others. */
static bool convert_numbers(hid_t from, hid_t to, bool texts, size_t n,
                            void *data) {
    if (texts || H5Tequal(from, to) > 0) return true;
    const H5T_class_t a = H5Tget_class(from), b = H5Tget_class(to);
    const bool numbers = (a == H5T_INTEGER || a == H5T_FLOAT) &&
                         (b == H5T_INTEGER || b == H5T_FLOAT);
    if (!numbers && !(a == H5T_STRING && b == H5T_STRING)) return false;
    return H5Tconvert(from, to, n, data, NULL, H5P_DEFAULT) >= 0;
}

typedef struct supply {
    const void *data;
    size_t size;
} supply;

static herr_t give_all(const void **data, size_t *size, void *context) {
    const supply *s = context;
    *data = s->data, *size = s->size;
    return 0;
}

static bool takes_all(hid_t space) {
    return space == H5S_ALL || H5Sget_select_type(space) == H5S_SEL_ALL;
}

/* The selected elements of `data`, one after the other: so many bytes. */
static bool gather(hid_t space, hid_t type, const void *data, void *out,
                   size_t bytes) {
    if (takes_all(space)) return memcpy(out, data, bytes) != NULL;
    return H5Dgather(space, data, type, bytes, out, NULL, NULL) >= 0;
}
static bool scatter(hid_t space, hid_t type, const void *data, void *out,
                    size_t bytes) {
    if (takes_all(space)) return memcpy(out, data, bytes) != NULL;
    supply s = {data, bytes};
    return H5Dscatter(give_all, &s, type, space, out) >= 0;
}

/* How many elements go between memory and file; -1: the two do not fit. */
static hssize_t selected(const content *n, hid_t memory, hid_t file) {
    const hssize_t stored =
        file == H5S_ALL ? (hssize_t)n->count : H5Sget_select_npoints(file);
    if (memory == H5S_ALL) return stored;
    return H5Sget_select_npoints(memory) == stored ? stored : -1;
}

static herr_t read_node(const node *from, hid_t type, hid_t memory, hid_t file,
                        void *out) {
    const content *n = from->own;
    const hssize_t count = selected(n, memory, file);
    if (count <= 0) return count < 0 ? -1 : 0;
    const bool texts = is_text(type);
    const size_t all = (size_t)count, size = n->size,
                 wanted = H5Tget_size(type),
                 each = size > wanted ? size : wanted;
    if (all > MOST_BYTES / each || n->text != texts) return -1;
    char *room = __libc_calloc(all, each);
    bool ok = !n->data || gather(file, n->type, n->data, room, all * size);
    ok = ok && convert_numbers(n->type, type, texts, all, room);
    if (ok && texts)
        for (hssize_t i = 0; i < count; i++)
            ((char **)room)[i] = copy_text(((char **)room)[i]);
    ok = ok && scatter(memory, type, room, out, all * wanted);
    __libc_free(room);
    return ok ? 0 : -1;
}

static bool make_room(content *n) {
    const size_t bytes = bytes_of(n);
    if (!n->data && bytes < MOST_BYTES) n->data = __libc_calloc(bytes + 1, 1);
    return n->data != NULL;
}

static herr_t write_node(node *to, hid_t type, hid_t memory, hid_t file,
                         const void *in) {
    content *n = change_content(to);
    const hssize_t count = selected(n, memory, file);
    if (count <= 0) return count < 0 ? -1 : 0;
    const bool texts = is_text(type);
    const size_t all = (size_t)count, size = n->size, given = H5Tget_size(type),
                 each = size > given ? size : given;
    if (all > MOST_BYTES / each || n->text != texts || !make_room(n)) return -1;
    char *room = __libc_calloc(all, each);
    bool ok = gather(memory, type, in, room, all * given) &&
              convert_numbers(type, n->type, texts, all, room);
    if (ok && texts) {
        free_data(n);
        ok = make_room(n);
        for (hssize_t i = 0; i < count; i++)
            ((char **)room)[i] = copy_text(((char **)room)[i]);
    }
    ok = ok && scatter(file, n->type, room, n->data, all * size);
    __libc_free(room);
    return ok ? 0 : -1;
}

static hid_t fill_node(tree *t, node *n, hid_t type, hid_t space) {
    if (!n) return -1;
    content *own = n->own;
    own->type = H5Tcopy(type), own->space = H5Scopy(space);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    own->size = H5Tget_size(type), own->count = count > 0 ? (size_t)count : 0;
    own->text = is_text(type);
    return make_handle(t, n);
}

/* ---- datasets -------------------------------------------------------------------------------- */

hid_t H5Dcreate2(hid_t at, const char *path, hid_t type, hid_t space,
                 hid_t link, hid_t creation, hid_t access) {
    (void)creation, (void)access;
    const char *last;
    handle *h = handle_of(at);
    node *parent =
        h ? parent_of(h->tree, h->node, path, &last, link != H5P_DEFAULT)
          : NULL;
    if (!parent) return -1;
    return fill_node(h->tree, add_child(parent, last, DATASET), type, space);
}
hid_t H5Dopen2(hid_t at, const char *path, hid_t access) {
    (void)access;
    return open_node(at, path, DATASET);
}
herr_t H5Dclose(hid_t id) {
    return drop_handle(id);
}

static hid_t type_of_node(hid_t id) {
    handle *h = handle_of(id);
    if (!h) return -1;
    H5Iinc_ref(h->node->own->type);
    return h->node->own->type;
}
/* Callers select in it, one at a time. */
static hid_t space_of_node(hid_t id) {
    handle *h = handle_of(id);
    if (!h) return -1;
    const hid_t space = h->node->own->space;
    H5Iinc_ref(space);
    const H5S_sel_type selected_by = H5Sget_select_type(space);
    if (selected_by == H5S_SEL_HYPERSLABS || selected_by == H5S_SEL_POINTS)
        H5Sselect_all(space);
    return space;
}

hid_t H5Dget_type(hid_t id) {
    return type_of_node(id);
}
hid_t H5Dget_space(hid_t id) {
    return space_of_node(id);
}
hsize_t H5Dget_storage_size(hid_t id) {
    handle *h = handle_of(id);
    return h && h->node->own->data ? bytes_of(h->node->own) : 0;
}

herr_t H5Dread(hid_t id, hid_t type, hid_t memory, hid_t file, hid_t transfer,
               void *out) {
    (void)transfer;
    handle *h = handle_of(id);
    return h ? read_node(h->node, type, memory, file, out) : -1;
}
herr_t H5Dwrite(hid_t id, hid_t type, hid_t memory, hid_t file, hid_t transfer,
                const void *in) {
    (void)transfer;
    handle *h = handle_of(id);
    return h ? write_node(h->node, type, memory, file, in) : -1;
}

/* ---- attributes --------------------------------------------------------------------------------- */

hid_t H5Acreate_by_name(hid_t at, const char *path, const char *name,
                        hid_t type, hid_t space, hid_t creation, hid_t access,
                        hid_t link) {
    (void)creation, (void)access, (void)link;
    node *object = find_node(at, path);
    if (!object) return -1;
    return fill_node(handle_of(at)->tree, add_child(object, name, ATTRIBUTE),
                     type, space);
}
hid_t H5Acreate2(hid_t at, const char *name, hid_t type, hid_t space,
                 hid_t creation, hid_t access) {
    return H5Acreate_by_name(at, ".", name, type, space, creation, access,
                             H5P_DEFAULT);
}
hid_t H5Aopen(hid_t at, const char *name, hid_t access) {
    (void)access;
    handle *h = handle_of(at);
    node *n = h ? child_of(h->node, name, strlen(name), true) : NULL;
    return n ? make_handle(h->tree, n) : -1;
}
herr_t H5Aclose(hid_t id) {
    return drop_handle(id);
}
herr_t H5Adelete_by_name(hid_t at, const char *path, const char *name,
                         hid_t access) {
    (void)access;
    return remove_child(find_node(at, path), name, true);
}
ssize_t H5Aget_name_by_idx(hid_t at, const char *path, H5_index_t by,
                           H5_iter_order_t order, hsize_t i, char *name,
                           size_t size, hid_t access) {
    (void)by, (void)order, (void)access;
    node *object = find_node(at, path);
    for (node *c = object ? object->child : NULL; c; c = c->next)
        if (c->kind == ATTRIBUTE && i-- == 0)
            return snprintf(name, size, "%s", c->own->name);
    return -1;
}
int H5Aget_num_attrs(hid_t at) {
    handle *h = handle_of(at);
    return h ? (int)count_children(h->node, true) : -1;
}
hid_t H5Aget_type(hid_t id) {
    return type_of_node(id);
}
hid_t H5Aget_space(hid_t id) {
    return space_of_node(id);
}
herr_t H5Aread(hid_t id, hid_t type, void *out) {
    handle *h = handle_of(id);
    return h ? read_node(h->node, type, H5S_ALL, H5S_ALL, out) : -1;
}
herr_t H5Awrite(hid_t id, hid_t type, const void *in) {
    handle *h = handle_of(id);
    return h ? write_node(h->node, type, H5S_ALL, H5S_ALL, in) : -1;
}
