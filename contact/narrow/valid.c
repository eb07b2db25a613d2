#include "contact/narrow/valid.h"

#include <math.h>

static int32_t lower_body(const scree_pair *p) {
    return p->b >= 0 && p->b < p->a ? p->b : p->a;
}

static bool names_bodies(const scree_scene *scene, int32_t a, int32_t b) {
    return a >= 0 && a < scene->n && b >= -scene->n_wall && b < scene->n &&
           a != b;
}

bool scree_pairs_is_valid(const scree_broad *broad, const scree_scene *scene) {
    for (int64_t k = 0; k < broad->n_pair; ++k) {
        const scree_pair *p = &broad->pairs[k];
        if (!names_bodies(scene, p->a, p->b)) return false;
        if (k > 0 && lower_body(p) < lower_body(p - 1)) return false;
    }
    return true;
}

bool scree_kept_is_valid(const scree_broad *broad) {
    for (int64_t i = 0; i < broad->n_kept; ++i) {
        const int32_t k = broad->kept[i].pair;
        if (k < 0 || k >= broad->n_pair) return false;
        if (i > 0 && k < broad->kept[i - 1].pair) return false;
        const scree_pair *p = &broad->pairs[k];
        if (i < p->first || i >= p->first + p->count) return false;
    }
    return broad->n_state == 0 || broad->n_state == broad->n_kept;
}

static bool is_somewhere(const scree_scene *scene, int32_t body) {
    if (body < 0) return true;
    const scree_quat q = scene->q ? scene->q[body] : (scree_quat){1, 0, 0, 0};
    return isfinite(norm(scene->x[body].x)) && isfinite(q.w + q.x + q.y + q.z);
}

/* Places that are lost make gaps that are none: that is told at the end of the
 * step, with the body's name. */
static bool is_measured(const scree_contact *c, const scree_scene *scene) {
    if (!is_somewhere(scene, c->a) || !is_somewhere(scene, c->b)) return true;
    return isfinite(c->g) && fabs(norm(c->n) - 1) < 1e-9;
}

bool scree_contacts_is_valid(const scree_contacts *contacts,
                             const scree_broad *broad,
                             const scree_scene *scene) {
    for (int64_t i = 0; i < contacts->n; ++i) {
        const scree_contact *c = &contacts->list[i];
        if (c->pair < 0 || c->pair >= broad->n_pair) return false;
        if (i > 0 && c->pair < c[-1].pair) return false;
        const scree_pair *p = &broad->pairs[c->pair];
        if (c->a != p->a || c->b != p->b || !is_measured(c, scene))
            return false;
        if (c->arms >= contacts->arms_capacity ||
            c->state >= contacts->states_capacity)
            return false;
    }
    return true;
}

static bool take_colour(uint64_t *used, int32_t body, uint64_t colour) {
    if (body < 0) return true; /* a wall */
    if (used[body] & colour) return false;
    used[body] |= colour;
    return true;
}

bool scree_colours_is_valid(const scree_contacts *contacts, uint64_t many,
                            uint64_t *used) {
    for (int64_t i = 0; i < contacts->n; ++i) {
        const scree_contact *c = &contacts->list[i];
        if (contacts->colours[i] >= 64) continue;
        const uint64_t colour = UINT64_C(1) << contacts->colours[i];
        if (colour & many) continue;
        if (!take_colour(used, c->a, colour) ||
            !take_colour(used, c->b, colour))
            return false;
    }
    return true;
}
