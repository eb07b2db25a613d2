#include "contact/broad/contact_state.h"

#include <string.h>

#define AT(type, member) offsetof(type, member)

/* ---- ids for places -------------------------------------------------------- */

/* While a list is saved it holds ids; loaded, it gets places. Walls stay. */
static int32_t to_id(const scree_places *p, int32_t body) {
    return body < 0 ? body : (int32_t)p->id[body];
}

static int32_t to_place(const scree_places *p, int32_t body) {
    return body < 0 ? body : p->place[body];
}

typedef int32_t rename_body(const scree_places *p, int32_t body);

static void rename_pairs(scree_broad *broad, const scree_places *p,
                         rename_body *to) {
    for (int64_t k = 0; k < broad->n_pair; ++k) {
        broad->pairs[k].a = to(p, broad->pairs[k].a);
        broad->pairs[k].b = to(p, broad->pairs[k].b);
    }
}

static void rename_contacts(scree_contacts *c, const scree_places *p,
                            rename_body *to) {
    for (int64_t k = 0; k < c->n; ++k) {
        c->list[k].a = to(p, c->list[k].a);
        c->list[k].b = to(p, c->list[k].b);
    }
}

static bool names_bodies(const scree_places *p, int32_t a, int32_t b) {
    return a >= 0 && a < p->n && b < p->n && b >= -p->n_wall && a != b;
}

/* ---- the Verlet list ------------------------------------------------------- */

/* first and count are not saved: scree_broad_keep writes those of all pairs that
 * have contacts, and no other pair finds itself in what is kept. */
static const scree_archive_field pair_fields[] = {
    {"a", SCREE_I32, 1, AT(scree_pair, a)},
    {"b", SCREE_I32, 1, AT(scree_pair, b)},
};

/* Where bodies have images: which one it is. */
static const scree_archive_field image_fields[] = {
    {"image", SCREE_U8, sizeof(scree_image), AT(scree_pair, image)},
};

static const scree_archive_field edge_fields[] = {
    {"built_edges", SCREE_F64, 9, AT(scree_broad, built_edge)},
    {"built_most", SCREE_I32, 1, AT(scree_broad, built_most)},
};

static const scree_archive_field apart_fields[] = {
    {"apart", SCREE_F32, 3, AT(scree_apart, x)},
    {"safe", SCREE_F32, 1, AT(scree_apart, safe)},
};

static const scree_archive_field list_fields[] = {
    {"checks", SCREE_I32, 1, AT(scree_broad, steps)},
    {"valid", SCREE_U8, 1, AT(scree_broad, valid)},
};

static const scree_archive_field built_fields[] = {
    {"built_at", SCREE_F64, 3, AT(scree_ball, x)},
    {"margin", SCREE_F64, 1, AT(scree_ball, r)},
};

static const scree_archive_field turned_fields[] = {
    {"built_orientation", SCREE_F64, 4, 0},
};

static void reserve_room(scree_archive *a, void *array, int64_t *capacity,
                         int64_t need, size_t size) {
    if (a->loads && a->status == SCREE_OK &&
        scree_reserve(array, capacity, need, size) != SCREE_OK)
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
}

static void check_pairs(scree_archive *a, const scree_broad *broad,
                        const scree_places *p) {
    if (!a->loads) return;
    for (int64_t k = 0; a->status == SCREE_OK && k < broad->n_pair; ++k)
        if (!names_bodies(p, broad->pairs[k].a, broad->pairs[k].b))
            scree_archive_fail(a, SCREE_BAD_INPUT, "pair %lld has no such body",
                               (long long)k);
}

/* A file of a world without a cell has none. */
static void archive_images(scree_archive *a, scree_broad *broad) {
    const bool there =
        a->loads ? scree_archive_has(a, "image") : broad->built_most > 0;
    for (int64_t k = 0; a->loads && k < broad->n_pair; ++k)
        broad->pairs[k].image = 0;
    if (!there) return;
    const scree_items items = {broad->pairs, sizeof *broad->pairs,
                               broad->n_pair, NULL};
    scree_archive_items(a, &items, SCREE_FIELDS(image_fields));
    if (!a->loads || scree_archive_has(a, "built_edges")) /* several ranks */
        scree_archive_struct(a, broad, SCREE_FIELDS(edge_fields));
}

static void archive_pairs(scree_archive *a, scree_broad *broad,
                          const scree_places *p) {
    broad->n_pair = scree_archive_count(a, "a", broad->n_pair);
    reserve_room(a, &broad->pairs, &broad->pair_capacity, broad->n_pair,
                 sizeof *broad->pairs);
    const scree_items items = {broad->pairs, sizeof *broad->pairs,
                               broad->n_pair, NULL};
    if (!a->loads) rename_pairs(broad, p, to_id);
    scree_archive_items(a, &items, SCREE_FIELDS(pair_fields));
    archive_images(a, broad);
    check_pairs(a, broad, p);
    if (a->status == SCREE_OK || !a->loads) rename_pairs(broad, p, to_place);
}

/* What is kept where bodies are not spheres. */
static void archive_memory(scree_archive *a, scree_broad *broad,
                           const scree_places *p) {
    if (a->loads ? !scree_archive_has(a, "safe") : !broad->apart) return;
    reserve_room(a, &broad->apart, &broad->apart_capacity, broad->pair_capacity,
                 sizeof *broad->apart);
    reserve_room(a, &broad->built_q, &broad->built_q_capacity, broad->n_built,
                 sizeof *broad->built_q);
    reserve_room(a, &broad->moved, &broad->moved_capacity, broad->n_built,
                 sizeof *broad->moved);
    const scree_items apart = {broad->apart, sizeof *broad->apart,
                               broad->n_pair, NULL};
    const scree_items turned = {broad->built_q, sizeof *broad->built_q,
                                broad->n_built, p->place};
    scree_archive_items(a, &apart, SCREE_FIELDS(apart_fields));
    scree_archive_items(a, &turned, SCREE_FIELDS(turned_fields));
}

/* A list that must be built anew is saved too: contacts name its pairs. What it
 * was built at has no meaning then. */
static void archive_list(scree_archive *a, scree_broad *broad,
                         const scree_places *p) {
    scree_archive_group(a, "pairs");
    archive_pairs(a, broad, p);
    scree_archive_struct(a, broad, SCREE_FIELDS(list_fields));
    if (a->loads) scree_archive_check_truth(a, "valid", &broad->valid);
    if (a->status != SCREE_OK || !broad->valid || p->n == 0) return;
    broad->n_built = p->n;
    reserve_room(a, &broad->built, &broad->built_capacity, p->n,
                 sizeof *broad->built);
    const scree_items built = {broad->built, sizeof *broad->built, p->n,
                               p->place};
    scree_archive_items(a, &built, SCREE_FIELDS(built_fields));
    archive_memory(a, broad, p);
}

/* ---- contacts -------------------------------------------------------------- */

static const scree_archive_field contact_fields[] = {
    {"a", SCREE_I32, 1, AT(scree_contact, a)},
    {"b", SCREE_I32, 1, AT(scree_contact, b)},
    {"pair", SCREE_I32, 1, AT(scree_contact, pair)},
    {"key", SCREE_I32, 1, AT(scree_contact, key)},
    {"normal", SCREE_F64, 3, AT(scree_contact, n)},
    {"gap", SCREE_F64, 1, AT(scree_contact, g)},
    {"arm_a", SCREE_F64, 1, AT(scree_contact, arm_a)},
    {"arm_b", SCREE_F64, 1, AT(scree_contact, arm_b)},
    {"arms", SCREE_I32, 1, AT(scree_contact, arms)},
    {"moment", SCREE_I32, 1, AT(scree_contact, state)}, /* its first use */
    {"percussion", SCREE_F64, 3, AT(scree_contact, P)},
};
_Static_assert(sizeof(scree_contact) == 96,
               "a new member of scree_contact must be saved as well");

static const scree_archive_field arms_fields[] = {
    {"long_arm_a", SCREE_F64, 3, AT(scree_arms, a)},
    {"long_arm_b", SCREE_F64, 3, AT(scree_arms, b)},
    {"ahead", SCREE_U8, 1, AT(scree_arms, ahead)},
};
_Static_assert(sizeof(scree_arms) == 56,
               "a new member of scree_arms must be saved as well");

static const scree_archive_field colour_fields[] = {
    {"colour", SCREE_U8, 1, 0},
};

static void reserve_contacts(scree_archive *a, scree_contacts *contacts,
                             int64_t need) {
    if (a->loads && a->status == SCREE_OK &&
        scree_contacts_reserve(contacts, need) != SCREE_OK)
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
}

static void archive_colours(scree_archive *a, scree_contacts *contacts) {
    const scree_items colours = {contacts->colours, sizeof *contacts->colours,
                                 contacts->n, NULL};
    scree_archive_items(a, &colours, SCREE_FIELDS(colour_fields));
}

/* Colours and percussions go from a contact to those that its pair has next: it must be
 * the pair's own. Contacts of a pair follow each other. */
static bool has_pair(const scree_contacts *contacts, int64_t k,
                     const scree_broad *broad, const scree_places *p) {
    const scree_contact *c = &contacts->list[k];
    if (!names_bodies(p, c->a, c->b) || c->pair >= broad->n_pair ||
        c->pair < (k > 0 ? c[-1].pair : 0))
        return false;
    const scree_pair *pair = &broad->pairs[c->pair]; /* has places by now */
    return to_place(p, c->a) == pair->a && to_place(p, c->b) == pair->b;
}

static void check_contacts(scree_archive *a, const scree_contacts *contacts,
                           const scree_places *p, const scree_broad *broad,
                           int64_t n_arms, int64_t n_state) {
    if (!a->loads) return;
    for (int64_t k = 0; a->status == SCREE_OK && k < contacts->n; ++k)
        if (!has_pair(contacts, k, broad, p) ||
            contacts->list[k].arms >= n_arms ||
            contacts->list[k].state >= n_state)
            scree_archive_fail(a, SCREE_BAD_INPUT,
                               "contact %lld has no such body, pair, arm or "
                               "state",
                               (long long)k);
}

/* One more than the last arms that a contact has. */
static int64_t arms_in_use(const scree_contacts *contacts) {
    int64_t n = 0;
    for (int64_t k = 0; k < contacts->n; ++k)
        if (contacts->list[k].arms >= n) n = contacts->list[k].arms + 1;
    return n;
}

static int64_t states_in_use(const scree_contacts *contacts) {
    int64_t n = 0;
    for (int64_t k = 0; k < contacts->n; ++k)
        if (contacts->list[k].state >= n) n = contacts->list[k].state + 1;
    return n;
}

/* ---- what laws keep: an array in the file for each of their names --------------- */

/* How many the file has, of whatever law. */
static int64_t count_states(scree_archive *a, const scree_state_fields *f) {
    int64_t n = 0;
    for (int k = 0; k < f->n && n == 0; ++k)
        if (scree_archive_has(a, f->list[k].name))
            n = scree_archive_count(a, f->list[k].name, 0);
    return n;
}

/* A file that does not know of a law has nothing of it: zeros. */
static void archive_states(scree_archive *a, const scree_state_fields *f,
                           scree_contact_state *states, int64_t n) {
    const scree_items items = {states, sizeof *states, n, NULL};
    if (a->loads && n > 0) memset(states, 0, (size_t)n * sizeof *states);
    for (int k = 0; k < f->n; ++k)
        if (!a->loads || scree_archive_has(a, f->list[k].name))
            scree_archive_items(a, &items, &f->list[k], 1);
}

static void archive_all_states(scree_archive *a, scree_contacts *contacts,
                               const scree_state_fields *f, int64_t *n_state) {
    *n_state = a->loads ? count_states(a, f) : states_in_use(contacts);
    if (*n_state > contacts->capacity) reserve_contacts(a, contacts, *n_state);
    if (*n_state)
        reserve_room(a, &contacts->states, &contacts->states_capacity,
                     contacts->capacity, sizeof *contacts->states);
    if (a->status == SCREE_OK) archive_states(a, f, contacts->states, *n_state);
}

static void archive_arms(scree_archive *a, scree_contacts *contacts,
                         int64_t *n_arms) {
    *n_arms = scree_archive_count(a, "long_arm_a",
                                  a->loads ? 0 : arms_in_use(contacts));
    if (*n_arms > contacts->capacity) reserve_contacts(a, contacts, *n_arms);
    if (*n_arms)
        reserve_room(a, &contacts->arms, &contacts->arms_capacity,
                     contacts->capacity, sizeof *contacts->arms);
    const scree_items arms = {contacts->arms, sizeof *contacts->arms, *n_arms,
                              NULL};
    scree_archive_items(a, &arms, SCREE_FIELDS(arms_fields));
}

static void archive_contacts(scree_archive *a, scree_contacts *contacts,
                             const scree_places *p, const scree_state_fields *f,
                             const scree_broad *broad) {
    int64_t n_arms = 0, n_state = 0;
    scree_archive_group(a, "contacts");
    contacts->n = scree_archive_count(a, "a", contacts->n);
    reserve_contacts(a, contacts, contacts->n);
    const scree_items items = {contacts->list, sizeof *contacts->list,
                               contacts->n, NULL};
    if (!a->loads) rename_contacts(contacts, p, to_id);
    scree_archive_items(a, &items, SCREE_FIELDS(contact_fields));
    archive_colours(a, contacts);
    archive_arms(a, contacts, &n_arms);
    archive_all_states(a, contacts, f, &n_state);
    check_contacts(a, contacts, p, broad, n_arms, n_state);
    if (a->status == SCREE_OK || !a->loads)
        rename_contacts(contacts, p, to_place);
}

void scree_contact_archive(scree_archive *a, scree_broad *broad,
                           scree_contacts *contacts, const scree_places *places,
                           const scree_state_fields *fields) {
    archive_list(a, broad, places);
    archive_contacts(a, contacts, places, fields, broad);
    if (a->status == SCREE_OK || !a->loads) return;
    contacts->n = broad->n_pair = 0;
    broad->valid = false;
}

void scree_contact_archive_part(scree_archive *a, scree_contact_part *part,
                                const scree_state_fields *fields) {
    scree_broad *broad = &part->broad;
    scree_contacts *c = &part->contacts;
    const scree_items pairs = {broad->pairs, sizeof *broad->pairs,
                               broad->n_pair, NULL};
    const scree_items list = {c->list, sizeof *c->list, c->n, NULL};
    const scree_items arms = {c->arms, sizeof *c->arms, part->n_arms, NULL};
    const scree_items colours = {c->colours, sizeof *c->colours, c->n, NULL};
    scree_archive_group(a, "pairs");
    scree_archive_struct(a, broad, SCREE_FIELDS(list_fields));
    if (a->loads) scree_archive_check_truth(a, "valid", &broad->valid);
    scree_archive_parts(a, true);
    scree_archive_items(a, &pairs, SCREE_FIELDS(pair_fields));
    if (part->has_images)
        scree_archive_items(a, &pairs, SCREE_FIELDS(image_fields));
    scree_archive_group(a, "contacts");
    scree_archive_items(a, &list, SCREE_FIELDS(contact_fields));
    scree_archive_items(a, &colours, SCREE_FIELDS(colour_fields));
    scree_archive_items(a, &arms, SCREE_FIELDS(arms_fields));
    archive_states(a, fields, c->states, part->n_state);
    scree_archive_parts(a, false);
}

/* ---- a block of contacts --------------------------------------------------- */

/* Rows that contacts name: from the least to the greatest, or none. */
typedef struct span {
    int64_t first, n;
} span;

static span span_add(span s, int32_t row) {
    if (row < 0) return s;
    const int64_t first = s.n && s.first < row ? s.first : row;
    const int64_t end = s.n && s.first + s.n > row ? s.first + s.n : row + 1;
    return (span){first, end - first};
}

/* Memory for the rows of a span, of which the file must have so many. */
static bool make_span(scree_archive *a, span s, int64_t there, void *array,
                      int64_t *capacity, size_t size) {
    if (s.first + s.n > there)
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "a contact has no such arm or state");
    reserve_room(a, array, capacity, s.n, size);
    if (a->status == SCREE_OK) scree_archive_block(a, s.first);
    return a->status == SCREE_OK;
}

static void load_arms(scree_archive *a, span s, scree_contacts *c) {
    if (make_span(a, s, scree_archive_count(a, arms_fields[0].name, 0),
                  &c->arms, &c->arms_capacity, sizeof *c->arms))
        scree_archive_items(a,
                            &(scree_items){c->arms, sizeof *c->arms, s.n, NULL},
                            SCREE_FIELDS(arms_fields));
}

static void load_states(scree_archive *a, span s, scree_contacts *c,
                        const scree_state_fields *f) {
    if (make_span(a, s, count_states(a, f), &c->states, &c->states_capacity,
                  sizeof *c->states))
        archive_states(a, f, c->states, s.n);
}

/* The images of the pairs that contacts have, which are the part's pairs from then on. */
static void load_images(scree_archive *a, scree_contact_part *part) {
    scree_contacts *c = &part->contacts;
    scree_broad *broad = &part->broad;
    span pairs = {0};
    scree_archive_group(a, "pairs");
    if (a->status != SCREE_OK || !scree_archive_has(a, "image")) return;
    for (int64_t k = 0; k < c->n; ++k) pairs = span_add(pairs, c->list[k].pair);
    if (!make_span(a, pairs, scree_archive_count(a, "a", 0), &broad->pairs,
                   &broad->pair_capacity, sizeof *broad->pairs))
        return;
    scree_archive_items(
        a, &(scree_items){broad->pairs, sizeof *broad->pairs, pairs.n, NULL},
        SCREE_FIELDS(image_fields));
    scree_archive_block(a, -1);
    part->has_images = a->status == SCREE_OK;
    for (int64_t k = 0; k < c->n; ++k) c->list[k].pair -= (int32_t)pairs.first;
}

void scree_contact_load_block(scree_archive *a, int64_t first, int64_t n,
                              const scree_state_fields *fields,
                              scree_contact_part *part) {
    scree_contacts *c = &part->contacts;
    span arms = {0}, states = {0};
    scree_archive_group(a, "contacts");
    reserve_contacts(a, c, n);
    if (a->status != SCREE_OK) return;
    scree_archive_block(a, first);
    scree_archive_items(a, &(scree_items){c->list, sizeof *c->list, n, NULL},
                        SCREE_FIELDS(contact_fields));
    c->n = a->status == SCREE_OK ? n : 0;
    for (int64_t k = 0; k < c->n; ++k) {
        arms = span_add(arms, c->list[k].arms);
        states = span_add(states, c->list[k].state);
    }
    load_arms(a, arms, c);
    load_states(a, states, c, fields);
    scree_archive_block(a, -1);
    for (int64_t k = 0; k < c->n; ++k) {
        if (c->list[k].arms >= 0) c->list[k].arms -= (int32_t)arms.first;
        if (c->list[k].state >= 0) c->list[k].state -= (int32_t)states.first;
    }
    part->n_arms = arms.n;
    part->n_state = states.n;
    load_images(a, part);
}
