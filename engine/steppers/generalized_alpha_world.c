#include "engine/steppers/generalized_alpha_world.h"

#include <stdlib.h>
#include <string.h>

#include "engine/steppers/generalized_alpha.h"
#include "engine/system/world_dense.h"
#include "engine/world/inertia.h"

/* Of one body, in the order of ids. */
typedef struct kept_body {
    int64_t id;
    double a[6], a_mean[6]; /* [m/s^2], [rad/s^2] */
} kept_body;

/* Of one contact that has any; of b and arms of it for walls too. */
typedef struct kept_law {
    int64_t a, b; /* ids; a wall: -1 - wall */
    uint32_t key;
    scree_vec3 force, mean;  /* on a [N] */
    scree_vec3 arm_a, arm_b; /* [m] */
} kept_law;

struct scree_alpha_memory {
    bool there;
    int64_t steps; /* that the world had made */
    kept_body *bodies;
    kept_law *laws;
    int64_t n_body, n_law, body_capacity, law_capacity;
};

scree_alpha_memory *scree_alpha_memory_create(void) {
    return calloc(1, sizeof(scree_alpha_memory));
}

void scree_alpha_memory_free(scree_alpha_memory *m) {
    if (!m) return;
    free(m->bodies);
    free(m->laws);
    free(m);
}

size_t scree_alpha_memory_bytes(const scree_alpha_memory *m) {
    if (!m) return 0;
    return sizeof *m + (size_t)m->body_capacity * sizeof *m->bodies +
           (size_t)m->law_capacity * sizeof *m->laws;
}

static scree_status reserve_memory(scree_alpha_memory *m, int64_t n_body,
                                   int64_t n_law) {
    TRY(scree_reserve(&m->bodies, &m->body_capacity, n_body + 1,
                      sizeof *m->bodies));
    return scree_reserve(&m->laws, &m->law_capacity, n_law + 1,
                         sizeof *m->laws);
}

/* ---- rows and ids ------------------------------------------------------------- */

static int64_t id_of(const scree_world *world, int64_t row) {
    return row < 0 ? row : scree_removed_id(&world->state.bodies.removed, row);
}

/* Is the body, or the wall, still there? */
static bool is_there(const scree_world *world, int64_t id) {
    const scree_bodies *b = &world->state.bodies;
    if (id < 0) return -1 - id < world->scene.n_wall;
    return id < b->n + b->removed.n && !scree_removed_has(&b->removed, id);
}

static int64_t row_of(const scree_world *world, int64_t id) {
    return id < 0 ? id : scree_bodies_row(&world->state.bodies, id);
}

/* ---- into the history ----------------------------------------------------------- */

/* a = a* = M^-1 h, of a body of its own. */
static void begin_body(const scree_world *world, int32_t row, double *a) {
    const scree_bodies *b = &world->state.bodies;
    const int32_t i = b->place[row];
    vec_to(world->state.gravity, a);
    vec_to(scree_world_gyroscopic(world, i, b->q[i], b->u[i].w), a + 3);
}

static const kept_body *find_body(const scree_alpha_memory *m, int64_t id,
                                  int64_t *next) {
    while (*next < m->n_body && m->bodies[*next].id < id) ++*next;
    return *next < m->n_body && m->bodies[*next].id == id ? &m->bodies[*next]
                                                          : NULL;
}

static void recall_bodies(const scree_world *world,
                          const scree_alpha_history *h) {
    int64_t next = 0;
    for (int32_t row = 0; row < world->state.bodies.n; ++row) {
        double *a = &h->a[6 * row], *a_mean = &h->a_mean[6 * row];
        const kept_body *kept =
            find_body(world->alpha, id_of(world, row), &next);
        if (kept) {
            memcpy(a, kept->a, sizeof kept->a);
            memcpy(a_mean, kept->a_mean, sizeof kept->a_mean);
        } else {
            begin_body(world, row, a);
            memcpy(a_mean, a, sizeof kept->a);
        }
    }
}

/* a -= M^-1 W F for one of the two bodies. */
static void take_force(const scree_world *world, int64_t id, scree_vec3 arm,
                       scree_vec3 force, double *a) {
    const scree_bodies *b = &world->state.bodies;
    if (id < 0 || !is_there(world, id)) return;
    const int64_t row = row_of(world, id);
    const int32_t i = b->place[row];
    const scree_sym3 inv = scree_world_inv_inertia(world, i, b->q[i]);
    const scree_vec3 spin = sym3_mul(&inv, cross(arm, force));
    double *at = &a[6 * row];
    vec_to(add_scaled(vec_from(at), -b->u[i].inv_m, force), at);
    vec_to(sub(vec_from(at + 3), spin), at + 3);
}

static void lose_law(const scree_world *world, const kept_law *law,
                     const scree_alpha_history *h) {
    take_force(world, law->a, law->arm_a, law->force, h->a);
    take_force(world, law->a, law->arm_a, law->mean, h->a_mean);
    take_force(world, law->b, law->arm_b, scale(-1, law->force), h->a);
    take_force(world, law->b, law->arm_b, scale(-1, law->mean), h->a_mean);
}

/* The law of the dense system that it was, or -1. */
static int find_law(const scree_world *world, const kept_law *law,
                    bool *turned) {
    if (!is_there(world, law->a) || !is_there(world, law->b)) return -1;
    const scree_law_place place = {
        .row = {row_of(world, law->a), row_of(world, law->b)}, .key = law->key};
    return scree_world_dense_find(world->dense, &place, turned);
}

static void recall_laws(const scree_world *world,
                        const scree_alpha_history *h) {
    const scree_alpha_memory *m = world->alpha;
    for (int64_t k = 0; k < m->n_law; ++k) {
        const kept_law *law = &m->laws[k];
        bool turned = false;
        const int l = find_law(world, law, &turned);
        const double sign = turned ? -1 : 1;
        if (l < 0) {
            lose_law(world, law, h);
            continue;
        }
        scree_world_dense_components(world->dense, l, scale(sign, law->force),
                                     h->lambda);
        scree_world_dense_components(world->dense, l, scale(sign, law->mean),
                                     h->lambda_mean);
    }
}

void scree_alpha_recall(scree_world *world) {
    scree_dense *s = scree_world_dense_system(world->dense);
    scree_alpha_history h;
    const bool there = world->alpha->there &&
                       world->alpha->steps == world->state.steps &&
                       scree_alpha_find_history(s, &h);
    scree_alpha_mark_history(s, there);
    if (!there) return;
    const size_t of_rows = (size_t)s->ops->n_row * sizeof *h.lambda;
    memset(h.lambda, 0, of_rows), memset(h.lambda_mean, 0, of_rows);
    scree_world_dense_measure(world->dense);
    recall_bodies(world, &h);
    recall_laws(world, &h);
}

/* ---- out of it -------------------------------------------------------------------- */

static void remember_bodies(scree_world *world, const scree_alpha_history *h) {
    scree_alpha_memory *m = world->alpha;
    m->n_body = world->state.bodies.n;
    for (int64_t row = 0; row < m->n_body; ++row) {
        kept_body *kept = &m->bodies[row];
        kept->id = id_of(world, row);
        memcpy(kept->a, &h->a[6 * row], sizeof kept->a);
        memcpy(kept->a_mean, &h->a_mean[6 * row], sizeof kept->a_mean);
    }
}

static bool is_zero(scree_vec3 x) {
    return dot(x, x) == 0;
}

static void remember_laws(scree_world *world, const scree_alpha_history *h) {
    const scree_world_dense *w = world->dense;
    const scree_dense *s = scree_world_dense_system(world->dense);
    scree_alpha_memory *m = world->alpha;
    m->n_law = 0;
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law_place place = scree_world_dense_place(w, k);
        const kept_law law = {
            .a = id_of(world, place.row[0]),
            .b = id_of(world, place.row[1]),
            .key = place.key,
            .force = scree_world_dense_vector(w, k, h->lambda),
            .mean = scree_world_dense_vector(w, k, h->lambda_mean),
            .arm_a = place.arm[0],
            .arm_b = place.arm[1]};
        if (!is_zero(law.force) || !is_zero(law.mean))
            m->laws[m->n_law++] = law;
    }
}

scree_status scree_alpha_remember(scree_world *world) {
    scree_dense *s = scree_world_dense_system(world->dense);
    scree_alpha_memory *m = world->alpha;
    scree_alpha_history h;
    m->there = false;
    TRY(reserve_memory(m, world->state.bodies.n, s->ops->n_law));
    if (!scree_alpha_find_history(s, &h)) return SCREE_OK;
    scree_world_dense_measure(world->dense);
    remember_bodies(world, &h);
    remember_laws(world, &h);
    m->steps = world->state.steps + 1;
    m->there = true;
    return SCREE_OK;
}

/* ---- checkpoints -------------------------------------------------------------------- */

static const scree_archive_field count_fields[] = {
    {"steps", SCREE_I64, 1, offsetof(scree_alpha_memory, steps)},
};

#define AT(member) offsetof(kept_body, member)
static const scree_archive_field body_fields[] = {
    {"body", SCREE_I64, 1, AT(id)},
    {"acceleration", SCREE_F64, 6, AT(a)},
    {"acceleration_mean", SCREE_F64, 6, AT(a_mean)},
};
#undef AT

#define AT(member) offsetof(kept_law, member)
static const scree_archive_field law_fields[] = {
    {"a", SCREE_I64, 1, AT(a)},
    {"b", SCREE_I64, 1, AT(b)},
    {"key", SCREE_I32, 1, AT(key)},
    {"force", SCREE_F64, 3, AT(force)},
    {"force_mean", SCREE_F64, 3, AT(mean)},
    {"arm_a", SCREE_F64, 3, AT(arm_a)},
    {"arm_b", SCREE_F64, 3, AT(arm_b)},
};
#undef AT

static void make_room(scree_alpha_memory *m, scree_archive *a) {
    m->n_body = scree_archive_count(a, "body", 0);
    m->n_law = scree_archive_count(a, "key", 0);
    if (a->status == SCREE_OK &&
        reserve_memory(m, m->n_body, m->n_law) != SCREE_OK)
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
}

/* Ids that ascend; what names nobody is taken for lost. */
static void check_order(const scree_alpha_memory *m, scree_archive *a) {
    for (int64_t k = 1; k < m->n_body; ++k)
        if (m->bodies[k].id <= m->bodies[k - 1].id)
            scree_archive_fail(a, SCREE_BAD_INPUT,
                               "its bodies with accelerations cannot be");
}

static void archive_arrays(scree_alpha_memory *m, scree_archive *a) {
    scree_archive_struct(a, m, SCREE_FIELDS(count_fields));
    const scree_items bodies = {m->bodies, sizeof *m->bodies, m->n_body, NULL};
    const scree_items laws = {m->laws, sizeof *m->laws, m->n_law, NULL};
    scree_archive_items(a, &bodies, SCREE_FIELDS(body_fields));
    scree_archive_items(a, &laws, SCREE_FIELDS(law_fields));
}

void scree_alpha_archive(scree_world *world, scree_archive *a, bool same) {
    scree_alpha_memory *m = world->alpha;
    if (!m || (!a->loads && !m->there)) return;
    scree_archive_group(a, "generalized_alpha");
    if (a->loads) {
        m->there = false;
        if (!same || !scree_archive_has(a, "body")) return;
        make_room(m, a);
    }
    if (a->status == SCREE_OK) archive_arrays(m, a);
    if (!a->loads || a->status != SCREE_OK) return;
    check_order(m, a);
    m->there = a->status == SCREE_OK;
}
