#include "engine/adaptive/modes.h"

#include "engine/base/hash.h"
#include "engine/base/random.h"
#include "engine/step/contact_rows.h"
#include "engine/step/step.h"
#include "solvers/law/ellipse.h"

/* Bits of a contact that bears load: which of its laws are constraints. */
enum { BEARS = 1, STICKS = 2, ROLLS_NOT = 4, DRAWN = 8 };

/* Percussions below this share of what a step of gravity brings are none: what bears
 * load brings more, and a direct method leaves roundings. */
static const double NOTHING = 1e-9;
/* Moments this near to the edge of their set are on it. */
static const double EDGE = 1e-6;

static bool bears_load(const scree_problem *p, const scree_row *row,
                       double P_n) {
    return P_n > NOTHING * row->rho_n * p->speed;
}

/* |P_T - rho xi_T| <= mu P_N: the argument of the prox lies in its disc. */
static bool is_sticking(const scree_row *row, double P_n, scree_vec3 P_t,
                        scree_vec3 xi) {
    const scree_vec3 xi_t = add_scaled(xi, -dot(row->n, xi), row->n);
    const bool oval = scree_row_is_oval(row);
    const scree_vec3 y = oval ? ellipse_step(row, xi_t, row->rho_t)
                              : add_scaled(P_t, -row->rho_t, xi_t);
    return row->mu > 0 && norm(y) <= row->mu * P_n;
}

static bool holds_moment(const scree_row *row, double P_n, scree_vec3 M) {
    const double limit = fmax(row->roll, row->drill * row->mu) * P_n;
    return limit > 0 && norm(M) < (1 - EDGE) * limit;
}

/* A gap that the law draws to, in a smooth step, is none that extrapolation stands. */
static bool is_drawn(const scree_world *world, const scree_contact *c) {
    return world->step.smooth && c->g > SCREE_BAND * world->scene.r_min;
}

/* Rows know the percussion of the last solve; contacts that of the step. */
static unsigned modes_of(const scree_world *world, int64_t i) {
    const scree_contact *c = &world->state.contacts.list[i];
    const scree_problem *p = &world->state.problem;
    scree_row row = scree_problem_row(p, i);
    const double P_n = dot(c->n, c->P);
    if (!bears_load(p, &row, P_n)) return 0;
    row.P_t = add_scaled(c->P, -P_n, c->n);
    const bool sticks = is_sticking(&row, P_n, row.P_t, scree_problem_xi(p, i));
    const bool holds = scree_row_turns(&row) &&
                       holds_moment(&row, P_n, scree_world_moment(world, c));
    return BEARS | (sticks ? STICKS : 0u) | (holds ? ROLLS_NOT : 0u) |
           (is_drawn(world, c) ? DRAWN : 0u);
}

/* The lesser id first, walls last. */
static uint64_t hash_contact(const scree_world *world, const scree_contact *c,
                             unsigned modes) {
    const int64_t *id = world->state.bodies.id;
    int64_t a = id[c->a], b = c->b >= 0 ? id[c->b] : c->b;
    uint32_t key = c->key;
    scree_image image = scree_world_image(world, c);
    if (b > a) {
        const int64_t swap = a;
        a = b, b = swap;
        key = scree_key_swapped(key);
        image = scree_image_turned(image);
    }
    const uint64_t words[] = {(uint64_t)a, (uint64_t)b,
                              (uint64_t)image << 40 | (uint64_t)key << 4 |
                                  modes};
    const uint64_t h = scree_hash_bytes(SCREE_HASH_START, words, sizeof words);
    return scree_random_next(&(scree_random){h});
}

uint64_t scree_world_modes(const scree_world *world) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const unsigned modes = modes_of(world, i);
        if (modes)
            sum += hash_contact(world, &world->state.contacts.list[i], modes);
    }
    return sum;
}
